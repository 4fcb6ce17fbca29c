//! Playing a ply: the move, the combat, the flags it shows, who goes out, and the two limits.

use super::combat::combat;
use super::ending::{Draw, Out, Status};
use super::event::{Event, Outcome};
use super::game::Game;
use super::kind::Kind;
use super::rules::Reveal;

impl Game {
    /// Plays a move or an attack of the seat to move and tells what everybody sees of it.
    ///
    /// # Errors
    /// A sentence about an action that is not legal; the game is then unchanged.
    pub fn play(&mut self, from: usize, to: usize) -> Result<Event, String> {
        if !self.is_legal(from, to) {
            return Err(format!("{from}-{to} is not legal for seat {} in\n{}", self.to_move, self.text()));
        }
        let seat = self.to_move;
        let attacker = self.index_at(from).expect("a legal action starts from a piece");
        let defender = self.index_at(to);
        let mut outcome = Outcome::Moved;
        if let Some(defender) = defender {
            outcome = combat(&self.rules, self.pieces[attacker].kind, self.pieces[defender].kind);
            self.reveal(attacker, defender);
        }
        let mut dead = Vec::new();
        if outcome == Outcome::Lost || outcome == Outcome::Both {
            dead.push(attacker);
        }
        if outcome == Outcome::Won || outcome == Outcome::Both {
            dead.extend(defender);
        }
        self.pieces[attacker].at = Some(to);
        for index in &dead {
            self.pieces[*index].at = None;
        }
        let flags = self.show_flags(&dead);
        let out = self.eliminate(seat, &dead);
        self.plies += 1;
        self.turns[seat] += 1;
        // Reading: every combat counts, as the rule says, whatever it came to.
        self.quiet = if defender.is_some() || !out.is_empty() { 0 } else { self.quiet + 1 };
        self.draw_by_limit();
        Ok(Event {
            seat,
            from,
            to,
            outcome,
            defender: defender.map(|index| self.pieces[index].seat),
            flags,
            out,
            status: self.status,
            kinds: match (self.rules.reveal, defender) {
                (Reveal::None, _) | (_, None) => None,
                (_, Some(defender)) => Some((self.pieces[attacker].kind, self.pieces[defender].kind)),
            },
        })
    }

    fn index_at(&self, station: usize) -> Option<usize> {
        self.pieces.iter().position(|piece| piece.at == Some(station))
    }

    /// Whoever `reveal` tells the two kinds knows them from now on.
    fn reveal(&mut self, attacker: usize, defender: usize) {
        let told: Vec<usize> = match self.rules.reveal {
            Reveal::None => Vec::new(),
            Reveal::Combatants => vec![self.pieces[attacker].seat, self.pieces[defender].seat],
            Reveal::Both => (0..self.rules.seats()).collect(),
        };
        self.pieces[attacker].shown_to.extend(&told);
        self.pieces[defender].shown_to.extend(&told);
    }

    /// A commander's death shows its owner's flag, if it still stands (3.6). Seats and stations, by seat.
    ///
    /// Reading: it is shown before anybody goes out for want of pieces, so the flag of a seat whose last piece was its
    /// commander is shown on the ply that puts the seat out. A commander that leaves the board because its seat is out
    /// has not died; the flag leaves with it.
    fn show_flags(&mut self, dead: &[usize]) -> Vec<(usize, usize)> {
        let mut flags = Vec::new();
        for index in dead {
            if self.pieces[*index].kind != Kind::Commander {
                continue;
            }
            let seat = self.pieces[*index].seat;
            let everybody: Vec<usize> = (0..self.rules.seats()).collect();
            for piece in &mut self.pieces {
                if piece.seat == seat
                    && piece.kind == Kind::Flag
                    && let Some(station) = piece.at
                {
                    piece.shown_to = everybody.clone();
                    flags.push((seat, station));
                }
            }
        }
        flags.sort();
        flags
    }

    /// First the seat that lost its flag, then those that cannot move any more.
    fn eliminate(&mut self, mover: usize, dead: &[usize]) -> Vec<(usize, Out)> {
        let mut out = Vec::new();
        for index in dead {
            if self.pieces[*index].kind == Kind::Flag {
                let seat = self.pieces[*index].seat;
                if self.goes_out(seat, Out::Flag, &mut out) {
                    self.to_move = self.rules.after(mover);
                    return out;
                }
            }
        }
        let next = self.next_living(mover);
        out.extend(self.settle(next));
        out
    }

    /// The draws that need nobody's consent. A win on the same ply goes first (3.7).
    ///
    /// Reading: a game that reaches `ply_limit` is a draw; the quiet limit is asked first.
    fn draw_by_limit(&mut self) {
        if self.status != Status::Ongoing {
            return;
        }
        if self.rules.quiet_limit > 0 && self.quiet >= self.rules.quiet_limit {
            self.status = Status::Draw { reason: Draw::QuietLimit };
        } else if self.rules.ply_limit > 0 && self.plies >= self.rules.ply_limit {
            self.status = Status::Draw { reason: Draw::PlyLimit };
        }
    }
}

//! Playing a ply: flips, steps, captures, attacks and `stop`, and whose turn it is afterwards.

use super::board::{Cell, Square};
use super::chase::chased_by;
use super::ending::{Reason, Status};
use super::game::{Game, Played};
use super::piece::{Face, Piece};
use super::reach::{attacks, captures, manner, takes};
use super::rules::{Chain, DarkFail, Family};

impl Game {
    /// Plays one action. `outcome` is the letter of the piece that an action with chance turns up.
    ///
    /// Reading: a ply is one action by one seat, so every link of a chain is a ply, `stop` is one, and a forced pass
    /// of Tomb Chess, which is no action, is none: it raises neither the ply number nor the count of quiet plies.
    ///
    /// # Errors
    /// A sentence about an action that is not legal or an outcome that cannot be; the game is then unchanged.
    pub fn play(&mut self, action: &str, outcome: Option<char>) -> Result<(), String> {
        if !self.legal.iter().any(|legal| legal == action) {
            return Err(format!("{action} is not legal in {}", self.position()));
        }
        let possible = self.outcomes_of_legal(action);
        match outcome {
            None if !possible.is_empty() => {
                return Err(format!("{action} needs an outcome"));
            }
            Some(letter) if !possible.iter().any(|(known, _)| *known == letter) => {
                return Err(format!("{action} cannot turn up {letter}"));
            }
            _ => {}
        }
        let turned = outcome.and_then(Face::from_letter);
        let seat = self.to_move;
        let mut quiet = false;
        let mut chased = Vec::new();
        let mut goes_on = None;
        if let Some((from, to)) = pair(action) {
            if self.board.at(to) == Cell::Empty {
                self.relocate(from, to);
                quiet = true;
                chased = chased_by(&self.rules, &self.board, to);
            } else if self.capture(from, to, turned) {
                goes_on = self.may_go_on(to);
            }
        } else if let (Some(square), Some(face)) = (Square::from_name(action), turned) {
            self.turn_up(square, face);
            // Whoever flips first owns the colour that appears (1.1).
            if self.colour.is_none() {
                self.colour = Some(if seat == 0 { face.colour } else { face.colour.other() });
            }
        } else {
            // Reading: `stop` is a ply that is neither a flip nor a capture, so it is a quiet one.
            quiet = true;
        }
        self.chain = goes_on;
        self.ply += 1;
        self.count_quiet(quiet);
        if self.chain.is_none() {
            self.to_move = 1 - seat;
        }
        self.settle(Played {
            seat,
            action: action.to_string(),
            quiet,
            chased,
            after: self.board.clone(),
            to_move_after: self.to_move,
        });
        Ok(())
    }

    fn relocate(&mut self, from: Square, to: Square) {
        let piece = self.board.at(from);
        self.board.put(to, piece);
        self.board.put(from, Cell::Empty);
    }

    /// Turns a face-down piece up: it leaves the bag and becomes a piece with an identity.
    fn turn_up(&mut self, square: Square, face: Face) {
        if let Some(place) = self.bag.iter().position(|known| *known == face) {
            self.bag.remove(place);
        }
        let id = self.next_id;
        self.next_id += 1;
        self.board.put(square, Cell::Up(Piece { face, id }));
    }

    /// A capture, or an attack on a face-down piece that `turned` shows (1.3, `chain = dark`). Says whether the
    /// attacker now stands on `to`.
    fn capture(&mut self, from: Square, to: Square, turned: Option<Face>) -> bool {
        if let (Some(face), Cell::Up(attacker)) = (turned, self.board.at(from)) {
            let manner = manner(&self.rules, &self.board, from, to);
            self.turn_up(to, face);
            if face.colour == attacker.face.colour {
                return false;
            }
            if !manner.is_some_and(|manner| takes(&self.rules, manner, attacker.face.kind, face.kind)) {
                if self.rules.dark_fail == DarkFail::Suicide {
                    self.board.put(from, Cell::Empty);
                }
                return false;
            }
        }
        self.relocate(from, to);
        true
    }

    /// After a capture the turn goes on while the piece has something more to capture, or with `chain = dark` a
    /// face-down piece to attack (1.3): whether that one can be captured is not known before it is turned up.
    fn may_go_on(&self, square: Square) -> Option<Square> {
        if self.rules.chain == Chain::None {
            return None;
        }
        let more = !captures(&self.rules, &self.board, square).is_empty()
            || !attacks(&self.rules, &self.board, square).is_empty();
        more.then_some(square)
    }

    /// Reading: every ply that turns a piece up is a flip in this count, an attack that fails included.
    ///
    /// Reading: in `zhengba` a quiet ply raises the count if nothing is face down after it, which is the same as
    /// before it.
    fn count_quiet(&mut self, quiet: bool) {
        if !quiet {
            self.quiet = 0;
        } else if !self.rules.quiet_only_when_open || self.board.face_down_squares().is_empty() {
            self.quiet += 1;
        }
    }

    /// The checks after a ply in the order of 1.1, and the forced passes of Tomb Chess.
    fn settle(&mut self, played: Played) {
        self.history.push(played);
        let mut over = self.loss_by_capture().or_else(|| self.pass_or_lose());
        if let Some(last) = self.history.last_mut() {
            last.to_move_after = self.to_move;
        }
        over = over.or_else(|| self.draw());
        if let Some(status) = over {
            self.end(status);
        }
    }

    pub(crate) fn end(&mut self, status: Status) {
        self.status = status;
        self.legal = Vec::new();
    }

    /// What happens to a seat to move without a legal action: it loses (1.1), or passes by force (2).
    ///
    /// Reading: two forced passes are "in a row" when nobody acts between them, so both seats are stuck. No board of
    /// Tomb Chess brings this about: beside an empty square stands a piece that can step there, a full one has two
    /// enemies side by side, and of any two kinds one takes the other.
    pub(crate) fn pass_or_lose(&mut self) -> Option<Status> {
        self.legal = self.actions();
        if !self.legal.is_empty() {
            return None;
        }
        if self.rules.family == Family::DarkChess {
            return Some(Status::Win { seat: 1 - self.to_move, reason: Reason::NoMoves });
        }
        self.to_move = 1 - self.to_move;
        self.legal = self.actions();
        if !self.legal.is_empty() {
            return None;
        }
        self.to_move = 1 - self.to_move;
        Some(self.scored())
    }
}

/// The two squares of a step, capture or attack.
fn pair(action: &str) -> Option<(Square, Square)> {
    let (from, to) = action.split_once('-')?;
    Some((Square::from_name(from)?, Square::from_name(to)?))
}

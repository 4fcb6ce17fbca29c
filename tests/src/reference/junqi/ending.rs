//! Who goes out, and how a game ends (3.7).

use super::game::Game;

/// Why a seat is out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Out {
    /// Its flag was captured or bombed.
    Flag,
    /// It has no piece that can ever move.
    NoPieces,
    /// It had no legal move at its own turn.
    NoMoves,
    /// Its time ran out too often.
    TimeOuts,
    /// It resigned.
    Resigned,
    /// It left.
    Left,
}

/// Why nobody has won.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Too many plies in a row without a loss.
    QuietLimit,
    /// Too many plies.
    PlyLimit,
    /// Every living seat agreed.
    Agreement,
}

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// One team has won, its seats that are out included.
    Win {
        /// 0 is S (and N), 1 is E and W, or N in a game of two.
        team: usize,
    },
    /// Nobody has won.
    Draw {
        /// Why.
        reason: Draw,
    },
}

impl Game {
    /// What each seat gets: 1 for a win, 0 for a draw or a game that goes on, -1 for a loss.
    pub fn results(&self) -> Vec<f32> {
        let mut results = Vec::new();
        for seat in 0..self.rules.seats() {
            results.push(match self.status {
                Status::Win { team } if team == self.rules.team(seat) => 1.0,
                Status::Win { .. } => -1.0,
                _ => 0.0,
            });
        }
        results
    }

    /// A seat that lives gives up, or is thrown out of a game. Returns everybody who goes out by it, in order.
    ///
    /// # Errors
    /// A sentence about a game that is over or a seat that is out.
    pub fn give_up(&mut self, seat: usize, why: Out) -> Result<Vec<(usize, Out)>, String> {
        if self.status != Status::Ongoing || seat >= self.rules.seats() || self.out[seat].is_some() {
            return Err(format!("seat {seat} is not in play"));
        }
        let mut gone = Vec::new();
        if !self.goes_out(seat, why, &mut gone) {
            let next = if self.to_move == seat { self.next_living(seat) } else { self.to_move };
            gone.extend(self.settle(next));
        }
        // Any elimination starts the count again.
        self.quiet = 0;
        Ok(gone)
    }

    /// The seat to move lets its time run out: its turn passes, and with `time_outs` of them it is out.
    ///
    /// Reading: a turn that passes is no ply and leaves the count of quiet plies as it is.
    ///
    /// # Errors
    /// A sentence about a game that is over.
    pub fn time_out(&mut self) -> Result<Vec<(usize, Out)>, String> {
        if self.status != Status::Ongoing {
            return Err("the game is over".to_string());
        }
        let seat = self.to_move;
        self.timed_out[seat] += 1;
        self.turns[seat] += 1;
        if self.rules.time_outs > 0 && self.timed_out[seat] >= self.rules.time_outs {
            return self.give_up(seat, Out::TimeOuts);
        }
        let gone = self.settle(self.next_living(seat));
        if !gone.is_empty() {
            self.quiet = 0;
        }
        Ok(gone)
    }

    /// Every living seat has agreed to a draw.
    ///
    /// # Errors
    /// A sentence about a game that is over.
    pub fn agree(&mut self) -> Result<(), String> {
        if self.status != Status::Ongoing {
            return Err("the game is over".to_string());
        }
        self.status = Status::Draw { reason: Draw::Agreement };
        Ok(())
    }

    /// The next seat in turn that is not out. Somebody has to be in play.
    pub(crate) fn next_living(&self, seat: usize) -> usize {
        let mut next = self.rules.after(seat);
        while self.out[next].is_some() && next != seat {
            next = self.rules.after(next);
        }
        next
    }

    /// Puts out everybody who has to go, `next` being the seat whose turn it would be, and gives the turn to the first
    /// one that can use it.
    ///
    /// Reading: where several seats have to go at once they go one after the other, beginning with the seat whose turn
    /// it is: "if no seat can move, the seat whose turn it is goes out first". The game ends as soon as one team is
    /// out, so of two seats that lost their last pieces to each other the one who would have to move loses.
    pub(crate) fn settle(&mut self, next: usize) -> Vec<(usize, Out)> {
        let mut gone = Vec::new();
        self.to_move = next;
        if self.decide() {
            return gone;
        }
        if self.out[next].is_some() {
            self.to_move = self.next_living(next);
        }
        let mut seat = self.to_move;
        for _ in 0..self.rules.seats() {
            let alive = self.out[seat].is_none();
            let can = self.pieces.iter().any(|piece| piece.seat == seat && self.can_ever_move(piece));
            if alive && !can && self.goes_out(seat, Out::NoPieces, &mut gone) {
                return gone;
            }
            seat = self.rules.after(seat);
        }
        if self.out[self.to_move].is_some() {
            self.to_move = self.next_living(self.to_move);
        }
        while !self.can_act(self.to_move) {
            if self.goes_out(self.to_move, Out::NoMoves, &mut gone) {
                return gone;
            }
            self.to_move = self.next_living(self.to_move);
        }
        gone
    }

    /// Takes a seat's pieces off the board. True if that ends the game.
    pub(crate) fn goes_out(&mut self, seat: usize, why: Out, gone: &mut Vec<(usize, Out)>) -> bool {
        self.out[seat] = Some(why);
        gone.push((seat, why));
        for piece in &mut self.pieces {
            if piece.seat == seat {
                piece.at = None;
            }
        }
        self.decide()
    }

    /// A team with all its seats out has lost. True if the game is over.
    fn decide(&mut self) -> bool {
        for team in 0..2 {
            let alive = (0..self.rules.seats()).any(|seat| self.rules.team(seat) == team && self.out[seat].is_none());
            if !alive {
                self.status = Status::Win { team: 1 - team };
                return true;
            }
        }
        false
    }
}

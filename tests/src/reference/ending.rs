//! The checks after a ply, in their order (1.1), and how a deadlock of Tomb Chess is scored (2).

use super::board::Cell;
use super::game::Game;
use super::piece::{Colour, Kind};
use super::rules::{Family, Repetition};

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The last piece of a seat was captured.
    Eliminated,
    /// The points of a seat's captured pieces reached `hit_points`.
    HitPoints,
    /// A seat had to move and could not (dark chess).
    NoMoves,
    /// A repetition (dark chess).
    Repetition,
    /// Too many plies in a row without a flip or a capture (dark chess).
    QuietLimit,
    /// A deadlock of Tomb Chess, of any of its three kinds: the points left decide, equal points are a draw.
    Points,
}

/// Where a game stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It goes on.
    Ongoing,
    /// One seat has won.
    Win {
        /// The winner.
        seat: usize,
        /// Why.
        reason: Reason,
    },
    /// Nobody has won.
    Draw {
        /// Why.
        reason: Reason,
    },
}

impl Game {
    /// Elimination, then points lost. The seats' colours must be bound; before that nothing can have been captured.
    ///
    /// Reading: a seat is eliminated when neither the board nor the bag holds a piece of its colour. An attacker that
    /// `suicide` removes is lost like a captured one: it counts for the elimination and for the points.
    ///
    /// Reading: the rule text gives `hit_points` no place among the checks; it stands right behind the elimination,
    /// because both speak of captured pieces.
    pub(crate) fn loss_by_capture(&self) -> Option<Status> {
        for seat in 0..2 {
            let colour = self.colour_of(seat)?;
            if self.kinds_left(colour).is_empty() {
                return Some(Status::Win { seat: 1 - seat, reason: Reason::Eliminated });
            }
        }
        if self.rules.hit_points == 0 {
            return None;
        }
        for seat in 0..2 {
            let colour = self.colour_of(seat)?;
            if self.points_lost(colour) >= self.rules.hit_points {
                return Some(Status::Win { seat: 1 - seat, reason: Reason::HitPoints });
            }
        }
        None
    }

    /// Repetition, then the quiet limit. In Tomb Chess either is a deadlock, which points decide.
    pub(crate) fn draw(&self) -> Option<Status> {
        let reason = if self.repeated() {
            Reason::Repetition
        } else if self.rules.quiet_limit > 0 && self.quiet >= self.rules.quiet_limit {
            Reason::QuietLimit
        } else {
            return None;
        };
        match self.rules.family {
            Family::DarkChess => Some(Status::Draw { reason }),
            Family::TombChess => Some(self.scored()),
        }
    }

    /// The end of a deadlock (2): more points left win, equal points are a draw.
    pub(crate) fn scored(&self) -> Status {
        let reason = Reason::Points;
        let mut points = [0, 0];
        for (seat, sum) in points.iter_mut().enumerate() {
            if let Some(colour) = self.colour_of(seat) {
                // Face-down units count as alive.
                for kind in self.kinds_left(colour) {
                    *sum += kind.tomb_points();
                }
            }
        }
        if points[0] > points[1] {
            Status::Win { seat: 0, reason }
        } else if points[1] > points[0] {
            Status::Win { seat: 1, reason }
        } else {
            Status::Draw { reason }
        }
    }

    /// Every piece of a colour that is not captured: face up on the board, or face down and therefore in the bag.
    fn kinds_left(&self, colour: Colour) -> Vec<Kind> {
        let mut kinds = Vec::new();
        for square in self.board.squares() {
            if let Cell::Up(piece) = self.board.at(square)
                && piece.face.colour == colour
            {
                kinds.push(piece.face.kind);
            }
        }
        for face in &self.bag {
            if face.colour == colour {
                kinds.push(face.kind);
            }
        }
        kinds
    }

    /// The points a colour started with less those it has left.
    fn points_lost(&self, colour: Colour) -> u32 {
        let mut points = 0;
        for (kind, count) in &self.rules.counts[colour.index()] {
            points += kind.hit_points() * *count as u32;
        }
        for kind in self.kinds_left(colour) {
            points -= kind.hit_points();
        }
        points
    }

    fn repeated(&self) -> bool {
        if self.rules.repetition_only_when_open && !self.board.face_down_squares().is_empty() {
            return false;
        }
        match self.rules.repetition {
            Repetition::None => false,
            Repetition::Cycle3 => self.three_cycles(),
            Repetition::Threefold => self.third_occurrence(),
        }
    }

    /// `cycle3`: for some n the last 3n plies, all quiet, are one block of n plies three times in a row.
    ///
    /// Reading: plies are compared as they are written, origin and destination; boards play no part.
    fn three_cycles(&self) -> bool {
        let mut quiet = Vec::new();
        for played in self.history.iter().rev() {
            if !played.quiet {
                break;
            }
            quiet.push(played.action.as_str());
        }
        for n in 1..=quiet.len() / 3 {
            let (last, middle, first) = (&quiet[..n], &quiet[n..2 * n], &quiet[2 * n..3 * n]);
            if last == middle && middle == first {
                return true;
            }
        }
        false
    }

    /// `threefold`: the board and the seat to move occur for the third time since the last flip or capture.
    ///
    /// Reading: the position right after that flip or capture is an occurrence. Where a seat passes by force, the
    /// position that counts is the one after the pass, in which somebody can act.
    fn third_occurrence(&self) -> bool {
        let mut occurrences = 0;
        let mut cut = false;
        for played in self.history.iter().rev() {
            if played.after.looks_like(&self.board) && played.to_move_after == self.to_move {
                occurrences += 1;
            }
            if !played.quiet {
                cut = true;
                break;
            }
        }
        // A game that was taken up from a position has an occurrence in front of its first ply.
        let (board, to_move) = &self.origin;
        if !cut && board.looks_like(&self.board) && *to_move == self.to_move {
            occurrences += 1;
        }
        occurrences >= 3
    }
}

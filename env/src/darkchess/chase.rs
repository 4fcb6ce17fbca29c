//! The chase limit 長捉禁手 (games.md 1.2): a seat may not chase the same enemy piece too often in a row.
//!
//! A chase is a quiet move after which the moved piece could capture that enemy piece next; in a row means on
//! consecutive own turns. The chaser may change, the chased piece may not; a fork chases every piece it attacks.

use super::DarkChess;
use super::board::{DIRECTIONS, squares_of};
use super::position::{EMPTY, Legal, Position};
use super::rules::MAX_SQUARES;

/// Which pieces each colour chases, by the square they stand on, and how often in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chases {
    chased: [u64; 2],
    counts: [[u8; MAX_SQUARES]; 2],
}

impl Chases {
    pub(super) fn none() -> Chases {
        Chases { chased: [0; 2], counts: [[0; MAX_SQUARES]; 2] }
    }

    /// A flip, capture, attack or stop: the colour's chases are over.
    pub(super) fn end(&mut self, colour: usize) {
        self.chased[colour] = 0;
    }

    /// A piece has left a square for another, or the board: whoever chases it follows.
    #[inline]
    pub(super) fn follow(&mut self, from: u8, to: Option<u8>) {
        // Most pieces are chased by nobody.
        let moved = 1 << from | to.map_or(0, |to| 1u64 << to);
        if (self.chased[0] | self.chased[1]) & moved == 0 {
            return;
        }
        for (chased, counts) in self.chased.iter_mut().zip(&mut self.counts) {
            let was = *chased & (1 << from) != 0;
            *chased &= !(1 << from);
            if let Some(to) = to {
                // What stood there before is captured.
                *chased &= !(1 << to);
                if was {
                    *chased |= 1 << to;
                    counts[usize::from(to)] = counts[usize::from(from)];
                }
            }
        }
    }

    /// How often in a row a colour has chased the piece on a square.
    pub(super) fn count(&self, colour: usize, square: usize) -> u8 {
        if self.chased[colour] & (1 << square) != 0 { self.counts[colour][square] } else { 0 }
    }

    /// The most often in a row that any piece has been chased.
    #[inline]
    pub(super) fn most(&self) -> u8 {
        let mut most = 0;
        for (&chased, counts) in self.chased.iter().zip(&self.counts) {
            squares_of(chased).for_each(|square| most = most.max(counts[square]));
        }
        most
    }

    /// The squares of the pieces a colour chases.
    pub(super) fn squares(&self, colour: usize) -> u64 {
        self.chased[colour]
    }

    /// Sets a count, for positions that are read.
    pub(super) fn set(&mut self, colour: usize, square: u8, count: u8) {
        self.chased[colour] |= 1 << square;
        self.counts[colour][usize::from(square)] = count;
    }
}

impl DarkChess {
    /// Counts the chases of a quiet move that has just been played by a colour, the moved piece now on `to`.
    pub(super) fn count_chases(&self, position: &mut Position, colour: usize, to: u8) {
        let attacked = self.captures_from(position, to, colour, false).squares();
        let chases = &mut position.chases;
        for square in squares_of(attacked) {
            let count = chases.count(colour, square).saturating_add(1);
            chases.counts[colour][square] = count;
        }
        chases.chased[colour] = attacked;
    }

    /// Takes away the quiet steps that would chase a piece once too often.
    pub(super) fn forbid_chases(&self, position: &Position, legal: &mut Legal) {
        let mover = position.mover();
        let last = self.rules.chase_limit - 1;
        if last > 0 && position.chases.squares(mover) == 0 {
            return;
        }
        let tired = squares_of(position.chases.squares(mover))
            .filter(|&square| position.chases.count(mover, square) >= last)
            .fold(0u64, |set, square| set | 1 << square);
        // With a limit of one every chase is forbidden, whatever was chased before.
        let tired = if last == 0 { u64::MAX } else { tired };
        if tired == 0 {
            return;
        }
        for direction in 0..DIRECTIONS {
            for to in squares_of(legal.steps[direction] & position.all_of(EMPTY)) {
                let from = self.board.in_sight(DIRECTIONS - 1 - direction, to, u64::MAX).trailing_zeros();
                let mut after = *position;
                after.swap(from as u8, to as u8);
                if self.captures_from(&after, to as u8, mover, false).squares() & tired != 0 {
                    legal.steps[direction] &= !(1 << to);
                }
            }
        }
    }
}

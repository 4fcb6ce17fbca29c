//! Which pieces are face up and which are unseen.

use anqi_env::darkchess::piece::KINDS;
use anqi_env::darkchess::rules::{Family, Rules};
use anqi_env::darkchess::{Colour, Kind, Piece, Position};

/// Counts of the mover's kinds, then of the other side's.
pub(in crate::search) type Counts = [[u8; KINDS]; 2];

/// The pieces of a position, as the seat to move sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) struct Class {
    /// Face up on the board.
    pub(in crate::search) up: Counts,
    /// Face down on the board.
    pub(in crate::search) unseen: Counts,
}

fn total(counts: &Counts) -> usize {
    counts.as_flattened().iter().map(|&n| usize::from(n)).sum()
}

impl Class {
    /// A position's class; none before the colours are bound.
    pub(in crate::search) fn of(position: &Position) -> Option<Class> {
        let mover = position.mover_colour()?;
        let counts = |count: &dyn Fn(Piece) -> u8| {
            [mover, mover.other()].map(|colour: Colour| Kind::ALL.map(|kind| count(Piece::new(colour, kind))))
        };
        Some(Class {
            up: counts(&|piece| position.standing(piece).count_ones() as u8),
            unseen: counts(&|piece| position.unseen(piece)),
        })
    }

    /// The same pieces with the other side to move.
    pub(in crate::search) fn swapped(&self) -> Class {
        let [own, other] = self.up;
        let [own_unseen, other_unseen] = self.unseen;
        Class { up: [other, own], unseen: [other_unseen, own_unseen] }
    }

    /// Four bits a count; counts are at most 15.
    pub(in crate::search) fn key(&self) -> u128 {
        let counts = self.up.as_flattened().iter().chain(self.unseen.as_flattened());
        counts.fold(0, |key, &count| key << 4 | u128::from(count))
    }

    /// Pieces on the board.
    pub(in crate::search) fn pieces(&self) -> usize {
        total(&self.up) + total(&self.unseen)
    }

    /// Pieces face down.
    pub(in crate::search) fn hidden(&self) -> usize {
        total(&self.unseen)
    }

    /// Pieces of a side, 0 the mover's.
    pub(in crate::search) fn side(&self, side: usize) -> usize {
        self.up[side].iter().chain(&self.unseen[side]).map(|&n| usize::from(n)).sum()
    }

    /// Whether a game may go on in this class under the rules: both sides live, no limit of points is reached, and
    /// somebody has flipped where that binds the colours.
    pub(in crate::search) fn is_open(&self, rules: &Rules) -> bool {
        let lost = |side: usize| -> u16 {
            Kind::ALL
                .iter()
                .map(|&kind| {
                    let kept = self.up[side][kind as usize] + self.unseen[side][kind as usize];
                    u16::from(rules.pieces[kind as usize] - kept) * rules.family.points(kind)
                })
                .sum()
        };
        let limit = u16::from(rules.hit_points);
        (0..2).all(|side| self.side(side) > 0 && (limit == 0 || lost(side) < limit))
            && (self.hidden() < rules.squares() || rules.family == Family::TombChess)
    }

    /// Every class that flips and captures may lead to from here, itself included, as seen by either side.
    pub(in crate::search) fn below(&self) -> Vec<Class> {
        let mut found = Vec::new();
        let mut class = *self;
        class.below_from(self, 0, &mut found);
        let swapped = self.swapped();
        if swapped != *self {
            let mut class = swapped;
            class.below_from(&swapped, 0, &mut found);
        }
        found.sort_unstable_by_key(Class::key);
        found.dedup();
        found
    }

    fn below_from(&mut self, top: &Class, slot: usize, found: &mut Vec<Class>) {
        if slot == 2 * KINDS {
            found.push(*self);
            return;
        }
        let (most_unseen, up) = (top.unseen.as_flattened()[slot], top.up.as_flattened()[slot]);
        for unseen in 0..=most_unseen {
            for up in 0..=most_unseen + up - unseen {
                self.unseen.as_flattened_mut()[slot] = unseen;
                self.up.as_flattened_mut()[slot] = up;
                self.below_from(top, slot + 1, found);
            }
        }
    }

    /// How many positions lie in all classes below, and how many classes that are; sums of polynomials, so that even
    /// the full board is counted at once.
    pub(in crate::search) fn count_below(&self, squares: usize) -> (f64, f64) {
        // By numbers of unseen and of face-up pieces: ways to choose the pieces, over the orders of equal ones.
        let pieces = self.pieces();
        let mut ways = vec![vec![0.0f64; pieces + 1]; pieces + 1];
        ways[0][0] = 1.0;
        let mut classes = 1.0;
        for slot in 0..2 * KINDS {
            let (most, up) = (self.unseen.as_flattened()[slot], self.up.as_flattened()[slot]);
            let mut next = vec![vec![0.0; pieces + 1]; pieces + 1];
            let mut choices = 0.0;
            for unseen in 0..=usize::from(most) {
                let mut orders = 1.0;
                for shown in 0..=usize::from(most + up) - unseen {
                    orders *= shown.max(1) as f64;
                    choices += 1.0;
                    for (k, row) in ways.iter().enumerate().take(pieces + 1 - unseen) {
                        for (m, &way) in row.iter().enumerate().take(pieces + 1 - shown) {
                            next[k + unseen][m + shown] += way / orders;
                        }
                    }
                }
            }
            ways = next;
            classes *= choices;
        }
        // k squares of the board are face down; the m face-up pieces stand on others, in any order.
        let falling = |n: usize, k: usize| (0..k).map(|i| n.saturating_sub(i) as f64).product::<f64>();
        let mut positions = 0.0;
        for (k, row) in ways.iter().enumerate() {
            for (m, &way) in row.iter().enumerate().filter(|&(m, _)| k + m <= squares) {
                positions += way * falling(squares, k) / falling(k, k) * falling(squares - k, m);
            }
        }
        let sides = if self.swapped() == *self { 1.0 } else { 2.0 };
        (sides * positions, sides * classes)
    }
}

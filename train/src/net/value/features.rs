//! What a value network sees of a position: a few inputs out of some hundreds, of which a ply changes very few.
//!
//! A position is a row of *slots*, each with a small number: what stands on a square, how many pieces of a kind are
//! unseen, how far the quiet plies have come. A square has one input for each thing that may stand there; a count has one
//! for each number from 1 on, and all up to its own are set, so that the network need not learn anew what five soldiers
//! have in common with four. Each side looks at the slots in its own way: its pieces are "own", whatever their colour.

use anqi_env::darkchess::piece::KINDS;
use anqi_env::darkchess::rules::{Family, MAX_SQUARES, Rules};
use anqi_env::darkchess::{BARE, Colour, HIDDEN, Kind, Piece, Position};

/// Most slots, filled up so that two positions are compared in whole words.
pub(super) const SLOTS: usize = 56;
/// What may stand on a square but nothing: 7 own kinds, 7 of the enemy, a piece face down.
pub(super) const THINGS: usize = 2 * KINDS + 1;
/// Steps into which quiet plies and lost points are divided.
pub(super) const STEPS: u32 = 8;

/// A position's slots as red looks at them, and the colour of the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// For each square its code, then the counts; 0 behind them.
    pub slots: [u8; SLOTS],
    /// Red while no colour is bound, when both sides see the same.
    pub mover: u8,
}

/// The inputs for one set of rules.
#[derive(Clone, Debug)]
pub struct Features {
    pub(super) rules: Rules,
    squares: usize,
    /// For each count, its first input and how many it has; in the order of the slots behind the squares.
    pub(super) counts: Vec<(usize, usize)>,
    /// Points of a whole side, where the rules count them; else 0.
    pub(super) points: u32,
    inputs: usize,
}

impl Features {
    /// The inputs for a set of rules.
    pub fn new(rules: &Rules) -> Features {
        let squares = rules.squares();
        let points = match rules.hit_points > 0 || rules.family == Family::TombChess {
            true => Kind::ALL.iter().map(|&kind| points_of(rules, kind) * u32::from(rules.pieces[kind as usize])).sum(),
            false => 0,
        };
        // Unseen pieces own and foreign, no colour bound, quiet plies, lost points own and foreign.
        let mut levels: Vec<usize> = rules.pieces.iter().chain(&rules.pieces).map(|&n| n.into()).collect();
        levels.push(1);
        levels.push(if rules.quiet_limit > 0 { STEPS as usize } else { 0 });
        levels.extend([if points > 0 { STEPS as usize } else { 0 }; 2]);
        let mut inputs = squares * THINGS;
        let mut counts = Vec::new();
        for levels in levels {
            counts.push((inputs, levels));
            inputs += levels;
        }
        Features { rules: *rules, squares, counts, points, inputs }
    }

    /// How many inputs there are.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// How many slots there are.
    pub fn slots(&self) -> usize {
        self.squares + self.counts.len()
    }

    /// A position's slots.
    #[inline]
    pub fn look(&self, position: &Position) -> Look {
        let mut slots = [0; SLOTS];
        slots[..MAX_SQUARES].copy_from_slice(position.codes());
        let counts = &mut slots[self.squares..self.squares + self.counts.len()];
        for (index, count) in counts[..2 * KINDS].iter_mut().enumerate() {
            let piece = Piece::new(Colour::ALL[index / KINDS], Kind::ALL[index % KINDS]);
            *count = position.unseen(piece);
        }
        let mover = position.mover_colour();
        counts[2 * KINDS] = u8::from(mover.is_none());
        counts[2 * KINDS + 1] = match self.rules.quiet_limit {
            0 => 0,
            limit => (u32::from(position.quiet()) * STEPS / u32::from(limit)).min(STEPS) as u8,
        };
        counts[2 * KINDS + 2] = 0;
        counts[2 * KINDS + 3] = 0;
        if self.points > 0 {
            for colour in Colour::ALL {
                counts[2 * KINDS + 2 + colour as usize] = self.lost(position, colour);
            }
        }
        // A small board leaves codes of squares that it does not have.
        slots[self.slots()..].fill(0);
        Look { slots, mover: mover.map_or(0, |colour| colour as u8) }
    }

    /// The points that a side has lost, in steps.
    fn lost(&self, position: &Position, colour: Colour) -> u8 {
        let left = |kind: Kind| {
            let piece = Piece::new(colour, kind);
            points_of(&self.rules, kind) * (u32::from(position.unseen(piece)) + position.standing(piece).count_ones())
        };
        let left: u32 = Kind::ALL.into_iter().map(left).sum();
        ((self.points - left) * STEPS / self.most_lost()).min(STEPS) as u8
    }

    /// The lost points that make all steps.
    pub(super) fn most_lost(&self) -> u32 {
        if self.rules.hit_points > 0 { self.rules.hit_points.into() } else { self.points }
    }

    /// The inputs that a slot's number sets, as a side looks at it.
    #[inline]
    pub fn inputs_of(&self, slot: usize, number: u8, side: u8) -> std::ops::Range<usize> {
        if slot < self.squares {
            let thing = match number {
                BARE => return 0..0,
                HIDDEN => THINGS - 1,
                code => usize::from(code & 7) + if code >> 3 == side { 0 } else { KINDS },
            };
            return slot * THINGS + thing..slot * THINGS + thing + 1;
        }
        let index = Features::as_side(slot - self.squares, side);
        let (first, levels) = self.counts[index];
        first..first + usize::from(number).min(levels)
    }

    /// The count that a side sees in the place of another: the other side's stand where the own ones do for it.
    #[inline]
    pub(super) fn as_side(index: usize, side: u8) -> usize {
        match index {
            _ if side == 0 => index,
            0..KINDS => index + KINDS,
            KINDS..OTHERS => index - KINDS,
            LOST => LOST + 1,
            _ if index == LOST + 1 => LOST,
            _ => index,
        }
    }

    /// Appends the inputs that are set, as a side looks at a position.
    pub fn list(&self, look: &Look, side: u8, out: &mut Vec<u16>) {
        for (slot, &number) in look.slots[..self.slots()].iter().enumerate() {
            out.extend(self.inputs_of(slot, number, side).map(|input| input as u16));
        }
    }

    /// The slots of an empty board without counts, which set no input.
    pub fn nothing(&self) -> [u8; SLOTS] {
        let mut slots = [0; SLOTS];
        slots[..self.squares].fill(BARE);
        slots
    }

    /// The largest number that a slot may hold.
    pub fn most(&self, slot: usize) -> u8 {
        if slot < self.squares { BARE } else { self.counts[slot - self.squares].1 as u8 }
    }

    /// The same position on a turned board: `squares` says where each square goes.
    pub fn turned(&self, look: &Look, squares: &[u16]) -> Look {
        let mut turned = *look;
        for (from, &to) in squares.iter().enumerate() {
            turned.slots[usize::from(to)] = look.slots[from];
        }
        turned
    }
}

/// Counts that are no unseen pieces come from here on.
pub(super) const OTHERS: usize = 2 * KINDS;
/// The count of red's lost points; black's comes next.
pub(super) const LOST: usize = OTHERS + 2;

pub(super) fn points_of(rules: &Rules, kind: Kind) -> u32 {
    rules.family.points(kind).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::darkchess::DarkChess;
    use anqi_env::game::Game as _;

    /// The inputs of a text, named: square and thing, or kind of count and level.
    fn set(features: &Features, game: &DarkChess, text: &str, side: u8) -> Vec<u16> {
        let mut out = Vec::new();
        features.list(&features.look(&game.parse_view(text).unwrap()), side, &mut out);
        out
    }

    #[test]
    fn each_side_sees_its_own_pieces() {
        let game = DarkChess::parse("mini").unwrap();
        let features = Features::new(game.rules());
        // Red general on a1, black soldier on b4; nothing unseen.
        let (red, black) = (set(&features, &game, "K3/3p 0 r - 4 9", 0), set(&features, &game, "K3/3p 0 r - 4 9", 1));
        let square = |square: usize, thing: usize| (square * THINGS + thing) as u16;
        assert_eq!(red[..2], [square(0, 0), square(7, KINDS + 6)]);
        assert_eq!(black[..2], [square(0, KINDS), square(7, 6)]);
        assert_eq!(red[2..], black[2..], "both see the same quiet plies");
    }

    #[test]
    fn the_start_looks_the_same_to_both_and_fits() {
        for rules in ["taiwan", "mini", "gametower-dark-chain", "mainland60"] {
            let game = DarkChess::parse(rules).unwrap();
            let features = Features::new(game.rules());
            assert!(features.slots() <= SLOTS);
            let look = features.look(&game.start());
            let (mut red, mut black) = (Vec::new(), Vec::new());
            features.list(&look, 0, &mut red);
            features.list(&look, 1, &mut black);
            red.sort_unstable();
            black.sort_unstable();
            assert_eq!(red, black);
            // All squares, all unseen pieces, no colour.
            assert_eq!(red.len(), 2 * game.rules().squares() + 1, "{rules}");
            assert!(red.iter().all(|&input| usize::from(input) < features.inputs()));
        }
    }

    #[test]
    fn tomb_chess_counts_points() {
        let game = DarkChess::parse_tomb("").unwrap();
        let features = Features::new(game.rules());
        let look = features.look(&game.start());
        assert_eq!(look.slots[features.slots() - 2..features.slots()], [0, 0]);
        assert_eq!(features.counts[LOST].1, STEPS as usize);
    }
}

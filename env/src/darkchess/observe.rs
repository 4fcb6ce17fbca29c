//! Observations, encoding version 1: what a seat sees as planes and scalars.
//!
//! The tables below are the encoding; `docs/observations.md` is generated from them.

use super::DarkChess;
use super::board::NONE;
use super::piece::{KINDS, Kind};
use super::position::{EMPTY, FACE_DOWN, Position};
use super::rules::Repetition;
use crate::game::Seat;

/// Version of the observation and action encoding. Checkpoints of another version are refused.
pub const ENCODING: u32 = 1;

/// Planes of an observation, first and last of each group, and what they hold.
pub const PLANES: &[(usize, usize, &str)] = &[
    (0, 6, "own face-up pieces: general, guard, minister, chariot, horse, cannon, soldier"),
    (7, 13, "the other side's face-up pieces, in the same order"),
    (14, 14, "face-down pieces"),
    (15, 15, "empty squares"),
    (16, 16, "where the last ply came from (a flip: its square)"),
    (17, 17, "where the last ply went to (a flip: its square)"),
    (18, 18, "the piece in a chain of captures (chain variants; else 0)"),
    (19, 19, "chased pieces, number of chases (chase limit; else 0)"),
];

/// Scalars of an observation, first and last of each group, and what they hold.
pub const SCALARS: &[(usize, usize, &str)] = &[
    (0, 6, "own pieces not seen yet, by kind, over their initial number"),
    (7, 13, "the other side's pieces not seen yet, by kind, over their initial number"),
    (14, 14, "own pieces not captured, over their initial number"),
    (15, 15, "the other side's pieces not captured, over their initial number"),
    (16, 16, "share of the squares that are face down"),
    (17, 17, "1 once the colours are known"),
    (18, 18, "quiet plies over the quiet limit (0 without a limit)"),
    (19, 19, "repetition: 0, 1/2 after the second block or occurrence, 1 at the draw"),
    (20, 20, "chases over the chase limit (0 without a limit)"),
    (21, 21, "plies played over 512, at most 1"),
    (22, 22, "rule: quiet limit over 256, at most 1"),
    (23, 23, "rule: repetition cycle3"),
    (24, 24, "rule: repetition threefold"),
    (25, 31, "rules of other variants; 0"),
];

/// Number of planes.
pub const NUM_PLANES: usize = 20;
/// Number of scalars.
pub const NUM_SCALARS: usize = 32;

impl DarkChess {
    /// Writes what a seat sees. Before the colours are known both sides look the same, and red stands first.
    #[inline]
    pub(super) fn write_observation(&self, position: &Position, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        let squares = self.board.squares;
        let own = position.colour_of(seat).map_or(0, |colour| colour as usize);
        planes.fill(0);
        // Every square belongs to exactly one of the planes 0-15: one byte a square.
        let plane = &self.plane_of_cell[own];
        for (square, &cell) in position.cells[..squares].iter().enumerate() {
            planes[usize::from(plane[usize::from(cell)]) * squares + square] = 1;
        }
        let (from, to) = position.last;
        if from != NONE {
            planes[16 * squares + usize::from(from)] = 1;
            planes[17 * squares + usize::from(to)] = 1;
        }

        scalars.copy_from_slice(&self.rule_scalars);
        for kind in 0..KINDS {
            scalars[kind] = f32::from(position.bag[own][kind]) * self.per_initial[kind];
            scalars[KINDS + kind] = f32::from(position.bag[own ^ 1][kind]) * self.per_initial[kind];
        }
        let per_side = 2.0 / squares as f32;
        scalars[14] = f32::from(position.alive[own]) * per_side;
        scalars[15] = f32::from(position.alive[own ^ 1]) * per_side;
        scalars[16] = position.face_down() as f32 / squares as f32;
        scalars[17] = f32::from(u8::from(position.colour.is_some()));
        if self.rules.quiet_limit > 0 {
            scalars[18] = f32::from(position.quiet) / f32::from(self.rules.quiet_limit);
        }
        scalars[19] = f32::from(position.history.repeats) * 0.5;
        scalars[21] = position.plies.min(512) as f32 / 512.0;
    }

    /// The plane of each cell code, for an own colour of red and of black.
    pub(super) fn planes_of_cells() -> [[u8; 16]; 2] {
        let mut planes = [[0; 16]; 2];
        for (own, table) in planes.iter_mut().enumerate() {
            for kind in 0..KINDS {
                table[own * KINDS + kind] = kind as u8;
                table[(own ^ 1) * KINDS + kind] = (KINDS + kind) as u8;
            }
            table[usize::from(FACE_DOWN)] = 14;
            table[usize::from(EMPTY)] = 15;
        }
        planes
    }

    /// The scalars that depend on the rules alone.
    pub(super) fn scalars_of_rules(rules: &super::Rules) -> [f32; NUM_SCALARS] {
        let mut scalars = [0.0; NUM_SCALARS];
        scalars[22] = f32::from(rules.quiet_limit.min(256)) / 256.0;
        scalars[23] = f32::from(u8::from(rules.repetition == Repetition::Cycle3));
        scalars[24] = f32::from(u8::from(rules.repetition == Repetition::Threefold));
        scalars
    }

    /// One over the initial number of each kind, 0 for kinds not in play.
    pub(super) fn per_initial(rules: &super::Rules) -> [f32; KINDS] {
        Kind::ALL.map(|kind| match rules.pieces[kind as usize] {
            0 => 0.0,
            n => 1.0 / f32::from(n),
        })
    }
}

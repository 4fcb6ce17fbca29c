//! Observations, encoding version 1: what a seat sees as planes and scalars.
//!
//! The tables below are the encoding; `docs/observations.md` is generated from them.

use super::DarkChess;
use super::board::{NONE, squares_of};
use super::piece::{Colour, KINDS, Kind, Piece};
use super::position::{EMPTY, FACE_DOWN, Position, SIDE};
use super::rules::{Chain, DarkFail, Family, Ranking, Repetition};
use crate::game::Seat;

/// Version of the observation and action encoding. Checkpoints of another version are refused.
pub const ENCODING: u32 = 1;

/// Planes of an observation, first and last of each group, and what they hold.
pub const PLANES: &[(usize, usize, &str)] = &[
    (
        0,
        6,
        "own face-up pieces: general, guard, minister, chariot, horse, cannon, soldier; Tomb Chess: king, queen, \
            zombie, headless, skeleton, none, ghost",
    ),
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
    (
        20,
        20,
        "most chases in a row over the chase limit (0 without); Tomb Chess: own points less the other side's, over all",
    ),
    (21, 21, "plies played over 512, at most 1"),
    (22, 22, "rule: quiet limit over 256, at most 1"),
    (23, 23, "rule: repetition cycle3"),
    (24, 24, "rule: repetition threefold"),
    (25, 25, "rule: chase limit over 16, at most 1"),
    (26, 26, "rule: chains of captures, 1/2 open, 1 dark"),
    (27, 27, "rule: a failed attack on a face-down piece costs the attacker"),
    (28, 28, "rule: chariots rush"),
    (29, 29, "rule: Hong Kong ranks"),
    (30, 30, "rule: points that lose the game over 100"),
    (31, 31, "rule: quiet plies count only while nothing is face down"),
];

/// Number of planes.
pub const NUM_PLANES: usize = 20;
/// Number of scalars.
pub const NUM_SCALARS: usize = 32;

impl DarkChess {
    /// Writes what a seat sees. Before the colours are known both sides look the same, and red stands first.
    #[inline]
    pub(super) fn write_observation(&self, position: &Position, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        let own = position.colour_of(seat).map_or(0, |colour| colour as usize);
        if !planes.is_empty() {
            self.write_planes(position, own, planes);
        }
        if !scalars.is_empty() {
            self.write_scalars(position, own, scalars);
        }
    }

    #[inline]
    fn write_planes(&self, position: &Position, own: usize, planes: &mut [u8]) {
        let squares = self.board.squares;
        let (of_cells, others) = planes.split_at_mut(2 * SIDE * squares);
        // Every square belongs to exactly one of the planes 0-15. The sizes that are trained on get loops of a
        // fixed length.
        let codes = &self.plane_codes[own];
        match squares {
            32 => write_cells::<32>(codes, &position.cells, of_cells),
            36 => write_cells::<36>(codes, &position.cells, of_cells),
            _ => {
                for (&code, plane) in codes.iter().zip(of_cells.chunks_exact_mut(squares)) {
                    plane.iter_mut().zip(&position.cells).for_each(|(out, &cell)| *out = u8::from(cell == code));
                }
            }
        }
        others.fill(0);
        let (from, to) = position.last;
        if from != NONE {
            others[usize::from(from)] = 1;
            others[squares + usize::from(to)] = 1;
        }
        if !self.plain {
            if let Some(square) = position.chain() {
                others[2 * squares + usize::from(square)] = 1;
            }
            for colour in 0..2 {
                for square in squares_of(position.chases.squares(colour)) {
                    others[3 * squares + square] += position.chases.count(colour, square);
                }
            }
        }
    }

    #[inline]
    fn write_scalars(&self, position: &Position, own: usize, scalars: &mut [f32]) {
        scalars.copy_from_slice(&self.rule_scalars);
        let unseen = |colour: usize| -> [f32; SIDE] {
            let bag: &[u8; SIDE] = &position.bag[colour & 1];
            std::array::from_fn(|kind| f32::from(bag[kind]) * self.per_initial[kind])
        };
        // Each time the eighth is no kind, and is overwritten by what stands behind.
        scalars[..8].copy_from_slice(&unseen(own));
        scalars[7..15].copy_from_slice(&unseen(own ^ 1));
        let squares = self.board.squares as f32;
        let per_side = 2.0 / squares;
        scalars[14] = f32::from(position.alive[own]) * per_side;
        scalars[15] = f32::from(position.alive[own ^ 1]) * per_side;
        scalars[16] = position.face_down() as f32 / squares;
        scalars[17] = f32::from(u8::from(position.colour.is_some()));
        if self.rules.quiet_limit > 0 {
            scalars[18] = f32::from(position.quiet) / f32::from(self.rules.quiet_limit);
        }
        scalars[19] = f32::from(position.history.repeats) * 0.5;
        if self.rules.chase_limit > 0 {
            scalars[20] = f32::from(position.chases.most()) / f32::from(self.rules.chase_limit);
        }
        if self.rules.family == Family::TombChess {
            let [ours, theirs] = [own, own ^ 1].map(|colour| f32::from(self.points_left(position, colour)));
            scalars[20] = (ours - theirs) / f32::from(self.points_of_a_side());
        }
        scalars[21] = position.plies.min(512) as f32 / 512.0;
    }

    /// The cell code shown by each of the planes 0-15, for an own colour of red and of black.
    pub(super) fn codes_of_planes() -> [[u8; 2 * SIDE]; 2] {
        let kinds = |colour| Kind::ALL.map(|kind| Piece::new(colour, kind).0);
        Colour::ALL.map(|own| {
            let mut codes = [FACE_DOWN; 2 * SIDE];
            codes[..KINDS].copy_from_slice(&kinds(own));
            codes[KINDS..2 * KINDS].copy_from_slice(&kinds(own.other()));
            codes[15] = EMPTY;
            codes
        })
    }

    /// The scalars that depend on the rules alone.
    pub(super) fn scalars_of_rules(rules: &super::Rules) -> [f32; NUM_SCALARS] {
        let mut scalars = [0.0; NUM_SCALARS];
        scalars[22] = f32::from(rules.quiet_limit.min(256)) / 256.0;
        scalars[23] = f32::from(u8::from(rules.repetition == Repetition::Cycle3));
        scalars[24] = f32::from(u8::from(rules.repetition == Repetition::Threefold));
        scalars[25] = f32::from(rules.chase_limit.min(16)) / 16.0;
        scalars[26] = match rules.chain {
            Chain::None => 0.0,
            Chain::Open => 0.5,
            Chain::Dark => 1.0,
        };
        scalars[27] = f32::from(u8::from(rules.dark_fail == DarkFail::Suicide));
        scalars[28] = f32::from(u8::from(rules.chariot_rush));
        scalars[29] = f32::from(u8::from(rules.ranking == Ranking::HongKong));
        scalars[30] = f32::from(rules.hit_points) / 100.0;
        scalars[31] = f32::from(u8::from(rules.quiet_revealed));
        scalars
    }

    /// One over the initial number of each kind, 0 for what is not in play.
    pub(super) fn per_initial(rules: &super::Rules) -> [f32; SIDE] {
        let one_over = |count: u8| if count == 0 { 0.0 } else { 1.0 / f32::from(count) };
        std::array::from_fn(|kind| rules.pieces.get(kind).map_or(0.0, |&count| one_over(count)))
    }
}

/// Writes a plane a code: 1 where a cell has it.
#[inline]
fn write_cells<const SQUARES: usize>(codes: &[u8; 2 * SIDE], cells: &[u8], planes: &mut [u8]) {
    let Some(&cells) = cells.first_chunk::<SQUARES>() else { return };
    for (&code, plane) in codes.iter().zip(planes.as_chunks_mut::<SQUARES>().0) {
        *plane = std::array::from_fn(|square| u8::from(cells[square] == code));
    }
}

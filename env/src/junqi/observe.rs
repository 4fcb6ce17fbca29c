//! Observations, encoding version 1: what a seat sees, a row of features for each station, and scalars.
//!
//! Seats and stations stand as the seat looks at the board: its own territory where that of S is, itself first, then
//! next, ally and previous in the order of turns. A byte is a share of 255: 255 is one, 0 none.

use std::ops::Range;

use super::board::{Board, STATIONS};
use super::graph::Place;
use super::piece::{COUNTS, KINDS, Kind, Kinds, PIECES};
use super::rules::{Reveal, Rules, Sight};
use super::signal::SIGNALS;
use super::symmetry::quarters;
use super::view::{View, WHOLE, has, pieces_of};
use super::{Junqi, NOWHERE, Seats, Station};
use crate::game::Seat;

/// Version of the observation and action encoding. Checkpoints of another version are refused.
pub const ENCODING: u32 = 1;

/// Features of a station, first and last of each group, and what they hold.
pub const PLANES: &[(usize, usize, &str)] = &[
    (0, 11, "own piece: flag, mine, bomb, then from 40 commander to 32 engineer"),
    (12, 15, "owner of the piece: self, next, ally, previous; in a game of two self and next"),
    (16, 27, "somebody else's piece: how likely each kind is, near to what can be told; one where the rank is known"),
    (
        28,
        31,
        "own piece, as every onlooker can tell: may be the flag, a mine, a bomb; surely an engineer (or what flies)",
    ),
    (32, 32, "the piece has moved"),
    (33, 33, "the piece is a flag that was shown"),
    (34, 34, "the piece won a combat"),
    (
        35,
        38,
        "last ply of self, next, ally, previous: one where it went to, half where it came from; in a set-up, one on \
              the own station to fill next",
    ),
    (39, 41, "camp, headquarters, rail"),
];

/// Scalars of an observation, first and last of each group, and what they hold.
pub const SCALARS: &[(usize, usize, &str)] = &[
    (0, 3, "pieces on the board over 25: self, next, ally, previous"),
    (4, 7, "1 once the seat is out"),
    (8, 11, "1 once the seat's commander is known to be gone"),
    (12, 15, "turns that the seat let pass by the clock over 5, at most 1"),
    (16, 27, "own pieces left of each kind over their number at first"),
    (28, 39, "the next seat's pieces of each kind not known to be gone, over their number at first"),
    (40, 51, "the same of the previous seat; in a game of two zero"),
    (52, 52, "quiet plies over the quiet limit (0 without a limit)"),
    (53, 53, "plies played over 1000, at most 1"),
    (54, 54, "pieces that the seat has set up over 25"),
    (55, 55, "rule: allies see each other's ranks"),
    (56, 56, "rule: everybody sees all ranks"),
    (57, 57, "rule: a mine is gone with what ran into it"),
    (58, 58, "rule: bombs on the front row"),
    (59, 59, "rule: pieces leave headquarters"),
    (60, 60, "rule: bombs fly"),
    (61, 61, "rule: one turn on rails"),
    (62, 62, "rule: a commander removes mines"),
    (63, 63, "rule: ranks shown in combat, 1/2 to those who fight, 1 to all"),
    (64, 85, "only with signals: 1 for the ally's signal that stands, in the order of the alphabet"),
];

/// Features that say what somebody else's piece may be, by kind.
pub(super) const KINDS_OF_OTHERS: Range<usize> = 16..16 + KINDS;

/// Features of a station.
pub const FEATURES: usize = 42;
/// Number of scalars where there are no signals.
const PLAIN_SCALARS: usize = 64;

/// Number of scalars under these rules.
pub fn num_scalars(rules: &Rules) -> usize {
    PLAIN_SCALARS + if rules.signals { SIGNALS.len() } else { 0 }
}

/// What stands for one in the rows.
pub const ONE: u8 = 255;
const HALF: u8 = 128;

/// What is the same in every observation.
pub(super) struct Pictures {
    /// By seat, the row of each station.
    rows: Seats<[Station; STATIONS]>,
    /// The features that never change.
    blank: Vec<u8>,
    rule_scalars: [f32; PLAIN_SCALARS],
    /// Pieces of a seat that may be the flag, a mine, a bomb when a game begins.
    may_start_as: [u32; 3],
}

impl Pictures {
    pub(super) fn new(rules: &Rules, board: &Board) -> Pictures {
        let mut rows = [[0; STATIONS]; 4];
        for (seat, rows) in rows.iter_mut().enumerate().take(rules.variant.seats()) {
            let turned = board.graph.turned(quarters(rules, seat as Seat), false).unwrap_or_default();
            rows.iter_mut().zip(turned).for_each(|(row, station)| *row = station);
        }
        let mut blank = vec![0; board.graph.len() * FEATURES];
        for (station, spot) in board.graph.spots.iter().enumerate() {
            let row = &mut blank[station * FEATURES..][..FEATURES];
            row[39] = if spot.place == Place::Camp { ONE } else { 0 };
            row[40] = if spot.place == Place::Headquarters { ONE } else { 0 };
            row[41] = if board.rail_of[station] != NOWHERE { ONE } else { 0 };
        }
        let mut rule_scalars = [0.0; PLAIN_SCALARS];
        let switches = [
            rules.sight == Sight::DoubleOpen,
            rules.sight == Sight::Open,
            rules.mine_dies,
            rules.bomb_front_row,
            rules.hq_moves,
            rules.bombs_fly,
            rules.one_turn,
            rules.commander_survives,
        ];
        switches.iter().zip(&mut rule_scalars[55..]).for_each(|(&on, out)| *out = f32::from(u8::from(on)));
        rule_scalars[63] = match rules.reveal {
            Reveal::None => 0.0,
            Reveal::Combatants => 0.5,
            Reveal::Both => 1.0,
        };
        let allowed = super::assignment::Beliefs::masks_at_start(rules);
        let may_start_as = [Kind::Flag, Kind::Mine, Kind::Bomb].map(|kind| {
            allowed.iter().enumerate().fold(0, |set, (slot, kinds)| set | u32::from(kinds & kind.bit() != 0) << slot)
        });
        Pictures { rows, blank, rule_scalars, may_start_as }
    }
}

impl Junqi {
    /// A seat's place seen from another: 0 itself, then next, ally and previous.
    #[inline]
    pub fn relative(&self, seat: Seat, from: Seat) -> usize {
        let seats = self.seats();
        let steps = if self.rules.clockwise { seats + from - seat } else { seats + seat - from };
        usize::from(steps % seats)
    }

    /// Where a seat's observations have a station.
    #[inline]
    pub fn row(&self, seat: Seat, station: Station) -> usize {
        usize::from(self.pictures.rows[usize::from(seat)][usize::from(station)])
    }

    /// Writes what the view's seat knows, as `seat` looks at the board.
    pub(super) fn write_observation(&self, view: &View, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        let mut pruned = None;
        let view = if view.dirty == 0 { view } else { pruned.insert(self.settled(view)) };
        let seen = seat.min(self.seats() - 1);
        if !planes.is_empty() {
            self.write_rows(view, seen, planes);
        }
        if !scalars.is_empty() {
            self.write_scalars(view, seen, scalars);
        }
    }

    #[inline]
    fn write_rows(&self, view: &View, seat: Seat, planes: &mut [u8]) {
        let public = &view.public;
        let rows = &self.pictures.rows[usize::from(seat)];
        planes.copy_from_slice(&self.pictures.blank);
        for other in 0..self.seats() {
            let relative = self.relative(other, seat);
            let mut shares = Shares::of(Left::of(view, other));
            let public_of = self.seen_by_all(view, other);
            let index = usize::from(other);
            let of_piece = [public.moved[index], public.shown[index], public.survived[index]];
            for piece in pieces_of(other, public.alive[index]) {
                let slot = piece & 31;
                let station = public.pos[usize::from(piece)];
                let row: &mut [u8; FEATURES] = row_of(planes, rows[usize::from(station)]);
                let kinds = view.masks[usize::from(piece)];
                if other == seat && has(&view.told, piece) {
                    row[kinds.trailing_zeros() as usize] = ONE;
                    row[28..32].copy_from_slice(&public_of.map(|set| ONE * (set >> slot & 1) as u8));
                } else {
                    row[KINDS_OF_OTHERS].copy_from_slice(&shares.get(kinds)[..KINDS]);
                }
                row[12 + relative] = ONE;
                row[32..35].copy_from_slice(&of_piece.map(|set| ONE * (set >> slot & 1) as u8));
            }
            let [from, to] = public.last[usize::from(other)];
            if from != NOWHERE {
                row_of(planes, rows[usize::from(from)])[35 + relative] = HALF;
                row_of(planes, rows[usize::from(to)])[35 + relative] = ONE;
            }
        }
        if public.to_move == seat
            && let Some(station) = self.places_at(public)
        {
            row_of(planes, rows[usize::from(station)])[35] = ONE;
        }
    }

    /// What every onlooker can tell of a seat's pieces from their own doings: which may be the flag, a mine, a bomb, and
    /// which surely fly.
    #[inline]
    fn seen_by_all(&self, view: &View, seat: Seat) -> [u32; 4] {
        let (public, index) = (&view.public, usize::from(seat));
        let (moved, turned) = (public.moved[index], public.turned[index]);
        let (shown, survived) = (public.shown[index], public.survived[index]);
        let [flags, mines, bombs] = self.pictures.may_start_as;
        let flag = if shown == 0 { flags & !moved & !survived } else { shown };
        let bomb = bombs & !survived & !shown & if self.rules.bombs_fly { u32::MAX } else { !turned };
        [flag, mines & !moved & !shown, bomb, turned]
    }

    #[inline]
    fn write_scalars(&self, view: &View, seat: Seat, scalars: &mut [f32]) {
        let public = &view.public;
        let (scalars, signals) = scalars.split_at_mut(PLAIN_SCALARS);
        scalars.copy_from_slice(&self.pictures.rule_scalars);
        signals.fill(0.0);
        if let Some(signal) = self.ally(seat).and_then(|ally| view.signal(ally)) {
            signals[signal.index()] = 1.0;
        }
        for other in 0..self.seats() {
            let (index, relative) = (usize::from(other), self.relative(other, seat));
            scalars[relative] = public.alive[index].count_ones() as f32 / PIECES as f32;
            scalars[4 + relative] = f32::from(u8::from(public.out[index].is_some()));
            scalars[8 + relative] = f32::from(u8::from(public.commander[index] != NOWHERE));
            scalars[12 + relative] = (f32::from(public.time_outs[index]) / 5.0).min(1.0);
            let group = match (relative, self.seats()) {
                (0, _) => 16,
                (1, _) => 28,
                (3, _) => 40,
                _ => continue,
            };
            for (kind, left) in Left::of(view, other).0.iter().enumerate().take(KINDS) {
                scalars[group + kind] = f32::from(*left) / f32::from(COUNTS[kind]);
            }
        }
        if self.rules.quiet_limit > 0 {
            scalars[52] = f32::from(public.quiet) / f32::from(self.rules.quiet_limit);
        }
        scalars[53] = (public.plies as f32 / 1000.0).min(1.0);
        scalars[54] = f32::from(public.placed[usize::from(seat)]) / PIECES as f32;
    }
}

#[inline]
fn row_of(planes: &mut [u8], row: Station) -> &mut [u8; FEATURES] {
    let start = usize::from(row) * FEATURES;
    (&mut planes[start..start + FEATURES]).try_into().expect("a row has all features")
}

/// Shares that were asked for before: most pieces of a seat may be the same kinds.
struct Shares {
    left: Left,
    known: [(Kinds, [u8; 16]); 8],
}

impl Shares {
    #[inline]
    fn of(left: Left) -> Shares {
        // No piece is of no kind, so an empty place is never asked for.
        Shares { left, known: [(0, [0; 16]); 8] }
    }

    #[inline]
    fn get(&mut self, kinds: Kinds) -> &[u8; 16] {
        let known = &mut self.known[usize::from((kinds ^ kinds >> 4 ^ kinds >> 8) & 7)];
        if known.0 != kinds {
            *known = (kinds, self.left.shares(kinds));
        }
        &known.1
    }
}

/// How many of each kind a seat has that are not known to be gone.
struct Left([u8; 16]);

impl Left {
    #[inline]
    fn of(view: &View, seat: Seat) -> Left {
        let mut left = [0; 16];
        left[..KINDS].copy_from_slice(&COUNTS);
        let gone = WHOLE & !view.public.alive[usize::from(seat)];
        if view.public.placed[usize::from(seat)] == PIECES as u8 {
            for piece in pieces_of(seat, gone) {
                let kinds = view.masks[usize::from(piece)];
                if kinds & (kinds - 1) == 0 {
                    left[kinds.trailing_zeros() as usize] -= 1;
                }
            }
        }
        Left(left)
    }

    /// How likely each kind is for a piece that can be these: as many as are left of it.
    #[inline]
    fn shares(&self, kinds: Kinds) -> [u8; 16] {
        let mut weights = [0u16; 16];
        for (kind, weight) in weights.iter_mut().enumerate() {
            *weight = u16::from(self.0[kind]) & 0u16.wrapping_sub(kinds >> kind & 1);
        }
        let total: u16 = weights.iter().sum();
        // In 256ths of a byte: at most 255 * 256 altogether.
        let scale = u16::from(ONE) * 256 / total.max(1);
        weights.map(|weight| ((weight * scale + 128) >> 8) as u8)
    }
}

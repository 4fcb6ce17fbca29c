//! Which actions are legal, as sets of squares.

use super::DarkChess;
use super::board::{Board, DIRECTIONS, Move, squares_of};
use super::piece::{KINDS, Kind};
use super::position::Position;
use crate::game::{Action, Actions};
use crate::rng::Rng;

/// The legal actions of one position as sets.
struct Legal {
    /// Squares whose piece may be turned up.
    flips: u64,
    /// For each direction, where a step may arrive.
    arrivals: [u64; DIRECTIONS],
    /// Cannons that can capture, each with its targets.
    jumps: [(usize, u64); MAX_CANNONS],
    cannons: usize,
}

/// Cannons of one side that any piece set may have.
const MAX_CANNONS: usize = 18;

/// Sets of squares an own kind may capture by a step, for the Taiwanese ranks (games.md 1.1): equal or lower
/// rank K>G>M>R>N>C>P; a general cannot take a soldier; a soldier takes only soldiers and the general; a
/// cannon takes nothing by a step.
#[inline]
fn captures_by_step(theirs: &[u64; KINDS]) -> [u64; KINDS] {
    let [king, guard, minister, rook, knight, cannon, pawn] = *theirs;
    let by_knight = knight | cannon | pawn;
    let by_rook = rook | by_knight;
    let by_minister = minister | by_rook;
    let by_guard = guard | by_minister;
    let by_king = (king | by_guard) & !pawn;
    [by_king, by_guard, by_minister, by_rook, by_knight, 0, pawn | king]
}

/// The face-up enemies a cannon on `from` captures: the second piece on each ray, the first being its screen.
#[inline]
fn jump_targets(board: &Board, position: &Position, from: usize, theirs: u64) -> u64 {
    let occupied = !position.empty;
    let mut targets = 0;
    for direction in 0..DIRECTIONS {
        let on_ray = board.rays[direction][from] & occupied;
        let screen = Board::nearest(direction, on_ray);
        targets |= Board::nearest(direction, on_ray & !screen);
    }
    targets & theirs
}

impl DarkChess {
    #[inline]
    fn legal_sets(&self, position: &Position) -> Legal {
        let mut legal =
            Legal { flips: position.face_down, arrivals: [0; DIRECTIONS], jumps: [(0, 0); MAX_CANNONS], cannons: 0 };
        // Before the colours are bound the only legal actions are flips.
        let Some(mover) = position.mover() else { return legal };
        let (ours, theirs) = (&position.pieces[mover], &position.pieces[mover ^ 1]);
        let captures = captures_by_step(theirs);
        for kind in 0..KINDS {
            let from = ours[kind];
            if from == 0 {
                continue;
            }
            let targets = position.empty | captures[kind];
            for direction in 0..DIRECTIONS {
                legal.arrivals[direction] |= self.board.shift(direction, from) & targets;
            }
        }
        for from in squares_of(ours[Kind::Cannon as usize]) {
            let targets = jump_targets(&self.board, position, from, position.colours[mover ^ 1]);
            if targets != 0 {
                legal.jumps[legal.cannons] = (from, targets);
                legal.cannons += 1;
            }
        }
        legal
    }

    /// Calls `each` with every legal action: flips, steps by direction, jumps.
    #[inline]
    fn each_legal(&self, position: &Position, mut each: impl FnMut(Action)) {
        if !position.status.is_ongoing() {
            return;
        }
        let legal = self.legal_sets(position);
        squares_of(legal.flips).for_each(|square| each(square as Action));
        for (direction, &arrivals) in legal.arrivals.iter().enumerate() {
            squares_of(arrivals).for_each(|to| each(self.board.steps[self.board.origin(direction, to)][direction]));
        }
        for &(from, targets) in &legal.jumps[..legal.cannons] {
            squares_of(targets).for_each(|to| each(self.board.lines[from][to]));
        }
    }

    pub(super) fn write_legal(&self, position: &Position, out: &mut Actions) {
        // Ascending order by way of a bit set: actions number at most 397.
        let mut set = [0u64; 7];
        self.each_legal(position, |action| set[usize::from(action >> 6)] |= 1 << (action & 63));
        for (word, &bits) in set.iter().enumerate() {
            squares_of(bits).for_each(|bit| out.push((word * 64 + bit) as Action));
        }
    }

    #[inline]
    pub(super) fn write_mask(&self, position: &Position, out: &mut [i8]) {
        out.fill(0);
        self.each_legal(position, |action| out[usize::from(action)] = 1);
    }

    #[inline]
    pub(super) fn legal_action(&self, position: &Position, action: Action) -> bool {
        if !position.status.is_ongoing() {
            return false;
        }
        let bit = |square: u8| 1u64 << square;
        match self.board.moves.get(usize::from(action)) {
            None | Some(Move::Stop) => false,
            Some(&Move::Flip(square)) => position.face_down & bit(square) != 0,
            Some(&Move::Step(from, to)) => {
                let Some(mover) = position.mover() else { return false };
                let origin = usize::from(from);
                if position.colours[mover] & bit(from) == 0 {
                    return false;
                }
                let kind = usize::from(position.cells[origin]) % KINDS;
                let far = usize::from(action) >= self.first_far_action;
                let by_step = captures_by_step(&position.pieces[mover ^ 1])[kind] | position.empty;
                let jumps = kind == Kind::Cannon as usize && position.colours[mover ^ 1] & bit(to) != 0;
                !far && by_step & bit(to) != 0
                    || jumps && jump_targets(&self.board, position, origin, position.colours[mover ^ 1]) & bit(to) != 0
            }
        }
    }

    /// Whether the seat to move can do anything at all.
    #[inline]
    pub(super) fn can_move(&self, position: &Position) -> bool {
        if position.face_down != 0 {
            return true;
        }
        let Some(mover) = position.mover() else { return false };
        let ours = position.colours[mover];
        // Nearly always some own piece has room; only then are captures looked for.
        let room = (0..DIRECTIONS).fold(0, |room, direction| room | self.board.shift(direction, ours) & position.empty);
        if room != 0 {
            return true;
        }
        let legal = self.legal_sets(position);
        legal.cannons > 0 || legal.arrivals.iter().any(|&arrivals| arrivals != 0)
    }

    #[inline]
    pub(super) fn sample_action(&self, position: &Position, rng: &mut Rng) -> Action {
        let legal = self.legal_sets(position);
        let counts = legal.arrivals.map(u64::count_ones);
        let jumps: u32 = legal.jumps[..legal.cannons].iter().map(|(_, targets)| targets.count_ones()).sum();
        let flips = legal.flips.count_ones();
        let mut n = rng.below(flips + counts.iter().sum::<u32>() + jumps);
        if n < flips {
            return nth(legal.flips, n) as Action;
        }
        n -= flips;
        for direction in 0..DIRECTIONS {
            if n < counts[direction] {
                let to = nth(legal.arrivals[direction], n);
                return self.board.steps[self.board.origin(direction, to)][direction];
            }
            n -= counts[direction];
        }
        for &(from, targets) in &legal.jumps[..legal.cannons] {
            if n < targets.count_ones() {
                return self.board.lines[from][nth(targets, n)];
            }
            n -= targets.count_ones();
        }
        unreachable!("sampled from a position without legal actions")
    }
}

/// The n-th square of a set, from 0.
#[inline]
fn nth(mut set: u64, n: u32) -> usize {
    for _ in 0..n {
        set &= set - 1;
    }
    set.trailing_zeros() as usize
}

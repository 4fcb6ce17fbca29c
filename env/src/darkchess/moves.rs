//! Which actions are legal, as sets of squares.

use super::DarkChess;
use super::board::{DIRECTIONS, Move, NONE, Square, squares_of};
use super::piece::{KINDS, Kind, Piece};
use super::position::{EMPTY, FACE_DOWN, Legal, Position, SIDE};
use super::rules::Ranking;
use crate::game::{Action, Actions};
use crate::rng::Rng;

/// A set of squares for each kind. The last set belongs to no kind: what is done with it must not matter.
type ByKind = [u64; SIDE];

/// Sets of squares an own kind may capture by a step (games.md 1.1 and 1.3): equal or lower rank, but a general
/// cannot take a soldier, and a soldier takes only soldiers and the general. A Taiwanese cannon takes nothing by
/// a step.
#[inline]
fn captures_by_step(ranking: Ranking, theirs: &ByKind) -> ByKind {
    let [king, guard, minister, rook, knight, cannon, pawn, _] = *theirs;
    let by_pawn = pawn | king;
    let by_none = 0;
    match ranking {
        Ranking::Taiwan => {
            let by_knight = knight | cannon | pawn;
            let by_rook = rook | by_knight;
            let by_minister = minister | by_rook;
            let by_guard = guard | by_minister;
            let by_king = (king | by_guard) & !pawn;
            let by_cannon = 0;
            [by_king, by_guard, by_minister, by_rook, by_knight, by_cannon, by_pawn, by_none]
        }
        Ranking::HongKong => {
            let by_minister = minister | pawn;
            let by_guard = guard | by_minister;
            let by_cannon = cannon | by_guard;
            let by_knight = knight | by_cannon;
            let by_rook = rook | by_knight;
            let by_king = (king | by_rook) & !pawn;
            [by_king, by_guard, by_minister, by_rook, by_knight, by_cannon, by_pawn, by_none]
        }
    }
}

/// All squares of some sets.
#[inline]
fn union(sets: &[u64]) -> u64 {
    sets.iter().fold(0, |all, set| all | set)
}

/// Where pieces arrive that all go the same way, each kind on its own targets.
#[inline]
fn arrivals(from: &ByKind, targets: &ByKind, shift: impl Fn(u64) -> u64) -> u64 {
    from.iter().zip(targets).fold(0, |all, (&from, &targets)| all | shift(from) & targets)
}

impl DarkChess {
    /// The steps and jumps of the seat to move.
    #[inline]
    pub(super) fn steps_and_jumps<const PLAIN: bool>(&self, position: &Position) -> Legal {
        let mover = position.mover();
        let (ours, theirs) = (position.side(mover), position.side(mover ^ 1));
        let empty = position.all_of(EMPTY);
        let mut targets = captures_by_step(if PLAIN { Ranking::Taiwan } else { self.rules.ranking }, theirs);
        targets[..KINDS].iter_mut().for_each(|set| *set |= empty);

        // The shifts wrap round the edges of the board; `board.arrivals` takes that away.
        let cols = self.board.cols;
        let steps = [
            arrivals(ours, &targets, |from| from >> cols),
            arrivals(ours, &targets, |from| from >> 1),
            arrivals(ours, &targets, |from| from << 1),
            arrivals(ours, &targets, |from| from << cols),
        ];
        let mut legal = Legal {
            steps: std::array::from_fn(|direction| steps[direction] & self.board.arrivals[direction]),
            ..Legal::default()
        };
        if PLAIN || self.rules.ranking == Ranking::Taiwan {
            let all_theirs = union(&theirs[..KINDS]);
            for from in squares_of(ours[Kind::Cannon as usize]) {
                for direction in 0..DIRECTIONS {
                    legal.jumps[direction] |= self.board.over_screen(direction, from, !empty) & all_theirs;
                }
            }
        }
        if !PLAIN {
            self.vary(position, &mut legal);
        }
        legal
    }

    /// What an own piece may capture of `targets`, a set for each kind it might be, from its square.
    pub(super) fn captures_from(&self, position: &Position, from: Square, side: usize, dark: bool) -> Legal {
        let occupied = !position.all_of(EMPTY);
        let theirs = position.side(side ^ 1);
        let kind = Piece(position.cells[usize::from(from)]).kind();
        let hidden = if dark { position.all_of(FACE_DOWN) } else { 0 };
        let any = || union(&theirs[..KINDS]) | hidden;
        let mut legal = Legal::default();
        let square = usize::from(from);
        if kind == Kind::Cannon && self.rules.ranking == Ranking::Taiwan {
            let any = any();
            legal.jumps = std::array::from_fn(|direction| self.board.over_screen(direction, square, occupied) & any);
            return legal;
        }
        let by_step = captures_by_step(self.rules.ranking, theirs)[kind as usize] | hidden;
        let adjacent = self.board.steps_from(1 << from);
        legal.steps = adjacent.map(|to| to & by_step);
        if kind == Kind::Rook && self.rules.chariot_rush {
            let any = any();
            legal.rushes = std::array::from_fn(|direction| {
                self.board.in_sight(direction, square, occupied) & !adjacent[direction] & any
            });
        }
        legal
    }

    /// The action of a cannon's jump in a direction that captures on a square.
    #[inline]
    fn jump(&self, position: &Position, direction: usize, to: usize) -> Action {
        let back = DIRECTIONS - 1 - direction;
        let cannon = self.board.over_screen(back, to, !position.all_of(EMPTY));
        self.board.lines[cannon.trailing_zeros() as usize][to]
    }

    /// The action of a chariot's rush in a direction that captures on a square.
    #[inline]
    fn rush(&self, position: &Position, direction: usize, to: usize) -> Action {
        let chariot = self.board.in_sight(DIRECTIONS - 1 - direction, to, !position.all_of(EMPTY));
        self.board.lines[chariot.trailing_zeros() as usize][to]
    }

    /// Calls `each` with every legal action: flips, steps by direction, jumps.
    #[inline]
    fn each_legal(&self, position: &Position, mut each: impl FnMut(Action)) {
        if !position.status.is_ongoing() {
            return;
        }
        squares_of(position.flips()).for_each(|square| each(square as Action));
        self.each_step(position, u64::MAX, &mut each);
        self.stop(position).into_iter().for_each(each);
    }

    /// Calls `each` with every step, jump and rush at one of these squares.
    #[inline]
    pub(super) fn each_step(&self, position: &Position, targets: u64, mut each: impl FnMut(Action)) {
        for (direction, &steps) in position.legal.steps.iter().enumerate() {
            squares_of(steps & targets).for_each(|to| each(self.board.simple[1 + direction][to]));
        }
        for (direction, &jumps) in position.legal.jumps.iter().enumerate() {
            squares_of(jumps & targets).for_each(|to| each(self.jump(position, direction, to)));
        }
        for (direction, &rushes) in position.legal.rushes.iter().enumerate() {
            squares_of(rushes & targets).for_each(|to| each(self.rush(position, direction, to)));
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
    pub(super) fn write_mask<const PLAIN: bool>(&self, position: &Position, out: &mut [i8]) {
        out.fill(0);
        if !position.status.is_ongoing() {
            return;
        }
        // The end of a loop over a set cannot be foreseen and costs the processor a wrong guess, so one loop goes
        // through all four: it takes a square from each, and NOWHERE from those that are empty already.
        let Legal { mut steps, jumps, rushes } = position.legal;
        while union(&steps) != 0 {
            for (set, actions) in steps.iter_mut().zip(&self.board.simple[1..]) {
                out[usize::from(actions[set.trailing_zeros() as usize])] = i8::from(*set != 0);
                *set &= set.wrapping_sub(1);
            }
        }
        if union(&jumps) != 0 {
            for (direction, &jumps) in jumps.iter().enumerate() {
                squares_of(jumps).for_each(|to| out[usize::from(self.jump(position, direction, to))] = 1);
            }
        }
        // After the steps, for an empty set's NOWHERE stands for the first flip.
        let flips = PLAIN || position.chain == NONE;
        let cells = &position.cells[..self.board.squares];
        out.iter_mut().zip(cells).for_each(|(out, &cell)| *out = i8::from(flips & (cell == FACE_DOWN)));
        if !PLAIN {
            if union(&rushes) != 0 {
                for (direction, &rushes) in rushes.iter().enumerate() {
                    squares_of(rushes).for_each(|to| out[usize::from(self.rush(position, direction, to))] = 1);
                }
            }
            if let Some(stop) = self.stop(position) {
                out[usize::from(stop)] = 1;
            }
        }
    }

    #[inline]
    pub(super) fn legal_action<const PLAIN: bool>(&self, position: &Position, action: Action) -> bool {
        if !position.status.is_ongoing() {
            return false;
        }
        let on = |set: u64, square: u8| set & (1 << square) != 0;
        match self.board.moves.get(usize::from(action)) {
            None => false,
            Some(Move::Stop) => !PLAIN && position.chain != NONE,
            Some(&Move::Flip(square)) if PLAIN => on(position.all_of(FACE_DOWN), square),
            Some(&Move::Flip(square)) => on(position.flips(), square),
            Some(&Move::Step(_, to)) => {
                let direction = usize::from(self.board.directions[usize::from(action)]);
                if action < self.board.first_far {
                    on(position.legal.steps[direction], to)
                } else {
                    let Legal { jumps, rushes, .. } = &position.legal;
                    on(jumps[direction], to) && self.jump(position, direction, usize::from(to)) == action
                        || !PLAIN
                            && on(rushes[direction], to)
                            && self.rush(position, direction, usize::from(to)) == action
                }
            }
        }
    }

    #[inline]
    pub(super) fn sample_action<const PLAIN: bool>(&self, position: &Position, rng: &mut Rng) -> Action {
        let Legal { steps: steps @ [up, left, right, down], jumps, ref rushes } = position.legal;
        let sets = [position.all_of(FACE_DOWN), up, left, right, down];
        let flips = if PLAIN || position.chain == NONE { position.face_down() } else { 0 };
        let [up, left, right, down] = steps.map(u64::count_ones);
        // How many actions there are before each set, and in all of them.
        let mut before = [0, flips, up, left, right, down];
        (1..before.len()).for_each(|i| before[i] += before[i - 1]);
        let [_, inner @ .., simple] = before;
        let jumping = if union(&jumps) == 0 { 0 } else { jumps.iter().map(|set| set.count_ones()).sum() };
        let (mut rushing, mut stop) = (0, None);
        if !PLAIN {
            rushing = if union(rushes) == 0 { 0 } else { rushes.iter().map(|set| set.count_ones()).sum() };
            stop = self.stop(position);
        }
        let mut n = rng.below(simple + jumping + rushing + u32::from(stop.is_some()));
        if n < simple {
            // Counted, not searched, for the same reason as in the mask.
            let set = inner.iter().map(|&before| usize::from(n >= before)).sum::<usize>();
            return self.board.simple[set][nth(sets[set], n - before[set])];
        }
        n -= simple;
        for (direction, &set) in jumps.iter().enumerate() {
            if n < set.count_ones() {
                return self.jump(position, direction, nth(set, n));
            }
            n -= set.count_ones();
        }
        if !PLAIN {
            for (direction, &set) in rushes.iter().enumerate() {
                if n < set.count_ones() {
                    return self.rush(position, direction, nth(set, n));
                }
                n -= set.count_ones();
            }
            if let Some(stop) = stop {
                return stop;
            }
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

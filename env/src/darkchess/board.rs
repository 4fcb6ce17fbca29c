//! Squares, directions and the numbering of actions: tables built once for each board size.

use super::rules::{Family, MAX_SQUARES, Rules};
use crate::game::{Action, Wiring};

/// A square's number, row by row from a1.
pub type Square = u8;

/// No square or no action.
pub(super) const NONE: u8 = u8::MAX;

/// The "first square" of an empty set, as [`u64::trailing_zeros`] counts it.
pub(super) const NOWHERE: usize = 64;

/// The four directions, in the order in which a square's neighbours have ascending numbers.
pub(super) const DIRECTIONS: usize = 4;

/// What an action does on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Turns a face-down piece up.
    Flip(Square),
    /// Goes from a square to a neighbour or along a line, to move or to capture.
    Step(Square, Square),
    /// Ends a chain of captures.
    Stop,
}

/// A board's tables.
pub(super) struct Board {
    pub(super) rows: usize,
    pub(super) cols: usize,
    pub(super) squares: usize,
    /// For each direction, the squares a step in it can arrive at.
    pub(super) arrivals: [u64; DIRECTIONS],
    /// For each direction and square, the squares beyond it.
    pub(super) rays: [[u64; MAX_SQUARES]; DIRECTIONS],
    /// The actions that a square names: its flip, then for each direction the single step that arrives there.
    /// [`NOWHERE`] names the first flip.
    pub(super) simple: [[Action; NOWHERE + 1]; 1 + DIRECTIONS],
    /// Action from a square to another of its row or column.
    pub(super) lines: Vec<[Action; MAX_SQUARES]>,
    /// What each action does; its length is the number of actions.
    pub(super) moves: Vec<Move>,
    /// The direction of each action; 0 where it has none.
    pub(super) directions: Vec<u8>,
    /// Actions from here on go along a line further than one step.
    pub(super) first_far: Action,
}

impl Board {
    /// Numbers the actions of encoding version 1: flips by square, then single steps by (from, to), then
    /// longer lines by (from, to), then `stop`.
    pub(super) fn new(rules: &Rules) -> Board {
        let (rows, cols) = (usize::from(rules.rows), usize::from(rules.cols));
        let squares = rows * cols;
        let at = |row: isize, col: isize| {
            let inside = (0..rows as isize).contains(&row) && (0..cols as isize).contains(&col);
            inside.then(|| row as usize * cols + col as usize)
        };
        let mut board = Board {
            rows,
            cols,
            squares,
            arrivals: [0; DIRECTIONS],
            rays: [[0; MAX_SQUARES]; DIRECTIONS],
            simple: [std::array::from_fn(|square| square as Action); 1 + DIRECTIONS],
            lines: vec![[Action::MAX; MAX_SQUARES]; squares],
            moves: (0..squares as Square).map(Move::Flip).collect(),
            directions: vec![0; squares],
            first_far: 0,
        };
        for (direction, (down, right)) in [(-1, 0), (0, -1), (0, 1), (1, 0)].into_iter().enumerate() {
            for from in 0..squares {
                let (row, col) = ((from / cols) as isize, (from % cols) as isize);
                for distance in 1.. {
                    let Some(to) = at(row + distance * down, col + distance * right) else { break };
                    board.rays[direction][from] |= 1 << to;
                }
                if let Some(to) = at(row + down, col + right) {
                    board.arrivals[direction] |= 1 << to;
                }
            }
        }
        let apart = |from: usize, to: usize| {
            let (rows_apart, cols_apart) = ((from / cols).abs_diff(to / cols), (from % cols).abs_diff(to % cols));
            if rows_apart == 0 || cols_apart == 0 { rows_apart + cols_apart } else { 0 }
        };
        // Tomb Chess has no line longer than a step, and no chain to stop.
        let lines = rules.family == Family::DarkChess;
        for far in [false, true] {
            board.first_far = board.moves.len() as Action;
            if far && !lines {
                break;
            }
            for from in 0..squares {
                for to in (0..squares).filter(|&to| apart(from, to) > 0 && (apart(from, to) > 1) == far) {
                    let action = board.moves.len() as Action;
                    let direction = (0..DIRECTIONS).find(|&d| board.rays[d][from] & (1 << to) != 0).unwrap_or(0);
                    board.lines[from][to] = action;
                    if !far {
                        board.simple[1 + direction][to] = action;
                    }
                    board.moves.push(Move::Step(from as Square, to as Square));
                    board.directions.push(direction as u8);
                }
            }
        }
        if lines {
            board.moves.push(Move::Stop);
            board.directions.push(0);
        }
        board.simple.iter_mut().for_each(|actions| actions[NOWHERE] = 0);
        board
    }

    /// Neighbours, and squares further along a row or a column. A flip goes from its square to itself; `stop` is no move.
    pub(super) fn wiring(&self) -> Wiring {
        let wide = |&(from, to): &(Square, Square)| (u16::from(from), u16::from(to));
        let ends = |&action: &Move| match action {
            Move::Flip(square) => Some((square, square)),
            Move::Step(from, to) => Some((from, to)),
            Move::Stop => None,
        };
        let moves: Vec<(Square, Square)> = self.moves.iter().filter_map(ends).collect();
        let along = |from: usize| {
            let on_rays = (0..DIRECTIONS).fold(0, |all, direction| all | self.rays[direction][from]);
            squares_of(on_rays).map(move |to| (from as u16, to as u16))
        };
        let all: Vec<(u16, u16)> = (0..self.squares).flat_map(along).collect();
        let step = |&(from, to): &(u16, u16)| {
            let apart = usize::from(from.abs_diff(to));
            apart == self.cols || apart == 1
        };
        let (near, along) = all.into_iter().partition(step);
        Wiring { moves: moves.iter().map(wide).collect(), near, along }
    }

    /// The first square of a set along a ray, as a set of at most one.
    #[inline]
    fn nearest(direction: usize, on_ray: u64) -> u64 {
        // The lowest bit ahead, the highest behind; without a branch, as nobody can foresee it.
        let nearest = if direction >= 2 { on_ray.wrapping_neg() } else { 1 << (63 - (on_ray | 1).leading_zeros()) };
        on_ray & nearest
    }

    /// Where steps from some squares arrive, by direction.
    #[inline]
    pub(super) fn steps_from(&self, from: u64) -> [u64; DIRECTIONS] {
        // The shifts wrap round the edges of the board, which `arrivals` takes away.
        let steps = [from >> self.cols, from >> 1, from << 1, from << self.cols];
        std::array::from_fn(|direction| steps[direction] & self.arrivals[direction])
    }

    /// The first occupied square on a ray, as a set of at most one.
    #[inline]
    pub(super) fn in_sight(&self, direction: usize, from: usize, occupied: u64) -> u64 {
        Board::nearest(direction, self.rays[direction][from] & occupied)
    }

    /// The second occupied square on a ray, as a set of at most one: what a cannon reaches over a screen, and
    /// seen from there, where the cannon stands.
    #[inline]
    pub(super) fn over_screen(&self, direction: usize, from: usize, occupied: u64) -> u64 {
        let on_ray = self.rays[direction][from] & occupied;
        let screen = Board::nearest(direction, on_ray);
        Board::nearest(direction, on_ray & !screen)
    }

    /// A square's name: row letter and column digit.
    pub(super) fn name(&self, square: Square) -> String {
        let (row, col) = (usize::from(square) / self.cols, usize::from(square) % self.cols);
        format!("{}{}", (b'a' + row as u8) as char, col + 1)
    }

    /// The square of a name.
    pub(super) fn parse(&self, name: &str) -> Option<Square> {
        let &[row, col] = name.as_bytes() else { return None };
        let (row, col) = (usize::from(row.wrapping_sub(b'a')), usize::from(col.wrapping_sub(b'1')));
        (row < self.rows && col < self.cols).then(|| (row * self.cols + col) as Square)
    }
}

/// The squares of a set in ascending order.
#[inline]
pub fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as usize;
            set &= set - 1;
            square
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_of_the_full_board() {
        let board = Board::new(&Rules::default());
        let far = |m: &&Move| matches!(m, Move::Step(a, b) if ![1, 8].contains(&a.abs_diff(*b)) || a / 8 != b / 8 && a % 8 != b % 8);
        assert_eq!(board.moves.iter().filter(|m| matches!(m, Move::Flip(_))).count(), 32);
        assert_eq!(board.moves.iter().filter(|m| matches!(m, Move::Step(..))).filter(|m| !far(m)).count(), 104);
        assert_eq!(board.moves.iter().filter(far).count(), 216);
        assert_eq!(board.moves.len(), 353);
        assert_eq!(board.moves[32], Move::Step(0, 1));
        assert_eq!(board.moves[352], Move::Stop);
    }

    #[test]
    fn names_of_squares() {
        let board = Board::new(&Rules::default());
        assert_eq!((board.name(31), board.parse("e1"), board.parse("a9")), ("d8".into(), None, None));
    }
}

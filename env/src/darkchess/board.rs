//! Squares, directions and the numbering of actions: tables built once for each board size.

use super::rules::{MAX_SQUARES, Rules};
use crate::game::Action;

/// A square's number, row by row from a1.
pub type Square = u8;

/// No square or no action.
pub(super) const NONE: u8 = u8::MAX;

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
    /// All squares.
    pub(super) all: u64,
    /// For each direction, the squares a step in it can arrive at.
    arrivals: [u64; DIRECTIONS],
    /// For each direction and square, the squares beyond it.
    pub(super) rays: [[u64; MAX_SQUARES]; DIRECTIONS],
    /// Action of a step from a square in a direction.
    pub(super) steps: [[Action; DIRECTIONS]; MAX_SQUARES],
    /// Action from a square to another of its row or column.
    pub(super) lines: Vec<[Action; MAX_SQUARES]>,
    /// What each action does; its length is the number of actions.
    pub(super) moves: Vec<Move>,
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
            all: (1 << squares) - 1,
            arrivals: [0; DIRECTIONS],
            rays: [[0; MAX_SQUARES]; DIRECTIONS],
            steps: [[Action::MAX; DIRECTIONS]; MAX_SQUARES],
            lines: vec![[Action::MAX; MAX_SQUARES]; squares],
            moves: (0..squares as Square).map(Move::Flip).collect(),
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
        for far in [false, true] {
            for from in 0..squares {
                for to in (0..squares).filter(|&to| apart(from, to) > 0 && (apart(from, to) > 1) == far) {
                    let action = board.moves.len() as Action;
                    board.lines[from][to] = action;
                    if let Some(direction) = (0..DIRECTIONS).find(|&d| !far && board.rays[d][from] & (1 << to) != 0) {
                        board.steps[from][direction] = action;
                    }
                    board.moves.push(Move::Step(from as Square, to as Square));
                }
            }
        }
        board.moves.push(Move::Stop);
        board
    }

    /// Where pieces on these squares arrive after a step in a direction.
    #[inline]
    pub(super) fn shift(&self, direction: usize, from: u64) -> u64 {
        let moved = match direction {
            0 => from >> self.cols,
            1 => from >> 1,
            2 => from << 1,
            _ => from << self.cols,
        };
        moved & self.arrivals[direction]
    }

    /// The square a step in a direction to `to` came from.
    #[inline]
    pub(super) fn origin(&self, direction: usize, to: usize) -> usize {
        match direction {
            0 => to + self.cols,
            1 => to + 1,
            2 => to - 1,
            _ => to - self.cols,
        }
    }

    /// The first square of a set along a ray, as a set of at most one.
    #[inline]
    pub(super) fn nearest(direction: usize, on_ray: u64) -> u64 {
        if direction >= 2 || on_ray == 0 { on_ray & on_ray.wrapping_neg() } else { 1 << (63 - on_ray.leading_zeros()) }
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
pub(super) fn squares_of(mut set: u64) -> impl Iterator<Item = usize> {
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
    fn steps_do_not_wrap_round_the_edge() {
        let board = Board::new(&Rules::default());
        let from = |name: &str| 1u64 << board.parse(name).unwrap();
        assert_eq!(board.shift(2, from("a8")), 0);
        assert_eq!(board.shift(1, from("b1")), 0);
        assert_eq!(board.shift(0, from("a3")), 0);
        assert_eq!(board.shift(3, from("d3")), 0);
        assert_eq!(board.shift(3, from("a3")), from("b3"));
        assert_eq!((board.name(31), board.parse("e1"), board.parse("a9")), ("d8".into(), None, None));
    }
}

//! The board: rows of cells, and the names of its squares.

use super::piece::{Colour, Face, Piece};

/// What stands on a square. A face-down piece has no identity here, so nothing can depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cell {
    Empty,
    FaceDown,
    Up(Piece),
}

/// A square: row 0 is `a`, column 0 is `1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Square {
    pub(crate) row: usize,
    pub(crate) col: usize,
}

impl Square {
    /// `c4` is row c, column 4 (1.1).
    pub(crate) fn name(self) -> String {
        let row = (b'a' + self.row as u8) as char;
        format!("{row}{}", self.col + 1)
    }

    /// The square of a name, wherever it lies; the board knows whether it is on it.
    pub(crate) fn from_name(name: &str) -> Option<Square> {
        let row = name.chars().next().filter(char::is_ascii_lowercase)?;
        let col: usize = name[1..].parse().ok()?;
        Some(Square { row: row as usize - 'a' as usize, col: col.checked_sub(1)? })
    }
}

/// The four ways to leave a square.
pub(crate) const DIRECTIONS: [(isize, isize); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

/// The cells of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Board {
    pub(crate) cells: Vec<Vec<Cell>>,
}

impl Board {
    /// Every piece face down (1.1, 2).
    pub(crate) fn face_down(rows: usize, cols: usize) -> Board {
        Board { cells: vec![vec![Cell::FaceDown; cols]; rows] }
    }

    pub(crate) fn at(&self, square: Square) -> Cell {
        self.cells[square.row][square.col]
    }

    pub(crate) fn put(&mut self, square: Square, cell: Cell) {
        self.cells[square.row][square.col] = cell;
    }

    pub(crate) fn squares(&self) -> Vec<Square> {
        let mut squares = Vec::new();
        for row in 0..self.cells.len() {
            for col in 0..self.cells[row].len() {
                squares.push(Square { row, col });
            }
        }
        squares
    }

    /// The squares from `from` to the edge in one direction, nearest first, `from` itself left out.
    pub(crate) fn line(&self, from: Square, (down, right): (isize, isize)) -> Vec<Square> {
        let mut squares = Vec::new();
        let mut row = from.row as isize + down;
        let mut col = from.col as isize + right;
        while row >= 0
            && (row as usize) < self.cells.len()
            && col >= 0
            && (col as usize) < self.cells[row as usize].len()
        {
            squares.push(Square { row: row as usize, col: col as usize });
            row += down;
            col += right;
        }
        squares
    }

    /// The squares one orthogonal step away.
    pub(crate) fn neighbours(&self, from: Square) -> Vec<Square> {
        let mut squares = Vec::new();
        for direction in DIRECTIONS {
            squares.extend(self.line(from, direction).first());
        }
        squares
    }

    pub(crate) fn face_down_squares(&self) -> Vec<Square> {
        let mut squares = self.squares();
        squares.retain(|square| self.at(*square) == Cell::FaceDown);
        squares
    }

    /// The squares of the face-up pieces of a colour.
    pub(crate) fn pieces_of(&self, colour: Colour) -> Vec<Square> {
        let mut squares = self.squares();
        squares.retain(|square| matches!(self.at(*square), Cell::Up(piece) if piece.face.colour == colour));
        squares
    }

    /// How many pieces with this face lie face up.
    pub(crate) fn count(&self, face: Face) -> usize {
        let mut count = 0;
        for square in self.squares() {
            if matches!(self.at(square), Cell::Up(piece) if piece.face == face) {
                count += 1;
            }
        }
        count
    }

    /// Whether the two boards look the same. Pieces with the same face are interchangeable here, whatever their
    /// identity: a repetition is one of what the board shows (1.2).
    pub(crate) fn looks_like(&self, other: &Board) -> bool {
        for square in self.squares() {
            let same = match (self.at(square), other.at(square)) {
                (Cell::Up(one), Cell::Up(two)) => one.face == two.face,
                (one, two) => one == two,
            };
            if !same {
                return false;
            }
        }
        true
    }
}

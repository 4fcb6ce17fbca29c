//! The public position and the hidden deal: two types, so that what gets one cannot see the other.

use super::board::{NONE, Square};
use super::history::History;
use super::piece::{Colour, KINDS, Kind, Piece};
use super::rules::{MAX_SQUARES, Rules};
use crate::game::{Seat, Status};
use crate::rng::Rng;

/// What stands on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// Nothing.
    Empty,
    /// A piece face down. Which one, nobody can tell.
    FaceDown,
    /// A piece face up.
    Up(Piece),
}

/// Codes of the cells in [`Position::cells`]: 0-13 pieces, then these.
pub(super) const FACE_DOWN: u8 = 14;
pub(super) const EMPTY: u8 = 15;

/// All that is public in a game of dark chess. It has no field for a face-down piece's identity.
///
/// Face-down squares are exchangeable, so the counts of the unseen pieces (the *bag*) are all that chance
/// depends on.
#[derive(Clone, Copy)]
pub struct Position {
    /// Squares of the face-up pieces by colour and kind.
    pub(super) pieces: [[u64; KINDS]; 2],
    /// Squares of all face-up pieces of a colour.
    pub(super) colours: [u64; 2],
    pub(super) face_down: u64,
    pub(super) empty: u64,
    pub(super) cells: [u8; MAX_SQUARES],
    /// Unseen pieces by colour and kind.
    pub(super) bag: [[u8; KINDS]; 2],
    /// Pieces not captured, by colour.
    pub(super) alive: [u8; 2],
    pub(super) to_move: Seat,
    /// The colour of seat 0 once a flip has bound it.
    pub(super) colour: Option<Colour>,
    pub(super) status: Status,
    /// Plies in a row that were neither a flip nor a capture.
    pub(super) quiet: u16,
    /// Plies played.
    pub(super) plies: u32,
    /// From and to of the last ply; equal for a flip.
    pub(super) last: (Square, Square),
    pub(super) history: History,
}

impl Position {
    /// The start: everything face down.
    pub(super) fn start(rules: &Rules) -> Position {
        let squares = rules.squares();
        let all = (1u64 << squares) - 1;
        let side = rules.pieces.iter().sum();
        let mut cells = [EMPTY; MAX_SQUARES];
        cells[..squares].fill(FACE_DOWN);
        Position {
            pieces: [[0; KINDS]; 2],
            colours: [0; 2],
            face_down: all,
            empty: 0,
            cells,
            bag: [rules.pieces; 2],
            alive: [side; 2],
            to_move: 0,
            colour: None,
            status: Status::Ongoing,
            quiet: 0,
            plies: 0,
            last: (NONE, NONE),
            history: History::new(),
        }
    }

    /// What stands on a square.
    pub fn cell(&self, square: Square) -> Cell {
        match self.cells[usize::from(square)] {
            EMPTY => Cell::Empty,
            FACE_DOWN => Cell::FaceDown,
            piece => Cell::Up(Piece(piece)),
        }
    }

    /// The seat to move; after the end, the seat that would be.
    pub fn to_move(&self) -> Seat {
        self.to_move
    }

    /// A seat's colour, once a flip has bound it.
    #[inline]
    pub fn colour_of(&self, seat: Seat) -> Option<Colour> {
        self.colour.map(|colour| if seat == 0 { colour } else { colour.other() })
    }

    /// The colour of the seat to move as an index, where colours are bound.
    #[inline]
    pub(super) fn mover(&self) -> Option<usize> {
        self.colour.map(|colour| colour as usize ^ usize::from(self.to_move))
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Unseen pieces of a kind.
    pub fn unseen(&self, piece: Piece) -> u8 {
        self.bag[piece.colour() as usize][piece.kind() as usize]
    }

    /// Pieces of a colour that are not captured, face-down ones included.
    pub fn alive(&self, colour: Colour) -> u8 {
        self.alive[colour as usize]
    }

    /// Number of pieces face down.
    pub fn face_down(&self) -> u32 {
        self.face_down.count_ones()
    }

    /// Plies in a row that were neither a flip nor a capture.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Plies played.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether the last ply came from or went to a square.
    pub fn is_last(&self, square: Square) -> bool {
        self.last.0 == square || self.last.1 == square
    }

    /// Puts a piece face up on an empty or face-down square.
    #[inline]
    pub(super) fn put(&mut self, square: usize, piece: Piece) {
        let bit = 1 << square;
        let (colour, kind) = (piece.colour() as usize, piece.kind() as usize);
        self.pieces[colour][kind] |= bit;
        self.colours[colour] |= bit;
        self.face_down &= !bit;
        self.empty &= !bit;
        self.cells[square] = piece.0;
    }

    /// Takes a face-up piece off the board.
    #[inline]
    pub(super) fn lift(&mut self, square: usize) -> Piece {
        let bit = 1 << square;
        let piece = Piece(self.cells[square]);
        let (colour, kind) = (piece.colour() as usize, piece.kind() as usize);
        self.pieces[colour][kind] &= !bit;
        self.colours[colour] &= !bit;
        self.empty |= bit;
        self.cells[square] = EMPTY;
        piece
    }
}

/// What lies under the face-down pieces. Owned by environments; agents and search never hold one.
#[derive(Clone, Copy)]
pub struct Deal {
    pieces: [Piece; MAX_SQUARES],
}

impl Deal {
    /// A uniformly random deal of a position's unseen pieces on its face-down squares.
    pub(super) fn draw(position: &Position, rng: &mut Rng) -> Deal {
        let mut bag = [Piece::new(Colour::Red, Kind::King); MAX_SQUARES];
        let mut unseen = 0;
        for piece in Piece::all() {
            let count = usize::from(position.unseen(piece));
            bag[unseen..unseen + count].fill(piece);
            unseen += count;
        }
        rng.shuffle(&mut bag[..unseen]);
        Deal::of(position, &bag)
    }

    /// These pieces on a position's face-down squares, in order.
    pub(super) fn of(position: &Position, under: &[Piece]) -> Deal {
        let mut pieces = [Piece::new(Colour::Red, Kind::King); MAX_SQUARES];
        for (square, &piece) in super::board::squares_of(position.face_down).zip(under) {
            pieces[square] = piece;
        }
        Deal { pieces }
    }

    /// The piece dealt to a square.
    #[inline]
    pub(super) fn under(&self, square: Square) -> Piece {
        self.pieces[usize::from(square)]
    }
}

//! The public position and the hidden deal: two types, so that what gets one cannot see the other.

use super::board::{DIRECTIONS, NONE, Square};
use super::chase::Chases;
use super::history::History;
use super::piece::{Colour, Kind, Piece};
use super::rules::{Family, MAX_SQUARES, Rules};
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

/// Codes of the cells: a [`Piece`]'s own code when it is face up, else one of these.
pub(super) const FACE_DOWN: u8 = 7;
pub(super) const EMPTY: u8 = 15;
/// Codes of one colour: its pieces by kind, then a code that is no piece's.
pub(super) const SIDE: usize = 8;

/// All that is public in a game of dark chess. It has no field for a face-down piece's identity.
///
/// Face-down squares are exchangeable, so the counts of the unseen pieces (the *bag*) are all that chance
/// depends on. The fields stand in the order in which a ply needs them, the long window last: a step through
/// thousands of games is bound by the cache lines it touches.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Position {
    /// What the seat to move may do but flips. Follows from the other fields.
    pub(super) legal: Legal,
    /// The squares of each cell code.
    pub(super) boards: [[u64; SIDE]; 2],
    /// The code of each square.
    pub(super) cells: [u8; MAX_SQUARES],
    /// Unseen pieces by code.
    pub(super) bag: [[u8; SIDE]; 2],
    /// Pieces not captured, by colour.
    pub(super) alive: [u8; 2],
    /// Pieces face down, as many as the bag holds.
    pub(super) face_down: u8,
    /// Plies played.
    pub(super) plies: u32,
    /// Plies in a row that were neither a flip nor a capture.
    pub(super) quiet: u16,
    pub(super) to_move: Seat,
    /// The colour of seat 0 once a flip has bound it.
    pub(super) colour: Option<Colour>,
    /// From and to of the last ply; equal for a flip.
    pub(super) last: (Square, Square),
    pub(super) status: Status,
    /// The piece whose chain of captures goes on, else [`NONE`].
    pub(super) chain: Square,
    /// Points of the captured pieces, by colour, under rules that count them.
    pub(super) lost: [u16; 2],
    pub(super) history: History,
    pub(super) chases: Chases,
}

/// Steps and jumps of one seat. A direction and the square arrived at tell where the piece came from: of a
/// step, the neighbour; of a cannon's jump, the second piece back along the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Legal {
    /// For each direction, where single steps may arrive.
    pub(super) steps: [u64; DIRECTIONS],
    /// For each direction, what cannons may capture over a screen.
    pub(super) jumps: [u64; DIRECTIONS],
    /// For each direction, what chariots may capture along a clear line. The chariot is the first piece back.
    pub(super) rushes: [u64; DIRECTIONS],
}

impl Legal {
    /// Whether there is nothing in it.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.squares() == 0
    }

    /// Every square that something may arrive at.
    #[inline]
    pub(super) fn squares(&self) -> u64 {
        let each = |direction| self.steps[direction] | self.jumps[direction] | self.rushes[direction];
        each(0) | each(1) | each(2) | each(3)
    }

    /// [`Legal::is_empty`] where nothing rushes.
    #[inline]
    pub(super) fn is_plainly_empty(&self) -> bool {
        let each = |direction| self.steps[direction] | self.jumps[direction];
        each(0) | each(1) | each(2) | each(3) == 0
    }
}

impl Position {
    /// The start: everything face down.
    pub(super) fn start(rules: &Rules) -> Position {
        let squares = rules.squares();
        let side = rules.pieces.iter().sum();
        let mut position = Position {
            legal: Legal::default(),
            boards: [[0; SIDE]; 2],
            cells: [EMPTY; MAX_SQUARES],
            bag: [[0; SIDE]; 2],
            alive: [side; 2],
            face_down: 2 * side,
            plies: 0,
            quiet: 0,
            to_move: 0,
            colour: None,
            last: (NONE, NONE),
            status: Status::Ongoing,
            chain: NONE,
            lost: [0; 2],
            history: History::new(),
            chases: Chases::none(),
        };
        if rules.family == Family::TombChess {
            position.colour = Some(rules.first);
        }
        Piece::all().for_each(|piece| *position.bag_of(piece) = rules.pieces[piece.kind() as usize]);
        *position.board(FACE_DOWN) = (1 << squares) - 1;
        position.cells[..squares].fill(FACE_DOWN);
        position
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

    /// The colour of the seat to move; red while none is bound, and then no piece is face up.
    #[inline]
    pub(super) fn mover(&self) -> usize {
        self.colour.map_or(0, |colour| colour as usize) ^ usize::from(self.to_move)
    }

    /// Whether the game goes on.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Unseen pieces of a kind.
    pub fn unseen(&self, piece: Piece) -> u8 {
        self.bag.as_flattened()[usize::from(piece.0)]
    }

    /// Pieces of a colour that are not captured, face-down ones included.
    pub fn alive(&self, colour: Colour) -> u8 {
        self.alive[colour as usize]
    }

    /// Number of pieces face down.
    #[inline]
    pub fn face_down(&self) -> u32 {
        self.face_down.into()
    }

    /// Plies in a row that were neither a flip nor a capture.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Plies played.
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// The square of the piece whose chain of captures goes on.
    pub fn chain(&self) -> Option<Square> {
        Some(self.chain).filter(|&square| square != NONE)
    }

    /// The squares whose piece may be turned up.
    #[inline]
    pub(super) fn flips(&self) -> u64 {
        if self.chain == NONE { self.all_of(FACE_DOWN) } else { 0 }
    }

    /// Whether the last ply came from or went to a square.
    pub fn is_last(&self, square: Square) -> bool {
        self.last.0 == square || self.last.1 == square
    }

    /// The squares of a cell code.
    #[inline]
    pub(super) fn all_of(&self, code: u8) -> u64 {
        self.boards.as_flattened()[usize::from(code)]
    }

    /// The squares of a colour's cell codes: its pieces by kind, then a code that is no piece's.
    #[inline]
    pub(super) fn side(&self, colour: usize) -> &[u64; SIDE] {
        &self.boards[colour & 1]
    }

    #[inline]
    pub(super) fn bag_of(&mut self, piece: Piece) -> &mut u8 {
        &mut self.bag.as_flattened_mut()[usize::from(piece.0)]
    }

    #[inline]
    fn board(&mut self, code: u8) -> &mut u64 {
        &mut self.boards.as_flattened_mut()[usize::from(code)]
    }

    /// Changes what stands on a square.
    #[inline]
    pub(super) fn set(&mut self, square: Square, code: u8) {
        let bit = 1 << square;
        *self.board(self.cells[usize::from(square)]) ^= bit;
        *self.board(code) ^= bit;
        self.cells[usize::from(square)] = code;
    }

    /// Moves a piece to an empty square.
    pub(super) fn swap(&mut self, from: Square, to: Square) {
        let (piece, empty) = (self.cells[usize::from(from)], self.cells[usize::from(to)]);
        self.set(from, empty);
        self.set(to, piece);
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
        for (square, &piece) in super::board::squares_of(position.all_of(FACE_DOWN)).zip(under) {
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

//! What searches and solvers ask of a position beyond the contract: sets of squares, positions set up from their
//! parts, and keys under which results may be kept.

use super::DarkChess;
use super::board::{Move, NONE, Square};
use super::piece::{Colour, KINDS, Piece};
use super::position::{Cell, EMPTY, FACE_DOWN, Position};
use super::rules::MAX_SQUARES;
use crate::Error;
use crate::game::{Action, Actions, Seat};

/// The code of a square whose piece lies face down; see [`Position::codes`].
pub const HIDDEN: u8 = FACE_DOWN;

/// The code of a square with nothing on it; see [`Position::codes`].
pub const BARE: u8 = EMPTY;

/// The parts of a position without a history.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// What stands on each square, row by row from a1.
    pub cells: &'a [Cell],
    /// Unseen pieces by colour and kind; as many as squares are face down.
    pub unseen: [[u8; KINDS]; 2],
    /// The seat to move.
    pub to_move: Seat,
    /// The colour of seat 0; none exactly while everything is face down and colours are not fixed.
    pub colour: Option<Colour>,
    /// Plies in a row that were neither a flip nor a capture.
    pub quiet: u16,
    /// The square of the piece whose chain of captures goes on.
    pub chain: Option<Square>,
}

impl Position {
    /// What stands on each square, as numbers: red pieces by kind from 0, [`HIDDEN`], black pieces by kind from 8,
    /// [`BARE`]. Squares beyond the board are bare.
    #[inline]
    pub fn codes(&self) -> &[u8; MAX_SQUARES] {
        &self.cells
    }

    /// The squares on which a piece stands face up, one bit a square.
    #[inline]
    pub fn standing(&self, piece: Piece) -> u64 {
        self.all_of(piece.0)
    }

    /// The squares with a piece face down.
    #[inline]
    pub fn hidden(&self) -> u64 {
        self.all_of(FACE_DOWN)
    }

    /// The squares with nothing on them.
    #[inline]
    pub fn empty(&self) -> u64 {
        self.all_of(EMPTY)
    }

    /// The colour of the seat to move, once a flip has bound it.
    #[inline]
    pub fn mover_colour(&self) -> Option<Colour> {
        self.colour_of(self.to_move)
    }

    /// Whether the seat to move may do something that captures nothing and attacks nothing: flip, step, or stop.
    #[inline]
    pub fn may_wait(&self) -> bool {
        let steps = self.legal.steps.iter().fold(0, |all, set| all | set);
        self.chain != NONE || self.all_of(FACE_DOWN) != 0 || steps & self.all_of(EMPTY) != 0
    }

    /// How many actions other than flips the seat to move has.
    #[inline]
    pub fn mobility(&self) -> u32 {
        let legal = &self.legal;
        legal.steps.iter().chain(&legal.jumps).chain(&legal.rushes).map(|set| set.count_ones()).sum()
    }
}

impl DarkChess {
    /// Appends the legal actions that capture a face-up piece, in no particular order.
    #[inline]
    pub fn captures(&self, position: &Position, out: &mut Actions) {
        if !position.status.is_ongoing() || position.colour.is_none() {
            return;
        }
        let targets = !(position.all_of(EMPTY) | position.all_of(FACE_DOWN));
        self.each_step(position, targets, |action| out.push(action));
    }

    /// Whether an action leaves something to chance: it shows a face-down piece.
    #[inline]
    pub fn is_chance(&self, position: &Position, action: Action) -> bool {
        self.shows::<false>(position, action).is_some()
    }

    /// Whether an action captures a face-up piece.
    #[inline]
    pub fn takes(&self, position: &Position, action: Action) -> bool {
        match self.board.moves[usize::from(action)] {
            Move::Step(_, to) => !matches!(position.cells[usize::from(to)], EMPTY | FACE_DOWN),
            Move::Flip(_) | Move::Stop => false,
        }
    }

    /// The action that ends the chain of captures, where one goes on.
    #[inline]
    pub fn stop(&self, position: &Position) -> Option<Action> {
        (position.chain != NONE).then(|| self.board.moves.len() as Action - 1)
    }

    /// A position from its parts. Its game has neither a last ply nor a window of quiet plies.
    ///
    /// # Errors
    /// Parts that do not fit the rules or each other.
    pub fn set_up(&self, setup: &Setup<'_>) -> Result<Position, Error> {
        let fault = |field, message: String| Error::Position { field, message };
        if setup.cells.len() != self.board.squares {
            let message = format!("{} squares, but the board has {}", setup.cells.len(), self.board.squares);
            return Err(fault("cells", message));
        }
        let mut position = Position::start(&self.rules);
        for (square, &cell) in setup.cells.iter().enumerate() {
            match cell {
                Cell::Empty => position.set(square as u8, EMPTY),
                Cell::Up(piece) => position.set(square as u8, piece.0),
                Cell::FaceDown => {}
            }
        }
        for piece in Piece::all() {
            *position.bag_of(piece) = setup.unseen[piece.colour() as usize][piece.kind() as usize];
        }
        self.count_pieces(&mut position)?;
        if setup.to_move > 1 {
            return Err(fault("seat to move", format!("{}: expected 0 or 1", setup.to_move)));
        }
        position.to_move = setup.to_move;
        position.colour = setup.colour;
        position.quiet = setup.quiet;
        if self.rules.quiet_limit > 0 && setup.quiet > self.rules.quiet_limit {
            let message = format!("{}: the quiet limit is {}", setup.quiet, self.rules.quiet_limit);
            return Err(fault("quiet plies", message));
        }
        let untouched = position.face_down() == self.board.squares as u32;
        position.plies = u32::from(setup.quiet) + u32::from(!untouched);
        self.check_colours(&position)?;
        if let Some(square) = setup.chain {
            self.start_chain(&mut position, square)?;
        }
        self.complete(&mut position)?;
        Ok(position)
    }

    /// A hash of all that decides the next `horizon` plies: equal positions in the eyes of the rules, up to the seats'
    /// names, have equal keys.
    ///
    /// Cells, unseen pieces, the mover's colour, the piece of a chain and, where a limit counts them, the quiet plies
    /// are in it whole. Of the plies played before it holds what can still matter so soon: those that a repetition
    /// rule could complete, and the chases that could reach their limit. The last ply and the number of plies played,
    /// which no rule asks for, are left out.
    pub fn key(&self, position: &Position, horizon: u32) -> u64 {
        let mut key = 0;
        for (square, &code) in position.cells[..self.board.squares].iter().enumerate() {
            key ^= KEYS[usize::from(code)][square];
        }
        let bag = position.bag.as_flattened();
        let packed = |codes: &[u8]| codes.iter().fold(0u64, |all, &count| all << 5 | u64::from(count));
        let (red, black) = bag.split_at(bag.len() / 2);
        key ^= mix(packed(red)).wrapping_mul(3) ^ mix(packed(black) ^ 1 << 50).wrapping_mul(5);
        let mover = if position.colour.is_some() { 1 + position.mover() as u64 } else { 0 };
        let quiet = if self.rules.quiet_limit > 0 { u64::from(position.quiet) } else { 0 };
        key ^= mix(mover | u64::from(position.chain) << 2 | quiet << 10 | 1 << 60);
        if horizon == 0 {
            return key;
        }
        key ^= self.window_key(position, horizon);
        if self.rules.chase_limit > 0 {
            // A seat has at most every other ply; a count that cannot reach the limit by then forbids nothing.
            let soon = horizon.div_ceil(2) as u8;
            let least = (self.rules.chase_limit - 1).saturating_sub(soon);
            for colour in 0..2 {
                for square in super::board::squares_of(position.chases.squares(colour)) {
                    let count = position.chases.count(colour, square);
                    if count >= least {
                        key = key
                            .wrapping_add(mix(colour as u64 | (square as u64) << 1 | u64::from(count) << 8 | 1 << 61));
                    }
                }
            }
        }
        key
    }
}

/// SplitMix64's output function.
pub(super) const fn mix(z: u64) -> u64 {
    let z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A random number for each cell code on each square.
pub(super) static KEYS: [[u64; MAX_SQUARES]; 16] = {
    let mut keys = [[0; MAX_SQUARES]; 16];
    let mut code = 0;
    while code < 16 {
        let mut square = 0;
        while square < MAX_SQUARES {
            keys[code][square] = mix((code * MAX_SQUARES + square) as u64 | 1 << 62);
            square += 1;
        }
        code += 1;
    }
    keys
};

//! What an action does, and the end of the game.

use super::DarkChess;
use super::board::Move;
use super::piece::{Colour, Kind, Piece};
use super::position::{EMPTY, FACE_DOWN, Position};
use super::rules::Repetition;
use crate::game::{Action, Reason, Status};

impl DarkChess {
    /// The square whose face-down piece an action shows.
    #[inline]
    pub(super) fn shows(&self, action: Action) -> Option<u8> {
        match self.board.moves[usize::from(action)] {
            Move::Flip(square) => Some(square),
            Move::Step(..) | Move::Stop => None,
        }
    }

    /// Plays a legal action; `shown` is the piece a flip turns up.
    #[inline]
    pub(super) fn apply(&self, position: &mut Position, action: Action, shown: Option<Piece>) {
        match (self.board.moves[usize::from(action)], shown) {
            (Move::Flip(square), Some(piece)) => {
                position.set(square, piece.0);
                *position.bag_of(piece) -= 1;
                // Whoever flips first owns the colour that appears.
                if position.colour.is_none() {
                    position.colour = Some(if position.to_move == 0 { piece.colour() } else { piece.colour().other() });
                }
                position.last = (square, square);
                position.quiet = 0;
                position.history.clear();
            }
            (Move::Step(from, to), _) => {
                let piece = position.cells[usize::from(from)];
                let target = position.cells[usize::from(to)];
                position.set(from, EMPTY);
                position.set(to, piece);
                position.last = (from, to);
                if target == EMPTY {
                    position.quiet = position.quiet.saturating_add(1);
                    if self.rules.repetition != Repetition::None {
                        self.remember(position, action);
                    }
                } else {
                    position.alive[Piece(target).colour() as usize] -= 1;
                    position.quiet = 0;
                    position.history.clear();
                }
            }
            (Move::Flip(_), None) | (Move::Stop, _) => unreachable!("an illegal action was played"),
        }
        position.plies += 1;
        position.to_move ^= 1;
        position.legal = self.steps_and_jumps(position);
        position.status = self.status_after(position);
    }

    /// The status after a ply, its checks in the order of games.md 1.1: elimination, then no legal action,
    /// then repetition, then the quiet limit.
    #[inline]
    pub(super) fn status_after(&self, position: &Position) -> Status {
        let next = position.to_move;
        if position.alive[position.mover()] == 0 {
            return Status::Win(next ^ 1, Reason::Eliminated);
        }
        if position.legal.is_empty() && position.all_of(FACE_DOWN) == 0 {
            return Status::Win(next ^ 1, Reason::NoMoves);
        }
        if position.history.repeats == 2 {
            return Status::Draw(Reason::Repetition);
        }
        if self.rules.quiet_limit > 0 && position.quiet >= self.rules.quiet_limit {
            return Status::Draw(Reason::QuietLimit);
        }
        Status::Ongoing
    }

    /// The pieces an action may show with their probabilities; empty where nothing is left to chance.
    pub(super) fn outcomes(&self, position: &Position, action: Action) -> Vec<(Piece, f64)> {
        if self.shows(action).is_none() {
            return Vec::new();
        }
        let unseen = f64::from(position.face_down());
        let possible = Piece::all().filter(|&piece| position.unseen(piece) > 0);
        possible.map(|piece| (piece, f64::from(position.unseen(piece)) / unseen)).collect()
    }

    /// Leaves of the tree of all plays of `depth` plies, one per action and distinct piece shown.
    pub fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut legal = crate::game::Actions::new();
        self.write_legal(position, &mut legal);
        let distinct = || Piece::all().filter(|&piece| position.unseen(piece) > 0);
        if depth == 1 {
            let outcomes = distinct().count() as u64;
            return legal.iter().map(|&action| if self.shows(action).is_some() { outcomes } else { 1 }).sum();
        }
        let child = |action, shown| {
            let mut next = *position;
            self.apply(&mut next, action, shown);
            self.perft(&next, depth - 1)
        };
        legal
            .iter()
            .map(|&action| match self.shows(action) {
                Some(_) => distinct().map(|piece| child(action, Some(piece))).sum(),
                None => child(action, None),
            })
            .sum()
    }

    /// Recomputes every derived field from the cells and compares: for tests.
    #[doc(hidden)]
    pub fn consistent(&self, position: &Position) -> Result<(), String> {
        let mut fresh = Position::start(&self.rules);
        fresh.boards = Default::default();
        fresh.alive =
            Colour::ALL.map(|colour| Kind::ALL.map(|kind| position.unseen(Piece::new(colour, kind))).iter().sum());
        for square in 0..self.board.squares {
            let code = position.cells[square];
            fresh.boards.as_flattened_mut()[usize::from(code)] |= 1 << square;
            if code != FACE_DOWN && code != EMPTY {
                fresh.alive[Piece(code).colour() as usize] += 1;
            }
        }
        let bag: u32 = position.bag.as_flattened().iter().map(|&n| u32::from(n)).sum();
        let parts = [
            ("boards", fresh.boards == position.boards),
            ("alive", fresh.alive == position.alive),
            ("bag", bag == position.face_down()),
            ("colour", position.colour.is_some() == (position.face_down() < self.board.squares as u32)),
            ("legal", self.steps_and_jumps(position) == position.legal),
            ("repeats", self.repeats(position) == position.history.repeats),
            ("window", self.window(position).len() <= usize::from(position.quiet)),
        ];
        match parts.iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((part, _)) => Err(format!("{part} does not follow from the cells")),
        }
    }
}

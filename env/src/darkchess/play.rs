//! What an action does, and the end of the game.

use super::DarkChess;
use super::board::{Move, squares_of};
use super::history::History;
use super::piece::Piece;
use super::position::Position;
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
        let mover = position.to_move;
        match (self.board.moves[usize::from(action)], shown) {
            (Move::Flip(square), Some(piece)) => {
                position.put(usize::from(square), piece);
                position.bag[piece.colour() as usize][piece.kind() as usize] -= 1;
                // Whoever flips first owns the colour that appears.
                if position.colour.is_none() {
                    position.colour = Some(if mover == 0 { piece.colour() } else { piece.colour().other() });
                }
                position.last = (square, square);
                position.quiet = 0;
                position.history.clear();
            }
            (Move::Step(from, to), _) => {
                let (origin, target) = (usize::from(from), usize::from(to));
                let captures = position.empty & (1 << to) == 0;
                if captures {
                    let taken = position.lift(target);
                    position.alive[taken.colour() as usize] -= 1;
                }
                let piece = position.lift(origin);
                position.put(target, piece);
                position.last = (from, to);
                if captures {
                    position.quiet = 0;
                    position.history.clear();
                } else {
                    position.quiet += 1;
                    if self.rules.repetition != Repetition::None {
                        History::push(position, self.rules.repetition, from, to);
                    }
                }
            }
            (Move::Flip(_), None) | (Move::Stop, _) => unreachable!("an illegal action was played"),
        }
        position.plies += 1;
        position.to_move ^= 1;
        position.status = self.status_after(position);
    }

    /// The status after a ply, its checks in the order of games.md 1.1: elimination, then no legal action,
    /// then repetition, then the quiet limit.
    #[inline]
    pub(super) fn status_after(&self, position: &Position) -> Status {
        let next = position.to_move;
        if let Some(mover) = position.mover()
            && position.alive[mover] == 0
        {
            return Status::Win(next ^ 1, Reason::Eliminated);
        }
        if !self.can_move(position) {
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
        (fresh.face_down, fresh.empty, fresh.alive) = (0, 0, position.bag.map(|bag| bag.iter().sum()));
        for square in squares_of(self.board.all) {
            match position.cells[square] {
                super::position::EMPTY => fresh.empty |= 1 << square,
                super::position::FACE_DOWN => fresh.face_down |= 1 << square,
                piece => {
                    fresh.put(square, Piece(piece));
                    fresh.alive[Piece(piece).colour() as usize] += 1;
                }
            }
        }
        let bag: u32 = position.bag.iter().flatten().map(|&n| u32::from(n)).sum();
        let parts = [
            ("pieces", fresh.pieces == position.pieces),
            ("colours", fresh.colours == position.colours),
            ("face_down", fresh.face_down == position.face_down),
            ("empty", fresh.empty == position.empty),
            ("alive", fresh.alive == position.alive),
            ("bag", bag == position.face_down()),
            ("colour", position.colour.is_some() || position.colours == [0; 2]),
        ];
        match parts.iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((part, _)) => Err(format!("{part} does not follow from the cells")),
        }
    }
}

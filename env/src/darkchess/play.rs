//! What an action does, and the end of the game.

use super::board::{Move, NONE, Square};
use super::piece::{Colour, Kind, Piece};
use super::position::{EMPTY, FACE_DOWN, Position};
use super::rules::{Family, Repetition};
use super::{DarkChess, State};
use crate::game::{Action, Reason, Seat, Status};

/// What a ply did, for the rules that ask.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    /// A piece turned up, by a flip or by an attack that failed.
    Shown,
    /// A move to an empty square.
    Quiet,
    /// A capture.
    Capture,
    /// The end of a chain.
    Stop,
}

impl DarkChess {
    /// The square whose face-down piece an action shows.
    #[inline]
    pub(super) fn shows<const PLAIN: bool>(&self, position: &Position, action: Action) -> Option<Square> {
        match self.board.moves[usize::from(action)] {
            Move::Flip(square) => Some(square),
            Move::Step(_, to) if !PLAIN && position.cells[usize::from(to)] == FACE_DOWN => Some(to),
            Move::Step(..) | Move::Stop => None,
        }
    }

    /// Plays a legal action; `shown` is the piece that turns up, where one does. `PLAIN` leaves out what only the
    /// variants need, here and in all it calls.
    #[inline(always)]
    pub(super) fn apply<const PLAIN: bool>(&self, position: &mut Position, action: Action, shown: Option<Piece>) {
        // Whether the position may have been there before.
        let mut returns = false;
        let effect = match (self.board.moves[usize::from(action)], shown) {
            (Move::Flip(square), Some(piece)) => {
                self.turn_up(position, square, piece);
                // Whoever flips first owns the colour that appears.
                if position.colour.is_none() {
                    position.colour = Some(if position.to_move == 0 { piece.colour() } else { piece.colour().other() });
                }
                position.last = (square, square);
                Effect::Shown
            }
            (Move::Step(from, to), Some(piece)) if !PLAIN => {
                position.last = (from, to);
                self.attack_hidden(position, piece)
            }
            (Move::Step(from, to), _) => {
                let piece = position.cells[usize::from(from)];
                let target = position.cells[usize::from(to)];
                position.set(from, EMPTY);
                position.set(to, piece);
                position.last = (from, to);
                if target == EMPTY {
                    if self.rules.repetition != Repetition::None {
                        returns = self.remember(position, action);
                    }
                    Effect::Quiet
                } else {
                    self.captured::<PLAIN>(position, Piece(target));
                    Effect::Capture
                }
            }
            (Move::Stop, _) => Effect::Stop,
            (Move::Flip(_), None) => unreachable!("a flip without the piece it shows"),
        };
        match effect {
            Effect::Shown | Effect::Capture => {
                position.quiet = 0;
                position.history.clear();
            }
            Effect::Quiet | Effect::Stop => {
                let counts = PLAIN || !self.rules.quiet_revealed || position.all_of(FACE_DOWN) == 0;
                position.quiet = position.quiet.saturating_add(u16::from(counts));
            }
        }
        position.plies += 1;
        let actor = position.to_move;
        if PLAIN || !self.keeps_turn(position, effect) {
            position.to_move ^= 1;
        }
        position.legal = self.steps_and_jumps::<PLAIN>(position);
        if !PLAIN && self.rules.family == Family::TombChess {
            self.pass_if_stuck(position);
        }
        position.history.repeats = if returns { self.repeats(position) } else { 0 };
        position.status = self.status_after::<PLAIN>(position, actor);
    }

    /// Plays a legal action, what it shows taken from the deal.
    #[inline(always)]
    pub(super) fn play_dealt<const PLAIN: bool>(&self, state: &mut State, action: Action) -> Option<Piece> {
        let shown = self.shows::<PLAIN>(&state.position, action).map(|square| state.deal.under(square));
        self.apply::<PLAIN>(&mut state.position, action, shown);
        shown
    }

    /// [`DarkChess::apply`] by whichever rules the game has.
    #[inline]
    pub(super) fn play_ply(&self, position: &mut Position, action: Action, shown: Option<Piece>) {
        by_rules!(self.apply(position, action, shown));
    }

    #[inline]
    pub(super) fn turn_up(&self, position: &mut Position, square: Square, piece: Piece) {
        position.set(square, piece.0);
        *position.bag_of(piece) -= 1;
        position.face_down -= 1;
    }

    /// A piece is off the board.
    #[inline]
    pub(super) fn captured<const PLAIN: bool>(&self, position: &mut Position, piece: Piece) {
        position.alive[piece.colour() as usize] -= 1;
        if !PLAIN {
            position.lost[piece.colour() as usize] += self.rules.family.points(piece.kind());
        }
    }

    /// The status after a ply of a seat, its checks in the order of games.md 1.1: elimination (and points), then
    /// no legal action, then repetition, then the quiet limit.
    #[inline(always)]
    pub(super) fn status_after<const PLAIN: bool>(&self, position: &Position, actor: Seat) -> Status {
        let other = actor ^ 1;
        let colour =
            if PLAIN { position.mover() ^ 1 } else { position.mover() ^ usize::from(position.to_move ^ actor) };
        if position.alive[colour ^ 1] == 0 {
            return Status::Win(actor, Reason::Eliminated);
        }
        if !PLAIN {
            if position.alive[colour] == 0 {
                // The last piece attacked what it could not take.
                return Status::Win(other, Reason::Eliminated);
            }
            let limit = u16::from(self.rules.hit_points);
            if limit > 0 {
                if position.lost[colour ^ 1] >= limit {
                    return Status::Win(actor, Reason::HitPoints);
                }
                if position.lost[colour] >= limit {
                    return Status::Win(other, Reason::HitPoints);
                }
            }
        }
        let tomb = !PLAIN && self.rules.family == Family::TombChess;
        let stuck = if PLAIN {
            position.all_of(FACE_DOWN) == 0 && position.legal.is_plainly_empty()
        } else {
            position.flips() == 0 && position.chain == NONE && position.legal.is_empty()
        };
        if stuck {
            return if tomb { self.deadlock(position) } else { Status::Win(position.to_move ^ 1, Reason::NoMoves) };
        }
        if position.history.repeats == 2 {
            return if tomb { self.deadlock(position) } else { Status::Draw(Reason::Repetition) };
        }
        if self.rules.quiet_limit > 0 && position.quiet >= self.rules.quiet_limit {
            return if tomb { self.deadlock(position) } else { Status::Draw(Reason::QuietLimit) };
        }
        Status::Ongoing
    }

    /// The pieces an action may show with their probabilities; empty where nothing is left to chance.
    pub(super) fn outcomes(&self, position: &Position, action: Action) -> Vec<(Piece, f64)> {
        if self.shows::<false>(position, action).is_none() {
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
            return legal
                .iter()
                .map(|&action| if self.shows::<false>(position, action).is_some() { outcomes } else { 1 })
                .sum();
        }
        let child = |action, shown| {
            let mut next = *position;
            self.play_ply(&mut next, action, shown);
            self.perft(&next, depth - 1)
        };
        legal
            .iter()
            .map(|&action| match self.shows::<false>(position, action) {
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
        let bag: u8 = position.bag.as_flattened().iter().sum();
        let parts = [
            ("boards", fresh.boards == position.boards),
            ("alive", fresh.alive == position.alive),
            ("bag", bag == position.face_down),
            ("face down", position.all_of(FACE_DOWN).count_ones() == position.face_down()),
            ("colour", {
                let touched = position.face_down() < self.board.squares as u32;
                position.colour.is_some() == (touched || self.rules.family == Family::TombChess)
            }),
            (
                "lost",
                self.plain || {
                    let mut recounted = *position;
                    self.recount_lost(&mut recounted);
                    recounted.lost == position.lost
                },
            ),
            ("legal", self.legal_of(position) == position.legal),
            ("repeats", self.repeats(position) == position.history.repeats),
            ("window", self.window(position).len() <= usize::from(position.quiet)),
        ];
        match parts.iter().find(|(_, holds)| !holds) {
            None => Ok(()),
            Some((part, _)) => Err(format!("{part} does not follow from the cells")),
        }
    }
}

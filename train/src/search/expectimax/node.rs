//! The search below the root: negamax with chance nodes, and captures until the position is quiet.
//!
//! What the tree is, cut or not: a move or a capture takes one ply of the depth, an action that shows a piece takes two
//! ([`SHOWING`]). Where only one ply is left nothing is shown any more; that some piece may be turned up counts there as
//! a pass, worth what the evaluator says. At depth 0 captures of face-up pieces go on until a side would rather wait, or
//! [`MOST_CAPTURES`] have followed one another.

use std::time::Instant;

use anqi_env::darkchess::{Colour, DarkChess, Position};
use anqi_env::game::{Action, Actions, Game, Seat};

use super::order::{Order, Ordered};
use super::score::{ABOVE, BELOW, Score, decided, guessed, known};
use super::table::{Bound, Table};
use crate::search::evaluator::{Evaluator, Eye};
use crate::search::interrupt::interrupted;
use crate::search::tables::Tables;

/// Plies of depth that an action takes which shows a piece.
pub(super) const SHOWING: i32 = 2;

/// Captures that are looked at one after the other below depth 0. Exchanges end long before, but for an evaluator to
/// whom every one of them looks promising there would be no end in sight on a crowded board.
const MOST_CAPTURES: u32 = 6;

/// A limit was reached: what the running iteration has not finished does not count.
#[derive(Debug)]
pub(super) struct Stopped;

/// What a search asks about positions where it looks no further.
#[derive(Clone, Copy)]
pub struct Judge<'a> {
    /// Guesses.
    pub evaluator: &'a dyn Evaluator,
    /// Knows the last few pieces.
    pub tables: Option<&'a Tables>,
}

/// One search: what it reads, what it has learnt, and when it must stop.
pub(super) struct Search<'a> {
    pub(super) game: &'a DarkChess,
    pub(super) judge: Judge<'a>,
    /// The judge's evaluator.
    pub(super) eye: Box<dyn Eye + 'a>,
    pub(super) table: &'a mut Table,
    pub(super) order: &'a mut Order,
    /// Whether to cut off and to use the table; without, the same values by plain search.
    pub(super) cuts: bool,
    pub(super) nodes: u64,
    pub(super) most_nodes: u64,
    pub(super) deadline: Option<Instant>,
    /// Whether any line since this was last cleared ended with a guess.
    pub(super) guessed: bool,
}

/// How many nodes lie between two looks at the clock.
const CLOCK: u64 = 512;

impl Search<'_> {
    /// Counts a position, and stops at the limits.
    #[inline]
    fn visit(&mut self) -> Result<(), Stopped> {
        self.nodes += 1;
        if self.nodes > self.most_nodes {
            return Err(Stopped);
        }
        if self.nodes.is_multiple_of(CLOCK) && self.is_late() {
            return Err(Stopped);
        }
        Ok(())
    }

    fn is_late(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline) || interrupted()
    }

    /// What a position after a ply is worth to the seat that played it.
    #[inline]
    pub(super) fn reply(
        &mut self,
        seat: Seat,
        after: &Position,
        depth: i32,
        [alpha, beta]: [Score; 2],
        ply: usize,
    ) -> Result<Score, Stopped> {
        // After a link of a chain, or when the other seat must pass, the same seat goes on.
        if after.to_move() == seat {
            self.search(after, depth, [alpha, beta], ply)
        } else {
            Ok(-self.search(after, depth, [-beta, -alpha], ply)?)
        }
    }

    /// A position's value for the seat to move. A value of at most `alpha` is an upper bound, one of at least `beta` a
    /// lower bound.
    pub(super) fn search(
        &mut self,
        position: &Position,
        depth: i32,
        [alpha, beta]: [Score; 2],
        ply: usize,
    ) -> Result<Score, Stopped> {
        if !position.status().is_ongoing() {
            return Ok(decided(position.status(), position.to_move()));
        }
        if let Some(score) = self.look_up(position, ply) {
            return Ok(score);
        }
        if depth <= 0 {
            return self.quiesce(position, [alpha, beta], MOST_CAPTURES);
        }
        self.visit()?;
        let key = self.game.key(position, depth as u32);
        let known = self.table.get(key);
        if let Some(entry) = known.filter(|entry| self.cuts && i32::from(entry.depth) == depth) {
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            };
            if enough {
                self.guessed |= entry.guessed;
                return Ok(entry.score);
            }
        }
        let guessed_before = std::mem::take(&mut self.guessed);
        let first = known.map_or(Action::MAX, |entry| entry.action);
        let (best, action) = self.best(position, depth, [alpha, beta], first, ply)?;
        let bound = if best >= beta {
            Bound::Lower
        } else if best <= alpha {
            Bound::Upper
        } else {
            Bound::Exact
        };
        self.table.put(key, depth as u32, best, bound, action, self.guessed);
        self.guessed |= guessed_before;
        Ok(best)
    }

    /// The best value among a position's actions, and the action that has it.
    fn best(
        &mut self,
        position: &Position,
        depth: i32,
        [mut alpha, beta]: [Score; 2],
        first: Action,
        ply: usize,
    ) -> Result<(Score, Action), Stopped> {
        let mut legal = Actions::new();
        self.game.legal(position, &mut legal);
        let mut best = (BELOW, Action::MAX);
        if depth < SHOWING && position.hidden() != 0 && position.chain().is_none() {
            best.0 = self.guess(position);
            alpha = alpha.max(best.0);
            if self.cuts && best.0 >= beta {
                return Ok(best);
            }
        }
        let mut tried = 0;
        for action in self.order.sort(self.game, position, &legal, first, ply) {
            let chance = self.game.is_chance(position, action);
            if chance && depth < SHOWING {
                continue;
            }
            let value = if !self.cuts {
                self.action(position, action, depth, [BELOW, ABOVE], ply)?
            } else if tried == 0 || beta - alpha <= 1 {
                self.action(position, action, depth, [alpha, beta], ply)?
            } else {
                // Most likely it is no better than the best so far, which is shown faster than its value.
                let value = self.action(position, action, depth, [alpha, alpha + 1], ply)?;
                if value > alpha && value < beta {
                    self.action(position, action, depth, [alpha, beta], ply)?
                } else {
                    value
                }
            };
            tried += 1;
            if value > best.0 {
                best = (value, action);
                alpha = alpha.max(value);
                if self.cuts && value >= beta {
                    if !self.game.takes(position, action) {
                        self.order.learn(action, depth as u32, ply);
                    }
                    break;
                }
            }
        }
        Ok(best)
    }

    /// An action's value for the seat to move.
    pub(super) fn action(
        &mut self,
        position: &Position,
        action: Action,
        depth: i32,
        window: [Score; 2],
        ply: usize,
    ) -> Result<Score, Stopped> {
        if self.game.is_chance(position, action) {
            return self.chance(position, action, depth - SHOWING, window, ply);
        }
        let mut after = *position;
        self.game.play_with(&mut after, action, None);
        self.reply(position.to_move(), &after, depth - 1, window, ply + 1)
    }

    /// A lower bound of a position's value for the seat to move, from one promising action; none where no action
    /// promises anything.
    pub(super) fn probe(
        &mut self,
        position: &Position,
        depth: i32,
        window: [Score; 2],
        ply: usize,
    ) -> Result<Option<Score>, Stopped> {
        if !position.status().is_ongoing() {
            return Ok(Some(decided(position.status(), position.to_move())));
        }
        if let Some(score) = self.look_up(position, ply) {
            return Ok(Some(score));
        }
        self.visit()?;
        let key = self.game.key(position, depth as u32);
        let known = self.table.get(key);
        if let Some(entry) = known
            && i32::from(entry.depth) == depth
            && entry.bound != Bound::Upper
        {
            self.guessed |= entry.guessed;
            return Ok(Some(entry.score));
        }
        if depth < SHOWING && position.hidden() != 0 && position.chain().is_none() {
            return Ok(Some(self.guess(position)));
        }
        let mut legal = Actions::new();
        self.game.legal(position, &mut legal);
        let first = known.map_or(Action::MAX, |entry| entry.action);
        let action = self.order.sort(self.game, position, &legal, first, ply).next();
        match action.filter(|&action| !self.game.is_chance(position, action)) {
            Some(action) => Ok(Some(self.action(position, action, depth, window, ply)?)),
            None => Ok(None),
        }
    }

    /// What the tables know of a position. They are asked at once after a flip or a capture, when nothing played before
    /// matters any more, and right below the root; so what the search keeps under a key never rests on more of the past
    /// than the key holds.
    #[inline]
    fn look_up(&self, position: &Position, ply: usize) -> Option<Score> {
        let tables = self.judge.tables.filter(|tables| tables.covers(position))?;
        let asked = position.quiet() == 0 || ply == 1;
        let verdict = if asked { tables.get(position)? } else { return None };
        let pieces = (position.alive(Colour::Red) + position.alive(Colour::Black)).into();
        Some(known(verdict, pieces))
    }

    fn guess(&mut self, position: &Position) -> Score {
        self.guessed = true;
        guessed(self.eye.value(self.game, position))
    }

    /// The value once nobody wants to capture any more, or `left` captures have been looked at: the seat to move may always
    /// wait, if it has anything else to do.
    fn quiesce(&mut self, position: &Position, [mut alpha, beta]: [Score; 2], left: u32) -> Result<Score, Stopped> {
        if !position.status().is_ongoing() {
            return Ok(decided(position.status(), position.to_move()));
        }
        if let Some(score) = self.look_up(position, usize::MAX) {
            return Ok(score);
        }
        self.visit()?;
        if left == 0 {
            return Ok(self.guess(position));
        }
        let seat = position.to_move();
        let mut best = BELOW;
        if let Some(stop) = self.game.stop(position) {
            let mut after = *position;
            self.game.play_with(&mut after, stop, None);
            best = self.quiet_reply(seat, &after, [alpha, beta], left - 1)?;
        } else if position.may_wait() {
            best = self.guess(position);
        }
        if self.cuts && best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let mut captures = Actions::new();
        self.game.captures(position, &mut captures);
        for action in Ordered::captures(self.game, position, &captures) {
            let mut after = *position;
            self.game.play_with(&mut after, action, None);
            let window = if self.cuts { [alpha, beta] } else { [BELOW, ABOVE] };
            let value = self.quiet_reply(seat, &after, window, left - 1)?;
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if self.cuts && value >= beta {
                    break;
                }
            }
        }
        Ok(best)
    }

    fn quiet_reply(
        &mut self,
        seat: Seat,
        after: &Position,
        [alpha, beta]: [Score; 2],
        left: u32,
    ) -> Result<Score, Stopped> {
        if after.to_move() == seat {
            self.quiesce(after, [alpha, beta], left)
        } else {
            Ok(-self.quiesce(after, [-beta, -alpha], left)?)
        }
    }
}

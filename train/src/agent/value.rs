//! A value network as a player without search: the action that leads to the best position.

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Actions, Game, Seat};

use super::{Agent, Turn};
use crate::net::value::Integer;
use crate::search::evaluator::{Evaluator as _, Eye};

/// Plays the action whose afterstate is worth most: the position it leads to, or the mean of all that it may lead to.
pub struct ValueAgent {
    net: Integer,
}

impl ValueAgent {
    /// A player by a network.
    pub fn new(net: Integer) -> ValueAgent {
        ValueAgent { net }
    }

    /// What each legal action is worth to the seat to move.
    fn worth(&self, game: &DarkChess, position: &Position) -> Vec<(Action, f32)> {
        let mut legal = Actions::new();
        game.legal(position, &mut legal);
        let (mut eye, seat) = (self.net.eye(), position.to_move());
        let mut worth = |&action: &Action| {
            let outcomes = game.chance_outcomes(position, action);
            let mut after = |outcome| {
                let mut after = *position;
                game.play_with(&mut after, action, outcome);
                value(&mut *eye, game, &after, seat)
            };
            let value = match outcomes.is_empty() {
                true => after(None),
                false => outcomes.iter().map(|&(outcome, share)| share as f32 * after(Some(outcome))).sum(),
            };
            (action, value)
        };
        legal.iter().map(&mut worth).collect()
    }

    fn best(&self, game: &DarkChess, position: &Position) -> Option<(Action, f32)> {
        let worth = self.worth(game, position).into_iter();
        // The first of equals.
        worth.reduce(|best, next| if next.1 > best.1 { next } else { best })
    }
}

/// A position's value for a seat.
fn value(eye: &mut dyn Eye, game: &DarkChess, position: &Position, seat: Seat) -> f32 {
    let status = position.status();
    if !status.is_ongoing() {
        return status.value(seat);
    }
    let value = eye.value(game, position);
    if position.to_move() == seat { value } else { -value }
}

impl Agent<DarkChess> for ValueAgent {
    fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
        turns.iter().map(|turn| self.best(game, turn.view).map_or(0, |(action, _)| action)).collect()
    }

    fn policy(&self, game: &DarkChess, view: &Position) -> Vec<f32> {
        let mut policy = vec![0.0; game.spec().num_actions];
        if let Some((action, _)) = self.best(game, view) {
            policy[usize::from(action)] = 1.0;
        }
        policy
    }

    fn value(&self, game: &DarkChess, view: &Position) -> f32 {
        value(&mut *self.net.eye(), game, view, view.to_move())
    }

    fn values(&self, game: &DarkChess, view: &Position) -> Vec<(Action, f32)> {
        self.worth(game, view)
    }
}

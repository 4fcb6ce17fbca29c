//! A player who takes the most valuable piece it can, and otherwise plays at random.

use std::sync::Arc;

use anqi_env::darkchess::{Cell, DarkChess, Move, Piece, Position};
use anqi_env::game::{Action, Actions, Game};

use super::{Agent, Turn};
use crate::search::expectimax::{Expectimax, Options};
use crate::search::hand::Hand;

/// A game in which pieces have a value, as players of it give them.
pub trait Material: Game {
    /// Value of what an action captures for certain; 0 when it captures nothing.
    fn gain(&self, view: &Self::View, action: Action) -> u32;
    /// The mover's share of all the value alive, less the others': from -1 to 1.
    fn balance(&self, view: &Self::View) -> f32;
    /// An expectimax player of the game with its hand-made evaluation.
    ///
    /// # Errors
    /// A game that has none, or options that do not go with its rules.
    fn expectimax(&self, _options: Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Err(format!("{}: there is no such search for this game", self.spec().name))
    }
}

impl Material for DarkChess {
    fn gain(&self, view: &Position, action: Action) -> u32 {
        match self.what(action) {
            Move::Step(_, to) => match view.cell(to) {
                Cell::Up(piece) => self.rules().family.value(piece.kind()).into(),
                Cell::Empty | Cell::FaceDown => 0,
            },
            Move::Flip(_) | Move::Stop => 0,
        }
    }

    fn balance(&self, view: &Position) -> f32 {
        let Some(own) = view.colour_of(view.to_move()) else { return 0.0 };
        let (mut ours, mut all) = (0.0, 0.0);
        let mut count = |piece: Piece, number: u8| {
            let value = f32::from(self.rules().family.value(piece.kind())) * f32::from(number);
            all += value;
            ours += if piece.colour() == own { value } else { -value };
        };
        Piece::all().for_each(|piece| count(piece, view.unseen(piece)));
        let [_, rows, cols] = self.spec().planes;
        for square in 0..(rows * cols) as u8 {
            if let Cell::Up(piece) = view.cell(square) {
                count(piece, 1);
            }
        }
        if all > 0.0 { ours / all } else { 0.0 }
    }

    fn expectimax(&self, options: Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Ok(Arc::new(Expectimax::new(self, options, Arc::new(Hand::new(self)))?))
    }
}

/// Takes the most valuable piece (source values: cannon 9, guard 8, general 7, minister 6, chariot 5, horse 3,
/// soldier 1; Tomb Chess: the points), drawing among equals, and otherwise a uniformly random action.
pub struct Greedy;

impl Greedy {
    /// The actions it would choose among.
    fn best<G: Material>(game: &G, view: &G::View) -> Actions {
        let mut legal = Actions::new();
        game.legal(view, &mut legal);
        let gains = legal.iter().map(|&action| game.gain(view, action));
        let most = gains.max().unwrap_or(0);
        let mut best = Actions::new();
        legal.iter().filter(|&&action| game.gain(view, action) == most).for_each(|&action| best.push(action));
        best
    }
}

impl<G: Material> Agent<G> for Greedy {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        let choose = |turn: &mut Turn<'_, G>| {
            let best = Self::best(game, turn.view);
            best[turn.rng.below(best.len() as u32) as usize]
        };
        turns.iter_mut().map(choose).collect()
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        let best = Self::best(game, view);
        let mut policy = vec![0.0; game.spec().num_actions];
        best.iter().for_each(|&action| policy[usize::from(action)] = 1.0 / best.len() as f32);
        policy
    }

    /// The balance of the material, a rough guess.
    fn value(&self, game: &G, view: &G::View) -> f32 {
        game.balance(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::rng::Rng;

    #[test]
    fn takes_the_cannon_rather_than_the_soldier() {
        let game = DarkChess::parse("taiwan").unwrap();
        let view = game.parse_view("K7/8/1cR1p3/8 0 r - 0 40").unwrap();
        let mut rng = Rng::new(1);
        for _ in 0..20 {
            let action = Greedy.act(&game, &mut [Turn { view: &view, rng: &mut rng, game: 0 }])[0];
            assert_eq!(game.action_name(action), "c3-c2", "{}", game.draw_text(&view));
        }
        // K 7 + R 5 against c 9 + p 1.
        assert_eq!(Greedy.value(&game, &view), 2.0 / 22.0);
    }

    #[test]
    fn plays_anything_when_nothing_can_be_taken() {
        let game = DarkChess::parse("taiwan").unwrap();
        assert_eq!(Greedy.policy(&game, &game.start()).iter().filter(|&&p| p == 1.0 / 32.0).count(), 32);
    }
}

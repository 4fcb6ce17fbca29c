//! A value network as an evaluator.

use anqi_env::darkchess::{DarkChess, Position};

use super::evaluator::{Evaluator, Eye};
use crate::net::value::{Integer, Sight, value};

impl Evaluator for Integer {
    fn value(&self, _game: &DarkChess, position: &Position) -> f32 {
        value(self.sight().logit(&self.features().look(position)))
    }

    fn eye(&self) -> Box<dyn Eye + '_> {
        Box::new(Remembering { net: self, sight: self.sight() })
    }
}

/// Works out only what differs from the position before.
struct Remembering<'a> {
    net: &'a Integer,
    sight: Sight,
}

impl Eye for Remembering<'_> {
    fn value(&mut self, _game: &DarkChess, position: &Position) -> f32 {
        value(self.sight.logit(&self.net.features().look(position)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{NetConfig, ValueNet};
    use crate::search::expectimax::{Judge, Limits, Searcher};
    use crate::search::hand::Hand;
    use anqi_env::game::Game as _;
    use anqi_env::rng::Rng;

    /// Starts anew at each position.
    struct Anew(Integer);

    impl Evaluator for Anew {
        fn value(&self, game: &DarkChess, position: &Position) -> f32 {
            self.0.value(game, position)
        }
    }

    #[test]
    #[ignore]
    fn speed() {
        let game = DarkChess::parse("taiwan").unwrap();
        let mut rng = Rng::new(1);
        let mut positions = Vec::new();
        while positions.len() < 30 {
            let mut state = game.deal(&mut rng);
            for _ in 0..rng.below(150) {
                if game.status(&state).is_ongoing() {
                    let action = game.sample(game.view(&state, 0), &mut rng);
                    game.play(&mut state, action);
                }
            }
            if game.status(&state).is_ongoing() {
                positions.push(*state.position());
            }
        }
        let path = std::env::var("NET").unwrap_or_default();
        let config = NetConfig { arch: crate::net::Arch::Value, width: 128, depth: 2 };
        let net = match path.is_empty() {
            true => ValueNet::new(&config, game.rules(), 1).unwrap(),
            false => crate::checkpoint::load_value(std::path::Path::new(&path), game.rules()).unwrap().0,
        };
        let whole = Integer::new(&net);
        let evaluators: [(&str, Box<dyn Evaluator>); 3] =
            [("hand", Box::new(Hand::new(&game))), ("net", Box::new(whole.clone())), ("anew", Box::new(Anew(whole)))];
        for _ in 0..3 {
            for (name, evaluator) in &evaluators {
                let (mut nodes, mut seconds) = (0, 0.0);
                for position in &positions {
                    let mut searcher = Searcher::new(&game);
                    let judge = Judge { evaluator: &**evaluator, tables: None };
                    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
                    let found = searcher.best(&game, judge, position, limits);
                    nodes += found.nodes;
                    seconds += found.time.as_secs_f64();
                }
                eprintln!("{name}: {:.0} nodes/s", nodes as f64 / seconds);
            }
        }
    }
}

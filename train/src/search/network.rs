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
    use crate::net::{Arch, NetConfig, ValueNet};
    use crate::search::expectimax::{Judge, Limits, Searcher};
    use anqi_env::game::Game as _;
    use anqi_env::rng::Rng;

    /// Starts anew at each position.
    struct Anew(Integer);

    impl Evaluator for Anew {
        fn value(&self, game: &DarkChess, position: &Position) -> f32 {
            self.0.value(game, position)
        }
    }

    /// A search by a network that remembers looks at the same positions and comes to the same value as by one that does not.
    #[test]
    fn remembering_changes_nothing_in_a_search() {
        for rules in ["taiwan", "gametower-dark-chain", "mini"] {
            let game = DarkChess::parse(rules).unwrap();
            let config = NetConfig { arch: Arch::Value, width: 32, ..NetConfig::default() };
            let net = Integer::new(&ValueNet::new(&config, game.rules(), 1).unwrap());
            let anew = Anew(net.clone());
            let mut rng = Rng::new(1);
            for _ in 0..4 {
                let mut state = game.deal(&mut rng);
                for _ in 0..rng.below(60) {
                    if game.status(&state).is_ongoing() {
                        let action = game.sample(game.view(&state, 0), &mut rng);
                        game.play(&mut state, action);
                    }
                }
                let search = |evaluator: &dyn Evaluator| {
                    let limits = Limits { depth: Some(4), nodes: Some(3_000), ..Limits::default() };
                    let judge = Judge { evaluator, tables: None };
                    let found = Searcher::new(&game).best(&game, judge, state.position(), limits);
                    (found.action, found.value.to_bits(), found.nodes)
                };
                assert_eq!(search(&net), search(&anew), "{}", game.draw_text(state.position()));
            }
        }
    }
}

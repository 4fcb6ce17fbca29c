//! A player who takes the most valuable piece it can, and otherwise plays at random.

use anqi_env::game::{Action, Actions};

use super::{Agent, Material, Turn};

/// Takes the most valuable piece (source values: cannon 9, guard 8, general 7, minister 6, chariot 5, horse 3,
/// soldier 1; Tomb Chess: the points; junqi: what an attack gains on average, by the ranks that the other piece may have),
/// drawing among equals, and otherwise a uniformly random action.
pub struct Greedy;

impl Greedy {
    /// The actions it would choose among.
    fn best<G: Material>(game: &G, view: &G::View) -> Actions {
        let mut legal = Actions::new();
        game.legal(view, &mut legal);
        let gains = game.gains(view, &legal);
        let most = gains.iter().copied().max().unwrap_or(0);
        let mut best = Actions::new();
        let of_the_best = legal.iter().zip(gains).filter(|&(_, gain)| gain == most);
        of_the_best.for_each(|(&action, _)| best.push(action));
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
    use anqi_env::darkchess::DarkChess;
    use anqi_env::game::Game as _;
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

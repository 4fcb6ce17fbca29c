//! Two agents as one team of a game of four.

use std::sync::Arc;

use anqi_env::game::{Action, Game};

use super::{Agent, Opinion, Turn};

/// Plays a team's two seats with an agent each, neither of which knows what the other sees.
pub struct Partners<G> {
    agents: [Arc<dyn Agent<G>>; 2],
}

impl<G: Game> Partners<G> {
    /// The first agent takes seat 0 or 1, the second seat 2 or 3.
    ///
    /// # Errors
    /// A game without partners.
    pub fn new(game: &G, agents: [Arc<dyn Agent<G>>; 2]) -> Result<Self, String> {
        match game.spec().num_seats {
            4 => Ok(Partners { agents }),
            seats => Err(format!("{}: partners are for games of four seats, this one has {seats}", game.spec().name)),
        }
    }

    fn number(game: &G, view: &G::View) -> usize {
        usize::from(game.view_to_move(view) / 2)
    }

    fn of(&self, game: &G, view: &G::View) -> &dyn Agent<G> {
        &*self.agents[Self::number(game, view)]
    }
}

impl<G: Game> Agent<G> for Partners<G> {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        let mut actions = vec![Action::MAX; turns.len()];
        for (number, agent) in self.agents.iter().enumerate() {
            let own = |(_, turn): &(usize, &mut Turn<'_, G>)| Self::number(game, turn.view) == number;
            let (rows, mut turns): (Vec<usize>, Vec<Turn<'_, G>>) = turns
                .iter_mut()
                .enumerate()
                .filter(own)
                .map(|(row, turn)| (row, Turn { view: turn.view, rng: &mut *turn.rng, game: turn.game }))
                .unzip();
            rows.into_iter().zip(agent.act(game, &mut turns)).for_each(|(row, action)| actions[row] = action);
        }
        actions
    }

    fn batches(&self) -> bool {
        self.agents.iter().any(|agent| agent.batches())
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        self.of(game, view).policy(game, view)
    }

    fn value(&self, game: &G, view: &G::View) -> f32 {
        self.of(game, view).value(game, view)
    }

    fn nodes(&self) -> Option<u64> {
        self.agents.iter().filter_map(|agent| agent.nodes()).reduce(|sum, nodes| sum + nodes)
    }

    fn values(&self, game: &G, view: &G::View) -> Vec<(Action, f32)> {
        self.of(game, view).values(game, view)
    }

    fn opinion(&self, game: &G, view: &G::View, of_actions: bool) -> Opinion {
        self.of(game, view).opinion(game, view, of_actions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{AgentSpec, Material};
    use crate::arena;
    use crate::workers::Workers;
    use anqi_env::junqi::Junqi;

    fn build<G: Material>(game: &G, name: &str) -> Arc<dyn Agent<G>> {
        AgentSpec::parse(name).unwrap().build(game).unwrap()
    }

    #[test]
    fn a_team_of_one_agent_plays_as_that_agent() {
        let game = Junqi::parse("siguo").unwrap();
        let workers = Workers::new(2).unwrap();
        let against_random =
            |name| arena::play(&game, [&build(&game, name), &build(&game, "random")], 6, 4, &workers, &|_| {});
        assert_eq!(against_random("greedy+greedy"), against_random("greedy"));
    }

    /// Who gives one of the two seats away to chance stands between those who give none and both.
    #[test]
    fn each_seat_counts() {
        let game = Junqi::parse("siguo").unwrap();
        let workers = Workers::new(2).unwrap();
        let against_greedy = |name| {
            let agents = [&build(&game, name), &build(&game, "greedy")];
            arena::play(&game, agents, 40, 4, &workers, &|_| {}).score().score
        };
        let scores = ["random", "random+greedy", "greedy+random"].map(against_greedy);
        assert!(scores[0] < scores[1].min(scores[2]) && scores[1].max(scores[2]) < 0.5, "{scores:?}");
    }

    #[test]
    fn games_of_two_have_no_partners() {
        let game = Junqi::parse("duel").unwrap();
        let fault = AgentSpec::parse("greedy+random").unwrap().build(&game).err().unwrap().to_string();
        assert_eq!(fault, "agent 'greedy+random': duel:dark: partners are for games of four seats, this one has 2");
    }
}

//! Plays small boards perfectly, by their exact values.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Game};

use super::{Agent, Opinion, Turn};
use crate::search::solve::{Solution, solve};

/// Memory that the values of a board may take.
const MOST_BYTES: f64 = 4.0 * (1u64 << 30) as f64;

/// Differences of values that are none.
const NOTHING: f64 = 1e-9;

/// Chooses among the best actions of a solved board, each as likely.
pub struct Exact {
    solution: Arc<Solution>,
}

/// Boards whose solution somebody still holds, by the hash of their rules: solving one takes seconds to minutes.
static SOLVED: Mutex<Vec<(u64, Weak<Solution>)>> = Mutex::new(Vec::new());

impl Exact {
    /// Solves the board, unless somebody holds its solution.
    ///
    /// # Errors
    /// Rules that cannot be solved, or a board too large for 4 GiB.
    pub fn new(game: &DarkChess) -> Result<Exact, String> {
        let hash = game.spec().rules_hash;
        // Whoever asks for the same board meanwhile waits for it here.
        let mut solved = SOLVED.lock().unwrap_or_else(PoisonError::into_inner);
        solved.retain(|(_, solution)| solution.strong_count() > 0);
        if let Some(solution) = solved.iter().find(|(known, _)| *known == hash).and_then(|(_, found)| found.upgrade()) {
            return Ok(Exact { solution });
        }
        let solution = Arc::new(solve(game, &game.start(), MOST_BYTES).map_err(|fault| fault.to_string())?);
        solved.push((hash, Arc::downgrade(&solution)));
        Ok(Exact { solution })
    }

    /// The value of each legal action; none of a position that cannot come from the start.
    fn weigh(&self, view: &Position) -> Vec<(Action, f64)> {
        self.solution.action_values(view).unwrap_or_default()
    }
}

/// The best actions, in ascending order.
fn best(values: &[(Action, f64)]) -> Vec<Action> {
    let most = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
    values.iter().filter(|(_, value)| most - value < NOTHING).map(|&(action, _)| action).collect()
}

impl Agent<DarkChess> for Exact {
    fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
        let choice = |turn: &mut Turn<'_, DarkChess>| {
            let best = best(&self.weigh(turn.view));
            match best.len() as u32 {
                // A position that cannot come from the start has no exact values.
                0 => game.sample(turn.view, turn.rng),
                count => best[turn.rng.below(count) as usize],
            }
        };
        turns.iter_mut().map(choice).collect()
    }

    fn policy(&self, game: &DarkChess, view: &Position) -> Vec<f32> {
        self.opinion(game, view, false).policy
    }

    fn value(&self, _: &DarkChess, view: &Position) -> f32 {
        self.solution.value(view).unwrap_or_default() as f32
    }

    fn values(&self, game: &DarkChess, view: &Position) -> Vec<(Action, f32)> {
        self.opinion(game, view, true).values
    }

    fn opinion(&self, game: &DarkChess, view: &Position, _: bool) -> Opinion {
        let values = self.weigh(view);
        let best = best(&values);
        let mut policy = vec![0.0; game.spec().num_actions];
        best.iter().for_each(|&action| policy[usize::from(action)] = 1.0 / best.len() as f32);
        let value = values.iter().map(|&(_, value)| value).reduce(f64::max).unwrap_or_default() as f32;
        Opinion { policy, value, values: values.into_iter().map(|(action, value)| (action, value as f32)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentSpec;
    use crate::arena;
    use crate::workers::Workers;
    use anqi_env::rng::Rng;

    fn board() -> DarkChess {
        DarkChess::parse("mini,board=2x3,pieces=K1C1P1").unwrap()
    }

    /// Red's cannon takes the general over its own soldier, and wins; what else it does wins less often.
    #[test]
    fn it_plays_what_is_best_and_one_solution_serves_all() {
        let game = board();
        let (exact, again) = (Exact::new(&game).unwrap(), Exact::new(&game).unwrap());
        assert!(Arc::ptr_eq(&exact.solution, &again.solution));
        let view = game.parse_view("CPk/K1p 0 r - 0 9").unwrap();
        let values = exact.values(&game, &view);
        let most = exact.value(&game, &view);
        let policy = exact.policy(&game, &view);
        for (action, value) in values {
            assert_eq!(policy[usize::from(action)] > 0.0, value == most, "{action}: {value} of {most}");
        }
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        let mut rng = Rng::new(1);
        let chosen = exact.act(&game, &mut [Turn { view: &view, rng: &mut rng, game: 0 }])[0];
        assert!(policy[usize::from(chosen)] > 0.0);
    }

    /// Nobody beats it over both seats of many deals.
    #[test]
    fn nobody_beats_it() {
        let game = board();
        let build = |name: &str| AgentSpec::parse(name).unwrap().build(&game).unwrap();
        let workers = Workers::new(2).unwrap();
        for other in ["random", "greedy", "expectimax:depth=4", "exact"] {
            let score = arena::play(&game, [&build("exact"), &build(other)], 150, 5, &workers, &|_| {}).score();
            assert!(score.upper > 0.5, "{other}: {score:?}");
            assert!(other != "random" || score.lower > 0.6, "{score:?}");
        }
    }

    #[test]
    fn large_boards_are_refused() {
        let fault = |rules: &str| Exact::new(&DarkChess::parse(rules).unwrap()).err().unwrap();
        assert!(fault("taiwan,repetition=none").contains("too large"));
        assert!(fault("taiwan").contains("repetition=none"));
    }
}

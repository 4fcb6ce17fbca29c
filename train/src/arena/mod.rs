//! Matches that can be trusted: duplicate deals, seats swapped, and how sure the result is.
//!
//! The unit is a *set*: one deal played twice, the second time with the agents' seats swapped. In a game of four seats
//! an agent plays a whole team, seats 0 and 2 or seats 1 and 3. [`play`] runs a match of two agents, [`tournament`]
//! every agent against every other one with all records kept.

mod interval;
mod luck;
mod ratings;
mod regret;
mod set;
mod sprt;
mod timed;
pub mod tournament;

pub use interval::{Score, score};
pub use luck::{Adjusted, Unadjusted, adjusted};
pub use ratings::{Pairing, Rating, ratings};
pub use regret::{Regret, regret};
pub use set::{GameResult, Series, SetResult};
pub use sprt::{Sprt, Verdict};
pub use timed::Timed;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anqi_env::game::Game;

use crate::agent::{Agent, Material};
use crate::workers::Workers;
use set::Kept;

/// A match of two agents.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Result of the first agent in each set: the mean of its games, win 1, draw 1/2, loss 0.
    pub pairs: Vec<f64>,
    /// What chance gave it in each set, in points; empty where that was not measured in all of them.
    pub luck: Vec<f64>,
    /// Its games won, drawn, lost.
    pub wins_draws_losses: [u32; 3],
    /// Plies played.
    pub plies: u64,
    /// How the games ended: by reason, how many.
    pub endings: Vec<(String, u32)>,
}

impl Match {
    /// The first agent's score with its 95 % interval.
    pub fn score(&self) -> Score {
        score(&self.pairs)
    }

    /// The same without the luck.
    ///
    /// # Errors
    /// Few sets, or some in which luck was not measured.
    pub fn adjusted(&self) -> Result<Adjusted, Unadjusted> {
        adjusted(&self.pairs, &self.luck)
    }

    /// The sum of some sets.
    pub fn of<'a>(sets: impl IntoIterator<Item = &'a SetResult>) -> Match {
        let mut all =
            Match { pairs: Vec::new(), luck: Vec::new(), wins_draws_losses: [0; 3], plies: 0, endings: Vec::new() };
        for set in sets {
            all.pairs.push(set.points);
            all.luck.extend(set.luck());
            for game in &set.games {
                all.wins_draws_losses[(1.0 - game.value) as usize] += 1;
                all.plies += u64::from(game.plies);
                match all.endings.iter_mut().find(|(known, _)| *known == game.reason) {
                    Some((_, total)) => *total += 1,
                    None => all.endings.push((game.reason.clone(), 1)),
                }
            }
        }
        if all.luck.len() < all.pairs.len() {
            all.luck.clear();
        }
        all
    }
}

/// Sets played in lockstep, so that an agent that gains from batches sees many positions at once. Fixed for a pair of
/// agents, so that results never depend on threads.
fn sets_at_once<G: Game>(agents: [&Arc<dyn Agent<G>>; 2]) -> usize {
    if agents.iter().any(|agent| agent.batches()) { 32 } else { 1 }
}

/// Plays `pairs` duplicate sets. `played` is told the number of sets done as they are.
///
/// The same seed gives the same match on any number of workers.
pub fn play<G: Material>(
    game: &G,
    agents: [&Arc<dyn Agent<G>>; 2],
    pairs: usize,
    seed: u64,
    workers: &Workers,
    played: &(impl Fn(usize) + Sync),
) -> Match {
    Match::of(sets(game, agents, pairs, seed, workers, played, &AtomicBool::new(false)).iter().flatten())
}

/// As [`play`], but gives up, with nothing, soon after `stop` is set.
pub fn play_until<G: Material>(
    game: &G,
    agents: [&Arc<dyn Agent<G>>; 2],
    pairs: usize,
    seed: u64,
    workers: &Workers,
    played: &(impl Fn(usize) + Sync),
    stop: &AtomicBool,
) -> Option<Match> {
    let sets = sets(game, agents, pairs, seed, workers, played, stop);
    (sets.iter().map(Vec::len).sum::<usize>() == pairs).then(|| Match::of(sets.iter().flatten()))
}

/// The sets of a match in groups played at once; the groups that `stop` forestalled are empty.
fn sets<G: Material>(
    game: &G,
    agents: [&Arc<dyn Agent<G>>; 2],
    pairs: usize,
    seed: u64,
    workers: &Workers,
    played: &(impl Fn(usize) + Sync),
    stop: &AtomicBool,
) -> Vec<Vec<SetResult>> {
    let at_once = sets_at_once(agents);
    let kept = Kept { records: false, gauge: game.gauge().ok() };
    let jobs: Vec<(usize, usize)> =
        (0..pairs).step_by(at_once).map(|first| (first, at_once.min(pairs - first))).collect();
    workers.map(jobs, |_, (first, count)| {
        if stop.load(Ordering::Relaxed) {
            return Vec::new();
        }
        let sets = set::play(game, agents, first..first + count, seed, &kept);
        played(count);
        sets
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Greedy, Random};
    use anqi_env::darkchess::DarkChess;
    use std::sync::atomic::AtomicUsize;

    fn agents() -> [Arc<dyn Agent<DarkChess>>; 2] {
        [Arc::new(Greedy), Arc::new(Random)]
    }

    #[test]
    fn the_same_match_on_any_number_of_threads() {
        let game = DarkChess::parse("taiwan").unwrap();
        let [greedy, random] = agents();
        let on = |threads| play(&game, [&greedy, &random], 70, 3, &Workers::new(threads).unwrap(), &|_| {});
        assert_eq!(on(1), on(2));
        assert_eq!(on(1).pairs.len(), 70);
        assert_eq!(on(1).wins_draws_losses.iter().sum::<u32>(), 140);
    }

    #[test]
    fn a_match_that_is_stopped_gives_nothing() {
        let game = DarkChess::parse("taiwan").unwrap();
        let [greedy, random] = agents();
        let workers = Workers::new(2).unwrap();
        let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let until = |pairs, limit| {
            let played = |count| {
                stop.fetch_or(done.fetch_add(count, Ordering::Relaxed) + count >= limit, Ordering::Relaxed);
            };
            play_until(&game, [&greedy, &random], pairs, 3, &workers, &played, &stop)
        };
        assert_eq!(until(40, 1000), Some(play(&game, [&greedy, &random], 40, 3, &workers, &|_| {})));
        assert_eq!(until(1_000_000, 50), None);
    }

    #[test]
    fn greedy_beats_random_and_an_agent_against_itself_is_even() {
        let game = DarkChess::parse("taiwan").unwrap();
        let [greedy, random] = agents();
        let workers = Workers::new(2).unwrap();
        let score = play(&game, [&greedy, &random], 200, 1, &workers, &|_| {}).score();
        assert!(score.lower > 0.6, "{score:?}");
        let score = play(&game, [&greedy, &greedy], 400, 2, &workers, &|_| {}).score();
        assert!(score.lower < 0.5 && 0.5 < score.upper, "{score:?}");
    }
}

//! Matches that can be trusted: duplicate deals, seats swapped, and how sure the result is.

mod interval;

pub use interval::{Score, score};

use std::sync::Arc;

use anqi_env::game::{Game, Reason, Status};
use anqi_env::rng::Rng;

use crate::agent::{Agent, Turn};
use crate::workers::Workers;

/// Pairs a worker plays at a time. Fixed, so that batches, and with them results, never depend on threads.
const PAIRS_AT_ONCE: usize = 32;

/// Plies after which a game that its rules do not end counts as drawn.
const MAX_PLIES: u32 = 5_000;

/// A match of two agents: each pair is one deal played twice, seats swapped.
#[derive(Clone, Debug, PartialEq)]
pub struct Match {
    /// Result of the first agent in each pair: the mean of its two games, win 1, draw 1/2, loss 0.
    pub pairs: Vec<f64>,
    /// Its games won, drawn, lost.
    pub wins_draws_losses: [u32; 3],
    /// Plies played.
    pub plies: u64,
    /// How the games ended: by reason, how many.
    pub endings: Vec<(&'static str, u32)>,
}

impl Match {
    /// The first agent's score with its 95 % interval.
    pub fn score(&self) -> Score {
        score(&self.pairs)
    }
}

/// One game of a match.
struct Board<G: Game> {
    state: G::State,
    /// The seat of the first agent.
    first_seat: u8,
    /// One stream for each agent.
    rngs: [Rng; 2],
}

/// Plays `pairs` duplicate pairs. `played` is told the number of pairs done as they are.
///
/// The same seed gives the same match on any number of workers.
pub fn play<G: Game>(
    game: &G,
    agents: [&Arc<dyn Agent<G>>; 2],
    pairs: usize,
    seed: u64,
    workers: &Workers,
    played: &(impl Fn(usize) + Sync),
) -> Match {
    let jobs: Vec<(usize, usize)> =
        (0..pairs).step_by(PAIRS_AT_ONCE).map(|first| (first, PAIRS_AT_ONCE.min(pairs - first))).collect();
    let parts = workers.map(jobs, |_, (first, count)| {
        let part = play_some(game, agents, first, count, seed);
        played(count);
        part
    });
    let mut all = Match { pairs: Vec::new(), wins_draws_losses: [0; 3], plies: 0, endings: Vec::new() };
    for part in parts {
        all.pairs.extend(part.pairs);
        (0..3).for_each(|i| all.wins_draws_losses[i] += part.wins_draws_losses[i]);
        all.plies += part.plies;
        part.endings.into_iter().for_each(|(reason, n)| count(&mut all.endings, reason, n));
    }
    all
}

fn count(endings: &mut Vec<(&'static str, u32)>, reason: &'static str, n: u32) {
    match endings.iter_mut().find(|(known, _)| *known == reason) {
        Some((_, total)) => *total += n,
        None => endings.push((reason, n)),
    }
}

/// Plays pairs in lockstep, so that each agent sees all its positions at once.
fn play_some<G: Game>(game: &G, agents: [&Arc<dyn Agent<G>>; 2], first: usize, pairs: usize, seed: u64) -> Match {
    let mut boards: Vec<Board<G>> = Vec::new();
    for pair in first..first + pairs {
        for first_seat in [0, 1] {
            let stream = |agent| Rng::branch(seed, &[pair as u64, 1 + u64::from(first_seat), agent]);
            boards.push(Board {
                state: game.deal(&mut Rng::branch(seed, &[pair as u64, 0])),
                first_seat,
                rngs: [stream(0), stream(1)],
            });
        }
    }
    let over = |board: &Board<G>| !game.status(&board.state).is_ongoing() || game.plies(&board.state) >= MAX_PLIES;
    loop {
        let mut moved = false;
        for agent in 0..2 {
            let seat = |board: &Board<G>| board.first_seat ^ agent as u8;
            let to_act = |board: &&mut Board<G>| !over(board) && game.to_move(&board.state) == seat(board);
            let mut acting: Vec<&mut Board<G>> = boards.iter_mut().filter(to_act).collect();
            if acting.is_empty() {
                continue;
            }
            moved = true;
            let actions = {
                let mut turns: Vec<Turn<'_, G>> = acting
                    .iter_mut()
                    .map(|board| {
                        let Board { state, first_seat, rngs } = &mut **board;
                        let view = game.view(&*state, *first_seat ^ agent as u8);
                        Turn { view, rng: &mut rngs[agent] }
                    })
                    .collect();
                agents[agent].act(game, &mut turns)
            };
            for (board, action) in acting.iter_mut().zip(actions) {
                game.play(&mut board.state, action);
            }
        }
        if !moved {
            break;
        }
    }
    let mut played = Match { pairs: Vec::new(), wins_draws_losses: [0; 3], plies: 0, endings: Vec::new() };
    for pair in boards.chunks_exact(2) {
        let mut points = 0.0;
        for board in pair {
            let status = game.status(&board.state);
            let value = f64::from(status.value(board.first_seat));
            points += (value + 1.0) / 4.0;
            played.wins_draws_losses[(1.0 - value) as usize] += 1;
            played.plies += u64::from(game.plies(&board.state));
            let reason = match status {
                Status::Win(_, reason) | Status::Draw(reason) => Reason::name(reason),
                Status::Ongoing => "ply-limit",
            };
            count(&mut played.endings, reason, 1);
        }
        played.pairs.push(points);
    }
    played
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Greedy, Random};
    use anqi_env::darkchess::DarkChess;

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

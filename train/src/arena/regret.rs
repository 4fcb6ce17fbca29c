//! How far an agent's choices are from exact play, on boards that are solved.

use std::sync::Arc;

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Actions, Game};
use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, Random, Turn};
use crate::search::solve::Solution;
use crate::workers::Workers;

/// Games played at once, so that agents that gain from batches do.
const AT_ONCE: usize = 64;

/// Differences of values that are none.
const NOTHING: f64 = 1e-9;

/// What an agent gives away against exact play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regret {
    /// Choices looked at: the agent's plies with more than one legal action.
    pub choices: u64,
    /// Games they were made in.
    pub games: usize,
    /// Mean loss of expected result by a choice: best action's value less the chosen one's, 0 to 2.
    pub mean: f64,
    /// Its 95 % interval, games being independent.
    pub lower: f64,
    /// The same.
    pub upper: f64,
    /// Share of choices that lose nothing.
    pub optimal: f64,
    /// The largest loss.
    pub worst: f64,
}

/// A choice that an agent made.
struct Choice {
    game: usize,
    position: Position,
    action: Action,
}

/// Lets an agent play `games` games, half of them against itself and half against random, and holds every choice of
/// its own to the exact values. The same seed gives the same figures on any number of workers.
///
/// # Errors
/// A position that the solution does not hold.
pub fn regret(
    solution: &Solution,
    agent: &Arc<dyn Agent<DarkChess>>,
    games: usize,
    seed: u64,
    workers: &Workers,
) -> Result<Regret, String> {
    let groups: Vec<(usize, usize)> =
        (0..games).step_by(AT_ONCE).map(|first| (first, AT_ONCE.min(games - first))).collect();
    let play = |_, (first, count): (usize, usize)| choices(solution.game(), agent, first..first + count, seed);
    let mut choices: Vec<Choice> = workers.map(groups, play).into_iter().flatten().collect();
    // Positions of one pair of classes one after the other: the solution works a pair out only once then.
    choices.sort_by_key(|choice| (solution.pair_of(&choice.position), choice.game));
    let pairs: Vec<&[Choice]> =
        choices.chunk_by(|a, b| solution.pair_of(&a.position) == solution.pair_of(&b.position)).collect();
    let lost = |_, pair: &[Choice]| -> Result<Vec<(usize, f64)>, String> {
        pair.iter().map(|choice| Ok((choice.game, loss(solution, choice)?))).collect()
    };
    let lost: Result<Vec<Vec<(usize, f64)>>, String> = workers.map(pairs, lost).into_iter().collect();
    Ok(sum_up(&lost?.concat(), games))
}

/// What an agent chose in some games.
fn choices(
    game: &DarkChess,
    agent: &Arc<dyn Agent<DarkChess>>,
    numbers: std::ops::Range<usize>,
    seed: u64,
) -> Vec<Choice> {
    struct Board {
        number: usize,
        state: <DarkChess as Game>::State,
        rng: Rng,
    }
    // In every other game one seat is the agent's, 0 and 1 in turn; the other one plays at random.
    let is_agents = |number: usize, seat: u8| number.is_multiple_of(2) || usize::from(seat) == number / 2 % 2;
    let mut boards: Vec<Board> = numbers
        .map(|number| {
            let mut rng = Rng::branch(seed, &[number as u64]);
            Board { number, state: game.deal(&mut rng), rng }
        })
        .collect();
    let mut made = Vec::new();
    loop {
        boards.retain(|board| game.status(&board.state).is_ongoing());
        if boards.is_empty() {
            return made;
        }
        for own in [true, false] {
            let mut acting: Vec<&mut Board> = boards
                .iter_mut()
                .filter(|board| game.status(&board.state).is_ongoing())
                .filter(|board| is_agents(board.number, game.to_move(&board.state)) == own)
                .collect();
            let turns = acting.iter_mut().map(|board| {
                let Board { number, state, rng } = &mut **board;
                Turn { view: game.view(&*state, game.to_move(state)), rng, game: *number as u64 }
            });
            let mut turns: Vec<Turn<'_, DarkChess>> = turns.collect();
            let actions = if own { agent.act(game, &mut turns) } else { Random.act(game, &mut turns) };
            for (board, action) in acting.into_iter().zip(actions) {
                let position = *game.view(&board.state, game.to_move(&board.state));
                let mut legal = Actions::new();
                game.legal(&position, &mut legal);
                if own && legal.len() > 1 {
                    made.push(Choice { game: board.number, position, action });
                }
                game.play(&mut board.state, action);
            }
        }
    }
}

/// What a choice gave away.
fn loss(solution: &Solution, choice: &Choice) -> Result<f64, String> {
    let text = || solution.game().view_text(&choice.position);
    let values = solution.action_values(&choice.position);
    let values = values.ok_or_else(|| format!("{}: not among the positions solved", text()))?;
    let best = values.iter().map(|&(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
    let chosen = values.iter().find(|(action, _)| *action == choice.action);
    let (_, chosen) = chosen.ok_or_else(|| format!("{}: action {} is not legal", text(), choice.action))?;
    Ok(best - chosen)
}

/// The figures of losses, each with its game.
fn sum_up(lost: &[(usize, f64)], games: usize) -> Regret {
    let choices = lost.len() as f64;
    let total: f64 = lost.iter().map(|(_, loss)| loss).sum();
    let mean = if lost.is_empty() { 0.0 } else { total / choices };
    // Choices of a game hang together: the spread is that of whole games around the mean.
    let mut off = vec![0.0; games];
    lost.iter().for_each(|&(game, loss)| off[game] += loss - mean);
    let error = off.iter().map(|off| off * off).sum::<f64>().sqrt() / choices.max(1.0);
    Regret {
        choices: lost.len() as u64,
        games,
        mean,
        lower: (mean - 1.96 * error).max(0.0),
        upper: mean + 1.96 * error,
        optimal: lost.iter().filter(|(_, loss)| *loss < NOTHING).count() as f64 / choices.max(1.0),
        worst: lost.iter().map(|&(_, loss)| loss).fold(0.0, f64::max),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::AgentSpec;
    use crate::search::solve::solve;

    #[test]
    fn exact_play_regrets_nothing_and_worse_play_more() {
        let game = DarkChess::parse("mini,board=2x3,pieces=K1C1P1,quiet_limit=6").unwrap();
        let solution = || solve(&game, &game.start(), 1e9).unwrap();
        let of = |agent: Arc<dyn Agent<DarkChess>>, threads| {
            regret(&solution(), &agent, 200, 1, &Workers::new(threads).unwrap()).unwrap()
        };
        let build = |name: &str| AgentSpec::parse(name).unwrap().build(&game).unwrap();
        let exact = of(build("exact"), 2);
        assert_eq!((exact.mean, exact.optimal, exact.worst, exact.upper), (0.0, 1.0, 0.0, 0.0));
        assert!(exact.choices > 400);
        let random = of(build("random"), 2);
        let searched = of(build("expectimax:depth=5"), 2);
        assert!(searched.upper < random.lower, "{searched:?} {random:?}");
        assert!(random.mean > 0.05 && random.worst <= 2.0 && random.optimal < 0.9, "{random:?}");
        assert_eq!(of(build("random"), 1), random);
    }

    /// A position in which one of two actions throws the game away: the loss is the difference of their values.
    #[test]
    fn a_loss_is_what_the_best_action_would_have_brought() {
        let game = DarkChess::parse("mini,board=2x3,pieces=K1C1P1,quiet_limit=6").unwrap();
        let solution = solve(&game, &game.start(), 1e9).unwrap();
        // The cannon could take the king over its own soldier; the soldier can take it too, the king runs into one.
        let position = game.parse_view("CPk/K1p 0 r - 0 9").unwrap();
        let values = solution.action_values(&position).unwrap();
        let best = values.iter().map(|&(_, value)| value).fold(-1.0, f64::max);
        assert!(values.iter().any(|&(_, value)| value < best), "{values:?}");
        for (action, value) in values {
            let choice = Choice { game: 0, position, action };
            assert!((loss(&solution, &choice).unwrap() - (best - value)).abs() < 1e-12);
        }
        let choice = Choice { game: 0, position, action: 999 };
        assert!(loss(&solution, &choice).unwrap_err().contains("action 999 is not legal"));
    }
}

//! Who plays well beside whom: each two agents as a team against the same opponents.

use std::sync::{Arc, Mutex};

use serde_json::json;

use super::Args;
use crate::agent::{Agent, AgentError, AgentSpec, Material};
use crate::arena::tournament::Plan;
use crate::arena::{self, Score};
use crate::commands::output::write_file;
use crate::commands::progress::Progress;
use crate::commands::scores::{self, markdown};
use crate::commands::{Failure, Output};
use crate::workers::Workers;

/// What each team made of the opponents.
pub(super) struct Matrix {
    game: String,
    seed: u64,
    pairs: usize,
    opponent: String,
    agents: Vec<String>,
    /// By the numbers of the partners, the smaller one first.
    teams: Vec<([usize; 2], Score)>,
}

/// Plays every team of two of the agents, those of one agent twice included.
pub(super) fn play<G: Material>(
    game: &G,
    plan: &Plan,
    specs: &[AgentSpec],
    opponent: &AgentSpec,
    workers: &Workers,
) -> Result<Matrix, Failure> {
    let pairs = || (0..specs.len()).flat_map(|one| (one..specs.len()).map(move |other| [one, other]));
    let build = |[one, other]: [usize; 2]| -> Result<Arc<dyn Agent<G>>, AgentError> {
        AgentSpec::Partners(Box::new([specs[one].clone(), specs[other].clone()])).build(game)
    };
    // All are built before the first game, so that a fault loses nothing.
    let teams: Result<Vec<_>, AgentError> = pairs().map(|team| Ok((team, build(team)?))).collect();
    let (teams, against) = (teams.map_err(Failure::input)?, opponent.build(game).map_err(Failure::input)?);
    let progress = Mutex::new(Progress::new("playing", (plan.pairs * teams.len()) as u64));
    let played = |done: usize| {
        if let Ok(mut progress) = progress.lock() {
            progress.advance(done as u64);
        }
    };
    let meet = |(numbers, team)| {
        (numbers, arena::play(game, [&team, &against], plan.pairs, plan.seed, workers, &played).score())
    };
    let teams = teams.into_iter().map(meet).collect();
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    let (game, agents) = (plan.game.clone(), plan.agents.clone());
    Ok(Matrix { game, seed: plan.seed, pairs: plan.pairs, opponent: opponent.to_string(), agents, teams })
}

impl Matrix {
    /// Prints the matrix and writes the figures.
    pub(super) fn tell(&self, args: &Args, out: &Output) -> Result<(), Failure> {
        let Matrix { game, seed, pairs, opponent, .. } = self;
        let heading = format!("{game}, seed {seed}, teams against two of {opponent}, {pairs} sets each");
        out.line(&heading);
        out.table(&self.rows(str::to_string));
        if let Some(path) = &args.markdown {
            let table = markdown(&self.rows(|name| format!("`{name}`")));
            write_file("--markdown", path, format!("{heading}:\n\n{table}").as_bytes())?;
        }
        let team = |([one, other], score): &([usize; 2], Score)| json!({ "partners": [self.agents[*one], self.agents[*other]], "score": score });
        out.figures(&json!({
            "game": game, "seed": seed, "sets": pairs, "opponent": opponent,
            "teams": self.teams.iter().map(team).collect::<Vec<_>>(),
        }))
    }

    /// A row and a column for each agent, their names written so.
    fn rows(&self, name: impl Fn(&str) -> String) -> Vec<Vec<String>> {
        let names: Vec<String> = self.agents.iter().map(|agent| name(agent)).collect();
        let mut rows = vec![std::iter::once("partners".into()).chain(names.iter().cloned()).collect::<Vec<_>>()];
        rows.extend(names.into_iter().enumerate().map(|(one, name)| {
            let cell = |other: usize| {
                let team = [one.min(other), one.max(other)];
                let found = self.teams.iter().find(|(numbers, _)| *numbers == team);
                found.map_or("-".into(), |(_, score)| {
                    let [score, interval] = scores::score(score);
                    format!("{score} ({interval})")
                })
            };
            std::iter::once(name).chain((0..self.agents.len()).map(cell)).collect()
        }));
        rows
    }
}

//! A teacher at the learner's side: the learner plays, and learns what the teacher would have done in the same place.
//!
//! A policy that imitates the games of a teacher comes, by its own mistakes, to positions that the teacher never showed.
//! Here it is the learner who plays, and the teacher who says at every position what is best (DAgger).

use std::sync::Arc;

use anqi_env::game::{Action, Game};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentError, AgentSpec, Material, Turn};
use crate::rollout::{Improved, Improver};

/// Who is imitated by `method = "imitate"`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImitateConfig {
    /// The agent, such as `exact`, `rules` or `net:PATH,search=expectimax,depth=3`.
    pub teacher: String,
    /// Whether its opinion of a position is learned too; else the value learns from how games end. Right for agents
    /// that search, not for those that only count pieces.
    pub value: bool,
    /// Whether a position counts by what is at stake in it, as the agent's values of its actions tell; for agents that
    /// know them well, such as `exact`.
    pub stakes: bool,
}

/// An agent who says what it would do.
pub(super) struct Teacher<G: Game> {
    agent: Arc<dyn Agent<G>>,
    value: bool,
    stakes: bool,
}

impl<G: Material> Teacher<G> {
    /// Builds the agent.
    ///
    /// # Errors
    /// No agent, or one from outside, which has no policy.
    pub(super) fn new(game: &G, config: &ImitateConfig) -> Result<Self, String> {
        let fault = |message: String| format!("imitate.teacher: {message}");
        if config.teacher.is_empty() {
            return Err(fault("method = \"imitate\" needs an agent, such as \"expectimax:depth=3\"".into()));
        }
        let spec = AgentSpec::parse(&config.teacher).map_err(|found| fault(found.to_string()))?;
        if let AgentSpec::Engine(_) = spec {
            return Err(fault("an outside engine tells no policy; expected an agent of anqi's own".into()));
        }
        let agent = spec.build(game).map_err(|found: AgentError| fault(found.to_string()))?;
        Ok(Teacher { agent, value: config.value, stakes: config.stakes })
    }
}

/// How much a position counts by what each action is worth: not at all where all are worth the same, most where one
/// wins and the others lose, and by the root in between, or small differences would never be learned.
fn at_stake(values: &[(Action, f32)]) -> f32 {
    if values.is_empty() {
        return 1.0;
    }
    let best = values.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
    let mean = values.iter().map(|&(_, value)| value).sum::<f32>() / values.len() as f32;
    (best - mean).max(0.0).sqrt()
}

impl<G: Game> Improver<G> for Teacher<G> {
    fn improve(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Improved> {
        let improved = |turn: &mut Turn<'_, G>| {
            let policy = self.agent.policy(game, turn.view);
            let policy = policy.into_iter().enumerate().filter(|(_, share)| *share > 0.0);
            Improved {
                action: None,
                policy: policy.map(|(action, share)| (action as Action, share)).collect(),
                value: self.value.then(|| self.agent.value(game, turn.view)),
                weight: if self.stakes { at_stake(&self.agent.values(game, turn.view)) } else { 1.0 },
            }
        };
        turns.iter_mut().map(improved).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_counts() {
        let weight = |values: &[f32]| at_stake(&values.iter().map(|&value| (0, value)).collect::<Vec<_>>());
        assert_eq!(weight(&[]), 1.0, "nobody knows");
        assert_eq!((weight(&[0.5]), weight(&[-1.0, -1.0, -1.0])), (0.0, 0.0));
        assert!((weight(&[1.0, -1.0]) - 1.0).abs() < 1e-6);
        assert!((weight(&[0.02, -0.02]) - 0.02f32.sqrt()).abs() < 1e-6);
    }
}

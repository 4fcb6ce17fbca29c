//! A teacher at the learner's side: the learner plays, and learns what the teacher would have done in the same place.
//!
//! A policy that imitates the games of a teacher comes, by its own mistakes, to positions that the teacher never showed.
//! Here it is the learner who plays, and the teacher who says at every position what is best (DAgger).

use std::sync::Arc;

use anqi_env::game::{Action, Game};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentError, AgentSpec, Material, Opinion, Turn};
use crate::rollout::{Improved, Improver};

/// Who is imitated by `method = "imitate"`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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
    /// Where not 0 the policy to learn is not the teacher's own, but a softmax over what each action is worth to it, from
    /// -1 to 1, divided by this: almost as good actions are told from bad ones. For agents with values of actions.
    pub temperature: f32,
}

/// An agent who says what it would do.
pub(super) struct Teacher<G: Game> {
    agent: Arc<dyn Agent<G>>,
    config: ImitateConfig,
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
        if !(config.temperature >= 0.0 && config.temperature.is_finite()) {
            return Err(format!("imitate.temperature = {}; expected 0 or more", config.temperature));
        }
        Ok(Teacher { agent, config: config.clone() })
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

/// Actions by what they are worth; what is as good as never taken is left out.
fn softmax(values: &[(Action, f32)], temperature: f32) -> Vec<(Action, f32)> {
    let best = values.iter().map(|&(_, value)| value).fold(f32::NEG_INFINITY, f32::max);
    let mut policy: Vec<_> =
        values.iter().map(|&(action, value)| (action, ((value - best) / temperature).exp())).collect();
    policy.retain(|&(_, share)| share > 1e-4);
    let all: f32 = policy.iter().map(|(_, share)| share).sum();
    policy.iter_mut().for_each(|(_, share)| *share /= all);
    policy
}

impl<G: Game> Improver<G> for Teacher<G> {
    fn improve(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Improved> {
        let ImitateConfig { value: of_value, stakes, temperature, .. } = self.config;
        let improved = |turn: &mut Turn<'_, G>| {
            let Opinion { policy, value, values } = self.agent.opinion(game, turn.view, stakes || temperature > 0.0);
            let policy = match temperature > 0.0 && !values.is_empty() {
                true => softmax(&values, temperature),
                false => (0..).zip(policy).filter(|(_, share)| *share > 0.0).collect(),
            };
            let weight = if stakes { at_stake(&values) } else { 1.0 };
            Improved { action: None, policy, value: of_value.then_some(value), weight }
        };
        turns.iter_mut().map(improved).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn almost_as_good_is_almost_as_likely() {
        let policy = softmax(&[(3, 0.5), (5, 0.4), (7, -1.0)], 0.1);
        assert_eq!(
            policy.iter().map(|&(action, _)| action).collect::<Vec<_>>(),
            [3, 5],
            "a certain loss is never played"
        );
        assert!((policy[0].1 / policy[1].1 - 1f32.exp()).abs() < 1e-3, "{policy:?}");
        assert!((policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn what_decides_counts() {
        let weight = |values: &[f32]| at_stake(&values.iter().map(|&value| (0, value)).collect::<Vec<_>>());
        assert_eq!(weight(&[]), 1.0, "nobody knows");
        assert_eq!((weight(&[0.5]), weight(&[-1.0, -1.0, -1.0])), (0.0, 0.0));
        assert!((weight(&[1.0, -1.0]) - 1.0).abs() < 1e-6);
        assert!((weight(&[0.02, -0.02]) - 0.02f32.sqrt()).abs() < 1e-6);
    }
}

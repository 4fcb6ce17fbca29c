//! Agents: whatever chooses an action from what its seat may see.
//!
//! An agent gets a [`Game::View`], never a state, so it cannot look under a piece.

mod exact;
mod greedy;
mod material;
mod net;
mod partners;
mod random;
mod rules;

pub use exact::Exact;
pub use greedy::Greedy;
pub use material::{Gauge, Material};
pub use net::{NetAgent, NetSpec, Search, choose};
pub use partners::Partners;
pub use random::Random;
pub use rules::{RulePlayer, WORTH};

use std::sync::Arc;

use anqi_env::game::{Action, Belief, Game};
use anqi_env::rng::Rng;

use crate::engine::{Engine, EngineSpec};
use crate::search::expectimax::Options;
use crate::search::{mcts, worlds};

/// One position to act in: what the seat sees, and the seat's own random stream.
pub struct Turn<'a, G: Game> {
    /// What the seat to move sees.
    pub view: &'a G::View,
    /// The stream for whatever the agent leaves to chance.
    pub rng: &'a mut Rng,
    /// A number that only turns of the same game share, for agents that remember.
    pub game: u64,
}

/// What an agent thinks of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// Probability of each action, [A]; the illegal ones have 0.
    pub policy: Vec<f32>,
    /// Expected result for the seat to move, from -1 (lost) to 1 (won).
    pub value: f32,
    /// The same of each legal action, where the agent works that out and was asked to; else empty.
    pub values: Vec<(Action, f32)>,
}

/// Something that plays.
pub trait Agent<G: Game>: Send + Sync {
    /// Chooses an action in each of many games at once.
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action>;
    /// The same for agents that may fail, such as outside programs: an error loses that game and says why.
    fn try_act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Result<Action, String>> {
        self.act(game, turns).into_iter().map(Ok).collect()
    }
    /// Whether it is faster on many positions at once.
    fn batches(&self) -> bool {
        false
    }
    /// Probability of each action, [A]; the illegal ones have 0.
    fn policy(&self, game: &G, view: &G::View) -> Vec<f32>;
    /// Expected result for the seat to move, from -1 (lost) to 1 (won).
    fn value(&self, game: &G, view: &G::View) -> f32;
    /// Positions that it has looked at in all its searches so far; none where it does not search.
    fn nodes(&self) -> Option<u64> {
        None
    }
    /// Expected result of each legal action for the seat to move, where the agent works that out; else empty.
    fn values(&self, _game: &G, _view: &G::View) -> Vec<(Action, f32)> {
        Vec::new()
    }
    /// What it takes the pieces for that the seat to move does not see, where it says more of them than the rules tell;
    /// else empty.
    fn beliefs(&self, _game: &G, _view: &G::View) -> Vec<Belief> {
        Vec::new()
    }
    /// Policy, value and, where they are asked for, the values of all actions, by as little work as gives all of them.
    fn opinion(&self, game: &G, view: &G::View, of_actions: bool) -> Opinion {
        let values = if of_actions { self.values(game, view) } else { Vec::new() };
        Opinion { policy: self.policy(game, view), value: self.value(game, view), values }
    }
}

/// A fault in an agent's name or in what it needs.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// No agent of that name.
    #[error(
        "unknown agent '{0}': known agents are random, greedy, rules, exact, expectimax:LIMIT, mcts:sims=N, net:CHECKPOINT, uci:PATH, dctp:PATH"
    )]
    Unknown(String),
    /// An option it does not have, or a bad value.
    #[error("agent '{agent}': {message}")]
    Option {
        /// The agent as it was written.
        agent: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A checkpoint that cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] crate::checkpoint::CheckpointError),
}

/// An agent as users write it: `random`, `greedy`, `expectimax:depth=3`, `net:checkpoints/darkchess,temperature=0.5`.
#[derive(Clone, Debug, PartialEq)]
pub enum AgentSpec {
    /// Uniformly random.
    Random,
    /// The most valuable capture.
    Greedy,
    /// Perfect play of a small board.
    Exact,
    /// Rules of thumb for junqi, which worlds may improve.
    Rules(Option<worlds::Options>),
    /// A search over moves and chance.
    Expectimax(Options),
    /// A tree search judged by rules of thumb.
    Mcts(mcts::Options),
    /// A network.
    Net(NetSpec),
    /// An outside engine.
    Engine(EngineSpec),
    /// Two agents as one team of a game of four, written `rules+greedy`.
    Partners(Box<[AgentSpec; 2]>),
}

/// How the names of agents begin; behind a `+` that is no part of a path one of them follows.
const BEGINNINGS: [&str; 9] = ["random", "greedy", "exact", "rules", "expectimax:", "mcts:", "net:", "uci:", "dctp:"];

impl AgentSpec {
    /// Reads an agent's name.
    ///
    /// # Errors
    /// An unknown name or option; the known ones are listed.
    pub fn parse(text: &str) -> Result<AgentSpec, AgentError> {
        if let Some(engine) = EngineSpec::parse(text) {
            return engine.map(AgentSpec::Engine);
        }
        let plus = text.match_indices('+').map(|(at, _)| at);
        let mut plus = plus.filter(|&at| BEGINNINGS.iter().any(|name| text[at + 1..].starts_with(name)));
        if let Some(at) = plus.next() {
            let partners = [AgentSpec::parse(&text[..at])?, AgentSpec::parse(&text[at + 1..])?];
            if partners.iter().any(|spec| matches!(spec, AgentSpec::Partners(_))) {
                return Err(AgentError::Option { agent: text.into(), message: "a team has two partners".into() });
            }
            return Ok(AgentSpec::Partners(Box::new(partners)));
        }
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default().trim();
        let option = |message: String| AgentError::Option { agent: text.into(), message };
        let (kind, argument) = name.split_once(':').unwrap_or((name, ""));
        if kind == "expectimax" {
            let limits = (!argument.is_empty()).then_some(argument);
            return Options::parse(limits.into_iter().chain(parts)).map(AgentSpec::Expectimax).map_err(option);
        }
        if kind == "mcts" {
            let sims = (!argument.is_empty()).then_some(argument);
            return mcts::Options::parse(sims.into_iter().chain(parts)).map(AgentSpec::Mcts).map_err(option);
        }
        if kind == "rules" && argument.is_empty() {
            return rules(parts).map(AgentSpec::Rules).map_err(option);
        }
        if kind == "net" {
            return NetSpec::parse(argument, parts).map(AgentSpec::Net).map_err(option);
        }
        if let Some(part) = parts.next() {
            return Err(option(format!("unknown option '{part}': {kind} takes none")));
        }
        match (kind, argument) {
            ("random", "") => Ok(AgentSpec::Random),
            ("greedy", "") => Ok(AgentSpec::Greedy),
            ("exact", "") => Ok(AgentSpec::Exact),
            _ => Err(AgentError::Unknown(text.into())),
        }
    }

    /// Makes the agent for a game.
    ///
    /// # Errors
    /// A checkpoint that cannot be read or was trained for other rules or another encoding; an engine that does not
    /// start, or a game it cannot be told.
    pub fn build<G: Material>(&self, game: &G) -> Result<Arc<dyn Agent<G>>, AgentError> {
        let fault = |message| AgentError::Option { agent: self.to_string(), message };
        Ok(match self {
            AgentSpec::Random => Arc::new(Random),
            AgentSpec::Greedy => Arc::new(Greedy),
            AgentSpec::Exact => game.exact().map_err(fault)?,
            AgentSpec::Rules(worlds) => game.rule_player(*worlds).map_err(fault)?,
            AgentSpec::Expectimax(options) => game.expectimax(*options).map_err(fault)?,
            AgentSpec::Mcts(options) => game.tree_search(*options, None).map_err(fault)?,
            AgentSpec::Net(spec) => spec.build(game)?,
            AgentSpec::Engine(spec) => Engine::build(spec, game)?,
            AgentSpec::Partners(specs) => {
                let [one, other] = &**specs;
                Arc::new(Partners::new(game, [one.build(game)?, other.build(game)?]).map_err(fault)?)
            }
        })
    }
}

/// The options of `rules`.
fn rules<'a>(mut parts: impl Iterator<Item = &'a str>) -> Result<Option<worlds::Options>, String> {
    match parts.next().map(str::trim) {
        None => Ok(None),
        Some("search=worlds") => worlds::Options::parse(parts).map(Some),
        Some(part) => Err(format!("unknown option '{part}': known is search=worlds with {}", worlds::Options::KNOWN)),
    }
}

impl std::fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AgentSpec::Random => write!(f, "random"),
            AgentSpec::Greedy => write!(f, "greedy"),
            AgentSpec::Exact => write!(f, "exact"),
            AgentSpec::Rules(None) => write!(f, "rules"),
            AgentSpec::Rules(Some(worlds)) => write!(f, "rules,{worlds}"),
            AgentSpec::Expectimax(options) => write!(f, "expectimax:{options}"),
            AgentSpec::Mcts(options) => write!(f, "mcts:{options}"),
            AgentSpec::Engine(spec) => spec.fmt(f),
            AgentSpec::Net(spec) => spec.fmt(f),
            AgentSpec::Partners(specs) => write!(f, "{}+{}", specs[0], specs[1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for text in [
            "random",
            "greedy",
            "exact",
            "rules",
            "rules,search=worlds,n=16",
            "rules,search=worlds,n=16,plies=4",
            "expectimax:depth=3",
            "expectimax:depth=8,ms=300,nodes=20000,tables=4",
            "net:a/b",
            "net:a/b,temperature=0.5",
            "net:a/b,search=mcts,sims=64",
            "net:a/b,search=worlds,n=24",
            "net:a/b,search=expectimax,depth=2,ms=100,tables=3",
            "mcts:sims=400",
            "mcts:sims=400,playout=8",
            "uci:a/b,movetime=5",
            "rules+net:a+b/c,temperature=0.5",
            "net:a+b",
        ] {
            assert_eq!(AgentSpec::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn faults_list_what_is_known() {
        let fault = |text| AgentSpec::parse(text).unwrap_err().to_string();
        assert_eq!(
            fault("gredy"),
            "unknown agent 'gredy': known agents are random, greedy, rules, exact, expectimax:LIMIT, mcts:sims=N, net:CHECKPOINT, uci:PATH, dctp:PATH"
        );
        assert_eq!(fault("greedy,depth=2"), "agent 'greedy,depth=2': unknown option 'depth=2': greedy takes none");
        assert!(fault("expectimax").contains("a limit must follow"));
        assert!(
            fault("expectimax:depth=3,width=2").contains("unknown option 'width=2': known are depth=1..64, ms=1..")
        );
        assert!(fault("expectimax:depth=0").contains("depth=0: expected a whole number from 1 to 64"));
        assert!(fault("net:").contains("a folder must follow"));
        assert!(fault("net:a,temperature=x").contains("from 0 to 10"));
        assert!(fault("net:a,depth=2").contains("depth= belongs to search=expectimax; temperature=0..10"));
        assert!(fault("net:a,search=expectimax,tables=2").contains("needs a limit, such as ms=100"));
        assert!(fault("net:a,search=alphabeta").contains("search=expectimax with depth=1..64"));
        assert!(fault("net:a,search=mcts").contains("such as sims=64"));
        assert!(fault("net:a,sims=4").contains("belongs to search=mcts"));
        assert!(fault("rules,n=4").contains("unknown option 'n=4': known is search=worlds with n=1..10000"));
        assert!(fault("rules,search=worlds").contains("such as n=16"));
        assert!(fault("rules,search=worlds,n=0").contains("n=0: expected a whole number from 1 to 10000"));
        assert!(fault("rules+greedy+random").contains("a team has two partners"));
        assert!(fault("rules+gredy").contains("unknown agent 'rules+gredy'"));
        assert!(fault("gredy+rules").contains("unknown agent 'gredy'"));
        assert!(fault("mcts").contains("such as mcts:sims=400"));
        assert!(fault("mcts:sims=0").contains("sims=0: expected a whole number from 1 to 1000000"));
    }
}

//! A network as a player: its policy or its value, alone or judging for a search.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anqi_env::darkchess::DarkChess;
use anqi_env::game::{Action, Belief, Game, Symmetry};
use anqi_env::rng::Rng;

use super::{Agent, AgentError, Material, Turn};
use crate::checkpoint;
use crate::encode::{Encoded, shape_of};
use crate::net::value::Integer;
use crate::net::{Arch, Infer, Output};
use crate::search::expectimax::{Expectimax, Options};
use crate::search::mcts::{self, Mcts, Thumb};
use crate::search::worlds;

/// A network agent as users write it, behind `net:`.
#[derive(Clone, Debug, PartialEq)]
pub struct NetSpec {
    /// The checkpoint's folder.
    pub path: PathBuf,
    /// 0 takes the most probable action, 1 draws from the policy.
    pub temperature: f32,
    /// The search that it judges for.
    pub search: Search,
}

/// What a network judges for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// No search.
    None,
    /// A tree search of so many simulations.
    Mcts(u32),
    /// A search over moves and chance: value networks only.
    Expectimax(Options),
    /// Games that fit what the seat knows: Junqi's policies only.
    Worlds(worlds::Options),
}

impl Search {
    /// Reads a search as it stands behind `search=`, such as `mcts,sims=64`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn parse(text: &str) -> Result<Search, String> {
        let search = format!("search={text}");
        match NetSpec::parse("-", search.split(','))?.search {
            Search::None => Err("expected mcts with sims=, expectimax with a limit, or worlds with n=".into()),
            search => Ok(search),
        }
    }
}

impl NetSpec {
    /// A network without search.
    pub fn alone(path: PathBuf, temperature: f32) -> NetSpec {
        NetSpec { path, temperature, search: Search::None }
    }

    /// Reads what stands behind `net:`, a folder and options.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub(super) fn parse<'a>(path: &str, parts: impl Iterator<Item = &'a str>) -> Result<NetSpec, String> {
        let (mut temperature, mut sims, mut search) = (0.0, 0, "");
        let (mut limits, mut worlds) = (Vec::new(), Vec::new());
        for part in parts.map(str::trim) {
            match part.split_once('=') {
                Some(("temperature", value)) => {
                    let value = value.parse().ok().filter(|t: &f32| (0.0..=10.0).contains(t));
                    temperature = value.ok_or("temperature must be a number from 0 to 10")?;
                }
                Some(("search", value @ ("mcts" | "expectimax" | "worlds"))) => search = value,
                Some(("sims", value)) => {
                    let value = value.parse().ok().filter(|n| (1..=1_000_000).contains(n));
                    sims = value.ok_or("sims must be a whole number from 1 to 1000000")?;
                }
                Some(("depth" | "ms" | "nodes" | "tables", _)) => limits.push(part),
                Some(("n" | "plies", _)) => worlds.push(part),
                _ => {
                    let known = "temperature=0..10, search=mcts with sims=1..1000000, search=expectimax with";
                    let (limits, worlds) = (Options::KNOWN, worlds::Options::KNOWN);
                    return Err(format!(
                        "unknown option '{part}': known are {known} {limits}, search=worlds with {worlds}"
                    ));
                }
            }
        }
        let search = match search {
            "mcts" if sims == 0 => return Err("search=mcts needs a number of simulations, such as sims=64".into()),
            "mcts" => Search::Mcts(sims),
            _ if sims > 0 => return Err("sims= belongs to search=mcts".into()),
            "expectimax" if limits.iter().all(|limit| limit.starts_with("tables")) => {
                return Err("search=expectimax needs a limit, such as ms=100".into());
            }
            "expectimax" => Search::Expectimax(Options::parse(limits.drain(..))?),
            "worlds" => Search::Worlds(worlds::Options::parse(worlds.drain(..))?),
            _ => Search::None,
        };
        if let Some(limit) = limits.first() {
            let name = limit.split('=').next().unwrap_or_default();
            return Err(format!("{name}= belongs to search=expectimax; temperature=0..10 and search= go without"));
        }
        if let Some(option) = worlds.first() {
            let name = option.split('=').next().unwrap_or_default();
            return Err(format!("{name}= belongs to search=worlds"));
        }
        if search != Search::None && temperature > 0.0 {
            return Err("temperature= and search= do not go together".into());
        }
        if path.is_empty() {
            return Err("a folder must follow, such as net:runs/latest".into());
        }
        Ok(NetSpec { path: path.into(), temperature, search })
    }

    fn fault(&self, message: String) -> AgentError {
        AgentError::Option { agent: self.to_string(), message }
    }

    /// Makes the agent for a game.
    pub(super) fn build<G: Material>(&self, game: &G) -> Result<Arc<dyn Agent<G>>, AgentError> {
        let card = checkpoint::load_card(&self.path)?;
        let spec = game.spec();
        card.check(&self.path, spec.rules_hash, spec.encoding, &shape_of(spec))?;
        if card.net.arch == Arch::Value {
            return game.value_player(self);
        }
        match self.search {
            Search::None => Ok(Arc::new(NetAgent::load(&self.path, game, self.temperature)?)),
            Search::Mcts(sims) => {
                let options = mcts::Options { sims, playout: 0 };
                game.tree_search(options, Some(load(&self.path, game)?)).map_err(|message| self.fault(message))
            }
            Search::Worlds(options) => {
                let net = NetAgent::load(&self.path, game, 0.0)?;
                game.worlds(net, options).map_err(|message| self.fault(message))
            }
            Search::Expectimax(_) => Err(self.fault(
                "search=expectimax needs a value network (anqi train --preset value), and this one has a policy; \
                 expected search=mcts with sims=, or search=worlds with n= in Junqi"
                    .into(),
            )),
        }
    }

    /// Makes the agent of a value network.
    pub(super) fn build_value(&self, game: &DarkChess) -> Result<Arc<dyn Agent<DarkChess>>, AgentError> {
        let (net, _) = checkpoint::load_value(&self.path, game.rules())?;
        let net = Integer::new(&net);
        Ok(match self.search {
            Search::None if self.temperature > 0.0 => {
                return Err(self.fault("a value network has no policy to draw from; expected temperature=0".into()));
            }
            Search::None => Arc::new(Expectimax::of_one_ply(Arc::new(net))),
            Search::Worlds(_) => return Err(self.fault("search=worlds is for Junqi".into())),
            Search::Mcts(sims) => Arc::new(Mcts::new(Thumb { evaluator: net, playout: 0 }, sims)),
            Search::Expectimax(options) => {
                Arc::new(Expectimax::new(game, options, Arc::new(net)).map_err(|message| self.fault(message))?)
            }
        })
    }
}

impl fmt::Display for NetSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "net:{}", self.path.display())?;
        if self.temperature != 0.0 {
            write!(f, ",temperature={}", self.temperature)?;
        }
        match self.search {
            Search::None => Ok(()),
            Search::Mcts(sims) => write!(f, ",search=mcts,sims={sims}"),
            Search::Expectimax(options) => write!(f, ",search=expectimax,{options}"),
            Search::Worlds(options) => write!(f, ",{options}"),
        }
    }
}

/// A checkpoint's network for a game.
fn load<G: Game>(path: &Path, game: &G) -> Result<Infer, AgentError> {
    let (net, card) = crate::checkpoint::load_net(path)?;
    let spec = game.spec();
    card.check(path, spec.rules_hash, spec.encoding, &shape_of(spec))?;
    Ok(Infer::new(&net, card.shape))
}

/// Plays a network's policy.
pub struct NetAgent {
    infer: Infer,
    /// What judges worlds in which all is known, where the checkpoint has it.
    critic: Option<Infer>,
    temperature: f32,
}

impl NetAgent {
    /// Loads a checkpoint's network for a game.
    ///
    /// # Errors
    /// A folder that is no whole checkpoint, or one trained for other rules or another encoding.
    pub fn load<G: Game>(path: &Path, game: &G, temperature: f32) -> Result<NetAgent, AgentError> {
        let critic = checkpoint::load_critic(path)?.map(|net| Infer::new(&net, net.shape()));
        Ok(NetAgent { critic, ..NetAgent::new(load(path, game)?, temperature) })
    }

    /// A network in memory as a player.
    pub fn new(infer: Infer, temperature: f32) -> NetAgent {
        NetAgent { infer, critic: None, temperature }
    }

    /// The network that is shown all pieces, for positions in which the one who asks knows them.
    pub(crate) fn critic(&self) -> Option<&Infer> {
        self.critic.as_ref()
    }

    /// The seat to move's observation, and `[places, kinds]`: how likely the network takes each kind for the pieces of others,
    /// by place as that seat looks at the board; none where it does not say.
    fn shares<G: Game>(&self, game: &G, view: &G::View) -> Option<(Encoded, Vec<f32>)> {
        let mut encoded = Encoded::new(game.spec(), 1);
        encoded.write(game, view, 0);
        let shares = self.infer.believe(&encoded.planes, &encoded.scalars, 1)?;
        Some((encoded, shares))
    }

    /// The logarithms of those shares over what the observation tells; nought where a kind cannot be.
    pub(crate) fn leanings<G: Game>(&self, game: &G, view: &G::View) -> Option<Vec<f32>> {
        let (encoded, mut shares) = self.shares(game, view)?;
        let kinds = game.belief_features()?;
        let places = encoded.planes.chunks_exact(game.spec().planes[2]).zip(shares.chunks_exact_mut(kinds.len()));
        for (told, shares) in places {
            let told = &told[kinds.clone()];
            let all: f32 = told.iter().map(|&share| f32::from(share)).sum();
            for (share, &told) in shares.iter_mut().zip(told) {
                *share = if told > 0 { (*share * all / f32::from(told)).max(1e-4).ln() } else { 0.0 };
            }
        }
        Some(shares)
    }

    /// What the network makes of positions, with how the actions of each are turned.
    fn run<'a, G: Game>(&self, game: &'a G, views: &[&G::View]) -> (Output, Vec<&'a Symmetry>) {
        let mut encoded = Encoded::new(game.spec(), views.len());
        let turned = views.iter().enumerate().map(|(row, view)| encoded.write(game, view, row)).collect();
        (self.infer.run(&encoded.planes, &encoded.scalars, &encoded.mask, views.len()), turned)
    }
}

/// An action by its log-probabilities: the most probable at temperature 0, else drawn from the policy
/// raised to 1/temperature. The first of equals. Of a network whose numbers overflow, which says NaN of every legal
/// action, the first legal one: whoever learns from it notices, and whoever plays it goes on.
pub fn choose(log_probs: &[f32], temperature: f32, rng: &mut Rng) -> Action {
    let most = log_probs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let first = |fits: &dyn Fn(f32) -> bool| log_probs.iter().position(|&p| fits(p)).unwrap_or(0) as Action;
    if most == f32::NEG_INFINITY {
        return first(&f32::is_nan);
    }
    if temperature <= 0.0 {
        return first(&|p| p == most);
    }
    // Most actions are illegal, and the exponential of negative infinity takes as long as any.
    let weight = |p: f32| if p > f32::NEG_INFINITY { ((p - most) / temperature).exp() } else { 0.0 };
    let total: f32 = log_probs.iter().map(|&p| weight(p)).sum();
    let mut left = rng.unit() * total;
    let mut chosen = 0;
    for (action, &p) in log_probs.iter().enumerate() {
        let weight = weight(p);
        if weight > 0.0 {
            chosen = action;
            left -= weight;
            if left < 0.0 {
                break;
            }
        }
    }
    chosen as Action
}

impl<G: Game> Agent<G> for NetAgent {
    fn act(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Action> {
        let views: Vec<&G::View> = turns.iter().map(|turn| turn.view).collect();
        let (output, turned) = self.run(game, &views);
        let rows = output.logp.chunks_exact(game.spec().num_actions).zip(turned);
        let choice = |(turn, (row, turned)): (&mut Turn<'_, G>, (_, &Symmetry))| {
            turned.original(choose(row, self.temperature, turn.rng))
        };
        turns.iter_mut().zip(rows).map(choice).collect()
    }

    fn batches(&self) -> bool {
        true
    }

    fn policy(&self, game: &G, view: &G::View) -> Vec<f32> {
        let (output, turned) = self.run(game, &[view]);
        turned[0].actions.iter().map(|&image| output.logp[usize::from(image)].exp()).collect()
    }

    fn beliefs(&self, game: &G, view: &G::View) -> Vec<Belief> {
        self.shares(game, view).map_or(Vec::new(), |(_, shares)| game.believed(view, &shares))
    }

    fn value(&self, game: &G, view: &G::View) -> f32 {
        let wdl = self.run(game, &[view]).0.wdl;
        wdl[0] - wdl[2]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_legal_actions_are_chosen() {
        let (no, bad) = (f32::NEG_INFINITY, f32::NAN);
        let mut rng = Rng::new(1);
        for temperature in [0.0, 0.5, 1.0] {
            for _ in 0..50 {
                let chosen = choose(&[no, -2.0, no, -0.2, no], temperature, &mut rng);
                assert!(chosen == 3 || temperature > 0.0 && chosen == 1, "{chosen}");
                assert_eq!(choose(&[no, no, bad, no, bad], temperature, &mut rng), 2);
                assert_eq!(choose(&[no, bad, 0.0, no, no], temperature, &mut rng), 2);
            }
        }
    }
}

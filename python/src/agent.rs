//! Agents: whoever chooses an action from what its seat may see.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use std::any::Any;

use anqi_env::any::{AnyGame, AnyRules, Running};
use anqi_env::darkchess::DarkChess;
use anqi_env::game::Action;
use anqi_env::junqi::Junqi;
use anqi_env::rng::Rng;
use anqi_env::vector::VecGame as Games;
use anqi_env::{with_family, with_vec_family};
use anqi_train::agent::{self, AgentError, AgentSpec, Material, Search, Turn};
use anqi_train::checkpoint;
use anqi_train::search::interrupt::{interrupted, interruptible};
use numpy::PyArray1;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::args::{self, Arg};
use crate::game::{Believed, Game, believed};
use crate::patience::{Teller, wait_for};
use crate::vec_game::VecGame;

/// Games whose observations an agent gets at a time; more would only need more memory.
const ROWS: usize = 512;

/// Whoever plays: "random", "greedy", "rules" and "rules,search=worlds,n=24" (Junqi), "exact" (small boards),
/// "expectimax:depth=3" and "mcts:sims=400" (dark chess and Tomb Chess),
/// "net:CHECKPOINT", with options as in "net:runs/a,temperature=0.5" or
/// "net:runs/a,search=mcts,sims=64", or an outside engine, "uci:PATH" or "dctp:PATH".
///
/// An agent gets what the seat to move may see and cannot look under a piece. The same seed and the same calls give the
/// same choices.
///
/// Args:
///     text: The agent's name.
///     seed: What its own chance follows from.
#[pyclass(frozen, module = "anqi")]
pub(crate) struct Agent {
    spec: AgentSpec,
    seed: u64,
    /// Calls so far that may leave something to chance; each has random streams of its own.
    calls: AtomicU64,
    /// The agent as it was made for the rules of each hash: a [`Player`] of the rules' family.
    made: Mutex<Vec<(u64, Box<dyn Any + Send + Sync>)>>,
}

type Player<G> = Arc<dyn agent::Agent<G>>;

/// Calls a generic function with an ongoing game's own type.
macro_rules! with_ongoing {
    ($game:expr, $running:ident => $body:expr) => {{
        let game = ongoing($game)?.as_any();
        if let Some($running) = game.downcast_ref::<Running<DarkChess>>() {
            Ok($body)
        } else if let Some($running) = game.downcast_ref::<Running<Junqi>>() {
            Ok($body)
        } else {
            Err(PyTypeError::new_err("agents do not play this family of games"))
        }
    }};
}

#[pymethods]
impl Agent {
    #[new]
    #[pyo3(signature = (text, seed = Arg::Omitted), text_signature = "(text, seed=0)")]
    fn new(py: Python<'_>, text: &str, seed: Arg<'_>) -> PyResult<Self> {
        let seed = match seed {
            Arg::Omitted => 0,
            Arg::Given(seed) => args::number("seed", &seed, 0..=u64::MAX)?,
        };
        let spec = AgentSpec::parse(text).map_err(fault)?;
        let agent = Agent { spec, seed, calls: AtomicU64::new(0), made: Mutex::new(Vec::new()) };
        // What is wrong with a checkpoint is told now, not in the first game.
        if let AgentSpec::Net(net) = &agent.spec {
            py.detach(|| {
                let (_, card) = checkpoint::load_weights(&net.path)?;
                match AnyRules::parse(&card.game) {
                    Ok(rules) => with_family!(&rules, game => agent.player(game).map(drop)),
                    Err(_) => Ok(()),
                }
            })
            .map_err(fault)?;
        }
        Ok(agent)
    }

    /// The agent's name.
    #[getter]
    fn name(&self) -> String {
        self.spec.to_string()
    }

    /// What its own chance follows from.
    #[getter]
    fn seed(&self) -> u64 {
        self.seed
    }

    /// Chooses an action.
    fn act(&self, py: Python<'_>, game: &Game) -> PyResult<Action> {
        let chosen = with_ongoing!(game, running => self.work(py, searches(&self.spec), || {
            let mut rng = Rng::branch(self.seed, &[self.next_call(), 0]);
            let turn = Turn { view: running.view(), rng: &mut rng, game: running.seed() };
            let player = self.player(running.game())?;
            Ok(player.try_act(running.game(), &mut [turn]).remove(0))
        })?)?;
        chosen.map_err(fault)?.map_err(|message| self.failed(&message))
    }

    /// The probability of each action: float32 [num_actions].
    fn policy<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let policy = with_ongoing!(game, running => {
            self.work(py, searches(&self.spec), || Ok(self.player(running.game())?.policy(running.game(), running.view())))?
        })?;
        Ok(PyArray1::from_slice(py, &policy.map_err(fault)?))
    }

    /// The result it expects for the seat to move, from -1 (lost) to 1 (won).
    fn value(&self, py: Python<'_>, game: &Game) -> PyResult<f32> {
        let value = with_ongoing!(game, running => {
            self.work(py, searches(&self.spec), || Ok(self.player(running.game())?.value(running.game(), running.view())))?
        })?;
        value.map_err(fault)
    }

    /// What it takes the pieces for that the seat to move does not see, in the form of `Game.beliefs`.
    ///
    /// Empty unless it is a network that has learned to tell (`net.beliefs`, Junqi).
    fn beliefs<'py>(&self, py: Python<'py>, game: &Game) -> PyResult<Vec<Believed<'py>>> {
        let beliefs = with_ongoing!(game, running => {
            self.work(py, searches(&self.spec), || Ok(self.player(running.game())?.beliefs(running.game(), running.view())))?
        })?;
        believed(py, beliefs.map_err(fault)?)
    }

    /// Chooses an action in every game: int32 [N].
    ///
    /// Args:
    ///     vec: The games.
    ///     rows: bool [N], the rows to choose in; the others get -1. Finished games that are kept get -1 always.
    #[pyo3(signature = (vec, rows = None))]
    fn act_batch<'py>(
        &self,
        py: Python<'py>,
        vec: &VecGame,
        rows: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let asked = vec.marks(rows)?;
        let inner = vec.lock()?;
        let chosen = with_vec_family!(&inner.games, games => self.work(py, searches(&self.spec) || games.len() > ROWS, || {
            let plays = |row: &usize| !(vec.holds() && games.is_over(*row));
            let rows = (0..games.len()).filter(|&row| asked.as_ref().is_none_or(|asked| asked[row]));
            self.choose(games, &rows.filter(plays).collect::<Vec<_>>())
        })?);
        let chosen: Result<Vec<i32>, String> = chosen.map_err(fault)?.into_iter().collect();
        Ok(PyArray1::from_slice(py, &chosen.map_err(|message| self.failed(&message))?))
    }

    /// A copy goes on with the same random streams.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String, u64), u64) {
        let agent = slf.get();
        (slf.get_type().into_any(), (agent.name(), agent.seed), agent.calls.load(Ordering::Relaxed))
    }

    fn __setstate__(&self, calls: u64) {
        self.calls.store(calls, Ordering::Relaxed);
    }

    fn __repr__(&self) -> String {
        format!("<anqi.Agent {}, seed {}>", self.spec, self.seed)
    }
}

/// Whether a single answer may take long.
fn searches(spec: &AgentSpec) -> bool {
    match spec {
        AgentSpec::Random | AgentSpec::Greedy | AgentSpec::Exact => false,
        AgentSpec::Rules(worlds) => worlds.is_some(),
        AgentSpec::Net(net) => net.search != Search::None,
        AgentSpec::Expectimax(_) | AgentSpec::Mcts(_) | AgentSpec::Engine(_) => true,
        AgentSpec::Partners(specs) => specs.iter().any(searches),
    }
}

impl Agent {
    /// Works without the interpreter's lock; what may take long is ended by signals such as Ctrl-C.
    fn work<R: Send>(&self, py: Python<'_>, slow: bool, work: impl FnOnce() -> R + Send) -> PyResult<R> {
        match slow {
            false => Ok(py.detach(work)),
            true => {
                let work = |teller: Teller<'_, ()>| interruptible(teller.stop.clone(), work);
                wait_for(py, work, |_, ()| Ok(false), |_, _| {})
            }
        }
    }

    /// An outside engine has failed; the next game starts another one.
    fn failed(&self, message: &str) -> PyErr {
        PyRuntimeError::new_err(format!("agent '{}': {message}", self.spec))
    }

    fn next_call(&self) -> u64 {
        self.calls.fetch_add(1, Ordering::Relaxed)
    }

    /// The agent for a game's rules, made when they are first met.
    fn player<G: Material>(&self, game: &G) -> Result<Player<G>, AgentError> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = game.spec().rules_hash;
        let known = made.iter().filter(|(rules, _)| *rules == hash).find_map(|(_, player)| player.downcast_ref());
        if let Some(player) = known {
            return Ok(Player::<G>::clone(player));
        }
        let player = self.spec.build(game)?;
        made.push((hash, Box::new(player.clone())));
        Ok(player)
    }

    /// An action in each of these rows, -1 in the others.
    fn choose<G: Material>(&self, games: &Games<G>, rows: &[usize]) -> Result<Vec<Result<i32, String>>, AgentError> {
        let (game, call) = (games.game(), self.next_call());
        let player = self.player(game)?;
        let mut chosen = vec![Ok(-1); games.len()];
        for rows in rows.chunks(if player.batches() || !searches(&self.spec) { ROWS } else { 1 }) {
            if interrupted() {
                break;
            }
            let mut streams: Vec<Rng> = rows.iter().map(|&row| Rng::branch(self.seed, &[call, row as u64])).collect();
            let turn = |(&row, rng)| {
                let state = games.state(row);
                Turn { view: game.view(state, game.to_move(state)), rng, game: row as u64 }
            };
            let mut turns: Vec<Turn<'_, G>> = rows.iter().zip(&mut streams).map(turn).collect();
            for (&row, action) in rows.iter().zip(player.try_act(game, &mut turns)) {
                chosen[row] = action.map(i32::from);
            }
        }
        Ok(chosen)
    }
}

/// A game in which somebody is to move.
fn ongoing(game: &Game) -> PyResult<&dyn AnyGame> {
    let game = game.inside();
    if !game.status().is_ongoing() {
        return Err(PyValueError::new_err("the game is over: there is nothing to choose"));
    }
    Ok(game)
}

pub(crate) fn fault(fault: AgentError) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

//! Programs of other people as agents, and our agents as programs for other people's boards.
//!
//! [`EngineSpec`] is how an outside engine is written, [`Engine`] the agent. `process` runs the program; `uci` and
//! `dctp` are what is said to it, `log` the plies it has to hear. [`serve`] is the other direction. An engine that crashes,
//! is late, or answers what is no legal move loses its game with the reason, and a new one is started for the next.

mod children;
mod dctp;
mod lines;
mod log;
mod options;
mod process;
pub mod serve;
mod uci;

pub use children::end_with_us;
pub use options::{EngineSpec, Protocol};

use std::any::Any;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anqi_env::darkchess::{DarkChess, Position, Rules};
use anqi_env::game::{Action, Game};

use crate::agent::{Agent, AgentError, Material, Turn};
use log::Log;

/// What a program may take to start, and so at least what its first answer may.
const START: Duration = Duration::from_secs(10);

/// Games that are remembered at a time; nobody says when a game is over, so the oldest are forgotten.
const GAMES: usize = 16_384;

/// A running engine.
trait Dialogue: Send {
    /// Asks for an action in a game that has come to a position. After an error it is not asked again.
    fn ask(&mut self, game: &DarkChess, view: &Position, log: &mut Log) -> Result<Action, String>;
}

/// Whether the protocols can tell a game, and the engines know its rules.
///
/// # Errors
/// Which games they can.
pub fn check<G: Game>(game: &G) -> Result<&DarkChess, String> {
    let plain = |game: &&DarkChess| {
        let rules = game.rules();
        // What ends a game may differ: the engine is not asked about it.
        let Rules { quiet_limit, repetition, dark_fail, first, .. } = *rules;
        *rules == Rules { quiet_limit, repetition, dark_fail, first, ..Rules::default() }
    };
    (game as &dyn Any).downcast_ref::<DarkChess>().filter(plain).ok_or_else(|| {
        format!(
            "the engines' protocols are for dark chess on 4x8 squares without variants (profiles taiwan and icga, \
             options quiet_limit and repetition), not {}",
            game.spec().name
        )
    })
}

/// An outside engine as an agent. It runs as many programs as games are played at once, but no more than two for each
/// core unless all of them are thinking; each keeps to its game as long as it can.
pub struct Engine {
    spec: EngineSpec,
    /// Programs that are kept waiting.
    most: usize,
    pool: Mutex<Pool>,
}

#[derive(Default)]
struct Pool {
    /// Those that wait, the longest waiting first, with the game that each was last asked about.
    waiting: Vec<(u64, Box<dyn Dialogue>)>,
    /// How many are thinking.
    thinking: usize,
    /// The games, with when each was last seen.
    games: HashMap<u64, (u64, Log)>,
    /// Turns so far.
    turns: u64,
}

impl Engine {
    /// Starts an engine, so that what is wrong with it is known now.
    ///
    /// # Errors
    /// A game that the protocols cannot tell, or a program that does not start or does not answer.
    pub fn build<G: Material>(spec: &EngineSpec, game: &G) -> Result<Arc<dyn Agent<G>>, AgentError> {
        let fault = |message: String| AgentError::Option { agent: spec.to_string(), message };
        let dark_chess = check(game).map_err(fault)?;
        let most = 2 * std::thread::available_parallelism().map_or(1, usize::from);
        let engine = Engine { spec: spec.clone(), most, pool: Mutex::default() };
        let first = engine.start(dark_chess).map_err(fault)?;
        // No game has this number yet; one that gets it is none the worse for it.
        engine.pool().waiting.push((u64::MAX, first));
        let engine: Box<dyn Any> = Box::new(Arc::new(engine) as Arc<dyn Agent<DarkChess>>);
        let engine = engine.downcast().map(|engine| *engine);
        engine.map_err(|_| fault("its games are of another family".into()))
    }

    fn start(&self, game: &DarkChess) -> Result<Box<dyn Dialogue>, String> {
        Ok(match self.spec.protocol {
            Protocol::Uci => Box::new(uci::Uci::start(&self.spec, game)?),
            Protocol::Dctp => Box::new(dctp::Dctp::start(&self.spec)?),
        })
    }

    fn pool(&self) -> MutexGuard<'_, Pool> {
        // Nothing is left half-done under this lock.
        self.pool.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One turn of one game.
    fn turn(&self, game: &DarkChess, id: u64, view: &Position) -> Result<Action, String> {
        let (waiting, log) = self.pool().begin(id, self.most);
        let mut log = match log {
            Some(mut log) => {
                log.follow(game, view);
                log
            }
            None => Log::new(game, view),
        };
        let asked = waiting.map_or_else(|| self.start(game), Ok).and_then(|mut engine| {
            let action = engine.ask(game, view, &mut log)?;
            if game.is_legal(view, action) {
                return Ok((engine, action));
            }
            Err(format!("{} is not legal at {}", game.action_name(action), game.view_text(view)))
        });
        let mut pool = self.pool();
        pool.thinking -= 1;
        match asked {
            Ok((engine, action)) => {
                let spare = pool.end(id, engine, log, self.most);
                drop(pool);
                // Takes leave of a program, which may take a moment.
                drop(spare);
                Ok(action)
            }
            // The program is gone already, and the game is over.
            Err(fault) => Err(fault),
        }
    }
}

impl Pool {
    /// A program for a game: the one that knows it, else the one that has waited longest, else none, and then a new one
    /// is to be started.
    fn begin(&mut self, id: u64, most: usize) -> (Option<Box<dyn Dialogue>>, Option<Log>) {
        let known = self.waiting.iter().position(|&(game, _)| game == id);
        let full = self.waiting.len() + self.thinking >= most && !self.waiting.is_empty();
        self.thinking += 1;
        let engine = known.or(full.then_some(0)).map(|place| self.waiting.remove(place).1);
        (engine, self.games.remove(&id).map(|(_, log)| log))
    }

    /// Puts a program back; gives one that is too many.
    fn end(&mut self, id: u64, engine: Box<dyn Dialogue>, log: Log, most: usize) -> Option<Box<dyn Dialogue>> {
        self.turns += 1;
        if self.games.len() >= GAMES {
            let oldest = self.games.iter().min_by_key(|(_, (seen, _))| *seen).map(|(&id, _)| id);
            oldest.map(|id| self.games.remove(&id));
        }
        self.games.insert(id, (self.turns, log));
        self.waiting.push((id, engine));
        (self.waiting.len() > most).then(|| self.waiting.remove(0).1)
    }
}

impl Agent<DarkChess> for Engine {
    /// A turn in which it fails has an action that no game has.
    fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
        self.try_act(game, turns).into_iter().map(|action| action.unwrap_or(Action::MAX)).collect()
    }

    fn try_act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Result<Action, String>> {
        turns.iter().map(|turn| self.turn(game, turn.game, turn.view)).collect()
    }

    /// All on what it would play; nothing where it fails.
    fn policy(&self, game: &DarkChess, view: &Position) -> Vec<f32> {
        let mut policy = vec![0.0; game.spec().num_actions];
        // A question aside, in no game.
        if let Ok(action) = self.turn(game, u64::MAX, view) {
            policy[usize::from(action)] = 1.0;
        }
        policy
    }

    /// It says nothing of what it expects, so this is the balance of the material, a rough guess.
    fn value(&self, game: &DarkChess, view: &Position) -> f32 {
        game.balance(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_that_the_protocols_can_tell() {
        for (rules, can) in [
            ("taiwan", true),
            ("icga", true),
            ("taiwan,quiet_limit=100,repetition=none", true),
            ("mini", false),
            ("hongkong", false),
            ("gametower", false),
            ("mainland", false),
        ] {
            let game = DarkChess::parse(rules).unwrap();
            assert_eq!(check(&game).is_ok(), can, "{rules}");
        }
        let tomb = DarkChess::parse_tomb("").unwrap();
        let told = check(&tomb).err().unwrap();
        assert!(told.contains("dark chess on 4x8 squares") && told.contains("tombchess:standard"), "{told}");
    }
}

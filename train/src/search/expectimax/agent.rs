//! Expectimax as a player.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Game};

use super::node::Judge;
use super::options::{Limits, Options};
use super::root::{Found, Searcher};
use crate::agent::{Agent, Opinion, Turn};
use crate::search::evaluator::Evaluator;
use crate::search::tables::Tables;

/// Plays the best action that a search finds. With `depth=` and `nodes=` the same position always gives the same
/// action, on any number of threads.
pub struct Expectimax {
    options: Options,
    evaluator: Arc<dyn Evaluator>,
    tables: Option<Tables>,
    /// Searchers that no thread is using.
    idle: Mutex<Vec<Searcher>>,
    /// Positions visited by all searches.
    nodes: AtomicU64,
}

impl Expectimax {
    /// A player that looks so far and judges what it cannot see by an evaluator.
    ///
    /// # Errors
    /// Tables asked for where the rules allow none.
    pub fn new(game: &DarkChess, options: Options, evaluator: Arc<dyn Evaluator>) -> Result<Expectimax, String> {
        let tables = if options.tables > 0 { Some(Tables::new(game, options.tables)?) } else { None };
        Ok(Expectimax { options, evaluator, tables, idle: Mutex::new(Vec::new()), nodes: AtomicU64::new(0) })
    }

    /// A player that looks at what each action may lead to, and at the captures that follow: the best afterstate, as far
    /// as an evaluator knows.
    pub fn of_one_ply(evaluator: Arc<dyn Evaluator>) -> Expectimax {
        let options = Options { limits: Limits { depth: Some(1), ..Limits::default() }, tables: 0 };
        Expectimax { options, evaluator, tables: None, idle: Mutex::default(), nodes: AtomicU64::new(0) }
    }

    fn judge(&self) -> Judge<'_> {
        Judge { evaluator: &*self.evaluator, tables: self.tables.as_ref() }
    }

    /// Searches for the best action.
    pub fn search(&self, game: &DarkChess, position: &Position) -> Found {
        self.with(game, |searcher| searcher.best(game, self.judge(), position, self.options.limits))
    }

    /// Searches for the value of every action.
    pub fn search_all(&self, game: &DarkChess, position: &Position) -> Found {
        self.with(game, |searcher| searcher.all(game, self.judge(), position, self.options.limits))
    }

    fn with(&self, game: &DarkChess, search: impl FnOnce(&mut Searcher) -> Found) -> Found {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop();
        let mut searcher = kept.unwrap_or_else(|| Searcher::new(game));
        let found = search(&mut searcher);
        idle().push(searcher);
        self.nodes.fetch_add(found.nodes, Ordering::Relaxed);
        found
    }
}

impl Agent<DarkChess> for Expectimax {
    fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
        turns.iter().map(|turn| self.search(game, turn.view).action.unwrap_or_default()).collect()
    }

    fn policy(&self, game: &DarkChess, view: &Position) -> Vec<f32> {
        self.opinion(game, view, false).policy
    }

    fn value(&self, game: &DarkChess, view: &Position) -> f32 {
        self.search(game, view).value
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.nodes.load(Ordering::Relaxed))
    }

    fn values(&self, game: &DarkChess, view: &Position) -> Vec<(Action, f32)> {
        self.search_all(game, view).values
    }

    fn opinion(&self, game: &DarkChess, view: &Position, of_actions: bool) -> Opinion {
        let found = if of_actions { self.search_all(game, view) } else { self.search(game, view) };
        let mut policy = vec![0.0; game.spec().num_actions];
        if let Some(action) = found.action {
            policy[usize::from(action)] = 1.0;
        }
        Opinion { policy, value: found.value, values: found.values }
    }
}

//! A solved board, and the values of its positions.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use anqi_env::darkchess::rules::{Chain, Family};
use anqi_env::darkchess::{DarkChess, Kind, Position};
use anqi_env::game::{Action, Actions, Game};
use rayon::prelude::*;

use crate::search::exact::{Class, Graph, ONE, Score, Space, action_value, as_f64};

/// The exact values of a position and all that may follow it.
pub struct Solution {
    game: DarkChess,
    space: Space,
    solved: HashMap<u128, Solved>,
    /// Pairs worked out again, for positions with quiet plies played.
    recent: Mutex<Recent>,
}

/// A class's values by number, for its seat to move.
struct Solved {
    /// With no quiet ply played.
    fresh: Vec<Score>,
    /// With one, as after a chain that was stopped; empty under rules without chains.
    stopped: Vec<Score>,
}

/// A position that is not among the solved ones.
#[derive(Debug)]
struct Unknown;

/// A pair's values by quiet plies played, from the limit down; the last holds for all fewer.
struct Levels {
    graph: Graph,
    values: Vec<Vec<Score>>,
}

/// Pairs kept, the oldest given up first.
#[derive(Default)]
struct Recent {
    pairs: HashMap<u128, (u64, Arc<Levels>)>,
    bytes: usize,
    clock: u64,
}

/// Bytes of pairs that are kept: all of a 2x4 board with four pieces a side.
const MOST_RECENT: usize = 3 << 30;

impl Solution {
    pub(super) fn new(game: DarkChess, space: Space, top: &Class) -> Solution {
        let mut classes = top.below();
        classes.retain(|class| class.is_open(game.rules()) && class.key() <= class.swapped().key());
        // Below first: fewer pieces, then fewer face down.
        let layer = |class: &Class| (class.pieces(), class.hidden());
        classes.sort_by_key(|class| (layer(class), class.key()));
        let mut solution = Solution { game, space, solved: HashMap::new(), recent: Mutex::default() };
        for layer in classes.chunk_by(|a, b| layer(a) == layer(b)) {
            let found: Vec<Vec<(Class, Solved)>> = layer.par_iter().map(|class| solution.pair(class)).collect();
            solution.solved.extend(found.into_iter().flatten().map(|(class, solved)| (class.key(), solved)));
        }
        solution
    }

    /// The rules.
    pub fn game(&self) -> &DarkChess {
        &self.game
    }

    /// How many positions are solved, as the seat to move sees them.
    pub fn positions(&self) -> u64 {
        self.solved.values().map(|solved| solved.fresh.len() as u64).sum()
    }

    /// A position's exact value for the seat to move: win 1, draw 0, loss -1. None when it does not follow from what
    /// was solved.
    pub fn value(&self, position: &Position) -> Option<f64> {
        if !position.status().is_ongoing() {
            return Some(position.status().value(position.to_move()).into());
        }
        if position.mover_colour().is_some() && position.chain().is_none() {
            return self.at(position).map(as_f64).ok();
        }
        // Before the first flip, or in a chain: the best of what can be done.
        let values = self.action_values(position)?;
        values.into_iter().map(|(_, value)| value).reduce(f64::max)
    }

    /// The exact value of every legal action for the seat to move, in ascending order of actions. None as for
    /// [`Solution::value`].
    pub fn action_values(&self, position: &Position) -> Option<Vec<(Action, f64)>> {
        let mut legal = Actions::new();
        self.game.legal(position, &mut legal);
        let value = |&action: &Action| {
            let value = action_value(&self.game, position, action, &|after| self.at(after));
            value.ok().map(|value| (action, as_f64(value)))
        };
        legal.iter().map(value).collect()
    }

    /// The pair of classes that a position's quiet plies stay in, as a number; positions of one pair are cheapest asked
    /// about one after the other.
    pub fn pair_of(&self, position: &Position) -> u128 {
        Class::of(position).map_or(0, |class| class.key().min(class.swapped().key()))
    }

    /// The value of a position with its colours bound and no chain going on.
    fn at(&self, position: &Position) -> Result<Score, Unknown> {
        let class = Class::of(position).ok_or(Unknown)?;
        let solved = self.solved.get(&class.key()).ok_or(Unknown)?;
        match position.quiet() {
            0 => Ok(solved.fresh[self.space.number(&class, &self.space.word(position))]),
            1 if !solved.stopped.is_empty() => {
                Ok(solved.stopped[self.space.number(&class, &self.space.word(position))])
            }
            quiet => {
                let levels = self.levels(&class);
                let node = levels.graph.node(&self.space, &class, position).ok_or(Unknown)?;
                let left = usize::from(self.game.rules().quiet_limit.saturating_sub(quiet));
                Ok(levels.values[left.min(levels.values.len() - 1)][node])
            }
        }
    }

    /// Solves a pair, all below it being solved.
    fn pair(&self, class: &Class) -> Vec<(Class, Solved)> {
        let graph = self.graph(class);
        let chains = self.game.rules().chain != Chain::None;
        let (mut values, mut one_later) = (self.at_limit(&graph), Vec::new());
        for _ in 0..self.game.rules().quiet_limit {
            let earlier = graph.step(&values);
            let settled = earlier == values;
            if chains {
                one_later = std::mem::take(&mut values);
            }
            values = earlier;
            if settled {
                break;
            }
        }
        let stopped = if chains { graph.spread(&one_later) } else { Vec::new() };
        let mut stopped = stopped.into_iter().map(|(_, values)| values);
        let fresh = graph.spread(&values).into_iter();
        fresh.map(|(class, fresh)| (class, Solved { fresh, stopped: stopped.next().unwrap_or_default() })).collect()
    }

    fn graph(&self, class: &Class) -> Graph {
        match Graph::build(&self.game, &self.space, class, &|after: &Position| self.at(after)) {
            Ok(graph) => graph,
            Err(Unknown) => unreachable!("a flip or a capture led out of the solved classes"),
        }
    }

    /// Values where the quiet limit has just been reached.
    fn at_limit(&self, graph: &Graph) -> Vec<Score> {
        let family = self.game.rules().family;
        let points = |class: &Class, side: usize| -> i32 {
            let one = |kind: Kind| {
                let alive = class.up[side][kind as usize] + class.unseen[side][kind as usize];
                i32::from(alive) * i32::from(family.points(kind))
            };
            Kind::ALL.map(one).iter().sum()
        };
        let value = |node: usize| match family {
            Family::DarkChess => 0,
            // A deadlock, decided by the points left.
            Family::TombChess => {
                let class = graph.class(node);
                (points(class, 0) - points(class, 1)).signum() * ONE
            }
        };
        (0..graph.len()).map(value).collect()
    }

    /// A pair's values for every number of quiet plies.
    fn levels(&self, class: &Class) -> Arc<Levels> {
        let key = class.key().min(class.swapped().key());
        let lock = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        {
            let mut recent = lock();
            recent.clock += 1;
            let now = recent.clock;
            if let Some((used, levels)) = recent.pairs.get_mut(&key) {
                *used = now;
                return levels.clone();
            }
        }
        let graph = self.graph(class);
        let mut values = vec![self.at_limit(&graph)];
        for _ in 0..self.game.rules().quiet_limit {
            let earlier = graph.step(&values[values.len() - 1]);
            if earlier == values[values.len() - 1] {
                break;
            }
            values.push(earlier);
        }
        let bytes = graph.bytes() + 4 * values.len() * graph.len();
        let levels = Arc::new(Levels { graph, values });
        let mut recent = lock();
        while recent.bytes + bytes > MOST_RECENT {
            let Some((&oldest, _)) = recent.pairs.iter().min_by_key(|(_, (used, _))| *used) else { break };
            if let Some((_, levels)) = recent.pairs.remove(&oldest) {
                recent.bytes -= levels.graph.bytes() + 4 * levels.values.len() * levels.graph.len();
            }
        }
        let now = recent.clock;
        if recent.pairs.insert(key, (now, levels.clone())).is_none() {
            recent.bytes += bytes;
        }
        levels
    }
}

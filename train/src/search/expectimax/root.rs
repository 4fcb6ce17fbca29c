//! The search from the root: deeper and deeper until a limit, the best action so far first.

use std::time::{Duration, Instant};

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Actions, Game};

use super::node::{Judge, SHOWING, Search, Stopped};
use super::options::{Limits, MAX_DEPTH};
use super::order::Order;
use super::score::{ABOVE, BELOW, ONE, Score, value};
use super::table::Table;

/// What a search has found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The action to play; none when the game is over.
    pub action: Option<Action>,
    /// Expected result for the seat to move, from -1 to 1: 1 and -1 are proven, a table's wins and losses lie within 0.04
    /// of them, what is guessed stays within 0.9.
    pub value: f32,
    /// The value of every legal action where all were asked for, in ascending order; empty otherwise.
    pub values: Vec<(Action, f32)>,
    /// Plies of the last finished iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
    /// Whether the whole game was searched, so that nothing is a guess.
    pub exact: bool,
}

impl Found {
    /// Positions a second.
    pub fn speed(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-9)
    }
}

/// The memory of a search, kept from one to the next so that it is not made anew. Nothing in it changes a result.
pub struct Searcher {
    table: Table,
    order: Order,
}

/// What to search for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Aim {
    pub(super) limits: Limits,
    /// Every action's value, not only the best.
    pub(super) all: bool,
    /// Cut off and use the table.
    pub(super) cuts: bool,
}

impl Searcher {
    /// For a game.
    pub fn new(game: &DarkChess) -> Searcher {
        Searcher { table: Table::new(), order: Order::new(game) }
    }

    /// Searches for the best action.
    pub fn best(&mut self, game: &DarkChess, judge: Judge<'_>, position: &Position, limits: Limits) -> Found {
        self.run(game, judge, position, Aim { limits, all: false, cuts: true })
    }

    /// Searches for the value of every action.
    pub fn all(&mut self, game: &DarkChess, judge: Judge<'_>, position: &Position, limits: Limits) -> Found {
        self.run(game, judge, position, Aim { limits, all: true, cuts: true })
    }

    pub(super) fn run(&mut self, game: &DarkChess, judge: Judge<'_>, position: &Position, aim: Aim) -> Found {
        let started = Instant::now();
        self.table.clear();
        self.order.clear();
        let mut legal = Actions::new();
        game.legal(position, &mut legal);
        let mut search = Search {
            game,
            judge,
            eye: judge.evaluator.eye(),
            table: &mut self.table,
            order: &mut self.order,
            cuts: aim.cuts,
            nodes: 0,
            most_nodes: aim.limits.nodes.unwrap_or(u64::MAX),
            deadline: aim.limits.ms.and_then(|ms| started.checked_add(Duration::from_millis(ms))),
            guessed: false,
        };
        let (mut roots, images) = distinct(game, position, &legal);
        let mut found = Found {
            action: roots.first().map(|root| root.action),
            value: position.status().value(position.to_move()),
            values: Vec::new(),
            depth: 0,
            nodes: 0,
            time: Duration::ZERO,
            exact: !position.status().is_ongoing(),
        };
        let deepest = if roots.is_empty() { 0 } else { aim.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH) };
        for depth in 1..=deepest {
            search.guessed = false;
            let finished = search.iterate(position, depth, &mut roots, aim.all).is_ok();
            // The first of equals: a later one's score may be no more than a bound.
            let fresh = roots.iter().filter(|root| root.fresh).copied();
            let Some(best) = fresh.reduce(|best, root| if root.score > best.score { root } else { best }) else {
                break;
            };
            // When every action loses, the one that a shallower look did not see lose holds out longest.
            if best.score > -ONE || found.depth == 0 {
                found.action = Some(best.action);
            }
            found.value = value(best.score);
            if !finished {
                break;
            }
            found.depth = depth;
            found.exact = !search.guessed;
            // The best first next time; sorting keeps the order of equals.
            roots.sort_by_key(|root| -root.score);
            let decided = best.score.abs() == ONE && !aim.all;
            if found.exact || decided || roots.len() == 1 && !aim.all && aim.limits.depth.is_none() {
                break;
            }
        }
        if aim.all {
            let of =
                |action: Action| roots.iter().find(|root| root.action == action).map_or(0.0, |root| value(root.score));
            found.values = images.iter().map(|&(action, image)| (action, of(image))).collect();
        }
        found.nodes = search.nodes;
        found.time = started.elapsed();
        found
    }
}

/// An action of the root.
#[derive(Clone, Copy, Debug)]
struct Root {
    action: Action,
    score: Score,
    /// Whether the score is of the running iteration.
    fresh: bool,
}

/// The actions to search, and for each legal action the one of those that it equals: at the untouched start a flip's
/// images under the board's symmetries are the same.
fn distinct(game: &DarkChess, position: &Position, legal: &Actions) -> (Vec<Root>, Vec<(Action, Action)>) {
    let untouched = position.empty() == 0 && legal.iter().all(|&action| game.is_chance(position, action));
    let untouched = untouched
        && position.face_down() as usize == legal.len()
        && position.face_down() as usize == game.rules().squares();
    let image = |action: Action| {
        let symmetries = game.symmetries(0).iter().filter(|_| untouched);
        symmetries.map(|symmetry| symmetry.actions[usize::from(action)]).min().unwrap_or(action)
    };
    let images: Vec<(Action, Action)> = legal.iter().map(|&action| (action, image(action))).collect();
    let roots = images.iter().filter(|(action, image)| action == image);
    (roots.map(|&(action, _)| Root { action, score: BELOW, fresh: false }).collect(), images)
}

impl Search<'_> {
    /// Searches every root action to a depth, in order.
    fn iterate(&mut self, position: &Position, depth: u32, roots: &mut [Root], all: bool) -> Result<(), Stopped> {
        roots.iter_mut().for_each(|root| root.fresh = false);
        let depth = depth as i32;
        let mut alpha = BELOW;
        for root in roots.iter_mut() {
            // At the root a flip takes one ply like every action, so that all are seen equally far.
            let chance = self.game.is_chance(position, root.action);
            let depth = if chance { depth + SHOWING - 1 } else { depth };
            let score = if all || !self.cuts || alpha == BELOW {
                self.action(position, root.action, depth, [BELOW, ABOVE], 0)?
            } else {
                let score = self.action(position, root.action, depth, [alpha, alpha + 1], 0)?;
                if score > alpha { self.action(position, root.action, depth, [alpha, ABOVE], 0)? } else { score }
            };
            (root.score, root.fresh) = (score, true);
            alpha = alpha.max(score);
        }
        Ok(())
    }
}

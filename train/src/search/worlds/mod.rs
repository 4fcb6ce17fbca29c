//! Junqi by worlds: one step of improvement over a player that looks no further.
//!
//! A world is a whole game that fits everything the seat knows, drawn by [`Game::deal_from`]. The player's most
//! promising actions are tried in the same worlds; behind each the player goes on for all seats, each of which sees only
//! its own view of that world, and what stands after some plies is weighed: by the pieces left, or by a network's critic,
//! which sees all of a world. Rounds of worlds halve the actions that are still tried, so most worlds go to those that
//! are hard to tell apart.

mod options;
#[cfg(test)]
mod tests;

pub use options::Options;

use std::sync::atomic::{AtomicU64, Ordering};

use anqi_env::game::{Action, Actions, Belief, Game, Seat, Status};
use anqi_env::junqi::piece::KINDS;
use anqi_env::junqi::{Junqi, State, View};
use anqi_env::rng::Rng;

use crate::agent::{Agent, NetAgent, Turn, WORTH, choose};
use crate::search::interrupt::interrupted;

/// Actions tried in the first worlds.
const WIDTH: usize = 8;

/// Plies of each seat played in a world where nothing else is asked for.
const TURNS: u32 = 4;

/// A player that worlds can improve.
pub trait Base: Agent<Junqi> {
    /// Legal moves with what each promises, in tenths of a platoon's leader; empty where there is nothing to weigh, as
    /// while pieces are set up.
    fn promises(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)>;
    /// What pieces are worth on the same scale, by kind.
    fn worths(&self) -> &[f32; KINDS];
    /// `[stations, kinds]`, by station as the seat to move looks at the board: by how much more likely than it seems the
    /// player takes each kind for the pieces of others, as logarithms; none where it goes by what can be told.
    fn leanings(&self, _game: &Junqi, _view: &View) -> Option<Vec<f32>> {
        None
    }
    /// What a seat's side may expect of each of these worlds, in which all is known, from -1 to 1; none where the player
    /// cannot judge that better than by the pieces.
    fn expects(&self, _game: &Junqi, _worlds: &[&State], _seat: Seat) -> Option<Vec<f32>> {
        None
    }
}

/// What a policy's log-probability of one less costs, in tenths of a platoon's leader.
const DOUBT: f32 = 15.0;

impl Base for NetAgent {
    fn promises(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
        if game.places_at(view.public()).is_some() {
            return Vec::new();
        }
        let mut legal = Actions::new();
        game.legal(view, &mut legal);
        let policy = Agent::<Junqi>::policy(self, game, view);
        // What is said to the ally is not weighed.
        let moves = legal.iter().filter(|&&action| game.ends(action).is_some());
        moves.map(|&action| (action, DOUBT * policy[usize::from(action)].max(1e-9).ln())).collect()
    }

    fn worths(&self) -> &[f32; KINDS] {
        &WORTH
    }

    fn leanings(&self, game: &Junqi, view: &View) -> Option<Vec<f32>> {
        NetAgent::leanings(self, game, view)
    }

    fn expects(&self, game: &Junqi, worlds: &[&State], seat: Seat) -> Option<Vec<f32>> {
        let (critic, n) = (self.critic()?, worlds.len());
        let (p, k) = (game.spec().planes_len(), game.spec().num_scalars);
        let (mut planes, mut scalars) = (vec![0; n * p], vec![0.0; n * k]);
        for (row, world) in worlds.iter().enumerate() {
            let (planes, scalars) = (&mut planes[row * p..][..p], &mut scalars[row * k..][..k]);
            game.observe_revealed(world, game.to_move(world), planes, scalars);
        }
        let judged = critic.run(&planes, &scalars, &vec![1; n], n);
        let value = |(world, wdl): (&&State, &[f32])| {
            let value = wdl[0] - wdl[2];
            if (game.to_move(world) ^ seat) & 1 == 0 { value } else { -value }
        };
        Some(worlds.iter().zip(judged.wdl.chunks_exact(3)).map(value).collect())
    }
}

/// What a point of a critic's expectation weighs: half of a game.
const EXPECTED: f32 = 1_000.0;

/// Worlds of which the base chooses one, where it takes some pieces for likelier than others.
const CHOICE: usize = 8;

/// How many worlds a promise weighs as much as.
const PROMISE: f32 = 8.0;

/// What a seat's flag is worth beyond its pieces, and a game won beyond all of them.
const FLAG: f32 = 500.0;
const GAME: f32 = 2_000.0;

/// Plays junqi by trying its base's best actions in worlds that fit.
pub struct Worlds<B> {
    base: B,
    options: Options,
    /// Positions weighed or played from in all worlds.
    nodes: AtomicU64,
}

/// An action that is tried.
struct Tried {
    action: Action,
    promise: f32,
    /// What it brought so far, and in how many worlds.
    sum: f32,
    worlds: u32,
}

impl Tried {
    fn score(&self) -> f32 {
        (PROMISE * self.promise + self.sum) / (PROMISE + self.worlds as f32)
    }
}

/// A world in which an action was played, and how the game goes on there.
struct Lane {
    tried: usize,
    state: State,
    before: f32,
    rngs: [Rng; 4],
}

impl<B: Base> Worlds<B> {
    /// A player that improves another one.
    pub fn new(base: B, options: Options) -> Worlds<B> {
        Worlds { base, options, nodes: AtomicU64::new(0) }
    }

    /// The actions that were tried, the best first; empty where the base has nothing to weigh. `seed` is for the worlds.
    fn search(&self, game: &Junqi, view: &View, seed: u64) -> Vec<Tried> {
        let mut promises = self.base.promises(game, view);
        promises.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let tried = |(action, promise)| Tried { action, promise, sum: 0.0, worlds: 0 };
        let mut all: Vec<Tried> = promises.into_iter().map(tried).collect();
        let mut open = all.len().min(WIDTH);
        let rounds = open.next_power_of_two().trailing_zeros();
        let leanings = self.base.leanings(game, view);
        let mut drawn = 0;
        for round in 0..rounds {
            let until = u64::from(self.options.worlds) * u64::from(round + 1) / u64::from(rounds);
            self.try_in(game, view, leanings.as_deref(), &mut all[..open], seed, drawn..until);
            drawn = until;
            all[..open].sort_by(|a, b| b.score().total_cmp(&a.score()).then(a.action.cmp(&b.action)));
            open = open.div_ceil(2);
        }
        all
    }

    /// Tries actions in the same new worlds.
    fn try_in(
        &self,
        game: &Junqi,
        view: &View,
        leanings: Option<&[f32]>,
        tried: &mut [Tried],
        seed: u64,
        worlds: std::ops::Range<u64>,
    ) {
        let seat = game.view_to_move(view);
        let mut lanes = Vec::with_capacity(tried.len() * (worlds.end - worlds.start) as usize);
        for world in worlds {
            let state = draw(game, view, leanings, &mut Rng::branch(seed, &[world]));
            let before = self.standings(game, &[&state], seat)[0];
            for (number, tried) in tried.iter().enumerate() {
                let mut state = state;
                game.play(&mut state, tried.action);
                // The same streams behind every action, so that luck tells none from another.
                let rngs = std::array::from_fn(|other| Rng::branch(seed, &[world, 1 + other as u64]));
                lanes.push(Lane { tried: number, state, before, rngs });
            }
        }
        for _ in 0..self.options.plies.unwrap_or(TURNS * u32::from(game.seats())) {
            if interrupted() {
                break;
            }
            let mut going: Vec<&mut Lane> =
                lanes.iter_mut().filter(|lane| game.status(&lane.state).is_ongoing()).collect();
            self.nodes.fetch_add(going.len() as u64, Ordering::Relaxed);
            let turns = going.iter_mut().map(|lane| {
                let mover = game.to_move(&lane.state);
                let view = game.view(&lane.state, mover);
                Turn { view, rng: &mut lane.rngs[usize::from(mover)], game: 0 }
            });
            let actions = self.base.act(game, &mut turns.collect::<Vec<_>>());
            for (lane, action) in going.into_iter().zip(actions) {
                game.play(&mut lane.state, action);
            }
        }
        self.nodes.fetch_add(lanes.len() as u64, Ordering::Relaxed);
        let states: Vec<&State> = lanes.iter().map(|lane| &lane.state).collect();
        for (lane, standing) in lanes.iter().zip(self.standings(game, &states, seat)) {
            let tried = &mut tried[lane.tried];
            tried.sum += standing - lane.before;
            tried.worlds += 1;
        }
    }

    /// How each of some worlds stands for a seat.
    fn standings(&self, game: &Junqi, worlds: &[&State], seat: Seat) -> Vec<f32> {
        let Some(expected) = self.base.expects(game, worlds, seat) else {
            return worlds.iter().map(|world| self.standing(game, world, seat)).collect();
        };
        let standing = |(world, expected): (&&State, f32)| match game.status(world) {
            Status::Ongoing => EXPECTED * expected,
            status => EXPECTED * status.value(seat),
        };
        worlds.iter().zip(expected).map(standing).collect()
    }

    /// What a team has more than the other in a world.
    fn standing(&self, game: &Junqi, state: &State, seat: Seat) -> f32 {
        let ours = |other: Seat| if (other ^ seat) & 1 == 0 { 1.0 } else { -1.0 };
        let of = |other: Seat| {
            let pieces = state.public().pieces(other).map(|piece| self.base.worths()[state.kind(piece) as usize]);
            let flag = if game.is_out(state, other) { 0.0 } else { FLAG };
            ours(other) * (pieces.sum::<f32>() + flag)
        };
        let result = match game.status(state) {
            Status::Ongoing => 0.0,
            status => GAME * status.value(seat),
        };
        result + (0..game.seats()).map(of).sum::<f32>()
    }
}

/// A world that fits what the seat to move knows: any of them alike, or as the base leans.
fn draw(game: &Junqi, view: &View, leanings: Option<&[f32]>, rng: &mut Rng) -> State {
    let Some(leanings) = leanings else { return game.deal_from(view, rng) };
    let seat = game.view_to_move(view);
    let mut worlds: Vec<State> = (0..CHOICE).map(|_| game.deal_from(view, rng)).collect();
    let of_piece = |world: &State, piece| {
        let row = world.public().station_of(piece).map(|station| game.row(seat, station));
        row.map_or(0.0, |row| leanings[row * KINDS + world.kind(piece) as usize])
    };
    let of_world = |world: &State| -> f32 {
        (0..game.seats()).flat_map(|other| world.public().pieces(other)).map(|piece| of_piece(world, piece)).sum()
    };
    let weights: Vec<f32> = worlds.iter().map(of_world).collect();
    worlds.swap_remove(usize::from(choose(&weights, 1.0, rng)))
}

impl<B: Base> Agent<Junqi> for Worlds<B> {
    fn act(&self, game: &Junqi, turns: &mut [Turn<'_, Junqi>]) -> Vec<Action> {
        let choose = |turn: &mut Turn<'_, Junqi>| match self.search(game, turn.view, turn.rng.bits()).first() {
            Some(best) => best.action,
            None => self.base.act(game, std::slice::from_mut(turn))[0],
        };
        turns.iter_mut().map(choose).collect()
    }

    fn policy(&self, game: &Junqi, view: &View) -> Vec<f32> {
        match self.search(game, view, 0).first() {
            Some(best) => {
                let mut policy = vec![0.0; game.spec().num_actions];
                policy[usize::from(best.action)] = 1.0;
                policy
            }
            None => self.base.policy(game, view),
        }
    }

    fn value(&self, game: &Junqi, view: &View) -> f32 {
        self.base.value(game, view)
    }

    fn beliefs(&self, game: &Junqi, view: &View) -> Vec<Belief> {
        self.base.beliefs(game, view)
    }

    fn nodes(&self) -> Option<u64> {
        Some(self.nodes.load(Ordering::Relaxed))
    }

    /// The base's value moved by what each action is worth.
    fn values(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
        let value = self.base.value(game, view);
        let moved = |tried: &Tried| (tried.action, (value + tried.score() / FLAG).tanh());
        self.search(game, view, 0).iter().map(moved).collect()
    }
}

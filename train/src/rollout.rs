//! Self-play: weights and games in, a batch of experience out.
//!
//! Games are played in fixed groups, each with its own streams, so a batch depends on the weights, the saved
//! state and nothing else: not on the number of threads, nor on which of them played a group.

use std::sync::Arc;
use std::time::Instant;

use anqi_env::game::{Action, Game, Symmetry};
use anqi_env::rng::Rng;
use anqi_env::vector::{BatchMut, VecGame, VecState};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentError, AgentSpec, Material, Turn, choose};
use crate::encode::Encoded;
use crate::method::Decided;
use crate::net::{Infer, Output};
use crate::returns::{Estimates, Lambdas, Track};
use crate::workers::Workers;

/// How self-play is done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RolloutConfig {
    /// Games played at a time.
    pub games: usize,
    /// Games of a group, which one thread plays and the network evaluates together.
    pub group: usize,
    /// Plies of every game in one batch.
    pub plies: usize,
    /// Share of games that start from a random position in the middle of a game, 0 to 1.
    pub midgame: f32,
    /// Agents that play against the network in some of the games.
    pub opponents: Vec<String>,
    /// Share of the games against them, 0 to 1; they take turns.
    pub against: f32,
    /// Those of the opponents whose plies the network learns from: its policy imitates them (`schedule.imitate`), and its
    /// value expects what comes of them. The plies of other opponents teach nothing.
    pub teachers: Vec<String>,
    /// Show the network each game's board turned at random, another way in every batch.
    pub reflect: bool,
}

impl Default for RolloutConfig {
    fn default() -> Self {
        RolloutConfig {
            games: 512,
            group: 128,
            plies: 64,
            midgame: 0.0,
            opponents: Vec::new(),
            against: 0.0,
            teachers: Vec::new(),
            reflect: true,
        }
    }
}

impl RolloutConfig {
    /// How many groups there are.
    ///
    /// # Errors
    /// Games that do not make whole groups, or nothing to play.
    pub fn groups(&self) -> Result<usize, anqi_env::Error> {
        let count = self.games / self.group.max(1);
        if self.group == 0 || count * self.group != self.games || self.games == 0 || self.plies == 0 {
            return Err(anqi_env::Error::Shape(format!(
                "rollout.games = {} must be a multiple of rollout.group = {}, and rollout.plies at least 1",
                self.games, self.group
            )));
        }
        Ok(count)
    }
}

/// How advantages lean away from the network's own value; all 0 is not at all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bias {
    /// Share of the material balance, as players count the pieces, in the value; 0 to 1.
    pub material: f32,
    /// What a draw costs both sides; 1 is as bad as a loss.
    pub draw_penalty: f32,
}

/// What a search makes of a position for training.
#[derive(Clone, Debug)]
pub struct Improved {
    /// The action to play; none where the network's own policy plays.
    pub action: Option<Action>,
    /// The policy to learn: each legal action with its share.
    pub policy: Vec<(Action, f32)>,
    /// The expected result for the seat to move, from -1 to 1; none where that is not known better.
    pub value: Option<f32>,
}

/// Improves a policy by search before it acts.
pub trait Improver<G: Game>: Send + Sync {
    /// Searches from many positions at once.
    fn improve(&self, game: &G, turns: &mut [Turn<'_, G>]) -> Vec<Improved>;
}

/// Who plays a batch.
pub struct Player<'a, G: Game> {
    /// The network.
    pub infer: &'a Infer,
    /// A search that improves its policy; none where that itself plays.
    pub improver: Option<&'a dyn Improver<G>>,
    /// A network that sees all pieces: its value takes the place of the player's own in advantages and targets.
    pub critic: Option<&'a Infer>,
}

impl<'a, G: Game> Player<'a, G> {
    /// A network whose policy plays.
    pub fn alone(infer: &'a Infer) -> Self {
        Player { infer, improver: None, critic: None }
    }
}

/// Who chose an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Actor {
    /// The network, or a search that improves it.
    Network,
    /// An opponent to learn from.
    Teacher,
    /// An opponent whose plies teach nothing.
    Opponent,
}

/// Experience: every ply of every game of a group in one batch, in order of plies, then games.
#[derive(Clone, Debug, Default)]
pub struct Experience {
    /// What the seats saw.
    pub encoded: Encoded,
    /// [n] actions played.
    pub actions: Vec<u32>,
    /// [n] who chose them.
    pub by: Vec<Actor>,
    /// [n, A] log-probabilities of the policy that played, or of what a search made of it.
    pub logp: Vec<f32>,
    /// [n] advantages, not normalised.
    pub advantages: Vec<f32>,
    /// [n, 3] win, draw and loss to learn.
    pub targets: Vec<f32>,
    /// [n, 3] win, draw and loss the network expected, or the critic where there is one.
    pub expected: Vec<f32>,
    /// What a critic saw; nothing without one.
    pub revealed: Revealed,
    /// How the games that ended in the batch went.
    pub ended: Ended,
    /// What part of the time inference and agents took.
    pub decided: Decided,
}

/// Positions as a critic sees them: with every piece shown, not turned.
#[derive(Clone, Debug, Default)]
pub struct Revealed {
    /// [n, C, R, W]
    pub planes: Vec<u8>,
    /// [n, K]
    pub scalars: Vec<f32>,
}

impl Revealed {
    fn clear(&mut self) {
        self.planes.clear();
        self.scalars.clear();
    }
}

/// Games that ended: counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// Games.
    pub games: u64,
    /// Of them, drawn.
    pub draws: u64,
    /// Of them, won by seat 0.
    pub first_seat_wins: u64,
    /// Their plies together.
    pub plies: u64,
    /// Of them, those against opponents.
    pub opposed: u64,
    /// Points of the network in those: 2 for a win, 1 for a draw.
    pub points: u64,
}

impl Ended {
    /// Adds another count.
    pub fn add(&mut self, other: Ended) {
        self.games += other.games;
        self.draws += other.draws;
        self.first_seat_wins += other.first_seat_wins;
        self.plies += other.plies;
        self.opposed += other.opposed;
        self.points += other.points;
    }
}

/// What keeps games from being started.
#[derive(Debug, thiserror::Error)]
pub enum RolloutError {
    /// Sizes that cannot be, or games that cannot be read.
    #[error(transparent)]
    Env(#[from] anqi_env::Error),
    /// An opponent that is none.
    #[error("rollout.opponents: {0}")]
    Opponent(#[from] AgentError),
    /// A teacher that nobody plays against.
    #[error("rollout.teachers: '{0}' is none of rollout.opponents; expected some of them")]
    Teacher(String),
}

/// Games that one thread plays together.
struct Group<G: Game> {
    games: VecGame<G>,
    /// Each as a teacher or an opponent only.
    opponents: Vec<(Arc<dyn Agent<G>>, Actor)>,
    /// The first so many games are against them.
    against: usize,
    rng: Rng,
    /// What stands on the boards, observed.
    encoded: Encoded,
    seats: Vec<u8>,
    ply: Vec<u32>,
    /// What the last call of `play` brought.
    played: Experience,
}

/// A saved [`Rollout`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RolloutState {
    groups: Vec<(VecState, Rng)>,
}

/// All games in play.
pub struct Rollout<G: Game> {
    config: RolloutConfig,
    groups: Vec<Group<G>>,
}

impl<G: Material> Rollout<G> {
    /// Deals the games from a seed. Where there are several kinds, which must have the same shapes, they take turns
    /// from group to group.
    ///
    /// # Errors
    /// Sizes that cannot be, an opponent that is none, or a teacher that is no opponent.
    pub fn new(kinds: &[G], config: &RolloutConfig, seed: u64) -> Result<Self, RolloutError> {
        let count = config.groups()?;
        let opponents: Vec<_> =
            kinds.iter().map(|game| opponents(game, config)).collect::<Result<_, RolloutError>>()?;
        let groups = (0..count as u64).map(|number| {
            let seed = Rng::branch(seed, &[number]).bits();
            let kind = number as usize % kinds.len();
            let game = &kinds[kind];
            let mut group = Group {
                games: VecGame::new(game.clone(), config.group, seed, 1)?,
                opponents: opponents[kind].clone(),
                against: match config.opponents.len() {
                    0 => 0,
                    _ => (config.group as f32 * config.against).round() as usize,
                },
                rng: Rng::branch(seed, &[u64::MAX]),
                encoded: Encoded::new(game.spec(), config.group),
                seats: vec![0; config.group],
                ply: vec![0; config.group],
                played: Experience::default(),
            };
            group.observe()?;
            Ok(group)
        });
        let groups = groups.collect::<Result<_, RolloutError>>()?;
        Ok(Rollout { config: config.clone(), groups })
    }

    /// Plays `plies` plies of every game with the network's policy, or what a search makes of it. Advantages are measured
    /// against the network's value, leaned by `bias`.
    ///
    /// Returns one part a group, all of the same length. Their memory is used again by the next call: fresh memory of
    /// this size costs more time than the rules.
    pub fn run(&mut self, player: &Player<'_, G>, lambdas: Lambdas, bias: Bias, workers: &Workers) -> Vec<&Experience> {
        let config = &self.config;
        let groups = self.groups.iter_mut().collect();
        workers.map(groups, |_, group: &mut Group<G>| group.play(player, config, lambdas, bias));
        self.groups.iter().map(|group| &group.played).collect()
    }

    /// Everything that [`Rollout::load`] needs to go on: unfinished games and streams.
    pub fn save(&self) -> RolloutState {
        RolloutState { groups: self.groups.iter().map(|group| (group.games.save(), group.rng.clone())).collect() }
    }

    /// Goes on from what [`Rollout::save`] gave.
    ///
    /// # Errors
    /// Another number of games or groups, or games that cannot be read.
    pub fn load(&mut self, saved: &RolloutState) -> Result<(), anqi_env::Error> {
        if saved.groups.len() != self.groups.len() {
            let (found, expected) = (saved.groups.len(), self.groups.len());
            return Err(anqi_env::Error::Shape(format!("{found} saved groups of games for {expected}")));
        }
        for (group, (games, rng)) in self.groups.iter_mut().zip(&saved.groups) {
            group.games.load(games)?;
            group.rng = rng.clone();
            group.observe()?;
        }
        Ok(())
    }
}

/// The opponents. An outside engine is none of them: it may fail in the middle of a batch, and does not play the same
/// again.
fn opponents<G: Material>(game: &G, config: &RolloutConfig) -> Result<Vec<(Arc<dyn Agent<G>>, Actor)>, RolloutError> {
    let RolloutConfig { opponents: names, teachers, .. } = config;
    if let Some(stranger) = teachers.iter().find(|teacher| !names.contains(teacher)) {
        return Err(RolloutError::Teacher(stranger.clone()));
    }
    let build = |name: &String| match AgentSpec::parse(name)? {
        AgentSpec::Engine(_) => {
            let message = "an outside engine cannot be an opponent in self-play; expected an agent of anqi's own";
            Err(AgentError::Option { agent: name.clone(), message: message.into() })
        }
        spec => spec.build(game),
    };
    let actor = |name| if teachers.contains(name) { Actor::Teacher } else { Actor::Opponent };
    names.iter().map(|name| Ok((build(name)?, actor(name)))).collect()
}

impl<G: Material> Group<G> {
    fn observe(&mut self) -> Result<(), anqi_env::Error> {
        self.games.observe(BatchMut {
            planes: Some(&mut self.encoded.planes),
            scalars: Some(&mut self.encoded.scalars),
            mask: Some(&mut self.encoded.mask),
            seat: Some(&mut self.seats),
            ply: Some(&mut self.ply),
            ..BatchMut::default()
        })
    }

    /// The baseline of every game's position.
    fn baseline<'a>(&'a self, game: &'a G, wdl: &'a [f32], material: f32) -> impl Iterator<Item = f32> + 'a {
        wdl.chunks_exact(3).enumerate().map(move |(row, wdl)| {
            let value = wdl[0] - wdl[2];
            if material == 0.0 {
                return value;
            }
            let state = self.games.state(row);
            let balance = game.balance(game.view(state, game.to_move(state)));
            value + material * (balance - value)
        })
    }

    fn play(&mut self, player: &Player<'_, G>, config: &RolloutConfig, lambdas: Lambdas, bias: Bias) {
        let started = Instant::now();
        let game = &self.games.game().clone();
        let spec = game.spec();
        let (n, plies, seats) = (config.group, config.plies, spec.num_seats);
        let mut played = std::mem::take(&mut self.played);
        played.clear();
        let mut output = Output::default();
        let mut track = Track::new(n, plies);
        let mut baseline = Vec::with_capacity(n * plies);
        let (mut actions, mut rewards) = (vec![0i32; n], vec![0.0f32; n * seats]);
        let (mut terminated, mut truncated) = (vec![false; n], vec![false; n]);
        let turns = self.draw_turns(game, config.reflect);
        let mut seen = Encoded::new(spec, n);
        let (mut revealed, mut judged) = (Revealed::default(), Output::default());
        for _ in 0..plies {
            let views = self.views(game, &turns);
            seen.reflected(&self.encoded, &views);
            let Encoded { planes, scalars, mask } = &seen;
            let deciding = Instant::now();
            player.infer.run_into(planes, scalars, mask, n, &mut output);
            let searched = player.improver.map(|improver| self.improve(game, improver, &views, &mut output));
            played.decided.agents += deciding.elapsed().as_secs_f64();
            played.encoded.planes.extend_from_slice(planes);
            played.encoded.scalars.extend_from_slice(scalars);
            played.encoded.mask.extend_from_slice(mask);
            played.logp.extend_from_slice(&output.logp);
            let wdl = match player.critic {
                Some(critic) => {
                    self.criticise(game, critic, &mut revealed, &mut judged);
                    played.revealed.planes.extend_from_slice(&revealed.planes);
                    played.revealed.scalars.extend_from_slice(&revealed.scalars);
                    &judged.wdl
                }
                None => &output.wdl,
            };
            played.expected.extend_from_slice(wdl);
            baseline.extend(self.baseline(game, wdl, bias.material));
            let policies = output.logp.chunks_exact(spec.num_actions);
            for (row, ((action, logp), view)) in actions.iter_mut().zip(policies).zip(&views).enumerate() {
                let chosen = match &searched {
                    Some(actions) => view.actions[usize::from(actions[row])],
                    None => choose(logp, 1.0, &mut self.rng),
                };
                played.actions.push(chosen.into());
                *action = view.original(chosen).into();
            }
            played.by.resize(played.actions.len(), Actor::Network);
            let deciding = Instant::now();
            self.oppose(game, &views, &mut actions, &mut played);
            played.decided.agents += deciding.elapsed().as_secs_f64();
            let movers = self.seats.clone();
            let lengths = self.ply.clone();
            let stepped = self.games.step(
                &actions,
                BatchMut {
                    planes: Some(&mut self.encoded.planes),
                    scalars: Some(&mut self.encoded.scalars),
                    mask: Some(&mut self.encoded.mask),
                    seat: Some(&mut self.seats),
                    rewards: Some(&mut rewards),
                    terminated: Some(&mut terminated),
                    truncated: Some(&mut truncated),
                    ply: Some(&mut self.ply),
                    ..BatchMut::default()
                },
            );
            stepped.expect("the policy gives illegal actions no probability");
            for i in 0..n {
                let over = terminated[i] || truncated[i];
                let reward = rewards[i * seats + usize::from(movers[i])];
                track.push(movers[i], over.then_some(reward));
                if over {
                    // Opponents sit where the parity of the seat is that of the row.
                    let own = rewards[i * seats + (i + 1) % 2];
                    let opposed = i < self.against;
                    played.ended.add(Ended {
                        games: 1,
                        draws: u64::from(reward == 0.0),
                        first_seat_wins: u64::from(rewards[i * seats] > 0.0),
                        plies: u64::from(lengths[i]) + 1,
                        opposed: u64::from(opposed),
                        points: if opposed { (own + 1.0) as u64 } else { 0 },
                    });
                    if config.midgame > 0.0 && self.rng.unit() < config.midgame {
                        self.enter_midgame(game, i);
                    }
                }
            }
            if config.midgame > 0.0 {
                self.observe().expect("the same arrays as before");
            }
        }
        seen.reflected(&self.encoded, &self.views(game, &turns));
        player.infer.run_into(&seen.planes, &seen.scalars, &seen.mask, n, &mut output);
        let wdl = match player.critic {
            Some(critic) => {
                self.criticise(game, critic, &mut revealed, &mut judged);
                &judged.wdl
            }
            None => &output.wdl,
        };
        let after: Vec<f32> = self.baseline(game, wdl, bias.material).collect();
        let before = Estimates { wdl: &played.expected, baseline: &baseline };
        let after = Estimates { wdl, baseline: &after };
        (played.advantages, played.targets) = track.finish(before, after, &self.seats, lambdas, bias.draw_penalty);
        played.decided.all = started.elapsed().as_secs_f64();
        self.played = played;
    }

    /// What a critic expects in every game's position.
    fn criticise(&self, game: &G, critic: &Infer, revealed: &mut Revealed, judged: &mut Output) {
        let (n, spec) = (self.seats.len(), game.spec());
        let (p, k) = (spec.planes_len(), spec.num_scalars);
        revealed.planes.resize(n * p, 0);
        revealed.scalars.resize(n * k, 0.0);
        for (row, &seat) in self.seats.iter().enumerate() {
            let (planes, scalars) = (&mut revealed.planes[row * p..][..p], &mut revealed.scalars[row * k..][..k]);
            let shown = game.observe_revealed(self.games.state(row), seat, planes, scalars);
            debug_assert!(shown, "a critic is made only where observations can show everything");
        }
        critic.run_into(&revealed.planes, &revealed.scalars, &vec![1; n], n, judged);
    }

    /// Searches from every game's position, puts what that makes of policy and value into the network's answers, and
    /// returns the actions to play.
    fn improve(
        &mut self,
        game: &G,
        improver: &dyn Improver<G>,
        views: &[&Symmetry],
        output: &mut Output,
    ) -> Vec<Action> {
        let mut rngs: Vec<Rng> = views.iter().map(|_| Rng::new(self.rng.bits())).collect();
        let turn = |(row, rng)| {
            let state = self.games.state(row);
            Turn { view: game.view(state, self.seats[row]), rng, game: self.games.number(row) }
        };
        let improved = improver.improve(game, &mut rngs.iter_mut().enumerate().map(turn).collect::<Vec<_>>());
        let rows = output.logp.chunks_exact_mut(game.spec().num_actions).zip(output.wdl.chunks_exact_mut(3));
        let mut actions = Vec::with_capacity(views.len());
        for ((Improved { action, policy, value }, (logp, wdl)), view) in improved.into_iter().zip(rows).zip(views) {
            actions.push(action.unwrap_or_else(|| view.original(choose(logp, 1.0, &mut self.rng))));
            logp.fill(f32::NEG_INFINITY);
            for (action, share) in policy {
                logp[usize::from(view.actions[usize::from(action)])] = share.ln();
            }
            if let Some(value) = value {
                lean(wdl, value);
            }
        }
        actions
    }

    /// Lets the opponents choose where it is their turn.
    fn oppose(&mut self, game: &G, views: &[&Symmetry], actions: &mut [i32], played: &mut Experience) {
        let count = self.opponents.len();
        let first = played.actions.len() - actions.len();
        for (number, (agent, actor)) in self.opponents.iter().enumerate() {
            // Neighbours in the list have the same opponent, and the network sits on either side.
            let of_agent = |row: &usize| row / 2 % count == number && usize::from(self.seats[*row]) & 1 == row & 1;
            let rows: Vec<usize> = (0..self.against).filter(of_agent).collect();
            let mut rngs: Vec<Rng> = rows.iter().map(|_| Rng::new(self.rng.bits())).collect();
            let turn = |(&row, rng)| {
                let state = self.games.state(row);
                Turn { view: game.view(state, self.seats[row]), rng, game: self.games.number(row) }
            };
            let mut turns: Vec<Turn<'_, G>> = rows.iter().zip(&mut rngs).map(turn).collect();
            let chosen = agent.act(game, &mut turns);
            for (row, action) in rows.into_iter().zip(chosen) {
                actions[row] = action.into();
                played.actions[first + row] = views[row].actions[usize::from(action)].into();
                played.by[first + row] = *actor;
            }
        }
    }

    /// How each game's board is turned for this batch, so that the network learns from all sides of it. The policy
    /// that acts sees what the learner will see, or the ratios of PPO would compare two different policies.
    fn draw_turns(&mut self, game: &G, reflect: bool) -> Vec<usize> {
        let count = if reflect { game.symmetries(0).len() as u32 } else { 1 };
        self.seats.iter().map(|_| self.rng.below(count) as usize).collect()
    }

    /// What the seats to move see of their boards.
    fn views<'a>(&self, game: &'a G, turns: &[usize]) -> Vec<&'a Symmetry> {
        self.seats.iter().zip(turns).map(|(&seat, &turn)| &game.symmetries(seat)[turn]).collect()
    }

    /// Plays random plies in a game that has just started, as many as land it anywhere before its end.
    fn enter_midgame(&mut self, game: &G, row: usize) {
        let mut state = *self.games.state(row);
        let mut before = Vec::new();
        while game.status(&state).is_ongoing() {
            before.push(state);
            let action = game.sample(game.view(&state, game.to_move(&state)), &mut self.rng);
            game.play(&mut state, action);
        }
        let chosen = self.rng.below(before.len() as u32) as usize;
        self.games.set_state(row, before[chosen]);
    }
}

/// Moves a distribution over win, draw and loss until it expects `value`: towards the better or the worse end, from all
/// else in equal shares.
fn lean(wdl: &mut [f32], value: f32) {
    let now = wdl[0] - wdl[2];
    let (end, way) = if value > now { (0, 1.0 - now) } else { (2, 1.0 + now) };
    // Where all stands at the end already there is nothing to move.
    let share = if way > 1e-6 { ((value - now).abs() / way).min(1.0) } else { 0.0 };
    wdl.iter_mut().for_each(|part| *part *= 1.0 - share);
    wdl[end] += share;
}

impl Experience {
    /// Forgets everything and keeps the memory.
    fn clear(&mut self) {
        self.encoded.planes.clear();
        self.encoded.scalars.clear();
        self.encoded.mask.clear();
        self.actions.clear();
        self.by.clear();
        self.logp.clear();
        self.expected.clear();
        self.revealed.clear();
        self.ended = Ended::default();
        self.decided = Decided::default();
    }

    /// Plies in the batch.
    pub fn len(&self) -> usize {
        self.actions.len()
    }

    /// True when nothing was played.
    pub fn is_empty(&self) -> bool {
        self.actions.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::plan_of;
    use crate::net::{Net, NetConfig, device};
    use anqi_env::darkchess::DarkChess;

    #[test]
    fn a_value_leans_to_either_side() {
        for (wdl, value, leaned) in [
            ([0.2f32, 0.5, 0.3], 0.45, [0.6, 0.25, 0.15]),
            ([0.3, 0.5, 0.2], -0.45, [0.15, 0.25, 0.6]),
            ([0.2, 0.5, 0.3], -0.1, [0.2, 0.5, 0.3]),
            ([1.0, 0.0, 0.0], 1.0, [1.0, 0.0, 0.0]),
            ([0.0, 0.0, 1.0], 1.0, [1.0, 0.0, 0.0]),
        ] {
            let mut found = wdl;
            lean(&mut found, value);
            assert!(
                found.iter().zip(leaned).all(|(a, b): (&f32, f32)| (a - b).abs() < 1e-6),
                "{wdl:?} {value}: {found:?}"
            );
        }
    }

    /// What a search or a teacher says takes the place of the network's policy, and who says nothing leaves the choice
    /// and the value to the network.
    #[test]
    fn an_improver_decides_what_is_learned() {
        struct First(bool);
        impl Improver<DarkChess> for First {
            fn improve(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Improved> {
                let improved = |turn: &mut Turn<'_, DarkChess>| {
                    let mut legal = anqi_env::game::Actions::new();
                    game.legal(turn.view, &mut legal);
                    let policy = vec![(legal[0], 0.75), (legal[legal.len() - 1], 0.25)];
                    Improved { action: self.0.then(|| legal[0]), policy, value: self.0.then_some(0.5) }
                };
                turns.iter_mut().map(improved).collect()
            }
        }
        let game = DarkChess::parse("mini").unwrap();
        let config = RolloutConfig { games: 8, group: 8, plies: 3, reflect: false, ..RolloutConfig::default() };
        let net = Net::new(&NetConfig::default(), plan_of(&game), 1, &device()).unwrap();
        let infer = Infer::new(&net, net.shape());
        let play = |acts| {
            let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
            let player = Player { infer: &infer, improver: Some(&First(acts)), critic: None };
            let workers = Workers::new(1).unwrap();
            rollout.run(&player, Lambdas::default(), Bias::default(), &workers)[0].clone()
        };
        let (led, free) = (play(true), play(false));
        for played in [&led, &free] {
            for row in played.logp.chunks(game.spec().num_actions) {
                assert_eq!(row.iter().filter(|logp| **logp > f32::NEG_INFINITY).count(), 2);
                assert!((row.iter().map(|logp| logp.exp()).sum::<f32>() - 1.0).abs() < 1e-6);
            }
        }
        let best = |(row, action): (&[f32], &u32)| (row[*action as usize].exp() - 0.75).abs() < 1e-6;
        let chosen = |played: &Experience| played.logp.chunks(game.spec().num_actions).zip(&played.actions).all(best);
        assert!(chosen(&led) && !chosen(&free));
        let says = |played: &Experience| played.expected.chunks(3).all(|wdl| (wdl[0] - wdl[2] - 0.5).abs() < 1e-6);
        assert!(says(&led) && !says(&free));
    }

    /// Two of four games are against `greedy`, who sits first in the one and second in the other.
    #[test]
    fn opponents_sit_on_either_side() {
        let game = DarkChess::parse("mini").unwrap();
        let opponents = vec!["greedy".to_string()];
        let config =
            RolloutConfig { games: 4, group: 4, plies: 6, opponents, against: 0.5, ..RolloutConfig::default() };
        let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
        let net = Net::new(&NetConfig::default(), plan_of(&game), 1, &device()).unwrap();
        let infer = Infer::new(&net, net.shape());
        let workers = Workers::new(1).unwrap();
        let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
        // Six plies are too few to take all four pieces of a side, of which none is face up at first.
        for (ply, by) in parts[0].by.chunks(4).enumerate() {
            let own = by.iter().map(|&by| by == Actor::Network).collect::<Vec<_>>();
            let second = ply % 2 == 1;
            assert_eq!(own, [second, !second, true, true], "ply {ply}");
            assert!(!by.contains(&Actor::Teacher));
        }
        let config = RolloutConfig { teachers: config.opponents.clone(), ..config };
        let mut rollout = Rollout::new(std::slice::from_ref(&game), &config, 1).unwrap();
        let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
        assert_eq!(parts[0].by[..4], [Actor::Teacher, Actor::Network, Actor::Network, Actor::Network]);
        let stranger = RolloutConfig { teachers: vec!["random".into()], ..config.clone() };
        let fault = Rollout::new(std::slice::from_ref(&game), &stranger, 1).err().unwrap().to_string();
        assert_eq!(fault, "rollout.teachers: 'random' is none of rollout.opponents; expected some of them");
        for (name, told) in [
            ("nobody", "rollout.opponents: unknown agent 'nobody'"),
            ("uci:some/engine", "rollout.opponents: agent 'uci:some/engine': an outside engine cannot be"),
        ] {
            let faulty = RolloutConfig { opponents: vec![name.into()], teachers: Vec::new(), ..config.clone() };
            let fault = Rollout::new(std::slice::from_ref(&game), &faulty, 1).err().unwrap().to_string();
            assert!(fault.starts_with(told), "{fault}");
        }
    }
}

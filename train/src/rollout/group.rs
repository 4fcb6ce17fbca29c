//! Games that one thread plays together, a ply of all of them at a time.

use std::time::Instant;

use anqi_env::game::{Action, Game, Symmetry};
use anqi_env::rng::Rng;
use anqi_env::vector::{BatchMut, VecGame};

use super::guests::Guests;
use super::{Actor, Bias, Ended, Experience, Improved, Improver, Player, Revealed, RolloutConfig};
use crate::agent::{Material, Turn, choose};
use crate::encode::Encoded;
use crate::learn::SEEN;
use crate::net::Output;
use crate::returns::{Estimates, Lambdas, Track};

/// Games that one thread plays together.
pub(super) struct Group<G: Game> {
    pub(super) games: VecGame<G>,
    guests: Guests<G>,
    pub(super) rng: Rng,
    /// What stands on the boards, observed.
    encoded: Encoded,
    seats: Vec<u8>,
    ply: Vec<u32>,
    /// What the last call of `play` brought.
    pub(super) played: Experience,
}

impl<G: Material> Group<G> {
    /// Deals a group's games from its seed.
    ///
    /// # Errors
    /// Sizes that cannot be.
    pub(super) fn new(game: &G, guests: Guests<G>, config: &RolloutConfig, seed: u64) -> Result<Self, anqi_env::Error> {
        let mut group = Group {
            games: VecGame::new(game.clone(), config.group, seed, 1)?,
            guests,
            rng: Rng::branch(seed, &[u64::MAX]),
            encoded: Encoded::new(game.spec(), config.group),
            seats: vec![0; config.group],
            ply: vec![0; config.group],
            played: Experience::default(),
        };
        group.observe()?;
        Ok(group)
    }

    pub(super) fn observe(&mut self) -> Result<(), anqi_env::Error> {
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

    pub(super) fn play(&mut self, player: &Player<'_, G>, config: &RolloutConfig, lambdas: Lambdas, bias: Bias) {
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
            let searched =
                player.improver.map(|improver| self.improve(game, improver, &views, &mut output, &mut played.weights));
            played.decided.agents += deciding.elapsed().as_secs_f64();
            played.encoded.planes.extend_from_slice(planes);
            played.encoded.scalars.extend_from_slice(scalars);
            played.encoded.mask.extend_from_slice(mask);
            played.logp.extend_from_slice(&output.logp);
            if player.critic.is_some() || player.infer.believes() {
                self.reveal(game, &mut revealed);
            }
            let wdl = expected(player, &output, &mut judged, &revealed);
            if player.critic.is_some() {
                played.revealed.extend(&revealed);
            }
            if player.infer.believes() {
                uncover(game, &views, &seen, &revealed, &mut played.hidden);
            }
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
            played.weights.resize(played.actions.len(), 1.0);
            let deciding = Instant::now();
            self.ask_guests(game, &views, &mut actions, &mut played);
            played.decided.agents += deciding.elapsed().as_secs_f64();
            let first = played.by.len() - n;
            let policies = output.logp.chunks_exact(spec.num_actions).zip(&played.by[first..]).zip(&self.ply);
            for ((logp, _), &ply) in policies.filter(|((_, by), _)| **by == Actor::Network) {
                played.openness.add_ply(ply, logp);
            }
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
                    // The network's side is the other parity than the row's.
                    let own = rewards[i * seats + (i + 1) % 2];
                    let opposed = self.guests.opposes(i);
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
        if player.critic.is_some() {
            self.reveal(game, &mut revealed);
        }
        let wdl = expected(player, &output, &mut judged, &revealed);
        let after: Vec<f32> = self.baseline(game, wdl, bias.material).collect();
        let before = Estimates { wdl: &played.expected, baseline: &baseline };
        let after = Estimates { wdl, baseline: &after };
        (played.advantages, played.targets) = track.finish(before, after, &self.seats, lambdas, bias.draw_penalty);
        played.decided.all = started.elapsed().as_secs_f64();
        self.played = played;
    }

    /// Writes every game's position with all pieces shown to the seat to move, not turned.
    fn reveal(&self, game: &G, revealed: &mut Revealed) {
        let (n, spec) = (self.seats.len(), game.spec());
        let (p, k) = (spec.planes_len(), spec.num_scalars);
        revealed.planes.resize(n * p, 0);
        revealed.scalars.resize(n * k, 0.0);
        for (row, &seat) in self.seats.iter().enumerate() {
            let (planes, scalars) = (&mut revealed.planes[row * p..][..p], &mut revealed.scalars[row * k..][..k]);
            let shown = game.observe_revealed(self.games.state(row), seat, planes, scalars);
            debug_assert!(shown, "only where observations can show everything");
        }
    }

    /// Searches from every game's position, puts what that makes of policy and value into the network's answers, and
    /// returns the actions to play; how much each position counts goes to `weights`.
    fn improve(
        &mut self,
        game: &G,
        improver: &dyn Improver<G>,
        views: &[&Symmetry],
        output: &mut Output,
        weights: &mut Vec<f32>,
    ) -> Vec<Action> {
        let mut rngs: Vec<Rng> = views.iter().map(|_| Rng::new(self.rng.bits())).collect();
        let turn = |(row, rng)| {
            let state = self.games.state(row);
            Turn { view: game.view(state, self.seats[row]), rng, game: self.games.number(row) }
        };
        let improved = improver.improve(game, &mut rngs.iter_mut().enumerate().map(turn).collect::<Vec<_>>());
        let rows = output.logp.chunks_exact_mut(game.spec().num_actions).zip(output.wdl.chunks_exact_mut(3));
        let mut actions = Vec::with_capacity(views.len());
        for ((Improved { action, policy, value, weight }, (logp, wdl)), view) in
            improved.into_iter().zip(rows).zip(views)
        {
            actions.push(action.unwrap_or_else(|| view.original(choose(logp, 1.0, &mut self.rng))));
            weights.push(weight);
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

    /// Lets the guests choose where it is their turn.
    fn ask_guests(&mut self, game: &G, views: &[&Symmetry], actions: &mut [i32], played: &mut Experience) {
        let first = played.actions.len() - actions.len();
        for (number, (agent, actor)) in self.guests.iter().enumerate() {
            let of_agent = |row: &usize| self.guests.at(*row, self.seats[*row]) == Some(number);
            let rows: Vec<usize> = (0..self.seats.len()).filter(of_agent).collect();
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

/// [n, 3] what is expected in every game's position: by the critic, where there is one, which is shown everything; else by
/// the network, whose `own` answers these are.
fn expected<'a, G: Game>(
    player: &Player<'_, G>,
    own: &'a Output,
    judged: &'a mut Output,
    revealed: &Revealed,
) -> &'a [f32] {
    let Some(critic) = player.critic else { return &own.wdl };
    let n = own.wdl.len() / 3;
    critic.run_into(&revealed.planes, &revealed.scalars, &vec![1; n], n, judged);
    &judged.wdl
}

/// Adds the kinds of the pieces that are hidden from the seats to move, by place as the network sees them.
fn uncover<G: Game>(game: &G, views: &[&Symmetry], seen: &Encoded, revealed: &Revealed, hidden: &mut Vec<u8>) {
    let kinds = game.belief_features().expect("a network believes only where kinds are hidden");
    let spec = game.spec();
    let (p, features) = (spec.planes_len(), spec.planes[2]);
    let rows = revealed.planes.chunks_exact(p).zip(seen.planes.chunks_exact(p)).zip(views);
    for ((revealed, seen), view) in rows {
        let first = hidden.len();
        hidden.resize(first + p / features, SEEN);
        for (place, revealed) in revealed.chunks_exact(features).enumerate() {
            let place = usize::from(view.squares[place * features]) / features;
            let seen = &seen[place * features..][kinds.clone()];
            if seen.iter().filter(|&&share| share > 0).count() > 1 {
                let kind = revealed[kinds.clone()].iter().position(|&share| share > 0);
                hidden[first + place] = kind.map_or(SEEN, |kind| kind as u8);
            }
        }
    }
}

/// Moves a distribution over win, draw and loss until it expects `value`: towards the better or the worse end, from all
/// else in equal shares.
pub(super) fn lean(wdl: &mut [f32], value: f32) {
    let now = wdl[0] - wdl[2];
    let (end, way) = if value > now { (0, 1.0 - now) } else { (2, 1.0 + now) };
    // Where all stands at the end already there is nothing to move.
    let share = if way > 1e-6 { ((value - now).abs() / way).min(1.0) } else { 0.0 };
    wdl.iter_mut().for_each(|part| *part *= 1.0 - share);
    wdl[end] += share;
}

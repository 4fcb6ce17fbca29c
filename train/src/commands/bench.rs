//! `anqi bench`

use std::time::{Duration, Instant};

use anqi_env::any::AnyRules;
use anqi_env::game::{Game, Spec};
use anqi_env::rng::Rng;
use anqi_env::vector::{BatchMut, VecGame};
use anqi_env::with_family;
use serde_json::json;

use super::{Failure, JsonArgs, Output};
use crate::agent::Material;
use crate::config::Config;
use crate::encode::{Encoded, plan_of, shape_of};
use crate::net::{Infer, Net, device};
use crate::returns::Lambdas;
use crate::rollout::{Bias, Player, Rollout, RolloutConfig};
use crate::workers::Workers;

#[derive(clap::Args)]
#[command(after_help = "Example: anqi bench darkchess --threads 2\n\n\
    rules      one game after another, uniformly random: choose an action, play it\n\
    vector     the same through the vectorised environment, with seats, rewards and flags\n\
    masks      the same with action masks written\n\
    full       the same with masks and observations written\n\
    self-play  full, with actions drawn from the policy of the network that the game's preset has\n\n\
    Without --envs as many games are stepped at a time as keep their observations and masks within 8 MiB, where they do\n\
    not leave the processor's caches, at most 4096.")]
pub(super) struct Args {
    /// Games with profiles and options
    #[arg(default_value = "darkchess")]
    games: Vec<String>,
    /// Games stepped at a time; see below
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    envs: Option<u32>,
    /// Threads; more than one is measured beside one
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Seconds for each figure
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    if !(0.01..=3600.0).contains(&args.seconds) {
        return Err(Failure::Input(format!("--seconds {}: expected 0.01 to 3600", args.seconds)));
    }
    let out = Output::new(&args.json);
    let threads: Vec<usize> = if args.threads == 1 { vec![1] } else { vec![1, args.threads as usize] };
    let mut figures = Vec::new();
    for name in &args.games {
        let rules = AnyRules::parse(name).map_err(Failure::input)?;
        let game_name = &rules.spec().name;
        let envs = args.envs.map_or_else(|| within_caches(rules.spec()), |envs| envs as usize);
        let mut header = vec![format!("{game_name}, million plies/s, {envs} games")];
        header.extend(threads.iter().map(|n| format!("{n} thread{}", if *n == 1 { "" } else { "s" })));
        let mut rows = vec![header];
        for what in ["rules", "vector", "masks", "full", "self-play"] {
            let mut rates = Vec::new();
            for &threads in &threads {
                let rate = with_family!(&rules, game => measure(game, what, args, envs, threads)?);
                figures.push(json!({ "game": game_name, "what": what, "threads": threads, "envs": envs, "plies_per_second": rate }));
                rates.push(rate);
            }
            let mut row = vec![what.to_string()];
            row.extend(rates.iter().map(|rate| format!("{:.2}", rate / 1e6)));
            if let [one, many] = rates[..] {
                row.push(format!("x {:.2}", many / one));
            }
            rows.push(row);
        }
        out.table(&rows);
    }
    out.figures(&figures)
}

/// How many games keep their observations and masks within 8 MiB: the power of two below, at most 4096.
fn within_caches(spec: &Spec) -> usize {
    let bytes = spec.planes_len() + 4 * spec.num_scalars + spec.num_actions;
    let most = ((8 << 20) / bytes).clamp(1, 4096);
    1 << most.ilog2()
}

/// Plies per second.
fn measure<G: Material>(game: &G, what: &str, args: &Args, envs: usize, threads: usize) -> Result<f64, Failure> {
    let time = Duration::from_secs_f64(args.seconds);
    match what {
        "rules" => Ok(rules_alone(game, time, threads)),
        "self-play" => self_play(game, time, threads),
        _ => vector(game, what, envs, time, threads),
    }
}

/// Random games one after another, on each thread its own.
fn rules_alone<G: Game>(game: &G, time: Duration, threads: usize) -> f64 {
    let one = |thread: u64| {
        let started = Instant::now();
        let mut plies = 0u64;
        let mut number = 0;
        while started.elapsed() < time {
            for _ in 0..16 {
                let mut rng = Rng::branch(thread, &[number]);
                let mut state = game.deal(&mut rng);
                while game.status(&state).is_ongoing() && game.plies(&state) < 5_000 {
                    let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
                    game.play(&mut state, action);
                }
                plies += u64::from(game.plies(&state));
                number += 1;
            }
        }
        plies as f64 / started.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let running: Vec<_> = (0..threads as u64).map(|thread| scope.spawn(move || one(thread))).collect();
        running.into_iter().map(|thread| thread.join().unwrap_or(0.0)).sum()
    })
}

fn vector<G: Game>(game: &G, what: &str, envs: usize, time: Duration, threads: usize) -> Result<f64, Failure> {
    let spec = game.spec();
    let mut games = VecGame::new(game.clone(), envs, 1, threads).map_err(Failure::work)?;
    let mut actions = vec![0; envs];
    let mut encoded = Encoded::new(spec, envs);
    let (mut seat, mut rewards) = (vec![0; envs], vec![0.0; envs * spec.num_seats]);
    let (mut terminated, mut truncated) = (vec![false; envs], vec![false; envs]);
    let mut plies = 0;
    // The first quarter warms the caches and spreads the games over their stages.
    let mut started = Instant::now();
    let mut warm = false;
    loop {
        games.sample_actions(&mut actions).map_err(Failure::work)?;
        let full = what == "full";
        let batch = BatchMut {
            planes: full.then_some(&mut encoded.planes),
            scalars: full.then_some(&mut encoded.scalars),
            mask: (full || what == "masks").then_some(&mut encoded.mask),
            seat: Some(&mut seat),
            rewards: Some(&mut rewards),
            terminated: Some(&mut terminated),
            truncated: Some(&mut truncated),
            ..BatchMut::default()
        };
        games.step(&actions, batch).map_err(Failure::work)?;
        plies += envs;
        if !warm && started.elapsed() >= time / 4 {
            (warm, plies, started) = (true, 0, Instant::now());
        } else if warm && started.elapsed() >= time {
            return Ok(plies as f64 / started.elapsed().as_secs_f64());
        }
    }
}

fn self_play<G: Material>(game: &G, time: Duration, threads: usize) -> Result<f64, Failure> {
    let shape = shape_of(game.spec());
    let config = Config::load(None, None, &[format!("game={}", game.spec().name)]).map_err(Failure::work)?;
    let net = Net::new(&config.net, plan_of(game), 1, &device()).map_err(Failure::work)?;
    let infer = Infer::new(&net, shape);
    let config = RolloutConfig { games: 128 * threads, plies: 16, ..RolloutConfig::default() };
    let mut rollout = Rollout::new(std::slice::from_ref(game), &config, 1).map_err(Failure::work)?;
    let workers = Workers::new(threads).map_err(Failure::work)?;
    let started = Instant::now();
    let mut plies = 0;
    while started.elapsed() < time {
        let parts = rollout.run(&Player::alone(&infer), Lambdas::default(), Bias::default(), &workers);
        plies += parts.iter().map(|part| part.len()).sum::<usize>();
    }
    Ok(plies as f64 / started.elapsed().as_secs_f64())
}

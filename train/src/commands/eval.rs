//! `anqi eval`

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anqi_env::any::AnyRules;
use anqi_env::darkchess::DarkChess;
use anqi_env::rng::Rng;
use anqi_env::with_family;
use serde_json::json;

use super::output::Output;
use super::progress::Progress;
use super::{Failure, JsonArgs, scores};
use crate::agent::{Agent, AgentSpec, Material as _, NetSpec, Search};
use crate::arena::{self, Regret, regret};
use crate::checkpoint::{self, Rung};
use crate::search::solve;
use crate::workers::Workers;

#[derive(clap::Args)]
#[command(after_help = "Example: anqi eval runs/darkchess-001/checkpoint --against random,greedy --pairs 200\n\n\
    Each pair is one deal played twice with the seats swapped; the intervals are over pairs. The adjusted\n\
    score leaves out what chance gave, where that can be measured.")]
pub(super) struct Args {
    /// The checkpoint's folder
    checkpoint: PathBuf,
    /// Agents to play against, separated by commas
    #[arg(long, value_delimiter = ',', default_values_t = ["random".to_string(), "greedy".to_string()])]
    against: Vec<String>,
    /// Duplicate pairs against each
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// Seed of the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// 0 plays the most probable action, 1 draws from the policy
    #[arg(long, default_value_t = 0.0)]
    temperature: f32,
    /// A search that the network judges for, such as mcts,sims=64 or expectimax,depth=3
    #[arg(long, value_name = "SEARCH")]
    search: Option<String>,
    /// Also solve the board and tell what the network gives away against exact play (small boards, such as
    /// darkchess:mini)
    #[arg(long)]
    exact: bool,
    /// Write the scores, and what --exact finds, into the checkpoint's card
    #[arg(long, conflicts_with_all = ["search", "temperature"])]
    note: bool,
    /// GiB that the exact values may take
    #[arg(long, value_name = "GIB", default_value_t = 4.0, requires = "exact")]
    memory: f64,
    /// Threads; without it, one a core
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    crate::engine::end_with_us();
    let out = Output::new(&args.json);
    if !(0.0..=10.0).contains(&args.temperature) {
        return Err(Failure::Input(format!("--temperature {}: expected 0 to 10", args.temperature)));
    }
    let path = checkpoint::find(&args.checkpoint).map_err(Failure::input)?;
    let card = checkpoint::load_card(&path).map_err(Failure::input)?;
    let names: Vec<&String> = match card.mix.is_empty() {
        true => vec![&card.game],
        false => card.mix.iter().map(|(name, _)| name).collect(),
    };
    let threads =
        args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let workers = Workers::new(threads).map_err(Failure::work)?;
    let pairs = args.pairs as usize;
    let opponents: Result<Vec<AgentSpec>, _> = args.against.iter().map(|name| AgentSpec::parse(name)).collect();
    let opponents = opponents.map_err(Failure::input)?;
    let solvable = solvable(&names, args)?;
    let mut net = NetSpec::alone(path.clone(), args.temperature);
    if let Some(search) = &args.search {
        net.search = Search::parse(search).map_err(|fault| Failure::Input(format!("--search {search}: {fault}")))?;
        if args.temperature > 0.0 {
            return Err(Failure::Input("--temperature and --search do not go together".into()));
        }
    }
    let net = AgentSpec::Net(net);

    let (mut ladder, mut unadjusted) = (Vec::new(), BTreeSet::new());
    let progress = Mutex::new(Progress::new("measuring", (pairs * opponents.len() * names.len()) as u64));
    for name in &names {
        let rules = AnyRules::parse(name).map_err(Failure::input)?;
        with_family!(&rules, game => {
            let net: Arc<dyn Agent<_>> = net.build(game).map_err(Failure::input)?;
            for (number, opponent) in opponents.iter().enumerate() {
                let opponent_agent = opponent.build(game).map_err(Failure::input)?;
                let seed = Rng::branch(args.seed, &[number as u64]).bits();
                let tell = |done: usize| {
                    if let Ok(mut progress) = progress.lock() {
                        progress.advance(done as u64);
                    }
                };
                let played = arena::play(game, [&net, &opponent_agent], pairs, seed, &workers, &tell);
                if let Err(why) = played.adjusted() {
                    unadjusted.insert(game.gauge().err().unwrap_or_else(|| why.to_string()));
                }
                let mut rung = Rung::new(&opponent.to_string(), &played);
                rung.game = (names.len() > 1).then(|| name.to_string());
                ladder.push(rung);
            }
        });
    }
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    let on = names.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(" and ");
    out.line(format!("{} on {on}, {pairs} duplicate pairs each, seed {}", path.display(), args.seed));
    out.table(&scores::ladder(&ladder));
    unadjusted.iter().for_each(|why| out.line(format!("no adjusted score: {why}")));
    let exact = solvable.iter().map(|game| exactly(game, &net, args, &workers));
    let exact = exact.collect::<Result<Vec<Regret>, Failure>>()?;
    for (name, regret) in names.iter().zip(&exact) {
        let Regret { choices, mean, lower, upper, optimal, worst, .. } = regret;
        out.line(format!(
            "against exact play on {name}: mean regret {mean:.4} ({lower:.4} - {upper:.4}) over {choices} choices, \
             {:.2} % optimal, at worst {worst:.3}",
            100.0 * optimal
        ));
    }
    out.figures(&json!({
        "checkpoint": path, "game": on, "pairs": pairs, "seed": args.seed, "ladder": ladder, "unadjusted": unadjusted,
        "exact": exact,
    }))?;
    if args.note {
        let note = |card: &mut checkpoint::Card| {
            card.ladder.clone_from(&ladder);
            card.exact = exact.first().cloned().or(card.exact.take());
        };
        checkpoint::note(&path, note).map_err(Failure::input)?;
    }
    Ok(())
}

/// The games whose exact values were asked for.
fn solvable(names: &[&String], args: &Args) -> Result<Vec<DarkChess>, Failure> {
    if !args.exact {
        return Ok(Vec::new());
    }
    if !(args.memory > 0.0 && args.memory <= 1e6) {
        return Err(Failure::Input(format!("--memory {}: expected GiB above 0", args.memory)));
    }
    let game = |name: &&String| match AnyRules::parse(name).map_err(Failure::input)? {
        AnyRules::DarkChess(game) => {
            solve::fits(&game, &game.start(), memory(args))
                .map_err(|fault| Failure::Input(format!("--exact: {fault}")))?;
            Ok(game)
        }
        AnyRules::Junqi(_) => {
            Err(Failure::Input(format!("--exact: the solver knows darkchess and tombchess only, not {name}")))
        }
    };
    names.iter().map(game).collect()
}

/// Bytes that exact values may take.
fn memory(args: &Args) -> f64 {
    args.memory * f64::from(1 << 30)
}

/// What the network gives away against exact play, in two games for each pair.
fn exactly(game: &DarkChess, net: &AgentSpec, args: &Args, workers: &Workers) -> Result<Regret, Failure> {
    let net = net.build(game).map_err(Failure::input)?;
    let progress = Progress::new("solving", 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0) as usize);
    let solution = pool.build().map_err(Failure::work)?.install(|| solve::solve(game, &game.start(), memory(args)));
    let found = regret(&solution.map_err(Failure::input)?, &net, 2 * args.pairs as usize, args.seed, workers);
    progress.finish();
    found.map_err(Failure::work)
}

//! `anqi arena`

mod partners;
mod standings;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anqi_env::any::AnyRules;
use anqi_env::game::Game;
use anqi_env::matches::Match as Games;
use anqi_env::with_family;

use super::output::{check_file, today};
use super::progress::Progress;
use super::show::ThemeName;
use super::{Failure, JsonArgs, Output};
use crate::agent::{Agent, AgentError, AgentSpec, Material};
use crate::arena::tournament::{self, Pair, Plan, TournamentError};
use crate::arena::{Series, Sprt, Timed, ratings};
use crate::workers::Workers;
use standings::{Found, tell};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi arena greedy random --pairs 500\n  \
                        anqi arena net:checkpoints/darkchess greedy --sprt 0,20 --pairs 5000\n  \
                        anqi arena --game tombchess greedy random --best-of 5 --out results\n  \
                        anqi arena greedy random expectimax:depth=1 --svg ladder.svg --markdown ladder.md\n  \
                        anqi arena --game siguo net:checkpoints/siguo rules greedy --partners rules --pairs 50\n\n\
    Each set is one deal played twice with the seats swapped; the intervals are over sets. The adjusted score leaves\n\
    out what chance gave, and is as sure as the plain score of so many sets (dark chess and Tomb Chess). Ratings are Bradley-Terry\n\
    with draws, and random has 0 where it plays, else the last agent. --out keeps every game and goes on where it was\n\
    interrupted. --sprt LO,HI ends a match as soon as it is clear (5 % of errors) whether the first agent is stronger\n\
    by HI Elo or only by LO. In games of four ONE+OTHER is a team of two agents, and --partners OPPONENT\n\
    plays every such team of the agents against the same opponents.")]
pub(super) struct Args {
    /// Two or more agents; each plays every other one
    #[arg(required = true, num_args = 2.., value_name = "AGENT")]
    agents: Vec<String>,
    /// Game with profile and options
    #[arg(long, default_value = "darkchess")]
    game: String,
    /// Duplicate sets for each two agents; with --sprt, at most
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pairs: u32,
    /// A matrix of partners instead: each two of the agents as a team against a team of this one (games of four)
    #[arg(long, value_name = "OPPONENT", conflicts_with_all = ["sprt", "best_of", "out", "svg"])]
    partners: Option<String>,
    /// Stop when a sequential test between these Elo bounds is decided
    #[arg(long, value_name = "LO,HI", allow_hyphen_values = true)]
    sprt: Option<String>,
    /// Play matches of the best of 3, 5, 7 or 9 games (Tomb Chess)
    #[arg(long, value_name = "GAMES")]
    best_of: Option<u32>,
    /// Seed of the deals
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; without it, one a core
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// Folder for the results and the records of all games; an interrupted tournament goes on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write the tables as Markdown to a file
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
    /// Draw ratings and scores in a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The picture's colours
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeName,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    crate::engine::end_with_us();
    let out = Output::new(&args.json);
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let specs: Result<Vec<AgentSpec>, AgentError> = args.agents.iter().map(|name| AgentSpec::parse(name)).collect();
    let specs = specs.map_err(Failure::input)?;
    let sprt = args.sprt.as_deref().map(|text| {
        Sprt::parse(text).ok_or_else(|| Failure::Input(format!("--sprt {text}: expected two Elo bounds such as 0,10")))
    });
    let plan = Plan {
        game: rules.spec().name.clone(),
        agents: specs.iter().map(ToString::to_string).collect(),
        pairs: args.pairs as usize,
        seed: args.seed,
        best_of: args.best_of,
        sprt: sprt.transpose()?,
    };
    check_file("--markdown", args.markdown.as_ref())?;
    check_file("--svg", args.svg.as_ref())?;
    check_file("--json", args.json.json.as_ref())?;
    let threads =
        args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), |n| n as usize);
    let workers = Workers::new(threads).map_err(Failure::work)?;
    if let Some(opponent) = &args.partners {
        let opponent = AgentSpec::parse(opponent).map_err(Failure::input)?;
        let matrix = with_family!(&rules, game => partners::play(game, &plan, &specs, &opponent, &workers)?);
        return matrix.tell(args, &out);
    }
    let found = with_family!(&rules, game => tournament_of(game, &rules, &plan, &specs, args, &workers)?);
    tell(&plan, &found, args, &out)
}

fn tournament_of<G: Material>(
    game: &G,
    rules: &AnyRules,
    plan: &Plan,
    specs: &[AgentSpec],
    args: &Args,
    workers: &Workers,
) -> Result<Found, Failure> {
    let built: Result<Vec<Arc<dyn Agent<G>>>, AgentError> = specs.iter().map(|spec| spec.build(game)).collect();
    let timed: Vec<Arc<Timed<G>>> =
        built.map_err(Failure::input)?.into_iter().map(|agent| Arc::new(Timed::new(agent))).collect();
    let agents: Vec<Arc<dyn Agent<G>>> = timed.iter().map(|agent| agent.clone() as Arc<dyn Agent<G>>).collect();
    let series = plan.best_of.map(|best_of| series(rules, best_of)).transpose()?;
    let count = plan.pairs * specs.len() * (specs.len() - 1) / 2;
    let progress = Mutex::new(Progress::new("playing", count as u64));
    let played = |done: usize| {
        if let Ok(mut progress) = progress.lock() {
            progress.advance(done as u64);
        }
    };
    let date = today();
    let folder = args.out.as_deref().map(|folder| (folder, date.as_str()));
    let result = tournament::run(game, plan, &agents, series.as_ref(), folder, workers, &played);
    if let Ok(progress) = progress.lock() {
        progress.finish();
    }
    let (pairs, records) = result.map_err(|fault| match fault {
        TournamentError::File { .. } => Failure::Input(format!("--out: {fault}")),
        TournamentError::Rules(_) => Failure::input(fault),
    })?;
    let anchor = plan.agents.iter().position(|name| name == "random").unwrap_or(specs.len() - 1);
    let pairings: Vec<_> = pairs.iter().map(Pair::pairing).collect();
    let ratings = ratings(specs.len(), &pairings, anchor, plan.seed);
    Ok(Found {
        pairs,
        ratings,
        milliseconds: timed.iter().map(|agent| agent.milliseconds()).collect(),
        speeds: timed.iter().map(|agent| agent.nodes_per_second()).collect(),
        unmeasured: game.gauge().err(),
        records,
    })
}

/// The two rules of a match, red or green to move first.
fn series<G: Game>(rules: &AnyRules, best_of: u32) -> Result<Series<G>, Failure> {
    let mut games = Games::new(best_of).map_err(|fault| Failure::Input(format!("--best-of {best_of}: {fault}")))?;
    let mut next = |winner| {
        games.add(winner);
        let rules = games.rules(rules).map_err(|fault| Failure::Input(format!("--best-of: {fault}")))?;
        rules.game::<G>().ok_or_else(|| Failure::Input("--best-of: the family has no matches".into()))
    };
    Ok(Series { best_of, games: [next(None)?, next(Some(0))?] })
}

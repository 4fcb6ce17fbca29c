//! `anqi arena`

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anqi_env::any::AnyRules;
use anqi_env::draw::{Figure, Standings};
use anqi_env::game::Game;
use anqi_env::matches::Match as Games;
use anqi_env::with_family;
use serde_json::{Value, json};

use super::output::{check_file, today, write_file};
use super::progress::Progress;
use super::scores::{self, SCORE, markdown};
use super::show::ThemeName;
use super::{Failure, JsonArgs, Output};
use crate::agent::{Agent, AgentError, AgentSpec, Material};
use crate::arena::tournament::{self, Pair, Plan, TournamentError};
use crate::arena::{Adjusted, Match, Rating, Score, Series, Sprt, Timed, Unadjusted, Verdict, ratings};
use crate::workers::Workers;

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi arena greedy random --pairs 500\n  \
                        anqi arena net:checkpoints/darkchess greedy --sprt 0,20 --pairs 5000\n  \
                        anqi arena --game tombchess greedy random --best-of 5 --out results\n  \
                        anqi arena greedy random expectimax:depth=1 --svg ladder.svg --markdown ladder.md\n\n\
    Each set is one deal played twice with the seats swapped; the intervals are over sets. The adjusted score leaves\n\
    out what chance gave, and is as sure as the plain score of so many sets (dark chess and Tomb Chess). Ratings are Bradley-Terry\n\
    with draws, and random has 0 where it plays, else the last agent. --out keeps every game and goes on where it was\n\
    interrupted. --sprt LO,HI ends a match as soon as it is clear (5 % of errors) whether the first agent is stronger\n\
    by HI Elo or only by LO.")]
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
    let found = with_family!(&rules, game => tournament_of(game, &rules, &plan, &specs, args, &workers)?);
    tell(&plan, &found, args, &out)
}

/// What a tournament came to.
struct Found {
    pairs: Vec<Pair>,
    ratings: Vec<Rating>,
    /// Mean thinking time of each agent in milliseconds.
    milliseconds: Vec<Option<f64>>,
    /// Why luck cannot be measured in this game, where it cannot.
    unmeasured: Option<String>,
    records: Option<PathBuf>,
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
    let milliseconds = timed.iter().map(|agent| agent.milliseconds()).collect();
    Ok(Found { pairs, ratings, milliseconds, unmeasured: game.gauge().err(), records })
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

/// Prints the tables and writes the figures.
fn tell(plan: &Plan, found: &Found, args: &Args, out: &Output) -> Result<(), Failure> {
    let plain = |name: &str| name.to_string();
    let mut order: Vec<usize> = (0..plan.agents.len()).collect();
    order.sort_by(|&a, &b| found.ratings[b].elo.total_cmp(&found.ratings[a].elo));
    let heading = match plan.best_of {
        Some(best_of) => format!("{}, seed {}, matches of the best of {best_of}", plan.game, plan.seed),
        None => format!("{}, seed {}", plan.game, plan.seed),
    };
    let told: Vec<Told> = found.pairs.iter().map(|pair| Told::of(pair, plan, found)).collect();
    out.line(&heading);
    out.table(&match_rows(&told, plain));
    told.iter().flat_map(|told| &told.verdict).for_each(|(line, _)| out.line(line));
    let why: BTreeSet<&String> = told.iter().filter_map(|told| told.adjusted.as_ref().err()).collect();
    why.iter().for_each(|why| out.line(format!("no adjusted score: {why}")));
    out.line("");
    out.table(&rating_rows(plan, found, &order, plain));
    if let Some(records) = &found.records {
        out.line(format!("records of all games: {}", records.display()));
    }
    if let Some(path) = &args.markdown {
        let code = |name: &str| format!("`{}`", name.replace('|', "\\|"));
        let ratings = markdown(&rating_rows(plan, found, &order, code));
        let matches = markdown(&match_rows(&told, code));
        let text = format!("{heading}, {} sets for each two:\n\n{ratings}\n{matches}", plan.pairs);
        write_file("--markdown", path, text.as_bytes())?;
    }
    if let Some(path) = &args.svg {
        let picture = standings(format!("{heading}, {} sets for each two", plan.pairs), plan, found, &told, &order);
        write_file("--svg", path, picture.svg(args.theme.into()).as_bytes())?;
    }
    let rating = |&agent: &usize| json!({ "agent": plan.agents[agent], "rating": found.ratings[agent], "ms_per_ply": found.milliseconds[agent] });
    out.figures(&json!({
        "plan": plan, "matches": told.iter().map(Told::figures).collect::<Vec<_>>(),
        "ratings": order.iter().map(rating).collect::<Vec<_>>(), "records": found.records,
    }))
}

/// What is told of two agents' sets.
struct Told<'a> {
    agents: [usize; 2],
    names: [&'a str; 2],
    played: Match,
    score: Score,
    /// The score without luck, or why there is none.
    adjusted: Result<Adjusted, String>,
    /// How the sequential test stands, in words and as figures.
    verdict: Option<(String, Value)>,
}

impl<'a> Told<'a> {
    fn of(pair: &Pair, plan: &'a Plan, found: &Found) -> Told<'a> {
        let played = Match::of(&pair.sets);
        let names = pair.agents.map(|agent| plan.agents[agent].as_str());
        let why = |why: Unadjusted| found.unmeasured.clone().unwrap_or_else(|| why.to_string());
        Told {
            agents: pair.agents,
            names,
            score: played.score(),
            adjusted: played.adjusted().map_err(why),
            verdict: plan.sprt.map(|sprt| verdict(sprt, names[0], &played)),
            played,
        }
    }

    fn figures(&self) -> Value {
        let mut figure = json!({
            "first": self.names[0], "second": self.names[1], "sets": self.played.pairs.len(), "score": self.score,
            "adjusted": self.adjusted.as_ref().ok(), "wins_draws_losses": self.played.wins_draws_losses,
            "plies": self.played.plies,
            "endings": self.played.endings.iter().cloned().collect::<BTreeMap<String, u32>>(),
        });
        if let Err(why) = &self.adjusted {
            figure["unadjusted"] = json!(why);
        }
        if let Some((_, verdict)) = &self.verdict {
            figure["sprt"] = verdict.clone();
        }
        figure
    }
}

/// How a sequential test stands, in words and as figures.
fn verdict(sprt: Sprt, first: &str, played: &Match) -> (String, Value) {
    let (ratio, verdict) = (sprt.ratio(&played.pairs), sprt.verdict(&played.pairs));
    let [lower, upper] = sprt.bounds();
    let words = match verdict {
        Verdict::Accepted => format!("{first} is stronger by {} Elo rather than {}", sprt.high, sprt.low),
        Verdict::Rejected => format!("{first} is stronger by {} Elo at most rather than {}", sprt.low, sprt.high),
        Verdict::Open => "undecided; more sets are needed".into(),
    };
    let line = format!("sequential test: ratio {ratio:.2} of {lower:.2} .. {upper:.2}: {words}");
    (line, json!({ "ratio": ratio, "bounds": [lower, upper], "verdict": verdict }))
}

/// A row for each two agents, their names written so.
fn match_rows(told: &[Told], name: impl Fn(&str) -> String) -> Vec<Vec<String>> {
    let head = ["match"].into_iter().chain(SCORE).chain(["won", "drawn", "lost", "sets"]);
    let mut rows: Vec<Vec<String>> = vec![head.map(String::from).collect()];
    rows.extend(told.iter().map(|told| {
        let names = told.names.map(&name).join(" - ");
        let counts = told.played.wins_draws_losses.map(|count| count.to_string());
        let sets = told.played.pairs.len().to_string();
        [names].into_iter().chain(scores::score(&told.score)).chain(counts).chain([sets]).collect()
    }));
    let adjusted: Vec<Option<Adjusted>> = told.iter().map(|told| told.adjusted.clone().ok()).collect();
    scores::adjust(&mut rows, 1 + SCORE.len(), &adjusted);
    rows
}

/// A row for each agent, the best first, the names written so.
fn rating_rows(plan: &Plan, found: &Found, order: &[usize], name: impl Fn(&str) -> String) -> Vec<Vec<String>> {
    let mut rows = vec![["agent", "Elo", "95 % interval", "ms a ply"].map(String::from).to_vec()];
    rows.extend(order.iter().map(|&agent| {
        let rating = found.ratings[agent];
        let time = found.milliseconds[agent]
            .map_or("-".into(), |ms| if ms < 0.01 { "< 0.01".into() } else { format!("{ms:.2}") });
        let interval = format!("{:.0} .. {:.0}", rating.lower, rating.upper);
        vec![name(&plan.agents[agent]), format!("{:.0}", rating.elo), interval, time]
    }));
    rows
}

/// The picture of it all, the best agent first.
fn standings(title: String, plan: &Plan, found: &Found, told: &[Told], order: &[usize]) -> Standings {
    let rating = |&agent: &usize| {
        let Rating { elo, lower, upper } = found.ratings[agent];
        (plan.agents[agent].clone(), Figure { value: elo, lower, upper })
    };
    let met = |&one: &usize, &other: &usize| {
        told.iter().find_map(|told| {
            let Score { score, lower, upper } = told.score;
            match told.agents {
                agents if agents == [one, other] => Some(Figure { value: score, lower, upper }),
                agents if agents == [other, one] => {
                    Some(Figure { value: 1.0 - score, lower: 1.0 - upper, upper: 1.0 - lower })
                }
                _ => None,
            }
        })
    };
    let scores = order.iter().map(|one| order.iter().map(|other| met(one, other)).collect());
    Standings { title, players: order.iter().map(rating).collect(), scores: scores.collect() }
}

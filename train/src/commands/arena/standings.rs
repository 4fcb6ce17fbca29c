//! What `anqi arena` tells: tables, a picture, figures.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anqi_env::draw::{Figure, Standings};
use serde_json::{Value, json};

use super::Args;
use crate::arena::tournament::{Pair, Plan};
use crate::arena::{Adjusted, Match, Rating, Score, Sprt, Unadjusted, Verdict};
use crate::commands::Failure;
use crate::commands::output::{Output, grouped, write_file};
use crate::commands::scores::{self, SCORE, markdown};

/// What a tournament came to.
pub(super) struct Found {
    pub(super) pairs: Vec<Pair>,
    pub(super) ratings: Vec<Rating>,
    /// Mean thinking time of each agent in milliseconds.
    pub(super) milliseconds: Vec<Option<f64>>,
    /// Positions that its searches looked at in a second of its thinking, where it searches.
    pub(super) speeds: Vec<Option<f64>>,
    /// Why luck cannot be measured in this game, where it cannot.
    pub(super) unmeasured: Option<String>,
    pub(super) records: Option<PathBuf>,
}

/// Prints the tables and writes the figures.
pub(super) fn tell(plan: &Plan, found: &Found, args: &Args, out: &Output) -> Result<(), Failure> {
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
    let rating = |&agent: &usize| json!({ "agent": plan.agents[agent], "rating": found.ratings[agent], "ms_per_ply": found.milliseconds[agent], "nodes_per_second": found.speeds[agent] });
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
    let searched = found.speeds.iter().any(Option::is_some);
    rows[0].extend(searched.then(|| "nodes/s".into()));
    rows.extend(order.iter().map(|&agent| {
        let rating = found.ratings[agent];
        let time = found.milliseconds[agent]
            .map_or("-".into(), |ms| if ms < 0.01 { "< 0.01".into() } else { format!("{ms:.2}") });
        let interval = format!("{:.0} .. {:.0}", rating.lower, rating.upper);
        let mut row = vec![name(&plan.agents[agent]), format!("{:.0}", rating.elo), interval, time];
        row.extend(searched.then(|| found.speeds[agent].map_or("-".into(), |speed| grouped(speed as u64))));
        row
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

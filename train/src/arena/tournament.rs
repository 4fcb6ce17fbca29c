//! Every agent against every other one: resumable, in parallel, with a record of every game.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use anqi_env::record::Record;
use serde::{Deserialize, Serialize};

use super::set::{self, Kept, Series, SetResult};
use super::{Pairing, Sprt, sets_at_once};
use crate::agent::{Agent, Material};
use crate::workers::Workers;

/// What is played. A folder that holds sets of another plan is refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// The game with profile and options.
    pub game: String,
    /// The agents as they are written on the command line.
    pub agents: Vec<String>,
    /// Sets for each two agents.
    pub pairs: usize,
    /// Seed of the deals and of the agents' own draws.
    pub seed: u64,
    /// Games of a match, where a set is two matches.
    pub best_of: Option<u32>,
    /// A test that ends the match early.
    pub sprt: Option<Sprt>,
}

/// A fault of the folder or of what lies in it.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// A file that cannot be read or written.
    #[error("{path}: {fault}")]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// Rules that have no matches.
    #[error(transparent)]
    Rules(#[from] anqi_env::Error),
}

/// One line of `sets.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Line {
    first: usize,
    second: usize,
    #[serde(flatten)]
    set: SetResult,
}

/// What two agents made of each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// Their numbers.
    pub agents: [usize; 2],
    /// The sets, in order.
    pub sets: Vec<SetResult>,
}

impl Pair {
    /// For the ratings.
    pub fn pairing(&self) -> Pairing {
        let count = |set: &SetResult| {
            let mut wins_draws_losses = [0; 3];
            set.games.iter().for_each(|game| wins_draws_losses[(1.0 - game.value) as usize] += 1);
            wins_draws_losses
        };
        Pairing { first: self.agents[0], second: self.agents[1], sets: self.sets.iter().map(count).collect() }
    }
}

/// The folder that a tournament writes to and goes on from.
struct Store {
    folder: PathBuf,
    sets: Mutex<File>,
}

impl Store {
    /// Opens a folder and reads the sets that lie in it.
    fn open(folder: &Path, plan: &Plan) -> Result<(Store, Vec<Line>), TournamentError> {
        let fault = |path: &Path| {
            let path = path.to_path_buf();
            move |fault: std::io::Error| TournamentError::File { path, fault: fault.to_string() }
        };
        fs::create_dir_all(folder).map_err(fault(folder))?;
        let (plan_file, sets_file) = (folder.join("plan.json"), folder.join("sets.jsonl"));
        if plan_file.exists() {
            let text = fs::read_to_string(&plan_file).map_err(fault(&plan_file))?;
            let told = |fault: String| TournamentError::File { path: plan_file.clone(), fault };
            let found: Plan = serde_json::from_str(&text).map_err(|fault| told(fault.to_string()))?;
            if found != (Plan { pairs: found.pairs, ..plan.clone() }) {
                return Err(told(
                    "the folder holds another tournament; name another folder, or the same game, agents \
                                 and seed to go on"
                        .into(),
                ));
            }
        }
        let text = serde_json::to_string_pretty(plan).unwrap_or_default();
        replace(&plan_file, &text).map_err(fault(&plan_file))?;
        // A killed run may have left half a line at the end: what is whole is kept.
        let text =
            if sets_file.exists() { fs::read_to_string(&sets_file).map_err(fault(&sets_file))? } else { String::new() };
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let mut lines = Vec::new();
        for (number, line) in whole.lines().enumerate() {
            let line: Line = serde_json::from_str(line).map_err(|fault| TournamentError::File {
                path: sets_file.clone(),
                fault: format!("line {}: {fault}", number + 1),
            })?;
            lines.push(line);
        }
        replace(&sets_file, whole).map_err(fault(&sets_file))?;
        let sets = File::options().append(true).open(&sets_file).map_err(fault(&sets_file))?;
        Ok((Store { folder: folder.into(), sets: Mutex::new(sets) }, lines))
    }

    fn add(&self, line: &Line) -> Result<(), TournamentError> {
        let text = serde_json::to_string(line).unwrap_or_default() + "\n";
        let mut file = self.sets.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        file.write_all(text.as_bytes())
            .map_err(|fault| TournamentError::File { path: self.folder.join("sets.jsonl"), fault: fault.to_string() })
    }

    /// Writes all records, with the agents' names and the day, into one file.
    fn records(&self, plan: &Plan, pairs: &[Pair], date: &str) -> Result<PathBuf, TournamentError> {
        let path = self.folder.join("games.anqi");
        let mut text = String::new();
        for pair in pairs {
            for set in &pair.sets {
                for game in &set.games {
                    let Some(Ok(mut record)) = game.record.as_deref().map(Record::parse) else { continue };
                    let [first, second] = pair.agents.map(|agent| plan.agents[agent].replace('"', "'"));
                    let names = if game.seat == 0 { [first, second] } else { [second, first] };
                    record.set("Set", (set.number + 1).to_string());
                    for seat in 0..seats_of(&record) {
                        record.set(&format!("Seat{seat}"), &names[seat % 2]);
                    }
                    record.set("Date", date);
                    text += &format!("{record}\n");
                }
            }
        }
        replace(&path, &text)
            .map_err(|fault| TournamentError::File { path: path.clone(), fault: fault.to_string() })?;
        Ok(path)
    }
}

/// Seats of a record's game.
fn seats_of(record: &Record) -> usize {
    let rules = record.header("Rules").and_then(|name| anqi_env::any::AnyRules::parse(name).ok());
    rules.map_or(2, |rules| rules.spec().num_seats)
}

/// Writes a file whole or not at all.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path).map(|_| ()).map_err(|fault| fault.error)
}

/// Plays a plan's sets that are not yet in the folder, and gives all of them; with a test, only up to its end.
///
/// `series` is given where a set is two matches. `played` is told the sets done. The same plan gives the same results
/// on any number of workers, however often it was interrupted.
///
/// # Errors
/// A folder that cannot be used or holds another tournament, or rules without matches.
#[allow(clippy::too_many_arguments)]
pub fn run<G: Material>(
    game: &G,
    plan: &Plan,
    agents: &[Arc<dyn Agent<G>>],
    series: Option<&Series<G>>,
    folder: Option<(&Path, &str)>,
    workers: &Workers,
    played: &(impl Fn(usize) + Sync),
) -> Result<(Vec<Pair>, Option<PathBuf>), TournamentError> {
    let (store, lines) = match folder {
        Some((folder, _)) => {
            let (store, lines) = Store::open(folder, plan)?;
            (Some(store), lines)
        }
        None => (None, Vec::new()),
    };
    let kept = Kept { records: store.is_some(), gauge: game.gauge().ok() };
    let mut pairs = Vec::new();
    for first in 0..agents.len() {
        for second in first + 1..agents.len() {
            let mut sets: Vec<Option<SetResult>> = vec![None; plan.pairs];
            for line in lines.iter().filter(|line| (line.first, line.second) == (first, second)) {
                if let Some(place) = sets.get_mut(line.set.number) {
                    *place = Some(line.set.clone());
                }
            }
            played(sets.iter().flatten().count());
            let both = [&agents[first], &agents[second]];
            let at_once = sets_at_once(both);
            // With a test, no more is played at a time than what it may need.
            let stretch = if plan.sprt.is_some() { at_once * (2 * workers.threads()).max(8) } else { plan.pairs };
            let mut from = 0;
            while from < plan.pairs {
                let to = (from + stretch).min(plan.pairs);
                let missing: Vec<usize> = (from..to).filter(|&set| sets[set].is_none()).collect();
                let jobs: Vec<std::ops::Range<usize>> = runs(&missing, at_once);
                let done = workers.map(jobs, |_, range| -> Result<Vec<SetResult>, TournamentError> {
                    let count = range.len();
                    let results = match series {
                        None => set::play(game, both, range, plan.seed, &kept),
                        Some(series) => series.play(both, range, plan.seed, &kept)?,
                    };
                    if let Some(store) = &store {
                        for set in &results {
                            store.add(&Line { first, second, set: set.clone() })?;
                        }
                    }
                    played(count);
                    Ok(results)
                });
                for results in done {
                    for result in results? {
                        let number = result.number;
                        sets[number] = Some(result);
                    }
                }
                let results: Vec<f64> = sets[..to].iter().flatten().map(|set| set.points).collect();
                if let Some(end) = plan.sprt.and_then(|sprt| sprt.ends_at(&results)) {
                    sets.truncate(end);
                    break;
                }
                from = to;
            }
            pairs.push(Pair { agents: [first, second], sets: sets.into_iter().flatten().collect() });
        }
    }
    let records = match (&store, folder) {
        (Some(store), Some((_, date))) => Some(store.records(plan, &pairs, date)?),
        _ => None,
    };
    Ok((pairs, records))
}

/// Cuts ascending numbers into runs of neighbours, at most so many together.
fn runs(numbers: &[usize], most: usize) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some(run) if run.end == number && run.len() < most => run.end += 1,
            _ => runs.push(number..number + 1),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Greedy, Random};
    use anqi_env::darkchess::DarkChess;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn plan(pairs: usize) -> Plan {
        let agents = ["random", "greedy", "random"].map(String::from).to_vec();
        Plan { game: "darkchess:mini".into(), agents, pairs, seed: 5, best_of: None, sprt: None }
    }

    fn agents() -> Vec<Arc<dyn Agent<DarkChess>>> {
        vec![Arc::new(Random), Arc::new(Greedy), Arc::new(Random)]
    }

    fn play(plan: &Plan, folder: Option<&Path>, threads: usize) -> (Vec<Pair>, usize) {
        let game = DarkChess::parse("mini").unwrap();
        let workers = Workers::new(threads).unwrap();
        let count = AtomicUsize::new(0);
        let tell = |n| {
            count.fetch_add(n, Ordering::Relaxed);
        };
        let folder = folder.map(|folder| (folder, "2026-01-01"));
        let (pairs, _) = run(&game, plan, &agents(), None, folder, &workers, &tell).unwrap();
        (pairs, count.into_inner())
    }

    #[test]
    fn goes_on_where_it_was_killed_and_comes_to_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let whole = play(&plan(20), None, 1);
        assert_eq!(whole.1, 60);
        let first = play(&plan(20), Some(folder.path()), 2);
        let sets = folder.path().join("sets.jsonl");
        let text = fs::read_to_string(&sets).unwrap();
        assert_eq!(text.lines().count(), 60);
        // Killed in the middle of a line.
        let half: String = text.lines().take(25).map(|line| format!("{line}\n")).collect();
        fs::write(&sets, format!("{half}{}", &text.lines().nth(26).unwrap()[..40])).unwrap();
        let again = play(&plan(20), Some(folder.path()), 2);
        assert_eq!(again, first);
        let points = |pairs: &[Pair]| -> Vec<f64> {
            pairs.iter().flat_map(|pair| pair.sets.iter().map(|set| set.points)).collect()
        };
        assert_eq!(points(&again.0), points(&whole.0));
        // More of the same is played on top; another seed is another tournament.
        assert_eq!(play(&plan(22), Some(folder.path()), 1).0[0].sets.len(), 22);
        let other = Plan { seed: 6, ..plan(20) };
        let workers = Workers::new(1).unwrap();
        let game = DarkChess::parse("mini").unwrap();
        let fault = run(&game, &other, &agents(), None, Some((folder.path(), "")), &workers, &|_| ()).unwrap_err();
        assert!(fault.to_string().contains("another tournament"), "{fault}");
        let records = Record::read_all(
            &fs::read_to_string(folder.path().join("games.anqi")).unwrap(),
            anqi_env::record::Format::Anqi,
            None,
            true,
        );
        assert_eq!(records.len(), 2 * 3 * 22);
        for reading in records {
            assert_eq!(reading.defects, vec![]);
            reading.record.replay().unwrap();
            assert!(["random", "greedy"].contains(&reading.record.header("Seat1").unwrap()));
        }
    }

    #[test]
    fn a_test_ends_the_match_at_the_same_set_on_any_number_of_threads() {
        let tested = Plan { sprt: Sprt::parse("0,100"), ..plan(400) };
        let ends: Vec<Vec<usize>> =
            [1, 2].map(|threads| play(&tested, None, threads).0.iter().map(|pair| pair.sets.len()).collect()).to_vec();
        assert_eq!(ends[0], ends[1]);
        assert!(ends[0].iter().any(|&sets| sets < 400), "{ends:?}");
    }
}

//! A run's figures: one JSON object a line, and TensorBoard events.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::checkpoint::Rung;
use crate::run::{Counters, Update};
use crate::tensorboard::EventWriter;

/// One line of figures.
pub struct Row {
    updates: u64,
    plies: u64,
    seconds: f64,
    figures: Vec<(String, f64)>,
}

impl Row {
    fn new(counters: &Counters, figures: Vec<(String, f64)>) -> Row {
        Row { updates: counters.updates, plies: counters.plies, seconds: counters.seconds, figures }
    }

    /// The figures of an update.
    pub fn update(update: &Update) -> Row {
        let step = &update.step;
        let seconds = step.times.total();
        let [rules, inference, learning] = step.times.shares().map(|(_, share)| share);
        let mut figures = vec![
            ("speed/plies_per_second", step.plies as f64 / seconds.max(1e-9)),
            ("speed/rules_share", rules),
            ("speed/inference_share", inference),
            ("speed/learning_share", learning),
            ("progress/games", update.counters.games as f64),
            ("progress/learning_rate", step.learning_rate),
        ];
        let ended = &step.ended;
        if ended.games > 0 {
            let games = ended.games as f64;
            figures.push(("games/draws", ended.draws as f64 / games));
            figures.push(("games/first_seat_wins", ended.first_seat_wins as f64 / games));
            figures.push(("games/plies", ended.plies as f64 / games));
        }
        if ended.opposed > 0 {
            figures.push(("games/score_against_opponents", ended.points as f64 / (2 * ended.opposed) as f64));
        }
        let mut figures: Vec<(String, f64)> = figures.into_iter().map(|(name, x)| (name.to_string(), x)).collect();
        figures.extend(step.figures.iter().map(|&(name, x)| (format!("loss/{name}"), x)));
        Row::new(&update.counters, figures)
    }

    /// The scores against the ladder.
    pub fn ladder(counters: &Counters, ladder: &[Rung]) -> Row {
        let figure = |rung: &Rung| {
            let name = |what: &str| format!("strength/{}{what}", rung.against);
            [(name(""), rung.score.score), (name("/lower"), rung.score.lower), (name("/upper"), rung.score.upper)]
        };
        Row::new(counters, ladder.iter().flat_map(figure).collect())
    }

    /// Every figure by its name, as a line of `metrics.jsonl` has them.
    pub fn object(&self) -> Map<String, Value> {
        let mut object = Map::new();
        object.insert("updates".into(), json!(self.updates));
        object.insert("plies".into(), json!(self.plies));
        object.insert("seconds".into(), json!(self.seconds));
        for (name, value) in &self.figures {
            object.insert(name.clone(), json!(value));
        }
        object
    }
}

/// The open files.
pub struct Log {
    metrics: File,
    events: EventWriter,
}

impl Log {
    /// Opens `metrics.jsonl` and an event file in a folder. Lines later than `updates`, left by a run that was
    /// killed after its last checkpoint, are taken away.
    ///
    /// # Errors
    /// What the system says.
    pub fn open(folder: &Path, updates: u64) -> io::Result<Log> {
        let path = folder.join("metrics.jsonl");
        if path.exists() {
            let mut kept = tempfile::NamedTempFile::new_in(folder)?;
            for line in BufReader::new(File::open(&path)?).lines() {
                let line = line?;
                let row: Option<Value> = serde_json::from_str(&line).ok();
                let written_at = row.and_then(|row| row["updates"].as_u64());
                if written_at.is_some_and(|at| at <= updates) {
                    writeln!(kept, "{line}")?;
                }
            }
            kept.persist(&path)?;
        }
        let metrics = OpenOptions::new().create(true).append(true).open(&path)?;
        Ok(Log { metrics, events: EventWriter::create(folder)? })
    }

    /// Adds a line and its events, both on disk when this returns.
    ///
    /// # Errors
    /// What the system says.
    pub fn write(&mut self, row: &Row) -> io::Result<()> {
        // One call a line, so that a killed run leaves whole lines.
        self.metrics.write_all(format!("{}\n", Value::Object(row.object())).as_bytes())?;
        let scalars: Vec<(&str, f32)> =
            row.figures.iter().map(|(name, value)| (name.as_str(), *value as f32)).collect();
        self.events.scalars(row.plies as i64, &scalars)?;
        self.events.flush()
    }
}

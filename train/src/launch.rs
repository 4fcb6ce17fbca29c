//! From settings to a run in a folder: what the command line and Python share.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use anqi_env::any::AnyRules;
use anqi_env::game::Game;
use anqi_env::with_family;

use crate::config::Config;
use crate::run::{self, Folder, Observer, Outcome, RunError, Trainer};

/// The settings that stand beside presets, files and `key=value`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Game with profile and options.
    pub game: Option<&'a str>,
    /// Minutes of training.
    pub minutes: Option<f64>,
    /// Plies of self-play.
    pub plies: Option<u64>,
    /// Seed of everything.
    pub seed: Option<u64>,
    /// Threads.
    pub threads: Option<usize>,
}

impl Limits<'_> {
    /// The same as `key=value`.
    pub fn settings(&self) -> Vec<String> {
        let mut sets = Vec::new();
        // A limit named here is the only limit, unless both are.
        if self.plies.is_some() && self.minutes.is_none() {
            sets.push("minutes=0".into());
        }
        if self.minutes.is_some() && self.plies.is_none() {
            sets.push("plies=0".into());
        }
        sets.extend(self.plies.map(|plies| format!("plies={plies}")));
        sets.extend(self.minutes.map(|minutes| format!("minutes={minutes:?}")));
        sets.extend(self.seed.map(|seed| format!("seed={seed}")));
        sets.extend(self.threads.map(|threads| format!("threads={threads}")));
        if let Some(game) = self.game {
            // A game named here is the one that is learned, whatever a preset mixes.
            sets.push(format!("game={}", toml::Value::from(game)));
            sets.push("mix=[]".into());
        }
        sets
    }
}

/// Whether a folder holds a run.
pub fn holds_run(path: &Path) -> bool {
    path.join("checkpoint").exists() || path.join("metrics.jsonl").exists()
}

/// The first of runs/GAME-001, -002, .. that does not exist.
pub fn next_run(game: &str) -> PathBuf {
    let family = game.split(':').next().unwrap_or("run");
    let name = |number: u32| Path::new("runs").join(format!("{family}-{number:03}"));
    (1..).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(0))
}

/// Runs what the settings say in a folder, from the folder's last checkpoint if `resume` is set.
///
/// # Errors
/// See [`run::train`], [`Trainer::new`] and [`Trainer::resume`].
pub fn launch(
    config: &Config,
    folder: &Folder,
    resume: bool,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Outcome, RunError> {
    let rules = AnyRules::parse(&config.game)?;
    with_family!(&rules, game => {
        let games = mixed(game, &config.mix)?;
        let trainer = match resume {
            true => Trainer::resume(&games, config.clone(), &folder.checkpoint())?,
            false => Trainer::new(&games, config.clone())?,
        };
        run::train(trainer, folder, observer, stop)
    })
}

/// The games that one network learns: all of a mix, or the one.
fn mixed<G: Game>(game: &G, mix: &[String]) -> Result<Vec<G>, RunError> {
    if mix.is_empty() {
        return Ok(vec![game.clone()]);
    }
    let read = |name: &String| {
        let rules = AnyRules::parse(name).map_err(|fault| RunError::Mix(fault.to_string()))?;
        let other = || RunError::Mix(format!("{name} is of another family than {}", game.spec().name));
        rules.game().ok_or_else(other)
    };
    mix.iter().map(read).collect()
}

//! A training run's settings: presets, files and `--set`.

use std::path::Path;

use anqi_env::any::AnyRules;
use serde::{Deserialize, Serialize};

use crate::learn::{PpoConfig, TdConfig};
use crate::method::{ImitateConfig, Kind};
use crate::net::NetConfig;
use crate::returns::Lambdas;
use crate::rollout::RolloutConfig;

/// Every setting of a training run. A file or preset names only what differs from the defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Game with profile and options.
    pub game: String,
    /// Games that one network learns together, each with profile and options; all of them on the same board. Empty:
    /// `game` alone; otherwise `game` is the first of them.
    pub mix: Vec<String>,
    /// Checkpoint whose network a new run starts from, of the same architecture and size; empty: weights drawn at random.
    pub start: String,
    /// Seed of the weights, the deals and every choice.
    pub seed: u64,
    /// Wall-clock limit in minutes; 0 = none. Time decides how far such a run gets, so only runs limited by
    /// `plies` alone give the same result every time.
    pub minutes: f64,
    /// Limit in plies of self-play; 0 = none.
    pub plies: u64,
    /// Threads; 0 = one a core. They never change a result.
    pub threads: usize,
    /// How it learns: `"ppo"`, or `"td"` for dark chess and Tomb Chess.
    pub method: Kind,
    /// The network.
    pub net: NetConfig,
    /// A second network that sees all pieces, for judging while training.
    pub critic: CriticConfig,
    /// Self-play.
    pub rollout: RolloutConfig,
    /// How far estimates look ahead.
    pub lambda: Lambdas,
    /// The search of `method = "gumbel"`.
    pub gumbel: GumbelConfig,
    /// Who is imitated by `method = "imitate"`.
    pub imitate: ImitateConfig,
    /// The loss of `method = "ppo"`, and the optimiser of that and of `method = "gumbel"`.
    pub ppo: PpoConfig,
    /// Targets, search and optimiser of `method = "td"`.
    pub td: TdConfig,
    /// What changes in the course of a run.
    pub schedule: Schedule,
    /// Which plies of a batch are learned from.
    pub select: Select,
    /// Measuring strength on the way and at the end.
    pub eval: EvalConfig,
    /// Minutes between checkpoints.
    pub checkpoint_minutes: f64,
}

/// The critic of `method = "ppo"`: a network of its own, of the same architecture, that is shown every piece. Advantages and
/// the value's targets follow it. A player's policy never sees it; a search that draws whole worlds asks it about these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CriticConfig {
    /// As `net.width`; 0 is no critic.
    pub width: usize,
    /// As `net.depth`.
    pub depth: usize,
}

/// Linear schedules over the run: value at its start and at its end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Schedule {
    /// Adam's learning rate.
    pub learning_rate: [f64; 2],
    /// Weight of the pull towards uniform play (the magnet).
    pub magnet: [f64; 2],
    /// Share of the material balance, as players value the pieces, in what advantages are measured against; the rest
    /// is the network's value. A start for a value that has seen few games; at 0 nothing but results counts.
    pub material: [f64; 2],
    /// What a draw costs both sides in the advantages; 1 is as bad as a loss.
    pub draw_penalty: [f64; 2],
    /// Weight of imitating the plies of `rollout.teachers` (cross entropy, per nat) against the loss of the own plies.
    pub imitate: [f64; 2],
}

/// A schedule's value when a run is `progress` of its length old, 0 to 1.
pub fn at([start, end]: [f64; 2], progress: f64) -> f64 {
    start + (end - start) * progress
}

/// Which plies of a batch are learned from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Select {
    /// Share of plies, those with the largest advantage by size, that the policy learns from.
    pub policy: f32,
    /// Share of plies, drawn at random, that the value learns from.
    pub value: f32,
}

/// The search that a policy learns from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Simulations a ply.
    pub sims: u32,
    /// How strongly results pull at the policy, as a share of the paper's: they are noisy where chance has a say.
    pub scale: f32,
}

/// Measuring strength.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvalConfig {
    /// Agents to play against.
    pub against: Vec<String>,
    /// Minutes between measurements on the way; 0 = only at the end. Each lets the network play the best one so far,
    /// which is kept in the run's folder `best`.
    pub minutes: f64,
    /// Ends the run when the best network has not been beaten for so many measurements in a row; 0 = never.
    pub patience: u32,
    /// Duplicate pairs against each on the way.
    pub pairs: usize,
    /// Duplicate pairs against each at the end, on deals of their own.
    pub final_pairs: usize,
    /// 0 plays the most probable action, 1 draws from the policy.
    pub temperature: f32,
}

impl CriticConfig {
    /// The network that it is, of the architecture of the player; none without a critic.
    pub fn net(&self, player: &NetConfig) -> Option<NetConfig> {
        (self.width > 0).then_some(NetConfig {
            arch: player.arch,
            width: self.width,
            depth: self.depth,
            beliefs: false,
        })
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            game: "darkchess:taiwan".into(),
            mix: Vec::new(),
            start: String::new(),
            seed: 1,
            minutes: 2.0,
            plies: 0,
            threads: 0,
            method: Kind::default(),
            net: NetConfig::default(),
            critic: CriticConfig::default(),
            rollout: RolloutConfig::default(),
            lambda: Lambdas::default(),
            gumbel: GumbelConfig::default(),
            imitate: ImitateConfig::default(),
            ppo: PpoConfig::default(),
            td: TdConfig::default(),
            schedule: Schedule::default(),
            select: Select::default(),
            eval: EvalConfig::default(),
            checkpoint_minutes: 1.0,
        }
    }
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            learning_rate: [2e-3, 2e-4],
            magnet: [0.05, 0.01],
            material: [1.0, 0.3],
            draw_penalty: [1.0, 0.5],
            imitate: [0.0, 0.0],
        }
    }
}

impl Default for Select {
    fn default() -> Self {
        Select { policy: 0.25, value: 0.5 }
    }
}

impl Default for GumbelConfig {
    fn default() -> Self {
        GumbelConfig { sims: 24, scale: 0.2 }
    }
}

impl Default for EvalConfig {
    fn default() -> Self {
        EvalConfig {
            against: vec!["random".into(), "greedy".into()],
            minutes: 0.0,
            patience: 0,
            pairs: 50,
            final_pairs: 200,
            temperature: 0.0,
        }
    }
}

/// A fault in a setting, named by its place.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// No preset of that name.
    #[error("unknown preset '{name}': known presets are {known}")]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// The presets that exist.
        known: String,
    },
    /// A file that cannot be read.
    #[error("config {path}: {message}")]
    File {
        /// The file.
        path: String,
        /// What is wrong.
        message: String,
    },
    /// A `--set` that cannot be used.
    #[error("--set {text}: {message}")]
    Set {
        /// The argument.
        text: String,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A value that cannot be.
    #[error("config {key}: {message}")]
    Value {
        /// The key.
        key: &'static str,
        /// What would be right.
        message: String,
    },
}

/// Name and file of every preset; the first is the default, for junqi the last.
pub const PRESETS: &[(&str, &str)] = &[
    ("quick", include_str!("../presets/quick.toml")),
    ("strong", include_str!("../presets/strong.toml")),
    ("variants", include_str!("../presets/variants.toml")),
    ("mini", include_str!("../presets/mini.toml")),
    ("value", include_str!("../presets/value.toml")),
    ("gumbel", include_str!("../presets/gumbel.toml")),
    ("imitate", include_str!("../presets/imitate.toml")),
    ("junqi-rules", include_str!("../presets/junqi-rules.toml")),
    ("junqi", include_str!("../presets/junqi.toml")),
];

/// The preset that suits the game that some settings name.
fn default_preset(sets: &[String]) -> &'static str {
    let mut table = toml::Table::new();
    // Faulty settings are reported where they are laid on top.
    sets.iter().for_each(|text| drop(set(&mut table, text)));
    let mixed = table.get("mix").and_then(|mix| mix.get(0));
    let game = mixed.or(table.get("game")).and_then(|game| game.as_str()).map(AnyRules::parse);
    match game {
        Some(Ok(AnyRules::Junqi(_))) => "junqi",
        _ => PRESETS[0].0,
    }
}

impl Config {
    /// A preset, or a file where one is given, with settings on top. Without either, the preset that suits the game.
    ///
    /// # Errors
    /// An unknown preset or key, an unreadable file, a bad value; each named by its place.
    pub fn load(preset: Option<&str>, file: Option<&Path>, sets: &[String]) -> Result<Config, ConfigError> {
        let (place, text) = match (preset, file) {
            (_, Some(path)) => {
                let place = path.display().to_string();
                let text = std::fs::read_to_string(path)
                    .map_err(|fault| ConfigError::File { path: place.clone(), message: fault.to_string() })?;
                (place, text)
            }
            (name, None) => {
                let name = name.unwrap_or_else(|| default_preset(sets));
                let found = PRESETS.iter().find(|(known, _)| *known == name);
                let (name, text) = found.ok_or_else(|| ConfigError::UnknownPreset {
                    name: name.into(),
                    known: PRESETS.iter().map(|(known, _)| *known).collect::<Vec<_>>().join(", "),
                })?;
                (format!("preset {name}"), text.to_string())
            }
        };
        let at_file = |message: String| ConfigError::File { path: place.clone(), message };
        let mut table: toml::Table = text.parse().map_err(|fault| at_file(one_line(&fault)))?;
        Config::from_table(&table).map_err(at_file)?;
        for text in sets {
            let at_set = |message: String| ConfigError::Set { text: text.clone(), message };
            set(&mut table, text).map_err(at_set)?;
            Config::from_table(&table).map_err(at_set)?;
        }
        let mut config = Config::from_table(&table).map_err(at_file)?;
        if let Some(first) = config.mix.first() {
            config.game.clone_from(first);
        }
        config.check()?;
        Ok(config)
    }

    fn from_table(table: &toml::Table) -> Result<Config, String> {
        table.clone().try_into().map_err(|fault: toml::de::Error| one_line(&fault))
    }

    /// Whether every value can be.
    ///
    /// # Errors
    /// The first that cannot, with what would be right.
    pub fn check(&self) -> Result<(), ConfigError> {
        let share = |key, value: f32, least: f32| {
            let fits = (least..=1.0).contains(&value);
            fits.then_some(()).ok_or_else(|| bad(key, format!("{value}: expected a share from {least} to 1")))
        };
        fn bad(key: &'static str, message: String) -> ConfigError {
            ConfigError::Value { key, message }
        }
        if self.rollout.group > 0 && self.mix.len() > self.rollout.games / self.rollout.group {
            let (games, groups) = (self.mix.len(), self.rollout.games / self.rollout.group);
            return Err(bad(
                "mix",
                format!("{games} games for {groups} groups: expected rollout.games / rollout.group at least"),
            ));
        }
        share("select.policy", self.select.policy, 0.0)?;
        share("select.value", self.select.value, 0.0)?;
        share("rollout.midgame", self.rollout.midgame, 0.0)?;
        share("rollout.against", self.rollout.against, 0.0)?;
        share("rollout.beside", self.rollout.beside, 0.0)?;
        share("lambda.advantage", self.lambda.advantage, 0.0)?;
        share("lambda.value", self.lambda.value, 0.0)?;
        if self.select.policy + self.select.value <= 0.0 {
            return Err(bad("select", "policy and value are both 0: nothing would be learned".into()));
        }
        for (key, value) in [
            ("minutes", self.minutes),
            ("checkpoint_minutes", self.checkpoint_minutes),
            ("eval.minutes", self.eval.minutes),
        ] {
            if !(0.0..=1e6).contains(&value) {
                return Err(bad(key, format!("{value}: expected minutes from 0 to a million")));
            }
        }
        if self.minutes <= 0.0 && self.plies == 0 {
            return Err(bad("minutes", "minutes and plies are both 0: expected a limit".into()));
        }
        if self.critic.width > 0 && self.method != Kind::Ppo {
            return Err(bad("critic.width", format!("{}: expected 0, or method = \"ppo\"", self.critic.width)));
        }
        let rates = self.schedule.learning_rate;
        if rates.iter().any(|rate| !(0.0..=1.0).contains(rate)) {
            return Err(bad("schedule.learning_rate", format!("{rates:?}: expected two rates from 0 to 1")));
        }
        let weights = [("schedule.magnet", self.schedule.magnet), ("schedule.imitate", self.schedule.imitate)];
        if let Some((key, found)) = weights.into_iter().find(|(_, ends)| ends.iter().any(|x| !(0.0..=10.0).contains(x)))
        {
            return Err(bad(key, format!("{found:?}: expected two weights from 0 to 10")));
        }
        if self.schedule.imitate != [0.0; 2] && self.rollout.teachers.is_empty() {
            let message = "there are no rollout.teachers to imitate; expected some of rollout.opponents, or [0.0, 0.0]";
            return Err(bad("schedule.imitate", message.into()));
        }
        let shares =
            [("schedule.material", self.schedule.material), ("schedule.draw_penalty", self.schedule.draw_penalty)];
        if let Some((key, found)) = shares.into_iter().find(|(_, ends)| ends.iter().any(|x| !(0.0..=1.0).contains(x))) {
            return Err(bad(key, format!("{found:?}: expected two shares from 0 to 1")));
        }
        let GumbelConfig { sims, scale } = self.gumbel;
        if !(1..=100_000).contains(&sims) || !(0.0..=10.0).contains(&scale) {
            let expected = "expected 1 to 100,000 simulations and a scale from 0 to 10";
            return Err(bad("gumbel", format!("sims = {sims}, scale = {scale}: {expected}")));
        }
        if self.threads > 1024 {
            return Err(bad("threads", format!("{}: expected at most 1024", self.threads)));
        }
        if !(1..=1_000_000).contains(&self.rollout.games) || !(1..=100_000).contains(&self.rollout.plies) {
            let RolloutConfig { games, plies, .. } = self.rollout;
            return Err(bad(
                "rollout",
                format!("games = {games}, plies = {plies}: expected 1 to 1,000,000 and 1 to 100,000"),
            ));
        }
        Ok(())
    }

    /// Threads to use.
    pub fn threads(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// Puts `a.b=value` into a table; the value is TOML, or a string where it is none.
fn set(table: &mut toml::Table, text: &str) -> Result<(), String> {
    let (path, value) = text.split_once('=').ok_or("expected key=value, such as net.width=128")?;
    let parsed: Result<toml::Table, _> = format!("value = {value}").parse();
    let value = match parsed {
        Ok(mut table) => table.remove("value").ok_or("the value is empty")?,
        Err(_) => toml::Value::String(value.into()),
    };
    let mut keys: Vec<&str> = path.split('.').map(str::trim).collect();
    let last = keys.pop().unwrap_or_default();
    let mut place = table;
    for key in keys {
        let inner = place.entry(key).or_insert_with(|| toml::Value::Table(toml::Table::new()));
        place = inner.as_table_mut().ok_or_else(|| format!("{key} is no group of settings"))?;
    }
    place.insert(last.into(), value);
    Ok(())
}

/// A TOML fault without its drawing of the source.
fn one_line(fault: &toml::de::Error) -> String {
    let message = fault.message().replace('\n', " ");
    fault.span().filter(|span| span.start > 0).map_or(message.clone(), |span| format!("byte {}: {message}", span.start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::Arch;

    /// What made the networks that come with anqi can be run again.
    #[test]
    fn settings_of_shipped_networks_are_read() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints");
        let folders = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let shipped: Vec<_> = folders.filter(|path| path.is_dir()).collect();
        assert!(!shipped.is_empty());
        for checkpoint in shipped {
            Config::load(None, Some(&checkpoint.join("config.toml")), &[]).unwrap();
        }
    }

    #[test]
    fn every_preset_loads_and_round_trips() {
        for (name, _) in PRESETS {
            let config = Config::load(Some(name), None, &[]).unwrap();
            let text = toml::to_string(&config).unwrap();
            assert_eq!(toml::from_str::<Config>(&text).unwrap(), config, "{name}");
            anqi_env::any::AnyRules::parse(&config.game).unwrap();
        }
    }

    #[test]
    fn settings_are_laid_on_top() {
        let sets = ["net.width=64", "game=darkchess:mini", "rollout.reflect=false", "schedule.magnet=[0.1, 0.0]"];
        let config = Config::load(None, None, &sets.map(String::from)).unwrap();
        assert_eq!((config.net.width, config.game.as_str(), config.rollout.reflect), (64, "darkchess:mini", false));
        assert_eq!(config.schedule.magnet, [0.1, 0.0]);
        let config = Config::load(None, None, &["game=siguo:double-open".into()]).unwrap();
        assert_eq!((config.net.arch, config.game.as_str()), (Arch::Graph, "siguo:double-open"));
    }

    #[test]
    fn faults_name_the_key_and_what_is_right() {
        let fault = |text: &str| Config::load(None, None, &[text.into()]).unwrap_err().to_string();
        assert!(fault("net.widht=64").contains("--set net.widht=64: unknown field `widht`, expected one of"));
        assert!(fault("net.width=many").contains("--set net.width=many: "));
        assert!(fault("width").contains("expected key=value"));
        assert!(fault("seed.a=1").contains("--set seed.a=1"));
        assert!(fault("select.policy=2").contains("expected a share from 0 to 1"));
        assert!(fault("minutes=0").contains("expected a limit"));
        let fault = Config::load(Some("fast"), None, &[]).unwrap_err().to_string();
        assert_eq!(
            fault,
            "unknown preset 'fast': known presets are quick, strong, variants, mini, value, gumbel, imitate, junqi-rules, junqi"
        );
        let fault = Config::load(None, Some(Path::new("no/such.toml")), &[]).unwrap_err().to_string();
        assert!(fault.starts_with("config no/such.toml: "), "{fault}");
    }
}

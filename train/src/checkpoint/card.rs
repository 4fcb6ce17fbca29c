//! The card: what a checkpoint is and how strong, for machines (`card.json`) and for people (`README.md`).

use std::fs;
use std::path::Path;

use anqi_env::any::AnyRules;
use anqi_env::with_family;
use serde::{Deserialize, Serialize};

use super::{CARD, CheckpointError};
use crate::arena::{Adjusted, Match, Regret, Score};
use crate::encode::plan_of;
use crate::net::{Arch, NetConfig, Plan, Shape};

/// A score against one agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rung {
    /// The agent.
    pub against: String,
    /// The game, where the network plays several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Duplicate pairs played.
    pub pairs: usize,
    /// Score and interval.
    #[serde(flatten)]
    pub score: Score,
    /// The score without luck, where that can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjusted: Option<Adjusted>,
    /// Games won, drawn, lost.
    pub wins_draws_losses: [u32; 3],
}

impl Rung {
    /// The result of a match.
    pub fn new(against: &str, played: &Match) -> Rung {
        Rung {
            against: against.into(),
            game: None,
            pairs: played.pairs.len(),
            score: played.score(),
            adjusted: played.adjusted().ok(),
            wins_draws_losses: played.wins_draws_losses,
        }
    }
}

/// What a checkpoint is: `card.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Card {
    /// Version of anqi that wrote it.
    pub anqi: String,
    /// Revision of the source, where known.
    pub revision: Option<String>,
    /// Game with profile and options.
    pub game: String,
    /// Hash of the rules, 16 hexadecimal digits.
    pub rules_hash: String,
    /// Names and hashes of all games that the network learned together; empty where it is one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mix: Vec<(String, String)>,
    /// Version of the observation and action encoding.
    pub encoding: u32,
    /// What the network takes and returns.
    pub shape: Shape,
    /// The network.
    pub net: NetConfig,
    /// The critic that stands beside it, where it was trained with one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub critic: Option<NetConfig>,
    /// Weights of both.
    pub parameters: usize,
    /// Plies of self-play.
    pub plies: u64,
    /// Games of self-play.
    pub games: u64,
    /// Updates.
    pub updates: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Processor and cores it was trained on.
    pub hardware: String,
    /// Threads.
    pub threads: usize,
    /// Seed.
    pub seed: u64,
    /// Strength.
    pub ladder: Vec<Rung>,
    /// What it gives away against exact play, where that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<Regret>,
    /// What a network trained against it came to, where that was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploited: Option<Exploited>,
}

/// What a network trained against a frozen agent came to: a lower bound on how far it can be exploited.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exploited {
    /// Plies of training.
    pub plies: u64,
    /// Seconds of training.
    pub seconds: f64,
    /// Threads.
    pub threads: usize,
    /// Seed.
    pub seed: u64,
    /// Duplicate pairs played against it afterwards.
    pub pairs: usize,
    /// The trained network's score, 1/2 where it found nothing to exploit.
    #[serde(flatten)]
    pub score: Score,
}

impl Card {
    /// A card with what this program and machine say of themselves.
    pub fn here() -> Card {
        let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("");
        let model = model.trim_start_matches([' ', '\t', ':']);
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Card {
            anqi: env!("CARGO_PKG_VERSION").into(),
            revision: option_env!("ANQI_REVISION").map(String::from),
            game: String::new(),
            rules_hash: String::new(),
            mix: Vec::new(),
            encoding: 0,
            shape: Shape { channels: 0, rows: 0, cols: 0, scalars: 0, actions: 0, unit: 1 },
            net: NetConfig::default(),
            critic: None,
            parameters: 0,
            plies: 0,
            games: 0,
            updates: 0,
            seconds: 0.0,
            hardware: format!("{} {model}, {cores} cores", std::env::consts::ARCH).replace(" ,", ","),
            threads: 0,
            seed: 0,
            ladder: Vec::new(),
            exact: None,
            exploited: None,
        }
    }

    /// What the network was built for: with the lines of the board where its architecture needs them.
    pub(super) fn plan(&self, folder: &Path) -> Result<Plan, CheckpointError> {
        if self.net.arch != Arch::Graph {
            return Ok(self.shape.into());
        }
        let fault = |fault: String| CheckpointError::damaged(&folder.join(CARD), fault);
        let rules = AnyRules::parse(&self.game).map_err(|error| fault(error.to_string()))?;
        let plan = with_family!(&rules, game => plan_of(game));
        let (found, expected) = (self.shape, plan.shape);
        match found == expected {
            true => Ok(plan),
            false => Err(fault(format!("its network has shape {found:?}, but {} needs {expected:?}", self.game))),
        }
    }

    /// Whether the checkpoint fits a game.
    ///
    /// # Errors
    /// Other rules, another encoding or shape; both sides are named.
    pub fn check(&self, folder: &Path, rules_hash: u64, encoding: u32, shape: &Shape) -> Result<(), CheckpointError> {
        let rules_hash = format!("{rules_hash:016x}");
        let mismatch = |message| Err(CheckpointError::Mismatch { path: folder.into(), message });
        if self.encoding != encoding {
            return mismatch(format!(
                "trained with encoding {}, but this program has encoding {encoding}",
                self.encoding
            ));
        }
        if self.rules_hash != rules_hash && !self.mix.iter().any(|(_, hash)| *hash == rules_hash) {
            let (game, theirs) = (&self.game, &self.rules_hash);
            if !self.mix.is_empty() {
                let known: Vec<String> = self.mix.iter().map(|(game, hash)| format!("{game} ({hash})")).collect();
                let known = known.join(", ");
                return mismatch(format!("trained for {known}, but the game here has rules {rules_hash}"));
            }
            return mismatch(format!("trained for {game} (rules {theirs}), but the game here has rules {rules_hash}"));
        }
        if self.shape != *shape {
            return mismatch(format!("its network has shape {:?}, but the game needs {shape:?}", self.shape));
        }
        Ok(())
    }

    /// The card for people.
    pub(super) fn readme(&self) -> String {
        let mut text = format!(
            "# {}\n\nA network trained by self-play with anqi {}.\n\n| | |\n|---|---|\n| rules hash | {} |\n| encoding | {} |\n\
             | network | {:?}, width {}, depth {}, {} weights |\n| self-play | {} plies, {} games, {} updates |\n\
             | time | {:.0} s on {} threads ({}) |\n| seed | {} |\n",
            self.game,
            self.anqi,
            self.rules_hash,
            self.encoding,
            self.net.arch,
            self.net.width,
            self.net.depth,
            self.parameters,
            self.plies,
            self.games,
            self.updates,
            self.seconds,
            self.threads,
            self.hardware,
            self.seed
        );
        if !self.ladder.is_empty() {
            text += "\n| against | score | 95 % interval | pairs |\n|---|---|---|---|\n";
            for Rung { against, game, pairs, score, .. } in &self.ladder {
                let game = game.as_ref().map_or(String::new(), |game| format!(", {game}"));
                text += &format!(
                    "| {against}{game} | {:.3} | {:.3} - {:.3} | {pairs} |\n",
                    score.score, score.lower, score.upper
                );
            }
        }
        if let Some(Regret { choices, mean, lower, upper, optimal, worst, .. }) = &self.exact {
            text += &format!(
                "\nAgainst exact play: mean regret {mean:.4} ({lower:.4} - {upper:.4}) over {choices} choices, {:.2} % optimal, \
                 at worst {worst:.3} (`anqi eval --exact`).\n",
                100.0 * optimal
            );
        }
        if let Some(Exploited { plies, seconds, threads, pairs, score, .. }) = &self.exploited {
            text += &format!(
                "\nA network trained against it for {plies} plies ({seconds:.0} s on {threads} threads) scored {:.3} \
                 ({:.3} - {:.3}) over {pairs} pairs, a lower bound on how far it can be exploited (`anqi exploit`).\n",
                score.score, score.lower, score.upper
            );
        }
        text + "\nSettings: `config.toml`. Measure it with `anqi eval` on this folder, or load it in Python as\n`anqi.Agent(\"net:FOLDER\")`.\n"
    }
}

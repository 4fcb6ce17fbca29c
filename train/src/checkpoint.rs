//! Checkpoints: a folder with the network, its settings, a card that says what it is, and what a run needs to
//! go on.
//!
//! A checkpoint is written whole beside its place and then moved there, so a killed run leaves the last whole
//! one. Between the two renames of a replacement the old one stands as `NAME.old`; [`find`] knows that.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anqi_env::any::AnyRules;
use anqi_env::darkchess::Rules;
use anqi_env::with_family;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::{Deserialize, Serialize};

use crate::arena::{Adjusted, Match, Regret, Score};
use crate::encode::plan_of;
use crate::net::{Arch, Net, NetConfig, NetError, Plan, Shape, ValueNet, Weight, device};

/// What keeps a checkpoint from being written or used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// There is none.
    #[error("checkpoint {}: no such folder", .0.display())]
    Missing(PathBuf),
    /// A file that cannot be read or written.
    #[error("checkpoint file {}: {fault}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        fault: io::Error,
    },
    /// A file that holds something else.
    #[error("checkpoint file {} is damaged: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// Another network than the card says.
    #[error("checkpoint file {}: {fault}", path.display())]
    Net {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        fault: NetError,
    },
    /// Trained for something else.
    #[error("checkpoint {}: {message}", path.display())]
    Mismatch {
        /// The folder.
        path: PathBuf,
        /// Both sides.
        message: String,
    },
    /// A checkpoint without what training needs.
    #[error("checkpoint {}: it holds no {name}, so training cannot go on from it (shipped checkpoints leave it out)", path.display())]
    NoState {
        /// The folder.
        path: PathBuf,
        /// What is not there.
        name: String,
    },
}

impl CheckpointError {
    pub(crate) fn damaged(path: &Path, message: impl std::fmt::Display) -> Self {
        CheckpointError::Damaged { path: path.into(), message: message.to_string() }
    }
}

fn at(path: &Path) -> impl Fn(io::Error) -> CheckpointError + '_ {
    move |fault| CheckpointError::File { path: path.into(), fault }
}

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
    /// Its weights.
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
    fn plan(&self, folder: &Path) -> Result<Plan, CheckpointError> {
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
    fn readme(&self) -> String {
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
                 ({:.3} - {:.3}) over {pairs} pairs: it can be exploited at least so far (`anqi exploit`).\n",
                score.score, score.lower, score.upper
            );
        }
        text + "\nSettings: `config.toml`. Measure it with `anqi eval` on this folder, or load it in Python as\n`anqi.Agent(\"net:FOLDER\")`.\n"
    }
}

/// What a run needs to go on, beside the network.
pub struct State {
    /// The optimiser.
    pub optimizer: Vec<u8>,
    /// Anything else, by file name.
    pub blobs: Vec<(String, Vec<u8>)>,
    /// Where it came from, for messages.
    folder: PathBuf,
}

impl State {
    /// A state to save.
    pub fn new(optimizer: Vec<u8>, blobs: Vec<(String, Vec<u8>)>) -> State {
        State { optimizer, blobs, folder: PathBuf::new() }
    }

    /// A part by its name.
    ///
    /// # Errors
    /// When it is not there.
    pub fn blob(&self, name: &str) -> Result<&[u8], CheckpointError> {
        let found = self.blobs.iter().find(|(known, _)| known == name).map(|(_, bytes)| bytes.as_slice());
        found.ok_or_else(|| CheckpointError::NoState { path: self.folder.clone(), name: format!("{STATE}/{name}") })
    }
}

const MODEL: &str = "model.safetensors";
const CARD: &str = "card.json";
const CONFIG: &str = "config.toml";
const STATE: &str = "train_state";
const OPTIMIZER: &str = "optimizer.bin";

/// Saves a whole checkpoint, replacing the one that was there.
///
/// # Errors
/// A folder that cannot be written; what was there stays.
pub fn save(
    folder: &Path,
    weights: &[Weight],
    card: &Card,
    config: &impl Serialize,
    state: Option<&State>,
) -> Result<(), CheckpointError> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(at(parent))?;
    let staged = tempfile::Builder::new().prefix(".checkpoint-").tempdir_in(parent).map_err(at(parent))?;
    let write = |name: &str, bytes: &[u8]| {
        let path = staged.path().join(name);
        let written = File::create(&path).and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
        written.map_err(at(&folder.join(name)))
    };
    write(MODEL, &encode(weights, folder)?)?;
    let json = serde_json::to_string_pretty(card).map_err(|e| CheckpointError::damaged(&folder.join(CARD), e))?;
    write(CARD, (json + "\n").as_bytes())?;
    let toml = toml::to_string(config).map_err(|e| CheckpointError::damaged(&folder.join(CONFIG), e))?;
    write(CONFIG, toml.as_bytes())?;
    write("README.md", card.readme().as_bytes())?;
    if let Some(state) = state {
        let inside = staged.path().join(STATE);
        fs::create_dir(&inside).map_err(at(&inside))?;
        write(&format!("{STATE}/{OPTIMIZER}"), &state.optimizer)?;
        for (name, bytes) in &state.blobs {
            write(&format!("{STATE}/{name}"), bytes)?;
        }
    }
    // A temporary folder is private to its owner; a checkpoint is an ordinary one.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(staged.path(), fs::Permissions::from_mode(0o755)).map_err(at(staged.path()))?;
    }
    let staged = staged.keep();
    let replaced = replace(&staged, folder);
    if replaced.is_err() {
        let _ = fs::remove_dir_all(&staged);
    }
    replaced
}

/// Moves a new folder into the place of an old one. At every moment one of the two is whole under a name that
/// [`find`] looks at.
fn replace(staged: &Path, folder: &Path) -> Result<(), CheckpointError> {
    let old = aside(folder);
    if folder.exists() {
        if old.exists() {
            fs::remove_dir_all(&old).map_err(at(&old))?;
        }
        fs::rename(folder, &old).map_err(at(folder))?;
    }
    fs::rename(staged, folder).map_err(at(folder))?;
    if let Some(parent) = folder.parent().and_then(|parent| File::open(parent).ok()) {
        // The renames are on disk before the old one goes.
        let _ = parent.sync_all();
    }
    if old.exists() {
        fs::remove_dir_all(&old).map_err(at(&old))?;
    }
    Ok(())
}

fn aside(folder: &Path) -> PathBuf {
    let mut name = folder.file_name().unwrap_or_default().to_os_string();
    name.push(".old");
    folder.with_file_name(name)
}

/// The folder to read: the one named, or the one set aside by a run that was killed while replacing it, or the
/// checkpoint in a run's folder.
///
/// # Errors
/// When there is none.
pub fn find(folder: &Path) -> Result<PathBuf, CheckpointError> {
    let inside = folder.join("checkpoint");
    let places = [folder.to_path_buf(), aside(folder), inside.clone(), aside(&inside)];
    places.into_iter().find(|place| place.join(CARD).exists() || place.join(MODEL).exists()).ok_or_else(|| match folder
        .exists()
    {
        false => CheckpointError::Missing(folder.into()),
        true => CheckpointError::File { path: folder.join(CARD), fault: io::ErrorKind::NotFound.into() },
    })
}

/// Reads the card.
///
/// # Errors
/// A folder without one, or one that is damaged.
pub fn load_card(folder: &Path) -> Result<Card, CheckpointError> {
    let path = find(folder)?.join(CARD);
    let text = fs::read_to_string(&path).map_err(at(&path))?;
    serde_json::from_str(&text).map_err(|fault| CheckpointError::damaged(&path, fault))
}

/// Changes a checkpoint's card, for machines and for people; each file is whole at every moment.
///
/// # Errors
/// A card that cannot be read, or a folder that cannot be written; what was there stays.
pub fn note(folder: &Path, change: impl FnOnce(&mut Card)) -> Result<(), CheckpointError> {
    let folder = find(folder)?;
    let mut card = load_card(&folder)?;
    change(&mut card);
    let json = serde_json::to_string_pretty(&card).map_err(|e| CheckpointError::damaged(&folder.join(CARD), e))?;
    for (name, text) in [(CARD, json + "\n"), ("README.md", card.readme())] {
        let path = folder.join(name);
        let staged = tempfile::NamedTempFile::new_in(&folder).map_err(at(&path))?;
        staged.as_file().write_all(text.as_bytes()).map_err(at(&path))?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            fs::set_permissions(staged.path(), fs::Permissions::from_mode(0o644)).map_err(at(&path))?;
        }
        staged.persist(&path).map_err(|fault| at(&path)(fault.error))?;
    }
    Ok(())
}

/// Reads the network's tensors and the card.
///
/// # Errors
/// A file that is missing or damaged.
pub fn load_weights(folder: &Path) -> Result<(Vec<Weight>, Card), CheckpointError> {
    let card = load_card(folder)?;
    let path = find(folder)?.join(MODEL);
    let bytes = fs::read(&path).map_err(at(&path))?;
    let tensors = SafeTensors::deserialize(&bytes).map_err(|fault| CheckpointError::damaged(&path, fault))?;
    let mut weights = Vec::new();
    for (name, tensor) in tensors.tensors() {
        if tensor.dtype() != Dtype::F32 {
            let found = tensor.dtype();
            return Err(CheckpointError::damaged(&path, format!("tensor {name} is {found:?}, expected F32")));
        }
        let data: Vec<f32> = tensor.data().as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        if let Some(value) = data.iter().find(|value| !value.is_finite()) {
            return Err(CheckpointError::damaged(&path, format!("tensor {name} holds {value}")));
        }
        weights.push(Weight { name, shape: tensor.shape().to_vec(), data });
    }
    Ok((weights, card))
}

/// Reads a network with a policy, and the card.
///
/// # Errors
/// A file that is missing, damaged, or holds another network than the card says.
pub fn load_net(folder: &Path) -> Result<(Net, Card), CheckpointError> {
    let (weights, card) = load_weights(folder)?;
    let inside = find(folder)?;
    let fault = |fault| CheckpointError::Net { path: inside.join(MODEL), fault };
    let net = Net::new(&card.net, card.plan(&inside)?, 0, &device()).map_err(fault)?;
    let net = net.with_weights(weights).map_err(fault)?;
    Ok((net, card))
}

/// Reads a value network for a set of rules, and the card.
///
/// # Errors
/// A file that is missing, damaged, or holds another network than the card says.
pub fn load_value(folder: &Path, rules: &Rules) -> Result<(ValueNet, Card), CheckpointError> {
    let (weights, card) = load_weights(folder)?;
    let inside = find(folder)?;
    let fault = |fault| CheckpointError::Net { path: inside.join(MODEL), fault };
    let net = ValueNet::new(&card.net, rules, 0).map_err(fault)?;
    Ok((net.with_weights(weights).map_err(fault)?, card))
}

/// Reads what training needs to go on.
///
/// # Errors
/// When it is not there or cannot be read.
pub fn load_state(folder: &Path) -> Result<State, CheckpointError> {
    let folder = find(folder)?;
    let inside = folder.join(STATE);
    if !inside.exists() {
        return Err(CheckpointError::NoState { path: folder, name: STATE.into() });
    }
    let mut blobs = Vec::new();
    for entry in fs::read_dir(&inside).map_err(at(&inside))? {
        let path = entry.map_err(at(&inside))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        blobs.push((name, fs::read(&path).map_err(at(&path))?));
    }
    let mut state = State { optimizer: Vec::new(), blobs, folder };
    state.optimizer = state.blob(OPTIMIZER)?.to_vec();
    Ok(state)
}

fn encode(weights: &[Weight], folder: &Path) -> Result<Vec<u8>, CheckpointError> {
    let bytes: Vec<Vec<u8>> =
        weights.iter().map(|weight| weight.data.iter().flat_map(|value| value.to_le_bytes()).collect()).collect();
    let path = folder.join(MODEL);
    let views: Result<Vec<_>, _> = weights
        .iter()
        .zip(&bytes)
        .map(|(weight, bytes)| Ok((weight.name.as_str(), TensorView::new(Dtype::F32, weight.shape.clone(), bytes)?)))
        .collect();
    let encoded = views.and_then(|views: Vec<(&str, TensorView<'_>)>| safetensors::serialize(views, None));
    encoded.map_err(|fault: safetensors::SafeTensorError| CheckpointError::damaged(&path, fault))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::tests::SHAPE;

    fn sample() -> (Net, Card) {
        let net_config = NetConfig { width: 8, depth: 1, ..NetConfig::default() };
        let net = Net::new(&net_config, SHAPE, 3, &device()).unwrap();
        let card = Card {
            game: "darkchess:taiwan".into(),
            rules_hash: format!("{:016x}", 5),
            encoding: 1,
            shape: SHAPE,
            net: net_config,
            ..Card::here()
        };
        (net, card)
    }

    fn state() -> State {
        State::new(vec![1, 2, 3], vec![("run.json".into(), b"{}".to_vec())])
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let (net, card) = sample();
        for _ in 0..2 {
            save(&path, &net.weights(), &card, &card.net, Some(&state())).unwrap();
        }
        let (loaded, loaded_card) = load_net(&path).unwrap();
        assert_eq!((loaded.flat(), &loaded_card), (net.flat(), &card));
        let loaded = load_state(&path).unwrap();
        assert_eq!((loaded.optimizer.as_slice(), loaded.blob("run.json").unwrap()), (&[1u8, 2, 3][..], &b"{}"[..]));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
        // The run's folder finds its checkpoint too.
        assert_eq!(load_card(folder.path()).unwrap(), card);
    }

    #[test]
    fn a_run_killed_between_the_renames_leaves_the_old_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let (net, card) = sample();
        save(&path, &net.weights(), &card, &card.net, None).unwrap();
        fs::rename(&path, aside(&path)).unwrap();
        assert_eq!(load_net(&path).unwrap().1, card);
        assert!(matches!(load_state(&path), Err(CheckpointError::NoState { .. })));
        save(&path, &net.weights(), &card, &card.net, None).unwrap();
        assert!(!aside(&path).exists() && path.exists());
    }

    #[test]
    fn damage_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("checkpoint");
        let (net, card) = sample();
        save(&path, &net.weights(), &card, &card.net, None).unwrap();
        let model = path.join(MODEL);
        let whole = fs::read(&model).unwrap();
        for length in [0, 4, 8, 100, whole.len() / 2, whole.len() - 1] {
            fs::write(&model, &whole[..length]).unwrap();
            let fault = load_net(&path).unwrap_err().to_string();
            assert!(fault.contains("model.safetensors is damaged"), "{length}: {fault}");
        }
        fs::remove_file(&model).unwrap();
        assert!(load_net(&path).unwrap_err().to_string().contains("model.safetensors"));
        fs::write(&model, &whole).unwrap();
        fs::write(path.join(CARD), "{\"game\": 3}").unwrap();
        assert!(load_net(&path).unwrap_err().to_string().contains("card.json is damaged"));
        fs::remove_file(path.join(CARD)).unwrap();
        assert!(load_net(&path).unwrap_err().to_string().contains("card.json"));
        assert!(load_net(&folder.path().join("no")).unwrap_err().to_string().ends_with("no: no such folder"));
    }

    #[test]
    fn other_rules_and_encodings_are_refused() {
        let (_, card) = sample();
        let fault = |hash, encoding| card.check(Path::new("x"), hash, encoding, &SHAPE).unwrap_err().to_string();
        assert!(card.check(Path::new("x"), 5, 1, &SHAPE).is_ok());
        assert_eq!(
            fault(6, 1),
            "checkpoint x: trained for darkchess:taiwan (rules 0000000000000005), but the game here has rules 0000000000000006"
        );
        assert_eq!(fault(5, 2), "checkpoint x: trained with encoding 1, but this program has encoding 2");
    }

    #[test]
    fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let (net, card) = sample();
        let fault = save(&file.join("checkpoint"), &net.weights(), &card, &card.net, None).unwrap_err().to_string();
        assert!(fault.contains("file"), "{fault}");
    }
}

//! Checkpoints: a folder with the network, its settings, a card that says what it is, and what a run needs to
//! go on.
//!
//! A checkpoint is written whole beside its place and then moved there, so a killed run leaves the last whole
//! one. Between the two renames of a replacement the old one stands as `NAME.old`; [`find`] knows that.

mod card;

pub use card::{Card, Exploited, Rung};

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anqi_env::darkchess::Rules;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};
use serde::Serialize;

use crate::encode::critic_plan;
use crate::net::{Net, NetError, ValueNet, Weight, critic, device};

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
/// The folder of a run's best network.
pub const BEST: &str = "best";
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

/// The folder to read: the one named, or the one set aside by a run that was killed while replacing it, or the best
/// network in a run's folder, or the last one there.
///
/// # Errors
/// When there is none.
pub fn find(folder: &Path) -> Result<PathBuf, CheckpointError> {
    let inside = [folder.to_path_buf(), folder.join(BEST), folder.join("checkpoint")];
    let mut places = inside.into_iter().flat_map(|place| [place.clone(), aside(&place)]);
    places.find(|place| place.join(CARD).exists() || place.join(MODEL).exists()).ok_or_else(|| match folder.exists() {
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
    let net = net.with_weights(critic::apart(weights).0).map_err(fault)?;
    Ok((net, card))
}

/// Reads the critic that stands beside a network, if one does.
///
/// # Errors
/// A file that is missing, damaged, or holds another critic than the card says.
pub fn load_critic(folder: &Path) -> Result<Option<Net>, CheckpointError> {
    let (weights, card) = load_weights(folder)?;
    let Some(size) = &card.critic else { return Ok(None) };
    let inside = find(folder)?;
    let fault = |fault| CheckpointError::Net { path: inside.join(MODEL), fault };
    let net = Net::new(size, critic_plan(card.plan(&inside)?), 0, &device()).map_err(fault)?;
    net.with_weights(critic::apart(weights).1).map(Some).map_err(fault)
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
    use crate::net::NetConfig;
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

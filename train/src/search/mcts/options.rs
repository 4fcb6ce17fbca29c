//! How long a tree search thinks: `sims=400`, and how its leaves are judged: `playout=8`.

use std::fmt;

use crate::search::number::whole;

/// A tree search's options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Simulations: walks from the root to a leaf.
    pub sims: u32,
    /// Random plies played at a leaf before the evaluation, at most; a network needs none.
    pub playout: u32,
}

impl Options {
    /// What users may write.
    pub const KNOWN: &'static str = "sims=1..1000000, playout=0..1000";

    /// Reads options, such as `sims=400` and `playout=8`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn parse<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Options, String> {
        let mut options = Options { sims: 0, playout: 0 };
        for part in parts.map(str::trim) {
            let unknown = || format!("unknown option '{part}': known are {}", Options::KNOWN);
            let (name, text) = part.split_once('=').ok_or_else(unknown)?;
            match name {
                "sims" => options.sims = whole(name, text, 1..=1_000_000)?,
                "playout" => options.playout = whole(name, text, 0..=1_000)?,
                _ => return Err(unknown()),
            }
        }
        match options.sims {
            0 => Err(format!(
                "a number of simulations must follow, such as mcts:sims=400; known options are {}",
                Self::KNOWN
            )),
            _ => Ok(options),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sims={}", self.sims)?;
        match self.playout {
            0 => Ok(()),
            plies => write!(f, ",playout={plies}"),
        }
    }
}

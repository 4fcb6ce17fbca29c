//! How many worlds are drawn, and how far they are played: `n=24`, `plies=8`.

use std::fmt;

use crate::search::number::whole;

/// How many worlds, and how far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Worlds drawn for a turn.
    pub worlds: u32,
    /// Plies played in each after the action; none for four of each seat.
    pub plies: Option<u32>,
}

impl Options {
    /// What users may write after `search=worlds`.
    pub const KNOWN: &'static str = "n=1..10000, plies=0..1000";

    /// Reads options, such as `n=16` and `plies=8`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn parse<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Options, String> {
        let mut options = Options { worlds: 0, plies: None };
        for part in parts.map(str::trim) {
            let unknown = || format!("unknown option '{part}': known are {}", Options::KNOWN);
            let (name, text) = part.split_once('=').ok_or_else(unknown)?;
            match name {
                "n" => options.worlds = whole(name, text, 1..=10_000)?,
                "plies" => options.plies = Some(whole(name, text, 0..=1_000)?),
                _ => return Err(unknown()),
            }
        }
        match options.worlds {
            0 => Err(format!("search=worlds needs a number of worlds, such as n=16; known are {}", Self::KNOWN)),
            _ => Ok(options),
        }
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "search=worlds,n={}", self.worlds)?;
        match self.plies {
            None => Ok(()),
            Some(plies) => write!(f, ",plies={plies}"),
        }
    }
}

//! How far an expectimax agent looks: `depth=3`, `ms=300`, `nodes=20000`, together or alone.

use std::fmt;

use crate::search::number::whole;

/// What bounds one search. Without any bound it ends when the whole game is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to look ahead.
    pub depth: Option<u32>,
    /// Milliseconds. The same position may then give another action on another day.
    pub ms: Option<u64>,
    /// Positions visited.
    pub nodes: Option<u64>,
}

/// Most plies ahead.
pub const MAX_DEPTH: u32 = 64;

/// An expectimax agent's options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What bounds a search.
    pub limits: Limits,
    /// Positions with nothing face down and at most so many pieces are looked up in tables; 0 for none.
    pub tables: u8,
}

impl Options {
    /// What users may write.
    pub const KNOWN: &'static str = "depth=1..64, ms=1.., nodes=1.., tables=2..4";

    /// Reads options, such as `depth=3` and `ms=300`.
    ///
    /// # Errors
    /// What is wrong and what would be right.
    pub fn parse<'a>(parts: impl Iterator<Item = &'a str>) -> Result<Options, String> {
        let mut options = Options::default();
        for part in parts.map(str::trim) {
            let unknown = || format!("unknown option '{part}': known are {}", Options::KNOWN);
            let (name, text) = part.split_once('=').ok_or_else(unknown)?;
            match name {
                "depth" => options.limits.depth = Some(whole(name, text, 1..=MAX_DEPTH)?),
                "ms" => options.limits.ms = Some(whole(name, text, 1..=u64::MAX)?),
                "nodes" => options.limits.nodes = Some(whole(name, text, 1..=u64::MAX)?),
                "tables" => options.tables = whole(name, text, 2..=4)?,
                _ => return Err(unknown()),
            }
        }
        if options.limits == Limits::default() {
            return Err(format!(
                "a limit must follow, such as expectimax:depth=3; known options are {}",
                Options::KNOWN
            ));
        }
        Ok(options)
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limits { depth, ms, nodes } = self.limits;
        let mut parts: Vec<String> = Vec::new();
        parts.extend(depth.map(|n| format!("depth={n}")));
        parts.extend(ms.map(|n| format!("ms={n}")));
        parts.extend(nodes.map(|n| format!("nodes={n}")));
        if self.tables > 0 {
            parts.push(format!("tables={}", self.tables));
        }
        f.write_str(&parts.join(","))
    }
}

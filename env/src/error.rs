//! What can be wrong with input, in one sentence each: the place, the fault, and what would be right.

use thiserror::Error as ThisError;

/// A fault in a game name, a position, an action or a record.
#[derive(Debug, Clone, PartialEq, Eq, ThisError)]
#[non_exhaustive]
pub enum Error {
    /// No family of that name.
    #[error("unknown game '{name}': known games are {known}")]
    UnknownGame {
        /// What was asked for.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// The family has no profile of that name.
    #[error("unknown profile '{name}' of {family}: known profiles are {known}")]
    UnknownProfile {
        /// The family.
        family: &'static str,
        /// What was asked for.
        name: String,
        /// The profiles that exist.
        known: String,
    },
    /// The family has no option of that name.
    #[error("unknown option '{name}' of {family}: known options are {known}")]
    UnknownOption {
        /// The family.
        family: &'static str,
        /// What was asked for.
        name: String,
        /// The options that exist.
        known: String,
    },
    /// An option's value cannot be used.
    #[error("option {name}={value}: {expected}")]
    BadOption {
        /// The option.
        name: String,
        /// The value given.
        value: String,
        /// What would be right.
        expected: String,
    },
    /// Options that cannot stand together.
    #[error("rules: {0}")]
    Rules(String),
    /// A position text that cannot be read or cannot occur.
    #[error("position, {field}: {message}")]
    Position {
        /// The field of the text.
        field: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
    /// An action that does not exist or is not legal here.
    #[error("{0}")]
    Action(String),
    /// A chance outcome that cannot follow the action.
    #[error("{0}")]
    Outcome(String),
    /// A game record with a defect.
    #[error("record, line {line}{}: {message}", ply.map(|p| format!(", ply {p}")).unwrap_or_default())]
    Record {
        /// Line of the file, from 1.
        line: usize,
        /// Ply of the game, from 1, where the defect has one.
        ply: Option<usize>,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A file of bytes with a defect.
    #[error("byte {offset} (0x{offset:X}): {message}")]
    Bytes {
        /// Where in the file, from 0.
        offset: usize,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A batch whose shape does not fit.
    #[error("{0}")]
    Shape(String),
    /// A batch with an action that is not legal in its row; no game was changed.
    #[error("row {row}: {message}")]
    Row {
        /// The row of the batch.
        row: usize,
        /// Which action, and what is legal.
        message: String,
    },
}

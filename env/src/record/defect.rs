//! What is wrong with a record, named by line and ply, and how it was understood.

use crate::Error;

/// How bad a defect is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// Not as the format has it, but there is one meaning, and the reader took it.
    Mended,
    /// A ply is not in the record, or not to be made out; the turn passes and the board stays as it was.
    Missing,
    /// What the record claims, such as its result, is not what its plies show.
    Contradiction,
    /// A ply that the rules forbid. Nothing after it is played.
    Illegal,
    /// No meaning can be found. Nothing after it is read.
    Unreadable,
}

impl Grade {
    /// The name used in messages.
    pub fn name(self) -> &'static str {
        match self {
            Grade::Mended => "mended",
            Grade::Missing => "missing",
            Grade::Contradiction => "contradiction",
            Grade::Illegal => "illegal",
            Grade::Unreadable => "unreadable",
        }
    }
}

/// One defect of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defect {
    /// Line of the text, from 1.
    pub line: usize,
    /// Ply of the game, from 1, where the defect has one.
    pub ply: Option<usize>,
    /// How bad it is.
    pub grade: Grade,
    /// What is wrong.
    pub wrong: String,
    /// What would be right, or how it was understood; may be empty.
    pub right: String,
}

impl std::fmt::Display for Defect {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}", self.line)?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.message())
    }
}

impl Defect {
    /// What is wrong and what would be right, without the place.
    pub fn message(&self) -> String {
        if self.right.is_empty() { self.wrong.clone() } else { format!("{}; {}", self.wrong, self.right) }
    }

    pub(super) fn error(&self) -> Error {
        // How the reading would have gone on is no part of an error that ends it.
        let message = if self.grade == Grade::Missing { self.wrong.clone() } else { self.message() };
        Error::Record { line: self.line, ply: self.ply, message }
    }
}

/// Reading or playing ends here; the defect that ended it is among the notes.
#[derive(Debug)]
pub(super) struct Stop;

/// Where a defect stands: the line, and the ply's number where it has one.
pub(super) type Place = (usize, Option<usize>);

/// The defects found so far.
#[derive(Default)]
pub(super) struct Notes {
    /// Whether the first defect ends the reading, whatever its grade.
    strict: bool,
    pub(super) defects: Vec<Defect>,
}

impl Notes {
    pub(super) fn new(strict: bool) -> Notes {
        Notes { strict, defects: Vec::new() }
    }

    /// Notes a defect. Goes on unless it is of a grade that ends the reading.
    pub(super) fn add(
        &mut self,
        grade: Grade,
        (line, ply): Place,
        wrong: impl Into<String>,
        right: impl Into<String>,
    ) -> Result<(), Stop> {
        self.defects.push(Defect { line, ply, grade, wrong: wrong.into(), right: right.into() });
        if self.strict || grade >= Grade::Illegal { Err(Stop) } else { Ok(()) }
    }

    /// Notes something that was understood otherwise than it is written.
    pub(super) fn mended(
        &mut self,
        place: Place,
        wrong: impl Into<String>,
        right: impl Into<String>,
    ) -> Result<(), Stop> {
        self.add(Grade::Mended, place, wrong, right)
    }

    /// Notes what cannot be understood and ends the reading.
    pub(super) fn unreadable(&mut self, place: Place, wrong: impl Into<String>, right: impl Into<String>) -> Stop {
        // Always an error, by its grade.
        self.add(Grade::Unreadable, place, wrong, right).err().unwrap_or(Stop)
    }
}

//! Game records: one file a format, all of them read into one [`Record`], with what is wrong as [`Defect`]s.
//!
//! [`Record::read`] reads a text and names every defect in it; [`Record::check`] plays the record through and
//! names what the rules say against it. [`Record::parse`] and [`Record::replay`] are the same for the `anqi` form,
//! with the first defect as an error.
//!
//! QQ's files of Junqi are bytes: [`jgs`] reads replays, [`jql`] reads and writes layouts, a [`Layout`] being the text of
//! one.

mod anqi;
mod check;
mod defect;
mod format;
pub mod jgs;
pub mod jql;
mod layout;
pub mod misty;
mod ntu;
mod qq;
mod rounds;
mod seed;
mod tcga;
#[cfg(test)]
mod tests;

pub use check::Checked;
pub use defect::{Defect, Grade};
pub use format::{Format, Reading};
pub use layout::Layout;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::any::{AnyGame, AnyRules};
use crate::game::{Game as _, Spec, Status};
use crate::junqi::signal;
use defect::Notes;

/// One ply of a record: the action's name and what chance added.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ply {
    /// The action's name, or [`UNKNOWN`].
    pub action: String,
    /// The piece a flip showed.
    pub outcome: Option<String>,
    /// Whether the seat offered a draw with it.
    pub offer: bool,
}

impl Ply {
    /// Whether it is no ply by the rules, but what a seat said to its ally before one. Draws are offered past it.
    pub fn is_aside(&self) -> bool {
        self.action.starts_with(signal::PREFIX)
    }
}

/// What stands behind a ply with which a draw was offered.
const OFFER: &str = "(=)";

/// The action of a ply that was played but is not in the record, or cannot be made out.
pub const UNKNOWN: &str = "?";

/// A whole game on paper: headers, plies, result. Two are equal when they say the same, on whatever lines.
#[derive(Clone, Debug)]
pub struct Record {
    /// Header keys and values, in order.
    pub headers: Vec<(String, String)>,
    /// The plies.
    pub plies: Vec<Ply>,
    /// The line each ply stands on, from 1.
    lines: Vec<usize>,
    /// The line that tells the result, from 1.
    result_line: usize,
    /// The line it begins on, from 1.
    line: usize,
}

impl PartialEq for Record {
    fn eq(&self, other: &Record) -> bool {
        (&self.headers, &self.plies) == (&other.headers, &other.plies)
    }
}

impl Eq for Record {}

impl Record {
    /// The record of a game under these rules: the seed it was dealt from, the position it started from where that is
    /// not the start, and its plies.
    pub fn of(spec: &Spec, seed: u64, start: Option<String>, plies: Vec<Ply>, status: Status) -> Record {
        let family = spec.name.split(':').next().unwrap_or_default();
        let mut headers = vec![
            ("Game".to_string(), family.to_string()),
            ("Rules".into(), spec.name.clone()),
            ("RulesHash".into(), format!("{:016x}", spec.rules_hash)),
            ("Seed".into(), seed.to_string()),
        ];
        headers.extend(start.map(|position| ("Position".into(), position)));
        let (result, termination) = result_of(status);
        headers.push(("Result".into(), result.into()));
        headers.push(("Termination".into(), termination.into()));
        Record { headers, lines: vec![1; plies.len()], plies, result_line: 1, line: 1 }
    }

    /// Headers that tell how the game was set up, before the result.
    pub(crate) fn set_up(&mut self, headers: Vec<(String, String)>) {
        let place = self.headers.iter().position(|(key, _)| key == "Result").unwrap_or(self.headers.len());
        self.headers.splice(place..place, headers);
    }

    /// How many plies make a round: one a seat.
    fn round(&self) -> usize {
        let name = self.header("Rules").or(self.header("Game")).unwrap_or_default();
        if name.split(':').next() == Some("siguo") { 4 } else { 2 }
    }

    /// Nothing yet.
    pub(crate) fn empty() -> Record {
        Record { headers: Vec::new(), plies: Vec::new(), lines: Vec::new(), result_line: 1, line: 1 }
    }

    /// No ply yet of a game under these rules.
    fn under(spec: &Spec) -> Record {
        let mut record = Record::empty();
        record.set("Game", spec.name.split(':').next().unwrap_or_default());
        record.set("Rules", &spec.name);
        record
    }

    /// Adds a ply that stands on a line.
    fn push(&mut self, action: impl Into<String>, outcome: Option<String>, line: usize) {
        self.plies.push(Ply { action: action.into(), outcome, offer: false });
        self.lines.push(line);
    }

    /// Adds a ply that is not in the record.
    fn push_unknown(&mut self, line: usize) {
        self.push(UNKNOWN, None, line);
    }

    /// The line it begins on, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Sets a header.
    pub fn set(&mut self, key: &str, value: impl Into<String>) {
        let value = value.into();
        match self.headers.iter_mut().find(|(name, _)| name == key) {
            Some(header) => header.1 = value,
            None => self.headers.push((key.into(), value)),
        }
    }

    /// A header's value.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Reads the `anqi` form.
    ///
    /// # Errors
    /// The first defect, named by line and ply.
    pub fn parse(text: &str) -> Result<Record, Error> {
        let mut notes = Notes::new(true);
        let mut record = Record::empty();
        match anqi::read(text, &mut record, &mut notes) {
            Ok(()) => Ok(record),
            Err(_) => Err(first_of(&notes)),
        }
    }

    /// Reads a record of any format. `rules` stand for those that the text does not name, and before those that
    /// it does; without them they are the rules that it names, or `darkchess` (`zhengba` for the source's notation).
    ///
    /// What cannot be as it is written but has one meaning is taken so and named; from where there is none,
    /// nothing more is read. `strict` stops at the first defect of any grade.
    pub fn read(text: &str, format: Format, rules: Option<&AnyRules>, strict: bool) -> Reading {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut notes = Notes::new(strict);
        let Some(game) = rules.cloned().or_else(|| AnyRules::parse(format.default_rules()).ok()) else {
            notes.unreadable((1, None), "no rules", "");
            return Reading { record: Record::empty(), defects: notes.defects };
        };
        let mut record = Record::empty();
        if format == Format::Anqi {
            // Where the reading stopped, the notes tell why.
            let _ = anqi::read(text, &mut record, &mut notes)
                .and_then(|()| anqi::settle_rules(&mut record, rules, &mut notes));
        } else if format == Format::Jgs {
            notes.unreadable((1, None), "this is text", "a QQ replay is a file of bytes");
        } else if game.spec().planes[1..] != [4, 8] {
            let name = &game.spec().name;
            let right = "these records are of the full board of 4x8 squares";
            notes.unreadable((1, None), format!("the rules are {name}"), right);
        } else {
            record = Record::under(game.spec());
            let AnyRules::DarkChess(dark_chess) = &game else {
                notes.unreadable((1, None), format!("the rules are {}", game.spec().name), "dark chess");
                return Reading { record, defects: notes.defects };
            };
            let _ = match format {
                Format::Tcga => tcga::read(text, &mut record, &mut notes),
                Format::Ntu => ntu::read(text, dark_chess, &mut record, &mut notes),
                Format::Seed => seed::read(text, dark_chess, &mut record, &mut notes),
                Format::Misty | Format::Anqi | Format::Jgs => misty::read(text, dark_chess, &mut record, &mut notes),
            };
        }
        Reading { record, defects: notes.defects }
    }

    /// Reads a text of one or more records in the `anqi` form, such as the games of a match, or of one in any other
    /// form; otherwise as [`Record::read`].
    pub fn read_all(text: &str, format: Format, rules: Option<&AnyRules>, strict: bool) -> Vec<Reading> {
        if format != Format::Anqi {
            return vec![Record::read(text, format, rules, strict)];
        }
        let read = |(before, part): (usize, &str)| {
            let mut reading = Record::read(part, format, rules, strict);
            reading.defects.iter_mut().for_each(|defect| defect.line += before);
            reading.record.lines.iter_mut().for_each(|line| *line += before);
            reading.record.result_line += before;
            reading.record.line += before;
            reading
        };
        anqi::split(text).into_iter().map(read).collect()
    }

    /// Reads a file of one or more records as [`Record::read_all`] does. A QQ replay's rules are those of the platform
    /// unless others are given.
    ///
    /// # Errors
    /// Bytes that are no text where the format is one, or a replay with a defect.
    pub fn read_file(
        bytes: &[u8],
        format: Format,
        rules: Option<&AnyRules>,
        strict: bool,
    ) -> Result<Vec<Reading>, Error> {
        if format == Format::Jgs {
            let replay = jgs::Replay::read(bytes)?;
            return Ok(vec![Record::of_replay(&replay, rules, strict)?]);
        }
        Ok(Record::read_all(text_of(bytes)?, format, rules, strict))
    }

    /// A QQ replay as a record; see [`Record::read_file`].
    ///
    /// # Errors
    /// Rules of another game.
    pub fn of_replay(replay: &jgs::Replay, rules: Option<&AnyRules>, strict: bool) -> Result<Reading, Error> {
        let rules = rules.cloned().map_or_else(|| AnyRules::parse(qq::RULES), Ok)?;
        let AnyRules::Junqi(game) = &rules else {
            return Err(Error::Rules(format!("{}: a QQ replay is a game of Junqi, such as siguo", rules.spec().name)));
        };
        let mut notes = Notes::new(strict);
        let mut record = Record::under(game.spec());
        // Where the reading stopped, the notes tell why.
        let _ = qq::read(replay, game, &mut record, &mut notes);
        Ok(Reading { record, defects: notes.defects })
    }

    /// The text of the record in a format that is written.
    ///
    /// # Errors
    /// A format that is only read, or a record that the format has no words for.
    pub fn to_text(&self, format: Format) -> Result<String, Error> {
        match format {
            Format::Anqi => Ok(self.to_string()),
            Format::Ntu => ntu::write(self),
            Format::Tcga | Format::Seed | Format::Jgs | Format::Misty => Err(Error::Record {
                line: 1,
                ply: None,
                message: format!("the format {} is read, not written: written are anqi and ntu", format.name()),
            }),
        }
    }

    /// Plays the record through and checks it: every ply legal, nothing after the end, result and
    /// termination as its headers say where the rules ended the game, and such as can be where they did not.
    ///
    /// # Errors
    /// The first defect, named by line and ply.
    pub fn replay(&self) -> Result<Box<dyn AnyGame>, Error> {
        let mut notes = Notes::new(true);
        let mut game = None;
        match (self.play_through(&mut notes, &mut game, &mut |_| ()), game) {
            (Ok(()), Some(game)) => Ok(game),
            _ => Err(first_of(&notes)),
        }
    }

    /// Plays the record through as far as the rules allow and names everything that is wrong.
    pub fn check(&self) -> Checked {
        self.check_each(&mut |_| ())
    }

    /// The same; `each` gets the game at its start and after every ply.
    pub fn check_each(&self, each: &mut dyn FnMut(&dyn AnyGame)) -> Checked {
        let mut notes = Notes::new(false);
        let mut game = None;
        // Where the playing stopped, the notes tell why.
        let _ = self.play_through(&mut notes, &mut game, each);
        Checked { game, defects: notes.defects }
    }
}

/// The text of a file.
///
/// # Errors
/// The first line that is not UTF-8.
fn text_of(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|fault| {
        let line = bytes[..fault.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        Error::Record { line, ply: None, message: "not UTF-8 text".into() }
    })
}

/// The first defect as an error.
fn first_of(notes: &Notes) -> Error {
    let none = || Error::Record { line: 1, ply: None, message: "this is no record".into() };
    notes.defects.first().map_or_else(none, Defect::error)
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        anqi::write(self, f)
    }
}

/// Result and termination of a game of two, as headers say them.
fn result_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ongoing => ("*", "unfinished"),
        Status::Win(0, reason) => ("1-0", reason.name()),
        Status::Win(_, reason) => ("0-1", reason.name()),
        Status::Draw(reason) => ("1/2-1/2", reason.name()),
    }
}

/// The result in which a seat wins.
fn won_by(seat: u8) -> &'static str {
    if seat == 0 { "1-0" } else { "0-1" }
}

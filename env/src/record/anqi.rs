//! The `anqi` form: header lines `[Key "value"]`, then numbered rounds of one ply a seat, comments in `{}`.
//!
//! ```text
//! [Rules "darkchess:taiwan"]
//!
//! 1. b8(p) c3(G)
//! 2. c5(p) (=) *
//! ```
//!
//! `(=)` behind a ply is an offer of a draw. Where the others play on, `resigns:1` stands for a seat that gave up and
//! `late:1` for one that let its time run out; `signal:37+` before a ply is what its seat told its ally. They count in a
//! round as plies do. In a game that seats set up, headers `Layout0`, .. hold the layouts and `First` the seat that moved
//! first, where that was not seat 0.

use super::defect::{Grade, Notes, Stop};
use super::{OFFER, Record, rounds};
use crate::any::AnyRules;

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

pub(super) fn write(record: &Record, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    for (key, value) in &record.headers {
        writeln!(f, "[{key} \"{value}\"]")?;
    }
    writeln!(f)?;
    for (round, plies) in record.plies.chunks(record.round()).enumerate() {
        write!(f, "{}.", round + 1)?;
        for ply in plies {
            write!(f, " {}", ply.action)?;
            if let Some(outcome) = &ply.outcome {
                write!(f, "({outcome})")?;
            }
            if ply.offer {
                write!(f, " {OFFER}")?;
            }
        }
        writeln!(f)?;
    }
    writeln!(f, "{}", record.header("Result").unwrap_or("*"))
}

pub(super) fn read(text: &str, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    // A comment may run over several lines; the line it began on is named when it never ends.
    let mut comment: Option<usize> = None;
    let mut result: Option<(&str, usize)> = None;
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if comment.is_none() && line.starts_with('[') {
            header(line, number, record, notes)?;
            continue;
        }
        let mut rest = line;
        while !rest.is_empty() {
            if comment.is_some() {
                let Some(end) = rest.find('}') else { break };
                comment = None;
                rest = rest[end + 1..].trim_start();
                continue;
            }
            if rest.starts_with('{') {
                comment = Some(number);
                rest = &rest[1..];
                continue;
            }
            let end = rest.find(|c: char| c.is_whitespace() || c == '{').unwrap_or(rest.len());
            let (token, after) = rest.split_at(end);
            rest = after.trim_start();
            if token == OFFER {
                offer(number, record, notes)?;
            } else if let Some(found) = RESULTS.iter().find(|&&known| known == token) {
                result = Some((found, number));
            } else if result.is_some() {
                let place = (number, Some(record.plies.len() + 1));
                return Err(notes.unreadable(place, format!("'{token}' stands behind the result"), ""));
            } else {
                ply(token, number, record, notes)?;
            }
        }
    }
    if let Some(line) = comment {
        notes.mended((line, None), "a comment begins here and never ends", "it ends with the text")?;
    }
    if record.headers.is_empty() && record.plies.is_empty() {
        return Err(notes.unreadable((1, None), "no header and no ply: this is no record", ""));
    }
    let Some((result, line)) = result else { return Ok(()) };
    match record.header("Result") {
        Some(header) if result != header => {
            let wrong = format!("the text ends with {result}, but header Result is {header}");
            notes.add(Grade::Contradiction, (line, None), wrong, "")
        }
        Some(_) => Ok(()),
        None => {
            record.result_line = line;
            record.set("Result", result);
            Ok(())
        }
    }
}

fn header(line: &str, number: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let inside = line.strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
    let Some((key, value)) = inside.and_then(|inside| inside.split_once(" \"")) else {
        let wrong = format!("'{line}': expected a header such as [Rules \"darkchess:taiwan\"]");
        return notes.mended((number, None), wrong, "");
    };
    if record.header(key).is_some() {
        notes.mended((number, None), format!("a second header {key}"), "the first one counts")?;
    }
    if key == "Result" {
        record.result_line = number;
    }
    record.headers.push((key.into(), value.into()));
    Ok(())
}

/// Cuts a text before every header that follows plies or a result; beside each part, the lines before it.
pub(super) fn split(text: &str) -> Vec<(usize, &str)> {
    let mut parts = Vec::new();
    let (mut start, mut before, mut at) = (0, 0, 0);
    let (mut plies, mut comment) = (false, false);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim();
        let header = !comment && trimmed.starts_with('[');
        if header && plies {
            parts.push((before, &text[start..at]));
            (start, before, plies) = (at, number, false);
        }
        plies |= !header && !trimmed.is_empty();
        if !header {
            for mark in line.chars().filter(|c| "{}".contains(*c)) {
                comment = mark == '{';
            }
        }
        at += line.len();
    }
    parts.push((before, &text[start..]));
    parts
}

/// An offer of a draw belongs to the ply before it.
fn offer(line: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    match record.plies.last_mut() {
        Some(ply) => {
            ply.offer = true;
            Ok(())
        }
        None => {
            notes.mended((line, None), format!("'{OFFER}' stands before the first ply"), "an offer goes with a ply")
        }
    }
}

/// A round's number or a ply. Which actions there are, the rules tell when the record is played.
fn ply(token: &str, line: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    if let Some((round, rest)) = rounds::number(token) {
        rounds::begin(record, notes, line, round)?;
        if rest.is_empty() {
            return Ok(());
        }
        let place = (line, Some(record.plies.len() + 1));
        notes.mended(place, format!("'{token}': no space behind the round's number"), format!("read as {rest}"))?;
        return ply(rest, line, record, notes);
    }
    let (action, outcome) = rounds::split(token, notes, (line, record.plies.len() + 1))?;
    record.push(action, outcome, line);
    Ok(())
}

/// Puts the rules asked for in the place of those that the headers name, and the default where they name none.
pub(super) fn settle_rules(record: &mut Record, rules: Option<&AnyRules>, notes: &mut Notes) -> Result<(), Stop> {
    if let Some(rules) = rules {
        record.set("Rules", &rules.spec().name);
        record.headers.retain(|(key, _)| key != "RulesHash");
    } else if record.header("Rules").or(record.header("Game")).is_none() {
        notes.mended((1, None), "header Rules is missing", "read as darkchess")?;
        record.set("Rules", "darkchess");
    }
    Ok(())
}

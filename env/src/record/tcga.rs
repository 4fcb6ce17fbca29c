//! Records of the Taiwanese computer games association: a date, who plays, numbered rounds, who wins.
//!
//! ```text
//! 2009/12/13
//! Lee vs Chen (Lee plays first)
//! 1. a7(K) a8(p)
//! 2. b3(n) a7-a6
//! Chen wins
//! ```
//!
//! Squares are files a-d and ranks 1-8, which are the rows and columns of `anqi`: the same names. The record does
//! not tell why a game ended.

use super::defect::{Grade, Notes, Stop};
use super::{Record, rounds, won_by};

pub(super) fn read(text: &str, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let mut ended: Option<usize> = None;
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() {
            continue;
        }
        let begins_round = line.split_whitespace().next().and_then(rounds::number).is_some();
        if let Some(ended) = ended {
            let wrong = format!("a line behind the result of line {ended}");
            notes.mended((number, None), wrong, "left out")?;
        } else if begins_round || continues(line, record) {
            if record.header("Seat0").is_none() {
                notes.mended((number, None), "no line such as 'Lee vs Chen (Lee plays first)' before it", "")?;
                record.set("Seat0", "A");
                record.set("Seat1", "B");
            }
            rounds::read_line(record, notes, number, line)?;
        } else if record.header("Seat0").is_none() && line.contains(" vs ") {
            names(line, number, record, notes)?;
        } else if record.plies.is_empty() && record.header("Seat0").is_none() && record.header("Date").is_none() {
            record.set("Date", line);
        } else if let Some(result) = result(line, record) {
            record.set("Result", result);
            record.result_line = number;
            ended = Some(number);
        } else if record.plies.is_empty() {
            notes.mended((number, None), format!("'{}' is no part of the form", short(line)), "left out")?;
        } else {
            let right = "expected a round such as 1. a7(K) a8(p), or a result such as 'Chen wins' or 'Draw'";
            return Err(notes.unreadable((number, None), format!("'{}'", short(line)), right));
        }
    }
    if record.plies.is_empty() {
        return Err(notes.unreadable((1, None), "no round such as 1. a7(K) a8(p)", ""));
    }
    if ended.is_none() {
        let last = text.lines().count().max(1);
        notes.mended((last, None), "no result line such as 'Chen wins'", "")?;
    }
    Ok(())
}

/// Whether a line goes on with a round that began on the line before.
fn continues(line: &str, record: &Record) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let square = |text: &[u8]| matches!(text, [b'a'..=b'd', b'1'..=b'8', ..]);
    !record.plies.is_empty() && square(first.as_bytes())
}

fn names(line: &str, number: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let first = line.strip_suffix(" plays first)").and_then(|line| line.rsplit_once(" ("));
    let (both, first) = first.map_or((line, None), |(both, first)| (both, Some(first)));
    let (one, other) = both.split_once(" vs ").unwrap_or((both, ""));
    let (one, other) = (one.trim(), other.trim());
    if first.is_none() {
        notes.mended((number, None), "it does not tell who plays first", format!("taken to be {one}"))?;
    } else if first.is_some_and(|first| first != one && first != other) {
        let wrong = format!("{} plays first, but the players are {one} and {other}", first.unwrap_or_default());
        notes.add(Grade::Contradiction, (number, None), wrong, format!("taken to be {one}"))?;
    }
    let seats = if first == Some(other) { [other, one] } else { [one, other] };
    record.set("Seat0", seats[0]);
    record.set("Seat1", seats[1]);
    Ok(())
}

/// The result that a line tells.
fn result(line: &str, record: &Record) -> Option<&'static str> {
    let line = line.trim_end_matches('.');
    if line.eq_ignore_ascii_case("draw") {
        return Some("1/2-1/2");
    }
    let (name, word) = line.rsplit_once(' ')?;
    let winner = ["Seat0", "Seat1"].iter().position(|seat| record.header(seat) == Some(name.trim()))?;
    ["wins", "win", "won"].contains(&word.to_ascii_lowercase().as_str()).then(|| won_by(winner as u8))
}

/// The beginning of a text, for messages.
pub(super) fn short(text: &str) -> String {
    let mut short: String = text.chars().take(30).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

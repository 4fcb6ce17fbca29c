//! The `anqi` form: header lines `[Key "value"]`, then numbered rounds of one ply a seat, comments in `{}`.
//!
//! ```text
//! [Rules "darkchess:taiwan"]
//!
//! 1. b8(p) c3(G)
//! 2. c5(p) *
//! ```

use super::{Ply, Record};
use crate::Error;

const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

pub(super) fn write(record: &Record, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
    for (key, value) in &record.headers {
        writeln!(f, "[{key} \"{value}\"]")?;
    }
    writeln!(f)?;
    for (round, plies) in record.plies.chunks(2).enumerate() {
        write!(f, "{}.", round + 1)?;
        for ply in plies {
            write!(f, " {}", ply.action)?;
            if let Some(outcome) = &ply.outcome {
                write!(f, "({outcome})")?;
            }
        }
        writeln!(f)?;
    }
    writeln!(f, "{}", record.header("Result").unwrap_or("*"))
}

pub(super) fn parse(text: &str) -> Result<Record, Error> {
    let mut record = Record { headers: Vec::new(), plies: Vec::new(), lines: Vec::new() };
    // A comment may run over several lines; the line it began on is named when it never ends.
    let mut comment: Option<usize> = None;
    let mut result: Option<&str> = None;
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        let fault = |ply: usize, message: String| Error::Record { line: number, ply: Some(ply + 1), message };
        if comment.is_none() && line.starts_with('[') {
            let inside = line.strip_prefix('[').and_then(|rest| rest.strip_suffix("\"]"));
            let (key, value) = inside.and_then(|inside| inside.split_once(" \"")).ok_or_else(|| Error::Record {
                line: number,
                ply: None,
                message: format!("'{line}': expected a header such as [Rules \"darkchess:taiwan\"]"),
            })?;
            record.headers.push((key.into(), value.into()));
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
            let ply = record.plies.len();
            if let Some(found) = RESULTS.iter().find(|&&known| known == token) {
                result = Some(found);
                continue;
            }
            if let Some(round) = token.strip_suffix('.').and_then(|digits| digits.parse::<usize>().ok()) {
                if !ply.is_multiple_of(2) || round != ply / 2 + 1 {
                    return Err(fault(ply, format!("round {round} follows {ply} plies: a round is two plies")));
                }
                continue;
            }
            if result.is_some() {
                return Err(fault(ply, format!("'{token}' stands behind the result")));
            }
            let (action, outcome) = match token.split_once('(') {
                None => (token, None),
                Some((action, outcome)) => {
                    let outcome = outcome.strip_suffix(')');
                    let outcome = outcome.ok_or_else(|| fault(ply, format!("'{token}': the bracket is not closed")))?;
                    (action, Some(outcome.to_string()))
                }
            };
            record.plies.push(Ply { action: action.into(), outcome });
            record.lines.push(number);
        }
    }
    let whole = |line, message: String| Error::Record { line, ply: None, message };
    if let Some(line) = comment {
        return Err(whole(line, "a comment begins here and never ends".into()));
    }
    if record.headers.is_empty() && record.plies.is_empty() {
        return Err(whole(1, "no header and no ply: this is no record".into()));
    }
    match (result, record.header("Result")) {
        (Some(result), Some(header)) if result != header => {
            let last = text.lines().count();
            Err(whole(last, format!("the text ends with {result}, but header Result is {header}")))
        }
        (Some(result), None) => {
            record.headers.push(("Result".into(), result.into()));
            Ok(record)
        }
        _ => Ok(record),
    }
}

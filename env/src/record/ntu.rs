//! A tournament platform's log, read and written.
//!
//! ```text
//! * A vs B
//! * 1 2 2 2 2 2 5 1 2 2 2 2 2 5        pieces by kind KGMRNCP, red, then black
//! * X X X X                            the board, eight lines of four cells, all face down
//! * first 0
//! * time 900
//! * 1. b8(R) c6(g)
//! * NoMove A Wins 1.000000,0.000000    or NoEatFlipDraw, PositionRepetitionDraw,3,N, TimeOut
//! * Comment 0 0
//! ```
//!
//! A date may stand before the names. Squares are files a-d and ranks 1-8, which are the rows and columns of
//! `anqi`: the same names. The one named first plays first: so it is in real logs with `first 0` and with
//! `first 1`, and what that number counts is not known; it is kept as it is. Lines of numbers behind the result
//! (milliseconds for each ply) are passed over. The log does not name its rules.

use super::defect::{Grade, Notes, Stop};
use super::tcga::short;
use super::{Record, UNKNOWN, rounds, won_by};
use crate::Error;
use crate::any::AnyRules;
use crate::darkchess::DarkChess;
use crate::game::Game as _;

const ROWS_OF_BOARD: usize = 8;

/// The word of the result line, and the termination it stands for. `NoMove` is also what a log says of a side whose
/// last piece was captured.
const WORDS: [(&str, &str); 5] = [
    ("NoMove", "no-moves"),
    ("NoMove", "eliminated"),
    ("NoEatFlipDraw", "quiet-limit"),
    ("PositionRepetitionDraw", "repetition"),
    ("TimeOut", "time"),
];

/// What was seen of the log so far.
#[derive(Default)]
struct Seen {
    counts: bool,
    rows: usize,
    result: bool,
}

pub(super) fn read(text: &str, game: &DarkChess, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let mut seen = Seen::default();
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        if line.is_empty() {
            continue;
        }
        let rest = line.strip_prefix('*').map(str::trim_start);
        if rest.is_none() {
            notes.mended((number, None), format!("'{}' does not begin with '* '", short(line)), "read as if it did")?;
        }
        line_of_log(rest.unwrap_or(line), number, game, &mut seen, record, notes)?;
    }
    let last = text.lines().count().max(1);
    if record.plies.is_empty() {
        return Err(notes.unreadable((last, None), "no round such as '* 1. b8(R) c6(g)'", ""));
    }
    if !seen.result {
        let wrong = "no result line such as '* NoMove A Wins 1,0'";
        notes.mended((last, None), wrong, "the game is taken to be unfinished")?;
        record.set("Result", "*");
        record.set("Termination", "unfinished");
    }
    Ok(())
}

fn line_of_log(
    line: &str,
    number: usize,
    game: &DarkChess,
    seen: &mut Seen,
    record: &mut Record,
    notes: &mut Notes,
) -> Result<(), Stop> {
    let place = (number, None);
    let words: Vec<&str> = line.split_whitespace().collect();
    let first = words.first().copied().unwrap_or_default();
    if words.is_empty() || seen.result && words.iter().all(|word| word.bytes().all(|b| b.is_ascii_digit())) {
        return Ok(());
    }
    if rounds::number(first).is_some() {
        if seen.result {
            return Err(notes.unreadable(place, format!("'{}' stands behind the result", short(line)), ""));
        }
        if record.plies.is_empty() {
            begin(place, seen, record, notes)?;
        }
        return rounds::read_line(record, notes, number, line);
    }
    if let Some((one, other)) = line.split_once(" vs ").filter(|_| record.header("Seat0").is_none()) {
        record.set("Seat0", one.trim());
        record.set("Seat1", other.trim());
        return Ok(());
    }
    match (first, words.len()) {
        ("first", 2) => record.set("First", words[1]),
        ("time", 2) => record.set("Time", words[1]),
        ("Comment", _) => record.set("Comment", words[1..].join(" ")),
        (_, 14) if words.iter().all(|word| word.parse::<u8>().is_ok()) => {
            seen.counts = true;
            let counts = counts(game);
            if words.join(" ") != counts {
                let wrong = format!("the counts of pieces are {line}, but the rules have {counts}");
                notes.add(Grade::Contradiction, place, wrong, "")?;
            }
        }
        (_, 4) if record.plies.is_empty() && words.iter().all(|word| word.len() == 1) => {
            seen.rows += 1;
            if words != ["X"; 4] {
                let right = "only games that begin with all pieces face down are read";
                return Err(notes.unreadable(place, format!("board line '{line}'"), right));
            }
        }
        _ if is_result(first, &words) => {
            seen.result = true;
            record.result_line = number;
            return result(&words, number, record, notes);
        }
        _ if record.plies.is_empty() && record.header("Seat0").is_none() && record.header("Date").is_none() => {
            record.set("Date", line);
        }
        _ => return notes.mended(place, format!("'{}' is no line of the log", short(line)), "left out"),
    }
    Ok(())
}

/// Notes what lacks before the first round.
fn begin(place: (usize, Option<usize>), seen: &Seen, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    if record.header("Seat0").is_none() {
        notes.mended(place, "no line such as '* A vs B' before the first round", "")?;
        record.set("Seat0", "A");
        record.set("Seat1", "B");
    }
    if !seen.counts {
        notes.mended(place, "no line with the 14 counts of pieces before the first round", "the full set is taken")?;
    }
    if seen.rows != ROWS_OF_BOARD {
        let wrong = format!("{} board lines before the first round, not {ROWS_OF_BOARD}", seen.rows);
        notes.mended(place, wrong, "all pieces are taken to be face down")?;
    }
    Ok(())
}

fn is_result(first: &str, words: &[&str]) -> bool {
    let word = first.split(',').next().unwrap_or_default();
    WORDS.iter().any(|&(known, _)| known == word) || words.last().is_some_and(|last| score(last).is_some())
}

/// `1.000000,0.000000` or `1,0`: the points of the one named first and of the other.
fn score(text: &str) -> Option<&'static str> {
    let (one, other) = text.split_once(',')?;
    match (one.parse::<f32>().ok()?, other.parse::<f32>().ok()?) {
        (1.0, 0.0) => Some("1-0"),
        (0.0, 1.0) => Some("0-1"),
        (0.5, 0.5) => Some("1/2-1/2"),
        _ => None,
    }
}

/// `NoMove A Wins 1,0`: why, who, what, points.
fn result(words: &[&str], number: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let place = (number, None);
    let line = words.join(" ");
    let last = words.len() - 1;
    let points = score(words[last]);
    let verdict = words.iter().rposition(|word| ["wins", "draw"].contains(&word.to_ascii_lowercase().as_str()));
    let name = verdict.map(|at| words[1.min(at)..at].join(" ")).unwrap_or_default();
    let says = match verdict.map(|at| words[at].to_ascii_lowercase()) {
        Some(word) if word == "draw" => Some("1/2-1/2"),
        Some(_) => ["Seat0", "Seat1"]
            .iter()
            .position(|seat| record.header(seat) == Some(name.as_str()))
            .map(|seat| won_by(seat as u8)),
        None => None,
    };
    match (points, says) {
        (Some(points), Some(says)) if points == says => record.set("Result", points),
        (Some(points), _) => {
            let wrong = format!("'{line}': the name and the points do not agree");
            notes.add(Grade::Contradiction, place, wrong, "the points count")?;
            record.set("Result", points);
        }
        (None, Some(says)) => {
            notes.mended(place, format!("'{line}': no points such as 1,0"), format!("read as {says}"))?;
            record.set("Result", says);
        }
        (None, None) => {
            notes.add(
                Grade::Contradiction,
                place,
                format!("'{line}' tells no result"),
                "expected 'NoMove A Wins 1,0'",
            )?;
        }
    }
    let mut parts = words[0].split(',');
    let word = parts.next().unwrap_or_default();
    match WORDS.iter().find(|(known, _)| *known == word) {
        // Which of the two NoMove stands for, the plies tell.
        Some(("NoMove", _)) => {
            let ended = record.check().game.map(|game| super::result_of(game.status()).1);
            record.set("Termination", if ended == Some("eliminated") { "eliminated" } else { "no-moves" });
        }
        Some((_, termination)) => record.set("Termination", *termination),
        None => {
            let known = "NoMove, NoEatFlipDraw, PositionRepetitionDraw,3,N, TimeOut";
            notes.mended(place, format!("unknown word '{word}'"), format!("known words are {known}"))?;
        }
    }
    if word == "PositionRepetitionDraw" {
        let numbers: Vec<Option<usize>> = parts.map(|part| part.parse().ok()).collect();
        match numbers[..] {
            [Some(3), Some(block)] => record.set("Block", block.to_string()),
            _ => {
                let right = "expected 3 times and the length of the block, such as PositionRepetitionDraw,3,4";
                notes.mended(place, format!("'{}'", words[0]), right)?;
            }
        }
    }
    Ok(())
}

/// The counts of pieces by kind, red, then black.
fn counts(game: &DarkChess) -> String {
    let side = game.rules().pieces.map(|count| count.to_string()).join(" ");
    format!("{side} {side}")
}

/// The log of a record.
///
/// # Errors
/// A record that the log has no words for.
pub(super) fn write(record: &Record) -> Result<String, Error> {
    let fault = |message: String| Error::Record { line: 1, ply: None, message: format!("format ntu: {message}") };
    let rules = AnyRules::parse(record.header("Rules").or(record.header("Game")).unwrap_or("darkchess"))?;
    let AnyRules::DarkChess(game) = &rules else {
        return Err(fault(format!("{} is not dark chess", rules.spec().name)));
    };
    if game.spec().planes[1..] != [4, ROWS_OF_BOARD] {
        return Err(fault(format!("{} is not of 4x8 squares", game.spec().name)));
    }
    if record.header("Position").is_some() {
        return Err(fault("a game from the middle has no log".into()));
    }
    let names = ["Seat0", "Seat1"].map(|seat| record.header(seat).unwrap_or(if seat == "Seat0" { "A" } else { "B" }));
    if names[0] == names[1] || names.iter().any(|name| name.contains(" vs ") || name.trim() != *name) {
        return Err(fault(format!("the names '{}' and '{}' cannot be told apart in it", names[0], names[1])));
    }
    let mut lines = Vec::new();
    lines.extend(record.header("Date").map(String::from));
    lines.push(names.join(" vs "));
    lines.push(counts(game));
    lines.extend((0..ROWS_OF_BOARD).map(|_| "X X X X".to_string()));
    lines.push(format!("first {}", record.header("First").unwrap_or("0")));
    lines.push(format!("time {}", record.header("Time").unwrap_or("900")));
    for (round, plies) in record.plies.chunks(2).enumerate() {
        if plies.iter().any(|ply| ply.action == UNKNOWN) {
            return Err(fault(format!("a ply of round {} is not known", round + 1)));
        }
        let plies = plies.iter().map(|ply| match &ply.outcome {
            Some(outcome) => format!("{}({outcome})", ply.action),
            None => ply.action.clone(),
        });
        lines.push(format!("{}. {}", round + 1, plies.collect::<Vec<_>>().join(" ")));
    }
    let result = record.header("Result").unwrap_or("*");
    let termination = record.header("Termination").unwrap_or("unfinished");
    if result != "*" {
        let word = WORDS.iter().find(|&&(_, known)| known == termination).map(|&(word, _)| word);
        let mut word =
            word.ok_or_else(|| fault(format!("it has no word for the termination {termination}")))?.to_string();
        if termination == "repetition" {
            let block = record.repeated_block();
            let block = block.ok_or_else(|| fault("a repetition without a block has no word in it".into()))?;
            word += &format!(",3,{block}");
        }
        let (name, verdict, points) = match result {
            "1-0" => (names[0], "Wins", "1.000000,0.000000"),
            "0-1" => (names[1], "Wins", "0.000000,1.000000"),
            _ => (names[0], "Draw", "0.500000,0.500000"),
        };
        lines.push(format!("{word} {name} {verdict} {points}"));
    }
    lines.extend(record.header("Comment").map(|comment| format!("Comment {comment}")));
    Ok(lines.iter().map(|line| format!("* {line}\n")).collect())
}

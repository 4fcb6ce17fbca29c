//! Positions of the engine Misty: FEN and UCI moves.
//!
//! `position fen <board> <turn> <pool> <clock> <move number> [moves a4a3 ..]`
//!
//! - Board: 4 ranks separated by `/`, rank 4 first, files a-h; G A E R H C S are K G M R N C P, `X` is face down,
//!   digits are empty runs. Their file `a` on rank 4 is `a1` here, their `h1` is `d8`: files are columns, and
//!   rank 4 is row a. (TCGA records and the platform's log have it the other way: 4 files, 8 ranks.)
//! - Turn: `r`, `b`, or `-` before the first flip. The FEN does not tell which seat owns which colour: the seat to
//!   move is taken to be seat 0. Pool: unseen pieces, letter and count. The move number is for show only.
//! - Moves: quiet plies behind that position, all since the last flip or capture.
//!
//! A record is a text of such lines (`position fen`, `fen` or the FEN alone), each one ply after the end of the line
//! before, or the same position with more moves. A flip stands in it as two positions, because a UCI move does not
//! say what it showed; `a1a1` among the moves is refused. Other lines of the protocol are passed over.

use super::Record;
use super::defect::{Grade, Notes, Stop};
use super::tcga::short;
use crate::Error;
use crate::darkchess::{Cell, Colour, DarkChess, Move, Piece, Position};
use crate::game::{Action, Game as _};

const OURS: &[u8; 7] = b"KGMRNCP";
const THEIRS: &[u8; 7] = b"GAERHCS";
const WORDS: [&str; 15] = [
    "uci",
    "uciok",
    "ucinewgame",
    "isready",
    "readyok",
    "go",
    "stop",
    "quit",
    "bestmove",
    "info",
    "id",
    "option",
    "setoption",
    "debug",
    "ponderhit",
];

/// A letter of one alphabet in the other, its case kept.
fn translate(letter: char, from: &[u8; 7], to: &[u8; 7]) -> Option<char> {
    let capital = letter.to_ascii_uppercase();
    let kind = from.iter().position(|&known| char::from(known) == capital)?;
    let letter_there = char::from(to[kind]);
    Some(if letter == capital { letter_there } else { letter_there.to_ascii_lowercase() })
}

/// A square's name there from its number here.
fn square_there(square: u8) -> String {
    format!("{}{}", char::from(b'a' + square % 8), 4 - square / 8)
}

/// A square's name here from its name there.
fn square_here(name: &str) -> Option<String> {
    let &[file @ b'a'..=b'h', rank @ b'1'..=b'4'] = name.as_bytes() else { return None };
    Some(format!("{}{}", char::from(b'a' + (b'4' - rank)), file - b'a' + 1))
}

/// A quiet ply or a capture, `a4a3`; `None` for a flip and for what is no ply.
fn step_here(name: &str) -> Option<String> {
    let (from, to) = (name.get(..2)?, name.get(2..)?);
    (from != to).then_some(format!("{}-{}", square_here(from)?, square_here(to)?))
}

/// An action as a UCI move: a flip names its square twice. Only for boards of 4x8 squares.
pub fn action_name(game: &DarkChess, action: Action) -> String {
    match game.what(action) {
        Move::Flip(square) => square_there(square).repeat(2),
        Move::Step(from, to) => square_there(from) + &square_there(to),
        Move::Stop => "0000".into(),
    }
}

/// The action of a UCI move, whether or not it is legal; `None` for what names none.
pub fn action(game: &DarkChess, name: &str) -> Option<Action> {
    let (from, to) = (name.get(..2)?, name.get(2..)?);
    let name = if from == to { square_here(from)? } else { step_here(name)? };
    game.action_id(&name).ok()
}

/// Whether a line is a position: its turn is `r`, `b` or `-`, which no position of `anqi` has in that place.
pub(super) fn is_position(line: &str) -> bool {
    let line = without_words(line);
    let fields: Vec<&str> = line.split_whitespace().collect();
    fields.len() >= 5 && fields[0].matches('/').count() == 3 && ["r", "b", "-"].contains(&fields[1])
}

fn without_words(line: &str) -> &str {
    let line = line.trim();
    let line = line.strip_prefix("position").map_or(line, str::trim_start);
    line.strip_prefix("fen ").map_or(line, str::trim_start)
}

/// A position of `anqi` as `<board> <turn> <pool> <clock> <move number> [moves ..]`, the plies of the repetition
/// window as moves.
///
/// # Errors
/// A board other than 4x8, or a game that is over (the text has no field for it).
pub fn fen(game: &DarkChess, position: &Position) -> Result<String, Error> {
    let fault = |message| Error::Position { field: "fen", message };
    if game.spec().planes[1..] != [4, 8] {
        return Err(fault(format!("{} is not of 4x8 squares", game.spec().name)));
    }
    let text = game.view_text(position);
    let window = text.split(' ').find_map(|field| field.strip_prefix("moves="));
    let window: Vec<(u8, u8)> = window.map_or(Vec::new(), |plies| {
        let square = |name: &str| game.action_id(name).ok().map(|square| square as u8);
        plies
            .split(',')
            .filter_map(|ply| ply.split_once('-'))
            .filter_map(|(a, b)| Some((square(a)?, square(b)?)))
            .collect()
    });
    let mut cells: Vec<Cell> = (0..32).map(|square| position.cell(square)).collect();
    window.iter().rev().for_each(|&(from, to)| cells.swap(usize::from(from), usize::from(to)));
    let rows = cells.chunks(8).map(|row| {
        let mut text = String::new();
        let mut empty = 0;
        for cell in row.iter().map(Some).chain([None]) {
            if let Some(Cell::Empty) = cell {
                empty += 1;
                continue;
            }
            if empty > 0 {
                text += &empty.to_string();
                empty = 0;
            }
            match cell {
                Some(Cell::Up(piece)) => text.extend(translate(piece.letter(), OURS, THEIRS)),
                Some(_) => text.push('X'),
                None => {}
            }
        }
        text
    });
    let rows = rows.collect::<Vec<_>>().join("/");
    let turn = position.colour_of(position.to_move() ^ (window.len() % 2) as u8);
    let turn = turn.map_or('-', |colour| if colour == Colour::Red { 'r' } else { 'b' });
    let unseen = Piece::all().filter(|&piece| position.unseen(piece) > 0);
    let pool: String = unseen
        .filter_map(|piece| Some(format!("{}{}", translate(piece.letter(), OURS, THEIRS)?, position.unseen(piece))))
        .collect();
    let pool = if pool.is_empty() { "-" } else { &pool };
    let quiet = usize::from(position.quiet()) - window.len();
    let number = (position.plies() as usize - window.len()) / 2 + 1;
    let mut text = format!("{rows} {turn} {pool} {quiet} {number}");
    if !window.is_empty() {
        text += " moves";
        window.iter().for_each(|&(from, to)| text += &format!(" {}{}", square_there(from), square_there(to)));
    }
    Ok(text)
}

/// The text of a position of `anqi` for a FEN without its moves.
///
/// # Errors
/// The field that cannot be read. Whether the position can occur is not asked.
pub fn position(fen: &str) -> Result<String, Error> {
    let fault = |field, message: String| Err(Error::Position { field, message });
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let &[board, turn, pool, clock, number, ..] = &fields[..] else {
        return fault("fen", format!("'{}': expected board, turn, pool, clock, move number", short(fen)));
    };
    let letters = |field, text: &str| {
        let translated: Option<String> = text
            .chars()
            .map(|letter| match letter {
                '/' | 'X' | '-' | '0'..='9' => Some(letter),
                _ => translate(letter, THEIRS, OURS),
            })
            .collect();
        let right = "expected letters of GAERHCS, X, digits";
        translated.ok_or(Error::Position { field, message: format!("'{}': {right}", short(text)) })
    };
    let (rows, bag) = (letters("board", board)?, letters("pool", pool)?);
    let (Ok(clock), Ok(number)) = (clock.parse::<u16>(), number.parse::<u16>()) else {
        return fault("clock", format!("'{clock} {number}': expected two numbers"));
    };
    if turn == "-" {
        return Ok(format!("{rows} 0 - {bag} 0 1"));
    }
    if !["r", "b"].contains(&turn) {
        return fault("turn", format!("'{turn}': expected r, b or -"));
    }
    // Seat 0 is to move, so the number of its ply is odd; it cannot be its first one, nor fewer than were quiet.
    let ply = (2 * u32::from(number.max(1)) - 1).max(3).max((u32::from(clock) + 1) | 1);
    Ok(format!("{rows} 0 {turn} {bag} {clock} {ply}"))
}

/// The game so far.
struct Walk<'a> {
    game: &'a DarkChess,
    /// The position after the plies so far; `None` before the first one.
    now: Option<Position>,
    /// The board of the last FEN, and how many moves behind it were played.
    base: (String, usize),
}

pub(super) fn read(text: &str, game: &DarkChess, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let mut walk = Walk { game, now: None, base: (String::new(), 0) };
    for (number, line) in text.lines().enumerate().map(|(i, line)| (i + 1, line.trim())) {
        let first = line.split_whitespace().next().unwrap_or_default();
        if line.is_empty() || WORDS.contains(&first) {
            continue;
        }
        if !is_position(line) {
            let right = "left out; expected 'position fen <board> <turn> <pool> <clock> <move number> [moves ..]'";
            notes.mended((number, None), format!("'{}' is no position", short(line)), right)?;
            continue;
        }
        walk.line(without_words(line), number, record, notes)?;
    }
    match walk.now {
        Some(_) => Ok(()),
        None => Err(notes.unreadable((1, None), "no line such as 'position fen ..'", "")),
    }
}

impl Walk<'_> {
    fn line(&mut self, line: &str, number: usize, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
        let (fen, moves) = line.split_once(" moves").unwrap_or((line, ""));
        if fen.split_whitespace().count() > 5 {
            let place = (number, None);
            notes.mended(
                place,
                "more than five fields before the moves",
                "what lies hidden is no part of a position",
            )?;
        }
        let text = position(fen).map_err(|fault| notes.unreadable((number, None), fault.to_string(), ""))?;
        let rows = text.split(' ').next().unwrap_or_default().to_string();
        let moves: Vec<&str> = moves.split_whitespace().collect();
        let mut played = 0;
        match self.now {
            None => {
                let start = self.game.parse_view(&text);
                let start = start.map_err(|fault| notes.unreadable((number, None), fault.to_string(), ""))?;
                if start.plies() > 0 {
                    record.set("Position", self.game.view_text(&start));
                }
                self.now = Some(start);
            }
            Some(_) if rows == self.base.0 && moves.len() >= self.base.1 => played = self.base.1,
            Some(now) => self.follow(&now, &rows, &text, number, record, notes)?,
        }
        for name in &moves[played..] {
            let place = (number, Some(record.plies.len() + 1));
            let Some(action) = step_here(name) else {
                let right = "expected four characters such as a4a3; a flip needs the position after it on a line of \
                             its own, because the move does not say what it showed";
                return Err(notes.unreadable(place, format!("move '{}'", short(name)), right));
            };
            self.play(&action, None, number, record)?;
        }
        self.base = (rows, moves.len());
        Ok(())
    }

    /// Finds the ply from the position now to the one on this line.
    fn follow(
        &mut self,
        now: &Position,
        rows: &str,
        text: &str,
        number: usize,
        record: &mut Record,
        notes: &mut Notes,
    ) -> Result<(), Stop> {
        let place = (number, Some(record.plies.len() + 1));
        let Some(cells) = cells(rows) else {
            return Err(notes.unreadable(place, format!("board '{}' is not of 4x8 squares", short(rows)), ""));
        };
        let differs: Vec<u8> = (0..32).filter(|&square| now.cell(square) != cells[usize::from(square)]).collect();
        let at = |square: u8| (now.cell(square), cells[usize::from(square)]);
        let name = |square: u8| self.game.action_name(square.into());
        match differs[..] {
            [] => {}
            [square] if let (Cell::FaceDown, Cell::Up(piece)) = at(square) => {
                self.play(&name(square), Some(piece.letter().into()), number, record)?;
            }
            [one, other] => {
                let step = [(one, other), (other, one)].into_iter().find(|&(from, to)| {
                    matches!((at(from), at(to)), ((Cell::Up(a), Cell::Empty), (_, Cell::Up(b))) if a == b)
                });
                let Some((from, to)) = step else { return Err(apart(notes, place)) };
                self.play(&format!("{}-{}", name(from), name(to)), None, number, record)?;
            }
            _ => return Err(apart(notes, place)),
        }
        let ours = self.now.map(|now| bag_of(self.game, &now)).unwrap_or_default();
        let theirs = text.split(' ').nth(3).unwrap_or_default();
        if ours != theirs {
            let wrong = format!("the pool is {theirs}, but the plies leave {ours} unseen (letters KGMRNCP)");
            notes.add(Grade::Contradiction, place, wrong, "")?;
        }
        Ok(())
    }

    fn play(&mut self, name: &str, shown: Option<String>, line: usize, record: &mut Record) -> Result<(), Stop> {
        let Some(now) = &mut self.now else { return Ok(()) };
        let piece = shown.as_deref().and_then(|letter| self.game.outcome_id(letter).ok());
        let action = self.game.action_id(name).ok().filter(|&action| self.game.is_legal(now, action));
        // A ply that shows a piece must say which, and no other may.
        let possible = |&action: &Action| match (&self.game.chance_outcomes(now, action)[..], piece) {
            ([], piece) => piece.is_none(),
            (outcomes, piece) => outcomes.iter().any(|&(outcome, _)| Some(outcome) == piece),
        };
        record.push(name, shown, line);
        let Some(action) = action.filter(possible) else {
            // The record keeps the ply; playing it through tells why it is illegal. Nothing can follow it.
            return Err(Stop);
        };
        self.game.play_with(now, action, piece);
        Ok(())
    }
}

fn apart(notes: &mut Notes, place: (usize, Option<usize>)) -> Stop {
    let right = "each line is one ply after the end of the line before, or the same position with more moves";
    notes.unreadable(place, "this position is more than one ply from the one before", right)
}

/// The bag of a position, as its text has it.
fn bag_of(game: &DarkChess, position: &Position) -> String {
    game.view_text(position).split(' ').nth(3).unwrap_or_default().into()
}

/// The cells of rows in the letters of `anqi`.
fn cells(rows: &str) -> Option<Vec<Cell>> {
    let mut cells = Vec::with_capacity(32);
    for row in rows.split('/') {
        let before = cells.len();
        for letter in row.chars() {
            match letter {
                'X' => cells.push(Cell::FaceDown),
                '1'..='8' => cells.extend((0..letter.to_digit(10)?).map(|_| Cell::Empty)),
                _ => cells.push(Cell::Up(Piece::from_letter(letter)?)),
            }
        }
        if cells.len() != before + 8 {
            return None;
        }
    }
    (cells.len() == 32).then_some(cells)
}

//! QQ's Junqi replays, `.jgs`: layouts, moves as they were announced, and how the game ended.
//!
//! Whole numbers are little-endian. Nicknames and players' numbers are stepped over: they are neither kept nor checked.
//!
//! | byte | what |
//! |---|---|
//! | 0x00 | `QQGame JQS`, a zero byte |
//! | 0x0F | the colour of whoever wrote it down |
//! | 0x18 | FF, or how a draw came about: 02, 03 |
//! | 0x19 | seats |
//! | 0x1A | number of events, 2 bytes |
//! | 0x20 | four seats of 88 bytes: +0 colour or FF for an empty seat, +8 nickname, +28 layout of 30 numbers, +60 number |
//! | 0x19C | events of 10 bytes, then 8 bytes that say nothing |
//!
//! An event 5F is a move. Byte 1: bits 0-1 the outcome, bit 6 that the defender's flag is shown. Bytes 2-5 from and to as
//! points (x to the right, y down) of the grid of 17x17; 6-7 where the attacker's flag is shown, 8-9 the defender's, 0, 0
//! for neither. Who moved is not said: it is the owner of the piece. An event F5 is something else that happened:
//! 02 a time-out (colour, how many, colour of the next one), 03 a seat out (colour, reason), 04 a player who left
//! (colour), 05 the end (nothing, how).
//!
//! Colours sit 0 E, 1 S, 2 W, 3 N.

use super::layout::Layout;
use crate::Error;

const MAGIC: &[u8; 11] = b"QQGame JQS\0";
const SEATS: usize = 0x20;
const SEAT: usize = 88;
const EVENTS: usize = SEATS + 4 * SEAT + 28;
const EVENT: usize = 10;
const REST: usize = 8;
/// The seat of each colour.
const SEAT_OF: [usize; 4] = [1, 0, 3, 2];

/// A replay. Seats S E N W are 0 to 3, stations have the numbers of the four-country board: `30 * seat + 5 * (row - 1)
/// + (column - 1)`, the nine of the middle from 120, from its upper left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replay {
    /// The seat of whoever wrote the game down.
    pub recorder: usize,
    /// How every seat set its pieces up; none for a seat that is not played.
    pub layouts: [Option<Layout>; 4],
    /// How a draw came about; none if the game was not drawn.
    pub draw: Option<Draw>,
    /// What happened, in order.
    pub events: Vec<Event>,
}

/// How a draw came about. The files say 02 and 03; what they mean is read off games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// 02: more than 70 plies in a row without a loss.
    Automatic,
    /// 03: every player agreed.
    Agreed,
}

/// One event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A move of the owner of the piece on `from`.
    Move {
        /// The station it left.
        from: usize,
        /// The station it went to.
        to: usize,
        /// How it came out.
        outcome: Outcome,
        /// The station of the attacker's flag, if the move showed it.
        attacker_flag: Option<usize>,
        /// The station of the defender's flag, if the move showed it.
        defender_flag: Option<usize>,
    },
    /// A seat let its time run out, and the turn passed.
    TimeOut {
        /// Whose time it was.
        seat: usize,
        /// How many it has had so far.
        count: u8,
        /// Whose turn it is next.
        next: usize,
    },
    /// A seat went out and its pieces left the board.
    Out {
        /// Which seat.
        seat: usize,
        /// Why.
        reason: Reason,
    },
    /// A player whose seat is out left the table.
    Left {
        /// Which seat.
        seat: usize,
    },
    /// The end of the game.
    End(End),
}

/// What was announced of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nobody stood there.
    Moved,
    /// The attacker stands there now.
    Won,
    /// The attacker is gone.
    Lost,
    /// Both are gone.
    Both,
}

/// Why a seat went out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// 1: its flag was captured or bombed.
    Flag,
    /// 2: it could not move.
    NoMove,
    /// 3: too many time-outs.
    TimeOuts,
    /// 4: it gave up.
    Surrender,
    /// 6: it ran away.
    Escape,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// 02: a draw.
    Draw,
    /// 04: a team won.
    Decided,
    /// 06: somebody ran away.
    Escape,
}

/// Whether a file begins as a replay does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

impl Replay {
    /// Reads a replay.
    ///
    /// # Errors
    /// The first byte that is wrong, and what would be right.
    pub fn read(bytes: &[u8]) -> Result<Replay, Error> {
        if !is(bytes) {
            return fault(0, "no QQ replay: it begins with 'QQGame JQS' and a zero byte");
        }
        if bytes.len() < EVENTS {
            return fault(bytes.len(), format!("the file ends here: its head alone has {EVENTS} bytes"));
        }
        let count = usize::from(u16::from_le_bytes([bytes[0x1A], bytes[0x1B]]));
        let length = EVENTS + EVENT * count + REST;
        if bytes.len() != length {
            let wrong = format!("the file has {} bytes: with {count} events it has {length}", bytes.len());
            return fault(bytes.len().min(length), wrong);
        }
        let draw = match bytes[0x18] {
            0xFF => None,
            2 => Some(Draw::Automatic),
            3 => Some(Draw::Agreed),
            other => return fault(0x18, format!("{other:02X} is no kind of draw: expected FF, 02 or 03")),
        };
        let mut replay = Replay {
            recorder: seat_at(bytes, 0x0F)?,
            layouts: layouts(bytes)?,
            draw,
            events: Vec::with_capacity(count),
        };
        for start in (EVENTS..length - REST).step_by(EVENT) {
            if let Some(Event::End(_)) = replay.events.last() {
                return fault(start, "an event behind the end of the game");
            }
            let event = match bytes[start] {
                0x5F => a_move(bytes, start)?,
                0xF5 => happened(bytes, start)?,
                other => return fault(start, format!("{other:02X} begins no event: expected 5F or F5")),
            };
            replay.events.push(event);
        }
        Ok(replay)
    }
}

fn fault<T>(offset: usize, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Bytes { offset, message: message.into() })
}

/// The seat of the colour at a byte.
fn seat_at(bytes: &[u8], offset: usize) -> Result<usize, Error> {
    match SEAT_OF.get(usize::from(bytes[offset])) {
        Some(&seat) => Ok(seat),
        None => fault(offset, format!("{:02X} is no colour: expected 00 to 03", bytes[offset])),
    }
}

fn layouts(bytes: &[u8]) -> Result<[Option<Layout>; 4], Error> {
    let mut layouts = [None; 4];
    for start in (SEATS..).step_by(SEAT).take(4) {
        if bytes[start] == 0xFF {
            continue;
        }
        let place = &mut layouts[seat_at(bytes, start)?];
        if place.is_some() {
            return fault(start, format!("a second seat of colour {:02X}", bytes[start]));
        }
        let first = start + 28;
        let layout = Layout::of_codes(&bytes[first..first + 30])
            .map_err(|(station, message)| Error::Bytes { offset: first + station, message })?;
        *place = Some(layout);
    }
    let played = layouts.iter().flatten().count();
    if usize::from(bytes[0x19]) != played || ![2, 4].contains(&played) {
        return fault(0x19, format!("{} seats, {played} with pieces: expected 2 or 4 in both", bytes[0x19]));
    }
    Ok(layouts)
}

fn a_move(bytes: &[u8], start: usize) -> Result<Event, Error> {
    let event = &bytes[start..start + EVENT];
    let (from, to) = (station_at(bytes, start + 2)?, station_at(bytes, start + 4)?);
    let flag = |place: usize| match event[place..place + 2] {
        [0, 0] => Ok(None),
        _ => station_at(bytes, start + place).map(Some),
    };
    let (attacker_flag, defender_flag) = (flag(6)?, flag(8)?);
    if (event[1] & 0x40 != 0) != defender_flag.is_some() {
        return fault(start + 1, "bit 6 and the station in bytes 8 and 9 both tell of the defender's flag, or neither");
    }
    let outcome = [Outcome::Moved, Outcome::Won, Outcome::Lost, Outcome::Both][usize::from(event[1] & 3)];
    Ok(Event::Move { from, to, outcome, attacker_flag, defender_flag })
}

fn happened(bytes: &[u8], start: usize) -> Result<Event, Error> {
    let (colour, detail) = (start + 2, start + 3);
    Ok(match bytes[start + 1] {
        2 => Event::TimeOut { seat: seat_at(bytes, colour)?, count: bytes[detail], next: seat_at(bytes, start + 4)? },
        3 => Event::Out {
            seat: seat_at(bytes, colour)?,
            reason: match bytes[detail] {
                1 => Reason::Flag,
                2 => Reason::NoMove,
                3 => Reason::TimeOuts,
                4 => Reason::Surrender,
                6 => Reason::Escape,
                other => return fault(detail, format!("{other:02X} is no reason: expected 01 to 04 or 06")),
            },
        },
        4 => Event::Left { seat: seat_at(bytes, colour)? },
        5 => Event::End(match bytes[detail] {
            2 => End::Draw,
            4 => End::Decided,
            6 => End::Escape,
            other => return fault(detail, format!("{other:02X} is no end: expected 02, 04 or 06")),
        }),
        other => return fault(start + 1, format!("{other:02X} is nothing that happens: expected 02 to 05")),
    })
}

/// The station at the point in two bytes.
fn station_at(bytes: &[u8], offset: usize) -> Result<usize, Error> {
    let (x, y) = (bytes[offset], bytes[offset + 1]);
    match station(x, y) {
        Some(station) => Ok(station),
        None => fault(offset, format!("no station at x {x}, y {y} of the four-country board")),
    }
}

/// The station at a point of the grid of 17x17.
pub fn station(x: u8, y: u8) -> Option<usize> {
    let (mut x, mut y) = (i32::from(x), i32::from(y));
    if x > 16 || y > 16 {
        return None;
    }
    for seat in 0..4 {
        if (6..=10).contains(&x) && y >= 11 {
            return Some((30 * seat + 5 * (y - 11) + x - 6) as usize);
        }
        // The next seat's arm is this one turned by a quarter: turned back, it lies where the first one does.
        (x, y) = (16 - y, x);
    }
    let middle = |place: i32| (place - 6) as usize / 2;
    let inside = |place: i32| (6..=10).contains(&place) && place % 2 == 0;
    (inside(x) && inside(y)).then(|| 120 + 3 * middle(y) + middle(x))
}

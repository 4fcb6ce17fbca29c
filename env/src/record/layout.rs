//! The pieces of one Junqi seat as they were set up, as 30 letters.
//!
//! The letters say what players say: a soldier is the last digit of its number.
//!
//! | letter | piece | | letter | piece |
//! |---|---|---|---|---|
//! | `0` | 司令 commander, 40 | | `4` | 連長 company, 34 |
//! | `9` | 軍長 general, 39 | | `3` | 排長 platoon, 33 |
//! | `8` | 師長 division, 38 | | `2` | 工兵 engineer, 32 |
//! | `7` | 旅長 brigade, 37 | | `B` | 炸彈 bomb |
//! | `6` | 團長 regiment, 36 | | `L` | 地雷 mine |
//! | `5` | 營長 battalion, 35 | | `F` | 軍旗 flag |
//!
//! `.` is an empty station, `?` a piece that whoever wrote a replay down did not see.

use crate::Error;
use std::fmt;
use std::str::FromStr;

/// The letters in the order of the numbers in QQ's files: 0 is empty, 1 not known, 2 the flag, 13 the engineer.
const LETTERS: [u8; 14] = *b".?FLB098765432";
/// How many pieces of each letter a seat has, in the same order.
const COUNTS: [usize; 14] = [0, 0, 1, 3, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3];
/// The five camps among a seat's stations, which are empty at the start.
const CAMPS: [usize; 5] = [6, 8, 12, 16, 18];

/// What stands on a seat's 30 stations, row by row from the front, in a row from the owner's left. Station `i` of
/// seat `s` has the number `30 * s + i` on the four-country board, the seats S E N W being 0 to 3.
///
/// The camps are empty and everything else is filled; if no piece is unknown, the set of 25 is whole. Whether the
/// rules let the pieces stand where they do is not asked here.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Layout([u8; 30]);

impl Layout {
    /// From QQ's numbers, one a station.
    ///
    /// # Errors
    /// Which station, from 0, and what is wrong there; for a set that is not whole, the last one that is filled.
    pub(super) fn of_codes(codes: &[u8]) -> Result<Layout, (usize, String)> {
        let mut letters = [b'.'; 30];
        for (station, (letter, &code)) in letters.iter_mut().zip(codes).enumerate() {
            *letter = *LETTERS
                .get(usize::from(code))
                .ok_or_else(|| (station, format!("{code} is no piece: expected 0 (empty) to 13 (engineer)")))?;
        }
        Layout::of_letters(letters)
    }

    fn of_letters(letters: [u8; 30]) -> Result<Layout, (usize, String)> {
        for (station, &letter) in letters.iter().enumerate() {
            let place = format!("row {}, column {}", station / 5 + 1, station % 5 + 1);
            match (CAMPS.contains(&station), letter == b'.') {
                (true, false) => return Err((station, format!("a piece in the camp of {place}: camps start empty"))),
                (false, true) => return Err((station, format!("no piece on {place}: only camps are empty"))),
                _ => {}
            }
        }
        if !letters.contains(&b'?') {
            for (letter, expected) in LETTERS.into_iter().zip(COUNTS).skip(2) {
                let count = letters.iter().filter(|&&known| known == letter).count();
                if count != expected {
                    return Err((29, format!("{count} pieces '{}': expected {expected}", char::from(letter))));
                }
            }
        }
        Ok(Layout(letters))
    }

    /// QQ's numbers, one a station.
    pub(super) fn codes(&self) -> [u8; 30] {
        self.0.map(|letter| LETTERS.iter().position(|&known| known == letter).unwrap_or_default() as u8)
    }

    /// The letter of each station.
    pub fn letters(&self) -> &[u8; 30] {
        &self.0
    }

    /// Whether every piece is known.
    pub fn is_known(&self) -> bool {
        !self.0.contains(&b'?')
    }
}

impl FromStr for Layout {
    type Err = Error;

    /// Reads the 30 letters; nothing may stand between them.
    fn from_str(text: &str) -> Result<Layout, Error> {
        let fault = |(station, wrong): (usize, String)| Error::Position {
            field: "layout",
            message: format!("letter {}: {wrong}", station + 1),
        };
        let mut letters = [b'.'; 30];
        let mut count = 0;
        for letter in text.chars() {
            let known = LETTERS.into_iter().find(|&known| char::from(known) == letter);
            let known = known.ok_or_else(|| {
                fault((count, format!("'{letter}' is no piece: expected one of F L B 0 9 8 7 6 5 4 3 2 . ?")))
            })?;
            if let Some(place) = letters.get_mut(count) {
                *place = known;
            }
            count += 1;
        }
        if count != 30 {
            let message = format!("{count} letters: expected 30, six rows of five from the front");
            return Err(Error::Position { field: "layout", message });
        }
        Layout::of_letters(letters).map_err(fault)
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|&letter| write!(f, "{}", char::from(letter)))
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Layout({self})")
    }
}

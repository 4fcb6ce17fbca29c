//! Layouts: how a seat sets up its 25 pieces. Drawn, read and written.

use super::board::slots;
use super::graph::{Place, TERRITORY};
use super::piece::{ALL, COUNTS, FIXED, KINDS, Kind, PIECES};
use super::rules::{Rules, Setup};
use super::{Junqi, library};
use crate::Error;
use crate::rng::Rng;

/// The ranks of a seat's pieces, by the posts from the front row's left on, camps left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Layout(pub [Kind; PIECES]);

impl Layout {
    /// Reads 30 letters, row by row from the owner's front left, `.` on the camps; blanks and `/` are skipped.
    ///
    /// # Errors
    /// A letter that is none, a wrong number of them, or a layout that the rules do not allow.
    pub fn parse(rules: &Rules, text: &str) -> Result<Layout, Error> {
        let fault = |message: String| Error::Position { field: "layout", message };
        let letters: Vec<char> = text.chars().filter(|&letter| !letter.is_whitespace() && letter != '/').collect();
        if letters.len() != TERRITORY {
            return Err(fault(format!("{} letters in '{text}'; expected 30, '.' on the camps", letters.len())));
        }
        let (mut kinds, mut slot) = ([Kind::Flag; PIECES], 0);
        for (cell, &letter) in letters.iter().enumerate() {
            let (row, col) = (cell / 5 + 1, cell % 5 + 1);
            let camp = !slots().contains(&(row as u8, col as u8));
            match (camp, Kind::of_letter(letter)) {
                (true, None) if letter == '.' => {}
                (true, _) => return Err(fault(format!("'{letter}' in row {row}, column {col}: a camp is empty, '.'"))),
                (false, None) => {
                    let known: String = Kind::ALL.map(Kind::letter).iter().collect();
                    return Err(fault(format!("'{letter}' in row {row}, column {col}; expected one of {known}")));
                }
                (false, Some(kind)) => {
                    kinds[slot] = kind;
                    slot += 1;
                }
            }
        }
        let layout = Layout(kinds);
        layout.check(rules).map(|()| layout)
    }

    /// Whether the rules allow it.
    ///
    /// # Errors
    /// The first piece out of place, or a wrong number of a kind.
    pub fn check(&self, rules: &Rules) -> Result<(), Error> {
        let fault = |message: String| Err(Error::Position { field: "layout", message });
        for kind in Kind::ALL {
            let count = self.0.iter().filter(|&&other| other == kind).count();
            if count != usize::from(COUNTS[kind as usize]) {
                let (letter, name) = (kind.letter(), kind.name());
                return fault(format!("{count} of {letter} ({name}); expected {}", COUNTS[kind as usize]));
            }
        }
        let allowed = super::assignment::Beliefs::masks_at_start(rules);
        for (slot, (row, col)) in slots().into_iter().enumerate() {
            let kind = self.0[slot];
            if allowed[slot] & kind.bit() == 0 {
                let (letter, name) = (kind.letter(), kind.name());
                return fault(format!(
                    "{letter} ({name}) in row {row}, column {col}; the flag stands in a headquarters, mines in rows 5 \
                     and 6, bombs not in row 1"
                ));
            }
        }
        Ok(())
    }

    /// The 30 letters.
    pub fn text(&self) -> String {
        let mut kinds = self.0.iter();
        let cell = |cell: usize| {
            let camp = !slots().contains(&((cell / 5 + 1) as u8, (cell % 5 + 1) as u8));
            if camp { '.' } else { kinds.next().map_or('.', |kind| kind.letter()) }
        };
        (0..TERRITORY).map(cell).collect()
    }

    /// Mirrored left to right.
    pub fn mirrored(&self) -> Layout {
        let slots = slots();
        let mirror = |(row, col): (u8, u8)| slots.iter().position(|&other| other == (row, 6 - col)).unwrap_or(0);
        Layout(std::array::from_fn(|slot| self.0[mirror(slots[slot])]))
    }

    /// Every legal layout with the same probability: the flag first, then mines, bombs and the rest, for the number of
    /// ways to go on never depends on the choice.
    pub fn uniform(rules: &Rules, rng: &mut Rng) -> Layout {
        let slots = slots();
        let mut kinds = [None; PIECES];
        let mut draw = |fits: &dyn Fn((u8, u8)) -> bool, kind: Kind, count: u8| {
            let mut free: [u8; PIECES] = [0; PIECES];
            for _ in 0..count {
                let mut len = 0;
                for slot in (0..PIECES).filter(|&slot| kinds[slot].is_none() && fits(slots[slot])) {
                    free[len] = slot as u8;
                    len += 1;
                }
                kinds[usize::from(free[rng.below(len as u32) as usize])] = Some(kind);
            }
        };
        draw(&|cell| matches!(cell, (6, 2 | 4)), Kind::Flag, 1);
        draw(&|(row, _)| row >= 5, Kind::Mine, COUNTS[Kind::Mine as usize]);
        draw(&|(row, _)| row >= 2 || rules.bomb_front_row, Kind::Bomb, COUNTS[Kind::Bomb as usize]);
        let rest = ALL & !FIXED & !Kind::Bomb.bit();
        let mut others = [Kind::Engineer; PIECES];
        let mut count = 0;
        for kind in Kind::ALL.into_iter().filter(|kind| rest & kind.bit() != 0) {
            for _ in 0..COUNTS[kind as usize] {
                others[count] = kind;
                count += 1;
            }
        }
        rng.shuffle(&mut others[..count]);
        let mut others = others.into_iter();
        Layout(kinds.map(|kind| kind.or_else(|| others.next()).unwrap_or(Kind::Engineer)))
    }

    /// Number of layouts that [`Layout::uniform`] draws from.
    pub fn count(rules: &Rules) -> u64 {
        let choose = |n: u64, k: u64| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
        // 10 posts lie in the last two rows, 20 behind the front row.
        let bombs = if rules.bomb_front_row { 25 - 4 } else { 20 - 4 };
        let rest = (3..KINDS).map(|kind| u64::from(COUNTS[kind]));
        let (_, orders) = rest.fold((19, 1), |(left, product), count| (left - count, product * choose(left, count)));
        2 * choose(9, 3) * choose(bombs, 2) * orders
    }
}

impl Junqi {
    /// A seat's layout, drawn as the rules say.
    pub(super) fn draw_layout(&self, rng: &mut Rng) -> Layout {
        let from_library = match self.rules.setup {
            Setup::Uniform | Setup::Play => false,
            Setup::Library => true,
            Setup::Mixed => rng.below(2) == 0,
        };
        if !from_library {
            return Layout::uniform(&self.rules, rng);
        }
        let layout = self.library[rng.below(self.library.len() as u32) as usize];
        if rng.below(2) == 0 { layout } else { layout.mirrored() }
    }

    /// The library's layouts.
    pub fn library(&self) -> &[Layout] {
        &self.library
    }

    /// Reads the library.
    pub(super) fn read_library(rules: &Rules) -> Result<Vec<Layout>, Error> {
        library::LAYOUTS.iter().map(|(_, text)| Layout::parse(rules, text)).collect()
    }

    /// Whether a station is a camp, for those who draw.
    pub fn is_camp(&self, station: super::Station) -> bool {
        self.board.graph.spots[usize::from(station)].place == Place::Camp
    }
}

//! The rules as data: options, named profiles, text and hash.
//!
//! To add an option: a field of [`Rules`], a row of [`OPTIONS`], and its meaning in the module that plays it.

pub use super::family::Family;
pub use super::options::{OPTIONS, OptionSpec};
pub use super::profiles::{PROFILES, Profile};

use super::options::counts_text;
use super::piece::{Colour, KINDS, Kind};
use super::profiles::TAIWAN;
use crate::Error;

/// What ends a game that goes round in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Repetition {
    /// Nothing.
    None,
    /// A draw when the last 3n quiet plies are one n-ply block played three times in a row.
    Cycle3,
    /// A draw at the third occurrence of board and seat to move since the last flip or capture.
    Threefold,
}

/// Which piece captures which by a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ranking {
    /// K>G>M>R>N>C>P; a cannon captures only over a screen.
    Taiwan,
    /// K>R>N>C>G>M>P; a cannon moves and captures like any other piece.
    HongKong,
}

/// Whether a piece that has captured may go on (連吃).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// No.
    None,
    /// Yes, face-up pieces only (明棋連吃).
    Open,
    /// Yes, and face-down pieces may be attacked (暗棋連吃).
    Dark,
}

/// What becomes of an attacker that cannot take the enemy piece it has turned up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DarkFail {
    /// It stays where it was.
    Probe,
    /// It is removed.
    Suicide,
}

/// One set of rules of the dark chess family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Rows of the board, lettered from `a`.
    pub rows: u8,
    /// Columns of the board, numbered from 1.
    pub cols: u8,
    /// Pieces a side by kind. They fill the board.
    pub pieces: [u8; KINDS],
    /// A draw after this many plies in a row without a flip or a capture; 0 = off.
    pub quiet_limit: u16,
    /// The repetition rule.
    pub repetition: Repetition,
    /// Dark chess or Tomb Chess.
    pub family: Family,
    /// Quiet plies count only while no piece is face down.
    pub quiet_revealed: bool,
    /// The move that would chase the same piece this often in a row is illegal; 0 = off.
    pub chase_limit: u8,
    /// Chains of captures.
    pub chain: Chain,
    /// Failed attacks on face-down pieces.
    pub dark_fail: DarkFail,
    /// Chariots capture along clear lines.
    pub chariot_rush: bool,
    /// Ranks.
    pub ranking: Ranking,
    /// A seat loses when its captured pieces' points reach this; 0 = off.
    pub hit_points: u8,
    /// Colour of the seat that moves first, where colours are fixed.
    pub first: Colour,
}

/// Longest window of quiet plies the repetition rules look at.
pub const MAX_WINDOW: usize = 250;

/// Most squares a board may have.
pub const MAX_SQUARES: usize = 36;

impl Default for Rules {
    fn default() -> Self {
        TAIWAN
    }
}

impl Rules {
    /// Reads a profile and options of dark chess: ``, `icga`, `taiwan,quiet_limit=50`, `quiet_limit=50`.
    ///
    /// # Errors
    /// An unknown profile or option, an unusable value, or options that cannot stand together.
    pub fn parse(text: &str) -> Result<Rules, Error> {
        Rules::parse_of(Family::DarkChess, text)
    }

    /// [`Rules::parse`] for either family.
    ///
    /// # Errors
    /// As there.
    pub fn parse_of(family: Family, text: &str) -> Result<Rules, Error> {
        let mut rules = family.default_rules();
        for (i, part) in text.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
            match part.split_once('=') {
                Some((name, value)) => rules.set(name.trim(), value.trim())?,
                None if i == 0 => rules = profile(family, part)?.rules,
                None => return Err(option(family, part).err().unwrap_or_else(|| bad(part, "", "expected name=value"))),
            }
        }
        rules.check()?;
        Ok(rules)
    }

    /// Sets one option; [`Rules::check`] tells whether the whole can stand.
    ///
    /// # Errors
    /// An unknown option or an unusable value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        (option(self.family, name)?.set)(self, value).map_err(|expected| bad(name, value, &expected))
    }

    /// Whether the options can stand together.
    ///
    /// # Errors
    /// The board's size, a piece set that does not fill it, or a repetition rule without a quiet limit.
    pub fn check(&self) -> Result<(), Error> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        if !(1..=8).contains(&rows) || !(1..=8).contains(&cols) || rows * cols > MAX_SQUARES {
            return Err(Error::Rules(format!("board {rows}x{cols}: at most 8 rows, 8 columns and 36 squares")));
        }
        let pieces: usize = self.pieces.iter().map(|&n| usize::from(n)).sum();
        if 2 * pieces != rows * cols {
            return Err(Error::Rules(format!(
                "pieces {} fill {} squares, but the board {rows}x{cols} has {}; set board and pieces together",
                counts_text(self.family, &self.pieces),
                2 * pieces,
                rows * cols
            )));
        }
        if self.family == Family::TombChess
            && (self.pieces[Kind::Cannon as usize] > 0 || self.repetition == Repetition::Cycle3)
        {
            return Err(Error::Rules("tombchess has no cannons, and its repetition is none or threefold".into()));
        }
        if self.family == Family::TombChess && self.quiet_limit == 0 {
            return Err(Error::Rules("tombchess needs a quiet_limit of at least 1: a deadlock must end".into()));
        }
        if self.quiet_revealed && self.repetition != Repetition::None {
            return Err(Error::Rules(
                "quiet_revealed needs repetition=none: plies that do not count have no window".into(),
            ));
        }
        if self.repetition != Repetition::None && !(1..=MAX_WINDOW).contains(&usize::from(self.quiet_limit)) {
            return Err(Error::Rules(format!(
                "repetition needs a quiet_limit from 1 to {MAX_WINDOW}, not {}",
                self.quiet_limit
            )));
        }
        Ok(())
    }

    /// Squares of the board.
    #[inline]
    pub fn squares(&self) -> usize {
        usize::from(self.rows) * usize::from(self.cols)
    }

    /// The shortest name that reads back as these rules: the nearest profile and what differs from it.
    pub fn text(&self) -> String {
        let differing = |p: &Profile| -> Vec<String> {
            let differs = self.family.options().filter(|o| (o.get)(self) != (o.get)(&p.rules));
            differs.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect()
        };
        let nearest = self.family.profiles().map(|p| (p.name, differing(p))).min_by_key(|(_, options)| options.len());
        let (name, options) = nearest.unwrap_or(("taiwan", Vec::new()));
        format!("{name}{}", options.concat())
    }

    /// A hash of the values (FNV-1a over the options that differ from the default profile), equal for equal
    /// rules however they were named. An option added later does not change it for rules without the option.
    pub fn hash(&self) -> u64 {
        let default = self.family.default_rules();
        let differing = self.family.options().filter(|o| (o.get)(self) != (o.get)(&default));
        let text: String = differing.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect();
        format!("{}{text}", self.family.name())
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

fn profile(family: Family, name: &str) -> Result<&'static Profile, Error> {
    family.profiles().find(|p| p.name == name).ok_or_else(|| Error::UnknownProfile {
        family: family.name(),
        name: name.into(),
        known: family.profiles().map(|p| p.name).collect::<Vec<_>>().join(", "),
    })
}

fn option(family: Family, name: &str) -> Result<&'static OptionSpec, Error> {
    family.options().find(|o| o.name == name).ok_or_else(|| Error::UnknownOption {
        family: family.name(),
        name: name.into(),
        known: family.options().map(|o| o.name).collect::<Vec<_>>().join(", "),
    })
}

fn bad(name: &str, value: &str, expected: &str) -> Error {
    Error::BadOption { name: name.into(), value: value.into(), expected: expected.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trip() {
        for text in
            ["taiwan", "icga", "mini", "taiwan,quiet_limit=50", "icga,board=2x2,pieces=K1P1", "mini,quiet_limit=0"]
        {
            assert_eq!(Rules::parse(text).unwrap().text(), text);
        }
        assert_eq!(Rules::parse("").unwrap(), Rules::parse("taiwan").unwrap());
        assert_eq!(Rules::parse("quiet_limit=180,repetition=threefold").unwrap().text(), "icga");
    }

    #[test]
    fn equal_rules_have_equal_hashes() {
        assert_eq!(
            Rules::parse("icga").unwrap().hash(),
            Rules::parse("quiet_limit=180,repetition=threefold").unwrap().hash()
        );
        assert_ne!(Rules::parse("icga").unwrap().hash(), Rules::parse("taiwan").unwrap().hash());
    }

    #[test]
    fn faults_name_the_place_and_what_is_right() {
        let fault = |text| Rules::parse(text).unwrap_err().to_string();
        assert_eq!(
            fault("tawain"),
            "unknown profile 'tawain' of darkchess: known profiles are taiwan, zhengba, gametower, gametower-open-chain, gametower-dark-chain, hongkong, mainland, mainland60, icga, mini"
        );
        assert!(fault("quiet=5").starts_with("unknown option 'quiet' of darkchess: known options are board, pieces"));
        assert_eq!(fault("quiet_limit=x"), "option quiet_limit=x: expected a number of plies from 0 to 1000");
        assert_eq!(fault("repetition=2"), "option repetition=2: expected none, cycle3 or threefold");
        assert!(fault("board=7x7").contains("36 squares"));
        assert!(fault("board=2x4").contains("set board and pieces together"));
        assert!(fault("quiet_limit=0").contains("repetition needs a quiet_limit"));
        for text in ["pieces=K1K1", "pieces=K", "pieces=é1", "pieces=K99999", "board=4", "taiwan,icga", "board=0x0"] {
            assert!(Rules::parse(text).is_err(), "{text}");
        }
    }
}

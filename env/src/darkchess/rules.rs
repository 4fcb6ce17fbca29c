//! The rules as data: options, named profiles, text and hash.
//!
//! To add an option: a field of [`Rules`], a row of [`OPTIONS`], and its meaning in the module that plays it.

use super::piece::{KINDS, Kind};
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
}

/// A named set of rules.
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The rules.
    pub rules: Rules,
}

/// An option as users write it.
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// What it does and which values it takes.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its value as text.
    pub get: fn(&Rules) -> String,
    /// Sets it from text, or tells what would be right.
    pub set: fn(&mut Rules, &str) -> Result<(), String>,
}

/// Longest window of quiet plies the repetition rules look at.
pub const MAX_WINDOW: usize = 250;

/// Most squares a board may have.
pub const MAX_SQUARES: usize = 36;

const TAIWAN: Rules =
    Rules { rows: 4, cols: 8, pieces: [1, 2, 2, 2, 2, 2, 5], quiet_limit: 60, repetition: Repetition::Cycle3 };

/// Every profile; the first is the default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "taiwan",
        about: "台灣暗棋, tournament rules",
        source: "tournament platform, checked on 2,151 of its games",
        rules: TAIWAN,
    },
    Profile {
        name: "icga",
        about: "Computer Olympiad: threefold repetition, long quiet limit",
        source: "Computer Olympiad (ICGA)",
        rules: Rules { quiet_limit: 180, repetition: Repetition::Threefold, ..TAIWAN },
    },
    Profile {
        name: "mini",
        about: "2x4 board for study: general, guard, cannon, soldier a side; solved exactly",
        source: "anqi",
        rules: Rules { rows: 2, cols: 4, pieces: [1, 1, 0, 0, 0, 1, 1], quiet_limit: 40, repetition: Repetition::None },
    },
];

/// Every option, in the order in which they are printed and hashed.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "board",
        about: "rows x columns, at most 8 each and 36 squares, such as 4x8 or 2x4",
        source: "4x8: every source; others for study",
        get: |r| format!("{}x{}", r.rows, r.cols),
        set: |r, text| {
            let size = text.split_once('x').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
            (r.rows, r.cols) = size.ok_or("expected rows x columns, such as 4x8")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "pieces",
        about: "pieces a side as letter and count, filling the board: K general, G guard, M minister, R chariot, \
                N horse, C cannon, P soldier",
        source: "every source",
        get: |r| counts_text(&r.pieces),
        set: |r, text| {
            r.pieces = parse_counts(text)?;
            Ok(())
        },
    },
    OptionSpec {
        name: "quiet_limit",
        about: "a draw after this many plies in a row without a flip or a capture; 0 = off",
        source: "60: tournament platform; 50: gametower; 180: ICGA",
        get: |r| r.quiet_limit.to_string(),
        set: |r, text| {
            r.quiet_limit =
                text.parse().ok().filter(|&n| n <= 1000).ok_or("expected a number of plies from 0 to 1000")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "repetition",
        about: "none, cycle3 (a block of quiet plies played three times in a row is a draw) or threefold (third \
                occurrence of a position since the last flip or capture is a draw)",
        source: "cycle3: tournament platform; threefold: ICGA",
        get: |r| {
            match r.repetition {
                Repetition::None => "none",
                Repetition::Cycle3 => "cycle3",
                Repetition::Threefold => "threefold",
            }
            .into()
        },
        set: |r, text| {
            r.repetition = match text {
                "none" => Repetition::None,
                "cycle3" => Repetition::Cycle3,
                "threefold" => Repetition::Threefold,
                _ => return Err("expected none, cycle3 or threefold".into()),
            };
            Ok(())
        },
    },
];

impl Default for Rules {
    fn default() -> Self {
        PROFILES[0].rules
    }
}

impl Rules {
    /// Reads a profile and options: ``, `icga`, `taiwan,quiet_limit=50`, `quiet_limit=50`.
    ///
    /// # Errors
    /// An unknown profile or option, an unusable value, or options that cannot stand together.
    pub fn parse(text: &str) -> Result<Rules, Error> {
        let mut rules = Rules::default();
        for (i, part) in text.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
            match part.split_once('=') {
                Some((name, value)) => rules.set(name.trim(), value.trim())?,
                None if i == 0 => rules = profile(part)?.rules,
                None => return Err(option(part).err().unwrap_or_else(|| bad(part, "", "expected name=value"))),
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
        (option(name)?.set)(self, value).map_err(|expected| bad(name, value, &expected))
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
                counts_text(&self.pieces),
                2 * pieces,
                rows * cols
            )));
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
            let differs = OPTIONS.iter().filter(|o| (o.get)(self) != (o.get)(&p.rules));
            differs.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect()
        };
        let nearest = PROFILES.iter().map(|p| (p.name, differing(p))).min_by_key(|(_, options)| options.len());
        let (name, options) = nearest.unwrap_or(("taiwan", Vec::new()));
        format!("{name}{}", options.concat())
    }

    /// A hash of the values (FNV-1a over the options that differ from the default profile), equal for equal
    /// rules however they were named. An option added later does not change it for rules without the option.
    pub fn hash(&self) -> u64 {
        let default = Rules::default();
        let differing = OPTIONS.iter().filter(|o| (o.get)(self) != (o.get)(&default));
        let text: String = differing.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect();
        format!("darkchess{text}")
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

fn profile(name: &str) -> Result<&'static Profile, Error> {
    PROFILES.iter().find(|p| p.name == name).ok_or_else(|| Error::UnknownProfile {
        family: "darkchess",
        name: name.into(),
        known: PROFILES.iter().map(|p| p.name).collect::<Vec<_>>().join(", "),
    })
}

fn option(name: &str) -> Result<&'static OptionSpec, Error> {
    OPTIONS.iter().find(|o| o.name == name).ok_or_else(|| Error::UnknownOption {
        family: "darkchess",
        name: name.into(),
        known: OPTIONS.iter().map(|o| o.name).collect::<Vec<_>>().join(", "),
    })
}

fn bad(name: &str, value: &str, expected: &str) -> Error {
    Error::BadOption { name: name.into(), value: value.into(), expected: expected.into() }
}

/// `K1G2P5`, kinds without a piece left out.
pub(super) fn counts_text(counts: &[u8; KINDS]) -> String {
    let present = Kind::ALL.iter().zip(counts).filter(|&(_, &n)| n > 0);
    present.map(|(kind, n)| format!("{}{n}", kind.letter())).collect()
}

fn parse_counts(text: &str) -> Result<[u8; KINDS], String> {
    let expected = "expected letters K G M R N C P with counts, each once, such as K1G1C1P1";
    let mut counts = [0; KINDS];
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let kind = Kind::ALL.iter().position(|kind| kind.letter() == letter).ok_or(expected)?;
        let digits = rest[1..].chars().take_while(char::is_ascii_digit).count();
        let count = rest[1..=digits].parse().ok().filter(|&n| n <= 18 && counts[kind] == 0).ok_or(expected)?;
        counts[kind] = count;
        rest = &rest[1 + digits..];
    }
    Ok(counts)
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
        assert_eq!(fault("tawain"), "unknown profile 'tawain' of darkchess: known profiles are taiwan, icga, mini");
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

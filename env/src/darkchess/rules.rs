//! The rules as data: options, named profiles, text and hash.
//!
//! To add an option: a field of [`Rules`], a row of [`OPTIONS`], and its meaning in the module that plays it.

use super::piece::{Colour, KINDS, Kind, Piece};
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

/// Which of the two families' names, pieces and colours a game has. Both are played by the same engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Family {
    /// Dark chess 暗棋: the first flip binds the colours; cannons, lines and chains exist.
    DarkChess,
    /// Tomb Chess 幽靈戰棋: fixed colours, forced passes, deadlock decided by points.
    TombChess,
}

impl Family {
    /// Both.
    pub const ALL: [Family; 2] = [Family::DarkChess, Family::TombChess];

    /// The name users write.
    pub fn name(self) -> &'static str {
        match self {
            Family::DarkChess => "darkchess",
            Family::TombChess => "tombchess",
        }
    }

    /// The profiles of the family, the default first.
    pub fn profiles(self) -> impl Iterator<Item = &'static Profile> {
        PROFILES.iter().filter(move |profile| profile.rules.family == self)
    }

    /// The options of the family.
    pub fn options(self) -> impl Iterator<Item = &'static OptionSpec> {
        OPTIONS.iter().filter(move |option| option.families.contains(&self))
    }

    /// A kind's capital letter.
    pub fn kind_letter(self, kind: Kind) -> char {
        match self {
            Family::DarkChess => kind.letter(),
            // 魔王 蛇后 殭屍 無頭 骷髏 - 幽靈
            Family::TombChess => b"KQBNR-P"[kind as usize] as char,
        }
    }

    /// A piece's letter: capital red, small black (green in Tomb Chess).
    pub fn letter(self, piece: Piece) -> char {
        match piece.colour() {
            Colour::Red => self.kind_letter(piece.kind()),
            Colour::Black => self.kind_letter(piece.kind()).to_ascii_lowercase(),
        }
    }

    /// The piece of a letter.
    pub fn piece(self, letter: char) -> Option<Piece> {
        Piece::all().find(|&piece| self.letter(piece) == letter && letter != '-')
    }

    /// A piece's Chinese character, as drawn on it.
    pub fn character(self, piece: Piece) -> char {
        match self {
            Family::DarkChess => piece.character(),
            Family::TombChess => ['魔', '蛇', '殭', '無', '骷', '－', '幽'][piece.kind() as usize],
        }
    }

    /// The names of the two colours, as people write them.
    pub fn colour_name(self, colour: Colour) -> &'static str {
        match (self, colour) {
            (_, Colour::Red) => "red 紅",
            (Family::DarkChess, Colour::Black) => "black 黑",
            (Family::TombChess, Colour::Black) => "green 綠",
        }
    }

    /// The letter of a colour in positions.
    pub fn colour_letter(self, colour: Colour) -> char {
        self.colour_name(colour).as_bytes()[0] as char
    }

    /// The points of a lost piece: Tomb Chess decides deadlocks by them, dark chess may end at a limit.
    pub fn points(self, kind: Kind) -> u16 {
        match self {
            Family::DarkChess => [30, 10, 5, 5, 5, 5, 2][kind as usize],
            Family::TombChess => [6, 5, 4, 3, 2, 0, 1][kind as usize],
        }
    }

    /// What a player gives a piece: in dark chess the source's values, in Tomb Chess its points.
    pub fn value(self, kind: Kind) -> u16 {
        match self {
            Family::DarkChess => kind.value().into(),
            Family::TombChess => self.points(kind),
        }
    }

    /// The rules of the default profile.
    pub fn default_rules(self) -> Rules {
        match self {
            Family::DarkChess => TAIWAN,
            Family::TombChess => TOMB,
        }
    }
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
    /// The families that have it.
    pub families: &'static [Family],
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

const TAIWAN: Rules = Rules {
    rows: 4,
    cols: 8,
    pieces: [1, 2, 2, 2, 2, 2, 5],
    quiet_limit: 60,
    repetition: Repetition::Cycle3,
    family: Family::DarkChess,
    quiet_revealed: false,
    chase_limit: 0,
    chain: Chain::None,
    dark_fail: DarkFail::Probe,
    chariot_rush: false,
    ranking: Ranking::Taiwan,
    hit_points: 0,
    first: Colour::Red,
};

const GAMETOWER: Rules = Rules { quiet_limit: 50, repetition: Repetition::None, chase_limit: 10, ..TAIWAN };

const TOMB: Rules = Rules {
    rows: 6,
    cols: 6,
    pieces: [1, 1, 2, 2, 4, 0, 8],
    quiet_limit: 40,
    repetition: Repetition::Threefold,
    family: Family::TombChess,
    ..TAIWAN
};

/// Every profile; the first of each family is its default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "taiwan",
        about: "台灣暗棋, tournament rules",
        source: "tournament platform, checked on 2,151 of its games",
        rules: TAIWAN,
    },
    Profile {
        name: "zhengba",
        about: "台灣暗棋爭霸: 40 quiet plies once everything is face up",
        source: "dark-chess-moves-values-records",
        rules: Rules { quiet_limit: 40, repetition: Repetition::None, quiet_revealed: true, ..TAIWAN },
    },
    Profile {
        name: "gametower",
        about: "標準暗棋: 50 quiet plies, no endless chase",
        source: "dark-chess-variants",
        rules: GAMETOWER,
    },
    Profile {
        name: "gametower-open-chain",
        about: "明棋連吃: chains of captures of face-up pieces",
        source: "dark-chess-variants",
        rules: Rules { chain: Chain::Open, ..GAMETOWER },
    },
    Profile {
        name: "gametower-dark-chain",
        about: "暗棋連吃: chains of captures, face-down pieces may be attacked",
        source: "dark-chess-variants",
        rules: Rules { chain: Chain::Dark, ..GAMETOWER },
    },
    Profile {
        name: "hongkong",
        about: "香港: ranks K>R>N>C>G>M>P, the cannon steps",
        source: "dark-chess-variants",
        rules: Rules { ranking: Ranking::HongKong, ..TAIWAN },
    },
    Profile {
        name: "mainland",
        about: "大陸: no endless chase",
        source: "dark-chess-variants (its text stops short)",
        rules: Rules { repetition: Repetition::None, chase_limit: 10, ..TAIWAN },
    },
    Profile {
        name: "mainland60",
        about: "大陸 by points: 60 points lost lose the game",
        source: "public rule discussions",
        rules: Rules { repetition: Repetition::None, chase_limit: 10, hit_points: 60, ..TAIWAN },
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
        rules: Rules {
            rows: 2,
            cols: 4,
            pieces: [1, 1, 0, 0, 0, 1, 1],
            quiet_limit: 40,
            repetition: Repetition::None,
            ..TAIWAN
        },
    },
    Profile { name: "standard", about: "幽靈戰棋 on 6x6, 18 units a side", source: "tomb-chess", rules: TOMB },
    Profile {
        name: "web",
        about: "the original web game: deadlock after 10 quiet plies",
        source: "tomb-chess",
        rules: Rules { quiet_limit: 10, ..TOMB },
    },
];

/// Every option, in the order in which they are printed and hashed.
pub const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "board",
        families: &Family::ALL,
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
        families: &Family::ALL,
        about: "pieces a side as letter and count, filling the board, such as K1G1C1P1",
        source: "every source",
        get: |r| counts_text(r.family, &r.pieces),
        set: |r, text| {
            r.pieces = parse_counts(r.family, text)?;
            Ok(())
        },
    },
    OptionSpec {
        name: "quiet_limit",
        families: &Family::ALL,
        about: "the game ends after this many plies in a row without a flip or a capture: a draw, in Tomb Chess by \
                points; 0 = off, in dark chess only",
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
        families: &Family::ALL,
        about: "what ends the game like the quiet limit: none, threefold (third occurrence of a position since the last \
                flip or capture) or, in dark chess, cycle3 (a block of quiet plies played three times in a row)",
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
    OptionSpec {
        name: "quiet_revealed",
        families: &[Family::DarkChess],
        about: "quiet plies count only while no piece is face down: true or false",
        source: "dark-chess-moves-values-records",
        get: |r| r.quiet_revealed.to_string(),
        set: |r, text| {
            r.quiet_revealed = text.parse().map_err(|_| "expected true or false")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "chase_limit",
        families: &[Family::DarkChess],
        about: "長捉禁手: the move that would chase the same enemy piece this often in a row is illegal; 0 = off",
        source: "dark-chess-variants",
        get: |r| r.chase_limit.to_string(),
        set: |r, text| {
            r.chase_limit = text.parse().ok().filter(|&n| n <= 50).ok_or("expected a number of chases from 0 to 50")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "chain",
        families: &[Family::DarkChess],
        about: "連吃: none, open (a capture may be followed by further ones of the same piece) or dark (face-down pieces may be attacked too)",
        source: "dark-chess-variants",
        get: |r| {
            match r.chain {
                Chain::None => "none",
                Chain::Open => "open",
                Chain::Dark => "dark",
            }
            .into()
        },
        set: |r, text| {
            r.chain = match text {
                "none" => Chain::None,
                "open" => Chain::Open,
                "dark" => Chain::Dark,
                _ => return Err("expected none, open or dark".into()),
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "dark_fail",
        families: &[Family::DarkChess],
        about: "what becomes of an attacker that cannot take the enemy it turned up: probe (it stays) or suicide (it is removed)",
        source: "dark-chess-variants",
        get: |r| {
            match r.dark_fail {
                DarkFail::Probe => "probe",
                DarkFail::Suicide => "suicide",
            }
            .into()
        },
        set: |r, text| {
            r.dark_fail = match text {
                "probe" => DarkFail::Probe,
                "suicide" => DarkFail::Suicide,
                _ => return Err("expected probe or suicide".into()),
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "chariot_rush",
        families: &[Family::DarkChess],
        about: "車直衝: a chariot also captures any enemy along a clear line of two squares or more: true or false",
        source: "dark-chess-variants",
        get: |r| r.chariot_rush.to_string(),
        set: |r, text| {
            r.chariot_rush = text.parse().map_err(|_| "expected true or false")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "ranking",
        families: &[Family::DarkChess],
        about: "taiwan (K>G>M>R>N>C>P, the cannon jumps) or hongkong (K>R>N>C>G>M>P, the cannon steps)",
        source: "dark-chess-variants",
        get: |r| {
            match r.ranking {
                Ranking::Taiwan => "taiwan",
                Ranking::HongKong => "hongkong",
            }
            .into()
        },
        set: |r, text| {
            r.ranking = match text {
                "taiwan" => Ranking::Taiwan,
                "hongkong" => Ranking::HongKong,
                _ => return Err("expected taiwan or hongkong".into()),
            };
            Ok(())
        },
    },
    OptionSpec {
        name: "hit_points",
        families: &[Family::DarkChess],
        about: "a seat loses when the points of its captured pieces reach this (K 30, G 10, M R N C 5, P 2); 0 = off",
        source: "public rule discussions",
        get: |r| r.hit_points.to_string(),
        set: |r, text| {
            r.hit_points = text.parse().ok().filter(|&n| n <= 100).ok_or("expected points from 0 to 100")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "first",
        families: &[Family::TombChess],
        about: "colour of the seat that moves first: red (odd games of a match) or green (even games)",
        source: "tomb-chess",
        get: |r| {
            match r.first {
                Colour::Red => "red",
                Colour::Black => "green",
            }
            .into()
        },
        set: |r, text| {
            r.first = match text {
                "red" => Colour::Red,
                "green" => Colour::Black,
                _ => return Err("expected red or green".into()),
            };
            Ok(())
        },
    },
];

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

/// `K1G2P5`, kinds without a piece left out.
fn counts_text(family: Family, counts: &[u8; KINDS]) -> String {
    let present = Kind::ALL.iter().zip(counts).filter(|&(_, &n)| n > 0);
    present.map(|(kind, n)| format!("{}{n}", family.kind_letter(*kind))).collect()
}

fn parse_counts(family: Family, text: &str) -> Result<[u8; KINDS], String> {
    let expected = "expected letters of pieces with counts, each once, such as K1G1C1P1";
    let mut counts = [0; KINDS];
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let kind =
            Kind::ALL.iter().position(|&kind| family.kind_letter(kind) == letter && letter != '-').ok_or(expected)?;
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

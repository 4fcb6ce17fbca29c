//! The options as users write them: names, values as text, and what they mean.

use super::family::Family;
use super::piece::{Colour, KINDS, Kind};
use super::rules::{Chain, DarkFail, Ranking, Repetition, Rules};

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

/// `K1G2P5`, kinds without a piece left out.
pub(super) fn counts_text(family: Family, counts: &[u8; KINDS]) -> String {
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

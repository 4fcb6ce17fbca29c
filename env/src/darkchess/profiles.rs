//! Named sets of rules.

use super::family::Family;
use super::piece::Colour;
use super::rules::{Chain, DarkFail, Ranking, Repetition, Rules};

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

pub(super) const TAIWAN: Rules = Rules {
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

pub(super) const TOMB: Rules = Rules {
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

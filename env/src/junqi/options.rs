//! The options as users write them: names, values as text, and what they mean.

use super::rules::{Reveal, Rules, Setup, Sight, Variant};

/// An option as users write it.
pub struct OptionSpec {
    /// Its name.
    pub name: &'static str,
    /// The games that have it.
    pub variants: &'static [Variant],
    /// What it does and which values it takes.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// Its value as text.
    pub get: fn(&Rules) -> String,
    /// Sets it from text, or tells what would be right.
    pub set: fn(&mut Rules, &str) -> Result<(), String>,
}

/// Values of an option and their names, the default first.
fn read<T: Copy>(known: &[(&str, T)], text: &str) -> Result<T, String> {
    let names = || known.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(" or ");
    known.iter().find(|(name, _)| *name == text).map(|&(_, value)| value).ok_or_else(|| format!("expected {}", names()))
}

fn write<T: Copy + PartialEq>(known: &[(&str, T)], value: T) -> String {
    known.iter().find(|(_, other)| *other == value).map(|(name, _)| (*name).into()).unwrap_or_default()
}

/// An option whose values have names.
macro_rules! named {
    ($name:literal, $variants:expr, $field:ident, $values:expr, $about:literal, $source:literal) => {
        OptionSpec {
            name: $name,
            variants: $variants,
            about: $about,
            source: $source,
            get: |rules| write($values, rules.$field),
            set: |rules, text| read($values, text).map(|value| rules.$field = value),
        }
    };
}

const SOURCE: &str = "platforms differ; the default is what the replayed real games follow";
const SIGHTS: &[(&str, Sight)] = &[("dark", Sight::Dark), ("double-open", Sight::DoubleOpen), ("open", Sight::Open)];
const SETUPS: &[(&str, Setup)] =
    &[("uniform", Setup::Uniform), ("library", Setup::Library), ("mixed", Setup::Mixed), ("play", Setup::Play)];
const REVEALS: &[(&str, Reveal)] =
    &[("none", Reveal::None), ("combatants", Reveal::Combatants), ("both", Reveal::Both)];
const NO_YES: &[(&str, bool)] = &[("no", false), ("yes", true)];

/// Every option, in the order in which they are printed and hashed.
pub(super) const OPTIONS: &[OptionSpec] = &[
    named!(
        "view",
        &Variant::ALL,
        sight,
        SIGHTS,
        "whose ranks a seat sees: dark 四暗 (its own), double-open 雙明 (its ally's too; siguo only) or open 全明 (all)",
        "games.md 3.6"
    ),
    named!(
        "setup",
        &Variant::ALL,
        setup,
        SETUPS,
        "how pieces come onto the board: uniform (every legal layout alike), library (a sensible one of a small \
         collection), mixed (each seat one or the other) or play (25 placements a seat, as actions)",
        "games.md 3.3"
    ),
    named!(
        "order",
        &[Variant::Siguo],
        clockwise,
        &[("anticlockwise", false), ("clockwise", true)],
        "in which order the seats move: anticlockwise (S E N W) or clockwise (S W N E)",
        "platforms differ"
    ),
    named!(
        "mine",
        &Variant::ALL,
        mine_dies,
        &[("stays", false), ("both", true)],
        "a mine that anything but an engineer or a bomb ran into: stays, or both are gone",
        "platforms differ"
    ),
    named!(
        "bomb_front_row",
        &Variant::ALL,
        bomb_front_row,
        NO_YES,
        "bombs may be set up on the front row: no or yes",
        "platforms differ"
    ),
    named!(
        "hq_moves",
        &Variant::ALL,
        hq_moves,
        NO_YES,
        "pieces may leave a headquarters again (flags and mines still never move): no or yes",
        "platforms differ"
    ),
    named!(
        "arms",
        &[Variant::Duel],
        arms_closed,
        &[("open", false), ("closed", true)],
        "the two empty arms of the board: open or closed",
        "platforms differ"
    ),
    named!(
        "reveal",
        &Variant::ALL,
        reveal,
        REVEALS,
        "ranks shown in a combat: none, combatants (the two seats see both) or both (everybody sees both)",
        "platforms differ"
    ),
    named!(
        "bombs_fly",
        &Variant::ALL,
        bombs_fly,
        NO_YES,
        "bombs run along rails over any turns, as engineers do: no or yes",
        "platforms differ"
    ),
    named!(
        "one_turn",
        &Variant::ALL,
        one_turn,
        NO_YES,
        "any piece may turn once, from one rail line into another: no or yes",
        "platforms differ"
    ),
    named!(
        "commander_mine",
        &Variant::ALL,
        commander_survives,
        &[("dies", false), ("survives", true)],
        "a commander that runs into a mine: dies like others, or survives and removes it",
        "platforms differ"
    ),
    named!(
        "signals",
        &[Variant::Siguo],
        signals,
        NO_YES,
        "before its move a seat may give its ally one signal 暗號 of a fixed alphabet, unheard by the enemies: no or yes",
        "games.md 3.10"
    ),
    OptionSpec {
        name: "time_outs",
        variants: &Variant::ALL,
        about: "a seat is out at this many turns that it let pass by the clock: 1 to 99, or unlimited",
        source: "5: replays; platforms differ",
        get: |rules| if rules.time_outs == 0 { "unlimited".into() } else { rules.time_outs.to_string() },
        set: |rules, text| {
            let number = text.parse().ok().filter(|number| (1..=99).contains(number));
            rules.time_outs = if text == "unlimited" { 0 } else { number.ok_or("expected 1 to 99, or unlimited")? };
            Ok(())
        },
    },
    OptionSpec {
        name: "quiet_limit",
        variants: &Variant::ALL,
        about: "a draw after this many plies in a row without a combat or an elimination; 0 = off",
        source: SOURCE,
        get: |rules| rules.quiet_limit.to_string(),
        set: |rules, text| {
            rules.quiet_limit =
                text.parse().ok().filter(|&n| n <= 1000).ok_or("expected a number of plies from 0 to 1000")?;
            Ok(())
        },
    },
    OptionSpec {
        name: "ply_limit",
        variants: &Variant::ALL,
        about: "a draw after this many plies, set-up not counted; 0 = off",
        source: "for training",
        get: |rules| rules.ply_limit.to_string(),
        set: |rules, text| {
            rules.ply_limit =
                text.parse().ok().filter(|&n| n <= 60_000).ok_or("expected a number of plies from 0 to 60000")?;
            Ok(())
        },
    },
];

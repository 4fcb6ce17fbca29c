//! What varies between platforms, as one small value: games, options, profiles, and their text.

use super::options::{OPTIONS, OptionSpec};
use crate::Error;

/// The three games of the family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Variant {
    /// 四國軍棋: four seats, S and N against E and W.
    Siguo,
    /// 單挑: S against N on the board for four.
    Duel,
    /// 陸戰棋: S against N on the board of 60 stations.
    Luzhanqi,
}

impl Variant {
    /// All three.
    pub const ALL: [Variant; 3] = [Variant::Siguo, Variant::Duel, Variant::Luzhanqi];

    /// The name users write.
    pub fn name(self) -> &'static str {
        ["siguo", "duel", "luzhanqi"][self as usize]
    }

    /// What it is, for people.
    pub fn about(self) -> &'static str {
        [
            "Siguo 四國軍棋: four seats, two teams, hidden ranks, on 129 stations",
            "Junqi duel 單挑: two seats on the four-country board",
            "Luzhanqi 陸戰棋: two seats on the board of 60 stations",
        ][self as usize]
    }

    /// Seats at the board.
    #[inline]
    pub fn seats(self) -> usize {
        if self == Variant::Siguo { 4 } else { 2 }
    }

    /// The profiles, the default first.
    pub fn profiles(self) -> impl Iterator<Item = &'static Profile> {
        PROFILES.iter().filter(move |profile| profile.variants.contains(&self))
    }

    /// The options.
    pub fn options(self) -> impl Iterator<Item = &'static OptionSpec> {
        OPTIONS.iter().filter(move |option| option.variants.contains(&self))
    }

    /// The rules of the default profile.
    pub fn default_rules(self) -> Rules {
        Rules { variant: self, ..DARK }
    }
}

/// Whose ranks a seat sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sight {
    /// 四暗: its own.
    Dark,
    /// 雙明: its own and its ally's.
    DoubleOpen,
    /// 全明: everybody's.
    Open,
}

/// How the pieces come onto the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setup {
    /// Every legal layout is as likely as any other.
    Uniform,
    /// A layout of the library, or its mirror image.
    Library,
    /// Each seat gets one or the other.
    Mixed,
    /// Seats place their pieces themselves.
    Play,
}

/// Which ranks a combat shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reveal {
    /// None.
    None,
    /// Both, to the two seats that fought.
    Combatants,
    /// Both, to everybody.
    Both,
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    /// Which game.
    pub variant: Variant,
    /// Whose ranks a seat sees.
    pub sight: Sight,
    /// How the pieces come onto the board.
    pub setup: Setup,
    /// Seats move clockwise.
    pub clockwise: bool,
    /// A mine that took a piece is gone too.
    pub mine_dies: bool,
    /// Bombs may stand on the front row at first.
    pub bomb_front_row: bool,
    /// Pieces may leave a headquarters.
    pub hq_moves: bool,
    /// The empty arms of the duel are closed.
    pub arms_closed: bool,
    /// Which ranks a combat shows.
    pub reveal: Reveal,
    /// Bombs move on rails as engineers do.
    pub bombs_fly: bool,
    /// Any piece may turn once on rails.
    pub one_turn: bool,
    /// A commander removes the mine it runs into.
    pub commander_survives: bool,
    /// 暗號: a seat may say something to its ally before it moves.
    pub signals: bool,
    /// Time-outs at which a seat is out; 0 = unlimited.
    pub time_outs: u8,
    /// Plies in a row without a loss that make a draw; 0 = off.
    pub quiet_limit: u16,
    /// Plies, set-up not counted, after which the game is a draw; 0 = off.
    pub ply_limit: u32,
}

/// A named set of rules.
pub struct Profile {
    /// Its name.
    pub name: &'static str,
    /// The games that have it.
    pub variants: &'static [Variant],
    /// What it is, for people.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// The rules but for the game.
    rules: Rules,
}

const DARK: Rules = Rules {
    variant: Variant::Siguo,
    sight: Sight::Dark,
    setup: Setup::Uniform,
    clockwise: false,
    mine_dies: false,
    bomb_front_row: false,
    hq_moves: false,
    arms_closed: false,
    reveal: Reveal::None,
    bombs_fly: false,
    one_turn: false,
    commander_survives: false,
    signals: false,
    time_outs: 5,
    quiet_limit: 70,
    ply_limit: 0,
};

/// Every profile; the first is the default.
pub const PROFILES: &[Profile] = &[
    Profile {
        name: "dark",
        variants: &Variant::ALL,
        about: "四暗: a seat sees its own ranks only",
        source: "games.md 3.6",
        rules: DARK,
    },
    Profile {
        name: "double-open",
        variants: &[Variant::Siguo],
        about: "雙明: allies see each other's ranks",
        source: "games.md 3.6",
        rules: Rules { sight: Sight::DoubleOpen, ..DARK },
    },
    Profile {
        name: "open",
        variants: &Variant::ALL,
        about: "全明: everybody sees all ranks",
        source: "games.md 3.6",
        rules: Rules { sight: Sight::Open, ..DARK },
    },
];

impl Profile {
    /// Its rules in one of its games.
    pub fn rules(&self, variant: Variant) -> Rules {
        Rules { variant, ..self.rules }
    }
}

impl Default for Rules {
    fn default() -> Self {
        DARK
    }
}

impl Rules {
    /// Reads a profile and options of a game: ``, `open`, `view=open,mine=both`.
    ///
    /// # Errors
    /// An unknown profile or option, an unusable value, or options that cannot stand together.
    pub fn parse(variant: Variant, text: &str) -> Result<Rules, Error> {
        let mut rules = variant.default_rules();
        for (i, part) in text.split(',').map(str::trim).filter(|part| !part.is_empty()).enumerate() {
            match part.split_once('=') {
                Some((name, value)) => rules.set(name.trim(), value.trim())?,
                None if i == 0 => rules = profile(variant, part)?.rules(variant),
                None => {
                    return Err(option(variant, part).err().unwrap_or_else(|| bad(part, "", "expected name=value")));
                }
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
        (option(self.variant, name)?.set)(self, value).map_err(|expected| bad(name, value, &expected))
    }

    /// Whether the options can stand together.
    ///
    /// # Errors
    /// Allies who see each other's ranks in a game without allies.
    pub fn check(&self) -> Result<(), Error> {
        if self.variant != Variant::Siguo && self.sight == Sight::DoubleOpen {
            let name = self.variant.name();
            return Err(Error::Rules(format!("view=double-open: {name} has no allies; expected dark or open")));
        }
        Ok(())
    }

    /// The shortest name that reads back as these rules: the nearest profile and what differs from it.
    pub fn text(&self) -> String {
        let differing = |base: &Rules| -> Vec<String> {
            let differs = self.variant.options().filter(|o| (o.get)(self) != (o.get)(base));
            differs.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect()
        };
        let profiles = self.variant.profiles().map(|p| (p.name, differing(&p.rules(self.variant))));
        let (name, options) = profiles.min_by_key(|(_, options)| options.len()).unwrap_or(("dark", Vec::new()));
        format!("{name}{}", options.concat())
    }

    /// A hash of the values (FNV-1a over the options that differ from the default), equal for equal rules however they
    /// were named. An option added later does not change it for rules without the option.
    pub fn hash(&self) -> u64 {
        let default = self.variant.default_rules();
        let differing = self.variant.options().filter(|o| (o.get)(self) != (o.get)(&default));
        let text: String = differing.map(|o| format!(",{}={}", o.name, (o.get)(self))).collect();
        format!("{}{text}", self.variant.name())
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }
}

fn profile(variant: Variant, name: &str) -> Result<&'static Profile, Error> {
    variant.profiles().find(|p| p.name == name).ok_or_else(|| Error::UnknownProfile {
        family: variant.name(),
        name: name.into(),
        known: variant.profiles().map(|p| p.name).collect::<Vec<_>>().join(", "),
    })
}

fn option(variant: Variant, name: &str) -> Result<&'static OptionSpec, Error> {
    variant.options().find(|o| o.name == name).ok_or_else(|| Error::UnknownOption {
        family: variant.name(),
        name: name.into(),
        known: variant.options().map(|o| o.name).collect::<Vec<_>>().join(", "),
    })
}

fn bad(name: &str, value: &str, expected: &str) -> Error {
    Error::BadOption { name: name.into(), value: value.into(), expected: expected.into() }
}

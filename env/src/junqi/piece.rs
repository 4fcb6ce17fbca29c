//! Kinds of pieces, their letters, numbers and who beats whom.

use super::rules::Rules;

/// A kind of piece, in the order of ranks: the flag and what cannot move first, then the bomb, then from the commander
/// down to the engineer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Kind {
    /// 軍旗.
    Flag,
    /// 地雷.
    Mine,
    /// 炸彈.
    Bomb,
    /// 司令 40.
    Commander,
    /// 軍長 39.
    General,
    /// 師長 38.
    Division,
    /// 旅長 37.
    Brigade,
    /// 團長 36.
    Regiment,
    /// 營長 35.
    Battalion,
    /// 連長 34.
    Company,
    /// 排長 33.
    Platoon,
    /// 工兵 32.
    Engineer,
}

/// Number of kinds.
pub const KINDS: usize = 12;

/// Pieces of a seat.
pub const PIECES: usize = 25;

/// How many of each kind a seat has.
pub const COUNTS: [u8; KINDS] = [1, 3, 2, 1, 1, 2, 2, 2, 2, 3, 3, 3];

/// A set of kinds, one bit each.
pub type Kinds = u16;

/// Every kind.
pub const ALL: Kinds = (1 << KINDS) - 1;
/// The kinds that never move.
pub const FIXED: Kinds = Kind::Flag.bit() | Kind::Mine.bit();

impl Kind {
    /// All twelve, in order.
    pub const ALL: [Kind; KINDS] = [
        Kind::Flag,
        Kind::Mine,
        Kind::Bomb,
        Kind::Commander,
        Kind::General,
        Kind::Division,
        Kind::Brigade,
        Kind::Regiment,
        Kind::Battalion,
        Kind::Company,
        Kind::Platoon,
        Kind::Engineer,
    ];

    /// Its place in a set.
    #[inline]
    pub const fn bit(self) -> Kinds {
        1 << self as u8
    }

    /// The only kind of a set.
    #[inline]
    pub fn only(kinds: Kinds) -> Option<Kind> {
        (kinds.count_ones() == 1).then(|| Kind::ALL[kinds.trailing_zeros() as usize])
    }

    /// The letter of layouts, as players say it: F flag, L mine 地雷, B bomb, and the last digit of a number, so 0 for the
    /// commander and 2 for an engineer.
    pub fn letter(self) -> char {
        b"FLB098765432"[self as usize] as char
    }

    /// The kind of a letter, capital or small.
    pub fn of_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// What players call it: its number, or the character of a piece without one.
    pub fn short(self) -> &'static str {
        ["旗", "雷", "炸", "40", "39", "38", "37", "36", "35", "34", "33", "32"][self as usize]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ["軍旗", "地雷", "炸彈", "司令", "軍長", "師長", "旅長", "團長", "營長", "連長", "排長", "工兵"][self as usize]
    }
}

/// What became of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Fight {
    /// Nobody stood there.
    Moved,
    /// The attacker stays, the defender is gone.
    Won,
    /// The attacker is gone, the defender stays.
    Lost,
    /// Both are gone.
    Both,
}

/// Who beats whom under a set of rules (games.md 3.5), and what an outcome says about the two.
#[derive(Clone, Debug)]
pub struct Combat {
    results: [[Fight; KINDS]; KINDS],
    /// By fight and defender: the attackers with that outcome.
    attackers: [[Kinds; KINDS]; 4],
    /// By fight and attacker: the defenders with that outcome.
    defenders: [[Kinds; KINDS]; 4],
}

impl Combat {
    /// The tables of a set of rules.
    pub fn new(rules: &Rules) -> Combat {
        let mut results = [[Fight::Moved; KINDS]; KINDS];
        let (mut attackers, mut defenders) = ([[0; KINDS]; 4], [[0; KINDS]; 4]);
        for attacker in Kind::ALL.into_iter().filter(|kind| FIXED & kind.bit() == 0) {
            for defender in Kind::ALL {
                let fight = fight(rules, attacker, defender);
                results[attacker as usize][defender as usize] = fight;
                attackers[fight as usize][defender as usize] |= attacker.bit();
                defenders[fight as usize][attacker as usize] |= defender.bit();
            }
        }
        Combat { results, attackers, defenders }
    }

    /// What becomes of an attack.
    #[inline]
    pub fn fight(&self, attacker: Kind, defender: Kind) -> Fight {
        self.results[attacker as usize][defender as usize]
    }

    /// The attackers that could have that outcome against one of these.
    #[inline]
    pub fn attackers(&self, fight: Fight, defenders: Kinds) -> Kinds {
        union_of(&self.attackers[fight as usize], defenders)
    }

    /// The defenders against which one of these could have that outcome.
    #[inline]
    pub fn defenders(&self, fight: Fight, attackers: Kinds) -> Kinds {
        union_of(&self.defenders[fight as usize], attackers)
    }
}

#[inline]
fn union_of(sets: &[Kinds; KINDS], mut of: Kinds) -> Kinds {
    let mut union = 0;
    while of != 0 {
        union |= sets[of.trailing_zeros() as usize];
        of &= of - 1;
    }
    union
}

fn fight(rules: &Rules, attacker: Kind, defender: Kind) -> Fight {
    match (attacker, defender) {
        (Kind::Bomb, _) | (_, Kind::Bomb) => Fight::Both,
        (_, Kind::Flag) | (Kind::Engineer, Kind::Mine) => Fight::Won,
        (Kind::Commander, Kind::Mine) if rules.commander_survives => Fight::Won,
        (_, Kind::Mine) if rules.mine_dies => Fight::Both,
        (_, Kind::Mine) => Fight::Lost,
        _ if attacker == defender => Fight::Both,
        // The commander stands first among the ranks.
        _ if (attacker as u8) < defender as u8 => Fight::Won,
        _ => Fight::Lost,
    }
}

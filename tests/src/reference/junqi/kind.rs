//! The kinds of pieces: how many a seat has, their strength and their letters (3.2).

/// A kind of piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// 軍旗.
    Flag,
    /// 地雷.
    Mine,
    /// 炸彈.
    Bomb,
    /// 司令, 40.
    Commander,
    /// 軍長, 39.
    General,
    /// 師長, 38.
    Division,
    /// 旅長, 37.
    Brigade,
    /// 團長, 36.
    Regiment,
    /// 營長, 35.
    Battalion,
    /// 連長, 34.
    Company,
    /// 排長, 33.
    Platoon,
    /// 工兵, 32.
    Engineer,
}

impl Kind {
    /// All of them, in the order of 3.2.
    pub const ALL: [Kind; 12] = [
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

    /// How many of the 25 pieces of a seat are of this kind.
    pub fn count(self) -> usize {
        match self {
            Kind::Flag | Kind::Commander | Kind::General => 1,
            Kind::Bomb | Kind::Division | Kind::Brigade | Kind::Regiment | Kind::Battalion => 2,
            Kind::Mine | Kind::Company | Kind::Platoon | Kind::Engineer => 3,
        }
    }

    /// The number that players call a soldier by, 40 to 32; the higher one is the stronger.
    pub fn rank(self) -> Option<u32> {
        match self {
            Kind::Flag | Kind::Mine | Kind::Bomb => None,
            Kind::Commander => Some(40),
            Kind::General => Some(39),
            Kind::Division => Some(38),
            Kind::Brigade => Some(37),
            Kind::Regiment => Some(36),
            Kind::Battalion => Some(35),
            Kind::Company => Some(34),
            Kind::Platoon => Some(33),
            Kind::Engineer => Some(32),
        }
    }

    /// `F` flag, `L` mine, `B` bomb, and the last digit of a soldier's rank: `0` is 40, `9` is 39, down to `2` for 32.
    pub fn letter(self) -> char {
        match self {
            Kind::Flag => 'F',
            Kind::Mine => 'L',
            Kind::Bomb => 'B',
            Kind::Commander => '0',
            Kind::General => '9',
            Kind::Division => '8',
            Kind::Brigade => '7',
            Kind::Regiment => '6',
            Kind::Battalion => '5',
            Kind::Company => '4',
            Kind::Platoon => '3',
            Kind::Engineer => '2',
        }
    }

    /// The kind of a letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// Mines and flags never move (3.4).
    pub(crate) fn walks(self) -> bool {
        self != Kind::Flag && self != Kind::Mine
    }
}

//! Colours, kinds and pieces.

/// A side's colour. Red is 0, black 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Colour {
    /// 紅
    Red = 0,
    /// 黑
    Black = 1,
}

impl Colour {
    /// Both, in order.
    pub const ALL: [Colour; 2] = [Colour::Red, Colour::Black];

    /// The other one.
    #[inline]
    pub fn other(self) -> Colour {
        Colour::from_index(self as usize ^ 1)
    }

    /// 0 is red, 1 black.
    #[inline]
    pub(super) fn from_index(index: usize) -> Colour {
        if index == 0 { Colour::Red } else { Colour::Black }
    }
}

/// A piece's kind, in the order of the Taiwanese ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// 帥/將, the general.
    King = 0,
    /// 仕/士, the guard.
    Guard = 1,
    /// 相/象, the minister.
    Minister = 2,
    /// 俥/車, the chariot.
    Rook = 3,
    /// 傌/馬, the horse.
    Knight = 4,
    /// 炮/包, the cannon.
    Cannon = 5,
    /// 兵/卒, the soldier.
    Pawn = 6,
}

/// How many kinds there are.
pub const KINDS: usize = 7;

impl Kind {
    /// All, by rank.
    pub const ALL: [Kind; KINDS] =
        [Kind::King, Kind::Guard, Kind::Minister, Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Pawn];

    /// The capital letter of texts and records.
    pub fn letter(self) -> char {
        b"KGMRNCP"[self as usize] as char
    }

    /// What a player gives the piece (source: dark-chess-moves-values-records): C 9, G 8, K 7, M 6, R 5, N 3, P 1.
    pub fn value(self) -> u8 {
        [7, 8, 6, 5, 3, 9, 1][self as usize]
    }
}

/// A piece: its kind in three bits and its colour above them, so red ones are 0-6 and black ones 8-14. The two
/// codes between are those of the cells without a face-up piece, see [`Position`](super::Position).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(pub(super) u8);

/// Bits of a piece below its colour.
pub(super) const KIND_BITS: u32 = 3;

impl Piece {
    /// All 14, red first, by rank.
    pub fn all() -> impl Iterator<Item = Piece> {
        Colour::ALL.into_iter().flat_map(|colour| Kind::ALL.map(|kind| Piece::new(colour, kind)))
    }

    /// A piece.
    #[inline]
    pub fn new(colour: Colour, kind: Kind) -> Piece {
        Piece((colour as u8) << KIND_BITS | kind as u8)
    }

    /// Its colour.
    #[inline]
    pub fn colour(self) -> Colour {
        Colour::from_index(usize::from(self.0 >> KIND_BITS))
    }

    /// Its kind.
    #[inline]
    pub fn kind(self) -> Kind {
        Kind::ALL[usize::from(self.0 & ((1 << KIND_BITS) - 1))]
    }

    /// Its letter: capital red, small black.
    pub fn letter(self) -> char {
        match self.colour() {
            Colour::Red => self.kind().letter(),
            Colour::Black => self.kind().letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a letter.
    pub fn from_letter(letter: char) -> Option<Piece> {
        Piece::all().find(|piece| piece.letter() == letter)
    }

    /// Its Chinese character, as printed on the disc.
    pub fn character(self) -> char {
        let characters = match self.colour() {
            Colour::Red => ['帥', '仕', '相', '俥', '傌', '炮', '兵'],
            Colour::Black => ['將', '士', '象', '車', '馬', '包', '卒'],
        };
        characters[self.kind() as usize]
    }
}

impl std::fmt::Debug for Piece {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.letter())
    }
}

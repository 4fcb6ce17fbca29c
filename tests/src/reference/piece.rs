//! Colours, kinds of pieces, their letters and their points.

/// One of the two colours. Tomb Chess plays red against green; green is called `Black` here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// Red: capital letters.
    Red,
    /// Black, in Tomb Chess green: small letters.
    Black,
}

impl Colour {
    /// Both colours, red first, as texts list them.
    pub const BOTH: [Colour; 2] = [Colour::Red, Colour::Black];

    /// The colour it plays against.
    pub fn other(self) -> Colour {
        match self {
            Colour::Red => Colour::Black,
            Colour::Black => Colour::Red,
        }
    }

    /// Red's place in a pair of things is 0, black's is 1.
    pub fn index(self) -> usize {
        match self {
            Colour::Red => 0,
            Colour::Black => 1,
        }
    }
}

/// A kind of piece of either family. Some letters serve both families.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// K: 帥/將; 魔王, the demon king.
    King,
    /// Q: 蛇后, the serpent queen. Tomb Chess only.
    Queen,
    /// B: 殭屍, the zombie. Tomb Chess only.
    Bishop,
    /// G: 仕/士. Dark chess only.
    Guard,
    /// M: 相/象. Dark chess only.
    Minister,
    /// R: 俥/車, the chariot; 骷髏, the skeleton.
    Rook,
    /// N: 傌/馬; 無頭, the headless one.
    Knight,
    /// C: 炮/包. Dark chess only.
    Cannon,
    /// P: 兵/卒; 幽靈, the ghost.
    Pawn,
}

impl Kind {
    /// Every kind of either family.
    pub const ALL: [Kind; 9] = [
        Kind::King,
        Kind::Queen,
        Kind::Bishop,
        Kind::Guard,
        Kind::Minister,
        Kind::Rook,
        Kind::Knight,
        Kind::Cannon,
        Kind::Pawn,
    ];

    /// The capital letter of the kind.
    pub fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Queen => 'Q',
            Kind::Bishop => 'B',
            Kind::Guard => 'G',
            Kind::Minister => 'M',
            Kind::Rook => 'R',
            Kind::Knight => 'N',
            Kind::Cannon => 'C',
            Kind::Pawn => 'P',
        }
    }

    /// The kind of a capital letter.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter)
    }

    /// What the loss of a piece costs in the score form of dark chess (1.3, `hit_points`).
    ///
    /// Reading: the table names only the kinds of dark chess; the two kinds that only Tomb Chess has cost nothing.
    pub fn hit_points(self) -> u32 {
        match self {
            Kind::King => 30,
            Kind::Guard => 10,
            Kind::Minister | Kind::Rook | Kind::Knight | Kind::Cannon => 5,
            Kind::Pawn => 2,
            Kind::Queen | Kind::Bishop => 0,
        }
    }

    /// What a unit still in the game is worth when a deadlock is scored (2, "Deadlock").
    ///
    /// Reading: the table names only the kinds of Tomb Chess; the kinds that only dark chess has are worth nothing.
    pub fn tomb_points(self) -> u32 {
        match self {
            Kind::Pawn => 1,
            Kind::Rook => 2,
            Kind::Knight => 3,
            Kind::Bishop => 4,
            Kind::Queen => 5,
            Kind::King => 6,
            Kind::Guard | Kind::Minister | Kind::Cannon => 0,
        }
    }
}

/// A kind and a colour: what a face of a piece shows, and what the bag of face-down pieces holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Face {
    pub(crate) colour: Colour,
    pub(crate) kind: Kind,
}

impl Face {
    /// Capital for red, small for black.
    pub(crate) fn letter(self) -> char {
        match self.colour {
            Colour::Red => self.kind.letter(),
            Colour::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    pub(crate) fn from_letter(letter: char) -> Option<Face> {
        let kind = Kind::from_letter(letter.to_ascii_uppercase())?;
        let colour = if letter.is_ascii_uppercase() { Colour::Red } else { Colour::Black };
        Some(Face { colour, kind })
    }
}

/// A face-up piece. Two pieces of one kind and colour still differ in `id`: whether the *same* piece is chased again
/// is a question about the piece, not about its face (1.2, `chase_limit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) face: Face,
    pub(crate) id: usize,
}

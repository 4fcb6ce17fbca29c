//! Every option of the two families, and the named profiles.

use super::piece::{Colour, Kind};

/// Dark chess or Tomb Chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Chapter 1: the first flip binds the colours, a seat without a legal action loses.
    DarkChess,
    /// Chapter 2: fixed colours, a forced pass, a deadlock is scored by points.
    TombChess,
}

impl Family {
    /// The kinds of the family in the order in which a position's bag lists them.
    ///
    /// Reading: the order of the letters in a text belongs to the family. It stays the same under the `hongkong`
    /// ranking, whose order of strength differs.
    pub fn kinds(self) -> &'static [Kind] {
        match self {
            Family::DarkChess => TAIWAN,
            Family::TombChess => TOMB,
        }
    }
}

const TAIWAN: &[Kind] = &[Kind::King, Kind::Guard, Kind::Minister, Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Pawn];
const HONGKONG: &[Kind] =
    &[Kind::King, Kind::Rook, Kind::Knight, Kind::Cannon, Kind::Guard, Kind::Minister, Kind::Pawn];
const TOMB: &[Kind] = &[Kind::King, Kind::Queen, Kind::Bishop, Kind::Knight, Kind::Rook, Kind::Pawn];

/// The order of strength (1.1, 1.3 `ranking`, 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranking {
    /// K>G>M>R>N>C>P.
    Taiwan,
    /// K>R>N>C>G>M>P.
    Hongkong,
    /// K>Q>B>N>R>P.
    Tomb,
}

impl Ranking {
    /// The kinds, strongest first.
    pub fn order(self) -> &'static [Kind] {
        match self {
            Ranking::Taiwan => TAIWAN,
            Ranking::Hongkong => HONGKONG,
            Ranking::Tomb => TOMB,
        }
    }
}

/// How a cannon captures (1.1, 1.3 `ranking`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cannon {
    /// Over exactly one screen, any rank, never by a step.
    Jump,
    /// By a step and by rank, like any other piece.
    Step,
}

/// When a repetition is a draw (1.2), in Tomb Chess a deadlock (2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// Never.
    None,
    /// The last 3n quiet plies are one block of n plies played three times.
    Cycle3,
    /// The third occurrence of board and seat to move since the last flip or capture.
    Threefold,
}

/// Whether a capture may be followed by another one of the same piece (1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chain {
    /// One capture a turn.
    None,
    /// 明棋連吃: as many as it can, of face-up pieces.
    Open,
    /// 暗棋連吃: face-down pieces may be attacked too.
    Dark,
}

/// What happens to a piece that attacked a face-down enemy piece it cannot take (1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DarkFail {
    /// It stays where it was.
    Probe,
    /// It is removed.
    Suicide,
}

/// The rules of one game. Every field is public and may be changed beside a profile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    /// Which of the two games.
    pub family: Family,
    /// Rows of the board, named `a`, `b`, ..
    pub rows: usize,
    /// Columns of the board, numbered from 1.
    pub cols: usize,
    /// How many pieces of each kind red and black start with.
    pub counts: [Vec<(Kind, usize)>; 2],
    /// The order of strength.
    pub ranking: Ranking,
    /// How a cannon captures.
    pub cannon: Cannon,
    /// So many plies in a row without a flip or a capture end the game; 0 = off.
    pub quiet_limit: usize,
    /// A quiet ply counts only if nothing is face down (`zhengba`).
    pub quiet_only_when_open: bool,
    /// Which repetition ends the game.
    pub repetition: Repetition,
    /// A repetition ends the game only if nothing is face down (Tomb Chess).
    pub repetition_only_when_open: bool,
    /// Chasing one enemy piece so often in a row is illegal; 0 = off.
    pub chase_limit: usize,
    /// Chains of captures.
    pub chain: Chain,
    /// What an attack on a stronger face-down piece costs.
    pub dark_fail: DarkFail,
    /// 車直衝: a chariot also captures along a clear line at a distance of two or more.
    pub chariot_rush: bool,
    /// A seat loses when the points of its captured pieces reach this; 0 = off.
    pub hit_points: u32,
    /// Tomb Chess: the colour of seat 0, which moves first. Dark chess binds colours by the first flip.
    pub first_colour: Colour,
}

impl Rules {
    /// The rules of a named profile (1.4), or `tombchess` (2); nothing for an unknown name.
    pub fn profile(name: &str) -> Option<Rules> {
        let mut rules = Rules::taiwan();
        match name {
            "taiwan" => {}
            "zhengba" => {
                rules.quiet_limit = 40;
                rules.quiet_only_when_open = true;
                rules.repetition = Repetition::None;
            }
            "gametower" | "gametower-open-chain" | "gametower-dark-chain" => {
                rules.quiet_limit = 50;
                rules.repetition = Repetition::None;
                rules.chase_limit = 10;
                rules.chain = match name {
                    "gametower-open-chain" => Chain::Open,
                    "gametower-dark-chain" => Chain::Dark,
                    _ => Chain::None,
                };
            }
            "hongkong" => {
                rules.ranking = Ranking::Hongkong;
                rules.cannon = Cannon::Step;
            }
            "mainland" | "mainland60" => {
                rules.repetition = Repetition::None;
                rules.chase_limit = 10;
                if name == "mainland60" {
                    rules.hit_points = 60;
                }
            }
            "icga" => {
                rules.quiet_limit = 180;
                rules.repetition = Repetition::Threefold;
            }
            "mini" => return Rules::small(2, 4, "KGCP"),
            "tombchess" => return Some(Rules::tombchess()),
            _ => return None,
        }
        Some(rules)
    }

    /// A small board for study (1.3): both sides have the pieces of `letters`, `taiwan` ranking, `quiet_limit` 40, no
    /// repetition, as `mini`. Nothing for a letter that is no kind of dark chess.
    pub fn small(rows: usize, cols: usize, letters: &str) -> Option<Rules> {
        let mut counts: Vec<(Kind, usize)> = Vec::new();
        for letter in letters.chars() {
            let kind = Kind::from_letter(letter)?;
            if !TAIWAN.contains(&kind) {
                return None;
            }
            match counts.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, count)) => *count += 1,
                None => counts.push((kind, 1)),
            }
        }
        Some(Rules {
            rows,
            cols,
            counts: [counts.clone(), counts],
            quiet_limit: 40,
            repetition: Repetition::None,
            ..Rules::taiwan()
        })
    }

    fn taiwan() -> Rules {
        let counts = vec![
            (Kind::King, 1),
            (Kind::Guard, 2),
            (Kind::Minister, 2),
            (Kind::Rook, 2),
            (Kind::Knight, 2),
            (Kind::Cannon, 2),
            (Kind::Pawn, 5),
        ];
        Rules {
            family: Family::DarkChess,
            rows: 4,
            cols: 8,
            counts: [counts.clone(), counts],
            ranking: Ranking::Taiwan,
            cannon: Cannon::Jump,
            quiet_limit: 60,
            quiet_only_when_open: false,
            repetition: Repetition::Cycle3,
            repetition_only_when_open: false,
            chase_limit: 0,
            chain: Chain::None,
            dark_fail: DarkFail::Probe,
            chariot_rush: false,
            hit_points: 0,
            first_colour: Colour::Red,
        }
    }

    fn tombchess() -> Rules {
        let counts = vec![
            (Kind::Pawn, 8),
            (Kind::Rook, 4),
            (Kind::Knight, 2),
            (Kind::Bishop, 2),
            (Kind::Queen, 1),
            (Kind::King, 1),
        ];
        Rules {
            family: Family::TombChess,
            rows: 6,
            cols: 6,
            counts: [counts.clone(), counts],
            ranking: Ranking::Tomb,
            quiet_limit: 40,
            repetition: Repetition::Threefold,
            repetition_only_when_open: true,
            ..Rules::taiwan()
        }
    }

    /// How many pieces of a kind a colour starts with.
    pub(crate) fn count(&self, colour: Colour, kind: Kind) -> usize {
        self.counts[colour.index()].iter().filter(|(known, _)| *known == kind).map(|(_, count)| count).sum()
    }

    /// Whether a game can be set up by these rules: the pieces fill the board (1.3) and both sides have some.
    ///
    /// # Errors
    /// A sentence that names what does not fit.
    pub fn check(&self) -> Result<(), String> {
        let mut pieces = 0;
        for colour in Colour::BOTH {
            let side: usize = self.counts[colour.index()].iter().map(|(_, count)| count).sum();
            if side == 0 {
                return Err(format!("{colour:?} has no pieces"));
            }
            pieces += side;
        }
        if pieces != self.rows * self.cols {
            return Err(format!("{pieces} pieces do not fill {} x {} squares", self.rows, self.cols));
        }
        Ok(())
    }
}

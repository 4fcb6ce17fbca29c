//! A game: whose turn it is, what is legal and what chance can bring.

use super::board::{Board, Cell, Square};
use super::chase::forbidden;
use super::ending::Status;
use super::piece::{Colour, Face};
use super::reach::{attacks, captures};
use super::rules::{Family, Rules};

/// One ply that was played, with the whole board as it stood afterwards.
#[derive(Debug, Clone)]
pub(crate) struct Played {
    pub(crate) seat: usize,
    pub(crate) action: String,
    /// Neither a flip nor a capture.
    pub(crate) quiet: bool,
    /// The enemy pieces it chased.
    pub(crate) chased: Vec<usize>,
    pub(crate) after: Board,
    pub(crate) to_move_after: usize,
}

/// A game in progress or finished. It does not hold the deal: what a flip shows is told to [`Game::play`].
#[derive(Debug, Clone)]
pub struct Game {
    pub(crate) rules: Rules,
    pub(crate) board: Board,
    /// The faces of the face-down pieces, in no order that matters.
    pub(crate) bag: Vec<Face>,
    pub(crate) to_move: usize,
    /// The colour of seat 0, once it is known.
    pub(crate) colour: Option<Colour>,
    /// The square of the piece that is in the middle of a chain of captures.
    pub(crate) chain: Option<Square>,
    pub(crate) quiet: usize,
    /// The number of the ply to be played, from 1.
    pub(crate) ply: usize,
    /// Board and seat to move in front of the first ply of `history`.
    pub(crate) origin: (Board, usize),
    pub(crate) history: Vec<Played>,
    pub(crate) next_id: usize,
    pub(crate) status: Status,
    /// What the seat to move can do, worked out once a ply; nothing in a finished game.
    pub(crate) legal: Vec<String>,
}

impl Game {
    /// A game in which every piece is face down. [`Rules::check`] says whether the rules can be played.
    pub fn new(rules: Rules) -> Game {
        let board = Board::face_down(rules.rows, rules.cols);
        let mut bag = Vec::new();
        for colour in Colour::BOTH {
            for (kind, count) in &rules.counts[colour.index()] {
                for _ in 0..*count {
                    let kind = *kind;
                    bag.push(Face { colour, kind });
                }
            }
        }
        let colour = match rules.family {
            Family::DarkChess => None,
            Family::TombChess => Some(rules.first_colour),
        };
        let mut game = Game {
            origin: (board.clone(), 0),
            rules,
            board,
            bag,
            to_move: 0,
            colour,
            chain: None,
            quiet: 0,
            ply: 1,
            history: Vec::new(),
            next_id: 0,
            status: Status::Ongoing,
            legal: Vec::new(),
        };
        game.legal = game.actions();
        game
    }

    /// The seat to move. In a finished game the seat that would be to move.
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// Whether the game goes on, and if not, how it ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// The colour of a seat, once it is bound.
    pub(crate) fn colour_of(&self, seat: usize) -> Option<Colour> {
        let colour = self.colour?;
        if seat == 0 { Some(colour) } else { Some(colour.other()) }
    }

    /// How many face-down pieces have this face.
    pub(crate) fn in_bag(&self, face: Face) -> usize {
        self.bag.iter().filter(|known| **known == face).count()
    }

    /// The names of the legal actions, sorted as text; none in a finished game.
    ///
    /// A forced pass of Tomb Chess is not among them: nobody chooses it, [`Game::play`] carries it out.
    pub fn legal(&self) -> Vec<String> {
        self.legal.clone()
    }

    /// What the seat to move can do, whether or not the game is over.
    pub(crate) fn actions(&self) -> Vec<String> {
        let mut names = Vec::new();
        if let Some(square) = self.chain {
            // Inside a chain: another capture by the same piece, or `stop` (1.3). No flip, no quiet step.
            self.add_captures(square, &mut names);
            names.push("stop".to_string());
            names.sort();
            return names;
        }
        for square in self.board.face_down_squares() {
            names.push(square.name());
        }
        if let Some(colour) = self.colour_of(self.to_move) {
            for from in self.board.pieces_of(colour) {
                for to in self.board.neighbours(from) {
                    if self.board.at(to) == Cell::Empty && !forbidden(self, from, to) {
                        names.push(format!("{}-{}", from.name(), to.name()));
                    }
                }
                self.add_captures(from, &mut names);
            }
        }
        names.sort();
        names
    }

    fn add_captures(&self, from: Square, names: &mut Vec<String>) {
        for (to, _) in captures(&self.rules, &self.board, from) {
            names.push(format!("{}-{}", from.name(), to.name()));
        }
        for to in attacks(&self.rules, &self.board, from) {
            names.push(format!("{}-{}", from.name(), to.name()));
        }
    }

    /// Whether a legal action turns a face-down piece up: a flip, or an attack on a face-down piece.
    pub fn needs_outcome(&self, action: &str) -> bool {
        !self.outcomes(action).is_empty()
    }

    /// The letters that a legal action may turn up, each with how many of the face-down pieces carry it, in the order
    /// of the bag in a position; empty for an action without chance and for one that is not legal.
    pub fn outcomes(&self, action: &str) -> Vec<(char, u32)> {
        if self.legal.iter().any(|legal| legal == action) { self.outcomes_of_legal(action) } else { Vec::new() }
    }

    pub(crate) fn outcomes_of_legal(&self, action: &str) -> Vec<(char, u32)> {
        let mut found = Vec::new();
        let shown = match action.split_once('-') {
            Some((_, to)) => to,
            None => action,
        };
        let Some(square) = Square::from_name(shown) else {
            return found;
        };
        if self.board.at(square) != Cell::FaceDown {
            return found;
        }
        for colour in Colour::BOTH {
            for kind in self.rules.family.kinds() {
                let kind = *kind;
                let face = Face { colour, kind };
                let count = self.in_bag(face);
                if count > 0 {
                    found.push((face.letter(), count as u32));
                }
            }
        }
        found
    }
}

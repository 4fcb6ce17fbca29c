//! What a written ply means on a board: where its piece comes from, found by the rules.

use super::Reader;
use super::lex::{Sign, Written};
use crate::darkchess::{Cell, Move, Piece, Position};
use crate::game::{Action, Actions, Game as _};

/// What a written ply means.
pub(super) enum Meaning {
    /// Just this.
    Clear(Action),
    /// This, though it is written otherwise; what is wrong.
    Mended(Action, String),
    /// Any of these; what is wrong besides.
    Several(Vec<Action>, Option<String>),
    /// The ply of the same seat before it, written again.
    Twice,
    /// Nothing; why.
    None(String),
}

/// A legal step or jump.
#[derive(Clone, Copy)]
struct Step {
    action: Action,
    from: u8,
    to: u8,
    victim: Option<Piece>,
}

impl Reader<'_> {
    pub(super) fn meaning(&self, position: &Position) -> Meaning {
        let ply = self.ply();
        let face_down = |square| position.cell(square) == Cell::FaceDown;
        if !position.status().is_ongoing() {
            return Meaning::None("the game is over".into());
        }
        if ply.flip || ply.sign.is_none() && ply.square.is_some_and(face_down) {
            self.flip(position)
        } else {
            self.step(position)
        }
    }

    fn name(&self, square: u8) -> String {
        self.game.action_name(square.into())
    }

    fn flip(&self, position: &Position) -> Meaning {
        let ply = self.ply();
        if position.unseen(ply.piece) == 0 {
            return Meaning::None(format!("no {} is left face down", ply.piece.character()));
        }
        match ply.square {
            Some(square) if position.cell(square) != Cell::FaceDown => {
                Meaning::None(format!("{} is not face down", self.name(square)))
            }
            Some(square) if ply.flip => Meaning::Clear(square.into()),
            Some(square) => {
                let wrong = format!("lacks its ○: {} is face down, so it is a flip", self.name(square));
                Meaning::Mended(square.into(), wrong)
            }
            None => {
                let fits = self.unnamed(position);
                match fits[..] {
                    [square] => {
                        let wrong = format!("it has no square; only {} is left for it", self.name(square));
                        Meaning::Mended(square.into(), wrong)
                    }
                    _ => Meaning::None(format!("it has no square, and {} squares are left for it", fits.len())),
                }
            }
        }
    }

    /// The face-down squares on which no ply of the text turns a piece up.
    fn unnamed(&self, position: &Position) -> Vec<u8> {
        let flips = self.written.iter().filter(|ply| ply.flip || ply.sign.is_none());
        let named = flips.filter_map(|ply| ply.square).fold(0u32, |named, square| named | 1 << square);
        (0..32).filter(|&square| named & 1 << square == 0 && position.cell(square) == Cell::FaceDown).collect()
    }

    fn step(&self, position: &Position) -> Meaning {
        let ply = self.ply();
        let mut legal = Actions::new();
        self.game.legal(position, &mut legal);
        let steps: Vec<Step> = legal.iter().filter_map(|&action| self.step_of(position, action, ply.piece)).collect();
        let does = |step: &Step| self.does(ply, step);
        let find = |fits: &dyn Fn(&Step) -> bool| -> Vec<Action> {
            steps.iter().filter(|step| fits(step)).map(|step| step.action).collect()
        };
        let first = |actions: &[Action]| steps.iter().find(|step| actions.first() == Some(&step.action));
        // What lacks when a ply is written without a sign, by what it does.
        let lacks = |actions: &[Action]| match (ply.sign, first(actions)) {
            (None, Some(Step { victim: Some(_), .. })) => Some("it lacks its x"),
            (None, _) => Some("it lacks its dash"),
            (Some(_), _) => None,
        };
        let meaning = |actions: Vec<Action>, wrong: Option<String>| {
            let lacks = lacks(&actions).map(String::from);
            let wrong = lacks.into_iter().chain(wrong).reduce(|a, b| format!("{a}, and {b}"));
            match (&actions[..], wrong) {
                ([], _) => None,
                (&[action], None) => Some(Meaning::Clear(action)),
                (&[action], Some(wrong)) => Some(Meaning::Mended(action, wrong)),
                (_, wrong) => Some(Meaning::Several(actions, wrong)),
            }
        };
        let Some(square) = ply.square else {
            let wrong = "it does not tell the square".to_string();
            return meaning(find(&does), Some(wrong)).unwrap_or_else(|| self.nothing(position, &steps));
        };
        let stands = || {
            // The writer named where the piece stands, not where it goes.
            let here = find(&|step| step.from == square && does(step));
            let to = first(&here).map(|step| self.name(step.to)).unwrap_or_default();
            meaning(here, Some(format!("{} is where it stands; it must end on {to}", self.name(square))))
        };
        let otherwise = || {
            let to = find(&|step| step.to == square);
            let does = match first(&to).and_then(|step| step.victim) {
                Some(victim) => format!("it captures {} on {}", victim.character(), self.name(square)),
                None => format!("nothing stands on {} to be captured", self.name(square)),
            };
            meaning(to, Some(does))
        };
        meaning(find(&|step| step.to == square && does(step)), None)
            .or_else(stands)
            .or_else(otherwise)
            .or_else(|| self.is_repeated().then_some(Meaning::Twice))
            .unwrap_or_else(|| self.nothing(position, &steps))
    }

    /// A legal step of a piece.
    fn step_of(&self, position: &Position, action: Action, piece: Piece) -> Option<Step> {
        let Move::Step(from, to) = self.game.what(action) else { return None };
        let victim = match position.cell(to) {
            Cell::Up(victim) => Some(victim),
            Cell::Empty => None,
            // The notation has no word for an attack on a face-down piece.
            Cell::FaceDown => return None,
        };
        (position.cell(from) == Cell::Up(piece)).then_some(Step { action, from, to, victim })
    }

    /// Whether a step does what the sign and the victim of a ply say.
    fn does(&self, ply: &Written, step: &Step) -> bool {
        let far = step.from.abs_diff(step.to) != 8 && (step.from.abs_diff(step.to) != 1);
        let victim = step.victim.is_some() && ply.victim.is_none_or(|victim| step.victim == Some(victim));
        match ply.sign {
            Some(Sign::Step) => step.victim.is_none(),
            Some(Sign::Take) => victim,
            Some(Sign::Jump) => victim && far,
            None => true,
        }
    }

    /// Whether the same seat's ply before this one is written in the same way.
    fn is_repeated(&self) -> bool {
        let before = self.at.checked_sub(2).map(|at| &self.written[at]);
        before.is_some_and(|before| before.text == self.ply().text)
    }

    fn nothing(&self, position: &Position, steps: &[Step]) -> Meaning {
        let ply = self.ply();
        let colour = position.colour_of(position.to_move());
        let why = if colour != Some(ply.piece.colour()) {
            format!("it is the turn of the other side, seat {}", position.to_move())
        } else if steps.is_empty() {
            format!("no {} that is face up can move", ply.piece.character())
        } else {
            let names: Vec<String> = steps.iter().take(8).map(|step| self.game.action_name(step.action)).collect();
            format!("no {} can do that; it could {}", ply.piece.character(), names.join(" "))
        };
        Meaning::None(why)
    }
}

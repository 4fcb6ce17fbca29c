//! One game of any family behind one interface, for the command line and Python.
//!
//! Inside the families everything is static; only here, at the outer edge, calls are dispatched at run time.

use serde::{Deserialize, Serialize};

use crate::darkchess::{DarkChess, rules};
use crate::draw::Diagram;
use crate::game::{Action, Actions, Game, Seat, Spec, Status};
use crate::record::Record;
use crate::rng::Rng;
use crate::vector::{VecGame, describe_illegal};
use crate::{Error, record};

/// A family as `anqi games` lists it.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Name, description and source of each profile, the default first.
    pub profiles: Vec<(&'static str, &'static str, &'static str)>,
    /// Name, default, description and source of each option.
    pub options: Vec<(&'static str, String, &'static str, &'static str)>,
}

/// Every family.
pub fn families() -> Vec<Family> {
    let family = |family: rules::Family, about| Family {
        name: family.name(),
        about,
        profiles: family.profiles().map(|p| (p.name, p.about, p.source)).collect(),
        options: family.options().map(|o| (o.name, (o.get)(&family.default_rules()), o.about, o.source)).collect(),
    };
    vec![
        family(rules::Family::DarkChess, "dark chess 暗棋 (banqi): flip, step, capture; pieces lie face down"),
        family(rules::Family::TombChess, "Tomb Chess 幽靈戰棋: dark chess on 6x6 with fixed colours and no cannon"),
    ]
}

/// A game's rules, of any family.
#[derive(Clone)]
pub enum AnyRules {
    /// Dark chess and Tomb Chess, one engine.
    DarkChess(DarkChess),
}

/// Calls a generic function with the family's own type.
#[macro_export]
macro_rules! with_family {
    ($rules:expr, $game:ident => $body:expr) => {
        match $rules {
            $crate::any::AnyRules::DarkChess($game) => $body,
        }
    };
}

impl AnyRules {
    /// Reads a name with profile and options, such as `darkchess`, `darkchess:icga` or
    /// `darkchess:taiwan,quiet_limit=50`.
    ///
    /// # Errors
    /// An unknown family, profile or option (the known ones are listed), or an unusable value.
    pub fn parse(name: &str) -> Result<AnyRules, Error> {
        let (family, rules) = name.split_once(':').unwrap_or((name, ""));
        let known = rules::Family::ALL.into_iter().find(|known| known.name() == family.trim());
        let known = known.ok_or_else(|| Error::UnknownGame {
            name: family.into(),
            known: rules::Family::ALL.map(rules::Family::name).join(", "),
        })?;
        Ok(AnyRules::DarkChess(DarkChess::new(rules::Rules::parse_of(known, rules)?)?))
    }

    /// Sizes and names.
    pub fn spec(&self) -> &Spec {
        with_family!(self, game => game.spec())
    }

    /// A new game dealt from a seed.
    pub fn start(&self, seed: u64) -> Box<dyn AnyGame> {
        with_family!(self, game => Box::new(Running::new(game.clone(), seed)))
    }

    /// `num_games` games dealt from a seed; see [`VecGame::new`].
    ///
    /// # Errors
    /// As [`VecGame::new`].
    pub fn start_many(&self, num_games: usize, seed: u64, threads: usize) -> Result<AnyVecGame, Error> {
        Ok(match self {
            AnyRules::DarkChess(game) => AnyVecGame::DarkChess(VecGame::new(game.clone(), num_games, seed, threads)?),
        })
    }

    /// A game that goes on from a position; its hidden pieces are drawn from a seed.
    ///
    /// # Errors
    /// A position that cannot be read or cannot occur.
    pub fn start_from(&self, position: &str, seed: u64) -> Result<Box<dyn AnyGame>, Error> {
        Ok(with_family!(self, game => Box::new(Running::from_position(game.clone(), position, seed)?)))
    }
}

/// Many games of any family.
pub enum AnyVecGame {
    /// Dark chess.
    DarkChess(VecGame<DarkChess>),
}

/// Calls a generic function with the vector's own type.
#[macro_export]
macro_rules! with_vec_family {
    ($games:expr, $vector:ident => $body:expr) => {
        match $games {
            $crate::any::AnyVecGame::DarkChess($vector) => $body,
        }
    };
}

impl AnyVecGame {
    /// Cuts games off after so many plies; see [`VecGame::with_ply_limit`].
    pub fn with_ply_limit(self, plies: u32) -> AnyVecGame {
        match self {
            AnyVecGame::DarkChess(games) => AnyVecGame::DarkChess(games.with_ply_limit(plies)),
        }
    }

    /// An independent copy of one row's game, hidden pieces included. `seed` feeds the draws that
    /// [`AnyGame::step_with`] makes.
    pub fn copy_row(&self, row: usize, seed: u64) -> Box<dyn AnyGame> {
        with_vec_family!(self, games => Box::new(Running::from_state(games.game().clone(), *games.state(row), seed)))
    }

    /// The public position of one row's game as text.
    pub fn position(&self, row: usize) -> String {
        with_vec_family!(self, games => {
            let (game, state) = (games.game(), games.state(row));
            game.view_text(game.view(state, game.to_move(state)))
        })
    }
}

/// A saved game: everything a later [`SavedGame::load`] needs to go on with the same hidden pieces and draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGame {
    rules: String,
    seed: u64,
    start: Option<String>,
    /// Each ply's action and what chance added.
    plies: Vec<(String, Option<String>)>,
    state: String,
    rng: Rng,
}

impl SavedGame {
    /// Goes on from what [`AnyGame::save`] gave.
    ///
    /// # Errors
    /// Rules or a state that cannot be read.
    pub fn load(&self) -> Result<Box<dyn AnyGame>, Error> {
        let rules = AnyRules::parse(&self.rules)?;
        let plies =
            self.plies.iter().map(|(action, outcome)| record::Ply { action: action.clone(), outcome: outcome.clone() });
        Ok(with_family!(rules, game => {
            let state = game.parse_state(&self.state)?;
            let (start, plies, rng) = (self.start.clone(), plies.collect(), self.rng.clone());
            Box::new(Running { game, state, seed: self.seed, start, plies, rng })
        }))
    }
}

/// One running game of any family.
pub trait AnyGame: Send + Sync {
    /// Sizes and names.
    fn spec(&self) -> &Spec;
    /// The seat to move.
    fn to_move(&self) -> Seat;
    /// Whether it goes on.
    fn status(&self) -> Status;
    /// Plies played.
    fn plies(&self) -> u32;
    /// The legal actions in ascending order.
    fn legal_actions(&self) -> Vec<Action>;
    /// Writes 1 for legal actions.
    fn mask(&self, out: &mut [i8]);
    /// Writes what a seat sees.
    fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32]);
    /// Plays an action; a flip shows the piece that was dealt.
    ///
    /// # Errors
    /// An illegal action, named with the legal ones; the game is as it was.
    fn step(&mut self, action: i32) -> Result<(), Error>;
    /// Names and probabilities of what an action may show; empty where nothing is left to chance.
    ///
    /// # Errors
    /// An illegal action.
    fn chance_outcomes(&self, action: i32) -> Result<Vec<(String, f64)>, Error>;
    /// Plays an action with the outcome given; the pieces still hidden are drawn anew among those that fit.
    ///
    /// # Errors
    /// An illegal action, an outcome it cannot have, or one missing.
    fn step_with(&mut self, action: i32, outcome: &str) -> Result<(), Error>;
    /// An action's name.
    fn action_name(&self, action: Action) -> String;
    /// The action of a name.
    ///
    /// # Errors
    /// When there is none; legality is not asked.
    fn action_id(&self, name: &str) -> Result<Action, Error>;
    /// The public position as text.
    fn position(&self) -> String;
    /// A drawing for a terminal.
    fn text(&self) -> String;
    /// The board as a seat sees it, ready to be drawn in any form.
    fn diagram(&self, seat: Seat) -> Diagram;
    /// The game so far as a record.
    fn record(&self) -> Record;
    /// Everything [`SavedGame::load`] needs to go on with the same hidden pieces and draws.
    fn save(&self) -> SavedGame;
    /// The seed it was dealt from.
    fn seed(&self) -> u64;
    /// The [`Running`] game behind the interface, for code that is generic over families, such as agents.
    fn as_any(&self) -> &dyn std::any::Any;
    /// An independent copy, hidden pieces included.
    fn copy(&self) -> Box<dyn AnyGame>;
}

/// One game with what a record of it needs.
#[derive(Clone)]
pub struct Running<G: Game> {
    game: G,
    state: G::State,
    seed: u64,
    /// Where it started, when not at the game's start.
    start: Option<String>,
    plies: Vec<record::Ply>,
    rng: Rng,
}

impl<G: Game> Running<G> {
    /// A new game dealt from a seed.
    pub fn new(game: G, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let state = game.deal(&mut rng);
        Running { game, state, seed, start: None, plies: Vec::new(), rng }
    }

    /// A game that goes on from a position, hidden pieces drawn from a seed.
    ///
    /// # Errors
    /// A position that cannot be read or cannot occur.
    pub fn from_position(game: G, position: &str, seed: u64) -> Result<Self, Error> {
        let view = game.parse_view(position)?;
        let mut rng = Rng::new(seed);
        let state = game.deal_from(&view, &mut rng);
        Ok(Running { start: Some(game.view_text(&view)), game, state, seed, plies: Vec::new(), rng })
    }

    /// A game that goes on from a whole state, as an environment owns one.
    pub fn from_state(game: G, state: G::State, seed: u64) -> Self {
        let start = game.view_text(game.view(&state, game.to_move(&state)));
        Running { game, state, seed, start: Some(start), plies: Vec::new(), rng: Rng::new(seed) }
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// What the seat to move may know.
    pub fn view(&self) -> &G::View {
        self.game.view(&self.state, self.game.to_move(&self.state))
    }

    fn legal(&self, action: i32) -> Result<Action, Error> {
        Action::try_from(action)
            .ok()
            .filter(|&number| self.game.is_legal(self.view(), number))
            .ok_or_else(|| Error::Action(describe_illegal(&self.game, &self.state, action)))
    }
}

impl<G: Game> AnyGame for Running<G> {
    fn spec(&self) -> &Spec {
        self.game.spec()
    }

    fn to_move(&self) -> Seat {
        self.game.to_move(&self.state)
    }

    fn status(&self) -> Status {
        self.game.status(&self.state)
    }

    fn plies(&self) -> u32 {
        self.game.plies(&self.state)
    }

    fn legal_actions(&self) -> Vec<Action> {
        let mut legal = Actions::new();
        self.game.legal(self.view(), &mut legal);
        legal.to_vec()
    }

    fn mask(&self, out: &mut [i8]) {
        self.game.mask(self.view(), out);
    }

    fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        self.game.observe(self.game.view(&self.state, seat), seat, planes, scalars);
    }

    fn step(&mut self, action: i32) -> Result<(), Error> {
        let action = self.legal(action)?;
        let shown = self.game.play(&mut self.state, action);
        let outcome = shown.map(|shown| self.game.outcome_name(shown));
        self.plies.push(record::Ply { action: self.game.action_name(action), outcome });
        Ok(())
    }

    fn chance_outcomes(&self, action: i32) -> Result<Vec<(String, f64)>, Error> {
        let outcomes = self.game.chance_outcomes(self.view(), self.legal(action)?);
        Ok(outcomes.into_iter().map(|(outcome, p)| (self.game.outcome_name(outcome), p)).collect())
    }

    fn step_with(&mut self, action: i32, outcome: &str) -> Result<(), Error> {
        let action = self.legal(action)?;
        let name = self.game.action_name(action);
        let possible = self.game.chance_outcomes(self.view(), action);
        let shown = if possible.is_empty() {
            if !outcome.is_empty() {
                return Err(Error::Outcome(format!(
                    "{name}: nothing is left to chance, but the outcome '{outcome}' is given"
                )));
            }
            None
        } else {
            let shown = self.game.outcome_id(outcome)?;
            if !possible.iter().any(|&(piece, _)| piece == shown) {
                let names: Vec<String> = possible.iter().map(|&(piece, _)| self.game.outcome_name(piece)).collect();
                return Err(Error::Outcome(format!(
                    "{name}: it cannot show '{outcome}'; possible are {}",
                    names.join(" ")
                )));
            }
            Some(shown)
        };
        let mut view = self.view().clone();
        self.game.play_with(&mut view, action, shown);
        self.state = self.game.deal_from(&view, &mut self.rng);
        self.plies.push(record::Ply { action: name, outcome: shown.map(|_| outcome.into()) });
        Ok(())
    }

    fn action_name(&self, action: Action) -> String {
        self.game.action_name(action)
    }

    fn action_id(&self, name: &str) -> Result<Action, Error> {
        self.game.action_id(name)
    }

    fn position(&self) -> String {
        self.game.view_text(self.view())
    }

    fn text(&self) -> String {
        self.game.draw_text(self.view())
    }

    fn diagram(&self, seat: Seat) -> Diagram {
        self.game.diagram(self.game.view(&self.state, seat))
    }

    fn record(&self) -> Record {
        Record::of(self.game.spec(), self.seed, self.start.clone(), self.plies.clone(), self.status())
    }

    fn save(&self) -> SavedGame {
        SavedGame {
            rules: self.game.spec().name.clone(),
            seed: self.seed,
            start: self.start.clone(),
            plies: self.plies.iter().map(|ply| (ply.action.clone(), ply.outcome.clone())).collect(),
            state: self.game.state_text(&self.state),
            rng: self.rng.clone(),
        }
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn as_any(&self) -> &dyn std::any::Any {
        self
    }

    fn copy(&self) -> Box<dyn AnyGame> {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A saved game goes on with the pieces still face down and the same later draws.
    #[test]
    fn a_saved_game_goes_on() {
        let rules = AnyRules::parse("darkchess:mini").unwrap();
        for seed in 0..20 {
            let mut game = rules.start(seed);
            let mut again = game.save().load().unwrap();
            for ply in 0.. {
                assert_eq!((again.position(), again.save()), (game.position(), game.save()), "{}", game.text());
                let Some(&action) = game.legal_actions().get(ply % 2).or(game.legal_actions().first()) else { break };
                let outcomes = game.chance_outcomes(action.into()).unwrap();
                let first = outcomes.first().map_or("", |(name, _)| name);
                for game in [&mut game, &mut again] {
                    match ply % 3 {
                        1 => game.step_with(action.into(), first).unwrap(),
                        _ => game.step(action.into()).unwrap(),
                    }
                }
                again = again.save().load().unwrap();
            }
        }
    }

    #[test]
    fn a_row_of_many_games_is_copied_with_its_deal() {
        let rules = AnyRules::parse("darkchess").unwrap();
        let AnyVecGame::DarkChess(mut games) = rules.start_many(3, 5, 1).unwrap();
        let mut actions = [0; 3];
        games.sample_actions(&mut actions).unwrap();
        let mut copy = AnyVecGame::DarkChess(games).copy_row(1, 5);
        let AnyVecGame::DarkChess(mut games) = rules.start_many(3, 5, 1).unwrap();
        games.step(&actions, crate::vector::BatchMut::default()).unwrap();
        copy.step(actions[1]).unwrap();
        assert_eq!(copy.position(), AnyVecGame::DarkChess(games).position(1));
    }
}

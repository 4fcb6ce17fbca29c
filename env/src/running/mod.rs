//! One game as it is played: the rules' own course, and what people add to it: offers of a draw, resignation, time.

mod any_game;
mod saved;
#[cfg(test)]
mod tests;

pub use any_game::AnyGame;
pub use saved::SavedGame;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::draw::Diagram;
pub use crate::game::Forfeit;
use crate::game::{Action, Actions, Belief, Game, Reason, Seat, Spec, Status};
use crate::record::{Ply, Record};
use crate::rng::Rng;
use crate::vector::describe_illegal;

/// One game with what a record of it needs.
#[derive(Clone)]
pub struct Running<G: Game> {
    game: G,
    state: G::State,
    seed: u64,
    /// Where it started, when not at the game's start.
    start: Option<String>,
    /// The seat that moved first.
    first: Seat,
    /// Whether the seats had set up their pieces at the start.
    laid: bool,
    plies: Vec<Ply>,
    /// By ply, the seats that were shown everything about it, one bit each.
    witnesses: Vec<u8>,
    rng: Rng,
    course: Course,
}

/// What people did beside the plies.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Course {
    /// The seat that played the last ply.
    moved: Option<Seat>,
    /// The seat that offered the last draw.
    offered: Option<Seat>,
    /// The seats that accepted the offer that stands.
    accepted: Vec<Seat>,
    /// How the game ended otherwise than by its rules.
    end: Option<Forfeited>,
}

/// An end that the rules of the game did not bring about.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Forfeited {
    Resigned(Seat),
    OutOfTime(Seat),
    Agreed,
}

impl Course {
    fn status(&self) -> Option<Status> {
        Some(match self.end? {
            Forfeited::Resigned(seat) => Status::Win(seat ^ 1, Reason::Resignation),
            Forfeited::OutOfTime(seat) => Status::Win(seat ^ 1, Reason::Time),
            Forfeited::Agreed => Status::Draw(Reason::Agreement),
        })
    }
}

impl<G: Game> Running<G> {
    /// A new game dealt from a seed.
    pub fn new(game: G, seed: u64) -> Self {
        let mut rng = Rng::new(seed);
        let state = game.deal(&mut rng);
        Running::begin(game, state, None, seed, rng)
    }

    /// A game that goes on from a position, hidden pieces drawn from a seed.
    ///
    /// # Errors
    /// A position that cannot be read or cannot occur.
    pub fn from_position(game: G, position: &str, seed: u64) -> Result<Self, Error> {
        let view = game.parse_view(position)?;
        let mut rng = Rng::new(seed);
        let state = game.deal_from(&view, &mut rng);
        let start = Some(game.view_text(&view));
        Ok(Running::begin(game, state, start, seed, rng))
    }

    /// A game from every seat's layout, new or from a position.
    ///
    /// # Errors
    /// As [`Game::deal_layouts`], and a position that cannot be read.
    pub fn from_layouts(
        game: G,
        layouts: &[&str],
        first: Seat,
        position: Option<&str>,
        seed: u64,
    ) -> Result<Self, Error> {
        let view = position.map(|text| game.parse_view(text)).transpose()?;
        let state = game.deal_layouts(layouts, first, view.as_ref())?;
        let start = view.map(|view| game.view_text(&view));
        Ok(Running::begin(game, state, start, seed, Rng::new(seed)))
    }

    /// A game that goes on from a whole state, as an environment owns one.
    pub fn from_state(game: G, state: G::State, seed: u64) -> Self {
        let start = game.view_text(game.view(&state, game.to_move(&state)));
        Running::begin(game, state, Some(start), seed, Rng::new(seed))
    }

    fn begin(game: G, state: G::State, start: Option<String>, seed: u64, rng: Rng) -> Self {
        let (first, laid) = (game.to_move(&state), !game.layouts(&state).is_empty());
        let (plies, witnesses, course) = (Vec::new(), Vec::new(), Course::default());
        Running { game, state, seed, start, first, laid, plies, witnesses, rng, course }
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
        if self.course.end.is_some() {
            return Err(self.over());
        }
        Action::try_from(action)
            .ok()
            .filter(|&number| self.game.is_legal(self.view(), number))
            .ok_or_else(|| Error::Action(describe_illegal(&self.game, &self.state, action)))
    }

    /// The fault of going on with a game that has ended.
    fn over(&self) -> Error {
        let reason = match self.status() {
            Status::Win(_, reason) | Status::Draw(reason) => reason.name(),
            Status::Ongoing => "unfinished",
        };
        Error::Action(format!("the game is over ({reason})"))
    }

    fn ongoing(&self) -> Result<(), Error> {
        if self.status().is_ongoing() { Ok(()) } else { Err(self.over()) }
    }

    fn push(&mut self, seat: Seat, action: String, outcome: Option<String>, witnesses: u8) {
        let ply = Ply { action, outcome, offer: false };
        if !ply.is_aside() {
            self.course.moved = Some(seat);
        }
        self.write(ply, witnesses);
    }

    fn write(&mut self, ply: Ply, witnesses: u8) {
        if !ply.is_aside() {
            self.course.accepted.clear();
        }
        self.plies.push(ply);
        self.witnesses.push(witnesses);
    }

    /// The plies as a seat saw them, from the last one back.
    fn plies_seen_by(&self, seat: Seat) -> impl Iterator<Item = Ply> + use<'_, G> {
        let seen = move |(ply, witnesses): (&Ply, &u8)| {
            if witnesses >> seat & 1 == 1 {
                return Some(ply.clone());
            }
            let (action, outcome) = self.game.blurred(&ply.action, ply.outcome.as_deref())?;
            Some(Ply { action, outcome, offer: ply.offer })
        };
        self.plies.iter().zip(&self.witnesses).rev().filter_map(seen)
    }

    /// The last ply, or what a seat did that gave up after it.
    fn last(&self) -> Option<&Ply> {
        self.plies.iter().rfind(|ply| !ply.is_aside())
    }

    /// The position it started from, as a seat saw it.
    fn start_seen_by(&self, seat: Seat) -> Option<String> {
        self.start.as_ref().map(|start| self.game.seen_by(start, &self.state, seat))
    }

    /// The headers of a record that tell how the game was set up.
    fn setup(&self) -> Vec<(String, String)> {
        let mut headers = Vec::new();
        if self.laid {
            let layouts = self.game.layouts(&self.state);
            headers.extend(layouts.into_iter().enumerate().map(|(seat, text)| (format!("Layout{seat}"), text)));
            if self.first > 0 && self.start.is_none() {
                headers.push(("First".into(), self.first.to_string()));
            }
        }
        headers
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
        self.course.status().unwrap_or_else(|| self.game.status(&self.state))
    }

    fn plies(&self) -> u32 {
        self.game.plies(&self.state)
    }

    fn legal_actions(&self) -> Vec<Action> {
        let mut legal = Actions::new();
        if self.course.end.is_some() {
            return Vec::new();
        }
        self.game.legal(self.view(), &mut legal);
        legal.to_vec()
    }

    fn mask(&self, out: &mut [i8]) {
        match self.course.end {
            None => self.game.mask(self.view(), out),
            Some(_) => out.fill(0),
        }
    }

    fn observe(&self, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        self.game.observe(self.game.view(&self.state, seat), seat, planes, scalars);
    }

    fn step(&mut self, action: i32) -> Result<(), Error> {
        let action = self.legal(action)?;
        let (seat, witnesses) = (self.to_move(), self.game.witnesses(&self.state, action));
        let shown = self.game.play(&mut self.state, action);
        let outcome = shown.map(|shown| self.game.outcome_name(shown));
        self.push(seat, self.game.action_name(action), outcome, witnesses);
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
        let (seat, witnesses) = (self.to_move(), self.game.witnesses(&self.state, action));
        let mut view = self.view().clone();
        self.game.play_with(&mut view, action, shown);
        self.state = self.game.deal_from(&view, &mut self.rng);
        self.push(seat, name, shown.map(|_| outcome.into()), witnesses);
        Ok(())
    }

    fn action_name(&self, action: Action) -> String {
        self.game.action_name(action)
    }

    fn action_id(&self, name: &str) -> Result<Action, Error> {
        self.game.action_id(name)
    }

    fn is_out(&self, seat: Seat) -> bool {
        self.game.is_out(&self.state, seat)
    }

    fn offer_draw(&mut self) -> Result<(), Error> {
        self.ongoing()?;
        let fault = |message: &str| Err(Error::Action(format!("a draw cannot be offered: {message}")));
        let last = self.plies.iter_mut().rfind(|ply| !ply.is_aside());
        match (last, self.course.moved) {
            (Some(_), Some(seat)) if self.course.offered == Some(seat) => {
                fault(&format!("seat {seat} offered the last one, too; the other side must offer first"))
            }
            (Some(ply), Some(seat)) => {
                ply.offer = true;
                self.course.offered = Some(seat);
                Ok(())
            }
            _ => fault("an offer goes with a ply, and none has been played"),
        }
    }

    fn offer(&self) -> Option<Seat> {
        self.course.offered.filter(|_| self.status().is_ongoing() && self.last().is_some_and(|ply| ply.offer))
    }

    fn accept_draw(&mut self, seat: Seat) -> Result<(), Error> {
        self.ongoing()?;
        let Some(offered) = self.offer() else { return Err(Error::Action("no offer of a draw stands".into())) };
        let seats = self.game.spec().num_seats as Seat;
        if seat >= seats || seat == offered || self.is_out(seat) {
            return Err(Error::Action(format!("seat {seat} cannot accept the draw that seat {offered} offered")));
        }
        if !self.course.accepted.contains(&seat) {
            self.course.accepted.push(seat);
        }
        let agrees = |seat| seat == offered || self.course.accepted.contains(&seat) || self.is_out(seat);
        if (0..seats).all(agrees) {
            self.course.end = Some(Forfeited::Agreed);
        }
        Ok(())
    }

    fn forfeit(&mut self, seat: Seat, forfeit: Forfeit) -> Result<(), Error> {
        self.ongoing()?;
        let fault = |message: String| Err(Error::Action(message));
        if let Some(done) = self.game.forfeit(&mut self.state, seat, forfeit) {
            let shown = done?.map(|shown| self.game.outcome_name(shown));
            self.write(Ply { action: forfeit.text(seat), outcome: shown, offer: false }, u8::MAX);
            return Ok(());
        }
        match (self.game.spec().num_seats, forfeit) {
            (2, _) if seat > 1 => fault(format!("seat {seat} does not exist: seats are 0 and 1")),
            (2, Forfeit::Time) if seat != self.to_move() => {
                fault(format!("seat {seat} is not to move: only the seat to move can run out of time"))
            }
            (2, Forfeit::Time) => {
                self.course.end = Some(Forfeited::OutOfTime(seat));
                Ok(())
            }
            (2, Forfeit::Resignation) => {
                self.course.end = Some(Forfeited::Resigned(seat));
                Ok(())
            }
            (seats, _) => fault(format!("a game of {seats} does not end when one seat gives up")),
        }
    }

    fn position(&self) -> String {
        self.game.view_text(self.view())
    }

    fn text(&self) -> String {
        self.game.draw_text(self.view())
    }

    fn text_seen_by(&self, seat: Seat) -> String {
        self.game.draw_text(self.game.view(&self.state, seat))
    }

    fn diagram(&self, seat: Seat) -> Diagram {
        self.game.diagram(self.game.view(&self.state, seat))
    }

    fn record(&self) -> Record {
        let start = self.start_seen_by(self.first);
        let mut record = Record::of(self.game.spec(), self.seed, start, self.plies.clone(), self.status());
        record.set_up(self.setup());
        record
    }

    fn record_seen_by(&self, seat: Seat) -> Record {
        let mut seen: Vec<Ply> = self.plies_seen_by(seat).collect();
        seen.reverse();
        let start = self.start_seen_by(seat);
        let mut record = Record::of(self.game.spec(), 0, start, seen, self.status());
        record.headers.retain(|(key, _)| key != "Seed");
        let known = |(key, _): &(String, String)| {
            let owner = key.strip_prefix("Layout").and_then(|owner| owner.parse().ok());
            owner.is_none_or(|owner| self.game.shows_layout(seat, owner))
        };
        record.set_up(self.setup().into_iter().filter(known).collect());
        record
    }

    fn last_ply_seen_by(&self, seat: Seat) -> Option<Ply> {
        self.plies_seen_by(seat).next()
    }

    fn shown(&self) -> Option<&str> {
        self.plies.last()?.outcome.as_deref()
    }

    fn outcome_text(&self, name: &str) -> Result<String, Error> {
        self.game.outcome_id(name).map(|outcome| self.game.outcome_name(outcome))
    }

    fn save(&self) -> SavedGame {
        SavedGame {
            rules: self.game.spec().name.clone(),
            seed: self.seed,
            start: self.start.clone(),
            first: self.first,
            laid: self.laid,
            plies: self.plies.clone(),
            witnesses: self.witnesses.clone(),
            course: self.course.clone(),
            state: self.game.state_text(&self.state),
            rng: self.rng.clone(),
        }
    }

    fn beliefs(&self, seat: Seat) -> Vec<Belief> {
        self.game.beliefs(self.game.view(&self.state, seat))
    }

    fn setup_chances(&self) -> Vec<(Action, f64)> {
        self.game.setup_chances(self.view())
    }

    fn resample(&self, seat: Seat, seed: u64) -> Box<dyn AnyGame> {
        let state = self.game.deal_from(self.game.view(&self.state, seat), &mut Rng::new(seed));
        let mut other = Running::from_state(self.game.clone(), state, seed);
        other.course = self.course.clone();
        Box::new(other)
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

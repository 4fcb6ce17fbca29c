//! One interface for a running game of any family.

use super::{Forfeit, SavedGame};
use crate::Error;
use crate::draw::Diagram;
use crate::game::{Action, Belief, Seat, Spec, Status};
use crate::record::{Ply, Record};

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
    /// Whether a seat is out while the game goes on without it.
    fn is_out(&self, seat: Seat) -> bool;
    /// Offers a draw in the name of the seat that played the last ply. The offer stands until the next ply.
    ///
    /// # Errors
    /// Before the first ply, after the end, or when the seat offered the last draw, too: then the other side must
    /// offer first.
    fn offer_draw(&mut self) -> Result<(), Error>;
    /// The seat whose offer of a draw stands.
    fn offer(&self) -> Option<Seat>;
    /// Accepts the offer that stands; the game is drawn as soon as every other seat still in it has. A ply declines.
    ///
    /// # Errors
    /// When no offer stands, or it is the seat's own.
    fn accept_draw(&mut self, seat: Seat) -> Result<(), Error>;
    /// A seat resigns, or its time is up: what comes of it is as the rules say; where they say nothing, a game of two
    /// is over.
    ///
    /// # Errors
    /// A seat that there is not or that is out, a game that is over, or a time-out of a seat that is not to move.
    fn forfeit(&mut self, seat: Seat, forfeit: Forfeit) -> Result<(), Error>;
    /// The public position as text.
    fn position(&self) -> String;
    /// A drawing for a terminal, as the seat to move sees it.
    fn text(&self) -> String;
    /// A drawing for a terminal, as a seat sees it.
    fn text_seen_by(&self, seat: Seat) -> String;
    /// The board as a seat sees it, ready to be drawn in any form.
    fn diagram(&self, seat: Seat) -> Diagram;
    /// The game so far as a record, with everything that is hidden: reading it gives the same game.
    fn record(&self) -> Record;
    /// The game so far as a seat could have written it down: without the seed and without what it was not shown. Where
    /// something is hidden, such a record cannot be played through.
    fn record_seen_by(&self, seat: Seat) -> Record;
    /// The last ply, or what a seat did that gave up after it, as a seat saw it; of signals those that it heard.
    fn last_ply_seen_by(&self, seat: Seat) -> Option<Ply>;
    /// What the last ply, or a seat that gave up after it, showed.
    fn shown(&self) -> Option<&str>;
    /// An outcome's name as records have it.
    ///
    /// # Errors
    /// When there is none of that name.
    fn outcome_text(&self, name: &str) -> Result<String, Error>;
    /// Everything [`SavedGame::load`] needs to go on with the same hidden pieces and draws.
    fn save(&self) -> SavedGame;
    /// What a seat leaves open about each piece on the board; see [`Game::beliefs`](crate::game::Game::beliefs).
    fn beliefs(&self, seat: Seat) -> Vec<Belief>;
    /// How likely each action of a set-up is; see [`Game::setup_chances`](crate::game::Game::setup_chances).
    fn setup_chances(&self) -> Vec<(Action, f64)>;
    /// A game that this one might as well be, for all that a seat knows; what is hidden from it is drawn from a seed.
    fn resample(&self, seat: Seat, seed: u64) -> Box<dyn AnyGame>;
    /// The seed it was dealt from.
    fn seed(&self) -> u64;
    /// The [`Running`] game behind the interface, for code that is generic over families, such as agents.
    fn as_any(&self) -> &dyn std::any::Any;
    /// An independent copy, hidden pieces included.
    fn copy(&self) -> Box<dyn AnyGame>;
}

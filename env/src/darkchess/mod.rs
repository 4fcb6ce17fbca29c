//! The dark chess family 暗棋 (banqi): pieces lie face down, and turning one up is chance.
//!
//! One engine for every profile. [`rules`] holds what varies, as data; [`position`] what is public and, apart
//! from it, the hidden deal; `moves` which actions are legal; `play` what they do; [`observe`] what a seat
//! sees; `notation` the text forms. `vary` and `chase` hold what only the variants need.

/// Calls a method compiled for plain dark chess or for every variant, by the rules of the game: plain games are most
/// of what is trained on, and pay nothing for the others.
macro_rules! by_rules {
    ($game:ident.$method:ident($($argument:expr),*)) => {
        if $game.plain { $game.$method::<true>($($argument),*) } else { $game.$method::<false>($($argument),*) }
    };
}

mod board;
mod chase;
mod family;
mod history;
mod lookahead;
mod moves;
mod notation;
pub mod observe;
mod options;
pub mod piece;
mod play;
pub mod position;
mod profiles;
pub mod rules;
mod symmetry;
#[cfg(test)]
mod tests;
mod vary;

use std::sync::Arc;

pub use board::{Move, Square, squares_of};
pub use lookahead::{BARE, HIDDEN, Setup};
pub use piece::{Colour, Kind, Piece};
pub use position::{Cell, Deal, Position};
pub use rules::Rules;

use crate::Error;
use crate::game::{Action, Actions, Belief, Game, Seat, Spec, Status, Symmetry, Wiring};
use crate::rng::Rng;
use board::Board;
use observe::{ENCODING, NUM_PLANES, NUM_SCALARS};
use position::SIDE;

/// Dark chess under one set of rules. Cloning shares the tables.
#[derive(Clone)]
pub struct DarkChess(Arc<Tables>);

/// What is computed once for a set of rules.
pub struct Tables {
    rules: Rules,
    /// No variant is in play: the moves of plain dark chess are all there are.
    plain: bool,
    spec: Spec,
    board: Board,
    symmetries: Vec<Symmetry>,
    plane_codes: [[u8; 2 * SIDE]; 2],
    rule_scalars: [f32; NUM_SCALARS],
    per_initial: [f32; SIDE],
}

impl std::ops::Deref for DarkChess {
    type Target = Tables;

    #[inline]
    fn deref(&self) -> &Tables {
        &self.0
    }
}

/// A whole game: what is public and what is dealt.
#[derive(Clone, Copy)]
pub struct State {
    position: Position,
    deal: Deal,
}

impl State {
    /// The public part.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// Plies after which an environment cuts a game off when no quiet limit ends it.
const PLY_LIMIT_WITHOUT_QUIET_LIMIT: u32 = 2_000;

impl DarkChess {
    /// The family's name.
    pub const NAME: &'static str = "darkchess";

    /// Dark chess under these rules.
    ///
    /// # Errors
    /// Rules that cannot stand together.
    pub fn new(rules: Rules) -> Result<DarkChess, Error> {
        rules.check()?;
        let board = Board::new(&rules);
        let spec = Spec {
            name: format!("{}:{}", rules.family.name(), rules.text()),
            rules_hash: rules.hash(),
            encoding: ENCODING,
            num_seats: 2,
            num_actions: board.moves.len(),
            planes: [NUM_PLANES, board.rows, board.cols],
            plane_unit: 1,
            num_scalars: NUM_SCALARS,
            ply_limit: (rules.quiet_limit == 0 || rules.quiet_revealed).then_some(PLY_LIMIT_WITHOUT_QUIET_LIMIT),
        };
        Ok(DarkChess(Arc::new(Tables {
            plain: DarkChess::is_plain(&rules),
            rules,
            spec,
            plane_codes: DarkChess::codes_of_planes(),
            rule_scalars: DarkChess::scalars_of_rules(&rules),
            per_initial: DarkChess::per_initial(&rules),
            symmetries: symmetry::symmetries(&board),
            board,
        })))
    }

    /// Tomb Chess under a profile and options.
    ///
    /// # Errors
    /// As [`Rules::parse`].
    pub fn parse_tomb(rules: &str) -> Result<DarkChess, Error> {
        DarkChess::new(Rules::parse_of(rules::Family::TombChess, rules)?)
    }

    /// Dark chess under a profile and options, such as `icga` or `taiwan,quiet_limit=50`; see [`Rules::parse`].
    ///
    /// # Errors
    /// As [`Rules::parse`].
    pub fn parse(rules: &str) -> Result<DarkChess, Error> {
        DarkChess::new(Rules::parse(rules)?)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The start of a game, everything face down.
    pub fn start(&self) -> Position {
        Position::start(&self.rules)
    }

    /// What an action does on the board.
    ///
    /// # Panics
    /// When the number is not below the number of actions.
    pub fn what(&self, action: Action) -> Move {
        self.board.moves[usize::from(action)]
    }

    /// The action that led to a position, where it is known.
    pub fn last(&self, position: &Position) -> Option<Action> {
        match position.last {
            (board::NONE, _) => None,
            (from, to) if from == to => Some(from.into()),
            (from, to) => Some(self.board.lines[usize::from(from)][usize::from(to)]),
        }
    }
}

impl Game for DarkChess {
    type View = Position;
    type State = State;
    type Outcome = Piece;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn symmetries(&self, _seat: Seat) -> &[Symmetry] {
        &self.symmetries
    }

    fn wiring(&self) -> Option<Wiring> {
        Some(self.board.wiring())
    }

    fn deal(&self, rng: &mut Rng) -> State {
        self.deal_from(&self.start(), rng)
    }

    fn deal_from(&self, view: &Position, rng: &mut Rng) -> State {
        State { position: *view, deal: Deal::draw(view, rng) }
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, _seat: Seat) -> &'a Position {
        &state.position
    }

    #[inline]
    fn to_move(&self, state: &State) -> Seat {
        state.position.to_move
    }

    #[inline]
    fn status(&self, state: &State) -> Status {
        state.position.status
    }

    fn beliefs(&self, view: &Position) -> Vec<Belief> {
        let left = f64::from(view.face_down());
        let share = |piece: Piece| (self.outcome_name(piece), f64::from(view.unseen(piece)) / left);
        let kinds: Vec<(String, f64)> = Piece::all().map(share).filter(|&(_, p)| p > 0.0).collect();
        let places = board::squares_of(view.all_of(position::FACE_DOWN)).map(|square| self.board.name(square as u8));
        places.map(|place| Belief { place, owner: None, kinds: kinds.clone() }).collect()
    }

    #[inline]
    fn plies(&self, state: &State) -> u32 {
        state.position.plies
    }

    #[inline]
    fn play(&self, state: &mut State, action: Action) -> Option<Piece> {
        by_rules!(self.play_dealt(state, action))
    }

    #[inline]
    fn view_to_move(&self, view: &Position) -> Seat {
        view.to_move
    }

    #[inline]
    fn view_status(&self, view: &Position) -> Status {
        view.status
    }

    fn legal(&self, view: &Position, out: &mut Actions) {
        self.write_legal(view, out);
    }

    #[inline]
    fn is_legal(&self, view: &Position, action: Action) -> bool {
        by_rules!(self.legal_action(view, action))
    }

    #[inline]
    fn sample(&self, view: &Position, rng: &mut Rng) -> Action {
        by_rules!(self.sample_action(view, rng))
    }

    #[inline]
    fn mask(&self, view: &Position, out: &mut [i8]) {
        by_rules!(self.write_mask(view, out));
    }

    #[inline]
    fn observe(&self, view: &Position, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        self.write_observation(view, seat, planes, scalars);
    }

    fn chance_outcomes(&self, view: &Position, action: Action) -> Vec<(Piece, f64)> {
        self.outcomes(view, action)
    }

    #[inline]
    fn play_with(&self, view: &mut Position, action: Action, outcome: Option<Piece>) {
        self.play_ply(view, action, outcome);
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn action_id(&self, name: &str) -> Result<Action, Error> {
        self.parse_action(name)
    }

    fn outcome_name(&self, outcome: Piece) -> String {
        self.rules.family.letter(outcome).into()
    }

    fn outcome_id(&self, name: &str) -> Result<Piece, Error> {
        self.parse_outcome(name)
    }

    fn view_text(&self, view: &Position) -> String {
        self.position_text(view)
    }

    fn parse_view(&self, text: &str) -> Result<Position, Error> {
        self.parse_position(text)
    }

    fn state_text(&self, state: &State) -> String {
        self.deal_text(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, Error> {
        self.parse_deal(text)
    }

    fn diagram(&self, view: &Position) -> crate::draw::Diagram {
        crate::draw::Diagram::Grid(crate::draw::dark_chess(self, view))
    }
}

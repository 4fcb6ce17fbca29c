//! The junqi family 軍棋: two or four seats, ranks that only their owners see.
//!
//! [`rules`] holds what varies, as data; [`graph`] builds the boards; `board` what is computed once for one; [`view`]
//! what is public, what a seat knows, and the whole; `moves` which actions are legal; `play` what they do, `leave` what
//! people do beside them, `signal` what allies say; `belief` and `assignment` what a seat can tell of ranks it was not told, [`marginals`] how
//! likely each is; `deal` and `chance` draw from that; [`observe`] is what a network sees; `notation`, `text` and `read`
//! the text forms.
//!
//! A seat gets a [`View`] and nothing else. It is made from public events and the ranks that the seat was told, so that
//! whatever is computed from it cannot depend on what is hidden.

mod assignment;
mod belief;
mod board;
mod chance;
mod deal;
mod draw;
pub mod graph;
mod layout;
mod leave;
mod library;
pub mod marginals;
mod moves;
mod notation;
pub mod observe;
mod options;
mod paper;
pub mod piece;
mod play;
mod read;
pub mod rules;
pub mod signal;
mod symmetry;
#[cfg(test)]
mod tests;
mod text;
pub mod view;

use std::ops::Range;
use std::sync::Arc;

pub use layout::Layout;
pub use piece::Kind;
pub use rules::{Rules, Variant};
pub use signal::Signal;
pub use view::{Out, Outcome, Piece, Public, State, View};

use crate::Error;
use crate::game::{Action, Actions, Belief, Forfeit, Game, Seat, Spec, Status, Symmetry, Wiring};
use crate::rng::Rng;
use assignment::Beliefs;
use board::Board;
use graph::Graph;
use observe::{ENCODING, FEATURES, Pictures};
use piece::Combat;
use rules::Setup;

/// A station's number on its board.
pub type Station = u8;

/// No station, or no piece.
pub const NOWHERE: u8 = u8::MAX;

/// Something for each of up to four seats.
pub type Seats<T> = [T; 4];

/// Plies after which an environment cuts a game off when no quiet limit ends it.
const PLY_LIMIT_WITHOUT_QUIET_LIMIT: u32 = 4_000;

/// Junqi under one set of rules. Cloning shares the tables.
#[derive(Clone)]
pub struct Junqi(Arc<Tables>);

/// What is computed once for a set of rules.
pub struct Tables {
    rules: Rules,
    spec: Spec,
    board: Board,
    combat: Combat,
    /// What a seat may be before anything happened.
    beliefs: Beliefs,
    /// By piece of a seat, the kinds that may be set up there.
    allowed: [piece::Kinds; piece::PIECES],
    library: Vec<Layout>,
    /// By seat.
    symmetries: Vec<Vec<Symmetry>>,
    pictures: Pictures,
}

impl std::ops::Deref for Junqi {
    type Target = Tables;

    #[inline]
    fn deref(&self) -> &Tables {
        &self.0
    }
}

impl Junqi {
    /// Junqi under these rules.
    ///
    /// # Errors
    /// Rules that cannot stand together.
    pub fn new(rules: Rules) -> Result<Junqi, Error> {
        rules.check()?;
        let board = Board::new(&rules);
        let spec = Spec {
            name: format!("{}:{}", rules.variant.name(), rules.text()),
            rules_hash: rules.hash(),
            encoding: ENCODING,
            num_seats: rules.variant.seats(),
            num_actions: board.num_actions(),
            planes: [1, board.graph.len(), FEATURES],
            plane_unit: observe::ONE,
            num_scalars: observe::num_scalars(&rules),
            ply_limit: (rules.quiet_limit == 0 && rules.ply_limit == 0).then_some(PLY_LIMIT_WITHOUT_QUIET_LIMIT),
        };
        Ok(Junqi(Arc::new(Tables {
            spec,
            combat: Combat::new(&rules),
            beliefs: Beliefs::at_start(&rules),
            allowed: Beliefs::masks_at_start(&rules),
            library: Junqi::read_library(&rules)?,
            symmetries: symmetry::symmetries(&rules, &board),
            pictures: Pictures::new(&rules, &board),
            board,
            rules,
        })))
    }

    /// A game by its name, with profile and options: `siguo`, `duel:view=open`; see [`Rules::parse`].
    ///
    /// # Errors
    /// As there, and an unknown game.
    pub fn parse(name: &str) -> Result<Junqi, Error> {
        let (game, rules) = name.split_once(':').unwrap_or((name, ""));
        let variant = Variant::ALL.into_iter().find(|variant| variant.name() == game.trim());
        let variant = variant.ok_or_else(|| Error::UnknownGame {
            name: game.into(),
            known: Variant::ALL.map(Variant::name).join(", "),
        })?;
        Junqi::new(Rules::parse(variant, rules)?)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who beats whom.
    pub fn combat(&self) -> &Combat {
        &self.combat
    }

    /// The board.
    pub fn graph(&self) -> &Graph {
        &self.board.graph
    }

    /// Number of seats.
    #[inline]
    pub fn seats(&self) -> Seat {
        self.rules.variant.seats() as Seat
    }

    /// The seat's partner; none in a game of two.
    pub fn ally(&self, seat: Seat) -> Option<Seat> {
        (self.seats() == 4).then_some(seat ^ 2)
    }

    /// From and to of a move; none for an action that places a piece or gives a signal, or a number that is no action.
    pub fn ends(&self, action: Action) -> Option<(Station, Station)> {
        self.board.moves.get(usize::from(action)).copied()
    }

    /// The action from a station to another, whoever could play it.
    pub fn action_between(&self, from: Station, to: Station) -> Option<Action> {
        let len = self.board.graph.len();
        (usize::from(from) < len && usize::from(to) < len).then(|| self.board.number_of(from, to)).flatten()
    }

    /// The kind that an action places in a set-up.
    pub fn places(&self, action: Action) -> Option<Kind> {
        let first = self.board.placements?;
        action.checked_sub(first).and_then(|kind| Kind::ALL.get(usize::from(kind)).copied())
    }

    /// The station that the seat to move fills next, while seats set up their pieces.
    pub fn places_at(&self, public: &Public) -> Option<Station> {
        self.next_slot(public).map(|slot| self.board.homes[usize::from(public.to_move)][slot])
    }

    /// Where a piece stood at first.
    pub fn home(&self, piece: Piece) -> Station {
        self.board.homes[usize::from(view::seat_of(piece))][view::slot_of(piece)]
    }

    /// Whether seats set up their pieces by actions.
    fn is_set_up_by_play(&self) -> bool {
        self.rules.setup == Setup::Play
    }
}

impl Game for Junqi {
    type View = View;
    type State = State;
    type Outcome = Outcome;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn symmetries(&self, seat: Seat) -> &[Symmetry] {
        &self.symmetries[usize::from(seat)]
    }

    fn wiring(&self) -> Option<Wiring> {
        Some(self.board.wiring())
    }

    fn belief_features(&self) -> Option<Range<usize>> {
        Some(observe::KINDS_OF_OTHERS)
    }

    fn believed(&self, view: &View, shares: &[f32]) -> Vec<Belief> {
        self.beliefs_by(view, shares)
    }

    fn deal(&self, rng: &mut Rng) -> State {
        self.deal_new(rng)
    }

    fn deal_from(&self, view: &View, rng: &mut Rng) -> State {
        self.deal_among(view, rng)
    }

    #[inline]
    fn view<'a>(&self, state: &'a State, seat: Seat) -> &'a View {
        &state.views[usize::from(seat)]
    }

    #[inline]
    fn to_move(&self, state: &State) -> Seat {
        state.public().to_move
    }

    #[inline]
    fn status(&self, state: &State) -> Status {
        state.public().status
    }

    fn is_out(&self, state: &State, seat: Seat) -> bool {
        state.public().out(seat).is_some()
    }

    fn forfeit(&self, state: &mut State, seat: Seat, forfeit: Forfeit) -> Option<Result<Option<Outcome>, Error>> {
        Some(self.give_up(state, seat, forfeit).map(|outcome| (outcome != Outcome::MOVED).then_some(outcome)))
    }

    fn layouts(&self, state: &State) -> Vec<String> {
        self.texts_of_layouts(state)
    }

    fn shows_layout(&self, viewer: Seat, owner: Seat) -> bool {
        self.sees(viewer, owner)
    }

    fn deal_layouts(&self, layouts: &[&str], first: Seat, start: Option<&View>) -> Result<State, Error> {
        let read = |text: &&str| Layout::parse(&self.rules, text);
        let layouts: Vec<Layout> = layouts.iter().map(read).collect::<Result<_, _>>()?;
        match start {
            None => self.start(&layouts, first),
            Some(view) => self.start_within(view, &layouts),
        }
    }

    fn seen_by(&self, text: &str, state: &State, seat: Seat) -> String {
        self.view_seen_by(text, state, seat)
    }

    fn witnesses(&self, state: &State, action: Action) -> u8 {
        self.witnesses_of(state, action)
    }

    fn blurred(&self, action: &str, outcome: Option<&str>) -> Option<(String, Option<String>)> {
        Junqi::blurred_ply(action, outcome)
    }

    fn beliefs(&self, view: &View) -> Vec<Belief> {
        self.beliefs_of(view)
    }

    fn setup_chances(&self, view: &View) -> Vec<(Action, f64)> {
        self.layout_chances(view)
    }

    #[inline]
    fn plies(&self, state: &State) -> u32 {
        state.public().plies
    }

    #[inline]
    fn play(&self, state: &mut State, action: Action) -> Option<Outcome> {
        self.play_state(state, action)
    }

    #[inline]
    fn settle(&self, state: &mut State, seat: Seat) {
        let fits = self.settle_view(&mut state.views[usize::from(seat)]);
        debug_assert!(fits, "the truth always fits");
    }

    #[inline]
    fn view_to_move(&self, view: &View) -> Seat {
        view.public.to_move
    }

    #[inline]
    fn view_status(&self, view: &View) -> Status {
        view.public.status
    }

    fn legal(&self, view: &View, out: &mut Actions) {
        self.write_legal(view, out);
    }

    #[inline]
    fn is_legal(&self, view: &View, action: Action) -> bool {
        self.legal_action(view, action)
    }

    #[inline]
    fn sample(&self, view: &View, rng: &mut Rng) -> Action {
        self.sample_action(view, rng)
    }

    #[inline]
    fn mask(&self, view: &View, out: &mut [i8]) {
        self.write_mask(view, out);
    }

    fn mask_bits(&self, view: &View, out: &mut [u64]) {
        self.write_bits(view, out);
    }

    #[inline]
    fn observe(&self, view: &View, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) {
        self.write_observation(view, seat, planes, scalars);
    }

    fn observe_revealed(&self, state: &State, seat: Seat, planes: &mut [u8], scalars: &mut [f32]) -> bool {
        self.write_observation(&state.revealed(seat), seat, planes, scalars);
        true
    }

    fn chance_outcomes(&self, view: &View, action: Action) -> Vec<(Outcome, f64)> {
        self.chances(view, action).outcomes
    }

    #[inline]
    fn play_with(&self, view: &mut View, action: Action, outcome: Option<Outcome>) {
        self.play_view(view, action, outcome);
    }

    fn action_name(&self, action: Action) -> String {
        self.name_of(action)
    }

    fn action_id(&self, name: &str) -> Result<Action, Error> {
        self.parse_action(name)
    }

    fn outcome_name(&self, outcome: Outcome) -> String {
        self.outcome_text(&outcome)
    }

    fn outcome_id(&self, name: &str) -> Result<Outcome, Error> {
        self.parse_outcome(name)
    }

    fn view_text(&self, view: &View) -> String {
        self.text_of_view(view)
    }

    fn parse_view(&self, text: &str) -> Result<View, Error> {
        self.read_view(text)
    }

    fn state_text(&self, state: &State) -> String {
        self.text_of_state(state)
    }

    fn parse_state(&self, text: &str) -> Result<State, Error> {
        self.read_state(text)
    }

    fn diagram(&self, view: &View) -> crate::draw::Diagram {
        crate::draw::Diagram::Stations(crate::draw::junqi(self, view))
    }
}

//! The contract every family of games fulfils.
//!
//! Two layers, kept apart by type. The *rules* work on a [`Game::View`], all that a seat may know, and take
//! every chance result as an input ([`Game::play_with`]). The *environment* owns a [`Game::State`], hidden
//! pieces included, and resolves chance from it ([`Game::play`]). Agents and search get views only, so they
//! cannot look under a piece.

use std::ops::Range;

use crate::draw::{Diagram, text::Style};
use crate::{Error, rng::Rng};

/// An action's number, below [`Spec::num_actions`].
pub type Action = u16;

/// A player's place at the board, from 0 in turn order.
pub type Seat = u8;

/// More legal actions than any position has: of a board up to 36 squares 512 would do; in junqi 25 pieces have at most 80
/// targets each.
pub const MAX_LEGAL: usize = 2048;

/// A list of actions that lives on the stack.
#[derive(Clone)]
pub struct Actions {
    items: [Action; MAX_LEGAL],
    len: usize,
}

impl Actions {
    /// An empty list.
    #[inline]
    pub fn new() -> Self {
        Actions { items: [0; MAX_LEGAL], len: 0 }
    }

    /// Adds one.
    #[inline]
    pub fn push(&mut self, action: Action) {
        self.items[self.len] = action;
        self.len += 1;
    }

    /// Forgets them all.
    #[inline]
    pub fn clear(&mut self) {
        self.len = 0;
    }
}

impl Default for Actions {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Deref for Actions {
    type Target = [Action];

    #[inline]
    fn deref(&self) -> &[Action] {
        &self.items[..self.len]
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// Every piece of one side is captured.
    Eliminated,
    /// The seat to move has no legal action.
    NoMoves,
    /// The repetition rule.
    Repetition,
    /// Too many plies without a flip or a capture.
    QuietLimit,
    /// The points of the captured pieces reached the limit.
    HitPoints,
    /// A deadlock, decided by the points of the pieces left.
    Points,
    /// All seats agreed on a draw; in play and records, never in an environment.
    Agreement,
    /// A seat resigned; in play and records.
    Resignation,
    /// A seat's time ran out; in play and records.
    Time,
    /// The flag was captured, of the last seat of a team that still had one.
    Flag,
    /// Too many plies altogether.
    PlyLimit,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 11] = [
        Reason::Eliminated,
        Reason::NoMoves,
        Reason::Repetition,
        Reason::QuietLimit,
        Reason::HitPoints,
        Reason::Points,
        Reason::Agreement,
        Reason::Resignation,
        Reason::Time,
        Reason::Flag,
        Reason::PlyLimit,
    ];

    /// The name used in records and messages.
    pub fn name(self) -> &'static str {
        match self {
            Reason::Eliminated => "eliminated",
            Reason::NoMoves => "no-moves",
            Reason::Repetition => "repetition",
            Reason::QuietLimit => "quiet-limit",
            Reason::HitPoints => "hit-points",
            Reason::Points => "points",
            Reason::Agreement => "agreement",
            Reason::Resignation => "resignation",
            Reason::Time => "time",
            Reason::Flag => "flag",
            Reason::PlyLimit => "ply-limit",
        }
    }
}

/// A way to give a game up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Forfeit {
    /// The seat resigns.
    Resignation,
    /// The seat's time is up.
    Time,
}

impl Forfeit {
    /// What stands in a record, before the seat's number: `resigns:1`.
    fn word(self) -> &'static str {
        match self {
            Forfeit::Resignation => "resigns",
            Forfeit::Time => "late",
        }
    }

    /// How a record says that a seat gives up so.
    pub fn text(self, seat: Seat) -> String {
        format!("{}:{seat}", self.word())
    }

    /// Reads what [`Forfeit::text`] writes.
    pub fn read(text: &str) -> Option<(Seat, Forfeit)> {
        let (word, seat) = text.split_once(':')?;
        let forfeit = [Forfeit::Resignation, Forfeit::Time].into_iter().find(|forfeit| forfeit.word() == word)?;
        Some((seat.parse().ok()?, forfeit))
    }
}

/// Whether a game goes on, and if not, how it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// Somebody is to move.
    Ongoing,
    /// This seat (and its partners) won.
    Win(Seat, Reason),
    /// Nobody won.
    Draw(Reason),
}

impl Status {
    /// True while somebody is to move.
    #[inline]
    pub fn is_ongoing(self) -> bool {
        self == Status::Ongoing
    }

    /// A seat's result: 1 won, 0 drawn or unfinished, -1 lost. In a game of four partners sit opposite: seats 0 and 2
    /// against 1 and 3.
    #[inline]
    pub fn value(self, seat: Seat) -> f32 {
        match self {
            Status::Win(winner, _) if (winner ^ seat) & 1 == 0 => 1.0,
            Status::Win(..) => -1.0,
            Status::Ongoing | Status::Draw(_) => 0.0,
        }
    }
}

/// What a piece on the board may be, for all that a seat knows.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// Where it stands.
    pub place: String,
    /// Whose it is, where that is known.
    pub owner: Option<Seat>,
    /// The kinds that it can be, by name, with their probabilities: every way to deal the hidden pieces that fits counts
    /// the same.
    pub kinds: Vec<(String, f64)>,
}

/// A symmetry of the board under which the rules do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Where each square (a cell of a plane) goes.
    pub squares: Vec<u16>,
    /// Which action each action becomes.
    pub actions: Vec<Action>,
    /// Which action becomes each action.
    originals: Vec<Action>,
}

impl Symmetry {
    /// A symmetry that moves squares and actions so.
    pub fn new(squares: Vec<u16>, actions: Vec<Action>) -> Symmetry {
        let mut originals = vec![0; actions.len()];
        actions.iter().enumerate().for_each(|(action, &image)| originals[usize::from(image)] = action as Action);
        Symmetry { squares, actions, originals }
    }

    /// The action that becomes this one.
    #[inline]
    pub fn original(&self, image: Action) -> Action {
        self.originals[usize::from(image)]
    }
}

/// A board whose places are joined by lines, for networks that pass messages along them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    /// The places that each action goes from and to, for the first actions; those behind them are no moves.
    pub moves: Vec<(u16, u16)>,
    /// Pairs of neighbours, in both directions.
    pub near: Vec<(u16, u16)>,
    /// Pairs of places on one straight line, in both directions.
    pub along: Vec<(u16, u16)>,
}

/// Facts about a game that shapes and tables are made from.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Name with profile and options; reading it gives the same rules: `darkchess:taiwan,quiet_limit=50`.
    pub name: String,
    /// Hash of the rules, the same for equal rules however they were named.
    pub rules_hash: u64,
    /// Version of the observation and action encoding, recorded in every checkpoint.
    pub encoding: u32,
    /// Seats at the board.
    pub num_seats: usize,
    /// Actions that have a number.
    pub num_actions: usize,
    /// Planes, rows and columns of an observation.
    pub planes: [usize; 3],
    /// What stands for one in the planes.
    pub plane_unit: u8,
    /// Scalars of an observation.
    pub num_scalars: usize,
    /// Plies after which an environment should cut a game off, where the rules alone need not end it.
    pub ply_limit: Option<u32>,
}

impl Spec {
    /// Words of a mask in bits.
    pub fn mask_words(&self) -> usize {
        self.num_actions.div_ceil(64)
    }

    /// Bytes of one observation's planes.
    #[inline]
    pub fn planes_len(&self) -> usize {
        self.planes.iter().product()
    }
}

/// One family of games under one set of rules.
///
/// Methods that take an [`Action`] expect a legal one unless they say otherwise; [`Game::is_legal`] answers
/// for any number. Nothing here allocates but [`Game::chance_outcomes`] and the text forms.
pub trait Game: Clone + Send + Sync + 'static {
    /// All that a seat may know, and enough for the rules: public history included.
    type View: Clone + Send + Sync + 'static;
    /// Everything, hidden pieces included. Owned by environments, never given to an agent.
    type State: Copy + Send + Sync + 'static;
    /// What chance or a hidden piece adds to an action, such as the piece a flip shows.
    type Outcome: Copy + Eq + std::fmt::Debug + Send + Sync + 'static;

    /// Sizes and names.
    fn spec(&self) -> &Spec;

    /// How a network may be shown what a seat sees, without any change of the rules: the first leaves the observation as
    /// it is, the others turn it. Actions become those of the turned board, as the seat looks at it: where an
    /// observation already stands in front of its seat, the first turns the actions alone.
    fn symmetries(&self, seat: Seat) -> &[Symmetry];
    /// The lines between the places of the board, where the rules have them.
    fn wiring(&self) -> Option<Wiring> {
        None
    }
    /// The features of such a place that say how likely each kind is for somebody else's piece on it, as near as can be
    /// told without knowing the players: one where it is known. None where no kinds are hidden in that way.
    fn belief_features(&self) -> Option<Range<usize>> {
        None
    }
    /// [`Game::beliefs`] as somebody else has them: `shares` is `[places, kinds]`, with a row for each place as an
    /// observation of the seat to move has it.
    fn believed(&self, _view: &Self::View, _shares: &[f32]) -> Vec<Belief> {
        Vec::new()
    }

    /// A new game with its hidden pieces drawn.
    fn deal(&self, rng: &mut Rng) -> Self::State;
    /// A game that goes on from a public view; hidden pieces are drawn among those that fit it.
    fn deal_from(&self, view: &Self::View, rng: &mut Rng) -> Self::State;
    /// What a seat may know.
    fn view<'a>(&self, state: &'a Self::State, seat: Seat) -> &'a Self::View;
    /// The seat to move.
    fn to_move(&self, state: &Self::State) -> Seat;
    /// Whether the game goes on.
    fn status(&self, state: &Self::State) -> Status;
    /// Whether a seat is out while the game goes on without it; never so in a game of two.
    fn is_out(&self, _state: &Self::State, _seat: Seat) -> bool {
        false
    }
    /// A seat resigns or lets its time run out, where the rules say what comes of it; tells what everybody sees then. None where they do not: then the game is lost for the seat.
    ///
    /// # Errors
    /// A seat that does not play, or a time-out of one that is not to move.
    fn forfeit(
        &self,
        _state: &mut Self::State,
        _seat: Seat,
        _forfeit: Forfeit,
    ) -> Option<Result<Option<Self::Outcome>, Error>> {
        None
    }
    /// How the seats set up their pieces, as text, where seats do so and all have; otherwise none.
    fn layouts(&self, _state: &Self::State) -> Vec<String> {
        Vec::new()
    }
    /// Whether a seat is shown another seat's layout.
    fn shows_layout(&self, viewer: Seat, owner: Seat) -> bool {
        viewer == owner
    }
    /// A game from every seat's layout: a new one in which `first` moves first, or one that stands as a view says.
    ///
    /// # Errors
    /// Layouts that cannot be, that the view contradicts, or a game that has none.
    fn deal_layouts(&self, _layouts: &[&str], _first: Seat, _start: Option<&Self::View>) -> Result<Self::State, Error> {
        Err(Error::Rules(format!("{} has no layouts", self.spec().name)))
    }
    /// A view's text as another seat would have seen it in the game that has come to `state` from it. The same where
    /// all seats see alike.
    fn seen_by(&self, text: &str, _state: &Self::State, _seat: Seat) -> String {
        text.into()
    }
    /// The seats to which a ply shows everything about it, one bit each. `state` is the one before the ply.
    fn witnesses(&self, _state: &Self::State, _action: Action) -> u8 {
        u8::MAX
    }
    /// An action and what it showed as they look to all other seats; none where they do not notice it at all.
    fn blurred(&self, action: &str, outcome: Option<&str>) -> Option<(String, Option<String>)> {
        Some((action.into(), outcome.map(Into::into)))
    }
    /// What a view leaves open about each piece on the board whose kind it does not tell at sight.
    fn beliefs(&self, view: &Self::View) -> Vec<Belief>;
    /// How likely the seat to move would be to play each action, were every layout that it can still come to as likely as
    /// any other; empty where nothing is being set up.
    fn setup_chances(&self, _view: &Self::View) -> Vec<(Action, f64)> {
        Vec::new()
    }
    /// Number of plies played.
    fn plies(&self, state: &Self::State) -> u32;
    /// Plays a legal action, chance resolved by the hidden pieces, and tells what it showed.
    fn play(&self, state: &mut Self::State, action: Action) -> Option<Self::Outcome>;
    /// Works out what a seat's view leaves to be worked out, so that it is not done anew each time the view is observed.
    /// Changes nothing that can be seen.
    fn settle(&self, _state: &mut Self::State, _seat: Seat) {}

    /// The seat to move in a view.
    fn view_to_move(&self, view: &Self::View) -> Seat;
    /// The status a view shows.
    fn view_status(&self, view: &Self::View) -> Status;
    /// Appends the legal actions in ascending order. None when the game is over.
    fn legal(&self, view: &Self::View, out: &mut Actions);
    /// Whether any number is a legal action here.
    fn is_legal(&self, view: &Self::View, action: Action) -> bool;
    /// A uniformly random legal action of an ongoing game.
    fn sample(&self, view: &Self::View, rng: &mut Rng) -> Action;
    /// Writes 1 for legal and 0 for other actions. `out` has [`Spec::num_actions`] bytes.
    fn mask(&self, view: &Self::View, out: &mut [i8]);
    /// The same in bits, an eighth of the memory: action `a` is bit `a % 64` of word `a / 64`. `out` has
    /// [`Spec::mask_words`] words.
    fn mask_bits(&self, view: &Self::View, out: &mut [u64]) {
        let mut legal = Actions::new();
        self.legal(view, &mut legal);
        out.fill(0);
        legal.iter().for_each(|action| out[usize::from(action / 64)] |= 1 << (action % 64));
    }
    /// Writes what `seat` sees: `planes` is `[C, R, W]` bytes, `scalars` `[K]`; both are overwritten whole. Either may
    /// be empty, and is then not written.
    fn observe(&self, view: &Self::View, seat: Seat, planes: &mut [u8], scalars: &mut [f32]);
    /// Writes what `seat` would see if no piece were hidden from it, in the form of [`Game::observe`]. It takes a state,
    /// which no agent gets: a trainer judges by it what a network played without it. False where observations have no
    /// place for what is hidden; then nothing is written.
    fn observe_revealed(&self, _state: &Self::State, _seat: Seat, _planes: &mut [u8], _scalars: &mut [f32]) -> bool {
        false
    }

    /// The outcomes a legal action may have, with their probabilities; empty where nothing is left to chance.
    fn chance_outcomes(&self, view: &Self::View, action: Action) -> Vec<(Self::Outcome, f64)>;
    /// Plays a legal action by the rules alone, with the outcome given.
    fn play_with(&self, view: &mut Self::View, action: Action, outcome: Option<Self::Outcome>);

    /// An action's name.
    fn action_name(&self, action: Action) -> String;
    /// The action of a name. Errors when there is none; legality is not asked.
    fn action_id(&self, name: &str) -> Result<Action, Error>;
    /// An outcome's name, such as a piece's letter.
    fn outcome_name(&self, outcome: Self::Outcome) -> String;
    /// The outcome of a name.
    fn outcome_id(&self, name: &str) -> Result<Self::Outcome, Error>;
    /// A view as text that [`Game::parse_view`] reads back.
    fn view_text(&self, view: &Self::View) -> String;
    /// Reads and checks a view.
    fn parse_view(&self, text: &str) -> Result<Self::View, Error>;
    /// A whole state as text, hidden pieces included, that [`Game::parse_state`] reads back. For saving an
    /// environment; never shown to an agent.
    fn state_text(&self, state: &Self::State) -> String;
    /// Reads and checks a whole state.
    fn parse_state(&self, text: &str) -> Result<Self::State, Error>;
    /// The board for a terminal, in plain characters.
    fn draw_text(&self, view: &Self::View) -> String {
        self.diagram(view).text(Style::default())
    }
    /// The board, ready to be drawn in any form.
    fn diagram(&self, view: &Self::View) -> Diagram;
}

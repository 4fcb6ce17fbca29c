//! Signals 暗號: what a seat may say to its ally before it moves, and who hears it.
//!
//! Talk is cheap: only the alphabet is fixed, and nobody holds a seat to what a signal means. A signal belongs to the ply
//! before which it is given: it passes no turn and is no ply itself. It stands until the speaker's next turn is over, and
//! goes with a seat that is out.

use super::view::{Public, State, View, enemies};
use super::{Junqi, Seats};
use crate::game::{Action, Seat};

/// What stands before a signal in the name of its action.
pub(crate) const PREFIX: &str = "signal:";

/// The alphabet: the name, as players write it, and what players mean by it, in Chinese and English.
pub const SIGNALS: [(&str, &str, &str); 22] = [
    ("40", "司令", "my piece is the commander"),
    ("39", "軍長", "my piece is the general"),
    ("38", "師長", "my piece is a division commander"),
    ("37", "旅長", "my piece is a brigadier"),
    ("36", "團長", "my piece is a colonel"),
    ("35", "營長", "my piece is a major"),
    ("34", "連長", "my piece is a captain"),
    ("33", "排長", "my piece is a lieutenant"),
    ("32", "工兵", "my piece is an engineer"),
    ("00", "炸彈", "my piece is a bomb"),
    ("mine", "地雷", "my piece is a mine"),
    ("34+", "大於連長", "his piece is above 34"),
    ("35+", "大於營長", "his piece is above 35"),
    ("36+", "大於團長", "his piece is above 36"),
    ("37+", "大於旅長", "his piece is above 37"),
    ("38+", "大於師長", "his piece is above 38"),
    ("39+", "大於軍長", "his piece is above 39"),
    ("0040", "炸司令", "bomb his commander"),
    ("bomb", "炸", "bomb his piece, whatever it is"),
    ("attack", "攻", "attack"),
    ("help", "救", "help me"),
    ("wait", "等", "wait"),
];

/// A signal, by its place in [`SIGNALS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal(u8);

impl Signal {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Signal> {
        (0..SIGNALS.len() as u8).map(Signal)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        SIGNALS[self.index()].0
    }

    /// The signal of a name.
    pub fn of_name(name: &str) -> Option<Signal> {
        Signal::all().find(|signal| signal.name() == name)
    }

    /// Its place in [`SIGNALS`].
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A signal that stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) signal: Signal,
    /// Given on the turn that still goes on, so that its seat may give no other.
    pub(super) now: bool,
}

/// By seat, the signal that stands.
pub(super) type Talk = Seats<Option<Said>>;

impl View {
    /// The signal of a seat that stands, where the view's seat heard it: its own or its ally's.
    pub fn signal(&self, seat: Seat) -> Option<Signal> {
        self.said[usize::from(seat)].map(|said| said.signal)
    }

    /// Takes in all that its seat heard.
    pub(super) fn hear(&mut self, talk: &Talk) {
        let heard = |speaker: usize| talk[speaker].filter(|_| !enemies(self.seat, speaker as Seat));
        self.said = std::array::from_fn(heard);
    }

    /// The turn of a seat is over: what it said on it stands on, what it said before does not.
    pub(super) fn end_turn(&mut self, seat: Seat) {
        let said = &mut self.said[usize::from(seat)];
        *said = said.filter(|said| said.now).map(|said| Said { now: false, ..said });
        self.forget_the_gone();
    }

    /// Signals go with the seats that are out.
    pub(super) fn forget_the_gone(&mut self) {
        let out = self.public.out;
        self.said.iter_mut().zip(out).filter(|(_, out)| out.is_some()).for_each(|(said, _)| *said = None);
    }
}

impl State {
    /// What every seat said last.
    pub(super) fn talk(&self) -> Talk {
        std::array::from_fn(|seat| self.views[seat].said[seat])
    }

    /// The same game, in which seats said so.
    pub(super) fn with_talk(mut self, talk: &Talk) -> State {
        self.views.iter_mut().for_each(|view| view.hear(talk));
        self
    }
}

impl Junqi {
    /// The signal that an action gives.
    #[inline]
    pub fn signal(&self, action: Action) -> Option<Signal> {
        let number = action.checked_sub(self.board.signals?)?;
        (usize::from(number) < SIGNALS.len()).then_some(Signal(number as u8))
    }

    /// The action that gives a signal, where the rules have signals.
    pub fn signal_action(&self, signal: Signal) -> Option<Action> {
        Some(self.board.signals? + Action::from(signal.0))
    }

    /// The actions that give a signal, where the seat to move may: its ally plays, and it has given none on this turn.
    #[inline]
    pub(super) fn open_signals(&self, view: &View) -> std::ops::Range<Action> {
        let Some(first) = self.board.signals else { return 0..0 };
        let Public { to_move, out, .. } = view.public;
        let spoke = view.said[usize::from(to_move)].is_some_and(|said| said.now);
        let heard = out[usize::from(to_move ^ 2)].is_none();
        if heard && !spoke { first..first + SIGNALS.len() as Action } else { 0..0 }
    }

    /// Lets the seat to move give a signal, which its enemies do not hear.
    pub(super) fn say(&self, view: &mut View, signal: Signal) {
        let speaker = view.public.to_move;
        if !enemies(view.seat, speaker) {
            view.said[usize::from(speaker)] = Some(Said { signal, now: true });
        }
    }

    /// The seats that hear a seat, one bit each.
    pub(super) fn hearers(&self, speaker: Seat) -> u8 {
        (0..self.seats()).filter(|&seat| !enemies(seat, speaker)).fold(0, |set, seat| set | 1 << seat)
    }
}

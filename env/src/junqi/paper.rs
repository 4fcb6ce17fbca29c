//! What records hold of a game: the layouts, and of each ply what a seat was shown.

use super::piece::{Kind, PIECES};
use super::view::{State, View, has, piece_of};
use super::{Junqi, Layout, NOWHERE, Seats};
use crate::Error;
use crate::game::{Action, Seat};

impl Junqi {
    /// Every seat's layout as text; none while pieces are still being set up.
    pub(super) fn texts_of_layouts(&self, state: &State) -> Vec<String> {
        if self.next_slot(state.public()).is_some() {
            return Vec::new();
        }
        let layout = |seat| Layout(std::array::from_fn(|slot| state.kind(piece_of(seat, slot)))).text();
        (0..self.seats()).map(layout).collect()
    }

    /// A game that stands as a view says, the ranks as the layouts say.
    ///
    /// # Errors
    /// Layouts that the rules do not allow, or that the view contradicts.
    pub(super) fn start_within(&self, view: &View, layouts: &[Layout]) -> Result<State, Error> {
        layouts.iter().try_for_each(|layout| layout.check(&self.rules))?;
        let fault = |message: String| Error::Position { field: "layouts", message };
        let expected = usize::from(self.seats());
        if layouts.len() != expected {
            return Err(fault(format!("{} given; expected {expected}", layouts.len())));
        }
        let kinds = std::array::from_fn(|seat| layouts[seat % expected].0);
        self.state_within(view, &kinds).ok_or_else(|| fault("they do not fit with what happened to the pieces".into()))
    }

    /// The whole of a view and every piece's rank; none where they do not fit.
    fn state_within(&self, view: &View, kinds: &Seats<[Kind; PIECES]>) -> Option<State> {
        let right = |seat: Seat| {
            (0..PIECES)
                .all(|slot| view.rank(piece_of(seat, slot)).is_none_or(|kind| kind == kinds[usize::from(seat)][slot]))
        };
        let fits = (0..self.seats()).all(right);
        let also = |seat, piece| seat == view.seat && has(&view.told, piece);
        fits.then(|| Some(self.state_of(&view.public, kinds, also)?.with_talk(&view.said))).flatten()
    }

    /// A view's text as another seat saw it, with the ranks of the game as it stands now.
    pub(super) fn view_seen_by(&self, text: &str, state: &State, seat: Seat) -> String {
        let Ok(mut view) = self.read_view(text) else { return text.into() };
        // Its own ranks were drawn anew where the game was drawn from another seat's view.
        let kinds: Seats<[Kind; PIECES]> = std::array::from_fn(|other| match other < usize::from(self.seats()) {
            true => std::array::from_fn(|slot| state.kind(piece_of(other as Seat, slot))),
            false => [Kind::Flag; PIECES],
        });
        let told = view.told;
        let also = |other, piece| other == view.seat && has(&told, piece);
        if let Some(whole) = self.state_of(&view.public, &kinds, also) {
            view = whole.with_talk(&view.said).views[usize::from(seat)];
        }
        self.text_of_view(&view)
    }

    /// The seats that are shown all about a ply: the rank that is set up, the ranks of a combat, a signal.
    pub(super) fn witnesses_of(&self, state: &State, action: Action) -> u8 {
        let public = state.public();
        let mover = public.to_move;
        let seats = |sees: &dyn Fn(Seat) -> bool| {
            (0..self.seats()).filter(|&seat| sees(seat)).fold(0, |set, seat| set | 1 << seat)
        };
        match self.ends(action) {
            None if self.signal(action).is_some() => self.hearers(mover),
            None => seats(&|seat| self.sees(seat, mover)),
            Some((from, to)) => {
                let (attacker, defender) = (public.at[usize::from(from)], public.at[usize::from(to)]);
                if defender == NOWHERE {
                    return u8::MAX;
                }
                seats(&|seat| self.sees_ranks(seat, attacker, defender))
            }
        }
    }
}

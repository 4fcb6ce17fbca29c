//! Views and states as text, and read back.
//!
//! Fields, separated by blanks: `seen=S` (in a view), `turn=`, `ply=`, `quiet=`, then for each seat its letter with the
//! ranks of its 25 pieces, by the posts that they stood on at first from the front row's left on (`?` where they are not
//! known), a colon and what became of each:
//! a number for so many that stand there unmoved, a station for one that moved there, `-` for one not set up yet; for
//! those that are gone `<E12` an attacker that lost to the piece of that home, `>E12` a defender that lost, `*E12` and
//! `%E12` attacker and defender gone together, `_` one that left with its seat. Marks behind: `~` it had moved, `'` it
//! ran as only an engineer can, `!` a flag shown, `$` a flag taken, `^` a commander whose death was shown.
//! Where they say something: `last=` a ply for each seat, `out=`, `late=` time-outs, `over=`, and with signals `said=`,
//! the one of each seat that stands, `!` behind one that was given on the turn that goes on.

use super::piece::{Kind, PIECES};
use super::signal::Talk;
use super::view::{Out, Public, State, View, has, piece_of};
use super::{Junqi, NOWHERE, Seats};
use crate::Error;
use crate::game::{Seat, Status};

pub(super) type Ranks = Seats<[Option<Kind>; PIECES]>;

pub(super) fn fault<T>(field: &'static str, message: impl Into<String>) -> Result<T, Error> {
    Err(Error::Position { field, message: message.into() })
}

impl Junqi {
    pub(super) fn text_of_view(&self, view: &View) -> String {
        let ranks = std::array::from_fn(|seat| {
            std::array::from_fn(|slot| match seat < usize::from(self.seats()) {
                true => view.rank(piece_of(seat as Seat, slot)),
                false => None,
            })
        });
        format!("seen={} {}", self.seat_letter(view.seat), self.public_text(&view.public, &ranks, &view.said))
    }

    pub(super) fn text_of_state(&self, state: &State) -> String {
        let public = state.public();
        let ranks = std::array::from_fn(|seat| {
            std::array::from_fn(|slot| {
                let piece = piece_of(seat as Seat, slot);
                (seat < usize::from(self.seats()) && self.is_placed(public, piece)).then(|| state.kind(piece))
            })
        });
        self.public_text(public, &ranks, &state.talk())
    }

    fn public_text(&self, public: &Public, ranks: &Ranks, talk: &Talk) -> String {
        let mut text = format!("turn={} ply={} quiet={}", self.seat_letter(public.to_move), public.plies, public.quiet);
        for seat in 0..self.seats() {
            let letters: String = ranks[usize::from(seat)].iter().map(|kind| kind.map_or('?', Kind::letter)).collect();
            text += &format!(" {}={letters}:{}", self.seat_letter(seat), self.fates(public, seat));
        }
        let seats = || (0..self.seats()).map(usize::from);
        if seats().any(|seat| public.last[seat][0] != NOWHERE) {
            let ply = |seat: usize| match public.last[seat] {
                [NOWHERE, _] => "-".into(),
                [from, to] => format!("{}-{}", self.station_name(from), self.station_name(to)),
            };
            text += &format!(" last={}", seats().map(ply).collect::<Vec<_>>().join(","));
        }
        if seats().any(|seat| public.out[seat].is_some()) {
            let out = |seat: usize| public.out[seat].map_or("-", Out::name);
            text += &format!(" out={}", seats().map(out).collect::<Vec<_>>().join(","));
        }
        if seats().any(|seat| public.time_outs[seat] > 0) {
            let late = |seat: usize| public.time_outs[seat].to_string();
            text += &format!(" late={}", seats().map(late).collect::<Vec<_>>().join(","));
        }
        if talk.iter().any(Option::is_some) {
            let said = |seat: usize| match talk[seat] {
                Some(said) => format!("{}{}", said.signal.name(), if said.now { "!" } else { "" }),
                None => "-".into(),
            };
            text += &format!(" said={}", seats().map(said).collect::<Vec<_>>().join(","));
        }
        text + &match public.status {
            Status::Ongoing => String::new(),
            Status::Win(seat, reason) => format!(" over={}:{}", self.seat_letter(seat), reason.name()),
            Status::Draw(reason) => format!(" over=draw:{}", reason.name()),
        }
    }

    /// What became of a seat's pieces.
    fn fates(&self, public: &Public, seat: Seat) -> String {
        let mut tokens: Vec<String> = Vec::new();
        let mut unmoved = 0;
        for slot in 0..PIECES {
            let piece = piece_of(seat, slot);
            let marks: String = [
                (has(&public.moved, piece) && !has(&public.alive, piece), '~'),
                (has(&public.turned, piece), '\''),
                (has(&public.shown, piece), '!'),
                (public.flag_taken[usize::from(seat)] == piece, '$'),
                (public.commander[usize::from(seat)] == piece, '^'),
            ]
            .iter()
            .filter_map(|&(holds, mark)| holds.then_some(mark))
            .collect();
            let alive = has(&public.alive, piece);
            if alive && !has(&public.moved, piece) && marks.is_empty() {
                unmoved += 1;
                continue;
            }
            if unmoved > 0 {
                tokens.push(unmoved.to_string());
                unmoved = 0;
            }
            let foe = public.foe[usize::from(piece)];
            let fate = if alive && !has(&public.moved, piece) {
                "1".into()
            } else if alive {
                self.station_name(public.pos[usize::from(piece)]).into()
            } else if foe == NOWHERE {
                if self.is_placed(public, piece) { "_" } else { "-" }.into()
            } else {
                let sign = match (has(&public.both, piece), has(&public.attacked, piece)) {
                    (false, true) => '<',
                    (false, false) => '>',
                    (true, true) => '*',
                    (true, false) => '%',
                };
                format!("{sign}{}", self.station_name(self.home(foe)))
            };
            tokens.push(fate + &marks);
        }
        if unmoved > 0 {
            tokens.push(unmoved.to_string());
        }
        tokens.join(",")
    }
}

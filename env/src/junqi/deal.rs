//! New games, and games that fit what a seat knows.

use super::piece::{Kind, PIECES};
use super::view::{Public, State, View, WHOLE, has, piece_of, pieces_of, seat_of};
use super::{Junqi, Layout, NOWHERE, Piece, Seats};
use crate::Error;
use crate::game::Seat;
use crate::rng::Rng;

/// Exchanges of two pieces' ranks tried for each seat, so that a first fit does not show in what is drawn.
const EXCHANGES: usize = 200;

impl Junqi {
    /// A new game, drawn or to be set up, as the rules say.
    pub(super) fn deal_new(&self, rng: &mut Rng) -> State {
        if self.is_set_up_by_play() {
            return self.begin();
        }
        let layouts: Seats<Layout> = std::array::from_fn(|seat| match seat < usize::from(self.seats()) {
            true => self.draw_layout(rng),
            false => self.library[0],
        });
        self.set_up(&layouts)
    }

    /// A new game from the seats' layouts, set-up behind it, in which `first` moves first. (Games that are dealt begin
    /// with seat 0; on platforms any seat may.)
    ///
    /// # Errors
    /// A layout that the rules do not allow, not one for each seat, or a seat that there is not.
    pub fn start(&self, layouts: &[Layout], first: Seat) -> Result<State, Error> {
        let seats = usize::from(self.seats());
        if layouts.len() != seats {
            let message = format!("{} given; expected {seats}", layouts.len());
            return Err(Error::Position { field: "layouts", message });
        }
        if first >= self.seats() {
            return Err(Error::Position {
                field: "turn",
                message: format!("there is no seat {first}; expected one below {seats}"),
            });
        }
        layouts.iter().try_for_each(|layout| layout.check(&self.rules))?;
        let mut state = self.set_up(&std::array::from_fn(|seat| layouts[seat % seats]));
        state.views.iter_mut().for_each(|view| view.public.to_move = first);
        Ok(state)
    }

    fn set_up(&self, layouts: &Seats<Layout>) -> State {
        let mut public = Public::empty();
        for seat in 0..self.seats() {
            public.alive[usize::from(seat)] = WHOLE;
            public.placed[usize::from(seat)] = PIECES as u8;
            for slot in 0..PIECES {
                self.put(&mut public, piece_of(seat, slot), self.board.homes[usize::from(seat)][slot]);
            }
        }
        // A game from layouts, where seats would set up themselves, stands behind the set-up.
        public.plies = self.setup_plies();
        let mut views = std::array::from_fn(|seat| self.stranger(&public, seat as Seat));
        for view in views.iter_mut().take(usize::from(self.seats())) {
            let viewer = view.seat;
            for seat in (0..self.seats()).filter(|&seat| self.sees(viewer, seat)) {
                view.tell_all(seat, &layouts[usize::from(seat)].0);
            }
            self.note_ranks(view);
        }
        State { views }
    }

    /// A game before anything is set up.
    fn begin(&self) -> State {
        let public = Public::empty();
        State { views: std::array::from_fn(|seat| self.stranger(&public, seat as Seat)) }
    }

    /// A game that fits all that a view's seat knows; the ranks it was not told are drawn, each assignment that fits
    /// about as likely as any other. What its enemies said it never heard, so there they said nothing.
    pub(super) fn deal_among(&self, view: &View, rng: &mut Rng) -> State {
        let kinds = self.draw_kinds(view, rng);
        self.state_of(&view.public, &kinds, |seat, piece| seat == view.seat && has(&view.told, piece))
            .expect("the kinds drawn fit")
            .with_talk(&view.said)
    }

    /// The whole from every piece's rank: each seat is told what the rules tell it, the ranks that combats showed
    /// included; `also` names others that a seat was told.
    pub(super) fn state_of(
        &self,
        public: &Public,
        kinds: &Seats<[Kind; PIECES]>,
        also: impl Fn(Seat, Piece) -> bool,
    ) -> Option<State> {
        let mut views = std::array::from_fn(|seat| self.stranger(public, seat as Seat));
        let every = || (0..self.seats()).flat_map(|seat| pieces_of(seat, WHOLE));
        let gone = every().filter(|&piece| public.foe[usize::from(piece)] != NOWHERE);
        let fights: Vec<(Piece, Piece)> = gone
            .map(|gone| {
                let (attacker, defender, _) = public.fight_of(gone);
                (attacker, defender)
            })
            .collect();
        for seat in 0..self.seats() {
            let showed = |piece: Piece| {
                let mut own = fights.iter().filter(|fight| fight.0 == piece || fight.1 == piece);
                own.any(|&(attacker, defender)| self.sees_ranks(seat, attacker, defender))
            };
            let mut told: Vec<(Piece, Kind)> = Vec::new();
            for other in 0..self.seats() {
                for (slot, &kind) in kinds[usize::from(other)].iter().enumerate() {
                    let piece = piece_of(other, slot);
                    let known = self.sees(seat, other) && self.is_placed(public, piece);
                    if known || showed(piece) || also(seat, piece) {
                        told.push((piece, kind));
                    }
                }
            }
            views[usize::from(seat)] = self.believe(public, seat, &told)?;
        }
        Some(State { views })
    }

    /// Whether a piece has been set up.
    pub(super) fn is_placed(&self, public: &Public, piece: Piece) -> bool {
        let placed = usize::from(public.placed[usize::from(seat_of(piece))]);
        placed == PIECES || self.board.placing[..placed].contains(&(piece & 31))
    }

    /// Ranks for all pieces that fit a view.
    pub(super) fn draw_kinds(&self, view: &View, rng: &mut Rng) -> Seats<[Kind; PIECES]> {
        let settled = self.settled(view);
        let filled = self.fill(settled, rng).expect("some assignment fits every view");
        let mut kinds: Seats<[Kind; PIECES]> = [[Kind::Flag; PIECES]; 4];
        for seat in 0..self.seats() {
            for piece in pieces_of(seat, WHOLE) {
                kinds[usize::from(seat)][usize::from(piece & 31)] =
                    Kind::ALL[filled.masks[usize::from(piece)].trailing_zeros() as usize];
            }
        }
        self.stir(&settled, &mut kinds, rng);
        kinds
    }

    /// Fixes one piece after the other, those with the fewest kinds left first, and turns back where nothing fits.
    fn fill(&self, mut view: View, rng: &mut Rng) -> Option<View> {
        loop {
            let every = (0..self.seats()).flat_map(|seat| pieces_of(seat, WHOLE));
            let undecided = every.filter(|&piece| view.masks[usize::from(piece)].count_ones() > 1);
            let Some(piece) = undecided.min_by_key(|&piece| view.masks[usize::from(piece)].count_ones()) else {
                return Some(view);
            };
            let kinds = view.masks[usize::from(piece)];
            let n = rng.below(kinds.count_ones());
            let kind = (0..n).fold(kinds, |rest, _| rest & (rest - 1)).trailing_zeros();
            let mut tried = view;
            tried.masks[usize::from(piece)] = 1 << kind;
            tried.dirty |= 1 << seat_of(piece);
            if self.settle_view(&mut tried)
                && let Some(filled) = self.fill(tried, rng)
            {
                return Some(filled);
            }
            view.masks[usize::from(piece)] &= !(1 << kind);
            view.dirty |= 1 << seat_of(piece);
            if !self.settle_view(&mut view) {
                return None;
            }
        }
    }

    /// Exchanges ranks within seats at random wherever both fit: in the long run every assignment that can be reached so
    /// is as likely as any other.
    fn stir(&self, view: &View, kinds: &mut Seats<[Kind; PIECES]>, rng: &mut Rng) {
        let open: Vec<Piece> =
            (0..self.seats()).flat_map(|seat| pieces_of(seat, view.open[usize::from(seat)])).collect();
        for seat in 0..self.seats() {
            let first = usize::from(piece_of(seat, 0));
            let masks: [u16; PIECES] = std::array::from_fn(|slot| view.masks[first + slot]);
            if masks.iter().all(|mask| mask.count_ones() == 1) {
                continue;
            }
            for _ in 0..EXCHANGES {
                let (a, b) = (rng.below(PIECES as u32) as usize, rng.below(PIECES as u32) as usize);
                let own = &mut kinds[usize::from(seat)];
                if masks[a] & own[b].bit() == 0 || masks[b] & own[a].bit() == 0 || own[a] == own[b] {
                    continue;
                }
                own.swap(a, b);
                if !open.iter().all(|&gone| self.fits_fight(view, gone, kinds)) {
                    kinds[usize::from(seat)].swap(a, b);
                }
            }
        }
    }

    /// Whether two pieces' ranks explain how they fought.
    fn fits_fight(&self, view: &View, gone: Piece, kinds: &Seats<[Kind; PIECES]>) -> bool {
        let (attacker, defender, fight) = view.public.fight_of(gone);
        let kind = |piece: Piece| kinds[usize::from(seat_of(piece))][usize::from(piece & 31)];
        self.combat.fight(kind(attacker), kind(defender)) == fight
    }
}

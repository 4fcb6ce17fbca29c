//! Which actions are legal: steps by road, runs along rails, flights of engineers.

use super::board::{Board, Rails, Way};
use super::piece::{Kind, Kinds};
use super::view::{Public, View, enemies, piece_of, pieces_of, seat_of};
use super::{Junqi, NOWHERE, Station};
use crate::game::{Action, Actions, Seat};
use crate::rng::Rng;

/// More moves by road and along rail lines than any 25 stations of a board have together; a test counts them.
pub(super) const MOST_STEPS: usize = 600;

/// Stations on a rail a piece with turns may reach.
pub(super) struct Flight {
    /// Its own number among the rail stations.
    from: Station,
    targets: Rails,
}

impl Flight {
    /// Its actions in ascending order.
    #[inline]
    fn actions(&self, board: &Board) -> impl Iterator<Item = Action> {
        let mut rest = self.targets;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let action = board.rail_number(self.from, rest.trailing_zeros());
                rest &= rest - 1;
                action
            })
        })
    }

    /// Its action of a number below the number of targets.
    #[inline]
    fn nth(&self, board: &Board, n: u32) -> Action {
        let mut rest = self.targets;
        (0..n).for_each(|_| rest &= rest - 1);
        board.rail_number(self.from, rest.trailing_zeros())
    }
}

/// The pieces of a seat that may move, and those of them that fly.
#[derive(Clone, Copy)]
pub(super) struct Movers {
    pub(super) all: u32,
    flying: u32,
}

impl Junqi {
    /// Kinds that run along rails over any turns.
    #[inline]
    pub(super) fn flyers(&self) -> Kinds {
        Kind::Engineer.bit() | if self.rules.bombs_fly { Kind::Bomb.bit() } else { 0 }
    }

    /// Whether a viewer is told all ranks of a seat by the rules.
    #[inline]
    pub(super) fn sees(&self, viewer: Seat, seat: Seat) -> bool {
        use super::rules::Sight;
        viewer == seat
            || match self.rules.sight {
                Sight::Dark => false,
                Sight::DoubleOpen => !enemies(viewer, seat),
                Sight::Open => true,
            }
    }

    /// The pieces of a seat that may move, as far as the view tells: where it does not know a rank, a piece counts as
    /// whatever it can be.
    #[inline]
    pub(super) fn movers(&self, view: &View, seat: Seat) -> Movers {
        let index = usize::from(seat);
        let free = view.public.alive[index] & !view.public.stuck[index];
        if self.sees(view.seat, seat) {
            return Movers { all: free & !view.fixed[index], flying: view.flying[index] };
        }
        let settled = self.settled(view);
        let (mut all, mut flying) = (0, 0);
        for piece in pieces_of(seat, free) {
            let kinds = settled.masks[usize::from(piece)];
            all |= u32::from(kinds & !super::piece::FIXED != 0) << (piece & 31);
            flying |= u32::from(kinds & self.flyers() != 0) << (piece & 31);
        }
        Movers { all, flying }
    }

    /// Whether a piece of a seat may end its move on a station.
    #[inline]
    fn may_enter(&self, public: &Public, seat: Seat, to: Station) -> bool {
        let there = public.at[usize::from(to)];
        there == NOWHERE || (enemies(seat_of(there), seat) && !self.board.camps[usize::from(to)])
    }

    /// Where a flying piece may go along rails: a flood over empty stations.
    #[inline]
    fn flight(&self, public: &Public, seat: Seat, from: Station) -> Flight {
        let own = self.board.rail_of[usize::from(from)];
        if own == NOWHERE {
            return Flight { from: 0, targets: 0 };
        }
        let [a, b, c, d] = public.rails;
        let empty = !(a | b | c | d);
        let foes = if seat & 1 == 0 { b | d } else { a | c };
        let (mut reached, mut frontier): (Rails, Rails) = (1 << own, 1 << own);
        while frontier != 0 {
            let mut next = 0;
            let mut rest = frontier;
            while rest != 0 {
                next |= self.board.rail_next[rest.trailing_zeros() as usize];
                rest &= rest - 1;
            }
            next &= !reached;
            reached |= next;
            frontier = next & empty;
        }
        // No camp lies on a rail.
        Flight { from: own, targets: reached & (empty | foes) & !(1 << own) }
    }

    /// Where a piece may go along one rail line and, after one turn, along a second.
    fn with_one_turn(&self, public: &Public, seat: Seat, from: Station) -> Flight {
        let own = self.board.rail_of[usize::from(from)];
        if own == NOWHERE {
            return Flight { from: 0, targets: 0 };
        }
        let mut targets = 0;
        let mut corners = 0;
        self.runs(public, seat, from, |to, empty| {
            let bit: Rails = 1 << self.board.rail_of[usize::from(to)];
            targets |= bit;
            corners |= if empty { bit } else { 0 };
        });
        while corners != 0 {
            let corner = self.board.rails[corners.trailing_zeros() as usize];
            corners &= corners - 1;
            self.runs(public, seat, corner, |to, _| targets |= 1 << self.board.rail_of[usize::from(to)]);
        }
        Flight { from: own, targets: targets & !(1 << own) }
    }

    /// Calls with each station to which a run along one rail line may lead, and whether it is empty.
    #[inline]
    fn runs(&self, public: &Public, seat: Seat, from: Station, mut each: impl FnMut(Station, bool)) {
        for (ray, known) in self.board.rays(from) {
            for (i, target) in ray.iter().enumerate() {
                let there = public.at[usize::from(target.to)];
                if i >= known && (there == NOWHERE || enemies(seat_of(there), seat)) {
                    each(target.to, there == NOWHERE);
                }
                if there != NOWHERE {
                    break;
                }
            }
        }
    }

    /// Calls with each action of a piece that neither flies nor turns, and with the flight of one that does.
    #[inline]
    fn moves_of(
        &self,
        public: &Public,
        seat: Seat,
        from: Station,
        flies: bool,
        mut each: impl FnMut(Action),
        mut flight: impl FnMut(Flight),
    ) {
        for target in self.board.roads(from) {
            if self.may_enter(public, seat, target.to) {
                each(target.action);
            }
        }
        if flies {
            return flight(self.flight(public, seat, from));
        }
        if self.rules.one_turn {
            return flight(self.with_one_turn(public, seat, from));
        }
        for (ray, known) in self.board.rays(from) {
            for (i, target) in ray.iter().enumerate() {
                let there = public.at[usize::from(target.to)];
                if there == NOWHERE {
                    if i >= known {
                        each(target.action);
                    }
                    continue;
                }
                if i >= known && enemies(seat_of(there), seat) {
                    each(target.action);
                }
                break;
            }
        }
    }

    /// Calls with each legal move of the seat to move, in no particular order.
    #[inline]
    fn each_move(&self, view: &View, mut each: impl FnMut(Action)) {
        let (public, seat) = (&view.public, view.public.to_move);
        let movers = self.movers(view, seat);
        let mut rest = movers.all;
        while rest != 0 {
            let slot = rest.trailing_zeros();
            rest &= rest - 1;
            let from = public.pos[usize::from(piece_of(seat, slot as usize))];
            let mut flight = None;
            self.moves_of(public, seat, from, movers.flying >> slot & 1 == 1, &mut each, |found| flight = Some(found));
            if let Some(flight) = flight {
                flight.actions(&self.board).for_each(&mut each);
            }
        }
    }

    /// Whether one of a seat's pieces has a neighbour that it may enter: then there is a legal move.
    #[inline]
    pub(super) fn can_move(&self, public: &Public, seat: Seat, mut movers: u32) -> bool {
        while movers != 0 {
            let from = public.pos[usize::from(piece_of(seat, movers.trailing_zeros() as usize))];
            movers &= movers - 1;
            if self.board.near(from).iter().any(|&to| self.may_enter(public, seat, to)) {
                return true;
            }
        }
        false
    }

    /// Writes 1 for every legal action.
    pub(super) fn write_mask(&self, view: &View, out: &mut [i8]) {
        out.fill(0);
        if view.public.status.is_ongoing() {
            match self.next_slot(&view.public) {
                Some(slot) => self.each_placement(view, slot, |action| out[usize::from(action)] = 1),
                None => self.each_move(view, |action| out[usize::from(action)] = 1),
            }
        }
    }

    /// Sets the bit of every legal action, 64 a word, and clears the others.
    ///
    /// # Panics
    /// When there are fewer than `num_actions / 64` words, rounded up.
    pub fn legal_bits(&self, view: &View, out: &mut [u64]) {
        out.fill(0);
        let mut set = |action: Action| out[usize::from(action) / 64] |= 1 << (action % 64);
        if view.public.status.is_ongoing() {
            match self.next_slot(&view.public) {
                Some(slot) => self.each_placement(view, slot, &mut set),
                None => self.each_move(view, &mut set),
            }
        }
    }

    /// Appends the legal actions in ascending order.
    pub(super) fn write_legal(&self, view: &View, out: &mut Actions) {
        let mut bits = [0u64; 89];
        self.legal_bits(view, &mut bits);
        for (word, mut rest) in bits.into_iter().enumerate() {
            while rest != 0 {
                out.push(word as Action * 64 + rest.trailing_zeros() as Action);
                rest &= rest - 1;
            }
        }
    }

    /// A uniformly random legal action.
    #[inline]
    pub(super) fn sample_action(&self, view: &View, rng: &mut Rng) -> Action {
        let (public, seat) = (&view.public, view.public.to_move);
        if let Some(slot) = self.next_slot(public) {
            let mut list = [0; super::piece::KINDS];
            let mut count = 0;
            self.each_placement(view, slot, |action| {
                list[count] = action;
                count += 1;
            });
            return list[rng.below(count as u32) as usize];
        }
        // Flights stay sets: most have many targets, and only one of all is needed.
        let movers = self.movers(view, seat);
        let mut list = [0; MOST_STEPS];
        let mut flights = [const { Flight { from: 0, targets: 0 } }; 25];
        let (mut count, mut flown, mut total) = (0, 0, 0);
        let mut rest = movers.all;
        while rest != 0 {
            let slot = rest.trailing_zeros();
            rest &= rest - 1;
            let from = public.pos[usize::from(piece_of(seat, slot as usize))];
            let flies = movers.flying >> slot & 1 == 1;
            self.moves_of(
                public,
                seat,
                from,
                flies,
                |action| {
                    list[count] = action;
                    count += 1;
                },
                |flight| {
                    total += flight.targets.count_ones();
                    flights[flown] = flight;
                    flown += 1;
                },
            );
        }
        let mut n = rng.below(count as u32 + total);
        if n < count as u32 {
            return list[n as usize];
        }
        n -= count as u32;
        for flight in &flights[..flown] {
            let targets = flight.targets.count_ones();
            if n < targets {
                return flight.nth(&self.board, n);
            }
            n -= targets;
        }
        unreachable!("the draw is below the number of actions")
    }

    /// Whether any number is a legal action.
    pub(super) fn legal_action(&self, view: &View, action: Action) -> bool {
        let (public, seat) = (&view.public, view.public.to_move);
        if !public.status.is_ongoing() {
            return false;
        }
        if let Some(slot) = self.next_slot(public) {
            let mut found = false;
            self.each_placement(view, slot, |other| found |= other == action);
            return found;
        }
        let Some(&(from, to)) = self.board.moves.get(usize::from(action)) else { return false };
        let piece = public.at[usize::from(from)];
        if piece == NOWHERE || seat_of(piece) != seat || !self.may_enter(public, seat, to) {
            return false;
        }
        let movers = self.movers(view, seat);
        if movers.all >> (piece & 31) & 1 == 0 || !self.board.graph.open[usize::from(from)] {
            return false;
        }
        self.reaches(public, seat, action, movers.flying >> (piece & 31) & 1 == 1)
    }

    /// Whether nothing stands in the way of a move.
    fn reaches(&self, public: &Public, seat: Seat, action: Action, flies: bool) -> bool {
        let (from, to) = self.board.moves[usize::from(action)];
        match self.board.way(action) {
            Way::Road => true,
            Way::Straight(between) if between & public.rails.iter().fold(0, |all, rails| all | rails) == 0 => true,
            _ => {
                let flight = match flies {
                    true => self.flight(public, seat, from),
                    false if self.rules.one_turn => self.with_one_turn(public, seat, from),
                    false => return false,
                };
                let rail = self.board.rail_of[usize::from(to)];
                rail != NOWHERE && flight.targets >> rail & 1 == 1
            }
        }
    }

    /// Whether a move, before it is played, is one that only a flying piece can make.
    #[inline]
    pub(super) fn shows_flight(&self, public: &Public, action: Action) -> bool {
        match self.board.way(action) {
            Way::Road => false,
            Way::Straight(0) => false,
            _ => !self.reaches(public, public.to_move, action, false),
        }
    }

    /// The slot that the seat to move fills next, in a set-up.
    #[inline]
    pub(super) fn next_slot(&self, public: &Public) -> Option<usize> {
        self.board.placements?;
        let placed = usize::from(public.placed[usize::from(public.to_move)]);
        self.board.placing.get(placed).map(|&slot| usize::from(slot))
    }

    /// Calls with each action that places a piece on a slot: the kinds left with which a whole legal layout remains.
    fn each_placement(&self, view: &View, slot: usize, mut each: impl FnMut(Action)) {
        let Some(first) = self.board.placements else { return };
        let mut kinds = self.candidates_of(view, piece_of(view.public.to_move, slot));
        while kinds != 0 {
            each(first + kinds.trailing_zeros() as Action);
            kinds &= kinds - 1;
        }
    }
}

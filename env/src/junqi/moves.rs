//! Which actions are legal: steps by road, runs along rails, flights of engineers.

use super::board::{Board, Rails, Way};
use super::piece::{Kind, Kinds};
use super::view::{Public, View, enemies, piece_of, pieces_of, seat_of};
use super::{Junqi, NOWHERE, Station};
use crate::game::{Action, Actions, Seat};
use crate::rng::Rng;

/// Where a piece may go.
#[derive(Clone, Copy)]
struct Reach {
    from: Station,
    /// By road, as bits of its territory.
    roads: u32,
    rails: Rails,
}

impl Reach {
    #[inline]
    fn len(&self) -> u32 {
        self.roads.count_ones() + self.rails.count_ones()
    }

    /// Calls with each action.
    #[inline]
    fn each(&self, board: &Board, mut each: impl FnMut(Action)) {
        let (mut roads, mut rails) = (self.roads, self.rails);
        while roads != 0 {
            each(board.road_number(self.from, roads.trailing_zeros()));
            roads &= roads - 1;
        }
        if rails != 0 {
            let from = board.rail_of[usize::from(self.from)];
            while rails != 0 {
                each(board.rail_number(from, rails.trailing_zeros()));
                rails &= rails - 1;
            }
        }
    }

    /// The action of a number below the number of actions.
    #[inline]
    fn nth(&self, board: &Board, n: u32) -> Action {
        let (mut roads, mut rails) = (self.roads, self.rails);
        match n.checked_sub(roads.count_ones()) {
            None => {
                (0..n).for_each(|_| roads &= roads - 1);
                board.road_number(self.from, roads.trailing_zeros())
            }
            Some(n) => {
                (0..n).for_each(|_| rails &= rails - 1);
                board.rail_number(board.rail_of[usize::from(self.from)], rails.trailing_zeros())
            }
        }
    }
}

/// Where a seat's pieces may run and end, as the board stands.
struct Field {
    taken: Rails,
    /// Rail stations that are empty or an enemy's; no camp lies on a rail.
    enter: Rails,
    /// The same by territory, without enemies in camps.
    roads: [u32; 5],
}

impl Field {
    #[inline]
    fn of(board: &Board, public: &Public, seat: Seat) -> Field {
        let foes = |of: &[u32; 4]| if seat & 1 == 0 { of[1] | of[3] } else { of[0] | of[2] };
        let roads = public.ground.map(|of| {
            let taken = of[0] | of[1] | of[2] | of[3];
            !taken | (foes(&of) & !board.camp_bits)
        });
        let [a, b, c, d] = public.rails;
        let taken = a | b | c | d;
        let foes = if seat & 1 == 0 { b | d } else { a | c };
        Field { taken, enter: !taken | foes, roads }
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
    fn flight(&self, field: &Field, own: Station) -> Rails {
        let (mut reached, mut frontier): (Rails, Rails) = (1 << own, 1 << own);
        while frontier != 0 {
            let mut next = 0;
            while frontier != 0 {
                next |= self.board.rail_next[frontier.trailing_zeros() as usize];
                frontier &= frontier - 1;
            }
            next &= !reached;
            reached |= next;
            frontier = next & !field.taken;
        }
        reached
    }

    /// Where a piece may go along one rail line.
    #[inline]
    fn straight(&self, field: &Field, from: Station) -> Rails {
        self.board.rays(from).iter().fold(0, |reached, ray| reached | ray.reach(field.taken))
    }

    /// Where a piece may go along one rail line and, after one turn, along a second.
    fn with_one_turn(&self, field: &Field, from: Station) -> Rails {
        let mut reached = self.straight(field, from);
        let mut corners = reached & !field.taken;
        while corners != 0 {
            reached |= self.straight(field, self.board.rails[corners.trailing_zeros() as usize]);
            corners &= corners - 1;
        }
        reached
    }

    /// Where a piece on a station may go.
    #[inline]
    fn reach(&self, field: &Field, from: Station, flies: bool) -> Reach {
        let territory = usize::from(self.board.ground_of[usize::from(from)].0);
        let roads = self.board.roads[usize::from(from)] & field.roads[territory];
        Reach { from, roads, rails: self.rail_reach(field, from, flies) }
    }

    #[inline]
    fn rail_reach(&self, field: &Field, from: Station, flies: bool) -> Rails {
        let own = self.board.rail_of[usize::from(from)];
        if own == NOWHERE {
            return 0;
        }
        let reached = match flies {
            true => self.flight(field, own),
            false if self.rules.one_turn => self.with_one_turn(field, from),
            false => self.straight(field, from),
        };
        reached & field.enter & !(1 << own)
    }

    /// Calls with where each piece of the seat to move may go.
    #[inline]
    fn each_reach(&self, view: &View, mut each: impl FnMut(Reach)) {
        let (public, seat) = (&view.public, view.public.to_move);
        let movers = self.movers(view, seat);
        let field = Field::of(&self.board, public, seat);
        let mut rest = movers.all;
        while rest != 0 {
            let slot = rest.trailing_zeros();
            rest &= rest - 1;
            let from = public.pos[usize::from(piece_of(seat, slot as usize))];
            each(self.reach(&field, from, movers.flying >> slot & 1 == 1));
        }
    }

    /// Calls with each legal move of the seat to move, in no particular order.
    #[inline]
    fn each_move(&self, view: &View, mut each: impl FnMut(Action)) {
        self.each_reach(view, |reach| reach.each(&self.board, &mut each));
    }

    /// Whether one of a seat's pieces has a neighbour that it may enter: then there is a legal move.
    #[inline]
    pub(super) fn can_move(&self, public: &Public, seat: Seat, mut movers: u32) -> bool {
        let field = Field::of(&self.board, public, seat);
        while movers != 0 {
            let from = public.pos[usize::from(piece_of(seat, movers.trailing_zeros() as usize))];
            movers &= movers - 1;
            let (territory, rail) = (self.board.ground_of[usize::from(from)].0, self.board.rail_of[usize::from(from)]);
            let by_rail = rail != NOWHERE && self.board.rail_next[usize::from(rail)] & field.enter != 0;
            if by_rail || self.board.roads[usize::from(from)] & field.roads[usize::from(territory)] != 0 {
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
                None => {
                    self.each_move(view, |action| out[usize::from(action)] = 1);
                    self.open_signals(view).for_each(|action| out[usize::from(action)] = 1);
                }
            }
        }
    }

    /// Sets the bit of every legal action, 64 a word, and clears the others.
    pub(super) fn write_bits(&self, view: &View, out: &mut [u64]) {
        out.fill(0);
        let mut set = |action: Action| out[usize::from(action) / 64] |= 1 << (action % 64);
        if view.public.status.is_ongoing() {
            match self.next_slot(&view.public) {
                Some(slot) => self.each_placement(view, slot, &mut set),
                None => {
                    self.each_move(view, &mut set);
                    self.open_signals(view).for_each(set);
                }
            }
        }
    }

    /// Appends the legal actions in ascending order.
    pub(super) fn write_legal(&self, view: &View, out: &mut Actions) {
        let mut bits = [0u64; 89];
        self.write_bits(view, &mut bits);
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
        if let Some(slot) = self.next_slot(&view.public) {
            let mut list = [0; super::piece::KINDS];
            let mut count = 0;
            self.each_placement(view, slot, |action| {
                list[count] = action;
                count += 1;
            });
            return list[rng.below(count as u32) as usize];
        }
        let mut found = [const { Reach { from: 0, roads: 0, rails: 0 } }; super::piece::PIECES];
        let (mut count, mut total) = (0, 0);
        self.each_reach(view, |reach| {
            found[count] = reach;
            count += 1;
            total += reach.len();
        });
        let signals = self.open_signals(view);
        let mut n = rng.below(total + signals.len() as u32);
        for reach in &found[..count] {
            match n.checked_sub(reach.len()) {
                None => return reach.nth(&self.board, n),
                Some(rest) => n = rest,
            }
        }
        signals.start + n as Action
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
        let Some(&(from, to)) = self.board.moves.get(usize::from(action)) else {
            return self.open_signals(view).contains(&action);
        };
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
            _ if !flies && !self.rules.one_turn => false,
            _ => {
                let field = Field::of(&self.board, public, seat);
                let rail = self.board.rail_of[usize::from(to)];
                rail != NOWHERE && self.rail_reach(&field, from, flies) >> rail & 1 == 1
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

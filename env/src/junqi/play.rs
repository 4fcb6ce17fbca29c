//! What an action does: moves, combats, who is out, and the end of the game.

use super::belief::Event;
use super::piece::{Fight, KINDS, Kind, PIECES};
use super::rules::Reveal;
use super::view::{
    Out, Outcome, Piece, Public, State, View, enemies, has, insert, piece_of, pieces_of, remove, seat_of,
};
use super::{Junqi, NOWHERE, Station};
use crate::game::{Action, Reason, Seat, Status};

impl Junqi {
    /// The seat after another in the order of turns, out or not.
    #[inline]
    pub(super) fn after(&self, seat: Seat) -> Seat {
        let step = if self.rules.clockwise { self.seats() - 1 } else { 1 };
        (seat + step) % self.seats()
    }

    /// The next seat that plays.
    #[inline]
    pub(super) fn next_living(&self, public: &Public, seat: Seat) -> Seat {
        let mut next = self.after(seat);
        while public.out[usize::from(next)].is_some() && next != seat {
            next = self.after(next);
        }
        next
    }

    /// Puts a piece onto an empty station.
    #[inline]
    pub(super) fn put(&self, public: &mut Public, piece: Piece, station: Station) {
        public.at[usize::from(station)] = piece;
        public.pos[usize::from(piece)] = station;
        let (territory, bit) = self.board.ground_of[usize::from(station)];
        public.ground[usize::from(territory)][usize::from(seat_of(piece))] |= 1 << bit;
        let rail = self.board.rail_of[usize::from(station)];
        if rail != NOWHERE {
            public.rails[usize::from(seat_of(piece))] |= 1 << rail;
        }
        if self.board.headquarters[usize::from(station)] && !self.rules.hq_moves {
            insert(&mut public.stuck, piece);
        }
    }

    /// Takes a piece off its station.
    #[inline]
    fn lift(&self, public: &mut Public, piece: Piece) {
        let station = public.pos[usize::from(piece)];
        public.at[usize::from(station)] = NOWHERE;
        public.pos[usize::from(piece)] = NOWHERE;
        let (territory, bit) = self.board.ground_of[usize::from(station)];
        public.ground[usize::from(territory)][usize::from(seat_of(piece))] &= !(1 << bit);
        let rail = self.board.rail_of[usize::from(station)];
        if rail != NOWHERE {
            public.rails[usize::from(seat_of(piece))] &= !(1 << rail);
        }
    }

    #[inline]
    fn kill(&self, public: &mut Public, piece: Piece, foe: Piece) {
        self.lift(public, piece);
        remove(&mut public.alive, piece);
        remove(&mut public.stuck, piece);
        public.foe[usize::from(piece)] = foe;
    }

    /// A seat is out: its pieces leave the board. True when that ends the game.
    pub(super) fn go_out(&self, public: &mut Public, seat: Seat, out: Out) -> bool {
        pieces_of(seat, public.alive[usize::from(seat)]).for_each(|piece| self.lift(public, piece));
        public.alive[usize::from(seat)] = 0;
        public.stuck[usize::from(seat)] = 0;
        public.out[usize::from(seat)] = Some(out);
        public.quiet = 0;
        let lost = (0..self.seats()).filter(|&other| !enemies(other, seat));
        if lost.into_iter().all(|other| public.out[usize::from(other)].is_some()) {
            // The winning team goes by its first seat.
            public.status = Status::Win((seat ^ 1) & 1, out.reason());
            return true;
        }
        false
    }

    /// Plays a move as everybody sees it, but for who is out and whose turn it is.
    #[inline]
    fn advance(&self, public: &mut Public, action: Action, outcome: &Outcome) -> Event {
        let (from, to) = self.board.moves[usize::from(action)];
        let (attacker, defender) = (public.at[usize::from(from)], public.at[usize::from(to)]);
        let event =
            Event { attacker, defender, first: !has(&public.moved, attacker), flew: self.shows_flight(public, action) };
        insert(&mut public.moved, attacker);
        if event.flew {
            insert(&mut public.turned, attacker);
        }
        for (seat, &station) in outcome.flags.iter().enumerate() {
            if station != NOWHERE {
                let flag = public.at[usize::from(station)];
                insert(&mut public.shown, flag);
                public.commander[seat] = if seat_of(attacker) == seat as Seat { attacker } else { defender };
            }
        }
        public.last[usize::from(public.to_move)] = [from, to];
        public.plies += 1;
        public.quiet = if outcome.fight == Fight::Moved { public.quiet.saturating_add(1) } else { 0 };
        match outcome.fight {
            Fight::Moved => {
                self.lift(public, attacker);
                self.put(public, attacker, to);
            }
            Fight::Won => {
                self.kill(public, defender, attacker);
                self.lift(public, attacker);
                self.put(public, attacker, to);
                insert(&mut public.survived, attacker);
            }
            Fight::Lost => {
                self.kill(public, attacker, defender);
                insert(&mut public.attacked, attacker);
                insert(&mut public.survived, defender);
            }
            Fight::Both => {
                self.kill(public, attacker, defender);
                self.kill(public, defender, attacker);
                insert(&mut public.attacked, attacker);
                insert(&mut public.both, attacker);
                insert(&mut public.both, defender);
            }
        }
        event
    }

    /// Gives the turn on and ends the game in a draw where a limit is reached.
    #[inline]
    fn end_ply(&self, public: &mut Public) {
        public.to_move = self.next_living(public, public.to_move);
        if !public.status.is_ongoing() {
            return;
        }
        let limit = self.rules.quiet_limit;
        if limit > 0 && public.quiet >= limit {
            public.status = Status::Draw(Reason::QuietLimit);
        } else if self.rules.ply_limit > 0 && public.plies - self.setup_plies() >= self.rules.ply_limit {
            public.status = Status::Draw(Reason::PlyLimit);
        }
    }

    /// Plies that setting up takes.
    pub(super) fn setup_plies(&self) -> u32 {
        if self.board.placements.is_some() { u32::from(self.seats()) * PIECES as u32 } else { 0 }
    }

    /// What a move brings about, by the true ranks.
    #[inline]
    fn judge(&self, state: &State, action: Action) -> Outcome {
        let public = state.public();
        let (from, to) = self.board.moves[usize::from(action)];
        let (attacker, defender) = (public.at[usize::from(from)], public.at[usize::from(to)]);
        let mut outcome = Outcome::MOVED;
        if defender == NOWHERE {
            return outcome;
        }
        let ranks = [state.kind(attacker), state.kind(defender)];
        outcome.fight = self.combat.fight(ranks[0], ranks[1]);
        outcome.ranks = Some(ranks);
        for (piece, kind, stays) in [(attacker, ranks[0], Fight::Won), (defender, ranks[1], Fight::Lost)] {
            let seat = usize::from(seat_of(piece));
            if kind == Kind::Commander && outcome.fight != stays {
                outcome.flags[seat] = self.flag_station(state, seat as Seat);
            }
        }
        if ranks[1] == Kind::Flag {
            outcome.outs[usize::from(seat_of(defender))] = Some(Out::Flag);
        }
        outcome
    }

    fn flag_station(&self, state: &State, seat: Seat) -> Station {
        let public = state.public();
        let flag = pieces_of(seat, public.alive[usize::from(seat)]).find(|&piece| state.kind(piece) == Kind::Flag);
        flag.map_or(NOWHERE, |flag| public.pos[usize::from(flag)])
    }

    /// Whether a viewer sees the ranks of a combat.
    #[inline]
    pub(super) fn sees_ranks(&self, viewer: Seat, attacker: Piece, defender: Piece) -> bool {
        match self.rules.reveal {
            Reveal::None => false,
            Reveal::Combatants => viewer == seat_of(attacker) || viewer == seat_of(defender),
            Reveal::Both => true,
        }
    }

    /// Plays a legal action by the true ranks and returns what it showed to the seat that played it.
    pub(super) fn play_state(&self, state: &mut State, action: Action) -> Option<Outcome> {
        let mover = state.public().to_move;
        if self.next_slot(state.public()).is_some() {
            for seat in 0..self.seats() {
                self.place(&mut state.views[usize::from(seat)], action);
            }
            return None;
        }
        if let Some(signal) = self.signal(action) {
            state.views.iter_mut().for_each(|view| self.say(view, signal));
            return None;
        }
        let mut outcome = self.judge(state, action);
        let event = self.advance(&mut state.views[0].public, action, &outcome);
        self.find_outs(state, mover, event.defender, &mut outcome);
        self.end_ply(&mut state.views[0].public);
        let public = state.views[0].public;
        for seat in 0..self.seats() {
            let view = &mut state.views[usize::from(seat)];
            if seat > 0 {
                view.public = public;
            }
            if event.first || event.flew || outcome.fight != Fight::Moved {
                let mut shown = outcome;
                if event.defender == NOWHERE || !self.sees_ranks(seat, event.attacker, event.defender) {
                    shown.ranks = None;
                }
                self.learn(view, event, &shown);
            }
            if self.rules.signals {
                view.end_turn(mover);
            }
        }
        if event.defender == NOWHERE || !self.sees_ranks(mover, event.attacker, event.defender) {
            outcome.ranks = None;
        }
        (outcome != Outcome::MOVED).then_some(outcome)
    }

    /// Finds out who is out after a move, in this order: whose flag was taken; who has no piece that can ever move,
    /// from the seat next in turn on; who has no legal move at its turn.
    #[inline]
    pub(super) fn find_outs(&self, state: &mut State, mover: Seat, defender: Piece, outcome: &mut Outcome) {
        let mut out = |state: &mut State, seat: Seat, why: Out| {
            outcome.outs[usize::from(seat)] = Some(why);
            // Views other than the first follow when the ply is over.
            self.go_out(&mut state.views[0].public, seat, why)
        };
        if defender != NOWHERE {
            let seat = seat_of(defender);
            if state.kind(defender) == Kind::Flag {
                state.views[0].public.flag_taken[usize::from(seat)] = defender;
                if out(state, seat, Out::Flag) {
                    return;
                }
            }
        }
        let mut seat = mover;
        for _ in 0..self.seats() {
            seat = self.after(seat);
            let public = &state.views[0].public;
            let index = usize::from(seat);
            let mobile = public.alive[index] & !public.stuck[index] & !state.views[index].fixed[index];
            if public.out[index].is_none() && mobile == 0 && out(state, seat, Out::NoMoves) {
                return;
            }
        }
        loop {
            let seat = self.next_living(&state.views[0].public, mover);
            if self.can_play(state, seat) || out(state, seat, Out::NoMoves) {
                return;
            }
        }
    }

    /// Whether a seat has a legal move as things stand in the first view.
    #[inline]
    fn can_play(&self, state: &State, seat: Seat) -> bool {
        let (public, own) = (&state.views[0].public, &state.views[usize::from(seat)]);
        let index = usize::from(seat);
        self.can_move(public, seat, public.alive[index] & !public.stuck[index] & !own.fixed[index])
    }

    /// Plays an action on a view, with what it showed.
    pub(super) fn play_view(&self, view: &mut View, action: Action, outcome: Option<Outcome>) {
        if self.next_slot(&view.public).is_some() {
            return self.place(view, action);
        }
        if let Some(signal) = self.signal(action) {
            return self.say(view, signal);
        }
        let outcome = outcome.unwrap_or(Outcome::MOVED);
        let mover = view.public.to_move;
        let event = self.advance(&mut view.public, action, &outcome);
        let mut seat = mover;
        // Flags first, then in the order of turns, as when it is found out.
        for flags in [true, false] {
            for _ in 0..self.seats() {
                seat = self.after(seat);
                if let Some(why) = outcome.outs[usize::from(seat)].filter(|&why| flags == (why == Out::Flag)) {
                    if flags {
                        view.public.flag_taken[usize::from(seat)] = event.defender;
                    }
                    self.go_out(&mut view.public, seat, why);
                }
            }
        }
        self.end_ply(&mut view.public);
        self.learn(view, event, &outcome);
        if self.rules.signals {
            view.end_turn(mover);
        }
    }

    /// Places a piece in a set-up. Who may not see it sees only where.
    fn place(&self, view: &mut View, action: Action) {
        let seat = view.public.to_move;
        let (Some(slot), Some(first)) = (self.next_slot(&view.public), self.board.placements) else { return };
        let piece = piece_of(seat, slot);
        self.put(&mut view.public, piece, self.board.homes[usize::from(seat)][slot]);
        insert(&mut view.public.alive, piece);
        let index = usize::from(seat);
        view.public.placed[index] += 1;
        view.public.plies += 1;
        if self.sees(view.seat, seat) {
            view.tell(piece, Kind::ALL[usize::from(action - first) % KINDS]);
            if usize::from(view.public.placed[index]) == PIECES {
                self.note_ranks(view);
            }
        }
        if usize::from(view.public.placed[index]) == PIECES {
            view.public.to_move = self.after(seat);
        }
    }
}

//! What an action may show, and how likely.

use super::piece::{FIXED, Fight, KINDS, Kind, Kinds};
use super::view::{Out, Outcome, Piece, View, pieces_of, seat_of, slot_of};
use super::{Junqi, NOWHERE, Seats, Station};
use crate::game::{Action, Seat};
use crate::rng::Rng;

/// Games drawn where outcomes cannot be counted.
const DRAWS: usize = 200;

/// Outcomes of an action with their probabilities.
#[derive(Clone, Debug)]
pub struct Chances {
    /// Empty where nothing is left to chance; else in the order in which they were found, adding up to one.
    pub outcomes: Vec<(Outcome, f64)>,
    /// Whether the probabilities are exact, every assignment of ranks that fits the view counting the same, and no
    /// outcome is missing.
    pub exact: bool,
}

impl Chances {
    fn certain(outcome: Outcome) -> Chances {
        let outcomes = if outcome == Outcome::MOVED { Vec::new() } else { vec![(outcome, 1.0)] };
        Chances { outcomes, exact: true }
    }

    fn add(&mut self, outcome: Outcome, p: f64) {
        if p > 0.0 {
            match self.outcomes.iter_mut().find(|(other, _)| *other == outcome) {
                Some((_, sum)) => *sum += p,
                None => self.outcomes.push((outcome, p)),
            }
        }
    }
}

impl Junqi {
    /// What a legal action may show to the view's seat.
    pub fn chances(&self, view: &View, action: Action) -> Chances {
        if self.next_slot(&view.public).is_some() || self.signal(action).is_some() {
            return Chances { outcomes: Vec::new(), exact: true };
        }
        let view = self.settled(view);
        match self.counted_chances(&view, action) {
            Some(chances) => chances,
            None => self.drawn_chances(&view, action),
        }
    }

    /// Outcomes from the marginals of the two that fight; none where somebody may go out for want of a move, for that
    /// hangs on many pieces at once.
    fn counted_chances(&self, view: &View, action: Action) -> Option<Chances> {
        let (from, to) = self.board.moves[usize::from(action)];
        let (attacker, defender) = (view.public.at[usize::from(from)], view.public.at[usize::from(to)]);
        if defender == NOWHERE {
            return self.nobody_stuck(view, action, Outcome::MOVED).then(|| Chances::certain(Outcome::MOVED));
        }
        let mut chances = Chances { outcomes: Vec::new(), exact: true };
        let mut shares = |piece: Piece| -> [f64; KINDS] {
            let marginals = self.marginals(view, seat_of(piece));
            chances.exact &= marginals.exact;
            marginals.of[slot_of(piece)]
        };
        let (ours, theirs) = (shares(attacker), shares(defender));
        // A piece that moves is neither flag nor mine.
        let mobile: f64 = Kind::ALL.into_iter().filter(|kind| FIXED & kind.bit() == 0).map(|k| ours[k as usize]).sum();
        for mine in Kind::ALL.into_iter().filter(|kind| FIXED & kind.bit() == 0 && ours[*kind as usize] > 0.0) {
            for other in Kind::ALL.into_iter().filter(|kind| theirs[*kind as usize] > 0.0) {
                let p = ours[mine as usize] / mobile * theirs[other as usize];
                self.add_fight(view, [attacker, defender], [mine, other], p, &mut chances);
            }
        }
        let sure = chances.outcomes.iter().all(|&(outcome, _)| self.nobody_stuck(view, action, outcome));
        sure.then_some(chances)
    }

    /// Adds what a combat of two ranks shows; where a flag stands that a commander's death shows may be open.
    fn add_fight(&self, view: &View, pieces: [Piece; 2], ranks: [Kind; 2], p: f64, chances: &mut Chances) {
        let mut outcome = Outcome { fight: self.combat.fight(ranks[0], ranks[1]), ..Outcome::MOVED };
        let [attacker, defender] = pieces;
        if self.sees_ranks(view.seat, attacker, defender) {
            outcome.ranks = Some(ranks);
        }
        if ranks[1] == Kind::Flag {
            outcome.outs[usize::from(seat_of(defender))] = Some(Out::Flag);
        }
        let mut shown: Seats<Vec<(Station, f64)>> = std::array::from_fn(|_| vec![(NOWHERE, 1.0)]);
        for (piece, kind, stays) in [(attacker, ranks[0], Fight::Won), (defender, ranks[1], Fight::Lost)] {
            if kind == Kind::Commander && outcome.fight != stays {
                let (places, exact) = self.flag_places(view, piece);
                chances.exact &= exact;
                shown[usize::from(seat_of(piece))] = places;
            }
        }
        let [one, other] = [usize::from(seat_of(attacker)), usize::from(seat_of(defender))];
        for &(first, p_first) in &shown[one] {
            for &(second, p_second) in &shown[other] {
                (outcome.flags[one], outcome.flags[other]) = (first, second);
                chances.add(outcome, p * p_first * p_second);
            }
        }
    }

    /// Where the flag of a piece's seat may stand, given that the piece is the commander.
    fn flag_places(&self, view: &View, commander: Piece) -> (Vec<(Station, f64)>, bool) {
        let seat = seat_of(commander);
        let mut given = *view;
        given.masks[usize::from(commander)] = Kind::Commander.bit();
        given.dirty |= 1 << seat;
        let fits = self.settle_view(&mut given);
        let marginals = self.marginals(if fits { &given } else { view }, seat);
        let standing = pieces_of(seat, view.public.alive[usize::from(seat)]);
        let places = standing
            .map(|piece| (view.public.pos[usize::from(piece)], marginals.of[slot_of(piece)][Kind::Flag as usize]));
        let places: Vec<(Station, f64)> = places.filter(|&(_, p)| p > 0.0).collect();
        let sum: f64 = places.iter().map(|(_, p)| p).sum();
        (places.into_iter().map(|(station, p)| (station, p / sum)).collect(), marginals.exact && fits)
    }

    /// Whether after an outcome every seat that plays surely has a piece that can move, and the next one a move.
    fn nobody_stuck(&self, view: &View, action: Action, outcome: Outcome) -> bool {
        let mut after = *view;
        self.play_view(&mut after, action, (outcome != Outcome::MOVED).then_some(outcome));
        if !after.public.status.is_ongoing() && outcome.outs != [None; 4] {
            return true;
        }
        let sure = |seat: Seat| {
            let free = after.public.alive[usize::from(seat)] & !after.public.stuck[usize::from(seat)];
            let mobile = |kinds: Kinds| kinds & FIXED == 0;
            pieces_of(seat, free)
                .filter(|&piece| mobile(after.masks[usize::from(piece)]))
                .fold(0, |set, piece| set | 1u32 << slot_of(piece))
        };
        let living = (0..self.seats()).filter(|&seat| after.public.out[usize::from(seat)].is_none());
        living.into_iter().all(|seat| sure(seat) != 0)
            && self.can_move(&after.public, after.public.to_move, sure(after.public.to_move))
    }

    /// Outcomes by playing in games drawn to fit the view, always the same for the same view and action.
    fn drawn_chances(&self, view: &View, action: Action) -> Chances {
        let known = self.all_known(view);
        let text = self.text_of_view(view);
        let seed =
            text.bytes().fold(u64::from(action), |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut rng = Rng::new(seed);
        let mut chances = Chances { outcomes: Vec::new(), exact: known };
        let draws = if known { 1 } else { DRAWS };
        for _ in 0..draws {
            let mut state = self.deal_among(view, &mut rng);
            let (from, to) = self.board.moves[usize::from(action)];
            let public = &state.views[0].public;
            let (attacker, defender) = (public.at[usize::from(from)], public.at[usize::from(to)]);
            let ranks = (defender != NOWHERE && self.sees_ranks(view.seat, attacker, defender))
                .then(|| [state.kind(attacker), state.kind(defender)]);
            let mut outcome = self.play_state(&mut state, action).unwrap_or(Outcome::MOVED);
            outcome.ranks = ranks;
            chances.add(outcome, 1.0 / draws as f64);
        }
        match chances.outcomes[..] {
            [(outcome, _)] if known => Chances::certain(outcome),
            [(Outcome::MOVED, _)] => Chances { outcomes: Vec::new(), exact: false },
            _ => chances,
        }
    }

    /// Whether the view leaves no rank of a standing piece open.
    fn all_known(&self, view: &View) -> bool {
        let standing = (0..self.seats()).flat_map(|seat| pieces_of(seat, view.public.alive[usize::from(seat)]));
        standing.into_iter().all(|piece| view.masks[usize::from(piece)].count_ones() == 1)
    }
}

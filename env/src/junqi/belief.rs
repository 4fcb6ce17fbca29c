//! What follows for a viewer from public events and its own ranks: the kinds each piece can be.
//!
//! A mask holds exactly the kinds that some assignment of a seat's 25 kinds to its pieces leaves open, given each
//! piece's own facts; combats between two pieces of which the viewer knows neither rank narrow both. Three things are
//! left out, so that a mask may then be too wide, never too narrow: assignments are checked seat by seat, not all seats
//! at once; that a seat still plays, so that it has a piece that can move; and that a seat went out for want of a move.

use super::assignment::Beliefs;
use super::piece::{FIXED, Fight, Kind, Kinds, PIECES};
use super::view::{Out, Outcome, Piece, Public, View, WHOLE, has, insert, piece_of, pieces_of, remove, seat_of};
use super::{Junqi, NOWHERE};
use crate::game::Seat;

/// A public event as it bears on ranks.
#[derive(Clone, Copy)]
pub(super) struct Event {
    /// Who moved.
    pub(super) attacker: Piece,
    /// Who stood there; [`NOWHERE`] for nobody.
    pub(super) defender: Piece,
    /// The attacker moved for the first time.
    pub(super) first: bool,
    /// It ran as only a flying piece can.
    pub(super) flew: bool,
}

impl View {
    /// Leaves only some kinds open for a piece.
    #[inline]
    fn narrow(&mut self, piece: Piece, kinds: Kinds) {
        let mask = &mut self.masks[usize::from(piece)];
        if *mask & !kinds != 0 {
            *mask &= kinds;
            self.dirty |= 1 << seat_of(piece);
        }
    }

    /// The seat is told a rank.
    #[inline]
    pub(super) fn tell(&mut self, piece: Piece, kind: Kind) {
        insert(&mut self.told, piece);
        if self.masks[usize::from(piece)] != kind.bit() {
            self.masks[usize::from(piece)] = kind.bit();
            self.dirty |= 1 << seat_of(piece);
        }
    }

    /// The seat is told a whole layout.
    pub(super) fn tell_all(&mut self, seat: Seat, kinds: &[Kind; PIECES]) {
        self.told[usize::from(seat)] = WHOLE;
        self.set_beliefs(seat, &Beliefs { masks: kinds.map(Kind::bit), witness: kinds.map(|kind| kind as u8) });
    }

    fn beliefs(&self, seat: Seat) -> Beliefs {
        let first = usize::from(piece_of(seat, 0));
        let mut beliefs = Beliefs { masks: [0; PIECES], witness: [0; PIECES] };
        beliefs.masks.copy_from_slice(&self.masks[first..first + PIECES]);
        beliefs.witness.copy_from_slice(&self.witness[first..first + PIECES]);
        beliefs
    }

    pub(super) fn set_beliefs(&mut self, seat: Seat, beliefs: &Beliefs) {
        let first = usize::from(piece_of(seat, 0));
        self.masks[first..first + PIECES].copy_from_slice(&beliefs.masks);
        self.witness[first..first + PIECES].copy_from_slice(&beliefs.witness);
    }

    /// Prunes a seat's masks. False when no assignment fits.
    fn prune(&mut self, seat: Seat) -> bool {
        let mut beliefs = self.beliefs(seat);
        let fits = beliefs.prune();
        self.set_beliefs(seat, &beliefs);
        fits
    }
}

impl Junqi {
    /// Takes in what a ply showed, beyond where pieces stand. Cheap: pruning waits until somebody asks.
    #[inline]
    pub(super) fn learn(&self, view: &mut View, event: Event, outcome: &Outcome) {
        let Event { attacker, defender, first, flew } = event;
        if first {
            view.narrow(attacker, !FIXED);
        }
        if flew {
            view.narrow(attacker, self.flyers());
        }
        for seat in 0..4 {
            if outcome.flags[usize::from(seat)] != NOWHERE {
                pieces_of(seat, view.public.shown[usize::from(seat)])
                    .for_each(|flag| view.narrow(flag, Kind::Flag.bit()));
            }
        }
        if outcome.fight != Fight::Moved {
            self.learn_fight(view, attacker, defender, outcome);
        }
    }

    fn learn_fight(&self, view: &mut View, attacker: Piece, defender: Piece, outcome: &Outcome) {
        let fight = outcome.fight;
        let (attacked, defended) = (fight != Fight::Won, fight != Fight::Lost);
        for (piece, gone) in [(attacker, attacked), (defender, defended)] {
            let seat = usize::from(seat_of(piece));
            let flag = outcome.outs[seat] == Some(Out::Flag);
            if gone && flag && piece == defender {
                view.narrow(piece, Kind::Flag.bit());
            } else if piece == defender {
                view.narrow(piece, !Kind::Flag.bit());
            }
            if gone {
                // A commander's death shows its flag, or ends its seat with the flag shown before.
                let shown = outcome.flags[seat] != NOWHERE;
                view.narrow(piece, if shown { Kind::Commander.bit() } else { !Kind::Commander.bit() });
            }
        }
        if let Some([mine, theirs]) = outcome.ranks {
            view.tell(attacker, mine);
            view.tell(defender, theirs);
            return;
        }
        // The gone attacker stands for both where both are gone.
        let gone = if attacked { attacker } else { defender };
        insert(&mut view.open, gone);
        self.relate(view, gone);
    }

    /// Narrows two pieces that fought by each other; the pair is done with once one of them is known.
    fn relate(&self, view: &mut View, gone: Piece) {
        let (attacker, defender, fight) = view.public.fight_of(gone);
        let attackers = self.combat.attackers(fight, view.masks[usize::from(defender)]);
        view.narrow(attacker, attackers);
        let defenders = self.combat.defenders(fight, view.masks[usize::from(attacker)]);
        view.narrow(defender, defenders);
        let known = |piece: Piece| view.masks[usize::from(piece)].count_ones() <= 1;
        if known(attacker) || known(defender) {
            remove(&mut view.open, gone);
        }
    }

    /// Prunes what changed until nothing more follows. False when nothing fits, which no game brings about.
    pub(super) fn settle_view(&self, view: &mut View) -> bool {
        while view.dirty != 0 {
            for seat in 0..self.seats() {
                if view.dirty >> seat & 1 == 1 && !view.prune(seat) {
                    return false;
                }
            }
            view.dirty = 0;
            for seat in 0..self.seats() {
                for gone in pieces_of(seat, view.open[usize::from(seat)]) {
                    self.relate(view, gone);
                    if view.masks[usize::from(gone)] == 0 {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// The view with its masks pruned.
    pub(super) fn settled(&self, view: &View) -> View {
        let mut settled = *view;
        let fits = self.settle_view(&mut settled);
        debug_assert!(fits, "the truth always fits");
        settled
    }

    /// The kinds that a piece can be, as far as the view's seat can tell; of a piece whose rank it was told, that one.
    pub fn candidates_of(&self, view: &View, piece: Piece) -> Kinds {
        match view.dirty {
            0 => view.masks[usize::from(piece)],
            _ => self.settled(view).masks[usize::from(piece)],
        }
    }

    /// The kinds that each of a seat's 25 pieces can be, gone ones included.
    pub fn candidates(&self, view: &View, seat: Seat) -> [Kinds; PIECES] {
        let settled = self.settled(view);
        std::array::from_fn(|slot| settled.masks[usize::from(piece_of(seat, slot))])
    }

    /// Whether the masks are all that could be told: no combat between two unknown pieces is open.
    pub fn is_exact(&self, view: &View) -> bool {
        self.settled(view).open == [0; 4]
    }

    /// Whether a seat's ranks are open apart from those of others: none of its pieces is one of two unknown ones that
    /// fought.
    pub(super) fn stands_alone(&self, settled: &View, seat: Seat) -> bool {
        (0..self.seats()).all(|other| {
            pieces_of(other, settled.open[usize::from(other)])
                .all(|gone| other != seat && seat_of(settled.public.foe[usize::from(gone)]) != seat)
        })
    }

    /// A view's ranks and masks from what is public and what its seat was told.
    pub(super) fn believe(&self, public: &Public, seat: Seat, told: &[(Piece, Kind)]) -> Option<View> {
        let mut view = self.stranger(public, seat);
        for &(piece, kind) in told {
            view.tell(piece, kind);
        }
        for other in 0..self.seats() {
            for piece in pieces_of(other, WHOLE) {
                self.recall(&mut view, piece);
            }
        }
        for other in 0..self.seats() {
            let open = view.open[usize::from(other)];
            pieces_of(other, open).for_each(|gone| self.relate(&mut view, gone));
        }
        self.note_ranks(&mut view);
        self.settle_view(&mut view).then_some(view)
    }

    /// A view that knows no rank.
    pub(super) fn stranger(&self, public: &Public, seat: Seat) -> View {
        let mut view = View {
            public: *public,
            seat,
            told: [0; 4],
            masks: [0; super::view::PIECE_CODES],
            witness: [0; super::view::PIECE_CODES],
            open: [0; 4],
            dirty: 0,
            fixed: [0; 4],
            flying: [0; 4],
            said: [None; 4],
        };
        (0..self.seats()).for_each(|other| view.set_beliefs(other, &self.beliefs));
        view
    }

    /// Notes which of the ranks that a viewer is told by the rules are fixed and which fly.
    pub(super) fn note_ranks(&self, view: &mut View) {
        for seat in (0..self.seats()).filter(|&seat| self.sees(view.seat, seat)) {
            let (mut fixed, mut flying) = (0, 0);
            for slot in 0..PIECES {
                let kinds = view.masks[usize::from(piece_of(seat, slot))];
                fixed |= u32::from(kinds & !FIXED == 0) << slot;
                flying |= u32::from(kinds & !self.flyers() == 0) << slot;
            }
            (view.fixed[usize::from(seat)], view.flying[usize::from(seat)]) = (fixed, flying);
        }
    }

    /// The facts of one piece that what is public still shows.
    fn recall(&self, view: &mut View, piece: Piece) {
        let public = view.public;
        if has(&public.moved, piece) {
            view.narrow(piece, !FIXED);
        }
        if has(&public.turned, piece) {
            view.narrow(piece, self.flyers());
        }
        if has(&public.shown, piece) {
            view.narrow(piece, Kind::Flag.bit());
        }
        let foe = public.foe[usize::from(piece)];
        if has(&public.alive, piece) || foe == NOWHERE {
            return;
        }
        let seat = usize::from(seat_of(piece));
        let attacked = has(&public.attacked, piece);
        let both = has(&public.both, piece);
        let flag = public.flag_taken[seat] == piece;
        let commander = public.commander[seat] == piece;
        if !attacked {
            view.narrow(piece, if flag { Kind::Flag.bit() } else { !Kind::Flag.bit() });
        }
        view.narrow(piece, if commander { Kind::Commander.bit() } else { !Kind::Commander.bit() });
        // A defender that stays was no flag.
        if attacked && !both {
            view.narrow(foe, !Kind::Flag.bit());
        }
        if attacked || !both {
            insert(&mut view.open, piece);
        }
    }
}

//! What is public, what a seat knows besides, and the whole that an environment owns.

use super::board::{Rails, STATIONS};
use super::piece::{Fight, Kind, Kinds, PIECES};
use super::signal::Talk;
use super::{NOWHERE, Seats, Station};
use crate::game::{Reason, Seat, Status};

/// A piece: its seat times 32 and the number of the post it stood on at first, from the front row's left on.
pub type Piece = u8;

/// A set of pieces, one word a seat.
pub type Pieces = Seats<u32>;

/// Length of a table by piece.
pub(super) const PIECE_CODES: usize = 128;

/// All pieces of a seat.
pub(super) const WHOLE: u32 = (1 << PIECES) - 1;

/// The seat of a piece.
#[inline]
pub fn seat_of(piece: Piece) -> Seat {
    piece >> 5
}

/// A piece's number among those of its seat.
#[inline]
pub fn slot_of(piece: Piece) -> usize {
    usize::from(piece & 31)
}

/// The piece of a seat with a number.
#[inline]
pub fn piece_of(seat: Seat, slot: usize) -> Piece {
    seat << 5 | slot as u8
}

#[inline]
pub(super) fn has(set: &Pieces, piece: Piece) -> bool {
    set[usize::from(seat_of(piece))] >> slot_of(piece) & 1 == 1
}

#[inline]
pub(super) fn insert(set: &mut Pieces, piece: Piece) {
    set[usize::from(seat_of(piece))] |= 1 << slot_of(piece);
}

#[inline]
pub(super) fn remove(set: &mut Pieces, piece: Piece) {
    set[usize::from(seat_of(piece))] &= !(1 << slot_of(piece));
}

/// The pieces of one word.
pub(super) fn pieces_of(seat: Seat, mut set: u32) -> impl Iterator<Item = Piece> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let slot = set.trailing_zeros() as usize;
            set &= set - 1;
            piece_of(seat, slot)
        })
    })
}

/// Two seats are enemies when one number is even and the other odd; in a game of four the others are partners.
#[inline]
pub(super) fn enemies(one: Seat, other: Seat) -> bool {
    (one ^ other) & 1 == 1
}

/// Why a seat is out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Out {
    /// Its flag was captured or bombed.
    Flag,
    /// It has no piece that can ever move, or no legal move at its turn.
    NoMoves,
    /// It gave up.
    Resigned,
    /// It let too many turns pass by the clock.
    TimeOuts,
}

impl Out {
    /// Why a game ended in which this was the end of the last seat of a team.
    pub fn reason(self) -> Reason {
        match self {
            Out::Flag => Reason::Flag,
            Out::NoMoves => Reason::NoMoves,
            Out::Resigned => Reason::Resignation,
            Out::TimeOuts => Reason::Time,
        }
    }
}

/// What a ply showed to a seat, beyond who moved from where to where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// What became of the move.
    pub fight: Fight,
    /// By seat, where the flag stands that was shown because the commander died; [`NOWHERE`] for none.
    pub flags: Seats<Station>,
    /// By seat, why it went out on this ply.
    pub outs: Seats<Option<Out>>,
    /// Attacker and defender, where a rule shows them.
    pub ranks: Option<[Kind; 2]>,
}

impl Outcome {
    /// A move to an empty station that changes nothing else.
    pub const MOVED: Outcome = Outcome { fight: Fight::Moved, flags: [NOWHERE; 4], outs: [None; 4], ranks: None };
}

/// What everybody sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Public {
    /// By seat, the rail stations on which its pieces stand.
    pub(super) rails: Seats<Rails>,
    /// By territory and seat, where its pieces stand there, as the board numbers the stations of a territory.
    pub(super) ground: [Seats<u32>; 5],
    /// The piece on each station; [`NOWHERE`] for none.
    pub(super) at: [Piece; STATIONS],
    /// Where each piece stands; [`NOWHERE`] when it is off the board.
    pub(super) pos: [Station; PIECE_CODES],
    /// By piece that is gone, whom it fought; [`NOWHERE`] when it left with its seat.
    pub(super) foe: [Piece; PIECE_CODES],
    /// Pieces on the board.
    pub(super) alive: Pieces,
    /// Those in a headquarters that they may not leave again.
    pub(super) stuck: Pieces,
    /// Those that have moved.
    pub(super) moved: Pieces,
    /// Those that ran along rails as only an engineer can.
    pub(super) turned: Pieces,
    /// Flags shown.
    pub(super) shown: Pieces,
    /// Those that won a combat.
    pub(super) survived: Pieces,
    /// Those that are gone in a combat in which they attacked.
    pub(super) attacked: Pieces,
    /// Those that are gone together with their foe.
    pub(super) both: Pieces,
    /// By seat, its commander, once its death was shown; [`NOWHERE`] before.
    pub(super) commander: Seats<Piece>,
    /// By seat, its flag, once taken; [`NOWHERE`] before.
    pub(super) flag_taken: Seats<Piece>,
    pub(super) last: Seats<[Station; 2]>,
    pub(super) out: Seats<Option<Out>>,
    pub(super) time_outs: Seats<u8>,
    /// Pieces that each seat has set up.
    pub(super) placed: Seats<u8>,
    pub(super) to_move: Seat,
    pub(super) quiet: u16,
    pub(super) plies: u32,
    pub(super) status: Status,
}

impl Public {
    /// A board without pieces.
    pub(super) fn empty() -> Public {
        Public {
            rails: [0; 4],
            ground: [[0; 4]; 5],
            at: [NOWHERE; STATIONS],
            pos: [NOWHERE; PIECE_CODES],
            foe: [NOWHERE; PIECE_CODES],
            alive: [0; 4],
            stuck: [0; 4],
            moved: [0; 4],
            turned: [0; 4],
            shown: [0; 4],
            survived: [0; 4],
            attacked: [0; 4],
            both: [0; 4],
            commander: [NOWHERE; 4],
            flag_taken: [NOWHERE; 4],
            last: [[NOWHERE; 2]; 4],
            out: [None; 4],
            time_outs: [0; 4],
            placed: [0; 4],
            to_move: 0,
            quiet: 0,
            plies: 0,
            status: Status::Ongoing,
        }
    }

    /// The piece on a station.
    pub fn piece_at(&self, station: Station) -> Option<Piece> {
        self.at.get(usize::from(station)).copied().filter(|&piece| piece != NOWHERE)
    }

    /// Where a piece stands; none when it is off the board.
    pub fn station_of(&self, piece: Piece) -> Option<Station> {
        self.pos.get(usize::from(piece)).copied().filter(|&station| station != NOWHERE)
    }

    /// The pieces of a seat on the board.
    pub fn pieces(&self, seat: Seat) -> impl Iterator<Item = Piece> + use<> {
        pieces_of(seat, self.alive[usize::from(seat)])
    }

    /// The last ply of a seat, from and to.
    pub fn last_ply(&self, seat: Seat) -> Option<(Station, Station)> {
        let [from, to] = self.last[usize::from(seat)];
        (from != NOWHERE).then_some((from, to))
    }

    /// Why a seat is out; none while it plays.
    pub fn out(&self, seat: Seat) -> Option<Out> {
        self.out[usize::from(seat)]
    }

    /// Whether a piece has moved.
    pub fn has_moved(&self, piece: Piece) -> bool {
        has(&self.moved, piece)
    }

    /// Whether a piece won a combat.
    pub fn has_survived(&self, piece: Piece) -> bool {
        has(&self.survived, piece)
    }

    /// Whether a piece is a flag that was shown.
    pub fn is_shown(&self, piece: Piece) -> bool {
        has(&self.shown, piece)
    }

    /// Attacker, defender and outcome of the combat in which a piece fell; of two that fell, either.
    #[inline]
    pub(super) fn fight_of(&self, gone: Piece) -> (Piece, Piece, Fight) {
        let foe = self.foe[usize::from(gone)];
        let attacked = has(&self.attacked, gone);
        let fight = match (has(&self.both, gone), attacked) {
            (true, _) => Fight::Both,
            (false, true) => Fight::Lost,
            (false, false) => Fight::Won,
        };
        if attacked { (gone, foe, fight) } else { (foe, gone, fight) }
    }

    /// The rank of a piece where everybody was shown it: a flag shown or taken, a commander whose death showed its flag.
    pub fn rank(&self, piece: Piece) -> Option<Kind> {
        let seat = usize::from(seat_of(piece));
        let flag = has(&self.shown, piece) || self.flag_taken[seat] == piece;
        flag.then_some(Kind::Flag).or_else(|| (self.commander[seat] == piece).then_some(Kind::Commander))
    }

    /// Plies in a row without a combat or an elimination.
    pub fn quiet(&self) -> u16 {
        self.quiet
    }

    /// Plies played, set-up included.
    pub fn plies(&self) -> u32 {
        self.plies
    }
}

/// All that a seat may know: what is public, the ranks it was told, and what follows from them.
///
/// There is no way from a view to a piece that its seat was not told.
#[derive(Clone, Copy, Debug)]
pub struct View {
    pub(super) public: Public,
    /// Whose view it is.
    pub(super) seat: Seat,
    /// Pieces whose rank the seat was told: its own, and what the rules show it.
    pub(super) told: Pieces,
    /// By piece, the kinds it can be.
    pub(super) masks: [Kinds; PIECE_CODES],
    /// Some assignment of kinds that fits, from which masks are pruned; it says nothing about the truth.
    pub(super) witness: [u8; PIECE_CODES],
    /// Pieces gone in a combat of which both ranks are open: what one may be bears on the other.
    pub(super) open: Pieces,
    /// Seats whose masks changed since they were last pruned, one bit each.
    pub(super) dirty: u8,
    /// Of the seats whose ranks are told: pieces that never move.
    pub(super) fixed: Pieces,
    /// Of those: pieces that run along rails over turns.
    pub(super) flying: Pieces,
    /// What the seat and its ally said; never what enemies did.
    pub(super) said: Talk,
}

impl View {
    /// What everybody sees.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// Whose view it is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The rank of a piece, where the seat was told it.
    pub fn rank(&self, piece: Piece) -> Option<Kind> {
        has(&self.told, piece).then(|| Kind::only(self.masks[usize::from(piece)])).flatten()
    }
}

/// A whole game: every seat's view, each with its own ranks, so that together they hold all.
#[derive(Clone, Copy)]
pub struct State {
    pub(super) views: [View; 4],
}

impl State {
    /// What everybody sees.
    pub fn public(&self) -> &Public {
        &self.views[0].public
    }

    /// A seat's view with every rank that its owner knows; while pieces are set up some are not chosen yet.
    pub(super) fn revealed(&self, seat: Seat) -> View {
        let mut view = self.views[usize::from(seat)];
        for (owner, of_owner) in self.views.iter().enumerate() {
            for piece in pieces_of(owner as Seat, of_owner.told[owner]) {
                view.masks[usize::from(piece)] = of_owner.masks[usize::from(piece)];
            }
        }
        // Nothing is left to be worked out.
        view.dirty = 0;
        view
    }

    /// The true rank of a piece: its owner knows it.
    #[inline]
    pub fn kind(&self, piece: Piece) -> Kind {
        let owner = &self.views[usize::from(seat_of(piece))];
        Kind::ALL[owner.masks[usize::from(piece)].trailing_zeros() as usize]
    }
}

//! What a seat sees, sorted for the rules: own pieces with their kinds, enemies with what they may be.

use anqi_env::game::{Game, Seat};
use anqi_env::junqi::piece::{FIXED, KINDS, Kind, PIECES};
use anqi_env::junqi::view::{Piece, seat_of, slot_of};
use anqi_env::junqi::{Junqi, NOWHERE, Station, View};

use super::belief;
use super::terrain::{Ground, STATIONS, Stations, Terrain};

/// An enemy piece.
pub(super) struct Foe {
    pub(super) seat: Seat,
    pub(super) station: Station,
    /// How likely it is of each kind.
    pub(super) shares: [f32; KINDS],
    /// How likely it can move.
    pub(super) mobile: f32,
    /// It stands in a headquarters for good.
    pub(super) stuck: bool,
    /// It surely runs along rails over turns.
    pub(super) flies: bool,
    /// What its capture is worth beyond the piece.
    pub(super) bonus: f32,
}

/// Who stands on a station.
#[derive(Clone, Copy)]
pub(super) enum Holder {
    Nobody,
    Own(Kind),
    Partner,
    /// An enemy, by its place in the list.
    Foe(usize),
}

/// A position as a seat sees it.
pub(super) struct Position<'a> {
    pub(super) terrain: &'a Terrain,
    pub(super) seat: Seat,
    pub(super) ground: Ground,
    /// By number among the own pieces.
    pub(super) kinds: [Kind; PIECES],
    /// The same: whether it can move.
    pub(super) moves: [bool; PIECES],
    bombs_fly: bool,
    pub(super) foes: Vec<Foe>,
    /// By piece, its place among the foes.
    numbers: [u8; 128],
    /// Own pieces that can move.
    pub(super) mobile_own: f32,
    /// By seat, the enemies that can move, as many as are likely.
    pub(super) mobile_of: [f32; 4],
    /// The stations beside the own flag.
    pub(super) beside_flag: [bool; STATIONS],
    /// Where the own flag stands.
    pub(super) flag: Option<Station>,
}

impl<'a> Position<'a> {
    pub(super) fn of(game: &Junqi, terrain: &'a Terrain, view: &View) -> Position<'a> {
        let seat = game.view_to_move(view);
        let mut position = Position {
            terrain,
            seat,
            ground: [NOWHERE; STATIONS],
            kinds: [Kind::Flag; PIECES],
            moves: [false; PIECES],
            bombs_fly: game.rules().bombs_fly,
            foes: Vec::with_capacity(2 * PIECES),
            numbers: [NOWHERE; 128],
            mobile_own: 0.0,
            mobile_of: [0.0; 4],
            beside_flag: [false; STATIONS],
            flag: None,
        };
        let stays = |station: Station| terrain.headquarters[usize::from(station)] && !game.rules().hq_moves;
        for other in 0..game.seats() {
            let enemy = (other ^ seat) & 1 == 1;
            let shares = enemy.then(|| belief::shares(game, view, other));
            for piece in view.public().pieces(other) {
                let Some(station) = view.public().station_of(piece) else { continue };
                position.ground[usize::from(station)] = piece;
                if let Some(shares) = &shares {
                    position.add_foe(game, piece, station, shares[slot_of(piece)], stays(station));
                } else if other == seat {
                    position.add_own(game, view, piece, station, stays(station));
                }
            }
        }
        position
    }

    fn add_foe(&mut self, game: &Junqi, piece: Piece, station: Station, shares: [f32; KINDS], stuck: bool) {
        let fixed: f32 = (0..KINDS).filter(|kind| FIXED >> kind & 1 == 1).map(|kind| shares[kind]).sum();
        let flying =
            shares[Kind::Engineer as usize] + if game.rules().bombs_fly { shares[Kind::Bomb as usize] } else { 0.0 };
        let mobile = if stuck { 0.0 } else { 1.0 - fixed };
        self.numbers[usize::from(piece)] = self.foes.len() as u8;
        self.mobile_of[usize::from(seat_of(piece))] += mobile;
        let (seat, flies) = (seat_of(piece), flying > 0.9);
        self.foes.push(Foe { seat, station, shares, mobile, stuck, flies, bonus: 0.0 });
    }

    fn add_own(&mut self, game: &Junqi, view: &View, piece: Piece, station: Station, stuck: bool) {
        // A view of another seat does not tell the ranks: then the first kind that the piece can be, which moves if any.
        let guess = || {
            let kinds = game.candidates_of(view, piece);
            Kind::ALL.into_iter().rev().find(|kind| kinds & kind.bit() != 0).unwrap_or(Kind::Engineer)
        };
        let kind = view.rank(piece).unwrap_or_else(guess);
        self.kinds[slot_of(piece)] = kind;
        self.moves[slot_of(piece)] = !stuck && FIXED & kind.bit() == 0;
        self.mobile_own += f32::from(u8::from(self.moves[slot_of(piece)]));
        if kind == Kind::Flag {
            self.flag = Some(station);
            let steps = &self.terrain.steps[usize::from(station)];
            steps.iter().for_each(|step| self.beside_flag[usize::from(step.to)] = true);
        }
    }

    /// Who stands on a station of any ground with these pieces.
    #[inline]
    pub(super) fn holder(&self, ground: &Ground, station: Station) -> Holder {
        let piece = ground[usize::from(station)];
        if piece == NOWHERE {
            return Holder::Nobody;
        }
        match self.numbers[usize::from(piece)] {
            NOWHERE if seat_of(piece) == self.seat => Holder::Own(self.kinds[slot_of(piece)]),
            NOWHERE => Holder::Partner,
            number => Holder::Foe(usize::from(number)),
        }
    }

    /// The own kinds that can still move, one each.
    pub(super) fn own_kinds(&self) -> impl Iterator<Item = Kind> {
        let found = (0..PIECES).filter(|&slot| self.moves[slot]).fold(0, |found, slot| found | self.kinds[slot].bit());
        Kind::ALL.into_iter().filter(move |kind| found & kind.bit() != 0)
    }

    /// Whether a kind runs along rails over turns.
    pub(super) fn flies(&self, kind: Kind) -> bool {
        kind == Kind::Engineer || (kind == Kind::Bomb && self.bombs_fly)
    }

    /// Where an own piece gets with one ply.
    pub(super) fn reach(&self, ground: &Ground, slot: usize, from: Station) -> Stations {
        let mut reach = Stations::default();
        if self.moves[slot] {
            self.terrain.reach(ground, from, self.flies(self.kinds[slot]), |to| reach.insert(to));
        }
        reach
    }
}

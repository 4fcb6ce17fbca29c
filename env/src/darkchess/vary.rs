//! What the variants add to and take from the moves of plain dark chess.

use std::cmp::Ordering;

use super::DarkChess;
use super::board::{NONE, squares_of};
use super::piece::{KINDS, Kind, Piece};
use super::play::Effect;
use super::position::{EMPTY, FACE_DOWN, Legal, Position};
use super::rules::{Chain, DarkFail, Ranking, Rules};
use crate::game::{Reason, Status};

impl DarkChess {
    /// Whether rules are those of plain dark chess, whose plies need none of this.
    pub(super) fn is_plain(rules: &Rules) -> bool {
        let dark_chess = Rules {
            rows: rules.rows,
            cols: rules.cols,
            pieces: rules.pieces,
            quiet_limit: rules.quiet_limit,
            repetition: rules.repetition,
            // What only other rules read.
            dark_fail: rules.dark_fail,
            first: rules.first,
            ..Rules::default()
        };
        *rules == dark_chess
    }

    /// What the seat to move may do but flips.
    pub(super) fn legal_of(&self, position: &Position) -> Legal {
        by_rules!(self.steps_and_jumps(position))
    }

    /// Chains, rushes, attacks on face-down pieces, forbidden chases.
    #[inline(never)]
    pub(super) fn vary(&self, position: &Position, legal: &mut Legal) {
        if position.colour.is_none() {
            return;
        }
        let dark = self.rules.chain == Chain::Dark;
        if position.chain != NONE {
            // Only the piece of the chain moves, and only to capture.
            *legal = self.captures_from(position, position.chain, position.mover(), dark);
            return;
        }
        let ours = position.side(position.mover());
        if dark {
            self.reach_hidden(position, legal);
        }
        if self.rules.chariot_rush {
            for from in squares_of(ours[Kind::Rook as usize]) {
                let rushes = self.captures_from(position, from as u8, position.mover(), dark).rushes;
                legal.rushes.iter_mut().zip(rushes).for_each(|(all, more)| *all |= more);
            }
        }
        if self.rules.chase_limit > 0 {
            self.forbid_chases(position, legal);
        }
    }

    /// Adds the steps and jumps at face-down pieces.
    fn reach_hidden(&self, position: &Position, legal: &mut Legal) {
        let ours = position.side(position.mover());
        let (hidden, occupied) = (position.all_of(FACE_DOWN), !position.all_of(EMPTY));
        let cannons = ours[Kind::Cannon as usize];
        let mut stepping = ours[..KINDS].iter().fold(0, |all, set| all | set);
        if self.rules.ranking == Ranking::Taiwan {
            stepping &= !cannons;
            for from in squares_of(cannons) {
                for (direction, jumps) in legal.jumps.iter_mut().enumerate() {
                    *jumps |= self.board.over_screen(direction, from, occupied) & hidden;
                }
            }
        }
        let arriving = self.board.steps_from(stepping);
        legal.steps.iter_mut().zip(arriving).for_each(|(steps, arriving)| *steps |= arriving & hidden);
    }

    /// Whether a piece, by its own reach, could capture another that stands face up on a square: as a step, or
    /// over a screen or along a clear line, which take any rank.
    pub(super) fn could_take(&self, position: &Position, from: u8, to: u8, side: usize) -> bool {
        self.captures_from(position, from, side, false).squares() & 1 << to != 0
    }

    /// Points of what a side has left, face-down pieces included.
    pub(super) fn points_left(&self, position: &Position, colour: usize) -> u16 {
        self.points_of_a_side() - position.lost[colour]
    }

    /// Points of all pieces of a side.
    pub(super) fn points_of_a_side(&self) -> u16 {
        Kind::ALL.iter().map(|&kind| u16::from(self.rules.pieces[kind as usize]) * self.rules.family.points(kind)).sum()
    }

    /// Counts points from what is no longer there.
    pub(super) fn recount_lost(&self, position: &mut Position) {
        position.lost = [0; 2];
        for piece in Piece::all() {
            let left = position.all_of(piece.0).count_ones() as u8 + position.unseen(piece);
            let gone = self.rules.pieces[piece.kind() as usize] - left;
            position.lost[piece.colour() as usize] += u16::from(gone) * self.rules.family.points(piece.kind());
        }
    }

    /// An attack on a face-down piece: it turns up, and is captured if the attacker could capture it. Otherwise
    /// it stays, and the attacker stays too or, if the piece is an enemy, is lost by the rule `dark_fail`.
    #[inline(never)]
    pub(super) fn attack_hidden(&self, position: &mut Position, piece: Piece) -> Effect {
        let (from, to) = position.last;
        let side = position.mover();
        self.turn_up(position, to, piece);
        let attacker = Piece(position.cells[usize::from(from)]);
        let enemy = piece.colour() as usize != side;
        if enemy && self.could_take(position, from, to, side) {
            position.set(from, EMPTY);
            position.set(to, attacker.0);
            self.captured::<false>(position, piece);
            Effect::Capture
        } else {
            if enemy && self.rules.dark_fail == DarkFail::Suicide {
                position.set(from, EMPTY);
                self.captured::<false>(position, attacker);
                position.chases.follow(from, None);
            }
            Effect::Shown
        }
    }

    /// Keeps chains and chases up to date, and tells whether the seat that played goes on.
    #[inline(never)]
    pub(super) fn keeps_turn(&self, position: &mut Position, effect: Effect) -> bool {
        let side = position.mover();
        let (from, to) = position.last;
        position.chain = NONE;
        if self.rules.chase_limit > 0 {
            if matches!(effect, Effect::Quiet | Effect::Capture) {
                position.chases.follow(from, Some(to));
            }
            match effect {
                Effect::Quiet => self.count_chases(position, side, to),
                Effect::Shown | Effect::Capture | Effect::Stop => position.chases.end(side),
            }
        }
        if effect != Effect::Capture || self.rules.chain == Chain::None {
            return false;
        }
        let more = self.captures_from(position, to, side, self.rules.chain == Chain::Dark);
        let goes_on = !more.is_empty();
        if goes_on {
            position.chain = to;
        }
        goes_on
    }

    /// Tomb Chess: a seat without any legal action passes by force. A pass is no ply.
    #[inline(never)]
    pub(super) fn pass_if_stuck(&self, position: &mut Position) {
        let stuck = |position: &Position| position.legal.is_empty() && position.flips() == 0;
        // A side without a unit has lost and passes no more.
        if stuck(position) && position.alive[position.mover()] > 0 {
            position.to_move ^= 1;
            position.legal = self.steps_and_jumps::<false>(position);
        }
    }

    /// Tomb Chess: neither side can bring a capture about, and the points left decide.
    pub(super) fn deadlock(&self, position: &Position) -> Status {
        let mine = position.mover();
        let (ours, theirs) = (self.points_left(position, mine), self.points_left(position, mine ^ 1));
        match ours.cmp(&theirs) {
            Ordering::Greater => Status::Win(position.to_move, Reason::Points),
            Ordering::Less => Status::Win(position.to_move ^ 1, Reason::Points),
            Ordering::Equal => Status::Draw(Reason::Points),
        }
    }
}

//! What each ply tells about hidden pieces (3.6), as plain facts: which kinds a piece can have by itself, which pairs of
//! kinds two pieces of a combat can have, and groups of pieces one of which has to be able to move.
//!
//! A fact is only noted if the ply could not have been seen without it; together they are meant to be all there is.
//! [`deduce`](super::deduce()) plays everything through instead and is what they are tested against.

use super::combat::combat;
use super::ending::{Out, Status};
use super::event::{Event, Outcome};
use super::game::{Game, Piece, sees_from_the_start};
use super::kind::Kind;
use super::layout::may_stand;

/// Kinds, in the order of [`Kind::ALL`].
pub(crate) type Kinds = Vec<Kind>;

/// Everything that is known.
#[derive(Debug, Clone)]
pub(crate) struct Facts {
    /// The kinds that each piece can have by itself.
    pub(crate) kinds: Vec<Kinds>,
    /// Attacker, defender and the outcome of their combat.
    pub(crate) combats: Vec<(usize, usize, Outcome)>,
    /// Groups of pieces with kinds: in each group one piece has one of its kinds.
    pub(crate) groups: Vec<Vec<(usize, Kinds)>>,
}

/// What `viewer` gets to know of a game from `start` by these plies; see [`deduce`](super::deduce()) for the arguments.
pub(crate) fn facts(start: &Game, plies: &[(usize, usize)], viewer: usize, set_up: bool) -> Result<Facts, String> {
    let mut facts = Facts { kinds: Vec::new(), combats: Vec::new(), groups: Vec::new() };
    for piece in &start.pieces {
        facts.kinds.push(if sees_from_the_start(&start.rules, viewer, piece.seat) {
            vec![piece.kind]
        } else {
            let at_home = piece.home / 30 == start.rules.quarter(piece.seat);
            let stands = |kind: &Kind| may_stand(&start.rules, &start.board, *kind, piece.home);
            Kind::ALL.into_iter().filter(|kind| !(set_up && at_home) || stands(kind)).collect()
        });
    }
    // For each seat in play the pieces one of which can still move. Later ones include what earlier ones say, because
    // a piece that can ever move now could do so all the time before.
    let mut able: Vec<Vec<(usize, Kinds)>> = (0..start.rules.seats()).map(|seat| can_move(start, seat)).collect();
    let mut game = start.clone();
    for (from, to) in plies {
        let before = game.clone();
        let event = game.play(*from, *to)?.seen_by(&start.rules, viewer);
        facts.add(&before, &event, &mut able);
    }
    if let Status::Win { .. } = game.status {
        return Err("the game is over: who was about to go out too is not told".to_string());
    }
    facts.groups = able;
    // Whoever moved had a move; the seat to move has one.
    facts.groups.push(of_seat(&game, game.to_move, |game, piece| !game.reach(piece).is_empty()));
    facts.groups.retain(|group| !group.is_empty());
    Ok(facts)
}

/// The pieces of a seat that stand, each with the kinds with which it would do something.
fn of_seat(game: &Game, seat: usize, does: impl Fn(&Game, &Piece) -> bool) -> Vec<(usize, Kinds)> {
    let mut group = Vec::new();
    for (index, piece) in game.pieces.iter().enumerate() {
        if piece.seat == seat && piece.at.is_some() {
            let with = |kind: Kind| Piece { kind, ..piece.clone() };
            group.push((index, Kind::ALL.into_iter().filter(|kind| does(game, &with(*kind))).collect()));
        }
    }
    group
}

fn can_move(game: &Game, seat: usize) -> Vec<(usize, Kinds)> {
    of_seat(game, seat, |game, piece| game.can_ever_move(piece))
}

impl Facts {
    fn only(&mut self, piece: usize, holds: impl Fn(Kind) -> bool) {
        self.kinds[piece].retain(|kind| holds(*kind));
    }

    /// What one ply tells. `before` is asked for nothing but whose pieces stand where.
    fn add(&mut self, before: &Game, event: &Event, able: &mut [Vec<(usize, Kinds)>]) {
        let at = |station: usize| before.pieces.iter().position(|piece| piece.at == Some(station));
        let mover = at(event.from).expect("a piece that moved");
        let defender = at(event.to);
        let piece = &before.pieces[mover];
        self.only(mover, |kind| before.reach(&Piece { kind, ..piece.clone() }).contains(&event.to));

        let mut dead = Vec::new();
        if let Some(defender) = defender {
            self.combats.push((mover, defender, event.outcome));
            if let Some((attacking, defending)) = event.kinds {
                self.only(mover, |kind| kind == attacking);
                self.only(defender, |kind| kind == defending);
            }
            if event.outcome != Outcome::Won {
                dead.push(mover);
            }
            if event.outcome != Outcome::Lost {
                dead.push(defender);
            }
        }
        for piece in dead.iter().copied() {
            let seat = before.pieces[piece].seat;
            // How many flags and commanders a seat has at the start everybody knows.
            let has_flag = before.pieces.iter().any(|piece| piece.seat == seat && piece.kind == Kind::Flag);
            let shown = event.flags.iter().any(|(owner, _)| *owner == seat);
            if has_flag {
                self.only(piece, |kind| (kind == Kind::Commander) == shown);
            }
            let lost_flag = event.out.contains(&(seat, Out::Flag));
            self.only(piece, |kind| (kind == Kind::Flag) == lost_flag);
        }
        for (_, station) in &event.flags {
            if let Some(flag) = at(*station) {
                self.only(flag, |kind| kind == Kind::Flag);
            }
        }

        let mut now = before.clone();
        now.pieces[mover].at = Some(event.to);
        for piece in dead {
            now.pieces[piece].at = None;
        }
        for (seat, why) in &event.out {
            let idle: Vec<(usize, Kinds)> = match why {
                Out::NoPieces => of_seat(&now, *seat, |game, piece| !game.can_ever_move(piece)),
                Out::NoMoves => of_seat(&now, *seat, |game, piece| game.reach(piece).is_empty()),
                _ => Vec::new(),
            };
            for (piece, kinds) in idle {
                self.only(piece, |kind| kinds.contains(&kind));
            }
            if *why == Out::NoMoves {
                // Else it would have been out before its turn came.
                able[*seat] = can_move(&now, *seat);
            }
            for piece in &mut now.pieces {
                if piece.seat == *seat {
                    piece.at = None;
                }
            }
            now.out[*seat] = Some(*why);
        }
        for (seat, group) in able.iter_mut().enumerate() {
            if now.out[seat].is_none() {
                *group = can_move(&now, seat);
            }
        }
    }

    /// Whether two kinds can have fought like this.
    pub(crate) fn fits(game: &Game, attacker: Kind, defender: Kind, outcome: Outcome) -> bool {
        combat(&game.rules, attacker, defender) == outcome
    }
}

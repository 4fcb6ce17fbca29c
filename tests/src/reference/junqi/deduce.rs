//! What a viewer can know about hidden pieces (3.6), by trying everything: every way of giving the hidden pieces their
//! kinds is played through from the start, and stays if it gives the same game for this viewer.
//!
//! That is exact and needs no thought about what a ply tells: a mine that moves, an engineer's corner that another
//! piece could not turn, a flag that would have been shown, a seat that would have been out are all found by playing.
//! It takes a replay for every assignment, so it is for positions with few hidden pieces.

use super::event::Event;
use super::game::{Game, sees_from_the_start};
use super::kind::Kind;
use super::layout::may_stand;

/// The answer to [`deduce`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deduced {
    /// The owner's hidden pieces, as places in [`Game::pieces`], those that are gone included.
    pub pieces: Vec<usize>,
    /// Every assignment of kinds to them that is consistent with everything, in the order of `pieces`; sorted.
    pub assignments: Vec<Vec<Kind>>,
}

impl Deduced {
    /// The kinds that one of the pieces can have, sorted. Nothing for a piece that is not among them.
    pub fn candidates(&self, piece: usize) -> Vec<Kind> {
        let mut kinds = Vec::new();
        if let Some(place) = self.pieces.iter().position(|known| *known == piece) {
            kinds.extend(self.assignments.iter().map(|assignment| assignment[place]));
        }
        kinds.sort();
        kinds.dedup();
        kinds
    }
}

/// What `viewer` can know about the pieces of `owner` after `plies`, pairs of stations, played from `start`.
///
/// Before the first ply the viewer knows how many pieces of each kind every seat has, where they stand, and the kinds
/// that its view shows. With `set_up` it also knows that a piece that starts in its owner's quarter was set up there
/// by 3.3. It sees the events of the plies and works from nothing else.
///
/// # Errors
/// A sentence about plies that cannot be played from `start`, or more than `most` assignments to try.
pub fn deduce(
    start: &Game,
    plies: &[(usize, usize)],
    viewer: usize,
    owner: usize,
    set_up: bool,
    most: usize,
) -> Result<Deduced, String> {
    let mut seen = Vec::new();
    let mut played = start.clone();
    for (from, to) in plies {
        seen.push(played.play(*from, *to)?.seen_by(&start.rules, viewer));
    }
    // Each hidden seat's pieces, and every different order of their kinds. What a combat between two hidden pieces
    // tells about one depends on the other, so all hidden seats are tried together.
    let mut hidden = Vec::new();
    let mut orders = Vec::new();
    let mut count = 1;
    for seat in 0..start.rules.seats() {
        if sees_from_the_start(&start.rules, viewer, seat) {
            continue;
        }
        let pieces: Vec<usize> = (0..start.pieces.len()).filter(|piece| start.pieces[*piece].seat == seat).collect();
        let mut kinds: Vec<Kind> = pieces.iter().map(|piece| start.pieces[*piece].kind).collect();
        kinds.sort();
        let mut found = Vec::new();
        fill(start, &pieces, &mut kinds, &mut Vec::new(), set_up, most, &mut found);
        count = found.len().saturating_mul(count);
        hidden.push((seat, pieces));
        orders.push(found);
    }
    if count > most {
        return Err(format!("{count} assignments or more are too many to try: {most} were allowed"));
    }
    let pieces = hidden.iter().find(|(seat, _)| *seat == owner).map(|(_, pieces)| pieces.clone()).unwrap_or_default();
    let mut assignments = Vec::new();
    for number in 0..count {
        let mut rest = number;
        let mut tried = start.clone();
        for ((_, pieces), orders) in hidden.iter().zip(&orders) {
            for (piece, kind) in pieces.iter().zip(&orders[rest % orders.len()]) {
                tried.pieces[*piece].kind = *kind;
            }
            rest /= orders.len();
        }
        let assignment: Vec<Kind> = pieces.iter().map(|piece| tried.pieces[*piece].kind).collect();
        if !assignments.contains(&assignment) && looks_the_same(tried, start, plies, viewer, &seen) {
            assignments.push(assignment);
        }
    }
    assignments.sort();
    Ok(Deduced { pieces, assignments })
}

/// Adds every different way to go on giving `kinds`, sorted, to `pieces`; stops behind `most`.
fn fill(
    start: &Game,
    pieces: &[usize],
    kinds: &mut Vec<Kind>,
    given: &mut Vec<Kind>,
    set_up: bool,
    most: usize,
    found: &mut Vec<Vec<Kind>>,
) {
    if found.len() > most {
        return;
    }
    if given.len() == pieces.len() {
        found.push(given.clone());
        return;
    }
    let piece = &start.pieces[pieces[given.len()]];
    let at_home = piece.home / 30 == start.rules.quarter(piece.seat);
    for i in 0..kinds.len() {
        let kind = kinds[i];
        if i > 0 && kinds[i - 1] == kind {
            continue;
        }
        if set_up && at_home && !may_stand(&start.rules, &start.board, kind, piece.home) {
            continue;
        }
        kinds.remove(i);
        given.push(kind);
        fill(start, pieces, kinds, given, set_up, most, found);
        given.pop();
        kinds.insert(i, kind);
    }
}

/// Whether a game with other hidden pieces could have been played like this, for this viewer.
pub(crate) fn looks_the_same(
    tried: Game,
    start: &Game,
    plies: &[(usize, usize)],
    viewer: usize,
    seen: &[Event],
) -> bool {
    // Who is in play and whose turn it is at the start is seen too.
    let mut pieces = Vec::new();
    for piece in &tried.pieces {
        pieces.push((piece.seat, piece.home, piece.kind));
    }
    let Ok(mut game) = Game::on(tried.board, tried.rules, &pieces, start.to_move) else {
        return false;
    };
    if game.out != start.out || game.to_move != start.to_move {
        return false;
    }
    for ((from, to), event) in plies.iter().zip(seen) {
        match game.play(*from, *to) {
            Ok(played) if played.seen_by(&game.rules, viewer) == *event => {}
            _ => return false,
        }
    }
    true
}

//! The kinds that each hidden piece can have, for games of any size: [`deduce`](super::deduce()) tries every
//! assignment, this searches for one that fits the [facts](super::facts), for each piece and each kind.

use super::deduce::looks_the_same;
use super::facts::{Facts, Kinds, facts};
use super::game::Game;
use super::kind::Kind;

/// The kinds, sorted, that each piece of [`Game::pieces`] can have for `viewer` after `plies` from `start`, pieces that
/// are gone included. Arguments as for [`deduce`](super::deduce()). With `replay` every assignment that is found is also
/// played through, which takes its time.
///
/// # Errors
/// A sentence about plies that cannot be played from `start` or that end with a win, and about an assignment that
/// `replay` proved wrong, which would be a mistake in here.
pub fn candidates(
    start: &Game,
    plies: &[(usize, usize)],
    viewer: usize,
    set_up: bool,
    replay: bool,
) -> Result<Vec<Vec<Kind>>, String> {
    let facts = facts(start, plies, viewer, set_up)?;
    let mut seen = Vec::new();
    let mut game = start.clone();
    for (from, to) in plies {
        seen.push(game.play(*from, *to)?.seen_by(&start.rules, viewer));
    }
    let mut open = facts.kinds.clone();
    let mut found: Vec<Kinds> = vec![Vec::new(); open.len()];
    for piece in 0..open.len() {
        for kind in open[piece].clone() {
            if found[piece].contains(&kind) {
                continue;
            }
            let mut tried = open.clone();
            tried[piece] = vec![kind];
            let Some(assignment) = solve(start, &facts, tried) else {
                open[piece].retain(|other| *other != kind);
                continue;
            };
            for (known, kind) in found.iter_mut().zip(&assignment) {
                if !known.contains(kind) {
                    known.push(*kind);
                }
            }
            if replay {
                let mut tried = start.clone();
                for (piece, kind) in tried.pieces.iter_mut().zip(&assignment) {
                    piece.kind = *kind;
                }
                if !looks_the_same(tried, start, plies, viewer, &seen) {
                    return Err(format!("{assignment:?} fits the facts and not the game"));
                }
            }
        }
    }
    for known in &mut found {
        known.sort();
    }
    Ok(found)
}

/// An assignment of kinds to all pieces that fits every fact, if there is one.
fn solve(start: &Game, facts: &Facts, mut open: Vec<Kinds>) -> Option<Vec<Kind>> {
    let fits = |attacker, defender, outcome| Facts::fits(start, attacker, defender, outcome);
    // What one side of a combat can be says something about the other.
    loop {
        let before: usize = open.iter().map(Vec::len).sum();
        for (attacker, defender, outcome) in &facts.combats {
            let (one, two) = (open[*attacker].clone(), open[*defender].clone());
            open[*attacker].retain(|kind| two.iter().any(|other| fits(*kind, *other, *outcome)));
            open[*defender].retain(|kind| one.iter().any(|other| fits(*other, *kind, *outcome)));
        }
        if open.iter().map(Vec::len).sum::<usize>() == before {
            break;
        }
    }
    let assignment = share_out(start, &open)?;
    // A combat that some pair of the remaining kinds does not fit: settle one of the two.
    for (attacker, defender, outcome) in &facts.combats {
        let all = open[*attacker].iter().all(|one| open[*defender].iter().all(|two| fits(*one, *two, *outcome)));
        if !all {
            let side = if open[*attacker].len() > 1 { *attacker } else { *defender };
            return each(&open[side], |kind| {
                let mut tried = open.clone();
                tried[side] = vec![*kind];
                solve(start, facts, tried)
            });
        }
    }
    // A group of which it is not certain that one has one of its kinds: let it be each of them in turn.
    for group in &facts.groups {
        if !group.iter().any(|(piece, kinds)| open[*piece].iter().all(|kind| kinds.contains(kind))) {
            return each(group, |(piece, kinds)| {
                let mut tried = open.clone();
                tried[*piece].retain(|kind| kinds.contains(kind));
                solve(start, facts, tried)
            });
        }
    }
    Some(assignment)
}

/// The first answer that any of the cases gives.
fn each<T>(cases: &[T], try_one: impl FnMut(&T) -> Option<Vec<Kind>>) -> Option<Vec<Kind>> {
    cases.iter().find_map(try_one)
}

/// Gives every seat's kinds, so many of each as it started with, to its pieces, each piece one of those that are open
/// for it.
fn share_out(start: &Game, open: &[Kinds]) -> Option<Vec<Kind>> {
    let mut given: Vec<Option<Kind>> = vec![None; open.len()];
    for piece in 0..open.len() {
        if !give(start, open, piece, &mut given, &mut Vec::new()) {
            return None;
        }
    }
    given.into_iter().collect()
}

/// Gives a piece one of its kinds; where none is left, another piece that has it has to take a different one.
fn give(start: &Game, open: &[Kinds], piece: usize, given: &mut Vec<Option<Kind>>, asked: &mut Vec<Kind>) -> bool {
    let seat = start.pieces[piece].seat;
    for kind in &open[piece] {
        if asked.contains(kind) {
            continue;
        }
        asked.push(*kind);
        let total = start.pieces.iter().filter(|other| other.seat == seat && other.kind == *kind).count();
        let holders: Vec<usize> =
            (0..open.len()).filter(|other| start.pieces[*other].seat == seat && given[*other] == Some(*kind)).collect();
        if holders.len() < total {
            given[piece] = Some(*kind);
            return true;
        }
        for holder in holders {
            if give(start, open, holder, given, asked) {
                given[piece] = Some(*kind);
                return true;
            }
        }
    }
    false
}

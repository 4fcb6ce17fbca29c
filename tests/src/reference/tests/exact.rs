//! Leaf counts and exact values that two independent programs agreed on (1.6).

use std::collections::HashMap;

use super::super::{Game, Rules, Status};
use super::profile;

/// Leaves at a depth, chance expanded: one per action and distinct revealed type.
fn perft(game: &Game, depth: usize) -> usize {
    let mut leaves = 0;
    for action in game.legal() {
        let outcomes = game.outcomes(&action);
        if depth == 1 {
            leaves += outcomes.len().max(1);
            continue;
        }
        for child in children(game, &action) {
            leaves += perft(&child.0, depth - 1);
        }
    }
    leaves
}

/// Every position after an action, with how many of the face-down pieces lead to it.
fn children(game: &Game, action: &str) -> Vec<(Game, u32)> {
    let mut outcomes: Vec<(Option<char>, u32)> = Vec::new();
    for (letter, count) in game.outcomes(action) {
        outcomes.push((Some(letter), count));
    }
    if outcomes.is_empty() {
        outcomes.push((None, 1));
    }
    let mut children = Vec::new();
    for (outcome, count) in outcomes {
        let mut child = game.clone();
        child.play(action, outcome).expect("a legal action");
        // Nothing that is counted or solved here looks back, and a long history is slow to copy.
        child.history.clear();
        children.push((child, count));
    }
    children
}

/// The value for seat 0: win 1, draw 0, loss -1. Only for rules whose positions say all there is to say: no
/// repetition, no chase limit, no chain.
fn value(game: &Game, known: &mut HashMap<String, f64>) -> f64 {
    match game.status() {
        Status::Win { seat: 0, .. } => return 1.0,
        Status::Win { .. } => return -1.0,
        Status::Draw { .. } => return 0.0,
        Status::Ongoing => {}
    }
    let key = key(&game.position());
    if let Some(value) = known.get(&key) {
        return *value;
    }
    let mut best: Option<f64> = None;
    for action in game.legal() {
        let value = expectation(game, &action, known);
        best = Some(match best {
            None => value,
            Some(best) if game.to_move() == 0 => best.max(value),
            Some(best) => best.min(value),
        });
    }
    let best = best.expect("an ongoing game has a legal action");
    known.insert(key, best);
    best
}

/// What a value depends on: the position without the number of its ply. The four mirror images of a board have one
/// key, and so have two positions that differ only in which of the colours is called red.
fn key(position: &str) -> String {
    let fields: Vec<&str> = position.split(' ').collect();
    let [rows, seat, colour, bag, quiet, _] = fields[..] else {
        panic!("{position} has other fields");
    };
    let (rows, bag) = if colour == "b" {
        let split = bag.find(|c: char| c.is_ascii_lowercase());
        let (red, black) = bag.split_at(split.unwrap_or(bag.len()));
        (swapped(rows), swapped(black) + &swapped(red))
    } else {
        (rows.to_string(), bag.to_string())
    };
    let upright: Vec<String> = rows.split('/').map(str::to_string).collect();
    let mut mirrored = upright.clone();
    for row in &mut mirrored {
        *row = row.chars().rev().collect();
    }
    let mut images = Vec::new();
    for mut rows in [upright, mirrored] {
        images.push(rows.join("/"));
        rows.reverse();
        images.push(rows.join("/"));
    }
    images.sort();
    format!("{} {seat} {} {bag} {quiet}", images[0], colour == "-")
}

/// The same pieces in the other colour; `X` is no piece.
fn swapped(text: &str) -> String {
    let swap = |letter: char| match letter {
        'X' => 'X',
        letter if letter.is_ascii_lowercase() => letter.to_ascii_uppercase(),
        letter => letter.to_ascii_lowercase(),
    };
    text.chars().map(swap).collect()
}

fn expectation(game: &Game, action: &str, known: &mut HashMap<String, f64>) -> f64 {
    let mut sum = 0.0;
    let mut weight = 0.0;
    for (child, count) in children(game, action) {
        sum += f64::from(count) * value(&child, known);
        weight += f64::from(count);
    }
    sum / weight
}

fn start(rows: usize, cols: usize, letters: &str, quiet_limit: usize) -> Game {
    let rules = Rules::small(rows, cols, letters).expect(letters);
    Game::new(Rules { quiet_limit, ..rules })
}

#[track_caller]
fn check(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-6, "{found} for {expected}");
}

#[test]
fn leaves_from_the_start() {
    let game = Game::new(profile("taiwan"));
    assert_eq!(perft(&game, 1), 448);
    assert_eq!(perft(&game, 2), 192_448);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn leaves_from_the_start_three_deep() {
    assert_eq!(perft(&Game::new(profile("taiwan")), 3), 78_989_568);
}

#[test]
fn two_by_two() {
    check(value(&start(2, 2, "KP", 8), &mut HashMap::new()), -1.0);
    check(value(&start(2, 2, "CP", 8), &mut HashMap::new()), -1.0 / 3.0);
}

#[test]
fn two_by_three_with_a_cannon() {
    // The draw checked before the loss of a seat without an action would give -0.066667.
    check(value(&start(2, 3, "KCP", 4), &mut HashMap::new()), -0.061_111);
}

#[test]
fn two_by_three_with_a_cannon_and_more_time() {
    check(value(&start(2, 3, "KCP", 6), &mut HashMap::new()), -0.069_444);
}

#[test]
fn two_by_three_with_a_guard() {
    check(value(&start(2, 3, "KGP", 5), &mut HashMap::new()), 0.325);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn two_by_three_with_a_long_limit() {
    check(value(&start(2, 3, "KCP", 40), &mut HashMap::new()), -0.063_889);
}

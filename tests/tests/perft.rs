//! Leaves of the first plies of every profile, chance expanded: the engine and the reference against one fixture.
//!
//! The reference goes to depth 2, and to depth 3 where `ANQI_SLOW` is set, which takes some minutes.

use anqi_env::any::{AnyRules, families};
use anqi_env::darkchess::DarkChess;
use anqi_tests::reference::{Game, Rules};

/// Name and leaves at depth 1, 2 and 3 of every line of the fixture.
fn fixture() -> Vec<(&'static str, [u64; 3])> {
    let lines = include_str!("../data/perft.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, counts) = line.split_once(' ').unwrap();
            let counts: Vec<u64> = counts.split_whitespace().map(|count| count.parse().unwrap()).collect();
            (name, counts.try_into().unwrap())
        })
        .collect()
}

/// The reference's rules of a name in the fixture.
fn reference(name: &str) -> Rules {
    let (family, profile) = name.split_once(':').unwrap();
    let mut rules = Rules::profile(if family == "tombchess" { family } else { profile }).unwrap();
    if profile == "web" {
        rules.quiet_limit = 10;
    }
    rules
}

fn perft(game: &Game, depth: usize) -> u64 {
    let mut leaves = 0;
    for action in game.legal() {
        let mut outcomes: Vec<Option<char>> =
            game.outcomes(&action).into_iter().map(|(shown, _)| Some(shown)).collect();
        if outcomes.is_empty() {
            outcomes.push(None);
        }
        if depth == 1 {
            leaves += outcomes.len() as u64;
            continue;
        }
        for shown in outcomes {
            let mut child = game.clone();
            child.play(&action, shown).unwrap();
            leaves += perft(&child, depth - 1);
        }
    }
    leaves
}

#[test]
fn every_profile_has_its_counts() {
    let known: Vec<&str> = fixture().into_iter().map(|(name, _)| name).collect();
    for family in families().iter().filter(|family| ["darkchess", "tombchess"].contains(&family.name)) {
        for (profile, ..) in &family.profiles {
            let name = format!("{}:{profile}", family.name);
            assert!(known.contains(&name.as_str()), "tests/data/perft.txt lacks {name}");
        }
    }
}

#[test]
fn the_engine_counts_them() {
    for (name, expected) in fixture() {
        let game: DarkChess = AnyRules::parse(name).unwrap().game().unwrap();
        let depths = if cfg!(debug_assertions) { 2 } else { 3 };
        let found: Vec<u64> = (1..=depths).map(|depth| game.perft(&game.start(), depth)).collect();
        assert_eq!(found, expected[..depths as usize], "{name}");
    }
}

#[test]
fn the_reference_counts_them() {
    let depths = if std::env::var_os("ANQI_SLOW").is_some() { 3 } else { 2 };
    for (name, expected) in fixture() {
        let game = Game::new(reference(name));
        let found: Vec<u64> = (1..=depths).map(|depth| perft(&game, depth)).collect();
        assert_eq!(found, expected[..depths], "{name}");
    }
}

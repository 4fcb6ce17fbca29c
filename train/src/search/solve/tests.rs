//! The values of games.md, computed there by two independent programs, and what must hold between values.

use super::*;
use anqi_env::game::{Actions, Game};
use anqi_env::rng::Rng;

const ENOUGH: f64 = 4e9;

fn solved(rules: &str) -> (DarkChess, Solution) {
    let game = match rules.strip_prefix("tombchess:") {
        Some(rules) => DarkChess::parse_tomb(rules).unwrap(),
        None => DarkChess::parse(rules).unwrap(),
    };
    let solution = solve(&game, &game.start(), ENOUGH).unwrap();
    (game, solution)
}

fn first_values(rules: &str) -> Vec<String> {
    let (game, solution) = solved(rules);
    let values = solution.action_values(&game.start()).unwrap();
    values.iter().map(|(_, value)| format!("{value:.6}")).collect()
}

/// The best for the first seat; all squares of 2x2 and all corners of 2x3 are alike.
fn value(rules: &str) -> String {
    let (game, solution) = solved(rules);
    format!("{:.6}", solution.value(&game.start()).unwrap())
}

#[test]
fn the_smallest_boards() {
    assert_eq!(value("mini,board=2x2,pieces=K1P1,quiet_limit=8"), "-1.000000");
    assert_eq!(value("mini,board=2x2,pieces=C1P1,quiet_limit=8"), "-0.333333");
    assert_eq!(value("mini,board=2x3,pieces=K1C1P1,quiet_limit=4"), "-0.061111");
    assert_eq!(value("mini,board=2x3,pieces=K1C1P1,quiet_limit=6"), "-0.069444");
    assert_eq!(value("mini,board=2x3,pieces=K1C1P1,quiet_limit=40"), "-0.063889");
    assert_eq!(value("mini,board=2x3,pieces=K1G1P1,quiet_limit=5"), "0.325000");
}

/// Some 26 million positions each: with `ANQI_SLOW=1` only.
#[test]
fn boards_of_two_by_four() {
    if std::env::var_os("ANQI_SLOW").is_none_or(|value| value != "1") {
        return;
    }
    for (pieces, corner, inner) in [
        ("K1G1C1P1", "-0.120486", "0.001587"),
        ("K1G1M1P1", "-0.134177", "-0.084127"),
        ("K1C1P2", "-0.121429", "-0.011905"),
        ("G1M1R1N1", "-0.074603", "-0.039583"),
    ] {
        let values = first_values(&format!("mini,pieces={pieces}"));
        let expected: Vec<&str> =
            (0..8).map(|square| if [0, 3, 4, 7].contains(&square) { corner } else { inner }).collect();
        assert_eq!(values, expected, "{pieces}");
    }
}

/// A position is worth what the best of its actions is, whatever the rules and however many quiet plies were played,
/// and each value is the negative of the other seat's.
#[test]
fn values_agree_with_the_values_of_actions() {
    for rules in [
        "mini,board=2x3,pieces=K1C1P1,quiet_limit=7",
        "mini,board=2x3,pieces=R1C1P1,quiet_limit=6,chain=open",
        "mini,board=2x3,pieces=R1C1P1,quiet_limit=6,chain=dark,chariot_rush=true",
        "mini,board=2x3,pieces=G1C1P1,quiet_limit=5,chain=dark,dark_fail=suicide",
        "mini,board=2x3,pieces=R1C1P1,quiet_limit=6,ranking=hongkong",
        "mini,board=2x3,pieces=K1C1P1,quiet_limit=6,hit_points=30",
        "tombchess:board=2x3,pieces=K1B1P1,quiet_limit=5,repetition=none",
    ] {
        let (game, solution) = solved(rules);
        let mut rng = Rng::new(2);
        for _ in 0..200 {
            let mut state = game.deal(&mut rng);
            while game.status(&state).is_ongoing() {
                let view = *game.view(&state, 0);
                let values = solution.action_values(&view).unwrap();
                let mut legal = Actions::new();
                game.legal(&view, &mut legal);
                assert!(values.iter().map(|(action, _)| action).eq(legal.iter()));
                let best = values.iter().map(|(_, value)| *value).fold(-1.0, f64::max);
                let text = game.view_text(&view);
                assert!((best - solution.value(&view).unwrap()).abs() < 1e-8, "{rules}: {text}: {values:?}");
                game.play(&mut state, game.sample(&view, &mut rng));
            }
        }
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let game = DarkChess::parse("mini,board=2x3,pieces=K1C1P1,quiet_limit=9").unwrap();
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let solution = pool.install(|| solve(&game, &game.start(), ENOUGH).unwrap());
        (solution.positions(), solution.action_values(&game.start()))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn what_is_refused_says_why() {
    let fault = |rules: &str| {
        let game = DarkChess::parse(rules).unwrap();
        solve(&game, &game.start(), ENOUGH).err().unwrap().to_string()
    };
    assert!(fault("taiwan").contains("repetition=cycle3: the solver needs repetition=none"));
    assert!(fault("gametower").contains("chase_limit=10"));
    assert!(fault("mini,quiet_limit=0").contains("quiet_limit=40"));
    assert!(fault("zhengba").contains("quiet_revealed=false"));
    let large = fault("taiwan,repetition=none");
    assert!(large.contains("too large") && large.contains("positions"), "{large}");
    let game = DarkChess::parse("mini,board=2x2,pieces=K1P1").unwrap();
    let solution = solve(&game, &game.start(), ENOUGH).unwrap();
    let other = DarkChess::parse("mini,board=2x2,pieces=K1G1").unwrap();
    let unknown = other.parse_view("GX/g1 0 r k1 0 9").unwrap();
    assert_eq!(solution.value(&unknown), None);
}

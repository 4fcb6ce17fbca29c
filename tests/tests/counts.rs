//! Numbers that other programs found (games.md 1.6): leaves of the first plies, draw rates and lengths of random play.

use anqi_env::darkchess::DarkChess;
use anqi_env::game::{Game, Status};
use anqi_env::rng::Rng;

#[test]
fn leaves_of_the_first_plies() {
    let game = DarkChess::parse("taiwan").unwrap();
    // The third takes a while where code is not optimised.
    let depths = if cfg!(debug_assertions) { 2 } else { 3 };
    for (depth, leaves) in (1..=depths).zip([448, 192_448, 78_989_568]) {
        assert_eq!(game.perft(&game.start(), depth), leaves, "depth {depth}");
    }
}

/// Games of the sample that the numbers below were taken from.
const THEIR_GAMES: f64 = 200_000.0;

#[test]
fn draw_rates_and_lengths_of_random_play() {
    let games: u64 = if cfg!(debug_assertions) { 500 } else { 20_000 };
    let n = games as f64;
    // Four standard errors of the difference between two samples with this variance.
    let margin = |variance: f64| 4.0 * (variance * (1.0 / n + 1.0 / THEIR_GAMES)).sqrt();
    for (quiet_limit, draws, plies) in
        [(40, 0.866, 210.0), (50, 0.786, 238.0), (60, 0.704, 260.0), (100, 0.451, 318.0), (180, 0.240, 364.0)]
    {
        let game = DarkChess::parse(&format!("quiet_limit={quiet_limit},repetition=none")).unwrap();
        let (mut drawn, mut length, mut squares, mut balance) = (0.0, 0.0, 0.0, 0.0);
        for number in 0..games {
            let mut rng = Rng::branch(quiet_limit, &[number]);
            let mut state = game.deal(&mut rng);
            while game.status(&state).is_ongoing() {
                let action = game.sample(game.view(&state, 0), &mut rng);
                game.play(&mut state, action);
            }
            let plies = f64::from(game.plies(&state));
            drawn += f64::from(u8::from(matches!(game.status(&state), Status::Draw(_))));
            length += plies / n;
            squares += plies * plies / n;
            balance += f64::from(game.status(&state).value(0));
        }
        let (rate, variance) = (drawn / n, squares - length * length);
        let found = format!("quiet limit {quiet_limit}: {rate:.4} drawn, {length:.1} plies, balance {balance}");
        // Half a unit of the last digit given, on top.
        assert!((rate - draws).abs() < margin(draws * (1.0 - draws)) + 0.0005, "{found}");
        assert!((length - plies).abs() < margin(variance) + 0.5, "{found}");
        // Neither seat wins more often: four standard deviations of a sum of wins and losses.
        assert!(balance.abs() < 4.0 * (n - drawn).sqrt(), "{found}");
    }
}

//! Random games under every profile: what must hold after each ply.

use super::super::{Chain, DarkFail, Repetition, Rules};
use super::{Game, Status, profile};

/// A small generator, so that the games are the same on every machine (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        (mixed % limit as u64) as usize
    }
}

/// A random legal action and, where there is chance, a piece drawn from the bag.
fn play_random(game: &mut Game, numbers: &mut Numbers) {
    let legal = game.legal();
    let action = &legal[numbers.below(legal.len())];
    let outcomes = game.outcomes(action);
    let total: u32 = outcomes.iter().map(|(_, count)| count).sum();
    let mut outcome = None;
    if total > 0 {
        let mut drawn = numbers.below(total as usize) as u32;
        for (letter, count) in outcomes {
            if drawn < count {
                outcome = Some(letter);
                break;
            }
            drawn -= count;
        }
    }
    game.play(action, outcome).expect("a legal action");
}

fn every_kind_of_rules() -> Vec<Rules> {
    let mut all = Vec::new();
    for name in [
        "taiwan",
        "zhengba",
        "gametower",
        "gametower-open-chain",
        "gametower-dark-chain",
        "hongkong",
        "mainland60",
        "icga",
        "mini",
        "tombchess",
    ] {
        all.push(profile(name));
    }
    all.push(Rules {
        chain: Chain::Dark,
        dark_fail: DarkFail::Suicide,
        chariot_rush: true,
        repetition: Repetition::Threefold,
        chase_limit: 2,
        ..profile("taiwan")
    });
    all
}

#[test]
fn texts_and_counts_hold_in_random_games() {
    for (number, rules) in every_kind_of_rules().into_iter().enumerate() {
        for seed in 0..3 {
            let mut numbers = Numbers(seed * 100 + number as u64);
            let mut game = Game::new(rules.clone());
            let mut plies = 0;
            while game.status() == Status::Ongoing {
                assert!(!game.legal().is_empty(), "{}", game.position());
                play_random(&mut game, &mut numbers);
                plies += 1;
                assert_eq!(game.history.len(), plies);
                check_text(&game, &rules);
            }
            assert!(game.legal().is_empty());
        }
    }
}

/// A position that is read again is written the same, and has the same actions unless what happened before it
/// decides: a chain, or a chase.
fn check_text(game: &Game, rules: &Rules) {
    let text = game.position();
    let again = match Game::from_position(rules.clone(), &text) {
        Ok(again) => again,
        Err(defect) => panic!("{text}: {defect}"),
    };
    let over = game.status() != Status::Ongoing;
    if over || game.chain.is_some() {
        return;
    }
    assert_eq!(again.position(), text);
    if rules.chase_limit == 0 {
        assert_eq!(again.legal(), game.legal(), "{text}");
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "slow without optimisation")]
fn random_games_are_drawn_as_often_as_elsewhere() {
    // 1.6: taiwan core without repetition, 200,000 games each; here 1,500, so within some three standard errors.
    for (quiet_limit, draws, length) in [(40, 0.866, 210.0), (60, 0.704, 260.0)] {
        let rules = Rules { quiet_limit, repetition: Repetition::None, ..profile("taiwan") };
        let mut numbers = Numbers(quiet_limit as u64);
        let (mut drawn, mut plies) = (0, 0);
        let games = 1500;
        for _ in 0..games {
            let mut game = Game::new(rules.clone());
            while game.status() == Status::Ongoing {
                play_random(&mut game, &mut numbers);
                plies += 1;
            }
            drawn += u32::from(matches!(game.status(), Status::Draw { .. }));
        }
        let share = f64::from(drawn) / f64::from(games);
        let mean = f64::from(plies) / f64::from(games);
        assert!((share - draws).abs() < 0.03, "{quiet_limit}: {share}");
        assert!((mean - length).abs() < 7.0, "{quiet_limit}: {mean}");
    }
}

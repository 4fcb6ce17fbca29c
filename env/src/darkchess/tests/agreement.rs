//! The many ways to ask what is legal must agree, and derived fields must follow from the others.

use super::{RULE_SETS, at, game, random_game};
use crate::game::{Action, Actions, Game};
use crate::rng::Rng;

#[test]
fn every_field_follows_from_the_cells_after_every_ply() {
    for rules in RULE_SETS {
        let game = game(rules);
        for seed in 0..20 {
            random_game(&game, seed, |position, _| {
                game.consistent(position)
                    .unwrap_or_else(|fault| panic!("{rules} {}: {fault}", game.view_text(position)));
            });
        }
    }
}

#[test]
fn legal_is_legal_mask_and_sample_agree() {
    for rules in RULE_SETS {
        let game = game(rules);
        let num_actions = game.spec().num_actions;
        let mut mask = vec![0i8; num_actions];
        let mut legal = Actions::new();
        for seed in 100..110 {
            random_game(&game, seed, |position, rng| {
                let text = || format!("{rules} {}", game.view_text(position));
                legal.clear();
                game.legal(position, &mut legal);
                assert!(legal.is_sorted_by(|a, b| a < b), "{}", text());
                mask.fill(7);
                game.mask(position, &mut mask);
                for action in 0..=num_actions as Action + 1 {
                    let listed = legal.binary_search(&action).is_ok();
                    assert_eq!(game.is_legal(position, action), listed, "{action} in {}", text());
                    let masked = mask.get(usize::from(action)).copied().unwrap_or(0);
                    assert_eq!(masked, i8::from(listed), "{action} in {}", text());
                }
                assert!(!game.is_legal(position, Action::MAX));
                assert_eq!(legal.is_empty(), !game.view_status(position).is_ongoing(), "{}", text());
                if !legal.is_empty() {
                    assert!(legal.contains(&game.sample(position, rng)), "{}", text());
                }
            });
        }
    }
}

#[test]
fn sampling_is_uniform_over_flips_steps_and_jumps() {
    // Two cannons, each with jumps; steps in all directions; captures by a step.
    let game = game("taiwan");
    let position = at(&game, "C1pk4/2X5/1CPp1g2/1Xg4R 0 r K1p1 3 61");
    let mut legal = Actions::new();
    game.legal(&position, &mut legal);
    let names: Vec<String> = legal.iter().map(|&action| game.action_name(action)).collect();
    assert!(["b3", "a1-a4", "c2-c4", "c3-c4", "d8-d7"].iter().all(|name| names.contains(&(*name).into())), "{names:?}");
    let per_action = 4_000;
    let mut counts = vec![0i32; game.spec().num_actions];
    let mut rng = Rng::new(1);
    (0..legal.len() as i32 * per_action).for_each(|_| counts[usize::from(game.sample(&position, &mut rng))] += 1);
    for (action, &count) in counts.iter().enumerate() {
        let expected = if legal.contains(&(action as Action)) { per_action } else { 0 };
        // Five standard deviations.
        assert!((count - expected).abs() <= 316, "{}: {count}", game.action_name(action as Action));
    }
}

#[test]
fn names_and_numbers_of_actions() {
    for rules in RULE_SETS {
        let game = game(rules);
        for action in 0..game.spec().num_actions as Action {
            let name = game.action_name(action);
            assert_eq!(game.action_id(&name), Ok(action), "{rules} {name}");
            assert_eq!(game.action_id(&name.replace('-', "x")), Ok(action), "{rules} {name}");
        }
        for name in ["", "a", "a0", "i1", "a1-", "-a1", "a1-a1", "a1-b2", "a1-a2-a3", "Stop", "a1 ", "é1", "a1-é"] {
            assert!(game.action_id(name).is_err(), "{rules} '{name}'");
        }
    }
}

#[test]
fn outcomes_are_the_bag() {
    let game = game("taiwan");
    let position = at(&game, "X7/8/8/K5XX 1 r P2k1 0 61");
    let flip = game.action_id("d8").unwrap();
    let outcomes = game.chance_outcomes(&position, flip);
    let named: Vec<(String, f64)> = outcomes.iter().map(|&(piece, p)| (game.outcome_name(piece), p)).collect();
    assert_eq!(named, [("P".into(), 2.0 / 3.0), ("k".into(), 1.0 / 3.0)]);
    let position = at(&game, "8/8/8/K5R1 0 r - 0 61");
    assert!(game.chance_outcomes(&position, game.action_id("d7-d8").unwrap()).is_empty());
}

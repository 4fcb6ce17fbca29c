//! The search finds what is exactly best, and other searches beside it change nothing.

use anqi_env::darkchess::DarkChess;
use anqi_env::game::Game;
use anqi_env::rng::Rng;

use super::*;
use crate::agent::{Agent, Turn};
use crate::encode::plan_of;
use crate::net::{Infer, Net, NetConfig, device};
use crate::rollout::Improver as _;
use crate::search::hand::Hand;
use crate::search::solve::solve;

fn thumb(game: &DarkChess, sims: u32, playout: u32) -> Mcts<Thumb<Hand>> {
    Mcts::new(Thumb { evaluator: Hand::new(game), playout }, sims)
}

#[test]
fn takes_the_last_piece() {
    let game = DarkChess::parse("taiwan").unwrap();
    let view = game.parse_view("K7/8/1cR1p3/8 0 r - 0 40").unwrap();
    let won = game.parse_view("8/8/1pR5/8 0 r - 0 40").unwrap();
    for sims in [1, 8, 200] {
        let agent = thumb(&game, sims, 0);
        let mut rng = Rng::new(1);
        let mut act = |view| {
            let action = agent.act(&game, &mut [Turn { view, rng: &mut rng, game: 0 }])[0];
            game.action_name(action)
        };
        assert_eq!(act(&won), "c3-c2", "{}", game.draw_text(&won));
        if sims > 1 {
            assert_eq!(act(&view), "c3-c2", "{}", game.draw_text(&view));
        }
    }
    let values = thumb(&game, 200, 0).values(&game, &won);
    let taken = values.iter().find(|(action, _)| game.action_name(*action) == "c3-c2").unwrap();
    assert_eq!(taken.1, 1.0);
}

/// On a small board the played actions lose hardly anything against exact play, over all of a game's chances.
#[test]
fn plays_nearly_exactly_on_a_small_board() {
    let game = DarkChess::parse("mini,board=2x3,pieces=K1C1P1,quiet_limit=6").unwrap();
    let solution = solve(&game, &game.start(), 1e9).unwrap();
    let agent = thumb(&game, 8000, 0);
    let (mut regret, mut count, mut rng) = (0.0, 0, Rng::new(5));
    for _ in 0..12 {
        let mut state = game.deal(&mut rng);
        while game.status(&state).is_ongoing() {
            let view = *game.view(&state, game.to_move(&state));
            let values = solution.action_values(&view).unwrap();
            let best = values.iter().map(|&(_, value)| value).fold(-1.0, f64::max);
            let action = agent.act(&game, &mut [Turn { view: &view, rng: &mut rng, game: 0 }])[0];
            let found = values.iter().find(|(other, _)| *other == action).unwrap().1;
            (regret, count) = (regret + best - found, count + 1);
            game.play(&mut state, action);
        }
    }
    let mean = regret / f64::from(count);
    assert!(mean < 0.01, "mean regret {mean} over {count} plies");
}

/// With noise and hardly any search the actions are drawn from the network's policy, and the improved policy is a
/// distribution that leans towards better results.
#[test]
fn training_draws_from_the_policy_and_leans_towards_results() {
    let game = DarkChess::parse("mini").unwrap();
    let net = Net::new(&NetConfig { width: 32, ..NetConfig::default() }, plan_of(&game), 3, &device()).unwrap();
    let infer = || Infer::new(&net, net.shape());
    let view = game.start();
    let mut plain: Vec<f32> = vec![0.0; game.spec().num_actions];
    let draws = 4_000;
    let one = Mcts::training(NetGuide(infer()), 1, 0.0);
    let mut rng = Rng::new(7);
    for _ in 0..draws {
        let improved = one.improve(&game, &mut [Turn { view: &view, rng: &mut rng, game: 0 }]);
        plain[usize::from(improved[0].action.unwrap())] += 1.0 / draws as f32;
    }
    let policy = Agent::<DarkChess>::policy(&crate::agent::NetAgent::new(infer(), 0.0), &game, &view);
    for (action, (found, expected)) in plain.iter().zip(&policy).enumerate() {
        let error = (expected * (1.0 - expected) / draws as f32).sqrt();
        assert!((found - expected).abs() <= 4.5 * error + 1e-6, "{action}: {found} {expected}");
    }
    // The guard can take the last piece: the more results count, the more of the policy goes there.
    let won = game.parse_view("Gp2/4 0 r - 0 9").unwrap();
    let taking = |scale: f32| {
        let mcts = Mcts::training(NetGuide(infer()), 32, scale);
        let improved = &mcts.improve(&game, &mut [Turn { view: &won, rng: &mut Rng::new(1), game: 0 }])[0];
        assert!((improved.policy.iter().map(|(_, share)| share).sum::<f32>() - 1.0).abs() < 1e-4);
        let takes = |action| game.takes(&won, action);
        improved.policy.iter().filter(|(action, _)| takes(*action)).map(|(_, share)| share).sum::<f32>()
    };
    assert!(taking(0.0) < taking(0.2) && taking(0.2) < taking(1.0) && taking(1.0) > 0.9, "{}", taking(1.0));
}

#[test]
fn a_position_gets_the_same_action_alone_and_among_others() {
    let game = DarkChess::parse("mini").unwrap();
    let net = Net::new(&NetConfig { width: 32, ..NetConfig::default() }, plan_of(&game), 3, &device()).unwrap();
    let agent = Mcts::new(NetGuide(Infer::new(&net, net.shape())), 40);
    let mut rng = Rng::new(2);
    let views: Vec<_> = (0..6)
        .map(|plies| {
            let mut state = game.deal(&mut rng);
            for _ in 0..plies {
                let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
                game.play(&mut state, action);
            }
            *game.view(&state, game.to_move(&state))
        })
        .collect();
    let mut streams: Vec<Rng> = (0..6).map(Rng::new).collect();
    let turns = views.iter().zip(&mut streams).map(|(view, rng)| Turn { view, rng, game: 0 });
    let together = agent.act(&game, &mut turns.collect::<Vec<_>>());
    for (number, (view, together)) in views.iter().zip(together).enumerate() {
        let mut rng = Rng::new(number as u64);
        assert_eq!(agent.act(&game, &mut [Turn { view, rng: &mut rng, game: 0 }]), [together]);
        let policy = agent.policy(&game, view);
        assert!((policy.iter().sum::<f32>() - 1.0).abs() < 1e-4);
        assert!(policy.iter().enumerate().all(|(action, p)| *p == 0.0 || game.is_legal(view, action as u16)));
        assert!((-1.0..=1.0).contains(&agent.value(&game, view)));
    }
}

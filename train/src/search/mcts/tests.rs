//! The search finds what is exactly best, and other searches beside it change nothing.

use anqi_env::darkchess::DarkChess;
use anqi_env::game::Game;
use anqi_env::rng::Rng;

use super::*;
use crate::agent::{Agent, Turn};
use crate::encode::plan_of;
use crate::net::{Infer, Net, NetConfig, device};
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

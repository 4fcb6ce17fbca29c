//! Cutting off changes nothing, and simple positions are played right.

use super::root::{Aim, Searcher};
use super::*;
use crate::search::evaluator::Evaluator;
use crate::search::hand::Hand;
use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::Game;
use anqi_env::rng::Rng;

fn game(name: &str) -> DarkChess {
    match name.strip_prefix("tombchess:") {
        Some(rules) => DarkChess::parse_tomb(rules).unwrap(),
        None => DarkChess::parse(name).unwrap(),
    }
}

fn judge(hand: &Hand) -> Judge<'_> {
    Judge { evaluator: hand, tables: None }
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// Positions met in random play, each only its start of a stretch of random length.
fn met(game: &DarkChess, rng: &mut Rng, most_plies: u32) -> Option<Position> {
    let mut state = game.deal(rng);
    for _ in 0..rng.below(most_plies) {
        if !game.status(&state).is_ongoing() {
            return None;
        }
        let action = game.sample(game.view(&state, 0), rng);
        game.play(&mut state, action);
    }
    game.status(&state).is_ongoing().then(|| *game.view(&state, 0))
}

/// On small boards of every rule: the value of every root action, and with it the best, is the same with and without
/// bounds, table and order.
#[test]
fn cutting_off_changes_no_value() {
    let rules = [
        "mini",
        "mini,quiet_limit=4",
        "mini,quiet_limit=14,repetition=cycle3",
        "mini,quiet_limit=14,repetition=threefold",
        "mini,chase_limit=2",
        "mini,chain=open",
        "mini,chain=dark",
        "mini,chain=dark,dark_fail=suicide",
        "mini,pieces=K1R1C1P1,chariot_rush=true",
        "mini,pieces=K1R1C1P1,ranking=hongkong",
        "mini,hit_points=12",
        "mini,quiet_revealed=true",
        "tombchess:board=2x4,pieces=K1B1R1P1,quiet_limit=6",
    ];
    for name in rules {
        let game = game(name);
        let hand = Hand::new(&game);
        let mut searcher = Searcher::new(&game);
        let mut rng = Rng::new(11);
        let mut tried = 0;
        while tried < 25 {
            let Some(position) = met(&game, &mut rng, 30) else { continue };
            tried += 1;
            let deepest = match position.face_down() {
                0 => 6,
                1..=2 => 5,
                3..=4 => 4,
                _ => 3,
            };
            let mut run =
                |cuts, all| searcher.run(&game, judge(&hand), &position, Aim { limits: depth(deepest), all, cuts });
            let (plain, cut, best) = (run(false, true), run(true, true), run(true, false));
            let text = game.view_text(&position);
            assert_eq!(plain.values, cut.values, "{name}: {text}");
            assert_eq!(plain.values.len(), {
                let mut legal = anqi_env::game::Actions::new();
                game.legal(&position, &mut legal);
                legal.len()
            });
            let most = plain.values.iter().map(|&(_, value)| value).fold(-1.0, f32::max);
            assert_eq!((best.value, plain.value), (most, most), "{name}: {text}");
            let chosen = best.action.unwrap();
            if most > -1.0 && plain.depth == best.depth {
                assert!(plain.values.contains(&(chosen, most)), "{name}: {text}: {chosen} of {:?}", plain.values);
            }
        }
    }
}

/// The full boards, a ply or two less deep.
#[test]
fn cutting_off_changes_no_value_on_full_boards() {
    for name in ["taiwan", "icga", "gametower-dark-chain", "hongkong", "tombchess:"] {
        let game = game(name);
        let hand = Hand::new(&game);
        let mut searcher = Searcher::new(&game);
        let mut rng = Rng::new(5);
        let mut tried = 0;
        while tried < 4 {
            let Some(position) = met(&game, &mut rng, 300) else { continue };
            // Plain search of the captures among many face-up pieces would take for ever.
            let up = game.rules().squares() as u32 - position.face_down() - position.empty().count_ones();
            if up > 8 {
                continue;
            }
            tried += 1;
            let deepest = if position.face_down() == 0 { 3 } else { 2 };
            let mut run =
                |cuts| searcher.run(&game, judge(&hand), &position, Aim { limits: depth(deepest), all: true, cuts });
            assert_eq!(run(false).values, run(true).values, "{name}: {}", game.view_text(&position));
        }
    }
}

/// To whom every exchange may look promising: any value for any board.
struct Whim;

impl Evaluator for Whim {
    fn value(&self, _: &DarkChess, position: &Position) -> f32 {
        let mixed =
            position.codes().iter().fold(7u64, |hash, &code| (hash ^ u64::from(code)).wrapping_mul(0x100_0000_01b3));
        2.0 * ((mixed >> 40) as f32 / (1u64 << 24) as f32) - 1.0
    }
}

/// Both armies face up, where such an evaluator once followed captures for ever; the third board and many others:
///
/// ```text
/// pcMpCPkc
/// RNCpGrrG
/// mPmPKppP
/// MggRnNnP
/// ```
#[test]
fn a_crowded_board_is_searched_to_an_end() {
    let game = game("taiwan");
    let mut searcher = Searcher::new(&game);
    let mut rng = Rng::new(3);
    let mut most = 0;
    for _ in 0..20 {
        let mut pieces: Vec<char> = "KGGMMRRNNCCPPPPPkggmmrrnnccppppp".chars().collect();
        (1..pieces.len()).rev().for_each(|i| pieces.swap(i, rng.below(i as u32 + 1) as usize));
        let rows: Vec<String> = pieces.chunks(8).map(|row| row.iter().collect()).collect();
        let view = game.parse_view(&format!("{} 0 r - 0 60", rows.join("/"))).unwrap();
        let judge = Judge { evaluator: &Whim, tables: None };
        let limits = Limits { depth: Some(1), nodes: Some(3_000_000), ..Limits::default() };
        let found = searcher.best(&game, judge, &view, limits);
        most = most.max(found.nodes);
        assert!(found.nodes < 3_000_000, "{}", game.view_text(&view));
    }
    assert!(most > 1_000, "{most}: nothing to take on these boards");
}

#[test]
fn wins_at_once_where_it_can_and_holds_out_where_it_cannot() {
    let game = game("taiwan");
    let hand = Hand::new(&game);
    let mut searcher = Searcher::new(&game);
    let mut play = |text: &str, deepest| {
        let view = game.parse_view(text).unwrap();
        let found = searcher.best(&game, judge(&hand), &view, depth(deepest));
        (game.action_name(found.action.unwrap()), found.value, found.depth)
    };
    // The guard takes the last soldier.
    assert_eq!(play("8/3G4/3p4/8 0 r - 0 90", 5), ("b4-c4".into(), 1.0, 1));
    // In the corner it is caught: whatever it does, it is taken.
    assert_eq!(play("p7/1G6/8/8 0 b - 0 90", 6).1, -1.0);
    // A hunter three steps away comes nearer, for at an odd distance the other must give way.
    let nearer = play("2p5/8/1G6/8 1 b - 0 90", 7);
    assert!(["c2-c3", "c2-b2"].contains(&nearer.0.as_str()), "{nearer:?}");
}

#[test]
fn limits_hold_and_results_repeat() {
    let game = game("taiwan");
    let hand = Hand::new(&game);
    let view = game.parse_view("XRX3gX/2XKXp2/PXXc2Xn/XX2XX1r 0 r G1M1C1P2g1m2r1n1c1p1 0 40");
    let Ok(view) = view else { panic!("{:?}", view.err().map(|e| e.to_string())) };
    let limits = Limits { nodes: Some(5_000), ..Limits::default() };
    let mut first = Searcher::new(&game);
    let found = first.best(&game, judge(&hand), &view, limits);
    assert!(found.nodes <= 5_001 && found.depth >= 1, "{found:?}");
    // Whatever the searcher did before.
    first.best(&game, judge(&hand), &game.start(), limits);
    let again = first.best(&game, judge(&hand), &view, limits);
    assert_eq!((again.action, again.value, again.nodes), (found.action, found.value, found.nodes));
    let short = first.best(&game, judge(&hand), &view, Limits { nodes: Some(1), ..Limits::default() });
    assert!(short.action.is_some());
    let timed = first.best(&game, judge(&hand), &view, Limits { ms: Some(30), ..Limits::default() });
    assert!(timed.time.as_millis() < 200 && timed.depth > 1, "{timed:?}");
}

/// With enough depth nothing is guessed, and every action is worth what the solver says.
#[test]
fn with_enough_depth_it_is_the_solver() {
    for (rules, most) in [
        ("mini,quiet_limit=5", 4),
        ("mini,quiet_limit=6,chain=dark", 4),
        ("mini,board=2x3,pieces=K1C1P1,quiet_limit=5", 5),
        ("mini,board=2x3,pieces=R1C1P1,quiet_limit=4,chain=open,chariot_rush=true", 5),
        ("mini,board=2x3,pieces=G1C1P1,quiet_limit=4,chain=dark,dark_fail=suicide", 5),
        ("mini,board=2x3,pieces=R1C1P1,quiet_limit=6,ranking=hongkong", 5),
        ("tombchess:board=2x3,pieces=K1B1P1,quiet_limit=5,repetition=none", 5),
    ] {
        let game = game(rules);
        let hand = Hand::new(&game);
        let mut searcher = Searcher::new(&game);
        let mut rng = Rng::new(6);
        let mut tried = 0;
        while tried < 20 {
            let Some(position) = met(&game, &mut rng, 25) else { continue };
            if position.alive(anqi_env::darkchess::Colour::Red) + position.alive(anqi_env::darkchess::Colour::Black)
                > most
            {
                continue;
            }
            tried += 1;
            let found = searcher.all(&game, judge(&hand), &position, Limits::default());
            let solution = crate::search::solve::solve(&game, &position, 1e9).unwrap();
            let exact = solution.action_values(&position).unwrap();
            assert!(found.exact, "{rules}: {}: depth {}", game.view_text(&position), found.depth);
            for (&(action, value), &(solved, right)) in found.values.iter().zip(&exact) {
                assert!(
                    action == solved && (f64::from(value) - right).abs() < 1e-5,
                    "{rules}: {}: {} {value} {right}",
                    game.view_text(&position),
                    game.action_name(action)
                );
            }
            assert_eq!(found.values.len(), exact.len());
        }
    }
}

/// King and chariot against a minister far away: with tables it is won against any defence; nothing is guessed.
#[test]
fn tables_lead_to_the_end() {
    let game = game("taiwan");
    let hand = Hand::new(&game);
    let tables = crate::search::tables::Tables::new(&game, 3).unwrap();
    let judge = Judge { evaluator: &hand, tables: Some(&tables) };
    let mut searcher = Searcher::new(&game);
    for seed in 0..5 {
        let mut rng = Rng::new(seed);
        let mut view = game.parse_view("K6R/8/8/3m4 0 r - 0 90").unwrap();
        while view.status().is_ongoing() {
            let action = if view.to_move() == 0 {
                let found = searcher.best(&game, judge, &view, depth(3));
                assert!(found.exact && found.value > 0.95, "{}: {found:?}", game.view_text(&view));
                found.action.unwrap()
            } else {
                game.sample(&view, &mut rng)
            };
            game.play_with(&mut view, action, None);
        }
        assert_eq!(view.status().value(0), 1.0, "{}", game.view_text(&view));
    }
}

/// Tables end lines below the root; cutting off changes nothing then either, under each repetition rule.
#[test]
fn cutting_off_changes_no_value_with_tables() {
    for rules in ["mini", "mini,quiet_limit=14,repetition=cycle3", "mini,quiet_limit=14,repetition=threefold"] {
        let game = game(rules);
        let hand = Hand::new(&game);
        let tables = crate::search::tables::Tables::new(&game, 3).unwrap();
        let judge = Judge { evaluator: &hand, tables: Some(&tables) };
        let mut searcher = Searcher::new(&game);
        let mut rng = Rng::new(13);
        let mut tried = 0;
        while tried < 25 {
            let Some(position) = met(&game, &mut rng, 40) else { continue };
            if position.face_down() > 2 {
                continue;
            }
            tried += 1;
            let mut run = |cuts| searcher.run(&game, judge, &position, Aim { limits: depth(5), all: true, cuts });
            assert_eq!(run(false).values, run(true).values, "{rules}: {}", game.view_text(&position));
        }
    }
}

//! The laws of games.md 1.6, and agreement with the solver and with play.

use super::*;
use crate::search::solve::solve;
use anqi_env::darkchess::{Cell, Colour, Kind, Piece, Setup};
use anqi_env::game::{Actions, Game};
use anqi_env::rng::Rng;

/// One red and one black piece on an else empty 4x8 board, red to move.
fn one_against_one(game: &DarkChess, red: (Kind, usize), black: (Kind, usize)) -> Position {
    let mut cells = [Cell::Empty; 32];
    cells[red.1] = Cell::Up(Piece::new(Colour::Red, red.0));
    cells[black.1] = Cell::Up(Piece::new(Colour::Black, black.0));
    let unseen = Default::default();
    game.set_up(&Setup { cells: &cells, unseen, to_move: 0, colour: Some(Colour::Red), quiet: 0, chain: None }).unwrap()
}

fn distance(a: usize, b: usize) -> usize {
    (a / 8).abs_diff(b / 8) + (a % 8).abs_diff(b % 8)
}

/// Calls `check` with the two squares and the verdict for every placing.
fn everywhere(game: &DarkChess, red: Kind, black: Kind, check: impl Fn(usize, usize, Verdict)) {
    let tables = Tables::new(game, 2).unwrap();
    for a in 0..32 {
        for b in (0..32).filter(|&b| b != a) {
            let position = one_against_one(game, (red, a), (black, b));
            check(a, b, tables.get(&position).unwrap());
        }
    }
}

#[test]
fn the_capturer_to_move_wins_exactly_at_odd_distance() {
    let game = DarkChess::parse("taiwan").unwrap();
    for (red, black) in
        [(Kind::King, Kind::Guard), (Kind::Rook, Kind::Pawn), (Kind::Pawn, Kind::King), (Kind::Guard, Kind::Cannon)]
    {
        everywhere(&game, red, black, |a, b, verdict| {
            let odd = distance(a, b) % 2 == 1;
            assert_eq!(matches!(verdict, Verdict::Win(_)), odd, "{red:?} {black:?} {a} {b} {verdict:?}");
            assert!(odd || verdict == Verdict::Draw, "{red:?} {black:?} {a} {b} {verdict:?}");
        });
    }
}

#[test]
fn of_equals_the_mover_loses_at_even_distance() {
    let game = DarkChess::parse("taiwan").unwrap();
    for kind in [Kind::King, Kind::Rook, Kind::Pawn] {
        everywhere(&game, kind, kind, |a, b, verdict| {
            let lost = matches!(verdict, Verdict::Loss(_));
            assert_eq!(lost, distance(a, b).is_multiple_of(2), "{kind:?} {a} {b} {verdict:?}");
        });
    }
}

#[test]
fn a_cannon_draws_with_a_cannon_and_with_a_soldier() {
    let game = DarkChess::parse("taiwan").unwrap();
    for (red, black) in [(Kind::Cannon, Kind::Cannon), (Kind::Cannon, Kind::Pawn), (Kind::Pawn, Kind::Cannon)] {
        everywhere(&game, red, black, |a, b, verdict| assert_eq!(verdict, Verdict::Draw, "{red:?} {black:?} {a} {b}"));
    }
}

/// On a small board the tables say what the solver says, for every count of quiet plies and with chains.
#[test]
fn tables_agree_with_the_solver() {
    for rules in [
        "mini,quiet_limit=12",
        "mini,quiet_limit=5,chain=open",
        "mini,quiet_limit=9,ranking=hongkong",
        "mini,hit_points=40",
    ] {
        let game = DarkChess::parse(rules).unwrap();
        let top = game.parse_view("K1g1/1P1c 0 r - 0 9").unwrap();
        let (solution, tables) = (solve(&game, &top, 1e9).unwrap(), Tables::new(&game, 4).unwrap());
        let mut rng = Rng::new(8);
        let mut verdicts = [0; 3];
        for _ in 0..300 {
            let mut view = top;
            // Walk about, from a place a few quiet moves away.
            while view.status().is_ongoing() {
                if view.chain().is_none() {
                    let verdict = tables.get(&view).unwrap();
                    let (value, index) = match verdict {
                        Verdict::Win(_) => (1.0, 0),
                        Verdict::Draw => (0.0, 1),
                        Verdict::Loss(_) => (-1.0, 2),
                    };
                    verdicts[index] += 1;
                    assert_eq!(solution.value(&view), Some(value), "{rules}: {} {verdict:?}", game.view_text(&view));
                }
                let action = game.sample(&view, &mut rng);
                game.play_with(&mut view, action, None);
            }
        }
        assert!(verdicts.iter().all(|&n| n > 5), "{rules}: {verdicts:?}");
    }
}

/// Whoever wins in a table wins by always going to the smallest distance, against any defence, under the repetition
/// rule and within the quiet limit.
#[test]
fn the_winner_wins_by_the_distances() {
    for rules in ["taiwan", "icga"] {
        let game = DarkChess::parse(rules).unwrap();
        let tables = Tables::new(&game, 3).unwrap();
        let mut rng = Rng::new(4);
        let mut won = 0;
        while won < 25 {
            let mut cells = [Cell::Empty; 32];
            for (colour, kind) in
                [(Colour::Red, Kind::King), (Colour::Red, Kind::Rook), (Colour::Black, Kind::Minister)]
            {
                cells[rng.below(32) as usize] = Cell::Up(Piece::new(colour, kind));
            }
            let setup = Setup {
                cells: &cells,
                unseen: Default::default(),
                to_move: 0,
                colour: Some(Colour::Red),
                quiet: 0,
                chain: None,
            };
            let Ok(mut view) = game.set_up(&setup) else { continue };
            let Some(Verdict::Win(mut plies)) = tables.get(&view) else { continue };
            let pieces = view.empty();
            while view.status().is_ongoing() && view.empty() == pieces {
                let mut legal = Actions::new();
                game.legal(&view, &mut legal);
                let after = |&action: &u16| {
                    let mut after = view;
                    game.play_with(&mut after, action, None);
                    after
                };
                if view.to_move() == 0 {
                    let rank = |view: &Position| match view.status() {
                        status if !status.is_ongoing() => {
                            if status.value(0) > 0.0 {
                                0
                            } else {
                                u16::MAX
                            }
                        }
                        _ if view.empty() != pieces => {
                            if matches!(tables.get(view), Some(Verdict::Loss(_))) {
                                0
                            } else {
                                u16::MAX
                            }
                        }
                        _ => match tables.get(view) {
                            Some(Verdict::Loss(plies)) => plies,
                            _ => u16::MAX,
                        },
                    };
                    let (distance, best) =
                        legal.iter().map(after).map(|view| (rank(&view), view)).min_by_key(|(rank, _)| *rank).unwrap();
                    assert!(distance < plies, "{rules}: {}", game.view_text(&view));
                    (plies, view) = (distance, best);
                } else {
                    view = after(&legal[rng.below(legal.len() as u32) as usize]);
                    if let Some(Verdict::Win(now)) = tables.get(&view) {
                        plies = plies.min(now);
                    }
                }
            }
            won += 1;
        }
    }
}

#[test]
fn what_is_refused_says_why() {
    let fault = |game: &DarkChess, most| Tables::new(game, most).err().unwrap();
    assert!(fault(&DarkChess::parse("gametower").unwrap(), 4).contains("chase_limit=0, not 10"));
    assert!(fault(&DarkChess::parse_tomb("standard").unwrap(), 4).contains("points decide"));
    assert!(fault(&DarkChess::parse("taiwan").unwrap(), 5).contains("expected 2 to 4"));
}

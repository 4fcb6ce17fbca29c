//! What a seat sees, and what it must not see.

use super::super::piece::KINDS;
use super::{RULE_SETS, at, game, random_game};
use crate::darkchess::observe::{NUM_PLANES, NUM_SCALARS, PLANES, SCALARS};
use crate::darkchess::{DarkChess, Position};
use crate::game::Game;
use crate::rng::Rng;

fn observe(game: &DarkChess, position: &Position, seat: u8) -> (Vec<u8>, Vec<f32>) {
    // What stood there before must not shine through.
    let (mut planes, mut scalars) = (vec![9; game.spec().planes_len()], vec![9.0; NUM_SCALARS]);
    game.observe(position, seat, &mut planes, &mut scalars);
    (planes, scalars)
}

#[test]
fn the_tables_name_every_plane_and_scalar_once() {
    let ends = |table: &[(usize, usize, &str)]| {
        table.iter().fold(0, |next, &(first, last, _)| {
            assert_eq!(first, next);
            last + 1
        })
    };
    assert_eq!((ends(PLANES), ends(SCALARS)), (NUM_PLANES, NUM_SCALARS));
}

#[test]
fn every_value_of_one_position_for_both_seats() {
    let game = game("taiwan");
    let position = at(&game, "C1pX4/8/3k4/8 0 r g1 12 61 last=c3-c4");
    // Red's and black's plane of each thing on the board, and its square.
    let seen = [(5, 12, 0), (13, 6, 2), (14, 14, 3), (7, 0, 19), (16, 16, 18), (17, 17, 19)];
    for (seat, colour) in [(0, 0), (1, 1)] {
        let (planes, scalars) = observe(&game, &position, seat);
        for plane in (0..NUM_PLANES).filter(|&plane| plane != 15) {
            for square in 0..32 {
                let stands = seen.iter().any(|&(red, black, at)| [red, black][colour] == plane && at == square);
                assert_eq!(planes[plane * 32 + square], u8::from(stands), "seat {seat} plane {plane} square {square}");
            }
        }
        assert_eq!(planes[15 * 32..16 * 32].iter().filter(|&&empty| empty == 1).count(), 28);
        let mut expected = [0.0; NUM_SCALARS];
        // The hidden black guard, 1 of 2.
        expected[[8, 1][colour]] = 0.5;
        (expected[14], expected[15]) = [(1.0 / 16.0, 3.0 / 16.0), (3.0 / 16.0, 1.0 / 16.0)][colour];
        (expected[16], expected[17], expected[18]) = (1.0 / 32.0, 1.0, 12.0 / 60.0);
        (expected[21], expected[22], expected[23]) = (60.0 / 512.0, 60.0 / 256.0, 1.0);
        assert_eq!(scalars, expected, "seat {seat}");
    }
}

#[test]
fn the_start_looks_the_same_to_both_seats() {
    let game = game("taiwan");
    let (planes, scalars) = observe(&game, &game.start(), 0);
    assert_eq!((planes.clone(), scalars.clone()), observe(&game, &game.start(), 1));
    assert_eq!(planes.iter().map(|&value| u32::from(value)).sum::<u32>(), 32);
    assert_eq!(scalars[..18], [[1.0; 14].as_slice(), &[1.0, 1.0, 1.0, 0.0]].concat());
}

#[test]
fn a_repetition_shows_before_it_is_a_draw() {
    let game = game("taiwan");
    let repeats = |quiet, moves: &str| {
        let text = format!("R7/8/8/7r 0 r - {quiet} 61 last=d7-d8 moves={moves}");
        observe(&game, &at(&game, &text), 0).1[19]
    };
    let block = ["a1-a2,d8-d7,a2-a1,d7-d8"; 3];
    assert_eq!(repeats(4, &block[..1].join(",")), 0.0);
    assert_eq!(repeats(8, &block[..2].join(",")), 0.5);
    assert_eq!(repeats(12, &block.join(",")), 1.0);
}

#[test]
fn planes_part_the_squares_and_the_seats_mirror_each_other() {
    for rules in RULE_SETS {
        let game = game(rules);
        let squares = game.rules().squares();
        for seed in 200..205 {
            random_game(&game, seed, |position, _| {
                let text = || format!("{rules} {}", game.view_text(position));
                let views = [0, 1].map(|seat| observe(&game, position, seat));
                for (planes, scalars) in &views {
                    let shown = |square, group: std::ops::Range<usize>| -> u8 {
                        group.map(|plane| planes[plane * squares + square]).sum()
                    };
                    assert!((0..squares).all(|square| shown(square, 0..16) == 1), "{}", text());
                    let last: Vec<usize> = (0..squares).filter(|&square| shown(square, 16..18) > 0).collect();
                    assert!(last.len() <= 2 && last.iter().all(|&square| position.is_last(square as u8)), "{}", text());
                    assert!((0..squares).all(|square| shown(square, 18..20) == 0), "{}", text());
                    assert!(scalars.iter().all(|value| (0.0..=1.0).contains(value)), "{} {scalars:?}", text());
                }
                let [(red, red_scalars), (black, black_scalars)] = &views;
                let side = KINDS * squares;
                if position.colour_of(0).is_some() {
                    assert_eq!((&red[..side], &red[side..2 * side]), (&black[side..2 * side], &black[..side]));
                    assert_eq!(red_scalars[..KINDS], black_scalars[KINDS..2 * KINDS], "{}", text());
                }
                assert_eq!(red[2 * side..], black[2 * side..], "{}", text());
                assert_eq!(red_scalars[16..], black_scalars[16..], "{}", text());
            });
        }
    }
}

#[test]
fn planes_and_scalars_may_be_asked_for_alone() {
    let game = game("mini");
    random_game(&game, 3, |position, _| {
        let (planes, scalars) = observe(&game, position, 1);
        let (mut only_planes, mut only_scalars) = (vec![9; planes.len()], vec![9.0; scalars.len()]);
        game.observe(position, 1, &mut only_planes, &mut []);
        game.observe(position, 1, &mut [], &mut only_scalars);
        assert_eq!((planes, scalars), (only_planes, only_scalars));
    });
}

/// Two deals that differ in two face-down pieces are the same game to everybody until one of them is shown.
#[test]
fn swapping_two_hidden_pieces_changes_nothing_that_anybody_gets() {
    for rules in ["taiwan", "icga", "mini", "board=6x6,pieces=K1G2M3R3N2C3P4,quiet_limit=40"] {
        let game = game(rules);
        let mut plies = 0;
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let first = game.deal(&mut rng);
            let text = game.state_text(&first);
            let (position, letters) = text.rsplit_once('=').unwrap();
            let mut letters: Vec<char> = letters.chars().collect();
            let (a, b) = (rng.below(letters.len() as u32) as usize, rng.below(letters.len() as u32) as usize);
            letters.swap(a, b);
            let swapped = format!("{position}={}", letters.iter().collect::<String>());
            let mut twins = [first, game.parse_state(&swapped).unwrap()];
            loop {
                let [one, other] = twins.map(|state| {
                    let mut mask = vec![9; game.spec().num_actions];
                    game.mask(state.position(), &mut mask);
                    let views = [0, 1].map(|seat| observe(&game, state.position(), seat));
                    let (text, drawing) = (game.view_text(state.position()), game.draw_text(state.position()));
                    (views, mask, text, drawing, game.status(&state), game.to_move(&state))
                });
                assert_eq!(one, other, "{rules} seed {seed}");
                if !one.4.is_ongoing() {
                    break;
                }
                let action = game.sample(twins[0].position(), &mut rng);
                if [a, b].contains(&usize::from(action)) {
                    break;
                }
                twins.iter_mut().for_each(|state| {
                    game.play(state, action);
                });
                plies += 1;
            }
        }
        assert!(plies > 40, "{rules}: {plies}");
    }
}

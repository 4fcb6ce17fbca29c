//! The search from facts against trying everything, and against itself on whole games.

use super::super::{Game, Kind, Status, candidates, deduce};
use super::random::{Numbers, start};
use super::rules;

/// A few pieces a seat on random stations of the middle and the first rows, so that they meet.
fn small(name: &str, count: usize, numbers: &mut Numbers) -> Game {
    let rules = rules(name);
    loop {
        let mut pieces: Vec<(usize, usize, Kind)> = Vec::new();
        for seat in 0..rules.seats() {
            let flag = 30 * rules.quarter(seat) + [26, 28][numbers.below(2)];
            pieces.push((seat, flag, Kind::Flag));
            while pieces.len() < (seat + 1) * count {
                let station = 30 * rules.quarter(seat) + numbers.below(30);
                let kind = [1, 2, 3, 3, 6, 6, 7, 11, 11][numbers.below(9)];
                let taken = pieces.iter().any(|(_, other, _)| *other == station);
                let twice = pieces.iter().any(|(owner, _, other)| (*owner, *other) == (seat, Kind::Commander));
                let second = twice && Kind::ALL[kind] == Kind::Commander;
                if !taken && !second {
                    pieces.push((seat, station, Kind::ALL[kind]));
                }
            }
        }
        let game = Game::from_pieces(rules.clone(), &pieces, 0).expect("pieces on different stations");
        if game.status() == Status::Ongoing {
            return game;
        }
    }
}

/// Random plies, attacks more often than not; none that ends the game.
fn some_plies(start: &Game, most: usize, numbers: &mut Numbers) -> Vec<(usize, usize)> {
    let mut plies = Vec::new();
    let mut game = start.clone();
    while plies.len() < most && game.status() == Status::Ongoing {
        let legal = game.legal();
        let attacks: Vec<(usize, usize)> =
            legal.iter().copied().filter(|(_, to)| game.piece_at(*to).is_some()).collect();
        let among = if attacks.is_empty() || numbers.below(4) == 0 { &legal } else { &attacks };
        let (from, to) = among[numbers.below(among.len())];
        game.play(from, to).expect("a legal action");
        plies.push((from, to));
    }
    if let Status::Win { .. } = game.status() {
        plies.pop();
    }
    plies
}

#[test]
fn facts_say_what_trying_everything_says() {
    let mut told = 0;
    for (name, count) in [
        ("luzhanqi", 6),
        ("luzhanqi:mine=both,one_turn=yes,hq_moves=yes", 6),
        ("duel:bombs_fly=yes,commander_mine=survives,reveal=combatants", 6),
        ("siguo", 3),
        ("siguo:double-open", 4),
        ("siguo:order=clockwise,reveal=both", 3),
    ] {
        for seed in 0..12 {
            let mut numbers = Numbers(seed);
            let start = small(name, count, &mut numbers);
            let plies = some_plies(&start, 3 + numbers.below(14), &mut numbers);
            let viewer = numbers.below(start.rules.seats());
            let quick = candidates(&start, &plies, viewer, false, true).unwrap_or_else(|fault| panic!("{fault}"));
            for owner in 0..start.rules.seats() {
                let slow =
                    deduce(&start, &plies, viewer, owner, false, 20_000).unwrap_or_else(|fault| panic!("{fault}"));
                for piece in slow.pieces.iter().copied() {
                    let place =
                        || format!("{name}, seed {seed}, viewer {viewer}, {plies:?}, {piece} of\n{}", start.text());
                    assert_eq!(quick[piece], slow.candidates(piece), "{}", place());
                    told += usize::from(quick[piece].len() == 1);
                }
            }
        }
    }
    assert!(told > 50, "{told}");
}

#[test]
fn whole_games() {
    for name in ["siguo", "siguo:double-open", "luzhanqi"] {
        let mut numbers = Numbers(5);
        let start = start(name, &mut numbers);
        let plies = some_plies(&start, 90, &mut numbers);
        let mut before: Option<Vec<Vec<Kind>>> = None;
        for upto in [0, plies.len() / 3, plies.len()] {
            let found =
                candidates(&start, &plies[..upto], 0, true, upto < 40).unwrap_or_else(|fault| panic!("{fault}"));
            for (piece, kinds) in start.pieces.iter().zip(&found) {
                // The truth is always among them, and knowledge only grows.
                assert!(kinds.contains(&piece.kind), "{name}, ply {upto}, {piece:?}: {kinds:?}");
            }
            if let Some(before) = &before {
                let grows = |(less, more): (&Vec<Kind>, &Vec<Kind>)| less.iter().all(|kind| more.contains(kind));
                assert!(found.iter().zip(before).all(grows), "{name}");
                assert_ne!(&found, before);
            }
            before = Some(found);
        }
    }
}

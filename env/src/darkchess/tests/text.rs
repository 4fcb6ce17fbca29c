//! Position texts: what is written reads back, and no text does harm.

use super::{RULE_SETS, at, game, random_game, taking_back};
use crate::Error;
use crate::darkchess::{DarkChess, Position, State};
use crate::fuzz;
use crate::game::Game;
use crate::rng::Rng;

#[test]
fn a_position_reads_back_after_every_ply() {
    for rules in RULE_SETS {
        let game = game(rules);
        for seed in 300..310 {
            random_game(&game, seed, |position, _| {
                let text = game.view_text(position);
                let again = at(&game, &text);
                assert_eq!(game.view_text(&again), text, "{rules}");
                assert_eq!(game.view_status(&again), game.view_status(position), "{rules} {text}");
                game.consistent(&again).unwrap_or_else(|fault| panic!("{rules} {text}: {fault}"));
            });
        }
    }
}

/// A game taken up from its text must end as the game it was written from, repetition included.
#[test]
fn a_game_goes_on_from_its_text_as_it_would_have() {
    let mut repetitions = 0;
    for rules in RULE_SETS {
        let game = game(rules);
        for seed in 400..440 {
            let mut rng = Rng::new(seed);
            let mut state = game.deal(&mut rng);
            let mut twin = state;
            let taken_up = rng.below(120);
            for ply in 0..600 {
                if ply == taken_up {
                    twin = game.parse_state(&game.state_text(&state)).unwrap();
                }
                let text = game.state_text(&state);
                assert_eq!(game.state_text(&twin), text, "{rules}");
                assert_eq!(game.status(&twin), game.status(&state), "{rules} {text}");
                if !game.status(&state).is_ongoing() {
                    repetitions += u32::from(format!("{:?}", game.status(&state)).contains("Repetition"));
                    break;
                }
                let back = taking_back(&game, state.position()).filter(|_| rng.below(4) > 0);
                let action = back.unwrap_or_else(|| game.sample(state.position(), &mut rng));
                game.play(&mut state, action);
                game.play(&mut twin, action);
            }
        }
    }
    assert!(repetitions > 50, "only {repetitions} games ended by repetition");
}

#[test]
fn faults_name_the_field() {
    let game = game("taiwan");
    let whole = "Rp5X/8/8/7r 0 r P1 3 61";
    at(&game, whole);
    for (from, to, field) in [
        ("Rp5X", "Rp6X", "rows"),
        ("Rp5X", "Rp5Z", "rows"),
        ("/8/8", "/8", "rows"),
        (" 0 r", " 2 r", "seat to move"),
        (" r ", " x ", "colour of seat 0"),
        (" r ", " - ", "colour of seat 0"),
        ("P1", "-", "bag"),
        ("P1", "P2", "bag"),
        ("P1", "K2", "bag"),
        ("P1", "P", "bag"),
        (" 3 ", " 61 ", "quiet plies"),
        (" 3 ", " -3 ", "quiet plies"),
        (" 61", " 0", "ply"),
        (" 61", " 4294967295", "ply"),
        (" 61", "", "ply"),
        (" 61", " 61 chain=a1", "chain"),
        (" 61", " 61 last=a1-b2", "optional fields"),
        (" 61", " 61 last=a1 last=a1", "optional fields"),
        (" 61", " 61 moves=d7-d8,a2-a1,d8-d7,a1-a2", "moves"),
        (" 61", " 61 moves=d8-d7", "moves"),
        (" 61", " 61 moves=a2-a1", "moves"),
    ] {
        let text = whole.replacen(from, to, 1);
        match game.parse_view(&text) {
            Err(Error::Position { field: named, .. }) => assert_eq!(named, field, "{text}"),
            other => panic!("{text}: {:?}", other.map(|position| game.view_text(&position))),
        }
    }
}

/// Changes a text in a few places: letters, whole fields, what stands where.
fn mutate(text: &str, rng: &mut Rng) -> String {
    const LETTERS: &[u8] = b"KGMRNCPkgmrncpXrb-/0123456789 =,lastmovesch\xc3\xa9";
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=rng.below(3) {
        let at = |rng: &mut Rng, bytes: &[u8]| rng.below(bytes.len().max(1) as u32) as usize;
        let letter = LETTERS[rng.below(LETTERS.len() as u32) as usize];
        let (i, j) = (at(rng, &bytes), at(rng, &bytes));
        match rng.below(6) {
            _ if bytes.is_empty() => bytes.push(letter),
            0 => bytes[i] = letter,
            1 => bytes.insert(i, letter),
            2 => drop(bytes.remove(i)),
            3 => bytes.swap(i, j),
            4 => {
                let part = bytes[i.min(j)..i.max(j)].to_vec();
                bytes.splice(i..i, part);
            }
            _ => {
                let mut fields: Vec<&[u8]> = bytes.split(|&byte| byte == b' ').collect();
                let (i, j) = (rng.below(fields.len() as u32) as usize, rng.below(fields.len() as u32) as usize);
                fields.swap(i, j);
                bytes = fields.join(&b' ');
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Plays on from a position that came from anywhere.
fn play_on(game: &DarkChess, position: &Position, plies: u32, rng: &mut Rng) {
    let mut state: State = game.deal_from(position, rng);
    let (mut planes, mut scalars) = (vec![0; game.spec().planes_len()], vec![0.0; game.spec().num_scalars]);
    let mut mask = vec![0; game.spec().num_actions];
    for _ in 0..plies {
        game.observe(state.position(), 0, &mut planes, &mut scalars);
        game.mask(state.position(), &mut mask);
        if !game.status(&state).is_ongoing() {
            break;
        }
        let action = game.sample(state.position(), rng);
        assert_eq!(mask[usize::from(action)], 1);
        game.play(&mut state, action);
    }
    game.consistent(state.position()).unwrap();
}

#[test]
fn no_text_makes_the_parser_panic_and_what_it_takes_plays_on() {
    // Enough to matter where code is optimised, few enough to wait for where it is not.
    let cases = if cfg!(debug_assertions) { 2_000 } else { 20_000 };
    let goes_on = fuzz::inputs(cases * RULE_SETS.len());
    let games: Vec<(DarkChess, Vec<String>)> = RULE_SETS
        .iter()
        .map(|rules| {
            let game = game(rules);
            let mut texts = Vec::new();
            for seed in 500..504 {
                random_game(&game, seed, |position, _| texts.push(game.view_text(position)));
            }
            (game, texts)
        })
        .collect();
    let (mut accepted, mut rng) = (0, Rng::new(7));
    for i in (0..).take_while(|&i| goes_on(i)) {
        let (game, texts) = &games[i % games.len()];
        let text = mutate(&texts[rng.below(texts.len() as u32) as usize], &mut rng);
        if let Ok(position) = game.parse_view(&text) {
            accepted += 1;
            let rules = RULE_SETS[i % games.len()];
            game.consistent(&position).unwrap_or_else(|fault| panic!("{rules} '{text}': {fault}"));
            let written = game.view_text(&position);
            assert_eq!(game.view_text(&at(game, &written)), written, "{rules} '{text}'");
            play_on(game, &position, 200, &mut rng);
        }
    }
    assert!(accepted > cases / 5, "only {accepted} texts were accepted");
}

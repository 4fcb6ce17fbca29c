//! What is written reads back the same; what is changed is named.

mod defects;
mod junqi;
mod mutation;
mod qq;

use super::{Format, Reading, Record, misty};
use crate::any::{AnyGame, AnyRules};
use crate::darkchess::{DarkChess, Move, Position};
use crate::game::{Actions, Game as _};
use crate::rng::Rng;

/// A random game of at most so many plies.
fn random_game(rules: &AnyRules, seed: u64, most: u32) -> Box<dyn AnyGame> {
    let mut game = rules.start(seed);
    let mut rng = Rng::branch(seed, &[7]);
    while game.status().is_ongoing() && game.plies() < most {
        let legal = game.legal_actions();
        game.step(legal[rng.below(legal.len() as u32) as usize].into()).unwrap();
    }
    game
}

fn games() -> u64 {
    if cfg!(debug_assertions) { 30 } else { 600 }
}

/// Some games end by the rules, some are cut off.
fn most(seed: u64) -> u32 {
    if seed.is_multiple_of(3) { 5 + seed as u32 % 150 } else { 5_000 }
}

/// The text of a record as another program would write it in the source's notation.
pub(super) fn in_source_notation(game: &DarkChess, record: &Record) -> String {
    let mut position = game.start();
    let square = |square: u8| format!("{}{}", ['甲', '乙', '丙', '丁'][usize::from(square / 8)], square % 8 + 1);
    let mut text = String::new();
    for (i, ply) in record.plies.iter().enumerate() {
        let action = game.action_id(&ply.action).unwrap();
        let shown = ply.outcome.as_deref().map(|letter| game.outcome_id(letter).unwrap());
        if i % 2 == 0 {
            text += &format!("{}{}.", if i == 0 { "" } else { "\n" }, i / 2 + 1);
        } else {
            text.push(' ');
        }
        let standing = |position: &Position, square| match position.cell(square) {
            crate::darkchess::Cell::Up(piece) => Some(piece.character()),
            _ => None,
        };
        text += &match game.what(action) {
            Move::Flip(at) => format!("○{}{}", shown.unwrap().character(), square(at)),
            Move::Step(from, to) => {
                let far = ![1, 8].contains(&from.abs_diff(to));
                let sign = match standing(&position, to) {
                    None => "-".into(),
                    Some(victim) => format!("{}{victim}", if far { '﹋' } else { 'x' }),
                };
                format!("{}{sign}{}", standing(&position, from).unwrap(), square(to))
            }
            Move::Stop => unreachable!(),
        };
        game.play_with(&mut position, action, shown);
    }
    text + "\n"
}

/// The positions of a record, one a line, as an engine gets them.
pub(super) fn in_misty(game: &DarkChess, record: &Record) -> String {
    let mut position = game.start();
    let mut text = format!("position fen {}\n", misty::fen(game, &position).unwrap());
    for ply in &record.plies {
        let shown = ply.outcome.as_deref().map(|letter| game.outcome_id(letter).unwrap());
        game.play_with(&mut position, game.action_id(&ply.action).unwrap(), shown);
        text += &format!("position fen {}\n", misty::fen(game, &position).unwrap());
    }
    text
}

/// Compares two records' plies without printing either whole.
fn same_plies(read: &Record, written: &Record, seed: u64) {
    let differs = read.plies.iter().zip(&written.plies).position(|(a, b)| a != b);
    let at = |record: &Record| differs.map(|i| record.plies[i].clone());
    assert_eq!(at(read), at(written), "seed {seed}: ply {differs:?}");
    assert_eq!(read.plies.len(), written.plies.len(), "seed {seed}");
}

fn without_defects(reading: &Reading, seed: u64) {
    assert_eq!(reading.defects.first(), None, "seed {seed}");
    assert_eq!(reading.record.check().defects.first(), None, "seed {seed}");
}

#[test]
fn the_anqi_form_reads_back() {
    for name in ["darkchess", "darkchess:icga", "darkchess:mini"] {
        let rules = AnyRules::parse(name).unwrap();
        for seed in 0..games() {
            let written = random_game(&rules, seed, most(seed)).record();
            let reading = Record::read(&written.to_string(), Format::Anqi, None, false);
            without_defects(&reading, seed);
            same_plies(&reading.record, &written, seed);
            assert!(reading.record == written, "{name}, seed {seed}");
            assert!(Record::parse(&written.to_string()).unwrap() == written, "{name}, seed {seed}");
        }
    }
}

#[test]
fn the_platform_log_reads_back() {
    for name in ["darkchess", "darkchess:taiwan,quiet_limit=50"] {
        let rules = AnyRules::parse(name).unwrap();
        for seed in 0..games() {
            let written = random_game(&rules, seed, most(seed)).record();
            let text = written.to_text(Format::Ntu).unwrap();
            let reading = Record::read(&text, Format::Ntu, Some(&rules), false);
            let unfinished = written.header("Result") == Some("*");
            if unfinished {
                // The log has no word for it: the line that lacks is named.
                assert_eq!(reading.defects.len(), 1, "seed {seed}: {:?}", reading.defects.first());
            } else {
                without_defects(&reading, seed);
            }
            same_plies(&reading.record, &written, seed);
            for key in ["Rules", "Result", "Termination"] {
                assert_eq!(reading.record.header(key), written.header(key), "seed {seed}: {key}");
            }
            let again = reading.record.to_text(Format::Ntu).unwrap();
            assert!(again == text, "seed {seed}: {:?}", again.lines().zip(text.lines()).find(|(a, b)| a != b));
        }
    }
}

#[test]
fn the_platform_log_refuses_what_it_has_no_words_for() {
    let refusal = |text: &str| {
        let record = Record::parse(text).unwrap();
        record.to_text(Format::Ntu).unwrap_err().to_string()
    };
    let game = "[Rules \"darkchess\"]\n";
    for (text, says) in [
        (format!("{game}[Result \"1-0\"]\n[Termination \"resignation\"]\n1. a1(K)\n"), "no word for the termination"),
        (format!("{game}[Seat0 \"A vs C\"]\n1. a1(K)\n"), "cannot be told apart"),
        (format!("{game}[Position \"K7/8/8/7k 0 r - 0 40\"]\n1. a1-a2\n"), "from the middle"),
        (format!("{game}1. a1(K) ?\n"), "round 1 is not known"),
        ("[Rules \"darkchess:mini\"]\n1. a1(K)\n".into(), "not of 4x8 squares"),
        (format!("{game}[Result \"1/2-1/2\"]\n[Termination \"repetition\"]\n1. a1(K)\n"), "without a block"),
    ] {
        assert!(refusal(&text).contains(says), "{text}: {}", refusal(&text));
    }
    let fault = Record::parse("[Rules \"darkchess\"]\n").unwrap().to_text(Format::Seed).unwrap_err().to_string();
    assert!(fault.contains("written are anqi and ntu"), "{fault}");
}

#[test]
fn the_source_notation_finds_where_pieces_come_from() {
    let rules = AnyRules::parse("darkchess").unwrap();
    let AnyRules::DarkChess(game) = &rules else { panic!("dark chess") };
    let mut ambiguous = 0;
    for seed in 0..games() {
        let written = random_game(&rules, seed, most(seed)).record();
        let reading = Record::read(&in_source_notation(game, &written), Format::Seed, Some(&rules), false);
        // Only where two like pieces can go to one square may the reading differ, and then it is named.
        match reading.defects.first() {
            None => same_plies(&reading.record, &written, seed),
            Some(defect) => {
                assert!(defect.wrong.contains("ambiguous"), "seed {seed}: {defect}");
                ambiguous += 1;
            }
        }
    }
    assert!(ambiguous > 0 && ambiguous < games());
}

#[test]
fn positions_of_the_engine_read_back() {
    let rules = AnyRules::parse("darkchess").unwrap();
    let AnyRules::DarkChess(game) = &rules else { panic!("dark chess") };
    for seed in 0..games() / 3 {
        let written = random_game(&rules, seed, 150).record();
        let reading = Record::read(&in_misty(game, &written), Format::Misty, None, false);
        without_defects(&reading, seed);
        same_plies(&reading.record, &written, seed);
    }
}

/// Both ways but for what a FEN does not hold: seats, and the number of the ply.
#[test]
fn a_position_of_the_engine_both_ways() {
    let game = DarkChess::parse("icga").unwrap();
    for seed in 0..games() {
        let mut rng = Rng::new(seed);
        let mut state = game.deal(&mut rng);
        for _ in 0..seed % 200 {
            let mut legal = Actions::new();
            game.legal(game.view(&state, 0), &mut legal);
            if legal.is_empty() {
                break;
            }
            game.play(&mut state, legal[rng.below(legal.len() as u32) as usize]);
        }
        let there = misty::fen(&game, game.view(&state, 0)).unwrap();
        let (fen, moves) = there.split_once(" moves").unwrap_or((&there, ""));
        let here = game.parse_view(&misty::position(fen).unwrap()).unwrap();
        let again = misty::fen(&game, &here).unwrap();
        let fields = |fen: &str| fen.split(' ').take(4).map(String::from).collect::<Vec<_>>();
        assert_eq!(fields(&again), fields(fen), "seed {seed}");
        assert!(moves.is_empty() || moves.split_whitespace().all(|ply| ply.len() == 4), "seed {seed}: {moves}");
    }
}

#[test]
fn actions_of_the_engine_both_ways() {
    let game = DarkChess::parse("taiwan").unwrap();
    // All but stop, which it does not have.
    for action in 0..game.spec().num_actions as u16 - 1 {
        let there = misty::action_name(&game, action);
        assert_eq!(misty::action(&game, &there), Some(action), "{there}");
    }
    assert_eq!(misty::action_name(&game, game.action_id("d8").unwrap()), "h1h1");
    for wrong in ["", "a1", "a1a", "a1b2", "i1i1", "a5a5", "(none)", "a1a1a1", "將將", "帥a1"] {
        assert_eq!(misty::action(&game, wrong), None, "{wrong}");
    }
}

/// Their board is 8 files by 4 ranks, the top rank first: h1 is in the corner of our d8.
#[test]
fn the_corners_of_the_engine_board() {
    let game = DarkChess::parse("taiwan").unwrap();
    let here = misty::position("G6r/8/8/S6h b A1a1E1X - 3 12");
    assert!(here.is_err() || game.parse_view(&here.unwrap()).is_err());
    let here = misty::position("G6r/8/8/S6h b - 3 12").unwrap();
    assert_eq!(here, "K6r/8/8/P6n 0 b - 3 23");
    let text = "position fen G6r/8/8/S6h b - 3 12 moves h1g1 a4b4\n";
    let record = Record::read(text, Format::Misty, None, true).record;
    let plies: Vec<&str> = record.plies.iter().map(|ply| ply.action.as_str()).collect();
    assert_eq!(plies, ["d8-d7", "a1-a2"]);
    assert_eq!(record.check().defects, []);
}

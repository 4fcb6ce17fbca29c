//! Where implementations of dark chess go wrong, one board each.

use super::{at, game, legal, moves_from, play, status};
use crate::darkchess::{Colour, Kind};
use crate::game::{Game, Reason, Status};

#[test]
fn the_first_action_is_a_flip_and_binds_the_colours() {
    let game = game("taiwan");
    let names = legal(&game, &game.start());
    assert_eq!(names.len(), 32);
    assert!(names.iter().all(|name| name.len() == 2), "{names:?}");
    for (shown, flipper) in [("k", Colour::Black), ("P", Colour::Red)] {
        let mut position = game.start();
        play(&game, &mut position, &format!("b5({shown})"));
        assert_eq!((position.colour_of(0), position.colour_of(1)), (Some(flipper), Some(flipper.other())));
        assert_eq!(position.to_move(), 1);
    }
}

#[test]
fn later_flips_of_any_colour_change_no_owner() {
    let game = game("taiwan");
    let mut position = game.start();
    play(&game, &mut position, "a1(p) a2(p) a3(K) a4(k)");
    assert_eq!((position.colour_of(0), position.colour_of(1)), (Some(Colour::Black), Some(Colour::Red)));
    let names = legal(&game, &position);
    assert_eq!(names.len(), 30);
    assert_eq!(names[28..], ["a2-a3", "a4-a3"], "seat 0 has the soldiers and the general that it did not flip itself");
}

#[test]
fn a_cannon_steps_to_empty_squares_only() {
    // Not even a soldier or a cannon beside it can be taken.
    assert_eq!(moves_from("8/1pCc4/2k5/8 0 r - 0 60", "b3"), ["b3-a3"]);
}

#[test]
fn a_cannon_captures_any_rank_over_one_screen() {
    for (victim, captured) in
        [("k", true), ("g", true), ("r", true), ("c", true), ("p", true), ("P", false), ("X", false)]
    {
        let bag = if victim == "X" { "g1" } else { "-" };
        // Own, enemy and, where the bag allows, face-down screens.
        for screen in ["P", "p"] {
            let text = format!("C1{screen}2{victim}2/8/7n/8 0 r {bag} 0 60");
            assert_eq!(moves_from(&text, "a1").contains(&"a1-a6".into()), captured, "{text}");
        }
    }
    assert!(moves_from("C1X2k2/8/8/8 0 r p1 0 60", "a1").contains(&"a1-a6".into()), "a face-down screen");
}

#[test]
fn a_cannon_needs_exactly_one_screen() {
    let captures = |text: &str| moves_from(text, "a1").iter().any(|name| name == "a1-a6");
    assert!(captures("C1P2k2/8/8/8 0 r - 0 60"));
    assert!(!captures("C4k2/8/8/8 0 r - 0 60"), "no screen");
    assert!(!captures("C1Pp1k2/8/8/8 0 r - 0 60"), "two screens");
    assert!(!captures("C1PP1k2/8/8/8 0 r - 0 60"), "an own piece behind the screen");
    assert!(!captures("C1PX1k2/8/8/8 0 r p1 0 60"), "a face-down piece behind the screen");
    // Screen beside the cannon and target beside the screen, in all four directions.
    let text = "3g4/3P4/1gpC1Pk1/3p4 0 r - 0 60";
    assert_eq!(moves_from(text, "c4"), ["c4-c5", "c4-a4", "c4-c2", "c4-c7"]);
    assert_eq!(moves_from("C7/p7/k7/8 0 r - 0 60", "a1"), ["a1-a2", "a1-c1"]);
    // At the end of a column.
    assert_eq!(moves_from("k7/P7/8/C7 0 r - 0 60", "d1"), ["d1-c1", "d1-d2", "d1-a1"]);
}

#[test]
fn captures_by_a_step_for_every_pair_of_kinds() {
    // A row for each attacker, a column for each victim, K G M R N C P.
    let table = ["xxxxxx.", ".xxxxxx", "..xxxxx", "...xxxx", "....xxx", ".......", "x.....x"];
    for (attacker, row) in Kind::ALL.into_iter().zip(table) {
        for (victim, expected) in Kind::ALL.into_iter().zip(row.chars()) {
            let text = format!("8/1{}{}5/8/8 0 r - 0 60", attacker.letter(), victim.letter().to_ascii_lowercase());
            let captured = moves_from(&text, "b2").contains(&"b2-b3".into());
            assert_eq!(captured, expected == 'x', "{text}");
            // Nobody captures an own piece.
            let own = format!("8/1{}{}5/8/7p 0 r - 0 60", attacker.letter(), victim.letter());
            let fits = attacker != victim || attacker != Kind::King;
            assert!(!fits || !moves_from(&own, "b2").contains(&"b2-b3".into()), "{own}");
        }
    }
}

#[test]
fn a_side_with_hidden_pieces_is_alive() {
    let game = game("taiwan");
    let mut position = at(&game, "Rp6/8/8/7X 0 r p1 0 60");
    play(&game, &mut position, "a1-a2");
    assert_eq!(status(&game, &position), Status::Ongoing);
    assert_eq!(legal(&game, &position), ["d8"]);
}

#[test]
fn a_side_without_any_piece_has_lost_even_with_others_face_down() {
    let game = game("taiwan");
    let mut position = at(&game, "Rp6/8/8/7X 0 r P1 0 60");
    play(&game, &mut position, "a1-a2");
    assert_eq!(status(&game, &position), Status::Win(0, Reason::Eliminated));
    assert!(legal(&game, &position).is_empty());
}

#[test]
fn capturing_the_general_ends_nothing() {
    let game = game("taiwan");
    let mut position = at(&game, "Pk6/8/8/7p 0 r - 0 60");
    play(&game, &mut position, "a1-a2");
    assert_eq!(status(&game, &position), Status::Ongoing);
}

#[test]
fn a_seat_is_stuck_only_when_nothing_is_face_down() {
    let game = game("taiwan");
    let mut position = at(&game, "p1R5/G7/8/7X 0 r P1 0 60");
    play(&game, &mut position, "a3-a2");
    assert_eq!((status(&game, &position), legal(&game, &position)), (Status::Ongoing, vec!["d8".to_string()]));
    let mut position = at(&game, "p1R5/G7/8/8 0 r - 0 60");
    play(&game, &mut position, "a3-a2");
    assert_eq!(status(&game, &position), Status::Win(0, Reason::NoMoves));
}

#[test]
fn a_win_comes_before_a_draw_and_repetition_before_the_quiet_limit() {
    // The 60th quiet ply leaves the other seat without a move.
    let taiwan = game("taiwan");
    let mut position = at(&taiwan, "p1R5/G7/8/8 0 r - 59 160");
    play(&taiwan, &mut position, "a3-a2");
    assert_eq!(status(&taiwan, &position), Status::Win(0, Reason::NoMoves));
    // The last ply of the third block is also the last that the quiet limit allows.
    let twelve = game("quiet_limit=12");
    let mut position = at(&twelve, "R7/8/8/7r 0 r - 0 61");
    play(&twelve, &mut position, &"a1-a2 d8-d7 a2-a1 d7-d8 ".repeat(3));
    assert_eq!(status(&twelve, &position), Status::Draw(Reason::Repetition));
    let mut position = at(&twelve, "R7/8/8/7r 0 r - 0 61");
    play(&twelve, &mut position, "a1-a2 d8-d7 a2-a3 d7-d8 a3-a2 d8-d7 a2-a1 d7-d6 a1-b1 d6-d7 b1-c1 d7-d8");
    assert_eq!(status(&twelve, &position), Status::Draw(Reason::QuietLimit));
}

#[test]
fn flips_and_captures_start_the_quiet_count_again_and_both_seats_count() {
    let game = game("taiwan");
    let mut position = at(&game, "R7/1p6/8/6Xr 0 r P1 40 100");
    play(&game, &mut position, "a1-a2 d8-c8");
    assert_eq!(position.quiet(), 42);
    play(&game, &mut position, "a2-b2");
    assert_eq!(position.quiet(), 0);
    play(&game, &mut position, "c8-d8 b2-b1");
    assert_eq!(position.quiet(), 2);
    play(&game, &mut position, "d7(P)");
    assert_eq!(position.quiet(), 0);
}

/// To and fro: a block of four plies.
const TO_AND_FRO: &str = "a1-a2 d8-d7 a2-a1 d7-d8 ";

#[test]
fn threefold_counts_positions_and_cycle3_counts_blocks() {
    for (rules, plies) in [("icga", 8), ("taiwan", 12), ("taiwan,repetition=none", 60)] {
        let game = game(rules);
        let mut position = at(&game, "R7/8/8/7r 0 r - 0 61");
        let mut played = 0;
        for ply in TO_AND_FRO.split_whitespace().cycle() {
            if !status(&game, &position).is_ongoing() {
                break;
            }
            play(&game, &mut position, ply);
            played += 1;
        }
        assert_eq!(played, plies, "{rules}");
    }
}

#[test]
fn flips_and_captures_cut_the_repetition_window() {
    for (rules, before, after) in [("icga", 1, 8), ("taiwan", 2, 12)] {
        let game = game(rules);
        for cut in ["c4-c5 ", "b8(P) "] {
            let mut position = at(&game, "R7/7X/3Np3/p6r 0 r P1 0 61");
            play(&game, &mut position, &TO_AND_FRO.repeat(before));
            // A black ply more, so that red is to move again.
            play(&game, &mut position, &format!("{cut} d1-c1"));
            let moves: Vec<&str> = TO_AND_FRO.split_whitespace().cycle().take(after).collect();
            for (i, ply) in moves.iter().enumerate() {
                assert_eq!(status(&game, &position), Status::Ongoing, "{rules} {cut} ply {i}");
                play(&game, &mut position, ply);
            }
            assert_eq!(status(&game, &position), Status::Draw(Reason::Repetition), "{rules} {cut}");
        }
    }
}

#[test]
fn like_pieces_may_change_places_in_a_repetition() {
    // Two soldiers go round a square: after eight plies each stands where the other stood.
    let round = "a1-b1 d8-d7 a2-a1 d7-d8 b1-b2 d8-d7 b2-a2 d7-d8 ";
    for (rules, rounds) in [("icga", 2), ("taiwan", 3)] {
        let game = game(rules);
        let mut position = at(&game, "PP6/8/8/7k 0 r - 0 61");
        for _ in 0..rounds {
            assert_eq!(status(&game, &position), Status::Ongoing, "{rules}");
            play(&game, &mut position, round);
        }
        assert_eq!(status(&game, &position), Status::Draw(Reason::Repetition), "{rules}");
    }
}

#[test]
fn lines_and_steps_end_at_the_edge() {
    assert_eq!(moves_from("7R/8/8/k7 0 r - 0 61", "a8"), ["a8-a7", "a8-b8"]);
    assert_eq!(moves_from("8/R7/8/7k 0 r - 0 61", "b1"), ["b1-a1", "b1-b2", "b1-c1"]);
    // Were the board one long row, a8 would be the cannon's screen and b1 its target.
    assert_eq!(moves_from("6CP/k7/8/8 0 r - 0 61", "a7"), ["a7-a6", "a7-b7"]);
    let tall = game("board=8x4");
    let position = at(&tall, "3R/4/4/4/4/4/4/k3 0 r - 0 61");
    assert_eq!(legal(&tall, &position), ["a4-a3", "a4-b4"]);
    assert_eq!(tall.action_id("h4").unwrap(), 31);
    assert!(tall.action_id("a5").is_err());
}

#[test]
fn a_face_down_piece_can_be_neither_entered_nor_captured() {
    assert_eq!(moves_from("1X6/XKX5/1X6/8 0 r P1p3 0 61", "b2"), [""; 0]);
}

#[test]
fn nothing_is_drawn_early_because_nobody_can_win() {
    let game = game("taiwan");
    for text in ["C7/8/8/7c 0 r - 0 61", "C7/8/8/7p 0 r - 58 161"] {
        let mut position = at(&game, text);
        play(&game, &mut position, "a1-b1");
        assert_eq!(status(&game, &position), Status::Ongoing, "{text}");
    }
}

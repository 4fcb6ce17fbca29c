//! Flips, steps, captures, cannons and the two ways to win (1.1).

use super::{Game, Reason, Rules, Status, at, is_legal, play, profile, won};

#[test]
fn the_start_is_thirty_two_flips() {
    let game = Game::new(profile("taiwan"));
    let legal = game.legal();
    assert_eq!(legal.len(), 32);
    assert_eq!((legal[0].as_str(), legal[31].as_str()), ("a1", "d8"));
    assert_eq!(game.outcomes("c4")[..3], [('K', 1), ('G', 2), ('M', 2)], "in the order of the bag");
    assert_eq!(game.outcomes("c4").len(), 14);
}

#[test]
fn the_first_flip_binds_the_colours_and_passes_the_turn() {
    for (letter, colour) in [('p', 'b'), ('P', 'r')] {
        let mut game = Game::new(profile("taiwan"));
        game.play("b3", Some(letter)).expect("a flip");
        let position = game.position();
        assert!(position.starts_with(&format!("XXXXXXXX/XX{letter}XXXXX/XXXXXXXX/XXXXXXXX 1 {colour} ")), "{position}");
        assert!(position.ends_with(" 0 2"), "{position}");
        assert_eq!(game.legal().len(), 31, "31 flips, b3 is the other seat's");
    }
}

#[test]
fn a_later_flip_changes_no_owner() {
    let mut game = Game::new(profile("taiwan"));
    game.play("a1", Some('P')).expect("a flip");
    game.play("a2", Some('K')).expect("a flip of the other seat's colour");
    game.play("b1", Some('k')).expect("a flip by seat 0");
    // Seat 1 owns k, which takes no P, and cannot touch K, which seat 0 owns and seat 1 turned up.
    assert_eq!(game.legal().len(), 29, "flips only");
    game.play("d8", Some('c')).expect("a flip");
    assert!(!is_legal(&game, "a1-a2"), "P and K are of one colour");
    assert!(is_legal(&game, "a1-b1"), "P takes k, which seat 0 turned up");
}

#[test]
fn an_outcome_must_lie_in_the_bag_and_only_where_there_is_chance() {
    let mut game = Game::new(profile("taiwan"));
    assert!(game.play("a1", None).is_err());
    assert!(game.play("a1", Some('X')).is_err());
    game.play("a1", Some('K')).expect("a flip");
    assert!(game.play("a2", Some('K')).is_err(), "there is one K only");
    let mut open = at(profile("taiwan"), &["R.......", "........", "........", ".......p"], "0 r - 0 9");
    let before = open.position();
    assert!(open.play("a1-a2", Some('p')).is_err());
    assert!(open.play("a1-a3", None).is_err());
    assert_eq!(open.position(), before);
}

#[test]
fn captures_by_a_step_follow_the_ranks_with_two_exceptions() {
    // Rows capture columns.
    let table = [
        ('K', "kgmrnc."),
        ('G', ".gmrncp"),
        ('M', "..mrncp"),
        ('R', "...rncp"),
        ('N', "....ncp"),
        ('C', "......."),
        ('P', "k.....p"),
    ];
    for (attacker, victims) in table {
        for victim in "kgmrncp".chars() {
            let row = format!("{attacker}{victim}......");
            let rows = [row.as_str(), "........", "........", "........"];
            let game = at(profile("taiwan"), &rows, "0 r - 0 9");
            assert_eq!(is_legal(&game, "a1-a2"), victims.contains(victim), "{attacker} x {victim}");
        }
    }
}

#[test]
fn a_cannon_steps_to_empty_squares_but_captures_nothing_beside_it() {
    let rows = [".p......", "cC......", ".k......", "........"];
    let game = at(profile("taiwan"), &rows, "0 r - 0 9");
    assert_eq!(game.legal(), ["b2-b3"]);
}

#[test]
fn a_cannon_jumps_over_exactly_one_screen() {
    for (row, target, legal) in [
        ("Cpk.....", "a1-a3", true),
        ("CPk.....", "a1-a3", true),
        ("C..P..k.", "a1-a7", true),
        ("C.p....k", "a1-a8", true),
        ("C...k...", "a1-a5", false),
        ("CPpk....", "a1-a4", false),
        ("CPpk....", "a1-a3", true),
        ("CpPk....", "a1-a3", false),
        ("CpPk....", "a1-a4", false),
        ("CpP.....", "a1-a3", false),
    ] {
        let rows = [row, "........", "........", ".......p"];
        let game = at(profile("taiwan"), &rows, "0 r - 0 9");
        assert_eq!(is_legal(&game, target), legal, "{row} {target}");
    }
}

#[test]
fn a_face_down_piece_is_a_screen_but_no_target_and_it_blocks() {
    let rows = ["CXk.....", "PX......", "........", "........"];
    let game = at(profile("taiwan"), &rows, "0 r g1p1 0 9");
    assert!(is_legal(&game, "a1-a3"));
    assert!(!is_legal(&game, "a1-a2"));
    assert!(!is_legal(&game, "b1-b2"), "nothing enters a face-down piece");
    let rows = ["CPXk....", "........", "........", "........"];
    let game = at(profile("taiwan"), &rows, "0 r p1 0 9");
    assert!(!is_legal(&game, "a1-a3"));
    assert!(!is_legal(&game, "a1-a4"));
}

#[test]
fn a_cannon_jumps_down_its_column() {
    let rows = ["....C...", "....X...", "........", "....g..."];
    let game = at(profile("taiwan"), &rows, "0 r p1 0 9");
    assert!(is_legal(&game, "a5-d5"));
}

#[test]
fn rows_do_not_wrap() {
    let rows = [".......R", "p.......", "........", "........"];
    let game = at(profile("taiwan"), &rows, "0 r - 0 9");
    assert_eq!(game.legal(), ["a8-a7", "a8-b8"]);
    let rows = ["......CP", "p.......", "........", "........"];
    let game = at(profile("taiwan"), &rows, "0 r - 0 9");
    assert_eq!(game.legal(), ["a7-a6", "a7-b7", "a8-b8"]);
}

#[test]
fn the_last_capture_wins_even_with_face_down_pieces_left() {
    let rows = ["Rp......", "X.......", "........", "........"];
    let mut game = at(profile("taiwan"), &rows, "0 r P1 5 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), won(0, Reason::Eliminated));
    assert_eq!(game.position(), "1R6/X7/8/8 1 r P1 0 10");
    assert_eq!(game.legal(), Vec::<String>::new());
    assert!(game.play("b1", Some('P')).is_err());
}

#[test]
fn a_seat_whose_only_pieces_are_face_down_is_alive() {
    let rows = ["Rp......", "X.......", "........", "........"];
    let mut game = at(profile("taiwan"), &rows, "0 r p1 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
    assert_eq!(game.legal(), ["b1"]);
}

#[test]
fn capturing_the_general_ends_nothing() {
    let rows = ["Pk......", "........", "........", ".......p"];
    let mut game = at(profile("taiwan"), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
}

#[test]
fn a_seat_without_a_legal_action_loses() {
    let rows = ["p.......", "GG......", "........", "........"];
    let mut game = at(profile("taiwan"), &rows, "0 r - 0 9");
    play(&mut game, &["b2-a2"]);
    assert_eq!(game.status(), won(0, Reason::NoMoves));
    // One face-down piece anywhere is an action, whoever owns it.
    let rows = ["p.......", "GG......", "........", ".......X"];
    let mut game = at(profile("taiwan"), &rows, "0 r P1 0 9");
    play(&mut game, &["b2-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
    assert_eq!(game.legal(), ["d8"]);
}

#[test]
fn the_winner_is_the_seat_not_the_colour() {
    let rows = ["rP......", "........", "........", "........"];
    for (rest, winner) in [("0 b - 0 9", 0), ("1 r - 0 9", 1)] {
        let mut game = at(profile("taiwan"), &rows, rest);
        play(&mut game, &["a1-a2"]);
        assert_eq!(game.status(), won(winner, Reason::Eliminated));
    }
}

#[test]
fn a_win_beats_a_draw() {
    let rows = ["p.......", "GG......", "........", "........"];
    let mut game = at(profile("taiwan"), &rows, "0 r - 59 99");
    play(&mut game, &["b2-a2"]);
    assert_eq!(game.status(), won(0, Reason::NoMoves));
    let mut game = at(profile("taiwan"), &rows, "0 r - 59 99");
    play(&mut game, &["b2-b3"]);
    assert_eq!(game.status(), Status::Draw { reason: Reason::QuietLimit });
}

#[test]
fn positions_that_do_not_fit_are_refused() {
    for (text, defect) in [
        ("R7/8/8/7p 0 r -", "fields"),
        ("R7/8/8/6p 0 r - 0 9", "fit the board"),
        ("R7/8/8/7z 0 r - 0 9", "z is no piece"),
        ("Q7/8/8/7p 0 r - 0 9", "other family"),
        ("R7/8/8/7p 2 r - 0 9", "no seat"),
        ("R7/8/8/7p 0 g - 0 9", "no colour"),
        ("R7/8/8/7p 0 - - 0 9", "no colour bound"),
        ("R7/8/8/7X 0 r p2 0 9", "face-down squares"),
        ("K7/K7/8/7p 0 r - 0 9", "too many K"),
        ("R7/8/8/7p 0 r - x 9", "x is no number"),
    ] {
        let error = Game::from_position(profile("taiwan"), text).expect_err(text);
        assert!(error.contains(defect), "{text}: {error}");
    }
}

#[test]
fn small_boards_hold_chosen_pieces() {
    let game = Game::new(profile("mini"));
    assert_eq!(game.position(), "XXXX/XXXX 0 - K1G1C1P1k1g1c1p1 0 1");
    let rules = Rules::small(4, 4, "KGMRNCPP").expect("kinds of dark chess");
    assert_eq!(rules.check(), Ok(()));
    assert!(Rules::small(2, 2, "KGP").expect("kinds").check().is_err());
    assert_eq!(Rules::small(2, 2, "KQ"), None);
    let mut uneven = Rules::small(2, 2, "KP").expect("kinds");
    uneven.counts[0].pop();
    uneven.counts[1].push(uneven.counts[1][0]);
    assert_eq!(uneven.check(), Ok(()));
    assert_eq!(Game::new(uneven).position(), "XX/XX 0 - K1k2p1 0 1");
}

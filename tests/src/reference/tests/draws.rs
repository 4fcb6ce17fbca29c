//! The quiet limit, repetitions and the ban on long chases (1.2).

use super::super::{Repetition, Rules};
use super::{Reason, Status, at, is_legal, play, profile, won};

const QUIET: Status = Status::Draw { reason: Reason::QuietLimit };
const REPEATED: Status = Status::Draw { reason: Reason::Repetition };

/// Two chariots that go to and fro in opposite corners, one block of four plies.
const SHUTTLE: [&str; 4] = ["a1-a2", "d8-d7", "a2-a1", "d7-d8"];
const CORNERS: [&str; 4] = ["R.......", "........", "........", ".......r"];

/// `taiwan` with another repetition rule and no quiet limit.
fn with(repetition: Repetition) -> Rules {
    Rules { repetition, quiet_limit: 0, ..profile("taiwan") }
}

#[test]
fn the_quiet_limit_counts_plies_of_both_seats() {
    let rules = Rules { quiet_limit: 5, ..with(Repetition::None) };
    let mut game = at(rules, &CORNERS, "0 r - 0 9");
    play(&mut game, &SHUTTLE);
    assert_eq!(game.position(), "R7/8/8/7r 0 r - 4 13");
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &["a1-b1"]);
    assert_eq!(game.status(), QUIET);
}

#[test]
fn a_flip_and_a_capture_start_the_count_again() {
    let rows = ["Rp......", "........", "........", ".......X"];
    let mut game = at(profile("taiwan"), &rows, "0 r p1 59 99");
    game.play("d8", Some('p')).expect("a flip");
    assert!(game.position().ends_with(" 0 100"));
    let mut game = at(profile("taiwan"), &rows, "0 r p1 59 99");
    play(&mut game, &["a1-a2"]);
    assert!(game.position().ends_with(" 0 100"));
}

#[test]
fn zhengba_counts_only_while_nothing_is_face_down() {
    let rows = ["R.......", "X.......", "........", ".......r"];
    let mut game = at(profile("zhengba"), &rows, "0 r p1 0 9");
    play(&mut game, &SHUTTLE);
    assert_eq!(game.position(), "R7/X7/8/7r 0 r p1 0 13");
    game.play("b1", Some('p')).expect("a flip");
    play(&mut game, &["d8-d7"]);
    assert!(game.position().ends_with(" 1 15"), "{}", game.position());
}

#[test]
fn positions_nobody_can_win_are_no_draws_by_themselves() {
    let rows = ["C.......", "........", "........", ".......c"];
    assert_eq!(at(profile("taiwan"), &rows, "0 r - 0 9").status(), Status::Ongoing);
    let rows = ["C.......", "........", "........", ".......p"];
    assert_eq!(at(profile("taiwan"), &rows, "0 r - 0 9").status(), Status::Ongoing);
}

#[test]
fn cycle3_is_a_block_played_three_times() {
    let mut game = at(with(Repetition::Cycle3), &CORNERS, "0 r - 0 9");
    play(&mut game, &SHUTTLE);
    play(&mut game, &SHUTTLE);
    play(&mut game, &SHUTTLE[..3]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &SHUTTLE[3..]);
    assert_eq!(game.status(), REPEATED);
}

#[test]
fn cycle3_may_begin_anywhere_in_a_row_of_quiet_plies() {
    let mut game = at(with(Repetition::Cycle3), &CORNERS, "0 r - 0 9");
    play(&mut game, &["a1-b1", "d8-c8", "b1-a1", "c8-d8"]);
    for _ in 0..2 {
        play(&mut game, &SHUTTLE);
    }
    play(&mut game, &SHUTTLE[..3]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &SHUTTLE[3..]);
    assert_eq!(game.status(), REPEATED);
}

#[test]
fn threefold_is_the_third_occurrence_with_the_same_seat_to_move() {
    let mut game = at(with(Repetition::Threefold), &CORNERS, "0 r - 0 9");
    play(&mut game, &SHUTTLE);
    play(&mut game, &SHUTTLE[..3]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &SHUTTLE[3..]);
    assert_eq!(game.status(), REPEATED, "at the start, after 4 and after 8");
}

#[test]
fn a_capture_or_a_flip_cuts_the_window() {
    let rows = ["R.......", "........", "...X....", ".......r"];
    for repetition in [Repetition::Cycle3, Repetition::Threefold] {
        let mut game = at(with(repetition), &rows, "0 r P1 0 9");
        play(&mut game, &SHUTTLE);
        game.play("c4", Some('P')).expect("a flip");
        play(&mut game, &["d8-d7", "a1-a2", "d7-d8", "a2-a1"]);
        play(&mut game, &["d8-d7", "a1-a2", "d7-d8"]);
        assert_eq!(game.status(), Status::Ongoing, "{repetition:?}");
        play(&mut game, &["a2-a1"]);
        // The position right after the flip was the first occurrence; cycle3 needs one block more.
        let ended = game.status() == REPEATED;
        assert_eq!(ended, repetition == Repetition::Threefold);
        if !ended {
            play(&mut game, &["d8-d7", "a1-a2", "d7-d8", "a2-a1"]);
            assert_eq!(game.status(), REPEATED);
        }
    }
}

/// Two pawns walk round the same four squares and change places, so that the board is the same after 8 plies.
const CAROUSEL: [&str; 8] = ["a1-a2", "d8-d7", "b2-b1", "d7-d8", "a2-b2", "d8-d7", "b1-a1", "d7-d8"];

#[test]
fn like_pieces_are_interchangeable_in_a_repetition() {
    let rows = ["P.......", ".P......", "........", ".......r"];
    let mut game = at(with(Repetition::Threefold), &rows, "0 r - 0 9");
    play(&mut game, &CAROUSEL);
    play(&mut game, &CAROUSEL[..7]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &CAROUSEL[7..]);
    assert_eq!(game.status(), REPEATED);
}

#[test]
fn repetition_none_never_ends_a_game() {
    let mut game = at(with(Repetition::None), &CORNERS, "0 r - 0 9");
    for _ in 0..20 {
        play(&mut game, &SHUTTLE);
    }
    assert_eq!(game.status(), Status::Ongoing);
}

fn chase(limit: usize) -> Rules {
    Rules { chase_limit: limit, ..with(Repetition::None) }
}

#[test]
fn the_move_that_would_be_chase_number_n_is_illegal() {
    let rows = ["R.p.....", "........", "........", ".......p"];
    let mut game = at(chase(3), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2", "a3-a4", "a2-a3", "a4-a5"]);
    assert!(!is_legal(&game, "a3-a4"), "the third chase of one pawn");
    assert!(is_legal(&game, "a3-b3"));
    assert!(game.play("a3-a4", None).is_err());
    // A move of its own that chases nothing breaks the row.
    play(&mut game, &["a3-a2", "d8-d7", "a2-a3", "d7-d8"]);
    assert!(is_legal(&game, "a3-a4"));
}

#[test]
fn capturing_the_chased_piece_is_always_allowed() {
    let rows = ["R.p.....", "........", "........", ".......p"];
    let mut game = at(chase(2), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2", "d8-d7"]);
    assert!(is_legal(&game, "a2-a3"));
}

#[test]
fn like_pieces_are_not_the_same_chased_piece() {
    let rows = ["R.p.....", "........", ".p......", "........"];
    let mut game = at(chase(2), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2", "a3-a4"]);
    assert!(!is_legal(&game, "a2-a3"), "the same pawn again");
    assert!(is_legal(&game, "a2-b2"), "the other pawn");
}

#[test]
fn another_piece_goes_on_with_the_chase() {
    let rows = ["R.p.....", "...G....", "........", ".......p"];
    let mut game = at(chase(2), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2", "d8-d7"]);
    assert!(!is_legal(&game, "b4-b3"), "G would chase the same pawn");
    assert!(!is_legal(&game, "b4-a4"));
    assert!(is_legal(&game, "b4-b5"));
}

#[test]
fn a_cannon_chases_over_a_screen() {
    let rows = ["........", "C..Pp...", "........", ".......p"];
    let game = at(chase(1), &rows, "0 r - 0 9");
    assert!(!is_legal(&game, "b1-b2"), "b5 lies behind the screen b4");
    assert!(is_legal(&game, "b1-a1"));
}

#[test]
fn a_seat_that_could_only_chase_loses() {
    let rows = ["R.p.....", "........", "p.......", "........"];
    assert_eq!(at(chase(1), &rows, "0 r - 0 9").status(), won(1, Reason::NoMoves));
    assert_eq!(at(chase(2), &rows, "0 r - 0 9").status(), Status::Ongoing);
}

#[test]
fn a_chase_ban_and_a_repetition_do_not_know_each_other() {
    // R chases p round four squares: `chase_limit` forbids the third step, where a repetition would be far away.
    let rows = ["R.p.....", "........", "........", ".......p"];
    let rules = Rules { repetition: Repetition::Threefold, ..chase(3) };
    let mut game = at(rules, &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2", "a3-a4", "a2-a3", "a4-b4"]);
    assert!(!is_legal(&game, "a3-a4"));
    assert_eq!(game.status(), Status::Ongoing);
}

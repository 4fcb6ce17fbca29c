//! Tomb Chess (2).

use super::super::{Colour, Kind, Rules};
use super::{Game, Reason, Status, at, is_legal, play, profile, won};

const EMPTY: &str = "......";

#[test]
fn colours_are_fixed_from_the_start() {
    let game = Game::new(profile("tombchess"));
    assert_eq!(game.position(), "XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXXX/XXXXXX 0 r K1Q1B2N2R4P8k1q1b2n2r4p8 0 1");
    assert_eq!(game.legal().len(), 36);
    let rules = Rules { first_colour: Colour::Black, ..profile("tombchess") };
    let mut game = Game::new(rules);
    assert!(game.position().contains(" 0 g K1Q1"));
    game.play("f6", Some('K')).expect("a flip");
    assert!(game.position().contains(" 1 g Q1"), "red turned up, the colours stay");
}

#[test]
fn captures_follow_the_ranks_with_two_exceptions() {
    let table = [('K', "kqbnr."), ('Q', ".qbnrp"), ('B', "..bnrp"), ('N', "...nrp"), ('R', "....rp"), ('P', "k....p")];
    for (attacker, victims) in table {
        for victim in "kqbnrp".chars() {
            let row = format!("{attacker}{victim}....");
            let rows = [row.as_str(), EMPTY, EMPTY, EMPTY, EMPTY, EMPTY];
            let game = at(profile("tombchess"), &rows, "0 r - 0 9");
            assert_eq!(is_legal(&game, "a1-a2"), victims.contains(victim), "{attacker} x {victim}");
        }
    }
}

#[test]
fn the_last_unit_captured_loses() {
    let rows = ["Np....", EMPTY, EMPTY, EMPTY, EMPTY, ".....X"];
    let mut game = at(profile("tombchess"), &rows, "0 r p1 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), Status::Ongoing, "a face-down unit is alive");
    let mut game = at(profile("tombchess"), &rows, "0 r P1 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), won(0, Reason::Eliminated));
}

#[test]
fn a_seat_without_a_legal_action_passes_by_force() {
    let rows = ["p.....", "NN....", EMPTY, EMPTY, EMPTY, EMPTY];
    let mut game = at(profile("tombchess"), &rows, "0 r - 3 9");
    play(&mut game, &["b2-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
    assert_eq!(game.position(), "pN4/N5/6/6/6/6 0 r - 4 10");
    assert!(game.legal().iter().all(|action| action.contains('-')));
    play(&mut game, &["a2-b2"]);
    assert_eq!(game.to_move(), 1, "now the ghost can move");
}

#[test]
fn the_quiet_limit_is_scored_by_points() {
    for (rows, status) in [
        // Queen 5 against headless 3 and skeleton 2: equal.
        (["Q.....", ".n...r"], Status::Draw { reason: Reason::Points }),
        (["Q.....", ".n...b"], won(1, Reason::Points)),
        (["Q.....", ".p...r"], won(0, Reason::Points)),
        (["K.....", "..q..."], won(0, Reason::Points)),
    ] {
        let rows = [rows[0], EMPTY, EMPTY, rows[1], EMPTY, EMPTY];
        let mut game = at(profile("tombchess"), &rows, "0 r - 39 99");
        assert_eq!(game.status(), Status::Ongoing);
        play(&mut game, &["a1-a2"]);
        assert_eq!(game.status(), status, "{rows:?}");
    }
}

#[test]
fn face_down_units_count_when_a_deadlock_is_scored() {
    let rows = ["Q.....", EMPTY, "X....n", EMPTY, EMPTY, EMPTY];
    let mut game = at(profile("tombchess"), &rows, "0 r b1 39 99");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), won(1, Reason::Points), "5 against 3 and 4");
}

const SHUTTLE: [&str; 4] = ["a1-a2", "f6-f5", "a2-a1", "f5-f6"];

#[test]
fn a_threefold_repetition_counts_once_nothing_is_face_down() {
    let open = ["Q.....", EMPTY, EMPTY, EMPTY, EMPTY, ".....n"];
    let mut game = at(profile("tombchess"), &open, "0 r - 0 9");
    play(&mut game, &SHUTTLE);
    play(&mut game, &SHUTTLE[..3]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &SHUTTLE[3..]);
    assert_eq!(game.status(), won(0, Reason::Points));
    let hidden = ["Q.....", EMPTY, "..X...", EMPTY, EMPTY, ".....n"];
    let mut game = at(profile("tombchess"), &hidden, "0 r p1 0 9");
    for _ in 0..4 {
        play(&mut game, &SHUTTLE);
    }
    assert_eq!(game.status(), Status::Ongoing);
    assert!(game.position().ends_with(" 16 25"));
}

#[test]
fn a_repetition_across_forced_passes_counts_positions_in_which_somebody_acts() {
    // The ghost is shut in; only red moves: K away and back, twice, is the third occurrence.
    let rows = ["pN....", "N....K", EMPTY, EMPTY, EMPTY, EMPTY];
    let mut game = at(profile("tombchess"), &rows, "0 r - 0 9");
    play(&mut game, &["b6-b5", "b5-b6", "b6-b5"]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &["b5-b6"]);
    assert_eq!(game.status(), won(0, Reason::Points));
}

#[test]
fn forty_one_points_a_side() {
    let points: u32 =
        profile("tombchess").counts[0].iter().map(|(kind, count)| kind.tomb_points() * *count as u32).sum();
    assert_eq!(points, 41);
    assert_eq!(Kind::from_letter('B').map(Kind::tomb_points), Some(4));
}

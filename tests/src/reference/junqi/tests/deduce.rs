use super::super::{Deduced, Game, Kind, Status, candidates, deduce};
use super::{drawn, play};

/// What a viewer can know about an owner's pieces after these actions.
fn known(start: &Game, actions: &[&str], viewer: usize, owner: usize, set_up: bool) -> Deduced {
    let mut plies = Vec::new();
    let mut game = start.clone();
    for action in actions {
        let event = play(&mut game, action);
        plies.push((event.from, event.to));
    }
    let deduced = deduce(start, &plies, viewer, owner, set_up, 5000).unwrap_or_else(|fault| panic!("{fault}"));
    // The search from facts says the same.
    match candidates(start, &plies, viewer, set_up, true) {
        Ok(found) => {
            for piece in &deduced.pieces {
                assert_eq!(found[*piece], deduced.candidates(*piece), "{:?}", start.pieces[*piece]);
            }
        }
        Err(fault) => assert!(matches!(game.status(), Status::Win { .. }), "{fault}"),
    }
    deduced
}

/// The letters of the kinds that the piece that started on a station can have.
fn letters(start: &Game, deduced: &Deduced, station: &str) -> String {
    let home = start.board.number(station).expect("a station");
    let piece = start.pieces.iter().position(|piece| piece.home == home).expect("a piece");
    deduced.candidates(piece).into_iter().map(Kind::letter).collect()
}

const HOME: [&str; 6] =
    [" n4 nF  . nL  .", " nL  .  .  .  .", "  . ()  . ()  .", "  .  . ()  .  .", "  . ()  . ()  .", "  .  .  . n2 n0"];

/// The board with S on the first row of its own half.
fn board(front: &'static str) -> Vec<&'static str> {
    [HOME.as_slice(), &[front]].concat()
}

#[test]
fn where_pieces_stand_tells_something_from_the_start() {
    let start = drawn("luzhanqi", (6, 0), &board("  . s5  .  .  ."), 0);
    let deduced = known(&start, &[], 0, 1, true);
    // The flag is in one of two headquarters, mines are in the last two rows.
    assert_eq!(letters(&start, &deduced, "N64"), "FL042");
    assert_eq!(letters(&start, &deduced, "N12"), "042");
    // 2 places for the flag, then 3 for two mines, then 3 pieces on 3 stations.
    assert_eq!(deduced.assignments.len(), 2 * 3 * 6);
    // Without that knowledge anything may stand anywhere.
    let deduced = known(&start, &[], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N12"), "FL042");
}

#[test]
fn a_moved_piece_is_neither_mine_nor_flag() {
    let start = drawn("luzhanqi", (6, 0), &board("  . s5  .  .  ."), 0);
    let deduced = known(&start, &["S12-S13", "N11-N21"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N11"), "042");
    assert_eq!(letters(&start, &deduced, "N65"), "FL042");
}

#[test]
fn a_turned_corner_is_an_engineer() {
    let start = drawn("luzhanqi", (6, 0), &board("  . s5  .  .  ."), 0);
    let deduced = known(&start, &["S12-S13", "N12-S11"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N12"), "2");
    // Along its line anybody may go.
    let deduced = known(&start, &["S12-S13", "N12-N15"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N12"), "042");
}

#[test]
fn combat_tells_what_beat_and_what_was_beaten() {
    // The battalion is lost: it ran into something higher or, unless the place says otherwise, a mine.
    let start = drawn("luzhanqi", (6, 0), &board("  .  . s3  . s5"), 0);
    let deduced = known(&start, &["S15-N11"], 0, 1, true);
    assert_eq!(letters(&start, &deduced, "N11"), "0");
    let deduced = known(&start, &["S15-N11"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N11"), "L0");
    // It beats the engineer, which the other soldiers then are not.
    let start = drawn("luzhanqi", (6, 0), &[HOME.as_slice(), &["  .  . s3 s5  ."], &["  . ()  . ()  ."]].concat(), 0);
    let deduced = known(&start, &["S14-S24", "N12-N13", "S13-N13"], 0, 1, true);
    assert_eq!(letters(&start, &deduced, "N12"), "2");
    assert_eq!(letters(&start, &deduced, "N11"), "04");
}

#[test]
fn a_commander_that_died_with_its_attacker() {
    let board = [
        "  . nF  . []  .",
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        " nB ()  . ()  .",
        "  .  . n0  .  .",
        " s5  . s0  . s4",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  .  .",
        "  . []  . sF  .",
    ];
    // Both commanders die and both flags are shown.
    let start = drawn("luzhanqi", (6, 0), &board, 0);
    let deduced = known(&start, &["S13-N13"], 0, 1, true);
    assert_eq!((letters(&start, &deduced, "N13"), letters(&start, &deduced, "N64")), ("0".into(), "F".into()));
    let deduced = known(&start, &["S13-N13"], 1, 0, true);
    assert_eq!((letters(&start, &deduced, "S13"), letters(&start, &deduced, "S64")), ("0".into(), "F".into()));
    // N's flag is not shown when S's commander dies with a piece that was no commander: it met the bomb.
    let board = [
        "  . nF  . []  .",
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . () nB ()  .",
        " n0  . s0  . n4",
        " s5  .  .  . s4",
    ];
    let start = drawn("luzhanqi", (6, 0), &board, 0);
    let deduced = known(&start, &["N13-N23"], 0, 1, true);
    assert_eq!((letters(&start, &deduced, "N23"), letters(&start, &deduced, "N15")), ("B".into(), "04".into()));
}

#[test]
fn two_hidden_pieces_tell_of_each_other() {
    // S sees neither E's pieces nor its ally's, and both of them in one combat, which E loses.
    let board = [
        "  .    n8    e7", //
        "  .  . s5  .  .",
        "  . ()  . ()  .",
        " w3  . ()  . s3",
        "  . () e9 ()  .",
        "  . n6  .  .  .",
    ];
    let start = drawn("siguo", (6, 10), &board, 1);
    let plies = ["C33-C32"];
    let east = known(&start, &plies, 0, 1, false);
    let north = known(&start, &plies, 0, 2, false);
    // E's 9 would have beaten either of N's, and its 7 loses to the 8 only.
    assert_eq!((letters(&start, &east, "C33"), letters(&start, &north, "C32")), ("7".into(), "8".into()));
    assert_eq!((east.assignments.len(), north.assignments.len()), (1, 1));
    // An ally that is seen leaves less to try, and the same is known.
    let start = drawn("siguo:double-open", (6, 10), &board, 1);
    let east = known(&start, &plies, 0, 1, false);
    assert_eq!(letters(&start, &east, "C33"), "7");
    assert!(known(&start, &plies, 0, 2, false).pieces.is_empty());
    assert!(known(&start, &plies, 0, 0, false).assignments == [vec![]]);
    // Too much to try is said.
    let fault = deduce(&start, &[], 0, 1, false, 1).expect_err("2 orders");
    assert!(fault.contains("too many"), "{fault}");
}

#[test]
fn who_is_still_in_tells_something_too() {
    let board = [
        "  . n4  . nF  .", //
        " n3  .  .  .  .",
        " s5 ()  . ()  .",
    ];
    let start = drawn("luzhanqi", (6, 0), &board, 0);
    let deduced = known(&start, &["N45-N55"], 0, 1, false);
    // N lost a piece that was not its flag and is out: nothing was left that can ever move.
    assert_eq!(letters(&start, &deduced, "N55"), "43");
    let board = [
        "  . n4  . nF n5", //
        " n3  .  .  .  .",
        " s5 ()  . ()  .",
    ];
    let start = drawn("luzhanqi", (6, 0), &board, 0);
    // With one more it is still in: the one that does not stand in a headquarters is not the flag.
    let deduced = known(&start, &["N45-N55"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N61"), "543");
}

#[test]
fn who_has_a_move_and_who_has_none() {
    // W is out because it cannot move, although it has a piece that could: it stands in the corner.
    let board = [
        "  .     .    e3", //
        "  .  .  . s3  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  . wL",
        "  . []  . wF w4",
    ];
    let start = drawn("siguo", (6, 10), &board, 0);
    let deduced = known(&start, &["S14-S13", "C33-C32"], 0, 3, false);
    assert_eq!((letters(&start, &deduced, "S65"), letters(&start, &deduced, "S55")), ("4".into(), "FL".into()));
    // While it is still to come, the piece in the headquarters is not the only one that could move.
    let deduced = known(&start, &["S14-S13"], 0, 3, false);
    assert_eq!((letters(&start, &deduced, "S65"), letters(&start, &deduced, "S64")), ("FL4".into(), "FL".into()));
    // N is to move and can: the piece that moves does not stand in the corner.
    let board = [
        " nL nF  . []  .", //
        " n4  .  .  .  .",
        "  . ()  . () s5",
    ];
    let start = drawn("luzhanqi", (6, 0), &board, 0);
    let deduced = known(&start, &["N41-N31"], 0, 1, false);
    assert_eq!((letters(&start, &deduced, "N55"), letters(&start, &deduced, "N65")), ("4".into(), "FL".into()));
}

#[test]
fn a_reveal_is_known() {
    let start = drawn("luzhanqi:reveal=combatants", (6, 0), &board("  .  . s3  . s5"), 0);
    let deduced = known(&start, &["S15-N11"], 0, 1, false);
    assert_eq!(letters(&start, &deduced, "N11"), "0");
}

use super::super::Out;
use super::{drawn, play, reach};

#[test]
fn a_corner_has_two_onward_lines() {
    let board = [
        "  .     .     .  .  .  .  .  .  .",
        "                 . ()  . ()  . []",
        "  .     .     .  .  . ()  .  .  .",
        "                 . ()  . ()  . []",
        "  .     .     .  .  .  .  .  .  .",
        "  .  .  .  . s5",
        "  . ()  . ()  .",
    ];
    let game = drawn("siguo", (6, 6), &board, 0);
    let expected = "S11 S12 S13 S14 S24 S25 S35 S45 S55 E11 E21 E31 E41 E51 N11 N21 N31 N41 N51 C13 C23 C33";
    assert_eq!(reach(&game, "S15"), expected);
}

#[test]
fn a_front_row_does_not_run_round_an_arc() {
    let board = [
        "  .     .     .  .  .  .  .  .  .", //
        "  .  . s5  .  .",
        "  . ()  . ()  .",
    ];
    let game = drawn("siguo", (6, 10), &board, 0);
    assert_eq!(reach(&game, "S13"), "S11 S12 S14 S15 S22 S23 S24 N13 C12 C22 C32");
    // An engineer does.
    let board = [
        "  .     .     .  .  .  .  .  .  .", //
        "  .  . s2  . e3",
        "  . ()  . ()  .",
    ];
    let game = drawn("siguo", (6, 10), &board, 0);
    let far = reach(&game, "S13");
    assert!(far.contains("E11") && far.contains("S15"), "{far}");
    assert_eq!(far.split(' ').count(), 72 + 3);
}

#[test]
fn the_middle_has_gaps() {
    let board = [
        "  .     .     .", //
        "",
        "  .     .     .",
        "",
        "  .    s5     .",
    ];
    let game = drawn("siguo", (6, 6), &board, 0);
    let expected = "S13 E11 E21 E31 E41 E51 N13 W15 W25 W35 W45 W55 C12 C22 C31 C33";
    assert_eq!(reach(&game, "C32"), expected);
}

#[test]
fn a_rail_move_ends_at_the_first_piece() {
    let board = [
        " s4  .  . n4  .", //
        " n3 ()  . ()  .",
        "  .  . ()  .  .",
    ];
    let mut game = drawn("luzhanqi", (6, 11), &board, 0);
    assert_eq!(reach(&game, "S11"), "S12 S13 S14 S21 S22 N15 N25 N35 N45 N55");
    let (from, to) = game.action("S11-S31").expect("stations");
    assert!(game.play(from, to).is_err());
    assert_eq!(play(&mut game, "S11-S14").seat, 0);
}

#[test]
fn an_engineer_never_runs_through_an_occupied_station() {
    let board = [
        " s4  .  . s4 n3",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        " s2  .  . s4  .",
        "  . []  . []  .",
    ];
    let game = drawn("luzhanqi", (6, 11), &board, 0);
    assert_eq!(reach(&game, "S51"), "S21 S31 S41 S42 S52 S53 S61");
    // With the way open it reaches the enemy in the corner, and not what lies behind it.
    let board = [
        " s4  .  . s4 n3",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        " s2  .  .  .  .",
        "  . []  . []  .",
    ];
    let game = drawn("luzhanqi", (6, 11), &board, 0);
    assert_eq!(reach(&game, "S51"), "S15 S21 S25 S31 S35 S41 S42 S45 S52 S53 S54 S55 S61");
    // Off the rail it goes one step by road like everybody.
    let board = [
        "  .  .  .  .  .", //
        "  . s2  . ()  .",
        "  .  . ()  .  .",
    ];
    let game = drawn("luzhanqi", (6, 11), &board, 0);
    assert_eq!(reach(&game, "S22"), "S11 S12 S13 S21 S23 S31 S32 S33");
}

#[test]
fn an_engineer_may_come_back_beside_itself_but_not_stay() {
    let board = [
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        " s2  .  .  .  .",
        "  . []  . []  .",
    ];
    let game = drawn("luzhanqi", (6, 11), &board, 0);
    let far = reach(&game, "S51");
    assert!(!far.split(' ').any(|name| name == "S51"));
    assert_eq!(far.split(' ').count(), 31 + 2);
}

#[test]
fn camps_shelter_whoever_stands_there() {
    let board = [" n3  .  .  .  .", "  . s5  . n4  .", "  .  . n4  .  .", "  . s4  . ()  .", "  .  .  .  .  ."];
    let game = drawn("luzhanqi", (6, 11), &board, 0);
    assert_eq!(reach(&game, "S22"), "S11 S12 S13 S21 S23 S31 S32");
    assert_eq!(reach(&game, "S33"), "S23 S32 S34 S43 S44");
    // The own piece in a camp cannot be joined either, and an empty camp of the other side is open.
    assert_eq!(reach(&game, "S42"), "S31 S32 S41 S43 S51 S52 S53");
}

#[test]
fn nothing_leaves_a_headquarters() {
    let board = [
        "  . n5  . n9  .", //
        "  .  . s3  . n2",
    ];
    for (rules, expected) in [("luzhanqi", ""), ("luzhanqi:hq_moves=yes", "N54 N63 N65")] {
        let game = drawn(rules, (6, 0), &board, 0);
        assert_eq!(reach(&game, "N64"), expected, "{rules}");
    }
    // A seat with nothing else is out before the first ply.
    let board = [
        "  . n5  . n9  .", //
        "  .  . s3  .  .",
    ];
    let game = drawn("luzhanqi", (6, 0), &board, 0);
    assert_eq!((game.out(1), game.legal()), (Some(Out::NoPieces), vec![]));
    let game = drawn("luzhanqi:hq_moves=yes", (6, 0), &board, 1);
    assert_eq!((game.out(1), game.legal().len()), (None, 6));
    // The captor of a flag stays there for good.
    let board = [
        "  .    nB    s3", //
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        " w3  . ()  . e5",
        "  . ()  . ()  .",
        "  . e4  .  .  .",
        "  . sF  . []  .",
    ];
    let mut game = drawn("siguo", (6, 10), &board, 1);
    play(&mut game, "S52-S62");
    assert_eq!((reach(&game, "S62"), game.out(0), game.out(1)), (String::new(), Some(Out::Flag), None));
}

#[test]
fn mines_and_flags_never_move() {
    let board = [
        "  . nF  . []  .", //
        " nL  .  .  . n3",
    ];
    let game = drawn("luzhanqi:hq_moves=yes", (6, 0), &board, 1);
    assert_eq!((reach(&game, "N64"), reach(&game, "N55")), (String::new(), String::new()));
}

#[test]
fn allies_block_and_are_not_captured() {
    let board = [
        "  .     .     .  .  .  .  .  .  .", //
        " s4  . n3  . e3",
        "  . ()  . ()  .",
    ];
    let game = drawn("siguo", (6, 10), &board, 0);
    let far = reach(&game, "S11");
    assert!(far.starts_with("S12 S21") && !far.contains("S13"), "{far}");
    let far = reach(&game, "S13");
    assert!(far.starts_with("S12 S14 S15 S22"), "{far}");
}

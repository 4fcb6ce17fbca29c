use super::super::board::Board;
use super::super::{Game, Kind, Layout};
use super::rules;

/// Front row first, as the owner sees it.
const LAYOUT: &str = "
    0 9 8 8 7
    7 . 6 . 6
    5 B . B 5
    4 . 4 . 4
    3 L 3 L 3
    2 F 2 L 2";

fn with(old: &str, new: &str) -> Result<(), String> {
    let board = Board::of(&rules("siguo"));
    Layout::parse(&LAYOUT.replacen(old, new, 1)).and_then(|layout| layout.check(&rules("siguo"), &board))
}

#[test]
fn what_may_stand_where() {
    assert_eq!(with("x", "x"), Ok(()));
    for (old, new, wrong) in [
        ("0 9", "0 L", "Mine may not stand on 12"),
        ("0 9", "0 B", "Bomb may not stand on 12"),
        ("0 9", "0 F", "Flag may not stand on 12"),
        ("4 . 4", "4 L 4", "Mine may not stand on 42"),
        ("4 . 4", "4 5 4", "Battalion may not stand on 42"),
        ("4 . 4", "L . 4", "Mine may not stand on 41"),
        ("0 9", "0 .", "12 is empty"),
        ("0 9", "0 0", "2 of Commander instead of 1"),
        ("0 9", "0 1", "1 is no letter"),
        ("0 9", "0", "29"),
    ] {
        let fault = with(old, new).expect_err(wrong);
        assert!(fault.contains(wrong), "{fault}");
    }
    // Mines in the headquarters and bombs behind the front row are allowed.
    assert_eq!(with("2 F 2 L 2", "2 L 2 F 2"), Ok(()));
    assert_eq!(with("7 . 6", "B . 6").expect_err("three bombs"), "3 of Bomb instead of 2");
}

#[test]
fn bombs_in_the_front_row() {
    let text = LAYOUT.replacen("0 9", "B 9", 1).replacen("5 B", "5 0", 1);
    let layout = Layout::parse(&text).expect("a layout");
    let games = |name: &str| Game::new(rules(name), &[layout.clone(), layout.clone()], 0);
    assert_eq!(games("luzhanqi").expect_err("a bomb in front"), "seat 0: Bomb may not stand on 11");
    let game = games("luzhanqi:bomb_front_row=yes").expect("a game");
    assert_eq!(game.pieces.len(), 50);
}

/// Every seat's pieces lie as their owner sees them.
#[test]
fn four_layouts_on_the_board() {
    let layout = Layout::parse(LAYOUT).expect("a layout");
    let game = Game::new(rules("siguo"), &[layout.clone(), layout.clone(), layout.clone(), layout.clone()], 1);
    let game = game.expect("a game");
    let expected = "
                   n2 nL n2 nF n2
                   n3 nL n3 nL n3
                   n4 () n4 () n4
                   n5 nB () nB n5
                   n6 () n6 () n7
                   n7 n8 n8 n9 n0
 w2 w3 w4 w5 w7 w0  .     .     . e7 e6 e5 e4 e3 e2
 wF wL () wB () w9                e8 () eB () eL eL
 w2 w3 w4 () w6 w8  .     .     . e8 e6 () e4 e3 e2
 wL wL () wB () w8                e9 () eB () eL eF
 w2 w3 w4 w5 w6 w7  .     .     . e0 e7 e5 e4 e3 e2
                   s0 s9 s8 s8 s7
                   s7 () s6 () s6
                   s5 sB () sB s5
                   s4 () s4 () s4
                   s3 sL s3 sL s3
                   s2 sF s2 sL s2
";
    assert_eq!(format!("\n{}", game.text()), expected);
    let lines: Vec<&str> = expected.trim_matches('\n').lines().collect();
    // Pieces are listed from the other side there.
    assert_eq!(Game::drawn(rules("siguo"), (0, 0), &lines, 1).map(|game| game.text()), Ok(game.text()));
    assert_eq!(game.to_move(), 1);
    let three = [layout.clone(), layout.clone(), layout.clone()];
    assert!(Game::new(rules("siguo"), &three, 0).is_err());
    assert!(Game::new(rules("luzhanqi"), &three[1..], 2).is_err());
}

#[test]
fn letters_and_counts() {
    let mut pieces = 0;
    for kind in Kind::ALL {
        assert_eq!(Kind::from_letter(kind.letter()), Some(kind));
        pieces += kind.count();
    }
    assert_eq!((pieces, Kind::from_letter('1')), (25, None));
}

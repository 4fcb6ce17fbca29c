use super::super::combat::combat;
use super::super::{Kind, Outcome};
use super::{drawn, play, play_all, rules, station};

/// What every attacker does to every defender, in the order 0 9 8 7 6 5 4 3 2 B L F: `w` won, `l` lost, `x` both.
#[test]
fn everybody_against_everybody() {
    let table = [
        "0 xwwwwwwwwxlw",
        "9 lxwwwwwwwxlw",
        "8 llxwwwwwwxlw",
        "7 lllxwwwwwxlw",
        "6 llllxwwwwxlw",
        "5 lllllxwwwxlw",
        "4 llllllxwwxlw",
        "3 lllllllxwxlw",
        "2 llllllllxxww",
        "B xxxxxxxxxxxx",
    ];
    for line in table {
        let attacker = Kind::from_letter(line.chars().next().unwrap()).unwrap();
        for (letter, expected) in "098765432BLF".chars().zip(line[2..].chars()) {
            let defender = Kind::from_letter(letter).unwrap();
            let letter = |rule: &str| match combat(&rules(rule), attacker, defender) {
                Outcome::Moved => '-',
                Outcome::Won => 'w',
                Outcome::Lost => 'l',
                Outcome::Both => 'x',
            };
            assert_eq!(letter("siguo"), expected, "{attacker:?} {defender:?}");
            let on_mine = defender == Kind::Mine && expected == 'l';
            assert_eq!(letter("siguo:mine=both"), if on_mine { 'x' } else { expected });
            let commander = defender == Kind::Mine && attacker == Kind::Commander;
            assert_eq!(letter("siguo:commander_mine=survives"), if commander { 'w' } else { expected });
        }
    }
}

#[test]
fn a_mine_stays_and_an_engineer_takes_its_place() {
    let board = [
        "  . nF  . []  .", //
        " nL  .  .  . n3",
        " s4 ()  . () s2",
    ];
    let mut game = drawn("luzhanqi", (6, 0), &board, 0);
    let event = play(&mut game, "N45-N55");
    assert_eq!((event.outcome, event.defender), (Outcome::Lost, Some(1)));
    assert_eq!(game.piece_at(station(&game, "N55")).map(|piece| piece.kind), Some(Kind::Mine));
    assert!(game.piece_at(station(&game, "N45")).is_none());
    play(&mut game, "N51-N52");
    let event = play(&mut game, "N41-N42");
    assert_eq!(event.outcome, Outcome::Moved);

    let board = [
        "  . nF  . []  .", //
        " nL  .  .  . n3",
        " s2 ()  . ()  .",
    ];
    let mut game = drawn("luzhanqi", (6, 0), &board, 0);
    assert_eq!(play(&mut game, "N45-N55").outcome, Outcome::Won);
    assert_eq!(game.piece_at(station(&game, "N55")).map(|piece| piece.kind), Some(Kind::Engineer));
}

#[test]
fn a_bomb_comes_before_mine_and_flag() {
    let board = [
        "  . nF nL []  .", //
        "  .  . sB  . n3",
        "  . ()  . () s2",
    ];
    let mut game = drawn("luzhanqi", (6, 0), &board, 0);
    assert_eq!(play(&mut game, "N53-N63").outcome, Outcome::Both);
    assert!(game.piece_at(station(&game, "N63")).is_none());
    // An attacker that runs into a bomb goes with it, whatever it is.
    let board = [
        "  .  . nB n3  .", //
        "  . ()  . ()  .",
        "  .  . s2  . s3",
    ];
    let mut game = drawn("luzhanqi", (6, 1), &board, 0);
    play_all(&mut game, &["N33-N44", "N52-N51"]);
    let event = play(&mut game, "N44-N53");
    assert_eq!((event.outcome, game.piece_at(event.to)), (Outcome::Both, None));
    assert_eq!((game.quiet(), game.out(0), game.out(1)), (0, None, None));
}

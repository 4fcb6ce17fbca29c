use super::super::{Draw, Out, Outcome, Status};
use super::{drawn, play, play_all, station};

#[test]
fn a_captured_flag_takes_its_army_along() {
    let board = [
        "  .    nB     .", //
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        " w3  . ()  . s3",
        "  . ()  . ()  .",
        "  . e4  .  .  .",
        "  . sF  . [] s9",
    ];
    let mut game = drawn("siguo", (6, 10), &board, 1);
    let event = play(&mut game, "S52-S62");
    // E has lost its only soldier to the headquarters: it is out too, on its own ply.
    assert_eq!((event.outcome, event.status), (Outcome::Won, Status::Ongoing));
    assert_eq!(event.out, [(0, Out::Flag), (1, Out::NoPieces)]);
    let left: Vec<usize> = game.pieces.iter().filter(|piece| piece.at.is_some()).map(|piece| piece.seat).collect();
    assert_eq!((left, game.to_move()), (vec![2, 3], 2));
}

#[test]
fn the_partner_plays_on_and_wins_for_both() {
    let board = [
        "  .    nB    e2", //
        "  .  . wF  .  .",
        "  . ()  . ()  .",
        " w3  . ()  . s3",
        "  . ()  . ()  .",
        "  . e4  .  .  .",
        "  . sF  . []  .",
    ];
    let mut game = drawn("siguo", (6, 10), &board, 1);
    assert_eq!(play(&mut game, "S52-S62").out, [(0, Out::Flag)]);
    assert_eq!(game.to_move(), 2);
    // 炸旗: the bomb goes with the flag, and N with its bomb.
    let event = play(&mut game, "C32-S13");
    assert_eq!((event.outcome, event.out), (Outcome::Both, vec![(3, Out::Flag), (2, Out::NoPieces)]));
    assert_eq!(event.status, Status::Win { team: 1 });
    assert_eq!(game.results(), [-1.0, 1.0, -1.0, 1.0]);
    assert!(game.legal().is_empty());
}

#[test]
fn the_commanders_death_shows_its_flag() {
    let board = [
        "  . nF  . [] n2", //
        "  . nL  .  .  .",
        "  . s0  . () n0",
        " n9 sB ()  . s0",
        "  . ()  . ()  .",
        "  .  .  .  .  .",
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  .  .",
        "  . sF  . [] s5",
    ];
    // By a mine; by an equal one, when both die; by a bomb.
    for (action, outcome, seats) in [
        ("N44-N54", Outcome::Lost, vec![0]),
        ("N31-N41", Outcome::Both, vec![0, 1]),
        ("N34-N35", Outcome::Both, vec![]),
    ] {
        let mut game = drawn("luzhanqi", (6, 0), &board, 0);
        let event = play(&mut game, action);
        let flags: Vec<(usize, usize)> =
            seats.iter().map(|seat| (*seat, station(&game, ["S62", "N64"][*seat]))).collect();
        assert_eq!((event.outcome, &event.flags), (outcome, &flags), "{action}");
        for piece in &game.pieces {
            let shown = seats.contains(&piece.seat) && piece.kind.letter() == 'F';
            assert_eq!(game.sees(1 - piece.seat, piece), shown, "{action}");
        }
    }
}

#[test]
fn a_seat_may_go_out_on_somebody_elses_ply() {
    let board = [
        "  .    n3    e3", //
        "  .  . w3  . s6",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  . eL",
        "  . []  . eF  .",
    ];
    let mut game = drawn("siguo", (6, 10), &board, 0);
    let event = play(&mut game, "S15-C33");
    assert_eq!(event.out, [(1, Out::NoPieces)]);
    // Mine and flag have left the board, and it is the turn of the seat behind.
    assert!(game.piece_at(station(&game, "S55")).is_none());
    assert_eq!((game.to_move(), game.quiet()), (2, 0));
}

#[test]
fn both_of_a_team_at_once() {
    let board = [
        "  .    s6    e5", //
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  . wL",
        "  . []  . wF w4",
    ];
    // E loses its last piece; then it is the turn of W, which cannot move.
    let mut game = drawn("siguo", (6, 10), &board, 0);
    let event = play(&mut game, "C32-C33");
    assert_eq!(event.out, [(1, Out::NoPieces), (3, Out::NoMoves)]);
    assert_eq!((event.status, game.results()), (Status::Win { team: 0 }, vec![1.0, -1.0, 1.0, -1.0]));
}

#[test]
fn no_move_at_the_own_turn() {
    let board = [
        " n4 nF  . []  .", //
        " nL  .  .  .  .",
        "  . ()  . () s5",
    ];
    let mut game = drawn("luzhanqi", (6, 0), &board, 0);
    let event = play(&mut game, "N41-N31");
    assert_eq!((event.out, event.status), (vec![(1, Out::NoMoves)], Status::Win { team: 0 }));
    // An attack is a move, be it a hopeless one.
    let board = [
        " n4 nF  . []  .", //
        " s5  .  .  .  .",
        "  . ()  . () s5",
    ];
    let mut game = drawn("luzhanqi", (6, 0), &board, 0);
    assert_eq!(play(&mut game, "N41-N31").out, []);
    let event = play(&mut game, "N65-N55");
    assert_eq!((event.outcome, event.out), (Outcome::Lost, vec![(1, Out::NoPieces)]));
}

#[test]
fn a_seat_that_waits_may_be_blocked() {
    // W cannot move, but it is not its turn: N opens the way in time.
    let board = [
        "  .     .    e3", //
        "  .  .  . s3  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  . n5",
        "  . []  . wF w4",
    ];
    let mut game = drawn("siguo", (6, 10), &board, 0);
    play_all(&mut game, &["S14-S13", "C33-C32", "S55-S45"]);
    assert_eq!((game.out(3), game.to_move(), game.legal().len()), (None, 3, 1));
}

#[test]
fn of_two_that_cannot_move_the_one_to_move_goes_out() {
    let board = [
        "  . nF  . []  .",
        "  .  .  .  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  . n5  .  .",
        "  .  . s5  .  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  .  .",
        "  . sF  . []  .",
    ];
    for (first, action) in [(0, "S13-N13"), (1, "N13-S13")] {
        let mut game = drawn("luzhanqi", (6, 0), &board, first);
        let event = play(&mut game, action);
        assert_eq!((event.outcome, event.out), (Outcome::Both, vec![(1 - first, Out::NoPieces)]));
        assert_eq!(event.status, Status::Win { team: first });
    }
}

#[test]
fn the_quiet_limit() {
    let board = [
        "  .  .  .  .  .", //
        "  .  .  .  . s4",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . () s5",
        "  .  . n4  . n3",
    ];
    let rules = "luzhanqi:quiet_limit=3";
    let lines = |top: usize| &board[top..];
    let mut game = drawn(rules, (6, 10 - 5 + 6), lines(1), 0);
    play_all(&mut game, &["S15-S14", "S53-S52"]);
    assert_eq!((game.status(), game.quiet()), (Status::Ongoing, 2));
    // Any combat starts the count again.
    play_all(&mut game, &["S45-S55", "S52-S51", "S14-S13"]);
    assert_eq!((game.status(), game.quiet()), (Status::Ongoing, 2));
    let event = play(&mut game, "S51-S52");
    assert_eq!((event.status, game.results()), (Status::Draw { reason: Draw::QuietLimit }, vec![0.0, 0.0]));
    assert!(game.legal().is_empty());
}

#[test]
fn a_win_goes_before_a_draw() {
    let board = [
        " n4 nF  . []  .", //
        " nL  .  .  .  .",
        "  . ()  . () s5",
    ];
    // Not a piece is lost, but N is out on the ply that would be the last quiet one.
    let mut game = drawn("luzhanqi:quiet_limit=1,ply_limit=1", (6, 0), &board, 0);
    assert_eq!(play(&mut game, "N41-N31").status, Status::Win { team: 0 });
    let board = [
        " n4 nF  . []  .", //
        "  .  .  .  .  .",
        "  . ()  . () s5",
    ];
    for (rules, reason) in [
        ("luzhanqi:quiet_limit=1,ply_limit=1", Draw::QuietLimit),
        ("luzhanqi:quiet_limit=0,ply_limit=1", Draw::PlyLimit),
    ] {
        let mut game = drawn(rules, (6, 0), &board, 0);
        assert_eq!(play(&mut game, "N41-N31").status, Status::Draw { reason });
    }
}

#[test]
fn an_elimination_starts_the_count_again() {
    let board = [
        "  .     .    e3", //
        "  .  .  . s3  .",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        "  .  .  .  . wL",
        "  . []  . wF w4",
    ];
    // N has no pieces, so that W comes behind E; it is out on a ply without combat.
    let mut game = drawn("siguo:quiet_limit=2", (6, 10), &board, 0);
    play(&mut game, "S14-S13");
    assert_eq!(game.quiet(), 1);
    let event = play(&mut game, "C33-C32");
    assert_eq!((event.out, event.status), (vec![(3, Out::NoMoves)], Status::Ongoing));
    assert_eq!((game.quiet(), game.to_move()), (0, 0));
}

#[test]
fn giving_up_running_out_of_time_and_agreeing() {
    let board = [
        "  .    n3    e3", //
        "  .  . w3  . s6",
        "  . ()  . ()  .",
    ];
    let game = drawn("siguo:time_outs=2", (6, 10), &board, 0);
    let mut resigned = game.clone();
    assert_eq!(resigned.give_up(1, Out::Resigned), Ok(vec![(1, Out::Resigned)]));
    assert_eq!((resigned.to_move(), resigned.status()), (0, Status::Ongoing));
    assert_eq!(resigned.give_up(0, Out::Left), Ok(vec![(0, Out::Left)]));
    assert_eq!(resigned.to_move(), 2);
    assert!(resigned.give_up(0, Out::Resigned).is_err());
    assert_eq!(resigned.give_up(3, Out::Resigned), Ok(vec![(3, Out::Resigned)]));
    assert_eq!(resigned.status(), Status::Win { team: 0 });
    assert!(resigned.give_up(2, Out::Resigned).is_err());

    let mut late = game.clone();
    assert_eq!(late.time_out(), Ok(vec![]));
    assert_eq!((late.to_move(), late.plies(), late.quiet()), (1, 0, 0));
    play_all(&mut late, &["C33-C23", "C32-C31", "S13-S12"]);
    assert_eq!(late.time_out(), Ok(vec![(0, Out::TimeOuts)]));
    assert_eq!(late.to_move(), 1);
    let mut patient = drawn("siguo:time_outs=unlimited", (6, 10), &board, 0);
    for _ in 0..100 {
        assert_eq!(patient.time_out(), Ok(vec![]));
    }

    let mut agreed = game;
    agreed.agree().expect("a game in progress");
    assert_eq!(agreed.status(), Status::Draw { reason: Draw::Agreement });
    assert!(agreed.agree().is_err() && agreed.time_out().is_err());
}

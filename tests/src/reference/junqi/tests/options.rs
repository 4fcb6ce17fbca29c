use super::super::board::Board;
use super::super::reach::{by_rail_line, by_rail_with_turns};
use super::super::{Game, Kind, Out, Reveal, Rules, SIGNALS, Variant, View};
use super::{drawn, play, reach, rules};

#[test]
fn every_option_is_read() {
    for variant in [Variant::Siguo, Variant::Duel, Variant::Luzhanqi] {
        let name = format!("{variant:?}").to_lowercase();
        assert_eq!(rules(&name), Rules::new(variant));
        let defaults = "order=anticlockwise,mine=stays,bomb_front_row=no,hq_moves=no,arms=open,reveal=none,bombs_fly=no,\
            one_turn=no,commander_mine=dies,signals=no,time_outs=5,quiet_limit=70,ply_limit=0,view=dark";
        assert_eq!(rules(&format!("{name}:{defaults}")), Rules::new(variant));
    }
    let others = "open,order=clockwise,mine=both,bomb_front_row=yes,hq_moves=true,arms=closed,reveal=both,bombs_fly=yes,\
        one_turn=yes,commander_mine=survives,time_outs=unlimited,quiet_limit=71,ply_limit=500";
    let expected = Rules {
        variant: Variant::Duel,
        view: View::Open,
        clockwise: true,
        mine_both: true,
        bomb_front_row: true,
        hq_moves: true,
        arms_closed: true,
        reveal: Reveal::Both,
        bombs_fly: true,
        one_turn: true,
        commander_survives: true,
        signals: false,
        time_outs: 0,
        quiet_limit: 71,
        ply_limit: 500,
    };
    assert_eq!(rules(&format!("duel:{others}")), expected);
    assert!(rules("siguo:signals=yes").signals);
    for wrong in [
        "duel:signals=yes",
        "junqi",
        "siguo:blue",
        "siguo:mine=none",
        "siguo:quiet_limit=x",
        "siguo:colour=red",
        "duel:arms",
    ] {
        assert!(Rules::parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn whose_turn_it_is() {
    let board = [
        "  .    n3    e3", //
        "  .  . w3  . s6",
        "  . ()  . ()  .",
    ];
    for (name, order) in [("siguo", [0, 1, 2, 3, 0]), ("siguo:order=clockwise", [0, 3, 2, 1, 0])] {
        let mut game = drawn(name, (6, 10), &board, 0);
        let mut seen = vec![game.to_move()];
        for _ in 0..4 {
            // Back, away from everybody.
            let away = ["S15-S25", "C33-C23", "C32-C31", "S13-S12"][game.to_move()];
            play(&mut game, away);
            seen.push(game.to_move());
        }
        assert_eq!(seen, order, "{name}");
    }
}

#[test]
fn closed_arms() {
    let board = [
        "  .     .     .  .  .  .  .  .  .", //
        "  .  .  .  . s5",
        "  . ()  . ()  .",
    ];
    let game = drawn("duel", (6, 10), &board, 0);
    assert!(reach(&game, "S15").contains("E11 E21"));
    let board = [
        "  .     .     .", //
        "  .  .  .  . s5",
        "  . ()  . ()  .",
    ];
    let game = drawn("duel:arms=closed", (6, 10), &board, 0);
    assert_eq!(reach(&game, "S15"), "S11 S12 S13 S14 S24 S25 S35 S45 S55 N11 N21 N31 N41 N51 C13 C23 C33");
}

#[test]
fn bombs_fly() {
    let board = [
        " sB  .  .  . n3", //
        "  . ()  . () s3",
    ];
    for (name, far) in [("luzhanqi", false), ("luzhanqi:bombs_fly=yes", true)] {
        let game = drawn(name, (6, 11), &board, 0);
        // Round the other board: the corner of S is taken, so only turns lead there.
        assert_eq!(reach(&game, "S11").contains("N12"), far, "{name}");
        assert!(reach(&game, "S11").contains("S15"));
    }
}

#[test]
fn one_turn() {
    let board = [
        "  .  .  .  . n3", //
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . ()  .",
        " s4  .  .  .  .",
    ];
    let game = drawn("luzhanqi:one_turn=yes", (6, 11), &board, 0);
    // Two turns would lead round to N14; N11 lies behind n3.
    let expected = "S11 S12 S13 S14 S15 S21 S25 S31 S35 S41 S42 S45 S52 S53 S54 S55 S61 \
        N11 N12 N13 N14 N15 N25 N35 N45 N51 N52 N53 N54 N55";
    assert_eq!(reach(&game, "S51"), expected);
}

/// One right angle reaches what one change of line reaches, on any board: how a turn is read makes no difference.
#[test]
fn one_right_angle_is_one_change_of_line() {
    for name in ["siguo", "luzhanqi"] {
        let board = Board::of(&rules(name));
        for spacing in 3..40 {
            for from in board.numbers() {
                let occupied = |station: usize| station == from || (station * 7) % spacing == 2;
                let mut lines = Vec::new();
                for turn in by_rail_line(&board, from, &occupied) {
                    lines.push(turn);
                    if !occupied(turn) {
                        lines.extend(by_rail_line(&board, turn, &occupied));
                    }
                }
                lines.retain(|to| *to != from);
                let mut angles = by_rail_with_turns(&board, from, 1, &occupied);
                for found in [&mut lines, &mut angles] {
                    found.sort();
                    found.dedup();
                }
                assert_eq!(lines, angles, "{name} {spacing} {from}");
            }
        }
    }
}

#[test]
fn views_and_reveals() {
    let board = [
        "  .    n3    e3", //
        "  .  . w3  . s6",
        "  . ()  . ()  .",
        "  .  . ()  .  .",
        "  . ()  . () e2",
    ];
    // Whose pieces S and E see.
    for (name, south, east) in [("siguo", "s", "e"), ("siguo:double-open", "sn", "ew"), ("siguo:open", "senw", "senw")]
    {
        let game = drawn(name, (6, 10), &board, 0);
        for piece in &game.pieces {
            let letter = game.rules.seat_letter(piece.seat);
            assert_eq!((game.sees(0, piece), game.sees(1, piece)), (south.contains(letter), east.contains(letter)));
        }
    }
    for (name, told) in [
        ("siguo", [false; 4]),
        ("siguo:reveal=combatants", [true, true, false, false]),
        ("siguo:reveal=both", [true; 4]),
    ] {
        let mut game = drawn(name, (6, 10), &board, 0);
        let event = play(&mut game, "S15-C33");
        for (seat, told) in told.into_iter().enumerate() {
            let kinds = event.seen_by(&game.rules, seat).kinds;
            assert_eq!(kinds, told.then_some((Kind::Regiment, Kind::Platoon)), "{name}");
            let winner = game.piece_at(event.to).expect("the winner");
            assert_eq!(game.sees(seat, winner), told || seat == 0, "{name}");
        }
    }
}

#[test]
fn signals() {
    let board = [
        "  .    n3    e3", //
        "  .  . w3  . s6",
        "  . ()  . ()  .",
    ];
    let away = ["S15-S25", "C33-C23", "C32-C31", "S13-S12"];
    let mut game = drawn("siguo:signals=yes", (6, 10), &board, 0);
    assert_eq!(game.signals(), SIGNALS);
    assert!(game.say("41").is_err());
    game.say("37+").unwrap();
    assert_eq!((game.to_move(), game.plies(), game.signals()), (0, 0, Vec::new()));
    assert!(game.say("37+").is_err());
    let heard = |game: &Game| [0, 1, 2, 3].map(|viewer| game.heard(viewer, 0));
    for step in away {
        assert_eq!(heard(&game), [Some("37+"), None, Some("37+"), None], "{}", game.text());
        play(&mut game, step);
    }
    // It is news until the next ply.
    assert_eq!(heard(&game)[2], Some("37+"));
    let mut other = game.clone();
    play(&mut other, "S25-S15");
    assert_eq!(heard(&other), [None; 4]);
    game.say("wait").unwrap();
    game.time_out().unwrap();
    assert_eq!(heard(&game), [Some("wait"), None, Some("wait"), None]);
    // The ally of E goes, and then nobody hears E.
    assert_eq!((game.to_move(), game.signals().len()), (1, 22));
    game.give_up(3, Out::Left).unwrap();
    assert_eq!(game.signals().len(), 0);
}

//! Chains, rushes, the other ranking and the score form (1.3), and the profiles (1.4).

use super::super::{Chain, DarkFail, Repetition, Rules};
use super::{Reason, Status, at, is_legal, play, profile, won};

fn chain(chain: Chain) -> Rules {
    Rules { chain, ..profile("gametower") }
}

#[test]
fn the_profiles_are_the_table() {
    let table = [
        ("taiwan", 60, Repetition::Cycle3, 0, Chain::None),
        ("zhengba", 40, Repetition::None, 0, Chain::None),
        ("gametower", 50, Repetition::None, 10, Chain::None),
        ("gametower-open-chain", 50, Repetition::None, 10, Chain::Open),
        ("gametower-dark-chain", 50, Repetition::None, 10, Chain::Dark),
        ("hongkong", 60, Repetition::Cycle3, 0, Chain::None),
        ("mainland", 60, Repetition::None, 10, Chain::None),
        ("mainland60", 60, Repetition::None, 10, Chain::None),
        ("icga", 180, Repetition::Threefold, 0, Chain::None),
        ("mini", 40, Repetition::None, 0, Chain::None),
        ("tombchess", 40, Repetition::Threefold, 0, Chain::None),
    ];
    for (name, quiet, repetition, chase, chain) in table {
        let rules = profile(name);
        assert_eq!(rules.check(), Ok(()), "{name}");
        assert_eq!(rules.quiet_limit, quiet, "{name}");
        assert_eq!(rules.repetition, repetition, "{name}");
        assert_eq!(rules.chase_limit, chase, "{name}");
        assert_eq!(rules.chain, chain, "{name}");
        assert_eq!(rules.hit_points, 60 * u32::from(name == "mainland60"));
        assert_eq!(rules.quiet_only_when_open, name == "zhengba");
        assert!(!rules.chariot_rush);
    }
    assert_eq!(Rules::profile("shanghai"), None);
}

#[test]
fn an_open_chain_goes_on_with_the_same_piece() {
    let rows = ["Rpn.....", "G.p.....", "X.......", ".......r"];
    let mut game = at(chain(Chain::Open), &rows, "0 r p1 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.to_move(), 0);
    assert_eq!(game.legal(), ["a2-a3", "stop"], "no flip, no step, no G");
    play(&mut game, &["a2-a3", "a3-b3"]);
    // Nothing more to capture: the turn has ended by itself.
    assert_eq!(game.position(), "8/G1R5/X7/7r 1 r p1 0 12");
    assert!(!is_legal(&game, "stop"));
}

#[test]
fn a_chain_may_be_stopped() {
    let rows = ["Rpn.....", "........", "........", ".......r"];
    let mut game = at(chain(Chain::Open), &rows, "0 r - 7 9");
    assert!(!is_legal(&game, "stop"), "there is nothing to stop yet");
    play(&mut game, &["a1-a2", "stop"]);
    assert_eq!(game.position(), "1Rn5/8/8/7r 1 r - 1 11");
    assert!(!game.needs_outcome("stop"));
}

#[test]
fn a_cannon_needs_a_screen_in_every_link() {
    let rows = ["CPp.n.g.", "........", "........", ".......r"];
    let mut game = at(chain(Chain::Open), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a3"]);
    assert_eq!(game.legal(), ["a3-a7", "stop"]);
}

#[test]
fn elimination_ends_a_chain() {
    let rows = ["Rpn.....", "........", "........", "........"];
    let mut game = at(chain(Chain::Open), &rows, "0 r - 0 9");
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &["a2-a3"]);
    assert_eq!(game.status(), won(0, Reason::Eliminated));
}

#[test]
fn an_open_chain_leaves_face_down_pieces_alone() {
    let rows = ["RX......", "........", "........", ".......r"];
    let game = at(chain(Chain::Open), &rows, "0 r p1 0 9");
    assert_eq!(game.legal(), ["a1-b1", "a2"]);
}

#[test]
fn a_dark_attack_takes_what_it_can_and_goes_on() {
    let rows = ["RXX.....", "........", "........", ".......r"];
    let mut game = at(chain(Chain::Dark), &rows, "0 r k1n1 3 9");
    assert_eq!(game.legal(), ["a1-a2", "a1-b1", "a2", "a3"]);
    assert_eq!(game.outcomes("a1-a2"), [('k', 1), ('n', 1)]);
    assert!(game.needs_outcome("a1-a2") && !game.needs_outcome("a1-b1"));
    game.play("a1-a2", Some('n')).expect("an attack");
    assert_eq!(game.position(), "1RX5/8/8/7r 0 r k1 0 10");
    assert_eq!(game.legal(), ["a2-a3", "stop"]);
    game.play("a2-a3", Some('k')).expect("an attack");
    // K is too strong: it stays face up, R stays, the turn ends.
    assert_eq!(game.position(), "1Rk5/8/8/7r 1 r - 0 11");
}

#[test]
fn a_dark_attack_on_an_own_piece_turns_it_up() {
    let rows = ["RX......", "........", "........", ".......r"];
    let mut game = at(chain(Chain::Dark), &rows, "0 r P1 3 9");
    game.play("a1-a2", Some('P')).expect("an attack");
    assert_eq!(game.position(), "RP6/8/8/7r 1 r - 0 10");
}

#[test]
fn a_failed_dark_attack_may_cost_the_attacker() {
    let rules = Rules { dark_fail: DarkFail::Suicide, ..chain(Chain::Dark) };
    let rows = ["RX......", "........", "P.......", ".......r"];
    let mut game = at(rules.clone(), &rows, "0 r k1 3 9");
    game.play("a1-a2", Some('k')).expect("an attack");
    assert_eq!(game.position(), "1k6/8/P7/7r 1 r - 0 10");
    let rows = ["RX......", "........", "........", ".......r"];
    let mut game = at(rules, &rows, "0 r k1 3 9");
    game.play("a1-a2", Some('k')).expect("an attack");
    assert_eq!(game.status(), won(1, Reason::Eliminated));
}

#[test]
fn legality_does_not_depend_on_what_is_face_down() {
    let rows = ["KX......", "........", "........", ".......r"];
    for bag in ["p1", "k1", "P1"] {
        let game = at(chain(Chain::Dark), &rows, &format!("0 r {bag} 0 9"));
        assert_eq!(game.legal(), ["a1-a2", "a1-b1", "a2"], "{bag}");
    }
}

#[test]
fn a_cannon_attacks_face_down_pieces_by_its_jump_only() {
    let rows = ["CX.X....", "X.......", "........", ".......r"];
    let mut game = at(chain(Chain::Dark), &rows, "0 r k1n1p1 0 9");
    assert_eq!(game.legal(), ["a1-a4", "a2", "a4", "b1"]);
    game.play("a1-a4", Some('k')).expect("an attack");
    assert_eq!(game.position(), "1X1C4/X7/8/7r 1 r n1p1 0 10", "any rank");
}

#[test]
fn before_the_colours_are_bound_there_are_only_flips() {
    let game = super::Game::new(chain(Chain::Dark));
    assert_eq!(game.legal().len(), 32);
    assert!(game.legal().iter().all(|action| action.len() == 2));
}

fn rush(chain: Chain) -> Rules {
    Rules { chariot_rush: true, chain, ..profile("gametower") }
}

#[test]
fn a_chariot_rushes_along_a_clear_line_at_any_rank() {
    for (row, action, legal) in [
        ("R.k.....", "a1-a3", true),
        ("R......k", "a1-a8", true),
        ("Rk......", "a1-a2", false),
        ("Rn......", "a1-a2", true),
        ("R.......", "a1-a3", false),
        ("R.Pk....", "a1-a4", false),
        ("R..X....", "a1-a4", false),
    ] {
        let rows = [row, "........", "........", ".......p"];
        let bag = if row.contains('X') { "p1" } else { "-" };
        let game = at(rush(Chain::None), &rows, &format!("0 r {bag} 0 9"));
        assert_eq!(is_legal(&game, action), legal, "{row} {action}");
    }
    let rows = ["N.p.....", "........", "........", ".......p"];
    let game = at(rush(Chain::None), &rows, "0 r - 0 9");
    assert!(!is_legal(&game, "a1-a3"), "only a chariot");
}

#[test]
fn a_rush_reaches_a_face_down_piece_in_a_dark_chain() {
    let rows = ["R..X....", "........", "........", ".......p"];
    let mut game = at(rush(Chain::Dark), &rows, "0 r k1 0 9");
    assert!(is_legal(&game, "a1-a4"));
    game.play("a1-a4", Some('k')).expect("an attack");
    assert_eq!(game.position(), "3R4/8/8/7p 1 r - 0 10");
}

#[test]
fn a_rush_chases() {
    let rules = Rules { chase_limit: 1, ..rush(Chain::None) };
    let rows = ["...k....", "R.......", "........", ".......p"];
    let game = at(rules, &rows, "0 r - 0 9");
    assert!(!is_legal(&game, "b1-a1"));
    assert!(is_legal(&game, "b1-b2"));
}

#[test]
fn hongkong_ranks_and_steps_with_cannons() {
    let table = [
        ('K', "krncgm."),
        ('R', ".rncgmp"),
        ('N', "..ncgmp"),
        ('C', "...cgmp"),
        ('G', "....gmp"),
        ('M', ".....mp"),
        ('P', "k.....p"),
    ];
    for (attacker, victims) in table {
        for victim in "krncgmp".chars() {
            let row = format!("{attacker}{victim}......");
            let rows = [row.as_str(), "........", "........", "........"];
            let game = at(profile("hongkong"), &rows, "0 r - 0 9");
            assert_eq!(is_legal(&game, "a1-a2"), victims.contains(victim), "{attacker} x {victim}");
        }
    }
    let rows = ["CPk.....", "........", "........", "........"];
    let game = at(profile("hongkong"), &rows, "0 r - 0 9");
    assert!(!is_legal(&game, "a1-a3"), "no jump");
}

#[test]
fn sixty_points_lost_lose_the_game() {
    // Black has lost K G G M: 55 points. R takes a chariot: 60. Red has lost 55 as well, which is not enough.
    let rows = ["Rr......", "KG......", ".....XXX", "XXXXXXXX"];
    let rest = "0 r m1r1n2c2p5 0 9";
    let mut game = at(profile("mainland60"), &rows, rest);
    assert_eq!(game.status(), Status::Ongoing);
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), won(0, Reason::HitPoints));
    let mut game = at(profile("mainland"), &rows, rest);
    play(&mut game, &["a1-a2"]);
    assert_eq!(game.status(), Status::Ongoing);
}

#[test]
fn an_attacker_that_is_removed_costs_its_points() {
    // Red has lost 55 points; its R attacks a face-down K it cannot take.
    let rules = Rules { dark_fail: DarkFail::Suicide, chain: Chain::Dark, ..profile("mainland60") };
    let rows = ["RX......", "KG......", ".....XXX", "XXXXXXX."];
    let mut game = at(rules, &rows, "0 r k1m1r1n2c2p4 0 9");
    assert_eq!(game.status(), Status::Ongoing);
    game.play("a1-a2", Some('k')).expect("an attack");
    assert_eq!(game.status(), won(1, Reason::HitPoints));
}

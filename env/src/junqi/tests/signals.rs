//! Signals: when they may be given, how long they stand, and that only allies hear them.

use super::super::observe::SCALARS;
use super::super::signal::SIGNALS;
use super::super::view::{Out, State};
use super::super::{Junqi, Signal};
use super::agreement::observed;
use super::game;
use super::rules::{drawn, may, placed, play};
use crate::draw::Theme;
use crate::game::{Actions, Game, Seat};
use crate::rng::Rng;

/// Every seat has a platoon's leader that steps into a camp and back.
const BOARD: &str = "S F@S62 C@C31 K@S23 | E F@E64 G@C33 K@E23 | N F@N62 K@N23 | W F@W62 K@W23";

/// Every seat's step, from S on.
const STEPS: [&str; 4] = ["S23-S22", "E23-E22", "N23-N22", "W23-W22"];

fn start(rules: &str) -> (Junqi, State) {
    let game = game(rules);
    let state = placed(&game, BOARD);
    (game, state)
}

/// What each seat hears of a speaker.
fn heard(game: &Junqi, state: &State, speaker: Seat) -> [Option<&'static str>; 4] {
    [0, 1, 2, 3].map(|seat| game.view(state, seat).signal(speaker).map(Signal::name))
}

fn signals(game: &Junqi, state: &State) -> usize {
    let mut legal = Actions::new();
    game.legal(game.view(state, game.to_move(state)), &mut legal);
    legal.iter().filter(|&&action| game.signal(action).is_some()).count()
}

#[test]
fn a_signal_goes_before_a_ply_and_passes_no_turn() {
    let (game, mut state) = start("siguo:signals=yes");
    let before = state;
    assert_eq!(signals(&game, &state), SIGNALS.len());
    play(&game, &mut state, "signal:37+");
    assert_eq!(state.public(), before.public(), "{}", drawn(&game, &state));
    assert_eq!(heard(&game, &state, 0), [Some("37+"), None, Some("37+"), None]);
    // One a ply: now it has to move.
    assert_eq!(signals(&game, &state), 0);
    assert!(!may(&game, &state, "signal:wait") && may(&game, &state, STEPS[0]), "{}", drawn(&game, &state));
    play(&game, &mut state, STEPS[0]);
    assert_eq!((game.to_move(&state), state.public().plies, state.public().quiet), (1, 1, 1));
    assert_eq!(heard(&game, &state, 0), [Some("37+"), None, Some("37+"), None]);
}

#[test]
fn a_signal_stands_until_the_next_ply_of_its_seat() {
    for (second, after) in [("", None), ("signal:0040 ", Some("0040"))] {
        let (game, mut state) = start("siguo:double-open,signals=yes");
        play(&game, &mut state, &format!("signal:help {}", STEPS.join(" ")));
        assert_eq!((game.to_move(&state), heard(&game, &state, 0)[2]), (0, Some("help")), "{}", drawn(&game, &state));
        play(&game, &mut state, &format!("{second}S22-S23"));
        assert_eq!(heard(&game, &state, 0), [after, None, after, None], "{}", drawn(&game, &state));
    }
}

#[test]
fn a_turn_that_passes_by_the_clock_is_a_turn() {
    let (game, mut state) = start("siguo:signals=yes,time_outs=2");
    play(&game, &mut state, "signal:help");
    game.time_out(&mut state).unwrap();
    assert_eq!((game.to_move(&state), heard(&game, &state, 0)[2]), (1, Some("help")));
    play(&game, &mut state, &STEPS[1..].join(" "));
    let mut silent = state;
    play(&game, &mut silent, STEPS[0]);
    assert_eq!(heard(&game, &silent, 0)[2], None);
    // At the limit the seat is out, and what it said goes with it.
    play(&game, &mut state, "signal:wait");
    game.time_out(&mut state).unwrap();
    assert_eq!((state.public().out(0), heard(&game, &state, 0)), (Some(Out::TimeOuts), [None; 4]));
}

#[test]
fn nobody_speaks_to_an_ally_that_is_out() {
    let (game, mut state) = start("siguo:signals=yes");
    play(&game, &mut state, STEPS[0]);
    game.remove_seat(&mut state, 3, Out::Resigned).unwrap();
    assert_eq!((game.to_move(&state), signals(&game, &state)), (1, 0), "{}", drawn(&game, &state));
    assert!(!may(&game, &state, "signal:37+"));
    play(&game, &mut state, STEPS[1]);
    assert_eq!((game.to_move(&state), signals(&game, &state)), (2, SIGNALS.len()));
    // Nor while pieces are set up, nor where the rules have no signals.
    let set_up = super::game("siguo:setup=play,signals=yes");
    assert_eq!(signals(&set_up, &set_up.deal(&mut Rng::new(1))), 0);
    let (plain, state) = start("siguo");
    assert_eq!(signals(&plain, &state), 0);
    assert!(plain.action_id("signal:37+").is_err_and(|fault| fault.to_string().contains("signals=yes only")));
}

#[test]
fn the_ally_sees_which_signal_it_is() {
    let (game, state) = start("siguo:signals=yes");
    let plain = super::game("siguo").spec().num_scalars;
    let &(first, last, _) = SCALARS.last().unwrap();
    assert_eq!((first, last + 1, plain), (plain, game.spec().num_scalars, 64));
    for signal in Signal::all() {
        let action = game.signal_action(signal).unwrap();
        let name = game.action_name(action);
        assert_eq!((game.action_id(&name).unwrap(), game.signal(action)), (action, Some(signal)), "{name}");
        let mut state = state;
        game.play(&mut state, action);
        for seat in 0..4 {
            let (_, scalars) = observed(&game, game.view(&state, seat));
            let ones: Vec<usize> = (0..SIGNALS.len()).filter(|&i| scalars[plain + i] != 0).collect();
            assert_eq!(ones, if seat == 2 { vec![signal.index()] } else { vec![] }, "{name} seen by {seat}");
            let text = game.draw_text(game.view(&state, seat));
            let told = text.contains(&format!("signal {}", signal.name()));
            assert_eq!(told, seat % 2 == 0, "{seat}\n{text}");
        }
    }
    assert!(game.action_id("signal:41").unwrap_err().to_string().contains("expected one of 40 39"));
}

/// All that a view gives its seat.
fn everything(game: &Junqi, state: &State, viewer: Seat) -> String {
    let view = game.view(state, viewer);
    let mut legal = Actions::new();
    game.legal(view, &mut legal);
    let mut mask = vec![0; game.spec().num_actions];
    game.mask(view, &mut mask);
    let names: Vec<String> = legal.iter().map(|&action| game.action_name(action)).collect();
    let chances = names.first().map(|_| game.chance_outcomes(view, legal[0]));
    let diagram = game.diagram(view);
    let drawn = game.state_text(&game.deal_from(view, &mut Rng::new(1)));
    let seen = (observed(game, view), mask, names, chances, game.view_text(view), drawn);
    format!("{view:?} {seen:?} {diagram:?} {} {}", game.draw_text(view), diagram.svg(Theme::Light))
}

/// One team talks in one game and not in another; its enemies cannot tell the two apart, not even between a signal and
/// the move behind it.
#[test]
fn enemies_get_the_same_bytes_whether_or_not_a_signal_is_given() {
    for (rules, team) in [("siguo:signals=yes", 0), ("siguo:double-open,signals=yes", 1)] {
        let game = game(rules);
        let (mut rng, mut given) = (Rng::new(3), 0);
        let mut silent = game.deal(&mut rng);
        let mut talking = silent;
        let same = |silent: &State, talking: &State| {
            for viewer in (0..4).filter(|viewer| viewer & 1 != team) {
                let [one, other] = [silent, talking].map(|state| everything(&game, state, viewer));
                assert!(one == other, "{rules} {viewer}\n{}", game.draw_text(game.view(talking, viewer)));
            }
        };
        while game.status(&silent).is_ongoing() {
            let (seat, looks) = (game.to_move(&silent), game.plies(&silent) % 8 < 2);
            if seat & 1 == team && !game.open_signals(game.view(&talking, seat)).is_empty() && rng.below(4) > 0 {
                let signal = Signal::all().nth(rng.below(SIGNALS.len() as u32) as usize).unwrap();
                game.play(&mut talking, game.signal_action(signal).unwrap());
                given += 1;
                if looks {
                    same(&silent, &talking);
                }
            }
            let view = game.view(&silent, seat);
            let action =
                std::iter::repeat_with(|| game.sample(view, &mut rng)).find(|&action| game.ends(action).is_some());
            let action = action.unwrap();
            assert_eq!(game.play(&mut silent, action), game.play(&mut talking, action));
            if looks {
                same(&silent, &talking);
            }
        }
        assert!(given > 20, "{rules}: {given}");
    }
}

#[test]
fn texts_of_signals_read_back_and_name_their_faults() {
    let game = game("siguo:signals=yes");
    let mut state = game.deal(&mut Rng::new(2));
    for signal in ["signal:37+", "signal:wait", "signal:00"] {
        play(&game, &mut state, signal);
        let mut legal = Actions::new();
        game.legal(game.view(&state, game.to_move(&state)), &mut legal);
        if signal != "signal:00" {
            game.play(&mut state, legal[0]);
        }
    }
    let texts = [0, 1, 2, 3].map(|seat| game.view_text(game.view(&state, seat)));
    let said = |text: &str| text.split_once(" said=").map(|(_, said)| said.split(' ').next().unwrap().to_string());
    assert_eq!(said(&game.state_text(&state)).as_deref(), Some("37+,wait,00!,-"));
    assert_eq!([0, 1, 2, 3].map(|seat: usize| said(&texts[seat])), {
        let [even, odd] = ["37+,-,00!,-", "-,wait,-,-"].map(|said| Some(said.to_string()));
        [even.clone(), odd.clone(), even, odd]
    });
    for (from, to, fault) in [
        ("said=37+,-", "said=37+,wait", "S hears its own team only"),
        ("said=37+", "said=37", ""),
        ("said=37+", "said=41", "'41': expected a signal"),
        ("said=37+", "said=37+!", "S is not to move"),
        (",00!,-", ",00!", "expected 4 parts"),
    ] {
        let read = game.parse_view(&texts[0].replace(from, to));
        let told = read.err().map_or(String::new(), |fault| fault.to_string());
        assert!(told.contains(fault) && told.is_empty() == fault.is_empty(), "{to}: {told}");
    }
    let plain = super::game("siguo").parse_view(&texts[0]).unwrap_err().to_string();
    assert!(plain.contains("signals=yes only"), "{plain}");
}

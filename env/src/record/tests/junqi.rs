//! Records of Junqi: layouts, seats that give up, positions from the middle, and what one seat may write down.

use super::super::Format;
use super::{Record, mutation::mutated, without_defects};
use crate::any::{AnyGame, AnyRules, Forfeit, Running};
use crate::fuzz;
use crate::game::Game as _;
use crate::junqi::Layout;
use crate::rng::Rng;

const RULES: &[&str] = &[
    "siguo",
    "siguo:double-open,setup=library,order=clockwise",
    "siguo:setup=play,reveal=combatants,time_outs=1",
    "siguo:reveal=both,quiet_limit=20",
    "siguo:double-open,signals=yes",
    "duel",
    "luzhanqi:open",
    "luzhanqi:setup=play",
];

/// A random game in which seats also give up, are late, agree to draws and, where `redrawn`, play on with other ranks.
fn play(game: &mut dyn AnyGame, rng: &mut Rng, most: u32, redrawn: bool) {
    while game.status().is_ongoing() && game.plies() < most {
        let legal = game.legal_actions();
        let action = i32::from(legal[rng.below(legal.len() as u32) as usize]);
        // Before everything is set up nobody can give up.
        match rng.below(400) {
            0 => drop(game.forfeit(rng.below(4) as u8, Forfeit::Resignation)),
            1 => drop(game.forfeit(game.to_move(), Forfeit::Time)),
            2 => {
                let _ = game.offer_draw();
                (0..4).for_each(|seat| drop(game.accept_draw(seat)));
            }
            3 if redrawn => {
                let outcomes = game.chance_outcomes(action).unwrap();
                let outcome = outcomes.first().map_or("", |(name, _)| name);
                game.step_with(action, outcome).unwrap();
            }
            _ => game.step(action).unwrap(),
        }
    }
}

/// Checks that a game's record, read again, gives the same game.
fn reads_back(game: &dyn AnyGame, name: &str, seed: u64) {
    let text = game.record().to_string();
    let reading = Record::read(&text, Format::Anqi, None, false);
    without_defects(&reading, seed);
    let again = reading.record.replay().unwrap();
    assert!(again.record().to_string() == text, "{name} {seed}");
    assert_eq!((again.position(), again.status()), (game.position(), game.status()), "{name} {seed}");
    for seat in 0..game.spec().num_seats as u8 {
        assert_eq!(again.text_seen_by(seat), game.text_seen_by(seat), "{name} {seed}");
        assert_eq!(again.diagram(seat), game.diagram(seat), "{name} {seed}");
    }
}

#[test]
fn games_read_back() {
    for (number, name) in RULES.iter().enumerate() {
        let rules = AnyRules::parse(name).unwrap();
        let AnyRules::Junqi(junqi) = &rules else { panic!("junqi") };
        let seats = junqi.seats();
        for seed in 0..20 {
            let mut rng = Rng::branch(seed, &[number as u64]);
            // From the start, from layouts with any seat first, and from the middle of another game.
            let mut game = match seed % 3 {
                0 => rules.start(seed),
                1 => {
                    let layouts: Vec<String> =
                        (0..seats).map(|_| Layout::uniform(junqi.rules(), &mut rng).text()).collect();
                    let layouts: Vec<&str> = layouts.iter().map(String::as_str).collect();
                    rules.start_with(&layouts, rng.below(seats.into()) as u8, None, seed).unwrap()
                }
                _ => {
                    let mut state = junqi.deal(&mut rng);
                    for _ in 0..200 {
                        if junqi.status(&state).is_ongoing() {
                            let view = junqi.view(&state, junqi.to_move(&state));
                            let action = junqi.sample(view, &mut rng);
                            junqi.play(&mut state, action);
                        }
                    }
                    Box::new(Running::from_state(junqi.clone(), state, seed))
                }
            };
            let most = game.plies() + 30 + 60 * (seed as u32 % 8);
            // Ranks that are drawn anew need not explain what only another seat was shown, nor why a seat had no move.
            let redrawn = *name == "siguo" && seed % 3 == 1;
            play(game.as_mut(), &mut rng, most, redrawn);
            reads_back(game.as_ref(), name, seed);
            reads_back(game.save().load().unwrap().as_ref(), name, seed);
        }
    }
}

#[test]
fn a_record_that_says_something_else_is_found() {
    let mut game = AnyRules::parse("siguo").unwrap().start(4);
    play(game.as_mut(), &mut Rng::new(8), 300, false);
    let text = game.record().to_string();
    let first = game.record().plies.iter().find(|ply| ply.outcome.is_some()).unwrap().clone();
    let told = format!("{}({})", first.action, first.outcome.clone().unwrap());
    let other = if first.outcome.as_deref() == Some("lost") { "won" } else { "lost" };
    let layout = game.record().header("Layout2").unwrap().to_string();
    for (from, to, says) in [
        (told.as_str(), format!("{}({other})", first.action), format!("the record says {other}, but the layouts give")),
        (told.as_str(), format!("{}(out:E:beaten)", first.action), "expected a seat and why it is out".into()),
        (told.as_str(), "resigns:7".into(), "seat 7 cannot give up: it does not play".into()),
        (told.as_str(), "late:9".into(), "seat 9 is not to move".into()),
        ("[Layout2 ", "[Layout9 ".into(), "header Layout2 is missing; what one seat saw".into()),
        (&layout, layout.replace('F', "2"), "expected".into()),
    ] {
        let record = Record::parse(&text.replacen(from, &to, 1)).unwrap();
        let defects = record.check().defects;
        let found: Vec<String> = defects.iter().map(ToString::to_string).collect();
        assert!(found.iter().any(|fault| fault.contains(&says)), "{says}: {found:?}");
    }
    let first = text.replacen("[Result ", "[First \"x\"]\n[Result ", 1);
    assert!(Record::parse(&first).unwrap().replay().is_err_and(|fault| fault.to_string().contains("First is 'x'")));
}

#[test]
fn a_seat_writes_down_what_it_saw() {
    let rules = AnyRules::parse("siguo:double-open,reveal=combatants,setup=play").unwrap();
    let mut game = rules.start(3);
    play(game.as_mut(), &mut Rng::new(5), 400, false);
    let whole = game.record();
    for seat in 0..4u8 {
        let seen = game.record_seen_by(seat);
        assert_eq!(seen.header("Seed"), None);
        assert_eq!(seen.plies.len(), whole.plies.len());
        for (i, (ply, all)) in seen.plies.iter().zip(&whole.plies).enumerate() {
            let own = (i / 25) as u8;
            match all.action.starts_with('=') {
                true => assert_eq!(ply.action == all.action, own & 1 == seat & 1, "ply {i}"),
                false => assert_eq!(ply.action, all.action),
            }
            assert!(ply == all || ply.action == "=?" || all.outcome.as_ref().unwrap().contains("+ranks:"), "ply {i}");
        }
        let fault = Record::parse(&seen.to_string()).unwrap().replay().err().unwrap().to_string();
        assert!(fault.contains("ply"), "{fault}");
    }
}

/// Records of which letters were changed, lost and doubled are read and played without a panic.
#[test]
fn changed_records_survive() {
    let goes_on = fuzz::inputs(if cfg!(debug_assertions) { 100 } else { 1_500 });
    let texts: Vec<Vec<char>> = (0..4)
        .map(|seed| {
            let mut game = AnyRules::parse(RULES[[0, 2, 4, 5][seed as usize]]).unwrap().start(seed);
            play(game.as_mut(), &mut Rng::new(seed), 160, false);
            game.record().to_string().chars().collect()
        })
        .collect();
    let mut rng = Rng::new(2);
    for i in (0..).take_while(|&i| goes_on(i)) {
        let text = mutated(&texts[i % texts.len()], &mut rng);
        Record::read(&text, Format::Anqi, None, false).record.check();
    }
}

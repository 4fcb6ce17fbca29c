//! Nothing that a seat gets depends on ranks that it was not shown.
//!
//! Two ranks hidden from a viewer are exchanged and the game is played again with the same moves. The reference tells
//! whether the viewer saw the same things happen. If it did, not a byte of what it gets may differ: observation, legal
//! mask, names, chances, text, picture, position and its record of the game.

use anqi_env::any::{AnyGame as _, Running};
use anqi_env::draw::Theme;
use anqi_env::game::{Action, Seat};
use anqi_env::junqi::{Junqi, Layout};
use anqi_env::rng::Rng;
use anqi_tests::reference::junqi::{self as reference, Event};

/// The engine's rules and games to be played; `setup=play` is not known to the reference and stands apart.
const RULE_SETS: &[(&str, bool, u64)] = &[
    ("siguo", false, 100),
    ("siguo:double-open", false, 80),
    ("siguo:open", false, 20),
    ("siguo:reveal=combatants", false, 40),
    ("siguo:reveal=both,one_turn=yes,bombs_fly=yes", false, 40),
    ("siguo:reveal=combatants", true, 40),
    ("siguo:double-open", true, 20),
    ("siguo:signals=yes", false, 40),
    ("siguo:double-open,signals=yes", false, 40),
    ("duel", false, 60),
    ("luzhanqi", false, 60),
    ("luzhanqi:reveal=combatants,mine=both", true, 40),
];

/// A game up to a ply: set up, then these moves. None where one of them is not legal.
fn played(game: &Junqi, layouts: &[Layout], by_play: bool, plies: &[(String, Action)]) -> Option<Running<Junqi>> {
    let mut running = Running::new(game.clone(), 7);
    if by_play {
        while let Some(station) = game.places_at(running.view().public()) {
            let spot = &game.graph().spots[usize::from(station)];
            let text = layouts[usize::from(running.to_move())].text();
            let letter = text.as_bytes()[usize::from((spot.row - 1) * 5 + spot.col - 1)];
            running.step(game_action(&running, &format!("={}", char::from(letter)))).unwrap();
        }
    } else {
        let texts: Vec<String> = layouts.iter().map(Layout::text).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        running = Running::from_layouts(game.clone(), &texts, 0, None, 7).unwrap();
    }
    plies.iter().try_for_each(|(_, action)| running.step((*action).into()).ok())?;
    Some(running)
}

fn game_action(running: &Running<Junqi>, name: &str) -> i32 {
    running.action_id(name).unwrap().into()
}

/// What a viewer saw of the same moves, by the reference. None where one of them is not legal.
fn seen(rules: &str, layouts: &[Layout], plies: &[(String, Action)], viewer: Seat) -> Option<Vec<Event>> {
    let rules = reference::Rules::parse(rules).unwrap();
    let read = |layout: &Layout| reference::Layout::parse(&layout.text()).unwrap();
    let layouts: Vec<reference::Layout> = layouts.iter().map(read).collect();
    let mut game = reference::Game::new(rules.clone(), &layouts, 0).unwrap();
    let mut events = Vec::new();
    for (name, _) in plies {
        if let Some(signal) = name.strip_prefix("signal:") {
            game.say(signal).ok()?;
            continue;
        }
        let (from, to) = game.action(name).unwrap();
        events.push(game.play(from, to).ok()?.seen_by(&rules, viewer.into()));
    }
    Some(events)
}

/// Everything that a viewer gets.
fn everything(game: &Running<Junqi>, viewer: Seat) -> Vec<Vec<u8>> {
    let (mut planes, mut scalars) = (vec![1; game.spec().planes_len()], vec![1.0; game.spec().num_scalars]);
    game.observe(viewer, &mut planes, &mut scalars);
    let diagram = game.diagram(viewer);
    let mut all = vec![
        planes,
        scalars.into_iter().flat_map(f32::to_le_bytes).collect(),
        game.text_seen_by(viewer).into_bytes(),
        diagram.svg(Theme::Light).into_bytes(),
        format!("{diagram:?} {:?} {} {}", game.status(), game.to_move(), game.plies()).into_bytes(),
        game.record_seen_by(viewer).to_string().into_bytes(),
        format!("{:?}", game.last_ply_seen_by(viewer)).into_bytes(),
    ];
    if game.to_move() == viewer {
        let mut mask = vec![1; game.spec().num_actions];
        game.mask(&mut mask);
        all.push(mask.iter().map(|&byte| byte as u8).collect());
        let legal = game.legal_actions();
        all.push(legal.iter().flat_map(|&action| game.action_name(action).into_bytes()).collect());
        all.push(game.position().into_bytes());
        if let Some(&action) = legal.get(usize::from(game.plies() as u16) % legal.len().max(1)) {
            all.push(format!("{:?}", game.chance_outcomes(action.into())).into_bytes());
        }
    }
    all
}

const NAMES: [&str; 11] = [
    "observation, stations",
    "observation, scalars",
    "text",
    "picture",
    "diagram",
    "record",
    "last ply",
    "mask",
    "names",
    "position",
    "chances",
];

/// The layouts with two ranks of a seat exchanged that the viewer is not shown, where that is a layout, too.
fn exchanged(game: &Junqi, layouts: &[Layout], seat: Seat, rng: &mut Rng) -> Option<Vec<Layout>> {
    let mut changed = layouts.to_vec();
    let own = &mut changed[usize::from(seat)];
    let (one, other) = (rng.below(25) as usize, rng.below(25) as usize);
    own.0.swap(one, other);
    (own.0[one] != own.0[other] && own.check(game.rules()).is_ok()).then_some(changed)
}

/// Whether a viewer sees the ranks of a seat by the rules.
fn shown(rules: &str, viewer: Seat, seat: Seat) -> bool {
    viewer == seat || rules.contains(":open") || (rules.contains("double-open") && (viewer ^ seat) & 1 == 0)
}

#[test]
fn exchanging_hidden_ranks_changes_nothing_that_a_viewer_gets() {
    let (mut games, mut compared) = (0, 0);
    for &(rules, by_play, number) in RULE_SETS {
        let joint = if rules.contains(':') { "," } else { ":" };
        let name = if by_play { format!("{rules}{joint}setup=play") } else { rules.to_string() };
        let game = Junqi::parse(&name).unwrap();
        let mut alike = 0;
        for seed in 0..number {
            let mut rng = Rng::branch(37, &[seed]);
            let layouts: Vec<Layout> = (0..game.seats()).map(|_| Layout::uniform(game.rules(), &mut rng)).collect();
            let mut running = played(&game, &layouts, by_play, &[]).unwrap();
            let most = rng.below(if seed % 2 == 0 { 40 } else { 250 });
            let mut plies: Vec<(String, Action)> = Vec::new();
            while running.status().is_ongoing() && plies.len() < most as usize {
                let legal = running.legal_actions();
                let action = legal[rng.below(legal.len() as u32) as usize];
                running.step(action.into()).unwrap();
                plies.push((running.action_name(action), action));
            }
            games += 1;
            let viewer = rng.below(game.seats().into()) as Seat;
            let hidden: Vec<Seat> = (0..game.seats()).filter(|&seat| !shown(rules, viewer, seat)).collect();
            if hidden.is_empty() {
                continue;
            }
            let events = seen(rules, &layouts, &plies, viewer).unwrap();
            for _ in 0..4 {
                let seat = hidden[rng.below(hidden.len() as u32) as usize];
                let Some(changed) = exchanged(&game, &layouts, seat, &mut rng) else { continue };
                let Some(other) = played(&game, &changed, by_play, &plies) else { continue };
                if seen(rules, &changed, &plies, viewer).is_none_or(|other| other != events) {
                    continue;
                }
                let (one, other) = (everything(&running, viewer), everything(&other, viewer));
                assert_eq!(one.len(), other.len());
                for (what, (one, other)) in NAMES.iter().zip(one.iter().zip(&other)) {
                    assert!(one == other, "{name} {seed}: {what} of {viewer}\n{}", running.text_seen_by(viewer));
                }
                alike += 1;
            }
        }
        assert!(rules.contains(":open") || alike * 2 > number, "{name}: {alike} of {number}");
        compared += alike;
    }
    assert!(games >= 500 && compared >= 500, "{games} games, {compared} compared");
}

/// While seats set up their pieces, others see that a piece was placed, and not which.
#[test]
fn a_set_up_shows_nothing() {
    for rules in ["siguo:setup=play", "luzhanqi:setup=play"] {
        let game = Junqi::parse(rules).unwrap();
        for seed in 0..20 {
            let mut rng = Rng::branch(41, &[seed]);
            let mut pair = [Running::new(game.clone(), 1), Running::new(game.clone(), 2)];
            for _ in 0..rng.below(25 * u32::from(game.seats())) {
                for running in &mut pair {
                    let legal = running.legal_actions();
                    running.step(legal[rng.below(legal.len() as u32) as usize].into()).unwrap();
                }
            }
            // Whoever has set nothing up yet sees the same.
            let [one, other] = &pair;
            for viewer in one.to_move() + 1..game.seats() {
                assert!(everything(one, viewer) == everything(other, viewer), "{rules} {seed} {viewer}");
            }
        }
    }
}

/// What one team's seats tell each other leaves no trace in anything that the other team gets.
#[test]
fn enemies_do_not_notice_signals() {
    for (rules, team) in [("siguo:signals=yes", 0), ("siguo:double-open,signals=yes", 1), ("siguo:open,signals=yes", 0)]
    {
        let game = Junqi::parse(rules).unwrap();
        let mut given = 0;
        for seed in 0..10 {
            let mut rng = Rng::branch(43, &[seed]);
            let layouts: Vec<Layout> = (0..4).map(|_| Layout::uniform(game.rules(), &mut rng)).collect();
            let [mut silent, mut talking] = [(); 2].map(|()| played(&game, &layouts, false, &[]).unwrap());
            for _ in 0..120 {
                let looks = rng.below(12) == 0;
                let same = |silent: &Running<Junqi>, talking: &Running<Junqi>| {
                    for viewer in (0..4).filter(|viewer| looks && viewer & 1 != team) {
                        let (one, other) = (everything(silent, viewer), everything(talking, viewer));
                        assert_eq!(one.len(), other.len());
                        for (what, (one, other)) in NAMES.iter().zip(one.iter().zip(&other)) {
                            assert!(
                                one == other,
                                "{rules} {seed}: {what} of {viewer}\n{}",
                                talking.text_seen_by(viewer)
                            );
                        }
                    }
                };
                let (signals, moves): (Vec<Action>, Vec<Action>) =
                    talking.legal_actions().into_iter().partition(|&action| game.signal(action).is_some());
                if talking.to_move() & 1 == team && !signals.is_empty() && rng.below(3) > 0 {
                    talking.step(signals[rng.below(signals.len() as u32) as usize].into()).unwrap();
                    given += 1;
                    same(&silent, &talking);
                }
                if !silent.status().is_ongoing() {
                    break;
                }
                let action = moves[rng.below(moves.len() as u32) as usize];
                silent.step(action.into()).unwrap();
                talking.step(action.into()).unwrap();
                same(&silent, &talking);
            }
        }
        assert!(given > 100, "{rules}: {given}");
    }
}

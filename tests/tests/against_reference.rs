//! The engine against the slow reference, after every ply of seeded games.
//!
//! Half of the games are uniformly random. In the other half pieces mostly go back where they came from, because in
//! random play hardly anything ever repeats, and the repetition rules are the easiest to get wrong.
//!
//! Some hundred games of each rule set; with `ANQI_SLOW` set, at least 3,000, which takes some minutes.

use std::collections::BTreeMap;

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Actions, Game as _, Status};
use anqi_env::rng::Rng;
use anqi_tests::reference::{self, Chain, DarkFail, Game, Repetition, Rules};

/// Ends of games by their names.
type Ends = BTreeMap<String, u32>;

/// How a game stands, in words that both programs have.
fn ours(status: Status) -> String {
    match status {
        Status::Ongoing => "ongoing".into(),
        Status::Win(seat, reason) => format!("seat {seat} wins, {reason:?}"),
        Status::Draw(reason) => format!("draw, {reason:?}"),
    }
}

fn theirs(status: reference::Status) -> String {
    match status {
        reference::Status::Ongoing => "ongoing".into(),
        reference::Status::Win { seat, reason } => format!("seat {seat} wins, {reason:?}"),
        reference::Status::Draw { reason } => format!("draw, {reason:?}"),
    }
}

/// Our position without the fields that the reference leaves out.
fn plain(text: &str) -> String {
    text.split(' ').take(6).collect::<Vec<_>>().join(" ")
}

/// How many games are played where so many are enough for an everyday run.
fn number(games: u64) -> u64 {
    match (cfg!(debug_assertions), std::env::var_os("ANQI_SLOW")) {
        (true, _) => games.div_ceil(10),
        (false, None) => games,
        (false, Some(_)) => games.max(1_500),
    }
}

/// Compares everything the two say about a position.
fn compare(game: &DarkChess, position: &Position, twin: &Game, rng: &mut Rng) {
    let text = game.view_text(position);
    assert_eq!(plain(&text), twin.position(), "{text}");
    assert_eq!(ours(game.view_status(position)), theirs(twin.status()), "{text}");
    assert_eq!(usize::from(game.view_to_move(position)), twin.to_move(), "{text}");
    let mut legal = Actions::new();
    game.legal(position, &mut legal);
    let mut names: Vec<String> = legal.iter().map(|&action| game.action_name(action)).collect();
    names.sort();
    assert_eq!(names, twin.legal(), "{text}");
    if legal.is_empty() {
        return;
    }
    // All flips have the same outcomes, so one action a ply is enough.
    let action = legal[rng.below(legal.len() as u32) as usize];
    let name = game.action_name(action);
    let outcomes = game.chance_outcomes(position, action);
    let counts = twin.outcomes(&name);
    let all: u32 = counts.iter().map(|(_, count)| count).sum();
    assert_eq!(outcomes.len(), counts.len(), "{name} in {text}");
    for ((piece, probability), (letter, count)) in outcomes.into_iter().zip(counts) {
        assert_eq!(game.outcome_name(piece), letter.to_string(), "{name} in {text}");
        assert_eq!(probability, f64::from(count) / f64::from(all), "{name} in {text}");
    }
}

/// Plays games by both programs and counts how they ended. `back` in 100 plies go back where they can.
fn play(name: &str, rules: &Rules, games: u64, back: u32) -> Ends {
    let game = match name.strip_prefix("tombchess:") {
        Some(rules) => DarkChess::parse_tomb(rules).unwrap(),
        None => DarkChess::parse(name).unwrap(),
    };
    let mut ends = Ends::new();
    for number in 0..games {
        let mut rng = Rng::branch(17, &[number, u64::from(back)]);
        let mut state = game.deal(&mut rng);
        let mut twin = Game::new(rules.clone());
        let mut plies: Vec<String> = Vec::new();
        loop {
            compare(&game, state.position(), &twin, &mut rng);
            if !game.status(&state).is_ongoing() || plies.len() == 700 {
                break;
            }
            let own = plies.len().checked_sub(2).and_then(|i| plies[i].split_once('-'));
            let returning = own.and_then(|(from, to)| game.action_id(&format!("{to}-{from}")).ok());
            let returning = returning.filter(|&action| game.is_legal(state.position(), action));
            let action = match returning {
                Some(action) if rng.below(100) < back => action,
                _ => game.sample(state.position(), &mut rng),
            };
            let name = game.action_name(action);
            let shown = game.play(&mut state, action).and_then(|piece| game.outcome_name(piece).chars().next());
            twin.play(&name, shown).unwrap();
            plies.push(name);
        }
        *ends.entry(ours(game.status(&state)).replace("seat 0 ", "").replace("seat 1 ", "")).or_default() += 1;
    }
    ends
}

/// Random and returning games, at least so many of which must end by repetition.
fn agree(name: &str, rules: Rules, games: u64, repetitions: u32) {
    let repetitions = if cfg!(debug_assertions) { repetitions.div_ceil(20) } else { repetitions };
    let mut ends = play(name, &rules, number(games), 0);
    for (end, count) in play(name, &rules, number(games), 75) {
        *ends.entry(end).or_default() += count;
    }
    let repeated = ends.get("draw, Repetition").copied().unwrap_or(0);
    assert!(repeated >= repetitions, "{name}: {ends:?}");
    if repetitions == 0 {
        assert_eq!(repeated, 0, "{name}: {ends:?}");
    }
}

fn profile(name: &str) -> Rules {
    Rules::profile(name).unwrap()
}

/// A small board with a quiet limit and a repetition rule.
fn small(rows: usize, cols: usize, letters: &str, quiet_limit: usize, repetition: Repetition) -> Rules {
    Rules { quiet_limit, repetition, ..Rules::small(rows, cols, letters).unwrap() }
}

#[test]
fn taiwan() {
    agree("taiwan", profile("taiwan"), 300, 100);
}

#[test]
fn icga() {
    agree("icga", profile("icga"), 300, 100);
}

#[test]
fn mini() {
    agree("mini", profile("mini"), 300, 0);
}

#[test]
fn the_full_board_with_other_limits() {
    for (options, quiet_limit, repetition, repetitions) in [
        ("quiet_limit=50,repetition=none", 50, Repetition::None, 0),
        ("quiet_limit=12,repetition=cycle3", 12, Repetition::Cycle3, 1),
        ("quiet_limit=100,repetition=threefold", 100, Repetition::Threefold, 20),
    ] {
        agree(options, Rules { quiet_limit, repetition, ..profile("taiwan") }, 60, repetitions);
    }
    // Without any limit the games are cut off.
    let endless = Rules { quiet_limit: 0, repetition: Repetition::None, ..profile("taiwan") };
    let ends = play("quiet_limit=0,repetition=none", &endless, 20, 0);
    assert!(ends.contains_key("ongoing"), "{ends:?}");
}

#[test]
fn small_and_odd_boards() {
    for (name, rules, repetitions) in [
        ("board=2x2,pieces=K1P1,quiet_limit=8,repetition=none", small(2, 2, "KP", 8, Repetition::None), 0),
        ("board=2x2,pieces=C1P1,quiet_limit=8", small(2, 2, "CP", 8, Repetition::Cycle3), 0),
        ("board=2x3,pieces=K1C1P1,quiet_limit=40", small(2, 3, "KCP", 40, Repetition::Cycle3), 10),
        ("board=1x8,pieces=K1C2P1", small(1, 8, "KCCP", 60, Repetition::Cycle3), 10),
        ("board=8x4", Rules { rows: 8, cols: 4, ..profile("taiwan") }, 10),
        (
            "board=3x4,pieces=K1G1R1C1P2,quiet_limit=60,repetition=cycle3",
            small(3, 4, "KGRCPP", 60, Repetition::Cycle3),
            50,
        ),
        (
            "board=3x4,pieces=K1G1R1C1P2,quiet_limit=200,repetition=threefold",
            small(3, 4, "KGRCPP", 200, Repetition::Threefold),
            50,
        ),
        (
            "board=6x6,pieces=K1G2M3R3N2C3P4,quiet_limit=250,repetition=threefold",
            small(6, 6, "KGGMMMRRRNNCCCPPPP", 250, Repetition::Threefold),
            10,
        ),
        ("board=4x4,pieces=C8,quiet_limit=40", small(4, 4, "CCCCCCCC", 40, Repetition::Cycle3), 1),
    ] {
        agree(name, rules, if name.contains("6x6") { 20 } else { 100 }, repetitions);
    }
}

/// A profile, or one with options: the engine's name and the reference's rules.
fn variant(name: &str, base: &str, change: impl FnOnce(&mut Rules)) {
    let mut rules = profile(base);
    change(&mut rules);
    // The first games are random, the second half goes back and forth: chases and repetitions.
    for back in [0, 60] {
        play(name, &rules, number(150), back);
    }
}

#[test]
fn zhengba_hongkong_and_mainland() {
    for name in ["zhengba", "hongkong", "mainland", "mainland60"] {
        variant(name, name, |_| {});
    }
}

#[test]
fn gametower_and_its_chains() {
    for name in ["gametower", "gametower-open-chain", "gametower-dark-chain"] {
        variant(name, name, |_| {});
    }
    variant("gametower-dark-chain,dark_fail=suicide", "gametower-dark-chain", |r| r.dark_fail = DarkFail::Suicide);
    variant("gametower-open-chain,repetition=cycle3,chase_limit=0", "gametower-open-chain", |r| {
        r.repetition = Repetition::Cycle3;
        r.chase_limit = 0;
    });
}

#[test]
fn chariots_rush() {
    variant("gametower,chariot_rush=true", "gametower", |r| r.chariot_rush = true);
    variant("gametower-dark-chain,chariot_rush=true,chase_limit=3", "gametower-dark-chain", |r| {
        r.chariot_rush = true;
        r.chase_limit = 3;
    });
}

#[test]
fn short_chases() {
    variant("taiwan,chase_limit=1", "taiwan", |r| r.chase_limit = 1);
    variant("hongkong,chase_limit=2,chain=open", "hongkong", |r| {
        r.chase_limit = 2;
        r.chain = Chain::Open;
    });
}

#[test]
fn everything_at_once() {
    let name = "gametower-dark-chain,chariot_rush=true,dark_fail=suicide,hit_points=40,quiet_limit=80,\
                repetition=threefold,chase_limit=2";
    variant(name, "gametower-dark-chain", |r| {
        r.chariot_rush = true;
        r.dark_fail = DarkFail::Suicide;
        r.hit_points = 40;
        r.quiet_limit = 80;
        r.repetition = Repetition::Threefold;
        r.chase_limit = 2;
    });
}

#[test]
fn tomb_chess() {
    variant("tombchess:standard", "tombchess", |_| {});
    variant("tombchess:web", "tombchess", |r| r.quiet_limit = 10);
    variant("tombchess:quiet_limit=200", "tombchess", |r| r.quiet_limit = 200);
}

//! What the engine says a seat can tell of ranks that it was not told: never without the truth, and the same as the
//! reference finds by searching for an assignment for each piece and each kind.

use anqi_env::game::Game as _;
use anqi_env::junqi::{Junqi, Out};
use anqi_env::rng::Rng;
use anqi_tests::pair::Pair;
use anqi_tests::reference::junqi::{Kind, candidates};

/// Rule sets that tell different things.
const RULE_SETS: &[&str] = &[
    "siguo",
    "siguo:double-open",
    "siguo:reveal=combatants,bombs_fly=yes",
    "siguo:reveal=both,one_turn=yes,mine=both",
    "siguo:hq_moves=yes,commander_mine=survives,bomb_front_row=yes",
    "duel",
    "duel:arms=closed,reveal=combatants",
    "luzhanqi",
    "luzhanqi:one_turn=yes,bombs_fly=yes,mine=both",
];

fn slow() -> bool {
    std::env::var_os("ANQI_SLOW").is_some()
}

/// Plays games until each rule set has had so many plies; `each` sees every position.
fn play(plies: usize, mut each: impl FnMut(&Pair, &mut Rng)) {
    for rules in RULE_SETS {
        let game = Junqi::parse(rules).unwrap();
        let mut played = 0;
        for number in 0.. {
            let mut rng = Rng::branch(29, &[number]);
            let mut pair = Pair::drawn(&game, &mut rng);
            while pair.goes_on() {
                let action = if number % 2 == 0 { pair.sample(&mut rng) } else { pair.sample_attack(&mut rng) };
                pair.play(action);
                each(&pair, &mut rng);
            }
            played += pair.plies.len();
            if played >= plies {
                break;
            }
        }
    }
}

/// The engine alone holds its masks against the true ranks, those of pieces that are gone included.
#[test]
fn the_truth_is_never_ruled_out() {
    let plies = if slow() { 1_000_000 / RULE_SETS.len() as u32 + 1 } else { 3_000 };
    for rules in RULE_SETS {
        let game = Junqi::parse(rules).unwrap();
        let mut rng = Rng::new(31);
        let mut state = game.deal(&mut rng);
        for _ in 0..plies {
            if !game.status(&state).is_ongoing() {
                state = game.deal(&mut rng);
            }
            let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
            game.play(&mut state, action);
            let mut settled = state;
            for viewer in 0..game.seats() {
                game.settle(&mut settled, viewer);
                let view = game.view(&settled, viewer);
                for piece in (0..25 * usize::from(game.seats())).map(Pair::piece) {
                    let (open, kind) = (game.candidates_of(view, piece), state.kind(piece));
                    let home =
                        || format!("{rules}: {viewer} rules out {kind:?} of {}", game.station_name(game.home(piece)));
                    assert!(open & kind.bit() != 0, "{}\n{}", home(), game.draw_text(view));
                }
            }
        }
    }
}

/// The kinds that the engine leaves open for a piece of the reference's list.
fn ours(pair: &Pair, viewer: u8, index: usize) -> Vec<Kind> {
    let view = pair.game.view(&pair.state, viewer);
    let open = pair.game.candidates_of(view, Pair::piece(index));
    Kind::ALL.into_iter().enumerate().filter(|(place, _)| open >> place & 1 == 1).map(|(_, kind)| kind).collect()
}

/// Masks are never too narrow, and exact but where the engine leaves something out: where two pieces fought that are
/// both unknown, and where a seat is out for want of a move or about to be.
#[test]
fn they_are_what_a_search_finds() {
    let (mut same, mut exact, mut all) = (0u32, 0u32, 0u32);
    let gap = if slow() { 100 } else { 400 };
    play(if slow() { 20_000 } else { 800 }, |pair, rng| {
        if rng.below(gap) > 0 || !pair.goes_on() {
            return;
        }
        let (game, public) = (&pair.game, pair.state.public());
        let viewer = rng.below(game.seats().into()) as u8;
        let view = game.view(&pair.state, viewer);
        let stuck = (0..game.seats()).any(|seat| public.out(seat) == Some(Out::NoMoves));
        let certain = game.is_exact(view) && !stuck;
        let found = candidates(&pair.start, &pair.plies, viewer.into(), true, false).unwrap();
        for (index, theirs) in found.iter().enumerate() {
            let ours = ours(pair, viewer, index);
            let board =
                || format!("{} {viewer} {index}: {ours:?} {theirs:?}\n{}", game.spec().name, game.draw_text(view));
            assert!(theirs.iter().all(|kind| ours.contains(kind)), "{}", board());
            assert!(!certain || ours == *theirs, "{}", board());
            same += u32::from(ours == *theirs);
            exact += u32::from(certain);
            all += 1;
        }
    });
    if slow() {
        eprintln!("{all} masks, {exact} certain, {same} the same");
    }
    assert!(exact * 3 > all && same * 50 > all * 49, "{all} masks, {exact} certain, {same} the same");
}

//! The Junqi engine against the slow reference, after every ply of seeded games: the same legal moves, the same public
//! events, the same ends and results for every seat.
//!
//! A third of the games are uniformly random, in a third pieces attack where they can, so that seats go out and games
//! are decided, and in a third seats also give up and let their time run out.
//!
//! Some games of each rule set; with `ANQI_SLOW` set, 2,000.

use std::collections::BTreeMap;

use anqi_env::game::{Game as _, Status};
use anqi_env::junqi::Junqi;
use anqi_env::rng::Rng;
use anqi_tests::pair::Pair;

/// Ends of games by their names.
type Ends = BTreeMap<String, u32>;

/// How many games are played where so many are enough for an everyday run.
fn number(games: u64) -> u64 {
    match (cfg!(debug_assertions), std::env::var_os("ANQI_SLOW")) {
        (true, _) => 1,
        (false, None) => games,
        (false, Some(_)) => 2_000,
    }
}

/// Plays a game by both programs.
fn play(game: &Junqi, number: u64) -> Pair {
    let mut rng = Rng::branch(23, &[number]);
    let mut pair = Pair::drawn(game, &mut rng);
    pair.compare();
    while pair.goes_on() && pair.plies.len() < 3_000 {
        match (number % 3, rng.below(200)) {
            (2, 0) => {
                let playing = (0..pair.game.seats()).filter(|&seat| pair.state.public().out(seat).is_none());
                let playing: Vec<u8> = playing.collect();
                pair.leave(Some(playing[rng.below(playing.len() as u32) as usize]));
            }
            (2, 1..6) => {
                pair.leave(None);
            }
            (way, _) => {
                let action = if way == 0 { pair.sample(&mut rng) } else { pair.sample_attack(&mut rng) };
                if pair.game.signal(action).is_some() {
                    pair.say(action);
                } else {
                    pair.play(action);
                }
            }
        }
        pair.compare();
    }
    pair
}

/// Games of these rules and how they ended.
fn agree(rules: &str, games: u64) -> Ends {
    let game = Junqi::parse(rules).unwrap();
    let mut ends = Ends::new();
    let mut plies = 0;
    for number in 0..number(games) {
        let pair = play(&game, number);
        plies += pair.plies.len();
        let end = match pair.game.status(&pair.state) {
            Status::Ongoing => "ongoing".into(),
            Status::Win(_, reason) => format!("won by {}", reason.name()),
            Status::Draw(reason) => format!("drawn by {}", reason.name()),
        };
        *ends.entry(end).or_default() += 1;
    }
    if std::env::var_os("ANQI_SLOW").is_some() {
        let all: u32 = ends.values().sum();
        eprintln!("{rules}: {all} games, {plies} plies, {ends:?}");
    }
    ends
}

/// Games enough for several kinds of ends.
const GAMES: u64 = 12;

#[test]
fn siguo_in_every_view() {
    let ends = agree("siguo", GAMES);
    assert!(cfg!(debug_assertions) || ends.len() > 1, "{ends:?}");
    agree("siguo:double-open", GAMES);
    agree("siguo:open", GAMES);
}

#[test]
fn duels() {
    for rules in ["duel", "duel:open", "duel:arms=closed", "duel:open,arms=closed,one_turn=yes,hq_moves=yes"] {
        agree(rules, GAMES);
    }
}

#[test]
fn luzhanqi() {
    for rules in ["luzhanqi", "luzhanqi:open"] {
        let ends = agree(rules, 3 * GAMES);
        assert!(cfg!(debug_assertions) || ends.len() > 1, "{ends:?}");
    }
}

/// Each option of the rules by itself, in the game that it says most in.
#[test]
fn options_one_by_one() {
    for options in [
        "order=clockwise",
        "mine=both",
        "bomb_front_row=yes",
        "hq_moves=yes",
        "reveal=combatants",
        "reveal=both",
        "bombs_fly=yes",
        "one_turn=yes",
        "commander_mine=survives",
        "time_outs=1",
        "time_outs=unlimited",
        "quiet_limit=12",
        "quiet_limit=0,ply_limit=1500",
        "ply_limit=250",
    ] {
        agree(&format!("siguo:{options}"), GAMES / 3 * 2);
        if options != "order=clockwise" {
            agree(&format!("duel:{options}"), GAMES / 3);
            agree(&format!("luzhanqi:{options}"), GAMES);
        }
    }
}

#[test]
fn allies_talk() {
    for rules in ["siguo:signals=yes", "siguo:double-open,signals=yes", "siguo:order=clockwise,signals=yes,time_outs=2"]
    {
        let ends = agree(rules, GAMES);
        assert!(cfg!(debug_assertions) || ends.len() > 1, "{ends:?}");
    }
}

#[test]
fn everything_at_once() {
    let options = "mine=both,bomb_front_row=yes,hq_moves=yes,reveal=combatants,bombs_fly=yes,one_turn=yes,\
                   commander_mine=survives,time_outs=2,quiet_limit=40";
    agree(&format!("siguo:double-open,order=clockwise,{options}"), GAMES);
    agree(&format!("duel:arms=closed,{options}"), GAMES);
    agree(&format!("luzhanqi:{options}"), GAMES);
}

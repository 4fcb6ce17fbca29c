//! What the player does in positions drawn for it.

use anqi_env::darkchess::DarkChess;
use anqi_env::junqi::graph::Place;
use anqi_env::rng::Rng;

use super::*;
use crate::agent::AgentSpec;

/// S in these positions: row by row from the front, without the camps.
const HOME: &str = "64839 530 7B48 257 L4B26 LFL32";

/// A duel in which S is to move and sees its own ranks, with what became of some pieces, by their homes, as in texts of
/// positions; the others stand there unmoved.
fn duel(changes: &str, quiet: u32) -> (Junqi, View) {
    let game = Junqi::parse("duel").unwrap();
    let fate = |name: &str| {
        let known = changes.split_whitespace().filter_map(|word| word.split_once(':'));
        known.into_iter().find(|(home, _)| *home == name).map_or("1", |(_, fate)| fate)
    };
    let fates = |letter: char| -> Vec<&str> {
        let homes = game.graph().spots.iter().filter(|spot| spot.name.starts_with(letter) && spot.place != Place::Camp);
        homes.map(|spot| fate(&spot.name)).collect()
    };
    let own: String = HOME.split_whitespace().collect();
    let (ours, theirs) = (fates('S').join(","), fates('N').join(","));
    let text = format!("seen=S turn=S ply=100 quiet={quiet} S={own}:{ours} N={}:{theirs}", "?".repeat(25));
    let view = game.parse_view(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    (game, view)
}

/// Checks what it plays, and draws the board where that is something else.
fn plays(changes: &str, quiet: u32, wanted: impl Fn(&str) -> bool) {
    let (game, view) = duel(changes, quiet);
    let player = RulePlayer::new(&game);
    let action = player.act(&game, &mut [Turn { view: &view, rng: &mut Rng::new(1), game: 0 }])[0];
    let mut scores = player.scores(&game, &view);
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    let best: Vec<_> = scores.iter().take(5).map(|&(action, score)| (game.action_name(action), score)).collect();
    assert!(wanted(&game.action_name(action)), "{best:?} in\n{}", game.draw_text(&view));
}

#[test]
fn takes_a_sure_flag() {
    // N's commander fell to a bomb, which showed its flag; a division stands before it.
    plays("S32:*N21 N21:%S32^ N62:1! S13:N52 N52:>S13", 0, |name| name == "N52-N62");
}

#[test]
fn an_engineer_takes_the_mine_before_the_flag() {
    // What the general fell to, unmoved while the commander is gone, is a mine.
    plays("S32:*N21 N21:%S32^ N62:1! S41:N42 S15:<N52", 0, |name| name == "N42-N52");
}

#[test]
fn a_bomb_hits_the_commander() {
    // It beat the general and moved.
    plays("S15:<N13 N13:S12 S12:>N13 S53:S22", 0, |name| name == "S22-S12");
}

#[test]
fn a_commander_does_not_run_into_what_is_likely_a_mine() {
    for fell in ["S15:<N52", "S31:<N52"] {
        plays(&format!("S25:N42 {fell}"), 0, |name| name != "N42-N52");
    }
}

#[test]
fn guards_its_flag() {
    // An enemy came beside it; a bomb can reach it.
    plays("N13:S52 S52:>N13", 0, |name| name.ends_with("-S52"));
}

#[test]
fn does_not_let_the_quiet_limit_come() {
    // All of N's front row beat strong pieces: there is nothing good to attack.
    let front = "S13:<N11 S31:<N12 S15:<N13 S45:<N14 S55:<N15 S25:S22 S53:S24";
    let attacks = |name: &str| name.contains("-N1");
    plays(front, 0, |name| !attacks(name));
    plays(front, 65, attacks);
}

/// Lets the player set up and play a whole game against itself; the actions.
fn game_of(game: &Junqi, seed: u64) -> Vec<Action> {
    let player = RulePlayer::new(game);
    let mut rng = Rng::new(seed);
    let mut state = game.deal(&mut rng);
    let mut actions = Vec::new();
    while game.status(&state).is_ongoing() && actions.len() < 2_000 {
        let view = game.view(&state, game.to_move(&state));
        let action = player.act(game, &mut [Turn { view, rng: &mut rng, game: 0 }])[0];
        assert!(game.is_legal(view, action), "{}\n{}", game.action_name(action), game.draw_text(view));
        game.play(&mut state, action);
        actions.push(action);
    }
    actions
}

#[test]
fn plays_every_game_and_view_and_the_same_game_again() {
    for name in [
        "siguo",
        "siguo:double-open,setup=library",
        "siguo:open,order=clockwise,mine=both",
        "siguo:hq_moves=yes,bombs_fly=yes,commander_mine=survives,reveal=both",
        "duel:arms=closed,setup=mixed",
        "luzhanqi:setup=play,one_turn=yes",
        "siguo:signals=yes",
    ] {
        let game = Junqi::parse(name).unwrap();
        let played = game_of(&game, 7);
        assert_eq!(played, game_of(&game, 7), "{name}");
        assert!(played.iter().all(|&action| game.signal(action).is_none()), "{name}: it gives no signals");
    }
}

#[test]
fn sets_up_sensibly() {
    let game = Junqi::parse("duel:setup=play").unwrap();
    let (mut layouts, mut shielded) = (Vec::new(), 0);
    for seed in 0..50 {
        let actions = game_of(&game, seed);
        // Both headquarters first, then row by row from the base, each from the left.
        let placed: Vec<Kind> = actions[..25].iter().filter_map(|&action| game.places(action)).collect();
        let flag = placed[..2].iter().position(|&kind| kind == Kind::Flag).unwrap();
        // Row 6 without headquarters: columns 1, 3 and 5; then row 5.
        let beside = [placed[2 + flag], placed[3 + flag], placed[5 + 2 * flag + 1]];
        shielded += usize::from(beside.iter().filter(|&&kind| kind == Kind::Mine).count() >= 2);
        assert!(!placed[20..].contains(&Kind::Bomb), "{placed:?}");
        assert!(WORTH[placed[1 - flag] as usize] <= 60.0, "a strong piece is stuck: {placed:?}");
        if !layouts.contains(&placed) {
            layouts.push(placed);
        }
    }
    assert!(shielded >= 35 && layouts.len() >= 45, "{shielded} of {}", layouts.len());
}

#[test]
fn tells_what_it_thinks() {
    let (game, view) = duel("S32:*N21 N21:%S32^ N62:1! S13:N52 N52:>S13", 0);
    let player = RulePlayer::new(&game);
    let wins = game.action_id("N52-N62").unwrap();
    assert_eq!(player.policy(&game, &view)[usize::from(wins)], 1.0, "{}", game.draw_text(&view));
    let values = player.values(&game, &view);
    assert!(values.iter().all(|&(action, value)| value.abs() <= 1.0 && (action == wins || value < 0.999)));
    assert!(player.value(&game, &view).abs() < 0.2);
}

#[test]
fn other_games_say_what_there_is() {
    let game = DarkChess::parse("taiwan").unwrap();
    let fault = AgentSpec::Rules(None).build(&game).err().unwrap().to_string();
    assert_eq!(
        fault,
        "agent 'rules': darkchess:taiwan: there are no such rules for this game; its agents are random, greedy, exact, \
         expectimax:LIMIT, mcts:sims=N, net:CHECKPOINT, uci:PATH, dctp:PATH"
    );
}

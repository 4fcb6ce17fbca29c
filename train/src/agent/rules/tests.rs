//! What the player does in positions drawn for it.

use anqi_env::game::{Actions, Game};
use anqi_env::junqi::{Junqi, View};
use anqi_env::rng::Rng;

use super::*;
use crate::agent::AgentSpec;

/// A seat's letters, row by row from the front, camps left out: flag and two mines around it on the left, the rest behind.
const HOME: &str = "76854 830 9B46 8B7 L5226 LFL32";

/// Text of a duel in which S is to move and sees its own ranks: `S=` and `N=` with what became of some pieces, by their
/// homes; the others stand there unmoved.
fn duel(own: &str, changes: &str, quiet: u32) -> (Junqi, View) {
    let game = Junqi::parse("duel").unwrap();
    let letters: String = own.split_whitespace().collect();
    let change = |home: &str| {
        changes.split_whitespace().find_map(|word| word.split_once(':').filter(|(name, _)| *name == home)).map(|(_, what)| what)
    };
    let seat = |letter: char, ranks: &str| {
        let spots = game.graph().spots.iter().filter(|spot| spot.name.starts_with(letter));
        let homes = spots.filter(|spot| spot.place != anqi_env::junqi::graph::Place::Camp);
        let fates: Vec<String> = homes.map(|spot| change(&spot.name).unwrap_or("1").to_string()).collect();
        format!("{letter}={ranks}:{}", fates.join(","))
    };
    let text = format!("seen=S turn=S ply=100 quiet={quiet} {} {}", seat('S', &letters), seat('N', &"?".repeat(25)));
    let view = game.parse_view(&text).unwrap_or_else(|fault| panic!("{text}: {fault}"));
    (game, view)
}

/// Its scores, best first, by the names of actions.
fn ranking(game: &Junqi, view: &View) -> Vec<(String, f32)> {
    let mut scores = RulePlayer::new(game).scores(game, view);
    scores.sort_by(|a, b| b.1.total_cmp(&a.1));
    scores.into_iter().map(|(action, score)| (game.action_name(action), score)).collect()
}

/// Checks that it plays an action, and draws the board where it does not.
fn plays(game: &Junqi, view: &View, wanted: impl Fn(&str) -> bool) {
    let ranking = ranking(game, view);
    let mut rng = Rng::new(1);
    let action = RulePlayer::new(game).act(game, &mut [Turn { view, rng: &mut rng, game: 0 }])[0];
    let name = game.action_name(action);
    assert!(wanted(&name), "{name} of {:?} in\n{}", &ranking[..ranking.len().min(6)], game.draw_text(view));
}

#[test]
fn takes_a_sure_flag() {
    // N's commander fell to a bomb, which showed the flag; the brigade stands before it.
    let (game, view) = duel(HOME, "S22:>N11 S31:*N21 N21:%S31^ N62:1! S12:N52 N52:>S12", 0);
    let _ = view;
    plays(&game, &view, |name| name == "N52-N62");
}

#[test]
fn an_engineer_opens_the_way_to_the_flag() {
    let (game, view) = duel(HOME, "S32:*N21 N21:%S32^ N62:1! S53:N42", 0);
    plays(&game, &view, |name| name == "N42-N52");
}

#[test]
fn a_commander_stays_away_from_what_may_be_a_mine() {
    // Two of three mines have shown themselves to S by what they took; what is beside the flag never moved.
    let (game, view) = duel(HOME, "S25:N42", 0);
    plays(&game, &view, |name| !["N42-N52", "N42-N51", "N42-N53"].contains(&name));
}

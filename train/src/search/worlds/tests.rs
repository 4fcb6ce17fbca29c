use std::sync::Arc;

use anqi_env::junqi::Station;
use anqi_env::junqi::piece::Kind;

use super::*;
use crate::agent::{AgentSpec, Random, RulePlayer};
use crate::arena;
use crate::workers::Workers;

fn options(worlds: u32) -> Options {
    Options { worlds, plies: None }
}

/// Positions that random play reaches after some plies.
fn positions(game: &Junqi, seed: u64, count: usize) -> Vec<State> {
    let mut rng = Rng::new(seed);
    let mut reached = Vec::new();
    while reached.len() < count {
        let mut state = game.deal(&mut rng);
        for _ in 0..40 + rng.below(120) {
            if game.status(&state).is_ongoing() {
                let view = *game.view(&state, game.to_move(&state));
                game.play(&mut state, game.sample(&view, &mut rng));
            }
        }
        if game.status(&state).is_ongoing() {
            reached.push(state);
        }
    }
    reached
}

/// In fresh worlds the action chosen brings more on average than the one that the base would have played.
#[test]
fn what_it_prefers_is_better_in_other_worlds() {
    for (name, count) in [("duel", 24), ("siguo", 12), ("luzhanqi:reveal=both", 24)] {
        let game = Junqi::parse(name).unwrap();
        let worlds = Worlds::new(RulePlayer::new(&game), options(24));
        let (mut gain, mut changed) = (0.0, 0);
        for state in positions(&game, 3, count) {
            let view = game.view(&state, game.to_move(&state));
            let promises = worlds.base.promises(&game, view);
            let first = promises.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0))).unwrap().0;
            let chosen = worlds.search(&game, view, 1)[0].action;
            if chosen != first {
                let tried = |action| Tried { action, promise: 0.0, sum: 0.0, worlds: 0 };
                let mut both = [tried(chosen), tried(first)];
                worlds.try_in(&game, view, None, &mut both, 2, 0..60);
                gain += (both[0].sum - both[1].sum) / 60.0;
                changed += 1;
            }
        }
        assert!(changed >= 3, "{name}: {changed}");
        assert!(gain > 0.0, "{name}: {gain} over {changed} positions");
    }
}

/// What is hidden from the seat changes nothing: a game drawn anew from its view gets the same answer.
#[test]
fn only_what_the_seat_knows_counts() {
    let game = Junqi::parse("siguo").unwrap();
    let worlds = Worlds::new(RulePlayer::new(&game), options(4));
    for state in positions(&game, 5, 4) {
        let seat = game.to_move(&state);
        let view = game.view(&state, seat);
        let other = game.deal_from(view, &mut Rng::new(9));
        let hidden = |state: &State| {
            let pieces = (0..game.seats()).flat_map(|seat| state.public().pieces(seat)).collect::<Vec<_>>();
            pieces.iter().map(|&piece| state.kind(piece)).collect::<Vec<_>>()
        };
        assert_ne!(hidden(&state), hidden(&other));
        let found = |state: &State| -> Vec<_> {
            let tried = worlds.search(&game, game.view(state, seat), 1);
            tried.iter().map(|tried| (tried.action, tried.score().to_bits())).collect()
        };
        assert_eq!(found(&state), found(&other), "{}", game.draw_text(view));
    }
}

#[test]
fn pieces_are_set_up_as_the_base_does_and_games_end() {
    let game = Junqi::parse("luzhanqi:setup=play").unwrap();
    let spec = AgentSpec::parse("rules,search=worlds,n=2,plies=2").unwrap();
    let (worlds, random): (Arc<dyn Agent<Junqi>>, Arc<dyn Agent<Junqi>>) =
        (spec.build(&game).unwrap(), Arc::new(Random));
    let found = arena::play(&game, [&worlds, &random], 2, 1, &Workers::new(2).unwrap(), &|_| {});
    assert_eq!(found.wins_draws_losses, [4, 0, 0], "{found:?}");
}

/// A base that can judge worlds is asked instead of counting pieces, for the seat that searches.
#[test]
fn what_the_base_expects_decides() {
    /// Promises nothing, and expects to win wherever a seat has gone to one of these stations.
    struct Wants(RulePlayer, Station, Seat);
    impl Agent<Junqi> for Wants {
        fn act(&self, game: &Junqi, turns: &mut [Turn<'_, Junqi>]) -> Vec<Action> {
            self.0.act(game, turns)
        }
        fn policy(&self, game: &Junqi, view: &View) -> Vec<f32> {
            self.0.policy(game, view)
        }
        fn value(&self, game: &Junqi, view: &View) -> f32 {
            self.0.value(game, view)
        }
    }
    impl Base for Wants {
        fn promises(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
            self.0.promises(game, view).into_iter().map(|(action, _)| (action, 0.0)).collect()
        }
        fn worths(&self) -> &[f32; KINDS] {
            self.0.worths()
        }
        fn expects(&self, _: &Junqi, worlds: &[&State], seat: Seat) -> Option<Vec<f32>> {
            assert_eq!(seat, self.2);
            let there = |world: &&State| world.public().last_ply(seat).is_some_and(|(_, to)| to == self.1);
            Some(worlds.iter().map(|world| if there(world) { 1.0 } else { -1.0 }).collect())
        }
    }
    let game = Junqi::parse("duel").unwrap();
    for state in positions(&game, 6, 8) {
        let seat = game.to_move(&state);
        let view = game.view(&state, seat);
        let rules = RulePlayer::new(&game);
        // Of the first eight moves by number, which are the ones tried.
        let mut moves: Vec<Action> = rules.promises(&game, view).into_iter().map(|(action, _)| action).collect();
        moves.sort_unstable();
        let (_, to) = game.ends(moves[moves.len().min(WIDTH) - 1]).unwrap();
        let worlds = Worlds::new(Wants(rules, to, seat), Options { worlds: 6, plies: Some(0) });
        let chosen = worlds.search(&game, view, 1)[0].action;
        assert_eq!(game.ends(chosen).unwrap().1, to);
    }
}

/// A base that takes a piece for the flag wherever it may be one gets worlds in which it is the flag more often, and
/// only worlds that fit.
#[test]
fn worlds_lean_as_the_base_does() {
    let game = Junqi::parse("luzhanqi").unwrap();
    let flag = Kind::Flag as usize;
    for state in positions(&game, 8, 3) {
        let seat = game.to_move(&state);
        let view = game.view(&state, seat);
        let beliefs = game.marginals(view, 1 - seat);
        let hidden = state.public().pieces(1 - seat).filter(|&piece| {
            let share = beliefs.of[usize::from(piece & 31)][flag];
            share > 0.2 && share < 0.8
        });
        let Some(piece) = hidden.into_iter().next() else { panic!("a piece that may be the flag") };
        let mut leanings = vec![0.0; 60 * KINDS];
        let station = state.public().station_of(piece).unwrap();
        leanings[game.row(seat, station) * KINDS + flag] = 2.0;
        let count = |leanings: Option<&[f32]>| {
            let worlds = (0..400).map(|seed| draw(&game, view, leanings, &mut Rng::new(seed)));
            worlds.filter(|world| world.kind(piece) == Kind::Flag).count()
        };
        let (alike, leaning) = (count(None), count(Some(&leanings)));
        assert!(leaning > alike + 60, "{leaning} {alike}\n{}", game.draw_text(view));
        let world = draw(&game, view, Some(&leanings), &mut Rng::new(1));
        assert_eq!(game.view_text(game.view(&world, seat)), game.view_text(view));
    }
}

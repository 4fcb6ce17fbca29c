//! Self-play by search: each seat plays what a short search finds, but for some random actions, and every position gets
//! a target from what the search said of it and of those that followed.
//!
//! A depth of one ply is the plain choice of the best afterstate: an action is worth what the position is worth that it
//! leads to, the exact mean where a piece is shown. The target is that of TD(lambda), from what the search says to how
//! the game ends; behind a random action nothing of the game that follows counts, for the seat would not have played it.
//!
//! Every game has its own stream, so a batch depends on the evaluator, the saved games and nothing else.

use std::time::Instant;

use anqi_env::darkchess::{DarkChess, Position, State};
use anqi_env::game::{Game, Seat, Symmetry};
use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use crate::learn::Lesson;
use crate::net::value::{Features, Look};
use crate::rollout::{Ended, RolloutConfig};
use crate::search::evaluator::Evaluator;
use crate::search::expectimax::{Found, Judge, Limits, Searcher};
use crate::times::Decided;
use crate::workers::Workers;

/// What decides how a batch is played and judged.
#[derive(Clone, Copy)]
pub struct Play<'a> {
    /// Judges for the search.
    pub evaluator: &'a dyn Evaluator,
    /// How far the search looks; without a clock, or no batch would be the same twice.
    pub limits: Limits,
    /// Share of random actions, 0 to 1.
    pub explore: f32,
    /// TD lambda.
    pub lambda: f32,
    /// How much a draw counts, 0 to 1; see [`TdConfig::draws`](crate::learn::TdConfig::draws).
    pub draws: f32,
}

impl Play<'_> {
    fn search(&self, game: &DarkChess, searcher: &mut Searcher, position: &Position, decided: &mut Decided) -> Found {
        let started = Instant::now();
        let found = searcher.best(game, Judge { evaluator: self.evaluator, tables: None }, position, self.limits);
        decided.agents += started.elapsed().as_secs_f64();
        found
    }
}

/// One game in play.
struct Table {
    state: State,
    rng: Rng,
}

/// Games that one thread plays after another.
struct Group {
    tables: Vec<Table>,
    searcher: Searcher,
}

/// What a group's batch brought.
#[derive(Default)]
struct Part {
    lessons: Vec<Lesson>,
    ended: Ended,
    decided: Decided,
}

/// A saved [`SearchRollout`]: each game as text, with its stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchRolloutState(Vec<(String, Rng)>);

/// All games in play.
pub struct SearchRollout {
    game: DarkChess,
    features: Features,
    config: RolloutConfig,
    groups: Vec<Group>,
}

/// One ply that was played.
struct Ply {
    look: Look,
    seat: Seat,
    /// What the search says, for the seat.
    value: f32,
    /// Nothing that follows tells more than `value`: it is proven, or the action was random.
    cut: bool,
    /// The seat's result, where the ply ended the game.
    result: Option<f32>,
    /// Whether the network is asked about such positions.
    learned: bool,
}

impl SearchRollout {
    /// Deals the games from a seed.
    ///
    /// # Errors
    /// Sizes that cannot be.
    pub fn new(game: &DarkChess, config: &RolloutConfig, seed: u64) -> Result<SearchRollout, anqi_env::Error> {
        config.groups()?;
        let tables = (0..config.games as u64).map(|number| {
            let mut rng = Rng::branch(seed, &[number]);
            Table { state: game.deal(&mut rng), rng }
        });
        let mut tables: Vec<Table> = tables.collect();
        let mut groups = Vec::new();
        while !tables.is_empty() {
            let rest = tables.split_off(config.group);
            groups.push(Group { tables, searcher: Searcher::new(game) });
            tables = rest;
        }
        Ok(SearchRollout { features: Features::new(game.rules()), game: game.clone(), config: config.clone(), groups })
    }

    /// Plays `rollout.plies` plies of every game; returns what there is to learn, how games ended and what part of the
    /// time the searches took.
    pub fn run(&mut self, play: Play<'_>, workers: &Workers) -> (Vec<Lesson>, Ended, Decided) {
        let (game, features, config) = (&self.game, &self.features, &self.config);
        let groups = self.groups.iter_mut().collect();
        let parts = workers.map(groups, |_, group: &mut Group| group.play(game, features, config, play));
        let (mut lessons, mut ended, mut decided) = (Vec::new(), Ended::default(), Decided::default());
        for part in parts {
            lessons.extend(part.lessons);
            ended.add(part.ended);
            decided.add(part.decided);
        }
        (lessons, ended, decided)
    }

    /// Everything that [`SearchRollout::load`] needs to go on.
    pub fn save(&self) -> SearchRolloutState {
        let tables = self.groups.iter().flat_map(|group| &group.tables);
        SearchRolloutState(tables.map(|table| (self.game.state_text(&table.state), table.rng.clone())).collect())
    }

    /// Goes on from what [`SearchRollout::save`] gave.
    ///
    /// # Errors
    /// Another number of games, or games that cannot be read.
    pub fn load(&mut self, SearchRolloutState(saved): &SearchRolloutState) -> Result<(), anqi_env::Error> {
        let tables: Vec<&mut Table> = self.groups.iter_mut().flat_map(|group| &mut group.tables).collect();
        if tables.len() != saved.len() {
            let (found, expected) = (saved.len(), tables.len());
            return Err(anqi_env::Error::Shape(format!("{found} saved games for {expected}")));
        }
        for (table, (text, rng)) in tables.into_iter().zip(saved) {
            *table = Table { state: self.game.parse_state(text)?, rng: rng.clone() };
        }
        Ok(())
    }
}

impl Group {
    fn play(&mut self, game: &DarkChess, features: &Features, config: &RolloutConfig, play: Play<'_>) -> Part {
        let mut part = Part::default();
        let started = Instant::now();
        for table in &mut self.tables {
            let mut plies: Vec<Ply> = Vec::with_capacity(config.plies);
            for _ in 0..config.plies {
                let ply = table.ply(game, features, &mut self.searcher, play, &mut part.decided);
                let (ended, first) = (ply.result, ply.seat == 0);
                plies.push(ply);
                let over = !game.status(&table.state).is_ongoing();
                if over || game.spec().ply_limit.is_some_and(|limit| game.plies(&table.state) >= limit) {
                    let result = ended.unwrap_or(0.0);
                    part.ended.add(Ended {
                        games: 1,
                        draws: u64::from(result == 0.0),
                        first_seat_wins: u64::from(result > 0.0 && first || result < 0.0 && !first),
                        plies: game.plies(&table.state).into(),
                        ..Ended::default()
                    });
                    if !over && let Some(last) = plies.last_mut() {
                        // Cut off by the environment: how it would have ended nobody knows.
                        last.cut = true;
                    }
                    table.restart(game, config.midgame);
                }
            }
            let ahead = table.look_ahead(game, &mut self.searcher, play, &mut part.decided);
            let turns = if config.reflect { game.symmetries(0) } else { &game.symmetries(0)[..1] };
            teach(features, &plies, ahead, play, turns, &mut part.lessons);
        }
        part.decided.all = started.elapsed().as_secs_f64();
        part
    }
}

/// A search's value without the room that it leaves between guesses and results.
fn unsqueezed(value: f32) -> f32 {
    (value / crate::search::expectimax::MOST_GUESSED).clamp(-1.0, 1.0)
}

impl Table {
    /// Searches, chooses and plays.
    fn ply(
        &mut self,
        game: &DarkChess,
        features: &Features,
        searcher: &mut Searcher,
        play: Play<'_>,
        decided: &mut Decided,
    ) -> Ply {
        let position = *self.state.position();
        let seat = position.to_move();
        let found = play.search(game, searcher, &position, decided);
        let best = found.action.unwrap_or_default();
        let random = self.rng.unit() < play.explore;
        let action = if random { game.sample(&position, &mut self.rng) } else { best };
        game.play(&mut self.state, action);
        let status = game.status(&self.state);
        Ply {
            look: features.look(&position),
            seat,
            value: unsqueezed(found.value),
            cut: action != best || found.exact || found.value.abs() == 1.0,
            result: (!status.is_ongoing()).then(|| status.value(seat)),
            // A search goes on where pieces are about to be taken, so the network need not judge such positions.
            learned: position.chain().is_none() && !game.takes(&position, best),
        }
    }

    /// What the search says of the position, for which seat.
    fn look_ahead(
        &self,
        game: &DarkChess,
        searcher: &mut Searcher,
        play: Play<'_>,
        decided: &mut Decided,
    ) -> (Seat, f32) {
        let position = self.state.position();
        (position.to_move(), unsqueezed(play.search(game, searcher, position, decided).value))
    }

    /// A new game; with probability `midgame` at any point of one played at random.
    fn restart(&mut self, game: &DarkChess, midgame: f32) {
        self.state = game.deal(&mut self.rng);
        if midgame > 0.0 && self.rng.unit() < midgame {
            let mut before = Vec::new();
            let mut state = self.state;
            while game.status(&state).is_ongoing() {
                before.push(state);
                let action = game.sample(game.view(&state, game.to_move(&state)), &mut self.rng);
                game.play(&mut state, action);
            }
            self.state = before[self.rng.below(before.len() as u32) as usize];
        }
    }
}

/// Works backwards through the plies of a game's batch, behind which `ahead` is expected for a seat. Each position is
/// learned under all `turns` of the board: playing costs more than learning.
fn teach(
    features: &Features,
    plies: &[Ply],
    ahead: (Seat, f32),
    play: Play<'_>,
    turns: &[Symmetry],
    lessons: &mut Vec<Lesson>,
) {
    let mut next = ahead;
    for ply in plies.iter().rev() {
        let ahead = match ply.result {
            Some(0.0) => (1.0 - play.draws) * ply.value,
            Some(result) => result,
            None if next.0 == ply.seat => next.1,
            None => -next.1,
        };
        let target = if ply.cut { ply.value } else { ply.value + play.lambda * (ahead - ply.value) };
        next = (ply.seat, target);
        if ply.learned {
            let turned = turns.iter().map(|turn| features.turned(&ply.look, &turn.squares));
            lessons.extend(turned.map(|look| Lesson { look, target }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::hand::Hand;

    fn ply(seat: Seat, value: f32, cut: bool, result: Option<f32>) -> Ply {
        let game = DarkChess::parse("mini").unwrap();
        let look = Features::new(game.rules()).look(&game.start());
        Ply { look, seat, value, cut, result, learned: true }
    }

    fn targets(plies: &[Ply], ahead: (Seat, f32), lambda: f32) -> Vec<f32> {
        let game = DarkChess::parse("mini").unwrap();
        let (features, mut lessons) = (Features::new(game.rules()), Vec::new());
        let play = Play { evaluator: &Hand::new(&game), limits: Limits::default(), explore: 0.0, lambda, draws: 0.25 };
        teach(&features, plies, ahead, play, &game.symmetries(0)[..1], &mut lessons);
        lessons.iter().rev().map(|lesson| lesson.target).collect()
    }

    fn close(found: &[f32], expected: &[f32]) {
        let near = found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(found.len() == expected.len() && near, "{found:?} {expected:?}");
    }

    #[test]
    fn targets_mix_the_search_and_the_game() {
        let plies = [ply(0, 0.2, false, None), ply(1, -0.4, false, None), ply(0, 0.6, false, Some(1.0))];
        close(&targets(&plies, (0, 0.0), 1.0), &[1.0, -1.0, 1.0]);
        close(&targets(&plies, (0, 0.0), 0.0), &[0.2, -0.4, 0.6]);
        // 0.6 + 0.5 x 0.4 = 0.8; -0.4 + 0.5 x (-0.8 + 0.4) = -0.6; 0.2 + 0.5 x (0.6 - 0.2) = 0.4.
        close(&targets(&plies, (0, 0.0), 0.5), &[0.4, -0.6, 0.8]);
    }

    #[test]
    fn a_random_action_teaches_nothing_of_what_follows() {
        let plies = [ply(0, 0.2, false, None), ply(1, -0.4, true, None), ply(0, 0.6, false, Some(1.0))];
        close(&targets(&plies, (0, 0.0), 1.0), &[0.4, -0.4, 1.0]);
    }

    #[test]
    fn a_draw_says_little() {
        close(&targets(&[ply(0, 0.8, false, Some(0.0))], (0, 0.0), 1.0), &[0.6]);
        close(&targets(&[ply(0, 0.8, false, Some(-1.0))], (0, 0.0), 1.0), &[-1.0]);
    }

    /// A batch that ends in the middle of a game looks at what the search says there; in a chain the seat goes on.
    #[test]
    fn an_unfinished_game_is_judged_and_a_chain_keeps_the_sign() {
        close(&targets(&[ply(0, 0.0, false, None)], (1, 0.5), 1.0), &[-0.5]);
        close(&targets(&[ply(0, 0.0, false, None)], (0, 0.5), 1.0), &[0.5]);
    }

    /// The same lessons from a saved and loaded rollout as from one that went on, on any number of threads.
    #[test]
    fn saved_games_go_on_the_same() {
        for game in
            [DarkChess::parse("mini,chain=dark").unwrap(), DarkChess::parse_tomb("board=2x4,pieces=K1B1R1P1").unwrap()]
        {
            let config = RolloutConfig { games: 6, group: 2, plies: 40, midgame: 0.3, ..RolloutConfig::default() };
            let hand = Hand::new(&game);
            let limits = Limits { depth: Some(1), ..Limits::default() };
            let play = Play { evaluator: &hand, limits, explore: 0.2, lambda: 0.8, draws: 0.5 };
            let mut first = SearchRollout::new(&game, &config, 3).unwrap();
            let workers = Workers::new(1).unwrap();
            let (lessons, ended, decided) = first.run(play, &workers);
            assert!(decided.share() > 0.0 && decided.share() <= 1.0);
            assert!(!lessons.is_empty() && ended.games > 0);
            let mut second = SearchRollout::new(&game, &config, 4).unwrap();
            second.load(&first.save()).unwrap();
            let (one, two) = (first.run(play, &workers), second.run(play, &Workers::new(3).unwrap()));
            assert_eq!(one.0, two.0);
            assert_eq!(first.save(), second.save());
            let mut other = SearchRollout::new(&game, &RolloutConfig { games: 4, ..config }, 3).unwrap();
            assert!(other.load(&first.save()).unwrap_err().to_string().contains("6 saved games for 4"));
        }
    }
}

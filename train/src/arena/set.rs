//! Duplicate sets of games.

use std::ops::Range;
use std::sync::Arc;

use anqi_env::Error;
use anqi_env::game::{Action, Game, Reason, Seat, Status};
use anqi_env::matches::Match as Games;
use anqi_env::record::{Ply, Record};
use anqi_env::rng::Rng;
use serde::{Deserialize, Serialize};

use super::luck;
use crate::agent::{Agent, Gauge, Turn};

/// Plies after which a game that its rules do not end counts as drawn.
const MAX_PLIES: u32 = 5_000;

/// One deal played with the agents on either side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetResult {
    /// Its number, from 0.
    pub number: usize,
    /// What the first agent made of it: the mean of its games (of its matches, where a set is two), win 1, draw 1/2,
    /// loss 0.
    pub points: f64,
    /// The games.
    pub games: Vec<GameResult>,
}

/// One game of a set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// The first seat of the first agent: 0 or 1.
    pub seat: u8,
    /// 1 where the first agent won, -1 where it lost.
    pub value: f64,
    /// How it ended.
    pub reason: String,
    /// Plies played.
    pub plies: u32,
    /// What chance gave the first agent, in units of a whole result from -1 to 1; see [`super::adjusted`]. None where the
    /// game leaves nothing to chance, and in the results of versions that did not measure it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// The game in the `anqi` form, where records are kept.
    pub record: Option<String>,
}

impl SetResult {
    /// What chance gave the first agent, in points; none where it was not measured.
    pub fn luck(&self) -> Option<f64> {
        self.games.iter().map(|game| game.luck).sum::<Option<f64>>().map(|luck| luck / 4.0)
    }
}

/// What is kept of every game beside its result.
pub(super) struct Kept<G: Game> {
    /// Its record.
    pub(super) records: bool,
    /// What luck is measured by.
    pub(super) gauge: Option<Gauge<G>>,
}

/// One game that is being played.
struct Board<G: Game> {
    state: G::State,
    /// What was public before the first ply.
    start: G::View,
    /// The seed it was dealt from, and a number that no other game of the match has.
    seed: u64,
    id: u64,
    /// The first seat of the first agent.
    seat: Seat,
    /// One stream for each agent.
    rngs: [Rng; 2],
    plies: Vec<(Action, Option<G::Outcome>)>,
    /// The agent that lost by what it did or failed to do, and why.
    forfeit: Option<(usize, String)>,
}

impl<G: Game> Board<G> {
    /// Game `number` of a set, dealt the same for either seat.
    fn new(game: &G, set: usize, number: u64, seat: Seat, seed: u64) -> Board<G> {
        let stream = |agent| Rng::branch(seed, &[set as u64, 1 + u64::from(seat), agent, number]);
        let id = stream(2).bits();
        let deal = Rng::branch(seed, &[set as u64, 0, number]).bits();
        let state = game.deal(&mut Rng::new(deal));
        Board {
            start: game.view(&state, seat).clone(),
            state,
            seed: deal,
            id,
            seat,
            rngs: [stream(0), stream(1)],
            plies: Vec::new(),
            forfeit: None,
        }
    }

    /// The agent to move; none where the game is over.
    fn agent(&self, game: &G) -> Option<usize> {
        let over =
            self.forfeit.is_some() || !game.status(&self.state).is_ongoing() || game.plies(&self.state) >= MAX_PLIES;
        // Partners sit at every other seat.
        (!over).then(|| usize::from((game.to_move(&self.state) ^ self.seat) & 1))
    }

    fn play(&mut self, game: &G, agent: usize, action: Result<Action, String>) {
        let action = action.and_then(|action| {
            let view = game.view(&self.state, game.to_move(&self.state));
            if game.is_legal(view, action) {
                return Ok(action);
            }
            Err(format!("{} is not legal at {}", game.action_name(action), game.view_text(view)))
        });
        match action {
            Ok(action) => {
                let shown = game.play(&mut self.state, action);
                self.plies.push((action, shown));
            }
            Err(fault) => self.forfeit = Some((agent, fault)),
        }
    }

    fn result(&self, game: &G, kept: &Kept<G>) -> GameResult {
        let status = game.status(&self.state);
        let (value, reason) = match (&self.forfeit, status) {
            (Some((0, _)), _) => (-1.0, "forfeit"),
            (Some(_), _) => (1.0, "forfeit"),
            (None, Status::Win(_, reason) | Status::Draw(reason)) => {
                (f64::from(status.value(self.seat)), Reason::name(reason))
            }
            (None, Status::Ongoing) => (0.0, "ply-limit"),
        };
        GameResult {
            seat: self.seat,
            value,
            reason: reason.into(),
            plies: game.plies(&self.state),
            luck: kept.gauge.as_ref().map(|gauge| luck::of_game(game, gauge, &self.start, &self.plies, self.seat)),
            record: kept.records.then(|| self.record(game, value, reason).to_string()),
        }
    }

    fn record(&self, game: &G, value: f64, reason: &str) -> Record {
        let ply = |&(action, shown): &(Action, Option<G::Outcome>)| Ply {
            action: game.action_name(action),
            outcome: shown.map(|shown| game.outcome_name(shown)),
            offer: false,
        };
        let plies = self.plies.iter().map(ply).collect();
        let mut record = Record::of(game.spec(), self.seed, None, plies, game.status(&self.state));
        // The first agent's result, told for seat 0.
        let for_seat_0 = if self.seat == 0 { value } else { -value };
        record.set(
            "Result",
            if for_seat_0 > 0.0 {
                "1-0"
            } else if for_seat_0 < 0.0 {
                "0-1"
            } else {
                "1/2-1/2"
            },
        );
        record.set("Termination", reason);
        if let Some((_, fault)) = &self.forfeit {
            record.set("Forfeit", fault.replace(['"', '\n'], " "));
        }
        record
    }
}

/// Plays boards in lockstep to their ends, so that each agent sees all its positions at once.
fn finish<G: Game>(game: &G, agents: [&Arc<dyn Agent<G>>; 2], boards: &mut [Board<G>]) {
    loop {
        let mut moved = false;
        for (number, agent) in agents.iter().enumerate() {
            let mut acting: Vec<&mut Board<G>> =
                boards.iter_mut().filter(|board| board.agent(game) == Some(number)).collect();
            if acting.is_empty() {
                continue;
            }
            moved = true;
            let turns = acting.iter_mut().map(|board| {
                let Board { state, rngs, id, .. } = &mut **board;
                Turn { view: game.view(&*state, game.to_move(state)), rng: &mut rngs[number], game: *id }
            });
            let actions = agent.try_act(game, &mut turns.collect::<Vec<_>>());
            for (board, action) in acting.iter_mut().zip(actions) {
                board.play(game, number, action);
            }
        }
        if !moved {
            return;
        }
    }
}

/// Plays sets of two games in lockstep.
pub(super) fn play<G: Game>(
    game: &G,
    agents: [&Arc<dyn Agent<G>>; 2],
    sets: Range<usize>,
    seed: u64,
    kept: &Kept<G>,
) -> Vec<SetResult> {
    let mut boards: Vec<Board<G>> =
        sets.clone().flat_map(|set| [0, 1].map(|seat| Board::new(game, set, 0, seat, seed))).collect();
    finish(game, agents, &mut boards);
    let games: Vec<GameResult> = boards.iter().map(|board| board.result(game, kept)).collect();
    sets.zip(games.chunks_exact(2))
        .map(|(number, games)| {
            let points = games.iter().map(|game| (game.value + 1.0) / 4.0).sum();
            SetResult { number, points, games: games.to_vec() }
        })
        .collect()
}

/// The rules of a match of several games: those in which red moves first, and those in which green does.
pub struct Series<G> {
    /// How many games it may have.
    pub best_of: u32,
    /// The game when this player (0 red, 1 green) moves first.
    pub games: [G; 2],
}

impl<G: Game> Series<G> {
    /// Plays sets of two matches, the first agent red in one and green in the other. Drawn games are replayed; a match
    /// that is drawn too often to end is decided by the points it has.
    pub(super) fn play(
        &self,
        agents: [&Arc<dyn Agent<G>>; 2],
        sets: Range<usize>,
        seed: u64,
        kept: &Kept<G>,
    ) -> Result<Vec<SetResult>, Error> {
        sets.map(|set| {
            let mut result = SetResult { number: set, points: 0.0, games: Vec::new() };
            for red in [0, 1] {
                result.points += self.one(agents, set, red, seed, kept, &mut result.games)? / 2.0;
            }
            Ok(result)
        })
        .collect()
    }

    /// One match; `red` is the number of the agent that is red. Gives what the first agent made of it.
    fn one(
        &self,
        agents: [&Arc<dyn Agent<G>>; 2],
        set: usize,
        red: usize,
        seed: u64,
        kept: &Kept<G>,
        played: &mut Vec<GameResult>,
    ) -> Result<f64, Error> {
        let mut games = Games::new(self.best_of)?;
        for number in 0..u64::from(20 * self.best_of) {
            if games.winner().is_some() {
                break;
            }
            let game = &self.games[games.first()];
            // Seat 0 moves first: the first agent sits there when its colour is to.
            let seat = (games.first() ^ red) as Seat;
            let mut board = Board::new(game, set, number, seat, seed);
            finish(game, agents, std::slice::from_mut(&mut board));
            let mut result = board.result(game, kept);
            if kept.records {
                let mut record = board.record(game, result.value, &result.reason);
                games.write(&mut record);
                result.record = Some(record.to_string());
            }
            games.add(match result.value {
                value if value > 0.0 => Some(red),
                value if value < 0.0 => Some(1 - red),
                _ => None,
            });
            played.push(result);
        }
        let points = games.points();
        Ok(match points[red].cmp(&points[1 - red]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::{Greedy, Random};
    use anqi_env::any::AnyRules;
    use anqi_env::darkchess::DarkChess;

    const RECORDS: Kept<DarkChess> = Kept { records: true, gauge: None };

    /// Plays well for a while and then does what it must not.
    struct Faulty(u32);

    impl Agent<DarkChess> for Faulty {
        fn act(&self, game: &DarkChess, turns: &mut [Turn<'_, DarkChess>]) -> Vec<Action> {
            let act = |turn: &mut Turn<'_, DarkChess>| {
                if turn.view.plies() < self.0 { Random.act(game, std::slice::from_mut(turn))[0] } else { 9_999 }
            };
            turns.iter_mut().map(act).collect()
        }

        fn policy(&self, game: &DarkChess, view: &anqi_env::darkchess::Position) -> Vec<f32> {
            Agent::<DarkChess>::policy(&Random, game, view)
        }

        fn value(&self, _: &DarkChess, _: &anqi_env::darkchess::Position) -> f32 {
            0.0
        }
    }

    #[test]
    fn who_plays_an_illegal_action_loses_that_game_and_the_match_goes_on() {
        let game = DarkChess::parse("mini").unwrap();
        let (random, faulty): (Arc<dyn Agent<_>>, Arc<dyn Agent<_>>) = (Arc::new(Random), Arc::new(Faulty(6)));
        let sets = play(&game, [&random, &faulty], 0..5, 1, &RECORDS);
        let games: Vec<&GameResult> = sets.iter().flat_map(|set| &set.games).collect();
        assert_eq!(games.len(), 10);
        for played in games.iter().filter(|played| played.reason == "forfeit") {
            assert_eq!((played.value, played.plies >= 6), (1.0, true));
            let record = Record::parse(played.record.as_ref().unwrap()).unwrap();
            assert!(record.header("Forfeit").unwrap().contains("is not legal at"), "{record}");
            record.replay().unwrap();
        }
        assert!(games.iter().any(|played| played.reason == "forfeit"));
    }

    #[test]
    fn both_games_of_a_set_have_the_same_deal_and_each_record_replays() {
        let game = DarkChess::parse("taiwan").unwrap();
        let (random, greedy): (Arc<dyn Agent<_>>, Arc<dyn Agent<_>>) = (Arc::new(Random), Arc::new(Greedy));
        for set in play(&game, [&random, &greedy], 3..6, 1, &RECORDS) {
            let records = set.games.iter().map(|game| Record::parse(game.record.as_ref().unwrap()).unwrap());
            let mut shown = Vec::new();
            for record in records {
                record.replay().unwrap();
                let flips = record.plies.iter().filter(|ply| ply.outcome.is_some());
                let mut flips: Vec<_> = flips.map(|ply| (ply.action.clone(), ply.outcome.clone())).collect();
                flips.sort();
                shown.push((record.header("Seed").unwrap().to_string(), flips));
            }
            assert_eq!(shown[0].0, shown[1].0);
            // Whatever both games turned up was the same piece.
            assert!(shown[0].1.iter().all(|(square, piece)| {
                shown[1].1.iter().all(|(other, theirs)| other != square || theirs == piece)
            }));
        }
    }

    #[test]
    fn matches_are_played_and_their_records_agree() {
        let rules = ["red", "green"].map(|first| AnyRules::parse(&format!("tombchess:first={first}")).unwrap());
        let games = rules.map(|rules| rules.game::<DarkChess>().unwrap());
        let series = Series { best_of: 5, games };
        let (random, greedy): (Arc<dyn Agent<_>>, Arc<dyn Agent<_>>) = (Arc::new(Random), Arc::new(Greedy));
        for set in series.play([&greedy, &random], 0..3, 4, &RECORDS).unwrap() {
            let mut checked = Games::new(5).unwrap();
            let mut decided = 0;
            for played in &set.games {
                if checked.winner().is_some() {
                    (checked, decided) = (Games::new(5).unwrap(), decided + 1);
                }
                let record = Record::parse(played.record.as_ref().unwrap()).unwrap();
                assert_eq!(checked.check(&record), vec![], "{record}");
                record.replay().unwrap();
            }
            assert!(checked.winner().is_some() && decided == 1);
            assert!([0.0, 0.5, 1.0].contains(&set.points));
        }
    }
}

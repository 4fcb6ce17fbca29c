//! The plies of a game as an agent can know them, for engines that keep the game themselves.
//!
//! An agent gets a view whenever its seat is to move. Between two views lie one ply (where it plays both seats) or two,
//! its own and the other seat's, and what each of them showed. They are found by trying every play that the rules allow:
//! boards, unseen pieces and windows differ after any two of them.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anqi_env::darkchess::{DarkChess, Piece, Position};
use anqi_env::game::{Action, Actions, Game as _};

/// What was played and what it showed.
pub(super) type Ply = (Action, Option<Piece>);

/// A game as far as it is known.
pub(super) struct Log {
    /// A number that no other game has had.
    id: u64,
    /// Where it began, for this agent.
    begun: Position,
    plies: Vec<Ply>,
    /// The position after them.
    now: Position,
    /// The engine's thinking time.
    pub(super) spent: Duration,
}

impl Log {
    /// A game that was at a position when it was first seen.
    pub(super) fn new(game: &DarkChess, view: &Position) -> Log {
        static GAMES: AtomicU64 = AtomicU64::new(0);
        // The second seat sees its first position after one ply.
        let start = game.start();
        let (begun, plies) = match between(game, &start, view) {
            Some(plies) => (start, plies),
            None => (*view, Vec::new()),
        };
        Log { id: GAMES.fetch_add(1, Ordering::Relaxed), begun, plies, now: *view, spent: Duration::ZERO }
    }

    /// Goes on to a position; it is another game where no plies lead there.
    pub(super) fn follow(&mut self, game: &DarkChess, view: &Position) {
        match between(game, &self.now, view) {
            Some(plies) => {
                self.plies.extend(plies);
                self.now = *view;
            }
            None => *self = Log::new(game, view),
        }
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    pub(super) fn begun(&self) -> &Position {
        &self.begun
    }

    pub(super) fn plies(&self) -> &[Ply] {
        &self.plies
    }
}

/// The plies from a position to another one, at most two.
fn between(game: &DarkChess, from: &Position, to: &Position) -> Option<Vec<Ply>> {
    let count = to.plies().checked_sub(from.plies())?;
    match count {
        0 => same(game, from, to).then(Vec::new),
        1 => step(game, from, to).map(|ply| vec![ply]),
        2 => each(game, from, |first, middle| step(game, middle, to).map(|second| vec![first, second])),
        _ => None,
    }
}

/// The ply from a position to the next one.
fn step(game: &DarkChess, from: &Position, to: &Position) -> Option<Ply> {
    let last = game.last(to).filter(|&last| game.is_legal(from, last))?;
    play(game, from, last, |ply, next| same(game, next, to).then_some(ply))
}

/// Tries every play until one is what is looked for.
fn each<T>(game: &DarkChess, from: &Position, mut found: impl FnMut(Ply, &Position) -> Option<T>) -> Option<T> {
    let mut legal = Actions::new();
    game.legal(from, &mut legal);
    legal.iter().find_map(|&action| play(game, from, action, &mut found))
}

/// Tries every outcome of an action until one is what is looked for.
fn play<T>(
    game: &DarkChess,
    from: &Position,
    action: Action,
    mut found: impl FnMut(Ply, &Position) -> Option<T>,
) -> Option<T> {
    let mut outcome = |shown| {
        let mut next = *from;
        game.play_with(&mut next, action, shown);
        found((action, shown), &next)
    };
    match &game.chance_outcomes(from, action)[..] {
        [] => outcome(None),
        outcomes => outcomes.iter().find_map(|&(shown, _)| outcome(Some(shown))),
    }
}

/// Whether two positions are the same, the cheap parts first.
fn same(game: &DarkChess, one: &Position, other: &Position) -> bool {
    let [_, rows, cols] = game.spec().planes;
    (0..(rows * cols) as u8).all(|square| one.cell(square) == other.cell(square))
        && Piece::all().all(|piece| one.unseen(piece) == other.unseen(piece))
        && game.view_text(one) == game.view_text(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Greedy;
    use crate::agent::{Agent as _, Turn};
    use anqi_env::rng::Rng;

    /// Games of players who flip, capture and shuffle about: what each seat reconstructs is what was played.
    #[test]
    fn the_plies_between_two_views_are_found() {
        let game = DarkChess::parse("taiwan").unwrap();
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let mut state = game.deal(&mut rng);
            let (mut played, mut logs) = (Vec::new(), [None, None]);
            while game.status(&state).is_ongoing() {
                let view = game.view(&state, 0);
                let log: &mut Option<Log> = &mut logs[usize::from(game.to_move(&state))];
                match log {
                    Some(log) => log.follow(&game, view),
                    None => *log = Some(Log::new(&game, view)),
                }
                let log = log.as_ref().unwrap();
                assert_eq!(log.plies(), played, "seed {seed}\n{}", game.draw_text(view));
                assert_eq!(log.begun().plies(), 0);
                let turn = Turn { view, rng: &mut rng, game: 0 };
                let action = Greedy.act(&game, &mut [turn])[0];
                let shown = game.play(&mut state, action);
                played.push((action, shown));
            }
            assert!(played.len() > 40, "seed {seed}");
        }
    }

    #[test]
    fn what_does_not_follow_is_another_game() {
        let game = DarkChess::parse("taiwan").unwrap();
        let middle = game.parse_view("K7/8/1cR1p3/8 0 r - 0 40").unwrap();
        let mut log = Log::new(&game, &game.start());
        let first = log.id();
        log.follow(&game, &middle);
        assert!(log.id() != first && log.begun().plies() == 39 && log.plies().is_empty());
        log.follow(&game, &game.start());
        assert!(log.begun().plies() == 0 && log.plies().is_empty());
    }
}

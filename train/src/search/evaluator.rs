//! What a search asks at the positions where it looks no further.

use anqi_env::darkchess::{DarkChess, Position};

/// A guess at the result of a game that goes on, without looking ahead.
pub trait Evaluator: Send + Sync {
    /// Expected result for the seat to move, from -1 (lost) to 1 (won).
    ///
    /// The searches' tables take two positions for one when [`DarkChess::key`] does, so a value may depend on the
    /// cells, the unseen pieces, the mover and, under a quiet limit, the quiet plies. One that reads more of the
    /// past makes them approximate.
    fn value(&self, game: &DarkChess, position: &Position) -> f32;

    /// The same values for one search, which asks about positions that are much alike.
    fn eye(&self) -> Box<dyn Eye + '_> {
        Box::new(Forgetful(self))
    }
}

/// One search's view of an evaluator, with a memory of its own that changes no value.
pub trait Eye {
    /// As [`Evaluator::value`].
    fn value(&mut self, game: &DarkChess, position: &Position) -> f32;
}

/// Starts anew with every position.
struct Forgetful<'a, E: ?Sized>(&'a E);

impl<E: Evaluator + ?Sized> Eye for Forgetful<'_, E> {
    fn value(&mut self, game: &DarkChess, position: &Position) -> f32 {
        self.0.value(game, position)
    }
}

impl<E: Evaluator + ?Sized> Evaluator for std::sync::Arc<E> {
    fn value(&self, game: &DarkChess, position: &Position) -> f32 {
        (**self).value(game, position)
    }

    fn eye(&self) -> Box<dyn Eye + '_> {
        (**self).eye()
    }
}

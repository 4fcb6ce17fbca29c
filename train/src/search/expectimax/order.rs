//! In which order actions are tried: the better the first, the more is cut off.

use anqi_env::darkchess::{Cell, DarkChess, Move, Position};
use anqi_env::game::{Action, Actions, Game};

use super::options::MAX_DEPTH;

/// What earlier lines have taught about actions.
pub(super) struct Order {
    /// For each ply from the root, the last two quiet actions that cut off.
    killers: Vec<[Action; 2]>,
    /// How often each action cut off, deeper ones counting more.
    history: Vec<u32>,
}

/// Actions with what they promise, the best taken first.
pub(super) struct Ordered {
    items: Vec<(u32, Action)>,
}

impl Order {
    pub(super) fn new(game: &DarkChess) -> Order {
        Order { killers: vec![[Action::MAX; 2]; MAX_DEPTH as usize + 2], history: vec![0; game.spec().num_actions] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([Action::MAX; 2]);
        self.history.fill(0);
    }

    /// An action that captures nothing has cut off.
    pub(super) fn learn(&mut self, action: Action, depth: u32, ply: usize) {
        if let Some(killers) = self.killers.get_mut(ply)
            && killers[0] != action
        {
            *killers = [action, killers[0]];
        }
        let count = &mut self.history[usize::from(action)];
        *count = (*count + depth * depth).min(1 << 16);
    }

    /// Puts a position's actions into order, `first` before all.
    pub(super) fn sort(
        &self,
        game: &DarkChess,
        position: &Position,
        legal: &Actions,
        first: Action,
        ply: usize,
    ) -> Ordered {
        let killers = self.killers.get(ply).copied().unwrap_or([Action::MAX; 2]);
        let promise = |action: Action| {
            let gain = gain(game, position, action);
            if action == first {
                u32::MAX
            } else if gain > 0 {
                (1 << 20) + gain
            } else if action == killers[0] {
                (1 << 19) + 1
            } else if action == killers[1] {
                1 << 19
            } else {
                self.history[usize::from(action)]
            }
        };
        Ordered { items: legal.iter().map(|&action| (promise(action), action)).collect() }
    }
}

impl Ordered {
    /// Captures only, by what they gain.
    pub(super) fn captures(game: &DarkChess, position: &Position, captures: &Actions) -> Ordered {
        Ordered { items: captures.iter().map(|&action| (gain(game, position, action), action)).collect() }
    }
}

impl Iterator for Ordered {
    type Item = Action;

    /// The most promising action left; of equals the one with the lowest number.
    #[inline]
    fn next(&mut self) -> Option<Action> {
        let best =
            self.items.iter().enumerate().max_by_key(|(_, (promise, action))| (*promise, Action::MAX - *action))?.0;
        Some(self.items.swap_remove(best).1)
    }
}

/// How good an exchange a capture promises; 0 for what captures nothing face up.
#[inline]
fn gain(game: &DarkChess, position: &Position, action: Action) -> u32 {
    let Move::Step(from, to) = game.what(action) else { return 0 };
    match (position.cell(from), position.cell(to)) {
        (Cell::Up(own), Cell::Up(target)) => {
            let family = game.rules().family;
            1 + 32 * u32::from(family.value(target.kind())) + 31 - u32::from(family.value(own.kind())).min(31)
        }
        _ => 0,
    }
}

//! Endgame tables: who wins with a few pieces left and nothing face down, and how soon a piece falls.
//!
//! A table holds for every position of a set of pieces whether the seat to move wins, loses or draws, and the number of
//! plies until the next capture (or the end) on the way: the winner's shortest, the loser's longest. Tables are made when first asked for,
//! those of fewer pieces first, by going back from the captures: after n sweeps everything is known that is decided within n quiet
//! plies.
//!
//! What that says under a quiet limit: a capture starts the count anew, so a won position with q quiet plies played is
//! still won exactly when its distance is at most the limit less q, and a draw otherwise. One table thus serves every
//! count. Tables are made with the limit of the rules: a win that would need a longer wait is a draw in them.
//!
//! Under a repetition rule: a winner who always goes to a smaller distance never lets a position come again, so only what was
//! played before can make the rule bite. Where it might ([`DarkChess::may_repeat`]) a win is not claimed. A draw stays one, for the rule only adds draws.
//!
//! Refused: a chase limit, which can forbid the winning moves, and Tomb Chess, whose deadlocks are decided by points.

mod table;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anqi_env::darkchess::rules::Family;
use anqi_env::darkchess::{DarkChess, Position};

use super::exact::{Class, Space};

/// Most pieces that tables are made for.
pub const MOST_PIECES: u8 = 4;

/// What a table says of a position, for the seat to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Won; so many plies to the next capture or the end.
    Win(u16),
    /// Drawn.
    Draw,
    /// Lost; so many plies to the next capture or the end.
    Loss(u16),
}

/// The tables of one set of rules, shared by all who ask.
pub struct Tables {
    game: DarkChess,
    space: Space,
    most: u8,
    made: RwLock<HashMap<u128, Arc<table::Table>>>,
    /// Held while a table is made, so that none is made twice.
    making: Mutex<()>,
}

impl Tables {
    /// Tables for at most so many pieces.
    ///
    /// # Errors
    /// Rules or a number of pieces that tables cannot serve.
    pub fn new(game: &DarkChess, most: u8) -> Result<Tables, String> {
        let rules = game.rules();
        if !(2..=MOST_PIECES).contains(&most) {
            return Err(format!("tables={most}: expected 2 to {MOST_PIECES} pieces"));
        }
        if rules.family != Family::DarkChess {
            return Err("tables: Tomb Chess has none, for points decide its deadlocks".into());
        }
        if rules.chase_limit > 0 {
            let limit = rules.chase_limit;
            return Err(format!(
                "tables: they need chase_limit=0, not {limit}: it can forbid the moves that win in a table"
            ));
        }
        let (made, making) = (RwLock::default(), Mutex::new(()));
        Ok(Tables { game: game.clone(), space: Space::new(game), most, made, making })
    }

    /// Whether a position is one that the tables know.
    #[inline]
    pub fn covers(&self, position: &Position) -> bool {
        let standing = self.game.rules().squares() as u32 - position.empty().count_ones();
        standing <= u32::from(self.most) && position.hidden() == 0 && position.chain().is_none()
    }

    /// What is known of a position that goes on; none where the tables cannot tell.
    pub fn get(&self, position: &Position) -> Option<Verdict> {
        if !self.covers(position) || !position.status().is_ongoing() {
            return None;
        }
        let class = Class::of(position)?;
        let found = self.verdict(&class, position);
        // What was played before might still bring the repetition rule about.
        (found == Verdict::Draw || !self.game.may_repeat(position)).then_some(found)
    }

    /// Positions in the tables made so far.
    pub fn positions(&self) -> usize {
        self.made.read().unwrap_or_else(PoisonError::into_inner).values().map(|table| table.len()).sum()
    }

    fn verdict(&self, class: &Class, position: &Position) -> Verdict {
        let number = self.space.number(class, &self.space.word(position));
        let limit = self.game.rules().quiet_limit;
        let left = if limit == 0 { u16::MAX } else { limit - position.quiet().min(limit) };
        self.table(class).get(number, left)
    }

    /// The table of a class, made now if it must be.
    fn table(&self, class: &Class) -> Arc<table::Table> {
        let key = class.key();
        let known = || self.made.read().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(table) = known() {
            return table;
        }
        let _making = self.making.lock().unwrap_or_else(PoisonError::into_inner);
        known().unwrap_or_else(|| self.make(class))
    }

    /// Makes a class's table, and before it those of all classes with fewer pieces that it leads to.
    fn make(&self, class: &Class) -> Arc<table::Table> {
        let mut below = class.below();
        below.retain(|class| class.is_open(self.game.rules()) && class.key() <= class.swapped().key());
        below.sort_by_key(|class| (class.pieces(), class.key()));
        for lower in &below {
            let missing = !self.made.read().unwrap_or_else(PoisonError::into_inner).contains_key(&lower.key());
            if missing {
                let tables = table::make(&self.game, &self.space, lower, &|after| {
                    let class = Class::of(after).ok_or(())?;
                    let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
                    let table = made.get(&class.key()).ok_or(())?;
                    let limit = self.game.rules().quiet_limit;
                    let left = if limit == 0 { u16::MAX } else { limit - after.quiet().min(limit) };
                    Ok(table.get(self.space.number(&class, &self.space.word(after)), left))
                });
                let mut made = self.made.write().unwrap_or_else(PoisonError::into_inner);
                made.extend(tables.into_iter().map(|(class, table)| (class.key(), Arc::new(table))));
            }
        }
        let made = self.made.read().unwrap_or_else(PoisonError::into_inner);
        made[&class.key()].clone()
    }
}

//! What the search has found out about positions, by their key.

use anqi_env::game::Action;

use super::score::Score;

/// What a stored value says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least so much.
    Lower,
    /// The value is at most so much.
    Upper,
}

/// One position's entry.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    pub(super) score: Score,
    /// The best action found, or [`Action::MAX`].
    pub(super) action: Action,
    pub(super) depth: u8,
    pub(super) bound: Bound,
    /// Whether some line below was ended by a guess.
    pub(super) guessed: bool,
    /// The search that stored it; entries of others are not there.
    search: u32,
}

/// A table of fixed size; a new entry takes an old one's place. Each search starts with an empty one, so that its
/// result depends on nothing but its position and limits.
pub(super) struct Table {
    entries: Vec<Entry>,
    search: u32,
}

/// Number of entries: 2 to this power, 24 bytes each.
const SIZE_BITS: u32 = 18;

impl Table {
    pub(super) fn new() -> Table {
        let none =
            Entry { key: 0, score: 0, action: Action::MAX, depth: 0, bound: Bound::Exact, guessed: false, search: 0 };
        Table { entries: vec![none; 1 << SIZE_BITS], search: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            // Numbers have come round: entries of the first searches would seem new.
            self.entries.iter_mut().for_each(|entry| entry.search = 0);
            self.search = 1;
        }
    }

    #[inline]
    fn slot(key: u64) -> usize {
        (key >> (64 - SIZE_BITS)) as usize
    }

    /// The entry of a key.
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[Table::slot(key)];
        (entry.key == key && entry.search == self.search).then_some(entry)
    }

    /// Stores what was found, in place of what was there.
    #[inline]
    pub(super) fn put(&mut self, key: u64, depth: u32, score: Score, bound: Bound, action: Action, guessed: bool) {
        let depth = depth as u8;
        self.entries[Table::slot(key)] = Entry { key, score, action, depth, bound, guessed, search: self.search };
    }
}

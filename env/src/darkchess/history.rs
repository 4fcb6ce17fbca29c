//! The quiet plies since the last flip or capture, and the two repetition rules that look at them.

use super::DarkChess;
use super::board::Move;
use super::lookahead::{KEYS, mix};
use super::piece::Piece;
use super::position::Position;
use super::rules::{Family, MAX_WINDOW, Repetition};
use crate::game::Action;

/// A window of quiet plies, oldest first.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct History {
    /// What the window's plies leave behind, a bit each: the square left, or of [`Repetition::Cycle3`] the ply itself.
    traces: u64,
    /// How far a draw by repetition has come: occurrences of this position, or blocks played in a row,
    /// beyond the first. At 2 the game is drawn.
    pub(super) repeats: u8,
    print: u8,
    len: u8,
    /// Each ply's action less the number of squares: single steps have the numbers behind the flips, and
    /// there are at most 120 of them.
    steps: [u8; MAX_WINDOW],
    /// A short hash of the board before each ply, 0 for the first.
    prints: [u8; MAX_WINDOW],
}

impl History {
    pub(super) fn new() -> History {
        History { traces: 0, repeats: 0, print: 0, len: 0, steps: [0; MAX_WINDOW], prints: [0; MAX_WINDOW] }
    }

    /// A flip or a capture: nothing before it can come again.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.traces, self.len, self.print, self.repeats) = (0, 0, 0, 0);
    }

    /// The window's plies.
    #[inline]
    fn steps(&self) -> &[u8] {
        &self.steps[..usize::from(self.len)]
    }
}

impl DarkChess {
    /// From and to of the quiet plies since the last flip or capture, oldest first.
    pub(super) fn window<'a>(&'a self, position: &'a Position) -> impl ExactSizeIterator<Item = (u8, u8)> + 'a {
        position.history.steps().iter().map(|&step| self.ends(step))
    }

    /// Adds the quiet ply just played on the board to the window. Tells whether the position may be one that was there
    /// before; which it is, [`DarkChess::repeats`] finds out once it is known whose turn it is.
    #[inline(always)]
    pub(super) fn remember(&self, position: &mut Position, action: Action) -> bool {
        let step = (usize::from(action) - self.board.squares) as u8;
        let history = &mut position.history;
        let len = usize::from(history.len);
        history.steps[len] = step;
        history.len += 1;
        let (sought, left) = if self.rules.repetition == Repetition::Threefold {
            let (from, to) = self.ends(step);
            let piece = position.cells[usize::from(to)];
            history.prints[len] = history.print;
            history.print ^= square_print(piece, from) ^ square_print(piece, to);
            // No position comes again unless a piece had left the square that this one has reached.
            (to, from)
        } else {
            // No block comes again unless its last ply does. Plies whose numbers differ by 64 share a bit.
            (step % 64, step % 64)
        };
        let returns = history.traces & (1 << sought) != 0;
        history.traces |= 1 << left;
        returns
    }

    /// Counts the repeats of the window.
    #[inline(never)]
    pub(super) fn repeats(&self, position: &Position) -> u8 {
        if self.rules.family == Family::TombChess && position.face_down() > 0 {
            // Its rule looks at repetition only once nothing is face down.
            return 0;
        }
        match self.rules.repetition {
            Repetition::None => 0,
            Repetition::Cycle3 => cycles(position.history.steps()),
            Repetition::Threefold => self.occurrences(position),
        }
    }

    /// How often the position stood before in its window with the same seat to move, at most 2.
    #[inline]
    fn occurrences(&self, position: &Position) -> u8 {
        let history = &position.history;
        let len = usize::from(history.len);
        let Some(oldest) = (0..len).find(|&i| history.prints[i] == history.print) else { return 0 };
        // Short hashes may agree by chance: walk the plies back and compare every square.
        let mut cells = position.cells;
        let mut differing = 0i32;
        let mut found = 0;
        for i in (oldest..len).rev() {
            let (from, to) = self.ends(history.steps[i]);
            let (from, to) = (usize::from(from), usize::from(to));
            let wrong = |cells: &[u8]| {
                i32::from(cells[from] != position.cells[from]) + i32::from(cells[to] != position.cells[to])
            };
            differing -= wrong(&cells);
            cells.swap(from, to);
            differing += wrong(&cells);
            // Whose piece moved then is whose turn it was: in Tomb Chess a seat may pass.
            if differing == 0 && Piece(cells[from]).colour() as usize == position.mover() {
                found += 1;
            }
        }
        found.min(2)
    }

    /// Of the window, what a repetition rule could still complete within `horizon` plies, as a hash; 0 when nothing.
    pub(super) fn window_key(&self, position: &Position, horizon: u32) -> u64 {
        let watched = self.rules.family == Family::DarkChess || position.face_down() == 0;
        if position.history.len == 0 || !watched {
            return 0;
        }
        match self.rules.repetition {
            Repetition::None => 0,
            Repetition::Cycle3 => {
                let steps = position.history.steps();
                let matters = completable(steps, horizon as usize);
                steps[steps.len() - matters..].iter().fold(matters as u64, |key, &step| mix(key ^ u64::from(step)))
            }
            Repetition::Threefold => {
                let back = self.shortest_way_back();
                let near = |seen: &&Occurrence| {
                    // To stand a third time it must first be reached, if it is not there, and then left and reached again.
                    let reach = if seen.away == 0 { back } else { seen.away };
                    seen.times < 3 && reach + (2 - u32::from(seen.times).min(2)) * back <= horizon
                };
                let relevant = self.past(position, horizon);
                relevant
                    .iter()
                    .filter(near)
                    .fold(0, |key: u64, seen| key.wrapping_add(mix(seen.key ^ u64::from(seen.times))))
            }
        }
    }

    /// Whether a repetition rule could end the game in a position that has not come again since this one. If not, a
    /// side that never lets a position come again need not fear the rule.
    pub fn may_repeat(&self, position: &Position) -> bool {
        match self.rules.repetition {
            Repetition::None => false,
            // A block of n plies that is completed in fewer than n has been played twice already.
            Repetition::Cycle3 => position.history.repeats > 0,
            Repetition::Threefold => {
                position.history.len > 0 && self.past(position, u32::MAX).iter().any(|seen| seen.times > 1)
            }
        }
    }

    /// Fewest plies after which a position can come again: both seats go and come back. In Tomb Chess one may pass.
    fn shortest_way_back(&self) -> u32 {
        if self.rules.family == Family::TombChess { 2 } else { 4 }
    }

    /// The positions of the window that may be reached in `horizon` plies, this one first.
    fn past(&self, position: &Position, horizon: u32) -> Vec<Occurrence> {
        let history = &position.history;
        let mut cells = position.cells;
        let (mut key, mut differing) = (0u64, 0i32);
        let turn = |colour: usize| if colour == position.mover() { 0 } else { mix(1 << 59) };
        let mut seen = vec![Occurrence { key: 0, times: 1, away: 0 }];
        for &step in history.steps().iter().rev() {
            let (from, to) = self.ends(step);
            let (from, to) = (usize::from(from), usize::from(to));
            let wrong = |cells: &[u8]| {
                i32::from(cells[from] != position.cells[from]) + i32::from(cells[to] != position.cells[to])
            };
            let keys = |cells: &[u8]| KEYS[usize::from(cells[from])][from] ^ KEYS[usize::from(cells[to])][to];
            (differing, key) = (differing - wrong(&cells), key ^ keys(&cells));
            cells.swap(from, to);
            (differing, key) = (differing + wrong(&cells), key ^ keys(&cells));
            // A ply changes two squares.
            let away = differing.unsigned_abs().div_ceil(2);
            if away > horizon {
                continue;
            }
            let key = key ^ turn(Piece(cells[from]).colour() as usize);
            match seen.iter_mut().find(|seen| seen.key == key) {
                Some(seen) => seen.times += 1,
                // The same board with the other seat to move is a ply away at least.
                None => seen.push(Occurrence { key, times: 1, away: away.max(1) }),
            }
        }
        seen
    }

    #[inline]
    fn ends(&self, step: u8) -> (u8, u8) {
        match self.board.moves[self.board.squares + usize::from(step)] {
            Move::Step(from, to) => (from, to),
            Move::Flip(_) | Move::Stop => unreachable!("only steps are remembered"),
        }
    }
}

/// A position that stood in the window.
struct Occurrence {
    /// Hash of how it differs from the position now.
    key: u64,
    /// How often it stood there, now included.
    times: u8,
    /// At least so many plies are needed to reach it.
    away: u32,
}

/// How many of the last plies can still be part of a block played three times in a row within `horizon` plies.
///
/// A block that can be played twice in a row leaves every square as it was. So its steps make up round trips, on a
/// board of squares always of even length, and two plies cannot be one: they would move one piece for both seats.
fn completable(steps: &[u8], horizon: usize) -> usize {
    let len = steps.len();
    let mut matters = 0;
    for n in (4..=(len + horizon) / 3).step_by(2) {
        let past = (3 * n).saturating_sub(horizon);
        if past > len {
            break;
        }
        let tail = &steps[len - past..];
        if past <= n || tail[n..] == tail[..past - n] {
            matters = matters.max(past);
        }
    }
    matters
}

/// The most times in a row, beyond the first, that the window's last block of plies was played.
#[inline]
fn cycles(steps: &[u8]) -> u8 {
    let mut most = 0;
    let Some((&last, before)) = steps.split_last() else { return 0 };
    // Of an even number of plies and not two: see `completable`.
    for n in (4..=steps.len() / 2).step_by(2) {
        if before[before.len() - n] != last || most == 1 && 3 * n > steps.len() {
            continue;
        }
        let block = |k: usize| &steps[steps.len() - k * n..][..n];
        if block(1) == block(2) {
            if 3 * n <= steps.len() && block(2) == block(3) {
                return 2;
            }
            most = 1;
        }
    }
    most
}

/// A fixed pseudo-random number for a piece on a square.
#[inline]
fn square_print(piece: u8, square: u8) -> u8 {
    let key = u32::from(piece) << 6 | u32::from(square);
    ((key + 1).wrapping_mul(0x9e37_79b1).wrapping_mul(key | 0x8001) >> 24) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_must_be_played_three_times_in_a_row() {
        assert_eq!(cycles(&[1, 2, 3, 4]), 0);
        assert_eq!(cycles(&[1, 2, 3, 4, 1, 2, 3]), 0);
        assert_eq!(cycles(&[9, 1, 2, 3, 4, 1, 2, 3, 4]), 1);
        assert_eq!(cycles(&[1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3]), 1);
        assert_eq!(cycles(&[1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4]), 2);
        assert_eq!(cycles(&[1, 2, 3, 4, 1, 2, 3, 4, 9, 1, 2, 3, 4]), 0);
        assert_eq!(cycles(&[1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6]), 2);
    }
}

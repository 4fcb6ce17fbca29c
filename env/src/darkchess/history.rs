//! The quiet plies since the last flip or capture, and the two repetition rules that look at them.

use super::position::Position;
use super::rules::{MAX_WINDOW, Repetition};

/// A window of quiet plies, oldest first.
#[derive(Clone, Copy)]
pub(super) struct History {
    /// From and to of each ply, packed.
    moves: [u16; MAX_WINDOW],
    /// A short hash of the board after so many quiet plies; 0 plies first.
    prints: [u16; MAX_WINDOW + 1],
    print: u16,
    len: u16,
    /// How far a draw by repetition has come: occurrences of this position, or blocks played in a row,
    /// beyond the first. At 2 the game is drawn.
    pub(super) repeats: u8,
}

impl History {
    pub(super) fn new() -> History {
        History { moves: [0; MAX_WINDOW], prints: [0; MAX_WINDOW + 1], print: 0, len: 0, repeats: 0 }
    }

    /// A flip or a capture: nothing before it can come again.
    #[inline]
    pub(super) fn clear(&mut self) {
        (self.len, self.print, self.repeats) = (0, 0, 0);
    }

    /// The plies of the window, oldest first.
    pub(super) fn plies(&self) -> impl ExactSizeIterator<Item = (u8, u8)> + '_ {
        self.moves[..usize::from(self.len)].iter().map(|&ply| unpack(ply))
    }

    /// Adds the quiet ply just played on `position.cells`, and counts repeats by the rule.
    #[inline]
    pub(super) fn push(position: &mut Position, rule: Repetition, from: u8, to: u8) {
        let piece = position.cells[usize::from(to)];
        let history = &mut position.history;
        let len = usize::from(history.len);
        history.moves[len] = u16::from(from) << 8 | u16::from(to);
        history.print ^= square_print(piece, from) ^ square_print(piece, to);
        history.prints[len + 1] = history.print;
        history.len += 1;
        let repeats = match rule {
            Repetition::None => 0,
            Repetition::Cycle3 => cycles(&history.moves[..=len]),
            Repetition::Threefold => occurrences(position),
        };
        position.history.repeats = repeats;
    }
}

/// The most times in a row, beyond the first, that the window's last block of plies was played.
#[inline]
fn cycles(moves: &[u16]) -> u8 {
    let mut most = 0;
    let Some((&last, before)) = moves.split_last() else { return 0 };
    for n in 1..=moves.len() / 2 {
        if before[before.len() - n] != last || most == 1 && 3 * n > moves.len() {
            continue;
        }
        let block = |k: usize| &moves[moves.len() - k * n..][..n];
        if block(1) == block(2) {
            if 3 * n <= moves.len() && block(2) == block(3) {
                return 2;
            }
            most = 1;
        }
    }
    most
}

/// How often the position stood before in its window with the same seat to move, at most 2.
#[inline]
fn occurrences(position: &Position) -> u8 {
    let history = &position.history;
    let len = usize::from(history.len);
    let candidates =
        |start: usize| (start..len).filter(move |&i| (len - i) % 2 == 0 && history.prints[i] == history.print);
    let Some(oldest) = candidates(0).next() else { return 0 };
    // Short hashes may agree by chance: walk the moves back and compare every square.
    let mut cells = position.cells;
    let mut differing = 0i32;
    let mut found = 0;
    for i in (oldest..len).rev() {
        let (from, to) = unpack(history.moves[i]);
        let (from, to) = (usize::from(from), usize::from(to));
        let wrong =
            |cells: &[u8]| i32::from(cells[from] != position.cells[from]) + i32::from(cells[to] != position.cells[to]);
        differing -= wrong(&cells);
        cells.swap(from, to);
        differing += wrong(&cells);
        if differing == 0 && (len - i) % 2 == 0 {
            found += 1;
        }
    }
    found.min(2)
}

#[inline]
fn unpack(ply: u16) -> (u8, u8) {
    ((ply >> 8) as u8, ply as u8)
}

/// A fixed pseudo-random number for a piece on a square.
#[inline]
fn square_print(piece: u8, square: u8) -> u16 {
    let key = u32::from(piece) << 6 | u32::from(square);
    ((key + 1).wrapping_mul(0x9e37_79b1).wrapping_mul(key | 0x8001) >> 13) as u16
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
        assert_eq!(cycles(&[5, 5, 5]), 2);
    }
}

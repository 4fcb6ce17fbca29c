//! Where things stand in a picture of stations.

use super::Stations;

// Lengths are in the units of the view box: neighbours are 100 apart.
pub(super) const STEP: usize = 100;
pub(super) const MARGIN: usize = 36;
/// From the outer stations' middles to the edge of the board.
pub(super) const RIM: usize = 98;
/// What a missing row or rows of the grid add.
const GAP: usize = 70;
pub(super) const CARD: [usize; 2] = [500, 372];
/// From a card to the edge of the board around it.
const INSET: usize = 40;
const BETWEEN: usize = 26;
const CAPTION: usize = 124;

pub(super) struct Layout {
    /// Width and height of the picture.
    pub(super) size: [usize; 2],
    /// Left, top, width and height of the board.
    pub(super) board: [usize; 4],
    /// The middle of each column and row of the grid; those without stations are never asked for.
    pub(super) xs: [usize; 17],
    pub(super) ys: [usize; 17],
    /// Top left corner of each seat's card.
    pub(super) cards: Vec<[usize; 2]>,
    /// Left end, right end and middle of the line below the board.
    pub(super) caption: [usize; 3],
}

impl Layout {
    pub(super) fn of(diagram: &Stations) -> Layout {
        let (xs, width) = middles(&diagram.columns());
        let (ys, height) = middles(&diagram.rows());
        let [card_width, card_height] = CARD;
        // The four corners between the arms of a cross have room for the cards, a board without arms has none.
        let corners = width > 2 * card_width + 5 * STEP;
        let (left, top, right, bottom) = (MARGIN, MARGIN, MARGIN + width, MARGIN + height);
        let full = if corners { width } else { width + BETWEEN + card_width };
        let home = diagram.side(diagram.viewer).map_or(0, |side| side.territory);
        let cards = diagram.sides.iter().map(|side| match ((side.territory + 4 - home) % 4, corners) {
            (0, true) => [right - INSET - card_width, bottom - INSET - card_height],
            (1, true) => [right - INSET - card_width, top + INSET],
            (2, true) => [left + INSET, top + INSET],
            (_, true) => [left + INSET, bottom - INSET - card_height],
            (0, false) => [right + BETWEEN, bottom - card_height],
            (_, false) => [right + BETWEEN, top],
        });
        Layout {
            size: [full + 2 * MARGIN, bottom + CAPTION],
            board: [left, top, width, height],
            xs,
            ys,
            cards: cards.collect(),
            caption: [MARGIN, MARGIN + full, bottom + CAPTION / 2],
        }
    }

    /// The middle of a station.
    pub(super) fn at(&self, diagram: &Stations, station: usize) -> [usize; 2] {
        let stop = &diagram.stops[station];
        [self.xs[usize::from(stop.x)], self.ys[usize::from(stop.y)]]
    }
}

/// The middle of each line of the grid, and the length of them all.
fn middles(used: &[u8]) -> ([usize; 17], usize) {
    let (mut middles, mut at) = ([0; 17], RIM);
    for (i, &line) in used.iter().enumerate() {
        if i > 0 {
            at += STEP + if line > used[i - 1] + 1 { GAP } else { 0 };
        }
        middles[usize::from(line)] = MARGIN + at;
    }
    (middles, at + RIM)
}

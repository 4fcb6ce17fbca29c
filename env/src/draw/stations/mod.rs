//! Boards of stations joined by roads and rails: junqi.

mod junqi;
mod layout;
mod paint;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

use crate::game::{Seat, Status};
use crate::junqi::graph::Place;
use crate::junqi::{Kind, Out};

pub(crate) use junqi::diagram as junqi;

/// A position on stations, ready to be drawn, turned so that the viewer sits at the bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Stations {
    /// The game with its profile and options.
    pub(crate) game: String,
    /// The position's text form.
    pub(crate) position: String,
    pub(crate) stops: Vec<Stop>,
    /// Neighbours by road, each pair once.
    pub(crate) roads: Vec<[usize; 2]>,
    /// The ends of each straight rail line.
    pub(crate) rails: Vec<[usize; 2]>,
    /// Pairs that a rail joins around a corner of the board.
    pub(crate) arcs: Vec<[usize; 2]>,
    pub(crate) sides: Vec<Side>,
    pub(crate) viewer: Seat,
    pub(crate) to_move: Seat,
    pub(crate) status: Status,
    /// Plies played.
    pub(crate) plies: u32,
    /// Plies in a row without a combat or an elimination.
    pub(crate) quiet: u16,
    /// How many of those end the game.
    pub(crate) quiet_limit: Option<u16>,
    /// The seat whose last ply is the game's.
    pub(crate) last_mover: Option<Seat>,
    /// The station that the seat to move fills next, while seats set up their pieces.
    pub(crate) places_at: Option<usize>,
}

/// A station and what stands there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stop {
    pub(crate) name: String,
    pub(crate) place: Place,
    /// Whose territory it lies in: 0 to 3 for S, E, N, W; none in the centre.
    pub(crate) territory: Option<u8>,
    /// Row from the front and column from the owner's left, from 1.
    pub(crate) row: u8,
    /// See `row`.
    pub(crate) col: u8,
    /// Column and row on the grid of 17x17, as the viewer sees it.
    pub(crate) x: u8,
    /// See `x`.
    pub(crate) y: u8,
    pub(crate) on_rails: bool,
    /// False where nobody may go.
    pub(crate) open: bool,
    pub(crate) tile: Option<Tile>,
}

/// A piece, as far as the viewer may know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) seat: Seat,
    /// None for a back.
    pub(crate) kind: Option<Kind>,
    pub(crate) moved: bool,
    /// Whether it won a combat.
    pub(crate) survived: bool,
}

/// A seat and what everybody sees of it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Side {
    pub(crate) letter: char,
    /// Its territory, after which it has its colour.
    pub(crate) territory: u8,
    pub(crate) stands: Stands,
    pub(crate) out: Option<Out>,
    /// Pieces on the board.
    pub(crate) left: usize,
    /// Pieces that are gone, the highest first and those that the viewer was not told last.
    pub(crate) gone: Vec<Option<Kind>>,
    /// Its last ply, from and to; none once it is out.
    pub(crate) last: Option<[usize; 2]>,
    /// Its signal that stands, where the viewer heard it.
    pub(crate) signal: Option<&'static str>,
}

/// How a seat stands to the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stands {
    Viewer,
    Ally,
    Enemy,
}

impl Stations {
    /// The columns of the grid that have stations, in order.
    fn columns(&self) -> Vec<u8> {
        sorted(self.stops.iter().map(|stop| stop.x))
    }

    /// The rows of the grid that have stations, in order.
    fn rows(&self) -> Vec<u8> {
        sorted(self.stops.iter().map(|stop| stop.y))
    }

    /// Whether a rail runs along a column of the grid over the gap between two of its rows.
    fn crosses(&self, x: u8, [above, below]: [u8; 2]) -> bool {
        self.rails.iter().map(|ends| ends.map(|end| &self.stops[end])).any(|[one, other]| {
            let (first, last) = (one.y.min(other.y), one.y.max(other.y));
            one.x == x && other.x == x && first <= above && last >= below
        })
    }

    /// The rows of the grid on either side of a gap.
    fn gaps(&self) -> Vec<[u8; 2]> {
        let gap = |pair: &[u8]| (pair[1] > pair[0] + 1).then_some([pair[0], pair[1]]);
        self.rows().windows(2).filter_map(gap).collect()
    }

    fn side(&self, seat: Seat) -> Option<&Side> {
        self.sides.get(usize::from(seat))
    }

    /// The seats whose last ply came from or went to a station.
    fn marks(&self, station: usize) -> impl Iterator<Item = usize> {
        (0..self.sides.len()).filter(move |&seat| self.sides[seat].last.is_some_and(|last| last.contains(&station)))
    }

    /// Whether the game's last ply came from or went to a station.
    fn is_last(&self, station: usize) -> bool {
        self.marks(station).any(|seat| self.last_mover == Some(seat as Seat))
    }
}

impl Side {
    /// Its colour's names, Chinese and English.
    fn colour(&self) -> (char, &'static str) {
        [('紅', "red"), ('紫', "purple"), ('藍', "blue"), ('綠', "green")][usize::from(self.territory) % 4]
    }
}

fn sorted(values: impl Iterator<Item = u8>) -> Vec<u8> {
    let mut values: Vec<u8> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}

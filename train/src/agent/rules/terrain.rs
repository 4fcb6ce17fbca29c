//! The board as pieces run on it, computed once for a game.

use anqi_env::junqi::graph::Place;
use anqi_env::junqi::view::Piece;
use anqi_env::junqi::{Junqi, NOWHERE, Station};

/// Most stations of a board.
pub(super) const STATIONS: usize = 129;

/// The piece on each station; [`NOWHERE`] for none.
pub(super) type Ground = [Piece; STATIONS];

/// Something for each station.
pub(super) type Field = [f32; STATIONS];

/// A set of stations.
#[derive(Clone, Copy, Default)]
pub(super) struct Stations([u64; 3]);

impl Stations {
    pub(super) fn insert(&mut self, station: Station) {
        self.0[usize::from(station / 64)] |= 1 << (station % 64);
    }

    pub(super) fn has(&self, station: Station) -> bool {
        self.0[usize::from(station / 64)] >> (station % 64) & 1 == 1
    }

    pub(super) fn meets(&self, other: &Stations) -> bool {
        self.0.iter().zip(other.0).any(|(one, other)| one & other != 0)
    }

    pub(super) fn and(&self, other: &Stations) -> Stations {
        Stations(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    pub(super) fn or(&self, other: &Stations) -> Stations {
        Stations(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }
}

/// From each station those that a piece could reach in one ply that does not fly.
pub(super) struct Ways {
    stations: Vec<Station>,
    ends: [u16; STATIONS + 1],
}

impl Ways {
    pub(super) fn of(terrain: &Terrain, ground: &Ground) -> Ways {
        let mut ways = Ways { stations: Vec::with_capacity(2048), ends: [0; STATIONS + 1] };
        for from in 0..terrain.len {
            terrain.reach(ground, from as Station, false, |to| ways.stations.push(to));
            ways.ends[from + 1] = ways.stations.len() as u16;
        }
        ways
    }

    pub(super) fn from(&self, station: usize) -> &[Station] {
        &self.stations[usize::from(self.ends[station])..usize::from(self.ends[station + 1])]
    }
}

/// A step to a neighbour.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) to: Station,
    pub(super) rail: bool,
}

/// The tables of a board.
pub(super) struct Terrain {
    pub(super) len: usize,
    /// Neighbours by road or rail.
    pub(super) steps: Vec<Vec<Step>>,
    roads: Vec<Vec<Station>>,
    rails: Vec<Vec<Station>>,
    /// From each station the stations in each direction of each rail line.
    rays: Vec<Vec<Vec<Station>>>,
    pub(super) camp: Vec<bool>,
    pub(super) headquarters: Vec<bool>,
}

impl Terrain {
    pub(super) fn new(game: &Junqi) -> Terrain {
        let graph = game.graph();
        let is = |place: Place| graph.spots.iter().map(|spot| spot.place == place).collect();
        let step = |rail: bool| move |&to: &Station| Step { to, rail };
        let steps = graph.roads.iter().zip(&graph.rails);
        Terrain {
            len: graph.len(),
            steps: steps
                .map(|(roads, rails)| roads.iter().map(step(false)).chain(rails.iter().map(step(true))).collect())
                .collect(),
            roads: graph.roads.clone(),
            rails: graph.rails.clone(),
            rays: (0..graph.len() as Station).map(|from| rays(game, from)).collect(),
            camp: is(Place::Camp),
            headquarters: is(Place::Headquarters),
        }
    }

    /// Calls with each station that a piece may reach in one ply, the first piece on each way included.
    pub(super) fn reach(&self, ground: &Ground, from: Station, flies: bool, mut each: impl FnMut(Station)) {
        self.roads[usize::from(from)].iter().for_each(|&to| each(to));
        if flies {
            return self.fly(ground, from, each);
        }
        for ray in &self.rays[usize::from(from)] {
            for &to in ray {
                each(to);
                if ground[usize::from(to)] != NOWHERE {
                    break;
                }
            }
        }
    }

    /// The same by rail for pieces that may turn.
    fn fly(&self, ground: &Ground, from: Station, mut each: impl FnMut(Station)) {
        let mut seen = [false; STATIONS];
        seen[usize::from(from)] = true;
        let mut open = [from; STATIONS];
        let mut count = 1;
        while count > 0 {
            count -= 1;
            for &to in &self.rails[usize::from(open[count])] {
                if !std::mem::replace(&mut seen[usize::from(to)], true) {
                    each(to);
                    if ground[usize::from(to)] == NOWHERE {
                        open[count] = to;
                        count += 1;
                    }
                }
            }
        }
    }
}

fn rays(game: &Junqi, from: Station) -> Vec<Vec<Station>> {
    let mut rays: Vec<Vec<Station>> = Vec::new();
    for line in &game.graph().lines {
        let Some(place) = line.stations.iter().position(|&station| station == from) else { continue };
        let back = line.stations[..place].iter().rev().copied().collect();
        let onward = line.stations[place + 1..].to_vec();
        // Two lines run together along the side columns.
        let new = [back, onward].into_iter().filter(|ray: &Vec<Station>| !ray.is_empty());
        let new: Vec<_> = new.filter(|ray| !rays.contains(ray)).collect();
        rays.extend(new);
    }
    rays
}

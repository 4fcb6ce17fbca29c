//! What is computed once for a board: numbers of actions, steps, rays along rails, and sets of rail stations.

use super::graph::{Graph, Line, Place, TERRITORY};
use super::piece::{KINDS, PIECES};
use super::rules::{Rules, Setup};
use super::signal::SIGNALS;
use super::{NOWHERE, Seats, Station};
use crate::game::{Action, Wiring};

/// Most stations of a board.
pub(super) const STATIONS: usize = 129;

/// A set of rail stations, by their numbers among those.
pub(super) type Rails = u128;

/// Rail stations in one direction along a line, in ascending or descending order of their numbers.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Ray {
    stations: Rails,
    /// Stations before them, all of which must be empty: where a line bends, its order turns, and a new ray begins.
    before: Rails,
    ascending: bool,
}

impl Ray {
    /// The stations up to the first that is taken, that one included.
    #[inline]
    pub(super) fn reach(&self, taken: Rails) -> Rails {
        if taken & self.before != 0 {
            return 0;
        }
        let blockers = taken & self.stations;
        match (blockers, self.ascending) {
            (0, _) => self.stations,
            (_, true) => self.stations & (blockers ^ blockers.wrapping_sub(1)),
            (_, false) => self.stations & !((1 << (127 - blockers.leading_zeros())) - 1),
        }
    }
}

/// How a piece gets from one station to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// One step by road.
    Road,
    /// Along one rail line, over these stations.
    Straight(Rails),
    /// On rails, but never without a turn.
    Turns,
}

/// The tables of a board.
pub(super) struct Board {
    pub(super) graph: Graph,
    pub(super) camps: [bool; STATIONS],
    pub(super) headquarters: [bool; STATIONS],
    /// A station's number among the rail stations; [`NOWHERE`] off the rails.
    pub(super) rail_of: [Station; STATIONS],
    /// The station of each such number.
    pub(super) rails: Vec<Station>,
    /// Neighbours by rail.
    pub(super) rail_next: Vec<Rails>,
    /// From and to by action.
    pub(super) moves: Vec<(Station, Station)>,
    ways: Vec<Way>,
    /// The action from a station to another; `Action::MAX` where there is none.
    numbers: Vec<Action>,
    /// The same among rail stations only.
    rail_numbers: Vec<Action>,
    /// A station's territory on this board, and its bit there; the centre has neither roads nor a territory.
    pub(super) ground_of: [(u8, u8); STATIONS],
    /// Neighbours by road, which lie in the same territory.
    pub(super) roads: [u32; STATIONS],
    /// The actions there, in the order of those bits.
    road_actions: Vec<Action>,
    road_starts: [u16; STATIONS],
    /// The camps among the stations of a territory.
    pub(super) camp_bits: u32,
    rays: Vec<Ray>,
    ray_ends: [u16; STATIONS + 1],
    /// The stations on which a seat's pieces stand at first, by piece.
    pub(super) homes: Seats<[Station; PIECES]>,
    /// In which order a seat places its pieces, headquarters first.
    pub(super) placing: [u8; PIECES],
    /// Number of the first action that places a piece, where seats set up themselves.
    pub(super) placements: Option<Action>,
    /// Number of the first action that gives a signal, where allies may.
    pub(super) signals: Option<Action>,
}

impl Board {
    pub(super) fn new(rules: &Rules) -> Board {
        let graph = Graph::of(rules);
        let count = graph.len();
        let of_place = |place| -> [bool; STATIONS] {
            std::array::from_fn(|station| station < count && graph.spots[station].place == place)
        };
        // By rows of the grid, so that lines along rows and columns are in order.
        let mut rails: Vec<Station> =
            (0..count as Station).filter(|&s| !graph.rails[usize::from(s)].is_empty()).collect();
        rails.sort_by_key(|&station| (graph.spots[usize::from(station)].y, graph.spots[usize::from(station)].x));
        let mut rail_of = [NOWHERE; STATIONS];
        rails.iter().enumerate().for_each(|(number, &station)| rail_of[usize::from(station)] = number as Station);
        let rails_of = |stations: &[Station]| -> Rails {
            stations.iter().fold(0, |set, &station| set | 1 << rail_of[usize::from(station)])
        };
        let rail_next = rails.iter().map(|&station| rails_of(&graph.rails[usize::from(station)])).collect();
        let mut board = Board {
            camps: of_place(Place::Camp),
            headquarters: of_place(Place::Headquarters),
            rail_next,
            moves: Vec::new(),
            ways: Vec::new(),
            numbers: vec![Action::MAX; count * count],
            rail_numbers: vec![Action::MAX; rails.len() * rails.len()],
            ground_of: std::array::from_fn(|station| ((station / TERRITORY) as u8, (station % TERRITORY) as u8)),
            roads: [0; STATIONS],
            road_actions: Vec::new(),
            road_starts: [0; STATIONS],
            camp_bits: 0,
            rays: Vec::new(),
            ray_ends: [0; STATIONS + 1],
            homes: homes(&graph, rules.variant.seats()),
            placing: placing(),
            placements: None,
            signals: None,
            rail_of,
            rails,
            graph,
        };
        // The numbers are those of the open board, whether or not arms are closed.
        let numbered = if rules.arms_closed { Graph::four() } else { board.graph.clone() };
        board.number(&numbered, rules.hq_moves);
        for station in 0..count as Station {
            board.lay_out(station);
        }
        board.camp_bits = (0..TERRITORY).fold(0, |bits, cell| bits | u32::from(board.camps[cell]) << cell);
        board.placements = (rules.setup == Setup::Play).then_some(board.moves.len() as Action);
        board.signals = rules.signals.then_some(board.num_actions() as Action);
        board
    }

    /// Numbers the pairs that some piece can go on some board, ascending.
    fn number(&mut self, graph: &Graph, from_headquarters: bool) {
        for from in 0..graph.len() {
            if self.headquarters[from] && !from_headquarters {
                continue;
            }
            for to in 0..graph.len() {
                let on_rails = from != to && !graph.rails[from].is_empty() && !graph.rails[to].is_empty();
                if !on_rails && !graph.roads[from].contains(&(to as Station)) {
                    continue;
                }
                let action = self.moves.len() as Action;
                self.moves.push((from as Station, to as Station));
                self.numbers[from * graph.len() + to] = action;
                let (a, b) = (self.rail_of[from], self.rail_of[to]);
                if a != NOWHERE && b != NOWHERE && a != b {
                    self.rail_numbers[usize::from(a) * self.rails.len() + usize::from(b)] = action;
                }
                self.ways.push(match self.graph.roads[from].contains(&(to as Station)) {
                    true => Way::Road,
                    false => self.straight(from as Station, to as Station).map_or(Way::Turns, Way::Straight),
                });
            }
        }
    }

    /// The stations between two on one rail line.
    fn straight(&self, from: Station, to: Station) -> Option<Rails> {
        let place = |line: &[Station], station| line.iter().position(|&other| other == station);
        self.graph.lines.iter().find_map(|line| {
            let (a, b) = (place(&line.stations, from)?, place(&line.stations, to)?);
            let between = &line.stations[a.min(b) + 1..a.max(b)];
            Some(between.iter().fold(0, |set, &station| set | 1 << self.rail_of[usize::from(station)]))
        })
    }

    /// Writes the roads and rays of a station.
    fn lay_out(&mut self, from: Station) {
        let index = usize::from(from);
        self.road_starts[index] = self.road_actions.len() as u16;
        for &to in &self.graph.roads[index] {
            // None leads out of a headquarters.
            if let Some(action) = self.number_of(from, to) {
                self.roads[index] |= 1 << self.ground_of[usize::from(to)].1;
                self.road_actions.push(action);
            }
        }
        let first = self.rays.len();
        for line in &self.graph.lines {
            let Some(place) = line.stations.iter().position(|&station| station == from) else { continue };
            let number = |station: &Station| self.rail_of[usize::from(*station)];
            let back: Vec<u8> = line.stations[..place].iter().rev().map(number).collect();
            let onward: Vec<u8> = line.stations[place + 1..].iter().map(number).collect();
            for stations in [back, onward] {
                for ray in cut_into_rays(&stations) {
                    // Two lines run together along the side columns.
                    if !self.rays[first..].contains(&ray) {
                        self.rays.push(ray);
                    }
                }
            }
        }
        self.ray_ends[index + 1] = self.rays.len() as u16;
    }

    /// Number of actions.
    pub(super) fn num_actions(&self) -> usize {
        let placements = if self.placements.is_some() { KINDS } else { 0 };
        let signals = if self.signals.is_some() { SIGNALS.len() } else { 0 };
        self.moves.len() + placements + signals
    }

    /// Neighbours by road or rail, and stations of one rail line.
    pub(super) fn wiring(&self) -> Wiring {
        let wide = |&(from, to): &(Station, Station)| (u16::from(from), u16::from(to));
        let near = |from: usize| {
            let ends = self.graph.roads[from].iter().chain(&self.graph.rails[from]);
            ends.map(move |&to| (from as u16, u16::from(to)))
        };
        let along = |line: &Line| {
            let stations = line.stations.clone();
            let pair = move |&from: &Station| stations.clone().into_iter().map(move |to| wide(&(from, to)));
            line.stations.iter().flat_map(pair).filter(|(from, to)| from != to).collect::<Vec<_>>()
        };
        Wiring {
            moves: self.moves.iter().map(wide).collect(),
            near: (0..self.graph.len()).flat_map(near).collect(),
            along: self.graph.lines.iter().flat_map(along).collect(),
        }
    }

    /// The action from a station to another.
    #[inline]
    pub(super) fn number_of(&self, from: Station, to: Station) -> Option<Action> {
        let number = self.numbers[usize::from(from) * self.graph.len() + usize::from(to)];
        (number != Action::MAX).then_some(number)
    }

    /// The action from one rail station to another, by their numbers among those.
    #[inline]
    pub(super) fn rail_number(&self, from: Station, to: u32) -> Action {
        self.rail_numbers[usize::from(from) * self.rails.len() + to as usize]
    }

    #[inline]
    pub(super) fn way(&self, action: Action) -> Way {
        self.ways[usize::from(action)]
    }

    /// The action along a road to the station of a bit.
    #[inline]
    pub(super) fn road_number(&self, from: Station, bit: u32) -> Action {
        let rank = (self.roads[usize::from(from)] & ((1 << bit) - 1)).count_ones() as usize;
        self.road_actions[usize::from(self.road_starts[usize::from(from)]) + rank]
    }

    /// The rays along rail lines.
    #[inline]
    pub(super) fn rays(&self, from: Station) -> &[Ray] {
        &self.rays[usize::from(self.ray_ends[usize::from(from)])..usize::from(self.ray_ends[usize::from(from) + 1])]
    }
}

/// Cuts stations in a row into pieces whose numbers rise or fall.
fn cut_into_rays(stations: &[u8]) -> Vec<Ray> {
    let mut rays = Vec::new();
    let (mut before, mut start) = (0, 0);
    while start < stations.len() {
        let ascending = stations.get(start + 1).is_none_or(|next| *next > stations[start]);
        let mut end = start + 1;
        while end < stations.len() && (stations[end] > stations[end - 1]) == ascending {
            end += 1;
        }
        let set = stations[start..end].iter().fold(0, |set, station| set | 1 << station);
        rays.push(Ray { stations: set, before, ascending });
        before |= set;
        start = end;
    }
    rays
}

/// Where each seat's pieces stand at first: the posts and headquarters of its territory.
fn homes(graph: &Graph, seats: usize) -> Seats<[Station; PIECES]> {
    let mut homes = [[NOWHERE; PIECES]; 4];
    for (seat, homes) in homes.iter_mut().enumerate().take(seats) {
        // In a game of two the other seat sits opposite.
        let territory = if seats == 2 { 2 * seat as u8 } else { seat as u8 };
        let own = graph.spots.iter().enumerate().filter(|(_, spot)| spot.territory == territory);
        let own = own.filter(|(_, spot)| spot.place != Place::Camp).map(|(station, _)| station as Station);
        homes.iter_mut().zip(own).for_each(|(home, station)| *home = station);
    }
    homes
}

/// Headquarters first, where the flag must stand, then from the base to the front.
fn placing() -> [u8; PIECES] {
    let slots = slots();
    let mut order: Vec<u8> = (0..PIECES as u8).collect();
    let row = |slot: u8| slots[usize::from(slot)].0;
    let headquarters = |slot: u8| matches!(slots[usize::from(slot)], (6, 2 | 4));
    order.sort_by_key(|&slot| (!headquarters(slot), std::cmp::Reverse(row(slot))));
    std::array::from_fn(|i| order[i])
}

/// Row and column of each of the 25 stations on which pieces stand at first.
pub(super) fn slots() -> [(u8, u8); PIECES] {
    let mut slots = [(0, 0); PIECES];
    let cells = (0..TERRITORY as u8).map(|cell| (cell / 5 + 1, cell % 5 + 1));
    let posts = cells.filter(|cell| !matches!(cell, (2 | 4, 2 | 4) | (3, 3)));
    slots.iter_mut().zip(posts).for_each(|(slot, cell)| *slot = cell);
    slots
}

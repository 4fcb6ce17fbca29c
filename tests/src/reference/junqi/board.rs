//! The board as a graph: stations, roads and rail lines (3.1), read from `tests/data/junqi/board.txt`.

use super::rules::{Rules, Variant};

const TEXT: &str = include_str!("../../../data/junqi/board.txt");

/// What a station is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// 兵站.
    Post,
    /// 行營.
    Camp,
    /// 大本營.
    Headquarters,
}

/// A station.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Station {
    /// Its name, `S11` to `W65` and `C11` to `C33`.
    pub name: String,
    /// To the right, 0 to 16.
    pub x: i32,
    /// Down, 0 to 16.
    pub y: i32,
    /// What it is.
    pub place: Place,
}

/// A step along rail between neighbours, with the directions in which it leaves and arrives. They differ on an arc.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RailStep {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) leaves: (i32, i32),
    pub(crate) arrives: (i32, i32),
}

/// The board of one game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Board {
    /// All 129 stations, by number; [`Board::has`] tells which of them this board has.
    pub stations: Vec<Station>,
    present: Vec<bool>,
    /// Roads, each once.
    pub roads: Vec<(usize, usize)>,
    /// Rail lines, each a row of neighbours.
    pub lines: Vec<Vec<usize>>,
    /// Every step along rail, in both directions. Where two lines share a step it is listed twice.
    pub(crate) rail_steps: Vec<RailStep>,
}

impl Board {
    /// The board that is played on by these rules.
    ///
    /// Reading: with `arms = closed` the stations of E and W are no part of the board, so roads, lines and arcs end
    /// in front of them.
    pub fn of(rules: &Rules) -> Board {
        let mut stations = Vec::new();
        for line in section("stations") {
            let words: Vec<&str> = line.split(' ').collect();
            stations.push(Station {
                name: words[0].to_string(),
                x: words[1].parse().expect("a number"),
                y: words[2].parse().expect("a number"),
                place: match words[3] {
                    "post" => Place::Post,
                    "camp" => Place::Camp,
                    _ => Place::Headquarters,
                },
            });
        }
        let number = |name: &str| stations.iter().position(|station| station.name == name).expect("a station");
        let mut present = Vec::new();
        for station in &stations {
            let quarter = &station.name[..1];
            present.push(match rules.variant {
                Variant::Siguo => true,
                Variant::Duel => !rules.arms_closed || "SNC".contains(quarter),
                Variant::Luzhanqi => "SN".contains(quarter),
            });
        }
        let mut roads = Vec::new();
        for line in section("roads") {
            let (from, far) = line.split_once(": ").expect("a colon");
            for to in far.split(' ') {
                let road = (number(from), number(to));
                if present[road.0] && present[road.1] {
                    roads.push(road);
                }
            }
        }
        let mut lines = Vec::new();
        let title = if rules.variant == Variant::Luzhanqi { "lines of luzhanqi" } else { "lines" };
        for line in section(title) {
            let (_, names) = line.split_once(": ").expect("a colon");
            let all: Vec<usize> = names.split(' ').map(number).collect();
            for part in all.split(|station| !present[*station]) {
                if part.len() > 1 {
                    lines.push(part.to_vec());
                }
            }
        }
        let mut board = Board { stations, present, roads, lines, rail_steps: Vec::new() };
        for line in board.lines.clone() {
            board.add_steps(&line);
            board.add_steps(&line.iter().rev().copied().collect::<Vec<_>>());
        }
        board
    }

    /// Whether this board has the station.
    pub fn has(&self, station: usize) -> bool {
        self.present.get(station) == Some(&true)
    }

    /// The numbers of its stations.
    pub fn numbers(&self) -> Vec<usize> {
        (0..self.stations.len()).filter(|station| self.has(*station)).collect()
    }

    /// The number of a station's name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.stations.iter().position(|station| station.name == name).filter(|station| self.has(*station))
    }

    /// The station at a point of the grid.
    pub fn at(&self, x: i32, y: i32) -> Option<usize> {
        let there = |station: &Station| (station.x, station.y) == (x, y);
        self.stations.iter().position(there).filter(|station| self.has(*station))
    }

    /// What a station is.
    pub fn place(&self, station: usize) -> Place {
        self.stations[station].place
    }

    /// The stations one road away.
    pub(crate) fn by_road(&self, station: usize) -> Vec<usize> {
        let mut far = Vec::new();
        for (one, two) in &self.roads {
            if *one == station {
                far.push(*two);
            } else if *two == station {
                far.push(*one);
            }
        }
        far
    }

    fn add_steps(&mut self, line: &[usize]) {
        for i in 1..line.len() {
            let straight = self.direction(line[i - 1], line[i]);
            // An arc goes on as the column in front of it and arrives as the column behind it.
            let leaves = straight.or_else(|| self.direction(line[i - 2], line[i - 1])).expect("a column");
            let arrives = straight.or_else(|| self.direction(line[i], line[i + 1])).expect("a column");
            self.rail_steps.push(RailStep { from: line[i - 1], to: line[i], leaves, arrives });
        }
    }

    /// The direction from one station to another on the same row or column of the grid.
    fn direction(&self, from: usize, to: usize) -> Option<(i32, i32)> {
        let right = (self.stations[to].x - self.stations[from].x).signum();
        let down = (self.stations[to].y - self.stations[from].y).signum();
        (right == 0 || down == 0).then_some((right, down))
    }
}

/// The lines below a title, up to the next empty one.
fn section(title: &str) -> Vec<&'static str> {
    let title = format!("[{title}]");
    TEXT.lines().skip_while(|line| *line != title).skip(1).take_while(|line| !line.is_empty()).collect()
}

//! The boards as graphs, built from their construction: four territories of 6x5 stations around a centre of 3x3.

use super::Station;
use super::rules::{Rules, Variant};

/// What kind of place a station is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// 兵站: an ordinary one.
    Post,
    /// 行營: who stands here cannot be attacked.
    Camp,
    /// 大本營: who stands here never moves again.
    Headquarters,
}

/// A station's facts.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// `S11`: territory, row from the front, column from the owner's left; `C11` in the centre.
    pub name: String,
    /// Its number on the four-country board; there every station has one, the other boards have some of them.
    pub id: u8,
    /// 0 to 3 for S, E, N, W; 4 for the centre.
    pub territory: u8,
    /// Row and column from 1, as in the name.
    pub row: u8,
    /// See `row`.
    pub col: u8,
    /// Column on the grid of 17x17, from the left.
    pub x: u8,
    /// Row on the grid, from the top; S lies at the bottom.
    pub y: u8,
    /// What kind of place it is.
    pub place: Place,
}

/// A rail line: stations in a row that a piece may run along.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Whether it bends around a corner of the board from one side column to the next.
    pub arc: bool,
    /// Its stations in order.
    pub stations: Vec<Station>,
}

/// A board.
#[derive(Clone, Debug)]
pub struct Graph {
    /// The stations by number.
    pub spots: Vec<Spot>,
    /// Neighbours by road, ascending.
    pub roads: Vec<Vec<Station>>,
    /// Neighbours by rail, ascending.
    pub rails: Vec<Vec<Station>>,
    /// The rail lines.
    pub lines: Vec<Line>,
    /// False where nobody may go: the empty arms of a closed duel.
    pub open: Vec<bool>,
}

const CENTRE: u8 = 4;

/// Stations of a territory, camps included.
pub const TERRITORY: usize = 30;

impl Graph {
    /// The board of a set of rules.
    pub fn of(rules: &Rules) -> Graph {
        match rules.variant {
            Variant::Siguo => Graph::four(),
            Variant::Duel if rules.arms_closed => Graph::four().without_arms(),
            Variant::Duel => Graph::four(),
            Variant::Luzhanqi => Graph::sixty(),
        }
    }

    /// The four-country board: 129 stations.
    pub fn four() -> Graph {
        let mut spots: Vec<Spot> = (0..4).flat_map(territory).collect();
        for index in 0..9 {
            let (row, col) = (index / 3 + 1, index % 3 + 1);
            let (name, id) = (format!("C{row}{col}"), 120 + index);
            let (x, y) = (4 + 2 * col, 4 + 2 * row);
            spots.push(Spot { name, id, territory: CENTRE, row, col, x, y, place: Place::Post });
        }
        let at =
            |territory: usize, row: usize, col: usize| (territory * TERRITORY + (row - 1) * 5 + col - 1) as Station;
        let column = |territory, col, rows: &mut dyn Iterator<Item = usize>| -> Vec<Station> {
            rows.map(|row| at(territory, row, col)).collect()
        };
        let centre = |cells: [u8; 3]| cells.map(|cell| 120 + cell).to_vec();
        let mut lines = Vec::new();
        let mut straight = |parts: &[Vec<Station>]| lines.push(Line { arc: false, stations: parts.concat() });
        for territory in 0..4 {
            straight(&[(1..=5).map(|col| at(territory, 1, col)).collect()]);
            straight(&[(1..=5).map(|col| at(territory, 5, col)).collect()]);
        }
        // From S and E across the centre to the other side, whose columns count from its own left.
        let across = [
            (0, 1, [6, 3, 0]),
            (0, 3, [7, 4, 1]),
            (0, 5, [8, 5, 2]),
            (1, 5, [2, 1, 0]),
            (1, 3, [5, 4, 3]),
            (1, 1, [8, 7, 6]),
        ];
        for (first, col, cells) in across {
            let rows = if col == 3 { 1 } else { 5 };
            let (near, far) = (column(first, col, &mut (1..=rows).rev()), column(first + 2, 6 - col, &mut (1..=rows)));
            straight(&[near, centre(cells), far]);
        }
        for territory in 0..4 {
            let (near, far) = (column(territory, 5, &mut (1..=5).rev()), column((territory + 1) % 4, 1, &mut (1..=5)));
            lines.push(Line { arc: true, stations: [near, far].concat() });
        }
        Graph::build(spots, lines)
    }

    /// The ordinary board of 12x5: two territories whose fronts meet.
    pub fn sixty() -> Graph {
        let spots: Vec<Spot> = [0, 2].into_iter().flat_map(territory).collect();
        let at =
            |territory: usize, row: usize, col: usize| (territory * TERRITORY + (row - 1) * 5 + col - 1) as Station;
        let mut lines = Vec::new();
        for territory in 0..2 {
            for row in [1, 5] {
                lines.push((1..=5).map(|col| at(territory, row, col)).collect());
            }
        }
        for (col, rows) in [(1, 5), (3, 1), (5, 5)] {
            let near = (1..=rows).rev().map(|row| at(0, row, col));
            lines.push(near.chain((1..=rows).map(|row| at(1, row, 6 - col))).collect());
        }
        Graph::build(spots, lines.into_iter().map(|stations| Line { arc: false, stations }).collect())
    }

    /// Roads join neighbours on the grid of a territory that no rail joins, and a camp with all eight around it.
    fn build(spots: Vec<Spot>, lines: Vec<Line>) -> Graph {
        let count = spots.len();
        let (mut rails, mut roads) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        for (a, b) in lines.iter().flat_map(|line| line.stations.iter().zip(&line.stations[1..])) {
            rails[usize::from(*a)].push(*b);
            rails[usize::from(*b)].push(*a);
        }
        for list in &mut rails {
            list.sort_unstable();
            list.dedup();
        }
        for (a, one) in spots.iter().enumerate() {
            for (b, other) in spots.iter().enumerate() {
                if one.territory != other.territory || one.territory == CENTRE {
                    continue;
                }
                let (rows, cols) = (one.row.abs_diff(other.row), one.col.abs_diff(other.col));
                let camp = one.place == Place::Camp || other.place == Place::Camp;
                let near = rows + cols == 1 || (rows == 1 && cols == 1 && camp);
                if near && !rails[a].contains(&(b as Station)) {
                    roads[a].push(b as Station);
                }
            }
        }
        Graph { open: vec![true; count], spots, roads, rails, lines }
    }

    /// The board with the arms of E and W closed.
    fn without_arms(mut self) -> Graph {
        self.open = self.spots.iter().map(|spot| spot.territory != 1 && spot.territory != 3).collect();
        let open = &self.open;
        let is_open = |station: &Station| open[usize::from(*station)];
        for lists in [&mut self.roads, &mut self.rails] {
            for (station, list) in lists.iter_mut().enumerate() {
                list.retain(|to| open[station] && is_open(to));
            }
        }
        self.lines.retain(|line| !line.arc);
        for line in &mut self.lines {
            line.stations.retain(is_open);
        }
        self.lines.retain(|line| line.stations.len() > 1);
        self
    }

    /// Number of stations.
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// Never: every board has stations.
    pub fn is_empty(&self) -> bool {
        self.spots.is_empty()
    }

    /// The station of a name.
    pub fn station(&self, name: &str) -> Option<Station> {
        let found = self.spots.iter().position(|spot| spot.name.eq_ignore_ascii_case(name))?;
        Some(found as Station)
    }

    /// Where each station goes when the grid is turned anticlockwise so many quarters, mirrored left to right before
    /// that; none where the board does not fall onto itself.
    pub fn turned(&self, quarters: u8, mirrored: bool) -> Option<Vec<Station>> {
        let image = |spot: &Spot| {
            let mut at = (if mirrored { 16 - spot.x } else { spot.x }, spot.y);
            (0..quarters).for_each(|_| at = (at.1, 16 - at.0));
            self.spots.iter().position(|other| (other.x, other.y) == at).map(|station| station as Station)
        };
        let images: Vec<Station> = self.spots.iter().map(image).collect::<Option<_>>()?;
        let same = |list: &[Vec<Station>]| {
            (0..self.len())
                .all(|a| list[a].iter().all(|&b| list[usize::from(images[a])].contains(&images[usize::from(b)])))
        };
        let places = (0..self.len()).all(|a| self.spots[a].place == self.spots[usize::from(images[a])].place);
        (places && same(&self.roads) && same(&self.rails)).then_some(images)
    }
}

/// The thirty stations of a territory, S first, each next one a quarter turn on.
fn territory(territory: u8) -> Vec<Spot> {
    let mut spots = Vec::new();
    for row in 1..=6u8 {
        for col in 1..=5u8 {
            let place = match (row, col) {
                (2 | 4, 2 | 4) | (3, 3) => Place::Camp,
                (6, 2 | 4) => Place::Headquarters,
                _ => Place::Post,
            };
            let mut at = (5 + col, 10 + row);
            (0..territory).for_each(|_| at = (at.1, 16 - at.0));
            let name = format!("{}{row}{col}", b"SENW"[usize::from(territory)] as char);
            let id = territory * TERRITORY as u8 + (row - 1) * 5 + col - 1;
            spots.push(Spot { name, id, territory, row, col, x: at.0, y: at.1, place });
        }
    }
    spots
}

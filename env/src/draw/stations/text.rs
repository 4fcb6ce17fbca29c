//! Stations in a terminal.

use super::{Stations, Stop, Tile};
use crate::draw::text::{BLACK, LAST_PLY, Style, WOOD, painted};
use crate::game::{Seat, Status};
use crate::junqi::Kind;
use crate::junqi::graph::Place;

/// Columns of a station; one more lies between it and the next.
const CELL: usize = 3;

// Indices of the 256-colour palette: each territory's colour under a face, a darker one under a back.
const FACES: [u8; 4] = [160, 91, 25, 28];
const BACKS: [u8; 4] = [88, 54, 18, 22];
const FACE_INK: u8 = 231;
const BACK_INK: u8 = 223;
const FAINT: u8 = 94;
const CLOSED: u8 = 144;

impl Stations {
    /// The viewer at the bottom: `S40` a piece whose rank it knows, `E?` one that it does not, `E+` one of those that
    /// has moved; `( )` camps, `[ ]` headquarters, `=` and `.` empty posts on and off the rails, `x` closed ones, `*`
    /// where the last ply came from and beside where it went. On the edges `S3` and `5` name a territory's row and column, so that they meet in S35.
    /// Below, whose turn it is and how every seat stands.
    pub(in crate::draw) fn text(&self, style: Style) -> String {
        let (columns, rows) = (with_edges(&self.columns()), with_edges(&self.rows()));
        let (labels, gaps) = (self.labels(), self.gaps());
        let mut text = String::new();
        for &y in &rows {
            if let Some(&gap) = gaps.iter().find(|[_, below]| i16::from(*below) == y) {
                self.write_gap(gap, &mut text);
            }
            let at = |x: i16| self.stops.iter().position(|stop| (i16::from(stop.x), i16::from(stop.y)) == (x, y));
            let row: Vec<Option<usize>> = columns.iter().map(|&x| at(x)).collect();
            let mut line = String::new();
            for (column, &station) in row.iter().enumerate() {
                let left = column.checked_sub(1).and_then(|left| row[left]);
                self.write_between([left, station], style, &mut line);
                let label = || labels.iter().find(|label| label.at == [columns[column], y]);
                match station {
                    Some(station) => self.write_station(station, style, &mut line),
                    None => line += &format!("{:^CELL$}", label().map_or("", |label| &label.text)),
                }
            }
            text += line.trim_end();
            text.push('\n');
        }
        text + &self.turn_line() + &self.side_lines(style)
    }

    /// Names of rows and columns: beside a territory's first column, and behind its last row.
    fn labels(&self) -> Vec<Label> {
        let mut labels = Vec::new();
        for stop in self.stops.iter().filter(|stop| stop.territory.is_some()) {
            let letter = stop.name.chars().next().unwrap_or_default();
            let row = (stop.col == 1).then(|| (format!("{letter}{}", stop.row), (stop.row, 2)));
            let column = (stop.row == 6).then(|| (stop.col.to_string(), (5, stop.col)));
            for (text, inside) in [row, column].into_iter().flatten() {
                // Away from the neighbour that lies further inside.
                let neighbour = |other: &&Stop| other.territory == stop.territory && (other.row, other.col) == inside;
                let Some(next) = self.stops.iter().find(neighbour) else { continue };
                let beyond = |own: u8, next: u8| 2 * i16::from(own) - i16::from(next);
                labels.push(Label { at: [beyond(stop.x, next.x), beyond(stop.y, next.y)], text });
            }
        }
        labels
    }

    /// What stands between two stations of a row: the brackets of either, else a mark of the last ply.
    fn write_between(&self, beside: [Option<usize>; 2], style: Style, line: &mut String) {
        let bracket = |side: usize, station: usize| {
            let brackets = match self.stops[station].place {
                Place::Post => return None,
                Place::Camp => ['(', ')'],
                Place::Headquarters => ['[', ']'],
            };
            // The left one of the two closes here.
            Some(brackets[1 - side])
        };
        let brackets = (0..2).find_map(|side| beside[side].and_then(|station| bracket(side, station)));
        let is_last = |station: usize| self.stops[station].tile.is_some() && self.is_last(station);
        let last = beside.into_iter().flatten().any(is_last);
        let mark = brackets.unwrap_or(if last { '*' } else { ' ' });
        match style.colour && beside != [None; 2] {
            true => *line += &painted(&mark.to_string(), BLACK, if last { LAST_PLY } else { WOOD }),
            false => line.push(mark),
        }
    }

    fn write_station(&self, station: usize, style: Style, line: &mut String) {
        let stop = &self.stops[station];
        let inside = match stop.tile {
            None if self.is_last(station) => " * ".into(),
            None => empty(stop).into(),
            Some(tile) => self.piece(tile, style),
        };
        if !style.colour {
            *line += &inside;
            return;
        }
        let (ink, ground) = match stop.tile {
            None if self.is_last(station) => (BLACK, LAST_PLY),
            None => (if stop.open { FAINT } else { CLOSED }, WOOD),
            Some(tile) => self.paints(tile),
        };
        *line += &painted(&inside, ink, ground);
    }

    /// A piece in three columns.
    fn piece(&self, tile: Tile, style: Style) -> String {
        let letter = self.side(tile.seat).map_or('?', |side| side.letter);
        match (tile.kind, style.chinese) {
            (Some(kind), true) => format!("{letter}{}", character(kind)),
            (Some(kind), false) if kind.short().is_ascii() => format!("{letter}{}", kind.short()),
            (Some(kind), false) => format!("{letter}{} ", kind.letter()),
            (None, _) => format!("{letter}{} ", if tile.moved { '+' } else { '?' }),
        }
    }

    /// Ink and ground of a piece.
    fn paints(&self, tile: Tile) -> (u8, u8) {
        let territory = self.side(tile.seat).map_or(0, |side| usize::from(side.territory) % 4);
        match tile.kind {
            Some(_) => (FACE_INK, FACES[territory]),
            None => (BACK_INK, BACKS[territory]),
        }
    }

    /// The rails that cross where the rows of the grid have a gap.
    fn write_gap(&self, gap: [u8; 2], text: &mut String) {
        let columns = self.columns();
        let rails: String = columns.iter().map(|&x| if self.crosses(x, gap) { "  | " } else { "    " }).collect();
        // The edge comes first.
        *text += format!("{:CELL$} {rails}", "").trim_end();
        text.push('\n');
    }

    fn turn_line(&self) -> String {
        let letter = |seat: Seat| self.side(seat).map_or('?', |side| side.letter);
        let first = match self.status {
            Status::Ongoing => match self.places_at {
                Some(station) => format!("{} to move: sets up {}", letter(self.to_move), self.stops[station].name),
                None => format!("{} to move", letter(self.to_move)),
            },
            Status::Win(seat, reason) => {
                let seats = (0..self.sides.len() as Seat).filter(|other| (other ^ seat) & 1 == 0);
                let winners: Vec<String> = seats.map(|seat| letter(seat).to_string()).collect();
                format!("{} won ({})", winners.join("+"), reason.name())
            }
            Status::Draw(reason) => format!("drawn ({})", reason.name()),
        };
        let quiet_limit = self.quiet_limit.map(|limit| format!(" of {limit}")).unwrap_or_default();
        let viewer = letter(self.viewer);
        format!("{first}, ply {}, quiet {}{quiet_limit}, seen by {viewer}\n", self.plies, self.quiet)
    }

    /// A line for each seat: pieces left, last ply, the signal that the viewer heard, whether it is out, and the ranks of
    /// lost ones that the viewer knows.
    fn side_lines(&self, style: Style) -> String {
        let mut text = String::new();
        for side in &self.sides {
            let (chinese, english) = side.colour();
            let name = if style.chinese { format!("{chinese} {english}") } else { english.into() };
            let name = match style.colour {
                true => painted(&format!(" {} {name} ", side.letter), FACE_INK, FACES[usize::from(side.territory) % 4]),
                false => format!("{} {name}", side.letter),
            };
            text += &match side.out {
                Some(out) => format!("{name}: out ({})", out.name()),
                None => format!("{name}: {} pieces", side.left),
            };
            if let Some([from, to]) = side.last {
                text += &format!(", last {}-{}", self.stops[from].name, self.stops[to].name);
            }
            if let Some(signal) = side.signal {
                text += &format!(", signal {signal}");
            }
            let known: Vec<String> = side
                .gone
                .iter()
                .flatten()
                .map(|&kind| match (style.chinese, kind.short().is_ascii()) {
                    (true, _) => character(kind).into(),
                    (false, true) => kind.short().into(),
                    (false, false) => kind.letter().into(),
                })
                .collect();
            if !known.is_empty() {
                text += &format!(", lost {}", known.join(" "));
            }
            text.push('\n');
        }
        text
    }
}

/// What stands on the edge of the board.
struct Label {
    at: [i16; 2],
    text: String,
}

/// Lines of the grid, and one more on either side.
fn with_edges(used: &[u8]) -> Vec<i16> {
    let (Some(&first), Some(&last)) = (used.first(), used.last()) else { return Vec::new() };
    let inner = used.iter().map(|&line| i16::from(line));
    [i16::from(first) - 1].into_iter().chain(inner).chain([i16::from(last) + 1]).collect()
}

fn empty(stop: &Stop) -> &'static str {
    match stop.place {
        _ if !stop.open => " x ",
        Place::Post if stop.on_rails => " = ",
        Place::Post => " . ",
        Place::Camp | Place::Headquarters => "   ",
    }
}

/// One character of a kind's name that no other kind has.
fn character(kind: Kind) -> char {
    let name = if kind.short().is_ascii() { kind.name() } else { kind.short() };
    name.chars().next().unwrap_or('?')
}

//! The board as plain text: what a view's seat sees.

use super::graph::Place;
use super::view::{Out, View, has, seat_of};
use super::{Junqi, Station};
use crate::game::{Seat, Status};

impl Junqi {
    /// The letter of a seat: S, E, N, W; in a game of two S and N.
    pub fn seat_letter(&self, seat: Seat) -> char {
        let step = if self.seats() == 2 { 2 } else { 1 };
        b"SENW"[usize::from(seat * step) % 4] as char
    }

    /// The seat of a letter.
    pub fn seat_of_letter(&self, letter: char) -> Option<Seat> {
        (0..self.seats()).find(|&seat| self.seat_letter(seat) == letter.to_ascii_uppercase())
    }

    /// The board with S at the bottom: `S40` a piece whose rank the seat knows, `E?` one that it does not, `E+` one of
    /// those that has moved; `( )` camps, `[ ]` headquarters, `.` empty posts. Below it, who is to move and who is out.
    pub(super) fn draw_view(&self, view: &View) -> String {
        let graph = &self.board.graph;
        let mut text = String::new();
        let used = |x: u8, y: u8| graph.spots.iter().any(|spot| spot.x == x || spot.y == y);
        let xs: Vec<u8> = (0..17).filter(|&x| graph.spots.iter().any(|spot| spot.x == x)).collect();
        for y in (0..17).filter(|&y| used(u8::MAX, y)) {
            let mut line = String::new();
            for &x in &xs {
                let at = graph.spots.iter().position(|spot| (spot.x, spot.y) == (x, y));
                line += &at.map_or_else(|| " ".repeat(6), |station| self.draw_station(view, station as Station));
            }
            text += line.trim_end();
            text.push('\n');
        }
        text + &self.caption(view)
    }

    fn draw_station(&self, view: &View, station: Station) -> String {
        let spot = &self.board.graph.spots[usize::from(station)];
        let [open, close] = match spot.place {
            Place::Post => [' ', ' '],
            Place::Camp => ['(', ')'],
            Place::Headquarters => ['[', ']'],
        };
        let inside = match view.public.piece_at(station) {
            None if spot.place == Place::Post => ".".into(),
            None => String::new(),
            Some(piece) => {
                let rank = match view.rank(piece) {
                    Some(kind) if kind.short().is_ascii() => kind.short().into(),
                    Some(kind) => kind.letter().to_string(),
                    None if has(&view.public.shown, piece) => "F".into(),
                    None if has(&view.public.moved, piece) => "+".into(),
                    None => "?".into(),
                };
                format!("{}{rank}", self.seat_letter(seat_of(piece)))
            }
        };
        format!("{open}{inside:<3}{close} ")
    }

    fn caption(&self, view: &View) -> String {
        let public = &view.public;
        let mut parts = vec![match public.status {
            Status::Ongoing => format!("{} to move", self.seat_letter(public.to_move)),
            Status::Win(seat, reason) => {
                let ally = self.ally(seat).map(|ally| format!("+{}", self.seat_letter(ally))).unwrap_or_default();
                format!("{}{ally} won ({})", self.seat_letter(seat), reason.name())
            }
            Status::Draw(reason) => format!("draw ({})", reason.name()),
        }];
        if let Some(station) = self.places_at(public) {
            parts.push(format!("sets up {}", self.board.graph.spots[usize::from(station)].name));
        }
        for seat in 0..self.seats() {
            if let Some(why) = public.out[usize::from(seat)] {
                parts.push(format!("{} out ({})", self.seat_letter(seat), why.name()));
            }
        }
        parts.push(format!("ply {}, quiet {}, seen by {}", public.plies, public.quiet, self.seat_letter(view.seat)));
        parts.join("; ")
    }
}

impl Out {
    /// All reasons.
    pub const ALL: [Out; 4] = [Out::Flag, Out::NoMoves, Out::Resigned, Out::TimeOuts];

    /// The name used in texts.
    pub fn name(self) -> &'static str {
        ["flag", "no-moves", "resigned", "time-outs"][self as usize]
    }
}

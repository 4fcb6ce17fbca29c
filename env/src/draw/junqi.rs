//! Junqi positions as plain diagrams: the stations on their grid, teams as colours, ranks that are not known face down.

use super::diagram::{Diagram, Spot, Tile};
use crate::darkchess::Colour;
use crate::darkchess::rules::Family;
use crate::game::{Game as _, Seat};
use crate::junqi::view::seat_of;
use crate::junqi::{Junqi, View};

pub(crate) fn diagram(game: &Junqi, view: &View) -> Diagram {
    let spots = &game.graph().spots;
    // Rows and columns without stations are left out.
    let used = |of: fn(&crate::junqi::graph::Spot) -> u8| -> Vec<u8> {
        let mut values: Vec<u8> = spots.iter().map(of).collect();
        values.sort_unstable();
        values.dedup();
        values
    };
    let (xs, ys) = (used(|spot| spot.x), used(|spot| spot.y));
    let public = view.public();
    let colour = |seat: Seat| if seat & 1 == 0 { Colour::Red } else { Colour::Black };
    let cells = || ys.iter().flat_map(|&y| xs.iter().map(move |&x| (x, y)));
    let station = |cell: (u8, u8)| spots.iter().position(|spot| (spot.x, spot.y) == cell).map(|station| station as u8);
    let spot = |cell| match station(cell).and_then(|station| public.piece_at(station)) {
        None => Spot::Empty,
        Some(piece) => view.rank(piece).map_or(Spot::Back, |kind| {
            let character = kind.name().chars().next().unwrap_or('?');
            Spot::Face(Tile { letter: kind.letter(), character, colour: colour(seat_of(piece)) })
        }),
    };
    let seats = 0..game.seats();
    let last: Vec<u8> =
        seats.clone().filter_map(|seat| public.last_ply(seat)).flat_map(|(from, to)| [from, to]).collect();
    Diagram {
        game: game.spec().name.clone(),
        position: game.view_text(view),
        rows: ys.len(),
        cols: xs.len(),
        spots: cells().map(spot).collect(),
        last: cells().map(|cell| station(cell).is_some_and(|station| last.contains(&station))).collect(),
        status: game.view_status(view),
        to_move: game.view_to_move(view),
        colours: seats.map(|seat| Some(colour(seat))).collect(),
        family: Family::DarkChess,
        plies: public.plies(),
        quiet: public.quiet(),
        quiet_limit: Some(game.rules().quiet_limit).filter(|&limit| limit > 0),
        stock: Vec::new(),
    }
}

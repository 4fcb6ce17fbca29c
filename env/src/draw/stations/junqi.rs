//! Junqi's views as diagrams.

use super::{Side, Stands, Stations, Stop, Tile};
use crate::game::{Game as _, Seat};
use crate::junqi::piece::PIECES;
use crate::junqi::view::{piece_of, seat_of};
use crate::junqi::{Junqi, Kind, Piece, Signal, View};

pub(crate) fn diagram(game: &Junqi, view: &View) -> Stations {
    let (graph, public, viewer) = (game.graph(), view.public(), view.seat());
    let territory = |seat: Seat| if game.seats() == 2 { 2 * seat } else { seat };
    // So many quarter turns bring the viewer's territory to the bottom.
    let turned = |mut at: (u8, u8)| {
        (territory(viewer)..4).for_each(|_| at = (at.1, 16 - at.0));
        at
    };
    let rank = |piece: Piece| view.rank(piece).or_else(|| public.rank(piece));
    let stops = graph.spots.iter().enumerate().map(|(station, spot)| {
        let (x, y) = turned((spot.x, spot.y));
        let tile = public.piece_at(station as u8).map(|piece| Tile {
            seat: seat_of(piece),
            kind: rank(piece),
            moved: public.has_moved(piece),
            survived: public.has_survived(piece),
        });
        Stop {
            name: spot.name.clone(),
            place: spot.place,
            territory: Some(spot.territory).filter(|&territory| territory < 4),
            row: spot.row,
            col: spot.col,
            x,
            y,
            on_rails: !graph.rails[station].is_empty(),
            open: graph.open[station],
            tile,
        }
    });
    let roads = graph.roads.iter().enumerate();
    let roads = roads.flat_map(|(a, list)| list.iter().map(move |&b| [a, usize::from(b)])).filter(|[a, b]| a < b);
    let straight = graph.lines.iter().filter(|line| !line.arc && line.stations.len() > 1);
    let ends = straight.map(|line| [line.stations[0], line.stations[line.stations.len() - 1]].map(usize::from));
    let arcs = graph.lines.iter().filter(|line| line.arc);
    let bend = |pair: &[u8]| {
        let [one, other] = [pair[0], pair[1]].map(|station| &graph.spots[usize::from(station)]);
        one.x != other.x && one.y != other.y
    };
    let bends = arcs.flat_map(|line| line.stations.windows(2).filter(|pair| bend(pair)));
    let places_at = game.places_at(public).map(usize::from);
    let side = |seat: Seat| {
        let pieces = (0..PIECES).map(|slot| piece_of(seat, slot));
        let missing = pieces.filter(|&piece| public.station_of(piece).is_none() && places_at.is_none());
        let mut gone: Vec<Option<Kind>> = missing.map(rank).collect();
        // The kinds that never move stand first in the order of kinds, and last here.
        gone.sort_by_key(|kind| kind.map_or(u8::MAX, |kind| (kind as u8 + 9) % 12));
        let out = public.out(seat);
        let last = public.last_ply(seat).filter(|_| out.is_none());
        Side {
            letter: game.seat_letter(seat),
            territory: territory(seat),
            stands: match seat {
                _ if seat == viewer => Stands::Viewer,
                _ if game.ally(viewer) == Some(seat) => Stands::Ally,
                _ => Stands::Enemy,
            },
            out,
            left: public.pieces(seat).count(),
            gone,
            last: last.map(|(from, to)| [from, to].map(usize::from)),
            signal: view.signal(seat).map(Signal::name),
        }
    };
    let to_move = game.view_to_move(view);
    // Backwards in the order of turns from the seat to move, itself last.
    let seats = usize::from(game.seats());
    let step = if game.rules().clockwise { 1 } else { seats - 1 };
    let before = (1..=seats).map(|steps| ((usize::from(to_move) + steps * step) % seats) as Seat);
    let last_mover = before.filter(|&seat| public.out(seat).is_none()).find(|&seat| public.last_ply(seat).is_some());
    Stations {
        game: game.spec().name.clone(),
        position: game.view_text(view),
        stops: stops.collect(),
        roads: roads.collect(),
        rails: ends.collect(),
        arcs: bends.map(|pair| [usize::from(pair[0]), usize::from(pair[1])]).collect(),
        sides: (0..game.seats()).map(side).collect(),
        viewer,
        to_move,
        status: game.view_status(view),
        plies: public.plies(),
        quiet: public.quiet(),
        quiet_limit: Some(game.rules().quiet_limit).filter(|&limit| limit > 0),
        last_mover,
        places_at,
    }
}

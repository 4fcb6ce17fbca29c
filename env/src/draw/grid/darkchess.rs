//! The dark chess family's positions as diagrams.

use super::{Grid, Spot, Stock, Tile};
use crate::darkchess::{Cell, DarkChess, Piece, Position};
use crate::game::Game as _;

pub(crate) fn diagram(game: &DarkChess, position: &Position) -> Grid {
    let [_, rows, cols] = game.spec().planes;
    let family = game.rules().family;
    let squares = 0..(rows * cols) as u8;
    let spots: Vec<Spot> = squares
        .clone()
        .map(|square| match position.cell(square) {
            Cell::Empty => Spot::Empty,
            Cell::FaceDown => Spot::Back,
            Cell::Up(piece) => Spot::Face(Tile::of(family, piece)),
        })
        .collect();
    let in_game = |piece: &Piece| game.rules().pieces[piece.kind() as usize] > 0;
    let stock = Piece::all().filter(in_game).map(|piece| {
        let unseen = position.unseen(piece);
        let up = spots.iter().filter(|&&spot| spot == Spot::Face(Tile::of(family, piece))).count() as u8;
        let captured = game.rules().pieces[piece.kind() as usize].saturating_sub(unseen + up);
        Stock { tile: Tile::of(family, piece), unseen, captured }
    });
    Grid {
        game: game.spec().name.clone(),
        position: game.view_text(position),
        rows,
        cols,
        stock: stock.collect(),
        spots,
        last: squares.map(|square| position.is_last(square)).collect(),
        status: position.status(),
        to_move: position.to_move(),
        colours: (0..game.spec().num_seats as u8).map(|seat| position.colour_of(seat)).collect(),
        family,
        plies: position.plies(),
        quiet: position.quiet(),
        quiet_limit: Some(game.rules().quiet_limit).filter(|&limit| limit > 0),
    }
}

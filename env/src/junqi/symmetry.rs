//! The board's symmetries: turned towards a seat, and mirrored.

use super::Station;
use super::board::Board;
use super::observe::FEATURES;
use super::rules::{Rules, Variant};
use crate::game::{Action, Seat, Symmetry};

/// Symmetries of what each seat sees. Observations already stand as their seat looks at the board, so the quarter turns
/// are spent, and turn the actions alone. A mirror image would turn the order of four seats around, and is a symmetry
/// for two.
pub(super) fn symmetries(rules: &Rules, board: &Board) -> Vec<Vec<Symmetry>> {
    let stations = board.graph.len() as Station;
    let mut images = vec![(0..stations).collect::<Vec<Station>>()];
    if rules.variant != Variant::Siguo {
        images.extend(board.graph.turned(0, true));
    }
    let of_seat = |seat| {
        let own = board.graph.turned(quarters(rules, seat), false).expect("every board turns onto itself");
        let whole = |image: &Vec<Station>| own.iter().map(|&station| image[usize::from(station)]).collect::<Vec<_>>();
        images.iter().map(|image| Symmetry::new(cells(image), actions(board, &whole(image)))).collect()
    };
    (0..rules.variant.seats() as Seat).map(of_seat).collect()
}

/// Where each byte of an observation goes: row by station, features as they are.
fn cells(image: &[Station]) -> Vec<u16> {
    image.iter().flat_map(|&to| (0..FEATURES as u16).map(move |f| u16::from(to) * FEATURES as u16 + f)).collect()
}

fn actions(board: &Board, image: &[Station]) -> Vec<Action> {
    let at = |station: Station| image[usize::from(station)];
    let moves = board.moves.iter().map(|&(from, to)| board.number_of(at(from), at(to)).unwrap_or(Action::MAX));
    // Placements and signals name no station.
    moves.chain(board.moves.len() as Action..board.num_actions() as Action).collect()
}

/// How often a seat's board is turned so that its own territory lies where that of S does.
pub(super) fn quarters(rules: &Rules, seat: Seat) -> u8 {
    if rules.variant.seats() == 2 { 2 * seat } else { (4 - seat) % 4 }
}

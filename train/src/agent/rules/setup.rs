//! Setting up: a sensible layout, drawn piece by piece.

use anqi_env::game::{Action, Game, Seat};
use anqi_env::junqi::piece::{COUNTS, Kind};
use anqi_env::junqi::{Junqi, View};

/// How well a kind fits into a row and column of the own territory, front row first; `flag` is the flag's column where
/// that is known.
pub(super) fn fits(kind: Kind, row: u8, col: u8, flag: Option<u8>) -> f32 {
    let headquarters = row == 6 && (col == 2 || col == 4);
    // Strong pieces stand forward on the side columns, which are rails; weak ones behind or in front as scouts.
    let rail = col == 1 || col == 5 || row == 1 || row == 5;
    match kind {
        Kind::Flag => 1.0,
        // Around the flag first; some elsewhere, or everybody would know.
        Kind::Mine => match flag {
            Some(flag) if !headquarters && col.abs_diff(flag) + (6 - row) == 1 => 20.0,
            _ if headquarters => 0.5,
            _ if row == 6 => 1.2,
            _ => 0.5,
        },
        _ if headquarters => match kind {
            Kind::Company | Kind::Platoon => 3.0,
            Kind::Regiment | Kind::Battalion | Kind::Engineer => 0.02,
            // What stands there never moves.
            _ => 0.0,
        },
        Kind::Bomb => [0.1, 1.5, 2.0, 1.5, 0.5, 0.05][usize::from(row - 1)],
        Kind::Commander => [0.4, 2.0, 2.0, 1.5, 0.4, 0.02][usize::from(row - 1)],
        Kind::General => [1.0, 2.0, 2.0, 1.0, 0.3, 0.02][usize::from(row - 1)],
        Kind::Division | Kind::Brigade => [2.0, 1.5, 1.2, 1.0, 0.6, 0.05][usize::from(row - 1)],
        Kind::Regiment | Kind::Battalion => [1.5, 1.2, 1.0, 1.0, 1.0, 0.3][usize::from(row - 1)],
        Kind::Company | Kind::Platoon => [1.2, 0.7, 0.7, 1.0, 1.5, 2.0][usize::from(row - 1)],
        Kind::Engineer => [0.3, 0.7, 0.8, 1.2, 2.0, 1.0][usize::from(row - 1)] * if rail { 1.5 } else { 1.0 },
    }
}

/// How likely each legal placement should be; none where the action places nothing.
pub(super) fn chances(game: &Junqi, view: &View, legal: &[Action]) -> Vec<f32> {
    let seat: Seat = game.view_to_move(view);
    let public = view.public();
    let Some(station) = game.places_at(public) else { return vec![0.0; legal.len()] };
    let spot = |station: u8| &game.graph().spots[usize::from(station)];
    let placed = || public.pieces(seat).filter_map(|piece| Some((view.rank(piece)?, game.home(piece))));
    let flag = placed().find(|&(kind, _)| kind == Kind::Flag).map(|(_, home)| spot(home).col);
    let (row, col) = (spot(station).row, spot(station).col);
    let chance = |&action: &Action| {
        let Some(kind) = game.places(action) else { return 0.0 };
        let left = COUNTS[kind as usize].saturating_sub(placed().filter(|&(other, _)| other == kind).count() as u8);
        // The flag goes into either headquarters alike, against all that could stand there.
        let among = if kind == Kind::Flag { FIRST_HEADQUARTERS } else { f32::from(left) };
        among * fits(kind, row, col, flag)
    };
    legal.iter().map(chance).collect()
}

/// Makes the flag as likely in the first headquarters as all other kinds together: what [`fits`] adds up to there.
const FIRST_HEADQUARTERS: f32 = 1.5 + 18.0 + 0.02 * 7.0;

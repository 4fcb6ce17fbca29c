//! What a piece may yet achieve from where it stands: the best captures on its way, each step further counting less, and
//! only as far as it likely survives.

use std::collections::VecDeque;

use anqi_env::junqi::Station;
use anqi_env::junqi::piece::Kind;

use super::exchange::Exchange;
use super::position::{Holder, Position};
use super::terrain::{Field, STATIONS, Terrain, Ways};
use super::worth::{FLIGHT, PLY};

/// What is less than this times more is no change.
const CHANGE: f32 = 1.01;

/// What stays of an outlook past a station that an own piece, a partner's or an enemy in a camp holds: it may go away.
const PAST_OWN: f32 = 0.75;
const PAST_PARTNER: f32 = 0.5;
const PAST_CAMP: f32 = 0.3;

/// What entering a station brings: something, and then a share of the outlook from there.
#[derive(Clone, Copy, Default)]
pub(super) struct Entry {
    pub(super) gain: f32,
    pub(super) onward: f32,
}

/// How pieces get about.
#[derive(Clone, Copy)]
pub(super) enum Travel<'a> {
    /// As most do, along one line in a ply.
    Runs(&'a Ways),
    /// Along rails over any turns.
    Flights,
}

/// Spreads over the board what entering its stations brings: the wave starts where something can be gained and goes back
/// along all ways, for who reaches a station is reached from there.
pub(super) fn spread(terrain: &Terrain, travel: Travel<'_>, entry: impl Fn(Station) -> Entry) -> Field {
    let mut entries = [Entry::default(); STATIONS];
    (0..terrain.len).for_each(|station| entries[station] = entry(station as Station));
    let mut field = [0.0f32; STATIONS];
    // What entering is worth as the field stands.
    let mut worth: Field = std::array::from_fn(|station| entries[station].gain.max(0.0));
    let mut wave: VecDeque<usize> = (0..terrain.len).filter(|&station| worth[station] > 0.0).collect();
    wave.make_contiguous().sort_by(|&a, &b| worth[b].total_cmp(&worth[a]));
    let mut waits: [bool; STATIONS] = worth.map(|worth| worth > 0.0);
    while let Some(station) = wave.pop_front() {
        waits[station] = false;
        let value = worth[station];
        let mut offer = |from: Station, value: f32| {
            let from = usize::from(from);
            if value <= field[from] * CHANGE {
                return;
            }
            field[from] = value;
            let Entry { gain, onward } = entries[from];
            let entering = gain + onward * value;
            if entering > worth[from] {
                worth[from] = entering;
                if !std::mem::replace(&mut waits[from], true) {
                    wave.push_back(from);
                }
            }
        };
        match travel {
            Travel::Runs(ways) => ways.from(station).iter().for_each(|&from| offer(from, PLY * value)),
            Travel::Flights => {
                for step in &terrain.steps[station] {
                    offer(step.to, if step.rail { FLIGHT } else { PLY } * value);
                }
            }
        }
    }
    field
}

/// The outlook of an own kind from every station.
pub(super) fn of(position: &Position, exchange: &Exchange, travel: Travel<'_>, kind: Kind, hq_moves: bool) -> Field {
    let terrain = position.terrain;
    spread(terrain, travel, |station| {
        let index = usize::from(station);
        let stays = terrain.headquarters[index] && !hq_moves;
        let onward = |share: f32| Entry { gain: 0.0, onward: if stays { 0.0 } else { share } };
        match position.holder(&position.ground, station) {
            Holder::Nobody => onward(1.0),
            Holder::Own(_) => onward(PAST_OWN),
            Holder::Partner => onward(PAST_PARTNER),
            Holder::Foe(_) if terrain.camp[index] => onward(PAST_CAMP),
            Holder::Foe(foe) => {
                let attack = exchange.attacks[foe][kind as usize];
                // A sure flag must not outshine the whole board.
                Entry { gain: attack.value.min(2.0 * super::worth::FLAG), ..onward(attack.won) }
            }
        }
    })
}

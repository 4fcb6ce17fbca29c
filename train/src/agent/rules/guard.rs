//! The flags to guard: how open they lie to each station, and what enemies near them are worth.

use anqi_env::game::Seat;
use anqi_env::junqi::piece::{COUNTS, FIXED, Fight, KINDS, Kind};
use anqi_env::junqi::view::slot_of;
use anqi_env::junqi::{Junqi, Station, View};

use super::outlook::{Entry, Travel, spread};
use super::position::{Holder, Position};
use super::terrain::{Field, Ways};
use super::worth::{FAR, INTRUDER, PARTNER, SHIELD};

/// How likely an enemy gets past another enemy, which makes way, and past a partner's piece.
const PAST_ENEMY: f32 = 0.8;
const PAST_PARTNER: f32 = 0.4;

/// How likely an average piece that moves beats each kind.
fn breakthrough(game: &Junqi) -> [f32; KINDS] {
    let mobile = || (0..KINDS).filter(|kind| FIXED >> kind & 1 == 0);
    let all: f32 = mobile().map(|kind| f32::from(COUNTS[kind])).sum();
    std::array::from_fn(|own| {
        let wins = |&kind: &usize| game.combat().fight(Kind::ALL[kind], Kind::ALL[own]) == Fight::Won;
        mobile().filter(wins).map(|kind| f32::from(COUNTS[kind])).sum::<f32>() / all
    })
}

/// How open a flag lies to a piece on each station, from 0 to 1; the flag is as likely on each of these.
fn exposure(game: &Junqi, position: &Position, ways: &Ways, flags: &[(Station, f32)]) -> Field {
    let past = breakthrough(game);
    spread(position.terrain, Travel::Runs(ways), |station| {
        if let Some(&(_, share)) = flags.iter().find(|(flag, _)| *flag == station) {
            return Entry { gain: share, onward: 0.0 };
        }
        let onward = match position.holder(&position.ground, station) {
            _ if position.terrain.headquarters[usize::from(station)] => 0.0,
            Holder::Nobody => 1.0,
            Holder::Own(kind) => past[kind as usize],
            Holder::Partner => PAST_PARTNER,
            Holder::Foe(_) => PAST_ENEMY,
        };
        Entry { gain: 0.0, onward }
    })
}

/// Where a partner's flag may stand.
fn flags_of(game: &Junqi, view: &View, position: &Position, seat: Seat) -> Vec<(Station, f32)> {
    let public = view.public();
    let kinds = game.candidates(view, seat);
    let may = |piece| kinds[slot_of(piece)] & Kind::Flag.bit() != 0;
    let pieces = public.pieces(seat).filter(|&piece| may(piece)).filter_map(|piece| public.station_of(piece));
    let found: Vec<Station> = pieces.filter(|&s| position.terrain.headquarters[usize::from(s)]).collect();
    found.iter().map(|&station| (station, 1.0 / found.len() as f32)).collect()
}

/// Notes what each enemy's capture is worth beyond the piece: it stands near a flag of ours, or shields its own.
pub(super) fn note_bonuses(game: &Junqi, view: &View, position: &mut Position, ways: &Ways) {
    let mut bonuses = vec![0.0f32; position.foes.len()];
    let mut add = |flags: &[(Station, f32)], weight: f32| {
        let field = exposure(game, position, ways, flags);
        for (foe, bonus) in position.foes.iter().zip(&mut bonuses) {
            *bonus += weight * foe.mobile * (field[usize::from(foe.station)] - FAR).max(0.0);
        }
    };
    if let Some(flag) = position.flag {
        add(&[(flag, 1.0)], INTRUDER);
    }
    if let Some(partner) = game.ally(position.seat) {
        let flags = flags_of(game, view, position, partner);
        if !flags.is_empty() {
            add(&flags, INTRUDER * PARTNER);
        }
    }
    for (number, bonus) in bonuses.iter_mut().enumerate() {
        let steps = &position.terrain.steps[usize::from(position.foes[number].station)];
        let flag_beside = steps.iter().filter_map(|step| match position.holder(&position.ground, step.to) {
            Holder::Foe(other) => Some(position.foes[other].shares[Kind::Flag as usize]),
            _ => None,
        });
        *bonus += SHIELD * flag_beside.sum::<f32>();
    }
    position.foes.iter_mut().zip(bonuses).for_each(|(foe, bonus)| foe.bonus = bonus);
}

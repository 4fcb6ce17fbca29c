//! What combats between the own kinds and each enemy piece bring on average.

use anqi_env::junqi::Junqi;
use anqi_env::junqi::piece::{FIXED, Fight, KINDS, Kind};

use super::position::{Foe, Position};
use super::worth::{FLAG, KNOWING, LAST, SHOWS_FLAG, SURE, WORTH};

/// An attack of an own kind on an enemy piece.
#[derive(Clone, Copy, Default)]
pub(super) struct Attack {
    /// What it gains less what it costs.
    pub(super) value: f32,
    /// How likely the own piece stays.
    pub(super) won: f32,
    /// How likely only the other stays.
    pub(super) lost: f32,
}

/// By enemy piece and own kind.
pub(super) struct Exchange {
    pub(super) attacks: Vec<[Attack; KINDS]>,
    /// What the enemy piece takes away by an attack of its own.
    pub(super) dangers: Vec<[f32; KINDS]>,
    /// How likely it stays in such an attack.
    pub(super) breaks: Vec<[f32; KINDS]>,
}

impl Exchange {
    /// `bold` from 0 to 1: how little own losses count.
    pub(super) fn of(game: &Junqi, position: &Position, bold: f32) -> Exchange {
        let own = worths(position.mobile_own);
        let foes = || position.foes.iter();
        let attack = |foe: &Foe| {
            let theirs = worths(position.mobile_of[usize::from(foe.seat)]);
            std::array::from_fn(|kind| attack(game, Kind::ALL[kind], foe, &own, &theirs, bold))
        };
        let danger = |foe: &Foe| {
            let theirs = worths(position.mobile_of[usize::from(foe.seat)]);
            std::array::from_fn(|kind| danger(game, Kind::ALL[kind], foe, &own, &theirs))
        };
        let breaks = |foe: &Foe| std::array::from_fn(|kind| breaks(game, Kind::ALL[kind], foe));
        Exchange {
            attacks: foes().map(attack).collect(),
            dangers: foes().map(danger).collect(),
            breaks: foes().map(breaks).collect(),
        }
    }
}

/// What the kinds of a seat are worth that can still move so many pieces.
fn worths(mobile: f32) -> [f32; KINDS] {
    let share = LAST / mobile.max(1.0).powi(2);
    std::array::from_fn(|kind| {
        let shown = if kind == Kind::Commander as usize { SHOWS_FLAG } else { 0.0 };
        WORTH[kind] + shown + if FIXED >> kind & 1 == 0 { share } else { 0.0 }
    })
}

fn attack(game: &Junqi, own: Kind, foe: &Foe, worth: &[f32; KINDS], theirs: &[f32; KINDS], bold: f32) -> Attack {
    let mut attack = Attack::default();
    if FIXED & own.bit() != 0 {
        return attack;
    }
    let loss = worth[own as usize] * (1.0 - bold);
    for kind in Kind::ALL {
        let share = foe.shares[kind as usize];
        if share <= 0.0 {
            continue;
        }
        let gain = if kind == Kind::Flag { FLAG } else { theirs[kind as usize] + foe.bonus };
        match game.combat().fight(own, kind) {
            Fight::Won => {
                attack.won += share;
                attack.value += share * gain;
            }
            Fight::Both => attack.value += share * (gain - if kind == Kind::Flag { 0.0 } else { loss }),
            Fight::Lost => {
                attack.lost += share;
                attack.value -= share * loss;
            }
            Fight::Moved => {}
        }
    }
    if foe.shares[Kind::Flag as usize] > 0.999 {
        attack.value += SURE;
    } else if foe.shares.iter().all(|&share| share < 0.999) {
        attack.value += KNOWING;
    }
    attack
}

/// An enemy knows its own rank and may guess the other's: it attacks where that gains.
fn danger(game: &Junqi, own: Kind, foe: &Foe, worth: &[f32; KINDS], theirs: &[f32; KINDS]) -> f32 {
    if foe.stuck || own == Kind::Flag {
        return 0.0;
    }
    let mobile = Kind::ALL.into_iter().filter(|kind| FIXED & kind.bit() == 0);
    let gain = |kind: Kind| {
        let gain = match game.combat().fight(kind, own) {
            Fight::Won => worth[own as usize],
            Fight::Both => worth[own as usize] - theirs[kind as usize],
            Fight::Lost | Fight::Moved => 0.0,
        };
        foe.shares[kind as usize] * gain.max(0.0)
    };
    mobile.map(gain).sum()
}

fn breaks(game: &Junqi, own: Kind, foe: &Foe) -> f32 {
    let wins = |kind: &Kind| FIXED & kind.bit() == 0 && game.combat().fight(*kind, own) == Fight::Won;
    Kind::ALL.into_iter().filter(wins).map(|kind| foe.shares[kind as usize]).sum()
}

//! What the enemies could take with their next ply.

use anqi_env::junqi::piece::{KINDS, Kind, PIECES};
use anqi_env::junqi::view::{seat_of, slot_of};
use anqi_env::junqi::{NOWHERE, Station};

use super::exchange::{Attack, Exchange};
use super::position::{Holder, Position};
use super::terrain::{Ground, STATIONS};
use super::worth::{APPROACH, OTHERS, OWN_FLAG, RETAKE};

/// By station, the own pieces that reach it with one ply, by their numbers among them.
#[derive(Clone)]
pub(super) struct Cover([u32; STATIONS]);

impl Cover {
    pub(super) fn of(position: &Position) -> Cover {
        let mut cover = Cover([0; STATIONS]);
        for station in 0..position.terrain.len {
            let piece = position.ground[station];
            if piece != NOWHERE && seat_of(piece) == position.seat {
                cover.add(position, &position.ground, slot_of(piece), station as Station);
            }
        }
        cover
    }

    fn add(&mut self, position: &Position, ground: &Ground, slot: usize, from: Station) {
        if position.moves[slot] {
            let flies = position.flies(position.kinds[slot]);
            position.terrain.reach(ground, from, flies, |to| self.0[usize::from(to)] |= 1 << slot);
        }
    }

    /// The cover once a piece has gone to a station, or is gone.
    pub(super) fn after(&self, position: &Position, ground: &Ground, slot: usize, to: Option<Station>) -> Cover {
        let mut cover = self.clone();
        cover.0.iter_mut().for_each(|slots| *slots &= !(1 << slot));
        if let Some(to) = to {
            cover.add(position, ground, slot, to);
        }
        cover
    }

    /// What the best of the pieces that reach a station would gain from an enemy there.
    fn retakes(&self, position: &Position, attacks: &[Attack; KINDS], to: Station) -> f32 {
        let slots = self.0[usize::from(to)];
        let own = (0..PIECES).filter(|slot| slots >> slot & 1 == 1);
        own.map(|slot| attacks[position.kinds[slot] as usize].value).fold(0.0, f32::max)
    }
}

/// The loss to expect on a ground: of each enemy seat the worst ply, and a little for the others that it may play later.
pub(super) fn loss(position: &Position, exchange: &Exchange, ground: &Ground, cover: &Cover) -> f32 {
    let (mut worst, mut all) = ([0.0f32; 4], 0.0);
    for (number, foe) in position.foes.iter().enumerate() {
        if foe.mobile <= 0.0 || !matches!(position.holder(ground, foe.station), Holder::Foe(other) if other == number) {
            continue;
        }
        let mut most = 0.0f32;
        position.terrain.reach(ground, foe.station, foe.flies, |to| {
            most = most.max(match position.holder(ground, to) {
                // Nothing makes up for the flag.
                Holder::Own(Kind::Flag) => OWN_FLAG * foe.mobile,
                Holder::Own(_) if position.terrain.camp[usize::from(to)] => 0.0,
                Holder::Own(kind) => {
                    let loss = exchange.dangers[number][kind as usize];
                    let back = if loss > most { cover.retakes(position, &exchange.attacks[number], to) } else { 0.0 };
                    let breaks = exchange.breaks[number][kind as usize];
                    loss - RETAKE * back.min(loss) + breaks * approach(position, exchange, cover, number, to)
                }
                Holder::Nobody => foe.mobile * approach(position, exchange, cover, number, to),
                Holder::Partner | Holder::Foe(_) => 0.0,
            });
        });
        let seat = &mut worst[usize::from(foe.seat)];
        *seat = seat.max(most);
        all += most;
    }
    let worst: f32 = worst.iter().sum();
    worst + OTHERS * (all - worst)
}

/// What it costs that an enemy comes to a station: beside the flag it takes that next, unless it is taken before.
fn approach(position: &Position, exchange: &Exchange, cover: &Cover, foe: usize, to: Station) -> f32 {
    if !position.beside_flag[usize::from(to)] {
        return 0.0;
    }
    let slots = cover.0[usize::from(to)];
    let own = (0..PIECES).filter(|slot| slots >> slot & 1 == 1);
    let stops = own.map(|slot| 1.0 - exchange.attacks[foe][position.kinds[slot] as usize].lost).fold(0.0, f32::max);
    APPROACH * (1.0 - stops)
}

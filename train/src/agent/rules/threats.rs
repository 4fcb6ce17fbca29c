//! What the enemies could take with their next ply.

use anqi_env::junqi::piece::Kind;

use super::exchange::Exchange;
use super::position::{Holder, Position};
use super::terrain::Ground;
use super::worth::{OTHERS, OWN_FLAG};

/// The loss to expect on a ground: of each enemy seat the worst ply, and a little for the others that it may play later.
pub(super) fn loss(position: &Position, exchange: &Exchange, ground: &Ground) -> f32 {
    let (mut worst, mut all) = ([0.0f32; 4], 0.0);
    for (number, foe) in position.foes.iter().enumerate() {
        if foe.mobile <= 0.0 || !matches!(position.holder(ground, foe.station), Holder::Foe(other) if other == number) {
            continue;
        }
        let mut most = 0.0f32;
        position.terrain.reach(ground, foe.station, foe.flies, |to| {
            if let Holder::Own(kind) = position.holder(ground, to)
                && !position.terrain.camp[usize::from(to)]
            {
                most = most.max(match kind {
                    Kind::Flag => OWN_FLAG * foe.mobile,
                    _ => exchange.dangers[number][kind as usize],
                });
            }
        });
        let seat = &mut worst[usize::from(foe.seat)];
        *seat = seat.max(most);
        all += most;
    }
    let worst: f32 = worst.iter().sum();
    worst + OTHERS * (all - worst)
}

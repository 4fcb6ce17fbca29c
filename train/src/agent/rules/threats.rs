//! What the enemies could take with their next ply.

use anqi_env::junqi::piece::{Kind, PIECES};
use anqi_env::junqi::view::slot_of;
use anqi_env::junqi::{NOWHERE, Piece, Station};

use super::exchange::Exchange;
use super::position::{Holder, Position};
use super::terrain::{Ground, Stations};
use super::worth::{APPROACH, OTHERS, OWN_FLAG, RETAKE};

/// The stations that each own piece reaches with one ply.
type Cover = [Stations; PIECES];

/// An enemy as it stands.
#[derive(Clone, Copy)]
struct Threat {
    reach: Stations,
    /// The most that it can take.
    most: f32,
}

/// What the enemies threaten before the own ply, so that after it only what the ply touches is looked at again.
pub(super) struct Threats {
    cover: Cover,
    /// By enemy.
    foes: Vec<Threat>,
    /// Where cover matters: own pieces, and the stations beside the own flag.
    covered: Stations,
}

impl Threats {
    pub(super) fn of(position: &Position, exchange: &Exchange) -> Threats {
        let mut threats =
            Threats { cover: [Stations::default(); PIECES], foes: Vec::new(), covered: Stations::default() };
        for station in 0..position.terrain.len as Station {
            if let Holder::Own(_) = position.holder(&position.ground, station) {
                let slot = slot_of(position.ground[usize::from(station)]);
                threats.cover[slot] = position.reach(&position.ground, slot, station);
                threats.covered.insert(station);
            } else if position.beside_flag[usize::from(station)] {
                threats.covered.insert(station);
            }
        }
        let foes =
            (0..position.foes.len()).map(|foe| threat(position, exchange, &position.ground, &threats.cover, foe));
        threats.foes = foes.collect();
        threats
    }

    /// The loss to expect after a ply that leaves a piece, or none, on the station moved to: of each enemy seat the worst,
    /// and a little for the others that it may play later.
    pub(super) fn loss(&self, position: &Position, exchange: &Exchange, [from, to]: [Station; 2], left: Piece) -> f32 {
        let mut ground = position.ground;
        let mover = ground[usize::from(from)];
        ground[usize::from(from)] = NOWHERE;
        ground[usize::from(to)] = left;
        let mut cover = self.cover;
        let slot = slot_of(mover);
        cover[slot] = if left == mover { position.reach(&ground, slot, to) } else { Stations::default() };
        let mut touched = self.cover[slot].or(&cover[slot]).and(&self.covered);
        touched.insert(from);
        touched.insert(to);
        let (mut worst, mut all) = ([0.0f32; 4], 0.0);
        for (number, foe) in position.foes.iter().enumerate() {
            if foe.station == to && matches!(position.holder(&ground, to), Holder::Nobody | Holder::Own(_)) {
                continue;
            }
            let most = match self.foes[number].reach.meets(&touched) {
                true => threat(position, exchange, &ground, &cover, number).most,
                false => self.foes[number].most,
            };
            let seat = &mut worst[usize::from(foe.seat)];
            *seat = seat.max(most);
            all += most;
        }
        let worst: f32 = worst.iter().sum();
        worst + OTHERS * (all - worst)
    }
}

/// What an enemy can take.
fn threat(position: &Position, exchange: &Exchange, ground: &Ground, cover: &Cover, number: usize) -> Threat {
    let foe = &position.foes[number];
    let mut threat = Threat { reach: Stations::default(), most: 0.0 };
    if foe.mobile <= 0.0 {
        return threat;
    }
    position.terrain.reach(ground, foe.station, foe.flies, |to| {
        threat.reach.insert(to);
        let loss = match position.holder(ground, to) {
            // Nothing makes up for the flag.
            Holder::Own(Kind::Flag) => OWN_FLAG * foe.mobile,
            Holder::Own(_) if position.terrain.camp[usize::from(to)] => 0.0,
            Holder::Own(kind) => {
                let loss = exchange.dangers[number][kind as usize];
                let back = if loss > threat.most { retakes(position, exchange, cover, number, to) } else { 0.0 };
                let breaks = exchange.breaks[number][kind as usize];
                loss - RETAKE * back.min(loss) + breaks * approach(position, exchange, cover, number, to)
            }
            Holder::Nobody => foe.mobile * approach(position, exchange, cover, number, to),
            Holder::Partner | Holder::Foe(_) => 0.0,
        };
        threat.most = threat.most.max(loss);
    });
    threat
}

/// The own kinds that reach a station.
fn covering(position: &Position, cover: &Cover, station: Station) -> impl Iterator<Item = Kind> {
    (0..PIECES).filter(move |&slot| cover[slot].has(station)).map(|slot| position.kinds[slot])
}

/// What the best of the pieces that reach a station would gain from an enemy there.
fn retakes(position: &Position, exchange: &Exchange, cover: &Cover, foe: usize, to: Station) -> f32 {
    covering(position, cover, to).map(|kind| exchange.attacks[foe][kind as usize].value).fold(0.0, f32::max)
}

/// What it costs that an enemy comes to a station: beside the flag it takes that next, unless it is taken before.
fn approach(position: &Position, exchange: &Exchange, cover: &Cover, foe: usize, to: Station) -> f32 {
    if !position.beside_flag[usize::from(to)] {
        return 0.0;
    }
    let stops = covering(position, cover, to).map(|kind| 1.0 - exchange.attacks[foe][kind as usize].lost);
    APPROACH * (1.0 - stops.fold(0.0, f32::max))
}

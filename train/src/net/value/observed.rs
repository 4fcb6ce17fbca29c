//! The inputs of a value network as sums over an observation, for programs that have no positions, only arrays.
//!
//! What stands on a square is a plane of its own. Every other input is set from some level of a count on, and each count
//! is a weighted sum of planes and scalars.

use anqi_env::darkchess::Kind;
use anqi_env::darkchess::piece::KINDS;

use super::features::{Features, LOST, OTHERS, STEPS, THINGS, points_of};

/// Planes that tell what stands on a square: own kinds, foreign kinds, face down.
pub(crate) const SQUARE_PLANES: usize = THINGS;
/// Where a seat's own unseen pieces begin among the scalars, and the other side's.
const UNSEEN: [usize; 2] = [0, KINDS];
/// Scalars: the colours are known; quiet plies over their limit.
const KNOWN: usize = 17;
const QUIET: usize = 18;

/// An input that is set where a sum reaches a threshold.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Level {
    /// Which input, as the seat itself looks, and as the other side does.
    pub(crate) inputs: [usize; 2],
    /// What each square of these planes adds.
    pub(crate) planes: Vec<(usize, f32)>,
    /// What these scalars add.
    pub(crate) scalars: Vec<(usize, f32)>,
    /// From here on it is set; half a step below the least sum that counts.
    pub(crate) threshold: f32,
}

impl Features {
    /// The input that a plane of squares sets on a square, as the seat itself looks, and as the other side does.
    pub(crate) fn of_square(&self, plane: usize, square: usize) -> [usize; 2] {
        let other = match plane {
            own if own < KINDS => own + KINDS,
            foreign if foreign < 2 * KINDS => foreign - KINDS,
            hidden => hidden,
        };
        [plane, other].map(|thing| square * THINGS + thing)
    }

    /// All inputs that are no squares, in order.
    pub(crate) fn levels(&self) -> Vec<Level> {
        let counts = self.counts.iter().enumerate();
        counts.flat_map(|(count, &(_, levels))| (1..=levels).map(move |level| self.level(count, level))).collect()
    }

    fn level(&self, count: usize, level: usize) -> Level {
        let inputs = [0, 1].map(|side| self.counts[Features::as_side(count, side)].0 + level - 1);
        // A count that grows in whole numbers reaches `least` where it has passed half the way from the one before.
        let from = |planes, scalars, least: u32| Level { inputs, planes, scalars, threshold: least as f32 - 0.5 };
        let steps = |most: u32| (level as u32 * most).div_ceil(STEPS);
        let initial = |kind: Kind| f32::from(self.rules.pieces[kind as usize]);
        match count {
            unseen @ 0..OTHERS => {
                let scalar = UNSEEN[unseen / KINDS] + unseen % KINDS;
                from(vec![], vec![(scalar, initial(Kind::ALL[unseen % KINDS]))], level as u32)
            }
            OTHERS => Level { inputs, scalars: vec![(KNOWN, -1.0)], threshold: -0.5, ..Level::default() },
            count if count < LOST => {
                let limit = u32::from(self.rules.quiet_limit);
                from(vec![], vec![(QUIET, limit as f32)], steps(limit))
            }
            lost => {
                // What is lost is what all were worth, less what stands and what is unseen.
                let side = lost - LOST;
                let worth = |kind| -(points_of(&self.rules, kind) as f32);
                let planes = Kind::ALL.map(|kind| (side * KINDS + kind as usize, worth(kind)));
                let scalars = Kind::ALL.map(|kind| (UNSEEN[side] + kind as usize, worth(kind) * initial(kind)));
                let least = steps(self.most_lost());
                let level = from(planes.into(), scalars.into(), least);
                Level { threshold: level.threshold - self.points as f32, ..level }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::darkchess::DarkChess;
    use anqi_env::game::Game as _;
    use anqi_env::rng::Rng;

    /// Over whole random games of many rules, the sums over the observation set what the position sets.
    #[test]
    fn observations_set_the_same_inputs() {
        let tomb = DarkChess::parse_tomb("").unwrap();
        let others = ["taiwan", "mini", "gametower-dark-chain", "mainland60", "icga", "mini,quiet_limit=11"];
        let mut rng = Rng::new(5);
        for game in others.map(|rules| DarkChess::parse(rules).unwrap()).iter().chain([&tomb]) {
            let features = Features::new(game.rules());
            let (squares, levels) = (game.rules().squares(), features.levels());
            let mut highest = 0;
            for _ in 0..8 {
                let mut state = game.deal(&mut rng);
                while game.status(&state).is_ongoing() {
                    let seat = game.to_move(&state);
                    let position = game.view(&state, seat);
                    let mut planes = vec![0; game.spec().planes_len()];
                    let mut scalars = vec![0.0; game.spec().num_scalars];
                    game.observe(position, seat, &mut planes, &mut scalars);
                    let look = features.look(position);
                    for view in 0..2 {
                        let mut expected = Vec::new();
                        features.list(&look, look.mover ^ view as u8, &mut expected);
                        let mut found: Vec<u16> = (0..SQUARE_PLANES * squares)
                            .filter(|&at| planes[at] > 0)
                            .map(|at| features.of_square(at / squares, at % squares)[view] as u16)
                            .collect();
                        for level in &levels {
                            let standing = |plane: usize| {
                                planes[plane * squares..][..squares].iter().map(|&byte| f32::from(byte)).sum::<f32>()
                            };
                            let sum = level.planes.iter().map(|&(plane, weight)| weight * standing(plane)).sum::<f32>()
                                + level.scalars.iter().map(|&(at, weight)| weight * scalars[at]).sum::<f32>();
                            if sum >= level.threshold {
                                found.push(level.inputs[view] as u16);
                                highest = highest.max(level.inputs[view]);
                            }
                        }
                        expected.sort_unstable();
                        found.sort_unstable();
                        assert_eq!(found, expected, "{}: {}", game.spec().name, game.view_text(position));
                    }
                    let action = game.sample(position, &mut rng);
                    game.play(&mut state, action);
                }
            }
            assert!(highest + STEPS as usize >= features.inputs(), "the counts were hardly exercised");
        }
    }
}

//! Seeded random numbers: xoshiro256++ with an own bounded draw and shuffle.
//!
//! The draws are our own because those of the `rand` crate change between releases, and the same seed
//! must give the same game for ever; a test pins the values.

use rand_core::{Rng as _, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

/// One stream of random numbers. `Clone` forks it: both copies give the same numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream of a seed's branch, such as game 3's episode 5: independent of its neighbours and the
    /// same whatever was drawn elsewhere.
    pub fn branch(seed: u64, path: &[u64]) -> Self {
        Rng::new(path.iter().fold(mix(seed), |key, &step| mix(key ^ mix(step.wrapping_add(0x9e37_79b9_7f4a_7c15)))))
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform number below `bound`, which must not be 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        // Lemire's multiplication; the rejection keeps it exactly uniform.
        let mut product = u64::from(self.bits() as u32) * u64::from(bound);
        if (product as u32) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u32) < threshold {
                product = u64::from(self.bits() as u32) * u64::from(bound);
            }
        }
        (product >> 32) as u32
    }

    /// A uniform number in [0, 1) with 24 random bits.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / (1u64 << 24) as f32)
    }

    /// Puts a slice into a uniformly random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

/// SplitMix64's output function.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_never_change() {
        let mut rng = Rng::branch(1, &[2, 3]);
        let drawn: Vec<u32> = (0..6).map(|_| rng.below(32)).collect();
        let mut order: Vec<u8> = (0..8).collect();
        rng.shuffle(&mut order);
        assert_eq!((drawn, order), (vec![29, 29, 20, 8, 16, 20], vec![1, 2, 6, 0, 4, 3, 5, 7]));
    }

    #[test]
    fn bounded_draw_is_uniform() {
        let mut rng = Rng::new(5);
        let mut seen = [0u32; 7];
        (0..70_000).for_each(|_| seen[rng.below(7) as usize] += 1);
        assert!(seen.iter().all(|&n| (9_600..10_400).contains(&n)), "{seen:?}");
    }

    #[test]
    fn a_saved_stream_goes_on() {
        let mut rng = Rng::new(9);
        rng.bits();
        let mut copy = rng.clone();
        assert_eq!(rng.bits(), copy.bits());
    }
}

//! The value network in whole numbers, for search.
//!
//! The scales are powers of two, as large as the weights allow: in the first layer a one is at most 2^12 and no position
//! can bring a sum out of the range of `i16`; the second layer multiplies `i16` by `i16` into sums of `i32`, which cannot
//! leave their range either. The last layer, 32 products, stays in single precision. As whole numbers add up to the same
//! in any order, sums that were carried from position to position are exactly those that a fresh start gives.

use std::collections::HashMap;
use std::sync::Arc;

use pulp::{Simd, WithSimd};

use super::features::SLOTS;
use super::{Features, Look, SECOND, ValueNet};

/// The largest scale of the first layer: 2 to this power stands for one.
const FIRST_BITS: u32 = 12;
/// The largest scale of the second layer's weights.
const SECOND_BITS: u32 = 14;
/// A slot's number is below this.
const NUMBERS: usize = 16;

/// The weights as whole numbers. Cloning shares them.
#[derive(Clone, Debug)]
pub struct Integer(Arc<Numbers>);

#[derive(Debug)]
struct Numbers {
    arch: pulp::Arch,
    features: Features,
    /// What a slot's number adds to the sums of the first layer, one row of the width for each set of inputs; the first
    /// is all zeros.
    rows: Vec<i16>,
    /// For each side, slot and number, where its row begins.
    starts: [Vec<u32>; 2],
    first_bias: Vec<i16>,
    /// What stands for one in the first layer.
    one: i16,
    /// [SECOND][2 width]
    second: Vec<i16>,
    second_bias: [i32; SECOND],
    /// What a one of the second layer's sums is.
    unit: f32,
    last: [f32; SECOND],
    last_bias: f32,
}

/// The largest power of two that is at most `most` and 2^`bits`, at least 1.
fn power_below(most: f32, bits: u32) -> f32 {
    (0..=bits).rev().map(|bits| (1u32 << bits) as f32).find(|&power| power <= most).unwrap_or(1.0)
}

impl Integer {
    /// Rounds a network's weights.
    pub fn new(net: &ValueNet) -> Integer {
        let (features, width, places, flat) = (&net.features, net.width, net.places(), net.flat());
        let mut rows = vec![0f32; width];
        let mut known = HashMap::from([(0..0, 0)]);
        let mut starts = [vec![0; SLOTS * NUMBERS], vec![0; SLOTS * NUMBERS]];
        // For each unit, the most that all slots together can add.
        let bias = &flat[places.first_bias..places.second];
        let mut most: Vec<f32> = bias.iter().map(|bias| bias.abs()).collect();
        for (side, starts) in starts.iter_mut().enumerate() {
            for slot in 0..features.slots() {
                let mut most_here = vec![0f32; width];
                for number in 0..=features.most(slot) {
                    let inputs = features.inputs_of(slot, number, side as u8);
                    let start =
                        *known.entry(if inputs.is_empty() { 0..0 } else { inputs.clone() }).or_insert_with(|| {
                            let sum = |unit: usize| inputs.clone().map(|input| flat[input * width + unit]).sum::<f32>();
                            rows.extend((0..width).map(sum));
                            rows.len() - width
                        });
                    starts[slot * NUMBERS + usize::from(number)] = start as u32;
                    most_here.iter_mut().zip(&rows[start..]).for_each(|(most, x)| *most = most.max(x.abs()));
                }
                if side == 0 {
                    most.iter_mut().zip(&most_here).for_each(|(most, here)| *most += here);
                }
            }
        }
        // Rounding adds at most half a step a slot.
        let room = f32::from(i16::MAX) - SLOTS as f32;
        let one = power_below(room / most.into_iter().fold(1.0, f32::max), FIRST_BITS);

        let second = &flat[places.second..places.second_bias];
        let second_bias = &flat[places.second_bias..places.last];
        let sum = |unit: usize| {
            let weights = second.iter().skip(unit).step_by(SECOND).map(|weight| weight.abs()).sum::<f32>();
            weights + second_bias[unit].abs()
        };
        let largest = second.iter().map(|weight| weight.abs()).fold(1e-6, f32::max);
        let room = (i32::MAX / 2) as f32 / one / (0..SECOND).map(sum).fold(1.0, f32::max);
        let scale = power_below(room.min(f32::from(i16::MAX) / largest), SECOND_BITS);
        let mut turned = vec![0; SECOND * 2 * width];
        for (unit, weights) in second.chunks_exact(SECOND).enumerate() {
            for (to, weight) in weights.iter().enumerate() {
                turned[to * 2 * width + unit] = (weight * scale).round() as i16;
            }
        }
        let whole = |values: &[f32]| values.iter().map(|value| (value * one).round() as i16).collect::<Vec<i16>>();
        Integer(Arc::new(Numbers {
            arch: pulp::Arch::new(),
            rows: whole(&rows),
            starts,
            first_bias: whole(bias),
            one: one as i16,
            second: turned,
            second_bias: std::array::from_fn(|unit| (second_bias[unit] * one * scale).round() as i32),
            unit: 1.0 / (one * scale),
            last: std::array::from_fn(|unit| flat[places.last + unit]),
            last_bias: flat[places.last_bias],
            features: features.clone(),
        }))
    }

    /// What it looks at.
    pub fn features(&self) -> &Features {
        &self.0.features
    }

    /// A look at an empty board.
    pub fn sight(&self) -> Sight {
        let bias = &self.0.first_bias;
        let open = vec![0; 2 * bias.len()];
        Sight { seen: self.0.features.nothing(), sums: [bias.clone(), bias.clone()], open, net: self.clone() }
    }
}

/// The first layer's sums of the position last looked at. The next one usually differs in a few slots, and only what
/// those change is worked out.
#[derive(Clone, Debug)]
pub struct Sight {
    net: Integer,
    seen: [u8; SLOTS],
    /// Red's view, black's view.
    sums: [Vec<i16>; 2],
    /// [2 width]: the first layer of the side to move, then of the other.
    open: Vec<i16>,
}

impl Sight {
    /// The logit of what a position is worth to the seat to move.
    #[inline]
    pub fn logit(&mut self, look: &Look) -> f32 {
        self.net.0.arch.dispatch(Glance {
            net: &self.net.0,
            seen: &mut self.seen,
            sums: &mut self.sums,
            open: &mut self.open,
            look,
        })
    }
}

struct Glance<'a> {
    net: &'a Numbers,
    seen: &'a mut [u8; SLOTS],
    sums: &'a mut [Vec<i16>; 2],
    open: &'a mut [i16],
    look: &'a Look,
}

impl WithSimd for Glance<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _simd: S) -> f32 {
        let Glance { net, seen, sums, open, look } = self;
        let [red, black] = sums;
        for word in 0..SLOTS / 8 {
            let (before, now) = (word_at(seen, word), word_at(&look.slots, word));
            let mut changed = before ^ now;
            while changed != 0 {
                let byte = changed.trailing_zeros() / 8;
                changed &= !(0xff << (8 * byte));
                let at = (8 * word + byte as usize) * NUMBERS;
                let number = |word: u64| at + (word >> (8 * byte) & 0xff) as usize;
                let (before, now) = (number(before), number(now));
                replace(red, &net.rows, net.starts[0][before], net.starts[0][now]);
                replace(black, &net.rows, net.starts[1][before], net.starts[1][now]);
            }
        }
        *seen = look.slots;
        let width = red.len();
        let (own, other) = open.split_at_mut(width);
        let (mover, waiting) = if look.mover == 0 { (red, black) } else { (black, red) };
        clip(mover, net.one, own);
        clip(waiting, net.one, other);
        let mut logit = net.last_bias;
        for unit in 0..SECOND {
            let sum = net.second_bias[unit].wrapping_add(dot(open, &net.second[unit * 2 * width..][..2 * width]));
            let value = sum as f32 * net.unit;
            logit = value.clamp(0.0, 1.0).mul_add(net.last[unit], logit);
        }
        logit
    }
}

#[inline(always)]
fn word_at(slots: &[u8; SLOTS], word: usize) -> u64 {
    u64::from_le_bytes(slots.as_chunks().0[word])
}

/// Takes a row from the sums and adds another.
#[inline(always)]
fn replace(sums: &mut [i16], rows: &[i16], before: u32, now: u32) {
    let width = sums.len();
    let (before, now) = (&rows[before as usize..][..width], &rows[now as usize..][..width]);
    for unit in 0..width {
        sums[unit] = sums[unit].wrapping_add(now[unit].wrapping_sub(before[unit]));
    }
}

#[inline(always)]
fn clip(sums: &[i16], one: i16, open: &mut [i16]) {
    let sums = &sums[..open.len()];
    for unit in 0..open.len() {
        open[unit] = sums[unit].max(0).min(one);
    }
}

/// Products of neighbours are added in pairs, which processors do in one step.
#[inline(always)]
fn dot(a: &[i16], b: &[i16]) -> i32 {
    let b = &b[..a.len()];
    let mut sum = 0i32;
    for at in 0..a.len() {
        sum = sum.wrapping_add(i32::from(a[at]) * i32::from(b[at]));
    }
    sum
}

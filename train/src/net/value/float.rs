//! Forward and backward pass in single precision, a position at a time.
//!
//! Of the first layer only the rows of the inputs that are set are read, and only those get slopes; a unit that is shut
//! or wide open passes nothing on and is skipped.

use pulp::{Arch, Simd, WithSimd};

use super::{Look, Places, SECOND, ValueNet};
use crate::net::simd::{add_scaled, dot};

/// The intermediate results of one position. Keep one and reuse it.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    inputs: [Vec<u16>; 2],
    /// [2 width] before and after clipping.
    sums: Vec<f32>,
    open: Vec<f32>,
    second: [f32; SECOND],
    slopes: Vec<f32>,
}

/// The slopes of a loss by all weights, to be added to.
pub(crate) struct Slopes<'a>(pub(crate) &'a mut [f32]);

impl ValueNet {
    /// The logit of what a position is worth to the seat to move: its value is `2 sigmoid(logit) - 1`.
    pub(crate) fn logit(&self, look: &Look, tape: &mut Tape) -> f32 {
        for (view, inputs) in tape.inputs.iter_mut().enumerate() {
            inputs.clear();
            self.features.list(look, look.mover ^ view as u8, inputs);
        }
        Arch::new().dispatch(Forward { net: self, places: self.places(), tape })
    }

    /// Adds the slopes of a loss that has slope `slope` by the logit that [`ValueNet::logit`] has just found.
    pub(crate) fn slopes(&self, tape: &mut Tape, slope: f32, slopes: &mut Slopes<'_>) {
        Arch::new().dispatch(Backward { net: self, places: self.places(), tape, slope, slopes: slopes.0 });
    }
}

#[inline(always)]
fn clip(value: f32) -> f32 {
    // Unlike `clamp` of the standard library it lets a NaN through in any case.
    let value = if value < 0.0 { 0.0 } else { value };
    if value > 1.0 { 1.0 } else { value }
}

#[inline(always)]
fn is_open(value: f32) -> bool {
    value > 0.0 && value < 1.0
}

struct Forward<'a> {
    net: &'a ValueNet,
    places: Places,
    tape: &'a mut Tape,
}

impl WithSimd for Forward<'_> {
    type Output = f32;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f32 {
        let Forward { net, places, tape } = self;
        let (width, flat) = (net.width, net.flat.as_slice());
        tape.sums.resize(2 * width, 0.0);
        tape.open.resize(2 * width, 0.0);
        for view in 0..2 {
            let sums = &mut tape.sums[view * width..][..width];
            sums.copy_from_slice(&flat[places.first_bias..][..width]);
            for &input in &tape.inputs[view] {
                add_scaled(simd, 1.0, &flat[usize::from(input) * width..][..width], sums);
            }
        }
        for unit in 0..2 * width {
            tape.open[unit] = clip(tape.sums[unit]);
        }
        let second = &mut tape.second;
        second.copy_from_slice(&flat[places.second_bias..][..SECOND]);
        for unit in 0..2 * width {
            let value = tape.open[unit];
            if value != 0.0 {
                add_scaled(simd, value, &flat[places.second + unit * SECOND..][..SECOND], second);
            }
        }
        let mut logit = flat[places.last_bias];
        for unit in 0..SECOND {
            logit = clip(second[unit]).mul_add(flat[places.last + unit], logit);
        }
        logit
    }
}

struct Backward<'a> {
    net: &'a ValueNet,
    places: Places,
    tape: &'a mut Tape,
    slope: f32,
    slopes: &'a mut [f32],
}

impl WithSimd for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Backward { net, places, tape, slope, slopes } = self;
        let (width, flat) = (net.width, net.flat.as_slice());
        slopes[places.last_bias] += slope;
        let mut second = [0.0; SECOND];
        for unit in 0..SECOND {
            let value = tape.second[unit];
            slopes[places.last + unit] += slope * clip(value);
            if is_open(value) {
                second[unit] = slope * flat[places.last + unit];
            }
        }
        add_scaled(simd, 1.0, &second, &mut slopes[places.second_bias..][..SECOND]);
        tape.slopes.resize(2 * width, 0.0);
        for unit in 0..2 * width {
            let (at, value) = (places.second + unit * SECOND, tape.open[unit]);
            if value != 0.0 {
                add_scaled(simd, value, &second, &mut slopes[at..][..SECOND]);
            }
            let passes = is_open(tape.sums[unit]);
            tape.slopes[unit] = if passes { dot(simd, &flat[at..][..SECOND], &second) } else { 0.0 };
        }
        for view in 0..2 {
            let own = &tape.slopes[view * width..][..width];
            add_scaled(simd, 1.0, own, &mut slopes[places.first_bias..][..width]);
            for &input in &tape.inputs[view] {
                add_scaled(simd, 1.0, own, &mut slopes[usize::from(input) * width..][..width]);
            }
        }
    }
}

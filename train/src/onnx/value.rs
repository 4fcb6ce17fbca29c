//! The value network, from an observation.

use super::builder::{Builder, integer};
use crate::net::value::SQUARE_PLANES;
use crate::net::{Shape, ValueNet};

/// The value `[B, 1]` from -1 to 1, of `planes` `[B, C, R, columns]` and `scalars` `[B, K]`.
pub(super) fn value(net: &ValueNet, shape: Shape, to: &mut Builder, planes: &str, scalars: &str) -> String {
    let (features, cells, inputs) = (net.features(), shape.cells(), net.features().inputs());
    let flat = to.op_with("Flatten", &[planes], &[integer("axis", 1)]); // [B, C * cells]

    // What is no square: [B, levels], one or nought.
    let levels = features.levels();
    let count = levels.len();
    let mut of_planes = vec![0.0; shape.planes() * count];
    let mut of_scalars = vec![0.0; shape.scalars * count];
    for (at, level) in levels.iter().enumerate() {
        for &(plane, weight) in &level.planes {
            for cell in 0..cells {
                of_planes[(plane * cells + cell) * count + at] = weight;
            }
        }
        level.scalars.iter().for_each(|&(scalar, weight)| of_scalars[scalar * count + at] = weight);
    }
    let of_scalars = to.floats("levels.scalars", &[shape.scalars, count], &of_scalars);
    let mut sums = to.op("MatMul", &[scalars, &of_scalars]);
    if levels.iter().any(|level| !level.planes.is_empty()) {
        let of_planes = to.floats("levels.planes", &[shape.planes(), count], &of_planes);
        let more = to.op("MatMul", &[&flat, &of_planes]);
        sums = to.op("Add", &[&sums, &more]);
    }
    let thresholds: Vec<f32> = levels.iter().map(|level| level.threshold).collect();
    let thresholds = to.floats("levels.thresholds", &[count], &thresholds);
    let reached = to.op("GreaterOrEqual", &[&sums, &thresholds]);
    let reached = to.op_with("Cast", &[&reached], &[integer("to", 1)]);
    let seen = to.concat(&[&flat, &reached], 1);

    // The first layer with its rows where planes and levels stand, once for each side's look.
    let first = to.values("first.weight");
    let width = first.len() / inputs;
    let bias = to.weight("first.bias");
    let [low, high] = [0.0, 1.0].map(|end| to.floats(&format!("clip.{end}"), &[], &[end]));
    let views = [0, 1].map(|view| {
        let mut rows = vec![0.0; (shape.planes() + count) * width];
        let mut put = |row: usize, input: usize| {
            rows[row * width..][..width].copy_from_slice(&first[input * width..][..width]);
        };
        for at in 0..SQUARE_PLANES * cells {
            put(at, features.of_square(at / cells, at % cells)[view]);
        }
        for (at, level) in levels.iter().enumerate() {
            put(shape.planes() + at, level.inputs[view]);
        }
        let rows = to.floats(&format!("first.{view}"), &[shape.planes() + count, width], &rows);
        let sums = to.op("MatMul", &[&seen, &rows]);
        let sums = to.op("Add", &[&sums, &bias]);
        to.op("Clip", &[&sums, &low, &high]) // [B, width]
    });
    let both = to.concat(&[&views[0], &views[1]], 1);
    let second = to.linear("second", &both);
    let second = to.op("Clip", &[&second, &low, &high]); // [B, 32]
    let logit = to.linear("last", &second);
    let share = to.op("Sigmoid", &[&logit]);
    let [two, one] = [2.0, 1.0].map(|number| to.floats(&format!("number.{number}"), &[], &[number]));
    let doubled = to.op("Mul", &[&share, &two]);
    to.op("Sub", &[&doubled, &one])
}

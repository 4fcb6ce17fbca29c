//! The networks with a policy: the same steps as in `net`, one operator after another.

use super::builder::{Builder, integer, integers};
use crate::net::{Graph, Net, Shape};

/// The heads of a network, unnormalised: logits `[B, A]`, and win, draw, loss `[B, 3]`.
///
/// `planes` is `[B, C, R, columns]`, shares of one; `scalars` is `[B, K]`.
pub(super) fn heads(net: &Net, to: &mut Builder, planes: &str, scalars: &str) -> [String; 2] {
    match net {
        Net::Mlp(net) => mlp(net.hidden.len(), to, planes, scalars),
        Net::Residual(net) => residual(net.blocks.len(), net.shape(), to, planes, scalars),
        Net::Graph(net) => graph(net, to, planes, scalars),
    }
}

fn mlp(hidden: usize, to: &mut Builder, planes: &str, scalars: &str) -> [String; 2] {
    let flat = to.op_with("Flatten", &[planes], &[integer("axis", 1)]);
    let seen = to.concat(&[&flat, scalars], 1);
    let first = to.linear("input", &seen);
    let mut h = to.op("Relu", &[&first]); // [B, width]
    for layer in 0..hidden {
        let more = to.linear(&format!("hidden.{layer}"), &h);
        let sum = to.op("Add", &[&more, &h]);
        h = to.op("Relu", &[&sum]);
    }
    ["policy", "value"].map(|head| to.linear(head, &h))
}

fn residual(blocks: usize, shape: Shape, to: &mut Builder, planes: &str, scalars: &str) -> [String; 2] {
    let conv = |to: &mut Builder, layer: &str, x: &str, kernel: u64| {
        let [weight, bias] = ["weight", "bias"].map(|part| to.weight(&format!("{layer}.{part}")));
        let shape = [integers("kernel_shape", &[kernel; 2]), integers("pads", &[kernel / 2; 4])];
        to.op_with("Conv", &[x, &weight, &bias], &shape)
    };
    let stem = conv(to, "stem", planes, 3);
    let bias = to.linear("scalars", scalars);
    let bias = to.reshape(&bias, &[0, -1, 1, 1]); // [B, width, 1, 1]
    let mut x = to.op("Add", &[&stem, &bias]); // [B, width, R, columns]
    for block in 0..blocks {
        let open = to.op("Relu", &[&x]);
        let inner = conv(to, &format!("blocks.{block}.first"), &open, 3);
        let inner = to.op("Relu", &[&inner]);
        let inner = conv(to, &format!("blocks.{block}.second"), &inner, 3);
        x = to.op("Add", &[&inner, &x]);
    }
    let x = to.op("Relu", &[&x]);

    let cells = conv(to, "squeeze", &x, 1);
    let cells = to.op("Relu", &[&cells]);
    let cells = to.op_with("Flatten", &[&cells], &[integer("axis", 1)]);
    let seen = to.concat(&[&cells, scalars], 1);
    let logits = to.linear("policy", &seen);

    let cells = to.reshape(&x, &[0, 0, shape.cells() as i64]); // [B, width, cells]
    let mean = to.op_with("ReduceMean", &[&cells], &[integers("axes", &[2]), integer("keepdims", 0)]);
    [logits, value(to, &mean, scalars)]
}

fn graph(net: &Graph, to: &mut Builder, planes: &str, scalars: &str) -> [String; 2] {
    let (shape, lines) = (net.shape(), net.lines());
    let [places, width] = net.place.dims();
    let features = shape.features() as i64;
    let planes = match shape.is_grid() {
        true => {
            let planes = to.reshape(planes, &[0, features, places as i64]);
            to.op_with("Transpose", &[&planes], &[integers("perm", &[0, 2, 1])])
        }
        false => to.reshape(planes, &[0, places as i64, features]),
    }; // [B, S, F]
    let own = to.linear("input", &planes); // [B, S, width]
    let common = to.linear("scalars", scalars);
    let common = to.reshape(&common, &[0, 1, width as i64]);
    let place = to.weight("place"); // [S, width]
    let sum = to.op("Add", &[&own, &common]);
    let sum = to.op("Add", &[&sum, &place]);
    let mut x = to.op("Relu", &[&sum]);
    let mean = |to: &mut Builder, x: &str, keep| {
        to.op_with("ReduceMean", &[x], &[integers("axes", &[1]), integer("keepdims", keep)])
    };
    let halves = [to.sizes(&[0]), to.sizes(&[width as i64 / 2]), to.sizes(&[width as i64])];
    let axis = to.sizes(&[2]);
    for round in 0..net.rounds.len() {
        let told = to.linear(&format!("rounds.{round}.tell"), &x);
        let told = to.op("Relu", &[&told]);
        let heard =
            [("near", &lines.near), ("along", &lines.along)].into_iter().enumerate().map(|(half, (name, lines))| {
                // [S, S]: how strongly each place (row) listens to each other one.
                let mut listen = vec![0.0; places * places];
                for (weight, &(place, other)) in to.values(&format!("rounds.{round}.{name}")).into_iter().zip(lines) {
                    listen[usize::from(place) * places + usize::from(other)] = weight;
                }
                let listen = to.floats(&format!("rounds.{round}.{name}"), &[places, places], &listen);
                let told = to.op("Slice", &[&told, &halves[half], &halves[half + 1], &axis]);
                to.op("MatMul", &[&listen, &told]) // [B, S, width / 2]
            });
        let heard: Vec<String> = heard.collect();
        let heard = to.concat(&[&heard[0], &heard[1]], 2);
        let heard = to.linear(&format!("rounds.{round}.receive"), &heard);
        let whole = mean(to, &x, 1);
        let whole = to.linear(&format!("rounds.{round}.whole"), &whole); // [B, 1, width]
        let sum = to.op("Add", &[&heard, &whole]);
        let sum = to.op("Relu", &[&sum]);
        x = to.op("Add", &[&sum, &x]);
    }

    let [start, end] = ["from", "to"].map(|layer| to.linear(layer, &x));
    let end = to.op_with("Transpose", &[&end], &[integers("perm", &[0, 2, 1])]);
    let pairs = to.op("MatMul", &[&start, &end]); // [B, S, S]
    let pairs = to.reshape(&pairs, &[0, (places * places) as i64]);
    let wanted = lines.moves.iter().map(|&(from, to)| i32::from(from) * places as i32 + i32::from(to));
    let wanted = to.numbers("moves", &[lines.moves.len()], &wanted.collect::<Vec<_>>());
    let moves = to.op_with("Gather", &[&pairs, &wanted], &[integer("axis", 1)]);
    let habit = to.weight("habit");
    let mut logits = to.op("Add", &[&moves, &habit]);
    if net.others.is_some() {
        let matter = to.linear("others.matter", &x);
        let matter = to.op("Sigmoid", &[&matter]); // [B, S, 1]
        let all = to.op("Mul", &[&x, &matter]);
        let axis = to.sizes(&[1]);
        let all = to.op_with("ReduceSum", &[&all, &axis], &[integer("keepdims", 0)]);
        let others = to.linear("others.choose", &all);
        logits = to.concat(&[&logits, &others], 1);
    }
    let mean = mean(to, &x, 0);
    [logits, value(to, &mean, scalars)]
}

/// Win, draw and loss from the mean of the cells and the scalars.
fn value(to: &mut Builder, mean: &str, scalars: &str) -> String {
    let seen = to.concat(&[mean, scalars], 1);
    let pooled = to.linear("pooled", &seen);
    let pooled = to.op("Relu", &[&pooled]);
    to.linear("value", &pooled)
}

//! Networks as ONNX files, for programs that have neither Rust nor PyTorch.
//!
//! Inputs have the names, types and shapes of what a step of many games gives ([`BatchMut`](anqi_env::vector::BatchMut)),
//! so a batch goes in as it is. Actions are numbered as everywhere: where a network numbers them as its seat looks at the
//! board, as in Junqi, the file takes the seats, too, and turns its answer back.
//!
//! ```text
//! planes  uint8   [batch, C, R, columns]      logits float32 [batch, A]  unnormalised, illegal actions included
//! scalars float32 [batch, K]                  wdl    float32 [batch, 3]  probabilities of win, draw, loss
//! seat    uint8   [batch]  (Junqi)            value  float32 [batch]     wdl[0] - wdl[2]
//! ```
//!
//! A value network has no `logits` and no `wdl`.

mod builder;
mod policy;
mod proto;
mod value;

use std::path::Path;

use anqi_env::any::AnyRules;
use anqi_env::game::{Action, Game, Seat};
use anqi_env::with_family;

use crate::checkpoint::{self, Card, CheckpointError};
use crate::encode::shape_of;
use crate::net::{Arch, Net, ValueNet};
use builder::{Builder, Port, Type, integer};
use proto::Message;

/// Version of the file's form, and of the operators.
const IR_VERSION: u64 = 8;
const OPERATORS: u64 = 17;

/// An ONNX file and what goes in and out of it.
pub struct Exported {
    /// The file's content.
    pub bytes: Vec<u8>,
    /// What it takes.
    pub inputs: Vec<Field>,
    /// What it answers.
    pub outputs: Vec<Field>,
    /// What the checkpoint says of itself.
    pub card: Card,
}

/// One tensor that goes in or comes out.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// NumPy's name of its type.
    pub dtype: &'static str,
    /// Its sizes behind the batch's.
    pub shape: Vec<usize>,
    /// What it holds.
    pub about: &'static str,
}

/// A checkpoint's network as an ONNX file.
///
/// # Errors
/// A folder that is no whole checkpoint, or one whose game, rules or encoding this program does not have.
pub fn export(folder: &Path) -> Result<Exported, CheckpointError> {
    let folder = checkpoint::find(folder)?;
    let card = checkpoint::load_card(&folder)?;
    let rules = AnyRules::parse(&card.game)
        .map_err(|fault| CheckpointError::damaged(&folder.join("card.json"), format!("game: {fault}")))?;
    with_family!(&rules, game => {
        let spec = game.spec();
        card.check(&folder, spec.rules_hash, spec.encoding, &shape_of(spec))
    })?;
    match (card.net.arch, &rules) {
        (Arch::Value, AnyRules::DarkChess(game)) => {
            let (net, card) = checkpoint::load_value(&folder, game.rules())?;
            Ok(value_file(&net, card))
        }
        _ => {
            let (net, card) = checkpoint::load_net(&folder)?;
            let turned = with_family!(&rules, game => turned(game));
            Ok(policy_file(&net, turned, card))
        }
    }
}

/// For each seat, what the network calls each action, `[seats, A]`; none where it has the same number for all.
fn turned<G: Game>(game: &G) -> Option<Vec<i32>> {
    let spec = game.spec();
    let of_seat = |seat| game.symmetries(seat)[0].actions.iter().copied();
    let own = |seat: Seat| of_seat(seat).eq(0..spec.num_actions as Action);
    let seats = 0..spec.num_seats as Seat;
    let names = || seats.clone().flat_map(of_seat).map(i32::from).collect();
    (!seats.clone().all(own)).then(names)
}

fn policy_file(net: &Net, turned: Option<Vec<i32>>, card: Card) -> Exported {
    let (shape, mut to) = (card.shape, Builder::new(net.weights()));
    let mut inputs = inputs(&card);
    let planes = planes(&card, &mut to);
    let [mut logits, wdl] = policy::heads(net, &mut to, &planes, "scalars");
    if let Some(names) = turned {
        let about = "the seat to move, whose eyes the position is seen with";
        inputs.push(Port { name: "seat", of: Type::Byte, sizes: vec![], about });
        let names = to.numbers("actions", &[names.len() / shape.actions, shape.actions], &names);
        let seat = to.op_with("Cast", &["seat"], &[integer("to", Type::Int32 as u64)]);
        let wanted = to.op_with("Gather", &[&names, &seat], &[integer("axis", 0)]); // [B, A]
        logits = to.op_with("GatherElements", &[&logits, &wanted], &[integer("axis", 1)]);
    }
    to.name(&logits, "logits");
    let wdl = to.op_with("Softmax", &[&wdl], &[integer("axis", 1)]);
    to.name(&wdl, "wdl");
    let weights = to.floats("wdl.value", &[3], &[1.0, 0.0, -1.0]);
    let value = to.op("MatMul", &[&wdl, &weights]);
    to.name(&value, "value");
    let outputs = [
        Port {
            name: "logits",
            of: Type::Float,
            sizes: vec![shape.actions],
            about: "unnormalised log-probabilities of all actions, illegal ones included",
        },
        Port {
            name: "wdl",
            of: Type::Float,
            sizes: vec![3],
            about: "probabilities of win, draw and loss for the seat to move",
        },
        value_port(),
    ];
    finish(to, &inputs, &outputs, card)
}

fn value_file(net: &ValueNet, card: Card) -> Exported {
    let mut to = Builder::new(net.weights());
    let planes = planes(&card, &mut to);
    let value = value::value(net, card.shape, &mut to, &planes, "scalars");
    let value = to.reshape(&value, &[-1]);
    to.name(&value, "value");
    let inputs = inputs(&card);
    finish(to, &inputs, &[value_port()], card)
}

fn inputs(card: &Card) -> Vec<Port> {
    let shape = card.shape;
    let sizes = vec![shape.channels, shape.rows, shape.cols];
    vec![
        Port { name: "planes", of: Type::Byte, sizes, about: "the board as the seat to move sees it" },
        Port { name: "scalars", of: Type::Float, sizes: vec![shape.scalars], about: "what is not tied to a square" },
    ]
}

fn value_port() -> Port {
    let about = "expected result for the seat to move, from -1 (lost) to 1 (won)";
    Port { name: "value", of: Type::Float, sizes: vec![], about }
}

/// The planes as shares of one.
fn planes(card: &Card, to: &mut Builder) -> String {
    let planes = to.op_with("Cast", &["planes"], &[integer("to", Type::Float as u64)]);
    if card.shape.unit == 1 {
        return planes;
    }
    let scale = to.floats("scale", &[], &[card.shape.scale()]);
    to.op("Mul", &[&planes, &scale])
}

fn finish(to: Builder, inputs: &[Port], outputs: &[Port], card: Card) -> Exported {
    let arch = serde_json::json!(card.net.arch).as_str().unwrap_or_default().to_string();
    let known = [
        ("game", card.game.clone()),
        ("rules_hash", card.rules_hash.clone()),
        ("encoding", card.encoding.to_string()),
        ("arch", arch),
        ("plies", card.plies.to_string()),
    ];
    let about = "Inputs as anqi's Batch has them; see docs/observations.md of anqi.";
    let bytes = Message::default()
        .number(1, IR_VERSION)
        .bytes(2, "anqi")
        .bytes(3, env!("CARGO_PKG_VERSION"))
        .bytes(6, about)
        .message(7, to.finish("anqi", inputs, outputs))
        .message(8, Message::default().bytes(1, "").number(2, OPERATORS))
        .each(known, |model, (key, value)| model.message(14, Message::default().bytes(1, key).bytes(2, value)))
        .finish();
    let fields = |ports: &[Port]| ports.iter().map(Port::field).collect();
    Exported { bytes, inputs: fields(inputs), outputs: fields(outputs), card }
}

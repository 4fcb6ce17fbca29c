//! An ONNX graph under way.
//!
//! # Source
//! Messages and field numbers: `onnx.proto3` of ONNX 1.12, operator set 17.

use super::Field;
use super::proto::Message;
use crate::net::Weight;

/// Element types, with their numbers in files.
#[derive(Debug, Clone, Copy)]
pub(super) enum Type {
    Float = 1,
    Byte = 2,
    Int32 = 6,
    Int64 = 7,
}

/// Nodes in the order in which they run. Every result and every constant has a name of its own.
#[derive(Debug, Default)]
pub(super) struct Builder {
    nodes: Vec<Message>,
    constants: Vec<Message>,
    weights: Vec<Weight>,
}

impl Builder {
    /// A graph over a network's tensors, of which each is written when it is first asked for.
    pub(super) fn new(weights: Vec<Weight>) -> Builder {
        Builder { weights, ..Builder::default() }
    }

    /// A node without attributes; gives the name of its result.
    pub(super) fn op(&mut self, kind: &str, inputs: &[&str]) -> String {
        self.op_with(kind, inputs, &[])
    }

    /// A node with attributes.
    pub(super) fn op_with(&mut self, kind: &str, inputs: &[&str], attributes: &[Message]) -> String {
        let name = format!("{}_{}", kind.to_lowercase(), self.nodes.len());
        self.push(kind, inputs, &name, attributes);
        name
    }

    /// Gives a result the name under which others find it.
    pub(super) fn name(&mut self, result: &str, name: &str) {
        self.push("Identity", &[result], name, &[]);
    }

    fn push(&mut self, kind: &str, inputs: &[&str], output: &str, attributes: &[Message]) {
        let node = Message::default()
            .each(inputs, |node, input| node.bytes(1, input))
            .bytes(2, output)
            .bytes(3, output)
            .bytes(4, kind)
            .each(attributes, |node, attribute| node.message(5, attribute.clone()));
        self.nodes.push(node);
    }

    /// A tensor of the network.
    pub(super) fn weight(&mut self, name: &str) -> String {
        let at = self.weights.iter().position(|weight| weight.name == name);
        let Weight { name, shape, data } = self.weights.swap_remove(at.expect("a network has all its tensors"));
        self.floats(&name, &shape, &data)
    }

    /// A tensor of the network as numbers, for what is to become another constant.
    pub(super) fn values(&mut self, name: &str) -> Vec<f32> {
        let at = self.weights.iter().position(|weight| weight.name == name);
        self.weights.swap_remove(at.expect("a network has all its tensors")).data
    }

    /// A constant.
    pub(super) fn floats(&mut self, name: &str, shape: &[usize], data: &[f32]) -> String {
        self.constant(name, Type::Float, shape, data.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// A constant of whole numbers in 32 bits.
    pub(super) fn numbers(&mut self, name: &str, shape: &[usize], data: &[i32]) -> String {
        self.constant(name, Type::Int32, shape, data.iter().flat_map(|value| value.to_le_bytes()).collect())
    }

    /// A constant list of sizes or axes; -1 as a size is what is left.
    pub(super) fn sizes(&mut self, data: &[i64]) -> String {
        let name = format!("sizes_{}", self.constants.len());
        let bytes = data.iter().flat_map(|value| value.to_le_bytes()).collect();
        self.constant(&name, Type::Int64, &[data.len()], bytes)
    }

    fn constant(&mut self, name: &str, of: Type, shape: &[usize], bytes: Vec<u8>) -> String {
        let tensor = Message::default()
            .each(shape, |tensor, &size| tensor.number(1, size as u64))
            .number(2, of as u64)
            .bytes(8, name)
            .bytes(9, bytes);
        self.constants.push(tensor);
        name.into()
    }

    /// The same numbers in another shape.
    pub(super) fn reshape(&mut self, x: &str, shape: &[i64]) -> String {
        let shape = self.sizes(shape);
        self.op("Reshape", &[x, &shape])
    }

    /// Several tensors behind one another.
    pub(super) fn concat(&mut self, parts: &[&str], axis: u64) -> String {
        self.op_with("Concat", parts, &[integer("axis", axis)])
    }

    /// A fully connected layer along the last axis.
    pub(super) fn linear(&mut self, layer: &str, x: &str) -> String {
        let weight = self.weight(&format!("{layer}.weight"));
        let bias = self.weight(&format!("{layer}.bias"));
        let product = self.op("MatMul", &[x, &weight]);
        self.op("Add", &[&product, &bias])
    }

    /// The graph between its inputs and outputs, each with its name, type and sizes behind the batch.
    pub(super) fn finish(self, name: &str, inputs: &[Port], outputs: &[Port]) -> Message {
        Message::default()
            .each(self.nodes, |graph, node| graph.message(1, node))
            .bytes(2, name)
            .each(self.constants, |graph, constant| graph.message(5, constant))
            .each(inputs, |graph, port| graph.message(11, port.message()))
            .each(outputs, |graph, port| graph.message(12, port.message()))
    }
}

/// An attribute: a whole number.
pub(super) fn integer(name: &str, value: u64) -> Message {
    Message::default().bytes(1, name).number(3, value).number(20, 2)
}

/// An attribute: whole numbers.
pub(super) fn integers(name: &str, values: &[u64]) -> Message {
    Message::default().bytes(1, name).each(values, |attribute, &value| attribute.number(8, value)).number(20, 7)
}

/// What goes in or comes out: `[batch, sizes..]`.
#[derive(Debug, Clone)]
pub(super) struct Port {
    pub(super) name: &'static str,
    pub(super) of: Type,
    pub(super) sizes: Vec<usize>,
    pub(super) about: &'static str,
}

impl Port {
    /// The same for people.
    pub(super) fn field(&self) -> Field {
        let dtype = match self.of {
            Type::Float => "float32",
            Type::Byte => "uint8",
            Type::Int32 => "int32",
            Type::Int64 => "int64",
        };
        Field { name: self.name.into(), dtype, shape: self.sizes.clone(), about: self.about }
    }

    fn message(&self) -> Message {
        let batch = Message::default().bytes(2, "batch");
        let shape = Message::default()
            .message(1, batch)
            .each(&self.sizes, |shape, &size| shape.message(1, Message::default().number(1, size as u64)));
        let tensor = Message::default().number(1, self.of as u64).message(2, shape);
        let about = Message::default().message(1, tensor);
        Message::default().bytes(1, self.name).message(2, about).bytes(3, self.about)
    }
}

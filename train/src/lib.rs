//! Everything that learns or plays: networks, self-play, training, agents, matches, and the command `anqi`.
//!
//! The rooms, in the order in which they build on each other:
//!
//! - [`workers`]: threads with a compute pool of their own. [`net`]: the networks. [`encode`]: observations as
//!   arrays for them.
//! - [`agent`]: whatever chooses an action. [`search`]: looking ahead. [`engine`]: programs of other people as agents, and
//!   agents as programs for them. [`arena`]: matches on duplicate deals, with intervals.
//! - [`rollout`], [`search_rollout`]: self-play by a policy, by a short search; [`returns`]: what each ply was worth;
//!   [`learn`]: the loss and the update; [`method`]: how they go together.
//! - [`run`]: the training loop; [`launch`]: from settings to a run; [`config`]: its settings; [`checkpoint`], [`log`],
//!   [`tensorboard`]: what it leaves behind; [`times`]: where its time goes.
//! - [`onnx`]: networks for other tools. [`commands`]: the command line.

pub mod agent;
pub mod arena;
pub mod checkpoint;
pub mod commands;
pub mod config;
pub mod encode;
pub mod engine;
pub mod launch;
pub mod learn;
pub mod log;
pub mod method;
pub mod net;
pub mod onnx;
pub mod returns;
pub mod rollout;
pub mod run;
pub mod search;
pub mod search_rollout;
pub mod tensorboard;
pub mod times;
pub mod workers;

//! What exact solutions and endgame tables share: positions as numbers, and the positions that quiet moves link.
//!
//! A flip or a capture leads to fewer hidden or fewer pieces and never back, and starts the count of quiet plies anew. So
//! positions fall into [`Class`]es by which pieces are face up and which are unseen; quiet moves lead only from a class
//! to the same class seen by the other side. Such a pair is solved as a whole, once all below it is.

mod class;
mod graph;
mod space;
mod value;

pub(super) use class::Class;
pub(super) use graph::Graph;
pub(super) use space::Space;
pub(super) use value::{ONE, Score, action_value, as_f64};

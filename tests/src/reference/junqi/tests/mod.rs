//! Tests of the reference itself. Each shows its board.

mod board;

use super::{Event, Game, Rules};

/// The rules of a text.
fn rules(text: &str) -> Rules {
    Rules::parse(text).expect("rules")
}

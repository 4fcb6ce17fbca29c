//! What everybody sees of a ply (3.6).

use super::ending::{Out, Status};
use super::kind::Kind;
use super::rules::{Reveal, Rules};

/// How a ply came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The station was empty.
    Moved,
    /// The attacker stands there, the defender is gone.
    Won,
    /// The attacker is gone.
    Lost,
    /// Both are gone.
    Both,
}

/// A ply as it is announced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Who moved.
    pub seat: usize,
    /// From which station.
    pub from: usize,
    /// To which station.
    pub to: usize,
    /// How it came out.
    pub outcome: Outcome,
    /// The owner of the piece that was attacked.
    pub defender: Option<usize>,
    /// Flags that the death of their commander shows: seat and station, by seat.
    pub flags: Vec<(usize, usize)>,
    /// Seats that went out and why, in the order in which they did.
    pub out: Vec<(usize, Out)>,
    /// Where the game stands after the ply.
    pub status: Status,
    /// The kinds of attacker and defender, for those whom `reveal` tells ([`Event::seen_by`]).
    pub kinds: Option<(Kind, Kind)>,
}

impl Event {
    /// What a seat sees of it: everything but the kinds, and these only as `reveal` says (3.8).
    ///
    /// What follows from the own pieces and the view is no part of the event.
    pub fn seen_by(&self, rules: &Rules, viewer: usize) -> Event {
        let told = match rules.reveal {
            Reveal::None => false,
            Reveal::Combatants => viewer == self.seat || Some(viewer) == self.defender,
            Reveal::Both => true,
        };
        let mut seen = self.clone();
        if !told {
            seen.kinds = None;
        }
        seen
    }
}

//! Running games kept for later.

use serde::{Deserialize, Serialize};

use super::{AnyGame, Course, Running};
use crate::any::AnyRules;
use crate::game::{Game as _, Seat};
use crate::record::Ply;
use crate::rng::Rng;
use crate::{Error, with_family};

/// A saved game: everything a later [`SavedGame::load`] needs to go on with the same hidden pieces and draws.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedGame {
    pub(super) rules: String,
    pub(super) seed: u64,
    pub(super) start: Option<String>,
    #[serde(default)]
    pub(super) first: Seat,
    #[serde(default)]
    pub(super) laid: bool,
    pub(super) plies: Vec<Ply>,
    #[serde(default)]
    pub(super) witnesses: Vec<u8>,
    pub(super) course: Course,
    pub(super) state: String,
    pub(super) rng: Rng,
}

impl SavedGame {
    /// Goes on from what [`AnyGame::save`] gave.
    ///
    /// # Errors
    /// Rules or a state that cannot be read.
    pub fn load(&self) -> Result<Box<dyn AnyGame>, Error> {
        let rules = AnyRules::parse(&self.rules)?;
        Ok(with_family!(rules, game => {
            let state = game.parse_state(&self.state)?;
            let (start, plies, rng) = (self.start.clone(), self.plies.clone(), self.rng.clone());
            let (seed, first, laid, course) = (self.seed, self.first, self.laid, self.course.clone());
            let mut witnesses = self.witnesses.clone();
            witnesses.resize(plies.len(), u8::MAX);
            Box::new(Running { game, state, seed, start, first, laid, plies, witnesses, rng, course })
        }))
    }
}

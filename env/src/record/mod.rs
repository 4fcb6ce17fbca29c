//! Game records.

mod anqi;

use crate::Error;
use crate::any::{AnyGame, AnyRules};
use crate::game::{Spec, Status};

/// One ply of a record: the action's name and what chance added.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The action's name.
    pub action: String,
    /// The piece a flip showed.
    pub outcome: Option<String>,
}

/// A whole game on paper: headers, plies, result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Header keys and values, in order.
    pub headers: Vec<(String, String)>,
    /// The plies.
    pub plies: Vec<Ply>,
    /// The line each ply stands on, from 1.
    lines: Vec<usize>,
}

impl Record {
    /// The record of a game.
    pub(crate) fn of(spec: &Spec, seed: u64, start: Option<String>, plies: Vec<Ply>, status: Status) -> Record {
        let family = spec.name.split(':').next().unwrap_or_default();
        let mut headers = vec![
            ("Game".to_string(), family.to_string()),
            ("Rules".into(), spec.name.clone()),
            ("RulesHash".into(), format!("{:016x}", spec.rules_hash)),
            ("Seed".into(), seed.to_string()),
        ];
        headers.extend(start.map(|position| ("Position".into(), position)));
        let (result, termination) = result_of(status);
        headers.push(("Result".into(), result.into()));
        headers.push(("Termination".into(), termination.into()));
        Record { headers, lines: vec![1; plies.len()], plies }
    }

    /// A header's value.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }

    /// Reads the `anqi` form.
    ///
    /// # Errors
    /// The first defect, named by line and ply.
    pub fn parse(text: &str) -> Result<Record, Error> {
        anqi::parse(text)
    }

    /// Plays the record through and checks it: every ply legal, nothing after the end, result and
    /// termination as its headers say where the rules ended the game.
    ///
    /// # Errors
    /// The first defect, named by line and ply.
    pub fn replay(&self) -> Result<Box<dyn AnyGame>, Error> {
        let head = |message: String| Error::Record { line: 1, ply: None, message };
        let name =
            self.header("Rules").or(self.header("Game")).ok_or_else(|| head("header Rules is missing".into()))?;
        let rules = AnyRules::parse(name).map_err(|fault| head(fault.to_string()))?;
        if let Some(hash) = self.header("RulesHash")
            && hash != format!("{:016x}", rules.spec().rules_hash)
        {
            let ours = rules.spec().rules_hash;
            return Err(head(format!("header RulesHash is {hash}, but the rules {name} have {ours:016x}")));
        }
        let seed = match self.header("Seed") {
            None => 0,
            Some(seed) => seed.parse().map_err(|_| head(format!("header Seed is '{seed}': expected a number")))?,
        };
        let mut game = match self.header("Position") {
            None => rules.start(seed),
            Some(position) => rules.start_from(position, seed).map_err(|fault| head(fault.to_string()))?,
        };
        for (i, ply) in self.plies.iter().enumerate() {
            let at = |fault: Error| Error::Record {
                line: self.lines[i],
                ply: Some(i + 1),
                message: format!("{}: {fault}", ply.action),
            };
            let action = i32::from(game.action_id(&ply.action).map_err(at)?);
            game.step_with(action, ply.outcome.as_deref().unwrap_or("")).map_err(at)?;
        }
        let (result, termination) = result_of(game.status());
        if !game.status().is_ongoing() {
            for (key, ours) in [("Result", result), ("Termination", termination)] {
                if let Some(theirs) = self.header(key).filter(|&theirs| theirs != ours) {
                    return Err(head(format!("header {key} is {theirs}, but the plies end in {ours}")));
                }
            }
        }
        Ok(game)
    }
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        anqi::write(self, f)
    }
}

/// Result and termination of a game of two, as headers say them.
fn result_of(status: Status) -> (&'static str, &'static str) {
    match status {
        Status::Ongoing => ("*", "unfinished"),
        Status::Win(0, reason) => ("1-0", reason.name()),
        Status::Win(_, reason) => ("0-1", reason.name()),
        Status::Draw(reason) => ("1/2-1/2", reason.name()),
    }
}

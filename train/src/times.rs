//! Where the time of a run goes.

/// Seconds by what they were spent on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Times {
    /// Self-play without the agents: rules, observations and masks.
    pub rules: f64,
    /// The agents of self-play: inference, and search where there is one.
    pub inference: f64,
    /// Learning.
    pub learning: f64,
}

impl Times {
    /// Seconds of self-play and learning, of which agents took a share `decided` of the first.
    pub(crate) fn new(play: f64, decided: f64, learning: f64) -> Times {
        Times { rules: play * (1.0 - decided), inference: play * decided, learning }
    }

    /// All of them.
    pub fn total(&self) -> f64 {
        self.rules + self.inference + self.learning
    }

    /// Each one's share of all, named.
    pub fn shares(&self) -> [(&'static str, f64); 3] {
        let total = self.total().max(1e-9);
        [("rules", self.rules / total), ("inference", self.inference / total), ("learning", self.learning / total)]
    }
}

impl std::ops::AddAssign for Times {
    fn add_assign(&mut self, other: Times) {
        self.rules += other.rules;
        self.inference += other.inference;
        self.learning += other.learning;
    }
}

/// The agents' part of the time that threads spent in self-play.
#[derive(Clone, Copy, Debug, Default)]
pub struct Decided {
    /// Seconds in which agents decided.
    pub agents: f64,
    /// All seconds.
    pub all: f64,
}

impl Decided {
    /// Adds another thread's.
    pub fn add(&mut self, other: Decided) {
        self.agents += other.agents;
        self.all += other.all;
    }

    /// The agents' share, 0 to 1.
    pub fn share(self) -> f64 {
        (self.agents / self.all.max(1e-9)).min(1.0)
    }
}

//! Learning what positions are worth from targets: the update of a value network.
//!
//! The loss is the cross entropy between a position's target, as the probability to win a game that knows no draws, and
//! what the network says; its slope by the network's logit is just the difference of the two. Micro-batches of a fixed
//! size are worked out by one thread each and added up in a fixed order, so that the result is the same for any number
//! of threads.

use serde::{Deserialize, Serialize};

use super::LearnError;
use super::adam::Adam;
use crate::net::ValueNet;
use crate::net::value::{Look, Slopes, Tape};
use crate::workers::Workers;

/// How a value is learned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TdConfig {
    /// How far a target looks into the game that was played, from 0 (only what the search says) to 1 (the result).
    pub lambda: f32,
    /// How much a draw counts, from 0 (its game is taken for an unfinished one) to 1 (nobody is ahead). Players who
    /// look one ply ahead draw what longer searches win, and would teach these that no advantage is worth anything.
    pub draws: f32,
    /// Plies that the search looks ahead in self-play; captures are followed further. 1 is the choice of the best
    /// afterstate.
    pub depth: u32,
    /// Positions that it visits at most.
    pub nodes: u64,
    /// Share of random actions, at the start and at the end of the run.
    pub explore: [f64; 2],
    /// Share of the run in which the hand-made evaluation judges for the search, and the network only learns.
    pub teacher: f64,
    /// Rows of one step of the optimiser.
    pub minibatch: usize,
    /// Rows that one thread works out at once.
    pub micro_batch: usize,
    /// Passes over the rows of a batch.
    pub epochs: usize,
    /// Adam's epsilon.
    pub epsilon: f32,
    /// Adam's decay of both moments per step.
    pub betas: [f32; 2],
}

impl Default for TdConfig {
    fn default() -> Self {
        TdConfig {
            lambda: 0.7,
            draws: 0.3,
            depth: 6,
            nodes: 400,
            explore: [0.1, 0.05],
            teacher: 0.1,
            minibatch: 1024,
            micro_batch: 256,
            epochs: 2,
            epsilon: 1e-8,
            betas: [0.9, 0.999],
        }
    }
}

impl TdConfig {
    /// Whether the settings can be used.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check(&self) -> Result<(), LearnError> {
        let bad = |key, value, expected| Err(LearnError::TdConfig { key, value, expected });
        for (key, count) in [("minibatch", self.minibatch), ("micro_batch", self.micro_batch), ("epochs", self.epochs)]
        {
            if !(1..=1 << 20).contains(&count) {
                return bad(key, count as f64, "from 1 to 2^20");
            }
        }
        if !(1..=64).contains(&self.depth) {
            return bad("depth", self.depth.into(), "from 1 to 64 plies");
        }
        if self.nodes == 0 {
            return bad("nodes", 0.0, "at least 1");
        }
        let shares = [("lambda", f64::from(self.lambda)), ("draws", f64::from(self.draws)), ("teacher", self.teacher)];
        let shares = shares.into_iter().chain(self.explore.map(|share| ("explore", share)));
        for (key, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return bad(key, share, "a share from 0 to 1");
            }
        }
        if !(self.epsilon > 0.0 && self.epsilon.is_finite()) {
            return bad("epsilon", self.epsilon.into(), "a number above 0");
        }
        match self.betas.iter().find(|beta| !(0.0..1.0).contains(*beta)) {
            Some(&beta) => bad("betas", beta.into(), "two numbers from 0 to below 1"),
            None => Ok(()),
        }
    }
}

/// A position to learn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lesson {
    /// What stands there.
    pub look: Look,
    /// What it is worth to the seat to move, from -1 to 1.
    pub target: f32,
}

/// What the rows of a batch add up to.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    rows: f64,
    loss: f64,
    /// Target and error, and their squares.
    target: [f64; 2],
    error: [f64; 2],
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.rows += other.rows;
        self.loss += other.loss;
        for i in 0..2 {
            self.target[i] += other.target[i];
            self.error[i] += other.error[i];
        }
    }

    /// Figures with their names.
    fn figures(&self, grad_norm: f64) -> Vec<(&'static str, f64)> {
        let rows = self.rows.max(1.0);
        let variance = |[sum, squares]: [f64; 2]| squares / rows - (sum / rows) * (sum / rows);
        let spread = variance(self.target);
        let explained = if spread > 1e-12 { 1.0 - variance(self.error) / spread } else { 0.0 };
        vec![
            ("value", self.loss / rows),
            ("explained_variance", explained),
            ("mean_target", self.target[0] / rows),
            ("grad_norm", grad_norm),
            ("rows", self.rows),
        ]
    }
}

/// A value network in training with its optimiser.
#[derive(Debug)]
pub struct TdLearner {
    net: ValueNet,
    adam: Adam,
    config: TdConfig,
}

impl TdLearner {
    /// Starts training a network.
    ///
    /// # Errors
    /// A setting that cannot be used.
    pub fn new(net: ValueNet, config: TdConfig) -> Result<TdLearner, LearnError> {
        config.check()?;
        Ok(TdLearner { adam: Adam::new(net.parameters()), net, config })
    }

    /// Goes on with an optimiser saved by [`TdLearner::optimizer_bytes`].
    ///
    /// # Errors
    /// A setting that cannot be used, or an optimiser of another network.
    pub fn resume(net: ValueNet, config: TdConfig, optimizer: &[u8]) -> Result<TdLearner, LearnError> {
        let mut learner = TdLearner::new(net, config)?;
        learner.adam = Adam::from_bytes(optimizer, learner.net.parameters())?;
        Ok(learner)
    }

    /// The network, trained so far.
    pub fn net(&self) -> &ValueNet {
        &self.net
    }

    /// The optimiser's state: always the same bytes for the same state.
    ///
    /// # Errors
    /// Only if the format cannot hold it.
    pub fn optimizer_bytes(&self) -> Result<Vec<u8>, LearnError> {
        self.adam.to_bytes()
    }

    /// Learns from the rows that `order` names, in its order, cut into steps of nearly the same length. Returns figures
    /// with their names.
    ///
    /// # Errors
    /// A loss or gradient that is no number. The learner is then as it was before.
    pub fn update(
        &mut self,
        lessons: &[Lesson],
        order: &[u32],
        rate: f64,
        workers: &Workers,
    ) -> Result<Vec<(&'static str, f64)>, LearnError> {
        if let Some(&row) = order.iter().find(|&&row| row as usize >= lessons.len()) {
            return Err(LearnError::Order { row, rows: lessons.len() });
        }
        let before = (self.net.clone(), self.adam.clone());
        let outcome = self.steps(lessons, order, rate, workers);
        if outcome.is_err() {
            (self.net, self.adam) = before;
        }
        outcome
    }

    fn steps(
        &mut self,
        lessons: &[Lesson],
        order: &[u32],
        rate: f64,
        workers: &Workers,
    ) -> Result<Vec<(&'static str, f64)>, LearnError> {
        let (mut sums, mut norms) = (Sums::default(), 0.0);
        let count = ((order.len() as f64 / self.config.minibatch as f64).round() as usize).clamp(1, order.len().max(1));
        for minibatch in 0..count {
            let cut = |index: usize| order.len() * index / count;
            let rows = &order[cut(minibatch)..cut(minibatch + 1)];
            let (part, gradient) = self.gradient(lessons, rows, workers);
            let norm = gradient.iter().map(|&x| f64::from(x) * f64::from(x)).sum::<f64>().sqrt();
            for (what, value) in [("loss", part.loss), ("gradient", norm)] {
                if !value.is_finite() {
                    return Err(LearnError::NotFinite { what, minibatch, value });
                }
            }
            let TdConfig { betas, epsilon, .. } = self.config;
            self.adam.step(self.net.flat_mut(), &gradient, 1.0, rate, betas, epsilon);
            sums.add(&part);
            norms += norm;
        }
        Ok(sums.figures(norms / count as f64))
    }

    /// Figures and gradient of the mean loss of some rows.
    fn gradient(&self, lessons: &[Lesson], rows: &[u32], workers: &Workers) -> (Sums, Vec<f32>) {
        let scale = 1.0 / rows.len().max(1) as f32;
        let jobs: Vec<&[u32]> = rows.chunks(self.config.micro_batch).collect();
        let mut parts = workers.map(jobs, |_, rows| self.part(lessons, rows, scale)).into_iter();
        let none = || (Sums::default(), vec![0.0; self.net.parameters()]);
        let (mut sums, mut gradient) = parts.next().unwrap_or_else(none);
        for (other, more) in parts {
            sums.add(&other);
            gradient.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        (sums, gradient)
    }

    fn part(&self, lessons: &[Lesson], rows: &[u32], scale: f32) -> (Sums, Vec<f32>) {
        let mut gradient = vec![0.0; self.net.parameters()];
        let (mut sums, mut tape) = (Sums { rows: rows.len() as f64, ..Sums::default() }, Tape::default());
        for &row in rows {
            let Lesson { look, target } = &lessons[row as usize];
            let logit = self.net.logit(look, &mut tape);
            let (win, expected) = (0.5 + 0.5 * target, 1.0 / (1.0 + (-logit).exp()));
            // ln(1 + e^x) less win x, without overflow.
            let loss = logit.max(0.0) - win * logit + (-logit.abs()).exp().ln_1p();
            sums.loss += f64::from(loss);
            for (sum, x) in [(&mut sums.target, *target), (&mut sums.error, 2.0 * (win - expected))] {
                sum[0] += f64::from(x);
                sum[1] += f64::from(x) * f64::from(x);
            }
            self.net.slopes(&mut tape, scale * (expected - win), &mut Slopes(&mut gradient));
        }
        (sums, gradient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::{Arch, NetConfig};
    use anqi_env::darkchess::DarkChess;
    use anqi_env::game::Game as _;
    use anqi_env::rng::Rng;

    /// Positions of random games, worth what the mover's share of the pieces says.
    fn lessons(net: &ValueNet, game: &DarkChess, n: usize) -> Vec<Lesson> {
        let mut rng = Rng::new(2);
        let mut state = game.deal(&mut rng);
        let mut lessons = Vec::new();
        while lessons.len() < n {
            if !game.status(&state).is_ongoing() {
                state = game.deal(&mut rng);
            }
            let action = game.sample(game.view(&state, 0), &mut rng);
            game.play(&mut state, action);
            let position = state.position();
            if let Some(own) = position.mover_colour() {
                let [own, other] = [own, own.other()].map(|colour| f32::from(position.alive(colour)));
                let target = if own + other > 0.0 { (own - other) / (own + other) } else { 0.0 };
                lessons.push(Lesson { look: net.features().look(position), target });
            }
        }
        lessons
    }

    fn learner(game: &DarkChess) -> TdLearner {
        let config = NetConfig { arch: Arch::Value, width: 32, ..NetConfig::default() };
        let net = ValueNet::new(&config, game.rules(), 4).unwrap();
        TdLearner::new(net, TdConfig { minibatch: 64, micro_batch: 16, ..TdConfig::default() }).unwrap()
    }

    /// It learns what can be learned, with the same bits on any number of threads.
    #[test]
    fn threads_change_nothing_and_targets_are_learned() {
        let game = DarkChess::parse("mini").unwrap();
        let run = |threads| {
            let mut learner = learner(&game);
            let lessons = lessons(learner.net(), &game, 2000);
            let order = super::super::passes(lessons.len(), 8, &mut Rng::new(1));
            let figures = learner.update(&lessons, &order, 3e-3, &Workers::new(threads).unwrap()).unwrap();
            (learner, figures, lessons)
        };
        let (one, figures, lessons) = run(1);
        let (three, same, _) = run(3);
        assert_eq!((one.net().flat(), &one.adam, &figures), (three.net().flat(), &three.adam, &same));
        let mut one = one;
        let order: Vec<u32> = (0..lessons.len() as u32).collect();
        let figures = one.update(&lessons, &order, 0.0, &Workers::new(1).unwrap()).unwrap();
        let explained = figures.iter().find(|(name, _)| *name == "explained_variance").unwrap().1;
        assert!(explained > 0.9, "{figures:?}");
    }

    #[test]
    fn what_is_no_number_changes_nothing() {
        let game = DarkChess::parse("mini").unwrap();
        let mut learner = learner(&game);
        let mut lessons = lessons(learner.net(), &game, 200);
        lessons[150].target = f32::NAN;
        let before = learner.net().flat().to_vec();
        let order: Vec<u32> = (0..200).collect();
        let fault = learner.update(&lessons, &order, 1e-3, &Workers::new(1).unwrap()).unwrap_err();
        assert!(matches!(fault, LearnError::NotFinite { what: "loss", minibatch: 2, .. }), "{fault}");
        assert_eq!(learner.net().flat(), before);
        assert!(learner.update(&lessons, &[200], 1e-3, &Workers::new(1).unwrap()).is_err());
    }

    #[test]
    fn settings_are_checked() {
        let fault = |config: TdConfig| config.check().unwrap_err().to_string();
        assert_eq!(
            fault(TdConfig { lambda: 1.5, ..TdConfig::default() }),
            "td.lambda = 1.5: expected a share from 0 to 1"
        );
        assert!(fault(TdConfig { depth: 0, ..TdConfig::default() }).starts_with("td.depth = 0"));
        assert!(fault(TdConfig { minibatch: 0, ..TdConfig::default() }).starts_with("td.minibatch = 0"));
        TdConfig::default().check().unwrap();
    }
}

//! The update as a whole: it learns, it is the same on any number of threads, it goes on after a save, it refuses what
//! is broken.

use super::*;
use crate::net::{Arch, Infer, Net, NetConfig, device};
use crate::workers::Workers;

const SHAPE: Shape = Shape { channels: 3, rows: 2, cols: 3, scalars: 4, actions: 7, unit: 1 };

const WEIGHTS: Weights = Weights { learning_rate: 3e-3, magnet: 0.01, imitate: 1.0 };

fn net(arch: Arch, seed: u64) -> Net {
    Net::new(&NetConfig { arch, width: 16, ..NetConfig::default() }, SHAPE, seed, &device()).unwrap()
}

fn config() -> PpoConfig {
    PpoConfig { minibatch: 20, micro_batch: 8, ..PpoConfig::default() }
}

/// Positions of two kinds, told apart by the first plane: in the first action 1 is good and the game is won, in the
/// second action 4 is good and the game is lost. The other actions are equally bad, action 6 is illegal.
fn bandit(infer: &Infer, n: usize) -> Samples {
    let mut samples = Samples::default();
    for row in 0..n {
        let second = row % 2 == 1;
        let mut planes = vec![0; SHAPE.planes()];
        planes[if second { 5 } else { 0 }] = 1;
        planes[6 + row / 2 % 12] = 1;
        let scalars = [0.5, row as f32 / n as f32, 0.0, 1.0];
        let mask = [1, 1, 1, 1, 1, 1, 0];
        let action = (row / 2) % 6;
        let good = action == if second { 4 } else { 1 };
        let logp = infer.run(&planes, &scalars, &mask, 1).logp;
        // What is hardly ever played is not in the data.
        samples.policy_weight.push(f32::from(u8::from(logp[action] > -5.0)));
        samples.imitate_weight.push(0.0);
        samples.old_logp.extend(logp);
        samples.planes.extend(planes);
        samples.scalars.extend(scalars);
        samples.mask.extend(mask);
        samples.action.push(action as u32);
        samples.advantage.push(if good { 2.0 } else { -0.4 });
        samples.target.extend(if second { [0.0, 0.1, 0.9] } else { [0.9, 0.1, 0.0] });
        samples.value_weight.push(if row % 3 == 0 { 0.0 } else { 1.0 });
    }
    samples
}

fn order(n: usize, turn: u32) -> Vec<u32> {
    (0..n as u32).map(|row| (row * 7 + turn) % n as u32).collect()
}

/// `count` updates on the same samples.
fn updates(learner: &mut Learner, samples: &Samples, turns: std::ops::Range<u32>, threads: usize) -> Vec<Losses> {
    let workers = Workers::new(threads).unwrap();
    turns.map(|turn| learner.update(samples, &order(samples.len(), turn), WEIGHTS, &workers).unwrap()).collect()
}

#[test]
fn good_actions_become_likely_and_results_expected() {
    for arch in [Arch::Mlp, Arch::Residual] {
        let mut learner = Learner::new(net(arch, 4), config()).unwrap();
        let mut last = Losses::default();
        for turn in 0..20 {
            // Fresh data each time: the clip keeps one update close to its data.
            let samples = bandit(&Infer::new(learner.net(), SHAPE), 48);
            last = updates(&mut learner, &samples, turn * 2..turn * 2 + 2, 1).pop().unwrap();
        }
        let infer = Infer::new(learner.net(), SHAPE);
        for (plane, action, result) in [(0, 1, 0), (5, 4, 2)] {
            let mut planes = vec![0; SHAPE.planes()];
            planes[plane] = 1;
            planes[9] = 1;
            let out = infer.run(&planes, &[0.5, 0.3, 0.0, 1.0], &[1, 1, 1, 1, 1, 1, 0], 1);
            assert!(out.logp[action].exp() > 0.5, "{arch:?} {:?}", out.logp);
            assert!(out.wdl[result] > 0.7, "{arch:?} {:?}", out.wdl);
        }
        assert!(last.explained_variance > 0.8, "{arch:?} {last:?}");
        assert_eq!(last.rows, 48);
    }
}

/// Imitated and followed side by side: the teacher's rows are always action 2, whatever the advantages say.
#[test]
fn a_teacher_is_imitated_beside_the_own_play() {
    let mut learner = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    let mut last = Losses::default();
    for turn in 0..40 {
        let mut samples = bandit(&Infer::new(learner.net(), SHAPE), 48);
        for row in (1..48).step_by(2) {
            samples.action[row] = 2;
            (samples.policy_weight[row], samples.imitate_weight[row]) = (0.0, 1.0);
            samples.old_logp[row * 7..][..7].fill(f32::NEG_INFINITY);
            samples.old_logp[row * 7 + 2] = 0.0;
        }
        last = updates(&mut learner, &samples, turn..turn + 1, 1).remove(0);
    }
    assert!(last.agreement == 1.0 && last.imitation < 0.3, "{last:?}");
    let infer = Infer::new(learner.net(), SHAPE);
    for (plane, action) in [(0, 1), (5, 2)] {
        let mut planes = vec![0; SHAPE.planes()];
        planes[plane] = 1;
        planes[9] = 1;
        let out = infer.run(&planes, &[0.5, 0.3, 0.0, 1.0], &[1, 1, 1, 1, 1, 1, 0], 1);
        assert!(out.logp[action].exp() > 0.5, "{plane}: {:?}", out.logp);
    }
}

#[test]
fn the_number_of_threads_changes_no_bit() {
    for arch in [Arch::Mlp, Arch::Residual] {
        let samples = bandit(&Infer::new(&net(arch, 4), SHAPE), 50);
        let run = |threads| {
            let mut learner = Learner::new(net(arch, 4), config()).unwrap();
            let losses = updates(&mut learner, &samples, 0..4, threads);
            (losses, learner.net().flat(), learner.optimizer_bytes().unwrap())
        };
        let one = run(1);
        assert!(one == run(2) && one == run(3), "{arch:?}");
    }
}

#[test]
fn a_run_goes_on_where_it_was_saved() {
    let samples = bandit(&Infer::new(&net(Arch::Mlp, 4), SHAPE), 50);
    let mut whole = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    updates(&mut whole, &samples, 0..6, 2);

    let mut first = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    updates(&mut first, &samples, 0..3, 2);
    let (weights, optimizer) = (first.net().weights(), first.optimizer_bytes().unwrap());
    // Another seed: everything must come from what was saved.
    let loaded = net(Arch::Mlp, 99).with_weights(weights).unwrap();
    let mut second = Learner::resume(loaded, config(), &optimizer).unwrap();
    updates(&mut second, &samples, 3..6, 1);
    assert_eq!(whole.net().flat(), second.net().flat());
    assert_eq!(whole.optimizer_bytes().unwrap(), second.optimizer_bytes().unwrap());
}

#[test]
fn before_any_step_acting_and_learning_agree() {
    let samples = bandit(&Infer::new(&net(Arch::Mlp, 4), SHAPE), 50);
    let mut learner = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    let losses = updates(&mut learner, &samples, 0..1, 1).remove(0);
    assert!(losses.first_drift < 1e-4, "{losses:?}");
    assert!((losses.entropy_share - 1.0).abs() < 0.01, "{losses:?}");
    assert!((losses.value - 3f64.ln()).abs() < 0.1, "{losses:?}");
}

#[test]
fn a_number_that_is_none_changes_nothing() {
    let mut samples = bandit(&Infer::new(&net(Arch::Mlp, 4), SHAPE), 50);
    // In the last minibatch, so that earlier ones have stepped before.
    let last = *order(50, 0).last().unwrap() as usize;
    samples.advantage[last] = f32::NAN;
    let mut learner = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    let before = (learner.net().flat(), learner.optimizer_bytes().unwrap());
    let workers = Workers::new(1).unwrap();
    let error = learner.update(&samples, &order(50, 0), WEIGHTS, &workers).unwrap_err();
    assert!(matches!(error, LearnError::NotFinite { what: "loss", minibatch: 1 | 2, .. }), "{error}");
    assert_eq!(before, (learner.net().flat(), learner.optimizer_bytes().unwrap()));
}

#[test]
fn samples_and_settings_are_checked() {
    let good = bandit(&Infer::new(&net(Arch::Mlp, 4), SHAPE), 6);
    let mut learner = Learner::new(net(Arch::Mlp, 4), config()).unwrap();
    let workers = Workers::new(1).unwrap();
    let mut update = |samples: &Samples, order: &[u32]| learner.update(samples, order, WEIGHTS, &workers);
    let mut short = good.clone();
    short.target.pop();
    let error = update(&short, &[0]).unwrap_err().to_string();
    assert_eq!(error, "samples.target holds 17 values, but the rows need 18");
    let mut illegal = good.clone();
    illegal.action[4] = 6;
    let error = update(&illegal, &[0]).unwrap_err().to_string();
    assert_eq!(error, "row 4 of the samples: action 6 is not legal there");
    let error = update(&good, &[0, 6]).unwrap_err().to_string();
    assert_eq!(error, "order names row 6, but there are 6 rows");
    assert_eq!(update(&good, &[]).unwrap(), Losses::default());

    let bad = PpoConfig { micro_batch: 0, ..config() };
    let error = Learner::new(net(Arch::Mlp, 4), bad).unwrap_err().to_string();
    assert_eq!(error, "ppo.micro_batch = 0: expected at least 1");
    assert!(toml::from_str::<PpoConfig>("clp = 0.1").is_err());
}

//! The loss of one row and its derivative by the network's outputs, written out.
//!
//! Automatic differentiation of these formulas would run some thirty operations over all actions, most of which are
//! illegal. Written out they touch the legal ones only, and burn differentiates just the network.

use crate::net::infer::log_softmax_row;

use super::PpoConfig;

/// What the rows of a batch add up to.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) rows: f64,
    /// Sum of the policy weights, and below it weighted sums.
    pub(super) policy_weight: f64,
    pub(super) policy: f64,
    pub(super) kl_data: f64,
    pub(super) clipped: f64,
    pub(super) drift: f64,
    /// Sum of the weights of imitation, and below it weighted sums.
    pub(super) imitate_weight: f64,
    pub(super) imitation: f64,
    pub(super) agreed: f64,
    /// Of both together.
    pub(super) kl_magnet: f64,
    pub(super) entropy: f64,
    pub(super) entropy_share: f64,
    /// Sum of the value weights, and below it weighted sums.
    pub(super) value_weight: f64,
    pub(super) value: f64,
    /// Number of hidden pieces, the cross entropy of what the network believes of them and of what it is told.
    pub(super) hidden: f64,
    pub(super) belief: f64,
    pub(super) told: f64,
    /// Target and error of the expected result, win = 1, loss = -1, and their squares.
    pub(super) target: [f64; 2],
    pub(super) error: [f64; 2],
}

impl Sums {
    pub(super) fn add(&mut self, other: &Sums) {
        self.rows += other.rows;
        self.policy_weight += other.policy_weight;
        self.policy += other.policy;
        self.kl_data += other.kl_data;
        self.clipped += other.clipped;
        self.drift += other.drift;
        self.imitate_weight += other.imitate_weight;
        self.imitation += other.imitation;
        self.agreed += other.agreed;
        self.kl_magnet += other.kl_magnet;
        self.entropy += other.entropy;
        self.entropy_share += other.entropy_share;
        self.value_weight += other.value_weight;
        self.value += other.value;
        self.hidden += other.hidden;
        self.belief += other.belief;
        self.told += other.told;
        for i in 0..2 {
            self.target[i] += other.target[i];
            self.error[i] += other.error[i];
        }
    }
}

impl Sums {
    /// Adds how open a policy is over `count` legal actions.
    fn add_entropy(&mut self, weight: f64, entropy: f32, count: u32) {
        let (entropy, most) = (f64::from(entropy), f64::from(count).ln());
        self.kl_magnet += weight * (most - entropy);
        self.entropy += weight * entropy;
        // With one legal action there is nothing to choose: that counts as fully open.
        self.entropy_share += weight * if count > 1 { entropy / most } else { 1.0 };
    }
}

/// One row of the policy.
pub(super) struct PolicyRow<'a> {
    pub(super) mask: &'a [i8],
    pub(super) action: usize,
    pub(super) old_logp: &'a [f32],
    pub(super) advantage: f32,
    pub(super) weight: f32,
}

/// Adds the row's figures to `sums`, and turns `logits` into the derivative of the row's loss by them, times `scale`.
///
/// With `p` the policy, `q` the data policy, `r = p[a] / q[a]` and `A` the advantage, the loss is
/// `- min(r A, clip(r) A) + kl_data KL(p || q) + magnet KL(p || uniform)`.
///
/// # Source
/// PPO: Schulman et al., arXiv:1707.06347. Both divergences point from `p`, so `p` loses what `q` or the uniform
/// policy leaves out.
pub(super) fn policy_row(
    row: &PolicyRow<'_>,
    config: &PpoConfig,
    magnet: f32,
    scale: f32,
    logits: &mut [f32],
    sums: &mut Sums,
) {
    if row.weight == 0.0 {
        logits.fill(0.0);
        return;
    }
    log_softmax_row(logits, row.mask);
    let logp = &*logits;
    let legal = || row.mask.iter().zip(logp).zip(row.old_logp).filter(|((legal, _), _)| **legal != 0);
    let (mut kl_data, mut entropy, mut count) = (0.0, 0.0, 0u32);
    for ((_, logp), old) in legal() {
        let p = logp.exp();
        kl_data += p * (logp - old);
        entropy -= p * logp;
        count += 1;
    }
    let ratio = (logp[row.action] - row.old_logp[row.action]).exp();
    let clipped = ratio.clamp(1.0 - config.clip, 1.0 + config.clip);
    let (free, bound) = (ratio * row.advantage, clipped * row.advantage);
    // Where the bound is the smaller one, the ratio no longer moves the loss.
    let push = if free <= bound { -free } else { 0.0 };

    let weight = f64::from(row.weight);
    sums.policy_weight += weight;
    sums.policy -= weight * f64::from(free.min(bound));
    sums.kl_data += weight * f64::from(kl_data);
    sums.add_entropy(weight, entropy, count);
    sums.clipped += weight * f64::from(u8::from((ratio - 1.0).abs() > config.clip));
    sums.drift += weight * f64::from((ratio - 1.0).abs());

    let scale = scale * row.weight;
    for (action, (logit, &legal)) in logits.iter_mut().zip(row.mask).enumerate() {
        if legal == 0 {
            *logit = 0.0;
            continue;
        }
        let (logp, p) = (*logit, logit.exp());
        let chosen = if action == row.action { 1.0 } else { 0.0 };
        let data = p * (logp - row.old_logp[action] - kl_data);
        let uniform = p * (logp + entropy);
        *logit = scale * (push * (chosen - p) + config.kl_data * data + magnet * uniform);
    }
}

/// The same for a row whose policy imitates another one, `logp`: the loss is KL(other || p).
pub(super) fn imitation_row(row: &PolicyRow<'_>, scale: f32, logits: &mut [f32], sums: &mut Sums) {
    if row.weight == 0.0 {
        logits.fill(0.0);
        return;
    }
    log_softmax_row(logits, row.mask);
    let (mut away, mut entropy, mut count) = (0.0, 0.0, 0u32);
    let (mut likeliest, mut wanted_most) = ((f32::NEG_INFINITY, 0), (f32::NEG_INFINITY, 0));
    let scale = scale * row.weight;
    for (action, (logit, &legal)) in logits.iter_mut().zip(row.mask).enumerate() {
        if legal == 0 {
            *logit = 0.0;
            continue;
        }
        let (logp, wanted) = (*logit, row.old_logp[action]);
        let (p, share) = (logp.exp(), wanted.exp());
        if share > 0.0 {
            away += share * (wanted - logp);
        }
        entropy -= p * logp;
        count += 1;
        if logp > likeliest.0 {
            likeliest = (logp, action);
        }
        if wanted > wanted_most.0 {
            wanted_most = (wanted, action);
        }
        *logit = scale * (p - share);
    }
    let weight = f64::from(row.weight);
    sums.imitate_weight += weight;
    sums.imitation += weight * f64::from(away);
    sums.agreed += weight * f64::from(u8::from(likeliest.1 == wanted_most.1));
    sums.add_entropy(weight, entropy, count);
}

/// Adds the row's figures to `sums`, and turns `logits` of win, draw and loss into the derivative of the cross entropy
/// to `target`, times `scale`.
pub(super) fn value_row(target: &[f32], weight: f32, scale: f32, logits: &mut [f32], sums: &mut Sums) {
    if weight == 0.0 {
        logits.fill(0.0);
        return;
    }
    log_softmax_row(logits, &[1; 3]);
    let expected = target[0] - target[2];
    let error = expected - (logits[0].exp() - logits[2].exp());
    let loss: f32 = target.iter().zip(&*logits).map(|(target, logp)| -target * logp).sum();
    let total: f32 = target.iter().sum();
    let row_weight = f64::from(weight);
    sums.value_weight += row_weight;
    sums.value += row_weight * f64::from(loss);
    for (sum, x) in [(&mut sums.target, expected), (&mut sums.error, error)] {
        sum[0] += row_weight * f64::from(x);
        sum[1] += row_weight * f64::from(x) * f64::from(x);
    }
    for (logit, target) in logits.iter_mut().zip(target) {
        *logit = scale * weight * (total * logit.exp() - target);
    }
}

/// Adds what is believed of a hidden piece to `sums`, and turns the logarithms of the probabilities of its kinds into the
/// derivative of the cross entropy by them, times `scale`. `right` is the true kind among them, and `told` its
/// share as the observation has it.
pub(super) fn belief_row(right: usize, told: f32, scale: f32, logs: &mut [f32], sums: &mut Sums) {
    sums.hidden += 1.0;
    sums.belief -= f64::from(logs[right]);
    sums.told -= f64::from(told.ln());
    for (kind, log) in logs.iter_mut().enumerate() {
        *log = scale * (log.exp() - f32::from(u8::from(kind == right)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MASK: [i8; 4] = [1, 0, 1, 1];

    fn policy(logits: &[f32], advantage: f32, magnet: f32) -> (f64, Vec<f32>, Sums) {
        let old_logp = [0.5f32, 1.0, 0.25, 0.25].map(f32::ln);
        let row = PolicyRow { mask: &MASK, action: 2, old_logp: &old_logp, advantage, weight: 2.0 };
        let config = PpoConfig { clip: 0.2, kl_data: 0.1, ..PpoConfig::default() };
        let (mut gradient, mut sums) = (logits.to_vec(), Sums::default());
        policy_row(&row, &config, magnet, 1.0, &mut gradient, &mut sums);
        let loss = sums.policy + 0.1 * sums.kl_data + f64::from(magnet) * sums.kl_magnet;
        (loss, gradient, sums)
    }

    #[test]
    fn a_row_matches_a_hand_computation() {
        // exp of the logits is 1, -, 1, 2: probabilities 1/4, 0, 1/4, 1/2; the played action has ratio 1.
        let (_, _, sums) = policy(&[0.0, 50.0, 0.0, 2f32.ln()], 3.0, 0.0);
        let weight = 2.0;
        assert!((sums.policy - weight * -3.0).abs() < 1e-6);
        // 1/4 ln(1/2) + 1/4 ln 1 + 1/2 ln 2 = 1/4 ln 2
        assert!((sums.kl_data - weight * 0.25 * 2f64.ln()).abs() < 1e-6);
        // 1/4 ln 4 + 1/4 ln 4 + 1/2 ln 2 = 3/2 ln 2
        assert!((sums.entropy - weight * 1.5 * 2f64.ln()).abs() < 1e-6);
        assert!((sums.entropy_share - weight * 1.5 * 2f64.ln() / 3f64.ln()).abs() < 1e-6);
        assert!((sums.kl_magnet - weight * (3f64.ln() - 1.5 * 2f64.ln())).abs() < 1e-6);
        assert_eq!((sums.clipped, sums.drift < 1e-6), (0.0, true));
        // With logit ln 2 more the played action has 2/5 and ratio 1.6: bound at 1.2.
        let (_, _, sums) = policy(&[0.0, 50.0, 2f32.ln(), 2f32.ln()], 3.0, 0.0);
        assert!((sums.policy - weight * -3.6).abs() < 1e-5);
        assert_eq!(sums.clipped, weight);
        // A bad action is not protected by the bound on that side.
        let (_, _, sums) = policy(&[0.0, 50.0, 2f32.ln(), 2f32.ln()], -3.0, 0.0);
        assert!((sums.policy - weight * 4.8).abs() < 1e-5);
    }

    #[test]
    fn derivatives_match_differences() {
        let logits = [0.3f32, 9.0, 0.8, -0.4];
        for (advantage, magnet) in [(1.5, 0.3), (-1.5, 0.0), (0.0, 1.0)] {
            let (_, gradient, _) = policy(&logits, advantage, magnet);
            for i in 0..4 {
                let moved = |by: f32| {
                    let mut logits = logits;
                    logits[i] += by;
                    policy(&logits, advantage, magnet).0
                };
                let slope = (moved(5e-3) - moved(-5e-3)) / 1e-2;
                assert!((slope - f64::from(gradient[i])).abs() < 2e-3, "{i}: {slope} {gradient:?}");
            }
        }
        let (target, logits) = ([0.5, 0.2, 0.3], [0.1f32, -0.7, 0.4]);
        let value = |logits: [f32; 3]| {
            let (mut gradient, mut sums) = (logits, Sums::default());
            value_row(&target, 2.0, 1.0, &mut gradient, &mut sums);
            (sums.value, gradient)
        };
        for i in 0..3 {
            let moved = |by: f32| {
                let mut logits = logits;
                logits[i] += by;
                value(logits).0
            };
            let slope = (moved(5e-3) - moved(-5e-3)) / 1e-2;
            assert!((slope - f64::from(value(logits).1[i])).abs() < 2e-3);
        }
    }

    #[test]
    fn imitation_ends_at_the_other_policy() {
        let wanted = [0.5f32, 1.0, 0.25, 0.25].map(f32::ln);
        let imitate = |logits: [f32; 4]| {
            let row = PolicyRow { mask: &MASK, action: 2, old_logp: &wanted, advantage: 9.0, weight: 2.0 };
            let (mut gradient, mut sums) = (logits, Sums::default());
            imitation_row(&row, 1.0, &mut gradient, &mut sums);
            (sums.imitation, gradient)
        };
        let (loss, gradient) = imitate(wanted);
        assert!(loss.abs() < 1e-6 && gradient.iter().all(|slope| slope.abs() < 1e-6), "{loss} {gradient:?}");
        let logits = [0.3f32, 9.0, 0.8, -0.4];
        for i in 0..4 {
            let moved = |by: f32| {
                let mut logits = logits;
                logits[i] += by;
                imitate(logits).0
            };
            let slope = (moved(5e-3) - moved(-5e-3)) / 1e-2;
            assert!((slope - f64::from(imitate(logits).1[i])).abs() < 2e-3);
        }
    }

    #[test]
    fn weight_zero_leaves_a_row_out() {
        let (mut sums, mut logits) = (Sums::default(), [1.0; 3]);
        value_row(&[1.0, 0.0, 0.0], 0.0, 1.0, &mut logits, &mut sums);
        assert_eq!((logits, sums.value_weight), ([0.0; 3], 0.0));
        let row = PolicyRow { mask: &[1; 3], action: 0, old_logp: &[-1.0; 3], advantage: 1.0, weight: 0.0 };
        let mut logits = [1.0; 3];
        policy_row(&row, &PpoConfig::default(), 1.0, 1.0, &mut logits, &mut sums);
        assert_eq!((logits, sums.policy_weight), ([0.0; 3], 0.0));
    }
}

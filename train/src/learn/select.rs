//! Which plies of a batch are learned from, and how they are laid out for the learner.

use anqi_env::game::Spec;
use anqi_env::rng::Rng;

use super::Samples;
use crate::config::Select;
use crate::rollout::Experience;

/// A ply to learn from.
struct Pick {
    row: usize,
    policy: bool,
    value: bool,
}

/// The plies with the largest advantages by size for the policy, a random share for the value.
///
/// Most plies of a game teach the policy nothing: it learns from those whose result surprised. The value learns
/// from an unbiased share, for surprising plies alone would teach it that surprises are the rule.
fn pick(advantages: &[f32], own: &[bool], select: &Select, rng: &mut Rng) -> Vec<Pick> {
    let mut by_size: Vec<usize> = (0..advantages.len()).filter(|&row| own[row]).collect();
    let n = by_size.len();
    let share = |part: f32| ((n as f32 * part).round() as usize).min(n);
    let size = |&row: &usize| advantages[row].abs();
    let policy = share(select.policy);
    if policy > 0 && policy < n {
        // Equal sizes are ordered by row, so that the choice is the same every time.
        by_size.select_nth_unstable_by(policy - 1, |a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
    }
    let mut picks: Vec<Pick> = (0..advantages.len()).map(|row| Pick { row, policy: false, value: false }).collect();
    by_size[..policy].iter().for_each(|&row| picks[row].policy = true);
    let mut order = by_size;
    order.sort_unstable();
    rng.shuffle(&mut order);
    order[..share(select.value)].iter().for_each(|&row| picks[row].value = true);
    picks.retain(|pick| pick.policy || pick.value);
    picks
}

/// Advantages with mean 0 and variance 1 over the network's own plies. A value that is off by a constant, as at the start of a run, would
/// otherwise praise or blame every action alike, and a policy that is praised for whatever it does collapses.
fn normalised(advantages: &[f32], own: &[bool]) -> Vec<f32> {
    let of_own = || advantages.iter().zip(own).filter(|(_, own)| **own).map(|(advantage, _)| *advantage);
    let n = of_own().count().max(1) as f32;
    let mean = of_own().sum::<f32>() / n;
    let variance = of_own().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
    let scale = 1.0 / variance.sqrt().max(1e-6);
    advantages.iter().map(|x| (x - mean) * scale).collect()
}

/// Makes the learner's samples from the parts of a batch, all of the same length, overwriting `samples`.
pub fn samples(spec: &Spec, parts: &[&Experience], select: &Select, rng: &mut Rng, samples: &mut Samples) {
    let (p, k, a) = (spec.planes_len(), spec.num_scalars, spec.num_actions);
    let all: Vec<f32> = parts.iter().flat_map(|part| part.advantages.iter().copied()).collect();
    let own: Vec<bool> = parts.iter().flat_map(|part| part.own.iter().copied()).collect();
    let advantages = normalised(&all, &own);
    let length = parts.first().map_or(1, |part| part.len().max(1));
    samples.clear();
    for Pick { row, policy, value } in pick(&advantages, &own, select, rng) {
        let (part, at) = (parts[row / length], row % length);
        samples.planes.extend_from_slice(&part.encoded.planes[at * p..][..p]);
        samples.scalars.extend_from_slice(&part.encoded.scalars[at * k..][..k]);
        samples.mask.extend_from_slice(&part.encoded.mask[at * a..][..a]);
        samples.old_logp.extend_from_slice(&part.logp[at * a..][..a]);
        samples.action.push(part.actions[at]);
        samples.advantage.push(advantages[row]);
        samples.target.extend_from_slice(&part.targets[3 * at..][..3]);
        samples.policy_weight.push(f32::from(u8::from(policy)));
        samples.value_weight.push(f32::from(u8::from(value)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_advantages_teach_the_policy() {
        let advantages = [0.1, -0.9, 0.0, 0.4, 0.2, -0.4, 0.8, 0.0];
        let select = Select { policy: 0.25, value: 0.5 };
        let picks = pick(&advantages, &[true; 8], &select, &mut Rng::new(1));
        let rows = |wanted: fn(&Pick) -> bool| picks.iter().filter(|p| wanted(p)).map(|p| p.row).collect::<Vec<_>>();
        assert_eq!(rows(|p| p.policy), [1, 6]);
        assert_eq!(rows(|p| p.value).len(), 4);
        assert!(picks.iter().all(|p| p.policy || p.value));
        // What an opponent played is left out.
        let own = [true, false, true, true, true, true, true, true];
        let picks = pick(&advantages, &own, &select, &mut Rng::new(1));
        let rows = |wanted: fn(&Pick) -> bool| picks.iter().filter(|p| wanted(p)).map(|p| p.row).collect::<Vec<_>>();
        assert_eq!(rows(|p| p.policy), [3, 6]);
        assert!(picks.iter().all(|p| p.row != 1));
    }
}

//! Which plies of a batch are learned from, and how they are laid out for the learner.

use anqi_env::game::Spec;
use anqi_env::rng::Rng;

use super::Samples;
use crate::config::Select;
use crate::rollout::{Actor, Experience};

/// What a batch teaches.
#[derive(Clone, Copy)]
pub struct Plan<'a> {
    /// How many of the network's plies.
    pub select: &'a Select,
    /// The network's plies are a search's, whose policy is imitated; else their advantages are followed.
    pub searched: bool,
    /// The policy imitates teachers.
    pub taught: bool,
}

/// A ply to learn from.
#[derive(Default)]
struct Pick {
    row: usize,
    policy: bool,
    imitate: bool,
    value: bool,
}

/// The plies with the largest advantages by size for the policy, a random share for the value. Of the teachers' plies all
/// are imitated, and the same share teaches the value.
///
/// Most plies of a game teach the policy nothing: it learns from those whose result surprised. The value learns
/// from an unbiased share, for surprising plies alone would teach it that surprises are the rule.
fn pick(advantages: &[f32], by: &[Actor], plan: Plan<'_>, rng: &mut Rng) -> Vec<Pick> {
    let of = |actor: Actor| (0..by.len()).filter(move |&row| by[row] == actor);
    let share = |part: f32, n: usize| ((n as f32 * part).round() as usize).min(n);
    let mut by_size: Vec<usize> = of(Actor::Network).collect();
    let (n, size) = (by_size.len(), |&row: &usize| advantages[row].abs());
    let policy = share(plan.select.policy, n);
    if policy > 0 && policy < n {
        // Equal sizes are ordered by row, so that the choice is the same every time.
        by_size.select_nth_unstable_by(policy - 1, |a, b| size(b).total_cmp(&size(a)).then(a.cmp(b)));
    }
    let mut picks: Vec<Pick> = (0..by.len()).map(|row| Pick { row, ..Pick::default() }).collect();
    by_size[..policy].iter().for_each(|&row| match plan.searched {
        true => picks[row].imitate = true,
        false => picks[row].policy = true,
    });
    of(Actor::Teacher).for_each(|row| picks[row].imitate = plan.taught);
    let mut order: Vec<usize> = (0..by.len()).filter(|&row| by[row] != Actor::Opponent).collect();
    rng.shuffle(&mut order);
    order[..share(plan.select.value, order.len())].iter().for_each(|&row| picks[row].value = true);
    picks.retain(|pick| pick.policy || pick.imitate || pick.value);
    picks
}

/// Advantages with mean 0 and variance 1 over the network's own plies. A value that is off by a constant, as at the start of a run, would
/// otherwise praise or blame every action alike, and a policy that is praised for whatever it does collapses.
fn normalised(advantages: &[f32], by: &[Actor]) -> Vec<f32> {
    let of_own = || advantages.iter().zip(by).filter(|(_, by)| **by == Actor::Network).map(|(advantage, _)| *advantage);
    let n = of_own().count().max(1) as f32;
    let mean = of_own().sum::<f32>() / n;
    let variance = of_own().map(|x| (x - mean) * (x - mean)).sum::<f32>() / n;
    let scale = 1.0 / variance.sqrt().max(1e-6);
    advantages.iter().map(|x| (x - mean) * scale).collect()
}

/// Makes the learner's samples from the parts of a batch, all of the same length, overwriting `samples`.
pub fn samples(spec: &Spec, parts: &[&Experience], plan: Plan<'_>, rng: &mut Rng, samples: &mut Samples) {
    let (p, k, a) = (spec.planes_len(), spec.num_scalars, spec.num_actions);
    let all: Vec<f32> = parts.iter().flat_map(|part| part.advantages.iter().copied()).collect();
    let by: Vec<Actor> = parts.iter().flat_map(|part| part.by.iter().copied()).collect();
    let advantages = normalised(&all, &by);
    let length = parts.first().map_or(1, |part| part.len().max(1));
    let weight = |wanted: bool| f32::from(u8::from(wanted));
    samples.clear();
    for Pick { row, policy, imitate, value } in pick(&advantages, &by, plan, rng) {
        let (part, at) = (parts[row / length], row % length);
        samples.planes.extend_from_slice(&part.encoded.planes[at * p..][..p]);
        samples.scalars.extend_from_slice(&part.encoded.scalars[at * k..][..k]);
        samples.mask.extend_from_slice(&part.encoded.mask[at * a..][..a]);
        match by[row] {
            Actor::Network => samples.old_logp.extend_from_slice(&part.logp[at * a..][..a]),
            // All that is known of another's policy is what it played.
            Actor::Teacher | Actor::Opponent => {
                let start = samples.old_logp.len();
                samples.old_logp.resize(start + a, f32::NEG_INFINITY);
                samples.old_logp[start + part.actions[at] as usize] = 0.0;
            }
        }
        samples.action.push(part.actions[at]);
        samples.advantage.push(advantages[row]);
        samples.target.extend_from_slice(&part.targets[3 * at..][..3]);
        samples.policy_weight.push(weight(policy));
        samples.imitate_weight.push(weight(imitate) * part.weights[at]);
        samples.value_weight.push(weight(value));
        let places = part.hidden.len() / part.len();
        samples.hidden.extend_from_slice(&part.hidden[at * places..][..places]);
    }
}

/// The samples of a critic, a random share of all plies, whoever chose them: it judges how the game that is played will
/// end. Their one action is never asked about.
pub fn critic_samples(spec: &Spec, parts: &[&Experience], share: f32, rng: &mut Rng, samples: &mut Samples) {
    let (p, k) = (spec.planes_len(), spec.num_scalars);
    let length = parts.first().map_or(1, |part| part.len().max(1));
    let mut rows: Vec<usize> = (0..parts.len() * length).collect();
    rng.shuffle(&mut rows);
    rows.truncate((rows.len() as f32 * share).round() as usize);
    rows.sort_unstable();
    samples.clear();
    for &row in &rows {
        let (part, at) = (parts[row / length], row % length);
        samples.planes.extend_from_slice(&part.revealed.planes[at * p..][..p]);
        samples.scalars.extend_from_slice(&part.revealed.scalars[at * k..][..k]);
        samples.target.extend_from_slice(&part.targets[3 * at..][..3]);
    }
    let n = rows.len();
    samples.mask.resize(n, 1);
    samples.action.resize(n, 0);
    samples.value_weight.resize(n, 1.0);
    for zeros in
        [&mut samples.old_logp, &mut samples.advantage, &mut samples.policy_weight, &mut samples.imitate_weight]
    {
        zeros.resize(n, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_advantages_teach_the_policy() {
        let advantages = [0.1, -0.9, 0.0, 0.4, 0.2, -0.4, 0.8, 0.0];
        let select = Select { policy: 0.25, value: 0.5 };
        let plan = Plan { select: &select, searched: false, taught: false };
        let played = |by: &[Actor], plan: Plan<'_>| pick(&advantages, by, plan, &mut Rng::new(1));
        let rows = |picks: &[Pick], wanted: fn(&Pick) -> bool| {
            picks.iter().filter(|p| wanted(p)).map(|p| p.row).collect::<Vec<_>>()
        };
        let mut by = [Actor::Network; 8];
        let picks = played(&by, plan);
        assert_eq!(rows(&picks, |p| p.policy), [1, 6]);
        assert_eq!(rows(&picks, |p| p.value).len(), 4);
        assert!(picks.iter().all(|p| !p.imitate && (p.policy || p.value)));
        // What an opponent played is left out.
        by[1] = Actor::Opponent;
        let picks = played(&by, plan);
        assert_eq!(rows(&picks, |p| p.policy), [3, 6]);
        assert!(picks.iter().all(|p| p.row != 1));
        // A teacher's plies are imitated, and the value learns from them in any case.
        by[1] = Actor::Teacher;
        let picks = played(&by, Plan { taught: true, ..plan });
        assert_eq!((rows(&picks, |p| p.policy), rows(&picks, |p| p.imitate)), (vec![3, 6], vec![1]));
        let all = Select { value: 1.0, ..select.clone() };
        let picks = played(&by, Plan { select: &all, ..plan });
        assert_eq!((rows(&picks, |p| p.imitate), rows(&picks, |p| p.value).len()), (vec![], 8));
        // A search is imitated instead of followed.
        let picks = played(&by, Plan { searched: true, ..plan });
        assert_eq!((rows(&picks, |p| p.policy), rows(&picks, |p| p.imitate)), (vec![], vec![3, 6]));
    }
}

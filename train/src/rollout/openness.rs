//! How open a policy is at the stages of a game.

/// The plies at which the stages begin.
const STAGES: [u32; 4] = [0, 16, 64, 256];

/// Entropies of the policy in the network's plies, or of what a search or a teacher made of it, by stage, as shares of the
/// largest that the legal actions allow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Openness {
    sums: [f64; STAGES.len()],
    plies: [u64; STAGES.len()],
}

impl Openness {
    /// Adds a ply; `logp` are the policy's log-probabilities, negative infinity for illegal actions. One legal action
    /// alone is no choice, and does not count.
    pub(super) fn add_ply(&mut self, ply: u32, logp: &[f32]) {
        let legal = logp.iter().filter(|&&logp| logp > f32::NEG_INFINITY);
        let (entropy, count) = legal.fold((0.0, 0u32), |(sum, count), logp| (sum - logp.exp() * logp, count + 1));
        if count > 1 {
            let stage = STAGES.iter().rposition(|&first| ply >= first).unwrap_or(0);
            self.sums[stage] += f64::from(entropy) / f64::from(count).ln();
            self.plies[stage] += 1;
        }
    }

    /// Adds other plies.
    pub fn add(&mut self, other: Openness) {
        for stage in 0..STAGES.len() {
            self.sums[stage] += other.sums[stage];
            self.plies[stage] += other.plies[stage];
        }
    }

    /// The means of the stages that were played, by name.
    pub fn figures(&self) -> impl Iterator<Item = (&'static str, f64)> {
        let names = ["entropy_share_ply_0", "entropy_share_ply_16", "entropy_share_ply_64", "entropy_share_ply_256"];
        let stages = names.into_iter().zip(self.sums.into_iter().zip(self.plies));
        stages.filter(|(_, (_, plies))| *plies > 0).map(|(name, (sum, plies))| (name, sum / plies as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_apart() {
        let no = f32::NEG_INFINITY;
        let mut openness = Openness::default();
        openness.add_ply(15, &[0.5f32.ln(), no, 0.5f32.ln()]);
        openness.add_ply(16, &[0.0, no, -40.0]);
        openness.add_ply(63, &[0.5f32.ln(), no, 0.5f32.ln()]);
        openness.add_ply(300, &[no, 0.0, no]);
        let mut both = openness;
        both.add(openness);
        for found in [openness, both] {
            let found: Vec<_> = found.figures().map(|(name, share)| (name, (share * 100.0).round())).collect();
            assert_eq!(found, [("entropy_share_ply_0", 100.0), ("entropy_share_ply_16", 50.0)]);
        }
    }
}

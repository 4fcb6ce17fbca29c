//! What was each ply worth: advantages for the policy, win/draw/loss targets for the value.
//!
//! Results are zero-sum between two teams, seats with even and with odd numbers. Whenever the next ply is the
//! other team's, its win is this seat's loss.

use serde::{Deserialize, Serialize};

/// How far into the future each estimate looks, from 0 (the next ply's value) to 1 (the end of the game).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lambdas {
    /// GAE lambda of the advantages.
    pub advantage: f32,
    /// TD lambda of the win/draw/loss targets.
    pub value: f32,
}

impl Default for Lambdas {
    fn default() -> Self {
        Lambdas { advantage: 0.7, value: 0.95 }
    }
}

/// What is expected in each of many positions, the view of the seat to move.
#[derive(Clone, Copy)]
pub struct Estimates<'a> {
    /// [n, 3] the network's win, draw and loss.
    pub wdl: &'a [f32],
    /// [n] what advantages are measured against, from -1 to 1.
    pub baseline: &'a [f32],
}

/// Who moved in each ply of a group of games, and how the games ended.
pub struct Track {
    games: usize,
    movers: Vec<u8>,
    /// The mover's result where the ply ended its game.
    results: Vec<Option<f32>>,
}

impl Track {
    /// Room for `plies` plies of `games` games.
    pub fn new(games: usize, plies: usize) -> Track {
        Track { games, movers: Vec::with_capacity(games * plies), results: Vec::with_capacity(games * plies) }
    }

    /// Adds the next game's ply; games come in order, ply by ply.
    pub fn push(&mut self, mover: u8, result: Option<f32>) {
        self.movers.push(mover);
        self.results.push(result);
    }

    /// Advantages [n] and targets [n, 3].
    ///
    /// Targets look ahead to the network's own win/draw/loss; advantages to the baseline, a value from -1 to 1 that may
    /// know more. A draw costs both sides `draw_penalty` in the advantages, for a policy that need not fear it stops
    /// fighting; targets stay what they are.
    ///
    /// # Shapes
    /// - `before`: for each of the n plies, the mover's view
    /// - `after`: for each game after the last ply, the view of the seats `last_seats` then to move
    pub fn finish(
        &self,
        before: Estimates<'_>,
        after: Estimates<'_>,
        last_seats: &[u8],
        lambdas: Lambdas,
        draw_penalty: f32,
    ) -> (Vec<f32>, Vec<f32>) {
        let n = self.movers.len();
        let wdl = |source: &[f32], i: usize| [source[3 * i], source[3 * i + 1], source[3 * i + 2]];
        let mut advantages = vec![0.0; n];
        let mut targets = vec![0.0; 3 * n];
        for (game, &last_seat) in last_seats.iter().enumerate() {
            // The future of the ply: who moves next, its expected and its target win/draw/loss, its baseline and
            // advantage.
            let ahead = wdl(after.wdl, game);
            let mut next = (last_seat, ahead, ahead, after.baseline[game], [0.0; 2]);
            for i in (game..n).step_by(self.games).rev() {
                let (now, drawn) = (before.baseline[i], before.wdl[3 * i + 1]);
                let (target, advantage) = match self.results[i] {
                    Some(result) => {
                        let target = [f32::from(result > 0.0), f32::from(result == 0.0), f32::from(result < 0.0)];
                        (target, [result - now, target[1] - drawn])
                    }
                    None => {
                        let (seat, ahead, ahead_target, ahead_baseline, ahead_advantage) = next;
                        let same_team = (seat ^ self.movers[i]) & 1 == 0;
                        let turn = |v: [f32; 3]| if same_team { v } else { [v[2], v[1], v[0]] };
                        let (ahead, ahead_target) = (turn(ahead), turn(ahead_target));
                        let mix = |k: usize| ahead[k] + lambdas.value * (ahead_target[k] - ahead[k]);
                        let sign = if same_team { 1.0 } else { -1.0 };
                        let [result, draw] = ahead_advantage.map(|advantage| lambdas.advantage * advantage);
                        // A draw is the same for both sides, a result is not.
                        let advantage = [sign * (ahead_baseline + result) - now, ahead[1] + draw - drawn];
                        ([mix(0), mix(1), mix(2)], advantage)
                    }
                };
                advantages[i] = advantage[0] - draw_penalty * advantage[1];
                targets[3 * i..3 * i + 3].copy_from_slice(&target);
                next = (self.movers[i], wdl(before.wdl, i), target, now, advantage);
            }
        }
        (advantages, targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With the network's own value as the baseline.
    fn finish(track: &Track, before: &[f32], after: &[f32], seats: &[u8], lambdas: Lambdas) -> (Vec<f32>, Vec<f32>) {
        let value = |wdl: &[f32]| wdl.chunks(3).map(|wdl| wdl[0] - wdl[2]).collect::<Vec<_>>();
        let (before_value, after_value) = (value(before), value(after));
        let before = Estimates { wdl: before, baseline: &before_value };
        let after = Estimates { wdl: after, baseline: &after_value };
        track.finish(before, after, seats, lambdas, 0.0)
    }

    /// Two plies of one game: seat 0 moves, then seat 1 wins.
    #[test]
    fn the_winner_gains_what_the_other_loses() {
        let mut track = Track::new(1, 2);
        track.push(0, None);
        track.push(1, Some(1.0));
        let expected = [0.5, 0.3, 0.2, 0.4, 0.4, 0.2];
        let (advantages, targets) = finish(&track, &expected, &[0.0; 3], &[0], Lambdas { advantage: 0.5, value: 0.8 });
        assert_eq!(targets[3..], [1.0, 0.0, 0.0]);
        // Ahead for seat 0: [0.2, 0.4, 0.4] and the target [0, 0, 1], mixed at 0.8.
        let close = |a: f32, b: f32| (a - b).abs() < 1e-6;
        assert!(close(targets[0], 0.04) && close(targets[1], 0.08) && close(targets[2], 0.88), "{targets:?}");
        assert!(close(advantages[1], 1.0 - 0.2));
        assert!(close(advantages[0], (0.2 - 0.4) - (0.5 - 0.2) - 0.5 * 0.8), "{advantages:?}");
    }

    /// With both lambdas 1 the estimates are the result itself.
    #[test]
    fn lambda_one_is_the_result() {
        let mut track = Track::new(2, 3);
        for ply in 0..3u8 {
            track.push(ply & 1, (ply == 2).then_some(-1.0));
            track.push(ply & 1, None);
        }
        let expected = [0.2, 0.5, 0.3].repeat(6);
        let last = [0.0, 0.0, 0.0, 0.7, 0.2, 0.1];
        let (advantages, targets) = finish(&track, &expected, &last, &[0, 1], Lambdas { advantage: 1.0, value: 1.0 });
        assert_eq!(targets[..3], [0.0, 0.0, 1.0]);
        let close = |a: &[f32], b: [f32; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(close(&targets[3..6], [0.1, 0.2, 0.7]), "seat 1 is expected to win 0.7: {targets:?}");
        assert_eq!(targets[6..9], [1.0, 0.0, 0.0]);
        assert!((advantages[0] - (-1.0 + 0.1)).abs() < 1e-6, "{advantages:?}");
    }

    /// Both sides lose by a draw what the penalty says, beyond what was expected of it.
    #[test]
    fn a_draw_costs_both_sides() {
        let mut track = Track::new(1, 2);
        track.push(0, None);
        track.push(1, Some(0.0));
        let wdl = [0.25, 0.5, 0.25].repeat(2);
        let before = Estimates { wdl: &wdl, baseline: &[0.0; 2] };
        let after = Estimates { wdl: &[0.0; 3], baseline: &[0.0] };
        let lambdas = Lambdas { advantage: 1.0, value: 1.0 };
        let (advantages, targets) = track.finish(before, after, &[0], lambdas, 0.4);
        assert!(advantages.iter().all(|x| (x + 0.4 * 0.5).abs() < 1e-6), "{advantages:?}");
        assert_eq!(targets, [0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
    }

    /// Partners share a result.
    #[test]
    fn a_partners_ply_keeps_the_sign() {
        let mut track = Track::new(1, 1);
        track.push(0, None);
        let last = [0.6, 0.3, 0.1];
        let (_, targets) = finish(&track, &[0.3, 0.4, 0.3], &last, &[2], Lambdas::default());
        assert_eq!(targets, last);
    }
}

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
        Lambdas { advantage: 0.5, value: 0.8 }
    }
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
    /// # Shapes
    /// - `expected`: [n, 3], the network's win/draw/loss before each ply, the mover's view
    /// - `last`: [games, 3], the same after the last ply, for the seats `last_seats` then to move
    pub fn finish(&self, expected: &[f32], last: &[f32], last_seats: &[u8], lambdas: Lambdas) -> (Vec<f32>, Vec<f32>) {
        let n = self.movers.len();
        let wdl = |source: &[f32], i: usize| [source[3 * i], source[3 * i + 1], source[3 * i + 2]];
        let mut advantages = vec![0.0; n];
        let mut targets = vec![0.0; 3 * n];
        for game in 0..self.games {
            // The future of the ply: who moves next, its expected and its target win/draw/loss, its advantage.
            let mut next = (last_seats[game], wdl(last, game), wdl(last, game), 0.0);
            for i in (game..n).step_by(self.games).rev() {
                let now = wdl(expected, i);
                let (target, advantage) = match self.results[i] {
                    Some(result) => {
                        let target = [f32::from(result > 0.0), f32::from(result == 0.0), f32::from(result < 0.0)];
                        (target, result - (now[0] - now[2]))
                    }
                    None => {
                        let (seat, ahead, ahead_target, ahead_advantage) = next;
                        let same_team = (seat ^ self.movers[i]) & 1 == 0;
                        let turn = |v: [f32; 3]| if same_team { v } else { [v[2], v[1], v[0]] };
                        let (ahead, ahead_target) = (turn(ahead), turn(ahead_target));
                        let mix = |k: usize| ahead[k] + lambdas.value * (ahead_target[k] - ahead[k]);
                        let sign = if same_team { 1.0 } else { -1.0 };
                        let delta = ahead[0] - ahead[2] - (now[0] - now[2]);
                        ([mix(0), mix(1), mix(2)], delta + lambdas.advantage * sign * ahead_advantage)
                    }
                };
                advantages[i] = advantage;
                targets[3 * i..3 * i + 3].copy_from_slice(&target);
                next = (self.movers[i], now, target, advantage);
            }
        }
        (advantages, targets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two plies of one game: seat 0 moves, then seat 1 wins.
    #[test]
    fn the_winner_gains_what_the_other_loses() {
        let mut track = Track::new(1, 2);
        track.push(0, None);
        track.push(1, Some(1.0));
        let expected = [0.5, 0.3, 0.2, 0.4, 0.4, 0.2];
        let (advantages, targets) = track.finish(&expected, &[0.0; 3], &[0], Lambdas { advantage: 0.5, value: 0.8 });
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
        let (advantages, targets) = track.finish(&expected, &last, &[0, 1], Lambdas { advantage: 1.0, value: 1.0 });
        assert_eq!(targets[..3], [0.0, 0.0, 1.0]);
        assert_eq!(targets[3..6], [0.1, 0.2, 0.7], "seat 1 is expected to win 0.7");
        assert_eq!(targets[6..9], [1.0, 0.0, 0.0]);
        assert!((advantages[0] - (-1.0 + 0.1)).abs() < 1e-6, "{advantages:?}");
    }

    /// Partners share a result.
    #[test]
    fn a_partners_ply_keeps_the_sign() {
        let mut track = Track::new(1, 1);
        track.push(0, None);
        let last = [0.6, 0.3, 0.1];
        let (_, targets) = track.finish(&[0.3, 0.4, 0.3], &last, &[2], Lambdas::default());
        assert_eq!(targets, last);
    }
}

//! How likely each kind is for each enemy piece: what can be told, weighed by plain sense.

use anqi_env::game::Seat;
use anqi_env::junqi::Junqi;
use anqi_env::junqi::View;
use anqi_env::junqi::piece::{COUNTS, FIXED, KINDS, Kind, PIECES};
use anqi_env::junqi::rules::Setup;
use anqi_env::junqi::view::piece_of;

use super::setup;

/// Rounds in which the shares are fitted to pieces and counts.
const ROUNDS: usize = 6;

/// How much likelier a piece that never moved is a mine, when all others have.
const RESTING: f32 = 1.5;

/// How likely the unlikeliest kind is where a seat sets up sensibly: nothing is excluded.
const UNLIKELY: f32 = 0.01;

/// Likelihoods of the kinds, by the number of the piece among those of its seat.
pub(super) type Shares = [[f32; KINDS]; PIECES];

/// The likelihood of each kind for each of a seat's 25 pieces, gone ones included. They add up to one for a piece and,
/// nearly, to the count of a kind.
pub(super) fn shares(game: &Junqi, view: &View, seat: Seat) -> Shares {
    let masks = game.candidates(view, seat);
    let public = view.public();
    let moved = (0..PIECES).filter(|&slot| public.has_moved(piece_of(seat, slot))).count();
    let resting = 1.0 + RESTING * moved as f32 / PIECES as f32;
    let drawn_evenly = game.rules().setup == Setup::Uniform;
    let mut shares: Shares = std::array::from_fn(|slot| {
        let piece = piece_of(seat, slot);
        let spot = &game.graph().spots[usize::from(game.home(piece))];
        std::array::from_fn(|kind| {
            if masks[slot] >> kind & 1 == 0 {
                return 0.0;
            }
            let fixed = FIXED >> kind & 1 == 1;
            let sense =
                if drawn_evenly { 1.0 } else { setup::fits(Kind::ALL[kind], spot.row, spot.col, None).max(UNLIKELY) };
            f32::from(COUNTS[kind]) * sense * if fixed && !public.has_moved(piece) { resting } else { 1.0 }
        })
    });
    for _ in 0..ROUNDS {
        for kind in 0..KINDS {
            let sum: f32 = shares.iter().map(|of| of[kind]).sum();
            if sum > 0.0 {
                let factor = f32::from(COUNTS[kind]) / sum;
                shares.iter_mut().for_each(|of| of[kind] *= factor);
            }
        }
        for of in &mut shares {
            let sum: f32 = of.iter().sum();
            of.iter_mut().for_each(|share| *share /= sum.max(f32::MIN_POSITIVE));
        }
    }
    shares
}

//! Observations as the flat arrays that networks take.

use anqi_env::game::{Game, Spec, Symmetry};

use crate::net::Shape;

/// What a game's encoding gives a network.
pub fn shape_of(spec: &Spec) -> Shape {
    let [channels, rows, cols] = spec.planes;
    Shape { channels, rows, cols, scalars: spec.num_scalars, actions: spec.num_actions }
}

/// Observations and masks of n positions, row by row.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// [n, C, R, W]
    pub planes: Vec<u8>,
    /// [n, K]
    pub scalars: Vec<f32>,
    /// [n, A]
    pub mask: Vec<i8>,
}

impl Encoded {
    /// Room for n positions.
    pub fn new(spec: &Spec, n: usize) -> Encoded {
        Encoded {
            planes: vec![0; n * spec.planes_len()],
            scalars: vec![0.0; n * spec.num_scalars],
            mask: vec![0; n * spec.num_actions],
        }
    }

    /// Takes over positions of the same number, each seen under its own symmetry.
    pub fn reflected(&mut self, from: &Encoded, views: &[&Symmetry]) {
        let width = |all: usize| all / views.len();
        let (p, a) = (width(from.planes.len()), width(from.mask.len()));
        self.scalars.copy_from_slice(&from.scalars);
        for (row, Symmetry { squares, actions, .. }) in views.iter().enumerate() {
            let (from_planes, to_planes) = (&from.planes[row * p..][..p], &mut self.planes[row * p..][..p]);
            let planes = from_planes.chunks_exact(squares.len()).zip(to_planes.chunks_exact_mut(squares.len()));
            for (from, to) in planes {
                from.iter().zip(squares).for_each(|(&value, &square)| to[usize::from(square)] = value);
            }
            let (from_mask, to_mask) = (&from.mask[row * a..][..a], &mut self.mask[row * a..][..a]);
            from_mask.iter().zip(actions).for_each(|(&legal, &action)| to_mask[usize::from(action)] = legal);
        }
    }

    /// Writes a position into a row, as the seat to move sees it.
    pub fn write<G: Game>(&mut self, game: &G, view: &G::View, row: usize) {
        let spec = game.spec();
        let (p, k, a) = (spec.planes_len(), spec.num_scalars, spec.num_actions);
        let seat = game.view_to_move(view);
        game.observe(view, seat, &mut self.planes[row * p..][..p], &mut self.scalars[row * k..][..k]);
        game.mask(view, &mut self.mask[row * a..][..a]);
    }
}

//! Observations as the flat arrays that networks take.

use anqi_env::game::{Actions, Game, Spec, Symmetry};

use crate::net::{Plan, Shape};

/// What a game's encoding gives a network.
pub fn shape_of(spec: &Spec) -> Shape {
    let [channels, rows, cols] = spec.planes;
    Shape { channels, rows, cols, scalars: spec.num_scalars, actions: spec.num_actions, unit: spec.plane_unit }
}

/// What a network for a game is built for.
pub fn plan_of<G: Game>(game: &G) -> Plan {
    Plan { shape: shape_of(game.spec()), wiring: game.wiring(), beliefs: game.belief_features() }
}

/// What a critic is built for: a network that sees everything and chooses nothing. It has one action, for a network has
/// some, which is never asked about. `plan` is that of the player.
pub fn critic_plan(Plan { shape, wiring, .. }: Plan) -> Plan {
    let wiring = wiring.map(|mut wiring| {
        wiring.moves.truncate(1);
        wiring
    });
    Plan { shape: Shape { actions: 1, ..shape }, wiring, beliefs: None }
}

/// Observations and masks of n positions, row by row.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    /// [n, C, R, W]
    pub planes: Vec<u8>,
    /// [n, K]
    pub scalars: Vec<f32>,
    /// [n, A], actions as the seat looks at the board; see [`Game::symmetries`]
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

    /// Writes a position into a row, as the seat to move sees it; returns how its actions are turned.
    pub fn write<'a, G: Game>(&mut self, game: &'a G, view: &G::View, row: usize) -> &'a Symmetry {
        let spec = game.spec();
        let (p, k, a) = (spec.planes_len(), spec.num_scalars, spec.num_actions);
        let seat = game.view_to_move(view);
        game.observe(view, seat, &mut self.planes[row * p..][..p], &mut self.scalars[row * k..][..k]);
        let own = &game.symmetries(seat)[0];
        let mask = &mut self.mask[row * a..][..a];
        mask.fill(0);
        let mut legal = Actions::new();
        game.legal(view, &mut legal);
        legal.iter().for_each(|&action| mask[usize::from(own.actions[usize::from(action)])] = 1);
        own
    }
}

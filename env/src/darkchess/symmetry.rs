//! Reflections and rotations of the board, for augmenting training data.

use super::board::{Board, Move};
use crate::game::{Action, Symmetry};

/// The symmetries of a board, the identity first: four of a rectangle, eight of a square.
pub(super) fn symmetries(board: &Board) -> Vec<Symmetry> {
    let (rows, cols) = (board.rows, board.cols);
    let turns = if rows == cols { 2 } else { 1 };
    let mut all = Vec::new();
    for transpose in 0..turns {
        for (flip_rows, flip_cols) in [(false, false), (false, true), (true, false), (true, true)] {
            let image = |square: usize| {
                let (row, col) = (square / cols, square % cols);
                let (row, col) = if transpose == 1 { (col, row) } else { (row, col) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let col = if flip_cols { cols - 1 - col } else { col };
                row * cols + col
            };
            let action = |&what: &Move| match what {
                Move::Flip(square) => image(usize::from(square)) as Action,
                Move::Step(from, to) => board.lines[image(usize::from(from))][image(usize::from(to))],
                Move::Stop => board.moves.len() as Action - 1,
            };
            let squares = (0..board.squares).map(|square| image(square) as u16).collect();
            all.push(Symmetry::new(squares, board.moves.iter().map(action).collect()));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::darkchess::DarkChess;
    use crate::game::{Action, Game, Symmetry};
    use crate::rng::Rng;

    /// A reflected position must have the reflected mask and the reflected planes.
    #[test]
    fn observations_and_masks_reflect_together() {
        for rules in ["taiwan", "mini", "board=4x4,pieces=K1G1M1R1N1C1P2"] {
            let game = DarkChess::parse(rules).unwrap();
            let spec = game.spec();
            let (mut planes, mut scalars) = (vec![0; spec.planes_len()], vec![0.0; spec.num_scalars]);
            let mut mask = vec![0; spec.num_actions];
            for (number, symmetry) in game.symmetries(0).iter().enumerate() {
                let Symmetry { squares, actions, .. } = symmetry;
                let mut sorted = actions.clone();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..spec.num_actions as Action), "{rules} {number}: no permutation");
                assert!(sorted.iter().all(|&action| symmetry.original(actions[usize::from(action)]) == action));
                // The same game played twice, once on the reflected board with the reflected actions.
                let mut rng = Rng::new(number as u64);
                let (mut view, mut image) = (game.start(), game.start());
                while game.view_status(&view).is_ongoing() {
                    let action = game.sample(&view, &mut rng);
                    let outcome = game.chance_outcomes(&view, action).first().map(|&(outcome, _)| outcome);
                    game.play_with(&mut view, action, outcome);
                    game.play_with(&mut image, actions[usize::from(action)], outcome);
                    game.observe(&view, 0, &mut planes, &mut scalars);
                    let mut expected = vec![0; planes.len()];
                    for (from, &value) in planes.iter().enumerate() {
                        let (plane, square) = (from / squares.len(), from % squares.len());
                        expected[plane * squares.len() + usize::from(squares[square])] = value;
                    }
                    game.observe(&image, 0, &mut planes, &mut scalars);
                    assert_eq!(planes, expected, "{rules} {number}:\n{}", game.view_text(&view));
                    game.mask(&view, &mut mask);
                    let legal = |&action: &Action| game.is_legal(&image, actions[usize::from(action)]);
                    assert!(
                        (0..spec.num_actions as Action)
                            .all(|action| (mask[usize::from(action)] == 1) == legal(&action))
                    );
                    assert_eq!(game.view_status(&view), game.view_status(&image));
                }
            }
        }
    }
}

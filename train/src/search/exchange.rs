//! A judgement that lets the next captures happen first: a piece that has just turned up beside one that takes it is
//! worth little, which an evaluation of the standing position does not see.

use anqi_env::darkchess::{Cell, DarkChess, Move, Position};
use anqi_env::game::{Actions, Game as _};

use super::evaluator::Evaluator;

/// An evaluator's judgement after the best captures of face-up pieces, each side free to leave off.
pub struct Exchanges<E> {
    /// Judges what is left.
    pub evaluator: E,
    /// Captures ahead.
    pub depth: u32,
}

impl<E: Evaluator> Exchanges<E> {
    /// The value for the seat to move, as far as it matters between two bounds (alpha-beta).
    fn after(&self, game: &DarkChess, position: &Position, depth: u32, mut low: f32, high: f32) -> f32 {
        let status = position.status();
        if !status.is_ongoing() {
            return status.value(position.to_move());
        }
        let mut best = self.evaluator.value(game, position);
        if depth == 0 || best >= high {
            return best;
        }
        low = low.max(best);
        let mut legal = Actions::new();
        game.legal(position, &mut legal);
        for &action in legal.iter() {
            let Move::Step(_, to) = game.what(action) else { continue };
            if !matches!(position.cell(to), Cell::Up(_)) {
                continue;
            }
            let mut next = *position;
            game.play_with(&mut next, action, None);
            // A chain of captures keeps the turn.
            let value = match next.to_move() == position.to_move() {
                true => self.after(game, &next, depth - 1, low, high),
                false => -self.after(game, &next, depth - 1, -high, -low),
            };
            best = best.max(value);
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        best
    }
}

impl<E: Evaluator> Evaluator for Exchanges<E> {
    fn value(&self, game: &DarkChess, position: &Position) -> f32 {
        self.after(game, position, self.depth, f32::NEG_INFINITY, f32::INFINITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::hand::Hand;

    fn values(text: &str) -> [f32; 3] {
        let game = DarkChess::parse("taiwan").unwrap();
        let position = game.parse_view(text).unwrap();
        [0, 1, 2].map(|depth| Exchanges { evaluator: Hand::new(&game), depth }.value(&game, &position))
    }

    #[test]
    fn what_hangs_is_counted_as_taken() {
        // Red's chariot beside black's cannon, which nothing protects; black's soldiers are far.
        let [still, one, two] = values("K7/8/1cR1p3/8 0 r - 0 40");
        assert!(one > still + 0.2 && (two - one).abs() < 0.1, "{still} {one} {two}");
        // Black to move: its cannon cannot take the chariot beside it.
        let [still, one, _] = values("K7/8/1cR1p3/8 0 b - 0 40");
        assert_eq!(still, one);
    }

    #[test]
    fn what_is_taken_back_is_not_won() {
        // Red's chariot can take the cannon c3, but black's general behind it takes the chariot.
        let [still, one, two] = values("G7/8/1Rck4/8 0 r - 0 40");
        assert!(one > still + 0.3 && two < one - 0.3, "{still} {one} {two}");
    }
}

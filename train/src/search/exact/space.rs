//! The positions of a class as numbers without a gap.

use anqi_env::darkchess::piece::KINDS;
use anqi_env::darkchess::rules::MAX_SQUARES;
use anqi_env::darkchess::{Cell, Colour, DarkChess, Kind, Piece, Position, Setup};
use anqi_env::game::Game;

use super::class::Class;

/// What may stand on an occupied square: something face down, a kind of the mover's, a kind of the other side's.
const SYMBOLS: usize = 1 + 2 * KINDS;
const HIDDEN: u8 = 0;

/// Tables for a board.
pub(in crate::search) struct Space {
    squares: usize,
    /// Binomial coefficients.
    choose: Vec<[u64; MAX_SQUARES + 1]>,
    /// Where each symmetry but the identity moves the squares.
    symmetries: Vec<Vec<u8>>,
}

/// The occupied squares in ascending order, and what stands there.
#[derive(Clone, Copy)]
pub(in crate::search) struct Word {
    len: usize,
    squares: [u8; MAX_SQUARES],
    symbols: [u8; MAX_SQUARES],
}

impl Word {
    fn push(&mut self, square: u8, symbol: u8) {
        (self.squares[self.len], self.symbols[self.len]) = (square, symbol);
        self.len += 1;
    }

    fn empty() -> Word {
        Word { len: 0, squares: [0; MAX_SQUARES], symbols: [0; MAX_SQUARES] }
    }
}

/// How often each symbol occurs.
fn counts(class: &Class) -> [u8; SYMBOLS] {
    let mut counts = [0; SYMBOLS];
    counts[usize::from(HIDDEN)] = class.hidden() as u8;
    counts[1..].copy_from_slice(class.up.as_flattened());
    counts
}

/// In how many orders the pieces of a class can stand on their squares.
fn orders(class: &Class) -> u64 {
    let mut left = class.pieces() as u64;
    let mut orders = 1u64;
    for count in counts(class) {
        for i in 1..=u64::from(count) {
            orders = orders * left / i;
            left -= 1;
        }
    }
    orders
}

impl Space {
    pub(in crate::search) fn new(game: &DarkChess) -> Space {
        let squares = game.rules().squares();
        let mut choose = vec![[0; MAX_SQUARES + 1]; MAX_SQUARES + 1];
        for n in 0..=MAX_SQUARES {
            choose[n][0] = 1;
            for k in 1..=n {
                choose[n][k] = choose[n - 1][k - 1] + if k < n { choose[n - 1][k] } else { 0 };
            }
        }
        let symmetries = game.symmetries(0)[1..].iter();
        let symmetries = symmetries.map(|symmetry| symmetry.squares.iter().map(|&square| square as u8).collect());
        Space { squares, choose, symmetries: symmetries.collect() }
    }

    /// How many positions a class has.
    pub(in crate::search) fn size(&self, class: &Class) -> usize {
        (self.choose[self.squares][class.pieces()] * orders(class)) as usize
    }

    /// A position's word, as its seat to move sees it. Expects bound colours.
    pub(in crate::search) fn word(&self, position: &Position) -> Word {
        let mover = position.mover_colour().unwrap_or(Colour::Red);
        let mut word = Word::empty();
        let mut occupied = !position.empty() & ((1 << self.squares) - 1);
        while occupied != 0 {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied - 1;
            let symbol = match position.cell(square) {
                Cell::Up(piece) => 1 + piece.kind() as u8 + if piece.colour() == mover { 0 } else { KINDS as u8 },
                Cell::FaceDown | Cell::Empty => HIDDEN,
            };
            word.push(square, symbol);
        }
        word
    }

    /// A word's number in its class.
    pub(in crate::search) fn number(&self, class: &Class, word: &Word) -> usize {
        let mut counts = counts(class);
        let total = orders(class);
        let mut places = 0;
        let (mut order, mut orders, mut left) = (0, total, word.len as u64);
        for i in 0..word.len {
            places += self.choose[usize::from(word.squares[i])][i + 1];
            if orders > 1 {
                let symbol = usize::from(word.symbols[i]);
                let below: u64 = counts[..symbol].iter().map(|&n| u64::from(n)).sum();
                order += orders * below / left;
                orders = orders * u64::from(counts[symbol]) / left;
                counts[symbol] -= 1;
                left -= 1;
            }
        }
        (places * total + order) as usize
    }

    /// The word of a number.
    pub(in crate::search) fn unnumber(&self, class: &Class, number: usize) -> Word {
        let mut counts = counts(class);
        let mut orders = orders(class);
        let (mut places, mut order) = (number as u64 / orders, number as u64 % orders);
        let len = class.pieces();
        let mut word = Word { len, ..Word::empty() };
        for i in (0..len).rev() {
            let square = (0..self.squares).rev().find(|&square| self.choose[square][i + 1] <= places).unwrap_or(0);
            places -= self.choose[square][i + 1];
            word.squares[i] = square as u8;
        }
        for i in 0..len {
            let left = (len - i) as u64;
            for (symbol, count) in counts.iter_mut().enumerate().filter(|(_, count)| **count > 0) {
                let these = orders * u64::from(*count) / left;
                if order < these {
                    (orders, word.symbols[i]) = (these, symbol as u8);
                    *count -= 1;
                    break;
                }
                order -= these;
            }
        }
        word
    }

    /// The numbers of a position's images under the board's symmetries, the identity left out.
    pub(in crate::search) fn images<'a>(
        &'a self,
        class: &'a Class,
        word: &'a Word,
    ) -> impl Iterator<Item = usize> + 'a {
        self.symmetries.iter().map(move |squares| {
            let mut on = [u8::MAX; MAX_SQUARES];
            for i in 0..word.len {
                on[usize::from(squares[usize::from(word.squares[i])])] = word.symbols[i];
            }
            let mut image = Word::empty();
            for (square, &symbol) in on[..self.squares].iter().enumerate().filter(|(_, symbol)| **symbol != u8::MAX) {
                image.push(square as u8, symbol);
            }
            self.number(class, &image)
        })
    }

    /// The position of a word, seat 0 to move and red, with no quiet ply played. None where no game can be in it.
    pub(in crate::search) fn position(&self, game: &DarkChess, class: &Class, word: &Word) -> Option<Position> {
        let mut cells = [Cell::Empty; MAX_SQUARES];
        for i in 0..word.len {
            let symbol = usize::from(word.symbols[i]);
            cells[usize::from(word.squares[i])] = match symbol.checked_sub(1) {
                None => Cell::FaceDown,
                Some(piece) => Cell::Up(Piece::new(Colour::ALL[piece / KINDS], Kind::ALL[piece % KINDS])),
            };
        }
        let setup = Setup {
            cells: &cells[..self.squares],
            unseen: class.unseen,
            to_move: 0,
            colour: Some(Colour::Red),
            quiet: 0,
            chain: None,
        };
        let position = game.set_up(&setup).ok()?;
        // A seat that must pass has passed already.
        (position.status().is_ongoing() && position.to_move() == 0).then_some(position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_go_from_nothing_to_the_size_and_back() {
        for (rules, text) in [
            ("mini", "KXX1/cXP1 0 r k1p1C1 0 9"),
            ("mini", "KGCP/kgcp 1 r - 0 9"),
            ("board=2x4,pieces=P4", "XPpX/pX2 0 r P1p2 0 9"),
            ("board=3x4,pieces=K1G1C1P3", "PPp1/4/1p2 0 r - 0 9"),
        ] {
            let game = DarkChess::parse(rules).unwrap();
            let space = Space::new(&game);
            let position = game.parse_view(text).unwrap();
            let class = Class::of(&position).unwrap();
            for number in 0..space.size(&class) {
                let word = space.unnumber(&class, number);
                assert_eq!(space.number(&class, &word), number);
                let Some(position) = space.position(&game, &class, &word) else { continue };
                assert_eq!(Class::of(&position), Some(class));
                assert_eq!(space.number(&class, &space.word(&position)), number);
            }
            let word = space.word(&position);
            assert_eq!(space.images(&class, &word).count(), 3);
        }
    }

    /// The count by polynomials is the sum of the sizes where both sides have the same pieces, and no less elsewhere.
    #[test]
    fn sizes_add_up_to_the_estimate() {
        for (rules, alike) in [("mini", true), ("board=2x4,pieces=K1P3", true), ("mini,chain=open", false)] {
            let game = DarkChess::parse(rules).unwrap();
            let space = Space::new(&game);
            let mut class = Class { up: Default::default(), unseen: [game.rules().pieces; 2] };
            if !alike {
                (class.unseen[0][0], class.up[0][0], class.unseen[1][1]) = (0, 1, 0);
            }
            let all = class.below();
            let (positions, classes) = class.count_below(8);
            let sum: f64 = all.iter().map(|class| space.size(class) as f64).sum();
            assert!(
                if alike { sum == positions } else { sum <= positions && sum > positions / 2.0 },
                "{sum} {positions}"
            );
            assert!(if alike { classes == all.len() as f64 } else { classes >= all.len() as f64 });
        }
    }
}

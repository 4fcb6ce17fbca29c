//! Distances and lines of a board, as tables.

/// Most squares a board may have.
const SQUARES: usize = anqi_env::darkchess::rules::MAX_SQUARES;

/// The tables of one board. Squares are numbered row by row; a set has one bit a square.
pub(super) struct Geometry {
    /// Steps from square to square.
    pub(super) distance: [[u8; SQUARES]; SQUARES],
    /// The squares one step away.
    pub(super) beside: [u64; SQUARES],
    /// The squares at most two steps away, the square itself left out.
    pub(super) near: [u64; SQUARES],
    /// The squares beyond each square in four directions: up, left, right, down.
    rays: [[u64; SQUARES]; 4],
    /// Squares of the first and of the last column, which a shift must not wrap round.
    first_col: u64,
    last_col: u64,
    all: u64,
    cols: usize,
}

impl Geometry {
    pub(super) fn new(rows: usize, cols: usize) -> Geometry {
        let squares = rows * cols;
        let mut tables = Geometry {
            distance: [[0; SQUARES]; SQUARES],
            beside: [0; SQUARES],
            near: [0; SQUARES],
            rays: [[0; SQUARES]; 4],
            first_col: (0..rows).fold(0, |set, row| set | 1 << (row * cols)),
            last_col: (0..rows).fold(0, |set, row| set | 1 << (row * cols + cols - 1)),
            all: (1 << squares) - 1,
            cols,
        };
        for from in 0..squares {
            for to in (0..squares).filter(|&to| to != from) {
                let (row, col) = (from / cols, from % cols);
                let (to_row, to_col) = (to / cols, to % cols);
                let steps = row.abs_diff(to_row) + col.abs_diff(to_col);
                tables.distance[from][to] = steps as u8;
                let bit = 1 << to;
                if steps == 1 {
                    tables.beside[from] |= bit;
                }
                if steps <= 2 {
                    tables.near[from] |= bit;
                }
                if row == to_row || col == to_col {
                    let forward = to > from;
                    let direction = match (row == to_row, forward) {
                        (false, false) => 0,
                        (true, false) => 1,
                        (true, true) => 2,
                        (false, true) => 3,
                    };
                    tables.rays[direction][from] |= bit;
                }
            }
        }
        tables
    }

    /// The squares beside any square of a set.
    #[inline]
    pub(super) fn around(&self, set: u64) -> u64 {
        let sideways = (set & !self.first_col) >> 1 | (set & !self.last_col) << 1;
        (sideways | set >> self.cols | set << self.cols) & self.all
    }

    /// What a cannon on a square aims at: the second piece along each of its four lines.
    #[inline]
    pub(super) fn aims(&self, from: usize, occupied: u64) -> u64 {
        let mut aims = 0;
        for (direction, rays) in self.rays.iter().enumerate() {
            let on_ray = rays[from] & occupied;
            let beyond = on_ray & !first(direction, on_ray);
            aims |= first(direction, beyond);
        }
        aims
    }
}

/// The nearest square of a set that lies on one ray.
#[inline]
fn first(direction: usize, on_ray: u64) -> u64 {
    if direction >= 2 {
        on_ray & on_ray.wrapping_neg()
    } else if on_ray == 0 {
        0
    } else {
        1 << (63 - on_ray.leading_zeros())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_neighbours() {
        let board = Geometry::new(4, 8);
        assert_eq!(board.distance[0][31], 10);
        assert_eq!(board.around(1 << 7), 1 << 6 | 1 << 15);
        assert_eq!(board.beside[8], 1 | 1 << 9 | 1 << 16);
        // A cannon on a1 behind pieces on a3, a5, a8 and on c1 alone.
        assert_eq!(board.aims(0, 1 | 1 << 2 | 1 << 4 | 1 << 7 | 1 << 16), 1 << 4);
        assert_eq!(board.aims(7, 1 | 1 << 2 | 1 << 4 | 1 << 7), 1 << 2);
    }
}

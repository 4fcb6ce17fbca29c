//! One table, and how it is made.

use anqi_env::darkchess::{DarkChess, Position};
use rayon::prelude::*;

use super::Verdict;
use crate::search::exact::{Class, Graph, ONE, Space};

/// For each position of a class: 0 drawn, n won and -n lost for the seat to move, n plies from the next capture.
pub(super) struct Table {
    distances: Vec<i16>,
}

impl Table {
    /// What the table says of a position when so many quiet plies are left.
    #[inline]
    pub(super) fn get(&self, number: usize, left: u16) -> Verdict {
        let distance = self.distances[number];
        match distance.unsigned_abs() {
            0 => Verdict::Draw,
            plies if plies > left => Verdict::Draw,
            plies if distance > 0 => Verdict::Win(plies),
            plies => Verdict::Loss(plies),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.distances.len()
    }
}

/// Makes the tables of a class and its swapped one. `at` knows the positions after captures.
pub(super) fn make(
    game: &DarkChess,
    space: &Space,
    class: &Class,
    at: &(impl Fn(&Position) -> Result<Verdict, ()> + Sync),
) -> Vec<(Class, Table)> {
    let value = |after: &Position| {
        at(after).map(|verdict| match verdict {
            Verdict::Win(_) => ONE,
            Verdict::Draw => 0,
            Verdict::Loss(_) => -ONE,
        })
    };
    let Ok(graph) = Graph::build(game, space, class, &value) else {
        unreachable!("a capture led to a table that was not made before")
    };
    let limit = game.rules().quiet_limit;
    let longest = if limit == 0 { i16::MAX as u16 } else { limit };
    let mut distances = vec![0i16; graph.len()];
    for sweep in 1..=longest {
        // What becomes decided in this sweep rests on what was decided before it.
        let decide = |node: usize| -> Option<(usize, i16)> {
            if distances[node] != 0 {
                return None;
            }
            let exit = graph.exits[node];
            let (mut wins, mut loses, mut moves) = (exit == ONE, exit <= -ONE, 0);
            for (to, same) in graph.moves(node) {
                moves += 1;
                let there = if same { distances[to] } else { -distances[to] };
                wins |= there > 0;
                loses &= there < 0;
            }
            // Neither an exit nor a move: no game is in this position.
            let empty = moves == 0 && exit < -ONE;
            match (wins, loses && !empty) {
                (true, _) => Some((node, sweep as i16)),
                (_, true) => Some((node, -(sweep as i16))),
                _ => None,
            }
        };
        let decided: Vec<(usize, i16)> =
            (0..graph.len()).into_par_iter().with_min_len(4096).filter_map(decide).collect();
        if decided.is_empty() {
            break;
        }
        decided.into_iter().for_each(|(node, distance)| distances[node] = distance);
    }
    graph.spread(&distances).into_iter().map(|(class, distances)| (class, Table { distances })).collect()
}

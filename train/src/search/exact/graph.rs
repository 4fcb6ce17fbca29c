//! The positions of a class and of its swapped class, one for each set of images, and the quiet moves between them.

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Actions, Game};
use rayon::prelude::*;

use super::class::Class;
use super::space::Space;
use super::value::{ONE, Score, action_value, is_quiet};

/// A pair of classes that quiet moves link.
pub(in crate::search) struct Graph {
    /// One class, or two.
    classes: Vec<Class>,
    /// The first node of the second class.
    second: usize,
    /// For each class and number, the node that stands for it and its images.
    nodes: Vec<Vec<u32>>,
    /// The best that each node's mover can have by anything but a quiet move that lets the game go on; less than
    /// -[`ONE`] where there is nothing else.
    pub(in crate::search) exits: Vec<Score>,
    /// Where each node's quiet moves begin in `moves`; one more at the end.
    starts: Vec<u32>,
    /// Node twice, plus 1 where the same seat is to move again.
    moves: Vec<u32>,
}

/// No node.
const NONE: u32 = u32::MAX;

/// How many nodes a thread takes at a time.
const CHUNK: usize = 4096;

/// No exit.
const NO_EXIT: Score = -ONE - 1;

impl Graph {
    /// Works out a class and its swapped one. `at` knows the positions after flips and captures.
    pub(in crate::search) fn build<E: Send>(
        game: &DarkChess,
        space: &Space,
        class: &Class,
        at: &(impl Fn(&Position) -> Result<Score, E> + Sync),
    ) -> Result<Graph, E> {
        let mut classes = vec![*class];
        if class.swapped() != *class {
            classes.push(class.swapped());
        }
        // The image with the lowest number stands for all.
        let mut firsts: Vec<(usize, usize)> = Vec::new();
        let mut nodes: Vec<Vec<u32>> = Vec::new();
        let mut second = usize::MAX;
        for (side, class) in classes.iter().enumerate() {
            second = if side == 1 { firsts.len() } else { second };
            let size = space.size(class);
            let lowest = |number: usize| {
                let word = space.unnumber(class, number);
                space.images(class, &word).fold(number, usize::min)
            };
            let lowest: Vec<usize> = (0..size).into_par_iter().with_min_len(CHUNK).map(lowest).collect();
            let mut of = vec![NONE; size];
            for (number, &lowest) in lowest.iter().enumerate() {
                if lowest == number {
                    of[number] = firsts.len() as u32;
                    firsts.push((side, number));
                } else {
                    of[number] = of[lowest];
                }
            }
            nodes.push(of);
        }
        let mut graph = Graph { classes, second, nodes, exits: Vec::new(), starts: vec![0], moves: Vec::new() };
        let parts: Result<Vec<_>, E> =
            firsts.par_chunks(CHUNK).map(|chunk| graph.links(game, space, chunk, at)).collect();
        for (exits, lens, moves) in parts? {
            graph.exits.extend(exits);
            for len in lens {
                let end = graph.starts.last().copied().unwrap_or(0) + len;
                graph.starts.push(end);
            }
            graph.moves.extend(moves);
        }
        Ok(graph)
    }

    /// Exits, numbers of quiet moves, and quiet moves of some nodes.
    #[allow(clippy::type_complexity)]
    fn links<E>(
        &self,
        game: &DarkChess,
        space: &Space,
        firsts: &[(usize, usize)],
        at: &impl Fn(&Position) -> Result<Score, E>,
    ) -> Result<(Vec<Score>, Vec<u32>, Vec<u32>), E> {
        let (mut exits, mut lens, mut moves) = (Vec::new(), Vec::new(), Vec::new());
        let mut legal = Actions::new();
        for &(side, number) in firsts {
            let class = &self.classes[side];
            let (mut exit, before) = (NO_EXIT, moves.len());
            if let Some(position) = space.position(game, class, &space.unnumber(class, number)) {
                legal.clear();
                game.legal(&position, &mut legal);
                for &action in legal.iter() {
                    if is_quiet(game, &position, action) {
                        let mut after = position;
                        game.play_with(&mut after, action, None);
                        if after.status().is_ongoing() {
                            let same = after.to_move() == position.to_move();
                            let side = if same || self.classes.len() == 1 { side } else { side ^ 1 };
                            let number = space.number(&self.classes[side], &space.word(&after));
                            moves.push(self.nodes[side][number] << 1 | u32::from(same));
                        } else {
                            exit = exit.max(after.status().value(position.to_move()) as Score * ONE);
                        }
                    } else {
                        exit = exit.max(action_value(game, &position, action, at)?);
                    }
                }
            }
            exits.push(exit);
            lens.push((moves.len() - before) as u32);
        }
        Ok((exits, lens, moves))
    }

    /// A node's class.
    pub(in crate::search) fn class(&self, node: usize) -> &Class {
        &self.classes[usize::from(node >= self.second)]
    }

    /// Number of nodes.
    pub(in crate::search) fn len(&self) -> usize {
        self.exits.len()
    }

    /// The nodes that a node's quiet moves lead to, and whether the same seat is to move there.
    #[inline]
    pub(in crate::search) fn moves(&self, node: usize) -> impl Iterator<Item = (usize, bool)> + '_ {
        let moves = &self.moves[self.starts[node] as usize..self.starts[node + 1] as usize];
        moves.iter().map(|&to| ((to >> 1) as usize, to & 1 == 1))
    }

    /// One step further from the end: each node's value from those that are one quiet ply on.
    pub(in crate::search) fn step(&self, later: &[Score]) -> Vec<Score> {
        let value = |node: usize| {
            let behind = self.moves(node).map(|(to, same)| if same { later[to] } else { -later[to] });
            behind.fold(self.exits[node], Score::max).max(-ONE)
        };
        (0..self.len()).into_par_iter().with_min_len(CHUNK).map(value).collect()
    }

    /// The classes, with what each node was found to be spread over all their positions.
    pub(in crate::search) fn spread<T: Copy>(&self, of: &[T]) -> Vec<(Class, Vec<T>)> {
        let spread = |nodes: &Vec<u32>| nodes.iter().map(|&node| of[node as usize]).collect();
        self.classes.iter().copied().zip(self.nodes.iter().map(spread)).collect()
    }

    /// The node of a position of the pair.
    pub(in crate::search) fn node(&self, space: &Space, class: &Class, position: &Position) -> Option<usize> {
        let side = self.classes.iter().position(|known| known == class)?;
        let number = space.number(class, &space.word(position));
        self.nodes[side].get(number).map(|&node| node as usize)
    }

    /// Bytes taken.
    pub(in crate::search) fn bytes(&self) -> usize {
        let nodes: usize = self.nodes.iter().map(Vec::len).sum();
        4 * (nodes + self.exits.len() + self.starts.len() + self.moves.len())
    }
}

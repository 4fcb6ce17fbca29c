//! The hand-made evaluation of the dark chess family.
//!
//! A piece is worth its base value, more the fewer living enemies can take it and less the fewer it can take itself:
//! that is what makes a general strong once the soldiers are gone. To the balance of these values come small terms
//! for the room the face-up pieces have, for soldiers near a general, for what cannons aim at, and, when few pieces
//! are left, for how near the hunters are to their prey. The sum is squeezed into (-1, 1), less the fewer quiet plies
//! are left.

use anqi_env::darkchess::piece::KINDS;
use anqi_env::darkchess::rules::{Family, Ranking, Rules};
use anqi_env::darkchess::{Colour, DarkChess, Kind, Piece, Position, squares_of};

use super::evaluator::Evaluator;
use super::geometry::Geometry;

/// Most pieces a side has.
const SIDE: usize = 18;

/// How much each term counts, in units of a soldier's base value unless said otherwise.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Base values by kind.
    pub base: [f32; KINDS],
    /// How much of a piece's value the enemies that can take it decide, from 0.
    pub danger: f32,
    /// How much of a piece's value its prey decides, from 0 to 1.
    pub prey: f32,
    /// An empty square beside own pieces.
    pub room: f32,
    /// An enemy soldier within two steps of the general.
    pub general: f32,
    /// Share of an enemy piece's value that a cannon aims at, or that is attacked by a step.
    pub aim: f32,
    /// A hunter beside its prey, falling to nothing at the far corner.
    pub hunt: f32,
    /// Slope of the result by the balance's share of all the value alive.
    pub slope: f32,
    /// Share of the value that is lost by the time the quiet limit is reached.
    pub fade: f32,
}

impl Weights {
    /// The weights for a set of rules.
    pub fn of(rules: &Rules) -> Weights {
        // Order: K G M R N C P.
        let base = match (rules.family, rules.ranking) {
            (Family::TombChess, _) => [6.0, 7.0, 5.0, 3.5, 2.2, 0.0, 1.2],
            (_, Ranking::Taiwan) => [7.0, 8.0, 6.0, 5.0, 3.0, 9.0, 1.0],
            (_, Ranking::HongKong) => [8.0, 4.0, 3.0, 8.0, 6.5, 5.0, 1.2],
        };
        Weights { base, danger: 0.5, prey: 0.6, room: 0.06, general: 0.3, aim: 0.06, hunt: 0.8, slope: 4.0, fade: 0.5 }
    }
}

/// The evaluation for one set of rules.
pub struct Hand {
    weights: Weights,
    board: Geometry,
    rules: Rules,
    /// For each kind, the kinds it can take, one byte a kind: 255 where it can.
    takes: [u64; KINDS],
    /// For each kind, the kinds that can take it.
    taken_by: [u64; KINDS],
    /// Value of a kind by how many living enemies can take it and how many it can take.
    values: Vec<[[f32; SIDE + 1]; SIDE + 1]>,
}

/// Whether a kind can take another, by a step or, as a Taiwanese cannon can, by a jump.
fn can_take(rules: &Rules, attacker: Kind, target: Kind) -> bool {
    let rank = |kind: Kind| match rules.ranking {
        Ranking::Taiwan => [7, 6, 5, 4, 3, 2, 1][kind as usize],
        Ranking::HongKong => [7, 3, 2, 6, 5, 4, 1][kind as usize],
    };
    match (attacker, target) {
        (Kind::King, Kind::Pawn) => false,
        (Kind::Pawn, Kind::King) => true,
        (Kind::Cannon, _) if rules.ranking == Ranking::Taiwan => true,
        _ => rank(attacker) >= rank(target),
    }
}

/// Sum of the bytes of counts that a mask keeps.
#[inline]
fn count(counts: u64, mask: u64) -> usize {
    ((counts & mask).wrapping_mul(0x0101_0101_0101_0101) >> 56) as usize
}

impl Hand {
    /// The evaluation with the usual weights.
    pub fn new(game: &DarkChess) -> Hand {
        Hand::with(game, Weights::of(game.rules()))
    }

    /// The evaluation with these weights.
    pub fn with(game: &DarkChess, weights: Weights) -> Hand {
        let rules = *game.rules();
        let mask = |holds: &dyn Fn(Kind) -> bool| {
            Kind::ALL.iter().filter(|&&kind| holds(kind)).fold(0u64, |mask, &kind| mask | 0xff << (8 * kind as usize))
        };
        let takes = Kind::ALL.map(|kind| mask(&|other| can_take(&rules, kind, other)));
        let taken_by = Kind::ALL.map(|kind| mask(&|other| can_take(&rules, other, kind)));
        let all = Kind::ALL
            .iter()
            .fold(0u64, |all, &kind| all | u64::from(rules.pieces[kind as usize]) << (8 * kind as usize));
        let values = Kind::ALL.map(|kind| {
            let kind = kind as usize;
            let (danger, prey) = (count(all, taken_by[kind]).max(1) as f32, count(all, takes[kind]).max(1) as f32);
            let value = |dangers: usize, preys: usize| {
                let safer = 1.0 - dangers as f32 / danger;
                let useful = (preys as f32 / prey).sqrt();
                weights.base[kind] * (1.0 + weights.danger * safer) * (1.0 - weights.prey * (1.0 - useful))
            };
            std::array::from_fn(|dangers| std::array::from_fn(|preys| value(dangers, preys)))
        });
        let [_, rows, cols] = anqi_env::game::Game::spec(game).planes;
        Hand { weights, board: Geometry::new(rows, cols), rules, takes, taken_by, values: values.to_vec() }
    }

    /// Values of both sides' kinds, and of everything alive by side.
    #[inline]
    fn worth(&self, position: &Position) -> ([[f32; KINDS]; 2], [f32; 2]) {
        let alive = Colour::ALL.map(|colour| {
            Kind::ALL.map(|kind| {
                let piece = Piece::new(colour, kind);
                position.unseen(piece) + position.standing(piece).count_ones() as u8
            })
        });
        let packed = alive.map(|side| side.iter().rev().fold(0u64, |all, &count| all << 8 | u64::from(count)));
        let mut worth = [[0.0; KINDS]; 2];
        let mut sums = [0.0; 2];
        for side in 0..2 {
            let enemies = packed[side ^ 1];
            for kind in 0..KINDS {
                let own = alive[side][kind];
                if own > 0 {
                    let dangers = count(enemies, self.taken_by[kind]);
                    let mut value = self.values[kind][dangers][count(enemies, self.takes[kind])];
                    if self.rules.hit_points > 0 {
                        let points = f32::from(self.rules.family.points(Kind::ALL[kind]));
                        value += 12.0 * points / f32::from(self.rules.hit_points);
                    }
                    worth[side][kind] = value;
                    sums[side] += value * f32::from(own);
                }
            }
        }
        (worth, sums)
    }
}

impl Evaluator for Hand {
    fn value(&self, _game: &DarkChess, position: &Position) -> f32 {
        let Some(mover) = position.mover_colour() else { return 0.0 };
        let mover = mover as usize;
        let weights = &self.weights;
        let (worth, sums) = self.worth(position);
        let standing = Colour::ALL.map(|colour| Kind::ALL.map(|kind| position.standing(Piece::new(colour, kind))));
        let sides = standing.map(|side| side.iter().fold(0, |all, set| all | set));
        let (empty, hidden) = (position.empty(), position.hidden());
        let few = position.alive(Colour::Red) + position.alive(Colour::Black) <= 12 || hidden == 0;

        // Terms by side, red first.
        let mut terms = [0.0f32; 2];
        for side in 0..2 {
            let (own, other) = (&standing[side], &standing[side ^ 1]);
            let mut term = weights.room * (self.board.around(sides[side]) & empty).count_ones() as f32;
            if own[Kind::King as usize] != 0 {
                let general = own[Kind::King as usize].trailing_zeros() as usize;
                let soldiers = self.board.near[general] & other[Kind::Pawn as usize];
                term -= weights.general * soldiers.count_ones() as f32;
                // A piece beside it that may turn out to be a soldier.
                let unseen = position.unseen(Piece::new(Colour::ALL[side ^ 1], Kind::Pawn));
                if unseen > 0 {
                    let beside = (self.board.beside[general] & hidden).count_ones() as f32;
                    term -= weights.general * beside * f32::from(unseen) / hidden.count_ones() as f32;
                }
            }
            if self.rules.ranking == Ranking::Taiwan {
                for cannon in squares_of(own[Kind::Cannon as usize]) {
                    let aims = self.board.aims(cannon, !empty) & sides[side ^ 1];
                    if aims != 0 {
                        for kind in 0..KINDS {
                            term += weights.aim * worth[side ^ 1][kind] * (aims & other[kind]).count_ones() as f32;
                        }
                    }
                }
            }
            if few && weights.hunt > 0.0 {
                term += weights.hunt * self.hunt(&standing, side, side == mover);
            }
            terms[side] = term;
        }
        let balance = (sums[mover] + terms[mover]) - (sums[mover ^ 1] + terms[mover ^ 1]);
        let all = sums[0] + sums[1] + 1.0;
        let mut x = weights.slope * balance / all;
        if self.rules.family == Family::TombChess {
            x += self.points(position, mover);
        }
        if self.rules.quiet_limit > 0 && hidden == 0 && self.rules.family == Family::DarkChess {
            let used = f32::from(position.quiet()) / f32::from(self.rules.quiet_limit);
            x *= 1.0 - weights.fade * used * used;
        }
        x / (1.0 + x * x).sqrt()
    }
}

impl Hand {
    /// How near a side's pieces are to enemies that they can take and that cannot take them: for each such prey its
    /// nearest hunter, from 0 to 1. At an odd distance on the own turn, an even one else, a lone prey cannot get away.
    #[inline]
    fn hunt(&self, standing: &[[u64; KINDS]; 2], side: usize, to_move: bool) -> f32 {
        let mut sum = 0.0;
        for prey in 0..KINDS {
            for at in squares_of(standing[side ^ 1][prey]) {
                let mut best = 0.0f32;
                for (hunter, &hunters) in standing[side].iter().enumerate() {
                    let takes = self.takes[hunter] >> (8 * prey) & 1 != 0;
                    let safe = self.takes[prey] >> (8 * hunter) & 1 == 0;
                    if !takes || !safe || hunter == Kind::Cannon as usize && self.rules.ranking == Ranking::Taiwan {
                        continue;
                    }
                    for from in squares_of(hunters) {
                        let distance = self.board.distance[from][at];
                        let tempo = (distance % 2 == 1) == to_move;
                        best = best.max((1.0 - f32::from(distance) / 12.0) * if tempo { 1.0 } else { 0.7 });
                    }
                }
                sum += best;
            }
        }
        sum
    }

    /// Tomb Chess: the points that would decide a deadlock, more the less is face down.
    fn points(&self, position: &Position, mover: usize) -> f32 {
        let left = Colour::ALL.map(|colour| {
            let one = |kind: Kind| {
                let piece = Piece::new(colour, kind);
                let alive = u32::from(position.unseen(piece)) + position.standing(piece).count_ones();
                alive as f32 * f32::from(self.rules.family.points(kind))
            };
            Kind::ALL.map(one).iter().sum::<f32>()
        });
        let revealed = 1.0 - position.face_down() as f32 / self.rules.squares() as f32;
        1.5 * revealed * (left[mover] - left[mover ^ 1]) / (left[0] + left[1]).max(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anqi_env::game::Game;
    use anqi_env::rng::Rng;

    fn value(game: &DarkChess, text: &str) -> f32 {
        Hand::new(game).value(game, &game.parse_view(text).unwrap())
    }

    #[test]
    fn a_general_is_worth_more_once_the_soldiers_are_gone() {
        let game = DarkChess::parse("taiwan").unwrap();
        let hand = Hand::new(&game);
        let with = hand.worth(&game.parse_view("K7/7R/8/p2p3p 0 r - 0 40").unwrap()).0[0][0];
        let without = hand.worth(&game.parse_view("K7/7R/8/r2n3m 0 r - 0 40").unwrap()).0[0][0];
        assert!(without > 1.2 * with, "{with} {without}");
    }

    /// The value of the seat to move is what the other would lose, for every rule set, and stays within bounds.
    #[test]
    fn values_are_bounded_and_do_not_depend_on_colour() {
        for rules in ["taiwan", "hongkong", "mainland60", "gametower-dark-chain"] {
            let game = DarkChess::parse(rules).unwrap();
            let hand = Hand::new(&game);
            let mut rng = Rng::new(3);
            for _ in 0..20 {
                let mut state = game.deal(&mut rng);
                while game.status(&state).is_ongoing() {
                    let view = *game.view(&state, 0);
                    let found = hand.value(&game, &view);
                    assert!(found.abs() < 1.0);
                    // The same board in the other colours.
                    let text = game.view_text(&view);
                    let (rows, rest) = text.split_once(' ').unwrap();
                    let mut fields: Vec<String> = rest.split(' ').map(String::from).collect();
                    fields.retain(|field| !field.contains('='));
                    let swapped = |text: &str| -> String {
                        let swap = |c: char| {
                            if c.is_ascii_uppercase() && c != 'X' {
                                c.to_ascii_lowercase()
                            } else if c == 'X' {
                                c
                            } else {
                                c.to_ascii_uppercase()
                            }
                        };
                        text.chars().map(swap).collect()
                    };
                    if view.chain().is_none() && fields[1] != "-" {
                        fields[1] = if fields[1] == "r" { "b".into() } else { "r".into() };
                        fields[2] = swapped(&fields[2]);
                        let mirrored = format!("{} {}", swapped(rows), fields.join(" "));
                        let other = hand.value(&game, &game.parse_view(&mirrored).unwrap());
                        assert!((other - found).abs() < 1e-5, "{text}\n{mirrored}: {found} {other}");
                    }
                    let action = game.sample(&view, &mut rng);
                    game.play(&mut state, action);
                }
            }
        }
    }

    #[test]
    fn being_ahead_is_better() {
        let game = DarkChess::parse("taiwan").unwrap();
        assert!(value(&game, "K7/7G/8/p2p3p 0 r - 0 40") > 0.3);
        assert!(value(&game, "K7/7G/8/p2p3p 1 r - 0 40") < -0.3);
        let tomb = DarkChess::parse_tomb("standard").unwrap();
        assert!(value(&tomb, "6/6/2K3/6/6/r5 0 r - 0 90") > 0.3);
    }
}

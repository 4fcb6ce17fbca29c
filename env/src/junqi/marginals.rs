//! How likely each kind is for each piece: exact where that is cheap, else near it and marked so.

use super::Junqi;
use super::piece::{COUNTS, KINDS, Kind, Kinds, PIECES};
use super::view::{Piece, View, piece_of, pieces_of, slot_of};
use crate::game::{Action, Belief, Seat};

/// Most states of the exact count, and the most that it holds for each of the twelve kinds.
const MOST_STATES: usize = 20_000;

/// Rounds of the approximation.
const ROUNDS: usize = 30;

/// The probability of each kind for each of a seat's pieces, gone ones included; every assignment that fits counts the
/// same.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginals {
    /// By piece and kind.
    pub of: [[f64; KINDS]; PIECES],
    /// Whether these are the exact shares of all assignments that fit.
    pub exact: bool,
}

impl Junqi {
    /// How likely each kind is for each piece of a seat.
    pub fn marginals(&self, view: &View, seat: Seat) -> Marginals {
        let settled = self.settled(view);
        let masks = std::array::from_fn(|slot| settled.masks[usize::from(piece_of(seat, slot))]);
        match self.stands_alone(&settled, seat).then(|| counted(&masks)).flatten() {
            Some(of) => Marginals { of, exact: true },
            None => Marginals { of: balanced(&masks), exact: false },
        }
    }

    /// What the pieces on the board may be whose ranks the view's seat does not see: by station, kinds by their letters.
    pub(super) fn beliefs_of(&self, view: &View) -> Vec<Belief> {
        let unseen = (0..self.seats()).filter(|&owner| !self.sees(view.seat, owner));
        let of_owner = unseen.flat_map(|owner| {
            let marginals = self.marginals(view, owner);
            self.on_board(view, owner, |piece| marginals.of[slot_of(piece)]).collect::<Vec<_>>()
        });
        of_owner.collect()
    }

    /// The same pieces with other shares, `[stations, kinds]` as the view's seat looks at the board.
    pub(super) fn beliefs_by(&self, view: &View, shares: &[f32]) -> Vec<Belief> {
        let unseen = (0..self.seats()).filter(|&owner| !self.sees(view.seat, owner));
        let of_piece = |piece: Piece| {
            let row = self.row(view.seat, view.public.pos[usize::from(piece)]);
            std::array::from_fn(|kind| f64::from(shares[row * KINDS + kind]))
        };
        unseen.flat_map(|owner| self.on_board(view, owner, of_piece)).collect()
    }

    /// A seat's pieces on the board, with the shares of their kinds.
    fn on_board(
        &self,
        view: &View,
        owner: Seat,
        shares: impl Fn(Piece) -> [f64; KINDS],
    ) -> impl Iterator<Item = Belief> {
        let public = &view.public;
        pieces_of(owner, public.alive[usize::from(owner)]).map(move |piece| {
            let kinds = Kind::ALL.into_iter().zip(shares(piece)).filter(|&(_, share)| share > 0.0);
            Belief {
                place: self.station_name(public.pos[usize::from(piece)]).to_string(),
                owner: Some(owner),
                kinds: kinds.map(|(kind, share)| (kind.letter().to_string(), share)).collect(),
            }
        })
    }

    /// The placements of the view's seat, where it is to set up a piece: each as likely as the legal layouts that begin so.
    pub(super) fn layout_chances(&self, view: &View) -> Vec<(Action, f64)> {
        let (Some(slot), Some(first)) = (self.next_slot(&view.public), self.board.placements) else {
            return Vec::new();
        };
        let shares = self.marginals(view, view.public.to_move).of[slot];
        let placed = shares.into_iter().enumerate().map(|(kind, share)| (first + kind as Action, share));
        placed.filter(|&(_, share)| share > 0.0).collect()
    }
}

/// Counts assignments kind by kind; pieces with the same mask are counted together, by how many of them are left.
pub(super) fn counted(masks: &[Kinds; PIECES]) -> Option<[[f64; KINDS]; PIECES]> {
    let mut classes: Vec<(Kinds, usize)> = Vec::new();
    // What is known takes its share of the counts beforehand.
    let mut counts = COUNTS;
    for &mask in masks {
        if mask.count_ones() == 1 {
            let count = &mut counts[mask.trailing_zeros() as usize];
            *count = count.checked_sub(1)?;
            continue;
        }
        match classes.iter_mut().find(|(other, _)| *other == mask) {
            Some((_, count)) => *count += 1,
            None => classes.push((mask, 1)),
        }
    }
    // A state: how many of each class are still without a kind, as digits of a number.
    let mut states = 1usize;
    let mut weights = Vec::new();
    for &(_, count) in &classes {
        weights.push(states);
        states = states.checked_mul(count + 1).filter(|&states| states <= MOST_STATES)?;
    }
    let left = |state: usize, class: usize| state / weights[class] % (classes[class].1 + 1);
    // ways[k][s]: ways to give kinds k.. to what is left in s; from[k][s]: ways to come to s before kind k.
    let mut from = vec![vec![0.0; states]; KINDS + 1];
    from[0][states - 1] = 1.0;
    let mut moves = Vec::new();
    for kind in 0..KINDS {
        let allowed: Vec<usize> = (0..classes.len()).filter(|&class| classes[class].0 >> kind & 1 == 1).collect();
        for state in 0..states {
            if from[kind][state] > 0.0 {
                moves.clear();
                spread(&allowed, counts[kind].into(), 1.0, 0, &mut |class| left(state, class), &weights, &mut moves);
                for &(taken, ways) in &moves {
                    from[kind + 1][state - taken] += from[kind][state] * ways;
                }
            }
        }
    }
    let total = from[KINDS][0];
    if total <= 0.0 {
        return None;
    }
    let mut ways = vec![0.0; states];
    ways[0] = 1.0;
    let mut sums = vec![[0.0; KINDS]; classes.len()];
    for kind in (0..KINDS).rev() {
        let allowed: Vec<usize> = (0..classes.len()).filter(|&class| classes[class].0 >> kind & 1 == 1).collect();
        let mut before = vec![0.0; states];
        for state in 0..states {
            if from[kind][state] <= 0.0 {
                continue;
            }
            moves.clear();
            spread(&allowed, counts[kind].into(), 1.0, 0, &mut |class| left(state, class), &weights, &mut moves);
            for &(taken, number) in &moves {
                let onward = number * ways[state - taken];
                before[state] += onward;
                for &class in &allowed {
                    let share = left(state, class) - left(state - taken, class);
                    sums[class][kind] += from[kind][state] * onward * share as f64;
                }
            }
        }
        ways = before;
    }
    Some(masks.map(|mask| match classes.iter().position(|&(other, _)| other == mask) {
        Some(class) => sums[class].map(|sum| sum / total / classes[class].1 as f64),
        None => std::array::from_fn(|kind| f64::from(mask >> kind & 1)),
    }))
}

/// All ways to take `count` pieces from the allowed classes: what is taken, as a difference of states, and how many
/// choices of pieces that is.
fn spread(
    allowed: &[usize],
    count: usize,
    ways: f64,
    taken: usize,
    left: &mut impl FnMut(usize) -> usize,
    weights: &[usize],
    out: &mut Vec<(usize, f64)>,
) {
    let Some((&class, rest)) = allowed.split_first() else {
        if count == 0 {
            out.push((taken, ways));
        }
        return;
    };
    let free = left(class);
    let mut choices = 1.0;
    for n in 0..=count.min(free) {
        if n > 0 {
            choices *= (free + 1 - n) as f64 / n as f64;
        }
        spread(rest, count - n, ways * choices, taken + n * weights[class], left, weights, out);
    }
}

/// Shares that add up to one for each piece and to the count of each kind: near the exact ones, and cheap.
pub(super) fn balanced(masks: &[Kinds; PIECES]) -> [[f64; KINDS]; PIECES] {
    let mut shares = masks.map(|mask| -> [f64; KINDS] {
        std::array::from_fn(|kind| f64::from(mask >> kind & 1) * f64::from(COUNTS[kind]))
    });
    for _ in 0..ROUNDS {
        for kind in 0..KINDS {
            let sum: f64 = shares.iter().map(|row| row[kind]).sum();
            let factor = if sum > 0.0 { f64::from(COUNTS[kind]) / sum } else { 0.0 };
            shares.iter_mut().for_each(|row| row[kind] *= factor);
        }
        for row in &mut shares {
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|share| *share /= sum.max(f64::MIN_POSITIVE));
        }
    }
    shares
}

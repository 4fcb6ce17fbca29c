//! A seat's 25 kinds dealt to its 25 pieces: which ways there are, and what they leave open.

use super::board::slots;
use super::piece::{ALL, COUNTS, KINDS, Kind, Kinds, PIECES};
use super::rules::Rules;

/// A seat's masks and an assignment that fits them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Beliefs {
    pub(super) masks: [Kinds; PIECES],
    pub(super) witness: [u8; PIECES],
}

impl Beliefs {
    /// Which kinds the rules allow on each post.
    pub(super) fn masks_at_start(rules: &Rules) -> [Kinds; PIECES] {
        slots().map(|(row, col)| {
            let headquarters = row == 6 && matches!(col, 2 | 4);
            let mut kinds = ALL;
            if !headquarters {
                kinds &= !Kind::Flag.bit();
            }
            if row < 5 {
                kinds &= !Kind::Mine.bit();
            }
            if row == 1 && !rules.bomb_front_row {
                kinds &= !Kind::Bomb.bit();
            }
            kinds
        })
    }

    /// What a layout may be before anything happened.
    pub(super) fn at_start(rules: &Rules) -> Beliefs {
        let masks = Beliefs::masks_at_start(rules);
        let mut kinds = Kind::ALL.into_iter().flat_map(|kind| vec![kind as u8; usize::from(COUNTS[kind as usize])]);
        let mut beliefs = Beliefs { masks, witness: std::array::from_fn(|_| kinds.next().unwrap_or(0)) };
        let fits = beliefs.prune();
        debug_assert!(fits, "there are legal layouts");
        beliefs
    }

    /// Leaves in each mask the kinds that some assignment of all 25 kinds gives the piece. False when there is none.
    ///
    /// Given one assignment, a piece can be another kind exactly when the pieces can pass their kinds around in a
    /// circle: when the two kinds are strongly connected in the graph of who could become what.
    pub(super) fn prune(&mut self) -> bool {
        for slot in 0..PIECES {
            if self.masks[slot] >> self.witness[slot] & 1 == 0 && !self.reassign(slot) {
                return false;
            }
        }
        // by[k]: kinds from which a chain of swaps leads to k, k included.
        let mut by: [Kinds; KINDS] = std::array::from_fn(|kind| 1 << kind);
        for (&mask, &kind) in self.masks.iter().zip(&self.witness) {
            // A piece that is `kind` and could be `other`: an edge from kind to other.
            let mut rest = mask & !(1 << kind);
            while rest != 0 {
                by[rest.trailing_zeros() as usize] |= 1 << kind;
                rest &= rest - 1;
            }
        }
        for middle in 0..KINDS {
            let through = by[middle];
            for into in &mut by {
                *into |= through & 0u16.wrapping_sub(*into >> middle & 1);
            }
        }
        // The piece's kind must be reachable from the other one; the edge there is its own.
        for (mask, &kind) in self.masks.iter_mut().zip(&self.witness) {
            *mask &= by[usize::from(kind)];
        }
        true
    }

    /// Gives a piece whose kind is ruled out another one, by passing kinds along a chain of pieces.
    fn reassign(&mut self, slot: usize) -> bool {
        let lost = self.witness[slot];
        let mut from = [PIECES as u8; KINDS];
        let mut seen = self.masks[slot];
        let mut queue = seen;
        while queue != 0 && seen >> lost & 1 == 0 {
            let kind = queue.trailing_zeros() as u8;
            queue &= queue - 1;
            for other in 0..PIECES {
                if self.witness[other] == kind && other != slot {
                    let mut new = self.masks[other] & !seen;
                    seen |= new;
                    queue |= new;
                    while new != 0 {
                        from[new.trailing_zeros() as usize] = other as u8;
                        new &= new - 1;
                    }
                }
            }
        }
        if seen >> lost & 1 == 0 {
            return false;
        }
        // Backwards: whoever reaches the free kind takes it and frees its own.
        let mut free = lost;
        loop {
            let taker = usize::from(from[usize::from(free)]);
            if taker == PIECES {
                self.witness[slot] = free;
                return true;
            }
            std::mem::swap(&mut self.witness[taker], &mut free);
        }
    }
}

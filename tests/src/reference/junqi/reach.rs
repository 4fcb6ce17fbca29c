//! Where a piece can go (3.4).

use super::board::{Board, Place};
use super::game::{Game, Piece};
use super::kind::Kind;

impl Game {
    /// Whether the rules of 3.4 let a piece move at all, now or later.
    ///
    /// Reading: "a piece that can ever move" (3.7) asks about the piece and whether it stands in a headquarters, not
    /// about what stands around it.
    pub(crate) fn can_ever_move(&self, piece: &Piece) -> bool {
        let Some(station) = piece.at else {
            return false;
        };
        piece.kind.walks() && (self.rules.hq_moves || self.board.place(station) != Place::Headquarters)
    }

    /// The stations that a piece can go to or attack, sorted.
    pub fn reach(&self, piece: &Piece) -> Vec<usize> {
        let Some(from) = piece.at else {
            return Vec::new();
        };
        if !self.can_ever_move(piece) {
            return Vec::new();
        }
        let mut owners = vec![None; self.board.stations.len()];
        for other in &self.pieces {
            if let Some(at) = other.at {
                owners[at] = Some(other.seat);
            }
        }
        let mut found = self.board.by_road(from);
        let occupied = |station: usize| owners[station].is_some();
        if piece.kind == Kind::Engineer || piece.kind == Kind::Bomb && self.rules.bombs_fly {
            found.extend(by_rail_over_any_turns(&self.board, from, &occupied));
        } else if self.rules.one_turn {
            found.extend(by_rail_with_turns(&self.board, from, 1, &occupied));
        } else {
            found.extend(by_rail_line(&self.board, from, &occupied));
        }
        found.retain(|to| self.may_end_on(piece.seat, owners[*to], *to));
        found.sort();
        found.dedup();
        found
    }

    /// Allies block and are not captured; an occupied camp, anybody's, cannot be entered or attacked.
    fn may_end_on(&self, seat: usize, owner: Option<usize>, station: usize) -> bool {
        match owner {
            None => true,
            Some(other) => self.rules.team(other) != self.rules.team(seat) && self.board.place(station) != Place::Camp,
        }
    }
}

/// Along one rail line, over empty stations, up to and including the first occupied one.
pub(crate) fn by_rail_line(board: &Board, from: usize, occupied: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    for line in &board.lines {
        let Some(place) = line.iter().position(|station| *station == from) else {
            continue;
        };
        for station in line[place + 1..].iter() {
            found.push(*station);
            if occupied(*station) {
                break;
            }
        }
        for station in line[..place].iter().rev() {
            found.push(*station);
            if occupied(*station) {
                break;
            }
        }
    }
    found
}

/// Along rail over any turns: 飛. The station it starts from is not one to go to.
pub(crate) fn by_rail_over_any_turns(board: &Board, from: usize, occupied: &dyn Fn(usize) -> bool) -> Vec<usize> {
    let steps = &board.rail_steps;
    let mut found = Vec::new();
    let mut open = vec![from];
    while let Some(station) = open.pop() {
        for step in steps {
            if step.from == station && step.to != from && !found.contains(&step.to) {
                found.push(step.to);
                if !occupied(step.to) {
                    open.push(step.to);
                }
            }
        }
    }
    found
}

/// Along rail with at most so many right angles (`one_turn`).
///
/// Reading: a turn is a right angle between the direction in which the piece arrives at a station and the one in which
/// it leaves it. An arc leaves as the side column that it continues and arrives as the next one, so going round it is
/// no turn, and going into it from a front row is one. Going back the way the piece came, from the centre into the
/// corner of an arm and out of it over its arc included, is no right angle and is not allowed.
pub(crate) fn by_rail_with_turns(
    board: &Board,
    from: usize,
    turns: usize,
    occupied: &dyn Fn(usize) -> bool,
) -> Vec<usize> {
    let steps = &board.rail_steps;
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut open = Vec::new();
    for step in steps {
        if step.from == from {
            open.push((*step, turns));
        }
    }
    while let Some((step, turns)) = open.pop() {
        if step.to == from || seen.contains(&(step, turns)) {
            continue;
        }
        seen.push((step, turns));
        found.push(step.to);
        if occupied(step.to) {
            continue;
        }
        for next in steps {
            if next.from != step.to {
                continue;
            }
            let along = step.arrives.0 * next.leaves.0 + step.arrives.1 * next.leaves.1;
            if along == 1 {
                open.push((*next, turns));
            } else if along == 0 && turns > 0 {
                open.push((*next, turns - 1));
            }
        }
    }
    found
}

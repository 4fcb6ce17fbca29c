//! What a piece can capture, and which face-down pieces it can attack.

use super::board::{Board, Cell, DIRECTIONS, Square};
use super::piece::{Kind, Piece};
use super::rules::{Cannon, Chain, Rules};

/// How a piece gets at another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// One orthogonal step; ranks decide (1.1, 2).
    Step,
    /// A cannon over exactly one screen; any rank (1.1).
    Jump,
    /// A chariot along a clear line, two squares or more; any rank (1.3, `chariot_rush`).
    Rush,
}

/// Whether `attacker` may capture `victim` by a step (1.1 "Capture by a step", 1.3 `ranking`, 2).
///
/// Reading: the exceptions for K and P hold under every ranking. "P takes only P and K" decides alone what a pawn
/// takes. With stepping cannons a cannon takes what its rank allows.
pub(crate) fn takes_by_step(rules: &Rules, attacker: Kind, victim: Kind) -> bool {
    match (attacker, victim) {
        (Kind::King, Kind::Pawn) => false,
        (Kind::Pawn, victim) => victim == Kind::Pawn || victim == Kind::King,
        (attacker, victim) => {
            let order = rules.ranking.order();
            let place = |kind| order.iter().position(|known| *known == kind);
            match (place(attacker), place(victim)) {
                (Some(attacker), Some(victim)) => attacker <= victim,
                _ => false,
            }
        }
    }
}

/// Whether `attacker` may capture an enemy `victim` that it gets at in this manner.
pub(crate) fn takes(rules: &Rules, manner: Manner, attacker: Kind, victim: Kind) -> bool {
    match manner {
        Manner::Step => takes_by_step(rules, attacker, victim),
        Manner::Jump | Manner::Rush => true,
    }
}

/// Every occupied square that the piece on `from` gets at, whatever stands there.
fn reach(rules: &Rules, board: &Board, from: Square) -> Vec<(Square, Manner)> {
    let Cell::Up(piece) = board.at(from) else {
        return Vec::new();
    };
    let jumps = piece.face.kind == Kind::Cannon && rules.cannon == Cannon::Jump;
    let rushes = piece.face.kind == Kind::Rook && rules.chariot_rush;
    let mut found = Vec::new();
    // A jumping cannon never captures by a step (1.1).
    if !jumps {
        for square in board.neighbours(from) {
            if board.at(square) != Cell::Empty {
                found.push((square, Manner::Step));
            }
        }
    }
    if !jumps && !rushes {
        return found;
    }
    for direction in DIRECTIONS {
        let line = board.line(from, direction);
        let occupied: Vec<Square> = line.iter().copied().filter(|square| board.at(*square) != Cell::Empty).collect();
        // The first piece on the line is the screen, the second the target; the squares around them may be empty
        // (1.1). A face-down piece is a screen like any other.
        if jumps && occupied.len() >= 2 {
            found.push((occupied[1], Manner::Jump));
        }
        // The first piece on the line, unless it is adjacent (1.3, `chariot_rush`).
        if rushes && !occupied.is_empty() && occupied[0] != line[0] {
            found.push((occupied[0], Manner::Rush));
        }
    }
    found
}

/// How the piece on `from` gets at the piece on `to`, if it does.
pub(crate) fn manner(rules: &Rules, board: &Board, from: Square, to: Square) -> Option<Manner> {
    let found = reach(rules, board, from);
    found.into_iter().find(|(square, _)| *square == to).map(|(_, manner)| manner)
}

/// The face-up enemy pieces that the piece on `from` could capture, with their squares.
pub(crate) fn captures(rules: &Rules, board: &Board, from: Square) -> Vec<(Square, Piece)> {
    let Cell::Up(piece) = board.at(from) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (square, manner) in reach(rules, board, from) {
        if let Cell::Up(victim) = board.at(square)
            && victim.face.colour != piece.face.colour
            && takes(rules, manner, piece.face.kind, victim.face.kind)
        {
            found.push((square, victim));
        }
    }
    found
}

/// The face-down pieces that the piece on `from` may attack: those it gets at, and only with `chain = dark` (1.3).
/// What they turn out to be plays no part in this.
pub(crate) fn attacks(rules: &Rules, board: &Board, from: Square) -> Vec<Square> {
    if rules.chain != Chain::Dark {
        return Vec::new();
    }
    let mut found = Vec::new();
    for (square, _) in reach(rules, board, from) {
        if board.at(square) == Cell::FaceDown {
            found.push(square);
        }
    }
    found
}

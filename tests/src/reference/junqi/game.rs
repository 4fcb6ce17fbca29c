//! A game: pieces, whose turn it is, what is legal, and who sees which kinds.

use super::board::Board;
use super::ending::{Out, Status};
use super::kind::Kind;
use super::layout::Layout;
use super::rules::{Rules, View};
use super::signal::Said;

/// A piece. Its place in the list of the game is its identity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its owner.
    pub seat: usize,
    /// What it is.
    pub kind: Kind,
    /// Where it stood at the start.
    pub home: usize,
    /// Where it stands; nowhere once it is gone.
    pub at: Option<usize>,
    /// The seats that were shown what it is: a flag by its commander's death, a combatant by `reveal`.
    pub shown_to: Vec<usize>,
}

/// A game in progress or finished, seen by somebody who knows everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// The rules.
    pub rules: Rules,
    /// The board.
    pub board: Board,
    /// All pieces, those that are gone included.
    pub pieces: Vec<Piece>,
    pub(crate) to_move: usize,
    /// Why each seat is out.
    pub(crate) out: Vec<Option<Out>>,
    /// How often each seat let its time run out.
    pub(crate) timed_out: Vec<usize>,
    pub(crate) quiet: usize,
    pub(crate) plies: usize,
    pub(crate) status: Status,
    /// How many turns of each seat are over.
    pub(crate) turns: Vec<usize>,
    /// Everything that was said, in order.
    pub(crate) said: Vec<Said>,
}

impl Game {
    /// A game from everybody's layout, by seat. `first` moves first.
    ///
    /// Reading: the rule text does not say who begins, so it is an argument.
    ///
    /// # Errors
    /// A sentence about a layout that may not be set up, or a wrong number of them.
    pub fn new(rules: Rules, layouts: &[Layout], first: usize) -> Result<Game, String> {
        let board = Board::of(&rules);
        if layouts.len() != rules.seats() || first >= rules.seats() {
            return Err(format!("{} seats need as many layouts and one of them to begin", rules.seats()));
        }
        let mut pieces = Vec::new();
        for (seat, layout) in layouts.iter().enumerate() {
            layout.check(&rules, &board).map_err(|wrong| format!("seat {seat}: {wrong}"))?;
            for (place, kind) in layout.0.iter().enumerate() {
                if let Some(kind) = kind {
                    pieces.push((seat, 30 * rules.quarter(seat) + place, *kind));
                }
            }
        }
        Game::on(board, rules, &pieces, first)
    }

    /// A game from pieces that stand anywhere: seat, station, kind. A seat without pieces is out from the start, and
    /// one that cannot move goes out before the first ply.
    ///
    /// # Errors
    /// A sentence about two pieces on a station, a station that the board does not have, or a seat that does not exist.
    pub fn from_pieces(rules: Rules, pieces: &[(usize, usize, Kind)], first: usize) -> Result<Game, String> {
        Game::on(Board::of(&rules), rules, pieces, first)
    }

    /// The same on a board that is at hand.
    pub(crate) fn on(
        board: Board,
        rules: Rules,
        pieces: &[(usize, usize, Kind)],
        first: usize,
    ) -> Result<Game, String> {
        let seats = rules.seats();
        let mut game = Game {
            board,
            rules,
            pieces: Vec::new(),
            to_move: first,
            out: vec![None; seats],
            timed_out: vec![0; seats],
            quiet: 0,
            plies: 0,
            status: Status::Ongoing,
            turns: vec![0; seats],
            said: Vec::new(),
        };
        for (seat, station, kind) in pieces {
            if *seat >= seats || !game.board.has(*station) || game.piece_at(*station).is_some() {
                return Err(format!("seat {seat} cannot have {kind:?} on station {station}"));
            }
            let (seat, kind, home) = (*seat, *kind, *station);
            game.pieces.push(Piece { seat, kind, home, at: Some(home), shown_to: Vec::new() });
        }
        if first >= seats {
            return Err(format!("there is no seat {first}"));
        }
        for seat in 0..seats {
            if !game.pieces.iter().any(|piece| piece.seat == seat) {
                game.out[seat] = Some(Out::NoPieces);
            }
        }
        game.settle(first);
        Ok(game)
    }

    /// The seat to move. In a finished game the seat that would be to move.
    pub fn to_move(&self) -> usize {
        self.to_move
    }

    /// Whether the game goes on, and if not, how it ended.
    pub fn status(&self) -> Status {
        self.status
    }

    /// Why a seat is out, if it is.
    pub fn out(&self, seat: usize) -> Option<Out> {
        self.out[seat]
    }

    /// Plies in a row without combat or elimination.
    pub fn quiet(&self) -> usize {
        self.quiet
    }

    /// Plies played.
    pub fn plies(&self) -> usize {
        self.plies
    }

    /// The piece on a station.
    pub fn piece_at(&self, station: usize) -> Option<&Piece> {
        self.pieces.iter().find(|piece| piece.at == Some(station))
    }

    /// The legal actions of the seat to move as pairs of stations, sorted; none in a finished game.
    pub fn legal(&self) -> Vec<(usize, usize)> {
        if self.status == Status::Ongoing { self.actions_of(self.to_move) } else { Vec::new() }
    }

    /// What a seat could do if it were its turn.
    pub(crate) fn actions_of(&self, seat: usize) -> Vec<(usize, usize)> {
        let mut actions = Vec::new();
        for piece in &self.pieces {
            if piece.seat == seat
                && let Some(from) = piece.at
            {
                for to in self.reach(piece) {
                    actions.push((from, to));
                }
            }
        }
        actions.sort();
        actions
    }

    /// Whether a seat could do anything if it were its turn.
    pub(crate) fn can_act(&self, seat: usize) -> bool {
        self.pieces.iter().any(|piece| piece.seat == seat && !self.reach(piece).is_empty())
    }

    /// Whether an action is one of [`Game::legal`].
    pub fn is_legal(&self, from: usize, to: usize) -> bool {
        let piece = self.piece_at(from).filter(|piece| piece.seat == self.to_move);
        self.status == Status::Ongoing && piece.is_some_and(|piece| self.reach(piece).contains(&to))
    }

    /// The name of an action, `S15-E11`.
    pub fn action_name(&self, (from, to): (usize, usize)) -> String {
        format!("{}-{}", self.board.stations[from].name, self.board.stations[to].name)
    }

    /// The action of a name; whether it is legal, [`Game::play`] knows.
    pub fn action(&self, name: &str) -> Option<(usize, usize)> {
        let (from, to) = name.split_once('-')?;
        Some((self.board.number(from)?, self.board.number(to)?))
    }

    /// Whether a seat sees what a piece is (3.6): by the view, or because it was shown. What follows from the events
    /// is the business of [`deduce`](super::deduce()).
    pub fn sees(&self, viewer: usize, piece: &Piece) -> bool {
        sees_from_the_start(&self.rules, viewer, piece.seat) || piece.shown_to.contains(&viewer)
    }
}

/// Whether a seat sees the kinds of another seat's pieces from the first ply on (3.6).
pub(crate) fn sees_from_the_start(rules: &Rules, viewer: usize, owner: usize) -> bool {
    match rules.view {
        View::Dark => owner == viewer,
        View::DoubleOpen => rules.team(owner) == rules.team(viewer),
        View::Open => true,
    }
}

//! What allies tell each other before they move (3.10).

use super::ending::Status;
use super::game::Game;

/// Everything that can be said, in the order in which it is numbered.
///
/// Reading: the rule text gives examples only; the alphabet is the one of `docs/games/junqi.md`.
pub const SIGNALS: [&str; 22] = [
    "40", "39", "38", "37", "36", "35", "34", "33", "32", "00", "mine", "34+", "35+", "36+", "37+", "38+", "39+",
    "0040", "bomb", "attack", "help", "wait",
];

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    seat: usize,
    /// How many turns of the seat were over when it spoke.
    turn: usize,
    signal: &'static str,
}

impl Game {
    /// What the seat to move may say.
    ///
    /// Reading: "attach one signal to its ply" is said before the ply, once at most; who has no ally left has nobody to
    /// tell anything.
    pub fn signals(&self) -> Vec<&'static str> {
        let seat = self.to_move;
        let spoke = self.said.iter().any(|said| said.seat == seat && said.turn == self.turns[seat]);
        let ally = self.rules.ally(seat).is_some_and(|ally| self.out[ally].is_none());
        let open = self.rules.signals && self.status == Status::Ongoing && ally && !spoke;
        if open { SIGNALS.to_vec() } else { Vec::new() }
    }

    /// The seat to move says something to its ally. It is still its turn.
    ///
    /// # Errors
    /// A sentence about what it may not say; the game is then unchanged.
    pub fn say(&mut self, signal: &str) -> Result<(), String> {
        let seat = self.to_move;
        let Some(signal) = self.signals().into_iter().find(|known| *known == signal) else {
            return Err(format!("seat {seat} may not say {signal} in\n{}", self.text()));
        };
        self.said.push(Said { seat, turn: self.turns[seat], signal });
        Ok(())
    }

    /// What a viewer last heard of a seat, its own words included: nothing of enemies.
    ///
    /// Reading: a signal is news until the seat's next ply, or until its next turn has passed by the clock; of a seat that
    /// is out there are no news.
    pub fn heard(&self, viewer: usize, seat: usize) -> Option<&'static str> {
        let of_seat = self.said.iter().rev().find(|said| said.seat == seat)?;
        let news = of_seat.turn + 1 >= self.turns[seat] && self.out[seat].is_none();
        (news && self.rules.team(viewer) == self.rules.team(seat)).then_some(of_seat.signal)
    }
}

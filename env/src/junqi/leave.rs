//! What people do beside the plies: they give up, run out of time, agree. In play and records, never in training.

use super::view::{Out, Outcome, State};
use super::{Junqi, NOWHERE};
use crate::Error;
use crate::game::{Forfeit, Reason, Seat, Status};

impl Junqi {
    /// Takes a seat out of the game: it gave up or ran out of time. Tells who goes out by it.
    ///
    /// # Errors
    /// The game is over, is still being set up, or the seat is out already; the game is then as it was.
    pub fn remove_seat(&self, state: &mut State, seat: Seat, why: Out) -> Result<Outcome, Error> {
        self.check_leaving(state, seat)?;
        let public = *state.public();
        let mut outcome = Outcome::MOVED;
        outcome.outs[usize::from(seat)] = Some(why);
        if !self.go_out(&mut state.views[0].public, seat, why) {
            // Where it was its turn, the turn passes on; freed stations may leave others with moves, never without.
            let before = (0..self.seats()).find(|&other| self.after(other) == public.to_move).unwrap_or(0);
            let mover = if seat == public.to_move { seat } else { before };
            self.find_outs(state, mover, NOWHERE, &mut outcome);
            let next = &mut state.views[0].public;
            if next.status.is_ongoing() && next.out[usize::from(next.to_move)].is_some() {
                next.to_move = self.next_living(next, next.to_move);
            }
        }
        self.spread(state);
        Ok(outcome)
    }

    /// The seat to move lets its turn pass by the clock; at the limit of the rules it is out. Tells who goes out by it.
    ///
    /// # Errors
    /// The game is over or is still being set up; it is then as it was.
    pub fn time_out(&self, state: &mut State) -> Result<Outcome, Error> {
        let seat = state.public().to_move;
        self.check_leaving(state, seat)?;
        let count = &mut state.views[0].public.time_outs[usize::from(seat)];
        *count = count.saturating_add(1);
        if self.rules.time_outs > 0 && *count >= self.rules.time_outs {
            return self.remove_seat(state, seat, Out::TimeOuts);
        }
        // The next seat may have no move: then it is out.
        let mut outcome = Outcome::MOVED;
        self.find_outs(state, seat, NOWHERE, &mut outcome);
        let public = &mut state.views[0].public;
        public.to_move = self.next_living(public, seat);
        self.spread(state);
        state.views.iter_mut().for_each(|view| view.end_turn(seat));
        Ok(outcome)
    }

    fn check_leaving(&self, state: &State, seat: Seat) -> Result<(), Error> {
        let public = state.public();
        let wrong = if !public.status.is_ongoing() {
            "the game is over"
        } else if self.next_slot(public).is_some() {
            "the game is still being set up"
        } else if seat >= self.seats() || public.out[usize::from(seat)].is_some() {
            "it does not play"
        } else {
            return Ok(());
        };
        Err(Error::Action(format!("seat {seat} cannot give up: {wrong}")))
    }

    /// A seat resigns, or its time is up, which by these rules costs it its turn.
    pub(super) fn give_up(&self, state: &mut State, seat: Seat, forfeit: Forfeit) -> Result<Outcome, Error> {
        let to_move = state.public().to_move;
        match forfeit {
            Forfeit::Resignation => self.remove_seat(state, seat, Out::Resigned),
            Forfeit::Time if seat == to_move => self.time_out(state),
            Forfeit::Time => Err(Error::Action(format!(
                "seat {seat} is not to move: only seat {to_move}, which is, can run out of time"
            ))),
        }
    }

    /// Every living seat agreed to a draw.
    pub fn agree_draw(&self, state: &mut State) {
        if state.public().status.is_ongoing() {
            state.views[0].public.status = Status::Draw(Reason::Agreement);
            self.spread(state);
        }
    }

    /// What is public goes from the first view to all.
    fn spread(&self, state: &mut State) {
        let public = state.views[0].public;
        for view in &mut state.views {
            view.public = public;
            view.forget_the_gone();
        }
    }
}

//! What people do beside the plies: they give up, run out of time, agree. In play and records, never in training.

use super::view::{Out, Outcome, State};
use super::{Junqi, NOWHERE};
use crate::game::{Reason, Seat, Status};

impl Junqi {
    /// Takes a seat out of the game: it gave up or ran out of time.
    ///
    /// # Errors
    /// The game is over, is still being set up, or the seat is out already.
    pub fn remove_seat(&self, state: &mut State, seat: Seat, why: Out) -> Result<(), crate::Error> {
        let public = *state.public();
        let fault = |message: String| Err(crate::Error::Action(message));
        if !public.status.is_ongoing() || self.next_slot(&public).is_some() {
            return fault(format!("seat {seat} cannot leave: the game is over or has not begun"));
        }
        if seat >= self.seats() || public.out[usize::from(seat)].is_some() {
            return fault(format!("seat {seat} cannot leave: it does not play"));
        }
        let mut outcome = Outcome::MOVED;
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
        Ok(())
    }

    /// A seat lets its turn pass by the clock; at the limit of the rules it is out.
    ///
    /// # Errors
    /// As [`Junqi::remove_seat`].
    pub fn time_out(&self, state: &mut State) -> Result<(), crate::Error> {
        let seat = state.public().to_move;
        let count = &mut state.views[0].public.time_outs[usize::from(seat)];
        *count = count.saturating_add(1);
        if self.rules.time_outs > 0 && *count >= self.rules.time_outs {
            return self.remove_seat(state, seat, Out::TimeOuts);
        }
        // The next seat may have no move: then it is out.
        self.find_outs(state, seat, NOWHERE, &mut Outcome::MOVED.clone());
        let public = &mut state.views[0].public;
        public.to_move = self.next_living(public, seat);
        self.spread(state);
        Ok(())
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
        state.views.iter_mut().for_each(|view| view.public = public);
    }
}

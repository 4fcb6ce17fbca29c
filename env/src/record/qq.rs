//! A QQ replay as a record: layouts as headers, moves with what was announced, and seats that gave up or were late.
//!
//! The number of a line is that of an event, from 1. Nothing is kept of who played.

use super::defect::{Grade, Notes, Stop};
use super::jgs::{self, Draw, Event, Replay};
use super::{Record, result_of};
use crate::game::{Forfeit, Game, Reason, Seat, Status};
use crate::junqi::piece::Fight;
use crate::junqi::{Junqi, Out, Outcome, Station};

/// The rules of those games: there, a draw comes when the count of quiet plies exceeds 70.
pub(super) const RULES: &str = "siguo:quiet_limit=71";

/// Stations of a quarter of the board.
const QUARTER: usize = 30;

/// What is known while events are read.
struct Reader<'a> {
    game: &'a Junqi,
    record: &'a mut Record,
    notes: &'a mut Notes,
    /// The event's number.
    line: usize,
    /// What the last ply of the record showed.
    shown: Outcome,
    out: [Option<Out>; 4],
}

/// Reads a replay; the rules are those of the four-country board.
pub(super) fn read(replay: &Replay, game: &Junqi, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let expected = usize::from(game.seats());
    let played: Vec<usize> = (0..4).filter(|&quarter| replay.layouts[quarter].is_some()).collect();
    let ours: Vec<usize> = (0..expected).map(|seat| seat * 4 / expected).collect();
    if game.graph().len() <= 4 * QUARTER || played != ours {
        let [played, ours] =
            [played, ours].map(|quarters| quarters.into_iter().map(|q| ["S", "E", "N", "W"][q]).collect::<String>());
        let wrong = format!("the seats {played} of the four-country board are played");
        let right = format!("{} is a game of {ours} on the board of its own", game.spec().name);
        return Err(notes.unreadable((1, None), wrong, right));
    }
    for (seat, layout) in replay.layouts.iter().flatten().enumerate() {
        if !layout.is_known() {
            let wrong = format!("layout of seat {seat}: {layout} has pieces that are not known");
            return Err(notes.unreadable((1, None), wrong, "such a game cannot be played through"));
        }
        record.set(&format!("Layout{seat}"), layout.to_string());
    }
    let mut reader = Reader { game, record, notes, line: 0, shown: Outcome::MOVED, out: [None; 4] };
    if let Some(first) = replay.events.iter().find_map(|event| reader.mover(event)).filter(|&seat| seat > 0) {
        reader.record.set("First", first.to_string());
    }
    for (number, event) in replay.events.iter().enumerate() {
        reader.line = number + 1;
        reader.event(event, replay.draw)?;
    }
    if reader.record.header("Result").is_none() {
        reader.end(Status::Ongoing);
    }
    Ok(())
}

impl Reader<'_> {
    /// The seat at a quarter of the board.
    fn seat(&self, quarter: usize) -> Seat {
        (quarter * usize::from(self.game.seats()) / 4) as Seat
    }

    /// Whose turn it is when something happens, where the event tells.
    fn mover(&self, event: &Event) -> Option<Seat> {
        match *event {
            Event::Move { from, .. } => (from < 4 * QUARTER).then(|| self.seat(from / QUARTER)),
            Event::TimeOut { seat, .. } => Some(self.seat(seat)),
            _ => None,
        }
    }

    fn event(&mut self, event: &Event, draw: Option<Draw>) -> Result<(), Stop> {
        match *event {
            Event::Move { from, to, outcome, attacker_flag, defender_flag } => {
                let name = |station: usize| self.game.station_name(station as Station);
                let action = format!("{}-{}", name(from), name(to));
                let mut shown = Outcome { fight: fight(outcome), ..Outcome::MOVED };
                for flag in [attacker_flag, defender_flag].into_iter().flatten().filter(|&flag| flag < 4 * QUARTER) {
                    shown.flags[usize::from(self.seat(flag / QUARTER))] = flag as Station;
                }
                self.push(action, shown);
            }
            Event::TimeOut { seat, .. } => self.push(Forfeit::Time.text(self.seat(seat)), Outcome::MOVED),
            Event::Out { seat, reason } => self.out(self.seat(seat), reason),
            // Whoever is out may leave the table; the game does not change.
            Event::Left { seat } if self.out[usize::from(self.seat(seat))].is_some() => {}
            Event::Left { seat } => {
                let wrong = format!("seat {} left, but was not out", self.seat(seat));
                self.notes.add(Grade::Contradiction, (self.line, None), wrong, "")?;
            }
            Event::End(end) => self.end(self.status(end, draw)),
        }
        Ok(())
    }

    fn push(&mut self, action: String, shown: Outcome) {
        self.shown = shown;
        self.record.push(action, None, self.line);
        self.tell();
    }

    /// Writes what the last ply showed.
    fn tell(&mut self) {
        let shown = (self.shown != Outcome::MOVED).then(|| self.game.outcome_name(self.shown));
        if let Some(ply) = self.record.plies.last_mut() {
            ply.outcome = shown;
        }
    }

    /// A seat goes out: on its own, or by the last ply.
    fn out(&mut self, seat: Seat, reason: jgs::Reason) {
        let out = match reason {
            jgs::Reason::Flag => Out::Flag,
            jgs::Reason::NoMove => Out::NoMoves,
            jgs::Reason::TimeOuts => Out::TimeOuts,
            jgs::Reason::Surrender | jgs::Reason::Escape => Out::Resigned,
        };
        if out == Out::Resigned || self.record.plies.is_empty() {
            self.push(Forfeit::Resignation.text(seat), Outcome::MOVED);
        }
        self.out[usize::from(seat)] = Some(out);
        self.shown.outs[usize::from(seat)] = Some(out);
        self.tell();
    }

    /// How the game stands when its end is announced.
    fn status(&self, end: jgs::End, draw: Option<Draw>) -> Status {
        let lost = |team: usize| (team..usize::from(self.game.seats())).step_by(2).all(|seat| self.out[seat].is_some());
        let loser = (0..2).find(|&team| lost(team));
        match (end, draw, loser) {
            (jgs::End::Draw, Some(Draw::Agreed), _) => Status::Draw(Reason::Agreement),
            (jgs::End::Draw, _, _) => Status::Draw(Reason::QuietLimit),
            (_, _, Some(team)) => {
                let why = self.shown.outs.iter().skip(team).step_by(2).flatten().next();
                Status::Win(1 - team as Seat, why.map_or(Reason::NoMoves, |why| why.reason()))
            }
            _ => Status::Ongoing,
        }
    }

    fn end(&mut self, status: Status) {
        let (result, termination) = result_of(status);
        self.record.set("Result", result);
        self.record.set("Termination", termination);
        self.record.result_line = self.line.max(1);
    }
}

fn fight(outcome: jgs::Outcome) -> Fight {
    match outcome {
        jgs::Outcome::Moved => Fight::Moved,
        jgs::Outcome::Won => Fight::Won,
        jgs::Outcome::Lost => Fight::Lost,
        jgs::Outcome::Both => Fight::Both,
    }
}

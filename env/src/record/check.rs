//! Plays a record through and holds what it claims against the rules.

use super::defect::{Grade, Notes, Stop};
use super::{Defect, Record, UNKNOWN, result_of};
use crate::any::{AnyGame, AnyRules, Forfeit};
use crate::game::Status;

/// How a game may end without the rules: what the header Termination says then, and the results it goes with.
const OUTSIDE: [(&str, &[&str]); 7] = [
    ("time", &["1-0", "0-1"]),
    ("resignation", &["1-0", "0-1"]),
    ("agreement", &["1/2-1/2"]),
    // An engine that crashed, took too long or played what is not legal.
    ("forfeit", &["1-0", "0-1"]),
    ("unfinished", &["*"]),
    ("abandoned", &["*", "1-0", "0-1", "1/2-1/2"]),
    ("ply-limit", &["*", "1/2-1/2"]),
];

/// A record played as far as the rules allow.
pub struct Checked {
    /// The game after the last ply that could be played; `None` where the headers do not give one.
    pub game: Option<Box<dyn AnyGame>>,
    /// What is wrong, in the order of the plies.
    pub defects: Vec<Defect>,
}

impl Record {
    pub(super) fn play_through(
        &self,
        notes: &mut Notes,
        game: &mut Option<Box<dyn AnyGame>>,
        each: &mut dyn FnMut(&dyn AnyGame),
    ) -> Result<(), Stop> {
        let head = (self.line, None);
        let Some(name) = self.header("Rules").or(self.header("Game")) else {
            return Err(notes.unreadable(head, "header Rules is missing", ""));
        };
        let rules = AnyRules::parse(name).map_err(|fault| notes.unreadable(head, fault.to_string(), ""))?;
        let ours = format!("{:016x}", rules.spec().rules_hash);
        if let Some(hash) = self.header("RulesHash").filter(|&hash| hash != ours) {
            let wrong = format!("header RulesHash is {hash}, but the rules {name} have {ours}");
            notes.add(Grade::Contradiction, head, wrong, "")?;
        }
        let seed = self.header("Seed").map_or(Ok(0), str::parse);
        if seed.is_err() {
            let seed = self.header("Seed").unwrap_or_default();
            notes.mended(head, format!("header Seed is '{seed}': expected a number"), "")?;
        }
        let seed = seed.unwrap_or(0);
        let layouts = self.layouts(&rules, notes)?;
        let position = self.header("Position");
        let started = match position {
            _ if !layouts.is_empty() => rules.start_with(&layouts, self.first(notes)?, position, seed),
            None => Ok(rules.start(seed)),
            Some(position) => rules.start_from(position, seed),
        };
        let started = started.map_err(|fault| notes.unreadable(head, fault.to_string(), ""))?;
        let game = game.insert(started);
        // The record holds all that is hidden: what a ply shows is not chosen, but follows.
        let whole = matches!(rules, AnyRules::Junqi(_)) && (position.is_none() || !layouts.is_empty());
        each(game.as_ref());
        for i in 0..self.plies.len() {
            match Forfeit::read(&self.plies[i].action) {
                Some(_) => self.play_whole(i, notes, game.as_mut())?,
                None if whole => self.play_whole(i, notes, game.as_mut())?,
                None => self.play_ply(i, &rules, seed, notes, game)?,
            }
            each(game.as_ref());
        }
        self.check_end(notes, game.as_mut())
    }

    /// The layouts of all seats, or none.
    fn layouts(&self, rules: &AnyRules, notes: &mut Notes) -> Result<Vec<&str>, Stop> {
        let seats = 0..rules.spec().num_seats;
        let found: Vec<Option<&str>> = seats.map(|seat| self.header(&format!("Layout{seat}"))).collect();
        if found.iter().all(Option::is_none) {
            return Ok(Vec::new());
        }
        let missing = found.iter().position(Option::is_none);
        match missing {
            None => Ok(found.into_iter().flatten().collect()),
            Some(seat) => {
                let wrong = format!("header Layout{seat} is missing");
                let right = "what one seat saw of a game cannot be played through without the other layouts";
                Err(notes.unreadable((self.line, None), wrong, right))
            }
        }
    }

    /// The seat that moves first.
    fn first(&self, notes: &mut Notes) -> Result<u8, Stop> {
        let Some(text) = self.header("First") else { return Ok(0) };
        let fault =
            |_| notes.unreadable((self.line, None), format!("header First is '{text}'"), "expected a seat: 0 to 3");
        text.parse().map_err(fault)
    }

    /// Plays a ply of a game in which everything is known, or lets a seat give up, and holds what it shows against the
    /// record.
    fn play_whole(&self, i: usize, notes: &mut Notes, game: &mut dyn AnyGame) -> Result<(), Stop> {
        let (ply, place) = (&self.plies[i], (self.line_of(i), Some(i + 1)));
        let name = &ply.action;
        let played = match Forfeit::read(name) {
            Some((seat, forfeit)) => game.forfeit(seat, forfeit),
            None => game.action_id(name).and_then(|action| game.step(action.into())),
        };
        let told = ply.outcome.as_deref().filter(|told| !told.is_empty());
        let told = played.and_then(|()| told.map(|told| game.outcome_text(told)).transpose());
        let told = match told {
            Ok(told) => told,
            Err(fault) => {
                notes.add(Grade::Illegal, place, format!("{name}: {fault}"), "")?;
                return Ok(());
            }
        };
        let shown = game.shown().unwrap_or("moved");
        if let Some(told) = told.filter(|told| told != shown) {
            let wrong = format!("{name}: the record says {told}, but the layouts give {shown}");
            notes.add(Grade::Illegal, place, wrong, "")?;
        }
        self.offer(i, notes, game)
    }

    /// A draw that is offered with a ply.
    fn offer(&self, i: usize, notes: &mut Notes, game: &mut dyn AnyGame) -> Result<(), Stop> {
        let place = (self.line_of(i), Some(i + 1));
        if self.plies[i].offer
            && let Err(fault) = game.offer_draw()
        {
            notes.add(Grade::Contradiction, place, fault.to_string(), "the offer does not count")?;
        }
        Ok(())
    }

    fn line_of(&self, i: usize) -> usize {
        self.lines.get(i).copied().unwrap_or(1)
    }

    fn play_ply(
        &self,
        i: usize,
        rules: &AnyRules,
        seed: u64,
        notes: &mut Notes,
        game: &mut Box<dyn AnyGame>,
    ) -> Result<(), Stop> {
        let (ply, place) = (&self.plies[i], (self.line_of(i), Some(i + 1)));
        let name = &ply.action;
        if name == UNKNOWN {
            notes.add(Grade::Missing, place, "the ply is not known", "the turn passes, the board stays as it was")?;
            let passed = passed(&game.position()).and_then(|position| rules.start_from(&position, seed).ok());
            let Some(passed) = passed else {
                return Err(notes.unreadable(place, "nothing can be played behind a first ply that is not known", ""));
            };
            *game = passed;
            return Ok(());
        }
        let illegal = |fault: crate::Error, notes: &mut Notes| {
            let _ = notes.add(Grade::Illegal, place, format!("{name}: {fault}"), "");
            Stop
        };
        let action = i32::from(game.action_id(name).map_err(|fault| illegal(fault, notes))?);
        let mut shown = ply.outcome.clone().unwrap_or_default();
        // Where only one kind is left face down, what was shown is clear without being written.
        if shown.is_empty()
            && let Ok(outcomes) = game.chance_outcomes(action)
            && let [(only, _)] = &outcomes[..]
        {
            let wrong = format!("{name}: it does not say which piece it showed");
            notes.mended(place, wrong, format!("only {only} is left"))?;
            shown.clone_from(only);
        }
        game.step_with(action, &shown).map_err(|fault| illegal(fault, notes))?;
        self.offer(i, notes, game.as_mut())
    }

    /// Holds the result, the termination and the repeated block against the plies.
    fn check_end(&self, notes: &mut Notes, game: &mut dyn AnyGame) -> Result<(), Stop> {
        let place = (self.result_line, None);
        let status = game.status();
        let (result, termination) = result_of(status);
        if !status.is_ongoing() {
            for (key, ours) in [("Result", result), ("Termination", termination)] {
                if let Some(theirs) = self.header(key).filter(|&theirs| theirs != ours) {
                    let wrong = format!("header {key} is {theirs}, but the plies end in {ours}");
                    notes.add(Grade::Contradiction, place, wrong, "")?;
                }
            }
        } else if let Some(theirs) = self.header("Termination") {
            self.check_outside(notes, game, theirs)?;
        }
        if let Some(block) = self.header("Block")
            && matches!(status, Status::Draw(_))
            && block.parse().ok() != self.repeated_block()
        {
            let ours = self.repeated_block().map_or("none".into(), |n| n.to_string());
            let wrong = format!("the repeated block is {block} plies long, but the plies have {ours}");
            notes.add(Grade::Contradiction, place, wrong, "")?;
        }
        Ok(())
    }

    /// Whether an end that the rules did not bring about can be; if so, ends the game so.
    fn check_outside(&self, notes: &mut Notes, game: &mut dyn AnyGame, termination: &str) -> Result<(), Stop> {
        let place = (self.result_line, None);
        let result = self.header("Result").unwrap_or("*");
        let Some((_, results)) = OUTSIDE.iter().find(|(name, _)| *name == termination) else {
            let wrong = format!("header Termination is {termination}, but the plies leave the game going on");
            let known = OUTSIDE.map(|(name, _)| name).join(", ");
            return notes.add(Grade::Contradiction, place, wrong, format!("without an end by the rules: {known}"));
        };
        if !results.contains(&result) {
            let wrong = format!("the result is {result}, and the termination is {termination}");
            return notes.add(Grade::Contradiction, place, wrong, format!("it goes with {}", results.join(" ")));
        }
        let to_move = game.to_move();
        if termination == "time" && result == super::won_by(to_move) {
            let wrong = format!("{result} on time, but seat {to_move} is to move");
            return notes.add(Grade::Contradiction, place, wrong, "only the seat to move can run out of time");
        }
        let loser = if result == super::won_by(0) { 1 } else { 0 };
        let ended = match termination {
            "time" => game.forfeit(loser, Forfeit::Time),
            "resignation" => game.forfeit(loser, Forfeit::Resignation),
            "agreement" => self.agree(game),
            _ => Ok(()),
        };
        ended.or_else(|fault| notes.add(Grade::Contradiction, place, fault.to_string(), ""))?;
        if ["time", "resignation"].contains(&termination) && game.status().is_ongoing() {
            let wrong = format!("the result is {result} by {termination}, but others play on");
            let right = "who gave up stands among the plies, such as resigns:1 or late:1";
            notes.add(Grade::Contradiction, place, wrong, right)?;
        }
        Ok(())
    }

    /// Ends a game that was agreed drawn. Most formats do not write offers, so the last ply counts as one where none
    /// stands.
    fn agree(&self, game: &mut dyn AnyGame) -> Result<(), crate::Error> {
        if game.offer().is_none() {
            game.offer_draw()?;
        }
        let offered = game.offer();
        let seats = (0..game.spec().num_seats as u8).filter(|&seat| Some(seat) != offered && !game.is_out(seat));
        seats.collect::<Vec<_>>().into_iter().try_for_each(|seat| game.accept_draw(seat))
    }

    /// The length of the shortest block of plies that the record ends with three times in a row.
    pub(super) fn repeated_block(&self) -> Option<usize> {
        let plies = &self.plies;
        (1..=plies.len() / 3).find(|&n| {
            let last = &plies[plies.len() - 3 * n..];
            last[..2 * n] == last[n..]
        })
    }
}

/// The position after a ply that is not known: the other seat is to move, nothing else is different. `None` before
/// the colours are bound, because then it would have bound them.
pub(super) fn passed(position: &str) -> Option<String> {
    let fields: Vec<&str> = position.split(' ').collect();
    let &[rows, seat, colour, bag, quiet, ply, ..] = &fields[..] else { return None };
    let seat = if seat == "0" { 1 } else { 0 };
    let ply: u32 = ply.parse().ok()?;
    // The optional fields fall away: what was repeated or chased does not go on over a ply that is not known.
    (colour != "-").then(|| format!("{rows} {seat} {colour} {bag} {quiet} {}", ply + 1))
}

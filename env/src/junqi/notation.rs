//! Text forms of actions and outcomes; `text` reads and writes views and states.

use super::piece::{Fight, Kind};
use super::signal::{PREFIX, SIGNALS, Signal};
use super::view::{Out, Outcome};
use super::{Junqi, NOWHERE, Station};
use crate::Error;
use crate::game::{Action, Seat};

/// What stands before the ranks of a combat, which not every seat is shown.
const RANKS: &str = "+ranks:";

impl Junqi {
    /// A ply as it looks to a seat that is not shown the rank that it places, or the ranks of its combat; none for a
    /// signal, which a seat hears or does not notice.
    pub(super) fn blurred_ply(action: &str, outcome: Option<&str>) -> Option<(String, Option<String>)> {
        if action.starts_with(PREFIX) {
            return None;
        }
        let action = if action.starts_with('=') { "=?" } else { action };
        let outcome = outcome.map(|outcome| outcome.split(RANKS).next().unwrap_or_default().into());
        Some((action.into(), outcome))
    }

    /// `S15-E11` for a move, `=F` for placing a flag on the next station in a set-up, `signal:37+` for a signal.
    pub(super) fn name_of(&self, action: Action) -> String {
        if let Some(signal) = self.signal(action) {
            return format!("{PREFIX}{}", signal.name());
        }
        match (self.ends(action), self.places(action)) {
            (Some((from, to)), _) => format!("{}-{}", self.station_name(from), self.station_name(to)),
            (None, Some(kind)) => format!("={}", kind.letter()),
            (None, None) => format!("?{action}"),
        }
    }

    /// A station's name.
    pub fn station_name(&self, station: Station) -> &str {
        self.board.graph.spots.get(usize::from(station)).map_or("-", |spot| &spot.name)
    }

    /// Reads a move as `S15-E11` or `S15xE11`, a placement as `=F` and a signal as `signal:37+`.
    pub(super) fn parse_action(&self, name: &str) -> Result<Action, Error> {
        let fault = |message: &str| Error::Action(format!("'{name}': {message}"));
        if let Some(letter) = name.strip_prefix('=') {
            let first = self.board.placements.ok_or_else(|| fault("pieces are placed with setup=play only"))?;
            let kind = letter.chars().next().filter(|_| letter.chars().count() == 1).and_then(Kind::of_letter);
            let known: String = Kind::ALL.map(Kind::letter).iter().collect();
            return kind
                .map(|kind| first + kind as Action)
                .ok_or_else(|| fault(&format!("expected = and one of {known}")));
        }
        if let Some(name) = name.strip_prefix(PREFIX) {
            let known = || SIGNALS.map(|(name, ..)| name).join(" ");
            let signal = Signal::of_name(name).ok_or_else(|| fault(&format!("expected one of {}", known())))?;
            return self.signal_action(signal).ok_or_else(|| fault("signals are given with signals=yes only"));
        }
        let ends = name.split_once(['-', 'x']).ok_or_else(|| fault("expected two stations, such as S15-E11"))?;
        let station = |text: &str| {
            self.board
                .graph
                .station(text.trim())
                .ok_or_else(|| fault(&format!("there is no station '{}'", text.trim())))
        };
        let (from, to) = (station(ends.0)?, station(ends.1)?);
        self.board.number_of(from, to).ok_or_else(|| fault("no piece can go from there to there"))
    }

    /// `moved`, `won`, `lost` or `both`, then what else was shown: `both+flag:S62+out:E:no-moves+ranks:B0`. Where nobody
    /// was attacked, what else was shown stands alone: `out:E:no-moves`.
    pub(super) fn outcome_text(&self, outcome: &Outcome) -> String {
        let mut text = String::from(match outcome.fight {
            Fight::Moved => "moved",
            Fight::Won => "won",
            Fight::Lost => "lost",
            Fight::Both => "both",
        });
        let plain = text.len();
        for &station in outcome.flags.iter().filter(|&&station| station != NOWHERE) {
            text += &format!("+flag:{}", self.station_name(station));
        }
        for seat in 0..self.seats() {
            if let Some(why) = outcome.outs[usize::from(seat)] {
                text += &format!("+out:{}:{}", self.seat_letter(seat), why.name());
            }
        }
        if let Some([attacker, defender]) = outcome.ranks {
            text += &format!("{RANKS}{}{}", attacker.letter(), defender.letter());
        }
        // Where nobody was attacked, what else was shown says enough.
        if outcome.fight == Fight::Moved && text.len() > plain { text.split_off(plain + 1) } else { text }
    }

    /// Reads an outcome; nothing at all is a plain move.
    pub(super) fn parse_outcome(&self, name: &str) -> Result<Outcome, Error> {
        let fault = |message: &str| Error::Outcome(format!("outcome '{name}': {message}"));
        let mut outcome = Outcome::MOVED;
        let mut parts = name.split('+').peekable();
        let fight = match parts.peek().copied().unwrap_or_default() {
            "" | "moved" => Some(Fight::Moved),
            "won" => Some(Fight::Won),
            "lost" => Some(Fight::Lost),
            "both" => Some(Fight::Both),
            other if other.contains(':') => None,
            _ => return Err(fault("expected moved, won, lost or both first")),
        };
        if let Some(fight) = fight {
            outcome.fight = fight;
            parts.next();
        }
        for part in parts {
            let (key, value) = part.split_once(':').unwrap_or((part, ""));
            match key {
                "flag" => {
                    let station = self.board.graph.station(value);
                    let owner = station.and_then(|station| self.owner_of_headquarters(station));
                    let (Some(station), Some(owner)) = (station, owner) else {
                        return Err(fault("a flag stands in a headquarters, such as flag:S62"));
                    };
                    outcome.flags[usize::from(owner)] = station;
                }
                "out" => {
                    let (seat, why) = value.split_once(':').unwrap_or((value, ""));
                    let seat = seat.chars().next().and_then(|letter| self.seat_of_letter(letter));
                    let why = Out::ALL.into_iter().find(|known| known.name() == why);
                    let (Some(seat), Some(why)) = (seat, why) else {
                        return Err(fault("expected a seat and why it is out, such as out:E:flag"));
                    };
                    outcome.outs[usize::from(seat)] = Some(why);
                }
                "ranks" => {
                    let kinds: Option<Vec<Kind>> = value.chars().map(Kind::of_letter).collect();
                    let Some([attacker, defender]) = kinds.as_deref() else {
                        return Err(fault("expected two letters of ranks, such as ranks:B0"));
                    };
                    outcome.ranks = Some([*attacker, *defender]);
                }
                _ => return Err(fault("known parts are flag, out and ranks")),
            }
        }
        Ok(outcome)
    }

    /// The seat whose headquarters a station is.
    fn owner_of_headquarters(&self, station: Station) -> Option<Seat> {
        let is_one = self.board.headquarters[usize::from(station)];
        (0..self.seats()).find(|&seat| is_one && self.board.homes[usize::from(seat)].contains(&station))
    }
}

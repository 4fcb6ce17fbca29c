//! A match: the best of 3, 5, 7 or 9 games between two players, as Tomb Chess has it.
//!
//! A won game is a point; a drawn one counts for nobody and is replayed with a new deal and the same first player.
//! The first player of the match (red) moves first in its odd games, the other (green) in the even ones; in the
//! deciding game it is the winner of the game before.

use crate::Error;
use crate::any::AnyRules;
use crate::darkchess::rules::Family;
use crate::record::{Defect, Grade, Record};

/// How many games a match may have.
pub const LENGTHS: [u32; 4] = [3, 5, 7, 9];

/// A match so far. Players are 0 (red) and 1 (green).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Match {
    best_of: u32,
    winners: Vec<usize>,
}

impl Match {
    /// A match of the best of so many games.
    ///
    /// # Errors
    /// Another number than 3, 5, 7 or 9.
    pub fn new(best_of: u32) -> Result<Match, Error> {
        if !LENGTHS.contains(&best_of) {
            return Err(Error::Rules(format!("a match is the best of 3, 5, 7 or 9 games, not of {best_of}")));
        }
        Ok(Match { best_of, winners: Vec::new() })
    }

    /// Points of each player.
    pub fn points(&self) -> [u32; 2] {
        [0, 1].map(|player| self.winners.iter().filter(|&&winner| winner == player).count() as u32)
    }

    /// Who has won the match.
    pub fn winner(&self) -> Option<usize> {
        (0..2).find(|&player| self.points()[player] > self.best_of / 2)
    }

    /// Number of the game to be played next, from 1; a game to be replayed keeps its number.
    pub fn number(&self) -> u32 {
        self.winners.len() as u32 + 1
    }

    /// The player who moves first in the next game.
    pub fn first(&self) -> usize {
        match self.winners.last() {
            Some(&winner) if self.number() == self.best_of => winner,
            _ => self.winners.len() % 2,
        }
    }

    /// Counts a game: who won it, or nobody.
    pub fn add(&mut self, winner: Option<usize>) {
        self.winners.extend(winner);
    }

    /// The rules of the next game: those of the match with the right first player. Seat 0 moves first.
    ///
    /// # Errors
    /// Rules that know no matches.
    pub fn rules(&self, rules: &AnyRules) -> Result<AnyRules, Error> {
        let tomb = matches!(rules, AnyRules::DarkChess(game) if game.rules().family == Family::TombChess);
        if !tomb {
            let name = &rules.spec().name;
            return Err(Error::Rules(format!("{name} has no matches of several games: those are of tombchess")));
        }
        let first = ["red", "green"][self.first()];
        let name = &rules.spec().name;
        let joint = if name.contains(':') { ',' } else { ':' };
        AnyRules::parse(&format!("{name}{joint}first={first}"))
    }

    /// Writes into a game's record where in the match it stands.
    pub fn write(&self, record: &mut Record) {
        let [red, green] = self.points();
        record.set("BestOf", self.best_of.to_string());
        record.set("MatchGame", self.number().to_string());
        record.set("MatchPoints", format!("{red}-{green}"));
    }

    /// Holds a game's record against the match so far and counts it.
    ///
    /// # Errors
    /// What is wrong, one defect for each header.
    pub fn check(&mut self, record: &Record) -> Vec<Defect> {
        let mut defects = Vec::new();
        let mut wrong = |wrong: String, right: String| {
            let line = record.line();
            defects.push(Defect { line, ply: None, grade: Grade::Contradiction, wrong, right });
        };
        let mut expected = Record::empty();
        self.write(&mut expected);
        for (key, ours) in &expected.headers {
            match record.header(key) {
                Some(theirs) if theirs == ours => {}
                Some(theirs) => wrong(format!("header {key} is {theirs}"), format!("the games before make it {ours}")),
                None => wrong(format!("header {key} is missing"), format!("the games before make it {ours}")),
            }
        }
        if self.winner().is_some() {
            wrong("the match is decided before this game".into(), String::new());
        }
        let first = record.header("Rules").and_then(|name| AnyRules::parse(name).ok()).map(|rules| first_of(&rules));
        if let Some(first) = first.filter(|&first| first != self.first()) {
            let [red, green] = ["red", "green"];
            let (theirs, ours) = if first == 0 { (red, green) } else { (green, red) };
            wrong(format!("{theirs} moves first"), format!("in this game of the match it is {ours}"));
        }
        // Seat 0 is whoever moves first.
        let first = first.unwrap_or(self.first());
        match record.header("Result") {
            Some("1-0") => self.add(Some(first)),
            Some("0-1") => self.add(Some(1 - first)),
            _ => {}
        }
        defects
    }

    /// The match that a record says it belongs to.
    ///
    /// # Errors
    /// A header BestOf that is no length of a match.
    pub fn of(record: &Record) -> Result<Option<Match>, Error> {
        let Some(text) = record.header("BestOf") else { return Ok(None) };
        let fault = || Error::Record {
            line: record.line(),
            ply: None,
            message: format!("header BestOf is '{text}': expected 3, 5, 7 or 9"),
        };
        text.parse().ok().and_then(|n| Match::new(n).ok()).map(Some).ok_or_else(fault)
    }
}

/// The player who moves first under these rules.
fn first_of(rules: &AnyRules) -> usize {
    let black = crate::darkchess::piece::Colour::Black;
    usize::from(matches!(rules, AnyRules::DarkChess(game) if game.rules().first == black))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who moves first in each game when these players win them.
    fn firsts(best_of: u32, winners: &[Option<usize>]) -> (Vec<usize>, Option<usize>) {
        let mut games = Match::new(best_of).unwrap();
        let firsts = winners.iter().map(|&winner| {
            let first = games.first();
            games.add(winner);
            first
        });
        (firsts.collect(), games.winner())
    }

    #[test]
    fn the_first_seat_goes_by_turns_and_by_the_winner_in_the_deciding_game() {
        let (red, green, draw) = (Some(0), Some(1), None);
        assert_eq!(firsts(3, &[red, red]), (vec![0, 1], Some(0)));
        // The third game decides: its first player is the winner of the second.
        assert_eq!(firsts(3, &[red, green, green]), (vec![0, 1, 1], Some(1)));
        assert_eq!(firsts(3, &[green, red, red]), (vec![0, 1, 0], Some(0)));
        // A drawn game is replayed, the deciding one, too.
        assert_eq!(firsts(3, &[draw, red, draw, green, draw, red]), (vec![0, 0, 1, 1, 1, 1], Some(0)));
        assert_eq!(firsts(5, &[green, red, green, red, green]), (vec![0, 1, 0, 1, 0], Some(1)));
        assert_eq!(firsts(7, &[red, red, green, green, red]), (vec![0, 1, 0, 1, 0], None));
    }

    #[test]
    fn only_odd_lengths_and_tomb_chess() {
        assert!(Match::new(4).unwrap_err().to_string().contains("3, 5, 7 or 9"));
        let games = Match::new(3).unwrap();
        let fault = games.rules(&AnyRules::parse("darkchess").unwrap()).map(|_| ()).unwrap_err();
        assert!(fault.to_string().contains("of tombchess"), "{fault}");
        let mut games = games;
        for (winner, name) in [(None, "red"), (Some(1), "red"), (Some(0), "green")] {
            let rules = games.rules(&AnyRules::parse("tombchess:quiet_limit=30").unwrap()).unwrap();
            assert_eq!(first_of(&rules), usize::from(name == "green"), "{}", rules.spec().name);
            assert!(rules.spec().name.contains("quiet_limit=30"));
            games.add(winner);
        }
    }

    #[test]
    fn a_record_says_where_in_the_match_it_stands() {
        let rules = AnyRules::parse("tombchess").unwrap();
        let mut games = Match::new(3).unwrap();
        let mut checked = Match::new(3).unwrap();
        for winner in [1, 0, 0] {
            let now = games.rules(&rules).unwrap();
            let mut game = now.start(1);
            game.step(0).unwrap();
            let loser = u8::from(winner == games.first());
            game.forfeit(loser, crate::any::Forfeit::Resignation).unwrap();
            let mut record = game.record();
            games.write(&mut record);
            let record = Record::parse(&record.to_string()).unwrap();
            assert_eq!(Match::of(&record).unwrap(), Some(Match::new(3).unwrap()));
            assert_eq!(checked.clone().check(&record), vec![]);
            let mut wrong = record.clone();
            wrong.set("MatchPoints", "2-2");
            wrong.set("Rules", format!("tombchess:first={}", ["green", "red"][games.first()]));
            let faults: Vec<String> = checked.clone().check(&wrong).iter().map(ToString::to_string).collect();
            assert_eq!(faults.len(), 2, "{faults:?}");
            assert!(faults[0].contains("MatchPoints is 2-2") && faults[1].contains("moves first"), "{faults:?}");
            checked.check(&record);
            games.add(Some(winner));
            assert_eq!(checked, games);
        }
        assert_eq!(games.winner(), Some(0));
    }
}

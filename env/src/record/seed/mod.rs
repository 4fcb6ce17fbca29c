//! The source's own records: rows 甲乙丙丁, columns 1-8, the pieces' characters.
//!
//! `○仕甲3` turns up, `相-丙5` steps, `相x卒丙5` captures, `包﹋兵丁8` jumps over a screen. A ply names the piece and
//! where it goes, not where it stands: the rules find that, so a record is read by playing it. Where two like
//! pieces can go there, the plies behind it decide, as far as they do.
//!
//! What stands before the first round is no part of the game. The result is taken from the words behind the last
//! ply (投降 resigns, 超時 on time, 和 agreed), of the same paragraph.

mod lex;
mod origin;

use super::defect::{Grade, Notes, Stop};
use super::tcga::short;
use super::{Record, check, won_by};
use crate::darkchess::{Colour, DarkChess, Position};
use crate::game::{Action, Game as _};
use lex::{Text, Written};
use origin::Meaning;

/// How many plies behind an unclear one are tried.
const LOOK_AHEAD: usize = 80;

/// The line of the first flip in a text of this format.
pub(super) fn mark(text: &str) -> Option<usize> {
    lex::beginning(text).map(|at| text[..at].matches('\n').count() + 1)
}

pub(super) fn read(text: &str, game: &DarkChess, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let text = lex::read(text).filter(|text| !text.plies.is_empty());
    let Some(text) = text else {
        return Err(notes.unreadable((1, None), "no flip such as ○仕甲3", ""));
    };
    let mut walk = Walk { position: game.start(), plies: 0, round: 0, extra: false };
    for i in 0..text.plies.len() {
        let reader = Reader { game, written: &text.plies, at: i };
        reader.numbering(&mut walk, record, notes)?;
        reader.form(&walk, notes)?;
        reader.play(&mut walk, record, notes)?;
    }
    record.result_line = text.after_line;
    result(&text, &walk, record, notes)
}

/// The game as far as it was read.
#[derive(Clone)]
struct Walk {
    position: Position,
    plies: usize,
    /// The last round's number.
    round: usize,
    /// Whether plies without a round's number were named already.
    extra: bool,
}

impl Walk {
    /// Lets the turn pass over a ply that is not known. `false` where that cannot be.
    fn pass(&mut self, game: &DarkChess) -> bool {
        self.plies += 1;
        let passed = check::passed(&game.view_text(&self.position)).and_then(|text| game.parse_view(&text).ok());
        passed.map(|position| self.position = position).is_some()
    }

    fn play(&mut self, game: &DarkChess, action: Action, written: &Written) {
        let shown = matches!(game.what(action), crate::darkchess::Move::Flip(_)).then_some(written.piece);
        game.play_with(&mut self.position, action, shown);
        self.plies += 1;
    }
}

/// One ply of the text, with those around it.
struct Reader<'a> {
    game: &'a DarkChess,
    written: &'a [Written],
    at: usize,
}

impl Reader<'_> {
    fn ply(&self) -> &Written {
        &self.written[self.at]
    }

    /// Holds the round's number against the plies so far.
    fn numbering(&self, walk: &mut Walk, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
        let ply = self.ply();
        let place = (ply.line, Some(walk.plies + 1));
        let Some((round, dotted)) = ply.round else {
            if walk.plies.is_multiple_of(2) && !walk.extra {
                walk.extra = true;
                let wrong = format!("{} has no round number, but round {} is complete", ply.text, walk.round);
                notes.mended(place, wrong, "read as the plies that follow")?;
            }
            return Ok(());
        };
        walk.extra = false;
        if !walk.plies.is_multiple_of(2) {
            let wrong = format!("round {} has no second ply", walk.round);
            notes.add(Grade::Missing, place, wrong, "the turn passes, the board stays as it was")?;
            record.push_unknown(ply.line);
            if !walk.pass(self.game) {
                let wrong = "nothing can be played behind a first ply that is not known";
                return Err(notes.unreadable(place, wrong, ""));
            }
        }
        let place = (ply.line, Some(walk.plies + 1));
        let due = walk.round + 1;
        if round > due {
            let absent =
                if round == due + 1 { format!("round {due} is") } else { format!("rounds {due}-{} are", round - 1) };
            notes.mended(place, format!("{absent} absent"), "the game goes on without a gap")?;
        } else if round < due {
            notes.mended(
                place,
                format!("round {round} follows round {}", walk.round),
                format!("read as round {due}"),
            )?;
        }
        if !dotted {
            notes.mended(place, format!("round {round} lacks the dot behind its number"), "")?;
        }
        walk.round = round.max(due);
        Ok(())
    }

    /// Names prose and spaces.
    fn form(&self, walk: &Walk, notes: &mut Notes) -> Result<(), Stop> {
        let (ply, named) = (self.ply(), self.named(walk));
        let place = (ply.line, Some(walk.plies + 1));
        if let Some(prose) = &ply.before {
            notes.mended(place, format!("{named}: stray prose before it: '{}'", short(prose)), "left out")?;
        }
        if let Some(prose) = &ply.inside {
            notes.mended(place, format!("{named}: stray prose inside it: '{}'", short(prose)), "left out")?;
        }
        if ply.spaced {
            notes.mended(place, format!("{named}: a space inside it"), "left out")?;
        }
        Ok(())
    }

    /// The ply with its round, for messages.
    fn named(&self, walk: &Walk) -> String {
        format!("round {}, {}", walk.round, self.ply().text)
    }

    /// Plays the ply as it is understood.
    fn play(&self, walk: &mut Walk, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
        let (ply, named) = (self.ply(), self.named(walk));
        let place = (ply.line, Some(walk.plies + 1));
        let action = match self.meaning(&walk.position) {
            Meaning::Clear(action) => action,
            Meaning::Mended(action, wrong) => {
                let right = format!("understood as {}", self.game.action_name(action));
                notes.mended(place, format!("{named}: {wrong}"), right)?;
                action
            }
            Meaning::Several(actions, wrong) => {
                let (action, why) = self.choose(walk, &actions);
                let names: Vec<String> = actions.iter().map(|&action| self.game.action_name(action)).collect();
                let wrong = wrong.map_or(String::new(), |wrong| format!("{wrong}; "));
                let wrong = format!("{named}: {wrong}ambiguous, {} fit", names.join(" and "));
                notes.mended(place, wrong, format!("understood as {}: {why}", self.game.action_name(action)))?;
                action
            }
            Meaning::Twice => {
                let wrong = format!("{named}: written twice, it was played in the round before");
                let right = "the ply that was played is missing; the turn passes, the board stays as it was";
                notes.add(Grade::Missing, place, wrong, right)?;
                record.push_unknown(ply.line);
                walk.pass(self.game);
                return Ok(());
            }
            Meaning::None(why) => {
                return notes.add(Grade::Illegal, place, format!("{named}: {why}"), "");
            }
        };
        let shown =
            matches!(self.game.what(action), crate::darkchess::Move::Flip(_)).then(|| ply.piece.letter().into());
        record.push(self.game.action_name(action), shown, ply.line);
        walk.play(self.game, action, ply);
        Ok(())
    }

    /// Chooses the reading after which most of the plies behind can be played, and tells why.
    fn choose(&self, walk: &Walk, actions: &[Action]) -> (Action, String) {
        let reaches: Vec<usize> = actions.iter().map(|&action| self.reach(walk, action)).collect();
        let best = reaches.iter().copied().max().unwrap_or(0);
        let at = reaches.iter().position(|&reach| reach == best).unwrap_or(0);
        let why = match reaches.iter().filter(|&&reach| reach < best).max() {
            Some(&second) if reaches.iter().filter(|&&reach| reach == best).count() == 1 => {
                let fails = &self.written[(self.at + 1 + second).min(self.written.len() - 1)];
                format!("otherwise {} on line {} cannot be played", fails.text, fails.line)
            }
            _ => "the plies behind it do not decide, the first was taken".into(),
        };
        (actions[at], why)
    }

    /// How many plies behind this one can be played when it is read as an action.
    fn reach(&self, walk: &Walk, action: Action) -> usize {
        let mut walk = walk.clone();
        walk.play(self.game, action, self.ply());
        let ahead = (self.at + 1..self.written.len()).take(LOOK_AHEAD);
        for (reached, at) in ahead.enumerate() {
            let reader = Reader { game: self.game, written: self.written, at };
            if reader.ply().round.is_some() && !walk.plies.is_multiple_of(2) && !walk.pass(self.game) {
                return reached;
            }
            match reader.meaning(&walk.position) {
                Meaning::Clear(action) | Meaning::Mended(action, _) => walk.play(self.game, action, reader.ply()),
                Meaning::Several(actions, _) => walk.play(self.game, actions[0], reader.ply()),
                Meaning::Twice if walk.pass(self.game) => {}
                Meaning::Twice | Meaning::None(_) => return reached,
            }
        }
        LOOK_AHEAD
    }
}

/// Takes the result from the words behind the last ply.
fn result(text: &Text, walk: &Walk, record: &mut Record, notes: &mut Notes) -> Result<(), Stop> {
    let words = &text.after;
    let after = |known: &[&str]| known.iter().filter_map(|word| words.find(word)).min();
    // The side named last before the word is the one that it speaks of.
    let side = |at: usize| {
        let before = &words[..at];
        match (before.rfind('紅'), before.rfind(['黑', '白'])) {
            (None, None) => None,
            (red, black) => Some(if red > black { Colour::Red } else { Colour::Black }),
        }
    };
    let seat_of = |colour| (0..2u8).find(|&seat| walk.position.colour_of(seat) == Some(colour));
    let lost = [(after(&["投降", "認輸"]), "resignation"), (after(&["超時", "逾時"]), "time")];
    let lost = lost.into_iter().find_map(|(at, how)| Some((at?, how)));
    let (result, termination) = if let Some((at, how)) = lost {
        match side(at).and_then(seat_of) {
            Some(seat) => (won_by(seat ^ 1), how),
            None => {
                let place = (text.after_line, None);
                let wrong = format!("the words behind the last ply do not tell who lost: '{}'", short(words.trim()));
                notes.mended(place, wrong, "the result is left open")?;
                ("*", "unfinished")
            }
        }
    } else if after(&["和棋", "作和", "判和", "和局"]).is_some() {
        ("1/2-1/2", "agreement")
    } else if !walk.position.status().is_ongoing() {
        super::result_of(walk.position.status())
    } else {
        ("*", "unfinished")
    };
    record.set("Result", result);
    record.set("Termination", termination);
    Ok(())
}

//! Answers in UCI, as far as Misty has it: `uci`, `isready`, `ucinewgame`, `position`, `go`, `quit`.
//!
//! Limits behind `go` are read over: an agent has its own, in its name. What cannot be understood is answered
//! `info string error: ..`; after a position that cannot be read, `go` is answered `bestmove (none)`.

use anqi_env::darkchess::Position;
use anqi_env::game::Game as _;
use anqi_env::record::misty;

use super::{Answers, Served};
use crate::engine::lines::short;

/// Words of UCI that ask for nothing here.
const PASSED_OVER: [&str; 5] = ["stop", "ponderhit", "debug", "register", "setoption"];

pub(super) struct Session<'a> {
    served: &'a Served,
    position: Result<Position, String>,
    games: u64,
}

impl<'a> Session<'a> {
    pub(super) fn new(served: &'a Served) -> Session<'a> {
        Session { served, position: Ok(served.game.start()), games: 0 }
    }

    /// What stands behind `position`.
    fn position(&self, text: &str) -> Result<Position, String> {
        let game = &self.served.game;
        let (base, moves) = match text.split_once("moves") {
            Some((base, moves)) => (base.trim(), moves),
            None => (text, ""),
        };
        let mut position = match (base, base.strip_prefix("fen ")) {
            ("startpos", _) => game.start(),
            (_, Some(fen)) => {
                let text = misty::position(fen).map_err(|fault| fault.to_string())?;
                game.parse_view(&text).map_err(|fault| fault.to_string())?
            }
            _ => {
                let right = "startpos or fen <board> <turn> <pool> <clock> <move number>, then moves ..";
                return Err(format!("position '{}': expected {right}", short(text)));
            }
        };
        for name in moves.split_whitespace() {
            let wrong = |why: &str| Err(format!("move '{}' {why}", short(name)));
            let Some(action) = misty::action(game, name) else {
                return wrong("names no move: expected four characters such as a4a3");
            };
            if !game.is_legal(&position, action) {
                return wrong("is not legal");
            }
            if !game.chance_outcomes(&position, action).is_empty() {
                return wrong("is a flip, which does not say what it showed: expected the position after it");
            }
            game.play_with(&mut position, action, None);
        }
        Ok(position)
    }

    fn go(&self) -> String {
        let chosen = self.position.as_ref().map_err(Clone::clone);
        match chosen.and_then(|position| self.served.choose(position, self.games)) {
            Ok(action) => format!("bestmove {}", misty::action_name(&self.served.game, action)),
            Err(fault) => format!("{}\nbestmove (none)", error(&fault)),
        }
    }
}

fn error(fault: &str) -> String {
    format!("info string error: {}", fault.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Answers for Session<'_> {
    fn answer(&mut self, line: &str) -> Option<String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Some(match word {
            "" => String::new(),
            "uci" => format!(
                "id name anqi {} {}\nid author the authors of anqi\nuciok",
                env!("CARGO_PKG_VERSION"),
                self.served.name
            ),
            "isready" => "readyok".into(),
            "ucinewgame" => {
                self.games += 1;
                self.position = Ok(self.served.game.start());
                String::new()
            }
            "position" => {
                self.position = self.position(rest.trim());
                self.position.as_ref().err().map(|fault| error(fault)).unwrap_or_default()
            }
            "go" => self.go(),
            "quit" => return None,
            _ if PASSED_OVER.contains(&word) => String::new(),
            _ => error(&format!(
                "unknown command '{}': known are uci, isready, ucinewgame, position, go, quit",
                short(word)
            )),
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Protocol;
    use crate::engine::serve::tests::talk;

    #[test]
    fn it_introduces_itself_and_moves() {
        let told = talk(
            Protocol::Uci,
            "uci\nisready\nucinewgame\n\
             position fen G7/7s/8/c1R1s3 r - 3 20\ngo movetime 100\nquit\nuci\n",
        );
        let lines: Vec<&str> = told.lines().collect();
        assert!(lines[0].starts_with("id name anqi ") && lines[0].ends_with(" greedy"), "{told}");
        // The chariot on c1 takes nothing that is not next to it; nobody can take anything.
        assert_eq!(lines[2..4], ["uciok", "readyok"]);
        assert!(lines[4].starts_with("bestmove ") && lines.len() == 5, "{told}");
        // Next to the cannon it takes it: c3 and c2 of ours.
        let told = talk(Protocol::Uci, "position fen G7/8/1cR1s3/8 r - 0 20\ngo\n");
        assert_eq!(told, "bestmove c2b2\n");
        // The moves are played first: after them it is black's turn, and nothing but the cannon can move.
        let told = talk(Protocol::Uci, "position fen G7/8/2R5/c7 r - 0 20 moves a4a3\ngo\n");
        assert!(["bestmove a1a2\n", "bestmove a1b1\n"].contains(&told.as_str()), "{told}");
    }

    #[test]
    fn it_flips() {
        let start = "position fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1\ngo\n";
        let told = talk(Protocol::Uci, start);
        let square = told.strip_prefix("bestmove ").unwrap().trim();
        assert!(square.len() == 4 && square[..2] == square[2..], "{told}");
        // The same position has the same answer.
        assert_eq!(talk(Protocol::Uci, &format!("go\n{start}position startpos\ngo nodes 5\n")), told.repeat(3));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (said, told) in [
            ("hello\n", "info string error: unknown command 'hello': known are uci, "),
            ("position\n", "info string error: position '': expected startpos or fen "),
            ("position fen 8/8/8/8 r - 0\n", "info string error: "),
            ("position fen G7/8/8/7s r - 0 9 moves a4a4\n", "info string error: move 'a4a4' is not legal"),
            ("position fen G7/8/8/7s r - 0 9 moves a4\n", "info string error: move 'a4' names no move"),
            ("position startpos moves a1a1\n", "info string error: move 'a1a1' is a flip, which does not say"),
        ] {
            let answer = talk(Protocol::Uci, said);
            assert!(answer.starts_with(told) && answer.lines().count() == 1, "{said}: {answer}");
        }
        // What was there before is not played on.
        let answer = talk(Protocol::Uci, "position startpos\nposition fen ?\ngo\nisready\n");
        assert!(answer.ends_with("bestmove (none)\nreadyok\n"), "{answer}");
        let over = talk(Protocol::Uci, "position fen G7/8/8/8 r - 3 20\ngo\n");
        assert!(over.contains("the game is over\nbestmove (none)"), "{over}");
    }
}

//! Answers in the tournaments' protocol of numbered commands.
//!
//! The number says which command it is; a name beside it must agree. What ends a game is a matter of our rules: numbers of
//! repetitions and moves, and clocks, are heard and read over.

use anqi_env::darkchess::{Colour, DarkChess, Move, Piece, Position};
use anqi_env::game::Game as _;

use super::{Answers, Served};
use crate::engine::dctp::{
    BOARDSIZE, COMMANDS, FLIP, GENMOVE, INIT_BOARD, KNOWN_COMMAND, LIST_COMMANDS, MOVE, NAME, PROTOCOL_VERSION, QUIT,
    RESET_BOARD, SHOWBOARD, VERSION, colour_name, squares,
};
use crate::engine::lines::short;

/// The answer after which it leaves.
pub(super) const GOODBYE: &str = "=5";

pub(super) struct Session<'a> {
    served: &'a Served,
    position: Position,
    /// Whether it is known whose turn it is: a board that was set up does not say so.
    turn_known: bool,
    games: u64,
}

impl<'a> Session<'a> {
    pub(super) fn new(served: &'a Served) -> Session<'a> {
        Session { served, position: served.game.start(), turn_known: true, games: 0 }
    }

    /// The answer to a command: the text behind `=` or behind `?`.
    fn command(&mut self, number: usize, arguments: &[&str]) -> Result<String, String> {
        let game = &self.served.game;
        Ok(match number {
            PROTOCOL_VERSION => "1.1.0".into(),
            NAME => format!("anqi {}", self.served.name),
            VERSION => env!("CARGO_PKG_VERSION").into(),
            KNOWN_COMMAND => COMMANDS.contains(arguments.first().unwrap_or(&"")).to_string(),
            LIST_COMMANDS => COMMANDS.join("\n"),
            BOARDSIZE if !matches!(arguments, ["4", "8"] | ["8", "4"]) => return Err("the board is 4 x 8".into()),
            RESET_BOARD => {
                (self.position, self.turn_known) = (game.start(), true);
                self.games += 1;
                String::new()
            }
            MOVE => self.play(arguments, "two squares such as a4 a5")?,
            FLIP => self.play(arguments, "a square and the letter of its piece, such as b3 n")?,
            GENMOVE => self.genmove(arguments)?,
            SHOWBOARD => game.view_text(&self.position),
            INIT_BOARD => {
                self.position = set_up(game, arguments)?;
                self.turn_known = false;
                self.games += 1;
                String::new()
            }
            _ => String::new(),
        })
    }

    /// `move a4 a5` or `flip b3 n`, of either side.
    fn play(&mut self, arguments: &[&str], expected: &str) -> Result<String, String> {
        let game = &self.served.game;
        let wrong = || format!("'{}': expected {expected}", short(&arguments.join(" ")));
        let &[from, to] = arguments else { return Err(wrong()) };
        let flip = game.outcome_id(to).ok();
        let name = if flip.is_some() { from.into() } else { format!("{from}-{to}") };
        let action = game.action_id(&name).map_err(|_| wrong())?;
        let flips = matches!(game.what(action), Move::Flip(_));
        if flips != flip.is_some() || flips != expected.starts_with("a square") {
            return Err(wrong());
        }
        if let (Move::Step(from, _), false) = (game.what(action), self.turn_known)
            && let anqi_env::darkchess::Cell::Up(piece) = self.position.cell(from)
        {
            self.give_turn(piece.colour());
        }
        if !game.is_legal(&self.position, action) {
            let turn = colour_name(self.position.colour_of(self.position.to_move()));
            return Err(format!("{} is not legal; it is the turn of {turn}", game.action_name(action)));
        }
        let possible = game.chance_outcomes(&self.position, action);
        if let Some(piece) = flip.filter(|&shown| !possible.iter().any(|&(piece, _)| piece == shown)) {
            return Err(format!("{}: no {} lies face down any more", game.action_name(action), piece.letter()));
        }
        game.play_with(&mut self.position, action, flip);
        Ok(String::new())
    }

    fn genmove(&mut self, arguments: &[&str]) -> Result<String, String> {
        let colour = match arguments {
            ["red"] => Some(Colour::Red),
            ["black"] => Some(Colour::Black),
            ["unknown"] => None,
            _ => return Err(format!("'{}': expected red, black or unknown", short(&arguments.join(" ")))),
        };
        if let (Some(colour), false) = (colour, self.turn_known) {
            self.give_turn(colour);
        }
        let turn = self.position.colour_of(self.position.to_move());
        if colour.is_some() && turn.is_some() && colour != turn {
            return Err(format!("it is the turn of {}", colour_name(turn)));
        }
        let game = &self.served.game;
        let action = self.served.choose(&self.position, self.games)?;
        let name = |square: u8| game.action_name(square.into());
        match game.what(action) {
            Move::Flip(square) => Ok(format!("{0} {0}", name(square))),
            Move::Step(from, to) => Ok(format!("{} {}", name(from), name(to))),
            Move::Stop => Err("the protocol has no stop".into()),
        }
    }

    /// Gives the turn to a colour, in a position that did not say whose it is.
    fn give_turn(&mut self, colour: Colour) {
        self.turn_known = true;
        let turn = self.position.colour_of(self.position.to_move());
        if turn.is_some_and(|turn| turn != colour) {
            let text = self.served.game.view_text(&self.position);
            let mut fields: Vec<&str> = text.split(' ').take(6).collect();
            fields[2] = if fields[2] == "r" { "b" } else { "r" };
            // With the colours of the seats changed, what was right stays right.
            if let Ok(position) = self.served.game.parse_view(&fields.join(" ")) {
                self.position = position;
            }
        }
    }
}

/// A board set up by `init_board`: 32 cells, rank 8 first, then the 14 numbers of unseen pieces, red first. Red is taken to
/// be to move until something tells otherwise.
fn set_up(game: &DarkChess, arguments: &[&str]) -> Result<Position, String> {
    let [cells @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _] = arguments else {
        return Err(format!("expected 32 cells and 14 numbers of unseen pieces, not {} arguments", arguments.len()));
    };
    if cells.len() != 32 {
        return Err(format!("expected 32 cells and 14 numbers of unseen pieces, not {} arguments", arguments.len()));
    }
    let mut board = [""; 32];
    squares().zip(cells).for_each(|(square, cell)| board[usize::from(square)] = cell);
    let cell = |cell: &&str| match *cell {
        "-" => Ok("1".to_string()),
        "X" => Ok("X".into()),
        piece if game.outcome_id(piece).is_ok() => Ok(piece.into()),
        other => Err(format!("cell '{}': expected X, - or a letter of KGMRNCP or kgmrncp", short(other))),
    };
    let cells: Vec<String> = board.iter().map(cell).collect::<Result<_, String>>()?;
    let rows = cells.chunks(8).map(|row| row.concat()).collect::<Vec<_>>().join("/");
    let mut bag = String::new();
    for (piece, number) in Piece::all().zip(&arguments[32..]) {
        match number.parse::<u8>() {
            Ok(0) => {}
            Ok(number) => bag += &format!("{}{number}", piece.letter()),
            Err(_) => return Err(format!("number '{}' of unseen {}", short(number), piece.letter())),
        }
    }
    let bag = if bag.is_empty() { "-" } else { &bag };
    let (colour, ply) = if board.iter().all(|&cell| cell == "X") { ('-', 1) } else { ('r', 3) };
    game.parse_view(&format!("{rows} 0 {colour} {bag} 0 {ply}")).map_err(|fault| fault.to_string())
}

impl Answers for Session<'_> {
    fn answer(&mut self, line: &str) -> Option<String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some(&first) = words.first() else { return Some(String::new()) };
        let Some(number) = first.parse().ok().filter(|&number: &usize| number < COMMANDS.len()) else {
            let last = COMMANDS.len() - 1;
            return Some(format!("? '{}': expected the number of a command, 0 to {last}, and its name", short(line)));
        };
        if number == QUIT {
            return Some(GOODBYE.into());
        }
        // Some judges say time_setting.
        let agrees = |name: &&str| *name == COMMANDS[number] || COMMANDS[number].strip_suffix('s') == Some(*name);
        let answer = match words.get(1) {
            Some(name) if !agrees(name) => {
                Err(format!("command {number} is {}, not '{}'", COMMANDS[number], short(name)))
            }
            _ => self.command(number, words.get(2..).unwrap_or_default()),
        };
        let (sign, text) = match answer {
            Ok(text) => ('=', text),
            Err(text) => ('?', text.split_whitespace().collect::<Vec<_>>().join(" ")),
        };
        Some(format!("{sign}{number} {text}").trim_end().to_string())
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::Protocol;
    use crate::engine::dctp::COMMANDS;
    use crate::engine::serve::tests::talk;

    fn lines(said: &str) -> Vec<String> {
        talk(Protocol::Dctp, said).lines().map(String::from).collect()
    }

    #[test]
    fn a_game_as_a_judge_tells_it() {
        let told = lines(
            "0 protocol_version\n1 name\n3 known_command genmove\n3 known_command undo\n6 boardsize 4 8\n7 reset_board\n\
             8 num_repetition 3\n9 num_moves_to_draw 60\n14 ready\n15 time_setting 900\n16 time_left red 900000\n\
             11 flip b3 K\n11 flip b4 p\n12 genmove red\n17 showboard\n13 game_over red\n5 quit\n1 name\n",
        );
        let expected = "=0 1.1.0|=1 anqi greedy|=3 true|=3 false|=6|=7|=8|=9|=14|=15|=16|=11|=11";
        assert_eq!(told[..13].join("|"), expected);
        // The general does not take the soldier, so something else is played.
        assert!(told[13].starts_with("=12 ") && told[13] != "=12 b3 b4", "{told:?}");
        assert!(told[14].starts_with("=17 XXXXXXXX/XXKpXXXX/XXXXXXXX/XXXXXXXX 0 r "), "{told:?}");
        assert_eq!(told[15..], ["=13", "=5"]);
        assert_eq!(talk(Protocol::Dctp, "4 list_commands\n"), format!("=4 {}\n", COMMANDS.join("\n")));
    }

    /// What it answers is played only when it is told so.
    #[test]
    fn it_waits_for_the_echo() {
        let told = lines("12 genmove unknown\n12 genmove unknown\n17 showboard\n");
        assert!(told[0].starts_with("=12 ") && told[0] == told[1], "{told:?}");
        let (from, to) = told[0][4..].split_once(' ').unwrap();
        assert_eq!(from, to);
        assert!(told[2].starts_with("=17 XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX 0 - "));
    }

    #[test]
    fn a_board_set_up() {
        // a8 has the king, d1 a soldier of the other side, b2 something face down.
        let mut cells = ["-"; 32];
        (cells[0], cells[31], cells[25]) = ("K", "p", "X");
        let board =
            |cells: &[&str]| format!("18 init_board {} 0 0 0 0 0 0 0 1 0 0 0 0 0 0\n17 showboard\n", cells.join(" "));
        let told = lines(&board(&cells));
        assert_eq!(told, ["=18", "=17 7K/1X6/8/p7 0 r k1 0 3"]);
        // Whose turn it is, genmove tells.
        let told = lines(&format!("{}12 genmove black\n17 showboard\n12 genmove red\n", board(&cells)));
        assert!(
            told[2].starts_with("=12 ") && told[3].contains(" 0 b ") && told[4].starts_with("?12 it is"),
            "{told:?}"
        );
        // Or the first move.
        let told = lines(&format!("{}10 move d1 d2\n17 showboard\n", board(&cells)));
        assert_eq!(told[2..], ["=10", "=17 7K/1X6/8/1p6 1 b k1 1 4 last=d1-d2 moves=d1-d2"]);
        assert_eq!(lines(&board(&["X"; 32]))[0], "?18 position, bag: 1 unseen pieces for 32 face-down squares");
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (said, told) in [
            ("hello", "? 'hello': expected the number of a command, 0 to 18, and its name"),
            ("19 undo", "? '19 undo': expected the number of a command"),
            ("10 flip a1 k", "?10 command 10 is move, not 'flip'"),
            ("10 move a1", "?10 'a1': expected two squares such as a4 a5"),
            ("10 move a1 a2", "?10 a1-a2 is not legal; it is the turn of unknown"),
            ("10 move a1 k", "?10 'a1 k': expected two squares such as a4 a5"),
            ("11 flip a1 a2", "?11 'a1 a2': expected a square and the letter of its piece"),
            ("11 flip a9 k", "?11 'a9 k': expected a square and the letter"),
            ("12 genmove", "?12 '': expected red, black or unknown"),
            ("6 boardsize 6 6", "?6 the board is 4 x 8"),
            ("18 init_board X", "?18 expected 32 cells and 14 numbers of unseen pieces, not 1 arguments"),
            ("11 flip a1 K\n11 flip a1 k", "=11\n?11 a1 is not legal; it is the turn of black"),
            ("11 flip a1 K\n11 flip a2 K", "=11\n?11 a2: no K lies face down any more"),
            ("11 flip a1 K\n12 genmove red", "=11\n?12 it is the turn of black"),
        ] {
            let answer = talk(Protocol::Dctp, &format!("{said}\n"));
            assert!(answer.starts_with(told), "{said}: {answer}");
        }
    }
}

//! Talking to an engine in the tournaments' protocol of numbered commands (DCTP, once MGTP).
//!
//! A command is `<number> <name> [arguments]`, its answer `=<number> [text]` or `?<number> [text]` where it failed. The
//! engine keeps the game: it hears every ply, its own ones too, as `10 move a4 a5` or `11 flip b3 n`, and must not play
//! what it answered to `12 genmove red` before that. Squares are ours: files a-d are our rows, ranks 1-8 our columns.

use std::time::{Duration, Instant};

use anqi_env::darkchess::{Cell, Colour, DarkChess, Move, Piece, Position};
use anqi_env::game::{Action, Game as _};

use super::lines::short;
use super::log::{Log, Ply};
use super::options::EngineSpec;
use super::process::Process;
use super::{Dialogue, START};

/// The names of the commands, by number.
pub(super) const COMMANDS: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "reset_board",
    "num_repetition",
    "num_moves_to_draw",
    "move",
    "flip",
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "init_board",
];

pub(super) const PROTOCOL_VERSION: usize = 0;
pub(super) const NAME: usize = 1;
pub(super) const VERSION: usize = 2;
pub(super) const KNOWN_COMMAND: usize = 3;
pub(super) const LIST_COMMANDS: usize = 4;
pub(super) const QUIT: usize = 5;
pub(super) const BOARDSIZE: usize = 6;
pub(super) const RESET_BOARD: usize = 7;
pub(super) const MOVE: usize = 10;
pub(super) const FLIP: usize = 11;
pub(super) const GENMOVE: usize = 12;
pub(super) const READY: usize = 14;
pub(super) const TIME_LEFT: usize = 16;
pub(super) const SHOWBOARD: usize = 17;
pub(super) const INIT_BOARD: usize = 18;

/// What makes an engine leave.
const GOODBYE: &str = "5 quit";

/// How long anything but a move may take.
const ANSWER: Duration = Duration::from_secs(10);

/// A colour's name in the protocol.
pub(super) fn colour_name(colour: Option<Colour>) -> &'static str {
    match colour {
        Some(Colour::Red) => "red",
        Some(Colour::Black) => "black",
        None => "unknown",
    }
}

/// The squares in the order in which `init_board` has them: rank 8 first, each rank from file a.
pub(super) fn squares() -> impl Iterator<Item = u8> {
    (0..8).rev().flat_map(|rank| (0..4).map(move |file| file * 8 + rank))
}

/// The arguments of `init_board`: 32 cells, then how many of each piece are unseen, red first.
fn board(view: &Position) -> String {
    let cell = |square| match view.cell(square) {
        Cell::Empty => "-".to_string(),
        Cell::FaceDown => "X".into(),
        Cell::Up(piece) => piece.letter().into(),
    };
    let unseen = Piece::all().map(|piece| view.unseen(piece).to_string());
    squares().map(cell).chain(unseen).collect::<Vec<_>>().join(" ")
}

/// A DCTP engine.
pub(super) struct Dctp {
    process: Process,
    /// The game it keeps, and how many plies of it it has heard.
    heard: Option<(u64, usize)>,
    clock: Duration,
    patience: Duration,
}

impl Dctp {
    /// Starts an engine and waits until it answers.
    ///
    /// # Errors
    /// A program that cannot be started or does not answer.
    pub(super) fn start(spec: &EngineSpec) -> Result<Dctp, String> {
        let process = Process::start(&spec.path, &spec.arguments(), GOODBYE)?;
        let mut dctp = Dctp { process, heard: None, clock: spec.clock(), patience: spec.patience() };
        // Whether it likes the question does not matter.
        let _ = dctp.command(PROTOCOL_VERSION, "", START)?;
        Ok(dctp)
    }

    /// Gives a command and waits for its answer: the text of a good one, or of a bad one.
    fn command(&mut self, number: usize, arguments: &str, limit: Duration) -> Result<Result<String, String>, String> {
        let said = format!("{number} {} {arguments}", COMMANDS[number]);
        let said = said.trim_end();
        self.process.forget();
        self.process.say(said)?;
        // Engines write other things between: what is no answer to this command is passed over.
        let answer = |line: &str| {
            let (good, rest) = match line.split_at_checked(1)? {
                ("=", rest) => (true, rest),
                ("?", rest) => (false, rest),
                _ => return None,
            };
            let (id, text) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (id.parse() == Ok(number)).then(|| {
                let text = text.trim().to_string();
                if good { Ok(text) } else { Err(text) }
            })
        };
        self.process.wait(&format!("answer to '{}'", short(said)), limit, answer)
    }

    /// Gives a command that must not fail.
    fn must(&mut self, number: usize, arguments: &str) -> Result<String, String> {
        let answer = self.command(number, arguments, ANSWER)?;
        answer.map_err(|text| {
            let said = format!("{number} {} {arguments}", COMMANDS[number]);
            format!("answered '?{number} {}' to '{}'", short(&text), short(said.trim_end()))
        })
    }

    /// Begins a game.
    fn begin(&mut self, game: &DarkChess, log: &Log) -> Result<(), String> {
        self.heard = None;
        self.must(RESET_BOARD, "")?;
        let _ = self.command(READY, "", ANSWER)?;
        if log.begun().plies() != game.start().plies() {
            // Numbers it does not know are no safe thing to say to an engine.
            let known = self.command(KNOWN_COMMAND, COMMANDS[INIT_BOARD], ANSWER)?;
            if !known.is_ok_and(|answer| ["true", "1"].contains(&answer.as_str())) {
                return Err("cannot begin in the middle of a game: it does not know the command init_board".into());
            }
            self.must(INIT_BOARD, &board(log.begun()))?;
        }
        self.heard = Some((log.id(), 0));
        Ok(())
    }

    fn hear(&mut self, game: &DarkChess, (action, shown): Ply) -> Result<(), String> {
        let name = |square: u8| game.action_name(square.into());
        match (game.what(action), shown) {
            (Move::Flip(square), Some(piece)) => {
                self.must(FLIP, &format!("{} {}", name(square), piece.letter())).map(drop)
            }
            (Move::Step(from, to), _) => self.must(MOVE, &format!("{} {}", name(from), name(to))).map(drop),
            (Move::Flip(_) | Move::Stop, _) => Err(format!("cannot be told of {}", game.action_name(action))),
        }
    }
}

impl Dialogue for Dctp {
    fn ask(&mut self, game: &DarkChess, view: &Position, log: &mut Log) -> Result<Action, String> {
        let known = self.heard.filter(|&(id, plies)| id == log.id() && plies <= log.plies().len());
        let heard = match known {
            Some((_, plies)) => plies,
            None => {
                self.begin(game, log)?;
                0
            }
        };
        for (number, &ply) in log.plies().iter().enumerate().skip(heard) {
            self.hear(game, ply)?;
            self.heard = Some((log.id(), number + 1));
        }
        let colour = view.colour_of(view.to_move());
        let left = self.clock.saturating_sub(log.spent);
        for colour in [Colour::Black, Colour::Red].into_iter().filter(|&one| colour.is_none_or(|own| own == one)) {
            let _ = self.command(TIME_LEFT, &format!("{} {}", colour_name(Some(colour)), left.as_millis()), ANSWER)?;
        }
        let started = Instant::now();
        let answer = self.command(GENMOVE, colour_name(colour), self.patience.min(left));
        log.spent += started.elapsed();
        if log.spent >= self.clock {
            return Err(format!("used up its clock of {} s for the game", self.clock.as_secs_f64()));
        }
        let answer = answer?.map_err(|text| format!("answered '?{GENMOVE} {}' to 'genmove'", short(&text)))?;
        let mut squares = answer.split_whitespace();
        let action = match (squares.next(), squares.next(), squares.next()) {
            (Some(from), Some(to), None) if from == to => game.action_id(from).ok(),
            (Some(from), Some(to), None) => game.action_id(&format!("{from}-{to}")).ok(),
            _ => None,
        };
        action.ok_or_else(|| format!("answered '={GENMOVE} {}', which names no move", short(&answer)))
    }
}

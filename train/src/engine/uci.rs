//! Talking to an engine in Misty's subset of UCI.
//!
//! The whole position goes with every question: `position fen <board> <turn> <pool> <clock> <move number> [moves ..]`,
//! the moves being the quiet plies since the last flip or capture, so that the engine sees repetitions. Then
//! `go movetime 300`, and `bestmove a1a2` back; a flip names its square twice. See `anqi_env::record::misty`.

use std::time::Duration;

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::Action;
use anqi_env::record::misty;

use super::lines::short;
use super::log::Log;
use super::options::EngineSpec;
use super::process::Process;
use super::{Dialogue, START};

/// How long an engine is given to answer `uci` before it is tried whether it moves all the same.
const SILENCE: Duration = Duration::from_secs(3);

/// A UCI engine.
pub(super) struct Uci {
    process: Process,
    /// Whether it knows `uci`, and so what other words of the protocol mean.
    speaks: bool,
    /// The game it was asked about last.
    game: Option<u64>,
    /// Whether it has moved before: the first time may take longer.
    moved: bool,
    go: String,
    patience: Duration,
}

impl Uci {
    /// Starts an engine and waits until it answers.
    ///
    /// # Errors
    /// A program that cannot be started or does not answer.
    pub(super) fn start(spec: &EngineSpec, game: &DarkChess) -> Result<Uci, String> {
        let mut process = Process::start(&spec.path, &spec.arguments(), "quit")?;
        process.say("uci")?;
        process.say("isready")?;
        let greeting = |line: &str| ["uciok", "readyok"].contains(&line).then(|| line == "uciok");
        let (go, patience) = (spec.go(), spec.patience());
        let mut uci = match process.try_wait(SILENCE, greeting) {
            Some(speaks) => Uci { process, speaks, game: None, moved: false, go, patience },
            None => {
                // Not every engine knows these words: one that moves is good enough.
                let mut uci = Uci { process, speaks: false, game: None, moved: false, go, patience };
                let fen = misty::fen(game, &game.start()).map_err(|fault| fault.to_string())?;
                uci.bestmove(&fen, "bestmove after 'uci', 'isready', 'position fen ..' and 'go ..'")?;
                uci.moved = true;
                uci
            }
        };
        uci.process.forget();
        Ok(uci)
    }

    /// Asks about a position.
    fn bestmove(&mut self, fen: &str, what: &str) -> Result<String, String> {
        let Uci { process, go, .. } = self;
        process.forget();
        process.say(&format!("position fen {fen}"))?;
        process.say(go)?;
        let limit = if self.moved { self.patience } else { self.patience.max(START) };
        let answer = |line: &str| {
            let mut words = line.split_whitespace();
            (words.next() == Some("bestmove")).then(|| words.next().unwrap_or_default().to_string())
        };
        self.process.wait(what, limit, answer)
    }
}

impl Dialogue for Uci {
    fn ask(&mut self, game: &DarkChess, view: &Position, log: &mut Log) -> Result<Action, String> {
        if self.game != Some(log.id()) {
            self.game = Some(log.id());
            if self.speaks {
                self.process.say("ucinewgame")?;
            }
        }
        let fen = misty::fen(game, view).map_err(|fault| fault.to_string())?;
        let name = self.bestmove(&fen, "bestmove")?;
        self.moved = true;
        let action = misty::action(game, &name);
        action.ok_or_else(|| format!("answered 'bestmove {}', which names no move, at {fen}", short(&name)))
    }
}

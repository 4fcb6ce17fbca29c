//! Our agents as engines: they answer other people's boards and judges, line by line.
//!
//! Nothing that is said to them ends them but `quit` and the end of the input: what cannot be understood is answered with
//! an error, as the protocol has it.

mod dctp;
mod uci;

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use anqi_env::darkchess::{DarkChess, Position};
use anqi_env::game::{Action, Game as _};
use anqi_env::rng::Rng;

use super::{Protocol, lines};
use crate::agent::{Agent, Turn};

/// An agent that serves.
pub struct Served {
    /// The rules, of a game that [`check`](super::check) lets through.
    pub game: DarkChess,
    /// Who plays.
    pub agent: Arc<dyn Agent<DarkChess>>,
    /// The agent as it is written.
    pub name: String,
    /// What its own chance follows from: with the same seed it answers a position alike, whatever came before.
    pub seed: u64,
}

impl Served {
    /// What the agent plays; `games` counts those so far.
    fn choose(&self, view: &Position, games: u64) -> Result<Action, String> {
        if !view.status().is_ongoing() {
            return Err("the game is over".into());
        }
        let text: Vec<u64> = self.game.view_text(view).bytes().map(u64::from).collect();
        let mut rng = Rng::branch(self.seed, &text);
        let turn = Turn { view, rng: &mut rng, game: games };
        let chosen = self.agent.try_act(&self.game, &mut [turn]).pop();
        let action = chosen.unwrap_or_else(|| Err("it gave no action".into()))?;
        if self.game.is_legal(view, action) {
            return Ok(action);
        }
        Err(format!("{} plays {}, which is not legal", self.name, self.game.action_name(action)))
    }
}

/// One side of a conversation.
trait Answers {
    /// The answer to a line, with line ends between its lines; empty for none. `None` is the end.
    fn answer(&mut self, line: &str) -> Option<String>;
}

/// Answers lines until `quit` or the end of the input.
///
/// # Errors
/// Input that cannot be read or output that cannot be written; not an output whose reader has gone.
pub fn serve(served: &Served, protocol: Protocol, input: &mut impl BufRead, output: &mut impl Write) -> io::Result<()> {
    let mut session: Box<dyn Answers + '_> = match protocol {
        Protocol::Uci => Box::new(uci::Session::new(served)),
        Protocol::Dctp => Box::new(dctp::Session::new(served)),
    };
    while let Some(line) = lines::next(input)? {
        let answer = session.answer(&line);
        let end = answer.is_none() || protocol == Protocol::Dctp && answer.as_deref() == Some(dctp::GOODBYE);
        if let Some(answer) = answer.filter(|answer| !answer.is_empty()) {
            match writeln!(output, "{answer}").and_then(|()| output.flush()) {
                Err(fault) if fault.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
                written => written?,
            }
        }
        if end {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::agent::Greedy;

    /// A conversation with greedy: what it answers.
    pub(in crate::engine) fn talk(protocol: Protocol, said: &str) -> String {
        let game = DarkChess::parse("taiwan").unwrap();
        let served = Served { game, agent: Arc::new(Greedy), name: "greedy".into(), seed: 1 };
        let mut output = Vec::new();
        serve(&served, protocol, &mut said.as_bytes(), &mut output).unwrap();
        String::from_utf8(output).unwrap()
    }

    /// Whatever is said, it lives on: mutated lines of real conversations.
    #[test]
    fn noise_does_not_end_it() {
        let sound = [
            "position fen G7/7s/X7/8 r G1s4 3 5 moves a4a3 h3h2",
            "position fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1",
            "go movetime 10",
            "position startpos moves a1a1",
            "setoption name Hash value 3",
            "7 reset_board",
            "11 flip a1 k",
            "10 move a1 a2",
            "12 genmove black",
            "16 time_left red 900000",
            "18 init_board X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X X 1 2 2 2 2 2 5 1 2 2 2 2 2 5",
        ];
        let mut rng = Rng::new(5);
        let mut said = String::new();
        for _ in 0..4_000 {
            let mut bytes = sound[rng.below(sound.len() as u32) as usize].as_bytes().to_vec();
            for _ in 0..rng.below(4) {
                let place = rng.below(bytes.len() as u32) as usize;
                match rng.below(4) {
                    0 => bytes[place] = b" /-aXGg0195?=\t"[rng.below(14) as usize],
                    1 => bytes[place] = 32 + rng.below(200) as u8,
                    2 => drop(bytes.remove(place)),
                    _ => bytes.insert(place, bytes[place]),
                }
            }
            said += &format!("{}\n", String::from_utf8_lossy(&bytes).replace("quit", "quiz"));
        }
        assert!(talk(Protocol::Uci, &format!("{said}\nisready\n")).ends_with("readyok\n"));
        assert!(talk(Protocol::Dctp, &format!("{said}\n1 name\n")).ends_with("=1 anqi greedy\n"));
    }
}

//! `anqi play`

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use anqi_env::any::{AnyGame, AnyRules, Forfeit, Running};
use anqi_env::draw::text::Style;
use anqi_env::game::{Action, Seat, Status};
use anqi_env::matches::Match;
use anqi_env::rng::Rng;
use anqi_env::with_family;

use super::Failure;
use super::output::{today, write_file};
use super::show::When;
use crate::agent::{Agent, AgentSpec, Material, Turn};

const HELP: &str = "\
b3        turn over or play by name; a4-a5 moves or captures, stop ends a chain
b3 =      the same, and offer a draw with it
accept    accept the draw that is offered
moves     every legal action
hint      what the agent would do here, and what it expects
undo      take back to your last turn
board     draw the board again
record    print the game so far
resign    give the game up
quit      leave; the game stays unfinished";

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi play darkchess --with greedy\n  \
                        anqi play tombchess --with greedy --best-of 3 --record match.anqi\n\n\
    Type 'help' in the game for what can be typed.")]
pub(super) struct Args {
    /// Game with profile and options
    #[arg(default_value = "darkchess")]
    game: String,
    /// The agent on the other side; 'human' lets a second person play
    #[arg(long, value_name = "AGENT", default_value = "greedy")]
    with: String,
    /// Your seat; 0 moves first, and is red in a match
    #[arg(long, default_value_t = 0)]
    seat: u8,
    /// Start from a position
    #[arg(long)]
    position: Option<String>,
    /// Play a match of the best of 3, 5, 7 or 9 games (Tomb Chess)
    #[arg(long, value_name = "GAMES", conflicts_with = "position")]
    best_of: Option<u32>,
    /// Seed of the deal; without it, a new one each time
    #[arg(long)]
    seed: Option<u64>,
    /// Write the record to a file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Colours in the terminal; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: When,
    /// Chinese characters in place of letters
    #[arg(long)]
    chinese: bool,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    crate::engine::end_with_us();
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let seats = rules.spec().num_seats;
    if usize::from(args.seat) >= seats {
        return Err(Failure::Input(format!("--seat {}: expected 0 to {}", args.seat, seats - 1)));
    }
    let human = args.with == "human";
    let spec = AgentSpec::parse(if human { "greedy" } else { &args.with }).map_err(Failure::input)?;
    let now = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |t| t.as_nanos() as u64);
    let seed = args.seed.unwrap_or_else(|| now() % 1_000_000_000);
    let games = args.best_of.map(Match::new).transpose();
    let mut games = games.map_err(|fault| Failure::Input(format!("--best-of: {fault}")))?;
    let mut records = String::new();
    let mut number = 0;
    loop {
        let now = match &games {
            Some(games) => games.rules(&rules).map_err(|fault| Failure::Input(format!("--best-of: {fault}")))?,
            None => rules.clone(),
        };
        // In a match the player, not the seat, stays red: seat 0 is whoever moves first.
        let seat = games.as_ref().map_or(args.seat, |games| args.seat ^ games.first() as Seat);
        let deal = if number == 0 { seed } else { Rng::branch(seed, &[number]).bits() % 1_000_000_000 };
        let end = with_family!(&now, game => {
            let running = match &args.position {
                Some(position) => Running::from_position(game.clone(), position, deal).map_err(Failure::input)?,
                None => Running::new(game.clone(), deal),
            };
            let agent = spec.build(game).map_err(Failure::input)?;
            let rng = Rng::branch(deal, &[1]);
            let style = Style { colour: args.color.colours(), chinese: args.chinese };
            let mut table =
                Table { history: Vec::new(), game: running, agent, human, seat, rng, style, name: args.with.clone() };
            table.play()?
        });
        let mut record = end.record;
        if let Some(games) = &games {
            games.write(&mut record);
        }
        let names = if seat == 0 { ["human", &args.with] } else { [args.with.as_str(), "human"] };
        (0..seats).for_each(|seat| record.set(&format!("Seat{seat}"), names[seat % 2].replace('"', "'")));
        record.set("Date", today());
        records += &format!("{record}\n");
        if let Some(path) = &args.record {
            write_file("--record", path, records.as_bytes())?;
        }
        let Some(games) = games.as_mut().filter(|_| end.status != Status::Ongoing) else { break };
        let first = games.first();
        games.add(match end.status {
            Status::Win(seat, _) => Some(first ^ usize::from(seat & 1)),
            Status::Draw(_) | Status::Ongoing => None,
        });
        let [red, green] = games.points();
        say(&format!("match: red {red}, green {green}"));
        if let Some(winner) = games.winner() {
            say(["red wins the match", "green wins the match"][winner]);
            break;
        }
        number += 1;
    }
    if let Some(path) = &args.record {
        say(&format!("record: {}", path.display()));
    }
    Ok(())
}

fn say(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// How a game at the table ended.
struct End {
    status: Status,
    record: anqi_env::record::Record,
}

/// A game with who plays it.
struct Table<G: Material> {
    /// The game before each ply of the person, for taking back.
    history: Vec<Running<G>>,
    game: Running<G>,
    agent: Arc<dyn Agent<G>>,
    /// Whether a person plays the other side, too.
    human: bool,
    seat: Seat,
    rng: Rng,
    style: Style,
    name: String,
}

/// What a line that was typed leads to.
enum Next {
    /// A ply, or an end: the board has changed.
    Changed,
    /// Another line is asked for.
    Again,
    Quit,
}

impl<G: Material> Table<G> {
    fn play(&mut self) -> Result<End, Failure> {
        say(&format!("{}, seed {}; 'help' tells what can be typed", self.game.spec().name, self.game.seed()));
        let mut drawn = None;
        while self.game.status().is_ongoing() {
            let to_move = self.game.to_move();
            let mine = self.human || (to_move ^ self.seat) & 1 == 0;
            if !mine {
                self.agent_plays()?;
                continue;
            }
            if drawn != Some(self.game.plies()) {
                self.draw(to_move);
                drawn = Some(self.game.plies());
            }
            let Some(line) = self.ask()? else { break };
            match self.answer(line.trim()) {
                Next::Changed => drawn = None,
                Next::Again => {}
                Next::Quit => break,
            }
        }
        self.draw(self.seat);
        let record = self.game.record();
        say(&self.told_end());
        Ok(End { status: self.game.status(), record })
    }

    fn told_end(&self) -> String {
        match self.game.status() {
            Status::Ongoing => "the game stays unfinished".into(),
            Status::Draw(reason) => format!("drawn ({})", reason.name()),
            Status::Win(winner, reason) if self.human => format!("seat {winner} wins ({})", reason.name()),
            Status::Win(winner, reason) if (winner ^ self.seat) & 1 == 0 => format!("you win ({})", reason.name()),
            Status::Win(_, reason) => format!("{} wins ({})", self.name, reason.name()),
        }
    }

    fn draw(&self, seat: Seat) {
        say(&format!("\n{}", self.game.diagram(seat).text(self.style)));
    }

    /// A line from the person; none where there are no more.
    fn ask(&self) -> Result<Option<String>, Failure> {
        if self.game.offer().is_some() {
            say("a draw is offered: 'accept', or play on");
        }
        if io::stdin().is_terminal() {
            let mut out = io::stdout();
            let _ = write!(out, "seat {} > ", self.game.to_move()).and_then(|()| out.flush());
        }
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(Failure::work)?;
        Ok((read > 0).then_some(line))
    }

    fn answer(&mut self, line: &str) -> Next {
        let to_move = self.game.to_move();
        match line {
            "" => {}
            "help" | "?" => say(HELP),
            "board" => self.draw(to_move),
            "moves" => {
                let legal = self.game.legal_actions();
                let names: Vec<String> = legal.iter().map(|&action| self.game.action_name(action)).collect();
                say(&names.join(" "));
            }
            // What is hidden from the person stays so until the end.
            "record" => say(&self.game.record_seen_by(to_move).to_string()),
            "hint" => self.hint(),
            "quit" | "exit" => return Next::Quit,
            _ => match self.change(line, to_move) {
                Ok(()) => return Next::Changed,
                Err(fault) => say(&format!("{fault}; 'help' tells what can be typed")),
            },
        }
        Next::Again
    }

    /// Whatever changes the game.
    fn change(&mut self, line: &str, to_move: Seat) -> Result<(), String> {
        if line == "undo" {
            self.game = self.history.pop().ok_or("there is nothing to take back")?;
            return Ok(());
        }
        let before = self.game.clone();
        let done = match line {
            "accept" => self.game.accept_draw(to_move),
            "resign" => self.game.forfeit(to_move, Forfeit::Resignation),
            ply => return self.ply(ply),
        };
        done.map_err(|fault| fault.to_string())?;
        self.history.push(before);
        Ok(())
    }

    fn ply(&mut self, text: &str) -> Result<(), String> {
        let (name, offer) = text.strip_suffix('=').map_or((text, false), |name| (name.trim(), true));
        let mut next = self.game.clone();
        let action = next.action_id(name).map_err(|fault| fault.to_string())?;
        next.step(action.into()).map_err(|fault| fault.to_string())?;
        if offer {
            next.offer_draw().map_err(|fault| fault.to_string())?;
        }
        self.history.push(std::mem::replace(&mut self.game, next));
        self.tell_last();
        Ok(())
    }

    /// The agent's ply; it accepts a draw where it expects no better.
    fn agent_plays(&mut self) -> Result<(), Failure> {
        let (seat, view) = (self.game.to_move(), self.game.view());
        if self.game.offer().is_some() {
            if self.agent.value(self.game.game(), view) <= 0.0 {
                say(&format!("{} accepts the draw", self.name));
                return self.game.accept_draw(seat).map_err(Failure::work);
            }
            say(&format!("{} declines the draw", self.name));
        }
        let fault = |fault: String| Failure::Work(format!("agent '{}': {fault}", self.name));
        let before = self.game.plies();
        // What it first tells its ally is not for the person's ears.
        while self.game.plies() == before && self.game.to_move() == seat {
            let turn = Turn { view: self.game.view(), rng: &mut self.rng, game: self.game.seed() };
            let chosen = self.agent.try_act(self.game.game(), &mut [turn]);
            let action = chosen.into_iter().next().unwrap_or_else(|| Err("it gave no action".into())).map_err(fault)?;
            self.game.step(action.into()).map_err(|wrong| fault(wrong.to_string()))?;
        }
        self.tell_last();
        Ok(())
    }

    /// Prints the ply just played with what it showed.
    fn tell_last(&self) {
        let seat = if self.human { self.game.to_move() } else { self.seat };
        if let Some(ply) = self.game.last_ply_seen_by(seat) {
            let shown = ply.outcome.as_ref().map(|shown| format!("({shown})")).unwrap_or_default();
            let offer = if ply.offer { ", and a draw is offered" } else { "" };
            say(&format!("ply {}: {}{shown}{offer}", self.game.plies(), ply.action));
        }
    }

    /// The agent's three best actions and what it expects.
    fn hint(&self) {
        let (game, view) = (self.game.game(), self.game.view());
        // What each action is worth, where the agent works that out; else how likely it is to choose it.
        let values = self.agent.values(game, view);
        let valued = !values.is_empty();
        let likely = || self.agent.policy(game, view).into_iter().enumerate().map(|(action, p)| (action as Action, p));
        let mut best: Vec<(Action, f32)> = if valued { values } else { likely().filter(|(_, p)| *p > 0.0).collect() };
        best.sort_by(|a, b| b.1.total_cmp(&a.1));
        let told = |&(action, number): &(Action, f32)| match valued {
            true => format!("{} {number:+.2}", game.action_name(action)),
            false => format!("{} {:.0} %", game.action_name(action), 100.0 * number),
        };
        let words: Vec<String> = best.iter().take(3).map(told).collect();
        say(&format!(
            "{}: {}; it expects {:+.2}",
            self.name_of_agent(),
            words.join(", "),
            self.agent.value(game, view)
        ));
    }

    fn name_of_agent(&self) -> &str {
        if self.human { "greedy" } else { &self.name }
    }
}

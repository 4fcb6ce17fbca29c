//! The command line: one file a command. This one only dispatches.

mod arena;
mod bench;
mod engine;
mod eval;
mod exploit;
mod export;
mod games;
mod output;
mod perft;
mod pictures;
mod play;
mod progress;
mod replay;
mod scores;
mod show;
mod solve;
mod train;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use output::Failure;
use output::Output;

/// Train, load and judge agents for board games with hidden pieces (暗棋).
#[derive(Parser)]
#[command(
    name = "anqi",
    version,
    after_help = "Without a command: anqi train, which trains dark chess for about two minutes.\n\n\
                  Exit status: 0 done, 1 the work failed, 2 unusable arguments or input."
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// List every game, profile and option, with defaults and sources
    Games(games::Args),
    /// Train an agent by self-play
    Train(Box<train::Args>),
    /// Measure a checkpoint against baseline agents on duplicate deals
    Eval(eval::Args),
    /// Train a network against a frozen agent: how far it can be exploited at least
    Exploit(exploit::Args),
    /// Write a checkpoint's network as a file for other tools
    Export(export::Args),
    /// Let agents play each other on duplicate deals: scores, ratings, records
    Arena(arena::Args),
    /// Play against an agent in the terminal
    Play(play::Args),
    /// Serve an agent on standard input and output, for other people's boards and judges
    Engine(engine::Args),
    /// Count the leaves of the game tree, chance expanded
    Perft(perft::Args),
    /// Measure plies per second
    Bench(bench::Args),
    /// Read game records, check each ply, show the end
    Replay(replay::Args),
    /// Draw a position
    Show(show::Args),
    /// Exact values of a board small enough
    Solve(solve::Args),
}

/// Where figures go.
#[derive(clap::Args, Clone, Debug, Default)]
struct JsonArgs {
    /// Write every figure as JSON to a file; `-` writes it to standard output and nothing else there
    #[arg(long, value_name = "FILE")]
    json: Option<std::path::PathBuf>,
}

/// Runs the command line of this process.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    let command = cli.command.unwrap_or_else(|| Command::Train(Box::default()));
    let result = match &command {
        Command::Games(args) => games::run(args),
        Command::Train(args) => train::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Exploit(args) => exploit::run(args),
        Command::Export(args) => export::run(args),
        Command::Arena(args) => arena::run(args),
        Command::Play(args) => play::run(args),
        Command::Engine(args) => engine::run(args),
        Command::Perft(args) => perft::run(args),
        Command::Bench(args) => bench::run(args),
        Command::Replay(args) => replay::run(args),
        Command::Show(args) => show::run(args),
        Command::Solve(args) => solve::run(args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // One line, also where a library's message has several.
            eprintln!("anqi: {}", failure.to_string().split_whitespace().collect::<Vec<_>>().join(" "));
            ExitCode::from(failure.status())
        }
    }
}

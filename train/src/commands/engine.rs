//! `anqi engine`

use std::io;
use std::sync::Arc;

use anqi_env::any::AnyRules;
use anqi_env::darkchess::DarkChess;

use super::Failure;
use crate::agent::{Agent, AgentSpec};
use crate::engine::serve::{Served, serve};
use crate::engine::{self, Protocol};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi engine --protocol uci greedy\n  \
                        anqi engine --protocol dctp net:checkpoints/darkchess\n\n\
    The agent answers on standard output what is said to it on standard input, until 'quit' or the end of the input.\n\
    Its own limits count, not those that it is told.")]
pub(super) struct Args {
    /// The agent that plays
    agent: String,
    /// What it speaks
    #[arg(long, value_enum)]
    protocol: Protocol,
    /// Game with profile and options: dark chess on 4x8 squares without variants
    #[arg(long, default_value = "darkchess")]
    game: String,
    /// Seed of what the agent leaves to chance; with the same one it answers a position alike
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let fault = |message: String| Failure::Input(format!("--game {}: {message}", args.game));
    let game: DarkChess = anqi_env::with_family!(&rules, game => engine::check(game).map_err(fault)?.clone());
    let spec = AgentSpec::parse(&args.agent).map_err(Failure::input)?;
    let agent: Arc<dyn Agent<DarkChess>> = spec.build(&game).map_err(Failure::input)?;
    let served = Served { game, agent, name: spec.to_string(), seed: args.seed };
    serve(&served, args.protocol, &mut io::stdin().lock(), &mut io::stdout().lock()).map_err(Failure::work)
}

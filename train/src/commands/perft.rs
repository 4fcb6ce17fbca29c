//! `anqi perft`

use std::time::Instant;

use anqi_env::any::AnyRules;
use anqi_env::game::Game;
use serde_json::json;

use super::output::grouped;
use super::{Failure, JsonArgs, Output};

#[derive(clap::Args)]
#[command(after_help = "Example: anqi perft darkchess --depth 3")]
pub(super) struct Args {
    /// Game with profile and options, such as darkchess:icga
    game: String,
    /// Plies to look ahead
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Position to start from, as text
    #[arg(long)]
    position: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let mut rows = vec![vec!["depth".into(), "leaves".into(), "seconds".into()]];
    let mut figures = Vec::new();
    let AnyRules::DarkChess(game) = &rules else {
        let name = &rules.spec().name;
        return Err(Failure::Input(format!("{name}: leaves are counted for darkchess and tombchess only")));
    };
    let view = match &args.position {
        Some(text) => game.parse_view(text).map_err(Failure::input)?,
        None => game.start(),
    };
    for depth in 1..=args.depth {
        let started = Instant::now();
        let leaves = game.perft(&view, depth);
        let seconds = started.elapsed().as_secs_f64();
        rows.push(vec![depth.to_string(), grouped(leaves), format!("{seconds:.3}")]);
        figures.push(json!({ "depth": depth, "leaves": leaves, "seconds": seconds }));
    }
    out.line(&rules.spec().name);
    out.table(&rows);
    out.figures(&json!({ "game": rules.spec().name, "perft": figures }))
}

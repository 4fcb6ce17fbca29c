//! `anqi show`

use anqi_env::any::AnyRules;
use serde_json::json;

use super::{Failure, JsonArgs, Output};

#[derive(clap::Args)]
#[command(after_help = "Example: anqi show darkchess --position 'K7/8/1cR1p3/8 0 r - 0 40'")]
pub(super) struct Args {
    /// Game with profile and options
    #[arg(default_value = "darkchess")]
    game: String,
    /// Position as text; without it, the start
    #[arg(long)]
    position: Option<String>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let game = match &args.position {
        Some(position) => rules.start_from(position, 0).map_err(Failure::input)?,
        None => rules.start(0),
    };
    let legal: Vec<String> = game.legal_actions().iter().map(|&action| game.action_name(action)).collect();
    out.line(&game.spec().name);
    out.line(game.text());
    out.line(game.position());
    out.line(format!("legal ({}): {}", legal.len(), legal.join(" ")));
    out.figures(&json!({ "game": game.spec().name, "position": game.position(), "legal": legal }))
}

//! `anqi solve`

use std::time::Instant;

use anqi_env::any::AnyRules;
use anqi_env::game::Game;
use serde_json::json;

use super::output::grouped;
use super::{Failure, JsonArgs, Output};
use crate::search::solve;

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anqi solve darkchess:mini\n  anqi solve darkchess:mini,board=2x3,pieces=K1C1P1\n  \
                  anqi solve darkchess:taiwan,repetition=none --position 'K7/8/1cR5/8 0 r - 0 40'\n\n\
                  A value is the expected result under best play: win 1, draw 0, loss -1. Rules need a quiet limit, \
                  repetition=none and chase_limit=0. A board too large for --memory is refused, with its size."
)]
pub(super) struct Args {
    /// Game with profile and options, such as darkchess:mini
    game: String,
    /// Position to solve, as text; without it, the start
    #[arg(long)]
    position: Option<String>,
    /// GiB that the values may take
    #[arg(long, value_name = "GIB", default_value_t = 4.0)]
    memory: f64,
    /// Threads; without it, one a core
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    if !(args.memory > 0.0 && args.memory <= 1e6) {
        return Err(Failure::Input(format!("--memory {}: expected GiB above 0", args.memory)));
    }
    let AnyRules::DarkChess(game) = AnyRules::parse(&args.game).map_err(Failure::input)? else {
        return Err(Failure::Input(format!("{}: the solver knows darkchess and tombchess only", args.game)));
    };
    let position = match &args.position {
        Some(text) => game.parse_view(text).map_err(Failure::input)?,
        None => game.start(),
    };
    solve::check(game.rules()).map_err(Failure::input)?;
    let size = solve::size(&game, &position);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.unwrap_or(0) as usize);
    let pool = pool.build().map_err(Failure::work)?;
    let started = Instant::now();
    let solution =
        pool.install(|| solve::solve(&game, &position, args.memory * f64::from(1 << 30))).map_err(Failure::input)?;
    let unknown = || Failure::work("the position is not among those solved");
    let mover = solution.value(&position).ok_or_else(unknown)?;
    let first = if position.to_move() == 0 { mover } else { -mover };
    let actions = solution.action_values(&position).ok_or_else(unknown)?;
    let seconds = started.elapsed().as_secs_f64();
    let memory = peak_memory();

    out.line(&game.spec().name);
    out.line(game.draw_text(&position));
    out.line(game.view_text(&position));
    out.line(format!("value of the first seat: {first:+.6}"));
    if !actions.is_empty() {
        out.line(format!("values of the actions of seat {}, for that seat:", position.to_move()));
        let row = |&(action, value): &(u16, f64)| vec![game.action_name(action), format!("{value:+.6}")];
        out.table(&actions.iter().map(row).collect::<Vec<_>>());
    }
    let memory_text = memory.map_or(String::new(), |bytes| format!(", {} MiB at most", grouped(bytes >> 20)));
    out.line(format!("{} positions, {seconds:.2} s{memory_text}", grouped(solution.positions())));
    let actions: Vec<_> =
        actions.iter().map(|&(action, value)| json!({ "action": game.action_name(action), "value": value })).collect();
    out.figures(&json!({
        "game": game.spec().name,
        "position": game.view_text(&position),
        "value_first_seat": first,
        "to_move": position.to_move(),
        "actions": actions,
        "positions": solution.positions(),
        "classes": size.classes,
        "seconds": seconds,
        "peak_memory_bytes": memory,
    }))
}

/// The most memory that this process has held, in bytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
}

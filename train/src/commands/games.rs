//! `anqi games`

use anqi_env::any::families;
use serde_json::json;

use super::{Failure, JsonArgs, Output};

/// Example: anqi games --json -
#[derive(clap::Args)]
#[command(after_help = "Example: anqi games\nA game is named with profile and options: darkchess:icga,quiet_limit=100")]
pub(super) struct Args {
    #[command(flatten)]
    json: JsonArgs,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let row = |cells: &[&str]| cells.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut figures = Vec::new();
    for family in families() {
        out.line(format!("{}: {}", family.name, family.about));
        out.line("\n  profiles (the first is the default)");
        for (name, about, source) in &family.profiles {
            out.line(format!("    {name:<20} {about}\n    {:<20} source: {source}", ""));
        }
        out.line("\n  options");
        for (name, default, about, source) in &family.options {
            out.line(format!("    {name:<20} default {default}: {about}\n    {:<20} source: {source}", ""));
        }
        let named = |keys: [&str; 4], row: Vec<String>| {
            keys.iter()
                .map(ToString::to_string)
                .zip(row.into_iter().map(serde_json::Value::from))
                .collect::<serde_json::Map<_, _>>()
        };
        let profiles: Vec<_> =
            family.profiles.iter().map(|(n, a, s)| json!({ "name": n, "about": a, "source": s })).collect();
        let options: Vec<_> = family
            .options
            .iter()
            .map(|(n, d, a, s)| named(["name", "default", "about", "source"], row(&[n, d, a, s])))
            .collect();
        figures.push(json!({ "name": family.name, "about": family.about, "profiles": profiles, "options": options }));
    }
    out.figures(&figures)
}

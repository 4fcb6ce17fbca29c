//! `anqi show`

use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anqi_env::any::{AnyGame, AnyRules};
use anqi_env::draw::{Theme, text::Style};
use anqi_env::record::jql;
use serde_json::json;

use super::output::write_file;
use super::{Failure, JsonArgs, Output};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi show darkchess --position 'K7/8/1cR1p3/8 0 r - 0 40' --chinese\n  \
                        anqi show darkchess:mini --svg mini.svg --theme dark\n  \
                        anqi show siguo --layout 648395.3.07B.482.5.7L4B26LFL32")]
pub(super) struct Args {
    /// Game with profile and options
    #[arg(default_value = "darkchess")]
    game: String,
    /// Position as text; without it, the start
    #[arg(long)]
    position: Option<String>,
    /// How a seat of Junqi sets up: a .jql file, or 30 letters row by row from the front, '.' on the camps; once for
    /// each seat, or once for all
    #[arg(long, value_name = "LAYOUT", conflicts_with = "position")]
    layout: Vec<String>,
    /// Write a picture to a file; `-` writes it to standard output and nothing else there
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The picture's colours
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeName,
    /// Colours in the terminal; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    color: When,
    /// Chinese characters in the terminal in place of letters
    #[arg(long)]
    chinese: bool,
    #[command(flatten)]
    json: JsonArgs,
}

#[derive(clap::ValueEnum, Clone, Copy, Default)]
pub(super) enum ThemeName {
    #[default]
    Light,
    Dark,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
        }
    }
}

#[derive(clap::ValueEnum, Clone, Copy, Default)]
pub(super) enum When {
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    /// Whether to colour, by the convention of no-color.org: a flag outranks the variable, an empty one is none.
    pub(super) fn colours(self) -> bool {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match self {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                io::stdout().is_terminal() && set("NO_COLOR").is_none() && set("TERM").is_none_or(|term| term != "dumb")
            }
        }
    }
}

/// A game from layouts: files or letters.
fn set_up(rules: &AnyRules, layouts: &[String]) -> Result<Box<dyn AnyGame>, Failure> {
    let fault = |layout: &str, fault: &dyn std::fmt::Display| Failure::Input(format!("--layout {layout}: {fault}"));
    let read = |layout: &String| -> Result<String, Failure> {
        if !Path::new(layout).is_file() {
            return Ok(layout.clone());
        }
        let bytes = std::fs::read(layout).map_err(|wrong| fault(layout, &wrong))?;
        Ok(jql::read(&bytes).map_err(|wrong| fault(layout, &wrong))?.to_string())
    };
    let texts: Vec<String> = layouts.iter().map(read).collect::<Result<_, _>>()?;
    let mut texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    if let [one] = texts[..] {
        texts = vec![one; rules.spec().num_seats];
    }
    rules.start_with(&texts, 0, None, 0).map_err(|wrong| fault(&layouts.join(" "), &wrong))
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let svg_on_stdout = args.svg.as_deref() == Some(Path::new("-"));
    if svg_on_stdout && out.json_on_stdout() {
        return Err(Failure::input("--svg - and --json -: only one of them can have standard output"));
    }
    let rules = AnyRules::parse(&args.game).map_err(Failure::input)?;
    let game = match &args.position {
        Some(position) => rules.start_from(position, 0).map_err(Failure::input)?,
        None if !args.layout.is_empty() => set_up(&rules, &args.layout)?,
        None => rules.start(0),
    };
    let legal: Vec<String> = game.legal_actions().iter().map(|&action| game.action_name(action)).collect();
    let diagram = game.diagram(game.to_move());
    if let Some(path) = &args.svg {
        let svg = diagram.svg(args.theme.into());
        if svg_on_stdout {
            let _ = io::stdout().write_all(svg.as_bytes());
        } else {
            write_file("--svg", path, svg.as_bytes())?;
        }
    }
    if !svg_on_stdout {
        out.line(&game.spec().name);
        out.line(diagram.text(Style { colour: args.color.colours(), chinese: args.chinese }));
        out.line(game.position());
        out.line(format!("legal ({}): {}", legal.len(), legal.join(" ")));
    }
    out.figures(&json!({ "game": game.spec().name, "position": game.position(), "legal": legal }))
}

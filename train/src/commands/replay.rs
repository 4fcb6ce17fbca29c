//! `anqi replay`

use std::path::{Path, PathBuf};

use anqi_env::any::{AnyRules, Forfeit};
use anqi_env::matches::Match;
use anqi_env::record::{Checked, Defect, Format, Grade, Record};
use serde_json::{Value, json};

use super::pictures::Pictures;
use super::show::ThemeName;
use super::{Failure, JsonArgs, Output};

#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anqi replay game.txt --format ntu --rules darkchess:taiwan\n  \
                        anqi replay game.anqi --svg pictures\n\n\
    anqi   header lines [Key \"value\"] and numbered rounds; several games of a match may stand in one file\n\
    tcga   1. a7(K) a8(p), who plays and who wins in words\n\
    ntu    a tournament platform's log, lines that begin with '* '\n\
    seed   ○仕甲3 相-丙5 相x卒丙5 包﹋兵丁8\n\
    jgs    QQ's replays of four-seat Junqi; a defect's line is the number of an event; to see all ranks, give\n\
    \x20       --rules siguo:open,quiet_limit=71\n\
    misty  lines 'position fen .. moves ..', each one ply behind the one before; files a-h, ranks 1-4\n\
    auto   the one whose marks the text has; where no mark is unmistakable, the formats it might be are named\n\n\
    Exit status: 1 when a ply is illegal or the result is not what the plies show, 2 when a file cannot be read.")]
pub(super) struct Args {
    /// Records
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Format of the records
    #[arg(long, default_value = "auto", value_parser = ["auto", "anqi", "tcga", "ntu", "seed", "jgs", "misty"])]
    format: String,
    /// Game with profile and options, before the one that a record names
    #[arg(long, value_name = "GAME")]
    rules: Option<String>,
    /// Stop at a record's first defect, whatever it is
    #[arg(long)]
    strict: bool,
    /// Write a picture of every position into a folder, and a page to leaf through them
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// The pictures' colours
    #[arg(long, value_enum, default_value_t)]
    theme: ThemeName,
    #[command(flatten)]
    json: JsonArgs,
}

/// What came of a file: its figures, and the worst that was found.
struct Replayed {
    figures: Value,
    failure: Option<Failure>,
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let out = Output::new(&args.json);
    let rules = args.rules.as_deref().map(AnyRules::parse).transpose().map_err(Failure::input)?;
    let mut figures = Vec::new();
    let mut failures = Vec::new();
    if let Some(folder) = &args.svg {
        let fault = |fault| Failure::Input(format!("--svg {}: {fault}", folder.display()));
        std::fs::create_dir_all(folder).map_err(fault)?;
    }
    for file in &args.files {
        for replayed in replay(file, args, rules.as_ref(), &out)? {
            figures.push(replayed.figures);
            failures.extend(replayed.failure);
        }
    }
    out.figures(&json!({ "files": figures }))?;
    // The worst one is told: what cannot be read before what is illegal.
    let count = failures.len();
    let Some(worst) = failures.into_iter().reduce(|a, b| if b.status() > a.status() { b } else { a }) else {
        return Ok(());
    };
    if count == 1 {
        return Err(worst);
    }
    let all = format!("{worst} (and {} more of {} files)", count - 1, args.files.len());
    Err(if worst.status() == 2 { Failure::Input(all) } else { Failure::Work(all) })
}

/// Replays every record of a file.
fn replay(path: &Path, args: &Args, rules: Option<&AnyRules>, out: &Output) -> Result<Vec<Replayed>, Failure> {
    let file = path.display().to_string();
    let read = std::fs::read(path).map_err(|fault| fault.to_string()).and_then(|bytes| {
        let told = |fault: anqi_env::Error| fault.to_string();
        let format = match args.format.as_str() {
            "auto" => {
                let hint = if std::str::from_utf8(&bytes).is_ok() { "; --format says which" } else { "" };
                Format::of_file(&bytes).map_err(|fault| format!("{fault}{hint}"))?
            }
            name => Format::parse(name).map_err(told)?,
        };
        Ok((Record::read_file(&bytes, format, rules, args.strict).map_err(told)?, format))
    });
    let (readings, format) = match read {
        Ok(read) => read,
        Err(fault) => {
            out.line(format!("{file}: {fault}"));
            let failure = Some(Failure::Input(format!("{file}: {fault}")));
            return Ok(vec![Replayed { figures: json!({ "file": file, "error": fault }), failure }]);
        }
    };
    let stem = path.file_stem().map_or_else(|| "record".into(), |stem| stem.to_string_lossy().into_owned());
    let several = readings.len() > 1;
    let mut games: Option<Match> = None;
    let mut all = Vec::new();
    for (number, reading) in readings.into_iter().enumerate() {
        let mut defects = reading.defects;
        match Match::of(&reading.record) {
            Ok(Some(start)) if number == 0 && reading.record.header("MatchGame") == Some("1") => games = Some(start),
            Err(fault) => {
                let (line, wrong) = (reading.record.line(), fault.to_string());
                defects.push(Defect { line, ply: None, grade: Grade::Contradiction, wrong, right: String::new() });
            }
            _ => {}
        }
        defects.extend(games.as_mut().map(|games| games.check(&reading.record)).unwrap_or_default());
        let tail = if several { format!("-{}", number + 1) } else { String::new() };
        let mut pictures = args.svg.as_ref().map(|folder| Pictures::new(folder, &format!("{stem}{tail}"), args.theme));
        let checked = reading.record.check_each(&mut |game| {
            if let Some(pictures) = &mut pictures {
                pictures.draw(game);
            }
        });
        let written = pictures.map(Pictures::write).transpose()?;
        let title = if several { format!("{file}, game {}", number + 1) } else { file.clone() };
        let replayed = Replay { title: &title, file: &file, format, strict: args.strict };
        all.push(replayed.tell(reading.record, defects, checked, out));
        if let Some(page) = written {
            out.line(format!("pictures: {}", page.display()));
        }
    }
    if let Some(games) = games {
        let [red, green] = games.points();
        let end = games.winner().map_or("undecided", |winner| ["red wins the match", "green wins the match"][winner]);
        out.line(format!("match of red and green: {red}-{green}, {end}"));
    }
    Ok(all)
}

/// What a record is called and how it was read.
struct Replay<'a> {
    title: &'a str,
    file: &'a str,
    format: Format,
    strict: bool,
}

impl Replay<'_> {
    /// Prints what came of a record.
    fn tell(&self, record: Record, mut defects: Vec<Defect>, checked: Checked, out: &Output) -> Replayed {
        // A ply that is not known was named when it was read, with its reason.
        let known: Vec<(usize, Option<usize>)> = defects.iter().map(|defect| (defect.line, defect.ply)).collect();
        let again = |defect: &Defect| defect.grade == Grade::Missing && known.contains(&(defect.line, defect.ply));
        let ended = self.strict && !defects.is_empty();
        let found = checked.defects.into_iter().filter(|defect| !again(defect) && !ended);
        defects.extend(found.take(if self.strict { 1 } else { usize::MAX }));
        defects.sort_by_key(|defect| (defect.line, defect.ply));

        // A seat that gives up stands among them, and what seats told their allies.
        let plies = record.plies.iter().filter(|ply| Forfeit::read(&ply.action).is_none() && !ply.is_aside()).count();
        let game = checked.game.as_ref();
        let name = game.map_or_else(String::new, |game| game.spec().name.clone());
        out.line(format!("{}: {}, {name}, {} plies", self.title, self.format.name(), plies));
        for defect in &defects {
            out.line(format!("  {defect}"));
        }
        let result = record.header("Result").unwrap_or("*");
        let termination = record.header("Termination").unwrap_or("not told");
        // The rules' own word counts where they ended the game.
        let own = game.filter(|game| !game.status().is_ongoing()).map(|game| game.record());
        let told = |key: &str, told: &str| own.as_ref().and_then(|own| own.header(key)).unwrap_or(told).to_string();
        let (result, termination) = (told("Result", result), told("Termination", termination));
        if let Some(game) = game {
            out.line(game.text());
            out.line(format!("{}\nresult {result} ({termination})", game.position()));
        }
        let defects_figures: Vec<Value> = defects
            .iter()
            .map(|d| json!({ "line": d.line, "ply": d.ply, "grade": d.grade.name(), "wrong": d.wrong, "right": d.right }))
            .collect();
        let figures = json!({
            "file": self.file, "format": self.format.name(), "game": name, "plies": plies,
            "defects": defects_figures, "position": game.map(|game| game.position()), "result": result,
            "termination": termination,
        });
        Replayed { figures, failure: failure(self.title, &defects, self.strict) }
    }
}

/// The worst defect as a failure; none where everything was understood.
fn failure(file: &str, defects: &[Defect], strict: bool) -> Option<Failure> {
    let worst = defects.iter().reduce(|a, b| if b.grade > a.grade { b } else { a })?;
    let line = format!("{file}: {worst}");
    match worst.grade {
        Grade::Unreadable => Some(Failure::Input(line)),
        Grade::Illegal | Grade::Contradiction => Some(Failure::Work(line)),
        Grade::Mended | Grade::Missing => strict.then_some(Failure::Input(line)),
    }
}

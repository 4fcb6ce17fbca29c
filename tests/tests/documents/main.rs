//! The documents against the code: generated tables, names, links, examples.
//!
//! Parts between `<!-- generated: NAME -->` and `<!-- end -->` must be what the code gives. A test prints the right
//! text to paste and never writes a file.

mod boards;
mod tables;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anqi_env::any::{AnyRules, Family, families};
use anqi_env::record::{Format, Record};
use tables::{PARTS, part};

/// Folders whose files are named by their path in inline code.
const FOLDERS: [&str; 6] = ["env/", "train/", "python/", "tests/", "docs/", ".ci/"];

/// Where the settings of each group are declared.
const SETTINGS: [(&str, &str); 10] = [
    ("net", "train/src/net/mod.rs"),
    ("rollout", "train/src/rollout/config.rs"),
    ("lambda", "train/src/returns.rs"),
    ("ppo", "train/src/learn/ppo.rs"),
    ("td", "train/src/learn/td.rs"),
    ("imitate", "train/src/method/teacher.rs"),
    ("gumbel", "train/src/config.rs"),
    ("schedule", "train/src/config.rs"),
    ("select", "train/src/config.rs"),
    ("eval", "train/src/config.rs"),
];

/// Where each group of figures of a run is named.
const FIGURES: [(&str, &str, bool); 5] = [
    ("speed", "train/src/log.rs", true),
    ("progress", "train/src/log.rs", true),
    ("games", "train/src/log.rs", true),
    ("loss", "train/src/learn/ppo.rs", false),
    ("strength", "train/src/log.rs", false),
];

/// Optional fields of a position.
const FIELDS: [&str; 4] = ["last", "moves", "chain", "chase"];

/// One document.
struct Document {
    /// Its path from the root, for messages.
    name: String,
    path: PathBuf,
    text: String,
}

impl Document {
    /// Lines with their numbers, and whether each stands in a fenced block, with the fence's language.
    fn lines(&self) -> impl Iterator<Item = (usize, &str, Option<&str>)> {
        let mut fence = None;
        self.text.lines().enumerate().map(move |(i, line)| {
            let mark = line.trim_start().strip_prefix("```");
            let inside = match (mark, fence) {
                (Some(language), None) => {
                    fence = Some(language.trim());
                    fence
                }
                (Some(_), Some(language)) => {
                    fence = None;
                    Some(language)
                }
                (None, fence) => fence,
            };
            (i + 1, line, inside)
        })
    }

    /// Inline code and its line.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let prose = self.lines().filter(|(_, _, fence)| fence.is_none());
        prose.flat_map(|(number, line, _)| line.split('`').skip(1).step_by(2).map(move |code| (number, code)))
    }

    /// Shell commands: lines of `sh` blocks and inline code that begin with the program's name.
    fn commands(&self) -> impl Iterator<Item = (usize, &str)> {
        let shell = self.lines().filter(|(_, _, fence)| *fence == Some("sh")).map(|(number, line, _)| (number, line));
        shell.chain(self.code()).filter_map(|(number, line)| {
            let line = line.split(" #").next().unwrap_or(line).trim();
            let starts = ["anqi ", "cargo run --release -- ", "target/release/anqi "];
            starts.iter().find_map(|start| Some((number, line.strip_prefix(start)?)))
        })
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").to_path_buf()
}

fn read(path: &str) -> String {
    let path = root().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The documents at the root and everything in docs/.
fn documents() -> Vec<Document> {
    let mut paths: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(|name| root().join(name)).into();
    let mut folders = vec![root().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("docs").filter_map(Result::ok) {
            let path = entry.path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "md" => paths.push(path),
                _ => {}
            }
        }
    }
    paths.sort();
    let load = |path: PathBuf| Document {
        name: path.strip_prefix(root()).unwrap_or(&path).display().to_string(),
        text: std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display())),
        path,
    };
    paths.into_iter().map(load).collect()
}

/// Whether a text can be the name of an option or a setting.
fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_lowercase() || c == '_')
}

/// Collects what is wrong, and fails with all of it.
#[derive(Default)]
struct Faults(String);

impl Faults {
    fn add(&mut self, document: &Document, line: usize, what: &str) {
        let _ = writeln!(self.0, "{}:{line}: {what}", document.name);
    }

    #[track_caller]
    fn check(self) {
        assert!(self.0.is_empty(), "\n{}", self.0);
    }
}

#[test]
fn generated_parts_are_what_the_code_gives() {
    let (mut faults, mut used) = (Faults::default(), BTreeSet::new());
    for document in documents() {
        let mut rest = document.text.as_str();
        let mut before = 0;
        while let Some((head, tail)) = rest.split_once("<!-- generated: ") {
            before += head.lines().count();
            let Some((name, tail)) = tail.split_once(" -->") else {
                faults.add(&document, before, "a marker without its end");
                break;
            };
            let Some((found, tail)) = tail.split_once("<!-- end -->") else {
                faults.add(&document, before, &format!("generated: {name}: <!-- end --> is missing"));
                break;
            };
            used.insert(name.to_string());
            match part(name, &root()) {
                None => {
                    let known: Vec<&str> = PARTS.iter().map(|(name, _)| *name).collect();
                    faults.add(&document, before, &format!("generated: {name}: known are {}", known.join(", ")));
                }
                Some(expected) if found.trim() != expected => {
                    faults.add(&document, before, &format!("generated: {name} should be\n\n{expected}\n"));
                }
                Some(_) => {}
            }
            before += found.lines().count();
            rest = tail;
        }
    }
    for (name, _) in PARTS {
        assert!(used.contains(*name), "no document has the generated part {name}");
    }
    faults.check();
}

#[test]
fn links_lead_somewhere() {
    let mut faults = Faults::default();
    let slug = |heading: &str| -> String {
        let kept = heading.to_lowercase();
        kept.chars()
            .filter(|c| c.is_alphanumeric() || " -_".contains(*c))
            .map(|c| if c == ' ' { '-' } else { c })
            .collect()
    };
    for document in documents() {
        for (number, line, fence) in document.lines() {
            for link in line.split("](").skip(1).filter(|_| fence.is_none()) {
                let link = link.split(')').next().unwrap_or_default();
                if link.contains("://") {
                    continue;
                }
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let folder = document.path.parent().expect("a folder");
                let target = if path.is_empty() { document.path.clone() } else { folder.join(path) };
                if !target.exists() {
                    faults.add(&document, number, &format!("link to {path}: no such file"));
                } else if !anchor.is_empty() {
                    let text = std::fs::read_to_string(&target).unwrap_or_default();
                    let mut headings = text.lines().filter(|line| line.starts_with('#'));
                    if !headings.any(|line| slug(line.trim_start_matches('#').trim()) == anchor) {
                        faults.add(&document, number, &format!("link to {link}: no such heading"));
                    }
                }
            }
        }
    }
    faults.check();
}

#[test]
fn files_in_inline_code_exist() {
    let mut faults = Faults::default();
    for document in documents() {
        for (number, code) in document.code() {
            let path = code.split_whitespace().next().unwrap_or_default();
            let is_path = FOLDERS.iter().any(|folder| path.starts_with(folder)) && !path.contains(['*', '{', '<']);
            if is_path && !root().join(path).exists() {
                faults.add(&document, number, &format!("{path}: no such file"));
            }
        }
    }
    faults.check();
}

/// Every game with its profile and options, and every `option=value` in the page of a game.
#[test]
fn games_profiles_and_options_exist() {
    let mut faults = Faults::default();
    for family in families() {
        let page = if tables::JUNQI.contains(&family.name) { "junqi" } else { family.name };
        let page = format!("docs/games/{page}.md");
        for document in documents() {
            for (number, line, _) in document.lines() {
                for rest in line.split(&format!("{}:", family.name)).skip(1) {
                    let part = |c: char| c.is_ascii_alphanumeric() || "_=,-".contains(c);
                    let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
                    let name = format!("{}:{}", family.name, rest[..end].trim_end_matches([',', '-']));
                    if let Err(fault) = AnyRules::parse(&name) {
                        faults.add(&document, number, &format!("{name}: {fault}"));
                    }
                }
            }
            if document.name == page {
                for (number, code) in document.code() {
                    if let Err(fault) = option_or_field(&family, code) {
                        faults.add(&document, number, &fault);
                    }
                }
            }
        }
        let text = read(&page);
        let names = family.profiles.iter().map(|(name, ..)| name).chain(family.options.iter().map(|(name, ..)| name));
        for name in names {
            assert!(text.contains(&format!("`{name}`")), "{page} does not speak of {name}");
        }
    }
    faults.check();
}

/// Whether inline code that looks like `name=value` is an option of the family or a field of a position.
fn option_or_field(family: &Family, code: &str) -> Result<(), String> {
    let Some((name, value)) = code.split_once('=').filter(|(name, _)| is_name(name)) else { return Ok(()) };
    let is_option = family.options.iter().any(|(known, ..)| *known == name);
    let is_field = FIELDS.contains(&name);
    // A field's value is empty or begins with a square; `chain` is an option too.
    let square = |c: char| c.is_ascii_lowercase();
    let begins = value.is_empty() || value.starts_with(square) && value[1..].starts_with(|c: char| c.is_ascii_digit());
    if is_field && (begins || value.starts_with('/')) {
        return Ok(());
    }
    if !is_option {
        return Err(format!("{code}: no option or field of that name and form"));
    }
    if ["board", "pieces"].contains(&name) {
        return Ok(());
    }
    let alone = format!("{}:{name}={value}", family.name);
    let unrepeated = format!("{}:repetition=none,{name}={value}", family.name);
    AnyRules::parse(&alone).or(AnyRules::parse(&unrepeated)).map(|_| ()).map_err(|fault| fault.to_string())
}

#[test]
fn commands_exist() {
    let mut faults = Faults::default();
    let shared = read("train/src/commands/mod.rs");
    let mut seen = BTreeSet::new();
    for document in documents() {
        for (number, line) in document.commands() {
            let words = words(line);
            let Some(command) = words.first().filter(|word| !word.starts_with('-')) else { continue };
            let file = root().join(format!("train/src/commands/{command}.rs"));
            let variant = format!("({command}::Args)");
            if !shared.contains(&variant) && !shared.contains(&format!("(Box<{command}::Args>)")) {
                faults.add(&document, number, &format!("anqi {command}: no such command"));
                continue;
            }
            seen.insert(command.clone());
            if let Err(fault) = named_first(&words) {
                faults.add(&document, number, &fault);
            }
            let source = std::fs::read_to_string(file).unwrap_or_default() + &shared;
            for (i, word) in words.iter().enumerate().skip(1) {
                let value = words.get(i + 1).map(String::as_str).unwrap_or_default();
                let Some(flag) = word.strip_prefix("--") else { continue };
                let field = format!("    {}: ", flag.replace('-', "_"));
                if flag != "help" && !source.contains(&field) && !source.contains(&format!("long = \"{flag}\"")) {
                    faults.add(&document, number, &format!("anqi {command} --{flag}: no such option"));
                }
                let place = match flag {
                    _ if value.is_empty() || value.chars().all(|c| c.is_ascii_uppercase()) => Ok(()),
                    "preset" => part("presets", &root())
                        .filter(|table| table.contains(&format!("| `{value}` |")))
                        .map(|_| ())
                        .ok_or(format!("no preset {value}")),
                    "position" => {
                        let game = AnyRules::parse(&words[1]).and_then(|rules| rules.start_from(value, 0));
                        game.map(|_| ()).map_err(|fault| fault.to_string())
                    }
                    "rules" => AnyRules::parse(value).map(|_| ()).map_err(|fault| fault.to_string()),
                    "format" if value != "auto" => Format::parse(value).map(|_| ()).map_err(|fault| fault.to_string()),
                    "set" => setting(value.split('=').next().unwrap_or_default()),
                    _ => Ok(()),
                };
                if let Err(fault) = place {
                    faults.add(&document, number, &fault);
                }
            }
        }
    }
    let commands = shared.matches("::Args)").count() + shared.matches("::Args>)").count();
    assert_eq!(seen.len(), commands, "the documents speak of {seen:?} only");
    faults.check();
}

/// Whether the game or the records that a command names first exist.
fn named_first(words: &[String]) -> Result<(), String> {
    let named = words[1..].iter().take_while(|word| !word.starts_with('-'));
    for name in named.filter(|name| !name.chars().any(|c| c.is_ascii_uppercase())) {
        match words[0].as_str() {
            "perft" | "show" | "train" | "bench" => {
                AnyRules::parse(name).map(|_| ()).map_err(|fault| fault.to_string())
            }
            "replay" if !root().join(name).exists() => Err(format!("{name}: no such file")),
            _ => Ok(()),
        }?;
    }
    Ok(())
}

/// Words of a command line; quotes hold one together.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in line.split('\'').enumerate() {
        match i % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.to_string()),
        }
    }
    words
}

/// Whether a setting such as `net.width` exists.
fn setting(name: &str) -> Result<(), String> {
    let (source, field) = match name.split_once('.') {
        None => ("train/src/config.rs", name),
        Some((group, field)) => {
            let found = SETTINGS.iter().find(|(known, _)| *known == group);
            (found.ok_or(format!("{name}: no such group of settings"))?.1, field)
        }
    };
    let found = read(source).contains(&format!("    pub {field}: "));
    found.then_some(()).ok_or(format!("{name}: no such setting"))
}

#[test]
fn settings_and_figures_exist() {
    let mut faults = Faults::default();
    for document in documents() {
        for (number, code) in document.code() {
            if let Some((group, field)) = code.split_once('.')
                && SETTINGS.iter().any(|(known, _)| *known == group)
                && is_name(field)
                && field != "rs"
                && let Err(fault) = setting(code)
            {
                faults.add(&document, number, &fault);
            }
            if let Some((group, figure)) = code.split_once('/')
                && let Some((_, source, whole)) = FIGURES.iter().find(|(known, ..)| *known == group)
                && is_name(figure)
                && !read(source).contains(&if *whole { format!("\"{code}\"") } else { format!("\"{figure}\"") })
            {
                faults.add(&document, number, &format!("{code}: no such figure"));
            }
        }
    }
    faults.check();
}

#[test]
fn python_names_exist() {
    let mut faults = Faults::default();
    let (package, stub) = (read("python/py_src/anqi/__init__.py"), read("python/py_src/anqi/_native.pyi"));
    for document in documents() {
        for (number, code) in document.code() {
            let Some(name) = code.strip_prefix("anqi.") else { continue };
            let word = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').next().map(String::from);
            let (class, member) = name.split_once('.').unwrap_or((name, ""));
            let (class, member) = (word(class).unwrap_or_default(), word(member).unwrap_or_default());
            // Either a name of the package or a module beside it, one for each outside library.
            let module = [format!("{class}.py"), format!("{class}/__init__.py")]
                .into_iter()
                .find_map(|file| std::fs::read_to_string(root().join("python/py_src/anqi").join(file)).ok());
            if module.is_none() && !package.contains(&format!("\"{class}\"")) {
                faults.add(&document, number, &format!("{code}: the package exports no {class}"));
            }
            let source = module.as_ref().unwrap_or(&stub);
            let defined = ["def", "class"].map(|word| format!("{word} {member}("));
            if !member.is_empty() && !defined.iter().any(|definition| source.contains(definition)) {
                faults.add(&document, number, &format!("{code}: {class} has no {member}"));
            }
        }
    }
    faults.check();
}

#[test]
fn records_replay() {
    let mut records = 0;
    for document in documents() {
        for block in document.text.split("```text\n").skip(1) {
            let text = block.split("```").next().unwrap_or_default();
            if text.starts_with("[Game ") {
                let game = Record::parse(text).and_then(|record| record.replay());
                let game = game.unwrap_or_else(|fault| panic!("{}: {fault}\n{text}", document.name));
                assert!(!game.status().is_ongoing(), "{}: an unfinished game\n{text}", document.name);
                records += 1;
            }
        }
    }
    assert!(records > 0, "no document shows a record");
}

/// Rust blocks would be compiled by nobody, except in the README, which is a doctest of this crate.
#[test]
fn only_the_readme_has_rust_examples() {
    let mut faults = Faults::default();
    for document in documents().into_iter().filter(|document| document.name != "README.md") {
        for (number, line, _) in document.lines() {
            if line.trim_start().starts_with("```rust") {
                faults.add(&document, number, "a Rust example that nothing compiles");
            }
        }
    }
    faults.check();
}

#[test]
fn nothing_is_left_to_fill_in() {
    let mut faults = Faults::default();
    for document in documents() {
        for (number, line, _) in document.lines().filter(|(_, line, _)| line.contains("TO-MEASURE")) {
            faults.add(&document, number, line.trim());
        }
    }
    faults.check();
}

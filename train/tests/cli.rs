//! The binary as users run it: what it prints, and how it fails.

mod common;

use std::path::Path;
use std::process::Command;

use common::{anqi, json, path, refusal, stdout};
use serde_json::Value;

#[test]
fn perft_counts() {
    let figures = json(&["perft", "darkchess", "--depth", "3"]);
    let leaves: Vec<u64> =
        figures["perft"].as_array().unwrap().iter().map(|row| row["leaves"].as_u64().unwrap()).collect();
    assert_eq!(leaves, [448, 192_448, 78_989_568]);
}

#[test]
fn games_and_show() {
    let figures = json(&["games"]);
    assert_eq!(figures[0]["profiles"][0]["name"], "taiwan");
    assert_eq!(figures[0]["options"][2]["default"], "60");
    let drawn = stdout(&anqi(&["show", "darkchess", "--position", "K7/8/1cR1p3/8 0 r - 0 40"]));
    assert!(drawn.contains(" c  .  c  R  .  p  .  .  ."), "{drawn}");
    assert!(drawn.contains("legal (6): a1-a2 a1-b1 c3-b3 c3-c2 c3-c4 c3-d3"), "{drawn}");
}

#[test]
fn show_draws_for_terminals() {
    let show = |args: &[&str]| stdout(&anqi(&[&["show", "--position", "K7/8/1cR1p3/8 0 r - 0 40"], args].concat()));
    // Standard output is no terminal here.
    let plain = show(&[]);
    assert!(!plain.contains('\x1b') && plain == show(&["--color", "never"]), "{plain}");
    let coloured = show(&["--color", "always"]);
    assert!(coloured.contains("\x1b[1;38;5;124;48;5;180m R \x1b[0m"), "{coloured}");
    let chinese = show(&["--chinese"]);
    assert!(chinese.contains("丙c ．  包  俥  ．  卒  ．  ．  ．"), "{chinese}");
    assert!(show(&["--chinese", "--color", "always"]).contains("m 俥 \x1b[0m"));
    // A flag outranks the variable.
    let no_color = |args: &[&str]| {
        stdout(&Command::new(env!("CARGO_BIN_EXE_anqi")).args(args).env("NO_COLOR", "1").output().unwrap())
    };
    assert!(!no_color(&["show"]).contains('\x1b') && no_color(&["show", "--color", "always"]).contains('\x1b'));
}

#[test]
fn show_draws_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.svg");
    let printed = stdout(&anqi(&["show", "darkchess:mini", "--svg", path(&file)]));
    assert!(printed.contains("legal (8)"), "{printed}");
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.starts_with("<svg ") && written.ends_with("</svg>\n"), "{written}");
    assert_eq!(stdout(&anqi(&["show", "darkchess:mini", "--svg", "-"])), written);
    let dark = stdout(&anqi(&["show", "darkchess:mini", "--svg", "-", "--theme", "dark"]));
    assert_ne!(dark, written);
    // A file there is replaced, one that a link leads to as well, and the device stays a device.
    let link = folder.path().join("link.svg");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&file, &link).unwrap();
    stdout(&anqi(&["show", "darkchess:mini", "--theme", "dark", "--svg", path(&link)]));
    if cfg!(unix) {
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(&file).unwrap(), dark);
        stdout(&anqi(&["show", "--svg", "/dev/null"]));
        assert!(!Path::new("/dev/null").metadata().unwrap().is_file());
    }
    // The figures go with the picture, but not to the same place.
    let figures = folder.path().join("figures.json");
    assert_eq!(stdout(&anqi(&["show", "darkchess:mini", "--svg", "-", "--json", path(&figures)])), written);
    let figures: Value = serde_json::from_str(&std::fs::read_to_string(figures).unwrap()).unwrap();
    assert_eq!(figures["legal"].as_array().unwrap().len(), 8);
}

/// The pictures in the documents are those that the commands beside them draw.
#[test]
fn pictures_in_the_documents() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/images");
    let commands = std::fs::read_to_string(folder.join("README.md")).unwrap();
    let mut drawn = Vec::new();
    for command in commands.lines().filter_map(|line| line.strip_prefix("anqi show ")) {
        let (command, file) = command.rsplit_once(" --svg docs/images/").unwrap();
        // Every second part stands in quotes.
        let parts = command.split('\'').enumerate();
        let mut args: Vec<&str> = parts
            .flat_map(|(i, part)| if i % 2 == 1 { vec![part] } else { part.split_whitespace().collect() })
            .collect();
        args.extend(["--svg", "-"]);
        let picture = stdout(&anqi(&[&["show"], &args[..]].concat()));
        assert!(picture.len() < 60_000, "{file}: {} bytes", picture.len());
        assert_eq!(std::fs::read_to_string(folder.join(file)).unwrap(), picture, "{file}: draw it again: {command}");
        drawn.push(file.to_string());
    }
    // Drawn from a tournament that takes a quarter of an hour.
    drawn.extend(["README.md", "ladder.svg"].map(String::from));
    drawn.sort();
    let mut there: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    there.sort();
    assert_eq!(there, drawn);
}

#[test]
fn bench_measures() {
    let figures = json(&["bench", "darkchess:mini", "--seconds", "0.02", "--envs", "64"]);
    let rates: Vec<f64> =
        figures.as_array().unwrap().iter().map(|row| row["plies_per_second"].as_f64().unwrap()).collect();
    assert!(rates.len() == 5 && rates.iter().all(|&rate| rate > 1000.0), "{rates:?}");
}

#[test]
fn bad_input_gets_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "game = \"darkchess\"\nwidth = 3\n").unwrap();
    let inside_file = file.join("run");
    for (args, says) in [
        (&["perft", "chess"][..], "unknown game 'chess': known games are darkchess"),
        (&["perft", "darkchess:tw"], "unknown profile 'tw' of darkchess: known profiles are taiwan"),
        (&["show", "darkchess:taiwan,speed=1"], "unknown option 'speed'"),
        (&["show", "darkchess", "--position", "K7/8/8 0 r - 0 40"], "position, rows: expected 4 rows"),
        (&["train", "--preset", "slow"], "unknown preset 'slow': known presets are quick"),
        (&["train", "--config", path(&file)], "unknown field `width`"),
        (&["train", "--config", "no/such.toml"], "config no/such.toml: "),
        (&["train", "--set", "net.widht=3"], "unknown field `widht`"),
        (&["train", "--set", "net.width=0"], "width"),
        (&["train", "--minutes=-1"], "config minutes: -1: expected"),
        (&["train", "--set", "rollout.group=100"], "rollout.games"),
        (&["train", "--set", "eval.against=[\"gredy\"]"], "unknown agent 'gredy': known agents are"),
        (&["train", "--out", path(&inside_file)], "file"),
        (&["train", "--resume", path(folder.path())], "checkpoint: no such folder"),
        (&["train", "--resume", "no/such/run"], "no/such/run"),
        (&["eval", "no/such/checkpoint"], "checkpoint no/such/checkpoint: no such folder"),
        (&["games", "--json", path(&inside_file)], "--json"),
        (&["show", "--svg", path(&inside_file)], "--svg"),
        (&["show", "--svg", "no/such/board.svg"], "--svg no/such/board.svg: "),
        (&["show", "--svg", path(folder.path())], "--svg"),
        (&["show", "--svg", "-", "--json", "-"], "--svg - and --json -: only one"),
    ] {
        let line = refusal(args);
        assert!(line.contains(says), "{args:?}: {line}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing half written is left behind");
    // Faults that clap finds come with its usage text.
    for args in [&["perft"][..], &["perft", "darkchess", "--depth", "x"], &["fly"], &["show", "--theme", "pink"]] {
        assert_eq!(anqi(args).status.code(), Some(2));
    }
}

/// Every network that comes with anqi loads under today's rules and encoding, and beats random play.
#[test]
fn shipped_checkpoints_play() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints");
    let shipped = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let mut count = 0;
    for checkpoint in shipped {
        let figures = json(&["eval", path(&checkpoint), "--against", "random", "--pairs", "32"]);
        let lower = figures["ladder"][0]["lower"].as_f64().unwrap();
        assert!(lower > 0.8, "{}: {figures}", checkpoint.display());
        count += 1;
    }
    assert!(count > 0, "no checkpoint in {}", folder.display());
}

#[test]
fn a_matrix_of_partners() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("partners.md");
    let rest = ["--partners", "random", "--pairs", "3", "--markdown", path(&table)];
    let figures = json(&[&["arena", "--game", "siguo", "greedy", "random"], &rest[..]].concat());
    let teams = figures["teams"].as_array().unwrap();
    let partners: Vec<String> = teams.iter().map(|team| team["partners"].to_string()).collect();
    assert_eq!(partners, [r#"["greedy","greedy"]"#, r#"["greedy","random"]"#, r#"["random","random"]"#]);
    // The team of one agent is that agent.
    let plain = json(&["arena", "--game", "siguo", "greedy", "random", "--pairs", "3"]);
    assert_eq!(teams[0]["score"], plain["matches"][0]["score"]);
    let written = std::fs::read_to_string(&table).unwrap();
    assert!(written.contains("| partners | `greedy` | `random` |\n"), "{written}");
    assert!(
        refusal(&["arena", "--game", "duel", "greedy", "random", "--partners", "random"])
            .contains("partners are for games of four seats, this one has 2")
    );
}

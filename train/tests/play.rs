//! `anqi play` and `anqi arena` as users run them.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// Runs `anqi` with lines typed into it: standard output, standard error, status.
fn anqi(args: &[&str], typed: &str) -> (String, String, i32) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_anqi"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (out, err, output.status.code().unwrap())
}

#[test]
fn a_person_plays_takes_back_and_agrees_on_a_draw() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.anqi");
    let path = path.to_str().unwrap();
    let typed = "moves\na1\nhint\nnowhere\na1\nundo\nundo\nb2 =\n";
    let (out, err, status) = anqi(&["play", "darkchess", "--seed", "3", "--record", path], typed);
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    for told in [
        "ply 1: a1(p)",
        "greedy: ",
        "it expects ",
        "'nowhere' names no action",
        "action 0 (a1) is not legal here",
        "there is nothing to take back",
        "ply 1: b2(M), and a draw is offered",
        "greedy accepts the draw",
        "drawn (agreement)",
    ] {
        assert!(out.contains(told), "{told}\n{out}");
    }
    let (out, _, status) = anqi(&["replay", path], "");
    assert!(status == 0 && out.ends_with("result 1/2-1/2 (agreement)\n"), "{out}");
    let record = std::fs::read_to_string(path).unwrap();
    assert!(record.contains("[Seat0 \"human\"]") && record.contains("1. b2(M) (=)"), "{record}");
}

#[test]
fn a_searching_agent_hints_with_values() {
    // Red's chariot can take black's cannon, and nothing takes it back.
    let position = "K7/8/1cR1p3/8 0 r - 0 40";
    let args = ["play", "darkchess", "--position", position, "--with", "expectimax:depth=2"];
    let (out, err, status) = anqi(&args, "hint\n");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("expectimax:depth=2: c3-c2 +"), "{out}");
}

#[test]
fn two_people_resign_a_match_and_its_record_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.anqi");
    let path = path.to_str().unwrap();
    // Red loses the first game; green, first in the second, loses it; green, its loser, is second in the third.
    let args = ["play", "tombchess", "--with", "human", "--best-of", "3", "--seed", "1", "--record", path];
    let (out, err, status) = anqi(&args, "resign\nresign\nresign\n");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    assert!(out.contains("match: red 1, green 1\n") && out.contains("green wins the match"), "{out}");
    let (out, _, status) = anqi(&["replay", path, "--strict"], "");
    assert!(status == 0 && out.ends_with("match of red and green: 1-2, green wins the match\n"), "{out}");
}

#[test]
fn what_cannot_be_played_is_one_line() {
    for (args, told) in [
        (&["play", "darkchess", "--seat", "2"][..], "--seat 2: expected 0 to 1"),
        (&["play", "darkchess", "--with", "gredy"], "unknown agent 'gredy'"),
        (&["play", "darkchess", "--best-of", "3"], "those are of tombchess"),
        (&["play", "tombchess", "--best-of", "4"], "the best of 3, 5, 7 or 9"),
        (&["arena", "random", "greedy", "--sprt", "9"], "--sprt 9: expected two Elo bounds"),
        (&["arena", "random", "greedy", "--best-of", "3"], "those are of tombchess"),
        (&["arena", "random", "gredy"], "unknown agent 'gredy'"),
        (&["arena", "random", "greedy", "--out", "/proc/none"], "--out: "),
        (&["arena", "random", "greedy", "--svg", "/no/such/folder/a.svg"], "--svg /no/such/folder/a.svg: "),
        (&["arena", "random", "greedy", "--markdown", "/proc"], "--markdown /proc: "),
    ] {
        let (out, err, status) = anqi(args, "");
        assert!(status == 2 && err.lines().count() == 1 && err.contains(told), "{args:?}: {status} {err} {out}");
    }
}

#[test]
fn a_tournament_is_told_kept_and_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["arena", "greedy", "random", "--game", "darkchess:mini", "--pairs", "30", "--out", path];
    let (out, err, status) = anqi(&[&args[..], &["--json", "-"]].concat(), "");
    assert_eq!(status, 0, "{err}");
    let figures: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(figures["matches"][0]["sets"], 30);
    assert_eq!(figures["ratings"][1]["agent"], "random");
    assert_eq!(figures["ratings"][1]["rating"]["elo"], 0.0);
    let table = folder.path().join("table.md");
    let (out, _, status) = anqi(&[&args[..], &["--markdown", table.to_str().unwrap()]].concat(), "");
    assert!(status == 0 && out.contains("greedy - random"), "{out}");
    let score = format!("{:.3}", figures["matches"][0]["score"]["score"].as_f64().unwrap());
    assert!(out.contains(&score) && std::fs::read_to_string(table).unwrap().contains(&score), "{score}: {out}");
    let (out, _, status) = anqi(&["replay", &format!("{path}/games.anqi")], "");
    assert!(status == 0 && out.contains("game 60: anqi, darkchess:mini"), "{out}");
}

/// The tables without times and speeds, which are others each time.
fn tables(figures: &Value) -> Value {
    let mut figures = figures.clone();
    for rating in figures["ratings"].as_array_mut().unwrap() {
        (rating["ms_per_ply"], rating["nodes_per_second"]) = (Value::Null, Value::Null);
    }
    figures["records"] = Value::Null;
    figures
}

#[test]
fn a_killed_tournament_comes_to_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let [whole, killed] = ["whole", "killed"].map(|name| folder.path().join(name));
    let args = ["arena", "expectimax:depth=1", "greedy", "random", "--pairs", "24", "--json", "-", "--out"];
    let finish = |out: &Path| {
        let (out, err, status) = anqi(&[&args[..], &[out.to_str().unwrap()]].concat(), "");
        assert_eq!(status, 0, "{err}");
        serde_json::from_str::<Value>(&out).unwrap()
    };
    let mut child =
        Command::new(env!("CARGO_BIN_EXE_anqi")).args(args).arg(&killed).stdout(Stdio::null()).spawn().unwrap();
    let sets = killed.join("sets.jsonl");
    let done = || std::fs::read_to_string(&sets).map_or(0, |text| text.lines().count());
    while done() < 5 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be killed");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // On Unix this is SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    assert!((5..72).contains(&done()), "{}", done());
    let (whole_figures, again) = (finish(&whole), finish(&killed));
    assert_eq!(tables(&again), tables(&whole_figures));
    assert!(again["matches"][0]["adjusted"]["worth_sets"].is_number(), "{again}");
    let records = |folder: &Path| std::fs::read_to_string(folder.join("games.anqi")).unwrap();
    assert!(records(&killed) == records(&whole));
}

/// Sets that were played before luck was measured.
#[test]
fn an_older_folder_is_read_and_has_no_adjusted_score() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["arena", "greedy", "random", "--game", "darkchess:mini", "--pairs", "25", "--out", path];
    let (out, err, status) = anqi(&args, "");
    assert!(status == 0 && out.contains("adjusted") && !out.contains("no adjusted score"), "{out} {err}");
    let sets = folder.path().join("sets.jsonl");
    let older: String = std::fs::read_to_string(&sets)
        .unwrap()
        .lines()
        .map(|line| {
            let mut set: Value = serde_json::from_str(line).unwrap();
            for game in set["games"].as_array_mut().unwrap() {
                assert!(game.as_object_mut().unwrap().remove("luck").is_some());
            }
            format!("{set}\n")
        })
        .collect();
    std::fs::write(&sets, older).unwrap();
    let (older, err, status) = anqi(&args, "");
    let told = "no adjusted score: luck was not measured in all sets, some of which an older version has played\n";
    assert!(status == 0 && older.contains(told) && !older.contains("worth sets"), "{older} {err}");
}

#[test]
fn a_tournament_is_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let [svg, table] = ["ladder.svg", "ladder.md"].map(|name| folder.path().join(name));
    let [svg_name, table_name] = [&svg, &table].map(|path| path.to_str().unwrap());
    let args = ["arena", "random", "greedy", "random", "--game", "darkchess:mini", "--pairs", "20"];
    let draw = |more: &[&str]| {
        let (out, err, status) = anqi(&[&args[..], &["--svg", svg_name, "--markdown", table_name], more].concat(), "");
        assert_eq!(status, 0, "{err}");
        (out, std::fs::read_to_string(&svg).unwrap(), std::fs::read_to_string(&table).unwrap())
    };
    let (out, picture, markdown) = draw(&[]);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    assert_eq!((picture.matches("<circle ").count(), picture.matches("<rect ").count()), (3, 1 + 6));
    assert!(picture.contains("20 sets for each two") && picture.contains("greedy - random: 0."), "{picture}");
    assert_eq!(draw(&["--threads", "1"]).1, picture);
    assert_ne!(draw(&["--theme", "dark"]).1, picture);
    // What Markdown has is what the terminal has.
    assert!(markdown.contains("| `greedy` - `random` | 0."), "{markdown}");
    let adjusted = markdown.lines().find(|line| line.contains("`greedy` - ")).unwrap().split(" | ").nth(3).unwrap();
    assert!(out.contains(adjusted) && markdown.contains("| adjusted | 95 % interval | worth sets |"), "{out}");
}

#[test]
fn junqi_has_no_adjusted_score() {
    let args = ["arena", "random", "random", "--game", "duel", "--pairs", "2", "--json", "-"];
    let (out, err, status) = anqi(&args, "");
    assert_eq!(status, 0, "{err}");
    let figures: Value = serde_json::from_str(&out).unwrap();
    let told = figures["matches"][0]["unadjusted"].as_str().unwrap();
    assert!(told.contains("set up by a player, not left to chance"), "{told}");
    assert_eq!(figures["matches"][0]["adjusted"], Value::Null);
}

//! `anqi play` and `anqi arena` as users run them.

use std::io::Write as _;
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

//! `anqi replay` as users run it.

use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn replay(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_anqi")).arg("replay").args(args).output().unwrap()
}

fn data(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/data").join(name).to_str().unwrap().into()
}

/// What is printed, and the line on standard error, with the status.
fn told(args: &[&str], status: i32) -> (String, String) {
    let output = replay(args);
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(status), "{args:?}: {err}");
    assert_eq!(err.lines().count(), usize::from(status != 0), "{args:?}: {err}");
    (out, err)
}

/// A file in a folder of its own.
fn file(text: &[u8]) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("record.txt");
    std::fs::write(&path, text).unwrap();
    let path = path.to_str().unwrap().to_string();
    (folder, path)
}

#[test]
fn a_sound_log() {
    let (out, _) = told(&[&data("ntu/PositionRepetitionDraw38.txt")], 0);
    assert!(out.contains(": ntu, darkchess:taiwan, 78 plies\n"), "{out}");
    assert!(out.contains("drawn (repetition)") && out.ends_with("result 1/2-1/2 (repetition)\n"), "{out}");
    assert!(!out.contains("\n  line "), "{out}");
}

#[test]
fn many_files_and_figures() {
    let names = ["ntu/TimeOut.txt", "games/time-out.anqi", "source/example.txt"].map(data);
    let (out, _) = told(&[&names[0], &names[1], &names[2], "--json", "-"], 0);
    let figures: Value = serde_json::from_str(&out).unwrap();
    let files = figures["files"].as_array().unwrap();
    let formats: Vec<&str> = files.iter().map(|file| file["format"].as_str().unwrap()).collect();
    assert_eq!(formats, ["ntu", "anqi", "seed"]);
    assert_eq!(files[0]["position"], files[1]["position"]);
    for (file, result, termination, plies) in
        [(0, "0-1", "time", 62), (1, "0-1", "time", 62), (2, "0-1", "resignation", 67)]
    {
        let file = &files[file];
        assert_eq!(
            (&file["result"], &file["termination"], &file["plies"]),
            (&result.into(), &termination.into(), &plies.into())
        );
    }
    let first = &files[2]["defects"][0];
    assert_eq!((&first["line"], &first["ply"], &first["grade"]), (&1.into(), &3.into(), &"mended".into()));
    assert_eq!(files[2]["defects"].as_array().unwrap().len(), 15);
}

#[test]
fn the_example_of_the_source() {
    let (out, _) = told(&[&data("source/example.txt")], 0);
    for part in [
        "  line 1, ply 3: round 2, ○將: it has no square; only a1 is left for it; understood as a1\n",
        "  line 5, ply 26: round 13 has no second ply; ",
        " a  k  R  .  G  G  p [N] p \n",
        "result 0-1 (resignation)\n",
    ] {
        assert!(out.contains(part), "{part} is not in\n{out}");
    }
    let (_, err) = told(&[&data("source/example.txt"), "--strict"], 2);
    assert!(err.contains("example.txt: line 1, ply 3: round 2, ○將"), "{err}");
}

#[test]
fn replays_of_four_seats() {
    let names =
        ["bomb-on-flag", "draw-agreed", "time-out-and-surrender"].map(|name| data(&format!("junqi/{name}.jgs")));
    for (name, plies, end) in [
        (&names[0], 187, "result 1-0 (flag)\n"),
        (&names[1], 185, "result 1/2-1/2 (agreement)\n"),
        (&names[2], 405, "result 0-1 (resignation)\n"),
    ] {
        let (out, _) = told(&[name], 0);
        assert!(out.contains(&format!(": jgs, siguo:dark,quiet_limit=71, {plies} plies\n")), "{out}");
        assert!(out.ends_with(end) && !out.contains("\n  line "), "{out}");
        // Nobody's name or number: what is printed is text of ours.
        assert!(
            out.chars().all(|letter| letter.is_ascii() || "軍旗地雷炸彈令長師旅團營連排工兵司".contains(letter)),
            "{out}"
        );
    }
    let (open, _) = told(&[&names[1], "--format", "jgs", "--rules", "siguo:open,quiet_limit=71"], 0);
    assert!(!open.contains("=?????????????????????????:"), "{open}");
    let (_, err) = told(&[&names[0], "--rules", "darkchess"], 2);
    assert!(err.contains("a QQ replay is a game of Junqi"), "{err}");
    let (_, err) = told(&[&names[0], "--rules", "luzhanqi"], 2);
    assert!(err.contains("the seats SENW of the four-country board are played"), "{err}");
    let mut bytes = std::fs::read(&names[0]).unwrap();
    // The first event's outcome.
    bytes[0x19C + 1] ^= 1;
    let (_folder, path) = file(&bytes);
    let (_, err) = told(&[&path], 1);
    assert!(err.contains("line 1, ply 1") && err.contains("but the layouts give"), "{err}");
    bytes.truncate(700);
    let (_folder, path) = file(&bytes);
    let (_, err) = told(&[&path], 2);
    assert!(err.contains("byte 700 (0x2BC): the file has 700 bytes"), "{err}");
}

#[test]
fn an_illegal_ply() {
    let (_folder, path) = file(b"[Rules \"darkchess\"]\n\n1. a1(K) a2(p)\n2. a1-a2 a3(p)\n");
    let (out, err) = told(&[&path], 1);
    assert!(err.contains("record.txt: line 4, ply 3: a1-a2: "), "{err}");
    // What could be played is shown.
    assert!(out.contains(" a  K [p] #"), "{out}");
    // The worst of several files is told, and that there were more.
    let (_, err) = told(&[&path, &data("ntu/TimeOut.txt"), "no/such/file"], 2);
    assert!(err.contains("no/such/file: ") && err.contains("(and 1 more of 3 files)"), "{err}");
}

#[test]
fn a_result_that_is_not_so() {
    let log = std::fs::read_to_string(data("ntu/NoMove.txt")).unwrap();
    let (_folder, path) = file(log.replace("A Wins 1.000000,0.000000", "B Wins 0.000000,1.000000").as_bytes());
    let (_, err) = told(&[&path], 1);
    assert!(err.contains("line 66: header Result is 0-1, but the plies end in 1-0"), "{err}");
}

#[test]
fn rules_of_the_callers_choice() {
    // By the Olympiad's rules this game is not over when the platform ended it.
    let (out, err) = told(&[&data("ntu/NoEatFlipDraw.txt"), "--rules", "darkchess:icga"], 1);
    assert!(out.contains("darkchess:icga") && err.contains("header Termination is quiet-limit"), "{err}");
    let (_, err) = told(&[&data("ntu/NoMove.txt"), "--rules", "darkchess:mini"], 2);
    assert!(err.contains("of the full board"), "{err}");
    let (_, err) = told(&[&data("ntu/NoMove.txt"), "--rules", "darkchess:tw"], 2);
    assert!(err.contains("unknown profile 'tw'"), "{err}");
}

#[test]
fn what_cannot_be_read() {
    for (text, args, says) in [
        (&b"1. a7(K) a8(p)\n"[..], &[][..], "this might be anqi or tcga"),
        (b"1. a7(K)\n\xff\xfe\n", &[], "line 2: not UTF-8 text"),
        (b"", &[], "no mark of a format"),
        (b"hello\n", &["--format", "seed"], "no flip such as"),
        (b"1. a1(K)\n", &["--format", "misty"], "no line such as 'position fen ..'"),
    ] {
        let (_folder, path) = file(text);
        let (_, err) = told(&[&[path.as_str()], args].concat(), 2);
        assert!(err.contains("record.txt: ") && err.contains(says), "{err}");
    }
    let (_folder, path) = file(b"1. a7(K) a8(p)\n");
    let (out, _) = told(&[&path, "--format", "anqi"], 0);
    assert!(out.contains("header Rules is missing; read as darkchess"), "{out}");
    let output = replay(&[&path, "--format", "pgn"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(replay(&[]).status.code(), Some(2));
}

#[test]
fn a_match_in_one_file_is_checked_and_drawn() {
    // Red wins the first game, green the second, so green moves first in the third, which decides.
    let game = |number: u32, points: &str, first: &str, result: &str| {
        format!(
            "[Rules \"tombchess:first={first}\"]\n[BestOf \"3\"]\n[MatchGame \"{number}\"]\n\
             [MatchPoints \"{points}\"]\n[Result \"{result}\"]\n[Termination \"resignation\"]\n\n\
             1. a1(P) b1(p)\n{result}\n\n"
        )
    };
    let sound = [game(1, "0-0", "red", "1-0"), game(2, "1-0", "green", "1-0"), game(3, "1-1", "green", "0-1")].concat();
    let (folder, path) = file(sound.as_bytes());
    let pictures = folder.path().join("pictures");
    let (out, _) = told(&[&path, "--svg", pictures.to_str().unwrap(), "--theme", "dark"], 0);
    assert!(out.contains("game 3: anqi, tombchess:standard,first=green, 2 plies"), "{out}");
    assert!(out.ends_with("match of red and green: 2-1, red wins the match\n"), "{out}");
    for name in ["record-1-000.svg", "record-3-002.svg", "record-2.html"] {
        let text = std::fs::read_to_string(pictures.join(name)).unwrap();
        assert!(text.contains("<svg") || text.contains("record-2"), "{name}");
    }
    let wrong = sound.replace(
        "[Rules \"tombchess:first=green\"]\n[BestOf \"3\"]\n[MatchGame \"3\"]",
        "[Rules \"tombchess\"]\n[BestOf \"3\"]\n[MatchGame \"3\"]",
    );
    let (_folder, path) = file(wrong.as_bytes());
    let (out, err) = told(&[&path], 1);
    assert!(out.contains("line 21: red moves first; in this game of the match it is green"), "{out}");
    assert!(err.contains("game 3: line 21: red moves first"), "{err}");
}

//! Outside engines: our own binary serves as one, and scripts as those that fail.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

const ANQI: &str = env!("CARGO_BIN_EXE_anqi");

fn anqi(args: &[&str]) -> Output {
    Command::new(ANQI).args(args).stdin(Stdio::null()).output().unwrap()
}

/// Our own binary as an outside engine.
fn served(protocol: &str, agent: &str) -> String {
    format!("{protocol}:{ANQI},timeout=60000,args=engine --protocol {protocol} {agent}")
}

/// A match and its figures.
fn arena(args: &[&str]) -> Value {
    let output = anqi(&[&["arena"], args, &["--json", "-"]].concat());
    assert!(output.status.success(), "{args:?}: {output:?}");
    let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
    figures["matches"][0].clone()
}

fn score(figures: &Value) -> [f64; 3] {
    ["lower", "score", "upper"].map(|part| figures["score"][part].as_f64().unwrap())
}

/// How many games ended so.
fn ended(figures: &Value, reason: &str) -> u64 {
    figures["endings"][reason].as_u64().unwrap_or(0)
}

/// Engines written in shell: they play like greedy, but for the first process that has been asked so many times. What it
/// does then is the mode.
struct Script {
    folder: tempfile::TempDir,
    path: PathBuf,
}

const UCI: &str = r#"
case "$line" in
    uci) echo "id name script"; echo uciok ;;
    isready) echo readyok ;;
    position*) said="$line" ;;
    go*) trouble; printf '%s\ngo\n' "$said" | "$anqi" engine --protocol uci greedy ;;
    quit) exit ;;
esac
"#;

const DCTP: &str = r#"
case "$line" in
    0*|14*|16*) echo "=${line%% *}" ;;
    7*) said=""; echo "calling reset"; echo "=7" ;;
    10*|11*) said="$said$line
"; echo "=${line%% *}" ;;
    12*) trouble; printf '%s%s\n' "$said" "$line" | "$anqi" engine --protocol dctp greedy | grep '^.12' ;;
    5*) exit ;;
esac
"#;

impl Script {
    fn new(protocol: &str, asked: u32, mode: &str) -> Script {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine.sh");
        let text = format!(
            "#!/bin/sh\nanqi='{ANQI}'\nhere='{here}'\nasked=0\nsaid=\necho $$ >> \"$here/pids\"\n\
             trouble() {{\n    asked=$((asked + 1))\n    \
             if [ $asked -gt {asked} ] && mkdir \"$here/failed\" 2>/dev/null; then\n        {mode}\n    fi\n}}\n\
             while read -r line; do\n{loop_}\ndone\n",
            here = folder.path().display(),
            loop_ = if protocol == "uci" { UCI } else { DCTP },
        );
        // Written under another name: a file that is open for writing somewhere cannot be executed.
        let draft = folder.path().join("draft");
        fs::write(&draft, text).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&draft, &path).unwrap();
        Script { folder, path }
    }

    fn agent(&self, protocol: &str, options: &str) -> String {
        format!("{protocol}:{}{options}", self.path.display())
    }

    /// Plays four games against random: the figures, and why games were forfeited.
    fn plays(&self, protocol: &str, options: &str) -> (Value, Vec<String>) {
        let out = self.folder.path().join("games");
        let agent = self.agent(protocol, options);
        let args = [agent.as_str(), "random", "--pairs", "2", "--seed", "5", "--out", out.to_str().unwrap()];
        let figures = arena(&args);
        let records = fs::read_to_string(out.join("games.anqi")).unwrap();
        let forfeits = records.lines().filter_map(|line| line.strip_prefix("[Forfeit \""));
        (figures, forfeits.map(String::from).collect())
    }

    /// Whether a process of the script, or one it has noted, still runs.
    fn running(&self) -> bool {
        let pids = fs::read_to_string(self.folder.path().join("pids")).unwrap();
        assert!(!pids.is_empty());
        pids.lines().any(|pid| {
            let state = Command::new("ps").args(["-o", "stat=", "-p", pid]).output().unwrap().stdout;
            // Whoever took over a killed program may not have looked after it yet.
            state.first().is_some_and(|&state| state != b'Z')
        })
    }
}

/// Waits for what must come soon.
fn soon(mut what: impl FnMut() -> bool) -> bool {
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(10) {
        if what() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// 100 games a match; 1,000 with `ANQI_SLOW=1`.
#[test]
fn an_engine_scores_what_its_agent_scores() {
    let pairs = if std::env::var_os("ANQI_SLOW").is_some_and(|value| value == "1") { "500" } else { "50" };
    let match_of = |agent: &str, other: &str| arena(&[agent, other, "--pairs", pairs, "--seed", "2"]);
    let direct = match_of("greedy", "random");
    for protocol in ["uci", "dctp"] {
        let engine = served(protocol, "greedy");
        let over = match_of(&engine, "random");
        let (direct, over_score) = (score(&direct), score(&over));
        assert!(over_score[0] <= direct[2] && direct[0] <= over_score[2], "{protocol}: {over_score:?} {direct:?}");
        assert!(over_score[1] > 0.9 && ended(&over, "forfeit") == 0, "{protocol}: {over}");
        // Against the agent itself it is even.
        let even = match_of(&engine, "greedy");
        let even_score = score(&even);
        assert!(even_score[0] < 0.5 && 0.5 < even_score[2] && ended(&even, "forfeit") == 0, "{protocol}: {even}");
        // And so are two programs with the same agent.
        let itself = match_of(&engine, &served(protocol, "greedy --seed 5"));
        let own_score = score(&itself);
        assert!(own_score[0] < 0.5 && 0.5 < own_score[2] && ended(&itself, "forfeit") == 0, "{protocol}: {itself}");
    }
}

/// Killed by somebody else in the middle of a match, not in one of its own answers.
#[test]
fn an_engine_that_is_killed_from_outside_costs_one_game() {
    for protocol in ["uci", "dctp"] {
        let folder = tempfile::tempdir().unwrap();
        let (out, pids) = (folder.path().join("games"), folder.path().join("pids"));
        // A shell that notes its number and becomes the engine.
        let (draft, path) = (folder.path().join("draft"), folder.path().join("engine.sh"));
        let text = format!(
            "#!/bin/sh\necho $$ >> '{}'\nexec '{ANQI}' engine --protocol {protocol} expectimax:depth=1\n",
            pids.display()
        );
        fs::write(&draft, text).unwrap();
        fs::set_permissions(&draft, fs::Permissions::from_mode(0o755)).unwrap();
        fs::rename(&draft, &path).unwrap();
        let agent = format!("{protocol}:{},timeout=60000", path.display());
        let (figures, out_name) = (folder.path().join("figures.json"), out.to_str().unwrap());
        let mut child = Command::new(ANQI)
            .args(["arena", &agent, "random", "--pairs", "30", "--threads", "1", "--out", out_name, "--json"])
            .arg(&figures)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let done = || fs::read_to_string(out.join("sets.jsonl")).map_or(0, |text| text.lines().count());
        assert!(soon(|| done() >= 3) && done() < 25, "{protocol}: {} sets", done());
        let pids = fs::read_to_string(&pids).unwrap();
        let killed = Command::new("kill").args(["-9", pids.lines().nth(1).unwrap()]).status().unwrap();
        assert!(killed.success() && child.wait().unwrap().success(), "{protocol}");
        let figures: Value = serde_json::from_str(&fs::read_to_string(figures).unwrap()).unwrap();
        let figures = &figures["matches"][0];
        assert_eq!((figures["sets"].as_u64(), ended(figures, "forfeit")), (Some(30), 1), "{protocol}: {figures}");
        let records = fs::read_to_string(out.join("games.anqi")).unwrap();
        assert!(records.contains("[Forfeit \"ended (signal: 9 (SIGKILL)) "), "{protocol}");
    }
}

/// Many games at once share few programs, which are told each game anew when they come back to it: the plies are the same.
#[test]
fn programs_that_change_games_play_the_same() {
    let net = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints/darkchess");
    let net = format!("net:{}", net.display());
    for protocol in ["uci", "dctp"] {
        let engine = served(protocol, "greedy");
        let played =
            |pairs: &str, threads: &str| arena(&[&engine, &net, "--pairs", pairs, "--seed", "3", "--threads", threads]);
        let together = played("8", "1");
        assert_eq!(ended(&together, "forfeit"), 0, "{protocol}: {together}");
        // The same games in other company.
        assert_eq!(together["plies"], played("8", "2")["plies"], "{protocol}");
    }
}

#[test]
fn a_failing_engine_loses_one_game_and_the_match_goes_on() {
    for (protocol, mode, told) in [
        (
            "uci",
            "echo 'out of luck' >&2; exit 3",
            "ended (exit status: 3) and gave no bestmove; its last words: out of luck",
        ),
        ("uci", "kill -9 $$", "ended (signal: 9 (SIGKILL)) and gave no bestmove"),
        ("uci", "echo bestmove 42; return", "answered 'bestmove 42', which names no move, at "),
        ("uci", "echo bestmove '(none)'; return", "answered 'bestmove (none)', which names no move, at "),
        ("dctp", "exit 3", "ended (exit status: 3) and gave no answer to '12 genmove "),
        ("dctp", "echo '=12 a1'; return", "answered '=12 a1', which names no move"),
        ("dctp", "echo '?12 no idea'; return", "answered '?12 no idea' to 'genmove'"),
    ] {
        // In the middle of a game, and not at its start.
        let script = Script::new(protocol, 6, mode);
        let (figures, forfeits) = script.plays(protocol, ",timeout=60000");
        assert_eq!(ended(&figures, "forfeit"), 1, "{mode}: {figures}");
        assert!(forfeits.len() == 1 && forfeits[0].starts_with(told), "{mode}: {forfeits:?}");
        assert_eq!(figures["wins_draws_losses"], serde_json::json!([3, 0, 1]), "{mode}");
        assert!(soon(|| !script.running()), "{mode}");
    }
}

#[test]
fn an_illegal_move_loses_the_game() {
    // A jump across the board at the start, where everything is face down.
    for (protocol, move_) in [("uci", "echo bestmove a1h1; return"), ("dctp", "echo '=12 d1 d8'; return")] {
        let script = Script::new(protocol, 0, move_);
        let (figures, forfeits) = script.plays(protocol, ",timeout=60000");
        assert_eq!(ended(&figures, "forfeit"), 1, "{figures}");
        assert!(forfeits[0].starts_with("d1-d8 is not legal at "), "{forfeits:?}");
    }
}

/// It is killed with the program that it has started.
#[test]
fn a_late_engine_loses_the_game_and_is_ended() {
    for (protocol, mode, told) in [
        ("uci", "sleep 1000 & echo $! >> \"$here/pids\"; wait", "gave no bestmove within 1.2 s"),
        ("uci", "while :; do echo nonsense; done", "gave no bestmove within 1.2 s; its last line was 'nonsense'"),
        ("dctp", "sleep 1000 & echo $! >> \"$here/pids\"; wait", "gave no answer to '12 genmove "),
    ] {
        let script = Script::new(protocol, 2, mode);
        let started = Instant::now();
        let (figures, forfeits) = script.plays(protocol, ",timeout=1200");
        assert!(forfeits.iter().any(|forfeit| forfeit.starts_with(told)), "{mode}: {forfeits:?} {figures}");
        assert!(started.elapsed() < Duration::from_secs(60) && soon(|| !script.running()), "{mode}");
    }
    // The clock of a game.
    let script = Script::new("dctp", 2, "sleep 1000");
    let (_, forfeits) = script.plays("dctp", ",time=1200");
    assert!(forfeits.iter().any(|told| told.starts_with("used up its clock of 1.2 s for the game")), "{forfeits:?}");
}

#[test]
fn an_interrupt_ends_the_engines_too() {
    let script = Script::new("uci", 2, "trap '' HUP INT TERM; while :; do sleep 1; done");
    let agent = script.agent("uci", ",timeout=600000");
    let mut child = Command::new(ANQI).args(["arena", &agent, "random", "--pairs", "1"]).spawn().unwrap();
    assert!(soon(|| script.folder.path().join("failed").exists()) && script.running());
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    assert!(soon(|| child.try_wait().unwrap().is_some()) && soon(|| !script.running()));
}

#[test]
fn what_cannot_serve_is_one_line_at_the_start() {
    for (args, told) in [
        (
            &["arena", "random", "uci:/no/such/engine"][..],
            "agent 'uci:/no/such/engine': cannot start /no/such/engine: ",
        ),
        (&["arena", "random", "dctp:true"], "agent 'dctp:true': ended (exit status: 0) "),
        (&["arena", "random", "uci:x,depth=3"], "unknown option 'depth=3': known are movetime=MS, nodes=N, "),
        (&["arena", "random", "dctp:"], "a program must follow, such as dctp:./engine"),
        (&["arena", "random", "uci:true", "--game", "tombchess"], "dark chess on 4x8 squares without variants"),
        (&["engine", "--protocol", "dctp", "greedy", "--game", "tombchess"], "--game tombchess: the engines'"),
        (&["arena", "random", "dctp:true", "--game", "darkchess:gametower"], "not darkchess:gametower"),
        (&["play", "--with", "uci:/no/such/engine"], "cannot start /no/such/engine: "),
        (&["engine", "--protocol", "uci", "gredy"], "unknown agent 'gredy'"),
        (&["engine", "--protocol", "uci", "greedy", "--game", "darkchess:mini"], "--game darkchess:mini: the engines'"),
    ] {
        let output = anqi(args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{args:?}: {text}");
        assert!(text.contains(told), "{args:?}: {text}");
    }
}

/// A program that runs, but speaks something else.
#[test]
fn a_silent_program_is_given_up() {
    let silent = Script::new("dctp", 0, ":");
    let output = anqi(&["arena", "random", &silent.agent("uci", ",timeout=1")]);
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), text.lines().count()), (Some(2), 1), "{text}");
    assert!(
        text.contains("gave no bestmove after 'uci', 'isready', 'position fen ..' and 'go ..' within 10 s"),
        "{text}"
    );
    assert!(soon(|| !silent.running()));
}

/// One that knows no word of greeting is tried by a move.
#[test]
fn an_engine_that_only_moves_is_good_enough() {
    let script = Script::new("uci", 1_000, ":");
    let text = fs::read_to_string(&script.path).unwrap();
    let bare: String = text
        .lines()
        .filter(|line| !line.contains("uciok") && !line.contains("readyok"))
        .fold(String::new(), |text, line| text + line + "\n");
    fs::write(&script.path, bare).unwrap();
    let figures = arena(&[&script.agent("uci", ",timeout=60000"), "random", "--pairs", "1"]);
    assert_eq!((ended(&figures, "forfeit"), ended(&figures, "eliminated")), (0, 2), "{figures}");
}

/// A game from the middle is set up, where the engine can do that.
#[test]
fn a_person_plays_an_engine_from_a_position() {
    for protocol in ["uci", "dctp"] {
        let engine = served(protocol, "greedy");
        let mut child = Command::new(ANQI)
            .args(["play", "--with", &engine, "--position", "K7/8/1cR1p3/8 0 b - 0 40", "--seed", "1"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"hint\nc5-d5\n").unwrap();
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        // Red's chariot takes the cannon beside it.
        assert!(text.contains("ply 41: c3-c2"), "{protocol}: {text}{}", String::from_utf8_lossy(&output.stderr));
        assert!(text.contains(" 100 %; it expects "), "{text}");
    }
}

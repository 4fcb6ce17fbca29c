//! Training as users run it: what a run leaves, and that none is lost.

mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{TINY, anqi, json, path, refusal, stdout, tiny_train};
use serde_json::Value;

#[test]
fn train_then_eval() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let printed = stdout(&tiny_train(&["--plies", "1024", "--out", path(&out)]));
    assert!(printed.contains("against") && printed.contains("greedy") && printed.contains("checkpoint: "), "{printed}");
    let lines = std::fs::read_to_string(out.join("metrics.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 5, "four updates and the final scores: {lines}");
    assert!(
        std::fs::read_dir(&out).unwrap().any(|entry| entry.unwrap().file_name().to_string_lossy().contains("tfevents"))
    );
    let card: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("checkpoint/card.json")).unwrap()).unwrap();
    assert_eq!((card["plies"].as_u64(), card["ladder"].as_array().unwrap().len()), (Some(1024), 2));

    let checkpoint = out.join("checkpoint");
    let eval = |threads: &str| json(&["eval", path(&checkpoint), "--pairs", "4", "--threads", threads]);
    assert_eq!(eval("1"), eval("2"));
    assert_eq!(eval("1")["ladder"][0]["pairs"], 4);

    // A run is never overwritten.
    assert!(refusal(&["train", "--out", path(&out)]).contains("holds a run"));

    // A truncated network is refused by name.
    let model = checkpoint.join("model.safetensors");
    let bytes = std::fs::read(&model).unwrap();
    std::fs::write(&model, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refusal(&["eval", path(&checkpoint)]).contains("model.safetensors is damaged"));
}

/// A frozen network is trained against from its own weights, and what comes of it stands in its card; so does what it
/// gives away against exact play.
#[test]
fn a_card_tells_regret_and_exploitation() {
    let folder = tempfile::tempdir().unwrap();
    let [frozen, other, best] = ["frozen", "other", "best"].map(|name| folder.path().join(name));
    let small = "game=darkchess:mini,board=2x3,pieces=K1C1P1,quiet_limit=6";
    let common =
        ["--set", "rollout.games=8", "--set", "rollout.group=4", "--set", "rollout.plies=32", "--threads", "2"];
    let train = |out: &Path, game: &str| {
        let sets = ["--set", game, "--set", "net.width=32", "--set", "eval.final_pairs=0", "--plies", "1024"];
        stdout(&anqi(&[&["train", "--out", path(out)], &sets[..], &common].concat()))
    };
    train(&frozen, small);
    train(&other, "game=darkchess:mini");
    let checkpoint = frozen.join("checkpoint");
    let agent = format!("net:{}", path(&checkpoint));
    let sets = ["--plies", "512", "--pairs", "4", "--note"];
    let found = json(&[&["exploit", &agent, "--out", path(&best)], &sets[..], &common].concat());
    let score = found["exploited"]["score"].as_f64().unwrap();
    assert!((0.0..=1.0).contains(&score) && found["exploited"]["plies"] == 512, "{found}");
    let exact = json(&["eval", path(&checkpoint), "--pairs", "8", "--exact", "--note", "--against", "random"]);
    let mean = exact["exact"][0]["mean"].as_f64().unwrap();
    assert!((0.0..=2.0).contains(&mean) && exact["exact"][0]["choices"].as_u64().unwrap() > 20, "{exact}");
    let read = |name: &str| std::fs::read_to_string(checkpoint.join(name)).unwrap();
    let card: Value = serde_json::from_str(&read("card.json")).unwrap();
    assert_eq!((&card["exact"], &card["exploited"]), (&exact["exact"][0], &found["exploited"]));
    assert!(read("README.md").contains("mean regret") && read("README.md").contains("anqi exploit"));
    // The weights that training began with were the frozen network's.
    let begun = std::fs::read_to_string(best.join("checkpoint/config.toml")).unwrap();
    assert!(begun.contains(&format!("start = \"{}\"", path(&checkpoint))), "{begun}");

    let from = format!("start={}", path(&other));
    let wrong = refusal(&["train", "--set", &from, "--set", small, "--set", "net.width=32", "--plies", "8"]);
    assert!(wrong.contains("its network has shape"), "{wrong}");
    let wrong =
        refusal(&["train", "--set", &from, "--set", "game=darkchess:mini", "--set", "net.width=64", "--plies", "8"]);
    assert!(wrong.contains("tensor"), "{wrong}");
    assert!(refusal(&["exploit", "greedy", "--game", "duel", "--note"]).contains("only a checkpoint has a card"));
    assert!(refusal(&["exploit", "greedy", "--game", "chess"]).contains("unknown game 'chess'"));
    assert!(refusal(&["exploit", "greedy"]).contains("--game: expected the game that greedy plays"));
    let large = refusal(&["eval", "../checkpoints/darkchess", "--exact", "--pairs", "1"]);
    assert!(large.contains("--exact: repetition=cycle3"), "{large}");
    assert!(refusal(&["eval", "../checkpoints/duel", "--exact"]).contains("darkchess and tombchess only"));
}

#[test]
fn one_network_learns_several_games() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let mix = "mix=[\"darkchess:mini\", \"darkchess:mini,chain=dark\"]";
    let printed = stdout(&anqi(&[&["train"], TINY, &["--set", mix, "--plies", "1024", "--out", path(&out)]].concat()));
    assert!(printed.contains("greedy (darkchess:mini,chain=dark)"), "{printed}");
    let checkpoint = out.join("checkpoint");
    let figures = json(&["eval", path(&checkpoint), "--pairs", "4"]);
    assert_eq!(figures["ladder"].as_array().unwrap().len(), 4);
    assert_eq!(figures["ladder"][3]["game"], "darkchess:mini,chain=dark");
    // It goes on with both games, and plays no third one.
    stdout(&anqi(&["train", "--resume", path(&out), "--plies", "2048"]));
    let net = format!("net:{}", path(&checkpoint));
    stdout(&anqi(&["arena", &net, "random", "--game", "darkchess:mini,chain=dark", "--pairs", "2"]));
    let told = refusal(&["arena", &net, "random", "--game", "darkchess:mini,chain=open"]);
    assert!(told.contains("trained for darkchess:mini (") && told.contains("darkchess:mini,chain=dark ("), "{told}");
    for (mix, told) in [
        ("mix=[\"darkchess:mini\", \"darkchess\"]", "boards of the same size"),
        ("mix=[\"darkchess:mini\", \"go\"]", "unknown game 'go'"),
    ] {
        let out = folder.path().join("other");
        let told_here = refusal(&[&["train"], TINY, &["--set", mix, "--out", path(&out)]].concat());
        assert!(told_here.contains(told), "{told_here}");
    }
}

/// Hashes of every file of a checkpoint but those that hold times.
fn contents(checkpoint: &Path) -> Vec<(String, u64)> {
    let read = |name: &str| (name.to_string(), std::fs::read(checkpoint.join(name)).unwrap());
    let mut run: Value = serde_json::from_slice(&read("train_state/run.json").1).unwrap();
    run["counters"]["seconds"] = Value::Null;
    let files =
        [read("model.safetensors"), read("train_state/optimizer.bin"), ("run".into(), run.to_string().into_bytes())];
    let hash =
        |bytes: &[u8]| bytes.iter().fold(7u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    files.map(|(name, bytes)| (name, hash(&bytes))).into()
}

/// One update of the tiny run is 32 x 8 = 256 plies.
#[test]
fn twenty_updates_are_ten_and_ten_more() {
    let folder = tempfile::tempdir().unwrap();
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    // Schedules follow the limit, so the first part must know the whole limit: it is cut off at ten updates.
    let flat = [
        "--set",
        "schedule.learning_rate=[0.001, 0.001]",
        "--set",
        "schedule.magnet=[0.01, 0.01]",
        "--set",
        "schedule.material=[0.5, 0.5]",
        "--set",
        "schedule.draw_penalty=[0.5, 0.5]",
        "--set",
        "eval.final_pairs=0",
    ];
    let run = |args: &[&str]| stdout(&tiny_train(&[&flat, args].concat()));
    run(&["--threads", "1", "--plies", "5120", "--out", path(&whole)]);
    run(&["--threads", "1", "--plies", "2560", "--out", path(&parts)]);
    assert_ne!(contents(&whole.join("checkpoint")), contents(&parts.join("checkpoint")));
    stdout(&anqi(&["train", "--resume", path(&parts), "--plies", "5120"]));
    assert_eq!(contents(&whole.join("checkpoint")), contents(&parts.join("checkpoint")));
    // And the same on two threads.
    let threads = folder.path().join("threads");
    run(&["--threads", "2", "--plies", "5120", "--out", path(&threads)]);
    assert_eq!(contents(&whole.join("checkpoint")), contents(&threads.join("checkpoint")));
}

/// The same with a graph network and fixed opponents.
#[test]
fn junqi_goes_on_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let run = |name: &str, threads: &str, plies: &str| {
        let out = folder.path().join(name);
        let settings = [
            "rollout.games=8",
            "rollout.group=4",
            "rollout.plies=8",
            "ppo.minibatch=32",
            "ppo.micro_batch=16",
            "schedule.learning_rate=[0.001, 0.001]",
            "schedule.magnet=[0.01, 0.01]",
            "schedule.material=[0.5, 0.5]",
            "schedule.draw_penalty=[0.5, 0.5]",
            "rollout.opponents=['rules', 'greedy']",
            "rollout.teachers=['rules']",
            "schedule.imitate=[0.5, 0.5]",
            "critic.width=32",
            "critic.depth=1",
            "eval.final_pairs=0",
        ];
        let sets: Vec<&str> = settings.iter().flat_map(|set| ["--set", *set]).collect();
        let limits = ["train", "luzhanqi", "--threads", threads, "--plies", plies, "--out", path(&out)];
        stdout(&anqi(&[&limits, &sets[..]].concat()));
        out
    };
    let (whole, parts, threads) = (run("whole", "1", "640"), run("parts", "1", "320"), run("threads", "2", "640"));
    let card: Value = serde_json::from_slice(&std::fs::read(whole.join("checkpoint/card.json")).unwrap()).unwrap();
    assert_eq!(card["net"]["arch"], "graph");
    stdout(&anqi(&["train", "--resume", path(&parts), "--plies", "640"]));
    assert_eq!(contents(&whole.join("checkpoint")), contents(&parts.join("checkpoint")));
    assert_eq!(contents(&whole.join("checkpoint")), contents(&threads.join("checkpoint")));
    assert_eq!(card["critic"]["width"], 32);
    let net = format!("net:{}", path(&whole.join("checkpoint")));
    // The critic that stands beside the network judges worlds.
    let searching = format!("{net},search=worlds,n=4,plies=2");
    json(&["arena", &searching, "random", "--game", "luzhanqi", "--pairs", "1"]);
    assert!(refusal(&["arena", &net, "random", "--game", "duel"]).contains("trained for luzhanqi:dark"));
    let told = refusal(&["train", "duel", "--set", "rollout.opponents=[\"nobody\"]"]);
    assert!(told.contains("rollout.opponents: unknown agent 'nobody'"), "{told}");
    let told =
        refusal(&["train", "duel", "--set", "rollout.teachers=['rules']", "--set", "rollout.opponents=['greedy']"]);
    assert!(told.contains("rollout.teachers: 'rules' is none of rollout.opponents"), "{told}");
    let told = refusal(&["train", "duel", "--set", "rollout.teachers=[]", "--set", "schedule.imitate=[1.0, 0.0]"]);
    assert!(told.contains("config schedule.imitate: there are no rollout.teachers"), "{told}");
    let told = refusal(&["train", "darkchess:mini", "--set", "critic.width=32", "--set", "critic.depth=1"]);
    assert!(told.contains("have no place for hidden pieces; expected critic.width = 0"), "{told}");
}

/// Holds 20 updates at once to 10, and 10 more, and to 20 on two threads; gives the checkpoint of 20.
fn goes_on(folder: &Path, preset: &str, settings: &[&str]) -> PathBuf {
    let sets: Vec<&str> = settings.iter().flat_map(|set| ["--set", *set]).collect();
    let run = |name: &str, threads: &str, plies: &str| {
        let out = folder.join(name);
        let limits = ["train", "darkchess:mini", "--preset", preset, "--threads", threads, "--plies", plies];
        stdout(&anqi(&[&limits[..], &["--out", path(&out)], &sets].concat()));
        out.join("checkpoint")
    };
    let (whole, parts, threads) = (run("whole", "1", "2560"), run("parts", "1", "1280"), run("threads", "2", "2560"));
    assert_ne!(contents(&whole), contents(&parts));
    stdout(&anqi(&["train", "--resume", path(parts.parent().unwrap()), "--plies", "2560"]));
    assert_eq!(contents(&whole), contents(&parts));
    assert_eq!(contents(&whole), contents(&threads));
    whole
}

/// The same for a policy that imitates a search.
#[test]
fn imitation_goes_on_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        "net.width=32",
        "rollout.games=8",
        "rollout.group=4",
        "rollout.plies=16",
        "gumbel.sims=6",
        "ppo.minibatch=64",
        "ppo.micro_batch=16",
        "schedule.learning_rate=[0.001, 0.001]",
        "eval.final_pairs=0",
    ];
    let whole = goes_on(folder.path(), "gumbel", &settings);
    let eval = |search: &str| json(&["eval", path(&whole), "--against", "random", "--pairs", "2", "--search", search]);
    assert_eq!(eval("mcts,sims=4"), eval("mcts,sims=4"));
    let none = folder.path().join("none");
    let told = refusal(&["train", "duel", "--set", "method=gumbel", "--out", path(&none)]);
    assert!(told.contains("duel:dark has no tree search"), "{told}");
    let told = refusal(&["train", "--set", "gumbel.sims=0", "--out", path(&none)]);
    assert!(told.contains("expected 1 to 100,000 simulations"), "{told}");
    assert!(refusal(&["eval", path(&whole), "--search", "mcts"]).contains("--search mcts: search=mcts needs"));
    assert!(refusal(&["eval", path(&whole), "--search", "deep"]).contains("--search deep: "));
}

/// The same for a policy that imitates a teacher, and who can be one.
#[test]
fn lessons_of_a_teacher_go_on_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        "imitate.teacher=\"expectimax:depth=2\"",
        "net.width=32",
        "net.depth=1",
        "rollout.games=8",
        "rollout.group=4",
        "rollout.plies=16",
        "ppo.minibatch=64",
        "ppo.micro_batch=16",
        "schedule.learning_rate=[0.001, 0.001]",
        "eval.final_pairs=0",
    ];
    goes_on(folder.path(), "imitate", &settings);
    for (teacher, told) in [
        ("", "needs an agent, such as \"expectimax:depth=3\""),
        ("nobody", "imitate.teacher: unknown agent 'nobody'"),
        ("rules", "there are no such rules for this game"),
        ("uci:some/engine", "an outside engine tells no policy"),
    ] {
        let teacher = format!("imitate.teacher=\"{teacher}\"");
        let out = folder.path().join("none");
        let found = refusal(&["train", "--preset", "imitate", "--set", &teacher, "--out", path(&out)]);
        assert!(found.contains(told), "{found}");
    }
    let large = ["arena", "exact", "random", "--game", "darkchess:taiwan,repetition=none"];
    assert!(refusal(&large).contains("too large"));
}

/// The same with a value network, which then plays alone and judges for both searches.
#[test]
fn a_value_goes_on_byte_for_byte_and_plays() {
    let folder = tempfile::tempdir().unwrap();
    let settings = [
        "net.width=32",
        "rollout.games=8",
        "rollout.group=4",
        "rollout.plies=16",
        "td.minibatch=64",
        "td.micro_batch=16",
        "td.explore=[0.1, 0.1]",
        "td.teacher=0.0",
        "schedule.learning_rate=[0.001, 0.001]",
        "eval.final_pairs=0",
    ];
    let whole = goes_on(folder.path(), "value", &settings);
    let card: Value = serde_json::from_slice(&std::fs::read(whole.join("card.json")).unwrap()).unwrap();
    assert_eq!((card["net"]["arch"].as_str(), card["updates"].as_u64()), (Some("value"), Some(20)));

    let net = format!("net:{}", path(&whole));
    let arena = |agent: &str| json(&["arena", agent, "random", "--game", "darkchess:mini", "--pairs", "2"]);
    for options in ["", ",search=expectimax,depth=2", ",search=expectimax,nodes=50,tables=3", ",search=mcts,sims=8"] {
        let agent = format!("{net}{options}");
        assert_eq!(arena(&agent)["matches"], arena(&agent)["matches"], "{options}");
    }
    json(&["eval", path(&whole), "--against", "random", "--pairs", "2"]);
    let told = refusal(&["arena", &format!("{net},temperature=1"), "random", "--game", "darkchess:mini"]);
    assert!(told.contains("a value network has no policy to draw from"), "{told}");
    let policy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../checkpoints/darkchess");
    let policy = format!("net:{},search=expectimax,depth=2", path(&policy));
    let told = refusal(&["arena", &policy, "random", "--game", "darkchess"]);
    assert!(told.contains("search=expectimax needs a value network"), "{told}");
    for (arguments, told) in [
        (["train", "duel", "--set", "method=td"], "needs net.arch = \"value\""),
        (["train", "darkchess", "--set", "net.arch=value"], "expected method = \"td\""),
        (["train", "duel", "--preset", "value"], "has no value networks"),
    ] {
        let out = folder.path().join("none");
        let found = refusal(&[&arguments[..], &["--out", path(&out)]].concat());
        assert!(found.contains(told), "{found}");
    }
}

/// A network that learns nothing never beats the first one, so the run ends after two measurements more and says why;
/// resumed without that limit it goes on.
#[test]
fn a_run_that_gets_no_better_ends_and_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let settings = ["--set", "eval.minutes=0.00001", "--set", "eval.patience=2", "--set", "eval.pairs=4"];
    let still = ["--set", "schedule.learning_rate=[0.0, 0.0]", "--plies", "5120", "--out", path(&out)];
    let printed = stdout(&tiny_train(&[&settings[..], &still[..]].concat()));
    let told = "ended early: the network of 256 plies was not beaten in 2 measurements in a row";
    assert!(printed.contains(told) && printed.contains("the best network is that of 256 plies"), "{printed}");
    let card = |name: &str| -> Value {
        serde_json::from_str(&std::fs::read_to_string(out.join(name).join("card.json")).unwrap()).unwrap()
    };
    assert_eq!((card("best")["updates"].as_u64(), card("checkpoint")["updates"].as_u64()), (Some(1), Some(3)));
    // The best one's card has the report, on deals of its own; a run's folder stands for it.
    assert_eq!(card("best")["ladder"][0]["pairs"], 4);
    let lines = std::fs::read_to_string(out.join("metrics.jsonl")).unwrap();
    assert_eq!(lines.matches("\"strength/best so far\":0.5,").count(), 2, "{lines}");
    assert!(json(&["eval", path(&out), "--pairs", "2"])["checkpoint"].as_str().unwrap().ends_with("best"));

    let resume = ["train", "--resume", path(&out), "--set", "eval.patience=0", "--plies", "1024"];
    let printed = stdout(&anqi(&resume));
    assert!(!printed.contains("ended early") && printed.contains("the best network is that of 256 plies"), "{printed}");
    assert_eq!(card("checkpoint")["updates"].as_u64(), Some(4));
    // Without the folder, the search for the best one begins anew.
    std::fs::remove_dir_all(out.join("best")).unwrap();
    let printed = stdout(&anqi(&["train", "--resume", path(&out), "--plies", "1536"]));
    assert!(printed.contains("the best network is that of 1,280 plies"), "{printed}");
}

/// A network that learns takes the place of the first one, and is the same one on any number of threads.
#[test]
fn a_network_that_gets_better_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let best = |threads: &str| {
        let out = folder.path().join(threads);
        let settings = ["--set", "eval.minutes=0.00001", "--set", "eval.pairs=10", "--set", "eval.against=[]"];
        let limits = ["darkchess:mini", "--plies", "4096", "--threads", threads, "--out", path(&out)];
        stdout(&tiny_train(&[&limits[..], &settings[..]].concat()));
        let card = std::fs::read_to_string(out.join("best/card.json")).unwrap();
        let card: Value = serde_json::from_str(&card).unwrap();
        (card["updates"].as_u64(), std::fs::read(out.join("best/model.safetensors")).unwrap())
    };
    let (updates, weights) = best("1");
    assert!(updates > Some(1), "{updates:?}");
    assert_eq!((updates, weights), best("2"));
}

/// A short run of each method on the 2x4 board, in a folder of its own.
fn short_run(folder: &Path, preset: &str) -> PathBuf {
    let out = folder.join(preset);
    let settings = [
        "net.width=32",
        "rollout.games=8",
        "rollout.group=4",
        "rollout.plies=8",
        "gumbel.sims=4",
        "ppo.minibatch=32",
        "ppo.micro_batch=16",
        "eval.final_pairs=0",
    ];
    let sets: Vec<&str> = settings.iter().flat_map(|set| ["--set", *set]).collect();
    let limits = ["train", "darkchess:mini", "--preset", preset, "--plies", "128", "--out", path(&out)];
    stdout(&anqi(&[&limits[..], &sets].concat()));
    out
}

/// Weights so large that sums overflow: the run stops at the first update, and leads to its last checkpoint.
#[test]
fn a_number_that_is_none_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for preset in ["quick", "gumbel", "value"] {
        let out = short_run(folder.path(), preset);
        let model = out.join("checkpoint/model.safetensors");
        let mut bytes = std::fs::read(&model).unwrap();
        let header = u64::from_le_bytes(bytes[..8].try_into().unwrap()) as usize + 8;
        bytes[header..].chunks_exact_mut(4).for_each(|weight| weight.copy_from_slice(&1e38f32.to_le_bytes()));
        std::fs::write(&model, &bytes).unwrap();
        let output = anqi(&["train", "--resume", path(&out), "--plies", "1024", "--set", "td.teacher=0.0"]);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{preset}: {told}");
        let expected = format!("the last good checkpoint is {}", path(&out.join("checkpoint")));
        assert!(
            told.lines().count() == 1 && told.contains("update 3: ") && told.contains(&expected),
            "{preset}: {told}"
        );
        assert_eq!(std::fs::read(&model).unwrap(), bytes, "{preset}: the checkpoint stands as it was");
    }
}

/// No file may grow beyond 4 KiB, as on a disk that is full: the run ends with one line, and the checkpoint from before
/// is whole.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    for preset in ["quick", "gumbel", "value"] {
        let out = short_run(folder.path(), preset);
        let before = contents(&out.join("checkpoint"));
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$@\"";
        let resume =
            ["-c", script, "sh", env!("CARGO_BIN_EXE_anqi"), "train", "--resume", path(&out), "--plies", "1024"];
        let output = Command::new("sh").args(resume).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && told.lines().count() == 1 && told.contains("too large"),
            "{preset}: {told}"
        );
        assert_eq!(contents(&out.join("checkpoint")), before, "{preset}");
        let staged = std::fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name());
        let staged: Vec<_> = staged.filter(|name| name.to_string_lossy().starts_with(".")).collect();
        assert!(staged.is_empty(), "{preset}: {staged:?} lies about");
        stdout(&anqi(&["train", "--resume", path(&out), "--plies", "192"]));
    }
}

#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_and_an_interrupted_one_saves() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let start = |resume: bool| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_anqi"));
        match resume {
            false => command.arg("train").args(TINY).args([
                "--minutes",
                "10",
                "--set",
                "checkpoint_minutes=0.002",
                "--out",
                path(&out),
            ]),
            true => command.args(["train", "--resume", path(&out)]),
        };
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let updates = || -> u64 {
        let card = std::fs::read_to_string(out.join("checkpoint/card.json")).unwrap_or_default();
        serde_json::from_str::<Value>(&card).ok().and_then(|card| card["updates"].as_u64()).unwrap_or(0)
    };
    let wait_for = |more_than: u64| {
        let started = Instant::now();
        while updates() <= more_than {
            assert!(started.elapsed() < Duration::from_secs(60), "no checkpoint after {more_than} updates");
            std::thread::sleep(Duration::from_millis(20));
        }
    };
    let mut killed = start(false);
    wait_for(3);
    killed.kill().unwrap();
    killed.wait().unwrap();
    // Killed at a bad moment, the last whole checkpoint may stand aside; the command finds it.
    let before = updates();

    let interrupted = start(true);
    wait_for(before.max(3));
    let pid = interrupted.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let output = interrupted.wait_with_output().unwrap();
    let printed = stdout(&output);
    assert!(printed.contains("stopped early; go on with: anqi train --resume"), "{printed}");
    assert!(updates() > before);

    // The figures hold each update once, in order.
    let lines = std::fs::read_to_string(out.join("metrics.jsonl")).unwrap();
    let numbers: Vec<u64> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["updates"].as_u64().unwrap()).collect();
    assert!(numbers.iter().copied().eq(1..=updates()), "{numbers:?}");
}

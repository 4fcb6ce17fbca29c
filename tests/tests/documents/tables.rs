//! The generated parts of the documents, by name.

use std::path::Path;

use anqi_env::any::{AnyRules, families};
use anqi_env::darkchess::observe::{ENCODING, NUM_PLANES, NUM_SCALARS, PLANES, SCALARS};
use anqi_env::darkchess::rules::{Family, PROFILES};
use anqi_env::darkchess::{DarkChess, Move};
use anqi_env::game::{Action, Game, Reason, Status};
use anqi_env::junqi::{self, signal::SIGNALS};
use anqi_env::record::{Format, Record};
use anqi_env::rng::Rng;

use crate::boards::{self, captures, drawn, pieces};

/// The games of junqi, which share a page.
pub(crate) const JUNQI: [&str; 3] = ["siguo", "duel", "luzhanqi"];

/// What a generated part should be.
type Generate = fn(&Path) -> String;

/// Every generated part. Some need a file of the repository, whose root they get.
pub(crate) const PARTS: &[(&str, Generate)] = &[
    ("profiles", |_| profiles(Family::DarkChess)),
    ("options", |_| options(Family::DarkChess)),
    ("pieces", |_| pieces(Family::DarkChess)),
    ("captures", |_| captures(&game("taiwan"), true)),
    ("captures-hongkong", |_| captures(&game("hongkong"), false)),
    ("board", |_| boards::board(boards::EXAMPLE)),
    ("position", |_| drawn("darkchess", boards::EXAMPLE)),
    ("chain", |_| drawn("darkchess:gametower-dark-chain,chariot_rush=true", boards::CHAIN)),
    ("chase", |_| drawn("darkchess:gametower", boards::CHASE)),
    ("record", |_| record("darkchess:mini", 2)),
    ("chain-record", |_| record(STOPPING, with_stop())),
    ("defects", defects),
    ("perft", |_| perft()),
    ("random-play", |_| random_play()),
    ("tomb-profiles", |_| profiles(Family::TombChess)),
    ("tomb-options", |_| options(Family::TombChess)),
    ("tomb-pieces", |_| pieces(Family::TombChess)),
    ("tomb-captures", |_| captures(&tomb("standard"), false)),
    ("tomb-position", |_| drawn("tombchess", boards::TOMB)),
    ("tomb-record", |_| record("tombchess:standard,board=2x4,pieces=K1N1P2", 3)),
    ("tomb-perft", |_| tomb_perft()),
    ("tomb-random-play", |_| tomb_random_play()),
    ("junqi-options", |_| junqi_options()),
    ("junqi-signals", |_| junqi_signals()),
    ("junqi-features", |_| groups(junqi::observe::PLANES, junqi::observe::FEATURES, "feature")),
    ("junqi-scalars", |_| groups(junqi::observe::SCALARS, 64 + SIGNALS.len(), "scalar")),
    ("planes", |_| groups(PLANES, NUM_PLANES, "plane")),
    ("scalars", |_| groups(SCALARS, NUM_SCALARS, "scalar")),
    ("actions", |_| actions()),
    ("sizes", |_| sizes()),
    ("presets", presets),
];

/// Chains on a board that is small enough for a short game.
const STOPPING: &str = "darkchess:gametower-dark-chain,board=2x4,pieces=K1G1C1P1";

/// A part as the documents hold it.
pub(crate) fn part(name: &str, root: &Path) -> Option<String> {
    PARTS.iter().find(|(known, _)| *known == name).map(|(_, generate)| generate(root).trim().to_string())
}

pub(crate) fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.map(String::from)) + "|" + &"---|".repeat(N) + "\n";
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

pub(crate) fn fenced(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n", lines.join("\n").trim_end())
}

pub(crate) fn code(text: &str) -> String {
    format!("`{text}`")
}

/// Dark chess under these rules.
fn game(rules: &str) -> DarkChess {
    DarkChess::parse(rules).expect("the rules of a document")
}

/// Tomb Chess under these rules.
fn tomb(rules: &str) -> DarkChess {
    DarkChess::parse_tomb(rules).expect("the rules of a document")
}

/// Each profile with the options in which it differs from the family's default.
fn profiles(family: Family) -> String {
    let default = family.default_rules();
    let rows = family.profiles().map(|profile| {
        let differs = family.options().filter(|option| (option.get)(&profile.rules) != (option.get)(&default));
        let differs: Vec<String> =
            differs.map(|option| code(&format!("{}={}", option.name, (option.get)(&profile.rules)))).collect();
        let differs = if differs.is_empty() { "the defaults".to_string() } else { differs.join(" ") };
        [code(profile.name), differs, profile.about.into(), profile.source.into()]
    });
    table(["profile", "options", "what it is", "source"], rows)
}

fn options(family: Family) -> String {
    let default = family.default_rules();
    let rows = family
        .options()
        .map(|option| [code(option.name), code(&(option.get)(&default)), option.about.into(), option.source.into()]);
    table(["option", "default", "meaning and values", "source"], rows)
}

/// Every option of the games of junqi, with the games that have it.
fn junqi_options() -> String {
    let games = || families().into_iter().filter(|family| JUNQI.contains(&family.name));
    let mut rows: Vec<[String; 5]> = Vec::new();
    for family in games() {
        for (name, default, about, source) in &family.options {
            match rows.iter_mut().find(|row| row[0] == code(name)) {
                Some(row) => row[4] += &format!(", {}", family.name),
                None => {
                    rows.push([code(name), code(default), about.to_string(), source.to_string(), family.name.into()])
                }
            }
        }
    }
    table(["option", "default", "meaning and values", "source", "games"], rows)
}

/// The signals that allies have for each other.
fn junqi_signals() -> String {
    table(
        ["signal", "暗號", "meaning"],
        SIGNALS.map(|(name, chinese, english)| [code(name), chinese.into(), english.into()]),
    )
}

/// A short whole game: always a legal action of the same stream.
fn record(rules: &str, seed: u64) -> String {
    let mut game = AnyRules::parse(rules).expect("the rules of a document").start(seed);
    let mut rng = Rng::new(seed);
    while game.status().is_ongoing() {
        let legal = game.legal_actions();
        game.step(legal[rng.below(legal.len() as u32) as usize].into()).expect("a legal action");
    }
    fenced(&game.record().to_string())
}

/// The first seed of a game of at most twenty rounds in which a seat ends a chain before it must.
fn with_stop() -> u64 {
    let has_stop = |seed: &u64| {
        let text = record(STOPPING, *seed);
        text.contains(" stop") && text.lines().count() < 30
    };
    (1..10_000).find(has_stop).expect("a game with a stop")
}

/// What the reader says about the example game of the source.
fn defects(root: &Path) -> String {
    let text = std::fs::read_to_string(root.join("tests/data/source/example.txt")).expect("the example");
    let format = Format::detect(&text).expect("a format");
    let defects = Record::read(&text, format, None, false).defects;
    let rows = defects.into_iter().map(|defect| {
        let ply = defect.ply.map(|ply| ply.to_string()).unwrap_or_default();
        [defect.line.to_string(), ply, defect.grade.name().into(), defect.wrong, defect.right]
    });
    table(["line", "ply", "grade", "what is wrong", "how it is understood"], rows)
}

fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Leaves from the start, each game to a depth of its own.
fn perft_of<const N: usize>(depths: u32, head: [&str; N], games: &[(DarkChess, u32)]) -> String {
    let rows = (1..=depths).map(|depth| {
        let leaves = |game: &DarkChess, most| {
            if depth <= most { grouped(game.perft(&game.start(), depth)) } else { String::new() }
        };
        let mut cells = vec![depth.to_string()];
        cells.extend(games.iter().map(|(game, most)| leaves(game, *most)));
        <[String; N]>::try_from(cells).expect("a column a game")
    });
    table(head, rows)
}

fn perft() -> String {
    let games = [(game("taiwan"), 3), (game("gametower-dark-chain"), 3), (game("hongkong"), 3), (game("mini"), 5)];
    let head =
        ["depth", "`darkchess:taiwan`", "`darkchess:gametower-dark-chain`", "`darkchess:hongkong`", "`darkchess:mini`"];
    perft_of(5, head, &games)
}

fn tomb_perft() -> String {
    perft_of(3, ["depth", "`tombchess:standard`"], &[(tomb("standard"), 3)])
}

/// Games of uniformly random play for each row.
const RANDOM_GAMES: u32 = 10_000;

/// Options, and the share of draws and the mean length that another program found in 200,000 games.
const RANDOM_PLAY: &[(&str, Option<(f64, f64)>)] = &[
    ("taiwan,quiet_limit=40,repetition=none", Some((0.866, 210.0))),
    ("taiwan,quiet_limit=50,repetition=none", Some((0.786, 238.0))),
    ("taiwan,quiet_limit=60,repetition=none", Some((0.704, 260.0))),
    ("taiwan,quiet_limit=100,repetition=none", Some((0.451, 318.0))),
    ("taiwan,quiet_limit=180,repetition=none", Some((0.240, 364.0))),
    ("taiwan", None),
    ("icga", None),
    ("mini", None),
    ("zhengba", None),
    ("gametower", None),
    ("gametower,chariot_rush=true", None),
    ("gametower-open-chain", None),
    ("gametower-dark-chain", None),
    ("gametower-dark-chain,dark_fail=suicide", None),
    ("hongkong", None),
    ("mainland", None),
    ("mainland60", None),
];

/// How random games under some rules ended.
#[derive(Default)]
struct Played {
    wins: [u32; 2],
    draws: u32,
    by_points: u32,
    plies: u64,
}

impl Played {
    /// Plays them: one stream a row of the table and game.
    fn of(game: &DarkChess, row: u64) -> Played {
        let mut played = Played::default();
        for number in 0..RANDOM_GAMES {
            let mut rng = Rng::branch(1, &[row, number.into()]);
            let mut state = game.deal(&mut rng);
            while game.status(&state).is_ongoing() {
                let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
                game.play(&mut state, action);
            }
            let reason = match game.status(&state) {
                Status::Win(seat, reason) => {
                    played.wins[usize::from(seat)] += 1;
                    Some(reason)
                }
                Status::Draw(reason) => {
                    played.draws += 1;
                    Some(reason)
                }
                Status::Ongoing => None,
            };
            played.by_points += u32::from(reason == Some(Reason::Points));
            played.plies += u64::from(game.plies(&state));
        }
        played
    }

    fn mean(&self) -> f64 {
        self.plies as f64 / f64::from(RANDOM_GAMES)
    }
}

fn share(count: u32) -> f64 {
    f64::from(count) / f64::from(RANDOM_GAMES)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

fn random_play() -> String {
    let rows = RANDOM_PLAY.iter().zip(0u64..).map(|(&(rules, known), row)| {
        let played = Played::of(&game(rules), row);
        let (draws, mean) = (share(played.draws), played.mean());
        let mut other = [String::new(), String::new()];
        if let Some((known_draws, known_mean)) = known {
            // Four standard errors of a share; lengths of random games spread by about 130 plies.
            let error = (known_draws * (1.0 - known_draws) / f64::from(RANDOM_GAMES)).sqrt();
            assert!((draws - known_draws).abs() < 4.0 * error, "{rules}: {draws}");
            assert!((mean - known_mean).abs() < 4.0 * 130.0 / f64::from(RANDOM_GAMES).sqrt(), "{rules}: {mean}");
            other = [percent(known_draws), format!("{known_mean:.0}")];
        }
        let [other_draws, other_mean] = other;
        let [first, second] = played.wins.map(|count| percent(share(count)));
        [code(rules), first, second, percent(draws), format!("{mean:.0}"), other_draws, other_mean]
    });
    table(["rules", "first seat wins", "second seat wins", "draws", "plies", "draws there", "plies there"], rows)
}

fn tomb_random_play() -> String {
    let rows = ["standard", "web", "standard,first=green", "standard,quiet_limit=200"];
    let rows = rows.into_iter().zip(0u64..).map(|(rules, row)| {
        let played = Played::of(&tomb(rules), row);
        let [first, second] = played.wins.map(|count| percent(share(count)));
        let [draws, by_points] = [played.draws, played.by_points].map(|count| percent(share(count)));
        [code(rules), first, second, draws, by_points, format!("{:.0}", played.mean())]
    });
    table(["rules", "first seat wins", "second seat wins", "equal points", "decided by points", "plies"], rows)
}

fn groups(groups: &[(usize, usize, &str)], count: usize, what: &str) -> String {
    assert!(groups.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0), "{what}s with a gap");
    assert_eq!((groups[0].0, groups[groups.len() - 1].1 + 1), (0, count), "{what}s");
    let number = |first: usize, last: usize| if first == last { format!("{first}") } else { format!("{first}-{last}") };
    table([what, "holds"], groups.iter().map(|&(first, last, holds)| [number(first, last), holds.to_string()]))
}

fn apart(game: &DarkChess, action: Action) -> &'static str {
    let cols = game.spec().planes[2];
    match game.what(action) {
        Move::Flip(_) => "flip",
        Move::Stop => "stop",
        Move::Step(from, to) => {
            let (from, to) = (usize::from(from), usize::from(to));
            let distance = (from / cols).abs_diff(to / cols) + (from % cols).abs_diff(to % cols);
            if distance == 1 { "step to a neighbour, to move or to capture" } else { "longer line, by (from, to)" }
        }
    }
}

fn actions() -> String {
    let ranges = |game: &DarkChess| {
        let mut ranges: Vec<(&str, Action, Action)> = Vec::new();
        for action in 0..game.spec().num_actions as Action {
            match ranges.last_mut() {
                Some((what, _, last)) if *what == apart(game, action) => *last = action,
                _ => ranges.push((apart(game, action), action, action)),
            }
        }
        ranges
    };
    let range = |(_, first, last): &(&str, Action, Action)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let taiwan = game("taiwan");
    let [mini, tomb] = [game("mini"), tomb("standard")].map(|game| ranges(&game));
    let other = |ranges: &[(&str, Action, Action)], what| {
        ranges.iter().find(|(other, ..)| *other == what).map_or("none".to_string(), range)
    };
    let rows = ranges(&taiwan).into_iter().map(|full| {
        let (what, first, last) = full;
        let names = [first, first + 1, last].map(|action| code(&taiwan.action_name(action)));
        let examples =
            if first == last { names[0].clone() } else { format!("{}, {} .. {}", names[0], names[1], names[2]) };
        [what.into(), range(&full), (last - first + 1).to_string(), examples, other(&mini, what), other(&tomb, what)]
    });
    table(["what", "4x8", "how many", "names", "2x4", "Tomb Chess, 6x6"], rows)
}

fn sizes() -> String {
    let rows = PROFILES.iter().map(|profile| {
        let game = DarkChess::new(profile.rules).expect("a profile");
        let spec = game.spec();
        let [planes, rows, cols] = spec.planes;
        [
            code(&spec.name),
            ENCODING.to_string(),
            format!("({planes}, {rows}, {cols})"),
            spec.num_scalars.to_string(),
            spec.num_actions.to_string(),
            game.symmetries(0).len().to_string(),
            format!("`{:016x}`", spec.rules_hash),
        ]
    });
    table(["game", "encoding", "(C, H, W)", "K", "A", "symmetries", "rules hash"], rows)
}

/// A preset's first comment line and its game.
fn presets(root: &Path) -> String {
    let mut rows = Vec::new();
    let folder = root.join("train/presets");
    let mut files: Vec<_> = std::fs::read_dir(&folder).expect("presets").filter_map(Result::ok).collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("a preset");
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.trim_start().strip_prefix('='));
            line.map(|value| code(value.trim().trim_matches('"'))).unwrap_or_default()
        };
        let about = text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or_default();
        let name = file.file_name().to_string_lossy().trim_end_matches(".toml").to_string();
        rows.push([code(&name), value("game"), value("minutes"), about.to_string()]);
    }
    table(["preset", "game", "minutes", "what it is"], rows)
}

//! The generated parts of the documents, by name.

use std::path::Path;

use anqi_env::any::AnyRules;
use anqi_env::darkchess::observe::{ENCODING, NUM_PLANES, NUM_SCALARS, PLANES, SCALARS};
use anqi_env::darkchess::rules::{OPTIONS, PROFILES};
use anqi_env::darkchess::{Cell, Colour, DarkChess, Kind, Move, Piece, Position};
use anqi_env::game::{Action, Game, Status};
use anqi_env::rng::Rng;

/// What a generated part should be.
type Generate = fn(&Path) -> String;

/// Every generated part. Some need a file of the repository, whose root they get.
pub(crate) const PARTS: &[(&str, Generate)] = &[
    ("profiles", |_| profiles()),
    ("options", |_| options()),
    ("pieces", |_| pieces()),
    ("captures", |_| captures()),
    ("board", |_| board(EXAMPLE)),
    ("position", |_| drawn(EXAMPLE)),
    ("record", |_| record()),
    ("perft", |_| perft()),
    ("random-play", |_| random_play()),
    ("planes", |_| groups(PLANES, NUM_PLANES, "plane")),
    ("scalars", |_| groups(SCALARS, NUM_SCALARS, "scalar")),
    ("actions", |_| actions()),
    ("sizes", |_| sizes()),
    ("presets", presets),
];

/// A position for drawings: the cannon on c2 has a face-down screen on c3 and a target on c5; red is to move.
const EXAMPLE: &str = "XX1g2XX/XK1pXXX1/XCX1r2X/X1XmXX1n 0 r M2R2N1C1P4k1n1c1p2 2 41 last=c6-c5";

/// A part as the documents hold it.
pub(crate) fn part(name: &str, root: &Path) -> Option<String> {
    PARTS.iter().find(|(known, _)| *known == name).map(|(_, generate)| generate(root).trim().to_string())
}

fn table<const N: usize>(head: [&str; N], rows: impl IntoIterator<Item = [String; N]>) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let mut text = line(&head.map(String::from)) + "|" + &"---|".repeat(N) + "\n";
    rows.into_iter().for_each(|row| text += &line(&row));
    text
}

fn fenced(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    format!("```text\n{}\n```\n", lines.join("\n").trim_end())
}

fn code(text: &str) -> String {
    format!("`{text}`")
}

fn game(rules: &str) -> DarkChess {
    DarkChess::parse(rules).expect("the rules of a document")
}

fn profiles() -> String {
    let option = |name: &str, rules| {
        let found = OPTIONS.iter().find(|option| option.name == name).expect("an option of the table");
        (found.get)(rules)
    };
    let rows = PROFILES.iter().map(|profile| {
        let [board, pieces, quiet, repetition] =
            ["board", "pieces", "quiet_limit", "repetition"].map(|name| code(&option(name, &profile.rules)));
        [code(profile.name), board, pieces, quiet, repetition, profile.about.into(), profile.source.into()]
    });
    table(["profile", "board", "pieces", "quiet_limit", "repetition", "what it is", "source"], rows)
}

fn options() -> String {
    let default = PROFILES[0].rules;
    let rows = OPTIONS
        .iter()
        .map(|option| [code(option.name), code(&(option.get)(&default)), option.about.into(), option.source.into()]);
    table(["option", "default", "meaning and values", "source"], rows)
}

fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::King => "general",
        Kind::Guard => "guard",
        Kind::Minister => "minister",
        Kind::Rook => "chariot",
        Kind::Knight => "horse",
        Kind::Cannon => "cannon",
        Kind::Pawn => "soldier",
    }
}

fn pieces() -> String {
    let rows = Kind::ALL.map(|kind| {
        let [red, black] = Colour::ALL.map(|colour| Piece::new(colour, kind));
        [
            name(kind).into(),
            format!("{} `{}`", red.character(), red.letter()),
            format!("{} `{}`", black.character(), black.letter()),
            PROFILES[0].rules.pieces[kind as usize].to_string(),
            kind.value().to_string(),
        ]
    });
    table(["piece", "red 紅", "black 黑", "a side", "value"], rows)
}

/// Asks the engine, with the attacker on a1: the target on a2, or on a3 behind a screen.
fn captures() -> String {
    let game = game("taiwan");
    let takes = |attacker: Kind, target: Kind, jump: bool| {
        let (attacker, target) = (attacker.letter(), target.letter().to_ascii_lowercase());
        // One more piece of each side, so that a second one of a kind there is only once is not needed.
        let (row, action) = if jump { ("P", "a1-a3") } else { ("", "a1-a2") };
        let rest = 8 - 2 - row.len();
        let view = game.parse_view(&format!("{attacker}{row}{target}{rest}/8/8/8 0 r - 0 40")).expect("a position");
        game.is_legal(&view, game.action_id(action).expect("an action"))
    };
    let rows = Kind::ALL.map(|attacker| {
        let list = |jump| {
            let taken = Kind::ALL.into_iter().filter(|&target| takes(attacker, target, jump));
            let letters: Vec<String> = taken.map(|target| target.letter().to_string()).collect();
            if letters.is_empty() { "nothing".to_string() } else { letters.join(" ") }
        };
        [format!("{} `{}`", name(attacker), attacker.letter()), list(false), list(true)]
    });
    table(["piece", "takes on the next square", "takes over one screen"], rows)
}

/// The board as players see it: Chinese characters, the source's row names, full-width digits.
fn board(position: &str) -> String {
    let game = game("taiwan");
    let view = game.parse_view(position).expect("the example");
    let [_, rows, cols] = game.spec().planes;
    let mut text = String::from("　　　");
    (1..=cols as u32).for_each(|col| text.extend(['　', char::from_u32('０' as u32 + col).unwrap_or('?')]));
    for row in 0..rows {
        text.push('\n');
        text.extend(['甲', '乙', '丙', '丁'].get(row));
        text += &format!(" {}　", (b'a' + row as u8) as char);
        for col in 0..cols {
            let cell = match view.cell((row * cols + col) as u8) {
                Cell::Empty => '・',
                Cell::FaceDown => '●',
                Cell::Up(piece) => piece.character(),
            };
            text.extend(['　', cell]);
        }
    }
    fenced(&text)
}

fn drawn(position: &str) -> String {
    let game = AnyRules::parse("darkchess").and_then(|rules| rules.start_from(position, 0)).expect("the example");
    let legal: Vec<String> = game.legal_actions().iter().map(|&action| game.action_name(action)).collect();
    let (flips, others): (Vec<_>, Vec<_>) = legal.into_iter().partition(|name| !name.contains('-'));
    fenced(&format!(
        "{}\n{}\n\nflips: {}\nsteps and captures: {}",
        game.text().trim_end(),
        game.position(),
        flips.join(" "),
        others.join(" ")
    ))
}

/// A short whole game: always a legal action of the same stream.
fn record() -> String {
    let mut game = AnyRules::parse("darkchess:mini").expect("a profile").start(2);
    let mut rng = Rng::new(2);
    while game.status().is_ongoing() {
        let legal = game.legal_actions();
        game.step(legal[rng.below(legal.len() as u32) as usize].into()).expect("a legal action");
    }
    fenced(&game.record().to_string())
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

fn perft() -> String {
    let [taiwan, mini] = ["taiwan", "mini"].map(game);
    let leaves = |game: &DarkChess, depth, most| {
        if depth <= most { grouped(game.perft(&game.start(), depth)) } else { String::new() }
    };
    let rows = (1..=5).map(|depth| [depth.to_string(), leaves(&taiwan, depth, 3), leaves(&mini, depth, 5)]);
    table(["depth", "`darkchess:taiwan`", "`darkchess:mini`"], rows)
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
];

fn random_play() -> String {
    let rows = RANDOM_PLAY.iter().zip(0u64..).map(|(&(rules, known), row)| {
        let game = game(rules);
        let (mut first, mut second, mut draws, mut plies) = (0u32, 0u32, 0u32, 0u64);
        for number in 0..RANDOM_GAMES {
            let mut rng = Rng::branch(1, &[row, number.into()]);
            let mut state = game.deal(&mut rng);
            while game.status(&state).is_ongoing() {
                let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
                game.play(&mut state, action);
            }
            match game.status(&state) {
                Status::Win(0, _) => first += 1,
                Status::Win(..) => second += 1,
                Status::Ongoing | Status::Draw(_) => draws += 1,
            }
            plies += u64::from(game.plies(&state));
        }
        let share = |count: u32| f64::from(count) / f64::from(RANDOM_GAMES);
        let mean = plies as f64 / f64::from(RANDOM_GAMES);
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let mut other = [String::new(), String::new()];
        if let Some((known_draws, known_mean)) = known {
            // Four standard errors of a share; lengths of random games spread by about 130 plies.
            let error = (known_draws * (1.0 - known_draws) / f64::from(RANDOM_GAMES)).sqrt();
            assert!((share(draws) - known_draws).abs() < 4.0 * error, "{rules}: {}", share(draws));
            assert!((mean - known_mean).abs() < 4.0 * 130.0 / f64::from(RANDOM_GAMES).sqrt(), "{rules}: {mean}");
            other = [percent(known_draws), format!("{known_mean:.0}")];
        }
        let [other_draws, other_mean] = other;
        let [first, second, draws] = [first, second, draws].map(|count| percent(share(count)));
        [code(rules), first, second, draws, format!("{mean:.0}"), other_draws, other_mean]
    });
    table(["rules", "first seat wins", "second seat wins", "draws", "plies", "draws there", "plies there"], rows)
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
    let [taiwan, mini] = ["taiwan", "mini"].map(game);
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
    let range = |(_, first, last): (&str, Action, Action)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let rows = ranges(&taiwan).into_iter().zip(ranges(&mini)).map(|(full, small)| {
        assert_eq!(full.0, small.0);
        let names = [full.1, full.1 + 1, full.2].map(|action| code(&taiwan.action_name(action)));
        let examples =
            if full.1 == full.2 { names[0].clone() } else { format!("{}, {} .. {}", names[0], names[1], names[2]) };
        [full.0.to_string(), range(full), (full.2 - full.1 + 1).to_string(), examples, range(small)]
    });
    table(["what", "4x8", "how many", "names", "2x4"], rows)
}

fn sizes() -> String {
    let rows = PROFILES.iter().map(|profile| {
        let game = game(profile.name);
        let spec = game.spec();
        let [planes, rows, cols] = spec.planes;
        [
            code(&spec.name),
            ENCODING.to_string(),
            format!("({planes}, {rows}, {cols})"),
            spec.num_scalars.to_string(),
            spec.num_actions.to_string(),
            game.symmetries().len().to_string(),
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

/// Whether a text is a position of these rules.
pub(crate) fn read_position(rules: &str, text: &str) -> Result<Position, String> {
    let rules = rules.strip_prefix("darkchess").map(|rest| rest.trim_start_matches(':')).unwrap_or(rules);
    DarkChess::parse(rules).and_then(|game| game.parse_view(text)).map_err(|fault| fault.to_string())
}

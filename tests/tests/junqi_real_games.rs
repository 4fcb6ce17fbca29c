//! Six real four-seat games, replayed on the engine and the reference side by side: every move legal, every outcome, every flag shown and every
//! seat's end as the platform announced them then.

use anqi_env::junqi::Junqi;
use anqi_env::record::jgs::{self, Draw, End, Event, Outcome, Reason, Replay};
use anqi_env::record::{Format, Record};
use anqi_tests::pair::Pair;
use anqi_tests::reference::junqi::{self, Layout, Out, Rules, Status};

/// Every replay, by its file's name.
fn replays() -> Vec<(String, Replay)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/junqi");
    let mut replays = Vec::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "jgs") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let replay = Replay::read(&std::fs::read(&path).unwrap()).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            replays.push((name, replay));
        }
    }
    replays.sort_by(|one, two| one.0.cmp(&two.0));
    assert_eq!(replays.len(), 6, "{folder}");
    replays
}

/// The game at its start. That platform draws when the count of quiet plies exceeds 70.
fn start(replay: &Replay) -> Pair {
    let game = Junqi::parse("siguo:quiet_limit=71").unwrap();
    let layout =
        |seat: usize| anqi_env::junqi::Layout::parse(game.rules(), &replay.layouts[seat].unwrap().to_string()).unwrap();
    let layouts: Vec<anqi_env::junqi::Layout> = (0..4).map(layout).collect();
    let first = replay.events.iter().find_map(|event| match event {
        Event::Move { from, .. } => Some(from / 30),
        _ => None,
    });
    Pair::new(&game, &layouts, first.unwrap() as u8)
}

/// What a replay came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    moves: usize,
    combats: usize,
    flags: usize,
    out: Vec<(usize, Reason)>,
}

/// Plays a replay through and holds every announcement against both.
fn play(name: &str, replay: &Replay) -> (Pair, Counts) {
    let mut pair = start(replay);
    let mut counts = Counts::default();
    // Who the rules say is out, but the record has not said so yet.
    let mut due: Vec<(usize, Out)> = Vec::new();
    for (number, event) in replay.events.iter().enumerate() {
        let place = format!("{name}, event {number}, {event:?}");
        assert!(due.is_empty() || matches!(event, Event::Out { .. }), "{place}: {due:?} should be out");
        match *event {
            Event::Move { from, to, outcome, attacker_flag, defender_flag } => {
                let owner = pair.twin.piece_at(from).map(|piece| piece.seat);
                assert_eq!(owner, Some(pair.twin.to_move()), "{place}");
                let action = pair.action((from, to)).unwrap_or_else(|| panic!("{place}: no such move"));
                let played = pair.play(action);
                let announced = match outcome {
                    Outcome::Moved => junqi::Outcome::Moved,
                    Outcome::Won => junqi::Outcome::Won,
                    Outcome::Lost => junqi::Outcome::Lost,
                    Outcome::Both => junqi::Outcome::Both,
                };
                assert_eq!(played.outcome, announced, "{place}\n{}", pair.twin.text());
                let mut flags = Vec::new();
                flags.extend(attacker_flag.map(|flag| (played.seat, flag)));
                flags.extend(defender_flag.map(|flag| (played.defender.unwrap(), flag)));
                flags.sort();
                assert_eq!(played.flags, flags, "{place}\n{}", pair.twin.text());
                counts.moves += 1;
                counts.combats += usize::from(outcome != Outcome::Moved);
                counts.flags += flags.len();
                due = played.out;
            }
            Event::TimeOut { seat, count, next } => {
                assert_eq!(pair.twin.to_move(), seat, "{place}");
                due = pair.leave(None);
                assert_eq!((count, pair.twin.to_move()), (1, next), "{place}");
            }
            Event::Out { seat, reason } => {
                counts.out.push((seat, reason));
                match reason {
                    Reason::Flag | Reason::NoMove => {
                        let first = (!due.is_empty()).then(|| due.remove(0));
                        let (out, why) = first.unwrap_or_else(|| panic!("{place}: should be in\n{}", pair.twin.text()));
                        assert_eq!((out, why == Out::Flag), (seat, reason == Reason::Flag), "{place}");
                    }
                    Reason::Surrender => {
                        let mut out = pair.leave(Some(seat as u8));
                        assert_eq!(out.remove(0), (seat, Out::Resigned), "{place}");
                        due = out;
                    }
                    Reason::TimeOuts | Reason::Escape => panic!("{place}: in none of these games"),
                }
            }
            Event::Left { seat } => assert!(pair.twin.out(seat).is_some(), "{place}"),
            Event::End(end) => {
                if replay.draw == Some(Draw::Agreed) {
                    pair.agree();
                }
                let expected = match pair.twin.status() {
                    Status::Draw { .. } => End::Draw,
                    Status::Win { .. } => End::Decided,
                    Status::Ongoing => panic!("{place}: goes on\n{}", pair.twin.text()),
                };
                assert_eq!(end, expected, "{place}");
            }
        }
        pair.compare();
        let over = pair.twin.status() != Status::Ongoing && due.is_empty();
        let told = replay.events[number + 1..].iter().all(|event| matches!(event, Event::End(_)));
        assert!(!over || told, "{place}: over too early\n{}", pair.twin.text());
    }
    (pair, counts)
}

#[test]
fn they_are_played_by_these_rules() {
    let mut found = Vec::new();
    for (name, replay) in replays() {
        let (pair, counts) = play(&name, &replay);
        let game = &pair.twin;
        assert_eq!(game.plies(), counts.moves, "{name}");
        found.push((name, counts, game.results()));
    }
    let mut text = String::new();
    for (name, counts, results) in &found {
        let out: Vec<String> =
            counts.out.iter().map(|(seat, why)| format!("{}:{why:?}", ["S", "E", "N", "W"][*seat])).collect();
        let Counts { moves, combats, flags, .. } = counts;
        text += &format!("{name} moves {moves} combats {combats} flags {flags} out [{}] {results:?}\n", out.join(" "));
    }
    // Counted by another program over the bytes of the files.
    assert_eq!(text, EXPECTED);
}

const EXPECTED: &str = "\
bomb-on-flag.jgs moves 187 combats 53 flags 3 out [S:Flag E:Surrender W:Flag] [1.0, -1.0, 1.0, -1.0]
draw-agreed.jgs moves 185 combats 22 flags 0 out [] [0.0, 0.0, 0.0, 0.0]
draw-automatic.jgs moves 346 combats 44 flags 4 out [] [0.0, 0.0, 0.0, 0.0]
no-move-and-flags.jgs moves 173 combats 60 flags 3 out [E:NoMove S:Surrender W:Flag] [1.0, -1.0, 1.0, -1.0]
surrender-at-the-end.jgs moves 232 combats 49 flags 3 out [E:NoMove W:Surrender] [1.0, -1.0, 1.0, -1.0]
time-out-and-surrender.jgs moves 405 combats 69 flags 3 out [E:Flag S:NoMove N:Surrender] [-1.0, 1.0, -1.0, 1.0]
";

/// Read as records they play through without a defect, and what is written of them reads back as the same game.
#[test]
fn they_are_records() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/junqi");
    for ((name, replay), expected) in replays().into_iter().zip(EXPECTED.lines()) {
        let bytes = std::fs::read(format!("{folder}/{name}")).unwrap();
        let readings = Record::read_file(&bytes, Format::Jgs, None, false).unwrap();
        let [reading] = &readings[..] else { panic!("{name}: {} games", readings.len()) };
        assert_eq!(reading.defects, vec![], "{name}");
        let checked = reading.record.check();
        assert_eq!(checked.defects, vec![], "{name}");
        let game = checked.game.unwrap();
        let results: Vec<f32> = (0..4).map(|seat| game.status().value(seat)).collect();
        assert!(expected.ends_with(&format!("{results:?}")), "{name}: {results:?}");
        let moves = replay.events.iter().filter(|event| matches!(event, Event::Move { .. })).count();
        assert_eq!(game.plies() as usize, moves, "{name}");
        // What the game itself writes says the same as what was read, and again.
        let text = game.record().to_string();
        let again = Record::parse(&text).unwrap();
        let said = |record: &Record| -> Vec<(String, Option<String>)> {
            record.plies.iter().map(|ply| (ply.action.clone(), ply.outcome.clone())).collect()
        };
        assert!(said(&again) == said(&reading.record), "{name}");
        assert!(again.replay().unwrap().record().to_string() == text, "{name}");
        assert!(Record::parse(&reading.record.to_string()).unwrap() == reading.record, "{name}");
        for key in ["Layout0", "Layout3", "First", "Result", "Termination"] {
            assert_eq!(again.header(key), reading.record.header(key), "{name}: {key}");
        }
    }
}

/// Every layout could be set up, and every station of the reader is one of the reference.
#[test]
fn stations_and_layouts_mean_the_same() {
    let board = junqi::Board::of(&Rules::parse("siguo").unwrap());
    for x in 0..=255 {
        for y in 0..=255 {
            assert_eq!(jgs::station(x, y), board.at(x.into(), y.into()), "{x}, {y}");
        }
    }
    for (_, replay) in replays() {
        for layout in replay.layouts.iter().flatten() {
            let text = layout.to_string();
            let read = Layout::parse(&text).unwrap();
            let letters = read.0.map(|kind| kind.map_or('.', |kind| kind.letter()));
            assert_eq!(String::from_iter(letters), text);
        }
    }
}

/// An outcome, a flag or an end that is told otherwise does not pass.
#[test]
fn a_false_announcement_is_found() {
    let (name, replay) = replays().into_iter().find(|(name, _)| name.starts_with("bomb-on-flag")).unwrap();
    let mut lies = Vec::new();
    for (number, event) in replay.events.iter().enumerate() {
        let lie = match *event {
            Event::Move { from, to, outcome: Outcome::Won, attacker_flag, defender_flag } => {
                Event::Move { from, to, outcome: Outcome::Lost, attacker_flag, defender_flag }
            }
            Event::Move { from, to, outcome, defender_flag: Some(_), attacker_flag } => {
                Event::Move { from, to, outcome, defender_flag: None, attacker_flag }
            }
            Event::Out { seat, reason: Reason::Flag } => Event::Out { seat, reason: Reason::NoMove },
            Event::End(End::Decided) => Event::End(End::Draw),
            _ => continue,
        };
        let mut replay = replay.clone();
        replay.events[number] = lie;
        lies.push(replay);
    }
    assert!(lies.len() > 10);
    // Read as records, each of them has a defect.
    for lie in &lies {
        let checked = Record::of_replay(lie, None, false).unwrap().record.check();
        assert!((1..=2).contains(&checked.defects.len()), "{:?}", checked.defects);
    }
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let passed: Vec<usize> =
        (0..lies.len()).filter(|lie| std::panic::catch_unwind(|| play(&name, &lies[*lie])).is_ok()).collect();
    std::panic::set_hook(hook);
    assert!(passed.is_empty(), "{passed:?}");
}

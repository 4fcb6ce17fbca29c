//! Real records: nine games from a tournament platform's logs, and the source's own example with its mistakes.

use std::path::PathBuf;

use anqi_env::any::{AnyGame, AnyRules};
use anqi_env::darkchess::DarkChess;
use anqi_env::darkchess::Piece;
use anqi_env::game::{Reason, Status};
use anqi_env::record::{Checked, Format, Grade, Reading, Record};

/// Log, the same game in the `anqi` form, plies, how it ended, and the length of the repeated block as written.
const LOGS: [(&str, &str, usize, Status, Option<&str>); 9] = [
    ("NoMove", "no-move-all-captured", 105, Status::Win(0, Reason::Eliminated), None),
    ("competitionNoMove", "no-move-all-captured-2", 105, Status::Win(0, Reason::Eliminated), None),
    ("NoMoveblocked", "no-move-blocked", 105, Status::Win(0, Reason::NoMoves), None),
    ("NoMovehiddenleft", "no-move-hidden-left", 62, Status::Win(1, Reason::Eliminated), None),
    ("NoEatFlipDraw", "quiet-limit", 193, Status::Draw(Reason::QuietLimit), None),
    ("PositionRepetitionDraw34", "repetition-4", 96, Status::Draw(Reason::Repetition), Some("4")),
    ("PositionRepetitionDraw38", "repetition-8", 78, Status::Draw(Reason::Repetition), Some("8")),
    ("PositionRepetitionDraw312", "repetition-12", 185, Status::Draw(Reason::Repetition), Some("12")),
    ("TimeOut", "time-out", 62, Status::Win(1, Reason::Time), None),
];

fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()))
}

/// The game at the end of a record that holds no defect.
fn sound(name: &str, record: &Record) -> Box<dyn AnyGame> {
    let Checked { game, defects } = record.check();
    assert_eq!(defects.first(), None, "{name}");
    game.expect(name)
}

#[test]
fn real_logs_end_as_their_last_line_says() {
    for (name, twin, plies, status, block) in LOGS {
        let log = text(&format!("ntu/{name}.txt"));
        assert_eq!(Format::detect(&log), Ok(Format::Ntu), "{name}");
        let Reading { record, defects } = Record::read(&log, Format::Ntu, None, true);
        assert_eq!(defects.first(), None, "{name}");
        assert_eq!(record.plies.len(), plies, "{name}");
        let game = sound(name, &record);
        assert_eq!(game.status(), status, "{name}: {}", game.position());
        // The last plies do repeat as often as is written, which the check found; and it was written.
        assert_eq!(record.header("Block"), block, "{name}");
        let twin = Record::parse(&text(&format!("games/{twin}.anqi"))).expect(twin);
        assert!(record.plies == twin.plies, "{name}: the plies differ from the other form's");
        for key in ["Seat0", "Seat1", "Result", "Termination"] {
            assert_eq!(record.header(key), twin.header(key), "{name}: {key}");
        }
    }
}

#[test]
fn real_logs_are_written_as_they_were() {
    for (name, ..) in LOGS {
        let log = text(&format!("ntu/{name}.txt"));
        let record = Record::read(&log, Format::Ntu, None, true).record;
        let written = record.to_text(Format::Ntu).expect(name);
        // One log writes its result more shortly.
        let log = log.replace("A wins 1,0", "A Wins 1.000000,0.000000");
        let differs = written.lines().zip(log.lines()).find(|(ours, theirs)| ours != theirs);
        assert_eq!(differs, None, "{name}");
        assert_eq!(written.lines().count(), log.lines().count(), "{name}");
    }
}

#[test]
fn a_changed_result_is_found() {
    for (from, to, says) in [
        (
            "PositionRepetitionDraw,3,4",
            "PositionRepetitionDraw,3,6",
            "the repeated block is 6 plies long, but the plies have 4",
        ),
        (
            "PositionRepetitionDraw,3,4",
            "NoEatFlipDraw",
            "header Termination is quiet-limit, but the plies end in repetition",
        ),
        ("A Draw 0.500000,0.500000", "A Wins 1.000000,0.000000", "header Result is 1-0, but the plies end in 1/2-1/2"),
    ] {
        let log = text("ntu/PositionRepetitionDraw34.txt");
        let last = log.lines().position(|line| line.contains("Draw,")).expect("it has a result") + 1;
        let record = Record::read(&log.replace(from, to), Format::Ntu, None, false).record;
        let defects = record.check().defects;
        let found = defects.iter().find(|defect| defect.wrong == says).unwrap_or_else(|| panic!("{to}: {defects:?}"));
        assert_eq!((found.line, found.grade), (last, Grade::Contradiction), "{to}");
    }
}

/// The defects of the example by line, ply and a part of the sentence. Lines are the file's, plies count the two that
/// are not known.
const EXAMPLE: [(usize, usize, Grade, &str); 15] = [
    (1, 3, Grade::Mended, "round 2, ○將: it has no square; only a1 is left for it; understood as a1"),
    (2, 5, Grade::Mended, "round 3, ○相丙4: a space inside it"),
    (4, 19, Grade::Mended, "round 10, 包丁7: lacks its ○: d7 is face down, so it is a flip; understood as d7"),
    (4, 21, Grade::Mended, "round 11 lacks the dot"),
    (5, 23, Grade::Mended, "round 12, 俥x包丙7: c7 is where it stands; it must end on d7; understood as c7-d7"),
    (5, 26, Grade::Missing, "round 13 has no second ply"),
    (6, 34, Grade::Mended, "round 17, 士x俥丁8: stray prose inside it: '但大致上'"),
    (6, 34, Grade::Missing, "round 17, 士x俥丁8: written twice"),
    (6, 41, Grade::Mended, "round 21 lacks the dot"),
    (6, 44, Grade::Mended, "round 22, 象丙2: it lacks its dash, and c2 is where it stands; it must end on d2"),
    (7, 47, Grade::Mended, "round 24, 帥乙6: it lacks its dash; understood as b7-b6"),
    (7, 51, Grade::Mended, "round 26 is absent"),
    (8, 53, Grade::Mended, "round 28, 兵-乙4: ambiguous, a4-b4 and b3-b4 fit; understood as a4-b4: otherwise 仕-甲4"),
    (9, 63, Grade::Mended, "○兵丙1 has no round number"),
    (9, 63, Grade::Mended, "round 32, ○兵丙1: stray prose before it: '好！到這裡我們暫停棋譜"),
];

#[test]
fn the_example_of_the_source_with_its_mistakes() {
    let example = text("source/example.txt");
    assert_eq!(Format::detect(&example), Ok(Format::Seed));
    let Reading { record, defects } = Record::read(&example, Format::Seed, None, false);
    let found: Vec<String> = defects.iter().map(ToString::to_string).collect();
    for (line, ply, grade, says) in EXAMPLE {
        let fits = |defect: &&anqi_env::record::Defect| {
            (defect.line, defect.ply, defect.grade) == (line, Some(ply), grade) && defect.message().contains(says)
        };
        assert!(defects.iter().any(|defect| fits(&defect)), "line {line}, ply {ply}: {says}\nfound {found:#?}");
    }
    assert_eq!(found.len(), EXAMPLE.len(), "{found:#?}");
    assert_eq!((record.header("Result"), record.header("Termination")), (Some("0-1"), Some("resignation")));

    // 32 flips: the whole set.
    let mut shown: Vec<&str> = record.plies.iter().filter_map(|ply| ply.outcome.as_deref()).collect();
    shown.sort_unstable();
    let rules: DarkChess = AnyRules::parse("darkchess").expect("the default").game().expect("dark chess");
    let mut set: Vec<String> = Piece::all()
        .flat_map(|piece| vec![piece.letter().to_string(); rules.rules().pieces[piece.kind() as usize].into()])
        .collect();
    set.sort_unstable();
    assert_eq!(shown, set);

    // Nothing but the two plies that are not known is wrong with it, and this is where it ends.
    let Checked { game, defects } = record.check();
    let plies: Vec<_> = defects.iter().map(|defect| (defect.grade, defect.ply)).collect();
    assert_eq!(plies, [(Grade::Missing, Some(26)), (Grade::Missing, Some(34))]);
    let position = game.expect("it can be played").position();
    assert_eq!(position, "kR1GGpNp/r1PPg3/P1p1Mg2/m1C5 1 r - 0 68 last=a7");

    // It stays itself in the project's own form.
    let again = Record::read(&record.to_string(), Format::Anqi, None, false);
    assert!(again.record == record && again.defects.is_empty());

    // Strictly, it ends at the first defect.
    let strict = Record::read(&example, Format::Seed, None, true);
    assert_eq!((strict.defects.len(), strict.record.plies.len()), (1, 2));
}

/// The same game as it would be written without mistakes, up to the ply that two pieces could have made, which no
/// writer can avoid.
#[test]
fn the_example_put_right() {
    let example = text("source/example.txt");
    let mut right = example[example.find("1.○").expect("its first ply")..].to_string();
    for (wrong, good) in [
        ("○將 ", "○將甲1 "),
        ("○相 丙4", "○相丙4"),
        (" 包丁7", " ○包丁7"),
        ("11○", "11.○"),
        ("俥x包丙7", "俥x包丁7"),
        ("俥x包丁8 14.", "俥x包丁8 ○士乙5 14."),
        ("士x但大致上俥丁8", "○傌甲7"),
        ("21帥", "21.帥"),
        ("象丙2", "象-丁2"),
        ("帥乙6", "帥-乙6"),
        ("27.", "26."),
    ] {
        assert!(right.contains(wrong), "{wrong}");
        right = right.replacen(wrong, good, 1);
    }
    let end = right.find("28.").expect("round 28");
    let Reading { record, defects } = Record::read(&right[..end], Format::Seed, None, true);
    assert_eq!(defects.first(), None);
    assert_eq!(record.plies.len(), 52);
    assert!(sound("example", &record).status().is_ongoing());
}

//! One small record a defect: what is said, and how the reading goes on.

use super::super::{Format, Grade, Record};

/// The defects of reading and playing a text.
fn defects(text: &str, format: Format) -> Vec<(Grade, String)> {
    let reading = Record::read(text, format, None, false);
    let played = reading.record.check().defects;
    reading.defects.iter().chain(&played).map(|defect| (defect.grade, defect.to_string())).collect()
}

/// Each text has just this defect, among others that follow from it.
fn named(format: Format, cases: &[(&str, Grade, &str)]) {
    for (text, grade, says) in cases {
        let found = defects(text, format);
        let fits = |(found, line): &(Grade, String)| found == grade && line.contains(says);
        assert!(found.iter().any(fits), "{text}\nhas {found:?}\nnot {grade:?} {says}");
        let strict = Record::read(text, format, None, true);
        assert!(strict.defects.len() <= 1, "{text}: {:?}", strict.defects);
    }
}

#[test]
fn of_the_anqi_form() {
    let head = "[Rules \"darkchess\"]\n";
    let with = |rest: &str| format!("{head}{rest}");
    for (rest, grade, says) in [
        ("[Result 1]\n1. a1(K)\n", Grade::Mended, "line 2: '[Result 1]': expected a header"),
        ("1. a1(K) 2. a2(p)\n", Grade::Missing, "line 2, ply 2: round 2 follows 1 plies"),
        ("1. a1(K) a2(p)\n5. a3(p)\n", Grade::Mended, "line 3, ply 3: round 5 follows 2 plies: a round is two plies"),
        ("1.a1(K)\n", Grade::Mended, "no space behind the round's number; read as a1(K)"),
        ("1. a1(K a2(p)\n", Grade::Mended, "line 2, ply 1: 'a1(K': the bracket is not closed; read as a1(K)"),
        ("1. a1(K) {never\nending\n", Grade::Mended, "line 2: a comment begins here and never ends"),
        ("1. a1(K) * a2(p)\n", Grade::Unreadable, "line 2, ply 2: 'a2(p)' stands behind the result"),
        (
            "[Result \"1-0\"]\n1. a1(K) *\n",
            Grade::Contradiction,
            "line 3: the text ends with *, but header Result is 1-0",
        ),
        ("1. a1(K) a1(p)\n", Grade::Illegal, "line 2, ply 2: a1: "),
        ("1. a1(K) hello\n", Grade::Illegal, "line 2, ply 2: hello: "),
        ("1. a1\n", Grade::Illegal, "line 2, ply 1: a1: "),
        ("1. a1(K) a2(K)\n", Grade::Illegal, "line 2, ply 2: a2: "),
        ("1. a1(K) ? a2(p)\n", Grade::Missing, "line 2, ply 2: the ply is not known"),
        ("1. ? a2(p)\n", Grade::Unreadable, "line 2, ply 1: nothing can be played behind a first ply"),
        ("[Position \"X7/8/8/7K 0 r p1 0 40\"]\n1. a1\n", Grade::Mended, "line 3, ply 1: a1: it does not say which"),
        ("[Seed \"x\"]\n1. a1(K)\n", Grade::Mended, "header Seed is 'x'"),
        ("[RulesHash \"0\"]\n1. a1(K)\n", Grade::Contradiction, "header RulesHash is 0"),
        ("[Rules \"chess\"]\n1. a1(K)\n", Grade::Mended, "line 2: a second header Rules; the first one counts"),
    ] {
        named(Format::Anqi, &[(&with(rest), grade, says)]);
    }
    named(
        Format::Anqi,
        &[
            ("1. a1(K)\n", Grade::Mended, "line 1: header Rules is missing; read as darkchess"),
            ("", Grade::Unreadable, "line 1: no header and no ply: this is no record"),
            ("[Rules \"chess\"]\n", Grade::Unreadable, "line 1: unknown game 'chess'"),
        ],
    );
}

/// Ends that the rules do not bring about are kept, and held against what can be.
#[test]
fn of_an_end_outside_the_rules() {
    let ended = |result: &str, termination: &str| {
        let text = format!(
            "[Rules \"darkchess\"]\n[Result \"{result}\"]\n[Termination \"{termination}\"]\n\n1. a1(K) a2(p)\n{result}\n"
        );
        defects(&text, Format::Anqi).into_iter().map(|(_, line)| line).collect::<Vec<_>>().join("; ")
    };
    for (result, termination) in [
        ("0-1", "time"),
        ("1-0", "resignation"),
        ("0-1", "resignation"),
        ("1/2-1/2", "agreement"),
        ("*", "unfinished"),
        ("*", "abandoned"),
    ] {
        assert_eq!(ended(result, termination), "", "{result} {termination}");
    }
    for (result, termination, says) in [
        ("1-0", "time", "line 2: 1-0 on time, but seat 0 is to move"),
        ("1/2-1/2", "time", "it goes with 1-0 0-1"),
        ("1-0", "agreement", "it goes with 1/2-1/2"),
        ("1-0", "unfinished", "it goes with *"),
        ("1-0", "eliminated", "header Termination is eliminated, but the plies leave the game going on"),
        ("1-0", "sleep", "known"),
    ] {
        let found = ended(result, termination);
        assert!(found.contains(says) || says == "known" && found.contains("without an end"), "{termination}: {found}");
    }
}

#[test]
fn of_tcga_records() {
    let names = "2009/12/13\nLee vs Chen (Chen plays first)\n";
    let good = format!("{names}1. a7(K) a8(p)\n2. b3(n) b4(p)\nChen wins\n");
    assert_eq!(defects(&good, Format::Tcga), []);
    let record = Record::read(&good, Format::Tcga, None, true).record;
    let headers = ["Date", "Seat0", "Seat1", "Result"].map(|key| record.header(key).unwrap_or_default());
    assert_eq!(headers, ["2009/12/13", "Chen", "Lee", "1-0"]);
    let with = |rest: &str| format!("{names}{rest}");
    for (text, grade, says) in [
        ("1. a7(K) a8(p)\nDraw\n".into(), Grade::Mended, "line 1: no line such as 'Lee vs Chen"),
        (
            "Lee vs Chen\n1. a7(K)\nDraw\n".into(),
            Grade::Mended,
            "line 1: it does not tell who plays first; taken to be Lee",
        ),
        ("A vs B (C plays first)\n1. a7(K)\nDraw\n".into(), Grade::Contradiction, "line 1: C plays first, but the"),
        (with("1. a7(K) a8(p)\n"), Grade::Mended, "line 3: no result line"),
        (with("1. a7(K) a8(p)\nTom wins\n"), Grade::Unreadable, "line 4: 'Tom wins'"),
        (with("1. a7(K) a8(p)\nDraw\nbye\n"), Grade::Mended, "line 5: a line behind the result of line 4"),
        (with("1. A7(K) a8(p)\nDraw\n"), Grade::Mended, "line 3, ply 1: 'A7'; read as a7"),
        (with("1. a7(K) h1(p)\nDraw\n"), Grade::Unreadable, "a board of 8 letters and 4 ranks is another format"),
        (with("1. a7(K) a7(p)\nDraw\n"), Grade::Illegal, "line 3, ply 2: a7: "),
        ("hello\n".into(), Grade::Unreadable, "line 1: no round"),
    ] {
        named(Format::Tcga, &[(&text, grade, says)]);
    }
}

#[test]
fn of_the_platform_log() {
    let head =
        "* A vs B\n* 1 2 2 2 2 2 5 1 2 2 2 2 2 5\n".to_string() + &"* X X X X\n".repeat(8) + "* first 0\n* time 900\n";
    let with = |rest: &str| format!("{head}{rest}");
    assert_eq!(defects(&with("* 1. a7(K)\n* TimeOut A Wins 1,0\n* Comment 0 0\n* 12 13\n"), Format::Ntu), []);
    for (text, grade, says) in [
        (with("* 1. a7(K) a8(p)\n"), Grade::Mended, "line 13: no result line"),
        (with("1. a7(K)\n* TimeOut A Wins 1,0\n"), Grade::Mended, "line 13: '1. a7(K)' does not begin with '* '"),
        (
            with("* 1. a7(K)\n* TimeOut B Wins 1,0\n"),
            Grade::Contradiction,
            "line 14: 'TimeOut B Wins 1,0': the name and",
        ),
        (with("* 1. a7(K)\n* TimeOut A Wins\n"), Grade::Mended, "no points such as 1,0; read as 1-0"),
        (
            with("* 1. a7(K)\n* TimeOut B Wins 0,1\n"),
            Grade::Contradiction,
            "line 14: 0-1 on time, but seat 1 is to move",
        ),
        (
            with("* 1. a7(K)\n* NoMove A Wins 1,0\n"),
            Grade::Contradiction,
            "line 14: header Termination is no-moves, but",
        ),
        (with("* 1. a7(K)\n* Bored A Wins 1,0\n"), Grade::Mended, "line 14: unknown word 'Bored'; known words are"),
        (with("* 1. a7(K)\n* PositionRepetitionDraw,3 A Draw 0.5,0.5\n"), Grade::Mended, "the length of the block"),
        (
            with("* 1. a7(K)\n* TimeOut A Wins 1,0\n* 2. a8(p)\n"),
            Grade::Unreadable,
            "line 15: '2. a8(p)' stands behind",
        ),
        (with("* 1. a7(K)\n* hello there\n"), Grade::Mended, "line 14: 'hello there' is no line of the log; left out"),
        (with("* 1. a7-a8\n"), Grade::Illegal, "line 13, ply 1: a7-a8: "),
        ("* A vs B\n* 1. a7(K)\n".into(), Grade::Mended, "line 2: 0 board lines before the first round, not 8"),
        (
            "* 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n* 1. a7(K)\n".into(),
            Grade::Contradiction,
            "line 1: the counts of pieces are",
        ),
        ("* A vs B\n* X - X X\n".into(), Grade::Unreadable, "line 2: board line 'X - X X'; only games that begin"),
    ] {
        named(Format::Ntu, &[(&text, grade, says)]);
    }
}

#[test]
fn of_the_source_notation() {
    named(
        Format::Seed,
        &[
            ("1.○帥甲1 ○將甲1", Grade::Illegal, "line 1, ply 2: round 1, ○將甲1: a1 is not face down"),
            ("1.○帥甲1 ○帥甲2", Grade::Illegal, "no 帥 is left face down"),
            ("1.○帥甲1 ○兵", Grade::Illegal, "it has no square, and 31 squares are left for it"),
            ("1.○帥甲1 帥-甲2", Grade::Illegal, "it is the turn of the other side, seat 1"),
            ("1.○帥甲1 ○馬甲2\n2.帥-馬甲2", Grade::Mended, "帥-馬甲2: it captures 馬 on a2; understood as a1-a2"),
            (
                "1.○帥甲1 ○馬甲2\n2.帥甲2",
                Grade::Mended,
                "line 2, ply 3: round 2, 帥甲2: it lacks its x; understood as a1-a2",
            ),
            ("1.○帥甲1 ○馬甲2\n2.帥x包甲2", Grade::Mended, "it captures 馬 on a2"),
            ("1.○帥甲1 ○馬甲2\n2.帥x馬", Grade::Mended, "it does not tell the square; understood as a1-a2"),
            (
                "1.○帥甲1 ○馬甲2\n2.帥x馬甲2 ○兵甲3\n3.帥x車甲2",
                Grade::Illegal,
                "line 3, ply 5: round 3, 帥x車甲2: no 帥 can do that; it could a2-a1",
            ),
            ("1.○帥甲1\n2.○馬甲2", Grade::Missing, "line 2, ply 2: round 1 has no second ply"),
            ("1.○帥甲1 ○馬甲2\n2.○兵甲3 ○兵甲4\n2.○兵甲5", Grade::Mended, "round 2 follows round 2; read as round 3"),
            ("1.○帥甲1 ○馬甲2\n5.○兵甲3", Grade::Mended, "line 2, ply 3: rounds 2-4 are absent"),
            ("1.○帥甲1 ○馬甲2 投降", Grade::Mended, "do not tell who lost"),
            ("甲乙丙丁", Grade::Unreadable, "line 1: no flip such as ○仕甲3"),
        ],
    );
    // Two like pieces reach one square and nothing decides: it is named, and the first is taken.
    let two = "1.○兵甲1 ○馬乙2\n2.○兵甲3 ○卒甲2\n3.兵x卒甲2";
    named(Format::Seed, &[(two, Grade::Mended, "兵x卒甲2: ambiguous, a1-a2 and a3-a2 fit; understood as a1-a2")]);
    let draw = Record::read("1.○帥甲1 ○馬甲2 雙方同意作和", Format::Seed, None, true).record;
    assert_eq!((draw.header("Result"), draw.header("Termination")), (Some("1/2-1/2"), Some("agreement")));
    let time = Record::read("1.○帥甲1 ○馬甲2 紅方超時", Format::Seed, None, true).record;
    assert_eq!((time.header("Result"), time.header("Termination")), (Some("0-1"), Some("time")));
}

#[test]
fn of_engine_positions() {
    let start = "position fen XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX - G1A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1\n";
    let flipped = "GXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX b A2E2R2H2C2S5g1a2e2r2h2c2s5 0 1\n";
    assert_eq!(defects(&format!("uci\n{start}go movetime 10\n{flipped}"), Format::Misty), []);
    for (text, grade, says) in [
        (format!("{start}hello\n"), Grade::Mended, "line 2: 'hello' is no position"),
        (format!("{} moves a1a1\n", start.trim()), Grade::Unreadable, "line 1, ply 1: move 'a1a1'"),
        (format!("{} moves a1a2\n", start.trim()), Grade::Illegal, "line 1, ply 1: d1-c1: "),
        (
            format!("{start}{}", flipped.replace("GXX", "GsX")),
            Grade::Unreadable,
            "line 2, ply 1: this position is more",
        ),
        (format!("{start}{}", flipped.replace("A2", "A1")), Grade::Contradiction, "line 2, ply 1: the pool is G1M2"),
        ("position fen G7/7s/X7/8 r G1s4 3 5\n".into(), Grade::Unreadable, "line 1: position, bag: "),
        (format!("{} GAAEERR\n", start.trim()), Grade::Mended, "line 1: more than five fields"),
        ("\n".into(), Grade::Unreadable, "line 1: no line such as"),
        ("K7/8/8/8 r - 0 1\n".into(), Grade::Unreadable, "line 1: position, board: 'K7/8/8/8': expected letters"),
    ] {
        named(Format::Misty, &[(&text, grade, says)]);
    }
}

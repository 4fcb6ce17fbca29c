//! Records with letters and lines changed, lost and doubled: never a panic, always a record or a defect with a line.

use super::super::{Format, Record};
use super::{in_misty, in_source_notation, random_game};
use crate::any::AnyRules;
use crate::fuzz;
use crate::rng::Rng;

/// What is put into a text.
const LETTERS: &str =
    "abcdehAXKGpknC12890.-x()[]\"{}* \n\r\t,/?=5○甲丙丁乙兵包將相﹋好投紅７．é\u{feff}\0\u{1f3f3}\u{3000}士";

fn letter(rng: &mut Rng) -> char {
    let place = rng.below(LETTERS.chars().count() as u32) as usize;
    LETTERS.chars().nth(place).unwrap_or('?')
}

pub(super) fn mutated(text: &[char], rng: &mut Rng) -> String {
    let mut text = text.to_vec();
    for _ in 0..1 + rng.below(4) {
        let at = |rng: &mut Rng, text: &Vec<char>| rng.below(text.len() as u32 + 1) as usize;
        let (a, b) = (at(rng, &text), at(rng, &text));
        let (from, to) = (a.min(b), a.max(b).min(a.min(b) + 30));
        match rng.below(7) {
            0 if from < text.len() => text[from] = letter(rng),
            1 | 0 => text.insert(from, letter(rng)),
            2 => drop(text.drain(from..(from + 1).min(text.len()))),
            3 => drop(text.drain(from..to)),
            4 => {
                let piece = text[from..to].to_vec();
                let place = at(rng, &text);
                text.splice(place..place, piece);
            }
            5 if from < to => text.swap(from, to - 1),
            _ if rng.below(8) == 0 => text.truncate(a),
            _ => {}
        }
    }
    text.into_iter().collect()
}

#[test]
fn readers_survive() {
    let rules = AnyRules::parse("darkchess").unwrap();
    std::thread::scope(|scope| {
        // Replays are bytes: the tests of QQ's files change those.
        for format in Format::ALL.into_iter().filter(|&format| format != Format::Jgs) {
            let rules = &rules;
            scope.spawn(move || survives(format, rules));
        }
    });
}

/// Sound texts of a format. Short games: the readers are to be tested, and playing takes the time.
fn sound(format: Format, rules: &AnyRules) -> Vec<Vec<char>> {
    let AnyRules::DarkChess(game) = rules else { panic!("dark chess") };
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/source/example.txt");
    let text = |seed: u64| {
        let record = random_game(rules, seed, 8 + 6 * seed as u32).record();
        match format {
            Format::Anqi => record.to_string(),
            Format::Ntu => record.to_text(Format::Ntu).unwrap() + "* TimeOut A Wins 1,0\n* Comment 0 0\n",
            Format::Tcga => {
                let text = record.to_string();
                let rounds = text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
                format!("Lee vs Chen (Lee plays first)\n{}\nChen wins\n", rounds.collect::<Vec<_>>().join("\n"))
            }
            Format::Seed if seed == 0 => std::fs::read_to_string(example).unwrap(),
            Format::Seed => in_source_notation(game, &record),
            Format::Misty => in_misty(game, &record),
            Format::Jgs => unreachable!("no text"),
        }
    };
    (0..6).map(|seed| text(seed).chars().collect()).collect()
}

fn survives(format: Format, rules: &AnyRules) {
    let goes_on = fuzz::inputs(if cfg!(debug_assertions) { 1_200 } else { 40_000 });
    let texts = sound(format, rules);
    // Rules under which other actions are legal than the formats have words for.
    let dark = AnyRules::parse("darkchess:gametower-dark-chain").unwrap();
    let mut rng = Rng::branch(1, &[format as u64]);
    for i in (0..).take_while(|&i| goes_on(i)) {
        let text = mutated(&texts[i % texts.len()], &mut rng);
        let case = || format!("{}, input {i}: {:?}", format.name(), text.chars().take(300).collect::<String>());
        let detected = Format::detect(&text);
        // Strict now and then, and now and then under the rules that the text names or under others.
        let named = [Some(rules), None, Some(&dark)][if i % 64 < 3 { i % 64 } else { 0 }];
        if i % 16 == 5 {
            Record::read_all(&format!("{text}\n{text}"), format, named, false);
        }
        let reading = Record::read(&text, format, named, i % 4 == 0);
        let mut defects = reading.defects;
        // A header or a position without a ply is a record, too.
        assert!(
            !reading.record.plies.is_empty() || !defects.is_empty() || format == Format::Anqi || detected.is_ok(),
            "{}",
            case()
        );
        assert!(i % 4 > 0 || defects.len() <= 1, "{}", case());
        if [1, 2, 7].contains(&(i % 64)) {
            defects.extend(reading.record.check().defects);
            let _ = reading.record.to_text(Format::Ntu);
        }
        let lines = text.lines().count().max(1);
        assert!(defects.iter().all(|defect| (1..=lines).contains(&defect.line)), "{}", case());
    }
}

//! Games that were really played, one for each way a game ended on a tournament platform.

use anqi_env::game::Status;
use anqi_env::record::Record;

/// Every record, by its file's name.
fn records() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/data/games");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut records: Vec<(String, String)> = files
        .filter(|path| path.extension().is_some_and(|extension| extension == "anqi"))
        .map(|path| (path.file_name().unwrap().to_string_lossy().into(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    records.sort();
    assert!(records.len() >= 9, "{folder}: {} records", records.len());
    records
}

#[test]
fn they_end_at_their_last_ply_as_they_ended_then() {
    for (name, text) in records() {
        let record = Record::parse(&text).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let game = record.replay().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert_eq!(game.plies() as usize, record.plies.len(), "{name}");
        let result = match game.status() {
            Status::Win(0, _) => "1-0",
            Status::Win(..) => "0-1",
            Status::Draw(_) => "1/2-1/2",
            Status::Ongoing => "*",
        };
        let reason = match game.status() {
            Status::Win(_, reason) | Status::Draw(reason) => reason.name(),
            Status::Ongoing => "unfinished",
        };
        assert_eq!((record.header("Result"), record.header("Termination")), (Some(result), Some(reason)), "{name}");
        assert_eq!(name.starts_with("time-out"), reason == "time", "{name}");
        // A ply less, and no word about how it ended.
        let mut before = record.clone();
        before.plies.pop();
        before.headers.retain(|(key, _)| key != "Result" && key != "Termination");
        let before = before.replay().unwrap_or_else(|fault| panic!("{name}: {fault}"));
        assert!(before.status().is_ongoing(), "{name} was over a ply earlier: {}", before.position());
    }
}

#[test]
fn nothing_is_played_after_the_end() {
    for (name, text) in records() {
        let mut record = Record::parse(&text).unwrap();
        let game = record.replay().unwrap();
        // A clock can end a game on paper before its rules do.
        if !name.starts_with("time-out") {
            assert!(game.legal_actions().is_empty(), "{name}");
            let last = record.plies.last().unwrap().action.clone();
            let (from, to) = last.split_once('-').unwrap_or((&last, "a1"));
            let lines: Vec<String> = text.lines().map(Into::into).collect();
            let longer = format!("{}\n{to}-{from} {}\n", lines[..lines.len() - 1].join("\n"), lines[lines.len() - 1]);
            record = Record::parse(&longer).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let fault = record.replay().err().unwrap().to_string();
            assert!(fault.contains("the game is over"), "{name}: {fault}");
        }
    }
}

#[test]
fn what_is_written_reads_back_the_same() {
    for (name, text) in records() {
        let record = Record::parse(&text).unwrap();
        let again = Record::parse(&record.to_string()).unwrap();
        assert_eq!((&again.headers, &again.plies), (&record.headers, &record.plies), "{name}");
        // And so does the record that the game itself writes.
        let played = record.replay().unwrap().record();
        assert_eq!(played.plies, record.plies, "{name}");
        let game = Record::parse(&played.to_string()).unwrap().replay().unwrap();
        assert_eq!(game.position(), record.replay().unwrap().position(), "{name}");
        for key in ["Game", "Rules"] {
            assert_eq!(played.header(key).is_some(), record.header(key).is_some(), "{name}");
        }
    }
}

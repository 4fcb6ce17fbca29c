//! QQ's files: a small replay built byte by byte, its defects, and files with bytes changed, lost and doubled.

use super::super::jgs::{self, Draw, End, Event, Outcome, Reason, Replay};
use super::super::{Layout, jql};
use crate::Error;
use crate::rng::Rng;

/// 25 pieces, front row first.
const LAYOUT: &str = "09887\
                      7.6.6\
                      5B.B5\
                      4.4.4\
                      3L3L3\
                      2F2L2";
const HEAD: usize = 0x19C;

/// A replay of four seats and these events.
fn replay(events: &[[u8; 10]]) -> Vec<u8> {
    let mut bytes = b"QQGame JQS\0".to_vec();
    bytes.resize(HEAD, 0);
    bytes[0x18] = 0xFF;
    bytes[0x19] = 4;
    bytes[0x1A..0x1C].copy_from_slice(&(events.len() as u16).to_le_bytes());
    let layout = jql::write(&LAYOUT.parse().unwrap()).unwrap();
    for colour in 0..4 {
        let seat = 0x20 + 88 * colour;
        bytes[seat] = colour as u8;
        bytes[seat + 8..seat + 13].copy_from_slice(b"NAME!");
        bytes[seat + 28..seat + 58].copy_from_slice(&layout[20..]);
        bytes[seat + 60..seat + 64].copy_from_slice(&[1, 2, 3, 4]);
    }
    bytes.extend(events.iter().flatten());
    bytes.extend([0; 8]);
    bytes
}

/// One of each kind.
const EVENTS: [[u8; 10]; 8] = [
    [0x5F, 0x18, 11, 6, 10, 5, 0, 0, 0, 0],
    [0x5F, 0x12, 6, 5, 5, 6, 0, 0, 0, 0],
    [0x5F, 0x4B, 8, 10, 6, 10, 16, 7, 7, 16],
    [0xF5, 2, 0, 1, 3, 0, 0, 0, 0, 0],
    [0xF5, 3, 1, 2, 3, 0, 0, 0, 0, 0],
    [0xF5, 4, 1, 0, 0, 0, 0, 0, 0, 0],
    [0xF5, 3, 3, 4, 0xFF, 0, 0, 0, 0, 0],
    [0xF5, 5, 0, 4, 0xFF, 0, 0, 0, 0, 0],
];

fn wrong(bytes: &[u8]) -> (usize, String) {
    match Replay::read(bytes) {
        Err(Error::Bytes { offset, message }) => (offset, message),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_replay_is_read() {
    let read = Replay::read(&replay(&EVENTS)).unwrap();
    let quiet = |from, to| Event::Move { from, to, outcome: Outcome::Moved, attacker_flag: None, defender_flag: None };
    // E15 to N11, N15 to W11, then from the middle to its corner.
    let lost = Event::Move { from: 64, to: 90, outcome: Outcome::Lost, attacker_flag: None, defender_flag: None };
    let both = Outcome::Both;
    let flags = Event::Move { from: 127, to: 126, outcome: both, attacker_flag: Some(58), defender_flag: Some(26) };
    assert_eq!(
        read.events,
        [
            quiet(34, 60),
            lost,
            flags,
            Event::TimeOut { seat: 1, count: 1, next: 2 },
            Event::Out { seat: 0, reason: Reason::NoMove },
            Event::Left { seat: 0 },
            Event::Out { seat: 2, reason: Reason::Surrender },
            Event::End(End::Decided),
        ]
    );
    assert_eq!(read.layouts.map(|layout| layout.unwrap().to_string()), [LAYOUT; 4]);
    assert_eq!((read.recorder, read.draw), (1, None));
    let mut bytes = replay(&[]);
    bytes[0x18] = 2;
    bytes[0x0F] = 1;
    let read = Replay::read(&bytes).unwrap();
    assert_eq!((read.recorder, read.draw, read.events.len()), (0, Some(Draw::Automatic), 0));
}

#[test]
fn names_and_numbers_leave_no_trace() {
    let mut bytes = replay(&EVENTS);
    let before = format!("{:?}", Replay::read(&bytes).unwrap());
    for seat in (0x20..HEAD - 28).step_by(88) {
        bytes[seat + 8..seat + 28].fill(0xB0);
        bytes[seat + 60..seat + 64].fill(0xFF);
    }
    assert_eq!(format!("{:?}", Replay::read(&bytes).unwrap()), before);
    assert!(!before.contains("NAME"));
}

#[test]
fn two_seats_are_read() {
    let mut bytes = replay(&[]);
    bytes[0x19] = 2;
    (bytes[0x20], bytes[0x20 + 2 * 88]) = (0xFF, 0xFF);
    let layouts = Replay::read(&bytes).unwrap().layouts;
    assert_eq!(layouts.map(|layout| layout.is_some()), [true, false, true, false]);
}

/// Each defect is named by its byte.
#[test]
fn defects_are_named() {
    let at = |offset: usize, value: u8| {
        let mut bytes = replay(&EVENTS);
        bytes[offset] = value;
        let (place, message) = wrong(&bytes);
        assert!(message.len() > 10 && message.len() < 150, "{message}");
        (place, message)
    };
    for (offset, value, place, says) in [
        (0, b'q', 0, "begins with 'QQGame JQS'"),
        (0x0F, 4, 0x0F, "04 is no colour"),
        (0x18, 4, 0x18, "04 is no kind of draw"),
        (0x19, 2, 0x19, "2 seats, 4 with pieces"),
        (0x1A, 9, HEAD + 88, "the file has 500 bytes: with 9 events it has 510"),
        (0x1A, 7, HEAD + 78, "the file has 500 bytes: with 7 events it has 490"),
        (0x20, 1, 0x20 + 88, "a second seat of colour 01"),
        (0x20 + 28, 14, 0x20 + 28, "14 is no piece"),
        (0x20 + 28, 0, 0x20 + 28, "no piece on row 1, column 1"),
        (0x20 + 34, 3, 0x20 + 34, "a piece in the camp of row 2, column 2"),
        (0x20 + 28, 6, 0x20 + 57, "0 pieces '0': expected 1"),
        (HEAD, 0x5E, HEAD, "5E begins no event"),
        (HEAD + 2, 7, HEAD + 2, "no station at x 7, y 6"),
        (HEAD + 5, 17, HEAD + 4, "no station at x 10, y 17"),
        (HEAD + 1, 0x40, HEAD + 1, "bit 6"),
        (HEAD + 21, 3, HEAD + 21, "bit 6"),
        (HEAD + 26, 9, HEAD + 26, "no station at x 9, y 7"),
        (HEAD + 31, 1, HEAD + 31, "01 is nothing that happens"),
        (HEAD + 32, 4, HEAD + 32, "04 is no colour"),
        (HEAD + 34, 0xFF, HEAD + 34, "FF is no colour"),
        (HEAD + 43, 5, HEAD + 43, "05 is no reason"),
        (HEAD + 73, 3, HEAD + 73, "03 is no end"),
    ] {
        let (found, message) = at(offset, value);
        assert!(found == place && message.contains(says), "{offset}: {found} {message}");
    }
    let mut events = EVENTS.to_vec();
    events.push(EVENTS[0]);
    assert_eq!(wrong(&replay(&events)), (HEAD + 80, "an event behind the end of the game".into()));
    let bytes = replay(&EVENTS);
    for length in 0..bytes.len() {
        let (offset, _) = wrong(&bytes[..length]);
        assert_eq!(offset, if length < 11 { 0 } else { length });
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(wrong(&longer).0, bytes.len());
    let text = Replay::read(&bytes[..9]).unwrap_err().to_string();
    assert_eq!(text, "byte 0 (0x0): no QQ replay: it begins with 'QQGame JQS' and a zero byte");
}

#[test]
fn layouts_both_ways() {
    let layout: Layout = LAYOUT.parse().unwrap();
    let bytes = jql::write(&layout).unwrap();
    assert_eq!((bytes.len(), jql::is(&bytes), jgs::is(&bytes)), (50, true, false));
    assert_eq!(&bytes[16..27], [0x57, 4, 0, 0, 5, 6, 7, 7, 8, 8, 0]);
    assert_eq!(jql::read(&bytes).unwrap(), layout);
    let mut rng = Rng::new(4);
    for _ in 0..200 {
        let mut letters: Vec<char> = LAYOUT.chars().filter(|&letter| letter != '.').collect();
        rng.shuffle(&mut letters);
        let mut next = letters.into_iter();
        let text: String = LAYOUT.chars().map(|old| if old == '.' { old } else { next.next().unwrap() }).collect();
        let layout: Layout = text.parse().unwrap();
        assert_eq!(jql::read(&jql::write(&layout).unwrap()).unwrap().to_string(), text);
    }
}

#[test]
fn layouts_that_do_not_fit_are_refused() {
    for (text, says) in [
        ("", "0 letters: expected 30"),
        (&LAYOUT[1..], "29 letters: expected 30"),
        (&format!("{LAYOUT}2"), "31 letters: expected 30"),
        (&LAYOUT.replace('0', "1"), "letter 1: '1' is no piece"),
        (&LAYOUT.replace('0', "炸"), "letter 1: '炸' is no piece"),
        (&LAYOUT.replace('0', "."), "letter 1: no piece on row 1, column 1"),
        (&LAYOUT.replacen('.', "2", 1), "letter 7: a piece in the camp of row 2, column 2"),
        (&LAYOUT.replace('0', "9"), "0 pieces '0': expected 1"),
        (&LAYOUT.replace('F', "L"), "0 pieces 'F': expected 1"),
    ] {
        let message = text.parse::<Layout>().unwrap_err().to_string();
        assert!(message.starts_with("position, layout: ") && message.contains(says), "{text}: {message}");
    }
    let unknown: Layout = LAYOUT.replace('0', "?").parse().unwrap();
    assert!(jql::write(&unknown).unwrap_err().to_string().contains("not known"));
    let good = jql::write(&LAYOUT.parse().unwrap()).unwrap();
    for (offset, value, place, says) in [
        (3, b'G', 0, "no QQ layout"),
        (18, 1, 16, "57 04 00 00"),
        (20, 1, 20, "not known"),
        (22, 200, 22, "200 is no piece"),
        (26, 5, 26, "camp"),
        (20, 6, 49, "0 pieces '0'"),
    ] {
        let mut bytes = good.clone();
        bytes[offset] = value;
        match jql::read(&bytes) {
            Err(Error::Bytes { offset, message }) if offset == place && message.contains(says) => {}
            other => panic!("{offset}: {other:?}"),
        }
    }
    for length in 0..50 {
        assert!(jql::read(&good[..length]).is_err());
    }
}

/// Bytes changed, lost, doubled and swapped: never a panic; either what was read can be meant, or a byte of the file,
/// or the one behind its end, is named.
#[test]
fn readers_survive() {
    let total = if cfg!(debug_assertions) { 5_000 } else { 100_000 };
    let sound = [replay(&EVENTS), replay(&[]), jql::write(&LAYOUT.parse().unwrap()).unwrap()];
    let mut rng = Rng::branch(1, &[77]);
    let mut read = 0;
    for input in 0..total {
        let bytes = mutated(&sound[input % sound.len()], &mut rng);
        let fault = if jql::is(&bytes) {
            jql::read(&bytes).map(|layout| assert_eq!(jql::write(&layout).unwrap(), bytes)).err()
        } else {
            Replay::read(&bytes).map(|replay| assert_eq!(bytes.len(), HEAD + 10 * replay.events.len() + 8)).err()
        };
        match fault {
            None => read += 1,
            Some(Error::Bytes { offset, message }) => {
                assert!(offset <= bytes.len() && !message.is_empty(), "input {input}: {offset} of {}", bytes.len());
            }
            Some(other) => panic!("input {input}: {other}"),
        }
    }
    // Names, numbers and what says nothing may change.
    assert!(read > total / 20 && read < total / 2, "{read} of {total}");
}

fn mutated(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..1 + rng.below(3) {
        let mut at = || rng.below(bytes.len() as u32) as usize;
        let (one, two) = (at(), at());
        match rng.below(12) {
            0..=4 => bytes[one] = rng.bits() as u8,
            5..=7 => bytes[one] = rng.below(18) as u8,
            8 => bytes[one] ^= 1 << rng.below(8),
            9 => bytes.swap(one, two),
            10 => bytes.truncate(one.max(1)),
            _ => {
                // An event or a piece of one taken out and put in somewhere else.
                let end = (one + 10).min(bytes.len());
                let piece: Vec<u8> = bytes.drain(one..end).collect();
                let place = two.min(bytes.len());
                bytes.splice(place..place, piece);
            }
        }
        if bytes.is_empty() {
            break;
        }
    }
    bytes
}

//! Generated parts that show pieces, captures and positions.

use anqi_env::any::AnyRules;
use anqi_env::darkchess::rules::Family;
use anqi_env::darkchess::{Cell, Colour, DarkChess, Kind, Piece};
use anqi_env::game::Game;

use crate::tables::{code, fenced, table};

/// A position for drawings: the cannon on c2 has a face-down screen on c3 and a target on c5; red is to move.
pub(crate) const EXAMPLE: &str = "XX1g2XX/XK1pXXX1/XCX1r2X/X1XmXX1n 0 r M2R2N1C1P4k1n1c1p2 2 41 last=c6-c5";

/// A chain goes on: a soldier and, by a rush, a face-down piece can be captured; a guard cannot.
pub(crate) const CHAIN: &str = "8/2p5/2R2X1k/2g4X 0 r K1n1 0 70 last=c2-c3 chain=c3";

/// A horse chased nine times in a row; the horse has just moved away from the chariot.
pub(crate) const CHASE: &str = "8/4n3/3R4/8 0 r - 20 121 last=b4-b5 chase=b5:9/";

/// Tomb Chess: the ghost on a2 may capture the demon king on b2.
pub(crate) const TOMB: &str = "XPX1rX/Xk1QXX/pX1X1P/X1R1bX/XNXpXX/1XPXrX 0 r K1B2N1R2P3q1b1n1r1p4 1 33 last=d4-d5";

/// A kind's English name.
fn name(family: Family, kind: Kind) -> &'static str {
    let names = match family {
        Family::DarkChess => ["general", "guard", "minister", "chariot", "horse", "cannon", "soldier"],
        Family::TombChess => ["demon king", "serpent queen", "zombie", "headless", "skeleton", "", "ghost"],
    };
    names[kind as usize]
}

/// Names, letters, numbers and values of a family's pieces.
pub(crate) fn pieces(family: Family) -> String {
    let rules = family.default_rules();
    let kinds = Kind::ALL.into_iter().filter(|&kind| rules.pieces[kind as usize] > 0);
    let letters = |kind| Colour::ALL.map(|colour| Piece::new(colour, kind)).map(|piece| family.letter(piece));
    let counts = |kind: Kind| [rules.pieces[kind as usize].to_string(), family.points(kind).to_string()];
    match family {
        Family::DarkChess => {
            let rows = kinds.map(|kind| {
                let [red, black] = Colour::ALL.map(|colour| {
                    let piece = Piece::new(colour, kind);
                    format!("{} `{}`", piece.character(), piece.letter())
                });
                let [count, points] = counts(kind);
                [name(family, kind).into(), red, black, count, kind.value().to_string(), points]
            });
            table(["piece", "red 紅", "black 黑", "a side", "value", "points"], rows)
        }
        Family::TombChess => {
            let chinese = ["魔王", "蛇后", "殭屍", "無頭", "骷髏", "", "幽靈"];
            let rows = kinds.map(|kind| {
                let chinese = chinese[kind as usize];
                assert!(chinese.starts_with(family.character(Piece::new(Colour::Red, kind))), "{chinese}");
                let [red, green] = letters(kind).map(|letter| code(&letter.to_string()));
                let [count, points] = counts(kind);
                [name(family, kind).into(), chinese.into(), red, green, count, points]
            });
            table(["unit", "name", "red 紅", "green 綠", "a side", "points"], rows)
        }
    }
}

/// Asks the engine, with the attacker on a1: the target on a2, or on a3 behind a screen.
pub(crate) fn captures(game: &DarkChess, jumps: bool) -> String {
    let family = game.rules().family;
    let [_, rows, cols] = game.spec().planes;
    let takes = |attacker: Kind, target: Kind, jump: bool| {
        let attacker = family.letter(Piece::new(Colour::Red, attacker));
        let target = family.letter(Piece::new(Colour::Black, target));
        // One more piece of each side, so that a second one of a kind there is only once is not needed.
        let (row, action) = if jump { ("P", "a1-a3") } else { ("", "a1-a2") };
        let rest = format!("/{cols}").repeat(rows - 1);
        let text = format!("{attacker}{row}{target}{}{rest} 0 r - 0 40", cols - 2 - row.len());
        let view = game.parse_view(&text).expect("a position");
        game.is_legal(&view, game.action_id(action).expect("an action"))
    };
    let list = |attacker, jump| {
        let taken = game.kinds().filter(|&target| takes(attacker, target, jump));
        let letters: Vec<String> = taken.map(|target| family.kind_letter(target).to_string()).collect();
        if letters.is_empty() { "nothing".to_string() } else { letters.join(" ") }
    };
    let piece = |kind| format!("{} `{}`", name(family, kind), family.kind_letter(kind));
    if jumps {
        let rows = game.kinds().map(|kind| [piece(kind), list(kind, false), list(kind, true)]);
        table(["piece", "takes on the next square", "takes over one screen"], rows)
    } else {
        table(["piece", "takes on the next square"], game.kinds().map(|kind| [piece(kind), list(kind, false)]))
    }
}

/// The board as players see it: Chinese characters, the source's row names, full-width digits.
pub(crate) fn board(position: &str) -> String {
    let game = DarkChess::parse("taiwan").expect("a profile");
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

/// A position's drawing and text, and the legal actions.
pub(crate) fn drawn(rules: &str, position: &str) -> String {
    let game = AnyRules::parse(rules).and_then(|rules| rules.start_from(position, 0)).expect("the example");
    assert_eq!(game.position(), position, "the example as it is written");
    let legal: Vec<String> = game.legal_actions().iter().map(|&action| game.action_name(action)).collect();
    let is_other = |name: &String| name.contains('-') || name == "stop";
    let (others, flips): (Vec<_>, Vec<_>) = legal.into_iter().partition(is_other);
    let flips = if flips.is_empty() { String::new() } else { format!("flips: {}\n", flips.join(" ")) };
    let [board, position] = [game.text(), game.position()];
    fenced(&format!("{}\n{position}\n\n{flips}steps and captures: {}", board.trim_end(), others.join(" ")))
}

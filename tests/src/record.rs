//! A reader of the `anqi` game record: header lines, then plies with move numbers, comments in braces, the result.
//!
//! It is small and strict on purpose. The project's own reader is tested against the same files.

/// A game record as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The header lines, key and value, in their order.
    pub headers: Vec<(String, String)>,
    /// The plies: the action and, where something was turned up, its letter.
    pub plies: Vec<(String, Option<char>)>,
    /// The last token: `1-0`, `0-1` or `1/2-1/2`, from seat 0.
    pub result: String,
}

impl Record {
    /// The value of a header line.
    pub fn header(&self, key: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// Reads a record.
    ///
    /// # Errors
    /// A sentence that names the header line or the token that cannot be read.
    pub fn parse(text: &str) -> Result<Record, String> {
        let mut headers = Vec::new();
        let mut moves = String::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if moves.is_empty() && line.starts_with('[') {
                let header = header(line).ok_or_else(|| format!("line {}: no header", number + 1))?;
                headers.push(header);
            } else if !line.is_empty() {
                moves.push_str(line);
                moves.push('\n');
            }
        }
        let moves = without_comments(&moves)?;
        let mut plies = Vec::new();
        let mut result = None;
        for token in moves.split_whitespace() {
            if result.is_some() {
                return Err(format!("{token} stands behind the result"));
            }
            if ["1-0", "0-1", "1/2-1/2"].contains(&token) {
                result = Some(token.to_string());
            } else if let Some(number) = token.strip_suffix('.') {
                let due = plies.len() / 2 + 1;
                if plies.len() % 2 != 0 || number.parse() != Ok(due) {
                    return Err(format!("move number {token} where {due}. would be right"));
                }
            } else {
                plies.push(ply(token).ok_or_else(|| format!("{token} is no ply"))?);
            }
        }
        Ok(Record { headers, plies, result: result.ok_or("no result")? })
    }
}

/// `[Key "value"]`.
fn header(line: &str) -> Option<(String, String)> {
    let inside = line.strip_prefix('[')?.strip_suffix("\"]")?;
    let (key, value) = inside.split_once(" \"")?;
    Some((key.to_string(), value.to_string()))
}

fn without_comments(text: &str) -> Result<String, String> {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('{') {
        left.push_str(before);
        left.push(' ');
        let (_, after) = behind.split_once('}').ok_or("a comment without its closing brace")?;
        rest = after;
    }
    left.push_str(rest);
    Ok(left)
}

/// `b3(n)`, `a4-a5`, `a4xa5`, `a4-a5(n)`, `stop`. A capture may be written with `x`; both are the same action.
fn ply(token: &str) -> Option<(String, Option<char>)> {
    let (action, outcome) = match token.strip_suffix(')') {
        Some(open) => {
            let (action, letter) = open.split_once('(')?;
            let mut letters = letter.chars();
            let outcome = letters.next().filter(char::is_ascii_alphabetic)?;
            if letters.next().is_some() {
                return None;
            }
            (action, Some(outcome))
        }
        None => (token, None),
    };
    if action == "stop" {
        return Some((action.to_string(), outcome));
    }
    let squares: Vec<&str> = action.split(['-', 'x']).collect();
    if squares.len() > 2 || !squares.iter().all(|square| is_square(square)) {
        return None;
    }
    Some((squares.join("-"), outcome))
}

fn is_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 2 && bytes[0].is_ascii_lowercase() && bytes[1].is_ascii_digit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference::{Game, Reason, Rules, Status};

    /// The nine games, with the number of their plies, written out as a second check that none was shortened.
    const GAMES: [(&str, usize); 9] = [
        ("no-move-all-captured.anqi", 105),
        ("no-move-all-captured-2.anqi", 105),
        ("no-move-blocked.anqi", 105),
        ("no-move-hidden-left.anqi", 62),
        ("quiet-limit.anqi", 193),
        ("repetition-4.anqi", 96),
        ("repetition-8.anqi", 78),
        ("repetition-12.anqi", 185),
        ("time-out.anqi", 62),
    ];

    fn load(name: &str) -> Record {
        let path = format!("{}/data/games/{name}", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect(&path);
        Record::parse(&text).expect(name)
    }

    /// Plays a record out: no ply may be illegal and none but the last may end the game.
    fn replay(name: &str, record: &Record) -> Game {
        let rules = record.header("Rules").and_then(|rules| rules.strip_prefix("darkchess:"));
        let rules = rules.and_then(Rules::profile).expect(name);
        let mut game = Game::new(rules);
        for (index, (action, outcome)) in record.plies.iter().enumerate() {
            assert_eq!(game.status(), Status::Ongoing, "{name}: over before ply {}", index + 1);
            assert_eq!(game.to_move(), index % 2, "{name}: ply {}", index + 1);
            if let Err(defect) = game.play(action, *outcome) {
                panic!("{name}: ply {}: {defect}", index + 1);
            }
        }
        game
    }

    #[test]
    fn real_games_end_as_they_ended_there() {
        for (name, plies) in GAMES {
            let record = load(name);
            assert_eq!(record.header("Game"), Some("darkchess"), "{name}");
            assert_eq!(record.header("Result"), Some(record.result.as_str()), "{name}");
            assert_eq!(record.plies.len(), plies, "{name}");
            let reason = match record.header("Termination") {
                Some("eliminated") => Some(Reason::Eliminated),
                Some("no-moves") => Some(Reason::NoMoves),
                Some("quiet-limit") => Some(Reason::QuietLimit),
                Some("repetition") => Some(Reason::Repetition),
                Some("time") => None,
                other => panic!("{name}: termination {other:?}"),
            };
            let expected = match (reason, record.result.as_str()) {
                // The clock is no part of the rules: on the board the game goes on, and the loser is to move.
                (None, _) => Status::Ongoing,
                (Some(reason), "1-0") => Status::Win { seat: 0, reason },
                (Some(reason), "0-1") => Status::Win { seat: 1, reason },
                (Some(reason), _) => Status::Draw { reason },
            };
            let game = replay(name, &record);
            assert_eq!(game.status(), expected, "{name}: {}", game.position());
            if reason.is_none() {
                let winner = usize::from(record.result == "0-1");
                assert_eq!(game.to_move(), 1 - winner, "{name}");
            }
        }
    }

    #[test]
    fn the_last_game_of_a_kind_shows_what_its_name_says() {
        let left = replay("no-move-hidden-left.anqi", &load("no-move-hidden-left.anqi"));
        assert!(left.position().contains('X'), "{}", left.position());
        let blocked = replay("no-move-blocked.anqi", &load("no-move-blocked.anqi"));
        assert!(!blocked.position().contains('X'), "{}", blocked.position());
        assert_eq!(blocked.legal(), Vec::<String>::new());
    }

    #[test]
    fn reads_every_way_to_write_a_ply() {
        let text = "[Game \"darkchess\"]\n[Seat0 \"A B\"]\n\n1. b3(n) {a flip\nof two lines} c3(K)\n\
                    2. a4-a5 a4xa5\n3. a4-a5(p) stop 1/2-1/2\n";
        let record = Record::parse(text).expect("it is well formed");
        assert_eq!(record.header("Seat0"), Some("A B"));
        let plies: Vec<(&str, Option<char>)> =
            record.plies.iter().map(|(action, outcome)| (action.as_str(), *outcome)).collect();
        assert_eq!(
            plies,
            [
                ("b3", Some('n')),
                ("c3", Some('K')),
                ("a4-a5", None),
                ("a4-a5", None),
                ("a4-a5", Some('p')),
                ("stop", None)
            ]
        );
        assert_eq!(record.result, "1/2-1/2");
    }

    #[test]
    fn names_what_it_cannot_read() {
        for (text, defect) in [
            ("[Game darkchess]\n", "line 1: no header"),
            ("1. b3(n)\n", "no result"),
            ("1. b3(n) 3. c3(K) 1-0\n", "move number 3."),
            ("1. b3(nn) 1-0\n", "b3(nn) is no ply"),
            ("1. b3-c3-d3 1-0\n", "b3-c3-d3 is no ply"),
            ("1. b3(n) 1-0 c3(K)\n", "c3(K) stands behind the result"),
            ("1. b3(n) {never closed 1-0\n", "closing brace"),
        ] {
            let error = Record::parse(text).expect_err(text);
            assert!(error.contains(defect), "{text}: {error}");
        }
    }
}

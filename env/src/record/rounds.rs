//! Numbered rounds of one ply a seat, `4. c8-a8 d8(c)`: what the `anqi` form, TCGA records and the platform's log share.

use super::Record;
use super::defect::{Grade, Notes, Stop};

/// Notes a round's number that does not follow from the plies before it; where just the last ply of the round before
/// lacks, puts one in that is not known.
pub(super) fn begin(record: &mut Record, notes: &mut Notes, line: usize, round: usize) -> Result<(), Stop> {
    let (plies, each) = (record.plies.len(), record.round());
    if plies.is_multiple_of(each) && round == plies / each + 1 {
        return Ok(());
    }
    let [one, last] = if each == 2 { ["two plies", "second"] } else { ["four plies", "fourth"] };
    let wrong = format!("round {round} follows {plies} plies: a round is {one}");
    if plies % each + 1 == each && round == plies.div_ceil(each) + 1 {
        let right = format!("the {last} ply of the round before is missing");
        notes.add(Grade::Missing, (line, Some(plies + 1)), wrong, right)?;
        record.push_unknown(line);
        return Ok(());
    }
    notes.mended((line, Some(plies + 1)), wrong, format!("read on as round {}", plies / each + 1))
}

/// A round's number and what stands behind its dot without a space: `4.` or `4.c8-a8`.
pub(super) fn number(token: &str) -> Option<(usize, &str)> {
    let (digits, rest) = token.split_once('.')?;
    let digits = digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(digits)?;
    Some((digits.parse().ok()?, rest))
}

/// An action and, in brackets, what it showed: `b3(n)`.
pub(super) fn split(
    token: &str,
    notes: &mut Notes,
    (line, ply): (usize, usize),
) -> Result<(String, Option<String>), Stop> {
    let Some((action, outcome)) = token.split_once('(') else { return Ok((token.into(), None)) };
    let closed = outcome.strip_suffix(')');
    if closed.is_none() {
        let right = format!("read as {action}({outcome})");
        notes.mended((line, Some(ply)), format!("'{token}': the bracket is not closed"), right)?;
    }
    Ok((action.into(), Some(closed.unwrap_or(outcome).into())))
}

/// Reads the rounds of a line on a board of four letters and eight digits, and checks the form of each ply.
pub(super) fn read_line(record: &mut Record, notes: &mut Notes, line: usize, text: &str) -> Result<(), Stop> {
    for token in text.split_whitespace() {
        let mut token = token;
        if let Some((round, rest)) = number(token) {
            begin(record, notes, line, round)?;
            if rest.is_empty() {
                continue;
            }
            let at = (line, Some(record.plies.len() + 1));
            notes.mended(at, format!("'{token}': no space behind the round's number"), format!("read as {rest}"))?;
            token = rest;
        }
        let ply = record.plies.len() + 1;
        let (action, outcome) = split(token, notes, (line, ply))?;
        let Some(plain) = plain(&action) else {
            let right = if other_board(&action) {
                "squares are a-d with 1-8 here; a board of 8 letters and 4 ranks is another format"
            } else {
                "expected a flip such as b3(n), or a step or capture such as a4-a5"
            };
            return Err(notes.unreadable((line, Some(ply)), format!("'{token}' is no ply"), right));
        };
        if plain != action && plain != action.replace('x', "-") {
            notes.mended((line, Some(ply)), format!("'{action}'"), format!("read as {plain}"))?;
        }
        record.push(plain, outcome, line);
    }
    Ok(())
}

/// An action with small letters and a dash, `None` where it names no squares of the board.
fn plain(action: &str) -> Option<String> {
    let squares: String = action.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let joint = action.len() - action.bytes().filter(u8::is_ascii_alphanumeric).count();
    let square = |text: &str| matches!(text.as_bytes(), [b'a'..=b'd', b'1'..=b'8']);
    match (squares.len(), joint) {
        (2, 0) if square(&squares) => Some(squares),
        (4, 0 | 1) if action.len() == 4 + joint && action.is_char_boundary(2) => {
            let (from, to) = (&squares[..2], &squares[2..]);
            let between = action.get(2..2 + joint)?;
            (square(from) && square(to) && ["", "-"].contains(&between)).then(|| format!("{from}-{to}"))
        }
        (5, 0) if squares.as_bytes()[2] == b'x' && square(&squares[..2]) && square(&squares[3..]) => {
            Some(format!("{}-{}", &squares[..2], &squares[3..]))
        }
        _ => None,
    }
}

/// Whether an action is written for a board of the files a-h and the ranks 1-4.
fn other_board(action: &str) -> bool {
    action.split(['-', 'x']).all(|square| matches!(square.as_bytes(), [b'a'..=b'h', b'1'..=b'4']))
        && action.bytes().any(|letter| (b'e'..=b'h').contains(&letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_ply() {
        for (written, read) in [
            ("b3", Some("b3")),
            ("a4-a5", Some("a4-a5")),
            ("a4xa5", Some("a4-a5")),
            ("A4-A5", Some("a4-a5")),
            ("a4a5", Some("a4-a5")),
            ("e1", None),
            ("a9-a8", None),
            ("a4--a5", None),
            ("é", None),
            ("a4é5", None),
            ("a-4a5", None),
        ] {
            assert_eq!(plain(written).as_deref(), read, "{written}");
        }
    }
}

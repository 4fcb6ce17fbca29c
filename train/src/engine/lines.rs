//! Lines of text from whoever talks on a pipe: as long as they are sensible.

use std::io::{self, BufRead, Read as _};

/// No line of a protocol is longer; what stands beyond it is dropped, so that nobody fills the memory.
const LONGEST: usize = 64 * 1024;

/// The next line without its end; `None` where there is none. Bytes that are no text are replaced.
pub(super) fn next(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST as u64).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.last() != Some(&b'\n') {
        skip(input)?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_string()))
}

/// Reads up to the end of the line.
fn skip(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let bytes = input.fill_buf()?;
        let (used, done) = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(end) => (end + 1, true),
            None => (bytes.len(), bytes.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

/// A line of somebody else's in a message: on one line, and not too long.
pub(super) fn short(text: &str) -> String {
    let plain = |letter: char| if letter.is_control() { ' ' } else { letter };
    let mut short: String = text.chars().take(80).map(plain).collect();
    if text.chars().nth(80).is_some() {
        short += "..";
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_and_stay_short() {
        let long = "x".repeat(3 * LONGEST);
        let text = [b"one\r\n\n\xff two\n", long.as_bytes(), b"\nthree"].concat();
        let mut input = io::BufReader::with_capacity(100, &text[..]);
        let mut lines = std::iter::from_fn(|| next(&mut input).unwrap());
        assert_eq!(lines.next().unwrap(), "one");
        assert_eq!(lines.next().unwrap(), "");
        assert_eq!(lines.next().unwrap(), "\u{fffd} two");
        assert_eq!(lines.next().unwrap().len(), LONGEST);
        assert_eq!(lines.next().unwrap(), "three");
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn what_is_quoted_stays_on_one_line() {
        assert_eq!(short("a\tb\u{1b}[1m"), "a b [1m");
        assert_eq!(short(&"長".repeat(100)).chars().count(), 82);
    }
}

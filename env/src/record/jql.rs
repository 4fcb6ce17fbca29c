//! QQ's Junqi layouts, `.jql`: one seat's pieces in 50 bytes.
//!
//! | byte | what |
//! |---|---|
//! | 0 | `QQGame JQL File`, a zero byte |
//! | 16 | 57 04 00 00 |
//! | 20 | 30 numbers, row by row from the front, from the owner's left: 0 empty, 2 flag, 3 mine, 4 bomb, 5 commander to 13 engineer |

use super::layout::Layout;
use crate::Error;

const MAGIC: &[u8; 16] = b"QQGame JQL File\0";
const VERSION: &[u8; 4] = &[0x57, 4, 0, 0];
const START: usize = MAGIC.len() + VERSION.len();
/// The length of every such file.
const LENGTH: usize = START + 30;

/// Whether a file begins as a layout does.
pub fn is(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Reads a layout.
///
/// # Errors
/// The first byte that is wrong, and what would be right.
pub fn read(bytes: &[u8]) -> Result<Layout, Error> {
    let fault = |offset, message: String| Err(Error::Bytes { offset, message });
    if !is(bytes) {
        return fault(0, "no QQ layout: it begins with 'QQGame JQL File' and a zero byte".into());
    }
    if bytes.len() != LENGTH {
        let offset = bytes.len().min(LENGTH);
        return fault(offset, format!("the file has {} bytes: a layout has {LENGTH}", bytes.len()));
    }
    if bytes[MAGIC.len()..START] != *VERSION {
        return fault(MAGIC.len(), "expected the bytes 57 04 00 00".into());
    }
    let layout = Layout::of_codes(&bytes[START..])
        .map_err(|(station, message)| Error::Bytes { offset: START + station, message })?;
    match layout.letters().iter().position(|&letter| letter == b'?') {
        Some(station) => fault(START + station, "1 is a piece that is not known: a layout knows all of them".into()),
        None => Ok(layout),
    }
}

/// Writes a layout.
///
/// # Errors
/// A layout with a piece that is not known.
pub fn write(layout: &Layout) -> Result<Vec<u8>, Error> {
    if !layout.is_known() {
        let message = format!("{layout} has a piece that is not known: a .jql file holds whole layouts only");
        return Err(Error::Position { field: "layout", message });
    }
    Ok([MAGIC.as_slice(), VERSION, &layout.codes()].concat())
}

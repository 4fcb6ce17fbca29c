//! Drawings for a terminal: what they have in common.

/// How a position is written in a terminal. The default is plain characters and letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Escape codes for colours. Whether the terminal wants them is the caller's to know.
    pub colour: bool,
    /// The characters on the pieces (帥 將) and the rows' stems (甲 乙) in place of letters. Each takes two columns.
    pub chinese: bool,
}

// Indices of the 256-colour palette, every one with its own background, so that the board looks the same on light and
// on dark terminals.
pub(super) const WOOD: u8 = 180;
pub(super) const LAST_PLY: u8 = 222;
pub(super) const BLACK: u8 = 16;

pub(super) fn painted(text: &str, ink: u8, ground: u8) -> String {
    format!("\x1b[1;38;5;{ink};48;5;{ground}m{text}\x1b[0m")
}

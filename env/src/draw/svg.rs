//! Pictures: a self-contained SVG with no script, style sheet, font or file outside it.

use std::fmt::Write as _;

use super::Theme;
use super::theme::Palette;

/// Fonts in which the pieces are lettered: the brush-like regular script where a system has it, else a serif.
pub(super) const CHARACTER_FONTS: &str = "'Kaiti TC','BiauKai','DFKai-SB','TW-Kai','AR PL UKai TW','STKaiti','KaiTi',\
    'Noto Serif CJK TC','Noto Serif TC','Source Han Serif TC','Songti TC','PMingLiU','MingLiU',\
    'Noto Sans CJK TC','PingFang TC','Microsoft JhengHei',serif";
pub(super) const TEXT_FONTS: &str = "Palatino,'Palatino Linotype','Book Antiqua',Georgia,'Noto Serif',\
    'Noto Serif CJK TC','Songti TC',PMingLiU,serif";

/// The picture so far.
pub(super) struct Sheet {
    pub(super) out: String,
    /// What every identifier begins with.
    pub(super) id: String,
}

impl Sheet {
    /// A blank one; its identifiers are those of a game's position in a theme.
    pub(super) fn new(theme: Theme, game: &str, position: &str) -> Sheet {
        // FNV-1a: short, and the same on every platform.
        let bytes = [theme.name(), game, position].into_iter().flat_map(str::bytes);
        let hash = bytes.fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        Sheet { out: String::with_capacity(16 << 10), id: format!("b{hash:08x}") }
    }

    pub(super) fn add(&mut self, element: std::fmt::Arguments<'_>) {
        self.out.write_fmt(element).expect("a String takes all that is written");
        self.out.push('\n');
    }

    /// The root, so large in the units of the view box; a unit has so many pixels where nothing scales the picture.
    pub(super) fn open(&mut self, [width, height]: [usize; 2], pixels: f32, title: &str, description: &str) {
        let id = self.id.clone();
        let (shown_width, shown_height) = ((width as f32 * pixels).round(), (height as f32 * pixels).round());
        self.add(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{shown_width}" height="{shown_height}" style="max-width:100%;height:auto" role="img" aria-labelledby="{id}-title {id}-desc">"#
        ));
        let (title, description) = (escaped(title), escaped(description));
        self.add(format_args!(r#"<title id="{id}-title">{title}</title>"#));
        self.add(format_args!(r#"<desc id="{id}-desc">{description}</desc>"#));
    }

    /// The page on which everything lies.
    pub(super) fn page(&mut self, [width, height]: [usize; 2], palette: &Palette) {
        let Palette { page, edge, .. } = palette;
        self.add(format_args!(
            r#"<rect x="1" y="1" width="{}" height="{}" rx="22" fill="{page}" stroke="{edge}" stroke-width="2"/>"#,
            width - 2,
            height - 2
        ));
    }

    /// A seal, as a finished painting bears one, with its middle there.
    pub(super) fn seal(&mut self, [x, y]: [usize; 2], [upper, lower]: [char; 2], palette: &Palette) {
        self.add(format_args!(
            r##"<g transform="translate({x} {y}) rotate(-4)" text-anchor="middle" font-family="{CHARACTER_FONTS}" font-size="27" font-weight="700" fill="#fff6e6"><rect x="-30" y="-34" width="60" height="68" rx="7" fill="{}"/><rect x="-26" y="-30" width="52" height="60" rx="4" fill="none" stroke="#fff6e6" stroke-width="1.6"/><text y="-3">{upper}</text><text y="24">{lower}</text></g>"##,
            palette.seal
        ));
    }

    /// The whole document.
    pub(super) fn close(mut self) -> String {
        self.out += "</svg>\n";
        self.out
    }
}

/// Text that may stand between tags and in attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            // XML has no way to write other control characters.
            control if control.is_control() => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

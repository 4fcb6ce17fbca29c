//! Colours of pictures.

use crate::darkchess::Colour;
use crate::darkchess::rules::Family;

/// The light around the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// For light pages.
    #[default]
    Light,
    /// For dark pages.
    Dark,
}

impl Theme {
    /// Both, the default first.
    pub const ALL: [Theme; 2] = [Theme::Light, Theme::Dark];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }

    /// The theme of a name.
    pub fn from_name(name: &str) -> Option<Theme> {
        Theme::ALL.into_iter().find(|theme| theme.name() == name)
    }

    /// The paints of a family's boards: what is black in one is green in the other.
    pub(super) fn palette(self, family: Family) -> Palette {
        let palette = match self {
            Theme::Light => LIGHT,
            Theme::Dark => DARK,
        };
        match family {
            Family::DarkChess => palette,
            Family::TombChess => Palette { black: palette.green, ..palette },
        }
    }
}

/// What is painted in which colour. Pairs are the ends of gradients, the lit end first.
#[derive(Clone, Copy)]
pub(super) struct Palette {
    pub(super) page: &'static str,
    pub(super) edge: &'static str,
    pub(super) text: &'static str,
    pub(super) muted: &'static str,
    pub(super) frame: [&'static str; 2],
    pub(super) coordinates: &'static str,
    pub(super) wood: [&'static str; 2],
    pub(super) grain: &'static str,
    pub(super) groove: &'static str,
    pub(super) groove_light: &'static str,
    pub(super) mark: &'static str,
    pub(super) bracket: &'static str,
    pub(super) face: [&'static str; 2],
    pub(super) rim: [&'static str; 2],
    pub(super) back: [&'static str; 2],
    pub(super) back_rim: [&'static str; 2],
    pub(super) gold: &'static str,
    pub(super) red: &'static str,
    pub(super) black: &'static str,
    pub(super) green: &'static str,
    pub(super) seal: &'static str,
    pub(super) tray: &'static str,
}

impl Palette {
    pub(super) fn ink(&self, colour: Colour) -> &'static str {
        match colour {
            Colour::Red => self.red,
            Colour::Black => self.black,
        }
    }
}

const LIGHT: Palette = Palette {
    page: "#faf5ea",
    edge: "#e6dac2",
    text: "#33261a",
    muted: "#806b52",
    frame: ["#8a5a33", "#5f3a1e"],
    coordinates: "#f1d9ac",
    wood: ["#eac68c", "#d3a261"],
    grain: "#8a5524",
    groove: "#6d421c",
    groove_light: "#fbe3b4",
    mark: "#ffe98f",
    bracket: "#a5451a",
    face: ["#fdf3d9", "#e6c893"],
    rim: ["#fbe6b8", "#9c6a33"],
    back: ["#2f7a6f", "#124841"],
    back_rim: ["#5fa398", "#0b312c"],
    gold: "#e8c979",
    red: "#b3201a",
    black: "#17302a",
    green: "#157a34",
    seal: "#b3261e",
    tray: "#f2e8d3",
};

const DARK: Palette = Palette {
    page: "#191613",
    edge: "#3a322a",
    text: "#efe4d0",
    muted: "#a99a84",
    frame: ["#4d3220", "#2d1c11"],
    coordinates: "#d9b987",
    wood: ["#a97b49", "#835a31"],
    grain: "#3d220e",
    groove: "#3c230f",
    groove_light: "#cda26a",
    mark: "#f5d478",
    bracket: "#ffe9a8",
    face: ["#f1e3c3", "#cfae79"],
    rim: ["#e6cb96", "#6f4820"],
    back: ["#23635a", "#0c332e"],
    back_rim: ["#4a8a7f", "#061f1c"],
    gold: "#d9b968",
    red: "#a81c17",
    black: "#12261f",
    green: "#12702e",
    seal: "#b8322a",
    tray: "#231f1a",
};

//! Colours of stations and their pieces.

use crate::draw::Theme;

/// What is painted in which colour, beside what every picture has. Pairs are the ends of gradients, the lit end first.
#[derive(Clone, Copy)]
pub(super) struct Paint {
    pub(super) ground: [&'static str; 2],
    pub(super) border: &'static str,
    pub(super) road: &'static str,
    pub(super) rail: &'static str,
    pub(super) sleeper: &'static str,
    pub(super) post: &'static str,
    pub(super) post_edge: &'static str,
    pub(super) label: &'static str,
    pub(super) card: &'static str,
    pub(super) mark: &'static str,
    pub(super) bracket: &'static str,
    /// By territory: red, purple, blue, green.
    pub(super) sides: [SidePaint; 4],
    /// Of a seat that is out, and of a territory that is nobody's.
    pub(super) nobody: SidePaint,
    /// How much of a territory's colour lies over its ground.
    pub(super) tint: f32,
}

/// The colours of a side.
#[derive(Clone, Copy)]
pub(super) struct SidePaint {
    /// Under a face.
    pub(super) face: [&'static str; 2],
    /// Under a back.
    pub(super) back: [&'static str; 2],
    pub(super) edge: &'static str,
    /// Of the territory, and of what the side did last.
    pub(super) accent: &'static str,
}

/// The lettering on pieces, and the ornament on their backs.
pub(super) const INK: &str = "#fffaf0";
pub(super) const GOLD: &str = "#f0cf7c";

impl Paint {
    pub(super) fn of(theme: Theme) -> Paint {
        match theme {
            Theme::Light => LIGHT,
            Theme::Dark => DARK,
        }
    }
}

const LIGHT: Paint = Paint {
    ground: ["#f4ecd6", "#e6d8b6"],
    border: "#7a5732",
    road: "#a8946c",
    rail: "#453c33",
    sleeper: "#f6eedb",
    post: "#fffaf0",
    post_edge: "#8b7753",
    label: "#9b875f",
    card: "#fbf6ea",
    mark: "#ffe07a",
    bracket: "#c2571a",
    sides: [
        SidePaint { face: ["#d9503f", "#a81f1a"], back: ["#b8473b", "#7d1a17"], edge: "#6f1512", accent: "#c22f26" },
        SidePaint { face: ["#9d58b5", "#6c2b85"], back: ["#824a96", "#4d2060"], edge: "#431a55", accent: "#83409b" },
        SidePaint { face: ["#4186cd", "#1b549b"], back: ["#3b6ea4", "#143d70"], edge: "#10325d", accent: "#2a69b3" },
        SidePaint { face: ["#44a35d", "#1c6c35"], back: ["#3b864f", "#144e26"], edge: "#0f3f1e", accent: "#2a8645" },
    ],
    nobody: SidePaint {
        face: ["#a8a39a", "#7f7a71"],
        back: ["#8f8a82", "#67625b"],
        edge: "#5c5750",
        accent: "#918b80",
    },
    tint: 0.13,
};

const DARK: Paint = Paint {
    ground: ["#2f3431", "#232724"],
    border: "#5a4630",
    road: "#6d756c",
    rail: "#c9c2b0",
    sleeper: "#2a2f2c",
    post: "#3d443f",
    post_edge: "#8a9186",
    label: "#a3aa9d",
    card: "#1f2321",
    mark: "#8f7626",
    bracket: "#ffd76a",
    sides: [
        SidePaint { face: ["#d6503f", "#a3211b"], back: ["#8e3a31", "#5c1613"], edge: "#f08d80", accent: "#e0604f" },
        SidePaint { face: ["#a263ba", "#713089"], back: ["#6b3f7c", "#401b50"], edge: "#cf9fe0", accent: "#b67ccb" },
        SidePaint { face: ["#4a8dd2", "#1f599f"], back: ["#31608f", "#12355f"], edge: "#93c1f0", accent: "#5a9de0" },
        SidePaint { face: ["#48a661", "#1f7039"], back: ["#31744a", "#114222"], edge: "#8fd6a3", accent: "#52b56c" },
    ],
    nobody: SidePaint {
        face: ["#7d7a74", "#5b5852"],
        back: ["#63605b", "#45423e"],
        edge: "#9b978f",
        accent: "#7d7a73",
    },
    tint: 0.16,
};

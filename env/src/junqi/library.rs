//! A small collection of sensible layouts, each used as it stands and mirrored.

/// What a layout is after, and its 30 letters: six rows of five from the front, `.` on the camps.
pub(super) const LAYOUTS: &[(&str, &str)] = &[
    (
        "flag on the left behind three mines, the strongest pieces on the right column",
        "64839/5.3.0/7B.48/2.5.7/L4B26/LFL32",
    ),
    ("a company in the other headquarters, mines spread", "38247/0.6.9/5B.36/4.B.8/7L52L/2FL43"),
    ("engineers on the rails of the base, to fly early", "74358/9.B.6/04.B7/3.5.8/26L22/3FL4L"),
    ("both bombs behind the front's corners against an early attack", "93548/B.6.B/70.83/4.2.6/27L53/4FLL2"),
    ("commander held back in the base, engineers beside the mines", "85439/7.2.8/6B.6B/4.3.5/72L20/3FLL4"),
    ("strong on the left, empty-looking on the right", "06345/8.B.3/97.45/6.8.B/2L372/LFL42"),
    ("mines in the base's middle, engineers behind", "58463/9.3.0/B7.87/6.4.5/3LBL2/2FL24"),
    ("a wide front of middling pieces, the strong ones behind", "57657/3.B.4/89.08/6.B.3/42LL2/2FL43"),
];

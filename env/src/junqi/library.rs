//! A small collection of sensible layouts, each used as it stands and mirrored.

/// What a layout is after, and its 30 letters: six rows of five from the front, `-` on the camps.
pub(super) const LAYOUTS: &[(&str, &str)] = &[
    (
        "flag on the left behind three mines, the strongest pieces on the right column",
        "RKDPG/T-P-C/BX-KD/E-T-B/MKXER/MFMPE",
    ),
    ("a company in the other headquarters, mines spread", "PDEKB/C-R-G/TX-PR/K-X-D/BMTEM/EFMKP"),
    ("engineers on the rails of the base, to fly early", "BKPTD/G-X-R/CK-XB/P-T-D/ERMEE/PFMKM"),
    ("both bombs behind the front's corners against an early attack", "GPTKD/X-R-X/BC-DP/K-E-R/EBMTP/KFMME"),
    ("commander held back in the base, engineers beside the mines", "DTKPG/B-E-D/RX-RX/K-P-T/BEMEC/PFMMK"),
    ("strong on the left, empty-looking on the right", "CRPKT/D-X-P/GB-KT/R-D-X/EMPBE/MFMKE"),
    ("mines in the base's middle, engineers behind", "TDKRP/G-P-C/XB-DB/R-K-T/PMXME/EFMEK"),
    ("a wide front of middling pieces, the strong ones behind", "TBRTB/P-X-K/DG-CD/R-X-P/KEMME/EFMKP"),
];

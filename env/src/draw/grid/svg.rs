//! Squares as pictures.

use super::words::{details, headline, seal_words};
use super::{Grid, Spot, Stock, Tile};
use crate::darkchess::Colour;
use crate::draw::Theme;
use crate::draw::svg::{CHARACTER_FONTS, Sheet, TEXT_FONTS, escaped};
use crate::draw::theme::Palette;
use crate::game::Status;

// Lengths are in the units of the view box: a square is 100.
const SQUARE: usize = 100;
const MARGIN: usize = 26;
const FRAME: usize = 46;
/// Size of a disc in a tray; 1 is that of a disc on the board.
const SMALL: f32 = 0.51;
/// A kind's place in a tray: its disc and the count beside it.
const SLOT: usize = 58;
const TRAY_EDGE: usize = 15;
const TRAY_HEAD: usize = 46;
const TRAY_ROW: usize = 56;
const GAP: usize = 20;
/// Room for two trays of four kinds, and for the words of the caption.
const LEAST_WIDTH: usize = 544;
/// Pixels of a unit where nothing scales the picture.
const PIXELS: f32 = 0.75;

impl Grid {
    pub(in crate::draw) fn svg(&self, theme: Theme) -> String {
        let (canvas, layout) = (Canvas::new(self, theme), Layout::of(self));
        canvas.draw(self, &layout)
    }
}

/// Where things stand.
struct Layout {
    width: usize,
    height: usize,
    /// The top left corner of square a1.
    board: (usize, usize),
    /// Left end, right end and middle of the line below the board.
    caption: (usize, usize, usize),
    /// Whether the caption's second half stands below the first rather than beside it.
    narrow: bool,
    /// Top left corner of each tray, and a tray's width.
    trays: [(usize, usize); 2],
    tray_width: usize,
    tray_height: usize,
}

impl Layout {
    fn of(diagram: &Grid) -> Layout {
        let board_width = diagram.cols * SQUARE + 2 * FRAME;
        let kinds = [Colour::Red, Colour::Black]
            .map(|colour| diagram.stock.iter().filter(|stock| stock.tile.colour == colour).count());
        let least = kinds.into_iter().max().unwrap_or(0).max(4) * SLOT + 2 * TRAY_EDGE;
        let beside = board_width.max(LEAST_WIDTH) >= 2 * least + GAP;
        let inner = board_width.max(if beside { LEAST_WIDTH } else { least });
        let narrow = inner < 720;
        let board_bottom = MARGIN + 2 * FRAME + diagram.rows * SQUARE;
        let caption_height = if narrow { 92 } else { 60 };
        let trays_top = board_bottom + GAP + caption_height + GAP;
        let tray_height = TRAY_HEAD + 2 * TRAY_ROW + 8;
        let tray_width = if beside { (inner - GAP) / 2 } else { inner };
        let second = match beside {
            true => (MARGIN + tray_width + GAP, trays_top),
            false => (MARGIN, trays_top + tray_height + GAP),
        };
        Layout {
            width: inner + 2 * MARGIN,
            height: second.1 + tray_height + MARGIN,
            board: (MARGIN + (inner - board_width) / 2 + FRAME, MARGIN + FRAME),
            caption: (MARGIN, MARGIN + inner, board_bottom + GAP + caption_height / 2),
            narrow,
            trays: [(MARGIN, trays_top), second],
            tray_width,
            tray_height,
        }
    }
}

/// The picture so far.
struct Canvas {
    sheet: Sheet,
    palette: Palette,
}

impl Canvas {
    fn new(diagram: &Grid, theme: Theme) -> Canvas {
        let sheet = Sheet::new(theme, &diagram.game, &diagram.position);
        Canvas { sheet, palette: theme.palette(diagram.family) }
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        self.sheet.add(element);
    }

    fn draw(mut self, diagram: &Grid, layout: &Layout) -> String {
        let size = [layout.width, layout.height];
        let title = format!("{}: {}", diagram.game, headline(diagram));
        self.sheet.open(size, PIXELS, &title, &diagram.position);
        self.materials(diagram);
        self.sheet.page(size, &self.palette);
        self.board(diagram, layout);
        self.pieces(diagram, layout);
        self.caption(diagram, layout);
        self.trays(diagram, layout);
        self.sheet.close()
    }

    /// Gradients, the wood's grain, and one drawing of each disc in use.
    fn materials(&mut self, diagram: &Grid) {
        let (id, palette) = (self.sheet.id.clone(), self.palette);
        self.sheet.out += "<defs>\n";
        for (name, [lit, shaded]) in [("frame", palette.frame), ("wood", palette.wood)] {
            self.add(format_args!(
                r#"<linearGradient id="{id}-{name}" x2=".25" y2="1"><stop stop-color="{lit}"/><stop offset="1" stop-color="{shaded}"/></linearGradient>"#
            ));
        }
        for (name, [lit, shaded]) in [("rim", palette.rim), ("back-rim", palette.back_rim)] {
            self.add(format_args!(
                r#"<linearGradient id="{id}-{name}" x1=".2" x2=".8" y2="1"><stop stop-color="{lit}"/><stop offset="1" stop-color="{shaded}"/></linearGradient>"#
            ));
        }
        for (name, [lit, shaded]) in [("face", palette.face), ("back", palette.back)] {
            self.add(format_args!(
                r#"<radialGradient id="{id}-{name}" cx=".36" cy=".3" r=".8"><stop stop-color="{lit}"/><stop offset="1" stop-color="{shaded}"/></radialGradient>"#
            ));
        }
        self.add(format_args!(
            r#"<radialGradient id="{id}-shadow"><stop offset=".78" stop-opacity=".5"/><stop offset="1" stop-opacity="0"/></radialGradient>"#
        ));
        self.add(format_args!(
            r#"<pattern id="{id}-grain" width="420" height="130" patternUnits="userSpaceOnUse"><g fill="none" stroke="{}" stroke-opacity=".17"><path d="M0 12q105 9 210 0t210 0M0 40q105-14 210 0t210 0M0 97q105 12 210 0t210 0" stroke-width="2.5"/><path d="M0 25q105-8 210 0t210 0M0 58c80 0 90 12 150 12s70-12 120-12 90 0 150 0M0 76c90 0 100-3 150-3s80 3 270 3M0 112q105-6 210 0t210 0"/></g></pattern>"#,
            palette.grain
        ));
        // A coin-like ornament: four petals in a ring, as on the backs of old sets.
        let petal = "M0-21A21 21 0 0 1 21 0A21 21 0 0 1 0-21z";
        self.add(format_args!(
            r##"<g id="{id}-x"><circle r="46" cx="2" cy="5" fill="url(#{id}-shadow)"/><circle r="42" fill="url(#{id}-back-rim)"/><circle r="38.5" fill="url(#{id}-back)"/><g fill="none" stroke="{0}" stroke-width="1.8"><circle r="32.5"/><circle r="21"/></g><path d="{petal}" fill="{0}" transform="rotate(0)"/><path d="{petal}" fill="{0}" transform="rotate(90)"/><path d="{petal}" fill="{0}" transform="rotate(180)"/><path d="{petal}" fill="{0}" transform="rotate(270)"/></g>"##,
            palette.gold
        ));
        self.add(format_args!(
            r##"<g id="{id}-disc"><circle r="46" cx="2" cy="5" fill="url(#{id}-shadow)"/><circle r="42" fill="url(#{id}-rim)"/><circle r="38.5" fill="url(#{id}-face)"/></g>"##
        ));
        for Stock { tile, .. } in &diagram.stock {
            let (ink, character) = (palette.ink(tile.colour), escaped(&tile.character.to_string()));
            self.add(format_args!(
                r##"<g id="{id}-{}"><use href="#{id}-disc"/><circle r="33.5" fill="none" stroke="{ink}" stroke-width="2.2"/><text y="17" font-family="{CHARACTER_FONTS}" font-size="47" font-weight="700" text-anchor="middle" fill="{ink}">{character}</text></g>"##,
                name(*tile)
            ));
        }
        self.sheet.out += "</defs>\n";
    }

    /// The frame with its coordinates, the wood, the grooves between the squares.
    fn board(&mut self, diagram: &Grid, layout: &Layout) {
        let (id, palette) = (self.sheet.id.clone(), self.palette);
        let ((x, y), width, height) = (layout.board, diagram.cols * SQUARE, diagram.rows * SQUARE);
        let (outer_width, outer_height) = (width + 2 * FRAME, height + 2 * FRAME);
        let (left, top) = (x - FRAME, y - FRAME);
        self.add(format_args!(
            r##"<rect x="{left}" y="{}" width="{outer_width}" height="{outer_height}" rx="18" fill-opacity=".13"/><rect x="{left}" y="{}" width="{outer_width}" height="{outer_height}" rx="17" fill-opacity=".2"/><rect x="{left}" y="{top}" width="{outer_width}" height="{outer_height}" rx="16" fill="url(#{id}-frame)"/><rect x="{left}" y="{top}" width="{outer_width}" height="{outer_height}" rx="16" fill="url(#{id}-grain)"/>"##,
            top + 8,
            top + 4
        ));
        self.add(format_args!(
            r##"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="url(#{id}-wood)"/><rect x="{x}" y="{y}" width="{width}" height="{height}" fill="url(#{id}-grain)"/>"##
        ));
        let mut grooves = String::new();
        (1..diagram.rows).for_each(|row| grooves += &format!("M{x} {}h{width}", y + row * SQUARE));
        (1..diagram.cols).for_each(|col| grooves += &format!("M{} {y}v{height}", x + col * SQUARE));
        if !grooves.is_empty() {
            self.add(format_args!(
                r#"<path d="{grooves}" transform="translate(1.5 1.5)" stroke="{}" stroke-width="2" stroke-opacity=".7"/><path d="{grooves}" stroke="{}" stroke-width="2.4" stroke-opacity=".8"/>"#,
                palette.groove_light, palette.groove
            ));
        }
        self.add(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}" rx="4" fill="none" stroke="{}" stroke-width="6"/>"#,
            x - 2,
            y - 2,
            width + 4,
            height + 4,
            palette.groove
        ));
        self.add(format_args!(
            r#"<g font-family="{TEXT_FONTS}" font-size="25" text-anchor="middle" fill="{}">"#,
            palette.coordinates
        ));
        let half = SQUARE / 2;
        for col in 0..diagram.cols {
            let middle = x + col * SQUARE + half;
            for baseline in [y - 16, y + height + 33] {
                self.add(format_args!(r#"<text x="{middle}" y="{baseline}">{}</text>"#, col + 1));
            }
        }
        for row in 0..diagram.rows {
            let baseline = y + row * SQUARE + half + 9;
            let (letter, stem) = (Grid::row_letter(row), Grid::row_stem(row));
            self.add(format_args!(
                r#"<text x="{}" y="{baseline}">{letter}</text><text x="{}" y="{baseline}">{stem}</text>"#,
                x - FRAME / 2 - 3,
                x + width + FRAME / 2 + 3
            ));
        }
        self.sheet.out += "</g>\n";
    }

    /// The last ply's marks and every disc on the board.
    fn pieces(&mut self, diagram: &Grid, layout: &Layout) {
        let (id, Palette { mark, bracket, groove, .. }) = (self.sheet.id.clone(), self.palette);
        let at = |square: usize| {
            let (row, col) = (square / diagram.cols, square % diagram.cols);
            (layout.board.0 + col * SQUARE, layout.board.1 + row * SQUARE)
        };
        for square in (0..diagram.spots.len()).filter(|&square| diagram.last[square]) {
            let (x, y) = at(square);
            self.add(format_args!(
                r#"<g transform="translate({x} {y})"><path d="M1 1h98v98h-98z" fill="{mark}" fill-opacity=".6"/><path d="M6 26v-20h20M74 6h20v20M94 74v20h-20M26 94h-20v-20" fill="none" stroke="{bracket}" stroke-width="4.5"/></g>"#
            ));
            if diagram.spots[square] == Spot::Empty {
                // Where the piece came from, a ghost of it.
                self.add(format_args!(
                    r#"<circle cx="{}" cy="{}" r="30" fill="none" stroke="{groove}" stroke-opacity=".55" stroke-width="3" stroke-dasharray="7 8.7"/>"#,
                    x + SQUARE / 2,
                    y + SQUARE / 2
                ));
            }
        }
        for (square, spot) in diagram.spots.iter().enumerate() {
            let (x, y) = at(square);
            let (x, y) = (x + SQUARE / 2, y + SQUARE / 2);
            let place = format!("{}{}", Grid::row_letter(square / diagram.cols), square % diagram.cols + 1);
            match spot {
                Spot::Empty => {}
                Spot::Back => self.add(format_args!(
                    r##"<use href="#{id}-x" x="{x}" y="{y}"><title>{place} face down</title></use>"##
                )),
                Spot::Face(tile) => self.add(format_args!(
                    r##"<use href="#{id}-{}" x="{x}" y="{y}"><title>{place} {} {}</title></use>"##,
                    name(*tile),
                    escaped(&tile.character.to_string()),
                    escaped(&tile.letter.to_string())
                )),
            }
        }
    }

    /// Whose turn it is or who won, in the words of both languages.
    fn caption(&mut self, diagram: &Grid, layout: &Layout) {
        let Palette { text, muted, .. } = self.palette;
        let (left, right, middle) = layout.caption;
        let seat = match diagram.status {
            Status::Ongoing => Some(diagram.to_move),
            Status::Win(seat, _) => Some(seat),
            Status::Draw(_) => None,
        };
        self.token(diagram, left + 26, middle, seat.and_then(|seat| diagram.colour(seat)));
        let (headline, details) = (escaped(&headline(diagram)), escaped(&details(diagram, seat)));
        let over = !diagram.status.is_ongoing();
        let details_end = if over { right - 76 } else { right };
        let (first, second, x, anchor) = match layout.narrow {
            true => (middle - 4, middle + 29, left + 64, "start"),
            false => (middle + 11, middle + 10, details_end, "end"),
        };
        self.add(format_args!(
            r#"<g font-family="{TEXT_FONTS}"><text x="{}" y="{first}" font-size="32" font-weight="700" fill="{text}">{headline}</text><text x="{x}" y="{second}" font-size="24" text-anchor="{anchor}" fill="{muted}">{details}</text></g>"#,
            left + 64
        ));
        if let Some(words) = seal_words(diagram) {
            self.sheet.seal([right - 32, middle], words, &self.palette);
        }
    }

    /// A colour's token; half of each while it is nobody's.
    fn token(&mut self, diagram: &Grid, x: usize, y: usize, colour: Option<Colour>) {
        let Palette { red, black, edge, .. } = self.palette;
        let (token, character) = match colour {
            Some(Colour::Red) => {
                (format!(r#"<circle r="24" fill="{red}"/>"#), diagram.colour_words(Colour::Red).0.to_string())
            }
            Some(Colour::Black) => {
                (format!(r#"<circle r="24" fill="{black}"/>"#), diagram.colour_words(Colour::Black).0.to_string())
            }
            None => (
                format!(
                    r#"<circle r="24" fill="{black}"/><path d="M0-24a24 24 0 0 1 0 48a12 12 0 0 1 0-24a12 12 0 0 0 0-24z" fill="{red}"/>"#
                ),
                String::new(),
            ),
        };
        self.add(format_args!(
            r##"<g transform="translate({x} {y})">{token}<circle r="24" fill="none" stroke="{edge}" stroke-width="2"/><text y="10" font-family="{CHARACTER_FONTS}" font-size="27" font-weight="700" text-anchor="middle" fill="#fff6e6">{character}</text></g>"##
        ));
    }

    /// What is still face down and what has been captured, a place for each kind.
    fn trays(&mut self, diagram: &Grid, layout: &Layout) {
        let Palette { tray, edge, text, muted, .. } = self.palette;
        type Count = fn(&Stock) -> u8;
        let contents: [(&str, Count); 2] =
            [("未翻 face down", |stock| stock.unseen), ("被吃 captured", |stock| stock.captured)];
        for ((left, top), (heading, count)) in layout.trays.into_iter().zip(contents) {
            let total: u32 = diagram.stock.iter().map(|stock| u32::from(count(stock))).sum();
            self.add(format_args!(
                r#"<rect x="{left}" y="{top}" width="{}" height="{}" rx="12" fill="{tray}" stroke="{edge}" stroke-width="1.5"/><g font-family="{TEXT_FONTS}" font-size="24" fill="{muted}"><text x="{}" y="{}">{heading}</text><text x="{}" y="{}" text-anchor="end" font-weight="700" fill="{text}">{total}</text></g>"#,
                layout.tray_width,
                layout.tray_height,
                left + TRAY_EDGE,
                top + 34,
                left + layout.tray_width - TRAY_EDGE,
                top + 34
            ));
            for (row, colour) in Colour::ALL.into_iter().enumerate() {
                let kinds = diagram.stock.iter().filter(|stock| stock.tile.colour == colour);
                for (column, stock) in kinds.enumerate() {
                    let (x, y) =
                        (left + TRAY_EDGE + 21 + column * SLOT, top + TRAY_HEAD + row * TRAY_ROW + TRAY_ROW / 2);
                    self.stock(stock.tile, count(stock), x, y);
                }
            }
        }
    }

    fn stock(&mut self, tile: Tile, count: u8, x: usize, y: usize) {
        let (id, text) = (self.sheet.id.clone(), self.palette.text);
        let opacity = if count == 0 { r#" opacity=".16""# } else { "" };
        self.add(format_args!(
            r##"<use href="#{id}-{}" transform="translate({x} {y}) scale({SMALL})"{opacity}/>"##,
            name(tile)
        ));
        if count > 1 {
            self.add(format_args!(
                r#"<text x="{}" y="{}" font-family="{TEXT_FONTS}" font-size="22" font-weight="700" fill="{text}">{count}</text>"#,
                x + 22,
                y + 21
            ));
        }
    }
}

/// A tile's name inside identifiers.
fn name(tile: Tile) -> String {
    let colour = match tile.colour {
        Colour::Red => "red",
        Colour::Black => "black",
    };
    format!("{colour}-{:x}", u32::from(tile.character))
}

//! Stations as pictures.

use super::layout::{CARD, Layout};
use super::paint::{GOLD, INK, Paint, SidePaint};
use super::words::capital;
use super::{Side, Stations, Tile};
use crate::darkchess::rules::Family;
use crate::draw::Theme;
use crate::draw::svg::{CHARACTER_FONTS, Sheet, TEXT_FONTS, escaped};
use crate::draw::theme::Palette;
use crate::game::{Seat, Status};
use crate::junqi::Kind;
use crate::junqi::graph::Place;

/// Pixels of a unit where nothing scales the picture.
const PIXELS: f32 = 0.5;
/// Size of a lost piece on a card; 1 is that of a piece on the board.
const SMALL: f32 = 0.55;
const SMALL_STEP: usize = 51;
const SMALL_ROW: usize = 44;
const SMALL_COLUMNS: usize = 9;
/// From a card's edge to what is written on it.
const CARD_EDGE: usize = 24;
/// Middle of its first row of lost pieces, from its top.
const CARD_HEAD: usize = 232;

impl Stations {
    pub(in crate::draw) fn svg(&self, theme: Theme) -> String {
        let sheet = Sheet::new(theme, &self.game, &self.position);
        // What is common to all pictures has the same colours in any family.
        let canvas = Canvas { sheet, palette: theme.palette(Family::DarkChess), paint: Paint::of(theme) };
        canvas.draw(self, &Layout::of(self))
    }
}

/// The picture so far.
struct Canvas {
    sheet: Sheet,
    palette: Palette,
    paint: Paint,
}

impl Canvas {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        self.sheet.add(element);
    }

    fn draw(mut self, diagram: &Stations, layout: &Layout) -> String {
        let title = format!("{}: {}", diagram.game, diagram.headline());
        self.sheet.open(layout.size, PIXELS, &title, &diagram.position);
        self.materials(diagram);
        self.sheet.page(layout.size, &self.palette);
        self.ground(diagram, layout);
        self.mountains(diagram, layout);
        self.ways(diagram, layout);
        self.stations(diagram, layout);
        self.marks(diagram, layout);
        self.pieces(diagram, layout);
        for seat in 0..diagram.sides.len() {
            self.card(diagram, seat as Seat, layout.cards[seat]);
        }
        self.caption(diagram, layout);
        self.sheet.close()
    }

    /// The colours of a side; grey once it is out.
    fn side(&self, side: &Side) -> SidePaint {
        if side.out.is_some() { self.paint.nobody } else { self.paint.sides[usize::from(side.territory) % 4] }
    }

    /// Gradients, and one drawing of each kind of station and of each piece in use.
    fn materials(&mut self, diagram: &Stations) {
        let (id, paint) = (self.sheet.id.clone(), self.paint);
        self.sheet.out += "<defs>\n";
        let gradient = |canvas: &mut Canvas, name: &str, [lit, shaded]: [&str; 2]| {
            canvas.add(format_args!(
                r#"<linearGradient id="{id}-{name}" x2=".3" y2="1"><stop stop-color="{lit}"/><stop offset="1" stop-color="{shaded}"/></linearGradient>"#
            ));
        };
        gradient(self, "ground", paint.ground);
        let Paint { post, post_edge, .. } = paint;
        self.add(format_args!(
            r#"<rect id="{id}-post" x="-37" y="-24" width="74" height="48" rx="11" fill="{post}" stroke="{post_edge}" stroke-width="3"/>"#
        ));
        self.add(format_args!(
            r#"<g id="{id}-camp" fill="{post}" stroke="{post_edge}"><circle r="45" stroke-width="4"/><circle r="38" stroke-width="1.5"/></g>"#
        ));
        self.add(format_args!(
            r#"<g id="{id}-hq" fill="{post}" stroke="{post_edge}"><path d="M-45 40v-44a45 38 0 0 1 90 0v44z" stroke-width="5"/><path d="M-38 33v-36a38 31 0 0 1 76 0v36z" stroke-width="1.5"/></g>"#
        ));
        for (seat, side) in diagram.sides.iter().enumerate() {
            let SidePaint { face, back, edge, .. } = self.side(side);
            gradient(self, &format!("face{seat}"), face);
            gradient(self, &format!("back{seat}"), back);
            self.add(format_args!(
                r##"<g id="{id}-tile{seat}"><rect x="-41" y="-25" width="86" height="60" rx="11" fill-opacity=".3"/><rect x="-43" y="-30" width="86" height="60" rx="11" fill="url(#{id}-face{seat})" stroke="{edge}" stroke-width="2"/><rect x="-38.5" y="-25.5" width="77" height="51" rx="8" fill="none" stroke="{INK}" stroke-opacity=".38" stroke-width="1.5"/></g>"##
            ));
            self.add(format_args!(
                r##"<g id="{id}-x{seat}"><rect x="-41" y="-25" width="86" height="60" rx="11" fill-opacity=".3"/><rect x="-43" y="-30" width="86" height="60" rx="11" fill="url(#{id}-back{seat})" stroke="{edge}" stroke-width="2"/><g fill="none" stroke="{GOLD}" stroke-opacity=".5" stroke-width="1.5"><rect x="-38.5" y="-25.5" width="77" height="51" rx="8"/><path d="M-32 0h14M18 0h14"/></g><path d="M0-16L3.8-5.2 15.2-4.9 6.1 2 9.4 12.9 0 6.5-9.4 12.9-6.1 2-15.2-4.9-3.8-5.2z" fill="{GOLD}" fill-opacity=".8"/></g>"##
            ));
        }
        for (seat, kind) in faces(diagram) {
            self.add(format_args!(
                r##"<g id="{id}-{}"><use href="#{id}-tile{seat}"/><text y="13.5" font-size="37" fill="{INK}">{}</text></g>"##,
                name(seat, Some(kind)),
                kind.name()
            ));
        }
        self.sheet.out += "</defs>\n";
    }

    /// The board, and the territories in the colours of their seats.
    fn ground(&mut self, diagram: &Stations, layout: &Layout) {
        let (id, Paint { border, post_edge, tint, .. }) = (self.sheet.id.clone(), self.paint);
        let [left, top, width, height] = layout.board;
        self.add(format_args!(
            r##"<rect x="{left}" y="{}" width="{width}" height="{height}" rx="22" fill-opacity=".16"/><rect x="{left}" y="{top}" width="{width}" height="{height}" rx="20" fill="url(#{id}-ground)" stroke="{border}" stroke-width="10"/><rect x="{}" y="{}" width="{}" height="{}" rx="10" fill="none" stroke="{border}" stroke-width="2"/>"##,
            top + 8,
            left + 13,
            top + 13,
            width - 26,
            height - 26
        ));
        for territory in 0..4 {
            let own = (0..diagram.stops.len()).filter(|&stop| diagram.stops[stop].territory == Some(territory));
            let middles: Vec<[usize; 2]> = own.map(|stop| layout.at(diagram, stop)).collect();
            let ends = |axis: usize| {
                let values = || middles.iter().map(|middle| middle[axis]);
                values().min().zip(values().max())
            };
            let (Some((west, east)), Some((north, south))) = (ends(0), ends(1)) else { continue };
            let side = diagram.sides.iter().position(|side| side.territory == territory);
            let accent = side.map_or(self.paint.nobody.accent, |seat| self.side(&diagram.sides[seat]).accent);
            let on_move = diagram.status.is_ongoing() && side.is_some_and(|seat| seat as Seat == diagram.to_move);
            let outline = if on_move {
                format!(r#"stroke="{accent}" stroke-width="6""#)
            } else {
                format!(r#"stroke="{post_edge}" stroke-opacity=".35" stroke-width="2""#)
            };
            self.add(format_args!(
                r#"<rect x="{}" y="{}" width="{}" height="{}" rx="26" fill="{accent}" fill-opacity="{tint}" {outline}/>"#,
                west - 54,
                north - 54,
                east - west + 108,
                south - north + 108
            ));
        }
    }

    /// The mountains 山界 between the rails where the two halves of the ordinary board meet.
    fn mountains(&mut self, diagram: &Stations, layout: &Layout) {
        let label = self.paint.label;
        for gap in diagram.gaps() {
            let y = gap.iter().map(|&row| layout.ys[usize::from(row)]).sum::<usize>() / 2;
            for x in diagram.columns().into_iter().filter(|&x| !diagram.crosses(x, gap)) {
                self.add(format_args!(
                    r#"<text x="{}" y="{}" font-family="{CHARACTER_FONTS}" font-size="46" text-anchor="middle" fill="{label}" fill-opacity=".75">山界</text>"#,
                    layout.xs[usize::from(x)],
                    y + 17
                ));
            }
        }
    }

    /// Roads as thin lines, rails as maps draw railways.
    fn ways(&mut self, diagram: &Stations, layout: &Layout) {
        let Paint { road, rail, sleeper, .. } = self.paint;
        let at = |station| layout.at(diagram, station);
        let line = |&[from, to]: &[usize; 2]| {
            let ([x, y], [to_x, to_y]) = (at(from), at(to));
            format!("M{x} {y}L{to_x} {to_y}")
        };
        let is_open = |pair: &&[usize; 2]| pair.iter().all(|&station| diagram.stops[station].open);
        let roads: String = diagram.roads.iter().filter(is_open).map(line).collect();
        self.add(format_args!(r#"<path d="{roads}" fill="none" stroke="{road}" stroke-width="3"/>"#));
        let mut rails: String = diagram.rails.iter().map(line).collect();
        let [left, top, width, height] = layout.board;
        let middle = [left + width / 2, top + height / 2].map(|middle| middle as i64);
        for &[from, to] in &diagram.arcs {
            let ([from, to], middle) = ([at(from), at(to)].map(|end| end.map(|value| value as i64)), middle);
            // It bends towards the middle of the board, as the rails do that it joins.
            let cross = (to[0] - from[0]) * (middle[1] - from[1]) - (to[1] - from[1]) * (middle[0] - from[0]);
            let radius = (to[0] - from[0]).abs();
            rails +=
                &format!("M{} {}A{radius} {radius} 0 0 {} {} {}", from[0], from[1], u8::from(cross < 0), to[0], to[1]);
        }
        self.add(format_args!(
            r#"<g fill="none"><path d="{rails}" stroke="{rail}" stroke-width="12" stroke-linejoin="round"/><path d="{rails}" stroke="{sleeper}" stroke-width="6.5" stroke-dasharray="16 14"/></g>"#
        ));
    }

    fn stations(&mut self, diagram: &Stations, layout: &Layout) {
        let (id, label) = (self.sheet.id.clone(), self.paint.label);
        self.add(format_args!(
            r#"<g font-family="{CHARACTER_FONTS}" font-size="21" text-anchor="middle" fill="{label}">"#
        ));
        let home = diagram.side(diagram.viewer).map_or(0, |side| side.territory);
        for (station, stop) in diagram.stops.iter().enumerate() {
            let ([x, y], faded) = (layout.at(diagram, station), if stop.open { "" } else { r#" opacity=".35""# });
            let (shape, heading) = match stop.place {
                Place::Post => ("post", None),
                Place::Camp => ("camp", Some("行營")),
                Place::Headquarters => ("hq", Some("大本營")),
            };
            // A headquarters is round towards the front.
            let turn = match (stop.place, (stop.territory.unwrap_or(home) + 4 - home) % 4) {
                (Place::Headquarters, quarters @ 1..) => {
                    format!(r#" transform="rotate({})""#, 360 - 90 * u16::from(quarters))
                }
                _ => String::new(),
            };
            let name = escaped(&stop.name);
            self.add(format_args!(r##"<g transform="translate({x} {y})"{faded}><use href="#{id}-{shape}"{turn}/>"##));
            if stop.tile.is_none() {
                self.add(format_args!(r#"<title>{}</title>"#, escaped(&diagram.tip(station))));
                match heading {
                    None => self.add(format_args!(r#"<text y="7">{name}</text>"#)),
                    Some(heading) => self
                        .add(format_args!(r#"<text y="3" font-size="25">{heading}</text><text y="25">{name}</text>"#)),
                }
            }
            self.sheet.out += "</g>\n";
        }
        self.sheet.out += "</g>\n";
    }

    /// What each seat did last, in its colour; the game's last ply over all others. And where the next piece is set up.
    fn marks(&mut self, diagram: &Stations, layout: &Layout) {
        let Paint { mark, bracket, .. } = self.paint;
        for station in 0..diagram.stops.len() {
            let [x, y] = layout.at(diagram, station);
            let from = |seat: usize| diagram.sides[seat].last.is_some_and(|[from, _]| from == station);
            if let Some(seat) = diagram.marks(station).find(|&seat| Some(seat as Seat) == diagram.last_mover) {
                self.add(format_args!(
                    r#"<g transform="translate({x} {y})"><rect x="-53" y="-42" width="106" height="84" rx="14" fill="{mark}" fill-opacity=".75"/><path d="M-51-20v-20h22M29-40h22v20M51 20v20h-22M-29 40h-22v-20" fill="none" stroke="{bracket}" stroke-width="6"/></g>"#
                ));
                if diagram.stops[station].tile.is_none() {
                    // Where a piece came from or fell, a ghost of it.
                    let accent = self.side(&diagram.sides[seat]).accent;
                    self.add(format_args!(
                        r#"<rect x="{}" y="{}" width="86" height="60" rx="11" fill="{accent}" fill-opacity=".14" stroke="{accent}" stroke-width="4" stroke-dasharray="11 8"/>"#,
                        x - 43,
                        y - 30
                    ));
                }
                continue;
            }
            for seat in diagram.marks(station) {
                let (accent, dashes) = (
                    self.side(&diagram.sides[seat]).accent,
                    if from(seat) { r#" stroke-dasharray="11 8""# } else { "" },
                );
                self.add(format_args!(
                    r#"<rect x="{}" y="{}" width="98" height="74" rx="15" fill="{accent}" fill-opacity=".12" stroke="{accent}" stroke-width="4.5"{dashes}/>"#,
                    x - 49,
                    y - 37
                ));
            }
        }
        if let Some(station) = diagram.places_at {
            let [x, y] = layout.at(diagram, station);
            self.add(format_args!(
                r#"<rect x="{}" y="{}" width="102" height="90" rx="18" fill="{mark}" fill-opacity=".5" stroke="{bracket}" stroke-width="6" stroke-dasharray="14 9"/>"#,
                x - 51,
                y - 45
            ));
        }
    }

    fn pieces(&mut self, diagram: &Stations, layout: &Layout) {
        let id = self.sheet.id.clone();
        self.add(format_args!(r#"<g font-family="{CHARACTER_FONTS}" font-weight="700" text-anchor="middle">"#));
        for (station, stop) in diagram.stops.iter().enumerate() {
            let Some(tile) = stop.tile else { continue };
            let ([x, y], tip) = (layout.at(diagram, station), escaped(&diagram.tip(station)));
            self.add(format_args!(
                r##"<use href="#{id}-{}" x="{x}" y="{y}"><title>{tip}</title></use>"##,
                name(tile.seat, tile.kind)
            ));
            if let Tile { kind: None, moved: true, survived, .. } = tile {
                let colour = if survived { GOLD } else { INK };
                let radius = if survived { 6.5 } else { 4.5 };
                self.add(format_args!(r#"<circle cx="{}" cy="{}" r="{radius}" fill="{colour}"/>"#, x + 30, y - 17));
            }
        }
        self.sheet.out += "</g>\n";
    }

    /// A seat: its colour, how it stands, what it said, what it did last and what it lost.
    fn card(&mut self, diagram: &Stations, seat: Seat, [left, top]: [usize; 2]) {
        let Some(side) = diagram.side(seat) else { return };
        let (id, SidePaint { accent, .. }, Palette { text, muted, edge, .. }) =
            (self.sheet.id.clone(), self.side(side), self.palette);
        let on_move = diagram.status.is_ongoing() && diagram.to_move == seat;
        let (outline, weight) = if on_move { (accent, 6) } else { (edge, 2) };
        let ([width, height], card) = (CARD, self.paint.card);
        let right = left + width - CARD_EDGE;
        self.add(format_args!(
            r#"<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="20" fill="{card}" stroke="{outline}" stroke-width="{weight}"/>"#
        ));
        let (chinese, english) = side.colour();
        self.token([left + CARD_EDGE + 36, top + 66], Some((accent, chinese)));
        let (heading, left_or_why) = diagram.left(side);
        let last = side.last.map(|[from, to]| format!("{}–{}", diagram.stops[from].name, diagram.stops[to].name));
        self.add(format_args!(
            r#"<g font-family="{TEXT_FONTS}" fill="{muted}" font-size="29"><text x="{}" y="{}" font-size="42" font-weight="700" fill="{text}">{chinese}方 {}</text><text x="{}" y="{}">{}</text><text x="{right}" y="{}" font-size="48" font-weight="700" text-anchor="end" fill="{accent}">{}</text><text x="{}" y="{}">{heading} <tspan font-weight="700" fill="{text}">{left_or_why}</tspan></text><text x="{right}" y="{}" text-anchor="end">{}</text></g>"#,
            left + CARD_EDGE + 88,
            top + 62,
            capital(english),
            left + CARD_EDGE + 88,
            top + 102,
            escaped(&diagram.doing(seat)),
            top + 66,
            side.letter,
            left + CARD_EDGE,
            top + 174,
            top + 174,
            escaped(&last.unwrap_or_default()),
        ));
        if let Some(signal) = side.signal {
            self.add(format_args!(
                r#"<text x="{}" y="{}" font-family="{TEXT_FONTS}" font-size="29" fill="{muted}">暗號 signal <tspan font-weight="700" fill="{text}">{signal}</tspan></text>"#,
                left + CARD_EDGE + 88,
                top + 138,
            ));
        }
        self.add(format_args!(
            r#"<path d="M{} {}H{right}" stroke="{edge}" stroke-width="2"/><g font-family="{CHARACTER_FONTS}" font-weight="700" text-anchor="middle">"#,
            left + CARD_EDGE,
            top + 194
        ));
        for (i, &kind) in side.gone.iter().enumerate() {
            let x = left + CARD_EDGE + 20 + i % SMALL_COLUMNS * SMALL_STEP;
            let y = top + CARD_HEAD + i / SMALL_COLUMNS * SMALL_ROW;
            self.add(format_args!(
                r##"<use href="#{id}-{}" transform="translate({x} {y}) scale({SMALL})"/>"##,
                name(seat, kind)
            ));
        }
        self.sheet.out += "</g>\n";
    }

    /// Whose turn it is or who won, in the words of both languages.
    fn caption(&mut self, diagram: &Stations, layout: &Layout) {
        let Palette { text, muted, .. } = self.palette;
        let [left, right, middle] = layout.caption;
        let seat = match diagram.status {
            Status::Ongoing => Some(diagram.to_move),
            Status::Win(seat, _) => Some(seat),
            Status::Draw(_) => None,
        };
        let side = seat.and_then(|seat| diagram.side(seat));
        self.token(
            [left + 40, middle],
            side.map(|side| (self.paint.sides[usize::from(side.territory) % 4].accent, side.colour().0)),
        );
        let details_end = if diagram.status.is_ongoing() { right } else { right - 110 };
        self.add(format_args!(
            r#"<g font-family="{TEXT_FONTS}"><text x="{}" y="{}" font-size="48" font-weight="700" fill="{text}">{}</text><text x="{details_end}" y="{}" font-size="34" text-anchor="end" fill="{muted}">{}</text></g>"#,
            left + 96,
            middle + 16,
            escaped(&diagram.headline()),
            middle + 13,
            escaped(&diagram.details())
        ));
        if let Some(words) = diagram.seal_words() {
            self.sheet.out += &format!(r#"<g transform="translate({} {middle}) scale(1.4)">"#, right - 44);
            self.sheet.seal([0, 0], words, &self.palette);
            self.sheet.out += "</g>\n";
        }
    }

    /// A round token with a character; an empty one while it is nobody's.
    fn token(&mut self, [x, y]: [usize; 2], side: Option<(&str, char)>) {
        let (fill, character) =
            side.map_or((self.paint.nobody.accent, String::new()), |(fill, c)| (fill, c.to_string()));
        self.add(format_args!(
            r##"<g transform="translate({x} {y})"><circle r="36" fill="{fill}"/><circle r="31" fill="none" stroke="{INK}" stroke-opacity=".5" stroke-width="1.5"/><text y="15" font-family="{CHARACTER_FONTS}" font-size="42" font-weight="700" text-anchor="middle" fill="{INK}">{character}</text></g>"##
        ));
    }
}

/// The faces on the board and among what is lost.
fn faces(diagram: &Stations) -> Vec<(Seat, Kind)> {
    let board = diagram.stops.iter().filter_map(|stop| stop.tile).filter_map(|tile| Some((tile.seat, tile.kind?)));
    let sides = diagram.sides.iter().enumerate();
    let gone = sides.flat_map(|(seat, side)| side.gone.iter().flatten().map(move |&kind| (seat as Seat, kind)));
    let mut faces: Vec<(Seat, Kind)> = board.chain(gone).collect();
    faces.sort_by_key(|&(seat, kind)| (seat, kind as u8));
    faces.dedup();
    faces
}

/// A piece's name inside identifiers.
fn name(seat: Seat, kind: Option<Kind>) -> String {
    kind.map_or(format!("x{seat}"), |kind| format!("p{seat}{}", kind.letter()))
}

//! The outcome of a tournament as a picture: ratings with their intervals, and beneath them who scored what against whom.

use super::Theme;
use super::svg::{Sheet, TEXT_FONTS, escaped};
use super::theme::Palette;
use crate::darkchess::rules::Family;

/// A figure with the ends of its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// Lower end of its interval.
    pub lower: f64,
    /// Upper end of its interval.
    pub upper: f64,
}

/// What a tournament came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// What was played.
    pub title: String,
    /// Everybody's name and rating in Elo, in the order in which they are drawn.
    pub players: Vec<(String, Figure)>,
    /// By player: the score from 0 to 1 against each of the others, where they met.
    pub scores: Vec<Vec<Option<Figure>>>,
}

// Lengths are in the units of the view box.
const MARGIN: usize = 30;
const HEAD: usize = 64;
/// A player's row in the upper part, and one in the table.
const ROW: usize = 34;
const CELL: [usize; 2] = [92, 44];
/// Between the two parts: the axis, and the words above the table.
const BETWEEN: usize = 104;
/// What a letter of a name takes; a Chinese one takes two.
const LETTER: usize = 9;
const TITLE_LETTER: usize = 12;
/// Letters of a name that are drawn.
const LETTERS: usize = 36;
/// Room for a rating in figures, right of its whisker.
const FIGURES: usize = 170;
const LEAST_PLOT: usize = 320;

/// Colours of a score of 0, 1/2 and 1: apart for every eye, and the same on any background.
const SCALE: [[f64; 3]; 3] = [[178.0, 66.0, 36.0], [244.0, 236.0, 217.0], [31.0, 97.0, 148.0]];

impl Standings {
    /// The picture. It scales to any width; the same standings give the same bytes.
    pub fn svg(&self, theme: Theme) -> String {
        Canvas::new(self, theme).draw(self)
    }
}

/// A picture that is being drawn.
struct Canvas {
    sheet: Sheet,
    palette: Palette,
    size: [usize; 2],
    /// Where the column of names ends, and where that of the figures begins.
    plot: [usize; 2],
    /// The ratings at the ends of the axis.
    range: [f64; 2],
    /// Between two marks of the axis.
    step: f64,
}

impl Canvas {
    fn new(standings: &Standings, theme: Theme) -> Canvas {
        let count = standings.players.len();
        let widest = standings.players.iter().map(|(name, _)| columns(&shortened(name))).max().unwrap_or(0);
        let left = MARGIN + LETTER * widest.max(6) + 50;
        let title = MARGIN + TITLE_LETTER * columns(&standings.title);
        let width = title.max(left + LEAST_PLOT + FIGURES).max(left + CELL[0] * count) + MARGIN;
        let height = HEAD + ROW * count + BETWEEN + CELL[1] * count + MARGIN;
        let ends = standings.players.iter().map(|(_, rating)| (rating.lower, rating.upper));
        let (low, high) = ends.fold((0.0f64, 0.0f64), |(low, high), (lower, upper)| (low.min(lower), high.max(upper)));
        let step = step(high - low);
        Canvas {
            sheet: Sheet::new(theme, &standings.title, &format!("{standings:?}")),
            palette: theme.palette(Family::DarkChess),
            size: [width, height],
            plot: [left, width - MARGIN - FIGURES],
            range: [(low / step).floor() * step, ((high / step).ceil() * step).max(step)],
            step,
        }
    }

    fn draw(mut self, standings: &Standings) -> String {
        let names: Vec<&str> = standings.players.iter().map(|(name, _)| name.as_str()).collect();
        let told = format!("Ratings in Elo with 95 % intervals and scores of {}", names.join(", "));
        self.sheet.open(self.size, 1.0, &standings.title, &told);
        self.sheet.page(self.size, &self.palette);
        self.sheet.add(format_args!(r#"<g font-family="{TEXT_FONTS}" font-size="16">"#));
        self.words([MARGIN, 38], "font-size=\"20\" font-weight=\"700\"", &standings.title);
        let bottom = HEAD + ROW * standings.players.len();
        self.axis(bottom);
        for (place, (name, rating)) in standings.players.iter().enumerate() {
            self.rating(HEAD + ROW * place + ROW / 2, place, name, *rating);
        }
        self.table(bottom + BETWEEN, standings);
        self.sheet.add(format_args!("</g>"));
        self.sheet.close()
    }

    /// Where a rating stands.
    fn x(&self, elo: f64) -> f64 {
        let [left, right] = self.plot.map(|x| x as f64);
        let [low, high] = self.range;
        left + (elo - low) / (high - low) * (right - left)
    }

    /// Words from a point to the right, with further attributes.
    fn words(&mut self, [x, y]: [usize; 2], attributes: &str, words: &str) {
        let (ink, words) = (self.palette.text, escaped(words));
        self.sheet.add(format_args!(r#"<text x="{x}" y="{y}" fill="{ink}" {attributes}>{words}</text>"#));
    }

    /// Lines and figures of the axis below the ratings.
    fn axis(&mut self, bottom: usize) {
        let Palette { edge, muted, .. } = self.palette;
        let marks = ((self.range[1] - self.range[0]) / self.step).round() as usize;
        for mark in 0..=marks {
            let elo = self.range[0] + mark as f64 * self.step;
            let (x, ink) = (self.x(elo), if elo == 0.0 { muted } else { edge });
            self.sheet.add(format_args!(
                r#"<line x1="{x:.1}" y1="{HEAD}" x2="{x:.1}" y2="{bottom}" stroke="{ink}"/><text x="{x:.1}" y="{}" fill="{muted}" font-size="13" text-anchor="middle">{elo:.0}</text>"#,
                bottom + 18
            ));
        }
        let middle = (self.plot[0] + self.plot[1]) / 2;
        self.sheet.add(format_args!(
            r#"<text x="{middle}" y="{}" fill="{muted}" font-size="13" text-anchor="middle">Elo, with 95 % intervals</text>"#,
            bottom + 38
        ));
    }

    /// A player's number and name, its whisker, and the figures.
    fn rating(&mut self, y: usize, place: usize, name: &str, rating: Figure) {
        self.name(y + 5, place, name);
        let [at, from, to] = [rating.value, rating.lower, rating.upper].map(|elo| self.x(elo));
        let ink = self.palette.bracket;
        self.sheet.add(format_args!(
            r#"<g stroke="{ink}" stroke-width="2"><line x1="{from:.1}" y1="{y}" x2="{to:.1}" y2="{y}"/><line x1="{from:.1}" y1="{}" x2="{from:.1}" y2="{}"/><line x1="{to:.1}" y1="{}" x2="{to:.1}" y2="{}"/></g><circle cx="{at:.1}" cy="{y}" r="5.5" fill="{ink}"/>"#,
            y - 5,
            y + 5,
            y - 5,
            y + 5
        ));
        let figures = format!("{:.0}  ({:.0} to {:.0})", rating.value, rating.lower, rating.upper);
        self.words([self.plot[1] + 18, y + 5], "font-size=\"14\"", &figures);
    }

    fn name(&mut self, y: usize, place: usize, name: &str) {
        let muted = self.palette.muted;
        self.sheet.add(format_args!(
            r#"<text x="{}" y="{y}" fill="{muted}" font-size="13" text-anchor="end">{}</text>"#,
            MARGIN + 18,
            place + 1
        ));
        let (ink, whole, shown) = (self.palette.text, escaped(name), escaped(&shortened(name)));
        self.sheet.add(format_args!(
            r#"<text x="{}" y="{y}" fill="{ink}"><title>{whole}</title>{shown}</text>"#,
            MARGIN + 30
        ));
    }

    /// Everybody's score against everybody else.
    fn table(&mut self, top: usize, standings: &Standings) {
        let (muted, left) = (self.palette.muted, self.plot[0]);
        let heading = "Score of the row against the column";
        self.sheet.add(format_args!(
            r#"<text x="{}" y="{}" fill="{muted}" font-size="13">{heading}</text>"#,
            MARGIN + 30,
            top - 32
        ));
        for (row, scores) in standings.scores.iter().enumerate() {
            let middle = left + CELL[0] * row + CELL[0] / 2;
            self.sheet.add(format_args!(
                r#"<text x="{middle}" y="{}" fill="{muted}" font-size="13" text-anchor="middle">{}</text>"#,
                top - 8,
                row + 1
            ));
            self.name(top + CELL[1] * row + CELL[1] / 2 + 5, row, &standings.players[row].0);
            for (column, score) in scores.iter().enumerate() {
                if let Some(score) = score {
                    let names = [row, column].map(|player| standings.players[player].0.as_str());
                    self.cell([left + CELL[0] * column, top + CELL[1] * row], names, *score);
                }
            }
        }
    }

    /// One score; its colour tells it, too.
    fn cell(&mut self, [x, y]: [usize; 2], names: [&str; 2], score: Figure) {
        let (ground, ink) = paint(score.value);
        let Figure { value, lower, upper } = score;
        let told = escaped(&format!("{} - {}: {value:.3} ({lower:.3} - {upper:.3})", names[0], names[1]));
        let middle = x + CELL[0] / 2;
        self.sheet.add(format_args!(
            r#"<g fill="{ink}" text-anchor="middle"><title>{told}</title><rect x="{}" y="{}" width="{}" height="{}" rx="4" fill="{ground}"/><text x="{middle}" y="{}" font-weight="700">{value:.3}</text><text x="{middle}" y="{}" font-size="11">{lower:.3} - {upper:.3}</text></g>"#,
            x + 1,
            y + 1,
            CELL[0] - 2,
            CELL[1] - 2,
            y + 20,
            y + 36
        ));
    }
}

/// The ground of a score's cell, and the ink that can be read on it.
fn paint(score: f64) -> (String, &'static str) {
    let at = 2.0 * score.clamp(0.0, 1.0);
    let [from, to, share] = if at < 1.0 { [0.0, 1.0, at] } else { [1.0, 2.0, at - 1.0] };
    let (from, to) = (SCALE[from as usize], SCALE[to as usize]);
    let [red, green, blue] = [0, 1, 2].map(|i| from[i] + share * (to[i] - from[i]));
    // Relative luminance, nearly; at this one both inks can be read alike.
    let luminance = [(red, 0.2126), (green, 0.7152), (blue, 0.0722)].map(|(c, share)| share * (c / 255.0).powf(2.2));
    let ink = if luminance.iter().sum::<f64>() < 0.21 { "#ffffff" } else { "#2b2016" };
    (format!("#{:02x}{:02x}{:02x}", red as u8, green as u8, blue as u8), ink)
}

/// A round number of Elo of which some seven go into a range.
fn step(range: f64) -> f64 {
    let rough = (range / 7.0).max(10.0);
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0].into_iter().map(|factor| factor * power).find(|&step| step >= rough).unwrap_or(10.0 * power)
}

/// A name that fits: its end tells most, such as the program behind a long path.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    match letters.len() > LETTERS {
        true => format!("..{}", letters[letters.len() - LETTERS + 2..].iter().collect::<String>()),
        false => name.into(),
    }
}

/// Columns that a name takes.
fn columns(name: &str) -> usize {
    name.chars().map(|letter| if letter.is_ascii() { 1 } else { 2 }).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::check::check_xml;

    fn figure(value: f64, half: f64) -> Figure {
        Figure { value, lower: value - half, upper: value + half }
    }

    fn standings() -> Standings {
        let players = [("net:\"a\" & <b>", 210.0, 25.0), ("greedy", 95.0, 12.0), ("random", 0.0, 0.0)];
        let score = |value| Some(figure(value, 0.02));
        Standings {
            title: "darkchess:taiwan, <seed> 1".into(),
            players: players.map(|(name, elo, half)| (name.to_string(), figure(elo, half))).to_vec(),
            scores: vec![
                vec![None, score(0.66), score(0.9)],
                vec![score(0.34), None, score(0.75)],
                vec![score(0.1), score(0.25), None],
            ],
        }
    }

    /// The number that follows some text.
    fn number(text: &str, before: &str) -> f64 {
        let rest = &text[text.find(before).unwrap() + before.len()..];
        rest[..rest.find('"').unwrap()].parse().unwrap()
    }

    #[test]
    fn shows_every_rating_and_every_score_and_names_only_as_text() {
        let standings = standings();
        for theme in Theme::ALL {
            let svg = standings.svg(theme);
            assert_eq!(check_xml(&svg), Ok(()), "{svg}");
            assert_eq!(svg, standings.svg(theme));
            assert!(svg.contains("net:&quot;a&quot; &amp; &lt;b&gt;") && svg.contains("&lt;seed&gt;"), "{svg}");
            let points: Vec<&str> = svg.split("<circle ").skip(1).collect();
            assert_eq!(points.len(), 3);
            // The axis is straight: the points lie as the ratings do.
            let [best, second, last] = [0, 1, 2].map(|player| number(points[player], "cx=\""));
            assert!(((best - last) / (second - last) - 210.0 / 95.0).abs() < 0.02, "{best} {second} {last}");
            for score in ["0.660", "0.900", "0.340", "0.750", "0.100", "0.250"] {
                assert_eq!(svg.matches(&format!(">{score}</text>")).count(), 1, "{score}");
            }
            assert!(svg.contains("210  (185 to 235)") && svg.contains("greedy - random: 0.750 (0.730 - 0.770)"));
        }
        assert_ne!(standings.svg(Theme::Light), standings.svg(Theme::Dark));
    }

    #[test]
    fn everything_lies_on_the_page() {
        let mut standings = standings();
        standings.players[1].0 = "uci:/a/very/long/path/to/some/program,args=engine --protocol uci greedy".into();
        standings.players[2].1 = figure(-400.0, 300.0);
        let svg = standings.svg(Theme::Light);
        let page = number(&svg, "width=\"");
        for place in ["cx=\"", " x=\"", "x1=\"", "x2=\""] {
            for text in svg.split(place).skip(1) {
                let x: f64 = text[..text.find('"').unwrap()].parse().unwrap();
                assert!((0.0..page).contains(&x), "{place}{x}");
            }
        }
        assert!(svg.contains(">..,args=engine --protocol uci greedy<"), "{svg}");
    }

    /// What can be read: ink and ground differ in luminance by 3 to 1 at least (WCAG, large or bold text).
    #[test]
    fn every_score_can_be_read_in_its_cell() {
        let channel = |hex: &str| {
            let value = f64::from(u8::from_str_radix(hex, 16).unwrap()) / 255.0;
            if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        let luminance = |c: &str| 0.2126 * channel(&c[1..3]) + 0.7152 * channel(&c[3..5]) + 0.0722 * channel(&c[5..7]);
        for percent in 0..=100 {
            let (ground, ink) = paint(f64::from(percent) / 100.0);
            let (a, b) = (luminance(&ground) + 0.05, luminance(ink) + 0.05);
            assert!(a.max(b) / a.min(b) >= 3.5, "{percent} %: {ink} on {ground}");
        }
    }
}

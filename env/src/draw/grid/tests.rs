use super::{Grid, Spot, dark_chess};
use crate::darkchess::{DarkChess, Piece, State};
use crate::draw::Theme;
use crate::draw::svg::escaped;
use crate::draw::text::Style;
use crate::game::{Actions, Game, Status};
use crate::rng::Rng;

const BOARDS: [&str; 6] =
    ["taiwan", "mini", "icga", "board=8x4", "board=6x6,pieces=K1G2M2R2N2C2P7", "board=1x2,pieces=K1"];

fn styles() -> impl Iterator<Item = Style> {
    [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .map(|(colour, chinese)| Style { colour, chinese })
}

fn game(rules: &str) -> DarkChess {
    DarkChess::parse(rules).unwrap()
}

/// A game played at random, at most so many plies.
fn played(game: &DarkChess, plies: u32, rng: &mut Rng) -> State {
    let mut state = game.deal(rng);
    for _ in 0..plies {
        if game.status(&state).is_ongoing() {
            let action = game.sample(state.position(), rng);
            game.play(&mut state, action);
        }
    }
    state
}

/// A picture of what a position's text says.
fn diagram(rules: &str, position: &str) -> Grid {
    let game = game(rules);
    let position = game.parse_view(position).unwrap();
    dark_chess(&game, &position)
}

/// Element names, attributes, entities and identifiers of a document: what a parser would refuse, and references
/// that lead nowhere.
fn check_xml(xml: &str) -> Result<(), String> {
    let (mut open, mut rest, mut roots) = (Vec::new(), xml.trim_end(), 0);
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').ok_or("a tag without end")?;
        let (text, tag) = (&rest[..start], &rest[start + 1..end]);
        check_text(text)?;
        if open.is_empty() && !text.is_empty() {
            return Err(format!("text outside the root: {text:?}"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            let opened = open.pop();
            if opened != Some(name) {
                return Err(format!("{opened:?} ends as {name}"));
            }
        } else {
            let body = tag.strip_suffix('/').unwrap_or(tag);
            let (name, attributes) = body.split_once(' ').unwrap_or((body, ""));
            if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphabetic()) {
                return Err(format!("tag {tag:?}"));
            }
            check_attributes(attributes)?;
            roots += usize::from(open.is_empty());
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = &rest[end + 1..];
    }
    if !open.is_empty() || roots != 1 || !rest.is_empty() {
        return Err(format!("{open:?} still open, {roots} roots, {rest:?} left"));
    }
    let ids: Vec<&str> = xml.split(" id=\"").skip(1).map(|text| &text[..text.find('"').unwrap()]).collect();
    for reference in xml.split(['#', '\'']).skip(1).filter(|text| text.starts_with(ids[0].split('-').next().unwrap())) {
        let reference = &reference[..reference.find(['"', ')']).ok_or("an open reference")?];
        if ids.iter().filter(|&&id| id == reference).count() != 1 {
            return Err(format!("#{reference} is not one element"));
        }
    }
    Ok(())
}

fn check_text(text: &str) -> Result<(), String> {
    for entity in text.split('&').skip(1) {
        if !["amp;", "lt;", "gt;", "quot;", "#39;"].iter().any(|known| entity.starts_with(known)) {
            return Err(format!("entity &{entity}"));
        }
    }
    match text.chars().find(|c| c.is_control() && *c != '\n') {
        Some(control) => Err(format!("{control:?}")),
        None => Ok(()),
    }
}

fn check_attributes(mut rest: &str) -> Result<(), String> {
    let mut names = Vec::new();
    while !rest.is_empty() {
        let (name, after) = rest.split_once("=\"").ok_or_else(|| format!("attribute {rest:?}"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("value {after:?}"))?;
        if names.contains(&name) || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
            return Err(format!("attribute {name:?}"));
        }
        check_text(value)?;
        names.push(name);
        rest = after.strip_prefix(' ').unwrap_or(after);
        if !after.is_empty() && rest == after {
            return Err(format!("{after:?} follows {name}"));
        }
    }
    Ok(())
}

#[test]
fn the_xml_check_refuses_faults() {
    assert_eq!(check_xml(r##"<a id="b-x"><b c="1" d="e"/>f &amp; g<u href="#b-x"/></a>"##), Ok(()));
    for fault in [
        "<a id=\"x\"><b></a>",
        "<a id=\"x\"/><a/>",
        "<a id=\"x\" id=\"y\"/>",
        "<a id=\"x\"b=\"y\"/>",
        "<a id=\"x\">&</a>",
        "<a id=\"x\">",
        "<a id=\"x\"/>b",
        r##"<a id="x"><u href="#xy"/></a>"##,
    ] {
        assert!(check_xml(fault).is_err(), "{fault}");
    }
}

#[test]
fn random_positions_are_well_formed() {
    let mut rng = Rng::new(3);
    let mut ended = 0;
    for i in 0..510 {
        let game = game(BOARDS[i % BOARDS.len()]);
        let plies = rng.below(400);
        let state = played(&game, plies, &mut rng);
        ended += u32::from(!game.status(&state).is_ongoing());
        let diagram = dark_chess(&game, state.position());
        let svg = diagram.svg(Theme::ALL[i / 6 % 2]);
        if let Err(fault) = check_xml(&svg) {
            panic!("{fault}\n{}\n{svg}", diagram.position);
        }
        // Nothing is fetched and nothing runs.
        assert_eq!(svg.matches("http").count(), 1, "only the name space: {svg}");
        assert!(!svg.contains("<script") && !svg.contains("<style") && !svg.contains("<image"));
        assert!(svg.len() < 60_000, "{}", svg.len());
        assert!(svg.contains(&escaped(&diagram.position)));
        // Pieces are neither lost nor made up.
        let count = |kind: fn(&Spot) -> bool| diagram.spots.iter().filter(|spot| kind(spot)).count();
        let unseen: usize = diagram.stock.iter().map(|stock| usize::from(stock.unseen)).sum();
        let captured: usize = diagram.stock.iter().map(|stock| usize::from(stock.captured)).sum();
        assert_eq!(count(|spot| matches!(spot, Spot::Back)), unseen);
        assert_eq!(count(|spot| matches!(spot, Spot::Face(_))) + unseen + captured, diagram.spots.len());
        assert_eq!(svg.matches("face down</title>").count(), unseen);
    }
    assert!((50..500).contains(&ended), "{ended}");
}

/// Deals that differ only under the backs look the same.
#[test]
fn drawings_show_nothing_hidden() {
    let game = game("taiwan");
    let mut rng = Rng::new(4);
    for i in 0..100 {
        let one = played(&game, i, &mut rng);
        let others = (0..3).map(|_| game.deal_from(one.position(), &mut rng));
        let looks = |state: &State| {
            let diagram = dark_chess(&game, game.view(state, game.to_move(state)));
            let svgs = Theme::ALL.map(|theme| diagram.svg(theme));
            (svgs, styles().map(|style| diagram.text(style)).collect::<Vec<_>>())
        };
        let mut differ = false;
        for other in others {
            differ |= game.state_text(&other) != game.state_text(&one);
            assert_eq!(looks(&other), looks(&one), "{}", game.view_text(one.position()));
        }
        assert!(differ || one.position().face_down() < 4, "the deals are different ones");
    }
}

#[test]
fn every_piece_and_coordinate_appears() {
    let text = "KGMRNCPX/kgmrncpX/8/8 1 b G1p1 3 40";
    let diagram = diagram("taiwan", text);
    let svg = diagram.svg(Theme::Light);
    let chinese = diagram.text(Style { chinese: true, colour: false });
    let plain = diagram.text(Style::default());
    for piece in Piece::all() {
        let (letter, character) = (piece.letter(), piece.character());
        assert!(svg.contains(&format!(">{character}</text>")), "{character}");
        assert_eq!(svg.matches(&format!(" {character} {letter}</title>")).count(), 1, "{character}");
        assert!(chinese.contains(character) && plain.contains(letter), "{chinese}{plain}");
    }
    for coordinate in "abcd甲乙丙丁12345678".chars() {
        assert!(svg.contains(&format!(">{coordinate}</text>")), "{coordinate}");
        assert!(chinese.contains(coordinate), "{coordinate}");
    }
    for (place, words) in [("turn", "紅方 Red to move"), ("details", "seat 1 · ply 40 · quiet 3 of 60")] {
        assert!(svg.contains(words), "{place}: {svg}");
    }
    for square in ["a8 face down", "b8 face down", "a1 帥 K", "b7 卒 p"] {
        assert!(svg.contains(&format!("<title>{square}</title>")), "{square}");
    }
}

#[test]
fn text_as_people_see_it() {
    let diagram = diagram("mini", "cKXX/pP1k 1 r G1C1 0 9 last=b3-b4");
    assert_eq!(
        diagram.text(Style::default()),
        concat!(
            "    1  2  3  4 \n",
            " a  c  K  #  # \n",
            " b  p  P [.][k]\n",
            "seat 1 to move (black 黑, small letters), ply 9, quiet 0\n",
            "face down (#): G1 C1\n",
        )
    );
    assert_eq!(
        diagram.text(Style { chinese: true, colour: false }),
        concat!(
            "    1   2   3   4  \n",
            "甲a 包  帥  ＃  ＃ \n",
            "乙b 卒  兵 [．][將]\n",
            "seat 1 to move (black 黑), ply 9, quiet 0\n",
            "face down (＃): 仕1 炮1\n",
        )
    );
    // Colours change nothing but colours.
    for chinese in [false, true] {
        let (coloured, plain) =
            (diagram.text(Style { chinese, colour: true }), diagram.text(Style { chinese, colour: false }));
        let stripped: String =
            coloured.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, text)| text)).collect();
        let (board, words) = (2 * 5, "seat 1 to move");
        assert!(coloured.matches('\x1b').count() > board && stripped.contains(words));
        let lines = |text: &str| text.lines().take(3).map(String::from).collect::<Vec<_>>();
        assert_eq!(lines(&stripped), lines(&plain));
        assert!(coloured.lines().all(|line| !line.contains('\x1b') || line.rfind("\x1b[0m") == line.rfind('\x1b')));
    }
}

#[test]
fn the_last_ply_is_marked() {
    let svg = |text: &str| diagram("mini", text).svg(Theme::Light);
    let marks = |svg: &str| (svg.matches("M1 1h98v98h-98z").count(), svg.matches("stroke-dasharray").count());
    assert_eq!(marks(&svg("cKXX/pP1k 1 r G1C1 0 9")), (0, 0));
    assert_eq!(marks(&svg("cKXX/pP1k 1 r G1C1 0 9 last=b3-b4")), (2, 1), "from, to, and the ghost of the piece");
    assert_eq!(marks(&svg("cKXX/pPXX 1 r G1C1k1g1 0 5 last=a1")), (1, 0), "a flip has one square");
}

#[test]
fn results_are_sealed() {
    let mut rng = Rng::new(5);
    let game = game("mini");
    let mut seen = [false; 3];
    for _ in 0..200 {
        let state = played(&game, 1000, &mut rng);
        let diagram = dark_chess(&game, state.position());
        let (which, words) = match diagram.status {
            Status::Ongoing => panic!("{}", diagram.position),
            Status::Draw(_) => (0, "和棋 Draw"),
            Status::Win(seat, _) => match diagram.colour(seat).unwrap() {
                crate::darkchess::Colour::Red => (1, "紅方 Red won"),
                crate::darkchess::Colour::Black => (2, "黑方 Black won"),
            },
        };
        seen[which] = true;
        let svg = diagram.svg(Theme::Dark);
        assert!(svg.contains(words) && svg.contains("rotate(-4)"), "{}", diagram.position);
        let mut legal = Actions::new();
        game.legal(state.position(), &mut legal);
        assert!(legal.is_empty() && !svg.contains("to move"));
    }
    assert_eq!(seen, [true; 3]);
}

#[test]
fn text_is_escaped() {
    assert_eq!(escaped("a<b>&\"c'\u{7}帥"), "a&lt;b&gt;&amp;&quot;c&#39; 帥");
    let mut diagram = diagram("mini", "cKXX/pP1k 1 r G1C1 0 9");
    diagram.game = "</title><script>alert(\"&\")</script>".into();
    diagram.position = "\" onload='x' <![CDATA[".into();
    let Spot::Face(tile) = &mut diagram.spots[0] else { panic!() };
    (tile.letter, tile.character) = ('<', '&');
    diagram.stock.iter_mut().filter(|stock| stock.tile.letter == 'c').for_each(|stock| {
        (stock.tile.letter, stock.tile.character) = ('<', '&');
    });
    let svg = diagram.svg(Theme::Light);
    assert_eq!(check_xml(&svg), Ok(()), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("<![") && !svg.contains("onload='"), "{svg}");
}

/// Pictures of different positions or themes can stand in one page: they share no identifier.
#[test]
fn identifiers_differ_between_pictures() {
    let mut firsts = Vec::new();
    let mut rng = Rng::new(6);
    let game = game("taiwan");
    for plies in 0..20 {
        let diagram = dark_chess(&game, played(&game, plies, &mut rng).position());
        for theme in Theme::ALL {
            assert_eq!(diagram.svg(theme), diagram.svg(theme));
            let svg = diagram.svg(theme);
            let id = svg.split_once(" id=\"").unwrap().1.split('-').next().unwrap().to_string();
            assert!(!firsts.contains(&id), "{id}");
            firsts.push(id);
        }
    }
}

use super::{Grid, Spot, dark_chess};
use crate::darkchess::{DarkChess, Piece, State};
use crate::draw::Theme;
use crate::draw::check::check_xml;
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

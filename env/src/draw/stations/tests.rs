use super::{Stands, Stations, Tile, junqi};
use crate::draw::Theme;
use crate::draw::check::check_xml;
use crate::draw::svg::escaped;
use crate::draw::text::Style;
use crate::game::{Game, Reason, Seat, Status};
use crate::junqi::graph::Place;
use crate::junqi::{Junqi, Kind, Out, State};
use crate::rng::Rng;

const GAMES: [&str; 8] = [
    "siguo",
    "siguo:double-open",
    "siguo:open,order=clockwise",
    "siguo:setup=play",
    "duel",
    "duel:arms=closed",
    "luzhanqi",
    "luzhanqi:setup=play,reveal=both",
];

fn styles() -> impl Iterator<Item = Style> {
    [(false, false), (false, true), (true, false), (true, true)]
        .into_iter()
        .map(|(colour, chinese)| Style { colour, chinese })
}

/// A game played at random, at most so many plies.
fn played(game: &Junqi, plies: u32, rng: &mut Rng) -> State {
    let mut state = game.deal(rng);
    for _ in 0..plies {
        if game.status(&state).is_ongoing() {
            let action = game.sample(game.view(&state, game.to_move(&state)), rng);
            game.play(&mut state, action);
        }
    }
    state
}

/// A board as a seat sees it, before the first ply and with nothing on it.
fn bare(rules: &str, viewer: Seat) -> Stations {
    let game = Junqi::parse(rules).unwrap();
    let state = game.deal(&mut Rng::new(1));
    let mut diagram = junqi(&game, game.view(&state, viewer));
    diagram.stops.iter_mut().for_each(|stop| stop.tile = None);
    diagram
}

fn station(diagram: &Stations, name: &str) -> usize {
    diagram.stops.iter().position(|stop| stop.name == name).unwrap()
}

fn put(diagram: &mut Stations, name: &str, seat: Seat, kind: Option<Kind>, moved: bool) {
    let at = station(diagram, name);
    diagram.stops[at].tile = Some(Tile { seat, kind, moved, survived: false });
}

/// A small position: a ply has just been played and a piece lost.
fn small() -> Stations {
    let mut diagram = bare("luzhanqi", 0);
    for (name, seat, kind, moved) in [
        ("S62", 0, Some(Kind::Flag), false),
        ("S33", 0, Some(Kind::Commander), true),
        ("S55", 0, Some(Kind::Mine), false),
        ("N62", 1, None, false),
        ("N22", 1, None, true),
    ] {
        put(&mut diagram, name, seat, kind, moved);
    }
    diagram.sides[1].last = Some([station(&diagram, "N23"), station(&diagram, "N22")]);
    diagram.sides[0].gone = vec![Some(Kind::General), Some(Kind::Bomb)];
    diagram.sides[1].gone = vec![None];
    (diagram.sides[0].left, diagram.sides[1].left) = (3, 2);
    (diagram.last_mover, diagram.plies, diagram.quiet) = (Some(1), 30, 4);
    diagram
}

#[test]
fn random_positions_are_well_formed() {
    let mut rng = Rng::new(3);
    let mut ended = 0;
    for i in 0..240 {
        let game = Junqi::parse(GAMES[i % GAMES.len()]).unwrap();
        let plies = rng.below(700);
        let state = played(&game, plies, &mut rng);
        ended += u32::from(!game.status(&state).is_ongoing());
        let viewer = rng.below(game.seats().into()) as Seat;
        let diagram = junqi(&game, game.view(&state, viewer));
        let svg = diagram.svg(Theme::ALL[i / 8 % 2]);
        if let Err(fault) = check_xml(&svg) {
            panic!("{fault}\n{}\n{svg}", diagram.position);
        }
        // Nothing is fetched and nothing runs.
        assert_eq!(svg.matches("http").count(), 1, "only the name space: {svg}");
        assert!(!svg.contains("<script") && !svg.contains("<style") && !svg.contains("<image"));
        assert!(svg.len() < 60_000, "{}", svg.len());
        assert!(svg.contains(&escaped(&diagram.position)));
        // Every station is there once, with what stands on it, and with its own shape.
        for stop in &diagram.stops {
            let tips = ["<", " "].map(|end| svg.matches(&format!("<title>{}{end}", stop.name)).count());
            assert_eq!(tips, if stop.tile.is_none() { [1, 0] } else { [0, 1] }, "{}", stop.name);
        }
        for (shape, place) in [("post", Place::Post), ("camp", Place::Camp), ("hq", Place::Headquarters)] {
            let count = diagram.stops.iter().filter(|stop| stop.place == place).count();
            assert_eq!(
                svg.matches(&format!("-{shape}\"/>")).count() + svg.matches(&format!("-{shape}\" tr")).count(),
                count
            );
        }
        // Pieces are neither lost nor made up; hidden ones are backs.
        let placed =
            25 * diagram.sides.len() - diagram.sides.iter().map(|side| side.left + side.gone.len()).sum::<usize>();
        assert!(placed == 0 || diagram.places_at.is_some(), "{}", diagram.position);
        let tiles = || diagram.stops.iter().filter_map(|stop| stop.tile);
        assert_eq!(tiles().count(), diagram.sides.iter().map(|side| side.left).sum::<usize>());
        let hidden = tiles().filter(|tile| tile.kind.is_none()).count();
        assert_eq!(svg.matches(" hidden").count(), hidden);
        assert!(tiles().all(|tile| tile.kind.is_some() || tile.seat != viewer));
        for style in styles() {
            let text = diagram.text(style);
            assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
        }
    }
    assert!((20..200).contains(&ended), "{ended}");
}

/// States that differ only in what the viewer may not know look the same.
#[test]
fn drawings_show_nothing_hidden() {
    let mut rng = Rng::new(4);
    let mut different = 0;
    for i in 0..60 {
        let game = Junqi::parse(GAMES[i % GAMES.len()]).unwrap();
        let one = played(&game, 6 * i as u32, &mut rng);
        let viewer = rng.below(game.seats().into()) as Seat;
        let looks = |state: &State| {
            let diagram = game.diagram(game.view(state, viewer));
            let svgs = Theme::ALL.map(|theme| diagram.svg(theme));
            (svgs, styles().map(|style| diagram.text(style)).collect::<Vec<_>>())
        };
        for _ in 0..2 {
            let other = game.deal_from(game.view(&one, viewer), &mut rng);
            different += u32::from(game.state_text(&other) != game.state_text(&one));
            assert_eq!(looks(&other), looks(&one), "{}", game.view_text(game.view(&one, viewer)));
        }
    }
    assert!(different > 60, "{different} deals were different ones");
}

#[test]
fn the_viewer_sits_at_the_bottom() {
    for rules in ["siguo", "duel", "luzhanqi"] {
        let game = Junqi::parse(rules).unwrap();
        let state = game.deal(&mut Rng::new(5));
        for viewer in 0..game.seats() {
            let diagram = junqi(&game, game.view(&state, viewer));
            let at = |name: &str| {
                let stop = &diagram.stops[station(&diagram, name)];
                (stop.x, stop.y)
            };
            let letter = diagram.sides[usize::from(viewer)].letter;
            // As its owner sees it: the front's left corner above and left of the base's right one.
            let corners = [at(&format!("{letter}11")), at(&format!("{letter}65"))];
            assert_eq!(corners, [(6, 11), (10, 16)], "{rules} {viewer}");
            assert_eq!(diagram.sides[usize::from(viewer)].stands, Stands::Viewer);
            // Turning moves nothing apart.
            for &[a, b] in &diagram.roads {
                let [a, b] = [&diagram.stops[a], &diagram.stops[b]];
                assert!(a.x.abs_diff(b.x) <= 1 && a.y.abs_diff(b.y) <= 1, "{} {}", a.name, b.name);
            }
        }
    }
    // The seat that moves next sits to the right.
    let (east, order) = (bare("siguo", 1), bare("siguo", 0));
    assert!(east.stops[station(&east, "N33")].x > 10 && order.stops[station(&order, "E33")].x > 10);
}

#[test]
fn every_way_is_drawn() {
    for (rules, stations, roads, rails, arcs) in
        [("siguo", 129, 196, 14, 4), ("duel:arms=closed", 129, 98, 10, 0), ("luzhanqi", 60, 98, 7, 0)]
    {
        let diagram = bare(rules, 0);
        let counts = [diagram.stops.len(), diagram.roads.len(), diagram.rails.len(), diagram.arcs.len()];
        assert_eq!(counts, [stations, roads, rails, arcs], "{rules}");
        let svg = diagram.svg(Theme::Light);
        let rail = svg.split_once("<g fill=\"none\"><path d=\"").unwrap().1.split_once('"').unwrap().0;
        assert_eq!((rail.matches('L').count(), rail.matches('A').count()), (rails, arcs), "{rules}");
        assert_eq!(svg.contains("山界"), rules == "luzhanqi");
    }
}

#[test]
fn every_piece_has_its_name() {
    let mut diagram = bare("siguo", 2);
    for (kind, col) in Kind::ALL.into_iter().zip([11, 12, 13, 14, 15, 21, 22, 23, 24, 25, 31, 32]) {
        put(&mut diagram, &format!("N{col}"), 2, Some(kind), false);
    }
    put(&mut diagram, "E33", 1, None, true);
    let svg = diagram.svg(Theme::Dark);
    let (plain, chinese) = (diagram.text(Style::default()), diagram.text(Style { chinese: true, colour: false }));
    for kind in Kind::ALL {
        assert!(svg.contains(&format!(">{}</text>", kind.name())), "{}", kind.name());
        let short = if kind.short().is_ascii() { kind.short().into() } else { kind.letter().to_string() };
        assert!(plain.contains(&format!("N{short}")), "{plain}");
    }
    for character in "司軍師旅團營連排工炸雷旗".chars() {
        assert_eq!(chinese.matches(&format!("N{character}")).count(), 1, "{character}\n{chinese}");
    }
    assert!(svg.contains("<title>E33 紫 purple hidden, has moved</title>"), "{svg}");
    assert!(plain.contains("E+") && chinese.contains("E+"));
}

#[test]
fn text_as_people_see_it() {
    let diagram = small();
    assert_eq!(
        diagram.text(Style::default()),
        concat!(
            "      5   4   3   2   1\n",
            "      . [   ] . [N? ] .  N6\n",
            "      =   =   =   =   =  N5\n",
            "      = (   ) . (   ) =  N4\n",
            "      =   . (   ) .   =  N3\n",
            "      = (   ) * (N+ ) =  N2\n",
            "      =   =   =   =   =  N1\n",
            "      |       |       |\n",
            " S1   =   =   =   =   =\n",
            " S2   = (   ) . (   ) =\n",
            " S3   =   . (S40) .   =\n",
            " S4   = (   ) . (   ) =\n",
            " S5   =   =   =   =  SL\n",
            " S6   . [SF ] . [   ] .\n",
            "      1   2   3   4   5\n",
            "S to move, ply 30, quiet 4 of 70, seen by S\n",
            "S red: 3 pieces, lost 39 B\n",
            "N blue: 2 pieces, last N23-N22\n",
        )
    );
    let chinese = diagram.text(Style { chinese: true, colour: false });
    for part in ["[S旗]", "(S司)", "S雷", "(N+ )", "S 紅 red: 3 pieces, lost 軍 炸\n", "N 藍 blue: 2"] {
        assert!(chinese.contains(part), "{part}\n{chinese}");
    }
    // Colours change nothing but colours.
    for chinese in [false, true] {
        let (coloured, plain) =
            (diagram.text(Style { chinese, colour: true }), diagram.text(Style { chinese, colour: false }));
        let stripped: String =
            coloured.split('\x1b').map(|part| part.split_once('m').map_or(part, |(_, text)| text)).collect();
        let lines = |text: &str| text.lines().take(15).map(|line| line.trim_end().into()).collect::<Vec<String>>();
        assert_eq!(lines(&stripped), lines(&plain));
        assert!(coloured.lines().all(|line| !line.contains('\x1b') || line.rfind("\x1b[0m") == line.rfind('\x1b')));
    }
}

#[test]
fn the_last_ply_is_marked() {
    let marks = |svg: &str| (svg.matches("M-51-20v-20h22").count(), svg.matches("stroke-dasharray=\"11 8\"").count());
    let mut diagram = small();
    assert_eq!(marks(&diagram.svg(Theme::Light)), (2, 1), "from, to, and the ghost of the piece");
    diagram.sides[0].last = Some(["S13", "S33"].map(|name| station(&diagram, name)));
    assert_eq!(marks(&diagram.svg(Theme::Light)), (2, 2), "the other seat's last ply is marked in its colour only");
    (diagram.sides[0].last, diagram.sides[1].last, diagram.last_mover) = (None, None, None);
    assert_eq!(marks(&diagram.svg(Theme::Light)), (0, 0));
    assert!(!diagram.text(Style::default()).contains('*'));
}

/// In random games the marked ply is the one that was played, as long as its seat is still in the game.
#[test]
fn the_last_mover_is_who_moved() {
    for rules in ["siguo", "siguo:order=clockwise", "duel"] {
        let game = Junqi::parse(rules).unwrap();
        let mut rng = Rng::new(6);
        let mut state = game.deal(&mut rng);
        while game.status(&state).is_ongoing() {
            let mover = game.to_move(&state);
            let action = game.sample(game.view(&state, mover), &mut rng);
            game.play(&mut state, action);
            let diagram = junqi(&game, game.view(&state, 0));
            if diagram.sides[usize::from(mover)].out.is_none() {
                assert_eq!(diagram.last_mover, Some(mover), "{}", diagram.text(Style::default()));
                let (from, to) = game.ends(action).unwrap();
                assert!(diagram.is_last(from.into()) && diagram.is_last(to.into()));
            }
        }
    }
}

#[test]
fn seats_that_are_out_are_grey() {
    let mut diagram = bare("siguo", 0);
    put(&mut diagram, "E11", 1, None, false);
    let (light, tint) = (diagram.svg(Theme::Light), "#83409b");
    assert!(light.contains(tint) && !light.contains("出局"));
    diagram.stops.iter_mut().for_each(|stop| stop.tile = None);
    (diagram.sides[1].out, diagram.sides[1].left) = (Some(Out::Flag), 0);
    let svg = diagram.svg(Theme::Light);
    assert!(!svg.contains(tint) && svg.contains("出局 out") && svg.contains(">flag</tspan>"), "{svg}");
    assert!(diagram.text(Style::default()).contains("E purple: out (flag)"));
}

#[test]
fn turns_and_results_are_told() {
    let mut diagram = bare("siguo", 3);
    let told = |diagram: &Stations| (diagram.svg(Theme::Dark), diagram.text(Style::default()));
    let (svg, text) = told(&diagram);
    assert!(svg.contains("紅方 Red to move") && svg.contains("敵軍 enemy · 走棋 to move"), "{svg}");
    assert!(svg.contains("己方 you") && svg.contains("友軍 ally") && svg.contains("ply 1 · quiet 0 of 70"));
    assert!(text.contains("S to move, ply 0, quiet 0 of 70, seen by W"), "{text}");
    diagram.places_at = Some(station(&diagram, "S62"));
    let (svg, text) = told(&diagram);
    assert!(svg.contains("紅方 Red sets up") && svg.contains("next S62"), "{svg}");
    assert!(text.contains("S to move: sets up S62"), "{text}");
    diagram.places_at = None;
    diagram.status = Status::Win(1, Reason::Flag);
    let (svg, text) = told(&diagram);
    assert!(svg.contains("紫綠方 Purple and Green won") && svg.contains("rotate(-4)"), "{svg}");
    assert!(text.contains("E+W won (flag)") && !(svg + &text).contains("to move"), "{text}");
    diagram.status = Status::Draw(Reason::QuietLimit);
    let (svg, text) = told(&diagram);
    assert!(svg.contains("和棋 Draw") && svg.contains("quiet limit · 0 plies"), "{svg}");
    assert!(text.contains("drawn (quiet-limit)"), "{text}");
}

#[test]
fn text_is_escaped() {
    let mut diagram = small();
    diagram.game = "</title><script>alert(\"&\")</script>".into();
    diagram.position = "\" onload='x' <![CDATA[".into();
    diagram.stops.iter_mut().for_each(|stop| stop.name = "<&'\"".into());
    let svg = diagram.svg(Theme::Light);
    assert_eq!(check_xml(&svg), Ok(()), "{svg}");
    assert!(!svg.contains("<script") && !svg.contains("<![") && !svg.contains("onload='"), "{svg}");
}

/// Pictures of different views or themes can stand in one page: they share no identifier.
#[test]
fn identifiers_differ_between_pictures() {
    let game = Junqi::parse("siguo").unwrap();
    let state = game.deal(&mut Rng::new(7));
    let mut firsts = Vec::new();
    for viewer in 0..4 {
        let diagram = game.diagram(game.view(&state, viewer));
        for theme in Theme::ALL {
            let svg = diagram.svg(theme);
            assert_eq!(svg, diagram.svg(theme));
            let id = svg.split_once(" id=\"").unwrap().1.split('-').next().unwrap().to_string();
            assert!(!firsts.contains(&id), "{id}");
            firsts.push(id);
        }
    }
}

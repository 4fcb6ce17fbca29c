//! The boards: counts, symmetries, and every station, edge and line against a list made elsewhere.

use super::super::board::{Board, Way};
use super::super::graph::{Graph, Place};
use super::super::rules::{Rules, Variant};
use super::super::{NOWHERE, Station};
use super::game;
use crate::game::Game;

const FIXTURE: &str = include_str!("../../../tests/data/junqi_board.txt");

fn numbers(text: &str) -> Vec<u8> {
    text.split(',').filter(|part| *part != "-").map(|part| part.parse().unwrap()).collect()
}

fn edges(lists: &[Vec<Station>]) -> usize {
    lists.iter().map(Vec::len).sum::<usize>() / 2
}

#[test]
fn the_board_is_the_listed_one() {
    let graph = Graph::four();
    let (mut stations, mut lines) = (0, 0);
    for line in FIXTURE.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [kind @ ("line" | "arc"), list] => {
                assert_eq!(graph.lines[lines].stations, numbers(list), "{line}");
                assert_eq!(graph.lines[lines].arc, kind == "arc", "{line}");
                lines += 1;
            }
            ["sixty", list] => {
                let sixty = Graph::sixty();
                let ids = |line: &super::super::graph::Line| -> Vec<u8> {
                    line.stations.iter().map(|&station| sixty.spots[usize::from(station)].id).collect()
                };
                assert!(sixty.lines.iter().any(|line| ids(line) == numbers(list)), "{line}");
            }
            [id, name, x, y, place, roads, rails] => {
                let spot = &graph.spots[stations];
                let letter = ['p', 'c', 'h'][spot.place as usize].to_string();
                assert_eq!(
                    [spot.id.to_string(), spot.name.clone(), spot.x.to_string(), spot.y.to_string(), letter],
                    [id, name, x, y, place],
                );
                assert_eq!(graph.roads[stations], numbers(roads), "{line}");
                assert_eq!(graph.rails[stations], numbers(rails), "{line}");
                stations += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!((stations, lines), (129, 18));
}

#[test]
fn counts_are_those_of_the_rules() {
    let four = Graph::four();
    let places = |place| four.spots.iter().filter(|spot| spot.place == place).count();
    assert_eq!([Place::Post, Place::Camp, Place::Headquarters].map(places), [101, 20, 8]);
    assert_eq!((edges(&four.roads), edges(&four.rails)), (196, 92));
    assert_eq!(four.rails.iter().filter(|list| !list.is_empty()).count(), 73);
    let sixty = Graph::sixty();
    assert_eq!((sixty.len(), edges(&sixty.roads), edges(&sixty.rails)), (60, 98, 35));
    let actions = |name: &str| game(name).spec().num_actions;
    assert_eq!(
        [actions("siguo"), actions("duel"), actions("duel:arms=closed"), actions("luzhanqi")],
        [5624, 5624, 5624, 1176]
    );
    assert_eq!([actions("siguo:setup=play"), actions("siguo:hq_moves=yes")], [5636, 5648]);
    assert_eq!([actions("siguo:signals=yes"), actions("siguo:setup=play,signals=yes")], [5646, 5658]);
    let board = Board::new(&Variant::Siguo.default_rules());
    let plain = (0..5624).filter(|&action| board.way(action) != Way::Turns).count();
    assert_eq!(plain, 1392);
}

/// Rail stations that a piece reaches from a station along one line, where nothing else stands.
fn run(board: &Board, from: Station) -> Vec<Station> {
    let reached = board.rays(from).iter().fold(0, |reached, ray| reached | ray.reach(0));
    (0..board.rails.len()).filter(|rail| reached >> rail & 1 == 1).map(|rail| board.rails[rail]).collect()
}

#[test]
fn roads_and_rays_lead_to_every_target() {
    for variant in Variant::ALL {
        let board = Board::new(&variant.default_rules());
        let mut all = Vec::new();
        for from in 0..board.graph.len() as Station {
            let roads = (0..30).filter(|bit| board.roads[usize::from(from)] >> bit & 1 == 1);
            all.extend(roads.map(|bit| board.road_number(from, bit)));
            all.extend(run(&board, from).into_iter().filter_map(|to| board.number_of(from, to)));
        }
        all.sort_unstable();
        let straight: Vec<u16> =
            (0..board.num_actions() as u16).filter(|&action| board.way(action) != Way::Turns).collect();
        assert_eq!(all, straight, "{}", variant.name());
    }
}

#[test]
fn rays_end_at_the_first_piece() {
    let board = Board::new(&Rules::default());
    let mut rng = crate::rng::Rng::new(1);
    for _ in 0..2_000 {
        let taken = u128::from(rng.bits() & rng.bits()) | u128::from(rng.bits() & rng.bits()) << 64;
        let from = board.rails[rng.below(board.rails.len() as u32) as usize];
        let number = |station: &Station| board.rail_of[usize::from(*station)];
        // Station by station along every line, both ways.
        let mut walked = 0u128;
        for line in &board.graph.lines {
            let Some(place) = line.stations.iter().position(|&station| station == from) else { continue };
            let (back, onward) = (line.stations[..place].iter().rev(), line.stations[place + 1..].iter());
            for way in [back.collect::<Vec<_>>(), onward.collect()] {
                for rail in way.into_iter().map(number) {
                    walked |= 1 << rail;
                    if taken >> rail & 1 == 1 {
                        break;
                    }
                }
            }
        }
        let reached = board.rays(from).iter().fold(0, |reached, ray| reached | ray.reach(taken));
        assert_eq!(reached, walked, "from {}", board.graph.spots[usize::from(from)].name);
    }
}

#[test]
fn an_action_is_its_two_stations() {
    let game = game("siguo");
    for action in 0..game.spec().num_actions as u16 {
        let name = game.action_name(action);
        assert_eq!(game.action_id(&name).unwrap(), action, "{name}");
    }
    assert_eq!(game.action_id("s15xe11").unwrap(), game.action_id("S15-E11").unwrap());
    for (name, message) in [
        ("S15", "expected two stations"),
        ("S15-S77", "there is no station 'S77'"),
        ("S22-S44", "no piece can go from there to there"),
        ("S62-S52", "no piece can go from there to there"),
        ("=F", "setup=play only"),
    ] {
        let fault = game.action_id(name).unwrap_err().to_string();
        assert!(fault.contains(message), "{fault}");
    }
}

#[test]
fn corners_have_two_lines_onward() {
    let board = Board::new(&Rules::default());
    let name = |station: Station| board.graph.spots[usize::from(station)].name.clone();
    let station = |name: &str| board.graph.station(name).unwrap();
    let side: Vec<String> = run(&board, station("S45")).into_iter().map(name).collect();
    // Up the right column: on to N across the centre, or round the arc into E; and down to the base.
    assert!(
        ["S55", "S15", "C33", "N11", "N51", "E11", "E51"].iter().all(|end| side.contains(&end.to_string())),
        "{side:?}"
    );
    assert!(!side.contains(&"S14".to_string()) && !side.contains(&"E12".to_string()), "{side:?}");
    let front: Vec<String> = run(&board, station("S12")).into_iter().map(name).collect();
    // A front row ends at its corners.
    assert_eq!(front, ["S11", "S13", "S14", "S15"]);
    assert_eq!(board.rail_of[usize::from(station("S22"))], NOWHERE);
}

#[test]
fn the_board_has_eight_symmetries() {
    let images = |graph: &Graph| {
        let all = (0..4).flat_map(|quarters| [false, true].map(|mirrored| (quarters, mirrored)));
        let mut images: Vec<Vec<Station>> =
            all.filter_map(|(quarters, mirrored)| graph.turned(quarters, mirrored)).collect();
        images.sort();
        images.dedup();
        images.len()
    };
    assert_eq!([images(&Graph::four()), images(&Graph::sixty())], [8, 4]);
    let four = game("siguo");
    // Turned to a seat, its own moves are those of S.
    for (seat, letter) in ["S", "E", "N", "W"].iter().enumerate() {
        let turn = &four.symmetries(seat as u8)[0];
        let action = |letter: &str| four.action_id(&format!("{letter}25-{letter}35")).unwrap();
        assert_eq!(turn.actions[usize::from(action(letter))], action("S"));
    }
    for name in ["siguo", "duel", "luzhanqi", "duel:arms=closed", "luzhanqi:setup=play"] {
        let game = game(name);
        for symmetry in (0..game.spec().num_seats).flat_map(|seat| game.symmetries(seat as u8)) {
            let mut actions = symmetry.actions.clone();
            actions.sort_unstable();
            assert!(actions.iter().enumerate().all(|(i, &action)| usize::from(action) == i), "{name}");
        }
    }
}

//! The boards: counts, symmetries, and every station, edge and line against a list made elsewhere.

use super::super::board::{Board, Way};
use super::super::graph::{Graph, Place};
use super::super::moves::MOST_STEPS;
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
    let board = Board::new(&Variant::Siguo.default_rules());
    let plain = (0..5624).filter(|&action| board.way(action) != Way::Turns).count();
    assert_eq!(plain, 1392);
}

#[test]
fn steps_and_rays_lead_to_each_target_once() {
    for variant in Variant::ALL {
        let board = Board::new(&variant.default_rules());
        let mut all = Vec::new();
        let mut sums = Vec::new();
        for from in 0..board.graph.len() as Station {
            let mut targets: Vec<u16> = board.roads(from).iter().map(|target| target.action).collect();
            board.rays(from).for_each(|(ray, known)| targets.extend(ray[known..].iter().map(|target| target.action)));
            sums.push(targets.len());
            all.extend(targets);
        }
        all.sort_unstable();
        let straight: Vec<u16> =
            (0..board.num_actions() as u16).filter(|&action| board.way(action) != Way::Turns).collect();
        assert_eq!(all, straight, "{}", variant.name());
        sums.sort_unstable();
        assert!(sums.iter().rev().take(25).sum::<usize>() <= MOST_STEPS, "{sums:?}");
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
    let mut ends: Vec<String> = board.rays(station("S45")).map(|(ray, _)| name(ray[ray.len() - 1].to)).collect();
    ends.sort();
    // Up the right column: on to N across the centre, or round the arc into E; and down to the base.
    assert_eq!(ends, ["E51", "N51", "S55"]);
    let front: Vec<String> = board
        .rays(station("S13"))
        .map(|(ray, _)| ray.iter().map(|target| name(target.to)).collect::<Vec<_>>().join(" "))
        .collect();
    // A front row ends at its corners.
    assert!(front.contains(&"S14 S15".to_string()) && front.contains(&"S12 S11".to_string()), "{front:?}");
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
    // Turned to a seat, its own territory lies where that of S does.
    for (seat, letter) in ["S", "E", "N", "W"].iter().enumerate() {
        let turn = four.turned_to(seat as u8);
        let station = four.graph().station(&format!("{letter}25")).unwrap();
        assert_eq!(turn.squares[usize::from(station)], u16::from(four.graph().station("S25").unwrap()));
    }
    for name in ["siguo", "duel", "luzhanqi", "duel:arms=closed", "luzhanqi:setup=play"] {
        let game = game(name);
        for symmetry in game.symmetries() {
            let mut actions = symmetry.actions.clone();
            actions.sort_unstable();
            assert!(actions.iter().enumerate().all(|(i, &action)| usize::from(action) == i), "{name}");
        }
    }
}

use super::super::board::Board;
use super::super::reach::{by_rail_line, by_rail_over_any_turns, by_rail_with_turns};
use super::super::{Kind, Place};
use super::rules;

/// Pairs of stations between which a piece of this kind could ever go.
fn static_pairs(board: &Board, kind: Kind) -> usize {
    let free = |_: usize| false;
    let mut pairs = 0;
    for from in board.numbers() {
        if board.place(from) == Place::Headquarters {
            continue;
        }
        let mut to = board.by_road(from);
        if kind == Kind::Engineer {
            to.extend(by_rail_over_any_turns(board, from, &free));
        } else {
            to.extend(by_rail_line(board, from, &free));
        }
        to.sort();
        to.dedup();
        pairs += to.len();
    }
    pairs
}

/// Rail edges and rail stations.
fn rails(board: &Board) -> (usize, usize) {
    let mut edges = Vec::new();
    let mut stations = Vec::new();
    for step in &board.rail_steps {
        edges.push((step.from.min(step.to), step.from.max(step.to)));
        stations.push(step.from);
    }
    edges.sort();
    edges.dedup();
    stations.sort();
    stations.dedup();
    (edges.len(), stations.len())
}

#[test]
fn counts() {
    let board = Board::of(&rules("siguo"));
    let count = |place| board.numbers().into_iter().filter(|station| board.place(*station) == place).count();
    assert_eq!((count(Place::Post), count(Place::Camp), count(Place::Headquarters)), (101, 20, 8));
    assert_eq!((board.numbers().len(), board.roads.len(), board.lines.len()), (129, 196, 18));
    assert_eq!(rails(&board), (92, 73));
    // 288 edges in all: no road lies beside a rail.
    for step in &board.rail_steps {
        assert!(!board.by_road(step.from).contains(&step.to));
    }
    assert_eq!(static_pairs(&board, Kind::Engineer), 5624);
    assert_eq!(static_pairs(&board, Kind::Commander), 1392);
    let board = Board::of(&rules("luzhanqi"));
    assert_eq!((board.numbers().len(), board.roads.len(), rails(&board)), (60, 98, (35, 32)));
    assert_eq!(static_pairs(&board, Kind::Engineer), 1176);
    // Open arms are the whole board; without them 60 stations and the nine of the middle are left.
    assert_eq!(static_pairs(&Board::of(&rules("duel")), Kind::Engineer), 5624);
    assert_eq!(Board::of(&rules("duel:arms=closed")).numbers().len(), 69);
}

#[test]
fn numbers_follow_from_names() {
    let board = Board::of(&rules("siguo"));
    for (number, station) in board.stations.iter().enumerate() {
        let name: Vec<usize> = station.name[1..].chars().map(|digit| digit as usize - '0' as usize).collect();
        let expected = match "SENWC".find(&station.name[..1]).expect("a quarter") {
            4 => 120 + (name[0] - 1) * 3 + name[1] - 1,
            seat => seat * 30 + (name[0] - 1) * 5 + name[1] - 1,
        };
        assert_eq!(number, expected, "{}", station.name);
    }
}

#[test]
fn a_quarter_turn_is_a_symmetry() {
    let board = Board::of(&rules("siguo"));
    let turn = |station: usize| {
        let station = &board.stations[station];
        board.at(station.y, 16 - station.x).expect("a station")
    };
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for line in &board.lines {
        let line: Vec<usize> = line.iter().map(|station| turn(*station)).collect();
        lines.push(line.iter().rev().copied().collect());
        lines.push(line);
    }
    for line in &board.lines {
        assert!(lines.contains(line), "{line:?}");
    }
    for (one, two) in &board.roads {
        assert!(board.by_road(turn(*one)).contains(&turn(*two)));
        assert_eq!(board.place(turn(*one)), board.place(*one));
    }
    assert_eq!(turn(0), 30);
}

/// No turn at all is one rail line: what the directions say and what the lines say is the same.
#[test]
fn directions_and_lines_agree() {
    for name in ["siguo", "luzhanqi", "duel:arms=closed"] {
        let board = Board::of(&rules(name));
        for blocked in 0..board.stations.len() {
            let occupied = |station: usize| station == blocked || station % 11 == 3;
            for from in board.numbers() {
                let mut lines = by_rail_line(&board, from, &occupied);
                let mut directions = by_rail_with_turns(&board, from, 0, &occupied);
                for found in [&mut lines, &mut directions] {
                    found.sort();
                    found.dedup();
                }
                assert_eq!(lines, directions, "{name} {from} {blocked}");
            }
        }
    }
}

//! Random games: what must hold after each ply, whatever the rules.

use super::super::{Game, Kind, Layout, Out, Outcome, Status, Variant};
use super::super::{board::Board, layout::may_stand};
use super::rules;

/// A small generator, so that the games are the same on every machine (SplitMix64).
pub(super) struct Numbers(pub(super) u64);

impl Numbers {
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^= mixed >> 31;
        (mixed % limit as u64) as usize
    }
}

/// A layout, uniformly drawn: flag, mines, bombs and the rest, each on one of the stations that are left for it.
fn layout(game: &str, numbers: &mut Numbers) -> Layout {
    let rules = rules(game);
    let board = Board::of(&rules);
    let mut kinds = [None; 30];
    for kind in Kind::ALL {
        for _ in 0..kind.count() {
            let mut free: Vec<usize> = (0..30).collect();
            free.retain(|place| kinds[*place].is_none() && may_stand(&rules, &board, kind, *place));
            kinds[free[numbers.below(free.len())]] = Some(kind);
        }
    }
    Layout(kinds)
}

pub(super) fn start(name: &str, numbers: &mut Numbers) -> Game {
    let rules = rules(name);
    let layouts: Vec<Layout> = (0..rules.seats()).map(|_| layout(name, numbers)).collect();
    let first = numbers.below(rules.seats());
    Game::new(rules, &layouts, first).expect("layouts by the rules")
}

#[test]
fn what_holds_after_every_ply() {
    let mut ends = Vec::new();
    for name in [
        "siguo",
        "siguo:order=clockwise,quiet_limit=0,ply_limit=600",
        "siguo:one_turn=yes,bombs_fly=yes,mine=both,hq_moves=yes,bomb_front_row=yes",
        "duel",
        "duel:arms=closed,commander_mine=survives",
        "luzhanqi",
        "luzhanqi:quiet_limit=200,reveal=both",
    ] {
        for seed in 0..4 {
            let mut numbers = Numbers(seed);
            let mut game = start(name, &mut numbers);
            while game.status() == Status::Ongoing {
                let legal = game.legal();
                assert!(!legal.is_empty());
                let before = game.clone();
                let (from, to) = legal[numbers.below(legal.len())];
                let event = game.play(from, to).expect("a legal action");
                holds(&before, &game, &event);
            }
            assert!(game.legal().is_empty());
            assert_eq!(game.results().iter().sum::<f32>(), 0.0);
            ends.push(match game.status() {
                Status::Win { .. } => "win",
                _ => "draw",
            });
            ends.extend((0..game.rules.seats()).filter_map(|seat| match game.out(seat) {
                Some(Out::Flag) => Some("flag"),
                Some(_) => Some("no move"),
                None => None,
            }));
        }
    }
    for end in ["win", "draw", "flag", "no move"] {
        assert!(ends.contains(&end), "{end}");
    }
}

fn holds(before: &Game, game: &Game, event: &super::Event) {
    let place = || format!("{event:?} in\n{}", before.text());
    // What is drawn reads back as the same board. Reading takes its time.
    if before.plies().is_multiple_of(40) {
        let text = before.text();
        let lines: Vec<&str> = text.lines().collect();
        let corner = if before.rules.variant == Variant::Luzhanqi { (6, 0) } else { (0, 0) };
        let again = Game::drawn(before.rules.clone(), corner, &lines, before.to_move()).expect("a drawing");
        assert_eq!(again.text(), text);
    }
    let alive = |game: &Game| game.pieces.iter().filter(|piece| piece.at.is_some()).count();
    let gone_with_seats: usize = event
        .out
        .iter()
        .map(|(seat, _)| {
            let lost = |piece: &&super::super::Piece| piece.seat == *seat && piece.at.is_some();
            let in_combat = match event.outcome {
                Outcome::Moved => 0,
                Outcome::Won => usize::from(event.defender == Some(*seat)),
                Outcome::Lost => usize::from(event.seat == *seat),
                Outcome::Both => usize::from(event.defender == Some(*seat)) + usize::from(event.seat == *seat),
            };
            before.pieces.iter().filter(lost).count() - in_combat
        })
        .sum();
    let gone = match event.outcome {
        Outcome::Moved => 0,
        Outcome::Won | Outcome::Lost => 1,
        Outcome::Both => 2,
    };
    assert_eq!(alive(game), alive(before) - gone - gone_with_seats, "{}", place());
    assert_eq!(event.defender.is_none(), event.outcome == Outcome::Moved, "{}", place());
    let quiet = if event.defender.is_none() && event.out.is_empty() { before.quiet() + 1 } else { 0 };
    assert_eq!((game.quiet(), game.plies()), (quiet, before.plies() + 1), "{}", place());
    for piece in &game.pieces {
        let Some(station) = piece.at else {
            continue;
        };
        assert!(game.out(piece.seat).is_none(), "{}", place());
        assert_eq!(game.pieces.iter().filter(|other| other.at == Some(station)).count(), 1, "{}", place());
        assert!(piece.kind.walks() || station == piece.home, "{}", place());
    }
    if game.status() == Status::Ongoing {
        assert!(game.out(game.to_move()).is_none());
        for seat in 0..game.rules.seats() {
            let moves = game.pieces.iter().any(|piece| piece.seat == seat && game.can_ever_move(piece));
            assert_eq!(moves, game.out(seat).is_none(), "{}", place());
        }
        // Everybody between the mover and the seat to move is out.
        let mut between = game.rules.after(event.seat);
        while between != game.to_move() {
            assert!(game.out(between).is_some(), "{}", place());
            between = game.rules.after(between);
        }
    }
}

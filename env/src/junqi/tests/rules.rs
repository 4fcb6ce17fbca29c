//! The rules of moves, combats, elimination and the end, each with its board drawn.

use super::super::assignment::Beliefs;
use super::super::piece::{Fight, Kind, PIECES};
use super::super::view::{Out, Public, State, WHOLE, insert, piece_of, remove};
use super::super::{Junqi, NOWHERE, Outcome};
use super::game;
use crate::game::{Actions, Game, Reason, Seat, Status};

/// A game in which only these pieces are left: for each seat that plays, its letter and `kind@station`, as in
/// `S F@S62 C@E11 | E F@E62 M@E51`, with letters that read more easily here than digits: flag, mine, X a bomb, then
/// C G D B R T K P E from the commander to the engineer. The first seat is to move. A piece that does not stand where it may be set up, or
/// stands behind `!`, has moved.
pub(super) fn placed(game: &Junqi, text: &str) -> State {
    let mut public = Public::empty();
    let mut kinds = [[Kind::Flag; PIECES]; 4];
    public.placed = [PIECES as u8; 4];
    (0..game.seats()).for_each(|seat| public.out[usize::from(seat)] = Some(Out::Flag));
    for (number, group) in text.split('|').enumerate() {
        let mut words = group.split_whitespace();
        let seat = game.seat_of_letter(words.next().unwrap().chars().next().unwrap()).unwrap();
        if number == 0 {
            public.to_move = seat;
        }
        public.out[usize::from(seat)] = None;
        let mut beliefs = Beliefs { masks: game.allowed, ..game.beliefs };
        let mut used = 0u32;
        let pieces = words.map(|word| {
            let (rank, station) = word.trim_start_matches('!').split_once('@').unwrap();
            let kind = Kind::ALL["FMXCGDBRTKPE".find(rank).unwrap()];
            (kind, game.graph().station(station).unwrap_or_else(|| panic!("{word}")), word.starts_with('!'))
        });
        let mut pieces: Vec<_> = pieces.collect();
        let homes = game.board.homes[usize::from(seat)];
        let home_of = |kind: Kind, station: u8, moved: bool| {
            (0..PIECES).find(|&slot| homes[slot] == station && game.allowed[slot] & kind.bit() != 0 && !moved)
        };
        pieces.sort_by_key(|&(kind, station, moved)| home_of(kind, station, moved).is_none());
        for (kind, station, moved) in pieces {
            let home = home_of(kind, station, moved);
            // Of those that moved, any post where it could have been set up.
            let slot = home.unwrap_or_else(|| {
                (0..PIECES).find(|&slot| used >> slot & 1 == 0 && game.allowed[slot] & kind.bit() != 0).unwrap()
            });
            used |= 1 << slot;
            beliefs.masks[slot] = kind.bit();
            let piece = piece_of(seat, slot);
            game.put(&mut public, piece, station);
            insert(&mut public.alive, piece);
            if home.is_none() {
                insert(&mut public.moved, piece);
            }
        }
        assert!(beliefs.prune(), "{text}");
        kinds[usize::from(seat)] = beliefs.witness.map(|kind| Kind::ALL[usize::from(kind)]);
    }
    for seat in (0..game.seats()).filter(|&seat| public.out[usize::from(seat)].is_some()) {
        kinds[usize::from(seat)] = game.library()[0].0;
    }
    game.state_of(&public, &kinds, |_, _| false).unwrap_or_else(|| panic!("{text}"))
}

/// Everything on the board, for messages.
pub(super) fn drawn(game: &Junqi, state: &State) -> String {
    let mut all = *game.view(state, 0);
    for seat in 0..game.seats() {
        for slot in 0..PIECES {
            all.tell(piece_of(seat, slot), state.kind(piece_of(seat, slot)));
        }
    }
    game.draw_text(&all)
}

/// Stations that the piece on one may go to.
fn targets(game: &Junqi, state: &State, from: &str) -> Vec<String> {
    let mut legal = Actions::new();
    game.legal(game.view(state, game.to_move(state)), &mut legal);
    let names = legal.iter().map(|&action| game.action_name(action));
    names.filter_map(|name| Some(name.strip_prefix(from)?.strip_prefix('-')?.to_string())).collect()
}

pub(super) fn may(game: &Junqi, state: &State, name: &str) -> bool {
    let action = game.action_id(name).unwrap();
    game.is_legal(game.view(state, game.to_move(state)), action)
}

/// Plays moves by name; the outcome of the last.
pub(super) fn play(game: &Junqi, state: &mut State, names: &str) -> Outcome {
    let mut outcome = None;
    for name in names.split_whitespace() {
        assert!(may(game, state, name), "{name} in\n{}", drawn(game, state));
        outcome = game.play(state, game.action_id(name).unwrap());
    }
    outcome.unwrap_or(Outcome::MOVED)
}

fn on(game: &Junqi, state: &State, station: &str) -> Option<(Seat, Kind)> {
    let piece = state.public().piece_at(game.graph().station(station).unwrap())?;
    Some((piece >> 5, state.kind(piece)))
}

fn status(state: &State) -> Status {
    state.public().status
}

/// A duel position whose seats have pieces enough to play on, whatever else happens.
const MORE: &str = "F@N62 K@N23 P@N43";

#[test]
fn the_text_of_a_test_is_drawn_as_it_stands() {
    let game = game("duel");
    let state = placed(&game, &format!("S F@S62 C@S22 M@S51 X@S21 | N {MORE}"));
    let text = drawn(&game, &state);
    for part in ["[SF ]", "(S40)", "SL ", "SB ", "[NF ]", "N34", "S to move", "[   ]", "(   )"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    // A seat sees its own ranks only.
    let seen = game.draw_text(game.view(&state, 1));
    assert!(seen.contains("S?") && !seen.contains("S40") && seen.contains("N34"), "{seen}");
}

#[test]
fn combats_in_their_order() {
    let stand = |attacker: char, defender: char, rules: &str| {
        let game = game(rules);
        // Mines and flags may only stand at home, so the fight is at N's base.
        let station = if defender == 'F' { "N62" } else { "N52" };
        let others = if defender == 'F' { "K@N23 P@N43" } else { MORE };
        let mut state = placed(&game, &format!("S F@S62 K@S23 {attacker}@N42 | N {defender}@{station} {others}"));
        if defender == 'F' {
            state = placed(&game, &format!("S F@S62 K@S23 !{attacker}@N52 | N F@N62 {others}"));
        }
        let from = if defender == 'F' { "N52" } else { "N42" };
        let outcome = play(&game, &mut state, &format!("{from}-{station}"));
        (outcome.fight, on(&game, &state, station).map(|(seat, _)| seat), drawn(&game, &state))
    };
    for (attacker, defender, rules, fight) in [
        ('C', 'G', "duel", Fight::Won),
        ('K', 'T', "duel", Fight::Lost),
        ('D', 'D', "duel", Fight::Both),
        ('X', 'C', "duel", Fight::Both),
        ('C', 'X', "duel", Fight::Both),
        ('X', 'X', "duel", Fight::Both),
        ('X', 'M', "duel", Fight::Both),
        ('X', 'F', "duel", Fight::Both),
        ('E', 'F', "duel", Fight::Won),
        ('E', 'M', "duel", Fight::Won),
        ('C', 'M', "duel", Fight::Lost),
        ('P', 'M', "duel", Fight::Lost),
        ('P', 'M', "duel:mine=both", Fight::Both),
        ('E', 'M', "duel:mine=both", Fight::Won),
        ('C', 'M', "duel:mine=both", Fight::Both),
        ('C', 'M', "duel:commander_mine=survives", Fight::Won),
        ('C', 'M', "duel:commander_mine=survives,mine=both", Fight::Won),
        ('G', 'M', "duel:commander_mine=survives", Fight::Lost),
        ('E', 'P', "duel", Fight::Lost),
        ('P', 'E', "duel", Fight::Won),
    ] {
        let (found, owner, board) = stand(attacker, defender, rules);
        assert_eq!(found, fight, "{attacker} on {defender}, {rules}\n{board}");
        let stays = match fight {
            Fight::Won if defender != 'F' => Some(0),
            Fight::Lost => Some(1),
            _ => owner.filter(|&seat| defender == 'F' && seat == 0),
        };
        assert_eq!(owner, stays, "{attacker} on {defender}, {rules}\n{board}");
    }
}

#[test]
fn a_bomb_on_a_flag_takes_it() {
    let game = game("siguo");
    let mut state = placed(&game, "S F@S62 K@S23 !X@E52 | E F@E62 K@E23 | N F@N62 K@N23 | W F@W62 K@W23");
    let outcome = play(&game, &mut state, "E52-E62");
    let board = drawn(&game, &state);
    assert_eq!((outcome.fight, outcome.outs[1]), (Fight::Both, Some(Out::Flag)), "{board}");
    assert_eq!([on(&game, &state, "E62"), on(&game, &state, "E23")], [None, None], "{board}");
    assert_eq!((status(&state), game.to_move(&state)), (Status::Ongoing, 2), "{board}");
}

#[test]
fn a_captor_stays_in_the_headquarters() {
    let rules = "S F@S62 K@S23 !C@E52 | E F@E62 K@E23 | N F@N62 K@N23 | W F@W62 K@W23";
    for (name, stuck) in [("siguo", true), ("siguo:hq_moves=yes", false)] {
        let game = game(name);
        let mut state = placed(&game, rules);
        play(&game, &mut state, "E52-E62 N23-N22 W23-W22");
        let board = drawn(&game, &state);
        assert_eq!(on(&game, &state, "E62"), Some((0, Kind::Commander)), "{board}");
        assert_eq!(targets(&game, &state, "E62").is_empty(), stuck, "{board}");
    }
}

#[test]
fn what_starts_in_a_headquarters_stays_there() {
    let game = game("duel");
    let state = placed(&game, &format!("S F@S62 C@S64 K@S23 | N {MORE}"));
    assert!(targets(&game, &state, "S64").is_empty(), "{}", drawn(&game, &state));
    assert!(game.action_id("S64-S54").is_err());
}

#[test]
fn camps_shelter_anybody() {
    let game = game("duel");
    // N stands in S's own camp: S cannot drive it out, and it may attack from there.
    let mut state = placed(&game, &format!("S F@S62 C@S23 G@S32 | N P@S22 {MORE}"));
    let board = drawn(&game, &state);
    assert!(!may(&game, &state, "S23-S22") && !may(&game, &state, "S32-S22"), "{board}");
    assert!(may(&game, &state, "S23-S24"), "{board}");
    play(&game, &mut state, "S23-S24");
    let outcome = play(&game, &mut state, "S22-S32");
    assert_eq!(outcome.fight, Fight::Lost, "{}", drawn(&game, &state));
    // An own camp that an enemy left may be entered again.
    assert!(may(&game, &state, "S32-S22"), "{}", drawn(&game, &state));
}

#[test]
fn allies_block_and_are_not_taken() {
    let game = game("siguo");
    let state = placed(&game, "S F@S62 C@S11 | E F@E62 K@E23 | N F@N62 P@C21 K@N23 | W F@W62 K@W23");
    let found = targets(&game, &state, "S11");
    let board = drawn(&game, &state);
    assert!(
        found.contains(&"C31".into()) && !found.contains(&"C21".into()) && !found.contains(&"C11".into()),
        "{board}"
    );
}

#[test]
fn side_columns_run_round_the_arc_and_front_rows_do_not() {
    let game = game("siguo");
    let rest = "E F@E62 K@E23 | N F@N62 K@N23 | W F@W62 K@W23";
    let state = placed(&game, &format!("S F@S62 C@S45 G@S14 | {rest}"));
    let (side, front) = (targets(&game, &state, "S45"), targets(&game, &state, "S14"));
    let board = drawn(&game, &state);
    for name in ["S15", "E11", "E51", "C33", "C13", "N11", "N51", "S55"] {
        assert!(side.contains(&name.into()), "{name} of {side:?}\n{board}");
    }
    assert!(!side.contains(&"E12".into()) && !side.contains(&"C32".into()), "{side:?}\n{board}");
    assert_eq!(front.iter().filter(|name| !name.starts_with('S')).count(), 0, "{front:?}\n{board}");
    assert!(front.contains(&"S15".into()) && front.contains(&"S11".into()), "{front:?}\n{board}");
    // A piece on the corner blocks both ways onward.
    let state = placed(&game, &format!("S F@S62 C@S45 G@S15 | {rest}"));
    let side = targets(&game, &state, "S45");
    assert!(side.iter().all(|name| name.starts_with('S')), "{side:?}\n{}", drawn(&game, &state));
}

#[test]
fn an_engineer_takes_corners_but_never_runs_through_a_piece() {
    let game = game("siguo");
    let rest = "E F@E62 K@E23 | N F@N62 K@N23 | W F@W62";
    // From S's base by its left column, the front row and the right column, back into the base: three corners.
    let wall = "P@C31 K@C32 R@C33 T@W15 B@E11";
    let open = placed(&game, &format!("S F@S62 E@S52 K@S53 K@S23 | {rest} {wall}"));
    assert!(may(&game, &open, "S52-S54"), "{}", drawn(&game, &open));
    // A piece of its own in the front row closes the way round, and the wall the ways out.
    let shut = placed(&game, &format!("S F@S62 E@S52 K@S53 K@S13 | {rest} {wall}"));
    let found = targets(&game, &shut, "S52");
    let board = drawn(&game, &shut);
    assert!(!found.contains(&"S54".into()) && found.contains(&"S12".into()), "{found:?}\n{board}");
    // It may attack at the end of its way, and goes no further.
    assert!(found.contains(&"W15".into()) && found.contains(&"C31".into()), "{found:?}\n{board}");
    assert!(!found.contains(&"C21".into()) && !found.contains(&"W25".into()), "{found:?}\n{board}");
    // Others do not turn.
    let plain = placed(&game, &format!("S F@S62 P@S52 K@S53 K@S23 | {rest} {wall}"));
    assert_eq!(targets(&game, &plain, "S52"), ["S42", "S51"], "{}", drawn(&game, &plain));
}

#[test]
fn options_let_others_turn() {
    let rest = "E F@E62 K@E23 | N F@N62 K@N23 | W F@W62 K@W23";
    let from = |name: &str, piece: char| {
        let game = game(name);
        let state = placed(&game, &format!("S F@S62 {piece}@S52 K@S53 K@S23 | {rest}"));
        (targets(&game, &state, "S52"), drawn(&game, &state))
    };
    let (once, board) = from("siguo:one_turn=yes", 'P');
    assert!(once.contains(&"S31".into()) && once.contains(&"C31".into()), "{once:?}\n{board}");
    assert!(!once.contains(&"S12".into()) && !once.contains(&"S54".into()), "{once:?}\n{board}");
    let (flown, board) = from("siguo:bombs_fly=yes", 'X');
    assert!(flown.contains(&"S54".into()) && !flown.contains(&"N33".into()), "{flown:?}\n{board}");
    let (walked, board) = from("siguo", 'X');
    assert!(!walked.contains(&"S31".into()), "{walked:?}\n{board}");
}

#[test]
fn the_centre_has_gaps() {
    let game = game("siguo");
    let state = placed(&game, "S F@S62 C@S12 | E F@E62 K@E23 | N F@N62 K@N23 | W F@W62 K@W23");
    // S12 and S14 face nothing: the centre's columns are those of S11, S13 and S15.
    assert_eq!(targets(&game, &state, "S12"), ["S11", "S13", "S14", "S15", "S22"], "{}", drawn(&game, &state));
}

#[test]
fn the_commanders_death_shows_the_flag() {
    let game = game("siguo");
    let rest = "N F@N62 K@N23 | W F@W62 K@W23";
    let mut state = placed(&game, &format!("S F@S62 C@C31 K@S23 | E F@E64 X@C32 K@E23 | {rest}"));
    let outcome = play(&game, &mut state, "C31-C32");
    let board = drawn(&game, &state);
    let station = |name: &str| game.graph().station(name).unwrap();
    assert_eq!((outcome.fight, outcome.flags), (Fight::Both, [station("S62"), NOWHERE, NOWHERE, NOWHERE]), "{board}");
    // W sees now where the flag is, and that the commander met a bomb: it was no commander, whose flag would show.
    let view = game.view(&state, 3);
    let flag = state.public().piece_at(station("S62")).unwrap();
    assert_eq!(game.candidates_of(view, flag), Kind::Flag.bit(), "{}", game.draw_text(view));
    let bomb = (0..PIECES).map(|slot| piece_of(1, slot)).find(|&piece| state.kind(piece) == Kind::Bomb).unwrap();
    assert_eq!(game.candidates_of(view, bomb), Kind::Bomb.bit(), "{}", game.draw_text(view));
}

#[test]
fn both_commanders_die_together() {
    let game = game("siguo");
    let rest = "N F@N62 K@N23 | W F@W62 K@W23";
    let mut state = placed(&game, &format!("S F@S62 C@C31 K@S23 | E F@E64 C@C32 K@E23 | {rest}"));
    let outcome = play(&game, &mut state, "C31-C32");
    let station = |name: &str| game.graph().station(name).unwrap();
    let board = drawn(&game, &state);
    assert_eq!(outcome.flags, [station("S62"), station("E64"), NOWHERE, NOWHERE], "{board}");
    assert_eq!(game.outcome_name(outcome), "both+flag:S62+flag:E64");
    let seen = game.draw_text(game.view(&state, 2));
    assert!(seen.contains("[SF ]") && seen.contains("[EF ]"), "{seen}");
    // The dead commanders are known to all.
    assert!(seen.contains("S red: 2 pieces, last C31-C32, lost 40\n"), "{seen}");
    assert!(seen.contains("E purple: 2 pieces, lost 40\n"), "{seen}");
}

#[test]
fn a_seat_goes_out_on_an_allys_ply_and_at_once() {
    let game = game("siguo");
    // E's only piece that can move falls to S; W, E's ally, still plays, and E's mines leave the board at once.
    let text = "S F@S62 C@C31 K@S23 | E F@E62 M@E51 P@C32 | N F@N62 K@N23 | W F@W62 K@W23";
    let mut state = placed(&game, text);
    let outcome = play(&game, &mut state, "C31-C32");
    let board = drawn(&game, &state);
    assert_eq!(outcome.outs, [None, Some(Out::NoMoves), None, None], "{board}");
    assert_eq!((on(&game, &state, "E51"), game.to_move(&state)), (None, 2), "{board}");
    // S's last piece is shut in by its ally's engineer: S goes out as its turn comes, on W's ply.
    let text = "N F@N62 !E@S55 K@N23 | W F@W62 K@W23 | S F@S64 M@S54 M@S53 P@S65 | E F@E62 K@E23";
    let mut state = placed(&game, text);
    play(&game, &mut state, "N23-N13 W23-W22");
    let board = drawn(&game, &state);
    assert_eq!((state.public().out(0), game.to_move(&state)), (Some(Out::NoMoves), 1), "{board}");
    assert_eq!(status(&state), Status::Ongoing, "{board}");
}

#[test]
fn pieces_in_headquarters_cannot_save_a_seat() {
    let game = game("duel");
    let mut state = placed(&game, "S F@S62 C@S64 P@C32 K@S23 | N F@N62 C@N64 P@C22");
    play(&game, &mut state, "S23-S22");
    assert_eq!(status(&state), Status::Ongoing, "{}", drawn(&game, &state));
    let outcome = play(&game, &mut state, "C22-C32");
    // Both company leaders are gone; S has another piece, N only one that may never leave its headquarters.
    let board = drawn(&game, &state);
    assert_eq!((outcome.fight, outcome.outs[1]), (Fight::Both, Some(Out::NoMoves)), "{board}");
    assert_eq!(status(&state), Status::Win(0, Reason::NoMoves), "{board}");
}

#[test]
fn both_seats_of_a_team_go_out_on_one_ply() {
    let game = game("siguo");
    // E has only a piece that may not leave its headquarters, and W's last one that can move falls.
    let text = "N F@N62 C@C21 K@N23 | W F@W64 M@W51 P@C22 | S F@S62 K@S23 | E F@E62 M@E51 !K@E64";
    let mut state = placed(&game, text);
    let outcome = play(&game, &mut state, "C21-C22");
    let board = drawn(&game, &state);
    assert_eq!(outcome.outs, [None, Some(Out::NoMoves), None, Some(Out::NoMoves)], "{board}");
    assert_eq!(status(&state), Status::Win(0, Reason::NoMoves), "{board}");
    assert_eq!([0, 1, 2, 3].map(|seat| status(&state).value(seat)), [1.0, -1.0, 1.0, -1.0]);
}

#[test]
fn if_no_seat_can_move_the_one_whose_turn_it_is_goes_first() {
    let game = game("duel");
    let mut state = placed(&game, "S F@S62 M@S51 P@C31 | N F@N62 M@N51 P@C32");
    let outcome = play(&game, &mut state, "C31-C32");
    let board = drawn(&game, &state);
    assert_eq!(outcome.outs, [None, Some(Out::NoMoves), None, None], "{board}");
    assert_eq!(status(&state), Status::Win(0, Reason::NoMoves), "{board}");
}

#[test]
fn quiet_plies_make_a_draw_and_losses_count_anew() {
    let game = game("duel:quiet_limit=4");
    let text = format!("S F@S62 C@S23 | N {MORE} P@S34");
    let mut state = placed(&game, &text);
    play(&game, &mut state, "S23-S22 N23-N22 S22-S23");
    assert_eq!(status(&state), Status::Ongoing);
    let mut drawn_out = state;
    play(&game, &mut drawn_out, "N22-N23");
    let board = drawn(&game, &drawn_out);
    assert_eq!(status(&drawn_out), Status::Draw(Reason::QuietLimit), "{board}");
    assert_eq!(status(&drawn_out).value(0), 0.0);
    // A combat on the fourth ply starts the count again.
    play(&game, &mut state, "S34-S33");
    assert_eq!(status(&state), Status::Draw(Reason::QuietLimit), "{}", drawn(&game, &state));
    let mut state = placed(&game, &format!("S F@S62 C@S23 P@S35 P@S43 | N {MORE} D@S34"));
    play(&game, &mut state, "S23-S22 N23-N22 S22-S23 S34-S35");
    let board = drawn(&game, &state);
    assert_eq!((status(&state), state.public().quiet()), (Status::Ongoing, 0), "{board}");
}

#[test]
fn a_win_on_the_ply_of_a_draw_goes_first() {
    let game = game("duel:ply_limit=1,quiet_limit=1");
    let mut state = placed(&game, "S F@S62 !C@N52 | N F@N62 K@N23");
    play(&game, &mut state, "N52-N62");
    assert_eq!(status(&state), Status::Win(0, Reason::Flag), "{}", drawn(&game, &state));
    let mut state = placed(&game, "S F@S62 !C@N52 | N F@N62 K@N23");
    play(&game, &mut state, "N52-N53");
    assert_eq!(status(&state), Status::Draw(Reason::QuietLimit), "{}", drawn(&game, &state));
    let game = self::game("duel:ply_limit=1");
    let mut state = placed(&game, "S F@S62 !C@N52 | N F@N62 K@N23");
    play(&game, &mut state, "N52-N53");
    assert_eq!(status(&state), Status::Draw(Reason::PlyLimit), "{}", drawn(&game, &state));
}

#[test]
fn seats_move_in_the_order_of_the_rules() {
    for (name, order) in [("siguo", [0, 1, 2, 3]), ("siguo:order=clockwise", [0, 3, 2, 1])] {
        let game = game(name);
        let mut state = game.deal(&mut crate::rng::Rng::new(1));
        for seat in order.into_iter().chain(order) {
            assert_eq!(game.to_move(&state), seat, "{name}");
            let action = game.sample(game.view(&state, seat), &mut crate::rng::Rng::new(2));
            game.play(&mut state, action);
        }
    }
}

#[test]
fn a_partner_plays_on_and_can_win_for_both() {
    let game = game("siguo");
    let text = "E F@E62 !C@S52 K@E23 | N F@N62 !G@W52 !D@E52 | W F@W62 K@W23 | S F@S62 K@S23";
    let mut state = placed(&game, text);
    let outcome = play(&game, &mut state, "S52-S62");
    assert_eq!((outcome.outs[0], game.to_move(&state)), (Some(Out::Flag), 2), "{}", drawn(&game, &state));
    play(&game, &mut state, "W52-W62");
    assert_eq!((game.to_move(&state), status(&state)), (1, Status::Ongoing), "{}", drawn(&game, &state));
    play(&game, &mut state, "E23-E22 E52-E62");
    assert_eq!(status(&state), Status::Win(0, Reason::Flag), "{}", drawn(&game, &state));
    assert_eq!([0, 1, 2, 3].map(|seat| status(&state).value(seat)), [1.0, -1.0, 1.0, -1.0]);
}

#[test]
fn the_closed_duel_has_no_arms() {
    for (name, reached) in [("duel", true), ("duel:arms=closed", false)] {
        let game = game(name);
        let state = placed(&game, &format!("S F@S62 C@S45 E@C33 | N {MORE}"));
        let found = [targets(&game, &state, "S45"), targets(&game, &state, "C33")].concat();
        let board = drawn(&game, &state);
        assert_eq!(found.iter().any(|name| name.starts_with('E')), reached, "{name} {found:?}\n{board}");
        assert!(found.contains(&"N11".into()), "{name} {found:?}\n{board}");
    }
}

#[test]
fn seats_leave_and_agree() {
    let game = game("siguo");
    let mut rng = crate::rng::Rng::new(5);
    let mut state = game.deal(&mut rng);
    game.remove_seat(&mut state, 0, Out::Resigned).unwrap();
    assert_eq!((game.to_move(&state), state.public().alive[0]), (1, 0));
    assert!(game.remove_seat(&mut state, 0, Out::Resigned).is_err());
    for late in 1..=5 {
        assert_eq!(game.to_move(&state), 1);
        game.time_out(&mut state).unwrap();
        assert_eq!(state.public().out(1).is_some(), late == 5);
        let others = if late == 5 { 0 } else { 2 };
        for _ in 0..others {
            let action = game.sample(game.view(&state, game.to_move(&state)), &mut rng);
            game.play(&mut state, action);
        }
    }
    assert_eq!((state.public().out(1), game.to_move(&state)), (Some(Out::TimeOuts), 2));
    let mut agreed = state;
    game.agree_draw(&mut agreed);
    assert_eq!(status(&agreed), Status::Draw(Reason::Agreement));
    game.remove_seat(&mut state, 3, Out::Resigned).unwrap();
    assert_eq!(status(&state), Status::Win(0, Reason::Resignation));
}

#[test]
fn reveals_go_to_whom_the_rules_say() {
    let text = "S F@S62 C@C31 K@S23 | E F@E64 G@C32 K@E23 | N F@N62 K@N23 | W F@W62 K@W23";
    for (name, told) in [
        ("siguo", [false; 4]),
        ("siguo:reveal=combatants", [true, true, false, false]),
        ("siguo:reveal=both", [true; 4]),
    ] {
        let game = game(name);
        let mut state = placed(&game, text);
        let outcome = play(&game, &mut state, "C31-C32");
        assert_eq!(outcome.ranks, told[0].then_some([Kind::Commander, Kind::General]), "{name}");
        let pieces = [(0, Kind::Commander), (1, Kind::General)].map(|(seat, kind)| {
            (0..PIECES).map(|slot| piece_of(seat, slot)).find(|&piece| state.kind(piece) == kind).unwrap()
        });
        for seat in 0..4u8 {
            let view = game.view(&state, seat);
            let knows = pieces.map(|piece| view.rank(piece).is_some());
            let own = [seat == 0, seat == 1];
            let right = [told[usize::from(seat)] || own[0], told[usize::from(seat)] || own[1]];
            assert_eq!(knows, right, "{name}, seat {seat}\n{}", game.draw_text(view));
        }
    }
}

#[test]
fn sets_hold_what_was_put_in() {
    let mut set = [0; 4];
    insert(&mut set, piece_of(2, 7));
    assert_eq!(set, [0, 0, 1 << 7, 0]);
    remove(&mut set, piece_of(2, 7));
    assert_eq!((set, WHOLE.count_ones()), ([0; 4], 25));
}

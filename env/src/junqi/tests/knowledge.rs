//! What a seat can tell: masks against all assignments written out, shares, set-ups, and that nothing hidden shows.

use super::super::assignment::Beliefs;
use super::super::marginals::{balanced, counted};
use super::super::piece::{ALL, COUNTS, FIXED, KINDS, Kind, Kinds, PIECES};
use super::super::view::{Piece, Public, State, View, WHOLE, has, piece_of, pieces_of, seat_of};
use super::super::{Junqi, Layout, NOWHERE, Rules, Variant};
use super::agreement::observed;
use super::{game, random_game};
use crate::game::{Game, Seat};
use crate::rng::Rng;

/// Calls with every way to deal the kinds that are left over to pieces, each within its mask.
fn assignments(masks: &[Kinds], left: &mut [u8; KINDS], chosen: &mut Vec<u8>, each: &mut impl FnMut(&[u8])) {
    let Some(&mask) = masks.get(chosen.len()) else { return each(chosen) };
    for kind in 0..KINDS {
        if mask >> kind & 1 == 1 && left[kind] > 0 {
            left[kind] -= 1;
            chosen.push(kind as u8);
            assignments(masks, left, chosen, each);
            chosen.pop();
            left[kind] += 1;
        }
    }
}

#[test]
fn pruned_masks_are_those_of_all_assignments() {
    let mut rng = Rng::new(3);
    for round in 0..300 {
        let truth = Layout::uniform(&Rules::default(), &mut rng).0;
        let open: Vec<usize> = {
            let mut slots: Vec<usize> = (0..PIECES).collect();
            rng.shuffle(&mut slots);
            slots[..7].to_vec()
        };
        let mut masks = truth.map(Kind::bit);
        for &slot in &open {
            masks[slot] |= rng.bits() as Kinds & rng.bits() as Kinds & ALL | truth[open[rng.below(7) as usize]].bit();
        }
        let (mut found, mut shares, mut total) = ([0; PIECES], [[0.0; KINDS]; PIECES], 0.0);
        assignments(&masks, &mut COUNTS.clone(), &mut Vec::new(), &mut |kinds| {
            total += 1.0;
            for (slot, &kind) in kinds.iter().enumerate() {
                found[slot] |= 1 << kind;
                shares[slot][usize::from(kind)] += 1.0;
            }
        });
        let mut beliefs = Beliefs::at_start(&Rules::default());
        beliefs.masks = masks;
        assert!(beliefs.prune());
        assert_eq!(beliefs.masks, found, "round {round}: {masks:?}");
        // Whatever the assignment it starts from.
        let mut other = Beliefs { masks, witness: truth.map(|kind| kind as u8) };
        assert!(other.prune());
        assert_eq!(other.masks, found, "round {round}: {masks:?}");
        // The exact shares, too.
        let exact = counted(&masks).expect("few classes");
        let near = balanced(&found);
        for slot in 0..PIECES {
            for kind in 0..KINDS {
                let right = shares[slot][kind] / total;
                assert!((exact[slot][kind] - right).abs() < 1e-9, "round {round}: {right} {}", exact[slot][kind]);
                assert!((near[slot][kind] - right).abs() < 0.35, "round {round}: {right} {}", near[slot][kind]);
            }
        }
    }
    // Nothing fits: two pieces that must both be the one commander.
    let mut beliefs = Beliefs::at_start(&Rules::default());
    beliefs.masks[0] = Kind::Commander.bit();
    beliefs.masks[1] = Kind::Commander.bit();
    assert!(!beliefs.prune());
}

/// Whether ranks explain all that everybody saw.
fn explain(game: &Junqi, public: &Public, kind: &impl Fn(Piece) -> Kind) -> bool {
    (0..game.seats()).flat_map(|seat| pieces_of(seat, WHOLE)).all(|piece| {
        let (own, seat) = (kind(piece), usize::from(seat_of(piece)));
        let gone_in_fight = public.foe[usize::from(piece)] != NOWHERE;
        game.allowed[usize::from(piece & 31)] & own.bit() != 0
            && (!has(&public.moved, piece) || own.bit() & FIXED == 0)
            && (!has(&public.turned, piece) || own == Kind::Engineer)
            && (!has(&public.shown, piece) || own == Kind::Flag)
            && (!gone_in_fight || (public.commander[seat] == piece) == (own == Kind::Commander))
            && (!gone_in_fight || (public.flag_taken[seat] == piece) == (own == Kind::Flag))
            && (!gone_in_fight || {
                let (attacker, defender, fight) = public.fight_of(piece);
                let stayed = if attacker == piece { defender } else { attacker };
                game.combat.fight(kind(attacker), kind(defender)) == fight
                    && (kind(stayed) != Kind::Flag || public.flag_taken[usize::from(seat_of(stayed))] == stayed)
            })
    })
}

/// The view of a seat that was told all ranks but those of a few pieces of other seats.
fn nearly_told(game: &Junqi, state: &State, viewer: Seat, open: &[Piece]) -> View {
    let every = (0..game.seats()).flat_map(|seat| pieces_of(seat, WHOLE));
    let told: Vec<(Piece, Kind)> =
        every.filter(|piece| !open.contains(piece)).map(|piece| (piece, state.kind(piece))).collect();
    game.believe(state.public(), viewer, &told).expect("the truth fits")
}

#[test]
fn masks_are_those_of_all_that_explains_the_game() {
    for (rules, exact) in [("luzhanqi", true), ("duel", true), ("siguo", false)] {
        let game = game(rules);
        let mut open_fights = 0;
        for seed in 0..8 {
            random_game(&game, seed, |state, rng| {
                if rng.below(30) > 0 || state.public().plies < 30 {
                    return;
                }
                let viewer = rng.below(game.seats().into()) as Seat;
                let others: Vec<Piece> =
                    (0..game.seats()).filter(|&seat| seat != viewer).flat_map(|seat| pieces_of(seat, WHOLE)).collect();
                // Two that fought, where there are such, so that masks hang together.
                let foe = |piece: Piece| state.public().foe[usize::from(piece)];
                let fought = others.iter().find(|&&piece| foe(piece) != NOWHERE && seat_of(foe(piece)) != viewer);
                let mut open: Vec<Piece> = fought.map_or(Vec::new(), |&piece| vec![piece, foe(piece)]);
                while open.len() < 6 {
                    let piece = others[rng.below(others.len() as u32) as usize];
                    if !open.contains(&piece) {
                        open.push(piece);
                    }
                }
                open.sort_unstable();
                let view = nearly_told(&game, state, viewer, &open);
                // All ways to deal the open ranks, each to a piece of its own seat.
                let mut found = vec![0; open.len()];
                let mut try_all = |chosen: &[Kind]| {
                    let kind = |piece: Piece| match open.iter().position(|&other| other == piece) {
                        Some(at) => chosen[at],
                        None => state.kind(piece),
                    };
                    if explain(&game, state.public(), &kind) {
                        found.iter_mut().zip(chosen).for_each(|(set, kind)| *set |= kind.bit());
                    }
                };
                permute(&open, state, &mut Vec::new(), &mut try_all);
                let masks: Vec<Kinds> = open.iter().map(|&piece| game.candidates_of(&view, piece)).collect();
                let certain = exact || game.is_exact(&view);
                open_fights += u32::from(!certain);
                for ((&piece, mask), all) in open.iter().zip(masks).zip(found) {
                    let board =
                        || format!("{rules} {}\n{}", game.station_name(game.home(piece)), game.draw_text(&view));
                    assert!(if certain { mask == all } else { all & !mask == 0 }, "{mask:b} {all:b} {}", board());
                }
            });
        }
        assert_eq!(open_fights > 0, !exact, "{rules}: {open_fights}");
    }
}

/// Calls with every way to exchange the true ranks of pieces within their seats.
fn permute(open: &[Piece], state: &State, chosen: &mut Vec<Kind>, each: &mut impl FnMut(&[Kind])) {
    let Some(&piece) = open.get(chosen.len()) else { return each(chosen) };
    let seat = seat_of(piece);
    let mut left: Vec<Kind> = open.iter().filter(|&&other| seat_of(other) == seat).map(|&p| state.kind(p)).collect();
    for (&other, kind) in open.iter().zip(&*chosen) {
        if seat_of(other) == seat {
            let at = left.iter().position(|known| known == kind).unwrap();
            left.swap_remove(at);
        }
    }
    let mut tried: Kinds = 0;
    for kind in left {
        if tried & kind.bit() == 0 {
            tried |= kind.bit();
            chosen.push(kind);
            permute(open, state, chosen, each);
            chosen.pop();
        }
    }
}

/// The environment's game from these layouts, for games that are dealt.
fn from_layouts(game: &Junqi, layouts: &[Layout]) -> State {
    game.start(layouts, 0).unwrap()
}

#[test]
fn nothing_hidden_shows() {
    // The same actions played with two hidden pieces exchanged: as long as all that the viewer sees happens alike, not a
    // byte of what it gets may differ.
    let (mut compared, mut games) = (0u32, 0u32);
    for rules in ["siguo", "siguo:double-open", "siguo:reveal=combatants", "duel", "luzhanqi", "siguo:one_turn=yes"] {
        let game = game(rules);
        for seed in 0..100 {
            let mut rng = Rng::branch(seed, &[1]);
            let layouts: Vec<Layout> = (0..game.seats()).map(|_| Layout::uniform(game.rules(), &mut rng)).collect();
            let viewer = rng.below(game.seats().into()) as Seat;
            let hidden: Vec<Seat> = (0..game.seats()).filter(|&seat| !game.sees(viewer, seat)).collect();
            let seat = hidden[rng.below(hidden.len() as u32) as usize];
            let mut changed = layouts.clone();
            let own = &mut changed[usize::from(seat)];
            // Two pieces whose exchange is a legal layout and none to the eye.
            let (a, b) = loop {
                let (a, b) = (rng.below(25) as usize, rng.below(25) as usize);
                if own.0[a] != own.0[b] {
                    own.0.swap(a, b);
                    if own.check(game.rules()).is_ok() {
                        break (a, b);
                    }
                    own.0.swap(a, b);
                }
            };
            let (mut one, mut other) = (from_layouts(&game, &layouts), from_layouts(&game, &changed));
            games += 1;
            while game.status(&one).is_ongoing() {
                let [seen, same] = [&one, &other].map(|state| game.view(state, viewer));
                let board = || format!("{rules} {seed}: {a} {b} of {seat}\n{}", game.draw_text(seen));
                assert_eq!(observed(&game, seen), observed(&game, same), "{}", board());
                compared += 1;
                let mover = game.to_move(&one);
                if mover == viewer || compared % 16 == 0 {
                    let count = game.spec().num_actions;
                    let [x, y] = [seen, same].map(|view| {
                        let mut mask = vec![0; count];
                        game.mask(view, &mut mask);
                        mask
                    });
                    assert_eq!(x, y, "{}", board());
                }
                if compared % 64 == 0 {
                    assert_eq!(game.view_text(seen), game.view_text(same), "{}", board());
                    assert_eq!(game.draw_text(seen), game.draw_text(same), "{}", board());
                    assert_eq!(game.diagram(seen), game.diagram(same), "{}", board());
                }
                if compared % 256 == 0 {
                    for owner in 0..game.seats() {
                        assert_eq!(game.marginals(seen, owner), game.marginals(same, owner), "{}", board());
                    }
                    let drawn = [seen, same].map(|view| game.state_text(&game.deal_from(view, &mut Rng::new(seed))));
                    assert_eq!(drawn[0], drawn[1], "{}", board());
                }
                let action = game.sample(game.view(&one, mover), &mut rng);
                if mover == viewer {
                    assert!(game.is_legal(game.view(&other, mover), action), "{}", board());
                    if compared % 256 < 4 {
                        let [x, y] = [seen, same].map(|view| game.chance_outcomes(view, action));
                        assert_eq!(x, y, "{}", board());
                    }
                } else if !game.is_legal(game.view(&other, mover), action) {
                    break;
                }
                game.play(&mut one, action);
                game.play(&mut other, action);
                // Where the viewer sees different things happen, it may tell the games apart.
                let [x, y] = [&one, &other].map(|state| game.view(state, viewer));
                if x.public != y.public || x.told != y.told || told_ranks(&game, x) != told_ranks(&game, y) {
                    break;
                }
            }
        }
    }
    assert!(games >= 500 && compared > 20_000, "{games} games, {compared} positions");
}

fn told_ranks(game: &Junqi, view: &View) -> Vec<Option<Kind>> {
    (0..game.seats()).flat_map(|seat| pieces_of(seat, WHOLE)).map(|piece| view.rank(piece)).collect()
}

#[test]
fn layouts_are_counted_drawn_and_read() {
    let rules = Rules::default();
    assert_eq!(Layout::count(&rules), 709_596_419_051_520_000);
    let mut rng = Rng::new(8);
    let (mut flags, mut mines, mut bombs) = ([0u32; PIECES], [0u32; PIECES], [0u32; PIECES]);
    let rounds = 20_000;
    for _ in 0..rounds {
        let layout = Layout::uniform(&rules, &mut rng);
        layout.check(&rules).unwrap();
        for (slot, kind) in layout.0.into_iter().enumerate() {
            flags[slot] += u32::from(kind == Kind::Flag);
            mines[slot] += u32::from(kind == Kind::Mine);
            bombs[slot] += u32::from(kind == Kind::Bomb);
        }
    }
    // The exact shares of a uniform layout, from the counts of assignments.
    let exact = counted(&Beliefs::masks_at_start(&rules)).expect("few classes");
    for slot in 0..PIECES {
        for (counts, kind) in [(&flags, Kind::Flag), (&mines, Kind::Mine), (&bombs, Kind::Bomb)] {
            let share = f64::from(counts[slot]) / f64::from(rounds);
            assert!((share - exact[slot][kind as usize]).abs() < 0.02, "{kind:?} on {slot}: {share}");
        }
    }
    let layout = Layout::uniform(&rules, &mut rng);
    assert_eq!(Layout::parse(&rules, &layout.text()).unwrap(), layout);
    assert_eq!(layout.mirrored().mirrored(), layout);
    for (text, message) in [
        ("098", "expected 30"),
        ("L4839/5.3.0/7B.48/2.5.7/64B26/LFL32", "in row 1, column 1"),
        ("64839/543.0/7B.48/2.5.7/L4B26/LFL32", "a camp is empty"),
        ("64839/5.3.0/7B.48/2.5.7/L4B26/LFL33", "4 of 3"),
        ("6?839/5.3.0/7B.48/2.5.7/L4B26/LFL32", "'?' in row 1, column 2"),
    ] {
        let fault = Layout::parse(&rules, text).unwrap_err().to_string();
        assert!(fault.contains(message), "{text}: {fault}");
    }
    let front = Rules { bomb_front_row: true, ..rules };
    let text = "B4839/5.3.0/7B.48/2.5.7/L4626/LFL32";
    assert!(Layout::parse(&rules, text).is_err() && Layout::parse(&front, text).is_ok());
    assert!(Layout::count(&front) > Layout::count(&rules));
    assert_eq!(game("siguo:setup=library").library().len(), 8);
}

#[test]
fn a_set_up_by_play_ends_in_a_legal_layout() {
    for name in ["siguo:setup=play", "luzhanqi:setup=play", "siguo:setup=play,view=double-open"] {
        let game = game(name);
        let mut rng = Rng::new(6);
        for _ in 0..20 {
            let mut state = game.deal(&mut rng);
            let plies = 25 * u32::from(game.seats());
            for ply in 0..plies {
                let seat = game.to_move(&state);
                assert_eq!(u32::from(seat), ply / 25);
                let view = *game.view(&state, seat);
                let action = game.sample(&view, &mut rng);
                let kind = game.places(action).unwrap();
                let station = game.places_at(view.public()).unwrap();
                assert_eq!(game.play(&mut state, action), None);
                let piece = state.public().piece_at(station).unwrap();
                assert_eq!(state.kind(piece), kind);
                // Who may not see it sees that a piece stands there, and no more.
                for other in 0..game.seats() {
                    let seen = game.view(&state, other).rank(piece);
                    assert_eq!(seen.is_some(), game.sees(other, seat), "{name}\n{}", game.draw_text(&view));
                }
            }
            for seat in 0..game.seats() {
                let kinds = std::array::from_fn(|slot| state.kind(piece_of(seat, slot)));
                Layout(kinds).check(game.rules()).unwrap();
            }
            assert_eq!((game.to_move(&state), game.plies(&state)), (0, plies));
            assert!(game.ends(game.sample(game.view(&state, 0), &mut rng)).is_some());
        }
    }
}

#[test]
fn rules_read_back_and_name_their_faults() {
    for (variant, text) in [
        (Variant::Siguo, "dark"),
        (Variant::Siguo, "double-open"),
        (Variant::Siguo, "open,mine=both"),
        (Variant::Siguo, "dark,setup=play,order=clockwise,reveal=combatants,time_outs=unlimited,ply_limit=900"),
        (Variant::Siguo, "double-open,signals=yes"),
        (Variant::Duel, "dark,arms=closed"),
        (Variant::Luzhanqi, "open,quiet_limit=0"),
    ] {
        let rules = Rules::parse(variant, text).unwrap();
        assert_eq!(rules.text(), text);
        assert_eq!(Rules::parse(variant, &rules.text()).unwrap(), rules);
    }
    let siguo = |text| Rules::parse(Variant::Siguo, text);
    assert_eq!(siguo("view=open").unwrap().hash(), siguo("open").unwrap().hash());
    assert_ne!(siguo("").unwrap().hash(), siguo("open").unwrap().hash());
    assert_ne!(siguo("").unwrap().hash(), Variant::Duel.default_rules().hash());
    let fault = |name: &str| crate::any::AnyRules::parse(name).err().unwrap().to_string();
    assert_eq!(fault("siguo:mine=x"), "option mine=x: expected stays or both");
    assert!(
        fault("duel:double-open").starts_with("unknown profile 'double-open' of duel: known profiles are dark, open")
    );
    assert!(fault("luzhanqi:view=double-open").contains("luzhanqi has no allies"));
    assert!(fault("siguo:arms=closed").starts_with("unknown option 'arms' of siguo"));
    assert!(fault("duel:signals=yes").starts_with("unknown option 'signals' of duel"));
    assert_eq!(fault("siguo:signals=x"), "option signals=x: expected no or yes");
    assert!(fault("sigou").contains("darkchess, tombchess, siguo, duel, luzhanqi"));
}

/// What a trainer sees is what everybody sees in the same game played with open ranks.
#[test]
fn a_revealed_observation_is_that_of_open_play() {
    for (hidden, open) in [("duel", "duel:view=open"), ("siguo", "siguo:view=open"), ("luzhanqi", "luzhanqi:view=open")]
    {
        let (hidden, open) = (game(hidden), game(open));
        let spec = hidden.spec();
        let mut differed = false;
        let mut twin = None;
        random_game(&hidden, 5, |state, _| {
            let layouts = hidden.layouts(state);
            let layouts: Vec<&str> = layouts.iter().map(String::as_str).collect();
            let twin = twin.get_or_insert_with(|| open.deal_layouts(&layouts, state.public().to_move, None).unwrap());
            if twin.public().plies < state.public().plies {
                // The ply that was played since: the last one of the seat before.
                let mover = twin.public().to_move;
                let (from, to) = state.public().last_ply(mover).unwrap();
                open.play(twin, open.action_between(from, to).unwrap());
            }
            let array = || (vec![0; spec.planes_len()], vec![0.0; spec.num_scalars]);
            for seat in 0..hidden.seats() {
                let (mut found, mut expected, mut seen) = (array(), array(), array());
                assert!(hidden.observe_revealed(state, seat, &mut found.0, &mut found.1));
                open.observe(open.view(twin, seat), seat, &mut expected.0, &mut expected.1);
                hidden.observe(hidden.view(state, seat), seat, &mut seen.0, &mut seen.1);
                // The rule itself is told apart.
                expected.1[56] = found.1[56];
                assert_eq!(
                    found,
                    expected,
                    "ply {}\n{}",
                    state.public().plies,
                    hidden.draw_text(hidden.view(state, seat))
                );
                differed |= found.0 != seen.0;
            }
        });
        assert!(differed);
    }
}

//! Offers, ends and saved games.

use super::*;
use crate::any::AnyRules;

fn mini() -> Box<dyn AnyGame> {
    AnyRules::parse("darkchess:mini").unwrap().start(3)
}

fn fault(result: Result<(), Error>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_draw_is_offered_with_a_ply_and_accepted_by_the_other_seat() {
    let mut game = mini();
    assert!(fault(game.offer_draw()).contains("none has been played"));
    game.step(0).unwrap();
    assert!(fault(game.accept_draw(1)).contains("no offer"));
    game.offer_draw().unwrap();
    assert_eq!(game.offer(), Some(0));
    assert!(fault(game.offer_draw()).contains("seat 0 offered the last one"));
    assert!(fault(game.accept_draw(0)).contains("seat 0 cannot accept"));
    // A ply declines, and the same seat may not offer again before the other one has.
    game.step(1).unwrap();
    assert_eq!(game.offer(), None);
    game.step(2).unwrap();
    assert!(fault(game.offer_draw()).contains("seat 0 offered the last one"), "{}", game.text());
    game.step(3).unwrap();
    game.offer_draw().unwrap();
    game.accept_draw(0).unwrap();
    assert_eq!(game.status(), Status::Draw(Reason::Agreement));
    assert!(game.legal_actions().is_empty());
    assert!(fault(game.step(4)).contains("the game is over (agreement)"));
    let record = game.record().to_string();
    assert!(record.contains("(=)") && record.contains("[Termination \"agreement\"]"), "{record}");
    let again = Record::parse(&record).unwrap().replay().unwrap();
    assert_eq!((again.status(), again.record().to_string()), (game.status(), record));
}

#[test]
fn a_seat_gives_up() {
    for (seat, forfeit, end) in [
        (0, Forfeit::Resignation, Status::Win(1, Reason::Resignation)),
        (1, Forfeit::Resignation, Status::Win(0, Reason::Resignation)),
        (1, Forfeit::Time, Status::Win(0, Reason::Time)),
    ] {
        let mut game = mini();
        game.step(0).unwrap();
        assert!(fault(game.forfeit(2, forfeit)).contains("seats are 0 and 1"));
        assert!(fault(game.forfeit(0, Forfeit::Time)).contains("not to move"));
        game.forfeit(seat, forfeit).unwrap();
        assert_eq!(game.status(), end);
        assert_eq!(game.save().load().unwrap().status(), end);
        assert!(fault(game.forfeit(seat, forfeit)).contains("over"));
        let again = Record::parse(&game.record().to_string()).unwrap().replay().unwrap();
        assert_eq!(again.status(), end);
    }
}

/// A saved game goes on with the pieces still face down and the same later draws.
#[test]
fn a_saved_game_goes_on() {
    let rules = AnyRules::parse("darkchess:mini").unwrap();
    for seed in 0..20 {
        let mut game = rules.start(seed);
        let mut again = game.save().load().unwrap();
        for ply in 0.. {
            assert_eq!((again.position(), again.save()), (game.position(), game.save()), "{}", game.text());
            let Some(&action) = game.legal_actions().get(ply % 2).or(game.legal_actions().first()) else { break };
            let outcomes = game.chance_outcomes(action.into()).unwrap();
            let first = outcomes.first().map_or("", |(name, _)| name);
            for game in [&mut game, &mut again] {
                match ply % 3 {
                    1 => game.step_with(action.into(), first).unwrap(),
                    _ => game.step(action.into()).unwrap(),
                }
            }
            again = again.save().load().unwrap();
        }
    }
}

/// What a seat tells its ally goes past an offer of a draw, and is not in what others write down.
#[test]
fn an_offer_stands_while_allies_talk() {
    let rules = AnyRules::parse("siguo:signals=yes").unwrap();
    let mut game = rules.start(5);
    let step = |game: &mut dyn AnyGame, name: Option<&str>| {
        let first = *game.legal_actions().first().unwrap();
        let action = name.map_or(first, |name| game.action_id(name).unwrap());
        game.step(action.into()).unwrap();
    };
    assert!(fault(game.offer_draw()).contains("none has been played"));
    step(game.as_mut(), Some("signal:help"));
    assert!(fault(game.offer_draw()).contains("none has been played"));
    step(game.as_mut(), None);
    game.offer_draw().unwrap();
    game.accept_draw(2).unwrap();
    let before = [0, 1, 2, 3].map(|seat| (game.record_seen_by(seat), game.last_ply_seen_by(seat)));
    step(game.as_mut(), Some("signal:wait"));
    assert_eq!((game.offer(), game.plies()), (Some(0), 1));
    for (seat, before) in (0..).zip(before) {
        let now = (game.record_seen_by(seat), game.last_ply_seen_by(seat));
        assert_eq!(now == before, seat & 1 == 0, "{seat}\n{}", now.0);
    }
    assert!(game.record().to_string().contains("1. signal:help S"), "{}", game.record());
    assert_eq!(game.last_ply_seen_by(3).unwrap().action, "signal:wait");
    let loaded = game.save().load().unwrap();
    assert_eq!((loaded.record(), loaded.offer(), loaded.position()), (game.record(), Some(0), game.position()));
    let again = Record::parse(&game.record().to_string()).unwrap().replay().unwrap();
    assert_eq!((again.record(), again.offer(), again.position()), (game.record(), Some(0), game.position()));
    game.accept_draw(1).unwrap();
    game.accept_draw(3).unwrap();
    assert_eq!(game.status(), Status::Draw(Reason::Agreement));
}

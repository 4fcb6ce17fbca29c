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

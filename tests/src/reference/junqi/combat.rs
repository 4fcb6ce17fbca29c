//! Who stays when one piece runs into another (3.5).

use super::event::Outcome;
use super::kind::Kind;
use super::rules::Rules;

/// The outcome of an attack, in the order of the questions of 3.5.
///
/// Reading: `mine = both` changes what happens to a mine where an attacker is lost on it, so an engineer still removes
/// it and stands there. `commander_mine = survives`: a commander that runs into a mine is not lost; two pieces cannot
/// stand on one station and the four public outcomes know no draw back, so it removes the mine like an engineer.
pub(crate) fn combat(rules: &Rules, attacker: Kind, defender: Kind) -> Outcome {
    if attacker == Kind::Bomb || defender == Kind::Bomb {
        return Outcome::Both;
    }
    if defender == Kind::Flag {
        return Outcome::Won;
    }
    if defender == Kind::Mine {
        return match attacker {
            Kind::Engineer => Outcome::Won,
            Kind::Commander if rules.commander_survives => Outcome::Won,
            _ if rules.mine_both => Outcome::Both,
            _ => Outcome::Lost,
        };
    }
    if attacker == defender {
        Outcome::Both
    } else if attacker.rank() > defender.rank() {
        Outcome::Won
    } else {
        Outcome::Lost
    }
}

//! Games of any family behind one type, for the command line and Python.
//!
//! Inside the families everything is static; only here, at the outer edge, calls are dispatched at run time.

use crate::Error;
use crate::darkchess::{DarkChess, rules};
use crate::game::{Game, Seat, Spec};
use crate::junqi::{self, Junqi};
pub use crate::running::{AnyGame, Forfeit, Running, SavedGame};
use crate::vector::{VecGame, VecState};

/// A family as `anqi games` lists it.
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What it is, for people.
    pub about: &'static str,
    /// Name, description and source of each profile, the default first.
    pub profiles: Vec<(&'static str, &'static str, &'static str)>,
    /// Name, default, description and source of each option.
    pub options: Vec<(&'static str, String, &'static str, &'static str)>,
}

/// Every family.
pub fn families() -> Vec<Family> {
    let family = |family: rules::Family, about| Family {
        name: family.name(),
        about,
        profiles: family.profiles().map(|p| (p.name, p.about, p.source)).collect(),
        options: family.options().map(|o| (o.name, (o.get)(&family.default_rules()), o.about, o.source)).collect(),
    };
    let junqi = |variant: junqi::Variant| Family {
        name: variant.name(),
        about: variant.about(),
        profiles: variant.profiles().map(|p| (p.name, p.about, p.source)).collect(),
        options: variant.options().map(|o| (o.name, (o.get)(&variant.default_rules()), o.about, o.source)).collect(),
    };
    let mut families = vec![
        family(rules::Family::DarkChess, "dark chess 暗棋 (banqi): flip, step, capture; pieces lie face down"),
        family(rules::Family::TombChess, "Tomb Chess 幽靈戰棋: dark chess on 6x6 with fixed colours and no cannon"),
    ];
    families.extend(junqi::Variant::ALL.map(junqi));
    families
}

/// A game's rules, of any family.
#[derive(Clone)]
pub enum AnyRules {
    /// Dark chess and Tomb Chess, one engine.
    DarkChess(DarkChess),
    /// Siguo, the duel and luzhanqi, one engine.
    Junqi(Junqi),
}

/// Calls a generic function with the family's own type.
#[macro_export]
macro_rules! with_family {
    ($rules:expr, $game:ident => $body:expr) => {
        match $rules {
            $crate::any::AnyRules::DarkChess($game) => $body,
            $crate::any::AnyRules::Junqi($game) => $body,
        }
    };
}

impl AnyRules {
    /// Reads a name with profile and options, such as `darkchess`, `darkchess:icga` or
    /// `darkchess:taiwan,quiet_limit=50`.
    ///
    /// # Errors
    /// An unknown family, profile or option (the known ones are listed), or an unusable value.
    pub fn parse(name: &str) -> Result<AnyRules, Error> {
        let (family, rules) = name.split_once(':').unwrap_or((name, ""));
        if let Some(variant) = junqi::Variant::ALL.into_iter().find(|variant| variant.name() == family.trim()) {
            return Ok(AnyRules::Junqi(Junqi::new(junqi::Rules::parse(variant, rules)?)?));
        }
        let known = rules::Family::ALL.into_iter().find(|known| known.name() == family.trim());
        let known = known.ok_or_else(|| Error::UnknownGame {
            name: family.into(),
            known: families().iter().map(|family| family.name).collect::<Vec<_>>().join(", "),
        })?;
        Ok(AnyRules::DarkChess(DarkChess::new(rules::Rules::parse_of(known, rules)?)?))
    }

    /// Sizes and names.
    pub fn spec(&self) -> &Spec {
        with_family!(self, game => game.spec())
    }

    /// The rules as a family's own type; `None` where they are of another family.
    pub fn game<G: Game>(&self) -> Option<G> {
        with_family!(self, game => (game as &dyn std::any::Any).downcast_ref::<G>().cloned())
    }

    /// A new game dealt from a seed.
    pub fn start(&self, seed: u64) -> Box<dyn AnyGame> {
        with_family!(self, game => Box::new(Running::new(game.clone(), seed)))
    }

    /// A game from every seat's layout, by seat: a new one in which `first` moves first, or one from a position.
    ///
    /// # Errors
    /// A game whose seats set nothing up, layouts that cannot be, or a position that cannot be read.
    pub fn start_with(
        &self,
        layouts: &[&str],
        first: Seat,
        position: Option<&str>,
        seed: u64,
    ) -> Result<Box<dyn AnyGame>, Error> {
        Ok(with_family!(self, game => {
            Box::new(Running::from_layouts(game.clone(), layouts, first, position, seed)?)
        }))
    }

    /// `num_games` games dealt from a seed; see [`VecGame::new`].
    ///
    /// # Errors
    /// As [`VecGame::new`].
    pub fn start_many(&self, num_games: usize, seed: u64, threads: usize) -> Result<AnyVecGame, Error> {
        Ok(match self {
            AnyRules::DarkChess(game) => AnyVecGame::DarkChess(VecGame::new(game.clone(), num_games, seed, threads)?),
            AnyRules::Junqi(game) => AnyVecGame::Junqi(VecGame::new(game.clone(), num_games, seed, threads)?),
        })
    }

    /// A game that goes on from a position; its hidden pieces are drawn from a seed.
    ///
    /// # Errors
    /// A position that cannot be read or cannot occur.
    pub fn start_from(&self, position: &str, seed: u64) -> Result<Box<dyn AnyGame>, Error> {
        Ok(with_family!(self, game => Box::new(Running::from_position(game.clone(), position, seed)?)))
    }
}

/// Many games of any family.
pub enum AnyVecGame {
    /// Dark chess.
    DarkChess(VecGame<DarkChess>),
    /// Junqi.
    Junqi(VecGame<Junqi>),
}

/// Calls a generic function with the vector's own type.
#[macro_export]
macro_rules! with_vec_family {
    ($games:expr, $vector:ident => $body:expr) => {
        match $games {
            $crate::any::AnyVecGame::DarkChess($vector) => $body,
            $crate::any::AnyVecGame::Junqi($vector) => $body,
        }
    };
}

impl AnyVecGame {
    /// Cuts games off after so many plies; see [`VecGame::with_ply_limit`].
    pub fn with_ply_limit(self, plies: u32) -> AnyVecGame {
        match self {
            AnyVecGame::DarkChess(games) => AnyVecGame::DarkChess(games.with_ply_limit(plies)),
            AnyVecGame::Junqi(games) => AnyVecGame::Junqi(games.with_ply_limit(plies)),
        }
    }

    /// Leaves finished games as they ended; see [`VecGame::holding`].
    pub fn holding(self) -> AnyVecGame {
        match self {
            AnyVecGame::DarkChess(games) => AnyVecGame::DarkChess(games.holding()),
            AnyVecGame::Junqi(games) => AnyVecGame::Junqi(games.holding()),
        }
    }

    /// An independent copy of one row's game, hidden pieces included. `seed` feeds the draws that
    /// [`AnyGame::step_with`] makes.
    pub fn copy_row(&self, row: usize, seed: u64) -> Box<dyn AnyGame> {
        with_vec_family!(self, games => Box::new(Running::from_state(games.game().clone(), *games.state(row), seed)))
    }

    /// Everything a later [`AnyVecGame::load`] needs to go on with the same games and streams.
    pub fn save(&self) -> VecState {
        with_vec_family!(self, games => games.save())
    }

    /// Goes on from what [`AnyVecGame::save`] gave.
    ///
    /// # Errors
    /// As [`VecGame::load`].
    pub fn load(&mut self, saved: &VecState) -> Result<(), Error> {
        with_vec_family!(self, games => games.load(saved))
    }

    /// The public position of one row's game as text.
    pub fn position(&self, row: usize) -> String {
        with_vec_family!(self, games => {
            let (game, state) = (games.game(), games.state(row));
            game.view_text(game.view(state, game.to_move(state)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_many_games_is_copied_with_its_deal() {
        let rules = AnyRules::parse("darkchess").unwrap();
        let AnyVecGame::DarkChess(mut games) = rules.start_many(3, 5, 1).unwrap() else { panic!("dark chess") };
        let mut actions = [0; 3];
        games.sample_actions(&mut actions).unwrap();
        let mut copy = AnyVecGame::DarkChess(games).copy_row(1, 5);
        let AnyVecGame::DarkChess(mut games) = rules.start_many(3, 5, 1).unwrap() else { panic!("dark chess") };
        games.step(&actions, crate::vector::BatchMut::default()).unwrap();
        copy.step(actions[1]).unwrap();
        assert_eq!(copy.position(), AnyVecGame::DarkChess(games).position(1));
    }
}

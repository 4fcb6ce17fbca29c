//! What pieces are worth to the players of a game.

use std::sync::Arc;

use anqi_env::darkchess::{Cell, DarkChess, Move, Piece, Position};
use anqi_env::game::{Action, Game, Seat};
use anqi_env::junqi::{Junqi, Kind, View, piece::COUNTS, piece::Fight, piece::Kinds, piece::PIECES, view};

use super::{Agent, AgentError, Exact, NetAgent, NetSpec, RulePlayer};
use crate::config::{Config, GumbelConfig};
use crate::method::{Method, Td};
use crate::net::Infer;
use crate::rollout::Improver;
use crate::run::RunError;
use crate::search::evaluator::Evaluator as _;
use crate::search::exchange::Exchanges;
use crate::search::expectimax::{Expectimax, Options};
use crate::search::hand::Hand;
use crate::search::mcts::{self, Mcts, NetGuide, Thumb};
use crate::search::worlds::{self, Worlds};

/// Judges a position for the seat to move, from -1 (lost) to 1 (won).
pub type Gauge<G> = Box<dyn Fn(&<G as Game>::View) -> f32 + Send + Sync>;

/// A game in which pieces have a value, as players of it give them.
pub trait Material: Game {
    /// Value of what each action captures, as far as the seat can tell; 0 where it gains nothing.
    fn gains(&self, view: &Self::View, actions: &[Action]) -> Vec<u32>;
    /// The mover's share of all the value alive, less the others': from -1 to 1. Partners count together.
    fn balance(&self, view: &Self::View) -> f32;
    /// A judgement of positions by which luck can be measured.
    ///
    /// # Errors
    /// A game in which what a ply shows is not left to chance.
    fn gauge(&self) -> Result<Gauge<Self>, String>;
    /// An expectimax player of the game with its hand-made evaluation.
    ///
    /// # Errors
    /// A game that has none, or options that do not go with its rules.
    fn expectimax(&self, _options: Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Err(format!("{}: there is no such search for this game", self.spec().name))
    }
    /// A player by exact values.
    ///
    /// # Errors
    /// A game that has none, or a board too large.
    fn exact(&self) -> Result<Arc<dyn Agent<Self>>, String> {
        Err(format!("{}: only small boards of darkchess and tombchess are solved", self.spec().name))
    }
    /// A tree search that a network judges, or else rules of thumb.
    ///
    /// # Errors
    /// A game that has none.
    fn tree_search(&self, _options: mcts::Options, _net: Option<Infer>) -> Result<Arc<dyn Agent<Self>>, String> {
        Err(format!("{}: there is no such search for this game", self.spec().name))
    }
    /// A player by the value network of a checkpoint.
    ///
    /// # Errors
    /// A game that has none, or a checkpoint that cannot be used.
    fn value_player(&self, spec: &NetSpec) -> Result<Arc<dyn Agent<Self>>, AgentError> {
        let message = format!("{}: there are no value networks for this game", self.spec().name);
        Err(AgentError::Option { agent: spec.to_string(), message })
    }
    /// A tree search that improves a network's policy in training.
    ///
    /// # Errors
    /// A game that has none.
    fn improver(&self, _net: Infer, _config: &GumbelConfig) -> Result<Box<dyn Improver<Self>>, String> {
        let name = &self.spec().name;
        Err(format!(
            "method = \"gumbel\": {name} has no tree search; expected darkchess, tombchess or method = \"ppo\""
        ))
    }
    /// Training of a value network.
    ///
    /// # Errors
    /// A game that has none, or settings that cannot be.
    fn value_training(&self, _config: &Config) -> Result<Box<dyn Method<Self>>, RunError> {
        let name = &self.spec().name;
        let message =
            format!("method = \"td\": {name} has no value networks; expected darkchess, tombchess or method = \"ppo\"");
        Err(RunError::Method(message))
    }
    /// A policy improved by games that fit what its seat knows.
    ///
    /// # Errors
    /// A game that has none.
    fn worlds(&self, _net: NetAgent, _options: worlds::Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Err(format!("{}: search=worlds is for Junqi", self.spec().name))
    }
    /// A player by rules of thumb, which worlds may improve.
    ///
    /// # Errors
    /// A game that has none.
    fn rule_player(&self, _worlds: Option<worlds::Options>) -> Result<Arc<dyn Agent<Self>>, String> {
        let known = "random, greedy, exact, expectimax:LIMIT, mcts:sims=N, net:CHECKPOINT, uci:PATH, dctp:PATH";
        Err(format!("{}: there are no such rules for this game; its agents are {known}", self.spec().name))
    }
}

impl Material for DarkChess {
    fn gains(&self, view: &Position, actions: &[Action]) -> Vec<u32> {
        let gain = |&action| match self.what(action) {
            Move::Step(_, to) => match view.cell(to) {
                Cell::Up(piece) => self.rules().family.value(piece.kind()).into(),
                Cell::Empty | Cell::FaceDown => 0,
            },
            Move::Flip(_) | Move::Stop => 0,
        };
        actions.iter().map(gain).collect()
    }

    fn balance(&self, view: &Position) -> f32 {
        let Some(own) = view.colour_of(view.to_move()) else { return 0.0 };
        let (mut ours, mut all) = (0.0, 0.0);
        let mut count = |piece: Piece, number: u8| {
            let value = f32::from(self.rules().family.value(piece.kind())) * f32::from(number);
            all += value;
            ours += if piece.colour() == own { value } else { -value };
        };
        Piece::all().for_each(|piece| count(piece, view.unseen(piece)));
        let [_, rows, cols] = self.spec().planes;
        for square in 0..(rows * cols) as u8 {
            if let Cell::Up(piece) = view.cell(square) {
                count(piece, 1);
            }
        }
        if all > 0.0 { ours / all } else { 0.0 }
    }

    fn gauge(&self) -> Result<Gauge<Self>, String> {
        let (game, judge) = (self.clone(), Exchanges { evaluator: Hand::new(self), depth: 2 });
        Ok(Box::new(move |view| judge.value(&game, view)))
    }

    fn expectimax(&self, options: Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Ok(Arc::new(Expectimax::new(self, options, Arc::new(Hand::new(self)))?))
    }

    fn value_player(&self, spec: &NetSpec) -> Result<Arc<dyn Agent<Self>>, AgentError> {
        spec.build_value(self)
    }

    fn improver(&self, net: Infer, config: &GumbelConfig) -> Result<Box<dyn Improver<Self>>, String> {
        Ok(Box::new(Mcts::training(NetGuide(net), config.sims, config.scale)))
    }

    fn value_training(&self, config: &Config) -> Result<Box<dyn Method<Self>>, RunError> {
        Ok(Box::new(Td::new(self, config)?))
    }

    fn exact(&self) -> Result<Arc<dyn Agent<Self>>, String> {
        Ok(Arc::new(Exact::new(self)?))
    }

    fn tree_search(&self, options: mcts::Options, net: Option<Infer>) -> Result<Arc<dyn Agent<Self>>, String> {
        let mcts::Options { sims, playout } = options;
        Ok(match net {
            Some(infer) => Arc::new(Mcts::new(NetGuide(infer), sims)),
            None => Arc::new(Mcts::new(Thumb { evaluator: Hand::new(self), playout }, sims)),
        })
    }
}

/// What a piece of junqi is worth, in tenths of a platoon's leader 排長; the flag is worth the game.
fn worth(kind: Kind) -> u32 {
    match kind {
        Kind::Flag => 1_000,
        Kind::Mine => 40,
        Kind::Bomb => 100,
        Kind::Commander => 200,
        Kind::General => 150,
        Kind::Division => 110,
        Kind::Brigade => 80,
        Kind::Regiment => 60,
        Kind::Battalion => 40,
        Kind::Company => 30,
        Kind::Platoon => 20,
        Kind::Engineer => 50,
    }
}

/// The mean of something over the kinds a piece may be, each as likely as a seat has pieces of it.
fn mean(kinds: Kinds, of: impl Fn(Kind) -> f64) -> f64 {
    let possible = || Kind::ALL.into_iter().filter(|kind| kinds & kind.bit() != 0);
    let count = |kind: Kind| f64::from(COUNTS[kind as usize]);
    let all: f64 = possible().map(count).sum();
    possible().map(|kind| count(kind) * of(kind)).sum::<f64>() / all.max(1.0)
}

impl Material for Junqi {
    fn worlds(&self, net: NetAgent, options: worlds::Options) -> Result<Arc<dyn Agent<Self>>, String> {
        Ok(Arc::new(Worlds::new(net, options)))
    }

    fn gauge(&self) -> Result<Gauge<Self>, String> {
        Err(format!("{}: what a fight shows was set up by a player, not left to chance", self.spec().name))
    }

    fn rule_player(&self, worlds: Option<worlds::Options>) -> Result<Arc<dyn Agent<Self>>, String> {
        let player = RulePlayer::new(self);
        Ok(match worlds {
            Some(options) => Arc::new(Worlds::new(player, options)),
            None => Arc::new(player),
        })
    }

    fn gains(&self, view: &View, actions: &[Action]) -> Vec<u32> {
        let (public, combat) = (view.public(), self.combat());
        let mut candidates: [Option<[Kinds; PIECES]>; 4] = [None; 4];
        let mut gain = |&action: &Action| {
            let fighting = self
                .ends(action)
                .and_then(|(from, to)| Some((view.rank(public.piece_at(from)?)?, public.piece_at(to)?)));
            let Some((own, enemy)) = fighting else { return 0 };
            let seat = view::seat_of(enemy);
            let kinds = candidates[usize::from(seat)].get_or_insert_with(|| self.candidates(view, seat));
            let value = mean(kinds[view::slot_of(enemy)], |kind| match combat.fight(own, kind) {
                Fight::Won => f64::from(worth(kind)),
                Fight::Both => f64::from(worth(kind)) - f64::from(worth(own)),
                Fight::Lost => -f64::from(worth(own)),
                Fight::Moved => 0.0,
            });
            value.max(0.0).round() as u32
        };
        actions.iter().map(&mut gain).collect()
    }

    fn balance(&self, view: &View) -> f32 {
        let (public, mover) = (view.public(), self.view_to_move(view));
        let (mut ours, mut all) = (0.0, 0.0);
        for seat in 0..self.seats() {
            let kinds = self.candidates(view, seat);
            let worth_of = |piece| mean(kinds[view::slot_of(piece)], |kind| f64::from(worth(kind).min(200)));
            let value: f64 = public.pieces(seat).map(worth_of).sum();
            all += value;
            ours += if same_team(seat, mover) { value } else { -value };
        }
        if all > 0.0 { (ours / all) as f32 } else { 0.0 }
    }
}

/// Partners sit at every other seat.
fn same_team(one: Seat, other: Seat) -> bool {
    (one ^ other) & 1 == 0
}

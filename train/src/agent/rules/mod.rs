//! A player of junqi by rules of thumb: it weighs every action by what it likely gains, by what the enemies could take
//! after it, and by where it leads.
//!
//! `belief` guesses what the enemies are; `exchange` what combats bring; `outlook` where pieces should go; `guard` sees
//! to the flags; `threats` to what the enemies may do next; `setup` draws a layout; `worth` has all weights.

mod belief;
mod exchange;
mod guard;
mod outlook;
mod position;
mod setup;
mod terrain;
#[cfg(test)]
mod tests;
mod threats;
mod worth;

use anqi_env::game::{Action, Actions, Game};
use anqi_env::junqi::piece::{KINDS, Kind};
use anqi_env::junqi::{Junqi, NOWHERE, Station, View};

use super::{Agent, Material, Turn};
use crate::search::worlds::Base;
use exchange::Exchange;
use outlook::Travel;
use position::{Holder, Position};
use terrain::{Field, Terrain, Ways};
use threats::Threats;
pub use worth::WORTH;
use worth::{BACK, BEHIND, CAUTION, FLAG, HURRY, OUTLOOK, POST, STUCK};

/// Plays junqi by rules of thumb.
pub struct RulePlayer {
    terrain: Terrain,
}

impl RulePlayer {
    /// A player for a game of junqi.
    pub fn new(game: &Junqi) -> RulePlayer {
        RulePlayer { terrain: Terrain::new(game) }
    }

    /// The legal moves, each with what it is worth; of placements, how likely each should be. It gives no signals.
    fn scores(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
        let mut legal = Actions::new();
        game.legal(view, &mut legal);
        if game.places_at(view.public()).is_some() {
            return legal.iter().copied().zip(setup::chances(game, view, &legal)).collect();
        }
        let weighing = Weighing::of(game, view, &self.terrain);
        let moves = legal.iter().filter_map(|&action| Some((action, game.ends(action)?)));
        moves.map(|(action, ends)| (action, weighing.score(ends))).collect()
    }
}

/// What all actions of a position are weighed by.
struct Weighing<'a> {
    game: &'a Junqi,
    position: Position<'a>,
    exchange: Exchange,
    threats: Threats,
    /// By own kind.
    outlooks: [Option<Box<Field>>; KINDS],
    /// How near the quiet limit is, from 0 to 1.
    hurry: f32,
    last: Option<(Station, Station)>,
}

impl<'a> Weighing<'a> {
    fn of(game: &'a Junqi, view: &View, terrain: &'a Terrain) -> Weighing<'a> {
        let mut position = Position::of(game, terrain, view);
        let ways = Ways::of(terrain, &position.ground);
        guard::note_bonuses(game, view, &mut position, &ways);
        let hurry = hurry(game, view);
        let exchange = Exchange::of(game, &position, hurry);
        let mut outlooks = [const { None }; KINDS];
        for kind in position.own_kinds() {
            let travel = if position.flies(kind) { Travel::Flights } else { Travel::Runs(&ways) };
            let field = outlook::of(&position, &exchange, travel, kind, game.rules().hq_moves);
            outlooks[kind as usize] = Some(Box::new(field));
        }
        let last = view.public().last_ply(position.seat);
        let threats = Threats::of(&position, &exchange);
        Weighing { game, position, exchange, threats, outlooks, hurry, last }
    }

    fn outlook(&self, kind: Kind, station: Station) -> f32 {
        self.outlooks[kind as usize].as_ref().map_or(0.0, |field| field[usize::from(station)].min(FLAG))
    }

    fn score(&self, (from, to): (Station, Station)) -> f32 {
        let position = &self.position;
        let Holder::Own(kind) = position.holder(&position.ground, from) else { return 0.0 };
        let (before, after) = (self.outlook(kind, from), self.outlook(kind, to));
        let leaving = self.leaving(from);
        match position.holder(&position.ground, to) {
            Holder::Foe(foe) => {
                let attack = self.exchange.attacks[foe][kind as usize];
                let both = 1.0 - attack.won - attack.lost;
                let threat =
                    |share: f32, left: u8| if share > 0.01 { share * self.threat(from, to, left) } else { 0.0 };
                let [piece, enemy] = [from, to].map(|station| position.ground[usize::from(station)]);
                let threats = threat(attack.won, piece) + threat(attack.lost, enemy) + threat(both, NOWHERE);
                attack.value + OUTLOOK * (attack.won * after - before) - threats - leaving
            }
            _ => {
                let stuck = self.position.terrain.headquarters[usize::from(to)] && !self.game.rules().hq_moves;
                let stuck = if stuck { STUCK * WORTH[kind as usize] } else { 0.0 };
                let back = if self.last == Some((to, from)) { BACK } else { 0.0 };
                let piece = position.ground[usize::from(from)];
                let threat = self.threat(from, to, piece);
                OUTLOOK * (after - before) - threat - leaving - stuck - back - HURRY * self.hurry
            }
        }
    }

    /// What the enemies may take once `left` is what stays on the station moved to.
    fn threat(&self, from: Station, to: Station, left: u8) -> f32 {
        let loss = self.threats.loss(&self.position, &self.exchange, [from, to], left);
        CAUTION * (1.0 - self.hurry / 2.0) * loss
    }

    /// What leaving a station costs: the flag's neighbours guard it.
    fn leaving(&self, from: Station) -> f32 {
        if self.position.beside_flag[usize::from(from)] { POST } else { 0.0 }
    }
}

/// How near the quiet limit is, from 0 for the first half to 1; who is far behind is in no hurry.
fn hurry(game: &Junqi, view: &View) -> f32 {
    let (quiet, limit) = (f32::from(view.public().quiet()), f32::from(game.rules().quiet_limit));
    if limit == 0.0 || 2.0 * quiet <= limit || game.balance(view) < BEHIND {
        return 0.0;
    }
    2.0 * quiet / limit - 1.0
}

/// The actions of the highest score.
fn best(scores: &[(Action, f32)]) -> Vec<Action> {
    let most = scores.iter().map(|&(_, score)| score).fold(f32::NEG_INFINITY, f32::max);
    scores.iter().filter(|&&(_, score)| score >= most).map(|&(action, _)| action).collect()
}

impl Base for RulePlayer {
    fn promises(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
        if game.places_at(view.public()).is_some() { Vec::new() } else { self.scores(game, view) }
    }

    fn worths(&self) -> &[f32; KINDS] {
        &WORTH
    }
}

impl Agent<Junqi> for RulePlayer {
    fn act(&self, game: &Junqi, turns: &mut [Turn<'_, Junqi>]) -> Vec<Action> {
        let choose = |turn: &mut Turn<'_, Junqi>| {
            let scores = self.scores(game, turn.view);
            if game.places_at(turn.view.public()).is_some() {
                let all: f32 = scores.iter().map(|&(_, chance)| chance).sum();
                let mut rest = turn.rng.unit() * all;
                let drawn = scores.iter().find(|&&(_, chance)| {
                    rest -= chance;
                    rest < 0.0
                });
                return drawn.unwrap_or(&scores[0]).0;
            }
            let best = best(&scores);
            best[turn.rng.below(best.len() as u32) as usize]
        };
        turns.iter_mut().map(choose).collect()
    }

    /// Uniform over the best actions; of placements, how it draws them.
    fn policy(&self, game: &Junqi, view: &View) -> Vec<f32> {
        let mut policy = vec![0.0; game.spec().num_actions];
        let scores = self.scores(game, view);
        if game.places_at(view.public()).is_some() {
            let all: f32 = scores.iter().map(|&(_, chance)| chance).sum();
            scores.iter().for_each(|&(action, chance)| policy[usize::from(action)] = chance / all);
            return policy;
        }
        let best = best(&scores);
        best.iter().for_each(|&action| policy[usize::from(action)] = 1.0 / best.len() as f32);
        policy
    }

    /// The balance of the material, a rough guess.
    fn value(&self, game: &Junqi, view: &View) -> f32 {
        game.balance(view)
    }

    /// The balance moved by what each action is worth; nothing for placements.
    fn values(&self, game: &Junqi, view: &View) -> Vec<(Action, f32)> {
        if game.places_at(view.public()).is_some() {
            return Vec::new();
        }
        let balance = game.balance(view);
        let value = |(action, score): (Action, f32)| (action, (balance + score / FLAG).tanh());
        self.scores(game, view).into_iter().map(value).collect()
    }
}

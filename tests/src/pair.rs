//! A game of Junqi played by the engine and by the slow reference side by side.

use anqi_env::game::{Action, Actions, Game as _, Reason, Seat, Status};
use anqi_env::junqi::piece::Fight;
use anqi_env::junqi::{Junqi, Kind, Layout, NOWHERE, Out, Outcome, Piece, Signal, State, Station};
use anqi_env::rng::Rng;

use crate::reference::junqi as reference;

/// The engine's game and the reference's.
pub struct Pair {
    /// The engine.
    pub game: Junqi,
    /// Its game.
    pub state: State,
    /// The reference.
    pub twin: reference::Game,
    /// The reference's game at its start.
    pub start: reference::Game,
    /// The plies so far, as the reference counts stations.
    pub plies: Vec<(usize, usize)>,
    /// The layouts, by seat.
    pub layouts: Vec<Layout>,
}

impl Pair {
    /// A game from these layouts.
    ///
    /// # Panics
    /// When one of the two does not know the rules or does not accept a layout.
    pub fn new(game: &Junqi, layouts: &[Layout], first: Seat) -> Pair {
        let game = game.clone();
        let rules = reference::Rules::parse(&game.spec().name).unwrap();
        let state = game.start(layouts, first).unwrap();
        let read = |layout: &Layout| reference::Layout::parse(&layout.text()).unwrap();
        let theirs: Vec<reference::Layout> = layouts.iter().map(read).collect();
        let twin = reference::Game::new(rules, &theirs, first.into()).unwrap();
        Pair { game, state, start: twin.clone(), twin, plies: Vec::new(), layouts: layouts.to_vec() }
    }

    /// A game from drawn layouts, sometimes sensible ones, in which any seat may begin.
    ///
    /// # Panics
    /// As [`Pair::new`].
    pub fn drawn(game: &Junqi, rng: &mut Rng) -> Pair {
        let sensible = rng.below(4) == 0;
        let mut draw = || match sensible {
            true => game.library()[rng.below(game.library().len() as u32) as usize],
            false => Layout::uniform(game.rules(), rng),
        };
        let layouts: Vec<Layout> = (0..game.seats()).map(|_| draw()).collect();
        Pair::new(game, &layouts, rng.below(game.seats().into()) as Seat)
    }

    /// The reference's number of a station.
    pub fn number(&self, station: Station) -> usize {
        self.game.graph().spots[usize::from(station)].id.into()
    }

    /// The engine's station of the reference's number.
    pub fn station(&self, number: usize) -> Option<Station> {
        let found = self.game.graph().spots.iter().position(|spot| usize::from(spot.id) == number)?;
        Some(found as Station)
    }

    /// The engine's action between two of the reference's stations.
    pub fn action(&self, (from, to): (usize, usize)) -> Option<Action> {
        self.game.action_between(self.station(from)?, self.station(to)?)
    }

    /// The engine's piece of a place in the reference's list.
    pub fn piece(index: usize) -> Piece {
        (index / 25 * 32 + index % 25) as Piece
    }

    /// Whether the game goes on.
    pub fn goes_on(&self) -> bool {
        self.game.status(&self.state).is_ongoing()
    }

    /// A uniformly random action.
    pub fn sample(&self, rng: &mut Rng) -> Action {
        self.game.sample(self.game.view(&self.state, self.game.to_move(&self.state)), rng)
    }

    /// An action that attacks, where there is one: a few of those drawn are looked at.
    pub fn sample_attack(&self, rng: &mut Rng) -> Action {
        let attacks =
            |action: &Action| self.game.ends(*action).is_some_and(|(_, to)| self.state.public().piece_at(to).is_some());
        let drawn: Vec<Action> = (0..8).map(|_| self.sample(rng)).collect();
        drawn.iter().copied().find(attacks).unwrap_or(drawn[0])
    }

    /// The seat to move gives a signal, in both.
    ///
    /// # Panics
    /// Where one of the two refuses.
    pub fn say(&mut self, action: Action) {
        let signal = self.game.signal(action).expect("a signal").name();
        let view = self.game.view(&self.state, self.game.to_move(&self.state));
        assert!(self.game.is_legal(view, action), "{signal} is not legal in\n{}", self.twin.text());
        assert_eq!(self.game.play(&mut self.state, action), None, "{signal}");
        self.twin.say(signal).unwrap();
    }

    /// Plays an action in both, compares what they announce and returns it.
    ///
    /// # Panics
    /// Where they differ; the message draws the board.
    pub fn play(&mut self, action: Action) -> reference::Event {
        let name = self.game.action_name(action);
        let (from, to) = self.game.ends(action).unwrap();
        let (mover, ends) = (self.game.to_move(&self.state), (self.number(from), self.number(to)));
        let view = self.game.view(&self.state, mover);
        assert!(self.game.is_legal(view, action), "{name} is not legal in\n{}", self.twin.text());
        let shown = self.game.play(&mut self.state, action).unwrap_or(Outcome::MOVED);
        let event = self.twin.play(ends.0, ends.1).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        self.plies.push(ends);
        let (rules, board) = (&self.twin.rules, || format!("after it:\n{}", self.twin.text()));
        assert_eq!((usize::from(mover), ends), (event.seat, (event.from, event.to)), "{name} {}", board());
        let fight = match event.outcome {
            reference::Outcome::Moved => Fight::Moved,
            reference::Outcome::Won => Fight::Won,
            reference::Outcome::Lost => Fight::Lost,
            reference::Outcome::Both => Fight::Both,
        };
        assert_eq!(shown.fight, fight, "{name} {}", board());
        let standing = shown.flags.iter().enumerate().filter(|(_, station)| **station != NOWHERE);
        let flags: Vec<(usize, usize)> = standing.map(|(seat, &station)| (seat, self.number(station))).collect();
        assert_eq!(flags, event.flags, "{name} {}", board());
        assert_eq!(outs(&shown), told(&event.out), "{name} {}", board());
        let ranks = event.seen_by(rules, mover.into()).kinds;
        let ranks = ranks.map(|(one, other)| [one.letter(), other.letter()]);
        assert_eq!(shown.ranks.map(|kinds| kinds.map(Kind::letter)), ranks, "{name} {}", board());
        if let Status::Win(_, reason) = self.game.status(&self.state) {
            let last = event.out.last().map(|(_, why)| *why).unwrap();
            assert_eq!(reason, reason_of(last), "{name} {}", board());
        }
        event
    }

    /// A seat gives up, or the seat to move lets its time run out, in both. Returns who goes out by it, in order.
    ///
    /// # Panics
    /// Where one of the two refuses.
    pub fn leave(&mut self, seat: Option<Seat>) -> Vec<(usize, reference::Out)> {
        match seat {
            Some(seat) => {
                self.game.remove_seat(&mut self.state, seat, Out::Resigned).unwrap();
                self.twin.give_up(seat.into(), reference::Out::Resigned).unwrap()
            }
            None => {
                self.game.time_out(&mut self.state).unwrap();
                self.twin.time_out().unwrap()
            }
        }
    }

    /// Every seat that plays agrees to a draw, in both.
    ///
    /// # Panics
    /// When the game is over.
    pub fn agree(&mut self) {
        self.game.agree_draw(&mut self.state);
        self.twin.agree().unwrap();
    }

    /// Compares everything that the two say about how the game stands.
    ///
    /// # Panics
    /// Where they differ; the message draws the board.
    pub fn compare(&self) {
        let (game, state, twin) = (&self.game, &self.state, &self.twin);
        let public = state.public();
        let board = || format!("{}\n{}", game.spec().name, twin.text());
        let seats = 0..game.seats();
        let status = match game.status(state) {
            Status::Ongoing => reference::Status::Ongoing,
            Status::Win(seat, _) => reference::Status::Win { team: usize::from(seat) % 2 },
            Status::Draw(reason) => reference::Status::Draw { reason: draw_of(reason) },
        };
        assert_eq!(status, twin.status(), "{}", board());
        let results: Vec<f32> = seats.clone().map(|seat| game.status(state).value(seat)).collect();
        assert_eq!(results, twin.results(), "{}", board());
        let out: Vec<Option<Out>> = seats.clone().map(|seat| public.out(seat)).collect();
        let theirs: Vec<Option<Out>> = seats.clone().map(|seat| twin.out(seat.into()).map(out_of)).collect();
        assert_eq!(out, theirs, "{}", board());
        assert_eq!((usize::from(public.quiet()), public.plies() as usize), (twin.quiet(), twin.plies()), "{}", board());
        for (index, piece) in twin.pieces.iter().enumerate() {
            let own = Pair::piece(index);
            let at = public.station_of(own).map(|station| self.number(station));
            assert_eq!(at, piece.at, "{index} {}", board());
            assert_eq!(state.kind(own).letter(), piece.kind.letter(), "{index} {}", board());
            for seat in seats.clone() {
                let rank = game.view(state, seat).rank(own);
                let seen = rank.is_some() || public.is_shown(own);
                assert_eq!(seen, twin.sees(seat.into(), piece), "{index} by {seat} {}", board());
                assert!(rank.is_none_or(|kind| kind == state.kind(own)), "{index} by {seat} {}", board());
            }
        }
        let mut legal = Actions::new();
        game.legal(game.view(state, game.to_move(state)), &mut legal);
        let ends = |&action: &Action| game.ends(action).map(|(from, to)| (self.number(from), self.number(to))).unwrap();
        let (signals, moves): (Vec<Action>, Vec<Action>) =
            legal.iter().partition(|&&action| game.signal(action).is_some());
        let signals: Vec<&str> =
            signals.into_iter().filter_map(|action| game.signal(action)).map(Signal::name).collect();
        assert_eq!(signals, twin.signals(), "{}", board());
        for viewer in seats.clone() {
            let ours = seats.clone().map(|seat| game.view(state, viewer).signal(seat).map(Signal::name));
            let theirs = seats.clone().map(|seat| twin.heard(viewer.into(), seat.into()));
            assert!(ours.eq(theirs), "heard by {viewer}, {}", board());
        }
        let mut legal: Vec<(usize, usize)> = moves.iter().map(ends).collect();
        legal.sort_unstable();
        if self.goes_on() {
            assert_eq!(usize::from(game.to_move(state)), twin.to_move(), "{}", board());
        }
        let theirs = twin.legal();
        if legal != theirs {
            let only = |one: &[(usize, usize)], other: &[(usize, usize)]| -> Vec<String> {
                one.iter().filter(|ends| !other.contains(ends)).map(|ends| twin.action_name(*ends)).collect()
            };
            let (ours, theirs) = (only(&legal, &theirs), only(&theirs, &legal));
            panic!("legal for the engine only {ours:?}, for the reference only {theirs:?}\n{}", board());
        }
    }
}

/// Why a seat is out, in the engine's words.
pub fn out_of(out: reference::Out) -> Out {
    match out {
        reference::Out::Flag => Out::Flag,
        reference::Out::NoPieces | reference::Out::NoMoves => Out::NoMoves,
        reference::Out::TimeOuts => Out::TimeOuts,
        reference::Out::Resigned | reference::Out::Left => Out::Resigned,
    }
}

fn reason_of(out: reference::Out) -> Reason {
    match out_of(out) {
        Out::Flag => Reason::Flag,
        Out::NoMoves => Reason::NoMoves,
        Out::Resigned => Reason::Resignation,
        Out::TimeOuts => Reason::Time,
    }
}

fn draw_of(reason: Reason) -> reference::Draw {
    match reason {
        Reason::QuietLimit => reference::Draw::QuietLimit,
        Reason::PlyLimit => reference::Draw::PlyLimit,
        Reason::Agreement => reference::Draw::Agreement,
        _ => panic!("{reason:?} is no draw of Junqi"),
    }
}

/// Who goes out, by seat.
fn outs(outcome: &Outcome) -> Vec<(usize, Out)> {
    outcome.outs.iter().enumerate().filter_map(|(seat, out)| out.map(|out| (seat, out))).collect()
}

fn told(out: &[(usize, reference::Out)]) -> Vec<(usize, Out)> {
    let mut told: Vec<(usize, Out)> = out.iter().map(|&(seat, out)| (seat, out_of(out))).collect();
    told.sort_unstable_by_key(|(seat, _)| *seat);
    told
}

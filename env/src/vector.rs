//! Thousands of games at once.
//!
//! Every game has its own random streams, so the same seed gives the same games whatever the number of
//! threads. A step allocates nothing (a test with a counting allocator proves it): results go straight into
//! the caller's memory.
//!
//! A step is two passes over the games: are all actions legal, then play. In between the threads wait for each other, so
//! that one illegal action changes no game.
//!
//! A game that ends starts anew in the same step, unless [`VecGame::holding`] asks for ends to be kept until
//! [`VecGame::restart`]. [`VecGame::step_rows`] lets some of the games play while the others wait.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::game::{Action, Actions, Game, Seat};
use crate::rng::Rng;
use crate::threads::Threads;

/// Many games of one kind, stepped together. A finished game starts anew in the same step, unless it is held.
pub struct VecGame<G: Game> {
    pass: Pass<G>,
    rows: Vec<Row<G>>,
    threads: Threads,
}

/// One game and its streams.
#[derive(Clone)]
struct Row<G: Game> {
    state: G::State,
    sampler: Rng,
    /// How many games this row has started.
    episode: u64,
}

/// A saved [`VecGame`]: its seed, and each row's state as text, number of games started and stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VecState {
    seed: u64,
    rows: Vec<(String, u64, Rng)>,
}

impl VecState {
    /// How many games.
    pub fn num_games(&self) -> usize {
        self.rows.len()
    }
}

/// Where a step writes its results, one row a game. A field left `None` is not computed.
///
/// The observation is that of the seat to move, of the new game where one has just ended; rewards and flags
/// speak of the ply just played.
#[derive(Default)]
pub struct BatchMut<'a> {
    /// `[N, C, R, W]` observation planes.
    pub planes: Option<&'a mut [u8]>,
    /// `[N, K]` observation scalars.
    pub scalars: Option<&'a mut [f32]>,
    /// `[N, A]` 1 for legal actions.
    pub mask: Option<&'a mut [i8]>,
    /// `[N, A / 64 rounded up]` the same in bits; see [`Game::mask_bits`].
    pub mask_bits: Option<&'a mut [u64]>,
    /// `[N]` seat to move.
    pub seat: Option<&'a mut [u8]>,
    /// `[N, seats]` what the ply just played gave to each seat.
    pub rewards: Option<&'a mut [f32]>,
    /// `[N]` the game just ended by its rules.
    pub terminated: Option<&'a mut [bool]>,
    /// `[N]` the game was just cut off by the ply limit.
    pub truncated: Option<&'a mut [bool]>,
    /// `[N]` plies played in the game.
    pub ply: Option<&'a mut [u32]>,
}

/// Lengths of one row of each field.
#[derive(Clone, Copy)]
struct Widths {
    planes: usize,
    scalars: usize,
    mask: usize,
    mask_bits: usize,
    seats: usize,
}

impl<'a> BatchMut<'a> {
    /// Cuts the batch before a row.
    fn split(self, row: usize, widths: Widths) -> (BatchMut<'a>, BatchMut<'a>) {
        fn cut<T>(slice: Option<&mut [T]>, at: usize) -> (Option<&mut [T]>, Option<&mut [T]>) {
            slice.map_or((None, None), |slice| {
                let (head, tail) = slice.split_at_mut(at);
                (Some(head), Some(tail))
            })
        }
        let planes = cut(self.planes, row * widths.planes);
        let scalars = cut(self.scalars, row * widths.scalars);
        let mask = cut(self.mask, row * widths.mask);
        let mask_bits = cut(self.mask_bits, row * widths.mask_bits);
        let seat = cut(self.seat, row);
        let rewards = cut(self.rewards, row * widths.seats);
        let terminated = cut(self.terminated, row);
        let truncated = cut(self.truncated, row);
        let ply = cut(self.ply, row);
        let head = BatchMut {
            planes: planes.0,
            scalars: scalars.0,
            mask: mask.0,
            mask_bits: mask_bits.0,
            seat: seat.0,
            rewards: rewards.0,
            terminated: terminated.0,
            truncated: truncated.0,
            ply: ply.0,
        };
        let tail = BatchMut {
            planes: planes.1,
            scalars: scalars.1,
            mask: mask.1,
            mask_bits: mask_bits.1,
            seat: seat.1,
            rewards: rewards.1,
            terminated: terminated.1,
            truncated: truncated.1,
            ply: ply.1,
        };
        (head, tail)
    }

    fn check(&self, rows: usize, widths: Widths) -> Result<(), Error> {
        let length = |name: &str, found: Option<usize>, row: usize| match found {
            Some(n) if n != rows * row => {
                Err(Error::Shape(format!("{name} has {n} values, expected {rows} games x {row}")))
            }
            _ => Ok(()),
        };
        length("planes", self.planes.as_ref().map(|s| s.len()), widths.planes)?;
        length("scalars", self.scalars.as_ref().map(|s| s.len()), widths.scalars)?;
        length("mask", self.mask.as_ref().map(|s| s.len()), widths.mask)?;
        length("mask_bits", self.mask_bits.as_ref().map(|s| s.len()), widths.mask_bits)?;
        length("seat", self.seat.as_ref().map(|s| s.len()), 1)?;
        length("rewards", self.rewards.as_ref().map(|s| s.len()), widths.seats)?;
        length("terminated", self.terminated.as_ref().map(|s| s.len()), 1)?;
        length("truncated", self.truncated.as_ref().map(|s| s.len()), 1)?;
        length("ply", self.ply.as_ref().map(|s| s.len()), 1)
    }
}

impl<G: Game> VecGame<G> {
    /// `num_games` games dealt from a seed, worked on by `threads` threads (1: the calling thread alone).
    ///
    /// # Errors
    /// When the threads cannot be started or there is no game.
    pub fn new(game: G, num_games: usize, seed: u64, threads: usize) -> Result<Self, Error> {
        if num_games == 0 {
            return Err(Error::Shape("number of games: expected at least 1".into()));
        }
        let threads = Threads::new(threads)?;
        let spec = game.spec();
        let ply_limit = spec.ply_limit.unwrap_or(u32::MAX);
        let widths = Widths {
            planes: spec.planes_len(),
            scalars: spec.num_scalars,
            mask: spec.num_actions,
            mask_bits: spec.mask_words(),
            seats: spec.num_seats,
        };
        let rows = (0..num_games).map(|i| Row::new(&game, seed, i)).collect();
        Ok(VecGame { pass: Pass { game, seed, ply_limit, hold: false, widths }, rows, threads })
    }

    /// Cuts games off after so many plies; they count as truncated, and nobody wins.
    pub fn with_ply_limit(mut self, plies: u32) -> Self {
        self.pass.ply_limit = plies;
        self
    }

    /// Leaves finished games as they ended, until [`VecGame::restart`] starts them anew.
    pub fn holding(mut self) -> Self {
        self.pass.hold = true;
        self
    }

    /// The rules.
    pub fn game(&self) -> &G {
        &self.pass.game
    }

    /// Number of games.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never true: there is at least one game.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// A game's state, hidden pieces included.
    pub fn state(&self, row: usize) -> &G::State {
        &self.rows[row].state
    }

    /// A number that no other game of these has, earlier ones of the row included.
    pub fn number(&self, row: usize) -> u64 {
        Rng::branch(self.pass.seed, &[row as u64, self.rows[row].episode]).bits()
    }

    /// Puts another state of an ongoing game, such as one from its middle, into a row.
    pub fn set_state(&mut self, row: usize, state: G::State) {
        self.rows[row].state = state;
    }

    /// Whether a game has ended, by its rules or by the ply limit, and waits for [`VecGame::restart`].
    pub fn is_over(&self, row: usize) -> bool {
        self.pass.is_over(&self.rows[row].state)
    }

    /// Everything a later [`VecGame::load`] needs to go on with the same games and streams.
    pub fn save(&self) -> VecState {
        let save = |row: &Row<G>| (self.pass.game.state_text(&row.state), row.episode, row.sampler.clone());
        VecState { seed: self.pass.seed, rows: self.rows.iter().map(save).collect() }
    }

    /// Goes on from what [`VecGame::save`] gave.
    ///
    /// # Errors
    /// Another number of games, or a state that cannot be read; nothing was changed.
    pub fn load(&mut self, saved: &VecState) -> Result<(), Error> {
        if saved.rows.len() != self.rows.len() {
            return Err(Error::Shape(format!("{} saved games for {}", saved.rows.len(), self.rows.len())));
        }
        let load = |(state, episode, sampler): &(String, u64, Rng)| {
            Ok(Row { state: self.pass.game.parse_state(state)?, episode: *episode, sampler: sampler.clone() })
        };
        self.rows = saved.rows.iter().map(load).collect::<Result<_, Error>>()?;
        self.pass.seed = saved.seed;
        Ok(())
    }

    /// Starts every game anew, from another seed where one is given, and writes the first observations.
    ///
    /// # Errors
    /// A field of the wrong length; nothing was changed.
    pub fn reset(&mut self, seed: Option<u64>, out: BatchMut<'_>) -> Result<(), Error> {
        out.check(self.rows.len(), self.pass.widths)?;
        let pass = &mut self.pass;
        pass.seed = seed.unwrap_or(pass.seed);
        for (i, row) in self.rows.iter_mut().enumerate() {
            *row = Row::new(&pass.game, pass.seed, i);
        }
        self.observe(out)
    }

    /// Starts the next game of the rows that are marked, finished or not. What they show is asked by
    /// [`VecGame::observe`].
    ///
    /// # Errors
    /// A wrong length; nothing was changed.
    pub fn restart(&mut self, rows: &[bool]) -> Result<(), Error> {
        self.one_a_game("marks", Some(rows.len()))?;
        for (i, row) in self.rows.iter_mut().enumerate().filter(|&(i, _)| rows[i]) {
            row.restart(&self.pass.game, self.pass.seed, i);
        }
        Ok(())
    }

    /// Writes the observations without a step; rewards and flags are zero.
    ///
    /// # Errors
    /// A field of the wrong length.
    pub fn observe(&mut self, out: BatchMut<'_>) -> Result<(), Error> {
        self.observe_as(None, None, out)
    }

    /// As [`VecGame::observe`], each game seen by the seat given for it rather than by the one to move. A seat that is
    /// not to move has no legal action. With `rows`, only the rows that are marked are written.
    ///
    /// # Errors
    /// A wrong length, or a seat that there is not.
    pub fn observe_as(
        &mut self,
        seats: Option<&[Seat]>,
        rows: Option<&[bool]>,
        out: BatchMut<'_>,
    ) -> Result<(), Error> {
        self.one_a_game("seats", seats.map(<[Seat]>::len))?;
        self.one_a_game("marks", rows.map(<[bool]>::len))?;
        out.check(self.rows.len(), self.pass.widths)?;
        let last = self.pass.widths.seats - 1;
        if let Some(row) = seats.and_then(|seats| seats.iter().position(|&seat| usize::from(seat) > last)) {
            return Err(Error::Shape(format!("row {row}: seats are numbered 0 to {last}")));
        }
        self.run(Orders { actions: None, chosen: rows, seats }, out);
        Ok(())
    }

    /// Plays one action in every game.
    ///
    /// # Errors
    /// A wrong length, or an illegal action (the first row that has one is named). No game was changed.
    pub fn step(&mut self, actions: &[i32], out: BatchMut<'_>) -> Result<(), Error> {
        self.step_rows(actions, None, out)
    }

    /// Plays one action in each of the games that are marked, or in every game. The others wait: their action is not
    /// looked at, and they show where they stand, with rewards and flags of zero.
    ///
    /// # Errors
    /// As [`VecGame::step`]; an action in a game that has ended and is held is illegal.
    pub fn step_rows(&mut self, actions: &[i32], rows: Option<&[bool]>, out: BatchMut<'_>) -> Result<(), Error> {
        self.one_a_game("actions", Some(actions.len()))?;
        self.one_a_game("marks", rows.map(<[bool]>::len))?;
        out.check(self.rows.len(), self.pass.widths)?;
        match self.run(Orders { actions: Some(actions), chosen: rows, seats: None }, out) {
            None => Ok(()),
            Some(row) if self.pass.hold && self.is_over(row) => {
                Err(Error::Row { row, message: "the game is over and waits to be started anew".into() })
            }
            Some(row) => {
                let message = describe_illegal(&self.pass.game, &self.rows[row].state, actions[row]);
                Err(Error::Row { row, message })
            }
        }
    }

    /// Draws a uniformly random legal action for every game from the game's own stream; -1 for a game that has ended
    /// and is held.
    ///
    /// # Errors
    /// A wrong length.
    pub fn sample_actions(&mut self, out: &mut [i32]) -> Result<(), Error> {
        if out.len() != self.rows.len() {
            return Err(Error::Shape(format!("{} places for {} actions", out.len(), self.rows.len())));
        }
        let (pass, games) = (&self.pass, self.rows.len());
        self.threads.share_out(games, (&mut self.rows[..], out), cut_pair, |(rows, out), _| {
            for (row, action) in rows.iter_mut().zip(out) {
                if pass.hold && pass.is_over(&row.state) {
                    *action = -1;
                    continue;
                }
                let view = pass.game.view(&row.state, pass.game.to_move(&row.state));
                *action = i32::from(pass.game.sample(view, &mut row.sampler));
            }
        });
        Ok(())
    }

    fn one_a_game(&self, what: &str, found: Option<usize>) -> Result<(), Error> {
        match (found, self.rows.len()) {
            (Some(found), games) if found != games => Err(Error::Shape(format!("{found} {what} for {games} games"))),
            _ => Ok(()),
        }
    }

    /// Does as ordered and writes what `out` asks for; if an action is not legal, it changes nothing and gives the
    /// number of the first such row.
    fn run(&mut self, orders: Orders<'_>, out: BatchMut<'_>) -> Option<usize> {
        let (pass, games) = (&self.pass, self.rows.len());
        let whole = Share { first: 0, rows: &mut self.rows[..], orders, out };
        let illegal = AtomicUsize::new(usize::MAX);
        self.threads.share_out(
            games,
            whole,
            |share, at| share.cut(at, pass.widths),
            |share, barrier| {
                if let Some(actions) = share.orders.actions {
                    barrier.after(|| {
                        if let Some(row) = pass.first_illegal(share.rows, actions, share.orders.chosen) {
                            illegal.fetch_min(share.first + row, Ordering::Relaxed);
                        }
                    });
                }
                if illegal.load(Ordering::Relaxed) == usize::MAX {
                    pass.run(share);
                }
            },
        );
        Some(illegal.into_inner()).filter(|&row| row != usize::MAX)
    }
}

/// What a pass is to do, one entry a game in each list.
#[derive(Clone, Copy)]
struct Orders<'a> {
    /// What to play; `None` only looks.
    actions: Option<&'a [i32]>,
    /// The games that play, or that are looked at where nobody plays; `None` is all of them.
    chosen: Option<&'a [bool]>,
    /// Who looks; `None` is the seat to move.
    seats: Option<&'a [Seat]>,
}

impl Orders<'_> {
    fn cut(self, at: usize) -> [Self; 2] {
        let (actions, actions_tail) = self.actions.map(|all| all.split_at(at)).unzip();
        let (chosen, chosen_tail) = self.chosen.map(|all| all.split_at(at)).unzip();
        let (seats, seats_tail) = self.seats.map(|all| all.split_at(at)).unzip();
        [Orders { actions, chosen, seats }, Orders { actions: actions_tail, chosen: chosen_tail, seats: seats_tail }]
    }
}

/// Games that one thread steps.
struct Share<'a, G: Game> {
    /// The number of the first.
    first: usize,
    rows: &'a mut [Row<G>],
    orders: Orders<'a>,
    out: BatchMut<'a>,
}

impl<G: Game> Share<'_, G> {
    fn cut(self, at: usize, widths: Widths) -> [Self; 2] {
        let (rows, rows_tail) = self.rows.split_at_mut(at);
        let [orders, orders_tail] = self.orders.cut(at);
        let (out, out_tail) = self.out.split(at, widths);
        let head = Share { first: self.first, rows, orders, out };
        [head, Share { first: self.first + at, rows: rows_tail, orders: orders_tail, out: out_tail }]
    }
}

fn cut_pair<'a, A, B>((a, b): (&'a mut [A], &'a mut [B]), at: usize) -> [(&'a mut [A], &'a mut [B]); 2] {
    let ((a, a_tail), (b, b_tail)) = (a.split_at_mut(at), b.split_at_mut(at));
    [(a, b), (a_tail, b_tail)]
}

impl<G: Game> Row<G> {
    fn new(game: &G, seed: u64, index: usize) -> Row<G> {
        Row {
            state: game.deal(&mut Rng::branch(seed, &[index as u64, 0])),
            sampler: Rng::branch(seed, &[index as u64, u64::MAX]),
            episode: 1,
        }
    }

    /// The next game of this row: its deal depends on the seed, the row and the number of the game only.
    fn restart(&mut self, game: &G, seed: u64, index: usize) {
        self.state = game.deal(&mut Rng::branch(seed, &[index as u64, self.episode]));
        self.episode += 1;
    }
}

/// What a pass over the games needs besides them.
struct Pass<G> {
    game: G,
    seed: u64,
    ply_limit: u32,
    /// Whether finished games are left as they ended.
    hold: bool,
    widths: Widths,
}

impl<G: Game> Pass<G> {
    fn is_over(&self, state: &G::State) -> bool {
        !self.game.status(state).is_ongoing() || self.game.plies(state) >= self.ply_limit
    }

    /// The first of these rows whose action is not legal, among those chosen.
    fn first_illegal(&self, rows: &[Row<G>], actions: &[i32], chosen: Option<&[bool]>) -> Option<usize> {
        let legal = |(row, &action): (&Row<G>, &i32)| {
            let view = self.game.view(&row.state, self.game.to_move(&row.state));
            Action::try_from(action).is_ok_and(|action| self.game.is_legal(view, action))
                && !(self.hold && self.is_over(&row.state))
        };
        let waits = |i: usize| chosen.is_some_and(|chosen| !chosen[i]);
        rows.iter().zip(actions).enumerate().position(|(i, pair)| !waits(i) && !legal(pair))
    }

    /// Does what a share's orders say, and writes what its `out` asks for.
    fn run(&self, share: Share<'_, G>) {
        let Share { first, rows, orders, mut out } = share;
        let Widths { planes, scalars, mask, mask_bits, seats } = self.widths;
        for (i, row) in rows.iter_mut().enumerate() {
            let (mut terminated, mut truncated) = (false, false);
            let chosen = orders.chosen.is_none_or(|chosen| chosen[i]);
            if !chosen && orders.actions.is_none() {
                continue;
            }
            let mut rewards = out.rewards.as_deref_mut().map(|all| &mut all[i * seats..][..seats]);
            if let Some(rewards) = &mut rewards {
                rewards.fill(0.0);
            }
            if let Some(actions) = orders.actions
                && chosen
            {
                self.game.play(&mut row.state, actions[i] as Action);
                if self.is_over(&row.state) {
                    let status = self.game.status(&row.state);
                    truncated = status.is_ongoing();
                    terminated = !truncated;
                    if let Some(rewards) = rewards {
                        (0..seats).for_each(|seat| rewards[seat] = status.value(seat as Seat));
                    }
                    if !self.hold {
                        row.restart(&self.game, self.seed, first + i);
                    }
                }
            }
            let to_move = self.game.to_move(&row.state);
            let seat = orders.seats.map_or(to_move, |seats| seats[i]);
            if out.planes.is_some() || out.scalars.is_some() {
                self.game.settle(&mut row.state, seat);
                let view = self.game.view(&row.state, seat);
                let planes = out.planes.as_deref_mut().map_or(&mut [][..], |all| &mut all[i * planes..][..planes]);
                let scalars = out.scalars.as_deref_mut().map_or(&mut [][..], |all| &mut all[i * scalars..][..scalars]);
                self.game.observe(view, seat, planes, scalars);
            }
            if let Some(all) = &mut out.mask {
                let all = &mut all[i * mask..][..mask];
                if seat == to_move {
                    self.game.mask(self.game.view(&row.state, seat), all);
                } else {
                    all.fill(0);
                }
            }
            if let Some(all) = &mut out.mask_bits {
                let all = &mut all[i * mask_bits..][..mask_bits];
                if seat == to_move {
                    self.game.mask_bits(self.game.view(&row.state, seat), all);
                } else {
                    all.fill(0);
                }
            }
            if let Some(all) = &mut out.seat {
                all[i] = to_move;
            }
            if let Some(all) = &mut out.terminated {
                all[i] = terminated;
            }
            if let Some(all) = &mut out.truncated {
                all[i] = truncated;
            }
            if let Some(all) = &mut out.ply {
                all[i] = self.game.plies(&row.state);
            }
        }
    }
}

/// Says what is wrong with an action and which ones are legal.
pub(crate) fn describe_illegal<G: Game>(game: &G, state: &G::State, action: i32) -> String {
    let view = game.view(state, game.to_move(state));
    let count = game.spec().num_actions;
    let number = Action::try_from(action).ok().filter(|&number| usize::from(number) < count);
    let Some(number) = number else {
        return format!("action {action} does not exist: they are numbered from 0 to {}", count - 1);
    };
    let name = game.action_name(number);
    if !game.view_status(view).is_ongoing() {
        return format!("action {action} ({name}): the game is over");
    }
    let mut legal = Actions::new();
    game.legal(view, &mut legal);
    let names: Vec<String> = legal.iter().map(|&action| game.action_name(action)).collect();
    format!("action {action} ({name}) is not legal here; legal are {}", names.join(" "))
}

//! Thousands of games behind one Python object.

use std::sync::{Mutex, MutexGuard};

use anqi_env::any::{AnyRules, AnyVecGame};
use anqi_env::game::Spec;
use anqi_env::vector::{BatchMut, VecState};
use anqi_env::with_vec_family;
use numpy::{Element, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde::{Deserialize, Serialize};

use crate::args::Arg;
use crate::batch::{Batch, Reserved, Sizes};
use crate::game::Game;
use crate::{actions, args, errors};

/// How many of the batches handed out last are remembered, to be used again once nobody holds them: fresh memory
/// costs a page fault for every 4 KiB, which takes as long as playing the games.
const POOL: usize = 64;

/// Memory that they may keep from others, save the few that any loop needs.
const POOL_BYTES: usize = 128 << 20;
const POOL_LEAST: usize = 4;

/// More games than fit into the memory of most machines; one mistyped digit must not end the process.
const MAX_GAMES: u64 = 1 << 22;
const MAX_THREADS: u64 = 1 << 10;

/// Thousands of games of one kind, stepped together in Rust; each row is one game seen by the seat to move.
///
/// A game that ends starts anew in the same step. The same seed gives the same games, whatever the number of threads.
///
/// Args:
///     game: The game with its profile and options, such as "darkchess:icga".
///     num_envs: How many games, N.
///     seed: What the deals and `sample_actions` follow from; None takes a fresh one, which `seed` then tells.
///     threads: Threads that share the work; None takes one for each core.
///     copy: True gives arrays that are safe to keep; False gives the same arrays again in every step.
///     max_plies: Cuts games off after so many plies (`truncated`); None leaves the end to the rules.
///     autoreset: True starts a finished game anew in the same step; False keeps it as it ended until
///         `reset(rows=..)`.
///     **options: Options of the game, such as quiet_limit=50.
#[pyclass(frozen, module = "anqi")]
pub(crate) struct VecGame {
    spec: Spec,
    sizes: Sizes,
    threads: usize,
    copy: bool,
    autoreset: bool,
    max_plies: Option<u32>,
    /// The process the threads live in; a fork has none of them.
    process: u32,
    inner: Mutex<Inner>,
}

/// Seat to move, rewards, terminated, truncated.
type Played<'py> =
    (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<bool>>);

pub(crate) struct Inner {
    pub(crate) games: AnyVecGame,
    seed: u64,
    actions: Vec<i32>,
    /// The last batches handed out.
    issued: Vec<Py<Batch>>,
}

#[pymethods]
impl VecGame {
    #[new]
    #[pyo3(
        signature = (
            game = "darkchess", num_envs = Arg::Omitted, seed = Arg::Omitted, threads = None, copy = true,
            max_plies = None, autoreset = true, **options
        ),
        text_signature = "(game='darkchess', num_envs=1024, seed=0, threads=None, copy=True, max_plies=None, \
                          autoreset=True, **options)"
    )]
    #[expect(clippy::too_many_arguments, reason = "the keyword arguments of the Python class")]
    fn new(
        py: Python<'_>,
        game: &str,
        num_envs: Arg<'_>,
        seed: Arg<'_>,
        threads: Option<&Bound<'_, PyAny>>,
        copy: bool,
        max_plies: Option<&Bound<'_, PyAny>>,
        autoreset: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let rules = args::rules(game, options)?;
        let num_games = match num_envs {
            Arg::Omitted => 1024,
            Arg::Given(number) => args::number("num_envs", &number, 1..=MAX_GAMES)? as usize,
        };
        let seed = match seed {
            Arg::Omitted => 0,
            Arg::Given(seed) => args::seed(py, Some(seed).as_ref().filter(|seed| !seed.is_none()))?,
        };
        let threads = match threads {
            None => std::thread::available_parallelism().map_or(1, usize::from),
            Some(number) => args::number("threads", number, 1..=MAX_THREADS)? as usize,
        };
        let max_plies = match max_plies {
            None => None,
            Some(number) => Some(args::number("max_plies", number, 1..=u64::from(u32::MAX))? as u32),
        };
        py.detach(|| VecGame::build(&rules, num_games, seed, threads, copy, max_plies, autoreset))
    }

    /// The game with its profile and options.
    #[getter]
    fn name(&self) -> &str {
        &self.spec.name
    }

    /// Number of games, N.
    #[getter]
    fn num_envs(&self) -> usize {
        self.sizes.games
    }

    /// Number of actions, A.
    #[getter]
    fn num_actions(&self) -> usize {
        self.sizes.actions
    }

    /// Number of seats at the board.
    #[getter]
    fn num_seats(&self) -> usize {
        self.sizes.seats
    }

    /// Number of scalars of an observation, K.
    #[getter]
    fn num_scalars(&self) -> usize {
        self.sizes.scalars
    }

    /// Planes, rows and columns of an observation: (C, H, W).
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        let [planes, rows, columns] = self.sizes.planes;
        (planes, rows, columns)
    }

    /// Threads that share the work.
    #[getter]
    fn threads(&self) -> usize {
        self.threads
    }

    /// Plies after which a game is cut off; None when only the rules end it.
    #[getter]
    fn max_plies(&self) -> Option<u32> {
        self.max_plies
    }

    /// Whether a finished game starts anew in the same step.
    #[getter]
    fn autoreset(&self) -> bool {
        self.autoreset
    }

    /// The seed that the games follow from.
    #[getter]
    fn seed(&self) -> PyResult<u64> {
        Ok(self.lock()?.seed)
    }

    /// Starts every game anew, from another seed where one is given, and gives the first observations.
    ///
    /// Args:
    ///     seed: Another seed; None takes the same games again.
    ///     rows: bool [N], starts only these rows anew, each with its next deal, and leaves the others as they are.
    #[pyo3(signature = (seed = None, rows = None))]
    fn reset(
        &self,
        py: Python<'_>,
        seed: Option<&Bound<'_, PyAny>>,
        rows: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<Batch>> {
        let seed = seed.map(|seed| args::number("seed", seed, 0..=u64::MAX)).transpose()?;
        let rows = self.marks(rows)?;
        if seed.is_some() && rows.is_some() {
            return Err(PyValueError::new_err("seed and rows: a seed is for all rows; give one or the other"));
        }
        let mut inner = self.lock()?;
        let (batch, mut arrays) = self.issue(py, &mut inner)?;
        inner.seed = seed.unwrap_or(inner.seed);
        let (games, out) = (&mut inner.games, arrays.slices()?);
        py.detach(|| {
            with_vec_family!(games, games => match &rows {
                None => games.reset(seed, out),
                Some(rows) => games.restart(rows).and_then(|()| games.observe(out)),
            })
        })
        .map_err(errors::value)?;
        Ok(batch)
    }

    /// Where every game stands, without a ply; rewards and flags are zero.
    ///
    /// Args:
    ///     seats: uint8 [N], whose eyes each game is seen with; None is the seat to move. A seat that is not to move
    ///         has a mask of zeros.
    #[pyo3(signature = (seats = None))]
    fn observe(&self, py: Python<'_>, seats: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Batch>> {
        let seats = self.one_a_game("seats", "uint8", seats)?;
        let mut inner = self.lock()?;
        let (batch, mut arrays) = self.issue(py, &mut inner)?;
        let (games, out) = (&mut inner.games, arrays.slices()?);
        py.detach(|| with_vec_family!(games, games => games.observe_as(seats.as_deref(), None, out)))
            .map_err(errors::value)?;
        Ok(batch)
    }

    /// Plays one action in every game; a game that ends starts anew in the same call, unless `autoreset` is False.
    ///
    /// Args:
    ///     actions: Any integers of shape [N].
    ///     rows: bool [N], plays in these rows only. The others wait, their actions unread, and show where they stand.
    ///
    /// Raises:
    ///     IllegalActionError: An action is not legal in its row, which is named. No game was changed.
    #[pyo3(signature = (actions, rows = None))]
    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, rows: Option<&Bound<'_, PyAny>>) -> PyResult<Py<Batch>> {
        let rows = self.marks(rows)?;
        let mut inner = self.lock()?;
        self.read(actions, &mut inner)?;
        let (batch, mut arrays) = self.issue(py, &mut inner)?;
        inner.play(py, rows.as_deref(), arrays.slices()?)?;
        Ok(batch)
    }

    /// As `step`, but writes into the arrays of a batch that is given: one from here, or a `Batch` of your own arrays.
    #[pyo3(signature = (actions, batch, rows = None))]
    fn step_into(
        &self,
        py: Python<'_>,
        actions: &Bound<'_, PyAny>,
        batch: &Bound<'_, Batch>,
        rows: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        let rows = self.marks(rows)?;
        let mut inner = self.lock()?;
        self.read(actions, &mut inner)?;
        let mut arrays = batch.get().reserve(py, self.sizes)?;
        inner.play(py, rows.as_deref(), arrays.slices()?)
    }

    /// Legal actions of the games as they stand, an eighth of the memory of a mask: uint64 [N, A / 64 rounded up].
    ///
    /// Action `a` is bit `a % 64` of word `a // 64`. `numpy.unpackbits(bits.view("uint8"), axis=1, bitorder="little")`
    /// gives the mask, followed by zeros, on a machine whose first byte is the lowest.
    fn mask_bits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u64>>> {
        let mut inner = self.lock()?;
        let bits = PyArray2::<u64>::zeros(py, [self.sizes.games, self.sizes.actions.div_ceil(64)], false);
        {
            let mut bits = bits.try_readwrite()?;
            let out = BatchMut { mask_bits: Some(bits.as_slice_mut()?), ..BatchMut::default() };
            let games = &mut inner.games;
            py.detach(|| with_vec_family!(games, games => games.observe(out))).map_err(errors::value)?;
        }
        Ok(bits)
    }

    /// As `step`, without observations: the seat to move in each game, and the ply's rewards, terminated, truncated.
    fn _play<'py>(
        &self,
        py: Python<'py>,
        actions: &Bound<'py, PyAny>,
        rows: &Bound<'py, PyAny>,
    ) -> PyResult<Played<'py>> {
        let rows = self.marks(Some(rows))?;
        let mut inner = self.lock()?;
        self.read(actions, &mut inner)?;
        let games = self.sizes.games;
        let seat = PyArray1::<u8>::zeros(py, games, false);
        let rewards = PyArray2::<f32>::zeros(py, [games, self.sizes.seats], false);
        let [terminated, truncated] = [0; 2].map(|_| PyArray1::<bool>::zeros(py, games, false));
        {
            let (mut seat, mut rewards) = (seat.try_readwrite()?, rewards.try_readwrite()?);
            let (mut terminated, mut truncated) = (terminated.try_readwrite()?, truncated.try_readwrite()?);
            let out = BatchMut {
                seat: Some(seat.as_slice_mut()?),
                rewards: Some(rewards.as_slice_mut()?),
                terminated: Some(terminated.as_slice_mut()?),
                truncated: Some(truncated.as_slice_mut()?),
                ..BatchMut::default()
            };
            inner.play(py, rows.as_deref(), out)?;
        }
        Ok((seat, rewards, terminated, truncated))
    }

    /// As `reset(rows=..)`, without observations: the seat to move in each game.
    fn _restart<'py>(&self, py: Python<'py>, rows: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let rows = self.marks(Some(rows))?.unwrap_or_default();
        let mut inner = self.lock()?;
        let seat = PyArray1::<u8>::zeros(py, self.sizes.games, false);
        {
            let mut seat = seat.try_readwrite()?;
            let out = BatchMut { seat: Some(seat.as_slice_mut()?), ..BatchMut::default() };
            let games = &mut inner.games;
            py.detach(|| with_vec_family!(games, games => games.restart(&rows).and_then(|()| games.observe(out))))
                .map_err(errors::value)?;
        }
        Ok(seat)
    }

    /// As `observe`, into a batch that is given, and only the rows that are marked.
    fn _observe_into(
        &self,
        py: Python<'_>,
        seats: &Bound<'_, PyAny>,
        rows: &Bound<'_, PyAny>,
        batch: &Bound<'_, Batch>,
    ) -> PyResult<()> {
        let seats: Option<Vec<u8>> = self.one_a_game("seats", "uint8", Some(seats))?;
        let rows = self.marks(Some(rows))?;
        let mut inner = self.lock()?;
        let mut arrays = batch.get().reserve(py, self.sizes)?;
        let (games, out) = (&mut inner.games, arrays.slices()?);
        py.detach(|| with_vec_family!(games, games => games.observe_as(seats.as_deref(), rows.as_deref(), out)))
            .map_err(errors::value)
    }

    /// Draws a uniformly random legal action for every game: int32 [N]; -1 for a finished game that is kept.
    fn sample_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let mut inner = self.lock()?;
        let actions = PyArray1::<i32>::zeros(py, self.sizes.games, false);
        {
            let mut array = actions.try_readwrite()?;
            let (slice, games) = (array.as_slice_mut()?, &mut inner.games);
            py.detach(|| with_vec_family!(games, games => games.sample_actions(slice))).map_err(errors::value)?;
        }
        Ok(actions)
    }

    /// An independent copy of one row's game, hidden pieces included.
    fn game(&self, row: &Bound<'_, PyAny>) -> PyResult<Game> {
        let inner = self.lock()?;
        let outside = |fault: PyErr| match fault.is_instance_of::<PyValueError>(row.py()) {
            true => PyIndexError::new_err(fault.value(row.py()).to_string()),
            false => fault,
        };
        let row = args::number("row", row, 0..=self.sizes.games as u64 - 1).map_err(outside)?;
        Ok(Game::new(inner.games.copy_row(row as usize, inner.seed)))
    }

    /// The public position of every game as text.
    fn positions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let inner = self.lock()?;
        let games = &inner.games;
        Ok(py.detach(|| (0..self.sizes.games).map(|row| games.position(row)).collect()))
    }

    /// An independent copy: the same games, hidden pieces included, and the same draws to come.
    fn copy(&self, py: Python<'_>) -> PyResult<VecGame> {
        self.saved()?.load(py)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<VecGame> {
        self.copy(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<VecGame> {
        self.copy(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.import("anqi._native")?.getattr("_load_vec_game")?;
        Ok((load, (serde_json::to_string(&self.saved()?).map_err(json)?,)))
    }

    fn __len__(&self) -> usize {
        self.sizes.games
    }

    fn __repr__(&self) -> String {
        let VecGame { spec, sizes, threads, .. } = self;
        format!("<anqi.VecGame {}, {} games, {threads} threads>", spec.name, sizes.games)
    }
}

/// Everything that a pickled VecGame keeps.
#[derive(Serialize, Deserialize)]
struct Saved {
    game: String,
    threads: usize,
    copy: bool,
    autoreset: bool,
    max_plies: Option<u32>,
    seed: u64,
    games: VecState,
}

impl Saved {
    fn load(self, py: Python<'_>) -> PyResult<VecGame> {
        let rules = AnyRules::parse(&self.game).map_err(errors::value)?;
        let Saved { threads, copy, autoreset, max_plies, seed, games, .. } = self;
        py.detach(|| {
            let made = VecGame::build(&rules, games.num_games(), seed, threads, copy, max_plies, autoreset)?;
            made.lock()?.games.load(&games).map_err(errors::value)?;
            Ok(made)
        })
    }
}

/// Makes pickled games again.
#[pyfunction(name = "_load_vec_game")]
pub(crate) fn load(py: Python<'_>, saved: &str) -> PyResult<VecGame> {
    serde_json::from_str::<Saved>(saved).map_err(json)?.load(py)
}

fn json(fault: serde_json::Error) -> PyErr {
    PyValueError::new_err(fault.to_string())
}

impl VecGame {
    fn build(
        rules: &AnyRules,
        num_games: usize,
        seed: u64,
        threads: usize,
        copy: bool,
        max_plies: Option<u32>,
        autoreset: bool,
    ) -> PyResult<VecGame> {
        let mut games = rules.start_many(num_games, seed, threads).map_err(errors::value)?;
        let spec = rules.spec().clone();
        let limit = max_plies.or(spec.ply_limit);
        if let Some(plies) = limit {
            games = games.with_ply_limit(plies);
        }
        if !autoreset {
            games = games.holding();
        }
        Ok(VecGame {
            sizes: Sizes::new(num_games, &spec),
            max_plies: limit,
            spec,
            threads,
            copy,
            autoreset,
            process: std::process::id(),
            inner: Mutex::new(Inner { games, seed, actions: Vec::with_capacity(num_games), issued: Vec::new() }),
        })
    }

    fn saved(&self) -> PyResult<Saved> {
        let VecGame { threads, copy, autoreset, max_plies, .. } = *self;
        let inner = self.lock()?;
        let (game, seed, games) = (self.spec.name.clone(), inner.seed, inner.games.save());
        Ok(Saved { game, threads, copy, autoreset, max_plies, seed, games })
    }

    pub(crate) fn lock(&self) -> PyResult<MutexGuard<'_, Inner>> {
        // A fork copies the object but not its threads: waiting for them would never end.
        if self.threads > 1 && std::process::id() != self.process {
            return Err(PyRuntimeError::new_err(
                "this VecGame was made before the process forked: make it in the process that uses it, or with threads=1",
            ));
        }
        self.inner.try_lock().map_err(|_| {
            PyRuntimeError::new_err("this VecGame is working in another thread: give each thread a VecGame of its own")
        })
    }

    /// Whether finished games are kept as they ended.
    pub(crate) fn holds(&self) -> bool {
        !self.autoreset
    }

    /// Which rows are meant: a truth value a game.
    pub(crate) fn marks(&self, rows: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<bool>>> {
        self.one_a_game("rows", "bool", rows)
    }

    /// An array with an element for each game.
    fn one_a_game<T: Element + Copy>(
        &self,
        name: &str,
        dtype: &str,
        array: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Option<Vec<T>>> {
        let Some(array) = array else { return Ok(None) };
        let games = self.sizes.games;
        match array.extract::<PyReadonlyArray1<'_, T>>() {
            Ok(array) if array.as_array().len() == games => Ok(Some(array.as_array().to_vec())),
            _ => {
                let found = match array.cast::<PyUntypedArray>() {
                    Ok(array) => format!("{} {}", array.dtype().str()?, array.getattr("shape")?),
                    Err(_) => array.get_type().name()?.to_string(),
                };
                let expected = format!("{dtype} ({games},)");
                Err(PyValueError::new_err(format!("{name}: expected a NumPy array, {expected}, not {found}")))
            }
        }
    }

    fn read(&self, actions: &Bound<'_, PyAny>, inner: &mut Inner) -> PyResult<()> {
        actions::read(actions, self.sizes.games, self.sizes.actions, &mut inner.actions)
    }

    /// A batch that nobody else holds, or with `copy=False` the one batch there is, ready to be written into.
    fn issue<'py>(&self, py: Python<'py>, inner: &mut Inner) -> PyResult<(Py<Batch>, Reserved<'py>)> {
        let free = |batch: &Py<Batch>| !self.copy || Batch::is_idle(batch.bind(py));
        if let Some(place) = inner.issued.iter().position(free) {
            let batch = inner.issued[place].clone_ref(py);
            match batch.get().reserve(py, self.sizes) {
                Ok(arrays) => return Ok((batch, arrays)),
                Err(fault) if !self.copy => return Err(fault),
                // Somebody made an array read-only or changed its shape before letting it go.
                Err(_) => drop(inner.issued.remove(place)),
            }
        }
        let batch = Py::new(py, Batch::zeros(py, self.sizes)?)?;
        let arrays = batch.get().reserve(py, self.sizes)?;
        if inner.issued.len() >= POOL.min(POOL_BYTES / self.sizes.bytes()).max(POOL_LEAST) {
            inner.issued.remove(0);
        }
        inner.issued.push(batch.clone_ref(py));
        Ok((batch, arrays))
    }
}

impl Inner {
    fn play(&mut self, py: Python<'_>, rows: Option<&[bool]>, out: BatchMut<'_>) -> PyResult<()> {
        let Inner { games, actions, .. } = self;
        py.detach(|| with_vec_family!(games, games => games.step_rows(actions, rows, out))).map_err(errors::value)
    }
}

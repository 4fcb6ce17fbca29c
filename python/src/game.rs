//! One game.

use std::ffi::CString;
use std::path::PathBuf;

use anqi_env::any::{AnyGame, Forfeit, SavedGame};
use anqi_env::draw::Theme;
use anqi_env::game::{Action, Belief, Seat};
use anqi_env::record::{Format, Grade, Record};
use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::exceptions::{PyOSError, PyOverflowError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict, PyBool, PyDict, PyString};

use crate::{args, errors};

/// One game, its hidden pieces dealt from a seed.
///
/// Actions are numbers below `num_actions` or names such as "b3" (flip) and "a4-a5" (step or capture).
///
/// Args:
///     game: The game with its profile and options, such as "darkchess:icga,quiet_limit=100".
///     seed: The seed of the deal; None takes a fresh one, which `seed` then tells.
///     **options: Options of the game, such as quiet_limit=50.
#[pyclass(module = "anqi")]
pub(crate) struct Game {
    game: Box<dyn AnyGame>,
}

/// Place, owner, and the probability of each kind.
pub(crate) type Believed<'py> = (String, Option<Seat>, Bound<'py, PyDict>);

/// Beliefs as Python gets them.
pub(crate) fn believed(py: Python<'_>, beliefs: Vec<Belief>) -> PyResult<Vec<Believed<'_>>> {
    let tuple = |belief: Belief| Ok((belief.place, belief.owner, belief.kinds.into_py_dict(py)?));
    beliefs.into_iter().map(tuple).collect()
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (game = "darkchess", seed = None, **options))]
    fn start(
        py: Python<'_>,
        game: &str,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let rules = args::rules(game, options)?;
        Ok(Game::new(rules.start(args::seed(py, seed)?)))
    }

    /// A game that goes on from a position; its hidden pieces are drawn from a seed among those that fit.
    #[staticmethod]
    #[pyo3(signature = (game, text, seed = None, **options))]
    fn from_position(
        py: Python<'_>,
        game: &str,
        text: &str,
        seed: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let rules = args::rules(game, options)?;
        rules.start_from(text, args::seed(py, seed)?).map(Game::new).map_err(errors::value)
    }

    /// The game of a record, every ply checked.
    ///
    /// Args:
    ///     text_or_path: The record itself or a file that holds it. A str with a line break, or one that begins
    ///         as a record does ("[" or "1."), is the record.
    ///     format: "auto", "anqi", "tcga", "ntu", "seed", "jgs" (a file of bytes) or "misty".
    ///     game: Rules that stand before those that the record names.
    ///     strict: Refuse a record with any defect. Otherwise what has one meaning is read so, with a warning.
    #[staticmethod]
    #[pyo3(signature = (text_or_path, format = "auto", game = None, strict = false))]
    fn from_record(text_or_path: &Bound<'_, PyAny>, format: &str, game: Option<&str>, strict: bool) -> PyResult<Self> {
        let known = (format != "auto").then(|| Format::parse(format)).transpose().map_err(|_| {
            let known = Format::ALL.map(Format::name).join(", ");
            PyValueError::new_err(format!("unknown format '{format}': known formats are auto, {known}"))
        })?;
        let rules = game.map(|name| args::rules(name, None)).transpose()?;
        let (bytes, place) = match text_or_path.extract::<String>() {
            Ok(text) if text.contains('\n') || text.starts_with('[') || text.starts_with("1.") => {
                (text.into_bytes(), None)
            }
            _ => {
                let path: PathBuf = text_or_path
                    .extract()
                    .or_else(|_| Err(args::wrong_type("text_or_path", "a str or a path", text_or_path)?))?;
                (read_file(text_or_path.py(), &path)?, Some(path))
            }
        };
        let place = place.map_or(String::new(), |path| format!("{}: ", path.display()));
        let fault = |fault: String| PyValueError::new_err(format!("{place}{fault}"));
        let mut readings = known
            .map_or_else(|| Format::of_file(&bytes), Ok)
            .and_then(|format| Record::read_file(&bytes, format, rules.as_ref(), strict))
            .map_err(|told| fault(told.to_string()))?;
        if readings.len() != 1 {
            return Err(fault(format!("record: it holds {} games: read them one by one", readings.len())));
        }
        let reading = readings.remove(0);
        let checked = reading.record.check();
        let defects = || reading.defects.iter().chain(&checked.defects);
        if let Some(defect) = defects().find(|defect| strict || defect.grade >= Grade::Contradiction) {
            return Err(fault(format!("record, {defect}")));
        }
        for defect in defects() {
            let told = CString::new(format!("{place}record, {defect}"))?;
            PyErr::warn(text_or_path.py(), &text_or_path.py().get_type::<PyUserWarning>(), &told, 1)?;
        }
        checked.game.map(Game::new).ok_or_else(|| fault("record: it holds no game".into()))
    }

    /// The game with its profile and options.
    #[getter]
    fn name(&self) -> &str {
        &self.game.spec().name
    }

    /// Hash of the rules, 16 hexadecimal digits: the same for equal rules however they were named.
    #[getter]
    fn rules_hash(&self) -> String {
        format!("{:016x}", self.game.spec().rules_hash)
    }

    /// Version of the observation and action encoding.
    #[getter]
    fn encoding(&self) -> u32 {
        self.game.spec().encoding
    }

    /// The seed of the deal.
    #[getter]
    fn seed(&self) -> u64 {
        self.game.seed()
    }

    /// Number of actions, A; legal ones are among 0 to A-1.
    #[getter]
    fn num_actions(&self) -> usize {
        self.game.spec().num_actions
    }

    /// Number of seats at the board.
    #[getter]
    fn num_seats(&self) -> usize {
        self.game.spec().num_seats
    }

    /// Number of scalars of an observation, K.
    #[getter]
    fn num_scalars(&self) -> usize {
        self.game.spec().num_scalars
    }

    /// Planes, rows and columns of an observation: (C, H, W).
    #[getter]
    fn planes_shape(&self) -> (usize, usize, usize) {
        let [planes, rows, columns] = self.game.spec().planes;
        (planes, rows, columns)
    }

    /// What stands for one in the planes: 1, in Junqi 255.
    #[getter]
    fn plane_unit(&self) -> u8 {
        self.game.spec().plane_unit
    }

    /// The seat to move.
    #[getter]
    fn to_move(&self) -> Seat {
        self.game.to_move()
    }

    /// Plies played.
    #[getter]
    fn ply(&self) -> u32 {
        self.game.plies()
    }

    /// True when the rules ended the game.
    #[getter]
    fn is_over(&self) -> bool {
        !self.game.status().is_ongoing()
    }

    /// Always False: a single game goes on until its rules end it.
    #[getter]
    fn is_truncated(&self) -> bool {
        false
    }

    /// Each seat's result: 1 won, -1 lost, 0 drawn or unfinished. float32 [num_seats].
    fn returns<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let seats = self.game.spec().num_seats as Seat;
        let returns: Vec<f32> = (0..seats).map(|seat| self.game.status().value(seat)).collect();
        PyArray1::from_slice(py, &returns)
    }

    /// The legal actions in ascending order: int32 [k]. None are legal once the game is over.
    fn legal_actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let legal: Vec<i32> = self.game.legal_actions().into_iter().map(i32::from).collect();
        PyArray1::from_slice(py, &legal)
    }

    /// True for legal actions: bool [num_actions].
    fn legal_mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut mask = vec![0; self.game.spec().num_actions];
        self.game.mask(&mut mask);
        let mask: Vec<bool> = mask.into_iter().map(|legal| legal != 0).collect();
        PyArray1::from_slice(py, &mask)
    }

    /// Plays an action, by number or by name; a flip shows the piece that was dealt.
    ///
    /// Raises:
    ///     IllegalActionError: The action is not legal here. The game is as it was.
    fn step(&mut self, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let action = self.action(action)?;
        self.game.step(action).map_err(errors::playing)
    }

    /// What an action may show, as (name, probability); empty where nothing is left to chance.
    fn chance_outcomes(&self, action: &Bound<'_, PyAny>) -> PyResult<Vec<(String, f64)>> {
        self.game.chance_outcomes(self.action(action)?).map_err(errors::playing)
    }

    /// Plays an action that shows the outcome given, None where nothing is left to chance.
    ///
    /// The pieces still hidden are drawn anew among those that fit.
    #[pyo3(signature = (action, outcome = None))]
    fn step_with(&mut self, action: &Bound<'_, PyAny>, outcome: Option<&str>) -> PyResult<()> {
        let action = self.action(action)?;
        self.game.step_with(action, outcome.unwrap_or("")).map_err(errors::playing)
    }

    /// An action's name.
    fn action_name(&self, action: &Bound<'_, PyAny>) -> PyResult<String> {
        let last = self.game.spec().num_actions as u64 - 1;
        Ok(self.game.action_name(args::number("action", action, 0..=last)? as Action))
    }

    /// The action of a name, whether or not it is legal here.
    fn action_id(&self, name: &str) -> PyResult<Action> {
        self.game.action_id(name).map_err(errors::value)
    }

    /// What a seat sees, by default the seat to move: planes uint8 [C, H, W] and scalars float32 [K].
    #[pyo3(signature = (seat = None))]
    fn observation<'py>(&self, py: Python<'py>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Bound<'py, PyDict>> {
        let seat = self.seat(seat)?;
        let spec = self.game.spec();
        let planes = PyArray3::<u8>::zeros(py, spec.planes, false);
        let scalars = PyArray1::<f32>::zeros(py, spec.num_scalars, false);
        {
            let (mut planes, mut scalars) = (planes.try_readwrite()?, scalars.try_readwrite()?);
            self.game.observe(seat, planes.as_slice_mut()?, scalars.as_slice_mut()?);
        }
        let observation = PyDict::new(py);
        observation.set_item("planes", planes)?;
        observation.set_item("scalars", scalars)?;
        Ok(observation)
    }

    /// The public position as text; `Game.from_position` reads it.
    fn position(&self) -> String {
        self.game.position()
    }

    /// What a seat cannot see of the pieces on the board, by default the seat to move: (place, owner, kinds).
    ///
    /// `kinds` has the probability of each kind that the piece can be; every way to deal the hidden pieces that fits what
    /// the seat knows counts the same. In dark chess these are the face-down pieces, whose owner is None. In Junqi they
    /// are the pieces of the other seats, kinds by the letters of layouts; where combats tie many pieces to each other the
    /// probabilities are near the exact ones.
    #[pyo3(signature = (seat = None))]
    fn beliefs<'py>(&self, py: Python<'py>, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Believed<'py>>> {
        believed(py, self.game.beliefs(self.seat(seat)?))
    }

    /// Another game that this one might be, for all that a seat knows, by default the seat to move.
    ///
    /// Args:
    ///     seat: Whose knowledge counts.
    ///     seed: What the hidden pieces are drawn from; None takes a fresh one. The game that comes goes on from here and
    ///         does not remember earlier plies.
    #[pyo3(signature = (seat = None, seed = None))]
    fn resample(
        &self,
        py: Python<'_>,
        seat: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Game> {
        Ok(Game::new(self.game.resample(self.seat(seat)?, args::seed(py, seed)?)))
    }

    /// While seats set up their pieces: the actions with their shares of all legal layouts that begin as this one does.
    ///
    /// Playing them with these probabilities draws each layout as often as any other. Empty where nothing is set up.
    fn setup_chances(&self) -> Vec<(Action, f64)> {
        self.game.setup_chances()
    }

    /// Offers a draw in the name of the seat that made the last ply; the offer stands until the next ply.
    ///
    /// Raises IllegalActionError before the first ply, after the end, and when the same seat offered the last one, too.
    fn offer_draw(&mut self) -> PyResult<()> {
        self.game.offer_draw().map_err(errors::playing)
    }

    /// Accepts the draw that is offered, in the name of a seat, by default the seat to move.
    ///
    /// Raises IllegalActionError when no offer stands, or it is the seat's own.
    #[pyo3(signature = (seat = None))]
    fn accept_draw(&mut self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.game.accept_draw(seat).map_err(errors::playing)
    }

    /// Gives the game up in the name of a seat, by default the seat to move.
    ///
    /// Raises IllegalActionError when the game is over.
    #[pyo3(signature = (seat = None))]
    fn resign(&mut self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let seat = self.seat(seat)?;
        self.game.forfeit(seat, Forfeit::Resignation).map_err(errors::playing)
    }

    /// The game so far as a record; `Game.from_record` reads it.
    ///
    /// Args:
    ///     seat: None for the whole game, with all that is hidden; a seat for what it could have written down itself.
    #[pyo3(signature = (seat = None))]
    fn record(&self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(match seat {
            None => self.game.record(),
            Some(_) => self.game.record_seen_by(self.seat(seat)?),
        }
        .to_string())
    }

    /// The board drawn for a terminal, as a seat sees it.
    #[pyo3(signature = (seat = None))]
    fn text(&self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
        Ok(self.game.text_seen_by(self.seat(seat)?))
    }

    /// The board as a seat sees it, as a picture: an SVG that needs no other file.
    ///
    /// Args:
    ///     seat: The seat; None is the one to move.
    ///     theme: "light" or "dark".
    #[pyo3(signature = (seat = None, theme = "light"))]
    fn svg(&self, seat: Option<&Bound<'_, PyAny>>, theme: &str) -> PyResult<String> {
        let Some(theme) = Theme::from_name(theme) else {
            let known = Theme::ALL.map(Theme::name).join(", ");
            return Err(PyValueError::new_err(format!("unknown theme '{theme}': known themes are {known}")));
        };
        Ok(self.game.diagram(self.seat(seat)?).svg(theme))
    }

    fn _repr_html_(&self) -> String {
        self.game.diagram(self.game.to_move()).svg(Theme::default())
    }

    /// An independent copy, hidden pieces included.
    fn copy(&self) -> Game {
        Game::new(self.game.copy())
    }

    fn __copy__(&self) -> Game {
        self.copy()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Game {
        self.copy()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let load = py.import("anqi._native")?.getattr("_load_game")?;
        let saved =
            serde_json::to_string(&self.game.save()).map_err(|fault| PyValueError::new_err(fault.to_string()))?;
        Ok((load, (saved,)))
    }

    fn __str__(&self) -> String {
        self.game.text()
    }

    fn __repr__(&self) -> String {
        let Game { game } = self;
        let state = match game.status().is_ongoing() {
            true => format!("seat {} to move", game.to_move()),
            false => "over".into(),
        };
        format!("<anqi.Game {}, {} plies played, {state}>", game.spec().name, game.plies())
    }
}

/// Makes a pickled game again.
#[pyfunction(name = "_load_game")]
pub(crate) fn load(saved: &str) -> PyResult<Game> {
    let saved: SavedGame = serde_json::from_str(saved).map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    saved.load().map(Game::new).map_err(errors::value)
}

impl Game {
    pub(crate) fn new(game: Box<dyn AnyGame>) -> Game {
        Game { game }
    }

    pub(crate) fn inside(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// An action's number from a number or a name. Whether it is legal is not asked.
    fn action(&self, action: &Bound<'_, PyAny>) -> PyResult<i32> {
        if let Ok(name) = action.cast::<PyString>() {
            let action = self.game.action_id(&name.to_cow()?);
            return action.map(i32::from).map_err(errors::playing);
        }
        let wrong_type = || args::wrong_type("action", "a number or a name such as 'a1'", action);
        if action.is_instance_of::<PyBool>() {
            return Err(wrong_type()?);
        }
        match action.extract::<i32>() {
            Ok(number) => Ok(number),
            Err(fault) if fault.is_instance_of::<PyOverflowError>(action.py()) => {
                let last = self.game.spec().num_actions - 1;
                Err(errors::illegal(format!("action {}: actions are numbered 0 to {last}", action.str()?)))
            }
            Err(_) => Err(wrong_type()?),
        }
    }

    fn seat(&self, seat: Option<&Bound<'_, PyAny>>) -> PyResult<Seat> {
        let last = self.game.spec().num_seats as u64 - 1;
        match seat {
            None => Ok(self.game.to_move()),
            Some(seat) => Ok(args::number("seat", seat, 0..=last)? as Seat),
        }
    }
}

fn read_file(py: Python<'_>, path: &std::path::Path) -> PyResult<Vec<u8>> {
    // OSError chooses its subclass, such as FileNotFoundError, by the number.
    let failed = |fault: std::io::Error| match fault.raw_os_error() {
        Some(code) => match py.import("os").and_then(|os| os.call_method1("strerror", (code,))) {
            Ok(message) => PyOSError::new_err((code, message.unbind(), path.as_os_str().to_owned())),
            Err(fault) => fault,
        },
        None => fault.into(),
    };
    std::fs::read(path).map_err(failed)
}

//! What a step of many games gives back, as NumPy arrays.

use anqi_env::game::Spec;
use anqi_env::vector::BatchMut;
use numpy::ndarray::{Dimension, Ix1, Ix2, Ix4};
use numpy::{BorrowError, Element, PyArray, PyArrayDescr, PyReadwriteArray};
use numpy::{PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::args;

/// What each of N games shows to the seat to move, and what the ply just played gave.
///
/// A game that has just ended starts anew in the same step: `rewards`, `terminated` and `truncated` speak of the
/// finished game, everything else of the new one. Iterating gives the arrays in the order below, so a batch can be
/// unpacked. To let `VecGame.step_into` write into arrays of your own, make a Batch of them.
///
/// # Shapes
/// - `planes` uint8 [N, C, H, W]: the board as the seat to move sees it
/// - `scalars` float32 [N, K]: what is not tied to a square
/// - `mask` int8 [N, A]: 1 for legal actions
/// - `seat` uint8 [N]: the seat to move
/// - `rewards` float32 [N, seats]: what the ply just played gave to each seat
/// - `terminated` bool [N]: the game just ended by its rules
/// - `truncated` bool [N]: the game was just cut off by the ply limit
/// - `ply` uint32 [N]: plies played in the game
#[pyclass(frozen, module = "anqi")]
pub(crate) struct Batch {
    arrays: [Py<PyUntypedArray>; FIELDS.len()],
}

const FIELDS: [&str; 8] = ["planes", "scalars", "mask", "seat", "rewards", "terminated", "truncated", "ply"];

#[pymethods]
impl Batch {
    #[classattr]
    fn __match_args__(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
        PyTuple::new(py, FIELDS)
    }

    #[new]
    #[expect(clippy::too_many_arguments, reason = "one for each field, as users write them")]
    fn new(
        planes: &Bound<'_, PyAny>,
        scalars: &Bound<'_, PyAny>,
        mask: &Bound<'_, PyAny>,
        seat: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        terminated: &Bound<'_, PyAny>,
        truncated: &Bound<'_, PyAny>,
        ply: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let array = |i: usize, value: &Bound<'_, PyAny>| match value.cast::<PyUntypedArray>() {
            Ok(array) => Ok(array.clone().unbind()),
            Err(_) => Err(args::wrong_type(FIELDS[i], "a NumPy array", value)?),
        };
        Ok(Batch {
            arrays: [
                array(0, planes)?,
                array(1, scalars)?,
                array(2, mask)?,
                array(3, seat)?,
                array(4, rewards)?,
                array(5, terminated)?,
                array(6, truncated)?,
                array(7, ply)?,
            ],
        })
    }

    /// uint8 [N, C, H, W]: the board as the seat to move sees it.
    #[getter]
    fn planes(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[0].clone_ref(py)
    }

    /// float32 [N, K]: what is not tied to a square.
    #[getter]
    fn scalars(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[1].clone_ref(py)
    }

    /// int8 [N, A]: 1 for legal actions.
    #[getter]
    fn mask(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[2].clone_ref(py)
    }

    /// uint8 [N]: the seat to move.
    #[getter]
    fn seat(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[3].clone_ref(py)
    }

    /// float32 [N, seats]: what the ply just played gave to each seat.
    #[getter]
    fn rewards(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[4].clone_ref(py)
    }

    /// bool [N]: the game just ended by its rules.
    #[getter]
    fn terminated(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[5].clone_ref(py)
    }

    /// bool [N]: the game was just cut off by the ply limit.
    #[getter]
    fn truncated(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[6].clone_ref(py)
    }

    /// uint32 [N]: plies played in the game.
    #[getter]
    fn ply(&self, py: Python<'_>) -> Py<PyUntypedArray> {
        self.arrays[7].clone_ref(py)
    }

    /// The arrays by field name.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, array) in FIELDS.iter().zip(&self.arrays) {
            dict.set_item(name, array)?;
        }
        Ok(dict)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyTuple::new(py, &self.arrays)?.call_method0("__iter__")
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let fields = PyTuple::new(slf.py(), &slf.get().arrays)?;
        Ok((slf.get_type().into_any(), fields))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let field = |(name, array): (&&str, &Py<PyUntypedArray>)| {
            let array = array.bind(py);
            let shape: Vec<String> = array.shape().iter().map(usize::to_string).collect();
            Ok(format!("{name}={}[{}]", array.dtype().str()?, shape.join(", ")))
        };
        let fields: Vec<String> = FIELDS.iter().zip(&self.arrays).map(field).collect::<PyResult<_>>()?;
        Ok(format!("Batch({})", fields.join(", ")))
    }
}

/// The sizes that a batch's arrays must have.
#[derive(Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) games: usize,
    pub(crate) planes: [usize; 3],
    pub(crate) scalars: usize,
    pub(crate) actions: usize,
    pub(crate) seats: usize,
}

impl Sizes {
    pub(crate) fn new(games: usize, spec: &Spec) -> Sizes {
        let Spec { planes, num_scalars, num_actions, num_seats, .. } = *spec;
        Sizes { games, planes, scalars: num_scalars, actions: num_actions, seats: num_seats }
    }
}

impl Sizes {
    /// Bytes of a batch's arrays.
    pub(crate) fn bytes(self) -> usize {
        let planes: usize = self.planes.iter().product();
        self.games * (planes + 4 * self.scalars + self.actions + 4 * self.seats + 7)
    }
}

impl Batch {
    /// A batch of zeros.
    ///
    /// # Errors
    /// Python's MemoryError.
    pub(crate) fn zeros(py: Python<'_>, sizes: Sizes) -> PyResult<Batch> {
        let numpy = py.import("numpy")?;
        // NumPy's own function raises where the crate's would panic.
        let zeros = |shape: &[usize], dtype: Bound<'_, PyArrayDescr>| -> PyResult<Py<PyUntypedArray>> {
            let array = numpy.call_method1("zeros", (PyTuple::new(py, shape)?, dtype))?;
            Ok(array.cast_into::<PyUntypedArray>()?.unbind())
        };
        let Sizes { games, planes: [c, h, w], scalars, actions, seats } = sizes;
        Ok(Batch {
            arrays: [
                zeros(&[games, c, h, w], numpy::dtype::<u8>(py))?,
                zeros(&[games, scalars], numpy::dtype::<f32>(py))?,
                zeros(&[games, actions], numpy::dtype::<i8>(py))?,
                zeros(&[games], numpy::dtype::<u8>(py))?,
                zeros(&[games, seats], numpy::dtype::<f32>(py))?,
                zeros(&[games], numpy::dtype::<bool>(py))?,
                zeros(&[games], numpy::dtype::<bool>(py))?,
                zeros(&[games], numpy::dtype::<u32>(py))?,
            ],
        })
    }

    /// Whether nobody but the one reference given holds the batch, and nobody but the batch any of its arrays. A view
    /// of an array holds it.
    pub(crate) fn is_idle(batch: &Bound<'_, Batch>) -> bool {
        let (py, arrays) = (batch.py(), &batch.get().arrays);
        holders(batch) == 1 && arrays.iter().all(|array| holders(array.bind(py)) == 1)
    }

    /// Reserves the arrays for writing.
    ///
    /// The types and shapes are checked on every call, since Python code may give an array another type or shape in
    /// place at any time.
    ///
    /// # Errors
    /// An array of another type or shape, one that is read-only or not in C order, or one in use by another call.
    pub(crate) fn reserve<'py>(&self, py: Python<'py>, sizes: Sizes) -> PyResult<Reserved<'py>> {
        let Sizes { games, planes: [c, h, w], scalars, actions, seats } = sizes;
        Ok(Reserved {
            planes: self.borrow(py, 0, &[games, c, h, w])?,
            scalars: self.borrow(py, 1, &[games, scalars])?,
            mask: self.borrow(py, 2, &[games, actions])?,
            seat: self.borrow(py, 3, &[games])?,
            rewards: self.borrow(py, 4, &[games, seats])?,
            terminated: self.borrow(py, 5, &[games])?,
            truncated: self.borrow(py, 6, &[games])?,
            ply: self.borrow(py, 7, &[games])?,
        })
    }

    fn borrow<'py, T: Element, D: Dimension>(
        &self,
        py: Python<'py>,
        field: usize,
        shape: &[usize],
    ) -> PyResult<PyReadwriteArray<'py, T, D>> {
        let name = FIELDS[field];
        let array = self.arrays[field].bind(py);
        let typed = array.cast::<PyArray<T, D>>().ok();
        let Some(typed) = typed.filter(|typed| typed.shape() == shape) else {
            let expected = PyTuple::new(py, shape)?;
            return Err(PyValueError::new_err(format!(
                "batch.{name}: expected {} {expected}, not {} {}; a batch belongs to VecGames of one size and game",
                numpy::dtype::<T>(py).str()?,
                array.dtype().str()?,
                array.getattr("shape")?,
            )));
        };
        let mut borrowed = typed.try_readwrite().map_err(|fault| match fault {
            BorrowError::NotWriteable => PyValueError::new_err(format!("batch.{name}: the array is read-only")),
            _ => PyRuntimeError::new_err(format!(
                "batch.{name}: another call is writing into this memory, or another field shares it"
            )),
        })?;
        // A slice alone would take Fortran's order as well.
        if !typed.is_c_contiguous() || borrowed.as_slice_mut().is_err() {
            let message = format!("batch.{name}: expected an aligned array in C order without gaps");
            return Err(PyValueError::new_err(message));
        }
        Ok(borrowed)
    }
}

/// The arrays of a batch while a call writes into them.
pub(crate) struct Reserved<'py> {
    planes: PyReadwriteArray<'py, u8, Ix4>,
    scalars: PyReadwriteArray<'py, f32, Ix2>,
    mask: PyReadwriteArray<'py, i8, Ix2>,
    seat: PyReadwriteArray<'py, u8, Ix1>,
    rewards: PyReadwriteArray<'py, f32, Ix2>,
    terminated: PyReadwriteArray<'py, bool, Ix1>,
    truncated: PyReadwriteArray<'py, bool, Ix1>,
    ply: PyReadwriteArray<'py, u32, Ix1>,
}

impl Reserved<'_> {
    /// The arrays as a step of the games takes them.
    pub(crate) fn slices(&mut self) -> PyResult<BatchMut<'_>> {
        Ok(BatchMut {
            planes: Some(self.planes.as_slice_mut()?),
            scalars: Some(self.scalars.as_slice_mut()?),
            mask: Some(self.mask.as_slice_mut()?),
            seat: Some(self.seat.as_slice_mut()?),
            rewards: Some(self.rewards.as_slice_mut()?),
            terminated: Some(self.terminated.as_slice_mut()?),
            truncated: Some(self.truncated.as_slice_mut()?),
            ply: Some(self.ply.as_slice_mut()?),
            ..BatchMut::default()
        })
    }
}

/// How many references to an object there are.
#[expect(deprecated, reason = "what replaces it is an unsafe function")]
fn holders<T>(object: &Bound<'_, T>) -> isize {
    object.as_any().get_refcnt()
}

//! One action a game, from whatever NumPy can make of it.

use numpy::{PyArray1, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::errors;

/// Copies the actions, so that no other thread changes them while the games are played.
///
/// # Errors
/// Another shape than [games], anything but integers, or a number that no action can have.
pub(crate) fn read(actions: &Bound<'_, PyAny>, games: usize, num_actions: usize, out: &mut Vec<i32>) -> PyResult<()> {
    out.clear();
    if let Ok(array) = actions.cast::<PyArray1<i32>>()
        && array.len() == games
    {
        let borrowed = array.try_readonly().map_err(|_| busy())?;
        if let Ok(slice) = borrowed.as_slice() {
            out.extend_from_slice(slice);
            return Ok(());
        }
    }
    let array = match actions.cast::<PyUntypedArray>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let numpy = actions.py().import("numpy")?;
            numpy.call_method1("asarray", (actions,))?.cast_into::<PyUntypedArray>()?
        }
    };
    if array.shape() != [games] {
        let shape = array.getattr("shape")?.str()?;
        return Err(PyValueError::new_err(format!("actions: expected shape ({games},), one a game, not {shape}")));
    }
    // A fresh array is contiguous, aligned and in the machine's byte order.
    let number = |row: usize, value: &dyn std::fmt::Display| {
        let last = num_actions - 1;
        errors::illegal(format!("row {row}: action {value}: actions are numbered 0 to {last}"))
    };
    match array.dtype().kind() {
        b'i' => {
            let wide = array.call_method1("astype", ("int64",))?.cast_into::<PyArray1<i64>>()?;
            let wide = wide.try_readonly().map_err(|_| busy())?;
            for (row, &value) in wide.as_slice()?.iter().enumerate() {
                out.push(i32::try_from(value).map_err(|_| number(row, &value))?);
            }
        }
        b'u' => {
            let wide = array.call_method1("astype", ("uint64",))?.cast_into::<PyArray1<u64>>()?;
            let wide = wide.try_readonly().map_err(|_| busy())?;
            for (row, &value) in wide.as_slice()?.iter().enumerate() {
                out.push(i32::try_from(value).map_err(|_| number(row, &value))?);
            }
        }
        _ => {
            let dtype = array.dtype().str()?;
            return Err(PyTypeError::new_err(format!("actions: expected integers, not {dtype}")));
        }
    }
    Ok(())
}

fn busy() -> PyErr {
    PyRuntimeError::new_err("actions: another call is writing into this array")
}

//! What several classes read from their arguments: names with options, numbers, seeds.

use std::ops::RangeInclusive;

use anqi_env::any::AnyRules;
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict};

use crate::errors;

/// The rules of a name such as `darkchess:icga`, with keyword arguments as further options.
pub(crate) fn rules(game: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<AnyRules> {
    let mut name = game.to_string();
    for (key, value) in options.into_iter().flatten() {
        let key: String = key.extract()?;
        let text = match value.cast::<PyBool>() {
            Ok(switch) => switch.is_true().to_string(),
            Err(_) => value.str()?.to_string(),
        };
        // Either would be read as another option.
        if text.contains([',', '=']) {
            return Err(PyValueError::new_err(format!("option {key}={text}: ',' and '=' stand between options")));
        }
        name.push(if name.contains(':') { ',' } else { ':' });
        name.push_str(&format!("{key}={text}"));
    }
    AnyRules::parse(&name).map_err(errors::value)
}

/// A whole number within bounds; NumPy's integers count, truth values and floats do not.
pub(crate) fn number(name: &str, value: &Bound<'_, PyAny>, bounds: RangeInclusive<u64>) -> PyResult<u64> {
    let outside = || -> PyResult<PyErr> {
        let (low, high) = (bounds.start(), bounds.end());
        Ok(PyValueError::new_err(format!("{name}: expected a number from {low} to {high}, not {}", value.str()?)))
    };
    if value.is_instance_of::<PyBool>() {
        return Err(wrong_type(name, "a number", value)?);
    }
    match value.extract::<u64>() {
        Ok(number) if bounds.contains(&number) => Ok(number),
        Ok(_) => Err(outside()?),
        Err(fault) if fault.is_instance_of::<PyOverflowError>(value.py()) => Err(outside()?),
        Err(_) => Err(wrong_type(name, "a number", value)?),
    }
}

/// A TypeError that tells what was expected and what came.
pub(crate) fn wrong_type(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyResult<PyErr> {
    Ok(PyTypeError::new_err(format!("{name}: expected {expected}, not {}", value.get_type().name()?)))
}

/// A seed as given, or a fresh one from the operating system.
pub(crate) fn seed(py: Python<'_>, value: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
    match value {
        Some(value) => number("seed", value, 0..=u64::MAX),
        None => Ok(u64::from_le_bytes(py.import("os")?.call_method1("urandom", (8,))?.extract()?)),
    }
}

/// An argument whose default is not None.
pub(crate) enum Arg<'py> {
    Omitted,
    Given(Bound<'py, PyAny>),
}

impl<'py> FromPyObject<'_, 'py> for Arg<'py> {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Ok(Arg::Given(value.to_owned()))
    }
}

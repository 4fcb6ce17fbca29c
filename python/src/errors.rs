//! Faults as Python exceptions.

use anqi_env::Error;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    anqi,
    IllegalActionError,
    PyValueError,
    "An action that is not legal here. The message names it and the legal ones; the game is as it was."
);

/// A fault in what was given; an illegal action in a batch has a class of its own.
pub(crate) fn value(fault: Error) -> PyErr {
    match fault {
        Error::Row { .. } => illegal(fault),
        _ => PyValueError::new_err(fault.to_string()),
    }
}

/// A fault met while playing an action.
pub(crate) fn playing(fault: Error) -> PyErr {
    match fault {
        Error::Action(_) => illegal(fault),
        _ => value(fault),
    }
}

pub(crate) fn illegal(fault: impl ToString) -> PyErr {
    IllegalActionError::new_err(fault.to_string())
}

//! Networks for other tools.

use std::path::PathBuf;

use anqi_train::onnx::export;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A checkpoint's network as the content of an ONNX file; `anqi.export_onnx` writes it.
#[pyfunction(name = "_onnx")]
pub(crate) fn onnx(py: Python<'_>, checkpoint: PathBuf) -> PyResult<Bound<'_, PyBytes>> {
    let made = py.detach(|| export(&checkpoint)).map_err(|fault| PyValueError::new_err(fault.to_string()))?;
    Ok(PyBytes::new(py, &made.bytes))
}

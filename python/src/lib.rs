//! `anqi._native`: the Python face of the workspace. One file a class, and no rule of any game in here.

mod actions;
mod agent;
mod arena;
mod args;
mod batch;
mod errors;
mod export;
mod game;
mod games;
mod patience;
mod train;
mod vec_game;

use pyo3::prelude::*;

/// The native part of anqi; import `anqi` instead.
// The batches handed out are reused when nobody holds them any more, which reference counts tell only under the GIL.
#[pymodule(gil_used = true)]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("IllegalActionError", py.get_type::<errors::IllegalActionError>())?;
    module.add_class::<agent::Agent>()?;
    module.add_class::<game::Game>()?;
    module.add_class::<vec_game::VecGame>()?;
    module.add_class::<batch::Batch>()?;
    module.add_function(wrap_pyfunction!(arena::arena, module)?)?;
    module.add_function(wrap_pyfunction!(train::train, module)?)?;
    module.add_function(wrap_pyfunction!(export::onnx, module)?)?;
    module.add_function(wrap_pyfunction!(games::families, module)?)?;
    module.add_function(wrap_pyfunction!(vec_game::load, module)?)?;
    module.add_function(wrap_pyfunction!(game::load, module)?)
}

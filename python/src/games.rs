//! The list of games.

use anqi_env::any;
use pyo3::prelude::*;

/// Name, about, source.
type Profile = (&'static str, &'static str, &'static str);
/// Name, default, about, source.
type GameOption = (&'static str, String, &'static str, &'static str);

/// Every family as (name, about, profiles, options); `anqi.games` gives it names.
#[pyfunction(name = "_families")]
pub(crate) fn families() -> Vec<(&'static str, &'static str, Vec<Profile>, Vec<GameOption>)> {
    any::families().into_iter().map(|family| (family.name, family.about, family.profiles, family.options)).collect()
}

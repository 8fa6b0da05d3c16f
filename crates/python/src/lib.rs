//! The package `ramure` of Python: searches of games written in Python and of the games of the crate, the
//! rules kit, and the laboratory's matches. The Python files beside `python/ramure/__init__.py` are what
//! users see; this crate is their module `ramure._ramure`.

mod actions;
mod builtin;
mod contest;
mod ending;
mod failure;
mod game;
mod language;
mod network;
mod planning;
mod report;
mod rules;
mod search;

use pyo3::prelude::*;

#[pymodule]
mod _ramure {
    #[pymodule_export]
    use super::{
        builtin::Game,
        contest::{compare, tune},
        ending::end,
        language::SearchError,
        planning::Draws,
        rules::{Violation, check},
        search::RawSearch,
    };
}

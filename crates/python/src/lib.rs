//! The package `ramure` of Python: searches of games written in Python and of the games of the crate, the
//! rules kit, and the laboratory's matches. The Python files beside `python/ramure/__init__.py` are what
//! users see; this crate is their module `ramure._ramure`.
//!
//! A file uses only files of the groups above its own.

mod actions;
mod answers;
mod failure;
mod random;

mod ending;
mod hooks;

mod game;

mod language;

mod report;

mod any_search;

mod hidden;
mod network;
mod planning;
mod words;

mod builtin;

mod contest;
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
        failure::{BeliefError, SearchError},
        random::Draws,
        rules::{Violation, check, check_observations},
        search::RawSearch,
    };
}

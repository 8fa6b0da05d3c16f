//! draft

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]

mod cache;
mod check;
mod error;
mod games;
mod model;
mod network;
mod planes;
mod shape;

pub use check::OPERATORS;
pub use error::{EvaluationError, Head, LoadError};
pub use network::{Counts, Network, Orientation, Output};
pub use planes::Planes;
pub use shape::Shape;

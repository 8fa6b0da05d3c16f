//! Tests of the optimizers: against exact laws, exact optima and plain second implementations.

#[path = "../../../tests/common/mod.rs"]
mod common;
mod problems;

mod anytime;
mod errors;
mod laws;
mod optima;
mod references;
mod saved;
mod scales;

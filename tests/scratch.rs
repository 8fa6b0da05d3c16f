#[path = "common/mod.rs"]
mod common;
#[path = "search/forest.rs"]
mod forest;

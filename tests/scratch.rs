#[path = "common/mod.rs"]
mod common;
#[path = "search/information_sets.rs"]
mod information_sets;

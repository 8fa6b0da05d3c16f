//! The four games of [`ramure`] in the browser: what runs behind the page.
//!
//! The page is in `static`. It creates a worker, which loads this crate as WebAssembly and shows the page
//! what [`table`] returns. Everything here also compiles for other targets, where the tests run.

#![deny(missing_docs)]
#![forbid(unsafe_code)]

pub mod bandits;
#[cfg(target_family = "wasm")]
mod browser;
pub mod error;
pub mod games;
pub mod lesson;
pub mod link;
#[cfg(feature = "networks")]
mod networks;
mod policies;
pub mod puzzle;
mod review;
mod searches;
pub mod settings;
pub mod table;
pub mod view;

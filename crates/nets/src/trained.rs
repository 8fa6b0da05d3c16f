//! The networks that come with the crate, as the bytes of ONNX files.
//!
//! `networks/README.md` says how they were trained and how strong they are.
//!
//! ```
//! use ramure_games::Connect4;
//! use ramure_nets::{Network, trained};
//!
//! let network = Network::from_bytes(trained::CONNECT4, &Connect4::new())?;
//! # let _ = network;
//! # Ok::<(), ramure_nets::LoadError>(())
//! ```

/// A network of Connect 4, 356 KB.
pub const CONNECT4: &[u8] = include_bytes!("../networks/connect4.onnx");

/// A network of Hex on a board of 7 x 7, without the swap, 359 KB.
pub const HEX7: &[u8] = include_bytes!("../networks/hex7.onnx");

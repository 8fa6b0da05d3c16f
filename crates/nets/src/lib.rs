//! Neural networks for Monte-Carlo tree search with [`ramure`]: evaluators from ONNX files, and training by
//! self-play, for any game.
//!
//! A [`Network`] is an [`Evaluator`](ramure::simulation::Evaluator): it gives a search a value and
//! priors for each leaf, as in AlphaZero. A game implements one small trait, [`Planes`]. Connect 4, Hex and
//! Tic-Tac-Toe have it already.
//!
//! ```no_run
//! use ramure::prelude::*;
//! use ramure::selection::Puct;
//! use ramure::simulation::Evaluate;
//! use ramure_games::Connect4;
//! use ramure_nets::{Network, Orientation};
//!
//! let network = Network::load("connect4.onnx", &Connect4::new())?
//!     .orientation(Orientation::Random { seed: 7 }) // for games that are `Symmetric`
//!     .cache(100_000); // for games that are `Keyed`
//! let mut search = Mcts::new(Connect4::new())
//!     .tree_policy(Puct::default())
//!     .rollout_policy(Evaluate::new(network))
//!     .window(64);
//! println!("{}", search.run(Budget::iterations(800))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The module `train`, with the feature of that name, trains such networks: `cargo run --release -p
//! ramure-nets -- train connect4 --folder run`.
//!
//! # The contract
//!
//! | | name | shape | what it holds |
//! |---|---|---|---|
//! | input | any | `[batch, channels, height, width]` or `[batch, features]` | what [`Planes::write`] writes, as 32-bit floats |
//! | first output | any, or `policy` | `[batch, policy_size]` | *logits*: any finite numbers. The prior of a legal action is its share in the softmax over all legal actions. The columns of other actions are not used |
//! | second output | any, or `value` | `[batch, 1]` | for one or two players: the value for the viewer, from -1, a loss, to 1, a win, as of `Tanh`. The other player has the rest of the reward; in a game whose rewards do not sum to 1, take `[batch, 2]` |
//! | | | `[batch, players]` | for two players or more: the expected reward of each, from 0 to 1, as of `Softmax` or `Sigmoid`. Column 0 is the viewer, column 1 the player with the next number, and so on around the table |
//!
//! The *viewer* is the player to move, unless the game says otherwise by [`Planes::viewer`]. If an output is
//! named `policy` or `value`, its name decides and not its place. The first dimension should be dynamic. If
//! the file fixes it, batches are filled up to this size.
//!
//! The file has one input, two outputs, all of its data within it, the operators in [`OPERATORS`], and an
//! operator set from 9 to 26. The policy must not end in `Softmax` or `Sigmoid`, nor may a value of one
//! column, which goes down to -1. Loading checks all of this, and [`LoadError`] says what was found and what was
//! expected. Operator sets 17 and 22 were compared with onnxruntime. In PyTorch (where `dynamo=False` puts all
//! data into the file):
//!
//! ```python
//! torch.onnx.export(network, torch.zeros(1, 2, 6, 7), "connect4.onnx", opset_version=17, dynamo=False,
//!                   input_names=["planes"], output_names=["policy", "value"],
//!                   dynamic_axes={name: {0: "batch"} for name in ["planes", "policy", "value"]})
//! ```
//!
//! # Errors
//!
//! [`LoadError`] is about files, [`EvaluationError`] about answers. The latter ends a search with
//! [`SearchError::Failed`](ramure::SearchError::Failed), whose [`source`](std::error::Error::source) it is.
//! What the search has found stays.
//!
//! A file that is damaged is refused, or loads as a network of other weights. A panic of the inference
//! library is caught and becomes an error; its message is printed all the same, and if your profile says
//! `panic = "abort"`, it ends the process. Weights must be finite. Yet a number that overflows *within* a
//! network may go unnoticed, because the library's `Relu` and `Tanh` turn NaN into a number. What arrives at
//! an output and is used is checked.
//!
//! # Determinism
//!
//! The answer for a position depends on the network, the machine and the [size of
//! batches](Network::batch_sizes) for which the network is compiled, to the bit. It depends neither on the
//! batch in which the position comes, nor on threads, nor on the cache. So a seed fixes the result of a
//! search on one machine. Other processors have other instructions, and may round differently.
//!
//! # The inference library
//!
//! It is [tract](https://docs.rs/tract-onnx), in Rust with kernels in assembly, which are assembled when it
//! is built: this needs a C compiler. `ort` is faster, but fetches a binary of onnxruntime when it is built,
//! which many build machines do not allow. `candle-onnx` needs `protoc` on the machine that builds it.
//!
//! The training takes tensors, products of matrices and gradients from [candle](https://docs.rs/candle-core).
//! Nothing of either library is in the interface of this crate.

#![deny(missing_docs, unsafe_code)]
#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc, clippy::return_self_not_must_use)]

mod cache;
mod check;
mod constants;
mod error;
mod games;
mod model;
mod network;
mod planes;
#[cfg(feature = "program")]
#[cfg_attr(docsrs, doc(cfg(feature = "program")))]
pub mod program;
mod shape;
#[cfg(feature = "train")]
#[cfg_attr(docsrs, doc(cfg(feature = "train")))]
pub mod train;
pub mod trained;

pub use check::OPERATORS;
pub use error::{EvaluationError, Head, LoadError};
pub use model::Output;
pub use network::{Counts, Network, Orientation};
pub use planes::Planes;
pub use shape::Shape;

/// The code of the README runs as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

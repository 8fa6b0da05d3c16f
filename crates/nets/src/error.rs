//! Errors of network files and of the answers of a network.

use crate::Shape;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// An output of a network.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// A number for each action.
    Policy,
    /// The value for the player to move, or one for each player.
    Value,
}

impl fmt::Display for Head {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Head::Policy => "policy",
            Head::Value => "value",
        })
    }
}

/// The reason why a network cannot be loaded.
///
/// ```
/// use ramure_games::Connect4;
/// use ramure_nets::{LoadError, Network};
///
/// let error = Network::from_bytes(b"no network", &Connect4::new()).unwrap_err();
/// assert!(matches!(error, LoadError::NotOnnx { .. }));
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be read. The reason is the [`source`](std::error::Error::source) of this error.
    #[error("cannot read the network {}", .path.display())]
    File {
        /// The path.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file is larger than a network may be.
    #[error("the network is larger than {limit} bytes")]
    TooLarge {
        /// The limit in bytes.
        limit: u64,
    },
    /// The bytes are not ONNX: another format, damaged, or incomplete.
    #[error(
        "this is not a complete ONNX file: {reason}; export the network as ONNX, and copy the whole file"
    )]
    NotOnnx {
        /// The message of the decoder.
        reason: String,
    },
    /// The operator set of the file is too old, too new, or not stated.
    #[error(
        "the file needs operator set {found}, but {} to {} are supported; export it with `opset_version=17`",
        .supported.0, .supported.1
    )]
    Opset {
        /// The version in the file, 0 if there is none.
        found: i64,
        /// The oldest and the newest version that can be read.
        supported: (i64, i64),
    },
    /// The network uses an operator that cannot be read; [`OPERATORS`](crate::OPERATORS) lists those that
    /// can.
    #[error(
        "the node `{node}` is of the operator `{operator}`, which is not supported; `ramure_nets::OPERATORS` \
         lists those that are"
    )]
    Operator {
        /// The name of the operator, with its domain if that is not the one of ONNX.
        operator: String,
        /// The name of the node.
        node: String,
    },
    /// The network contradicts itself: a missing tensor, a size that is not that of its data, an absurd
    /// attribute.
    #[error("the network contradicts itself: {reason}")]
    Graph {
        /// The fault, and its place.
        reason: String,
    },
    /// The network has not exactly one input.
    #[error("the network has the inputs {found:?}; give it exactly one, the positions")]
    Inputs {
        /// The names of its inputs.
        found: Vec<String>,
    },
    /// The input of the network is not what the game writes.
    #[error(
        "the network is of another game or board: it reads {found}, and this game has {expected} (32-bit floats, in \
         batches); name a network that was made for this game and board"
    )]
    Input {
        /// The input of the network.
        found: String,
        /// The shape that the game writes, without the batch.
        expected: Shape,
    },
    /// The network has not exactly two outputs.
    #[error(
        "the network has the outputs {found:?}; give it exactly two, first the policy and then the value, or \
         named so"
    )]
    Outputs {
        /// The names of its outputs.
        found: Vec<String>,
    },
    /// An output has another type or size than the game needs.
    #[error(
        "the {head} of the network is {found}, but the game needs numbers of 32 bits in the shape {}",
        shapes(.expected)
    )]
    Output {
        /// The output.
        head: Head,
        /// The output of the network, with type and size.
        found: String,
        /// The numbers of columns that would do.
        expected: Vec<usize>,
    },
    /// An output ends in an operator whose results lie between 0 and 1, where the game needs other numbers.
    #[error("the {head} of the network ends in `{operator}`, so it lies between 0 and 1; {}", range(*.head))]
    Range {
        /// The output.
        head: Head,
        /// The operator.
        operator: String,
    },
    /// The game of the given state has no player, or more than the crate `ramure` allows.
    #[error("the game has {players} players; it needs 1 to {}", ramure::MAX_PLAYERS)]
    Players {
        /// The number of players.
        players: u8,
    },
    /// A size of batches is out of its range, or there is none, or the file fixes another.
    #[error(fmt = batch_sizes)]
    BatchSizes {
        /// The sizes.
        found: Vec<usize>,
        /// The size that the file fixes.
        fixed: Option<usize>,
    },
    /// The game writes no numbers, or has no column for any action.
    #[error(
        "the game writes {shape} for a policy of {policy} columns; both must be more than none: see `Planes`"
    )]
    Empty {
        /// The shape that the game writes.
        shape: Shape,
        /// The number of columns of the policy.
        policy: usize,
    },
    /// The inference library, tract, refuses the network, or panics on it.
    #[error("the inference library cannot run the network: {reason}")]
    Inference {
        /// Its message.
        reason: String,
    },
}

/// Says which range an output must have.
fn range(head: Head) -> &'static str {
    match head {
        Head::Policy => {
            "the game needs logits, of which a softmax is taken here; export the network without this last operator"
        }
        Head::Value => {
            "one value for the player to move is from -1, a loss, to 1, a win: end it in `Tanh`, or double it and \
             subtract 1; or give one value for each player"
        }
    }
}

/// Writes the shapes of these numbers of columns.
fn shapes(columns: &[usize]) -> String {
    Vec::from_iter(columns.iter().map(|number| format!("[batch, {number}]"))).join(" or ")
}

ramure::debug_as_sentence!(LoadError);

/// Writes which sizes of batches are possible.
fn batch_sizes(found: &[usize], fixed: &Option<usize>, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match fixed {
        Some(size) => write!(
            f,
            "the file fixes batches of {size}, so {found:?} are not possible; export it with a dynamic first dimension"
        ),
        None => write!(f, "the sizes of batches are {found:?}; give one or more, each in 1..=4096"),
    }
}

/// The reason why a network cannot evaluate a position. In a search, it is the source of
/// [`SearchError::Failed`](ramure::SearchError::Failed).
///
/// ```
/// use ramure_nets::{EvaluationError, Head};
///
/// let error = EvaluationError::NotFinite { head: Head::Value, column: 0, number: f32::NAN };
/// assert_eq!(error.to_string(), "column 0 of the value is NaN, which is not a finite number");
/// ```
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum EvaluationError {
    /// The state has another shape than the one with which the network was loaded.
    #[error(
        "the state has {found}, but the network was loaded for {expected}; load it with a state of this game"
    )]
    Shape {
        /// The shape of the state.
        found: Shape,
        /// The shape of the network.
        expected: Shape,
    },
    /// The state has another number of columns of the policy than the one with which the network was loaded.
    #[error(
        "the state has {found} columns of the policy, but the network was loaded for {expected}; load it \
         with a state of this game"
    )]
    PolicySize {
        /// The number of the state.
        found: usize,
        /// The number of the network.
        expected: usize,
    },
    /// The state has another number of players than the one with which the network was loaded.
    #[error("the state has {found} players, but the network was loaded for {expected}")]
    Players {
        /// The number of the state.
        found: u8,
        /// The number of the network.
        expected: u8,
    },
    /// [`Planes::viewer`](crate::Planes::viewer) names a player that the game does not have.
    #[error("`viewer` names player {viewer}, but the game has {players}, counted from 0")]
    Viewer {
        /// The viewer.
        viewer: u8,
        /// The number of players.
        players: u8,
    },
    /// The game gives a legal action a column that the policy does not have.
    #[error(
        "the game gives an action column {index} of the policy, which has {size}; return a column below \
         `policy_size`"
    )]
    PolicyIndex {
        /// The column.
        index: usize,
        /// The number of columns.
        size: usize,
    },
    /// The game writes a number that is NaN or infinite.
    #[error("the game writes {number} as number {index} of the input; write finite numbers")]
    Input {
        /// The place of the number, counted from 0.
        index: usize,
        /// The number.
        number: f32,
    },
    /// A number that the network gives, and that is used, is NaN or infinite.
    #[error("column {column} of the {head} is {number}, which is not a finite number")]
    NotFinite {
        /// The output.
        head: Head,
        /// The column, counted from 0.
        column: usize,
        /// The number.
        number: f32,
    },
    /// A value is out of its range by more than rounding explains.
    #[error("column {column} of the value is {number}, which is not in [{least}, 1]")]
    Value {
        /// The column, counted from 0.
        column: usize,
        /// The number.
        number: f32,
        /// The least value that is allowed: -1 for one column, 0 for one per player. The greatest is 1.
        least: f32,
    },
    /// The inference library, tract, failed or panicked.
    #[error("the inference library cannot evaluate the positions: {reason}")]
    Inference {
        /// Its message.
        reason: String,
    },
}

ramure::debug_as_sentence!(EvaluationError);

//! The search: [`Mcts`] and its settings, the loop, the budget and the report. This folder may use every layer below
//! it: `game`, `tree` and the policies.

mod best_reply;
mod budget;
mod build_report;
mod child_order;
mod children;
mod clock;
mod error;
mod expand_node;
mod expansion;
#[cfg(feature = "explorer")]
mod explorer;
mod forest;
mod game_clock;
mod graph;
mod information_set;
mod iteration;
mod line_of_play;
mod mcts;
mod node_view;
mod observed_moves;
mod open_loop;
mod pace;
mod paranoid;
mod path;
mod player_trees;
mod report;
mod root_decision;
mod run;
mod sampled;
#[cfg(feature = "save")]
pub(crate) mod saved;
mod search_trait;
mod step_view;
mod stop_handle;
mod stopping;
mod transpositions;
mod tree_view;
mod window;

pub use best_reply::BestReply;
pub use budget::{Budget, Bytes, Every, StopReason};
pub(crate) use clock::{Clock, Deadline, WallClock};
pub use error::SearchError;
pub use expansion::{Expansion, Order};
#[cfg(feature = "explorer")]
#[cfg_attr(docsrs, doc(cfg(feature = "explorer")))]
pub use explorer::{Explorer, RootHistory};
pub use forest::{Exchange, ExchangeCounts, Forest, Link, Panicked};
#[cfg(feature = "serde")]
pub(crate) use game_clock::{ByoYomi, Period};
pub use game_clock::{ClockError, GameClock};
pub use information_set::InformationSet;
pub(crate) use information_set::agrees;
pub use line_of_play::{Guess, LineOfPlay};
pub use mcts::{Mcts, best_action};
pub use observed_moves::{ObservedMoves, Seen};
pub use open_loop::{Chosen, OpenLoop};
pub use pace::{OneLeaf, Pace};
pub use paranoid::Paranoid;
pub use player_trees::{OutcomeSampling, PlayerTrees, PlayerView};
pub use report::{ActionReport, Report, ReportOf};
pub use root_decision::RootDecision;
pub use sampled::Sampled;
#[cfg(feature = "save")]
#[cfg_attr(docsrs, doc(cfg(feature = "save")))]
pub use saved::{LoadError, SaveError};
pub use search_trait::Search;
pub use stop_handle::StopHandle;
pub use transpositions::{MirrorImages, Transpositions};
pub use tree_view::{Dot, TreeNode, TreeView};
pub use window::{
    Answers, Batcher, Counted, InFlight, ManyLeaves, NoAnswer, OneThread, PendingVisits, Question, Threads,
    Ticket, Unobserved, Windowed, Workers,
};

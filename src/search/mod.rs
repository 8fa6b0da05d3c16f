//! The value that users hold: [`Mcts`] and its settings, [`Search`], the view of the tree, and, in `engine`,
//! the ways to make iterations. This folder may use every layer below it.

mod build_report;
mod earlier_states;
pub(crate) mod engine;
pub(crate) mod mcts;
mod of_guesses;
pub(crate) mod one_tree;
pub(crate) mod run;
pub(crate) mod search_trait;
pub(crate) mod tree_view;

pub use crate::game::many::best_reply::BestReply;
pub use crate::game::many::paranoid::Paranoid;
pub use crate::game::player_action::PlayerAction;
pub use crate::iteration::expansion::{Expansion, Order};
pub use crate::run::budget::{Budget, Bytes, Every, StopReason};
pub(crate) use crate::run::clock::{Clock, Deadline, WallClock};
pub use crate::run::error::SearchError;
pub use crate::run::game_clock::GameClock;
#[cfg(feature = "serde")]
pub(crate) use crate::run::game_clock::{ByoYomi, Period};
pub use crate::run::line_of_play::LineOfPlay;
pub use crate::run::report::root_decision::RootDecision;
pub use crate::run::report::{ActionReport, Report};
pub use crate::run::stop_handle::StopHandle;
pub use crate::space::information_set::InformationSet;
pub(crate) use crate::space::information_set::agrees;
pub use crate::space::observed_moves::ObservedMoves;
pub use crate::space::open_loop::OpenLoop;
pub use crate::space::sampled::Sampled;
pub use crate::space::transpositions::{MirrorImages, Transpositions};
pub use crate::space::{ActionOf, Space};
pub use engine::forest::{Exchange, ExchangeCounts, Forest, Link};
pub use engine::seats::{ByPolicy, OutcomeSampling, PlayerTrees};
pub use engine::window::{
    Answers, Batcher, Counted, OneThread, Question, Threads, Ticket, Unobserved, Window,
};
pub use engine::{Engine, OneLeaf};
pub use mcts::{Mcts, best_action};
pub use search_trait::Search;
pub use tree_view::{TreeNode, TreeView};

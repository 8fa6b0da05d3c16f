//! Searches, and how they make iterations: the wrappers around a game, the engines, and the view of the
//! tree. [`Mcts`](crate::Mcts) itself, its settings and its report are at the root of the crate.
//!
//! This folder holds [`Mcts`](crate::Mcts) and [`Search`](crate::Search) (`search_trait`), a tree with its policies (`one_tree`), the
//! loop of a run (`run`), and in `engine` the ways to make iterations. It may use every layer below it.

mod build_report;
pub(crate) mod engine;
pub(crate) mod mcts;
pub(crate) mod one_tree;
mod root_position;
pub(crate) mod run;
pub(crate) mod search_trait;
pub(crate) mod tree_view;

pub use crate::game::many::best_reply::BestReply;
pub use crate::game::many::paranoid::Paranoid;
pub use crate::game::player_action::PlayerAction;
pub use crate::run::rollouts::Rollouts;
pub use crate::space::information_set::InformationSet;
pub use crate::space::observed_moves::ObservedMoves;
pub use crate::space::open_loop::OpenLoop;
pub use crate::space::planning::{OpenPlanning, PlannedAction, Planning};
pub use crate::space::pomdp::{Believed, HistoryStep, Pomdp};
pub use crate::space::sampled::Sampled;
pub use crate::space::transpositions::{MirrorImages, Transpositions};
pub use crate::space::{ActionOf, Space};
pub use engine::Engine;
pub use engine::one_leaf::OneLeaf;
pub use engine::seats::{OutcomeSampling, PlayerTrees};
pub use engine::window::{Answers, Batcher, Counted, Question, Threads, Ticket, Unobserved, Window};
pub use tree_view::{TreeNode, TreeView};

//! One iteration at a time: a search of Tic-Tac-Toe that shows what each phase does.
//!
//! The search is the library's. What an iteration did is read from the tree before and after it.

use crate::error::PageError;
use crate::view::{named, text};
use core::cell::RefCell;
use ramure::backpropagation::Average;
use ramure::search::TreeNode;
use ramure::selection::Ucb1;
use ramure::simulation::{Leaf, RolloutPolicy, Trace};
use ramure::{Budget, GameFault, GameState, Mcts, Picture, Rng, Turn};
use ramure_games::TicTacToe;
use ramure_games::tic_tac_toe::Cell;
use serde::Serialize;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The greatest exploration constant of the lesson.
pub const MOST_EXPLORATION: f64 = 10.0;

/// Random rollouts that note their actions.
struct Noted(Rc<RefCell<Vec<Cell>>>);

impl RolloutPolicy<TicTacToe> for Noted {
    type Trace = ();

    fn choose(
        &self,
        leaf: &Leaf<TicTacToe, impl Trace<TicTacToe>>,
        rng: &mut Rng,
    ) -> Result<Option<Cell>, GameFault> {
        let action = leaf.state().random_action(rng);
        self.0.borrow_mut().extend(action);
        Ok(action)
    }
}

type Searched = Mcts<TicTacToe, Ucb1, Noted, Average>;

/// A node of the tree.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NodeView {
    /// The actions from the root to the node, separated by spaces. Empty for the root.
    pub path: String,
    /// The visits.
    pub visits: u32,
    /// The mean reward of the player who chose the node.
    pub mean: f32,
}

/// A child as the selection sees it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Candidate {
    /// The action.
    pub action: String,
    /// The visits before the iteration.
    pub visits: u32,
    /// The mean before the iteration.
    pub mean: f32,
    /// The term that favours children with few visits; `None` without visits, when it is infinite.
    pub bonus: Option<f64>,
    /// Whether the iteration went on to this child.
    pub chosen: bool,
}

/// A node at which the selection chose a child.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Choice {
    /// The node.
    pub path: String,
    /// The player to move, who chooses.
    pub player: u8,
    /// The visits of the node that the formula uses.
    pub visits: u32,
    /// The children.
    pub children: Vec<Candidate>,
}

/// The record of an iteration.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Iteration {
    /// The number of the iteration, from 1.
    pub number: u32,
    /// The first phase: the nodes at which it chose a child.
    pub selection: Vec<Choice>,
    /// The second phase: the nodes that got into the tree.
    pub expansion: Vec<String>,
    /// The leaf.
    pub leaf: String,
    /// The picture of the leaf.
    pub leaf_picture: String,
    /// The third phase: the random actions from the leaf to the end.
    pub rollout: Vec<String>,
    /// The picture of the end.
    pub end_picture: String,
    /// The rewards of the two players.
    pub rewards: [f32; 2],
    /// The fourth phase: the nodes whose statistics changed, as they are afterwards.
    pub backpropagation: Vec<NodeView>,
    /// The tree afterwards.
    pub tree: Vec<NodeView>,
}

/// A search that makes one iteration at a time.
pub struct Lesson {
    search: Searched,
    start: TicTacToe,
    c: f64,
    noted: Rc<RefCell<Vec<Cell>>>,
    tree: BTreeMap<Vec<Cell>, NodeView>,
    number: u32,
}

impl Lesson {
    /// Begins a lesson in the position after `moves`, such as `1,5`.
    ///
    /// # Errors
    ///
    /// Returns an error if a move is not legal, the game is over, or `c` is out of its range.
    pub fn new(moves: &str, c: f64, seed: u64) -> Result<Self, PageError> {
        if !(0.0..=MOST_EXPLORATION).contains(&c) {
            return Err(PageError::Constant { name: "c", found: c, least: 0.0, most: MOST_EXPLORATION });
        }
        let mut start = TicTacToe::new();
        for name in moves.split(',').filter(|name| !name.is_empty()) {
            start
                .apply(named(&start, name).ok_or_else(|| PageError::Start(name.chars().take(40).collect()))?);
        }
        let noted = Rc::default();
        let search = Mcts::new(start)
            .tree_policy(Ucb1::new(c as f32))
            .rollout_policy(Noted(Rc::clone(&noted)))
            .backprop(Average)
            .seed(seed);
        Ok(Lesson { search, start, c, noted, tree: BTreeMap::new(), number: 0 })
    }

    /// Makes one iteration.
    ///
    /// # Errors
    ///
    /// Returns an error of the search, such as that of a game that is over.
    pub fn iterate(&mut self) -> Result<Iteration, PageError> {
        self.noted.borrow_mut().clear();
        self.search.run(Budget::iterations(1))?;
        self.number += 1;
        let mut after = BTreeMap::new();
        if let Some(root) = self.search.tree().root() {
            collect(&root, Vec::new(), &mut after);
        }
        let before = core::mem::replace(&mut self.tree, after);
        let old_visits = |path: &[Cell]| before.get(path).map_or(0, |node| node.visits);

        // The nodes of the iteration are those with one visit more. A longer path is a later node.
        let mut way: Vec<&Vec<Cell>> = self
            .tree
            .iter()
            .filter(|(path, node)| node.visits > old_visits(path))
            .map(|(path, _)| path)
            .collect();
        way.sort_by_key(|path| path.len());
        let leaf = way.last().map_or_else(Vec::new, |path| path.to_vec());
        let selection = way.windows(2).map(|pair| self.choice(&before, pair[0], pair[1])).collect();
        let is_new = |path: &&Vec<Cell>| !before.contains_key(*path) && !path.is_empty();

        let mut state = self.start;
        leaf.iter().for_each(|&action| state.apply(action));
        let leaf_picture = state.picture(leaf.last().copied());
        let rollout: Vec<Cell> = self.noted.borrow().clone();
        rollout.iter().for_each(|&action| state.apply(action));
        Ok(Iteration {
            number: self.number,
            selection,
            expansion: self.tree.keys().filter(is_new).map(|path| name(path)).collect(),
            leaf: name(&leaf),
            leaf_picture,
            rollout: rollout.iter().map(text).collect(),
            end_picture: state.picture(rollout.last().or(leaf.last()).copied()),
            rewards: [state.reward(0) as f32, state.reward(1) as f32],
            backpropagation: way.iter().map(|path| self.tree[*path].clone()).collect(),
            tree: self.tree.values().cloned().collect(),
        })
    }

    /// Returns how the selection saw the children of a node, one of which it chose.
    #[expect(clippy::disallowed_methods, reason = "a number to show; no search uses it")]
    fn choice(&self, before: &BTreeMap<Vec<Cell>, NodeView>, node: &Vec<Cell>, chosen: &Vec<Cell>) -> Choice {
        let mut state = self.start;
        node.iter().for_each(|&action| state.apply(action));
        let player = match state.turn() {
            Turn::Player(player) => player,
            _ => 0,
        };
        let visits = before.get(node).map_or(0, |node| node.visits);
        let candidate = |action: Cell| {
            let path = [node.as_slice(), &[action]].concat();
            let (own, mean) = before.get(&path).map_or((0, 0.0), |child| (child.visits, child.mean));
            let bonus = (own > 0).then(|| self.c * (f64::from(visits).ln() / f64::from(own)).sqrt());
            Candidate { action: text(&action), visits: own, mean, bonus, chosen: path == *chosen }
        };
        Choice {
            path: name(node),
            player,
            visits,
            children: state.actions().into_iter().map(candidate).collect(),
        }
    }

    /// Returns the picture of the position in which the lesson begins.
    pub fn picture(&self) -> String {
        self.start.picture(None)
    }
}

fn name(path: &[Cell]) -> String {
    path.iter().map(text).collect::<Vec<_>>().join(" ")
}

fn collect(
    node: &TreeNode<'_, TicTacToe, Ucb1, Noted, Average>,
    path: Vec<Cell>,
    nodes: &mut BTreeMap<Vec<Cell>, NodeView>,
) {
    for child in node.children() {
        let action = child.action().into_iter();
        collect(&child, path.iter().copied().chain(action).collect(), nodes);
    }
    let view = NodeView { path: name(&path), visits: node.visits(), mean: node.mean() };
    nodes.insert(path, view);
}

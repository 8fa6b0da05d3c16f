//! The part of the loop for searches whose iterations begin with a guess: the actions that are legal in it,
//! met again and again.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, Turn};
use crate::iteration::path::NodeOf;
use crate::iteration::{CurrentNode, Iterations, LeafOf};
use crate::selection::TreePolicy;
use crate::simulation::{RolloutPolicy, check_probabilities};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;

impl<'s, S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Refuses policies that do not work with guesses.
    pub const GUESSES: bool = {
        if S::IS_GUESSED {
            assert!(
                P::SEES_UNVISITED && !P::Stats::INITIALIZES,
                "a search of an `InformationSet`, an `ObservedMoves` or an `OpenLoop` needs a tree policy that sees unvisited children and reads no priors, such as `AvailabilityUcb1`"
            );
            assert!(
                !B::PROVES && !B::DERIVES,
                "a search of an `InformationSet`, an `ObservedMoves` or an `OpenLoop` averages rewards, because a node stands for many states: nothing is proven, and the value of a node does not follow from those of its children. Leave out `Solver`, `ScoreBounds`, `MaxBackup`, `PowerMean`, `SoftmaxBackup`, `BayesBackup` and `ImplicitMinimax`"
            );
        }
        assert!(
            !P::REGRETS || S::HAS_PLAYER_TREES,
            "this tree policy learns regrets, so it needs a tree for each player: use `PlayerTrees`"
        );
        S::IS_GUESSED
    };

    /// Lists the actions that are legal in the guess of this iteration, stores those as children that the
    /// node lacks, and closes all other children. (Nothing is proven in such a search, so children are closed
    /// for no other reason.) Returns whether the iteration can go on to a child: if the memory is full, none
    /// of the legal ones may be stored, or not all outcomes of chance.
    #[inline(never)]
    pub fn meet(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &LeafOf<S, P, R>,
    ) -> Result<bool, GameFault> {
        self.list(leaf.state())?;
        if current.turn == Turn::Chance {
            check_probabilities(leaf.state(), self.actions)?;
        }
        let mut stored = self.open_legal(current.link);
        if stored < self.actions.len() {
            let children = self.tree.children_of(current.link);
            let is_new = |action: &ActionOf<S>| children.clone().all(|child| child.action() != *action);
            let new: Vec<ActionOf<S>> = self.actions.iter().copied().filter(is_new).collect();
            self.add_children(current.node, new)?;
            current.link = current.node.link();
            stored = self.open_legal(current.link);
        }
        // Chance may draw any of its outcomes.
        Ok(if current.turn == Turn::Chance { stored == self.actions.len() } else { stored > 0 })
    }

    /// Opens the children whose actions are listed, and closes the others. Returns how many are open.
    fn open_legal(&self, link: u32) -> usize {
        let mut open = 0;
        for child in self.tree.children_of(link) {
            let is_legal = self.actions.contains(&child.action());
            child.set_closed(!is_legal);
            open += usize::from(is_legal);
        }
        open
    }

    /// Counts that `chosen` and the other visited children that are legal in this guess could have been
    /// chosen.
    #[inline(never)]
    pub fn count_available(&self, link: u32, chosen: ActionOf<S>) {
        let counts = |child: &NodeOf<'s, S, P, B>| {
            child.action() == chosen || child.visit_count() > 0 && !child.is_closed()
        };
        for child in self.tree.children_of(link).filter(counts) {
            child.set_stats(self.tree_policy.make_available(child.stats()));
        }
    }
}

//! The meanings of a node, one kind of [`Nodes`](crate::space::Nodes) a file: a position (`graph`), all
//! states that a guess may bring (`met`), and a state with sampled actions (`sampled`). A line of play, the
//! fourth, needs nothing special.
//!
//! The rest of the search asks what it needs to know, and most answers are here: in the file of the one kind
//! that differs from the others, or in this one. A dozen places ask for one property of the kind, such as
//! whether a node has the same children each time. These properties are constants ([`NodeKind`]), so no search
//! compiles what the others do. Uses the rest of `iteration`, and all below it.

mod graph;
mod guessed;
mod passed;
mod sampled;

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Turn};
use crate::iteration::expansion::Expansion;
use crate::iteration::order::keep;
use crate::iteration::{CurrentNode, FedBy, Iterations, LeafOf};
use crate::parameter::ParameterError;
use crate::selection::Needs;
use crate::simulation::{RolloutPolicy, check_probabilities};
use crate::space::Nodes::{Graph, Guessed, Lines, Sampled};
use crate::space::{NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::ROOT;
pub(crate) use graph::{empty_tree, family_of_state, home, is_of_step, known};
pub(crate) use guessed::{guess, has_node, is_legal, is_possible, play_known, settle, shown_root, shut};
pub(crate) use passed::Passed;
#[cfg(test)]
pub(crate) use sampled::DRAWS;
pub(crate) use sampled::{any_action, can_play, expansion, is_sampled, listed, samples_shown};

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Refuses policies that do not go with the nodes.
    const CHECKED: () = {
        if S::ARE_GUESSED {
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
            !S::ARE_SAMPLED || !P::Stats::INITIALIZES,
            "a search of a `Sampled` needs a tree policy that reads no priors, such as `Ucb1`: sampled actions have none"
        );
        assert!(
            !matches!(P::NEEDS, Needs::PlayerTrees) || S::HAS_PLAYER_TREES,
            "this tree policy learns regrets, so it needs a tree for each player: use `Mcts::player_trees`"
        );
    };

    /// Lists the actions by which a leaf gets children, or which a guess allows.
    pub fn list_first(&mut self, turn: Turn, state: &S::Game) -> Result<(), GameFault> {
        let () = Self::CHECKED;
        if S::ARE_SAMPLED {
            let shown = match self.mask_here() {
                Some(mask) => self.sample_shown(mask, ROOT, state)?,
                None => None,
            };
            let first = match shown {
                Some(action) => action,
                None => self.sample(state)?,
            };
            self.actions.clear();
            self.actions.push(first);
            return Ok(());
        }
        self.list(state)?;
        if S::ARE_GUESSED
            && let Some(mask) = self.mask_here()
        {
            keep(self.actions, &|action| mask.shows(action));
            // The guess may allow none of them; other guesses do.
            if self.actions.is_empty() {
                self.list(state)?;
            }
        }
        if turn == Turn::Chance {
            check_probabilities(state, self.actions)?;
            // What never happens must not stand in the way of a proof. (In a guess, it may happen in another
            // one.)
            if B::PROVES {
                keep(self.actions, &|outcome| state.probability(outcome.clone()) > 0.0);
            }
        }
        Ok(())
    }

    /// Gives a node with children those that it lacks in this state. Returns whether the iteration can go on
    /// to one of them.
    #[inline(always)]
    pub fn supply(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
    ) -> Result<bool, GameFault> {
        if S::ARE_GUESSED {
            settle(leaf, self.space);
            return Ok(current.turn != Turn::Over && self.open_guessed(current, leaf)?);
        }
        if S::ARE_SAMPLED {
            self.propose(current, leaf.state())?;
        }
        Ok(true)
    }
}

/// Refuses settings that do not go with these nodes.
pub(crate) fn check_expansion<S: Space>(set: &Expansion) -> Result<(), ParameterError> {
    match S::NODES {
        Lines | Graph => set.check_listed(),
        Guessed => set.check_unwidened().and_then(|()| set.check_listed()),
        Sampled => Ok(()),
    }
}

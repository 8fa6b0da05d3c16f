//! [`Transpositions`] and [`MirrorImages`]: wrappers around a game that let a search recognise positions by
//! their keys. The search then builds a graph.

use super::sealed::Workings;
use super::{ActionOf, NodeKind, Nodes, Space, plays_with_the_game, works_with_the_game};
use crate::backpropagation::{Average, Solver};
use crate::game::{GameFault, GameState, Keyed, Player, Symmetric};
use crate::selection::Ucb1;

/// A game whose positions are recognised by their [keys](Keyed::key): a search of it builds a graph.
///
/// A position that is reached in two ways has two nodes in a tree, and the search treats each as if the other
/// did not exist. In a search of this wrapper, the two actions lead to one node, and both lines of play use
/// what either of them finds out about the position.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::StopReason;
/// use ramure::search::Transpositions;
/// use ramure_games::TicTacToe;
///
/// let mut search = Mcts::new(Transpositions::new(TicTacToe::new())).seed(1);
/// let report = search.run(Budget::iterations(20_000))?;
/// assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5))); // a tree takes more than 50 000
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Statistics
///
/// The action has the statistics that the tree policy needs to *choose*: visits, a mean, and what the policy
/// stores. The position has the statistics that say what it is *worth*: a mean over the iterations through
/// it, whichever way they came, and what the backpropagation stores (proofs, bounds). The position also has
/// the children.
///
/// The value of a position is recomputed from its children: the visits of each action times its mean, and the
/// rewards of the iterations that ended at the position itself. When an iteration comes back through an
/// action, the mean of the action moves to the mean *V* of the position that it leads to. If the action had
/// the mean *Q*, the iteration gives it the reward that makes the mean of its *n* visits equal to *V*, `n V −
/// (n − 1) Q`, limited to [0, 1], instead of its own reward. The nodes above receive the same reward. So the
/// mean of an action is as old as its last visit, and takes over at the next visit what other lines of play
/// have found out. No reward is counted twice: with averages, and one player or two whose rewards sum to 1,
/// the mean of a position is that of its actions, weighted by their visits.
///
/// Statistics of a tree policy besides the mean (variances, AMAF values) are fed by the rewards of the
/// iterations themselves, as in a tree.
///
/// A position that is proven closes the action of the path. Another action that leads to it is closed at its
/// next visit.
///
/// With two players whose rewards sum to 1, the reward of the other player changes by the same amount. With
/// other rewards, the players who did not choose the action receive the rewards of the iteration.
/// Backpropagations that set the mean or record rewards other than those they receive
/// ([`Backprop::AVERAGES`](crate::backpropagation::Backprop::AVERAGES) is `false`) set the mean of the action
/// to that of the position, and pass on the rewards of the iteration.
///
/// The statistics of a position belong to the player who chose the action that leads to it, as in a tree. If
/// different players can move to the same position, it has a node for each of them. If a line of play returns
/// to one of its own positions, the iteration ends there with [`Keyed::repetition_reward`], which proves
/// nothing. Backpropagations that look at children, such as `MaxBackup`, see the position itself there. The
/// line begins with the positions that the game has had, up to the root:
/// [`advance`](crate::Mcts::advance) notes them, and a program that starts in the middle of a game
/// gives them with [`set_earlier_states`](crate::Mcts::set_earlier_states). The first return counts, also to
/// a position that the game has had once. If the rules count occurrences, so must the key: see
/// [`Keyed`](crate::Keyed#repetitions).
///
/// No proof rests on a line back to the root or to a position before it, so proofs hold for the line of the
/// game and under every [restriction of the root](crate::RootActions). An action that leads back to the root
/// shows what its own iterations found, and nothing of what is known of the root. When the root moves,
/// `advance` forgets the proofs that rest on the new root; if something is known of it, this takes time in
/// proportion to the graph.
///
/// # What you can combine with it
///
/// All tree policies, rollout policies and backpropagations; budgets, memory limits,
/// [`advance`](crate::Mcts::advance), [windows](crate::Mcts::window) and, with the feature
/// `save`, files: see the chapter `docs/saved_trees.md`. [`Report::nodes`](crate::Report::nodes) counts
/// the actions that are stored.
///
/// In a window, a pending visit counts at the action and at the position. Two rules keep what belongs
/// together: an action with pending visits is not linked to a position that other actions lead to before
/// their rewards arrive, and a full search does not take the children of positions with pending visits. If a
/// policy reads priors, a position is evaluated once, even if two iterations of a window come to it by
/// different lines.
///
/// The numbers of positions end with the 2^26th block of the tree, at about 8 GB. A search that needs more
/// recycles nodes, as at a memory limit.
///
/// If a path has ever returned to one of its own positions, `advance` walks through the whole graph to find
/// what the root can still reach, which takes time in proportion to it. Positions in a ring that no path has
/// gone round stay in memory until [`reset`](crate::Mcts::reset).
///
/// **Use it** in games in which the order of actions matters little, and in long searches: see the
/// chapter `docs/transpositions.md` for figures. **Cost:** a key and a look-up when a node is due for
/// children. For each position with children, an entry of 28 bytes, its place in the table of keys, and a
/// node of its own. Searches of other games pay nothing.
///
/// **Source:** the value from the children, and visits that belong to actions: Wu, *Monte-Carlo Graph Search
/// from First Principles*, KataGo, 2023. The reward that moves a mean to the value of the position, limited
/// to the range of rewards: Czech, Korus and Kersting, *Improving AlphaZero Using Monte-Carlo Graph Search*,
/// 2021, section 4. In the latter, an iteration ends at a position that others have visited; here it
/// continues.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct Transpositions<G> {
    state: G,
}

impl<G: Keyed> Transpositions<G> {
    /// Wraps `state`.
    pub fn new(state: G) -> Self {
        Transpositions { state }
    }
}

#[diagnostic::do_not_recommend]
impl<G: Keyed> Space for Transpositions<G> {
    plays_with_the_game! {}
    type TreePolicy = Ucb1;
    type Backprop = Solver<Average>;

    fn of(state: G, _: Player) -> Self {
        Transpositions { state }
    }
}

#[diagnostic::do_not_recommend]
impl<G: Keyed> Workings<G, G> for Transpositions<G> {
    works_with_the_game! {}
    const NODES: Nodes = Nodes::Graph;

    #[inline(always)]
    fn position(state: &G) -> Option<(u128, u32)> {
        Some((state.key(), 0))
    }
    fn repeated(state: &G, player: Player) -> f64 {
        state.repetition_reward(player)
    }
}

/// A game whose positions are recognised by their keys, and in which mirror images are the same position.
///
/// This is [`Transpositions`] for games that declare their [symmetries](Symmetric): of all transformed
/// states, the tree stores the one with the least key. Symmetries that exchange the players are left out.
/// Reports, [`Mcts::advance`](crate::Mcts::advance) and the agents use the actions of the real state;
/// [`Mcts::tree`](crate::Mcts::tree) shows the states and the actions that are stored.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::MirrorImages;
/// use ramure_games::TicTacToe;
///
/// let mut search = Mcts::new(MirrorImages::new(TicTacToe::new())).seed(1);
/// let report = search.run(Budget::iterations(10_000))?;
/// assert_eq!(report.proof, Some(0.5));
/// assert!(report.iterations < 3_500);
/// # Ok::<(), SearchError>(())
/// ```
///
/// Each transformed state must be a state of the game, so that it has a key: the rules kit checks this with
/// the law of symmetries.
///
/// The policies of this crate that number actions do not compile with this wrapper: the states of one
/// iteration have different orientations, so a number would stand for several actions. A policy of your own
/// that calls [`ActionIndex`](crate::ActionIndex) compiles, and is wrong here. The lines of
/// [`BestLine`](crate::simulation::BestLine) are in the orientation of the stored states, so you cannot play
/// them.
///
/// **Cost:** all transformations of a state, and their keys, at each look-up; one transformation at each node
/// of the path that is stored as a mirror image.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "save", derive(serde::Serialize, serde::Deserialize))]
pub struct MirrorImages<G> {
    state: G,
}

impl<G: Keyed + Symmetric> MirrorImages<G> {
    /// Wraps `state`.
    pub fn new(state: G) -> Self {
        MirrorImages { state }
    }
}

#[diagnostic::do_not_recommend]
impl<G: Keyed + Symmetric> Space for MirrorImages<G> {
    plays_with_the_game! {}
    type TreePolicy = Ucb1;
    type Backprop = Solver<Average>;

    fn of(state: G, _: Player) -> Self {
        MirrorImages { state }
    }
}

#[diagnostic::do_not_recommend]
impl<G: Keyed + Symmetric> Workings<G, G> for MirrorImages<G> {
    works_with_the_game! {}
    const NODES: Nodes = {
        assert!(G::SYMMETRIES < 16, "a search stores at most 15 symmetries");
        Nodes::Graph
    };
    const IS_MIRRORED: bool = true;

    fn position(state: &G) -> Option<(u128, u32)> {
        let players = state.players();
        let keeps = |symmetry: &usize| {
            (0..players).all(|player| state.transformed_player(player, *symmetry) == player)
        };
        let images = (0..G::SYMMETRIES).filter(keeps);
        let keys = images.map(|symmetry| (state.transformed(symmetry).key(), symmetry as u32 + 1));
        let least = |least: (u128, u32), image: (u128, u32)| if image.0 < least.0 { image } else { least };
        Some(keys.fold((state.key(), 0), least))
    }
    #[inline(always)]
    fn transform(state: &mut G, transformation: u32) {
        if transformation > 0 {
            *state = state.transformed(transformation as usize - 1);
        }
    }
    fn fault(_: &G, fault: GameFault) -> GameFault {
        if fault == GameFault::Replay { GameFault::Symmetry } else { fault }
    }
    fn stored(state: &G, action: G::Action, transformation: u32) -> G::Action {
        match transformation {
            0 => action,
            _ => state.transformed_action(action, transformation as usize - 1),
        }
    }
    fn repeated(state: &G, player: Player) -> f64 {
        state.repetition_reward(player)
    }
}

/// Returns the transformation that turns `state` into the state that the tree stores: 0 for none.
pub(crate) fn transformation_of<S: Space>(state: &S::Game) -> u32 {
    match S::position(state) {
        Some((_, transformation)) => transformation,
        None => 0,
    }
}

/// Returns `action` as the tree stores it at `state`.
pub(crate) fn stored<S: Space>(state: &S::Game, action: ActionOf<S>) -> ActionOf<S> {
    S::stored(state, action, transformation_of::<S>(state))
}

/// Returns the action of `state` that the tree stores as `stored`, where `transformation` leads to the state
/// that it stores.
pub(crate) fn unstored<S: Space>(state: &S::Game, transformation: u32, stored: ActionOf<S>) -> ActionOf<S> {
    if !S::ARE_POSITIONS || transformation == 0 {
        return stored;
    }
    let is_same = |action: &ActionOf<S>| S::stored(state, action.clone(), transformation) == stored;
    state.actions().into_iter().find(is_same).unwrap_or(stored)
}

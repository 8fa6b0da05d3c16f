//! [`RootActions`]: which actions a search considers at its root, and the [`Mask`] that hides the others.
//!
//! A mask hides children of the root from the tree policy. Nothing else changes in the tree: hidden children
//! keep their places and what is known of them, and proofs of the root follow from all children. A masked
//! root gets all its children at once, because the next one in their order may be hidden.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, Player, Turn};
use crate::iteration::nodes::{home, known, listed};
use crate::iteration::path::{BlockOf, NodeOf, TreeOf};
use crate::iteration::{CurrentNode, FedBy, Iterations, Shortage};
use crate::selection::{Choice, Moment, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::transpositions::transformation_of;
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{MAX_CHILDREN, NodeRef};
use core::fmt;

/// Which actions a search considers at its root, and how often at least: a setting of
/// [`Mcts`](crate::Mcts::root_actions). By default, it considers all of them.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::RootActions;
/// use ramure_games::Connect4;
///
/// let mut search = Mcts::new(Connect4::new());
/// let first = search.run(Budget::iterations(1_000))?.best_action();
/// // What else is there? The search goes on in the same tree.
/// search.set_root_actions(RootActions::except([first]).at_least(20));
/// let report = search.run(Budget::iterations(1_000))?;
/// assert!(report.actions.iter().all(|entry| entry.action != first && entry.visits >= 20));
/// # Ok::<(), SearchError>(())
/// ```
///
/// The restriction holds for the root alone: below it, the search considers all actions. It ends when the
/// root changes, by [`advance`](crate::Mcts::advance), [`reset`](crate::Mcts::reset) or loading a file. The
/// tree keeps what it knows of the other actions; [`actions_after`](crate::Mcts::actions_after) shows it, and
/// you may play one of them.
///
/// At the memory limit, iterations may have to visit another action, if none of these fits into the tree. In a
/// search with [guesses](crate::search::InformationSet), they visit another one if a guess allows none of
/// these. Reports never show it.
///
/// A [`Report`](crate::Report) has only the actions that the search may choose. Its
/// [`proof`](crate::Report::proof) is the reward that these actions can reach. In the tree, a proof of the
/// root is still one of the position. In a [graph](crate::search::Transpositions), a line back to the root is
/// a repetition, and nothing that is known of the root counts for it.
#[derive(Clone, PartialEq, Eq)]
pub struct RootActions<A> {
    listed: Vec<A>,
    /// Whether the search may choose the listed actions, or the others.
    are_allowed: bool,
    least: u32,
}

impl<A> RootActions<A> {
    /// Considers only these actions. Each must be legal in the root state.
    pub fn only(actions: impl IntoIterator<Item = A>) -> Self {
        RootActions { listed: actions.into_iter().collect(), are_allowed: true, least: 0 }
    }

    /// Considers all other actions. Each of these must be legal in the root state.
    pub fn except(actions: impl IntoIterator<Item = A>) -> Self {
        RootActions { listed: actions.into_iter().collect(), are_allowed: false, least: 0 }
    }

    /// Gives each action that is considered at least this many visits, before the tree policy chooses. The
    /// visits of earlier runs count. An early stop ([`or_decided`](crate::Budget::or_decided)) waits until
    /// all have them; a proof ends the run at once. An action whose reward is proven needs none. \[Default:
    /// 0\]
    #[must_use]
    pub fn at_least(mut self, visits: u32) -> Self {
        self.least = visits;
        self
    }

    /// Returns whether this changes nothing.
    pub(crate) fn are_all(&self) -> bool {
        !self.are_allowed && self.listed.is_empty() && self.least == 0
    }

    /// Returns the actions that were given, to allow them or the others.
    pub(crate) fn listed(&self) -> &[A] {
        &self.listed
    }

    /// Returns whether the search may choose `action`.
    pub(crate) fn has(&self, action: &A) -> bool
    where
        A: PartialEq,
    {
        self.listed.contains(action) == self.are_allowed
    }
}

impl<A> Default for RootActions<A> {
    /// Considers all actions.
    fn default() -> Self {
        RootActions::except([])
    }
}

/// Writes what was called, such as `RootActions::only([3, 4]).at_least(10)`.
impl<A: fmt::Debug> fmt::Debug for RootActions<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rule = if self.are_allowed { "only" } else { "except" };
        write!(f, "RootActions::{rule}({:?})", self.listed)?;
        if self.least > 0 { write!(f, ".at_least({})", self.least) } else { Ok(()) }
    }
}

/// Hides the children of a root that the search may not choose.
#[derive(Clone)]
pub(crate) struct Mask<A> {
    /// The actions as the tree stores them.
    pub actions: RootActions<A>,
    /// How many actions may be chosen; `usize::MAX` if the game does not list them.
    pub count: usize,
}

/// Returns the mask of the root for these actions.
pub(crate) fn mask<S: Space>(actions: &RootActions<ActionOf<S>>, root: &S::Game) -> Mask<ActionOf<S>> {
    let mut count = 0;
    match listed::<S>(root) {
        Some(legal) => {
            // The run checks that there are no more actions than this.
            for action in legal.take(MAX_CHILDREN + 1) {
                count += usize::from(actions.has(&action));
            }
        }
        None if actions.are_allowed => {
            for (index, action) in actions.listed.iter().enumerate() {
                count += usize::from(!actions.listed[..index].contains(action));
            }
        }
        None => count = usize::MAX,
    }
    let transformation = transformation_of::<S>(root);
    let mut mask = Mask { actions: actions.clone(), count };
    for action in &mut mask.actions.listed {
        *action = S::stored(root, action.clone(), transformation);
    }
    mask
}

impl<A: Clone + PartialEq> Mask<A> {
    /// Returns whether the search may choose the action that the tree stores as `action`.
    pub fn shows(&self, action: &A) -> bool {
        self.actions.has(action)
    }

    /// Returns whether a child of the root is hidden. This compares in place, without a clone.
    pub fn hides<P: Copy + Default, B: Copy + Default>(&self, child: NodeRef<'_, A, P, B>) -> bool {
        self.actions.listed.iter().any(|action| child.has_action(action)) != self.actions.are_allowed
    }

    /// Returns how many visits each action gets at least.
    pub fn least(&self) -> u32 {
        self.actions.least
    }
}

/// Returns a bit for each child of `block` that is hidden.
#[cold]
#[inline(never)]
pub(crate) fn hidden<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    mask: &Mask<ActionOf<S>>,
    block: BlockOf<'_, S, P, B>,
) -> u8 {
    let bit = |(lane, child)| u8::from(mask.hides(child)) << lane;
    block.nodes().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
}

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Returns the mask of the node at the end of the path, if that is a masked root.
    #[inline(always)]
    pub fn mask_here(&self) -> Option<&'s Mask<ActionOf<S>>> {
        self.mask.filter(|_| self.path.len() == 1)
    }

    /// Chooses a child of a masked root for `player`. A child that has fewer visits than it should goes first,
    /// without asking the tree policy.
    #[cold]
    #[inline(never)]
    pub fn choose_masked(
        &mut self,
        mask: &'s Mask<ActionOf<S>>,
        player: Player,
        state: &S::Game,
    ) -> Result<Choice, GameFault> {
        // (To pass the current node on would keep it in memory, at 2 % of the instructions of a search.)
        let step = *self.path.end();
        let root = home::<S, P, B>(self.tree, step.node());
        let mut current = CurrentNode::<S, P, B>::new(root, step.chooser, step.turn);
        if !P::SEES_UNVISITED && S::ARE_EXACT && !self.tree.is_complete(current.node.link()) {
            self.make_all(current.node, current.turn, state)?;
        }
        let link = current.node.link();
        current.link = link;
        let (mut hidden_visits, mut in_need, mut fewest) = (0, None, mask.least());
        let (mut visited, mut open, mut has_any, mut has_untried) = (0, 0, S::ARE_GUESSED, false);
        for (id, block, used) in self.tree.family(link) {
            for lane in 0..used {
                let child = block.node(lane);
                visited += usize::from(child.visit_count() > 0);
                if mask.hides(child) {
                    hidden_visits += child.visit_count();
                    continue;
                }
                has_any = true;
                let is_certain = B::PROVES && {
                    let stats = known::<S, P, B>(self.tree, child).backprop();
                    self.backprop.certain(stats, player).is_some()
                };
                if B::PROVES && child.is_closed() && !is_certain {
                    child.set_closed(false); // it was pruned, perhaps because of a child that is hidden
                }
                if !child.is_closed() && child.visit_count() < fewest {
                    (in_need, fewest) = (Some(Choice::new(id, lane, Moment::NEVER)), child.visit_count());
                }
                has_untried |= child.visit_count() == 0;
                open += usize::from(child.visit_count() > 0 && !child.is_closed() && !is_certain);
            }
        }
        if !has_any {
            self.shortage = self.shortage.max(Shortage::AtRoot); // none of them fits into the memory
        }
        // The hidden children do not exist for the tree policy.
        current.visits = current.visits.saturating_sub(hidden_visits);
        let is_widened = self.expansion.is_widened() && !S::ARE_SAMPLED;
        let shown = if let Some(choice) = in_need {
            if P::SEES_UNVISITED || fewest > 0 {
                return Ok(choice);
            }
            (0, true) // it is the next one to try
        } else if P::SEES_UNVISITED {
            (if is_widened { self.widened(link, current.visits.max(1)) } else { usize::MAX }, false)
        } else {
            let fits = !is_widened || open < self.expansion.width(current.visits.max(1));
            (visited, has_untried && fits)
        };
        // In a search with guesses, the hidden children are closed.
        let mask = if S::ARE_GUESSED { None } else { Some(mask) };
        self.choose_from(&current, self.tree.block(link), player, state, shown, mask)
    }

    /// Returns whether the reward that the actions of a masked root can reach is proven.
    #[cold]
    #[inline(never)]
    pub fn masked_root_is_proven(&self, mask: &Mask<ActionOf<S>>) -> bool {
        let Turn::Player(player) = self.turn else { return false };
        masked_proof::<S, P, B>(self.tree, self.backprop, mask, player).is_some()
    }
}

/// Returns the reward that `player`, the player to move at the root, gets by the actions that a mask shows;
/// `None` if it is not certain.
pub(crate) fn masked_proof<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    backprop: &B,
    mask: &Mask<ActionOf<S>>,
    player: Player,
) -> Option<f32> {
    let certain =
        |child: NodeOf<'_, S, P, B>| backprop.certain(known::<S, P, B>(tree, child).backprop(), player);
    let children = tree.children_of(home::<S, P, B>(tree, tree.root()).link());
    let (mut proven, mut best) = (0, None);
    for reward in children.filter(|&child| !mask.hides(child)).filter_map(certain) {
        (proven, best) = (proven + 1, Some(best.map_or(reward, |best: f32| best.max(reward))));
    }
    best.filter(|&best| best == 1.0 || proven == mask.count)
}

//! [`RootActions`]: which actions a search considers at its root, and what an iteration does at a root whose
//! actions are restricted.
//!
//! A child of the root is *permitted* if the search may choose its action. Permitted children move to the
//! front, and the tree policy sees only these, as it sees the first children of a widened node. The other
//! children stay in the tree, and proofs of the root follow from all children.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, Player, Turn};
use crate::iteration::nodes::{DRAWS, home, known, listed};
use crate::iteration::path::TreeOf;
use crate::iteration::{CurrentNode, FedBy, Iterations, LeafOf, Shortage};
use crate::selection::{Choice, FirstPlay, Moment, TreePolicy};
use crate::simulation::RolloutPolicy;
use crate::space::transpositions::transformation_of;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
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
/// At the memory limit, iterations may have to visit a forbidden action, if no permitted one fits into the
/// tree. In a search with [guesses](crate::search::InformationSet), they visit one if a guess allows no
/// permitted action. Reports never show it.
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

    /// Returns the actions that were given, to allow or to forbid them.
    pub(crate) fn listed(&self) -> &[A] {
        &self.listed
    }

    /// Returns whether the search may choose `action`.
    pub(crate) fn permit(&self, action: &A) -> bool
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

/// The restriction of a root, in terms of the actions that the tree stores.
#[derive(Clone)]
pub(crate) struct Narrowed<A> {
    actions: RootActions<A>,
    /// How many actions are permitted; `usize::MAX` if the game does not list them.
    pub count: usize,
}

/// Returns the restriction of the root by these actions.
pub(crate) fn narrow<S: Space>(actions: &RootActions<ActionOf<S>>, root: &S::Game) -> Narrowed<ActionOf<S>> {
    let mut count = 0;
    match listed::<S>(root) {
        Some(legal) => {
            // The run checks that there are no more actions than this.
            for action in legal.take(MAX_CHILDREN + 1) {
                count += usize::from(actions.permit(&action));
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
    let mut narrowed = Narrowed { actions: actions.clone(), count };
    for action in &mut narrowed.actions.listed {
        *action = S::stored(root, action.clone(), transformation);
    }
    narrowed
}

impl<A: PartialEq> Narrowed<A> {
    /// Returns whether the search may choose the action that the tree stores as `action`.
    pub fn permits(&self, action: &A) -> bool {
        self.actions.permit(action)
    }

    /// Returns whether a child of the root is permitted. This compares in place, without a clone.
    pub fn permits_child<P: Copy + Default, B: Copy + Default>(&self, child: NodeRef<'_, A, P, B>) -> bool
    where
        A: Clone,
    {
        self.actions.listed.iter().any(|action| child.has_action(action)) == self.actions.are_allowed
    }

    /// Returns how many visits each action gets at least.
    pub fn least(&self) -> u32 {
        self.actions.least
    }
}

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Returns whether the path ends at a restricted root.
    #[inline(always)]
    pub fn is_at_narrowed_root(&self) -> bool {
        self.narrowed.is_some() && self.path.len() == 1
    }

    /// Returns whether the reward that the permitted actions can reach is proven.
    #[cold]
    #[inline(never)]
    pub fn narrowed_root_is_proven(&self) -> bool {
        let (Some(narrowed), Turn::Player(player)) = (self.narrowed, self.turn) else { return false };
        narrowed_proof::<S, P, B>(self.tree, self.backprop, narrowed, player).is_some()
    }

    /// Chooses a child of a restricted root, for the player to move there, who is returned. A child that has
    /// fewer visits than it should goes first, without asking the tree policy.
    #[cold]
    #[inline(never)]
    pub fn choose_narrowed(&mut self, leaf: &mut LeafOf<S, P, R>) -> Result<(Choice, Player), GameFault> {
        let (Some(narrowed), true, Turn::Player(player)) = (self.narrowed, self.path.len() == 1, self.turn)
        else {
            return Err(GameFault::Replay); // a node with children at which the game is over now
        };
        let root = home::<S, P, B>(self.tree, self.tree.root());
        let current = &mut CurrentNode::new(root, self.chooser, self.turn);
        let (shown, more) = if S::ARE_GUESSED {
            (usize::MAX, false) // the others are closed
        } else {
            self.bring_forward(current, leaf, narrowed)?
        };
        if shown == 0 && !more {
            // No permitted child fits into the memory, so the iteration goes to another one, which no report
            // shows.
            self.shortage = self.shortage.max(Shortage::AtRoot);
            return Ok((self.first_possible(current.link), player));
        }
        if let Some(in_need) = self.in_need(current.link) {
            return Ok((in_need, player));
        }
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0)) {
            if more && let FirstPlay::BelowMean(reduction) = self.first_play {
                self.prepare_stand_in(current.link, reduction);
            }
            let choice = self.ask_rarely(current, player, shown, more, false);
            if !choice.is_untried() {
                return Ok((choice, player));
            }
        }
        if more && let Some(untried) = self.first_untried(current.link, narrowed) {
            return Ok((untried, player));
        }
        Ok((self.choose_fallback(shown), player))
    }

    /// Returns the first permitted child of a restricted root that was not visited yet.
    fn first_untried(&self, link: u32, narrowed: &Narrowed<ActionOf<S>>) -> Option<Choice> {
        for (id, block, used) in self.tree.family(link) {
            for lane in 0..used {
                let child = block.node(lane);
                if child.visit_count() == 0 && narrowed.permits_child(child) {
                    return Some(Choice::new(id, lane, Moment::NEVER));
                }
            }
        }
        None
    }

    /// Returns the child of a restricted root that has the fewest visits, if it should have more.
    fn in_need(&self, link: u32) -> Option<Choice> {
        let narrowed = self.narrowed.filter(|narrowed| narrowed.least() > 0)?;
        let (mut in_need, mut fewest) = (None, narrowed.least());
        for (id, block, used) in self.tree.family(link) {
            for lane in 0..used {
                let child = block.node(lane);
                let is_open = !child.is_closed() && narrowed.permits_child(child);
                if is_open && child.visit_count() < fewest {
                    (in_need, fewest) = (Some(Choice::new(id, lane, Moment::NEVER)), child.visit_count());
                }
            }
        }
        in_need
    }

    /// Moves the permitted children of the root to the front, and adds one if all of them have been visited.
    /// Returns how many the tree policy sees, and whether it may choose another one.
    fn bring_forward(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
        narrowed: &Narrowed<ActionOf<S>>,
    ) -> Result<(usize, bool), GameFault> {
        let (mut shown, mut untried) = sort::<S, P, B>(self.tree, current.link, narrowed);
        if untried == 0 && shown < narrowed.count && self.add_permitted(current, leaf, narrowed, shown)? {
            (shown, untried) = sort::<S, P, B>(self.tree, current.link, narrowed);
        }
        let mut other_visits = 0;
        for child in self.tree.children_of(current.link) {
            if !narrowed.permits_child(child) {
                other_visits += child.visit_count();
            } else if B::PROVES
                && child.is_closed()
                && self
                    .backprop
                    .certain(known::<S, P, B>(self.tree, child).backprop(), self.mover())
                    .is_none()
            {
                child.set_closed(false); // it was pruned, perhaps because of an action that is forbidden
            }
        }
        // The others do not exist for the tree policy.
        current.visits = current.visits.saturating_sub(other_visits);
        let width = if self.expansion.is_widened() {
            self.widened(current.link, current.visits.max(1))
        } else {
            usize::MAX
        };
        Ok((shown.min(width), untried > 0 && shown < width))
    }

    /// Moves the permitted children of the root to the front, for a decision.
    pub fn sort_root(&self) {
        if let Some(narrowed) = self.narrowed.filter(|_| !S::ARE_GUESSED) {
            let link = home::<S, P, B>(self.tree, self.tree.root()).link();
            sort::<S, P, B>(self.tree, link, narrowed);
        }
    }

    /// Returns the player to move at the root.
    fn mover(&self) -> Player {
        if let Turn::Player(player) = self.turn { player } else { self.chooser }
    }

    /// Gives the root one more permitted child. Returns whether it may have got one.
    fn add_permitted(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
        narrowed: &Narrowed<ActionOf<S>>,
        shown: usize,
    ) -> Result<bool, GameFault> {
        let link = current.link;
        let is_new = |action: &ActionOf<S>| self.tree.child_by(link, action).is_none();
        if S::ARE_SAMPLED {
            if P::SEES_UNVISITED && self.first_untried(link, narrowed).is_some() {
                return Ok(false);
            }
            let new = if narrowed.count < usize::MAX {
                narrowed.actions.listed.iter().find(|action| is_new(action)).cloned()
            } else if shown < self.widened(current.link, current.visits.max(1)) {
                let mut new = None;
                for _ in 0..if shown == 0 { DRAWS } else { 1 } {
                    let drawn = self.sample(leaf.state())?;
                    if narrowed.permits(&drawn) {
                        new = self.tree.child_by(link, &drawn).is_none().then_some(drawn);
                        break;
                    }
                }
                new
            } else {
                None
            };
            let added = new.is_some();
            self.add_children(current.node, new.as_slice())?;
            current.link = current.node.link();
            return Ok(added);
        }
        if P::SEES_UNVISITED || P::Stats::INITIALIZES || self.tree.is_complete(current.link) {
            return Ok(false); // it has all children
        }
        self.list(leaf.state())?;
        let made: Vec<_> = self.tree.children_of(link).take_while(|child| child.visit_count() > 0).collect();
        let (visited, all) = (made.len(), self.actions.len());
        self.initial.clear();
        // The next one in the order of the family, which is mostly found where it is expected: to look for
        // each action among all children would compare each with each.
        self.arrange_adopted(current.turn, &made, &[], all);
        let new = self.actions.iter().skip(visited).find(|action| narrowed.permits(action)).cloned();
        let Some(new) = new else { return Ok(false) };
        self.adopt(current.node, current.turn, leaf, &[new])?;
        current.link = current.node.link();
        Ok(true)
    }
}

/// Moves the permitted children to the front: of all children, or, if the visited ones have to come first, of
/// the visited and of the unvisited ones. Returns how many come first, and how many unvisited ones are
/// permitted then.
pub(crate) fn sort<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    link: u32,
    narrowed: &Narrowed<ActionOf<S>>,
) -> (usize, usize) {
    tree.sort(link, !P::SEES_UNVISITED, |child| narrowed.permits_child(child))
}

/// Returns how many permitted children of the root come first. A run has moved them there, or the setting.
pub(crate) fn lead<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    link: u32,
    narrowed: &Narrowed<ActionOf<S>>,
) -> usize {
    let mut count = 0;
    for child in tree.children_of(link) {
        if !narrowed.permits_child(child) {
            break;
        }
        count += 1;
    }
    count
}

/// Returns the reward that `player`, the player to move at the root, gets by the permitted actions; `None` if
/// it is not certain.
pub(crate) fn narrowed_proof<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
    tree: &TreeOf<S, P, B>,
    backprop: &B,
    narrowed: &Narrowed<ActionOf<S>>,
    player: Player,
) -> Option<f32> {
    let (mut proven, mut best) = (0, None);
    for child in tree.children_of(home::<S, P, B>(tree, tree.root()).link()) {
        if !narrowed.permits_child(child) {
            continue;
        }
        let certain = backprop.certain(known::<S, P, B>(tree, child).backprop(), player);
        if certain == Some(1.0) {
            return certain;
        }
        if let Some(reward) = certain {
            (proven, best) = (proven + 1, Some(best.map_or(reward, |best: f32| best.max(reward))));
        }
    }
    best.filter(|_| proven == narrowed.count)
}

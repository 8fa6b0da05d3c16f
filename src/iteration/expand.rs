//! How the tree grows: a leaf gets children, and more of them as they are tried.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Rewards, Rng, Turn, unless_failed};
use crate::iteration::expansion::Order;
use crate::iteration::order::{arrange, promising_first, put_first};
use crate::iteration::path::NodeOf;
use crate::iteration::{CurrentNode, FedBy, Iterations, LeafOf, Shortage};
use crate::selection::Choice;
use crate::simulation::{RolloutPolicy, why_no_action};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{LANES, MAX_CHILDREN, ROOT, SMALL};
use smallvec::SmallVec;

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Returns whether a leaf gets children on this visit: by default on the second, or on the first if the
    /// tree policy reads priors. A full memory can still prevent it, and so can a leaf of a graph that has no
    /// position yet.
    #[inline(always)]
    pub fn expands(&self, current: &CurrentNode<'s, S, P, B>) -> bool {
        let visit = self.expansion.visit(if P::Stats::INITIALIZES { 1 } else { 2 });
        current.link == ROOT
            && current.turn != Turn::Over
            && (current.visits + 1 >= visit || self.path.len() == 1)
    }

    /// Gives a leaf children. Returns the last block of the family, or `None` if there was no room.
    #[inline(never)]
    pub fn expand(
        &mut self,
        node: NodeOf<'s, S, P, B>,
        turn: Turn,
        leaf: &mut LeafOf<S, P, R>,
        rollout_policy: &R,
    ) -> Result<Option<u32>, GameFault> {
        self.list_first(turn, leaf.state())?;
        let mut priors: SmallVec<[f32; 64]> = SmallVec::new();
        if P::Stats::INITIALIZES && turn != Turn::Chance {
            priors.resize(self.actions.len(), 1.0);
            let value = P::Stats::priors(rollout_policy, leaf.state(), self.actions, &mut priors)
                .map_err(|error| leaf.fail(error))?;
            leaf.set_value(value);
        }
        unless_failed()?;
        let link = self.give_children(node, turn, &priors, leaf.value().as_ref(), rollout_policy)?;
        if let Some(family) = link {
            self.keep_state(family, leaf.state());
        }
        Ok(link)
    }

    /// Gives a leaf children from the listed actions, with their `priors` if its statistics have any, and
    /// with the `value` that came with the priors. Returns the last block of the family, or `None` if there
    /// was no room.
    #[inline(always)]
    pub fn give_children(
        &mut self,
        node: NodeOf<'s, S, P, B>,
        turn: Turn,
        priors: &[f32],
        value: Option<&Rewards>,
        rollout_policy: &R,
    ) -> Result<Option<u32>, GameFault> {
        self.initial.clear();
        if P::Stats::INITIALIZES {
            self.initial.resize(self.actions.len(), P::Stats::default());
            if turn != Turn::Chance {
                let player = if let Turn::Player(player) = turn { player } else { 0 };
                P::Stats::initialize(rollout_policy, player, priors, value, self.initial)?;
            }
        }
        let at_once = if P::SEES_UNVISITED || P::Stats::INITIALIZES || turn == Turn::Chance {
            self.actions.len()
        } else {
            1
        };
        let link = self.grow(node, turn, at_once);
        if link.is_none() {
            self.tree.prune(node);
        }
        Ok(link)
    }

    /// Lists the actions of `state`.
    #[inline(always)]
    pub fn list(&mut self, state: &S::Game) -> Result<(), GameFault> {
        self.actions.clear();
        let actions = &mut *self.actions;
        // An iterator that is told what to do with each item is faster than one that is asked for each.
        state.actions().into_iter().take(MAX_CHILDREN + 1).for_each(|action| actions.push(action));
        unless_failed()?;
        match self.actions.len() {
            0 => Err(why_no_action(state)),
            1..=MAX_CHILDREN => Ok(()),
            _ => Err(GameFault::TooManyActions { limit: MAX_CHILDREN }),
        }
    }

    /// Gives a node at least `more` children, or all that remain, from the listed actions. Returns the last
    /// block of the family, or `None` if there was no room for all of them. Fresh statistics go with their
    /// actions.
    #[inline(never)]
    fn grow(&mut self, node: NodeOf<'s, S, P, B>, turn: Turn, more: usize) -> Option<u32> {
        let link = node.link();
        let have = self.tree.family_len(link);
        let most = self.actions.len();
        let needed = (have + more).min(most);
        let wanted = family_size(needed).min(most);
        if wanted <= have {
            return None; // the game lists other actions than before
        }
        if have > 0 && self.tree.has_adopted() {
            let made: Vec<_> = self.tree.children_of(link).collect();
            self.arrange_adopted(turn, &made, wanted);
        } else {
            let mut made: SmallVec<[ActionOf<S>; SMALL]> = SmallVec::new();
            if have > 0 {
                for node in self.tree.children_of(link).take(SMALL) {
                    made.push(node.action());
                }
            }
            self.arrange(turn, made.len(), |place, action| made[place] == *action, wanted);
        }
        self.keep_first(link);
        if P::Stats::INITIALIZES && self.order(turn) == Order::Prior {
            promising_first(self.actions, self.initial, |stats| stats.promise().unwrap_or(0.0));
        }
        let complete = wanted == most && S::ARE_EXACT;
        let room = self.room(); // the state that is taken comes back
        let state = self.take_state(node);
        let grown = self.tree.grow(node, &self.actions[..wanted], needed, complete, room);
        self.put_state(node, state);
        if grown.is_none() {
            let here = if self.path.len() == 1 { Shortage::AtRoot } else { Shortage::BelowRoot };
            self.shortage = self.shortage.max(here);
        } else {
            self.is_full = false;
        }
        if P::Stats::INITIALIZES {
            let mut initial = self.initial.iter();
            for (_, block, used) in self.tree.family(node.link()) {
                for (lane, &stats) in (0..used).zip(&mut initial) {
                    block.node(lane).set_stats(stats);
                }
            }
        }
        grown
    }

    fn order(&self, turn: Turn) -> Order {
        if turn == Turn::Chance { Order::AsListed } else { self.expansion.tries() }
    }

    /// Arranges the listed actions for a family in which any child may have another place than the one drawn
    /// for it: those of `made` come first. (Kept out of the loop, so that the usual call is compiled into it.)
    #[cold]
    #[inline(never)]
    fn arrange_adopted(&mut self, turn: Turn, made: &[NodeOf<'s, S, P, B>], wanted: usize) {
        self.arrange(turn, made.len(), |place, action| made[place].has_action(action), wanted);
    }

    /// Puts the listed actions in the order in which they become children, up to the child `wanted`. Of the
    /// existing children, `known` are looked at; `is_made` says whether the one at a place is by an action.
    #[inline(always)]
    fn arrange(
        &mut self,
        turn: Turn,
        known: usize,
        is_made: impl Fn(usize, &ActionOf<S>) -> bool,
        wanted: usize,
    ) {
        let order = self.order(turn);
        let (actions, initial) = (&mut *self.actions, &mut *self.initial);
        match order {
            Order::AsListed if self.tree.has_adopted() => put_first(actions, known, is_made),
            Order::AsListed => {}
            _ => arrange(actions, initial, known, is_made, wanted, self.salt, self.rng),
        }
    }

    /// Draws the random order of the listed actions. Returns the generator as it was before, which draws the
    /// same order when a node gets children by all of these actions.
    pub fn draw_order(&mut self, turn: Turn) -> Option<Rng> {
        if self.order(turn) == Order::AsListed {
            return None;
        }
        let before = self.rng.clone();
        let count = self.actions.len();
        arrange::<_, ()>(self.actions, &mut [], 0, |_, _| false, count, self.salt, self.rng);
        Some(before)
    }

    /// Gives a node all children that it lacks.
    pub fn make_all(
        &mut self,
        node: NodeOf<'s, S, P, B>,
        turn: Turn,
        state: &S::Game,
    ) -> Result<(), GameFault> {
        self.list(state)?;
        self.initial.clear();
        self.grow(node, turn, self.actions.len());
        Ok(())
    }

    /// Gives `node` the children by `new` besides those that it has. Returns the last block of the family, or
    /// `None` if there was no room.
    #[inline(never)]
    pub fn add_children(
        &mut self,
        node: NodeOf<'s, S, P, B>,
        new: &[ActionOf<S>],
    ) -> Result<Option<u32>, GameFault> {
        if self.tree.family_len(node.link()) + new.len() > MAX_CHILDREN {
            return Err(GameFault::TooManyActions { limit: MAX_CHILDREN });
        }
        let room = self.room(); // the state that is taken comes back
        let state = self.take_state(node);
        let grown = self.tree.add(node, new, new.len(), room);
        self.put_state(node, state);
        if grown.is_some() {
            self.is_full = false;
        } else {
            self.shortage = self.shortage.max(Shortage::BelowRoot);
        }
        Ok(grown)
    }

    /// Creates the next child and returns it as a choice; `None` if there was no room.
    #[inline(never)]
    pub fn next_made(
        &mut self,
        node: NodeOf<'s, S, P, B>,
        turn: Turn,
        state: &S::Game,
    ) -> Result<Option<Choice>, GameFault> {
        self.list(state)?;
        if self.actions.len() < self.tree.family_len(node.link()) {
            return Err(GameFault::Replay);
        }
        let Some(link) = self.grow(node, turn, 1) else { return Ok(None) };
        let last = self.tree.block(link);
        Ok(Some(Choice::new(link, last.visited().min(last.used() - 1), self.moment())))
    }
}

/// Returns how many children a node stores that needs `children` of them.
#[inline(always)]
fn family_size(children: usize) -> usize {
    if children <= SMALL { SMALL } else { children.next_multiple_of(LANES) }
}

//! Collects what was found at the nodes for the report. Nothing here depends on the policies, so this is
//! compiled once per game.

use crate::game::{GameState, MAX_PLAYERS, Player, Rng, Turn, has_failed};
use crate::iteration::nodes::{listed, play_known};
use crate::iteration::order::arrange;
use crate::iteration::root_actions::{Narrowed, RootActions};
use crate::run::report::ActionReport;
use crate::run::report::root_decision::{RootDecision, RootLead, proofs_first};
use crate::space::transpositions::{transformation_of, unstored};
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{Child, MAX_CHILDREN, ROOT, SMALL};
use smallvec::SmallVec;
use std::collections::HashSet;

/// A child as a report describes it. The action stays in the tree, because actions may be large and lists of
/// children are on the stack.
pub(crate) struct FoundChild<'t, A> {
    pub child: Child<'t, A, ()>,
    pub summary: ActionReport<()>,
    /// The link to its children.
    pub link: u32,
}

/// The children of a node. A short list needs no allocation.
pub(crate) type FoundChildren<'t, A> = SmallVec<[FoundChild<'t, A>; 16]>;

/// Returns an entry for each permitted action at the root, in the order of the game: that of its child among
/// `found`, or else `blank`. If actions are sampled, these are the actions of the children. `order` says that
/// the children were created in a random order: the salt, and the generator that drew it. Returns `None` if
/// the game lists no such action.
pub(crate) fn list<S: Space>(
    root: &S::Game,
    permitted: &RootActions<ActionOf<S>>,
    found: &[FoundChild<'_, ActionOf<S>>],
    blank: ActionReport<()>,
    order: Option<(u64, Rng)>,
) -> Option<Vec<ActionReport<ActionOf<S>>>> {
    /// Up to this many children, a linear search for each among the actions is fast.
    const FEW: usize = 64;
    let Some(actions) = listed::<S>(root) else {
        return Some(found.iter().map(|child| child.summary.with_action(child.child.action())).collect());
    };
    let actions = actions.take(MAX_CHILDREN + 1).filter(|action| permitted.permit(action));
    let mut reports = Vec::with_capacity(actions.size_hint().0.max(found.len()));
    reports.extend(actions.map(|action| blank.with_action(action)));
    let places = match order {
        Some((salt, mut rng)) if (FEW + 1..=reports.len()).contains(&found.len()) => {
            places(&reports, found, salt, &mut rng)
        }
        _ => Vec::new(),
    };
    let transformation = transformation_of::<S>(root);
    let stored = |action| S::stored(root, action, transformation);
    write(&mut reports, found, |made| places.get(made).copied().unwrap_or(made), stored);
    Some(reports).filter(|reports| !reports.is_empty())
}

/// Writes the children `found` below the root into `reports`, the list of all actions. `guess` maps the index
/// of a child to the entry to check first, and `stored` maps an action to the one that the tree stores.
fn write<A: Clone + Eq>(
    reports: &mut [ActionReport<A>],
    found: &[FoundChild<'_, A>],
    guess: impl Fn(usize) -> usize,
    stored: impl Fn(A) -> A,
) {
    for (made, child) in found.iter().enumerate() {
        let here = |place: &usize| {
            let entry = reports.get(*place);
            entry.is_some_and(|entry| child.child.has_action(&stored(entry.action.clone())))
        };
        if let Some(place) = Some(guess(made)).filter(here).or_else(|| (0..reports.len()).find(here)) {
            reports[place] = child.summary.with_action(reports[place].action.clone());
        }
    }
}

/// Returns, for each child of the root in order of creation, its index in `reports`. Assumes that the
/// children were created in random order.
fn places<A: Clone + Eq>(
    reports: &[ActionReport<A>],
    found: &[FoundChild<'_, A>],
    salt: u64,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..reports.len()).collect();
    let mut listed: Vec<A> = reports.iter().map(|entry| entry.action.clone()).collect();
    let made: SmallVec<[A; SMALL]> = found.iter().take(SMALL).map(|child| child.child.action()).collect();
    arrange(&mut listed, &made, found.len(), salt, rng, |a, b| places.swap(a, b));
    places
}

/// Returns the standing of the root decision among the children of the root. `more` says that not all
/// children are stored.
pub(crate) fn standing<A>(found: &[FoundChild<'_, A>], more: bool) -> Option<RootLead> {
    let unproven = || found.iter().map(|child| &child.summary).filter(|report| report.proof.is_none());
    let all_pruned = unproven().all(|report| report.is_pruned);
    let open = unproven().filter(|report| all_pruned || !report.is_pruned);
    let standing = RootLead::of(open.map(|report| (report.visits, report.mean)), more)?;
    // A proven draw may still be preferred to the leader.
    let rivals = found.iter().any(|child| child.summary.proof > Some(0.0));
    Some(RootLead { lead: if rivals { 0 } else { standing.lead }, ..standing })
}

/// Returns the standing of the root decision among the permitted children of a restricted root.
pub(crate) fn narrowed_standing<A: Clone + Eq>(
    mut found: FoundChildren<'_, A>,
    narrowed: &Narrowed<A>,
) -> Option<RootLead> {
    found.retain(|child| narrowed.permits(&child.child.action()));
    let standing = standing(&found, found.len() < narrowed.count)?;
    let needs_visits =
        |child: &FoundChild<'_, A>| child.summary.proof.is_none() && child.summary.visits < narrowed.least();
    let is_early = found.iter().any(needs_visits) || narrowed.least() > 0 && found.len() < narrowed.count;
    Some(if is_early { RootLead { lead: 0, ..standing } } else { standing })
}

/// Leaves out the children of a restricted root that are not permitted.
pub(crate) fn narrow<A: Clone + Eq>(found: &mut FoundChildren<'_, A>, narrowed: &Narrowed<A>) {
    found.retain(|child| narrowed.permits(&child.child.action()));
    // An action may have been pruned because of one that is forbidden.
    found.iter_mut().for_each(|child| child.summary.is_pruned = false);
}

/// Returns what the proven children are worth. A short list needs no allocation.
pub(crate) fn worths<A>(found: &[FoundChild<'_, A>]) -> SmallVec<[Option<f32>; 32]> {
    found.iter().map(|child| child.summary.worth).collect()
}

/// Writes the improved policy into the children. Returns whether it has a share for each of them.
pub(crate) fn set_improved<A>(found: &mut [FoundChild<'_, A>], improved: &[f32]) -> bool {
    if improved.len() != found.len() {
        return false;
    }
    for (child, &share) in found.iter_mut().zip(improved) {
        child.summary.improved_policy = Some(share);
    }
    true
}

/// Returns the line that starts with the root's `first` action and continues with the robust child of each
/// node, proofs first. `children` returns the children below a link, with proofs for a player. `chooser` is
/// the player who acted before the root, `ties` draws among equal children, and `length` is a guess at the
/// length of the line.
pub(crate) fn principal_variation<'t, S: Space>(
    mut state: S::Game,
    mut chooser: Player,
    first: Option<ActionOf<S>>,
    mut link: u32,
    children: &dyn Fn(u32, Player) -> FoundChildren<'t, ActionOf<S>>,
    ties: &Rng,
    length: usize,
) -> Vec<ActionOf<S>> {
    let mut line = Vec::with_capacity(length);
    // A line may come back to a position.
    let mut passed = HashSet::new();
    while link != ROOT && (!S::ARE_POSITIONS || passed.insert(link)) {
        let transformation = transformation_of::<S>(&state);
        let turn = state.turn();
        match turn {
            Turn::Player(player) if usize::from(player) < MAX_PLAYERS => chooser = player,
            Turn::Player(_) => break, // the game gave another answer during the search
            Turn::Chance | Turn::Over => {}
        }
        let found = children(link, chooser);
        let next = match first.as_ref().filter(|_| line.is_empty()) {
            Some(action) => {
                let stored = S::stored(&state, action.clone(), transformation);
                found.iter().position(|child| child.child.has_action(&stored))
            }
            None if turn == Turn::Chance => (0..found.len())
                .reduce(|a, b| if found[b].summary.visits > found[a].summary.visits { b } else { a }),
            None => {
                let reports: SmallVec<[_; 16]> = found.iter().map(|child| child.summary).collect();
                proofs_first(&reports, &mut ties.clone(), &mut |open, ties| {
                    RootDecision::Robust.favourite(&reports, open, &mut Rng::seeded(0), ties)
                })
            }
        };
        let Some(next) =
            next.map(|next| &found[next]).filter(|next| line.is_empty() || next.summary.visits > 0)
        else {
            break;
        };
        let action = unstored::<S>(&state, transformation, next.child.action());
        line.push(action.clone());
        play_known::<S>(&mut state, action);
        if has_failed::<S::Game>() {
            break; // the report is an error
        }
        link = next.link;
    }
    if line.is_empty() {
        line.extend(first);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Tree;

    /// A child with these visits and this mean.
    fn child(tree: &Tree<(), (), ()>, visits: u32, mean: f32, is_pruned: bool) -> FoundChild<'_, ()> {
        let report = ActionReport { is_pruned, ..ActionReport::new((), visits, mean, None, None) };
        FoundChild { child: tree.root().child(), summary: report, link: ROOT }
    }

    #[test]
    fn a_pruned_child_neither_leads_nor_competes() {
        let tree = Tree::new();
        assert!(tree.plant((), usize::MAX));
        let child = |visits, mean, is_pruned| child(&tree, visits, mean, is_pruned);
        // The child with the most visits and the greatest mean is pruned, so the decision is between the
        // other two.
        let found = [child(500, 0.6, true), child(300, 0.4, false), child(290, 0.5, false)];
        assert_eq!(standing(&found, false), Some(RootLead { lead: 10, agrees: false }));
        let found = [child(500, 0.4, false), child(300, 0.6, true)];
        assert_eq!(standing(&found, false), Some(RootLead { lead: u64::MAX, agrees: true }));
        assert_eq!(standing(&found, true), Some(RootLead { lead: 500, agrees: true }));
        // If all children are pruned, one of them is played nevertheless.
        let found = [child(500, 0.4, true), child(300, 0.6, true)];
        assert_eq!(standing(&found, false), Some(RootLead { lead: 200, agrees: false }));
    }
}

//! Collects what was found at the nodes for the report. Nothing here depends on the policies, and most does
//! not depend on the game either, so it is compiled once.

use crate::game::{GameState, MAX_PLAYERS, Player, Rng, Turn, has_failed};
use crate::iteration::nodes::{listed, play_known};
use crate::iteration::order::arrange;
use crate::iteration::root_actions::RootActions;
use crate::run::report::ActionReport;
use crate::run::report::root_decision::{RootDecision, RootLead};
use crate::space::transpositions::{transformation_of, unstored};
use crate::space::{ActionOf, NodeKind, Space};
use crate::tree::{Child, MAX_CHILDREN, ROOT, SMALL};
use smallvec::SmallVec;
use std::collections::HashSet;

/// The children of a node in the order in which they were created. The actions stay in the tree.
pub(crate) struct FoundChildren {
    pub places: SmallVec<[ChildPlace; 16]>,
    pub summaries: Summaries,
}

/// Where the tree has a child, and the link to its own children.
#[derive(Clone, Copy)]
pub(crate) struct ChildPlace {
    pub block: u32,
    pub lane: u32,
    pub link: u32,
}

/// The entry of a report for each child of a node. A short list needs no allocation.
pub(crate) type Summaries = SmallVec<[ActionReport<()>; 16]>;

impl FoundChildren {
    /// Leaves out the children that are not `kept`.
    pub fn keep(&mut self, kept: &dyn Fn(ChildPlace) -> bool) {
        let mut count = 0;
        for index in 0..self.places.len() {
            if kept(self.places[index]) {
                self.places.swap(count, index);
                self.summaries.swap(count, index);
                count += 1;
            }
        }
        self.places.truncate(count);
        self.summaries.truncate(count);
    }
}

/// Returns the child at a place in the tree.
pub(crate) type ChildAt<'f, 't, A> = &'f dyn Fn(ChildPlace) -> Child<'t, A, ()>;

/// Returns an entry for each permitted action at the root, in the order of the game: that of its child among
/// `found`, or else `blank`. If actions are sampled, these are the actions of the children. `order` says that
/// the children were created in a random order: the salt, and the generator that drew it. Returns `None` if
/// the game lists no such action.
pub(crate) fn list<S: Space>(
    root: &S::Game,
    permitted: &RootActions<ActionOf<S>>,
    found: &FoundChildren,
    child_at: ChildAt<'_, '_, ActionOf<S>>,
    blank: ActionReport<()>,
    order: Option<(u64, Rng)>,
) -> Option<Vec<ActionReport<ActionOf<S>>>> {
    /// Up to this many children, a linear search for each among the actions is fast.
    const FEW: usize = 64;
    let count = found.places.len();
    let Some(actions) = listed::<S>(root) else {
        let mut reports = Vec::with_capacity(count);
        for (place, summary) in found.places.iter().zip(&found.summaries) {
            reports.push(summary.with_action(child_at(*place).action()));
        }
        return Some(reports);
    };
    let mut reports = Vec::with_capacity(actions.size_hint().0.max(count));
    for action in actions.take(MAX_CHILDREN + 1) {
        if permitted.permit(&action) {
            reports.push(blank.with_action(action));
        }
    }
    if reports.is_empty() {
        return None;
    }
    let guesses = match order {
        Some((salt, mut rng)) if (FEW + 1..=reports.len()).contains(&count) => {
            entries(&reports, found, child_at, salt, &mut rng)
        }
        _ => Vec::new(),
    };
    let transformation = transformation_of::<S>(root);
    let mut stored = Vec::new(); // without a transformation, the tree stores the actions as they are
    if transformation > 0 {
        for report in &reports {
            stored.push(S::stored(root, report.action.clone(), transformation));
        }
    }
    for (made, place) in found.places.iter().enumerate() {
        let child = child_at(*place);
        let is_in = |entry: usize| child.has_action(stored.get(entry).unwrap_or(&reports[entry].action));
        let guess = if guesses.is_empty() { made } else { guesses[made] };
        if let Some(entry) = find(guess, reports.len(), &is_in) {
            reports[entry] = found.summaries[made].with_action(reports[entry].action.clone());
        }
    }
    Some(reports)
}

/// Returns `guess` if it is below `count` and `is_it` accepts it, or else the first number that `is_it` accepts.
fn find(guess: usize, count: usize, is_it: &dyn Fn(usize) -> bool) -> Option<usize> {
    if guess < count && is_it(guess) { Some(guess) } else { (0..count).find(|&number| is_it(number)) }
}

/// Returns, for each child of the root in order of creation, its index in `reports`. Assumes that the
/// children were created in random order.
fn entries<A: Clone + Eq>(
    reports: &[ActionReport<A>],
    found: &FoundChildren,
    child_at: ChildAt<'_, '_, A>,
    salt: u64,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut entries: Vec<usize> = (0..reports.len()).collect();
    let mut listed = Vec::with_capacity(reports.len());
    for entry in reports {
        listed.push(entry.action.clone());
    }
    let mut made = Vec::with_capacity(SMALL);
    for place in found.places.iter().take(SMALL) {
        made.push(child_at(*place).action());
    }
    let is_made = |place: usize, action: &A| made[place] == *action;
    arrange(&mut listed, &mut entries, made.len(), is_made, found.places.len(), salt, rng);
    entries
}

/// Returns the standing of the root decision among the children of the root. `more` says that not all
/// children are stored.
pub(crate) fn standing(found: &[ActionReport<()>], more: bool) -> Option<RootLead> {
    let unproven = || found.iter().filter(|child| child.proof.is_none());
    let all_pruned = unproven().all(|child| child.is_pruned);
    let open = unproven().filter(|child| all_pruned || !child.is_pruned);
    let open: SmallVec<[(u32, f32); 32]> = open.map(|child| (child.visits, child.mean)).collect();
    let standing = RootLead::of(&open, more)?;
    // A proven draw may still be preferred to the leader.
    let rivals = found.iter().any(|child| child.proof > Some(0.0));
    Some(RootLead { lead: if rivals { 0 } else { standing.lead }, ..standing })
}

/// Returns the standing of the root decision among the permitted children of a restricted root: `count`
/// actions, each of which gets at least so many visits.
pub(crate) fn narrowed_standing(found: &[ActionReport<()>], count: usize, least: u32) -> Option<RootLead> {
    let standing = standing(found, found.len() < count)?;
    let needs_visits = |child: &ActionReport<()>| child.proof.is_none() && child.visits < least;
    let is_early = found.iter().any(needs_visits) || least > 0 && found.len() < count;
    Some(if is_early { RootLead { lead: 0, ..standing } } else { standing })
}

/// Returns the reward of the player to move that the actions of the root prove: a win, or the best of all if
/// each is proven and there are no `more`. In a graph, they may have been proven on other ways than through
/// the root, which does not know of it yet.
pub(crate) fn proof_of_all<A>(actions: &[ActionReport<A>], more: bool) -> Option<f32> {
    let best = actions.iter().filter_map(|action| action.proof).reduce(f32::max);
    best.filter(|&reward| reward == 1.0 || !more && actions.iter().all(|action| action.proof.is_some()))
}

/// Returns what the proven children are worth. A short list needs no allocation.
pub(crate) fn worths(found: &[ActionReport<()>]) -> SmallVec<[Option<f32>; 32]> {
    found.iter().map(|child| child.worth).collect()
}

/// Writes the improved policy into the children. Returns whether it has a share for each of them.
pub(crate) fn set_improved(found: &mut [ActionReport<()>], improved: &[f32]) -> bool {
    if improved.len() != found.len() {
        return false;
    }
    for (child, &share) in found.iter_mut().zip(improved) {
        child.improved_policy = Some(share);
    }
    true
}

/// Returns the index of the child with the most visits, the first of several.
fn most_visited(found: &[ActionReport<()>]) -> Option<usize> {
    (0..found.len()).reduce(|a, b| if found[b].visits > found[a].visits { b } else { a })
}

/// Returns the line that starts with the root's `first` action and continues with the robust child of each
/// node, proofs first. The root is given by its state, the player who acted before, and the link to its
/// children. `children` returns the children below a link, with proofs for a player. `ties` draws among equal
/// children, and `length` is a guess at the length of the line.
pub(crate) fn principal_variation<S: Space>(
    (mut state, mut chooser, mut link): (S::Game, Player, u32),
    first: Option<ActionOf<S>>,
    children: &dyn Fn(u32, Player) -> FoundChildren,
    child_at: ChildAt<'_, '_, ActionOf<S>>,
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
        let next = match &first {
            Some(action) if line.is_empty() => {
                let stored = S::stored(&state, action.clone(), transformation);
                find(0, found.places.len(), &|index| child_at(found.places[index]).has_action(&stored))
            }
            _ if turn == Turn::Chance => most_visited(&found.summaries),
            _ => {
                RootDecision::Robust
                    .decide(&found.summaries, &mut Rng::seeded(0), &mut ties.clone(), &|_| false)
            }
        };
        let Some(next) = next else { break };
        if !line.is_empty() && found.summaries[next].visits == 0 {
            break;
        }
        let place = found.places[next];
        let action = unstored::<S>(&state, transformation, child_at(place).action());
        line.push(action.clone());
        play_known::<S>(&mut state, action);
        if has_failed::<S::Game>() {
            break; // the report is an error
        }
        link = place.link;
    }
    if line.is_empty() {
        line.extend(first);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pruned_child_neither_leads_nor_competes() {
        let child = |visits, mean, is_pruned| ActionReport {
            is_pruned,
            ..ActionReport::new((), visits, mean, None, None)
        };
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

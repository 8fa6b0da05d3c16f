//! What was found at the nodes, put together for the report. Nothing here knows of policies: it is compiled once for a game.

use super::arrange::arrange;
use super::decision::{RootDecision, Standing, proofs_first};
use super::report::ActionReport;
use crate::game::{GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::tree::ROOT;
use core::cell::Cell;
use smallvec::SmallVec;

/// A child, as far as a report tells of it. Its action stays where it is: actions may be large, and lists of children lie on the
/// stack.
#[derive(Clone, Copy)]
pub(super) struct Found<'t, A> {
    pub action: &'t Cell<A>,
    pub report: ActionReport<()>,
    /// To its children.
    pub link: u32,
}

impl<A: Copy> Found<'_, A> {
    pub fn told(&self) -> ActionReport<A> {
        self.report.with_action(self.action.get())
    }
}

/// The children of a node; no allocation where they are few.
pub(super) type AllFound<'t, A> = SmallVec<[Found<'t, A>; 16]>;

/// Writes what was `found` of the root's children into the list of all actions. `guess` says where to look for a child first, by
/// its place among them.
pub(super) fn write<A: Copy + Eq>(
    told: &mut [ActionReport<A>],
    found: &[Found<'_, A>],
    guess: impl Fn(usize) -> usize,
) {
    for (made, child) in found.iter().enumerate() {
        let action = child.action.get();
        let here = |place: &usize| told.get(*place).is_some_and(|entry| entry.action == action);
        if let Some(place) = Some(guess(made)).filter(here).or_else(|| (0..told.len()).find(here)) {
            told[place] = child.told();
        }
    }
}

/// For each child of the root, in the order in which they were made, which of the actions `told` it is, if they were made in
/// random order.
pub(super) fn places<A: Copy + Eq>(
    told: &[ActionReport<A>],
    found: &[Found<'_, A>],
    salt: u64,
    rng: &mut Rng,
) -> Vec<usize> {
    let mut places: Vec<usize> = (0..told.len()).collect();
    let mut listed: Vec<A> = told.iter().map(|entry| entry.action).collect();
    let made = found.iter().map(|child| child.action.get());
    arrange(&mut listed, made, found.len(), salt, rng, |a, b| places.swap(a, b));
    places
}

/// How the decision stands among the children of the root, which may be `more` than are stored.
pub(super) fn standing<A>(found: &[Found<'_, A>], more: bool) -> Option<Standing> {
    let unproven = || found.iter().map(|child| &child.report).filter(|report| report.proof.is_none());
    let all_shut = unproven().all(|report| report.is_shut);
    let open = unproven().filter(|report| all_shut || !report.is_shut);
    let standing = Standing::of(open.map(|report| (report.visits, report.mean)), more)?;
    // A proven draw may yet be preferred to the leader.
    let rivals = found.iter().any(|child| child.report.proof > Some(0.0));
    Some(Standing { lead: if rivals { 0 } else { standing.lead }, ..standing })
}

/// From the root's `first` action on, always the robust child, proofs first. `children` says what was found below a link,
/// for a player; `chooser` is the one who played last, `length` a guess of the line's.
pub(super) fn principal_variation<'t, G: GameState>(
    mut state: G,
    mut chooser: Player,
    first: Option<G::Action>,
    mut link: u32,
    children: &dyn Fn(u32, Player) -> AllFound<'t, G::Action>,
    rng: &Rng,
    length: usize,
) -> Vec<G::Action> {
    let mut line = Vec::with_capacity(length);
    while link != ROOT {
        let turn = state.turn();
        match turn {
            Turn::Player(player) if usize::from(player) < MAX_PLAYERS => chooser = player,
            Turn::Player(_) => break, // the game said something else when this was searched
            Turn::Chance | Turn::Over => {}
        }
        let found = children(link, chooser);
        let next = match first.filter(|_| line.is_empty()) {
            Some(action) => found.iter().position(|child| child.action.get() == action),
            None if turn == Turn::Chance => (0..found.len())
                .reduce(|a, b| if found[b].report.visits > found[a].report.visits { b } else { a }),
            None => {
                let reports: SmallVec<[_; 16]> = found.iter().map(|child| child.report).collect();
                proofs_first(&reports, &mut |open| {
                    RootDecision::Robust.favourite(&reports, open, &mut rng.clone())
                })
            }
        };
        let Some(next) =
            next.map(|next| &found[next]).filter(|next| line.is_empty() || next.report.visits > 0)
        else {
            break;
        };
        line.push(next.action.get());
        state.apply(next.action.get());
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

    /// A child with these visits and this mean, which bounds have cut off if `is_shut`.
    fn child(action: &Cell<()>, visits: u32, mean: f32, is_shut: bool) -> Found<'_, ()> {
        let report = ActionReport { is_shut, ..ActionReport::new((), visits, mean, None, None) };
        Found { action, report, link: ROOT }
    }

    #[test]
    fn a_child_that_is_cut_off_neither_leads_nor_rivals() {
        let action = &Cell::new(());
        let child = |visits, mean, is_shut| child(action, visits, mean, is_shut);
        // The one with the most visits and the greatest mean is not played, so the decision is between the others.
        let found = [child(500, 0.6, true), child(300, 0.4, false), child(290, 0.5, false)];
        assert_eq!(standing(&found, false), Some(Standing { lead: 10, agrees: false }));
        let found = [child(500, 0.4, false), child(300, 0.6, true)];
        assert_eq!(standing(&found, false), Some(Standing { lead: u64::MAX, agrees: true }));
        assert_eq!(standing(&found, true), Some(Standing { lead: 500, agrees: true }));
        // If all are cut off, one of them is played all the same.
        let found = [child(500, 0.4, true), child(300, 0.6, true)];
        assert_eq!(standing(&found, false), Some(Standing { lead: 200, agrees: false }));
    }
}

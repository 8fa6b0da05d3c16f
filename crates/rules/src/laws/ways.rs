//! Finds states that should be the same and were reached in different ways.
//!
//! It finds them in three ways: it compares the first few states with each other, looks each state up in a
//! table of those seen, and plays the last actions of a line in another order.

use super::{Part, Site};
use crate::list::list;
use crate::probe::{Breach, Probe};
use crate::walk::Walk;
use core::fmt;
use core::hash::{BuildHasherDefault, Hash};
use ramure::{GameState, Turn};
use std::collections::HashMap;
use std::hash::DefaultHasher;
use std::rc::Rc;

pub type Hasher = BuildHasherDefault<DefaultHasher>;

/// A state with the part by which it is recognised: if two of them are equal, the states should be the same.
pub trait Recognised<G: GameState>: Eq + Hash + Sized {
    /// The calls into the game that compare two of them, for the report of a panic.
    const CALLS: &'static str;

    fn new(state: G, probe: &Probe) -> Result<Self, Breach>;

    fn state(&self) -> &G;
}

/// How another state was reached.
pub enum Way<'a, A> {
    /// By these actions from the initial state.
    All(&'a [A]),
    /// By these actions instead of as many at the end of the line.
    Last(&'a [A]),
}

impl<A: fmt::Debug> fmt::Display for Way<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Way::All([]) => f.write_str("the initial state"),
            Way::All(actions) => write!(f, "the state after {}", list(actions)),
            Way::Last(actions) => {
                write!(f, "the state after {} instead of the last {} actions", list(actions), actions.len())
            }
        }
    }
}

/// A state, and the actions that led to it.
type Known<G, R> = (Rc<R>, Rc<[<G as GameState>::Action]>);

/// The states seen.
pub struct Ways<G: GameState, R> {
    first: Vec<Known<G, R>>,
    table: HashMap<Rc<R>, Rc<[G::Action]>, Hasher>,
    /// The number of actions in the table.
    kept: usize,
    /// A line that is being shortened is not compared with ways that are longer than both itself and this, so
    /// that both ways get short.
    longest: usize,
}

/// The number of first states that are compared with each other.
const FIRST: usize = 150;

/// The most states in the table. Large states reach [`ROOM`] first.
const KNOWN: usize = 20_000;

/// The limit of the table, in bytes of states and actions.
const ROOM: usize = 32 << 20;

impl<G: GameState, R: Recognised<G>> Ways<G, R> {
    pub fn new() -> Self {
        Ways { first: Vec::new(), table: HashMap::default(), kept: 0, longest: 0 }
    }

    /// Calls `compare` with each known state that should equal the state at the end of the line. Then adds
    /// that state.
    pub fn meet(
        &mut self,
        site: &mut Site<'_, G>,
        mut compare: impl FnMut(&mut Site<'_, G>, &G, Way<'_, G::Action>) -> Result<(), Breach>,
    ) -> Result<(), Breach> {
        let (probe, walk) = (site.probe, site.walk);
        let here = Rc::new(R::new(probe.clone(&walk.last().state)?, probe)?);
        let shortens = site.part == Part::Shortening;
        let longest = &mut self.longest;
        let mut compare = |site: &mut Site<'_, G>, other: &R, way: Way<'_, G::Action>| {
            let length = if let Way::All(actions) = way { actions.len() } else { 0 };
            if shortens && length > walk.len().max(*longest) {
                return Ok(());
            }
            let result = compare(site, other.state(), way);
            if result.is_err() && !shortens && length > walk.len() {
                *longest = length;
            }
            result
        };
        let same = |other: &R| probe.call(R::CALLS, || *here == *other);
        for actions in reordered(walk) {
            if let Some(other) = played_last(walk, &actions, probe)? {
                let other = R::new(other, probe)?;
                if same(&other)? {
                    compare(site, &other, Way::Last(&actions))?;
                }
            }
        }
        let known = probe.call(R::CALLS, || self.table.get_key_value(&*here))?;
        if let Some((other, actions)) = known {
            compare(site, other, Way::All(actions))?;
        }
        let is_known = known.is_some();
        if shortens || walk.len() <= 3 && self.first.len() < FIRST {
            for (other, actions) in &self.first {
                if same(other)? {
                    compare(site, other, Way::All(actions))?;
                }
            }
        }
        if !shortens {
            let actions: Rc<[G::Action]> = walk.actions().collect();
            if site.part == Part::BreadthFirst && self.first.len() < FIRST {
                self.first.push((here.clone(), actions.clone()));
            }
            let room = self.kept + size_of::<G>() * self.table.len() < ROOM && self.table.len() < KNOWN;
            if !is_known && room {
                self.kept += size_of_val(&*actions);
                probe.call(R::CALLS, || self.table.insert(here, actions))?;
            }
        }
        Ok(())
    }
}

/// Returns the last actions of a line in other orders. If two players move in turn, each player has the same
/// actions in them. The first order swaps the last action and the last but two. The second swaps the last
/// pair of actions and the pair before it.
fn reordered<G: GameState>(walk: &Walk<G>) -> impl Iterator<Item = Vec<G::Action>> {
    let last = Vec::from_iter(walk.actions().skip(walk.len().saturating_sub(4)));
    let swapped = match &last[..] {
        [.., one, two, three] if one != three => Some(vec![three.clone(), two.clone(), one.clone()]),
        _ => None,
    };
    let turned = match &last[..] {
        [one, two, three, four] if (one, two) != (three, four) => {
            Some([three, four, one, two].map(G::Action::clone).to_vec())
        }
        _ => None,
    };
    swapped.into_iter().chain(turned)
}

/// Returns the state that the line reaches if its last actions are replaced by these, if they are legal
/// there.
fn played_last<G: GameState>(
    walk: &Walk<G>,
    actions: &[G::Action],
    probe: &Probe,
) -> Result<Option<G>, Breach> {
    let mut state = probe.clone(&walk.positions()[walk.len() - actions.len()].state)?;
    for action in actions {
        if probe.turn(&state)? == Turn::Over || !probe.is_legal(&state, action)? {
            return Ok(None);
        }
        probe.apply(&mut state, action)?;
    }
    Ok(Some(state))
}

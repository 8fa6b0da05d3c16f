//! The law that equal states have equal hashes and equal futures.
//!
//! Equal states that were reached in different ways are found in three places: among the first few states, each
//! compared with each; in a table of all states; and by swapping two actions of a line that are one action apart.

use super::{Part, Rule, Site, futures};
use crate::game::GameState;
use crate::rules::law::Law;
use crate::rules::list::list;
use crate::rules::probe::Breach;
use crate::rules::walk::Walk;
use core::hash::{BuildHasher as _, BuildHasherDefault, Hash};
use std::collections::HashMap;
use std::hash::DefaultHasher;

type Hasher = BuildHasherDefault<DefaultHasher>;

pub struct Equality<G: GameState> {
    first: Vec<Walk<G>>,
    /// The states seen, with the actions that led to them.
    known: HashMap<G, Vec<G::Action>, Hasher>,
    /// The number of actions in that table.
    kept: usize,
}

/// A line with its last three actions in another order.
struct Transposed<G: GameState> {
    state: G,
    actions: [G::Action; 3],
}

/// This many of the first states are compared with each other.
const FIRST: usize = 150;

/// This many states are kept in the table, if they are small.
const KNOWN: usize = 20_000;

/// This many bytes of states and actions are kept in the table.
const ROOM: usize = 32 << 20;

impl<G: GameState + Eq + Hash> Equality<G> {
    pub fn new() -> Self {
        Equality { first: Vec::new(), known: HashMap::default(), kept: 0 }
    }

    /// Compares the state at the end of the line with another one that is equal to it.
    fn compare(&self, site: &mut Site<'_, G>, other: &G, way: impl FnOnce() -> String) -> Result<(), Breach> {
        let here = &site.walk.last().state;
        let hash = |state: &G| site.probe.call("`hash`", || Hasher::default().hash_one(state));
        let wrong = if hash(here)? != hash(other)? {
            Some("they have different hashes".to_owned())
        } else if site.part == Part::Shortening || site.rng.below(8) == 0 {
            let here = site.probe.clone(here)?;
            futures::difference(site, &here, other)?
        } else {
            let there = crate::rules::look::Look::at(other, site.probe)?;
            site.walk.last().look.difference(&there)
        };
        wrong.map_or(Ok(()), |wrong| {
            let what = format!("the state (here) is equal to {} (there), but {wrong}", way());
            Err(Breach::new(Law::Equality, what))
        })
    }

    /// The line with the first and the third of its last three actions swapped.
    fn transposed(&self, site: &Site<'_, G>) -> Result<Option<Transposed<G>>, Breach> {
        let Some(start) = site.walk.len().checked_sub(3) else { return Ok(None) };
        let mut state = site.probe.clone(&site.walk.positions()[start].state)?;
        let mut actions = site.walk.actions().skip(start);
        let (Some(one), Some(two), Some(three)) = (actions.next(), actions.next(), actions.next()) else {
            return Ok(None);
        };
        for action in [three, two, one] {
            if !site.probe.is_legal(&state, action)? {
                return Ok(None);
            }
            site.probe.apply(&mut state, action)?;
        }
        Ok(Some(Transposed { state, actions: [three, two, one] }))
    }
}

impl<G: GameState + Eq + Hash> Rule<G> for Equality<G> {
    fn law(&self) -> Law {
        Law::Equality
    }

    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if !site.one_in(2) {
            return Ok(());
        }
        let (probe, walk) = (site.probe, site.walk);
        let here = &walk.last().state;
        let equal = |one: &G, other: &G| probe.call("`==`", || one == other);
        let clone = probe.clone(here)?;
        if !equal(here, &clone)? {
            return Err(Breach::new(Law::Equality, "the state is not equal to a clone of itself"));
        }
        self.compare(site, &clone, || "a clone of itself".to_owned())?;
        if let Some(Transposed { state: other, actions }) = self.transposed(site)?
            && equal(here, &other)?
        {
            self.compare(site, &other, || {
                format!("the state after {} instead of the last three actions", list(&actions))
            })?;
        }
        let after = |actions: &[G::Action]| match actions {
            [] => "the initial state".to_owned(),
            _ => format!("the state after {}", list(actions)),
        };
        let known = probe.call("`hash` or `==`", || self.known.get_key_value(here))?;
        if let Some((other, actions)) = known {
            self.compare(site, other, || after(actions))?;
        }
        if site.part == Part::Shortening || walk.len() <= 3 && self.first.len() < FIRST {
            for other in &self.first {
                if equal(here, &other.last().state)? {
                    let actions = Vec::from_iter(other.actions());
                    self.compare(site, &other.last().state, || after(&actions))?;
                }
            }
        }
        if site.part != Part::Shortening {
            if site.part == Part::BreadthFirst && self.first.len() < FIRST {
                self.first.push(walk.clone());
            }
            let room = self.kept + size_of::<G>() * self.known.len() < ROOM && self.known.len() < KNOWN;
            if known.is_none() && room {
                self.kept += walk.len();
                probe.call("`hash` or `==`", || self.known.insert(clone, walk.actions().collect()))?;
            }
        }
        Ok(())
    }
}

//! Compares the continuations of two states that should be the same.

use super::{Part, Site};
use crate::list::list;
use crate::look::Look;
use crate::probe::Breach;
use ramure::GameState;

/// The greatest number of further actions.
const FURTHER: usize = 100;

/// The difference between two looks: with the order of the actions, or without.
type Differ<G> = fn(&Look<<G as GameState>::Action>, &Look<<G as GameState>::Action>) -> Option<String>;

/// Plays on at random from both states; returns what differs, and after which actions.
pub fn difference<G: GameState>(
    site: &mut Site<'_, G>,
    here: &G,
    there: &G,
    differ: Differ<G>,
) -> Result<Option<String>, Breach> {
    let probe = site.probe;
    let (mut here, mut there) = (probe.clone(here)?, probe.clone(there)?);
    let mut played = Vec::new();
    loop {
        let look = Look::at(&here, probe)?;
        if let Some(difference) = differ(&look, &Look::at(&there, probe)?) {
            return Ok(Some(match played.is_empty() {
                true => difference,
                false => format!("after also playing {}, {difference}", list(&played)),
            }));
        }
        if look.is_over() || look.actions.is_empty() || played.len() == FURTHER {
            return Ok(None);
        }
        let action = &look.actions[site.rng.below(look.actions.len())];
        let both = probe.apply(&mut here, action).and_then(|_| probe.apply(&mut there, action));
        both.map_err(|breach| {
            let what = format!("{}, after also playing {}", breach.what, list(&played));
            Breach { what, ..breach }
        })?;
        played.push(action.clone());
    }
}

/// Returns what differs between the state at the end of the line and another one. Plays on from one in eight
/// states, and from all of them while a line is shortened.
pub fn difference_now_and_then<G: GameState>(
    site: &mut Site<'_, G>,
    there: &G,
    differ: Differ<G>,
) -> Result<Option<String>, Breach> {
    let here = site.walk.last();
    if site.part == Part::Shortening || site.rng.below(8) == 0 {
        return difference(site, &here.state, there, differ);
    }
    Ok(differ(&here.look, &Look::at(there, site.probe)?))
}

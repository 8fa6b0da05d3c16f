//! Compares the continuations of two states that should be the same.

use super::Site;
use crate::game::GameState;
use crate::rules::list::list;
use crate::rules::look::Look;
use crate::rules::probe::Breach;

/// The greatest number of further actions.
const FURTHER: usize = 100;

/// Plays on at random from both states; returns what differs, and after which actions.
pub fn difference<G: GameState>(
    site: &mut Site<'_, G>,
    here: &G,
    there: &G,
) -> Result<Option<String>, Breach> {
    let probe = site.probe;
    let (mut here, mut there) = (probe.clone(here)?, probe.clone(there)?);
    let mut played = Vec::new();
    loop {
        let look = Look::at(&here, probe)?;
        if let Some(difference) = look.difference(&Look::at(&there, probe)?) {
            return Ok(Some(match played.is_empty() {
                true => difference,
                false => format!("after also playing {}, {difference}", list(&played)),
            }));
        }
        if look.is_over() || look.actions.is_empty() || played.len() == FURTHER {
            return Ok(None);
        }
        let action = look.actions[site.rng.below(look.actions.len())];
        let both = probe.apply(&mut here, action).and_then(|_| probe.apply(&mut there, action));
        both.map_err(|breach| {
            let what = format!("{}, after also playing {}", breach.what, list(&played));
            Breach { what, ..breach }
        })?;
        played.push(action);
    }
}

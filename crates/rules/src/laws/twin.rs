//! The law that two implementations of a game agree, played in lockstep.

use super::along::Along;
use super::{Rule, Site};
use crate::look::Look;
use crate::probe::{Breach, broken};
use core::fmt::Debug;
use ramure::GameState;

pub fn twin<G: GameState, P: GameState<Action = G::Action> + Debug>(start: P) -> impl Rule<G> {
    let mut states: Along<G, P> = Along::new();
    move |site: &mut Site<'_, G>| {
        let (probe, start) = (site.probe, &start);
        // A fault of the twin does not count as a fault of a call into the game.
        let of_twin = |breach: Breach| Breach::new(format!("in the twin: {}", breach.what));
        let twins = states.follow(site.walk, |before, position| match (before, position.action()) {
            (Some(before), Some(action)) => probe.call("the twin's `apply`", || {
                let mut next = before.clone();
                next.apply(action);
                next
            }),
            _ => probe.clone(start),
        });
        let Some(twin) = twins.map_err(of_twin)?.next_back() else { return Ok(()) };
        let seen = Look::at(twin, probe).map_err(of_twin)?;
        let Some(difference) = site.here().look.difference_but_for_order(&seen) else { return Ok(()) };
        let text = probe.debug(twin)?;
        broken(format!("the twin (there) differs: {difference}; the twin is\n{text}"))
    }
}

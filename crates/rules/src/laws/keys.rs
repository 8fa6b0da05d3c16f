//! The law that positions with equal keys have equal futures.

use super::ways::{Recognised, Ways};
use super::{Rule, Site, futures};
use crate::look::Look;
use crate::probe::{Breach, Probe, broken};
use core::fmt::Display;
use core::hash::{Hash, Hasher};
use ramure::{Keyed, MAX_PLAYERS, Player};

/// A state that is recognised by its key.
struct ByKey<G> {
    key: u128,
    state: G,
}

impl<G> PartialEq for ByKey<G> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<G> Eq for ByKey<G> {}

impl<G> Hash for ByKey<G> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key.hash(hasher);
    }
}

impl<G: Keyed> Recognised<G> for ByKey<G> {
    const CALLS: &'static str = "`key`";

    fn new(state: G, probe: &Probe) -> Result<Self, Breach> {
        Ok(ByKey { key: key(&state, probe)?, state })
    }

    fn state(&self) -> &G {
        &self.state
    }
}

/// `fresh` computes the key from scratch.
pub fn keys<G: Keyed>(fresh: Option<impl Fn(&G) -> u128>) -> impl Rule<G> {
    let mut ways: Ways<G, ByKey<G>> = Ways::new();
    move |site: &mut Site<'_, G>| {
        let (probe, here) = (site.probe, site.walk.last());
        let kept = key(&here.state, probe)?;
        if let Some(fresh) = &fresh {
            // The function is not part of the game, so a panic in it breaks this law.
            let fresh = probe.call("the function of `keys_by`", || fresh(&here.state));
            let fresh = fresh.map_err(|breach| Breach::new(breach.what))?;
            if kept != fresh {
                return broken(format!("the key is {kept:#x}, but computed from scratch it is {fresh:#x}"));
            }
        }
        if !site.one_in(2) {
            return Ok(());
        }
        unchanged(site, kept)?;
        for player in 0..here.look.players.min(MAX_PLAYERS as Player) {
            let reward = repetition_reward(&here.state, player, probe)?;
            if !(0.0..=1.0).contains(&reward) {
                return broken(format!(
                    "the reward of player {player} for a repetition is {reward}; it must be in [0, 1]"
                ));
            }
        }
        ways.meet(site, |site, other, way| compare(site, kept, other, way))
    }
}

/// Checks that a clone has the same key, and that the key does not change when other methods are called or
/// the clone is played on.
fn unchanged<G: Keyed>(site: &mut Site<'_, G>, kept: u128) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    let mut clone = probe.clone(&here.state)?;
    let of_clone = key(&clone, probe)?;
    if of_clone != kept {
        return broken(format!("the key is {kept:#x}, but that of a clone is {of_clone:#x}"));
    }
    Look::at(&here.state, probe)?;
    let random = probe.draw(&here.state, here.look.turn, &mut site.rng)?;
    let again = key(&here.state, probe)?;
    if again != kept {
        return broken(format!("the key was {kept:#x}; asked again after other calls, it is {again:#x}"));
    }
    let Some(action) = random.filter(|_| !site.walk.has_ended()) else { return Ok(()) };
    probe.apply(&mut clone, &action)?;
    let after = key(&here.state, probe)?;
    Breach::of((after != kept).then(|| {
        format!("{action:?} was played on a clone, but the key changed from {kept:#x} to {after:#x}")
    }))
}

/// Compares the state at the end of the line with another one that has the same key.
fn compare<G: Keyed>(site: &mut Site<'_, G>, key: u128, other: &G, way: impl Display) -> Result<(), Breach> {
    // A search stores actions, not their places in the list, so the order does not matter.
    let mut wrong = futures::difference_now_and_then(site, other, Look::difference_but_for_order)?;
    let (probe, here) = (site.probe, site.walk.last());
    for player in 0..here.look.players.min(MAX_PLAYERS as Player) {
        let ours = repetition_reward(&here.state, player, probe)?;
        let theirs = repetition_reward(other, player, probe)?;
        if wrong.is_none() && ours != theirs {
            wrong = Some(format!(
                "the reward of player {player} for a repetition is {ours} here and {theirs} there"
            ));
        }
    }
    Breach::of(
        wrong.map(|wrong| {
            format!("the state (here) has the same key, {key:#x}, as {way} (there), but {wrong}")
        }),
    )
}

fn key<G: Keyed>(state: &G, probe: &Probe) -> Result<u128, Breach> {
    probe.call("`key`", || state.key())
}

fn repetition_reward<G: Keyed>(state: &G, player: Player, probe: &Probe) -> Result<f64, Breach> {
    probe.call("`repetition_reward`", || state.repetition_reward(player))
}

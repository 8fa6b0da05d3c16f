//! The law that equal states have equal hashes and equal futures, and play the same at random.

use super::ways::{Hasher, Recognised, Ways};
use super::{Rule, Site, draws, futures};
use crate::look::Look;
use crate::probe::{Breach, Probe, broken};
use core::fmt::Display;
use core::hash::{BuildHasher as _, Hash};
use ramure::GameState;

/// A state that is recognised by its `==` and its hash.
#[derive(PartialEq, Eq, Hash)]
struct Itself<G>(G);

impl<G: GameState + Eq + Hash> Recognised<G> for Itself<G> {
    const CALLS: &'static str = "`hash` or `==`";

    fn new(state: G, _: &Probe) -> Result<Self, Breach> {
        Ok(Itself(state))
    }

    fn state(&self) -> &G {
        &self.0
    }
}

/// Compares the state at the end of the line with another one that is equal to it.
fn compare<G: GameState + Hash>(site: &mut Site<'_, G>, other: &G, way: impl Display) -> Result<(), Breach> {
    let here = &site.walk.last().state;
    let hash = |state: &G| site.probe.call("`hash`", || Hasher::default().hash_one(state));
    let wrong = if hash(here)? != hash(other)? {
        Some("they have different hashes".to_owned())
    } else {
        match futures::difference_now_and_then(site, other, Look::difference)? {
            None => draws::difference(site, here, other)?,
            wrong => wrong,
        }
    };
    Breach::of(wrong.map(|wrong| format!("the state (here) is equal to {way} (there), but {wrong}")))
}

pub fn equality<G: GameState + Eq + Hash>() -> impl Rule<G> {
    let mut ways: Ways<G, Itself<G>> = Ways::new();
    move |site: &mut Site<'_, G>| {
        if !site.one_in(2) {
            return Ok(());
        }
        let here = &site.walk.last().state;
        let clone = site.probe.clone(here)?;
        if !site.probe.call("`==`", || *here == clone)? {
            return broken("the state is not equal to a clone of itself");
        }
        compare(site, &clone, "a clone of itself")?;
        ways.meet(site, |site, other, way| compare(site, other, way))
    }
}

//! The law on games with hidden information.

use super::{Rule, Site};
use crate::look::Look;
use crate::probe::{Breach, Probe, broken};
use crate::walk::Walk;
use core::fmt::Debug;
use ramure::{HiddenInformation, Player, Rng, Turn};

/// The number of positions that are kept as long as no guess differs from its state.
const UNCHANGED: usize = 16;

/// The number of guesses of each of them before the law is broken.
const ATTEMPTS: u64 = 64;

/// Checks guesses for each player at each position.
pub struct Guesses<F, W> {
    seen: F,
    /// Positions, as long as no guess differed from its state.
    unchanged: Vec<W>,
    differs: bool,
}

impl<F, W> Guesses<F, W> {
    pub fn new(seen: F) -> Self {
        Guesses { seen, unchanged: Vec::new(), differs: false }
    }
}

impl<G, V, F> Rule<G> for Guesses<F, Walk<G>>
where
    G: HiddenInformation + Debug,
    V: PartialEq + Debug,
    F: Fn(&G, Player) -> V,
{
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if !site.one_in(4) {
            return Ok(());
        }
        let (probe, here) = (site.probe, site.walk.last());
        for observer in 0..here.look.players {
            let guess = |of: &G, seed| {
                let mut guess = of.clone();
                probe.call("`determinize`", || guess.determinize(observer, &mut Rng::seeded(seed)))?;
                Ok::<G, Breach>(guess)
            };
            let text = |state: &G| probe.call("`Debug`", || format!("{state:?}"));
            let seen = |state: &G| probe.call("what is seen", || (self.seen)(state, observer));
            let seeds = [site.rng.bits(), site.rng.bits()];
            let other = guess(&here.state, seeds[0])?;
            let look = Look::at(&other, probe)?;
            let (before, after) = (seen(&here.state)?, seen(&other)?);
            if before != after {
                return broken(format!(
                    "a guess for player {observer} changes what that player has seen, from {before:?} to {after:?}"
                ));
            }
            if (look.turn, look.players) != (here.look.turn, here.look.players) {
                return broken(format!(
                    "a guess for player {observer} changes the turn or the players, from {:?} of {} to {:?} of {}",
                    here.look.turn, here.look.players, look.turn, look.players
                ));
            }
            if look.turn == Turn::Player(observer) && look.actions != here.look.actions {
                return broken(format!(
                    "a guess for player {observer}, whose turn it is, changes the actions from {:?} to {:?}",
                    here.look.actions, look.actions
                ));
            }
            // The observer cannot tell the state from the guess, so both must lead to the same guess.
            let [of_state, of_guess] = [guess(&here.state, seeds[1])?, guess(&other, seeds[1])?];
            let (of_state, of_guess) = (text(&of_state)?, text(&of_guess)?);
            if of_state != of_guess {
                return broken(format!(
                    "guesses for player {observer} depend on what is hidden: with the same generator, the state gives\n{of_state}\nand \
                     a state that the player cannot tell apart gives\n{of_guess}"
                ));
            }
            self.differs = self.differs || text(&here.state)? != of_state;
        }
        if !self.differs && self.unchanged.len() < UNCHANGED {
            self.unchanged.push(site.walk.clone());
        }
        Ok(())
    }

    fn finish(&mut self, probe: &Probe) -> Result<(), (Walk<G>, Breach)> {
        let Some(first) = self.unchanged.first().filter(|_| !self.differs) else { return Ok(()) };
        // Where little is hidden, a guess may be the state by chance.
        for walk in &self.unchanged {
            if some_guess_differs(walk, probe).map_err(|breach| (walk.clone(), breach))? {
                return Ok(());
            }
        }
        Err((first.clone(), Breach::new("no guess differs from its state, here or elsewhere")))
    }
}

fn some_guess_differs<G: HiddenInformation + Debug>(walk: &Walk<G>, probe: &Probe) -> Result<bool, Breach> {
    let here = walk.last();
    let text = probe.debug(&here.state)?;
    for observer in 0..here.look.players {
        for seed in 0..ATTEMPTS {
            let mut guess = probe.clone(&here.state)?;
            probe.call("`determinize`", || guess.determinize(observer, &mut Rng::seeded(seed)))?;
            if probe.debug(&guess)? != text {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

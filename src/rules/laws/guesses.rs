//! The law on games with hidden information.

use super::{Rule, Site};
use crate::game::{HiddenInformation, Player, Rng, Turn};
use crate::rules::look::Look;
use crate::rules::probe::{Breach, Probe, broken};
use crate::rules::walk::Walk;
use core::fmt::Debug;

/// The number of actions that are played from a state and from its guess.
const FURTHER: usize = 12;

/// Checks guesses for each player at each position.
pub struct Guesses<F, W> {
    seen: F,
    /// A position, as long as no guess differed from its state.
    unchanged: Option<W>,
    differs: bool,
}

impl<F, W> Guesses<F, W> {
    pub fn new(seen: F) -> Self {
        Guesses { seen, unchanged: None, differs: false }
    }

    /// Plays the same random actions from a state and from a guess for `observer`, as long as both can be
    /// played.
    fn play_both<G, V>(
        &self,
        state: &G,
        mut guess: G,
        observer: Player,
        site: &mut Site<'_, G>,
    ) -> Result<(), Breach>
    where
        G: HiddenInformation,
        V: PartialEq + Debug,
        F: Fn(&G, Player) -> V,
    {
        let probe = site.probe;
        let mut state = probe.clone(state)?;
        let mut played = Vec::new();
        let mut turn = probe.turn(&state)?;
        for _ in 0..FURTHER {
            // What others have chosen at the same time shows when the step ends.
            if probe.call("`is_simultaneous`", || state.is_simultaneous())? {
                break;
            }
            let Some(action) = probe.draw(&state, turn, &mut site.rng)? else { break };
            if !probe.is_legal(&guess, &action)? {
                break;
            }
            played.push(probe.apply(&mut state, &action)?);
            probe.apply(&mut guess, &action)?;
            let turns = (probe.turn(&state)?, probe.turn(&guess)?);
            if turns.0 == Turn::Over || turns.1 == Turn::Over {
                break; // what the end of the game tells need not be in the actions
            }
            let seen = |state: &G| probe.call("what is seen", || (self.seen)(state, observer));
            let seen = (seen(&state)?, seen(&guess)?);
            if seen.0 != seen.1 {
                return broken(format!(
                    "player {observer} sees more of an action than the action says: after {} the player has seen {:?}, and after the same \
                         actions in a guess {:?}; let chance announce the difference",
                    played.join(", "),
                    seen.0,
                    seen.1
                ));
            }
            turn = turns.0;
            if turns.0 != turns.1 {
                return broken(format!(
                    "after {} the turn is {:?}, and after the same actions in a guess for player {observer} it is {:?}; the turn must follow from what the \
                         player has seen",
                    played.join(", "),
                    turns.0,
                    turns.1
                ));
            }
        }
        Ok(())
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
            self.play_both(&here.state, other, observer, site)?;
        }
        if !self.differs && self.unchanged.is_none() {
            self.unchanged = Some(site.walk.clone());
        }
        Ok(())
    }

    fn finish(&mut self, _: &Probe) -> Result<(), (Walk<G>, Breach)> {
        match self.unchanged.take() {
            Some(walk) if !self.differs => {
                Err((walk, Breach::new("no guess differs from its state, here or elsewhere")))
            }
            _ => Ok(()),
        }
    }
}

//! The law that what a player learns is in the actions.

use super::{Part, Rule, Site};
use crate::probe::{Breach, Probe, broken};
use core::fmt::Debug;
use ramure::{HiddenInformation, Player, Rng, Turn};

/// The number of actions that are tried at a position, and that while a line is shortened.
const ACTIONS: usize = 4;
const ACTIONS_OF_SHORTER: usize = 1_000;

/// The number of guesses that are made to find one that differs from the state, and that in random games.
const GUESSES: usize = 16;
const GUESSES_IN_GAMES: usize = 4;

/// Plays the same actions in states that a player cannot tell apart.
pub struct Announced<F> {
    seen: F,
}

impl<F> Announced<F> {
    pub fn new(seen: F) -> Self {
        Announced { seen }
    }

    /// Returns how `observer` can tell two states apart: by what it has seen, or because what differs stays
    /// in its guesses.
    fn difference<G, V>(
        &self,
        states: [&G; 2],
        observer: Player,
        site: &mut Site<'_, G>,
    ) -> Result<Option<String>, Breach>
    where
        G: HiddenInformation + Debug,
        V: PartialEq + Debug,
        F: Fn(&G, Player) -> V,
    {
        let (probe, seed) = (site.probe, site.rng.bits());
        let [here, there] = [probe.turn(states[0])?, probe.turn(states[1])?];
        if here == Turn::Over || there == Turn::Over {
            return Ok(None); // what the end of the game tells need not be in the actions
        }
        if here != there {
            return Ok(Some(format!("the turn is {here:?} here and {there:?} there")));
        }
        let seen = |state: &G| probe.call("what is seen", || (self.seen)(state, observer));
        let [here, there] = [seen(states[0])?, seen(states[1])?];
        if here != there {
            return Ok(Some(format!("it has seen {here:?} here and {there:?} there")));
        }
        let guess = |state| guess(state, observer, seed, probe).and_then(|guess| probe.debug(&guess));
        let [here, there] = [guess(states[0])?, guess(states[1])?];
        let text = || format!("with the same generator, its guesses are\n{here}\nhere and\n{there}\nthere");
        Ok((here != there).then(text))
    }

    /// Plays the same actions in the state at the end of the line and in a guess of it.
    fn play_both<G, V>(&self, guess: &G, observer: Player, site: &mut Site<'_, G>) -> Result<(), Breach>
    where
        G: HiddenInformation + Debug,
        V: PartialEq + Debug,
        F: Fn(&G, Player) -> V,
    {
        let (probe, here) = (site.probe, site.walk.last());
        let actions = &here.look.actions;
        let most = if site.part == Part::Shortening { ACTIONS_OF_SHORTER } else { ACTIONS };
        for number in 0..actions.len().min(most) {
            let place = if actions.len() > most { site.rng.below(actions.len()) } else { number };
            let action = &actions[place];
            if !probe.is_legal(guess, action)? {
                continue;
            }
            let after = [probe.after(&here.state, action)?, probe.after(guess, action)?];
            let Some(difference) = self.difference([&after[0], &after[1]], observer, site)? else { continue };
            // If the player can tell them apart already, the law on guesses is broken, and not this one.
            if self.difference([&here.state, guess], observer, site)?.is_some() {
                return Ok(());
            }
            return broken(format!(
                "player {observer} learns from {action:?} what this action does not say: the player cannot tell this state (here) from\n{}\n(there), \
                 but can after {action:?} in both: {difference}\nA search of an information set makes no use of it; let chance announce it: \
                 after {action:?} it is chance's turn, with an outcome for each thing that the player may see",
                probe.debug(guess)?
            ));
        }
        Ok(())
    }
}

fn guess<G: HiddenInformation>(state: &G, observer: Player, seed: u64, probe: &Probe) -> Result<G, Breach> {
    let mut guess = probe.clone(state)?;
    probe.call("`determinize`", || guess.determinize(observer, &mut Rng::seeded(seed)))?;
    Ok(guess)
}

impl<G, V, F> Rule<G> for Announced<F>
where
    G: HiddenInformation + Debug,
    V: PartialEq + Debug,
    F: Fn(&G, Player) -> V,
{
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let (probe, here) = (site.probe, site.walk.last());
        // What others have chosen at the same time shows when the step ends.
        if site.walk.has_ended()
            || !site.one_in(4)
            || probe.call("`is_simultaneous`", || here.state.is_simultaneous())?
        {
            return Ok(());
        }
        let text = probe.debug(&here.state)?;
        let guesses = if site.part == Part::Game { GUESSES_IN_GAMES } else { GUESSES };
        for observer in 0..here.look.players {
            for _ in 0..guesses {
                let guess = guess(&here.state, observer, site.rng.bits(), probe)?;
                if probe.debug(&guess)? != text {
                    self.play_both(&guess, observer, site)?;
                    if site.part != Part::Shortening {
                        break;
                    }
                }
            }
        }
        Ok(())
    }
}

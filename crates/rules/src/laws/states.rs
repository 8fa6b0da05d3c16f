//! The laws of states: whose turn it is, and that each state is an independent value.

use super::{Part, Rule, Site};
use crate::look::Look;
use crate::probe::{Breach, broken};
use crate::walk::Walk;
use core::fmt::Debug;
use ramure::{GameState, MAX_PLAYERS, Turn};

pub fn turns<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    let (players, turn) = (here.look.players, here.look.turn);
    if players == 0 || usize::from(players) > MAX_PLAYERS {
        return broken(format!("there are {players} players; there must be 1 to {MAX_PLAYERS}"));
    }
    let first = site.walk.positions()[0].look.players;
    if players != first {
        return broken(format!("there are {players} players here, but {first} in the initial state"));
    }
    if let Turn::Player(player) = turn
        && player >= players
    {
        return broken(format!(
            "it is the turn of player {player}, but `players` says that there are {players} (2 unless you write that method); players are \
             numbered from 0"
        ));
    }
    probe.draw(&here.state, here.look.turn, &mut site.rng)?;
    let again = Look::at(&here.state, probe)?.turn;
    Breach::of(
        (again != turn)
            .then(|| format!("the turn was {turn:?}; asked again after other calls, it is {again:?}")),
    )
}

/// Applying an action to a clone leaves the original unchanged, and playing on leaves the earlier states
/// unchanged.
pub struct Clones;

impl<G: GameState + Debug> Rule<G> for Clones {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let actions = &site.walk.last().look.actions;
        if actions.is_empty() || !site.one_in(3) {
            return Ok(());
        }
        if site.part == Part::Shortening {
            return actions.iter().try_for_each(|action| unchanged(site, action));
        }
        let action = &actions[site.rng.below(actions.len())];
        unchanged(site, action)
    }

    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        // No action was played on clones of the last state.
        for (length, position) in site.walk.positions()[..site.walk.len()].iter().enumerate() {
            let now = Look::at(&position.state, site.probe)?;
            if let Some(difference) = position.look.difference_but_for_order(&now) {
                return broken(format!(
                    "the state after {length} actions has changed, although later actions were played only on clones of it: \
                     before (here) and now (there), {difference}"
                ));
            }
        }
        Ok(())
    }
}

/// Checks that the state at the end of the line stays unchanged when `action` is played on a clone of it.
fn unchanged<G: GameState + Debug>(site: &Site<'_, G>, action: &G::Action) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    let (text, again) = (probe.debug(&here.state)?, probe.debug(&here.state)?);
    probe.after(&here.state, action)?;
    let after = probe.debug(&here.state)?;
    let seen = Look::at(&here.state, probe)?;
    // `Debug` is evidence only if it prints the same twice.
    let difference = here.look.difference_but_for_order(&seen).or_else(|| {
        (text == again && text != after).then(|| format!("`Debug` printed {text} here and {after} there"))
    });
    Breach::of(difference.map(|difference| {
        format!(
            "{action:?} was played on a clone, but the original has changed: before (here) and after (there), {difference}"
        )
    }))
}

/// Plays the same line again from the initial state.
pub struct Replay;

impl<G: GameState> Rule<G> for Replay {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part == Part::Game { Ok(()) } else { self.end(site) }
    }

    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let mut again = Walk::start(&site.walk.positions()[0].state, site.probe)?;
        for (length, position) in site.walk.positions().iter().enumerate() {
            if let Some(action) = position.action() {
                again.play_action(&action, site.probe)?;
            }
            if let Some(difference) = position.look.difference_but_for_order(&again.last().look) {
                let what = format!(
                    "the same line was played twice: the first time (here) and the second (there), {difference}"
                );
                return Err(Breach::new(what).at(length));
            }
        }
        site.walk.announce(site.probe);
        Ok(())
    }
}

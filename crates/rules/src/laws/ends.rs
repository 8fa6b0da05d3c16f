//! The laws of how a game ends.

use super::along::Along;
use super::{Part, Rule, Site};
use crate::probe::{Breach, broken};
use core::fmt::Debug;
use ramure::{GameState, Turn};

pub fn rewards<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    for (player, &reward) in (0..).zip(&here.look.rewards) {
        if !(0.0..=1.0).contains(&reward) {
            return broken(format!("the reward of player {player} is {reward}; it must be in [0, 1]"));
        }
    }
    // In reverse order, so that a reward that depends on who was asked before is detected.
    for (player, &reward) in (0..here.look.players).zip(&here.look.rewards).rev() {
        let again = probe.reward(&here.state, player)?;
        if again != reward {
            return broken(format!("the reward of player {player} was {reward}; asked again, it is {again}"));
        }
    }
    Ok(())
}

/// No line is longer than the limit. If one is, the shortest counterexample is a line that returns to an
/// earlier state.
pub struct Ends<G: GameState> {
    longest: usize,
    /// The `Debug` text of each position.
    texts: Along<G, String>,
}

impl<G: GameState> Ends<G> {
    pub fn new(longest: usize) -> Self {
        Ends { longest, texts: Along::new() }
    }
}

impl<G: GameState + Debug> Rule<G> for Ends<G> {
    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let (length, longest) = (site.walk.len(), self.longest);
        let endless = length >= longest;
        // In random games, only the ends of some are checked for cycles.
        if site.here().look.actions.is_empty() || !endless && site.part == Part::Game {
            return Ok(());
        }
        self.circle(site, length)?;
        if endless { Err(Breach::new(self.too_long()).rigid()) } else { Ok(()) }
    }

    fn end(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        if site.part != Part::Game || !site.one_in(8) {
            return Ok(());
        }
        (0..=site.walk.len()).try_for_each(|length| self.circle(site, length))
    }
}

impl<G: GameState + Debug> Ends<G> {
    fn too_long(&self) -> String {
        let longest = self.longest;
        format!(
            "the game has not ended after {longest} actions; if it may take longer, raise the limit with `longest`"
        )
    }

    /// Fails if the state after `length` actions looks the same as an earlier one, and if the actions since
    /// then can be repeated until the line is too long.
    fn circle(&mut self, site: &Site<'_, G>, length: usize) -> Result<(), Breach> {
        let texts: Vec<&String> =
            self.texts.follow(site.walk, |_, position| site.probe.debug(&position.state))?.collect();
        let positions = &site.walk.positions()[..=length];
        let look = &positions[length].look;
        let before =
            (0..length).find(|&start| texts[start] == texts[length] && positions[start].look == *look);
        let Some(start) = before.filter(|_| !look.actions.is_empty()) else { return Ok(()) };
        // With dice, a cycle need not go on forever.
        if positions[start..].iter().any(|position| position.look.turn == Turn::Chance) {
            return Ok(());
        }
        let mut walk = site.walk.clone();
        walk.truncate(length);
        let round: Vec<G::Action> = walk.actions().skip(start).collect();
        while walk.len() < self.longest {
            for action in &round {
                if !walk.play_action(action, site.probe)? {
                    return Ok(());
                }
            }
        }
        site.walk.announce(site.probe);
        let after = if start == 1 { "1 action".into() } else { format!("{start} actions") };
        let what = format!(
            "the state looks the same as after {after}, and repeating the actions since then does not end the \
             game within {} actions; count the actions in the state and end the game at a limit, or raise `longest`",
            self.longest
        );
        Err(Breach::new(what).at(length))
    }
}

//! The laws of how a game ends.

use super::along::Along;
use super::{Part, Rule, Site};
use crate::game::GameState;
use crate::rules::law::Law;
use crate::rules::probe::Breach;
use core::fmt::Debug;

pub fn rewards<G: GameState>(site: &mut Site<'_, G>) -> Result<Option<String>, Breach> {
    let (probe, here) = (site.probe, site.walk.last());
    for (player, &reward) in (0..).zip(&here.look.rewards) {
        if !(0.0..=1.0).contains(&reward) {
            return Ok(Some(format!("the reward of player {player} is {reward}; it must be in [0, 1]")));
        }
    }
    // Backwards, so that a reward that depends on who was asked before shows itself.
    for (player, &reward) in (0..here.look.players).zip(&here.look.rewards).rev() {
        let again = probe.reward(&here.state, player)?;
        if again != reward {
            return Ok(Some(format!(
                "the reward of player {player} was {reward}; asked again, it is {again}"
            )));
        }
    }
    Ok(None)
}

/// No line is longer than this. Once one is, the shortest that can be found is one that comes back to where it was.
pub struct Ends<G: GameState> {
    longest: usize,
    /// What `Debug` prints of each position.
    texts: Along<G, String>,
}

impl<G: GameState> Ends<G> {
    pub fn new(longest: usize) -> Self {
        Ends { longest, texts: Along::new() }
    }
}

impl<G: GameState + Debug> Rule<G> for Ends<G> {
    fn law(&self) -> Law {
        Law::Ends
    }

    fn step(&mut self, site: &mut Site<'_, G>) -> Result<(), Breach> {
        let (length, longest) = (site.walk.len(), self.longest);
        let endless = length >= longest;
        if site.here().look.actions.is_empty() || !endless && site.part != Part::Shortening {
            return Ok(());
        }
        let what = format!(
            "the game has not ended after {longest} actions; if it may take longer, say so with `longest`"
        );
        if let Some(start) = self.circle(site)?
            && self.goes_round(site, start)?
        {
            let circle =
                format!("the state looks the same as after {start} actions; played over and over, {what}");
            return Err(Breach::new(Law::Ends, circle));
        }
        if endless { Err(Breach::new(Law::Ends, what).rigid()) } else { Ok(()) }
    }
}

impl<G: GameState + Debug> Ends<G> {
    /// After how many actions the state looked as it does at the end of the line.
    fn circle(&mut self, site: &Site<'_, G>) -> Result<Option<usize>, Breach> {
        let texts = self.texts.follow(site.walk, |_, position| site.probe.debug(&position.state))?;
        let looks = site.walk.positions().iter().map(|position| &position.look);
        let mut positions = texts.zip(looks);
        let last = positions.next_back();
        Ok(positions.position(|position| Some(position) == last))
    }

    /// Whether what was played since then can be played over and over until the line is too long.
    fn goes_round(&self, site: &Site<'_, G>, start: usize) -> Result<bool, Breach> {
        let mut walk = site.walk.clone();
        let round: Vec<G::Action> = walk.actions().skip(start).collect();
        while walk.len() < self.longest {
            for &action in &round {
                if !walk.play_action(action, site.probe)? {
                    return Ok(false);
                }
            }
        }
        site.walk.announce(site.probe);
        Ok(true)
    }
}

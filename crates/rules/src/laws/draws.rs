//! Compares the random play of two states that should be the same.

use super::{Part, Site};
use crate::look::Look;
use crate::probe::Breach;
use ramure::{GameState, Rng, Turn};

/// Draws actions and plays rollouts from both states, with the same random numbers; returns what differs.
///
/// A search that is saved and loaded plays from the state that was read back, so what is drawn must not
/// depend on anything that equality or the text leave out.
pub fn difference<G: GameState>(
    site: &mut Site<'_, G>,
    here: &G,
    there: &G,
) -> Result<Option<String>, Breach> {
    let (probe, turn) = (site.probe, site.here().look.turn);
    if turn == Turn::Over {
        return Ok(None);
    }
    let method = if turn == Turn::Chance { "random_outcome" } else { "random_action" };
    let mut same = Same { method, rng: Rng::seeded(site.rng.bits()), wrong: None };
    for _ in 0..if site.part == Part::Shortening { 40 } else { 4 } {
        same.check(|rng, is_here| probe.draw(if is_here { here } else { there }, turn, rng))?;
    }
    same.method = "random_rollout";
    same.check(|rng, is_here| {
        let mut game = probe.clone(if is_here { here } else { there })?;
        probe.call("`random_rollout`", || game.random_rollout(rng))?;
        let look = Look::at(&game, probe)?;
        Ok((look.turn, look.actions, look.rewards))
    })?;
    same.method = "random_rollouts";
    for games in [1, 9] {
        same.check(|rng, is_here| {
            let state = if is_here { here } else { there };
            probe.call("`random_rollouts`", || state.random_rollouts(games, rng))
        })?;
    }
    Ok(same.wrong)
}

/// Calls a method of two states with the same random numbers.
struct Same {
    method: &'static str,
    rng: Rng,
    /// The first difference.
    wrong: Option<String>,
}

impl Same {
    /// Compares what `call` returns here and there, and the random numbers that follow.
    fn check<T: PartialEq + core::fmt::Debug>(
        &mut self,
        mut call: impl FnMut(&mut Rng, bool) -> Result<T, Breach>,
    ) -> Result<(), Breach> {
        let (mut rng, method) = (self.rng.clone(), self.method);
        let (ours, theirs) = (call(&mut self.rng, true)?, call(&mut rng, false)?);
        self.wrong = self.wrong.take().or_else(|| {
            if ours != theirs {
                return Some(format!(
                    "with the same random numbers, `{method}` gives {ours:?} here and {theirs:?} there"
                ));
            }
            let differ = self.rng.bits() != rng.bits();
            differ.then(|| format!("`{method}` takes more random numbers from one of them"))
        });
        Ok(())
    }
}

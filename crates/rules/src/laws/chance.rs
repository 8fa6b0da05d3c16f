//! The laws of chance and of random actions.

use super::{Part, Site};
use ramure::{GameState, Turn};

/// How far a sum of probabilities may be from 1, as in a search.
const PROBABILITY_TOLERANCE: f64 = 1e-6;
use crate::list::list;
use crate::look::Look;
use crate::probe::{Breach, broken};

pub fn probabilities<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let look = &site.here().look;
    if look.turn != Turn::Chance {
        return Ok(());
    }
    for (outcome, &probability) in look.actions.iter().zip(&look.probabilities) {
        if !(probability > 0.0 && probability.is_finite()) {
            return broken(format!(
                "the probability of {outcome:?} is {probability}; it must be above 0; do not list impossible outcomes"
            ));
        }
    }
    let sum: f64 = look.probabilities.iter().sum();
    let wrong = !look.actions.is_empty() && (sum - 1.0).abs() > PROBABILITY_TOLERANCE;
    Breach::of(
        wrong.then(|| {
            format!("the probabilities of {} sum to {sum}; they must sum to 1", list(&look.actions))
        }),
    )
}

fn has_wrong_probabilities<A>(look: &Look<A>) -> bool {
    let wrong = |&probability: &f64| !(probability > 0.0 && probability.is_finite());
    let sum: f64 = look.probabilities.iter().sum();
    look.turn == Turn::Chance
        && (look.probabilities.iter().any(wrong) || (sum - 1.0).abs() > PROBABILITY_TOLERANCE)
}

pub fn random_legal<G: GameState>(site: &mut Site<'_, G>) -> Result<(), Breach> {
    let draws = if site.part == Part::Shortening { 100 } else { 4 };
    let (probe, here) = (site.probe, site.walk.last());
    let method = if here.look.turn == Turn::Chance { "`random_outcome`" } else { "`random_action`" };
    for _ in 0..draws {
        match probe.draw(&here.state, here.look.turn, &mut site.rng)? {
            Some(action) if !here.look.actions.contains(&action) => {
                let actions = list(&here.look.actions);
                return broken(format!(
                    "{method} drew {action:?}, which is not among the actions: {actions}"
                ));
            }
            // Wrong probabilities, by which the provided method draws, break a law of their own.
            None if !here.look.actions.is_empty() && !has_wrong_probabilities(&here.look) => {
                return broken(format!(
                    "{method} returned `None`; the actions are {}",
                    list(&here.look.actions)
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

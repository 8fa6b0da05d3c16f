//! Mostly the action that looks best, sometimes a random one.

use super::{Leaf, RolloutPolicy, Trace};
use crate::game::{GameFault, GameState, Rng};
use crate::parameter::ParameterError;

/// Rollouts by your own heuristic: with probability `epsilon` a random action, otherwise the action with the
/// greatest heuristic value. Ties are broken at random.
///
/// **Use it** for "heavy" rollouts: take the win, block the loss, prefer the centre. Avoid it if a call of
/// the heuristic costs as much as many random actions.
///
/// **Parameters:** `epsilon`, in [0, 1], and your heuristic. In texts of `ramure-lab`, `epsilon` is 0.1, our
/// guess. **Cost:** one call of the heuristic per legal action. **Stores** nothing. **Source:** Sutton and
/// Barto, *Reinforcement Learning*, 2nd edition, section 2.2, applied to the actions of a rollout.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::simulation::EpsilonGreedyRollouts;
/// use ramure_games::TicTacToe;
/// // Takes a win if there is one.
/// let wins = EpsilonGreedyRollouts::new(0.1, |state: &TicTacToe, action| {
///     let Turn::Player(me) = state.turn() else { return 0.0 };
///     let mut next = state.clone();
///     next.apply(action);
///     if next.turn() == Turn::Over { next.reward(me) as f32 } else { 0.0 }
/// });
/// let mut search = Mcts::new(TicTacToe::new()).rollout_policy(wins);
/// search.run(Budget::iterations(100))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct EpsilonGreedyRollouts<H> {
    pub(super) epsilon: f64,
    heuristic: H,
}

impl<H> EpsilonGreedyRollouts<H> {
    /// Plays random actions with probability `epsilon`, in [0, 1], otherwise the best action by `heuristic`,
    /// which gives the value of an action in a state, in any scale.
    ///
    /// A closure names the game once, `|state: &MyGame, action| ..`; the compiler infers the rest.
    pub fn new<G: GameState>(epsilon: f64, heuristic: H) -> Self
    where
        H: Fn(&G, G::Action) -> f32,
    {
        EpsilonGreedyRollouts { epsilon, heuristic }
    }
}

impl<G: GameState, H: Fn(&G, G::Action) -> f32> RolloutPolicy<G> for EpsilonGreedyRollouts<H> {
    type Trace = ();

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, rng: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        let state = leaf.state();
        if rng.unit() < self.epsilon {
            return Ok(state.random_action(rng));
        }
        greatest(state.actions(), |action| (self.heuristic)(state, action), rng)
    }

    fn learns(&self) -> bool {
        false
    }

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (0.0..=1.0).contains(&self.epsilon);
        ParameterError::unless(fits, "EpsilonGreedyRollouts::epsilon", self.epsilon, "in [0, 1]")
    }
}

/// Returns the action with the greatest value, a random one among ties.
pub(super) fn greatest<A: Clone>(
    actions: impl IntoIterator<Item = A>,
    value: impl Fn(A) -> f32,
    rng: &mut Rng,
) -> Result<Option<A>, GameFault> {
    let (mut greatest, mut equals, mut best) = (f32::NEG_INFINITY, 0, None);
    for (index, action) in actions.into_iter().enumerate() {
        let value = value(action.clone());
        if value < greatest {
            continue;
        }
        if value.is_nan() {
            return Err(GameFault::Heuristic { index });
        }
        equals = if value == greatest { equals + 1 } else { 1 };
        greatest = value;
        if equals == 1 || rng.below(equals) == 0 {
            best = Some(action);
        }
    }
    Ok(best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_equally_likely_at_any_position() {
        let mut rng = Rng::seeded(1);
        let (none, all) = (f32::NEG_INFINITY, f32::INFINITY);
        for values in [
            [1.0, 1.0, 0.2, 1.0],
            [0.2, 1.0, 0.5, 1.0],
            [1.0, 0.0, 0.0, 1.0],
            [none; 4],
            [0.1, all, all, none],
        ] {
            let greatest_value = values.into_iter().fold(none, f32::max);
            let best = values.map(|value| value == greatest_value);
            let count = best.iter().filter(|&&best| best).count();
            let mut counts = [0.0; 4];
            for _ in 0..8_000 {
                let taken = greatest(0..4, |index: usize| values[index], &mut rng).expect("numbers");
                counts[taken.expect("there are four")] += 1.0;
            }
            for (taken, best) in counts.into_iter().zip(best) {
                // Six standard errors: a false alarm has a probability of 2e-9 for each count.
                let p = if best { 1.0 / count as f64 } else { 0.0 };
                let error: f64 = taken - 8_000.0 * p;
                assert!(error.abs() <= 6.0 * (8_000.0 * p * (1.0 - p)).sqrt(), "{values:?}: {counts:?}");
            }
        }
        assert!(greatest(0..0, |_: usize| 0.0, &mut rng).is_ok_and(|taken| taken.is_none()));
        let drawn = greatest(0..3, |index: usize| if index == 2 { f32::NAN } else { 0.0 }, &mut rng);
        assert_eq!(drawn.err(), Some(GameFault::Heuristic { index: 2 }));
    }
}

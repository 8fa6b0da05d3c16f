//! UCB with a bonus that drops to zero.

use super::{Choice, Event, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// MOSS: `Q + sqrt(max(ln(T / (K n)), 0) / n)`, where `T`, the horizon, is the total number of plays and `K`
/// is the number of children. A child that has had its share of the plays, `T / K`, gets no bonus.
///
/// **Use it** where many children are about equally good: its worst-case regret is optimal up to a constant
/// factor.
///
/// **Parameter:** the horizon, which applies to the root alone. At all other nodes, and at the root if you
/// set no horizon, `T` is `N`, the visits so far, because the paper's `T` is not known there. `K` counts the
/// children that the search shows: all of them, or as many as progressive widening allows, or, where
/// first-play urgency is finite, those tried so far. **Stores** 4 bytes per child, `ln n`.
///
/// **Source:** Audibert and Bubeck, *Minimax Policies for Adversarial and Stochastic Bandits*, 2009, section
/// on MOSS, with a horizon. Without a horizon: Degenne and Perchet, *Anytime optimal algorithms in stochastic
/// multi-armed bandits*, 2016, MOSS-anytime with their `α = 1`.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Moss;
/// use ramure_games::Bandit;
/// let mut search = Mcts::new(Bandit::new(&[0.5; 20])?).tree_policy(Moss::with_horizon(1_000));
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Moss {
    horizon: Option<u32>,
}

impl Moss {
    /// Creates the policy without a horizon: `T` is the visits so far.
    pub const fn new() -> Self {
        Moss { horizon: None }
    }

    /// Creates the policy with a horizon at the root: the total number of iterations, at least 1 and below
    /// 2^31.
    pub const fn with_horizon(iterations: u32) -> Self {
        Moss { horizon: Some(iterations) }
    }
}

impl<G: GameState> TreePolicy<G> for Moss {
    type Stats = f32; // ln n
    const KEEPS_REWARDS: bool = false;

    #[inline(always)]
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        let horizon = self.horizon.filter(|_| node.is_root());
        let plays = horizon.map_or(node.ln_visits(), math::ln);
        let share = plays - math::ln(node.width() as u32);
        node.argmax(|child| child.mean() + ((share - child.stats()).max(0.0) / child.visits()).sqrt())
    }

    #[inline(always)]
    fn update(&self, _: f32, visits: f32, _: f32) -> f32 {
        math::ln(visits as i32 as u32)
    }

    #[inline(always)]
    fn notice(&self, stats: f32, event: Event<f32>) -> f32 {
        match event {
            Event::Recounted(visits) if visits > 0.0 => math::ln(visits as i32 as u32),
            Event::Recounted(_) => 0.0,
            _ => stats,
        }
    }

    fn check(&self) -> Result<(), ParameterError> {
        let horizon = self.horizon.unwrap_or(1);
        let fits = (1..=i32::MAX as u32).contains(&horizon);
        ParameterError::unless(fits, "Moss::horizon", f64::from(horizon), "at least 1 and below 2^31")
    }
}

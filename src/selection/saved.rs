//! The saved state of tree policies, behind the feature `save`. Those that plan for one run
//! begin a new plan with the next, in a loaded search as in any other.

use super::exploration::Measured;
use super::progressive_history::ActionSum;
use super::{
    AlphaAmaf, AtRoot, AvailabilityUcb1, BayesUct, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy,
    Exp3, GaussianThompson, Grave, GumbelRoot, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    RegretMatching, SequentialHalving, Shot, SinglePlayer, Thompson, Ucb1, Ucb1Tuned, UcbV,
};
use crate::custom_error::BoxError;
use crate::game::{ActionIndex, GameState, MAX_PLAYERS};
use crate::persist::{Persist, persist_both, persist_settings};

persist_settings! {
    BayesUct, Boltzmann, CompletedValues, EpsilonGreedy, Exp3, GaussianThompson, KlUcb, Moss, RegretMatching,
    Thompson, Ucb1Tuned, UcbV,
}

/// Implements [`Persist`] for policies that learn nothing but the deviation of the rewards.
macro_rules! persist_exploration {
    ($($policy:ty),+ $(,)?) => { $(
        impl<G: GameState> Persist<G> for $policy {
            type Learned = Option<Measured>;
            fn settings(&self) -> String {
                format!("{self:?}")
            }
            fn learned(&self, _: &G) -> Self::Learned {
                self.c.learned()
            }
            fn check_learned(&self, _: &G, learned: &Self::Learned) -> Result<(), BoxError> {
                self.c.check_learned(learned)
            }
            fn restore(&mut self, learned: Self::Learned) {
                self.c.restore(learned);
            }
        }
    )+ };
}

persist_exploration! { AlphaAmaf, AvailabilityUcb1, ProgressiveBias, Puct, Rave, Ucb1 }

// Their `Debug` shows more than settings.
persist_settings! {
    Dirichlet: |policy| {
        let Dirichlet { total, alpha, epsilon, .. } = policy;
        format!("Dirichlet {{ total: {total:?}, alpha: {alpha:?}, epsilon: {epsilon:?} }}")
    };
    Grave: |policy| format!("Grave {{ reference: {:?}, bias: {:?} }}", policy.reference, policy.bias);
    GumbelRoot: |policy| {
        let GumbelRoot { actions, sigma, noise, .. } = policy;
        format!("GumbelRoot {{ actions: {actions}, sigma: {sigma:?}, noise: {noise:?} }}")
    };
    SequentialHalving: |_policy| "SequentialHalving".into();
}

/// The plan of the latest run: its iterations, those made, and the visits that it plans for the best child.
impl<G: GameState> Persist<G> for Shot {
    type Learned = (u64, u64, u32);
    fn settings(&self) -> String {
        "Shot".into()
    }
    fn learned(&self, _: &G) -> Self::Learned {
        (self.budget, self.made, self.goal.get())
    }
    fn restore(&mut self, (budget, made, goal): Self::Learned) {
        *self = Shot { budget, made, goal: goal.into() };
    }
}

/// The least and the greatest reward met, if there are two different ones or one.
impl<G: GameState> Persist<G> for SinglePlayer {
    type Learned = Option<(f32, f32)>;
    fn settings(&self) -> String {
        let (c, d) = self.constants();
        format!("SinglePlayer {{ c: {c:?}, d: {d:?} }}")
    }
    fn learned(&self, _: &G) -> Self::Learned {
        (self.least <= self.greatest).then_some((self.least, self.greatest))
    }
    fn check_learned(&self, _: &G, learned: &Self::Learned) -> Result<(), BoxError> {
        let fits = |&(least, greatest): &(f32, f32)| 0.0 <= least && least <= greatest && greatest <= 1.0;
        if learned.iter().all(fits) {
            Ok(())
        } else {
            Err("the least and the greatest reward are not in order in [0, 1]".into())
        }
    }
    fn restore(&mut self, learned: Self::Learned) {
        (self.least, self.greatest) = learned.unwrap_or((f32::INFINITY, f32::NEG_INFINITY));
    }
}

persist_both! { AtRoot<Q, P>, root, below, |_policy| "AtRoot, " }

/// For each action and player, how often the action was played, and the sum of the rewards; and the spread of
/// the rewards.
impl<G: ActionIndex> Persist<G> for ProgressiveHistory {
    type Learned = (Vec<[(u64, f64); MAX_PLAYERS]>, Option<Measured>);
    fn settings(&self) -> String {
        format!("ProgressiveHistory {{ c: {:?}, weight: {:?} }}", self.c, self.weight)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        let rows = self.history.iter().map(|row| row.map(|tally| (tally.count, tally.sum)));
        (rows.collect(), self.c.learned())
    }
    fn check_learned(&self, _: &G, (history, spread): &Self::Learned) -> Result<(), BoxError> {
        self.c.check_learned(spread)?;
        let fits = [0, G::ACTION_COUNT].contains(&history.len());
        let are_sums = || {
            history
                .iter()
                .flatten()
                .all(|&(count, sum)| count <= 1 << 53 && (0.0..=count as f64).contains(&sum))
        };
        if fits && are_sums() { Ok(()) } else { Err("the history is not one of this game".into()) }
    }
    fn restore(&mut self, (history, spread): Self::Learned) {
        self.history =
            history.into_iter().map(|row| row.map(|(count, sum)| ActionSum { count, sum })).collect();
        self.c.restore(spread);
    }
}

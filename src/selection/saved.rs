//! The saved state of tree policies, behind the feature `save`. Those that plan for one run
//! begin a new plan with the next, in a loaded search as in any other.

use super::progressive_history::ActionSum;
use super::{
    AlphaAmaf, AtRoot, AvailabilityUcb1, BayesUct, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy,
    Exp3, GaussianThompson, Grave, GumbelRoot, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    RegretMatching, SequentialHalving, Shot, SinglePlayer, Thompson, Ucb1, Ucb1Root, Ucb1Tuned, UcbV,
};
use crate::custom_error::BoxError;
use crate::game::{ActionIndex, GameState, MAX_PLAYERS};
use crate::persist::{Persist, persist_both, persist_settings};

persist_settings! {
    AlphaAmaf, AvailabilityUcb1, BayesUct, Boltzmann, CompletedValues, EpsilonGreedy, Exp3, GaussianThompson, KlUcb,
    Moss, ProgressiveBias, Puct, Rave, RegretMatching, SinglePlayer, Thompson, Ucb1, Ucb1Root, Ucb1Tuned, UcbV,
}

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

persist_both! { AtRoot<Q, P>, root, below, |_policy| "AtRoot, " }

/// For each action and player, how often the action was played, and the sum of the rewards.
impl<G: ActionIndex> Persist<G> for ProgressiveHistory {
    type Learned = Vec<[(u64, f64); MAX_PLAYERS]>;
    fn settings(&self) -> String {
        format!("ProgressiveHistory {{ c: {:?}, weight: {:?} }}", self.c, self.weight)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        let rows = self.history.iter().map(|row| row.map(|tally| (tally.count, tally.sum)));
        rows.collect()
    }
    fn check_learned(&self, _: &G, history: &Self::Learned) -> Result<(), BoxError> {
        let fits = [0, G::ACTION_COUNT].contains(&history.len());
        let are_sums = || {
            history
                .iter()
                .flatten()
                .all(|&(count, sum)| count <= 1 << 53 && (0.0..=count as f64).contains(&sum))
        };
        if fits && are_sums() { Ok(()) } else { Err("the history is not one of this game".into()) }
    }
    fn restore(&mut self, history: Self::Learned) {
        self.history =
            history.into_iter().map(|row| row.map(|(count, sum)| ActionSum { count, sum })).collect();
    }
}

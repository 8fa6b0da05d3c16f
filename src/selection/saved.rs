//! What a saved search keeps of its tree policies, behind the feature `save`. Those that plan for one run
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
use crate::persist::{Persist, persist_settings};

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

/// Implements [`Persist`] for policies that learn nothing, but whose `Debug` shows more than settings.
macro_rules! persist_settings_as {
    ($($policy:ty: |$this:ident| $settings:expr;)+) => { $(
        impl<G: GameState> Persist<G> for $policy {
            type Learned = ();
            fn settings(&self) -> String {
                let $this = self;
                $settings
            }
            fn learned(&self, _: &G) {}
            fn restore(&mut self, (): ()) {}
        }
    )+ };
}

persist_settings_as! {
    Dirichlet: |policy| policy.text_of_settings();
    Grave: |policy| policy.text_of_settings();
    GumbelRoot: |policy| policy.text_of_settings();
    SequentialHalving: |_policy| "SequentialHalving".into();
}

/// The plan of the latest run: its iterations, those made, and the visits that it plans for the best child.
impl<G: GameState> Persist<G> for Shot {
    type Learned = (u64, u64, u32);
    fn settings(&self) -> String {
        "Shot".into()
    }
    fn learned(&self, _: &G) -> Self::Learned {
        self.plan()
    }
    fn restore(&mut self, plan: Self::Learned) {
        *self = Shot::with_plan(plan);
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
        self.rewards_met()
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
        let (c, d) = self.constants();
        *self = SinglePlayer::new(c, d).with_rewards_met(learned);
    }
}

impl<G: GameState, Q: Persist<G>, P: Persist<G>> Persist<G> for AtRoot<Q, P> {
    type Learned = (Q::Learned, P::Learned);
    fn settings(&self) -> String {
        format!("AtRoot, {}, {}", self.root.settings(), self.below.settings())
    }
    fn learned(&self, state: &G) -> Self::Learned {
        (self.root.learned(state), self.below.learned(state))
    }
    fn check_learned(&self, state: &G, (root, below): &Self::Learned) -> Result<(), BoxError> {
        self.root.check_learned(state, root)?;
        self.below.check_learned(state, below)
    }
    fn restore(&mut self, (root, below): Self::Learned) {
        self.root.restore(root);
        self.below.restore(below);
    }
}

/// For each action and player, how often the action was played, and the sum of the rewards; and the spread of
/// the rewards.
impl<G: ActionIndex> Persist<G> for ProgressiveHistory {
    type Learned = (Vec<[(u64, f64); MAX_PLAYERS]>, Option<Measured>);
    fn settings(&self) -> String {
        self.text_of_settings()
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

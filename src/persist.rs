//! [`Persist`]: what a saved search keeps of its policies.

use crate::custom_error::BoxError;
use crate::game::GameState;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A policy that can be saved with its search: a tree policy, a rollout policy or a backpropagation.
///
/// A saved search does not contain its policies, because they may hold functions and networks. You build the
/// search as always, and then [load](crate::Mcts::load) what it had found. So of a policy, a file has two
/// things: its settings as text, which must be the same when you load it, and what the policy has learned.
///
/// **Who needs it:** policies of your own, if you save searches with them. All policies of this crate
/// implement it. An [`Evaluate`](crate::simulation::Evaluate) or a
/// [`WithPriors`](crate::simulation::WithPriors) does not save the evaluator or function in it: give the
/// search the same one before you load.
///
/// The numbers that a policy stores per child are saved by its [`Pack`](crate::statistics::Pack).
///
/// # Examples
///
/// A rollout policy that counts its rollouts:
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{GameFault, Rewards, Rng};
/// use ramure::simulation::{Leaf, Trace};
/// use ramure::{BoxError, Persist};
///
/// #[derive(Clone)]
/// struct CountedRollouts { count: u64 }
///
/// impl<G: GameState> RolloutPolicy<G> for CountedRollouts {
///     type Trace = ();
///     fn learn(&mut self, _: &(), _: &Rewards) {
///         self.count += 1;
///     }
/// }
///
/// impl<G: GameState> Persist<G> for CountedRollouts {
///     type Learned = u64;
///     fn settings(&self) -> String {
///         "CountedRollouts".into()
///     }
///     fn learned(&self, _: &G) -> u64 {
///         self.count
///     }
///     fn check_learned(&self, _: &G, count: &u64) -> Result<(), BoxError> {
///         if *count < u64::MAX { Ok(()) } else { Err("the count is too large".into()) }
///     }
///     fn restore(&mut self, count: u64) {
///         self.count = count;
///     }
/// }
///
/// let new = || Mcts::new(ramure_games::TicTacToe::new()).rollout_policy(CountedRollouts { count: 0 });
/// let (mut search, mut other, mut file) = (new(), new(), Vec::new());
/// search.run(Budget::iterations(100))?;
/// search.save_to(&mut file)?;
/// other.load_from(&mut &file[..])?;
/// assert_eq!(other.rollout_policy_ref().count, search.rollout_policy_ref().count);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be saved with a search",
    label = "this policy does not implement `Persist`",
    note = "implement `Persist` for it: its settings as text, and what it has learned"
)]
pub trait Persist<G: GameState> {
    /// The knowledge of the policy that is not in the tree; `()` for none.
    type Learned: Serialize + DeserializeOwned;

    /// Returns the settings as text. A search refuses a file if this text is not the same.
    fn settings(&self) -> String;

    /// Returns what the policy has learned. The root state of the search is `state`.
    fn learned(&self, state: &G) -> Self::Learned;

    /// Checks what was read from a file, which may be damaged on purpose. The root state in the file is
    /// `state`. \[Default: accepts everything\]
    ///
    /// # Errors
    ///
    /// Returns an error if the policy cannot have learned this. The search then stays as it was.
    fn check_learned(&self, state: &G, learned: &Self::Learned) -> Result<(), BoxError> {
        let _ = (state, learned);
        Ok(())
    }

    /// Replaces what the policy has learned. It was [checked](Self::check_learned) before.
    fn restore(&mut self, learned: Self::Learned);
}

/// Implements [`Persist`] for policies that learn nothing. `Debug` shows their settings, or else a closure after
/// the name writes them.
macro_rules! persist_settings {
    ($($policy:ident),+ $(,)?) => {
        $crate::persist::persist_settings! { $($policy: |policy| format!("{policy:?}");)+ }
    };
    ($($policy:ident $(<$own:ident>)?: |$this:ident| $settings:expr;)+) => { $(
        impl<G: $crate::game::GameState $(, $own)?> $crate::persist::Persist<G> for $policy $(<$own>)? {
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
pub(crate) use persist_settings;

/// Implements [`Persist`] for a policy around another one, which is all that it learns: its name, its other
/// settings, and the field of the inner policy.
macro_rules! persist_inner {
    ($($policy:ident<$inner:ident $(, $other:ident)*>, $field:ident, |$this:ident| $settings:expr;)+) => { $(
        impl<G: $crate::game::GameState, $inner: $crate::persist::Persist<G> $(, $other)*> $crate::persist::Persist<G> for $policy<$inner $(, $other)*> {
            type Learned = $inner::Learned;
            fn settings(&self) -> String {
                let $this = self;
                let settings: String = $settings;
                format!("{settings}, {}", self.$field.settings())
            }
            fn learned(&self, state: &G) -> Self::Learned {
                self.$field.learned(state)
            }
            fn check_learned(&self, state: &G, learned: &Self::Learned) -> Result<(), $crate::BoxError> {
                self.$field.check_learned(state, learned)
            }
            fn restore(&mut self, learned: Self::Learned) {
                self.$field.restore(learned);
            }
        }
    )+ };
}
pub(crate) use persist_inner;

/// Implements [`Persist`] for a policy of two parts, which are all that it learns: its name, its other
/// settings, and the fields of its parts.
macro_rules! persist_both {
    ($policy:ident<$first:ident, $second:ident>, $one:ident, $two:ident, |$this:ident| $settings:expr) => {
        impl<
            G: $crate::game::GameState,
            $first: $crate::persist::Persist<G>,
            $second: $crate::persist::Persist<G>,
        > $crate::persist::Persist<G> for $policy<$first, $second>
        {
            type Learned = ($first::Learned, $second::Learned);
            fn settings(&self) -> String {
                let $this = self;
                format!("{}{}, {}", $settings, self.$one.settings(), self.$two.settings())
            }
            fn learned(&self, state: &G) -> Self::Learned {
                (self.$one.learned(state), self.$two.learned(state))
            }
            fn check_learned(&self, state: &G, learned: &Self::Learned) -> Result<(), $crate::BoxError> {
                self.$one.check_learned(state, &learned.0)?;
                self.$two.check_learned(state, &learned.1)
            }
            fn restore(&mut self, learned: Self::Learned) {
                self.$one.restore(learned.0);
                self.$two.restore(learned.1);
            }
        }
    };
}
pub(crate) use persist_both;

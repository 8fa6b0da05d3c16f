//! Simulators: problems of planning, whose steps give rewards and whose transitions only a program knows.

use super::{MAX_PLAYERS, Player, Rng};
use core::fmt::Debug;

/// A problem of planning: a state that is changed step by step, where each step gives a reward on any scale,
/// and only the simulator knows what a step may lead to.
///
/// **Who needs it:** [`Planning`](crate::search::Planning), which makes it a space to search.
///
/// A [`GameState`](crate::GameState) names the outcomes of chance and their probabilities, and has rewards at
/// its end only. If you can list the outcomes, and one reward at the end is enough, a `GameState` is the
/// better choice: its search has more algorithms to choose from.
///
/// # The contract
///
/// - [`actions`](Self::actions) yields each legal action once, in an order that depends on the state alone,
///   and at least one, unless [`is_over`](Self::is_over).
/// - [`step`](Self::step) takes all its randomness from `rng`. The same state, action and generator give the
///   same state and reward. The reward is a finite number.
/// - Clones share no mutable data.
/// - The state holds nothing that the player to move cannot know: a hidden card is drawn by the step that
///   first needs it, with its probability given what the player has seen. Or implement
///   [`PartiallyObserved`](crate::PartiallyObserved), and search a [`Pomdp`](crate::search::Pomdp).
///
/// # Examples
///
/// ```
/// use ramure::Simulator;
/// use ramure::prelude::*;
/// use ramure::search::Planning;
///
/// /// A gambler with some coins stakes a part of them on each toss of a coin, which wins with probability 0.4.
/// #[derive(Clone, Hash)]
/// struct Gambler { coins: u32 }
///
/// impl Simulator for Gambler {
///     type Action = u32;
///     type Reward = f64;
///
///     fn actions(&self) -> impl IntoIterator<Item = u32> {
///         1..=self.coins.min(20 - self.coins)
///     }
///     fn step(&mut self, stake: u32, rng: &mut Rng) -> f64 {
///         self.coins = if rng.unit() < 0.4 { self.coins + stake } else { self.coins - stake };
///         if self.coins == 20 { 100.0 } else { 0.0 }
///     }
///     fn is_over(&self) -> bool {
///         self.coins == 0 || self.coins == 20
///     }
/// }
///
/// let mut search = Mcts::new(Planning::new(Gambler { coins: 10 }));
/// let report = search.run(Budget::iterations(5_000))?;
/// assert_eq!(report.best_action().action, 10); // bold play is best at less than 1/2
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a simulator",
    label = "not a problem of planning",
    note = "implement `Simulator` for `{Self}`: the types `Action` and `Reward`, a list of the actions, and the step that plays one",
    note = "a game that implements `GameState` needs no simulator: search its state"
)]
pub trait Simulator: Clone {
    /// An action, as that of a [`GameState`](crate::GameState::Action).
    type Action: Clone + Eq + Debug + 'static;

    /// The reward of a step: `f64` if there is one player, or `[f64; N]` for `N` players.
    type Reward: StepReward;

    /// Returns the legal actions of the player to move. Keep the return type as written here, whatever the
    /// body returns.
    fn actions(&self) -> impl IntoIterator<Item = Self::Action>;

    /// Plays `action`, one of [`actions`](Self::actions), draws what follows by `rng`, and returns the reward
    /// of this step. The effect of any other action is up to the simulator.
    fn step(&mut self, action: Self::Action, rng: &mut Rng) -> Self::Reward;

    /// Returns whether this is an end, from which no steps lead on. \[Default: never; the
    /// [horizon](crate::search::Planning::horizon) ends the search's look ahead\]
    fn is_over(&self) -> bool {
        false
    }

    /// Returns the player to move. \[Default: player 0\]
    fn player(&self) -> Player {
        0
    }

    /// Returns an estimate of the return from here on: the discounted rewards that good steps would still
    /// give. It takes the place of rollouts, and of all that comes after the horizon. Not asked at ends.
    /// \[Default: `None`: random steps to the horizon, and nothing after it\]
    ///
    /// It need not be exact, and helps most where random steps lead nowhere. For example, a boat that must
    /// cross a lake may return minus the distance that is left.
    fn estimate(&self) -> Option<Self::Reward> {
        None
    }
}

/// The rewards of one step: `f64` for a single player, `[f64; N]` for `N` players, from 1 to
/// [`MAX_PLAYERS`]. Sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not what a step can give",
    label = "not a reward",
    note = "the type of a reward is f64, or an array of f64 with one for each player"
)]
pub trait StepReward: Copy + Debug + PartialEq + sealed::Sealed + 'static {
    /// The number of players.
    const PLAYERS: u8;

    /// No reward.
    const ZERO: Self;

    /// The reward of each player.
    fn each(&self) -> &[f64];
    fn each_mut(&mut self) -> &mut [f64];
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl<const N: usize> Sealed for [f64; N] {}
}

impl StepReward for f64 {
    const PLAYERS: u8 = 1;
    const ZERO: f64 = 0.0;

    #[inline(always)]
    fn each(&self) -> &[f64] {
        core::slice::from_ref(self)
    }
    #[inline(always)]
    fn each_mut(&mut self) -> &mut [f64] {
        core::slice::from_mut(self)
    }
}

impl<const N: usize> StepReward for [f64; N] {
    const PLAYERS: u8 = {
        assert!(N >= 1 && N <= MAX_PLAYERS, "a simulator has from 1 to 8 players");
        N as u8
    };
    const ZERO: [f64; N] = [0.0; N];

    #[inline(always)]
    fn each(&self) -> &[f64] {
        self
    }
    #[inline(always)]
    fn each_mut(&mut self) -> &mut [f64] {
        self
    }
}

//! Macros for types that wrap another one, above all games that wrap a game in their field `state`.

/// Implements the named methods of [`GameState`](crate::GameState) by those of the field `state`, which has
/// the same actions.
macro_rules! forward_to_state {
    ($($method:ident)*) => { $($crate::game::forward_to_state! { @$method })* };
    (@KEEPS_STATES) => {
        const KEEPS_STATES: bool = G::KEEPS_STATES;
    };
    (@turn) => {
        #[inline(always)]
        fn turn(&self) -> $crate::game::Turn {
            self.state.turn()
        }
    };
    (@actions) => {
        #[inline(always)]
        fn actions(&self) -> impl IntoIterator<Item = Self::Action> {
            self.state.actions()
        }
    };
    (@apply) => {
        #[inline(always)]
        fn apply(&mut self, action: Self::Action) {
            self.state.apply(action);
        }
    };
    (@reward) => {
        #[inline(always)]
        fn reward(&self, player: $crate::game::Player) -> f64 {
            self.state.reward(player)
        }
    };
    (@players) => {
        #[inline(always)]
        fn players(&self) -> u8 {
            self.state.players()
        }
    };
    (@probability) => {
        #[inline(always)]
        fn probability(&self, outcome: Self::Action) -> f64 {
            self.state.probability(outcome)
        }
    };
    (@random_action) => {
        #[inline(always)]
        fn random_action(&self, rng: &mut $crate::game::Rng) -> Option<Self::Action> {
            self.state.random_action(rng)
        }
    };
    (@random_outcome) => {
        #[inline(always)]
        fn random_outcome(&self, rng: &mut $crate::game::Rng) -> Option<Self::Action> {
            self.state.random_outcome(rng)
        }
    };
    (@random_rollout) => {
        #[inline(always)]
        fn random_rollout(&mut self, rng: &mut $crate::game::Rng) {
            self.state.random_rollout(rng);
        }
    };
    (@random_rollouts) => {
        #[inline(always)]
        fn random_rollouts(&self, games: u32, rng: &mut $crate::game::Rng) -> Option<$crate::game::Rewards> {
            self.state.random_rollouts(games, rng)
        }
    };
    (@is_legal) => {
        #[inline(always)]
        fn is_legal(&self, action: Self::Action) -> bool {
            self.state.is_legal(action)
        }
    };
    (@is_simultaneous) => {
        #[inline(always)]
        fn is_simultaneous(&self) -> bool {
            self.state.is_simultaneous()
        }
    };
}

/// Gives a game with the field `state` the static evaluation of that state.
macro_rules! forward_evaluation {
    ($wrapper:ident, $bound:ident) => {
        impl<G: $bound + $crate::game::StaticEvaluation> $crate::game::StaticEvaluation for $wrapper<G> {
            #[inline(always)]
            fn evaluate(&self, player: $crate::game::Player) -> f64 {
                self.state.evaluate(player)
            }
        }
    };
}

/// Gives a game with the actions of another one the indices of these actions.
macro_rules! forward_indices {
    ($wrapper:ident, $bound:ident) => {
        impl<G: $bound + $crate::game::ActionIndex> $crate::game::ActionIndex for $wrapper<G> {
            const ACTION_COUNT: usize = G::ACTION_COUNT;

            #[inline(always)]
            fn action_index(action: G::Action) -> usize {
                G::action_index(action)
            }
        }
    };
}

/// Passes methods that take `self`, or `&self`, on to a field of it.
macro_rules! forward_methods {
    ($this:ident.$field:ident: $($method:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)+) => { $(
        #[inline(always)]
        fn $method($this $(, $argument: $type)*) $(-> $result)? {
            $this.$field.$method($($argument),*)
        }
    )+ };
    (&$this:ident.$field:ident: $($method:ident($($argument:ident: $type:ty),*) -> $result:ty;)+) => { $(
        #[inline(always)]
        fn $method(&$this $(, $argument: $type)*) -> $result {
            $this.$field.$method($($argument),*)
        }
    )+ };
}

pub(crate) use {forward_evaluation, forward_indices, forward_methods, forward_to_state};

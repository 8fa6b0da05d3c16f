//! Views of a step that decorators give to the backpropagation inside them.

use super::{Step, StepChild};
use crate::__sealed::Sealed;
use crate::game::GameState;
use core::marker::PhantomData;

/// Passes methods of a [`Step`] on to this field: those that no view changes, and those named here.
macro_rules! passes_on {
    ($step:ident; $($named:tt)*) => {
        $crate::game::forward_methods! {
            self.$step:
            chooser() -> $crate::game::Player;
            turn() -> $crate::game::Turn;
            visits() -> u32;
            length() -> u32;
            is_cut_short() -> bool;
            spread(deviation: f32);
            $($named)*
        }
    };
}
pub(crate) use passes_on;

/// See [`Step::map_stats`].
#[derive(Clone, Copy)]
pub(super) struct Mapped<X, V, Get, Put> {
    pub step: V,
    pub get: Get,
    pub put: Put,
    pub types: PhantomData<X>,
}

impl<X, V, Get, Put> Sealed for Mapped<X, V, Get, Put> {}

impl<G, T, S, V, Get, Put> Step<G, S> for Mapped<fn(G, T, S), V, Get, Put>
where
    G: GameState,
    T: Copy,
    S: Copy,
    V: Step<G, T>,
    Get: Fn(T) -> S + Copy,
    Put: Fn(T, S) -> T + Copy,
{
    passes_on! {
        step;
        has_untried() -> bool;
        record(reward: f32);
        record_with_mean(reward: f32, mean: f32);
    }

    #[inline(always)]
    fn stats(self) -> S {
        (self.get)(self.step.stats())
    }
    #[inline(always)]
    fn set_stats(self, stats: S) {
        self.step.set_stats((self.put)(self.step.stats(), stats));
    }
    #[inline(always)]
    fn followed(self) -> Option<StepChild<S>> {
        self.step.followed().map(|child| child.with_stats((self.get)(child.stats)))
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.step.children().map(self.get)
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = StepChild<S>> + Clone {
        let get = self.get;
        self.step.tried().map(move |child| child.with_stats(get(child.stats)))
    }
    #[inline(always)]
    fn prune(self, hopeless: impl Fn(S) -> bool) {
        self.step.prune(|stats| hopeless((self.get)(stats)));
    }
}

/// See [`Step::intercept`].
#[derive(Clone, Copy)]
pub(super) struct Intercepted<X, V, F> {
    pub step: V,
    pub take: F,
    pub types: PhantomData<X>,
}

impl<X, V, F> Sealed for Intercepted<X, V, F> {}

impl<G, S, V, F> Step<G, S> for Intercepted<fn(G, S), V, F>
where
    G: GameState,
    S: Copy,
    V: Step<G, S>,
    F: Fn(V, f32, Option<f32>) + Copy,
{
    passes_on! {
        step;
        has_untried() -> bool;
        stats() -> S;
        set_stats(stats: S);
        followed() -> Option<StepChild<S>>;
        prune(hopeless: impl Fn(S) -> bool);
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        (self.take)(self.step, reward, None);
    }
    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        (self.take)(self.step, reward, Some(mean));
    }
    crate::game::forward_methods! {
        &self.step:
        children() -> impl Iterator<Item = S> + Clone;
        tried() -> impl Iterator<Item = StepChild<S>> + Clone;
    }
}

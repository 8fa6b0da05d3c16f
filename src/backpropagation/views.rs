//! Views of a step that decorators give to the backpropagation inside them.

use super::{Step, Tried};
use crate::__sealed::Sealed;
use crate::game::{GameState, Player, Turn};
use core::marker::PhantomData;

/// Returns a view of `step` with only the second half of its statistics. A [`Decorator`](super::Decorator)
/// passes this view to the backpropagation inside it.
#[inline(always)]
pub fn second<G: GameState, X: Copy, Y: Copy>(step: impl Step<G, (X, Y)>) -> impl Step<G, Y> {
    map_step_stats(step, |both: (X, Y)| both.1, |both, second| (both.0, second))
}

/// Returns a view of `step` with other statistics, `S`, which are kept somewhere in the stored ones, `T`:
/// `get` reads them, and `put` returns the stored statistics with new ones in place of them.
///
/// **Who needs it:** decorators that do not keep their statistics in a pair; for a pair there is [`second`].
#[inline(always)]
pub fn map_step_stats<G: GameState, T: Copy, S: Copy>(
    step: impl Step<G, T>,
    get: impl Fn(T) -> S + Copy,
    put: impl Fn(T, S) -> T + Copy,
) -> impl Step<G, S> {
    Mapped { step, get, put, types: PhantomData::<fn(G, T, S)> }
}

/// Returns a view of `step` that passes the rewards recorded through it to `take`. A
/// [`Decorator`](super::Decorator) passes this view to the backpropagation inside it, as its example shows.
///
/// `take` gets the step, the recorded reward, and the mean if one was [set](Step::record_with_mean). It must
/// then record once, with any reward that the decorator chooses.
#[inline(always)]
pub fn intercept<G: GameState, S: Copy, T: Step<G, S>>(
    step: T,
    take: impl Fn(T, f32, Option<f32>) + Copy,
) -> impl Step<G, S> {
    Intercepted { step, take, types: PhantomData::<fn(G, S)> }
}

/// Passes methods without arguments on to the field `step`.
macro_rules! passes_on {
    ($($method:ident -> $type:ty;)+) => { $(
        #[inline(always)]
        fn $method(self) -> $type {
            self.step.$method()
        }
    )+ };
}

struct Mapped<X, V, Get, Put> {
    step: V,
    get: Get,
    put: Put,
    types: PhantomData<X>,
}

impl<X, V: Copy, Get: Copy, Put: Copy> Clone for Mapped<X, V, Get, Put> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<X, V: Copy, Get: Copy, Put: Copy> Copy for Mapped<X, V, Get, Put> {}

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
        chooser -> Player; turn -> Turn; visits -> u32; length -> u32; is_cut_short -> bool; has_untried -> bool;
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        self.step.record(reward);
    }
    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        self.step.record_with_mean(reward, mean);
    }
    #[inline(always)]
    fn spread(self, deviation: f32) {
        self.step.spread(deviation);
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
    fn followed(self) -> Option<Tried<S>> {
        self.step.followed().map(|child| child.with_stats((self.get)(child.stats)))
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.step.children().map(self.get)
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = Tried<S>> + Clone {
        let get = self.get;
        self.step.tried().map(move |child| child.with_stats(get(child.stats)))
    }
    #[inline(always)]
    fn prune(self, hopeless: impl Fn(S) -> bool) {
        self.step.prune(|stats| hopeless((self.get)(stats)));
    }
}

struct Intercepted<X, V, F> {
    step: V,
    take: F,
    types: PhantomData<X>,
}

impl<X, V: Copy, F: Copy> Clone for Intercepted<X, V, F> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<X, V: Copy, F: Copy> Copy for Intercepted<X, V, F> {}

impl<X, V, F> Sealed for Intercepted<X, V, F> {}

impl<G, S, V, F> Step<G, S> for Intercepted<fn(G, S), V, F>
where
    G: GameState,
    S: Copy,
    V: Step<G, S>,
    F: Fn(V, f32, Option<f32>) + Copy,
{
    passes_on! {
        chooser -> Player; turn -> Turn; visits -> u32; length -> u32; is_cut_short -> bool;
        stats -> S; followed -> Option<Tried<S>>; has_untried -> bool;
    }

    #[inline(always)]
    fn record(self, reward: f32) {
        (self.take)(self.step, reward, None);
    }
    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        (self.take)(self.step, reward, Some(mean));
    }
    #[inline(always)]
    fn spread(self, deviation: f32) {
        self.step.spread(deviation);
    }
    #[inline(always)]
    fn set_stats(self, stats: S) {
        self.step.set_stats(stats);
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.step.children()
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = Tried<S>> + Clone {
        self.step.tried()
    }
    #[inline(always)]
    fn prune(self, hopeless: impl Fn(S) -> bool) {
        self.step.prune(hopeless);
    }
}

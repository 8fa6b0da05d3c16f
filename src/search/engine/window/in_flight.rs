//! The pending visits of a node, which a window counts.

use crate::__sealed::Sealed;
use crate::backpropagation::{Backprop, Decorated, Decorator, Step, StepChild, passes_on};
use crate::game::{GameState, Rewards};
use crate::statistics::pack_structs;
use core::marker::PhantomData;

/// The decorator by which a search with a [window](crate::Mcts::window) counts pending visits.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct InFlight;

/// The backpropagation `B` in a search with a window.
pub type Counted<B> = Decorated<InFlight, B>;

/// The pending visits of a node, in a search with a [window](crate::Mcts::window).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct PendingVisits {
    /// How many of the node's visits wait for their rewards.
    pub count: u32,
}

// What is stored or sent has no pending visits.
pack_structs! { PendingVisits { count: u32 } => |pending| pending.count == 0; }

impl<G: GameState> Decorator<G> for InFlight {
    type Stats = PendingVisits;
    const AVERAGES: bool = true;

    #[inline(always)]
    fn update<B: Backprop<G>>(
        &self,
        inner: &B,
        step: impl Step<G, (PendingVisits, B::Stats)>,
        rewards: &mut Rewards,
    ) {
        let completed = Completed { step, inner: step.second(), types: PhantomData::<fn(G, B::Stats)> };
        inner.update(completed, rewards);
    }

    #[inline(always)]
    fn pending(stats: PendingVisits) -> u32 {
        stats.count
    }
}

/// A view of a step that shows its children without their pending visits.
#[derive(Clone, Copy)]
struct Completed<X, V, W> {
    step: V,
    inner: W,
    types: PhantomData<X>,
}

impl<X, V, W> Sealed for Completed<X, V, W> {}

impl<G, S, V, W> Step<G, S> for Completed<fn(G, S), V, W>
where
    G: GameState,
    S: Copy,
    V: Step<G, (PendingVisits, S)>,
    W: Step<G, S>,
{
    passes_on! {
        inner;
        record(reward: f32);
        record_with_mean(reward: f32, mean: f32);
        stats() -> S;
        set_stats(stats: S);
        prune(hopeless: impl Fn(S) -> bool);
    }

    #[inline(always)]
    fn followed(self) -> Option<StepChild<S>> {
        let child = self.step.followed()?;
        let (pending, stats) = child.stats;
        Some(StepChild { visits: child.visits - pending.count, ..child.with_stats(stats) })
    }

    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.inner.children()
    }

    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = StepChild<S>> + Clone {
        self.step.tried().filter_map(|child| {
            let (pending, stats) = child.stats;
            let visits = child.visits - pending.count;
            (visits > 0).then(|| StepChild { visits, ..child.with_stats(stats) })
        })
    }

    #[inline(always)]
    fn has_untried(self) -> bool {
        self.inner.has_untried() || self.step.tried().any(|child| child.visits == child.stats.0.count)
    }
}

//! A view of a node that a tree policy gives to another policy inside it.

use super::{Child, Choice, Node};
use crate::__sealed::Sealed;
use crate::game::{GameState, Player};
use core::marker::PhantomData;

/// Returns a view of `node` with other statistics, `S`, which are kept somewhere in the stored ones, `T`:
/// `get` reads them, and `put` returns the stored statistics with new ones in place of them.
///
/// **Who needs it:** tree policies that decorate another one and keep statistics of their own. Such a policy
/// must pass on every method and constant of [`TreePolicy`](super::TreePolicy), as this one does:
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::map_node_stats;
/// use ramure::{FirstPlay, ParameterError, Rewards};
///
/// /// Counts the losses of every child, and leaves the choice to `P`.
/// struct Counting<P>(P);
///
/// /// Shows the policy inside its own half of the statistics.
/// fn inner<G: GameState, S: Copy + 'static>(node: impl Node<G, (u32, S)>) -> impl Node<G, S> {
///     map_node_stats(node, |(_, inner)| inner, |(losses, _), inner| (losses, inner))
/// }
///
/// impl<G: GameState, P: TreePolicy<G>> TreePolicy<G> for Counting<P> {
///     type Stats = (u32, P::Stats);
///
///     fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
///         self.0.select(inner(node), rng)
///     }
///     fn update(&self, (losses, stats): Self::Stats, visits: f32, reward: f32) -> Self::Stats {
///         (losses + u32::from(reward == 0.0), self.0.update(stats, visits, reward))
///     }
///
///     // The rest is passed on to `P`.
///     const FIRST_PLAY: Option<FirstPlay> = P::FIRST_PLAY;
///     const SEES_UNVISITED: bool = P::SEES_UNVISITED;
///     const NEEDS_ITERATIONS: bool = P::NEEDS_ITERATIONS;
///     const REGRETS: bool = P::REGRETS;
///
///     fn recount(&self, (losses, stats): Self::Stats, visits: f32) -> Self::Stats {
///         (losses, self.0.recount(stats, visits))
///     }
///     fn recall(&self, (losses, now): Self::Stats, (_, then): Self::Stats) -> Self::Stats {
///         (losses, self.0.recall(now, then))
///     }
///     fn skips_refuted(&self) -> bool {
///         self.0.skips_refuted()
///     }
///     fn make_available(&self, (losses, stats): Self::Stats) -> Self::Stats {
///         (losses, self.0.make_available(stats))
///     }
///     fn regret(&self, (losses, stats): Self::Stats, instead: f32, reward: f32) -> Self::Stats {
///         (losses, self.0.regret(stats, instead, reward))
///     }
///     fn spread(&self, (losses, stats): Self::Stats, deviation: f32) -> Self::Stats {
///         (losses, self.0.spread(stats, deviation))
///     }
///     fn learn(&mut self, actions: &[(Player, G::Action)], rewards: &Rewards) {
///         self.0.learn(actions, rewards);
///     }
///     fn begin(&mut self, iterations: Option<u64>, rng: &mut Rng) {
///         self.0.begin(iterations, rng);
///     }
///     fn decide(&self, root: impl Node<G, Self::Stats>, rng: &mut Rng) -> Option<Choice> {
///         self.0.decide(inner(root), rng)
///     }
///     fn improved_policy(&self, root: impl Node<G, Self::Stats>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
///         self.0.improved_policy(inner(root), worths)
///     }
///     fn check(&self) -> Result<(), ParameterError> {
///         self.0.check()
///     }
/// }
///
/// let mut search = Mcts::new(ramure::games::TicTacToe::new()).tree_policy(Counting(Ucb1::new(0.7)));
/// search.run(Budget::iterations(500))?;
/// # Ok::<(), SearchError>(())
/// ```
#[inline(always)]
pub fn map_node_stats<G: GameState, T: Copy + 'static, S: Copy + 'static>(
    node: impl Node<G, T>,
    get: impl Fn(T) -> S + Copy,
    put: impl Fn(T, S) -> T + Copy,
) -> impl Node<G, S> {
    Mapped { node, get, put, types: PhantomData::<fn(G, T, S)> }
}

struct Mapped<X, V, Get, Put> {
    node: V,
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

/// Passes methods without arguments on to the field `node`.
macro_rules! passes_on {
    ($($method:ident -> $type:ty;)+) => { $(
        #[inline(always)]
        fn $method(self) -> $type {
            self.node.$method()
        }
    )+ };
}

impl<G, T, S, V, Get, Put> Node<G, S> for Mapped<fn(G, T, S), V, Get, Put>
where
    G: GameState,
    T: Copy + 'static,
    S: Copy + 'static,
    V: Node<G, T>,
    Get: Fn(T) -> S + Copy,
    Put: Fn(T, S) -> T + Copy,
{
    passes_on! {
        visits -> f32; ln_visits -> f32; sqrt_ln_visits -> f32; player -> Player; first_play -> f32; has_untried -> bool;
        is_root -> bool; width -> usize;
    }

    #[inline(always)]
    fn untried_score(self, bonus: f32) -> f32 {
        self.node.untried_score(bonus)
    }
    #[inline(always)]
    fn stats(self) -> S {
        (self.get)(self.node.stats())
    }
    #[inline(always)]
    fn stats_of(self, child: Choice) -> Option<S> {
        self.node.stats_of(child).map(self.get)
    }
    #[inline(always)]
    fn set_stats(self, child: Choice, stats: S) {
        if let Some(stored) = self.node.stats_of(child) {
            self.node.set_stats(child, (self.put)(stored, stats));
        }
    }
    #[inline(always)]
    fn argmax(self, score: impl Fn(Child<'_, G::Action, S>) -> f32) -> Choice {
        self.node.argmax(|child| score(child.with_stats((self.get)(child.stats()))))
    }
    #[inline(always)]
    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, S>)> {
        let get = self.get;
        self.node.choices().map(move |(choice, child)| (choice, child.with_stats(get(child.stats()))))
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, S>> {
        let get = self.get;
        self.node.children().map(move |child| child.with_stats(get(child.stats())))
    }
    #[inline(always)]
    fn parent(self) -> Option<Self> {
        self.node.parent().map(|node| Mapped { node, ..self })
    }
}

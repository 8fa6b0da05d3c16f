//! Views of nodes and steps with unpacked statistics, as each policy expects them.

use super::packed::Holds;
use core::marker::PhantomData;
use ramure::backpropagation::{Step, Tried};
use ramure::game::{GameState, Player, Turn};
use ramure::selection::{Child, Choice, Node};
use ramure::statistics::Pack;

/// A node or a step whose `H` holds an `S`.
pub(super) struct Unpacked<V, H, S>(V, PhantomData<fn(H) -> S>);

impl<V, H, S> Unpacked<V, H, S> {
    #[inline(always)]
    pub fn new(view: V) -> Self {
        Unpacked(view, PhantomData)
    }
}

impl<V: Copy, H, S> Clone for Unpacked<V, H, S> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}
impl<V: Copy, H, S> Copy for Unpacked<V, H, S> {}

#[inline(always)]
fn unpacked<'a, A: Copy, H: Holds, S: Pack>(child: Child<'a, A, H>) -> Child<'a, A, S> {
    child.with_stats(child.stats().held())
}

impl<V, H, S> ramure::sealed::Sealed for Unpacked<V, H, S> {}

impl<G: GameState, H: Holds, S: Pack, N: Node<G, H>> Node<G, S> for Unpacked<N, H, S> {
    #[inline(always)]
    fn visits(self) -> f32 {
        self.0.visits()
    }
    #[inline(always)]
    fn player(self) -> Player {
        self.0.player()
    }
    #[inline(always)]
    fn first_play(self) -> f32 {
        self.0.first_play()
    }
    #[inline(always)]
    fn untried_score(self, bonus: f32) -> f32 {
        self.0.untried_score(bonus)
    }
    #[inline(always)]
    fn has_untried(self) -> bool {
        self.0.has_untried()
    }
    #[inline(always)]
    fn is_root(self) -> bool {
        self.0.is_root()
    }
    #[inline(always)]
    fn stats(self) -> S {
        self.0.stats().held()
    }
    #[inline(always)]
    fn width(self) -> usize {
        self.0.width()
    }
    #[inline(always)]
    fn set_stats(self, child: Choice, stats: S) {
        self.0.set_stats(child, H::holding(stats));
    }
    #[inline(always)]
    fn argmax(self, score: impl Fn(Child<'_, G::Action, S>) -> f32) -> Choice {
        self.0.argmax(|child| score(unpacked(child)))
    }
    #[inline(always)]
    fn choices(&self) -> impl Iterator<Item = (Choice, Child<'_, G::Action, S>)> {
        self.0.choices().map(|(choice, child)| (choice, unpacked(child)))
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = Child<'_, G::Action, S>> {
        self.0.children().map(unpacked)
    }
    #[inline(always)]
    fn parent(self) -> Option<Self> {
        self.0.parent().map(Unpacked::new)
    }
    #[inline(always)]
    fn ln_visits(self) -> f32 {
        self.0.ln_visits()
    }
    #[inline(always)]
    fn sqrt_ln_visits(self) -> f32 {
        self.0.sqrt_ln_visits()
    }
}

impl<G: GameState, H: Holds, S: Pack, T: Step<G, H>> Step<G, S> for Unpacked<T, H, S> {
    #[inline(always)]
    fn chooser(self) -> Player {
        self.0.chooser()
    }
    #[inline(always)]
    fn turn(self) -> Turn {
        self.0.turn()
    }
    #[inline(always)]
    fn visits(self) -> u32 {
        self.0.visits()
    }
    #[inline(always)]
    fn length(self) -> u32 {
        self.0.length()
    }
    #[inline(always)]
    fn is_cut_short(self) -> bool {
        self.0.is_cut_short()
    }
    #[inline(always)]
    fn record(self, reward: f32) {
        self.0.record(reward);
    }
    #[inline(always)]
    fn record_with_mean(self, reward: f32, mean: f32) {
        self.0.record_with_mean(reward, mean);
    }
    #[inline(always)]
    fn spread(self, deviation: f32) {
        self.0.spread(deviation);
    }
    #[inline(always)]
    fn stats(self) -> S {
        self.0.stats().held()
    }
    #[inline(always)]
    fn set_stats(self, stats: S) {
        self.0.set_stats(H::holding(stats));
    }
    #[inline(always)]
    fn followed(self) -> Option<S> {
        self.0.followed().map(H::held)
    }
    #[inline(always)]
    fn children(&self) -> impl Iterator<Item = S> + Clone {
        self.0.children().map(H::held)
    }
    #[inline(always)]
    fn tried(&self) -> impl Iterator<Item = Tried<S>> + Clone {
        self.0.tried().map(|child| child.with_stats(child.stats.held()))
    }
    #[inline(always)]
    fn prune(self, hopeless: impl Fn(S) -> bool) {
        self.0.prune(|stats: H| hopeless(stats.held()));
    }
}

//! A view of a node that a tree policy gives to another policy inside it.

use super::{Child, Choice, Node, Spread};
use crate::__sealed::Sealed;
use crate::game::{GameState, Player, forward_methods};
use core::marker::PhantomData;

/// See [`Node::map_stats`].
#[derive(Clone, Copy)]
pub(super) struct Mapped<X, V, Get, Put> {
    pub node: V,
    pub get: Get,
    pub put: Put,
    pub types: PhantomData<X>,
}

impl<X, V, Get, Put> Sealed for Mapped<X, V, Get, Put> {}

impl<G, T, S, V, Get, Put> Node<G, S> for Mapped<fn(G, T, S), V, Get, Put>
where
    G: GameState,
    T: Copy + 'static,
    S: Copy + 'static,
    V: Node<G, T>,
    Get: Fn(T) -> S + Copy,
    Put: Fn(T, S) -> T + Copy,
{
    forward_methods! {
        self.node:
        visits() -> f32;
        ln_visits() -> f32;
        sqrt_ln_visits() -> f32;
        player() -> Player;
        first_play() -> f32;
        has_untried() -> bool;
        is_in_order() -> bool;
        is_root() -> bool;
        width() -> usize;
        starving() -> Option<Choice>;
        untried_score(bonus: f32) -> f32;
    }

    #[inline(always)]
    fn spread(&self) -> &Spread {
        self.node.spread()
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
    fn argmax(self, value: impl Fn(Child<'_, G::Action, S>) -> f32) -> Choice {
        self.node.argmax(|child| value(child.with_stats((self.get)(child.stats()))))
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

//! What a search with several trees asks of its parts. Each trait is a list of bounds, and every type that
//! meets them implements it.

use crate::backpropagation::Backprop;
use crate::game::GameState;
use crate::selection::TreePolicy;
use crate::space::Space;
use crate::statistics::Merge;

/// What several threads can search.
pub trait ForestSpace: Space<Game: GameState<Action: Send + Sync> + Send + Sync> + Send + Sync {}
impl<S> ForestSpace for S where S: Space<Game: GameState<Action: Send + Sync> + Send + Sync> + Send + Sync {}

/// A tree policy for several trees: each has a copy, and their statistics merge.
pub trait ForestPolicy<G: GameState>:
    TreePolicy<G, Stats: Send + Sync> + Merge<G, <Self as TreePolicy<G>>::Stats> + Clone + Send
{
}
impl<G: GameState, P> ForestPolicy<G> for P where
    P: TreePolicy<G, Stats: Send + Sync> + Merge<G, P::Stats> + Clone + Send
{
}

/// A backpropagation for several trees: each has a copy, and their statistics merge.
pub trait ForestBackprop<G: GameState>:
    Backprop<G, Stats: Send + Sync> + Merge<G, <Self as Backprop<G>>::Stats> + Clone + Send
{
}
impl<G: GameState, B> ForestBackprop<G> for B where
    B: Backprop<G, Stats: Send + Sync> + Merge<G, B::Stats> + Clone + Send
{
}

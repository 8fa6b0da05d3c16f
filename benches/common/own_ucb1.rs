//! UCB1 as a user would write it, in ten lines against the public traits, to compare with the crate's `Ucb1`.

use ramure::prelude::*;

/// A copy of `Ucb1`, which keeps `1 / sqrt(n)` for each child.
pub struct OwnUcb1(pub f32);

impl<G: GameState> TreePolicy<G> for OwnUcb1 {
    type Stats = f32;

    #[inline(always)] // into the loop of the search
    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        let bonus = self.0 * node.sqrt_ln_visits();
        node.argmax(|child| child.mean() + bonus * child.stats())
    }
    #[inline(always)]
    fn update(&self, _: f32, visits: f32, _: f32) -> f32 {
        1.0 / visits.sqrt()
    }
}

/// The formula as in books, which keeps nothing, and takes a square root and a division for each child.
pub struct PlainUcb1(pub f32);

impl<G: GameState> TreePolicy<G> for PlainUcb1 {
    type Stats = ();

    #[inline(always)]
    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        let log = node.ln_visits();
        node.argmax(|child| child.mean() + self.0 * (log / child.visits()).sqrt())
    }
}

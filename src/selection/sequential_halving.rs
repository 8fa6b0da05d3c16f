//! Sequential halving at the root.

use super::halving::Halving;
use super::{Child, Choice, Needs, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use core::cell::RefCell;

/// Sequential halving: all children of the root get the same number of visits, then the better half of them
/// the same number again, and so on until one is left.
///
/// With `K` children there are `⌈log2 K⌉` rounds. In each round, each of the `s` children left gets
/// `⌊T / (s ⌈log2 K⌉)⌋` visits of a run of `T` iterations, and the `⌈s/2⌉` with the greatest means go on.
///
/// **Use it** where only the final action matters and many actions are close. UCB1 spends its iterations to
/// lose little during the search; sequential halving spends them to make the right final choice. Where one
/// action stands out, UCB1 finds it sooner. With [`Ucb1`](super::Ucb1) below it is hybrid MCTS with halving
/// at the root alone. A budget that does not limit the iterations is an error. **Parameters:** none. It plays
/// the better of the last two children, unless the search has a [`RootDecision`](crate::RootDecision).
///
/// Where the paper is silent: the iterations left over by rounding go to the last round, whose two contenders
/// share them. With fewer iterations than the rounds need, a child gets one visit per round until the budget
/// ends, the better children first. Proven children drop out. A root that
/// [widens](crate::Expansion::widening) restarts its rounds with each further child and the rest of the
/// budget. Visits are those of the run, but means are those of all visits. The proof in the paper uses only a
/// round's own rewards; [`reset`](crate::Mcts::reset) the search where that matters.
///
/// **Stores** what the policy below stores, and 56 bytes per child of the root. **Cost:** a pass over the
/// root's children per iteration. **Source:** Karnin, Koren and Somekh, *Almost Optimal Exploration in
/// Multi-Armed Bandits*, ICML 2013, algorithm 3; in trees Pepels, Cazenave, Winands and Lanctot, *Minimizing
/// Simple and Cumulative Regret in Monte-Carlo Tree Search*, 2014.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::{AtRoot, SequentialHalving};
/// let policy = AtRoot::new(SequentialHalving::new(), Ucb1::new(0.7));
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(policy);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SequentialHalving {
    halving: RefCell<Halving>,
}

impl SequentialHalving {
    /// Creates the policy. It plans each run separately.
    pub const fn new() -> Self {
        SequentialHalving { halving: RefCell::new(Halving::new(better_half)) }
    }
}

impl Default for SequentialHalving {
    fn default() -> Self {
        SequentialHalving::new()
    }
}

fn better_half(contenders: usize) -> usize {
    contenders.div_ceil(2)
}

fn mean<A: Clone, S: Copy>(_: f64, child: Child<'_, A, S>) -> f64 {
    f64::from(child.mean())
}

impl<G: GameState, S: Copy + Default + 'static> RootPolicy<G, S> for SequentialHalving {
    const NEEDS: Needs = Needs::Iterations;

    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, _: &P, _: &mut Rng) -> Choice {
        if node.has_untried() {
            return Choice::UNTRIED;
        }
        let mut halving = self.halving.borrow_mut();
        if halving.is_due(node.width()) {
            halving.lay_out(node, usize::MAX, |_| 0.0);
        }
        halving.next(node, mean)
    }

    fn begin(&mut self, iterations: Option<u64>, _: &mut Rng) {
        self.halving.get_mut().begin(iterations);
    }

    fn iterated(&mut self) {
        self.halving.get_mut().iterated();
    }

    fn decide(&self, root: impl Node<G, S>, rng: &mut Rng) -> Option<Choice> {
        self.halving.borrow_mut().winner(root, false, mean, rng)
    }
}

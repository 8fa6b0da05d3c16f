//! [`Unobserved`]: what a window assumes of the visits that wait for their rewards, and how they are counted.

use crate::backpropagation::Backprop;
use crate::iteration::CountVisits;
use crate::iteration::path::NodeOf;
use crate::search::engine::window::in_flight::{Counted, PendingVisits};
use crate::selection::{Event, TreePolicy};
use crate::space::Space;

/// The assumption about visits whose rewards have not arrived.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub enum Unobserved {
    /// They count as visits, and leave the mean as it is. So they lower the exploration term only. A child
    /// without any reward is worth what an unvisited child is: its [first-play
    /// urgency](crate::selection::FirstPlay), or if that is infinite, the mean of its siblings.
    ///
    /// A policy without an exploration term that depends on the visits, such as
    /// [`Rave`](crate::selection::Rave) with its default parameters, then sends most of a window down one
    /// path.
    ///
    /// **Source:** Liu et al., *Watch the Unobserved: A Simple Approach to Parallelizing Monte Carlo Tree
    /// Search*, 2020, equation 4.
    Mean,
    /// They count as losses, with a reward of 0. The default: in large windows it spreads the iterations
    /// more.
    ///
    /// **Source:** Chaslot, Winands, van den Herik, *Parallel Monte-Carlo Tree Search*, 2008, "virtual loss".
    #[default]
    Loss,
}

impl Unobserved {
    /// Writes what is assumed of the pending visits into the mean of a node, and into the statistics that
    /// depend on the number of visits.
    #[inline(always)]
    fn assume<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        self,
        node: NodeOf<'_, S, P, Counted<B>>,
        tree_policy: &P,
    ) {
        let visits = node.visit_count();
        if self == Unobserved::Loss {
            node.count_rewards(visits - node.backprop().0.count, visits);
        }
        node.set_stats(tree_policy.notice(node.stats(), Event::Recounted(visits as i32 as f32)));
    }

    /// Counts a pending visit.
    #[inline(always)]
    pub(super) fn add_visit<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        self,
        node: NodeOf<'_, S, P, Counted<B>>,
        tree_policy: &P,
    ) {
        let (PendingVisits { count }, stats) = node.backprop();
        node.set_backprop((PendingVisits { count: count + 1 }, stats));
        let visits = node.count_visit();
        if self == Unobserved::Loss {
            node.count_rewards(visits - 1, visits);
        }
        node.set_stats(tree_policy.notice(node.stats(), Event::Recounted(visits as i32 as f32)));
    }

    /// Takes a pending visit back. Returns the visits that are left.
    pub(super) fn take_visit_back<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        self,
        node: NodeOf<'_, S, P, Counted<B>>,
        tree_policy: &P,
    ) -> u32 {
        self.unassume::<S, P, B>(node);
        let (PendingVisits { count }, stats) = node.backprop();
        node.set_backprop((PendingVisits { count: count - 1 }, stats));
        let visits = node.uncount_visit();
        if visits == 0 {
            node.record_with_mean(0, 0.0);
        }
        self.assume::<S, P, B>(node, tree_policy);
        visits
    }

    /// Takes the assumption back: the mean is again that of the completed visits.
    #[inline(always)]
    fn unassume<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>>(
        self,
        node: NodeOf<'_, S, P, Counted<B>>,
    ) {
        if self == Unobserved::Loss {
            let visits = node.visit_count();
            node.count_rewards(visits, visits - node.backprop().0.count);
        }
    }
}

/// How the visits of an iteration that was pending become completed visits.
#[derive(Clone, Copy)]
pub(super) struct Complete(pub Unobserved);

impl<S: Space, P: TreePolicy<S::Game>, B: Backprop<S::Game>> CountVisits<S, P, Counted<B>> for Complete {
    #[inline(always)]
    fn count(&self, node: NodeOf<'_, S, P, Counted<B>>) -> u32 {
        self.0.unassume::<S, P, B>(node);
        let (PendingVisits { count }, stats) = node.backprop();
        node.set_backprop((PendingVisits { count: count - 1 }, stats));
        node.visit_count() - (count - 1)
    }

    #[inline(always)]
    fn counted(&self, node: NodeOf<'_, S, P, Counted<B>>, tree_policy: &P) {
        if node.backprop().0.count > 0 {
            self.0.assume::<S, P, B>(node, tree_policy);
        }
    }
}

//! The queue of a window: the leaves that wait for their values. An iteration joins it at the end when it has
//! reached its leaf, and leaves it at the front with its rewards.

use crate::backpropagation::Backprop;
use crate::iteration::{FedBy, Iterations, Shortage};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::search::engine::window::pending::Pending;
use crate::search::engine::window::workers::PendingOf;
use crate::search::engine::window::{Counted, Ticket, Unobserved};
use crate::simulation::{Leaf, RolloutPolicy};
use crate::space::{RealAction, Space};
use crate::statistics::Statistics;
use std::collections::VecDeque;

/// The pending iterations of a search.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "hidden")]
pub struct Queue<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> {
    /// Distinguishes its tickets from those of other windows.
    pub(super) id: u32,
    /// The iterations that wait for their rewards, oldest first.
    pub(super) pending: VecDeque<PendingOf<S, P, R>>,
    /// Pending iterations that are resolved, kept to reuse their memory.
    pub(super) spare: Vec<PendingOf<S, P, R>>,
    /// The actions of the last question, as those of the real game.
    pub(super) asked: Vec<RealAction<S>>,
    /// The number of the next iteration.
    next: u64,
    /// The number of pending iterations that share an evaluation.
    pub(super) sharing: usize,
    /// Whether an iteration that was put aside found no room for a child.
    pub(super) shortage: Shortage,
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Default for Queue<S, P, R> {
    fn default() -> Self {
        Queue {
            id: Ticket::new_window(),
            pending: VecDeque::new(),
            spare: Vec::new(),
            asked: Vec::new(),
            next: 0,
            sharing: 0,
            shortage: Shortage::None,
        }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Queue<S, P, R> {
    /// Returns a queue with the same pending iterations, and with tickets of its own.
    pub(super) fn copy(&self) -> Self {
        let pending = self.pending.iter().map(Pending::copy).collect();
        Queue { pending, next: self.next, sharing: self.sharing, shortage: self.shortage, ..Queue::default() }
    }

    /// Returns whether one more iteration may be put aside, if `size` are allowed.
    #[inline(always)]
    pub(super) fn has_place(&self, root_is_leaf: bool, size: usize) -> bool {
        let len = self.pending.len();
        len == 0 || len < size && !(P::Stats::INITIALIZES && (root_is_leaf || 4 * self.sharing > size))
    }

    /// Puts iterations aside until there are `size`, or until too many of them share an evaluation.
    #[inline(always)]
    pub(super) fn fill<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        root: &S::Game,
        size: usize,
        unobserved: Unobserved,
    ) -> Result<(), SearchError> {
        while self.has_place(iterations.root_is_leaf(), size) {
            self.put_aside(iterations, root, unobserved)?;
        }
        Ok(())
    }

    /// Puts one iteration aside.
    #[inline(always)]
    pub(super) fn put_aside<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        root: &S::Game,
        unobserved: Unobserved,
    ) -> Result<(), SearchError> {
        let mut entry = self.spare.pop().unwrap_or_else(|| Pending::new(Leaf::new(root, B::COUNTS)));
        entry.number = self.next;
        match iterations.set_aside(&mut entry, unobserved) {
            Ok(is_shared) => {
                if is_shared {
                    // Earlier visits to this leaf may be too few for children. They have no priors to share.
                    let asks = |other: &&mut PendingOf<S, P, R>| {
                        other.expands && other.same_as.is_none() && other.has_path_of(&entry)
                    };
                    if let Some(other) = self.pending.iter_mut().find(asks) {
                        other.sharers += 1;
                        self.sharing += 1;
                        entry.same_as = Some(other.number);
                    }
                }
                self.next += 1;
                self.pending.push_back(entry);
                Ok(())
            }
            Err(fault) => {
                iterations.tell(&entry.leaf, None);
                Err(SearchError::of::<S, _>(&entry.leaf, fault))
            }
        }
    }

    /// Resolves the oldest pending iteration. Returns whether there is room for the root's children.
    #[inline(always)]
    pub(super) fn settle_first<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let Some(entry) = self.pending.front() else { return Ok(true) };
        if P::Stats::INITIALIZES && entry.sharers > 0 {
            let (number, result, sharers) = (entry.number, entry.result, entry.sharers as usize);
            let sharing = self.pending.iter_mut().filter(|other| other.same_as == Some(number));
            sharing.take(sharers).for_each(|other| other.result = result);
        }
        // If a policy panics, the iteration stays pending, and is taken back later.
        let Some(entry) = self.pending.front_mut() else { return Ok(true) };
        let is_answered = matches!(entry.result, Some(Ok(_)));
        let settled = iterations.settle(entry, unobserved);
        // From here on it is no longer pending, also if the game panics when it is asked for the line of a fault.
        let Some(entry) = self.pending.pop_front() else { return Ok(true) };
        self.sharing -= usize::from(entry.same_as.is_some());
        let settled = settled.map_err(|fault| {
            iterations.tell(&entry.leaf, None);
            SearchError::of::<S, _>(&entry.leaf, fault)
        });
        if is_answered && settled.is_ok() {
            tally.count(entry.depth());
        }
        self.spare.push(entry);
        settled
    }

    /// Resolves all pending iterations, oldest first, and returns the first error.
    #[inline(always)]
    pub(super) fn settle_all<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let (mut has_room, mut failure) = (true, None);
        while !self.pending.is_empty() {
            match self.settle_first(iterations, unobserved, tally) {
                Ok(fits) => has_room &= fits,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(has_room), Err)
    }
}

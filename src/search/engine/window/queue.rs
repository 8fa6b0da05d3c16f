//! The queue of a window: the leaves that wait for their values. An iteration joins it at the end when it has
//! reached its leaf, and leaves it at the front with its rewards.

use crate::backpropagation::Backprop;
use crate::iteration::{FedBy, Iterations, Shortage, Traces};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::search::engine::window::handing_out::HandingOut;
use crate::search::engine::window::pending::Pending;
use crate::search::engine::window::servers::{Task, TaskOf};
use crate::search::engine::window::{Counted, Ticket, Unobserved};
use crate::selection::TreePolicy;
use crate::simulation::{Leaf, RolloutPolicy};
use crate::space::{RealAction, Space};
use crate::statistics::Statistics;
use std::collections::VecDeque;
use std::sync::RwLock;

/// A pending iteration of a search with these policies.
pub(crate) type PendingOf<S, P, R> =
    Pending<S, <P as TreePolicy<<S as Space>::Game>>::Stats, Traces<S, P, R>>;

/// The pending iterations of a search.
pub struct Queue<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> {
    /// Distinguishes its tickets from those of other windows.
    pub(super) id: u32,
    /// The iterations that wait for their rewards, oldest first.
    pub(super) pending: VecDeque<PendingOf<S, P, R>>,
    /// Pending iterations that are resolved, kept to reuse their memory.
    pub(super) spare: Vec<PendingOf<S, P, R>>,
    pub(super) spare_task: Option<TaskOf<S, P, R>>,
    /// The actions of the last question, as those of the real game.
    pub(super) asked: Vec<RealAction<S>>,
    /// The number of the next iteration.
    next: u64,
    /// The number of pending iterations that share an evaluation.
    pub(super) sharing: usize,
    /// Whether an iteration that was put aside found no room for a child.
    pub(super) shortage: Shortage,
    /// Whether the rollout policy learns. Then it changes while nobody uses it: when all leaves of a full window are
    /// served, all are used.
    pub(super) learns: bool,
    /// Whether all that is pending is to be used before more joins it.
    pub(super) is_block_full: bool,
    /// Whether handing leaves out pays.
    pub(super) handing: HandingOut,
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Default for Queue<S, P, R> {
    fn default() -> Self {
        Queue {
            id: Ticket::new_window(),
            pending: VecDeque::new(),
            spare: Vec::new(),
            spare_task: None,
            asked: Vec::new(),
            next: 0,
            sharing: 0,
            shortage: Shortage::None,
            learns: false,
            is_block_full: false,
            handing: HandingOut::default(),
        }
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Queue<S, P, R> {
    /// Returns a queue with the same pending iterations, and with tickets of its own.
    pub(super) fn copy(&self) -> Self {
        let pending = self.pending.iter().map(Pending::copy).collect();
        Queue { pending, next: self.next, sharing: self.sharing, shortage: self.shortage, ..Queue::default() }
    }

    /// Returns whether one more iteration may be put aside, if `size` are allowed. Few may share an
    /// evaluation, and the first one of a tree is alone if its leaf gets priors.
    #[inline(always)]
    pub(super) fn has_place(&self, root_is_leaf: bool, size: usize) -> bool {
        let len = self.pending.len();
        len == 0 || len < size && !(P::Stats::INITIALIZES && (root_is_leaf || 4 * self.sharing > size))
    }

    /// Frees what is kept to reuse its memory.
    pub(super) fn forget_spare(&mut self) {
        self.spare.clear();
        self.spare_task = None;
    }

    /// Returns a task whose memory can be used.
    pub(super) fn take_task<B: Backprop<S::Game>>(
        &mut self,
        iterations: &Iterations<'_, '_, S, P, R, Counted<B>>,
    ) -> TaskOf<S, P, R> {
        let new = || Box::new(Task::new(Leaf::new(iterations.space.root(), Counted::<B>::COUNTS)));
        self.spare_task.take().unwrap_or_else(new)
    }

    /// Puts one iteration aside.
    #[inline(always)]
    pub(super) fn put_aside<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        rollout_policy: &RwLock<&mut R>,
        unobserved: Unobserved,
    ) -> Result<(), SearchError> {
        let mut entry = self.spare.pop().unwrap_or_else(Pending::new);
        let mut task = entry.task.take().unwrap_or_else(|| self.take_task(iterations));
        // A panic may have lost what was handed out.
        (entry.number, entry.handed_out) = (self.next, None);
        match iterations.set_aside(&mut entry, &mut task, rollout_policy, unobserved) {
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
                entry.task = Some(task);
                self.pending.push_back(entry);
                Ok(())
            }
            Err(cause) => Err(iterations.error(cause, &task.leaf, None).into()),
        }
    }

    /// Resolves the oldest pending iteration, whose rewards have arrived or never will. Returns whether there
    /// is room for the root's children.
    #[inline(always)]
    pub(super) fn settle_first<B: Backprop<S::Game>>(
        &mut self,
        iterations: &mut Iterations<'_, '_, S, P, R, Counted<B>>,
        rollout_policy: &RwLock<&mut R>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let Some(entry) = self.pending.front() else { return Ok(true) };
        let result = entry.task.as_ref().and_then(|task| task.result.as_ref());
        let has_rewards = matches!(result, Some(Ok(_)));
        if P::Stats::INITIALIZES && entry.sharers > 0 {
            let (number, sharers, result) = (entry.number, entry.sharers as usize, result.cloned());
            let sharing = self.pending.iter_mut().filter(|other| other.same_as == Some(number));
            let tasks = sharing.take(sharers).filter_map(|other| other.task.as_mut());
            tasks.for_each(|task| task.result.clone_from(&result));
        }
        let given_up = iterations.tree.families_given_up();
        // If a policy panics, the iteration stays pending, and is taken back later.
        let Some(entry) = self.pending.front_mut() else { return Ok(true) };
        let settled = iterations.settle(entry, (rollout_policy, self.learns), unobserved);
        // From here on it is no longer pending, also if the game panics when it is asked for the line of a fault.
        let Some(entry) = self.pending.pop_front() else { return Ok(true) };
        self.sharing -= usize::from(entry.same_as.is_some());
        if iterations.tree.families_given_up() > given_up {
            self.pending.iter_mut().for_each(|pending| iterations.shorten(pending));
        }
        let settled = match (settled, &entry.task) {
            (Err(cause), Some(task)) => Err(iterations.error(cause, &task.leaf, None).into()),
            // What is not here has no result.
            (settled, _) => Ok(settled.unwrap_or(true)),
        };
        if has_rewards && settled.is_ok() {
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
        rollout_policy: &RwLock<&mut R>,
        unobserved: Unobserved,
        tally: &mut RunCounts,
    ) -> Result<bool, SearchError> {
        let (mut has_room, mut failure) = (true, None);
        while !self.pending.is_empty() {
            match self.settle_first(iterations, rollout_policy, unobserved, tally) {
                Ok(fits) => has_room &= fits,
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        self.is_block_full = false;
        failure.map_or(Ok(has_room), Err)
    }
}

//! The loop of a window. **The leaf of iteration i is found when exactly the iterations up to i - w are used, in their
//! order**, so the result depends on the size w of the window, and not on who simulates a leaf or when.
//!
//! One thread owns the tree: it finds leaves and uses their rewards. It hands the leaves out on a board, where servers
//! take them. While it waits for the oldest leaf, it serves open ones itself, unless the policy evaluates batches.
//!
//! If iterations are so short that handing out costs more than it gains, nothing is handed out. A run that only the clock
//! or a person ends then makes one iteration after the other. All other runs keep the window, because their result must
//! not depend on the clock.
//!
//! A run is late if its time is over or it is stopped. Then no simulation begins; those that have begun are used, and the
//! other leaves are taken back.

use crate::backpropagation::Backprop;
use crate::cpu_features::with_best_instructions;
use crate::game::take_failure;
use crate::iteration::{FedBy, Iterations, LeafOf};
use crate::run::budget::StopReason;
use crate::run::clock::{Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::stop_handle::StopHandle;
use crate::search::engine::panics::panicked;
use crate::search::engine::window::board::Board;
use crate::search::engine::window::pending::{learn, read};
use crate::search::engine::window::queue::Queue;
use crate::search::engine::window::servers::{Servers, TaskOf};
use crate::search::engine::window::{Counted, Unobserved};
use crate::search::run::Until;
use crate::simulation::{LeafError, RolloutPolicy};
use crate::space::Space;
use core::mem;
use core::ops::ControlFlow;
use core::panic::AssertUnwindSafe;
use smallvec::SmallVec;
use std::panic::catch_unwind;
use std::sync::RwLock;

/// A window during a run.
pub(super) struct Slide<'a, 'i, 'r, 'p, 's, S, P, R, B, W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    pub queue: &'a mut Queue<S, P, R>,
    pub iterations: &'i mut Iterations<'p, 's, S, P, R, Counted<B>>,
    pub rollout_policy: &'a RwLock<&'r mut R>,
    pub size: usize,
    pub unobserved: Unobserved,
    pub board: &'a Board<TaskOf<S, P, R>>,
    /// Returns whether the run must end: its time is over, or it is stopped.
    pub is_late: &'a (dyn Fn() -> bool + Sync),
    /// Starts one more server, if it can.
    pub hire: &'a dyn Fn() -> bool,
    /// How many servers work, and how many there may be.
    pub hired: usize,
    pub servers: usize,
    /// How many leaves the policy likes to have at once.
    pub batch: usize,
    /// Whether only the clock or a person ends the run.
    pub is_timed: bool,
    /// Whether the clock only interrupts the run.
    pub pauses: bool,
    /// How leaves are served.
    pub threads: W,
}

impl<S, P, R, B, W> Slide<'_, '_, '_, '_, '_, S, P, R, B, W>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    W: Servers<S, P, R>,
{
    /// Runs iterations until a stop condition holds. Returns `None` if the children of the root do not fit into
    /// the memory.
    #[inline(always)]
    pub fn run(
        &mut self,
        until: &Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        stop_handle: &StopHandle,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, SearchError> {
        // If only the clock ends the run, the clock may also decide whether there is a window.
        let may_do_without = W::MAY_DO_WITHOUT && self.batch == 1 && self.is_timed;
        self.queue.handing.begin(self.size, self.servers > 0, may_do_without);
        let stop = self.slide(until, deadline, stop_handle, tally, may_do_without);
        self.queue.handing.end();
        stop
    }

    #[inline(always)]
    fn slide(
        &mut self,
        until: &Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        stop_handle: &StopHandle,
        tally: &mut RunCounts,
        may_do_without: bool,
    ) -> Result<Option<StopReason>, SearchError> {
        let (mut is_late, before) = (false, tally.iterations);
        if self.queue.handing.is_on() {
            (0..self.queue.pending.len()).for_each(|index| self.hand_out(index)); // of a run that was interrupted
        }
        loop {
            let does_without = may_do_without && !self.queue.handing.is_on();
            if does_without && self.queue.pending.is_empty() {
                match self.do_without(until, deadline, stop_handle, tally)? {
                    ControlFlow::Break(stop) => return Ok(stop),
                    ControlFlow::Continue(()) => continue,
                }
            }
            let begun = tally.iterations + self.queue.pending.len() as u64;
            let has_place = self.queue.has_place(self.iterations.root_is_leaf(), self.size);
            if begun < until.iterations && has_place && !self.queue.is_block_full && !does_without && !is_late
            {
                if let Err(error) = self.put_aside() {
                    self.drain(false, tally)?; // an older error is told first
                    return Err(error);
                }
                // To find a leaf may take as long as to simulate.
                let is_over = deadline.as_mut().is_some_and(Deadline::is_over);
                // No reward may be used before the window is full. The iteration that gives the root its children is
                // alone, so it is not interrupted.
                if is_over && self.pauses && tally.iterations > 0 {
                    return self.end(StopReason::Time, tally);
                }
                is_late = is_over && !self.pauses || stop_handle.is_stopped();
                continue;
            }
            if self.queue.pending.is_empty() {
                return Ok(Some(StopReason::Iterations));
            }
            // Each call serves one leaf, however late it is: so even a run that is always interrupted goes on.
            let mut must = tally.iterations == before;
            let served =
                if self.queue.learns && !self.queue.is_block_full { self.queue.pending.len() } else { 1 };
            is_late &= !must;
            is_late = is_late
                || !(0..served).all(|index| {
                    let entry = &self.queue.pending[index];
                    let waits = entry.handed_out.is_some() || entry.is_question();
                    !waits || self.serve(index, mem::take(&mut must))
                });
            if is_late {
                let reason = if stop_handle.is_stopped() { StopReason::Stopped } else { StopReason::Time };
                return self.end(reason, tally);
            }
            let settled =
                self.queue.settle_first(self.iterations, self.rollout_policy, self.unobserved, tally);
            self.queue.handing.count();
            self.queue.is_block_full = self.queue.learns && !self.queue.pending.is_empty();
            let stop = match settled {
                Ok(true) => until.stops(self.iterations, deadline, stop_handle, tally),
                Ok(false) => {
                    self.drain(false, tally)?;
                    return Ok(None);
                }
                Err(error) => {
                    let _ = self.drain(false, tally);
                    return Err(error);
                }
            };
            if let Some(reason) = stop {
                return self.end(reason, tally);
            }
        }
    }

    /// Makes one iteration after the other without a window, until a stop condition holds or handing out is to be tried.
    /// A panic is an error, as it is where leaves are served.
    #[inline(never)]
    fn do_without(
        &mut self,
        until: &Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        stop_handle: &StopHandle,
        tally: &mut RunCounts,
    ) -> Result<ControlFlow<Option<StopReason>>, SearchError> {
        let mut task = self.queue.take_task(self.iterations);
        let leaf = &mut task.leaf;
        let work = || {
            with_best_instructions(
                #[inline(always)]
                || {
                    while !self.queue.handing.is_on() {
                        if !self.iterate(leaf)? {
                            return Ok(ControlFlow::Break(None));
                        }
                        tally.count(self.iterations.path.len() as u32 - 1);
                        self.queue.handing.count();
                        if let Some(reason) = until.stops(self.iterations, deadline, stop_handle, tally) {
                            return Ok(ControlFlow::Break(Some(reason)));
                        }
                    }
                    Ok(ControlFlow::Continue(()))
                },
            )
        };
        let ended = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
            take_failure();
            Err(LeafError::new(&task.leaf, panicked(&*panic).into(), Vec::new(), 0))
        });
        self.queue.spare_task = Some(task);
        Ok(ended?)
    }

    /// Makes one iteration without a window. Returns whether there is room for the root's children.
    #[inline(always)]
    fn iterate(&mut self, leaf: &mut LeafOf<S, P, R>) -> Result<bool, Box<LeafError>> {
        let simulated = self.iterations.select_and_simulate(leaf, &read(self.rollout_policy));
        let (rewards, is_cut_short) = simulated?;
        if self.queue.learns {
            learn(self.rollout_policy, leaf, &rewards);
        }
        self.iterations.use_rewards(leaf, rewards, is_cut_short)
    }

    /// Puts one more iteration aside, and hands its leaf out.
    #[inline(always)]
    fn put_aside(&mut self) -> Result<(), SearchError> {
        self.queue.put_aside(self.iterations, self.rollout_policy, self.unobserved)?;
        if self.queue.handing.is_on() {
            self.hand_out(self.queue.pending.len() - 1);
        }
        Ok(())
    }

    #[inline(never)]
    fn hand_out(&mut self, index: usize) {
        let entry = &mut self.queue.pending[index];
        if !entry.is_question() {
            return;
        }
        if self.hired < self.servers {
            if (self.hire)() {
                self.hired += 1;
            } else {
                self.servers = self.hired; // no more can be started
            }
        }
        if self.servers > 0 {
            entry.handed_out = entry.task.take().map(|task| self.board.hand_out(task));
        }
    }

    /// Simulates the pending iteration with this index, or waits until a server has. Returns `false` if the run is late
    /// and nobody has begun to simulate it. If it `must` be simulated, it is however late the run is.
    #[inline(always)]
    fn serve(&mut self, index: usize, must: bool) -> bool {
        if self.queue.pending[index].handed_out.is_some() {
            return self.fetch(index, must);
        }
        if self.queue.pending[index].is_question() {
            // Before the first one, the clock has just been read.
            if index > 0 && !must && (self.is_late)() {
                return false;
            }
            self.serve_here(index);
        }
        true
    }

    /// Waits for a leaf that is handed out, and serves others meanwhile, unless it is late. See [`Slide::serve`].
    #[inline(never)]
    fn fetch(&mut self, index: usize, must: bool) -> bool {
        let entry = &mut self.queue.pending[index];
        let Some(number) = entry.handed_out else { return true };
        while !self.board.is_served(number) {
            let (is_late, is_taken) = ((self.is_late)(), self.board.is_taken(number));
            if is_late && !is_taken && !must {
                return false;
            }
            let serves = if is_late { !is_taken } else { self.batch == 1 || self.board.is_over() };
            let Some((other, task)) = serves.then(|| self.board.take()).flatten() else {
                self.board.wait_for(number);
                continue;
            };
            let mut task = [(other, task)];
            self.threads.serve(&read(self.rollout_policy), &mut task);
            let [(other, task)] = task;
            self.board.give_back(other, task);
        }
        entry.handed_out = None;
        entry.task = self.board.collect(number);
        true
    }

    /// Serves a leaf that is not handed out, and those after it in the same batch.
    #[inline(always)]
    fn serve_here(&mut self, index: usize) {
        let mut tasks: SmallVec<[_; 4]> = SmallVec::new();
        for (index, entry) in self.queue.pending.iter_mut().enumerate().skip(index) {
            if entry.is_question()
                && let Some(task) = entry.task.take()
            {
                tasks.push((index as u64, task));
                if tasks.len() == self.batch {
                    break;
                }
            }
        }
        self.threads.serve(&read(self.rollout_policy), &mut tasks);
        for (index, task) in tasks {
            self.queue.pending[index as usize].task = Some(task);
        }
    }

    /// Ends the loop for this reason.
    fn end(&mut self, reason: StopReason, tally: &mut RunCounts) -> Result<Option<StopReason>, SearchError> {
        if reason == StopReason::Time && self.pauses {
            self.recall();
            return Ok(Some(reason));
        }
        let is_late = matches!(reason, StopReason::Time | StopReason::Stopped);
        Ok(self.drain(is_late, tally)?.then_some(reason))
    }

    /// Takes all leaves off the board: those that are begun when they are served, the others at once.
    fn recall(&mut self) {
        let first = self.board.withdraw();
        for index in 0..self.queue.pending.len() {
            let entry = &mut self.queue.pending[index];
            if let Some(number) = entry.handed_out.take_if(|number| *number >= first) {
                entry.task = self.board.collect(number);
            }
            self.fetch(index, true);
        }
    }

    /// Uses all pending iterations. If it is late, those that nobody simulates yet are taken back. Returns
    /// whether there is room for the root's children.
    #[inline(never)]
    fn drain(&mut self, is_late: bool, tally: &mut RunCounts) -> Result<bool, SearchError> {
        if is_late || !(0..self.queue.pending.len()).all(|index| self.serve(index, false)) {
            self.recall();
        }
        self.queue.settle_all(self.iterations, self.rollout_policy, self.unobserved, tally)
    }
}

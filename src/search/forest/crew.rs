//! The trees of one thread, and how threads take turns: iterations, exchange, iterations.

use super::ExchangeCounts;
use super::digest::Digest;
use super::link::{Carrier, Command};
use super::meeting::Meeting;
use super::plan::Exchange;
use super::trunk::{self, Trunk};
use crate::backpropagation::Backprop;
use crate::custom_error::CustomError;
use crate::game::{GameState, Turn};
use crate::search::clock::{Clock, Deadline, WallClock};
use crate::search::iteration::Traces;
use crate::search::pace::{Pace, reason};
use crate::search::run::{Driver, RunCounts, TreeSize, Until};
use crate::search::{LineOfPlay, Mcts, SearchError, StopReason};
use crate::selection::TreePolicy;
use crate::simulation::{Leaf, RolloutPolicy};
use crate::statistics::{Merge, Statistics};
use core::any::Any;
use core::fmt;
use core::ops::Range;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;

/// A tree of a forest: a search, and what it knows about the other trees.
pub(super) struct Member<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> {
    pub search: Mcts<G, P, R, B>,
    pub trunk: Trunk<G::Action, P::Stats, B::Stats>,
    /// The counts of this run.
    pub counts: RunCounts,
    /// The error of an exchange that failed half-way, so that the trunk no longer fits the tree.
    pub broken: Option<SearchError>,
}

impl<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>> Member<G, P, R, B> {
    pub fn new(search: Mcts<G, P, R, B>) -> Self {
        let counts = RunCounts::new(StopReason::NotRun);
        Member { search, trunk: Trunk::new(), counts, broken: None }
    }
}

/// What the threads work on next.
#[derive(Clone, Copy)]
pub(super) struct Task {
    /// The number of this task.
    number: u64,
    /// The iterations of this run after which the task is done; `None` if the run is over.
    iterations: Option<u64>,
    deadline: Option<Duration>,
}

/// What the threads share.
pub(super) struct Shared<'a, P, B> {
    /// Two digests of each tree, on this rank or another: one is written while others may still read the other one.
    digests: Vec<[RwLock<Digest<P, B>>; 2]>,
    /// The trees of this rank.
    own: Range<usize>,
    /// Where the threads wait until all digests of a round are written.
    meeting: Meeting,
    task: Mutex<Task>,
    has_task: Condvar,
    pub turn: Turn,
    pub exchange: Exchange,
    /// The visits of the root at the start of the run.
    pub visits: u32,
    /// The most bytes of each tree.
    pub bytes: usize,
    pub clock: &'a WallClock,
}

impl<'a, P, B> Shared<'a, P, B> {
    #[expect(clippy::too_many_arguments, reason = "each thing that is shared")]
    pub fn new(
        trees: usize,
        own: Range<usize>,
        threads: usize,
        turn: Turn,
        exchange: Exchange,
        visits: u32,
        bytes: usize,
        clock: &'a WallClock,
    ) -> Self {
        Shared {
            digests: (0..trees).map(|_| [RwLock::new(Digest::new()), RwLock::new(Digest::new())]).collect(),
            own,
            meeting: Meeting::new(threads),
            task: Mutex::new(Task { number: 0, iterations: Some(0), deadline: None }),
            has_task: Condvar::new(),
            turn,
            exchange,
            visits,
            bytes,
            clock,
        }
    }

    /// Whether some trees lie on other ranks.
    fn is_linked(&self) -> bool {
        self.own.len() < self.digests.len()
    }

    fn task(&self) -> MutexGuard<'_, Task> {
        self.task.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives all other threads a task; `None` ends them.
    fn give(&self, iterations: Option<u64>, deadline: Option<Duration>) {
        if self.meeting.is_alone() {
            return;
        }
        let mut task = self.task();
        *task = Task { number: task.number + 1, iterations, deadline };
        self.has_task.notify_all();
    }

    /// Waits for the task after `number`.
    fn wait_for_task(&self, number: u64) -> Task {
        let waits = |task: &mut Task| task.number <= number;
        *self.has_task.wait_while(self.task(), waits).unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the other threads when it goes out of scope on the first one. On any thread, a panic ends all of them.
pub(super) struct Release<'s, P, B> {
    pub shared: &'s Shared<'s, P, B>,
    pub is_first: bool,
}

impl<P, B> Drop for Release<'_, P, B> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.shared.meeting.abandon();
        }
        if self.is_first {
            self.shared.give(None, None);
        }
    }
}

/// What an exchange told about the run.
struct Learned {
    /// The counts of all trees.
    counts: RunCounts,
    /// Why a tree wants the run to stop, if one does.
    stop: Option<StopReason>,
    failure: Option<SearchError>,
}

/// The trees of one thread.
pub(super) struct Crew<'m, 's, G, P, R, B, L>
where
    G: GameState,
    P: TreePolicy<G>,
    R: RolloutPolicy<G>,
    B: Backprop<G>,
    L: Pace<G, P, R, B>,
    P::Stats: Statistics<G, R>,
{
    members: &'m mut [Member<G, P, R, B>],
    pace: L,
    /// For each tree, the state of its loop.
    states: Vec<L::State>,
    /// For each tree, a leaf for exchanges.
    leaves: Vec<Leaf<G, Traces<G, P, R>>>,
    /// The number of the first tree.
    first: usize,
    /// The way to the trees of other ranks, for the first thread.
    carrier: Option<&'m mut dyn Carrier<P::Stats, B::Stats>>,
    shared: &'s Shared<'s, P::Stats, B::Stats>,
    /// The number of rounds that have begun.
    rounds: usize,
    /// The error with which the digests of this rank could not be sent.
    unsent: Option<SearchError>,
    pub exchanges: ExchangeCounts,
}

impl<'m, 's, G, P, R, B, L> Crew<'m, 's, G, P, R, B, L>
where
    G: GameState,
    P: TreePolicy<G> + Merge<G, P::Stats>,
    R: RolloutPolicy<G>,
    B: Backprop<G> + Merge<G, B::Stats>,
    L: Pace<G, P, R, B>,
    P::Stats: Statistics<G, R>,
{
    pub fn new(
        members: &'m mut [Member<G, P, R, B>],
        pace: L,
        first: usize,
        carrier: Option<&'m mut dyn Carrier<P::Stats, B::Stats>>,
        shared: &'s Shared<'s, P::Stats, B::Stats>,
    ) -> Self {
        let leaves = members.iter().map(|member| Leaf::new(&member.search.state, B::COUNTS)).collect();
        let states = members.iter().map(|member| pace.begin(&member.search)).collect();
        Crew {
            members,
            pace,
            states,
            leaves,
            first,
            carrier,
            shared,
            rounds: 0,
            unsent: None,
            exchanges: ExchangeCounts::default(),
        }
    }

    /// Works until the run is over.
    pub fn work(mut self) {
        let mut task = self.shared.wait_for_task(0);
        while let Some(iterations) = task.iterations {
            let _ = self.perform(iterations, task.deadline); // the first thread reports
            task = self.shared.wait_for_task(task.number);
        }
    }

    /// Iterates and exchanges until there are `iterations` in this run. Returns why it stopped, and the counts of all trees.
    fn perform(
        &mut self,
        iterations: u64,
        deadline: Option<Duration>,
    ) -> (Result<StopReason, SearchError>, RunCounts) {
        let Shared { clock, exchange, .. } = *self.shared;
        let mut deadlines: Vec<_> =
            self.members.iter().map(|_| deadline.map(|end| Deadline::at(clock, end))).collect();
        let trees = self.shared.digests.len();
        // The iterations of all trees, with those of the next exchange; the slot of digests that are under way.
        let (mut done, mut under_way, mut stop) = (self.done(), None, None);
        // The iterations that digests under way tell of, which the trunk does not have yet.
        let mut ahead = 0;
        // The panic goes on where the threads are joined.
        let abandoned = (Ok(StopReason::Stopped), RunCounts::new(StopReason::Stopped));
        loop {
            let visits = self.members[0].trunk.visits();
            // If the first tree knows more than the others, as it does when a search becomes a forest, it tells them first.
            let is_told = self.rounds > 0 || visits >= self.shared.visits;
            let left = if is_told && stop.is_none() { iterations.saturating_sub(done) } else { 0 };
            let round = exchange.round(visits.saturating_add(ahead), left, trees);
            let slot = self.rounds % 2;
            self.rounds += 1;
            self.iterate_round(slot, &round, &mut deadlines);
            if let Some(before) = under_way.take() {
                let Some(Learned { failure, counts, stop: reason }) = self.learn(before, true) else {
                    return abandoned;
                };
                if let Some(failure) = failure {
                    return (Err(failure), counts);
                }
                stop = reason;
            }
            self.gather(slot);
            if !self.tell(slot) {
                return abandoned;
            }
            if exchange.overlap && is_told && stop.is_none() {
                let told = (0..trees).map(&round).sum::<u64>();
                done += told;
                if done < iterations {
                    (under_way, ahead) = (Some(slot), u32::try_from(told).unwrap_or(u32::MAX));
                    continue;
                }
            }
            let Some(Learned { failure, counts, stop: reason }) = self.learn(slot, false) else {
                return abandoned;
            };
            (done, ahead) = (counts.iterations, 0);
            if let Some(failure) = failure {
                return (Err(failure), counts);
            }
            let stop = stop.or(reason).or((done >= iterations).then_some(StopReason::Iterations));
            if let Some(stop) = stop {
                return (Ok(stop), counts);
            }
            // A root that is proven by what the trees exchanged stops the next iteration, so that all threads decide alike.
        }
    }

    /// Iterates with each tree as often as `round` says for its number. Notes in its digest why the run should stop.
    fn iterate_round(
        &mut self,
        slot: usize,
        round: &impl Fn(usize) -> u64,
        deadlines: &mut [Option<Deadline<'_, WallClock>>],
    ) {
        let turn = self.shared.turn;
        for (index, member) in self.members.iter_mut().enumerate() {
            let digest = &self.shared.digests[self.first + index][slot];
            let mut digest = digest.write().unwrap_or_else(PoisonError::into_inner);
            let until = Until {
                iterations: member.counts.iterations + round(self.first + index),
                bytes: self.shared.bytes,
            };
            let (pace, state) = (self.pace, &mut self.states[index]);
            let deadline = &mut deadlines[index];
            let iterates = || member.take_part(turn, until, deadline, pace, state, &mut digest);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(iterates)) {
                let error = panicked(&*panic, pace.ply(state));
                let recovers = || pace.recover(state, &mut member.search, turn);
                if catch_unwind(AssertUnwindSafe(recovers)).is_err() {
                    // A second panic: this tree has visits without rewards, so the others go on without it.
                    member.broken = Some(error.clone());
                }
                digest.failure = Some(error);
            }
        }
    }

    /// Writes what the trees found since the last exchange. What a tree found before a panic is told like everything else.
    fn gather(&mut self, slot: usize) {
        let start = self.shared.clock.now();
        for (index, member) in self.members.iter_mut().enumerate() {
            let digest = &self.shared.digests[self.first + index][slot];
            let mut digest = digest.write().unwrap_or_else(PoisonError::into_inner);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(|| member.gather(&mut digest))) {
                digest.clear();
                digest.failure.get_or_insert(panicked(&*panic, 0));
            }
        }
        self.exchanges.time += self.shared.clock.now().saturating_sub(start);
    }

    /// Waits until the digests of this rank are written, and starts to send them to other ranks. Returns `false` if a thread will never
    /// come, because it panicked.
    fn tell(&mut self, slot: usize) -> bool {
        let Shared { meeting, digests, clock, .. } = self.shared;
        let start = clock.now();
        let is_sound = meeting.wait();
        if let Some(carrier) = self.carrier.as_mut().filter(|_| is_sound) {
            match carrier.send_digests(digests, slot) {
                Ok(bytes) => self.exchanges.bytes += bytes,
                Err(error) => self.unsent = Some(error),
            }
        }
        let time = clock.now().saturating_sub(start);
        self.exchanges.waiting += time;
        self.exchanges.time += time;
        is_sound
    }

    /// Waits for the digests of other ranks, and adds to each tree what all trees found. `is_ahead` says that the trees have iterated
    /// since they wrote their digests. Returns `None` if a thread will never come, because it panicked.
    fn learn(&mut self, slot: usize, is_ahead: bool) -> Option<Learned> {
        let Shared { turn, clock, exchange, .. } = *self.shared;
        let start = clock.now();
        if self.shared.is_linked() {
            self.receive(slot);
            if !self.shared.meeting.wait() {
                return None;
            }
        }
        self.exchanges.waiting += clock.now().saturating_sub(start);
        let digests = self.shared.digests.iter();
        let digests: Vec<_> =
            digests.map(|both| both[slot].read().unwrap_or_else(PoisonError::into_inner)).collect();
        let digests: Vec<_> = digests.iter().map(|digest| &**digest).collect();
        for (index, (member, leaf)) in self.members.iter_mut().zip(&mut self.leaves).enumerate() {
            let number = self.first + index;
            let work = AssertUnwindSafe(|| member.exchange(turn, leaf, &digests, number, is_ahead, exchange));
            match catch_unwind(work) {
                Ok(nodes) => self.exchanges.nodes += if index == 0 { nodes } else { 0 },
                Err(panic) => member.broken = Some(panicked(&*panic, leaf.ply())),
            }
        }
        self.exchanges.exchanges += 1;
        self.exchanges.time += clock.now().saturating_sub(start);
        Some(Learned {
            counts: total(&digests, self.shared.own.start),
            stop: digests.iter().find_map(|digest| digest.stop),
            failure: digests.iter().find_map(|digest| digest.failure.clone()),
        })
    }

    /// Waits for the digests of the other ranks.
    fn receive(&mut self, slot: usize) {
        let Shared { digests, own, .. } = self.shared;
        let Some(carrier) = &mut self.carrier else { return };
        let received = self.unsent.take().map_or(Ok(()), Err);
        let received = received.and_then(|()| carrier.receive_digests(digests, slot));
        let Err(error) = received else { return };
        carrier.fail(&error);
        // In the place of the digests that did not come, so that all threads read it.
        for (number, digest) in digests.iter().enumerate().filter(|(number, _)| !own.contains(number)) {
            let mut digest = digest[slot].write().unwrap_or_else(PoisonError::into_inner);
            digest.clear();
            let failed = number == if own.start == 0 { own.end } else { 0 };
            digest.failure = failed.then(|| error.clone());
        }
    }

    /// Does what the first rank says until the run is over. Returns the counts of all trees.
    pub fn follow(&mut self) -> Result<RunCounts, SearchError> {
        let (mut counts, mut result) = (RunCounts::new(StopReason::Proven), Ok(StopReason::Proven));
        loop {
            let Some(carrier) = &mut self.carrier else { return Ok(counts) };
            match carrier.command()? {
                Command::Perform { iterations, time } => {
                    let deadline = time.and_then(|time| self.shared.clock.now().checked_add(time));
                    self.shared.give(Some(iterations), deadline);
                    (result, counts) = self.perform(iterations, deadline);
                }
                Command::End { stop, time } => {
                    (counts.stop_reason, counts.time) = (stop, time);
                    return result.map(|_| counts);
                }
            }
        }
    }

    /// Tells the other ranks, if there are any, that the run is over.
    pub fn end(&mut self, stop: StopReason, time: Duration) -> Result<(), SearchError> {
        self.carrier.as_mut().map_or(Ok(()), |carrier| carrier.tell(Command::End { stop, time }))
    }

    /// Iterates with one tree, which has nothing to exchange.
    fn perform_alone(
        &mut self,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
    ) -> (Result<StopReason, SearchError>, RunCounts) {
        let Shared { turn, bytes, .. } = *self.shared;
        let (pace, member, state) = (self.pace, &mut self.members[0], &mut self.states[0]);
        let until = Until { iterations, bytes };
        let stop = catch_unwind(AssertUnwindSafe(|| member.iterate(turn, until, deadline, pace, state)));
        let stop = stop.unwrap_or_else(|panic| {
            let error = panicked(&*panic, pace.ply(state));
            let recovers = || pace.recover(state, &mut member.search, turn);
            if catch_unwind(AssertUnwindSafe(recovers)).is_err() {
                member.search.tree.clear(); // a second panic: some visits have no rewards
            }
            Err(error)
        });
        (stop, member.counts)
    }

    /// Returns the iterations of all trees in this run.
    fn done(&self) -> u64 {
        if self.rounds == 0 {
            return 0;
        }
        let digests = self.shared.digests.iter();
        let latest = |both: &[RwLock<Digest<P::Stats, B::Stats>>; 2]| {
            both[(self.rounds - 1) % 2].read().unwrap_or_else(PoisonError::into_inner).counts.iterations
        };
        digests.map(latest).sum()
    }
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Member<G, P, R, B>
where
    P: Merge<G, P::Stats>,
    B: Merge<G, B::Stats>,
    P::Stats: Statistics<G, R>,
{
    /// Iterates, and returns why it stopped. It is not inlined, so that the loop is compiled once.
    #[inline(never)]
    fn iterate<L: Pace<G, P, R, B>>(
        &mut self,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        pace: L,
        state: &mut L::State,
    ) -> Result<StopReason, SearchError> {
        let stop = pace.iterate(state, &mut self.search, turn, until, deadline, &mut self.counts)?;
        reason(&self.search, stop)
    }

    /// Iterates, and notes in the digest why the run should stop.
    fn take_part<L: Pace<G, P, R, B>>(
        &mut self,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        pace: L,
        state: &mut L::State,
        digest: &mut Digest<P::Stats, B::Stats>,
    ) {
        (digest.stop, digest.failure) = (None, self.broken.clone());
        if self.broken.is_none() && until.iterations > self.counts.iterations {
            match self.iterate(turn, until, deadline, pace, state) {
                Ok(StopReason::Iterations) => {}
                Ok(reason) => digest.stop = Some(reason),
                Err(error) => digest.failure = Some(error),
            }
        }
    }

    /// Writes what was found since the last exchange.
    pub fn gather(&mut self, digest: &mut Digest<P::Stats, B::Stats>) {
        if self.broken.is_some() {
            return digest.clear();
        }
        let tree = &self.search.tree;
        let (sees_all, credits) = (trunk::sees_all::<G, P, R>(), P::Stats::CREDITS);
        if G::IS_KEYED {
            self.trunk.gather_graph(tree, sees_all, credits, self.search.memory_limit, digest);
        } else {
            self.trunk.gather(tree, sees_all, credits, B::DERIVES, digest);
        }
        digest.counts = self.counts;
        digest.counts.others = TreeSize {
            nodes: tree.children(),
            bytes: tree.reserved_bytes() + self.trunk.bytes(),
            recycled: tree.recycled(),
        };
    }

    /// Adds what all trees found to this tree, which has the number `number`. `is_ahead` says that it has iterated since it wrote its digest.
    /// Returns the number of nodes that changed.
    pub fn exchange(
        &mut self,
        turn: Turn,
        leaf: &mut Leaf<G, Traces<G, P, R>>,
        digests: &[&Digest<P::Stats, B::Stats>],
        number: usize,
        is_ahead: bool,
        exchange: Exchange,
    ) -> u64 {
        let trunk = &mut self.trunk;
        let exchanged = self.search.with_iterations(turn, |iterations, _| {
            trunk::apply(trunk, iterations, leaf, digests, number, is_ahead, exchange)
        });
        exchanged.unwrap_or_else(|fault| {
            self.broken = Some(SearchError::at(leaf, fault));
            0
        })
    }
}

/// Returns the counts of all trees, for a report by the tree with the number `reporter`.
fn total<P, B>(digests: &[&Digest<P, B>], reporter: usize) -> RunCounts {
    let mut total = RunCounts::new(StopReason::NotRun);
    for (number, digest) in digests.iter().enumerate() {
        total.iterations += digest.counts.iterations;
        total.depth = total.depth.max(digest.counts.depth);
        total.depth_sum += digest.counts.depth_sum;
        if number != reporter {
            total.others.nodes += digest.counts.others.nodes;
            total.others.bytes += digest.counts.others.bytes;
            total.others.recycled += digest.counts.others.recycled;
        }
    }
    total
}

impl<G, P, R, B, L> Driver<G, P, R, B> for Crew<'_, '_, G, P, R, B, L>
where
    G: GameState,
    P: TreePolicy<G> + Merge<G, P::Stats>,
    R: RolloutPolicy<G>,
    B: Backprop<G> + Merge<G, B::Stats>,
    L: Pace<G, P, R, B>,
    P::Stats: Statistics<G, R>,
{
    fn search(&mut self) -> &mut Mcts<G, P, R, B> {
        &mut self.members[0].search
    }

    fn leaves(&self) -> u64 {
        match self.pace.leaves() {
            1 => 1,
            several => several * self.shared.digests.len() as u64,
        }
    }

    fn iterate(
        &mut self,
        _: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError> {
        let (stop, counts) = if self.shared.digests.len() == 1 {
            self.perform_alone(iterations, deadline)
        } else {
            let deadline = deadline.as_ref().map(Deadline::end);
            if let Some(carrier) = &mut self.carrier {
                let time = deadline.map(|end| end.saturating_sub(self.shared.clock.now()));
                carrier.tell(Command::Perform { iterations, time })?;
            }
            self.shared.give(Some(iterations), deadline);
            self.perform(iterations, deadline)
        };
        *tally = RunCounts { stop_reason: tally.stop_reason, time: tally.time, ..counts };
        stop
    }
}

/// A game or a policy panicked in a search with several trees. This is the [source](core::error::Error::source) of the error
/// [`SearchError::Failed`].
#[derive(Clone, PartialEq, Eq)]
pub struct Panicked {
    message: Box<str>,
}

impl Panicked {
    /// Creates the error for what a panic carried.
    pub(in crate::search) fn of(panic: &(dyn Any + Send)) -> Self {
        let text =
            panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str));
        Panicked { message: text.unwrap_or("without a message").into() }
    }

    /// Returns the message of the panic.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl fmt::Display for Panicked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the game or a policy panicked: {}", self.message)
    }
}

crate::debug_as_sentence!(Panicked);

impl core::error::Error for Panicked {}

/// Returns the error for a panic at this ply.
pub(super) fn panicked(panic: &(dyn Any + Send), ply: u32) -> SearchError {
    SearchError::Failed { error: CustomError::new(Panicked::of(panic)), ply, line: LineOfPlay::default() }
}

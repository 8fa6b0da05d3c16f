//! The trees of one thread: iterations, exchange, iterations.

use crate::backpropagation::Backprop;
use crate::game::{Turn, unless_undeclared};
use crate::iteration::{FedBy, LeafOf};
use crate::run::budget::StopReason;
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::counts::{RunCounts, TreeSize};
use crate::run::error::SearchError;
use crate::search::engine::forest::ExchangeCounts;
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::digest::Digest;
use crate::search::engine::forest::link::Carrier;
use crate::search::engine::forest::meeting::Meeting;
use crate::search::engine::forest::plan::{Exchange, Round};
use crate::search::engine::forest::trunk::{self, Trunk};
use crate::search::engine::panics::panicked_at;
use crate::search::engine::{Pace, reason};
use crate::search::one_tree::OneTree;
use crate::search::run::Until;
use crate::selection::TreePolicy;
use crate::simulation::{Leaf, RolloutPolicy};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::ops::Range;
use core::time::Duration;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, RwLock};

/// A tree of a forest: a search, and what it knows about the other trees.
#[derive(Clone)]
pub(crate) struct Member<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    pub search: OneTree<S, P, R, B>,
    pub trunk: Trunk<ActionOf<S>, P::Stats, B::Stats>,
    /// The counts of this run.
    pub counts: RunCounts,
    /// The first error after which the trunk may not fit the tree, or not those of the other trees: such a
    /// tree takes part in no exchange.
    pub broken: Option<SearchError>,
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Member<S, P, R, B> {
    pub fn new(search: OneTree<S, P, R, B>) -> Self {
        let counts = RunCounts::new(StopReason::NotRun);
        Member { search, trunk: Trunk::new(), counts, broken: None }
    }
}

/// What a crew does next: iterate and exchange until there are `iterations` in this run, or until the
/// deadline.
#[derive(Clone, Copy)]
pub(crate) struct Task {
    pub iterations: u64,
    pub deadline: Option<Duration>,
}

/// Why a crew stopped. All crews stop for the same reason.
pub(crate) enum End {
    /// The task is done, or something else ended it. The counts are those of all trees.
    Done(Result<StopReason, SearchError>, RunCounts),
    /// There are visits enough for so many trees.
    Grow(usize),
    /// Another thread will never come to the meeting.
    Abandoned,
}

/// What the threads share.
pub(crate) struct Shared<'a, P, B> {
    /// Two digests of each tree, on this rank or another: one is written while others may still read the
    /// other one.
    pub digests: Vec<[RwLock<Digest<P, B>>; 2]>,
    /// The trees of this rank.
    pub own: Range<usize>,
    /// The most threads of this rank.
    pub threads: usize,
    /// Where the threads wait until all digests of a round are written.
    pub meeting: Meeting,
    pub turn: Turn,
    pub exchange: Exchange,
    /// The visits of the root at the start of the run.
    pub visits: u32,
    /// The most bytes of each tree.
    pub bytes: usize,
    pub clock: &'a WallClock,
}

impl<P, B> Shared<'_, P, B> {
    /// Whether some trees lie on other ranks.
    pub fn is_linked(&self) -> bool {
        self.own.len() < self.digests.len()
    }
}

/// How far a run is. All threads agree about it, because it follows from the digests.
#[derive(Clone, Copy)]
pub(crate) struct Progress {
    /// The trees that have joined: those with numbers below this one. The first tree of another rank knows
    /// the trunk before it joins, for the reports of its rank, but it neither iterates nor tells.
    pub joined: usize,
    /// The most trees that join in this run.
    pub most: usize,
    /// The visits of the root that all trees know of.
    pub visits: u32,
    /// The number of rounds that have begun.
    rounds: usize,
    /// The iterations of all trees in this run, with those of digests that are under way.
    done: u64,
    /// The slot of digests that are under way, and the iterations of which they tell.
    under_way: Option<(usize, u32)>,
}

impl Progress {
    pub fn new(joined: usize, most: usize, visits: u32) -> Self {
        Progress { joined, most, visits, rounds: 0, done: 0, under_way: None }
    }
}

/// The trees of one thread: each as many trees after the one before it as there are threads.
pub(crate) struct Crew<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    /// The number of the first tree.
    pub first: usize,
    pub members: Vec<Member<S, P, R, B>>,
    pub progress: Progress,
}

/// What a thread keeps for its crew from one task to the next.
pub(crate) struct Desk<'c, S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    pub pace: L,
    /// For each tree, the state of its loop, once it has begun.
    pub states: Vec<Option<L::State>>,
    /// A leaf for exchanges.
    leaf: Option<LeafOf<S, P, R>>,
    /// The way to the trees of other ranks, on the first thread.
    pub carrier: Option<&'c mut dyn Carrier<P::Stats, B::Stats>>,
    /// The error that the other ranks must be told instead of the digests of this one.
    pub unsent: Option<SearchError>,
    pub exchanges: ExchangeCounts,
}

impl<'c, S, P, R, B, L> Desk<'c, S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    pub fn new(pace: L, carrier: Option<&'c mut dyn Carrier<P::Stats, B::Stats>>) -> Self {
        Desk {
            pace,
            states: Vec::new(),
            leaf: None,
            carrier,
            unsent: None,
            exchanges: ExchangeCounts::default(),
        }
    }

    /// Does `task` with the trees of `crew`. A panic that no tree answers for is returned, and the other
    /// threads do not wait.
    pub fn perform(
        &mut self,
        crew: &mut Crew<S, P, R, B>,
        shared: &Shared<'_, P::Stats, B::Stats>,
        task: Task,
    ) -> std::thread::Result<End>
    where
        P: ForestPolicy<S::Game>,
        B: ForestBackprop<S::Game>,
    {
        let end = catch_unwind(AssertUnwindSafe(|| Stage { crew, desk: self, shared }.perform(task)));
        if end.is_err() {
            shared.meeting.abandon();
        }
        end
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

/// A crew at its desk.
struct Stage<'a, 'c, 's, S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    crew: &'a mut Crew<S, P, R, B>,
    desk: &'a mut Desk<'c, S, P, R, B, L>,
    shared: &'a Shared<'s, P::Stats, B::Stats>,
}

impl<S, P, R, B, L> Stage<'_, '_, '_, S, P, R, B, L>
where
    S: Space,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    /// Iterates and exchanges until the task is done, or until more trees take part.
    fn perform(&mut self, task: Task) -> End {
        let Shared { clock, exchange, visits, .. } = *self.shared;
        self.desk.states.resize_with(self.crew.members.len(), || None);
        let mut deadlines: Vec<_> =
            self.crew.members.iter().map(|_| task.deadline.map(|end| Deadline::at(clock, end))).collect();
        let mut stop = None;
        loop {
            let progress = &mut self.crew.progress;
            // If the first tree knows more than the others, as it does when a search becomes a forest, it
            // tells them first.
            let is_told = progress.rounds > 0 || progress.visits >= visits;
            let left =
                if is_told && stop.is_none() { task.iterations.saturating_sub(progress.done) } else { 0 };
            let ahead = progress.under_way.map_or(0, |(_, ahead)| ahead);
            let round = exchange.round(progress.visits.saturating_add(ahead), left, progress.most);
            if round.trees() > progress.joined {
                return End::Grow(round.trees());
            }
            let slot = progress.rounds % 2;
            progress.rounds += 1;
            let under_way = progress.under_way.take();
            self.iterate(slot, round, &mut deadlines);
            if let Some((before, _)) = under_way {
                let Some(Learned { failure, counts, stop: reason }) = self.learn(before, true) else {
                    return End::Abandoned;
                };
                if let Some(failure) = failure {
                    return End::Done(Err(failure), counts);
                }
                stop = reason;
            }
            self.gather(slot);
            if !self.tell(slot) {
                return End::Abandoned;
            }
            let progress = &mut self.crew.progress;
            if exchange.overlap && is_told && stop.is_none() {
                progress.done += round.iterations;
                if progress.done < task.iterations {
                    progress.under_way = Some((slot, u32::try_from(round.iterations).unwrap_or(u32::MAX)));
                    continue;
                }
            }
            let Some(Learned { failure, counts, stop: reason }) = self.learn(slot, false) else {
                return End::Abandoned;
            };
            self.crew.progress.done = counts.iterations;
            if let Some(failure) = failure {
                return End::Done(Err(failure), counts);
            }
            let is_done = counts.iterations >= task.iterations;
            if let Some(stop) = stop.or(reason).or(is_done.then_some(StopReason::Iterations)) {
                return End::Done(Ok(stop), counts);
            }
            // A root that is proven by what the trees exchanged stops the next iteration, so that all threads
            // decide alike.
        }
    }

    /// Returns the number of the tree at this place in the crew.
    fn number(&self, index: usize) -> usize {
        self.crew.first + index * self.shared.threads
    }

    /// Calls `work` with each tree, its number, its place and its digest.
    fn each(
        &mut self,
        slot: usize,
        mut work: impl FnMut(&mut Member<S, P, R, B>, usize, usize, &mut Digest<P::Stats, B::Stats>),
    ) {
        for index in 0..self.crew.members.len() {
            let number = self.number(index);
            let digest = &self.shared.digests[number][slot];
            let mut digest = digest.write().unwrap_or_else(PoisonError::into_inner);
            work(&mut self.crew.members[index], number, index, &mut digest);
        }
    }

    /// Iterates with each tree as often as `round` says for its number. Notes in its digest why the run
    /// should stop.
    fn iterate(&mut self, slot: usize, round: Round, deadlines: &mut [Option<Deadline<'_, WallClock>>]) {
        let (turn, bytes) = (self.shared.turn, self.shared.bytes);
        let pace = self.desk.pace;
        let mut states = core::mem::take(&mut self.desk.states);
        self.each(slot, |member, number, index, digest| {
            (digest.stop, digest.failure) = (None, member.broken.clone());
            let iterations = round.of(number);
            if member.broken.is_some() || iterations == 0 {
                return;
            }
            let until = Until { iterations: member.counts.iterations + iterations, bytes };
            match member.iterate_at(turn, until, &mut deadlines[index], pace, &mut states[index]) {
                Ok(StopReason::Iterations) => {}
                Ok(reason) => digest.stop = Some(reason),
                Err(error) => digest.failure = Some(error),
            }
        });
        self.desk.states = states;
    }

    /// Writes what the trees found since the last exchange. What a tree found before a panic is told like
    /// everything else.
    fn gather(&mut self, slot: usize) {
        let start = self.shared.clock.now();
        let joined = self.crew.progress.joined;
        self.each(slot, |member, number, _, digest| {
            let gathers = || member.gather(number < joined, digest);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(gathers)) {
                let error = panicked_at(&*panic, 0);
                digest.clear();
                digest.failure.get_or_insert(error.clone());
                member.broken.get_or_insert(error);
            }
        });
        self.desk.exchanges.time += self.shared.clock.now().saturating_sub(start);
    }

    /// Waits until the digests of this rank are written, and starts to send them to other ranks. Returns
    /// `false` if a thread will never come, because it panicked.
    fn tell(&mut self, slot: usize) -> bool {
        let Shared { meeting, digests, clock, .. } = self.shared;
        let start = clock.now();
        let is_sound = meeting.wait();
        if let Some(carrier) = self.desk.carrier.as_mut().filter(|_| is_sound) {
            match carrier.send_digests(digests, slot) {
                Ok(bytes) => self.desk.exchanges.bytes += bytes,
                Err(error) => self.desk.unsent = Some(error),
            }
        }
        let time = clock.now().saturating_sub(start);
        self.desk.exchanges.waiting += time;
        self.desk.exchanges.time += time;
        is_sound
    }

    /// Waits for the digests of other ranks, and adds to each tree what all trees found. `is_ahead` says that
    /// the trees have iterated since they wrote their digests. Returns `None` if a thread will never come,
    /// because it panicked.
    fn learn(&mut self, slot: usize, is_ahead: bool) -> Option<Learned> {
        let Shared { turn, clock, exchange, ref digests, ref own, ref meeting, .. } = *self.shared;
        let start = clock.now();
        if self.shared.is_linked() {
            self.receive(slot);
            if !meeting.wait() {
                return None;
            }
        }
        self.desk.exchanges.waiting += clock.now().saturating_sub(start);
        // Trees that have not joined tell nothing. But another rank may have failed before its trees joined.
        let joined = self.crew.progress.joined;
        let all = if self.shared.is_linked() { digests.len() } else { joined };
        let digests = digests[..all].iter();
        let digests: Vec<_> =
            digests.map(|both| both[slot].read().unwrap_or_else(PoisonError::into_inner)).collect();
        let digests: Vec<_> = digests.iter().map(|digest| &**digest).collect();
        for index in 0..self.crew.members.len() {
            let number = self.number(index);
            let member = &mut self.crew.members[index];
            let leaf = &mut self.desk.leaf;
            let nodes = member.exchange(turn, leaf, &digests[..joined], number, is_ahead, exchange);
            self.desk.exchanges.nodes += if index == 0 { nodes } else { 0 };
        }
        let visits = digests[..joined].iter().filter_map(|digest| digest.root.as_ref());
        self.crew.progress.visits += visits.map(|root| root.visits).sum::<u32>();
        self.desk.exchanges.exchanges += 1;
        self.desk.exchanges.time += clock.now().saturating_sub(start);
        Some(Learned {
            counts: total(&digests, own.start),
            stop: digests.iter().find_map(|digest| digest.stop),
            failure: digests.iter().find_map(|digest| digest.failure.clone()),
        })
    }

    /// Waits for the digests of the other ranks.
    fn receive(&mut self, slot: usize) {
        let Shared { digests, own, .. } = self.shared;
        let Some(carrier) = &mut self.desk.carrier else { return };
        let received = self.desk.unsent.take().map_or(Ok(()), Err);
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
}

impl<S: Space, P, R: RolloutPolicy<S::Game>, B: ForestBackprop<S::Game>> Member<S, P, R, B>
where
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
{
    /// Iterates, and returns why it stopped. A panic is an error.
    pub fn iterate_at<L: Pace<S, P, R, B>>(
        &mut self,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        pace: L,
        state: &mut Option<L::State>,
    ) -> Result<StopReason, SearchError> {
        let iterates = || {
            let state = state.get_or_insert_with(|| pace.begin(&self.search));
            self.iterate(turn, until, deadline, pace, state)
        };
        catch_unwind(AssertUnwindSafe(iterates)).unwrap_or_else(|panic| {
            let error = panicked_at(&*panic, state.as_ref().map_or(0, |state| pace.ply(state)));
            if let Some(state) = state {
                let recovers = || pace.recover(state, &mut self.search, turn);
                if catch_unwind(AssertUnwindSafe(recovers)).is_err() {
                    // A second panic: this tree has visits without rewards, so the others go on without it.
                    self.broken = Some(error.clone());
                }
            }
            Err(error)
        })
    }

    /// Iterates, and returns why it stopped. It is not inlined, so that the loop is compiled once.
    #[inline(never)]
    fn iterate<L: Pace<S, P, R, B>>(
        &mut self,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        pace: L,
        state: &mut L::State,
    ) -> Result<StopReason, SearchError> {
        let stop = pace.iterate(state, &mut self.search, turn, until, deadline, &mut self.counts);
        if !self.search.root_actions.are_all() {
            self.trunk.forget_places();
        }
        unless_undeclared::<S::Game>().map_err(|fault| SearchError::game(fault, 0))?;
        let stop = stop?;
        reason(&self.search, stop)
    }

    /// Writes what was found since the last exchange, if the tree `has_joined`.
    pub fn gather(&mut self, has_joined: bool, digest: &mut Digest<P::Stats, B::Stats>) {
        digest.clear();
        if self.broken.is_some() {
            return;
        }
        let tree = &self.search.tree;
        let (sees_all, credits) = (trunk::sees_all::<S, P, R>(), P::Stats::CREDITS);
        if !has_joined {
            // It has found nothing.
        } else {
            let room = self.search.memory_limit.saturating_sub(self.search.states.bytes());
            self.trunk.gather(tree, sees_all, credits, B::DERIVES, room, digest);
        }
        digest.counts = self.counts;
        digest.counts.others = TreeSize {
            nodes: tree.children(),
            bytes: self.search.bytes() + self.trunk.bytes(),
            recycled: tree.recycled(),
        };
    }

    /// Adds what all trees found to this tree, which has the number `number`. `is_ahead` says that it has
    /// iterated since it wrote its digest. Returns the number of nodes that changed. After an error, the tree
    /// is broken.
    pub fn exchange(
        &mut self,
        turn: Turn,
        leaf: &mut Option<LeafOf<S, P, R>>,
        digests: &[&Digest<P::Stats, B::Stats>],
        number: usize,
        is_ahead: bool,
        exchange: Exchange,
    ) -> u64 {
        if self.broken.is_some() {
            return 0; // its trunk is not that of the others
        }
        let exchanges = || {
            let trunk = &mut self.trunk;
            let leaf = leaf.get_or_insert_with(|| Leaf::new(self.search.root(), B::COUNTS));
            let exchanged = self.search.with_iterations(turn, |iterations, _| {
                trunk::apply(trunk, iterations, leaf, digests, number, is_ahead, exchange)
            });
            if !self.search.root_actions.are_all() {
                trunk.forget_places(); // a restricted root has moved its children
            }
            exchanged.map_err(|fault| SearchError::at(leaf, fault))
        };
        let exchanged = catch_unwind(AssertUnwindSafe(exchanges))
            .unwrap_or_else(|panic| Err(panicked_at(&*panic, leaf.as_ref().map_or(0, |leaf| leaf.ply()))));
        exchanged.unwrap_or_else(|error| {
            self.broken = Some(error);
            0
        })
    }

    /// Gives a new tree what all trees know: its trunk is that of another tree.
    pub fn join(&mut self, turn: Turn) -> Result<(), SearchError> {
        let leaf = &mut Leaf::new(self.search.root(), B::COUNTS);
        let trunk = &mut self.trunk;
        let joined = self.search.with_iterations(turn, |iterations, _| trunk::join(trunk, iterations, leaf));
        if !self.search.root_actions.are_all() {
            trunk.forget_places();
        }
        joined.map_err(|fault| SearchError::at(leaf, fault))
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

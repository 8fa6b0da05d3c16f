//! All trees of a run: trees and threads that join as the search grows, and what the threads do next.

use crate::backpropagation::Backprop;
use crate::custom_error::CustomError;
use crate::game::Turn;
use crate::iteration::FedBy;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Clock, Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::Report;
use crate::run::stop_handle::StopHandle;
use crate::search::engine::Pace;
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy};
use crate::search::engine::forest::crew::{Crew, Desk, End, Member, Progress, Shared, Task};
use crate::search::engine::forest::link::Command;
use crate::search::engine::forest::{Limits, seed_of};
use crate::search::engine::panics::{guarded, panicked_at};
use crate::search::one_tree::OneTree;
use crate::search::run::{Driver, Until, drive};
use crate::simulation::RolloutPolicy;
use crate::space::{ActionOf, Space};
use core::time::Duration;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Result as Caught;

/// What a run returns, or its panic.
type Found<S> = Caught<Result<Report<ActionOf<S>>, SearchError>>;

/// What a new tree begins with.
pub(crate) struct Start<'a, P, R, B> {
    /// The policies before they have learned anything.
    pub policies: &'a (P, R, B),
    pub seed: u64,
    pub stop: StopHandle,
    pub limits: Limits,
    /// The iterations of one tree, if the budget bounds them.
    pub iterations: Option<u64>,
}

/// A crew of another thread. That thread locks it during a task, the first thread between two tasks.
pub(crate) type SharedCrew<S, P, R, B> = Arc<Mutex<Crew<S, P, R, B>>>;

/// The crew of another thread, and the way to the thread.
type Other<S, P, R, B> = (SharedCrew<S, P, R, B>, Sender<Task>);

/// The trees of a run, thread by thread.
pub(crate) struct Crews<'a, 's, S, P, R, B, L>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    pub shared: &'a Shared<'s, P::Stats, B::Stats>,
    pub start: Start<'a, P, R, B>,
    /// The crew of this thread, and what it keeps.
    pub first: Crew<S, P, R, B>,
    pub desk: Desk<'a, S, P, R, B, L>,
    /// The crews of the other threads, and the ways to them. A thread ends when its way is dropped.
    pub others: Vec<Other<S, P, R, B>>,
    /// Where the other threads say why their crews stopped.
    pub back: Receiver<Caught<End>>,
    /// Starts a thread that does the tasks it receives with a crew.
    pub hire: &'a mut dyn FnMut(SharedCrew<S, P, R, B>) -> io::Result<Sender<Task>>,
    /// Whether the trees may disagree, because a thread panicked where no tree answers for it.
    pub is_torn: bool,
}

impl<S, P, R, B, L> Crews<'_, '_, S, P, R, B, L>
where
    S: Space,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Clone,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    /// Starts threads until there are as many as `trees` trees need.
    pub fn staff(&mut self, trees: usize) -> Result<(), SearchError> {
        while 1 + self.others.len() < trees.min(self.shared.threads) {
            let first = self.shared.own.start + 1 + self.others.len();
            let crew = Crew { first, members: Vec::new(), progress: self.first.progress };
            let crew = Arc::new(Mutex::new(crew));
            let way = (self.hire)(Arc::clone(&crew))
                .map_err(|error| SearchError::Threads { error: CustomError::new(error) })?;
            self.others.push((crew, way));
            self.shared.meeting.set_threads(1 + self.others.len());
        }
        Ok(())
    }

    /// Adds a tree, the next one of this rank. Its thread has been started.
    pub fn add(&mut self, member: Member<S, P, R, B>) {
        for (crew, _) in &self.others {
            let mut crew = lock(crew);
            if crew.members.len() < self.first.members.len() {
                return crew.members.push(member);
            }
        }
        self.first.members.push(member);
    }

    /// Notes on all crews how far the run is.
    fn note(&mut self, note: &dyn Fn(&mut Progress)) {
        for (crew, _) in &self.others {
            note(&mut lock(crew).progress);
        }
        note(&mut self.first.progress);
    }

    /// Creates the trees up to the number `trees`. When the time is up, or if there is no memory for another
    /// tree, no further tree joins in this run.
    fn grow(&mut self, trees: usize, deadline: Option<Duration>) -> Result<(), SearchError> {
        let own = self.shared.own.clone();
        for number in self.first.progress.joined..trees {
            // All ranks must agree, so only a rank that is alone looks at its clock.
            let is_late = || deadline.is_some_and(|deadline| self.shared.clock.now() >= deadline);
            if !self.shared.is_linked() && is_late() {
                self.note(&|progress| progress.most = number);
                return Ok(());
            }
            if own.contains(&number) {
                let created = guarded(|| {
                    let member = self.create(number)?;
                    if number == own.start {
                        // It knew what all trees know for the reports of its rank. Now it begins like every
                        // other tree.
                        self.first.members[0] = member;
                        self.desk.states.clear();
                    } else {
                        self.staff(number - own.start + 1)?;
                        self.add(member);
                    }
                    Ok(())
                });
                match created {
                    Err(error) if self.shared.is_linked() => self.desk.unsent = Some(error),
                    Err(SearchError::MemoryLimit { .. }) => {
                        // The trees that there are have taken up the room of this one.
                        self.note(&|progress| progress.most = number);
                        return Ok(());
                    }
                    created => created?,
                }
            }
            self.note(&|progress| progress.joined = number + 1);
        }
        Ok(())
    }

    /// Creates the tree with this number. It knows what all trees know.
    fn create(&self, number: usize) -> Result<Member<S, P, R, B>, SearchError> {
        let Start { policies, seed, ref stop, limits, iterations } = self.start;
        let first = &self.first.members[0];
        let mut member = Member::new(first.search.sibling(policies, seed_of(seed, number)));
        member.search.stop = stop.clone();
        member.trunk = first.trunk.copy();
        limits.set(&mut member);
        member.search.plant()?;
        member.search.begin(iterations);
        member.join(self.shared.turn)?;
        Ok(member)
    }

    /// Lets all crews do `task`. Returns why they stopped, and the counts of all trees.
    fn perform(&mut self, task: Task) -> (Result<StopReason, SearchError>, RunCounts) {
        let nothing = RunCounts::new(StopReason::NotRun);
        loop {
            let end = match self.perform_once(task) {
                Ok(end) => end,
                Err(panic) => {
                    self.is_torn = true;
                    return (Err(panicked_at(&*panic, 0)), nothing);
                }
            };
            match end {
                End::Done(stop, counts) => return (stop, counts),
                End::Abandoned => return (Ok(StopReason::Stopped), nothing), // another panic is returned
                End::Grow(trees) => {
                    if let Err(error) = self.grow(trees, task.deadline) {
                        return (Err(error), nothing);
                    }
                }
            }
        }
    }

    fn perform_once(&mut self, task: Task) -> Caught<End> {
        let mut away = 0;
        for (_, way) in &self.others {
            match way.send(task) {
                Ok(()) => away += 1,
                Err(_) => self.shared.meeting.abandon(),
            }
        }
        let mut end = self.desk.perform(&mut self.first, self.shared, task);
        for _ in 0..away {
            let Ok(other) = self.back.recv() else { break };
            if let (Ok(_), Err(panic)) = (&end, other) {
                end = Err(panic);
            }
        }
        end
    }

    /// Runs to the end, if all threads were `staffed`. On the first rank that is the end of the budget, and the
    /// other ranks are told; on another rank, the first one says when. Returns the report or a panic, and
    /// whether the others were told.
    pub fn run(
        &mut self,
        staffed: Result<(), SearchError>,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> (Found<S>, Result<(), SearchError>) {
        let (turn, clock) = (self.shared.turn, self.shared.clock);
        let is_first = self.first.first == 0;
        let found = catch_unwind(AssertUnwindSafe(|| {
            staffed?;
            if is_first {
                return drive(self, turn, budget, every, observer, clock);
            }
            // The first rank says why the run ends, so a late request to stop is dropped.
            self.start.stop.begin_run(budget.ends());
            let counts = self.follow();
            match counts {
                Ok(_) => _ = self.start.stop.end_run(),
                Err(_) => self.start.stop.fail_run(0),
            }
            self.search().build_report(turn, &counts?)
        }));
        let (stop, time) = match &found {
            Ok(Ok(report)) => (report.stop_reason, report.time),
            _ => (StopReason::NotRun, clock.now()),
        };
        let told = if is_first { self.end(stop, time) } else { Ok(()) };
        (found, told)
    }

    /// Does what the first rank says until the run is over. Returns the counts of all trees.
    fn follow(&mut self) -> Result<RunCounts, SearchError> {
        let (mut counts, mut result) = (RunCounts::new(StopReason::Proven), Ok(StopReason::Proven));
        loop {
            let Some(carrier) = &mut self.desk.carrier else { return Ok(counts) };
            match carrier.command()? {
                Command::Perform { iterations, time } => {
                    let deadline = time.and_then(|time| self.shared.clock.now().checked_add(time));
                    (result, counts) = self.perform(Task { iterations, deadline });
                    if self.is_torn
                        && let (Err(error), Some(carrier)) = (&result, &mut self.desk.carrier)
                    {
                        carrier.fail(error); // the others wait for digests
                        return result.map(|_| counts);
                    }
                }
                Command::End { stop, time } => {
                    (counts.stop_reason, counts.time) = (stop, time);
                    return result.map(|_| counts);
                }
            }
        }
    }

    /// Tells the other ranks, if there are any, that the run is over.
    fn end(&mut self, stop: StopReason, time: Duration) -> Result<(), SearchError> {
        self.desk.carrier.as_mut().map_or(Ok(()), |carrier| carrier.tell(Command::End { stop, time }))
    }

    /// Iterates with one tree, which has nothing to exchange.
    fn perform_alone(
        &mut self,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
    ) -> (Result<StopReason, SearchError>, RunCounts) {
        let (member, until) = (&mut self.first.members[0], Until { iterations, bytes: self.shared.bytes });
        self.desk.states.resize_with(1, || None);
        let (turn, pace, state) = (self.shared.turn, self.desk.pace, &mut self.desk.states[0]);
        let stop = member.iterate_at(turn, until, deadline, pace, state);
        if member.broken.take().is_some() {
            member.search.clear(); // some visits have no rewards
        }
        (stop, member.counts)
    }

    /// Takes the trees out, in the order of their numbers.
    pub fn take_members(&mut self) -> Vec<Member<S, P, R, B>> {
        let mut crews = vec![core::mem::take(&mut self.first.members).into_iter()];
        for (crew, _) in &self.others {
            crews.push(core::mem::take(&mut lock(crew).members).into_iter());
        }
        let mut members = Vec::new();
        loop {
            let before = members.len();
            for crew in &mut crews {
                if let Some(member) = crew.next() {
                    members.push(member);
                }
            }
            if members.len() == before {
                return members;
            }
        }
    }
}

/// Returns the crew of another thread. A panic of that thread does not take it away.
fn lock<C>(crew: &Mutex<C>) -> MutexGuard<'_, C> {
    crew.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does the tasks of one thread, with its crew, until the way to it is dropped.
pub(crate) fn work<S, P, R, B, L>(
    pace: L,
    crew: &Mutex<Crew<S, P, R, B>>,
    tasks: &Receiver<Task>,
    back: &Sender<Caught<End>>,
    shared: &Shared<'_, P::Stats, B::Stats>,
) where
    S: Space,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    let mut desk = Desk::new(pace, None);
    while let Ok(task) = tasks.recv() {
        let end = desk.perform(&mut lock(crew), shared, task);
        if back.send(end).is_err() {
            return;
        }
    }
}

impl<S, P, R, B, L> Driver<S, P, R, B> for Crews<'_, '_, S, P, R, B, L>
where
    S: Space,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Clone,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    fn search(&mut self) -> &mut OneTree<S, P, R, B> {
        &mut self.first.members[0].search
    }

    fn leaves(&self) -> u64 {
        match self.desk.pace.leaves() {
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
            if let Some(carrier) = &mut self.desk.carrier {
                let time = deadline.map(|end| end.saturating_sub(self.shared.clock.now()));
                carrier.tell(Command::Perform { iterations, time })?;
            }
            self.perform(Task { iterations, deadline })
        };
        *tally = RunCounts { stop_reason: tally.stop_reason, time: tally.time, ..counts };
        stop
    }
}

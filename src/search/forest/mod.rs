//! [`Forest`]: several trees that search the same state on several threads and exchange what they find.

mod crew;
mod digest;
mod link;
mod meeting;
mod plan;
mod ranks;
#[cfg(feature = "save")]
mod saved;
#[cfg(all(test, feature = "games"))]
mod tests;
mod trunk;
mod wire;

pub use crew::Panicked;
pub use link::Link;
pub use plan::Exchange;

use super::budget::{Budget, Bytes, Every};
use super::clock::{Clock, WallClock};
use super::error::SearchError;
use super::expansion::Expansion;
use super::pace::{OneLeaf, Pace};
use super::report::{ActionReport, ReportOf};
use super::root_decision::RootDecision;
use super::run::{Driver, RunCounts, drive};
use super::search_trait::{Search, search_by_methods_of};
use super::stop_handle::StopHandle;
use super::tree_view::TreeView;
use super::{Mcts, StopReason};
use crate::backpropagation::{Average, Backprop};
use crate::custom_error::CustomError;
use crate::game::{GameState, Rng, Turn};
use crate::parameter::ParameterError;
use crate::selection::{TreePolicy, Ucb1};
use crate::simulation::{RolloutPolicy, Uniform};
use crate::statistics::{Merge, Statistics};
use core::fmt;
use core::ops::Range;
use core::time::Duration;
use crew::{Crew, Member, Release, Shared, panicked};
use link::Carrier;
use ranks::Ranks;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// The most trees of a forest.
const MOST_TREES: usize = 4096;

/// Monte-Carlo tree search with several trees, on several threads.
///
/// Each tree searches on its own, with its own random numbers. At planned moments the trees exchange what they found at the
/// busy nodes: each adds what all others found, so all agree about the top of the tree, and each grows its own fringe below. They
/// use as many cores as there are trees. But several trees are worth less than one tree with all of their iterations: in Connect 4, two trees with 100 000 iterations are worth one with 78 000,
/// and four are worth one with 50 000. Many trees lose more.
///
/// ```
/// use ramure::prelude::*;
/// let mut search = Mcts::new(ramure::games::Connect4::new()).parallel(2); // two trees, two threads
/// let report = search.run(Budget::iterations(20_000))?;
/// println!("{report}");
/// search.advance(report.best_action())?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Determinism
///
/// With a budget of iterations, the result depends on the seed, the number of trees and the settings, to the bit. It does not
/// depend on the number of [`threads`](Self::threads), nor on which of them is faster. The trees also exchange before an
/// observer sees a report, so with several trees the interval of the observer is one of the settings. An interval of time depends
/// on the machine.
///
/// # Reports
///
/// A [`Report`](crate::Report) counts iterations, nodes and bytes of all trees. Its actions show what all trees found. The line
/// of play and the [`tree`](Self::tree) are those of the first tree.
///
/// # Which policies
///
/// The tree policy and the backpropagation must say how trees [merge](Merge) what they keep per node. Those that depend on
/// the order of the rewards or plan for a number of iterations do not, and the compiler says so. What a rollout policy learns,
/// each tree learns on its own: with common tables, several trees are weaker. If the trees share positions, as in
/// [`Transpositions`](super::Transpositions), the backpropagation must average: `Average`, `Solver` or `ScoreBounds`.
///
/// **Source:** the exchange follows *slow tree parallelization*: Bourki et al., *Scalability and Parallelization of
/// Monte-Carlo Tree Search*, 2010, after Gelly et al., *The Parallelization of Monte-Carlo Planning*, 2008. There, the trees
/// average their statistics; here, each adds what the others found, so that the sums are exact.
#[must_use = "a search does nothing before `run`"]
pub struct Forest<G: GameState, P: TreePolicy<G> = Ucb1, R = Uniform, B: Backprop<G> = Average, L = OneLeaf> {
    /// The trees of this process, at least one.
    members: Vec<Member<G, P, R, B>>,
    /// The number of the first of them. It is 0 unless several processes search together.
    first_number: usize,
    pace: L,
    trees: usize,
    threads: usize,
    exchange: Exchange,
    memory_limit: usize,
    seed: u64,
    exchanges: ExchangeCounts,
    /// Whether all trees agree about the trunk. They do not after a panic that no error can report.
    is_consistent: bool,
}

/// What the exchanges of the latest run of a [`Forest`] did.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct ExchangeCounts {
    /// The number of exchanges.
    pub exchanges: u64,
    /// The number of nodes that each tree got news of, in all exchanges together.
    pub nodes: u64,
    /// The wall time of the first thread in exchanges, including the time that it waited for the other trees.
    pub time: Duration,
    /// The part of this time in which it waited for the other trees: for other threads, and for messages of other ranks.
    pub waiting: Duration,
    /// The bytes that this process sent to each other rank; see [`Forest::run_linked`].
    pub bytes: u64,
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B> {
    /// Searches with `n` trees on `n` threads; see [`Forest`]. What this search has found is kept.
    ///
    /// To get the same results on machines with other numbers of cores, set the number of [`threads`](Forest::threads) apart.
    pub fn parallel(self, n: usize) -> Forest<G, P, R, B> {
        self.parallel_at(OneLeaf, n)
    }

    /// Searches with `n` trees, each at this pace.
    pub(super) fn parallel_at<L>(self, pace: L, n: usize) -> Forest<G, P, R, B, L> {
        let (memory_limit, seed) = (self.memory_limit, self.decision_seed);
        Forest {
            members: vec![Member::new(self)],
            first_number: 0,
            pace,
            trees: n,
            threads: n,
            exchange: Exchange::new(),
            memory_limit,
            seed,
            exchanges: ExchangeCounts::default(),
            is_consistent: true,
        }
    }

    /// Returns a search of the same state with the same settings and another seed, without a tree.
    fn sibling(&self, seed: u64) -> Self
    where
        P: Clone,
        R: Clone,
        B: Clone,
    {
        let search = Mcts::new(self.state.clone());
        let policies =
            |_, _, _| (self.tree_policy.clone(), self.rollout_policy.clone(), self.backprop.clone());
        let mut search = search.with(policies);
        search.chooser = self.chooser;
        search.set_expansion(self.expansion);
        search.set_root_decision(self.decision);
        search.set_seed(seed);
        search.decision_seed = self.decision_seed;
        search
    }
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>, L> Forest<G, P, R, B, L> {
    /// Sets the number of threads, from 1. More threads than trees are not used. \[Default: one for each tree\]
    ///
    /// With a budget of iterations, the result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Sets how often the trees exchange what they found, and how much. \[Default: [`Exchange::new`]\]
    pub fn exchange(mut self, exchange: Exchange) -> Self {
        self.exchange = exchange;
        self
    }

    /// Returns the first tree's search.
    fn first(&self) -> &Mcts<G, P, R, B> {
        &self.members[0].search
    }

    /// Calls `set` with the search of each tree.
    fn each(&mut self, set: impl FnMut(&mut Mcts<G, P, R, B>)) {
        self.members.iter_mut().map(|member| &mut member.search).for_each(set);
    }

    /// Returns what the exchanges of the latest run did.
    pub fn exchanges(&self) -> ExchangeCounts {
        self.exchanges
    }

    /// Returns the root state of the search.
    pub fn state(&self) -> &G {
        self.first().state()
    }

    /// Returns a handle that stops the runs of this search; see [`Mcts::stop_handle`].
    pub fn stop_handle(&self) -> StopHandle {
        self.first().stop_handle()
    }

    /// Returns a read-only view of the first tree. About the busy nodes, all trees agree; the others are its own.
    pub fn tree(&self) -> TreeView<'_, G, P, R, B> {
        self.first().tree()
    }

    /// Returns the number of bytes that all trees take from the system.
    pub fn memory_usage(&self) -> Bytes {
        let bytes = |member: &Member<G, P, R, B>| member.search.memory_usage().0 + member.trunk.bytes();
        Bytes(self.members.iter().map(bytes).sum())
    }

    /// Sets the most memory that all trees together may take; each gets an equal share. See [`Mcts::memory_limit`].
    pub fn set_memory_limit(&mut self, limit: Bytes) {
        self.memory_limit = limit.0;
    }

    /// Sets the seed of all randomness; see [`Mcts::set_seed`].
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        for (number, member) in (self.first_number..).zip(&mut self.members) {
            member.search.set_seed(seed_of(seed, number));
            // All ranks decide alike.
            member.search.decision_seed = seed;
        }
    }

    /// Sets when nodes get children; see [`Mcts::set_expansion`].
    pub fn set_expansion(&mut self, expansion: Expansion) {
        if expansion.tries() != self.first().expansion.tries() {
            self.members.iter_mut().for_each(|member| member.trunk.clear());
        }
        self.each(|search| search.set_expansion(expansion));
    }

    /// Sets how the action to play is chosen; see [`Mcts::set_root_decision`].
    pub fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.each(|search| search.set_root_decision(decision));
    }

    /// Plays `action`: the state that follows becomes the root of all trees. See [`Mcts::advance`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::advance`].
    pub fn advance(&mut self, action: G::Action) -> Result<(), SearchError> {
        if G::IS_KEYED {
            return self.advance_graph(action);
        }
        let (first, others) = self.members.split_at_mut(1);
        first[0].search.advance(action)?;
        // Until all is done, for the game may panic.
        let mut agree = core::mem::replace(&mut self.is_consistent, false);
        first[0].trunk.advance(action);
        for member in others {
            if member.search.advance(action).is_ok() {
                member.trunk.advance(action);
            } else {
                // The game has given two answers to the same question.
                first[0].trunk.clear();
                agree = false;
            }
        }
        self.is_consistent = agree;
        Ok(())
    }

    /// Does what [`advance`](Self::advance) does, where the trees share positions.
    fn advance_graph(&mut self, action: G::Action) -> Result<(), SearchError> {
        let root = self.state();
        let stored = root.stored(action, root.position().1);
        let (first, others) = self.members.split_at_mut(1);
        first[0].search.advance(action)?;
        // Until all is done, for the game may panic.
        let mut agree = core::mem::replace(&mut self.is_consistent, false);
        for member in others {
            agree &= member.search.advance(action).is_ok();
        }
        let state = self.state();
        let root = (state.turn() != Turn::Over).then(|| {
            let (key, transformation) = state.position();
            ((key, self.first().chooser), transformation)
        });
        // A position stays in the trunk as long as some tree has it.
        let mut lives = vec![false; self.members[0].trunk.positions()];
        for Member { trunk, search, .. } in &self.members {
            agree &= trunk.positions() == lives.len();
            lives.iter_mut().zip(trunk.living(&search.tree)).for_each(|(lives, here)| *lives |= here);
        }
        for Member { trunk, search, .. } in &mut self.members {
            if agree {
                trunk.advance_graph(&search.tree, stored, root, &lives);
            } else {
                trunk.clear(); // the game has given two answers to the same question
            }
        }
        self.is_consistent = agree;
        Ok(())
    }

    /// Replaces the root state by `state` and empties all trees.
    pub fn reset(&mut self, state: G) {
        // First all clones, for the game may panic.
        let states = Vec::from_iter(self.members.iter().map(|_| state.clone()));
        for (member, state) in self.members.iter_mut().zip(states) {
            member.search.reset(state);
            member.trunk.clear();
        }
    }
}

// The trait bounds are on each method, so that the compiler says which part of a search lacks which trait.
impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>, L> Forest<G, P, R, B, L> {
    /// Searches within `budget` and returns a report. A bound on iterations counts those of all trees together.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::run`], and a [`SearchError`] if the number of trees or threads is 0, if a thread cannot be
    /// started, or if the game or a policy panics. If several trees fail at once, it is the error of the first of them. What the
    /// trees found before stays.
    pub fn run(&mut self, budget: Budget) -> Result<ReportOf<G>, SearchError>
    where
        G: Send + Sync,
        G::Action: Send + Sync,
        P: Merge<G, P::Stats> + Clone + Send,
        P::Stats: Statistics<G, R> + Send + Sync,
        R: Clone + Send,
        B: Merge<G, B::Stats> + Clone + Send,
        B::Stats: Send + Sync,
        L: Pace<G, P, R, B>,
    {
        self.run_with(budget, Every::Iterations(u64::MAX), &mut |_| {})
    }

    /// Searches as [`run`](Self::run) does and shows `observer` a report at intervals; see [`Mcts::run_with`].
    ///
    /// # Errors
    ///
    /// Returns the errors of [`run`](Self::run).
    pub fn run_with(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
    ) -> Result<ReportOf<G>, SearchError>
    where
        G: Send + Sync,
        G::Action: Send + Sync,
        P: Merge<G, P::Stats> + Clone + Send,
        P::Stats: Statistics<G, R> + Send + Sync,
        R: Clone + Send,
        B: Merge<G, B::Stats> + Clone + Send,
        B::Stats: Send + Sync,
        L: Pace<G, P, R, B>,
    {
        let clock = WallClock::start();
        self.check()?;
        self.pace.check()?;
        self.agree();
        self.place(0..self.trees);
        self.run_on(budget, every, observer, &clock, None)
    }

    /// Runs after the settings of the forest are checked, and after the trees of this process are in their places. If other
    /// processes take part, `ranks` leads to their trees.
    fn run_on(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
        clock: &WallClock,
        ranks: Option<Ranks<'_, P::Stats, B::Stats>>,
    ) -> Result<ReportOf<G>, SearchError>
    where
        G: Send + Sync,
        G::Action: Send + Sync,
        P: Merge<G, P::Stats> + Clone + Send,
        P::Stats: Statistics<G, R> + Send + Sync,
        R: Clone + Send,
        B: Merge<G, B::Stats> + Clone + Send,
        B::Stats: Send + Sync,
        L: Pace<G, P, R, B>,
    {
        self.exchanges = ExchangeCounts::default();
        self.is_consistent = false;
        let report = self.run_members(budget, every, observer, clock, ranks);
        // After a failure of a link, other ranks may have what this one lacks.
        self.is_consistent = !matches!(report, Err(SearchError::Link { .. } | SearchError::OtherRank { .. }));
        self.mend().map_or(report, Err).map_err(|error| match error {
            SearchError::MemoryLimit { .. } => SearchError::MemoryLimit { limit: self.memory_limit },
            other => other,
        })
    }

    /// Creates the trees with these numbers, as far as there are none. What trees with other numbers have found is lost.
    fn place(&mut self, numbers: Range<usize>)
    where
        P: Clone,
        R: Clone,
        B: Clone,
    {
        if numbers.start != self.first_number {
            let first = self.first();
            let mut anew = first.sibling(seed_of(self.seed, numbers.start));
            anew.chooser = first.chooser;
            anew.stop = first.stop.clone();
            self.members.clear();
            self.members.push(Member::new(anew));
            self.first_number = numbers.start;
        }
        for number in numbers.start + self.members.len()..numbers.end {
            self.members.push(Member::new(self.first().sibling(seed_of(self.seed, number))));
        }
    }

    fn run_members(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&ReportOf<G>),
        clock: &WallClock,
        ranks: Option<Ranks<'_, P::Stats, B::Stats>>,
    ) -> Result<ReportOf<G>, SearchError>
    where
        G: Send + Sync,
        G::Action: Send + Sync,
        P: Merge<G, P::Stats> + Clone + Send,
        P::Stats: Statistics<G, R> + Send + Sync,
        R: Clone + Send,
        B: Merge<G, B::Stats> + Clone + Send,
        B::Stats: Send + Sync,
        L: Pace<G, P, R, B>,
    {
        let (trees, pace) = (self.trees, self.pace);
        let (limit, stop) = (Bytes(self.memory_limit / trees), self.first().stop.clone());
        let turn = self.first().turn()?;
        for member in &mut self.members {
            member.search.set_memory_limit(limit);
            member.search.stop = stop.clone();
            if trees > 1 {
                // The children of a node in the trunk stay, so that no tree loses what it has not exchanged yet.
                member.search.tree.keep_children_from(self.exchange.least(0));
            }
            member.search.prepare(budget)?;
        }
        // Only when all are prepared, so that after an error the trunks are those of before, and agree.
        for member in &mut self.members {
            member.search.begin(budget.iterations.map(|iterations| iterations.div_ceil(trees as u64)));
            // One tree has nothing to exchange: its trunk stays empty.
            if trees > 1 {
                let Member { search, trunk, .. } = member;
                let plants = AssertUnwindSafe(|| trunk.plant(&search.state, search.chooser));
                if let Err(panic) = catch_unwind(plants) {
                    let error = panicked(&*panic, 0);
                    member.broken = Some(error.clone());
                    return Err(error);
                }
            }
            member.counts = RunCounts::new(StopReason::NotRun);
        }
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0 / trees);
        let first_number = self.first_number;
        let here = first_number..first_number + self.members.len();
        let each = here.len().div_ceil(self.threads);
        let threads = here.len().div_ceil(each);
        let visits = ranks.as_ref().map_or_else(|| self.first().root_visits(), |ranks| ranks.visits);
        let shared = &Shared::new(trees, here, threads, turn, self.exchange, visits, bytes, clock);
        let is_linked = ranks.is_some();
        let report = thread::scope(|scope| {
            let _release = Release { shared, is_first: true };
            let mut crews = self.members.chunks_mut(each);
            let own = crews.next().unwrap_or_default();
            for (number, crew) in crews.enumerate() {
                let first = first_number + (number + 1) * each;
                let crew_work = move || {
                    let _release = Release { shared, is_first: false };
                    Crew::new(crew, pace, first, None, shared).work();
                };
                let started = thread::Builder::new().spawn_scoped(scope, crew_work);
                if let Err(error) = started {
                    let error = SearchError::Threads { error: CustomError::new(error) };
                    if let Some(ranks) = ranks {
                        ranks.carrier.fail(&error);
                    }
                    return Err(error);
                }
            }
            let carrier = ranks.map(|ranks| -> &mut dyn Carrier<_, _> { ranks.carrier });
            let mut crew = Crew::new(own, pace, first_number, carrier, shared);
            let report = if first_number == 0 {
                let report = drive(&mut crew, turn, budget, every, observer, clock);
                let (stop, time) = report
                    .as_ref()
                    .map_or((StopReason::NotRun, clock.now()), |report| (report.stop_reason, report.time));
                crew.end(stop, time).and(report)
            } else {
                // The first rank says why the run ends, so a late request to stop is dropped.
                stop.begin_run(budget.ends());
                let counts = crew.follow();
                stop.end_run();
                counts.and_then(|counts| Driver::search(&mut crew).build_report(turn, &counts))
            };
            self.exchanges = crew.exchanges;
            report
        });
        self.each(|search| search.tree.tidy());
        report.map(|report| if is_linked { report } else { self.with_sizes(report) })
    }

    /// Writes the sizes of all trees into a report.
    fn with_sizes(&self, mut report: ReportOf<G>) -> ReportOf<G> {
        report.nodes = self.members.iter().map(|member| member.search.tree.children()).sum();
        report.recycled_nodes = self.members.iter().map(|member| member.search.tree.recycled()).sum();
        report.bytes = self.memory_usage().0;
        report
    }

    /// Reports on the current trees, without searching.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Mcts::report`].
    pub fn report(&self) -> Result<ReportOf<G>, SearchError>
    where
        P::Stats: Statistics<G, R>,
    {
        Ok(self.with_sizes(self.first().report()?))
    }

    /// Checks the settings of the forest itself.
    fn check(&self) -> Result<(), SearchError> {
        let fits = (1..=MOST_TREES).contains(&self.trees);
        ParameterError::unless(fits, "Forest::trees", self.trees as f64, "from 1 to 4096")?;
        let fits = !(G::IS_GUESSED || G::IS_SAMPLED) || self.trees == 1;
        let range = "1 for a game that makes guesses or samples actions";
        ParameterError::unless(fits, "Forest::trees", self.trees as f64, range)?;
        let fits = !G::IS_KEYED || B::AVERAGES && !B::DERIVES || self.trees == 1;
        let range = "1 if positions are shared and the backpropagation does not average; use `Average`, `Solver` or `ScoreBounds`";
        ParameterError::unless(fits, "Forest::trees", self.trees as f64, range)?;
        ParameterError::unless(self.threads > 0, "Forest::threads", 0.0, "at least 1")?;
        Ok(self.exchange.check()?)
    }

    /// If an exchange failed half-way, keeps one tree and returns the error. The best one is a tree that completed the exchange.
    /// If there is none, some nodes of the first tree do not have what the other trees found.
    fn mend(&mut self) -> Option<SearchError> {
        let error = self.members.iter().find_map(|member| member.broken.clone())?;
        if let Some(sound) = self.members.iter().position(|member| member.broken.is_none()) {
            self.members.swap(0, sound);
        }
        self.members.iter_mut().for_each(|member| member.broken = None);
        self.is_consistent = false;
        self.agree();
        Some(error)
    }

    /// If the trees may disagree, keeps only what the first one has.
    fn agree(&mut self) {
        if core::mem::replace(&mut self.is_consistent, true) {
            return;
        }
        let (first, others) = self.members.split_at_mut(1);
        first[0].trunk.clear();
        for member in others {
            member.trunk.clear();
            member.search.reset(first[0].search.state.clone());
            member.search.chooser = first[0].search.chooser;
        }
    }
}

/// Returns the seed of the tree with this number. The first tree has the seed itself, so that a forest of one tree is the same
/// as a search.
fn seed_of(seed: u64, number: usize) -> u64 {
    if number == 0 { seed } else { Rng::seeded(seed ^ (number as u64) << 32).bits() }
}

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>, L> Search for Forest<G, P, R, B, L>
where
    G: Send + Sync,
    G::Action: Send + Sync,
    P: Merge<G, P::Stats> + Clone + Send,
    P::Stats: Statistics<G, R> + Send + Sync,
    R: Clone + Send,
    B: Merge<G, B::Stats> + Clone + Send,
    B::Stats: Send + Sync,
    L: Pace<G, P, R, B>,
{
    search_by_methods_of!(Self, G);

    fn actions_after(&self, line: &[G::Action]) -> Vec<ActionReport<G::Action>> {
        self.first().actions_after(line)
    }
}

impl<G, P, R, B, L> fmt::Debug for Forest<G, P, R, B, L>
where
    G: GameState + fmt::Debug,
    P: TreePolicy<G>,
    B: Backprop<G>,
    L: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Forest")
            .field("pace", &self.pace)
            .field("trees", &self.trees)
            .field("threads", &self.threads)
            .field("exchange", &self.exchange)
            .field("first", &self.members[0].search)
            .finish_non_exhaustive()
    }
}

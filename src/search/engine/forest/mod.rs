//! [`Forest`]: several trees that search the same state on several threads and exchange what they find.
//!
//! A tree with its copy of the `trunk`, which holds what all trees know, is a member of a `crew`: the trees
//! of one thread. `crews` has those of all threads, and adds trees as the search grows. `plan` says when the
//! trees exchange, `digest` is what they tell each other, and they wait for each other in `meeting`. Trees of
//! other processes exchange through `link`, `wire` and `ranks`. Uses the rest of `search`, and all layers
//! below it.

mod bounds;
pub(crate) mod crew;
mod crews;
mod digest;
mod link;
mod meeting;
mod plan;
mod ranks;
#[cfg(all(test, feature = "games"))]
mod tests;
pub(crate) mod trunk;
mod wire;

pub use link::Link;
pub use plan::Exchange;

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::{GameState, Rng, Turn};
use crate::iteration::FedBy;
use crate::iteration::expansion::Expansion;
use crate::iteration::nodes::only_one_tree;
use crate::iteration::root_actions::RootActions;
use crate::parameter::ParameterError;
use crate::run::budget::StopReason;
use crate::run::budget::{Budget, Every};
use crate::run::clock::WallClock;
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::forest::bounds::{ForestBackprop, ForestPolicy, ForestSpace};
use crate::search::engine::one_leaf::OneLeaf;
use crate::search::engine::panics::{guarded, panicked_at};
use crate::search::engine::{Advance, Engine, Pace, Run, Single, Trees, View, share_of};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::space::transpositions::stored;
use crate::space::{ActionOf, Space};
use core::cell::Cell;
use core::fmt;
use core::ops::Range;
use core::time::Duration;
use crew::{Crew, Desk, Member, Progress, Shared};
use crews::{Crews, SharedCrew, Start};
use digest::Digest;
use link::Carrier;
use meeting::Meeting;
use ranks::Ranks;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::RwLock;
use std::sync::mpsc::channel;
use std::thread;

/// The most trees of a forest.
pub(crate) const MOST_TREES: usize = 4096;

/// The most bytes of a trunk that has a memory limit.
const MOST_TRUNK: usize = 16 << 20;

/// The [engine](crate::search::Engine) with several trees, on several threads; see [`Mcts::parallel`].
///
/// Each tree searches on its own, with its own random numbers. At planned moments the trees exchange what
/// they found at the busy nodes: each adds what all others found, so all agree about the top of the tree, and
/// each grows its own fringe below. They use as many cores as there are trees; a tree and its thread are
/// created when the tree [joins](Exchange::start). But several trees are worth less than one tree with all of
/// their iterations: in Connect 4, two trees with 100 000 iterations are worth one with 78 000, and four are
/// worth one with 50 000. Many trees lose more.
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
/// With a budget of iterations, the result depends on the seed, the number of trees and the settings, to the
/// bit. It does not depend on the number of `threads`, nor on which of them is faster. The
/// trees also exchange before an observer sees a report, so with several trees the interval of the observer
/// is one of the settings. An interval of time depends on the machine.
///
/// # Reports
///
/// A [`Report`](crate::Report) counts iterations, nodes and bytes of all trees. Its actions show what all
/// trees found. The line of play and the [`tree`](Mcts::tree) are those of the first tree.
///
/// # Which policies
///
/// The tree policy and the backpropagation must say how trees [merge](crate::statistics::Merge) what they
/// keep per node. Those that depend on the order of the rewards or plan for a number of iterations do not,
/// and the compiler says so. What a rollout policy learns, each tree learns on its own: with common tables,
/// several trees are weaker. If the trees share positions, as in
/// [`Transpositions`](crate::search::Transpositions), the backpropagation must average: `Average`, `Solver`
/// or `ScoreBounds`.
///
/// # Errors
///
/// Besides the errors of every [run](Mcts::run), a run returns a [`SearchError`] if the number of trees or
/// threads is 0, if a thread cannot be started, or if the game or a policy panics; its source then says so.
/// If several trees fail at once, it is the error of the first of them. What the trees found before stays. If
/// a tree fails in an exchange, it is lost, and another one joins in its place.
///
/// **Source:** the exchange follows *slow tree parallelization*: Bourki et al., *Scalability and
/// Parallelization of Monte-Carlo Tree Search*, 2010, after Gelly et al., *The Parallelization of Monte-Carlo
/// Planning*, 2008. There, the trees average their statistics; here, each adds what the others found, so that
/// the sums are exact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forest<E = OneLeaf> {
    /// How each tree makes iterations.
    pub(crate) each: E,
    pub(crate) trees: usize,
    pub(crate) threads: usize,
    pub(crate) exchange: Exchange,
}

impl<E> Forest<E> {
    pub(crate) fn new(each: E, n: usize) -> Self {
        Forest { each, trees: n, threads: n, exchange: Exchange::new() }
    }
}

/// The trees of a forest, and what they have told each other.
#[doc(hidden)]
#[derive(Clone)]
pub struct Grove<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> {
    pub(crate) forest: Forest<L>,
    /// The trees of this process, at least one. A tree is created when it joins the search.
    pub(crate) members: Vec<Member<S, P, R, B>>,
    /// How many trees have joined the search, with those of other processes.
    pub(crate) joined: usize,
    /// The policies as they were before the first run: with them, each tree begins.
    pub(crate) policies: Option<(P, R, B)>,
    /// The number of the first of them. It is 0 unless several processes search together.
    pub(crate) first_number: usize,
    pub(crate) memory_limit: usize,
    pub(crate) seed: u64,
    pub(crate) exchanges: ExchangeCounts,
    /// Whether all trees agree about the trunk. They do not after a panic that no error can report.
    pub(crate) is_consistent: bool,
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
    /// The part of this time in which it waited for the other trees: for other threads, and for messages of
    /// other ranks.
    pub waiting: Duration,
    /// The bytes that this process sent to each other rank; see [`Mcts::run_linked`].
    pub bytes: u64,
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    /// Returns copies of the policies.
    pub(crate) fn policies(&self) -> (P, R, B)
    where
        P: Clone,
        R: Clone,
        B: Clone,
    {
        (self.tree_policy.clone(), self.rollout_policy.clone(), self.backprop.clone())
    }

    /// Returns a search of the same state with the same settings, with copies of these policies and another
    /// seed, without a tree.
    pub(crate) fn sibling(&self, (tree_policy, rollout_policy, backprop): &(P, R, B), seed: u64) -> Self
    where
        P: Clone,
        R: Clone,
        B: Clone,
    {
        let search = OneTree::new(self.space.clone());
        let policies = |_, _, _| (tree_policy.clone(), rollout_policy.clone(), backprop.clone());
        let mut search = search.with(policies);
        (search.players, search.chooser) = (self.players, self.chooser);
        search.earlier = self.earlier.clone();
        search.set_expansion(self.expansion);
        search.decision = self.decision;
        search.root_actions = self.root_actions.clone();
        search.set_seed(seed);
        search.decision_seed = self.decision_seed;
        search
    }
}

/// What each tree may take.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// The bytes of a tree without its trunk, and those of its trunk.
    pub(crate) tree: usize,
    pub(crate) trunk: usize,
    /// The visits from which a node keeps its children. The children of a node in the trunk stay, so that no
    /// tree loses what it has not exchanged yet.
    pub(crate) kept_visits: Option<u32>,
}

impl Limits {
    fn set<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
        self,
        Member { search, trunk, .. }: &mut Member<S, P, R, B>,
    ) {
        // A trunk of an earlier run may be larger.
        let limit = if self.tree == usize::MAX {
            self.tree
        } else {
            (self.tree + self.trunk).saturating_sub(self.trunk.max(trunk.bytes()))
        };
        search.set_memory_limit(limit);
        trunk.set_limit(self.trunk);
        if let Some(visits) = self.kept_visits {
            search.tree.keep_children_from(visits);
        }
    }
}

impl<S, P, R, B, E> Mcts<S, P, R, B, E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B>,
{
    /// Searches with `n` trees on `n` threads; see [`Forest`]. What this search has found is kept. Pending
    /// iterations of a [window](Mcts::window) are [finished](Mcts::finish) first.
    ///
    /// The search must have one tree, with a window or without. The policies are cloned for each further
    /// tree; a [`Batcher`](crate::search::Batcher) lets all trees fill one batch of an evaluator. To get the
    /// same results on machines with other numbers of cores, set the number of `threads` apart.
    pub fn parallel(self, n: usize) -> Mcts<S, P, R, B, Forest<E>>
    where
        E: Single<S, P, R, B>,
    {
        let (each, tree) = E::into_tree(self.trees);
        Mcts { trees: Grove::new(Forest::new(each, n), tree) }
    }

    /// Searches on all cores of this machine, with a tree for each: [`parallel`](Self::parallel) with their
    /// number. Where the system does not tell it, it is 1.
    ///
    /// The rule: one tree, and one more for each 1000 visits of the root, at most one for each core. If an
    /// iteration takes a millisecond or more, let the trees [join
    /// earlier](crate::search::Exchange::start). The result depends on the number of cores; to repeat it
    /// elsewhere, name the number of trees.
    ///
    /// It never takes the threads of a [window](Mcts::window) in place of trees: only the clock could tell
    /// how long a rollout takes, and the result would depend on it. On two cores, trees are as strong in the
    /// same time with rollouts of 50 microseconds, and stronger with shorter ones. From 4 cores on and with
    /// such rollouts, choose `window(16 * n).threads(n)`: at the numbers of iterations to expect, it scored
    /// 0.57 to 0.67 against *n* trees on Connect 4, and 0.50 and 0.59 on Hex. It also takes policies that
    /// cannot be merged, with which trees do not compile.
    ///
    /// ```
    /// use ramure::prelude::*;
    /// let mut search = Mcts::new(ramure::games::Connect4::new()).all_cores();
    /// search.run(Budget::millis(20))?;
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn all_cores(self) -> Mcts<S, P, R, B, Forest<E>>
    where
        E: Single<S, P, R, B>,
    {
        self.parallel(std::thread::available_parallelism().map_or(1, usize::from))
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, E: Single<S, P, R, B>>
    Mcts<S, P, R, B, Forest<E>>
{
    /// Sets the number of threads, from 1. More threads than trees are not used. \[Default: one for each
    /// tree\]
    ///
    /// With a budget of iterations, the result does not depend on it.
    pub fn threads(mut self, threads: usize) -> Self {
        self.trees.forest.threads = threads;
        self
    }

    /// Sets how often the trees exchange what they found, and how much. \[Default: [`Exchange::new`]\]
    pub fn exchange(mut self, exchange: Exchange) -> Self {
        self.trees.forest.exchange = exchange;
        self
    }

    /// Returns what the exchanges of the latest run did.
    pub fn exchanges(&self) -> ExchangeCounts {
        self.trees.exchanges
    }
}

impl<S, P, R, B, E> Engine<S, P, R, B> for Forest<E>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Single<S, P, R, B>,
{
    type Trees = Grove<S, P, R, E::Backprop, E>;
}

impl<E> Sealed for Forest<E> {}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> View<S, P, R> for Grove<S, P, R, B, L> {}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> Advance<S> for Grove<S, P, R, B, L> {
    fn advance(&mut self, action: ActionOf<S>, space: Option<S>) -> Result<(), SearchError> {
        self.agree();
        let stored = stored::<S>(self.space().root(), action.clone());
        let (first, others) = self.members.split_at_mut(1);
        let step = first[0].search.plan(&action, space.clone())?;
        let root = trunk::keyed::<S>(step.space.root(), step.chooser);
        SearchError::unless_failed::<S::Game>(0)?;
        // A model that can fail is asked once: the other trees get the answer.
        let space = space.or_else(|| S::Game::CAN_FAIL.then(|| step.space.clone()));
        let others = others.iter_mut().map(|member| member.search.plan(&action, space.clone()).ok());
        let others: Option<Vec<_>> = others.collect();
        let mut forgets = match (step.left, root) {
            (Some(left), Some(((next, _), _))) => {
                let Member { trunk, search, .. } = &self.members[0];
                trunk.may_rest_on(left, next, |stats| search.backprop.knows(stats, search.players))
            }
            _ => false,
        };
        let size = |member: &Member<S, P, R, B>| (member.trunk.len(), member.trunk.position_count());
        let agree = self.members.iter().all(|member| size(member) == size(&self.members[0]));
        if others.is_none() || !agree {
            self.keep_first(); // the game has given two answers to the same question
        }
        let children: Vec<_> = self.members.iter().map(|member| member.trunk.child(&stored)).collect();
        // The game is not asked any more, unless the clone of an action panics.
        self.is_consistent = false;
        for (member, step) in
            self.members.iter_mut().zip([step].into_iter().chain(others.into_iter().flatten()))
        {
            forgets |= member.search.take_step(step);
        }
        if forgets {
            self.keep_first(); // the others would tell these proofs again
            return Ok(());
        }
        // A position stays in the trunk as long as some tree has it.
        let mut lives = vec![false; self.members[0].trunk.position_count()];
        for Member { trunk, search, .. } in &self.members {
            lives.iter_mut().zip(trunk.which_live(&search.tree)).for_each(|(lives, here)| *lives |= here);
        }
        for (Member { trunk, search, .. }, child) in self.members.iter_mut().zip(children) {
            trunk.advance(&search.tree, child, root, &lives);
        }
        self.is_consistent = true;
        Ok(())
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> Trees<S, P, R> for Grove<S, P, R, B, L> {
    type Space = S;
    type Backprop = B;

    fn space(&self) -> &S {
        &self.first().space
    }

    fn first(&self) -> &OneTree<S, P, R, B> {
        &self.members[0].search
    }

    fn each(&mut self, set: impl FnMut(&mut OneTree<S, P, R, B>)) {
        self.members.iter_mut().map(|member| &mut member.search).for_each(set);
    }

    fn bytes(&self) -> usize {
        let bytes = |member: &Member<S, P, R, B>| member.search.bytes() + member.trunk.bytes();
        self.members.iter().map(bytes).sum()
    }

    fn clear(&mut self) {
        self.keep_first();
        self.members[0].search.clear();
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        for (number, member) in (self.first_number..).zip(&mut self.members) {
            member.search.set_seed(seed_of(seed, number));
            // All ranks decide alike.
            member.search.decision_seed = seed;
        }
    }

    fn set_memory_limit(&mut self, limit: usize) {
        self.memory_limit = limit;
    }

    /// This may move the children of the root.
    fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        for Member { search, trunk, .. } in &mut self.members {
            search.set_root_actions(actions.clone());
            trunk.forget_places();
        }
    }

    fn set_expansion(&mut self, expansion: Expansion) {
        if expansion.tries() != self.first().expansion.tries() {
            self.keep_first();
        }
        self.each(|search| search.set_expansion(expansion));
    }

    fn reset(&mut self, space: S) {
        self.keep_first();
        self.members[0].search.reset(space);
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>, L> Grove<S, P, R, B, L> {
    /// Plants a forest whose first tree is `tree`.
    pub(crate) fn new(forest: Forest<L>, tree: OneTree<S, P, R, B>) -> Self {
        Grove {
            forest,
            joined: 1,
            policies: None,
            first_number: 0,
            memory_limit: tree.memory_limit,
            seed: tree.decision_seed,
            members: vec![Member::new(tree)],
            exchanges: ExchangeCounts::default(),
            is_consistent: true,
        }
    }

    /// Keeps only what the first tree has. The other trees join again.
    fn keep_first(&mut self) {
        self.members.truncate(1);
        self.members[0].trunk.clear();
        (self.joined, self.is_consistent) = (1, true);
    }

    /// If the trees may disagree, keeps only what the first one has.
    pub(crate) fn agree(&mut self) {
        if !self.is_consistent {
            self.keep_first();
        }
    }

    /// Returns what each tree may take, of equal shares of the limit.
    pub(crate) fn equal_limits(&self) -> Limits {
        let share = self.memory_limit / self.forest.trees.max(1);
        let trunk = if self.forest.trees > 1 { (share / 3).min(MOST_TRUNK) } else { 0 };
        let kept_visits = (self.forest.trees > 1).then(|| self.forest.exchange.least(0));
        match self.memory_limit {
            usize::MAX => Limits { tree: usize::MAX, trunk: usize::MAX, kept_visits },
            _ => Limits { tree: share - trunk, trunk, kept_visits },
        }
    }

    /// Returns what each tree may take in a run. All ranks must agree about the trunk, so they have equal
    /// shares. In one process, a tree may have more than its share, from before the limit was set: the trunks
    /// get no more than the trees leave, and the other trees the rest.
    fn limits(&self, is_linked: bool) -> Limits {
        let (limit, trees, equal) = (self.memory_limit, self.forest.trees, self.equal_limits());
        if is_linked || limit == usize::MAX || trees <= 1 {
            return equal;
        }
        let sizes = self.members.iter().map(|member| member.search.bytes());
        let left = limit.saturating_sub(sizes.clone().sum()) / trees;
        // All trunks have this much already, if not more.
        let least = self.members.iter().map(|member| member.trunk.bytes()).min();
        let trunk = equal.trunk.min(left).max(least.unwrap_or(0));
        Limits { tree: share_of(limit.saturating_sub(trees * trunk), trees, sizes), trunk, ..equal }
    }

    /// Puts the first tree of this process into its place. What trees with other numbers have found is lost.
    fn place(&mut self, numbers: Range<usize>) -> Result<(), SearchError>
    where
        P: Clone,
        R: Clone,
        B: Clone,
    {
        let policies = self.policies.take().unwrap_or_else(|| self.first().policies());
        let policies = self.policies.insert(policies);
        if numbers.start != self.first_number {
            let first = &self.members[0].search;
            let mut anew = first.sibling(policies, seed_of(self.seed, numbers.start));
            anew.stop = first.stop.clone();
            self.members.truncate(1);
            self.members[0] = Member::new(anew); // also if the drop of an action panics
            (self.first_number, self.joined) = (numbers.start, 1);
        }
        self.members.truncate(numbers.len());
        Ok(())
    }

    /// Checks the settings of the forest itself.
    fn check(&self) -> Result<(), SearchError> {
        let fits = (1..=MOST_TREES).contains(&self.forest.trees);
        ParameterError::unless(fits, "Mcts::parallel", self.forest.trees as f64, "from 1 to 4096")?;
        if let Some(range) = only_one_tree::<S, B>() {
            ParameterError::unless(
                self.forest.trees == 1,
                "Mcts::parallel",
                self.forest.trees as f64,
                range,
            )?;
        }
        ParameterError::unless(self.forest.threads > 0, "Mcts::threads", 0.0, "at least 1")?;
        Ok(self.forest.exchange.check()?)
    }

    /// Drops the trees that failed in an exchange, and returns the first error. The others have completed the
    /// exchange, and go on; new trees take the places of those that are lost. If there is none, the first
    /// tree stays, and some of its nodes do not have what the other trees found.
    fn mend(&mut self) -> Option<SearchError> {
        let error = self.members.iter().find_map(|member| member.broken.clone())?;
        if self.members.iter().all(|member| member.broken.is_some()) {
            self.keep_first();
            self.members[0].broken = None;
        } else {
            self.members.retain(|member| member.broken.is_none());
            self.joined = self.members.len();
        }
        Some(error)
    }
}

impl<S, P, R, B, L> Run<S> for Grove<S, P, R, B, L>
where
    S: ForestSpace,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Clone + Send,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        self.check()?;
        self.forest.each.check()?;
        self.agree();
        guarded(|| self.place(0..self.forest.trees))?;
        self.joined = self.members.len();
        self.run_on(budget, every, observer, &clock, None)
    }

    fn report(&self) -> Result<Report<ActionOf<S>>, SearchError> {
        Ok(self.with_sizes(self.first().report()?))
    }

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        self.first().actions_after(line)
    }
}

impl<S, P, R, B, L> Grove<S, P, R, B, L>
where
    S: ForestSpace,
    P: ForestPolicy<S::Game> + FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Clone + Send,
    B: ForestBackprop<S::Game>,
    L: Pace<S, P, R, B>,
{
    /// Runs after the settings of the forest are checked, and after the trees of this process are in their
    /// places. If other processes take part, `ranks` leads to their trees.
    fn run_on(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
        clock: &WallClock,
        ranks: Option<Ranks<'_, P::Stats, B::Stats>>,
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        self.exchanges = ExchangeCounts::default();
        let is_linked = ranks.is_some();
        let report = guarded(|| self.begin(budget, is_linked));
        let report = report.and_then(|turn| self.run_members(turn, budget, every, observer, clock, ranks));
        self.each(|search| search.tree.tidy());
        let report = self.mend().map_or(report, Err).map_err(|error| match error {
            SearchError::MemoryLimit { .. } => SearchError::MemoryLimit { limit: self.memory_limit },
            other => other,
        });
        report.map(|report| if is_linked { report } else { self.with_sizes(report) })
    }

    /// Begins a run with the trees that there are. Returns the turn at the root. After an error, the trunks
    /// of all trees still agree when they are planted again.
    fn begin(&mut self, budget: Budget, is_linked: bool) -> Result<Turn, SearchError> {
        if let [Member { search, trunk, .. }] = &mut self.members[..]
            && trunk.visits() == 0
            && search.shrink_to(self.memory_limit / self.forest.trees.max(1))
        {
            trunk.clear();
        }
        let (limits, players, stop) =
            (self.limits(is_linked), self.first().players, self.first().stop.clone());
        let each = self.each_of(budget);
        for member in &mut self.members {
            limits.set(member);
            member.search.stop = stop.clone();
            member.search.players = players; // each has asked the game, and only the first one checks the answer
        }
        let turn = self.members[0].search.prepare(budget)?;
        for member in &mut self.members[1..] {
            member.search.plant()?;
        }
        // Only when all are prepared. One tree has nothing to exchange: its trunk stays empty.
        if self.forest.trees > 1 && !self.plant_trunks() {
            // Other positions may have used up the room, which the first tree has, too, or other trees.
            self.keep_first();
            self.limits(is_linked).set(&mut self.members[0]);
            if !self.plant_trunks() {
                return Err(SearchError::MemoryLimit { limit: self.memory_limit });
            }
        }
        SearchError::unless_failed::<S::Game>(0)?;
        for Member { search, counts, trunk, .. } in &mut self.members {
            if search.begin(each) {
                trunk.forget_places();
            }
            *counts = RunCounts::new(StopReason::NotRun);
        }
        Ok(turn)
    }

    /// Puts the root and its children into the trunks of all trees. Returns whether there was room.
    fn plant_trunks(&mut self) -> bool {
        let mut all_fit = true;
        self.is_consistent = false; // if the game or the drop of an action panics
        for Member { search, trunk, .. } in &mut self.members {
            all_fit &= trunk.plant::<S>(search.space.root(), search.chooser);
        }
        self.is_consistent = true;
        all_fit
    }

    /// Returns the iterations of one tree, if the budget bounds those of all.
    fn each_of(&self, budget: Budget) -> Option<u64> {
        budget.iterations.map(|iterations| iterations.div_ceil(self.forest.trees as u64))
    }

    /// Returns what the threads of a run share.
    fn shared<'c>(
        &self,
        turn: Turn,
        budget: Budget,
        clock: &'c WallClock,
        ranks: Option<&Ranks<'_, P::Stats, B::Stats>>,
    ) -> Shared<'c, P::Stats, B::Stats> {
        let Forest { trees, threads, exchange, .. } = self.forest;
        let own = ranks.map_or(0..trees, |ranks| ranks.own.clone());
        Shared {
            digests: (0..trees).map(|_| [RwLock::new(Digest::new()), RwLock::new(Digest::new())]).collect(),
            threads: threads.min(own.len()),
            own,
            meeting: Meeting::new(1),
            turn,
            exchange,
            visits: ranks.map_or_else(|| self.first().root_visits(), |ranks| ranks.visits),
            bytes: budget.bytes.map_or(usize::MAX, |bytes| bytes.0 / trees),
            clock,
        }
    }

    fn run_members(
        &mut self,
        turn: Turn,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
        clock: &WallClock,
        ranks: Option<Ranks<'_, P::Stats, B::Stats>>,
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let (Forest { each: pace, trees, .. }, first) = (self.forest, self.first_number);
        let policies = self.policies.take().unwrap_or_else(|| self.first().policies());
        let stop = self.first().stop.clone();
        let shared = &self.shared(turn, budget, clock, ranks.as_ref());
        let progress = Progress::new(self.joined, trees, self.members[0].trunk.visits());
        let start = Start {
            policies: &policies,
            seed: self.seed,
            stop: stop.clone(),
            limits: self.limits(ranks.is_some()),
            iterations: self.each_of(budget),
        };
        let mut members = core::mem::take(&mut self.members).into_iter();
        // A panic of the observer is not one of the search.
        let is_observed = Cell::new(false);
        let observer = &mut |report: &Report<ActionOf<S>>| {
            is_observed.set(true);
            observer(report);
            is_observed.set(false);
        };
        let mut kept = Vec::new();
        let ended = catch_unwind(AssertUnwindSafe(|| {
            thread::scope(|scope| {
                let (to_first, back) = channel();
                let mut hire = |crew: SharedCrew<S, P, R, B>| {
                    let (way, tasks) = channel();
                    let to_first = to_first.clone();
                    let work = move || crews::work(pace, &crew, &tasks, &to_first, shared);
                    thread::Builder::new().spawn_scoped(scope, work).map(|_| way)
                };
                let carrier = ranks.map(|ranks| -> &mut dyn Carrier<_, _> { ranks.carrier });
                let mut crews = Crews {
                    shared,
                    start,
                    first: Crew { first, members: Vec::new(), progress },
                    desk: Desk::new(pace, carrier),
                    others: Vec::new(),
                    back,
                    hire: &mut hire,
                    is_torn: false,
                };
                let staffed = crews.staff(members.len());
                members.by_ref().for_each(|member| crews.add(member));
                let ran = catch_unwind(AssertUnwindSafe(|| {
                    if let (Err(error), Some(carrier)) = (&staffed, &mut crews.desk.carrier) {
                        carrier.fail(error);
                    }
                    crews.run(staffed, budget, every, observer)
                }));
                // The trees are safe before the rest is dropped: the drop of an action may panic.
                kept = crews.take_members();
                let (found, told) = ran.unwrap_or_else(|panic| (Err(panic), Ok(()))); // of a link
                (found, told, crews.is_torn, crews.desk.exchanges, crews.first.progress)
            })
        }));
        (self.members, self.policies, self.is_consistent) = (kept, Some(policies), false);
        let (found, told, is_torn, exchanges, progress) = ended.map_err(|panic| panicked_at(&*panic, 0))?;
        (self.joined, self.exchanges) = (progress.joined, exchanges);
        // After a failure of one rank, another may have what this one lacks.
        self.is_consistent = !is_torn && (!shared.is_linked() || matches!(found, Ok(Ok(_))));
        match found {
            Ok(report) => told.and(report),
            Err(panic) => {
                stop.fail_run(0);
                if is_observed.get() {
                    resume_unwind(panic);
                }
                Err(panicked_at(&*panic, 0))
            }
        }
    }

    /// Writes the sizes of all trees into a report.
    fn with_sizes(&self, mut report: Report<ActionOf<S>>) -> Report<ActionOf<S>> {
        report.nodes = self.members.iter().map(|member| member.search.tree.children()).sum();
        report.recycled_nodes = self.members.iter().map(|member| member.search.tree.recycled()).sum();
        report.bytes = self.bytes();
        report
    }
}

/// Returns the seed of the tree with this number. The first tree has the seed itself, so that a forest of one
/// tree is the same as a search.
pub(crate) fn seed_of(seed: u64, number: usize) -> u64 {
    if number == 0 { seed } else { Rng::seeded(seed ^ (number as u64) << 32).bits() }
}

impl<S, P, R, B, L> fmt::Debug for Grove<S, P, R, B, L>
where
    S: Space + fmt::Debug,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    L: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("forest", &self.forest)
            .field("first", &self.members[0].search)
            .finish_non_exhaustive()
    }
}

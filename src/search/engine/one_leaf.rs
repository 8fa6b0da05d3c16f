//! [`OneLeaf`]: the engine that makes one iteration after the other, with one tree.

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::{GameState, Turn};
use crate::iteration::root_actions::RootActions;
use crate::iteration::{FedBy, LeafOf};
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::{Advance, Engine, Run, Trees, View, reason};
use crate::search::one_tree::OneTree;
use crate::search::run::{Driver, Until, drive};
use crate::selection::TreePolicy;
use crate::simulation::{Leaf, RolloutPolicy};
use crate::space::{ActionOf, Space};

/// One leaf at a time: each iteration knows the rewards of all iterations before it. The default.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct OneLeaf;

impl Sealed for OneLeaf {}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Engine<S, P, R, B> for OneLeaf {
    type Trees = OneTree<S, P, R, B>;
}

/// A run with one leaf at a time.
struct OneByOne<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> {
    search: &'a mut OneTree<S, P, R, B>,
    leaf: LeafOf<S, P, R>,
    bytes: usize,
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Driver<S, P, R, B>
    for OneByOne<'_, S, P, R, B>
{
    fn search(&mut self) -> &mut OneTree<S, P, R, B> {
        self.search
    }

    fn least_between_checks(&self) -> u64 {
        1
    }

    #[inline(always)]
    fn iterate(
        &mut self,
        turn: Turn,
        iterations: u64,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<StopReason, SearchError> {
        let until = Until { iterations, bytes: self.bytes };
        let stop = self.search.iterate_until(turn, until, deadline, &mut self.leaf, tally);
        reason(self.search, stop?)
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Run<S>
    for OneTree<S, P, R, B>
{
    #[inline(never)]
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        let turn = self.prepare(budget)?;
        self.begin(budget.iterations);
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);
        let leaf = Leaf::new(self.root(), B::COUNTS);
        drive(&mut OneByOne { search: self, leaf, bytes }, turn, budget, every, observer, &clock)
    }

    fn report(&self) -> Result<Report<ActionOf<S>>, SearchError> {
        self.report_counts(&RunCounts::new(StopReason::NotRun))
    }

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        self.actions_of(line)
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> View<S, P, R> for OneTree<S, P, R, B> {}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Advance<S> for OneTree<S, P, R, B> {
    fn advance(&mut self, action: ActionOf<S>, space: Option<S>) -> Result<(), SearchError> {
        let step = self.plan(&action, space)?;
        self.take_step(step);
        Ok(())
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Trees<S, P, R> for OneTree<S, P, R, B> {
    type Space = S;
    type Backprop = B;

    fn space(&self) -> &S {
        &self.space
    }

    fn first(&self) -> &OneTree<S, P, R, B> {
        self
    }

    fn each(&mut self, mut set: impl FnMut(&mut OneTree<S, P, R, B>)) {
        set(self);
    }

    fn reset(&mut self, space: S) {
        self.moment += 1;
        (self.players, self.chooser) = (space.root().players(), 0);
        self.space = space;
        self.root_actions = RootActions::default();
        self.earlier.clear();
        self.clear();
    }
}

//! [`OneLeaf`]: the engine that makes one iteration after the other, with one tree.

use crate::__sealed::Sealed;
use crate::backpropagation::Backprop;
use crate::game::{GameState, Turn};
use crate::iteration::root_actions::RootActions;
use crate::iteration::{FedBy, LeafOf};
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every, StopReason};
use crate::run::clock::{Deadline, WallClock};
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::{Advance, Alone, Engine, Pace, Run, Single, Trees, View};
use crate::search::one_tree::OneTree;
use crate::search::run::{Until, drive};
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

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> Single<S, P, R, B> for OneLeaf {
    type Backprop = B;

    fn into_tree(tree: OneTree<S, P, R, B>) -> (Self, OneTree<S, P, R, B>) {
        (OneLeaf, tree)
    }
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> Pace<S, P, R, B>
    for OneLeaf
{
    type State = LeafOf<S, P, R>;

    fn setting(self) -> String {
        "none".into()
    }

    fn check(self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn leaves(self) -> u64 {
        1
    }

    fn begin(self, search: &OneTree<S, P, R, B>) -> Self::State {
        Leaf::new(search.root(), B::COUNTS)
    }

    #[inline(always)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn iterate(
        self,
        leaf: &mut Self::State,
        search: &mut OneTree<S, P, R, B>,
        turn: Turn,
        until: Until,
        deadline: &mut Option<Deadline<'_, WallClock>>,
        tally: &mut RunCounts,
    ) -> Result<Option<StopReason>, SearchError> {
        search
            .iterate_until(turn, until, deadline, leaf, tally)
            .map_err(|fault| SearchError::of::<S, _>(leaf, fault))
    }

    fn ply(self, leaf: &Self::State) -> u32 {
        leaf.ply()
    }

    fn recover(self, _: &mut Self::State, _: &mut OneTree<S, P, R, B>, _: Turn) {}
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
        let state = &mut Leaf::new(self.root(), B::COUNTS);
        let mut alone = Alone { search: self, pace: OneLeaf, state, bytes };
        drive(&mut alone, turn, budget, every, observer, &clock)
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

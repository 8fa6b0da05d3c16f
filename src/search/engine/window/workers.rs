//! Who simulates the leaves of a window: the thread that searches, or several threads.

use crate::__sealed::Sealed;
use crate::game::{GameFault, Rewards, Rng, unless_failed, unless_undeclared};
use crate::iteration::{FedBy, Traces};
use crate::parameter::ParameterError;
use crate::search::engine::panics::panicked;
use crate::search::engine::window::pending::Pending;
use crate::selection::TreePolicy;
use crate::simulation::{BatchLeaf, Position, RolloutPolicy};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::panic::AssertUnwindSafe;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// A pending iteration of a search with these policies.
pub(crate) type PendingOf<S, P, R> =
    Pending<S, <P as TreePolicy<<S as Space>::Game>>::Stats, Traces<S, P, R>>;

/// Who simulates the leaves of a window: [`Threads`], or `()` for the thread that searches. Sealed.
#[diagnostic::on_unimplemented(
    message = "the leaves of this search cannot be simulated on several threads",
    label = "some part of the search cannot be shared between threads",
    note = "the game and its actions must be `Send`, and the rollout policy `Sync`: use a `Mutex` in place of a `Cell`, and an `Arc` in place of an `Rc`"
)]
pub trait Workers<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>>:
    Copy + Send + Sync + Sealed
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Checks the number of threads.
    #[doc(hidden)]
    fn check(&self) -> Result<(), ParameterError>;

    /// Simulates all leaves that have no rewards yet.
    #[doc(hidden)]
    fn simulate(&self, rollout_policy: &R, leaves: Leaves<'_, S, P, R>, rng: &mut Rng);
}

/// The pending iterations of a window, for its workers.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "hidden")]
pub struct Leaves<'a, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    pub(crate) &'a mut VecDeque<PendingOf<S, P, R>>,
);

/// Several threads simulate, each one leaf at a time; see
/// [`Mcts::threads`](crate::Mcts::threads).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub(crate) usize);

impl Sealed for Threads {}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Workers<S, P, R> for () {
    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    #[inline(always)]
    fn simulate(&self, rollout_policy: &R, Leaves(leaves): Leaves<'_, S, P, R>, rng: &mut Rng) {
        if P::Stats::INITIALIZES {
            ask_for_priors::<S, P, R>(rollout_policy, leaves);
        }
        let open = leaves.iter_mut().filter(|pending| pending.is_question());
        let batch = open.map(|pending| BatchLeaf::new(&mut pending.leaf, &mut pending.result));
        let mut batch: SmallVec<[_; 16]> = batch.collect();
        rollout_policy.simulate_batch(&mut batch, rng);
    }
}

/// Asks for the priors of the leaves that are to get children, all in one batch.
fn ask_for_priors<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    rollout_policy: &R,
    leaves: &mut VecDeque<PendingOf<S, P, R>>,
) {
    let wants = |pending: &&mut PendingOf<S, P, R>| pending.expands && pending.is_question();
    let positions = leaves.iter_mut().filter(wants);
    let mut positions: Vec<_> =
        positions.map(|pending| Position::new(pending.leaf.state(), &pending.actions)).collect();
    P::Stats::priors_batch(rollout_policy, &mut positions);
    let answers: Vec<_> = positions.into_iter().map(|position| (position.priors, position.value)).collect();
    for (pending, (priors, value)) in leaves.iter_mut().filter(wants).zip(answers) {
        pending.priors = priors;
        match value {
            Ok(value) => pending.leaf.set_value(value),
            Err(error) => pending.result = Some(Err(pending.leaf.fail(error))),
        }
    }
}

impl<S, P, R> Workers<S, P, R> for Threads
where
    S: Space<Game: Send>,
    ActionOf<S>: Send,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Sync,
    P::Stats: Send,
    Traces<S, P, R>: Send,
{
    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless(self.0 > 0, "Mcts::threads", 0.0, "at least 1")
    }

    fn simulate(&self, rollout_policy: &R, Leaves(leaves): Leaves<'_, S, P, R>, rng: &mut Rng) {
        // Each leaf has its own random numbers, so the results do not depend on the threads.
        let open = leaves.iter_mut().filter(|pending| pending.is_question());
        let tasks: Vec<_> = open.map(|pending| Mutex::new((pending, Rng::seeded(rng.bits())))).collect();
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                // Each task is taken once, so this never waits.
                let Ok(mut task) = task.lock() else { continue };
                let (pending, rng) = &mut *task;
                let simulated =
                    catch_unwind(AssertUnwindSafe(|| simulate_one::<S, P, R>(rollout_policy, pending, rng)));
                let simulated = simulated.unwrap_or_else(|panic| Err(pending.leaf.fail(panicked(&*panic))));
                let failed = unless_failed::<S::Game>().and_then(|()| unless_undeclared::<S::Game>());
                let simulated = simulated.and_then(|rewards| failed.map(|()| rewards));
                pending.result = Some(simulated.map_err(|fault| pending.leaf.blame(fault)));
            }
        };
        thread::scope(|scope| {
            for _ in 1..self.0.min(tasks.len()) {
                // If no more threads can be started, those that run do all the work.
                if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }
}

/// Asks for the priors of a leaf, if it is to get children, and simulates from it.
fn simulate_one<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    rollout_policy: &R,
    pending: &mut PendingOf<S, P, R>,
    rng: &mut Rng,
) -> Result<Rewards, GameFault> {
    if pending.expands {
        pending.priors = vec![1.0; pending.actions.len()];
        let (leaf, actions) = (&mut pending.leaf, &pending.actions);
        let value = P::Stats::priors(rollout_policy, leaf.state(), actions, &mut pending.priors)
            .map_err(|error| leaf.fail(error))?;
        leaf.set_value(value);
    }
    rollout_policy.simulate(&mut pending.leaf, rng)
}

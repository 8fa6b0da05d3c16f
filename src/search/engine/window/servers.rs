//! Who simulates the leaves of a window: the thread of the tree, and on several threads its servers, too.

use crate::__sealed::Sealed;
use crate::cpu_features::with_best_instructions;
use crate::game::{Cause, GameFault, Rewards, Rng, take_failure};
use crate::iteration::{FedBy, Traces};
use crate::parameter::ParameterError;
use crate::search::engine::panics::panicked;
use crate::search::engine::window::board::Board;
use crate::selection::TreePolicy;
use crate::simulation::{BatchLeaf, Leaf, Position, RolloutPolicy, Trace};
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::mem::forget;
use core::panic::AssertUnwindSafe;
use smallvec::SmallVec;
use std::panic::catch_unwind;
use std::sync::{PoisonError, RwLock};
use std::thread;

/// The most threads of a search.
const MOST_THREADS: usize = 1 << 12;

/// The task for an iteration that waits at its leaf: to simulate from there, and to ask for priors if the
/// leaf is to get children with them.
pub(crate) struct Task<S: Space, T> {
    pub leaf: Leaf<S::Game, T>,
    /// The random numbers of this simulation. They are its own, so who simulates, and when, changes nothing.
    pub rng: Rng,
    /// Whether the leaf gets children with priors.
    pub expands: bool,
    /// The actions of such a leaf.
    pub actions: Vec<ActionOf<S>>,
    /// Their priors.
    pub priors: Vec<f32>,
    /// The rewards. `None` if they have not arrived.
    pub result: Option<Result<Rewards, Cause>>,
}

impl<S: Space, T: Trace<S::Game>> Task<S, T> {
    /// Creates a task whose leaf is at the root.
    pub fn new(leaf: Leaf<S::Game, T>) -> Self {
        let (actions, priors) = (Vec::new(), Vec::new());
        Task { leaf, rng: Rng::seeded(0), expands: false, actions, priors, result: None }
    }

    /// Returns the same task for a copy of the search. An error stays with the original.
    pub fn copy(&self) -> Self {
        Task {
            leaf: self.leaf.copy(),
            rng: self.rng.clone(),
            actions: self.actions.clone(),
            priors: self.priors.clone(),
            result: self.result.clone().filter(Result::is_ok),
            expands: self.expands,
        }
    }
}

/// The task of an iteration of a search with these policies, boxed because it moves between threads.
pub(crate) type TaskOf<S, P, R> = Box<Task<S, Traces<S, P, R>>>;

/// Simulates from the leaves of some tasks, after asking for the priors of those that get children. Each has a
/// result afterwards.
#[inline(never)]
pub(crate) fn serve<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    rollout_policy: &R,
    tasks: &mut [(u64, TaskOf<S, P, R>)],
) {
    if P::Stats::INITIALIZES {
        ask_for_priors::<S, P, R>(rollout_policy, tasks);
    }
    let open = tasks.iter_mut().filter(|(_, task)| task.result.is_none());
    let batch = open.map(|(_, task)| BatchLeaf::new(&mut task.leaf, &mut task.rng, &mut task.result));
    let mut batch: SmallVec<[_; 16]> = batch.collect();
    with_best_instructions(
        #[inline(always)]
        || rollout_policy.simulate_batch(&mut batch),
    );
    drop(batch);
    let failed = take_failure().map(Cause::from); // between two leaves
    for (_, task) in tasks {
        let result = task.result.take().unwrap_or_else(|| Err(GameFault::NotEvaluated.into()));
        task.result = Some(result.and_then(|rewards| failed.clone().map_or(Ok(rewards), Err)));
    }
}

/// Does what [`serve`] does. A panic is the error of each leaf.
fn serve_guarded<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    rollout_policy: &R,
    tasks: &mut [(u64, TaskOf<S, P, R>)],
) {
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| serve::<S, P, R>(rollout_policy, tasks))) {
        for (_, task) in tasks {
            task.result = Some(Err(panicked(&*panic).into()));
        }
        // If these panicked when they are dropped, the tasks would be lost.
        forget((panic, take_failure()));
    }
}

/// Asks for the priors of the leaves that get children, all in one batch.
fn ask_for_priors<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>>(
    rollout_policy: &R,
    tasks: &mut [(u64, TaskOf<S, P, R>)],
) {
    let asking = tasks.iter_mut().filter(|(_, task)| task.expands);
    let mut positions: Vec<_> =
        asking.map(|(_, task)| Position::new(task.leaf.state(), &task.actions)).collect();
    P::Stats::priors_batch(rollout_policy, &mut positions);
    let answers: Vec<_> = positions.into_iter().map(|position| (position.priors, position.value)).collect();
    for ((_, task), (priors, value)) in tasks.iter_mut().filter(|(_, task)| task.expands).zip(answers) {
        task.priors = priors;
        match value {
            Ok(value) => task.leaf.set_value(value),
            Err(error) => task.result = Some(Err(error.into())),
        }
    }
}

/// Who simulates the leaves of a window: [`Threads`], or `()` for the thread of the tree alone. Sealed.
#[diagnostic::on_unimplemented(
    message = "the leaves of this search cannot be simulated on several threads",
    label = "some part of the search cannot be shared between threads",
    note = "the game and its actions must be `Send`, and the rollout policy `Send` and `Sync`: use a `Mutex` in place of a `Cell`, and an `Arc` in place of an `Rc`"
)]
pub trait Servers<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>>:
    Copy + Send + Sync + Sealed
where
    P::Stats: Statistics<S::Game, R>,
{
    /// Whether a run that the clock ends may do without a window that does not pay.
    const MAY_DO_WITHOUT: bool;

    /// Checks the number of threads.
    fn check(&self) -> Result<(), ParameterError>;

    /// Returns how many threads serve beside that of the tree.
    fn count(&self) -> usize;

    /// Does what [`serve`] does.
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn serve(&self, rollout_policy: &R, tasks: &mut [(u64, TaskOf<S, P, R>)]);

    /// Calls `work` with a function that starts one more server, and returns whether it could. Until `work` returns or
    /// it `is_late`, servers take up to `batch` tasks at once. If the policy `learns`, they unlock it between two tasks.
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn beside<X>(
        &self,
        board: &Board<TaskOf<S, P, R>>,
        rollout_policy: &RwLock<&mut R>,
        batch_and_learns: (usize, bool),
        is_late: &(dyn Fn() -> bool + Sync),
        work: impl FnOnce(&dyn Fn() -> bool) -> X,
    ) -> X;
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Servers<S, P, R> for () {
    const MAY_DO_WITHOUT: bool = false;

    fn check(&self) -> Result<(), ParameterError> {
        Ok(())
    }

    fn count(&self) -> usize {
        0
    }

    #[inline(always)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn serve(&self, rollout_policy: &R, tasks: &mut [(u64, TaskOf<S, P, R>)]) {
        serve::<S, P, R>(rollout_policy, tasks);
    }

    #[inline(always)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn beside<X>(
        &self,
        _: &Board<TaskOf<S, P, R>>,
        _: &RwLock<&mut R>,
        _: (usize, bool),
        _: &(dyn Fn() -> bool + Sync),
        work: impl FnOnce(&dyn Fn() -> bool) -> X,
    ) -> X {
        work(&|| false)
    }
}

/// The number of threads, one of which holds the tree; see [`Mcts::threads`](crate::Mcts::threads).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threads(pub(crate) usize);

impl Sealed for Threads {}

impl<S, P, R> Servers<S, P, R> for Threads
where
    S: Space<Game: Send>,
    ActionOf<S>: Send,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game> + Send + Sync,
    Traces<S, P, R>: Send,
{
    const MAY_DO_WITHOUT: bool = true;

    fn check(&self) -> Result<(), ParameterError> {
        let fits = (1..=MOST_THREADS).contains(&self.0);
        ParameterError::unless(fits, "Mcts::threads", self.0 as f64, "from 1 to 4096")
    }

    fn count(&self) -> usize {
        self.0 - 1
    }

    #[inline(always)]
    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn serve(&self, rollout_policy: &R, tasks: &mut [(u64, TaskOf<S, P, R>)]) {
        serve_guarded::<S, P, R>(rollout_policy, tasks);
    }

    #[expect(private_interfaces, reason = "the trait is sealed, and the method is hidden")]
    fn beside<X>(
        &self,
        board: &Board<TaskOf<S, P, R>>,
        rollout_policy: &RwLock<&mut R>,
        (batch, learns): (usize, bool),
        is_late: &(dyn Fn() -> bool + Sync),
        work: impl FnOnce(&dyn Fn() -> bool) -> X,
    ) -> X {
        let read = || rollout_policy.read().unwrap_or_else(PoisonError::into_inner);
        let server = move || {
            // A policy that learns is unlocked between two tasks.
            let mut shared = None;
            let mut tasks: SmallVec<[_; 16]> = SmallVec::new();
            while let Some(first) = board.wait_for_task(&is_late) {
                tasks.push(first);
                while tasks.len() < batch
                    && let Some(more) = board.take()
                {
                    tasks.push(more);
                }
                serve_guarded::<S, P, R>(shared.get_or_insert_with(read), &mut tasks);
                shared = shared.filter(|_| !learns);
                tasks.drain(..).for_each(|(number, task)| board.give_back(number, task));
            }
        };
        /// Ends the servers, also when the work panics.
        struct Closing<'a, T>(&'a Board<T>);
        impl<T> Drop for Closing<'_, T> {
            fn drop(&mut self) {
                self.0.close();
            }
        }
        thread::scope(|scope| {
            let _closing = Closing(board);
            work(&|| thread::Builder::new().name("ramure".into()).spawn_scoped(scope, server).is_ok())
        })
    }
}

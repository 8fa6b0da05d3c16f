//! Every selection with every simulation with every backpropagation.
//!
//! To compile 120 searches takes minutes, so the five simulations are one type here, which passes every call on to the
//! one it is, and so are averages and discounted ones; [`all_combinations_are_searches`] names all 120 as they are.

use super::any::Any;
use ramure::backpropagation::{Average, Backprop, Discounted, Solver, Step};
use ramure::selection::{Grave, Puct, Rave, Thompson, TreePolicy, Ucb1, Ucb1Tuned};
use ramure::simulation::{
    Cutoff, EpsilonGreedy, Evaluate, Leaf, Mast, Priors, RolloutPolicy, Trace, Uniform, WithPriors,
};
use ramure::statistics::Statistics;
use ramure::{
    Budget, GameFault, GameState, Mcts, ParameterError, Report, Rewards, Rng, Search, SearchError, Turn,
};

/// A search, and which policies it is made of.
pub struct Member {
    /// Selection, simulation, backpropagation.
    pub name: [&'static str; 3],
    /// Runs the search, from nothing.
    pub run: Box<dyn FnOnce(Budget) -> Result<Report<u8>, SearchError>>,
}

/// How many members the zoo has.
pub const MEMBERS: usize = 6 * 5 * 4;

type Clueless = fn(&Any, &[u8], &mut [f32]) -> Rewards;
type OfAction = fn(&Any, u8) -> f32;

/// Knows nothing: all are equally likely to win, all actions equally good.
fn clueless(state: &Any, _: &[u8], _: &mut [f32]) -> Rewards {
    Rewards::new(state.players(), |_| 1.0 / f32::from(state.players()))
}

/// Likes actions that end the game well at once.
fn wins(state: &Any, action: u8) -> f32 {
    let Turn::Player(me) = state.turn() else { return 0.0 };
    let mut next = state.clone();
    next.apply(action);
    if next.turn() == Turn::Over { next.reward(me) as f32 } else { 0.5 }
}

fn alike(_: &Any, _: u8) -> f32 {
    1.0
}

fn greedy() -> EpsilonGreedy<OfAction> {
    EpsilonGreedy::new(0.5, wins)
}

fn with_priors<R>(rollouts: R) -> WithPriors<R, OfAction> {
    WithPriors::new(rollouts, alike)
}

/// One of the simulations, with priors by a function that finds all actions alike, or by the evaluator.
#[derive(Clone)]
enum Simulation {
    Uniform(WithPriors<Uniform, OfAction>),
    Cutoff(WithPriors<Cutoff, OfAction>),
    EpsilonGreedy(WithPriors<EpsilonGreedy<OfAction>, OfAction>),
    Mast(WithPriors<Mast, OfAction>),
    Evaluate(Evaluate<Clueless>),
}

macro_rules! pass_on {
    ($simulation:expr, $policy:ident => $call:expr) => {
        match $simulation {
            Simulation::Uniform($policy) => $call,
            Simulation::Cutoff($policy) => $call,
            Simulation::EpsilonGreedy($policy) => $call,
            Simulation::Mast($policy) => $call,
            Simulation::Evaluate($policy) => $call,
        }
    };
}

impl Simulation {
    fn all() -> [(&'static str, Self); 5] {
        [
            ("Uniform", Simulation::Uniform(with_priors(Uniform))),
            ("Cutoff", Simulation::Cutoff(with_priors(Cutoff::new(4)))),
            ("EpsilonGreedy", Simulation::EpsilonGreedy(with_priors(greedy()))),
            ("Mast", Simulation::Mast(with_priors(Mast::default()))),
            ("Evaluate", Simulation::Evaluate(Evaluate::new(clueless))),
        ]
    }
}

impl RolloutPolicy<Any> for Simulation {
    type Trace = <Mast as RolloutPolicy<Any>>::Trace;

    fn simulate(
        &mut self,
        leaf: &mut Leaf<Any, impl Trace<Any>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        pass_on!(self, policy => policy.simulate(leaf, rng))
    }
    fn learn(&mut self, trace: &Self::Trace, rewards: &Rewards) {
        if let Simulation::Mast(mast) = self {
            mast.learn(trace, rewards);
        }
    }
    fn check(&self) -> Result<(), ParameterError> {
        pass_on!(self, policy => RolloutPolicy::<Any>::check(policy))
    }
}

impl Priors<Any> for Simulation {
    fn priors(&mut self, state: &Any, actions: &[u8], priors: &mut [f32]) -> Option<Rewards> {
        pass_on!(self, policy => policy.priors(state, actions, priors))
    }
}

/// One of the backpropagations that prove nothing.
#[derive(Clone, Copy)]
enum Averages {
    Plain(Average),
    Discounted(Discounted),
}

impl Backprop<Any> for Averages {
    type Stats = ();

    fn update(&self, step: impl Step<Any, ()>, rewards: &mut Rewards) {
        match self {
            Averages::Plain(average) => average.update(step, rewards),
            Averages::Discounted(discounted) => discounted.update(step, rewards),
        }
    }
}

const DISCOUNTED: Discounted = Discounted::new(0.98);

/// Every selection with every simulation with every backpropagation, each once, searching from `state`.
pub fn zoo(state: &Any, seed: u64) -> Vec<Member> {
    let mut all = Vec::new();
    select(&mut all, state, seed, "Ucb1", Ucb1::default);
    select(&mut all, state, seed, "Ucb1Tuned", Ucb1Tuned::default);
    select(&mut all, state, seed, "Puct", Puct::default);
    select(&mut all, state, seed, "Grave", || Grave::new(50.0, 1e-2));
    select(&mut all, state, seed, "Rave", Rave::default);
    select(&mut all, state, seed, "Thompson", || Thompson);
    all
}

fn select<P>(all: &mut Vec<Member>, state: &Any, seed: u64, name: &'static str, policy: fn() -> P)
where
    P: TreePolicy<Any, Stats: Statistics<Any, Simulation>> + 'static,
{
    for (simulation_name, simulation) in Simulation::all() {
        let search = || {
            let search = Mcts::new(state.clone()).seed(seed);
            search.rollout_policy(simulation.clone()).tree_policy(policy())
        };
        let averages = [Averages::Plain(Average), Averages::Discounted(DISCOUNTED)];
        for (backprop_name, averages) in ["Average", "Discounted"].into_iter().zip(averages) {
            let mut search = search().backprop(averages);
            let run = Box::new(move |budget| search.run(budget));
            all.push(Member { name: [name, simulation_name, backprop_name], run });
        }
        for (backprop_name, averages) in ["Solver<Average>", "Solver<Discounted>"].into_iter().zip(averages) {
            let mut search = search().backprop(Solver::new(averages));
            let run = Box::new(move |budget| search.run(budget));
            all.push(Member { name: [name, simulation_name, backprop_name], run });
        }
    }
}

/// Names every combination as a program would; that this compiles is the test. How many there are.
pub fn all_combinations_are_searches(state: &Any) -> usize {
    fn is_search(_: impl Search<Game = Any>) {}
    let mut count = 0;
    macro_rules! back {
        ($search:expr) => {
            is_search($search.backprop(Average));
            is_search($search.backprop(Discounted::new(0.98)));
            is_search($search.backprop(Solver::new(Average)));
            is_search($search.backprop(Solver::new(Discounted::new(0.98))));
            count += 4;
        };
    }
    macro_rules! simulate {
        ($tree_policy:expr, $rollouts:expr) => {
            back!(Mcts::new(state.clone()).rollout_policy($rollouts).tree_policy($tree_policy));
        };
    }
    macro_rules! select {
        ($($tree_policy:expr),*) => { $(
            simulate!($tree_policy, Uniform);
            simulate!($tree_policy, Cutoff::new(4));
            simulate!($tree_policy, greedy());
            simulate!($tree_policy, Mast::default());
            simulate!($tree_policy, Evaluate::new(clueless));
        )* };
    }
    select!(Ucb1::default(), Ucb1Tuned::default(), Grave::default(), Rave::default(), Thompson);
    simulate!(Puct::default(), with_priors(Uniform));
    simulate!(Puct::default(), with_priors(Cutoff::new(4)));
    simulate!(Puct::default(), with_priors(greedy()));
    simulate!(Puct::default(), with_priors(Mast::default()));
    simulate!(Puct::default(), Evaluate::new(clueless));
    count
}

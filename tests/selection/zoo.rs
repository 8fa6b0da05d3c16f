//! Every selection with every simulation and every backpropagation, as types. The test is that this compiles.
//! It is never called, so no search is compiled for it.

use crate::common::any::Any;
use ramure::backpropagation::{
    Average, BayesBackup, Contempt, Discounted, ImplicitMinimax, MaxBackup, PowerMean, RecencyWeighted,
    RelativeBonus, ScoreBounds, SoftmaxBackup, Solver,
};
use ramure::selection::{
    AlphaAmaf, AtRoot, BayesUct, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy, Exp3,
    GaussianThompson, Grave, Gumbel, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    SequentialHalving, Shot, Thompson, Ucb1, Ucb1Tuned, UcbV,
};
use ramure::simulation::{
    Cutoff, Decisive, Evaluate, EvaluationPriors, FromFn, LastGoodReply, Mast, Mixed, MultipleRollouts, Nst,
    Ppa, Softmax, Uniform,
};
use ramure::{Mcts, Rewards, Search, simulation};

type Heuristic = fn(&Any, u8) -> f32;
type Evaluator = FromFn<fn(&Any, &[u8], &mut [f32]) -> Rewards>;

fn is_search<S: Search>(_: Option<S>) {}

macro_rules! back_up {
    ($policy:ty, $rollouts:ty: $($backprop:ty),*) => { $(
        is_search(None::<Mcts<Any, $policy, $rollouts, $backprop>>);
        is_search(None::<Mcts<Any, $policy, $rollouts, Solver<$backprop>>>);
    )* };
}

macro_rules! simulate {
    ($policy:ty: $($rollouts:ty),*) => { $(
        back_up!(
            $policy, $rollouts: Average, Discounted, Contempt<Average>, RelativeBonus<Average>, RecencyWeighted, MaxBackup, PowerMean,
            SoftmaxBackup, BayesBackup, ImplicitMinimax<Average>, ScoreBounds<Average>
        );
    )* };
}

macro_rules! select {
    ($($policy:ty),*) => { $(
        simulate!(
            $policy: Uniform, Cutoff, simulation::EpsilonGreedyRollouts<Heuristic>, Softmax<Heuristic>, Decisive, Mast, Nst,
            LastGoodReply<u8>, Ppa, MultipleRollouts<Uniform>, Mixed<Cutoff, Uniform>, Evaluate<Evaluator>
        );
    )* };
}

macro_rules! select_by_priors {
    ($($policy:ty),*) => { $(
        simulate!(
            $policy: EvaluationPriors<Uniform>, EvaluationPriors<Cutoff>,
            EvaluationPriors<simulation::EpsilonGreedyRollouts<Heuristic>>, EvaluationPriors<Softmax<Heuristic>>,
            EvaluationPriors<Decisive>, EvaluationPriors<Mast>, EvaluationPriors<Nst>, EvaluationPriors<LastGoodReply<u8>>,
            EvaluationPriors<Ppa>, EvaluationPriors<MultipleRollouts<Uniform>>, EvaluationPriors<Mixed<Cutoff, Uniform>>,
            Evaluate<Evaluator>
        );
    )* };
}

#[expect(dead_code, reason = "only its types are checked")]
fn every_combination_is_a_search() {
    select!(
        Ucb1, Ucb1Tuned, UcbV, KlUcb, Moss, BayesUct, Shot, AtRoot<SequentialHalving, Ucb1>, Thompson, GaussianThompson,
        EpsilonGreedy, Boltzmann, Exp3, Grave, Rave, AlphaAmaf, ProgressiveHistory
    );
    select_by_priors!(Puct, AtRoot<Dirichlet, Puct>, Gumbel, CompletedValues, ProgressiveBias);
}

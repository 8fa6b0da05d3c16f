//! The bandit tree policies with settings at their limits, and Exp3 after ten million rounds. (`equations_bandits`
//! tests that they score and draw as in their papers, and the random programs that they work in trees of all kinds.)

use crate::chosen::Chosen;
use crate::common::any::Any;
use crate::common::simple::OneStep;
use crate::common::{self, sized};
use ramure::backpropagation::Average;
use ramure::selection::{
    AvailabilityUcb1, BayesUct, Boltzmann, EpsilonGreedy, Exp3, GaussianThompson, KlUcb, Moss, SinglePlayer,
    TreePolicy, Ucb1, UcbV,
};
use ramure::simulation::Uniform;
use ramure::{Budget, Mcts};

/// Does the same with each policy: `each!(policy => expression)`.
macro_rules! each {
    ($policy:ident => $what:expr; $($value:expr),*) => { $( { let $policy = $value; $what } )* };
}

fn search<P: TreePolicy<Any>>(state: &Any, policy: P, seed: u64) -> Mcts<Any, P, Uniform, Average> {
    Mcts::new(state.clone()).backprop(Average).tree_policy(policy).seed(seed)
}

/// Returns a choice between these rewards.
fn one_step(worth: &'static [f64]) -> Any {
    Any::listed(OneStep::new(worth))
}

#[test]
fn with_the_greatest_constants_all_children_are_visited_alike() {
    each!(policy => {
        let mut search = search(&one_step(&[0.25, 0.5, 0.75]), policy.clone(), 1);
        let visits = common::visits(&search.run(Budget::iterations(3_000)).expect("a sound game"));
        assert!(visits.iter().all(|&visits| visits > 400), "{policy:?}: {visits:?}");
    }; Chosen::<_, KlUcb>::new(UcbV::new(1000.0, 1000.0)), Chosen::<_, KlUcb>::new(KlUcb::new(1000.0)),
        Chosen::<_, GaussianThompson>::new(GaussianThompson::new(1000.0)),
        Chosen::<_, Boltzmann>::new(Boltzmann::new(1000.0)), Chosen::<_, KlUcb>::new(Ucb1::new(1000.0)),
        Chosen::<_, KlUcb>::new(BayesUct::first(1000.0)), Chosen::<_, KlUcb>::new(BayesUct::second(1000.0)),
        Chosen::<_, Boltzmann>::new(AvailabilityUcb1::new(1000.0)));
}

#[test]
fn the_size_of_a_child_matches_the_documentation() {
    fn bytes<P: TreePolicy<OneStep>>(_: P) -> usize {
        size_of::<P::Stats>()
    }
    assert_eq!([bytes(UcbV::default()), bytes(KlUcb::default()), bytes(Moss::new())], [24, 0, 4]);
    assert_eq!([bytes(GaussianThompson::default()), bytes(EpsilonGreedy::default())], [0, 0]);
    assert_eq!([bytes(Boltzmann::default()), bytes(Exp3::default())], [0, 16]);
}

#[test]
fn exp3_is_sound_after_ten_million_rounds() {
    let (rounds, gamma) = (sized(100_000u64, 10_000_000), 0.05);
    let mut search = search(&one_step(&[0.5, 1.0]), Exp3::new(gamma), 3);
    let report = search.run(Budget::iterations(rounds)).expect("a sound game");
    let slack = sized(250.0, 1_000.0);
    // In the end, the worse action is drawn only with a probability of γ / 2. Before that, its weight falls
    // by e^(-γ/4) per round or faster, which lasts fewer than 100 rounds. Beyond that, five standard
    // deviations: the test fails with a probability of 6e-7.
    let (n, p) = (rounds as f64, gamma / 2.0);
    let worse = f64::from(report.actions[0].visits);
    assert!((worse - n * p).abs() < slack + 5.0 * (n * p * (1.0 - p)).sqrt(), "{report}");
    // Each gain estimates the sum of all rewards that the action would have brought.
    for child in search.tree().root().expect("it ran").children() {
        let (gain, probability) = child.stats();
        let (worth, p) = if child.action() == Some(0) { (0.5, p) } else { (1.0, 1.0 - p) };
        let deviation = worth * (n * (1.0 / p - 1.0)).sqrt();
        assert!((gain - worth * n).abs() < 5.0 * deviation + slack, "{gain}, not {} or so", worth * n);
        assert_eq!(probability, 0.0, "no iteration is in progress");
    }
}

/// Eight actions, one step of a scale apart. The least and the greatest reward of an earlier game do not count.
#[test]
fn a_single_player_forgets_the_scale_of_another_game() {
    const WIDE: [f64; 8] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1.0];
    const NARROW: [f64; 8] = [0.510, 0.511, 0.512, 0.513, 0.514, 0.515, 0.516, 0.517];
    let run = |search: &mut Mcts<Any, SinglePlayer, Uniform, Average>| {
        search.run(Budget::iterations(1_000)).expect("a sound game").actions
    };
    let new = |worth| Mcts::new(one_step(worth)).tree_policy(SinglePlayer::default()).backprop(Average);
    let fresh = run(&mut new(&NARROW));
    assert!(fresh[7].visits > 900, "{fresh:?}");
    let mut search = new(&WIDE);
    run(&mut search);
    search.reset(one_step(&NARROW));
    assert!(run(&mut search)[7].visits > 900);
}

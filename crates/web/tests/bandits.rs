//! Bandits against the library's searches, and the formula of the regret.

use ramure::selection::{EpsilonGreedy, Thompson, TreePolicy, Ucb1};
use ramure::simulation::Uniform;
use ramure::statistics::Statistics;
use ramure::{Budget, Mcts};
use ramure_games::Bandit;
use ramure_web::bandits::{Bandits, MOST_ARMS};
use ramure_web::error::PageError;

const ARMS: [f64; 4] = [0.2, 0.5, 0.55, 0.8];

fn plays<P: TreePolicy<Bandit>>(policy: P) -> Vec<u32>
where
    P::Stats: Statistics<Bandit, Uniform>,
{
    let search = Mcts::new(Bandit::new(&ARMS).expect("arms")).tree_policy(policy);
    let report = search.seed(3).run(Budget::iterations(2_000)).expect("a search");
    report.actions.iter().map(|arm| arm.visits).collect()
}

#[test]
fn each_policy_plays_as_in_a_search_and_its_regret_is_the_sum_of_what_it_missed() {
    let mut bandits = Bandits::new(&ARMS, 3).expect("a bandit");
    bandits.play(700).expect("plays");
    let done = bandits.play(1_300).expect("plays");
    assert_eq!(done.plays, 2_000);
    let of_library =
        [plays(Ucb1::new(core::f32::consts::SQRT_2)), plays(Thompson), plays(EpsilonGreedy::new(0.1))];
    for (learner, expected) in done.learners.iter().zip(of_library) {
        let found: Vec<u32> = learner.arms.iter().map(|arm| arm.plays).collect();
        assert_eq!(found, expected);
        let missed: f64 = found.iter().zip(ARMS).map(|(&plays, arm)| f64::from(plays) * (0.8 - arm)).sum();
        assert!((learner.regret - missed).abs() < 1e-9);
        for arm in &learner.arms {
            assert!(arm.interval.0 <= arm.mean && arm.mean <= arm.interval.1, "{arm:?}");
        }
    }
}

#[test]
fn bandits_that_cannot_be_are_errors() {
    assert_eq!(Bandits::new(&[], 1).err(), Some(PageError::Arms { found: 0, most: MOST_ARMS }));
    assert_eq!(
        Bandits::new(&[0.5; 13], 1).err(),
        Some(PageError::Arms { found: MOST_ARMS + 1, most: MOST_ARMS })
    );
    for wrong in [-0.1, 1.5, f64::NAN] {
        assert!(matches!(Bandits::new(&[0.5, wrong], 1), Err(PageError::Parameter(_))));
    }
}

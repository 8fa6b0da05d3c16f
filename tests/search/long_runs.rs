//! A run of very many iterations: no visit and no reward is lost.
#![expect(clippy::disallowed_methods, reason = "a reference needs no reproducible logarithm")]

use crate::common::simple::OneStep;
use crate::common::{sized, visits};
use ramure::prelude::*;

#[test]
fn a_billion_iterations_lose_no_visit_and_no_reward() {
    const WORTH: [f64; 3] = [0.9, 0.4, 0.7];
    let iterations = sized(100_000, 1_000_000_000);
    let mut search = Mcts::new(OneStep::new(&WORTH)).tree_policy(Ucb1::new(1.0)).seed(1);
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    assert_eq!(report.iterations, iterations);
    assert_eq!(visits(&report).iter().map(|&visits| u64::from(visits)).sum::<u64>(), iterations);
    for (child, worth) in report.actions.iter().zip(WORTH) {
        // Rewards are counted in units of 2^-24, and means are rounded to `f32`.
        let error = (f64::from(child.mean) - worth).abs();
        assert!(error <= 1.0 / f64::from(1 << 23), "{error}: {report}");
        // With rewards that do not vary, an action is tried until its bonus falls below what it lacks: c^2 ln
        // N / gap^2 times.
        let gap = 0.9 - worth;
        if gap > 0.0 {
            let most = (iterations as f64).ln() / (gap * gap);
            let share = f64::from(child.visits) / most;
            assert!((0.8..=1.2).contains(&share), "{share}: {report}");
        }
    }
}

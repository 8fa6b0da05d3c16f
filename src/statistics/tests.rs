//! Unit tests of statistics and of pairs of them.

use super::{KeepsPrior, Knowledge, Prior, RunningMean, Statistics, ValuedPrior};
use crate::game::idle::Idle;
use crate::simulation::{Uniform, WithPriors};

/// Returns the prior for the report, and the promise by which children are ordered.
fn prior_and_promise<S: Statistics<Idle, WithPriors<Uniform, fn(&Idle, u8) -> f32>>>(
    stats: S,
) -> [Option<f32>; 2] {
    [stats.prior(), stats.promise()]
}

#[test]
fn a_pair_has_the_prior_and_promise_of_its_first_half_with_one() {
    assert_eq!(prior_and_promise((1.0f32, 2u8)), [None, None]);
    assert_eq!(prior_and_promise((Prior(0.25), 2u8)), [Some(0.25), Some(0.25)]);
    assert_eq!(prior_and_promise((1.0f32, Prior(0.25))), [Some(0.25), Some(0.25)]);
    assert_eq!(prior_and_promise((Prior(0.5), Prior(0.25))), [Some(0.5), Some(0.5)]);
    assert_eq!(prior_and_promise((1.0f32, Knowledge(-3.0))), [None, Some(-3.0)]);
    assert_eq!(prior_and_promise((Knowledge(-3.0), Prior(0.25))), [Some(0.25), Some(-3.0)]);
    assert_eq!(prior_and_promise(ValuedPrior { prior: 0.25, value: 0.5 }), [Some(0.25), Some(0.25)]);
}

#[test]
fn a_pair_keeps_the_prior_and_value_of_its_first_half() {
    let valued = ValuedPrior { prior: 0.25, value: 0.75 };
    assert_eq!((KeepsPrior::prior(valued), valued.value()), (0.25, Some(0.75)));
    let pair = (valued, 3u8);
    assert_eq!((KeepsPrior::prior(pair), KeepsPrior::value(pair)), (0.25, Some(0.75)));
    assert_eq!(pair.with_prior(0.5), (ValuedPrior { prior: 0.5, value: 0.75 }, 3));
    let pair = (Prior(0.25), 3u8);
    assert_eq!((KeepsPrior::prior(pair), KeepsPrior::value(pair)), (0.25, None));
}

#[test]
fn a_running_mean_keeps_the_rounding_remainder() {
    // The two numbers represent their sum, which moves by (reward - mean) / count. Only rewards close to the
    // mean reveal the remainder: for others, the step itself is rounded more coarsely.
    for (value, rest) in [(0.9f32, 2e-8f32), (0.9, -2e-8), (0.3, 1e-8), (0.999, -3e-8)] {
        for reward in [value, value + 1e-6, value - 1e-6] {
            for count in [2.0f32, 3.0, 10.0] {
                let mean = f64::from(value) + f64::from(rest);
                let expected = mean + (f64::from(reward) - mean) / f64::from(count);
                let next = RunningMean { value, rest }.with(reward, count);
                let found = f64::from(next.value) + f64::from(next.rest);
                assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
            }
        }
    }
}

//! Intervals, compared with their equations and with published tables, and how often they contain the truth.

use super::{Z, close, covers, game};
use ramure::Rng;
use ramure_lab::contest::Estimate;

/// Both ends solve `(p - x)² = z² x (1 - x) / n`, which is Wilson's definition.
#[test]
fn the_ends_of_wilsons_interval_solve_its_equation() {
    for (successes, n) in [(0.0, 1), (1.0, 1), (3.0, 10), (12.5, 40), (70.0, 100), (999.0, 1000)] {
        let estimate = Estimate::wilson(successes, n).expect("trials");
        for x in [estimate.low, estimate.high] {
            close((estimate.value - x).powi(2), Z * Z * x * (1.0 - x) / n as f64, 1e-15);
        }
        assert!(estimate.low <= estimate.value && estimate.value <= estimate.high);
    }
    let (none, all) = (Estimate::wilson(0.0, 7).expect("trials"), Estimate::wilson(7.0, 7).expect("trials"));
    assert_eq!((none.low, all.high), (0.0, 1.0));
}

/// Newcombe, *Two-sided confidence intervals for the single proportion*, 1998, table I, method 3.
#[test]
fn wilsons_intervals_match_published_ones() {
    for (successes, n, low, high) in [
        (81.0, 263, 0.2553, 0.3662),
        (15.0, 148, 0.0624, 0.1605),
        (0.0, 20, 0.0, 0.1611),
        (1.0, 29, 0.0061, 0.1718),
    ] {
        let estimate = Estimate::wilson(successes, n).expect("trials");
        close(estimate.low, low, 5e-5);
        close(estimate.high, high, 5e-5);
    }
}

/// Student's own example of 1908, hours of sleep gained with two drugs: mean difference 1.58, t = 4.06 with 9
/// degrees of freedom, for which the table gives 2.262.
#[test]
fn the_interval_of_a_mean_is_that_of_student() {
    let gained = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4];
    let estimate = Estimate::mean(&gained).expect("samples");
    close(estimate.value, 1.58, 1e-12);
    close((estimate.high - estimate.low) / 2.0, 2.262 * 1.58 / 4.062, 1e-3);
}

#[test]
fn empty_or_invalid_data_give_no_estimate() {
    assert_eq!(Estimate::wilson(0.0, 0), None);
    assert_eq!(Estimate::wilson(2.5, 2), None);
    assert_eq!(Estimate::wilson(f64::NAN, 2), None);
    assert_eq!(Estimate::mean(&[]), None);
    assert_eq!(Estimate::mean(&[1.0]), None);
    assert_eq!(Estimate::mean(&[1.0, f64::INFINITY]), None);
    assert_eq!(Estimate::score::<[f64; 0]>([]), None);
    assert_eq!(Estimate::score([[0.0; 0]; 3]), None);
    assert_eq!(Estimate::score([[0.5, 1.5]]), None);
    assert_eq!(Estimate::score([[f64::NAN]]), None);
}

#[test]
fn the_interval_of_a_score_is_that_of_the_means_of_its_groups() {
    let groups = [vec![1.0, 0.5], vec![0.0, 0.5], vec![1.0, 1.0], vec![0.5, 0.5], vec![1.0, 0.0]];
    let of_groups = Estimate::mean(&[0.75, 0.25, 1.0, 0.5, 0.5]).expect("samples");
    let score = Estimate::score(&groups).expect("games");
    close(score.value, of_groups.value, 1e-15);
    close(score.low, of_groups.low.max(0.0), 1e-12);
    close(score.high, of_groups.high.min(1.0), 1e-12);
    // Groups without games change nothing.
    assert_eq!(Estimate::score(groups.iter().chain([&vec![]])), Some(score));
    // Groups of different sizes count by their games.
    let uneven = Estimate::score([vec![1.0], vec![0.5, 0.5, 0.5], vec![0.0, 0.5]]).expect("games");
    close(uneven.value, 0.5, 1e-15);
}

#[test]
fn wilsons_interval_replaces_groups_without_variance() {
    let wilson = |points, games| Estimate::wilson(points, games);
    assert_eq!(Estimate::score([[1.0, 0.0], [1.0, 1.0], [1.0, 0.0]]), wilson(4.0, 6)); // no draws
    assert_eq!(Estimate::score([[1.0, 0.5]]), wilson(1.5, 2)); // one group
    assert_eq!(Estimate::score([[1.0, 0.5], [0.5, 1.0]]), wilson(3.0, 4)); // the same mean
    assert_eq!(Estimate::score([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]]), wilson(0.1 + 0.2 + 0.3 + 0.6, 6)); // up to rounding
}

/// Returns the share of 2000 intervals that contain the true score. A true share of 0.95 is observed outside
/// 0.93 to 0.97 with a probability of 4e-5; the seed is fixed.
fn coverage(pairs: usize, mut pair: impl FnMut(&mut Rng) -> [f64; 2], truth: f64) -> f64 {
    let mut rng = Rng::seeded(5);
    let contests = (0..2000).map(|_| (0..pairs).map(|_| pair(&mut rng)).collect::<Vec<_>>());
    let hits = contests.filter(|groups| covers(Estimate::score(groups).expect("games"), truth)).count();
    hits as f64 / 2000.0
}

#[test]
fn ninety_five_percent_of_intervals_contain_the_score() {
    let independent = |score, draws| move |rng: &mut Rng| [game(rng, score, draws), game(rng, score, draws)];
    for (score, draws) in [(0.5, 0.3), (0.7, 0.3), (0.7, 0.0), (0.95, 0.0)] {
        let share = coverage(50, independent(score, draws), score);
        assert!((0.93..=0.97).contains(&share), "{score}, {draws}: {share}");
    }
    // An opening favours one seat by 0.3 points, which pairs cancel. The interval takes draws into account;
    // without them it is too wide.
    let opening = |draws| move |rng: &mut Rng| [game(rng, 0.85, draws), game(rng, 0.25, draws)];
    let share = coverage(50, opening(0.2), 0.55);
    assert!((0.93..=0.97).contains(&share), "{share}");
    let share = coverage(50, opening(0.0), 0.55);
    assert!((0.95..=1.0).contains(&share), "{share}");
}

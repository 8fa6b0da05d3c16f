//! The sequential test, compared with fishtest and brute force, and the error rates it promises.

use super::{close, game};
use ramure::{ParameterError, Rng};
use ramure_lab::contest::{Sprt, SprtReport, SprtState, Verdict, expected_score};

/// Returns a test with these numbers of groups, whose verdict is only read at the end.
fn fed(test: Sprt, counts: &[(f64, u64)]) -> SprtState {
    let mut state = test.errors(1e-200, 1e-200).start().expect("parameters");
    for &(score, count) in counts {
        for _ in 0..count {
            state.push(score).expect("a score");
        }
    }
    state
}

/// The results of Stockfish's fishtest, printed with two decimals: hypotheses in logistic Elo, pairs of games
/// by points, ratio. They are from the descriptions of the pull requests 2971, 3098 and 3209 of
/// official-stockfish/Stockfish, 2020.
#[test]
fn the_ratio_matches_the_one_printed_by_fishtest() {
    for (elo0, elo1, pairs, llr) in [
        (-0.50, 1.50, [17, 253, 1042, 337, 39], 2.96),
        (0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
        (-0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
        (0.25, 1.25, [53, 2220, 21459, 2445, 47], 2.97),
        (-0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
        (0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
    ] {
        let counts: Vec<(f64, u64)> = (0..5).map(|i| (f64::from(i) / 4.0, pairs[i as usize])).collect();
        close(fed(Sprt::new(elo0, elo1), &counts).report().llr, llr, 0.00501);
    }
}

/// Without draws and pairs, it is Wald's test of a coin: `w ln(s1 / s0) + l ln((1 - s1) / (1 - s0))`.
#[test]
fn with_wins_and_losses_only_the_ratio_is_that_of_a_coin() {
    let (s0, s1) = (expected_score(-10.0), expected_score(35.0));
    for (won, lost) in [(1, 1), (7, 3), (3, 70), (500, 420)] {
        let llr = fed(Sprt::new(-10.0, 35.0), &[(1.0, won), (0.0, lost)]).report().llr;
        close(llr, won as f64 * (s1 / s0).ln() + lost as f64 * ((1.0 - s1) / (1.0 - s0)).ln(), 1e-9);
    }
    // Unseen losses count one thousandth.
    let llr = fed(Sprt::new(-10.0, 35.0), &[(1.0, 12)]).report().llr;
    close(llr, 12.0 * (s1 / s0).ln() + 0.001 * ((1.0 - s1) / (1.0 - s0)).ln(), 1e-9);
}

/// Returns the greatest log-likelihood of losses, draws and wins with this mean, by trying a million shares
/// of draws.
fn brute_force([losses, draws, wins]: [f64; 3], mean: f64) -> f64 {
    let greatest_share = 2.0 * mean.min(1.0 - mean);
    let shares = (1..1_000_000).map(|i| greatest_share * f64::from(i) / 1e6);
    let likelihood = |draw: f64| {
        let win = mean - draw / 2.0;
        losses * (1.0 - draw - win).ln() + draws * draw.ln() + wins * win.ln()
    };
    shares.map(likelihood).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn the_ratio_matches_a_search_over_all_distributions() {
    for (counts, elo0, elo1) in [
        ([3, 4, 5], 0.0, 100.0),
        ([40, 90, 70], -20.0, 30.0),
        ([1, 30, 1], 5.0, 10.0),
        ([0, 9, 4], 0.0, 300.0),
    ] {
        let seen = counts.map(|count: u64| (count as f64).max(1e-3));
        let [s0, s1] = [elo0, elo1].map(expected_score);
        let llr =
            fed(Sprt::new(elo0, elo1), &[(0.0, counts[0]), (0.5, counts[1]), (1.0, counts[2])]).report().llr;
        close(llr, brute_force(seen, s1) - brute_force(seen, s0), 1e-6);
    }
}

#[test]
fn the_ratio_does_not_depend_on_the_order_of_groups_or_on_names() {
    let counts = [(0.0, 5), (0.25, 9), (0.5, 20), (0.75, 14), (1.0, 8)];
    let llr = fed(Sprt::new(0.0, 40.0), &counts).report().llr;
    let (mut backwards, mut swapped) = (counts, counts.map(|(score, count)| (1.0 - score, count)));
    backwards.reverse();
    swapped.reverse();
    close(fed(Sprt::new(0.0, 40.0), &backwards).report().llr, llr, 1e-9);
    // The second agent is then between 40 and 0 weaker.
    close(fed(Sprt::new(-40.0, 0.0), &swapped).report().llr, -llr, 1e-9);
    // Rewards in hundredths also work.
    assert!(fed(Sprt::new(0.0, 40.0), &[(0.31, 3), (0.62, 4), (0.305, 1)]).report().llr.is_finite());
}

#[test]
fn a_verdict_is_final() {
    let mut state = Sprt::new(0.0, 100.0).start().expect("parameters");
    assert_eq!(
        (state.report().verdict, state.report().llr, state.report().groups),
        (Verdict::Inconclusive, 0.0, 0)
    );
    // ln((1 - beta) / alpha) = 2.944, and each win adds ln(0.6401 / 0.5) = 0.2470, so the twelfth decides.
    for _ in 0..11 {
        assert_eq!(state.push(1.0), Ok(None));
    }
    assert_eq!(state.push(1.0), Ok(Some(Verdict::Accept)));
    let report = state.report();
    assert_eq!(state.push(0.0), Ok(Some(Verdict::Accept)));
    assert_eq!(state.report(), report);
    assert_eq!((report.groups, report.verdict), (12, Verdict::Accept));
    assert_eq!(
        state.to_string(),
        "H0: 0 Elo, H1: 100 Elo; llr 2.96 in [-2.94, 2.94] after 12 groups: H1 accepted (alpha 5 %, beta 5 %)"
    );
    let mut state = Sprt::new(0.0, 100.0).start().expect("parameters");
    // Each loss adds ln(0.3599 / 0.5) = -0.3288, so the ninth decides.
    let verdicts: Vec<_> = (0..9).map(|_| state.push(0.0).expect("a score")).collect();
    assert_eq!(verdicts[7..], [None, Some(Verdict::Reject)]);
}

#[test]
fn errors_name_hypotheses_that_cannot_be_tested() {
    let named = |test: Sprt| test.start().map(|_| ()).map_err(|error| error.name);
    assert_eq!(named(Sprt::new(5.0, 5.0)), Err("Sprt::elo1"));
    assert_eq!(named(Sprt::new(f64::NAN, 5.0)), Err("Sprt::elo0"));
    assert_eq!(named(Sprt::new(0.0, f64::INFINITY)), Err("Sprt::elo1"));
    assert_eq!(named(Sprt::new(0.0, 5.0).errors(0.0, 0.05)), Err("Sprt::alpha"));
    assert_eq!(named(Sprt::new(0.0, 5.0).errors(0.05, 0.5)), Err("Sprt::beta"));
    assert_eq!(named(Sprt::new(-2000.0, 2000.0)), Ok(()));
    let mut state = Sprt::new(0.0, 5.0).start().expect("parameters");
    for score in [f64::NAN, -0.1, 1.1] {
        assert!(matches!(state.push(score), Err(ParameterError { name: "SprtState::push(score)", .. })));
    }
    assert_eq!(state.report().groups, 0);
}

/// Returns the share of tests that end with this verdict, and their mean length, over pairs of games with
/// this rate of draws, in which an opening favours one seat by `seat`.
fn simulate(test: Sprt, elo: f64, draws: f64, seat: f64, tests: u32, verdict: Verdict) -> (f64, f64) {
    let (mut rng, score, mut found, mut groups) = (Rng::seeded(11), expected_score(elo), 0, 0);
    assert!(score + seat + draws / 2.0 <= 1.0 && score - seat - draws / 2.0 >= 0.0);
    for _ in 0..tests {
        let mut state = test.start().expect("parameters");
        let decided = loop {
            let pair = game(&mut rng, score + seat, draws) + game(&mut rng, score - seat, draws);
            if let Some(decided) = state.push(pair / 2.0).expect("a score") {
                break decided;
            }
        };
        found += u32::from(decided == verdict);
        groups += state.report().groups;
    }
    (f64::from(found) / f64::from(tests), groups as f64 / f64::from(tests))
}

/// Wald's approximation of the mean length: the average distance that the ratio must go, divided by its step
/// per group, which is half the squared distance of the hypotheses over the variance of a group.
fn walds_length(test: Sprt, draws: f64, seat: f64) -> f64 {
    let [s0, s1] = [test.elo0, test.elo1].map(expected_score);
    let variance = |score: f64| score * (1.0 - score) - draws / 4.0;
    let of_group = (variance(s0 + seat) + variance(s0 - seat)) / 4.0;
    let (low, high) = test.bounds();
    -(test.alpha * high + (1.0 - test.alpha) * low) / ((s1 - s0).powi(2) / 2.0 / of_group)
}

/// Over 2000 tests, an error rate of 0.05 is observed above 0.065 with a probability of 0.002, and a rate of
/// 0.01 above 0.018, or of 0.1 above 0.122, with 0.001; the seeds are fixed.
#[test]
fn the_test_has_its_stated_error_rates_and_expected_length() {
    for (elo0, elo1, draws, seat) in
        [(0.0, 50.0, 0.3, 0.0), (0.0, 50.0, 0.3, 0.15), (-40.0, 20.0, 0.0, 0.3), (200.0, 260.0, 0.1, 0.05)]
    {
        for (alpha, beta, alpha_limit, beta_limit) in [(0.05, 0.05, 0.065, 0.065), (0.01, 0.1, 0.018, 0.122)]
        {
            let test = Sprt::new(elo0, elo1).errors(alpha, beta);
            let (accepted, length) = simulate(test, elo0, draws, seat, 2000, Verdict::Accept);
            let (rejected, _) = simulate(test, elo1, draws, seat, 2000, Verdict::Reject);
            assert!(accepted <= alpha_limit && rejected <= beta_limit, "{test:?}: {accepted}, {rejected}");
            // The last group overshoots the bound, so the test takes a little longer than Wald's
            // approximation.
            let ratio = length / walds_length(test, draws, seat);
            assert!((0.9..=1.25).contains(&ratio), "{test:?}, {draws}, {seat}: {ratio}");
        }
    }
}

/// The steps are large here, so the ratio overshoots the bounds and errors are rarer. The limits are those of
/// 2000 tests at 0.05, see above.
#[test]
fn distant_hypotheses_are_decided_by_few_groups() {
    for (elo0, elo1, draws) in [(0.0, 200.0, 0.4), (0.0, 300.0, 0.2), (-200.0, 200.0, 0.3)] {
        let test = Sprt::new(elo0, elo1);
        let (accepted, length) = simulate(test, elo0, draws, 0.0, 2000, Verdict::Accept);
        let (rejected, _) = simulate(test, elo1, draws, 0.0, 2000, Verdict::Reject);
        assert!(accepted <= 0.065 && rejected <= 0.065 && length < 10.0, "{accepted}, {rejected}, {length}");
    }
}

#[test]
fn a_report_survives_a_file() {
    let report = fed(Sprt::new(0.0, 10.0), &[(0.75, 5)]).report();
    let text = serde_json::to_string(&report).expect("plain data");
    let read: SprtReport = serde_json::from_str(&text).expect("as written");
    assert_eq!(read.to_string(), report.to_string());
}

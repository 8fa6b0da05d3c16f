//! The sequential probability ratio test, which stops as soon as the question is answered.

use super::elo::expected_score;
use super::likelihood::profile;

use core::fmt;
use ramure::ParameterError;
use serde::{Deserialize, Serialize};

/// Tests whether the first agent is stronger than the second: a sequential probability ratio test, which
/// plays only until the answer is certain enough.
///
/// Under H0 the first agent is `elo0` points stronger, under H1 `elo1` points; its [expected
/// score](super::expected_score) is then s0 or s1. The test uses the scores of *groups* of games: the mean of
/// a pair with the same opening and swapped seats (0, 1/4, 1/2, 3/4 or 1: five values, hence pentanomial), or
/// the score of a single game, or any score in [0, 1]. The only assumption is that groups are independent.
/// The observed distribution accounts for draws and for openings that favour a seat.
///
/// The test follows the log-likelihood ratio of H1 against H0, each with the likeliest distribution of group
/// scores that has the mean s1 or s0. It accepts H1 when the ratio reaches `ln((1 - beta) / alpha)`, and
/// rejects it when the ratio falls to `ln(beta / (1 - alpha))`. So the probability of accepting H1 is about
/// `alpha` if the first agent is at most `elo0` stronger, and the probability of rejecting H1 is about `beta`
/// if it is at least `elo1` stronger. In simulations the error rates were at most these, and up to a fifth
/// higher where openings decide nearly all games. Hypotheses more than 100 Elo apart are decided by a few
/// groups, and err less often.
///
/// **Sources:** Wald, *Sequential Tests of Statistical Hypotheses*, 1945 (the test and its bounds); Owen,
/// *Empirical likelihood ratio confidence intervals for a single functional*, 1988 (the likelihood of a
/// mean); Van den Bergh's note <http://hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf>, proposition
/// 1.1, on the test that Stockfish's fishtest uses. The ratio equals the one that fishtest computes for
/// logistic Elo.
///
/// ```
/// use ramure_lab::contest::{Sprt, Verdict};
///
/// let mut test = Sprt::new(0.0, 100.0).errors(0.05, 0.05).start()?;
/// for score in [0.5, 1.0, 0.75, 0.5, 1.0].into_iter().cycle() {
///     if let Some(verdict) = test.push(score)? {
///         assert_eq!(verdict, Verdict::Accept);
///         break;
///     }
/// }
/// println!("{test}");
/// # Ok::<(), ramure::ParameterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// Under H0, the first agent is this many Elo points stronger than the second.
    pub elo0: f64,
    /// Under H1, the first agent is this many Elo points stronger; more than `elo0`.
    pub elo1: f64,
    /// The probability of accepting H1 if H0 holds. \[Default: 0.05\]
    pub alpha: f64,
    /// The probability of rejecting H1 if it holds. \[Default: 0.05\]
    pub beta: f64,
}

impl Sprt {
    /// Creates a test of H0, `elo0` points stronger, against H1, `elo1` points stronger. Both must lie in
    /// -2000 to 2000, with `elo1` the greater; [`start`](Self::start) checks this.
    pub const fn new(elo0: f64, elo1: f64) -> Self {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }
    }

    /// Sets the error rates: `alpha` for accepting H1 if H0 holds, `beta` for rejecting H1 if it holds. Both
    /// must be above 0 and below 1/2. \[Default: 0.05 and 0.05\]
    pub const fn errors(mut self, alpha: f64, beta: f64) -> Self {
        self.alpha = alpha;
        self.beta = beta;
        self
    }

    /// Returns Wald's bounds of the log-likelihood ratio: at or below the first, H1 is rejected; at or above
    /// the second, H1 is accepted.
    ///
    /// ```
    /// let (low, high) = ramure_lab::contest::Sprt::new(0.0, 5.0).bounds();
    /// assert_eq!(format!("{low:.2} {high:.2}"), "-2.94 2.94");
    /// ```
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// Starts the test.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError`] if a parameter is out of its range.
    ///
    /// ```
    /// let error = ramure_lab::contest::Sprt::new(5.0, 0.0).start().map_err(|error| error.to_string());
    /// assert_eq!(error, Err("Sprt::elo1 is 0; it must be greater than elo0".into()));
    /// ```
    pub fn start(self) -> Result<SprtState, ParameterError> {
        let elo = -2000.0..=2000.0;
        let rate = |rate: f64| rate > 0.0 && rate < 0.5;
        let range = "from -2000 to 2000";
        ParameterError::unless(elo.contains(&self.elo0), "Sprt::elo0", self.elo0, range)?;
        ParameterError::unless(elo.contains(&self.elo1), "Sprt::elo1", self.elo1, range)?;
        ParameterError::unless(self.elo0 < self.elo1, "Sprt::elo1", self.elo1, "greater than elo0")?;
        ParameterError::unless(rate(self.alpha), "Sprt::alpha", self.alpha, "above 0 and below 0.5")?;
        ParameterError::unless(rate(self.beta), "Sprt::beta", self.beta, "above 0 and below 0.5")?;
        let (low, high) = self.bounds();
        let report =
            SprtReport { test: self, groups: 0, llr: 0.0, low, high, verdict: Verdict::Inconclusive };
        Ok(SprtState { counts: vec![(0.0, UNSEEN), (1.0, UNSEEN)], report })
    }
}

/// The verdict of a sequential test.
///
/// ```
/// use ramure_lab::contest::{Sprt, Verdict};
///
/// let test = Sprt::new(0.0, 10.0).start()?;
/// assert_eq!(test.report().verdict, Verdict::Inconclusive);
/// assert_eq!(Verdict::Accept.to_string(), "H1 accepted");
/// # Ok::<(), ramure::ParameterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Verdict {
    /// H1 is accepted: the first agent is more than `elo0` stronger.
    Accept,
    /// H1 is rejected and H0 accepted: the first agent is less than `elo1` stronger.
    Reject,
    /// Neither is accepted yet: there were too few games.
    Inconclusive,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Accept => "H1 accepted",
            Verdict::Reject => "H1 rejected",
            Verdict::Inconclusive => "inconclusive",
        })
    }
}

/// A sequential test in progress; created by [`Sprt::start`].
///
/// ```
/// use ramure_lab::contest::Sprt;
///
/// let mut test = Sprt::new(0.0, 50.0).start()?;
/// assert_eq!(test.push(0.75)?, None); // a win and a draw
/// let report = test.report();
/// assert_eq!(report.groups, 1);
/// assert!(report.low < report.llr && report.llr < report.high);
/// assert!(test.push(1.5).is_err());
/// # Ok::<(), ramure::ParameterError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct SprtState {
    /// Each distinct score of a group, and how often it occurred.
    counts: Vec<(f64, f64)>,
    report: SprtReport,
}

/// The initial count of a group that lost all its games, and of one that won all. It makes every mean
/// possible (as in fishtest).
const UNSEEN: f64 = 1e-3;

impl SprtState {
    /// Adds the mean score of the next group, in the order of play. Returns the verdict once there is one.
    ///
    /// A verdict is final: later scores are not counted. So with games in flight on several threads the
    /// result is the same as with one thread, if the groups are added in order.
    ///
    /// Costs about ten steps of Newton's method per hypothesis, each a pass over the distinct scores seen so
    /// far: two microseconds for pairs of games.
    ///
    /// # Errors
    ///
    /// Returns [`ParameterError`] if the score is not in [0, 1]; the score is then not counted.
    pub fn push(&mut self, score: f64) -> Result<Option<Verdict>, ParameterError> {
        let fits = (0.0..=1.0).contains(&score);
        ParameterError::unless(fits, "SprtState::push(score)", score, "in [0, 1]")?;
        if self.report.verdict == Verdict::Inconclusive {
            self.count(score);
            let likelihood = |elo| profile(&self.counts, expected_score(elo));
            let report = &mut self.report;
            report.llr = likelihood(report.test.elo1) - likelihood(report.test.elo0);
            if report.llr >= report.high {
                report.verdict = Verdict::Accept;
            } else if report.llr <= report.low {
                report.verdict = Verdict::Reject;
            }
        }
        Ok(Some(self.report.verdict).filter(|&verdict| verdict != Verdict::Inconclusive))
    }

    fn count(&mut self, score: f64) {
        self.report.groups += 1;
        match self.counts.iter_mut().find(|(value, _)| *value == score) {
            Some((_, count)) if *count == UNSEEN => *count = 1.0,
            Some((_, count)) => *count += 1.0,
            None => self.counts.push((score, 1.0)),
        }
    }

    /// Returns the state of the test.
    pub fn report(&self) -> SprtReport {
        self.report
    }
}

impl fmt::Display for SprtState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.report.fmt(f)
    }
}

/// The verdict of a sequential test, and the figures that led to it.
///
/// ```
/// use ramure_lab::contest::Sprt;
///
/// let mut test = Sprt::new(0.0, 50.0).start()?;
/// test.push(0.75)?;
/// assert_eq!(
///     test.report().to_string(),
///     "H0: 0 Elo, H1: 50 Elo; llr 0.13 in [-2.94, 2.94] after 1 group: inconclusive (alpha 5 %, beta 5 %)"
/// );
/// # Ok::<(), ramure::ParameterError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SprtReport {
    /// The hypotheses and the error rates.
    pub test: Sprt,
    /// The number of groups of games counted.
    pub groups: u64,
    /// The log-likelihood ratio of H1 against H0.
    pub llr: f64,
    /// The bound at which H1 is rejected.
    pub low: f64,
    /// The bound at which H1 is accepted.
    pub high: f64,
    /// The verdict.
    pub verdict: Verdict,
}

impl fmt::Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta } = self.test;
        let plural = if self.groups == 1 { "" } else { "s" };
        write!(
            f,
            "H0: {elo0} Elo, H1: {elo1} Elo; llr {:.2} in [{:.2}, {:.2}]",
            self.llr, self.low, self.high
        )?;
        write!(f, " after {} group{plural}: {} ", self.groups, self.verdict)?;
        // Two decimals of a percentage, without trailing zeros.
        let percent = |rate: f64| (rate * 1e4).round() / 1e2;
        write!(f, "(alpha {} %, beta {} %)", percent(alpha), percent(beta))
    }
}

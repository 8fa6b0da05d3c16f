//! The Elo scale.

/// Returns the expected score, in points per game, of an agent that is `elo` points stronger than its
/// opponent: `1 / (1 + 10^(-elo / 400))`.
///
/// **Source:** Elo, *The Rating of Chessplayers, Past and Present*, 1978, in its logistic form.
///
/// ```
/// use ramure_lab::contest::expected_score;
///
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

/// Elo points per unit of the natural logarithm of the odds: `400 / ln 10`.
pub(super) const ELO_PER_LOGIT: f64 = 400.0 / core::f64::consts::LN_10;

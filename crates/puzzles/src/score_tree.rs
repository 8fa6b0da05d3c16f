//! A tree policy that reads puzzle scores on any scale in place of rewards, and the game whose tree it
//! searches.

use core::cell::Cell;
use ramure::selection::{Choice, Node, SinglePlayer, TreePolicy};
use ramure::{GameState, ParameterError, Player, Rewards, Rng, Turn};

/// A puzzle without rewards. So a search of it does not depend on the rewards of the puzzle, which may be
/// anything.
#[derive(Clone)]
pub(crate) struct WithoutRewards<G> {
    pub state: G,
}

#[diagnostic::do_not_recommend]
impl<G: GameState> GameState for WithoutRewards<G> {
    const KEEPS_STATES: bool = G::KEEPS_STATES;

    type Action = G::Action;

    #[inline(always)]
    fn players(&self) -> u8 {
        self.state.players()
    }
    #[inline(always)]
    fn turn(&self) -> Turn {
        self.state.turn()
    }
    #[inline(always)]
    fn actions(&self) -> impl IntoIterator<Item = G::Action> {
        self.state.actions()
    }
    #[inline(always)]
    fn apply(&mut self, action: G::Action) {
        self.state.apply(action);
    }
    #[inline(always)]
    fn random_action(&self, rng: &mut Rng) -> Option<G::Action> {
        self.state.random_action(rng)
    }
    #[inline(always)]
    fn random_rollout(&mut self, rng: &mut Rng) {
        self.state.random_rollout(rng);
    }
    #[inline(always)]
    fn is_legal(&self, action: G::Action) -> bool {
        self.state.is_legal(action)
    }
    #[inline(always)]
    fn reward(&self, _: Player) -> f64 {
        0.0
    }
}

/// The rule of [`SinglePlayer`] for scores. A child keeps the sum of its scores and of their squares, and
/// selection scales them so that the least score so far is 0 and the greatest 1.
pub(crate) struct ByScore<'s> {
    rule: SinglePlayer,
    /// The score of the present iteration, which the rollout policy writes.
    score: &'s Cell<f64>,
    scale: Scale,
}

impl<'s> ByScore<'s> {
    pub fn new(rule: SinglePlayer, score: &'s Cell<f64>) -> Self {
        ByScore { rule, score, scale: Scale::default() }
    }
}

/// Scores as numbers whose squares neither overflow nor vanish, and whose differences are as exact as those
/// of the scores: the difference from the first score, in units of the first difference.
#[derive(Default)]
struct Scale {
    first: Option<f64>,
    /// A power of two, so that the division is exact; 0 before two different scores were met.
    unit: f64,
    /// The numbers of the latest, the least and the greatest score. The first one has the number 0.
    latest: f64,
    least: f64,
    greatest: f64,
}

/// The greatest number. Its square, times any number of visits, is finite.
const MOST: f64 = 1e100;

impl Scale {
    fn meet(&mut self, score: f64) {
        let first = *self.first.get_or_insert(score);
        // The difference of two halves does not overflow.
        let difference = score / 2.0 - first / 2.0;
        if self.unit == 0.0 && difference != 0.0 {
            let exponent = difference.to_bits() & f64::INFINITY.to_bits();
            self.unit = f64::from_bits(exponent).max(f64::MIN_POSITIVE);
        }
        let number = if self.unit > 0.0 { (difference / self.unit).clamp(-MOST, MOST) } else { 0.0 };
        self.latest = number;
        self.least = self.least.min(number);
        self.greatest = self.greatest.max(number);
    }

    /// Returns the number that is subtracted from a mean, and the factor for the difference.
    #[inline(always)]
    fn range(&self) -> (f64, f64) {
        let width = self.greatest - self.least;
        (self.least, if width > 0.0 { 1.0 / width } else { 1.0 })
    }
}

impl<G: GameState> TreePolicy<G> for ByScore<'_> {
    /// The sum of the numbers, and of their squares.
    type Stats = (f64, f64);

    #[inline(always)]
    fn select(&self, node: impl Node<G, Self::Stats>, _: &mut Rng) -> Choice {
        let ((c, d), (least, scale)) = (self.rule.constants(), self.scale.range());
        let (bonus, d) = (f64::from(c * node.sqrt_ln_visits()), f64::from(d));
        node.argmax(|child| {
            let (sum, squares) = child.stats();
            let part = 1.0 / f64::from(child.visits());
            let mean = sum * part;
            // The number 0 is between the least and the greatest, so a mean is not greater than their
            // difference, and its square loses little.
            let variance = (squares * part - mean * mean).max(0.0);
            let score =
                (mean - least) * scale + bonus * part.sqrt() + (variance * scale * scale + d * part).sqrt();
            score as f32
        })
    }

    #[inline(always)]
    fn update(&self, (sum, squares): Self::Stats, _: f32, _: f32) -> Self::Stats {
        let number = self.scale.latest;
        (sum + number, squares + number * number)
    }

    #[inline(always)]
    fn learn(&mut self, _: &[(Player, G::Action)], _: &Rewards) {
        self.scale.meet(self.score.get());
    }

    fn check(&self) -> Result<(), ParameterError> {
        TreePolicy::<G>::check(&self.rule)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of some scores, on the scale from the least to the greatest.
    fn scaled(scores: &[f64]) -> Vec<f64> {
        let mut scale = Scale::default();
        let numbers = Vec::from_iter(scores.iter().map(|&score| {
            scale.meet(score);
            scale.latest
        }));
        let (least, factor) = scale.range();
        numbers.into_iter().map(|number| (number - least) * factor).collect()
    }

    #[test]
    fn scores_of_any_size_are_scaled_by_the_least_and_the_greatest() {
        for unit in [1.0, 0.3, 1e-300, 1e300, f64::MAX / 4.0, -1.0, 1e9] {
            for offset in [0.0, 1e3 * unit] {
                let scores = [1.0, 1.0, 3.0, -1.0, 2.0].map(|number| number * unit + offset);
                if !scores.iter().all(|score| score.is_finite()) {
                    continue;
                }
                let expected = [0.5, 0.5, 1.0, 0.0, 0.75].map(|x| if unit < 0.0 { 1.0 - x } else { x });
                for (found, expected) in scaled(&scores).into_iter().zip(expected) {
                    assert!((found - expected).abs() < 1e-12, "{unit}, {offset}: {found}, not {expected}");
                }
            }
        }
        assert_eq!(scaled(&[7.5, 7.5, 7.5]), [0.0; 3]);
        assert_eq!(scaled(&[f64::MIN, f64::MAX, 0.0]), [0.0, 1.0, 0.5]);
        // A later difference may be far greater than the first.
        assert_eq!(scaled(&[0.0, f64::MIN_POSITIVE, 1e300])[2], 1.0);
        assert_eq!(scaled(&[0.0, 5e-324, -f64::MAX]), [1.0, 1.0, 0.0]);
    }
}

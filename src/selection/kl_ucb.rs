//! UCB with the Kullback-Leibler divergence.

use super::{Choice, Node, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;

/// KL-UCB: the greatest `q` with `n d(Q, q) <= ln t + c ln ln t`, where `d(p, q) = p ln(p / q) + (1 - p)
/// ln((1 - p) / (1 - q))` is the divergence of two Bernoulli distributions. `t` is `N` here.
///
/// **Use it** where rewards are wins and losses, above all for means near 0 and 1, where it explores much
/// less than UCB1. (With `2 (Q - q)^2` for `d`, which is never greater, it would be UCB1 with a constant of
/// sqrt(1/2).) The bound is valid for all rewards in [0, 1], but loose for those that vary less.
///
/// **Parameter:** `c`, from 0 to 1000. The default, 0, is what the paper recommends in practice; its theorem
/// requires 3. `ln ln N` counts as 0 below `N = e`. **Stores** nothing. **Cost:** eight logarithms and an
/// exponential per child and visit: three steps of Newton's method, after which `q` is accurate to 1e-7.
///
/// **Source:** Garivier and Cappé, *The KL-UCB Algorithm for Bounded Stochastic Bandits and Beyond*, 2011,
/// algorithm 1.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::KlUcb;
/// let mut search = Mcts::new(ramure_games::Connect4::new()).tree_policy(KlUcb::default());
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct KlUcb {
    c: f32,
}

impl KlUcb {
    /// Creates the policy with the factor `c` of `ln ln N`, from 0 to 1000.
    pub const fn new(c: f32) -> Self {
        KlUcb { c }
    }
}

impl<G: GameState> TreePolicy<G> for KlUcb {
    type Stats = ();

    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        let log = f64::from(node.ln_visits());
        let exploration = log + f64::from(self.c) * math::ln64(log.max(1.0));
        node.argmax(|child| {
            if child.visit_count() == 0 {
                return 0.0; // a place without a child: saves eight logarithms
            }
            upper_bound(f64::from(child.mean()), exploration / f64::from(child.visits())) as f32
        })
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_constant("KlUcb::c", self.c.into())
    }
}

/// Returns the greatest `q` with `d(p, q) <= level`.
fn upper_bound(p: f64, level: f64) -> f64 {
    if p >= 1.0 {
        return 1.0;
    }
    let (p_ln_p, rest) = (if p > 0.0 { p * math::ln64(p) } else { 0.0 }, 1.0 - p);
    let entropy = p_ln_p + rest * math::ln64(rest);
    let mut q = start(p, level, p_ln_p);
    // The square root of the divergence is nearly a straight line, so a few Newton steps find where the
    // divergence equals `level`. They start from above, but not above 1.
    for _ in 0..3 {
        if q <= p || q >= 1.0 {
            break;
        }
        let of_q = if p > 0.0 { p * math::ln64(q) } else { 0.0 };
        let divergence = entropy - of_q - rest * math::ln64(1.0 - q);
        let slope = (q - p) / (q * (1.0 - q));
        q -= 2.0 * (divergence - (divergence * level).sqrt()) / slope;
    }
    // Where rounding hides the level, the steps lead below `p` or to NaN.
    q.max(p)
}

/// Returns a starting value that is close to that `q` and not below it, because `d(p, q)` is
/// `(q - p)^2 / (2 x (1 - x))` for some `x` between `p` and `q`.
fn start(p: f64, level: f64, p_ln_p: f64) -> f64 {
    let variance = if p >= 0.5 { p * (1.0 - p) } else { 0.25 };
    // This bound omits `p ln(1 / q)`, which is at least 0.
    let below_one = 1.0 - (1.0 - p) * math::exp((p_ln_p - level) / (1.0 - p));
    let q = (p + (2.0 * variance * level).sqrt()).min(below_one);
    let small = (p + level + (level * (level + 2.0 * p * (1.0 - p))).sqrt()) / (1.0 + 2.0 * level);
    if small <= 0.5 { q.min(small) } else { q }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Finds the bound by bisection, directly from the definition.
    fn plain(p: f64, level: f64) -> f64 {
        let part = |x: f64, y: f64| if x > 0.0 { x * libm::log(x / y) } else { 0.0 };
        let divergence = |q: f64| part(p, q) + part(1.0 - p, 1.0 - q);
        let (mut low, mut high) = (p, 1.0);
        for _ in 0..100 {
            let middle = 0.5 * (low + high);
            if middle < 1.0 && divergence(middle) <= level { low = middle } else { high = middle }
        }
        low
    }

    #[test]
    fn three_newton_steps_find_the_bound() {
        let steps = crate::sized(50, 400);
        for step in 0..=steps {
            let x = f64::from(step) / f64::from(steps);
            for p in [x, x * x * x * x, 1.0 - x * x * x * x, 1e-6 * x] {
                assert_eq!(upper_bound(p, 0.0), p);
                for power in (-200..=-60).step_by(5).chain(-60..=16) {
                    let level = math::pow(10.0, f64::from(power) / 10.0);
                    let (found, right) = (upper_bound(p, level), plain(p, level));
                    assert!((found - right).abs() < 5e-8, "{p} {level}: {found}, not {right}");
                    assert!((p..=1.0).contains(&found), "{p} {level}: {found}");
                }
            }
        }
        assert_eq!((upper_bound(1.0, 0.1), upper_bound(0.0, 1e9)), (1.0, 1.0));
    }
}

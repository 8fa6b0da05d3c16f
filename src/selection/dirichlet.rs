//! Noise on the priors of the root.

use super::{Choice, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::{KeepsPrior, Merge, Merging};
use core::cell::RefCell;
use smallvec::SmallVec;

/// Dirichlet noise at the root: `P = (1 - ε) p + ε η` with `η` drawn from Dir(α), so that self-play also
/// tries actions that the evaluator rates low. The tree policy below then selects.
///
/// **Use it** to generate training games, with [`Puct`](super::Puct) below. In competitive play it only costs
/// strength. It needs a tree policy that keeps priors.
///
/// **Parameters:** `ε` in [0, 1], 0.25 by default as in the papers; `α`, finite and above 0. AlphaZero scales
/// `α` in inverse proportion to the number of actions in a typical state (0.3 in chess, 0.15 in shogi, 0.03
/// in Go). The default is 10 divided by the number of actions at the root, which is close to these three
/// values; [`new`](Self::new) takes a fixed `α`.
///
/// Every run draws new noise. The noise overwrites the priors of the root's children, and the report shows
/// it. It is removed before the next run draws, so it does not accumulate. After
/// [`advance`](crate::Mcts::advance) the children of the new root have their own priors. Proven children get
/// no noise. A root that [widens](crate::Expansion::widening) draws again with each further child.
///
/// **Stores** what the policy below stores, and 8 bytes per child of the root. **Cost:** a Gamma draw per
/// child of the root and run. **Source:** Silver et al., *Mastering the game of Go without human knowledge*,
/// 2017, methods, "Self-play". The scale of `α`: Silver et al., *A general reinforcement learning algorithm
/// that masters chess, shogi, and Go through self-play*, 2018.
///
/// ```
/// use ramure::selection::{AtRoot, Dirichlet, Puct};
/// let _policy = AtRoot::new(Dirichlet::default(), Puct::default());
/// ```
#[derive(Clone, Debug)]
pub struct Dirichlet {
    /// If set, `α` is this total divided by the number of actions.
    pub(super) total: Option<f32>,
    pub(super) alpha: f32,
    pub(super) epsilon: f32,
    noise: RefCell<Noise>,
}

/// The noise written over the root's priors.
#[derive(Clone, Default, Debug)]
struct Noise {
    /// The number of children that the root showed then; 0 before the noise of this run.
    width: usize,
    /// For each child, the prior before the noise and the prior written.
    written: Vec<(f32, f32)>,
}

impl Dirichlet {
    const fn with(total: Option<f32>, alpha: f32) -> Self {
        let noise = RefCell::new(Noise { width: 0, written: Vec::new() });
        Dirichlet { total, alpha, epsilon: 0.25, noise }
    }

    /// Creates the noise with a fixed `α`, finite and above 0, independent of the number of actions.
    pub const fn new(alpha: f32) -> Self {
        Dirichlet::with(None, alpha)
    }

    /// Creates the noise with an `α` of `total` divided by the number of actions. `total` must be finite and
    /// above 0. \[Default: 10\]
    pub const fn scaled(total: f32) -> Self {
        Dirichlet::with(Some(total), 1.0)
    }

    /// Sets the share of the noise, `ε`, in [0, 1]. \[Default: 0.25\]
    #[must_use]
    pub const fn epsilon(mut self, epsilon: f32) -> Self {
        self.epsilon = epsilon;
        self
    }

    fn write<G: GameState, S: KeepsPrior + 'static>(&self, node: impl Node<G, S>, rng: &mut Rng) {
        let open: SmallVec<[(Choice, S); 64]> =
            node.choices().map(|(choice, child)| (choice, child.stats())).collect();
        let alpha = self.total.map_or(self.alpha, |total| total / open.len() as f32);
        let mut eta: SmallVec<[f64; 64]> = open.iter().map(|_| math::gamma(f64::from(alpha), rng)).collect();
        let sum: f64 = eta.iter().sum();
        if sum > 0.0 {
            eta.iter_mut().for_each(|eta| *eta /= sum);
        } else {
            // All draws underflowed to 0: in the limit of small α, one child gets the whole share.
            let winner = rng.below(eta.len());
            eta.iter_mut().enumerate().for_each(|(at, eta)| *eta = f64::from(at == winner));
        }
        let mut noise = self.noise.borrow_mut();
        let priors = noise.originals(open.iter().map(|(_, stats)| stats.prior()));
        let epsilon = f64::from(self.epsilon);
        let mixed = |prior: f32, eta: f64| ((1.0 - epsilon) * f64::from(prior) + epsilon * eta) as f32;
        noise.written.clear();
        noise.written.extend(priors.iter().zip(&eta).map(|(&prior, &eta)| (prior, mixed(prior, eta))));
        noise.width = node.width();
        for (&(choice, stats), &(_, noised)) in open.iter().zip(&noise.written) {
            node.set_stats(choice, stats.with_prior(noised));
        }
    }
}

impl Noise {
    /// Returns the priors of the root's children before the noise, if their priors are those written here.
    fn originals(&self, priors: impl Iterator<Item = f32> + Clone) -> SmallVec<[f32; 64]> {
        let (mut left, mut originals) = (self.written.iter(), SmallVec::new());
        for prior in priors.clone() {
            // Children proven since then are missing; children that the root did not show then come last.
            let mut ahead = left.clone();
            match ahead.find(|(_, noised)| *noised == prior) {
                Some(&(original, _)) => {
                    left = ahead;
                    originals.push(original);
                }
                None if self.width > 0 || left.len() == 0 => originals.push(prior),
                None => return priors.collect(), // another root
            }
        }
        originals
    }
}

impl Default for Dirichlet {
    fn default() -> Self {
        Dirichlet::scaled(10.0)
    }
}

impl<G: GameState, S: KeepsPrior + Default + 'static> RootPolicy<G, S> for Dirichlet {
    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, below: &P, rng: &mut Rng) -> Choice {
        if self.noise.borrow().width != node.width() {
            self.write(node, rng);
        }
        below.select(node, rng)
    }

    fn begin(&mut self, _: Option<u64>, _: &mut Rng) {
        self.noise.get_mut().width = 0;
    }

    fn check(&self) -> Result<(), ParameterError> {
        let (name, alpha) = match self.total {
            Some(total) => ("Dirichlet::scaled, total", total),
            None => ("Dirichlet::alpha", self.alpha),
        };
        let fits = alpha > 0.0 && alpha < f32::INFINITY;
        ParameterError::unless(fits, name, f64::from(alpha), "finite and above 0")?;
        ParameterError::unless_in(0.0..=1.0, "Dirichlet::epsilon", self.epsilon, "in [0, 1]")
    }
}

impl<G: GameState, S: Copy> Merge<G, S> for Dirichlet {
    fn merge(&self, node: Merging<S>) -> S {
        node.own
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::idle::Idle;
    use crate::statistics::Prior;

    /// Returns the original of these priors, if the root showed `width` children when the noise was written.
    fn originals(width: usize, priors: &[f32]) -> Vec<f32> {
        let written = vec![(0.5, 0.45), (0.3, 0.35), (0.2, 0.22)];
        Noise { width, written }.originals(priors.iter().copied()).to_vec()
    }

    #[test]
    fn noise_is_removed_from_the_children_that_have_it_only() {
        for width in [0, 1, 3] {
            assert_eq!(originals(width, &[0.45, 0.35, 0.22]), [0.5, 0.3, 0.2]);
            // One child was proven since.
            assert_eq!(originals(width, &[0.45, 0.22]), [0.5, 0.2]);
            // The root shows one more child.
            assert_eq!(originals(width, &[0.45, 0.35, 0.22, 0.1]), [0.5, 0.3, 0.2, 0.1]);
        }
        // Within a run the root is the same: one child was proven, and the root shows one more.
        for width in [1, 3] {
            assert_eq!(originals(width, &[0.45, 0.35, 0.1]), [0.5, 0.3, 0.1]);
        }
        // After the start of a run, children without the noise are those of another root.
        for priors in [[0.45, 0.35, 0.1], [0.45, 0.1, 0.22], [0.1, 0.35, 0.22], [0.6, 0.3, 0.1]] {
            assert_eq!(originals(0, &priors), priors);
        }
    }

    #[test]
    fn a_new_run_gets_new_noise() {
        let mut policy = Dirichlet::default();
        policy.noise.get_mut().width = 9;
        RootPolicy::<Idle, Prior>::begin(&mut policy, Some(1), &mut Rng::seeded(1));
        assert_eq!(policy.noise.get_mut().width, 0);
    }
}

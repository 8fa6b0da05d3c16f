//! Noise on the priors of the root.

use super::{Choice, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::KeepsPrior;
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
/// Every run draws new noise. The tree policy below sees the priors with the noise. The tree keeps the priors
/// without it, and so do reports and files: no run starts from what another has drawn. Proven children get no
/// noise. A root that [widens](crate::Expansion::widening) draws again with each further child.
///
/// **Stores** what the policy below stores, and 16 bytes per child of the root. **Cost:** a Gamma draw per
/// child of the root and run, and two passes over these children per iteration. **Source:** Silver et al.,
/// *Mastering the game of Go without human knowledge*, 2017, methods, "Self-play". The scale of `α`: Silver
/// et al., *A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play*,
/// 2018.
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

/// The noise of a run.
#[derive(Clone, Default, Debug)]
struct Noise {
    /// The number of children that the root showed when it was drawn; 0 before the noise of this run.
    width: usize,
    /// The shares `η` of the children that were open then, in the order in which they are stored.
    drawn: Vec<(Choice, f64)>,
}

impl Dirichlet {
    const fn with(total: Option<f32>, alpha: f32) -> Self {
        let noise = RefCell::new(Noise { width: 0, drawn: Vec::new() });
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

    /// Draws the noise of the open children.
    fn draw<G: GameState, S: KeepsPrior + 'static>(&self, node: impl Node<G, S>, rng: &mut Rng) -> Noise {
        let open: SmallVec<[Choice; 64]> = node.choices().map(|(choice, _)| choice).collect();
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
        Noise { width: node.width(), drawn: open.into_iter().zip(eta).collect() }
    }

    /// Mixes the noise into the priors of the open children. Returns the priors without it.
    fn write<G: GameState, S: KeepsPrior + 'static>(
        &self,
        node: impl Node<G, S>,
        noise: &Noise,
    ) -> SmallVec<[f32; 64]> {
        let (mut drawn, mut priors) = (noise.drawn.iter(), SmallVec::new());
        let epsilon = f64::from(self.epsilon);
        for (choice, child) in node.choices() {
            let prior = child.stats().prior();
            priors.push(prior);
            // Children that have been proven since are not among the choices. If all are, some may have no
            // noise.
            let mut ahead = drawn.clone();
            if let Some(&(_, eta)) = ahead.find(|(of, _)| *of == choice) {
                drawn = ahead;
                let mixed = (1.0 - epsilon) * f64::from(prior) + epsilon * eta;
                node.set_stats(choice, child.stats().with_prior(mixed as f32));
            }
        }
        priors
    }
}

impl Default for Dirichlet {
    fn default() -> Self {
        Dirichlet::scaled(10.0)
    }
}

impl<G: GameState, S: KeepsPrior + Default + 'static> RootPolicy<G, S> for Dirichlet {
    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, below: &P, rng: &mut Rng) -> Choice {
        let mut noise = self.noise.borrow_mut();
        if noise.width != node.width() {
            *noise = self.draw(node, rng);
        }
        let priors = self.write(node, &noise);
        let choice = below.select(node, rng);
        for ((choice, child), prior) in node.choices().zip(priors) {
            node.set_stats(choice, child.stats().with_prior(prior));
        }
        choice
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::idle::Idle;
    use crate::statistics::Prior;

    #[test]
    fn a_new_run_gets_new_noise() {
        let mut policy = Dirichlet::default();
        policy.noise.get_mut().width = 9;
        RootPolicy::<Idle, Prior>::begin(&mut policy, Some(1), &mut Rng::seeded(1));
        assert_eq!(policy.noise.get_mut().width, 0);
    }
}

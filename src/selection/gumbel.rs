//! Gumbel search: draws actions without replacement at the root and applies sequential halving to them.

use super::completed_values::{Arm, Sigma, improved};
use super::halving::Halving;
use super::{AtRoot, Child, Choice, CompletedValues, Needs, Node, RootPolicy, TreePolicy};
use crate::game::{GameState, Rng};
use crate::math;
use crate::parameter::ParameterError;
use crate::statistics::KeepsPrior;
use core::cell::RefCell;

/// The root of Gumbel search: draws `m` actions without replacement from the priors, then finds the best of
/// them by sequential halving.
///
/// The draw takes the actions with the greatest `g + logits`, where `g` is Gumbel noise. Sequential halving
/// uses the value `g + logits + σ(q)`. The action played is the one with the greatest value among the most
/// visited.
///
/// The action played is therefore, in expectation, no worse than one drawn from the priors, however few the
/// iterations. With exact values this is a theorem. **Use it** with an evaluator and few iterations (2 to
/// 200), above all for training. It needs a tree policy that keeps priors. With [`CompletedValues`] below it
/// is the paper's full algorithm, for which [`Gumbel`] is short; with [`Puct`](super::Puct) below only the
/// root follows the paper. A budget that does not limit the iterations is an error.
///
/// **Parameters:** `m`, at least 1, 16 by default; `c_visit` and `c_scale` as in [`CompletedValues`]; the
/// scale of the noise, at least 0, 1 by default. With a scale of 0 the root is deterministic, for play after
/// training. All but the last are the paper's. [`Gumbel::mctx`] has the values of the authors' library.
///
/// Train a network towards the improved policy `π'`, which the report gives:
/// [`Report::improved_policy`](crate::Report::improved_policy).
///
/// The rounds are those of the authors' library mctx. With `s` of `m` actions left, each gets `⌊T / (s ⌈log2
/// m⌉)⌋` visits, at least one. Then `⌊s/2⌋` go on, at least two; the last two share the remaining visits. `T`
/// does not count the iteration that evaluates a new root. Actions with the prior 0 are not drawn. Proven
/// children drop out; if all drawn actions are proven, the others take part. Every run draws again.
///
/// **Stores** what the policy below stores, and 56 bytes per child of the root. **Cost:** two passes over the
/// root's children per iteration. **Source:** Danihelka, Guez, Schrittwieser and Silver, *Policy improvement
/// by planning with Gumbel*, ICLR 2022, section 3; `σ` is its equation 8.
#[derive(Clone, Debug)]
pub struct GumbelRoot {
    pub(super) actions: u32,
    pub(super) sigma: Sigma,
    pub(super) noise: f32,
    halving: RefCell<Halving>,
}

/// Gumbel search in full: [`GumbelRoot`] at the root, [`CompletedValues`] below.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Gumbel;
/// use ramure::simulation::WithPriors;
/// use ramure_games::{Connect4, connect4::Column};
/// let centre = |_: &Connect4, action: Column| if action.to_string() == "3" { 2.0 } else { 1.0 };
/// let search = Mcts::new(Connect4::new()).rollout_policy(WithPriors::new(Uniform, centre));
/// let mut search = search.tree_policy(Gumbel::considering(4));
/// search.run(Budget::iterations(32))?;
/// # Ok::<(), SearchError>(())
/// ```
pub type Gumbel = AtRoot<GumbelRoot, CompletedValues>;

impl AtRoot<GumbelRoot, CompletedValues> {
    /// Draws `actions` actions at the root, at least 1. \[Default: 16\]
    pub const fn considering(actions: u32) -> Self {
        Gumbel::with(actions, Sigma::USUAL.c_visit, Sigma::USUAL.c_scale)
    }

    /// Draws `actions` actions at the root, at least 1, and weighs values by `c_visit` and `c_scale` in the
    /// whole tree. Both must be finite and at least 0. \[Default: 16, 50 and 1\]
    pub const fn with(actions: u32, c_visit: f32, c_scale: f32) -> Self {
        let root = GumbelRoot::new(actions).scale(c_visit, c_scale);
        AtRoot::new(root, CompletedValues::new(c_visit, c_scale))
    }

    /// Creates the policy with the defaults of mctx, the authors' library: 16 actions, a `c_visit` of 50, a
    /// `c_scale` of 0.1, and [rescaled](Self::rescaled) values.
    pub const fn mctx() -> Self {
        Gumbel::with(16, 50.0, 0.1).rescaled()
    }

    /// Stretches the completed values of siblings over [0, 1] in the whole tree, as
    /// [`CompletedValues::rescaled`] does. \[Default: values are used unchanged\]
    #[must_use]
    pub const fn rescaled(mut self) -> Self {
        (self.root.sigma.is_rescaled, self.below.sigma.is_rescaled) = (true, true);
        self
    }
}

impl GumbelRoot {
    /// Draws `actions` actions, at least 1.
    pub const fn new(actions: u32) -> Self {
        let halving = RefCell::new(Halving::new(lower_half));
        GumbelRoot { actions, sigma: Sigma::USUAL, noise: 1.0, halving }
    }

    /// Sets `c_visit` and `c_scale`, which weigh values against logits. Both must be finite and at least 0.
    /// \[Default: 50 and 1\]
    #[must_use]
    pub const fn scale(mut self, c_visit: f32, c_scale: f32) -> Self {
        self.sigma = Sigma { c_visit, c_scale, ..self.sigma };
        self
    }

    /// Stretches the completed values of siblings over [0, 1] first, as [`CompletedValues::rescaled`] does.
    /// \[Default: values are used unchanged\]
    #[must_use]
    pub const fn rescaled(mut self) -> Self {
        self.sigma.is_rescaled = true;
        self
    }

    /// Sets the scale of the noise, finite and at least 0. \[Default: 1\]
    #[must_use]
    pub const fn noise(mut self, noise: f32) -> Self {
        self.noise = noise;
        self
    }

    /// Returns a function from a child to its value, given its bonus `g + logits`.
    fn value<G: GameState, S: KeepsPrior + 'static>(
        &self,
        node: impl Node<G, S>,
    ) -> impl Fn(f64, Child<'_, G::Action, S>) -> f64 {
        let sigma = self.sigma.at(|| node.children().map(Arm::of));
        move |bonus, child| bonus + sigma.of(Arm::of(child))
    }
}

impl Default for GumbelRoot {
    fn default() -> Self {
        GumbelRoot::new(16)
    }
}

fn lower_half(contenders: usize) -> usize {
    (contenders / 2).max(2)
}

impl<G: GameState, S: KeepsPrior + Default + 'static> RootPolicy<G, S> for GumbelRoot {
    const NEEDS: Needs = Needs::Iterations;

    fn select<P: TreePolicy<G, Stats = S>>(&self, node: impl Node<G, S>, _: &P, rng: &mut Rng) -> Choice {
        if node.has_untried() {
            return Choice::UNTRIED;
        }
        let mut halving = self.halving.borrow_mut();
        if halving.is_due(node.width()) {
            halving.lay_out(node, self.actions as usize, |child| {
                let noise = f64::from(self.noise) * math::gumbel(rng);
                noise + math::ln64(f64::from(child.stats().prior())) // infinite if the prior is 0
            });
        }
        halving.next(node, self.value(node))
    }

    fn begin(&mut self, iterations: Option<u64>, _: &mut Rng) {
        self.halving.get_mut().begin(iterations);
    }

    fn iterated(&mut self) {
        self.halving.get_mut().iterated();
    }

    fn decide(&self, root: impl Node<G, S>, rng: &mut Rng) -> Option<Choice> {
        self.halving.borrow_mut().winner(root, true, self.value(root), rng)
    }

    fn improved_policy(&self, root: impl Node<G, S>, worths: &[Option<f32>]) -> Option<Vec<f32>> {
        Some(improved(self.sigma, root, worths))
    }

    fn check(&self) -> Result<(), ParameterError> {
        let actions = f64::from(self.actions);
        ParameterError::unless(self.actions >= 1, "GumbelRoot::actions", actions, "at least 1")?;
        self.sigma.check(["GumbelRoot::c_visit", "GumbelRoot::c_scale"])?;
        let (name, noise) = ("GumbelRoot::noise", self.noise);
        ParameterError::unless_in(0.0..f64::INFINITY, name, noise, "finite and at least 0")
    }
}

//! Evaluations of the leaves, backed up beside the averages.

use super::{Backprop, Decorated, Decorator, Step, Values};
use crate::game::{GameFault, GameState, Player, Rewards, StaticEvaluation, Turn};
use crate::parameter::ParameterError;
use crate::statistics::{RunningMean, pack_structs};

/// Mixes two values of a child, `(1 - α) Q + α v`: the value `Q` that `B` backs up from the rewards, and the
/// minimax value `v` of the game's [`StaticEvaluation`] at the leaves of the tree.
///
/// A node is evaluated when an iteration simulates from it. This is its `v` as long as it has no children;
/// the end of a game has the value of its rewards. In other nodes, `v` is that of the child which is best for
/// the player to move, among the children tried; for several players this is max^n. Where chance moves, the
/// outcomes are averaged by visits. The tree policy and the report see the mixture as the mean.
///
/// **Use it** where there is a decent evaluation: it sees tactics at once that rollouts take long to find.
/// Avoid it with a rough evaluation.
///
/// **Parameter:** `alpha`, in [0, 1], the share of the evaluation. The default, 0.4, is from its paper's
/// experiments in Breakthrough; the better the evaluation, the greater `alpha` should be. With 0 this is `B`.
/// **Stores** 40 bytes per child and what `B` stores. **Cost:** an evaluation per iteration, and a pass over
/// all children tried, for every step.
///
/// **Source:** Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with Heuristic Evaluations
/// using Implicit Minimax Backups*, 2014. The paper evaluates all children when a node is expanded. Here some
/// children may not even be stored, so each is evaluated on its first visit.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::ImplicitMinimax;
/// let backprop = Solver::new(ImplicitMinimax::new(0.4, Average));
/// let mut search = Mcts::new(ramure_games::Connect4::new()).backprop(backprop);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
pub type ImplicitMinimax<B> = Decorated<MixMinimax, B>;

/// The decorator of [`ImplicitMinimax`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MixMinimax {
    alpha: f32,
}

impl<B> ImplicitMinimax<B> {
    /// Creates a backpropagation that gives the evaluation the share `alpha`, in [0, 1], and `inner` the
    /// rest.
    pub const fn new(alpha: f32, inner: B) -> Self {
        Decorated { decorator: MixMinimax { alpha }, inner }
    }
}

impl MixMinimax {
    /// Returns the mixture of the value of the rewards and that of the evaluation.
    #[inline(always)]
    fn mix(&self, q: f32, v: f32) -> f32 {
        (q + self.alpha * (v - q)).clamp(0.0, 1.0)
    }
}

impl Default for MixMinimax {
    fn default() -> Self {
        MixMinimax { alpha: 0.4 }
    }
}

/// The statistics of [`ImplicitMinimax`] per child. 40 bytes.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Implicit {
    /// The minimax value of the evaluations below.
    pub minimax: Values,
    /// The mean of the backpropagation inside, for the player who chose the child.
    pub mean: RunningMean,
}

pack_structs! { Implicit { minimax: Values, mean: RunningMean } => |implicit| implicit.mean.is_of_rewards(); }

impl<G: StaticEvaluation> Decorator<G> for MixMinimax {
    type Stats = Implicit;
    const DERIVES: bool = true;

    #[inline]
    fn look(&self, state: &G, kept: Implicit) -> Result<Implicit, GameFault> {
        let evaluation = Rewards::evaluated(state)?;
        Ok(Implicit { minimax: Values::of_end(&evaluation), ..kept })
    }

    #[inline]
    fn update<B: Backprop<G>>(
        &self,
        inside: &B,
        step: impl Step<G, (Implicit, B::Stats)>,
        rewards: &mut Rewards,
    ) {
        let (kept, inner) = step.stats();
        let minimax = match step.turn() {
            Turn::Over => Values::of_end(rewards),
            _ => follow(step, rewards.players()),
        };
        step.set_stats((Implicit { minimax, ..kept }, inner));
        let chooser = step.chooser();
        let mix = |_, reward: f32, given: Option<f32>| {
            let (kept, inner) = step.stats();
            let mean = match given {
                None => kept.mean.with(reward, step.visits() as f32),
                Some(mean) => RunningMean::default().with(mean, 1.0),
            };
            step.set_stats((Implicit { mean, ..kept }, inner));
            step.record_with_mean(reward, self.mix(mean.value, kept.minimax.of(chooser)));
        };
        inside.update(step.second().intercept(mix), rewards);
    }

    /// Evaluations are on the scale of the rewards that this decorator sees; the backpropagation inside may
    /// use another scale.
    #[inline(always)]
    fn worth<B: Backprop<G>>(
        &self,
        inner: &B,
        stats: (Implicit, B::Stats),
        rewards: &Rewards,
        player: Player,
    ) -> f32 {
        self.mix(inner.worth(stats.1, rewards, player), rewards[player])
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_in(0.0..=1.0, "ImplicitMinimax::alpha", self.alpha, "in [0, 1]")
    }
}

/// Returns the minimax values of the evaluations below a node; its own if it has no tried children.
#[inline]
fn follow<G: GameState, S: Copy>(step: impl Step<G, (Implicit, S)>, players: u8) -> Values {
    let tried = step.tried().map(|child| (f64::from(child.visits), child.stats.0.minimax));
    let own = step.stats().0.minimax;
    match step.turn() {
        _ if tried.clone().next().is_none() => own,
        Turn::Chance => Values::mean(players, tried),
        Turn::Player(mover) => Values::best(mover, tried.map(|(_, v)| v)).unwrap_or(own),
        Turn::Over => own,
    }
}

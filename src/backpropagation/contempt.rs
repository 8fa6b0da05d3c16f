//! The value of a draw.

use super::{Backprop, Decorated, Decorator, Step, update_as};
use crate::game::{GameState, MAX_PLAYERS, Player, Rewards};
use crate::parameter::ParameterError;

/// Gives draws a value other than 1/2, by showing `B` other rewards for them.
///
/// A draw is an iteration that gives every player exactly 1/2, at the end of a game or by an evaluation. The
/// backpropagation outside still sees the draw. So put a solver outside, `Solver<Contempt<Average>>`; a
/// proven draw then stays a draw. It counts as `value` wherever it is compared with a mean: when a player
/// already has a draw, and in the choice of the final action.
///
/// [`ScoreBounds`](super::ScoreBounds) goes inside, `Contempt<ScoreBounds<Average>>`, because a draw may be
/// worth more than a greater reward; its proofs then show a draw by its value. If a `value` above 1/2 holds
/// for every player, use [`ScoreBounds::general`](super::ScoreBounds::general). The wrong order does not
/// compile.
///
/// **Use it** against weaker opponents, so that the search plays on where it could force a draw (a value
/// below 1/2), or where a draw is as good as a win (above 1/2).
///
/// **Parameter:** `value`, in [0, 1]: the value of a draw, to all players ([`new`](Self::new)), or to one
/// player, while the others get `1 - value` ([`of`](Self::of)). A value of 1/2 changes nothing, and neither
/// does a player that the game does not have. In texts of `ramure-lab`, it is 0.4, our guess. **Stores** what
/// `B` stores. **Source:** the contempt factor of chess programs, of unknown origin.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::Contempt;
/// let backprop = Solver::new(Contempt::of(0, 0.25, Average)); // for player 0, a draw is worth 1/4
/// let mut search = Mcts::new(ramure_games::TicTacToe::new()).backprop(backprop);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
pub type Contempt<B> = Decorated<DrawValue, B>;

/// The decorator of a [`Contempt`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DrawValue {
    /// The player whose value it is; `None` for all players.
    player: Option<Player>,
    value: f32,
}

impl<B> Contempt<B> {
    /// Creates a backpropagation in which a draw is worth `value`, in [0, 1], to every player.
    pub const fn new(value: f32, inner: B) -> Self {
        Decorated { decorator: DrawValue { player: None, value }, inner }
    }

    /// Creates a backpropagation in which a draw is worth `value`, in [0, 1], to `player`, and `1 - value` to
    /// every other player.
    pub const fn of(player: Player, value: f32, inner: B) -> Self {
        Decorated { decorator: DrawValue { player: Some(player), value }, inner }
    }
}

impl DrawValue {
    /// Returns the rewards recorded in place of these, if they are a draw.
    #[inline(always)]
    fn of_draw(&self, rewards: &Rewards) -> Option<Rewards> {
        let is_draw = rewards.as_slice().iter().all(|&reward| reward == 0.5);
        if !is_draw || self.player.is_some_and(|own| own >= rewards.players()) {
            return None;
        }
        Some(Rewards::new(rewards.players(), |player| match self.player {
            Some(own) if own != player => 1.0 - self.value,
            _ => self.value,
        }))
    }
}

impl<G: GameState> Decorator<G> for DrawValue {
    type Stats = ();
    // A reward of .6 may be worth less than a draw.
    const KEEPS_ORDER: bool = false;

    #[inline(always)]
    fn update<B: Backprop<G>>(&self, inner: &B, step: impl Step<G, ((), B::Stats)>, rewards: &mut Rewards) {
        let shown = self.of_draw(rewards).unwrap_or(*rewards);
        update_as(inner, step.second(), rewards, shown);
    }

    #[inline(always)]
    fn worth<B: Backprop<G>>(
        &self,
        inner: &B,
        stats: ((), B::Stats),
        rewards: &Rewards,
        player: Player,
    ) -> f32 {
        inner.worth(stats.1, &self.of_draw(rewards).unwrap_or(*rewards), player)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let player = self.player.unwrap_or(0);
        let exists = usize::from(player) < MAX_PLAYERS;
        ParameterError::unless(exists, "Contempt::player", f64::from(player), "below 8")?;
        ParameterError::unless_in(0.0..=1.0, "Contempt::value", self.value, "in [0, 1]")
    }
}

//! What a draw is worth.

use super::{Backprop, Misplaced, Step};
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rewards};
use crate::parameter::ParameterError;

/// Draws are worth something else than 1/2: `B` is shown other rewards for them.
///
/// A draw is an iteration that brings every player exactly 1/2: a finished game, or an evaluation that says so. What is outside
/// still sees the draw: so a solver goes outside, `Solver<Contempt<Average>>`, and a proven draw stays one. It counts as `value` wherever it
/// is compared with a mean: at a draw in hand, and in the choice of the final action.
///
/// [`ScoreBounds`](super::ScoreBounds) goes inside, `Contempt<ScoreBounds<Average>>`, because a draw may be worth more than a
/// greater reward; its proofs then tell a draw by its value. If `value` above 1/2 holds for every player, use
/// [`ScoreBounds::general`](super::ScoreBounds::general). The other way round is an error,
/// [`SearchError::Misplaced`](crate::SearchError::Misplaced).
///
/// **Use it** against weaker opponents, so that the search plays on where it could force a draw (a value below 1/2), or
/// where a draw is as good as a win (above). **Parameter:** `value`, in [0, 1]: what a draw is worth, to
/// everyone ([`new`](Self::new)) or to one player, and to the others what is left of 1 ([`of`](Self::of)). 1/2 changes nothing,
/// nor does a player whom the game has not got. By text 0.4, a guess of ours.
/// **Stores** what `B` stores. **Source:** the contempt factor of chess programs, of unknown origin.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::backpropagation::Contempt;
/// let backprop = Solver::new(Contempt::of(0, 0.25, Average)); // player 0 does not like draws
/// let mut search = Mcts::new(ramure::games::TicTacToe::new()).backprop(backprop);
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Contempt<B> {
    /// Whose value it is, if not everybody's.
    player: Option<Player>,
    value: f32,
    inner: B,
}

impl<B> Contempt<B> {
    /// A draw is worth `value`, in [0, 1], to every player.
    pub const fn new(value: f32, inner: B) -> Self {
        Contempt { player: None, value, inner }
    }

    /// A draw is worth `value`, in [0, 1], to `player`, and `1 - value` to every other one.
    pub const fn of(player: Player, value: f32, inner: B) -> Self {
        Contempt { player: Some(player), value, inner }
    }
}

impl<B> Contempt<B> {
    /// What is recorded for these rewards, if they are a draw.
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

impl<G: GameState, B: Backprop<G>> Backprop<G> for Contempt<B> {
    type Stats = B::Stats;
    const PROVES: bool = B::PROVES;
    const LOOKS: bool = B::LOOKS;
    const COUNTS: bool = B::COUNTS;
    // A reward of .6 may be worth less than a draw.
    const KEEPS_ORDER: bool = false;
    const MISPLACED: Option<Misplaced> = B::MISPLACED;

    #[inline(always)]
    fn look(&self, state: &G, stats: Self::Stats) -> Result<Self::Stats, GameFault> {
        self.inner.look(state, stats)
    }

    #[inline(always)]
    fn update(&self, step: impl Step<G, B::Stats>, rewards: &mut Rewards) {
        let Some(mapped) = self.of_draw(rewards) else { return self.inner.update(step, rewards) };
        let mut shown = mapped;
        self.inner.update(step, &mut shown);
        // The steps above see the draw, unless what is inside wants them to see something else.
        if shown != mapped {
            *rewards = shown;
        }
    }

    #[inline(always)]
    fn worth(&self, stats: Self::Stats, rewards: &Rewards, player: Player) -> f32 {
        self.inner.worth(stats, &self.of_draw(rewards).unwrap_or(*rewards), player)
    }

    #[inline(always)]
    fn certain(&self, stats: Self::Stats, player: Player) -> Option<f32> {
        self.inner.certain(stats, player)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let player = self.player.unwrap_or(0);
        let exists = usize::from(player) < MAX_PLAYERS;
        ParameterError::unless(exists, "Contempt::player", f64::from(player), "below 8")?;
        let fits = (0.0..=1.0).contains(&self.value);
        ParameterError::unless(fits, "Contempt::value", f64::from(self.value), "in [0, 1]")?;
        self.inner.check()
    }
}

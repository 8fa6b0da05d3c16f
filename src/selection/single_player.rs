//! UCB for one player, with a term for the deviation of the rewards.

use super::{Choice, Event, Node, Spread, TreePolicy};
use crate::game::{GameState, Rng};
use crate::parameter::ParameterError;
use crate::statistics::Moments;

/// The rule of SP-MCTS: `Q + c sqrt(ln N / n) + sqrt((Σ x² - n Q² + d) / n)`, with the rewards `x` of the
/// child.
///
/// The third term is the standard deviation of the child's rewards, enlarged by `d / n`: a child whose
/// rewards vary may hide a good line, and one with few visits may vary more than it seems to. The rewards are
/// scaled so that the least one met so far is 0 and the greatest 1, as MuZero does with the means in its
/// tree. So `c` and `d` do not depend on the scale of the game, and `c` needs no [`Exploration`](super::Exploration).
///
/// **Use it** in games of one player without chance, where one good line counts and not the mean: puzzles,
/// planning, optimisation. Avoid it where chance moves: a lucky line cannot be repeated, and this rule
/// follows it; [`Ucb1`](super::Ucb1) goes by the mean. See `SinglePlayerMcts` of the crate `ramure-puzzles`,
/// which goes by puzzle scores on any scale, keeps the best line and restarts.
///
/// **Parameters:** `c` and `d`, from 0 to 1000. The default, `c` = 0.02 and `d` = 0.001, follows from trials
/// on twelve boards of SameGame, where the smallest values did best: one player needs far less exploration
/// than two. The figures of the chapter `docs/puzzles.md` are those of this default. **Stores** 24 bytes per child: the sums of
/// the rewards and of their squares, and the values derived from them. With more than one player, the least
/// and the greatest reward are those of player 0.
///
/// **Source:** Schadd, Winands, van den Herik, Chaslot and Uiterwijk, *Single-Player Monte-Carlo Tree
/// Search*, 2008, section 4.1; the scale: Schrittwieser et al., *Mastering Atari, Go, Chess and Shogi by
/// Planning with a Learned Model*, 2020, equation 5.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::SinglePlayer;
/// use ramure_games::Morpion;
/// let mut search = Mcts::new(Morpion::disjoint()).tree_policy(SinglePlayer::default());
/// assert_eq!(search.run(Budget::iterations(100))?.iterations, 100);
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SinglePlayer {
    c: f32,
    d: f32,
}

impl SinglePlayer {
    /// Creates the policy with the exploration constant `c` and the constant `d` of the third term.
    pub const fn new(c: f32, d: f32) -> Self {
        SinglePlayer { c, d }
    }

    /// Returns `c` and `d`.
    pub const fn constants(&self) -> (f32, f32) {
        (self.c, self.d)
    }
}

/// Returns the number that is subtracted from a mean, and the factor for the difference: 0 and 1, until two
/// different rewards were met.
#[inline(always)]
fn scale(spread: &Spread) -> (f32, f32) {
    // The sums of rewards are in units of 2^-24.
    match spread.range() {
        Some((least, greatest)) if greatest - least >= f32::EPSILON / 2.0 => {
            (least, 1.0 / (greatest - least))
        }
        _ => (0.0, 1.0),
    }
}

impl Default for SinglePlayer {
    fn default() -> Self {
        SinglePlayer::new(0.02, 0.001)
    }
}

impl<G: GameState> TreePolicy<G> for SinglePlayer {
    type Stats = Moments;

    #[inline(always)]
    fn select(&self, node: impl Node<G, Self::Stats>, _: &mut Rng) -> Choice {
        let (bonus, (least, scale), d) = (self.c * node.sqrt_ln_visits(), scale(node.spread()), self.d);
        node.argmax(|child| {
            let (rare, variance) = (child.stats().rarity, child.stats().variance);
            (child.mean() - least) * scale
                + bonus * rare
                + (variance * scale * scale + d * rare * rare).sqrt()
        })
    }

    #[inline(always)]
    fn update(&self, moments: Moments, visits: f32, reward: f32) -> Moments {
        moments.with(reward, visits)
    }

    #[inline(always)]
    fn notice(&self, moments: Moments, event: Event<Moments>) -> Moments {
        if let Event::Recounted(visits) = event { moments.recounted(visits) } else { moments }
    }

    fn check(&self) -> Result<(), ParameterError> {
        ParameterError::unless_constant("SinglePlayer::c", self.c.into())?;
        ParameterError::unless_constant("SinglePlayer::d", self.d.into())
    }
}

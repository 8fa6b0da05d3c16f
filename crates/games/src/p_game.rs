//! P-games: random game trees with a known exact value.

use ramure::ParameterError;
use ramure::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};

/// The greatest number that an action adds or subtracts.
pub(super) const GREATEST: i32 = 127;

/// A P-game: a random game tree whose exact value is known.
///
/// The tree is full, and two players alternate, MAX first. Each action has a random number from 0 to 127; an
/// action of MAX adds it to a sum and an action of MIN subtracts it. At the end MAX, player 0, wins if the
/// sum is positive; otherwise MIN, player 1, wins.
///
/// Neighbouring leaves share much of their sums, as in real games, and the correct actions can be computed:
/// [`solve`](Self::solve), [`good_actions`](Self::good_actions). So you can measure the share of wrong
/// actions of a search.
///
/// No tree is stored: the number of an action is a hash of the seed and of all actions up to it (the
/// generator splitmix64). A state takes 16 bytes. Two states are equal if they come from the same actions in
/// a tree of the same seed.
///
/// **Source:** Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006, section 3.1, after Smith and
/// Nau, *An Analysis of Forward Pruning*, 1994. A sum of zero is a draw there and a win for MIN here, so that
/// every game has a winner.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::PGame;
///
/// let game = PGame::new(2, 10, 7)?; // branching 2, depth 10, seed 7
/// let action = ramure::best_action(&game, Budget::iterations(10_000))?;
/// assert!(game.good_actions().is_empty() || game.good_actions().contains(&action));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PGame {
    /// The hash of the seed and of all actions so far.
    pub(super) path: u64,
    pub(super) sum: i32,
    pub(super) played: u8,
    pub(super) branching: u8,
    pub(super) depth: u8,
}

impl PGame {
    /// Creates the root of the tree of `seed`, with `branching` actions in every state, at least 1, and
    /// `depth` actions from the root to every leaf, at least 1.
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if `branching` or `depth` is 0.
    pub fn new(branching: u8, depth: u8, seed: u64) -> Result<Self, ParameterError> {
        for (name, value) in [("PGame::branching", branching), ("PGame::depth", depth)] {
            ParameterError::unless(value > 0, name, value.into(), "from 1 to 255")?;
        }
        Ok(PGame { path: mix(seed), sum: 0, played: 0, branching, depth })
    }

    /// Returns the sum so far.
    pub fn sum(&self) -> i32 {
        self.sum
    }

    /// Returns the number of actions played so far.
    pub fn played(&self) -> u8 {
        self.played
    }

    /// Returns the winner, or `None` if the game is not over.
    pub fn winner(&self) -> Option<Player> {
        (self.played == self.depth).then(|| self.leader())
    }

    /// Returns the winner from here under perfect play: 0 for MAX, 1 for MIN.
    ///
    /// **Cost:** a search that stops where the remaining numbers cannot change the sign of the sum. On
    /// average it takes less than a millisecond for 2^20 or 8^8 leaves, and grows roughly as the number of
    /// leaves to the power 0.6.
    pub fn solve(&self) -> Player {
        let [most, least] = self.reach();
        if (most > 0) == (least > 0) {
            return self.leader();
        }
        let mover = self.played & 1;
        let wins = (0..self.branching).any(|action| self.after(action).solve() == mover);
        if wins { mover } else { 1 - mover }
    }

    /// Returns the actions after which the player to move wins under perfect play. Empty if the player to
    /// move loses or if the game is over.
    ///
    /// **Cost:** that of [`solve`](Self::solve) for each action.
    pub fn good_actions(&self) -> Vec<u8> {
        let mover = self.played & 1;
        self.actions().into_iter().filter(|&action| self.after(action).solve() == mover).collect()
    }

    /// Returns the greatest and the least final sum that are possible.
    fn reach(&self) -> [i32; 2] {
        let left = i32::from(self.depth - self.played);
        let of_mover = (left + 1) / 2;
        let of_other = left - of_mover;
        let [of_max, of_min] = if self.played & 1 == 0 { [of_mover, of_other] } else { [of_other, of_mover] };
        [self.sum + GREATEST * of_max, self.sum - GREATEST * of_min]
    }

    /// Returns the player who would win with the current sum.
    fn leader(&self) -> Player {
        if self.sum > 0 { 0 } else { 1 }
    }

    #[inline]
    fn after(mut self, action: u8) -> Self {
        self.apply(action);
        self
    }
}

#[diagnostic::do_not_recommend]
impl GameState for PGame {
    type Action = u8;

    #[inline]
    fn turn(&self) -> Turn {
        if self.played == self.depth { Turn::Over } else { Turn::Player(self.played & 1) }
    }

    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.played == self.depth { 0 } else { self.branching }
    }

    #[inline]
    fn apply(&mut self, action: u8) {
        self.path = mix(self.path.wrapping_add(STEP.wrapping_mul(u64::from(action))));
        let number = (self.path >> 57) as i32; // the topmost 7 bits
        self.sum += if self.played & 1 == 0 { number } else { -number };
        self.played += 1;
    }

    #[inline]
    fn reward(&self, player: Player) -> f64 {
        if player == self.leader() { 1.0 } else { 0.0 }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<u8> {
        (self.played != self.depth).then(|| rng.below(usize::from(self.branching)) as u8)
    }

    #[inline]
    fn is_legal(&self, action: u8) -> bool {
        self.played != self.depth && action < self.branching
    }
}

impl StaticEvaluation for PGame {
    /// Returns for MAX the share of positive sums among all possible final sums, as if each remaining number
    /// were free in 0 to 127; for MIN, one minus that. The evaluation uses only the sum and the range of what
    /// remains: it ignores that the ends of this range are rare, and it knows none of the remaining numbers.
    fn evaluate(&self, player: Player) -> f64 {
        let [most, least] = self.reach();
        let sums = most - least + 1;
        let worth = f64::from(most.clamp(0, sums)) / f64::from(sums);
        if player == 0 { worth } else { 1.0 - worth }
    }
}

impl ActionIndex for PGame {
    /// The greatest possible branching.
    const ACTION_COUNT: usize = u8::MAX as usize;

    /// Returns the action itself. An action has a different number in every state, so experience with an
    /// action in one state says nothing about another state.
    #[inline]
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

/// The step by which the state of splitmix64 grows.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// Returns the number that splitmix64 gives after the state `x` (Steele, Lea and Flood 2014).
#[inline]
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

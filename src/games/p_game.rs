//! P-games: random game trees whose exact value is known.

use super::PGameError;
use crate::game::{ActionIndex, GameState, Player, Rng, StaticEvaluation, Turn};

/// The greatest number that an action adds or subtracts.
const GREATEST: i32 = 127;

/// A P-game: a full tree in which two players take turns, MAX first. Each action carries a random number of 0 to 127, which
/// an action of MAX adds to a sum and one of MIN subtracts from it. In the end MAX, player 0, wins if the sum is positive,
/// and else MIN, player 1.
///
/// Neighbouring leaves have much of their sums in common, as in real games, and whether an action is right can be worked
/// out: [`solve`](Self::solve), [`good_actions`](Self::good_actions). So the share of wrong actions of a search can be
/// measured.
///
/// No tree is stored: the number of an action is a hash of the seed and of the actions up to it (the generator splitmix64).
/// A state takes 16 bytes. Two states are equal when the same actions in a tree of the same seed led to them.
///
/// **Source:** Kocsis and Szepesvári, *Bandit based Monte-Carlo Planning*, 2006, section 3.1, after Smith and Nau, *An
/// Analysis of Forward Pruning*, 1994. A sum of zero, there a draw, is a win of MIN here: so every game has a winner.
///
/// ```
/// use ramure::games::PGame;
/// use ramure::prelude::*;
///
/// let game = PGame::new(2, 10, 7)?; // 2 actions everywhere, 10 in all, the tree of seed 7
/// let action = ramure::best_action(&game, Budget::iterations(10_000))?;
/// assert!(game.good_actions().is_empty() || game.good_actions().contains(&action));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PGame {
    /// The hash of the seed and of all actions so far.
    path: u64,
    sum: i32,
    played: u8,
    branching: u8,
    depth: u8,
}

impl PGame {
    /// The tree of `seed`, with `branching` actions in every state, at least 1, and `depth` actions from the root to every
    /// leaf, at least 1.
    ///
    /// # Errors
    ///
    /// `branching` or `depth` is 0.
    pub fn new(branching: u8, depth: u8, seed: u64) -> Result<Self, PGameError> {
        match (branching, depth) {
            (0, _) => Err(PGameError::NoBranches),
            (_, 0) => Err(PGameError::NoDepth),
            _ => Ok(PGame { path: mix(seed), sum: 0, played: 0, branching, depth }),
        }
    }

    /// The sum so far.
    pub fn sum(&self) -> i32 {
        self.sum
    }

    /// How many actions there are in every state that is not over.
    pub fn branching(&self) -> u8 {
        self.branching
    }

    /// How many actions lead from the root to a leaf.
    pub fn depth(&self) -> u8 {
        self.depth
    }

    /// How many actions have been played.
    pub fn played(&self) -> u8 {
        self.played
    }

    /// Who has won, if the game is over.
    pub fn winner(&self) -> Option<Player> {
        (self.played == self.depth).then(|| self.leader())
    }

    /// Who wins from here if both play perfectly: 0 for MAX, 1 for MIN.
    ///
    /// **Cost:** a search that ends where the numbers to come cannot change the sign of the sum any more: in the mean below a
    /// millisecond for 2^20 or 8^8 leaves, growing about as the leaves to the power 0.6.
    pub fn solve(&self) -> Player {
        let [most, least] = self.reach();
        if (most > 0) == (least > 0) {
            return self.leader();
        }
        let mover = self.played & 1;
        let wins = (0..self.branching).any(|action| self.after(action).solve() == mover);
        if wins { mover } else { 1 - mover }
    }

    /// The actions after which the player to move wins if both play perfectly: none if he has lost, or if the game is over.
    ///
    /// **Cost:** that of [`solve`](Self::solve) for each action.
    pub fn good_actions(&self) -> Vec<u8> {
        let mover = self.played & 1;
        self.actions().into_iter().filter(|&action| self.after(action).solve() == mover).collect()
    }

    /// The greatest and the least sum in which the game may end.
    fn reach(&self) -> [i32; 2] {
        let left = i32::from(self.depth - self.played);
        let of_mover = (left + 1) / 2;
        let of_other = left - of_mover;
        let [of_max, of_min] = if self.played & 1 == 0 { [of_mover, of_other] } else { [of_other, of_mover] };
        [self.sum + GREATEST * of_max, self.sum - GREATEST * of_min]
    }

    /// Who would win by the sum as it is.
    fn leader(&self) -> Player {
        if self.sum > 0 { 0 } else { 1 }
    }

    #[inline]
    fn after(mut self, action: u8) -> Self {
        self.apply(action);
        self
    }
}

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
    /// For MAX the share of the positive sums among all those in which the game may still end, if each number to come may
    /// be any of 0 to 127; for MIN the rest. So it knows the sum and how much may still change it, but not that the ends of that
    /// range are rare, nor any number to come.
    fn evaluate(&self, player: Player) -> f64 {
        let [most, least] = self.reach();
        let sums = most - least + 1;
        let worth = f64::from(most.clamp(0, sums)) / f64::from(sums);
        if player == 0 { worth } else { 1.0 - worth }
    }
}

impl ActionIndex for PGame {
    /// As many as any branching allows.
    const ACTION_COUNT: usize = u8::MAX as usize;

    /// The action itself. It has another number to add in every state, so nothing is to be learnt of an action elsewhere.
    #[inline]
    fn action_index(action: u8) -> usize {
        usize::from(action)
    }
}

/// By so much the state of splitmix64 grows from one number to the next.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The number that splitmix64 gives after the state `x` (Steele, Lea and Flood 2014).
#[inline]
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(STEP);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

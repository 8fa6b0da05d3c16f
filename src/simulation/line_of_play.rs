//! How a search came to a fault: [`LineOfPlay`].

use crate::simulation::{LAST_OF_LINE, LONGEST_LINE};
use core::fmt;

/// How a search came to a fault: the actions from its root, and the guess of what is hidden.
///
/// ```
/// use ramure::prelude::*;
///
/// /// The player who reaches 21 first wins. Somebody forgot that one can also pass it.
/// #[derive(Clone)]
/// struct Count { sum: u32, player: Player }
///
/// impl GameState for Count {
///     type Action = u32;
///     fn turn(&self) -> Turn { if self.sum == 21 { Turn::Over } else { Turn::Player(self.player) } }
///     fn actions(&self) -> impl IntoIterator<Item = u32> { if self.sum < 21 { 3..6 } else { 0..0 } }
///     fn apply(&mut self, added: u32) { *self = Count { sum: self.sum + added, player: 1 - self.player } }
///     fn reward(&self, player: Player) -> f64 { if player == self.player { 0.0 } else { 1.0 } }
/// }
///
/// let error = Mcts::new(Count { sum: 0, player: 0 }).run(Budget::iterations(100)).unwrap_err();
/// let SearchError::Game { line, ply, .. } = &error else { panic!("{error}") };
/// assert_eq!(line.actions.len(), *ply as usize);
/// let sum: u32 = line.actions.iter().map(|added| added.parse::<u32>().unwrap()).sum();
/// assert!(sum > 21);
/// assert!(error.to_string().contains(&line.actions.join(", ")));
/// ```
#[derive(Clone, Default, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct LineOfPlay {
    /// The actions from the root, printed by `Debug`. If there are more than [`LONGEST`](Self::LONGEST), the
    /// last 10 of this list are the last ones before the fault, and the others the first ones.
    ///
    /// If the fault is in a rollout, the search plays it a second time to see its actions. They are left out
    /// if it then takes another way, as with an evaluator that changes; and in searches that put positions
    /// together with their mirror images, that have a [window](crate::Mcts::window) or a tree for each
    /// player.
    pub actions: Vec<String>,
    /// The seed of the guess of what is hidden, if the search makes one in each iteration. To see the guess,
    /// call [`determinize`](crate::HiddenInformation::determinize) for a copy of the root state, with the
    /// generator `Rng::seeded(seed)`.
    pub guess: Option<u64>,
    /// The number of the iteration that made the guess: one more than the visits that the root had. In
    /// `Determinized`, the number of the guess, from 1. 0 without a guess.
    pub iteration: u32,
}

impl LineOfPlay {
    /// The most actions that a line keeps.
    pub const LONGEST: usize = LONGEST_LINE;

    /// The most actions that an error prints. Of a longer line, it prints the ends.
    const PRINTED: usize = 100;

    /// Describes the place, `ply` actions after the root, in brackets.
    pub(crate) fn write(&self, ply: u32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match ply {
            0 => f.write_str("(at the root of the search")?,
            1 => f.write_str("(1 action after the root of the search")?,
            _ => write!(f, "({ply} actions after the root of the search")?,
        }
        let (known, ply) = (self.actions.len(), ply as usize);
        // If the line is known to its end, so are the last actions.
        let (first, last) = match known {
            0..=Self::PRINTED => (known, 0),
            _ => (LAST_OF_LINE, if known == ply.min(Self::LONGEST) { LAST_OF_LINE } else { 0 }),
        };
        let first = &self.actions[..first];
        if !first.is_empty() {
            write!(f, ": {}", first.join(", "))?;
            match (ply.saturating_sub(first.len() + last), last) {
                (0, _) => {}
                (more, 0) => write!(f, ", and {more} more")?,
                (more, _) => {
                    write!(f, ", then {more} more, and at last {}", self.actions[known - last..].join(", "))?
                }
            }
        }
        if let Some(seed) = self.guess {
            write!(f, "; in the guess of iteration {} by `Rng::seeded({seed})`", self.iteration)?;
        }
        f.write_str(")")
    }
}

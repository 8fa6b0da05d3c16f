//! The bandit of many arms: the problem for which UCB1 was made.

use super::BanditError;
use crate::game::{GameState, Player, Rng, Turn};
use std::sync::Arc;

/// The most arms that a bandit may have.
pub const MAX_ARMS: usize = 1000;

/// The stochastic bandit with Bernoulli arms, as a game for one: the player chooses an arm, chance draws a win or a loss
/// with the probability of that arm, and the game is over.
///
/// One iteration of a search is one play of an arm; the children of the root have the plays of each as visits. So the
/// regret of a tree policy is measured by the search itself. Nothing below an arm is worth a node:
/// [`Expansion::on_visit`](crate::Expansion::on_visit) with `u32::MAX` stores none.
///
/// Cheap to clone: the probabilities are shared. Two states are equal when their arms have the same probabilities and the
/// same has happened.
///
/// **Source:** Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002, section 1; its
/// section 4 measures such arms.
///
/// ```
/// use ramure::games::Bandit;
/// use ramure::prelude::*;
///
/// let mut search = Mcts::new(Bandit::new(&[0.9, 0.6])?);
/// let report = search.run(Budget::iterations(10_000))?;
/// let plays: Vec<u32> = report.actions.iter().map(|action| action.visits).collect();
/// assert_eq!(plays.iter().sum::<u32>(), 10_000);
/// assert!(plays[0] > 9_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(PartialEq, Debug)]
pub struct Bandit {
    probabilities: Arc<[f64]>,
    stage: Stage,
}

/// What can happen in a [`Bandit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum BanditAction {
    /// The player plays this arm, counted from 0.
    Arm(u16),
    /// Chance lets the arm win.
    Win,
    /// Chance lets the arm lose.
    Loss,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Stage {
    Choice,
    Played { probability: f64 },
    Over { won: bool },
}

impl Bandit {
    /// A bandit with one arm for each of these probabilities of a win.
    ///
    /// # Errors
    ///
    /// There is no arm, there are more than [`MAX_ARMS`], or a probability is not in [0, 1].
    pub fn new(probabilities: &[f64]) -> Result<Self, BanditError> {
        if !(1..=MAX_ARMS).contains(&probabilities.len()) {
            return Err(BanditError::Arms { arms: probabilities.len() });
        }
        let wrong = (0..).zip(probabilities).find(|(_, probability)| !(0.0..=1.0).contains(*probability));
        if let Some((arm, &probability)) = wrong {
            return Err(BanditError::Probability { arm, probability });
        }
        Ok(Bandit { probabilities: probabilities.into(), stage: Stage::Choice })
    }

    /// The probabilities of a win, arm by arm.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}

impl Clone for Bandit {
    fn clone(&self) -> Self {
        Bandit { probabilities: self.probabilities.clone(), stage: self.stage }
    }

    /// Searches do this once per iteration, and the arms are mostly the same ones: then nothing shared is touched.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.probabilities, &other.probabilities) {
            self.probabilities = other.probabilities.clone();
        }
        self.stage = other.stage;
    }
}

impl GameState for Bandit {
    type Action = BanditAction;

    #[inline]
    fn turn(&self) -> Turn {
        match self.stage {
            Stage::Choice => Turn::Player(0),
            Stage::Played { .. } => Turn::Chance,
            Stage::Over { .. } => Turn::Over,
        }
    }

    /// All arms; or of win and loss what is possible.
    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = BanditAction> {
        let arms = if self.stage == Stage::Choice { self.probabilities.len() as u16 } else { 0 };
        let [win, loss] = [BanditAction::Win, BanditAction::Loss].map(|outcome| {
            let is_possible = self.weight(outcome) > 0.0;
            is_possible.then_some(outcome)
        });
        (0..arms).map(BanditAction::Arm).chain(win).chain(loss)
    }

    /// An arm that the bandit does not have never wins.
    #[inline]
    fn apply(&mut self, action: BanditAction) {
        self.stage = match action {
            BanditAction::Arm(arm) => {
                let probability = self.probabilities.get(usize::from(arm)).copied().unwrap_or(0.0);
                Stage::Played { probability }
            }
            BanditAction::Win => Stage::Over { won: true },
            BanditAction::Loss => Stage::Over { won: false },
        };
    }

    #[inline]
    fn reward(&self, _: Player) -> f64 {
        if self.stage == (Stage::Over { won: true }) { 1.0 } else { 0.0 }
    }

    #[inline]
    fn players(&self) -> u8 {
        1
    }

    #[inline]
    fn weight(&self, outcome: BanditAction) -> f64 {
        match (self.stage, outcome) {
            (Stage::Played { probability }, BanditAction::Win) => probability,
            (Stage::Played { probability }, BanditAction::Loss) => 1.0 - probability,
            _ => 0.0,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<BanditAction> {
        match self.stage {
            Stage::Choice => Some(BanditAction::Arm(rng.below(self.probabilities.len()) as u16)),
            Stage::Played { probability } if rng.unit() < probability => Some(BanditAction::Win),
            Stage::Played { .. } => Some(BanditAction::Loss),
            Stage::Over { .. } => None,
        }
    }
}

//! The multi-armed bandit, the problem that UCB1 solves.

use ramure::ParameterError;
use ramure::{GameState, Player, Rng, Turn};
use std::sync::Arc;

/// The stochastic bandit with Bernoulli arms, as a game for one player.
///
/// The player chooses an arm, chance draws a win or a loss with the probability of that arm, and the game is
/// over.
///
/// One iteration of a search is one play of an arm, so the visits of the root's children are the numbers of
/// plays. The search itself thus measures the regret of a tree policy. Nodes below an arm add nothing:
/// [`Expansion::on_visit`](ramure::Expansion::on_visit) with `u32::MAX` stores none.
///
/// Clones are cheap because they share the probabilities. Two states are equal if their arms have the same
/// probabilities and their histories are the same.
///
/// **Source:** Auer, Cesa-Bianchi and Fischer, *Finite-time Analysis of the Multiarmed Bandit Problem*, 2002,
/// section 1; section 4 measures such arms.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::Bandit;
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
    pub(super) probabilities: Arc<[f64]>,
    pub(super) stage: Stage,
}

/// An action or an outcome in a [`Bandit`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum BanditAction {
    /// The player plays this arm, counted from 0.
    Arm(u16),
    /// The outcome that the arm wins.
    Win,
    /// The outcome that the arm loses.
    Loss,
}

#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub(super) enum Stage {
    Choice,
    Played { probability: f64 },
    Over { won: bool },
}

impl Bandit {
    /// The most arms that a bandit may have.
    pub const MAX_ARMS: usize = 1000;

    /// Creates a bandit with one arm for each of these win probabilities.
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if there is no arm, if there are more than [`MAX_ARMS`](Self::MAX_ARMS),
    /// or if a probability is not in [0, 1].
    pub fn new(probabilities: &[f64]) -> Result<Self, ParameterError> {
        let arms = probabilities.len();
        let most = Self::MAX_ARMS as f64;
        ParameterError::unless_in(1.0..=most, "Bandit::arms", arms as f64, "from 1 to 1000")?;
        for &probability in probabilities {
            ParameterError::unless_in(0.0..=1.0, "Bandit::probabilities", probability, "in [0, 1]")?;
        }
        Ok(Bandit { probabilities: probabilities.into(), stage: Stage::Choice })
    }

    /// Returns the win probability of each arm.
    pub fn probabilities(&self) -> &[f64] {
        &self.probabilities
    }
}

impl Clone for Bandit {
    fn clone(&self) -> Self {
        Bandit { probabilities: self.probabilities.clone(), stage: self.stage }
    }

    /// Searches call this once per iteration, mostly with the same arms. The shared data is then not touched.
    #[inline]
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.probabilities, &other.probabilities) {
            self.probabilities = other.probabilities.clone();
        }
        self.stage = other.stage;
    }
}

#[diagnostic::do_not_recommend]
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

    /// Returns all arms, or those of the outcomes win and loss that are possible.
    #[inline]
    fn actions(&self) -> impl IntoIterator<Item = BanditAction> {
        let arms = if self.stage == Stage::Choice { self.probabilities.len() as u16 } else { 0 };
        let [win, loss] = [BanditAction::Win, BanditAction::Loss].map(|outcome| {
            let is_possible = self.probability(outcome) > 0.0;
            is_possible.then_some(outcome)
        });
        (0..arms).map(BanditAction::Arm).chain(win).chain(loss)
    }

    /// Plays an arm or an outcome. An arm that the bandit does not have never wins.
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
    fn probability(&self, outcome: BanditAction) -> f64 {
        match (self.stage, outcome) {
            (Stage::Played { probability }, BanditAction::Win) => probability,
            (Stage::Played { probability }, BanditAction::Loss) => 1.0 - probability,
            _ => 0.0,
        }
    }

    #[inline]
    fn random_action(&self, rng: &mut Rng) -> Option<BanditAction> {
        (self.stage == Stage::Choice).then(|| BanditAction::Arm(rng.below(self.probabilities.len()) as u16))
    }

    #[inline]
    fn random_outcome(&self, rng: &mut Rng) -> Option<BanditAction> {
        let Stage::Played { probability } = self.stage else { return None };
        Some(if rng.unit() < probability { BanditAction::Win } else { BanditAction::Loss })
    }
}

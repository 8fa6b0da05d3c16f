//! The part of a saved backpropagation that is not in the statistics of the nodes, behind the feature
//! `save`.

use super::contempt::DrawValue;
use super::implicit_minimax::MixMinimax;
use super::relative_bonus::{LengthBonus, Lengths};
use super::score_bounds::KeepBounds;
use super::solver::Proofs;
use super::{
    Average, BayesBackup, Decorated, Discounted, MaxBackup, PowerMean, ProofsIf, RecencyWeighted,
    SoftmaxBackup,
};
use crate::custom_error::BoxError;
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player};
use crate::persist::{Persist, persist_both, persist_settings};

persist_settings! {
    Average, BayesBackup, Discounted, DrawValue, MaxBackup, MixMinimax, PowerMean, Proofs, ProofsIf, RecencyWeighted,
    SoftmaxBackup,
}

persist_both! { Decorated<D, B>, decorator, inner, |_policy| "" }

/// The two players who are no rivals, and the sum of their rewards, if there were any.
impl<G: GameState> Persist<G> for KeepBounds {
    type Learned = Option<([Player; 2], f64)>;
    fn settings(&self) -> String {
        format!("KeepBounds {{ rivals: {} }}", self.rivals)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        match self.shared.get() {
            Some(GameFault::Rivals { players, sum }) => Some((players, sum)),
            _ => None,
        }
    }
    fn check_learned(&self, _: &G, learned: &Self::Learned) -> Result<(), BoxError> {
        let is_sum = learned.is_none_or(|(_, sum)| (1.0..=2.0).contains(&sum));
        if is_sum { Ok(()) } else { Err("the rewards of two players have an impossible sum".into()) }
    }
    fn restore(&mut self, learned: Self::Learned) {
        self.shared.set(learned.map(|(players, sum)| GameFault::Rivals { players, sum }));
    }
}

/// For draws and for wins of each player, the number of games, the mean of their lengths, and the sum of the
/// squared deviations.
impl<G: GameState> Persist<G> for LengthBonus {
    type Learned = [(u64, f64, f64); MAX_PLAYERS + 1];
    fn settings(&self) -> String {
        format!("LengthBonus {{ k: {:?}, a: {:?} }}", self.k, self.a)
    }
    fn learned(&self, _: &G) -> Self::Learned {
        self.lengths.each_ref().map(|lengths| {
            let Lengths { count, mean, squares } = lengths.get();
            (count, mean, squares)
        })
    }
    fn check_learned(&self, _: &G, learned: &Self::Learned) -> Result<(), BoxError> {
        // A game has fewer actions than this, and the square of the greatest deviation is less than its
        // square.
        const LONGEST: f64 = (1u64 << 32) as f64;
        let fits = |&(count, mean, squares): &(u64, f64, f64)| {
            count <= 1 << 53
                && (0.0..=LONGEST).contains(&mean)
                && (0.0..=count as f64 * LONGEST * LONGEST).contains(&squares)
        };
        if learned.iter().all(fits) { Ok(()) } else { Err("the lengths of games are impossible".into()) }
    }
    fn restore(&mut self, learned: Self::Learned) {
        self.lengths = learned.map(|(count, mean, squares)| Lengths { count, mean, squares }.into());
    }
}

//! Counterfactual regret minimization.

use super::profile::Profile;
use super::sequence_form::SequenceForm;

impl<A: Clone + Eq> SequenceForm<A> {
    /// Returns the average strategies after `iterations` of counterfactual regret minimization. For two
    /// players with a constant sum, the exploitability falls at least as fast as the inverse root of the
    /// number of iterations.
    ///
    /// **Cost:** each iteration passes over all ends once for each player.
    ///
    /// **Source:** Zinkevich et al., *Regret minimization in games with incomplete information*, 2007, with
    /// updates in turn.
    ///
    /// ```
    /// use ramure_lab::exact::SequenceForm;
    /// use ramure_lab::games::Kuhn;
    /// let kuhn = SequenceForm::of(&Kuhn::new())?;
    /// assert!(kuhn.regret_minimization(1_000).exploitability() < 0.005);
    /// # Ok::<(), ramure_lab::exact::ExactError>(())
    /// ```
    pub fn regret_minimization(&self, iterations: u32) -> Profile<'_, A> {
        let mut current = self.uniform();
        let zeros = || self.players.iter().map(|known| vec![0.0; known.sequences]).collect::<Vec<_>>();
        let (mut regrets, mut sums): (Vec<Vec<f64>>, _) = (zeros(), zeros());
        let mut plans: Vec<Vec<f64>> =
            (0..self.players.len()).map(|player| self.plan(player, &current.probabilities[player])).collect();
        for _ in 0..iterations {
            for (player, known) in self.players.iter().enumerate() {
                let probabilities = &mut current.probabilities[player];
                let mut worth = self.direct(player, &plans);
                for set in known.sets.iter().rev() {
                    let value: f64 =
                        set.sequences().map(|sequence| probabilities[sequence] * worth[sequence]).sum();
                    for sequence in set.sequences() {
                        regrets[player][sequence] += worth[sequence] - value;
                    }
                    worth[set.parent as usize] += value;
                }
                for set in &known.sets {
                    let regrets = &regrets[player][set.sequences()];
                    follow(regrets.iter().map(|regret| regret.max(0.0)), &mut probabilities[set.sequences()]);
                }
                plans[player] = self.plan(player, probabilities);
                for (sum, reach) in sums[player].iter_mut().zip(&plans[player]) {
                    *sum += reach;
                }
            }
        }
        for (player, known) in self.players.iter().enumerate() {
            for set in &known.sets {
                let sums = sums[player][set.sequences()].iter().copied();
                follow(sums, &mut current.probabilities[player][set.sequences()]);
            }
        }
        current
    }
}

/// Makes the probabilities proportional to the weights; equal if all weights are 0.
pub(super) fn follow(weights: impl Iterator<Item = f64> + Clone, probabilities: &mut [f64]) {
    let (sum, count) = (weights.clone().sum::<f64>(), probabilities.len() as f64);
    for (probability, weight) in probabilities.iter_mut().zip(weights) {
        *probability = if sum > 0.0 { weight / sum } else { 1.0 / count };
    }
}

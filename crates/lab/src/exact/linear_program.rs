//! Equilibria by linear programming.

use super::error::ExactError;
use super::profile::Profile;
use super::regret::follow;
use super::sequence_form::SequenceForm;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;

impl<A: Clone + Eq> SequenceForm<A> {
    /// Returns an equilibrium of a game of two players whose rewards have a constant sum: two strategies that
    /// are best responses to each other. Where its own actions never lead, a player acts at random.
    ///
    /// ```
    /// use ramure_lab::exact::SequenceForm;
    /// use ramure_lab::games::MatrixGame;
    ///
    /// let form = SequenceForm::of(&MatrixGame::biased_rock_paper_scissors())?;
    /// let equilibrium = form.equilibrium()?;
    /// assert!((equilibrium.value(0) - 0.5).abs() < 1e-9);
    /// assert!((equilibrium.probabilities(0, 0)[1] - 10.0 / 16.0).abs() < 1e-9);
    /// # Ok::<(), ramure_lab::exact::ExactError>(())
    /// ```
    ///
    /// **Cost:** two linear programs with a variable for each sequence and information set. Some thousand
    /// information sets take seconds to minutes.
    ///
    /// **Source:** von Stengel, *Efficient computation of behavior strategies*, 1996.
    ///
    /// # Errors
    ///
    /// Returns [`ExactError::NotZeroSum`] for other games, and [`ExactError::LinearProgram`] if the solver
    /// fails.
    pub fn equilibrium(&self) -> Result<Profile<'_, A>, ExactError> {
        let sum =
            self.rewards.chunks_exact(self.players.len()).next().map_or(0.0, |first| first.iter().sum());
        let is_constant = |rewards: &[f64]| (rewards.iter().sum::<f64>() - sum).abs() <= 1e-9;
        if self.players.len() != 2 || !self.rewards.chunks_exact(2).all(is_constant) {
            return Err(ExactError::NotZeroSum);
        }
        let mut profile = self.uniform();
        for player in 0..2 {
            profile.probabilities[player] = self.maximin(player)?;
        }
        Ok(profile)
    }

    /// Returns the probabilities that maximize the reward of `player` against a best response.
    ///
    /// The variables are the plan of `player`, and for each information set of the other player the least
    /// that `player` gets there, as a sum over all ends that follow. The other player can reach that minimum
    /// by choosing the worst action for `player` in each set.
    fn maximin(&self, player: usize) -> Result<Vec<f64>, ExactError> {
        let other = 1 - player;
        let (own, others) = (&self.players[player], &self.players[other]);
        let mut program = Problem::new(OptimizationDirection::Maximize);
        let plan: Vec<Variable> = (0..own.sequences).map(|_| program.add_var(0.0, (0.0, 1.0))).collect();
        let free = (f64::NEG_INFINITY, f64::INFINITY);
        let root = program.add_var(1.0, free);
        let least: Vec<Variable> = others.sets.iter().map(|_| program.add_var(0.0, free)).collect();

        program.add_constraint([(plan[0], 1.0)], ComparisonOp::Eq, 1.0);
        for set in &own.sets {
            let actions = set.sequences().map(|sequence| (plan[sequence], 1.0));
            let all: Vec<_> = actions.chain([(plan[set.parent as usize], -1.0)]).collect();
            program.add_constraint(&all, ComparisonOp::Eq, 0.0);
        }

        // For each sequence of the other player: what the ends that follow directly are worth, by the
        // sequences of `player`.
        let mut worth = vec![BTreeMap::<u32, f64>::new(); others.sequences];
        for (chance, last, rewards) in self.each_end() {
            *worth[last[other] as usize].entry(last[player]).or_default() += chance * rewards[player];
        }
        let mut after = vec![Vec::new(); others.sequences];
        let mut of_sequence = vec![root; others.sequences];
        for (number, set) in others.sets.iter().enumerate() {
            after[set.parent as usize].push(least[number]);
            for sequence in set.sequences() {
                of_sequence[sequence] = least[number];
            }
        }
        for (sequence, worth) in worth.iter().enumerate() {
            let mut all = vec![(of_sequence[sequence], 1.0)];
            all.extend(after[sequence].iter().map(|&set| (set, -1.0)));
            let of_ends = worth.iter().filter(|(_, worth)| **worth != 0.0);
            all.extend(of_ends.map(|(&own, worth)| (plan[own as usize], -worth)));
            program.add_constraint(&all, ComparisonOp::Le, 0.0);
        }

        let solved = program.solve().ok().and_then(|outcome| outcome.into_solution().ok());
        let solution = solved.ok_or(ExactError::LinearProgram)?;
        let plan: Vec<f64> = plan.iter().map(|&variable| solution.var_value(variable).max(0.0)).collect();
        let mut probabilities = vec![1.0; own.sequences];
        for set in &own.sets {
            follow(plan[set.sequences()].iter().copied(), &mut probabilities[set.sequences()]);
        }
        Ok(probabilities)
    }
}

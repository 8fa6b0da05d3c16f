//! Strategies, their values, and best responses to them.

use super::error::ExactError;
use super::sequence_form::SequenceForm;
use ramure::Player;

/// A strategy for each player of a game.
#[derive(Clone, Debug)]
pub struct Profile<'f, A> {
    pub(super) form: &'f SequenceForm<A>,
    /// For each player and sequence, the probability of its last action. That of the empty sequence is 1.
    pub(super) probabilities: Vec<Vec<f64>>,
}

/// A best response of a player to the strategies of all others.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BestResponse {
    /// The expected reward of the player.
    pub value: f64,
    /// For each of the player's information sets, the index of a best action. Where the others' strategies
    /// never lead, all are equally good.
    pub choices: Vec<usize>,
}

impl<A: Clone + Eq> SequenceForm<A> {
    /// Returns the profile in which each player acts by `strategy`, a function of the player, of what it has
    /// observed and of its actions that returns the probability of each action, in their order.
    ///
    /// # Errors
    ///
    /// Returns [`ExactError::Probabilities`] if the strategy does not return probabilities somewhere.
    pub fn profile(
        &self,
        strategy: impl Fn(Player, &[A], &[A]) -> Vec<f64>,
    ) -> Result<Profile<'_, A>, ExactError> {
        let mut profile = self.uniform();
        for (player, (all, known)) in (0..).zip(profile.probabilities.iter_mut().zip(&self.players)) {
            for set in &known.sets {
                let given = strategy(player, &set.seen, &set.actions);
                let actions = set.actions.len();
                let is_sound = given.len() == actions
                    && given.iter().all(|probability| *probability >= 0.0)
                    && (given.iter().sum::<f64>() - 1.0).abs() <= 1e-6;
                if !is_sound {
                    return Err(ExactError::Probabilities { player, actions, given });
                }
                all[set.sequences()].copy_from_slice(&given);
            }
        }
        Ok(profile)
    }

    /// Returns the profile in which each action is equally likely.
    pub fn uniform(&self) -> Profile<'_, A> {
        let of_player = |known: &super::sequence_form::PlayerSets<A>| {
            let mut all = vec![1.0; known.sequences];
            for set in &known.sets {
                all[set.sequences()].fill(1.0 / set.actions.len() as f64);
            }
            all
        };
        Profile { form: self, probabilities: self.players.iter().map(of_player).collect() }
    }

    /// Returns the probability, as far as `player` decides, that each of its sequences is played.
    pub(super) fn plan(&self, player: usize, probabilities: &[f64]) -> Vec<f64> {
        let known = &self.players[player];
        let mut plan = vec![1.0; known.sequences];
        for set in &known.sets {
            for sequence in set.sequences() {
                plan[sequence] = plan[set.parent as usize] * probabilities[sequence];
            }
        }
        plan
    }

    /// Returns what each sequence of `player` is worth at the ends that follow without another action of the
    /// player: the sum of rewards, weighted with the probabilities of chance and of the `plans` of the
    /// others.
    pub(super) fn direct(&self, player: usize, plans: &[Vec<f64>]) -> Vec<f64> {
        let mut worth = vec![0.0; self.players[player].sequences];
        for (chance, last, rewards) in self.each_end() {
            let others = last.iter().zip(plans).enumerate().filter(|(other, _)| *other != player);
            let reach: f64 = others.map(|(_, (&sequence, plan))| plan[sequence as usize]).product();
            worth[last[player] as usize] += chance * reach * rewards[player];
        }
        worth
    }
}

impl<'f, A: Clone + Eq> Profile<'f, A> {
    /// Returns the game.
    pub fn game(&self) -> &'f SequenceForm<A> {
        self.form
    }

    /// Returns the probabilities of the actions in the information set number `set` of `player`. The slice is
    /// empty if the player has fewer sets.
    pub fn probabilities(&self, player: Player, set: usize) -> &[f64] {
        let known = self.form.information_sets(player).get(set);
        known.map_or(&[], |set| &self.probabilities[usize::from(player)][set.sequences()])
    }

    /// Returns the expected reward of `player`; 0 for a player who does not exist.
    pub fn value(&self, player: Player) -> f64 {
        let player = usize::from(player);
        if player >= self.form.players.len() {
            return 0.0;
        }
        let plans = self.plans();
        let worth = self.form.direct(player, &plans);
        worth.iter().zip(&plans[player]).map(|(worth, reach)| worth * reach).sum()
    }

    /// Returns a best response of `player` to the others.
    ///
    /// **Cost:** one pass over all ends.
    pub fn best_response(&self, player: Player) -> BestResponse {
        let Some(known) = self.form.players.get(usize::from(player)) else {
            return BestResponse { value: 0.0, choices: Vec::new() };
        };
        let mut worth = self.form.direct(usize::from(player), &self.plans());
        let mut choices = vec![0; known.sets.len()];
        // Sets that come later in the game have greater numbers.
        for (number, set) in known.sets.iter().enumerate().rev() {
            let of_actions = &worth[set.sequences()];
            let better =
                |best: usize, index: usize| if of_actions[index] > of_actions[best] { index } else { best };
            let best = (0..of_actions.len()).reduce(better).unwrap_or(0);
            let value = of_actions[best];
            choices[number] = best;
            worth[set.parent as usize] += value;
        }
        BestResponse { value: worth[0], choices }
    }

    /// Returns how much more all players could get in sum, if each alone changed to a best response
    /// (*NashConv*). It is 0 in an equilibrium.
    pub fn nash_conv(&self) -> f64 {
        let gain = |player| self.best_response(player).value - self.value(player);
        (0..self.form.players()).map(gain).sum()
    }

    /// Returns how much a player could get more by a best response, as the mean over all players:
    /// [`nash_conv`](Self::nash_conv) divided by the number of players. For two players with a constant sum
    /// this is how much a strategy loses on average, compared with an equilibrium.
    ///
    /// **Source:** Lanctot et al., *A unified game-theoretic approach to multiagent reinforcement learning*,
    /// 2017, section 5.1, for NashConv.
    pub fn exploitability(&self) -> f64 {
        self.nash_conv() / f64::from(self.form.players())
    }

    fn plans(&self) -> Vec<Vec<f64>> {
        self.probabilities.iter().enumerate().map(|(player, all)| self.form.plan(player, all)).collect()
    }
}

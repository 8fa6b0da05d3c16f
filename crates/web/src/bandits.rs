//! Bandits: three policies learn which arm pays, each in a search of the library.

use crate::error::PageError;
use ramure::backpropagation::Average;
use ramure::selection::{Choice, EpsilonGreedy, Node, Thompson, TreePolicy, Ucb1};
use ramure::{Budget, Expansion, GameState, Mcts, Report, Rng, SearchError};
use ramure_games::Bandit;
use serde::Serialize;

/// The policies, as the page names them, in the order of [`Plays::learners`].
pub const LEARNERS: [&str; 3] = ["UCB1, c = √2", "Thompson sampling", "Epsilon-greedy, ε = 0.1"];

/// The most arms.
pub const MOST_ARMS: usize = 12;

/// The policies that draw at random, in one type: every search loop adds to what a visitor loads.
enum Drawing {
    Thompson(Thompson),
    EpsilonGreedy(EpsilonGreedy),
}

impl TreePolicy<Bandit> for Drawing {
    type Stats = ();
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<Bandit, ()>, rng: &mut Rng) -> Choice {
        match self {
            Drawing::Thompson(policy) => policy.select(node, rng),
            Drawing::EpsilonGreedy(policy) => policy.select(node, rng),
        }
    }
}

/// The knowledge of a policy about an arm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Arm {
    /// How often it played the arm.
    pub plays: u32,
    /// The mean reward of these plays.
    pub mean: f32,
    /// An interval of the mean.
    pub interval: (f32, f32),
}

/// The record of a policy.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Learner {
    /// The arms.
    pub arms: Vec<Arm>,
    /// The expected reward that the policy has lost by not playing the best arm.
    pub regret: f64,
}

/// The record of all policies.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plays {
    /// The plays of each policy.
    pub plays: u64,
    /// The policies.
    pub learners: Vec<Learner>,
}

/// Runs a search. A `dyn Search` would compile all its other methods, too, for a visitor to load.
type Runs = Box<dyn FnMut(Budget) -> Result<Report<<Bandit as GameState>::Action>, SearchError>>;

/// A search of a bandit for each policy.
pub struct Bandits {
    probabilities: Vec<f64>,
    searches: [Runs; LEARNERS.len()],
    plays: u64,
}

impl Bandits {
    /// Sets up a bandit with these win probabilities.
    ///
    /// # Errors
    ///
    /// Returns an error if there are no arms or too many, or if a probability is not in [0, 1].
    pub fn new(probabilities: &[f64], seed: u64) -> Result<Self, PageError> {
        if !(1..=MOST_ARMS).contains(&probabilities.len()) {
            return Err(PageError::Arms { found: probabilities.len(), most: MOST_ARMS });
        }
        let bandit = Bandit::new(probabilities)?;
        // The arms are all that counts, so nothing is stored below them.
        let expansion = Expansion::default().on_visit(u32::MAX);
        let search = || Mcts::new(bandit.clone()).backprop(Average).expansion(expansion).seed(seed);
        let mut ucb1 = search().tree_policy(Ucb1::new(core::f32::consts::SQRT_2));
        let drawing = |policy| -> Runs {
            let mut search = search().tree_policy(policy);
            Box::new(move |budget| search.run(budget))
        };
        let searches = [
            Box::new(move |budget| ucb1.run(budget)) as Runs,
            drawing(Drawing::Thompson(Thompson)),
            drawing(Drawing::EpsilonGreedy(EpsilonGreedy::new(0.1))),
        ];
        Ok(Bandits { probabilities: probabilities.to_vec(), searches, plays: 0 })
    }

    /// Lets each policy play `count` times.
    ///
    /// # Errors
    ///
    /// Returns an error of a search.
    pub fn play(&mut self, count: u64) -> Result<Plays, PageError> {
        let best = self.probabilities.iter().copied().fold(0.0, f64::max);
        self.plays += count;
        let mut learners = Vec::new();
        for search in &mut self.searches {
            let report = search(Budget::iterations(count))?;
            let losses = report.actions.iter().zip(&self.probabilities);
            learners.push(Learner {
                regret: losses.map(|(arm, probability)| f64::from(arm.visits) * (best - probability)).sum(),
                arms: report
                    .actions
                    .iter()
                    .map(|arm| Arm { plays: arm.visits, mean: arm.mean, interval: arm.interval })
                    .collect(),
            });
        }
        Ok(Plays { plays: self.plays, learners })
    }
}

//! The settings of a search that a visitor can change, with names and ranges: [`Settings`], and the lists from which the page
//! builds its forms.

use crate::error::PageError;
use crate::policies::{Distinguishing, Rewarded, Rollouts};
use core::ops::RangeInclusive;
use ramure::selection::{
    Boltzmann, EpsilonGreedy, Exploration, Grave, KlUcb, Rave, Thompson, Ucb1, Ucb1Tuned, UcbV,
};
use ramure::simulation::{Decisive, Uniform};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The settings of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The word of a tree policy in [`POLICIES`].
    pub policy: String,
    /// The constants of the policy by name; those left out have their defaults.
    #[serde(default)]
    pub constants: BTreeMap<String, f64>,
    /// The word of a rollout policy in [`ROLLOUTS`].
    pub rollouts: String,
    /// Whether MCTS-Solver proves wins and losses.
    pub proves: bool,
    /// How long the search thinks about a move.
    pub effort: Effort,
    /// The seed of the search.
    pub seed: u64,
}

/// How long a search thinks about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// This many milliseconds.
    Millis(u64),
    /// This many iterations. With the same seed, the search plays the same moves on any computer.
    Iterations(u64),
}

/// The greatest number of milliseconds.
const MOST_MILLIS: u64 = 600_000;
/// The greatest number of iterations.
const MOST_ITERATIONS: u64 = 1_000_000_000;

impl Default for Settings {
    fn default() -> Self {
        Settings {
            policy: "ucb1".into(),
            constants: BTreeMap::new(),
            rollouts: "uniform".into(),
            proves: true,
            effort: Effort::Millis(1_000),
            seed: 1,
        }
    }
}

/// A constant of a policy.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Constant {
    /// The name, as in the command of the laboratory.
    pub name: &'static str,
    /// The effect, in words.
    pub about: &'static str,
    /// The value if nothing is set.
    pub default: f64,
    /// The least value.
    pub least: f64,
    /// The greatest value.
    pub most: f64,
}

/// A policy that the page offers.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Word {
    /// The name, as in the command of the laboratory.
    pub word: &'static str,
    /// The name in the form.
    pub title: &'static str,
    /// The effect, in words.
    pub about: &'static str,
    /// The paper it comes from.
    pub source: &'static str,
    /// The constants.
    pub constants: &'static [Constant],
    /// The words of the games that have this policy; none if all do.
    pub games: &'static [&'static str],
}

/// Returns a policy of every game.
const fn word(
    word: &'static str,
    title: &'static str,
    about: &'static str,
    source: &'static str,
    constants: &'static [Constant],
) -> Word {
    Word { word, title, about, source, constants, games: &[] }
}

/// Returns a constant with its default and its range.
const fn constant(
    name: &'static str,
    about: &'static str,
    default: f64,
    range: RangeInclusive<f64>,
) -> Constant {
    Constant { name, about, default, least: *range.start(), most: *range.end() }
}

const C: &str = "exploration: the larger, the more evenly it tries all moves";
const K: &str =
    "exploration, in standard deviations of the rewards: the larger, the more evenly it tries all moves";
const BIAS: &str = "the smaller, the longer the values of all moves as first (AMAF) count";
const TAU: &str = "the temperature: the larger, the more evenly it tries all moves";

/// The word of the policy that needs a network.
const NETWORK: &str = "network";

/// The tree policies.
pub const POLICIES: &[Word] = &[
    word(
        "ucb1",
        "UCB1 (UCT)",
        "the mean, plus a bonus that is large for moves that were tried rarely",
        "Kocsis and Szepesvári 2006",
        &[constant("k", K, 1.0, 0.0..=10.0)],
    ),
    word(
        "ucb1-tuned",
        "UCB1-Tuned",
        "UCB1 with a bonus that uses the variance of the rewards",
        "Auer, Cesa-Bianchi and Fischer 2002",
        &[constant("c", C, 1.0, 0.0..=10.0)],
    ),
    word(
        "ucb-v",
        "UCB-V",
        "a bonus from the variance, and one that fades faster",
        "Audibert, Munos and Szepesvári 2009",
        &[
            constant("zeta", "the weight of the logarithm", 1.2, 0.0..=10.0),
            constant("c", "the weight of the last term", 1.0, 0.0..=10.0),
        ],
    ),
    word(
        "kl-ucb",
        "KL-UCB",
        "the greatest mean that the rewards so far do not rule out",
        "Garivier and Cappé 2011",
        &[constant("c", "the weight of ln ln N", 0.0, 0.0..=10.0)],
    ),
    word(
        "thompson",
        "Thompson sampling",
        "a value drawn for each move from what is known of it; the greatest draw wins",
        "Thompson 1933",
        &[],
    ),
    word(
        "epsilon-greedy",
        "Epsilon-greedy",
        "the best mean, and sometimes a random move",
        "Sutton and Barto 2018, section 2.2",
        &[constant("epsilon", "the probability of a random move", 0.1, 0.0..=1.0)],
    ),
    word(
        "boltzmann",
        "Boltzmann",
        "moves drawn by their means: better ones more often",
        "Sutton and Barto 2018, section 2.8",
        &[constant("tau", TAU, 0.1, 0.001..=10.0)],
    ),
    word(
        "rave",
        "RAVE",
        "learns about a move from every iteration in which it was played later",
        "Gelly and Silver 2011",
        &[constant("bias", BIAS, 1e-3, 0.0..=1.0), constant("c", C, 0.0, 0.0..=10.0)],
    ),
    word(
        "grave",
        "GRAVE",
        "RAVE with the values of a node above that has enough visits",
        "Cazenave 2015",
        &[
            constant("ref", "the visits that are enough", 50.0, 0.0..=100_000.0),
            constant("bias", BIAS, 1e-5, 0.0..=1.0),
        ],
    ),
    #[cfg(feature = "networks")]
    Word {
        games: &["connect4", "hex-7"],
        ..word(
            NETWORK,
            "PUCT with a network",
            "a neural network that has trained by playing against itself says which moves to try and what a position is worth; rollouts are not used",
            "Silver et al. 2017",
            &[constant("k", K, 2.5, 0.0..=10.0)],
        )
    },
];

/// The rollout policies.
pub const ROLLOUTS: [Word; 3] = [
    word("uniform", "Random moves", "both players move at random to the end", "", &[]),
    word("decisive", "Decisive moves", "a player who can win at once does", "Teytaud and Teytaud 2010", &[]),
    word(
        "anti-decisive",
        "Anti-decisive moves",
        "also prevents an immediate win of the other player",
        "Teytaud and Teytaud 2010",
        &[],
    ),
];

/// A tree policy, by the type that it is.
pub(crate) enum Policy {
    Ucb1(Ucb1),
    Rewarded(Rewarded),
    Distinguishing(Distinguishing),
    /// PUCT with a network, and its constant.
    Network(f32),
}

impl Settings {
    /// Checks words and ranges.
    ///
    /// # Errors
    ///
    /// Returns an error if a word is not known or a number is out of its range.
    pub fn check(&self) -> Result<(), PageError> {
        self.tree_policy()?;
        self.rollout_policy()?;
        let (found, most) = match self.effort {
            Effort::Millis(millis) => (millis, MOST_MILLIS),
            Effort::Iterations(iterations) => (iterations, MOST_ITERATIONS),
        };
        match (1..=most).contains(&found) {
            true => Ok(()),
            false => Err(PageError::Effort { found, most }),
        }
    }

    pub(crate) fn tree_policy(&self) -> Result<Policy, PageError> {
        let word = find(POLICIES, &self.policy)?;
        let is_known = |name: &&String| word.constants.iter().any(|constant| constant.name == **name);
        if let Some(found) = self.constants.keys().find(|name| !is_known(name)) {
            return Err(PageError::Name { policy: word.word, found: found.clone() });
        }
        let mut values = [0.0; 2];
        for (value, &Constant { name, default, least, most, .. }) in values.iter_mut().zip(word.constants) {
            *value = self.constants.get(name).copied().unwrap_or(default);
            if !(least..=most).contains(value) {
                return Err(PageError::Constant { name, found: *value, least, most });
            }
        }
        let [wide, second] = values;
        let first = wide as f32;
        Ok(match word.word {
            "ucb1-tuned" => Policy::Rewarded(Rewarded::Ucb1Tuned(Ucb1Tuned::new(first))),
            "ucb-v" => Policy::Rewarded(Rewarded::UcbV(UcbV::new(first, second as f32))),
            "kl-ucb" => Policy::Rewarded(Rewarded::KlUcb(KlUcb::new(first))),
            "thompson" => Policy::Distinguishing(Distinguishing::Thompson(Thompson)),
            "epsilon-greedy" => {
                Policy::Distinguishing(Distinguishing::EpsilonGreedy(EpsilonGreedy::new(wide)))
            }
            "boltzmann" => Policy::Distinguishing(Distinguishing::Boltzmann(Boltzmann::new(wide))),
            "rave" => {
                Policy::Distinguishing(Distinguishing::Rave(Rave::new(first).exploration(second as f32)))
            }
            "grave" => Policy::Distinguishing(Distinguishing::Grave(Grave::new(first, second as f32))),
            NETWORK => Policy::Network(first),
            _ => Policy::Ucb1(Ucb1::new(Exploration::deviations(first))),
        })
    }

    pub(crate) fn rollout_policy(&self) -> Result<Rollouts, PageError> {
        Ok(match find(&ROLLOUTS, &self.rollouts)?.word {
            "decisive" => Rollouts::Decisive(Decisive::new()),
            "anti-decisive" => Rollouts::Decisive(Decisive::new().anti()),
            _ => Rollouts::Uniform(Uniform),
        })
    }
}

fn find<'a>(words: &'a [Word], found: &str) -> Result<&'a Word, PageError> {
    let unknown =
        || PageError::Policy { found: found.into(), known: words.iter().map(|word| word.word).collect() };
    words.iter().find(|word| word.word == found).ok_or_else(unknown)
}

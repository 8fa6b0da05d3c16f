//! What a visitor can set of a search, with names and ranges: [`Settings`], and the lists from which the page
//! builds its forms.

use crate::error::PageError;
use crate::policies::{Distinguishing, Rewarded, Rollouts};
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
    /// What it does.
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
    /// What it does.
    pub about: &'static str,
    /// The paper it comes from.
    pub source: &'static str,
    /// The constants.
    pub constants: &'static [Constant],
    /// The words of the games that have this policy; none if all do.
    pub games: &'static [&'static str],
}

const C: &str = "exploration: the larger, the more evenly it tries all moves";
const K: &str =
    "exploration, in standard deviations of the rewards: the larger, the more evenly it tries all moves";
const BIAS: &str = "the smaller, the longer the values of all moves as first (AMAF) count";

/// The word of the policy that needs a network.
const NETWORK: &str = "network";

/// The tree policies.
pub const POLICIES: &[Word] = &[
    Word {
        word: "ucb1",
        title: "UCB1 (UCT)",
        about: "the mean, plus a bonus that is large for moves that were tried rarely",
        source: "Kocsis and Szepesvári 2006",
        constants: &[Constant { name: "k", about: K, default: 1.0, least: 0.0, most: 10.0 }],
        games: &[],
    },
    Word {
        word: "ucb1-tuned",
        title: "UCB1-Tuned",
        about: "UCB1 with a bonus that uses the variance of the rewards",
        source: "Auer, Cesa-Bianchi and Fischer 2002",
        constants: &[Constant { name: "c", about: C, default: 1.0, least: 0.0, most: 10.0 }],
        games: &[],
    },
    Word {
        word: "ucb-v",
        title: "UCB-V",
        about: "a bonus from the variance, and one that fades faster",
        source: "Audibert, Munos and Szepesvári 2009",
        constants: &[
            Constant {
                name: "zeta",
                about: "the weight of the logarithm",
                default: 1.2,
                least: 0.0,
                most: 10.0,
            },
            Constant {
                name: "c",
                about: "the weight of the last term",
                default: 1.0,
                least: 0.0,
                most: 10.0,
            },
        ],
        games: &[],
    },
    Word {
        word: "kl-ucb",
        title: "KL-UCB",
        about: "the greatest mean that the rewards so far do not rule out",
        source: "Garivier and Cappé 2011",
        constants: &[Constant {
            name: "c",
            about: "the weight of ln ln N",
            default: 0.0,
            least: 0.0,
            most: 10.0,
        }],
        games: &[],
    },
    Word {
        word: "thompson",
        title: "Thompson sampling",
        about: "a value drawn for each move from what is known of it; the greatest draw wins",
        source: "Thompson 1933",
        constants: &[],
        games: &[],
    },
    Word {
        word: "epsilon-greedy",
        title: "Epsilon-greedy",
        about: "the best mean, and sometimes a random move",
        source: "Sutton and Barto 2018, section 2.2",
        constants: &[Constant {
            name: "epsilon",
            about: "the probability of a random move",
            default: 0.1,
            least: 0.0,
            most: 1.0,
        }],
        games: &[],
    },
    Word {
        word: "boltzmann",
        title: "Boltzmann",
        about: "moves drawn by their means: better ones more often",
        source: "Sutton and Barto 2018, section 2.8",
        constants: &[Constant {
            name: "tau",
            about: "the temperature: the larger, the more evenly it tries all moves",
            default: 0.1,
            least: 0.001,
            most: 10.0,
        }],
        games: &[],
    },
    Word {
        word: "rave",
        title: "RAVE",
        about: "learns about a move from every iteration in which it was played later",
        source: "Gelly and Silver 2011",
        constants: &[
            Constant { name: "bias", about: BIAS, default: 1e-3, least: 0.0, most: 1.0 },
            Constant { name: "c", about: C, default: 0.0, least: 0.0, most: 10.0 },
        ],
        games: &[],
    },
    Word {
        word: "grave",
        title: "GRAVE",
        about: "RAVE with the values of a node above that has enough visits",
        source: "Cazenave 2015",
        constants: &[
            Constant {
                name: "ref",
                about: "the visits that are enough",
                default: 50.0,
                least: 0.0,
                most: 100_000.0,
            },
            Constant { name: "bias", about: BIAS, default: 1e-5, least: 0.0, most: 1.0 },
        ],
        games: &[],
    },
    #[cfg(feature = "networks")]
    Word {
        word: NETWORK,
        title: "PUCT with a network",
        about: "a neural network that has trained by playing against itself says which moves to try and what a position is worth; rollouts are not used",
        source: "Silver et al. 2017",
        constants: &[Constant { name: "k", about: K, default: 2.5, least: 0.0, most: 10.0 }],
        games: &["connect4", "hex-7"],
    },
];

/// The rollout policies.
pub const ROLLOUTS: [Word; 3] = [
    Word {
        word: "uniform",
        title: "Random moves",
        about: "both players move at random to the end",
        source: "",
        constants: &[],
        games: &[],
    },
    Word {
        word: "decisive",
        title: "Decisive moves",
        about: "a player who can win at once does",
        source: "Teytaud and Teytaud 2010",
        constants: &[],
        games: &[],
    },
    Word {
        word: "anti-decisive",
        title: "Anti-decisive moves",
        about: "also prevents an immediate win of the other player",
        source: "Teytaud and Teytaud 2010",
        constants: &[],
        games: &[],
    },
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

//! The settings of a training.

use super::TrainError;
use serde::{Deserialize, Serialize};

/// The search of self-play, and with it the target of the policy.
///
/// Both use a solver, which the sources do not: a proven win, draw or loss ends a search, and replaces the
/// result of the game as the target of the value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Method {
    /// [`Gumbel`](ramure::selection::Gumbel) search, which plays the winner of sequential halving. The
    /// network learns the improved policy.
    ///
    /// **Source:** Danihelka, Guez, Schrittwieser and Silver, *Policy improvement by planning with Gumbel*,
    /// ICLR 2022, sections 3 and 4.
    Gumbel,
    /// [`Puct`](ramure::selection::Puct) by the constant 1.25 with
    /// [`Dirichlet`](ramure::selection::Dirichlet) noise, which plays an action in proportion to its visits
    /// in the first [`temperature_actions`](Settings::temperature_actions) of a game, and later the one with
    /// the most. The network learns the [shares of the visits](ramure::Report::visit_shares), which follow
    /// proofs.
    ///
    /// **Source:** Silver et al., *A general reinforcement learning algorithm that masters chess, shogi, and
    /// Go through self-play*, 2018.
    AlphaZero,
}

/// Defines the settings with their types and defaults, and the ranges of numbers that have one.
macro_rules! settings {
    (
        $(#[$of_all:meta])*
        pub struct Settings {
            $($(#[$of_one:meta])* pub $name:ident: $kind:ty = $default:expr $(, $range:expr, $text:literal)?;)*
        }
    ) => {
        $(#[$of_all])*
        pub struct Settings {
            $($(#[$of_one])* pub $name: $kind,)*
        }

        impl Default for Settings {
            fn default() -> Self {
                Settings { $($name: $default,)* }
            }
        }

        impl Settings {
            /// Checks all ranges. A NaN is in none.
            pub(crate) fn check(&self) -> Result<(), TrainError> {
                $($(
                    let value = self.$name as f64;
                    if !($range).contains(&value) {
                        return Err(TrainError::Setting { name: stringify!($name), value, range: $text });
                    }
                )?)*
                Ok(())
            }
        }
    };
}

settings! {
    /// The settings of a [`Trainer`](super::Trainer). Create them by `Settings::default()` and set what you need.
    ///
    /// ```
    /// use ramure_nets::train::Settings;
    /// let mut settings = Settings::default();
    /// settings.search_iterations = 16;
    /// settings.seed = 7;
    /// ```
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[non_exhaustive]
    pub struct Settings {
        /// The seed of everything that is drawn. \[Default: 0\]
        pub seed: u64 = 0;
        /// The number of residual blocks of the network, in 0..=100. \[Default: 4\]
        pub blocks: usize = 4, 0.0..=100.0, "in 0..=100";
        /// The number of filters of each layer, in 1..=4096. \[Default: 32\]
        pub filters: usize = 32, 1.0..=4096.0, "in 1..=4096";
        /// The number of units of the hidden layer before the value, in 1..=65536. \[Default: 64\]
        pub hidden: usize = 64, 1.0..=65_536.0, "in 1..=65536";
        /// The search. \[Default: [`Method::Gumbel`]\]
        pub method: Method = Method::Gumbel;
        /// The iterations of the search for each action, in 2..=2^30. \[Default: 32\]
        pub search_iterations: u32 = 32, 2.0..=1_073_741_824.0, "at least 2, and at most 2^30";
        /// The games of self-play in each iteration of the training, in 1..=1000000. \[Default: 200\]
        pub games: usize = 200, 1.0..=1e6, "in 1..=1000000";
        /// The greatest number of random actions with which a game begins; the number is drawn for each game,
        /// from 0. The network does not learn from them. More of them make games that differ more, and a network
        /// that knows more positions that good players avoid. \[Default: 0\]
        pub openings: u32 = 0;
        /// The number of actions of a game, after the opening, that [`Method::AlphaZero`] draws in proportion to
        /// their visits. \[Default: 15\]
        pub temperature_actions: u32 = 15;
        /// The number of latest positions from which the network learns, in 1..=2^30. \[Default: 150 000\]
        pub replay: usize = 150_000, 1.0..=1_073_741_824.0, "at least 1, and at most 2^30";
        /// How often the network sees a position, on average, in 0..=1000. \[Default: 4\]
        pub reuse: f32 = 4.0, 0.0..=1000.0, "in 0..=1000";
        /// The number of positions in a step of the optimiser, in 1..=65536. \[Default: 256\]
        pub batch: usize = 256, 1.0..=65_536.0, "in 1..=65536";
        /// The learning rate of AdamW, in 0..=1. \[Default: 0.001\]
        pub learning_rate: f64 = 0.001, 0.0..=1.0, "in 0..=1";
        /// The decay of weights per step, as a multiple of the learning rate, in 0..=10. \[Default: 0.01\]
        pub weight_decay: f64 = 0.01, 0.0..=10.0, "in 0..=10";
        /// The share of the past in the running mean of the weights, at least 0 and below 1. Self-play uses the
        /// mean, and the exported file has it. \[Default: 0.995\]
        pub averaging: f64 = 0.995, 0.0..1.0, "at least 0 and below 1";
        /// A match against the best network so far takes place each time after this many iterations. Until the
        /// first match, and always if this is 0, the latest network is the best one, as in AlphaZero. \[Default:
        /// 5\]
        ///
        /// The match is that of AlphaGo Zero: both networks play as well as they can, with
        /// [`search_iterations`](Self::search_iterations), without noise and temperature. Its games would then all be the
        /// same, so, unlike there, each begins with two to four random actions (or up to
        /// [`openings`](Self::openings)), the same for all seats.
        ///
        /// **Source:** Silver et al., *Mastering the game of Go without human knowledge*, 2017, section
        /// "Evaluator" of the methods.
        pub gate_every: u64 = 5;
        /// The games of this match, rounded up so that all seats are taken equally often. \[Default: 40\]
        pub gate_games: usize = 40, 1.0..=1e6, "in 1..=1000000";
        /// The mean reward from which the network becomes the best, as a multiple of what all players get on
        /// average, at most 16. AlphaGo Zero asks for more than 1.1, a score of 0.55. \[Default: 1\]
        pub gate_score: f64 = 1.0, 0.0..=16.0, "in 0..=16";
        /// A match against a plain search takes place each time after this many iterations; 0 for never.
        /// \[Default: 5\]
        pub evaluate_every: u64 = 5;
        /// The games of this match, rounded up so that all seats are taken equally often. A game of one player is
        /// played by the network alone. \[Default: 40\]
        pub evaluation_games: usize = 40, 1.0..=1e6, "in 1..=1000000";
        /// The iterations per action of the network in this match, in 2..=2^30. \[Default: 64\]
        pub evaluation_iterations: u32 = 64, 2.0..=1_073_741_824.0, "at least 2, and at most 2^30";
        /// The iterations per action of the plain search, UCT with a solver and random rollouts; at least 1.
        /// \[Default: 1000\]
        pub opponent_iterations: u64 = 1000, 1.0.., "at least 1";
        /// The greatest number of actions in a game, in 1..=2^24. A longer game is an error. \[Default: 10 000\]
        pub longest_game: u32 = 10_000, 1.0..=16_777_216.0, "in 1..=2^24";
    }
}

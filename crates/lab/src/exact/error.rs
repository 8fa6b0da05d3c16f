//! The error of exact computations.

use ramure::{GameFault, Player};

/// A game for which the exact tools have no result.
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum ExactError {
    /// The game has more positions than the limit.
    #[error(
        "the game has more than {positions} positions: choose a smaller game, or a greater limit with \
         `SequenceForm::with_limit`"
    )]
    TooLarge {
        /// The limit.
        positions: usize,
    },
    /// The game breaks its contract.
    #[error("after {ply} actions: {fault}")]
    Game {
        /// The fault.
        fault: GameFault,
        /// The number of actions before.
        ply: usize,
    },
    /// A player has observed the same in two positions, but the actions differ, or the player's own earlier
    /// actions do.
    #[error(
        "after {ply} actions: player {player} has observed the same as in another position, but has other \
         actions, or has itself acted otherwise; `observe` must show what tells them apart"
    )]
    Recall {
        /// The player.
        player: Player,
        /// The number of actions before one of the positions.
        ply: usize,
    },
    /// A strategy does not give probabilities: there is not one for each action, one is negative or not a
    /// number, or they do not sum to 1 to within 1e-6.
    #[error(
        "the strategy of player {player} gave {given:?} for {actions} actions: give a probability for each, \
         with the sum 1"
    )]
    Probabilities {
        /// The player.
        player: Player,
        /// The number of actions.
        actions: usize,
        /// The probabilities that the strategy gave.
        given: Vec<f64>,
    },
    /// An equilibrium was asked for, but the game does not have two players whose rewards always have the
    /// same sum.
    #[error("an equilibrium needs two players whose rewards always have the same sum")]
    NotZeroSum,
    /// The linear program could not be solved, for numerical reasons.
    #[error("the linear program was not solved, for numerical reasons: use `regret_minimization`")]
    LinearProgram,
}

ramure::debug_as_sentence!(ExactError);

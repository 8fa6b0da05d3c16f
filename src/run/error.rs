//! The errors of a search.

use crate::custom_error::{BoxError, CustomError};
use crate::game::{BeliefError, Cause, GameFault, Player, has_failed, take_failure};
use crate::parameter::ParameterError;
use crate::simulation::LeafError;
use crate::simulation::line_of_play::LineOfPlay;
use core::fmt;
use core::time::Duration;

/// The error type of searches, and of all other agents. What a search found before the error stays in its
/// tree.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum SearchError {
    /// The game, an evaluation or a policy broke its contract.
    Game {
        /// The fault.
        fault: GameFault,
        /// The number of actions from the root of the search to the fault.
        ply: u32,
        /// These actions, and the guess of what is hidden.
        line: LineOfPlay,
    },
    /// The game, a rollout policy or an evaluator failed with an error of its own, which is the
    /// [`source`](core::error::Error::source) of this one.
    Failed {
        /// The error.
        error: CustomError,
        /// The number of actions from the root of the search to the state in which it failed.
        ply: u32,
        /// These actions, and the guess of what is hidden.
        line: LineOfPlay,
    },
    /// The game is over at the root.
    GameOver,
    /// The root is a chance node, so there is no action to choose.
    ChanceToMove,
    /// The action is not legal in the root state.
    IllegalAction {
        /// The `Debug` text of the action.
        action: Box<str>,
    },
    /// The [`RootActions`](crate::RootActions) of the search leave no action to choose.
    NoActionLeft {
        /// The `Debug` text of the setting.
        root_actions: Box<str>,
    },
    /// The budget is empty: it allows zero iterations, no time or no bytes.
    EmptyBudget,
    /// The memory limit leaves no room for the root and its children.
    MemoryLimit {
        /// The limit in bytes.
        limit: usize,
    },
    /// A parameter is out of its range.
    Parameter(ParameterError),
    /// First-play urgency is set, but the tree policy handles unvisited children itself.
    FirstPlayUnused,
    /// The expansion order is [`Order::Prior`](crate::Order::Prior), but the tree policy has no
    /// priors.
    NoPriors,
    /// The tree policy plans for a fixed number of iterations, but the budget does not bound the iterations.
    NeedsIterations,
    /// The budget asks for an early stop, but has no bound on iterations or time; or the root decision is not
    /// [`RootDecision::Robust`](crate::RootDecision::Robust); or the tree policy plans for a fixed
    /// number of iterations.
    CannotStopEarly,
    /// The budget may be exceeded while the choice is unclear, but has no bound on iterations or time, or the
    /// tree policy plans for a fixed number of iterations; see
    /// [`Budget::and_percent_if_unclear`](crate::Budget::and_percent_if_unclear).
    CannotExceed,
    /// The thread of a [`Batcher`](crate::search::Batcher) cannot be started. The reason is the [`source`](core::error::Error::source) of
    /// this error.
    Threads {
        /// The error of the system.
        error: CustomError,
    },
    /// The ticket belongs to no open question; see [`Mcts::tell`](crate::Mcts::tell).
    Ticket,
    /// The root has 2^31 - 1 visits, the most that a node can count.
    CountFull,
    /// Some players of a step of simultaneous moves have chosen, and others have not; see
    /// [`Mcts::advance`](crate::Mcts::advance).
    MidStep,
    /// The player does not choose at the root of its tree.
    NotToMove {
        /// The player.
        player: Player,
    },
    /// The player [knows](crate::HiddenInformation::private_knowledge) something else in each guess, and plays
    /// by it, so no single report covers all guesses.
    ActsByKnowledge {
        /// The player.
        player: Player,
    },
    /// The state has another number of players than the [`PlayerTrees`](crate::search::PlayerTrees) was
    /// created for.
    OtherPlayers {
        /// The number of players.
        players: u8,
        /// The number of trees.
        trees: u8,
    },
    /// The flag of a clock fell: a move took all of the remaining time or more. In most games the player has
    /// lost.
    FlagFell {
        /// The time that the move took.
        took: Duration,
        /// The time that was left before the move.
        left: Duration,
    },
    /// The clock shows no time.
    NoTime,
    /// The belief of a [`Pomdp`](crate::search::Pomdp) has no state that explains what was observed, or cannot be
    /// filtered.
    Belief(BeliefError),
    /// An error of your own, for agents of your own.
    Agent(CustomError),
}

impl fmt::Display for SearchError {
    #[cfg_attr(not(test), expect(clippy::too_many_lines, reason = "a sentence for each case"))]
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::Game { fault, ply, line } => {
                write!(f, "{fault} ")?;
                line.write(*ply, f)
            }
            SearchError::Failed { ply, line, .. } => {
                write!(f, "{} ", GameFault::Failed)?;
                line.write(*ply, f)
            }
            SearchError::GameOver => f.write_str(
                "the game is over, so there is nothing to search; call `reset` with a state that is not terminal",
            ),
            SearchError::ChanceToMove => f.write_str(
                "the root is a chance node, so there is no action to choose; draw an outcome, call `advance` with it \
                 and search again",
            ),
            SearchError::IllegalAction { action } => {
                write!(f, "the action {action} is not legal in the root state; choose one of its legal actions")
            }
            SearchError::NoActionLeft { root_actions } => {
                write!(f, "{root_actions} leaves no legal action to choose at the root; allow at least one")
            }
            SearchError::EmptyBudget => {
                f.write_str("the budget is empty; allow at least one iteration, and more than zero time and bytes")
            }
            SearchError::MemoryLimit { limit } => {
                write!(f, "the memory limit of {limit} bytes leaves no room for the root and its children; raise it")
            }
            SearchError::Parameter(error) => error.fmt(f),
            SearchError::FirstPlayUnused => f.write_str(
                "first-play urgency is set, but this tree policy handles unvisited children itself; remove the setting",
            ),
            SearchError::NoPriors => f.write_str(
                "the expansion order is `Order::Prior`, but this tree policy has no priors; choose another order or a \
                 tree policy with priors",
            ),
            SearchError::NeedsIterations => f.write_str(
                "this tree policy plans for a fixed number of iterations, but the budget does not bound them; add \
                 `and_iterations` to the budget",
            ),
            SearchError::CannotStopEarly => f.write_str(
                "the search cannot stop early: this needs a bound on iterations or time, the root decision \
                 `RootDecision::Robust`, and a tree policy that does not plan for a fixed number of iterations; otherwise, leave out \
                 `or_decided`, or set `GameClock::stops_early(false)`",
            ),
            SearchError::CannotExceed => f.write_str(
                "the budget cannot be exceeded by a percentage: it needs a bound on iterations or time, and a tree policy \
                 that does not plan for a fixed number of iterations; or leave the percentage out",
            ),
            SearchError::Threads { .. } => {
                f.write_str("a thread of the search cannot be started; search with fewer threads")
            }
            SearchError::Ticket => f.write_str(
                "the ticket belongs to no open question: it has been answered, or the search has gone on; tell each answer \
                 once, before `advance` and `finish`",
            ),
            SearchError::MidStep => f.write_str(
                "some players have chosen in a step of simultaneous moves, and others have not; call `advance` with the choices of \
                 all of them, then search",
            ),
            SearchError::NotToMove { player } => write!(f, "player {player} does not choose at the root of its tree"),
            SearchError::ActsByKnowledge { player } => write!(
                f,
                "player {player} knows something else in each guess and plays by it, so no single report covers all guesses; read \
                 `strategy({player}, seen)`, where `seen` begins with what it knows, or search with player {player} as the observer"
            ),
            SearchError::OtherPlayers { players, trees } => {
                write!(f, "the state has {players} players and the search {trees} trees; create a new search")
            }
            SearchError::FlagFell { took, left } => write!(
                f,
                "the flag fell: the move took {took:?}, and {left:?} were left; set a greater margin if the search kept \
                 to its budget",
            ),
            SearchError::NoTime => f.write_str(
                "the clock shows no time, so there is none for a move; start it with more than zero",
            ),
            SearchError::Belief(error) => error.fmt(f),
            SearchError::Agent(error) => error.fmt(f),
            SearchError::CountFull => {
                f.write_str("the root has 2147483647 visits, the most that a node can count; start a new search")
            }
        }
    }
}

impl SearchError {
    /// Returns the error for an action that is not legal in the root state.
    #[cold]
    pub(crate) fn illegal(action: impl fmt::Debug) -> Self {
        if has_failed() {
            return SearchError::game(GameFault::Failed, 0); // the game could not list its actions
        }
        SearchError::IllegalAction { action: format!("{action:?}").into() }
    }

    /// Returns the error for a setting that leaves no action to choose.
    #[cold]
    pub(crate) fn no_action_left(root_actions: &dyn fmt::Debug) -> Self {
        SearchError::NoActionLeft { root_actions: format!("{root_actions:?}").into() }
    }

    fn of(cause: Cause, ply: u32, line: LineOfPlay) -> Self {
        match cause {
            Cause::Fault(fault) => SearchError::Game { fault, ply, line },
            Cause::Error(error) => SearchError::Failed { error, ply, line },
        }
    }

    /// Returns the error for a `fault` of a game in the state `ply` actions after the root. If the game has
    /// reported an error by [`fail`](crate::fail) on this thread, takes that in place of the fault.
    ///
    /// **Who needs it:** agents of your own, whose errors then read like those of a search. Add the actions
    /// by [`after`](Self::after).
    #[must_use]
    #[cold]
    pub fn game(fault: GameFault, ply: u32) -> Self {
        SearchError::of(Cause::of(fault), ply, LineOfPlay::default())
    }

    /// Puts `action`, which `ply` actions came before, in front of those that led to the fault. If the fault
    /// came before `action`, or the error is none of a game, changes nothing. So an agent that plays ahead
    /// can name the line on the way back.
    #[must_use]
    #[cold]
    pub fn after(mut self, ply: usize, action: &impl fmt::Debug) -> Self {
        if let Some((at, line)) = self.place()
            && ply < at as usize
        {
            line.actions.insert(0, format!("{action:?}"));
        }
        self
    }

    /// Notes the seed and the number of the guess in which the fault is. If the error is none of a game,
    /// changes nothing.
    ///
    /// **Who needs it:** agents of your own that guess what is hidden.
    #[must_use]
    #[cold]
    pub fn in_guess(mut self, seed: u64, number: u32) -> Self {
        if let Some((_, line)) = self.place() {
            (line.guess, line.iteration) = (Some(seed), number);
        }
        self
    }

    /// Returns the place of a fault.
    fn place(&mut self) -> Option<(u32, &mut LineOfPlay)> {
        match self {
            SearchError::Game { ply, line, .. } | SearchError::Failed { ply, line, .. } => Some((*ply, line)),
            _ => None,
        }
    }

    /// Calls `ask`, which asks the game outside of iterations. If the game fails, its error is the result.
    pub(crate) fn asking<T>(ask: impl FnOnce() -> Result<T, Self>) -> Result<T, Self> {
        take_failure(); // of a call outside of searches
        let answer = ask();
        Self::unless_failed(0).and(answer)
    }

    /// Returns an error if a game has reported one by [`fail`](crate::fail) on this thread.
    ///
    /// **Who needs it:** agents of your own. Call it in a state `ply` actions after the root, when you have
    /// asked the game and before you use its answers.
    ///
    /// ```
    /// use ramure_agents::Agent;
    /// use ramure::prelude::*;
    /// use ramure::{fail, take_failure};
    ///
    /// /// Plays the action after which there are the fewest actions.
    /// struct Cramping;
    ///
    /// impl<G: GameState> Agent<G> for Cramping {
    ///     fn name(&self) -> String {
    ///         "cramping".into()
    ///     }
    ///     fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
    ///         take_failure(); // of a call before this one
    ///         let mut best = None;
    ///         for action in state.actions() {
    ///             let mut next = state.clone();
    ///             next.apply(action.clone());
    ///             SearchError::unless_failed(1).map_err(|error| error.after(0, &action))?;
    ///             let replies = next.actions().into_iter().count();
    ///             SearchError::unless_failed(1).map_err(|error| error.after(0, &action))?;
    ///             if best.as_ref().is_none_or(|(least, _)| replies < *least) {
    ///                 best = Some((replies, action));
    ///             }
    ///         }
    ///         SearchError::unless_failed(0)?;
    ///         best.map(|(_, action)| action).ok_or(SearchError::GameOver)
    ///     }
    /// }
    ///
    /// /// Players add 1 or 2. The model of what follows the sum 2 is down.
    /// #[derive(Clone)]
    /// struct Sum(u8);
    ///
    /// impl GameState for Sum {
    ///     type Action = u8;
    ///     fn turn(&self) -> Turn { Turn::Player(self.0 % 2) }
    ///     fn actions(&self) -> impl IntoIterator<Item = u8> {
    ///         if self.0 == 2 { fail("the model is down") } else { vec![1, 2] }
    ///     }
    ///     fn apply(&mut self, added: u8) { self.0 += added }
    ///     fn reward(&self, _: Player) -> f64 { 0.5 }
    /// }
    ///
    /// match Cramping.choose(&Sum(0)) {
    ///     Err(SearchError::Failed { error, line, .. }) => {
    ///         assert_eq!(error.to_string(), "the model is down");
    ///         assert_eq!(line.actions, ["2"]);
    ///     }
    ///     other => panic!("{other:?}"),
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::Failed`] with the error of the game, which is taken; or [`SearchError::Game`] if
    /// that error is a [`GameFault`].
    #[inline(always)]
    pub fn unless_failed(ply: u32) -> Result<(), Self> {
        if has_failed() { Err(SearchError::game(GameFault::Failed, ply)) } else { Ok(()) }
    }
}

crate::debug_as_sentence!(SearchError);

impl core::error::Error for SearchError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            SearchError::Failed { error, .. } | SearchError::Threads { error } => Some(error.get_ref()),
            SearchError::Belief(error) => Some(error),
            SearchError::Agent(error) => error.get_ref().source(),
            _ => None,
        }
    }
}

impl From<BeliefError> for SearchError {
    fn from(error: BeliefError) -> Self {
        match error {
            BeliefError::Failed(error) => SearchError::Failed { error, ply: 0, line: LineOfPlay::default() },
            error => SearchError::Belief(error),
        }
    }
}

impl From<ParameterError> for SearchError {
    fn from(error: ParameterError) -> Self {
        SearchError::Parameter(error)
    }
}

/// The error of an iteration.
impl From<Box<LeafError>> for SearchError {
    fn from(error: Box<LeafError>) -> Self {
        SearchError::of(error.cause, error.ply, error.line)
    }
}

/// The fault of a root state.
impl From<GameFault> for SearchError {
    fn from(fault: GameFault) -> Self {
        SearchError::Game { fault, ply: 0, line: LineOfPlay::default() }
    }
}

impl From<CustomError> for SearchError {
    fn from(error: CustomError) -> Self {
        SearchError::Agent(error)
    }
}

impl From<BoxError> for SearchError {
    fn from(error: BoxError) -> Self {
        SearchError::Agent(error.into())
    }
}

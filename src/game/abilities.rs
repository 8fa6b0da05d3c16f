//! Optional traits of a game beyond [`GameState`]. Only the algorithms that need such a trait require it, at
//! compile time.

use super::{GameState, Player};

/// Numbers the actions of a game, for policies that keep a table indexed by action.
///
/// **Who needs it:** [`Grave`](crate::selection::Grave), [`Rave`](crate::selection::Rave),
/// [`AlphaAmaf`](crate::selection::AlphaAmaf), [`ProgressiveHistory`](crate::selection::ProgressiveHistory),
/// [`Mast`](crate::simulation::Mast), [`Nst`](crate::simulation::Nst), [`Ppa`](crate::simulation::Ppa) and
/// [`LastGoodReply`](crate::simulation::LastGoodReply). They share the statistics of an action between all
/// states of the game, so they must recognise the action in every state.
///
/// A player takes one to three sticks. The number of an action is the number of sticks:
///
/// ```
/// use ramure::ActionIndex;
/// use ramure::prelude::*;
/// use ramure::selection::Grave;
///
/// # #[derive(Clone)]
/// struct Sticks {
///     left: u8,
///     player: Player,
/// }
///
/// impl GameState for Sticks {
///     // ...
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn {
/// #         if self.left > 0 { Turn::Player(self.player) } else { Turn::Over }
/// #     }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> {
/// #         1..=self.left.min(3)
/// #     }
/// #     fn apply(&mut self, count: u8) {
/// #         self.left -= count;
/// #         self.player = 1 - self.player;
/// #     }
/// #     fn reward(&self, player: Player) -> f64 {
/// #         f64::from(player != self.player)
/// #     }
/// }
///
/// impl ActionIndex for Sticks {
///     const ACTION_COUNT: usize = 4;
///
///     fn action_index(count: u8) -> usize {
///         usize::from(count)
///     }
/// }
///
/// let mut search = Mcts::new(Sticks { left: 21, player: 0 }).tree_policy(Grave::default());
/// search.run(Budget::iterations(2_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "the actions of `{Self}` have no numbers",
    label = "this search keeps a table indexed by action",
    note = "add `impl ActionIndex for {Self} {{ const ACTION_COUNT: usize = ..; fn action_index(action: Self::Action) -> usize {{ .. }} }}`: an index below ACTION_COUNT, the same for the same action in every state",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait ActionIndex: GameState {
    /// The exclusive upper bound of all indices. Tables have this many rows, so leave few indices unused.
    const ACTION_COUNT: usize;

    /// Returns the index of `action`, in `0..ACTION_COUNT`. Actions that are not equal have different
    /// indices.
    fn action_index(action: Self::Action) -> usize;
}

/// Estimates the reward of an unfinished game.
///
/// **Who needs it:** [`Cutoff`](crate::simulation::Cutoff), which ends rollouts early,
/// [`ImplicitMinimax`](crate::backpropagation::ImplicitMinimax) and
/// [`EvaluationPriors`](crate::simulation::EvaluationPriors). `Minimax` and
/// `AlphaBeta` need it unless you give them another evaluation.
///
/// ```
/// use ramure::StaticEvaluation;
/// use ramure::prelude::*;
/// use ramure::simulation::Cutoff;
///
/// # #[derive(Clone)]
/// struct Sticks {
///     left: u8,
///     player: Player,
/// }
///
/// impl GameState for Sticks {
///     // ...
/// #     type Action = u8;
/// #     fn turn(&self) -> Turn {
/// #         if self.left > 0 { Turn::Player(self.player) } else { Turn::Over }
/// #     }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> {
/// #         1..=self.left.min(3)
/// #     }
/// #     fn apply(&mut self, count: u8) {
/// #         self.left -= count;
/// #         self.player = 1 - self.player;
/// #     }
/// #     fn reward(&self, player: Player) -> f64 {
/// #         f64::from(player != self.player)
/// #     }
/// }
///
/// impl StaticEvaluation for Sticks {
///     fn evaluate(&self, player: Player) -> f64 {
///         let mover = if self.left % 4 == 0 { 0.2 } else { 0.8 }; // 4, 8, 12.. are lost
///         if player == self.player { mover } else { 1.0 - mover }
///     }
/// }
///
/// let mut search = Mcts::new(Sticks { left: 21, player: 0 }).rollout_policy(Cutoff::new(3));
/// search.run(Budget::iterations(2_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no static evaluation",
    label = "this search values unfinished games",
    note = "add `impl StaticEvaluation for {Self} {{ fn evaluate(&self, player: Player) -> f64 {{ .. }} }}`: the estimated reward of `player`, in [0, 1]",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait StaticEvaluation: GameState {
    /// Returns an estimate of the reward of `player` in this unfinished game, in [0, 1], on the scale of
    /// [`GameState::reward`].
    fn evaluate(&self, player: Player) -> f64;
}

/// Lets players skip their turns.
///
/// **Who needs it:** [`BestReply`](crate::search::BestReply), whose lines of play skip turns, whether or not
/// the rules of the game allow that.
#[diagnostic::on_unimplemented(
    message = "players of `{Self}` cannot skip a turn",
    label = "this search skips turns",
    note = "add `impl SkipTurn for {Self} {{ fn skip_turn(&mut self) {{ .. }} }}`: the next player is to move, and the rest stays as it is",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait SkipTurn: GameState {
    /// Ends the turn of the player to move without an action. Then another player is to move, in the order of
    /// the game. Called only if [`turn`](GameState::turn) is a player's.
    fn skip_turn(&mut self);
}

/// Gives every position of a game a key, by which a search recognises a position that it reaches in two ways.
///
/// **Who needs it:** [`Transpositions`](crate::search::Transpositions) and
/// [`MirrorImages`](crate::search::MirrorImages).
///
/// Two states with the same key are the same position: the same turn, the same legal actions, and for every
/// line of play from there the same turns, actions and rewards. The key contains everything that matters for
/// the future: the player to move, the right to castle or to swap, a forbidden repetition (*ko*), how often
/// the position has occurred if the rules count that. It does not contain the path to the position. The rules
/// kit, the crate `ramure-rules`, checks this by `keys`.
///
/// If the state fits into 128 bits, return it as it is: such keys never collide. Otherwise return a hash:
/// [`hash_key`](crate::hash_key) computes one from a state that implements `Hash`, and Zobrist numbers of 128
/// bits can be kept up to date in [`apply`](GameState::apply). With random keys of 128 bits, the probability
/// that any two of *n* positions collide is below *n*² / 2^129: 1.5e-21 for 1e9 positions.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Keyed;
/// use ramure_games::TicTacToe;
///
/// let (mut a, mut b) = (TicTacToe::new(), TicTacToe::new());
/// for (cell, other) in [("1", "9"), ("5", "5"), ("9", "1")] {
///     a.apply(cell.parse()?);
///     b.apply(other.parse()?);
/// }
/// assert_eq!(a.key(), b.key()); // the same marks, in another order
/// # Ok::<(), ramure_games::ParseError>(())
/// ```
///
/// # Repetitions
///
/// A search ends a line of play, with [`repetition_reward`](Self::repetition_reward), as soon as it comes to
/// a key that the line or the game has had. One earlier occurrence is enough. If the rules end the game at the
/// third or fourth occurrence, as in chess and shogi, this is too soon: count the occurrences. The state
/// keeps the positions since the last action that cannot be undone, [`turn`](GameState::turn) is `Over` when
/// the present one has occurred often enough, and the key contains how often it has occurred. Then the second
/// occurrence is another position, with a node of its own, and the search plays on to the end that the rules
/// name. If the rules forbid to repeat a position, leave out the action.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::{Keyed, hash_key};
///
/// /// A piece that walks on a ring of four squares. The third occurrence of a square ends the game.
/// #[derive(Clone)]
/// struct Walk { squares: Vec<u8> }
///
/// impl Walk {
///     fn occurrences(&self) -> usize {
///         self.squares.iter().filter(|square| Some(*square) == self.squares.last()).count()
///     }
/// }
///
/// impl GameState for Walk {
///     type Action = bool;
///     fn players(&self) -> u8 { 1 }
///     fn turn(&self) -> Turn { if self.occurrences() == 3 { Turn::Over } else { Turn::Player(0) } }
///     fn actions(&self) -> impl IntoIterator<Item = bool> { [true, false] }
///     fn apply(&mut self, forward: bool) {
///         let square = self.squares[self.squares.len() - 1];
///         self.squares.push((square + if forward { 1 } else { 3 }) % 4);
///     }
///     fn reward(&self, _: Player) -> f64 { 0.5 }
/// }
///
/// impl Keyed for Walk {
///     fn key(&self) -> u128 {
///         hash_key(&(self.squares.last(), self.occurrences()))
///     }
/// }
/// ```
///
/// Strictly, this key is too coarse: it leaves out how often *other* positions have occurred, and the law
/// `Keys` of the rules kit says so. Chess programs accept this, because with exact keys hardly two lines of
/// play would come to one position.
#[diagnostic::on_unimplemented(
    message = "the positions of `{Self}` have no keys",
    label = "this search recognises positions by their keys",
    note = "add `impl Keyed for {Self} {{ fn key(&self) -> u128 {{ .. }} }}`: the state itself if it fits into 128 bits, or else a hash, as of the function `hash_key`",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait Keyed: GameState {
    /// Returns the key of this position.
    fn key(&self) -> u128;

    /// Returns the reward of `player` if a line of play comes back to this position, in [0, 1]. \[Default:
    /// 1/2, a draw, for each of several players; 0 for an only player, who would otherwise go round in
    /// circles rather than finish for less than 1/2\]
    ///
    /// A search asks for this only if a position occurs for the second time in one line of play, which begins
    /// with the [states before the root](crate::Mcts::set_earlier_states). It does not happen in games in
    /// which every action makes progress, nor in games whose keys count [repetitions](Keyed#repetitions),
    /// because then the repeated position is another one.
    fn repetition_reward(&self, player: Player) -> f64 {
        let _ = player;
        if self.players() == 1 { 0.0 } else { 0.5 }
    }
}

/// Declares the symmetries of a game: rotations and reflections of a state that do not change how it is
/// played.
///
/// **Who needs it:** the rules kit, the crate `ramure-rules`. Its law on symmetries
/// finds rules that treat one side of the board differently from the other.
/// [`MirrorImages`](crate::search::MirrorImages) is a search in which positions that are mirror images are
/// one.
///
/// Symmetries are numbered from 0, without the identity. For each symmetry:
///
/// - the actions of the transformed state are the transformed actions;
/// - playing an action and then transforming gives the same state as transforming and then playing the
///   transformed action;
/// - the rewards are the same, each for the transformed player.
///
/// ```
/// use ramure::{GameState, Symmetric};
/// use ramure_games::Connect4;
///
/// assert_eq!(Connect4::SYMMETRIES, 1); // left and right
/// let mut game = Connect4::new();
/// game.apply("0".parse()?);
/// assert_eq!(game.transformed(0).cell(0, 6), Some(0));
/// assert_eq!(game.transformed_action("2".parse()?, 0), "4".parse()?);
/// # Ok::<(), ramure_games::ParseError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not declare its symmetries",
    label = "this compares a game with its mirror images",
    note = "add `impl Symmetric for {Self} {{ const SYMMETRIES: usize = ..; fn transformed(&self, symmetry: usize) -> Self {{ .. }} fn transformed_action(&self, action: Self::Action, symmetry: usize) -> Self::Action {{ .. }} }}`",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait Symmetric: GameState {
    /// The number of symmetries, without the identity.
    const SYMMETRIES: usize;

    /// Returns this state transformed by `symmetry`, in `0..SYMMETRIES`. May panic for any other number.
    #[must_use]
    fn transformed(&self, symmetry: usize) -> Self;

    /// Returns `action`, one of the [actions](GameState::actions) of this state, transformed by `symmetry`:
    /// an action of the transformed state.
    fn transformed_action(&self, action: Self::Action, symmetry: usize) -> Self::Action;

    /// Returns the player who takes the place of `player`, for symmetries that exchange the players.
    /// \[Default: `player`\]
    fn transformed_player(&self, player: Player, symmetry: usize) -> Player {
        let _ = symmetry;
        player
    }
}

/// Gives a finished game of one player a *puzzle score*, on any scale: a puzzle, or a problem of
/// optimisation.
///
/// **Who needs it:** `Optimization` of the crate `ramure-puzzles`, and its algorithms. They search for the
/// line of play with the greatest puzzle score, and report it exactly as the game gives it.
/// [`GameState::reward`] stays in [0, 1]; only searches that make a tree read it. Let it grow with the puzzle
/// score, so that they agree on which of two games is better.
///
/// The game has one player, and no chance.
///
/// ```
/// use ramure::Scored;
/// use ramure::prelude::*;
/// use ramure_puzzles::{NestedSearch, Optimization};
///
/// /// Six bits, one after another. A tour through them: the puzzle score is what two unlike neighbours earn,
/// /// minus a fine.
/// #[derive(Clone)]
/// struct Bits(Vec<bool>);
///
/// impl GameState for Bits {
///     type Action = bool;
///
///     fn players(&self) -> u8 {
///         1
///     }
///     fn turn(&self) -> Turn {
///         if self.0.len() == 6 { Turn::Over } else { Turn::Player(0) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = bool> {
///         [false, true]
///     }
///     fn apply(&mut self, bit: bool) {
///         self.0.push(bit);
///     }
///     fn reward(&self, _: Player) -> f64 {
///         (self.score() + 3.0) / 50.0
///     }
/// }
///
/// impl Scored for Bits {
///     fn score(&self) -> f64 {
///         10.0 * self.0.windows(2).filter(|pair| pair[0] != pair[1]).count() as f64 - 3.0
///     }
/// }
///
/// let best = Optimization::new(Bits(vec![]), NestedSearch::new(2)).run(Budget::iterations(500))?;
/// assert_eq!(best.score, 47.0);
/// # Ok::<(), SearchError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no puzzle score",
    label = "this search maximises the puzzle score of a game of one player",
    note = "add `impl Scored for {Self} {{ fn score(&self) -> f64 {{ .. }} }}`: the puzzle score of the finished game, on any scale; greater is better",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait Scored: GameState {
    /// Returns the puzzle score of this finished game. Greater is better. It may be negative, but must be
    /// finite. Called only if [`turn`](GameState::turn) is [`Turn::Over`](super::Turn::Over).
    fn score(&self) -> f64;
}

/// Names what an action does, for searches that learn which actions are good.
///
/// **Who needs it:** `Nrpa` of the crate `ramure-puzzles`. It keeps a weight for each code. Give two actions
/// the same code if the search should learn the same about them, in whichever states they are played. In many
/// puzzles, an action means the same in every state, such as a line to draw, and its number is its code. In
/// others, an action means something different in each state, and the code says what it does: in SameGame,
/// which cells it removes. Any 64 bits will do: the numbers need not be small or consecutive.
///
/// ```
/// # use ramure::{ActionCode, GameState, Player, Turn};
/// # #[derive(Clone)]
/// # struct Tour { city: u8, left: u32 }
/// # impl GameState for Tour {
/// #     type Action = u8;
/// #     fn players(&self) -> u8 { 1 }
/// #     fn turn(&self) -> Turn { if self.left == 0 { Turn::Over } else { Turn::Player(0) } }
/// #     fn actions(&self) -> impl IntoIterator<Item = u8> { (0..32).filter(|next| self.left >> next & 1 == 1) }
/// #     fn apply(&mut self, next: u8) { self.city = next; self.left &= !(1 << next); }
/// #     fn reward(&self, _: Player) -> f64 { 1.0 }
/// # }
/// impl ActionCode for Tour {
///     /// In a tour, the next city is good or bad after the present one.
///     fn action_code(&self, next: u8) -> u64 {
///         u64::from(self.city) << 8 | u64::from(next)
///     }
/// }
/// assert_ne!(Tour { city: 1, left: 12 }.action_code(2), Tour { city: 2, left: 12 }.action_code(3));
/// ```
#[diagnostic::on_unimplemented(
    message = "the actions of `{Self}` have no codes",
    label = "this search keeps a weight for each code of an action",
    note = "add `impl ActionCode for {Self} {{ fn action_code(&self, action: Self::Action) -> u64 {{ .. }} }}`: the same code for actions about which the same is to be learned",
    note = "if `{Self}` is a type of another crate, wrap it in a type of yours"
)]
pub trait ActionCode: GameState {
    /// Returns the code of `action`, one of the [actions](GameState::actions) of this state.
    fn action_code(&self, action: Self::Action) -> u64;
}

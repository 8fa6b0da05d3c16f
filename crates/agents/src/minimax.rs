//! Minimax: a full search to a fixed depth.

use crate::evaluation::Evaluation;
use crate::look_ahead::LookAhead;
use crate::{Agent, mover};
use core::any::type_name;
use core::fmt;
use ramure::simulation::check_probabilities;
use ramure::{GameFault, GameState, MAX_PLAYERS, ParameterError, Player, SearchError, Turn};

/// The greatest depth of a look-ahead.
pub(super) const MOST_DEPTH: u32 = 256;

/// Minimax with a horizon: searches every line of play to a fixed depth, and uses an evaluation where the
/// game is not over there.
///
/// With any number of players, each player takes the action that is best for itself, the first among equals
/// (max^n). At chance nodes the values are averaged by the probabilities of the outcomes (expectimax). **Use
/// it** as the reference that other agents are compared with, and where the tree is small. **Parameter:** the
/// depth, 1 to 256. **Cost:** the whole tree, that is, the number of actions per state to the power of the
/// depth. **Source:** von Neumann, *Zur Theorie der Gesellschaftsspiele*, 1928; for more players Luckhardt
/// and Irani, *An algorithmic solution of N-person games*, 1986.
///
/// ```
/// use ramure_agents::Minimax;
/// use ramure_games::TicTacToe;
/// let found = Minimax::new(9).look_ahead(&TicTacToe::new())?;
/// assert_eq!((found.value, found.nodes), (0.5, 549_945)); // a draw
/// # Ok::<(), ramure::SearchError>(())
/// ```
#[derive(Clone)]
pub struct Minimax<E = ()> {
    depth: u32,
    evaluation: E,
    thoughts: Option<String>,
}

impl<E> fmt::Debug for Minimax<E> {
    /// Prints the type of the evaluation, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Minimax")
            .field("depth", &self.depth)
            .field("evaluation", &format_args!("{}", type_name::<E>()))
            .finish_non_exhaustive()
    }
}

impl Minimax {
    /// Creates an agent that searches `depth` actions deep and uses the game's own evaluation.
    pub fn new(depth: u32) -> Self {
        Minimax { depth, evaluation: (), thoughts: None }
    }
}

impl<E> Minimax<E> {
    /// Evaluates unfinished games at the horizon with `evaluation`, which may be a function of the state and
    /// the player. \[Default: the game's own [`StaticEvaluation`](ramure::StaticEvaluation)\]
    pub fn evaluation<F>(self, evaluation: F) -> Minimax<F> {
        Minimax { depth: self.depth, evaluation, thoughts: self.thoughts }
    }

    /// Searches from `state`. It must be a player's turn.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if the depth is out of range, if the game is over, if it is chance's turn,
    /// or if the game or its evaluation breaks its contract.
    pub fn look_ahead<G: GameState>(&self, state: &G) -> Result<LookAhead<G::Action>, SearchError>
    where
        E: Evaluation<G>,
    {
        check_depth("Minimax, depth", self.depth)?;
        let (player, players) = mover(state)?;
        let lines = vec![Vec::new(); self.depth as usize + 1];
        let mut walk = Walk { evaluation: &self.evaluation, players, nodes: 0, lines };
        let values = walk.values(state, Turn::Player(player), self.depth, 0)?;
        SearchError::unless_failed(0)?;
        let line = std::mem::take(&mut walk.lines[0]);
        let action = line.first().cloned().ok_or_else(|| SearchError::game(GameFault::NoActions, 0))?;
        Ok(LookAhead {
            action,
            value: values[usize::from(player)],
            depth: self.depth,
            nodes: walk.nodes,
            line,
        })
    }
}

pub(super) fn check_depth(name: &'static str, depth: u32) -> Result<(), ParameterError> {
    ParameterError::unless((1..=MOST_DEPTH).contains(&depth), name, f64::from(depth), "from 1 to 256")
}

/// The value of a state for each player.
type Values = [f64; MAX_PLAYERS];

struct Walk<'e, G: GameState, E> {
    evaluation: &'e E,
    players: u8,
    nodes: u64,
    /// The best line from each depth.
    lines: Vec<Vec<G::Action>>,
}

impl<G: GameState, E: Evaluation<G>> Walk<'_, G, E> {
    fn values(&mut self, state: &G, turn: Turn, left: u32, ply: usize) -> Result<Values, SearchError> {
        self.lines[ply].clear();
        if turn == Turn::Over || left == 0 {
            let values = self.at_end(state, turn).map_err(|fault| SearchError::game(fault, ply as u32))?;
            SearchError::unless_failed(ply as u32)?;
            return Ok(values);
        }
        let actions = Vec::from_iter(state.actions());
        SearchError::unless_failed(ply as u32)?;
        if actions.is_empty() {
            return Err(SearchError::game(GameFault::NoActions, ply as u32));
        }
        let Turn::Player(player) = turn else {
            check_probabilities(state, &actions).map_err(|fault| SearchError::game(fault, ply as u32))?;
            let mut mean = [0.0; MAX_PLAYERS];
            for outcome in actions {
                let values = self.after(state, outcome.clone(), left, ply);
                let values = values.map_err(|error| error.after(ply, &outcome))?;
                let probability = state.probability(outcome);
                mean.iter_mut().zip(values).for_each(|(mean, value)| *mean += probability * value);
            }
            return Ok(mean);
        };
        if player >= self.players {
            let fault = GameFault::UnknownPlayer { player, players: self.players };
            return Err(SearchError::game(fault, ply as u32));
        }
        let mut best: Option<Values> = None;
        for action in actions {
            let values = self.after(state, action.clone(), left, ply);
            let values = values.map_err(|error| error.after(ply, &action))?;
            let mine = usize::from(player);
            if best.is_none_or(|best| values[mine] > best[mine]) {
                best = Some(values);
                extend_line(&mut self.lines, ply, action);
            }
        }
        best.ok_or_else(|| SearchError::game(GameFault::NoActions, ply as u32))
    }

    fn after(&mut self, state: &G, action: G::Action, left: u32, ply: usize) -> Result<Values, SearchError> {
        let mut next = state.clone();
        next.apply(action);
        SearchError::unless_failed(ply as u32)?;
        self.nodes += 1;
        self.values(&next, next.turn(), left - 1, ply + 1)
    }

    fn at_end(&self, state: &G, turn: Turn) -> Result<Values, GameFault> {
        same_players(state, self.players)?;
        let mut values = [0.0; MAX_PLAYERS];
        for player in 0..self.players {
            values[usize::from(player)] = worth(self.evaluation, state, turn, player)?;
        }
        Ok(values)
    }
}

/// Checks that a state at the end of a look-ahead has as many players as the state at its start.
pub(super) fn same_players<G: GameState>(state: &G, players: u8) -> Result<(), GameFault> {
    let given = state.players();
    if given == players { Ok(()) } else { Err(GameFault::RewardCount { given, players }) }
}

/// Returns the value for `player` of a state at the end of a look-ahead.
pub(super) fn worth<G: GameState>(
    evaluation: &impl Evaluation<G>,
    state: &G,
    turn: Turn,
    player: Player,
) -> Result<f64, GameFault> {
    if turn == Turn::Over {
        let reward = state.reward(player);
        let fits = (0.0..=1.0).contains(&reward);
        return if fits { Ok(reward) } else { Err(GameFault::Reward { player, reward }) };
    }
    let value = evaluation.value(state, player);
    if (0.0..=1.0).contains(&value) { Ok(value) } else { Err(GameFault::Evaluation { player, value }) }
}

/// Sets the line from `ply` on to `action`, followed by the line from the next ply.
pub(super) fn extend_line<A: Clone>(lines: &mut [Vec<A>], ply: usize, action: A) {
    let (above, below) = lines.split_at_mut(ply + 1);
    above[ply].clear();
    above[ply].push(action);
    above[ply].extend_from_slice(&below[0]);
}

impl<G: GameState, E: Evaluation<G>> Agent<G> for Minimax<E> {
    fn name(&self) -> String {
        format!("minimax:{}", self.depth)
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        let found = self.look_ahead(state)?;
        self.thoughts = Some(found.to_string());
        Ok(found.action)
    }

    fn thoughts(&self, _: &G) -> Option<String> {
        self.thoughts.clone()
    }
}

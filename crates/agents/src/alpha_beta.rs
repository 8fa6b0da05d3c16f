//! Alpha-beta: the same value as minimax, from fewer states.

use crate::evaluation::Evaluation;
use crate::look_ahead::LookAhead;
use crate::minimax::{MOST_DEPTH, check_depth, extend_line, same_players, worth};
use crate::{Agent, mover};
use core::any::type_name;
use core::fmt;
use core::time::Duration;
use ramure::simulation::check_probabilities;
use ramure::{CustomError, GameFault, GameState, ParameterError, Player, SearchError, Turn, WallClock};

/// Alpha-beta: minimax for two players whose rewards sum to one, without the lines that cannot change the
/// value.
///
/// It finds the value that [`Minimax`](crate::Minimax) finds, and an action that has it. How much it prunes
/// depends on the order of the actions; [`by_evaluation`](Self::by_evaluation) tries promising ones first.
/// With a budget it deepens iteratively: each step tries the best line of the previous step first. It stops
/// when all games end within the depth, and plays the result of the last step that was completed.
///
/// **Use it** where a good static evaluation exists and states have few actions. **Parameters:** the depth, 1
/// to 256; a budget of states or of time. **Cost:** with the best order of actions, the square root of the
/// cost of minimax. Nothing is pruned below chance nodes. **Source:** Knuth and Moore, *An analysis of
/// alpha-beta pruning*, 1975 (the fail-soft form); iterative deepening after Slate and Atkin, *Chess 4.5*,
/// 1977.
///
/// ```
/// use ramure_agents::AlphaBeta;
/// use ramure_games::TicTacToe;
/// let found = AlphaBeta::new(9).look_ahead(&TicTacToe::new())?;
/// assert_eq!(found.value, 0.5);
/// assert!(found.nodes < 549_945 / 20); // of minimax
/// # Ok::<(), ramure::SearchError>(())
/// ```
#[derive(Clone)]
pub struct AlphaBeta<E = ()> {
    depth: u32,
    evaluation: E,
    by_evaluation: bool,
    nodes: Option<u64>,
    time: Option<Duration>,
    thoughts: Option<String>,
}

impl<E> fmt::Debug for AlphaBeta<E> {
    /// Prints the type of the evaluation, because closures are not `Debug`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AlphaBeta")
            .field("depth", &self.depth)
            .field("by_evaluation", &self.by_evaluation)
            .field("nodes", &self.nodes)
            .field("time", &self.time)
            .field("evaluation", &format_args!("{}", type_name::<E>()))
            .finish_non_exhaustive()
    }
}

impl AlphaBeta {
    /// Creates an agent that searches `depth` actions deep and uses the game's own evaluation.
    pub fn new(depth: u32) -> Self {
        AlphaBeta { depth, evaluation: (), by_evaluation: false, nodes: None, time: None, thoughts: None }
    }
}

impl<E> AlphaBeta<E> {
    /// Evaluates unfinished games at the horizon with `evaluation`, which may be a function of the state and
    /// the player. \[Default: the game's own [`StaticEvaluation`](ramure::StaticEvaluation)\]
    pub fn evaluation<F>(self, evaluation: F) -> AlphaBeta<F> {
        let AlphaBeta { depth, by_evaluation, nodes, time, thoughts, .. } = self;
        AlphaBeta { depth, evaluation, by_evaluation, nodes, time, thoughts }
    }

    /// Orders the actions by the evaluation of the states after them, the best first. \[Default: the game's
    /// order\]
    #[must_use]
    pub fn by_evaluation(mut self) -> Self {
        self.by_evaluation = true;
        self
    }

    /// Deepens iteratively until it has visited `nodes` states; the first step is always completed.
    /// \[Default: no iterative deepening\]
    #[must_use]
    pub fn nodes(mut self, nodes: u64) -> Self {
        self.nodes = Some(nodes);
        self
    }

    /// Deepens iteratively for this long; the first step is always completed. \[Default: no iterative
    /// deepening\]
    #[must_use]
    pub fn time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Searches from `state`. It must be a player's turn.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if the depth is out of range, if a budget is empty, if the game is over, if
    /// it is chance's turn, or if the game breaks its contract; [`NotZeroSum`] if the game does not have two
    /// players whose rewards and evaluations sum to 1.
    pub fn look_ahead<G: GameState>(&self, state: &G) -> Result<LookAhead<G::Action>, SearchError>
    where
        E: Evaluation<G>,
    {
        check_depth("AlphaBeta, depth", self.depth)?;
        ParameterError::unless(self.nodes != Some(0), "AlphaBeta::nodes", 0.0, "at least 1")?;
        ParameterError::unless(self.time != Some(Duration::ZERO), "AlphaBeta::time", 0.0, "above 0")?;
        let (player, players) = mover(state)?;
        if players != 2 {
            return Err(NotZeroSum.into());
        }
        let mut walk = Walk {
            agent: self,
            clock: WallClock::start(),
            nodes: 0,
            is_bounded: false,
            is_slow: false,
            is_cut: false,
            lines: vec![Vec::new(); self.depth as usize + 1],
            before: Vec::new(),
        };
        let is_deepening = self.nodes.is_some() || self.time.is_some();
        let mut depth = if is_deepening { 1 } else { self.depth };
        let mut found = None;
        loop {
            match walk.value(
                state,
                Turn::Player(player),
                (depth, 0),
                (f64::NEG_INFINITY, f64::INFINITY),
                true,
            ) {
                Ok(value) => {
                    walk.before.clone_from(&walk.lines[0]);
                    found = Some((value, depth));
                }
                Err(Halt::BudgetUsed) => break,
                Err(Halt::Error(error)) => return Err(error),
            }
            // If the horizon cut off no game that matters, greater depths find nothing new.
            if depth == self.depth || !walk.is_cut {
                break;
            }
            depth += 1;
            (walk.is_bounded, walk.is_cut) = (true, false);
            walk.is_slow = walk.clock.elapsed() > SLOW * walk.nodes.min(u64::from(u32::MAX)) as u32;
        }
        SearchError::unless_failed(0)?; // at the last probability, or when the budget was used up
        let line = walk.before;
        let action = line.first().cloned().ok_or_else(|| SearchError::game(GameFault::NoActions, 0))?;
        let (value, depth) = found.ok_or_else(|| SearchError::game(GameFault::NoActions, 0))?;
        let value = if player == 0 { value } else { 1.0 - value };
        Ok(LookAhead { action, value, depth, nodes: walk.nodes, line })
    }
}

/// The error of [`AlphaBeta`] for a game that does not have two players whose rewards and evaluations sum to 1.
/// It arrives as [`SearchError::Agent`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct NotZeroSum;

impl fmt::Display for NotZeroSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "alpha-beta needs two players whose rewards and evaluations sum to 1; use `Minimax` for other games",
        )
    }
}

impl core::error::Error for NotZeroSum {}

impl From<NotZeroSum> for SearchError {
    fn from(error: NotZeroSum) -> Self {
        SearchError::Agent(CustomError::new(error))
    }
}

/// Why a look-ahead ended early.
enum Halt {
    BudgetUsed,
    Error(SearchError),
}

impl Halt {
    /// Puts `action`, which `ply` actions came before, in front of those that led to an error.
    fn after(self, ply: usize, action: &impl fmt::Debug) -> Self {
        match self {
            Halt::Error(error) => Halt::Error(error.after(ply, action)),
            Halt::BudgetUsed => Halt::BudgetUsed,
        }
    }
}

fn fault(fault: GameFault, ply: usize) -> Halt {
    Halt::Error(SearchError::game(fault, ply as u32))
}

/// Returns an error if the game has reported one, `ply` actions after the root.
fn unless_failed(ply: usize) -> Result<(), Halt> {
    SearchError::unless_failed(ply as u32).map_err(Halt::Error)
}

/// Returns the order in which to try actions, each with whether it was the best before and how promising it
/// is. Ties keep their order. (This is a function, so that the sort is compiled once and not for each game.
/// It also moves no states.)
fn best_first(promises: &[(bool, f64)]) -> Vec<usize> {
    let mut order = Vec::from_iter(0..promises.len());
    order.sort_by(|&a, &b| {
        let (a, b) = (promises[a], promises[b]);
        b.0.cmp(&a.0).then(b.1.total_cmp(&a.1))
    });
    order
}

/// If states take longer than this on average, the clock is read at each.
const SLOW: Duration = Duration::from_micros(20);

struct Walk<'a, G: GameState, E> {
    agent: &'a AlphaBeta<E>,
    clock: WallClock,
    nodes: u64,
    /// Whether the budget applies; it does not in the first step.
    is_bounded: bool,
    /// Whether a state takes so long that the clock is read at each. Otherwise, reading it costs as much as a
    /// state.
    is_slow: bool,
    /// Whether the horizon cut off a game in this step.
    is_cut: bool,
    /// The best line from each depth.
    lines: Vec<Vec<G::Action>>,
    /// The best line of the previous step.
    before: Vec<G::Action>,
}

/// The tolerance for the sum of the rewards, which must be one.
const TOLERANCE: f64 = 1e-6;

impl<G: GameState, E: Evaluation<G>> Walk<'_, G, E> {
    /// The value of `state` to player 0 if it lies between `alpha` and `beta`; otherwise a bound on the same
    /// side of them. `turn` is the turn in `state`. The search goes `left` actions deeper, and `ply` actions
    /// lead to `state`. `is_first` says that all actions so far are those of the previous step's best line.
    fn value(
        &mut self,
        state: &G,
        turn: Turn,
        (left, ply): (u32, usize),
        (mut alpha, mut beta): (f64, f64),
        is_first: bool,
    ) -> Result<f64, Halt> {
        self.lines[ply].clear();
        if turn == Turn::Over || left == 0 {
            return self.at_end(state, turn, ply);
        }
        let actions = Vec::from_iter(state.actions());
        unless_failed(ply)?;
        if actions.is_empty() {
            return Err(fault(GameFault::NoActions, ply));
        }
        let player = match turn {
            Turn::Player(player @ 0..=1) => player,
            Turn::Player(player) => return Err(fault(GameFault::UnknownPlayer { player, players: 2 }, ply)),
            _ => return self.mean(state, &actions, left, ply),
        };
        let mut best: Option<f64> = None;
        let known = self.before.get(ply).cloned().filter(|_| is_first);
        for (action, next) in self.ordered(state, actions, player, left, known.as_ref(), ply)? {
            self.count()?;
            let is_first = Some(&action) == known.as_ref();
            let value = self
                .value(&next, next.turn(), (left - 1, ply + 1), (alpha, beta), is_first)
                .map_err(|halt| halt.after(ply, &action))?;
            let is_better = match player {
                0 => best.is_none_or(|best| value > best),
                _ => best.is_none_or(|best| value < best),
            };
            if is_better {
                best = Some(value);
                extend_line(&mut self.lines, ply, action);
            }
            match player {
                0 => alpha = alpha.max(value),
                _ => beta = beta.min(value),
            }
            if alpha >= beta {
                break;
            }
        }
        best.ok_or_else(|| fault(GameFault::NoActions, ply))
    }

    /// The value of a chance node: the mean over all outcomes.
    fn mean(&mut self, state: &G, outcomes: &[G::Action], left: u32, ply: usize) -> Result<f64, Halt> {
        check_probabilities(state, outcomes).map_err(|wrong| fault(wrong, ply))?;
        let mut mean = 0.0;
        for outcome in outcomes {
            self.count()?;
            let mut next = state.clone();
            next.apply(outcome.clone());
            unless_failed(ply)?;
            let all = (f64::NEG_INFINITY, f64::INFINITY);
            let value = self
                .value(&next, next.turn(), (left - 1, ply + 1), all, false)
                .map_err(|halt| halt.after(ply, outcome))?;
            mean += state.probability(outcome.clone()) * value;
        }
        self.lines[ply].clear();
        Ok(mean)
    }

    /// The actions in the order in which they are tried, each with the state after it.
    fn ordered(
        &self,
        state: &G,
        actions: Vec<G::Action>,
        player: Player,
        left: u32,
        known: Option<&G::Action>,
        ply: usize,
    ) -> Result<Vec<(G::Action, G)>, Halt> {
        // Just above the horizon, ordering cannot save work.
        let is_ordered = self.agent.by_evaluation && left > 1;
        let mut children = Vec::with_capacity(actions.len());
        let mut promises = Vec::with_capacity(if is_ordered { actions.len() } else { 0 });
        for action in actions {
            if self.is_slow {
                self.unless_late()?;
            }
            let mut next = state.clone();
            next.apply(action.clone());
            unless_failed(ply)?;
            if is_ordered {
                let promise = worth(&self.agent.evaluation, &next, next.turn(), player)
                    .map_err(|wrong| fault(wrong, ply + 1).after(ply, &action))?;
                promises.push((Some(&action) == known, promise));
            }
            children.push((action, next));
        }
        if is_ordered {
            let mut rest: Vec<_> = children.into_iter().map(Some).collect();
            children = best_first(&promises).into_iter().filter_map(|index| rest[index].take()).collect();
        } else if known.is_some()
            && let Some(place) = children.iter().position(|(action, _)| Some(action) == known)
        {
            children[..=place].rotate_right(1);
        }
        Ok(children)
    }

    fn at_end(&mut self, state: &G, turn: Turn, ply: usize) -> Result<f64, Halt> {
        self.is_cut |= turn != Turn::Over;
        same_players(state, 2).map_err(|wrong| fault(wrong, ply))?;
        let worth =
            |player| worth(&self.agent.evaluation, state, turn, player).map_err(|wrong| fault(wrong, ply));
        let (first, second) = (worth(0)?, worth(1)?);
        unless_failed(ply)?;
        if (first + second - 1.0).abs() > TOLERANCE {
            return Err(Halt::Error(NotZeroSum.into()));
        }
        Ok(first)
    }

    /// Counts a state; an error if the budget is used up.
    fn count(&mut self) -> Result<(), Halt> {
        if self.is_bounded && self.agent.nodes.is_some_and(|nodes| self.nodes >= nodes) {
            return Err(Halt::BudgetUsed);
        }
        self.nodes += 1;
        if self.is_slow || self.nodes.is_multiple_of(64) { self.unless_late() } else { Ok(()) }
    }

    /// Reads the clock; an error if the time is used up.
    fn unless_late(&self) -> Result<(), Halt> {
        let is_late = self.is_bounded && self.agent.time.is_some_and(|time| self.clock.elapsed() >= time);
        if is_late { Err(Halt::BudgetUsed) } else { Ok(()) }
    }
}

impl<G: GameState, E: Evaluation<G>> Agent<G> for AlphaBeta<E> {
    fn name(&self) -> String {
        let mut name = match self.time {
            None => format!("alphabeta:{}", self.depth),
            Some(time) if self.depth == MOST_DEPTH => format!("alphabeta:{time:?}"),
            Some(time) => format!("alphabeta:{}+{time:?}", self.depth),
        };
        if self.by_evaluation {
            name += ",order=evaluation";
        }
        if let Some(nodes) = self.nodes {
            name += &format!(",nodes={nodes}");
        }
        name
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

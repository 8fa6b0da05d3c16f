//! Proptest strategies for lines of play, states and actions.
//!
//! A value is made from a line of play. It shrinks to a shorter line, and to actions that are listed earlier.
//! If an action is no longer legal, the action at its place in the list replaces it.

use super::list::list;
use super::probe::{Breach, Probe};
use super::shrink::{Shrinker, Step};
use super::walk::{Style, Walk};
use super::{LONGEST_LINE, PATIENCE};
use core::fmt;
use core::time::Duration;
use proptest::num::u64;
use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::{Reason, TestRunner};
use ramure::{GameState, Rng};

/// A line of play: all its states, and the actions between them.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Line<G: GameState> {
    /// The states, starting with the initial one; one more than there are actions.
    pub states: Vec<G>,
    /// The actions.
    pub actions: Vec<G::Action>,
}

impl<G: GameState> Line<G> {
    /// Returns the last state.
    pub fn last(&self) -> &G {
        &self.states[self.states.len() - 1]
    }
}

impl<G: GameState + fmt::Debug> fmt::Debug for Line<G> {
    /// Prints the actions and the last state.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let actions = list(&self.actions);
        f.debug_struct("Line")
            .field("actions", &format_args!("{actions}"))
            .field("last", self.last())
            .finish()
    }
}

/// Generates whole games from `initial`: the last state of each line is over. Three of four are random games;
/// in the fourth, players avoid actions that end the game, in games with chance for 200 actions. Outcomes of
/// chance are drawn by their probabilities.
///
/// A line shrinks to other whole games. A game that is not over after 1000 actions ends there.
///
/// ```
/// use ramure_rules::proptest::prelude::*;
/// use ramure_games::TicTacToe;
///
/// proptest! {
///     # #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]
///     # /*
///     #[test]
///     # */
///     fn a_game_takes_five_actions_or_more(line in ramure_rules::games(TicTacToe::new())) {
///         prop_assert!(line.actions.len() >= 5);
///         prop_assert!(line.last().winner().is_some() || line.actions.len() == 9);
///     }
/// }
/// # a_game_takes_five_actions_or_more();
/// ```
///
/// # Panics
///
/// Panics if the game panics while a line is generated or shrunk; the message has the line of play that led
/// there.
pub fn games<G: GameState + fmt::Debug>(initial: G) -> impl Strategy<Value = Line<G>, Tree: Clone> {
    Lines { initial, least: None, value: |line| line }
}

/// Generates states that can be reached from `initial`, including itself and finished games. Each is drawn
/// uniformly from the states of a line of [`games`]. It shrinks to states that are reached sooner.
///
/// ```
/// use ramure_rules::proptest::prelude::*;
/// use ramure_games::Connect4;
///
/// proptest! {
///     # #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]
///     # /*
///     #[test]
///     # */
///     fn text_reads_back(state in ramure_rules::reachable(Connect4::new())) {
///         prop_assert_eq!(state.to_string().parse::<Connect4>(), Ok(state));
///     }
/// }
/// # text_reads_back();
/// ```
///
/// # Panics
///
/// Panics as [`games`] does.
pub fn reachable<G: GameState + fmt::Debug>(initial: G) -> impl Strategy<Value = G, Tree: Clone> {
    Lines {
        initial,
        least: Some(0),
        value: |mut line: Line<G>| line.states.swap_remove(line.states.len() - 1),
    }
}

/// Generates unfinished states that can be reached from `initial`, each with one of its legal actions. If
/// `initial` is over, there are none: proptest then aborts the test, and reports why.
///
/// ```
/// use ramure::GameState;
/// use ramure_games::Connect4;
/// use ramure_rules::proptest::prelude::*;
///
/// proptest! {
///     # #![proptest_config(ProptestConfig { cases: 20, failure_persistence: None, ..ProptestConfig::default() })]
///     # /*
///     #[test]
///     # */
///     fn an_action_adds_a_stone((before, column) in ramure_rules::positions_and_actions(Connect4::new())) {
///         let stones = |state: &Connect4| (0..6).filter(|&row| state.cell(row, column.number()).is_some()).count();
///         let mut after = before;
///         after.apply(column);
///         prop_assert_eq!(stones(&after), stones(&before) + 1);
///     }
/// }
/// # an_action_adds_a_stone();
/// ```
///
/// # Panics
///
/// Panics as [`games`] does.
pub fn positions_and_actions<G: GameState + fmt::Debug>(
    initial: G,
) -> impl Strategy<Value = (G, G::Action), Tree: Clone> {
    let value = |mut line: Line<G>| {
        let last = line.actions.len() - 1;
        (line.states.swap_remove(last), line.actions.swap_remove(last))
    };
    Lines { initial, least: Some(1), value }
}

/// The strategy behind all three: the value is a function of a line.
#[derive(Clone)]
struct Lines<G, F> {
    initial: G,
    /// The fewest actions of a line; `None` for whole games.
    least: Option<usize>,
    value: F,
}

impl<G: fmt::Debug, F> fmt::Debug for Lines<G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lines").field("initial", &self.initial).field("least", &self.least).finish()
    }
}

impl<G: GameState + fmt::Debug, T: fmt::Debug, F: Fn(Line<G>) -> T + Copy> Strategy for Lines<G, F> {
    type Tree = Tree<G, F>;
    type Value = T;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let mut rng = Rng::seeded(u64::ANY.new_tree(runner)?.current());
        let style = if rng.below(4) == 0 { Style::Peaceful } else { Style::Random };
        let mut line = played(&self.initial, |walk, probe| {
            let goes_on = walk.len() < LONGEST_LINE && !walk.last().look.is_over();
            if goes_on { walk.choose(style, LONGEST_LINE, &mut rng, probe) } else { Ok(None) }
        });
        if let Some(least) = self.least {
            let length =
                line.len().checked_sub(least).ok_or_else(|| Reason::from("the initial state is over"))?;
            line.truncate(least + rng.below(length + 1));
        }
        let shrinker = Shrinker::new(line.steps().collect(), self.least.unwrap_or(0));
        let current = public(&line);
        Ok(Tree { lines: self.clone(), current, failing: None, steps: Vec::new(), shrinker })
    }
}

/// The line of a value, and the simpler lines that proptest may try.
#[derive(Clone)]
struct Tree<G: GameState, F> {
    lines: Lines<G, F>,
    current: Line<G>,
    /// The last line that failed, unless it is the current one.
    failing: Option<Line<G>>,
    /// How the current line was played, unless it failed.
    steps: Vec<Step<G::Action>>,
    shrinker: Shrinker<G::Action>,
}

impl<G: GameState + fmt::Debug, F> fmt::Debug for Tree<G, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.current.fmt(f)
    }
}

impl<G: GameState + fmt::Debug, F> Tree<G, F> {
    /// Moves on to the next line to try, or to `failing`, the last line that failed, if there is none.
    fn advance(&mut self, failing: Line<G>) -> bool {
        while let Some(plan) = self.shrinker.propose() {
            let line = self.follow(&plan);
            let steps: Vec<_> = line.steps().collect();
            if self.shrinker.is_simpler(&steps) {
                self.current = public(&line);
                (self.failing, self.steps) = (Some(failing), steps);
                return true;
            }
        }
        self.current = failing;
        false
    }

    /// Plays the plan. Whole games are played to their ends, with the first action of each list.
    fn follow(&self, plan: &[Step<G::Action>]) -> Walk<G> {
        let whole = self.lines.least.is_none();
        let first = Step { action: None, pick: 0, of: 0 };
        played(&self.lines.initial, |walk, _| {
            let step = plan.get(walk.len()).or((whole && walk.len() < LONGEST_LINE).then_some(&first));
            Ok(step.filter(|_| !walk.last().look.is_over()).and_then(|step| walk.resolve(step)))
        })
    }
}

impl<G: GameState + fmt::Debug, T: fmt::Debug, F: Fn(Line<G>) -> T> ValueTree for Tree<G, F> {
    type Value = T;

    fn current(&self) -> T {
        (self.lines.value)(self.current.clone())
    }

    fn simplify(&mut self) -> bool {
        // The current line failed.
        if self.failing.take().is_some() {
            self.shrinker.accept(core::mem::take(&mut self.steps));
        }
        self.advance(self.current.clone())
    }

    fn complicate(&mut self) -> bool {
        // The current line passed: go back to the previous one, and on from there.
        self.failing.take().is_some_and(|failing| self.advance(failing))
    }
}

/// Plays a line; `choose` returns the index of each action.
fn played<G: GameState>(
    initial: &G,
    mut choose: impl FnMut(&Walk<G>, &Probe) -> Result<Option<usize>, Breach>,
) -> Walk<G> {
    let probe = Probe::new(PATIENCE, Duration::MAX, String::new());
    let mut walk =
        Walk::start(initial, &probe).unwrap_or_else(|breach| panic!("in the initial state, {}", breach.what));
    loop {
        let next =
            choose(&walk, &probe).and_then(|pick| pick.map(|pick| walk.play(pick, &probe)).transpose());
        match next {
            Ok(Some(())) => {}
            Ok(None) => return walk,
            Err(breach) => panic!("{}, after {}", breach.what, probe.line()),
        }
    }
}

fn public<G: GameState>(walk: &Walk<G>) -> Line<G> {
    let states = walk.positions().iter().map(|position| position.state.clone()).collect();
    Line { states, actions: walk.actions().collect() }
}

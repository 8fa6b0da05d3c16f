//! Evaluators, priors, rollout policies and answers get the states of the user's game, in every space around it.

use ramure::prelude::*;
use ramure::search::{Batcher, InformationSet, MirrorImages, ObservedMoves, OpenLoop};
use ramure::selection::Puct;
use ramure::simulation::{AskTell, Evaluate, Evaluator, Leaf, Position, Trace, WithPriors};
use ramure::{BoxError, GameFault, HiddenInformation, Keyed, Rewards, Symmetric};

/// A die, then one to three sticks in turn, and a die after each. Who takes the last stick wins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Sticks {
    left: u8,
    player: Player,
    rolls: bool,
}

const START: Sticks = Sticks { left: 10, player: 0, rolls: false };

impl GameState for Sticks {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self {
            Sticks { left: 0, .. } => Turn::Over,
            Sticks { rolls: true, .. } => Turn::Chance,
            _ => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.rolls { 0..=1 } else { 1..=self.left.min(3) }
    }
    fn apply(&mut self, taken: u8) {
        self.left = self.left.saturating_sub(taken);
        if !self.rolls {
            self.player = 1 - self.player;
        }
        self.rolls = !self.rolls;
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from(player != self.player))
    }
}

impl Keyed for Sticks {
    fn key(&self) -> u128 {
        u128::from(self.left) << 2 | u128::from(self.player) << 1 | u128::from(self.rolls)
    }
}

impl HiddenInformation for Sticks {
    fn determinize(&mut self, _: Player, _: &mut Rng) {}
}

/// Returns the value of a state by a recursion that knows nothing of searches: the probability that player 0
/// wins.
fn exact(state: Sticks) -> f64 {
    let after = |action| {
        let mut next = state;
        next.apply(action);
        exact(next)
    };
    let values = state.actions().into_iter().map(after);
    match state.turn() {
        Turn::Player(0) => values.fold(0.0, f64::max),
        Turn::Player(_) => values.fold(1.0, f64::min),
        Turn::Chance => values.sum::<f64>() / 2.0,
        _ => state.reward(0),
    }
}

fn rewards(state: &Sticks) -> Rewards {
    let value = exact(*state) as f32;
    Rewards::new(2, |player| if player == 0 { value } else { 1.0 - value })
}

/// Checks that `actions` are those of the player to move. An open loop may list one that is not legal now.
fn check(state: &Sticks, actions: &[u8]) {
    assert_ne!(state.turn(), Turn::Over);
    let listed: Vec<u8> =
        if state.turn() == Turn::Chance { vec![] } else { state.actions().into_iter().collect() };
    assert!(actions.iter().all(|action| listed.contains(action)), "{actions:?} in {state:?}");
}

/// An evaluator of the game, as a network is.
#[derive(Clone, Copy)]
struct Network;

impl Evaluator<Sticks> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, Sticks>]) -> Result<(), BoxError> {
        batch.reverse(); // it may
        for position in batch {
            check(position.state, position.actions);
            position.set_value(rewards(position.state));
        }
        Ok(())
    }
}

/// Evaluates by its own function, as a rollout policy of one game does.
struct Own;

impl RolloutPolicy<Sticks> for Own {
    type Trace = ();

    fn simulate(
        &self,
        leaf: &mut Leaf<Sticks, impl Trace<Sticks>>,
        _: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        Ok(rewards(leaf.state()))
    }
}

/// Searches a space by a closure and by questions. Both are told the exact values, so both come near them: the
/// average lags behind the best action, and an open loop cannot react.
macro_rules! check_all {
    ($($name:literal: $space:expr;)*) => { $(
        let start = || Mcts::new($space).seed(1);
        let budget = Budget::iterations(400);
        let closure = |state: &Sticks, actions: &[u8], _: &mut [f32]| {
            check(state, actions);
            rewards(state)
        };
        let by_closure = start().rollout_policy(Evaluate::by(closure)).run(budget);
        let mut asked = start().rollout_policy(AskTell).window(4);
        for _ in 0..400 {
            let Some(question) = asked.ask().expect("a sound game") else { break };
            check(question.state, question.actions);
            let (ticket, value) = (question.ticket, rewards(question.state));
            asked.tell(ticket, value, &[]).expect("a sound answer");
        }
        asked.finish().expect("sound answers");
        is_near_the_exact_value(&format!("{}, by a closure", $name), by_closure);
        is_near_the_exact_value(&format!("{}, by questions", $name), asked.report());
    )* };
}

fn is_near_the_exact_value<A: std::fmt::Debug>(name: &str, report: Result<Report<A>, SearchError>) {
    let report = report.expect("a sound game");
    let mean = f64::from(report.chosen_action().expect("a player is to move").mean);
    assert!((mean - exact(START)).abs() < 0.2, "{name}: {mean}\n{report}");
}

#[test]
fn evaluators_and_answers_get_the_game_in_spaces_that_wrap_it() {
    check_all! {
        "guesses": InformationSet::new(START);
        "open loop of what is seen": OpenLoop::new(ObservedMoves::new(START));
    }
}

#[test]
fn a_network_evaluates_the_states_of_the_game_in_a_window_and_on_another_thread() {
    let budget = Budget::iterations(400);
    let batcher = Batcher::new(Network).expect("a thread");
    let seen = || Mcts::new(OpenLoop::new(ObservedMoves::new(START))).seed(1);
    let in_window = seen().rollout_policy(Evaluate::for_game(Network)).window(4).run(budget);
    is_near_the_exact_value("a window, what is seen", in_window);
    let beside = seen().rollout_policy(Evaluate::for_game(batcher)).window(4).threads(2).run(budget);
    is_near_the_exact_value("beside, what is seen", beside);
}

impl Symmetric for Sticks {
    const SYMMETRIES: usize = 1;

    fn transformed(&self, _: usize) -> Self {
        *self
    }
    fn transformed_action(&self, action: u8, _: usize) -> u8 {
        action
    }
}

/// Iterations play with the states of the game itself, so everything of the game goes with them.
#[test]
fn mirror_images_take_the_policies_of_the_game() {
    let start = || Mcts::new(MirrorImages::new(START)).seed(1);
    let priors = |_: &Sticks, taken: u8| f32::from(taken);
    let mut by_priors = start().tree_policy(Puct::default()).rollout_policy(WithPriors::new(Own, priors));
    let mut network = start().tree_policy(Puct::default()).rollout_policy(Evaluate::new(Network));
    let budget = Budget::iterations(400);
    for report in [by_priors.run(budget), network.run(budget)] {
        let report = report.expect("a sound game");
        let mean = f64::from(report.chosen_action().expect("a player is to move").mean);
        assert!((mean - exact(START)).abs() < 0.1, "{report}");
    }
}

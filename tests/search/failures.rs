//! Policies and evaluators that fail with errors of their own.

use ramure::SearchError;
use ramure::prelude::*;
use ramure::selection::Puct;
use ramure::simulation::{Evaluate, Evaluator, Leaf, Mixed, MultipleRollouts, Position, Trace, Uniform};
use ramure::{BoxError, GameFault, LineOfPlay, Rewards};
use ramure_agents::{Agent, FlatMonteCarlo};
use ramure_games::TicTacToe;
use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The error of a network that lost its connection.
#[derive(PartialEq, Debug)]
struct Disconnected {
    after: u32,
}

impl fmt::Display for Disconnected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the connection broke after {} calls", self.after)
    }
}

impl Error for Disconnected {}

/// An evaluator that fails at some of its calls.
struct Network {
    calls: AtomicU32,
    fails_at: u32,
    /// What it fails with, if not with [`Disconnected`].
    fault: Option<GameFault>,
}

impl Network {
    fn that_fails_at(fails_at: u32) -> Self {
        Network { calls: AtomicU32::new(0), fails_at, fault: None }
    }

    fn ask(&self) -> Result<f32, Disconnected> {
        let after = self.calls.fetch_add(1, Ordering::Relaxed) + 1;
        if after == self.fails_at { Err(Disconnected { after }) } else { Ok(0.5) }
    }
}

impl<G: GameState> Evaluator<G> for Network {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            let value = match (self.ask(), self.fault) {
                (Err(_), Some(fault)) => return Err(fault.into()),
                (answer, _) => answer?,
            };
            position.set_value(Rewards::new(position.state.players(), |_| value));
        }
        Ok(())
    }
}

/// Asks the network for each action of a rollout, and plays the first one.
impl<G: GameState> RolloutPolicy<G> for Network {
    type Trace = ();

    fn choose(&self, leaf: &Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Option<G::Action>, GameFault> {
        self.ask().map_err(|error| leaf.fail(error))?;
        Ok(leaf.state().actions().into_iter().next())
    }
}

/// Checks that the search failed with the error of the network, and says so.
fn disconnected(result: Result<Report<<TicTacToe as GameState>::Action>, SearchError>) -> (u32, u32) {
    let error = result.expect_err("the network fails");
    let source = error.source().expect("the network's error");
    let reported = source.downcast_ref::<Disconnected>().expect("its own type").after;
    assert!(source.source().is_none());
    // The message does not repeat that of the source.
    assert!(!error.to_string().contains("connection"), "{error}");
    assert!(error.to_string().contains("the rollout policy or its evaluator failed ("), "{error}");
    // `main` prints an error with `Debug`: its sentence, and the reason.
    assert_eq!(format!("{error:?}"), format!("{error}: {source}"));
    let SearchError::Failed { error: inner, ply, .. } = &error else { panic!("{error:?}") };
    assert_eq!(inner.to_string(), source.to_string());
    assert_eq!(error, error.clone());
    (reported, *ply)
}

#[test]
fn an_evaluator_fails_with_its_own_error_and_the_tree_stays() {
    let network = Arc::new(Network::that_fails_at(30));
    let mut search = Mcts::new(TicTacToe::new()).rollout_policy(Evaluate::new(network));
    let (after, ply) = disconnected(search.run(Budget::iterations(100)));
    assert!(after == 30 && (1..9).contains(&ply), "{after} {ply}");
    // Every earlier call was one iteration, and so were the ends of games, of which there are none so early.
    assert_eq!(search.report().expect("a tree").root_visits, 29);
    assert_eq!(search.run(Budget::iterations(10)).expect("the next calls work").root_visits, 39);
}

#[test]
fn an_evaluator_fails_at_the_expansion_of_a_node() {
    let mut search = Mcts::new(TicTacToe::new())
        .tree_policy(Puct::default())
        .rollout_policy(Evaluate::new(Network::that_fails_at(1)));
    assert_eq!(disconnected(search.run(Budget::iterations(100))), (1, 0));
    search.run(Budget::iterations(100)).expect("the next calls work");
    let mut search = Mcts::new(TicTacToe::new())
        .tree_policy(Puct::default())
        .rollout_policy(Evaluate::new(Network::that_fails_at(12)));
    let (after, ply) = disconnected(search.run(Budget::iterations(100)));
    assert!(after == 12 && ply > 0);
}

#[test]
fn a_fault_that_an_evaluator_passes_on_stays_a_fault() {
    let fault = GameFault::Prior { index: 3, prior: -1.0 };
    let network = Network { fault: Some(fault), ..Network::that_fails_at(1) };
    let mut search =
        Mcts::new(TicTacToe::new()).tree_policy(Puct::default()).rollout_policy(Evaluate::new(network));
    assert_eq!(
        search.run(Budget::iterations(9)),
        Err(SearchError::Game { fault, ply: 0, line: LineOfPlay::default() })
    );
}

#[test]
fn a_rollout_fails_with_its_own_error_and_its_place() {
    // The first iteration expands the root, goes down once and plays on: the fourth call comes after four
    // actions.
    let mut search = Mcts::new(TicTacToe::new()).rollout_policy(Network::that_fails_at(4));
    assert_eq!(disconnected(search.run(Budget::iterations(100))), (4, 4));
    assert_eq!(search.report().expect("a tree").root_visits, 0);

    let mut agent = FlatMonteCarlo::per_action(10).rollout_policy(Network::that_fails_at(4));
    let failed = agent.choose(&TicTacToe::new()).expect_err("the network fails");
    assert!(failed.source().expect("the network's error").is::<Disconnected>());
    assert_eq!(disconnected(Err(failed)), (4, 4));
}

#[test]
fn a_failure_passes_through_policies_that_simulate_on_copies() {
    let network = Mixed::new(Evaluate::new(Network::that_fails_at(7)), Uniform);
    let mut search = Mcts::new(TicTacToe::new()).rollout_policy(MultipleRollouts::new(3, network));
    assert_eq!(disconnected(search.run(Budget::iterations(100))).0, 7);
    assert_eq!(search.report().expect("a tree").root_visits, 2);
}

#[test]
fn shared_and_boxed_evaluators_are_evaluators() {
    let network: Arc<dyn Evaluator<TicTacToe> + Send + Sync> = Arc::new(Network::that_fails_at(2));
    for after in [2, 0] {
        let boxed: Box<dyn Evaluator<TicTacToe>> = Box::new(network.clone());
        let run =
            Mcts::new(TicTacToe::new()).rollout_policy(Evaluate::new(&boxed)).run(Budget::iterations(5));
        match after {
            0 => assert!(run.is_ok()),
            _ => assert_eq!(disconnected(run).0, after),
        }
    }
}

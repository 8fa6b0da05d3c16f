//! If a game or a policy breaks its contract, the search returns an error that names the fault and its place,
//! and keeps its earlier results.

use crate::common::broken::{Broken, Fault};
use crate::common::rows::TicTacToe;
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Backprop};
use ramure::selection::{Grave, ProgressiveBias, Puct, TreePolicy};
use ramure::simulation::{
    Cutoff, EpsilonGreedyRollouts, Evaluate, Leaf, Mast, RolloutPolicy, Trace, Uniform, WithPriors,
};
use ramure::statistics::Statistics;
use ramure::{Budget, GameFault, GameState, LineOfPlay, Mcts, Rewards, Rng, SearchError, StopReason};

/// Breaks the game at several moments, in searches that have not run yet and in some that have. `expected`
/// checks the fault and the place. Then the game is correct again, and the search must continue as if nothing
/// had happened.
fn breaks<P, R, B>(
    search: impl Fn(Broken) -> Mcts<Broken, P, R, B>,
    game: Broken,
    expected: impl Fn(GameFault, u32) -> bool,
) where
    P: TreePolicy<Broken, Stats: Statistics<Broken, R>>,
    R: RolloutPolicy<Broken>,
    B: Backprop<Broken>,
{
    for before in sized(vec![0, 9], vec![0, 1, 9, 40]) {
        // At the root, the game is broken from the start; otherwise its turns and actions would depend on
        // more than the state.
        for later in [0, 2, 7, 1, 30].into_iter().take(if game.at() == 0 { 1 } else { sized(3, 5) }) {
            let mut search = search(game.clone()).seed(before + 100 * u64::from(later));
            let mut known = 0;
            if before > 0 {
                let report = search.run(Budget::iterations(before)).expect("the game is not broken yet");
                known = report.root_visits;
            }
            game.trigger().arm(later);
            let result = search.run(Budget::iterations(500));
            game.trigger().disarm();
            let Err(error) = result else {
                assert!(before > 0 || later > 0, "{game:?}: the fault was not noticed");
                continue; // a search that knows all children of a state does not ask for them again
            };
            let SearchError::Game { fault, ply, .. } = error else { panic!("{game:?}: {error:?}") };
            // The game breaks when the search plays a line a second time.
            let is_replay = fault == GameFault::Replay;
            assert!(expected(fault, ply) || is_replay, "{game:?} after {before} and {later}: {error:?}");

            let kept = search.report().expect("the game behaves again");
            let untold = kept.root_visits - visits(&kept).iter().sum::<u32>();
            assert!(kept.root_visits >= known && untold <= 1, "{game:?}: {kept}");
            assert_eq!(walk(&search), search.tree().node_count(), "{game:?} after {before} and {later}");
            let more = search.run(Budget::iterations(50)).expect("the game behaves again");
            assert_eq!(u64::from(more.root_visits - kept.root_visits), more.iterations, "{game:?}");
            assert!(more.iterations == 50 || more.stop_reason == StopReason::Proven, "{game:?}");
            assert!(more.actions.iter().all(|action| (0.0..=1.0).contains(&action.mean)), "{more}");
        }
    }
}

/// Counts the nodes of the tree one by one.
fn walk<G, P, R, B>(search: &Mcts<G, P, R, B>) -> usize
where
    G: GameState,
    P: TreePolicy<G>,
    R: RolloutPolicy<G>,
    B: Backprop<G>,
{
    let mut pending = Vec::from_iter(search.tree().root());
    let mut count = 0;
    while let Some(node) = pending.pop() {
        count += 1;
        pending.extend(node.children());
    }
    count
}

fn plain(game: Broken) -> Mcts<Broken, ramure::selection::Ucb1, Uniform, Average> {
    Mcts::new(game).backprop(Average)
}

#[test]
fn rewards_of_nan_or_out_of_range_are_rejected() {
    for wrong in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.01, 1.01, -1.0] {
        let is_expected = |fault, ply| match fault {
            GameFault::Reward { player: 1, reward } => {
                reward.to_bits() == wrong.to_bits() && ply == u32::from(Broken::LENGTH)
            }
            _ => false,
        };
        let game = Broken::new(Fault::Reward(wrong), Broken::LENGTH);
        breaks(plain, game.clone(), is_expected);
        breaks(|game| plain(game).rollout_policy(Cutoff::new(9)), game, is_expected);
    }
}

#[test]
fn evaluations_of_nan_or_out_of_range_are_rejected() {
    for wrong in [f64::NAN, f64::INFINITY, -0.5, 2.0] {
        let is_expected = |fault, ply| match fault {
            GameFault::Evaluation { player: 1, value } => value.to_bits() == wrong.to_bits() && ply == 2,
            _ => false,
        };
        let game = Broken::new(Fault::Evaluation(wrong), 2);
        breaks(|game| plain(game).rollout_policy(Cutoff::new(0)), game, is_expected);
    }
}

#[test]
fn an_evaluation_for_another_number_of_players_is_rejected() {
    for players in [0, 1, 3, 8] {
        let wrong = move |_: &TicTacToe, _: &[u8], _: &mut [f32]| Rewards::new(players, |_| 0.5);
        let error = Mcts::new(TicTacToe::default())
            .rollout_policy(Evaluate::by(wrong))
            .run(Budget::iterations(10))
            .expect_err("there are two players");
        assert!(
            matches!(error, SearchError::Game { fault: GameFault::RewardCount { given: reported, players: 2 }, .. } if reported == players)
        );
    }
}

#[test]
fn priors_that_are_not_probabilities_are_rejected() {
    let at_root = |fault| SearchError::Game { fault, ply: 0, line: LineOfPlay::default() };
    for policy in [Puct::default(), Puct::growing(1.25, 19652.0), Puct::new(1.0).fpu_reduction(0.25)] {
        let search = |prior| with_priors(prior).tree_policy(policy);
        let run = |prior| search(prior).run(Budget::iterations(10)).expect_err("no probability");
        assert_eq!(run([-0.1, 1.0]), at_root(GameFault::Prior { index: 0, prior: f64::from(-0.1_f32) }));
        assert_eq!(run([1.0, f32::INFINITY]), at_root(GameFault::Prior { index: 1, prior: f64::INFINITY }));
        assert!(
            matches!(run([1.0, f32::NAN]), SearchError::Game { fault: GameFault::Prior { index: 1, prior }, ply: 0, .. } if prior.is_nan())
        );
        assert_eq!(run([0.0, 0.0]), at_root(GameFault::NoPrior));
        // Priors of any scale work.
        let report = search([f32::MAX, f32::MAX]).run(Budget::iterations(10)).expect("equal priors");
        assert_eq!(report.actions.iter().map(|action| action.prior).collect::<Vec<_>>(), [Some(0.5); 2]);
    }
}

/// Returns a search of a sound game with these priors for the two actions of every state.
#[expect(clippy::type_complexity, reason = "a closure has no name")]
fn with_priors(
    prior: [f32; 2],
) -> Mcts<Broken, ramure::selection::Ucb1, WithPriors<Uniform, impl Fn(&Broken, u32) -> f32>, Average> {
    let priors = move |_: &Broken, action: u32| prior[action as usize];
    Mcts::new(Broken::new(Fault::Endless, 0))
        .backprop(Average)
        .rollout_policy(WithPriors::new(Uniform, priors))
}

#[test]
fn heuristic_values_are_accepted_if_and_only_if_they_are_finite() {
    let search = |values| with_priors(values).tree_policy(ProgressiveBias::default());
    for wrong in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = search([1.0, wrong]).run(Budget::iterations(10)).expect_err("not finite");
        assert_eq!(
            error,
            SearchError::Game {
                fault: GameFault::Heuristic { index: 1 },
                ply: 0,
                line: LineOfPlay::default()
            }
        );
    }
    for values in [[0.0, 0.0], [-1.0, 2.0], [-3.0, -2.0], [f32::MAX, f32::MIN]] {
        let report = search(values).run(Budget::iterations(50)).expect("finite");
        assert_eq!(visits(&report).iter().sum::<u32>(), 49, "{values:?}: {report}");
        assert!(report.actions.iter().all(|action| action.prior.is_none()), "they are not probabilities");
    }
}

#[test]
fn a_heuristic_of_nan_is_rejected() {
    let heuristic = |_: &TicTacToe, cell: u8| if cell == 3 { f32::NAN } else { 0.0 };
    let mut search =
        Mcts::new(TicTacToe::default()).rollout_policy(EpsilonGreedyRollouts::new(0.0, heuristic));
    let error = search.run(Budget::iterations(10)).expect_err("no number");
    assert!(
        matches!(error, SearchError::Game { fault: GameFault::Heuristic { index: 2 | 3 }, .. }),
        "{error}"
    );
}

#[test]
fn a_running_game_without_actions_is_rejected_at_the_root_in_the_tree_and_in_rollouts() {
    for at in 0..4 {
        let is_expected = |fault, ply| fault == GameFault::NoActions && ply == u32::from(at);
        let game = Broken::new(Fault::NoActions, at);
        breaks(plain, game.clone(), is_expected);
        breaks(|game| plain(game).rollout_policy(Mast::default()), game, is_expected);
    }
}

#[test]
fn the_turn_of_an_unknown_player_is_rejected_at_the_root_and_in_the_tree() {
    for (at, player) in [(0, 2), (1, 2), (2, 7), (3, 8), (3, 255)] {
        let is_expected =
            |fault, ply| fault == GameFault::UnknownPlayer { player, players: 2 } && ply == u32::from(at);
        breaks(plain, Broken::new(Fault::Turn(player), at), is_expected);
    }
}

#[test]
fn more_actions_than_a_node_can_hold_are_rejected() {
    let limit = 1 << 17;
    let mut search = plain(Broken::new(Fault::Actions(limit + 1), 0));
    search.state().trigger().arm(0);
    let error = search.run(Budget::iterations(10)).expect_err("too many");
    let fault = GameFault::TooManyActions { limit: limit as usize };
    assert_eq!(error, SearchError::Game { fault, ply: 0, line: LineOfPlay::default() });
    // One action fewer works.
    let mut search = plain(Broken::new(Fault::Actions(limit), 0));
    search.state().trigger().arm(0);
    let report = search.run(Budget::iterations(10)).expect("just fits");
    assert_eq!((report.actions.len(), visits(&report).iter().sum::<u32>()), (limit as usize, 10));
}

#[test]
fn wrong_chance_probabilities_are_rejected_in_the_tree_and_in_rollouts() {
    for at in 0..4 {
        for wrong in [-0.5, f64::NAN, f64::INFINITY, 1.5] {
            let is_expected = |fault, ply| match fault {
                GameFault::Probability { index: 1, probability } => {
                    probability.to_bits() == wrong.to_bits() && ply == u32::from(at)
                }
                _ => false,
            };
            breaks(plain, Broken::new(Fault::Probabilities([0.5, wrong]), at), is_expected);
        }
        for (wrong, sum) in [([0.0, 0.0], 0.0), ([0.5, 0.499], 0.999), ([0.7, 0.7], 1.4)] {
            let mut search = plain(Broken::new(Fault::Probabilities(wrong), at));
            search.state().trigger().arm(0);
            let error = search.run(Budget::iterations(100)).expect_err("they do not sum to one");
            let SearchError::Game { fault: GameFault::ProbabilitySum { sum: reported }, ply, .. } = error
            else {
                panic!("{error}");
            };
            assert!((reported - sum).abs() < 1e-12 && ply == u32::from(at), "{error}");
        }
    }
}

#[test]
fn an_outcome_that_is_not_among_the_actions_is_rejected() {
    let is_expected = |fault, _| fault == GameFault::UnknownOutcome;
    breaks(plain, Broken::new(Fault::Outcome, 0), is_expected);
}

/// Runs a search of a game whose actions have wrong numbers in some states. The game stays broken, because
/// the tree may contain actions that no longer exist.
fn misnumbers<P, R>(search: impl Fn(Broken) -> Mcts<Broken, P, R, Average>, first: u32, at: u8)
where
    P: TreePolicy<Broken, Stats: Statistics<Broken, R>>,
    R: RolloutPolicy<Broken>,
{
    for before in sized(vec![1, 40], vec![1, 9, 40, 80]) {
        for later in [0, 1, 2, 7, 30].into_iter().take(if at == 0 { 1 } else { 5 }) {
            let game = Broken::new(Fault::Index(first), at);
            let mut search = search(game.clone());
            search.run(Budget::iterations(before)).expect("it is not broken yet");
            game.trigger().arm(later);
            for _ in 0..3 {
                if let Err(error) = search.run(Budget::iterations(sized(30, 500))) {
                    match error {
                        // The game breaks when the search plays a line a second time.
                        SearchError::Game { fault: GameFault::Replay, .. } => {}
                        SearchError::Game {
                            fault: GameFault::ActionIndex { index, count: 2 }, ply, ..
                        } => {
                            assert!(index >= first as usize && ply == u32::from(at), "{game:?}: {error:?}");
                        }
                        _ => panic!("{game:?}: {error:?}"),
                    }
                }
                assert!(search.report().expect("the root is sound").root_visits >= before as u32);
            }
        }
    }
}

#[test]
fn an_action_index_out_of_range_is_rejected_everywhere() {
    for at in 0..4 {
        for first in [1, 2, 1_000_000] {
            misnumbers(|game| plain(game).tree_policy(Grave::new(5.0, 1e-3)), first, at);
            misnumbers(|game| plain(game).rollout_policy(Mast::default()), first, at);
        }
    }
}

#[test]
fn a_game_without_an_end_is_rejected() {
    let game = Broken::new(Fault::Endless, Broken::LENGTH);
    game.trigger().arm(0);
    let error = plain(game).run(Budget::iterations(10)).expect_err("endless");
    assert!(
        matches!(error, SearchError::Game { fault: GameFault::Endless { limit: 1_000_000 }, .. }),
        "{error}"
    );
}

/// Returns the same answer for every state.
struct Given(fn(&mut Rewards));

impl<G: GameState> RolloutPolicy<G> for Given {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        let mut rewards = Rewards::new(leaf.state().players(), |_| 0.5);
        (self.0)(&mut rewards);
        Ok(rewards)
    }
}

#[test]
fn rewards_of_a_rollout_policy_of_nan_or_out_of_range_are_rejected() {
    let wrong: [fn(&mut Rewards); 4] =
        [|r| r[1] = f32::NAN, |r| r[0] = -0.1, |r| r[1] = 1.5, |r| r[0] = f32::INFINITY];
    for wrong in wrong {
        let mut search = Mcts::new(TicTacToe::default()).rollout_policy(Given(wrong));
        let error = search.run(Budget::iterations(10)).expect_err("rewards lie in [0, 1]");
        assert!(matches!(error, SearchError::Game { fault: GameFault::Reward { .. }, .. }), "{error}");
    }
}

#[test]
fn rewards_of_a_rollout_policy_for_another_number_of_players_are_rejected() {
    let mut search = Mcts::new(TicTacToe::default()).rollout_policy(Given(|r| *r = Rewards::new(1, |_| 1.0)));
    let error = search.run(Budget::iterations(10)).expect_err("there are two players");
    let fault = GameFault::RewardCount { given: 1, players: 2 };
    assert!(matches!(error, SearchError::Game { fault: reported, .. } if reported == fault), "{error}");
}

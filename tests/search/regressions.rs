//! Regression tests for faults found by inspection and by trials.

use crate::common::sized;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::selection::Ucb1Tuned;
use ramure::statistics::Moments;
use ramure::{Bytes, Every, GameFault, Rewards, RootDecision, StopReason};
use ramure_games::{Connect4, Hex, TicTacToe};

#[test]
fn the_variance_of_ucb1_tuned_does_not_drift() {
    // Rewards 1, 1, 1, 1, 1, 1, 1, 1, 1, 0 and so on: a variance of .09.
    let policy = Ucb1Tuned::default();
    let mut stats = Moments::default();
    for visits in 1..=sized(5_000_000u32, 20_000_000) {
        let reward = if visits % 10 == 0 { 0.0 } else { 1.0 };
        stats = TreePolicy::<TicTacToe>::update(&policy, stats, visits as f32, reward);
    }
    assert!((stats.variance - 0.09).abs() < 2e-7, "{stats:?}");
}

/// Ten actions, equally good, then the end.
#[derive(Clone)]
struct Ten {
    over: bool,
}

impl GameState for Ten {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.over { 0 } else { 10 }
    }
    fn apply(&mut self, _: u8) {
        self.over = true;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn a_temperature_draws_again_in_every_game_of_self_play() {
    // Twenty draws from ten equal actions show fewer than five different ones with a probability below 1e-5.
    for seed in 0..3 {
        let mut search = Mcts::new(Ten { over: false })
            .backprop(Average)
            .root_decision(RootDecision::Temperature(1.0))
            .seed(seed);
        let mut drawn = std::collections::HashSet::new();
        for _ in 0..20 {
            search.reset(Ten { over: false });
            drawn.insert(search.run(Budget::iterations(800)).unwrap().best_action());
        }
        assert!(drawn.len() >= 5, "{drawn:?}");
    }
}

#[test]
fn a_budget_of_bytes_does_not_count_blocks_freed_by_an_advance() {
    let mut search = Mcts::new(Connect4::new());
    let budget = Budget::iterations(1_000_000).and_bytes(Bytes::kib(sized(512, 2_048)));
    for _ in 0..5 {
        let report = search.run(budget).unwrap();
        assert_eq!(report.stop_reason, StopReason::Bytes);
        assert!(report.iterations > sized(250, 1_000), "{report}");
        // The best action may hold nearly all of the tree; the second holds less than half.
        search.advance(report.actions[1].action).unwrap();
    }
}

/// Records rewards in [-1, 1], as programs for two players do.
struct Signed;

impl<G: GameState> Backprop<G> for Signed {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(2.0 * rewards[step.chooser()] - 1.0);
    }
}

#[test]
fn a_recorded_value_that_is_not_a_reward_is_an_error() {
    let error = Mcts::new(Connect4::new()).backprop(Signed).run(Budget::iterations(100)).unwrap_err();
    assert!(
        matches!(error, SearchError::Game { fault: GameFault::Recorded { reward: -1.0, .. }, .. }),
        "{error}"
    );
}

/// Is certain of a draw after ten visits, and does not say that it proves anything.
struct Silent;

impl<G: GameState> Backprop<G> for Silent {
    type Stats = u32;

    fn update(&self, step: impl Step<G, u32>, rewards: &mut Rewards) {
        step.set_stats(step.stats() + 1);
        step.record(rewards[step.chooser()]);
    }

    fn certain(&self, visits: u32, _: Player) -> Option<f32> {
        (visits > 10).then_some(0.5)
    }
}

#[test]
fn a_proof_that_was_not_declared_is_an_error() {
    let undeclared = GameFault::Undeclared { method: "certain", constant: "PROVES" };
    let error = Mcts::new(Connect4::new()).backprop(Silent).run(Budget::iterations(100)).unwrap_err();
    assert!(matches!(error, SearchError::Game { fault, .. } if fault == undeclared), "{error}");
    assert!(error.to_string().contains("add `const PROVES: bool = true;`"), "{error}");
}

#[test]
fn the_best_line_of_a_proven_root_ends_with_the_proven_result() {
    let mut rng = Rng::seeded(3);
    let mut ended = 0;
    for seed in 0..sized(20, 60) {
        let mut state = TicTacToe::new();
        for _ in 0..1 + seed % 4 {
            state.apply(state.random_action(&mut rng).unwrap());
        }
        let Turn::Player(player) = state.turn() else { continue };
        let mut search = Mcts::new(state).backprop(Solver::new(Average)).seed(seed);
        let report = search.run(Budget::iterations(200_000)).unwrap();
        let proof = report.proof.expect("it is small enough");
        for &action in &report.principal_variation {
            assert!(state.is_legal(action));
            state.apply(action);
        }
        if state.turn() == Turn::Over {
            ended += 1;
            assert_eq!(state.reward(player), f64::from(proof), "{report}");
        }
    }
    assert!(ended > sized(6, 20), "{ended} lines were played to the end");
}

#[test]
fn an_observer_also_gets_the_last_report() {
    let mut seen = Vec::new();
    let mut search = Mcts::new(TicTacToe::new());
    search
        .run_with(Budget::iterations(1_000), Every::Iterations(250), &mut |report| {
            seen.push(report.iterations)
        })
        .unwrap();
    assert_eq!(seen, [250, 500, 750, 1_000]);
}

/// Keeps the first choice that it is offered, and always returns it.
struct Stubborn(std::rc::Rc<std::cell::Cell<Option<Choice>>>);

impl<G: GameState> TreePolicy<G> for Stubborn {
    type Stats = ();

    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        let choice = self.0.get().unwrap_or_else(|| node.argmax(|child| child.mean()));
        self.0.set(Some(choice));
        choice
    }
}

#[test]
fn a_choice_kept_from_another_node_is_an_error() {
    let kept = std::rc::Rc::new(std::cell::Cell::new(None));
    let foreign =
        |error: SearchError| matches!(error, SearchError::Game { fault: GameFault::ForeignChoice, .. });
    // A choice from higher in the same tree, again and again.
    let mut first = Mcts::new(Connect4::new()).tree_policy(Stubborn(kept.clone()));
    for _ in 0..20 {
        assert!(first.run(Budget::iterations(500)).is_err_and(foreign));
    }
    // A choice from before the tree moved on: at the root, it is already not one of the family.
    let action = first.report().expect("a report").best_action();
    first.advance(action).expect("legal");
    for _ in 0..20 {
        let fault = first.run(Budget::iterations(500)).expect_err("the family of the choice is gone");
        assert!(
            matches!(fault, SearchError::Game { fault: GameFault::ForeignChoice, ply: 0, .. }),
            "{fault:?}"
        );
    }
    // A choice from another search, whose tree has grown more.
    let far = std::rc::Rc::new(std::cell::Cell::new(None));
    let mut grown = Mcts::new(Connect4::new()).tree_policy(Last(far.clone()));
    grown.run(Budget::iterations(sized(10_000, 50_000))).expect("a sound game");
    let mut other = Mcts::new(Connect4::new()).tree_policy(Stubborn(far));
    for _ in 0..20 {
        assert!(other.run(Budget::iterations(500)).is_err_and(foreign));
    }
}

/// Makes a choice at the root, and returns it at every node for the rest of the search.
struct FromTheRoot {
    kept: std::cell::Cell<Option<Choice>>,
    /// Whether it makes a new choice at the root in every iteration, or keeps the first choice that is not in
    /// the last block.
    renews: bool,
}

impl<G: GameState> TreePolicy<G> for FromTheRoot {
    type Stats = ();

    fn select(&self, node: impl Node<G, ()>, rng: &mut Rng) -> Choice {
        if node.is_root() && (self.renews || self.kept.get().is_none()) {
            // Any child of the first block, which is not the last one in a family of several blocks.
            let child = rng.below(8.min(node.width()));
            self.kept.set(node.choices().nth(child).map(|(choice, _)| choice));
        }
        self.kept.get().expect("the root was asked first")
    }
}

/// Returns a choice of the parent.
struct FromTheParent;

impl<G: GameState> TreePolicy<G> for FromTheParent {
    type Stats = ();

    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        node.parent().map_or_else(|| node.argmax(|_| 0.0), |parent| parent.argmax(|child| -child.visits()))
    }
}

#[test]
fn a_choice_of_another_family_of_several_blocks_is_an_error() {
    let foreign =
        |error: SearchError| matches!(error, SearchError::Game { fault: GameFault::ForeignChoice, .. });
    for renews in [true, false] {
        let kept = FromTheRoot { kept: Default::default(), renews };
        let mut search = Mcts::new(Hex::new(11).unwrap()).tree_policy(kept).memory_limit(Bytes::mib(64));
        assert!(search.run(Budget::iterations(20_000)).is_err_and(foreign), "{renews}");
    }
    let mut search = Mcts::new(Hex::new(11).unwrap()).tree_policy(FromTheParent);
    assert!(search.run(Budget::iterations(100_000)).is_err_and(foreign));
}

/// Keeps all choices of the root, and returns them in turn.
struct InTurn(std::cell::RefCell<Vec<Choice>>);

impl<G: GameState> TreePolicy<G> for InTurn {
    type Stats = ();
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        if !node.is_root() {
            return node.argmax(|child| -child.visits());
        }
        let mut kept = self.0.borrow_mut();
        if kept.is_empty() {
            kept.extend(node.choices().map(|(choice, _)| choice));
        }
        let next = kept.len() - 1;
        kept.rotate_left(1);
        kept[next]
    }
}

#[test]
fn a_choice_kept_for_the_same_node_stays_valid() {
    let mut search = Mcts::new(Hex::new(11).unwrap()).tree_policy(InTurn(Default::default()));
    let report = search.run(Budget::iterations(10 * 121 + 1)).expect("its own choices");
    assert!(report.actions.iter().all(|action| (9..=11).contains(&action.visits)), "{report:#}");
}

/// Remembers the latest choice.
struct Last(std::rc::Rc<std::cell::Cell<Option<Choice>>>);

impl<G: GameState> TreePolicy<G> for Last {
    type Stats = ();

    fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
        let choice = node.argmax(|child| child.mean() + 1.0 / child.visits().sqrt());
        self.0.set(Some(choice));
        choice
    }
}

#[test]
fn a_limit_without_room_for_all_children_of_the_root_is_an_error() {
    // Yellow, the player to move, wins only in the last column but one.
    let mut game = Connect4::new();
    for column in ["0", "5", "0", "5", "1", "5", "1"] {
        game.apply(column.parse().expect("a column"));
    }
    let (mut errors, mut wins) = (0, 0);
    for limit in (900..4_000).step_by(20) {
        for seed in 0..sized(1, 5) {
            let mut search = Mcts::new(game).memory_limit(Bytes(limit)).seed(seed);
            match search.run(Budget::iterations(sized(500, 2_000))) {
                Ok(report) => {
                    assert_eq!(report.best_action().to_string(), "5", "{limit} bytes, seed {seed}\n{report}");
                    wins += 1;
                }
                Err(error) => {
                    assert_eq!(error, SearchError::MemoryLimit { limit });
                    errors += 1;
                }
            }
        }
    }
    assert!(errors.min(wins) > sized(10, 50), "{errors} errors, {wins} wins");
}

/// Has a hundred actions at the first call, and fewer later.
#[derive(Clone)]
struct Fewer {
    asked: std::rc::Rc<std::cell::Cell<u32>>,
    over: bool,
}

impl GameState for Fewer {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.over { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.asked.get() == 0 { 100 } else { 20 }
    }
    fn apply(&mut self, _: u8) {
        self.over = true;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn a_report_on_a_game_that_forgets_its_actions_does_not_panic() {
    let asked = std::rc::Rc::new(std::cell::Cell::new(0));
    let mut search = Mcts::new(Fewer { asked: asked.clone(), over: false }).backprop(Average);
    search.run(Budget::iterations(200)).expect("sound so far");
    asked.set(1);
    assert_eq!(search.report().expect("a report").actions.len(), 20);
    // The next runs may find out.
    let error = (0..10).find_map(|_| search.run(Budget::iterations(200)).err());
    let is_found = |error| matches!(error, SearchError::Game { fault: GameFault::Replay, .. });
    assert!(error.is_some_and(is_found));
}

#[test]
fn changing_the_order_starts_a_new_tree_and_a_seed_fixes_a_reset_tree() {
    let ten = || Mcts::new(Ten { over: false }).seed(1);
    let made = |search: &Mcts<Ten>| -> Vec<Option<u8>> {
        search.tree().root().expect("it ran").children().map(|child| child.action()).collect()
    };
    let mut search = ten();
    search.run(Budget::iterations(6)).expect("a sound game");
    let mut search = search.expansion(ramure::Expansion::default().order(ramure::Order::AsListed));
    search.run(Budget::iterations(30)).expect("a sound game");
    assert_eq!(made(&search), (0..10).map(Some).collect::<Vec<_>>());

    let (mut fresh, mut again) = (ten(), ten());
    fresh.run(Budget::iterations(30)).expect("a sound game");
    again.run(Budget::iterations(50)).expect("a sound game");
    again.reset(Ten { over: false });
    let mut again = again.seed(1);
    again.run(Budget::iterations(30)).expect("a sound game");
    assert_eq!(made(&fresh), made(&again));
}

/// One player walks down a line of forced actions. Below it, six actions each end the game.
#[derive(Clone)]
struct Shaft {
    depth: u32,
}

impl GameState for Shaft {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.depth > 100 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.depth < 100 { 1 } else { 6 }
    }
    fn apply(&mut self, _: u8) {
        self.depth += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        1
    }
}

#[test]
fn a_family_deep_in_the_tree_grows_beyond_its_first_block() {
    let mut search = Mcts::new(Shaft { depth: 0 }).backprop(Average);
    let report = search.run(Budget::iterations(200)).unwrap();
    assert_eq!((report.stop_reason, report.depth), (StopReason::Iterations, 101));
    // Each node of the line, and of the six nodes below it.
    assert_eq!(report.nodes, 1 + 100 + 6);
}

/// The turn at the root of `advance_to` is checked as in a run.
#[test]
fn advancing_from_a_state_with_an_unknown_player_is_an_error() {
    #[derive(Clone)]
    struct Ninth(u8);
    impl GameState for Ninth {
        type Action = u8;
        fn turn(&self) -> Turn {
            [Turn::Player(9), Turn::Player(0), Turn::Over][usize::from(self.0.min(2))]
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..2
        }
        fn apply(&mut self, _: u8) {
            self.0 += 1;
        }
        fn reward(&self, _: u8) -> f64 {
            0.5
        }
    }
    let error = Mcts::new(Ninth(0)).advance_to(0, Ninth(1)).expect_err("player 9 does not exist");
    let fault = GameFault::UnknownPlayer { player: 9, players: 2 };
    assert!(matches!(&error, SearchError::Game { fault: found, .. } if *found == fault), "{error}");
}

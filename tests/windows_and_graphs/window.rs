//! Searches that hold several leaves at a time.

use crate::common::hashed::mix;
use crate::common::sized;
use crate::erased::{Boxed, boxed, shared};
use ramure::backpropagation::{Average, Solver, Step};
use ramure::prelude::*;
use ramure::search::{Batcher, Counted, Question, Ticket, TreeNode, Unobserved, Window};
use ramure::selection::{Event, FirstPlay};
use ramure::selection::{Gumbel, Puct};
use ramure::simulation::{AskTell, Evaluator, Leaf, Position, RolloutPolicy, Trace};
use ramure::statistics::Statistics;
use ramure::{BoxError, GameFault, LineOfPlay, Rewards, StopReason};
use ramure::{Expansion, Order};
use ramure_games::{Connect4, TicTacToe, connect4::Column};
use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt::{self, Debug};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// What a report says that does not depend on the clock: visits and means, nodes and depth.
type Timeless = (Vec<(u32, u32)>, usize, u32);

fn timeless<A>(report: &Report<A>) -> Timeless {
    let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect();
    (actions, report.nodes, report.depth)
}

/// Gives each state a value and priors that depend on the actions played.
#[derive(Clone, Copy)]
struct Hash;

fn hashed<G: GameState<Action: Debug>>(actions: &[G::Action], salt: u64) -> u64 {
    actions.iter().fold(mix(salt), |key, action| {
        mix(key ^ format!("{action:?}").bytes().fold(7, |a, b| mix(a ^ u64::from(b))))
    })
}

/// A number in (0, 1].
fn unit(key: u64) -> f32 {
    ((key >> 40) as f32 + 1.0) / (1 << 24) as f32
}

/// Evaluates one position.
fn value_by_hash<G: GameState<Action: Debug>>(
    state: &G,
    actions: &[G::Action],
    priors: &mut [f32],
) -> Rewards {
    let key = hashed::<G>(actions, 5);
    for (index, prior) in priors.iter_mut().enumerate() {
        *prior = unit(mix(key ^ index as u64));
    }
    Rewards::new(state.players(), |player| unit(mix(key + 100 + u64::from(player))))
}

impl<G: GameState<Action: Debug>> Evaluator<G> for Hash {
    fn evaluate(&self, batch: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        for position in batch {
            let (state, actions) = (position.state, position.actions);
            let value = value_by_hash(state, actions, position.priors());
            position.set_value(value);
        }
        Ok(())
    }
}

/// Three runs, with moves between them.
fn three_runs<G: GameState>(mut search: impl Search<Space = G>) -> Vec<Timeless> {
    let mut runs = Vec::new();
    for _ in 0..3 {
        let report = search.run(Budget::iterations(sized(600, 1_000))).expect("a sound game");
        let most = report.actions.iter().max_by_key(|action| action.visits).expect("actions");
        search.advance(most.action.clone()).expect("legal");
        runs.push(timeless(&report));
    }
    runs
}

// Nothing of the assumption remains.

/// A search in which nothing is random: children are created in the listed order, and a leaf is worth what its
/// actions say. Only then do searches with and without a window find the same, because each leaf of a window
/// has random numbers of its own.
fn listed(start: Connect4) -> Mcts<Connect4, Ucb1, Boxed<'static>, Solver<Average>> {
    let expansion = Expansion::default().order(Order::AsListed);
    Mcts::new(start).rollout_policy(boxed(Hash)).expansion(expansion).seed(3)
}

/// Priors that a rollout policy does not know of.
#[derive(Clone, Copy, Default)]
struct Centred(f32);

impl<R> Statistics<Connect4, R> for Centred {
    type Trace = ();
    const INITIALIZES: bool = true;

    fn priors(
        _: &R,
        _: &Connect4,
        actions: &[Column],
        priors: &mut [f32],
    ) -> Result<Option<Rewards>, BoxError> {
        for (prior, column) in priors.iter_mut().zip(actions) {
            *prior = 1.0 / (1.0 + f32::from(column.number().abs_diff(4)));
        }
        Ok(None)
    }
    fn initialize(
        _: &R,
        _: Player,
        priors: &[f32],
        _: Option<&Rewards>,
        stats: &mut [Self],
    ) -> Result<(), GameFault> {
        stats.iter_mut().zip(priors).for_each(|(stats, &prior)| *stats = Centred(prior));
        Ok(())
    }
}

/// PUCT with priors of its own.
struct Central;

impl TreePolicy<Connect4> for Central {
    type Stats = Centred;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<Connect4, Centred>, _: &mut Rng) -> Choice {
        let root = node.visits().sqrt();
        node.argmax(|child| child.mean() + child.stats().0 * root / (1.0 + child.visits()))
    }
}

#[test]
fn statistics_without_a_batch_of_priors_are_asked_for_one_state_after_another() {
    let search = || listed(Connect4::new()).tree_policy(Central);
    assert_eq!(three_runs(search().window(1)), three_runs(search()));
}

/// Checks that no node has pending visits, that the visits of siblings add up, and returns the visits of the
/// node.
fn check_settled<G: GameState, P: TreePolicy<G>, R, B: Backprop<G>>(
    node: &TreeNode<'_, G, P, R, Counted<B>>,
) -> u32 {
    assert_eq!(node.backprop_stats().0.count, 0);
    let below: u32 = node.children().map(|child| check_settled(&child)).sum();
    assert!(below <= node.visits());
    node.visits()
}

/// Checks what it is shown. All rewards are 3/4.
struct Spy {
    unobserved: Unobserved,
    /// The most visits without a reward of any child.
    pending: Cell<f32>,
}

impl<G: GameState> TreePolicy<G> for Spy {
    type Stats = f32; // the number of visits

    fn select(&self, node: impl Node<G, f32>, _: &mut Rng) -> Choice {
        let mut below = 0.0;
        for child in node.children() {
            let (visits, mean) = (child.visits(), child.mean());
            below += visits;
            assert_eq!(child.stats(), visits);
            match self.unobserved {
                // A child without any reward is worth what its siblings are.
                Unobserved::Mean => assert!(mean == 0.75 || mean == 0.5 && visits < 16.0, "{mean}"),
                _ => {
                    let completed = mean * visits / 0.75;
                    assert!((completed - completed.round()).abs() < 1e-3, "{completed}");
                    assert!(completed.round() <= visits);
                    self.pending.set(self.pending.get().max(visits - completed.round()));
                }
            }
        }
        assert!(below <= node.visits());
        node.argmax(|child| child.mean() + (node.ln_visits() / child.visits()).sqrt())
    }
    fn update(&self, _: f32, visits: f32, reward: f32) -> f32 {
        assert_eq!(reward, 0.75);
        visits
    }
    fn notice(&self, stats: f32, event: Event<f32>) -> f32 {
        if let Event::Recounted(visits) = event { visits } else { stats }
    }
}

/// Three quarters for everybody.
struct Fair;

impl<G: GameState> RolloutPolicy<G> for Fair {
    type Trace = ();

    fn simulate(&self, leaf: &mut Leaf<G, impl Trace<G>>, _: &mut Rng) -> Result<Rewards, GameFault> {
        Ok(Rewards::new(leaf.state().players(), |_| 0.75))
    }
}

#[test]
fn pending_visits_count_and_their_rewards_are_assumed() {
    for unobserved in [Unobserved::Mean, Unobserved::Loss] {
        let spy = Spy { unobserved, pending: Cell::new(0.0) };
        // No game ends that early.
        let search = Mcts::new(Connect4::new()).tree_policy(spy).rollout_policy(Fair);
        let mut search = search.window(16).unobserved(unobserved);
        search.run(Budget::iterations(400)).expect("a sound game");
        // The same when the answers arrive one by one.
        search.reset(Connect4::new());
        let mut tickets = Vec::new();
        for _ in 0..400 {
            while let Some(question) = search.ask().expect("a sound game") {
                tickets.push(question.ticket);
            }
            search.tell(tickets.remove(0), Rewards::new(2, |_| 0.75), &[]).expect("an open question");
        }
        let pending = search.tree_policy_ref().pending.get();
        assert!(unobserved == Unobserved::Mean || (2.0..16.0).contains(&pending), "{pending}");
    }
}

/// Checks that the visits of the children add up to those of the node.
struct AddsUp;

impl<G: GameState> Backprop<G> for AddsUp {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        step.record(rewards[step.chooser()]);
        let below: u32 = step.tried().map(|child| child.visits).sum();
        // The first visit ends at a node, except at the root. No game ends that early.
        assert!(step.visits() - below <= 1, "{} visits, {below} of the children", step.visits());
    }
}

#[test]
fn a_backpropagation_sees_completed_visits_only() {
    let mut search = Mcts::new(Connect4::new()).backprop(AddsUp).window(16);
    search.run(Budget::iterations(400)).expect("a sound game");
}

/// Stores in each child which iteration came through it, and adds the numbers up when the rewards arrive.
struct Numbers {
    next: Cell<u64>,
}

impl<G: GameState> TreePolicy<G> for Numbers {
    type Stats = (u64, u64); // the number of an iteration, and the sum
    const FIRST_PLAY: Option<FirstPlay> = None;
    const SEES_UNVISITED: bool = true;

    fn select(&self, node: impl Node<G, (u64, u64)>, rng: &mut Rng) -> Choice {
        let choice = node.choices().nth(rng.below(node.choices().count())).expect("children").0;
        if node.is_root() {
            self.next.set(self.next.get() + 1);
            let (_, sum) = node.stats_of(choice).expect("a child");
            node.set_stats(choice, (self.next.get(), sum));
        }
        choice
    }
    fn update(&self, (number, sum): (u64, u64), _: f32, _: f32) -> (u64, u64) {
        (0, sum + number)
    }
    fn notice(&self, (now, sum): (u64, u64), event: Event<(u64, u64)>) -> (u64, u64) {
        if let Event::Recalled((number, _)) = event { (number, sum) } else { (now, sum) }
    }
}

#[test]
fn what_a_choice_stores_in_a_child_is_there_when_its_reward_arrives() {
    let mut search = Mcts::new(Connect4::new()).tree_policy(Numbers { next: Cell::new(0) }).window(32);
    search.run(Budget::iterations(1_000)).expect("a sound game");
    let tree = search.tree();
    let sum: u64 = tree.root().expect("a tree").children().map(|child| child.stats().1).sum();
    assert_eq!(sum, 1_000 * 1_001 / 2);
}

// Errors and panics.

/// Fails for the positions whose number in the search satisfies a condition.
struct Faulty {
    count: Cell<u32>,
    fault: Box<Fault>,
}

type Fault = dyn Fn(u32, &mut Position<'_, Connect4>) -> Result<(), BoxError>;

impl Evaluator<Connect4> for Faulty {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        for position in batch {
            self.count.set(self.count.get() + 1);
            position.set_value(Rewards::new(2, |_| 0.5));
            (self.fault)(self.count.get(), position)?;
        }
        Ok(())
    }
}

type FaultyWindow = Mcts<Connect4, Puct, Boxed<'static>, Solver<Average>, Window>;

fn faulty(
    fault: impl Fn(u32, &mut Position<'_, Connect4>) -> Result<(), BoxError> + 'static,
) -> FaultyWindow {
    let evaluator = boxed(Faulty { count: Cell::new(0), fault: Box::new(fault) });
    Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(evaluator).window(8)
}

/// Checks the tree after a failed run, and that the search goes on.
fn goes_on(mut search: FaultyWindow) {
    let visits = check_settled(&search.tree().root().expect("a tree"));
    assert!(visits > 10, "{visits}");
    let report = search.run(Budget::iterations(500)).expect("the next positions are right");
    assert_eq!(report.root_visits, visits + 500);
    check_settled(&search.tree().root().expect("a tree"));
}

#[test]
fn one_position_fails_and_the_others_of_its_window_count() {
    // The first window is the root alone. Position 27 is in the middle of a window.
    let mut search = faulty(|number, position| {
        if number == 27 {
            position.fail("no answer");
        }
        Ok(())
    });
    let error = search.run(Budget::iterations(1_000)).expect_err("position 27 fails");
    assert_eq!(error.source().expect("the evaluator's error").to_string(), "no answer");
    let before = search.tree().root().expect("a tree").visits();
    assert!((27..40).contains(&before), "{before}");
    goes_on(search);
}

#[test]
fn a_batch_fails_and_the_tree_stays() {
    let mut search = faulty(|number, _| if number == 27 { Err("the server is down".into()) } else { Ok(()) });
    let error = search.run(Budget::iterations(1_000)).expect_err("a batch fails");
    assert_eq!(error.source().expect("the evaluator's error").to_string(), "the server is down");
    goes_on(search);
}

#[test]
fn wrong_answers_are_errors() {
    let fault = |fault: fn(&mut Position<'_, Connect4>)| {
        let mut search = faulty(move |number, position| {
            if number == 27 {
                fault(position);
            }
            Ok(())
        });
        let error = search.run(Budget::iterations(1_000)).expect_err("a wrong answer");
        goes_on(search);
        match error {
            SearchError::Game { fault, .. } => fault,
            other => panic!("{other:?}"),
        }
    };
    assert!(matches!(
        fault(|position| position.set_value(Rewards::new(2, |_| f32::NAN))),
        GameFault::Evaluation { value, .. } if value.is_nan()
    ));
    assert_eq!(
        fault(|position| position.set_value(Rewards::new(2, |_| 1.5))),
        GameFault::Evaluation { player: 0, value: 1.5 }
    );
    assert_eq!(
        fault(|position| position.set_value(Rewards::new(3, |_| 0.5))),
        GameFault::RewardCount { given: 3, players: 2 }
    );
    assert_eq!(fault(|position| position.priors()[2] = -1.0), GameFault::Prior { index: 2, prior: -1.0 });
    assert_eq!(fault(|position| position.priors().fill(0.0)), GameFault::NoPrior);
}

/// Sets no value.
struct Silent;

impl<G: GameState> Evaluator<G> for Silent {
    fn evaluate(&self, _: &mut [Position<'_, G>]) -> Result<(), BoxError> {
        Ok(())
    }
}

#[test]
fn a_position_without_a_value_is_an_error() {
    let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
    let mut search = search.rollout_policy(boxed(Silent)).window(8);
    let error = search.run(Budget::iterations(100)).expect_err("no value");
    assert!(matches!(error, SearchError::Game { fault: GameFault::NotEvaluated, ply: 0, .. }), "{error}");
}

#[test]
fn the_size_of_the_window_and_the_threads_are_checked() {
    let search = || Mcts::new(Connect4::new());
    let name = |result: Result<Report<_>, SearchError>| match result {
        Err(SearchError::Parameter(error)) => error.name,
        other => panic!("{other:?}"),
    };
    for size in [0, 65_537, usize::MAX] {
        assert_eq!(name(search().window(size).run(Budget::iterations(10))), "Mcts::window");
    }
    assert_eq!(name(search().window(0).threads(3).run(Budget::iterations(10))), "Mcts::window");
    let error = search().window(0).ask().map(|_| ()).expect_err("no window");
    assert!(matches!(error, SearchError::Parameter(_)), "{error}");
    assert_eq!(name(search().window(4).threads(0).run(Budget::iterations(10))), "Mcts::threads");
    assert_eq!(search().window(65_536).run(Budget::iterations(10)).expect("in range").iterations, 10);
}

// Budgets and memory.

#[test]
fn threads_have_a_window_of_four_leaves_each() {
    let search = || Mcts::new(Connect4::new()).seed(2);
    assert_eq!(three_runs(search().threads(3)), three_runs(search().window(12).threads(1)));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    assert_eq!(three_runs(search().all_cores()), three_runs(search().threads(cores)));
    let error = search().threads(0).run(Budget::iterations(10)).expect_err("no thread");
    assert!(error.to_string().contains("Mcts::threads"), "{error}");
}

/// Counts the positions of each batch.
struct Sizes(RefCell<Vec<usize>>);

impl Evaluator<Connect4> for Sizes {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        self.0.borrow_mut().push(batch.len());
        Evaluator::<Connect4>::evaluate(&Hash, batch)
    }
}

#[test]
fn batches_are_full_and_padded() {
    for (padding, full) in [(0, false), (32, true)] {
        let sizes = Sizes(RefCell::default());
        let evaluator = boxed(&sizes).pad_to(padding);
        let search = Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(evaluator);
        search.window(32).run(Budget::iterations(3_200)).expect("a sound game");
        let sizes = sizes.0.into_inner();
        assert!(!full || sizes.iter().all(|&size| size == 32), "{sizes:?}");
        // The root is evaluated alone. Finished games and leaves that are found twice make later batches
        // smaller.
        let mean = sizes.iter().sum::<usize>() as f64 / sizes.len() as f64;
        assert!(sizes.len() < 140 && mean > 20.0, "{mean} {sizes:?}");
    }
}

// Ask and tell.

type Asking = Mcts<Connect4, Puct, AskTell, Solver<Average>, Window>;

fn asking() -> Asking {
    Mcts::new(Connect4::new()).tree_policy(Puct::default()).rollout_policy(AskTell).window(8)
}

/// What the evaluator of the other tests says to a question.
fn answer(question: &Question<'_, Connect4>) -> (Ticket, Rewards, Vec<f32>) {
    let mut priors = vec![1.0; question.actions.len()];
    let value = value_by_hash(question.state, question.actions, &mut priors);
    (question.ticket, value, priors)
}

#[test]
fn the_order_of_the_answers_does_not_matter() {
    /// Takes one of the answers that are ready.
    type Take = fn(&mut Vec<(Ticket, Rewards, Vec<f32>)>, &mut Rng) -> (Ticket, Rewards, Vec<f32>);
    let orders: [Take; 3] = [
        |ready, _| ready.remove(0),
        |ready, _| ready.pop().expect("not empty"),
        |ready, rng| ready.swap_remove(rng.below(ready.len())),
    ];
    let reports = orders.map(|take| {
        let (mut search, mut ready, mut rng) = (asking(), Vec::new(), Rng::seeded(4));
        let mut questions = 0;
        while questions < 2_000 {
            while questions < 2_000
                && let Some(question) = search.ask().expect("sound answers")
            {
                ready.push(answer(&question));
                questions += 1;
            }
            for _ in 0..=rng.below(ready.len()) {
                let (ticket, rewards, priors) = take(&mut ready, &mut rng);
                search.tell(ticket, rewards, &priors).expect("an open question");
            }
        }
        for (ticket, rewards, priors) in ready {
            search.tell(ticket, rewards, &priors).expect("an open question");
        }
        assert_eq!(search.open_questions(), 0);
        search.finish().expect("sound answers");
        check_settled(&search.tree().root().expect("a tree"));
        timeless(&search.report().expect("a tree"))
    });
    assert_eq!(reports[0], reports[1]);
    assert_eq!(reports[0], reports[2]);
}

#[test]
fn wrong_answers_leave_the_question_open() {
    let mut search = asking();
    let (ticket, rewards, priors) = answer(&search.ask().expect("a sound game").expect("the root"));
    assert!(search.ask().expect("a sound game").is_none(), "nothing but the root until it is evaluated");
    let at_root = |fault| Err(SearchError::Game { fault, ply: 0, line: LineOfPlay::default() });
    let count = GameFault::PriorCount { given: 3, actions: 7 };
    assert_eq!(search.tell(ticket, rewards, &priors[..3]), at_root(count));
    assert_eq!(search.tell(ticket, rewards, &[0.0; 7]), at_root(GameFault::NoPrior));
    let three = GameFault::RewardCount { given: 3, players: 2 };
    assert_eq!(search.tell(ticket, Rewards::new(3, |_| 0.5), &priors), at_root(three));
    let fault = GameFault::Reward { player: 0, reward: 7.0 };
    assert_eq!(search.tell(ticket, Rewards::new(2, |_| 7.0), &priors), at_root(fault));
    assert_eq!(search.open_questions(), 1);
    assert_eq!(search.tell(ticket, rewards, &priors), Ok(()));
    assert_eq!(search.tell(ticket, rewards, &priors), Err(SearchError::Ticket), "told twice");
}

#[test]
fn a_search_that_is_told_cannot_run_by_itself() {
    let error = asking().run(Budget::iterations(10)).expect_err("nobody answers");
    assert!(error.source().expect("the reason").to_string().contains("`ask` and `tell`"), "{error:?}");
}

#[test]
fn a_plan_is_asked_for() {
    let gumbel = Gumbel::mctx();
    let mut search = Mcts::new(Connect4::new()).tree_policy(gumbel).rollout_policy(AskTell).window(4);
    assert_eq!(search.ask().map(|_| ()), Err(SearchError::NeedsIterations));
    search.plan(32);
    let mut asked = 0;
    while asked < 32
        && let Some(question) = search.ask().expect("planned")
    {
        let (ticket, rewards, priors) = answer(&question);
        search.tell(ticket, rewards, &priors).expect("an open question");
        asked += 1;
    }
    search.finish().expect("sound answers");
    assert_eq!(asked, 32);
    assert!(search.report().expect("a tree").best_action().number() < 7);
}

#[test]
fn a_search_whose_leaves_need_no_answer_does_not_wait() {
    // One free cell: every iteration ends there.
    let mut state = TicTacToe::new();
    for number in [1, 2, 3, 5, 4, 6, 8, 7] {
        state.play(number.to_string().parse().expect("a cell")).expect("legal");
    }
    let mut search = Mcts::new(state).backprop(Average).rollout_policy(AskTell).window(8);
    for _ in 0..4 {
        assert!(search.ask().expect("a sound game").is_none());
    }
    assert!(search.report().expect("a tree").root_visits >= 8);
    let report = search.run(Budget::iterations(100)).expect("nothing is asked");
    assert_eq!((report.iterations, report.stop_reason), (100, StopReason::Iterations));
}

// An evaluator on a thread of its own.

/// Runs with moves between the runs, on several threads.
fn runs_on_threads(
    evaluator: impl Evaluator<Connect4> + Send + Sync,
    window: usize,
    threads: usize,
) -> Vec<Timeless> {
    let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
    let mut search = search.rollout_policy(shared(evaluator)).window(window).threads(threads);
    let mut runs = Vec::new();
    for iterations in [1, sized(250, 500), sized(499, 999)] {
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        assert_eq!((report.iterations, report.stop_reason), (iterations, StopReason::Iterations));
        check_settled(&search.tree().root().expect("a tree"));
        search.advance(report.best_action()).expect("legal");
        runs.push(timeless(&report));
    }
    runs
}

/// Evaluates as [`Hash`] does, a little later.
struct Late(RefCell<Rng>);

impl Evaluator<Connect4> for Late {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        std::thread::sleep(Duration::from_micros(self.0.borrow_mut().below(500) as u64));
        Evaluator::evaluate(&Hash, batch)
    }
}

#[test]
fn the_result_of_a_batcher_does_not_depend_on_time_or_on_other_searches() {
    for window in [1, 7, 32] {
        let alone = runs_on_threads(Hash, window, 1);
        let late = Late(RefCell::new(Rng::seeded(1)));
        let late = Batcher::collecting(late, 24, Duration::from_micros(200)).expect("a thread");
        std::thread::scope(|scope| {
            let searches = [1, 2, 3].map(|threads| {
                let batcher = late.clone();
                scope.spawn(move || runs_on_threads(batcher, window, threads))
            });
            for search in searches {
                assert_eq!(search.join().expect("no panic"), alone, "window {window}");
            }
        });
    }
}

#[test]
fn a_batcher_is_a_batch_evaluator() {
    let search = || Mcts::new(Connect4::new()).tree_policy(Puct::default()).backprop(Solver::new(Average));
    let alone = three_runs(search().rollout_policy(boxed(Hash)).window(16));
    let batcher = Batcher::new(Late(RefCell::new(Rng::seeded(1)))).expect("a thread");
    std::thread::scope(|scope| {
        let run = || {
            let batcher = batcher.clone();
            scope.spawn(move || three_runs(search().rollout_policy(boxed(batcher)).window(16)))
        };
        for run in [run(), run()] {
            assert_eq!(run.join().expect("no panic"), alone);
        }
    });
    let stuck = Batcher::new(Stuck { seen: Cell::new(0), panics: true }).expect("a thread");
    let mut search = search().rollout_policy(boxed(stuck)).window(16);
    let error = search.run(Budget::iterations(1_000)).expect_err("a panic");
    assert!(error.source().expect("the panic").to_string().starts_with("the game or a policy panicked"));
}

/// Never answers after some positions, or panics.
struct Stuck {
    seen: Cell<usize>,
    panics: bool,
}

impl Evaluator<Connect4> for Stuck {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        self.seen.set(self.seen.get() + batch.len());
        if self.seen.get() > 100 {
            assert!(!self.panics, "the driver crashed");
            loop {
                std::thread::park();
            }
        }
        Evaluator::evaluate(&Hash, batch)
    }
}

#[test]
fn an_evaluator_that_never_answers_is_left_behind() {
    let timeout = Duration::from_millis(50);
    for threads in [1, 2, 3] {
        let stuck = Batcher::new(Stuck { seen: Cell::new(0), panics: false }).expect("a thread");
        let search = Mcts::new(Connect4::new()).tree_policy(Puct::default());
        let search = search.rollout_policy(shared(stuck.timeout(timeout)));
        let mut search = search.window(16).threads(threads);
        let error = search.run(Budget::iterations(1_000)).expect_err("no answer");
        let fault = GameFault::NoAnswer { after: timeout };
        assert!(matches!(error, SearchError::Game { fault: found, .. } if found == fault), "{error}");
        // What was answered before is used.
        let visits = check_settled(&search.tree().root().expect("a tree"));
        assert!((60..=110).contains(&visits), "{visits}");
    }
}

/// Sends a message when it is dropped.
struct Dropped(Sender<()>);

impl Drop for Dropped {
    fn drop(&mut self) {
        let _ = self.0.send(());
    }
}

impl Evaluator<Connect4> for Dropped {
    fn evaluate(&self, batch: &mut [Position<'_, Connect4>]) -> Result<(), BoxError> {
        Evaluator::evaluate(&Hash, batch)
    }
}

#[test]
fn the_thread_ends_with_the_last_clone() {
    let (sender, ended) = channel();
    let batcher = Batcher::new(Dropped(sender)).expect("a thread");
    let clone = batcher.clone();
    drop(batcher);
    let start = Connect4::new();
    let answers = clone.submit(vec![(start, start.actions().into_iter().collect())]);
    let answers = answers.wait().expect("in time");
    assert_eq!(answers[0].as_ref().expect("no error").1.len(), 7);
    drop(clone);
    ended.recv_timeout(Duration::from_secs(60)).expect("the thread drops the evaluator");
}

#[test]
fn a_plan_of_visits_is_kept() {
    // Which actions go on to the next round may differ, but not how many visits each rank gets.
    let ranks = |window: usize| {
        let search = Mcts::new(Connect4::new()).tree_policy(Gumbel::considering(4)).seed(2);
        let mut search = search.rollout_policy(boxed(Hash)).window(window);
        let report = search.run(Budget::iterations(65)).expect("a sound game");
        let mut visits: Vec<u32> = report.actions.iter().map(|action| action.visits).collect();
        visits.sort_unstable();
        visits
    };
    let alone = ranks(1);
    assert_eq!(alone.iter().sum::<u32>(), 64);
    for window in [2, 4, 8] {
        assert_eq!(ranks(window), alone, "window {window}");
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Hash")
    }
}

/// Records one reward that is none.
struct Wrong {
    recorded: Cell<u32>,
    at: u32,
}

impl<G: GameState> Backprop<G> for Wrong {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        self.recorded.set(self.recorded.get() + 1);
        step.record(if self.recorded.get() == self.at { 2.0 } else { rewards[step.chooser()] });
    }
}

/// All lines of play are worth 1, so each mean is 1, with what stands for the pending visits taken back.
#[test]
fn a_wrong_reward_leaves_no_virtual_loss() {
    #[derive(Clone, Debug)]
    struct Ones(u8);
    impl GameState for Ones {
        type Action = u8;
        fn players(&self) -> u8 {
            1
        }
        fn turn(&self) -> Turn {
            if self.0 == 6 { Turn::Over } else { Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..3
        }
        fn apply(&mut self, _: u8) {
            self.0 += 1;
        }
        fn reward(&self, _: Player) -> f64 {
            1.0
        }
    }
    for at in 400..440 {
        let mut search = Mcts::new(Ones(0)).backprop(Wrong { recorded: Cell::new(0), at }).window(8);
        search.run(Budget::iterations(1_000)).expect_err("a reward of 2");
        let root = search.tree().root().expect("it has run");
        assert_eq!(root.mean(), 1.0, "record number {at}");
        assert!(
            root.children().all(|child| child.mean() == 1.0 || child.visits() == 0),
            "record number {at}"
        );
    }
}

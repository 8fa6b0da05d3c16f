//! Reports, observers, budgets, stopping, drawing, and the types that may be sent between threads.

use crate::common::four::Connect4;
use crate::common::nim::Nim;
use crate::common::pig::Pig;
use crate::common::rows::{Rows, TicTacToe};
use crate::common::simple::{OneStep, Wide};
use crate::common::visits;
use crate::common::with_priors;
use ramure::backpropagation::{Average, Solver};
use ramure::search::ActionOf;
use ramure::selection::Puct;
use ramure::{Budget, Bytes, Every, GameState, Mcts, Report, Search, SearchError, StopReason};
use std::time::Duration;

#[test]
fn the_report_describes_the_run() {
    let mut search = Mcts::new(TicTacToe::default());
    let untold = search.report().expect("a sound game");
    assert_eq!((untold.stop_reason, untold.iterations, untold.root_visits), (StopReason::NotRun, 0, 0));
    assert_eq!((untold.nodes, untold.bytes), (0, 0));
    assert!(untold.actions.iter().all(|action| action.visits == 0 && action.interval == (0.0, 1.0)));

    let report = search.run(Budget::iterations(2_000)).expect("a sound game");
    assert_eq!((report.stop_reason, report.player, report.proof), (StopReason::Iterations, Some(0), None));
    assert_eq!(report.actions.iter().map(|action| action.action).collect::<Vec<_>>(), Vec::from_iter(0..9));
    assert_eq!(report.best_action(), report.actions[report.chosen.expect("X moves")].action);
    assert_eq!(report.principal_variation[0], report.best_action());
    let mut state = TicTacToe::default();
    for action in &report.principal_variation {
        assert!(state.is_legal(*action));
        state.apply(*action);
    }
    assert!(report.depth >= 3 && report.depth <= 9 && report.mean_depth > 1.0 && report.mean_depth <= 9.0);
    assert!(report.time > Duration::ZERO && report.iterations_per_second() > 0.0);
    assert!(report.recycled_nodes == 0 && report.bytes > 0 && report.nodes > 2_000 / 9);
    for action in &report.actions {
        let (low, high) = action.interval;
        assert!(low <= action.mean && action.mean <= high && low >= 0.0 && high <= 1.0);
        assert!(action.prior.is_none() && action.proof.is_none());
    }

    let more = search.run(Budget::iterations(500)).expect("a sound game");
    assert_eq!((more.iterations, more.root_visits), (500, 2_500));
    let reported = search.report().expect("a sound game");
    assert_eq!((reported.iterations, reported.root_visits, visits(&reported)), (0, 2_500, visits(&more)));
}

#[test]
fn the_interval_is_that_of_wilson() {
    // 81 of 263: the interval of Wilson (1927) is .2553 to .3662 (Newcombe 1998, table I, method 3).
    #[derive(Clone)]
    struct Wins(std::rc::Rc<std::cell::Cell<u32>>, bool);
    impl GameState for Wins {
        type Action = ();
        fn turn(&self) -> ramure::Turn {
            if self.1 { ramure::Turn::Over } else { ramure::Turn::Player(0) }
        }
        fn actions(&self) -> impl IntoIterator<Item = ()> {
            (!self.1).then_some(())
        }
        fn apply(&mut self, (): ()) {
            self.1 = true;
        }
        fn reward(&self, _: u8) -> f64 {
            self.0.set(self.0.get() + 1);
            if self.0.get() <= 81 { 1.0 } else { 0.0 }
        }
        fn players(&self) -> u8 {
            1
        }
    }
    let mut search = Mcts::new(Wins(Default::default(), false)).backprop(Average);
    let action = search.run(Budget::iterations(263)).expect("a sound game").actions[0];
    assert!(
        (action.interval.0 - 0.2553).abs() < 5e-5 && (action.interval.1 - 0.3662).abs() < 5e-5,
        "{action:?}"
    );
}

#[test]
fn a_printed_report_is_an_aligned_table() {
    let mut search = Mcts::new(Rows::<false>::picture("XX. OO. ...")).backprop(Solver::new(Average));
    let report = search.run(Budget::iterations(40)).expect("a sound game");
    let text = report.to_string();
    let lines = Vec::from_iter(text.lines());
    assert!(lines[0].starts_with("  action "), "{text}");
    assert!(lines[1].starts_with("> 2 ") && lines[1].ends_with("win"), "{text}");
    assert_eq!(lines.len(), 1 + 5 + 3, "{text}");
    // Every column ends where its heading ends.
    for heading in ["visits", "share", "mean", "95 % interval"] {
        let end = lines[0].find(heading).expect("a column") + heading.len();
        for line in &lines[1..6] {
            let cell = &line[..end.min(line.len())];
            assert!(
                !cell.ends_with(' ') && line[end..].chars().next().is_none_or(|next| next == ' '),
                "{heading}: {text}"
            );
        }
    }
    assert!(text.contains("best line: 2 (win)") && text.contains(": proven"), "{text}");

    let priors = with_priors(|_: &Wide, _| 1.0);
    let mut wide = Mcts::new(Wide::new(30, 1)).rollout_policy(priors).tree_policy(Puct::default());
    let report = wide.run(Budget::iterations(10)).expect("a sound game");
    let (short, long) = (report.to_string(), format!("{report:#}"));
    assert!(short.contains("... and 18 more") && short.lines().next().expect("a heading").contains("prior"));
    assert_eq!((short.lines().count(), long.lines().count()), (1 + 12 + 1 + 3, 1 + 30 + 3));
    assert!(
        !text.lines().any(|line| line.ends_with(' ')) && !long.lines().any(|line| line.ends_with(' ')),
        "{long}"
    );
}

/// One action in a turn, with a name of nine letters.
#[derive(Clone)]
struct Corridor(u8);

#[derive(Clone, PartialEq, Eq, Debug)]
struct OneStepOn;

impl ramure::GameState for Corridor {
    type Action = OneStepOn;
    fn turn(&self) -> ramure::Turn {
        if self.0 == 0 { ramure::Turn::Over } else { ramure::Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = OneStepOn> {
        (self.0 > 0).then_some(OneStepOn)
    }
    fn apply(&mut self, _: OneStepOn) {
        self.0 -= 1;
    }
    fn reward(&self, _: u8) -> f64 {
        0.5
    }
}

#[test]
fn a_printed_report_cuts_a_long_best_line() {
    let line = |length, is_full| {
        let mut search = Mcts::new(Corridor(length)).backprop(Average);
        let report = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!(report.principal_variation.len(), usize::from(length));
        let text = if is_full { format!("{report:#}") } else { report.to_string() };
        text.lines().find(|line| line.starts_with("best line:")).expect("it is printed").to_owned()
    };
    let all = |length| format!("best line:{}", " OneStepOn".repeat(length));
    // 10 columns, and 10 for each action: seven fit into 80, and five with the words after them.
    assert_eq!(line(7, false), all(7));
    assert_eq!(line(8, false), all(5) + " ... and 3 more");
    assert_eq!(line(20, false), all(5) + " ... and 15 more");
    assert_eq!(line(20, true), all(20));
}

#[test]
fn a_report_of_chance_and_one_before_any_run_can_be_printed() {
    let report =
        Mcts::new(Pig { rolling: true, ..Pig::new(2) }).run(Budget::iterations(50)).expect("a sound game");
    assert!(!report.to_string().contains('>'), "{report}");
    let report = Mcts::new(TicTacToe::default()).report().expect("a sound game");
    assert!(report.to_string().contains("reported without a run"), "{report}");
}

#[test]
fn an_observer_gets_a_report_after_every_n_iterations() {
    for every in [1, 7, 100, 1_000, 5_000] {
        let mut seen = Vec::new();
        let mut search = Mcts::new(TicTacToe::default());
        let report = search
            .run_with(Budget::iterations(1_000), Every::Iterations(every), &mut |report| {
                assert_eq!(report.iterations, u64::from(report.root_visits));
                assert_eq!(u64::from(visits(report).iter().sum::<u32>()), report.iterations);
                seen.push(report.iterations);
            })
            .expect("a sound game");
        let expected =
            Vec::from_iter((1..).map(|count| count * every).take_while(|&iterations| iterations <= 1_000));
        assert_eq!(seen, expected);
        assert_eq!(report.iterations, 1_000);
    }
    let mut count = 0;
    let mut search = Mcts::new(TicTacToe::default());
    search
        .run_with(Budget::iterations(10), Every::Iterations(0), &mut |_| count += 1)
        .expect("every 0 is every 1");
    assert_eq!(count, 10);
}

#[test]
fn the_first_exhausted_bound_ends_the_run() {
    let run = |budget| {
        let report = Mcts::new(Connect4::default()).run(budget).expect("a sound game");
        (report.stop_reason, report.iterations)
    };
    let hour = Duration::from_secs(3_600);
    assert_eq!(run(Budget::iterations(70).and_time(hour)), (StopReason::Iterations, 70));
    assert_eq!(run(Budget::time(hour).and_iterations(70)), (StopReason::Iterations, 70));
    assert_eq!(run(Budget::iterations(90).and_iterations(70)), (StopReason::Iterations, 70));
    assert_eq!(run(Budget::iterations(70).and_iterations(90)), (StopReason::Iterations, 70));
    assert_eq!(
        run(Budget::millis(5).and_iterations(u64::MAX).and_bytes(Bytes(usize::MAX))).0,
        StopReason::Time
    );
    assert_eq!(run(Budget::time(hour).and_time(Duration::from_millis(5))).0, StopReason::Time);
    assert_eq!(run(Budget::time(hour).and_bytes(Bytes(1))), (StopReason::Bytes, 1));
    assert_eq!(
        run(Budget::iterations(u64::MAX).and_bytes(Bytes::kib(256)).and_bytes(Bytes::kib(128))).0,
        StopReason::Bytes
    );
    assert_eq!(run(Budget::time(Duration::from_nanos(1))).0, StopReason::Time);
    assert!(run(Budget::time(Duration::from_nanos(1))).1 >= 1, "at least one iteration");
}

/// As a handler of Ctrl-C does that is set once: a thread keeps one handle for many runs, which the position
/// and the policies change between.
#[test]
fn one_handle_stops_any_number_of_runs_from_another_thread() {
    // Without proofs: after actions that a stopped search chose, a position may be won soon.
    let mut search = Mcts::new(Connect4::default()).backprop(Average);
    let handle = search.stop_handle();
    let (press, presses) = std::sync::mpsc::channel();
    let presser = std::thread::spawn(move || presses.into_iter().for_each(|()| handle.stop()));
    for pause in [0, 20, 0, 0, 5] {
        press.send(()).expect("the thread waits");
        std::thread::sleep(Duration::from_millis(pause));
        let report = search.run(Budget::until_stopped()).expect("a sound game");
        assert_eq!(report.stop_reason, StopReason::Stopped);
        search.advance(report.best_action()).expect("it is legal");
        let between = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!((between.stop_reason, between.iterations), (StopReason::Iterations, 100));
    }
    drop(press);
    presser.join().expect("it only stops");
}

#[test]
fn each_request_to_stop_is_answered_by_one_run_and_costs_no_other_run_its_budget() {
    let mut search = Mcts::new(Connect4::default());
    let (handle, budget, hour) = (search.stop_handle(), Budget::iterations(100), Duration::from_secs(3_600));
    let run = |search: &mut Mcts<Connect4>, budget: Budget| {
        let report = search.run(budget).expect("a sound game");
        (report.stop_reason, report.iterations)
    };
    let (full, asked) = ((StopReason::Iterations, 100), (StopReason::Stopped, 100));
    let at_once = (StopReason::Stopped, 1);
    // Before the first run: it can be meant for this run only.
    handle.stop();
    assert!(handle.is_stopped());
    assert_eq!(run(&mut search, budget.and_time(hour)), at_once);
    assert!(!handle.is_stopped());
    assert_eq!(run(&mut search, budget), full);
    // After a run: it may be late, so the next run says that it was asked, and makes its iterations.
    handle.stop();
    assert_eq!(run(&mut search, budget), asked);
    assert_eq!(run(&mut search, budget), full);
    // A run that nothing else would end ends.
    handle.stop();
    assert_eq!(run(&mut search, Budget::until_stopped()), at_once);
    handle.stop();
    assert_eq!(run(&mut search, Budget::until_stopped().and_bytes(Bytes::gib(1))), at_once);
    assert_eq!(run(&mut search, budget), full);
    // A handle that was taken after the last run can only mean the next one, also if an older one asks, too.
    let fresh = search.stop_handle();
    fresh.stop();
    handle.stop();
    assert_eq!(run(&mut search, budget), at_once);
    assert_eq!(run(&mut search, budget), full);
    // A request that is withdrawn, and one of a run that could not start.
    handle.stop();
    handle.clear();
    assert_eq!(run(&mut search, budget), full);
    handle.stop();
    assert_eq!(search.run(Budget::iterations(0)), Err(SearchError::EmptyBudget));
    assert_eq!(run(&mut search, budget), asked);
    // A request during a run that could not end sooner, and one while its last report is shown.
    let mut done = 0;
    let mut observer = |_: &Report<_>| {
        done += 50;
        if done == 50 {
            handle.stop();
        }
    };
    let report = search.run_with(budget, Every::Iterations(50), &mut observer).expect("a sound game");
    assert_eq!((report.stop_reason, report.iterations, done), (StopReason::Stopped, 51, 50));
    let report =
        search.run_with(budget, Every::Iterations(100), &mut |_| handle.stop()).expect("a sound game");
    assert_eq!((report.stop_reason, report.iterations), full);
    assert_eq!(run(&mut search, budget), asked);
    assert_eq!(run(&mut search, budget), full);
}

#[test]
fn an_observer_by_time_is_called_at_intervals_and_at_the_end() {
    let mut search = Mcts::new(Connect4::default());
    let (mut times, mut iterations) = (Vec::new(), Vec::new());
    let budget = Budget::millis(60);
    let report = search
        .run_with(budget, Every::Time(Duration::from_millis(5)), &mut |report| {
            times.push(report.time);
            iterations.push(report.iterations);
        })
        .expect("a sound game");
    assert_eq!((report.stop_reason, iterations.last()), (StopReason::Time, Some(&report.iterations)));
    // On an idle machine, there are twelve calls. A busy machine may skip some, but never calls too soon.
    assert!((1..=13).contains(&times.len()), "{times:?}");
    let (last, others) = times.split_last().expect("the observer was called");
    // The first call comes at least 5 ms after the start, and each later call at least 5 ms after the
    // previous one was due.
    let soonest = (1..).map(|reported| reported * Duration::from_millis(5));
    assert!(others.iter().zip(soonest).all(|(time, soonest)| *time >= soonest), "{times:?}");
    assert!(*last >= Duration::from_millis(60));
    // A due call that coincides with the last iteration is not the end of a time limit that the budget does
    // not have.
    let report = search
        .run_with(Budget::iterations(50), Every::Time(Duration::ZERO), &mut |_| {})
        .expect("a sound game");
    assert_eq!((report.iterations, report.stop_reason), (50, StopReason::Iterations));
    // A run of iterations that ends before a call is due makes one call.
    let mut reported = 0;
    let hour = Duration::from_secs(3_600);
    let report = search
        .run_with(Budget::iterations(50), Every::Time(hour), &mut |_| reported += 1)
        .expect("a sound game");
    assert_eq!((reported, report.iterations, report.stop_reason), (1, 50, StopReason::Iterations));
}

#[test]
fn the_chosen_action_comes_first_and_then_the_most_visited() {
    let mut search = Mcts::new(Connect4::default()).root_decision(ramure::RootDecision::Secure(3.0));
    for iterations in [1, 5, 30, 300] {
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        let top = Vec::from_iter(report.top(4));
        assert_eq!((top.len(), top[0].action), (4, report.best_action()));
        assert!(top[1..].windows(2).all(|pair| pair[0].visits >= pair[1].visits));
        let least = top[1..].iter().map(|action| action.visits).min().expect("three");
        let left_out =
            report.actions.iter().filter(|action| !top.iter().any(|other| other.action == action.action));
        assert!(left_out.clone().count() == 3 && left_out.clone().all(|action| action.visits <= least));
        assert_eq!((report.top(0).count(), report.top(99).count()), (0, 7));
    }
}

#[test]
fn the_tree_prints_in_the_dot_language() {
    let mut search = Mcts::new(Nim::<2> { sticks: 6, player: 0 }).backprop(Solver::new(Average));
    assert!(search.tree().dot(3, 0).to_string().starts_with("digraph ramure {"));
    search.run(Budget::iterations(300)).expect("a sound game");
    for (depth, least) in [(0, 0), (1, 0), (2, 0), (2, 5), (9, 1)] {
        let text = search.tree().dot(depth, least).to_string();
        let lines = Vec::from_iter(text.lines().map(str::trim));
        assert_eq!((lines[0], *lines.last().expect("an end")), ("digraph ramure {", "}"));
        let mut parents = std::collections::HashMap::new();
        let mut drawn = 0;
        for line in &lines[2..lines.len() - 1] {
            assert!(line.starts_with('n') && line.ends_with("\"];"), "{line}");
            match line.split_once(" -> ") {
                Some((parent, rest)) => {
                    let (child, _) = rest.split_once(" [label=\"").expect("a label");
                    assert!(
                        parents.insert(child.to_string(), parent.to_string()).is_none(),
                        "one parent each"
                    );
                }
                None => drawn += 1,
            }
        }
        assert_eq!(parents.len() + 1, drawn, "all but the root have a parent: {text}");
        let level =
            |name: &str| std::iter::successors(parents.get(name), |parent| parents.get(*parent)).count();
        assert!(parents.keys().all(|name| level(name) <= depth), "{text}");
        assert_eq!(parents.is_empty(), depth == 0);
    }
}

#[test]
fn boxed_and_generic_searches_behave_like_the_searches_themselves() {
    fn think<S: Search + ?Sized>(search: &mut S) -> ActionOf<S::Space> {
        search.run(Budget::iterations(300)).expect("a sound game").best_action()
    }
    static WORTH: [f64; 3] = [0.2, 0.9, 0.4];
    let new = || Mcts::new(OneStep::new(&WORTH));
    let mut boxed: Vec<Box<dyn Search<Space = OneStep> + Send>> =
        vec![Box::new(new()), Box::new(new().backprop(Average))];
    for search in &mut boxed {
        assert_eq!(think(&mut **search), 1);
        let mut seen = 0;
        search
            .run_with(Budget::iterations(50), Every::Iterations(10), &mut |_| seen += 1)
            .expect("a sound game");
        assert_eq!((seen, search.report().expect("it ran").root_visits), (5, 350));
        search.stop_handle().stop();
        let stopped = search.run(Budget::iterations(50)).expect("a sound game");
        assert_eq!(stopped.stop_reason, StopReason::Stopped);
        search.advance(2).expect("it is legal");
        assert_eq!(search.state().turn(), ramure::Turn::Over);
        assert_eq!(search.run(Budget::iterations(1)).expect_err("over"), SearchError::GameOver);
        search.reset(OneStep::new(&WORTH));
        assert_eq!(think(&mut **search), 1);
    }
    assert_eq!(think(&mut new()), 1);
    assert_eq!(ramure::best_action(&OneStep::new(&WORTH), Budget::iterations(100)), Ok(1));
}

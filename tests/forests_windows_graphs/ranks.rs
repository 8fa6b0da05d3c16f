//! Several processes that search together. Here each rank is a thread, and channels connect them.

use crate::common::sized;
use ramure::backpropagation::{Average, Solver};
use ramure::games::connect4::Column;
use ramure::games::{Connect4, Hex};
use ramure::search::{Exchange, Forest, Link, Unobserved};
use ramure::selection::{Rave, Ucb1, Ucb1Tuned};
use ramure::simulation::Uniform;
use ramure::{BoxError, Budget, GameState, Mcts, Player, Report, SearchError, StopReason, Turn};
use std::cell::Cell;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// A link over channels.
struct Channels {
    rank: usize,
    /// For each rank, where to send to it; `None` for the rank itself.
    to: Vec<Option<Sender<Vec<u8>>>>,
    from: Vec<Option<Receiver<Vec<u8>>>>,
}

/// Connects `ranks` ranks.
fn channels(ranks: usize) -> Vec<Channels> {
    let new = |rank| Channels { rank, to: Vec::new(), from: Vec::new() };
    let mut links = Vec::from_iter((0..ranks).map(new));
    for from in 0..ranks {
        for to in 0..ranks {
            let (sender, receiver) = if from == to { (None, None) } else { some(channel()) };
            links[from].to.push(sender);
            links[to].from.push(receiver);
        }
    }
    links
}

fn some<A, B>((a, b): (A, B)) -> (Option<A>, Option<B>) {
    (Some(a), Some(b))
}

impl Link for Channels {
    fn rank(&self) -> usize {
        self.rank
    }
    fn ranks(&self) -> usize {
        self.to.len()
    }
    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        for to in self.to.iter().flatten() {
            // The other end may have failed, and told so.
            let _ = to.send(message.to_vec());
        }
        Ok(())
    }
    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        let from = self.from.get(from).and_then(Option::as_ref).ok_or("no such rank")?;
        *message = from.recv()?;
        Ok(())
    }
}

fn hex() -> Hex {
    Hex::new(5).expect("a size")
}

/// Does `work` on each of `ranks` ranks, and returns the results in their order.
fn on_ranks<T: Send>(ranks: usize, work: impl Fn(&mut Channels) -> T + Sync) -> Vec<T> {
    std::thread::scope(|scope| {
        let started = channels(ranks).into_iter().map(|mut link| {
            let work = &work;
            scope.spawn(move || work(&mut link))
        });
        let started = Vec::from_iter(started);
        started.into_iter().map(|rank| rank.join().expect("no rank panics")).collect()
    })
}

/// What all ranks agree on: iterations, visits and means, the decision and the visits of the root.
type Agreed = (u64, Vec<(u32, u32)>, Option<usize>, u32);

fn agreed<A: Copy>(report: &Report<A>) -> Agreed {
    let actions = report.actions.iter().map(|action| (action.visits, action.mean.to_bits())).collect();
    (report.iterations, actions, report.chosen, report.root_visits)
}

/// Exchanges early and often, so that short tests have many.
fn often() -> Exchange {
    Exchange::new().least_iterations(20).least_visits(4).most_nodes(100.0).start(50)
}

/// Three runs and two moves of a search with `$trees` trees, for `$threads` threads each on 1, 2, 3 and 4
/// ranks: all ranks must find what one process finds.
macro_rules! same_on_all_ranks {
    ($trees:literal, $search:expr) => {
        same_on_all_ranks!($trees, $search, often())
    };
    ($trees:literal, $search:expr, $exchange:expr) => {{
        let new = || $search.parallel($trees).exchange($exchange);
        let budget = Budget::iterations(sized(500, 1_000));
        let mut alone = new();
        let mut expected = Vec::new();
        for run in 0..3 {
            let report = alone.run(budget).expect("a sound game");
            expected.push((agreed(&report), report.principal_variation.clone()));
            if run < 2 {
                alone.advance(report.best_action()).expect("legal");
            }
        }
        for (ranks, threads) in [(1, 2), (2, 1), (2, 2), (3, 1), (4, 3)] {
            let games = on_ranks(ranks, |link| {
                let mut search = new().threads(threads);
                let mut found = Vec::new();
                for run in 0..3 {
                    let report = search.run_linked(budget, link).expect("a sound game");
                    found.push((agreed(&report), report.principal_variation.clone()));
                    if run < 2 {
                        search.advance(report.best_action()).expect("legal");
                    }
                }
                found
            });
            assert_eq!(games[0], expected, "on the first of {ranks} ranks");
            for game in &games {
                for (found, expected) in game.iter().zip(&expected) {
                    assert_eq!(found.0, expected.0, "on {ranks} ranks");
                }
            }
        }
    }};
}

#[test]
fn any_number_of_ranks_finds_the_same_as_one_process() {
    same_on_all_ranks!(4, Mcts::new(Connect4::new()).seed(3));
    same_on_all_ranks!(4, Mcts::new(Connect4::new()).seed(3), often().overlap(true));
}

#[test]
fn statistics_and_proofs_of_policies_travel() {
    same_on_all_ranks!(
        5,
        Mcts::new(Connect4::new()).tree_policy(Ucb1Tuned::new(1.0)).backprop(Solver::new(Average)),
        often().overlap(true)
    );
    same_on_all_ranks!(4, Mcts::new(hex()).tree_policy(Rave::hand_selected(300.0)).seed(8));
}

#[test]
fn a_search_that_has_begun_alone_goes_on_with_other_ranks() {
    let run = |ranks| {
        let found = on_ranks(ranks, |link| {
            let mut search = Mcts::new(Connect4::new()).seed(5);
            if link.rank == 0 {
                search.run(Budget::iterations(500)).expect("a sound game");
            }
            let mut search = search.parallel(4).exchange(often());
            agreed(&search.run_linked(Budget::iterations(1_000), link).expect("a sound game"))
        });
        assert!(found.iter().all(|report| *report == found[0]));
        assert_eq!(found[0].3, 1_500, "the visits of the root");
        found[0].clone()
    };
    assert_eq!(run(1), run(4));
}

#[test]
fn all_ranks_end_a_run_by_time_and_a_stopped_run_together() {
    let found = on_ranks(3, |link| {
        let mut search = Mcts::new(hex()).parallel(3);
        let report = search.run_linked(Budget::time(Duration::from_millis(20)), link).expect("a sound game");
        assert_eq!(report.stop_reason, StopReason::Time);
        let by_time = agreed(&report);
        if link.rank == 2 {
            search.stop_handle().stop();
        }
        let stopped = search.run_linked(Budget::iterations(u64::MAX), link).expect("a sound game");
        assert_eq!(stopped.stop_reason, StopReason::Stopped);
        (by_time, agreed(&stopped))
    });
    assert!(found.iter().all(|report| *report == found[0]));
}

#[test]
fn ranks_that_differ_are_told_what_differs() {
    type Differs = fn(&mut Channels) -> Result<(), SearchError>;
    fn run(
        mut search: Mcts<Connect4, Ucb1, Uniform, Solver<Average>, Forest>,
        budget: u64,
        link: &mut Channels,
    ) -> Result<(), SearchError> {
        search.run_linked(Budget::iterations(budget), link).map(|_| ())
    }
    fn connect4() -> Mcts<Connect4> {
        Mcts::new(Connect4::new())
    }
    let after = |columns: &[u8]| {
        let mut state = Connect4::new();
        columns.iter().for_each(|&column| state.apply(Column::new(column).expect("a column")));
        state
    };
    let positions = [after(&[1, 2]), after(&[2, 2])];
    let cases: [(&str, Differs); 4] = [
        ("the seed is", |link| run(connect4().seed(link.rank as u64).parallel(4), 100, link)),
        ("the number of trees is", |link| run(connect4().parallel(4 + link.rank), 100, link)),
        ("the budget is", |link| run(connect4().parallel(4), 100 + link.rank as u64, link)),
        ("the exchange is", |link| {
            let every = Exchange::new().every(0.1 * (1.0 + link.rank as f64));
            run(connect4().parallel(4).exchange(every), 100, link)
        }),
    ];
    for (text, case) in cases {
        for error in
            on_ranks(2, case).into_iter().map(|result| result.expect_err("the ranks differ").to_string())
        {
            assert!(error.contains(text) && error.contains("on rank"), "{error}");
        }
    }
    let windows = on_ranks(2, |link| {
        let assumed = [Unobserved::Loss, Unobserved::Mean][link.rank];
        let mut search = connect4().window(4).unobserved(assumed).parallel(2);
        search.run_linked(Budget::iterations(100), link).map(|_| ())
    });
    for error in windows.into_iter().map(|result| result.expect_err("the windows differ").to_string()) {
        assert!(error.contains("the window of each tree is") && error.contains("Mean"), "{error}");
    }
    let states = on_ranks(2, |link| run(Mcts::new(positions[link.rank]).parallel(2), 100, link));
    for error in states.into_iter().map(|result| result.expect_err("the states differ").to_string()) {
        assert!(error.contains("the root state is"), "{error}");
    }
    let few = on_ranks(3, |link| run(connect4().parallel(2), 100, link));
    for error in few.into_iter().map(|result| result.expect_err("there are too few trees").to_string()) {
        assert!(error.contains("at least the number of ranks"), "{error}");
    }
}

thread_local! {
    /// Whether the game gives wrong rewards on this thread.
    static IS_WRONG: Cell<bool> = const { Cell::new(false) };
    /// The coins that were laid on this thread.
    static LAID: Cell<u64> = const { Cell::new(0) };
}

/// Ten coins, each laid by either player with heads or tails.
#[derive(Clone)]
struct Coins {
    laid: u8,
    heads: u8,
}

impl GameState for Coins {
    type Action = bool;

    fn turn(&self) -> Turn {
        if self.laid == 10 { Turn::Over } else { Turn::Player(self.laid % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [true, false].into_iter().take(if self.laid == 10 { 0 } else { 2 })
    }
    fn apply(&mut self, is_heads: bool) {
        self.laid += 1;
        LAID.set(LAID.get() + 1);
        self.heads += u8::from(is_heads);
    }
    fn reward(&self, player: Player) -> f64 {
        if IS_WRONG.get() { f64::NAN } else { f64::from((self.heads % 2) ^ player) }
    }
}

#[test]
fn the_error_of_one_rank_reaches_all_and_the_search_goes_on() {
    let found = on_ranks(3, |link| {
        let mut search =
            Mcts::new(Coins { laid: 0, heads: 0 }).backprop(Average).parallel(3).exchange(often());
        let first = search.run_linked(Budget::iterations(1_000), link).expect("a sound game");
        IS_WRONG.set(link.rank == 1);
        let error = search.run_linked(Budget::iterations(1_000), link).expect_err("a wrong reward");
        IS_WRONG.set(false);
        let report = search.run_linked(Budget::iterations(1_000), link).expect("a sound game");
        assert_eq!(first.root_visits, 1_000);
        assert!(report.root_visits >= 1_000);
        (error.to_string(), matches!(error, SearchError::Game { .. }), agreed(&report))
    });
    for (rank, (error, is_own, report)) in found.iter().enumerate() {
        assert_eq!((*is_own, error.starts_with("rank 1: ")), (rank == 1, rank != 1), "{error}");
        assert_eq!(*report, found[0].2);
    }
}

/// A link that notes how many coins a rank lays between a message that it sends and one that it waits for.
struct Watched<'l> {
    link: &'l mut Channels,
    laid: u64,
    searched: Vec<bool>,
}

impl Link for Watched<'_> {
    fn rank(&self) -> usize {
        self.link.rank()
    }
    fn ranks(&self) -> usize {
        self.link.ranks()
    }
    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        self.laid = LAID.get();
        self.link.send(message)
    }
    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        self.searched.push(LAID.get() > self.laid);
        self.link.receive(from, message)
    }
}

#[test]
fn with_overlap_a_rank_searches_while_messages_are_under_way() {
    for overlaps in [false, true] {
        let found = on_ranks(2, |link| {
            let exchange = often().overlap(overlaps);
            let mut search = Mcts::new(Coins { laid: 0, heads: 0 })
                .backprop(Average)
                .parallel(2)
                .exchange(exchange)
                .threads(1);
            let mut link = Watched { link, laid: 0, searched: Vec::new() };
            let report = search.run_linked(Budget::iterations(2_000), &mut link).expect("a sound game");
            assert_eq!((report.iterations, report.root_visits), (2_000, 2_000));
            (
                link.searched.iter().filter(|&&searched| searched).count(),
                search.exchanges().exchanges as usize,
            )
        });
        for (searched, exchanges) in found {
            assert!(exchanges > 20, "{exchanges} exchanges");
            // All but the first ones, in which one tree searches alone, and the last one. After that one, the
            // second rank adds what it has learned before it waits for the end of the run.
            let range = if overlaps { exchanges - 5..exchanges + 1 } else { 0..2 };
            assert!(range.contains(&searched), "{searched} of {exchanges}");
        }
    }
}

/// A link that changes what arrives.
struct Damaged<'l> {
    link: &'l mut Channels,
    messages: u32,
    damage: fn(&mut Vec<u8>),
}

impl Link for Damaged<'_> {
    fn rank(&self) -> usize {
        self.link.rank()
    }
    fn ranks(&self) -> usize {
        self.link.ranks()
    }
    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        self.link.send(message)
    }
    fn receive(&mut self, from: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        self.link.receive(from, message)?;
        self.messages += 1;
        if self.messages == 4 && self.link.rank == 0 {
            (self.damage)(message);
        }
        Ok(())
    }
}

#[test]
fn a_damaged_message_ends_the_run_on_all_ranks_and_the_next_run_works() {
    let damages: [fn(&mut Vec<u8>); 4] = [
        Vec::clear,
        |message| message.truncate(message.len() / 2),
        |message| message.push(0),
        |message| message[0] = 77,
    ];
    for damage in damages {
        let found = on_ranks(2, |link| {
            let mut search = Mcts::new(Connect4::new()).parallel(4).exchange(often());
            let mut damaged = Damaged { link, messages: 0, damage };
            let error =
                search.run_linked(Budget::iterations(10_000), &mut damaged).expect_err("it is damaged");
            (error.to_string(), matches!(error, SearchError::Link { .. }))
        });
        assert_eq!(found.iter().filter(|(_, is_link)| *is_link).count(), 1, "{found:?}");
        assert!(found[1].0.contains("rank 0"), "{found:?}");
    }
}

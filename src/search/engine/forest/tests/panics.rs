//! Tests of panics: a game panics at a planned call, and the run returns an error that carries its message.

use crate::custom_error::BoxError;
use crate::game::{GameState, Keyed, Player};
use crate::games::TicTacToe;
use crate::games::tic_tac_toe::Cell as Square;
use crate::search::engine::forest::tests::often;
use crate::search::engine::forest::*;
use crate::simulation::Uniform;
use crate::space::Space;
use crate::space::transpositions::Transpositions;
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The calls of a game that may panic.
const CALLS: [&str; 8] = ["clone", "turn", "players", "actions", "apply", "reward", "random_action", "key"];

/// Which call panics.
#[derive(Default)]
struct Plan {
    /// How often each method was called.
    counts: [AtomicU64; CALLS.len()],
    /// The method that panics, and at which of its calls; 0 for none.
    call: AtomicUsize,
    at: AtomicU64,
}

impl Plan {
    /// Lets the call number `at` of a method panic, counted from now on.
    fn arm(&self, call: usize, at: u64) {
        self.call.store(call, Ordering::Relaxed);
        self.at.store(at, Ordering::Relaxed);
        self.counts.iter().for_each(|count| count.store(0, Ordering::Relaxed));
    }

    fn called(&self, name: &str) {
        let call = CALLS.iter().position(|&call| call == name).expect("a call that is counted");
        let number = 1 + self.counts[call].fetch_add(1, Ordering::Relaxed);
        if self.call.load(Ordering::Relaxed) == call && self.at.load(Ordering::Relaxed) == number {
            panic!("as planned, at call {number} of `{name}`");
        }
    }
}

/// Tic-tac-toe that counts its calls.
struct Planned(TicTacToe, Arc<Plan>);

impl Clone for Planned {
    fn clone(&self) -> Self {
        self.1.called("clone");
        Planned(self.0, Arc::clone(&self.1))
    }
}

impl GameState for Planned {
    type Action = Square;

    fn turn(&self) -> Turn {
        self.1.called("turn");
        self.0.turn()
    }
    fn players(&self) -> u8 {
        self.1.called("players");
        2
    }
    fn actions(&self) -> impl IntoIterator<Item = Square> {
        self.1.called("actions");
        self.0.actions()
    }
    fn apply(&mut self, action: Square) {
        self.1.called("apply");
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.1.called("reward");
        self.0.reward(player)
    }
    fn random_action(&self, rng: &mut Rng) -> Option<Square> {
        self.1.called("random_action");
        self.0.random_action(rng)
    }
}

impl Keyed for Planned {
    fn key(&self) -> u128 {
        self.1.called("key");
        self.0.key()
    }
}

/// Checks that all trees agree about the trunk.
fn agree<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>, L>(
    forest: &Grove<S, P, R, B, L>,
) {
    let known = |member: &Member<S, P, R, B>| (member.trunk.visits(), member.trunk.len());
    assert!(forest.members.iter().all(|member| known(member) == known(&forest.members[0])));
    assert_eq!(forest.members.len(), forest.joined);
}

/// A forest of trees that hold as many leaves as `E` says.
type Search<S, P, B, E> = Mcts<S, P, Uniform, B, Forest<E>>;

/// Plans panics of all methods, each at many of its calls, in the first run and in a later one. Returns how
/// many there were.
fn check<S, P, B, E>(new: impl Fn(Planned) -> Search<S, P, B, E>, trees: usize) -> u32
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Single<S, P, Uniform, B>,
    Grove<S, P, Uniform, E::Backprop, E>: Run<S>,
{
    let mut panics = 0;
    // So many that three trees take part.
    let iterations = crate::sized(120, 150);
    for warm in [0, iterations] {
        let begin = || {
            let plan = Arc::new(Plan::default());
            let mut forest = new(Planned(TicTacToe::new(), Arc::clone(&plan)));
            if warm > 0 {
                forest.run(Budget::iterations(warm)).expect("no panic is planned");
            }
            plan.arm(0, 0);
            (forest, plan)
        };
        let budget = Budget::iterations(iterations);
        let (mut forest, plan) = begin();
        forest.run(budget).expect("no panic is planned");
        let counts = plan.counts.each_ref().map(|count| count.load(Ordering::Relaxed));
        for (call, &count) in counts.iter().enumerate() {
            // All calls, or those near the start and the end, and some between them.
            let step = crate::sized(1 + count / 3, 1);
            let (first, last) = crate::sized((3, 2), (8, 6));
            let ends = |at: u64| at <= first || at + last > count;
            for at in (1..=count).filter(|&at| ends(at) || at % step == 0) {
                let (mut forest, plan) = begin();
                let (members, visits) = (forest.trees.members.len(), forest.trees.first().root_visits());
                plan.arm(call, at);
                let run = catch_unwind(AssertUnwindSafe(|| forest.run(budget)));
                let run =
                    run.unwrap_or_else(|_| panic!("call {at} of {}: the panic left the run", CALLS[call]));
                plan.arm(0, 0);
                let case = format!("call {at} of {} in run {}", CALLS[call], 1 + warm.min(1));
                agree(&forest.trees);
                match run {
                    // Other threads share the calls in another way, and another search looks twice at other
                    // iterations.
                    Ok(_) => {}
                    Err(error) => {
                        panics += 1;
                        let panic = error.source().map(ToString::to_string).unwrap_or_default();
                        assert!(panic.contains("panicked: as planned, at call"), "{case}: {error:?}");
                        // At most the tree that failed is lost.
                        assert!(forest.trees.members.len() + usize::from(trees > 1) >= members, "{case}");
                        assert!(forest.trees.first().root_visits() >= visits, "{case}");
                    }
                }
                let visits = forest.trees.first().root_visits();
                let report = forest.run(budget).unwrap_or_else(|error| panic!("{case}, later: {error:?}"));
                assert_eq!(report.iterations, iterations, "{case}");
                assert!(u64::from(report.root_visits) >= u64::from(visits) + iterations, "{case}");
                agree(&forest.trees);
            }
        }
    }
    panics
}

#[test]
fn a_planned_panic_is_an_error_and_the_other_trees_go_on() {
    for (trees, threads) in [(1, 1), (2, 1), (3, 3)] {
        let check_trees = |state| Mcts::new(state).parallel(trees).threads(threads).exchange(often());
        assert!(check(check_trees, trees) > crate::sized(60, 100));
    }
}

#[test]
fn so_it_is_in_graphs_and_windows() {
    // All of these combinations take ten seconds.
    let all = crate::sized(&[(2, 2)][..], &[(1, 1), (2, 2), (3, 1)]);
    for &(trees, threads) in all {
        let graphs =
            |state| Mcts::new(Transpositions::new(state)).parallel(trees).threads(threads).exchange(often());
        assert!(check(graphs, trees) > crate::sized(60, 100));
        let windows = |state| Mcts::new(state).window(4).parallel(trees).threads(threads).exchange(often());
        assert!(check(windows, trees) > crate::sized(60, 100));
    }
}

/// A link of two ranks over channels, of which the message with a number panics.
struct Tearing {
    rank: usize,
    to: Sender<Vec<u8>>,
    from: Receiver<Vec<u8>>,
    /// How many messages are sent before one panics.
    left: u64,
}

impl Link for Tearing {
    fn rank(&self) -> usize {
        self.rank
    }
    fn ranks(&self) -> usize {
        2
    }
    fn send(&mut self, message: &[u8]) -> Result<(), BoxError> {
        self.left = self.left.checked_sub(1).expect("the plan: the link is torn");
        let _ = self.to.send(message.to_vec()); // the other end may have failed
        Ok(())
    }
    fn receive(&mut self, _: usize, message: &mut Vec<u8>) -> Result<(), BoxError> {
        *message = self.from.recv()?;
        Ok(())
    }
}

#[test]
fn a_panic_of_a_link_leaves_the_trees() {
    for left in 0..40 {
        let ((to_other, from_first), (to_first, from_other)) = (channel(), channel());
        let links = [
            Tearing { rank: 0, to: to_other, from: from_other, left },
            Tearing { rank: 1, to: to_first, from: from_first, left: u64::MAX },
        ];
        thread::scope(|scope| {
            for mut link in links {
                scope.spawn(move || {
                    let mut search = Mcts::new(TicTacToe::new()).parallel(2).exchange(often());
                    let run = || search.run_linked(Budget::iterations(200), &mut link).is_ok();
                    let _ = catch_unwind(AssertUnwindSafe(run));
                    drop(link);
                    let report = search.run(Budget::iterations(100));
                    assert!(report.is_ok(), "{left} messages: {report:?}");
                });
            }
        });
    }
}

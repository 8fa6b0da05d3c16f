//! `selection::Shot`, compared with the recursion of the paper, written plainly.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::any::Any;
use crate::common::four::Connect4;
use crate::common::hashed::unit;
use crate::common::scripted::{choice, end};
use crate::common::{sized, visits};
use ramure::backpropagation::{Average, Solver};
use ramure::search::TreeNode;
use ramure::selection::{Exp3, Shot, TreePolicy, Ucb1};
use ramure::simulation::{Evaluate, ForGame, FromFn, Uniform};
use ramure::statistics::Statistics;
use ramure::{
    Budget, Every, Expansion, GameState, Mcts, Order, Player, Rewards, SearchError, StopReason, Turn,
};

/// A tree of `depth` actions, each chosen from `width` or fewer, of one player or of two players in turn.
/// Every state has a value. With `dice`, the first action belongs to chance, and the players have no choice
/// there.
#[derive(Clone, Copy, Debug)]
struct Valued {
    key: u64,
    width: u8,
    depth: u8,
    ply: u8,
    players: u8,
    dice: bool,
}

impl Valued {
    fn new(key: u64, width: u8, depth: u8, players: u8) -> Self {
        Valued { key, width, depth, ply: 0, players, dice: false }
    }

    /// Returns the value for player 0.
    fn value(&self) -> f64 {
        unit(self.key)
    }
}

impl GameState for Valued {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.ply {
            _ if self.dice => Turn::Chance,
            ply if ply == self.depth => Turn::Over,
            ply => Turn::Player(ply % self.players),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        if self.dice {
            return 0..1;
        }
        let narrower = if self.ply == 0 { 0 } else { (self.key >> 7) % 3 } as u8;
        0..if self.ply == self.depth { 0 } else { self.width - narrower }
    }
    fn apply(&mut self, action: u8) {
        if std::mem::take(&mut self.dice) {
            return;
        }
        self.key = crate::common::hashed::mix(self.key ^ (u64::from(action) + 1));
        self.ply += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if player == 0 { self.value() } else { 1.0 - self.value() }
    }
    fn players(&self) -> u8 {
        self.players
    }
    fn probability(&self, _: u8) -> f64 {
        1.0
    }
}

fn evaluate(state: &Valued, _: &[u8], _: &mut [f32]) -> Rewards {
    Rewards::new(state.players(), |player| state.reward(player) as f32)
}

/// A node of the paper's recursion: playouts, and the sum of their values for player 0.
struct Plain {
    state: Valued,
    visits: u32,
    sum: f64,
    children: Vec<Plain>,
    /// The child that is left of those visited.
    best: usize,
}

impl Plain {
    fn new(state: Valued) -> Self {
        Plain { state, visits: 0, sum: 0.0, children: Vec::new(), best: 0 }
    }

    /// Returns the mean of a child for the player who chooses here.
    fn mean(&self, child: usize) -> f64 {
        let mean = self.children[child].sum / f64::from(self.children[child].visits);
        if self.state.turn() == Turn::Player(1) { 1.0 - mean } else { mean }
    }

    fn follow(&mut self, child: usize, budget: u32) -> f64 {
        let value = self.children[child].shot(budget, false);
        self.sum += value;
        self.visits += budget;
        value
    }

    /// Spends `budget` playouts, and returns the sum of their values.
    fn shot(&mut self, budget: u32, is_root: bool) -> f64 {
        let before = self.sum;
        let mut left = budget;
        if self.state.turn() == Turn::Over || self.visits == 0 && !is_root {
            let playouts = if self.state.turn() == Turn::Over { left } else { 1 };
            self.visits += playouts;
            self.sum += f64::from(playouts) * self.state.value();
            left -= playouts;
        }
        if left == 0 {
            return self.sum - before;
        }
        let goal = self.visits + left;
        if self.children.is_empty() {
            let next = |action| Plain::new(crate::common::after(&self.state, [action]));
            self.children = self.state.actions().into_iter().map(next).collect();
        }
        for child in 0..self.children.len() {
            if left > 0 && self.children[child].visits == 0 {
                self.follow(child, 1);
                left -= 1;
            }
        }
        let rounds = (self.children.len() as f64).log2().ceil() as usize;
        let mut in_it = Vec::from_iter(0..self.children.len());
        let mut target = 0;
        while left > 0 && in_it.len() > 1 {
            target += (goal as usize / (in_it.len() * rounds)).max(1) as u32;
            in_it.sort_by(|&a, &b| self.mean(b).total_cmp(&self.mean(a)));
            for place in 0..in_it.len() {
                let missing = |child: usize| target.saturating_sub(self.children[child].visits);
                let mut more = missing(in_it[place]);
                if more > 0 && in_it.len() == 2 && place == 0 {
                    more = more.max(left.saturating_sub(missing(in_it[1])));
                }
                let more = more.min(left);
                if more > 0 {
                    self.follow(in_it[place], more);
                    left -= more;
                }
            }
            in_it.sort_by(|&a, &b| self.mean(b).total_cmp(&self.mean(a)));
            in_it.truncate(in_it.len().div_ceil(2));
        }
        in_it.retain(|&child| self.children[child].visits > 0);
        self.best = in_it
            .iter()
            .copied()
            .reduce(|best, child| if self.mean(child) > self.mean(best) { child } else { best })
            .expect("one of them");
        if left > 0 {
            self.follow(self.best, left);
        }
        self.sum - before
    }
}

type Values = Evaluate<ForGame<FromFn<fn(&Valued, &[u8], &mut [f32]) -> Rewards>, Valued>>;

/// A search that evaluates states and visits children in the order of the list.
fn search(state: Valued) -> Mcts<Valued, Shot, Values, Average> {
    let values: Values = Evaluate::by(evaluate);
    let search = Mcts::new(state).rollout_policy(values).tree_policy(Shot::new()).backprop(Average);
    search.expansion(Expansion::default().order(Order::AsListed))
}

/// Checks that two levels below a node have the visits of its twin. Returns the number of these nodes.
fn are_alike(node: &TreeNode<'_, Valued, Shot, Values, Average>, twin: &Plain) -> u32 {
    let mut compared = 0;
    for child in node.children() {
        let twin = &twin.children[usize::from(child.action().expect("an action"))];
        assert_eq!(child.visits(), twin.visits, "{:?}", twin.state);
        for node in child.children() {
            let action = usize::from(node.action().expect("an action"));
            let expected = twin.children.get(action).map_or(0, |node| node.visits);
            assert_eq!(node.visits(), expected, "{:?}, below", twin.state);
            compared += 1;
        }
        compared += 1;
    }
    compared
}

#[test]
fn every_node_gets_the_visits_of_the_recursion_and_the_last_child_is_played() {
    let (mut compared, mut not_the_most_visited) = (0, 0);
    for seed in 0..sized(6, 40) {
        for (width, depth, players) in
            [(3, 1, 1), (4, 1, 1), (11, 1, 1), (5, 2, 1), (6, 2, 2), (9, 2, 2), (4, 4, 2)]
        {
            let state = Valued::new(crate::common::hashed::mix(seed), width, depth, players);
            for budgets in [vec![7], vec![60], vec![333], vec![2_000], vec![5, 50, 500]] {
                let mut plain = Plain::new(state);
                let mut search = search(state);
                for &budget in &budgets {
                    plain.shot(budget, true);
                    let report = search.run(Budget::iterations(u64::from(budget))).expect("a sound game");
                    let expected = Vec::from_iter(plain.children.iter().map(|child| child.visits));
                    assert_eq!(visits(&report), expected, "{state:?}, {budgets:?}");
                    assert_eq!(report.chosen, Some(plain.best), "{state:?}, {budgets:?}: {report}");
                    let most = expected.iter().max().expect("a child");
                    not_the_most_visited += u32::from(expected[plain.best] < *most);
                    compared += 1 + search.tree().root().map_or(0, |root| are_alike(&root, &plain));
                }
            }
        }
    }
    assert!(not_the_most_visited > sized(3, 20), "{not_the_most_visited}");
    assert!(compared > sized(1_500, 10_000), "{compared} comparisons");
}

#[test]
fn below_chance_the_rounds_restart_with_each_doubling_of_the_visits() {
    let mut compared = 0;
    for seed in 0..60 {
        for (width, depth) in [(2, 1), (3, 1), (5, 1), (11, 1), (3, 2), (4, 3)] {
            let state = Valued::new(crate::common::hashed::mix(seed), width, depth, 1);
            let (mut plain, mut search) = (Plain::new(state), search(Valued { dice: true, ..state }));
            // One visit for itself, then totals of the next powers of two.
            for budget in [1, 1, 2, 4, 8, 16, 32, 64, 128] {
                plain.shot(budget, false);
                search.run(Budget::iterations(u64::from(budget))).expect("a sound game");
                let tree = search.tree();
                let rolled = tree.root().and_then(|root| root.children().next()).expect("it ran");
                assert_eq!(rolled.visits(), plain.visits);
                compared += are_alike(&rolled, &plain);
            }
        }
    }
    assert!(compared > 5_000, "{compared} comparisons");
}

#[test]
fn huge_budgets_do_not_overflow_and_go_to_the_first_of_the_best() {
    let state = Valued::new(crate::common::hashed::mix(3), 3, 1, 1);
    let mut search = search(state);
    let handle = search.stop_handle();
    let mut stop = |report: &ramure::Report<u8>| {
        if report.iterations >= 200 {
            handle.stop();
        }
    };
    let report = search
        .run_with(Budget::iterations(1 << 40), Every::Iterations(100), &mut stop)
        .expect("a sound game");
    let value = |action: usize| crate::common::after(&state, [action as u8]).value();
    let best = (0..3).max_by(|&a, &b| value(a).total_cmp(&value(b))).expect("three");
    let mut expected = [1; 3];
    expected[best] = report.iterations as u32 - 2;
    assert_eq!((visits(&report), report.stop_reason), (expected.to_vec(), StopReason::Stopped));
}

#[test]
fn a_run_that_ends_before_the_plan_plays_the_most_visited() {
    let mut met = 0;
    for seed in 0..40 {
        let state = Valued::new(crate::common::hashed::mix(seed), 11, 1, 1);
        let mut search =
            search(state).expansion(Expansion::default().order(Order::AsListed).widening(1.0, 0.5));
        // After 101 visits an eleventh child is available at the root, which is tried at once.
        let before = search.run(Budget::iterations(101)).expect("a sound game");
        let report = search.run(Budget::iterations(1)).expect("a sound game");
        assert_eq!((before.actions[10].visits, report.actions[10].visits), (0, 1));
        let most = report.actions.iter().map(|action| action.visits).max();
        assert_eq!(report.chosen_action().map(|action| action.visits), most, "{report}");
        met += u32::from(report.actions[..10].iter().all(|action| action.mean < report.actions[10].mean));
    }
    assert!(met > 0, "a new child is never the best");
}

#[test]
fn shot_needs_an_iteration_budget_and_has_its_own_first_play() {
    let mut search = Mcts::new(Any::new(Connect4::default())).tree_policy(Shot::new());
    assert_eq!(search.run(Budget::millis(5)), Err(SearchError::NeedsIterations));
    let longer = Budget::iterations(100).and_percent_if_unclear(50);
    assert_eq!(search.run(longer), Err(SearchError::CannotExceed));
    let report = search.run(Budget::millis(20).and_iterations(1 << 40)).expect("a sound game");
    assert_eq!(report.stop_reason, StopReason::Time);
    let first_play = Expansion::default().first_play(ramure::selection::FirstPlay::Value(0.5));
    let mut search = Mcts::new(Any::new(Connect4::default())).tree_policy(Shot::new()).expansion(first_play);
    assert_eq!(search.run(Budget::iterations(5)), Err(SearchError::FirstPlayUnused));
    fn goes<T: Send>(_: &T) {}
    goes(&Mcts::new(Any::new(Connect4::default())).tree_policy(Shot::new()));
}

#[test]
fn refuted_children_drop_out() {
    let game = Any::new(choice(0, [choice(1, [1.0, 0.4, 0.3].map(end)), end(0.2)]));
    fn refuted_visits<P>(search: &mut Mcts<Any, P, Uniform, Solver<Average>>) -> u32
    where
        P: TreePolicy<Any, Stats: Statistics<Any, Uniform>>,
    {
        search.run(Budget::iterations(1_000)).expect("a sound game");
        let root = search.tree().root().expect("it ran");
        let child = root.children().find(|child| child.action() == Some(0)).expect("it was tried");
        let reply = child.children().find(|reply| reply.action() == Some(0)).expect("it was tried");
        reply.visits()
    }
    let search = || Mcts::new(game.clone()).backprop(Solver::new(Average));
    assert_eq!(refuted_visits(&mut search().tree_policy(Shot::new())), 1);
    assert_eq!(refuted_visits(&mut search().tree_policy(Exp3::default())), 1);
    // Other policies visit it as rarely as any bad child.
    let visits = refuted_visits(&mut search().tree_policy(Ucb1::default()));
    assert!((2..100).contains(&visits), "{visits}");
}

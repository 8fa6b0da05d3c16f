//! Searches whose root actions are restricted: against a game that has no other actions, and with settings that
//! leave nothing. (The random programs restrict each kind of search, and check proofs.)

use crate::common::four::Connect4;
use crate::common::kuhn::Kuhn;
use crate::common::simple::OneStep;
use crate::common::sized;
use ramure::backpropagation::ScoreBounds;
use ramure::prelude::*;
use ramure::selection::{AtRoot, SequentialHalving, Thompson};
use ramure::{Expansion, Order, RootActions, StopReason};
use ramure_games::{TicTacToe, connect4};
use std::fmt::Debug;

/// A game of Connect 4 in which the first player has these columns only.
#[derive(Clone)]
struct Menu {
    game: Connect4,
    columns: Option<Vec<u8>>,
}

impl GameState for Menu {
    type Action = u8;
    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let is_on = |column: &u8| self.columns.as_ref().is_none_or(|columns| columns.contains(column));
        Vec::from_iter(self.game.actions().into_iter().filter(is_on))
    }
    fn apply(&mut self, column: u8) {
        self.game.apply(column);
        self.columns = None;
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
}

/// Policies that draw no order see the same children, so all numbers are equal to the bit. (With a constant in
/// deviations, the number of legal actions would matter.)
#[test]
fn a_restricted_search_is_that_of_a_game_without_the_other_actions() {
    fn check(name: &str, mut restricted: impl Search<Space = Menu>, mut menu: impl Search<Space = Menu>) {
        restricted.set_root_actions(RootActions::except([0, 3, 6]));
        for _ in 0..3 {
            let [one, other] = [&mut restricted as &mut dyn Search<Space = Menu>, &mut menu].map(|search| {
                let report = search.run(Budget::iterations(sized(400, 4_000))).expect("a sound game");
                let actions = report.actions.iter();
                (Vec::from_iter(actions.map(|entry| (entry.action, entry.visits, entry.mean))), report.chosen)
            });
            assert_eq!(one, other, "{name}");
        }
    }
    let in_order = Expansion::default().order(Order::AsListed);
    macro_rules! checks {
        ($new:ident: $($search:expr),+) => {$(
            let search = |columns| {
                let $new = || {
                    let search = Mcts::new(Menu { game: Connect4::default(), columns }).seed(5);
                    search.tree_policy(Ucb1::new(0.5)).backprop(Average).expansion(in_order)
                };
                $search
            };
            check(stringify!($search), search(None), search(Some(vec![1, 2, 4, 5])));
        )+};
    }
    checks!(
        new: new(),
        new().tree_policy(Thompson)
    );
}

fn position(cells: &[&str]) -> TicTacToe {
    let mut state = TicTacToe::new();
    cells.iter().for_each(|cell| state.play(cell.parse().unwrap()).unwrap());
    state
}

#[test]
fn an_early_stop_looks_at_the_actions_that_may_be_chosen() {
    let column = |text: &str| text.parse::<connect4::Column>().unwrap();
    let new = || Mcts::new(ramure_games::Connect4::new()).seed(1);
    let early = Budget::iterations(3_000).or_decided();
    let one = new().root_actions(RootActions::only([column("6")])).run(early).unwrap();
    assert_eq!((one.stop_reason, one.iterations), (StopReason::Decided, 1));
    // The centre leads by far, but not among the others.
    let mut search = new();
    let leader = search.run(early).unwrap();
    assert_eq!((leader.stop_reason, leader.best_action()), (StopReason::Decided, column("3")));
    search.set_root_actions(RootActions::except([column("3")]));
    assert!(search.run(early).unwrap().iterations > 100);
    // Nor is anything decided before all have their visits.
    let served = new().root_actions(RootActions::default().at_least(150)).run(early).unwrap();
    assert!(served.actions.iter().all(|entry| entry.visits >= 150), "{served}");
}

#[test]
fn root_actions_that_cannot_be_are_errors() {
    let start = || Mcts::new(position(&["5"]));
    let cell = |text: &str| text.parse().unwrap();
    let run = |actions| start().root_actions(actions).run(Budget::iterations(10)).unwrap_err();
    for actions in [RootActions::only([cell("1"), cell("5")]), RootActions::except([cell("5")])] {
        assert_eq!(run(actions), SearchError::IllegalAction { action: "5".into() });
    }
    let error = run(RootActions::only([]).at_least(3));
    let text =
        "RootActions::only([]).at_least(3) leaves no legal action to choose at the root; allow at least one";
    assert_eq!(error.to_string(), text);
    let all = ["1", "2", "3", "4", "6", "7", "8", "9"].map(cell);
    assert!(matches!(run(RootActions::except(all)), SearchError::NoActionLeft { .. }));
    // The search is as it was.
    let mut search = start();
    let visits = search.run(Budget::iterations(100)).unwrap().root_visits;
    search.set_root_actions(RootActions::except(all));
    assert!(search.run(Budget::iterations(10)).is_err() && search.report().is_err());
    search.set_root_actions(RootActions::default());
    assert_eq!(search.report().unwrap().root_visits, visits);
    // Chance has no choice.
    let dealt = Kuhn { cards: Vec::new(), acts: Vec::new() };
    let mut search = Mcts::new(dealt).root_actions(RootActions::default().at_least(5));
    assert_eq!(search.run(Budget::iterations(10)), Err(SearchError::ChanceToMove));
}

/// The report moves the permitted children to the front before it reads where they are.
#[test]
fn a_report_after_a_restriction_has_the_visits_of_each_action() {
    const WORTH: [f64; 5] = [0.0, 0.1, 0.2, 0.3, 0.4];
    for forbidden in 0..WORTH.len() as u16 {
        for seed in 0..4 {
            let mut search = Mcts::new(OneStep::new(&WORTH)).backprop(Average).seed(seed);
            let before = search.run(Budget::iterations(100)).expect("a sound game");
            search.set_root_actions(RootActions::except([forbidden]));
            let after = search.report().expect("a sound game");
            let permitted = before.actions.iter().filter(|entry| entry.action != forbidden);
            assert!(after.actions.iter().eq(permitted), "{before}{after}");
        }
    }
    // A run that is over before it begins.
    for best in 0..3 {
        for forbidden in (0..3).filter(|&action| action != best) {
            const DRAWS: [[f64; 3]; 3] = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]];
            let mut search = Mcts::new(OneStep::new(&DRAWS[usize::from(best)]));
            assert_eq!(search.run(Budget::iterations(100)).expect("a sound game").proof, Some(0.5));
            search.set_root_actions(RootActions::except([forbidden]));
            let report = search.run(Budget::iterations(10)).expect("a sound game");
            assert_eq!((report.proof, report.best_action()), (Some(0.5), best), "{report}");
        }
    }
}

/// The plan of a run names children by their places, which a restriction changes.
#[test]
fn a_plan_of_a_run_does_not_decide_under_a_new_restriction() {
    const WORTH: [f64; 9] = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8];
    for seed in 0..20 {
        let search = Mcts::new(OneStep::new(&WORTH))
            .tree_policy(AtRoot::new(SequentialHalving::default(), Ucb1::default()));
        let mut search = search.backprop(Average).seed(seed);
        let best = search.run(Budget::iterations(300)).expect("a sound game").best_action();
        for actions in [RootActions::except([best]), RootActions::default()] {
            search.set_root_actions(actions);
            let report = search.report().expect("a sound game");
            let most = report.actions.iter().map(|entry| entry.visits).max();
            assert_eq!(report.chosen_action().map(|entry| entry.visits), most, "{report}");
        }
    }
}

/// What is pruned because of a forbidden action is open, also for an early stop.
#[test]
fn a_pruned_action_does_not_decide_a_restricted_root() {
    /// Player 0 takes .5 for certain, or goes to player 1, who may end the game with .5 or .75 for player 0,
    /// or go on to a long game.
    #[derive(Clone, Debug)]
    struct Bounded(Vec<u8>);

    impl GameState for Bounded {
        type Action = u8;

        fn turn(&self) -> Turn {
            match self.0[..] {
                [0] | [_, 0] => Turn::Over,
                _ if self.0.len() == 30 => Turn::Over,
                _ => Turn::Player((self.0.len() % 2) as u8),
            }
        }
        fn actions(&self) -> impl IntoIterator<Item = u8> {
            0..if self.0.is_empty() { 3 } else { 2 }
        }
        fn apply(&mut self, action: u8) {
            self.0.push(action);
        }
        fn reward(&self, player: Player) -> f64 {
            let first = match self.0[..] {
                [0] | [1, 0] => 0.5,
                [2, 0] => 0.75,
                _ => f64::from(self.0.iter().fold(7u8, |hash, &action| hash.wrapping_mul(31) ^ action) % 2),
            };
            if player == 0 { first } else { 1.0 - first }
        }
    }
    let mut search = Mcts::new(Bounded(vec![])).backprop(ScoreBounds::new(Average)).seed(1);
    search.run(Budget::iterations(200)).expect("a sound game");
    search.set_root_actions(RootActions::except([0]));
    let report = search.run(Budget::iterations(10_000).or_decided()).expect("a sound game");
    let is_early = report.stop_reason == StopReason::Decided && report.iterations < 100;
    assert!(!is_early, "{report}");
}

//! Searches whose root actions are restricted: with each kind of search, against a game that has no other
//! actions, with proofs, and with settings that leave nothing.

use crate::common::four::Connect4;
use crate::common::kuhn::Kuhn;
use crate::common::plans::Shop;
use crate::common::simple::OneStep;
use crate::common::sized;
use crate::common::tricks::Tricks;
use ramure::backpropagation::ScoreBounds;
use ramure::prelude::*;
use ramure::search::{ActionOf, InformationSet, ObservedMoves, OpenLoop, Planning, Sampled, Space};
use ramure::selection::{AtRoot, RegretMatching, SequentialHalving, Shot, Thompson};
use ramure::{ActionSampler, Expansion, Order, RootActions, StopReason};
use ramure_games::{TicTacToe, connect4};
use std::fmt::Debug;

/// The actions that the tree stores at the root, with their visits.
fn stored<S: Search>(search: &S) -> Vec<(ActionOf<S::Space>, u32)> {
    search.actions_after(&[]).iter().map(|entry| (entry.action.clone(), entry.visits)).collect()
}

fn actions<A: Clone>(report: &Report<A>) -> Vec<A> {
    report.actions.iter().map(|entry| entry.action.clone()).collect()
}

/// Checks that each setting holds, changes nothing else in the tree, and ends with the root.
fn check<S: Search>(name: &str, mut search: S)
where
    ActionOf<S::Space>: PartialEq + Debug,
{
    let run = |search: &mut S, iterations| search.run(Budget::iterations(iterations)).expect(name);
    let whole = run(&mut search, 300);
    assert!(whole.actions.len() > 2, "{name}: another game is needed");
    let best = whole.best_action();
    let visits_of_best =
        |search: &S| stored(search).iter().find(|entry| entry.0 == best).map(|entry| entry.1);
    let before = visits_of_best(&search);

    search.set_root_actions(RootActions::except([best.clone()]));
    let others = run(&mut search, 200);
    assert!(others.best_action() != best && !actions(&others).contains(&best), "{name}\n{others}");
    assert_eq!(others.principal_variation[0], others.best_action(), "{name}");
    assert_eq!(visits_of_best(&search), before, "{name}");
    assert!(others.iterations == 200 || others.stop_reason == StopReason::Proven, "{name}\n{others}");
    assert_eq!(others.root_visits, whole.root_visits + others.iterations as u32, "{name}");

    // In the game's order, whatever order they are given in.
    let two =
        [&others.actions[0], &others.actions[others.actions.len() - 1]].map(|entry| entry.action.clone());
    search.set_root_actions(RootActions::only([1, 0, 1].map(|index: usize| two[index].clone())).at_least(60));
    let before = stored(&search);
    let between = run(&mut search, 250);
    assert_eq!(actions(&between), two, "{name}");
    let is_served = |entry: &ramure::ActionReport<_>| entry.visits >= 60 || entry.proof.is_some();
    assert!(between.actions.iter().all(is_served), "{name}\n{between}");
    for (action, visits) in before.iter().filter(|(action, _)| !two.contains(action)) {
        let now = stored(&search).iter().find(|entry| entry.0 == *action).map(|entry| entry.1);
        assert_eq!(now.unwrap_or(0), *visits, "{name}: {action:?}");
    }

    for none in [RootActions::only([]), RootActions::except(actions(&whole))] {
        // Of sampled actions, there are always others.
        let are_listed = whole.actions.len() == search.space().root().actions().into_iter().count();
        if are_listed || none == RootActions::only([]) {
            search.set_root_actions(none);
            let error = search.run(Budget::iterations(10)).expect_err(name);
            assert!(matches!(&error, SearchError::NoActionLeft { .. }), "{name}: {error}");
        }
    }
    search.set_root_actions(RootActions::default());
    let all = search.report().expect(name);
    assert!(actions(&whole).iter().all(|action| actions(&all).contains(action)), "{name}");
    let of_tree = stored(&search);
    for entry in &all.actions {
        let visits = of_tree.iter().find(|stored| stored.0 == entry.action).map_or(0, |stored| stored.1);
        assert_eq!(entry.visits, visits, "{name}");
    }

    // An action that the search may not choose can be played, and then the restriction is over.
    search.set_root_actions(RootActions::only([two[0].clone()]));
    search.advance(best.clone()).expect(name);
    if let Ok(report) = search.run(Budget::iterations(100)) {
        let is_alone = report.actions.len() == 1 && actions(&report)[0] == two[0];
        assert!(!is_alone && !report.actions.is_empty(), "{name}\n{report}");
    }
}

/// The random programs restrict the other kinds of searches.
#[test]
fn root_actions_hold_in_searches_that_plan_or_combine() {
    check("shot", Mcts::new(Connect4::default()).seed(3).tree_policy(Shot::default()));
    let tricks = || Tricks::new(3, 4, 1);
    check("observed moves", Mcts::new(ObservedMoves::new(tricks())));
    check("open loop", Mcts::new(OpenLoop::new(InformationSet::new(tricks()))));
    let shop = Planning::new(Shop { stock: 0, room: 8, most: 4 }).discount(0.95).horizon(20);
    check("open planning", Mcts::new(shop.open_loop()));
    check("player trees with regrets", {
        Mcts::player_trees(InformationSet::new(tricks())).tree_policy(RegretMatching::default())
    });
}

/// One action of twenty, none of which is listed; the last is the best.
#[derive(Clone)]
struct Twenty(Option<u8>);

impl GameState for Twenty {
    type Action = u8;
    fn turn(&self) -> Turn {
        if self.0.is_none() { Turn::Player(0) } else { Turn::Over }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        []
    }
    fn apply(&mut self, action: u8) {
        self.0 = Some(action);
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.0.unwrap_or(0)) / 19.0
    }
    fn players(&self) -> u8 {
        1
    }
    fn is_legal(&self, action: u8) -> bool {
        action < 20
    }
}

impl ActionSampler for Twenty {
    fn sample_action(&self, rng: &mut Rng) -> Option<u8> {
        Some(rng.below(20) as u8)
    }
}

#[test]
fn of_many_sampled_actions_only_those_that_are_permitted_are_tried() {
    for seed in 0..20 {
        let expansion = Expansion::default().widening(20.0, 0.5);
        let mut search = Mcts::new(Sampled::new(Twenty(None))).expansion(expansion).seed(seed);
        let permitted = Vec::from_iter(0..10);
        search.set_root_actions(RootActions::only(permitted.clone()));
        let report = search.run(Budget::iterations(500)).expect("sound");
        assert_eq!(report.best_action(), 9, "{report}");
        assert!(stored(&search).iter().all(|(action, visits)| permitted.contains(action) || *visits == 0));
    }
}

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

/// A proof that holds for the actions that may be chosen is not taken for one of the position.
#[test]
fn a_proof_under_a_restriction_is_not_one_of_the_position() {
    // X wins at 3. If X plays elsewhere, O wins at 6.
    let state = position(&["1", "4", "2", "5"]);
    let wins = "3".parse().unwrap();
    for leaves in [1, 3] {
        let mut search = Mcts::new(state).window(leaves);
        search.set_root_actions(RootActions::except([wins, "6".parse().unwrap()]));
        let lost = search.run(Budget::iterations(5_000)).unwrap();
        assert_eq!((lost.proof, lost.stop_reason), (Some(0.0), StopReason::Proven), "{lost}");
        search.set_root_actions(RootActions::default());
        assert_eq!(search.report().unwrap().proof, None);
        let won = search.run(Budget::iterations(5_000)).unwrap();
        assert_eq!((won.proof, won.best_action()), (Some(1.0), wins), "{won}");
        // The position is won, but not by the other actions, so the search goes on.
        search.set_root_actions(RootActions::except([wins]));
        let others = search.run(Budget::iterations(50)).unwrap();
        assert!(others.iterations > 0 && others.proof != Some(1.0), "{others}");
        assert_eq!(others.best_action(), "6".parse().unwrap(), "{others}");
        search.set_root_actions(RootActions::default());
        assert_eq!(search.report().unwrap().proof, Some(1.0));
    }
}

/// Bounds of an action that may not be chosen prune none of the others.
#[test]
fn a_forbidden_action_prunes_no_other() {
    let state = position(&["1", "4", "2", "5"]);
    let mut search = Mcts::new(state).backprop(ScoreBounds::new(Average));
    search.run(Budget::iterations(2_000)).unwrap();
    search.set_root_actions(RootActions::except(["3".parse().unwrap()]));
    let report = search.run(Budget::iterations(2_000)).unwrap();
    assert!(report.actions.iter().all(|entry| !entry.is_pruned && entry.proof.is_some()), "{report}");
    assert_eq!(report.best_action(), "6".parse().unwrap(), "{report}");
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

#[test]
fn reset_ends_a_restriction() {
    let mut search = Mcts::new(TicTacToe::new());
    search.set_root_actions(RootActions::only(["1".parse().unwrap()]));
    assert_eq!(search.run(Budget::iterations(50)).unwrap().actions.len(), 1);
    search.reset(TicTacToe::new());
    assert_eq!(search.run(Budget::iterations(50)).unwrap().actions.len(), 9);
}

/// Searches as `Ucb1` does, and plays the action with the lowest mean.
#[derive(Clone, Copy)]
struct Lowest(Ucb1);

impl<G: GameState> TreePolicy<G> for Lowest {
    type Stats = <Ucb1 as TreePolicy<G>>::Stats;
    fn select(&self, node: impl Node<G, Self::Stats>, rng: &mut Rng) -> Choice {
        self.0.select(node, rng)
    }
    fn decide(&self, root: impl Node<G, Self::Stats>, _: &mut Rng) -> Option<Choice> {
        Some(root.argmax(|child| if child.visits() == 0.0 { -2.0 } else { -child.mean() }))
    }
}

#[test]
fn a_report_decides_among_the_actions_that_are_permitted_since_the_run() {
    let new = || Mcts::new(TicTacToe::new()).tree_policy(Lowest(Ucb1::new(0.7))).backprop(Average).seed(3);
    let lowest = |report: &Report<_>| {
        let lowest = report
            .actions
            .iter()
            .filter(|entry| entry.visits > 0)
            .map(|entry| entry.mean)
            .min_by(f32::total_cmp);
        assert_eq!(report.chosen_action().map(|entry| entry.mean), lowest, "{report}");
    };
    let centre = "5".parse().unwrap();
    let mut one = new();
    let all = one.run(Budget::iterations(500)).unwrap();
    lowest(&all);
    for permitted in
        [RootActions::except([all.best_action()]), RootActions::except([centre, all.best_action()])]
    {
        one.set_root_actions(permitted);
        lowest(&one.report().unwrap());
    }
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

/// Somebody may hold a view of a child, and its action, while the search reports.
#[test]
fn a_report_moves_no_children() {
    const WORTH: [f64; 5] = [0.0, 0.1, 0.2, 0.3, 0.4];
    for forbidden in 0..WORTH.len() as u16 {
        let mut search = Mcts::new(OneStep::new(&WORTH)).backprop(Average).seed(1);
        search.run(Budget::iterations(100)).expect("a sound game");
        search.set_root_actions(RootActions::except([forbidden]));
        let children = Vec::from_iter(search.tree().root().expect("it has run").children());
        let before = Vec::from_iter(children.iter().map(|child| (child.action(), child.visits())));
        search.report().expect("a sound game");
        assert!(children.iter().map(|child| (child.action(), child.visits())).eq(before));
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

/// Progressive widening shows the first children of a node, and a restriction changes their order.
#[test]
fn widening_shows_the_best_action_after_a_restriction() {
    const WORTH: [f64; 25] = {
        let mut worth = [0.0; 25];
        worth[0] = 1.0;
        worth
    };
    let widened = Expansion::default().order(Order::AsListed).widening(1.0, 0.5);
    let mut search =
        Mcts::new(OneStep::new(&WORTH)).tree_policy(Thompson).backprop(Average).expansion(widened).seed(1);
    let visits = |report: &Report<u16>| report.actions[0].visits;
    search.run(Budget::iterations(100)).expect("a sound game");
    search.set_root_actions(RootActions::except([0]));
    search.run(Budget::iterations(10)).expect("a sound game");
    search.set_root_actions(RootActions::default());
    let before = visits(&search.report().expect("a sound game"));
    let after = visits(&search.run(Budget::iterations(100)).expect("a sound game"));
    assert!(after > before + 50, "{before} and {after}");

    // A file has no restriction, and a search without a tree nothing to move.
    let column = |number: u8| number.to_string().parse().expect("a column");
    let new = || {
        let search = Mcts::new(ramure_games::Connect4::new()).backprop(Average).tree_policy(Thompson).seed(1);
        search.expansion(Expansion::default().widening(3.0, 0.0))
    };
    let mut search = new();
    search.set_root_actions(RootActions::only([column(0)]));
    search.set_root_actions(RootActions::default());
    let best = search.run(Budget::iterations(1_000)).expect("a sound game").best_action();
    search.set_root_actions(RootActions::except([best]));
    search.run(Budget::iterations(10)).expect("a sound game");
    let mut file = Vec::new();
    search.save_to(&mut file).expect("a file");
    let mut loaded = new();
    loaded.load_from(&file[..]).expect("the file of such a search");
    let visits = |report: &Report<connect4::Column>| {
        report.actions.iter().find(|entry| entry.action == best).map(|entry| entry.visits)
    };
    let before = visits(&loaded.report().expect("a sound game"));
    assert!(visits(&loaded.run(Budget::iterations(1_000)).expect("a sound game")) > before);
}

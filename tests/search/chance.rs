//! Chance nodes: their values are expectations, and their outcomes are drawn by probability.

use crate::common::any::Any;
use crate::common::oracle::Oracle;
use crate::common::pig::{FACES, HOLD, Pig, ROLL};
use crate::common::scripted::{chance, end};
use crate::common::{self, chi_squared, draw, sized};
use ramure::backpropagation::Average;
use ramure::selection::Ucb1;
use ramure::{Budget, GameState, Mcts, Player, Rng, SearchError, Turn};

/// A dice race without decisions: in turn, each player moves by one, two or three fields, with probabilities
/// .5, .3 and .2. The first player to reach the last field wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Race {
    at: [u8; 2],
    player: Player,
    goal: u8,
    /// Whether the players must play "roll" first.
    asks: bool,
    rolling: bool,
}

impl GameState for Race {
    type Action = u8;

    fn turn(&self) -> Turn {
        match () {
            () if self.at.iter().any(|&at| at >= self.goal) => Turn::Over,
            () if self.rolling || !self.asks => Turn::Chance,
            () => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Chance => 1..4,
            Turn::Player(_) => 0..1,
            _ => 0..0,
        }
    }
    fn apply(&mut self, action: u8) {
        if action == 0 {
            self.rolling = true;
            return;
        }
        self.at[usize::from(self.player)] += action;
        (self.player, self.rolling) = (1 - self.player, false);
    }
    fn reward(&self, player: Player) -> f64 {
        if self.at[usize::from(player)] >= self.goal { 1.0 } else { 0.0 }
    }
    fn probability(&self, fields: u8) -> f64 {
        [0.5, 0.3, 0.2][usize::from(fields) - 1]
    }
}

/// Returns the distance, in standard errors, between `exact` and `mean` of `visits` rewards that are 0 or 1.
fn standard_errors(mean: f32, visits: u32, exact: f64) -> f64 {
    (f64::from(mean) - exact).abs() / (exact * (1.0 - exact) / f64::from(visits)).sqrt()
}

#[test]
fn values_without_decisions_are_within_three_standard_errors() {
    // Rewards are 0 or 1 and independent. Each of 60 values is outside with a probability of .0027, so more
    // than three are outside with a probability of 3e-5.
    let (mut values, mut outside) = (0, 0);
    for seed in 0..5 {
        for (asks, player) in [(true, 0), (true, 1), (false, 0)] {
            let state = Race { at: [1, 2], player, goal: 9, asks, rolling: false };
            let mut search = Mcts::new(state).seed(seed);
            search.run(Budget::iterations(sized(2_000, 20_000))).expect("a sound game");
            let mut oracle = Oracle::new();
            let root = search.tree().root().expect("it ran");
            let mut nodes = vec![root];
            for _ in 0..2 {
                let below = nodes.iter().flat_map(|node| node.children()).collect::<Vec<_>>();
                nodes.extend(below);
                nodes.dedup_by_key(|node| *node.state());
            }
            for node in nodes.iter().take(4) {
                values += 1;
                let exact = oracle.value(node.state(), node.chooser());
                outside += u32::from(standard_errors(node.mean(), node.visits(), exact) > 3.0);
            }
        }
    }
    assert_eq!(values, 60);
    assert!(outside <= 3, "{outside}");
}

#[test]
fn values_of_the_dice_game_are_within_three_standard_errors_of_exact_expectimax() {
    // The players decide, so values are slightly below the exact ones until the better actions have nearly
    // all visits. With this exploration constant, the difference is less than a standard error. The values
    // after ROLL are those of chance nodes. Each of 12 is outside by chance with a probability of .003. In
    // the quick instance of 4, the difference is about one standard error, and the values spread by .75, so
    // each is outside with a probability of .004.
    let pig = |banked, pot, player, turns| Pig { banked, pot, player, turns, rolling: false };
    for state in [pig([6, 5], 0, 1, 1), pig([2, 6], 1, 0, 1), pig([5, 9], 2, 0, 2), pig([9, 6], 1, 1, 2)] {
        let exact = Oracle::new().values(&common::after(&state, [ROLL]))[usize::from(state.player)];
        for seed in 0..sized(1, 3) {
            let mut search = Mcts::new(state).tree_policy(Ucb1::new(0.7)).seed(seed);
            let report = search.run(Budget::iterations(sized(20_000, 100_000))).expect("a sound game");
            let roll = report.actions[1];
            assert_eq!((roll.action, report.best_action()), (ROLL, ROLL));
            let errors = standard_errors(roll.mean, roll.visits, exact);
            assert!(errors <= 3.0, "{state:?} with seed {seed}: {errors} from {exact}\n{report}");
        }
    }
}

#[test]
fn outcomes_are_visited_by_their_probabilities() {
    // Chi-squared with three degrees of freedom is above 16.3 with a probability of .001, for each of five
    // seeds.
    let draws = sized(4_000, 20_000);
    for seed in 0..5 {
        let state = Pig { rolling: true, ..Pig::new(3) };
        let mut search = Mcts::new(state).seed(seed);
        let report = search.run(Budget::iterations(u64::from(draws))).expect("chance may be searched");
        let visits = common::visits(&report);
        assert_eq!(visits.iter().sum::<u32>(), draws);
        let statistic = chi_squared(&visits, &[0.4, 0.3, 0.2, 0.1]);
        assert!(statistic < 16.3, "{statistic}: {report}");
    }
}

#[test]
fn a_search_over_chance_runs_but_has_no_best_action() {
    let state = Pig { rolling: true, ..Pig::new(3) };
    let mut search = Mcts::new(state);
    let report = search.run(Budget::iterations(1_000)).expect("chance may be searched");
    assert_eq!((report.player, report.chosen, report.iterations), (None, None, 1_000));
    assert_eq!(
        report.actions.iter().map(|action| action.action).collect::<Vec<_>>(),
        FACES.collect::<Vec<_>>()
    );
    assert_eq!(report.try_best_action(), Err(SearchError::ChanceToMove));
    let panic = std::panic::catch_unwind(|| report.best_action()).expect_err("nothing to choose");
    let text = panic.downcast_ref::<String>().expect("a formatted message");
    assert_eq!(*text, SearchError::ChanceToMove.to_string());
    assert_eq!(ramure::best_action(&state, Budget::iterations(10)), Err(SearchError::ChanceToMove));
    assert!(report.to_string().contains("1000 iterations"));
}

#[test]
fn the_means_of_outcomes_belong_to_the_player_who_acted_before_chance() {
    let state = Pig { banked: [0, 9], pot: 1, player: 1, turns: 2, rolling: false };
    let mut search = Mcts::new(state);
    search.run(Budget::iterations(2_000)).expect("a sound game");
    let kept = search.report().expect("it ran").actions[1];
    search.advance(ROLL).expect("legal");
    let root = search.tree().root().expect("kept");
    assert_eq!((root.chooser(), root.mean(), root.visits()), (1, kept.mean, kept.visits));
    for outcome in root.children() {
        assert_eq!(outcome.chooser(), 1);
    }
    // Continue from a chance node.
    let report = search.run(Budget::iterations(5_000)).expect("chance may be searched");
    let good = report.actions[1];
    assert!(good.mean > 0.5, "player 1 is far ahead: {report}");
    search.advance(good.action).expect("it is a possible outcome");
    assert_eq!(search.report().expect("kept").root_visits, good.visits);
    assert_eq!(search.report().expect("kept").player, Some(1));
}

#[test]
fn outcomes_of_chance_are_drawn_by_probability_and_actions_uniformly() {
    // Chi-squared with three degrees of freedom is above 16.3 with a probability of .001, for each of four
    // draws.
    let mut rng = Rng::seeded(1);
    let mut draws = |state: &Pig, first: u8, kinds: usize| {
        let mut counts = vec![0; kinds];
        for _ in 0..50_000 {
            let action = draw(state, &mut rng).expect("a running game");
            counts[usize::from(action - first)] += 1;
        }
        counts
    };
    let rolling = Pig { rolling: true, ..Pig::new(3) };
    for _ in 0..2 {
        assert!(chi_squared(&draws(&rolling, *FACES.start(), 4), &[0.4, 0.3, 0.2, 0.1]) < 16.3);
        assert!(chi_squared(&draws(&Pig::new(3), HOLD, 2), &[0.5, 0.5]) < 10.8);
    }
    let over = Pig { turns: 0, ..Pig::new(3) };
    assert_eq!(over.random_action(&mut rng), None);
    assert_eq!(over.random_outcome(&mut rng), None);
}

#[test]
fn an_outcome_of_probability_zero_is_never_drawn() {
    let outcome = || end(0.5);
    let loaded = chance([(0.0, outcome()), (1.0 / 3.0, outcome()), (2.0 / 3.0, outcome()), (0.0, outcome())]);
    let report = Mcts::new(Any::new(loaded))
        .backprop(Average)
        .run(Budget::iterations(3_000))
        .expect("probabilities sum to one");
    let visits = common::visits(&report);
    assert_eq!((visits[0], visits[3]), (0, 0));
    // Of 3000, the expected 2000 come up, within four standard deviations. Fails with a probability of 6e-5.
    assert!(visits[2].abs_diff(2_000) < 104, "{visits:?}");
}

//! Searches with a tree for each player: simultaneous moves, and what players do not see of each other.

use crate::common::kuhn::{Act, Kuhn};
use crate::common::{sized, visits};
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::{InformationSet, PlayerTrees};
use ramure::selection::{AvailabilityUcb1, Exp3, RegretMatching};
use ramure::statistics::Statistics;
use ramure::{Bytes, Expansion, GameFault, HiddenInformation, LineOfPlay, StopReason};

/// Two players choose a row and a column at the same time. The entry is the reward of player 0. The game has
/// `rounds` of these, and the rewards are averaged.
#[derive(Clone, Debug)]
struct Matrix {
    entries: &'static [&'static [f64]],
    rounds: usize,
    chosen: Vec<u8>,
    /// Whether player 1 moves after player 0 and sees its choice.
    in_turn: bool,
}

/// The equilibrium of rock-paper-scissors with another reward for paper against rock: (1/3, 2/5, 4/15) for
/// the rows, and (2/5, 1/3, 4/15) for the columns.
const BIASED: &[&[f64]] = &[&[0.5, 0.0, 1.0], &[0.75, 0.5, 0.0], &[0.0, 1.0, 0.5]];

fn matrix(entries: &'static [&'static [f64]]) -> Matrix {
    Matrix { entries, rounds: 1, chosen: Vec::new(), in_turn: false }
}

impl GameState for Matrix {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.chosen.len() == 2 * self.rounds {
            Turn::Over
        } else {
            Turn::Player((self.chosen.len() % 2) as u8)
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        match self.turn() {
            Turn::Player(0) => 0..self.entries.len() as u8,
            Turn::Player(_) => 0..self.entries[0].len() as u8,
            _ => 0..0,
        }
    }
    fn apply(&mut self, action: u8) {
        self.chosen.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let entry = |round: &[u8]| self.entries[usize::from(round[0])][usize::from(round[1])];
        let first = self.chosen.chunks(2).map(entry).sum::<f64>() / self.rounds as f64;
        if player == 0 { first } else { 1.0 - first }
    }
    fn is_simultaneous(&self) -> bool {
        !self.in_turn
    }
}

/// How much both players together could gain by a best response to the strategies at the root, halved.
fn exploitability<P: TreePolicy<Matrix> + Clone>(
    search: &Mcts<Matrix, P, Uniform, Average, PlayerTrees>,
) -> f64
where
    P::Stats: Statistics<Matrix, Uniform>,
{
    let entries = search.state().entries;
    let [rows, columns] = [0, 1].map(|player| search.strategy(player, &[]));
    let row =
        |row: &&[f64]| columns.iter().map(|&(column, share)| share * row[usize::from(column)]).sum::<f64>();
    let column = |column: usize| {
        rows.iter().map(|&(row, share)| share * entries[usize::from(row)][column]).sum::<f64>()
    };
    let best = entries.iter().map(row).fold(f64::MIN, f64::max);
    let worst = (0..entries[0].len()).map(column).fold(f64::MAX, f64::min);
    (best - worst) / 2.0
}

#[test]
fn regret_matching_and_exp3_approach_the_equilibrium_and_decoupled_uct_does_not() {
    let budget = Budget::iterations(20_000);
    let mut search = Mcts::player_trees(matrix(BIASED)).tree_policy(RegretMatching::default()).seed(1);
    let report = search.run(budget).expect("a sound game");
    assert!(exploitability(&search) < 0.02, "{}", exploitability(&search));
    assert!(
        (report.actions.iter().map(|action| action.improved_policy.expect("RM")).sum::<f32>() - 1.0).abs()
            < 1e-5
    );
    let mut search = Mcts::player_trees(matrix(BIASED)).tree_policy(Exp3::default()).seed(1);
    search.run(budget).expect("a sound game");
    assert!(exploitability(&search) < 0.03, "{}", exploitability(&search));
    let mut search = Mcts::player_trees(matrix(BIASED)).seed(1);
    search.run(budget).expect("a sound game");
    assert!(exploitability(&search) > 0.04, "{}", exploitability(&search));
}

/// The rows differ by far in their rewards, and the column does not matter.
#[test]
fn regrets_are_those_against_the_same_choice_of_the_other() {
    let mut search =
        Mcts::player_trees(matrix(&[&[0.9, 0.4], &[0.5, 0.0]])).tree_policy(RegretMatching::new(0.1)).seed(3);
    search.run(Budget::iterations(2_000)).expect("a sound game");
    let best = |player, action| {
        let strategy = search.strategy(player, &[]);
        strategy.iter().find(|entry| entry.0 == action).map_or(0.0, |entry| entry.1)
    };
    // Row 0 gains .4 in each column, and column 1 gains .5 in each row, from the second iteration on.
    assert!(best(0, 0) > 0.99 && best(1, 1) > 0.99, "{} {}", best(0, 0), best(1, 1));
    // The visits keep the uniform share.
    let [rows, columns] = [0, 1].map(|player| search.report_of(player).expect("they choose at the root"));
    assert!((60..160).contains(&visits(&rows)[1]), "{rows}");
    assert!((60..160).contains(&visits(&columns)[0]), "{columns}");
}

#[test]
fn an_action_is_drawn_where_players_choose_at_the_same_time() {
    let mut counts = [0u32; 3];
    for seed in 0..120 {
        let mut search = Mcts::player_trees(matrix(BIASED)).tree_policy(RegretMatching::default()).seed(seed);
        let report = search.run(Budget::iterations(300)).expect("a sound game");
        counts[usize::from(report.best_action())] += 1;
        assert_eq!(search.report().expect("a sound game").best_action(), report.best_action());
    }
    // Each probability is above .2 in the equilibrium.
    assert!(counts.iter().all(|&count| count > 8), "{counts:?}");
    // A policy without a strategy of its own, such as the default, plays the most visited action.
    for seed in 0..20 {
        let mut search = Mcts::player_trees(matrix(BIASED)).seed(seed);
        let report = search.run(Budget::iterations(300)).expect("a sound game");
        let most = *visits(&report).iter().max().expect("three");
        assert_eq!(visits(&report)[usize::from(report.best_action())], most);
    }
}

/// Player 1 wins by the same choice as player 0.
#[test]
fn who_moves_in_turn_sees_and_who_chooses_at_the_same_time_does_not() {
    const SAME: &[&[f64]] = &[&[0.0, 1.0], &[1.0, 0.0]];
    let mean = |in_turn| {
        let game = Matrix { in_turn, ..matrix(SAME) };
        let mut search = Mcts::player_trees(game).tree_policy(RegretMatching::default()).seed(2);
        let report = search.run(Budget::iterations(5_000)).expect("a sound game");
        assert_eq!(search.report_of(1).is_ok(), !in_turn);
        (report.actions[0].mean + report.actions[1].mean) / 2.0
    };
    assert!(mean(true) < 0.1 && (mean(false) - 0.5).abs() < 0.15, "{} {}", mean(true), mean(false));
}

#[test]
fn the_trees_keep_what_follows_from_what_was_seen() {
    let game = Matrix { rounds: 2, ..matrix(BIASED) };
    let mut search = Mcts::player_trees(game).tree_policy(RegretMatching::default()).seed(1);
    search.run(Budget::iterations(3_000)).expect("a sound game");
    let second_round = [search.strategy(0, &[2, 1]), search.strategy(1, &[1, 2])];
    assert!(second_round.iter().all(|strategy| strategy.len() == 3));
    search.advance(2).expect("a legal action");
    assert_eq!(search.run(Budget::iterations(10)), Err(SearchError::MidStep));
    assert_eq!(
        (search.report(), search.report_of(0)),
        (Err(SearchError::MidStep), Err(SearchError::MidStep))
    );
    assert!(search.strategy(0, &[]).is_empty());
    assert!(matches!(search.advance(7), Err(SearchError::IllegalAction { .. })));
    search.set_root_decision(None); // changes nothing in the middle of a step
    let mut after = search.state().clone();
    after.apply(1);
    search.advance_to(1, after).expect("no iteration is pending");
    assert_eq!([search.strategy(0, &[]), search.strategy(1, &[])], second_round);
    let before = search.report().expect("a tree").root_visits;
    assert!(before > 20, "{before}");
    let report = search.run(Budget::iterations(100)).expect("a sound game");
    assert_eq!((report.root_visits, report.player), (before + 100, Some(0)));
    search.advance(0).expect("a legal action");
    search.advance(0).expect("a legal action");
    assert_eq!(search.run(Budget::iterations(10)), Err(SearchError::GameOver));
    assert_eq!(search.advance(0), Err(SearchError::GameOver));
    search.reset(matrix(BIASED));
    assert_eq!(search.run(Budget::iterations(10)).expect("a sound game").root_visits, 10);
}

/// Player 0 has the queen and may bet. Player 1 folds the jack and calls with the king, in a tree that begins
/// with its card.
#[test]
fn the_others_act_by_what_they_know_in_each_guess() {
    let state = Kuhn { cards: vec![1, 0], acts: Vec::new() };
    let policy = AvailabilityUcb1::new(0.7);
    let mut search = Mcts::player_trees(InformationSet::new(state)).tree_policy(policy).seed(1);
    search.run(Budget::iterations(5_000)).expect("a sound game");
    let calls = |card| {
        let strategy = search.strategy(1, &[Act::Deal(card), Act::Bet]);
        strategy.iter().find(|entry| entry.0 == Act::Bet).map_or(0.5, |entry| entry.1)
    };
    assert!(calls(0) < 0.1 && calls(2) > 0.9, "{} {}", calls(0), calls(2));
    // The observer's own tree begins with its actions.
    assert_eq!(search.strategy(0, &[]).len(), 2);
    assert!(search.strategy(1, &[Act::Bet]).is_empty());
    // The value of a bet: it loses 2 to the king and wins 1 from the jack, in rewards from 0 to 1 for -2 to 2
    // chips.
    let report = search.report().expect("a tree");
    let bet = report.actions.iter().find(|entry| entry.action == Act::Bet).expect("listed");
    assert!((bet.mean - 0.375).abs() < 0.03, "{report}");
}

/// A player who chooses at the root does without its knowledge, because its report is about all guesses.
#[test]
fn the_player_to_move_reports_its_actions_also_if_another_one_observes() {
    let start = Kuhn { cards: vec![1, 0], acts: Vec::new() };
    let mut search = Mcts::player_trees(InformationSet::new(start.clone())).seed(1);
    search.run(Budget::iterations(500)).expect("a sound game");
    search.advance(Act::Bet).expect("a legal action");
    // Its tree began with its cards, and these are no actions.
    assert!(search.strategy(1, &[]).is_empty());
    let report = search.run(Budget::iterations(500)).expect("a sound game");
    assert_eq!((report.player, visits(&report).iter().sum::<u32>() > 300), (Some(1), true), "{report}");
    // The observer keeps its tree, and another observer begins anew.
    let mut after = start.clone();
    after.apply(Act::Bet);
    for (observer, keeps) in [(0, true), (1, false)] {
        let mut search = Mcts::player_trees(InformationSet::new(start.clone())).seed(1);
        search.run(Budget::iterations(500)).expect("a sound game");
        search
            .advance_to(Act::Bet, InformationSet::new(after.clone()).observer(observer))
            .expect("no iteration is pending");
        assert_eq!(!search.strategy(0, &[]).is_empty(), keeps);
    }
    let nobody = Mcts::player_trees(InformationSet::new(start).observer(5)).run(Budget::iterations(9));
    assert_eq!(
        nobody,
        Err(SearchError::Game {
            fault: GameFault::UnknownPlayer { player: 5, players: 2 },
            ply: 0,
            line: LineOfPlay::default()
        })
    );
}

/// Player 0 hides a coin in one of two hands, and player 1 guesses.
#[derive(Clone, Debug, Default)]
struct Coin(Vec<u8>);

impl GameState for Coin {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.0.len() == 2 { Turn::Over } else { Turn::Player(self.0.len() as u8) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.0.len() == 2 { 0 } else { 2 }
    }
    fn apply(&mut self, hand: u8) {
        self.0.push(hand);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from((self.0[0] == self.0[1]) == (player == 1)))
    }
}

impl HiddenInformation for Coin {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if observer == 1 && self.0.len() == 1 {
            self.0[0] = rng.below(2) as u8;
        }
    }
    fn observe(&self, hand: u8, observer: Player) -> Option<u8> {
        if self.0.is_empty() && observer == 1 { None } else { Some(hand) }
    }
}

/// In one tree, player 1 answers to what player 0 has done, also where it did not see it.
#[test]
fn the_others_do_not_see_what_the_observer_does() {
    let start = || InformationSet::new(Coin::default());
    let budget = Budget::iterations(5_000);
    let report =
        Mcts::player_trees(start()).tree_policy(RegretMatching::default()).run(budget).expect("a sound game");
    let mean = (report.actions[0].mean + report.actions[1].mean) / 2.0;
    assert!((mean - 0.5).abs() < 0.15, "{report}");
}

/// A game that breaks its contract in the way of its number.
#[derive(Clone, Debug)]
struct Wrong(u8, Vec<u8>);

impl GameState for Wrong {
    type Action = u8;

    fn turn(&self) -> Turn {
        match (self.0, self.1.len()) {
            (1, 1) => Turn::Player(5),
            (5, 1) => Turn::Player(255),
            (2, _) => Turn::Chance,
            (_, 2) => Turn::Over,
            (_, length) => Turn::Player(length as u8),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.0 == 0 && self.1.len() == 1 { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.1.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        if self.0 == 3 { f64::NAN } else { 0.5 }
    }
    fn players(&self) -> u8 {
        match self.0 {
            4 => 9,
            7 => 3,
            _ => 2,
        }
    }
    fn is_simultaneous(&self) -> bool {
        true
    }
}

#[test]
fn broken_games_and_unfit_settings_are_errors() {
    let run = |fault| Mcts::player_trees(Wrong(fault, Vec::new())).run(Budget::iterations(100));
    let game = |run, expected, at| {
        let Err(SearchError::Game { fault, ply, .. }) = run else { panic!("no fault") };
        assert_eq!((fault, ply), (expected, at));
    };
    game(run(0), GameFault::NoActions, 0); // a step without actions for one player
    game(run(1), GameFault::UnknownPlayer { player: 5, players: 2 }, 1);
    if sized(false, true) {
        // Ten million actions, as they are compiled here, take seconds.
        assert!(matches!(run(2), Err(SearchError::Game { fault: GameFault::Endless { .. }, .. })));
    }
    assert!(matches!(run(3), Err(SearchError::Game { fault: GameFault::Reward { .. }, ply: 2, .. })));
    game(run(4), GameFault::Players { players: 9 }, 0);
    game(run(5), GameFault::UnknownPlayer { player: 255, players: 2 }, 1);
    assert!(run(6).is_ok());

    let new = || Mcts::player_trees(matrix(BIASED));
    let error = |result: Result<Report<u8>, SearchError>| result.expect_err("unfit").to_string();
    let widened = new().expansion(Expansion::default().widening(1.0, 0.5)).run(Budget::iterations(9));
    assert!(error(widened).contains("widening"));
    let gamma = new().tree_policy(RegretMatching::new(0.0)).run(Budget::iterations(9));
    assert_eq!(error(gamma), "RegretMatching::gamma is 0; it must be above 0 and at most 1");
    assert!(new().run(Budget::iterations(9).or_decided()).is_err(), "a mixed strategy is never decided");
    assert_eq!(new().report_of(2), Err(SearchError::NotToMove { player: 2 }));
    assert!(new().strategy(0, &[]).is_empty() && new().strategy(7, &[]).is_empty());
    let mut search = new();
    search.stop_handle().stop();
    // A run that fails in its checks leaves the request to the next run.
    assert!(search.run(Budget::iterations(9).or_decided()).is_err());
    assert_eq!(search.run(Budget::until_stopped()).expect("one iteration").iterations, 1);
    // Another number of players needs another search.
    let mut search = Mcts::player_trees(Wrong(6, Vec::new()));
    search.reset(Wrong(7, Vec::new()));
    assert_eq!(search.run(Budget::iterations(9)), Err(SearchError::OtherPlayers { players: 3, trees: 2 }));
    search.reset(Wrong(6, Vec::new()));
    assert!(search.run(Budget::iterations(9)).is_ok());
}

/// Chance draws a number that nobody sees. Then player 0 takes .9 or .1, and player 1 chooses eight times
/// without effect. Player 0 sees nothing of that.
#[derive(Clone, Debug, Default)]
struct Blind(Vec<u8>);

impl GameState for Blind {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.0.len() {
            0 => Turn::Chance,
            1 => Turn::Player(0),
            2..10 => Turn::Player(1),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..[2, 2, 8, 0][self.0.len().min(2) + usize::from(self.0.len() == 10)]
    }
    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }
    fn probability(&self, _: u8) -> f64 {
        if self.0.is_empty() { 0.5 } else { f64::NAN }
    }
    fn reward(&self, player: Player) -> f64 {
        if (self.0[1] == 0) == (player == 0) { 0.9 } else { 0.1 }
    }
}

impl HiddenInformation for Blind {
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        if let Some(drawn) = self.0.first_mut() {
            *drawn = rng.below(2) as u8;
        }
    }
    fn observe(&self, action: u8, observer: Player) -> Option<u8> {
        if self.0.is_empty() || observer == 0 { None } else { Some(action) }
    }
}

#[test]
fn a_player_who_does_not_see_that_chance_moves_first_still_decides() {
    let mut search = Mcts::player_trees(InformationSet::new(Blind::default()));
    search.run(Budget::iterations(500)).expect("a sound game");
    let strategy = search.strategy(0, &[]);
    let good = strategy.iter().find(|entry| entry.0 == 0).map_or(0.0, |entry| entry.1);
    assert!(good > 0.9, "{strategy:?}");
}

/// The tree of player 0, which reports, stays small.
#[test]
fn a_bound_on_bytes_is_one_on_all_trees_together() {
    let start = InformationSet::new(Blind::default());
    let bytes = Bytes::kib(200);
    let report = Mcts::player_trees(start).run(Budget::iterations(50_000).and_bytes(bytes)).expect("a game");
    assert_eq!(report.stop_reason, StopReason::Bytes);
    assert!(report.iterations < 50_000, "{report}");
}

/// A report asks the tree policy about the restriction of today, not about that of the last iteration.
#[test]
fn a_report_after_a_restriction_needs_no_iteration() {
    let mut search = Mcts::player_trees(matrix(BIASED)).tree_policy(RegretMatching::default()).seed(1);
    search.run(Budget::iterations(1_000)).expect("a sound game");
    for forbidden in [0, 1, 2] {
        search.set_root_actions(ramure::RootActions::except([forbidden]));
        let (report, strategy) = (search.report().expect("a sound game"), search.strategy(0, &[]));
        assert_eq!((report.actions.len(), strategy.len()), (2, 2), "{report}");
        for entry in &report.actions {
            let found = strategy.iter().find(|found| found.0 == entry.action).map_or(0.0, |found| found.1);
            let known = f64::from(entry.improved_policy.expect("a strategy"));
            assert!((found - known).abs() < 1e-5, "without {forbidden}: {strategy:?}\n{report}");
        }
        search.run(Budget::iterations(100)).expect("a sound game");
    }
    search.set_root_actions(ramure::RootActions::default());
    assert_eq!(search.strategy(0, &[]).len(), 3);
    assert!(
        search.report().expect("a sound game").actions.iter().all(|entry| entry.improved_policy.is_some())
    );
}

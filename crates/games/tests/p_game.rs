//! `games::PGame`: its laws, its exact values compared with plain minimax, and how often its trees fit the
//! paper.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::{self, chi_squared};
use ramure::{ActionIndex, GameState, Rng, StaticEvaluation, Turn};
use ramure_games::PGame;

ramure_rules::laws!(mod rules_of_a_narrow_tree, game(2, 9, 1); hash, constant_sum = 1.0, winner = PGame::winner);
ramure_rules::laws!(mod rules_of_a_wide_tree, game(7, 4, 2); hash, constant_sum = 1.0, winner = PGame::winner);

fn game(branching: u8, depth: u8, seed: u64) -> PGame {
    PGame::new(branching, depth, seed).expect("a tree")
}

/// Returns the winner, by minimax over every leaf, from the sums at the leaves alone.
fn winner_by_minimax(game: &PGame) -> u8 {
    let Turn::Player(player) = game.turn() else { return if game.sum() > 0 { 0 } else { 1 } };
    // Visit all children, because a cutoff could hide a mistake.
    let winners = Vec::from_iter(
        game.actions().into_iter().map(|action| winner_by_minimax(&common::after(game, [action]))),
    );
    if winners.contains(&player) { player } else { 1 - player }
}

#[test]
fn a_tree_without_actions_is_rejected() {
    for (made, what) in [(PGame::new(0, 3, 0), "branching"), (PGame::new(3, 0, 0), "depth")] {
        let error = made.expect_err("no such tree");
        assert_eq!(error.to_string(), format!("PGame::{what} is 0; it must be from 1 to 255"));
    }
    let deep = game(1, 255, 0);
    assert_eq!(deep.solve(), winner_by_minimax(&deep), "the deepest tree works");
}

#[test]
fn the_exact_winner_agrees_with_plain_minimax() {
    for (branching, depth, trees) in
        [(1, 6, 50), (2, 1, 300), (2, 10, 100), (2, 11, 50), (3, 7, 50), (6, 4, 50)]
    {
        for seed in 0..trees {
            let root = game(branching, depth, seed);
            assert_eq!(root.solve(), winner_by_minimax(&root), "{root:?}");
            let good = Vec::from_iter(
                (0..branching).filter(|&action| winner_by_minimax(&common::after(&root, [action])) == 0),
            );
            assert_eq!(root.good_actions(), good, "{root:?}");
            assert_eq!(!good.is_empty(), root.solve() == 0);
        }
    }
}

#[test]
fn the_good_actions_are_those_of_the_player_to_move() {
    let mut rng = Rng::seeded(5);
    for seed in 0..300 {
        let state = common::wander(game(3, 6, seed), 1 + rng.below(6), &mut rng);
        let mover = state.played() & 1;
        let good = Vec::from_iter(
            state
                .actions()
                .into_iter()
                .filter(|&action| winner_by_minimax(&common::after(&state, [action])) == mover),
        );
        assert_eq!(state.good_actions(), good, "{state:?}");
    }
}

#[test]
fn max_adds_and_min_subtracts_uniform_numbers_from_0_to_127() {
    let mut counts = vec![0; 128];
    for seed in 0..400 {
        let mut rng = Rng::seeded(seed);
        let mut state = game(5, 20, seed);
        while let Some(action) = state.random_action(&mut rng) {
            let next = common::after(&state, [action]);
            let number = if state.turn() == Turn::Player(0) { 1 } else { -1 } * (next.sum() - state.sum());
            counts[usize::try_from(number).expect("not negative")] += 1;
            state = next;
        }
        assert_eq!(state.winner(), Some(if state.sum() > 0 { 0 } else { 1 }));
        assert_eq!([state.reward(0), state.reward(1)], if state.sum() > 0 { [1.0, 0.0] } else { [0.0, 1.0] });
    }
    // 8000 numbers. Chi-squared with 127 degrees of freedom is above 182 with a probability of .001.
    let statistic = chi_squared(&counts, &[1.0 / 128.0; 128]);
    assert!(statistic < 182.0, "{statistic}");
}

#[test]
fn the_number_of_an_action_depends_only_on_the_actions_before_it() {
    let (one, other) = (game(3, 12, 4), game(3, 12, 5));
    let line = [0, 1, 2, 0, 1, 2, 2, 1, 0, 0, 0, 1];
    assert_eq!(common::after(&one, line), common::after(&one, line));
    let sums = |root: &PGame, line: [u8; 12]| {
        Vec::from_iter((1..=12).map(|played| common::after(root, line[..played].iter().copied()).sum()))
    };
    assert_ne!(sums(&one, line), sums(&other, line));
    // The same actions after a different first action: eleven equal numbers have a probability of 128^-11.
    let changed = sums(&one, [1, 1, 2, 0, 1, 2, 2, 1, 0, 0, 0, 1]);
    let steps = |sums: Vec<i32>| Vec::from_iter(sums.windows(2).map(|pair| pair[1] - pair[0]));
    assert_ne!(steps(sums(&one, line)), steps(changed));
}

#[test]
fn binary_trees_have_a_meaningful_choice_with_the_expected_frequency() {
    // MAX's action a is good if a exceeds both answers of MIN. The probability p of that is the sum of (a /
    // 128)^2 / 128 over a in 0..=127, independently for the two actions. So 2 p (1 - p) of the trees have a
    // good and a bad action.
    let p = (0..128).map(|a| f64::from(a * a)).sum::<f64>() / 128f64.powi(3);
    let expected = 2.0 * p * (1.0 - p);
    let trees = 20_000;
    let with_a_choice = (0..trees).filter(|&seed| game(2, 2, seed).good_actions().len() == 1).count();
    let deviation = (expected * (1.0 - expected) / trees as f64).sqrt();
    let share = with_a_choice as f64 / trees as f64;
    // Four standard deviations: fails with a probability of 6e-5.
    assert!((share - expected).abs() < 4.0 * deviation, "{share}, expected {expected}");
}

#[test]
fn the_evaluation_is_the_share_of_positive_sums_within_reach() {
    for (branching, depth, seed) in [(3, 1, 1), (2, 5, 2), (4, 8, 3), (3, 9, 4)] {
        let mut rng = Rng::seeded(seed);
        for _ in 0..20 {
            let mut state = game(branching, depth, rng.bits());
            loop {
                let left = (state.played()..depth).map(|played| if played % 2 == 0 { 127 } else { -127 });
                let [most, least] = [0, -127].map(|from| {
                    state.sum() + left.clone().map(|number: i32| number.clamp(from, from + 127)).sum::<i32>()
                });
                let sums = Vec::from_iter(least..=most);
                let share = sums.iter().filter(|&&sum| sum > 0).count() as f64 / sums.len() as f64;
                assert_eq!(state.evaluate(0), share, "{state:?}");
                assert_eq!(state.evaluate(0) + state.evaluate(1), 1.0, "{state:?}");
                let Some(action) = state.random_action(&mut rng) else { break };
                state.apply(action);
            }
            // From here on, the winner is fixed.
            assert_eq!(
                [0, 1].map(|player| state.evaluate(player)),
                [0, 1].map(|player| state.reward(player))
            );
        }
    }
}

#[test]
fn a_player_who_cannot_lose_has_an_evaluation_of_one() {
    let mut decided = 0;
    for seed in 0..200 {
        let state = common::wander(game(3, 8, seed), 6, &mut Rng::seeded(seed));
        for player in 0..2 {
            if state.evaluate(player) == 1.0 {
                assert_eq!((state.solve(), state.evaluate(1 - player)), (player, 0.0), "{state:?}");
                decided += 1;
            }
        }
    }
    assert!((20..200).contains(&decided), "some are decided and some are not: {decided}");
}

#[test]
fn the_actions_of_the_widest_tree_have_numbers_below_the_count() {
    let numbers = Vec::from_iter(game(255, 1, 0).actions().into_iter().map(PGame::action_index));
    assert_eq!(numbers, Vec::from_iter(0..PGame::ACTION_COUNT));
}

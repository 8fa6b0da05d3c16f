//! `games::Bandit`: its laws, its errors, and that a search of it is the bandit of the papers.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::{self, chi_squared};
use ramure::backpropagation::Average;
use ramure::selection::{Thompson, Ucb1};
use ramure::{Budget, Expansion, GameState, Mcts, Rng, Turn};
use ramure_games::Bandit;
use ramure_games::bandit::BanditAction;

ramure_rules::laws!(mod rules_of_three_arms, bandit(&[0.9, 0.25, 0.5]));
ramure_rules::laws!(mod rules_of_one_arm, bandit(&[1.0]));
ramure_rules::laws!(mod rules_of_arms_that_never_win, bandit(&[0.0; 40]));

fn bandit(arms: &[f64]) -> Bandit {
    Bandit::new(arms).expect("probabilities")
}

#[test]
fn invalid_arms_are_rejected() {
    for arms in [0, Bandit::MAX_ARMS + 1] {
        let error = Bandit::new(&vec![0.5; arms]).expect_err("no such bandit");
        assert_eq!(error.to_string(), format!("Bandit::arms is {arms}; it must be from 1 to 1000"));
    }
    assert!(Bandit::new(&[0.5; Bandit::MAX_ARMS]).is_ok());
    for wrong in [-0.1, 1.1, f64::INFINITY, f64::NEG_INFINITY] {
        let error = Bandit::new(&[0.0, 1.0, wrong]).expect_err("no probability");
        assert_eq!((error.name, error.value), ("Bandit::probabilities", wrong));
    }
    let nan = Bandit::new(&[f64::NAN]).expect_err("no probability");
    assert!(nan.to_string().contains("NaN"), "{nan}");
}

#[test]
fn a_game_is_a_choice_of_an_arm_and_one_chance_outcome() {
    let mut game = bandit(&[0.75, 0.5]);
    assert_eq!((game.turn(), game.players()), (Turn::Player(0), 1));
    assert_eq!(Vec::from_iter(game.actions()), [BanditAction::Arm(0), BanditAction::Arm(1)]);
    game.apply(BanditAction::Arm(0));
    assert_eq!(game.turn(), Turn::Chance);
    let outcomes =
        Vec::from_iter(game.actions().into_iter().map(|outcome| (outcome, game.probability(outcome))));
    assert_eq!(outcomes, [(BanditAction::Win, 0.75), (BanditAction::Loss, 0.25)]);
    let sure = common::after(&bandit(&[1.0]), [BanditAction::Arm(0)]);
    assert_eq!(Vec::from_iter(sure.actions()), [BanditAction::Win], "what never happens is not listed");
    for (outcome, reward) in [(BanditAction::Win, 1.0), (BanditAction::Loss, 0.0)] {
        let over = common::after(&game, [outcome]);
        assert_eq!((over.turn(), over.reward(0)), (Turn::Over, reward));
        assert_eq!(over.actions().into_iter().count(), 0);
    }
}

#[test]
fn arms_win_with_their_probabilities() {
    let mut rng = Rng::seeded(3);
    for probability in [0.0, 0.1, 0.5, 0.9, 1.0] {
        let game = common::after(&bandit(&[probability]), [BanditAction::Arm(0)]);
        let draws = 40_000;
        let wins = (0..draws).filter(|_| game.random_outcome(&mut rng) == Some(BanditAction::Win)).count();
        // Five standard deviations, which are 0 for the first and the last arm. Fails with a probability of
        // 2e-6.
        let (mean, variance) = (f64::from(draws) * probability, probability * (1.0 - probability));
        let spread = 5.0 * (f64::from(draws) * variance).sqrt();
        assert!((wins as f64 - mean).abs() <= spread, "{wins} of {draws} at {probability}");
    }
}

#[test]
fn clone_from_copies_the_arms_of_a_bandit() {
    let (from, mut into) = (bandit(&[0.25]), bandit(&[0.5, 0.75]));
    into.apply(BanditAction::Arm(1));
    into.clone_from(&from);
    assert_eq!(into, from);
    assert_eq!(into.probabilities(), [0.25]);
}

#[test]
fn every_iteration_plays_one_arm_and_ucb1_plays_each_once_first() {
    let arms = [0.3, 0.7, 0.5, 0.1, 0.9];
    for seed in 0..20 {
        let mut search =
            Mcts::new(bandit(&arms)).expansion(Expansion::default().on_visit(u32::MAX)).seed(seed);
        for plays in 1..=30 {
            let report = search.run(Budget::iterations(1)).expect("a sound game");
            let visits = common::visits(&report);
            assert_eq!(visits.iter().sum::<u32>(), plays);
            let played = visits.iter().filter(|&&visits| visits > 0).count();
            assert_eq!(played, arms.len().min(plays as usize), "{visits:?}");
            assert!(report.nodes <= 1 + arms.len(), "no node below an arm: {report}");
        }
    }
}

#[test]
fn a_search_plays_the_arms_that_a_plain_ucb1_plays() {
    // If chance has nothing to decide, the plays follow from the formula alone: figure 1 of the paper, in
    // f64.
    let arms = [1.0, 0.0, 0.0];
    let mut search = Mcts::new(bandit(&arms)).backprop(Average).tree_policy(Ucb1::new(2_f32.sqrt()));
    let report = search.run(Budget::iterations(1_500)).expect("a sound game");
    let mut plays = [1.0f64; 3];
    while plays.iter().sum::<f64>() < 1_500.0 {
        let n = plays.iter().sum::<f64>();
        let scores = [0, 1, 2].map(|arm| arms[arm] + (2.0 * n.ln() / plays[arm]).sqrt());
        let best = scores.into_iter().fold(f64::MIN, f64::max);
        // The two losing arms may be played in any order.
        let arm = scores.iter().position(|&score| score == best).expect("one of them");
        plays[arm] += 1.0;
    }
    let visits = Vec::from_iter(common::visits(&report).into_iter().map(f64::from));
    assert_eq!(visits[0], plays[0], "{report}");
    let losing = [visits[1].min(visits[2]), visits[1].max(visits[2])];
    assert_eq!(losing, [plays[1].min(plays[2]), plays[1].max(plays[2])]);
}

#[test]
fn thompson_plays_equal_arms_equally_often_at_first() {
    // The first play of many searches. Chi-squared with three degrees of freedom is above 16.3 with a
    // probability of .001.
    let mut counts = [0; 4];
    for seed in 0..4_000 {
        let mut search = Mcts::new(bandit(&[0.5; 4])).tree_policy(Thompson).seed(seed);
        let visits = common::visits(&search.run(Budget::iterations(1)).expect("a sound game"));
        counts[visits.iter().position(|&visits| visits == 1).expect("one play")] += 1;
    }
    assert!(chi_squared(&counts, &[0.25; 4]) < 16.3, "{counts:?}");
}

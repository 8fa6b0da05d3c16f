//! Searches with a tree for each player approach equilibria, as exact exploitability shows. With
//! `RAMURE_DEEP`, the marks of the sources; `-- equilibria --nocapture` prints the figures.

use crate::sized;
use ramure::HiddenInformation;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::{Exp3, RegretMatching};
use ramure::statistics::Statistics;
use ramure_lab::commands::leduc::{self, Kind, Settings};
use ramure_lab::exact::SequenceForm;
use ramure_lab::games::goofspiel::{Goofspiel, Prizes, Scoring};
use ramure_lab::games::{Kuhn, MatrixGame};
use ramure_lab::pictures::Picture;

/// Returns the probabilities of `actions` in a strategy; uniform where the search has no strategy.
fn in_order<A: Clone + Eq>(strategy: &[(A, f64)], actions: &[A]) -> Vec<f64> {
    let share = |action: &A| strategy.iter().find(|entry| entry.0 == *action).map_or(0.0, |entry| entry.1);
    if strategy.is_empty() {
        vec![1.0 / actions.len() as f64; actions.len()]
    } else {
        actions.iter().map(share).collect()
    }
}

/// Returns the exploitability of the strategies after each of these numbers of iterations.
fn by_trees<G, P>(name: &str, game: &G, policy: P, iterations: &[u64]) -> Vec<f64>
where
    G: HiddenInformation,
    P: TreePolicy<G> + Clone,
    P::Stats: Statistics<G, Uniform>,
{
    let form = SequenceForm::of(game).expect("a small game");
    let mut search = Mcts::player_trees(InformationSet::new(game.clone())).tree_policy(policy).seed(1);
    let mut done = 0;
    let mut after = |&all: &u64| {
        search.run(Budget::iterations(all - done)).expect("a sound game");
        done = all;
        let strategy = |player, seen: &[G::Action], actions: &[G::Action]| {
            in_order(&search.strategy(player, seen), actions)
        };
        let exploited = form.profile(strategy).expect("probabilities").exploitability();
        println!("{name:<40} {all:>9} {exploited:.4}");
        exploited
    };
    iterations.iter().map(&mut after).collect()
}

/// The same by outcome sampling.
fn by_sampling<G: HiddenInformation>(name: &str, game: &G, iterations: &[u64]) -> Vec<f64> {
    let form = SequenceForm::of(game).expect("a small game");
    let mut search = Mcts::outcome_sampling(InformationSet::new(game.clone())).seed(1);
    let mut done = 0;
    let mut after = |&all: &u64| {
        search.run(Budget::iterations(all - done)).expect("a sound game");
        done = all;
        let strategy = |player, seen: &[G::Action], actions: &[G::Action]| {
            in_order(&search.strategy(player, seen), actions)
        };
        let exploited = form.profile(strategy).expect("probabilities").exploitability();
        println!("{name:<40} {all:>9} {exploited:.4}");
        exploited
    };
    iterations.iter().map(&mut after).collect()
}

fn last(exploited: &[f64]) -> f64 {
    *exploited.last().expect("it ran")
}

/// Uniform strategies lose .375 in Goofspiel with 4 cards. With 5 cards, γ = 0.2 gave .050 by regret matching
/// and .055 by Exp3.
#[test]
fn regret_matching_and_exp3_approach_equilibria_of_simultaneous_games() {
    let iterations = sized(&[30_000][..], &[10_000, 100_000, 1_000_000]);
    for &(cards, gamma, most) in sized(&[(4, 0.1, 0.1)][..], &[(4, 0.1, 0.05), (5, 0.2, 0.08)]) {
        for scoring in [Scoring::Win, Scoring::Difference] {
            let game = Goofspiel::new(cards, Prizes::Descending, scoring).expect("few cards");
            let name = |policy: &str| format!("goofspiel {cards} {scoring:?} {policy}");
            let regret = by_trees(&name("regret matching"), &game, RegretMatching::new(gamma), iterations);
            assert!(last(&regret) < most, "{}: {regret:?}", name(""));
            let exp3 = by_trees(&name("exp3"), &game, Exp3::new(gamma), iterations);
            assert!(last(&exp3) < sized(3.0, 1.0) * most, "{}: {exp3:?}", name(""));
        }
    }
    for size in sized(&[2, 5][..], &[2, 3, 4, 5, 6, 7, 8, 9, 10]) {
        let game = MatrixGame::random(*size, *size, 7).expect("a small matrix");
        let name = |policy: &str| format!("matrix {size} x {size} {policy}");
        let regret = by_trees(&name("regret matching"), &game, RegretMatching::default(), iterations);
        assert!(last(&regret) < sized(0.03, 0.01), "{}: {regret:?}", name(""));
        let exp3 = by_trees(&name("exp3"), &game, Exp3::default(), iterations);
        assert!(last(&exp3) < 0.05, "{}: {exp3:?}", name(""));
    }
}

/// In chips: a reward of 1 is 2 chips.
#[test]
fn outcome_sampling_approaches_an_equilibrium_of_kuhn_poker() {
    let kuhn = by_sampling("kuhn", &Kuhn::new(), sized(&[20_000][..], &[10_000, 100_000, 1_000_000]));
    assert!(4.0 * last(&kuhn) < sized(0.1, 0.01), "{kuhn:?}");
}

/// In chips. Outcome sampling falls towards zero and the two kinds of ISMCTS level off, as published.
#[test]
fn outcome_sampling_approaches_an_equilibrium_of_leduc_poker_and_searches_of_guesses_do_not() {
    let iterations = sized(vec![1_000, 30_000], vec![10_000, 100_000, 1_000_000, 10_000_000]);
    let settings = Settings { iterations, runs: 1, c: 0.7, seed: 1, threads: 1 };
    let measured = leduc::measure(&settings).expect("a sound game");
    // OpenSpiel gives 4.747222222222222 for NashConv, which is twice as much.
    assert!((measured.uniform - 2.373_611_111_111).abs() < 1e-9, "{}", measured.uniform);
    for row in &measured.rows {
        println!("{row:?}");
        let [first, .., last] = &row.points[..] else { panic!("two points at least") };
        let (first, last) = (first.1.value, last.1.value);
        match row.kind {
            Kind::Sampling => assert!(last < sized(0.8, 0.2) * first, "{row:?}"),
            _ => assert!(last > 0.3 && last < measured.uniform, "{row:?}"),
        }
    }
    let picture = leduc::picture(&measured, &settings).svg().expect("positive figures");
    for word in ["outcome sampling", "MO-ISMCTS", "SO-ISMCTS", "chips", "iterations"] {
        assert!(picture.contains(word), "{word}");
    }
}

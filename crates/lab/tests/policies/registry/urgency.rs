//! First-play urgency below the mean, with every policy that takes it.

use super::everything;
use ramure::Expansion;
use ramure::prelude::*;
use ramure::selection::FirstPlay;
use ramure_games::{Connect4, Hex};

#[test]
fn with_urgency_below_the_mean_every_policy_leaves_the_first_child() {
    let known = everything();
    let words = known.words().policies;
    let mut taken = 0;
    for word in words {
        for urgency in ["mean-0", "mean-0.1", "mean-0.2"] {
            // A policy with its own rule for unvisited children does not know the word.
            let own = if word == "single-player" { ",c=0.7" } else { "" }; // its default is for one player
            let text = format!("{word}:fpu={urgency}{own}");
            let Ok(mut search) = known.search(&text, Connect4::new().into(), 7) else {
                continue;
            };
            taken += 1;
            // `halving` needs a number of iterations, which this budget is.
            let report = search.run(Budget::iterations(2_000)).expect("a sound game");
            let tried = report.actions.iter().filter(|action| action.visits > 0).count();
            assert!(tried > 1, "{word}, {urgency}: {report}");
        }
    }
    assert!(taken >= 3 * 15, "{taken} searches take an urgency");
}

#[test]
fn on_hex_urgency_below_the_mean_tries_more_than_one_child() {
    for reduction in [0.0, 0.1, 0.2] {
        let expansion = Expansion::default().first_play(FirstPlay::BelowMean(reduction));
        let search = Mcts::new(Hex::new(7).expect("a size")).tree_policy(Ucb1::new(0.5)).expansion(expansion);
        let report = { search }.run(Budget::iterations(5_000)).expect("a sound game");
        let tried = report.actions.iter().filter(|action| action.visits > 0).count();
        assert!(tried > 10, "{tried} with {reduction}");
    }
}

//! Several trees by text: `trees` and `threads`.

use super::everything;
use crate::common;
use ramure::games::TicTacToe;
use ramure::prelude::*;
use ramure_lab::{ReadError, Registry};

/// The policies of which several trees cannot merge what they keep per node, as the chapter on cores lists them.
const POLICIES_OF_ONE_TREE: [&str; 5] = ["bayes-uct", "shot", "halving", "exp3", "gumbel"];
/// The same for backpropagations.
const BACKPROPS_OF_ONE_TREE: [&str; 7] =
    ["discounted", "recency-weighted", "max", "power-mean", "softmax", "bayes", "implicit-minimax"];

/// Enough iterations for two exchanges and more. Without proofs, so that the search does not end before.
#[test]
fn every_search_is_the_same_with_any_number_of_threads_or_has_an_error() {
    let (known, start) = (everything::<TicTacToe>(), TicTacToe::new());
    let words = known.words();
    let allowed = |words: &[String], refused: &[&str]| {
        Vec::from_iter(words.iter().filter(|word| !refused.contains(&&***word)).cloned())
    };
    let policies = allowed(&words.policies, &POLICIES_OF_ONE_TREE);
    let backprops = allowed(&words.backprops, &BACKPROPS_OF_ONE_TREE);
    assert_eq!((policies.len(), backprops.len()), (words.policies.len() - 5, words.backprops.len() - 7));
    let one_tree = |what: &str, word: &str, known: &[String]| {
        Some(ReadError::OneTree { what: what.into(), word: word.into(), known: known.into() })
    };
    let mut all = Vec::new();
    for policy in &words.policies {
        for backprop in &words.backprops {
            let text = format!("{policy}:backprop={backprop},solver=no,trees=");
            let search = |settings: &str| known.search(&format!("{text}{settings}"), start.clone(), 3);
            let refused = if !policies.contains(policy) {
                one_tree("policy", policy, &policies)
            } else if !backprops.contains(backprop) {
                one_tree("backprop", backprop, &backprops)
            } else {
                None
            };
            assert!(search("1").is_ok(), "{text}1");
            if refused.is_some() {
                assert_eq!(search("2").err(), refused, "{text}2");
                continue;
            }
            let found = |settings: &str| {
                let mut search = search(settings).expect(&text);
                let report = search.run(Budget::iterations(2_400)).expect(&text);
                assert!(report.iterations == 2_400 || report.proof.is_some(), "{text}\n{report}");
                let means = Vec::from_iter(report.actions.iter().map(|action| action.mean.to_bits()));
                (common::visits(&report), means, report.nodes, report.depth)
            };
            let expected = found("2,threads=1");
            assert_eq!(found("2,threads=2"), expected, "{text}2");
            assert_eq!(found("2"), expected, "{text}2");
            all.push((expected, text));
        }
    }
    // One tree gives other results, so there are several.
    for (found, text) in all {
        let mut one = known.search(&format!("{text}1"), start.clone(), 3).expect(&text);
        let report = one.run(Budget::iterations(2_400)).expect(&text);
        assert!(report.proof.is_some() || common::visits(&report) != found.0, "{text}");
    }
}

#[test]
fn a_part_of_the_program_searches_with_one_tree() {
    let known = Registry::<TicTacToe>::new()
        .with_policy("mine", "my own policy", |_| Ok(|| Ucb1::new(1.0)))
        .with_rollout("ours", "my own rollouts", |_| Ok(|| Uniform))
        .with_backprop("theirs", "my own backpropagation", |_| Ok(|| Average));
    let rollouts = "uniform, decisive, multiple";
    let backprops = "average, contempt, relative-bonus, score-bounds";
    let policies = "ucb1, ucb1-tuned, ucb-v, kl-ucb, moss, thompson, gaussian-thompson, epsilon-greedy, \
                    epsilon-n-greedy, boltzmann";
    for (text, part, known_words) in [
        ("mcts:9,policy=mine,trees=2", "policy=mine", policies),
        ("mcts:9,rollout=ours,trees=2", "rollout=ours", rollouts),
        ("mcts:9,backprop=theirs,trees=2", "backprop=theirs", backprops),
        ("mcts:9,policy=exp3,trees=2", "policy=exp3", policies),
        ("mcts:9,backprop=max,trees=2", "backprop=max", backprops),
    ] {
        assert_eq!(
            known.read(text).expect_err(text).to_string(),
            format!("{part} searches with one tree only; leave out `trees`, or choose one of {known_words}")
        );
        assert!(known.read(&text.replace("2", "1")).is_ok(), "{text}");
    }
}

//! Windows by text: `window` and `unobserved`.

use crate::common::{self, any::Any, rows};
use crate::covering::everything;
use ramure::games::TicTacToe;
use ramure::prelude::*;
use ramure_lab::{ReadError, Registry};

/// The policies that are not compiled with windows, as the chapter on batches lists them.
const POLICIES_WITHOUT_WINDOWS: [&str; 13] = [
    "thompson",
    "gaussian-thompson",
    "epsilon-greedy",
    "epsilon-n-greedy",
    "boltzmann",
    "exp3",
    "grave",
    "hrave",
    "rave",
    "rave-k",
    "alpha-amaf",
    "progressive-history",
    "mine",
];
/// The backpropagations that are.
const BACKPROPS_WITH_WINDOWS: [&str; 3] = ["average", "contempt", "relative-bonus"];

/// By hand, windows are compared in `by_hand`.
#[test]
fn a_window_of_one_finds_what_a_search_without_a_window_finds() {
    let known = everything().with_policy("mine", "my own policy", |_| Ok(|| Ucb1::new(1.0)));
    let words = known.words();
    let start = || Any::new(rows::TicTacToe::default());
    let mut searches = 0;
    for policy in &words.policies {
        for backprop in &words.backprops {
            let text = format!("{policy}:backprop={backprop}");
            if policy == "mine" && backprop != "average" {
                continue; // not compiled together
            }
            let found = |settings: &str| {
                let search = known.search(&format!("{text}{settings}"), start(), 3);
                search.map(|mut search| {
                    let report = search.run(Budget::iterations(300)).expect(&text);
                    let means = Vec::from_iter(report.actions.iter().map(|action| action.mean.to_bits()));
                    (common::visits(&report), means, report.nodes, report.depth)
                })
            };
            let expected = found("").expect(&text);
            match found(",window=1") {
                Ok(windowed) => {
                    assert_eq!(windowed, expected, "{text}");
                    assert_ne!(found(",window=20").expect(&text), expected, "{text}");
                    searches += 1;
                }
                Err(ReadError::NoWindow { what, word, known }) if what == "policy" => {
                    assert!(word == *policy && POLICIES_WITHOUT_WINDOWS.contains(&&*word), "{text}");
                    assert!(!known.iter().any(|known| POLICIES_WITHOUT_WINDOWS.contains(&&**known)));
                }
                Err(error) => {
                    let known = BACKPROPS_WITH_WINDOWS.map(String::from).into();
                    let (what, word) = ("backprop".to_owned(), backprop.clone());
                    assert_eq!(error, ReadError::NoWindow { what, word, known }, "{text}");
                    assert!(!BACKPROPS_WITH_WINDOWS.contains(&&**backprop), "{text}");
                }
            }
        }
    }
    assert_eq!(searches, (words.policies.len() - POLICIES_WITHOUT_WINDOWS.len()) * 3);
}

#[test]
fn a_window_by_text_is_checked() {
    let known = Registry::<TicTacToe>::new();
    let error = |text: &str| known.read(text).expect_err(text).to_string();
    assert_eq!(error("mcts:9,window=0"), "window is `0`; it must be a whole number from 1 to 65536");
    assert!(error("mcts:9,unobserved=loss").starts_with("`mcts:9` has no parameter `unobserved`"));
    assert_eq!(
        error("mcts:9,window=4,policy=thompson"),
        "policy=thompson is not compiled with windows; leave out `window`, choose one of ucb1, ucb1-tuned, ucb-v, \
         kl-ucb, moss, single-player, bayes-uct, shot, halving, or build the search in code, with the methods of `Mcts`"
    );
    let name = |text: &str| known.read(text).expect(text).name().to_owned();
    assert_eq!(name("mcts:9,unobserved=loss,window=4"), "mcts:9,window=4");
    assert_eq!(name("mcts:9,window=4,unobserved=mean"), "mcts:9,window=4,unobserved=mean");
}

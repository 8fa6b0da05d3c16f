//! Threads and windows by text: `threads`, `window` and `unobserved`.

use crate::common::{self, any::Any, rows};
use crate::covering::everything;
use ramure::StaticEvaluation;
use ramure::prelude::*;
use ramure_games::TicTacToe;
use ramure_lab::{ReadError, Registry};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// By hand, threads and windows are compared in `by_hand`.
#[test]
fn every_search_finds_the_same_with_any_number_of_threads() {
    let (known, start) = (everything(), Any::new(rows::TicTacToe::default()));
    let words = known.words();
    for policy in &words.policies {
        for backprop in &words.backprops {
            let text = format!("{policy}:backprop={backprop}");
            let found = |settings: &str| {
                let text = format!("{text}{settings}");
                let mut search = known.search(&text, start.clone(), 3).expect(&text);
                let report = search.run(Budget::iterations(300)).expect(&text);
                let means = Vec::from_iter(report.actions.iter().map(|action| action.mean.to_bits()));
                (common::visits(&report), means, report.nodes, report.depth)
            };
            let expected = found(",window=8");
            assert_eq!(found(",window=8,threads=2"), expected, "{text}");
            assert_eq!(found(",threads=2"), expected, "{text}: four leaves for each thread");
            assert_ne!(found(""), expected, "{text}");
        }
    }
}

#[test]
fn a_part_of_the_program_has_no_window() {
    let known = Registry::<TicTacToe>::new()
        .with_policy("mine", "my own policy", |_| Ok(|| Ucb1::new(1.0)))
        .with_rollout("ours", "my own rollouts", |_| Ok(|| Uniform))
        .with_backprop("theirs", "my own backpropagation", |_| Ok(|| Average));
    for (what, word) in [("policy", "mine"), ("rollout", "ours"), ("backprop", "theirs")] {
        let text = format!("mcts:9,{what}={word}");
        assert!(known.read(&text).is_ok(), "{text}");
        for setting in ["threads=1", "window=4", "window=8,threads=2"] {
            let error = known.read(&format!("{text},{setting}")).expect_err(&text);
            assert_eq!(error, ReadError::NoWindow { what: what.into(), word: word.into() });
        }
    }
    assert_eq!(
        known.read("mcts:9,policy=mine,threads=2").expect_err("not compiled").to_string(),
        "policy=mine is not compiled with `threads` and `window`, because this program added it; leave them out, or \
         build the search in code, with the methods of `Mcts`"
    );
}

#[test]
fn a_window_by_text_is_checked() {
    let known = Registry::<TicTacToe>::new();
    let error = |text: &str| known.read(text).expect_err(text).to_string();
    assert_eq!(error("mcts:9,window=0"), "window is `0`; it must be a whole number from 1 to 65536");
    assert!(error("mcts:9,unobserved=loss").starts_with("`mcts:9` has no parameter `unobserved`"));
    let name = |text: &str| known.read(text).expect(text).name().to_owned();
    assert_eq!(name("mcts:9,unobserved=loss,window=4"), "mcts:9,window=4");
    assert_eq!(
        name("mcts:9,window=4,unobserved=mean,threads=1"),
        "mcts:9,threads=1,window=4,unobserved=mean"
    );
}

/// Six actions, which take time. Notes how many are played at once.
#[derive(Clone, Debug, Default)]
struct Watched {
    played: u8,
    now: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl GameState for Watched {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played == 6 { Turn::Over } else { Turn::Player(self.played % 2) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.played == 6 { 0 } else { 4 }
    }
    fn apply(&mut self, _: u8) {
        self.most.fetch_max(self.now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        thread::sleep(Duration::from_micros(50));
        self.now.fetch_sub(1, Ordering::SeqCst);
        self.played += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

impl StaticEvaluation for Watched {
    fn evaluate(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn threads_sets_the_number_of_threads() {
    for (settings, most) in [("window=8", 1), ("threads=1", 1), ("threads=2", 2), ("window=9,threads=3", 3)] {
        for policy in ["ucb1", "thompson", "grave"] {
            let (state, text) = (Watched::default(), format!("{policy}:{settings}"));
            // The same game as in other tests, so that its search loops are compiled once.
            let mut search = everything().search(&text, Any::new(state.clone()), 1).expect(&text);
            search.run(Budget::iterations(200)).expect(&text);
            let played = state.most.load(Ordering::SeqCst);
            assert!(played <= most && (played > 1) == (most > 1), "{text}: {played}");
        }
    }
}

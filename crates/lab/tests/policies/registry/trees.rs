//! Several trees by text: `trees` and `threads`.

use crate::common::{self, any::Any, rows};
use crate::covering::everything;
use ramure::StaticEvaluation;
use ramure::games::TicTacToe;
use ramure::prelude::*;
use ramure_lab::{ReadError, Registry};
use std::collections::HashSet;
use std::error::Error;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};

/// The policies of which several trees cannot merge what they keep per node, as the chapter on cores lists
/// them.
const POLICIES_OF_ONE_TREE: [&str; 5] = ["bayes-uct", "shot", "halving", "exp3", "gumbel"];
/// The same for backpropagations.
const BACKPROPS_OF_ONE_TREE: [&str; 7] =
    ["discounted", "recency-weighted", "max", "power-mean", "softmax", "bayes", "implicit-minimax"];

/// Enough iterations for two exchanges and more. Without proofs, so that the search does not end before.
#[test]
fn every_search_is_the_same_with_any_number_of_threads_or_has_an_error() {
    let (known, start) = (everything(), Any::new(rows::TicTacToe::default()));
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
            if refused.is_some() {
                assert!(search("1").is_ok(), "{text}1");
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
            // There are several trees, because one tree finds something else.
            assert_ne!(found("1"), expected, "{text}2");
        }
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
    let policies = "ucb1, ucb1-tuned, ucb-v, kl-ucb, moss, single-player, thompson, gaussian-thompson, epsilon-greedy, \
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

/// Six random actions. Notes the threads on which they are played.
#[derive(Clone, Debug, Default)]
struct Watched {
    played: u8,
    threads: Arc<Mutex<HashSet<ThreadId>>>,
    /// Whether the third action panics.
    panics: Arc<AtomicBool>,
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
        self.threads.lock().expect("no panic").insert(thread::current().id());
        self.played += 1;
        assert!(self.played != 3 || !self.panics.load(Ordering::Relaxed), "three actions");
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

/// The same game as in other tests, so that its search loops are compiled once.
fn watched(state: &Watched, text: &str) -> Box<dyn Search<Space = Any> + Send> {
    everything().search(text, Any::new(state.clone()), 1).expect(text)
}

#[test]
fn threads_sets_the_number_of_threads() {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for (settings, expected) in [
        ("trees=1", 1),
        ("trees=3,threads=1", 1),
        ("trees=3,threads=2", 2),
        ("trees=3,threads=3", 3),
        ("trees=2,threads=9", 2),
        // One for each tree, up to one for each core. Each has the same number of trees, except the last.
        ("trees=4", 4_usize.div_ceil(4_usize.div_ceil(cores.min(4)))),
    ] {
        for policy in ["ucb1", "thompson", "grave"] {
            let (state, text) = (Watched::default(), format!("{policy}:{settings}"));
            // The fourth tree joins when the root has 3000 visits.
            watched(&state, &text).run(Budget::iterations(4_000)).expect(&text);
            assert_eq!(state.threads.lock().expect("no panic").len(), expected, "{text}");
        }
    }
}

#[test]
fn a_panic_of_the_game_is_an_error() {
    for text in ["ucb1", "grave", "ucb1:trees=2", "grave:trees=2,threads=1"] {
        let state = Watched::default();
        let mut search = watched(&state, text);
        search.run(Budget::iterations(2_000)).expect(text);
        state.panics.store(true, Ordering::Relaxed);
        let error = search.run(Budget::iterations(2_000)).expect_err(text);
        let panic = error.source().expect(text).to_string();
        assert_eq!(panic, "the game or a policy panicked: three actions", "{text}");
        state.panics.store(false, Ordering::Relaxed);
        let report = search.run(Budget::iterations(1_000)).expect(text);
        assert!(report.root_visits >= 3_000, "{text}: what was found before stays\n{report}");
    }
}

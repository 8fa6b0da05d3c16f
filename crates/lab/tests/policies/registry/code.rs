//! The line of Rust of a text compiles, and makes the same search. `lines.in` has texts with every word of the
//! crate, with parameters that are not the default, and with every setting. If the lines of these texts change,
//! write them again with `RAMURE_WRITE=1 cargo test -p ramure-lab --test policies the_lines`.

use super::by_hand::value_after;
use super::{everything, position};
use ramure::backpropagation::{
    BayesBackup, Contempt, Discounted, ImplicitMinimax, MaxBackup, PowerMean, RecencyWeighted, RelativeBonus,
    ScoreBounds, SoftmaxBackup,
};
use ramure::prelude::*;
use ramure::selection::{
    AlphaAmaf, AtRoot, BayesUct, Boltzmann, CompletedValues, Dirichlet, EpsilonGreedy, Exp3, FirstPlay,
    GaussianThompson, Grave, GumbelRoot, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave,
    SequentialHalving, Shot, SinglePlayer, Thompson, Ucb1Tuned, UcbV,
};
use ramure::simulation::{
    Cutoff, Decisive, EpsilonGreedyRollouts, EvaluationPriors, LastGoodReply, Mast, Mixed, MultipleRollouts,
    Nst, Ppa, Softmax,
};
use ramure::{Expansion, Order, RootDecision};
use ramure_games::Connect4;

type Found = (Option<usize>, Vec<(u32, f32, Option<f32>)>, usize);

fn found<S: Search + ?Sized>(search: &mut S) -> Found {
    let report = search.run(Budget::iterations(1_000)).expect("a sound game");
    let actions = report.actions.iter().map(|action| (action.visits, action.mean, action.proof));
    (report.chosen, actions.collect(), report.nodes)
}

#[test]
fn the_line_of_every_word_makes_the_same_search() {
    let (known, game) = (everything(), position());
    let by_line: Vec<(&str, Box<dyn Search<Space = Connect4>>)> = Vec::from(include!("lines.in"));
    let words = known.words();
    for word in words.policies.iter().chain(&words.rollouts).chain(&words.backprops) {
        let is_there = |text: &str| text.split([',', '=']).any(|part| part == word);
        let is_default = ["ucb1", "uniform", "average"].contains(&&**word);
        assert!(is_default || by_line.iter().any(|(text, _)| is_there(text)), "{word} has no line");
    }
    for (text, mut search) in by_line {
        let (policy, parameters) = match text.strip_prefix("mcts:9,policy=") {
            Some(rest) => rest.split_once(',').unwrap_or((rest, "")),
            None => ("ucb1", &text["mcts:9,".len()..]),
        };
        let mut by_text = known.search(&format!("{policy}:{parameters}"), position().into(), 5).expect(text);
        assert_eq!(found(&mut *search), found(&mut *by_text), "{text}");
    }
}

#[test]
fn the_lines_of_the_tests_are_those_of_their_texts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/registry/lines.in");
    let (there, known) = (std::fs::read_to_string(path).expect("the lines"), everything());
    let texts = there.lines().filter_map(|line| line.split('"').nth(1));
    let lines = texts.map(|text| {
        let code = known.code(text).expect(text).expect(text);
        format!("    ({text:?}, Box::new({code}.seed(5)) as Box<dyn Search<Space = Connect4>>),\n")
    });
    let written = format!("[\n{}]\n", lines.collect::<String>());
    if std::env::var_os("RAMURE_WRITE").is_some() {
        std::fs::write(path, &written).expect("a file");
    }
    assert!(written == there, "the lines changed; write them with RAMURE_WRITE=1:\n{written}");
}

#[test]
fn what_a_line_cannot_say_has_none() {
    let known = everything();
    let settings =
        ["threads=2", "window=4", "memory=1MiB", "widen=2", "policy=puct,base=500", "policy=moss,horizon=9"];
    for setting in settings {
        assert_eq!(known.code(&format!("mcts:9,{setting}")).expect(setting), None, "{setting}");
    }
    assert!(known.code("mcts:9,policy=nothing").is_err());
}

//! The words, the abilities that a game needs for each, and the help.

use super::{everything, plays_a_game};
use crate::common;
use ramure::prelude::*;
use ramure_agents::{Agent, First, Random};
use ramure_games::TicTacToe;
use ramure_lab::{Ability, Parameters, ReadError, Registry, Words};

/// Returns the words for agents, policies and rollouts that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let entries = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    entries.map(|line| line.trim().split([':', ' ']).next().expect("a word").to_owned()).collect()
}

#[test]
fn a_game_without_abilities_gets_the_words_that_need_none_and_errors_for_the_rest() {
    let known = Registry::<TicTacToe>::new();
    let start = TicTacToe::new();
    for text in
        ["first", "random", "mc:9", "mcts:99,policy=thompson,solver=no", "mcts:99,backprop=discounted"]
    {
        plays_a_game(&known.read(text).expect(text), &start);
    }
    let cells = ["1", "2", "4", "5"].map(|cell| cell.parse().expect("a cell"));
    let two_in_a_column = common::after(&start, cells);
    let report = known.search("ucb1", two_in_a_column, 1).expect("a search").run(Budget::iterations(999));
    assert_eq!(report.expect("a sound game").best_action().to_string(), "7");
    for (text, word, ability) in [
        ("minimax:3", "minimax", Ability::Evaluation),
        ("alphabeta:3", "alphabeta", Ability::Evaluation),
        ("mcts:9,rollout=cutoff", "cutoff", Ability::Evaluation),
        ("mcts:9,rollout=epsilon-greedy", "epsilon-greedy", Ability::Evaluation),
        ("mcts:9,policy=puct", "puct", Ability::Evaluation),
        ("mcts:9,policy=grave", "grave", Ability::Numbers),
        ("mcts:9,policy=rave", "rave", Ability::Numbers),
        ("mcts:9,rollout=mast", "mast", Ability::Numbers),
    ] {
        assert_eq!(known.read(text).expect_err(text), ReadError::Lacks { word: word.into(), ability });
    }
    assert_eq!(
        known.read("minimax:3").expect_err("no evaluation").to_string(),
        "`minimax` needs a static evaluation, which this game lacks: implement `StaticEvaluation` for it, and call \
         `with_evaluation` on the registry"
    );
    assert_eq!(
        known.search("grave", start, 0).err().expect("no numbers").to_string(),
        "`grave` needs numbered actions, which this game lacks: implement `ActionIndex` for it, and call `with_numbers` on \
         the registry"
    );
}

#[test]
fn every_word_declares_the_abilities_that_it_needs() {
    let plain = Registry::<TicTacToe>::new();
    let list = |words: Words| [words.agents, words.policies, words.rollouts, words.backprops].concat();
    let of_all = list(plain.words());
    for (words, ability) in [
        (plain.clone().with_evaluation().words(), Ability::Evaluation),
        (plain.clone().with_numbers().words(), Ability::Numbers),
    ] {
        let more = list(words).into_iter().filter(|word| !of_all.contains(word));
        for word in more {
            let part = |part| format!("mcts:9,{part}={word}");
            let texts = [format!("{word}:3"), part("policy"), part("rollout"), part("backprop")];
            let lacks = ReadError::Lacks { word, ability };
            assert!(texts.iter().any(|text| plain.read(text).err() == Some(lacks.clone())), "{lacks:?}");
        }
    }
}

#[test]
fn a_registry_without_evaluation_has_the_words_of_one_that_never_had_it() {
    let plain = Registry::<TicTacToe>::new();
    let evaluating = plain.clone().with_evaluation();
    let known = evaluating.clone().without_evaluation();
    assert_eq!(known.words(), plain.words());
    for text in ["minimax:3", "mcts:9,rollout=cutoff", "mcts:9,policy=puct"] {
        assert_eq!(known.read(text).err(), plain.read(text).err(), "{text}");
    }
    assert_eq!(plain.without_evaluation().with_evaluation().words(), evaluating.words());
}

#[test]
fn the_help_lists_exactly_the_words() {
    let known = everything().with("mine:N", "my own player", |_| Ok(|| First));
    let words = known.words();
    assert_eq!(
        listed(&known.help()),
        [words.agents, words.policies, words.rollouts, words.backprops].concat()
    );
    let plain = Registry::<TicTacToe>::new().words();
    assert!(plain.policies.contains(&"thompson".into()) && !plain.policies.contains(&"grave".into()));
    assert!(plain.rollouts.contains(&"uniform".into()) && !plain.rollouts.contains(&"mast".into()));
}

#[test]
fn the_help_lists_all_words_within_eighty_columns() {
    let help = everything().with("mine:N", "my own player", |_| Ok(|| First)).help();
    println!("{help}");
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line.trim_end(), line);
    }
    for word in [
        "mcts",
        "alphabeta",
        "mine",
        "ucb1",
        "grave",
        "puct",
        "uniform",
        "cutoff",
        "mast",
        "average",
        "discounted",
    ] {
        assert!(listed(&help).iter().any(|listed| listed == word), "{word}");
    }
    for parameter in ["c=", "policy=", "solver=", "reuse=", "ref=", "bias=", "epsilon=", "gamma=", "actions="]
    {
        assert!(help.lines().any(|line| line.trim_start().starts_with(parameter)), "{parameter}");
    }
}

#[test]
fn a_custom_word_is_parsed_like_the_built_in_ones() {
    let read = |parameters: &mut Parameters| {
        let seed = parameters.first_count("SEED", 0..)?;
        let twice = parameters.flag("twice", "the other way", true)?;
        if seed == 13 {
            return Err(ReadError::Failed("13 is bad luck".into()));
        }
        Ok(move || Random::seeded(if twice { 2 * seed } else { seed }))
    };
    let known = Registry::<TicTacToe>::new().with("mine:SEED", "my own", read);
    let recipe = known.read("mine:7,twice=no").expect("it is there");
    assert_eq!(recipe.name(), "mine:7,twice=no");
    let first = recipe.make().choose(&TicTacToe::new());
    assert_eq!(first, Random::seeded(7).choose(&TicTacToe::new()));
    assert_eq!(known.read("mine:13").expect_err("bad luck").to_string(), "13 is bad luck");
    let error = known.read("mine:7,thrice=no").expect_err("no such parameter").to_string();
    assert_eq!(error, "`mine:7` has no parameter `thrice`; the parameters are twice; did you mean `twice`?");
    // A word of the same name replaces the earlier one.
    let known = known.with("mine", "another", |_| Ok(|| First));
    assert_eq!(known.read("mine").expect("it is there").name(), "mine");
}

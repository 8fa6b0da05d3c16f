//! Agents and searches by text: that they are what the text says, that their names read as themselves, and what is said of
//! texts that name nothing.

#![cfg(feature = "games")]

use crate::common;
use crate::common::nim::Nim;
use proptest::prelude::*;
use ramure::agents::{
    Ability, Agent, Allocation, AlphaBeta, First, FlatMonteCarlo, MctsAgent, Minimax, Parameters, Random,
    ReadError, Recipe, Registry,
};
use ramure::backpropagation::Discounted;
use ramure::games::{Connect4, TicTacToe};
use ramure::prelude::*;
use ramure::selection::{Grave, Rave, Thompson, Ucb1Tuned};
use ramure::simulation::{Cutoff, Mast};
use ramure::{ActionIndex, Bytes, Expansion, Order, RootDecision, StaticEvaluation};

fn everything<G: StaticEvaluation + ActionIndex + 'static>() -> Registry<G> {
    Registry::new().with_evaluation().with_numbers()
}

/// Of every kind one or more.
const AGENTS: [&str; 25] = [
    "first",
    "random",
    "mc:4",
    "mc-total:30",
    "mc-ucb1:30",
    "mc-ucb1:30,c=0.5",
    "mcts:60",
    "mcts:1ms",
    "mcts:60+1s",
    "mcts:60,policy=ucb1-tuned,c=0.5",
    "mcts:60,policy=thompson",
    "mcts:60,policy=grave,ref=10,bias=0.0001",
    "mcts:60,policy=rave,bias=0.01",
    "mcts:60,rollout=mast,epsilon=0.2",
    "mcts:60,rollout=cutoff,actions=3",
    "mcts:60,backprop=discounted,gamma=0.9",
    "mcts:60,solver=yes",
    "mcts:60,final=secure,a=2",
    "mcts:60,final=temperature,t=0.5,reuse=no",
    "mcts:60,order=listed,expand=3,memory=64KiB",
    "minimax:2",
    "alphabeta:3",
    "alphabeta:1ms",
    "alphabeta:3+1s,order=evaluation",
    "alphabeta:9,order=evaluation,nodes=50",
];

/// A game against the agent itself; every action must be legal.
fn plays_a_game<G: GameState>(recipe: &Recipe<G>, start: &G) {
    let (mut game, mut agents) = (start.clone(), [recipe.make(), recipe.make()]);
    agents.iter_mut().for_each(|agent| agent.new_game(3));
    while let Turn::Player(player) = game.turn() {
        let action = agents[usize::from(player)].choose(&game).expect("an action");
        assert!(game.is_legal(action), "{}: {action:?}", recipe.name());
        game.apply(action);
        agents.iter_mut().for_each(|agent| agent.played(action));
    }
}

#[test]
fn every_word_makes_an_agent_that_plays_a_legal_game() {
    let (small, great) = (everything::<TicTacToe>(), everything::<Connect4>());
    for text in AGENTS {
        plays_a_game(&small.read(text).expect(text), &TicTacToe::new());
        plays_a_game(&great.read(text).expect(text), &Connect4::new());
    }
}

/// A position in which much may happen.
fn position() -> Connect4 {
    let columns = ["3", "0", "3", "0"].map(|column| column.parse().expect("a column"));
    common::after(&Connect4::new(), columns)
}

type Found = (Option<usize>, Vec<(u32, f32, Option<f32>)>, usize, u64);

/// What a search finds: the action, the statistics of each, the size of the tree.
fn found(search: &mut dyn Search<Game = Connect4>) -> Found {
    let report = search.run(Budget::iterations(3_000)).expect("a sound game");
    let actions = report.actions.iter().map(|action| (action.visits, action.mean, action.proof)).collect();
    (report.chosen, actions, report.nodes, report.recycled_nodes)
}

#[test]
fn every_option_makes_the_very_search_that_is_made_by_hand() {
    let plain = || Mcts::new(position()).seed(5);
    let expansion = Expansion::default();
    let by_hand: Vec<(&str, Box<dyn Search<Game = Connect4>>)> = vec![
        ("ucb1", Box::new(plain())),
        ("ucb1:c=0.7", Box::new(plain().tree_policy(Ucb1::new(0.7)))),
        ("ucb1-tuned", Box::new(plain().tree_policy(Ucb1Tuned::default()))),
        ("ucb1-tuned:c=0.5", Box::new(plain().tree_policy(Ucb1Tuned::new(0.5)))),
        ("thompson", Box::new(plain().tree_policy(Thompson))),
        ("grave", Box::new(plain().tree_policy(Grave::default()))),
        ("grave:ref=5,bias=1e-3", Box::new(plain().tree_policy(Grave::new(5.0, 1e-3)))),
        ("rave", Box::new(plain().tree_policy(Rave::default()))),
        ("rave:bias=0.1", Box::new(plain().tree_policy(Rave::new(0.1)))),
        ("ucb1:rollout=mast", Box::new(plain().rollout_policy(Mast::default()))),
        (
            "ucb1:rollout=mast,epsilon=0.1,c=0.7",
            Box::new(plain().tree_policy(Ucb1::new(0.7)).rollout_policy(Mast::new(0.1))),
        ),
        ("ucb1:rollout=cutoff", Box::new(plain().rollout_policy(Cutoff::new(8)))),
        ("ucb1:rollout=cutoff,actions=0", Box::new(plain().rollout_policy(Cutoff::new(0)))),
        ("ucb1:backprop=discounted", Box::new(plain().backprop(Discounted::new(0.99)))),
        ("ucb1:backprop=discounted,gamma=0.9", Box::new(plain().backprop(Discounted::new(0.9)))),
        ("ucb1:solver=yes", Box::new(plain().backprop(Solver::new(Average)))),
        ("thompson:solver=yes", Box::new(plain().tree_policy(Thompson).backprop(Solver::new(Average)))),
        ("ucb1:order=listed", Box::new(plain().expansion(expansion.order(Order::AsListed)))),
        ("ucb1:expand=7", Box::new(plain().expansion(expansion.on_visit(7)))),
        ("ucb1:memory=8KiB", Box::new(plain().memory_limit(Bytes::kib(8)))),
        ("thompson:final=max", Box::new(plain().tree_policy(Thompson).root_decision(RootDecision::Max))),
        (
            "thompson:final=secure,a=9",
            Box::new(plain().tree_policy(Thompson).root_decision(RootDecision::Secure(9.0))),
        ),
        ("ucb1:final=temperature,t=100", Box::new(plain().root_decision(RootDecision::Temperature(100.0)))),
    ];
    let known = everything::<Connect4>();
    let mut all: Vec<Found> = Vec::new();
    for (text, mut search) in by_hand {
        let expected = found(&mut *search);
        assert_eq!(found(&mut *known.search(text, position(), 5).expect(text)), expected, "{text}");
        // Each but for the final decision is another search.
        if !text.contains("final") {
            assert!(!all.contains(&expected), "{text} changes nothing");
            all.push(expected.clone());
        }
        // As an agent it is the same search.
        let (policy, parameters) = text.split_once(':').unwrap_or((text, ""));
        let comma = if parameters.is_empty() { "" } else { "," };
        let recipe = known.read(&format!("mcts:3000,policy={policy}{comma}{parameters}")).expect(text);
        let mut agent = recipe.make();
        agent.new_game(5);
        let action = agent.choose(&position()).expect("an action");
        assert_eq!(position().actions().into_iter().position(|other| other == action), expected.0, "{text}");
    }
}

/// After few iterations, so that the decisions often differ.
#[test]
fn the_final_decision_is_the_one_that_is_named() {
    let known = everything::<Connect4>();
    let mut decisions = Vec::new();
    for (text, decision) in [
        ("thompson:final=robust", RootDecision::Robust),
        ("thompson:final=max", RootDecision::Max),
        ("thompson:final=secure", RootDecision::Secure(1.0)),
        ("thompson:final=secure,a=3", RootDecision::Secure(3.0)),
        ("thompson:final=temperature", RootDecision::Temperature(1.0)),
        ("thompson:final=temperature,t=9", RootDecision::Temperature(9.0)),
    ] {
        let all = Vec::from_iter((0..300).map(|seed| {
            let run = |search: &mut dyn Search<Game = Connect4>| {
                search.run(Budget::iterations(40)).expect("a sound game").chosen
            };
            let mut by_hand = Mcts::new(position()).tree_policy(Thompson).seed(seed).root_decision(decision);
            let chosen = run(&mut *known.search(text, position(), seed).expect(text));
            assert_eq!(chosen, run(&mut by_hand), "{text}");
            chosen
        }));
        assert!(!decisions.contains(&all), "{text} decides like another");
        decisions.push(all);
    }
}

/// The actions of a game against the first legal action, and what was thought of each, without the times.
fn story(agent: &mut dyn Agent<Connect4>) -> Vec<String> {
    let (mut game, mut other, mut lines) = (Connect4::new(), First, Vec::new());
    agent.new_game(11);
    while let Turn::Player(player) = game.turn() {
        let action = if player == 0 { agent.choose(&game) } else { other.choose(&game) }.expect("an action");
        let thoughts = agent.thoughts(&game).unwrap_or_default();
        let table = thoughts.lines().filter(|line| !line.contains(" s (")).map(str::to_owned);
        lines.extend(table.chain([action.to_string()]));
        game.apply(action);
        agent.played(action);
    }
    lines
}

#[test]
fn agents_are_those_that_are_made_by_hand() {
    let mcts = |state: &Connect4, seed| Mcts::new(*state).tree_policy(Ucb1::new(0.5)).seed(seed);
    let budget = Budget::iterations(200);
    let by_hand: Vec<(&str, Box<dyn Agent<Connect4>>)> = vec![
        ("first", Box::new(First)),
        ("random", Box::new(Random::default())),
        ("mc:64", Box::new(FlatMonteCarlo::per_action(64))),
        ("mc-total:64", Box::new(FlatMonteCarlo::total(64))),
        ("mc-ucb1:64", Box::new(FlatMonteCarlo::new(Allocation::Ucb1(64, 2_f64.sqrt())))),
        ("mc-ucb1:64,c=0.3", Box::new(FlatMonteCarlo::new(Allocation::Ucb1(64, 0.3)))),
        ("minimax:2", Box::new(Minimax::new(2))),
        ("alphabeta:4", Box::new(AlphaBeta::new(4))),
        ("alphabeta:4,order=evaluation", Box::new(AlphaBeta::new(4).by_evaluation())),
        ("alphabeta:20,nodes=500", Box::new(AlphaBeta::new(20).nodes(500))),
        ("mcts:200,c=0.5", Box::new(MctsAgent::new("", budget, mcts))),
        ("mcts:200,c=0.5,reuse=no", Box::new(MctsAgent::new("", budget, mcts).without_tree_reuse())),
    ];
    let known = everything::<Connect4>();
    let mut all: Vec<Vec<String>> = Vec::new();
    for (text, mut agent) in by_hand {
        let expected = story(&mut *agent);
        assert_eq!(story(&mut *known.read(text).expect(text).make()), expected, "{text}");
        assert!(!all.contains(&expected), "{text} is an agent that was there before");
        all.push(expected);
    }
}

#[test]
fn a_name_is_the_text_in_one_form() {
    let known = everything::<TicTacToe>();
    for (text, name) in [
        ("random", "random"),
        (" random : ", "random"),
        ("mc:1e3", "mc:1000"),
        ("mc-ucb1: 10k , c = 0.50", "mc-ucb1:10000,c=0.5"),
        ("mcts:1M,policy=ucb1,c=1.4142135623730951", "mcts:1000000"),
        ("mcts:c=1,384", "mcts:384,c=1"),
        ("mcts:384,c=0.5,policy=ucb1-tuned", "mcts:384,policy=ucb1-tuned,c=0.5"),
        ("mcts:1.5s", "mcts:1.5s"),
        ("mcts:1500ms+10k", "mcts:10000+1.5s"),
        ("mcts:9,reuse=yes,solver=yes", "mcts:9,solver=yes"),
        ("mcts:9,reuse=no,expand=2,order=listed,memory=2048KiB", "mcts:9,order=listed,memory=2MiB,reuse=no"),
        ("mcts:9,policy=grave,ref=50.0,bias=0.00002", "mcts:9,policy=grave,bias=2e-5"),
        ("mcts:9,final=temperature,t=1", "mcts:9,final=temperature"),
        ("alphabeta:0.1s", "alphabeta:100ms"),
        ("alphabeta:3,nodes=1k,order=evaluation", "alphabeta:3,order=evaluation,nodes=1000"),
    ] {
        let recipe = known.read(text).expect(text);
        assert_eq!(recipe.name(), name, "{text}");
        assert_eq!(known.read(name).expect(name).name(), name);
    }
    // What an agent calls itself reads as the same recipe.
    for text in AGENTS {
        let recipe = known.read(text).expect(text);
        assert_eq!(known.read(&recipe.make().name()).expect(text).name(), recipe.name());
    }
}

/// Any search that can be written, and what it is to find is left to chance.
fn any_search() -> impl Strategy<Value = String> {
    let number = |name: &'static str, low: f64, high: f64| {
        prop_oneof![
            Just(String::new()),
            (low..high).prop_map(move |value| format!(",{name}={value}")),
            (low..high).prop_map(move |value| format!(",{name}={value:.2e}")),
        ]
    };
    let c = || number("c", 0.0, 3.0);
    let parts = prop_oneof![
        c(),
        c().prop_map(|c| format!(",policy=ucb1-tuned{c}")),
        Just(",policy=thompson".to_owned()),
        (number("ref", 0.0, 99.0), number("bias", 1e-6, 1.0))
            .prop_map(|(reference, bias)| format!(",policy=grave{bias}{reference}")),
        (c(), number("epsilon", 0.0, 1.0)).prop_map(|(c, epsilon)| format!(",rollout=mast{epsilon}{c}")),
        (c(), 0..20u8).prop_map(|(c, actions)| format!(",rollout=cutoff,actions={actions}{c}")),
        (c(), number("gamma", 0.1, 1.0)).prop_map(|(c, gamma)| format!("{c},backprop=discounted{gamma}")),
    ];
    let settings = proptest::sample::subsequence(
        vec!["solver=yes", "order=listed", "expand=4", "memory=64KiB", "final=max", "reuse=no", "solver=no"],
        0..=6,
    );
    (1..300u32, parts, settings).prop_filter_map("solver twice", |(budget, parts, settings)| {
        let solver = settings.iter().filter(|setting| setting.starts_with("solver")).count();
        let settings = String::from_iter(settings.iter().map(|setting| format!(",{setting}")));
        (solver < 2).then(|| format!("mcts:{budget}{parts}{settings}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_reads_as_the_same_agent(text in any_search()) {
        let known = everything::<Connect4>();
        let recipe = known.read(&text).expect("it is well written");
        let again = known.read(recipe.name()).expect("a name reads");
        prop_assert_eq!(again.name(), recipe.name());
        let think = |recipe: &Recipe<Connect4>| {
            let mut agent = recipe.make();
            let action = agent.choose(&position()).expect("an action");
            let thoughts = agent.thoughts(&position()).unwrap_or_default();
            (action, Vec::from_iter(thoughts.lines().filter(|line| !line.contains(" s (")).map(str::to_owned)))
        };
        prop_assert_eq!(think(&again), think(&recipe));
    }
}

#[test]
fn what_is_wrong_with_a_text_is_said_with_what_there_is_instead() {
    let known = everything::<TicTacToe>();
    const WORDS: &str = "first, random, mc, mc-total, mc-ucb1, mcts, minimax, alphabeta";
    const OF_MCTS: &str = "policy, rollout, backprop, c, solver, final, order, expand, memory, reuse";
    let of_thompson = OF_MCTS.replace(" c,", "");
    const BUDGET: &str =
        "iterations from 1 as 384, a time up to 86400s as 100ms, or one of each as 10000+100ms";
    for (text, said) in [
        ("", format!("there is no word at the start; there are {WORDS}")),
        (" :3", format!("there is no word at the start; there are {WORDS}")),
        ("elephant", format!("`elephant` is no agent; there are {WORDS}")),
        ("alpha-beta:3", format!("`alpha-beta` is no agent; there are {WORDS}; did you mean `alphabeta`?")),
        ("MCTS:9", format!("`MCTS` is no agent; there are {WORDS}; did you mean `mcts`?")),
        ("mc", "`mc` needs N; write `mc:N`, where N is a whole number, at least 1".into()),
        ("mcts:", format!("`mcts` needs BUDGET; write `mcts:BUDGET`, where BUDGET is {BUDGET}")),
        ("mcts:c=1", format!("`mcts` needs BUDGET; write `mcts:BUDGET`, where BUDGET is {BUDGET}")),
        ("mc:0", "N is `0`; it must be a whole number, at least 1".into()),
        ("mc:-3", "N is `-3`; it must be a whole number, at least 1".into()),
        ("mc:1.5", "N is `1.5`; it must be a whole number, at least 1".into()),
        ("mc:many", "N is `many`; it must be a whole number, at least 1".into()),
        ("mcts:0", format!("BUDGET is `0`; it must be {BUDGET}")),
        ("mcts:0ms", format!("BUDGET is `0ms`; it must be {BUDGET}")),
        ("mcts:100+200", format!("BUDGET is `100+200`; it must be {BUDGET}")),
        ("mcts:100,200ms", "`100` and `200ms` contradict each other; leave one out".into()),
        ("mcts:9,c=1,c=2", "`c=1` and `c=2` contradict each other; leave one out".into()),
        (
            "mcts:9,",
            "something is missing at `9,`; write `name=value`, with a comma between two of them".into(),
        ),
        (
            "mcts:9,c=",
            "something is missing at `c=`; write `name=value`, with a comma between two of them".into(),
        ),
        (
            "mcts:9,=1",
            "something is missing at `=1`; write `name=value`, with a comma between two of them".into(),
        ),
        ("mcts:9,c=-1", "c is `-1`; it must be a number, at least 0".into()),
        ("mcts:9,c=nan", "c is `nan`; it must be a number, at least 0".into()),
        ("mcts:9,c=inf", "c is `inf`; it must be a number, at least 0".into()),
        ("mcts:9,c=1e39", "Ucb1::c is inf; it must be finite and at least 0".into()),
        ("mcts:9,final=temperature,t=1e39", "RootDecision::Temperature is inf; it must be finite and above 0".into()),
        ("mcts:9,final=temperature,t=0", "t is `0`; it must be a number above 0".into()),
        ("mcts:9,final=best", "`best` is no value for final; there are robust, max, secure, temperature".into()),
        ("mcts:9,solver=maybe", "`maybe` is no value for solver; there are no, yes".into()),
        ("mcts:9,memory=9", "memory is `9`; it must be bytes above 0 as 64MiB, with KiB, MiB or GiB".into()),
        ("mcts:9,memory=0KiB", "memory is `0KiB`; it must be bytes above 0 as 64MiB, with KiB, MiB or GiB".into()),
        ("mcts:9,expand=0", "expand is `0`; it must be a whole number, at least 1".into()),
        (
            "mcts:9,backprop=discounted,gamma=0",
            "gamma is `0`; it must be a number above 0 and at most 1".into(),
        ),
        (
            "mcts:9,rollout=mast,epsilon=1.5",
            "epsilon is `1.5`; it must be a number from 0 to 1".into(),
        ),
        (
            "mcts:9,policy=ucb2",
            "`ucb2` is no policy; there are ucb1, ucb1-tuned, thompson, grave, rave; did you mean `ucb1`?".into(),
        ),
        (
            "mcts:9,policy=thompson,c=1",
            format!("`mcts:9,policy=thompson` has no parameter `c`; the parameters are {of_thompson}"),
        ),
        ("mcts:9,a=1", format!("`mcts:9` has no parameter `a`; the parameters are {OF_MCTS}")),
        (
            "mcts:9,polcy=ucb1",
            format!("`mcts:9` has no parameter `polcy`; the parameters are {OF_MCTS}; did you mean `policy`?"),
        ),
        ("random:5", "`5` has no name, and `random` takes nothing without one; there are no parameters".into()),
        ("minimax:3,order=listed", "`minimax:3` has no parameter `order`; there are no parameters".into()),
        ("minimax:0", "DEPTH is `0`; it must be a whole number from 1 to 256".into()),
        (
            "alphabeta:257",
            "DEPTH is `257`; it must be a depth from 1 to 256, a time up to 86400s as 100ms, or one of each as 8+100ms"
                .into(),
        ),
        ("alphabeta:3,nodes=0", "nodes is `0`; it must be a whole number, at least 1".into()),
        (
            "mcts:9,policy=thompson,rollout=mast",
            "policy=thompson and rollout=mast are not compiled together for texts; leave one out, or put the search \
             together in code, by the methods of `Mcts`"
                .into(),
        ),
    ] {
        let error = known.read(text).expect_err(text);
        assert_eq!(error.to_string(), said, "{text}");
    }
    for (text, said) in [
        ("", "there is no word at the start; there are ucb1, ucb1-tuned, thompson, grave, rave"),
        ("mcts", "`mcts` is no policy; there are ucb1, ucb1-tuned, thompson, grave, rave"),
        (
            "thompson:384",
            "`384` has no name, and `thompson` takes nothing without one; the parameters are rollout, backprop, solver, \
             final, order, expand, memory",
        ),
        (
            "rave:reuse=no",
            "`rave` has no parameter `reuse`; the parameters are rollout, backprop, bias, solver, final, order, expand, \
             memory",
        ),
    ] {
        let error = known.search(text, TicTacToe::new(), 0).err().expect(text);
        assert_eq!(error.to_string(), said, "{text}");
    }
}

/// The words for agents, policies and rollouts that a help text lists.
fn listed(help: &str) -> Vec<String> {
    let entries = help.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    entries.map(|line| line.trim().split([':', ' ']).next().expect("a word").to_owned()).collect()
}

#[test]
fn a_game_without_abilities_has_all_that_needs_none_and_is_told_what_it_lacks() {
    let known = Registry::<Nim<2>>::new();
    let start = Nim::<2> { sticks: 7, player: 0 };
    for text in
        ["first", "random", "mc:9", "mcts:99,policy=thompson,solver=yes", "mcts:99,backprop=discounted"]
    {
        plays_a_game(&known.read(text).expect(text), &start);
    }
    let report = known.search("ucb1", start, 1).expect("a search").run(Budget::iterations(999));
    assert_eq!(report.expect("a sound game").best_action(), 3);
    for (text, word, ability) in [
        ("minimax:3", "minimax", Ability::Evaluation),
        ("alphabeta:3", "alphabeta", Ability::Evaluation),
        ("mcts:9,rollout=cutoff", "cutoff", Ability::Evaluation),
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
fn every_word_that_needs_an_ability_is_known_to_need_it() {
    let plain = Registry::<TicTacToe>::new();
    let of_all = listed(&plain.help());
    for (known, ability) in [
        (plain.clone().with_evaluation(), Ability::Evaluation),
        (plain.clone().with_numbers(), Ability::Numbers),
    ] {
        let more = listed(&known.help()).into_iter().filter(|word| !of_all.contains(word));
        for word in more {
            let texts =
                [format!("{word}:3"), format!("mcts:9,policy={word}"), format!("mcts:9,rollout={word}")];
            let lacks = ReadError::Lacks { word, ability };
            assert!(texts.iter().any(|text| plain.read(text).err() == Some(lacks.clone())), "{lacks:?}");
        }
    }
}

#[test]
fn the_help_has_all_words_in_eighty_columns() {
    let help = everything::<TicTacToe>().with("mine:N", "my own player", |_| Ok(|| First)).help();
    println!("{help}");
    for line in help.lines() {
        assert!(line.chars().count() <= 80, "{line}");
        assert_eq!(line.trim_end(), line);
    }
    assert_eq!(
        listed(&help),
        [
            "first",
            "random",
            "mc",
            "mc-total",
            "mc-ucb1",
            "mcts",
            "minimax",
            "alphabeta",
            "mine",
            "ucb1",
            "ucb1-tuned",
            "thompson",
            "grave",
            "rave",
            "uniform",
            "cutoff",
            "mast",
            "average",
            "discounted"
        ]
    );
    for parameter in ["c=", "policy=", "solver=", "reuse=", "ref=", "bias=", "epsilon=", "gamma=", "actions="]
    {
        assert!(help.lines().any(|line| line.trim_start().starts_with(parameter)), "{parameter}");
    }
}

#[test]
fn a_word_of_ones_own_is_read_like_the_others() {
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
    // A word of the same name takes the place of the one before.
    let known = known.with("mine", "another", |_| Ok(|| First));
    assert_eq!(known.read("mine").expect("it is there").name(), "mine");
}

#[test]
fn registries_and_recipes_go_to_other_threads() {
    fn goes<T: Clone + Send + Sync + 'static>(_: &T) {}
    let known = everything::<TicTacToe>();
    let recipe = known.read("mcts:50,policy=grave").expect("it is there");
    goes(&known);
    goes(&recipe);
    let here = recipe.make().choose(&TicTacToe::new());
    let there = std::thread::spawn(move || recipe.make().choose(&TicTacToe::new()));
    assert_eq!(there.join().expect("no panic"), here);
}

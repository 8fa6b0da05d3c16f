//! A search or an agent by text equals the one built in code.

use super::{everything, position};
use crate::common;
use ramure::backpropagation::{
    BayesBackup, Contempt, Discounted, ImplicitMinimax, MaxBackup, PowerMean, RecencyWeighted, RelativeBonus,
    ScoreBounds, SoftmaxBackup,
};
use ramure::prelude::*;
use ramure::search::Unobserved;
use ramure::selection::{
    AlphaAmaf, AtRoot, BayesUct, Boltzmann, CompletedValues, Dirichlet, Exp3, FirstPlay, GaussianThompson,
    Grave, Gumbel, KlUcb, Moss, ProgressiveBias, ProgressiveHistory, Puct, Rave, SequentialHalving, Shot,
    SinglePlayer, Thompson, Ucb1Tuned, UcbV,
};
use ramure::simulation::{
    Cutoff, Decisive, EpsilonGreedyRollouts, EvaluationPriors, LastGoodReply, Mast, Mixed, MultipleRollouts,
    Nst, Ppa, Softmax,
};
use ramure::{Bytes, Expansion, GameClock, Order, RootDecision, StaticEvaluation};
use ramure_agents::{Agent, AlphaBeta, First, FlatMonteCarlo, MctsAgent, Minimax, Random};
use ramure_games::{Connect4, Hex, connect4::Column};
use ramure_lab::commands::AnyGame;
use std::fmt::Display;
use std::time::Duration;

/// Returns the evaluation of the state after an action.
pub(super) fn value_after(state: &Connect4, column: Column) -> f32 {
    let Turn::Player(me) = state.turn() else { return f32::NAN };
    let mut next = *state;
    next.apply(column);
    (if next.turn() == Turn::Over { next.reward(me) } else { next.evaluate(me) }) as f32
}

/// Adds priors from the evaluation, with the default temperature.
fn priors<R>(rollouts: R) -> EvaluationPriors<R> {
    EvaluationPriors::new(rollouts, 0.1)
}

type Found = (Option<usize>, Vec<(u32, f32, Option<f32>)>, usize, u64);

/// The result of a search: the action, the statistics of each action, the size of the tree.
fn found<S: Search + ?Sized>(search: &mut S) -> Found {
    let report = search.run(Budget::iterations(3_000)).expect("a sound game");
    let actions = report.actions.iter().map(|action| (action.visits, action.mean, action.proof)).collect();
    (report.chosen, actions, report.nodes, report.recycled_nodes)
}

#[test]
fn every_option_makes_the_same_search_as_code() {
    // Each word is in one type of search, if possible in one that `lines.in` has, too: to compile a type takes
    // longer than to run many searches of it.
    let plain = || Mcts::new(position()).seed(5);
    let with_priors = || plain().rollout_policy(priors(Uniform));
    let tuned = |policy, rollouts| {
        plain()
            .tree_policy::<Ucb1Tuned>(policy)
            .rollout_policy::<Mast>(rollouts)
            .backprop(Discounted::new(0.99))
    };
    let cut_off = |rollouts: Cutoff| {
        plain().tree_policy(Thompson).rollout_policy(rollouts).backprop(Solver::new(Discounted::new(0.99)))
    };
    let expansion = Expansion::default();
    let by_hand: Vec<(&str, Box<dyn Search<Space = Connect4>>)> = vec![
        ("ucb1", Box::new(plain())),
        ("ucb1:c=0.7", Box::new(plain().tree_policy(Ucb1::new(0.7)))),
        ("ucb1:k=0.7", Box::new(plain().tree_policy(Ucb1::new(Exploration::deviations(0.7))))),
        ("ucb1:solver=no", Box::new(plain().backprop(Average))),
        ("ucb1:c=1.4142135,solver=no", Box::new(Mcts::uct(position()).seed(5))),
        ("ucb1:fpu=0.6", Box::new(plain().expansion(expansion.first_play(FirstPlay::Value(0.6))))),
        ("ucb1:order=listed", Box::new(plain().expansion(expansion.order(Order::AsListed)))),
        ("ucb1:expand=7", Box::new(plain().expansion(expansion.on_visit(7)))),
        ("ucb1:depth=3", Box::new(plain().expansion(expansion.depth(3)))),
        ("ucb1:final=temperature,t=100", Box::new(plain().root_decision(RootDecision::Temperature(100.0)))),
        ("ucb1:backprop=discounted", Box::new(plain().backprop(Discounted::new(0.99)))),
        ("ucb1:backprop=discounted,gamma=0.9", Box::new(plain().backprop(Discounted::new(0.9)))),
        (
            "ucb1:rollout=epsilon-greedy,epsilon=0.2",
            Box::new(plain().rollout_policy(EpsilonGreedyRollouts::new(0.2, value_after))),
        ),
        (
            "ucb1-tuned:rollout=mast,backprop=discounted",
            Box::new(tuned(Ucb1Tuned::default(), Mast::default())),
        ),
        (
            "ucb1-tuned:c=0.5,rollout=mast,epsilon=0.1,backprop=discounted",
            Box::new(tuned(Ucb1Tuned::new(0.5), Mast::new(0.1))),
        ),
        ("thompson", Box::new(plain().tree_policy(Thompson))),
        ("thompson:final=max", Box::new(plain().tree_policy(Thompson).root_decision(RootDecision::Max))),
        (
            "thompson:final=secure,a=9",
            Box::new(plain().tree_policy(Thompson).root_decision(RootDecision::Secure(9.0))),
        ),
        ("thompson:rollout=cutoff,backprop=discounted,solver=yes", Box::new(cut_off(Cutoff::new(8)))),
        (
            "thompson:rollout=cutoff,actions=0,backprop=discounted,solver=yes",
            Box::new(cut_off(Cutoff::new(0))),
        ),
        ("grave", Box::new(plain().tree_policy(Grave::default()))),
        ("grave:ref=5,bias=1e-3", Box::new(plain().tree_policy(Grave::new(5.0, 1e-3)))),
        ("rave", Box::new(plain().tree_policy(Rave::default()))),
        ("rave:bias=0.1", Box::new(plain().tree_policy(Rave::new(0.1)))),
        ("puct", Box::new(with_priors().tree_policy(Puct::default()))),
        (
            "puct:c=0.5,prior-tau=0.3",
            Box::new(plain().tree_policy(Puct::new(0.5)).rollout_policy(EvaluationPriors::new(Uniform, 0.3))),
        ),
        (
            "puct:fpu=mean-0.2,widen=1.5,exponent=0.3,order=prior",
            Box::new(with_priors().tree_policy(Puct::default()).expansion(
                expansion.first_play(FirstPlay::BelowMean(0.2)).widening(1.5, 0.3).order(Order::Prior),
            )),
        ),
        (
            "ucb-v:rollout=nst,backprop=relative-bonus",
            Box::new(
                plain()
                    .tree_policy(UcbV::default())
                    .rollout_policy(Nst::default())
                    .backprop(RelativeBonus::new(1.4, 0.25, Average)),
            ),
        ),
        (
            "kl-ucb:c=1,rollout=ppa,alpha=0.5,backprop=contempt,draw=0.3",
            Box::new(
                plain()
                    .tree_policy(KlUcb::new(1.0))
                    .rollout_policy(Ppa::new(0.5))
                    .backprop(Contempt::new(0.3, Average)),
            ),
        ),
        (
            "moss:rollout=lgr,backprop=recency-weighted,alpha=0.1",
            Box::new(
                plain()
                    .tree_policy(Moss::new())
                    .rollout_policy(LastGoodReply::default())
                    .backprop(RecencyWeighted::new(0.1)),
            ),
        ),
        (
            "single-player:rollout=mast",
            Box::new(plain().tree_policy(SinglePlayer::default()).rollout_policy(Mast::default())),
        ),
        (
            "single-player:c=0.3,d=0.1,rollout=mast",
            Box::new(plain().tree_policy(SinglePlayer::new(0.3, 0.1)).rollout_policy(Mast::default())),
        ),
        (
            "bayes-uct:backprop=bayes",
            Box::new(plain().tree_policy(BayesUct::default()).backprop(BayesBackup)),
        ),
        (
            "shot:rollout=decisive,anti=yes,backprop=max",
            Box::new(
                plain().tree_policy(Shot::new()).rollout_policy(Decisive::new().anti()).backprop(MaxBackup),
            ),
        ),
        (
            "halving:c=0.5,backprop=implicit-minimax",
            Box::new(
                plain()
                    .tree_policy(AtRoot::new(SequentialHalving::new(), Ucb1::new(0.5)))
                    .backprop(ImplicitMinimax::new(0.4, Average)),
            ),
        ),
        (
            "gaussian-thompson:sigma=0.7,backprop=power-mean,power=3",
            Box::new(plain().tree_policy(GaussianThompson::new(0.7)).backprop(PowerMean::new(3.0))),
        ),
        (
            "epsilon-greedy:epsilon=0.2,rollout=mast-gibbs,tau=0.3,backprop=score-bounds",
            Box::new(
                plain()
                    .tree_policy(ramure::selection::EpsilonGreedy::new(0.2))
                    .rollout_policy(Mast::gibbs(0.3))
                    .backprop(ScoreBounds::new(Average)),
            ),
        ),
        (
            "epsilon-n-greedy:c=0.2,d=0.2,rollout=multiple,rollouts=2",
            Box::new(
                plain()
                    .tree_policy(ramure::selection::EpsilonGreedy::decreasing(0.2, 0.2))
                    .rollout_policy(MultipleRollouts::new(2, Uniform)),
            ),
        ),
        (
            "boltzmann:rollout=cutoff-random,backprop=softmax",
            Box::new(
                plain()
                    .tree_policy(Boltzmann::default())
                    .rollout_policy(Cutoff::with_probability(0.1))
                    .backprop(SoftmaxBackup::default()),
            ),
        ),
        (
            "exp3:rollout=cutoff-decided,every=2",
            Box::new(plain().tree_policy(Exp3::default()).rollout_policy(Cutoff::when_decided(0.3).every(2))),
        ),
        (
            "hrave:rollout=softmax,tau=0.2",
            Box::new(plain().tree_policy(Grave::hrave(1e-5)).rollout_policy(Softmax::new(0.2, value_after))),
        ),
        ("rave-k:k=500,c=0.1", Box::new(plain().tree_policy(Rave::hand_selected(500.0).exploration(0.1)))),
        ("alpha-amaf", Box::new(plain().tree_policy(AlphaAmaf::default()))),
        ("progressive-history", Box::new(plain().tree_policy(ProgressiveHistory::default()))),
        (
            "puct-noise:epsilon=0.4,base=500,rollout=mixed,lambda=0.3",
            Box::new(
                plain()
                    .tree_policy(AtRoot::new(
                        Dirichlet::default().epsilon(0.4),
                        Puct::growing(Exploration::deviations(2.5), 500.0),
                    ))
                    .rollout_policy(priors(Mixed::new(Cutoff::new(0), Uniform).lambda(0.3))),
            ),
        ),
        ("gumbel:c-scale=0.1,rescale=yes", Box::new(with_priors().tree_policy(Gumbel::mctx()))),
        (
            "completed:rescale=yes,rollout=evaluation",
            Box::new(
                plain()
                    .tree_policy(CompletedValues::default().rescaled())
                    .rollout_policy(priors(Cutoff::new(0))),
            ),
        ),
        ("gumbel:actions=4", Box::new(with_priors().tree_policy(Gumbel::considering(4)))),
        (
            "completed:c-scale=0.5,rollout=evaluation",
            Box::new(
                plain().tree_policy(CompletedValues::new(50.0, 0.5)).rollout_policy(priors(Cutoff::new(0))),
            ),
        ),
        (
            "progressive-bias:weight=3",
            Box::new(with_priors().tree_policy(ProgressiveBias::new(Exploration::deviations(1.0), 3.0))),
        ),
        ("ucb1:window=16", Box::new(plain().window(16).threads(1))),
        (
            "ucb1:c=0.7,window=7,unobserved=mean",
            Box::new(plain().tree_policy(Ucb1::new(0.7)).window(7).threads(1).unobserved(Unobserved::Mean)),
        ),
        ("puct:window=16", Box::new(with_priors().tree_policy(Puct::default()).window(16).threads(1))),
        // The results do not depend on the threads.
        ("ucb1:window=12,threads=2", Box::new(plain().window(12).threads(1))),
        ("grave:threads=2", Box::new(plain().tree_policy(Grave::default()).threads(2))),
        ("puct:threads=2", Box::new(with_priors().tree_policy(Puct::default()).window(8).threads(1))),
    ];
    let known = everything();
    let mut all: Vec<Found> = Vec::new();
    // Every word is in the list.
    let words = known.words();
    for word in words.policies.iter().chain(&words.rollouts).chain(&words.backprops) {
        let is_there = |text: &str| text.split([':', ',', '=']).any(|part| part == word);
        let is_default = matches!(&**word, "uniform" | "average");
        assert!(is_default || by_hand.iter().any(|(text, _)| is_there(text)), "{word} is not made by hand");
    }
    for (text, mut search) in by_hand {
        let expected = found(&mut *search);
        assert_eq!(found(&mut *known.search(text, position().into(), 5).expect(text)), expected, "{text}");
        // Each search differs from the others, except in the final decision.
        if !text.contains("final") {
            assert!(!all.contains(&expected), "{text} changes nothing");
            all.push(expected.clone());
        }
        // As an agent, it is the same search.
        let (policy, parameters) = text.split_once(':').unwrap_or((text, ""));
        let comma = if parameters.is_empty() { "" } else { "," };
        let recipe = known.read(&format!("mcts:3000,policy={policy}{comma}{parameters}")).expect(text);
        let mut agent = recipe.make();
        agent.new_game(5);
        let game = AnyGame::from(position());
        let action = agent.choose(&game).expect("an action");
        assert_eq!(game.actions().into_iter().position(|other| other == action), expected.0, "{text}");
    }
    // The size of the actions counts.
    let mut limited = Mcts::new(AnyGame::from(position())).seed(5).memory_limit(Bytes::kib(8));
    let mut by_text = known.search("ucb1:memory=8KiB", position().into(), 5).expect("a search");
    assert_eq!(found(&mut *by_text), found(&mut limited));
    assert!(!all.contains(&found(&mut limited)));
}

/// On Hex, a rollout takes a shortcut if no part needs the single actions.
#[test]
fn a_search_by_text_uses_rollout_shortcuts_as_one_in_code_does() {
    let start = Hex::new(6).expect("a board");
    let plain = || Mcts::new(start.clone()).seed(5);
    let by_hand: Vec<(&str, Box<dyn Search<Space = Hex>>)> = vec![
        ("ucb1", Box::new(plain())),
        ("ucb1-tuned", Box::new(plain().tree_policy(Ucb1Tuned::default()))),
        ("grave", Box::new(plain().tree_policy(Grave::default()))),
        ("thompson:rollout=mast", Box::new(plain().tree_policy(Thompson).rollout_policy(Mast::default()))),
        ("puct", Box::new(plain().tree_policy(Puct::default()).rollout_policy(priors(Uniform)))),
    ];
    for (text, mut search) in by_hand {
        let mut by_text = everything().search(text, start.clone().into(), 5).expect(text);
        let budget = Budget::iterations(500);
        let found = common::visits(&by_text.run(budget).expect("a sound game"));
        assert_eq!(found, common::visits(&search.run(budget).expect("a sound game")), "{text}");
    }
}

/// Few iterations, so that the decisions often differ.
#[test]
fn the_text_sets_the_root_decision() {
    let known = everything();
    let mut decisions = Vec::new();
    for (text, decision) in [
        ("thompson:final=robust", RootDecision::Robust),
        ("thompson:final=max", RootDecision::Max),
        ("thompson:final=secure", RootDecision::Secure(1.0)),
        ("thompson:final=secure,a=3", RootDecision::Secure(3.0)),
        ("thompson:final=temperature", RootDecision::Temperature(1.0)),
        ("thompson:final=temperature,t=9", RootDecision::Temperature(9.0)),
        ("thompson:final=within", RootDecision::Within(0.05)),
        ("thompson:final=within,by=0.3", RootDecision::Within(0.3)),
    ] {
        let all = Vec::from_iter((0..300).map(|seed| {
            let budget = Budget::iterations(40);
            let mut by_hand = Mcts::new(position()).tree_policy(Thompson).seed(seed).root_decision(decision);
            let mut by_text = known.search(text, position().into(), seed).expect(text);
            let chosen = by_text.run(budget).expect("a sound game").chosen;
            assert_eq!(chosen, by_hand.run(budget).expect("a sound game").chosen, "{text}");
            chosen
        }));
        assert!(!decisions.contains(&all), "{text} decides like another");
        decisions.push(all);
    }
}

/// Returns the actions of a game against the first legal action, and the agent's thoughts about each, without
/// the times.
fn story<G: GameState<Action: Display>>(mut game: G, agent: &mut dyn Agent<G>) -> Vec<String> {
    let (mut other, mut lines) = (First, Vec::new());
    agent.new_game(11);
    while let Turn::Player(player) = game.turn() {
        let action = if player == 0 { agent.choose(&game) } else { other.choose(&game) }.expect("an action");
        let thoughts = agent.thoughts(&game).unwrap_or_default();
        let plain = |line: &str| Vec::from_iter(line.split_whitespace()).join(" ");
        // Actions of any game are larger, so the tree is, too.
        let is_same = |line: &&str| !line.contains(" s (") && !line.contains(" nodes in ");
        let table = thoughts.lines().filter(is_same).map(plain);
        lines.extend(table.chain([action.to_string()]));
        game.apply(action.clone());
        agent.played(action);
    }
    lines
}

#[test]
fn agents_by_text_equal_those_in_code() {
    let mcts = |state: &Connect4, seed| Mcts::new(*state).tree_policy(Ucb1::new(0.5)).seed(seed);
    let budget = Budget::iterations(200);
    let by_hand: Vec<(&str, Box<dyn Agent<Connect4>>)> = vec![
        ("first", Box::new(First)),
        ("random", Box::new(Random::default())),
        ("mc:64", Box::new(FlatMonteCarlo::per_action(64))),
        ("mc-total:64", Box::new(FlatMonteCarlo::total(64))),
        ("mc-ucb1:64", Box::new(FlatMonteCarlo::ucb1(64, 2_f64.sqrt()))),
        ("mc-ucb1:64,c=0.3", Box::new(FlatMonteCarlo::ucb1(64, 0.3))),
        ("minimax:2", Box::new(Minimax::new(2))),
        ("alphabeta:4", Box::new(AlphaBeta::new(4))),
        ("alphabeta:4,order=evaluation", Box::new(AlphaBeta::new(4).by_evaluation())),
        ("alphabeta:20,nodes=500", Box::new(AlphaBeta::new(20).nodes(500))),
        ("mcts:200,c=0.5", Box::new(MctsAgent::new("", budget, mcts))),
        ("mcts:200,c=0.5,reuse=no", Box::new(MctsAgent::new("", budget, mcts).without_tree_reuse())),
    ];
    let known = everything();
    let mut all: Vec<Vec<String>> = Vec::new();
    for (text, mut agent) in by_hand {
        let expected = story(Connect4::new(), &mut *agent);
        let mut by_text = known.read(text).expect(text).make();
        assert_eq!(story(Connect4::new().into(), &mut *by_text), expected, "{text}");
        assert!(!all.contains(&expected), "{text} is an agent that was there before");
        all.push(expected);
    }
}

#[test]
fn a_clock_by_text_is_the_clock_in_code() {
    let clock = |text: &str| everything().read(text).expect(text).make().clock();
    let (second, tenth) = (Duration::from_secs(1), Duration::from_millis(100));
    let plain = GameClock::new(10 * second);
    assert_eq!(clock("mcts:100"), None);
    assert_eq!(clock("mcts:clock=10s"), Some(plain));
    assert_eq!(clock("mcts:clock=10s+100ms,expected=12"), Some(plain.increment(tenth).expected_moves(12)));
    assert_eq!(clock("mcts:clock=40/10s"), Some(plain.periods(40, 10 * second)));
    let equal = plain.moves_to_go(21).stops_early(false).percent_if_unclear(0).margin(tenth);
    assert_eq!(clock("mcts:clock=10s,moves=21,early=no,unclear=0,margin=100ms"), Some(equal));
    // A search that cannot stop early is not asked to.
    assert_eq!(clock("mcts:clock=10s,final=max"), Some(plain.stops_early(false)));
}

//! Agents, compared with oracles and with each other, and the settings and games that they must reject.

use crate::common::four::SmallFour;
use crate::common::hashed::Hashed;
use crate::common::oracle::Oracle;
use crate::common::pig::Pig;
use crate::common::{sized, wander};
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::{RootDecision, SearchError, StaticEvaluation};
use ramure_agents::{Agent, AlphaBeta, First, FlatMonteCarlo, MctsAgent, Minimax, NotZeroSum, Random};
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_games::{Connect4, Hex, SudoTicTacToe, TicTacToe};
use std::time::Duration;

fn is_not_zero_sum(error: &SearchError) -> bool {
    matches!(error, SearchError::Agent(error) if error.get_ref().is::<NotZeroSum>())
}

/// Returns random unfinished positions of a game, up to `longest` actions from its start.
fn positions<G: GameState>(start: &G, longest: usize, count: usize, seed: u64) -> Vec<G> {
    let mut rng = Rng::seeded(seed);
    let any = std::iter::repeat_with(move || {
        let length = rng.below(longest + 1);
        wander(start.clone(), length, &mut rng)
    });
    any.filter(|state| matches!(state.turn(), Turn::Player(_))).take(count).collect()
}

/// Checks that in `count` positions, with all kinds of depth, order and deepening, alpha-beta finds minimax's
/// value with an action that has it, and visits no more states, except for the steps of deepening.
fn alpha_beta_is_minimax<G: StaticEvaluation>(
    start: &G,
    longest: usize,
    depth: u32,
    count: usize,
) -> (u64, u64) {
    let (mut all, mut fewer) = (0, 0);
    // 16 positions have every combination of depth, order and deepening, except for Tic-Tac-Toe, which
    // needs 30.
    let count = sized(16.max(count / 100), count);
    for (number, state) in positions(start, longest, count, 7).into_iter().enumerate() {
        let depth = 1 + number as u32 % depth;
        let plain = Minimax::new(depth).look_ahead(&state).expect("a sound game");
        let agent = AlphaBeta::new(depth);
        let agent = if number % 2 == 0 { agent } else { agent.by_evaluation() };
        let is_deepening = number % 3 == 0;
        let agent = if is_deepening { agent.nodes(u64::MAX) } else { agent };
        let found = agent.look_ahead(&state).expect("a sound game");
        assert!((found.value - plain.value).abs() < 1e-12, "{} is not {}", found.value, plain.value);
        assert_eq!(found.action, found.line[0]);
        assert!(found.depth == depth || is_deepening && found.depth < depth);
        let mut next = state.clone();
        next.apply(found.action);
        if depth > 1 && next.turn() != Turn::Over {
            let after = Minimax::new(depth - 1).look_ahead(&next).expect("a sound game");
            let value = if next.turn() == state.turn() { after.value } else { 1.0 - after.value };
            assert!((value - plain.value).abs() < 1e-12, "the action has a different value: {value}");
        }
        if !is_deepening {
            assert!(found.nodes <= plain.nodes);
            (all, fewer) = (all + plain.nodes, fewer + found.nodes);
        }
    }
    (all, fewer)
}

#[test]
fn alpha_beta_finds_the_value_of_minimax_with_fewer_states() {
    let sum = |a: (u64, u64), b: (u64, u64)| (a.0 + b.0, a.1 + b.1);
    let (all, fewer) = [
        alpha_beta_is_minimax(&TicTacToe::new(), 8, 5, 4_000),
        alpha_beta_is_minimax(&Connect4::new(), 38, 4, 2_500),
        alpha_beta_is_minimax(&SmallFour::default(), 14, 4, 1_500),
        alpha_beta_is_minimax(&Hex::new(3).expect("a size"), 8, 4, 1_000),
        alpha_beta_is_minimax(&Hex::new(5).expect("a size"), 20, 2, 500),
        alpha_beta_is_minimax(&SudoTicTacToe::new(Mode::LocalWin), 30, 2, 400),
        alpha_beta_is_minimax(&SudoTicTacToe::new(Mode::Ultimate), 50, 2, 400),
    ]
    .into_iter()
    .fold((0, 0), sum);
    assert!(fewer * 2 < all, "{fewer} of {all} states");
}

#[test]
fn tic_tac_toe_is_a_draw_to_both() {
    let plain = Minimax::new(9).look_ahead(&TicTacToe::new()).expect("a sound game");
    assert_eq!((plain.value, plain.nodes, plain.line.len()), (0.5, 549_945, 9));
    for agent in [AlphaBeta::new(9), AlphaBeta::new(9).by_evaluation()] {
        let found = agent.look_ahead(&TicTacToe::new()).expect("a sound game");
        assert_eq!((found.value, found.line.len()), (0.5, 9));
        assert!(found.nodes < plain.nodes / 20, "{} states", found.nodes);
    }
}

#[test]
fn minimax_is_correct_for_one_two_and_three_players_and_with_dice() {
    for players in [1, 2, 3] {
        for seed in 0..40 {
            let game = Hashed::new(seed, players, 4);
            for game in [game, game.with_chance()] {
                let Turn::Player(player) = game.turn() else { continue };
                let found = Minimax::new(4).look_ahead(&game).expect("a sound game");
                let mut oracle = Oracle::new();
                assert!((found.value - oracle.value(&game, player)).abs() < 1e-9);
                assert!(oracle.best_actions(&game).contains(&found.action));
            }
        }
    }
}

#[test]
fn alpha_beta_averages_over_dice() {
    let pig = Pig { banked: [6, 5], pot: 2, player: 1, turns: 1, rolling: false };
    let of = |_: &Pig, _| 0.5;
    for depth in 1..=6 {
        let plain = Minimax::new(depth).evaluation(of).look_ahead(&pig).expect("a sound game");
        let found = AlphaBeta::new(depth).evaluation(of).look_ahead(&pig).expect("a sound game");
        assert!((plain.value - found.value).abs() < 1e-12);
        assert!(found.nodes <= plain.nodes);
    }
}

#[test]
fn a_budget_ends_the_deepening_with_the_last_completed_step() {
    let found = AlphaBeta::new(20).nodes(5_000).look_ahead(&Connect4::new()).expect("a sound game");
    assert!((2..20).contains(&found.depth) && found.nodes <= 5_001, "{found}");
    let same = AlphaBeta::new(found.depth).look_ahead(&Connect4::new()).expect("a sound game");
    assert_eq!(same.value, found.value);
    let first = AlphaBeta::new(20).nodes(1).look_ahead(&Connect4::new()).expect("a sound game");
    assert_eq!(first.depth, 1);
    // It stops when it has searched every line to its end.
    let all = AlphaBeta::new(200).nodes(u64::MAX).look_ahead(&TicTacToe::new()).expect("a sound game");
    assert_eq!((all.value, all.depth), (0.5, 9));
    let quick = AlphaBeta::new(20).time(std::time::Duration::from_nanos(1)).look_ahead(&Connect4::new());
    assert!(quick.expect("a sound game").depth >= 1);
}

#[test]
fn invalid_look_aheads_are_rejected() {
    let text = |error: SearchError| error.to_string();
    let error = Minimax::new(0).look_ahead(&TicTacToe::new()).expect_err("no depth");
    assert_eq!(text(error), "Minimax, depth is 0; it must be from 1 to 256");
    let error = AlphaBeta::new(300).look_ahead(&TicTacToe::new()).expect_err("too deep");
    assert_eq!(text(error), "AlphaBeta, depth is 300; it must be from 1 to 256");
    let error = AlphaBeta::new(3).nodes(0).look_ahead(&TicTacToe::new()).expect_err("no budget");
    assert_eq!(text(error), "AlphaBeta::nodes is 0; it must be at least 1");
    for players in [1, 3] {
        let error = AlphaBeta::new(2).look_ahead(&Hashed::new(1, players, 3)).expect_err("not two");
        assert!(is_not_zero_sum(&error), "{error}");
    }
    let error = AlphaBeta::new(3).look_ahead(&Hashed::new(1, 2, 3)).expect_err("rewards of any kind");
    assert!(is_not_zero_sum(&error), "{error}");
    let wild = |_: &TicTacToe, _| 2.0;
    let error = Minimax::new(2).evaluation(wild).look_ahead(&TicTacToe::new()).expect_err("not in [0, 1]");
    let place = "(2 actions after the root of the search: 1, 2)";
    assert_eq!(text(error), format!("the evaluation for player 0 is 2; it must be in [0, 1] {place}"));
}

/// Returns every kind of agent.
fn zoo<G: StaticEvaluation + 'static>() -> Vec<Box<dyn Agent<G>>> {
    vec![
        Box::new(First),
        Box::new(Random::seeded(1)),
        Box::new(FlatMonteCarlo::per_action(30)),
        Box::new(FlatMonteCarlo::total(200)),
        Box::new(FlatMonteCarlo::ucb1(200, 1.0)),
        Box::new(Minimax::new(2)),
        Box::new(AlphaBeta::new(3)),
        Box::new(MctsAgent::new("mcts:300", Budget::iterations(300), |state: &G, seed| {
            Mcts::new(state.clone()).seed(seed)
        })),
    ]
}

#[test]
fn agents_find_a_win_in_one_and_return_no_action_in_a_finished_game() {
    let threat: Connect4 = ["3", "0", "3", "1", "3", "6"].iter().fold(Connect4::new(), |mut game, column| {
        game.apply(column.parse().expect("a column"));
        game
    });
    for mut agent in zoo::<Connect4>().into_iter().skip(2) {
        assert_eq!(agent.choose(&threat).expect("an action").to_string(), "3", "{}", agent.name());
        assert!(agent.thoughts(&threat).expect("it thinks").len() > 10);
    }
    let mut over = threat;
    over.apply("3".parse().expect("a column"));
    for mut agent in zoo::<Connect4>() {
        assert_eq!(agent.choose(&over), Err(SearchError::GameOver), "{}", agent.name());
    }
    let rolling = Pig { banked: [0, 0], pot: 0, player: 0, turns: 2, rolling: true };
    for mut agent in [
        Box::new(First) as Box<dyn Agent<Pig>>,
        Box::new(Random::default()),
        Box::new(FlatMonteCarlo::total(9)),
    ] {
        assert_eq!(agent.choose(&rolling), Err(SearchError::ChanceToMove));
    }
}

/// Plays a game between two agents, and returns the actions.
fn play<G: GameState>(start: &G, agents: &mut [Box<dyn Agent<G>>; 2], seed: u64) -> Vec<G::Action> {
    let (mut game, mut line) = (start.clone(), Vec::new());
    agents.iter_mut().for_each(|agent| agent.new_game(seed));
    while let Turn::Player(player) = game.turn() {
        let action = agents[usize::from(player)].choose(&game).expect("an action");
        assert!(game.is_legal(action.clone()));
        game.apply(action.clone());
        line.push(action.clone());
        agents.iter_mut().for_each(|agent| agent.played(action.clone()));
    }
    line
}

/// The columns fill up one after the other, with the starter in the odd rows. So the starter owns the lowest
/// row, and gets four in a row with the fourth column.
#[test]
fn first_against_itself_wins_with_its_tenth_stone() {
    let line = play(&Connect4::new(), &mut [Box::new(First), Box::new(First)], 0);
    assert_eq!(line.len(), 19);
}

#[test]
fn a_seed_fixes_the_games_of_all_agents() {
    for number in 0..8 {
        let pair = || [zoo::<TicTacToe>().remove(number), zoo().remove((number + 3) % 8)];
        let (mut one, mut other) = (pair(), pair());
        for seed in [3, 4] {
            assert_eq!(play(&TicTacToe::new(), &mut one, seed), play(&TicTacToe::new(), &mut other, seed));
        }
    }
}

#[test]
fn rollouts_are_divided_by_the_allocation() {
    let rollouts = |mut agent: FlatMonteCarlo| -> Vec<u64> {
        let game = Connect4::new();
        agent.choose(&game).expect("an action");
        let text = agent.thoughts(&game).expect("it thinks");
        text.lines()
            .map(|line| line.split(' ').nth(3).expect("a number").parse().expect("a number"))
            .collect()
    };
    assert_eq!(rollouts(FlatMonteCarlo::per_action(5)), [5; 7]);
    assert_eq!(rollouts(FlatMonteCarlo::total(16)), [3, 3, 2, 2, 2, 2, 2]);
    assert_eq!(rollouts(FlatMonteCarlo::total(1)), [1; 7]);
    let by_ucb = rollouts(FlatMonteCarlo::ucb1(1_000, 0.5));
    assert_eq!(by_ucb.iter().sum::<u64>(), 1_000);
    assert!(by_ucb[3] > 2 * by_ucb[0], "the middle is best: {by_ucb:?}");
    let error = FlatMonteCarlo::total(0).choose(&Connect4::new()).expect_err("no rollouts");
    assert_eq!(error.to_string(), "FlatMonteCarlo, rollouts is 0; it must be at least 1");
}

#[test]
fn a_search_that_follows_the_game_keeps_its_tree() {
    let make = |state: &Connect4, seed| Mcts::new(*state).backprop(Average).seed(seed);
    let visits = |tells: bool, reuses: bool| {
        let agent = MctsAgent::new("mcts", Budget::iterations(1_000), make);
        let mut agent = if reuses { agent } else { agent.without_tree_reuse() };
        let mut game = Connect4::new();
        for _ in 0..2 {
            let mine = agent.choose(&game).expect("an action");
            let mut next = game;
            next.apply(mine);
            let theirs = next.actions().into_iter().next().expect("an action");
            next.apply(theirs);
            game = next;
            if tells {
                agent.played(mine);
                agent.played(theirs);
            }
        }
        agent.choose(&game).expect("an action");
        agent.report().expect("it ran").root_visits
    };
    assert!(visits(true, true) > 1_000);
    assert_eq!((visits(false, true), visits(true, false)), (1_000, 1_000));
    // If the agent follows a different action from the one played, it sees that the states differ.
    let mut agent = MctsAgent::new("mcts", Budget::iterations(100), make);
    let mine = agent.choose(&Connect4::new()).expect("an action");
    agent.played(mine);
    agent.choose(&Connect4::new()).expect("an action");
    assert_eq!(agent.report().expect("it ran").root_visits, 100);
}

/// The flags fall at once or never, so the test does not look at the time.
#[test]
fn an_agent_on_a_clock_fails_when_its_flag_falls_and_starts_anew_in_the_next_game() {
    let make = |state: &Connect4, seed| Mcts::new(*state).seed(seed);
    let clock = GameClock::new(Duration::from_nanos(1));
    let mut agent = MctsAgent::on_clock("late", clock, make);
    let game = Connect4::new();
    for _ in 0..2 {
        assert_eq!(agent.clock(), Some(clock));
        let fell = agent.choose(&game).expect_err("a search takes more than a nanosecond");
        assert!(matches!(fell, SearchError::FlagFell { .. }), "{fell}");
        assert_eq!(agent.choose(&game), Err(SearchError::NoTime));
        agent.new_game(1);
    }
    let clock = GameClock::new(Duration::from_secs(86_400)).moves_to_go(u32::MAX).increment(Duration::ZERO);
    let mut agent = MctsAgent::on_clock("in time", clock, make);
    agent.choose(&game).expect("a day is enough");
    let after = agent.clock().expect("it has a clock");
    assert_eq!(after.moves_left(), u32::MAX - 1);
    assert!(after.remaining() < clock.remaining());
    // Boxes pass the clock on, and other agents have none.
    assert_eq!(Agent::<Connect4>::clock(&(Box::new(agent) as Box<dyn Agent<Connect4>>)), Some(after));
    let search = MctsAgent::new("iterations", Budget::iterations(9), make);
    assert_eq!((Agent::<Connect4>::clock(&First), search.clock()), (None, None));
}

/// The first actions of a game follow the visits, the others are those of the search, and another game with
/// the same seed is the same.
#[test]
fn an_opening_draws_the_first_actions_of_each_game() {
    let make = |state: &TicTacToe, seed| Mcts::new(*state).seed(seed);
    let new = || MctsAgent::new("varied", Budget::iterations(300), make);
    let begin = |agent: &mut MctsAgent<_, _>, seed| {
        agent.new_game(seed);
        agent.choose(&TicTacToe::new()).expect("a sound game");
        agent.report().expect("it chose").clone()
    };
    // Two actions of the agent, and one in between.
    let play = |agent: &mut MctsAgent<_, _>, seed| {
        let (first, mut state) = (begin(agent, seed).best_action(), TicTacToe::new());
        let reply = state.actions().into_iter().find(|action| *action != first).expect("nine cells");
        for action in [first, reply] {
            state.apply(action);
            agent.played(action);
        }
        agent.choose(&state).expect("a sound game")
    };
    let mut varied = new().opening(1, RootDecision::Temperature(1.0));
    // The sum of what each cell is drawn less its share of the visits, and the sum of the variances.
    let (mut excess, mut variance) = ([0.0; 9], [0.0; 9]);
    for seed in 0..sized(200, 600) {
        let report = begin(&mut varied, seed);
        for (cell, share) in report.visit_shares().into_iter().map(f64::from).enumerate() {
            excess[cell] += f64::from(u8::from(report.chosen == Some(cell))) - share;
            variance[cell] += share * (1.0 - share);
        }
        assert_eq!(report.principal_variation[0], report.best_action());
        if seed < 20 {
            assert_eq!(play(&mut varied, seed), play(&mut varied, seed), "seed {seed}");
        }
    }
    // Six standard errors: a false alarm has a probability of 2e-9 for each cell.
    for (excess, variance) in excess.into_iter().zip(variance) {
        assert!(excess.abs() < 6.0 * f64::sqrt(variance), "{excess} {variance}");
    }
    // After the opening, the agent plays as without one.
    let mut two = new().opening(2, RootDecision::Within(0.0));
    let mut plain = new();
    for seed in 0..20 {
        for agent in [&mut two, &mut plain] {
            agent.new_game(seed);
        }
        let state = TicTacToe::new();
        let robust = plain.choose(&state).expect("a sound game");
        let visits = |agent: &MctsAgent<_, _>| crate::common::visits(agent.report().expect("it chose"));
        let within = two.choose(&state).expect("a sound game");
        assert_eq!(visits(&two), visits(&plain));
        let report = two.report().expect("it chose");
        let mean =
            |action| report.actions.iter().find(|entry| entry.action == action).expect("it is legal").mean;
        assert!(mean(within) >= mean(robust), "{report}");
    }
    let error = new().opening(3, RootDecision::Temperature(0.0)).choose(&TicTacToe::new()).unwrap_err();
    assert!(error.to_string().contains("RootDecision::Temperature"), "{error}");
}

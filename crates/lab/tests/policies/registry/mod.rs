//! Agents and searches by text: they match the text, their names can be read again, and texts that name
//! nothing get an error.

mod by_hand;
mod code;
mod graph;
mod names;
mod parts;
mod threads;
mod three_players;
mod urgency;
mod words;

use crate::common;
use ramure::prelude::*;
use ramure_games::{Connect4, TicTacToe};
use ramure_lab::Recipe;
use ramure_lab::commands::{AnyGame, Everything};

/// The registry whose search loops the library has compiled. Another one would compile them here.
fn everything() -> Everything {
    AnyGame::registry()
}

/// Returns one or more of every kind.
const AGENTS: [&str; 39] = [
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
    "mcts:60,rollout=epsilon-greedy,epsilon=0.3",
    "mcts:60,backprop=discounted,gamma=0.9",
    "mcts:60,policy=puct,c=2,prior-tau=0.3",
    "mcts:60,policy=grave,rollout=mast,backprop=discounted,solver=yes",
    "mcts:60,solver=no",
    "mcts:60,final=secure,a=2",
    "mcts:60,final=temperature,t=0.5,reuse=no",
    "mcts:60,final=within,by=0.1,opening=3,early=yes",
    "mcts:60,final=max-robust,patience=0.5,early=no",
    "mcts:60,policy=puct,order=prior,fpu=mean-0.1",
    "mcts:60,policy=puct,widen=1.5,exponent=0.3,order=prior",
    "mcts:60,policy=gumbel,actions=4",
    "mcts:60,fpu=0.6,early=yes",
    "mcts:60,unclear=50,early=yes",
    "mcts:clock=1s",
    "mcts:clock=1s+10ms,moves=25,margin=20ms,policy=grave",
    "mcts:clock=30/1s,early=no,unclear=100,final=max",
    "mcts:60,order=listed,expand=3,memory=64KiB",
    "mcts:60,policy=grave,threads=2",
    "minimax:2",
    "alphabeta:3",
    "alphabeta:1ms",
    "alphabeta:3+1s,order=evaluation",
    "alphabeta:9,order=evaluation,nodes=50",
];

/// Plays a game of the agent against itself. Every action must be legal.
fn plays_a_game<G: GameState>(recipe: &Recipe<G>, start: &G) {
    let (mut game, mut agents) = (start.clone(), [recipe.make(), recipe.make()]);
    agents.iter_mut().for_each(|agent| agent.new_game(3));
    while let Turn::Player(player) = game.turn() {
        let action = agents[usize::from(player)].choose(&game).expect("an action");
        assert!(game.is_legal(action.clone()), "{}: {action:?}", recipe.name());
        game.apply(action.clone());
        agents.iter_mut().for_each(|agent| agent.played(action.clone()));
    }
}

#[test]
fn every_word_makes_an_agent_that_plays_a_legal_game() {
    let known = everything();
    for text in AGENTS {
        for game in [TicTacToe::new().into(), Connect4::new().into()] {
            plays_a_game(&known.read(text).expect(text), &game);
        }
    }
}

/// A position with many possibilities.
fn position() -> Connect4 {
    let columns = ["3", "0", "3", "0"].map(|column| column.parse().expect("a column"));
    common::after(&Connect4::new(), columns)
}

#[test]
fn registries_and_recipes_can_be_sent_to_other_threads() {
    fn goes<T: Clone + Send + Sync + 'static>(_: &T) {}
    let known = crate::covering::everything();
    let recipe = known.read("mcts:50,policy=grave").expect("it is there");
    goes(&known);
    goes(&recipe);
    let start = || common::any::Any::new(common::rows::TicTacToe::default());
    let here = recipe.make().choose(&start());
    let there = std::thread::spawn(move || recipe.make().choose(&start()));
    assert_eq!(there.join().expect("no panic"), here);
}

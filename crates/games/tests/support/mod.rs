//! Helpers for the tests of the games: counting, random walks, and laws that every game must obey.

#![allow(dead_code, reason = "each test file uses some of this")]

use ramure::{GameState, Player, Rng, Turn};
use ramure_games::{IllegalAction, IllegalReason};
use std::fmt::{Debug, Display};
use std::str::FromStr;

/// Plays actions given as text.
pub fn play<G: GameState>(mut game: G, actions: &str) -> G
where
    G::Action: FromStr<Err: Debug>,
{
    for text in actions.split_whitespace() {
        let action: G::Action = text.parse().unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert!(game.is_legal(action.clone()), "{text} is illegal");
        game.apply(action);
    }
    game
}

/// Returns why an action is not legal; `None` if it is.
pub fn reason<A>(played: Result<(), IllegalAction<A>>) -> Option<IllegalReason> {
    played.err().map(|error| error.reason)
}

/// Returns the states of a game given as text, including the first and the last.
pub fn states<G: GameState>(start: &G, actions: &str) -> Vec<G>
where
    G::Action: FromStr<Err: Debug>,
{
    let mut states = vec![start.clone()];
    for text in actions.split_whitespace() {
        let last = states[states.len() - 1].clone();
        states.push(play(last, text));
    }
    states
}

/// A game of mode 1 of Sudo Tic-Tac-Toe that fills all 81 cells without a row. Random games never get that
/// far; a search found this one.
pub const DRAWN_SUDO: &str = "6.5 5.8 8.2 2.5 5.2 2.7 7.9 9.7 7.4 4.7 7.2 2.6 6.6 6.9 9.8 8.1 1.7 7.1 1.2 2.1 1.5 5.3 3.5 \
     5.1 1.6 6.3 3.6 6.8 8.9 9.2 2.3 3.4 4.1 1.3 3.1 1.8 8.5 5.4 4.3 3.9 9.3 3.3 3.7 7.6 6.7 7.3 3.8 8.6 6.1 1.4 4.4 4.5 5.7 \
     7.5 5.9 9.5 5.6 6.4 4.8 8.8 8.4 4.6 6.2 2.2 2.9 9.6 1.1 1.9 9.4 4.2 2.4 4.9 9.9 9.1 7.7 7.8 8.7 3.2 2.8 8.3 5.5";

/// Returns the actions of a state, sorted as text.
pub fn legal<G: GameState>(game: &G) -> Vec<String> {
    let mut actions: Vec<String> = game.actions().into_iter().map(|action| format!("{action:?}")).collect();
    actions.sort();
    actions
}

/// Returns the number of sequences of exactly `depth` actions.
pub fn perft<G: GameState>(game: &G, depth: usize) -> u64 {
    if depth == 0 {
        return 1;
    }
    successors(game).map(|next| perft(&next, depth - 1)).sum()
}

/// Returns the numbers of sequences of 1, 2, ... actions.
pub fn counts<G: GameState>(game: &G, depth: usize) -> Vec<u64> {
    (1..=depth).map(|depth| perft(game, depth)).collect()
}

/// Returns the states after each action.
pub fn successors<G: GameState>(game: &G) -> impl Iterator<Item = G> {
    game.actions().into_iter().map(|action| {
        let mut next = game.clone();
        next.apply(action);
        next
    })
}

/// Counts the complete games that player 0 wins, draws and loses.
pub fn outcomes<G: GameState>(game: &G) -> [u64; 3] {
    if game.turn() == Turn::Over {
        return match game.reward(0) {
            1.0 => [1, 0, 0],
            0.5 => [0, 1, 0],
            _ => [0, 0, 1],
        };
    }
    successors(game).fold([0; 3], |sum, next| {
        let more = outcomes(&next);
        [0, 1, 2].map(|outcome| sum[outcome] + more[outcome])
    })
}

/// Calls `visit` with every state of a random game.
pub fn random_game<G: GameState>(start: &G, rng: &mut Rng, mut visit: impl FnMut(&G)) -> G {
    let mut game = start.clone();
    visit(&game);
    while let Some(action) = game.random_action(rng) {
        game.apply(action);
        visit(&game);
    }
    game
}

/// Returns a random action that does not end the game, if twenty draws find one. Such games are long, fill
/// boards and end in draws.
pub fn peaceful_action<G: GameState>(game: &G, rng: &mut Rng) -> Option<G::Action> {
    for _ in 0..20 {
        let action = game.random_action(rng)?;
        let mut next = game.clone();
        next.apply(action.clone());
        if next.turn() != Turn::Over {
            return Some(action);
        }
    }
    game.random_action(rng)
}

/// Calls `visit` with every state of a game of peaceful actions.
pub fn peaceful_game<G: GameState>(start: &G, rng: &mut Rng, mut visit: impl FnMut(&G)) -> G {
    let mut game = start.clone();
    visit(&game);
    while let Some(action) = peaceful_action(&game, rng) {
        game.apply(action);
        visit(&game);
    }
    game
}

/// Returns the player to move; panics if the game is over.
pub fn mover<G: GameState>(game: &G) -> Player {
    match game.turn() {
        Turn::Player(player) => player,
        turn => panic!("there is no player to move: {turn:?}"),
    }
}

/// Checks that both implementations agree on the turn, the actions and, if the game is over, the rewards.
pub fn assert_agree<G, P>(game: &G, plain: &P)
where
    G: GameState + Debug,
    P: GameState<Action = G::Action>,
{
    assert_eq!(game.turn(), plain.turn(), "{game:?}");
    assert_eq!(legal(game), legal(plain), "{game:?}");
    assert!(plain.actions().into_iter().all(|action| game.is_legal(action)), "{game:?}");
    if game.turn() == Turn::Over {
        for player in 0..2 {
            assert_eq!(game.reward(player), plain.reward(player), "{game:?}");
        }
    }
}

/// Checks that every state of some random and some peaceful games, and every action, can be read back from
/// its text.
pub fn assert_reads_back<G>(start: &G, games: usize)
where
    G: GameState + Eq + Debug + Display + FromStr<Err: Debug + PartialEq>,
    G::Action: Display + FromStr<Err: Debug + PartialEq>,
{
    let mut rng = Rng::seeded(3);
    for _ in 0..games {
        random_game(start, &mut rng, assert_one_reads_back);
        peaceful_game(start, &mut rng, assert_one_reads_back);
    }
}

/// Checks that the state and its actions can be read back from their texts.
pub fn assert_one_reads_back<G>(game: &G)
where
    G: GameState + Eq + Debug + Display + FromStr<Err: Debug + PartialEq>,
    G::Action: Display + FromStr<Err: Debug + PartialEq>,
{
    assert_eq!(game.to_string().parse(), Ok(game.clone()), "{game}");
    for action in game.actions() {
        assert_eq!(action.to_string().parse(), Ok(action.clone()));
        assert_eq!(format!("{action:?}"), action.to_string());
    }
}

/// Checks that `random_action` draws evenly in every state of a random and of a peaceful game, see
/// [`assert_draws_evenly`].
pub fn assert_uniform<G: GameState + Debug>(start: &G, seed: u64) {
    let mut rng = Rng::seeded(seed);
    let mut walk = Rng::seeded(seed + 1);
    random_game(start, &mut walk, |game| assert_draws_evenly(game, &mut rng));
    peaceful_game(start, &mut walk, |game| assert_draws_evenly(game, &mut rng));
}

/// Checks that `random_action` draws each action with the same probability, by 300 draws per action.
///
/// For a chi-squared variable X with d degrees of freedom, P(X >= d + 2 sqrt(d t) + 2 t) <= exp(-t) (Laurent
/// and Massart 2000, lemma 1). With t = 20, a right generator fails in one state in 4e8.
pub fn assert_draws_evenly<G: GameState + Debug>(game: &G, rng: &mut Rng) {
    let actions: Vec<G::Action> = game.actions().into_iter().collect();
    let mut drawn = vec![0u32; actions.len()];
    for _ in 0..300 * actions.len() {
        let action = game.random_action(rng).expect("there are actions");
        let index = actions.iter().position(|legal| *legal == action);
        drawn[index.unwrap_or_else(|| panic!("{action:?} is illegal in {game:?}"))] += 1;
    }
    let excess: f64 =
        drawn.iter().map(|&count| f64::from(count) - 300.0).map(|over| over * over / 300.0).sum();
    let (freedom, t) = (actions.len().saturating_sub(1) as f64, 20.0);
    assert!(excess <= freedom + 2.0 * (freedom * t).sqrt() + 2.0 * t, "{drawn:?} in {game:?}");
    if actions.is_empty() {
        assert_eq!(game.random_action(rng), None, "{game:?}");
    }
}

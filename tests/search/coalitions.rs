//! Games for three players in which the others play against one.

use crate::common::draw;
use ramure::backpropagation::Average;
use ramure::prelude::*;
use ramure::search::{BestReply, Paranoid, PlayerAction};
use ramure::{GameFault, LineOfPlay, SkipTurn};

/// A random tree: each player in turn goes left or right, for six turns, and the way decides who wins. With
/// `turns_by_chance`, chance takes every third turn instead of player 2.
#[derive(Clone, Debug, PartialEq)]
struct Way {
    seed: u64,
    turns: u8,
    player: Player,
    with_chance: bool,
}

const TURNS: u8 = 6;

impl Way {
    fn new(seed: u64, with_chance: bool) -> Self {
        Way { seed, turns: 0, player: 0, with_chance }
    }
}

impl GameState for Way {
    type Action = bool;

    fn turn(&self) -> Turn {
        match self.player {
            _ if self.turns == TURNS => Turn::Over,
            2 if self.with_chance => Turn::Chance,
            player => Turn::Player(player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true].into_iter().filter(|_| self.turns < TURNS)
    }
    fn apply(&mut self, right: bool) {
        let way = self.seed.wrapping_mul(4).wrapping_add(u64::from(self.player)).wrapping_mul(2);
        self.seed = Rng::seeded(way.wrapping_add(u64::from(right))).bits();
        self.turns += 1;
        self.player = (self.player + 1) % 3;
    }
    fn reward(&self, player: Player) -> f64 {
        // Player 0 wins at seven of eight ends.
        let winner = (self.seed % 16).saturating_sub(13);
        f64::from(u8::from(winner == u64::from(player)))
    }
    fn players(&self) -> u8 {
        3
    }
}

impl SkipTurn for Way {
    fn skip_turn(&mut self) {
        self.player = (self.player + 1) % 3;
    }
}

/// The value for player 0 if all others want it to be small.
fn paranoid(state: &Way) -> f64 {
    let after = |right| {
        let mut next = state.clone();
        next.apply(right);
        paranoid(&next)
    };
    match state.turn() {
        Turn::Player(0) => after(false).max(after(true)),
        Turn::Player(_) => after(false).min(after(true)),
        Turn::Chance => (after(false) + after(true)) / 2.0,
        _ => state.reward(0),
    }
}

/// The value for player 0, the player to move, if one of the others acts after each of its actions.
fn best_reply(state: &Way) -> f64 {
    let own = [false, true].map(|right| {
        let mut state = state.clone();
        state.apply(right);
        if state.turn() == Turn::Over {
            return state.reward(0);
        }
        let reply = |other: Player, right| {
            let mut state = state.clone();
            state.player = other;
            state.apply(right);
            state.player = 0;
            if state.turn() == Turn::Over { state.reward(0) } else { best_reply(&state) }
        };
        [(1, false), (1, true), (2, false), (2, true)]
            .map(|(other, right)| reply(other, right))
            .into_iter()
            .fold(1.0, f64::min)
    });
    own[0].max(own[1])
}

/// What `Solver` proves for player 0.
fn proven<G: GameState>(game: G) -> f64 {
    let mut search = Mcts::new(game).backprop(Solver::new(Average)).seed(1);
    let report = search.run(Budget::iterations(20_000)).expect("a sound game");
    f64::from(report.proof.expect("a small tree"))
}

#[test]
fn proofs_are_the_values_against_a_coalition() {
    let mut differ = 0;
    for seed in 0..30 {
        let game = Way::new(seed, false);
        let (all, one) = (proven(Paranoid::new(game.clone())), proven(BestReply::new(game.clone())));
        assert_eq!((all, one), (paranoid(&game), best_reply(&game)), "{seed}");
        differ += u32::from(all != one);
    }
    assert!(differ >= 5, "{differ}");
}

fn best_mean(report: &Report<bool>) -> f64 {
    report.actions.iter().map(|action| f64::from(action.mean)).fold(0.0, f64::max)
}

#[test]
fn averages_approach_the_value_against_a_coalition() {
    for seed in 0..10 {
        let game = Way::new(seed, true);
        let report = Mcts::new(Paranoid::new(game.clone())).run(Budget::iterations(3_000));
        let report = report.expect("a sound game");
        assert!((best_mean(&report) - paranoid(&game)).abs() < 0.1, "{seed}: {}\n{report}", paranoid(&game));
    }
}

/// By default, the others look after themselves. That is worth more to player 0 than if they play against it.
#[test]
fn the_others_are_worse_than_selfish() {
    let budget = Budget::iterations(1_000);
    let mut sums = [0.0, 0.0];
    for seed in 0..30 {
        let game = Way::new(seed, false);
        let report =
            Mcts::new(Paranoid::new(game.clone())).backprop(Average).run(budget).expect("a sound game");
        sums[0] += best_mean(&report);
        sums[1] += best_mean(&Mcts::new(game).backprop(Average).run(budget).expect("a sound game"));
    }
    assert!(sums[1] > sums[0] + 2.0, "{sums:?}");
}

#[test]
fn the_player_may_be_another_one() {
    let game = Way::new(3, false);
    let view = Paranoid::new(game.clone()).against(2);
    let mut end = view;
    while let Some(action) = draw(&end, &mut Rng::seeded(1)) {
        end.apply(action);
    }
    let own = end.state().reward(2);
    assert_eq!([0, 1].map(|player| end.reward(player)), [own, 1.0 - own]);
    // Both players sum to 1 here, so nothing changes: with the same seed, the same bits.
    let budget = Budget::iterations(500);
    let plain = Mcts::new(ramure_games::TicTacToe::new()).run(budget).expect("a sound game");
    let same = Mcts::new(Paranoid::new(ramure_games::TicTacToe::new())).run(budget).expect("a sound game");
    assert_eq!(plain.actions, same.actions);
}

#[test]
fn players_who_do_not_exist_are_errors() {
    let error = Mcts::new(Paranoid::new(Way::new(1, false)).against(3)).run(Budget::iterations(9));
    let fault = GameFault::UnknownPlayer { player: 3, players: 2 };
    assert_eq!(error, Err(SearchError::Game { fault, ply: 0, line: LineOfPlay::default() }));
}

#[test]
fn others_reply_once_and_skip_the_rest_of_their_turns() {
    let mut game = BestReply::new(Way::new(1, false));
    assert_eq!(game.actions().into_iter().count(), 2);
    game.apply(PlayerAction::by_player(0, true));
    let replies: Vec<_> = game.actions().into_iter().map(|chosen| (chosen.player, chosen.action)).collect();
    assert_eq!(replies, [(Some(1), false), (Some(1), true), (Some(2), false), (Some(2), true)]);
    for reply in [PlayerAction::by_player(1, true), PlayerAction::by_player(2, true)] {
        let mut next = game.clone();
        next.apply(reply);
        assert_eq!((next.turn(), next.state().turns), (Turn::Player(0), 2));
    }
    // Chance comes before its turn is over for the others: they cannot skip it.
    let mut game = BestReply::new(Way::new(1, true));
    game.apply(PlayerAction::by_player(0, true));
    assert_eq!(game.actions().into_iter().count(), 2);
    game.apply(PlayerAction::by_player(1, true));
    assert_eq!(game.turn(), Turn::Chance);
    game.apply(PlayerAction::by_chance(true));
    assert_eq!(game.turn(), Turn::Player(0));
}

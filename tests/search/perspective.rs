//! A child's statistics belong to the player who chose it: checked on every selection with every simulation with every
//! backpropagation, 120 searches, against an oracle.
//!
//! Each position is searched by all of them with the seeds 0, 1 and 2: 360 trials, of which none may fail.

use crate::common::any::Any;
use crate::common::four::{Connect4, SmallFour};
use crate::common::hashed::Hashed;
use crate::common::nim::Nim;
use crate::common::oracle::Oracle;
use crate::common::pig::{HOLD, Pig, ROLL};
use crate::common::rows::{TicTacToe, TwiceRunning};
use crate::common::simple::Climb;
use crate::common::zoo::{MEMBERS, zoo};
use crate::common::{self, after, mover, wander};
use ramure::{Budget, GameState, Rng, StaticEvaluation, Turn};
use std::fmt::Debug;
use std::hash::Hash;

const SEEDS: u64 = 3;

/// Every search of the zoo, with every seed, must choose one of `right`.
///
/// But for a fifth of the 120 trials of GRAVE and RAVE: they have no bonus for what was tried little, so where several
/// children look alike, they may stay with the first for ever, if no proof drives them away.
fn all_choose<G>(state: &G, right: &[u8], iterations: u64)
where
    G: StaticEvaluation<Action = u8> + Debug + 'static,
{
    all_but(|name| matches!(name[0], "Grave" | "Rave"), 24, state, right, iterations);
}

/// Every search of the zoo must, but for so many trials of those `excused`.
fn all_but<G>(excused: fn(&[&str; 3]) -> bool, at_most: usize, state: &G, right: &[u8], iterations: u64)
where
    G: StaticEvaluation<Action = u8> + Debug + 'static,
{
    let (wrong, report) = wrong_choices(state, right, iterations);
    assert!(wrong.len() <= at_most && wrong.iter().all(excused), "{report}");
}

/// Explores only what all-moves-as-first values praise, and what no proof excludes.
fn is_greedy(name: &[&str; 3]) -> bool {
    matches!(name[0], "Grave" | "Rave") && !name[2].starts_with("Solver")
}

/// Holds that an action is worth the same everywhere: true in few of these games, and denied by some on purpose.
fn generalises(name: &[&str; 3]) -> bool {
    matches!(name[0], "Grave" | "Rave") || name[1] == "Mast"
}

/// Generalises, or is slow where the worth of a child changes as its own children become known: what always ended alike
/// has no variance, and is tried rarely.
fn is_slow(name: &[&str; 3]) -> bool {
    generalises(name) || matches!(name[0], "Thompson" | "Ucb1Tuned")
}

/// The names of the members that do not choose one of `right`, once for each seed, and a text that tells all.
fn wrong_choices<G>(state: &G, right: &[u8], iterations: u64) -> (Vec<[&'static str; 3]>, String)
where
    G: StaticEvaluation<Action = u8> + Debug + 'static,
{
    let (mut trials, mut wrong, mut text) = (0, Vec::new(), String::new());
    for seed in 0..SEEDS {
        for member in zoo(&Any::new(state.clone()), seed) {
            trials += 1;
            let report = (member.run)(Budget::iterations(iterations)).expect("a sound game");
            if !right.contains(&report.best_action()) {
                wrong.push(member.name);
                text += &format!("{:?} with seed {seed}:\n{report}\n", member.name);
            }
        }
    }
    assert_eq!(trials, MEMBERS * SEEDS as usize);
    let head = format!("{state:?}: {right:?} is right, but {} of {trials} say else", wrong.len());
    (wrong, format!("{head}\n{text}"))
}

/// The actions that the oracle finds best.
fn best<G: GameState + Eq + Hash>(state: &G) -> Vec<G::Action> {
    Oracle::new().best_actions(state)
}

/// The actions with which `state`'s mover wins at once.
fn wins_in_one<G: GameState>(state: &G) -> Vec<G::Action> {
    let (me, actions) = (mover(state), Vec::from_iter(state.actions()));
    let wins = |action: &G::Action| {
        let next = after(state, [*action]);
        next.turn() == Turn::Over && next.reward(me) == 1.0
    };
    actions.into_iter().filter(wins).collect()
}

/// The actions after which the opponent cannot win at once.
fn blocks<G: GameState>(state: &G) -> Vec<G::Action> {
    let safe = |action: &G::Action| {
        let next = after(state, [*action]);
        next.turn() == Turn::Over || wins_in_one(&next).is_empty()
    };
    Vec::from_iter(state.actions()).into_iter().filter(safe).collect()
}

/// Positions met on random walks of `length` actions from `start` and liked by `filter`: `count` where player 0 is to move
/// and as many where player 1 is.
fn positions<G: GameState + Eq>(
    start: G,
    lengths: [usize; 2],
    count: usize,
    mut filter: impl FnMut(&G) -> bool,
) -> Vec<G> {
    let mut rng = Rng::seeded(11);
    let mut found: [Vec<G>; 2] = Default::default();
    while found.iter().any(|found| found.len() < count) {
        let length = lengths[0] + rng.below(lengths[1] - lengths[0] + 1);
        let state = wander(start.clone(), length, &mut rng);
        let Turn::Player(player) = state.turn() else { continue };
        let found = &mut found[usize::from(player)];
        if found.len() < count && !found.contains(&state) && filter(&state) {
            found.push(state);
        }
    }
    found.concat()
}

#[test]
fn every_selection_goes_with_every_simulation_and_every_backpropagation() {
    assert_eq!(common::zoo::all_combinations_are_searches(&Any::new(Climb::new(3, 0))), MEMBERS);
}

#[test]
fn a_win_in_one_is_found_by_every_policy_in_tic_tac_toe_for_both_players() {
    // Whatever else is played does not win.
    let win_now = |state: &TicTacToe| wins_in_one(state).len() == 1 && best(state) == wins_in_one(state);
    for state in positions(TicTacToe::default(), [4, 6], 3, win_now) {
        all_choose(&state, &wins_in_one(&state), 1_000);
    }
}

#[test]
fn a_loss_in_one_is_blocked_by_every_policy_in_tic_tac_toe_for_both_players() {
    // Whatever else is played loses at once.
    let block_now = |state: &TicTacToe| {
        wins_in_one(state).is_empty() && blocks(state).len() == 1 && best(state) == blocks(state)
    };
    for state in positions(TicTacToe::default(), [3, 5], 3, block_now) {
        all_choose(&state, &blocks(&state), 2_000);
    }
}

#[test]
fn a_win_in_one_is_found_by_every_policy_in_connect_4_for_both_players() {
    // Both have three in a column: who does not win now loses.
    for line in [&[0, 6, 0, 6, 0, 6][..], &[3, 0, 6, 0, 6, 0, 6]] {
        let state = after(&Connect4::default(), line.iter().copied());
        let win = wins_in_one(&state);
        assert_eq!((win.len(), usize::from(mover(&state))), (1, line.len() % 2));
        all_choose(&state, &win, 1_000);
    }
}

#[test]
fn a_loss_in_one_is_blocked_by_every_policy_in_connect_4_for_both_players() {
    for line in [&[2, 0, 3, 0, 6, 0][..], &[0, 3, 0, 6, 0]] {
        let state = after(&Connect4::default(), line.iter().copied());
        assert_eq!((wins_in_one(&state), blocks(&state)), (vec![], vec![0]));
        assert_eq!(usize::from(mover(&state)), line.len() % 2);
        all_choose(&state, &[0], 3_000);
    }
}

#[test]
fn a_win_in_several_actions_is_found_by_every_policy_in_connect_4_on_a_small_board() {
    let mut oracle = Oracle::new();
    let win_later = |state: &SmallFour| {
        let wins = oracle.value(state, mover(state)) == 1.0 && wins_in_one(state).is_empty();
        wins && oracle.best_actions(state).len() == 1
    };
    for state in positions(SmallFour::default(), [7, 10], 2, win_later) {
        all_but(is_greedy, usize::MAX, &state, &best(&state), 3_000);
    }
}

#[test]
fn nim_is_played_right_by_every_policy_for_both_players() {
    for (sticks, player, taken) in [(3, 0, 3), (2, 1, 2), (5, 0, 1), (6, 1, 2), (7, 0, 3)] {
        let state = Nim::<2> { sticks, player };
        assert_eq!(best(&state), [taken]);
        all_choose(&state, &[taken], 2_000);
    }
}

#[test]
fn one_player_alone_is_served_right_by_every_policy() {
    // Right once, right always: here it is true that an action is worth the same everywhere.
    for way in [0b111, 0b000] {
        let state = Climb::new(3, way);
        assert_eq!(best(&state), [(way & 1) as u8]);
        all_choose(&state, &[(way & 1) as u8], 1_000);
    }
    for way in [0b101, 0b010, 0b001, 0b110] {
        all_but(generalises, usize::MAX, &Climb::new(3, way), &[(way & 1) as u8], 1_000);
    }
}

#[test]
fn three_players_are_served_right_by_every_policy() {
    for (sticks, player, taken) in [(2, 2, 2), (3, 1, 3), (1, 0, 1)] {
        let state = Nim::<3> { sticks, player };
        assert_eq!(best(&state), [taken]);
        all_choose(&state, &[taken], 500);
    }
}

/// Games of hashed rewards in which every choice matters by at least `lead`, each with the one best action.
fn clear_games(players: u8, depth: u8, lead: f64) -> impl Iterator<Item = (Hashed, u8)> {
    (0..).map(move |seed| Hashed::new(seed, players, depth)).filter_map(move |state| {
        let mut oracle = Oracle::new();
        let clear = oracle.least_lead(&state) >= lead;
        (clear && state.actions().into_iter().count() > 1).then(|| (state, oracle.best_actions(&state)[0]))
    })
}

#[test]
fn rewards_that_owe_nothing_to_each_other_are_kept_apart_for_one_two_and_three_players() {
    for players in [1, 2, 3] {
        for (state, right) in clear_games(players, 3, 0.15).take(2) {
            all_but(is_slow, usize::MAX, &state, &[right], 20_000);
        }
    }
}

#[test]
fn a_player_who_acts_twice_running_is_served_right_by_every_policy() {
    // Two marks of one turn win together; neither does alone.
    let win_by_two = |state: &TwiceRunning| {
        let actions = state.actions().into_iter().count();
        let (right, me) = (best(state), mover(state));
        let again = |action: &u8| after(state, [*action]).turn() == Turn::Player(me);
        wins_in_one(state).is_empty()
            && Oracle::new().value(state, me) == 1.0
            && right.len() < actions
            && right.iter().all(again)
    };
    for state in positions(TwiceRunning::default(), [3, 5], 3, win_by_two) {
        all_choose(&state, &best(&state), 2_000);
    }
}

#[test]
fn the_dice_game_is_played_right_by_every_policy() {
    let pig = |banked, pot, player, turns| Pig { banked, pot, player, turns, rolling: false };
    // The last turn: hold what wins; roll what loses. And the same with an answer to come.
    for (state, right) in [
        (pig([6, 5], 2, 1, 1), HOLD),
        (pig([2, 6], 5, 0, 1), HOLD),
        (pig([6, 5], 0, 1, 1), ROLL),
        (pig([2, 6], 1, 0, 1), ROLL),
        (pig([3, 9], 0, 0, 2), ROLL),
        (pig([9, 3], 9, 1, 2), HOLD),
    ] {
        let lead = Oracle::new().lead(&state);
        assert!(best(&state) == [right] && lead > 0.1, "{state:?} {:?} {lead}", best(&state));
        all_choose(&state, &[right], 3_000);
    }
}

//! A child's statistics belong to the player who chose it. This is checked on positions of known games, for
//! both players, with searches that combine every two policies and settings. `pairs` checks the same on games
//! with independent values.

use crate::common::four::{Connect4, SmallFour};
use crate::common::oracle::Oracle;
use crate::common::rows::TicTacToe;
use crate::common::{after, mover, wander};
use crate::covering::{covering, everything, go_together, lists, members, policies, settled};
use crate::verdict::{Bounds, Case, judge};
use ramure::{GameState, Rng, Turn};
use std::hash::Hash;

/// Returns the actions that the oracle finds best.
fn best<G: GameState + Eq + Hash>(state: &G) -> Vec<G::Action> {
    Oracle::new().best_actions(state)
}

/// Returns the actions with which `state`'s player to move wins at once.
fn wins_in_one<G: GameState>(state: &G) -> Vec<G::Action> {
    let (me, actions) = (mover(state), Vec::from_iter(state.actions()));
    let wins = |action: &G::Action| {
        let next = after(state, [action.clone()]);
        next.turn() == Turn::Over && next.reward(me) == 1.0
    };
    actions.into_iter().filter(wins).collect()
}

/// Returns the actions after which the opponent cannot win at once.
fn blocks<G: GameState>(state: &G) -> Vec<G::Action> {
    let safe = |action: &G::Action| {
        let next = after(state, [action.clone()]);
        next.turn() == Turn::Over || wins_in_one(&next).is_empty()
    };
    Vec::from_iter(state.actions()).into_iter().filter(safe).collect()
}

/// Returns positions on random walks of `length` actions from `start` that `filter` accepts: `count` with
/// player 0 to move and as many with player 1 to move.
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

/// No array of pairs is smaller than all pairs of its two longest lists.
#[test]
fn a_covering_array_contains_all_pairs_in_few_rows() {
    for sizes in [
        &[6, 4, 2, 2][..],
        &[2, 2],
        &[25, 15, 10, 2],
        &[15, 25, 2, 10],
        &[3, 3, 3, 3, 3],
        &[1, 5, 1],
        &[7, 1],
    ] {
        let rows = covering(sizes);
        assert_eq!(rows, covering(sizes));
        for (one, other) in (0..sizes.len()).flat_map(|other| (0..other).map(move |one| (one, other))) {
            for pair in 0..sizes[one] * sizes[other] {
                let (left, right) = (pair / sizes[other], pair % sizes[other]);
                assert!(rows.iter().any(|row| row[one] == left && row[other] == right), "{sizes:?}");
            }
        }
        assert!(rows.iter().flatten().zip(sizes.iter().cycle()).all(|(item, size)| item < size));
        let mut longest = sizes.to_vec();
        longest.sort_unstable_by(|a, b| b.cmp(a));
        let least = longest[0] * longest[1];
        println!("{sizes:?}: {} rows, {least} are needed at least", rows.len());
        // Several lists of the greatest length need a few more rows.
        assert!(rows.len() <= least + 5, "{sizes:?}: {} rows, {least} are needed at least", rows.len());
    }
}

#[test]
fn every_pair_of_words_is_searched_together() {
    let (words, members) = (everything().words(), members());
    let lists = [policies(), words.rollouts, words.backprops, vec!["no".into(), "yes".into()]];
    for (one, other) in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)] {
        for left in &lists[one] {
            for right in &lists[other] {
                assert!(
                    members.iter().any(|member| member.name[one] == *left && member.name[other] == *right),
                    "{left} and {right}"
                );
            }
        }
    }
    println!("{} searches", members.len());
}

#[test]
fn every_compatible_pair_of_settings_is_searched_together() {
    let (lists, members) = (lists(), settled());
    for (one, other) in (4..lists.len()).flat_map(|other| (0..other).map(move |one| (one, other))) {
        for left in &lists[one] {
            for right in &lists[other] {
                let mut with = members.iter().filter(|member| member.name[one] == *left);
                let found = with.any(|member| member.name[other] == *right);
                assert_eq!(found, one > 0 || go_together(left, right), "{left} and {right}");
            }
        }
    }
    println!("{} searches", members.len());
}

#[test]
fn a_win_in_one_is_found_and_a_loss_in_one_blocked_in_tic_tac_toe_for_both_players() {
    // Every other action does not win, or loses at once.
    let win_now = |state: &TicTacToe| wins_in_one(state).len() == 1 && best(state) == wins_in_one(state);
    let block_now = |state: &TicTacToe| {
        wins_in_one(state).is_empty() && blocks(state).len() == 1 && best(state) == blocks(state)
    };
    let mut states = positions(TicTacToe::default(), [4, 6], 1, win_now);
    states.extend(positions(TicTacToe::default(), [3, 5], 1, block_now));
    let cases = Vec::from_iter(states.into_iter().map(|state| Case::new(state, 600).provable()));
    judge(
        "tic-tac-toe",
        &cases,
        // A search of width one sees no other action before it has refuted the first, which takes longer
        // where refuted actions are visited.
        &Bounds { all: 0.01, word: 0.06, but_for: 0, any_word: 0.06, search: 0.4 },
    );
}

#[test]
fn a_win_in_one_is_found_and_a_loss_in_one_blocked_in_connect_4_for_both_players() {
    let mut cases = Vec::new();
    // Both have three in a column: a player who does not win now loses.
    for line in [&[0, 6, 0, 6, 0, 6][..], &[3, 0, 6, 0, 6, 0, 6]] {
        let state = after(&Connect4::default(), line.iter().copied());
        let win = wins_in_one(&state);
        assert_eq!((win.len(), usize::from(mover(&state))), (1, line.len() % 2));
        let worth = |action| (action, if win.contains(&action) { 1.0 } else { 0.0 });
        cases.push(Case::valued(state, 1_000, (0..7).map(worth).collect()));
    }
    for line in [&[2, 0, 3, 0, 6, 0][..], &[0, 3, 0, 6, 0]] {
        let state = after(&Connect4::default(), line.iter().copied());
        assert_eq!((wins_in_one(&state), blocks(&state)), (vec![], vec![0]));
        assert_eq!(usize::from(mover(&state)), line.len() % 2);
        // The value of the block does not matter, because so few iterations do not prove it.
        let worth = |action| (action, if action == 0 { 1.0 } else { 0.0 });
        cases.push(Case::valued(state, 2_000, (0..7).map(worth).collect()));
    }
    // With a constant urgency, RAVE gives an unvisited action no bonus, so it may not try the best one in three
    // of the four positions.
    judge("connect 4", &cases, &Bounds { all: 0.015, word: 0.075, but_for: 0, any_word: 0.075, search: 0.8 });
}

#[test]
fn a_win_in_several_actions_is_found_in_connect_4_on_a_small_board() {
    let mut oracle = Oracle::new();
    let win_later = |state: &SmallFour| {
        let wins = oracle.value(state, mover(state)) == 1.0 && wins_in_one(state).is_empty();
        wins && oracle.best_actions(state).len() == 1
    };
    let states = positions(SmallFour::default(), [7, 10], 1, win_later);
    let case = |state: SmallFour| {
        let values = oracle.successors(&state).into_iter();
        let worth = values.map(|(action, values)| (action, values[usize::from(mover(&state))])).collect();
        Case::valued(state, 2_500, worth)
    };
    let cases = Vec::from_iter(states.into_iter().map(case));
    judge("small four", &cases, &Bounds { all: 0.02, word: 0.06, but_for: 2, any_word: 0.15, search: 0.35 });
}

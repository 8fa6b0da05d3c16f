//! A child's statistics belong to the player who chose it: checked against an oracle, on searches that have every two of all
//! selections, simulations and backpropagations together.
//!
//! Each position is searched by all of them, with the seed 0. None may choose wrongly, but for a few of those of which it is known why:
//! and of these, too, some must be right with every policy, which hardly any are with one that counts rewards for another player.

use crate::common::any::Any;
use crate::common::covering::{covering, everything, members};
use crate::common::four::{Connect4, SmallFour};
use crate::common::hashed::Hashed;
use crate::common::nim::Nim;
use crate::common::oracle::Oracle;
use crate::common::pig::{HOLD, Pig, ROLL};
use crate::common::rows::{TicTacToe, TwiceRunning};
use crate::common::simple::Climb;
use crate::common::{after, mover, wander};
use ramure::{GameState, Rng, StaticEvaluation, Turn};
use std::fmt::Debug;
use std::hash::Hash;

/// Every search must choose one of `right`, but for a tenth of those that may stay away from an action.
fn all_choose<G>(state: &G, right: &[u8], iterations: u64)
where
    G: StaticEvaluation<Action = u8> + Debug + Send + 'static,
{
    all_but(may_stay_away, 0.1, state, right, iterations);
}

/// Every search must, but for those `excused`: `at_most` this part of them may be wrong, and of those with any one word four fifths.
fn all_but<G>(excused: fn(&[String; 4]) -> bool, at_most: f64, state: &G, right: &[u8], iterations: u64)
where
    G: StaticEvaluation<Action = u8> + Debug + Send + 'static,
{
    let (known, members) = (everything(), members());
    let (mut wrong, mut text) = (Vec::new(), String::new());
    for member in &members {
        let report = member.run(&known, &Any::new(state.clone()), 0, iterations).expect("a sound game");
        if !right.contains(&report.best_action()) {
            wrong.push(&member.name);
            text += &format!("{}:\n{report}\n", member.text);
        }
    }
    let share = |wrong: usize, of: usize| wrong as f64 / of.max(1) as f64;
    let all = share(wrong.len(), members.iter().filter(|member| excused(&member.name)).count());
    println!("{state:?}: {} wrong, {all:.2} of those excused", wrong.len());
    // Alone, without halving at the root, completed values need not come back to anything.
    let words =
        wrong.iter().flat_map(|name| name.iter().enumerate()).filter(|(_, name)| *name != "completed");
    for (list, name) in words {
        let with = wrong.iter().filter(|wrong| wrong[list] == *name).count();
        let of = members.iter().filter(|member| member.name[list] == *name).count();
        assert!(
            with == 1 || share(with, of) <= 0.8,
            "{state:?}: {with} of {of} searches with {name} are wrong\n{text}"
        );
    }
    assert!(
        all <= at_most && wrong.iter().all(|name| excused(name)),
        "{state:?}: {right:?} is right, but {} say else\n{text}",
        wrong.len()
    );
}

/// Has no bonus for what was tried little.
fn has_no_bonus(name: &[String; 4]) -> bool {
    matches!(&*name[0], "grave" | "hrave" | "rave" | "rave-k")
}

/// Need not come back to a child that looked bad: where several children look alike, all-moves-as-first values without a bonus
/// may stay with the first for ever, if no proof drives them away; halving gives up children for good after few iterations; and what is
/// drawn by a prior, or ever more rarely, may be drawn too rarely.
fn may_stay_away(name: &[String; 4]) -> bool {
    let few =
        matches!(&*name[0], "shot" | "halving" | "gumbel" | "completed" | "puct-noise" | "epsilon-n-greedy");
    has_no_bonus(name) || few
}

/// Holds that an action is worth the same everywhere: true in few of these games, and denied by some on purpose.
fn generalises(name: &[String; 4]) -> bool {
    let by_rollouts = matches!(&*name[1], "mast" | "mast-gibbs" | "nst" | "lgr" | "ppa");
    has_no_bonus(name) || matches!(&*name[0], "alpha-amaf" | "progressive-history") || by_rollouts
}

/// Generalises, or is slow where the worth of a child changes as its own children become known: what always ended alike
/// has no variance, and is tried rarely; what was drawn rarely is learned slowly.
fn is_slow(name: &[String; 4]) -> bool {
    generalises(name)
        || may_stay_away(name)
        || matches!(
            &*name[0],
            "thompson"
                | "gaussian-thompson"
                | "ucb1-tuned"
                | "ucb-v"
                | "bayes-uct"
                | "exp3"
                | "epsilon-greedy"
                | "boltzmann"
        )
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

/// No array of pairs is smaller than all pairs of its two longest lists.
#[test]
fn a_covering_array_has_all_pairs_in_few_rows() {
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
        // A few more where several lists are as long as the longest.
        assert!(rows.len() <= least + 5, "{sizes:?}: {} rows, {least} are needed at least", rows.len());
    }
}

#[test]
fn every_two_words_are_together_in_a_search() {
    let (words, members) = (everything().words(), members());
    let lists = [words.policies, words.rollouts, words.backprops, vec!["no".into(), "yes".into()]];
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
        all_but(is_slow, 0.1, &state, &best(&state), 3_000);
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
        all_but(generalises, 0.1, &Climb::new(3, way), &[(way & 1) as u8], 1_000);
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
            all_but(is_slow, 0.3, &state, &[right], 5_000);
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

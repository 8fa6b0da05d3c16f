//! Backpropagations that change what is recorded: contempt, the bonus for length, and their combinations.
//! (`perspective` tests that each works for every number of players.)

#![allow(
    clippy::disallowed_methods,
    reason = "tests may use the platform's own functions, in double precision"
)]

use crate::common::any::Any;
use crate::common::nim::Nim;
use crate::common::oracle::Oracle;
use crate::common::pig::Pig;
use crate::common::rows::TicTacToe;
use crate::common::scripted::{chance, choice, corridor, end};
use crate::common::simple::{Climb, Corridor, OneStep};
use crate::common::{after, mover, sized, wander};
use ramure::backpropagation::{
    Average, Backprop, Contempt, Discounted, ImplicitMinimax, RelativeBonus, ScoreBounds, SoftmaxBackup,
    Solver, Step,
};
use ramure::selection::Ucb1;
use ramure::{Budget, Every, GameState, Mcts, Player, Rewards, Rng, StopReason, Turn};
use std::cell::RefCell;
use std::rc::Rc;

/// Returns the player of the only action of a corridor of `left` actions that ends in a draw, and the mean of
/// that action after four iterations.
fn drawn<B: Backprop<Any>>(left: u32, backprop: B) -> (Player, f32) {
    let mut search = Mcts::new(Any::listed(Corridor { left })).backprop(backprop);
    let report = search.run(Budget::iterations(4)).expect("a sound game");
    (mover(&Corridor { left }), report.actions[0].mean)
}

#[test]
fn contempt_sets_the_worth_of_draws() {
    assert_eq!(drawn(5, Contempt::new(0.25, Average)), (1, 0.25));
    assert_eq!(drawn(6, Contempt::new(0.25, Average)), (0, 0.25));
    assert_eq!(drawn(5, Contempt::of(1, 0.25, Average)), (1, 0.25));
    assert_eq!(drawn(6, Contempt::of(1, 0.25, Average)), (0, 0.75));
    assert_eq!(drawn(6, Contempt::new(0.5, Average)), (0, 0.5));
    // The inner backpropagation averages or discounts these rewards. The outer one sees
    // draws.
    assert_eq!(drawn(6, Solver::new(Contempt::of(0, 0.25, Average))), (0, 0.25));
    // The leaf is one action below, then two, three and four: the value of the draw shrinks with the number
    // of steps.
    let shrunk = |steps: i32| 0.5 - 0.25 * 0.5f64.powi(steps);
    let mean = (0..4).map(shrunk).sum::<f64>() / 4.0;
    let (_, found) = drawn(6, Contempt::of(0, 0.25, Discounted::new(0.5)));
    assert!((f64::from(found) - mean).abs() < 1e-6, "{found} is not {mean}");
    // Other rewards do not change, and for one player, 1/2 is a draw.
    let mut search =
        Mcts::new(Any::listed(OneStep::new(&[0.5, 0.375]))).backprop(Contempt::new(0.25, Average));
    let report = search.run(Budget::iterations(10)).expect("a sound game");
    assert_eq!([report.actions[0].mean, report.actions[1].mean], [0.25, 0.375]);
    assert_eq!(report.best_action(), 1);
}

/// Returns a board that is drawn: the empty one, or in the quick instance one after two marks.
fn drawn_board() -> TicTacToe {
    sized(TicTacToe::picture("X.. .O. ..."), TicTacToe::default())
}

#[test]
fn a_solver_proves_draws_outside_contempt_but_not_inside() {
    for value in [0.0, 0.3, 1.0] {
        let mut search =
            Mcts::new(Any::new(drawn_board())).backprop(Solver::new(Contempt::of(0, value, Average)));
        let report = search.run(Budget::iterations(200_000)).expect("a sound game");
        assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)), "{report}");
        let mut search = Mcts::new(Any::new(TicTacToe::picture("XOX OXO OX."))).backprop(Contempt::of(
            0,
            value,
            Solver::new(Average),
        ));
        assert_ne!(search.run(Budget::iterations(1_000)).expect("a sound game").proof, Some(0.5));
    }
}

#[test]
fn a_proven_draw_is_played_if_it_is_worth_more_than_the_favourite() {
    // Positions on the way to the proof of the empty board. Each run has several checks.
    let mut seen = [[0; 2]; 3];
    for (index, value) in [0.1, 0.5, 0.9].into_iter().enumerate() {
        let mut rng = Rng::seeded(11);
        for seed in 0..sized(50, 150) {
            let state = wander(TicTacToe::default(), 1 + rng.below(4), &mut rng);
            let Turn::Player(me) = state.turn() else { continue };
            let backprop = Solver::new(Contempt::of(me, value, Average));
            let mut search = Mcts::new(Any::new(state)).backprop(backprop).seed(seed);
            let mut look = |report: &ramure::Report<u8>| {
                let open = report.actions.iter().filter(|action| action.proof.is_none());
                // The most visits, then the greatest mean; among equals, either.
                let most = open.map(|action| (action.visits, action.mean));
                let Some(favourite) = most.reduce(|a, b| if b > a { b } else { a }) else { return };
                let best_proof = report.actions.iter().filter_map(|action| action.proof).reduce(f32::max);
                if best_proof != Some(0.5) {
                    return;
                }
                let chosen = report.chosen_action().expect("there is a player to move");
                let takes = value > favourite.1;
                seen[index][usize::from(takes)] += 1;
                if takes {
                    assert_eq!(chosen.proof, Some(0.5), "a draw is worth {value}: {report}");
                } else {
                    assert_eq!(chosen.proof, None, "a draw is worth {value}: {report}");
                    assert_eq!((chosen.visits, chosen.mean), favourite, "{report}");
                }
            };
            search.run_with(Budget::iterations(600), Every::Iterations(20), &mut look).expect("a sound game");
        }
    }
    // The more a draw is worth, the more often the search takes it.
    assert!(seen[0][1] < seen[1][1] && seen[1][1] < seen[2][1], "{seen:?}");
    assert!(seen.iter().all(|seen| seen[0] + seen[1] > sized(33, 100)), "{seen:?}");
    let few = sized(7, 20);
    assert!(seen[1][0] > few && seen[1][1] > few, "{seen:?}");
}

/// Records the length and the rewards of every iteration, and whether a proof ended it early.
#[derive(Clone, Default)]
struct Recorder(Rc<RefCell<Vec<Iteration>>>);

type Iteration = (u32, Rewards, bool);

impl<G: GameState> Backprop<G> for Recorder {
    type Stats = ();
    const COUNTS: bool = true;

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        if step.followed().is_none() {
            self.0.borrow_mut().push((step.length(), *rewards, step.is_cut_short()));
        } else {
            let leaf = self.0.borrow().last().expect("a leaf comes first").1;
            assert_eq!(*rewards, leaf, "a step above the leaf is shown other rewards");
        }
        step.record(rewards[step.chooser()]);
    }
}

/// Records the same, and leaves the rest to the inner backpropagation.
struct Outside<B>(Recorder, B);

impl<G: GameState, B: Backprop<G>> Backprop<G> for Outside<B> {
    type Stats = B::Stats;
    const COUNTS: bool = true;

    fn update(&self, step: impl Step<G, B::Stats>, rewards: &mut Rewards) {
        if step.followed().is_none() {
            self.0.0.borrow_mut().push((step.length(), *rewards, step.is_cut_short()));
        } else {
            let leaf = self.0.0.borrow().last().expect("a leaf comes first").1;
            assert_eq!(*rewards, leaf, "a step above the leaf is shown other rewards");
        }
        self.1.update(step, rewards);
    }
}

/// Returns the rewards that an iteration should bring after these earlier rewards, in plain arithmetic.
fn expected(before: &[Iteration], (length, rewards, is_cut): Iteration, k: f64, a: f64) -> Vec<f64> {
    let winner = |rewards: &Rewards| {
        let wins = |player: &Player| {
            let others = (0..rewards.players()).filter(|other| other != player);
            rewards[*player] > 0.5 && others.into_iter().all(|other| rewards[other] < rewards[*player])
        };
        (0..rewards.players()).find(wins)
    };
    let draw = |rewards: &Rewards| rewards.as_slice().iter().all(|&reward| reward == 0.5);
    let alike = before.iter().filter(|(_, old, cut)| !cut && !draw(old) && winner(old) == winner(&rewards));
    let lengths = Vec::from_iter(alike.map(|&(length, ..)| f64::from(length)));
    let n = lengths.len() as f64;
    let mean = lengths.iter().sum::<f64>() / n;
    let deviation = (lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / (n - 1.0)).sqrt();
    let bonus = if is_cut || lengths.len() < 50 || deviation == 0.0 {
        0.0
    } else {
        -1.0 + 2.0 / (1.0 + (-k * (mean - f64::from(length)) / deviation).exp())
    };
    let mapped = |&reward: &f32| {
        let r = 2.0 * f64::from(reward) - 1.0;
        let sign = if r == 0.0 { 0.0 } else { r.signum() };
        0.5 + 0.5 * (r + sign * a * bonus) / (1.0 + a)
    };
    rewards.as_slice().iter().map(mapped).collect()
}

/// The iterations of each search with a bonus.
fn iterations() -> usize {
    sized(400, 1_500)
}

/// Compares the rewards recorded under the bonus with the formula, iteration by iteration. Returns the number
/// of bonuses.
fn bonuses_are_right(state: Any, k: f32, a: f32) -> usize {
    let (outside, inside) = (Recorder::default(), Recorder::default());
    let backprop = Outside(outside.clone(), RelativeBonus::new(k, a, inside.clone()));
    let mut search = Mcts::new(state).tree_policy(Ucb1::new(2_f32.sqrt())).backprop(backprop);
    search.run(Budget::iterations(iterations() as u64)).expect("a sound game");
    compare(&outside, &inside, k, a)
}

/// Compares the rewards inside the bonus with those outside.
fn compare(outside: &Recorder, inside: &Recorder, k: f32, a: f32) -> usize {
    let (before, after) = (outside.0.borrow(), inside.0.borrow());
    assert_eq!((before.len(), after.len()), (iterations(), iterations()));
    let mut changed = 0;
    for (index, (&raw, seen)) in before.iter().zip(after.iter()).enumerate() {
        let expected = expected(&before[..index], raw, f64::from(k), f64::from(a));
        for (&found, &expected) in seen.1.as_slice().iter().zip(&expected) {
            assert!((0.0..=1.0).contains(&found));
            assert!(
                (f64::from(found) - expected).abs() < 1e-5,
                "{index}: {raw:?} became {seen:?}, not {expected}"
            );
        }
        let plain = 0.5 + (f64::from(raw.1[0]) - 0.5) / (1.0 + f64::from(a));
        changed += usize::from((expected[0] - plain).abs() > 1e-3);
    }
    changed
}

#[test]
fn short_wins_and_long_losses_get_the_bonus_of_the_paper() {
    for (k, a) in [(1.4, 0.25), (4.0, 1.0), (0.5, 0.1)] {
        assert!(bonuses_are_right(Any::new(TicTacToe::default()), k, a) > sized(100, 500));
        assert!(bonuses_are_right(Any::new(Nim::<3> { sticks: 12, player: 1 }), k, a) > sized(100, 500));
        assert!(bonuses_are_right(Any::new(Nim::<1> { sticks: 12, player: 0 }), k, a) > sized(100, 500));
        assert!(bonuses_are_right(Any::new(Pig::new(6)), k, a) > sized(100, 500));
    }
    // If all games have the same length, there is no bonus.
    assert_eq!(bonuses_are_right(Any::new(Climb::new(5, 0b101)), 1.4, 0.25), 0);
}

/// Three players: games of one to six actions with all kinds of results.
#[derive(Clone, Default, Debug)]
struct Podium(Vec<u8>);

impl GameState for Podium {
    type Action = u8;
    fn turn(&self) -> Turn {
        let is_over = self.0.len() == 6 || self.0.last() == Some(&0);
        if is_over { Turn::Over } else { Turn::Player(self.0.len() as u8 % 3) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 4 }
    }
    fn apply(&mut self, action: u8) {
        self.0.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let ends = [
            [1.0, 0.5, 0.0],
            [0.5, 0.75, 0.0],
            [0.25, 0.5, 0.0],
            [0.25, 0.25, 0.25],
            [0.5, 0.5, 0.5],
            [0.75, 0.75, 0.0],
            [0.0, 0.5, 1.0],
        ];
        let number: usize = self.0.iter().map(|&action| usize::from(action)).sum();
        ends[number % ends.len()][usize::from(player)]
    }
    fn players(&self) -> u8 {
        3
    }
}

#[test]
fn bonuses_of_three_players_follow_the_formula_by_winner() {
    assert!(bonuses_are_right(Any::listed(Podium::default()), 1.4, 0.25) > sized(100, 500));
}

#[test]
fn contempt_applies_to_draws_of_all_players_and_to_existing_players() {
    let worth = |backprop: Contempt<Average>, rewards: &[f32]| {
        let all = Rewards::new(rewards.len() as u8, |player| rewards[usize::from(player)]);
        let of = |player| Backprop::<Any>::worth(&backprop, ((), ()), &all, player);
        Vec::from_iter((0..all.players()).map(of))
    };
    assert_eq!(worth(Contempt::new(0.25, Average), &[0.5, 0.5, 0.5]), [0.25; 3]);
    assert_eq!(worth(Contempt::of(1, 0.25, Average), &[0.5, 0.5, 0.5]), [0.75, 0.25, 0.75]);
    // With three players, a reward of 1/2 is a draw only if all have it.
    assert_eq!(worth(Contempt::new(0.25, Average), &[0.5, 0.0, 1.0]), [0.5, 0.0, 1.0]);
    assert_eq!(worth(Contempt::of(1, 0.25, Average), &[0.5, 0.5, 0.0]), [0.5, 0.5, 0.0]);
    // In a game of two players, the contempt of a third has no effect.
    assert_eq!(worth(Contempt::of(2, 0.25, Average), &[0.5, 0.5]), [0.5, 0.5]);
}

#[test]
fn a_draw_stays_a_draw_outside_contempt() {
    let outside = Recorder::default();
    let backprop = Outside(outside.clone(), Contempt::of(0, 0.25, Average));
    Mcts::new(Any::listed(Corridor { left: 6 }))
        .backprop(backprop)
        .run(Budget::iterations(20))
        .expect("a sound game");
    assert!(outside.0.borrow().iter().all(|(_, rewards, _)| rewards.as_slice() == [0.5, 0.5]));
}

#[test]
fn a_mixture_passes_on_calls_to_its_inner_backpropagation() {
    let game =
        chance([(0.5, corridor(0, 3, end(1.0))), (0.5, choice(1, [end(0.25), corridor(0, 2, end(0.0))]))]);
    let (outside, inside) = (Recorder::default(), Recorder::default());
    let backprop = Outside(outside.clone(), ImplicitMinimax::new(0.0, inside.clone()));
    Mcts::new(Any::new(game))
        .backprop(Solver::new(backprop))
        .run(Budget::iterations(200))
        .expect("a sound game");
    assert_eq!(*outside.0.borrow(), *inside.0.borrow());
    assert!(outside.0.borrow().iter().any(|seen| seen.2), "proofs cut iterations short");
}

#[test]
fn the_length_of_quick_rollouts_is_counted() {
    let seen = Recorder::default();
    let search = Mcts::new(ramure_games::Connect4::new()).backprop(seen.clone());
    { search }.run(Budget::iterations(200)).expect("a sound game");
    assert!(seen.0.borrow().iter().all(|&(length, ..)| (7..=42).contains(&length)), "{:?}", seen.0);
}

#[test]
fn an_unknown_discount_leaves_a_reward_unchanged() {
    let of = |factor| Backprop::<Any>::worth(&Discounted::new(0.9), factor, &Rewards::new(1, |_| 1.0), 0);
    assert_eq!([of(0.0), of(0.5), of(1.0)], [1.0, 0.75, 1.0]);
}

#[test]
fn a_discount_that_underflows_is_not_an_unknown_one() {
    let game = choice(0, [corridor(0, 6, end(1.0)), end(0.75)]);
    let mut search = Mcts::new(Any::new(game)).backprop(Solver::new(Discounted::new(1e-20)));
    let report = search.run(Budget::iterations(50)).expect("a sound game");
    assert_eq!((report.actions[0].proof, report.actions[0].worth), (Some(1.0), Some(0.5)), "{report}");
}

#[test]
fn iterations_cut_short_by_a_proof_get_no_bonus_and_record_no_length() {
    // Chance leads to outcomes of which some are soon proven.
    let game = chance([
        (0.5, corridor(0, 5, end(1.0))),
        (0.5, choice(1, [chance([(0.5, corridor(0, 2, end(1.0))), (0.5, corridor(1, 3, end(0.0)))])])),
    ]);
    let (outside, inside) = (Recorder::default(), Recorder::default());
    let bonus = Outside(outside.clone(), RelativeBonus::new(2.0, 0.5, inside.clone()));
    Mcts::new(Any::new(game))
        .backprop(Solver::new(bonus))
        .run(Budget::iterations(iterations() as u64))
        .expect("a sound game");
    compare(&outside, &inside, 2.0, 0.5);
    // Almost all iterations reach a proven node, and the games last six, five or six actions.
    for &(length, _, cut) in outside.0.borrow().iter() {
        assert_eq!(cut, length < 5, "an iteration of {length} actions");
    }
    let cut = outside.0.borrow().iter().filter(|(.., cut)| *cut).count();
    assert!(cut > sized(250, 1_000), "{cut}");
}

#[test]
fn combined_decorators_prove() {
    fn proven<B: Backprop<Any>>(backprop: B) {
        let mut search = Mcts::new(Any::new(drawn_board())).backprop(backprop).tree_policy(Ucb1::new(1.0));
        let report = search.run(Budget::iterations(sized(300_000, 5_000_000))).expect("a sound game");
        assert_eq!((report.stop_reason, report.proof), (StopReason::Proven, Some(0.5)), "{report}");
        let next = after(&drawn_board(), [report.best_action()]);
        assert_eq!(Oracle::new().value(&next, 0), 0.5);
    }
    proven(Solver::new(ImplicitMinimax::new(0.4, Contempt::of(1, 0.2, SoftmaxBackup::default()))));
    proven(Contempt::new(
        0.5,
        ScoreBounds::new(RelativeBonus::new(1.0, 0.0, ImplicitMinimax::new(0.0, Average))),
    ));
}

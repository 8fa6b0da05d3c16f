//! Proofs and means are compared on one scale: that of the means, which a backpropagation may have changed.
//! Expected values are computed by hand from the rules of the games.

use crate::common::any::Any;
use crate::common::hashed::Hashed;
use crate::common::scripted::{Scripted, chance, choice, corridor, end};
use ramure::backpropagation::{
    Average, Backprop, Contempt, Discounted, ImplicitMinimax, RelativeBonus, ScoreBounds, Solver, Step,
};
use ramure::{Budget, GameState, Mcts, Report, Rewards};
use std::cell::Cell;

fn run<B: Backprop<Any>>(game: &Scripted, backprop: B, iterations: u64) -> Report<u8> {
    Mcts::new(Any::new(game.clone()))
        .backprop(backprop)
        .run(Budget::iterations(iterations))
        .expect("a sound game")
}

/// Returns wins, draws and losses in these proportions, the same for both players.
fn gamble() -> Scripted {
    chance([(0.3, end(1.0)), (0.4, end(0.5)), (0.3, end(0.0))])
}

#[test]
fn a_certain_draw_is_compared_by_its_worth() {
    // If a draw is worth v, the gamble is worth .3 + .4 v, which is more than the certain draw if v < 1/2.
    // With 2000 iterations, the standard error of its mean is below .012; the closest case is .06 apart.
    for me in 0..2 {
        let game = choice(me, [end(0.5), gamble()]);
        for (value, best) in [(0.0, 1), (0.25, 1), (0.4, 1), (0.6, 0), (0.75, 0), (0.9, 0)] {
            let check = |report: Report<u8>, proof: f32| {
                assert_eq!(report.best_action(), best, "a draw is worth {value} to {me}: {report}");
                assert_eq!(report.principal_variation[0], best, "{report}");
                assert_eq!((report.actions[0].proof, report.proof), (Some(proof), None), "{report}");
            };
            check(run(&game, Solver::new(Contempt::of(me, value, Average)), 2_000), 0.5);
            // Inside contempt, bounds hold the rewards after contempt, so they cannot distinguish a draw from
            // its worth.
            check(run(&game, Contempt::of(me, value, ScoreBounds::new(Average)), 2_000), value);
            let mixed = Solver::new(ImplicitMinimax::new(0.0, Contempt::of(me, value, Average)));
            check(run(&game, mixed, 2_000), 0.5);
        }
    }
}

#[test]
fn a_proven_draw_replaces_rewards_worth_less() {
    // Player 1 has no choice. Then player 0 has a certain draw beside rewards around `middle` that no proof
    // can close. A draw is worth `value` to player 0 and the rest to player 1. So player 1 gets the rest of
    // the greater of the two, except for one or two visits.
    for (value, middle) in [(0.25, 0.4), (0.75, 0.6), (0.25, 0.2), (0.75, 0.8)] {
        let open = chance([(0.5, end(middle - 0.01)), (0.5, end(middle + 0.01))]);
        let game = choice(1, [choice(0, [end(0.5), open])]);
        let report = run(&game, Solver::new(Contempt::of(0, value, Average)), 2_000);
        let expected = 1.0 - middle.max(f64::from(value));
        let found = f64::from(report.actions[0].mean);
        assert!((found - expected).abs() < 0.003, "{found}, not {expected}: {report}");
    }
}

#[test]
fn the_report_contains_the_worth_of_a_proof() {
    // A draw for player 1 by contempt, less 1/2, shrunk by 1 + a, and mixed with the evaluation, which is
    // that of the terminal state.
    let game = choice(1, [end(0.5), gamble()]);
    let relative_bonus = |inner| RelativeBonus::new(1.0, 0.25, inner);
    let backprop = Solver::new(Contempt::of(1, 0.3, ImplicitMinimax::new(0.4, relative_bonus(Average))));
    let report = run(&game, backprop, 100);
    let worth = 0.6 * (0.5 + (0.3 - 0.5) / 1.25) + 0.4 * 0.3;
    assert!((report.actions[0].worth.expect("it is proven") - worth).abs() < 1e-6, "{report}");
    assert!((report.actions[0].mean - worth).abs() < 1e-6, "{report}");
    assert_eq!((report.actions[0].proof, report.actions[1].worth), (Some(0.5), None), "{report}");
}

/// Checks the rewards after every step: the steps above must see the game's rewards, as the leaf did.
struct Above<B> {
    leaf: Cell<Option<Rewards>>,
    inner: B,
}

impl<G: GameState, B: Backprop<G>> Backprop<G> for Above<B> {
    type Stats = B::Stats;
    const PROVES: bool = B::PROVES;
    const COUNTS: bool = B::COUNTS;

    fn update(&self, step: impl Step<G, B::Stats>, rewards: &mut Rewards) {
        if step.followed().is_none() {
            self.leaf.set(Some(*rewards));
        }
        self.inner.update(step, rewards);
        assert_eq!(self.leaf.get(), Some(*rewards), "the steps above see other rewards");
    }
}

#[test]
fn rewards_passed_upwards_stay_on_the_scale_of_the_game() {
    fn stay<B: Backprop<Hashed>>(inner: B) {
        let game = Hashed::new(3, 2, 5).with_chance();
        let mut search = Mcts::new(game).backprop(Above { leaf: Cell::new(None), inner });
        search.run(Budget::iterations(500)).expect("a sound game");
    }
    stay(Discounted::new(0.9));
    stay(RelativeBonus::new(1.4, 0.25, Contempt::new(0.25, Discounted::new(0.9))));
}

#[test]
fn a_certain_late_reward_is_discounted() {
    // One action brings a certain .7 in four steps: with a factor of 1/2, that is worth .5 + .2 / 16. The
    // other brings .9 or .3 with equal probability in the next step: .5 + .1 / 2.
    let game = choice(0, [corridor(0, 4, end(0.7)), chance([(0.5, end(0.9)), (0.5, end(0.3))])]);
    let report = run(&game, ScoreBounds::new(Discounted::new(0.5)), 4_000);
    assert_eq!((report.actions[0].proof, report.best_action()), (Some(0.7), 1), "{report}");
    // Without the discount, the order is reversed.
    let report = run(&game, ScoreBounds::new(Discounted::new(1.0)), 4_000);
    assert_eq!((report.actions[0].proof, report.best_action()), (Some(0.7), 0), "{report}");
}

#[test]
fn the_latest_certain_loss_is_played_under_a_discount() {
    // The early loss has many lines, and so more visits until it is proven.
    let early = choice(0, [(); 16].map(|()| end(0.0)));
    let game = choice(0, [early, corridor(0, 5, end(0.0))]);
    let report = run(&game, Solver::new(Discounted::new(0.9)), 1_000);
    assert_eq!(report.proof, Some(0.0), "{report}");
    assert!(report.actions[0].visits > report.actions[1].visits, "{report}");
    assert_eq!(report.best_action(), 1, "{report}");
}

#[test]
fn a_late_proven_loss_is_not_played() {
    // The late loss is worth .5 - .5 / 64; the open action brings .1 or 0 at once.
    let game = choice(0, [corridor(0, 6, end(0.0)), chance([(0.5, end(0.1)), (0.5, end(0.0))])]);
    let report = run(&game, Solver::new(Discounted::new(0.5)), 1_000);
    assert_eq!((report.actions[0].proof, report.best_action()), (Some(0.0), 1), "{report}");
}

#[test]
fn a_proven_node_keeps_the_distance_of_its_proof() {
    // A win three steps below an outcome, with a factor of .8: a mean of .5 + .5 x .512, except for the first
    // visits, which were lower.
    let game = chance([(0.5, corridor(0, 3, end(1.0))), (0.5, end(0.0))]);
    let report = run(&game, Solver::new(Discounted::new(0.8)), 4_000);
    let (late, over) = (&report.actions[0], &report.actions[1]);
    assert_eq!((late.proof, over.proof), (Some(1.0), Some(0.0)), "{report}");
    assert!((late.mean - 0.756).abs() < 0.002, "{report}");
    assert_eq!(over.mean, 0.0);
}

#[test]
fn a_certain_reward_is_shrunk_like_the_means_under_the_relative_bonus() {
    // All games last two actions, so there is no bonus, and the decision is that of plain averages: .7 for
    // certain or .72 on average, with a standard error below .0015.
    let game = choice(0, [corridor(0, 1, end(0.7)), chance([(0.5, end(0.9)), (0.5, end(0.54))])]);
    let report = run(&game, ScoreBounds::new(RelativeBonus::<Average>::default()), 20_000);
    assert_eq!((report.actions[0].proof, report.best_action()), (Some(0.7), 1), "{report}");
    assert_eq!(run(&game, ScoreBounds::new(Average), 20_000).best_action(), 1);
}

#[test]
fn an_iteration_cut_short_by_a_proof_does_not_count_as_a_game_length() {
    // All games of this tree end after four actions, so no player may get a bonus, however early proofs end
    // the iterations. Rewards are 0, 1/2 and 1, and the recorded values are 1/2 plus or minus .5 / (1 + a).
    let mut cut = 0;
    for seed in 0..40 {
        let game = Hashed::new(seed, 2, 4).decided().with_chance();
        let seen = Cell::new((0, 0));
        let backprop =
            CountsCuts { seen: &seen, inner: RelativeBonus::new(4.0, 1.0, CountsBonuses { seen: &seen }) };
        Mcts::new(game).backprop(Solver::new(backprop)).run(Budget::iterations(600)).expect("a sound game");
        cut += seen.get().0;
        assert_eq!(seen.get().1, 0, "bonuses with seed {seed}");
    }
    assert!(cut > 200, "{cut}");
}

/// Counts the iterations that end before the fourth action.
struct CountsCuts<'a, B> {
    seen: &'a Cell<(u32, u32)>,
    inner: B,
}

impl<G: GameState, B: Backprop<G>> Backprop<G> for CountsCuts<'_, B> {
    type Stats = B::Stats;
    const COUNTS: bool = true;

    fn update(&self, step: impl Step<G, B::Stats>, rewards: &mut Rewards) {
        let (cut, bonuses) = self.seen.get();
        if step.followed().is_none() && step.length() < 4 {
            self.seen.set((cut + 1, bonuses));
        }
        self.inner.update(step, rewards);
    }
}

/// Counts the recorded values that are impossible without a bonus.
struct CountsBonuses<'a> {
    seen: &'a Cell<(u32, u32)>,
}

impl<G: GameState> Backprop<G> for CountsBonuses<'_> {
    type Stats = ();

    fn update(&self, step: impl Step<G, ()>, rewards: &mut Rewards) {
        let (cut, bonuses) = self.seen.get();
        let plain = |&reward: &f32| [0.25, 0.5, 0.75].contains(&reward);
        self.seen.set((cut, bonuses + u32::from(!rewards.as_slice().iter().all(plain))));
        step.record(rewards[step.chooser()]);
    }
}

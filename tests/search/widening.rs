//! Progressive widening: the width follows its formula, and with proofs it is the number of open children, however
//! many are proven.

#![expect(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use crate::common::simple::{OneStep, Wide};
use crate::common::visits;
use ramure::backpropagation::{Average, Solver};
use ramure::selection::{Thompson, Ucb1};
use ramure::{Budget, Expansion, Mcts, Order, StopReason};

/// Twenty actions that certainly lose, then one that wins.
static WORTH: [f64; 21] = {
    let mut worth = [0.0; 21];
    worth[20] = 1.0;
    worth
};

#[test]
fn a_constant_width_is_not_used_up_by_proven_losses() {
    for width in [1.0, 3.0, 8.0] {
        let expansion = Expansion::default().order(Order::AsListed).widening(width, 0.0);
        let new = || Mcts::new(OneStep::new(&WORTH)).expansion(expansion);
        // Widen by one child at a time, and to all children at once.
        let one_by_one = new().backprop(Solver::new(Average)).run(Budget::iterations(200));
        let all = new().tree_policy(Thompson).backprop(Solver::new(Average)).run(Budget::iterations(200));
        for report in [one_by_one, all].map(|report| report.expect("a sound game")) {
            assert_eq!((report.stop_reason, report.best_action()), (StopReason::Proven, 20), "{report:#}");
            assert!(visits(&report)[..20].iter().all(|&visits| visits <= 1), "{report:#}");
        }
    }
}

/// Losses at every second place, and rewards between them.
static MIXED: [f64; 24] = {
    let mut worth = [0.0; 24];
    let mut place = 1;
    while place < 24 {
        worth[place] = 0.3 + 0.02 * place as f64;
        place += 2;
    }
    worth
};

#[test]
fn the_width_is_the_number_of_open_children_tried() {
    let expansion = Expansion::default().order(Order::AsListed).widening(1.0, 0.5);
    for iterations in [10u32, 50, 100] {
        let new = || Mcts::new(OneStep::new(&MIXED)).expansion(expansion).backprop(Solver::new(Average));
        let budget = Budget::iterations(u64::from(iterations));
        let one_by_one = new().tree_policy(Ucb1::new(9.0)).run(budget).expect("a sound game");
        let all = new().tree_policy(Thompson).run(budget).expect("a sound game");
        // The last iteration saw one visit less.
        let width = f64::from(iterations - 1).sqrt().ceil() as usize;
        let open = |report: &ramure::Report<u16>| {
            let tried = report.actions.iter().filter(|action| action.visits > 0);
            tried.filter(|action| action.proof.is_none()).count()
        };
        assert_eq!(open(&one_by_one), width, "{one_by_one:#}");
        assert!(open(&all) <= width, "{all:#}");
    }
    // Without proofs, the losses count.
    let plain =
        Mcts::new(OneStep::new(&MIXED)).backprop(Average).expansion(expansion).run(Budget::iterations(100));
    assert_eq!(visits(&plain.expect("a sound game")).iter().filter(|&&visits| visits > 0).count(), 10);
}

#[test]
fn a_width_that_overflows_includes_all_children() {
    let expansion = Expansion::default().order(Order::AsListed).widening(1e30, 1.0);
    for iterations in [20, 100] {
        let search = Mcts::new(OneStep::new(&MIXED)).expansion(expansion).backprop(Solver::new(Average));
        let report = search.tree_policy(Thompson).run(Budget::iterations(iterations)).expect("a sound game");
        assert_eq!(visits(&report).iter().sum::<u32>(), iterations as u32);
        let search = Mcts::new(OneStep::new(&MIXED)).expansion(expansion).backprop(Solver::new(Average));
        let report = { search }.run(Budget::iterations(iterations)).expect("a sound game");
        assert_eq!(visits(&report).iter().filter(|&&visits| visits > 0).count(), 24.min(iterations as usize));
    }
}

#[test]
fn the_width_follows_its_formula_and_includes_all_children_in_the_end() {
    for (scale, exponent) in [(1.0, 0.5), (3.0, 0.25), (0.1, 1.0), (2.5, 0.0)] {
        // The width at `n` visits, without a power function: the least w with w >= scale * n^exponent.
        let allowed = |n: u32| {
            let quarters = (exponent * 4.0) as i32;
            let enough =
                |w: u32| (f64::from(w) / scale).powi(4) >= f64::from(n).powi(quarters) * (1.0 - 1e-12);
            (1..).find(|&w| enough(w)).expect("some width is enough") as usize
        };
        let expansion = Expansion::default().widening(scale, exponent);
        for iterations in [2, 10, 100, 600, 2_000] {
            let search = Mcts::new(Wide::new(40, 3)).backprop(Average).expansion(expansion);
            let report = { search }.run(Budget::iterations(iterations.into())).expect("a sound game");
            let tried = visits(&report).iter().filter(|&&visits| visits > 0).count();
            assert_eq!(
                tried,
                allowed(iterations - 1).min(40).min(iterations as usize),
                "{scale} {exponent}, {iterations}"
            );
        }
    }
}

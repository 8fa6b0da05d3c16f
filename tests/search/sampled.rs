//! Searches that sample actions and outcomes: double progressive widening.

#![expect(clippy::disallowed_methods, reason = "a reference needs no reproducible power")]

use crate::common::{chi_squared, sized, visits};
use ramure::prelude::*;
use ramure::search::Sampled;
use ramure::{ActionSampler, Expansion, GameFault, LineOfPlay, StopReason};

/// A finite number.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Real(f64);

impl Eq for Real {}

/// A player hits a ball towards a hole at 1. Chance adds up to a fifth to the force, or takes it away. After
/// the last stroke, the reward is 1 less five times the distance.
#[derive(Clone, Debug)]
struct Golf {
    ball: f64,
    strokes: u8,
    force: Option<f64>,
}

const TEE: Golf = Golf { ball: 0.0, strokes: 2, force: None };

impl GameState for Golf {
    type Action = Real;

    fn turn(&self) -> Turn {
        match self.force {
            Some(_) => Turn::Chance,
            None if self.strokes == 0 => Turn::Over,
            None => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Real> {
        []
    }
    fn apply(&mut self, number: Real) {
        match self.force.take() {
            Some(force) => self.ball += force * (1.0 + number.0),
            None => (self.force, self.strokes) = (Some(number.0), self.strokes - 1),
        }
    }
    fn reward(&self, _: Player) -> f64 {
        (1.0 - 5.0 * (1.0 - self.ball).abs()).max(0.0)
    }
    fn players(&self) -> u8 {
        1
    }
}

impl ActionSampler for Golf {
    fn sample_action(&self, rng: &mut Rng) -> Option<Real> {
        match self.turn() {
            Turn::Player(_) => Some(Real(1.5 * rng.unit() - 0.25)),
            Turn::Chance => Some(Real(0.4 * rng.unit() - 0.2)),
            _ => None,
        }
    }
}

/// The mean distance from the hole at `distance` after a stroke with `force`.
fn after(force: f64, distance: f64) -> f64 {
    let steps = 2_000;
    let outcome = |step| force * (0.8 + 0.4 * (f64::from(step) + 0.5) / f64::from(steps));
    (0..steps).map(|step| (outcome(step) - distance).abs()).sum::<f64>() / f64::from(steps)
}

/// The exact value of a first stroke, by the best second stroke: the mean distance after it is in proportion
/// to the distance before.
fn value(first: f64) -> f64 {
    let share = (80..=120).map(|force| after(f64::from(force) / 100.0, 1.0)).fold(1.0, f64::min);
    1.0 - 5.0 * share * after(first, 1.0)
}

fn golf(c: f32, seed: u64) -> Mcts<Sampled<Golf>> {
    let expansion = Expansion::default().widening(1.3, 0.45).outcome_widening(1.7, 0.4);
    Mcts::new(Sampled::new(TEE)).tree_policy(Ucb1::new(c)).expansion(expansion).seed(seed)
}

fn width(scale: f64, exponent: f64, visits: u32) -> usize {
    ((scale * f64::from(visits).powf(exponent)).ceil() as usize).max(1)
}

#[test]
fn the_best_stroke_is_found_among_real_numbers() {
    // With one stroke left, and the default settings.
    let exact = |force: f64| {
        let lands = |step| 0.4 + force * (0.8 + 0.4 * (f64::from(step) + 0.5) / 1_000.0);
        (0..1_000).map(|step| Golf { ball: lands(step), ..TEE }.reward(0)).sum::<f64>() / 1_000.0
    };
    let best = (0..150).map(|force| exact(f64::from(force) / 100.0)).fold(0.0, f64::max);
    let mut lost = Vec::new();
    for seed in 0..sized(2, 30) {
        let last = Sampled::new(Golf { ball: 0.4, strokes: 1, force: None });
        let mut search = Mcts::new(last).tree_policy(Ucb1::new(0.1)).seed(seed);
        let report = search.run(Budget::iterations(10_000)).expect("a sound game");
        let Real(force) = report.best_action();
        // The stored outcomes of a good stroke are some 50 independent draws, with a standard deviation of
        // .17 each. So the means of two strokes differ by .03 by chance, and the best of many strokes is
        // often a lucky one.
        assert!(exact(force) > best - 0.1, "{force}: {} of {best}\n{report}", exact(force));
        lost.push(best - exact(force));
        let found = report.chosen_action().expect("a player is to move").mean;
        assert!((f64::from(found) - exact(force)).abs() < 0.12, "{found}: {}", exact(force));
    }
    let mean = lost.iter().sum::<f64>() / lost.len() as f64;
    assert!(mean < 0.03, "{lost:?}");
    // With two strokes, the values of the first are known too. A random stroke loses 0.22.
    let losses = (0..sized(3, 40)).map(|seed| {
        let mut search = golf(0.3, seed).expansion(Expansion::default());
        let report = search.run(Budget::iterations(sized(10_000, 100_000))).expect("a sound game");
        value(1.0) - value(report.best_action().0)
    });
    let losses: Vec<f64> = losses.collect();
    assert!(losses.iter().sum::<f64>() / (losses.len() as f64) < 0.15, "{losses:?}");
}

#[test]
fn nodes_have_as_many_children_as_the_rule_says() {
    for iterations in [1, 2, 10, 500] {
        let mut search = golf(0.5, 3);
        search.run(Budget::iterations(iterations.into())).expect("a sound game");
        let root = search.tree().root().expect("a root");
        let expected =
            (0..iterations).fold(0, |count, n| count + usize::from(count < width(1.3, 0.45, n.max(1))));
        assert_eq!(root.children().count(), expected, "after {iterations}");
        for stroke in root.children() {
            // Its first visit was a rollout. Each outcome but the first is drawn at a visit, if there is
            // room.
            let mut outcomes: Vec<u32> = Vec::new();
            for n in 1..stroke.visits() {
                if outcomes.len() < width(1.7, 0.4, n) {
                    outcomes.push(1);
                } else {
                    *outcomes.iter_mut().min().expect("one at least") += 1;
                }
            }
            let mut found: Vec<u32> = stroke.children().map(|outcome| outcome.visits()).collect();
            outcomes.sort_unstable();
            found.sort_unstable();
            assert_eq!(found, outcomes, "{stroke:?}");
        }
    }
}

/// A die or a choice. What it samples is up to its kind.
#[derive(Clone, Debug)]
struct Any {
    turn: Turn,
    /// 0 samples as a loaded die does; 1 samples the same each time; 2 samples nothing.
    kind: u8,
    played: Option<u8>,
}

const WEIGHTS: [f64; 4] = [0.4, 0.3, 0.2, 0.1];

impl GameState for Any {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played.is_some() { Turn::Over } else { self.turn }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..3
    }
    fn apply(&mut self, action: u8) {
        self.played = Some(action);
    }
    fn reward(&self, _: Player) -> f64 {
        if self.played == Some(2) { 1.0 } else { 0.0 }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl ActionSampler for Any {
    fn sample_action(&self, rng: &mut Rng) -> Option<u8> {
        let (mut drawn, mut rest) = (0, rng.unit());
        while drawn < 3 && rest >= WEIGHTS[usize::from(drawn)] {
            rest -= WEIGHTS[usize::from(drawn)];
            drawn += 1;
        }
        match self.kind {
            _ if self.played.is_some() => None,
            0 => Some(drawn),
            1 => Some(7),
            _ => None,
        }
    }
}

fn any(turn: Turn, kind: u8) -> Mcts<Sampled<Any>> {
    Mcts::new(Sampled::new(Any { turn, kind, played: None }))
}

/// Chi-squared with three degrees of freedom is above 16.3 with a probability of .001, for each of three
/// settings.
#[test]
fn few_outcomes_are_visited_by_their_probabilities() {
    for scale in [4.0, 1e300, 1.0] {
        let expansion = Expansion::default().outcome_widening(scale, 0.5);
        let mut search = any(Turn::Chance, 0).expansion(expansion).seed(2);
        let mut report = search.run(Budget::iterations(4_000)).expect("a sound game");
        report.actions.sort_by_key(|entry| entry.action);
        // With a scale of 1, there is room for four outcomes from the tenth visit on.
        assert!(chi_squared(&visits(&report), &WEIGHTS) < 16.3, "{report}");
    }
}

#[test]
fn only_a_win_proves_a_node_because_there_may_be_more_actions() {
    let run = |turn, kind| {
        let mut search = any(turn, kind).backprop(Solver::new(Average));
        search.run(Budget::iterations(300)).expect("a sound game")
    };
    let report = run(Turn::Player(0), 0);
    assert_eq!((report.stop_reason, report.proof, report.best_action()), (StopReason::Proven, Some(1.0), 2));
    // The only action sampled loses.
    let report = run(Turn::Player(0), 1);
    assert_eq!((report.stop_reason, report.proof, report.root_visits), (StopReason::Iterations, None, 300));
    assert_eq!(report.actions[0].proof, Some(0.0));
    assert_eq!(run(Turn::Chance, 1).proof, None);
}

#[test]
fn a_sampler_without_actions_and_unfit_settings_are_errors() {
    for turn in [Turn::Player(0), Turn::Chance] {
        let error = any(turn, 2).run(Budget::iterations(9)).expect_err("no action");
        assert_eq!(
            error,
            SearchError::Game { fault: GameFault::NoActions, ply: 0, line: LineOfPlay::default() }
        );
    }
    let run = |expansion| any(Turn::Player(0), 0).expansion(expansion).run(Budget::iterations(9));
    for expansion in [
        Expansion::default().outcome_widening(0.0, 0.5),
        Expansion::default().outcome_widening(f64::NAN, 0.5),
        Expansion::default().outcome_widening(1.0, 1.5),
        Expansion::default().widening(1.0, -0.5),
    ] {
        assert!(matches!(run(expansion), Err(SearchError::Parameter(_))), "{expansion:?}");
    }
    let listed =
        Mcts::new(ramure_games::TicTacToe::new()).expansion(Expansion::default().outcome_widening(1.0, 0.5));
    let error = { listed }.run(Budget::iterations(9)).expect_err("chance is listed").to_string();
    assert_eq!(error, "Expansion::outcome_widening, scale is 1; it must be off, except for a `Sampled`");
}

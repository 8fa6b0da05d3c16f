//! Whole runs of problems whose state the planner does not see, against published figures.

use crate::sized;
use ramure::{Belief, PartiallyObserved, Rng, Simulator};
use ramure_lab::commands::plan::{Problem, Rollouts, Settings, measure};
use ramure_lab::plans::{Battleship, LightDark, Tiger};

const DEFAULT: Settings = Settings {
    iterations: 1_000,
    particles: 1_000,
    few: None,
    rollouts: Rollouts::Repeated,
    deviations: (8.0, 1.0),
};

fn mean(problem: Problem, settings: Settings, runs: u64) -> f64 {
    let returns = (0..runs).map(|seed| measure(problem, &settings, seed).expect("a run to its end"));
    returns.sum::<f64>() / runs as f64
}

#[test]
fn a_walk_to_a_light_needs_few_observations_with_weighted_states() {
    // Sunberg and Kochenderfer (2018) publish 56.1 for POMCPOW, -7.1 for POMCP and -7.3 for double progressive widening without
    // weights, with a second for each decision. A walk to the light and back from a random place returns about 60.
    let settings = |few| Settings { iterations: sized(500, 10_000), particles: 2_000, few, ..DEFAULT };
    let runs = sized(6, 50);
    let weighted = mean(Problem::LightDark, settings(Some((5.0, 1.0 / 15.0))), runs);
    let plain = mean(Problem::LightDark, settings(None), runs);
    assert!(weighted > sized(15.0, 45.0), "{weighted}");
    assert!(plain < weighted - sized(10.0, 20.0), "{plain}, {weighted}");
}

#[test]
fn rollouts_by_preferred_actions_find_more_rocks() {
    let settings = |rollouts| Settings { iterations: sized(100, 1_000), rollouts, ..DEFAULT };
    // To leave at once returns 7.4.
    let preferred = mean(Problem::RockSample, settings(Rollouts::Preferred), sized(6, 50));
    assert!(preferred > sized(10.0, 17.0), "{preferred}");
    let refused = measure(Problem::Tiger, &settings(Rollouts::Preferred), 1).expect_err("no such actions");
    assert!(refused.to_string().contains("rock-sample only"));
}

#[test]
fn ships_are_sunk_before_the_belief_is_depleted() {
    let settings = Settings { iterations: sized(20, 1_000), particles: sized(300, 1_000), ..DEFAULT };
    // To shoot at random takes 97 shots of 100 or so.
    let mean = mean(Problem::Battleship, settings, sized(2, 20));
    assert!(mean > sized(5.0, 40.0), "{mean}");
}

/// The same ships, which are never moved.
#[derive(Clone)]
struct Fixed(Battleship);

impl Simulator for Fixed {
    type Action = u32;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u32> {
        self.0.actions()
    }
    fn step(&mut self, cell: u32, rng: &mut Rng) -> f64 {
        self.0.step(cell, rng)
    }
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
}

impl PartiallyObserved for Fixed {
    type Observation = bool;

    fn observe(&self, cell: &u32, rng: &mut Rng) -> bool {
        self.0.observe(cell, rng)
    }
    fn likelihood(&self, cell: &u32, hits: &bool) -> Option<f64> {
        self.0.likelihood(cell, hits)
    }
}

/// Shoots at all cells in turn. Returns how many shots the belief has survived, of those before the end.
fn survived<M: PartiallyObserved<Action = u32, Reward = f64>>(
    draw: impl Fn(&mut Rng) -> M,
    cells: u32,
    seed: u64,
) -> (u32, u32) {
    let mut rng = Rng::seeded(seed + 1_000);
    let (mut state, mut belief) =
        (draw(&mut rng), Some(Belief::from_fn(300, seed, &draw).expect("particles")));
    let (mut shots, mut kept) = (0, 0);
    for cell in 0..cells {
        state.step(cell, &mut rng);
        if state.is_over() {
            break;
        }
        let seen = state.observe(&cell, &mut rng);
        belief = belief.and_then(|belief| belief.after(&cell, &seen, &mut rng).ok());
        (shots, kept) = (shots + 1, kept + u32::from(belief.is_some()));
    }
    (kept, shots)
}

#[test]
fn moved_ships_keep_a_belief_alive() {
    let draw = |rng: &mut Rng| Battleship::draw(10, &[5, 4, 3, 2], rng);
    let sum = |all: [(u32, u32); 5]| all.iter().fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
    let seeds = [1, 2, 3, 4, 5];
    let (kept, shots) = sum(seeds.map(|seed| survived(draw, 100, seed)));
    assert_eq!(kept, shots);
    let (kept, shots) = sum(seeds.map(|seed| survived(|rng| Fixed(draw(rng)), 100, seed)));
    assert!(kept < shots, "{kept} of {shots}");
}

#[test]
fn all_of_them_observe_as_their_likelihoods_say() {
    let of = |fault: Result<u32, ramure_rules::ObservationFault>| fault.expect("sound");
    of(ramure_rules::check_observations(&Belief::from_fn(100, 1, Tiger::draw).expect("particles")));
    of(ramure_rules::check_observations(&Belief::from_fn(100, 1, LightDark::draw).expect("particles")));
    let ships = |rng: &mut Rng| Battleship::draw(10, &[5, 4, 3, 2], rng);
    of(ramure_rules::check_observations(&Belief::from_fn(100, 1, ships).expect("particles")));
}

//! Section A: the bots of a C++ tutorial for Connect 4, against each other.

mod against_random;
mod against_themselves;
mod equal_time;

use crate::report::{Part, Section};
use crate::setting::{SaveOnFirst, Setting};
use ramure::prelude::*;
use ramure::{Expansion, Order};
use ramure_agents::{FlatMonteCarlo, MctsAgent};
use ramure_games::Connect4;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::{SweepPoint, SweepResult, Tally};
use ramure_lab::pictures::{Colour, Scale, StackedAreas};

/// The tutorial's exploration constant.
const C: f32 = 0.5;

/// Tests the claims.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "A. Bots for Connect 4 (C++ tutorial)".into(),
        about: "`Mc(n)` is flat Monte-Carlo with n rollouts for each action, here `mc:n`. `Mcts(n)` is tree search with n \
                iterations in total, here `mcts:n` with the tutorial's settings: c = 0.5, children tried in the game's order, \
                and no tree kept between actions. The agents take turns to start. Times are for one thread; the tutorial does \
                not name its machine."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    against_random::add(setting, &mut section)?;
    against_themselves::add(setting, &mut section)?;
    equal_time::add(setting, &mut section)?;
    Ok(section)
}

fn mc(rollouts: u64) -> Recipe<Connect4> {
    Recipe::new(move || FlatMonteCarlo::per_action(rollouts))
}

/// The tutorial's search.
fn mcts(iterations: u64) -> Recipe<Connect4> {
    Recipe::new(move || {
        let search = |state: &Connect4, seed| {
            let expansion = Expansion::default().order(Order::AsListed);
            Mcts::new(*state).backprop(Average).tree_policy(Ucb1::new(C)).expansion(expansion).seed(seed)
        };
        MctsAgent::new(format!("mcts:{iterations}"), Budget::iterations(iterations), search)
            .without_tree_reuse()
    })
}

/// The same search with a solver, which keeps its tree between actions.
fn solver(iterations: u64) -> Recipe<Connect4> {
    Recipe::new(move || {
        let search = |state: &Connect4, seed| {
            Mcts::new(*state).tree_policy(Ucb1::new(C)).backprop(Solver::new(Average)).seed(seed)
        };
        MctsAgent::new(format!("mcts:{iterations},solver"), Budget::iterations(iterations), search)
    })
}

/// The tutorial's picture of a sweep: red wins, yellow wins and ties over the parameter.
fn areas(
    setting: &Setting,
    red: &str,
    yellow: &str,
    rollouts: bool,
    result: &SweepResult,
) -> Result<Part, Failure> {
    let share = |count: fn(&Tally) -> u32| {
        let share = move |point: &SweepPoint| {
            f64::from(count(&point.agent().tally)) / f64::from(point.agent().tally.games())
        };
        result.points.iter().map(share).collect::<Vec<_>>()
    };
    let name = format!("{red}_against_{yellow}").to_lowercase().replace(['(', ')'], "");
    let (path, part) =
        setting.picture(&name, &format!("{red}(x) against {yellow}: wins, losses and ties over x"))?;
    StackedAreas::new(format!("Connect 4: {red}(x), red, against {yellow}, yellow"))
        .x_label(if rollouts { "x, rollouts for each action" } else { "x, iterations per action" })
        .x_scale(Scale::Log2)
        .x_values(result.points.iter().map(|point| point.value))
        .area_in(Colour::Vermilion, "red wins", share(|tally| tally.wins))
        .area_in(Colour::Yellow, "yellow wins", share(|tally| tally.losses))
        .area_in(Colour::Grey, "ties", share(|tally| tally.draws))
        .save_on_first(path)?;
    Ok(part)
}

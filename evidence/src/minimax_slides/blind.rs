//! A game in which only one of very many lines wins, and the number of iterations until a search finds it.

use crate::positions::stream;
use crate::report::{Finding, Part, Section, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure::backpropagation::{Average, Solver};
use ramure::selection::Ucb1;
use ramure::{Budget, GameState, Mcts, Player, Search, Turn};
use ramure_agents::AlphaBeta;
use ramure_lab::Failure;
use ramure_lab::commands::parallel::try_map;
use ramure_lab::pictures::{Curve, Curves, Scale};
use serde::{Deserialize, Serialize};
use std::f32::consts::SQRT_2;

/// A choice between an immediate draw and `depth` more choices between two actions. One of these 2^depth
/// lines wins, and all others lose. The second player never acts.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Needle {
    depth: u8,
    /// The line that wins, a bit for each choice.
    line: u32,
    chosen: Chosen,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
enum Chosen {
    Nothing,
    Draw,
    /// The number of choices after the first, and whether all were right.
    Search(u8, bool),
}

/// The root's action that leads to the win.
const SEARCH: u8 = 1;

impl GameState for Needle {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.chosen {
            Chosen::Draw => Turn::Over,
            Chosen::Search(made, _) if made == self.depth => Turn::Over,
            _ => Turn::Player(0),
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 2 }
    }

    fn apply(&mut self, action: u8) {
        self.chosen = match self.chosen {
            Chosen::Search(made, right) => {
                Chosen::Search(made + 1, right && u32::from(action) == self.line >> made & 1)
            }
            _ if action == SEARCH => Chosen::Search(0, true),
            _ => Chosen::Draw,
        };
    }

    fn reward(&self, player: Player) -> f64 {
        let first = match self.chosen {
            Chosen::Search(_, right) => f64::from(u8::from(right)),
            _ => 0.5,
        };
        if player == 0 { first } else { 1.0 - first }
    }
}

/// Adds the claim to the section.
pub fn measure(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let depths: Vec<u8> = (1..=setting.pick(16, 12)).collect();
    let (seeds, limit) = (setting.pick(21, 11), setting.pick(4_000_000, 200_000));
    let (mut plain, mut solver, mut nodes) = (Vec::new(), Vec::new(), Vec::new());
    for &depth in &depths {
        let lines = f64::from(1u32 << depth);
        // If the search exceeds the limit at one depth, it would also at the next.
        let is_waiting = plain.len() + 1 == usize::from(depth);
        let found = try_map(setting.threads, seeds, |index| {
            let mut rng = stream(setting.seed, index);
            let game = Needle { depth, line: rng.bits() as u32, chosen: Chosen::Nothing };
            let seed = rng.bits();
            let search = || Mcts::new(game).backprop(Average).tree_policy(Ucb1::new(SQRT_2)).seed(seed);
            let plain = if is_waiting { until_found(search(), limit)? } else { None };
            Ok::<_, Failure>((plain, until_found(search().backprop(Solver::new(Average)), limit)?, game))
        })?;
        let medians = [median(found.iter().map(|all| all.0)), median(found.iter().map(|all| all.1))];
        let look_ahead =
            AlphaBeta::new(u32::from(depth) + 1).evaluation(|_: &Needle, _| 0.5).look_ahead(&found[0].2)?;
        if look_ahead.action != SEARCH {
            return Err("alpha-beta does not see the win".into());
        }
        plain.extend(medians[0].map(|count| (lines, count as f64)));
        solver.extend(medians[1].map(|count| (lines, count as f64)));
        nodes.push((lines, look_ahead.nodes as f64));
    }
    let (path, part) = setting.picture(
        "blind",
        "iterations until the search chooses the only winning line, over the number of lines",
    )?;
    Curves::new("One winning line among many, beside a certain draw: iterations to find it")
        .x_label("lines")
        .x_scale(Scale::Log2)
        .y_label("iterations, nodes (median)")
        .y_scale(Scale::Log10)
        .curve(Curve::new("plain search", plain.iter().copied()))
        .curve(Curve::new("with a solver", solver.iter().copied()))
        .curve(Curve::new("alpha-beta", nodes.iter().copied()))
        .save_on_first(path)?;
    section.parts.push(Part::Text(format!(
        "One winning line: the root has a sure draw, and an action below which one line of 2^d wins and all others lose. The picture \
         has the iterations until the search would play that action and values it above the draw, as the median of {seeds} \
         searches (c = sqrt 2), with a look whenever the iterations have grown by a quarter. With UCB1, an action that looks \
         worth nothing beside a sure draw gets about 8 ln N of N visits. So the plain search needs about exp(2^d / 8) \
         iterations to try all lines, not about 2^d."
    )));
    section.parts.push(part);

    let reached = plain.last().copied().unwrap_or((0.0, 0.0));
    let first_missing = depths.iter().find(|&&depth| usize::from(depth) > plain.len());
    let growth = |points: &[(f64, f64)]| match (points.get(points.len() / 2), points.last()) {
        (Some(middle), Some(last)) => libm::log2(last.1 / middle.1) / libm::log2(last.0 / middle.0),
        _ => f64::NAN,
    };
    let grows = growth(&solver);
    let missing =
        first_missing.map_or(String::new(), |depth| format!(", but one of 2^{depth} not within {limit}"));
    section.findings.push(Finding::new(
        "blind where few paths lead to the win: if one of 2^d lines wins, the iterations grow as 2^d or faster",
        "no figure",
        format!(
            "the plain search finds one of {} lines after {} iterations{missing}, because the sure draw looks better and all else is \
             tried ever more rarely; with a solver, which knows the draw, the iterations grow as the lines to the power {grows:.2}; \
             alpha-beta always finds the win, in {} nodes for {} lines",
            reached.0,
            reached.1,
            nodes[nodes.len() - 1].1,
            nodes[nodes.len() - 1].0,
        ),
        Verdict::of(first_missing.is_some() && grows > 0.7, "it finds the win earlier"),
    ));
    Ok(())
}

/// Returns the number of iterations after which the search would play the winning action and values it above
/// the draw, or `None` if it does not within `limit`.
fn until_found(mut search: impl Search<Space = Needle>, limit: u64) -> Result<Option<u64>, Failure> {
    let mut done = 0;
    while done < limit {
        let next = (done + done / 4).max(done + 1).min(limit);
        let report = search.run(Budget::iterations(next - done))?;
        done = next;
        let chosen = report.chosen_action().filter(|chosen| chosen.action == SEARCH);
        if chosen.is_some_and(|chosen| chosen.proof == Some(1.0) || chosen.mean > 0.5) {
            return Ok(Some(done));
        }
    }
    Ok(None)
}

/// Returns the median, or `None` if at least half of the counts are `None`.
fn median(counts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    let mut counts: Vec<u64> = counts.map(|count| count.unwrap_or(u64::MAX)).collect();
    counts.sort_unstable();
    counts.get(counts.len() / 2).copied().filter(|&count| count < u64::MAX)
}

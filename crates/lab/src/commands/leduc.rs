//! How near searches come to an equilibrium of Leduc poker: `ramure-lab leduc`.

use super::at_each;
use super::files::Files;
use super::output::{mean, mean_in_words, say};
use super::parallel::{Work, try_map};
use crate::Failure;
use crate::contest::Estimate;
use crate::exact::SequenceForm;
use crate::games::Leduc;
use crate::games::leduc::LeducAction;
use crate::pictures::{Curve, Curves, Picture, Scale};
use clap::Args;
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::AvailabilityUcb1;
use ramure::{GameState, HiddenInformation};
use std::fmt;

/// Measures how far searches are from an equilibrium of Leduc poker.
///
/// The exploitability is how much a perfect opponent wins, as the mean of both seats, in chips per game. It
/// is 0 in an equilibrium. Outcome sampling and MO-ISMCTS search the whole game from its start. SO-ISMCTS
/// searches at each information set, with an equal share of the iterations.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// Look after each of these numbers of iterations, in ascending order
    #[arg(long, value_name = "N,N,..", value_delimiter = ',',
          default_values_t = [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000],
          value_parser = clap::value_parser!(u64).range(1_000..=2_000_000_000))]
    iterations: Vec<u64>,

    /// Set the number of runs, with a seed each; intervals need two or more
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    runs: u32,

    /// Set the exploration constant of MO-ISMCTS and SO-ISMCTS
    #[arg(long, value_name = "C", default_value_t = 0.7)]
    c: f32,

    #[command(flatten)]
    work: Work,

    #[command(flatten)]
    files: Files,
}

const EXAMPLES: &str = "\
Published: the average strategy of outcome sampling approaches an equilibrium (Lisy, Lanctot, Bowling 2015); that of UCT with \
a tree for each player does not (Heinrich, Silver 2015).

Examples:
  ramure-lab leduc
  ramure-lab leduc --iterations 1000,100000,10000000 --runs 5 --plot leduc.svg";

/// Runs the experiment, and prints the results.
pub fn run(options: Options) -> Result<(), Failure> {
    let Options { iterations, runs, c, work, files } = options;
    if !iterations.is_sorted_by(|a, b| a < b) {
        return Err("--iterations are not in ascending order; write them as in 1000,10000,100000".into());
    }
    files.check(1, [])?;
    let settings = Settings { iterations, runs, c, seed: work.seed, threads: work.threads() };
    let measured = measure(&settings)?;
    let shown = match runs {
        1 => "one run, without an interval",
        _ => "mean and 95 % interval",
    };
    say(format_args!(
        "exploitability in chips, runs: {runs}, c = {c}; uniform play: {:.3}\n{:<16} {:>10}  {shown}",
        measured.uniform, "search", "iterations"
    ))?;
    for Row { kind, points } in &measured.rows {
        for (iterations, point) in points {
            let mean = mean_in_words(*point, runs as usize, 4);
            say(format_args!("{:<16} {iterations:>10}  {mean}", kind.to_string()))?;
        }
    }
    files.csv(|| {
        let row = |Row { kind, points }: &Row| {
            let line = |&(iterations, Estimate { value, low, high }): &(u64, Estimate)| match runs {
                1 => format!("{kind},{iterations},{runs},{value},,\n"),
                _ => format!("{kind},{iterations},{runs},{value},{low},{high}\n"),
            };
            points.iter().map(line).collect::<String>()
        };
        let rows: String = measured.rows.iter().map(row).collect();
        format!("search,iterations,runs,exploitability,low,high\n{rows}")
    })?;
    files.plot(|path| Ok(picture(&measured, &settings).save(path)?))
}

/// The searches that are measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Online outcome sampling from the start of the game: its average strategy.
    Sampling,
    /// MO-ISMCTS from the start of the game: in each information set, the shares of the visits in the tree of
    /// the player who acts there.
    MultipleObserver,
    /// SO-ISMCTS as it plays: a search at each information set, and the shares of the visits of its root. The
    /// iterations are divided among all sets.
    SingleObserver,
}

/// All searches.
pub const KINDS: [Kind; 3] = [Kind::Sampling, Kind::MultipleObserver, Kind::SingleObserver];

/// The chips between a reward of 0 and a reward of 1.
const CHIPS: f64 = 26.0;

/// How to measure.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The numbers of iterations after which to look, in ascending order.
    pub iterations: Vec<u64>,
    /// The number of runs, with a seed each.
    pub runs: u32,
    /// The exploration constant of both kinds of ISMCTS.
    pub c: f32,
    pub seed: u64,
    pub threads: usize,
}

/// The measurements.
#[derive(Clone, PartialEq, Debug)]
pub struct Measured {
    /// The exploitability of uniform strategies, in chips.
    pub uniform: f64,
    pub rows: Vec<Row>,
}

/// The exploitability of a search, in chips, after numbers of iterations: the mean of all runs with its
/// interval. A single run has no interval.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    pub kind: Kind,
    pub points: Vec<(u64, Estimate)>,
}

type Form = SequenceForm<LeducAction>;

/// A strategy in one information set: actions with their probabilities.
type Mixed = Vec<(LeducAction, f64)>;

/// Measures all searches. The suits of the cards do not matter.
///
/// # Errors
///
/// Returns an error if a search fails.
pub fn measure(settings: &Settings) -> Result<Measured, Failure> {
    let game = Leduc::by_rank();
    let form = Form::of(&game)?;
    let sets = sets(&game);
    let runs = settings.runs as usize;
    let all = try_map(settings.threads, KINDS.len() * runs, |job| {
        let seed = settings.seed.wrapping_add((job % runs) as u64);
        match KINDS[job / runs] {
            Kind::Sampling => sampling(&game, &form, settings, seed),
            Kind::MultipleObserver => multiple_observer(&game, &form, settings, seed),
            Kind::SingleObserver => single_observer(&sets, &form, settings, seed),
        }
    })?;
    let row = |(kind, all): (Kind, &[Vec<f64>])| {
        let point = |(index, &iterations): (usize, &u64)| {
            let samples: Vec<f64> = all.iter().map(|run| run[index]).collect();
            (iterations, mean(&samples))
        };
        Row { kind, points: settings.iterations.iter().enumerate().map(point).collect() }
    };
    let rows = KINDS.into_iter().zip(all.chunks(runs)).map(row).collect();
    Ok(Measured { uniform: CHIPS * form.uniform().exploitability(), rows })
}

/// Returns the exploitability, in chips, if a player who has seen something acts by `strategy`; uniformly
/// where this has no actions.
fn exploited(form: &Form, strategy: impl Fn(Player, &[LeducAction]) -> Mixed) -> Result<f64, Failure> {
    let probabilities = |player: Player, seen: &[LeducAction], actions: &[LeducAction]| {
        let mixed = strategy(player, seen);
        if mixed.is_empty() {
            return vec![1.0 / actions.len() as f64; actions.len()];
        }
        let share =
            |action: &LeducAction| mixed.iter().find(|entry| entry.0 == *action).map_or(0.0, |entry| entry.1);
        actions.iter().map(share).collect()
    };
    Ok(CHIPS * form.profile(probabilities)?.exploitability())
}

fn sampling(game: &Leduc, form: &Form, settings: &Settings, seed: u64) -> Result<Vec<f64>, Failure> {
    let mut search = Mcts::outcome_sampling(InformationSet::new(*game)).seed(seed);
    at_each(settings.iterations.iter().copied(), |more| {
        search.run(Budget::iterations(more))?;
        exploited(form, |player, seen| search.strategy(player, seen))
    })
}

fn multiple_observer(game: &Leduc, form: &Form, settings: &Settings, seed: u64) -> Result<Vec<f64>, Failure> {
    let policy = AvailabilityUcb1::new(settings.c);
    let mut search = Mcts::player_trees(InformationSet::new(*game)).tree_policy(policy).seed(seed);
    at_each(settings.iterations.iter().copied(), |more| {
        search.run(Budget::iterations(more))?;
        exploited(form, |player, seen| search.strategy(player, seen))
    })
}

/// An information set: the player, what it has seen, and a state that looks like this.
type Set = (Player, Vec<LeducAction>, Leduc);

fn single_observer(sets: &[Set], form: &Form, settings: &Settings, seed: u64) -> Result<Vec<f64>, Failure> {
    let search = |(number, (.., state)): (u64, &Set)| {
        let seed = Rng::seeded(seed ^ number << 32).bits();
        Mcts::new(InformationSet::new(*state)).tree_policy(AvailabilityUcb1::new(settings.c)).seed(seed)
    };
    let mut searches: Vec<_> = (0..).zip(sets).map(search).collect();
    let of_each = settings.iterations.iter().map(|all| (all / sets.len() as u64).max(1));
    at_each(of_each, |more| {
        let mut strategies: Vec<Mixed> = Vec::with_capacity(sets.len());
        for search in &mut searches {
            let report = if more > 0 { search.run(Budget::iterations(more))? } else { search.report()? };
            let shares = report.visit_shares().into_iter().map(f64::from);
            strategies.push(report.actions.iter().map(|entry| entry.action).zip(shares).collect());
        }
        exploited(form, |player, seen| {
            let number = sets.iter().position(|set| set.0 == player && set.1 == seen);
            number.map_or_else(Vec::new, |number| strategies[number].clone())
        })
    })
}

/// Returns each information set of the game once.
fn sets(game: &Leduc) -> Vec<Set> {
    let mut sets: Vec<Set> = Vec::new();
    let mut open = vec![(*game, [Vec::new(), Vec::new()])];
    while let Some((state, seen)) = open.pop() {
        if let Turn::Player(player) = state.turn() {
            let own = &seen[usize::from(player)];
            if !sets.iter().any(|set| set.0 == player && set.1 == *own) {
                sets.push((player, own.clone(), state));
            }
        }
        for action in state.actions() {
            let (mut next, mut seen) = (state, seen.clone());
            for (observer, seen) in (0..).zip(&mut seen) {
                seen.extend(state.observe(action, observer));
            }
            next.apply(action);
            open.push((next, seen));
        }
    }
    sets
}

/// Draws the exploitability over the iterations.
pub fn picture(measured: &Measured, settings: &Settings) -> Curves {
    let runs = match settings.runs {
        1 => "one run".to_owned(),
        runs => format!("means of {runs} runs with 95 % intervals"),
    };
    let picture = Curves::new(format!("Leduc poker: how much a perfect opponent wins, {runs}"))
        .x_label("iterations")
        .x_scale(Scale::Log10)
        .y_label("exploitability [chips per game]")
        .y_scale(Scale::Log10)
        .guide(measured.uniform, "uniform play");
    measured.rows.iter().fold(picture, |picture, row| {
        let points = row.points.iter().map(|(iterations, point)| (*iterations as f64, *point));
        let name = row.kind.to_string();
        picture.curve(match settings.runs {
            1 => Curve::new(name, points.map(|(x, point)| (x, point.value))),
            _ => Curve::of_estimates(name, points),
        })
    })
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Sampling => "outcome sampling",
            Kind::MultipleObserver => "MO-ISMCTS",
            Kind::SingleObserver => "SO-ISMCTS",
        })
    }
}

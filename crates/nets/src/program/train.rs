//! Trains a network: `ramure-nets train`.

use crate::train::{Game, Iteration, Played, Progress, Round, Score, Settings, Trainer, replace_file};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use ramure::{StopHandle, Symmetric};
use ramure_lab::Failure;
use ramure_lab::commands::AnyGame;
use ramure_lab::commands::output::{say, stop_by_ctrl_c};
use ramure_lab::commands::parallel::try_gather;
use ramure_lab::contest::Estimate;
use ramure_lab::lines::{self, IfThere, Lines};
use ramure_lab::pictures::{Curve, Curves, Picture};
use ramure_lab::ranks::{bytes_of_first, cores, is_first};
use std::fs::{self, File, TryLockError};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Trains a network by self-play, from nothing but the rules.
///
/// The folder holds the network (network.onnx), a line of figures for each iteration (metrics.jsonl), a
/// picture of the strength (strength.svg) and of the losses (losses.svg), and all that the rest of the
/// training needs (checkpoint). --resume continues with the same games, on the same kind of processor, unless
/// --set changes a setting.
///
/// Each iteration has a row: its number, the new positions, the mean number of actions in a game, the losses
/// of the policy and of the value, the score against the best network so far (* if the new one takes its
/// place) and against UCT, the seconds, and an estimate of the time that is left.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The game: connect4, hex:SIZE or tic-tac-toe
    game: String,

    /// Keep the training in this folder
    #[arg(long, value_name = "FOLDER")]
    folder: PathBuf,

    /// Continue the training in the folder
    #[arg(long)]
    resume: bool,

    /// End after so many iterations in all, counting those before --resume [default: no limit]
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,

    /// Start no further iteration after so many minutes [default: no limit]
    #[arg(long, value_name = "N", value_parser = minutes)]
    minutes: Option<f64>,

    /// Change a setting; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, serde_json::Value)>,

    /// Play N games at a time; the results are the same for any N [default: one per core]
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
}

const EXAMPLES: &str = "\
Examples:
  ramure-nets train connect4 --folder run
  ramure-nets train connect4 --folder run --resume --minutes 60
  ramure-nets train hex:5 --folder run --set search_iterations=16 --set games=100

The settings and their defaults are those of ramure_nets::train::Settings:
  seed=0 blocks=4 filters=32 hidden=64 method=gumbel search_iterations=32
  games=200 openings=0 temperature_actions=15 replay=150000 reuse=4 batch=256
  learning_rate=0.001 weight_decay=0.01 averaging=0.995 gate_every=5
  gate_games=40 gate_score=1 evaluate_every=5 evaluation_games=40
  evaluation_iterations=64 opponent_iterations=1000 longest_game=10000

Ctrl-C ends the training after the current iteration. A second Ctrl-C ends it at
once, and the iteration is lost.";

fn minutes(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|minutes| (0.0..1e6).contains(minutes));
    number.ok_or_else(|| "a number of minutes is at least 0 and below a million".into())
}

fn assignment(text: &str) -> Result<(String, serde_json::Value), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, as in search_iterations=16")?;
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    Ok((name.into(), value))
}

/// Trains a network. Within [`ranks::run`](ramure_lab::ranks::run), all ranks play the games. The first one
/// does everything else.
///
/// # Errors
///
/// Returns an error if an option is wrong, a file cannot be read or written, or the training fails.
pub fn run(options: Options) -> Result<(), Failure> {
    match AnyGame::read(&options.game)? {
        AnyGame::Connect4(start) => train(options, start),
        AnyGame::Hex(start) => train(options, start),
        AnyGame::TicTacToe(start) => train(options, start),
        _ => Err(format!(
            "\"{}\" is not a game that can be trained here; choose connect4, hex:SIZE or tic-tac-toe",
            options.game
        )
        .into()),
    }
}

/// The files of a training.
const CHECKPOINT: &str = "checkpoint";
const NETWORK: &str = "network.onnx";
const METRICS: &str = "metrics.jsonl";
const STRENGTH: &str = "strength.svg";
const LOSSES: &str = "losses.svg";

/// The message between ranks before games.
const ROUND: &str = "games of a training";

fn train<G: Game + Symmetric>(options: Options, start: G) -> Result<(), Failure> {
    let threads = options.threads.map_or_else(cores, NonZero::get);
    // On each rank, because some launchers send Ctrl-C to all.
    let stop = stop_by_ctrl_c();
    if is_first() { lead(options, start, threads, &stop) } else { help(&start, threads) }
}

/// Plays games on a rank other than the first, until the training ends.
fn help<G: Game>(start: &G, threads: usize) -> Result<(), Failure> {
    loop {
        let bytes = bytes_of_first(ROUND, || Ok(Vec::new()))?;
        if bytes.is_empty() {
            return Ok(());
        }
        play(&Round::from_bytes(&bytes, start.clone())?, threads, &|_| ())?;
    }
}

/// Plays a round of games on all ranks. The first one gets them.
fn play<G: Game>(
    round: &Round<G>,
    threads: usize,
    progress: &(dyn Fn(usize) + Sync),
) -> Result<Vec<Played>, Failure> {
    let work = |number| Ok(round.play(number)?);
    Ok(try_gather(threads, round.games(), work, &mut |done| progress(done))?.unwrap_or_default())
}

/// Trains, on the first rank.
fn lead<G: Game + Symmetric>(
    options: Options,
    start: G,
    threads: usize,
    stop: &StopHandle,
) -> Result<(), Failure> {
    let (_lock, mut trainer) = begin(&options, start)?;
    let Options { game, folder, iterations, minutes, .. } = options;
    let mut metrics = Lines::open(&folder.join(METRICS), IfThere::Resume)?;
    let mut history = history(&mut metrics, trainer.iterations())?;
    let began = Instant::now();
    let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}")?);
    let observer = |progress| show(&bar, progress);
    // The seconds that --minutes leaves.
    let rest = || minutes.map(|minutes| (minutes * 60.0 - began.elapsed().as_secs_f64()).max(0.0));
    let is_done = |trainer: &Trainer<G>| {
        iterations.is_some_and(|iterations| trainer.iterations() >= iterations) || rest() == Some(0.0)
    };
    let before = trainer.iterations();
    let mut ends = vec![0.0];
    let left = |trainer: &Trainer<G>, ends: &[f64]| {
        let Settings { gate_every, evaluate_every, .. } = trainer.settings();
        let of_each = mean_of_latest(ends, (*gate_every).max(*evaluate_every));
        let missing = iterations.map(|all| of_each * all.saturating_sub(trainer.iterations()) as f64);
        missing.into_iter().chain(rest()).reduce(f64::min)
    };
    while !is_done(&trainer) && !stop.is_stopped() {
        if trainer.iterations() == before {
            say(HEADER)?;
        }
        let mut play_round = |round: &Round<G>, progress: &(dyn Fn(usize) + Sync)| {
            bytes_of_first(ROUND, || Ok(round.to_bytes()?))?;
            play(round, threads, progress)
        };
        let iteration = trainer.iterate_with(&mut play_round, &observer)?;
        ends.push(began.elapsed().as_secs_f64());
        let line = row(&iteration, left(&trainer, &ends));
        // The figures come first: after --resume, those of iterations that are not in the checkpoint are left
        // out.
        metrics.append(&iteration)?;
        history.push(iteration);
        trainer.save(folder.join(CHECKPOINT))?;
        replace(&folder.join(NETWORK), &trainer.onnx())?;
        bar.suspend(|| say(&line))?;
        draw(&folder, &trainer, &history)?;
    }
    bar.finish_and_clear();
    bytes_of_first(ROUND, || Ok(Vec::new()))?; // the other ranks end, too
    let made = trainer.iterations();
    if made == before {
        say(nothing_done(made, iterations))?;
    }
    if made == 0 {
        return Ok(()); // no iteration has written a network
    }
    say(next_commands(&game, &folder.join(NETWORK), &folder))
}

/// Begins a training, or continues the one in the folder. Other trainings stay out of it until the file is
/// closed.
fn begin<G: Game + Symmetric>(
    Options { folder, resume, set, .. }: &Options,
    start: G,
) -> Result<(File, Trainer<G>), Failure> {
    let mut settings = Settings::default();
    change(&mut settings, set)?; // reports an error before any file is touched
    let checkpoint = folder.join(CHECKPOINT);
    if *resume && !checkpoint.exists() {
        let folder = folder.display();
        return Err(format!("{folder} has no training to continue; to start one, leave out --resume").into());
    } else if !resume {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let lock = lock(folder)?;
    let trainer = if *resume {
        let mut changed = Ok(());
        let trainer = Trainer::load(&checkpoint, start, |settings| changed = change(settings, set))?;
        changed?;
        // A crash may have come between the checkpoint and the network.
        replace(&folder.join(NETWORK), &trainer.onnx())?;
        trainer
    } else {
        let is_there = |file: &PathBuf| fs::metadata(file).is_ok_and(|data| data.len() > 0);
        // A training that was killed in its first iteration leaves one line, which the new one leaves out.
        let has_figures =
            |file: &PathBuf| fs::read_to_string(file).map_or(is_there(file), |text| text.lines().count() > 1);
        let others = [CHECKPOINT, NETWORK, STRENGTH, LOSSES].map(|name| folder.join(name));
        let metrics = folder.join(METRICS);
        let is_old = others.iter().find(|file| is_there(file));
        if let Some(file) = is_old.or(Some(&metrics).filter(|file| has_figures(file))) {
            let file = file.display();
            return Err(format!(
                "{file} exists already; add --resume to continue a training, or name another folder"
            )
            .into());
        }
        Trainer::new(start, settings)?
    };
    Ok((lock, trainer.symmetries()))
}

/// Says why a run has made no iteration: the training has `made` some, and `wanted` are asked for in all.
fn nothing_done(made: u64, wanted: Option<u64>) -> String {
    match wanted {
        Some(all) if made >= all => format!(
            "Nothing to do: the training has made {made} iterations, and --iterations asks for {all} in all. Ask \
             for more, or leave --iterations out."
        ),
        _ => format!("Nothing was done: the training ended before iteration {}.", made + 1),
    }
}

/// Names the network and the commands that use it.
fn next_commands(game: &str, network: &Path, folder: &Path) -> String {
    let (network, folder) = (network.display(), folder.display());
    format!(
        "\nThe network is {network}. Next:\n  \
         ramure-nets compare {game} net:64,file={network} mcts:1000 --openings 4\n  \
         ramure-nets compare {game} net:200,file={network} human --games 2\n  \
         ramure-nets train {game} --folder {folder} --resume"
    )
}

/// Returns the mean time of the latest iterations, at least five, of which `ends` has the beginning of the
/// first and the ends of all. The first ones may be faster than the others, which train on more positions, and
/// every so many of them, the longest `cycle`, play a match.
fn mean_of_latest(ends: &[f64], cycle: u64) -> f64 {
    let latest = usize::try_from(cycle).unwrap_or(usize::MAX).max(5).min(ends.len() - 1);
    let all = &ends[ends.len() - 1 - latest..];
    (all[latest] - all[0]) / latest as f64
}

/// The titles of the figures of [`row`], and above them what they have in common.
const HEADER: &str = concat!(
    "                            - losses -  - score against -\n",
    "   #  positions  actions  policy   value    best     UCT  seconds      left",
);

/// Returns the figures of an iteration, with the seconds that are left of the training, if it is limited.
fn row(iteration: &Iteration, left: Option<f64>) -> String {
    let figure = |figure: Option<f64>| figure.map_or_else(|| "-".to_owned(), |figure| format!("{figure:.3}"));
    let score = |score: Option<Score>| figure(score.map(|score| score.mean));
    let best = score(iteration.gate) + if iteration.gate.is_some() && iteration.is_best { "*" } else { " " };
    format!(
        "{:>4}  {:>9}  {:>7.1}  {:>6}  {:>6}  {best:>7} {:>6}  {:>7.1}  {:>8}",
        iteration.iteration,
        iteration.positions,
        iteration.actions,
        figure(iteration.policy_loss),
        figure(iteration.value_loss),
        score(iteration.evaluation),
        seconds(iteration),
        left.map_or_else(
            || "-".to_owned(),
            |left| match left {
                ..120.0 => format!("{left:.0} s"),
                ..7200.0 => format!("{:.0} min", left / 60.0),
                _ => format!("{:.1} h", left / 3600.0),
            }
        )
    )
}

/// Returns how long an iteration took.
fn seconds(iteration: &Iteration) -> f64 {
    iteration.play_seconds + iteration.training_seconds + iteration.match_seconds
}

/// Keeps other trainings out of the folder until the file is closed. However a process ends, its files are
/// closed.
fn lock(folder: &Path) -> Result<File, Failure> {
    let path = folder.join("lock");
    let failed = |error| format!("{}: {error}", path.display());
    let file = File::create(&path).map_err(failed)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => {
            let folder = folder.display();
            Err(format!("another training works in {folder}; end it first, or name another folder").into())
        }
        Err(TryLockError::Error(error)) => Err(failed(error).into()),
    }
}

/// Returns the unit in which to draw so many seconds, in seconds, and its name.
fn unit_of(seconds: f64) -> (f64, &'static str) {
    match seconds {
        ..120.0 => (1.0, "seconds of training"),
        ..7200.0 => (60.0, "minutes of training"),
        _ => (3600.0, "hours of training"),
    }
}

/// Draws the losses over the time, and the strength, if it was measured.
fn draw<G: Game>(folder: &Path, trainer: &Trainer<G>, history: &[Iteration]) -> Result<(), Failure> {
    let all: f64 = history.iter().map(seconds).sum();
    let (unit, name) = unit_of(all);
    let timed: Vec<_> = history
        .iter()
        .scan(0.0, |sum, iteration| {
            *sum += seconds(iteration) / unit;
            Some((*sum, iteration))
        })
        .collect();
    let curve = |name: &str, figure: fn(&Iteration) -> Option<f64>| {
        let points = timed.iter().filter_map(|(time, iteration)| Some((*time, figure(iteration)?)));
        (points.clone().next().is_some()).then(|| Curve::new(name, points))
    };
    let losses = [
        curve("policy: cross-entropy", |iteration| iteration.policy_loss),
        curve("value: squared error", |iteration| iteration.value_loss),
    ];
    if losses.iter().any(Option::is_some) {
        let picture = Curves::new("Losses").x_label(name).y_label("mean loss of an iteration");
        losses.into_iter().flatten().fold(picture, Curves::curve).save(folder.join(LOSSES))?;
    }
    let points: Vec<_> = timed
        .iter()
        .filter_map(|(time, iteration)| {
            let Score { mean, games, .. } = iteration.evaluation?;
            Some((*time, Estimate::wilson(mean * games as f64, games as u64)?))
        })
        .collect();
    if points.is_empty() {
        return Ok(());
    }
    let Settings { evaluation_iterations, opponent_iterations, .. } = trainer.settings();
    let curve = Curve::of_estimates(format!("{evaluation_iterations} iterations with the network"), points);
    let title = format!("Score against UCT with {opponent_iterations} iterations");
    let picture = Curves::new(title)
        .x_label(name)
        .y_label("match score, with 95 % intervals")
        .y_within(0.0, 1.0)
        .guide(0.5, "even")
        .curve(curve);
    Ok(picture.save(folder.join(STRENGTH))?)
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    replace_file(path, bytes).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// Reads the lines of the iterations that are in the checkpoint, and removes the others.
fn history(metrics: &mut Lines, iterations: u64) -> Result<Vec<Iteration>, Failure> {
    let bytes = metrics.read()?;
    let mut history = Vec::new();
    for (number, line) in lines::split(&bytes) {
        match serde_json::from_slice::<Iteration>(line) {
            Ok(iteration) if iteration.iteration <= iterations => history.push(iteration),
            Ok(_) => {} // it is not in the checkpoint, and comes again
            Err(error) => eprintln!("{}, line {number}, is left out: {error}", metrics.path().display()),
        }
    }
    metrics.replace(|file| history.iter().try_for_each(|iteration| lines::write(file, iteration)))?;
    Ok(history)
}

fn change(settings: &mut Settings, set: &[(String, serde_json::Value)]) -> Result<(), Failure> {
    let mut fields = serde_json::to_value(&*settings)?;
    for (name, value) in set {
        let field =
            fields.get_mut(name).ok_or_else(|| format!("`{name}` is not a setting; --help lists them"))?;
        *field = value.clone();
        // Checked one by one, so that the message names the setting.
        *settings =
            serde_json::from_value(fields.clone()).map_err(|error| format!("the setting {name}: {error}"))?;
    }
    Ok(())
}

fn show(bar: &ProgressBar, progress: Progress) {
    let (message, done, of) = match progress {
        Progress::SelfPlay { done, of } => ("self-play", done, of),
        Progress::Training { done, of } => ("training", done, of),
        Progress::Gate { done, of } => ("against the best", done, of),
        Progress::Evaluation { done, of } => ("evaluation", done, of),
    };
    bar.set_message(message);
    bar.set_length(of as u64);
    bar.set_position(done as u64);
}

#[cfg(test)]
mod tests {
    use super::{HEADER, mean_of_latest, next_commands, nothing_done, row, unit_of};
    use crate::train::Iteration;
    use std::path::Path;

    #[test]
    fn a_run_without_an_iteration_says_why() {
        let text = nothing_done(3, Some(3));
        assert!(text.starts_with("Nothing to do: the training has made 3 iterations"), "{text}");
        assert_eq!(nothing_done(3, Some(4)), "Nothing was done: the training ended before iteration 4.");
        assert_eq!(nothing_done(0, None), "Nothing was done: the training ended before iteration 1.");
    }

    #[test]
    fn the_next_commands_name_the_game_the_network_and_the_folder() {
        let text = next_commands("hex:5", Path::new("run/network.onnx"), Path::new("run"));
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines[1], "The network is run/network.onnx. Next:");
        assert_eq!(lines[2], "ramure-nets compare hex:5 net:64,file=run/network.onnx mcts:1000 --openings 4");
        assert_eq!(lines[4], "ramure-nets train hex:5 --folder run --resume");
    }

    #[test]
    fn the_figures_of_an_iteration_stand_below_their_titles() {
        let json = r#"{"iteration": 12, "games": 200, "positions": 3456, "total_positions": 40000, "actions": 17.25,
            "steps": 600, "policy_loss": 1.25, "value_loss": 0.5, "gate": {"mean": 0.625, "games": 40},
            "is_best": true, "evaluation": null, "evaluations": 1, "play_seconds": 1.0, "training_seconds": 2.0,
            "match_seconds": 0.5}"#;
        let iteration: Iteration = serde_json::from_str(json).expect("an iteration");
        let titles = HEADER.lines().last().expect("two lines");
        let line = row(&iteration, Some(119.0));
        let figures = "  12       3456     17.2   1.250   0.500   0.625*      -      3.5     119 s";
        assert_eq!((line.as_str(), line.len()), (figures, titles.len()));
        for (left, end) in [(None, " -"), (Some(150.0), " 2 min"), (Some(9000.0), " 2.5 h")] {
            assert!(row(&iteration, left).ends_with(end), "{left:?}");
        }
    }

    #[test]
    fn the_units_of_the_pictures_follow_the_time() {
        let units = [119.0, 121.0, 7199.0, 7201.0].map(|seconds| unit_of(seconds).0);
        assert_eq!(units, [1.0, 60.0, 60.0, 3600.0]);
    }

    #[test]
    fn the_time_that_is_left_follows_the_latest_iterations() {
        // Iterations of 1, 1 and 7 seconds, and from then on of 10.
        let ends = [0.0, 1.0, 2.0, 9.0, 19.0, 29.0, 39.0, 49.0, 59.0];
        assert_eq!(mean_of_latest(&ends[..2], 5), 1.0);
        assert_eq!(mean_of_latest(&ends[..4], 5), 3.0);
        assert_eq!(mean_of_latest(&ends, 5), 10.0);
        assert_eq!(mean_of_latest(&ends, 0), 10.0);
        assert_eq!(mean_of_latest(&ends, 6), 9.5);
        assert_eq!(mean_of_latest(&ends, u64::MAX), 59.0 / 8.0);
    }
}

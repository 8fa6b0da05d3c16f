//! The output of a program: tables, pictures, the exit code; and Ctrl-C.

use super::hidden::FieldsResult;
use super::same_file::Place;
use super::tuning::{Row, Tuning};
use super::{Failure, TableFile};
use crate::contest::{Estimate, MatchResult, RoundRobinResult, SweepPoint, SweepResult, in_full};
use crate::pictures::{Colour, Curve, Curves, Picture, RatingsChart, Scale, StackedAreas};
use crate::ranks::{is_first, on_first};
use clap::Args;
use ramure::StopHandle;
use std::f64::consts::SQRT_2;
use std::fmt::Display;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files that a program writes.
#[derive(Clone, Args)]
pub struct Files {
    /// Write the table to this CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Draw a picture to this file, SVG or PNG by its ending
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Replace existing files
    #[arg(long)]
    pub force: bool,
}

impl Files {
    /// Checks that all files can be written, including `pictures` pictures and the `others`, as far as that is known before the
    /// work.
    ///
    /// # Errors
    ///
    /// Returns an error if a file exists already or has no folder, if two paths (equal or not) lead to one file, or if the
    /// picture is neither SVG nor PNG.
    pub fn check(&self, pictures: usize, others: impl IntoIterator<Item = PathBuf>) -> Result<(), Failure> {
        on_first("the files to write", || self.check_here(pictures, others))
    }

    fn check_here(&self, pictures: usize, others: impl IntoIterator<Item = PathBuf>) -> Result<(), Failure> {
        let pictures_of = || (1..=pictures).filter_map(|number| self.picture(number, pictures));
        check_paths_are_distinct(self.csv.iter().cloned().chain(pictures_of()).chain(others))?;
        self.csv.iter().try_for_each(|path| self.check_one_here(path))?;
        let kind =
            self.plot.as_ref().map(|path| path.extension().and_then(|end| end.to_str()).unwrap_or_default());
        if !matches!(kind.map(str::to_ascii_lowercase).as_deref(), None | Some("svg" | "png")) {
            return Err("the name of a picture must end in .svg or .png".into());
        }
        pictures_of().try_for_each(|path| self.check_one_here(&path))
    }

    /// Checks that this file can be written.
    ///
    /// # Errors
    ///
    /// Returns an error if the file exists already, or if its folder does not exist.
    pub fn check_one(&self, path: &Path) -> Result<(), Failure> {
        on_first("a file to write", || self.check_one_here(path))
    }

    fn check_one_here(&self, path: &Path) -> Result<(), Failure> {
        let name = path.display();
        if path.exists() && !self.force {
            return Err(
                format!("{name} exists already; name another file, or replace it with --force").into()
            );
        }
        match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            Some(folder) => {
                Err(format!("{name} cannot be written: there is no folder {}", folder.display()).into())
            }
            None => Ok(()),
        }
    }

    /// Writes the whole table at once.
    pub fn csv(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        self.csv.as_ref().map_or(Ok(()), |path| write(path, text()))
    }

    /// Starts a table that is written row by row. Ranks other than the first have none.
    pub fn table(&self, columns: &[&str]) -> Result<Option<TableFile>, Failure> {
        let mut table = None;
        on_first("the table", || {
            table = self.csv.as_ref().map(|path| TableFile::create(path, self.force, columns)).transpose()?;
            Ok::<_, Failure>(())
        })?;
        Ok(table)
    }

    pub fn plot(&self, draw: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        self.plot.as_ref().map_or(Ok(()), |path| on_first("the picture", || draw(path)))
    }

    /// Returns the path of picture `number` (from 1) out of `pictures`: `name.svg` if there is only one, else `name-1.svg`.
    pub fn picture(&self, number: usize, pictures: usize) -> Option<PathBuf> {
        let path = self.plot.clone()?;
        let (Some(name), Some(kind), 2..) = (path.file_stem(), path.extension(), pictures) else {
            return Some(path);
        };
        let [name, kind] = [name, kind].map(|part| part.to_string_lossy());
        Some(path.with_file_name(format!("{name}-{number}.{kind}")))
    }
}

/// Checks that no two of the paths lead to one file.
fn check_paths_are_distinct(paths: impl Iterator<Item = PathBuf>) -> Result<(), Failure> {
    let mut known: Vec<(PathBuf, Place)> = Vec::new();
    for path in paths {
        let place = Place::of(&path)?;
        if let Some((other, _)) = known.iter().find(|(_, other)| place.is(other)) {
            let (path, other) = (path.display(), other.display());
            return Err(format!(
                "{other} and {path} are one file, which would be written twice; give each output its own file"
            )
            .into());
        }
        known.push((path, place));
    }
    Ok(())
}

/// Returns the path of the file, beside the results, to which a contest moves lines that it cannot read.
pub fn aside(results: &Path) -> PathBuf {
    let mut name = results.to_owned().into_os_string();
    name.push(".aside");
    name.into()
}

/// Writes to standard output, on the first rank. A reader that closed the pipe, as `head` does, is not an error.
///
/// # Errors
///
/// Returns an error if writing fails for another reason.
pub fn say(text: impl Display) -> Result<(), Failure> {
    if !is_first() {
        return Ok(());
    }
    match writeln!(io::stdout(), "{}", text.to_string().trim_end()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => Ok(written?),
    }
}

/// Writes to standard error how far the program is, on the first rank.
pub fn note(text: impl Display) {
    if is_first() {
        eprintln!("{text}");
    }
}

/// Writes a file, on the first rank.
pub fn write(path: &Path, text: String) -> Result<(), Failure> {
    on_first("a file", || {
        fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
    })
}

/// Prints the error, if any, and returns the exit code for `main`.
pub fn ended(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {}", in_full(&*error));
            ExitCode::FAILURE
        }
    }
}

/// Returns a handle that the first Ctrl-C stops. The second Ctrl-C ends the program.
pub fn stop_by_ctrl_c() -> StopHandle {
    let handle = StopHandle::default();
    let (used, mut pressed) = (handle.clone(), false);
    // If the handler cannot be installed, Ctrl-C ends the program as usual.
    let _ = ctrlc::set_handler(move || {
        if pressed {
            std::process::exit(130);
        }
        pressed = true;
        used.stop();
        eprintln!("\nFinishing the games in progress. Press Ctrl-C again to end the program at once.");
    });
    handle
}

/// Returns a scale that spreads the values evenly: by powers of two if they grow by factors.
pub fn scale_of(values: &[f64]) -> Scale {
    let (least, most) =
        values.iter().fold((f64::MAX, 0f64), |(low, high), &value| (low.min(value), high.max(value)));
    if values.len() > 2 && least > 0.0 && most / least >= 8.0 { Scale::Log2 } else { Scale::Linear }
}

/// Draws red wins, ties and yellow wins over the parameter, as in the sources. With several opponents, draws the score against
/// each.
pub fn draw_sweep(result: &SweepResult, path: &Path) -> Result<(), Failure> {
    let values: Vec<f64> = result.of(0).map(|point| point.value).collect();
    let scale = scale_of(&values);
    let word =
        result.points.first().map_or("", |point| point.agent().name.split(':').next().unwrap_or_default());
    if let [opponent] = &result.opponents[..] {
        let share = |count: fn(&SweepPoint) -> u32| {
            let share = move |point: &SweepPoint| {
                f64::from(count(point)) / f64::from(point.agent().tally.games().max(1))
            };
            result.of(0).map(share).collect::<Vec<f64>>()
        };
        return Ok(StackedAreas::new(format!("{}: {word} (red) against {opponent} (yellow)", result.game))
            .x_label(&result.parameter)
            .x_scale(scale)
            .x_values(values)
            .area_in(Colour::Vermilion, "red wins", share(|point| point.agent().tally.wins))
            .area_in(Colour::Yellow, "yellow wins", share(|point| point.agent().tally.losses))
            .area_in(Colour::Grey, "ties", share(|point| point.agent().tally.draws))
            .save(path)?);
    }
    let mut curves = Curves::new(format!("{}: score of {word}", result.game))
        .x_label(&result.parameter)
        .y_label("score")
        .x_scale(scale)
        .y_percent()
        .y_within(0.0, 1.0)
        .guide(0.5, "even");
    for (number, opponent) in result.opponents.iter().enumerate() {
        let points = result.of(number).filter_map(|point| Some((point.value, point.agent().score?)));
        curves = curves.curve(Curve::of_estimates(format!("against {opponent}"), points));
    }
    Ok(curves.save(path)?)
}

/// The score of each agent, with its interval.
pub fn draw_match(result: &MatchResult, path: &Path) -> Result<(), Failure> {
    let title = format!("{}: {} games", result.game, result.played.records.len());
    let mut picture = RatingsChart::new(title).x_label("score, with 95 % intervals").guide(0.5, "even");
    for standing in &result.standings {
        if let Some(score) = standing.score {
            picture = picture.row(&standing.name, score);
        }
    }
    Ok(picture.save(path)?)
}

/// Draws the ratings of a round robin.
pub fn draw_ratings(result: &RoundRobinResult, path: &Path) -> Result<(), Failure> {
    let ratings =
        result.ratings.as_ref().ok_or("there are no ratings to draw, because not all agents have met")?;
    let title = format!("{}: ratings after {} games", result.game, result.played.records.len());
    let rows: Vec<(&str, Estimate)> =
        ratings.entries.iter().map(|entry| (entry.name.as_str(), entry.elo)).collect();
    let picture = RatingsChart::new(title)
        .x_label("Elo against the mean of all, with 95 % intervals")
        .guide(0.0, "mean");
    Ok(rows.into_iter().fold(picture, |picture, (name, elo)| picture.row(name, elo)).save(path)?)
}

/// Draws the score of each agent against each field.
pub fn draw_fields(result: &FieldsResult, path: &Path) -> Result<(), Failure> {
    let FieldsResult { players, games, rows } = result;
    let picture =
        RatingsChart::new(format!("One agent against a field, {players} players, {games} games each"))
            .x_label("score, with 95 % intervals")
            .guide(1.0 / f64::from(*players), "even");
    let row = |picture: RatingsChart, (agent, field, score): &(String, String, Estimate)| {
        picture.row(format!("{agent} against {field}"), *score)
    };
    Ok(rows.iter().fold(picture, row).save(path)?)
}

/// Draws the score over the values, and the final figures of the best value and of sqrt 2.
pub fn draw_tuning(game: &str, tuning: &Tuning, path: &Path) -> Result<(), Failure> {
    let by_factors = tuning.rows.iter().all(|row| row.value > 0.0);
    let mut picture = Curves::new(format!("{game}: {} against {}", general(tuning), tuning.reference))
        .x_label(if tuning.parameter == "c" { "exploration constant c" } else { &tuning.parameter })
        .x_scale(if by_factors { Scale::Log10 } else { Scale::Linear })
        .y_label("score, with 95 % intervals")
        .y_percent()
        .y_within(0.0, 1.0)
        .guide(0.5, "even");
    let point = |row: &Row| Some((row.value, row.score?));
    let fresh = if tuning.fresh.is_empty() { "" } else { ", fresh games" };
    let marked = [(tuning.best().value, "best", Colour::Vermilion), (SQRT_2, "sqrt 2", Colour::Blue)];
    for (value, name, colour) in marked {
        let row = tuning.fresh_of(value).or_else(|| tuning.rows.iter().find(|row| row.value == value));
        if let Some(point) = row.and_then(point).filter(|_| name == "best" || value != tuning.best().value) {
            picture = picture.curve(Curve::of_estimates(format!("{name}{fresh}"), [point]).colour(colour));
        }
    }
    let all = tuning.rows.iter().filter_map(point);
    Ok(picture.curve(Curve::of_estimates("all values", all).colour(Colour::Black)).save(path)?)
}

/// Returns the agent's text without the value.
fn general(tuning: &Tuning) -> String {
    let name = &tuning.parameter;
    let parts = tuning.best().agent.split(',').filter(|part| !part.starts_with(&format!("{name}=")));
    // A value after the colon has no name of its own, so the word before the colon stands for it.
    let parts = parts.map(|part| if part.starts_with(&format!("{name}:")) { name } else { part });
    parts.collect::<Vec<_>>().join(",")
}

//! Where results go: tables, pictures, the end of a program; and Ctrl-C.

use super::Failure;
use clap::Args;
use ramure::StopHandle;
use ramure::contest::{Estimate, MatchResult, RoundRobinResult, SweepPoint, SweepResult};
use ramure::pictures::{Colour, Curve, Curves, Picture, Ratings, Scale, StackedAreas};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files a program writes.
#[derive(Args)]
pub struct Files {
    /// Write a table as CSV; of a sweep against one opponent in the columns of the sources: winR winY tie ry ryt dt nGames
    /// value
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,

    /// Write a tidy table as CSV: a row for each agent of each pairing
    #[arg(long, value_name = "FILE")]
    pub tidy: Option<PathBuf>,

    /// Draw a picture, as SVG or PNG
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,

    /// Replace files that are there already
    #[arg(long)]
    pub force: bool,
}

impl Files {
    /// Whether all of them can be written, as far as that can be known before the work.
    ///
    /// # Errors
    ///
    /// One is there already, has no folder, or is no kind of picture.
    pub fn check(&self) -> Result<(), Failure> {
        for path in [&self.csv, &self.tidy, &self.plot].into_iter().flatten() {
            if path.exists() && !self.force {
                let path = path.display();
                return Err(format!(
                    "{path} is there already; name another file, or replace it with --force"
                )
                .into());
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                return Err(format!(
                    "{} cannot be written: there is no folder {}",
                    path.display(),
                    folder.display()
                )
                .into());
            }
        }
        let kind =
            self.plot.as_ref().map(|path| path.extension().and_then(|end| end.to_str()).unwrap_or_default());
        match kind.map(str::to_ascii_lowercase).as_deref() {
            None | Some("svg" | "png") => Ok(()),
            Some(_) => Err("a picture is a file named .svg or .png".into()),
        }
    }

    pub fn csv(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        self.csv.as_ref().map_or(Ok(()), |path| write(path, text()))
    }

    pub fn tidy(&self, text: impl FnOnce() -> String) -> Result<(), Failure> {
        self.tidy.as_ref().map_or(Ok(()), |path| write(path, text()))
    }

    pub fn plot(&self, draw: impl FnOnce(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
        self.plot.as_ref().map_or(Ok(()), |path| draw(path))
    }
}

fn write(path: &Path, text: String) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()).into())
}

/// What `main` returns.
pub fn ended(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A handle that the first Ctrl-C uses; the second ends the program.
pub fn stop_by_ctrl_c() -> StopHandle {
    let handle = StopHandle::default();
    let (used, mut pressed) = (handle.clone(), false);
    // Where there is no Ctrl-C, there is none to handle.
    let _ = ctrlc::set_handler(move || {
        if pressed {
            std::process::exit(130);
        }
        pressed = true;
        used.stop();
        eprintln!("\nThe games under way are played to their end; Ctrl-C again ends the program at once.");
    });
    handle
}

/// A scale on which the values are spread evenly: by powers of two if they grow by factors.
pub fn scale_of(values: &[f64]) -> Scale {
    let (least, most) =
        values.iter().fold((f64::MAX, 0f64), |(low, high), &value| (low.min(value), high.max(value)));
    if values.len() > 2 && least > 0.0 && most / least >= 8.0 { Scale::Log2 } else { Scale::Linear }
}

/// Red wins, ties and yellow wins over the parameter, as in the sources; against several opponents the score against each.
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
    let mut picture = Ratings::new(title).x_label("score, with 95 % intervals").guide(0.5, "even");
    for standing in &result.standings {
        if let Some(score) = standing.score {
            picture = picture.row(&standing.name, score);
        }
    }
    Ok(picture.save(path)?)
}

/// The ratings of a round robin.
pub fn draw_ratings(result: &RoundRobinResult, path: &Path) -> Result<(), Failure> {
    let ratings = result.ratings.as_ref().ok_or("there are no ratings to draw: not all agents have met")?;
    let title = format!("{}: ratings after {} games", result.game, result.played.records.len());
    let rows: Vec<(&str, Estimate)> =
        ratings.entries.iter().map(|entry| (entry.name.as_str(), entry.elo)).collect();
    let picture =
        Ratings::new(title).x_label("Elo against the mean of all, with 95 % intervals").guide(0.0, "mean");
    Ok(rows.into_iter().fold(picture, |picture, (name, elo)| picture.row(name, elo)).save(path)?)
}

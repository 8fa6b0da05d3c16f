//! The results of contests as pictures.

use crate::Failure;
use crate::contest::{MatchResult, Rating, RoundRobinResult, SweepPoint, SweepResult};
use crate::pictures::{Colour, Curve, Curves, Picture, RatingsChart, Scale, StackedAreas};
use crate::several::extent;
use std::path::Path;

/// Returns a scale that spreads the values evenly: by powers of two if they grow by factors.
fn scale_of(values: &[f64]) -> Scale {
    let (least, most) = extent(values.iter().copied());
    if values.len() > 2 && least > 0.0 && most / least >= 8.0 { Scale::Log2 } else { Scale::Linear }
}

/// Draws red wins, ties and yellow wins over the parameter, as in the sources. With several opponents, draws
/// the score against each.
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
    let picture = RatingsChart::new(title)
        .x_label("Elo against the mean of all, with 95 % intervals")
        .guide(0.0, "mean");
    let row = |picture: RatingsChart, entry: &Rating| picture.row(&entry.name, entry.elo);
    Ok(ratings.entries.iter().fold(picture, row).save(path)?)
}

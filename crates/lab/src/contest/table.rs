//! Results as tables: aligned for people, comma-separated for programs.

use super::standing::Standing;
use core::fmt;
use serde::Serialize;

/// Writes an aligned table of standings, each with its first column.
pub fn standings<'a>(
    f: &mut fmt::Formatter<'_>,
    parameter: &str,
    rows: impl Iterator<Item = (String, &'a Standing)>,
) -> fmt::Result {
    let rows: Vec<(String, &Standing)> = rows.collect();
    let longest = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let first = longest(&mut rows.iter().map(|(text, _)| text.len())).max(parameter.len());
    let name = longest(&mut rows.iter().map(|(_, standing)| standing.name.len())).max(5);
    let seats = longest(&mut rows.iter().map(|(_, standing)| standing.seats().len())).max(7);
    let gap = if first > 0 { "  " } else { "" };
    writeln!(
        f,
        "{parameter:>first$}{gap}{:name$}  {:>6} {:>6} {:>6}  {:>seats$}  {:<22} {:>13}",
        "agent", "wins", "draws", "losses", "by seat", "score [95 % interval]", "ms per action"
    )?;
    for (text, standing) in &rows {
        let (tally, score) =
            (standing.tally, standing.score.map_or("-".to_owned(), |score| score.to_string()));
        let time = standing.milliseconds_per_action();
        writeln!(
            f,
            "{text:>first$}{gap}{:name$}  {:>6} {:>6} {:>6}  {:>seats$}  {score:<22} {time:>13.4}",
            standing.name,
            tally.wins,
            tally.draws,
            tally.losses,
            standing.seats()
        )?;
    }
    for (_, standing) in rows.iter().filter(|(_, standing)| !standing.forfeits.is_empty()) {
        let (count, why) = (standing.forfeits.len(), &standing.forfeits[0]);
        let games = if count == 1 { "a game" } else { "games" };
        let on_time = match standing.losses_on_time {
            0 => String::new(),
            lost => format!(", {lost} of them on time"),
        };
        writeln!(f, "{} forfeited {games}, {count} in all{on_time}; first: {why}", standing.name)?;
    }
    Ok(())
}

/// A row of the tidy table.
#[derive(Serialize)]
struct TidyRow<'a> {
    value: Option<f64>,
    agent: &'a str,
    opponents: String,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    wins_as_first: u32,
    draws_as_first: u32,
    losses_as_first: u32,
    /// Wins, draws and losses from each seat.
    by_seat: String,
    score: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    forfeits: usize,
    losses_on_time: u32,
    choices: u64,
    seconds: f64,
}

/// A table with one row for each standing, with the value of the parameter and the names of the opponents.
pub fn tidy<'a>(rows: impl Iterator<Item = (Option<f64>, String, &'a Standing)>) -> String {
    written(rows.map(|(value, opponents, standing)| TidyRow {
        value,
        agent: &standing.name,
        opponents,
        games: standing.tally.games(),
        wins: standing.tally.wins,
        draws: standing.tally.draws,
        losses: standing.tally.losses,
        wins_as_first: standing.by_seat[0].wins,
        draws_as_first: standing.by_seat[0].draws,
        losses_as_first: standing.by_seat[0].losses,
        by_seat: standing.seats(),
        score: standing.score.map(|score| score.value),
        low: standing.score.map(|score| score.low),
        high: standing.score.map(|score| score.high),
        forfeits: standing.forfeits.len(),
        losses_on_time: standing.losses_on_time,
        choices: standing.choices,
        seconds: microseconds(standing.seconds),
    }))
}

/// A row of the table of the published sources.
#[derive(Serialize)]
#[allow(non_snake_case, reason = "the sources use these names")]
struct SourceRow {
    winR: f64,
    winY: f64,
    tie: f64,
    ry: f64,
    ryt: f64,
    dt: f64,
    nGames: u32,
    value: f64,
}

/// The table of the published sources: for each value, the results of the agent, who is red, and of its
/// opponent.
pub fn source<'a>(points: impl Iterator<Item = (f64, &'a [Standing])>) -> String {
    written(points.map(|(value, standings)| {
        let (tally, games) = (standings[0].tally, standings[0].tally.games());
        let share = |count: u32| if games == 0 { 0.0 } else { f64::from(count) / f64::from(games) };
        SourceRow {
            winR: share(tally.wins),
            winY: share(tally.losses),
            tie: share(tally.draws),
            ry: share(tally.wins + tally.losses),
            ryt: share(games),
            dt: microseconds(standings.iter().map(|standing| standing.seconds).sum()),
            nGames: games,
            value,
        }
    }))
}

/// Seconds, rounded to whole microseconds.
fn microseconds(seconds: f64) -> f64 {
    (1e6 * seconds).round() / 1e6
}

fn written(rows: impl Iterator<Item = impl Serialize>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Writing plain numbers and texts to memory cannot fail.
    let all_written = rows.map(|row| writer.serialize(row)).all(|written| written.is_ok());
    debug_assert!(all_written);
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

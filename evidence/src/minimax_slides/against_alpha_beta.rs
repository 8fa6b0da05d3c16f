//! The search against alpha-beta: with increasing time, and at equal time with increasing numbers of actions.

use crate::report::{Finding, Part, Section, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure_games::{Connect4, Hex};
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::{Conditions, Estimate, Match, Sweep};
use ramure_lab::pictures::{Curve, Curves, Scale};
use std::fmt::Display;

/// The exploration constant of these searches.
const C: f32 = 0.5;

/// Returns a search with `millis` milliseconds per action.
fn mcts(millis: f64) -> Result<Recipe<AnyGame>, Failure> {
    Ok(AnyGame::registry().read(&format!("mcts:{millis}ms,c={C},solver=no"))?)
}

/// Returns alpha-beta with the game's evaluation and this depth, or this time per action.
fn alpha_beta(limit: impl Display) -> Result<Recipe<AnyGame>, Failure> {
    Ok(AnyGame::registry().read(&format!("alphabeta:{limit},order=evaluation"))?)
}

/// Returns the score of the search against alpha-beta with the game's evaluation, both with `millis`
/// milliseconds per action.
fn score(start: impl Into<AnyGame>, millis: u32, games: &Conditions) -> Result<Estimate, Failure> {
    let agents = [mcts(millis.into())?, alpha_beta(format_args!("{millis}ms"))?];
    let result = Match::new(start.into(), agents).run(games)?;
    result.standings[0].score.ok_or_else(|| "no games were played".into())
}

/// Adds the claim on time to the section: strength over the time per action, against a fixed opponent.
pub fn over_time(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let times = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0];
    let times = &times[..setting.pick(6, 4)];
    let opponent = alpha_beta(4)?;
    let agents = times.iter().map(|&millis| mcts(millis)).collect::<Result<Vec<_>, _>>()?;
    let mut agents = agents.into_iter();
    // The sweep asks once for each value.
    let next = |_| agents.next().unwrap_or_else(|| opponent.clone());
    let result = Sweep::new(Connect4::new().into(), "ms", times, next)
        .against([opponent.clone()])
        .run(&setting.games(200, 60).openings(4))?;
    let mut scores = Vec::new();
    for point in &result.points {
        scores.push((point.value, point.agent().score.ok_or("no games were played")?));
    }
    let forfeits: usize = result.points.iter().map(|point| point.agent().forfeits.len()).sum();
    let (path, part) = setting
        .picture("anytime", "score on Connect 4 against alpha-beta of depth 4, over the time per action")?;
    Curves::new("Connect 4: strength over time, against alpha-beta of depth 4")
        .x_label("time per action [ms]")
        .x_scale(Scale::Log10)
        .y_label("score")
        .y_percent()
        .y_within(0.0, 1.0)
        .curve(Curve::of_estimates("search", scores.iter().copied()))
        .guide(0.5, "even")
        .save_on_first(path)?;
    section.parts.push(part);
    let words: Vec<String> = scores.iter().map(|(millis, score)| format!("{millis} ms: {score}")).collect();
    let (first, last) = (scores[0].1, scores[scores.len() - 1].1);
    section.findings.push(Finding::new(
        "anytime: the search can stop at any time with an answer, which improves with time",
        "no figure",
        format!(
            "Connect 4 against alpha-beta of depth 4, {forfeits} games forfeited because the search had no answer; {}",
            words.join("; ")
        ),
        Verdict::of(forfeits == 0 && last.low > first.high, "the gain from more time is within the error"),
    ));
    Ok(())
}

/// Adds the claim on many actions to the section.
pub fn over_actions(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let millis = setting.pick(10, 2);
    let mut points = Vec::new();
    let connect4 = score(Connect4::new(), millis, &setting.games(100, 20).openings(4))?;
    for size in [3, 5, 7, 9, 11] {
        let score = score(Hex::new(size)?, millis, &setting.games(80, 20).openings(2))?;
        points.push((f64::from(u32::from(size) * u32::from(size)), score));
    }
    let shown = format!(
        "score of the search against alpha-beta over the number of actions, {millis} ms per action each"
    );
    let (path, part) = setting.picture("wide", &shown)?;
    Curves::new(format!("Search against alpha-beta on Hex, {millis} ms per action each"))
        .x_label("actions at the start")
        .x_scale(Scale::Log10)
        .y_label("score of the search")
        .y_percent()
        .y_within(0.0, 1.0)
        .curve(Curve::of_estimates("Hex 3x3 to 11x11", points.iter().copied()))
        .guide(0.5, "even")
        .save_on_first(path)?;
    section.parts.push(Part::Text(format!(
        "At equal time, {millis} ms per action: `Mcts` (UCB1, c = {C}) against alpha-beta with iterative deepening, the game's \
         static evaluation and the best actions first. The openings are random, and each is played from both sides."
    )));
    section.parts.push(part);
    let widest = points[points.len() - 1].1;
    section.findings.push(Finding::new(
        "strong at large branching factors",
        "no figure",
        format!(
            "Hex 11x11 (121 actions), {millis} ms per action each: scores {widest} against alpha-beta; Hex 3x3 {}; Connect 4 \
             (7 actions) {connect4}",
            points[0].1
        ),
        Verdict::of(widest.low > 0.5, "its interval includes one half"),
    ));
    Ok(())
}

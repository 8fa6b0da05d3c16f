//! Tree search against flat Monte-Carlo when both think for the same time.

use super::{mc, mcts, solver};
use crate::equal_time;
use crate::report::{Finding, Section, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure_games::Connect4;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::{Estimate, Match};
use ramure_lab::pictures::{Curve, Curves, Scale};

pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    six_times(setting, section)?;
    let iterations = [48u64, 96, 192, 384, 768, 1536, 3072];
    let (mut plain, mut proving) = (Vec::new(), Vec::new());
    for (agent, scores) in [(mcts as fn(u64) -> Recipe<Connect4>, &mut plain), (solver, &mut proving)] {
        for iterations in iterations {
            let (search, trial) = (agent(iterations), if iterations < 500 { 200 } else { 40 });
            let conditions = setting.games(2000, 100);
            let start = Connect4::new();
            let flat = |rollouts| Ok(mc(rollouts));
            let point = equal_time::play(setting, &start, &search, flat, iterations / 3, trial, &conditions)?;
            scores.push((1e3 * point.time[0], point.score));
        }
    }
    for (agent, scores) in [
        ("Mcts", &plain[..5]), // the values of the tutorial's sweep
        ("Mcts with a solver, keeping its tree between actions,", &proving[..5]),
    ] {
        let held = scores.iter().filter(|(_, score)| score.high >= 0.5).count();
        let Some(least) = scores.iter().map(|(_, score)| *score).min_by(|a, b| a.value.total_cmp(&b.value))
        else {
            continue;
        };
        section.findings.push(Finding::new(
            format!("At equal time {agent} is at least as strong as Mc, at every point of the sweep"),
            "seen in the picture, with other rollouts",
            format!("{held} of {}; the lowest is {least}", scores.len()),
            Verdict::no_worse(
                least,
                "with the smallest budgets, a tree has hardly grown, and a rollout without a tree costs half as much",
            ),
        ));
    }
    let (first, last) = (plain[0].1, plain[plain.len() - 1].1);
    section.findings.push(Finding::new(
        "... and the lead grows with time",
        "seen in the picture",
        format!("{first} at 48 iterations, {last} at 3072"),
        Verdict::more(last, first.high),
    ));
    let (path, part) =
        setting.picture("equal_time", "The score of tree search against flat Monte-Carlo at equal time")?;
    Curves::new("Connect 4: tree search against flat Monte-Carlo at equal time")
        .x_label("time per action, µs")
        .y_label("score of tree search")
        .x_scale(Scale::Log2)
        .y_percent()
        .y_within(0.4, 1.0)
        .guide(0.5, "even")
        .curve(Curve::of_estimates("with a solver", by_time(proving)))
        .curve(Curve::of_estimates("as in the tutorial", by_time(plain)))
        .save_on_first(path)?;
    section.parts.push(part);
    Ok(())
}

/// Sorts the points by time and removes duplicates: on a busy machine, a greater budget may take less time
/// than a smaller one.
fn by_time(mut points: Vec<(f64, Estimate)>) -> Vec<(f64, Estimate)> {
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points.dedup_by_key(|point| point.0);
    points
}

/// Tests the tutorial's own form of the claim, with six times the parameter.
fn six_times(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let (mut scores, mut times) = (Vec::new(), Vec::new());
    for n in [8, 32, 128] {
        let result = Match::new(Connect4::new(), [mcts(6 * n), mc(n)]).run(&setting.games(1000, 100))?;
        scores.push(result.standings[0].score.ok_or("no games")?);
        let [search, flat] = [0, 1].map(|index| result.standings[index].milliseconds_per_action());
        times.push(format!("{:.1}", search / flat));
    }
    section.findings.push(Finding::new(
        "Mcts(6n) is at least as strong as Mc(n), and the lead grows",
        "seen in the picture",
        format!("n = 8: {}; 32: {}; 128: {}", scores[0], scores[1], scores[2]),
        match Verdict::no_worse(scores[0], "not for a small n") {
            Verdict::Reproduced => Verdict::more(scores[2], scores[0].value),
            other => other,
        },
    ));
    section.findings.push(Finding::new(
        "... and takes the same time",
        "the same time",
        format!("{} times as long for n = 8, 32, 128", times.join(", ")),
        Verdict::Not("rollouts have gained more speed than trees; equal time is below".into()),
    ));
    Ok(())
}

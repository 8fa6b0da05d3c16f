//! Tree search against flat Monte-Carlo when both think as long.

use super::{mc, mcts, solver};
use crate::experiments::Failure;
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure::agents::Recipe;
use ramure::contest::{Conditions, Estimate, Match};
use ramure::games::Connect4;
use ramure::pictures::{Curve, Curves, Picture, Scale};

pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    six_times(setting, section)?;
    let mut table =
        Table::new(["tree search", "flat", "us per action", "us per action, flat", "score of tree search"]);
    let iterations = [48u64, 96, 192, 384, 768, 1536, 3072];
    let (mut plain, mut proving) = (Vec::new(), Vec::new());
    for (agent, scores) in [(mcts as fn(u64) -> Recipe<Connect4>, &mut plain), (solver, &mut proving)] {
        for iterations in iterations {
            let point = at_equal_time(setting, &agent(iterations), iterations)?;
            table.row([
                agent(iterations).name().to_owned(),
                format!("mc:{}", point.rollouts),
                format!("{:.1}", point.time[0]),
                format!("{:.1}", point.time[1]),
                point.score.to_string(),
            ]);
            scores.push((point.time[0], point.score));
        }
    }
    for (agent, scores) in [
        ("Mcts", &plain[..5]), // the values of the tutorial's sweep
        ("Mcts with a solver, the tree kept between the actions,", &proving[..5]),
    ] {
        let held = scores.iter().filter(|(_, score)| score.high >= 0.5).count();
        let Some(least) = scores.iter().map(|(_, score)| *score).min_by(|a, b| a.value.total_cmp(&b.value))
        else {
            continue;
        };
        section.findings.push(Finding::new(
            format!("At equal time {agent} is at least as strong as Mc, at every point of the sweep"),
            "seen in the picture, with other rollouts",
            format!("{held} of {}; least: {least}", scores.len()),
            Verdict::no_worse(
                least,
                "with the smallest budgets a tree is hardly begun, and a rollout without one costs half as much",
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
    section.parts.push(Part::Text("At equal time per action:".into()));
    section.parts.push(Part::Table(table));
    let (path, part) =
        setting.picture("equal_time", "The score of tree search against flat Monte-Carlo at equal time")?;
    Curves::new("Connect 4: tree search against flat Monte-Carlo at equal time")
        .x_label("time per action, µs")
        .y_label("score of tree search")
        .x_scale(Scale::Log2)
        .y_percent()
        .y_within(0.4, 1.0)
        .guide(0.5, "even")
        .curve(Curve::of_estimates("with a solver", proving))
        .curve(Curve::of_estimates("as in the tutorial", plain))
        .save(path)?;
    section.parts.push(part);
    Ok(())
}

/// The tutorial's own form of the claim: six times the parameter.
fn six_times(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let (mut scores, mut times) = (Vec::new(), Vec::new());
    for n in [8, 32, 128] {
        let result = Match::new(Connect4::new(), [mcts(6 * n), mc(n)]).run(&setting.games(1000, 100))?;
        scores.push(result.standings[0].score.ok_or("no games")?);
        let [search, flat] = [0, 1].map(|index| result.standings[index].milliseconds_per_action());
        times.push(format!("{:.1}", search / flat));
    }
    section.findings.push(Finding::new(
        "Mcts(6n) is at least as strong as Mc(n), the lead growing",
        "seen in the picture",
        format!("n = 8: {}; 32: {}; 128: {}", scores[0], scores[1], scores[2]),
        match Verdict::no_worse(scores[0], "not for a small n") {
            Verdict::Reproduced => Verdict::more(scores[2], scores[0].value),
            other => other,
        },
    ));
    section.findings.push(Finding::new(
        "... and takes as long",
        "the same time",
        format!("{} times as long for n = 8, 32, 128", times.join(", ")),
        Verdict::Not("rollouts have become faster than trees; equal time is below".into()),
    ));
    Ok(())
}

struct Point {
    /// The rollouts per action of flat Monte-Carlo that take as long.
    rollouts: u64,
    /// Microseconds per action of both.
    time: [f64; 2],
    score: Estimate,
}

/// A match with as many rollouts as take the time of the search; they are found by matches.
fn at_equal_time(setting: &Setting, search: &Recipe<Connect4>, iterations: u64) -> Result<Point, Failure> {
    let play = |rollouts: u64, conditions: Conditions| {
        let result = Match::new(Connect4::new(), [search.clone(), mc(rollouts)]).run(&conditions)?;
        let time = [0, 1].map(|index| 1e3 * result.standings[index].milliseconds_per_action());
        Ok::<_, Failure>((time, result.standings[0].score.ok_or("no games")?))
    };
    let mut rollouts = (iterations / 3).max(1);
    for seed in 1..=3 {
        let games = if iterations < 500 { 200 } else { 40 };
        let (time, _) = play(rollouts, Conditions::games(games).seed(setting.seed + seed).threads(1))?;
        rollouts = ((rollouts as f64 * time[0] / time[1]).round() as u64).max(1);
    }
    let (time, score) = play(rollouts, setting.games(2000, 100))?;
    Ok(Point { rollouts, time, score })
}

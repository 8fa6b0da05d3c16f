//! Both bots against random play: how often they win, and how long it takes.

use super::{mc, mcts};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure_agents::Random;
use ramure_games::Connect4;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::commands::p_game::fisher;
use ramure_lab::contest::{Conditions, Sweep, SweepResult};

/// The number of games behind each of the tutorial's figures.
const GAMES: u32 = 300;

/// A difference counts if chance explains it with less than this probability.
const SIGNIFICANCE: f64 = 0.001;

/// The tutorial's figures: the parameter, red's share of wins, seconds for 300 games.
type Published = [(f64, f64, f64)];

const MC: [(f64, f64, f64); 7] = [
    (1.0, 0.78, 0.027),
    (2.0, 0.85, 0.058),
    (4.0, 0.92, 0.117),
    (8.0, 0.97, 0.263),
    (16.0, 0.98, 0.501),
    (32.0, 1.0, 0.965),
    (64.0, 0.99, 1.816),
];
const MC_AGAIN: [(f64, f64, f64); 5] = [
    (8.0, 0.96, 0.162),
    (16.0, 0.98, 0.287),
    (32.0, 0.9967, 0.564),
    (64.0, 0.9967, 1.020),
    (128.0, 1.0, 1.970),
];
const MCTS: [(f64, f64, f64); 5] = [
    (48.0, 0.9733, 0.146),
    (96.0, 0.9933, 0.276),
    (192.0, 1.0, 0.511),
    (384.0, 1.0, 0.954),
    (768.0, 1.0, 1.909),
];

pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    for (name, agent, published, faster) in [
        ("Mc(n)", mc as fn(u64) -> Recipe<Connect4>, &MC[..], 10.0),
        ("Mc(n), second run", mc, &MC_AGAIN, 10.0),
        ("Mcts(n)", mcts, &MCTS, 5.0),
    ] {
        compare(setting, section, name, agent, published, faster)?;
    }
    Ok(())
}

fn compare(
    setting: &Setting,
    section: &mut Section,
    name: &str,
    agent: fn(u64) -> Recipe<Connect4>,
    published: &Published,
    faster: f64,
) -> Result<(), Failure> {
    let values: Vec<f64> = published.iter().map(|row| row.0).collect();
    let run = |conditions: &Conditions| {
        Sweep::new(Connect4::new(), "n", values.clone(), |value| agent(value as u64))
            .against([Recipe::new(Random::default)])
            .run(conditions)
    };
    // The time is the best of three whole runs on one thread. The shares come from many more games.
    let mut seconds = f64::INFINITY;
    let mut timed = None;
    for _ in 0..3 {
        let result = run(&Conditions::games(GAMES).seed(setting.seed).threads(1))?;
        let all = result.played.time.as_secs_f64();
        if all < seconds {
            (seconds, timed) = (all, Some(result));
        }
    }
    let timed = timed.ok_or("no run was timed")?;
    let result = run(&setting.games(6000, 600))?;

    let mut table = Table::new([
        "n",
        "wins, tutorial",
        "wins, here",
        "",
        "seconds, tutorial",
        "seconds of thought, here",
        "faster",
    ]);
    let (mut same, mut better) = (0, 0);
    for (index, &(n, wins, dt)) in published.iter().enumerate() {
        let tally = result.points[index].agent().tally;
        let theirs = (f64::from(GAMES) * (1.0 - wins)).round() as u32;
        let by_chance = fisher((tally.games() - tally.wins, tally.games()), (theirs, GAMES))?;
        let verdict = if by_chance.more < SIGNIFICANCE {
            "worse"
        } else if by_chance.fewer < SIGNIFICANCE {
            better += 1;
            "better"
        } else {
            same += 1;
            "same"
        };
        let ours = ramure_lab::contest::Estimate::wilson(tally.wins.into(), tally.games().into())
            .ok_or("no games")?;
        let here = time(&timed, index);
        table.row([
            n.to_string(),
            wins.to_string(),
            format!("{ours:.4}"),
            verdict.to_owned(),
            format!("{dt:.3}"),
            format!("{here:.4}"),
            format!("{:.0}x", dt / here),
        ]);
    }
    let count = published.len();
    section.findings.push(Finding::new(
        format!("{name} against Random: wins"),
        format!("{} values of n, {GAMES} games each", count),
        format!(
            "by Fisher's exact test (p = {SIGNIFICANCE}), {same} of {count} are the same, {better} are better"
        ),
        Verdict::of(same + better == count, "fewer wins at some values of n"),
    ));
    let theirs: f64 = published.iter().map(|row| row.2).sum();
    section.findings.push(Finding::new(
        format!("{name} against Random: time"),
        format!("{theirs:.2} s in total"),
        format!("{seconds:.3} s, {:.0} times faster; the target is {faster}", theirs / seconds),
        if theirs / seconds >= faster { Verdict::Beaten } else { Verdict::Not("below the target".into()) },
    ));
    if !name.contains("second") {
        let games = result.points[0].agent().tally.games();
        section.parts.push(Part::Text(format!("{name} against Random, {games} games here:")));
        section.parts.push(Part::Table(table));
        let bot = name.split('(').next().unwrap_or(name);
        section.parts.push(super::areas(setting, bot, "Random", bot == "Mc", &result)?);
    }
    Ok(())
}

/// Returns the seconds of both agents with one value.
fn time(result: &SweepResult, index: usize) -> f64 {
    result.points[index].standings.iter().map(|standing| standing.seconds).sum()
}

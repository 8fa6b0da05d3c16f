//! The bots against themselves and against each other.

use super::{areas, mc, mcts};
use crate::report::{Finding, Section, Verdict};
use crate::setting::Setting;
use ramure_agents::{First, Random};
use ramure_games::Connect4;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Estimate, Match, Sweep, SweepResult};

pub fn add(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    zero(section)?;
    random(setting, section)?;
    let doubling =
        |powers: std::ops::Range<i32>| powers.map(|power| f64::from(1 << power)).collect::<Vec<_>>();

    let result = sweep(setting, &doubling(5..12), mcts, mcts(512))?;
    at(section, "Mcts(x) against Mcts(512): equal at 512", &result, 512.0, equal);
    at(section, "Mcts(x) against Mcts(512): ahead at 1024", &result, 1024.0, ahead);
    section.parts.push(areas(setting, "Mcts", "Mcts(512)", false, &result)?);

    let result = sweep(setting, &[48.0, 96.0, 192.0, 384.0, 768.0, 1536.0], mcts, mc(128))?;
    at(section, "Mcts(x) is ahead of Mc(128), with x = 768", &result, 768.0, ahead);
    section.parts.push(areas(setting, "Mcts", "Mc(128)", false, &result)?);

    let result = sweep(setting, &doubling(0..9), mc, mc(32))?;
    at(section, "Mc(x) against Mc(32): equal at 32", &result, 32.0, equal);
    at(section, "Mc(x) against Mc(32): ahead at 64", &result, 64.0, ahead);
    let ties: Vec<u32> = result.points.iter().map(|point| point.agent().tally.draws).collect();
    let (few, many) = (ties[0], ties.iter().max().copied().unwrap_or_default());
    section.findings.push(Finding::new(
        "Mc(x) against Mc(32): ties appear",
        "seen in the picture",
        format!("{few} of {} at x = 1, up to {many} later", result.points[0].agent().tally.games()),
        Verdict::of(many > few, "no more ties for a greater x"),
    ));
    section.parts.push(areas(setting, "Mc", "Mc(32)", true, &result)?);
    Ok(())
}

fn zero(section: &mut Section) -> Result<(), Failure> {
    let agents = [Recipe::new(|| First), Recipe::new(|| First)];
    let result = Match::new(Connect4::new(), agents).run(&Conditions::games(100))?;
    let [one, other] = [0, 1].map(|index| result.standings[index].tally);
    section.findings.push(Finding::new(
        "Zero against itself, with the starter alternating",
        "50 / 50 / 0",
        format!("{} / {} / {}", one.wins, other.wins, one.draws),
        Verdict::of((one.wins, other.wins) == (50, 50), "the first legal action leads elsewhere"),
    ));
    let stones = result.played.records[0].actions.len();
    section.findings.push(Finding::new(
        "... and the starter wins with its 11th stone",
        "11th",
        format!("the {stones}th stone of the game, which is the starter's {}th", stones.div_ceil(2)),
        Verdict::of(
            stones == 21,
            "it cannot be the 11th: stones 1, 7, 13 and 19 of the game, all the starter's, make the line at the bottom, and \
             the 19th of the game is the starter's 10th",
        ),
    ));
    Ok(())
}

fn random(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let agents = [Recipe::new(Random::default), Recipe::new(Random::default)];
    let result = Match::new(Connect4::new(), agents).run(&setting.games(20_000, 2_000))?;
    let standing = &result.standings[0];
    let score = standing.score.ok_or("no games")?;
    let draws = f64::from(standing.tally.draws) / f64::from(standing.tally.games());
    section.findings.push(Finding::new(
        "Random against itself",
        "50 / 50 / 0, within 5 points",
        format!("score {score}, draws {:.2} %", 100.0 * draws),
        if draws < 0.05 { Verdict::even(score) } else { Verdict::Not("there are too many draws".into()) },
    ));
    Ok(())
}

fn sweep(
    setting: &Setting,
    values: &[f64],
    agent: fn(u64) -> Recipe<Connect4>,
    opponent: Recipe<Connect4>,
) -> Result<SweepResult, Failure> {
    let sweep = Sweep::new(Connect4::new(), "x", values, |value| agent(value as u64)).against([opponent]);
    Ok(sweep.run(&setting.games(1000, 60))?)
}

/// Adds a claim, judged by the score with one value.
fn at(
    section: &mut Section,
    claim: &str,
    result: &SweepResult,
    value: f64,
    verdict: fn(Estimate) -> Verdict,
) {
    let point = result.points.iter().find(|point| point.value == value);
    let Some(score) = point.and_then(|point| point.agent().score) else { return };
    section.findings.push(Finding::new(
        claim,
        "seen in the picture",
        format!("score {score}"),
        verdict(score),
    ));
}

fn equal(score: Estimate) -> Verdict {
    Verdict::even(score)
}

fn ahead(score: Estimate) -> Verdict {
    Verdict::more(score, 0.5)
}

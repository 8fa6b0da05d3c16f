//! Section B: a student report on UCB1, and on UCT for Hex.

use crate::equal_time::{self, EqualTime};
use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::{SaveOnFirst, Setting};
use ramure::prelude::*;
use ramure_games::Hex;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::Estimate;
use ramure_lab::pictures::{Curve, Curves, Scale};
use ramure_lab::ranks::is_first;
use ramure_lab::tuning::{Candidate, Playing, Rounds, Row, Tuning, halving, written};
use std::f64::consts::SQRT_2;
use std::time::Instant;

/// Exploration constants from 0.02 to 2, two for each factor of two, including sqrt 2.
const EXPLORATION_CONSTANTS: [f64; 14] =
    [0.022, 0.031, 0.044, 0.0625, 0.088, 0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1.0, SQRT_2, 2.0];

/// Tests the claims.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "B. UCB1 and UCT for Hex (student report, Python)".into(),
        about: "`Flat` is flat Monte-Carlo with a total number of rollouts shared by the actions. UCT is a search with the same \
                number of iterations. The random order of children breaks ties at random. The report's figures are lost, so ours \
                stand alone. Section E has UCB1 on the K-armed bandit."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    rollouts(&mut section)?;
    let mut curves = Curves::new("Hex: UCT against flat Monte-Carlo, equal numbers of rollouts")
        .x_label("exploration constant c")
        .y_label("score of UCT")
        .x_scale(Scale::Log2)
        .y_percent()
        .y_within(0.0, 1.0)
        .guide(0.5, "even");
    for (size, iterations) in [(5, 1000), (7, 1000), (11, 1000)] {
        if setting.quick && size > 5 {
            continue;
        }
        let tuning = tuned(setting, size, iterations)?;
        add(&mut section, size, iterations, &tuning)?;
        let points = tuning.rows.iter().filter_map(|row| Some((row.value?, row.score?)));
        curves = curves.curve(Curve::of_estimates(format!("{size}x{size}"), points));
    }
    let (path, part) = setting.picture("hex_c", "The score of UCT over its exploration constant")?;
    curves.save_on_first(path)?;
    section.parts.push(part);
    at_equal_time(setting, &mut section)?;
    Ok(section)
}

/// The start of a game.
fn hex(size: u8) -> Result<AnyGame, Failure> {
    Ok(Hex::new(size)?.into())
}

fn uct(iterations: u64, c: f64) -> Result<Recipe<AnyGame>, Failure> {
    let search =
        AnyGame::registry().read(&format!("mcts:{iterations},c={c:?},solver=no,order=random,reuse=no"))?;
    Ok(search.named(format!("uct:{iterations},c={c:.3}")))
}

fn flat(rollouts: u64) -> Result<Recipe<AnyGame>, Failure> {
    Ok(AnyGame::registry().read(&format!("mc-total:{rollouts}"))?)
}

/// Adds the claim on the report's fast test for the end of the game, as the cost of a rollout here.
fn rollouts(section: &mut Section) -> Result<(), Failure> {
    if !is_first() {
        return Ok(());
    }
    let start = Hex::new(11)?;
    let mut rng = Rng::seeded(1);
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let begin = Instant::now();
        const GAMES: u32 = 50_000;
        for _ in 0..GAMES {
            let mut state = start.clone();
            state.random_rollout(&mut rng);
            std::hint::black_box(&state);
        }
        best = best.min(begin.elapsed().as_secs_f64() / f64::from(GAMES));
    }
    section.findings.push(Finding::new(
        "A fast test for the end of the game (union of connected groups with the edges)",
        "no figure",
        format!(
            "the board is filled at random and tested once: {:.2} µs for a random game on 11x11, {:.1} million per second",
            1e6 * best,
            1e-6 / best
        ),
        Verdict::Reproduced,
    ));
    Ok(())
}

fn tuned(setting: &Setting, size: u8, iterations: u64) -> Result<Tuning, Failure> {
    let candidate = |value: f64| Ok::<_, Failure>(Candidate { value, agent: uct(iterations, value)? });
    let rounds = Rounds {
        games: setting.pick(100, 20),
        left: 3,
        most_games: u64::MAX,
        fresh_games: setting.pick(1000, 100),
    };
    let playing = Playing {
        openings: 1,
        seed: setting.seed,
        threads: setting.threads,
        progress: true,
        ..Playing::default()
    };
    let constants = EXPLORATION_CONSTANTS.iter().copied().filter(|c| !setting.quick || *c > 0.08);
    let candidates = constants.map(candidate).collect::<Result<_, _>>()?;
    let also = candidate(SQRT_2)?.agent;
    Ok(halving(&hex(size)?, "c", candidates, Some(also), &flat(iterations)?, &rounds, &playing)?)
}

fn add(section: &mut Section, size: u8, iterations: u64, tuning: &Tuning) -> Result<(), Failure> {
    let best = tuning.best();
    let value = |row: &Row| row.value.unwrap_or(f64::NAN);
    let fresh = |value| tuning.fresh_of(value).and_then(|row| row.score).ok_or("no fresh games");
    let (at_sqrt_2, at_best) = (fresh(SQRT_2)?, fresh(value(best))?);
    section.findings.push(Finding::new(
        format!(
            "{size}x{size}, {iterations} rollouts: with c = √2 UCT wins few games against flat Monte-Carlo"
        ),
        "lost",
        format!("score of UCT {at_sqrt_2}"),
        if at_sqrt_2.high < 0.5 {
            Verdict::Reproduced
        } else if at_sqrt_2.low > 0.5 {
            Verdict::Not(WHY_NOT.into())
        } else {
            Verdict::Open
        },
    ));
    section.findings.push(Finding::new(
        format!("{size}x{size}, {iterations} rollouts: with a tuned c it wins"),
        "lost",
        format!("c = {}: score {at_best} in fresh games", written(value(best))),
        Verdict::more(at_best, 0.5),
    ));
    let difference = at_best.minus(at_sqrt_2);
    section.findings.push(Finding::new(
        format!("{size}x{size}, {iterations} rollouts: the tuned c is better than √2"),
        "follows",
        format!("by {difference}"),
        Verdict::more(difference, 0.0),
    ));
    Ok(())
}

/// The reason why the first claim does not hold.
const WHY_NOT: &str = "with equal time, below, it wins few";

/// Tests the first claim with equal time instead of equal rollouts, because flat Monte-Carlo has no tree to
/// maintain.
fn at_equal_time(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    if setting.quick {
        return Ok(());
    }
    let mut table = Table::new(["board", "UCT", "flat", "ms per action", "ms, flat", "score of UCT"]);
    let mut at_sqrt_2: Vec<Estimate> = Vec::new();
    for (size, c) in [(7, SQRT_2), (11, SQRT_2), (7, 0.4), (11, 0.2)] {
        let (search, conditions) = (uct(1000, c)?, setting.games(1000, 40).openings(1));
        let EqualTime { rollouts, time, score } =
            equal_time::play(setting, &hex(size)?, &search, flat, 2000, 20, &conditions)?;
        table.row([
            format!("{size}x{size}"),
            search.name().to_owned(),
            format!("mc-total:{rollouts}"),
            format!("{:.2}", time[0]),
            format!("{:.2}", time[1]),
            score.to_string(),
        ]);
        if c == SQRT_2 {
            at_sqrt_2.push(score);
        }
    }
    let verdict = if at_sqrt_2.iter().all(|score| score.high < 0.5) {
        Verdict::Reproduced
    } else if at_sqrt_2.iter().any(|score| score.low > 0.5) {
        Verdict::Not("it wins on one of the boards".into())
    } else {
        Verdict::Open
    };
    section.findings.push(Finding::new(
        "The same at equal time: with c = √2 UCT wins few games",
        "lost",
        at_sqrt_2.iter().map(Estimate::to_string).collect::<Vec<_>>().join("; ") + " on 7x7 and 11x11",
        verdict,
    ));
    section.parts.push(Part::Text("At equal time per action:".into()));
    section.parts.push(Part::Table(table));
    Ok(())
}

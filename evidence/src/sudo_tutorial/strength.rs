//! The tutorial's search against random play, with light and heavy rollouts, and with its own backup.

use super::MODES;
use super::players::{Rollout, tutorial, unswitched, unswitched_first};
use crate::report::{Finding, Section, Verdict};
use crate::setting::Setting;
use ramure::Budget;
use ramure_agents::Random;
use ramure_games::SudoTicTacToe;
use ramure_games::sudo_tic_tac_toe::Mode;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Estimate, Match, Standing};

/// The tutorial's budget.
const ITERATIONS: u64 = 100;

/// Plays against random play.
pub fn against_random(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    for (name, mode) in MODES {
        let agents =
            [tutorial("mcts:100", iterations(ITERATIONS), Rollout::Light), Recipe::new(Random::default)];
        let games = setting.games(1000, 200);
        let [ours, _] = play(mode, agents, &games)?;
        let score = score(&ours)?;
        section.findings.push(Finding::new(
            format!("{name}: with 100 iterations, the search plays whole games, and better than random play"),
            "no figure; about a second per action",
            format!(
                "scores {score} in {} games, {} of them forfeited; {:.3} ms per action",
                ours.tally.games(),
                ours.forfeits.len(),
                ours.milliseconds_per_action(),
            ),
            Verdict::of(score.low > 0.5 && ours.forfeits.is_empty(), "it is not better than random play"),
        ));
    }
    Ok(())
}

/// Plays heavy rollouts against light ones, at equal iterations and at equal time.
pub fn heavy_rollouts(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    let millis = setting.pick(5, 2);
    for (name, mode) in MODES {
        for (word, rollout) in [
            ("heavy rollouts (complete three in a row, or prevent it)", Rollout::Heavy),
            ("ten random actions and the static evaluation", Rollout::Cutoff(10)),
        ] {
            let against = |budget, games: Conditions| {
                let agents = [tutorial(word, budget, rollout), tutorial("light", budget, Rollout::Light)];
                let [ours, theirs] = play(mode, agents, &games)?;
                let slower = ours.milliseconds_per_action() / theirs.milliseconds_per_action();
                Ok::<_, Failure>((score(&ours)?, slower))
            };
            let (by_iterations, slower) = against(iterations(1000), setting.games(400, 20))?;
            let (by_time, _) = against(Budget::millis(millis), setting.games(200, 20))?;
            section.findings.push(Finding::new(
                format!("{name}: {word} are stronger than light ones"),
                "suggested, no figure",
                format!(
                    "score {by_iterations} at 1000 iterations per action, which take {slower:.1} times as long; \
                     {by_time} at {millis} ms per action"
                ),
                verdict(by_iterations, by_time),
            ));
        }
    }
    Ok(())
}

/// Judges a suggestion, which is good if it makes the search stronger at equal time.
fn verdict(by_iterations: Estimate, by_time: Estimate) -> Verdict {
    if by_time.low > 0.5 {
        return Verdict::Reproduced;
    }
    let worth_more = by_iterations.low > 0.5;
    Verdict::Not(match (by_iterations.high < 0.5, by_time.high < 0.5) {
        (true, _) => "even at equal iterations they are weaker".into(),
        (_, true) if worth_more => "stronger at equal iterations, but weaker at equal time".into(),
        (_, true) => "they cost more time than they are worth".into(),
        _ if worth_more => "stronger at equal iterations, but even at equal time, within the error".into(),
        _ => "even, within the error".into(),
    })
}

/// Plays our backup against the tutorial's.
pub fn backups(setting: &Setting, section: &mut Section) -> Result<(), Failure> {
    for (name, mode) in MODES {
        let mut ours = Vec::new();
        let more = setting.pick(1000, 500);
        for (count, games) in [(ITERATIONS, setting.games(1000, 100)), (more, setting.games(300, 60))] {
            for (view, theirs) in [
                ("the searching player's view", unswitched("theirs", iterations(count))),
                ("the first player's view", unswitched_first("theirs", iterations(count))),
            ] {
                let agents = [tutorial("ours", iterations(count), Rollout::Light), theirs];
                let [standing, _] = play(mode, agents, &games)?;
                ours.push((count, view, score(&standing)?));
            }
        }
        let words: Vec<String> =
            ours.iter().map(|(count, view, score)| format!("{count} iterations, {view}: {score}")).collect();
        let wins = ours.iter().all(|(count, _, score)| match *count {
            ITERATIONS => score.high > 0.5,
            _ => score.low > 0.5,
        });
        section.findings.push(Finding::new(
            format!("{name}: its backup takes the view of one player at all nodes; ours, which switches between the players, beats it"),
            "its backup does so",
            format!("our score with {}", words.join("; ")),
            Verdict::of(wins, "it is even within the error, or worse"),
        ));
    }
    Ok(())
}

fn iterations(count: u64) -> Budget {
    Budget::iterations(count)
}

/// Plays a match from random openings, each played from both sides.
fn play(
    mode: Mode,
    agents: [Recipe<SudoTicTacToe>; 2],
    games: &Conditions,
) -> Result<[Standing; 2], Failure> {
    let result = Match::new(SudoTicTacToe::new(mode), agents).run(&games.clone().openings(4))?;
    result.standings.try_into().map_err(|_| "a match of two agents has two standings".into())
}

fn score(standing: &Standing) -> Result<Estimate, Failure> {
    standing.score.ok_or_else(|| "no games were played".into())
}

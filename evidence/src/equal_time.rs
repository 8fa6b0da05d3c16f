//! Matches in which both agents think for the same time.

use crate::setting::Setting;
use ramure::GameState;
use ramure_lab::Failure;
use ramure_lab::Recipe;
use ramure_lab::contest::{Conditions, Estimate, Match};

/// The result of such a match.
pub struct EqualTime {
    /// The rollouts of flat Monte-Carlo that take as much time as the search.
    pub rollouts: u64,
    /// The milliseconds per action of both agents.
    pub time: [f64; 2],
    /// The score of the search.
    pub score: Estimate,
}

/// Plays `search` against `flat` with the number of rollouts that takes the same time. Three short matches of
/// `trial` games find that number, starting from `guess`.
pub fn play<G: GameState + Sync>(
    setting: &Setting,
    start: &G,
    search: &Recipe<G>,
    flat: fn(u64) -> Result<Recipe<G>, Failure>,
    guess: u64,
    trial: u32,
    conditions: &Conditions,
) -> Result<EqualTime, Failure> {
    let play = |rollouts: u64, conditions: &Conditions| {
        let result = Match::new(start.clone(), [search.clone(), flat(rollouts)?]).run(conditions)?;
        let time = [0, 1].map(|index| result.standings[index].milliseconds_per_action());
        Ok::<_, Failure>((time, result.standings[0].score.ok_or("no games")?))
    };
    let mut rollouts = guess.max(1);
    for seed in 1..=3 {
        let (time, _) = play(rollouts, &Conditions::games(trial).seed(setting.seed + seed).threads(1))?;
        rollouts = ((rollouts as f64 * time[0] / time[1]).round() as u64).max(1);
    }
    let (time, score) = play(rollouts, conditions)?;
    Ok(EqualTime { rollouts, time, score })
}

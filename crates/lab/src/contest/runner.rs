//! Plays all games of a plan, several at a time, on one rank or on several.

use super::error::ContestError;
use super::log::{Head, Log};
use super::plan::{Job, MOST_GAMES, Plan};
use super::played::{Ended, PlayedGames};
use super::progress::Progress;
use super::record::Record;
use super::referee::{Ending, Game, message};
use super::seeds::{Use, generator, seed};
use crate::ranks::{Jobs, RanksError, cores, is_first, on_first, perform};
use core::ops::ControlFlow;
use ramure::GameState;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Plays the plan. `watch` sees every game in the order of the plan, regardless of the order in which games
/// end. It may end the contest; later games then do not count.
pub fn run<G: GameState + Sync>(
    plan: &Plan<'_, G>,
    watch: impl FnMut(&Record) -> ControlFlow<()>,
) -> Result<PlayedGames, ContestError> {
    run_at_most(plan, MOST_GAMES as usize, watch)
}

/// The same, but plays at most `most` games.
fn run_at_most<G: GameState + Sync>(
    plan: &Plan<'_, G>,
    most: usize,
    mut watch: impl FnMut(&Record) -> ControlFlow<()>,
) -> Result<PlayedGames, ContestError> {
    plan.check()?;
    let begin = Instant::now();
    let conditions = plan.conditions;
    // By index, in a map, since many more games may be asked for than are played.
    let mut games: BTreeMap<usize, Record> = BTreeMap::new();
    let mut log = open_log(plan, &mut games)?;
    let known: BTreeSet<usize> = games.keys().copied().collect();
    let all = plan.len().min(most);
    let missing = all - known.range(..all).count();
    let progress = Progress::new(conditions.progress, "games", all as u64, (all - missing) as u64);

    // The first game that `watch` has not seen.
    let mut unseen = 0;
    let mut see = |games: &BTreeMap<usize, Record>| {
        while let Some(record) = games.get(&unseen) {
            unseen += 1;
            if watch(record).is_break() {
                return Some(unseen);
            }
        }
        None
    };
    let mut decided = see(&games);
    let mut failed = None;
    let jobs = Jobs {
        what: "games of a contest",
        threads: conditions.threads.unwrap_or_else(cores).min(missing),
        job: &|number, enough| play_safely(plan, &plan.job(number), enough).transpose(),
        is_stopped: &|| conditions.stop.is_stopped(),
    };
    let mut to_play = (0..if decided.is_some() { 0 } else { all }).filter(|number| !known.contains(number));
    perform(&jobs, &mut to_play, &mut |number, result: Result<Record, ContestError>| {
        let logged = result.and_then(|record| {
            log.as_mut().map_or(Ok(()), |log| log.append(&record)).inspect_err(|_| log = None)?;
            games.insert(number, record);
            Ok(())
        });
        failed = failed.take().or(logged.err());
        progress.next();
        if failed.is_none() && decided.is_none() {
            decided = see(&games);
        }
        if failed.is_some() || decided.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    drop(progress);
    let played = on_first("the games of a contest", || {
        if let Some(error) = failed {
            return Err(error);
        }
        let ended = match games.len() {
            _ if decided.is_some() => Ended::Decided,
            played if played == plan.len() => Ended::Played,
            played if played >= all => Ended::Full,
            _ => Ended::Stopped,
        };
        // Which games were played beyond the decision depends on threads, so they are dropped; games from the
        // file are kept.
        let counted = decided.unwrap_or(all);
        games.retain(|number, _| *number < counted || known.contains(number));
        let (set_aside, unsorted) = log.map_or((None, None), |log| log.close(games.values()));
        games.retain(|number, _| *number < counted);
        let (resumed, records) = (known.range(..counted).count(), games.into_values().collect());
        Ok(PlayedGames { records, ended, resumed, set_aside, unsorted, time: begin.elapsed() })
    })?;
    if !is_first() {
        // `watch` takes the same course on all ranks.
        let numbers =
            played.records.iter().map(|record| plan.number(record.pairing as usize, record.game as usize));
        see(&numbers.zip(played.records.iter().cloned()).collect());
    }
    if played.ended == Ended::Stopped {
        // This contest used the request. A request after the last game remains for the next contest.
        conditions.stop.clear();
    }
    Ok(played)
}

/// Opens the results file, if there is one, and reads its games into `games`. The file and its games are
/// those of the first rank.
fn open_log<G: GameState>(
    plan: &Plan<'_, G>,
    games: &mut BTreeMap<usize, Record>,
) -> Result<Option<Log>, ContestError> {
    let (head, mut log) = (Head::of(plan), None);
    let of_first = on_first("the results file", || {
        if let Some(file) = &plan.conditions.results {
            log = Some(Log::open(file, head.clone(), plan, games)?);
        }
        Ok::<_, ContestError>(head.clone())
    })?;
    match of_first.difference(&head) {
        None => Ok(log),
        Some((what, there, here)) => {
            let [here, there] = [here, there].map(|value| format!("has the {what} {value}"));
            Err(RanksError::Differ { rank: 0, here, there }.into())
        }
    }
}

/// Plays a game; `None` if its result is no longer needed. A game that panics is an error, not a panic.
fn play_safely<G: GameState>(
    plan: &Plan<'_, G>,
    job: &Job,
    enough: &AtomicBool,
) -> Result<Option<Record>, ContestError> {
    catch_unwind(AssertUnwindSafe(|| play(plan, job, enough)))
        .unwrap_or_else(|panic| Err(ContestError::GamePanicked(message(&*panic))))
}

fn play<G: GameState>(
    plan: &Plan<'_, G>,
    job: &Job,
    enough: &AtomicBool,
) -> Result<Option<Record>, ContestError> {
    let conditions = plan.conditions;
    let group = job.group as u64;
    let mut opening = generator(conditions.seed, Use::Opening, &[group]);
    let (mut game, line) = Game::begin(plan.start, plan.seats() as u8, conditions.opening, &mut opening)?;
    let seat = |(player, &agent): (usize, &usize)| {
        let of = [job.pairing as u64, job.game as u64, player as u64];
        (&plan.agents[agent], seed(conditions.seed, Use::Agent, &of))
    };
    let seats: Vec<_> = job.seats.iter().enumerate().map(seat).collect();
    let mut luck = generator(conditions.seed, Use::Luck, &[group]);
    let ending = game.play(&seats, &line, &mut luck, || enough.load(Ordering::Relaxed))?;
    Ok(ending.map(|Ending { rewards, forfeit }| Record {
        pairing: job.pairing as u32,
        game: job.game as u32,
        seats: job.seats.clone(),
        opening: line.len() as u32,
        actions: game.actions,
        rewards,
        forfeit,
        choices: game.choices,
        // Microseconds are precise enough, and short to write.
        seconds: game.seconds.iter().map(|seconds| (seconds * 1e6).round() / 1e6).collect(),
    }))
}

#[cfg(test)]
mod tests {
    use super::{Plan, run_at_most};
    use crate::Recipe;
    use crate::contest::{Conditions, Ended};
    use core::ops::ControlFlow;
    use ramure_agents::{First, Random};
    use ramure_games::TicTacToe;

    #[test]
    fn a_contest_ends_when_no_more_games_fit() {
        let agents = [Recipe::new(|| First), Recipe::new(Random::default)];
        for (games, most, played, ended) in [
            (u32::MAX - 1, 6, 6, Ended::Full),
            (8, 7, 7, Ended::Full),
            (8, 8, 8, Ended::Played),
            (8, 9, 8, Ended::Played),
        ] {
            let conditions = Conditions::games(games).threads(2);
            let start = TicTacToe::new();
            let plan = Plan::new("match", &start, &agents, vec![vec![0, 1]], &conditions);
            let plan = Plan { may_end_early: true, ..plan };
            let result = run_at_most(&plan, most, |_| ControlFlow::Continue(())).expect("a contest");
            assert_eq!((result.records.len(), result.ended), (played, ended));
        }
    }
}

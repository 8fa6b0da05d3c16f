//! Contests: which agent plays when, what is counted, and that neither threads nor crashes change the result.

use crate::common::{nim, pig};
use ramure::SearchError;
use ramure::prelude::*;
use ramure::{CustomError, StopHandle};
use ramure_agents::{Agent, First, FlatMonteCarlo, MctsAgent, Random};
use ramure_games::connect4::Column;
use ramure_games::{Connect4, TicTacToe};
use ramure_lab::Recipe;
use ramure_lab::contest::{
    Conditions, ContestError, Ended, Match, MatchResult, Outcome, Record, ResultsFile, Sprt, Sweep, Verdict,
};
use ramure_lab::lines::FileError;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn first<G: GameState>() -> Recipe<G> {
    Recipe::new(|| First)
}

fn random<G: GameState>() -> Recipe<G> {
    Recipe::new(Random::default)
}

fn flat<G: GameState>(rollouts: u64) -> Recipe<G> {
    Recipe::new(move || FlatMonteCarlo::per_action(rollouts))
}

fn mcts<G: GameState + 'static>(iterations: u64) -> Recipe<G> {
    Recipe::new(move || {
        let budget = Budget::iterations(iterations);
        MctsAgent::new(format!("mcts:{iterations}"), budget, |state: &G, seed| {
            Mcts::new(state.clone()).seed(seed)
        })
    })
}

/// An agent made of one function.
struct By<F>(F);

impl<G: GameState, F: FnMut(&G) -> Result<G::Action, SearchError>> Agent<G> for By<F> {
    fn name(&self) -> String {
        "by function".into()
    }
    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        (self.0)(state)
    }
}

/// Returns a path of this name at which there is no file.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for end in ["", ".aside", ".new"] {
        let _ = fs::remove_file(format!("{}{end}", path.display()));
    }
    path
}

/// Returns the lines of a results file without the times.
fn without_times(path: &PathBuf) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.split(r#","seconds""#).next().unwrap().to_owned()).collect()
}

fn untimed(result: &MatchResult) -> Vec<Record> {
    let mut records = result.played.records.clone();
    records.iter_mut().for_each(|record| record.seconds.clear());
    records
}

#[test]
fn the_results_file_is_the_same_for_any_number_of_threads() {
    let files = [1, 2, 5].map(|threads| {
        let path = fresh(&format!("threads-{threads}.jsonl"));
        let conditions = Conditions::games(20).openings(3).seed(5).threads(threads);
        Sweep::new(Connect4::new(), "iterations", [10.0, 40.0, 160.0], |value| mcts(value as u64))
            .against([flat(2), random()])
            .run(&conditions.results(ResultsFile::create(&path)))
            .unwrap();
        without_times(&path)
    });
    assert_eq!(files[0].len(), 1 + 3 * 2 * 20);
    assert_eq!(files[0], files[1]);
    assert_eq!(files[0], files[2]);
}

#[test]
fn a_different_seed_plays_different_games() {
    let games = |seed| {
        let conditions = Conditions::games(10).seed(seed);
        untimed(&Match::new(Connect4::new(), [random(), random()]).run(&conditions).unwrap())
    };
    assert_eq!(games(1), games(1));
    assert_ne!(games(1), games(2));
}

#[test]
fn both_agents_start_equally_often_and_play_each_opening_from_both_seats() {
    let conditions = Conditions::games(40).openings(5);
    let result = Match::new(Connect4::new(), [flat(1), random()]).run(&conditions).unwrap();
    for (index, pair) in result.played.records.chunks(2).enumerate() {
        let [one, other] = pair else { panic!("half a pair") };
        assert_eq!((one.seats.as_slice(), other.seats.as_slice()), (&[0, 1][..], &[1, 0][..]));
        assert_eq!((one.game as usize, other.game as usize), (2 * index, 2 * index + 1));
        assert_eq!((one.opening, &one.actions[..5]), (5, &other.actions[..5]));
    }
    let openings: std::collections::HashSet<_> =
        result.played.records.iter().map(|record| record.actions[..5].to_vec()).collect();
    assert!(openings.len() > 15, "{} openings in 20 pairs", openings.len()); // of 16807 lines, two are rarely equal
}

#[test]
fn tallies_match_the_records() {
    let result = Match::new(TicTacToe::new(), [flat(1), random()]).run(&Conditions::games(100)).unwrap();
    for agent in 0..2 {
        let standing = &result.standings[agent];
        let mut outcomes = [0; 3];
        let (mut points, mut wins_as_first) = (0.0, 0);
        for record in &result.played.records {
            let seat = record.seats.iter().position(|&seated| seated == agent).unwrap();
            let outcome = record.outcome(seat as u8);
            outcomes[outcome as usize] += 1;
            points += record.rewards[seat];
            wins_as_first += u32::from(seat == 0 && outcome == Outcome::Win);
        }
        assert_eq!(outcomes, [standing.tally.losses, standing.tally.draws, standing.tally.wins]);
        assert_eq!(standing.by_seat[0].wins, wins_as_first);
        assert_eq!(standing.by_seat.iter().map(|tally| tally.games()).sum::<u32>(), 100);
        let score = standing.score.unwrap();
        assert!((score.value - points / 100.0).abs() < 1e-12);
        assert!(score.low < score.value && score.value < score.high);
    }
    assert_eq!(result.standings[0].tally.wins, result.standings[1].tally.losses);
}

#[test]
fn every_record_replays_under_its_own_rules_only() {
    let result =
        Match::new(Connect4::new(), [flat(1), random()]).run(&Conditions::games(20).openings(2)).unwrap();
    for record in &result.played.records {
        let mut state = Connect4::new();
        record.replay(&state).unwrap().into_iter().for_each(|column| state.apply(column));
        assert_eq!(state.turn(), Turn::Over);
        assert_eq!([state.reward(0), state.reward(1)], record.rewards[..]);
        assert!(record.replay(&TicTacToe::new()).is_err());
        let mut forged = record.clone();
        forged.actions.pop();
        assert!(forged.replay(&Connect4::new()).is_err());
    }
}

#[test]
fn identical_agents_are_even_and_the_starter_wins() {
    let result = Match::new(Connect4::new(), [first(), first()]).run(&Conditions::games(100)).unwrap();
    for standing in &result.standings {
        assert_eq!((standing.by_seat[0].wins, standing.by_seat[1].losses), (50, 50));
    }
}

#[test]
fn an_agent_that_fails_panics_or_cheats_loses_the_game_and_the_reason_is_recorded() {
    let cheat = || {
        By(|_: &Connect4| "0".parse::<Column>().map_err(|error| SearchError::Agent(CustomError::new(error))))
    };
    let fail = || By(|_: &Connect4| Err(SearchError::Agent("no idea".into())));
    let panics = || {
        By(
            |state: &Connect4| {
                if state.cell(0, 0).is_some() { panic!("help") } else { Ok("0".parse().unwrap()) }
            },
        )
    };
    let reasons = [Recipe::new(cheat), Recipe::new(fail), Recipe::new(panics)].map(|agent| {
        let result = Match::new(Connect4::new(), [agent, first()]).run(&Conditions::games(2)).unwrap();
        assert_eq!((result.standings[0].tally.losses, result.standings[1].tally.wins), (2, 2));
        let record = &result.played.records[1];
        let forfeit = record.forfeit.clone().unwrap();
        assert_eq!((forfeit.player, record.rewards[1], record.rewards[0]), (1, 0.0, 1.0));
        record.replay(&Connect4::new()).unwrap();
        assert!(result.to_string().contains(&forfeit.reason), "{result}");
        forfeit.reason
    });
    // Column 0 is full after six stones.
    assert_eq!(reasons[0], "0 is not legal here");
    assert_eq!(reasons[1..], ["no idea", "panicked: help"]);
}

/// Plays at random, and uses the handle at its `at`th action over all games.
fn interrupting(handle: &StopHandle, at: usize) -> Recipe<Connect4> {
    let (handle, count) = (handle.clone(), Arc::new(AtomicUsize::new(0)));
    Recipe::new(move || {
        let (handle, count, mut random) = (handle.clone(), count.clone(), Random::default());
        By(move |state: &Connect4| {
            if count.fetch_add(1, Ordering::Relaxed) == at {
                handle.stop();
            }
            random.choose(state)
        })
    })
}

#[test]
fn a_stopped_contest_resumes_where_it_stopped() {
    let agents = |handle: &StopHandle, at| [interrupting(handle, at), random()];
    let (path, whole) = (fresh("stopped.jsonl"), fresh("not-stopped.jsonl"));
    let handle = StopHandle::default();
    let conditions = |path| Conditions::games(60).seed(3).stop_handle(handle.clone()).results(path);

    let all = Match::new(Connect4::new(), agents(&handle, usize::MAX))
        .run(&conditions(ResultsFile::create(&whole)));
    let all = all.unwrap();
    assert_eq!((all.played.ended, all.played.records.len()), (Ended::Played, 60));

    let some = Match::new(Connect4::new(), agents(&handle, 200))
        .run(&conditions(ResultsFile::create(&path)))
        .unwrap();
    let played = some.played.records.len();
    assert_eq!(some.played.ended, Ended::Stopped);
    assert!((5..60).contains(&played), "{played} games");
    assert_eq!(without_times(&path).len(), 1 + played);

    let rest =
        Match::new(Connect4::new(), agents(&handle, usize::MAX)).run(&conditions(ResultsFile::resume(&path)));
    let rest = rest.unwrap();
    assert_eq!((rest.played.ended, rest.played.resumed), (Ended::Played, played));
    assert_eq!(without_times(&path), without_times(&whole));
    assert_eq!(rest.standings[0].tally, all.standings[0].tally);
}

#[test]
fn a_half_written_line_is_set_aside_and_its_game_is_replayed() {
    let (path, agents) = (fresh("half.jsonl"), [flat(2), random::<Connect4>()]);
    let conditions = |file| Conditions::games(10).results(file);
    Match::new(Connect4::new(), agents.clone()).run(&conditions(ResultsFile::create(&path))).unwrap();
    let whole = without_times(&path);
    let text = fs::read_to_string(&path).unwrap();
    // As after a crash, the last line is only half there. The third line is also damaged.
    let mut lines: Vec<&str> = text.lines().collect();
    lines[2] = "what is this?";
    let (last, rest) = lines.split_last().unwrap();
    let half = &last[..last.len() / 2];
    fs::write(&path, format!("{}\n{half}", rest.join("\n"))).unwrap();

    let result =
        Match::new(Connect4::new(), agents.clone()).run(&conditions(ResultsFile::resume(&path))).unwrap();
    let aside = result.played.set_aside.clone().unwrap();
    assert_eq!((aside.lines, result.played.resumed), (2, 8));
    assert_eq!(fs::read_to_string(&aside.path).unwrap(), format!("what is this?\n{half}\n"));
    assert!(result.to_string().contains("2 lines of the results file could not be read"), "{result}");
    assert_eq!(without_times(&path), whole);

    // Half of the first line is not a contest yet, and neither is an empty file.
    for begun in [&text[..20], ""] {
        fs::write(&path, begun).unwrap();
        Match::new(Connect4::new(), agents.clone()).run(&conditions(ResultsFile::resume(&path))).unwrap();
        assert_eq!(without_times(&path), whole);
    }
}

#[test]
fn a_resumed_contest_may_be_longer_but_not_different() {
    let path = fresh("longer.jsonl");
    let run = |agents: [Recipe<Connect4>; 2], conditions: Conditions| {
        Match::new(Connect4::new(), agents).run(&conditions.results(ResultsFile::resume(&path)))
    };
    run([flat(1), random()], Conditions::games(10)).unwrap();
    let longer = run([flat(1), random()], Conditions::games(30)).unwrap();
    assert_eq!((longer.played.resumed, longer.played.records.len()), (10, 30));
    let at_once = Match::new(Connect4::new(), [flat(1), random()]).run(&Conditions::games(30)).unwrap();
    assert_eq!(untimed(&longer), untimed(&at_once));

    let others = [
        run([flat(1), random()], Conditions::games(10)),
        run([flat(2), random()], Conditions::games(30)),
        run([flat(1), random()], Conditions::games(30).seed(1)),
        run([flat(1), random()], Conditions::games(30).openings(1)),
    ];
    for (other, different) in others.into_iter().zip(["number of games", "agents", "seed", "opening"]) {
        let error = other.unwrap_err();
        assert!(matches!(error, ContestError::OtherContest { .. }), "{error}");
        assert!(error.to_string().contains(different), "{error}");
    }
    let game = Match::new(TicTacToe::new(), [flat(1), random()])
        .run(&Conditions::games(30).results(ResultsFile::resume(&path)))
        .unwrap_err();
    assert!(
        game.to_string().contains(r#"the game: "ConnectFour<7, 6>" in the file, "TicTacToe" asked for"#),
        "{game}"
    );
}

#[test]
fn unusable_files_are_errors() {
    let agents = || [first::<TicTacToe>(), random()];
    let run = |file| Match::new(TicTacToe::new(), agents()).run(&Conditions::games(4).results(file));
    let path = fresh("there.jsonl");
    run(ResultsFile::create(&path)).unwrap();
    let before = fs::read_to_string(&path).unwrap();
    assert!(matches!(run(ResultsFile::create(&path)), Err(ContestError::File(FileError::Exists(_)))));
    assert_eq!(fs::read_to_string(&path).unwrap(), before);
    run(ResultsFile::replace(&path)).unwrap();
    assert_eq!(without_times(&path).len(), 5);

    let held = fs::OpenOptions::new().append(true).open(&path).unwrap();
    held.lock().unwrap();
    assert!(matches!(run(ResultsFile::replace(&path)), Err(ContestError::File(FileError::InUse(_)))));
    drop(held);

    let text = before.replace(r#""rewards":[1.0,0.0]"#, r#""rewards":[0.0,1.0]"#);
    assert_ne!(text, before);
    fs::write(&path, text).unwrap();
    assert!(matches!(run(ResultsFile::resume(&path)), Err(ContestError::OtherRules { .. })));

    fs::write(&path, "a letter to my aunt\n").unwrap();
    assert!(matches!(run(ResultsFile::resume(&path)), Err(ContestError::NotResults(_))));
    assert_eq!(fs::read_to_string(&path).unwrap(), "a letter to my aunt\n");

    let nowhere = path.join("below-a-file.jsonl");
    assert!(matches!(run(ResultsFile::create(nowhere)), Err(ContestError::File(FileError::System { .. }))));
    let folder = path.parent().unwrap();
    assert!(matches!(run(ResultsFile::replace(folder)), Err(ContestError::File(FileError::System { .. }))));
}

#[test]
fn invalid_contests_are_errors() {
    let run = |games| Match::new(TicTacToe::new(), [first(), random()]).run(&games);
    assert!(matches!(run(Conditions::games(0)), Err(ContestError::NoGames)));
    assert!(matches!(run(Conditions::games(5)), Err(ContestError::UnevenGames { games: 5, players: 2 })));
    assert!(matches!(run(Conditions::games(2).openings(10)), Err(ContestError::OpeningTooLong(10))));
    let alone = Match::new(TicTacToe::new(), [first()]).run(&Conditions::games(2));
    assert!(matches!(alone, Err(ContestError::Players { agents: 1, players: 2 })));
    let nobody = Sweep::new(TicTacToe::new(), "nothing", [], |_| first()).run(&Conditions::games(2));
    assert!(matches!(nobody, Err(ContestError::NobodyPlays)));
    let test =
        Match::new(TicTacToe::new(), [first(), random()]).test(&Conditions::games(2), Sprt::new(5.0, 0.0));
    assert!(matches!(test, Err(ContestError::Parameter(_))));
}

#[test]
fn a_test_ends_with_the_same_game_for_any_number_of_threads() {
    let run = |threads| {
        let path = fresh(&format!("sprt-{threads}.jsonl"));
        let conditions = Conditions::games(2000).threads(threads).results(ResultsFile::create(&path));
        let agents = [flat(3), flat(1)];
        let (result, test) =
            Match::new(Connect4::new(), agents).test(&conditions, Sprt::new(0.0, 60.0)).unwrap();
        assert_eq!(result.played.ended, Ended::Decided);
        (without_times(&path), test, untimed(&result))
    };
    let one = run(1);
    assert_eq!(one.1.verdict, Verdict::Accept);
    assert_eq!(one.1.groups as usize * 2, one.2.len());
    assert_eq!(one, run(4));
}

#[test]
fn a_test_that_runs_out_of_games_is_inconclusive() {
    let agents = [random(), random()];
    let test =
        Match::new(Connect4::new(), agents).test(&Conditions::games(10), Sprt::new(-5.0, 5.0)).unwrap();
    assert_eq!((test.1.verdict, test.0.played.ended), (Verdict::Inconclusive, Ended::Played));
}

#[test]
fn both_games_of_a_pair_have_the_same_chance_outcomes() {
    // `First` never rolls the die: it always holds.
    let result = Match::new(pig::Pig::new(10), [mcts(50), first()]).run(&Conditions::games(20)).unwrap();
    assert!(result.standings[0].tally.wins >= 18, "{result}"); // a player who never rolls can at best draw
    let rolls = Match::new(pig::Pig::new(6), [random(), random()]).run(&Conditions::games(60)).unwrap();
    let faces = |record: &Record| {
        let mut state = pig::Pig::new(6);
        let mut faces = Vec::new();
        for action in record.replay(&state).unwrap() {
            if state.turn() == Turn::Chance {
                faces.push(action);
            }
            state.apply(action);
        }
        faces
    };
    for pair in rolls.played.records.chunks(2) {
        let [one, other] = [faces(&pair[0]), faces(&pair[1])];
        let shorter = one.len().min(other.len());
        assert_eq!(one[..shorter], other[..shorter]);
    }
}

#[test]
fn three_agents_rotate_through_the_seats() {
    let agents = [flat(20), random(), first()];
    let result =
        Match::new(nim::Nim::<3> { sticks: 9, player: 0 }, agents).run(&Conditions::games(300)).unwrap();
    let seats: Vec<_> = result.played.records[..3].iter().map(|record| record.seats.clone()).collect();
    assert_eq!(seats, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    for standing in &result.standings {
        assert!(standing.by_seat.iter().all(|tally| tally.games() == 100));
    }
    let wins: u32 = result.standings.iter().map(|standing| standing.tally.wins).sum();
    assert_eq!(wins, 300);
    let failing: Recipe<nim::Nim<3>> = Recipe::new(|| By(|_: &_| Err(SearchError::Agent("asleep".into()))));
    let result = Match::new(nim::Nim::<3> { sticks: 9, player: 0 }, [failing, first(), first()])
        .run(&Conditions::games(3))
        .unwrap();
    assert!(result.played.records.iter().all(|record| record.rewards.iter().sum::<f64>() == 1.0));
    // The two others share first place: they have won together.
    let tallies = result.standings.iter().map(|standing| standing.tally.to_string());
    assert_eq!(tallies.collect::<Vec<_>>(), ["0-0-3", "3-0-0", "3-0-0"]);
}

#[test]
fn a_broken_game_ends_the_contest_and_earlier_games_are_kept() {
    use crate::common::bad::{Bad, Fault};
    let right = || Recipe::new(|| By(|_: &Bad| Ok(true)));
    let run = |fault, file| {
        let conditions = Conditions::games(2).threads(1).results(file);
        Match::new(Bad::new(fault, 2), [right(), right()]).run(&conditions).unwrap_err()
    };
    let path = fresh("bad.jsonl");
    let panicked = run(Fault::Panic, ResultsFile::create(&path));
    assert!(matches!(&panicked, ContestError::GamePanicked(_)), "{panicked}");
    let reward = run(Fault::Reward, ResultsFile::resume(&path));
    assert!(
        matches!(reward, ContestError::Game { fault: ramure::GameFault::Reward { .. }, ply: 10 }),
        "{reward}"
    );
}

#[test]
fn the_table_of_the_sources_has_cumulative_sums() {
    let sweep = Sweep::new(TicTacToe::new(), "rollouts", [1.0, 10.0], |value| flat(value as u64));
    let result = sweep.against([random()]).run(&Conditions::games(50)).unwrap();
    let text = result.to_source_csv(0);
    let rows: Vec<Vec<f64>> =
        text.lines().skip(1).map(|row| row.split(',').map(|cell| cell.parse().unwrap()).collect()).collect();
    for (row, point) in rows.iter().zip(&result.points) {
        let tally = point.agent().tally;
        let shares = [tally.wins, tally.losses, tally.draws].map(|count| f64::from(count) / 50.0);
        assert_eq!(row[..3], shares);
        assert!((row[3] - shares[0] - shares[1]).abs() < 1e-12 && (row[4] - 1.0).abs() < 1e-12);
        assert_eq!((row[6], row[7]), (50.0, point.value));
    }
    let tidy = result.to_csv();
    assert_eq!(tidy.lines().count(), 1 + 2 * 2);
    assert!(tidy.starts_with("value,agent,opponents,games,wins,draws,losses,"), "{tidy}");
}

#[test]
fn a_test_on_a_finished_contest_keeps_all_games_in_the_file() {
    let path = fresh("test-after-match.jsonl");
    let contest = Match::new(Connect4::new(), [flat(8), random()]);
    contest.run(&Conditions::games(200).results(ResultsFile::create(&path))).unwrap();
    let before = without_times(&path);
    let conditions = Conditions::games(200).results(ResultsFile::resume(&path));
    let (result, test) = contest.test(&conditions, Sprt::new(0.0, 100.0)).unwrap();
    assert_eq!(test.verdict, Verdict::Accept);
    let counted = result.played.records.len();
    assert!(counted < 100, "{counted}");
    assert_eq!((result.played.resumed, result.standings[0].tally.games() as usize), (counted, counted));
    assert_eq!(without_times(&path), before);
}

#[test]
fn a_test_accepts_more_games_than_fit_in_memory() {
    let contest = Match::new(Connect4::new(), [flat(8), random()]);
    let (result, _) = contest.test(&Conditions::games(u32::MAX - 1), Sprt::new(0.0, 200.0)).unwrap();
    assert_eq!(result.played.ended, Ended::Decided);
}

/// An agent that panics before its first action.
struct Panics(bool);

impl Agent<TicTacToe> for Panics {
    fn name(&self) -> String {
        "panics".into()
    }
    fn choose(&mut self, state: &TicTacToe) -> Result<<TicTacToe as GameState>::Action, SearchError> {
        First.choose(state)
    }
    fn new_game(&mut self, _: u64) {
        assert!(!self.0, "not today");
    }
    fn played(&mut self, _: <TicTacToe as GameState>::Action) {
        panic!("too much for me");
    }
}

#[test]
fn an_agent_that_panics_before_its_first_action_loses() {
    for (early, reason) in [(true, "panicked: not today"), (false, "panicked: too much for me")] {
        let agents = [first(), Recipe::new(move || Panics(early))];
        let result = Match::new(TicTacToe::new(), agents).run(&Conditions::games(2).openings(1)).unwrap();
        assert_eq!(result.standings[1].forfeits, [reason; 2]);
        assert_eq!(result.standings[0].tally.wins, 2);
    }
}

#[test]
fn a_stop_during_the_last_game_applies_to_the_next_contest() {
    let handle = StopHandle::default();
    let conditions = Conditions::games(2).threads(1).stop_handle(handle.clone());
    let first_action_of = |game: usize| Match::new(Connect4::new(), [interrupting(&handle, game), first()]);
    // It panics at its first action of the second game.
    let mut actions = 0;
    let plain =
        Match::new(Connect4::new(), [interrupting(&handle, usize::MAX), first()]).run(&conditions).unwrap();
    for record in &plain.played.records[..1] {
        actions += record.choices[record.seats.iter().position(|&agent| agent == 0).unwrap()] as usize;
    }
    let stopped = first_action_of(actions).run(&conditions).unwrap();
    assert_eq!(stopped.played.ended, Ended::Played);
    let next = Match::new(Connect4::new(), [random(), first()]).run(&conditions).unwrap();
    assert_eq!((next.played.ended, next.played.records.len()), (Ended::Stopped, 0));
    let after = Match::new(Connect4::new(), [random(), first()]).run(&conditions).unwrap();
    assert_eq!(after.played.ended, Ended::Played);
}

#[test]
fn identical_games_are_reported() {
    let result = Match::new(Connect4::new(), [first(), first()]).run(&Conditions::games(20)).unwrap();
    assert_eq!(result.played.different(), 2);
    assert!(result.to_string().contains("only 2 of them different"), "{result}");
    let result =
        Match::new(Connect4::new(), [random(), random()]).run(&Conditions::games(20).label("four")).unwrap();
    assert!(result.to_string().starts_with("four: 20 games\n"), "{result}");
}

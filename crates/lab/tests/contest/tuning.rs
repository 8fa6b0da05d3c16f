//! Tuning (`src/tuning`), on agents whose strength is known.

use ramure::SearchError;
use ramure::prelude::*;
use ramure::{Player, StopHandle};
use ramure_agents::{Agent, First};
use ramure_games::Connect4;
use ramure_lab::commands::AnyGame;
use ramure_lab::commands::any_game::Everything;
use ramure_lab::commands::compare::sweeps;
use ramure_lab::contest::{ContestError, Estimate};
use ramure_lab::lines::IfThere;
use ramure_lab::tuning::{
    Candidate, End, Playing, Point, Rounds, Tuner, Tuning, TuningError, halving, written,
};
use ramure_lab::{Recipe, Registry};
use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

/// Both players choose once, well or badly. The player with the better choice wins.
#[derive(Clone, Default, Debug)]
struct Duel {
    chosen: Vec<bool>,
}

impl GameState for Duel {
    type Action = bool;

    fn turn(&self) -> Turn {
        match self.chosen.len() {
            2 => Turn::Over,
            player => Turn::Player(player as u8),
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true]
    }

    fn apply(&mut self, well: bool) {
        self.chosen.push(well);
    }

    fn reward(&self, player: Player) -> f64 {
        match self.chosen[..] {
            [first, second] if first != second => f64::from(u8::from(self.chosen[usize::from(player)])),
            _ => 0.5,
        }
    }
}

/// An agent that chooses well with this probability.
struct Well {
    probability: f64,
    rng: Rng,
}

impl Agent<Duel> for Well {
    fn name(&self) -> String {
        format!("well:{}", self.probability)
    }
    fn choose(&mut self, _: &Duel) -> Result<bool, SearchError> {
        Ok(self.rng.unit() < self.probability)
    }
    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
    }
}

fn well(probability: f64) -> Recipe<Duel> {
    Recipe::new(move || Well { probability, rng: Rng::seeded(0) })
}

/// Returns the score of an agent that chooses well with this probability, against one that chooses well in
/// half of its games.
fn score_of(probability: f64) -> f64 {
    0.5 + (probability - 0.5) / 2.0
}

const VALUES: [f64; 8] = [0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4];

/// The probability with which the agent of this value chooses well: 0.4 is by far the best value.
fn strength(value: f64) -> f64 {
    if value == 0.4 { 0.95 } else { 0.55 - value / 20.0 }
}

fn candidates(strength: impl Fn(f64) -> f64) -> Vec<Candidate<Duel>> {
    VALUES.iter().map(|&value| Candidate { value, agent: well(strength(value)) }).collect()
}

/// The settings of a tuning.
#[derive(Clone)]
struct Settings {
    rounds: Rounds,
    playing: Playing,
}

fn settings(seed: u64) -> Settings {
    let rounds = Rounds { games: 40, left: 2, most_games: u64::MAX, fresh_games: 200 };
    Settings { rounds, playing: Playing { openings: 0, seed, threads: 2, ..Playing::default() } }
}

fn tune<G: GameState + Sync>(
    start: &G,
    candidates: Vec<Candidate<G>>,
    also: Option<Recipe<G>>,
    reference: &Recipe<G>,
    Settings { rounds, playing }: &Settings,
) -> Result<Tuning, TuningError> {
    halving(start, "value", candidates, also, reference, rounds, playing)
}

fn tuned(strength: impl Fn(f64) -> f64, settings: &Settings) -> Tuning {
    let also = well(strength(3.2));
    tune(&Duel::default(), candidates(strength), Some(also), &well(0.5), settings).expect("sound")
}

/// Settings with other rounds.
fn with(seed: u64, change: impl FnOnce(&mut Rounds)) -> Settings {
    let mut settings = settings(seed);
    change(&mut settings.rounds);
    settings
}

#[test]
fn tuning_finds_the_best_value() {
    // A game of the best value differs from a game of another value by .2 or more, with a standard deviation
    // of .45. In the last round, after 280 games each, that is seven standard deviations of the means. After
    // the first round, with 40 games, it is nearly three, and four other values must be ahead for a wrong
    // result. A seed fails with a probability below 1e-5.
    for seed in 0..20 {
        let tuning = tuned(strength, &settings(seed));
        assert_eq!((tuning.best().value, tuning.end), (Some(0.4), End::Few), "{seed}");
        assert_eq!(tuning.rounds, [8, 4, 2]);
        let left = tuning.rows.iter().filter(|row| row.dropped.is_none());
        for other in left.filter(|row| row.value != Some(0.4)) {
            assert!(tuning.lead_over(other).expect("both played").low > 0.0, "{seed}: {other:?}");
            assert!(tuning.as_good().all(|row| row.value != other.value));
        }
    }
}

#[test]
fn final_scores_and_their_intervals_match_the_expected_ones() {
    let tunings: Vec<Tuning> = (0..40).map(|seed| tuned(strength, &settings(seed))).collect();
    for (value, place) in [(0.4, 0), (3.2, 1)] {
        let scores: Vec<Estimate> =
            tunings.iter().map(|tuning| tuning.fresh[place].score.expect("it played")).collect();
        assert!(tunings.iter().all(|tuning| tuning.fresh[place].value == Some(value)));
        let expected = score_of(strength(value));
        // Each interval contains it with a probability of .95: fewer than 32 of 40 have a probability of
        // 2e-4.
        let held = scores.iter().filter(|score| score.low <= expected && expected <= score.high).count();
        assert!(held >= 32, "{value}: {held} of 40");
        // Over 8000 games, the mean has a standard deviation of .004 at most.
        let mean = scores.iter().map(|score| score.value).sum::<f64>() / 40.0;
        assert!((mean - expected).abs() < 0.016, "{value}: {mean}");
    }
}

#[test]
fn fresh_games_remove_the_bias_of_choosing_the_best() {
    let one_round = |seed| tuned(|_| 0.5, &with(seed, |rounds| rounds.left = 8));
    let tunings: Vec<Tuning> = (0..40).map(one_round).collect();
    let mean = |score: fn(&Tuning) -> Option<Estimate>| {
        tunings.iter().filter_map(score).map(|score| score.value).sum::<f64>() / 40.0
    };
    // The greatest of eight means over 40 games, each with a standard deviation of .056, is .08 too great on
    // average. The mean of 40 such maxima has a standard deviation of .006. Over the fresh games, 200 each,
    // it is .004.
    assert!(mean(|tuning| tuning.best().score) > 0.55);
    assert!((mean(|tuning| tuning.fresh[0].score) - 0.5).abs() < 0.016);
    assert!(tunings.iter().all(|tuning| tuning.rounds == [8] && tuning.end == End::Few));
}

#[test]
fn rounds_cost_the_same_and_scores_cover_all_rounds() {
    let tuning = tuned(strength, &settings(3));
    let mut played: Vec<_> = tuning.rows.iter().map(|row| (row.dropped, row.tally.games())).collect();
    played.sort_unstable();
    let after = |round| (Some(round), [0, 40, 120][round]);
    let expected = [(None, 280), (None, 280), after(1), after(1), after(1), after(1), after(2), after(2)];
    assert_eq!(played, expected);
    for row in &tuning.rows {
        let points = f64::from(row.tally.wins) + f64::from(row.tally.draws) / 2.0;
        let score = row.score.expect("it played").value;
        assert!((score - points / f64::from(row.tally.games())).abs() < 1e-12, "{row:?}");
    }
    assert_eq!(tuning.games(), 3 * 320 + 2 * 200);
    // A round that does not fit is not started, and no value is dropped for it.
    let spent = tuned(strength, &with(3, |rounds| rounds.most_games = 959));
    assert_eq!((&spent.rounds[..], spent.end), (&[8, 4][..], End::Spent));
    assert_eq!(spent.rows.iter().filter(|row| row.dropped.is_none()).count(), 4);
    assert_eq!(tuned(strength, &with(3, |rounds| rounds.most_games = 960)), tuning);
}

#[test]
fn the_number_of_threads_does_not_change_the_results() {
    let on = |threads| {
        let mut settings = settings(5);
        settings.playing.threads = threads;
        tuned(|value| 0.5 + value / 20.0, &settings)
    };
    let one = on(1);
    assert!([2, 3, 7].into_iter().all(|threads| on(threads) == one));
    assert_ne!(tuned(strength, &settings(6)), tuned(strength, &settings(7)), "the seed does");
}

/// Always plays the first action, and records the state of its first turn as the first player.
struct Watch(Arc<Mutex<Vec<String>>>, bool);

impl Agent<Connect4> for Watch {
    fn name(&self) -> String {
        "watch".into()
    }
    fn choose(&mut self, state: &Connect4) -> Result<<Connect4 as GameState>::Action, SearchError> {
        if std::mem::take(&mut self.1) && state.turn() == Turn::Player(0) {
            self.0.lock().expect("no panic").push(state.to_string());
        }
        First.choose(state)
    }
}

#[test]
fn each_round_has_its_own_openings() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let agent = |_| {
        let seen = Arc::clone(&seen);
        Recipe::new(move || Watch(Arc::clone(&seen), true))
    };
    let candidates = [1.0, 2.0].map(|value| Candidate { value, agent: agent(value) }).to_vec();
    let mut settings = with(1, |rounds| (rounds.games, rounds.fresh_games) = (20, 10));
    settings.playing.openings = 8;
    let first = Recipe::new(|| First);
    tune(&Connect4::new(), candidates, None, &first, &settings).expect("sound");
    let seen = seen.lock().expect("no panic");
    // Two values play ten games as the first player, and the better one five more. Of 7^8 lines of eight
    // actions, two of fifteen reach the same position with a probability below 1e-3.
    let distinct: HashSet<&String> = seen.iter().collect();
    assert_eq!((seen.len(), distinct.len()), (25, 15));
}

#[test]
fn a_stopped_tuning_reports_its_results_so_far() {
    let stop = StopHandle::default();
    stop.stop();
    let stoppable = || {
        let mut settings = settings(1);
        settings.playing.stop = stop.clone();
        settings
    };
    let nothing = tuned(strength, &stoppable());
    assert_eq!((nothing.end, nothing.games(), nothing.fresh.len()), (End::Stopped, 0, 0));
    assert!(nothing.rows.iter().all(|row| row.score.is_none() && row.dropped.is_none()));

    // The reference stops the tuning in its 400th game, in the second round, and in its 1000th, which is a
    // fresh game.
    let stopped_after = |games| {
        let (stopper, played) = (stop.clone(), Arc::new(AtomicU32::new(0)));
        let reference =
            Recipe::new(move || Stopper { after: games, played: Arc::clone(&played), stop: stopper.clone() });
        let mut settings = stoppable();
        settings.playing.threads = 1;
        tune(&Duel::default(), candidates(strength), None, &reference, &settings).expect("sound")
    };
    let tuning = stopped_after(400);
    assert_eq!((tuning.end, tuning.games(), &tuning.rounds[..]), (End::Stopped, 400, &[8, 4][..]));
    assert_eq!(tuning.rows.iter().filter(|row| row.dropped == Some(1)).count(), 4);
    assert!(tuning.rows.iter().all(|row| row.tally.games() >= 40 && row.score.is_some()));
    let tuning = stopped_after(1000);
    assert_eq!((tuning.end, tuning.games(), tuning.fresh[0].tally.games()), (End::Stopped, 1000, 40));
}

struct Stopper {
    after: u32,
    played: Arc<AtomicU32>,
    stop: StopHandle,
}

impl Agent<Duel> for Stopper {
    fn name(&self) -> String {
        "stopper".into()
    }
    fn choose(&mut self, _: &Duel) -> Result<bool, SearchError> {
        if self.played.fetch_add(1, Ordering::Relaxed) + 1 == self.after {
            self.stop.stop();
        }
        Ok(true)
    }
}

#[test]
fn an_agent_that_fails_loses_and_the_reason_is_recorded() {
    let mut candidates = candidates(strength);
    candidates[0].agent = Recipe::new(|| Fails);
    let tuning = tune(&Duel::default(), candidates, None, &well(0.5), &settings(2)).expect("sound");
    let row = &tuning.rows[0];
    assert_eq!((row.tally.losses, row.forfeits.len(), row.dropped), (40, 40, Some(1)));
    assert!(row.forfeits[0].contains("tired"), "{}", row.forfeits[0]);
}

struct Fails;

impl Agent<Duel> for Fails {
    fn name(&self) -> String {
        "fails".into()
    }
    fn choose(&mut self, _: &Duel) -> Result<bool, SearchError> {
        Err(SearchError::Agent("tired".into()))
    }
}

#[test]
fn invalid_tunings_are_errors_before_the_first_game() {
    let error = |candidates, settings: Settings| {
        let tuned = tune(&Duel::default(), candidates, None, &well(0.5), &settings);
        tuned.expect_err("no tuning").to_string()
    };
    let all = || candidates(strength);
    assert!(error(all()[..1].to_vec(), settings(1)).contains("two or more"));
    assert!(error([all(), all()].concat(), settings(1)).contains("0.05 appears twice"));
    assert!(error(all(), with(1, |rounds| rounds.games = 0)).contains("number of games is 0"));
    assert!(error(all(), with(1, |rounds| rounds.games = 7)).contains("multiple of 2"));
    assert!(error(all(), with(1, |rounds| rounds.fresh_games = 0)).contains("number of games is 0"));
    assert!(error(all(), with(1, |rounds| rounds.games = u32::MAX - 1)).contains("are more than"));
    assert!(error(all(), with(1, |rounds| rounds.most_games = 319)).contains("more than 319"));
    // A round, or the fresh games, with more games than a contest can hold.
    assert!(error(all(), with(1, |rounds| rounds.games = 1_000_000)).contains("at most 2000000"));
    assert!(error(all(), with(1, |rounds| rounds.fresh_games = 1_000_002)).contains("at most 2000000"));
}

#[test]
fn the_interval_of_a_difference_is_that_of_newcombe() {
    // Newcombe 1998, table II, method 10: 56 of 70 and 48 of 80, .2 [.0524, .3339]; 10 of 10 and 0 of 10, 1
    // [.6075, 1].
    let of = |(a, n), (b, m)| {
        let share = |hits: f64, cases| Estimate::wilson(hits, cases).expect("there are cases");
        let Estimate { value, low, high } = share(a, n).minus(share(b, m));
        [value, low, high].map(|number| (number * 1e4).round() / 1e4)
    };
    assert_eq!(of((56.0, 70), (48.0, 80)), [0.2, 0.0524, 0.3339]);
    assert_eq!(of((10.0, 10), (0.0, 10)), [1.0, 0.6075, 1.0]);
}

#[test]
fn values_are_inserted_into_the_text_of_an_agent() {
    let (parameter, swept) = sweeps::read("mcts:1000,c={0.1,1.4142135623730951},final=max").expect("a list");
    assert_eq!((parameter.as_str(), swept.len()), ("c", 2));
    assert_eq!(swept[0], (0.1, "mcts:1000,c=0.1,final=max".to_owned()));
    assert_eq!((written(swept[1].0), written(0.1)), ("sqrt 2".to_owned(), "0.1".to_owned()));
}

/// On Connect 4, plays well or badly for a whole game. Well means to fill a column of its own, which wins
/// unless the other player does so first.
struct Skilled {
    probability: f64,
    is_good: bool,
    turns: usize,
}

impl Agent<AnyGame> for Skilled {
    fn name(&self) -> String {
        "skilled".into()
    }
    fn choose(&mut self, state: &AnyGame) -> Result<<AnyGame as GameState>::Action, SearchError> {
        self.turns += 1;
        let column = match (state.turn(), self.is_good) {
            (Turn::Player(player), true) => usize::from(player),
            (Turn::Player(0), false) => [2, 4, 6][self.turns % 3],
            _ => [3, 5][self.turns % 2],
        };
        let actions: Vec<_> = state.actions().into_iter().collect();
        let own = actions.iter().find(|action| action.to_string() == column.to_string());
        Ok(*own.unwrap_or(&actions[0]))
    }
    fn new_game(&mut self, seed: u64) {
        (self.is_good, self.turns) = (Rng::seeded(seed).unit() < self.probability, 0);
    }
}

/// The probability of playing well: two parameters help only together.
fn skill(way: &str, size: f64, pace: f64) -> f64 {
    let of_way = match way {
        "b" => 0.1,
        "c" if size == 4.0 => 0.3,
        "c" if size == 2.0 => 0.15,
        "c" => -0.05,
        _ => 0.0,
    };
    0.5 + of_way + if pace < 2.0 { 0.05 * (2.0 - pace) } else { 0.0 }
}

/// The words of a game, and the agent `skilled` with 100 settings.
fn with_skilled() -> Everything {
    AnyGame::registry().with("skilled", "plays well with some probability", |p| {
        let way = p.choice("way", "", &["a", "b", "c", "d"])?;
        let (size, pace) = (p.number("size", "", 1.0, 0.0..)?, p.number("pace", "", 2.0, 0.0..)?);
        let probability = skill(way, size, pace);
        Ok(move || Skilled { probability, is_good: true, turns: 0 })
    })
}

fn tuner(games: u64, playing: &Playing) -> Tuner<AnyGame> {
    let start = AnyGame::read("connect4").expect("a game");
    let tuner = with_skilled().tuner(start, "skilled").expect("an agent");
    tuner.games(games).playing(Playing { openings: 0, threads: 2, ..playing.clone() })
}

fn seeded(seed: u64) -> Playing {
    Playing { seed, ..Playing::default() }
}

/// The probability of playing well of the agent with this text.
fn skill_of(agent: &str) -> f64 {
    let value = |name: &str| agent.split([',', ':']).find_map(|part| part.strip_prefix(name));
    let number = |name, default| value(name).map_or(default, |value| value.parse().expect("a number"));
    skill(value("way=").unwrap_or("a"), number("size=", 1.0), number("pace=", 2.0))
}

#[test]
fn the_search_of_all_settings_nearly_finds_the_best_one() {
    // The best setting plays well in .875 of its games, the default in .5, and 12 of the 100 in more than .65.
    // Of 400 other seeds, 373 found one of these: fewer than 7 of 10 have a probability below .004.
    let mut near = 0;
    for seed in 0..10 {
        let tuning = tuner(2000, &seeded(seed)).run().expect("a sound game");
        let best = tuning.best();
        near += u32::from(skill_of(&best.agent) > 0.65);
        assert!((1960..=2040).contains(&tuning.games()), "{}", tuning.games());
        assert_eq!((tuning.end, &tuning.rounds[..]), (End::Few, &[8, 4, 2][..]));
        // The program added this agent, so it has no code.
        assert_eq!((tuning.reference.as_str(), tuning.code.as_deref()), ("skilled", None));
        let fresh = tuning.fresh[0].score.expect("it played");
        assert_eq!(tuning.fresh[0].agent, best.agent);
        // Against an agent with .5, the score is half the probability and 1/4. The interval has three times
        // the width of one of 95 %: a seed fails with a probability below 1e-8.
        let (expected, width) = (skill_of(&best.agent) / 2.0 + 0.25, fresh.high - fresh.low);
        assert!((fresh.value - expected).abs() < 1.5 * width, "{seed}: {fresh} {expected}");
    }
    assert!(near >= 7, "{near} of 10");
}

#[test]
fn a_resumed_search_equals_one_that_was_not_stopped() {
    let folder = std::env::temp_dir().join(format!("ramure-tuning-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("tune.jsonl");
    let in_file = |if_there| Playing { file: Some((path.clone(), if_there)), ..seeded(4) };
    let whole = tuner(400, &seeded(4)).run().expect("a sound game");
    assert_eq!(tuner(400, &in_file(IfThere::Refuse)).run().expect("a new file"), whole);
    let text = std::fs::read(&path).expect("the file");
    let without_times = |text: &[u8]| {
        let lines = String::from_utf8_lossy(text).into_owned();
        lines
            .lines()
            .map(|line| line.split(",\"time\"").next().unwrap_or(line).to_owned())
            .collect::<Vec<_>>()
    };
    // It was killed after so many bytes.
    for end in (0..text.len()).step_by(text.len() / 7).chain([1, text.len()]) {
        std::fs::write(&path, &text[..end]).expect("a file");
        assert_eq!(tuner(400, &in_file(IfThere::Resume)).run().expect("it goes on"), whole, "{end}");
        assert_eq!(without_times(&std::fs::read(&path).expect("the file")), without_times(&text), "{end}");
    }
    // Another tuning, a damaged line, and a file of something else.
    let other = tuner(500, &in_file(IfThere::Resume)).run();
    assert!(matches!(other, Err(TuningError::Contest(ContestError::OtherContest { .. }))), "{other:?}");
    for damaged in [&b"[1]\n"[..], &[&text[..], b"[1]\n[2]\n"].concat()] {
        std::fs::write(&path, damaged).expect("a file");
        let other = tuner(400, &in_file(IfThere::Resume)).run();
        assert!(matches!(other, Err(TuningError::Contest(ContestError::NotResults(_)))), "{other:?}");
    }
    std::fs::remove_dir_all(&folder).expect("it is ours");
}

#[test]
fn a_stopped_search_keeps_what_it_found() {
    let playing = seeded(2);
    playing.stop.stop();
    let nothing = tuner(400, &playing).run().expect("a sound game");
    assert_eq!((nothing.end, nothing.games(), nothing.best().agent.as_str()), (End::Stopped, 0, "skilled"));
    // An agent of the game stops it in the search.
    let (stop, calls) = (playing.stop.clone(), Arc::new(AtomicU32::new(0)));
    let known = with_skilled().with("skilled", "stops after some games", move |p| {
        let pace = p.number("pace", "", 1.0, 0.0..)?;
        let (stop, calls) = (stop.clone(), Arc::clone(&calls));
        Ok(move || {
            if calls.fetch_add(1, Ordering::Relaxed) == 200 {
                stop.stop();
            }
            Skilled { probability: pace / 4.0, is_good: true, turns: 0 }
        })
    });
    let tuner = known.tuner(AnyGame::read("connect4").expect("a game"), "skilled").expect("an agent");
    let tuning = tuner.games(4000).playing(Playing { openings: 0, ..playing }).run().expect("a sound game");
    assert_eq!((tuning.end, tuning.fresh.len()), (End::Stopped, 0));
    assert!((10..=140).contains(&tuning.games()), "{}", tuning.games());
    assert!(tuning.best().score.is_some() && tuning.to_string().contains("stopped before the fresh games"));
}

#[test]
fn if_nothing_beats_the_default_the_table_says_so() {
    let known = with_skilled().with("skilled", "the default is the best", |p| {
        let pace = p.number("pace", "", 1.0, 0.0..)?;
        let probability = if pace == 1.0 { 0.9 } else { 0.1 };
        Ok(move || Skilled { probability, is_good: true, turns: 0 })
    });
    let start = || AnyGame::read("connect4").expect("a game");
    let tuner = || known.tuner(start(), "skilled").expect("an agent").games(600);
    // The others score .1: a wrong result has a probability below 1e-6.
    let tuning = tuner().playing(Playing { openings: 0, ..seeded(1) }).run().expect("a sound game");
    assert_eq!((tuning.best().agent.as_str(), tuning.fresh.len()), ("skilled", 0));
    assert!(tuning.to_string().contains("keep it"), "{tuning}");
    // An agent without settings has nothing but the default.
    let first = known.tuner(start(), "first").expect("an agent").games(20).run().expect("a sound game");
    assert_eq!(first.rows.len(), 1);
}

#[test]
fn the_search_by_text_knows_every_word_and_its_line_of_rust() {
    let playing = Playing { openings: 2, ..seeded(5) };
    let start = AnyGame::read("connect4:4x4").expect("a game");
    let tuner = AnyGame::registry().tuner(start, "mcts:8").expect("an agent");
    let tuning = tuner.games(200).playing(playing).run().expect("a sound game");
    let (settings, games) = tuning.searched.expect("it searched");
    assert!(settings > 20 && games >= 120, "{settings} {games}");
    assert!(tuning.rows.iter().all(|row| row.forfeits.is_empty()), "{tuning}");
    let code = tuning.code.clone().expect("all parts are of this crate");
    assert!(code.starts_with("Mcts::new(game).tree_policy("), "{code}");
    let text = tuning.to_string();
    assert!(text.contains(&format!("text: {}", tuning.best().agent)) && text.contains(&code), "{text}");
}

/// A game that breaks its contract: see [`Fault`].
#[derive(Clone)]
struct Faulty {
    fault: Fault,
    applied: u32,
}

#[derive(Clone)]
enum Fault {
    /// Panics in the game of this number.
    Panics(Arc<AtomicU32>, u32),
    Endless,
}

impl GameState for Faulty {
    type Action = bool;

    fn turn(&self) -> Turn {
        match (&self.fault, self.applied) {
            (Fault::Panics(..), 2) => Turn::Over,
            (_, applied) => Turn::Player((applied % 2) as u8),
        }
    }

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false]
    }

    fn apply(&mut self, _: bool) {
        self.applied += 1;
        if let (Fault::Panics(games, last), 2) = (&self.fault, self.applied) {
            assert!(games.fetch_add(1, Ordering::Relaxed) < *last, "the board is broken");
        }
    }

    fn reward(&self, _: Player) -> f64 {
        0.5
    }
}

#[test]
fn a_game_that_fails_is_an_error_that_has_what_was_found() {
    let tune_on = |fault| {
        let start = Faulty { fault, applied: 0 };
        let candidates = [1.0, 2.0].map(|value| Candidate { value, agent: Recipe::new(|| First) }).to_vec();
        let mut settings = settings(1);
        settings.playing.threads = 1;
        tune(&start, candidates, None, &Recipe::new(|| First), &settings).expect_err("a fault")
    };
    match tune_on(Fault::Panics(Arc::default(), 250)) {
        TuningError::Broken { found, source } => {
            assert!((160..=250).contains(&found.games()), "{}", found.games());
            assert!(source.to_string().contains("the board is broken"), "{source}");
        }
        other => panic!("{other}"),
    }
    let at_once = tune_on(Fault::Panics(Arc::default(), 0)).to_string();
    assert!(at_once.contains("the game panicked: the board is broken"), "{at_once}");
    let endless = tune_on(Fault::Endless).to_string();
    assert!(endless.contains("1000000 actions"), "{endless}");
    // The search of all settings has what it found, too. The agent `first` has no settings.
    let search_on = |fault| {
        let tuner = Tuner::new(Faulty { fault, applied: 0 }, &Registry::new(), "first").expect("an agent");
        let playing = Playing { openings: 0, threads: 1, ..seeded(1) };
        tuner.games(1_000).playing(playing).run().expect_err("a fault")
    };
    match search_on(Fault::Panics(Arc::default(), 250)) {
        TuningError::Broken { found, source } => {
            assert_eq!(found.searched.map(|(settings, _)| settings), Some(1), "{found}");
            assert!((200..=250).contains(&found.games()), "{}", found.games());
            assert!(source.to_string().contains("the board is broken"), "{source}");
        }
        other => panic!("{other}"),
    }
    let endless = search_on(Fault::Endless).to_string();
    assert!(endless.contains("1000000 actions"), "{endless}");
    // A fault that every search meets makes the reference fail, too.
    let reference = Recipe::new(|| Fails);
    let failed = tune(&Duel::default(), candidates(strength), None, &reference, &settings(1));
    assert!(matches!(failed, Err(TuningError::Reference { .. })), "{failed:?}");
}

#[test]
fn a_search_without_games_or_time_is_an_error() {
    let tuner = || tuner(0, &seeded(0));
    assert!(matches!(tuner().run(), Err(TuningError::Contest(ContestError::NoGames))));
    for minutes in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(tuner().minutes(minutes).run(), Err(TuningError::Setting(_))), "{minutes}");
    }
    let start = AnyGame::read("hex:3").expect("a game");
    assert!(with_skilled().tuner(start, "nothing").is_err());
}

/// The dimensions of a part of a search in a [`Space`](ramure_lab::tuning::Space), and the number of parts.
const OF_PART: usize = 5;
const PARTS: usize = 4;

#[test]
fn every_canonical_point_is_another_agent() {
    let mut space = AnyGame::registry().space("mcts:9").expect("a text");
    let (sizes, words) = (space.sizes(), AnyGame::registry().words());
    let of_words = [0, 1, 2, 3].map(|part| sizes[part * OF_PART]);
    assert_eq!(of_words, [words.policies.len(), words.rollouts.len(), words.backprops.len(), 1]);
    assert!(sizes[PARTS * OF_PART..].iter().all(|&size| size > 1), "every setting applies somewhere");
    let mut rng = Rng::seeded(1);
    for _ in 0..300 {
        let point: Point = sizes.iter().map(|&size| rng.below(size) as u8).collect();
        // Every combination of this crate's words is allowed.
        let point = space.canonical(point).expect("words that work together");
        let name = space.recipe(&point).expect("an agent").name().to_owned();
        assert_eq!(space.canonical(point.clone()), Some(point.clone()), "{name}");
        for dimension in (0..point.len()).filter(|&dimension| point[dimension] > 0) {
            let mut other = point.clone();
            other[dimension] = 0;
            let other = space.canonical(other).expect("words that work together");
            assert_ne!(space.recipe(&other).expect("an agent").name(), name);
        }
    }
}

#[test]
fn what_the_default_sets_stays_as_it_is() {
    let mut space = AnyGame::registry().space("mcts:9,policy=grave,expand=3,ref=7").expect("a text");
    let (sizes, mut rng) = (space.sizes(), Rng::seeded(2));
    assert_eq!(sizes[0], 1);
    for _ in 0..50 {
        let point = sizes.iter().map(|&size| rng.below(size) as u8).collect();
        let point = space.canonical(point).expect("words that work together");
        let name = space.recipe(&point).expect("an agent").name().to_owned();
        assert!(["policy=grave", "expand=3", "ref=7"].iter().all(|part| name.contains(part)), "{name}");
    }
}

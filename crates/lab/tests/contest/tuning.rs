//! The search for the best value of a parameter (`src/commands/tune.rs`), on agents whose strength is known.

use ramure::SearchError;
use ramure::agents::{Agent, First};
use ramure::games::Connect4;
use ramure::prelude::*;
use ramure::{Player, StopHandle};
use ramure_lab::Recipe;
use ramure_lab::commands::compare::sweeps;
use ramure_lab::commands::tune::{Candidate, End, Settings, Tuning, tune, written};
use ramure_lab::contest::Estimate;
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

fn settings(seed: u64) -> Settings {
    Settings {
        games: 40,
        left: 2,
        most_games: u64::MAX,
        fresh_games: 200,
        openings: 0,
        seed,
        threads: 2,
        stop: StopHandle::default(),
        progress: false,
    }
}

fn tuned(strength: impl Fn(f64) -> f64, settings: &Settings) -> Tuning {
    let also = Candidate { value: 3.2, agent: well(strength(3.2)) };
    tune(&Duel::default(), "value", candidates(strength), Some(also), &well(0.5), settings).expect("sound")
}

#[test]
fn tuning_finds_the_best_value() {
    // A game of the best value differs from a game of another value by .2 or more, with a standard deviation
    // of .45. In the last round, after 280 games each, that is seven standard deviations of the means. After
    // the first round, with 40 games, it is nearly three, and four other values must be ahead for a wrong
    // result. A seed fails with a probability below 1e-5.
    for seed in 0..20 {
        let tuning = tuned(strength, &settings(seed));
        assert_eq!((tuning.best().value, tuning.end), (0.4, End::Few), "{seed}");
        assert_eq!(tuning.rounds, [8, 4, 2]);
        let left = tuning.rows.iter().filter(|row| row.dropped.is_none());
        for other in left.filter(|row| row.value != 0.4) {
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
        assert!(tunings.iter().all(|tuning| tuning.fresh[place].value == value));
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
    let one_round = |seed| tuned(|_| 0.5, &Settings { left: 8, ..settings(seed) });
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
    let spent = tuned(strength, &Settings { most_games: 959, ..settings(3) });
    assert_eq!((&spent.rounds[..], spent.end), (&[8, 4][..], End::Spent));
    assert_eq!(spent.rows.iter().filter(|row| row.dropped.is_none()).count(), 4);
    assert_eq!(tuned(strength, &Settings { most_games: 960, ..settings(3) }), tuning);
}

#[test]
fn the_number_of_threads_does_not_change_the_results() {
    let with = |threads| tuned(|value| 0.5 + value / 20.0, &Settings { threads, ..settings(5) });
    let one = with(1);
    assert!([2, 3, 7].into_iter().all(|threads| with(threads) == one));
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
    let settings = Settings { games: 20, fresh_games: 10, openings: 8, ..settings(1) };
    let first = Recipe::new(|| First);
    tune(&Connect4::new(), "value", candidates, None, &first, &settings).expect("sound");
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
    let nothing = tuned(strength, &Settings { stop: stop.clone(), ..settings(1) });
    assert_eq!((nothing.end, nothing.games(), nothing.fresh.len()), (End::Stopped, 0, 0));
    assert!(nothing.rows.iter().all(|row| row.score.is_none() && row.dropped.is_none()));

    // The reference stops the tuning in its 400th game, in the second round, and in its 1000th, which is a
    // fresh game.
    let stopped_after = |games| {
        let (stopper, played) = (stop.clone(), Arc::new(AtomicU32::new(0)));
        let reference =
            Recipe::new(move || Stopper { after: games, played: Arc::clone(&played), stop: stopper.clone() });
        let settings = Settings { stop: stop.clone(), threads: 1, ..settings(1) };
        tune(&Duel::default(), "value", candidates(strength), None, &reference, &settings).expect("sound")
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
    let tuning = tune(&Duel::default(), "value", candidates, None, &well(0.5), &settings(2)).expect("sound");
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
        let tuned = tune(&Duel::default(), "value", candidates, None, &well(0.5), &settings);
        tuned.expect_err("no tuning").to_string()
    };
    let all = || candidates(strength);
    assert!(error(all()[..1].to_vec(), settings(1)).contains("two or more"));
    assert!(error([all(), all()].concat(), settings(1)).contains("0.05 appears twice"));
    assert!(error(all(), Settings { games: 0, ..settings(1) }).contains("number of games is 0"));
    assert!(error(all(), Settings { games: 7, ..settings(1) }).contains("multiple of 2"));
    assert!(error(all(), Settings { fresh_games: 0, ..settings(1) }).contains("number of games is 0"));
    assert!(error(all(), Settings { games: u32::MAX - 1, ..settings(1) }).contains("are more than"));
    assert!(error(all(), Settings { most_games: 319, ..settings(1) }).contains("more than 319"));
    // A round, or the fresh games, with more games than a contest can hold.
    assert!(error(all(), Settings { games: 1_000_000, ..settings(1) }).contains("at most 2000000"));
    assert!(error(all(), Settings { fresh_games: 1_000_002, ..settings(1) }).contains("at most 2000000"));
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

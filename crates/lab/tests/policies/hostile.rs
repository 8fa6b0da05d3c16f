//! Hostile games under all searches that a text can name. Whatever the game returns, the result is an error
//! or a report, never a panic, and earlier results remain.
//!
//! Each runs a few times here. With the environment variable `RAMURE_DEEP` set to a number, each runs that
//! many times as often (`.ci/deep`).

use crate::common::any::Any;
use crate::covering::{everything, members};
use crate::hostile_game::{Hostile, lie};
use crate::verdict::depth;
use ramure::{Budget, GameState, Report, Rng, SearchError, StaticEvaluation, Turn};
use ramure_agents::{Agent, Minimax};
use ramure_lab::Registry;

/// Checks the properties of any report, whatever the game returns.
fn is_sound(report: &Report<u8>) {
    let children: u64 = report.actions.iter().map(|action| u64::from(action.visits)).sum();
    assert!(children <= u64::from(report.root_visits) + 1, "{report}");
    for action in &report.actions {
        assert!((0.0..=1.0).contains(&action.mean), "{report}");
        assert!(action.proof.is_none_or(|proof| (0.0..=1.0).contains(&proof)), "{report}");
    }
    assert!(report.chosen.is_none_or(|chosen| chosen < report.actions.len()));
    let _ = report.to_string();
}

#[test]
fn every_search_returns_an_error_or_a_report_for_a_hostile_game() {
    let (known, members) = (everything(), members());
    let (mut errors, mut reports, mut games) = (0, 0, 0);
    for round in 0..2 * depth() {
        for (number, member) in (0..).zip(&members) {
            let seed = round * members.len() as u64 + number;
            lie(seed, 0);
            let start = Any::new(Hostile::default());
            let mut search = known.search(&member.text, start.clone(), seed).expect("it is well written");
            // Rare lies reach deep into a search. Frequent lies reach every line of the code around it.
            lie(seed, [2_000, 300, 40, 5][seed as usize % 4]);
            for step in 0..6 {
                match search.run(Budget::iterations(60)) {
                    Ok(report) => {
                        is_sound(&report);
                        reports += 1;
                        let action = report.try_best_action().unwrap_or((step % 3) as u8);
                        errors += u32::from(search.advance(action).is_err());
                    }
                    Err(SearchError::GameOver) => {
                        games += 1;
                        search.reset(start.clone());
                    }
                    Err(_) => errors += 1,
                }
                if let Ok(report) = search.report() {
                    is_sound(&report);
                }
            }
            // Once the game tells the truth, the search works as if nothing had happened.
            lie(0, 0);
            search.reset(start.clone());
            let report = search.run(Budget::iterations(30)).expect("the truth");
            is_sound(&report);
            assert!(report.iterations == 30 || report.proof.is_some(), "{}\n{report}", member.text);
        }
    }
    println!("{errors} errors, {reports} reports, {games} games over");
    assert!(errors > 300 && reports > 300, "{errors} {reports}");
}

#[test]
fn every_agent_returns_an_error_or_an_action_for_a_hostile_game() {
    let known: Registry<Any, _> = everything();
    let names = ["minimax:3", "alphabeta:4", "mc:30", "mcts:40,solver=yes", "random", "first"];
    let (mut errors, mut actions) = (0, 0);
    for seed in 0..200 * depth() {
        for name in names {
            lie(seed, 0);
            let mut agent = known.read(name).expect("it is well written").make();
            agent.new_game(seed);
            let mut state = Any::new(Hostile::default());
            lie(seed, [1_000, 100, 20, 5][seed as usize % 4]);
            for _ in 0..8 {
                match agent.choose(&state) {
                    Ok(action) => {
                        actions += 1;
                        state.apply(action);
                        agent.played(action);
                    }
                    Err(_) => errors += 1,
                }
            }
        }
        for players in [0, 3, 8, 9, 200, 255] {
            lie(0, 0);
            let crowd = Crowd { players };
            let result = Minimax::new(2).choose(&crowd);
            assert_eq!(result.is_ok(), (1..=8).contains(&players), "{players} players: {result:?}");
        }
    }
    println!("{errors} errors, {actions} actions");
    assert!(errors > 300 && actions > 300, "{errors} {actions}");
}

/// A game of this number of players, of whom the last has one action.
#[derive(Clone, Debug)]
struct Crowd {
    players: u8,
}

impl GameState for Crowd {
    type Action = u8;

    fn turn(&self) -> Turn {
        Turn::Player(self.players.saturating_sub(1))
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        [0]
    }
    fn apply(&mut self, _: u8) {}
    fn reward(&self, _: u8) -> f64 {
        0.5
    }
    fn players(&self) -> u8 {
        self.players
    }
}

impl StaticEvaluation for Crowd {
    fn evaluate(&self, _: u8) -> f64 {
        0.5
    }
}

/// Returns some mutations of `text`: a character removed, doubled, replaced or inserted, or two halves of two
/// texts.
fn spoilt(text: &str, other: &str, rng: &mut Rng) -> String {
    const BAD: [char; 16] =
        [',', ':', '=', '-', '.', '0', '9', 'e', ' ', '+', '\0', 'ü', '\u{202e}', '∞', '\n', '%'];
    let mut letters = Vec::from_iter(text.chars());
    for _ in 0..1 + rng.below(3) {
        let place = rng.below(letters.len() + 1);
        match rng.below(5) {
            0 if place < letters.len() => {
                letters.remove(place);
            }
            1 if place < letters.len() => letters.insert(place, letters[place]),
            2 if place < letters.len() => letters[place] = BAD[rng.below(BAD.len())],
            3 => {
                let rest = Vec::from_iter(other.chars());
                letters.truncate(place);
                letters.extend(&rest[rng.below(rest.len() + 1)..]);
            }
            _ => letters.insert(place, BAD[rng.below(BAD.len())]),
        }
    }
    letters.into_iter().collect()
}

#[test]
fn corrupted_texts_are_parsed_or_rejected_with_a_message() {
    let (known, members) = (everything(), members());
    let (mut rng, mut read, mut refused) = (Rng::seeded(1), 0, 0);
    for round in 0..4_000 * depth() {
        let [one, other] = [0, 1].map(|_| &members[rng.below(members.len())].text);
        let with_extras = format!("mcts:{},policy={}", 1 + round % 500, one.replacen(':', ",", 1));
        let text = spoilt(if round % 2 == 0 { one } else { &with_extras }, other, &mut rng);
        match known.read(&text) {
            Ok(recipe) => {
                read += 1;
                let name = recipe.name();
                let again = known.read(name).unwrap_or_else(|error| panic!("{text:?} is {name:?}: {error}"));
                assert_eq!(again.name(), name, "{text:?}");
            }
            Err(error) => {
                refused += 1;
                assert!(!error.to_string().is_empty());
            }
        }
    }
    println!("{read} read, {refused} refused");
    assert!(read > 20 && refused > 1_000, "{read} {refused}");
}

//! Searches of games with hidden information.
#![expect(clippy::disallowed_methods, reason = "a reference needs no reproducible logarithm")]

use crate::common::tricks::Tricks;
use crate::common::{draw, sized};
use ramure::prelude::*;
use ramure::search::InformationSet;
use ramure::selection::AvailabilityUcb1;
use ramure::{Expansion, GameFault, HiddenInformation};
use ramure_agents::{Agent, MctsAgent};
use std::collections::HashMap;

/// The cards of the other players in another order: the observer cannot tell this state from `state`.
fn alike(state: &Tricks, observer: Player, seed: u64) -> Tricks {
    let mut other = state.clone();
    other.determinize(observer, &mut Rng::seeded(seed));
    other
}

fn search(state: &Tricks, seed: u64) -> Mcts<InformationSet<Tricks>, AvailabilityUcb1> {
    Mcts::new(InformationSet::new(state.clone())).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
}

/// The visits of lines of one and two actions.
type Lines = HashMap<Vec<u8>, f64>;

fn lines(search: &mut impl Search<Space = InformationSet<Tricks>>, iterations: u32) -> Lines {
    search.run(Budget::iterations(iterations.into())).expect("a sound game");
    let mut lines = Lines::new();
    for first in search.actions_after(&[]) {
        lines.insert(vec![first.action], first.visits.into());
        for second in search.actions_after(&[first.action]) {
            lines.insert(vec![first.action, second.action], second.visits.into());
        }
    }
    lines
}

/// SO-ISMCTS as the paper's algorithm 2 has it, with a table of all lines of play.
fn by_the_paper(state: &Tricks, observer: Player, c: f64, iterations: u32, rng: &mut Rng) -> Lines {
    #[derive(Clone, Copy, Default)]
    struct Entry {
        visits: f64,
        sum: f64,
        available: f64,
    }
    let mut table: HashMap<Vec<u8>, Entry> = HashMap::new();
    for _ in 0..iterations {
        let mut guess = state.clone();
        guess.determinize(observer, rng);
        let (mut line, mut path, mut is_new) = (Vec::new(), Vec::new(), false);
        while guess.turn() != Turn::Over && !is_new {
            let actions: Vec<u8> = guess.actions().into_iter().collect();
            let after = |action: u8| [&line[..], &[action]].concat();
            let player = if let Turn::Player(player) = guess.turn() { Some(player) } else { None };
            let (tried, untried): (Vec<u8>, Vec<u8>) =
                actions.iter().partition(|&&action| table.contains_key(&after(action)));
            let action = if player.is_none() {
                actions[rng.below(actions.len())]
            } else if untried.is_empty() {
                let score = |action: u8| {
                    let entry = table[&after(action)];
                    entry.sum / entry.visits + c * (entry.available.ln() / entry.visits).sqrt()
                };
                let scores = tried.iter().map(|&action| (score(action), action));
                scores.reduce(|best, next| if next.0 > best.0 { next } else { best }).expect("an action").1
            } else {
                untried[rng.below(untried.len())]
            };
            is_new = untried.contains(&action);
            for sibling in tried.iter().filter(|&&sibling| sibling != action) {
                table.get_mut(&after(*sibling)).expect("tried").available += 1.0;
            }
            line.push(action);
            table.entry(line.clone()).or_default().available += 1.0;
            path.push((line.clone(), player));
            guess.apply(action);
        }
        while let Some(action) = draw(&guess, rng) {
            guess.apply(action);
        }
        for (line, player) in path {
            let entry = table.get_mut(&line).expect("on the path");
            entry.visits += 1.0;
            entry.sum += player.map_or(0.0, |player| guess.reward(player));
        }
    }
    table.retain(|line, _| line.len() <= 2);
    table.into_iter().map(|(line, entry)| (line, entry.visits)).collect()
}

/// Means of `runs` runs each are compared. If both have the same distribution, one of the some 100
/// comparisons is off by six standard errors in one of 5 million tests.
#[test]
fn it_is_so_ismcts_as_the_paper_has_it() {
    let (runs, games) = sized((80, 1), (3_000, 2));
    for (state, iterations) in
        [(Tricks::new(3, 3, 4), 200), (Tricks::new(2, 4, 1), 300)].into_iter().take(games)
    {
        let mut sums: HashMap<Vec<u8>, [[f64; 2]; 2]> = HashMap::new();
        for seed in 0..runs {
            let ours = lines(&mut search(&state, seed), iterations);
            let theirs = by_the_paper(&state, 0, 0.7, iterations, &mut Rng::seeded(seed ^ 0xF00));
            for (which, lines) in [ours, theirs].into_iter().enumerate() {
                for (line, visits) in lines {
                    let sum = &mut sums.entry(line).or_default()[which];
                    *sum = [sum[0] + visits, sum[1] + visits * visits];
                }
            }
        }
        let n = runs as f64;
        assert!(sums.len() > 30, "{}", sums.len());
        for (line, both) in sums {
            let [ours, theirs] = both.map(|[sum, squares]| (sum / n, squares / n - (sum / n) * (sum / n)));
            let error = ((ours.1 + theirs.1) / n).sqrt();
            assert!((ours.0 - theirs.0).abs() <= 6.0 * error, "{line:?}: {ours:?} {theirs:?} {error}");
        }
    }
}

/// Player 1 has a secret. Player 0 passes, and player 1 takes .5, or .2 if the secret allows it.
#[derive(Clone, Debug)]
struct Rare {
    secret: u8,
    played: Vec<u8>,
}

impl GameState for Rare {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played.len() == 2 { Turn::Over } else { Turn::Player(self.played.len() as u8) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..match self.played.len() {
            0 => 1,
            1 if self.secret == 0 => 4,
            1 => 2,
            _ => 0,
        }
    }
    fn apply(&mut self, action: u8) {
        assert!(self.is_legal(action));
        self.played.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        let taken = if self.played[1] < 2 { 0.5 } else { 0.2 };
        if player == 1 { taken } else { 1.0 - taken }
    }
}

impl HiddenInformation for Rare {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        assert_eq!(observer, 0);
        self.secret = rng.below(10) as u8;
    }
}

/// With the visits of the parent in the place of the availability, the bonus of a rare action after 2000
/// visits would be that of 2000, not of 200, and the rare actions would be chosen half as often again.
#[test]
fn rare_actions_are_explored_by_their_availability() {
    let mut search = Mcts::new(InformationSet::new(Rare { secret: 5, played: Vec::new() }))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .seed(5);
    search.run(Budget::iterations(2_000)).expect("a sound game");
    let root = search.tree().root().expect("a root");
    let pass = root.children().next().expect("a child");
    // The root's child is chosen in each iteration.
    assert_eq!((pass.visits(), pass.stats()), (2_000, 2_000));
    let replies = search.actions_after(&[0]);
    let visits = |action| replies.iter().find(|reply| reply.action == action).map_or(0, |reply| reply.visits);
    let rare = f64::from(visits(2) + visits(3));
    // The secret is 0 in 200 iterations, with a standard deviation of 13.
    let bonus = |available: f64, n: f64| 0.7 * (available.ln() / n).sqrt();
    let (often, seldom) = (bonus(2_000.0, 900.0), bonus(200.0, rare / 2.0));
    assert!((0.5 + often - 0.2 - seldom).abs() < 0.03, "{often} {seldom} {replies:?}");
}

/// The player may take .6, or bet on the colour of a hidden ball.
#[derive(Clone, Debug)]
pub struct Ball {
    pub is_red: bool,
    pub played: Vec<u8>,
}

impl GameState for Ball {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.played.first() == Some(&0) || self.played.len() == 2 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [1, bet] => f64::from(u8::from((bet == 1) == self.is_red)),
            _ => 0.6,
        }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl HiddenInformation for Ball {
    fn determinize(&mut self, _: Player, rng: &mut Rng) {
        self.is_red = rng.below(2) == 1;
    }
}

#[test]
fn the_search_does_not_assume_that_it_will_see_the_ball() {
    for is_red in [false, true] {
        let state = Ball { is_red, played: Vec::new() };
        let report = Mcts::new(InformationSet::new(state))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .run(Budget::iterations(20_000))
            .expect("sound");
        assert_eq!(report.best_action(), 0, "{report}");
        // 20 000 bets with a probability of a half each would have a standard error of .004; there are fewer.
        assert!((report.actions[1].mean - 0.5).abs() < 0.1, "{report}");
    }
}

/// One agent is shown the real states, the other only states that the player to move cannot tell from them.
/// Both play all seats.
#[test]
fn an_agent_observes_as_the_player_to_move() {
    let agent = || {
        let make = |state: &InformationSet<Tricks>, seed| {
            Mcts::new(state.clone()).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
        };
        MctsAgent::new("agent", Budget::iterations(150), make).without_tree_reuse()
    };
    for seed in 0..6 {
        let (mut sees, mut guesses) = (agent(), agent());
        let (mut state, mut rng) = (Tricks::new(2, 4, seed), Rng::seeded(seed));
        while let Some(action) = draw(&state, &mut rng) {
            if let Turn::Player(player) = state.turn() {
                let chosen = sees.choose(&state).expect("a sound game");
                let other = alike(&state, player, seed + 50);
                assert_eq!(guesses.choose(&other).expect("a sound game"), chosen, "{state:?}");
            }
            state.apply(action);
        }
    }
}

/// Player 0 moves, player 1 moves in secret if `hides`, and player 0 moves again.
#[derive(Clone, Debug)]
struct Secret {
    hides: bool,
    played: Vec<u8>,
}

impl GameState for Secret {
    type Action = u8;

    fn turn(&self) -> Turn {
        [Turn::Player(0), Turn::Player(1), Turn::Player(0), Turn::Over][self.played.len()]
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.played.len() == 3 { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        self.played.push(action);
    }
    fn reward(&self, player: Player) -> f64 {
        f64::from(u8::from((self.played[1] == self.played[2]) == (player == 0)))
    }
}

impl HiddenInformation for Secret {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        if self.hides && observer == 0 && self.played.len() > 1 {
            self.played[1] = rng.below(2) as u8;
        }
    }
    fn observe(&self, action: u8, observer: Player) -> Option<u8> {
        if self.hides && self.played.len() == 1 && observer == 0 { None } else { Some(action) }
    }
}

#[test]
fn an_agent_keeps_no_tree_after_an_action_that_it_has_not_seen() {
    for hides in [true, false] {
        let make = |state: &InformationSet<Secret>, seed| {
            Mcts::new(state.clone()).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
        };
        let mut agent = MctsAgent::new("agent", Budget::iterations(200), make);
        let mut state = Secret { hides, played: Vec::new() };
        let first = agent.choose(&state).expect("a sound game");
        for action in [first, 1] {
            state.apply(action);
            agent.played(action);
        }
        agent.choose(&state).expect("a sound game");
        let report = agent.report().expect("it has chosen");
        assert_eq!(report.root_visits == 200, hides, "{report}");
    }
}

/// A ball whose guess breaks the contract.
#[derive(Clone, Debug)]
struct Unsound(Ball, u8);

impl GameState for Unsound {
    type Action = u8;

    fn turn(&self) -> Turn {
        if self.1 == 11 { Turn::Chance } else { self.0.turn() }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        self.0.actions().into_iter().take(if self.1 == 12 { 1 } else { 2 })
    }
    fn apply(&mut self, action: u8) {
        self.0.apply(action);
    }
    fn reward(&self, player: Player) -> f64 {
        self.0.reward(player)
    }
    fn players(&self) -> u8 {
        if self.1 == 13 { 2 } else { 1 }
    }
}

impl HiddenInformation for Unsound {
    fn determinize(&mut self, _: Player, _: &mut Rng) {
        self.1 += 10;
    }
}

#[test]
fn an_unsound_guess_and_unfit_settings_are_errors() {
    let ball = || Ball { is_red: true, played: Vec::new() };
    for fault in 1..=3 {
        let mut search =
            Mcts::new(InformationSet::new(Unsound(ball(), fault))).tree_policy(AvailabilityUcb1::new(0.7));
        let error = search.run(Budget::iterations(10)).expect_err("an unsound guess");
        assert!(
            matches!(error, SearchError::Game { fault: GameFault::Determinization, ply: 0, .. }),
            "{error}"
        );
    }
    assert!(
        Mcts::new(InformationSet::new(Unsound(ball(), 4)))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .run(Budget::iterations(10))
            .is_ok()
    );
    let run = |expansion, c| {
        Mcts::new(InformationSet::new(ball()))
            .tree_policy(AvailabilityUcb1::new(c))
            .expansion(expansion)
            .run(Budget::iterations(9))
    };
    let error = run(Expansion::default().widening(1.0, 0.5), 0.7).expect_err("widening").to_string();
    assert_eq!(
        error,
        "Expansion::widening, scale is 1; it must be off for an `InformationSet` or an `OpenLoop`"
    );
    assert!(run(Expansion::default(), -1.0).is_err() && run(Expansion::default(), f32::NAN).is_err());
}

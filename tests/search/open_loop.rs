//! Open-loop searches: chance is no node of the tree.
#![expect(clippy::disallowed_methods, reason = "a reference needs no reproducible logarithm")]

use crate::common::oracle::Oracle;
use crate::common::pig::{HOLD, Pig, ROLL};
use crate::common::{draw, sized};
use ramure::GameFault;
use ramure::prelude::*;
use ramure::search::{OpenLoop, PlayerAction};
use ramure::selection::AvailabilityUcb1;
use std::collections::HashMap;

fn search(state: Pig, seed: u64) -> Mcts<OpenLoop<Pig>, AvailabilityUcb1> {
    Mcts::new(OpenLoop::new(state)).tree_policy(AvailabilityUcb1::new(0.7)).seed(seed)
}

/// The visits of lines of one and two actions.
type Lines = HashMap<Vec<PlayerAction<u8>>, f64>;

fn lines(state: Pig, seed: u64, iterations: u32) -> Lines {
    let mut search = search(state, seed);
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

/// Open-loop search with a table of all lines of play.
fn by_a_table(state: Pig, c: f64, iterations: u32, rng: &mut Rng) -> Lines {
    #[derive(Clone, Copy, Default)]
    struct Entry {
        visits: f64,
        sum: f64,
        available: f64,
    }
    let mut table: HashMap<Vec<PlayerAction<u8>>, Entry> = HashMap::new();
    for _ in 0..iterations {
        let (mut state, mut line, mut path, mut is_new) = (state, Vec::new(), Vec::new(), false);
        while let Turn::Player(player) = state.turn()
            && !is_new
        {
            let after = |action: u8| [&line[..], &[PlayerAction::by_player(player, action)]].concat();
            let (tried, untried): (Vec<u8>, Vec<u8>) =
                state.actions().into_iter().partition(|&action| table.contains_key(&after(action)));
            let score = |action: u8| {
                let entry = table[&after(action)];
                entry.sum / entry.visits + c * (entry.available.ln() / entry.visits).sqrt()
            };
            let best = tried.iter().copied().reduce(|a, b| if score(b) > score(a) { b } else { a });
            let action =
                if untried.is_empty() { best.expect("one") } else { untried[rng.below(untried.len())] };
            is_new = untried.contains(&action);
            for sibling in tried.iter().filter(|&&sibling| sibling != action) {
                table.get_mut(&after(*sibling)).expect("tried").available += 1.0;
            }
            line = after(action);
            table.entry(line.clone()).or_default().available += 1.0;
            path.push((line.clone(), player));
            state.apply(action);
            while state.turn() == Turn::Chance {
                state.apply(state.random_outcome(rng).expect("a sound game"));
            }
        }
        while let Some(action) = draw(&state, rng) {
            state.apply(action);
        }
        for (line, player) in path {
            let entry = table.get_mut(&line).expect("on the path");
            entry.visits += 1.0;
            entry.sum += state.reward(player);
        }
    }
    table.retain(|line, _| line.len() <= 2);
    table.into_iter().map(|(line, entry)| (line, entry.visits)).collect()
}

fn pig(banked: [u8; 2], pot: u8, player: u8, turns: u8) -> Pig {
    Pig { banked, pot, player, turns, rolling: false }
}

/// After a roll, chance decides who is to move. Means of `runs` runs each are compared. If both have the same
/// distribution, one of the some 10 comparisons is off by six standard errors in one of 50 million tests.
#[test]
fn it_is_a_search_with_a_table_of_lines() {
    let runs = sized(150, 5_000);
    let state = pig([5, 4], 3, 1, 3);
    let mut sums: HashMap<Vec<PlayerAction<u8>>, [[f64; 2]; 2]> = HashMap::new();
    for seed in 0..runs {
        let ours = lines(state, seed, 100);
        let theirs = by_a_table(state, 0.7, 100, &mut Rng::seeded(seed ^ 0xF00));
        for (which, lines) in [ours, theirs].into_iter().enumerate() {
            for (line, visits) in lines {
                let sum = &mut sums.entry(line).or_default()[which];
                *sum = [sum[0] + visits, sum[1] + visits * visits];
            }
        }
    }
    let n = runs as f64;
    // HOLD; ROLL; after HOLD two actions; after ROLL two for either player.
    assert_eq!(sums.len(), 8, "{:?}", sums.keys());
    for (line, both) in sums {
        let [ours, theirs] = both.map(|[sum, squares]| (sum / n, squares / n - (sum / n) * (sum / n)));
        let error = ((ours.1 + theirs.1) / n).sqrt();
        assert!((ours.0 - theirs.0).abs() <= 6.0 * error, "{line:?}: {ours:?} {theirs:?} {error}");
    }
}

#[test]
fn it_finds_the_best_action_where_closed_loops_do() {
    for state in [pig([6, 5], 0, 1, 1), pig([2, 6], 1, 0, 1), pig([5, 9], 2, 0, 2), pig([9, 4], 5, 0, 2)] {
        let mut oracle = Oracle::new();
        let (best, lead) = (oracle.best_actions(&state), oracle.lead(&state));
        assert!(lead > 0.05, "{state:?}: {lead}");
        let report = search(state, 1).run(Budget::iterations(sized(5_000, 100_000))).expect("a sound game");
        assert_eq!(vec![report.best_action().action], best, "{state:?}: {report}");
    }
}

#[test]
fn the_tree_is_kept_through_chance() {
    let mut search = search(pig([2, 3], 2, 0, 4), 3);
    let report = search.run(Budget::iterations(3_000)).expect("a sound game");
    let roll = PlayerAction::by_player(0, ROLL);
    let visits = report.actions.iter().find(|entry| entry.action == roll).expect("legal").visits;
    let root = search.tree().root().expect("a root");
    let shown: Vec<String> =
        root.children().map(|child| format!("{:?}", child.action().expect("a child"))).collect();
    assert!(shown.len() == 2 && shown.contains(&HOLD.to_string()), "{shown:?}");
    assert!(root.children().all(|child| child.children().count() == 2), "the views draw chance too");
    assert!(matches!(
        search.advance(PlayerAction::by_player(1, ROLL)),
        Err(SearchError::IllegalAction { .. })
    ));
    search.advance(roll).expect("legal");
    assert_eq!(search.run(Budget::iterations(10)).expect_err("chance is to move"), SearchError::ChanceToMove);
    let (lost, four) = (PlayerAction::by_chance(2), PlayerAction::by_chance(5));
    assert!(matches!(search.advance(PlayerAction::by_player(0, 5)), Err(SearchError::IllegalAction { .. })));
    for (outcome, player, is_told) in [(four, 0, false), (lost, 1, false), (four, 0, true)] {
        if is_told {
            let mut next = *search.state();
            next.apply(outcome.action);
            search.advance_to(outcome, OpenLoop::new(next)).expect("no iteration is pending");
        } else {
            search.advance(outcome).expect("a face");
        }
        let report = search.report().expect("kept");
        assert_eq!((report.root_visits, report.player), (visits, Some(player)));
        assert!(report.actions.iter().all(|entry| entry.action.player == Some(player) && entry.visits > 0));
        let after = search.run(Budget::iterations(100)).expect("a sound game");
        assert_eq!(after.root_visits, visits + 100);
        // Start again for the other outcome.
        search.reset(OpenLoop::new(pig([2, 3], 2, 0, 4)));
        search.set_seed(3);
        search.run(Budget::iterations(3_000)).expect("a sound game");
        search.advance(roll).expect("legal");
    }
}

/// The player may take .6, or bet on a colour that chance draws before the bet.
#[derive(Clone, Debug)]
struct Colours {
    fault: u8,
    played: Vec<u8>,
}

impl GameState for Colours {
    type Action = u8;

    fn turn(&self) -> Turn {
        match (self.played.len(), self.fault) {
            (2.., 3) => Turn::Chance,
            (1, _) if self.played[0] == 1 => Turn::Chance,
            (1 | 3, _) => Turn::Over,
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let none = self.turn() == Turn::Over || self.turn() == Turn::Chance && self.fault == 2;
        0..if none { 0 } else { 2 }
    }
    fn apply(&mut self, action: u8) {
        if self.played.len() < 3 {
            self.played.push(action);
        }
    }
    fn reward(&self, _: Player) -> f64 {
        match self.played[..] {
            [_, colour, bet] => f64::from(u8::from(colour == bet)),
            _ => 0.6,
        }
    }
    fn players(&self) -> u8 {
        1
    }
    fn probability(&self, _: u8) -> f64 {
        if self.fault == 1 { 0.25 } else { 0.5 }
    }
}

#[test]
fn a_plan_cannot_depend_on_what_chance_draws() {
    let state = Colours { fault: 0, played: Vec::new() };
    let report = Mcts::new(OpenLoop::new(state))
        .tree_policy(AvailabilityUcb1::new(0.7))
        .run(Budget::iterations(10_000))
        .expect("a sound game");
    assert_eq!(report.best_action().action, 0, "{report}");
    // At least 400 bets, with a standard error of .025.
    assert!(report.actions[1].visits > 400 && (report.actions[1].mean - 0.5).abs() < 0.1, "{report}");
}

#[test]
fn wrong_chance_is_an_error() {
    let run = |fault| {
        let state = Colours { fault, played: Vec::new() };
        Mcts::new(OpenLoop::new(state))
            .tree_policy(AvailabilityUcb1::new(0.7))
            .run(Budget::iterations(100))
            .expect_err("a wrong game")
    };
    let SearchError::Game { fault: GameFault::ProbabilitySum { sum: 0.5 }, ply: 1, .. } = run(1) else {
        panic!()
    };
    let SearchError::Game { fault: GameFault::NoActions, ply: 1, .. } = run(2) else { panic!() };
    let SearchError::Game { fault: GameFault::Endless { .. }, .. } = run(3) else { panic!("it ends") };
}

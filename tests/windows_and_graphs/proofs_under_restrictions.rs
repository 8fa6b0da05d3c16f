//! Proofs in graphs whose lines of play can return: what a report says is proven must hold for the root
//! actions that are allowed, and for the positions that the game has had.

use crate::common::hashed::mix;
use crate::common::{after, reachable, sized};
use ramure::backpropagation::ScoreBounds;
use ramure::prelude::*;
use ramure::search::Transpositions;
use ramure::{GameFault, Keyed, Player, RootActions};
use std::collections::HashSet;

/// The number of cells of a game.
const CELLS: u64 = 6;

/// A random game: each cell has two to four actions, and most of them lead to another cell, so most lines of
/// play can go on for ever. The others end the game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Ring {
    seed: u64,
    players: u8,
    /// Cells from `CELLS` on are ends: player 0 gets 0, 1/2 or 1.
    cell: u64,
}

impl Ring {
    fn hash(&self) -> u64 {
        mix(self.seed ^ mix(self.cell))
    }
}

impl GameState for Ring {
    type Action = u8;

    fn players(&self) -> u8 {
        self.players
    }
    fn turn(&self) -> Turn {
        let player = (self.hash() >> 8) % u64::from(self.players);
        if self.cell >= CELLS { Turn::Over } else { Turn::Player(player as Player) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.cell >= CELLS { 0 } else { 2 + (self.hash() >> 16) as u8 % 3 }
    }
    fn apply(&mut self, action: u8) {
        let hash = mix(self.hash() ^ (u64::from(action) + 1));
        self.cell = if hash % 10 < 7 { (hash >> 8) % CELLS } else { CELLS + (hash >> 8) % 3 };
    }
    fn reward(&self, player: Player) -> f64 {
        let reward = (self.cell - CELLS) as f64 / 2.0;
        if player == 0 { reward } else { 1.0 - reward }
    }
}

impl Keyed for Ring {
    fn key(&self) -> u128 {
        self.cell.into()
    }
    fn repetition_reward(&self, player: Player) -> f64 {
        f64::from(player)
    }
}

/// The states of a game, and those that the game has had: a line that comes to one of the latter is a
/// repetition, which proves nothing.
struct Exact {
    states: Vec<Ring>,
    had: HashSet<Ring>,
}

impl Exact {
    /// Finds all states that follow from `start`.
    fn of(start: Ring) -> Self {
        Exact { states: reachable(start), had: HashSet::from([start]) }
    }

    /// Returns the states from which the players of `choose` can force the game to end in a state for which
    /// `ends_well` holds, whatever the others do. This goes from the ends of the game backwards, so a line
    /// that never ends does not count.
    fn forced(&self, choose: impl Fn(Player) -> bool, ends_well: impl Fn(&Ring) -> bool) -> HashSet<Ring> {
        let mut found = HashSet::new();
        loop {
            let before = found.len();
            for state in self.states.iter().filter(|state| !self.had.contains(state)) {
                let mut next = state.actions().into_iter().map(|action| after(state, [action]));
                let is_forced = match state.turn() {
                    Turn::Over => ends_well(state),
                    Turn::Player(mover) if choose(mover) => next.any(|next| found.contains(&next)),
                    _ => next.all(|next| found.contains(&next)),
                };
                if is_forced {
                    found.insert(*state);
                }
            }
            if found.len() == before {
                return found;
            }
        }
    }

    /// Checks what a report says is proven. Returns how many proofs there were.
    fn check(&self, root: &Ring, report: &Report<u8>, permitted: &[u8], log: &[String]) -> usize {
        let player = report.player.unwrap();
        // No reward is below 0 or above 1, also where a line never ends.
        let at_least = |least: f64, next: &Ring| {
            let forced = || self.forced(|mover| mover == player, move |end| end.reward(player) >= least);
            least == 0.0 || forced().contains(next)
        };
        let at_most = |most: f64, next: &Ring| {
            let forced = || self.forced(|mover| mover != player, move |end| end.reward(player) <= most);
            most == 1.0 || forced().contains(next)
        };
        let mut count = 0;
        for entry in &report.actions {
            assert!(permitted.contains(&entry.action), "{log:?}: {report}");
            let Some(proof) = entry.proof else { continue };
            let next = after(root, [entry.action]);
            let holds = at_least(proof.into(), &next) && at_most(proof.into(), &next);
            assert!(holds, "{proof} by {} is not forced: {log:?}: {report}", entry.action);
            count += 1;
        }
        if let Some(proof) = report.proof {
            let next = Vec::from_iter(permitted.iter().map(|&action| after(root, [action])));
            let is_reached = next.iter().any(|next| at_least(proof.into(), next));
            assert!(is_reached, "{proof} is too much: {log:?}: {report}");
            let is_best = next.iter().all(|next| at_most(proof.into(), next));
            assert!(is_best, "{proof} is not all: {log:?}: {report}");
        }
        count
    }
}

type AnySearch = Box<dyn Search<Space = Transpositions<Ring>>>;

/// Restricts, lifts, runs and advances in a random order. Returns how many proofs were checked.
fn play(name: &str, start: Ring, mut search: AnySearch, seed: u64) -> usize {
    let (mut exact, mut root, mut count) = (Exact::of(start), start, 0);
    let mut rng = Rng::seeded(seed ^ 0x5EED);
    let (mut permitted, mut log) = (Vec::from_iter(root.actions()), vec![name.to_string()]);
    for _ in 0..12 {
        match rng.below(6) {
            0 | 1 => {
                let all = Vec::from_iter(root.actions());
                let named = Vec::from_iter(all.iter().copied().filter(|_| rng.below(2) == 0));
                let only = rng.below(2) == 0;
                let allows = |action: &u8| named.contains(action) == only;
                if all.iter().any(allows) {
                    permitted = all.into_iter().filter(allows).collect();
                    let actions = if only { RootActions::only(named) } else { RootActions::except(named) };
                    log.push(format!("{actions:?}"));
                    search.set_root_actions(actions);
                }
            }
            2 => {
                log.push(String::from("lift"));
                search.set_root_actions(RootActions::default());
                permitted = root.actions().into_iter().collect();
            }
            3 => {
                let all = Vec::from_iter(root.actions());
                let action = all[rng.below(all.len())];
                let next = after(&root, [action]);
                if next.turn() == Turn::Over {
                    continue;
                }
                log.push(format!("advance({action})"));
                search.advance(action).unwrap();
                root = next;
                exact.had.insert(root);
                permitted = root.actions().into_iter().collect();
            }
            _ => {
                let iterations = [1, 10, 60, 400][rng.below(4)];
                log.push(format!("run({iterations})"));
                match search.run(Budget::iterations(iterations)) {
                    // A ring that no action leaves.
                    Err(SearchError::Game { fault: GameFault::Endless { .. }, .. }) => return count,
                    other => count += exact.check(&root, &other.unwrap(), &permitted, &log),
                }
            }
        }
        count += match search.report() {
            Ok(report) => exact.check(&root, &report, &permitted, &log),
            Err(error) => panic!("{log:?}: {error}"),
        };
    }
    count
}

#[test]
fn what_is_proven_holds_under_the_restriction_and_the_line_in_force() {
    let mut proofs = 0;
    for seed in 0..sized(40, 4_000) {
        for players in [1, 2] {
            let start = Ring { seed, players, cell: 0 };
            let new = || Mcts::new(Transpositions::new(start)).seed(seed);
            let bounds = || new().backprop(ScoreBounds::new(Average));
            proofs += play("plain", start, Box::new(new()), seed);
            proofs += play("bounds", start, Box::new(bounds()), seed);
            proofs += play("window", start, Box::new(new().window(3)), seed);
            proofs += play("bounds, window", start, Box::new(bounds().window(2)), seed);
        }
    }
    assert!(proofs > sized(2_400, 240_000), "{proofs} proofs");
}

/// In the only room beside the root's, the only action leads back to the root. There one can win, too.
#[derive(Clone, Debug)]
struct Room(&'static str);

impl GameState for Room {
    type Action = &'static str;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if matches!(self.0, "win" | "lose") { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = &'static str> {
        match self.0 {
            "start" => vec!["win", "lose", "walk"],
            "walk" => vec!["start"],
            _ => vec![],
        }
    }
    fn apply(&mut self, action: &'static str) {
        self.0 = action;
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(u8::from(self.0 == "win"))
    }
}

impl Keyed for Room {
    fn key(&self) -> u128 {
        ramure::hash_key(self.0)
    }
    fn repetition_reward(&self, _: Player) -> f64 {
        0.0
    }
}

#[test]
fn a_win_that_is_forbidden_is_not_proven_by_a_line_back_to_the_root() {
    let mut search = Mcts::new(Transpositions::new(Room("start")));
    assert_eq!(search.run(Budget::iterations(1_000)).unwrap().proof, Some(1.0));
    search.set_root_actions(RootActions::except(["win"]));
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!(report.proof, None, "{report}");
    let walk = report.actions.iter().find(|entry| entry.action == "walk").unwrap();
    assert!(walk.proof.is_none() && walk.mean < 0.01, "{report}");
    // With the restriction lifted, the root is what it was, and so is the line back.
    search.set_root_actions(RootActions::default());
    let report = search.run(Budget::iterations(1_000)).unwrap();
    assert_eq!((report.proof, report.best_action()), (Some(1.0), "win"), "{report}");
    assert_eq!(report.actions[2].proof, None, "{report}");
}

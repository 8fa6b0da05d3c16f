//! Saved searches of graphs: what no search made is refused, and deep graphs. (That a loaded search goes on as if
//! it had not been interrupted is a law of the random programs.)

use crate::common::sized;
use crate::saved::timeless;
use ramure::backpropagation::*;
use ramure::prelude::*;
use ramure::saved::FileError;
use ramure::search::{MirrorImages, Transpositions};
use ramure::simulation::*;
use ramure::{Expansion, Keyed, Rewards};
use ramure_games::TicTacToe;

fn graph() -> Mcts<Transpositions<TicTacToe>> {
    Mcts::new(Transpositions::new(TicTacToe::new())).seed(5)
}

#[test]
fn a_graph_is_no_tree_and_a_tree_is_no_graph() {
    let (mut search, mut file) = (graph(), Vec::new());
    search.run(Budget::iterations(50)).unwrap();
    search.save_to(&mut file).unwrap();
    let error = Mcts::new(TicTacToe::new()).seed(5).load_from(&file[..]).unwrap_err();
    assert!(matches!(error, FileError::Different { .. }), "{error}");
    let mut mirrored = Mcts::new(MirrorImages::new(TicTacToe::new()));
    assert!(matches!(mirrored.load_from(&file[..]), Err(FileError::Different { .. })));
    graph().load_from(&file[..]).unwrap();
}

/// A token on a torus, which may walk for ever. The game ends after a number of steps that the key does not
/// have. No search of this size comes so far, but a way through the graph does.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
struct Walk {
    place: (u8, u8),
    steps: u32,
}

impl Walk {
    const SIZE: u8 = 24;
    const MOST: u32 = 60;
}

impl GameState for Walk {
    type Action = u8;
    fn turn(&self) -> Turn {
        let is_over = self.place == (12, 12) || self.steps >= Self::MOST;
        if is_over { Turn::Over } else { Turn::Player((self.steps % 2) as u8) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.turn() == Turn::Over { 0 } else { 4 }
    }
    fn apply(&mut self, action: u8) {
        self.steps += 1;
        let (x, y) = &mut self.place;
        let at = if action < 2 { x } else { y };
        *at = (*at + if action.is_multiple_of(2) { 1 } else { Self::SIZE - 1 }) % Self::SIZE;
    }
    fn reward(&self, player: u8) -> f64 {
        match self.place {
            (12, 12) => f64::from(u8::from(player == 0)),
            _ => 0.5,
        }
    }
}

impl Keyed for Walk {
    fn key(&self) -> u128 {
        ramure::hash_key(&(self.place, self.steps % 2))
    }
}

#[test]
fn a_file_is_checked_along_short_lines_of_play() {
    let new = || Mcts::new(Transpositions::new(Walk { place: (0, 0), steps: 0 })).seed(1);
    let (mut search, mut file) = (new(), Vec::new());
    let report = search.run(Budget::iterations(sized(6_000, 100_000))).unwrap();
    assert!(report.nodes > 200 && report.depth < 60, "{report}");
    search.save_to(&mut file).unwrap();
    new().load_from(&file[..]).unwrap();
}

/// A game of one action, again and again.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Shaft {
    left: u32,
}

impl GameState for Shaft {
    type Action = ();
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = ()> {
        (self.left > 0).then_some(())
    }
    fn apply(&mut self, (): ()) {
        self.left -= 1;
    }
    fn reward(&self, _: ramure::Player) -> f64 {
        0.75
    }
    fn players(&self) -> u8 {
        1
    }
}

impl Keyed for Shaft {
    fn key(&self) -> u128 {
        self.left.into()
    }
}

/// Nothing goes down a graph by recursion, and no step takes longer because it is deep.
#[test]
fn a_graph_as_deep_as_a_long_game_is_searched_saved_and_given_up() {
    let depth = sized(500, 20_000);
    let new = || {
        let search = Mcts::new(Transpositions::new(Shaft { left: depth })).backprop(Solver::new(Average));
        search
            .rollout_policy(Evaluate::by(|_: &Shaft, _, _| Rewards::new(1, |_| 0.25)))
            .expansion(Expansion::default().on_visit(1))
    };
    let mut search = new();
    let report = search.run(Budget::iterations(u64::from(depth) - 1)).unwrap();
    assert_eq!((report.depth, report.principal_variation.len()), (depth - 1, depth as usize - 1));
    let mut file = Vec::new();
    search.save_to(&mut file).unwrap();
    let mut copy = new();
    copy.load_from(&file[..]).unwrap();
    for search in [&mut search, &mut copy] {
        for _ in 0..depth / 2 {
            search.advance(()).unwrap();
        }
    }
    assert_eq!(timeless(&copy.report().unwrap()), timeless(&search.report().unwrap()));
    assert_eq!(search.report().unwrap().nodes, (depth - depth / 2) as usize);
    search.reset(Transpositions::new(Shaft { left: 10 }));
    assert!(search.run(Budget::iterations(3)).unwrap().nodes < 10);
}

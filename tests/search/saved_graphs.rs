//! Saved searches of graphs: load and run equals the uninterrupted run, and a graph that no search made is
//! refused.

use crate::common::layered::Layered;
use crate::common::{draw, sized, with_priors};
use crate::saved::{goes_on, timeless};
use ramure::backpropagation::*;
use ramure::prelude::*;
use ramure::saved::FileError;
use ramure::search::{MirrorImages, Transpositions};
use ramure::selection::*;
use ramure::simulation::*;
use ramure::{ActionIndex, Bytes, Expansion, Keyed, Rewards, Rng};
use ramure_games::{Connect4, TicTacToe, tic_tac_toe};

fn graph() -> Mcts<Transpositions<TicTacToe>> {
    Mcts::new(Transpositions::new(TicTacToe::new())).seed(5)
}

/// A preference for the first cells.
fn prior(_: &TicTacToe, cell: tic_tac_toe::Cell) -> f32 {
    1.0 + f32::from(TicTacToe::action_index(cell) as u8)
}

/// What policies and backpropagations store lies at actions and at positions.
#[test]
fn every_kind_of_statistics_goes_on_as_if_it_had_not_been_interrupted() {
    goes_on("defaults", graph);
    goes_on("proofs", || graph().backprop(Solver::new(MaxBackup)));
    goes_on("score bounds", || graph().tree_policy(KlUcb::default()).backprop(ScoreBounds::new(Average)));
    goes_on("variances", || graph().tree_policy(Ucb1Tuned::default()).backprop(RecencyWeighted::new(0.1)));
    goes_on("amaf", || graph().tree_policy(Grave::default()).rollout_policy(Mast::default()));
    goes_on("deviations", || graph().tree_policy(BayesUct::default()).backprop(BayesBackup));
    goes_on("priors", || graph().rollout_policy(with_priors(prior)).tree_policy(Puct::default()));
    goes_on("bonus", || graph().backprop(RelativeBonus::new(1.4, 0.25, Average)));
}

#[test]
fn every_kind_of_game_goes_on_as_if_it_had_not_been_interrupted() {
    goes_on("mirror images", || {
        Mcts::new(MirrorImages::new(TicTacToe::new())).backprop(Solver::new(Average)).seed(2)
    });
    goes_on("Connect 4", || Mcts::new(MirrorImages::new(Connect4::new())).seed(2));
    for seed in 0..sized(6, 200) {
        goes_on("layers", || Mcts::new(Transpositions::new(Layered::new(seed, 2, 7, 4))).seed(seed));
        goes_on("three players", || Mcts::new(Transpositions::new(Layered::new(seed, 3, 7, 4))).seed(seed));
        let chance = Layered::new(seed, 2, 7, 4).with_chance();
        if chance.turn() != Turn::Chance {
            goes_on("chance", || Mcts::new(Transpositions::new(chance)).seed(seed));
        }
    }
}

/// Saves a search and goes on with the copy and with the original. Returns how many nodes were recycled.
fn both_go_on<G>(new: impl Fn() -> Mcts<Transpositions<G>>, iterations: u64) -> u64
where
    G: Keyed + serde::Serialize + serde::de::DeserializeOwned,
    G::Action: serde::Serialize + serde::de::DeserializeOwned,
{
    let saved = |search: &mut Mcts<Transpositions<G>>| {
        let mut file = Vec::new();
        search.save_to(&mut file).unwrap();
        file
    };
    let (mut search, mut rng, mut recycled) = (new(), Rng::seeded(1), 0);
    while search.state().turn() != Turn::Over {
        search.run(Budget::iterations(iterations)).unwrap();
        let file = saved(&mut search);
        let mut copy = new();
        copy.resume_from(&file[..]).unwrap();
        assert!(saved(&mut copy) == file, "the file of a search that was loaded is another one");
        let reports =
            [&mut search, &mut copy].map(|search| search.run(Budget::iterations(iterations)).unwrap());
        assert_eq!(timeless(&reports[0]), timeless(&reports[1]));
        recycled += reports[0].recycled_nodes;
        let action = draw(search.state(), &mut rng).unwrap();
        search.advance(action.clone()).unwrap();
        copy.advance(action).unwrap();
        search.run(Budget::iterations(iterations)).ok();
        copy.run(Budget::iterations(iterations)).ok();
        assert!(saved(&mut copy) == saved(&mut search));
        search = copy;
    }
    recycled
}

/// With rings, a search keeps positions that the root no longer leads to until it is saved.
#[test]
fn a_graph_with_rings_goes_on_as_the_search_that_was_saved() {
    for seed in 0..sized(20, 500) {
        let state = Layered::new(seed, 2, 5, 6).with_rings();
        let new = || Mcts::new(Transpositions::new(state)).seed(seed);
        let (mut search, mut moves) = (new(), 0);
        let mut rng = Rng::seeded(seed);
        while search.state().turn() != Turn::Over && moves < 12 {
            moves += 1;
            search.run(Budget::iterations(150)).unwrap();
            let mut file = Vec::new();
            search.save_to(&mut file).unwrap();
            let mut copy = new();
            copy.resume_from(&file[..]).unwrap();
            let reports = [&mut search, &mut copy].map(|search| search.run(Budget::iterations(100)).unwrap());
            assert_eq!(timeless(&reports[0]), timeless(&reports[1]));
            let action = draw(search.state(), &mut rng).unwrap();
            copy.advance(action).unwrap();
            search = copy;
        }
    }
}

/// At the limit, the next iterations depend on the free blocks, on the free positions, and on the position
/// that recycling has reached.
#[test]
fn a_graph_at_its_memory_limit_goes_on_as_the_search_that_was_saved() {
    for &kib in sized(&[80][..], &[160, 2_000]) {
        let limit = Bytes::kib(kib);
        let new = || Mcts::new(Transpositions::new(Connect4::new())).memory_limit(limit).seed(3);
        assert!(both_go_on(new, sized(400, 30_000)) > 0, "the graph was never full");
    }
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

#[test]
fn a_graph_with_a_window_goes_on_as_if_it_had_not_been_interrupted() {
    let new = || graph().window(5);
    let (mut whole, mut interrupted) = (new(), new());
    for iterations in [53, 40, 20] {
        let found = interrupted.run(Budget::iterations(iterations)).unwrap();
        assert_eq!(timeless(&found), timeless(&whole.run(Budget::iterations(iterations)).unwrap()));
        let mut file = Vec::new();
        interrupted.save_to(&mut file).unwrap();
        interrupted = new();
        interrupted.resume_from(&file[..]).unwrap();
        whole.advance(found.best_action()).unwrap();
        interrupted.advance(found.best_action()).unwrap();
    }
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

/// `advance_to` takes any state, even one that does not follow from the action. The graph then begins again
/// there.
#[test]
fn a_graph_that_goes_on_elsewhere_is_saved_too() {
    let mut search = graph();
    search.run(Budget::iterations(200)).unwrap();
    let elsewhere = {
        let mut state = *search.state();
        for action in search.state().actions().into_iter().take(2).collect::<Vec<_>>() {
            state.apply(action);
        }
        state
    };
    let action = search.report().unwrap().best_action();
    search.advance_to(action, Transpositions::new(elsewhere)).expect("no iteration is pending");
    let mut file = Vec::new();
    search.save_to(&mut file).unwrap();
    let mut copy = graph();
    copy.resume_from(&file[..]).unwrap();
    let reports = [&mut search, &mut copy].map(|search| search.run(Budget::iterations(100)).unwrap());
    assert_eq!(timeless(&reports[0]), timeless(&reports[1]));
    assert!(reports[0].actions.len() == 7, "{}", reports[0]);
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

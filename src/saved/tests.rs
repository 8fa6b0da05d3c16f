//! Tests of saved searches that look into the tree or into the file.

use crate::backpropagation::{
    Average, Backprop, BayesBackup, MaxBackup, RecencyWeighted, RelativeBonus, ScoreBounds, Solver,
};
use crate::game::in_a_row::{Five, Four, Three};
use crate::run::budget::{Budget, Bytes, StopReason};
use crate::run::error::SearchError;
use crate::saved::sections::{damage, resign};
use crate::saved::{FileError, Loaded, Save};
use crate::search::engine::window::Window;
use crate::search::engine::{Advance, Engine, Run};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::selection::{AvailabilityUcb1, Exp3, Grave, Puct, Shot, TreePolicy, Ucb1, Ucb1Tuned};
use crate::simulation::{Nst, Uniform, WithPriors};
use crate::space::Space;
use crate::space::information_set::InformationSet;
use crate::space::transpositions::{MirrorImages, Transpositions};
use crate::{GameState, HiddenInformation, Player, Rng, Turn, sized};

/// A search without proofs, which goes on at its memory limit.
type Averaging<S> = Mcts<S, Ucb1, Uniform, Average>;

fn run<S: Space>(search: &mut Averaging<S>, iterations: u64) -> String {
    let report = search.run(Budget::iterations(iterations)).expect("a sound game");
    format!("{:?} {} {} {}", report.actions, report.nodes, report.bytes, report.recycled_nodes)
}

fn saved<S, P, R, B, E>(search: &mut Mcts<S, P, R, B, E>) -> Vec<u8>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    E: Engine<S, P, R, B, Trees: Save>,
{
    let mut file = Vec::new();
    search.save_to(&mut file).expect("it can be written");
    file
}

/// At the limit, the next iterations depend on the free blocks, on the block that recycling has reached, and
/// on the room of each chunk.
#[test]
fn a_search_at_its_memory_limit_goes_on_as_if_it_had_not_been_interrupted() {
    let mut recycling = 0;
    for (limit, fill) in [(Bytes(20_000), 400), (Bytes(60_000), 1_500)] {
        let new = || Mcts::new(Four::new()).backprop(Average).memory_limit(limit).seed(3);
        let (mut whole, mut interrupted) = (new(), new());
        for moment in 0..sized(340, 20_000) {
            let iterations = if moment == 0 { fill } else { 1 };
            let found = run(&mut interrupted, iterations);
            assert_eq!(run(&mut whole, iterations), found, "moment {moment}, limit {limit:?}");
            if moment % 400 == 300 {
                let action = whole.report().expect("a sound game").best_action();
                whole.advance(action).expect("it is legal");
                interrupted.advance(action).expect("it is legal");
                if whole.state().turn() == crate::Turn::Over {
                    break;
                }
            }
            recycling += usize::from(whole.trees.tree.is_recycling());
            if moment % if whole.trees.tree.has_work() { 4 } else { 50 } != 0 {
                continue;
            }
            let file = saved(&mut interrupted);
            assert_eq!(file, saved(&mut whole), "moment {moment}, limit {limit:?}");
            interrupted = new();
            interrupted.resume_from(&file[..]).expect("it was saved by the same search");
            assert_eq!(saved(&mut interrupted), file);
        }
    }
    assert!(recycling > 1, "{recycling} times while recycling");
}

#[test]
fn a_tree_loads_below_its_memory_limit_or_not_at_all() {
    let mut search = Mcts::new(Four::new()).backprop(Average).seed(3);
    let iterations = sized(800, 3_000);
    run(&mut search, iterations);
    let (file, bytes) = (saved(&mut search), search.memory_usage().0);
    let load = |limit| {
        let mut other = Mcts::new(Four::new()).backprop(Average).memory_limit(Bytes(limit));
        other.load_from(&file[..]).map(|()| other.memory_usage().0)
    };
    // The tables of a store that grows are a little longer than those of one that is full.
    let (mut below, mut least) = (bytes / 2, 2 * bytes);
    while least - below > 1 {
        let limit = (below + least) / 2;
        *if load(limit).is_ok() { &mut least } else { &mut below } = limit;
    }
    assert!((bytes..bytes + 2_000).contains(&least), "{least} for {bytes}");
    assert_eq!(load(least), Ok(bytes));
    for limit in [0, 1, bytes / 2, least - 1] {
        assert_eq!(load(limit), Err(FileError::MemoryLimit { limit }));
    }
    // While a search loads a tree, there are two trees.
    let mut busy = Mcts::new(Four::new()).backprop(Average).seed(3).memory_limit(Bytes(3 * bytes / 2));
    run(&mut busy, iterations);
    let before = saved(&mut busy);
    assert!(matches!(busy.load_from(&file[..]), Err(FileError::MemoryLimit { .. })));
    assert_eq!(saved(&mut busy), before);
}

/// Damages files and corrects their checksums. Each file is refused, or gives a search that goes on without a
/// panic.
struct Fuzz<N> {
    new: N,
    draws: Rng,
    refused: usize,
    accepted: usize,
}

impl<S, P, R, B, N> Fuzz<N>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    OneTree<S, P, R, B>: Save + Run<S> + Advance<S>,
    N: Fn() -> Mcts<S, P, R, B>,
{
    fn on(new: N, file: &[u8], trials: usize) -> Self {
        let mut fuzz = Fuzz { new, draws: Rng::seeded(5), refused: 0, accepted: 0 };
        for _ in 0..trials {
            let mut file = file.to_vec();
            for _ in 0..1 + fuzz.draws.below(2) {
                damage(&mut file, 12, &mut fuzz.draws);
            }
            resign(&mut file);
            fuzz.try_file(&file);
        }
        fuzz
    }

    fn try_file(&mut self, file: &[u8]) {
        let mut search = (self.new)();
        if search.resume_from(file).is_err() {
            self.refused += 1;
            return;
        }
        self.accepted += 1;
        self.reload(&mut search);
        for _ in 0..2 {
            // In a damaged root state, the game may be over.
            if let Ok(report) = search.run(Budget::iterations(8))
                && let Ok(action) = report.try_best_action()
            {
                search.advance(action).expect("it is legal");
            }
        }
        self.reload(&mut search);
    }

    /// A loaded search can be saved and loaded again, and is then the same.
    fn reload(&self, search: &mut Mcts<S, P, R, B>) {
        let file = saved(search);
        let mut other = (self.new)();
        other.resume_from(&file[..]).expect("it was saved by a search");
        assert!(file == saved(&mut other), "the file of a search that was loaded is another one");
    }
}

/// Runs a search until it recycles, if it ever does so for longer than an iteration, and saves it.
fn full<S, P, R, B>(mut search: Mcts<S, P, R, B>) -> Vec<u8>
where
    S: Space,
    P: TreePolicy<S::Game>,
    B: Backprop<S::Game>,
    OneTree<S, P, R, B>: Save + Run<S>,
{
    for _ in 0..3_000 {
        if search.trees.tree.is_recycling() && search.trees.tree.has_cut_off() {
            break;
        }
        let has_room = 10 * search.memory_usage().0 < 9 * search.trees.memory_limit;
        search.run(Budget::iterations(if has_room { 20 } else { 1 })).expect("a sound game");
    }
    saved(&mut search)
}

#[test]
fn damaged_files_with_right_checksums_are_refused_or_do_no_harm() {
    let (few, trials) = sized((15, 150), (100_000, 1_000_000));
    let new = || Mcts::new(Three::new()).backprop(Average).seed(1);
    let mut small = new();
    run(&mut small, 12);
    let plain = Fuzz::on(new, &saved(&mut small), trials);
    let trials = few;
    let learning = || {
        let search = Mcts::new(Three::new()).memory_limit(Bytes(20_000)).rollout_policy(Nst::default());
        search.tree_policy(Grave::default()).backprop(Solver::new(MaxBackup))
    };
    let learning = Fuzz::on(learning, &full(learning()), trials);
    let planning = || {
        let search = Mcts::new(Four::new()).memory_limit(Bytes(12_000));
        search.tree_policy(Shot::new()).backprop(ScoreBounds::new(Average))
    };
    let planning = Fuzz::on(planning, &full(planning()), trials);
    // A graph whose positions have several links, and a full one with free positions.
    let sharing = || Mcts::new(MirrorImages::new(Three::new())).backprop(Solver::new(Average)).seed(1);
    let mut search = sharing();
    search.run(Budget::iterations(80)).expect("a sound game");
    let sharing = Fuzz::on(sharing, &saved(&mut search), trials);
    let crowded = || Mcts::new(Transpositions::new(Four::new())).memory_limit(Bytes(160_000)).seed(1);
    let crowded = Fuzz::on(crowded, &full(crowded()), trials);
    let trying = || {
        let search = Mcts::new(Three::new()).tree_policy(Exp3::default()).seed(1);
        search.backprop(RecencyWeighted::new(0.1))
    };
    let mut search = trying();
    search.run(Budget::iterations(200)).expect("a sound game");
    let trying = Fuzz::on(trying, &saved(&mut search), few);
    let looking = || {
        let search = Mcts::new(Four::new()).tree_policy(Ucb1Tuned::default()).seed(1);
        search.backprop(RelativeBonus::new(1.4, 0.25, BayesBackup)).memory_limit(Bytes(20_000))
    };
    let looking = Fuzz::on(looking, &full(looking()), few);
    // Many actions, some of which have no child yet.
    let wide = || Mcts::new(Five::new()).backprop(Average).seed(1);
    let mut search = wide();
    search.run(Budget::iterations(60)).expect("a sound game");
    let wide = Fuzz::on(wide, &saved(&mut search), few);
    for (name, refused, accepted) in [
        ("trying", trying.refused, trying.accepted),
        ("looking", looking.refused, looking.accepted),
        ("wide", wide.refused, wide.accepted),
        ("plain", plain.refused, plain.accepted),
        ("learning", learning.refused, learning.accepted),
        ("planning", planning.refused, planning.accepted),
        ("sharing", sharing.refused, sharing.accepted),
        ("crowded", crowded.refused, crowded.accepted),
    ] {
        assert!(
            refused > trials / 10 && accepted > trials / 20,
            "{name}: {refused} refused, {accepted} accepted"
        );
    }
}

/// The checksum of each section covers its number, so sections cannot change places.
#[test]
fn every_byte_counts() {
    let new = || Mcts::new(Three::new()).backprop(Average).seed(1);
    let mut search = new();
    run(&mut search, 12);
    let file = saved(&mut search);
    let mut other = new();
    run(&mut other, 30);
    let before = saved(&mut other);
    for length in 0..file.len() {
        let error = other.load_from(&file[..length]).expect_err("it is incomplete");
        assert!(matches!(error, FileError::Incomplete { .. }), "{length} bytes: {error}");
    }
    for at in 0..file.len() {
        for bit in if at % 16 == 0 { 0..8 } else { at % 8..at % 8 + 1 } {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            assert!(other.load_from(&damaged[..]).is_err(), "byte {at}, bit {bit}");
        }
    }
    assert_eq!(saved(&mut other), before, "a search that loads nothing stays as it was");
    // A reader may hold more than the file.
    let two = [&file[..], &file[..]].concat();
    let mut rest = &two[..];
    other.load_from(&mut rest).expect("it is complete");
    assert_eq!((rest, saved(&mut other)), (&file[..], file.clone()));
}

/// Pending iterations of a window hold visits without rewards, which no file may contain.
#[test]
fn a_window_is_finished_before_it_is_saved() {
    let centre = |_: &Four, column: u8| f32::from(column);
    let new = || -> Mcts<_, _, _, _, Window> {
        let search = Mcts::new(Four::new()).tree_policy(Puct::default());
        search.rollout_policy(WithPriors::new(Uniform, centre)).window(4)
    };
    let mut search = new();
    search.run(Budget::iterations(100)).expect("a sound game");
    search.plan(50);
    assert!(search.ask().expect("a sound game").is_some() && search.ask().expect("a sound game").is_some());
    let file = saved(&mut search);
    let mut other = new();
    other.load_from(&file[..]).expect("it was saved by the same search");
    let ask = |search: &mut Mcts<_, _, _, _, Window>| {
        format!("{:?}", search.run(Budget::iterations(100)).map(|report| report.actions))
    };
    assert_eq!(ask(&mut other), ask(&mut search));
}

#[test]
fn a_variance_that_is_not_a_number_is_refused() {
    let new = || Mcts::new(Three::new()).tree_policy(Ucb1Tuned::default());
    let mut search = new();
    search.run(Budget::iterations(20)).expect("a sound game");
    let node =
        search.trees.tree.children_of(search.trees.tree.root().link()).next().expect("the root has children");
    let mut stats = node.stats();
    stats.variance = f32::NAN;
    node.set_stats(stats);
    let file = saved(&mut search);
    let error = new().load_from(&file[..]).expect_err("it has no variance");
    assert_eq!(
        error.to_string(),
        "the file is invalid, in the tree: the statistics of a node are not those of a search"
    );
}

#[allow(dead_code, reason = "it only has to compile")]
fn what_is_loaded_can_be_sent(loaded: Loaded<Three, crate::selection::Ucb1, Uniform, Average>) -> impl Send {
    loaded
}

/// A game may panic at an action that is not legal, so a file must not contain one.
#[test]
fn actions_that_break_the_rules_are_refused() {
    type Damage = fn(&mut Averaging<Three>);
    let damages: [(Damage, &str); 4] = [
        (
            |search| {
                let mut children = search.trees.tree.children_of(search.trees.tree.root().link());
                let child = children.find(|child| child.link() != 0).expect("it has grandchildren");
                let grandchild = search.trees.tree.children_of(child.link()).next().expect("it has children");
                grandchild.set_action(child.action());
            },
            "an action is not legal",
        ),
        (
            |search| {
                let mut children = search.trees.tree.children_of(search.trees.tree.root().link());
                let (first, second) = (children.next(), children.next());
                let (first, second) = (first.expect("a child"), second.expect("another child"));
                second.set_action(first.action());
            },
            "a node has two children with the same action",
        ),
        (
            |search| {
                let tree = &search.trees.tree;
                let grown = tree.children_of(tree.root().link()).filter(|child| child.link() != 0);
                let partial = grown.map(|child| tree.block(child.link())).find(|last| last.used() < 8);
                partial.expect("most nodes have four children").set_complete();
            },
            "a node that lacks children is marked as complete",
        ),
        (
            |search| {
                let (game, mut draws) = (&mut search.trees.space, Rng::seeded(1));
                while let Some(action) = game.random_action(&mut draws) {
                    game.apply(action);
                }
            },
            "a node has children although the game is over",
        ),
    ];
    for (damage, flaw) in damages {
        let mut search = Mcts::new(Three::new()).backprop(Average).seed(1);
        run(&mut search, 40);
        damage(&mut search);
        let error = Mcts::new(Three::new())
            .backprop(Average)
            .resume_from(&saved(&mut search)[..])
            .expect_err("it breaks the rules");
        assert_eq!(error.to_string(), format!("the file is invalid, in the tree: {flaw}"));
    }
}

/// A key that is found again leads to a position, so it must be that of the state there; and a position that
/// counts too few links would be freed while nodes still lead to it.
#[test]
fn positions_that_no_search_made_are_refused() {
    type Graph = Mcts<Transpositions<Three>>;
    type Damage = fn(&Graph);
    /// Returns two actions of the root that lead to positions.
    fn ways(search: &Graph) -> [u32; 2] {
        let tree = &search.trees.tree;
        let children = tree.children_of(tree.position(tree.root().link()).link());
        let mut links = children.map(|child| child.link()).filter(|&link| link != 0);
        [(); 2].map(|()| links.next().expect("most actions lead to positions"))
    }
    let damages: [(Damage, &str); 4] = [
        (|_| {}, "nothing"),
        (
            |search| {
                let [first, second] = ways(search);
                let root = search.trees.tree.position(search.trees.tree.root().link());
                for child in search.trees.tree.children_of(root.link()) {
                    let link = child.link();
                    if link == first || link == second {
                        child.set_link(first ^ second ^ link);
                    }
                }
            },
            "a position has the key of another one; perhaps the keys of the game are wrong",
        ),
        (
            |search| {
                let (tree, [way, _]) = (&search.trees.tree, ways(search));
                let mut children = tree.children_of(tree.position(tree.root().link()).link());
                let child = children.find(|child| child.link() == way).expect("it was found there");
                tree.link_to(child, way, 0);
                child.set_link(way);
            },
            "a position counts more links, or fewer, than it has",
        ),
        (
            |search| {
                let (tree, root) = (&search.trees.tree, search.trees.tree.root());
                let way = root.link();
                assert!(tree.add_position(root, (77, 0), 0, usize::MAX));
                root.set_link(way);
            },
            "a position counts more links, or fewer, than it has",
        ),
    ];
    for (damage, flaw) in damages {
        let new = || Mcts::new(Transpositions::new(Three::new())).seed(1);
        let mut search = new();
        search.run(Budget::iterations(200)).expect("a sound game");
        search.trees.tree.free_the_rest();
        damage(&search);
        let file = saved(&mut search);
        let found = new().load_from(&file[..]).err().map_or("nothing".to_owned(), |error| error.to_string());
        assert!(found.ends_with(flaw), "{found} instead of: {flaw}");
    }
}

/// A store is also full where the system has no more memory. Another system may have some, so a tree grows
/// again after it was loaded.
#[test]
fn a_tree_that_was_full_without_a_limit_grows_again() {
    let mut search = Mcts::new(Four::new()).backprop(Average).seed(3);
    run(&mut search, 100);
    let bytes = search.memory_usage().0;
    for limit in [usize::MAX as u64, 1 << 40] {
        search.trees.tree.pretend_to_be_full_at(limit);
        let mut other = Mcts::new(Four::new()).backprop(Average);
        other.load_from(&saved(&mut search)[..]).expect("it was saved by the same search");
        run(&mut other, 4_000);
        assert!(other.memory_usage().0 > bytes, "{limit}: {:?}", other.memory_usage());
    }
}

/// Ids have 32 bits, and a tree that has used them all would take more than a hundred GiB.
#[test]
fn a_tree_without_further_ids_goes_on_as_at_its_memory_limit() {
    let mut search = Mcts::new(Four::new()).backprop(Average).seed(3);
    search.trees.tree.pretend_to_have_ids_for(2);
    let (mut most, iterations) = (0, 5_000);
    for _ in 0..sized(2, 4) {
        let report = search.run(Budget::iterations(iterations)).expect("a sound game");
        assert_eq!(report.iterations, iterations);
        assert!(most == 0 || report.nodes <= most + most / 10, "{report}");
        most = most.max(report.nodes);
    }
    let report = search.report().expect("a sound game");
    assert!(report.recycled_nodes > 1_000, "{report}");
    search.advance(report.best_action()).expect("it is legal");
    search.run(Budget::iterations(1_000)).expect("a sound game");
}

#[test]
fn a_root_that_can_count_no_more_visits_ends_the_run() {
    let mut search = Mcts::new(Four::new()).backprop(Average).seed(3);
    run(&mut search, 100);
    search.trees.tree.root().pretend_to_have(i32::MAX as u32 - 5);
    let report = search.run(Budget::iterations(100)).expect("five more visits");
    assert_eq!((report.iterations, report.stop_reason), (5, StopReason::CountFull));
    assert_eq!(search.run(Budget::iterations(1)), Err(SearchError::CountFull));
    // Below the root, there is room.
    search.advance(report.best_action()).expect("it is legal");
    assert_eq!(search.run(Budget::iterations(100)).expect("a sound game").iterations, 100);
}

/// Questions count when they are asked.
#[test]
fn a_root_that_can_count_no_more_visits_asks_nothing() {
    let mut search = Mcts::new(Four::new()).backprop(Average).window(4).seed(3);
    assert!(search.ask().expect("a sound game").is_some());
    search.finish().expect("no answer");
    search.trees.search.tree.root().pretend_to_have(i32::MAX as u32 - 3);
    for _ in 0..3 {
        assert!(search.ask().expect("three more visits").is_some());
    }
    assert_eq!(search.ask().map(|question| question.is_some()), Err(SearchError::CountFull));
    assert_eq!(search.open_questions(), 3);
}

/// A loaded search of guesses or of sampled outcomes can be saved and loaded again, too.
#[test]
fn damaged_files_of_guesses_are_refused_or_do_no_harm() {
    let new = || Mcts::new(InformationSet::new(Coins::default())).tree_policy(AvailabilityUcb1::default());
    let mut search = new();
    search.run(Budget::iterations(40)).expect("a sound game");
    let file = saved(&mut search);
    let Fuzz { refused, accepted, .. } = Fuzz::on(new, &file, sized(300, 100_000));
    assert!(refused > 30 && accepted > 15, "{refused} refused, {accepted} accepted");
}

/// No search counts so far, but a damaged file may say that one did.
#[test]
fn availability_beyond_all_visits_does_no_harm() {
    for available in [1 << 31, u32::MAX] {
        let mut search =
            Mcts::new(InformationSet::new(Coins::default())).tree_policy(AvailabilityUcb1::default());
        search.run(Budget::iterations(40)).expect("a sound game");
        let tree = &search.trees.tree;
        let mut nodes = vec![tree.root()];
        while let Some(node) = nodes.pop() {
            node.set_stats(available);
            nodes.extend(tree.children_of(node.link()));
        }
        assert_eq!(search.run(Budget::iterations(100)).expect("a sound game").iterations, 100);
    }
}

/// Chance throws three coins, of which player 0 sees the first. The players bet in turn whether they agree.
#[derive(Clone, Default, Debug, serde::Serialize, serde::Deserialize)]
struct Coins(Vec<u8>);

impl GameState for Coins {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.0.len() {
            0..3 => Turn::Chance,
            length @ 3..7 => Turn::Player(length as u8 % 2),
            _ => Turn::Over,
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..2
    }
    fn apply(&mut self, side: u8) {
        self.0.push(side);
    }
    fn reward(&self, player: Player) -> f64 {
        let agree = self.0[..3].iter().all(|&side| side == self.0[0]);
        let right = self.0[3..].iter().enumerate().filter(|&(_, &bet)| (bet == 1) == agree);
        let won = right.filter(|(turn, _)| turn % 2 != usize::from(player)).count();
        won as f64 / 2.0
    }
}

impl HiddenInformation for Coins {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        for (number, side) in self.0.iter_mut().enumerate().take(3) {
            if observer != 0 || number > 0 {
                *side = rng.below(2) as u8;
            }
        }
    }
}

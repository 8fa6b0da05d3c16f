//! Actions that own memory, and states that nodes keep: every search finds the same with them as with numbers
//! and without states, and leaves none alive.

use crate::common::tricks::Tricks;
use crate::common::{hashed::Hashed, pig::Pig, sized, with_priors};
use ramure::agents::{Agent, AlphaBeta, Determinized, FlatMonteCarlo, MctsAgent, Minimax};
use ramure::backpropagation::{Average, ScoreBounds, Solver};
use ramure::optimization::{NestedSearch, Nrpa, Optimization, SinglePlayerMcts};
use ramure::search::{InformationSet, MirrorImages, ObservedMoves, OpenLoop, Sampled, Space, Transpositions};
use ramure::selection::{AvailabilityUcb1, FirstPlay, Grave, ProgressiveHistory, Puct, RegretMatching, Ucb1};
use ramure::simulation::{BestLine, Decisive, LastGoodReply, Mast, Nst, Ppa};
use ramure::{
    ActionCode, ActionIndex, ActionSampler, Budget, Bytes, Expansion, GameState, HiddenInformation, Keyed,
    Mcts, Player, Rng, Scored, Search, StaticEvaluation, Symmetric, Turn,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt::{self, Debug};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Makes actions, and counts those that are alive, and the states.
struct Maker {
    kind: u8,
    alive: AtomicUsize,
    states: AtomicUsize,
    /// How many more clones and drops of actions, calls of `apply` and clones of states do not panic.
    left: [AtomicUsize; 4],
}

impl Maker {
    fn new(kind: u8) -> Arc<Self> {
        let left = [const { AtomicUsize::new(usize::MAX) }; 4];
        Arc::new(Maker { kind, alive: AtomicUsize::new(0), states: AtomicUsize::new(0), left })
    }

    /// Panics once, in the call that comes after as many as there are left.
    fn spend(&self, what: usize) {
        let left = self.left[what].fetch_sub(1, Ordering::Relaxed);
        assert!(left != 0 || std::thread::panicking(), "a planned panic");
    }

    /// Returns how many actions and states are alive.
    fn alive(&self) -> [usize; 2] {
        [&self.alive, &self.states].map(|count| count.load(Ordering::Relaxed))
    }
}

thread_local! {
    /// Makes the actions that are read from files.
    static READER: RefCell<Option<Arc<Maker>>> = const { RefCell::new(None) };
}

/// An action that stands for a number.
trait Kind: Clone + Eq + Debug + Send + Sync + Serialize + for<'de> Deserialize<'de> + 'static {
    /// Whether nodes keep the states of a game with such actions.
    const KEEPS_STATES: bool;

    fn of(number: u8, maker: &Arc<Maker>) -> Self;
    fn number(&self) -> u8;
}

/// What an action owns.
#[derive(Clone)]
enum Owned {
    Text(String),
    Bytes(Vec<u8>),
    Shared(Arc<str>),
    Boxed(Box<Owned>),
}

impl Owned {
    fn new(number: u8, kind: u8) -> Self {
        match kind % 4 {
            0 => Owned::Text(format!("action {number}")),
            1 => Owned::Bytes(vec![7, number]),
            2 => Owned::Shared(format!("action {number}").into()),
            _ => Owned::Boxed(Box::new(Owned::new(number, 0))),
        }
    }

    fn number(&self) -> u8 {
        let read = |text: &str| text.strip_prefix("action ").and_then(|text| text.parse().ok());
        match self {
            Owned::Text(text) => read(text).expect("a number"),
            Owned::Bytes(bytes) => bytes[1],
            Owned::Shared(text) => read(text).expect("a number"),
            Owned::Boxed(inner) => inner.number(),
        }
    }
}

struct Owning {
    owned: Owned,
    maker: Arc<Maker>,
}

impl Kind for Owning {
    const KEEPS_STATES: bool = true;

    fn of(number: u8, maker: &Arc<Maker>) -> Self {
        maker.alive.fetch_add(1, Ordering::Relaxed);
        Owning { owned: Owned::new(number, maker.kind), maker: maker.clone() }
    }
    fn number(&self) -> u8 {
        self.owned.number()
    }
}

impl Clone for Owning {
    fn clone(&self) -> Self {
        self.maker.spend(0);
        self.maker.alive.fetch_add(1, Ordering::Relaxed);
        Owning { owned: self.owned.clone(), maker: self.maker.clone() }
    }
}

impl Drop for Owning {
    fn drop(&mut self) {
        self.maker.alive.fetch_sub(1, Ordering::Relaxed);
        self.maker.spend(1);
    }
}

impl PartialEq for Owning {
    fn eq(&self, other: &Self) -> bool {
        self.number() == other.number()
    }
}

impl Eq for Owning {}

impl Debug for Owning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.number(), f)
    }
}

impl Serialize for Owning {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Owning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u8::deserialize(deserializer)?;
        Ok(READER.with_borrow(|maker| Owning::of(number, maker.as_ref().expect("a maker"))))
    }
}

/// The number itself, in as many bytes as the action that owns memory: blocks have the same sizes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Plain(u64, [u64; size_of::<Owning>() / 8 - 1]);

impl Kind for Plain {
    const KEEPS_STATES: bool = false;

    fn of(number: u8, _: &Arc<Maker>) -> Self {
        Plain(number.into(), Default::default())
    }
    fn number(&self) -> u8 {
        self.0 as u8
    }
}

impl Debug for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

impl Serialize for Plain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.number().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Plain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Plain(u8::deserialize(deserializer)?.into(), Default::default()))
    }
}

/// Two players, or one, mark the cells of a strip in turn. A player who has three marks in a row wins.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Strip {
    cells: [u8; 9],
    marks: u8,
    players: u8,
}

const STRIP: Strip = Strip { cells: [0; 9], marks: 0, players: 2 };

impl Strip {
    fn has_row(&self, player: Player) -> bool {
        self.cells.windows(3).any(|three| three.iter().all(|&cell| cell == player + 1))
    }
}

impl GameState for Strip {
    type Action = u8;

    fn players(&self) -> u8 {
        self.players
    }
    fn turn(&self) -> Turn {
        let won = (0..self.players).any(|player| self.players > 1 && self.has_row(player));
        if won || self.marks == 9 { Turn::Over } else { Turn::Player(self.marks % self.players) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        (0..9).filter(|&cell| self.cells[usize::from(cell)] == 0)
    }
    fn apply(&mut self, cell: u8) {
        assert_eq!(self.cells[usize::from(cell)], 0, "the cell is taken");
        self.cells[usize::from(cell)] = 1 + self.marks % self.players;
        self.marks += 1;
    }
    fn reward(&self, player: Player) -> f64 {
        if self.players == 1 {
            return 1.0;
        }
        0.5 + 0.5
            * (f64::from(u8::from(self.has_row(player))) - f64::from(u8::from(self.has_row(1 - player))))
    }
}

impl ActionIndex for Strip {
    const ACTION_COUNT: usize = 9;
    fn action_index(cell: u8) -> usize {
        cell.into()
    }
}

impl StaticEvaluation for Strip {
    fn evaluate(&self, player: Player) -> f64 {
        match self.cells[4] {
            0 => 0.5,
            mark => {
                if mark == player + 1 {
                    0.6
                } else {
                    0.4
                }
            }
        }
    }
}

impl Keyed for Strip {
    fn key(&self) -> u128 {
        self.cells.iter().fold(0, |key, &cell| key << 2 | u128::from(cell))
    }
}

impl Symmetric for Strip {
    const SYMMETRIES: usize = 2;
    fn transformed(&self, symmetry: usize) -> Self {
        let mut image = self.clone();
        if symmetry == 1 {
            image.cells.reverse();
        }
        image
    }
    fn transformed_action(&self, cell: u8, symmetry: usize) -> u8 {
        if symmetry == 1 { 8 - cell } else { cell }
    }
}

/// A game whose numbers are replaced by actions of another kind, and whose states are counted. Nodes keep the
/// states if the kind says so and they `MAY`: at a memory limit, a search with states finds something else.
struct Dressed<G, K, const MAY: bool = true> {
    game: G,
    maker: Arc<Maker>,
    kind: core::marker::PhantomData<fn() -> K>,
}

impl<G, K, const MAY: bool> Dressed<G, K, MAY> {
    fn new(game: G, maker: &Arc<Maker>) -> Self {
        maker.states.fetch_add(1, Ordering::Relaxed);
        Dressed { game, maker: maker.clone(), kind: core::marker::PhantomData }
    }
}

impl<G: Clone, K, const MAY: bool> Clone for Dressed<G, K, MAY> {
    fn clone(&self) -> Self {
        self.maker.spend(3);
        Dressed::new(self.game.clone(), &self.maker)
    }
}

impl<G, K, const MAY: bool> Drop for Dressed<G, K, MAY> {
    fn drop(&mut self) {
        self.maker.states.fetch_sub(1, Ordering::Relaxed);
    }
}

impl<G, K: Kind, const MAY: bool> Dressed<G, K, MAY> {
    fn on(&self, number: u8) -> K {
        K::of(number, &self.maker)
    }
}

impl<G: Debug, K, const MAY: bool> Debug for Dressed<G, K, MAY> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.game.fmt(f)
    }
}

impl<G: PartialEq, K, const MAY: bool> PartialEq for Dressed<G, K, MAY> {
    fn eq(&self, other: &Self) -> bool {
        self.game == other.game
    }
}

impl<G: Serialize, K, const MAY: bool> Serialize for Dressed<G, K, MAY> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.game.serialize(serializer)
    }
}

impl<'de, G: Deserialize<'de>, K: Kind, const MAY: bool> Deserialize<'de> for Dressed<G, K, MAY> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let game = G::deserialize(deserializer)?;
        Ok(READER.with_borrow(|maker| Dressed::new(game, maker.as_ref().expect("a maker"))))
    }
}

impl<G: GameState<Action = u8>, K: Kind, const MAY: bool> GameState for Dressed<G, K, MAY> {
    type Action = K;
    const KEEPS_STATES: bool = K::KEEPS_STATES && MAY;

    fn players(&self) -> u8 {
        self.game.players()
    }
    fn turn(&self) -> Turn {
        self.game.turn()
    }
    fn actions(&self) -> impl IntoIterator<Item = K> {
        self.game.actions().into_iter().map(|number| self.on(number))
    }
    fn apply(&mut self, action: K) {
        self.maker.spend(2);
        self.game.apply(action.number());
    }
    fn reward(&self, player: Player) -> f64 {
        self.game.reward(player)
    }
    fn probability(&self, outcome: K) -> f64 {
        self.game.probability(outcome.number())
    }
}

impl<G: ActionIndex<Action = u8>, K: Kind, const MAY: bool> ActionIndex for Dressed<G, K, MAY> {
    const ACTION_COUNT: usize = G::ACTION_COUNT;
    fn action_index(action: K) -> usize {
        G::action_index(action.number())
    }
}

impl<G: StaticEvaluation<Action = u8>, K: Kind, const MAY: bool> StaticEvaluation for Dressed<G, K, MAY> {
    fn evaluate(&self, player: Player) -> f64 {
        self.game.evaluate(player)
    }
}

impl<G: Keyed<Action = u8>, K: Kind, const MAY: bool> Keyed for Dressed<G, K, MAY> {
    fn key(&self) -> u128 {
        self.game.key()
    }
}

impl<G: Symmetric<Action = u8>, K: Kind, const MAY: bool> Symmetric for Dressed<G, K, MAY> {
    const SYMMETRIES: usize = G::SYMMETRIES;
    fn transformed(&self, symmetry: usize) -> Self {
        Dressed::new(self.game.transformed(symmetry), &self.maker)
    }
    fn transformed_action(&self, action: K, symmetry: usize) -> K {
        self.on(self.game.transformed_action(action.number(), symmetry))
    }
}

impl<G: HiddenInformation<Action = u8>, K: Kind, const MAY: bool> HiddenInformation for Dressed<G, K, MAY> {
    fn determinize(&mut self, observer: Player, rng: &mut Rng) {
        self.game.determinize(observer, rng);
    }
    fn observe(&self, action: K, observer: Player) -> Option<K> {
        self.game.observe(action.number(), observer).map(|number| self.on(number))
    }
    fn private_knowledge(&self, player: Player) -> impl IntoIterator<Item = K> {
        self.game.private_knowledge(player).into_iter().map(|number| self.on(number))
    }
}

impl<G: ActionSampler<Action = u8>, K: Kind, const MAY: bool> ActionSampler for Dressed<G, K, MAY> {
    fn sample_action(&self, rng: &mut Rng) -> Option<K> {
        self.game.sample_action(rng).map(|number| self.on(number))
    }
}

impl<K: Kind> Scored for Dressed<Strip, K> {
    fn score(&self) -> f64 {
        self.game.cells.iter().fold(0.0, |score, &cell| 0.7 * score + f64::from(cell))
            + f64::from(self.game.marks)
    }
}

impl<K: Kind> ActionCode for Dressed<Strip, K> {
    fn action_code(&self, action: K) -> u64 {
        u64::from(self.game.marks) << 8 | u64::from(action.number())
    }
}

/// The iterations of each run.
const ITERATIONS: u64 = 120;

/// Searches, advances, searches again, resets the search, and searches again. Returns all that was found. A
/// copy from before an advance finds the same afterwards.
fn found<S: Space>(mut search: impl Search<Space = S> + Clone, start: impl FnOnce() -> S) -> String {
    let mut text = String::new();
    let mut line = 0;
    let mut copy = search.clone();
    for _ in 0..3 {
        let report = search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
        let mut of_copy = copy.run(Budget::iterations(ITERATIONS)).expect("a sound game");
        // A copy keeps other states.
        (of_copy.time, of_copy.bytes) = (report.time, report.bytes);
        assert_eq!(format!("{of_copy:?}"), format!("{report:?}"));
        copy = search.clone();
        for action in &report.actions {
            text += &format!("{:?} {} {:08x} ", action.action, action.visits, action.mean.to_bits());
        }
        let (nodes, recycled, depth) = (report.nodes, report.recycled_nodes, report.depth);
        text += &format!("{:?} {:?} {nodes} {recycled} {depth}\n", report.chosen, report.principal_variation);
        text += &format!("{}\n", search.actions_after(&report.principal_variation[..1]).len());
        if let Ok(action) = report.try_best_action() {
            search.advance(action.clone()).expect("it is legal");
            copy.advance(action).expect("it is legal");
            line += 1;
        }
        if search.report().is_err() {
            break; // the game is over
        }
    }
    search.reset(start());
    let report = search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
    text + &format!("{line} {:?} {}", report.principal_variation, report.nodes)
}

type Searches = Vec<(&'static str, Box<dyn Fn() -> String>)>;

/// Returns all searches, with actions of this kind.
fn searches<K: Kind>(maker: &Arc<Maker>) -> Searches {
    let mut all: Searches = Vec::new();
    let strip = {
        let maker = maker.clone();
        move || Dressed::<Strip, K>::new(STRIP, &maker)
    };
    let limited = {
        let maker = maker.clone();
        move || Dressed::<Strip, K, false>::new(STRIP, &maker)
    };
    let tricks = {
        let maker = maker.clone();
        move || Dressed::<Tricks, K>::new(Tricks::new(2, 3, 1), &maker)
    };
    macro_rules! search {
        ($name:literal, $start:expr, |$space:ident| $search:expr) => {{
            let start = $start;
            let search = move || {
                let $space = start();
                found($search, &start)
            };
            all.push(($name, Box::new(search)));
        }};
    }
    let s = strip.clone();
    search!("ucb1", s.clone(), |start| Mcts::new(start).tree_policy(Ucb1::new(1.0)).seed(1));
    search!("below the mean", s.clone(), |start| {
        let expansion = Expansion::default().first_play(FirstPlay::BelowMean(0.1));
        Mcts::new(start).tree_policy(Ucb1::new(0.7)).expansion(expansion).seed(1)
    });
    search!("third visit, widening", s.clone(), |start| {
        let expansion = Expansion::default().on_visit(3).widening(1.5, 0.4);
        Mcts::new(start).tree_policy(Ucb1::new(0.7)).expansion(expansion).seed(1)
    });
    search!("solver, decisive", s.clone(), |start| {
        Mcts::new(start).backprop(Solver::new(Average)).rollout_policy(Decisive::new()).seed(1)
    });
    search!("score bounds", s.clone(), |start| Mcts::new(start).backprop(ScoreBounds::new(Average)).seed(1));
    search!("puct", s.clone(), |start| {
        let prior = |_: &Dressed<Strip, K>, action: K| f32::from(9 - action.number().abs_diff(4));
        Mcts::new(start).rollout_policy(with_priors(prior)).tree_policy(Puct::new(1.2)).seed(1)
    });
    search!("grave, mast", s.clone(), |start| {
        Mcts::new(start).tree_policy(Grave::new(20.0, 0.0)).rollout_policy(Mast::new(0.4)).seed(1)
    });
    search!("progressive history, nst", s.clone(), |start| {
        Mcts::new(start).tree_policy(ProgressiveHistory::default()).rollout_policy(Nst::default()).seed(1)
    });
    search!("last good reply", s.clone(), |start| {
        Mcts::new(start).rollout_policy(LastGoodReply::forgetting(2)).seed(1)
    });
    search!("playout policy adaptation, best line", s.clone(), |start| {
        Mcts::new(start).rollout_policy(BestLine::new(Ppa::new(0.5))).seed(1)
    });
    search!("memory limit", limited.clone(), |start| {
        Mcts::new(start).tree_policy(Ucb1::new(1.0)).memory_limit(Bytes(22_000)).seed(1)
    });
    search!("window", s.clone(), |start| Mcts::new(start).seed(1).window(6));
    search!("window with workers", s.clone(), |start| Mcts::new(start).seed(1).window(6).threads(2));
    let graph = {
        let strip = strip.clone();
        move || Transpositions::new(strip())
    };
    search!("graph", graph.clone(), |start| Mcts::new(start).seed(1));
    search!("graph at the limit", move || Transpositions::new(limited()), |start| {
        Mcts::new(start).seed(1).memory_limit(Bytes(70_000))
    });
    search!("window of a graph", graph.clone(), |start| Mcts::new(start).seed(1).window(6));
    search!(
        "mirror images",
        {
            let strip = strip.clone();
            move || MirrorImages::new(strip())
        },
        |start| Mcts::new(start).backprop(Solver::new(Average)).seed(1)
    );
    search!(
        "information set",
        {
            let tricks = tricks.clone();
            move || InformationSet::new(tricks())
        },
        |start| Mcts::new(start).tree_policy(AvailabilityUcb1::new(0.7)).seed(1)
    );
    search!(
        "observed moves",
        {
            let tricks = tricks.clone();
            move || ObservedMoves::new(tricks())
        },
        |start| Mcts::new(start).seed(1)
    );
    search!(
        "open loop",
        {
            let maker = maker.clone();
            move || OpenLoop::new(Dressed::<Pig, K>::new(Pig::new(6), &maker))
        },
        |start| Mcts::new(start).seed(1)
    );
    search!(
        "chance",
        {
            let maker = maker.clone();
            move || Dressed::<Pig, K>::new(Pig { rolling: true, ..Pig::new(4) }, &maker)
        },
        |start| Mcts::new(start).backprop(Solver::new(Average)).seed(1)
    );
    search!(
        "sampled",
        {
            let maker = maker.clone();
            move || Sampled::new(Dressed::<Hashed, K>::new(Hashed::new(5, 2, 8).with_chance(), &maker))
        },
        |start| Mcts::new(start).seed(1)
    );
    let start = tricks.clone();
    all.push((
        "player trees",
        Box::new(move || {
            let mut search = Mcts::player_trees(start()).tree_policy(RegretMatching::new(0.1)).seed(1);
            let report = search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            search.advance(report.best_action()).expect("it is legal");
            let next = search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            format!("{:?} {:?}", report.principal_variation, next.principal_variation)
        }),
    ));
    let start = tricks.clone();
    all.push((
        "outcome sampling",
        Box::new(move || {
            let mut search = Mcts::outcome_sampling(InformationSet::new(start())).seed(1);
            search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            format!("{:?}", search.strategy(0, &[]))
        }),
    ));
    let (start, reader) = (strip.clone(), maker.clone());
    all.push((
        "saved and loaded",
        Box::new(move || {
            READER.set(Some(reader.clone()));
            let new =
                || Mcts::new(Transpositions::new(start())).rollout_policy(LastGoodReply::default()).seed(1);
            let mut search = new();
            search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            let mut file = Vec::new();
            search.save_to(&mut file).expect("it can be written");
            let mut copy = new();
            copy.resume_from(&file[..]).expect("it can be read");
            let text = found(copy, || Transpositions::new(start()));
            assert_eq!(text, found(search, || Transpositions::new(start())));
            // Files that end early leave nothing behind.
            for length in (0..file.len()).step_by(61) {
                assert!(new().resume_from(&file[..length]).is_err());
            }
            READER.set(None);
            text
        }),
    ));
    let start = strip.clone();
    all.push((
        "explorer and tree view",
        Box::new(move || {
            let mut search = Mcts::new(start()).seed(1);
            search.run(Budget::iterations(ITERATIONS)).expect("a sound game");
            let tree = search.tree();
            let actions: Vec<_> = tree
                .root()
                .into_iter()
                .flat_map(|root| root.children().map(|child| child.action()).collect::<Vec<_>>())
                .collect();
            format!("{}{}{actions:?}", tree.explorer().nodes(60), tree.dot(2, 1))
        }),
    ));
    let (start, cards) = (strip.clone(), tricks.clone());
    all.push((
        "agents",
        Box::new(move || {
            let budget = Budget::iterations(60);
            let mut agents: Vec<Box<dyn Agent<Dressed<Strip, K>>>> = vec![
                Box::new(MctsAgent::new("a", budget, |state: &Dressed<Strip, K>, seed| {
                    Mcts::new(state.clone()).seed(seed)
                })),
                Box::new(AlphaBeta::new(3)),
                Box::new(Minimax::new(2)),
                Box::new(FlatMonteCarlo::per_action(5)),
            ];
            let mut game = start();
            let mut text = String::new();
            for turn in 0.. {
                if game.turn() == Turn::Over {
                    break;
                }
                let count = agents.len();
                let action = agents[turn % count].choose(&game).expect("a sound game");
                text += &format!("{action:?} {} ", agents[turn % count].thoughts(&game).is_some());
                agents.iter_mut().for_each(|agent| agent.played(action.clone()));
                game.apply(action);
            }
            let new = |state: &Dressed<Tricks, K>, seed| Mcts::new(state.clone()).seed(seed);
            let mut voter = Determinized::new("b", 3, budget, new);
            text + &format!("{:?}", voter.choose(&cards()).expect("a sound game"))
        }),
    ));
    let start = strip.clone();
    all.push((
        "optimization",
        Box::new(move || {
            let puzzle = || {
                let mut puzzle = start();
                puzzle.game.players = 1;
                puzzle
            };
            let mut text = String::new();
            for lines in [100, 250] {
                let budget = || Budget::iterations(lines);
                let nested = Optimization::new(puzzle(), NestedSearch::new(2)).run(budget());
                let beam = Optimization::new(puzzle(), NestedSearch::new(2).beam(2, 3)).run(budget());
                let nrpa = Optimization::new(puzzle(), Nrpa::new(2).iterations(5)).run(budget());
                let tree = Optimization::new(puzzle(), SinglePlayerMcts::new(17)).run(budget());
                for report in [nested, beam, nrpa, tree] {
                    let best = report.expect("a sound game");
                    text += &format!("{:?}\n", best.actions);
                }
            }
            text
        }),
    ));
    all
}

#[test]
fn every_search_finds_the_same_with_actions_that_own_memory_and_kept_states_and_leaves_none() {
    let plain: Vec<String> = searches::<Plain>(&Maker::new(0)).iter().map(|(_, search)| search()).collect();
    for kind in 0..4 {
        let maker = Maker::new(kind);
        let searches = searches::<Owning>(&maker);
        assert_eq!(plain.len(), searches.len());
        // The searches know only that the actions own memory, so in the quick size each has one of the kinds.
        let all = searches.iter().zip(&plain).skip(sized(kind.into(), 0)).step_by(sized(4, 1));
        for ((name, search), expected) in all {
            assert_eq!(search(), *expected, "{name}, kind {kind}");
            assert_eq!(maker.alive(), [0, 0], "{name}, kind {kind}");
        }
    }
}

/// Wherever a clone, a drop or the game panics, no action and no state is dropped twice, and none is left after
/// the search.
#[test]
fn panics_leave_no_action_and_no_state_alive() {
    let maker = Maker::new(3);
    let (mut panics, mut lost) = ([0; 4], [0; 2]);
    for (name, search) in searches::<Owning>(&maker) {
        for (what, panics) in panics.iter_mut().enumerate() {
            for count in [0, 17, 500] {
                maker.left[what].store(count, Ordering::Relaxed);
                let tried = catch_unwind(AssertUnwindSafe(&search));
                maker.left[what].store(usize::MAX, Ordering::Relaxed);
                // The language leaks a value that a function is about to return when a drop panics at its end.
                let more = usize::from(what == 1);
                let [actions, states] = maker.alive();
                assert!(actions <= lost[0] + more && states <= lost[1] + more, "{name}, {what}, {count}");
                lost = [actions, states];
                *panics += usize::from(tried.is_err());
            }
        }
    }
    assert!(panics.iter().all(|&count| count > 30), "{panics:?}");
}

/// Games with actions of types of the standard library need nothing else.
#[test]
fn types_of_the_standard_library_are_actions() {
    fn chosen<A: Clone + Eq + Debug + 'static>(action: fn(u8) -> A) -> (usize, Vec<u32>, usize) {
        #[derive(Clone)]
        struct Sticks<A>(u8, Player, fn(u8) -> A);
        impl<A: Clone + Eq + Debug + 'static> GameState for Sticks<A> {
            type Action = A;
            fn turn(&self) -> Turn {
                if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
            }
            fn actions(&self) -> impl IntoIterator<Item = A> {
                (1..=self.0.min(3)).map(self.2)
            }
            fn apply(&mut self, taken: A) {
                let number = (1..=self.0).find(|&number| (self.2)(number) == taken);
                (self.0, self.1) = (self.0 - number.expect("it is legal"), 1 - self.1);
            }
            fn reward(&self, player: Player) -> f64 {
                f64::from(u8::from(player != self.1))
            }
        }
        let mut search = Mcts::new(Sticks(21, 0, action)).seed(1);
        let report = search.run(Budget::iterations(400)).expect("a sound game");
        let visits = report.actions.iter().map(|action| action.visits).collect();
        (report.chosen.expect("it is a player's turn"), visits, report.nodes)
    }
    let expected = chosen(|number| number);
    assert_eq!(chosen(|number| number.to_string()), expected);
    assert_eq!(chosen(|number| Arc::<str>::from(number.to_string())), expected);
    assert_eq!(chosen(|number| vec![number; number.into()]), expected);
    assert_eq!(chosen(|number| Box::new(Some(number))), expected);
    assert_eq!(chosen(std::rc::Rc::new), expected); // one thread needs no `Send`
    assert_eq!(chosen(|number| std::collections::BTreeSet::from([number])), expected);
}

/// An `Eq` that contradicts itself may spoil the result. The search still ends, and frees all actions.
#[test]
fn an_eq_that_is_no_equivalence_does_no_harm() {
    #[derive(Clone, Debug)]
    struct Odd {
        cell: u8,
        oddness: u8,
        /// Counts the actions that are alive.
        _token: Arc<()>,
    }
    impl PartialEq for Odd {
        fn eq(&self, other: &Self) -> bool {
            match self.oddness {
                0 => false,
                1 => true,
                2 => self.cell < other.cell,
                _ => self.cell.abs_diff(other.cell) < 2,
            }
        }
    }
    impl Eq for Odd {}
    #[derive(Clone)]
    struct Odds(Strip, Arc<()>, u8);
    impl GameState for Odds {
        type Action = Odd;
        fn turn(&self) -> Turn {
            self.0.turn()
        }
        fn actions(&self) -> impl IntoIterator<Item = Odd> {
            self.0.actions().into_iter().map(|cell| Odd { cell, oddness: self.2, _token: self.1.clone() })
        }
        fn apply(&mut self, cell: Odd) {
            if self.0.cells[usize::from(cell.cell)] == 0 {
                self.0.apply(cell.cell);
            }
        }
        fn reward(&self, player: Player) -> f64 {
            self.0.reward(player)
        }
    }
    impl Keyed for Odds {
        fn key(&self) -> u128 {
            self.0.key()
        }
    }
    impl HiddenInformation for Odds {
        fn determinize(&mut self, _: Player, _: &mut Rng) {}
    }
    fn play<S: Space>(mut search: impl Search<Space = S>) {
        for _ in 0..4 {
            let Ok(report) = search.run(Budget::iterations(sized(250, 500))) else { return };
            let Ok(action) = report.try_best_action() else { return };
            if search.advance(action).is_err() {
                return;
            }
        }
    }
    for oddness in 0..4 {
        let token = Arc::new(());
        let start = || Odds(STRIP, token.clone(), oddness);
        play(Mcts::new(start()).memory_limit(Bytes(20_000)));
        play(Mcts::new(start()).backprop(Solver::new(Average)));
        play(Mcts::new(Transpositions::new(start())).memory_limit(Bytes(60_000)));
        play(Mcts::new(InformationSet::new(start())));
        play(Mcts::new(start()).window(5));
        play(Mcts::new(start()).threads(2));
        play(Mcts::player_trees(start()));
        assert_eq!(Arc::strong_count(&token), 1);
    }
}

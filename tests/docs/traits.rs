//! Which of the common traits each public type implements. A second test compares the list with the sources,
//! so a new type must be added here.

use core::marker::PhantomData;
use ramure::agents::*;
use ramure::backpropagation::*;
use ramure::explorer::*;
use ramure::optimization::*;
use ramure::saved::*;
use ramure::search::*;
use ramure::statistics::*;
use ramure::*;
use ramure::{CustomError, ParameterError, selection, simulation};
use ramure_games::*;
use ramure_rules::*;
use selection::{Exploration, FirstPlay, SequentialHalving, Ucb1};
use simulation::{History, Mast, Uniform};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

type Action = tic_tac_toe::Cell;
type Plain = Mcts<TicTacToe>;
type View<'a> = TreeView<'a, TicTacToe, Ucb1, Uniform, Average>;
type NodeView<'a> = TreeNode<'a, TicTacToe, Ucb1, Uniform, Average>;

/// Stands for a closure, which is `Clone`, `Copy`, `Send` and `Sync` at best. It is never `Debug`.
#[derive(Clone, Copy)]
struct Closure;

/// A simulator.
#[derive(Clone, PartialEq, Debug)]
struct Walk;

impl Simulator for Walk {
    type Action = ();
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = ()> {
        [()]
    }
    fn step(&mut self, (): (), _: &mut Rng) -> f64 {
        1.0
    }
}

/// The traits that a type implements, and those in the list.
struct Row {
    name: &'static str,
    has: Vec<&'static str>,
    listed: Vec<&'static str>,
}

/// The constants of `Is<T>` itself exist if `T` implements the trait, and hide those of `IsNot`.
struct Is<T>(PhantomData<T>);

macro_rules! traits {
    ($($name:ident: $bound:path;)+) => {
        #[allow(non_upper_case_globals, dead_code)]
        trait IsNot {
            $(const $name: bool = false;)+
        }
        impl<T> IsNot for Is<T> {}
        $(
            #[allow(non_upper_case_globals)]
            impl<T: $bound> Is<T> {
                const $name: bool = true;
            }
        )+
        macro_rules! row {
            ($type:ty, $listed:expr) => {
                Row {
                    name: core::any::type_name::<$type>(),
                    has: [$((stringify!($name), <Is<$type>>::$name)),+]
                        .into_iter()
                        .filter_map(|(name, is)| is.then_some(name))
                        .collect(),
                    listed: $listed.to_vec(),
                }
            };
        }
    };
}

traits! {
    Debug: core::fmt::Debug;
    Clone: Clone;
    Copy: Copy;
    PartialEq: PartialEq;
    Default: Default;
    Send: Send;
    Sync: Sync;
}

/// Makes a row for each type after a list of traits.
macro_rules! list {
    ($([$($trait:ident)+] $($type:ty),+;)+) => {{
        let mut rows = Vec::new();
        $(
            let listed = [$(stringify!($trait)),+];
            rows.extend([$(row!($type, listed)),+]);
        )+
        rows
    }};
}

fn list() -> Vec<Row> {
    list! {
        // Plain values with an obvious default: settings, policies, statistics, empty boards.
        [Debug Clone Copy PartialEq Default Send Sync]
            RootDecision, Expansion, Order, First,
            Moments, RunningMean, Prior, ValuedPrior, ActionHistory, Knowledge, Amaf,
            Proof, Values, Bounds, Belief,
            Average, PowerMean, SoftmaxBackup, MaxBackup, BayesBackup, Solver<Average>, ProofsIf,
            Uniform, simulation::Decisive, simulation::EvaluationPriors<Uniform>,
            selection::AlphaAmaf, selection::AtRoot<Ucb1, Ucb1>, selection::BayesUct, selection::Boltzmann,
            selection::CompletedValues, selection::EpsilonGreedy, selection::Exp3, selection::GaussianThompson,
            selection::KlUcb, selection::RegretMatching, selection::SinglePlayer, FlatSampling, selection::Moss, selection::ProgressiveBias, selection::Puct, selection::Rave,
            selection::Thompson, Ucb1, selection::AvailabilityUcb1, selection::Ucb1Tuned, selection::UcbV,
            TicTacToe, Connect4, Spread;

        // Plain values that need a parameter or a choice.
        [Debug Clone Copy PartialEq Send Sync]
            Budget, Bytes, Every, GameClock, StopReason, ActionReport<Action>, Turn, Rewards, FirstPlay, Exploration,
            selection::Choice,
            StepChild<()>, Discounted, RecencyWeighted,
            simulation::MultipleRollouts<Uniform>, simulation::Cutoff, simulation::Mixed<Uniform, Uniform>,
            SudoTicTacToe, sudo_tic_tac_toe::Mode, PGame, Vote<Action>,
            SameGame, same_game::Group, morpion::Stroke, NestedSearch, Nrpa, SinglePlayerMcts, tic_tac_toe::Cell, connect4::Column, hex::Cell, hex::HexAction, sudo_tic_tac_toe::Cell, bandit::BanditAction,
            Law, InformationSet<TicTacToe>, Sampled<TicTacToe>, PlayerAction<Action>, PlannedAction<Action>,
            Paranoid<TicTacToe>, BestReply<TicTacToe>, Transpositions<TicTacToe>, MirrorImages<TicTacToe>,
            ParameterError, GameFault, IllegalAction<tic_tac_toe::Cell>, IllegalReason;

        [Debug Clone Copy PartialEq Default Send Sync] Unobserved, OneLeaf, simulation::AskTell;
        [Debug Clone Copy PartialEq Send Sync] Threads, Ticket, Window<Threads>;
        [Debug Clone Copy PartialEq Default Send Sync] PlayerTrees<OutcomeSampling>;
        [Debug Clone Copy PartialEq Default Send Sync] OutcomeSampling;

        // They own memory.
        [Debug Clone PartialEq Send Sync]
            Report<Action>, LookAhead<Action>, ParseError, SearchError, FileError, Solution<Action>, Morpion, Ended, OpenLoop<TicTacToe>, ObservedMoves<TicTacToe>, Planning<Walk>, OpenPlanning<Walk>, CustomError, Rng, Hex, Bandit,
            Divide<Action>, Perft, PerftRow, TableError<Action>, Line<TicTacToe>, Summary;

        [Debug Clone PartialEq Default Send Sync] RootHistory, LineOfPlay, RootActions<Action>;

        // They learn, or they record an iteration. Equality would compare more than settings.
        [Debug Clone Default Send Sync]
            Random, StopHandle, LastPlayed, selection::ProgressiveHistory,
            Mast, simulation::Nst, simulation::Ppa, simulation::LastGoodReply<Action>, simulation::BestLine<Uniform, Action>,
            History<Action>, simulation::Alternatives<Action>, simulation::Numbered<Action>;
        [Debug Clone Send Sync]
            Optimization<SameGame, FlatSampling>, Minimax, AlphaBeta, FlatMonteCarlo, Violation<TicTacToe>, simulation::Evaluate<Mast>,
            simulation::EpsilonGreedyRollouts<Mast>, simulation::Softmax<Mast>;

        // They hold a function of the user.
        [Debug Send Sync] Determinized<Plain, Closure>;
        [Debug Clone Copy Send Sync]
            simulation::WithPriors<Uniform, Closure>, simulation::FromFn<Closure>,
            simulation::ForGame<simulation::FromFn<Closure>, TicTacToe>;

        // They change behind a shared reference (`Cell`), so they are not `Sync`.
        [Debug Send Sync] Attempts<'static, SameGame>;
        [Debug Send] simulation::Leaf<TicTacToe, History<Action>>;
        [Debug Clone Default Send]
            SequentialHalving, selection::Dirichlet, selection::Grave, selection::GumbelRoot, selection::Shot;

        // A search changes its tree behind a shared reference.
        [Debug Clone Send] Plain;
        [Debug Send] MctsAgent<Plain, Closure>;

        [Debug Clone Send Sync] Batcher<TicTacToe>;
        [Debug Send] Answers;
        [Debug Send] simulation::BatchLeaf<'static, TicTacToe, History<Action>>;
        [Debug Send Sync] simulation::Position<'static, TicTacToe>, Question<'static, TicTacToe>;

        // Views into a tree, which is not `Sync`.
        [Debug Clone Copy] selection::Child<'static, Action, ()>, View<'static>;
        [Debug Clone] NodeView<'static>;

        // It holds functions of the user in boxes.
        [Debug] Check<TicTacToe>, Explorer<'static, TicTacToe, Ucb1, Uniform, Average>;
    }
}

#[test]
fn every_type_implements_the_listed_traits() {
    let wrong: Vec<String> = list()
        .into_iter()
        .filter(|row| row.has != row.listed)
        .map(|row| format!("{} implements {:?}, and the list says {:?}", row.name, row.has, row.listed))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The types inside these aliases have no name.
#[test]
fn the_decorators_implement_the_listed_traits() {
    for row in [
        row!(ImplicitMinimax<Average>, ["Debug", "Clone", "Copy", "PartialEq", "Default", "Send", "Sync"]),
        row!(Contempt<Average>, ["Debug", "Clone", "Copy", "PartialEq", "Send", "Sync"]),
        row!(ScoreBounds<Average>, ["Debug", "Clone", "PartialEq", "Default", "Send"]),
        row!(RelativeBonus<Average>, ["Debug", "Clone", "PartialEq", "Default", "Send"]),
    ] {
        assert_eq!(row.has, row.listed, "{}", row.name);
    }
}

/// A closure does not change which traits the types around it implement.
#[test]
fn a_closure_can_be_anywhere_in_a_search_that_is_printed() {
    let row = row!(Minimax<Closure>, ["Debug", "Clone", "Send", "Sync"]);
    assert_eq!(row.has, row.listed);
    let row = row!(
        simulation::Mixed<simulation::Evaluate<simulation::FromFn<Closure>>, Uniform>,
        ["Debug", "Clone", "Copy", "Send", "Sync"]
    );
    assert_eq!(row.has, row.listed);
    let agent = Minimax::new(2).evaluation(|_: &TicTacToe, _: Player| 0.5);
    let text = format!("{agent:?}");
    assert!(text.contains("{{closure}}"), "{text}");
}

#[test]
fn views_of_a_tree_print_their_contents() -> Result<(), SearchError> {
    let mut search = Mcts::new(TicTacToe::new());
    search.run(Budget::iterations(50))?;
    let view = search.tree();
    let text = format!("{view:?}");
    assert!(
        text.starts_with("TreeView { root: Some(TreeNode { action: None, chooser: 0, visits: 50"),
        "{text}"
    );
    assert!(text.contains(&format!("nodes: {}", view.node_count())), "{text}");
    let child = view.root().and_then(|root| root.children().next()).expect("the root has children");
    let text = format!("{child:?}");
    assert!(text.contains(&format!("action: {:?}", child.action())), "{text}");
    assert!(text.contains(&format!("visits: {}", child.visits())), "{text}");
    Ok(())
}

/// A search can go to another thread, whatever its engine is.
#[test]
fn searches_of_all_engines_are_send() {
    fn check<T: std::fmt::Debug + Send>(_: &T) {}
    let new = || Mcts::new(TicTacToe::new());
    check(&new().window(2));
    check(&new().threads(2));
    check(&Mcts::player_trees(TicTacToe::new()));
    check(&Mcts::outcome_sampling(TicTacToe::new()));
}

/// Types that are not public, and modules whose types are not, although they are `pub` inside.
const PRIVATE: [&str; 19] = [
    "ramure::backpropagation::contempt::DrawValue::",
    "ramure::backpropagation::implicit_minimax::Implicit::",
    "ramure::backpropagation::implicit_minimax::MixMinimax::",
    "ramure::backpropagation::relative_bonus::LengthBonus::",
    "ramure::backpropagation::score_bounds::KeepBounds::",
    "ramure::backpropagation::solver::Proofs::",
    "ramure_rules::laws::",
    "ramure::saved::one_tree::",
    "ramure::search::engine::window::in_flight::",
    "ramure::search::one_tree::",
    "ramure::simulation::best_line::WholeLine::",
    "ramure::space::Nodes::",
    "ramure::space::observed_moves::Observed::",
    "ramure::space::open_loop::Unrolled::",
    "ramure::space::planning::Branching::",
    "ramure::space::planning::Planned::",
    "ramure::space::sampled::SampledGame::",
    "ramure::space::seat::",
    "ramure::statistics::visit_budget::",
];

/// Collects the public structs and enums of a folder or file, with their modules, as `type_name` writes them.
fn declared(path: &Path, module: &str, all: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_stem().expect("it has a name").to_string_lossy();
            let module = match &*name {
                "mod" | "lib" => module.to_owned(),
                name => format!("{module}::{name}"),
            };
            declared(&path, &module, all);
        }
        return;
    }
    let text = fs::read_to_string(path).expect("it is text");
    let mut is_hidden = false;
    for line in text.lines().map(str::trim) {
        is_hidden |= line == "#[doc(hidden)]";
        if line.starts_with("#[") || line.starts_with("//") {
            continue;
        }
        let declared =
            ["pub struct ", "pub enum ", "pub union "].iter().find_map(|word| line.strip_prefix(word));
        if let Some(rest) = declared.filter(|_| !is_hidden) {
            let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
            all.insert(format!("{module}::{name}"));
        }
        is_hidden = false;
    }
}

#[test]
fn the_list_has_every_public_type() {
    let mut declared_types = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for (folder, name) in
        [("src", "ramure"), ("crates/games/src", "ramure_games"), ("crates/rules/src", "ramure_rules")]
    {
        declared(&root.join(folder), name, &mut declared_types);
    }
    declared_types.retain(|name| !PRIVATE.iter().any(|module| format!("{name}::").starts_with(module)));
    let listed: Vec<String> =
        list().iter().map(|row| row.name.split('<').next().expect("a name").to_owned()).collect();
    let distinct: BTreeSet<String> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), distinct.len(), "a type is listed twice");
    let missing: Vec<_> = declared_types.difference(&distinct).collect();
    assert!(missing.is_empty(), "public types that the list lacks: {missing:?}");
    let unknown: Vec<_> = distinct.difference(&declared_types).collect();
    assert!(unknown.is_empty(), "types that the sources do not declare: {unknown:?}");
}

/// Rust prints an error that `main` returns with `Debug`.
#[test]
fn every_error_prints_its_sentence_with_debug() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("src")];
    // The other crates, if the whole repository is there.
    folders.extend(
        ["games", "lab", "mpi", "nets", "rules", "web"]
            .map(|name| root.join("crates").join(name).join("src")),
    );
    let (mut errors, mut silent) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("it can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).unwrap_or_default();
            let implemented = text.lines().filter_map(|line| {
                let (traits, name) = line.strip_prefix("impl")?.split_once(" for ")?;
                (traits.ends_with(" Error") || traits.ends_with("::Error")).then_some(name)
            });
            let derived = text.split("#[derive(thiserror::Error").skip(1).filter_map(|rest| {
                let declared =
                    rest.lines().find(|line| line.contains("struct ") || line.contains("enum "))?;
                declared.split("struct ").last()?.split("enum ").last()
            });
            for name in implemented.chain(derived) {
                errors += 1;
                let name = name.split([' ', '<', '(', ';']).next().unwrap_or_default();
                let by_hand = format!("Debug for {name}");
                if !text.contains(&format!("debug_as_sentence!({name})")) && !text.contains(&by_hand) {
                    silent.push(format!("{}: {name}", path.display()));
                }
            }
        }
    }
    assert!(
        errors >= 25 && silent.is_empty(),
        "{errors} errors; these derive `Debug`:\n{}",
        silent.join("\n")
    );
}

//! A search and its twin, side by side: after each call, the visits, the rewards, the closed flags and the children of every node are the same to
//! the bit, and so is the generator. What policies store is not compared: it shows in later choices. The random programs in `tests/programs` compare more
//! kinds of searches with the twin.

use super::{Id, ROOT, Twin};
use crate::backpropagation::{Average, Backprop, ScoreBounds, Solver};
use crate::game::{Belief, GameFault, GameState, Rng, Turn};
use crate::iteration::FedBy;
use crate::iteration::expansion::{Expansion, Order};
use crate::iteration::nodes::home;
use crate::iteration::path::{NodeOf, TreeOf};
use crate::iteration::root_actions::RootActions;
use crate::programs::table::{Payoff, Position, Recipe, Shape, Walk};
use crate::run::budget::Budget;
use crate::search::engine::window::{Counted, InFlight, Unobserved, Window};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::search::search_trait::Search;
use crate::search::{OpenPlanning, Planning, Pomdp, Transpositions};
use crate::selection::{FirstPlay, Grave, Puct, TreePolicy, Ucb1};
use crate::simulation::{Mast, RolloutPolicy, Uniform, WithPriors};
use crate::sized;
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use std::collections::HashSet;

/// Makes iterations of a twin, and returns how many.
type Run<T> = fn(&mut T, u64) -> Result<u64, GameFault>;

/// A search and its twin. `B` is the backpropagation of their trees.
#[derive(Clone)]
pub(crate) struct Beside<M, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> {
    pub search: M,
    pub twin: Twin<S, P, R, B>,
    run: Run<Twin<S, P, R, B>>,
}

/// A search of one tree.
pub(crate) trait OfOneTree<S: Space, P: FedBy<S::Game, R>, R, B: Backprop<S::Game>>:
    Search<Space = S>
{
    fn one_tree(&self) -> &OneTree<S, P, R, B>;
}

impl<S, P, R, B> OfOneTree<S, P, R, B> for Mcts<S, P, R, B>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    fn one_tree(&self) -> &OneTree<S, P, R, B> {
        &self.trees
    }
}

impl<S, P, R, B> OfOneTree<S, P, R, Counted<B>> for Mcts<S, P, R, B, Window>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    fn one_tree(&self) -> &OneTree<S, P, R, Counted<B>> {
        &self.trees.search
    }
}

impl<M, S, P, R, B> Beside<M, S, P, R, B>
where
    M: OfOneTree<S, P, R, B>,
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    pub fn set_expansion(&mut self, expansion: Expansion) {
        self.search.set_expansion(expansion);
        self.twin.set_expansion(expansion);
    }

    pub fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.search.set_root_actions(actions.clone());
        self.twin.set_root_actions(actions);
        self.compare("set_root_actions");
    }

    pub fn run(&mut self, iterations: u64) {
        let report = self.search.run(Budget::iterations(iterations)).expect("a run");
        let made = (self.run)(&mut self.twin, iterations).expect("a run of the twin");
        assert_eq!(report.iterations, made, "iterations");
        self.compare("run");
    }

    pub fn advance(&mut self, action: &ActionOf<S>) {
        self.search.advance(action.clone()).expect("a legal action");
        self.twin.advance(action);
        self.compare("advance");
    }

    pub fn reset(&mut self, space: S) {
        self.search.reset(space.clone());
        self.twin.reset(space);
        self.compare("reset");
    }

    pub fn continue_at(&mut self, space: S) {
        self.search.continue_at(space.clone());
        self.twin.continue_at(space);
        self.compare("continue_at");
    }

    fn compare(&self, call: &str) {
        self.twin.compare(self.search.one_tree(), call);
    }
}

impl<S, P, R, B> Twin<S, P, R, B>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    B: Backprop<S::Game>,
{
    /// Panics unless every node of the search is the same as in the twin, and the generators go on alike.
    pub fn compare(&self, search: &OneTree<S, P, R, B>, call: &str) {
        let tree = &search.tree;
        assert_eq!(tree.is_empty(), self.nodes.is_empty(), "after {call}: one has no root");
        if !tree.is_empty() {
            self.compare_node(tree, tree.root(), ROOT, &mut Vec::new(), &mut HashSet::new(), call);
        }
        let (mut search, mut twin) = (search.rng.clone(), self.rng.clone());
        assert_eq!(search.bits(), twin.bits(), "after {call}: the generator");
    }

    fn compare_node(
        &self,
        tree: &TreeOf<S, P, B>,
        node: NodeOf<'_, S, P, B>,
        twin: Id,
        line: &mut Vec<ActionOf<S>>,
        seen: &mut HashSet<Id>,
        call: &str,
    ) {
        let place = home::<S, P, B>(tree, node);
        let home = self.home(twin);
        for (node, id, what) in [(node, twin, "node"), (place, home, "position")] {
            let other = &self.nodes[id];
            let here = || format!("after {call}, {what} {line:?}");
            assert_eq!(node.visit_count(), other.visits(), "{}: visits", here());
            assert_eq!(
                node.mean().to_bits(),
                other.mean().to_bits(),
                "{}: mean {} {}",
                here(),
                node.mean(),
                other.mean()
            );
            assert_eq!(node.reward_units_of(node.visit_count()), other.sum.get(), "{}: sum", here());
            if id != ROOT && !S::ARE_GUESSED {
                assert_eq!(node.is_closed(), other.is_closed.get(), "{}: closed", here());
            }
        }
        assert_eq!(S::ARE_POSITIONS && node.link() != crate::tree::ROOT, home != twin, "{line:?}: position");
        if !seen.insert(home) {
            return;
        }
        let children = Vec::from_iter(tree.children_of(place.link()));
        let others = &self.nodes[home].children;
        assert_eq!(children.len(), others.len(), "after {call}, {line:?}: children");
        for (child, &other) in children.into_iter().zip(others) {
            line.push(child.action());
            assert!(child.has_action(&self.nodes[other].child.action), "after {call}: order at {line:?}");
            self.compare_node(tree, child, other, line, seen, call);
            line.pop();
        }
    }
}

/// Returns random settings of growth that go with these nodes and policies.
fn settings<S: Space, P: FedBy<S::Game, R>, R>(rng: &mut Rng) -> Expansion {
    let mut set = Expansion::default();
    if rng.below(2) == 0 {
        set = set.on_visit(1 + rng.below(4) as u32);
    }
    if rng.below(2) == 0 && !S::ARE_GUESSED {
        set = set.widening(1.0 + rng.unit() * 2.0, rng.unit());
    }
    if rng.below(3) == 0 {
        set = set.order(Order::AsListed);
    }
    if P::Stats::INITIALIZES && P::Stats::default().promise().is_some() && rng.below(3) == 0 {
        set = set.order(Order::Prior);
    }
    if rng.below(3) == 0 && P::FIRST_PLAY.is_some() {
        let value = rng.unit() as f32;
        set = set.first_play([FirstPlay::BelowMean(value), FirstPlay::Value(value)][rng.below(2)]);
    }
    if rng.below(4) == 0 {
        set = set.depth(1 + rng.below(4) as u32);
    }
    set
}

/// Plays a random program of calls with a search and its twin.
fn program<S, P, R, B>(space: S, tree_policy: P, rollout_policy: R, backprop: B, seed: u64)
where
    S: Space,
    P: FedBy<S::Game, R> + Clone,
    R: RolloutPolicy<S::Game> + Clone,
    B: Backprop<S::Game> + Clone,
{
    let twin = Twin::new(space.clone(), tree_policy.clone(), rollout_policy.clone(), backprop.clone(), seed);
    let search = search(space.clone(), tree_policy, rollout_policy, backprop, seed);
    play(Beside { search, twin, run: Twin::run }, &space, seed);
}

/// Does the same with a window.
fn program_with_window<S, P, R, B>(space: S, tree_policy: P, rollout_policy: R, backprop: B, seed: u64)
where
    S: Space,
    P: FedBy<S::Game, R> + Clone,
    R: RolloutPolicy<S::Game> + Clone,
    B: Backprop<S::Game> + Clone,
{
    let counted = Counted::by(InFlight, backprop.clone());
    let twin = Twin::new(space.clone(), tree_policy.clone(), rollout_policy.clone(), counted, seed);
    let search = search(space.clone(), tree_policy, rollout_policy, backprop, seed);
    use Unobserved::{Loss, Mean};
    let runs: [(usize, Unobserved, Run<Twin<_, _, _, _>>); 3] = [
        (1, Loss, |twin, n| twin.run_window(n, 1, Loss)),
        (5, Loss, |twin, n| twin.run_window(n, 5, Loss)),
        (9, Mean, |twin, n| twin.run_window(n, 9, Mean)),
    ];
    let (size, unobserved, run) = runs[seed as usize % 3];
    let search = search.window(size).unobserved(unobserved);
    play(Beside { search, twin, run }, &space, seed);
}

fn search<S: Space, P: TreePolicy<S::Game>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>(
    space: S,
    tree_policy: P,
    rollout_policy: R,
    backprop: B,
    seed: u64,
) -> Mcts<S, P, R, B> {
    Mcts::new(space).seed(seed).rollout_policy(rollout_policy).tree_policy(tree_policy).backprop(backprop)
}

fn play<M, S, P, R, B>(mut both: Beside<M, S, P, R, B>, space: &S, seed: u64)
where
    M: OfOneTree<S, P, R, B> + Clone,
    S: Space,
    P: FedBy<S::Game, R> + Clone,
    R: RolloutPolicy<S::Game> + Clone,
    B: Backprop<S::Game> + Clone,
{
    let mut rng = Rng::seeded(seed);
    for _ in 0..12 {
        let root = both.search.one_tree().root().clone();
        if root.turn() == Turn::Over {
            both.continue_at(space.clone());
            continue;
        }
        let is_choice = matches!(root.turn(), Turn::Player(_));
        match rng.below(12) {
            0..=6 if is_choice => both.run(1 + rng.below(150) as u64),
            7 if is_choice => {
                let actions = Vec::from_iter(root.actions());
                let some = Vec::from_iter(actions.iter().filter(|_| rng.below(2) == 0).cloned());
                let fits = !some.is_empty() && some.len() < actions.len();
                let kept =
                    if rng.below(2) == 0 { RootActions::only(some) } else { RootActions::except(some) };
                let least = rng.below(3) as u32 * 5;
                both.set_root_actions(if fits { kept.at_least(least) } else { RootActions::default() });
            }
            8 => both.set_expansion(settings::<S, P, R>(&mut rng)),
            9 => both = both.clone(),
            10 if rng.below(4) == 0 => both.reset(space.clone()),
            10 if rng.below(3) == 0 => both.continue_at(space.clone()),
            _ => {
                let drawn =
                    if is_choice { root.random_action(&mut rng) } else { root.random_outcome(&mut rng) };
                let Some(action) = drawn else { break };
                both.advance(&action);
            }
        }
    }
}

/// Returns a table from a seed: all sizes, shapes and payoffs.
fn recipe(seed: u64) -> Recipe {
    let mut rng = Rng::seeded(seed);
    let payoffs = [Payoff::Wins, Payoff::Draws, Payoff::Shares, Payoff::Any, Payoff::Even];
    Recipe {
        players: 1 + rng.below(4) as u8,
        rooms: 2 + rng.below(60) as u16,
        width: 1 + rng.below(if seed.is_multiple_of(3) { 14 } else { 5 }) as u8,
        shape: [Shape::Tree, Shape::Dag, Shape::Dag][rng.below(3)],
        payoff: payoffs[rng.below(5)],
        chance: rng.below(2) == 0,
        ..Recipe::new(seed)
    }
}

/// Returns a table in which lines of play may come back.
fn ring(seed: u64) -> Recipe {
    let shape = if seed.is_multiple_of(2) { Shape::Ring } else { Shape::Dag };
    Recipe { shape, mirrored: seed.is_multiple_of(3), ..recipe(seed) }
}

/// Returns the first state of a table.
fn first(recipe: Recipe) -> Position {
    Position::first(recipe.make())
}

fn seeds() -> core::ops::Range<u64> {
    0..sized(40, 4_000)
}

/// Returns a table of one player or two rivals.
fn at_most_two_players(seed: u64) -> Recipe {
    let payoff = [Payoff::Wins, Payoff::Draws, Payoff::Shares][seed as usize % 3];
    Recipe { payoff, players: 1 + seed as u8 % 2, ..recipe(seed) }
}

/// Returns random rollouts with the weights of doors as priors.
fn weights() -> WithPriors<Uniform, fn(&Position, u8) -> f32> {
    WithPriors::new(Uniform, |state, action| {
        let table = &state.world().table;
        table.rooms[usize::from(state.room())].door(action).map_or(0.0, |door| door.weight as f32)
    })
}

#[test]
fn a_search_with_priors_equals_its_twin() {
    for seed in seeds() {
        program(
            first(at_most_two_players(seed)),
            Puct::default(),
            weights(),
            ScoreBounds::<Average>::default(),
            seed,
        );
    }
}

#[test]
fn a_search_with_values_of_moves_equals_its_twin() {
    for seed in seeds() {
        program(first(recipe(seed)), Grave::default(), Mast::default(), Solver::<Average>::default(), seed);
    }
}

#[test]
fn a_search_with_a_window_equals_its_twin() {
    for seed in seeds() {
        let space = first(recipe(seed));
        program_with_window(space.clone(), Ucb1::default(), Uniform, Solver::<Average>::default(), seed);
        let space = Transpositions::new(first(ring(seed)));
        program_with_window(space.clone(), Ucb1::default(), Uniform, Solver::<Average>::default(), seed);
        program_with_window(
            first(at_most_two_players(seed)),
            Puct::default(),
            weights(),
            ScoreBounds::<Average>::default(),
            seed,
        );
    }
}

#[test]
fn an_open_plan_equals_its_twin() {
    for seed in seeds() {
        let plan = Planning::new(Walk(first(recipe(seed)))).discount(0.9).open_loop();
        program(plan, OpenPlanning::<Walk>::tree_policy(), Uniform, Average, seed);
    }
}

#[test]
fn a_plan_by_a_belief_equals_its_twin() {
    for seed in seeds() {
        let belief = Belief::new(vec![Walk(first(recipe(seed))); 20]).expect("particles");
        let plan = Pomdp::new(belief).discount(0.9);
        let plan = if seed % 2 == 0 { plan } else { plan.observations(0.3, 0.3) };
        program(plan, Pomdp::<Walk>::tree_policy(), Uniform, Average, seed);
    }
}

//! [`OneTree`]: one tree with its policies and settings.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::iteration::REPLAYED;
use crate::iteration::expansion::Expansion;
use crate::iteration::nodes::{empty_tree, has_node, is_sampled};
use crate::iteration::path::TreeOf;
use crate::iteration::root_actions::{Mask, RootActions, mask};
use crate::iteration::states::{States, forget_freed};
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::stop_handle::StopHandle;
use crate::selection::{FirstPlay, Spread, TreePolicy};
use crate::simulation::Uniform;
use crate::space::transpositions::stored;
use crate::space::{ActionOf, Space};
use core::fmt;
use core::sync::atomic::{AtomicU32, Ordering};

/// One tree with its policies and settings: an engine has one, or one for each player. A clone shares the stop
/// handle.
#[derive(Clone)]
pub struct OneTree<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> {
    pub(crate) space: S,
    pub(crate) players: u8,
    /// The player whose action led to the root.
    pub(crate) chooser: Player,
    pub(crate) tree: TreeOf<S, P, B>,
    /// The states of nodes, if they keep them.
    pub(crate) states: States<S::Game>,
    pub(crate) tree_policy: P,
    pub(crate) rollout_policy: R,
    pub(crate) backprop: B,
    pub(crate) expansion: Expansion,
    /// If `None`, the tree policy decides; if it does not either, the robust child is played.
    pub(crate) decision: Option<RootDecision>,
    pub(crate) root_actions: RootActions<ActionOf<S>>,
    /// The root actions in terms of the tree; set when iterations start.
    pub(crate) mask: Option<Mask<ActionOf<S>>>,
    pub(crate) memory_limit: usize,
    /// The number of runs, advances and resets so far. It gives each random root decision its own draw.
    pub(crate) moment: u64,
    /// The number of actions at the root, or 0 if they are sampled or chance draws them; set when a run starts.
    pub(crate) width: usize,
    /// The number of the latest iteration. Each search starts its count at a different number.
    pub(crate) iteration: u32,
    /// Whether this run has found that no more memory can be reclaimed at the memory limit.
    pub(crate) is_full: bool,
    /// The first-play urgency of the expansion, or else of the tree policy; set when a run starts.
    pub(crate) first_play: FirstPlay,
    pub(crate) rng: Rng,
    /// How far the rewards lie apart.
    pub(crate) spread: Spread,
    /// Determines the random root decisions, together with `moment`.
    pub(crate) decision_seed: u64,
    /// Determines the random order in which children are created.
    pub(crate) salt: u64,
    pub(crate) stop: StopHandle,
    /// The keys of the positions that the game had before the root, in ascending order, if the search
    /// recognises positions.
    pub(crate) earlier: Vec<u128>,
    /// This field and the next one are buffers, kept to reuse their memory.
    pub(crate) actions: Vec<ActionOf<S>>,
    pub(crate) initial: Vec<P::Stats>,
}

/// An action that is planned and not played yet: what it takes to play it without a question to the game.
pub(crate) struct Step<S> {
    /// The state that is searched next.
    space: S,
    players: u8,
    chooser: Player,
    /// Whether the space was played, and not given: then it follows from the action.
    follows: bool,
    /// Whether the root of the tree moves.
    moves: bool,
    /// The node of the action.
    node: Option<(u32, u32)>,
    /// The key of the root, if the search recognises positions.
    left: Option<u128>,
    /// The key of the next root, and its transformation.
    position: Option<(u128, u32)>,
}

impl<S: Space> OneTree<S, S::TreePolicy, Uniform, S::Backprop> {
    /// Creates a search of `space` with the default policies of the space. Allocates nothing.
    pub fn new(space: S) -> Self {
        OneTree {
            players: space.root().players(),
            space,
            chooser: 0,
            tree: empty_tree::<S, _, _>(),
            states: States::default(),
            tree_policy: S::tree_policy(),
            rollout_policy: Uniform,
            backprop: Default::default(),
            expansion: Expansion::default(),
            decision: None,
            root_actions: RootActions::default(),
            mask: None,
            memory_limit: usize::MAX,
            moment: 0,
            width: 0,
            iteration: first_iteration(),
            is_full: false,
            first_play: FirstPlay::Infinite,
            rng: Rng::seeded(0),
            spread: Spread::default(),
            decision_seed: 0,
            salt: 0,
            stop: StopHandle::default(),
            earlier: Vec::new(),
            actions: Vec::new(),
            initial: Vec::new(),
        }
    }
}

/// Returns the number from which a search counts its iterations. It is far from the numbers of other
/// searches, so that a [`Choice`](crate::selection::Choice) kept from another search is recognized. All
/// searches play the same iterations a second time, so that the same calls find the same faults of a game.
fn first_iteration() -> u32 {
    static SEARCHES: AtomicU32 = AtomicU32::new(0);
    SEARCHES.fetch_add(REPLAYED.wrapping_mul(0x9E37_79B9), Ordering::Relaxed)
}

impl<S: Space, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    /// Swaps the policies and starts a new tree.
    pub fn with<P2: TreePolicy<S::Game>, R2, B2: Backprop<S::Game>>(
        self,
        policies: impl FnOnce(P, R, B) -> (P2, R2, B2),
    ) -> OneTree<S, P2, R2, B2> {
        let (tree_policy, rollout_policy, backprop) =
            policies(self.tree_policy, self.rollout_policy, self.backprop);
        OneTree {
            space: self.space,
            players: self.players,
            chooser: self.chooser,
            tree: empty_tree::<S, _, _>(),
            states: States::default(),
            tree_policy,
            rollout_policy,
            backprop,
            expansion: self.expansion,
            decision: self.decision,
            root_actions: self.root_actions,
            mask: None,
            memory_limit: self.memory_limit,
            moment: 0,
            width: self.width,
            iteration: self.iteration,
            is_full: false,
            first_play: self.first_play,
            rng: self.rng,
            spread: Spread::default(),
            decision_seed: self.decision_seed,
            salt: self.salt,
            stop: self.stop,
            earlier: self.earlier,
            actions: self.actions,
            initial: Vec::new(),
        }
    }

    /// Removes all nodes.
    pub(crate) fn clear(&mut self) {
        self.tree.clear();
        self.states.clear();
    }

    /// If the tree is empty and takes more than `share` bytes, gives them back to the system.
    pub(crate) fn shrink_to(&mut self, share: usize) {
        let is_empty = self.tree.is_empty() || self.tree.root().visit_count() == 0;
        if is_empty && self.bytes() > share {
            (self.tree, self.states) = (empty_tree::<S, _, _>(), States::default());
        }
    }

    /// Returns the bytes that the tree and the states of its nodes take from the system.
    pub(crate) fn bytes(&self) -> usize {
        self.tree.reserved_bytes() + self.states.bytes()
    }

    /// Changing the order in which actions are tried empties the tree.
    pub fn set_expansion(&mut self, expansion: Expansion) {
        if expansion.tries() != self.expansion.tries() {
            self.clear();
        }
        self.expansion = expansion;
    }

    pub fn set_memory_limit(&mut self, limit: usize) {
        if limit > self.memory_limit {
            self.tree.stop_recycling();
        }
        self.memory_limit = limit;
    }

    pub fn set_seed(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
        (self.decision_seed, self.moment) = (seed, 0);
    }

    /// Returns the root state that iterations start from.
    pub fn root(&self) -> &S::Game {
        self.space.root()
    }

    /// Restricts the root to these actions.
    pub(crate) fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.root_actions = actions;
        self.forget_plan();
    }

    /// Lets the tree policy forget the plan of the last run, which names children by their places.
    pub(crate) fn forget_plan(&mut self) {
        self.tree_policy.begin(Some(0), &mut self.rng.clone());
    }

    /// Returns the mask of the root, if its actions are restricted.
    pub(crate) fn masked(&self) -> Option<Mask<ActionOf<S>>> {
        if self.root_actions.are_all() { None } else { Some(mask::<S>(&self.root_actions, self.root())) }
    }

    /// Plans to play `action`, which leads to `space` if that is given: asks the game and compares actions.
    /// If the game fails or panics, or the comparison does, the root and the tree are unchanged.
    pub(crate) fn plan(&mut self, action: &ActionOf<S>, space: Option<S>) -> Result<Step<S>, SearchError> {
        let follows = space.is_none();
        let turn = if follows { self.turn()? } else { self.root().turn() };
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(SearchError::game(GameFault::UnknownPlayer { player, players: self.players }, 0));
        }
        if follows && !self.accepts(action) {
            return Err(SearchError::illegal(action));
        }
        let left = S::position(self.root()).map(|(key, _)| key);
        let stored = stored::<S>(self.root(), action.clone());
        let (space, players) = match space {
            Some(next) => {
                let players = next.root().players();
                (next, players)
            }
            None => {
                let mut next = self.space.clone();
                if S::IS_SIMULATED {
                    next.set_rng(Rng::seeded(self.rng.bits()));
                }
                next.play(action.clone());
                SearchError::unless_failed(0)?;
                (next, self.players)
            }
        };
        let position = S::position(space.root());
        SearchError::unless_failed(0)?;
        let chooser = if let Turn::Player(player) = turn { player } else { self.chooser };
        let (moves, node) = (has_node::<S>(turn), self.tree.find_line([&stored]));
        Ok(Step { space, players, chooser, follows, moves, node, left, position })
    }

    /// Plays a planned action. This asks the game nothing and compares no actions.
    pub(crate) fn take_step(&mut self, step: Step<S>) {
        let Step { space, players, chooser, follows, moves, node, left, position } = step;
        (self.space, self.players, self.chooser) = (space, players, chooser);
        self.moment += 1;
        self.root_actions = RootActions::default();
        // The drop of an action may panic when the tree has moved, so the root state has moved before.
        if S::IS_SIMULATED {
            self.clear();
        } else if moves {
            self.advance_tree(node, position, chooser);
        }
        if let Some(key) = left {
            self.go_on(key, position);
        }
        forget_freed::<S, P, B>(&mut self.states, &self.tree);
        if !follows {
            self.states.clear(); // the state after the action may not be the one that the tree knows
        }
    }

    /// Returns whether [`advance`](Self::advance) accepts `action`: it is legal, or the search has sampled
    /// it.
    pub(crate) fn accepts(&self, action: &ActionOf<S>) -> bool {
        self.space.can_play(self.space.root(), action.clone()) || is_sampled::<S, P, B>(&self.tree, action)
    }

    /// Returns the turn at the root, or an error if the game is over there or names an unknown player.
    pub(crate) fn turn(&self) -> Result<Turn, SearchError> {
        self.turn_at(self.root())
    }

    /// Does what [`turn`](Self::turn) does, for the root state `root`.
    pub(crate) fn turn_at(&self, root: &S::Game) -> Result<Turn, SearchError> {
        let (players, turn) = (self.players, root.turn());
        let fault = match turn {
            _ if !(1..=MAX_PLAYERS).contains(&usize::from(players)) => GameFault::Players { players },
            Turn::Player(player) if player >= players => GameFault::UnknownPlayer { player, players },
            Turn::Over => return Err(SearchError::GameOver),
            Turn::Player(_) | Turn::Chance => return Ok(turn),
        };
        Err(SearchError::game(fault, 0))
    }
}

impl<S: Space + fmt::Debug, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>> fmt::Debug
    for OneTree<S, P, R, B>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("state", &self.space)
            .field("expansion", &self.expansion)
            .field("root_decision", &self.decision)
            .field("nodes", &self.tree.children())
            .field("bytes", &self.bytes())
            .finish_non_exhaustive()
    }
}

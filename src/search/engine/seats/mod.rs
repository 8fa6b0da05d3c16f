//! [`PlayerTrees`]: a search in which each player has a tree of its own. `joint` makes the iterations, and
//! `walker` is the way of one through one tree. `outcome_sampling` does the same with other choices. Uses the
//! rest of `search`, and all layers below it.

mod joint;
mod outcome_sampling;
#[cfg(test)]
mod tests;
pub(crate) mod untold;
mod walker;

pub use outcome_sampling::OutcomeSampling;

use crate::__sealed::Sealed;
use crate::backpropagation::Average;
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn, try_apply};
use crate::iteration::FedBy;
use crate::iteration::root_actions::RootActions;
use crate::run::budget::{Budget, Every};
use crate::run::clock::WallClock;
use crate::run::error::SearchError;
use crate::run::report::root_decision::RootDecision;
use crate::run::report::{ActionReport, Report};
use crate::search::engine::{Advance, Engine, Run, Trees};
use crate::search::mcts::Mcts;
use crate::search::one_tree::OneTree;
use crate::search::run::drive;
use crate::selection::{AvailabilityUcb1, TreePolicy};
use crate::simulation::{RolloutPolicy, Uniform};
use crate::space::sealed::Workings;
use crate::space::seat::Seat;
use crate::space::{ActionOf, Space};
use crate::statistics::Statistics;
use core::fmt;
use core::marker::PhantomData;
use joint::{Iterate, Joint};
use untold::Untold;

/// The [engine](crate::search::Engine) with a tree for each player, for games in which players do not see the
/// same; see [`Mcts::player_trees`] and, for `I` = [`OutcomeSampling`], [`Mcts::outcome_sampling`].
///
/// A node of a player's tree stands for what this player has seen since the root: its own actions, and what
/// it [observes](crate::HiddenInformation::observe) of the others' and of chance. In each iteration, the
/// players play one line of the game: at its turn, a player chooses in its own tree. So nobody uses what it
/// has not seen.
///
/// - **Simultaneous moves** ([`GameState::is_simultaneous`]): nobody sees the choices of a step before all
///   have chosen. The tree policy decides which algorithm this is. With [`AvailabilityUcb1`], the default, it
///   is *decoupled UCT*, which need not approach an equilibrium: two players who follow it may even fall into
///   step. With [`RegretMatching`](crate::selection::RegretMatching) or [`Exp3`](crate::selection::Exp3), the
///   strategies of two players with opposed interests do.
/// - **Hidden information**: over an [`InformationSet`](crate::search::InformationSet), each iteration begins
///   with a guess of what its observer has not seen. This is *MO-ISMCTS*. Unlike in a search of the
///   `InformationSet` itself, the others do not answer to what the observer does in secret. They still answer
///   to its cards, which are the same in every guess. They act by their own cards if the game says what these
///   are ([`private_knowledge`](crate::HiddenInformation::private_knowledge)).
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::RegretMatching;
///
/// /// Rock-paper-scissors in which player 0 gets more for rock: the equilibrium is not uniform.
/// #[derive(Clone, Default)]
/// struct Game { chosen: Vec<u8> }
///
/// impl GameState for Game {
///     type Action = u8;
///     fn turn(&self) -> Turn {
///         if self.chosen.len() < 2 { Turn::Player(self.chosen.len() as u8) } else { Turn::Over }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> {
///         0..if self.chosen.len() < 2 { 3 } else { 0 }
///     }
///     fn apply(&mut self, action: u8) {
///         self.chosen.push(action);
///     }
///     fn reward(&self, player: Player) -> f64 {
///         const FIRST: [[f64; 3]; 3] = [[0.5, 0.0, 1.0], [0.75, 0.5, 0.0], [0.0, 1.0, 0.5]];
///         let first = FIRST[usize::from(self.chosen[0])][usize::from(self.chosen[1])];
///         if player == 0 { first } else { 1.0 - first }
///     }
///     fn is_simultaneous(&self) -> bool {
///         true // player 1 does not see what player 0 chooses
///     }
/// }
///
/// let mut search = Mcts::player_trees(Game::default()).tree_policy(RegretMatching::default());
/// let report = search.run(Budget::iterations(20_000))?;
/// println!("player 0 draws {} this time", report.best_action());
/// for player in 0..2 {
///     println!("player {player}: {:?}", search.strategy(player, &[]));
/// }
/// # let strategy = search.strategy(0, &[]);
/// # assert_eq!(strategy.len(), 3);
/// # assert!((strategy.iter().map(|(_, probability)| probability).sum::<f64>() - 1.0).abs() < 1e-6);
/// # Ok::<(), SearchError>(())
/// ```
///
/// # Reports
///
/// A report is that of the player to move; [`report_of`](Mcts::report_of) gives those of the others who
/// choose at the same time. (Over an `InformationSet` it is that of the observer, if the player to move acts
/// by its [knowledge](crate::HiddenInformation::private_knowledge) and the observer chooses at the same time.)
/// Where the players choose at the same time, the action to play is that of [`RootDecision::Mixed`], unless you set another decision: drawn from the strategy of the tree policy if it
/// has one, as [`RegretMatching`](crate::selection::RegretMatching) and [`Exp3`](crate::selection::Exp3)
/// have, and else the most visited action. [`strategy`](Mcts::strategy) has the probabilities.
///
/// # Moving the root
///
/// By [`advance`](Mcts::advance), each player's tree keeps what follows from what the player has seen of the
/// action. The trees of players who act by their [knowledge](crate::HiddenInformation::private_knowledge) are
/// emptied. In a step of simultaneous moves, play the choices of all players, one after the other, before you
/// search again. The players see them when the step ends. A run or a report before that is a
/// [`SearchError::MidStep`].
///
/// By [`advance_to`](Mcts::advance_to), players see of the action what they see of it in the state before. If
/// you do not know what another player did, [`reset`](Mcts::reset) the search, to a state that is not in the
/// middle of a step. If the new space has another observer, the trees are emptied. If the new state has
/// another number of players, the next run returns [`SearchError::OtherPlayers`].
///
/// # What you can combine with it
///
/// Tree policies that see unvisited children and read no priors, and that keep no statistics of the actions
/// of whole iterations. Rollout policies except [`BestLine`](crate::simulation::BestLine). Rewards are
/// averaged. The memory limit is divided among the trees. The seed fixes the result.
///
/// **Cost:** at each node on its path, an iteration compares the legal actions with the stored ones, each
/// with each.
///
/// **Source:** Cowling, Powley and Whitehouse, *Information Set Monte Carlo Tree Search*, 2012, MO-ISMCTS;
/// Tak, Lanctot and Winands, *Monte Carlo Tree Search Variants for Simultaneous Move Games*, 2014, decoupled
/// UCT. The sources add one node per iteration; here an iteration goes on until a player is to move whose own
/// tree it has left, and adds to each tree all nodes up to there.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct PlayerTrees<I = ()>(PhantomData<I>);

/// How the players choose in their trees: by [`OutcomeSampling`], or `()` for the tree policy. Sealed.
pub trait Rule: Copy + Sealed {
    /// The state of the rule between two runs. Actions of the game are `A`.
    type Memory<A: Clone>: Default + Clone;
}

impl Rule for () {
    type Memory<A: Clone> = ();
}

/// The trees of all players.
#[derive(Clone)]
pub struct Seats<S: Space, P: TreePolicy<S::Game>, R, I: Rule> {
    /// The tree of each player. The state of each is the root, after any choices of the players who choose
    /// before the owner at the same time.
    pub(crate) searches: Vec<OneTree<Seat<S>, P, R, Average>>,
    /// The state after the actions of the step that is under way, and what the players will see of these when
    /// it ends.
    pub(crate) space: S,
    pub(crate) untold: Untold<ActionOf<S>>,
    /// If `None`, and the players choose at the same time, the action to play is drawn.
    pub(crate) decision: Option<RootDecision>,
    pub(crate) memory_limit: usize,
    pub(crate) rule: I,
    memory: I::Memory<ActionOf<S>>,
    /// Why the trees could not move to the new root. The next run tries again.
    pub(crate) unplaced: Option<SearchError>,
}

/// Where the trees begin.
pub(crate) struct Places<S> {
    pub(crate) seats: Vec<Seat<S>>,
    /// How the action to play is chosen there.
    pub(crate) decision: Option<RootDecision>,
    /// The players whose trees begin with what they know, one bit each.
    known: u64,
}

impl<S: Space> Mcts<S, AvailabilityUcb1, Uniform, Average, PlayerTrees> {
    /// Creates a search with a tree for each player; see [`PlayerTrees`]. `space` is not in the middle of a
    /// step of simultaneous moves.
    ///
    /// The defaults are [`AvailabilityUcb1`], uniform rollouts, seed 0 and no memory limit.
    pub fn player_trees(space: S) -> Self {
        Mcts { trees: Seats::new(space, (), &AvailabilityUcb1::default()) }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, I: Rule> Mcts<S, P, R, Average, PlayerTrees<I>> {
    /// Sets the tree policy and starts new trees. \[Default: that of the constructor\]
    pub fn tree_policy<Q: TreePolicy<S::Game> + Clone>(
        self,
        tree_policy: Q,
    ) -> Mcts<S, Q, R, Average, PlayerTrees<I>> {
        let trees =
            self.trees.map(|tree| tree.with(|_, rollout, average| (tree_policy.clone(), rollout, average)));
        Mcts { trees }
    }

    /// Sets the rollout policy and starts new trees. \[Default: [`Uniform`]\]
    pub fn rollout_policy<Q: RolloutPolicy<S::Game> + Clone>(
        self,
        rollout_policy: Q,
    ) -> Mcts<S, P, Q, Average, PlayerTrees<I>> {
        let trees =
            self.trees.map(|tree| tree.with(|policy, _, average| (policy, rollout_policy.clone(), average)));
        Mcts { trees }
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, I: Rule> Engine<S, P, R, Average> for PlayerTrees<I> {
    type Trees = Seats<S, P, R, I>;
}

impl<I> Sealed for PlayerTrees<I> {}

impl<S: Space, P: TreePolicy<S::Game>, R> Advance<S> for Seats<S, P, R, ()> {
    fn advance(&mut self, action: ActionOf<S>, space: Option<S>) -> Result<(), SearchError> {
        self.place_again()?;
        let turn = self.space.root().turn();
        let space = match space {
            Some(space) => space,
            None => self.play(&action)?,
        };
        let mut untold = self.untold.clone();
        untold.note::<S>(self.space.root(), turn, &action, self.searches.len() as Player);
        // What each player sees.
        let mut lines = vec![Vec::new(); self.searches.len()];
        if let Turn::Player(player) = turn
            && let Some(line) = lines.get_mut(usize::from(player))
        {
            line.push(action);
        }
        let mut places = None;
        if !untold.step_goes_on::<S>(space.root()) {
            untold.take().for_each(|(observer, seen, _)| lines[usize::from(observer)].push(seen));
            places = Some(self.places(&space)?);
        }
        let find = |(search, line): (&OneTree<_, _, _, _>, &Vec<_>)| search.tree.find_line(line);
        let nodes: Vec<_> = self.searches.iter().zip(&lines).map(find).collect();
        let has_other_observer = space.observer() != self.space.observer();
        let knew = self.knowing();
        SearchError::unless_failed(0)?;
        // From here on, the game is not asked any more, and no actions are compared.
        for ((search, line), node) in self.searches.iter().zip(lines).zip(nodes) {
            if !line.is_empty() {
                search.tree.advance(node);
            }
        }
        (self.space, self.untold) = (space, untold);
        if let Some(places) = places {
            let known = knew | places.known;
            self.take_places(places);
            for (player, search) in self.searches.iter_mut().enumerate() {
                if has_other_observer || known >> player & 1 == 1 {
                    search.clear();
                }
            }
        }
        Ok(())
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, I: Rule> Trees<S, P, R> for Seats<S, P, R, I> {
    type Space = Seat<S>;
    type Backprop = Average;

    /// Returns what is searched, after all actions that were played.
    fn space(&self) -> &S {
        &self.space
    }

    fn first(&self) -> &OneTree<Seat<S>, P, R, Average> {
        &self.searches[0]
    }

    fn each(&mut self, set: impl FnMut(&mut OneTree<Seat<S>, P, R, Average>)) {
        self.searches.iter_mut().for_each(set);
    }

    fn bytes(&self) -> usize {
        self.searches.iter().map(|search| search.tree.reserved_bytes()).sum()
    }

    fn set_seed(&mut self, seed: u64) {
        let mut seeds = Rng::seeded(seed);
        self.each(|search| search.set_seed(seeds.bits()));
    }

    /// Each tree gets a share when a run begins.
    fn set_memory_limit(&mut self, limit: usize) {
        self.memory_limit = limit;
    }

    fn set_root_decision(&mut self, decision: Option<RootDecision>) {
        self.decision = decision;
        let decision = self.decision_at(self.root());
        self.each(|search| search.decision = decision);
    }

    /// The actions are those of the player whom the report is about.
    fn set_root_actions(&mut self, actions: RootActions<ActionOf<S>>) {
        self.each(|search| {
            search.root_actions = RootActions::default();
            search.forget_plan();
        });
        let reporter = self.reporter();
        self.searches[reporter].root_actions = actions;
    }

    /// If the new game has another number of players, the next run returns [`SearchError::OtherPlayers`].
    fn reset(&mut self, space: S) {
        let anew = |owner| Seat { inner: space.clone(), owner };
        let seats: Vec<_> = self.searches.iter().map(|search| anew(search.space.owner)).collect();
        let places = SearchError::asking(|| self.places(&space));
        // From here on, no state is cloned, so all trees move.
        self.space = space;
        self.untold.clear();
        self.memory = I::Memory::default();
        for (search, seat) in self.searches.iter_mut().zip(seats) {
            search.reset(seat);
        }
        self.take(places);
    }
}

impl<S: Space, P: TreePolicy<S::Game> + Clone, I: Rule> Seats<S, P, Uniform, I> {
    /// Plants a tree for each player of `space`.
    fn new(space: S, rule: I, tree_policy: &P) -> Self {
        const {
            assert!(
                !S::IS_OBSERVED,
                "`PlayerTrees` show each player what it sees: search an `InformationSet` with them, not an `ObservedMoves`"
            );
            assert!(!S::IS_SIMULATED, "`PlayerTrees` cannot search a simulator: use `Mcts::new(plan)`");
        }
        let trees = usize::from(space.root().players()).clamp(1, MAX_PLAYERS);
        let tree = |owner| {
            let tree = OneTree::new(Seat { inner: space.clone(), owner });
            tree.with(|_, rollout_policy, backprop| (tree_policy.clone(), rollout_policy, backprop))
        };
        let mut seats = Seats {
            searches: (0..trees as Player).map(tree).collect(),
            space,
            untold: Untold::new(),
            decision: None,
            memory_limit: usize::MAX,
            rule,
            memory: I::Memory::default(),
            unplaced: None,
        };
        seats.set_seed(0);
        seats.place();
        seats
    }
}

impl<S: Space, P: TreePolicy<S::Game>, R, I: Rule> Seats<S, P, R, I> {
    /// Swaps policies in each tree.
    fn map<P2: TreePolicy<S::Game>, R2>(
        self,
        change: impl Fn(OneTree<Seat<S>, P, R, Average>) -> OneTree<Seat<S>, P2, R2, Average>,
    ) -> Seats<S, P2, R2, I> {
        let Seats { searches, space, untold, decision, memory_limit, rule, memory, unplaced } = self;
        let searches = searches.into_iter().map(change).collect();
        Seats { searches, space, untold, decision, memory_limit, rule, memory, unplaced }
    }

    /// Returns how the action to play is chosen, where iterations begin at `root`.
    fn decision_at(&self, root: &S::Game) -> Option<RootDecision> {
        self.decision.or(root.is_simultaneous().then_some(RootDecision::Mixed))
    }

    /// Returns the space after `action`.
    fn play(&self, action: &ActionOf<S>) -> Result<S, SearchError> {
        self.searches[0].turn_at(self.space.root())?;
        if !self.space.root().is_legal(action.clone()) {
            return Err(SearchError::illegal(action));
        }
        let mut space = self.space.clone();
        space.play(action.clone());
        SearchError::unless_failed(0)?;
        Ok(space)
    }

    /// Returns where the trees begin if `space` is searched: each in a state in which its owner is to move,
    /// if its owner is one of those who choose there. The caller looks whether the game has failed.
    pub(crate) fn places(&self, space: &S) -> Result<Places<S>, SearchError> {
        let mut seats: Vec<_> =
            (0..self.searches.len() as Player).map(|owner| Seat { inner: space.clone(), owner }).collect();
        let (mut state, mut last) = (space.root().clone(), None);
        while let (true, Turn::Player(player)) = (state.is_simultaneous(), state.turn()) {
            let Some(own) = seats.get_mut(usize::from(player)) else { break };
            if last >= Some(player) {
                break;
            }
            last = Some(player);
            own.set_root(state.clone());
            let Some(any) = state.actions().into_iter().next() else { break };
            if try_apply(&mut state, any).is_err() {
                break;
            }
        }
        let root = seats[0].root();
        let (decision, known) = (self.decision_at(root), knowing(&seats.iter().collect::<Vec<_>>()));
        Ok(Places { seats, decision, known })
    }

    /// Lets each tree begin at its place.
    fn take_places(&mut self, Places { seats, decision, .. }: Places<S>) {
        for (search, seat) in self.searches.iter_mut().zip(seats) {
            search.moment += 1;
            search.root_actions = RootActions::default();
            (search.chooser, search.decision) = (seat.owner, decision);
            search.space = seat;
        }
        self.unplaced = None;
    }

    /// Makes the state of the game the root.
    fn place(&mut self) {
        let places = SearchError::asking(|| self.places(&self.space));
        self.take(places);
    }

    /// Lets each tree begin at its place, or notes why it does not.
    fn take(&mut self, places: Result<Places<S>, SearchError>) {
        match places {
            Ok(places) => self.take_places(places),
            Err(error) => self.unplaced = Some(error),
        }
    }

    /// If the game failed when the trees were to be placed, tries again.
    pub(crate) fn place_again(&mut self) -> Result<(), SearchError> {
        if self.unplaced.is_some() {
            self.place();
        }
        self.unplaced.clone().map_or(Ok(()), Err)
    }

    /// Returns an error if the trees do not begin where the players choose.
    fn check_places(&self) -> Result<(), SearchError> {
        let mid_step = self.untold.is_in_step().then_some(SearchError::MidStep);
        mid_step.or(self.unplaced.clone()).map_or(Ok(()), Err)
    }

    /// Returns the state at which iterations begin. It is the state of the first tree: nobody chooses before
    /// player 0.
    fn root(&self) -> &S::Game {
        self.searches[0].root()
    }

    /// Returns the players whose trees begin with what they know in each guess, one bit each.
    fn knowing(&self) -> u64 {
        knowing(&self.searches.iter().map(|search| &search.space).collect::<Vec<_>>())
    }

    /// Returns the number of the tree that reports: that of the player to move, or of the first player who
    /// sees each outcome of chance. If the player to move knows something else in each guess, the
    /// observer's tree reports.
    fn reporter(&self) -> usize {
        let sees_all = |player: &usize| {
            let sees = |outcome: ActionOf<S>| {
                S::seen(self.root(), outcome.clone(), *player as Player).as_ref() == Some(&outcome)
            };
            self.root().actions().into_iter().all(sees)
        };
        match self.root().turn() {
            Turn::Player(player) if usize::from(player) < self.searches.len() => {
                let observer = self.space.observer().filter(|_| self.knowing() >> player & 1 == 1);
                usize::from(observer.unwrap_or(player))
            }
            Turn::Chance => (0..self.searches.len()).find(sees_all).unwrap_or(0),
            _ => 0,
        }
    }
}

/// Returns what each tree may take of `limit` bytes, where the trees have these sizes. Trees that take more
/// than their share keep what they have, and the others share the rest.
fn share_of(limit: usize, mut sizes: Vec<usize>) -> usize {
    sizes.sort_unstable();
    let mut left = limit;
    while let Some(&greatest) = sizes.last()
        && greatest > left / sizes.len()
    {
        left = left.saturating_sub(greatest);
        sizes.pop();
    }
    left.checked_div(sizes.len()).unwrap_or(0)
}

/// Returns whether the player who observes the guesses is one of those who choose at the root.
fn observer_chooses<'a, S: Space + 'a>(mut seats: impl Iterator<Item = &'a Seat<S>>) -> bool {
    seats.any(|seat| seat.inner.observer() == Some(seat.owner) && seat.chooses())
}

/// Returns the players whose trees begin with what these players know in each guess, one bit each.
fn knowing<S: Space>(seats: &[&Seat<S>]) -> u64 {
    let mut players = 0;
    let observer_chooses = observer_chooses(seats.iter().copied());
    for (player, seat) in (0..).zip(seats) {
        if seat.learns_what_it_knows(observer_chooses) {
            S::known(seats[0].root(), player, &mut |_| players |= 1 << player);
        }
    }
    players
}

impl<S, P, R, I> Seats<S, P, R, I>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    I: Rule,
{
    /// Searches with these iterations.
    fn run_by(
        &mut self,
        iterate: &mut impl Iterate<S, P, R>,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let clock = WallClock::start();
        let own = |error, limit| match error {
            SearchError::MemoryLimit { .. } => SearchError::MemoryLimit { limit },
            other => other,
        };
        let limit = self.memory_limit;
        let (turn, reporter) = self.prepare(budget).map_err(|error| own(error, limit))?;
        let bytes = budget.bytes.map_or(usize::MAX, |bytes| bytes.0);
        let mut joint = Joint::new(iterate, &mut self.searches, reporter, bytes);
        let report = drive(&mut joint, turn, budget, every, observer, &clock);
        for search in &mut self.searches {
            search.tree.tidy();
        }
        report.map(|report| self.with_sizes(report)).map_err(|error| own(error, limit))
    }

    /// Shares the memory among the trees.
    fn share_memory(&mut self) {
        let (limit, trees) = (self.memory_limit, self.searches.len());
        self.each(|search| search.shrink_to(limit / trees));
        let sizes = self.searches.iter().map(OneTree::bytes).collect();
        let share = if limit == usize::MAX { limit } else { share_of(limit, sizes) };
        self.each(|search| search.set_memory_limit(share));
    }

    /// Checks the budget and the settings, and creates the roots if there are none. Returns the turn at the
    /// root, and the number of the tree that reports.
    fn prepare(&mut self, budget: Budget) -> Result<(Turn, usize), SearchError> {
        let (reporter, mut turn) = SearchError::asking(|| {
            self.place_again()?;
            self.check_places()?;
            let (players, trees) = (self.root().players(), self.searches.len());
            if (1..=MAX_PLAYERS).contains(&players.into()) && usize::from(players) != trees {
                return Err(SearchError::OtherPlayers { players, trees: trees as u8 });
            }
            let observer = self.searches[0].space.inner.observer();
            if let Some(player) = observer.filter(|&observer| observer >= players) {
                return Err(SearchError::game(GameFault::UnknownPlayer { player, players }, 0));
            }
            Ok((self.reporter(), self.root().turn()))
        })?;
        self.share_memory();
        let stop = self.searches[0].stop.clone();
        for (number, search) in self.searches.iter_mut().enumerate() {
            search.stop = stop.clone();
            let prepared = search.prepare(budget)?;
            search.begin(budget.iterations);
            if number == reporter {
                turn = prepared;
            }
        }
        Ok((turn, reporter))
    }

    /// Writes the sizes of all trees into a report.
    fn with_sizes(&self, mut report: Report<ActionOf<S>>) -> Report<ActionOf<S>> {
        report.nodes = self.searches.iter().map(|search| search.tree.children()).sum();
        report.recycled_nodes = self.searches.iter().map(|search| search.tree.recycled()).sum();
        report.bytes = self.bytes();
        report
    }

    /// Reports on the tree with this number.
    fn report_of(&self, number: usize) -> Result<Report<ActionOf<S>>, SearchError> {
        self.check_places()?;
        Ok(self.with_sizes(self.searches[number].report()?))
    }
}

impl<S, P, R, I> Run<S> for Seats<S, P, R, I>
where
    S: Space,
    P: FedBy<S::Game, R>,
    R: RolloutPolicy<S::Game>,
    I: Rule + Play<S, P, R>,
{
    #[inline(never)]
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        I::run(self, budget, every, observer)
    }

    /// Reports on the tree of the player to move.
    fn report(&self) -> Result<Report<ActionOf<S>>, SearchError> {
        let reporter = SearchError::asking(|| Ok(self.reporter()))?;
        self.report_of(reporter)
    }

    fn actions_after(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        match self.check_places() {
            Ok(()) => self.searches[self.reporter()].actions_after(line),
            Err(_) => Vec::new(),
        }
    }
}

/// How a rule runs.
pub trait Play<S: Space, P: TreePolicy<S::Game>, R>: Rule {
    fn run(
        seats: &mut Seats<S, P, R, Self>,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError>;
}

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>> Play<S, P, R> for () {
    fn run(
        seats: &mut Seats<S, P, R, Self>,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        seats.run_by(&mut (), budget, every, observer)
    }
}

impl<S, P, R, I> Mcts<S, P, R, Average, PlayerTrees<I>>
where
    S: Space,
    P: TreePolicy<S::Game> + Clone,
    R: RolloutPolicy<S::Game> + Clone,
    I: Rule,
    P::Stats: Statistics<S::Game, R>,
{
    /// Reports on the tree of `player`, one of those who choose at the root.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::NotToMove`] if `player` does not choose at the root,
    /// [`SearchError::ActsByKnowledge`] if it [knows](crate::HiddenInformation::private_knowledge) something
    /// else in each guess, and the errors of [`report`](Self::report).
    pub fn report_of(&self, player: Player) -> Result<Report<ActionOf<S>>, SearchError> {
        let (trees, number) = (&self.trees, usize::from(player));
        SearchError::asking(|| {
            trees.check_places()?;
            let is_to_move =
                |search: &OneTree<Seat<S>, P, R, Average>| search.root().turn() == Turn::Player(player);
            if !trees.searches.get(number).is_some_and(is_to_move) {
                return Err(SearchError::NotToMove { player });
            }
            if trees.knowing() >> player & 1 == 1 {
                return Err(SearchError::ActsByKnowledge { player });
            }
            Ok(())
        })?;
        trees.report_of(number)
    }

    /// Returns the strategy of `player` after it has `seen` these actions since the root, its own and those
    /// of others: each action with its probability. What the player
    /// [knows](crate::HiddenInformation::private_knowledge) comes first, unless it is the observer, or chooses
    /// at a root at which the observer does not. If the tree does not reach that far, there are no actions.
    ///
    /// The probabilities are the [improved policy](TreePolicy::improved_policy) of the tree policy, if it has
    /// one, or else the shares of the visits. They sum to 1.
    pub fn strategy(&self, player: Player, seen: &[ActionOf<S>]) -> Vec<(ActionOf<S>, f64)> {
        let trees = &self.trees;
        let search = trees.searches.get(usize::from(player)).filter(|_| trees.check_places().is_ok());
        search.map_or_else(Vec::new, |search| search.strategy(player, seen))
    }
}

impl<S: Space + fmt::Debug, P: TreePolicy<S::Game>, R, I: Rule + fmt::Debug> fmt::Debug
    for Seats<S, P, R, I>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mcts")
            .field("rule", &self.rule)
            .field("space", &self.space)
            .field("trees", &self.searches)
            .finish_non_exhaustive()
    }
}

//! [`OutcomeSampling`]: approaches an equilibrium of a game with hidden information.

use crate::__sealed::Sealed;
use crate::backpropagation::Average;
use crate::game::{GameFault, GameState, MAX_PLAYERS, Player, Rng, Turn};
use crate::iteration::LeafOf;
use crate::parameter::ParameterError;
use crate::run::budget::{Budget, Every};
use crate::run::error::SearchError;
use crate::run::report::Report;
use crate::search::engine::seats::joint::{Iterate, rewards};
use crate::search::engine::seats::untold::Untold;
use crate::search::engine::seats::walker::{TreeNode, Walker};
use crate::search::engine::seats::{Play, PlayerTrees, Rule, Seats};
use crate::search::mcts::Mcts;
use crate::selection::RegretMatching;
use crate::simulation::{MAX_ROLLOUT, RolloutPolicy, Uniform, check_probabilities};
use crate::space::seat::Seat;
use crate::space::{ActionOf, Space};
use crate::tree::NodeRef;
use smallvec::SmallVec;

/// Online outcome sampling (OOS): approaches an equilibrium of a game with hidden information or simultaneous
/// moves.
///
/// A search of an [`InformationSet`](crate::search::InformationSet) looks for a good action against players
/// who do not bluff. This one computes mixed strategies, in a tree for each player. With more iterations, the
/// strategies of two players with opposed interests approach an equilibrium. In each iteration, one player
/// learns how much more each action would have given, and the others' average strategies are updated; the
/// players take turns to learn. (A single player does both.)
///
/// The search always begins at the start of the game. While you play, [`target`](Mcts::target) the lines that
/// agree with what a player has seen.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::HiddenInformation;
///
/// /// Player 0 hides a coin in one of two hands, and player 1 guesses. A coin found in the left hand counts more.
/// #[derive(Clone, Default)]
/// struct Coin { hand: Option<u8>, guess: Option<u8> }
///
/// impl GameState for Coin {
///     type Action = u8; // 0 is the left hand
///     fn turn(&self) -> Turn {
///         match (self.hand, self.guess) {
///             (None, _) => Turn::Player(0),
///             (_, None) => Turn::Player(1),
///             _ => Turn::Over,
///         }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> {
///         0..if self.guess.is_none() { 2 } else { 0 }
///     }
///     fn apply(&mut self, hand: u8) {
///         if self.hand.is_none() { self.hand = Some(hand) } else { self.guess = Some(hand) }
///     }
///     fn reward(&self, player: Player) -> f64 {
///         let found = if self.hand == self.guess { [1.0, 0.5][usize::from(self.hand == Some(1))] } else { 0.0 };
///         if player == 1 { found } else { 1.0 - found }
///     }
/// }
///
/// impl HiddenInformation for Coin {
///     fn determinize(&mut self, observer: Player, rng: &mut Rng) {
///         if observer == 1 && self.guess.is_none() && self.hand.is_some() {
///             self.hand = Some(rng.below(2) as u8);
///         }
///     }
///     fn observe(&self, hand: u8, observer: Player) -> Option<u8> {
///         if self.hand.is_none() && observer == 1 { None } else { Some(hand) } // player 1 does not see where the coin goes
///     }
/// }
///
/// let mut search = Mcts::outcome_sampling(ramure::search::InformationSet::new(Coin::default()));
/// search.run(Budget::iterations(100_000))?;
/// let hides = search.strategy(0, &[]);
/// let left: f64 = hides.iter().filter(|(hand, _)| *hand == 0).map(|(_, probability)| probability).sum();
/// assert!((left - 1.0 / 3.0).abs() < 0.05, "{hides:?}");
/// # Ok::<(), SearchError>(())
/// ```
///
/// A report is about the first decision of the game, or about the outcomes of chance if chance moves first.
///
/// # Which games
///
/// Games in which a player sees each action and each outcome of chance completely, as something that stands
/// for it, or not at all ([`HiddenInformation::observe`](crate::HiddenInformation::observe)), and remembers
/// it. Chance must list its outcomes. No state is guessed: wrap the game in an
/// [`InformationSet`](crate::search::InformationSet) so that the search asks what the players see.
///
/// **Parameters:** [`exploration`](Self::exploration) and [`targeting`](Self::targeting). **Stores** 16 bytes
/// per node besides visits and mean.
///
/// **Source:** Lisý, Lanctot and Bowling, *Online Monte Carlo Counterfactual Regret Minimization for Search
/// in Imperfect Information Games*, 2015, algorithm 1 with information set targeting. Rewards count from 1/2,
/// which changes no expectation. For more than two players, the weight of an average strategy is the reach of
/// its own player. The strategies then need not approach an equilibrium.
#[derive(Clone, Copy, PartialEq, Debug)]
#[must_use = "parameters do nothing by themselves: give them to `Mcts::sampling`"]
pub struct OutcomeSampling {
    epsilon: f64,
    delta: f64,
}

impl Default for OutcomeSampling {
    fn default() -> Self {
        OutcomeSampling { epsilon: 0.4, delta: 0.9 }
    }
}

impl OutcomeSampling {
    /// Sets the share of the choices of the learning player that are uniform, above 0 and at most 1.
    /// \[Default: 0.4\]
    pub const fn exploration(mut self, epsilon: f64) -> Self {
        self.epsilon = epsilon;
        self
    }

    /// Sets the share of the iterations that follow the [target](Mcts::target), from 0 and below 1.
    /// \[Default: 0.9\]
    pub const fn targeting(mut self, delta: f64) -> Self {
        self.delta = delta;
        self
    }
}

/// The state of outcome sampling between two runs.
#[doc(hidden)]
#[derive(Clone)]
pub struct Progress<A> {
    target: Option<(Player, Vec<A>)>,
    /// The player who learns next.
    learner: Player,
}

impl<A> Default for Progress<A> {
    fn default() -> Self {
        Progress { target: None, learner: 0 }
    }
}

impl Sealed for OutcomeSampling {}

impl Rule for OutcomeSampling {
    type Memory<A: Clone> = Progress<A>;
}

impl<S: Space> Mcts<S, RegretMatching, Uniform, Average, PlayerTrees<OutcomeSampling>> {
    /// Creates a search by [`OutcomeSampling`] of the game that starts at `start`.
    pub fn outcome_sampling(start: S) -> Self {
        Mcts { trees: Seats::new(start, OutcomeSampling::default(), &RegretMatching::default()) }
    }
}

impl<S: Space, R: RolloutPolicy<S::Game> + Clone>
    Mcts<S, RegretMatching, R, Average, PlayerTrees<OutcomeSampling>>
{
    /// Sets how the search samples. What was learned before is kept.
    pub fn sampling(mut self, sampling: OutcomeSampling) -> Self {
        self.trees.rule = sampling;
        self
    }

    /// Lets a share of the iterations follow lines of play in which `player` sees all of `seen`, in this
    /// order, from the start of the game: its own actions, and what it saw of the others' and of chance. What
    /// was learned before is kept.
    pub fn target(&mut self, player: Player, seen: &[ActionOf<S>]) {
        self.trees.memory.target = Some((player, seen.to_vec()));
    }

    /// Draws an action from the [`strategy`](Self::strategy) of `player`. Returns `None` if the tree does not
    /// reach that far.
    pub fn draw(&self, player: Player, seen: &[ActionOf<S>], rng: &mut Rng) -> Option<ActionOf<S>> {
        let strategy = self.strategy(player, seen);
        let mut left = rng.unit();
        let drawn = strategy.iter().find(|(_, probability)| {
            left -= probability;
            left < 0.0
        });
        // The sum may be a rounding error below 1.
        drawn.or(strategy.last()).map(|(action, _)| action.clone())
    }
}

impl<S: Space, R: RolloutPolicy<S::Game>> Play<S, RegretMatching, R> for OutcomeSampling {
    fn run(
        seats: &mut Seats<S, RegretMatching, R, Self>,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(&Report<ActionOf<S>>),
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let OutcomeSampling { epsilon, delta } = seats.rule;
        let fits = epsilon > 0.0 && epsilon <= 1.0;
        ParameterError::unless(fits, "OutcomeSampling::exploration", epsilon, "above 0 and at most 1")?;
        let fits = (0.0..1.0).contains(&delta);
        ParameterError::unless(fits, "OutcomeSampling::targeting", delta, "from 0 and below 1")?;
        let target = seats.memory.target.clone();
        let mut sampler = Outcomes {
            epsilon,
            delta: if target.is_some() { delta } else { 0.0 },
            target: target.as_ref().map(|(player, seen)| (*player, seen.as_slice())),
            learner: seats.memory.learner,
            weights: Vec::new(),
        };
        let report = seats.run_by(&mut sampler, budget, every, observer);
        seats.memory.learner = sampler.learner;
        report
    }
}

/// How far the line of play agrees with the target.
#[derive(Clone, Copy, PartialEq)]
enum Agreement {
    /// The target's player has seen so many of the actions, and all of them agree.
    Seen(usize),
    Lost,
}

/// A decision of a player in this iteration.
struct Decided<N> {
    player: Player,
    /// The node, and the child that was chosen.
    node: N,
    child: N,
    /// The probability of the child in the player's strategy.
    probability: f64,
    /// The probability that the player came here, and that the others did, by the strategies.
    own: f64,
    others: f64,
    /// The probability that the iteration came here, divided by that of the outcomes of chance on the way.
    sampled: f64,
}

/// The probabilities that the iteration came to a state.
///
/// All of them leave out the game's own probabilities of the outcomes of chance. These cancel in every
/// quotient, and would underflow in a game with many dice.
struct Reach {
    /// By the strategies: the share of each player.
    players: [f64; MAX_PLAYERS],
    /// By the way the actions were drawn, with the target and without.
    targeted: f64,
    untargeted: f64,
}

impl Reach {
    fn others(&self, player: Player) -> f64 {
        let others = (0..MAX_PLAYERS).filter(|&other| other != usize::from(player));
        others.map(|other| self.players[other]).product()
    }

    /// Returns the probability that the iteration came here, if the share `delta` of the iterations follow
    /// the target.
    fn sampled(&self, delta: f64) -> f64 {
        delta * self.targeted + (1.0 - delta) * self.untargeted
    }
}

/// The line of play of an iteration so far.
struct Line<N> {
    /// Whether the iteration follows the target.
    follows: bool,
    agreement: Agreement,
    reach: Reach,
    /// The decisions of the players that are in their trees.
    decisions: SmallVec<[Decided<N>; 32]>,
}

/// An action that may be drawn: its probability, and whether it agrees with the target.
type Weight = (f64, bool);

/// The iterations of outcome sampling.
pub(crate) struct Outcomes<'a, A> {
    epsilon: f64,
    delta: f64,
    target: Option<(Player, &'a [A])>,
    /// The player who learns in the next iteration.
    learner: Player,
    /// A buffer.
    weights: Vec<Weight>,
}

impl<'a, A: Clone + Eq> Outcomes<'a, A> {
    /// Returns how far the line agrees with the target after `player` has seen `action`.
    fn agreement(&self, before: Agreement, player: Player, action: &A) -> Agreement {
        match (self.target, before) {
            (Some((target, seen)), Agreement::Seen(count)) if target == player && count < seen.len() => {
                if seen[count] == *action {
                    Agreement::Seen(count + 1)
                } else {
                    Agreement::Lost
                }
            }
            _ => before,
        }
    }

    /// Returns what the target's player must see of the next action, if it sees anything of it; `None` if
    /// every action agrees with the target. `untold` is what the player will see when the step ends.
    fn next_seen<S: Space<Game: GameState<Action = A>>>(
        &self,
        agreement: Agreement,
        state: &S::Game,
        turn: Turn,
        untold: &Untold<A>,
    ) -> Option<&'a A> {
        let (Some((target, seen)), Agreement::Seen(count)) = (self.target, agreement) else { return None };
        let place = match turn {
            Turn::Player(player) if player == target => count,
            // In a step, players see their own action first.
            _ => count + untold.count(target) + usize::from(chooses_later::<S>(state, target)),
        };
        seen.get(place)
    }

    /// Returns whether `action` of the player to move, or of chance, agrees with what the target's player
    /// must see `next`.
    fn agrees<S: Space<Game: GameState<Action = A>>>(
        &self,
        next: Option<&A>,
        state: &S::Game,
        turn: Turn,
        action: A,
    ) -> bool {
        let (Some((target, _)), Some(next)) = (self.target, next) else { return true };
        let label = if turn == Turn::Player(target) { Some(action) } else { S::seen(state, action, target) };
        label.is_none_or(|label| label == *next)
    }

    /// Draws an index into `weights`, and updates the probabilities of the ways to draw.
    fn draw<N>(&self, Line { follows, reach, .. }: &mut Line<N>, rng: &mut Rng) -> usize {
        let agreeing: f64 = self.weights.iter().filter(|(_, agrees)| *agrees).map(|(weight, _)| weight).sum();
        let is_restricted = agreeing > 0.0;
        let only_agreeing = *follows && is_restricted;
        let all: f64 = self.weights.iter().map(|(weight, _)| weight).sum();
        let mut left = rng.unit() * if only_agreeing { agreeing } else { all };
        let mut drawn = 0;
        for (index, &(weight, agrees)) in self.weights.iter().enumerate() {
            if weight > 0.0 && (agrees || !only_agreeing) {
                drawn = index;
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        let (weight, agrees) = self.weights[drawn];
        reach.untargeted *= weight / all;
        reach.targeted *= match (is_restricted, agrees) {
            (true, true) => weight / agreeing,
            (true, false) => 0.0,
            (false, _) => weight / all,
        };
        drawn
    }
}

/// Returns whether `player` chooses in the step that is under way in `state`, after the player to move. Who
/// takes part in a step does not depend on the choices.
fn chooses_later<S: Space>(state: &S::Game, player: Player) -> bool {
    let (mut turn, mut last) = (state.turn(), None);
    if !state.is_simultaneous() || !matches!(turn, Turn::Player(first) if first < player) {
        return false;
    }
    let mut state = state.clone();
    while let (true, Turn::Player(next)) = (state.is_simultaneous(), turn) {
        let any = state.actions().into_iter().next();
        let (true, Some(any)) = (last < Some(next) && next < player, any) else {
            return last < Some(next) && next == player;
        };
        last = Some(next);
        state.apply(any);
        turn = state.turn();
    }
    false
}

/// Returns the sum of the regrets above 0, and the number of children.
fn regrets<'t, A: Clone + 't, B: Copy + Default + 't>(
    children: impl Iterator<Item = NodeRef<'t, A, (f64, f64), B>>,
) -> (f64, usize) {
    children.fold((0.0, 0), |(sum, count), child| (sum + child.stats().0.max(0.0), count + 1))
}

/// Returns the probability of a child with this `regret`, by regret matching.
fn matching(regret: f64, (sum, count): (f64, usize)) -> f64 {
    if sum > 0.0 { regret.max(0.0) / sum } else { 1.0 / count as f64 }
}

impl<S: Space, R: RolloutPolicy<S::Game>> Iterate<S, RegretMatching, R> for Outcomes<'_, ActionOf<S>> {
    fn iterate(
        &mut self,
        walkers: &mut [Walker<'_, '_, S, RegretMatching, R>],
        root: &Seat<S>,
        leaf: &mut LeafOf<Seat<S>, RegretMatching, R>,
        untold: &mut Untold<ActionOf<S>>,
        played: &mut Vec<ActionOf<S>>,
    ) -> Result<bool, GameFault> {
        let players = walkers.len() as Player;
        let (learner, horizon) = (self.learner, walkers[0].iterations.expansion.horizon());
        self.learner = (learner + 1) % players;
        leaf.restart(root.root());
        walkers.iter_mut().for_each(Walker::start);
        untold.clear();
        let mut line = Line {
            follows: self.delta > 0.0 && walkers[0].iterations.rng.unit() < self.delta,
            agreement: Agreement::Seen(0),
            reach: Reach { players: [1.0; MAX_PLAYERS], targeted: 1.0, untargeted: 1.0 },
            decisions: SmallVec::new(),
        };
        let (mut is_over, mut is_new) = (false, false);
        while !is_new {
            if !untold.step_goes_on::<S>(leaf.state()) {
                for (observer, seen, in_step) in untold.take() {
                    line.agreement = self.agreement(line.agreement, observer, &seen);
                    walkers[usize::from(observer)].see(seen, in_step)?;
                }
            }
            let turn = leaf.turn();
            let action = match turn {
                Turn::Over => {
                    is_over = true;
                    break;
                }
                _ if leaf.ply() as usize >= horizon && !untold.is_in_step() => break,
                Turn::Chance => self.draw_outcome(&mut walkers[0], leaf.state(), untold, &mut line)?,
                Turn::Player(player) => {
                    let walker = walkers.get_mut(usize::from(player));
                    let walker = walker.ok_or(GameFault::UnknownPlayer { player, players })?;
                    let Some(decision) = walker.decision(leaf)? else { break };
                    is_new = decision.is_new;
                    let (node, learns) = (decision.node, player == learner);
                    self.decide(player, learns, walker, node, leaf.state(), untold, &mut line)?
                }
            };
            untold.note::<S>(leaf.state(), turn, &action, players);
            leaf.apply(action.clone())?;
            played.push(action);
            if leaf.ply() > MAX_ROLLOUT {
                return Err(GameFault::Endless { limit: MAX_ROLLOUT });
            }
        }
        let rewards = rewards(&mut walkers[0], leaf, is_over, players)?;
        let gain = (f64::from(rewards[learner]) - 0.5) / line.reach.sampled(self.delta);
        learn(walkers, line.decisions, learner, gain);
        let mut has_room = true;
        for walker in walkers {
            has_room &= walker.update_tree(leaf, &rewards)?;
        }
        Ok(has_room)
    }
}

impl<A: Clone + Eq> Outcomes<'_, A> {
    /// Draws an outcome of chance.
    fn draw_outcome<S: Space<Game: GameState<Action = A>>, R: RolloutPolicy<S::Game>, N>(
        &mut self,
        first: &mut Walker<'_, '_, S, RegretMatching, R>,
        state: &S::Game,
        untold: &Untold<A>,
        line: &mut Line<N>,
    ) -> Result<A, GameFault> {
        let first = &mut first.iterations;
        first.list(state)?;
        check_probabilities(state, first.actions)?;
        let next = self.next_seen::<S>(line.agreement, state, Turn::Chance, untold);
        self.weights.clear();
        for outcome in first.actions.iter() {
            let agrees = self.agrees::<S>(next, state, Turn::Chance, outcome.clone());
            self.weights.push((state.probability(outcome.clone()), agrees));
        }
        let drawn = self.draw(line, first.rng);
        let probability = self.weights[drawn].0;
        line.reach.targeted /= probability;
        line.reach.untargeted /= probability;
        Ok(first.actions.swap_remove(drawn))
    }

    /// Draws an action of `player`, who decides at `node` of its tree. If the player `learns`, a share of the
    /// choices is uniform.
    #[expect(clippy::too_many_arguments, reason = "the body of a loop")]
    fn decide<'s, S: Space<Game: GameState<Action = A>>, R: RolloutPolicy<S::Game>>(
        &mut self,
        player: Player,
        learns: bool,
        walker: &mut Walker<'_, 's, S, RegretMatching, R>,
        node: TreeNode<'s, S, RegretMatching>,
        state: &S::Game,
        untold: &Untold<A>,
        line: &mut Line<TreeNode<'s, S, RegretMatching>>,
    ) -> Result<A, GameFault> {
        let turn = Turn::Player(player);
        let tree = walker.iterations.tree;
        let sums = regrets(tree.children_of(node.link()));
        let next = self.next_seen::<S>(line.agreement, state, turn, untold);
        self.weights.clear();
        for child in tree.children_of(node.link()) {
            let probability = matching(child.stats().0, sums);
            let weight = if learns {
                self.epsilon / sums.1 as f64 + (1.0 - self.epsilon) * probability
            } else {
                probability
            };
            let agrees = self.agrees::<S>(next, state, turn, child.action());
            self.weights.push((weight, agrees));
        }
        let (own, others) = (line.reach.players[usize::from(player)], line.reach.others(player));
        let sampled = line.reach.sampled(self.delta);
        let drawn = self.draw(line, walker.iterations.rng);
        let child = tree.children_of(node.link()).nth(drawn).ok_or(GameFault::ForeignChoice)?;
        if !state.is_legal(child.action()) {
            return Err(GameFault::Changed);
        }
        let probability = matching(child.stats().0, sums);
        line.reach.players[usize::from(player)] *= probability;
        line.decisions.push(Decided { player, node, child, probability, own, others, sampled });
        walker.go_to(child)?;
        let action = child.action();
        line.agreement = self.agreement(line.agreement, player, &action);
        Ok(action)
    }
}

/// Updates the regrets of the learning player, whose reward less 1/2, divided by the probability of the
/// iteration, is `gain`, and the average strategies of the others.
fn learn<'s, S: Space, R: RolloutPolicy<S::Game>>(
    walkers: &[Walker<'_, 's, S, RegretMatching, R>],
    decisions: SmallVec<[Decided<TreeNode<'s, S, RegretMatching>>; 32]>,
    learner: Player,
    gain: f64,
) {
    // The probability, by the strategies, to come from here to the end that was reached, without chance. In
    // the simulation, the strategies are those of the rollout policy, so its share is the same in all
    // probabilities and cancels.
    let mut tail = 1.0;
    for Decided { player, node, child, probability, own, others, sampled } in decisions.into_iter().rev() {
        let after = tail;
        tail *= probability;
        let children = walkers[usize::from(player)].iterations.tree.children_of(node.link());
        let sums = regrets(children.clone());
        for sibling in children {
            let (mut regret, mut total) = sibling.stats();
            // A single player learns in every iteration, so its average strategy is updated then too.
            if player != learner || walkers.len() == 1 {
                total += own / sampled * matching(regret, sums);
            }
            if player == learner {
                let instead = if sibling.index() == child.index() { after } else { 0.0 };
                regret += (instead - tail) * gain * others;
            }
            sibling.set_stats((regret, total));
        }
    }
}

//! Selection: the child that an iteration goes on to. The tree policy chooses for a player, and a chance node
//! draws an outcome. Progressive widening decides how many children the tree policy sees.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player, Turn};
use crate::iteration::node_view::{Selecting, below_mean, family_block};
use crate::iteration::nodes::{home, is_possible, known};
use crate::iteration::path::{BlockOf, NodeOf, PathStep};
use crate::iteration::root_actions::Mask;
use crate::iteration::{CurrentNode, FedBy, Iterations, LeafOf};
use crate::selection::{Choice, FirstPlay, Moment};
use crate::simulation::{RolloutPolicy, why_no_action};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;

impl<'s, S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>>
    Iterations<'_, 's, S, P, R, B>
{
    /// Descends one step. The tree policy chooses for a player; a chance node draws from the game's own
    /// probabilities.
    #[inline(always)]
    pub fn descend(
        &mut self,
        current: &mut CurrentNode<'s, S, P, B>,
        leaf: &mut LeafOf<S, P, R>,
    ) -> Result<(), GameFault> {
        let last = self.tree.block(current.link);
        let (choice, chooser) = match current.turn {
            Turn::Player(player) => (self.choose(current, last, player, leaf.state())?, player),
            Turn::Over => return Err(GameFault::Replay), // a node with children at which the game is over now
            Turn::Chance => (self.draw(current, leaf.state())?, current.chooser),
        };
        let block = if choice.block == current.link { last } else { self.other_block(choice, current.node)? };
        let lane = choice.lane();
        if lane >= block.used() {
            return Err(GameFault::ForeignChoice);
        }
        let node = block.node(lane);
        self.count_available(current.link, node)?;
        self.play(current.turn, node, leaf)?;
        let turn = leaf.turn();
        self.path.put(PathStep::new(node, chooser, turn));
        if let Turn::Player(player) = turn
            && player >= self.players
        {
            return Err(GameFault::UnknownPlayer { player, players: self.players });
        }
        *current = CurrentNode::new(node, chooser, turn);
        Ok(())
    }

    /// Returns the child that the tree policy chooses for `player`, in a search with a tree for each player.
    /// (`descend` does the same in its own words: to call this there costs 2 % of the instructions of a
    /// search.)
    pub fn follow(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        player: Player,
        leaf: &mut LeafOf<S, P, R>,
    ) -> Result<NodeOf<'s, S, P, B>, GameFault> {
        let last = self.tree.block(current.link);
        let choice = self.choose(current, last, player, leaf.state())?;
        let block = if choice.block == current.link { last } else { self.other_block(choice, current.node)? };
        let lane = choice.lane();
        if lane >= block.used() {
            return Err(GameFault::ForeignChoice);
        }
        let node = block.node(lane);
        self.count_available(current.link, node)?;
        Ok(node)
    }

    #[inline(always)]
    fn choose(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        player: Player,
        state: &S::Game,
    ) -> Result<Choice, GameFault> {
        if let Some(mask) = self.mask_here() {
            return self.choose_masked(mask, player, state);
        }
        self.choose_from(current, last, player, state, self.shown(current, last), None)
    }

    /// Chooses among the children that are `shown`, or another one if there may be `more`. A mask hides some
    /// of them.
    #[inline(always)]
    pub fn choose_from(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        player: Player,
        state: &S::Game,
        (shown, more): (usize, bool),
        mask: Option<&'s Mask<ActionOf<S>>>,
    ) -> Result<Choice, GameFault> {
        if !(more && (self.first_play == FirstPlay::Infinite || shown == 0)) {
            if more && let FirstPlay::BelowMean(reduction) = self.first_play {
                self.prepare_stand_in(current.link, reduction);
            }
            let choice = self.ask(current, last, player, (shown, more), mask, false);
            if !choice.is_untried() {
                return Ok(choice);
            }
        }
        if more && let Some(mask) = mask {
            self.tree.move_up(current.link, |child| !mask.hides(child));
        }
        if more && let Some(untried) = self.untried(current, last, state)? {
            return Ok(untried);
        }
        Ok(self.choose_fallback(shown, mask))
    }

    /// Asks the tree policy for a choice.
    #[inline(always)]
    fn ask(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        player: Player,
        (shown, more): (usize, bool),
        mask: Option<&'s Mask<ActionOf<S>>>,
        closed_too: bool,
    ) -> Choice {
        let view = Selecting::<S, P, B> {
            tree: self.tree,
            path: self.path.room(),
            depth: self.path.len() - 1,
            player,
            visits: current.visits,
            link: current.link,
            last,
            shown,
            more,
            mask,
            closed_too,
            first_play: self.first_play,
            expansion: &self.expansion,
            spread: self.spread,
            iteration: self.iteration,
        };
        self.tree_policy.select(view, self.rng)
    }

    /// Chooses a child where the tree policy finds none: all children are proven, no value is a number, or
    /// another child does not fit into the memory.
    #[cold]
    #[inline(never)]
    pub fn choose_fallback(&mut self, shown: usize, mask: Option<&'s Mask<ActionOf<S>>>) -> Choice {
        let step = self.path.steps()[self.path.len() - 1];
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let current = &CurrentNode::new(home::<S, P, B>(self.tree, step.node()), step.chooser, step.turn);
        for closed_too in [false, B::PROVES] {
            let choice = self.ask_rarely(current, player, shown, mask, closed_too);
            if !choice.is_untried() {
                return choice;
            }
        }
        self.first_possible(current.link, mask)
    }

    /// Does what [`ask`](Self::ask) does, out of the loop.
    #[cold]
    #[inline(never)]
    pub fn ask_rarely(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        player: Player,
        shown: usize,
        mask: Option<&'s Mask<ActionOf<S>>>,
        closed_too: bool,
    ) -> Choice {
        self.ask(current, self.tree.block(current.link), player, (shown, false), mask, closed_too)
    }

    /// Returns the next unvisited child in order; `None` if the tree is full.
    #[inline(always)]
    pub fn untried(
        &mut self,
        current: &CurrentNode<'s, S, P, B>,
        last: BlockOf<'s, S, P, B>,
        state: &S::Game,
    ) -> Result<Option<Choice>, GameFault> {
        if P::Stats::INITIALIZES || S::ARE_SAMPLED || last.is_complete() {
            // Several blocks may have children that nobody has visited.
            for (id, block, _) in self.tree.family(current.link) {
                if block.visited() < block.used() {
                    return Ok(Some(Choice::new(id, block.visited(), self.moment())));
                }
            }
            return Ok(None);
        }
        if last.visited() < last.used() {
            return Ok(Some(Choice::new(current.link, last.visited(), Moment::NEVER)));
        }
        self.next_made(current.node, current.turn, state)
    }

    /// Draws an outcome of a chance node whose outcomes are listed.
    #[inline(never)]
    pub fn draw_listed(&mut self, link: u32, state: &S::Game) -> Result<Choice, GameFault> {
        let outcome = state.random_outcome(self.rng).ok_or_else(|| why_no_action(state))?;
        for (id, block, used) in self.tree.family(link) {
            for lane in 0..used {
                let child = block.node(lane);
                if child.has_action(&outcome) && is_possible::<S, P, B>(child) {
                    return Ok(Choice::new(id, lane, self.moment()));
                }
            }
        }
        for listed in state.actions() {
            if listed == outcome {
                return Err(GameFault::Replay);
            }
        }
        Err(GameFault::UnknownOutcome)
    }

    /// Returns the moment that marks a choice made at the end of the path.
    #[inline(always)]
    pub fn moment(&self) -> Moment {
        Moment::new(self.iteration, self.path.len() - 1)
    }

    /// Returns the block of a choice that is not in the last block of its family.
    #[inline(always)]
    fn other_block(
        &self,
        choice: Choice,
        node: NodeOf<'s, S, P, B>,
    ) -> Result<BlockOf<'s, S, P, B>, GameFault> {
        // The family may have grown and moved while this choice was made, so ask the node where it is now.
        family_block(self.tree, node.link(), choice, self.moment()).ok_or(GameFault::ForeignChoice)
    }

    /// Returns how many children the tree policy sees, and whether it may choose another one.
    #[inline(always)]
    pub fn shown(&self, current: &CurrentNode<'s, S, P, B>, last: BlockOf<'s, S, P, B>) -> (usize, bool) {
        if S::ARE_SAMPLED {
            return self.shown_sampled(current, last);
        }
        let is_widened = self.expansion.is_widened();
        if !is_widened && (P::SEES_UNVISITED || last.is_settled() || last.is_exhausted()) {
            return (usize::MAX, false);
        }
        let visited = self.visited(current.link, last);
        let width = if is_widened { self.widened(current.link, current.visits.max(1)) } else { usize::MAX };
        if P::SEES_UNVISITED { (width, false) } else { (visited, visited < width && !last.is_exhausted()) }
    }

    /// Returns how many children of a node the search considers.
    #[inline(never)]
    pub fn widened(&self, link: u32, visits: u32) -> usize {
        let width = self.expansion.width(visits);
        if B::PROVES || self.mask_here().is_some() { self.with_closed(link, width) } else { width }
    }

    /// Returns how many children of a family to show so that `width` of them are neither proven nor pruned nor
    /// hidden.
    #[inline(never)]
    fn with_closed(&self, link: u32, width: usize) -> usize {
        let step = self.path.end();
        let player = if let Turn::Player(player) = step.turn { player } else { step.chooser };
        let (mut open, mut fitting) = (0, 0);
        for node in self.tree.children_of(link) {
            let stats = known::<S, P, B>(self.tree, node).backprop();
            let is_hidden = self.mask_here().is_some_and(|mask| mask.hides(node));
            open += usize::from(
                !is_hidden && !node.is_closed() && self.backprop.certain(stats, player).is_none(),
            );
            if open > width {
                break;
            }
            fitting += 1;
        }
        // Children that are not stored yet are not proven.
        width.saturating_sub(open).saturating_add(fitting)
    }

    /// Returns how many children of a family have been visited.
    #[inline(always)]
    pub fn visited(&self, link: u32, last: BlockOf<'s, S, P, B>) -> usize {
        if P::Stats::INITIALIZES || S::ARE_SAMPLED || last.is_complete() {
            return self.tree.family(link).map(|(_, block, _)| block.visited()).sum();
        }
        // Children are stored as they are tried, so all blocks before the last have been visited.
        last.start() + last.visited()
    }

    /// Writes the child that represents the unvisited children of this family: one visit with the mean less
    /// the reduction.
    #[cold]
    #[inline(never)]
    pub fn prepare_stand_in(&self, link: u32, reduction: f32) {
        let children = self.tree.children_of(link);
        let mean = below_mean(reduction, children.map(|child| (child.visit_count() as f32, child.mean())));
        let mean = mean.max(0.0);
        let stats = self.tree_policy.update(P::Stats::default(), 1.0, mean);
        let first = self.tree.block(self.tree.block(link).next());
        self.tree.prepare_stand_in(first.node(0), mean, stats);
    }
}

//! Makes the report of a search.

use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player, Rewards, Rng, Turn};
use crate::iteration::FedBy;
use crate::iteration::expansion::Order;
use crate::iteration::node_view::Selecting;
use crate::iteration::nodes::{home, is_legal, is_possible, known, play_known};
use crate::iteration::path::{NodeOf, PathStep, StepOf};
use crate::iteration::root_actions::Mask;
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;
use crate::run::report::children::{self, ChildPlace, FoundChildren, Summaries};
use crate::run::report::root_decision::RootLead;
use crate::run::report::{ActionReport, Report, shares, without_actions};
use crate::search::one_tree::OneTree;
use crate::simulation::RolloutPolicy;
use crate::space::transpositions::{stored, transformation_of, unstored};
use crate::space::{ActionOf, NodeKind, Space};
use crate::statistics::Statistics;
use crate::tree::{Child, ROOT};
use smallvec::SmallVec;

impl<S: Space, P: FedBy<S::Game, R>, R: RolloutPolicy<S::Game>, B: Backprop<S::Game>> OneTree<S, P, R, B> {
    pub(crate) fn build_report(
        &self,
        turn: Turn,
        tally: &RunCounts,
    ) -> Result<Report<ActionOf<S>>, SearchError> {
        let player = if let Turn::Player(player) = turn { Some(player) } else { None };
        let mut actions = self.report_actions(player)?;
        let (mut chosen, mut first) = (None, None);
        if let Some(player) = player
            && let Some(index) = self.decide(player, &actions)
        {
            (chosen, first) = (Some(index), Some(actions[index].action.clone()));
        }
        let by_actions = || player.and_then(|_| children::proof_of_all(&actions, S::ARE_SAMPLED));
        let proof = self.root_proof(turn).or_else(by_actions);
        self.to_units(&mut actions);
        let report = Report {
            principal_variation: self.principal_variation(first, tally.depth),
            chosen,
            player,
            proof: proof.map(|proof| self.space.in_units(proof)),
            iterations: tally.iterations,
            root_visits: self.root_visits(),
            time: tally.time,
            nodes: self.tree.children(),
            bytes: self.bytes(),
            recycled_nodes: self.tree.recycled(),
            depth: tally.depth,
            mean_depth: tally.depth_sum as f64 / tally.iterations.max(1) as f64,
            stop_reason: tally.stop_reason,
            actions,
            has_units: S::IS_SIMULATED,
        };
        // Also if the game failed while a run asked for the standing of its root.
        SearchError::unless_failed(0)?;
        Ok(report)
    }

    /// Returns the index of the action to play.
    fn decide(&self, player: Player, actions: &[ActionReport<ActionOf<S>>]) -> Option<usize> {
        let mut ties = self.ties();
        let by_policy = if self.decision.is_none() { self.policy_decides(player, &mut ties) } else { None };
        // Its parameters are in the units of the report.
        let unit = self.space.in_units(1.0) - self.space.in_units(0.0);
        let decision = self.decision.unwrap_or_default().in_rewards(unit);
        let is_chosen = |index: usize| match &by_policy {
            Some(action) => *action == stored::<S>(self.root(), actions[index].action.clone()),
            None => false,
        };
        decision.decide(&without_actions(actions), &mut self.decision_rng(), &mut ties, &is_chosen)
    }

    /// Returns the standing of the root decision; `None` at a chance node or if all children are proven.
    pub(crate) fn standing(&self, turn: Turn) -> Option<RootLead> {
        let Turn::Player(player) = turn else { return None };
        let family = self.root_link();
        // A guess of the observer's own turn shows all actions.
        let is_complete = match self.space.observer() {
            Some(observer) => observer == player,
            None => false,
        };
        let more = !is_complete && !self.tree.is_complete(family);
        let mut found = self.found(family, player);
        if S::ARE_GUESSED {
            found.keep(&|place| is_legal::<S>(self.root(), self.child_at(place).action()));
        }
        let standing = match self.masked() {
            None => children::standing(&found.summaries, more)?,
            Some(mask) => {
                self.keep_shown(&mut found, &mask);
                children::masked_standing(&found.summaries, mask.count, mask.least())?
            }
        };
        // Visits do not tell when a policy that decides by something else has decided.
        let decides = self.decision.is_none()
            && standing.lead < u64::MAX
            && self.policy_decides(player, &mut self.ties()).is_some();
        Some(if decides { RootLead { lead: 0, ..standing } } else { standing })
    }

    /// Returns the action that the tree policy itself decides to play.
    fn policy_decides(&self, player: Player, ties: &mut Rng) -> Option<ActionOf<S>> {
        let step = self.root_step(player)?;
        let mask = self.masked();
        let root = self.view(&step, self.open_root(mask.as_ref()), player)?;
        Some(root.child(self.tree_policy.decide(root, ties)?)?.action())
    }

    /// Returns the root as a step of a path, with `player` to move, or `None` if the tree is empty.
    fn root_step(&self, player: Player) -> Option<StepOf<'_, S, P, B>> {
        if self.tree.is_empty() { None } else { Some(self.step(self.tree.root(), player)) }
    }

    fn step<'a>(&self, node: NodeOf<'a, S, P, B>, player: Player) -> StepOf<'a, S, P, B> {
        PathStep::new(node, self.chooser, Turn::Player(player))
    }

    /// Returns the mask through which the tree policy sees the root. In a search with guesses, this opens the
    /// children that the search may choose instead, and closes the others: the last iteration has done so for
    /// its guess, and by the mask at that time.
    fn open_root<'a>(&self, mask: Option<&'a Mask<ActionOf<S>>>) -> Option<&'a Mask<ActionOf<S>>> {
        if !S::ARE_GUESSED {
            return mask;
        }
        for child in self.tree.children_of(self.root_link()) {
            let is_hidden = mask.is_some_and(|mask| mask.hides(child));
            child.set_closed(is_hidden || !self.may_be_chosen(child.action()));
        }
        None
    }

    /// Returns whether the player to move may choose this action, in a search with guesses. What another
    /// player than the observer may choose is not asked of the root state.
    fn may_be_chosen(&self, action: ActionOf<S>) -> bool {
        let is_own = match (self.root().turn(), self.space.observer()) {
            (Turn::Player(player), Some(observer)) => player == observer,
            _ => false,
        };
        !is_own || is_legal::<S>(self.root(), action)
    }

    /// Returns the node of `step` as the tree policy sees a root, with the children that `mask` shows and
    /// `player` to move. Returns `None` if it has no children.
    fn view<'a>(
        &'a self,
        step: &'a StepOf<'a, S, P, B>,
        mask: Option<&'a Mask<ActionOf<S>>>,
        player: Player,
    ) -> Option<Selecting<'a, S, P, B>> {
        let place = home::<S, P, B>(&self.tree, step.node());
        if place.link() == ROOT {
            return None;
        }
        Some(Selecting {
            tree: &self.tree,
            path: core::slice::from_ref(step),
            depth: 0,
            player,
            visits: place.visit_count(),
            link: place.link(),
            last: self.tree.block(place.link()),
            shown: usize::MAX,
            more: false,
            mask,
            closed_too: false,
            first_play: self.first_play,
            expansion: &self.expansion,
            iteration: self.iteration,
            spread: &self.spread,
        })
    }

    /// Returns the generator for a random root decision. It stays the same until the search goes on.
    fn decision_rng(&self) -> Rng {
        Rng::seeded(self.decision_seed.wrapping_add(self.moment.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Returns the generator that draws among equal actions: a function of the seed and of the tree.
    fn ties(&self) -> Rng {
        let visits = u64::from(self.root_visits());
        Rng::seeded(self.decision_seed ^ visits.wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// Returns one entry per action that the search considers, in the game's order. Actions that are not stored
    /// have no visits.
    fn report_actions(&self, player: Option<Player>) -> Result<Vec<ActionReport<ActionOf<S>>>, SearchError> {
        let mask = self.masked();
        let shown_by = self.open_root(mask.as_ref());
        let mut found = self.found(self.root_link(), player.unwrap_or(self.chooser));
        if let Some(mask) = &mask {
            self.keep_shown(&mut found, mask);
        }
        if S::ARE_GUESSED {
            found.keep(&|place| self.may_be_chosen(self.child_at(place).action()));
        }
        let improved = match player {
            Some(player) => self.improve(player, shown_by, &mut found.summaries),
            None => false,
        };
        let mut blank = ActionReport::new((), 0, 0.0, None, None);
        if improved {
            blank.improved_policy = Some(0.0);
        }
        let in_random_order = mask.is_none() && self.expansion.tries() == Order::Random && player.is_some();
        let order = if in_random_order { Some((self.salt, self.decision_rng())) } else { None };
        let child_at = &|place| self.child_at(place);
        match children::list::<S>(self.root(), &self.root_actions, &found, child_at, blank, order) {
            Some(mut reports) => {
                shares::correct_improved(&mut reports);
                Ok(reports)
            }
            None => Err(SearchError::game(GameFault::NoActions, 0)),
        }
    }

    /// Leaves out the children that are hidden. The others count as not pruned: they may have been pruned because
    /// of one that is hidden.
    fn keep_shown(&self, found: &mut FoundChildren, mask: &Mask<ActionOf<S>>) {
        let node = |place: ChildPlace| self.tree.block(place.block).node(place.lane as usize);
        found.keep(&|place| !mask.hides(node(place)));
        for child in &mut found.summaries {
            child.is_pruned = false;
        }
    }

    /// Writes the improved policy into the children found below the root. Returns whether there is one.
    fn improve(
        &self,
        player: Player,
        mask: Option<&Mask<ActionOf<S>>>,
        found: &mut [ActionReport<()>],
    ) -> bool {
        let Some(step) = self.root_step(player) else { return false };
        let Some(root) = self.view(&step, mask, player) else { return false };
        match self.tree_policy.improved_policy(root, &children::worths(found)) {
            Some(improved) => children::set_improved(found, &improved),
            None => false,
        }
    }

    /// Returns what was found about the actions after `line`; see
    /// [`Mcts::actions_after`](crate::Mcts::actions_after).
    pub(crate) fn actions_of(&self, line: &[ActionOf<S>]) -> Vec<ActionReport<ActionOf<S>>> {
        let (mut state, mut link, mut chooser) = (self.root().clone(), self.root_link(), self.chooser);
        for step in 0..=line.len() {
            match state.turn() {
                Turn::Player(player) if player < self.players => chooser = player,
                Turn::Player(_) => return Vec::new(),
                Turn::Chance | Turn::Over => {}
            }
            let Some(action) = line.get(step) else { break };
            let stored = stored::<S>(&state, action.clone());
            match self.tree.child_by(link, &stored) {
                Some(node) => link = home::<S, P, B>(&self.tree, node).link(),
                None => return Vec::new(),
            }
            if play_known::<S>(&mut state, action.clone()).is_err() {
                return Vec::new();
            }
        }
        let transformation = transformation_of::<S>(&state);
        let found = self.found(link, chooser);
        let mut actions = Vec::with_capacity(found.places.len());
        for (place, summary) in found.places.iter().zip(&found.summaries) {
            let stored = self.child_at(*place).action();
            actions.push(summary.with_action(unstored::<S>(&state, transformation, stored)));
        }
        self.to_units(&mut actions);
        actions
    }

    /// Converts rewards to the units of the user.
    fn to_units(&self, actions: &mut [ActionReport<ActionOf<S>>]) {
        for action in actions {
            action.convert(&|reward| self.space.in_units(reward));
        }
    }

    /// Returns the strategy of `player` at the node after `line`: each action with its probability, which is
    /// that of the improved policy of the tree policy, if it has one, or else the share of the visits. The
    /// result is empty if there are no visits.
    pub(crate) fn strategy(&self, player: Player, line: &[ActionOf<S>]) -> Vec<(ActionOf<S>, f64)> {
        if self.tree.is_empty() {
            return Vec::new();
        }
        self.open_root(self.masked().as_ref());
        let mut node = self.tree.root();
        for action in line {
            match self.tree.child_by(node.link(), action) {
                Some(child) => node = child,
                None => return Vec::new(),
            }
        }
        let step = self.step(node, player);
        let mut weights = None;
        if let Some(view) = self.view(&step, None, player) {
            let unproven = vec![None; self.tree.family_len(view.link)];
            weights = self.tree_policy.improved_policy(view, &unproven);
        }
        let is_policy = weights.is_some();
        // The policy saw only these.
        let children = || {
            self.tree.children_of(node.link()).filter(|child| !is_policy || is_possible::<S, P, B>(*child))
        };
        let weights =
            weights.unwrap_or_else(|| Vec::from_iter(children().map(|child| child.visit_count() as f32)));
        let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
        let shares = children().zip(weights).map(|(child, weight)| (child.action(), f64::from(weight) / sum));
        if sum > 0.0 { shares.collect() } else { Vec::new() }
    }

    /// Returns the children below a link, in the order in which they were created, with the proofs for
    /// `player`.
    #[inline(never)]
    fn found(&self, link: u32, player: Player) -> FoundChildren {
        let mut found = FoundChildren { places: SmallVec::new(), summaries: Summaries::new() };
        let mut children = self.tree.children_of(link);
        while let Some((block, lane, child)) = children.next_lane() {
            let place = known::<S, P, B>(&self.tree, child);
            let proof = self.backprop.certain(place.backprop(), player);
            let (visits, mean, prior) = (child.visit_count(), child.mean(), child.stats().prior());
            let mut report = ActionReport::new((), visits, mean, proof, prior);
            if B::PROVES && proof.is_some() {
                let reward = |player| self.backprop.certain(place.backprop(), player).unwrap_or(0.0);
                let rewards = Rewards::new(self.players, reward);
                report.worth = Some(self.backprop.worth(place.backprop(), &rewards, player));
            }
            report.is_pruned = B::PROVES && proof.is_none() && child.is_closed();
            let link = home::<S, P, B>(&self.tree, child).link();
            found.places.push(ChildPlace { block, lane: lane as u32, link });
            found.summaries.push(report);
        }
        found
    }

    /// Returns the child at a place in the tree, without what the tree policy stores for it.
    fn child_at(&self, place: ChildPlace) -> Child<'_, ActionOf<S>, ()> {
        self.tree.block(place.block).node(place.lane as usize).child().with_stats(())
    }

    /// Returns the line that starts with the root's `first` action and continues with the robust child of
    /// each node, proofs first.
    fn principal_variation(&self, first: Option<ActionOf<S>>, length: u32) -> Vec<ActionOf<S>> {
        children::principal_variation::<S>(
            (self.root().clone(), self.chooser, self.root_link()),
            first,
            &|link, player| self.found(link, player),
            &|place| self.child_at(place),
            &self.ties(),
            length as usize,
        )
    }
}

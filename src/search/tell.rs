//! What a search says of itself: the report.

use super::arrange::arrange;
use super::decision::{RootDecision, Standing, proofs_first};
use super::error::SearchError;
use super::expansion::Order;
use super::report::{ActionReport, Report};
use super::run::Tally;
use super::view::{PathStep, PlaceOf, Selecting};
use super::{Mcts, ReportOf};
use crate::backpropagation::Backprop;
use crate::game::{GameFault, GameState, Player, Rng, Turn};
use crate::selection::TreePolicy;
use crate::simulation::RolloutPolicy;
use crate::statistics::Statistics;
use crate::tree::ROOT;
use smallvec::SmallVec;

impl<G: GameState, P: TreePolicy<G>, R: RolloutPolicy<G>, B: Backprop<G>> Mcts<G, P, R, B>
where
    P::Stats: Statistics<G, R>,
{
    pub(super) fn tell(&self, tally: &Tally) -> Result<ReportOf<G>, SearchError> {
        let player = match self.state.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        let actions = self.tell_actions(player.unwrap_or(self.chooser))?;
        let chosen = match player {
            Some(player) => self.decide(player, &actions),
            None => None,
        };
        let first = chosen.map(|chosen| actions[chosen].action);
        Ok(Report {
            principal_variation: self.principal_variation(first),
            chosen,
            player,
            proof: self.root_proof(),
            iterations: tally.iterations,
            root_visits: self.root_visits(),
            time: tally.time,
            nodes: self.tree.children(),
            bytes: self.tree.reserved_bytes(),
            recycled_nodes: self.recycled,
            depth: tally.depth,
            mean_depth: tally.depth_sum as f64 / tally.iterations.max(1) as f64,
            stop_reason: tally.stop_reason,
            actions,
        })
    }

    /// The index of the action to play.
    fn decide(&self, player: Player, actions: &[ActionReport<G::Action>]) -> Option<usize> {
        let by_policy = if self.decision.is_none() { self.policy_decides(player) } else { None };
        let (decision, mut rng) = (self.decision.unwrap_or_default(), self.decision_rng());
        proofs_first(actions, |open| {
            let favourite = open.iter().copied().find(|&index| Some(actions[index].action) == by_policy);
            favourite.or_else(|| decision.favourite(actions, open, &mut rng))
        })
    }

    /// How the decision stands; nothing if chance is to move or all is proven.
    pub(super) fn standing(&self) -> Option<Standing> {
        let Turn::Player(player) = self.state.turn() else { return None };
        let family = self.tree.root().link();
        let more = self.tree.family(family).last().is_none_or(|(_, last)| !last.is_complete());
        let nodes = self.tree.children_of(family);
        let proof = |node: &PlaceOf<'_, G, P, B>| self.backprop.certain(node.backprop(), player);
        let open = nodes.clone().filter(|node| proof(node).is_none());
        let standing =
            Standing::of(open.map(|node| (node.child().visit_count(), node.child().mean())), more)?;
        // A proven draw may yet be preferred to the leader.
        let rivals = nodes.filter_map(|node| proof(&node)).any(|reward| reward > 0.0);
        Some(Standing { lead: if rivals { 0 } else { standing.lead }, ..standing })
    }

    /// The action that the tree policy itself would play.
    fn policy_decides(&self, player: Player) -> Option<G::Action> {
        if self.tree.is_empty() || self.tree.root().link() == ROOT {
            return None;
        }
        let root = self.tree.root();
        let choice = self.tree_policy.decide(Selecting::<G, P, B> {
            tree: &self.tree,
            path: &[PathStep::new(root, self.chooser, self.state.turn())],
            depth: 0,
            player,
            visits: root.child().visit_count(),
            link: root.link(),
            last: self.tree.block(root.link()),
            shown: usize::MAX,
            more: false,
            closed_too: false,
            first_play: self.first_play,
        })?;
        let block = self.tree.find(choice.block)?;
        ((choice.lane as usize) < block.used()).then(|| block.child(choice.lane as usize).action())
    }

    /// What a decision by chance is drawn from: the same until the search goes on.
    fn decision_rng(&self) -> Rng {
        Rng::seeded(self.salt.wrapping_add(self.moment.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// One entry per legal action, in the game's order, those not stored without visits.
    fn tell_actions(&self, player: Player) -> Result<Vec<ActionReport<G::Action>>, SearchError> {
        let blank = |action| ActionReport::new(action, 0, 0.0, None, None);
        let listed: SmallVec<[G::Action; 64]> = self.state.actions().into_iter().collect();
        let mut actions: Vec<_> = listed.into_iter().map(blank).collect();
        if actions.is_empty() {
            return Err(SearchError::Game { fault: GameFault::NoActions, ply: 0 });
        }
        if self.tree.is_empty() {
            return Ok(actions);
        }
        let places = self.places(&actions);
        for (made, node) in self.tree.children_of(self.tree.root().link()).enumerate() {
            let child = node.child();
            let here = |&place: &usize| actions.get(place).is_some_and(|told| told.action == child.action());
            let guess = Some(places.get(made).copied().unwrap_or(made)).filter(here);
            if let Some(place) = guess.or_else(|| (0..actions.len()).find(here)) {
                let proof = self.backprop.certain(node.backprop(), player);
                let (visits, mean, prior) = (child.visit_count(), child.mean(), child.stats().prior());
                actions[place] = ActionReport::new(child.action(), visits, mean, proof, prior);
                actions[place].is_shut = proof.is_none() && node.is_closed();
            }
        }
        Ok(actions)
    }

    /// For each child of the root, in the order in which they were made, which of the game's actions it is. Only worked
    /// out where looking for them would take long.
    fn places(&self, actions: &[ActionReport<G::Action>]) -> Vec<usize> {
        const FEW: usize = 64;
        let made = self.tree.children_of(self.tree.root().link()).map(|node| node.child().action());
        let count = made.clone().count();
        if count <= FEW
            || count > actions.len()
            || self.expansion.tries() != Order::Random
            || self.state.turn() == Turn::Chance
        {
            return Vec::new();
        }
        let mut places: Vec<usize> = (0..actions.len()).collect();
        let mut listed: Vec<_> = actions.iter().map(|told| told.action).collect();
        arrange(&mut listed, made, count, self.salt, &mut self.decision_rng(), |a, b| places.swap(a, b));
        places
    }

    /// From the root's `first` action on, always the robust child, proofs first.
    fn principal_variation(&self, first: Option<G::Action>) -> Vec<G::Action> {
        let (mut line, mut state) = (SmallVec::<[G::Action; 64]>::new(), self.state.clone());
        let mut chooser = self.chooser;
        let mut link = if self.tree.is_empty() { ROOT } else { self.tree.root().link() };
        while link != ROOT {
            if let Turn::Player(player) = state.turn() {
                chooser = player;
            }
            let nodes = self.tree.children_of(link);
            let children: SmallVec<[_; 16]> = nodes
                .clone()
                .map(|node| {
                    let (child, proof) = (node.child(), self.backprop.certain(node.backprop(), chooser));
                    let mut told =
                        ActionReport::new(child.action(), child.visit_count(), child.mean(), proof, None);
                    told.is_shut = proof.is_none() && node.is_closed();
                    told
                })
                .collect();
            let next = match first.filter(|_| line.is_empty()) {
                Some(action) => children.iter().position(|child| child.action == action),
                None if state.turn() == Turn::Chance => (0..children.len())
                    .reduce(|a, b| if children[b].visits > children[a].visits { b } else { a }),
                None => proofs_first(&children, |open| {
                    RootDecision::Robust.favourite(&children, open, &mut self.decision_rng())
                }),
            };
            let Some(next) = next.filter(|&next| line.is_empty() || children[next].visits > 0) else { break };
            line.push(children[next].action);
            state.apply(children[next].action);
            link = nodes.clone().nth(next).map_or(ROOT, |node| node.link());
        }
        if line.is_empty() {
            line.extend(first);
        }
        line.to_vec()
    }
}

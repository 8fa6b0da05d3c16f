//! [`Subject`]: any search of the table game, with actions and rooms as numbers, so that one runner drives all.

use super::runner::Beside;
use super::space::TableSpace;
use crate::backpropagation::Backprop;
use crate::game::{MAX_PLAYERS, Player, Rewards};
use crate::run::report::ActionReport;
use crate::saved::FileError;
use crate::search::{Question, Ticket, TreeNode, TreeView, Unobserved};
use crate::selection::TreePolicy;
use crate::space::ActionOf;
use crate::{
    Budget, Bytes, Every, Expansion, Report, RootActions, RootDecision, Search, SearchError, StopHandle,
};
use std::any::Any;

/// A node of the tree, as its view shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct NodeSeen {
    /// The actions from the root.
    pub line: Vec<u8>,
    pub room: u16,
    pub visits: u32,
    pub mean: f32,
    /// The visits and the mean of the position, in a search that shares positions.
    pub position: (u32, f32),
    pub proofs: Vec<Option<f32>>,
    pub chooser: Player,
    /// The visits of all stored children.
    pub below: u64,
    pub children: usize,
}

/// What `ask` returned.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub ticket: Ticket,
    pub room: u16,
    pub actions: usize,
    pub wants_priors: bool,
    pub ply: u32,
}

/// A search.
pub trait Subject {
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(Report<u8>),
    ) -> Result<Report<u8>, SearchError>;
    fn report(&self) -> Result<Report<u8>, SearchError>;
    fn actions_after(&self, line: &[u8]) -> Vec<ActionReport<u8>>;
    fn bytes(&self) -> usize;
    fn room(&self) -> u16;
    fn advance(&mut self, action: u8) -> Result<(), SearchError>;
    fn advance_to(&mut self, action: u8, room: u16) -> Result<(), SearchError>;
    fn reset(&mut self, room: u16);
    fn continue_at(&mut self, room: u16);
    fn stop_handle(&self) -> StopHandle;
    fn set_seed(&mut self, seed: u64);
    fn set_limit(&mut self, limit: usize);
    fn set_expansion(&mut self, expansion: Expansion);
    fn set_decision(&mut self, decision: Option<RootDecision>);
    fn restrict(&mut self, only: bool, actions: &[u8], least: u32);
    fn fork(&self) -> Box<dyn Subject>;
    fn as_any(&self) -> &dyn Any;
    /// Returns the twin of a search that has not run, if there is one.
    fn twin(&self, seed: u64) -> Option<Box<dyn Beside>>;
    /// Returns the nodes of the first tree, down to some depth; `None` if there is none to show.
    fn view(&self, depth: usize) -> Option<Vec<NodeSeen>>;
    /// Returns `None` if such a search cannot be saved.
    fn save(&mut self) -> Option<Result<Vec<u8>, FileError>>;
    fn load(&mut self, file: &[u8], resumes: bool) -> Result<(), FileError>;
    /// Sets the rooms before the root, where positions are recognised.
    fn set_earlier(&mut self, rooms: &[u16]) -> bool;
    /// Returns `None` if the search does not ask.
    fn ask(&mut self) -> Option<Result<Option<Asked>, SearchError>>;
    fn tell(&mut self, ticket: Ticket, rewards: Rewards, priors: &[f32]) -> Result<(), SearchError>;
    fn finish(&mut self) -> Result<(), SearchError>;
    fn plan(&mut self, iterations: u64);
    fn open_questions(&self) -> usize;
}

/// What a search can do beyond the trait `Search`, by its type.
pub trait Special: Search<Space: TableSpace> + Clone + Sized + 'static {
    fn seen_tree(&self, _depth: usize) -> Option<Vec<NodeSeen>> {
        None
    }
    fn written(&mut self) -> Option<Result<Vec<u8>, FileError>> {
        None
    }
    fn read(&mut self, _file: &[u8], _resumes: bool) -> Result<(), FileError> {
        Err(FileError::Foreign)
    }
    fn moved_to(&mut self, action: ActionOf<Self::Space>, space: Self::Space) -> Result<(), SearchError>;
    fn with_earlier(&mut self, _rooms: &[u16]) -> bool {
        false
    }
    fn question(&mut self) -> Option<Result<Option<Asked>, SearchError>> {
        None
    }
    fn answer(&mut self, _ticket: Ticket, _rewards: Rewards, _priors: &[f32]) -> Result<(), SearchError> {
        Err(SearchError::Ticket)
    }
    fn finished(&mut self) -> Result<(), SearchError> {
        Ok(())
    }
    fn planned(&mut self, _iterations: u64) {}
    fn follower(&self, _seed: u64) -> Option<Box<dyn Beside>> {
        None
    }
    fn open(&self) -> usize {
        0
    }
}

impl<T: Special> Subject for T {
    fn run(
        &mut self,
        budget: Budget,
        every: Every,
        observer: &mut dyn FnMut(Report<u8>),
    ) -> Result<Report<u8>, SearchError> {
        self.run_with(budget, every, &mut |report| observer(seen::<T>(report.clone()))).map(seen::<T>)
    }
    fn report(&self) -> Result<Report<u8>, SearchError> {
        Search::report(self).map(seen::<T>)
    }
    fn actions_after(&self, line: &[u8]) -> Vec<ActionReport<u8>> {
        let line = Vec::from_iter(line.iter().map(|&number| self.space().action(number)));
        let entries = Search::actions_after(self, &line);
        entries.iter().map(|entry| entry.with_action(T::Space::number(&entry.action))).collect()
    }
    fn bytes(&self) -> usize {
        self.memory_usage().0
    }
    fn room(&self) -> u16 {
        T::Space::room(self.state())
    }
    fn advance(&mut self, action: u8) -> Result<(), SearchError> {
        let action = self.space().action(action);
        Search::advance(self, action)
    }
    fn advance_to(&mut self, action: u8, room: u16) -> Result<(), SearchError> {
        let (action, space) = (self.space().action(action), self.space().at(room));
        self.moved_to(action, space)
    }
    fn reset(&mut self, room: u16) {
        let space = self.space().at(room);
        Search::reset(self, space);
    }
    fn continue_at(&mut self, room: u16) {
        let space = self.space().at(room);
        Search::continue_at(self, space);
    }
    fn stop_handle(&self) -> StopHandle {
        Search::stop_handle(self)
    }
    fn set_seed(&mut self, seed: u64) {
        Search::set_seed(self, seed);
    }
    fn set_limit(&mut self, limit: usize) {
        self.set_memory_limit(Bytes(limit));
    }
    fn set_expansion(&mut self, expansion: Expansion) {
        Search::set_expansion(self, expansion);
    }
    fn set_decision(&mut self, decision: Option<RootDecision>) {
        self.set_root_decision(decision);
    }
    fn restrict(&mut self, only: bool, actions: &[u8], least: u32) {
        let actions = Vec::from_iter(actions.iter().map(|&number| self.space().action(number)));
        let actions = if only { RootActions::only(actions) } else { RootActions::except(actions) };
        self.set_root_actions(actions.at_least(least));
    }
    fn fork(&self) -> Box<dyn Subject> {
        Box::new(self.clone())
    }
    fn as_any(&self) -> &dyn Any {
        self
    }
    fn twin(&self, seed: u64) -> Option<Box<dyn Beside>> {
        self.follower(seed)
    }
    fn view(&self, depth: usize) -> Option<Vec<NodeSeen>> {
        self.seen_tree(depth)
    }
    fn save(&mut self) -> Option<Result<Vec<u8>, FileError>> {
        self.written()
    }
    fn load(&mut self, file: &[u8], resumes: bool) -> Result<(), FileError> {
        self.read(file, resumes)
    }
    fn set_earlier(&mut self, rooms: &[u16]) -> bool {
        self.with_earlier(rooms)
    }
    fn ask(&mut self) -> Option<Result<Option<Asked>, SearchError>> {
        self.question()
    }
    fn tell(&mut self, ticket: Ticket, rewards: Rewards, priors: &[f32]) -> Result<(), SearchError> {
        self.answer(ticket, rewards, priors)
    }
    fn finish(&mut self) -> Result<(), SearchError> {
        self.finished()
    }
    fn plan(&mut self, iterations: u64) {
        self.planned(iterations);
    }
    fn open_questions(&self) -> usize {
        self.open()
    }
}

/// Returns a report with numbers for actions and without its time.
fn seen<T: Search<Space: TableSpace>>(report: Report<ActionOf<T::Space>>) -> Report<u8> {
    let number = <T::Space as TableSpace>::number;
    Report {
        actions: report.actions.iter().map(|entry| entry.with_action(number(&entry.action))).collect(),
        principal_variation: report.principal_variation.iter().map(number).collect(),
        chosen: report.chosen,
        player: report.player,
        proof: report.proof,
        iterations: report.iterations,
        root_visits: report.root_visits,
        time: Default::default(),
        nodes: report.nodes,
        bytes: report.bytes,
        recycled_nodes: report.recycled_nodes,
        depth: report.depth,
        mean_depth: report.mean_depth,
        stop_reason: report.stop_reason,
        has_units: report.has_units,
    }
}

/// Walks through a view of a tree.
pub fn nodes<S: TableSpace, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    view: TreeView<'_, S, P, R, B>,
    depth: usize,
) -> Vec<NodeSeen> {
    let mut nodes = Vec::new();
    if let Some(root) = view.root() {
        walk(&root, &mut Vec::new(), depth, &mut nodes);
    }
    nodes
}

fn walk<S: TableSpace, P: TreePolicy<S::Game>, R, B: Backprop<S::Game>>(
    node: &TreeNode<'_, S, P, R, B>,
    line: &mut Vec<u8>,
    depth: usize,
    nodes: &mut Vec<NodeSeen>,
) {
    let children = Vec::from_iter(node.children());
    nodes.push(NodeSeen {
        line: line.clone(),
        room: S::room(node.state()),
        visits: node.visits(),
        mean: node.mean(),
        position: (node.position_visits(), node.position_mean()),
        proofs: (0..MAX_PLAYERS as u8).map(|player| node.proof(player)).collect(),
        chooser: node.chooser(),
        below: children.iter().map(|child| u64::from(child.visits())).sum(),
        children: children.len(),
    });
    if depth > 0 {
        for child in children {
            line.push(S::number(&child.action().expect("a child has an action")));
            walk(&child, line, depth - 1, nodes);
            line.pop();
        }
    }
}

/// Returns a question with numbers.
pub fn asked<S: TableSpace>(question: &Question<'_, S::Game>) -> Asked {
    let Question { ticket, state, actions, wants_priors, ply, .. } = *question;
    Asked { ticket, room: S::room(S::real(state)), actions: actions.len(), wants_priors, ply }
}

/// For setting what a window assumes.
pub fn unobserved(mean: bool) -> Unobserved {
    if mean { Unobserved::Mean } else { Unobserved::default() }
}

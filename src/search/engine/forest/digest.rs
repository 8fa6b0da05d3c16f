//! The message of an exchange: what one tree found since the last one.

use crate::run::budget::StopReason;
use crate::run::counts::RunCounts;
use crate::run::error::SearchError;

/// What one tree added to one node since it last exchanged it.
#[derive(Clone, Copy)]
pub(crate) struct Entry<P, B> {
    /// The index of the action among those that the game lists in the parent.
    pub action: u32,
    pub visits: u32,
    /// The sum of the rewards, in units of 2^-24. If the backpropagation derives values, it has none: then
    /// the visits to the children of the node that this tree alone has tried.
    pub sum: f64,
    /// Whether these are all visits of the node in this tree: the tree did not have it at the last exchange.
    pub is_new: bool,
    /// The statistics of the policies in this tree now.
    pub stats: P,
    pub backprop: B,
}

/// What one tree found since the last exchange. It names nodes by numbers on which all trees agree, so it has
/// a meaning outside this process too.
pub(crate) struct Digest<P, B> {
    /// What was added to the root.
    pub root: Option<Entry<P, B>>,
    /// The children, family by family: the number of the family, and the end of its entries.
    pub families: Vec<(u32, u32)>,
    pub entries: Vec<Entry<P, B>>,
    /// If the trees share positions: what was added to each position. An entry has the number of the position
    /// in the place of the action.
    pub positions: Vec<Entry<P, B>>,
    /// The counts of this run so far.
    pub counts: RunCounts,
    /// Why this tree wants the run to stop, if it does.
    pub stop: Option<StopReason>,
    /// The error with which this tree failed, if it did.
    pub failure: Option<SearchError>,
}

impl<P, B> Digest<P, B> {
    pub fn new() -> Self {
        Digest {
            root: None,
            families: Vec::new(),
            entries: Vec::new(),
            positions: Vec::new(),
            counts: RunCounts::new(StopReason::NotRun),
            stop: None,
            failure: None,
        }
    }

    /// Starts a new message.
    pub fn clear(&mut self) {
        self.root = None;
        self.families.clear();
        self.entries.clear();
        self.positions.clear();
    }

    /// Ends the entries of this family, if it has any.
    pub fn end_family(&mut self, family: usize) {
        let start = self.families.last().map_or(0, |&(_, end)| end);
        let end = self.entries.len() as u32;
        if end > start {
            self.families.push((family as u32, end));
        }
    }
}

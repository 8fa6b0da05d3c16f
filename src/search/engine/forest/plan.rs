//! The plan of a forest: how many iterations each tree makes until the next exchange, and which nodes it
//! exchanges. It depends only on visits, so that all trees compute the same plan.

use crate::parameter::ParameterError;

/// How the trees of a [`Forest`](crate::search::Forest) exchange what they found.
///
/// The trees exchange when all of them together have added a certain share to the visits of the root. So
/// exchanges become rarer as the search grows, and their cost stays small. A node is exchanged with its
/// siblings if its parent has at least a certain share of the visits of the root.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::search::Exchange;
///
/// let mut search = Mcts::new(ramure::games::Connect4::new())
///     .parallel(4)
///     .exchange(Exchange::new().every(0.02).least_iterations(100));
/// search.run(Budget::iterations(10_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Exchange {
    pub(crate) every: f64,
    pub(crate) share: f64,
    pub(crate) least_iterations: u32,
    pub(crate) least_visits: u32,
    pub(crate) most_nodes: f64,
    pub(crate) start: u32,
    pub(crate) overlap: bool,
}

impl Default for Exchange {
    fn default() -> Self {
        Exchange::new()
    }
}

impl Exchange {
    /// Creates the default setting.
    pub const fn new() -> Self {
        Exchange {
            every: 0.02,
            share: 0.01,
            least_iterations: 250,
            least_visits: 32,
            most_nodes: 0.2,
            start: 1000,
            overlap: false,
        }
    }

    /// Sets what all trees together add between two exchanges, as a share of the visits of the root, in (0,
    /// 1]. \[Default: .02\]
    #[must_use]
    pub const fn every(mut self, share: f64) -> Self {
        self.every = share;
        self
    }

    /// Sets how many iterations each tree makes between two exchanges at least. \[Default: 250\]
    ///
    /// An exchange takes some microseconds, so choose fewer if an iteration takes long, and a greater
    /// [`most_nodes`](Self::most_nodes).
    #[must_use]
    pub const fn least_iterations(mut self, iterations: u32) -> Self {
        self.least_iterations = iterations;
        self
    }

    /// Sets the share of the visits of the root from which the children of a node are exchanged, in [0, 1].
    /// \[Default: .01\]
    #[must_use]
    pub const fn share(mut self, share: f64) -> Self {
        self.share = share;
        self
    }

    /// Sets how many visits a node has at least if its children are exchanged, at least 2. \[Default: 32\]
    #[must_use]
    pub const fn least_visits(mut self, visits: u32) -> Self {
        self.least_visits = visits;
        self
    }

    /// Sets the most nodes that an exchange may cover, for each iteration that a tree has made since the last
    /// exchange. It is finite and above 0. \[Default: .2\]
    ///
    /// Each tree adds all of these nodes, so the bound counts its own iterations, not those of all trees
    /// together. Nodes that have joined are always exchanged. In a wide game, most nodes get few visits
    /// between two exchanges, so their exchange would cost more than it gains. If an iteration takes much
    /// longer than a microsecond, exchanges cost next to nothing: set 1 or more.
    #[must_use]
    pub const fn most_nodes(mut self, nodes: f64) -> Self {
        self.most_nodes = nodes;
        self
    }

    /// Sets the visits of the root that each tree after the first requires. So a small search uses few trees.
    /// \[Default: 1000\]
    #[must_use]
    pub const fn start(mut self, visits: u32) -> Self {
        self.start = visits;
        self
    }

    /// Sets whether the trees search on while their messages are under way. \[Default: no\]
    ///
    /// The other trees then learn at the next exchange what a tree tells at this one, except at the end of a
    /// run. Use it if the trees lie on several machines and messages take long; see
    /// [`Mcts::run_linked`](crate::Mcts::run_linked). The result differs from that without overlap. It
    /// does not depend on ranks or threads. In one process, overlap gains nothing.
    #[must_use]
    pub const fn overlap(mut self, overlaps: bool) -> Self {
        self.overlap = overlaps;
        self
    }

    /// Checks that the settings are in their ranges. Every run does so.
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] if a setting is out of range.
    pub(crate) fn check(&self) -> Result<(), ParameterError> {
        let fits = self.every > 0.0 && self.every <= 1.0;
        ParameterError::unless(fits, "Exchange::every", self.every, "in (0, 1]")?;
        let fits = (0.0..=1.0).contains(&self.share);
        ParameterError::unless(fits, "Exchange::share", self.share, "in [0, 1]")?;
        let fits = self.least_iterations > 0;
        ParameterError::unless(
            fits,
            "Exchange::least_iterations",
            self.least_iterations.into(),
            "at least 1",
        )?;
        let fits = self.least_visits >= 2;
        ParameterError::unless(fits, "Exchange::least_visits", self.least_visits.into(), "at least 2")?;
        let fits = self.most_nodes > 0.0 && self.most_nodes.is_finite();
        ParameterError::unless(fits, "Exchange::most_nodes", self.most_nodes, "finite and above 0")
    }

    /// Returns the visits from which the children of a node are exchanged, if the root has `visits`.
    pub(crate) fn least(&self, visits: u32) -> u32 {
        self.least_visits.max((f64::from(visits) * self.share) as u32)
    }

    /// Returns how many nodes an exchange may cover if `trees` trees together have added `visits` to the root.
    pub(crate) fn most(&self, visits: u32, trees: usize) -> f64 {
        f64::from(visits) * self.most_nodes / trees as f64
    }

    /// Returns how many of `trees` trees take part if the root has `visits`.
    fn active(&self, visits: u32, trees: usize) -> usize {
        let more = visits.checked_div(self.start).map_or(trees, |more| more as usize);
        more.saturating_add(1).min(trees)
    }

    /// Returns what the trees do until the next exchange, if the root has `visits`, and `left` iterations are
    /// left in all.
    pub(crate) fn round(&self, visits: u32, left: u64, trees: usize) -> Round {
        let active = self.active(visits, trees) as u64;
        let together = (f64::from(visits) * self.every) as u64;
        let each = if trees == 1 {
            left
        } else if active == 1 {
            u64::from(self.start.saturating_sub(visits).max(1))
        } else {
            (together / active).max(u64::from(self.least_iterations))
        };
        Round { trees: active, iterations: left.min(each.saturating_mul(active)) }
    }
}

/// How many iterations the trees make until the next exchange.
#[derive(Clone, Copy)]
pub(crate) struct Round {
    /// The trees that take part, at least one.
    trees: u64,
    /// The iterations of all of them together.
    pub iterations: u64,
}

impl Round {
    /// Returns the iterations of the tree with this number.
    pub fn of(self, tree: usize) -> u64 {
        let Round { trees, iterations } = self;
        let tree = tree as u64;
        if tree < trees { iterations / trees + u64::from(tree < iterations % trees) } else { 0 }
    }

    /// Returns how many trees iterate: those with numbers below this one.
    pub fn trees(self) -> usize {
        self.trees.min(self.iterations) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_shares_what_is_left_among_the_trees_that_take_part() {
        let plan = Exchange::new();
        for (visits, left, trees, expected) in [
            // One tree searches on its own.
            (0, 1_000_000, 1, vec![1_000_000]),
            // The second tree joins at 1000 visits.
            (0, 1_000_000, 3, vec![1000, 0, 0]),
            (400, 1_000_000, 3, vec![600, 0, 0]),
            (1000, 1_000_000, 3, vec![250, 250, 0]),
            (2000, 1_000_000, 3, vec![250, 250, 250]),
            // 2 % of the visits, in all.
            (45_000, 1_000_000, 3, vec![300, 300, 300]),
            // What is left, evenly.
            (45_000, 800, 3, vec![267, 267, 266]),
            (45_000, 1, 3, vec![1, 0, 0]),
        ] {
            let round = plan.round(visits, left, trees);
            let iterations = Vec::from_iter((0..trees).map(|tree| round.of(tree)));
            assert_eq!(iterations, expected, "{visits} visits, {left} left");
            let trees = expected.iter().filter(|&&iterations| iterations > 0).count();
            assert_eq!((round.trees(), round.iterations), (trees, expected.iter().sum()));
        }
    }

    #[test]
    fn the_threshold_of_visits_grows_with_the_search() {
        let plan = Exchange::new();
        assert_eq!([0, 10_000, 100_000, 1_000_000].map(|visits| plan.least(visits)), [32, 100, 1000, 10_000]);
    }

    #[test]
    fn settings_out_of_range_are_errors() {
        for wrong in [
            Exchange::new().every(0.0),
            Exchange::new().every(f64::NAN),
            Exchange::new().share(-0.1),
            Exchange::new().share(f64::NAN),
            Exchange::new().least_iterations(0),
            Exchange::new().least_visits(1),
            Exchange::new().most_nodes(0.0),
            Exchange::new().most_nodes(f64::NAN),
        ] {
            assert!(wrong.check().is_err(), "{wrong:?}");
        }
        assert!(Exchange::new().check().is_ok());
    }
}

//! How the games of a contest are played.

use super::results_file::ResultsFile;
use ramure::search::StopHandle;

/// How the games are played, and where they are written to: the same for matches, round robins and sweeps.
///
/// ```
/// use ramure_lab::contest::{Conditions, ResultsFile};
///
/// let conditions = Conditions::games(300) // of each pairing
///     .openings(4) // after four random actions, each opening from all seats
///     .seed(7)
///     .results(ResultsFile::resume("/tmp/some_contest.jsonl"))
///     .progress();
/// ```
#[derive(Clone, Debug)]
pub struct Conditions {
    pub(super) games: u32,
    pub(super) opening: u32,
    pub(super) seed: u64,
    pub(super) threads: Option<usize>,
    pub(super) results: Option<ResultsFile>,
    pub(super) stop: StopHandle,
    pub(super) progress: bool,
    pub(super) label: Option<String>,
}

impl Conditions {
    /// So many games between the same agents: a multiple of the number of players, so that all play as often from every
    /// seat.
    pub fn games(games: u32) -> Self {
        Conditions {
            games,
            opening: 0,
            seed: 0,
            threads: None,
            results: None,
            stop: StopHandle::default(),
            progress: false,
            label: None,
        }
    }

    /// Every game begins with so many random actions, chance's among them. The games of a group, one for each way to sit
    /// round the table, begin alike. \[Default: 0\]
    pub fn openings(mut self, actions: u32) -> Self {
        self.opening = actions;
        self
    }

    /// Fixes all that is random. \[Default: 0\]
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// What the game is called, with its size or variant, in tables and in the results file: `hex:7`. A results file of another
    /// label is one of another contest. \[Default: the name of its type\]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Plays so many games at a time, at least one. The results are the same for any number, if no agent looks at the clock.
    /// \[Default: as many as there are cores\]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = Some(threads.max(1));
        self
    }

    /// Writes every game to this file as soon as it is over, a line of JSON each. \[Default: to none\]
    pub fn results(mut self, file: ResultsFile) -> Self {
        self.results = Some(file);
        self
    }

    /// Ends the contest when this is used: no further game begins, and those under way are played to their end. What was played is
    /// reported. A contest that was stopped has used the request up. \[Default: one that nobody holds\]
    pub fn stop_handle(mut self, handle: StopHandle) -> Self {
        self.stop = handle;
        self
    }

    /// Shows on standard error how far it is, if that is a terminal. \[Default: quiet\]
    pub fn progress(mut self) -> Self {
        self.progress = true;
        self
    }
}

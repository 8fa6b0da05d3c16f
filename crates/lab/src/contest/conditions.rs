//! The conditions of a contest: how its games are played.

use super::results_file::ResultsFile;
use ramure::StopHandle;

/// How the games of a contest are played, and where they are written to. Matches, round robins and sweeps all
/// use it.
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
    /// Creates conditions with this number of games between the same agents. It must be a multiple of the
    /// number of players, so that every agent plays equally often in every seat.
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

    setters! {
        /// Starts every game with this many random actions, including those of chance. The games of a group,
        /// one for each arrangement of the seats, start with the same actions. \[Default: 0\]
        openings(actions: u32) => opening = actions;

        /// Fixes all random choices. \[Default: 0\]
        seed(seed: u64) => seed = seed;

        /// Sets the name of the game, with its size or variant, for tables and the results file, as in
        /// `hex:7`. A results file with another label belongs to another contest. \[Default: the name of the
        /// type\]
        label(label: impl Into<String>) => label = Some(label.into());

        /// Plays this many games at a time, at least one. The results are the same for any number, if no
        /// agent looks at the clock. \[Default: the number of cores\]
        threads(threads: usize) => threads = Some(threads.max(1));

        /// Writes every game to this file as soon as it ends, one line of JSON each. \[Default: no file\]
        results(file: ResultsFile) => results = Some(file);

        /// Sets the handle that stops the contest. Once it is used, no further game starts, games in progress
        /// are played to their end, and the result covers the games played. A contest that was stopped clears
        /// the request. \[Default: a handle of its own\]
        stop_handle(handle: StopHandle) => stop = handle;

        /// Shows a progress bar on standard error, if that is a terminal. \[Default: no bar\]
        progress() => progress = true;
    }
}

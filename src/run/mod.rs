//! One run: its budget and clocks, when it stops, what can go wrong, and the report. The values here know no
//! search.

pub(crate) mod budget;
pub(crate) mod clock;
pub(crate) mod error;
pub(crate) mod game_clock;
pub(crate) mod line_of_play;
pub(crate) mod report;
pub(crate) mod stop_handle;
pub(crate) mod stopping;

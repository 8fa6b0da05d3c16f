//! One run: its budget and clocks, when it stops (`stopping`), what can go wrong (`error`), the report
//! with the choice of the final action (`report`), and rollouts apart from a search (`rollouts`). These are values and rules that know no search and do not
//! run it. Uses all layers below it.

pub(crate) mod budget;
pub(crate) mod clock;
pub(crate) mod counts;
pub(crate) mod error;
pub(crate) mod game_clock;
pub(crate) mod report;
pub(crate) mod rollouts;
#[cfg(feature = "serde")]
pub(crate) mod seconds;
pub(crate) mod stop_handle;
pub(crate) mod stopping;

//! The progress bar of a contest or a tuning.

use crate::ranks::is_first;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A progress bar on standard error, if that is a terminal and the bar is wanted; otherwise does nothing.
pub struct Progress(ProgressBar);

impl Progress {
    /// A bar for so many `things`, of which some are done.
    pub fn new(wanted: bool, things: &str, all: u64, done: u64) -> Self {
        let target =
            if wanted && is_first() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(all), target).with_position(done);
        let style = format!("{{bar:30}} {{pos}} of {{len}} {things}, {{elapsed}} gone, {{eta}} to go");
        if let Ok(style) = ProgressStyle::with_template(&style) {
            bar.set_style(style);
        }
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress(bar)
    }

    /// Counts a thing that is done.
    pub fn next(&self) {
        self.0.inc(1);
    }

    /// Shows that so many things are done.
    pub fn at(&self, done: u64) {
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

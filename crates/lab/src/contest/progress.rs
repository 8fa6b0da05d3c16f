//! The progress bar of a contest.

use crate::ranks::is_first;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::time::Duration;

/// A progress bar on standard error, if that is a terminal and the bar is wanted; otherwise does nothing.
pub struct Progress(ProgressBar);

impl Progress {
    pub fn new(wanted: bool, games: usize, played: usize) -> Self {
        let target =
            if wanted && is_first() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(games as u64), target).with_position(played as u64);
        let style = "{bar:30} {pos} of {len} games, {elapsed} gone, {eta} to go";
        if let Ok(style) = ProgressStyle::with_template(style) {
            bar.set_style(style);
        }
        bar.reset_eta();
        bar.enable_steady_tick(Duration::from_millis(250));
        Progress(bar)
    }

    /// Counts a game that ended.
    pub fn played(&self) {
        self.0.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

//! The subject of the viewer: the search, the line that was walked, the selected action.

use crate::ReadError;
use crate::commands::{AnyAction, AnyGame};
use crate::contest::in_full;
use core::time::Duration;
use ramure::{ActionReport, Budget, Bytes, GameState, Search, StopReason, Turn};

/// How many actions of the best line are followed.
const LINE: usize = 24;

/// A command of the viewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Command {
    /// Select the action above.
    Up,
    /// Select the action below.
    Down,
    /// Look at the position after the selected action.
    Into,
    /// Look at the position one action earlier.
    Out,
    /// Look at the root.
    Root,
    /// Play what was walked, or the selected action at the root: its position becomes the root.
    Play,
    /// Take the last play back.
    Undo,
    /// Pause the search, or go on.
    Pause,
    /// Show means as bars instead of visits, or visits again.
    Bars,
    /// Show what the keys do, or the search again.
    Help,
    /// End the program.
    Quit,
}

/// The quantity that the bars show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bars {
    /// The share of the visits.
    Visits,
    /// The mean reward, from 0 to 1.
    Means,
}

/// A search, and what the viewer looks at.
pub struct Session {
    pub(super) search: Box<dyn Search<Space = AnyGame> + Send>,
    /// The roots before each play, and what was played.
    earlier: Vec<(AnyGame, AnyAction)>,
    /// The actions from the root to the position that is shown.
    walked: Vec<AnyAction>,
    /// The selected action of each position from the root to the one that is shown; `None` selects the first.
    selected: Vec<Option<AnyAction>>,
    is_paused: bool,
    /// Why the search has ended, if it has.
    ended: Option<String>,
    /// The quantity that the bars show.
    pub bars: Bars,
    pub(super) shows_help: bool,
    /// The first line of the help that is shown.
    pub(super) help_line: u16,
    /// The iterations at this root.
    pub iterations: u64,
    /// The iterations per second of the latest slice.
    pub(super) rate: f64,
    /// The greatest depth, and the nodes.
    pub(super) depth: u32,
    pub(super) nodes: usize,
    /// The means of the actions at this root after so many iterations.
    history: Vec<(u64, Vec<(AnyAction, f32)>)>,
    /// The iterations after which the means are noted next.
    note_at: u64,
}

/// A row of the tree.
#[derive(Clone)]
pub(super) struct Row {
    /// The actions from the position that is shown, the last one included.
    pub line: Vec<AnyAction>,
    /// The last action.
    pub report: ActionReport<AnyAction>,
}

impl Session {
    /// Creates the session with `state` at the root; the search has not begun. `text` is a tree policy with
    /// the parameters of `mcts`, without a budget, as in `ucb1:c=0.7`; unless it has `memory=`, its tree takes at
    /// most this `memory`.
    ///
    /// # Errors
    ///
    /// Returns a [`ReadError`] if the text does not name a search.
    pub fn new(state: AnyGame, text: &str, seed: u64, memory: Bytes) -> Result<Self, ReadError> {
        let mut search = AnyGame::registry().search(text, state, seed)?;
        if !text.split([':', ',']).any(|part| part.trim().starts_with("memory=")) {
            search.set_memory_limit(memory);
        }
        let mut session = Session {
            search,
            earlier: Vec::new(),
            walked: Vec::new(),
            selected: vec![None],
            is_paused: false,
            ended: None,
            bars: Bars::Visits,
            shows_help: false,
            help_line: 0,
            iterations: 0,
            rate: 0.0,
            depth: 0,
            nodes: 0,
            history: Vec::new(),
            note_at: 0,
        };
        session.begin();
        Ok(session)
    }

    /// Puts positions before the root, each with the action that was played, for [`Command::Undo`].
    pub fn after(mut self, earlier: Vec<(AnyGame, AnyAction)>) -> Self {
        self.earlier = earlier;
        self
    }

    /// Begins at a new root.
    fn begin(&mut self) {
        (self.walked, self.selected) = (Vec::new(), vec![None]);
        (self.iterations, self.rate, self.depth, self.nodes) = (0, 0.0, 0, 0);
        (self.history, self.note_at) = (Vec::new(), 0);
        self.ended = (self.search.state().turn() == Turn::Over).then(|| "the game is over".into());
    }

    /// Whether the search is at work.
    pub fn thinks(&self) -> bool {
        !self.is_paused && self.ended.is_none()
    }

    /// Lets the search work for this time, unless it is paused or has ended.
    pub fn think(&mut self, time: Duration) {
        self.run(Budget::time(time));
    }

    /// Lets the search work within this budget, unless it is paused or has ended.
    pub fn run(&mut self, budget: Budget) {
        if !self.thinks() {
            return;
        }
        match self.search.run(budget) {
            Ok(report) => {
                self.iterations += report.iterations;
                self.rate = report.iterations as f64 / report.time.as_secs_f64().max(1e-9);
                (self.depth, self.nodes) = (self.depth.max(report.depth), report.nodes);
                self.note(&report.actions);
                match report.stop_reason {
                    StopReason::Proven => self.ended = Some("the root is proven".into()),
                    StopReason::CountFull => {
                        self.ended = Some("the root has all the visits it can count".into())
                    }
                    _ => {}
                }
            }
            Err(error) => self.ended = Some(in_full(&error)),
        }
    }

    /// Notes the means of the actions at the root, for their curves. Later notes are farther apart, so that a
    /// search of any length has at most a few hundred.
    fn note(&mut self, actions: &[ActionReport<AnyAction>]) {
        if self.iterations >= self.note_at {
            let visited = actions.iter().filter(|action| action.visits > 0);
            let means = visited.map(|action| (action.action, action.proof.unwrap_or(action.mean))).collect();
            self.history.push((self.iterations, means));
            self.note_at = self.iterations + self.iterations / 64;
        }
    }

    /// Returns the means of an action at the root over the iterations.
    pub(super) fn curve(&self, action: AnyAction) -> Vec<(f64, f64)> {
        let mean = |means: &[(AnyAction, f32)]| means.iter().find(|one| one.0 == action).map(|one| one.1);
        let points = self.history.iter();
        points.filter_map(|(at, means)| Some((*at as f64, f64::from(mean(means)?)))).collect()
    }

    /// Does what the viewer asks for. [`Command::Quit`] changes nothing.
    pub fn obey(&mut self, command: Command) {
        match command {
            // The help has fewer lines than that, however narrow the window is.
            Command::Down if self.shows_help => self.help_line = (self.help_line + 1).min(60),
            Command::Up if self.shows_help => self.help_line = self.help_line.saturating_sub(1),
            Command::Up => self.select(-1),
            Command::Down => self.select(1),
            Command::Into => {
                if let Some(action) = self.selected_action() {
                    self.walked.push(action);
                    self.selected.push(None);
                }
            }
            Command::Out => {
                if self.walked.pop().is_some() {
                    self.selected.pop();
                }
            }
            Command::Root => {
                self.walked.clear();
                self.selected.truncate(1);
            }
            Command::Play => self.play(),
            Command::Undo => {
                if let Some((state, _)) = self.earlier.pop() {
                    self.search.reset(state);
                    self.begin();
                }
            }
            Command::Pause => self.is_paused = !self.is_paused,
            Command::Bars => {
                self.bars = if self.bars == Bars::Visits { Bars::Means } else { Bars::Visits };
            }
            Command::Help => (self.shows_help, self.help_line) = (!self.shows_help, 0),
            Command::Quit => {}
        }
    }

    /// Plays the line that was walked, or the selected action.
    fn play(&mut self) {
        let line =
            if self.walked.is_empty() { Vec::from_iter(self.selected_action()) } else { self.walked.clone() };
        for action in line {
            let before = self.search.state().clone();
            if let Err(error) = self.search.advance(action) {
                self.ended = Some(in_full(&error));
                return;
            }
            self.earlier.push((before, action));
            self.begin();
        }
    }

    fn select(&mut self, by: isize) {
        let rows = self.rows();
        let Some(at) = self.selected_row(&rows) else { return };
        let to = at.saturating_add_signed(by).min(rows.len() - 1);
        if let Some(last) = self.selected.last_mut() {
            *last = Some(rows[to].action);
        }
    }

    /// Returns the selected action of the position that is shown.
    pub(super) fn selected_action(&self) -> Option<AnyAction> {
        let rows = self.rows();
        self.selected_row(&rows).map(|at| rows[at].action)
    }

    /// Returns the row of the selected action.
    pub fn selected_row(&self, rows: &[ActionReport<AnyAction>]) -> Option<usize> {
        let selected = self.selected.last().copied().flatten();
        let row = rows.iter().position(|row| Some(row.action) == selected);
        row.or((!rows.is_empty()).then_some(0))
    }

    /// Returns the actions of the position that is shown, the most visited ones first.
    pub fn rows(&self) -> Vec<ActionReport<AnyAction>> {
        let mut rows = self.search.actions_after(&self.walked);
        rows.sort_by_key(|row| core::cmp::Reverse(row.visits));
        rows
    }

    /// Returns the actions of the position that is shown and, as far as there is room for more rows, the most
    /// visited actions below them, at any depth. Each is below the action before it.
    pub(super) fn tree(&self, room: usize) -> Vec<Row> {
        let top = |report: ActionReport<AnyAction>| Row { line: vec![report.action], report };
        let mut tree: Vec<Row> = self.rows().into_iter().map(top).collect();
        // Many actions leave half of the room to what comes after them.
        let most = tree.len() + room.saturating_sub(tree.len()).max(room / 2);
        let mut open = tree.clone();
        while tree.len() < most {
            // Of equal ones, the first.
            let Some(at) = (0..open.len()).rev().max_by_key(|&at| open[at].report.visits) else { break };
            let row = open.remove(at);
            let next = self.search.actions_after(&[&self.walked[..], &row.line].concat());
            let visited = next.into_iter().filter(|action| action.visits > 0);
            open.extend(
                visited.map(|report| Row { line: [&row.line[..], &[report.action]].concat(), report }),
            );
            let Some((_, before @ [_, ..])) = row.line.split_last() else { continue };
            // Behind the more visited ones.
            let last = tree.iter().rposition(|other| other.line.starts_with(before));
            tree.insert(last.map_or(tree.len(), |last| last + 1), row);
        }
        tree
    }

    /// Returns the position that is shown.
    pub(super) fn shown(&self) -> AnyGame {
        let mut state = self.search.state().clone();
        self.walked.iter().for_each(|&action| state.apply(action));
        state
    }

    /// Returns the actions from the root to the position that is shown.
    pub fn walked(&self) -> &[AnyAction] {
        &self.walked
    }

    /// Returns the line of the most visited actions from the position that is shown.
    pub(super) fn best_line(&self) -> Vec<AnyAction> {
        let mut line = self.walked.clone();
        while line.len() < self.walked.len() + LINE {
            // Of equal ones, the first.
            let actions = self.search.actions_after(&line);
            let best =
                actions.iter().filter(|action| action.visits > 0).rev().max_by_key(|action| action.visits);
            let Some(best) = best else { break };
            line.push(best.action);
        }
        line.split_off(self.walked.len())
    }

    /// Returns the action that led to the position that is shown, if it was walked or played.
    pub(super) fn last(&self) -> Option<AnyAction> {
        self.walked.last().copied().or(self.earlier.last().map(|(_, action)| *action))
    }

    /// Returns the most visited actions of the root.
    pub(super) fn favourites(&self, most: usize) -> Vec<AnyAction> {
        let mut actions = self.search.actions_after(&[]);
        actions.sort_by_key(|action| core::cmp::Reverse(action.visits));
        actions
            .into_iter()
            .take(most)
            .filter(|action| action.visits > 0)
            .map(|action| action.action)
            .collect()
    }

    /// Returns what the search does.
    pub fn status(&self) -> &str {
        match &self.ended {
            Some(reason) => reason,
            None if self.is_paused => "paused",
            None => "searching",
        }
    }
}

//! Nested Monte-Carlo search.

use crate::attempts::{Attempts, Ended};
use crate::driver::Optimizer;
use crate::nrpa::MOST_LEVEL;
use ramure::{GameState, ParameterError, Scored, Turn};

/// NMCS: nested Monte-Carlo search. A pass is one search of the highest level.
///
/// A search of level n plays one line. In each state, it makes a search of level n - 1 after each action.
/// Then it plays the next action of the best line so far, found in this state or in an earlier one. A search
/// of level 0 is a random rollout.
///
/// **Use it** for puzzles in which an early action decides much, if you have no codes for
/// [`Nrpa`](crate::Nrpa) or little time: level 1 takes about a thousand rollouts, and each further level
/// multiplies that by the length of a line times the number of actions.
///
/// **Parameters:** the level, at least 1, and [`beam`](Self::beam): Monte-Carlo beam search. **Cost:** the
/// rollouts, and a clone of the state for each.
///
/// **Source:** Cazenave, *Nested Monte-Carlo Search*, 2009, section 3; with a beam: Cazenave, *Monte-Carlo
/// Beam Search*, 2012.
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::Morpion;
/// use ramure_puzzles::{NestedSearch, Optimization};
/// let mut search = Optimization::new(Morpion::disjoint(), NestedSearch::new(1)).passes(1);
/// let best = search.run(Budget::iterations(10_000))?;
/// assert!(best.score > 40.0 && best.rollouts < 2_000, "{best}");
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NestedSearch {
    level: usize,
    beam: Option<(usize, usize)>,
}

impl NestedSearch {
    /// Creates the search of `level`, at least 1 and at most 10.
    pub fn new(level: usize) -> Self {
        NestedSearch { level, beam: None }
    }

    /// Follows the best `width` states in a search of `level`, not only the best one: Monte-Carlo beam
    /// search. At each step, it follows the next states that have the best lines. The level is at least 1 and
    /// at most that of the search, the width at least 1. \[Default: one state at each level\]
    ///
    /// **Cost:** `width` times the rollouts.
    #[must_use]
    pub fn beam(mut self, level: usize, width: usize) -> Self {
        self.beam = Some((level, width));
        self
    }
}

/// The memory of a pass.
struct Work<A> {
    /// For each level, the line that its last search found, from the root of the pass, and its score.
    found: Vec<(f64, Vec<A>)>,
    /// For each level, the actions of a state.
    actions: Vec<Vec<A>>,
}

/// A state that a beam follows.
struct Ray<G: GameState> {
    state: G,
    /// The best line through this state, and its score.
    best: Option<(f64, Vec<G::Action>)>,
}

impl NestedSearch {
    /// Makes a search of `level` from `state`, which `line` leads to, and puts the best line into
    /// `work.found[level]`.
    fn search<G: Scored>(
        &self,
        level: usize,
        mut state: G,
        line: &mut Vec<G::Action>,
        attempts: &mut Attempts<'_, G>,
        work: &mut Work<G::Action>,
    ) -> Result<(), Ended> {
        let begun = line.len();
        work.found[level].0 = f64::NEG_INFINITY;
        if level == 0 || state.turn() == Turn::Over {
            let score = attempts.rollout(&mut state, line)?;
            found(&mut work.found[level], score, line);
            line.truncate(begun);
            return Ok(());
        }
        if let Some((_, width)) = self.beam.filter(|&(at, width)| at == level && width > 1) {
            return self.search_beam(level, width, state, line, attempts, work);
        }
        let mut actions = core::mem::take(&mut work.actions[level]);
        loop {
            attempts.list(&state, line, &mut actions)?;
            if actions.is_empty() {
                break;
            }
            for action in &actions {
                let mut next = state.clone();
                next.apply(action.clone());
                line.push(action.clone());
                self.search(level - 1, next, line, attempts, work)?;
                line.pop();
                let (below, own) = work.found.split_at_mut(level);
                if below[level - 1].0 > own[0].0 {
                    core::mem::swap(&mut below[level - 1], &mut own[0]);
                }
            }
            // The best line goes through this state, and has a next action, because the state has one.
            let Some(action) = work.found[level].1.get(line.len()) else { break };
            state.apply(action.clone());
            line.push(action.clone());
        }
        work.actions[level] = actions;
        line.truncate(begun);
        Ok(())
    }

    /// Does the same as [`search`](Self::search) with a beam of `width` states.
    fn search_beam<G: Scored>(
        &self,
        level: usize,
        width: usize,
        state: G,
        line: &mut Vec<G::Action>,
        attempts: &mut Attempts<'_, G>,
        work: &mut Work<G::Action>,
    ) -> Result<(), Ended> {
        let begun = line.len();
        let start = core::mem::take(line);
        let mut beam = vec![Ray { state, best: None }];
        let mut ply = begun;
        let mut best = (f64::NEG_INFINITY, Vec::new());
        while !beam.is_empty() {
            // The best line through each state that comes next, with the number of its ray.
            let mut next: Vec<(usize, f64, Vec<G::Action>)> = Vec::new();
            for (number, ray) in beam.iter_mut().enumerate() {
                let mut remembered = ray.best.take();
                line.clear();
                line.extend_from_slice(remembered.as_ref().map_or(&start[..], |(_, line)| &line[..ply]));
                let mut actions = Vec::new();
                attempts.list(&ray.state, line, &mut actions)?;
                let first = next.len();
                for action in &actions {
                    let mut state = ray.state.clone();
                    state.apply(action.clone());
                    line.push(action.clone());
                    self.search(level - 1, state, line, attempts, work)?;
                    line.pop();
                    let (score, found) = &work.found[level - 1];
                    let is_known =
                        |(known, line): &(f64, Vec<_>)| line.get(ply) == Some(action) && known >= score;
                    if remembered.as_ref().is_some_and(is_known) {
                        continue;
                    }
                    if remembered.as_ref().is_some_and(|(_, line)| line.get(ply) == Some(action)) {
                        remembered = None;
                    }
                    next.push((number, *score, found.clone()));
                }
                if let Some((score, line)) = remembered.filter(|_| !actions.is_empty()) {
                    // It goes first, so that the beam prefers it to equal ones.
                    next.insert(first, (number, score, line));
                }
            }
            next.sort_by(|(_, a, _), (_, b, _)| b.total_cmp(a));
            next.truncate(width);
            let follow = |(number, score, line): (usize, f64, Vec<G::Action>)| {
                let mut state = beam[number].state.clone();
                state.apply(line[ply].clone());
                Ray { state, best: Some((score, line)) }
            };
            let followed = next.into_iter().map(follow).collect();
            beam = followed;
            ply += 1;
            if let Some(Ray { best: Some((score, line)), .. }) = beam.first()
                && *score > best.0
            {
                best = (*score, line.clone());
            }
        }
        *line = start;
        work.found[level] = best;
        Ok(())
    }
}

/// Replaces a line that was found.
fn found<A: Clone>(found: &mut (f64, Vec<A>), score: f64, line: &[A]) {
    found.0 = score;
    found.1.clear();
    found.1.extend_from_slice(line);
}

impl<G: Scored> Optimizer<G> for NestedSearch {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        let levels = self.level + 1;
        let mut work = Work {
            found: (0..levels).map(|_| (f64::NEG_INFINITY, Vec::new())).collect(),
            actions: (0..levels).map(|_| Vec::new()).collect(),
        };
        self.search(self.level, attempts.root().clone(), &mut Vec::new(), attempts, &mut work)
    }

    fn check(&self) -> Result<(), ParameterError> {
        let level = (1..=MOST_LEVEL).contains(&self.level);
        ParameterError::unless(level, "NestedSearch, level", self.level as f64, "in 1 to 10")?;
        let (level, width) = self.beam.unwrap_or((1, 1));
        ParameterError::unless(width > 0, "NestedSearch::beam, width", width as f64, "at least 1")?;
        let fits = (1..=self.level).contains(&level);
        let name = "NestedSearch::beam, level";
        ParameterError::unless(fits, name, level as f64, "in 1 to the level of the search")
    }
}

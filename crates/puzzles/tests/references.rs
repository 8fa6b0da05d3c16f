//! The searches against plain second implementations, which follow the pseudocode of the papers with
//! recursion and copies. Both draw from the same generator, so that they must play the same lines in the same
//! order.

use crate::common::sized;
use crate::problems::Maze;
use ramure::{ActionCode, Budget, GameState, Turn};
use ramure_puzzles::{Attempts, Ended, NestedSearch, Nrpa, Optimization, Optimizer};
use std::collections::HashMap;

type Line = (f64, Vec<u8>);

fn actions(state: &Maze) -> Vec<u8> {
    state.actions().into_iter().collect()
}

fn after(state: &Maze, action: u8) -> Maze {
    let mut next = state.clone();
    next.apply(action);
    next
}

/// Cazenave 2009, with the beam of Cazenave 2012 at one level.
struct PlainNested {
    level: usize,
    beam: Option<(usize, usize)>,
}

impl PlainNested {
    fn search(
        &self,
        level: usize,
        state: &Maze,
        played: &[u8],
        attempts: &mut Attempts<'_, Maze>,
    ) -> Result<Line, Ended> {
        if level == 0 || state.turn() == Turn::Over {
            let mut line = played.to_vec();
            let score = attempts.rollout(&mut state.clone(), &mut line)?;
            return Ok((score, line));
        }
        if let Some((_, width)) = self.beam.filter(|&(at, _)| at == level) {
            return self.search_beam((level, width), state, played, attempts);
        }
        let (mut state, mut played) = (state.clone(), played.to_vec());
        let mut best: Line = (f64::NEG_INFINITY, vec![]);
        while state.turn() != Turn::Over {
            for action in actions(&state) {
                let line = [&played[..], &[action]].concat();
                let found = self.search(level - 1, &after(&state, action), &line, attempts)?;
                if found.0 > best.0 {
                    best = found;
                }
            }
            let action = best.1[played.len()];
            state.apply(action);
            played.push(action);
        }
        Ok(best)
    }

    /// Of each state in the beam, the states after its actions, each with the best line through it that is
    /// known.
    fn search_beam(
        &self,
        (level, width): (usize, usize),
        state: &Maze,
        played: &[u8],
        attempts: &mut Attempts<'_, Maze>,
    ) -> Result<Line, Ended> {
        let mut best: Line = (f64::NEG_INFINITY, vec![]);
        let mut beam: Vec<(Maze, Vec<u8>, Option<Line>)> = vec![(state.clone(), played.to_vec(), None)];
        while !beam.is_empty() {
            let mut next: Vec<(Maze, Vec<u8>, Line)> = vec![];
            for (state, played, known) in &beam {
                if state.turn() == Turn::Over {
                    continue;
                }
                let of_known = known.as_ref().map(|(_, line)| line[played.len()]);
                let mut own = vec![];
                let mut beaten = false;
                for action in actions(state) {
                    let line = [&played[..], &[action]].concat();
                    let found = self.search(level - 1, &after(state, action), &line, attempts)?;
                    let loses = |(score, _): &Line| *score >= found.0;
                    if of_known == Some(action) && known.as_ref().is_some_and(loses) {
                        continue;
                    }
                    beaten |= of_known == Some(action);
                    own.push((after(state, action), line, found));
                }
                if let (Some(line), Some(action), false) = (known, of_known, beaten) {
                    next.push((after(state, action), [&played[..], &[action]].concat(), line.clone()));
                }
                next.extend(own);
            }
            // Greatest first; the sort keeps the order of equal ones.
            next.sort_by(|(.., (a, _)), (.., (b, _))| b.partial_cmp(a).expect("numbers"));
            next.truncate(width);
            for (.., line) in &next {
                if line.0 > best.0 {
                    best = line.clone();
                }
            }
            beam = next.into_iter().map(|(state, played, line)| (state, played, Some(line))).collect();
        }
        Ok(best)
    }
}

impl Optimizer<Maze> for PlainNested {
    fn pass(&self, attempts: &mut Attempts<'_, Maze>) -> Result<(), Ended> {
        self.search(self.level, attempts.root(), &[], attempts).map(|_| ())
    }
}

/// Rosin 2011, algorithms 1 and 2, with the bias of Cazenave 2020, the rollouts of stabilised NRPA at level 1
/// and the beam of Cazenave and Teytaud 2012 at one level.
struct PlainNrpa<B> {
    level: usize,
    iterations: usize,
    alpha: f64,
    rollouts: usize,
    beam: Option<(usize, usize)>,
    bias: B,
}

type Policy = HashMap<u64, f64>;

impl<B: Fn(&Maze, u8) -> f64> PlainNrpa<B> {
    fn odds(&self, policy: &Policy, state: &Maze, action: u8) -> f64 {
        let weight = policy.get(&state.action_code(action)).copied().unwrap_or(0.0);
        libm::exp(weight) * libm::exp((self.bias)(state, action))
    }

    fn search(
        &self,
        level: usize,
        policy: &Policy,
        attempts: &mut Attempts<'_, Maze>,
    ) -> Result<Vec<Line>, Ended> {
        if level == 0 {
            let (mut state, mut line) = (attempts.root().clone(), vec![]);
            while state.turn() != Turn::Over {
                let all = actions(&state);
                let sum = all.iter().fold(0.0, |sum, &action| sum + self.odds(policy, &state, action));
                let threshold = attempts.rng().unit() * sum;
                let mut running = 0.0;
                let passes = |action: &&u8| {
                    running += self.odds(policy, &state, **action);
                    threshold < running
                };
                let action = *all.iter().find(passes).expect("the sum is above the threshold");
                line.push(action);
                state.apply(action);
            }
            return Ok(vec![(attempts.finish(&state, &line)?, line)]);
        }
        let inner = if level == 1 { self.rollouts } else { 1 };
        if let Some((_, width)) = self.beam.filter(|&(at, _)| at == level) {
            let mut beam: Vec<(Line, Policy)> = vec![((f64::NEG_INFINITY, vec![]), policy.clone())];
            for _ in 0..self.iterations {
                let mut lines: Vec<(Line, Policy)> = vec![];
                for (line, policy) in &beam {
                    for _ in 0..inner {
                        let found = self.search(level - 1, policy, attempts)?;
                        lines.extend(found.into_iter().map(|line| (line, policy.clone())));
                    }
                    if !line.1.is_empty() {
                        lines.push((line.clone(), policy.clone()));
                    }
                }
                lines.sort_by(|((a, _), _), ((b, _), _)| b.partial_cmp(a).expect("numbers"));
                let mut next: Vec<(Line, Policy)> = vec![];
                for (line, policy) in lines {
                    if next.iter().all(|((_, known), _)| *known != line.1) && next.len() < width {
                        let adapted = self.adapt(&policy, &line.1, attempts.root());
                        next.push((line, adapted));
                    }
                }
                beam = next;
            }
            return Ok(beam.into_iter().map(|(line, _)| line).collect());
        }
        let mut policy = policy.clone();
        let mut best: Line = (f64::NEG_INFINITY, vec![]);
        for _ in 0..self.iterations {
            for _ in 0..inner {
                let found = self.search(level - 1, &policy, attempts)?.swap_remove(0);
                if found.0 >= best.0 {
                    best = found;
                }
            }
            policy = self.adapt(&policy, &best.1, attempts.root());
        }
        Ok(vec![best])
    }

    fn adapt(&self, policy: &Policy, line: &[u8], root: &Maze) -> Policy {
        let (mut adapted, mut state) = (policy.clone(), root.clone());
        for &chosen in line {
            *adapted.entry(state.action_code(chosen)).or_insert(0.0) += self.alpha;
            let all = actions(&state);
            let sum: f64 = all.iter().map(|&action| self.odds(policy, &state, action)).sum();
            for action in all {
                *adapted.entry(state.action_code(action)).or_insert(0.0) -=
                    self.alpha * self.odds(policy, &state, action) / sum;
            }
            state.apply(chosen);
        }
        adapted
    }
}

impl<B: Fn(&Maze, u8) -> f64> Optimizer<Maze> for PlainNrpa<B> {
    fn pass(&self, attempts: &mut Attempts<'_, Maze>) -> Result<(), Ended> {
        self.search(self.level, &Policy::new(), attempts).map(|_| ())
    }
}

/// The scores of all lines, in their order.
fn lines(maze: u64, optimizer: impl Optimizer<Maze>, rollouts: u64) -> Vec<f64> {
    let maze = Maze::new(maze);
    let mut search = Optimization::new(maze.clone(), optimizer).seed(maze.take().len() as u64 + 11);
    search.run(Budget::iterations(rollouts)).expect("a sound problem");
    maze.take()
}

#[test]
fn the_nested_search_plays_the_lines_of_the_pseudocode() {
    for maze in 0..6 {
        for level in 1..4 {
            for beam in [None, Some((1, 3)), Some((level, 2)), Some((level, 5))] {
                let nested = NestedSearch::new(level);
                let nested = beam.map_or(nested, |(level, width)| nested.beam(level, width));
                let (found, plain) =
                    (lines(maze, nested, 500), lines(maze, PlainNested { level, beam }, 500));
                assert_eq!(found, plain, "maze {maze}, level {level}, beam {beam:?}");
            }
        }
    }
}

#[test]
fn a_beam_of_one_state_or_line_is_no_beam() {
    for maze in 0..6 {
        let plain = PlainNested { level: 2, beam: Some((2, 1)) };
        assert_eq!(lines(maze, NestedSearch::new(2), 300), lines(maze, plain, 300));
        assert_eq!(lines(maze, NestedSearch::new(2).beam(2, 1), 300), lines(maze, NestedSearch::new(2), 300));
        let (iterations, alpha, rollouts, bias) = (6, 1.0, 1, |_: &Maze, _| 0.0);
        let plain = PlainNrpa { level: 2, iterations, alpha, rollouts, beam: Some((2, 1)), bias };
        assert_eq!(lines(maze, Nrpa::new(2).iterations(6), 100), lines(maze, plain, 100));
    }
}

#[test]
fn nrpa_plays_the_lines_of_the_pseudocode() {
    for maze in 0..sized(2, 12) {
        for (level, iterations, alpha, rollouts) in
            [(1, 30, 1.0, 1), (2, 8, 0.3, 3), (3, 5, 1.0, 1), (3, 4, 2.0, 2)]
        {
            for beam in [None, Some((1, 3)), Some((level, 2))] {
                let nrpa = Nrpa::new(level).iterations(iterations).alpha(alpha).rollouts(rollouts);
                let nrpa = beam.map_or(nrpa, |(level, width)| nrpa.beam(level, width));
                let bias = |state: &Maze, action: u8| {
                    f64::from(action) * 0.7 - f64::from(actions(state).len() as u8)
                };
                let with_bias = PlainNrpa { level, iterations, alpha, rollouts, beam, bias };
                let name = format!("maze {maze}, level {level}, beam {beam:?}");
                assert_eq!(
                    lines(maze, nrpa.bias(bias), 120),
                    lines(maze, with_bias, 120),
                    "{name}, with a bias"
                );
                let plain = PlainNrpa { level, iterations, alpha, rollouts, beam, bias: |_: &Maze, _| 0.0 };
                assert_eq!(lines(maze, nrpa, 120), lines(maze, plain, 120), "{name}");
            }
        }
    }
}

//! Shortens a line of play that breaks a law: to fewer actions, and to actions that are listed earlier.

/// A planned action: the action, and its index in the list where it was played, for lines on which it is no
/// longer legal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Step<A> {
    pub action: Option<A>,
    pub pick: usize,
    /// The number of actions in that list.
    pub of: usize,
}

/// Proposes simpler lines until none is accepted. A line is simpler than another if it is shorter, or as long
/// with a smaller sum of indices; so the process ends.
///
/// At the end, no run of 1, 2, 4, ... actions can be left out of the line. In a short line, no two actions
/// can be left out either, nor can one be left out with another in place of the next.
#[derive(Clone, Debug)]
pub(super) struct Shrinker<A> {
    best: Vec<Step<A>>,
    /// The least length of a line.
    least: usize,
    next: Move,
    proposed: Move,
    /// Whether a line was accepted since the first move was last tried.
    changed: bool,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Move {
    /// Only the first action of each list.
    Firsts,
    /// Leaves out `size` actions from `at` on.
    Cut {
        size: usize,
        at: usize,
    },
    /// Leaves out these two actions.
    CutTwo {
        one: usize,
        other: usize,
    },
    /// Leaves out the action at `at`, and replaces the next one by any other, so that one action may do the
    /// work of two.
    Merge {
        at: usize,
        pick: usize,
    },
    /// Replaces an action by an earlier one: the first, the one half as far, or the one before.
    Lower {
        at: usize,
        attempt: u8,
    },
    End,
}

/// Up to this length, further moves than leaving out one run of actions are tried.
const SHORT: usize = 40;

impl<A: Clone> Shrinker<A> {
    pub fn new(line: Vec<Step<A>>, least: usize) -> Self {
        Shrinker { best: line, least, next: Move::Firsts, proposed: Move::End, changed: false }
    }

    /// The simplest line accepted so far.
    #[cfg(test)]
    pub fn best(&self) -> &[Step<A>] {
        &self.best
    }

    /// Whether a line is simpler than the best one, and long enough.
    pub fn is_simpler(&self, played: &[Step<A>]) -> bool {
        let size = |line: &[Step<A>]| (line.len(), line.iter().map(|step| step.pick).sum::<usize>());
        played.len() >= self.least && size(played) < size(&self.best)
    }

    /// Accepts the proposal as it was actually played. Does nothing if it is not simpler.
    pub fn accept(&mut self, played: Vec<Step<A>>) {
        if !self.is_simpler(&played) {
            return;
        }
        self.best = played;
        self.changed = true;
        // A move that worked here may work here again.
        if let Move::Cut { .. } | Move::CutTwo { .. } | Move::Merge { .. } = self.proposed {
            self.next = self.proposed;
        }
    }

    /// Returns the next line to try.
    pub fn propose(&mut self) -> Option<Vec<Step<A>>> {
        loop {
            self.proposed = self.next;
            self.next = self.after(self.next);
            if self.proposed == Move::End {
                if !self.changed {
                    self.next = Move::End;
                    return None;
                }
                (self.changed, self.next) = (false, Move::Firsts);
            } else if let Some(line) = self.line(self.proposed) {
                return Some(line);
            }
        }
    }

    fn after(&self, tried: Move) -> Move {
        let length = self.best.len();
        match tried {
            Move::Firsts => Move::Cut { size: (length / 2).max(1), at: 0 },
            Move::Cut { size, at } => {
                // Short runs are tried at every place, long ones side by side.
                let next = at + if size <= 4 { 1 } else { size };
                match size {
                    _ if next + size <= length => Move::Cut { size, at: next },
                    0 | 1 => Move::CutTwo { one: 0, other: 1 },
                    _ => Move::Cut { size: size / 2, at: 0 },
                }
            }
            Move::CutTwo { .. } if length > SHORT => Move::Lower { at: 0, attempt: 0 },
            Move::CutTwo { one, other } if other + 1 < length => Move::CutTwo { one, other: other + 1 },
            Move::CutTwo { one, .. } if one + 2 < length => Move::CutTwo { one: one + 1, other: one + 2 },
            Move::CutTwo { .. } => Move::Merge { at: 0, pick: 0 },
            Move::Merge { at, pick } => match self.best.get(at + 1) {
                Some(step) if pick + 1 < step.of => Move::Merge { at, pick: pick + 1 },
                Some(_) if length <= SHORT => Move::Merge { at: at + 1, pick: 0 },
                _ => Move::Lower { at: 0, attempt: 0 },
            },
            Move::Lower { at, attempt } if attempt < 2 => Move::Lower { at, attempt: attempt + 1 },
            Move::Lower { at, .. } if at + 1 < length => Move::Lower { at: at + 1, attempt: 0 },
            Move::Lower { .. } | Move::End => Move::End,
        }
    }

    /// The result of a move on the best line, if the move is possible.
    fn line(&self, tried: Move) -> Option<Vec<Step<A>>> {
        let best = &self.best;
        let without = |left_out: &dyn Fn(usize) -> bool| {
            Vec::from_iter(
                best.iter().enumerate().filter(|&(at, _)| !left_out(at)).map(|(_, step)| step.clone()),
            )
        };
        match tried {
            Move::Firsts => {
                let first = Step { action: None, pick: 0, of: 0 };
                best.iter().any(|step| step.pick > 0).then(|| vec![first; best.len()])
            }
            Move::Cut { size, at } => {
                let possible = at + size <= best.len() && best.len() - size >= self.least;
                possible.then(|| without(&|place| (at..at + size).contains(&place)))
            }
            Move::CutTwo { one, other } => {
                let possible = best.len() <= SHORT && other < best.len() && best.len() >= self.least + 2;
                possible.then(|| without(&|place| place == one || place == other))
            }
            Move::Merge { at, pick } => {
                let merged = best.get(at + 1)?;
                let possible = best.len() <= SHORT && best.len() > self.least;
                possible.then(|| {
                    let mut line = without(&|place| place == at);
                    line[at] = Step { action: None, pick, of: merged.of };
                    line
                })
            }
            Move::Lower { at, attempt } => {
                let before = best.get(at)?.pick;
                let pick = [0, before / 2, before.checked_sub(1)?][usize::from(attempt)];
                // The three attempts may coincide.
                let new = attempt == 0 || attempt == 1 && before / 2 > 0 || attempt == 2 && before > 2;
                new.then(|| {
                    let mut line = best.clone();
                    line[at] = Step { action: None, pick, of: line[at].of };
                    line
                })
            }
            Move::End => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Shrinker, Step};

    /// The simplest line that `fails`, shrunk from `line`; every number is its own action.
    fn shrunk(line: &[usize], least: usize, fails: impl Fn(&[usize]) -> bool) -> Vec<usize> {
        let step = |&pick: &usize| Step { action: Some(pick), pick, of: 50 };
        let mut shrinker = Shrinker::new(line.iter().map(step).collect(), least);
        let mut proposals = 0;
        while let Some(proposed) = shrinker.propose() {
            proposals += 1;
            assert!(proposals < 100_000, "shrinking does not end");
            let picks: Vec<usize> = proposed.iter().map(|step| step.pick).collect();
            assert!(picks.len() >= least);
            if fails(&picks) {
                shrinker.accept(picks.iter().map(step).collect());
            }
        }
        shrinker.best().iter().map(|step| step.pick).collect()
    }

    #[test]
    fn unneeded_actions_are_left_out() {
        let line: Vec<usize> = (0..300).map(|i| i * 7 % 50).collect();
        assert_eq!(shrunk(&line, 0, |line| line.contains(&33) && line.contains(&12)), [12, 33]);
        assert!(shrunk(&line, 0, |_| true).is_empty());
        assert_eq!(shrunk(&line, 3, |_| true), [0, 0, 0]);
    }

    #[test]
    fn two_distant_actions_can_be_left_out_together() {
        // Only lines of even length fail.
        let fails = |line: &[usize]| line.len().is_multiple_of(2) && line.contains(&5) && line.contains(&6);
        assert_eq!(shrunk(&[1, 5, 2, 3, 6, 4], 0, fails), [5, 6]);
    }

    #[test]
    fn two_actions_are_merged_into_one() {
        // All sums of 20 or more fail.
        assert_eq!(shrunk(&[9, 8, 7, 1], 0, |line| line.iter().sum::<usize>() >= 20), [20]);
    }

    #[test]
    fn actions_shrink_to_earlier_ones() {
        assert_eq!(shrunk(&[40, 30, 20], 0, |line| line.len() == 3 && line[1] >= 13), [0, 13, 0]);
    }

    #[test]
    fn no_single_action_can_be_left_out_at_the_end() {
        // An arbitrary failure: the sum is a multiple of eleven above forty.
        let fails =
            |line: &[usize]| line.iter().sum::<usize>().is_multiple_of(11) && line.iter().sum::<usize>() > 40;
        let found = shrunk(&[11, 4, 7, 9, 13, 21, 5, 5, 2], 0, fails);
        assert!(fails(&found));
        for left_out in 0..found.len() {
            let mut shorter = found.clone();
            shorter.remove(left_out);
            assert!(!fails(&shorter), "{found:?} without number {left_out}");
        }
    }
}

//! Sequential halving at the root, which several policies share: which children are still contenders, and
//! which is next.

use super::rounds::targets;
use super::{Child, Choice, Node};
use crate::game::{GameState, Rng};

/// One child of the root in a run.
#[derive(Clone, Copy, Debug)]
struct Arm {
    choice: Choice,
    /// Visits of earlier runs.
    before: u32,
    /// The part of its value that does not come from its statistics.
    bonus: f64,
    /// The rounds that it has reached; 0 if it was not admitted.
    level: usize,
}

/// One of the arms that have reached the latest round.
#[derive(Clone, Copy, Debug)]
struct Contender {
    arm: usize,
    /// Visits in this run, and in all runs.
    visits: u32,
    visits_ever: u32,
    value: f64,
}

/// Sequential halving at the root, for one run.
///
/// The admitted children are visited in turn until a round is over. Then the better half goes on, until two
/// are left, which share the rest. Proven children drop out. If all children that reached the latest round
/// drop out, those of the round before are the contenders.
#[derive(Clone, Debug)]
pub(super) struct Halving {
    halve: fn(usize) -> usize,
    /// The iterations of this run: the most there may be, and those made so far.
    budget: u64,
    made: u64,
    /// The number of children that the root showed when the rounds were laid out; 0 if they are not laid out
    /// yet.
    width: usize,
    arms: Vec<Arm>,
    targets: Vec<u32>,
    contenders: Vec<Contender>,
}

impl Halving {
    /// `halve` maps the number of contenders of a round to the number that go on.
    pub const fn new(halve: fn(usize) -> usize) -> Self {
        Halving {
            halve,
            budget: 0,
            made: 0,
            width: 0,
            arms: Vec::new(),
            targets: Vec::new(),
            contenders: Vec::new(),
        }
    }

    pub fn begin(&mut self, iterations: Option<u64>) {
        (self.budget, self.made, self.width) = (iterations.unwrap_or(u64::MAX), 0, 0);
        self.arms.clear();
    }

    pub fn iterated(&mut self) {
        self.made += 1;
    }

    /// Returns `true` if the rounds must be laid out: at the start of a run, or again if the root shows more
    /// children than before.
    pub fn is_due(&self, width: usize) -> bool {
        self.width != width
    }

    /// Lays out the rounds for the rest of the budget. Admits the `most` children with the greatest `bonus`,
    /// except those whose bonus is not finite, unless there are no others.
    pub fn lay_out<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        most: usize,
        mut bonus: impl FnMut(Child<'_, G::Action, S>) -> f64,
    ) {
        // This policy does not select the first visits of children that the tree policy does not distinguish.
        // Such visits count if they can be of this run.
        let once = node.children().filter(|child| child.visit_count() == 1).count() as u64;
        let counted = if self.width == 0 && once <= self.made { once } else { 0 };
        let before = |visits| if counted > 0 && visits == 1 { 0 } else { visits };
        self.arms.clear();
        self.arms.extend(node.choices().map(|(choice, child)| Arm {
            choice,
            before: before(child.visit_count()),
            bonus: bonus(child),
            level: 0,
        }));
        self.admit(most, counted);
        self.width = node.width();
    }

    /// Admits the `most` arms with the greatest bonus, and divides the rest of the budget among them.
    /// `counted` visits have been made already. (Nothing here depends on the node, so this is compiled once.)
    fn admit(&mut self, most: usize, counted: u64) {
        let mut order = Vec::from_iter(0..self.arms.len());
        order.sort_by(|&a, &b| self.arms[b].bonus.total_cmp(&self.arms[a].bonus));
        order.truncate(most);
        order.retain(|&arm| self.arms[arm].bonus.is_finite());
        order.iter().for_each(|&arm| self.arms[arm].level = 1);
        let budget = self.budget.saturating_sub(self.made - counted);
        self.targets.clear();
        self.targets.extend(targets(budget, order.len(), self.halve));
    }

    /// Finds the contenders and returns the rounds that they have reached.
    fn gather<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        value: &impl Fn(f64, Child<'_, G::Action, S>) -> f64,
    ) -> usize {
        self.contenders.clear();
        let (mut arms, mut level) = (self.arms.iter().enumerate(), 0);
        for (choice, child) in node.choices() {
            // Both iterate in the order in which the children are stored.
            let Some((arm, found)) = arms.find(|(_, arm)| arm.choice == choice) else { break };
            if found.level > level {
                self.contenders.clear();
                level = found.level;
            }
            if found.level == level {
                let visits_ever = child.visit_count();
                let (visits, value) = (visits_ever.saturating_sub(found.before), value(found.bonus, child));
                self.contenders.push(Contender { arm, visits, visits_ever, value });
            }
        }
        level
    }

    /// Returns the child to visit next: the contender with the fewest visits in this run; among equals, the
    /// one with the greatest value. `value` computes it from a child's bonus and the child.
    pub fn next<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        value: impl Fn(f64, Child<'_, G::Action, S>) -> f64,
    ) -> Choice {
        loop {
            let level = self.gather(node, &value);
            if let Some(choice) = self.next_of_round(level) {
                return choice;
            }
        }
    }

    /// Returns the contender to visit next, or, if the round is over, `None`: then the better half has gone
    /// on. (Nothing here depends on the node, so this is compiled once.)
    fn next_of_round(&mut self, level: usize) -> Option<Choice> {
        let sooner = |a: Contender, b: Contender| {
            let is_sooner = b.visits < a.visits || b.visits == a.visits && b.value > a.value;
            if is_sooner { b } else { a }
        };
        let Some(first) = self.contenders.iter().copied().reduce(sooner) else {
            return Some(Choice::UNTRIED);
        };
        let target = level.checked_sub(1).and_then(|round| self.targets.get(round));
        let is_over = target.is_some_and(|&target| first.visits >= target);
        if !is_over || self.contenders.len() <= 2 {
            return Some(self.arms[first.arm].choice);
        }
        self.contenders.sort_by(|a, b| b.value.total_cmp(&a.value));
        for contender in &self.contenders[..(self.halve)(self.contenders.len())] {
            self.arms[contender.arm].level = level + 1;
        }
        None
    }

    /// Returns the contender with the greatest value among those visited, or only among those with the most
    /// visits in this run. `rng` draws among equal ones. `None` if the rounds were laid out for other
    /// children.
    pub fn winner<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        only_most_visited: bool,
        value: impl Fn(f64, Child<'_, G::Action, S>) -> f64,
        rng: &mut Rng,
    ) -> Option<Choice> {
        self.gather(node, &value);
        let most = self.contenders.iter().map(|contender| contender.visits).max()?;
        let is_fit = |&index: &usize| {
            let contender = &self.contenders[index];
            if only_most_visited { contender.visits == most } else { contender.visits_ever > 0 }
        };
        let fit = (0..self.contenders.len()).filter(is_fit);
        let best = rng.greatest(fit, |index| self.contenders[index].value)?;
        Some(self.arms[self.contenders[best].arm].choice)
    }
}

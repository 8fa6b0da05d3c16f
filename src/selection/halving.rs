//! Sequential halving at the root: who is still in, and who is next. Not a policy, but what policies are made of.

use super::rounds::targets;
use super::{Child, Choice, Node};
use crate::game::GameState;

/// One child of the root in a run.
#[derive(Clone, Copy, Debug)]
struct Arm {
    choice: Choice,
    /// Visits of earlier runs.
    before: u32,
    /// What its score has beyond its statistics.
    bonus: f64,
    /// The rounds that it has reached; 0 for one that was not let in.
    level: usize,
}

/// An arm among those that have got furthest.
#[derive(Clone, Copy, Debug)]
struct Contender {
    arm: usize,
    /// Visits of this run, and of all.
    visits: u32,
    visits_ever: u32,
    score: f64,
}

/// Sequential halving at the root, for one run: the children that are let in are visited in turn until a round is
/// over; then the better half goes on, until two are left, who share the rest.
///
/// Proven children drop out; if all drop out that have got furthest, those behind them are the contenders.
#[derive(Clone, Debug)]
pub(super) struct Halving {
    halve: fn(usize) -> usize,
    /// The iterations of this run: how many there may be, and how many are made.
    budget: u64,
    made: u64,
    /// How many children the root showed when this was laid out; 0 if that is to come.
    width: usize,
    arms: Vec<Arm>,
    targets: Vec<u32>,
    contenders: Vec<Contender>,
}

impl Halving {
    /// Of so many contenders, `halve` go on.
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

    /// Whether the rounds are to be laid out, anew if the root shows more children than before.
    pub fn is_due(&self, width: usize) -> bool {
        self.width != width
    }

    /// Lays out the rounds for what is left of the budget: the `most` children with the greatest `bonus` are let in,
    /// none whose bonus is not finite unless there is no other.
    pub fn lay_out<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        most: usize,
        mut bonus: impl FnMut(Child<'_, G::Action, S>) -> f64,
    ) {
        // The first visits of children that nobody was asked for were made in this run, if they can have been: they count.
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
        let mut order = Vec::from_iter(0..self.arms.len());
        order.sort_by(|&a, &b| self.arms[b].bonus.total_cmp(&self.arms[a].bonus));
        order.truncate(most);
        order.retain(|&arm| self.arms[arm].bonus.is_finite());
        order.iter().for_each(|&arm| self.arms[arm].level = 1);
        let budget = self.budget.saturating_sub(self.made - counted);
        self.targets.clear();
        self.targets.extend(targets(budget, order.len(), self.halve));
        self.width = node.width();
    }

    /// Finds the contenders; the rounds that they have reached.
    fn gather<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        score: &impl Fn(f64, Child<'_, G::Action, S>) -> f64,
    ) -> usize {
        self.contenders.clear();
        let (mut arms, mut level) = (self.arms.iter().enumerate(), 0);
        for (choice, child) in node.choices() {
            // Both are in the order in which the children are stored.
            let Some((arm, found)) = arms.find(|(_, arm)| arm.choice == choice) else { break };
            if found.level > level {
                self.contenders.clear();
                level = found.level;
            }
            if found.level == level {
                let visits_ever = child.visit_count();
                let (visits, score) = (visits_ever.saturating_sub(found.before), score(found.bonus, child));
                self.contenders.push(Contender { arm, visits, visits_ever, score });
            }
        }
        level
    }

    /// The child to visit next, by a score made of its bonus and its statistics: of the contenders the one with the
    /// fewest visits in this run, among equals the one with the greatest score.
    pub fn next<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        score: impl Fn(f64, Child<'_, G::Action, S>) -> f64,
    ) -> Choice {
        loop {
            let level = self.gather(node, &score);
            let sooner = |a: Contender, b: Contender| {
                let is_sooner = b.visits < a.visits || b.visits == a.visits && b.score > a.score;
                if is_sooner { b } else { a }
            };
            let Some(first) = self.contenders.iter().copied().reduce(sooner) else { return Choice::UNTRIED };
            let target = level.checked_sub(1).and_then(|round| self.targets.get(round));
            let is_over = target.is_some_and(|&target| first.visits >= target);
            if !is_over || self.contenders.len() <= 2 {
                return self.arms[first.arm].choice;
            }
            self.contenders.sort_by(|a, b| b.score.total_cmp(&a.score));
            for contender in &self.contenders[..(self.halve)(self.contenders.len())] {
                self.arms[contender.arm].level = level + 1;
            }
        }
    }

    /// The contender with the greatest score among those that were visited, or only those with the most visits in
    /// this run. None if these are not the children that this was laid out for.
    pub fn winner<G: GameState, S: Copy + 'static>(
        &mut self,
        node: impl Node<G, S>,
        only_most_visited: bool,
        score: impl Fn(f64, Child<'_, G::Action, S>) -> f64,
    ) -> Option<Choice> {
        self.gather(node, &score);
        let most = self.contenders.iter().map(|contender| contender.visits).max()?;
        let is_fit = |contender: &&Contender| {
            if only_most_visited { contender.visits == most } else { contender.visits_ever > 0 }
        };
        let fit = self.contenders.iter().filter(is_fit);
        let best = fit.reduce(|best, next| if next.score > best.score { next } else { best })?;
        Some(self.arms[best.arm].choice)
    }
}

//! The engine: plays lines, lets the rules inspect them, and shortens a line that breaks a law.

use super::law::Law;
use super::laws::{self, Asked, Part, Site};
use super::probe::{Breach, Probe};
use super::settings::Settings;
use super::shrink::{Shrinker, Step};
use super::violation::{Found, Violation};
use super::walk::{Style, Walk};
use super::{GAMES, STATES, Summary};
use ramure::{GameState, Rng};
use std::collections::VecDeque;

/// Without a given number of games, no further game starts after this many actions have been listed, where
/// each state counts as a few actions more.
const EFFORT: usize = 200_000;

/// The cost of a state in addition to its actions, in actions.
const EFFORT_PER_STATE: usize = 5;

/// The number of calls into the game after which shortening stops.
const SHORTENING: u64 = 600_000;

/// The number of calls after which the search for a shorter line stops.
const SHORTER: u64 = 150_000;

pub(super) struct Engine<G: GameState> {
    settings: Settings<G>,
    rules: Vec<Asked<G>>,
    probe: Probe,
    summary: Summary,
}

/// A line that breaks a law.
struct Case<G: GameState> {
    /// The line as far as it could be played; `None` if even the initial state could not be inspected.
    walk: Option<Walk<G>>,
    /// The action after that, if it could not be played.
    failed: Option<Step<G::Action>>,
    breach: Breach,
    /// The rule that found it, unless playing the line did.
    rule: Option<usize>,
    found: Found,
}

impl<G: GameState> Case<G> {
    fn new(walk: Option<Walk<G>>, breach: Breach, rule: Option<usize>, found: Found) -> Box<Self> {
        Box::new(Case { walk, failed: None, breach, rule, found })
    }

    fn steps(&self) -> Vec<Step<G::Action>> {
        self.walk.iter().flat_map(Walk::steps).chain(self.failed.clone()).collect()
    }
}

type Judged<G> = Result<(), Box<Case<G>>>;

impl<G: GameState> Engine<G> {
    pub fn new(settings: Settings<G>, rules: Vec<Asked<G>>) -> Self {
        let summary = Summary::new(rules.iter().map(|&(law, _)| law).collect());
        let what = match &summary.laws[..] {
            [law] => format!("the law \"{law}\""),
            laws => format!("{} laws", laws.len()),
        };
        Engine { probe: Probe::new(settings.patience, settings.time, what), summary, settings, rules }
    }

    /// `only` must be among the rules.
    pub fn run(mut self, only: &[Law]) -> Result<Summary, Violation<G>> {
        if let Some(&law) = only.iter().find(|law| !self.summary.laws.contains(law)) {
            let what = "this law needs more than `GameState`; ask for it with the method of `Check` that its page names";
            let breach = Breach::new(what).by(law);
            return Err(self.violation(*Case::new(None, breach, None, Found::NotAsked)));
        }
        match self.play().and_then(|()| self.finish()) {
            Ok(()) => Ok(self.summary),
            Err(case) => {
                let (shortest, is_shortest) = self.shortened(*case);
                Err(Violation { is_shortest, ..self.violation(shortest) })
            }
        }
    }

    /// Plays all lines, until the time is up.
    fn play(&mut self) -> Judged<G> {
        let played = self.lines();
        self.summary.stopped = self.probe.take_refused();
        if self.summary.stopped { Ok(()) } else { played }
    }

    fn lines(&mut self) -> Judged<G> {
        let start = match Walk::start(&self.settings.initial, &self.probe) {
            Ok(start) => start,
            Err(breach) => return Err(Case::new(None, breach, None, Found::BreadthFirst)),
        };
        self.breadth_first(&start)?;
        self.games(&start)
    }

    /// Judges all lines together.
    fn finish(&mut self) -> Judged<G> {
        for number in 0..self.rules.len() {
            let (law, rule) = &mut self.rules[number];
            let finished = rule.finish(&self.probe);
            if self.probe.take_refused() {
                self.summary.stopped = true;
                self.summary.laws.retain(|checked| checked != law);
            } else if let Err((walk, breach)) = finished {
                return Err(Case::new(Some(walk), breach.by(*law), Some(number), Found::Together));
            }
        }
        Ok(())
    }

    /// Goes through all lines, shortest first.
    fn breadth_first(&mut self, start: &Walk<G>) -> Judged<G> {
        let found = Found::BreadthFirst;
        self.judge(start, Part::BreadthFirst, found, 0)?;
        let mut open = VecDeque::from([start.clone()]);
        let (mut effort, mut is_cut) = (0, false);
        while let Some(walk) = open.pop_front() {
            let over = walk.last().look.is_over();
            for pick in 0..if over { 0 } else { walk.last().look.actions.len() } {
                if self.summary.states >= self.settings.states.unwrap_or(STATES) as u64 {
                    return Ok(());
                }
                let mut next = walk.clone();
                next.announce(&self.probe);
                self.advance(&mut next, pick, found)?;
                let is_new = self.judge(&next, Part::BreadthFirst, found, self.summary.states)?;
                effort += cost(&next);
                if self.settings.states.is_none() && effort > 10 * EFFORT {
                    return Ok(());
                }
                if is_new && next.len() < self.settings.longest {
                    open.push_back(next);
                } else {
                    is_cut |= is_new && !next.last().look.is_over();
                }
            }
        }
        self.summary.complete = !is_cut;
        Ok(())
    }

    fn games(&mut self, start: &Walk<G>) -> Judged<G> {
        let mut effort = 0;
        for number in 0..self.settings.games.unwrap_or(GAMES) {
            if self.settings.games.is_none() && effort > EFFORT {
                break;
            }
            let style = if number % 4 == 3 { Style::Peaceful } else { Style::Random };
            let mut rng = Rng::seeded(mixed(self.settings.seed, u64::from(number)));
            let mut walk = start.clone();
            walk.announce(&self.probe);
            loop {
                let found = Found::Game { number, seed: self.settings.seed, length: walk.len() };
                effort += cost(&walk);
                if walk.len() >= self.settings.longest {
                    break;
                }
                let pick = match walk.choose(style, self.settings.longest, &mut rng, &self.probe) {
                    Ok(Some(pick)) => pick,
                    Ok(None) => break,
                    Err(breach) => {
                        if !self.probe.has_refused() {
                            self.tried(&walk, 1, found)?; // one of the actions may have failed
                        }
                        return Err(Case::new(Some(walk), breach, None, found));
                    }
                };
                self.advance(&mut walk, pick, found)?;
                let found = Found::Game { number, seed: self.settings.seed, length: walk.len() };
                self.judge(&walk, Part::Game, found, rng.bits())?;
            }
            self.summary.games += 1;
            if style == Style::Random {
                self.summary.add_random_game(walk.len(), &walk.last().look);
            }
        }
        Ok(())
    }

    fn advance(&self, walk: &mut Walk<G>, pick: usize, found: Found) -> Judged<G> {
        walk.play(pick, &self.probe).map_err(|breach| {
            let failed = Some(walk.step(pick));
            Box::new(Case { walk: Some(walk.clone()), failed, breach, rule: None, found })
        })
    }

    /// Lets all rules inspect the line. Returns whether its last state is new.
    fn judge(&mut self, walk: &Walk<G>, part: Part, found: Found, draw: u64) -> Result<bool, Box<Case<G>>> {
        self.summary.add_state(&walk.last().look);
        self.probe.count(self.summary.states, self.summary.games);
        let case = |rule, breach| Case::new(Some(walk.clone()), breach, rule, found);
        let seed = mixed(self.settings.seed, draw);
        for number in 0..self.rules.len() {
            if let Err(breach) = self.judge_by(number, walk, part, seed) {
                if breach.law == Some(Law::Calls) && !self.probe.has_refused() {
                    let few = walk.last().look.actions.len() <= laws::MOST_ACTIONS;
                    self.tried(walk, if few { 2 } else { 1 }, found)?;
                }
                return Err(case(Some(number), breach));
            }
        }
        let Some(is_new) = &mut self.settings.is_new else { return Ok(true) };
        let is_new = self.probe.call("`hash` or `==`", || is_new(&walk.last().state));
        let is_new = is_new.map_err(|breach| case(None, breach))?;
        *self.summary.distinct.get_or_insert(0) += usize::from(is_new);
        Ok(is_new)
    }

    /// If a call failed while a rule tried actions at the end of the line, returns the line with these
    /// actions as the case, unless the time is up before they are found.
    fn tried(&self, walk: &Walk<G>, depth: usize, found: Found) -> Judged<G> {
        let tried = self.try_actions(walk, depth, found);
        if self.probe.take_refused() { Ok(()) } else { tried }
    }

    fn try_actions(&self, walk: &Walk<G>, depth: usize, found: Found) -> Judged<G> {
        for pick in 0..walk.last().look.actions.len() {
            let mut next = walk.clone();
            self.advance(&mut next, pick, found)?;
            if depth > 1 {
                self.try_actions(&next, depth - 1, found)?;
            }
        }
        Ok(())
    }

    fn judge_by(&mut self, number: usize, walk: &Walk<G>, part: Part, seed: u64) -> Result<(), Breach> {
        let (law, rule) = &mut self.rules[number];
        let mut site =
            Site { walk, probe: &self.probe, rng: Rng::seeded(mixed(seed, walk.len() as u64)), part };
        let ends = walk.has_ended() || walk.len() >= self.settings.longest;
        let result = rule.step(&mut site).and_then(|()| if ends { rule.end(&mut site) } else { Ok(()) });
        // If only this rule meets a panic, the panic breaks this law, unless the law about panics is checked
        // as well.
        let named = |breach: &Breach| breach.law.filter(|_| self.summary.laws.contains(&Law::Calls));
        result.map_err(|breach| Breach { law: named(&breach), ..breach }.by(*law))
    }

    /// The simplest line found that breaks the same law, and whether all shorter ones were checked.
    fn shortened(&mut self, case: Case<G>) -> (Case<G>, bool) {
        let Some(mut best) = self.broken_by(&case.steps(), &case) else { return (case, false) };
        if best.breach.rigid {
            return (best, false);
        }
        let end = self.probe.calls() + SHORTENING;
        let mut shrinker = Shrinker::new(best.steps(), 0);
        while let Some(plan) = shrinker.propose()
            && self.probe.calls() < end
            && !self.probe.has_refused()
        {
            if let Some(simpler) = self.broken_by(&plan, &case)
                && shrinker.is_simpler(&simpler.steps())
            {
                shrinker.accept(simpler.steps());
                best = simpler;
            }
        }
        let (shorter, all) = self.shorter(best.steps().len(), &case);
        (shorter.unwrap_or(best), all)
    }

    /// Goes through all lines of fewer actions, shortest first, checking only the law of the case, without
    /// sampling. Returns a line that breaks it, and whether it went through all lines or found one.
    fn shorter(&mut self, length: usize, case: &Case<G>) -> (Option<Case<G>>, bool) {
        let end = self.probe.calls() + SHORTER;
        let mut open = VecDeque::from([Vec::new()]);
        while let Some(plan) = open.pop_front() {
            if self.probe.calls() >= end || self.probe.has_refused() {
                return (None, false);
            }
            if let Some(found) = self.broken_by(&plan, case) {
                return (Some(found), true);
            }
            if plan.len() + 1 < length
                && let Ok(walk) = self.played(&plan)
            {
                for pick in 0..if walk.has_ended() { 0 } else { walk.last().look.actions.len() } {
                    open.push_back(plan.iter().cloned().chain([walk.step(pick)]).collect());
                }
            }
            if open.len() > SHORTER as usize / 2 {
                return (None, false);
            }
        }
        (None, true)
    }

    fn played(&self, plan: &[Step<G::Action>]) -> Result<Walk<G>, Breach> {
        let mut walk = Walk::start(&self.settings.initial, &self.probe)?;
        for step in plan {
            if let Some(pick) = walk.resolve(step) {
                walk.play(pick, &self.probe)?;
            }
        }
        Ok(walk)
    }

    /// Plays the plan as far as possible, up to where it breaks the law of the case, unless the time is up.
    fn broken_by(&mut self, plan: &[Step<G::Action>], case: &Case<G>) -> Option<Case<G>> {
        let broken = self.breaking(plan, case);
        broken.filter(|_| !self.probe.has_refused())
    }

    fn breaking(&mut self, plan: &[Step<G::Action>], case: &Case<G>) -> Option<Case<G>> {
        let broken = |walk, failed, breach: Breach| {
            let same = breach.law == case.breach.law;
            same.then_some(Case { walk, failed, breach, rule: case.rule, found: case.found })
        };
        let mut walk = match Walk::start(&self.settings.initial, &self.probe) {
            Ok(walk) => walk,
            Err(breach) => return broken(None, None, breach),
        };
        let mut plan = plan.iter();
        loop {
            let next = plan.next().and_then(|step| walk.resolve(step));
            if let Some(rule) = case.rule
                && let Err(breach) = self.judge_line(rule, &walk, next.is_none())
            {
                walk.truncate(breach.at.unwrap_or(walk.len()));
                return broken(Some(walk), None, breach);
            }
            let pick = next?;
            let failed = walk.step(pick);
            if let Err(breach) = walk.play(pick, &self.probe) {
                return broken(Some(walk), Some(failed), breach);
            }
        }
    }

    /// Lets the rule that was broken inspect a line that is being shortened.
    fn judge_line(&mut self, number: usize, walk: &Walk<G>, ends: bool) -> Result<(), Breach> {
        self.judge_by(number, walk, Part::Shortening, 0)?;
        let over = walk.has_ended() || walk.len() >= self.settings.longest;
        if !ends || over {
            return Ok(());
        }
        let mut site = Site { walk, probe: &self.probe, rng: Rng::seeded(0), part: Part::Shortening };
        let (law, rule) = &mut self.rules[number];
        rule.end(&mut site).map_err(|breach| breach.by(*law))
    }

    fn violation(&self, case: Case<G>) -> Violation<G> {
        self.probe.unlimited();
        let Case { walk, failed, breach, found, .. } = case;
        let mut actions: Vec<G::Action> = walk.iter().flat_map(Walk::actions).collect();
        // A clone that panics must not lose the counterexample.
        let copied = |state: &G| self.probe.clone(state).ok();
        let last = walk.as_ref().and_then(|walk| copied(&walk.last().state));
        let (before, after) = match failed {
            Some(step) => {
                actions.extend(step.action);
                (last, None)
            }
            None => {
                (walk.as_ref().and_then(Walk::before).and_then(|(before, _)| copied(&before.state)), last)
            }
        };
        let shown = self.settings.shown;
        Violation {
            law: breach.law.unwrap_or(Law::Calls), // the engine has named the laws of rules
            actions,
            before,
            after,
            what: breach.what,
            found,
            is_shortest: false,
            shown,
        }
    }
}

/// The cost of inspecting the end of a line, in actions. Comparing all pairs of actions counts when there are
/// many.
fn cost<G: GameState>(walk: &Walk<G>) -> usize {
    let count = walk.last().look.actions.len();
    count + EFFORT_PER_STATE + count * count / 256
}

/// Combines two seeds.
fn mixed(one: u64, other: u64) -> u64 {
    Rng::seeded(one ^ other.wrapping_mul(0x9E37_79B9_7F4A_7C15)).bits()
}

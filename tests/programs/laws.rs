//! What must hold after each call, whatever the program.

use super::kinds::Kind;
use super::program::Call;
use super::quiet::caught;
use super::runner::{Outcome, Runner};
use super::space::OUTCOME;
use super::subject::NodeSeen;
use super::table::{Bounds, Fault, How, PLANNED, Table};
use crate::run::report::ActionReport;
use crate::{Budget, Every, Report, SearchError, StopReason};

/// How far two numbers that should be equal may be apart.
const NEAR: f64 = 1e-4;

/// The laws, with what they must remember.
#[derive(Default)]
pub struct Laws {
    /// The visits of the root before the call; `None` if they are not known.
    visits: Option<u32>,
    /// The bytes before the call.
    bytes: usize,
    /// The bytes that the tree took when a limit was set: it may keep them.
    kept: usize,
    /// The exact values, and those under the restriction of the root.
    bounds: Option<Bounds>,
    /// Whether the tree has not been moved, restricted or limited.
    is_whole: bool,
}

impl Laws {
    pub fn before(&mut self, runner: &Runner<'_>) {
        if self.bounds.is_none() {
            (self.bounds, self.is_whole) = (Some(Bounds::new(&runner.world.table)), runner.limit.is_none());
        }
        let search = &runner.searches[0].search;
        self.visits = caught(|| search.report()).ok().and_then(Result::ok).map(|report| report.root_visits);
        self.bytes = search.bytes();
    }

    pub fn after(&mut self, runner: &Runner<'_>, call: &Call, outcome: &Outcome) -> Result<(), String> {
        let is_faulty = !runner.program.table.faults.is_empty();
        match outcome {
            Outcome::Failed(error) if !is_faulty => expected(error, runner, call)?,
            Outcome::Failed(error) => error_of_fault(error)?,
            Outcome::Panicked if !is_faulty => return Err("a panic was planned that is not".into()),
            _ => {}
        }
        if matches!(call, Call::Limit(_) | Call::LimitHere) {
            self.kept = runner.searches[0].search.bytes();
        }
        let moves = matches!(
            call,
            Call::Advance(_) | Call::AdvanceBest | Call::AdvanceTo(_) | Call::Only(..) | Call::Except(..)
        );
        self.is_whole &= !moves && runner.limit.is_none() && !is_faulty;
        let always_lies = |fault: &Fault| fault.at == 1 && fault.every == 1 && fault.how != How::Panic;
        if let Outcome::Reported(report) | Outcome::Observed(_, report) = outcome
            && report.iterations > 0
            && runner.program.table.faults.iter().all(always_lies)
        {
            distinct(report)?;
        }
        if runner.program.lies() {
            return Ok(());
        }
        let search = &runner.searches[0].search;
        match outcome {
            Outcome::Reported(report) => self.run(runner, call, report)?,
            Outcome::Observed(reports, last) => {
                for report in reports {
                    self.report(runner, report)
                        .map_err(|text| format!("a report to the observer: {text}"))?;
                }
                self.run(runner, call, last)?;
            }
            _ => {}
        }
        if let Some(limit) = runner.limit {
            let (bytes, most) = (search.bytes(), limit.max(self.kept));
            if bytes > most {
                return Err(format!("the trees take {bytes} bytes of {most}"));
            }
        }
        let room = search.room();
        if room != runner.room && *outcome != Outcome::Panicked {
            return Err(format!("the root is room {room}, not {}", runner.room));
        }
        let reports = [caught(|| search.report()), caught(|| search.report())];
        match &reports {
            [Ok(Ok(one)), Ok(Ok(other))] => {
                if !is_faulty && format!("{one:?}") != format!("{other:?}") {
                    return Err("two reports differ".into());
                }
                self.report(runner, one).map_err(|text| format!("the report afterwards: {text}"))?;
            }
            [Ok(Err(error)), _] if !is_faulty => expected(error, runner, call)?,
            [Err(text), _] | [_, Err(text)] if text != PLANNED => {
                return Err(format!("a report panics: {text}"));
            }
            _ => {}
        }
        self.replies(runner)?;
        self.view(runner)
    }

    /// Checks what is found after each action of the root.
    fn replies(&self, runner: &Runner<'_>) -> Result<(), String> {
        if runner.program.kind == Kind::Open {
            return Ok(()); // after chance, the same number is an action of several players
        }
        let search = &runner.searches[0].search;
        let sum =
            |entries: &[ActionReport<u8>]| entries.iter().map(|entry| u64::from(entry.visits)).sum::<u64>();
        let looked = caught(|| {
            let first = search.actions_after(&[]);
            let replies = first
                .iter()
                .map(|entry| (entry.action, entry.visits, sum(&search.actions_after(&[entry.action]))));
            (sum(&first), Vec::from_iter(replies.filter(|entry| entry.0 != OUTCOME)))
        });
        match looked {
            Err(text) if text == PLANNED => Ok(()),
            Err(text) => Err(format!("`actions_after` panics: {text}")),
            Ok((_, replies)) => match replies.iter().find(|(_, visits, below)| below > &u64::from(*visits)) {
                Some((action, visits, below)) if !runner.program.kind.is_graph() => {
                    Err(format!("{below} visits after action {action}, which has {visits}"))
                }
                _ => Ok(()),
            },
        }
    }

    /// Checks what a run returned.
    fn run(&self, runner: &Runner<'_>, call: &Call, report: &Report<u8>) -> Result<(), String> {
        self.report(runner, report)?;
        let asked = match *call {
            Call::Run(n)
            | Call::RunDecided(n)
            | Call::RunBytes(n, _)
            | Call::RunObserved(n, _, _)
            | Call::RunStopped(n) => n,
            _ => return Ok(()),
        };
        let made = report.iterations;
        // (A plan whose scale widens begins anew.)
        if report.stop_reason == StopReason::Decided
            && runner.program.kind != Kind::Planning
            && runner.program.table.faults.is_empty()
        {
            self.decided(runner, asked - made, report)?;
        }
        // This decision asks for more iterations while it is unclear.
        let most = if runner.goes_on() { asked + asked / 2 + 1 } else { asked };
        if made > most {
            return Err(format!("{made} iterations of {asked}"));
        }
        if report.stop_reason == StopReason::Iterations && made < asked {
            return Err(format!("the run ends after {made} iterations, and says that it made all {asked}"));
        }
        if report.stop_reason == StopReason::Proven && report.proof.is_none() {
            return Err("the run ends because the root is proven, and reports no proof".into());
        }
        if matches!(*call, Call::Run(_))
            && !matches!(report.stop_reason, StopReason::Iterations | StopReason::Proven)
        {
            return Err(format!("the run ends because of {:?}", report.stop_reason));
        }
        if let Some(before) = self.visits
            && runner.program.kind != Kind::Planning
            && !runner.program.kind.asks()
            && runner.program.table.faults.is_empty()
            && u64::from(report.root_visits) != u64::from(before) + made
        {
            return Err(format!(
                "the root had {before} visits and {made} iterations, and has {} visits",
                report.root_visits
            ));
        }
        Ok(())
    }

    /// Checks that a choice that ended a run early is the choice after the iterations that were `left`, unless these prove something.
    fn decided(&self, runner: &Runner<'_>, left: u64, report: &Report<u8>) -> Result<(), String> {
        let mut rest = runner.searches[0].search.fork();
        let Ok(after) = rest.run(Budget::iterations(left.max(1)), Every::Iterations(u64::MAX), &mut |_| {})
        else {
            return Ok(());
        };
        let [now, then] = [report, &after].map(|report| report.chosen_action().map(|entry| entry.action));
        let proofs =
            |report: &Report<u8>| report.actions.iter().filter(|entry| entry.proof.is_some()).count();
        if now != then && proofs(report) == proofs(&after) {
            return Err(format!("{now:?} was decided, and after {left} more iterations it is {then:?}"));
        }
        Ok(())
    }

    /// Checks a report of the root.
    fn report(&self, runner: &Runner<'_>, report: &Report<u8>) -> Result<(), String> {
        let (kind, table) = (runner.program.kind, &runner.world.table);
        let room = &table.rooms[usize::from(runner.room)];
        let numbers = Vec::from_iter(report.actions.iter().map(|entry| entry.action));
        let legal = Vec::from_iter(room.doors.iter().map(|door| door.action));
        let permits =
            |number: &u8| runner.permitted.as_ref().is_none_or(|permitted| permitted.contains(number));
        if kind.is_exact() && numbers != Vec::from_iter(legal.iter().copied().filter(permits)) {
            return Err(format!("the actions are {numbers:?}, not those of {legal:?} that are permitted"));
        }
        if !numbers.iter().all(|number| permits(number) && (legal.contains(number) || kind.is_hidden())) {
            return Err(format!("the actions {numbers:?} are not all legal and permitted"));
        }
        if report.chosen.is_some_and(|chosen| chosen >= numbers.len()) {
            return Err("the chosen action is not in the report".into());
        }
        if report.chosen.is_some() != (room.mover.is_some() || kind == Kind::Planning) && !numbers.is_empty()
        {
            return Err(format!("the chosen action is {:?}, and the mover {:?}", report.chosen, room.mover));
        }
        let visits: u64 = report.actions.iter().map(|entry| u64::from(entry.visits)).sum();
        if visits > u64::from(report.root_visits) {
            return Err(format!("the actions have {visits} visits, and the root has {}", report.root_visits));
        }
        let tries_first = matches!(kind, Kind::Lines | Kind::LinesOwned);
        if self.is_whole
            && tries_first
            && runner.permitted.is_none()
            && visits != u64::from(report.root_visits)
        {
            return Err(format!(
                "the actions have {visits} visits, and the root of a new tree has {}",
                report.root_visits
            ));
        }
        for entry in &report.actions {
            self.entry(kind, entry)?;
        }
        self.shares(runner, report)?;
        self.visit_shares(report)?;
        if let Some(chosen) = report.chosen
            && report.principal_variation.first().is_some_and(|&first| first != numbers[chosen])
        {
            return Err("the best line does not begin with the chosen action".into());
        }
        if kind.is_exact() {
            self.line(table, runner.room, &report.principal_variation)?;
            self.proofs(runner, report)?;
        } else if report.proof.is_some() && kind != Kind::Planning {
            return Err("there is a proof where nothing can be proven".into());
        }
        Ok(())
    }

    fn entry(&self, kind: Kind, entry: &ActionReport<u8>) -> Result<(), String> {
        let (low, high) = entry.interval;
        let is_unit = |value: f32| (0.0..=1.0).contains(&value);
        if kind == Kind::Planning {
            return if entry.mean.is_finite() { Ok(()) } else { Err(format!("a mean is {}", entry.mean)) };
        }
        let in_range =
            is_unit(entry.mean) && is_unit(low) && is_unit(high) && entry.proof.is_none_or(is_unit);
        let is_inside = entry.visits == 0 || low <= entry.mean && entry.mean <= high;
        if in_range && is_inside && (entry.visits > 0 || entry.mean == 0.0) {
            Ok(())
        } else {
            Err(format!("an entry is {entry:?}"))
        }
    }

    /// Checks priors and improved policies, which sum to 1.
    fn shares(&self, runner: &Runner<'_>, report: &Report<u8>) -> Result<(), String> {
        // Of another player, the observer knows no actions.
        let observer = runner.world.table.rooms[usize::from(runner.program.start)].mover;
        let is_listed = !runner.program.kind.is_hidden() || report.player == Some(observer.unwrap_or(0));
        let improved = report
            .improved_policy()
            .filter(|shares| !shares.is_empty() && is_listed && runner.limit.is_none());
        if let Some(improved) = improved {
            let sum: f32 = improved.iter().sum();
            if (sum - 1.0).abs() > 1e-3 {
                return Err(format!("the improved policy sums to {sum}"));
            }
        }
        let priors: Option<Vec<f32>> = report.actions.iter().map(|entry| entry.prior).collect();
        if let Some(priors) =
            priors.filter(|priors| !priors.is_empty() && runner.permitted.is_none() && runner.limit.is_none())
        {
            let sum: f32 = priors.iter().sum();
            if (sum - 1.0).abs() > 1e-3 && sum != 0.0 {
                return Err(format!("the priors {priors:?} sum to {sum}"));
            }
        }
        Ok(())
    }

    /// Checks the shares of the visits, which follow proofs: wins have all, and losses nothing while others are open.
    fn visit_shares(&self, report: &Report<u8>) -> Result<(), String> {
        let shares = report.visit_shares();
        let sum: f32 = shares.iter().sum();
        let is_known = report.actions.iter().any(|entry| entry.visits > 0 || entry.proof.is_some());
        if shares.len() != report.actions.len() || is_known && (sum - 1.0).abs() > 1e-3 {
            return Err(format!("the shares {shares:?} sum to {sum}"));
        }
        let entries = || report.actions.iter().zip(&shares);
        let is_won = entries().any(|(entry, _)| entry.proof == Some(1.0));
        let is_open =
            entries().any(|(entry, _)| entry.proof.is_none() && !entry.is_pruned && entry.visits > 0);
        let is_wrong = |(entry, &share): (&ActionReport<u8>, &f32)| {
            let has_none = is_won && entry.proof != Some(1.0) || is_open && entry.proof == Some(0.0);
            share > 0.0 && has_none
        };
        match entries().find(|&entry| report.player.is_some() && is_wrong(entry)) {
            Some((entry, share)) => Err(format!("{entry:?} has a share of {share}")),
            None => Ok(()),
        }
    }

    /// Checks that a line is legal.
    fn line(&self, table: &Table, mut room: u16, line: &[u8]) -> Result<(), String> {
        for &action in line {
            let door = table.rooms[usize::from(room)].door(action);
            room = door.ok_or_else(|| format!("the best line {line:?} is not legal"))?.to;
        }
        Ok(())
    }

    /// Checks proofs against the exact values under the restriction.
    fn proofs(&self, runner: &Runner<'_>, report: &Report<u8>) -> Result<(), String> {
        let (table, root) = (&runner.world.table, runner.room);
        let room = &table.rooms[usize::from(root)];
        let proven = |entry: &ActionReport<u8>| entry.proof.map(|proof| (entry.action, proof));
        let claims = Vec::from_iter(report.actions.iter().filter_map(proven));
        if report.proof.is_none() && claims.is_empty() {
            return Ok(());
        }
        let player = usize::from(report.player.unwrap_or(runner.chooser));
        if report.player.is_none() && room.mover.is_some() {
            return Err("the report names no player".into());
        }
        // In a tree, the restriction holds for the root alone. In a graph, the root does not come again without a repetition.
        let whole = self.bounds.as_ref().expect("computed before");
        let permits = |action| runner.permitted.as_ref().is_none_or(|permitted| permitted.contains(&action));
        let restricted;
        let bounds = match runner.program.kind.is_graph() && runner.permitted.is_some() {
            false => whole,
            true => {
                restricted = Bounds::under(table, |room, action| room != root || permits(action));
                &restricted
            }
        };
        let right = bounds.restricted(table, root, permits);
        let is_sure = table.is_zero_sum();
        if let Some(proof) = report.proof
            && room.mover.is_some()
            && !holds(right[player], proof, is_sure)
            && !self.on_line(runner, None, player, proof)
        {
            return Err(format!(
                "the report proves {proof} for player {player}, where {:?} is right",
                right[player]
            ));
        }
        for &(action, proof) in &claims {
            let to = table.rooms[usize::from(root)].door(action).expect("it is legal").to;
            let right = bounds.of(to)[player];
            if !holds(right, proof, is_sure) && !self.on_line(runner, Some(action), player, proof) {
                return Err(format!(
                    "action {action} is a proven {proof} for player {player}, where {right:?} is right"
                ));
            }
        }
        self.choice(runner, report)
    }

    /// Returns whether a claim holds by the rule of repetition, after the rooms before the root.
    fn on_line(&self, runner: &Runner<'_>, action: Option<u8>, player: usize, proof: f32) -> bool {
        if !runner.program.kind.is_graph() {
            return false;
        }
        let table = &runner.world.table;
        let mut line = runner.earlier.clone();
        line.push(runner.room);
        let depth = line.len();
        let permitted = runner.permitted.as_ref();
        let allows = |at: usize, number: u8| {
            at != depth
                || permitted.is_none_or(|permitted| permitted.contains(&number))
                    && action.is_none_or(|action| action == number)
        };
        let repeated = if table.players == 1 { 0.0 } else { 0.5 };
        let bounds = Bounds::on_line(table, &mut line, repeated, &allows, &mut 20_000);
        bounds.is_some_and(|bounds| holds(bounds[player], proof, table.is_zero_sum()))
    }

    /// Checks that a proven win is chosen, and no proven loss if there is something else.
    fn choice(&self, runner: &Runner<'_>, report: &Report<u8>) -> Result<(), String> {
        let Some(chosen) = report.chosen_action() else { return Ok(()) };
        let is_won = |entry: &ActionReport<u8>| entry.proof == Some(1.0);
        if report.actions.iter().any(is_won) && !is_won(chosen) {
            return Err(format!("{chosen:?} is chosen, where another action wins"));
        }
        let is_lost = |entry: &ActionReport<u8>| entry.proof == Some(0.0);
        let visited = |entry: &&ActionReport<u8>| entry.visits > 0;
        if is_lost(chosen)
            && report.actions.iter().filter(visited).any(|entry| !is_lost(entry))
            && runner.limit.is_none()
        {
            return Err(format!("{chosen:?} is chosen, a proven loss, where another action is open"));
        }
        Ok(())
    }

    /// Checks all nodes that the view shows.
    fn view(&self, runner: &Runner<'_>) -> Result<(), String> {
        if runner.program.table.faults.iter().any(|fault| fault.how == How::Fail) {
            return Ok(()); // a view that fails has no other way to say so
        }
        let search = &runner.searches[0].search;
        let nodes = match caught(|| search.view(4)) {
            Ok(Some(nodes)) => nodes,
            Ok(None) => return Ok(()),
            Err(text) if text == PLANNED => return Ok(()),
            Err(text) => return Err(format!("the view panics: {text}")),
        };
        for node in &nodes {
            self.node(runner, node).map_err(|text| format!("the view after {:?}: {text}", node.line))?;
        }
        Ok(())
    }

    fn node(&self, runner: &Runner<'_>, node: &NodeSeen) -> Result<(), String> {
        let (kind, table) = (runner.program.kind, &runner.world.table);
        if node.below > u64::from(node.visits.max(node.position.0)) {
            return Err(format!("{} visits of the children, and {} of the node", node.below, node.visits));
        }
        if !(0.0..=1.0).contains(&node.mean) || !(0.0..=1.0).contains(&node.position.1) {
            return Err(format!("the mean is {}", node.mean));
        }
        if !kind.is_exact() {
            return Ok(());
        }
        if kind != Kind::Mirror {
            let mut room = runner.room;
            for &action in &node.line {
                room = table.rooms[usize::from(room)].door(action).ok_or("the line is not legal")?.to;
            }
            if room != node.room {
                return Err(format!("the node shows room {}, not {room}", node.room));
            }
        }
        let bounds = self.bounds.as_ref().expect("computed before").of(node.room);
        for (player, (&proof, &right)) in node.proofs.iter().zip(bounds).enumerate() {
            if let Some(proof) = proof
                && !holds(right, proof, table.is_zero_sum())
            {
                return Err(format!(
                    "room {} is a proven {proof} for player {player}, where {right:?} is right",
                    node.room
                ));
            }
        }
        Ok(())
    }
}

/// Checks that no action is listed twice, also if the game always does so.
fn distinct(report: &Report<u8>) -> Result<(), String> {
    let actions = &report.actions;
    let twice =
        (1..actions.len()).find(|&at| actions[..at].iter().any(|entry| entry.action == actions[at].action));
    twice.map_or(Ok(()), |at| Err(format!("action {} is in the report twice", actions[at].action)))
}

/// Returns whether a proof agrees with the bounds. If `is_sure`, they must meet.
fn holds((low, high): (f64, f64), proof: f32, is_sure: bool) -> bool {
    let proof = f64::from(proof);
    low - NEAR <= proof && proof <= high + NEAR && (!is_sure || high - low <= NEAR)
}

/// Checks that an error is one of this call, in a game without faults.
fn expected(error: &SearchError, runner: &Runner<'_>, call: &Call) -> Result<(), String> {
    let room = &runner.world.table.rooms[usize::from(runner.room)];
    let kind = runner.program.kind;
    let fits = match error {
        SearchError::GameOver => room.is_end(),
        SearchError::ChanceToMove => room.mover.is_none(),
        SearchError::IllegalAction { .. } => *call == Call::AdvanceIllegal,
        SearchError::NoActionLeft { .. } => runner.permitted.as_ref().is_some_and(Vec::is_empty),
        SearchError::MemoryLimit { .. } => runner.limit.is_some(),
        SearchError::CannotStopEarly => matches!(call, Call::RunDecided(_)),
        SearchError::MidStep => {
            kind == Kind::PlayerTrees && runner.program.table.rooms.iter().any(|room| room.simultaneous)
        }
        SearchError::Ticket => {
            matches!(call, Call::Tell(_) | Call::TellAll(_) | Call::TellAgain | Call::TellWrong(_))
        }
        SearchError::Game { .. } => matches!(call, Call::TellWrong(_)),
        _ => false,
    };
    if fits { Ok(()) } else { Err(format!("unexpected: {error:?}")) }
}

/// Checks that an error in a game with faults has a sentence.
fn error_of_fault(error: &SearchError) -> Result<(), String> {
    if error.to_string().is_empty() { Err(format!("no sentence: {error:?}")) } else { Ok(()) }
}

//! Performs a program, and compares searches that must do the same.

use super::kinds::Kind;
use super::laws::Laws;
use super::program::{Call, Growth, Program};
use super::quiet::caught;
use super::subject::{Asked, NodeSeen, Subject};
use super::table::{How, PLANNED, World};
use crate::game::Rewards;
use crate::search::Ticket;
use crate::{Budget, Bytes, Every, Report, RootDecision, SearchError};
use std::sync::Arc;
use std::time::Duration;

/// What a program found wrong with the search.
#[derive(Clone, Debug)]
pub struct Flaw {
    /// The number of the call.
    pub call: usize,
    pub text: String,
}

/// What a call returned.
#[derive(Clone, PartialEq, Debug)]
pub enum Outcome {
    Done,
    Reported(Box<Report<u8>>),
    Observed(Vec<Report<u8>>, Box<Report<u8>>),
    Viewed(Option<Vec<NodeSeen>>),
    /// The room, the number of actions, whether priors are wanted, and the ply of each question.
    Questions(Vec<(u16, usize, bool, u32)>),
    Failed(SearchError),
    File(String),
    /// A planned panic.
    Panicked,
    /// The call does not apply here.
    Skipped,
}

/// A search that a program drives, and its questions: each with whether it was answered.
pub struct Driven {
    pub search: Box<dyn Subject>,
    pub questions: Vec<(Asked, bool)>,
}

/// Sees each call, and what the search did. The plain twin of the search is one.
pub trait Beside {
    /// Called after each call, with the action that was played, if any; returns what is wrong.
    fn after_call(
        &mut self,
        call: &Call,
        played: &[u8],
        search: &dyn Subject,
        outcome: &Outcome,
    ) -> Result<(), String>;
}

/// The state of a performance.
pub struct Runner<'p> {
    pub program: &'p Program,
    pub world: Arc<World>,
    threads: usize,
    pub searches: Vec<Driven>,
    growth: Option<Growth>,
    decision: Option<RootDecision>,
    pub limit: Option<usize>,
    /// What the trees take before the call.
    bytes: usize,
    /// The room of the root.
    pub room: u16,
    /// The player whose means a chance node at the root has.
    pub chooser: u8,
    /// The root actions that may be chosen, if they are restricted.
    pub permitted: Option<Vec<u8>>,
    /// How the restriction was given.
    restriction: (bool, Vec<u8>, u32),
    /// The rooms before the root.
    pub earlier: Vec<u16>,
    told: u64,
    planned: Option<u64>,
    /// The action that the call has played.
    played: Vec<u8>,
}

impl Program {
    /// Performs the program from this room on. Returns what each call returned.
    pub fn perform(&self, start: u16, threads: usize, has_twin: bool) -> Result<Vec<Outcome>, Flaw> {
        let world = World::new(self.table.clone());
        let result = {
            let mut runner = Runner::new(self, &world, start, threads);
            let twin = runner
                .searches
                .first()
                .filter(|_| has_twin && self.table.faults.is_empty() && self.settings.limit.is_none());
            let mut beside = Vec::from_iter(twin.and_then(|driven| driven.search.twin(self.settings.seed)));
            let result = runner.all(&mut beside);
            drop(beside);
            // A drop may panic as planned.
            let searches = std::mem::take(&mut runner.searches);
            let dropped = caught(|| drop(searches));
            let planned = dropped.err().is_none_or(|text| text == PLANNED);
            let flaw = || Flaw { call: self.calls.len(), text: "a drop of the search panics".into() };
            if planned { result } else { result.and(Err(flaw())) }
        };
        let outcomes = result?;
        let has_drops_that_panic =
            self.table.faults.iter().any(|fault| fault.on == super::table::Asked::DropAction);
        if world.owners() != 1 && !has_drops_that_panic {
            let text = format!("{} states and actions are not dropped", world.owners() - 1);
            return Err(Flaw { call: self.calls.len(), text });
        }
        Ok(outcomes)
    }

    /// Returns whether methods of the game answer wrongly.
    pub fn lies(&self) -> bool {
        self.table.faults.iter().any(|fault| matches!(fault.how, How::Lie(_)))
    }
}

impl<'p> Runner<'p> {
    fn new(program: &'p Program, world: &Arc<World>, start: u16, threads: usize) -> Self {
        let searches = match caught(|| program.subject(world, start, threads)) {
            Ok(search) => vec![Driven { search, questions: Vec::new() }],
            Err(_) => Vec::new(),
        };
        Runner {
            program,
            world: world.clone(),
            threads,
            searches,
            growth: program.settings.expansion,
            decision: None,
            limit: program.settings.limit,
            bytes: 0,
            room: start,
            chooser: 0,
            permitted: None,
            restriction: (false, Vec::new(), 0),
            earlier: Vec::new(),
            told: 0,
            planned: None,
            played: Vec::new(),
        }
    }

    fn all(&mut self, beside: &mut [Box<dyn Beside>]) -> Result<Vec<Outcome>, Flaw> {
        let mut outcomes = Vec::new();
        if self.searches.is_empty() {
            return Ok(outcomes); // the state cannot even be cloned
        }
        let mut laws = Laws::default();
        let mut is_timed = false;
        for (number, call) in self.program.calls.iter().enumerate() {
            let at = |text| Flaw { call: number, text };
            let outcome = caught(|| {
                laws.before(self);
                self.call(call)
            });
            let outcome =
                outcome.map_err(|text| at(format!("a look at the search panics: {text}")))?.map_err(at)?;
            let checked = caught(|| laws.after(self, call, &outcome));
            checked.map_err(|text| at(format!("a look at the search panics: {text}")))?.map_err(at)?;
            for beside in &mut *beside {
                beside.after_call(call, &self.played, &*self.searches[0].search, &outcome).map_err(at)?;
            }
            is_timed |= *call == Call::RunTime;
            if !is_timed {
                outcomes.push(outcome);
            }
        }
        Ok(outcomes)
    }

    /// Makes a call of all searches, which must do the same.
    fn call(&mut self, call: &Call) -> Result<Outcome, String> {
        if *call == Call::RunTime || matches!(call, Call::RunBytes(..)) && self.is_sized_apart() {
            self.searches.truncate(1);
        }
        self.bytes = self.searches[0].search.bytes().max(1);
        self.played.clear();
        let mut first: Option<Outcome> = None;
        for index in 0..self.searches.len() {
            let outcome = match caught(|| self.act(index, call)) {
                Ok(outcome) => outcome,
                Err(text) if text == PLANNED => Outcome::Panicked,
                Err(text) => return Err(format!("panics: {text}")),
            };
            if matches!(call, Call::RunStopped(_) | Call::RunObserved(_, _, Some(_))) {
                // A request that comes too late, or whose run does not begin, is for the next run.
                self.searches[index].search.stop_handle().clear();
            }
            match &first {
                None => first = Some(outcome),
                Some(first) if self.are_alike(first, &outcome) => {}
                Some(first) => {
                    return Err(format!(
                        "a copy of the search goes on in another way: {}",
                        difference(first, &outcome)
                    ));
                }
            }
        }
        let outcome = first.unwrap_or(Outcome::Skipped);
        self.follow(call, &outcome)?;
        Ok(outcome)
    }

    /// Returns whether two searches do the same. A copy has no states in its nodes.
    fn are_alike(&self, one: &Outcome, other: &Outcome) -> bool {
        are_same(one, other)
            || self.is_sized_apart() && are_same(&without_bytes(one.clone()), &without_bytes(other.clone()))
    }

    /// Returns whether a copy takes other bytes than the search.
    fn is_sized_apart(&self) -> bool {
        let kind = self.program.kind;
        kind.owns() || kind == Kind::PlayerTrees
    }

    /// Returns whether a run may go on beyond its iterations.
    pub fn goes_on(&self) -> bool {
        matches!(self.decision, Some(RootDecision::MaxRobust(_)))
    }

    /// Returns whether a copy of the search may be compared with it.
    fn is_comparable(&self) -> bool {
        // The copy has no states in its nodes, so at the limit it has more room.
        self.program.table.faults.is_empty() && !(self.limit.is_some() && self.program.kind.owns())
    }

    fn doors(&self) -> Vec<u8> {
        self.world.table.rooms[usize::from(self.room)].numbers()
    }

    /// Returns the actions of the player whom a report is about. If the player to move acts by what it knows, that is the observer, if it
    /// chooses at the same time.
    fn doors_of_report(&self) -> Vec<u8> {
        let rooms = &self.world.table.rooms;
        let observer = Some(rooms[usize::from(self.program.start)].mover.unwrap_or(0));
        let mut room = &rooms[usize::from(self.room)];
        if self.program.kind != Kind::PlayerTrees || !self.world.table.tells {
            return room.numbers();
        }
        while room.simultaneous && room.mover < observer {
            room = &rooms[usize::from(room.doors[0].to)];
        }
        if room.simultaneous && room.mover == observer { room.numbers() } else { self.doors() }
    }

    fn act(&mut self, index: usize, call: &Call) -> Outcome {
        let told = self.told;
        let (doors, reported_on) = (self.doors(), self.doors_of_report());
        let legal = |number: u8| doors.get(usize::from(number) % doors.len().max(1)).copied();
        let chosen = |bits: u16| {
            Vec::from_iter(
                (0..16).filter(|bit| bits >> bit & 1 == 1).filter_map(|bit| reported_on.get(bit).copied()),
            )
        };
        let to = |action: u8| {
            self.world.table.rooms[usize::from(self.room)].door(action).map_or(self.room, |door| door.to)
        };
        let (players, damage) = (self.world.table.players, self.program);
        let mover = self.world.table.rooms[usize::from(self.room)].mover;
        let Driven { search, questions } = &mut self.searches[index];
        let every = Every::Iterations(u64::MAX);
        let mut run = |budget| reported(search.run(budget, every, &mut |_| {}));
        match *call {
            Call::Run(n) => run(Budget::iterations(n)),
            Call::RunDecided(n) => run(Budget::iterations(n).or_decided()),
            Call::RunTime => run(Budget::time(Duration::from_micros(300)).and_iterations(300)),
            Call::RunBytes(n, more) => {
                let bytes = self.bytes + more;
                reported(search.run(Budget::iterations(n).and_bytes(Bytes(bytes)), every, &mut |_| {}))
            }
            Call::RunStopped(n) => {
                let handle = search.stop_handle();
                handle.stop();
                let outcome = reported(search.run(Budget::iterations(n), every, &mut |_| {}));
                if matches!(outcome, Outcome::Failed(_)) && !handle.is_stopped() {
                    return Outcome::File("a run that failed has answered a request to stop".into());
                }
                outcome
            }
            Call::RunObserved(n, interval, stop) => {
                let (handle, mut reports) = (search.stop_handle(), Vec::new());
                let result = search.run(Budget::iterations(n), Every::Iterations(interval), &mut |report| {
                    reports.push(report);
                    if stop == Some(reports.len() as u32) {
                        handle.stop();
                    }
                });
                match result {
                    Ok(report) => Outcome::Observed(reports, Box::new(report)),
                    Err(error) => Outcome::Failed(error),
                }
            }
            Call::Advance(number) => legal(number).map_or(Outcome::Skipped, |action| {
                let outcome = done(search.advance(action));
                self.played = Vec::from_iter((outcome == Outcome::Done).then_some(action));
                outcome
            }),
            Call::AdvanceBest => match search.report() {
                // A report may be about another player than the one to move.
                Ok(report) if report.player != mover => Outcome::Skipped,
                Ok(report) => report.chosen.map_or(Outcome::Skipped, |chosen| {
                    let action = report.actions[chosen].action;
                    let outcome = done(search.advance(action));
                    self.played = Vec::from_iter((outcome == Outcome::Done).then_some(action));
                    outcome
                }),
                Err(error) => Outcome::Failed(error),
            },
            Call::AdvanceIllegal => done(search.advance(14)),
            Call::AdvanceTo(number) => {
                legal(number).map_or(Outcome::Skipped, |action| done(search.advance_to(action, to(action))))
            }
            Call::Reset(room) => always(search.reset(room)),
            Call::ContinueAt(room) => always(search.continue_at(room)),
            Call::GoOnWithClone => {
                let clone = search.fork();
                *search = clone;
                questions.clear();
                Outcome::Done
            }
            Call::Only(bits, least) => always(search.restrict(true, &chosen(bits), least)),
            Call::Except(bits, least) => always(search.restrict(false, &chosen(bits), least)),
            Call::Lift => always(search.restrict(false, &[], 0)),
            Call::Grow(growth) => always(search.set_expansion(growth.expansion())),
            Call::Limit(limit) => always(search.set_limit(limit)),
            Call::LimitHere => always(search.set_limit(self.bytes)),
            Call::NoLimit => always(search.set_limit(usize::MAX)),
            Call::Decide(decides) => always(search.set_decision(decides.decision())),
            Call::Seed(seed) => always(search.set_seed(seed)),
            Call::Report => reported(search.report()),
            Call::View => Outcome::Viewed(search.view(5)),
            Call::Earlier(bits) => {
                let rooms = Vec::from_iter(
                    (0..16)
                        .filter(|bit| bits >> bit & 1 == 1)
                        .filter(|&room| usize::from(room) < self.world.table.rooms.len()),
                );
                if search.set_earlier(&rooms) { Outcome::Done } else { Outcome::Skipped }
            }
            Call::Fork | Call::Save(_) => Outcome::Skipped, // see `follow`
            Call::LoadForeign => {
                let other = Program { kind: damage.kind.other(), ..damage.clone() };
                let mut other = other.subject(&self.world, self.room, 1);
                let _ = other.run(Budget::iterations(3), every, &mut |_| {});
                let Some(Ok(file)) = other.save() else { return Outcome::Skipped };
                match search.load(&file, true) {
                    Ok(()) => Outcome::File("a file of another kind of search is loaded".into()),
                    Err(_) => Outcome::Done,
                }
            }
            Call::LoadDamaged(place) => match search.save() {
                None => Outcome::Skipped,
                Some(Err(_)) if !damage.table.faults.is_empty() => Outcome::Skipped,
                Some(Err(error)) => Outcome::File(format!("saving: {error:?}")),
                Some(Ok(mut file)) => {
                    let place = file.len() * usize::from(place) / 8;
                    file[place] ^= 0x10;
                    match search.load(&file, true) {
                        Ok(()) => Outcome::File("a damaged file is loaded".into()),
                        Err(_) => Outcome::Done,
                    }
                }
            },
            Call::Ask(count) => {
                let mut asked = Vec::new();
                for _ in 0..count {
                    match search.ask() {
                        None => return Outcome::Skipped,
                        Some(Err(error)) => return Outcome::Failed(error),
                        Some(Ok(None)) => break,
                        Some(Ok(Some(question))) => {
                            asked.push((
                                question.room,
                                question.actions,
                                question.wants_priors,
                                question.ply,
                            ));
                            questions.push((question, false));
                        }
                    }
                }
                Outcome::Questions(asked)
            }
            Call::Tell(number) => {
                let open = Vec::from_iter((0..questions.len()).filter(|&at| !questions[at].1));
                match open.get(usize::from(number) % open.len().max(1)) {
                    None => Outcome::Skipped,
                    Some(&at) => tell(&mut **search, &mut questions[at], players, told),
                }
            }
            Call::TellAll(count) => {
                let open = questions.iter_mut().filter(|question| !question.1).take(count.into());
                for (number, question) in open.enumerate() {
                    let outcome = tell(&mut **search, question, players, told + number as u64);
                    if !matches!(outcome, Outcome::Done | Outcome::Failed(SearchError::Ticket)) {
                        return outcome;
                    }
                }
                Outcome::Done
            }
            Call::TellAgain => match questions.iter().rev().find(|question| question.1) {
                None => Outcome::Skipped,
                Some(&(question, _)) => tell(&mut **search, &mut (question, false), players, told),
            },
            Call::TellWrong(how) => match questions.iter().rev().find(|question| !question.1) {
                None => Outcome::Skipped,
                Some((question, _)) => {
                    let (rewards, priors) = match how % 3 {
                        0 => (Rewards::new(players, |_| 1.5), vec![1.0; question.actions]),
                        1 => (Rewards::new(players % 8 + 1, |_| 0.5), vec![1.0; question.actions]),
                        _ => (Rewards::new(players, |_| 0.5), vec![f32::NAN; question.actions + 1]),
                    };
                    let result = search.tell(question.ticket, rewards, &priors);
                    if result.is_ok() && (question.wants_priors || how % 3 < 2) {
                        return Outcome::File("a wrong answer is accepted".into());
                    }
                    match result {
                        // Priors that nobody wants are ignored.
                        Ok(()) => {
                            let ticket = question.ticket;
                            questions
                                .iter_mut()
                                .filter(|(asked, _)| asked.ticket == ticket)
                                .for_each(|asked| asked.1 = true);
                            Outcome::Done
                        }
                        Err(error) => Outcome::Failed(error),
                    }
                }
            },
            Call::Finish => {
                let result = search.finish();
                if result.is_ok() && search.open_questions() > 0 {
                    return Outcome::File("questions are open after `finish`".into());
                }
                done(result)
            }
            Call::Plan(n) => always(search.plan(n)),
        }
    }

    /// Notes what a call has changed, and makes copies.
    fn follow(&mut self, call: &Call, outcome: &Outcome) -> Result<(), String> {
        if let Outcome::File(text) = outcome {
            return Err(text.clone());
        }
        let has_moved = *outcome == Outcome::Done;
        self.told += 1;
        match call {
            Call::Plan(n) => self.planned = Some(*n),
            Call::TellAll(count) => self.told += u64::from(*count),
            Call::Grow(growth) => self.growth = Some(*growth),
            Call::Decide(decides) => self.decision = decides.decision(),
            Call::Limit(limit) => self.limit = Some(*limit),
            Call::LimitHere => self.limit = Some(self.bytes),
            Call::NoLimit => self.limit = None,
            Call::Only(..) | Call::Except(..) | Call::Lift => self.restrict(call),
            Call::Earlier(bits) if has_moved => {
                self.earlier = (0..16)
                    .filter(|bit| bits >> bit & 1 == 1)
                    .filter(|&room| usize::from(room) < self.world.table.rooms.len())
                    .collect();
            }
            Call::Advance(_) | Call::AdvanceBest | Call::AdvanceTo(_) | Call::ContinueAt(_) if has_moved => {
                let mover = self.world.table.rooms[usize::from(self.room)].mover;
                self.chooser =
                    if matches!(call, Call::ContinueAt(_)) { 0 } else { mover.unwrap_or(self.chooser) };
                self.earlier.push(self.room);
                self.moved(None);
            }
            Call::Reset(room) if has_moved => {
                (self.chooser, self.earlier) = (0, Vec::new());
                self.moved(Some(*room));
            }
            // Some drop has panicked.
            _ if *outcome == Outcome::Panicked && self.searches[0].search.room() != self.room => {
                self.moved(None)
            }
            Call::Fork => self.fork()?,
            Call::Save(resumes) => self.save(*resumes)?,
            _ => {}
        }
        if !self.is_comparable() {
            self.searches.truncate(1);
        }
        Ok(())
    }

    fn moved(&mut self, room: Option<u16>) {
        self.room = self.searches[0].search.room();
        debug_assert!(room.is_none_or(|room| room == self.room));
        (self.permitted, self.restriction) = (None, (false, Vec::new(), 0));
    }

    fn restrict(&mut self, call: &Call) {
        let doors = self.doors_of_report();
        let listed = |bits: &u16| {
            Vec::from_iter(
                (0..doors.len()).filter(|&bit| bit < 16 && bits >> bit & 1 == 1).map(|bit| doors[bit]),
            )
        };
        let (only, listed, least) = match call {
            Call::Only(bits, least) => (true, listed(bits), *least),
            Call::Except(bits, least) => (false, listed(bits), *least),
            _ => (false, Vec::new(), 0),
        };
        let permitted = Vec::from_iter(doors.iter().copied().filter(|door| listed.contains(door) == only));
        self.permitted = (only || !listed.is_empty() || least > 0).then_some(permitted);
        self.restriction = (only, listed, least);
    }

    fn fork(&mut self) -> Result<(), String> {
        if !self.is_comparable() {
            return Ok(());
        }
        let copy = caught(|| self.searches[0].search.fork());
        let search = copy.map_err(|text| format!("cloning panics: {text}"))?;
        // What is pending is finished in the clone, and not in the original.
        let _ = self.searches[0].search.finish();
        self.push(search);
        Ok(())
    }

    fn push(&mut self, search: Box<dyn Subject>) {
        self.searches.truncate(1);
        self.searches[0].questions.clear();
        self.searches.push(Driven { search, questions: Vec::new() });
        if self.program.kind.asks() {
            // Both begin a new plan with their next question.
            let expansion = self.growth.map_or_else(Default::default, Growth::expansion);
            self.searches.iter_mut().for_each(|driven| driven.search.set_expansion(expansion));
        }
    }

    fn save(&mut self, resumes: bool) -> Result<(), String> {
        let file = match caught(|| self.searches[0].search.save()) {
            Ok(None) => return Ok(()),
            Ok(Some(Ok(file))) => file,
            Ok(Some(Err(error))) if self.program.table.faults.is_empty() => {
                return Err(format!("saving: {error:?}"));
            }
            Ok(Some(Err(_))) => return Ok(()),
            Err(text) if text == PLANNED => return Ok(()),
            Err(text) => return Err(format!("saving panics: {text}")),
        };
        // It frees positions that the root does not lead to.
        self.searches.truncate(1);
        // A plan for a run, by which some policies decide, is not saved.
        let is_comparable = self.is_comparable() && !self.program.settings.plans_ahead(self.program.kind);
        let made = caught(|| {
            let mut search = self.program.subject(&self.world, self.program.start, self.threads);
            search.reset(self.room);
            search.set_expansion(self.growth.map_or_else(Default::default, Growth::expansion));
            search.set_decision(self.decision);
            search.set_limit(self.limit.unwrap_or(usize::MAX));
            let loaded = search.load(&file, resumes);
            self.planned.into_iter().for_each(|n| search.plan(n));
            let (only, actions, least) = &self.restriction;
            search.restrict(*only, actions, *least);
            loaded.map(|()| search)
        });
        match made {
            Ok(Ok(search)) => {
                if is_comparable {
                    self.push(search);
                }
                Ok(())
            }
            Ok(Err(_)) | Err(_) if !self.program.table.faults.is_empty() => Ok(()),
            Ok(Err(crate::saved::FileError::MemoryLimit { .. })) if self.limit.is_some() => Ok(()),
            Ok(Err(error)) => Err(format!("a saved search is not loaded: {error:?}")),
            Err(text) => Err(format!("loading panics: {text}")),
        }
    }
}

/// Answers a question by its room and a number.
fn tell(search: &mut dyn Subject, question: &mut (Asked, bool), players: u8, number: u64) -> Outcome {
    let (asked, is_answered) = question;
    let seed = number + u64::from(asked.room);
    let rewards = Rewards::new(players, |player| ((seed + u64::from(player)) % 3) as f32 / 2.0);
    let priors = Vec::from_iter((0..asked.actions).map(|at| 1.0 + ((seed + at as u64) % 4) as f32));
    let ticket: Ticket = asked.ticket;
    *is_answered = true;
    done(search.tell(ticket, rewards, &priors))
}

fn always((): ()) -> Outcome {
    Outcome::Done
}

fn done(result: Result<(), SearchError>) -> Outcome {
    result.map_or_else(Outcome::Failed, |()| Outcome::Done)
}

fn reported(result: Result<Report<u8>, SearchError>) -> Outcome {
    result.map_or_else(Outcome::Failed, |report| Outcome::Reported(Box::new(report)))
}

fn without_bytes(mut outcome: Outcome) -> Outcome {
    match &mut outcome {
        Outcome::Reported(report) => report.bytes = 0,
        Outcome::Observed(reports, last) => {
            last.bytes = 0;
            reports.iter_mut().for_each(|report| report.bytes = 0);
        }
        _ => {}
    }
    outcome
}

/// Returns whether two outcomes are the same to the bit.
pub fn are_same(one: &Outcome, other: &Outcome) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}

/// Returns the first difference between two outcomes in words.
pub fn difference(one: &Outcome, other: &Outcome) -> String {
    let (one, other) = (format!("{one:?}"), format!("{other:?}"));
    let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
    let part = |text: &str| {
        let from = same.saturating_sub(60);
        text.get(from..(same + 60).min(text.len())).unwrap_or_default().to_string()
    };
    format!("`{}` and `{}`", part(&one), part(&other))
}

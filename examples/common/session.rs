//! One game from start to end: turns, commands, undo.

use super::command::{self, Command};
use super::options::Who;
use super::thinker::{self, Thinker};
use super::{Common, Console, Failure, Playable, Shade};
use ramure::prelude::*;

pub struct Session<G: Playable> {
    start: G,
    state: G,
    /// The earlier states, and the action played in each.
    past: Vec<(G, G::Action)>,
    seats: [Who; 2],
    /// One search for each side, so that neither profits from the other's tree. A person's search gives
    /// hints.
    thinkers: [Thinker<G>; 2],
    rng: Rng,
    console: Console,
    /// The last report of a search, as text.
    report: Option<String>,
}

/// Whether the program goes on.
#[derive(PartialEq, Eq)]
enum Next {
    GoOn,
    End,
}

impl<G: Playable> Session<G> {
    pub fn new(start: G, common: &Common, console: Console) -> Self {
        let (budget, seed) = (common.budget(), common.seed());
        let thinker = |side| Thinker::new(start.clone(), budget, seed.wrapping_add(side), common.has_human());
        Session {
            thinkers: [thinker(1), thinker(2)],
            state: start.clone(),
            past: Vec::new(),
            seats: common.seats(),
            rng: Rng::seeded(seed),
            console,
            report: None,
            start,
        }
    }

    /// Plays until the game is over or the person quits.
    pub fn play(mut self) -> Result<(), Failure> {
        thinker::handle_ctrl_c();
        self.greet()?;
        loop {
            self.show()?;
            let next = match self.state.turn() {
                Turn::Player(player) => match self.seats[usize::from(player)] {
                    Who::Human => self.ask(player)?,
                    Who::Mcts => self.think(player)?,
                    Who::Random => self.draw_lots(player)?,
                },
                Turn::Over => self.finish()?,
                Turn::Chance => self.draw_lots(0)?, // a chance node, which none of the four games has
            };
            if next == Next::End {
                return Ok(());
            }
        }
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let [first, second] = [0, 1].map(|player| self.name(player));
        let title = self.console.pen.paint(Shade::Bold, G::TITLE);
        self.console.say(format_args!("{title}: {first} against {second}"))?;
        if self.human() {
            self.console.say("Type help for the rules and the commands.")?;
        }
        Ok(())
    }

    fn show(&mut self) -> Result<(), Failure> {
        let last = self.past.last().map(|(_, action)| action.clone());
        let board = self.state.draw(last, &self.console.pen);
        Ok(self.console.say(format_args!("\n{board}\n"))?)
    }

    fn human(&self) -> bool {
        self.seats.contains(&Who::Human)
    }

    fn mark(&self, player: Player) -> String {
        let (mark, shade) = G::PLAYERS[usize::from(player)];
        self.console.pen.paint(shade, mark)
    }

    /// Returns a name such as `X (computer)`.
    fn name(&self, player: Player) -> String {
        let who = match self.seats[usize::from(player)] {
            Who::Human if self.seats == [Who::Human; 2] => "human",
            Who::Human => "you",
            Who::Random => "random",
            Who::Mcts => "computer",
        };
        format!("{} ({who})", self.mark(player))
    }

    fn apply(&mut self, action: G::Action) -> Result<Next, Failure> {
        for thinker in &mut self.thinkers {
            thinker.advance(action.clone())?;
        }
        self.past.push((self.state.clone(), action.clone()));
        self.state.apply(action);
        Ok(Next::GoOn)
    }

    fn think(&mut self, player: Player) -> Result<Next, Failure> {
        let report = self.thinkers[usize::from(player)].think(&mut self.console)?;
        let action = report.try_best_action()?;
        let (name, opinion) = (self.name(player), thinker::opinion(&report));
        self.console.say(format_args!("{name} plays {action}: {opinion}"))?;
        self.report = Some(format!("When {name} chose {action}:\n{report}"));
        self.apply(action)
    }

    fn draw_lots(&mut self, player: Player) -> Result<Next, Failure> {
        let Some(action) = self.state.random_action(&mut self.rng) else { return Ok(Next::End) };
        let name = self.name(player);
        self.console.say(format_args!("{name} plays {action}"))?;
        self.apply(action)
    }

    /// Asks until the person plays an action, takes one back, or ends the program.
    fn ask(&mut self, player: Player) -> Result<Next, Failure> {
        loop {
            let prompt = format!("{}, {}: ", self.mark(player), self.state.prompt());
            let Some(line) = self.console.ask(&prompt)? else { return self.leave() };
            match command::understand(&self.state, &line) {
                Ok(Command::Play(action)) => return self.apply(action),
                Ok(Command::Hint) => self.hint(player)?,
                Ok(command) => {
                    if let Some(next) = self.obey(command)? {
                        return Ok(next);
                    }
                }
                Err(answer) => self.console.explain(&answer)?,
            }
        }
    }

    /// Runs a command that works on any turn, also after the end. Returns `None` to ask again.
    fn obey(&mut self, command: Command<G::Action>) -> Result<Option<Next>, Failure> {
        match command {
            Command::Undo if self.undo() => return Ok(Some(Next::GoOn)),
            Command::Undo => self.console.say("You have no action to take back.")?,
            Command::Report => {
                let report = self.report.as_deref();
                let none = "No search has run yet; type hint to run one.";
                self.console.say(report.unwrap_or(none))?;
            }
            Command::Help => {
                let rules = self.state.rules();
                self.console.explain(&rules)?;
                self.console.say(format_args!("\n{}", command::HELP))?;
            }
            Command::New => {
                self.past.clear();
                self.return_to(self.start.clone());
                self.report = None;
                return Ok(Some(Next::GoOn));
            }
            Command::Quit => return self.leave().map(Some),
            Command::Play(_) | Command::Hint => self.console.say("The game is over.")?,
        }
        Ok(None)
    }

    fn hint(&mut self, player: Player) -> Result<(), Failure> {
        let report = self.thinkers[usize::from(player)].think(&mut self.console)?;
        let action = report.try_best_action()?;
        self.console.say(format_args!("Hint: {action}, {}", thinker::opinion(&report)))?;
        self.report = Some(format!("The hint {action} for {}:\n{report}", self.mark(player)));
        Ok(())
    }

    /// Goes back to the last state in which a person chose. Returns `false` if there is none.
    fn undo(&mut self) -> bool {
        let chose =
            |state: &G| matches!(state.turn(), Turn::Player(p) if self.seats[usize::from(p)] == Who::Human);
        let Some(index) = self.past.iter().rposition(|(state, _)| chose(state)) else { return false };
        let state = self.past.swap_remove(index).0;
        self.past.truncate(index);
        self.return_to(state);
        true
    }

    fn return_to(&mut self, state: G) {
        for thinker in &mut self.thinkers {
            thinker.reset(state.clone());
        }
        self.state = state;
    }

    fn finish(&mut self) -> Result<Next, Failure> {
        let winner = (0..2).find(|&player| self.state.reward(player) == 1.0);
        let result = match winner.map(|player| (player, self.seats[usize::from(player)])) {
            Some((player, Who::Human)) if self.seats != [Who::Human; 2] => {
                format!("{}: you win!", self.mark(player))
            }
            Some((player, _)) => format!("{} wins.", self.name(player)),
            None => "A draw.".to_owned(),
        };
        let record: Vec<String> = self.past.iter().map(|(_, action)| action.to_string()).collect();
        self.console.say(format_args!("{result}\nActions: {}", record.join(" ")))?;
        if !self.human() {
            return Ok(Next::End);
        }
        loop {
            let Some(line) = self.console.ask("new, undo, report or quit: ")? else { return self.leave() };
            match command::understand(&self.state, &line) {
                Ok(command) => {
                    if let Some(next) = self.obey(command)? {
                        return Ok(next);
                    }
                }
                Err(_) => self.console.say("The game is over. Type new, undo, report, help or quit.")?,
            }
        }
    }

    fn leave(&mut self) -> Result<Next, Failure> {
        self.console.say("Goodbye.")?;
        Ok(Next::End)
    }
}

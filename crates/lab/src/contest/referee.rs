//! Plays one game from the opening to the end.

use super::error::{ContestError, in_full};
use super::record::Forfeit;
use crate::Recipe;
use core::any::Any;
use core::time::Duration;
use ramure::{GameClock, GameFault, GameState, Player, Rng, SearchError, Turn};
use ramure_agents::Agent;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

/// The greatest length of a game.
const MOST_ACTIONS: usize = 1_000_000;

/// How many times an opening is drawn again because the game ended in it.
const OPENING_ATTEMPTS: u32 = 1000;

/// A game in progress.
pub struct Game<G: GameState> {
    state: G,
    /// The number of players at the start.
    players: u8,
    /// The actions, by index in the list of legal actions.
    pub actions: Vec<u32>,
    pub choices: Vec<u32>,
    pub seconds: Vec<f64>,
}

/// The end of a game.
pub struct Ending {
    pub rewards: Vec<f64>,
    pub forfeit: Option<Forfeit>,
}

impl Ending {
    /// The end of a game that a player forfeits; the others share one point.
    fn forfeited(forfeit: Forfeit, players: u8) -> Self {
        Ending { rewards: forfeit.rewards(players), forfeit: Some(forfeit) }
    }
}

impl<G: GameState> Game<G> {
    /// Starts a game with an opening of this many random actions that does not end the game.
    pub fn begin(
        start: &G,
        players: u8,
        opening: u32,
        rng: &mut Rng,
    ) -> Result<(Self, Vec<G::Action>), ContestError> {
        for _ in 0..OPENING_ATTEMPTS {
            let mut game = Game {
                state: start.clone(),
                players,
                actions: Vec::new(),
                choices: vec![0; usize::from(players)],
                seconds: vec![0.0; usize::from(players)],
            };
            let mut line = Vec::new();
            while line.len() < opening as usize && game.turn()? != Turn::Over {
                line.push(game.draw(rng)?);
            }
            if game.state.turn() != Turn::Over {
                return Ok((game, line));
            }
        }
        Err(ContestError::OpeningTooLong(opening))
    }

    /// Whose turn it is; an error if that player does not exist or if the game is too long.
    fn turn(&self) -> Result<Turn, ContestError> {
        match self.state.turn() {
            Turn::Over => Ok(Turn::Over),
            _ if self.actions.len() >= MOST_ACTIONS => {
                Err(self.fault(GameFault::Endless { limit: MOST_ACTIONS as u32 }))
            }
            Turn::Player(player) if player >= self.players => {
                Err(self.fault(GameFault::UnknownPlayer { player, players: self.players }))
            }
            turn => Ok(turn),
        }
    }

    fn fault(&self, fault: GameFault) -> ContestError {
        ContestError::Game { fault, ply: self.actions.len() as u32 }
    }

    /// The index of `action` in the list of legal actions.
    fn place(&self, action: &G::Action) -> Option<u32> {
        self.state.actions().into_iter().position(|legal| legal == *action).map(|index| index as u32)
    }

    /// Why no action was drawn: there is none, or the probabilities are wrong.
    fn why_no_action(&self) -> GameFault {
        let outcomes = Vec::from_iter(self.state.actions());
        match self.state.turn() {
            Turn::Chance if !outcomes.is_empty() => {
                let sum = outcomes.iter().map(|outcome| self.state.probability(outcome.clone())).sum();
                GameFault::ProbabilitySum { sum }
            }
            _ => GameFault::NoActions,
        }
    }

    /// Plays a random action.
    fn draw(&mut self, rng: &mut Rng) -> Result<G::Action, ContestError> {
        let drawn = match self.state.turn() {
            Turn::Chance => self.state.random_outcome(rng),
            _ => self.state.random_action(rng),
        };
        let action = drawn.ok_or_else(|| self.fault(self.why_no_action()))?;
        let place = self.place(&action).ok_or_else(|| self.fault(GameFault::UnknownOutcome))?;
        self.actions.push(place);
        self.state.apply(action.clone());
        Ok(action)
    }

    /// Creates the agents from their recipes and seeds, in the order of the seats, tells them the opening,
    /// and plays to the end, or until `is_over` says that the result is no longer needed. If an agent has a
    /// clock, the clock runs while the agent chooses an action.
    pub fn play(
        &mut self,
        seats: &[(&Recipe<G>, u64)],
        opening: &[G::Action],
        luck: &mut Rng,
        is_over: impl Fn() -> bool,
    ) -> Result<Option<Ending>, ContestError> {
        let players = self.players;
        let mut agents: Vec<Box<dyn Agent<G>>> = Vec::with_capacity(seats.len());
        let mut clocks: Vec<Option<GameClock>> = Vec::with_capacity(seats.len());
        for ((player, &(recipe, seed)), seconds) in (0..players).zip(seats).zip(&mut self.seconds) {
            let seated = timed(seconds, || {
                let mut agent = recipe.make();
                agent.new_game(seed);
                opening.iter().for_each(|action| agent.played(action.clone()));
                (agent.clock(), agent)
            });
            match seated {
                Ok((clock, agent)) => {
                    agents.push(agent);
                    clocks.push(clock);
                }
                Err(reason) => {
                    let forfeit = Forfeit { player, reason, on_time: false };
                    return Ok(Some(Ending::forfeited(forfeit, players)));
                }
            }
        }
        loop {
            let action = match self.turn()? {
                Turn::Over => return self.rewards().map(Some),
                Turn::Chance => self.draw(luck)?,
                Turn::Player(_) if self.state.actions().into_iter().next().is_none() => {
                    return Err(self.fault(GameFault::NoActions));
                }
                Turn::Player(player) => {
                    let seat = usize::from(player);
                    match self.ask(player, &mut *agents[seat], clocks[seat].as_mut()) {
                        Ok(action) => action,
                        Err(forfeit) => return Ok(Some(Ending::forfeited(forfeit, players))),
                    }
                }
            };
            for ((player, agent), seconds) in (0..players).zip(agents.iter_mut()).zip(&mut self.seconds) {
                if let Err(reason) = timed(seconds, || agent.played(action.clone())) {
                    let forfeit = Forfeit { player, reason, on_time: false };
                    return Ok(Some(Ending::forfeited(forfeit, players)));
                }
            }
            if is_over() {
                return Ok(None);
            }
        }
    }

    /// Asks an agent for an action and plays it; an error if the agent has none.
    fn ask(
        &mut self,
        player: Player,
        agent: &mut dyn Agent<G>,
        clock: Option<&mut GameClock>,
    ) -> Result<G::Action, Forfeit> {
        let forfeits = |reason| Forfeit { player, reason, on_time: false };
        let failed = |error: SearchError| Forfeit {
            on_time: matches!(error, SearchError::FlagFell { .. }),
            ..forfeits(in_full(&error))
        };
        let (seat, state) = (usize::from(player), &self.state);
        self.choices[seat] += 1;
        let mut seconds = 0.0;
        let chosen = timed(&mut seconds, || agent.choose(state));
        self.seconds[seat] += seconds;
        if let Some(clock) = clock {
            // A time measured by a clock is a duration.
            clock.spent(Duration::try_from_secs_f64(seconds).unwrap_or_default()).map_err(failed)?;
        }
        let action = chosen.map_err(forfeits)?.map_err(failed)?;
        let place = self.place(&action).ok_or_else(|| forfeits(format!("{action:?} is not legal here")))?;
        self.actions.push(place);
        self.state.apply(action.clone());
        Ok(action)
    }

    fn rewards(&self) -> Result<Ending, ContestError> {
        let (players, given) = (self.players, self.state.players());
        if given != players {
            return Err(self.fault(GameFault::RewardCount { given, players }));
        }
        let reward = |player| match self.state.reward(player) {
            reward if (0.0..=1.0).contains(&reward) => Ok(reward),
            reward => Err(self.fault(GameFault::Reward { player, reward })),
        };
        Ok(Ending { rewards: (0..players).map(reward).collect::<Result<_, _>>()?, forfeit: None })
    }
}

/// The result of `work`, whose time is added to `seconds`; an error if it panics.
fn timed<T>(seconds: &mut f64, work: impl FnOnce() -> T) -> Result<T, String> {
    let begin = Instant::now();
    // An agent is not asked again after a panic, so the state that it leaves behind is never used.
    let result = catch_unwind(AssertUnwindSafe(work));
    *seconds += begin.elapsed().as_secs_f64();
    result.map_err(|panic| format!("panicked: {}", message(&*panic)))
}

/// The message of a panic.
pub fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without a message".to_owned())
}

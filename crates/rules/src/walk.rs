//! A line of play as far as it has been played, with the looks at all its states.

use super::look::Look;
use super::probe::{Breach, Probe};
use super::shrink::Step;
use ramure::{GameState, Rng, Turn};
use std::rc::Rc;
use std::sync::Arc;

pub(super) struct Position<G: GameState> {
    /// The action that led here from the previous position; `None` for the first position.
    step: Option<(Step<G::Action>, Arc<str>)>,
    pub state: G,
    pub look: Look<G::Action>,
}

/// Never empty: the initial state is the first.
#[derive(Clone)]
pub(super) struct Walk<G: GameState>(Vec<Rc<Position<G>>>);

/// How a random game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Each action is equally likely; outcomes of chance are drawn by probability.
    Random,
    /// Players choose at random among the actions that do not end the game, as long as there are some. Such
    /// games last long, fill boards and end in draws. Outcomes of chance are drawn by probability.
    ///
    /// In a game with chance, players avoid the end only for a fifth of the longest game. In many dice games
    /// a player can refuse to win forever, and no law forbids that.
    Peaceful,
}

/// A game with chance is peaceful up to the length of the longest game divided by this.
const PEACE_WITH_DICE: usize = 5;

/// The number of actions that are tried to find one that does not end the game.
const PEACEFUL_TRIES: usize = 32;

impl<G: GameState> Walk<G> {
    pub fn start(initial: &G, probe: &Probe) -> Result<Self, Breach> {
        probe.set_line(core::iter::empty());
        let state = probe.clone(initial)?;
        let look = Look::at(&state, probe)?;
        Ok(Walk(vec![Rc::new(Position { step: None, state, look })]))
    }

    /// The number of actions played.
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    pub fn positions(&self) -> &[Rc<Position<G>>] {
        &self.0
    }

    pub fn last(&self) -> &Position<G> {
        &self.0[self.0.len() - 1]
    }

    /// Whether it has been chance's turn.
    fn has_chance(&self) -> bool {
        self.0.iter().any(|position| position.look.turn == Turn::Chance)
    }

    /// Whether the game is over or has no actions.
    pub fn has_ended(&self) -> bool {
        self.last().look.is_over() || self.last().look.actions.is_empty()
    }

    /// The position before the last action, and that action.
    pub fn before(&self) -> Option<(&Position<G>, G::Action)> {
        let action = self.last().action()?;
        Some((&self.0[self.0.len() - 2], action))
    }

    pub fn steps(&self) -> impl Iterator<Item = Step<G::Action>> {
        self.0.iter().filter_map(|position| position.step.as_ref().map(|(step, _)| step.clone()))
    }

    pub fn actions(&self) -> impl Iterator<Item = G::Action> {
        self.0.iter().filter_map(|position| position.action())
    }

    /// Keeps the first `length` actions.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length + 1);
    }

    /// Tells the watchdog that this is the line.
    pub fn announce(&self, probe: &Probe) {
        let texts = self.0.iter().filter_map(|position| position.step.as_ref().map(|(_, text)| text.clone()));
        probe.set_line(texts);
    }

    /// The step of playing this action next.
    pub fn step(&self, pick: usize) -> Step<G::Action> {
        let actions = &self.last().look.actions;
        Step { action: Some(actions[pick].clone()), pick, of: actions.len() }
    }

    /// Plays the action of this index in the list, which must exist.
    pub fn play(&mut self, pick: usize, probe: &Probe) -> Result<(), Breach> {
        let mut state = probe.clone(&self.last().state)?;
        let text = probe.apply(&mut state, &self.last().look.actions[pick])?;
        probe.push(text.clone());
        let look = Look::at(&state, probe)?;
        let step = Some((self.step(pick), text));
        self.0.push(Rc::new(Position { step, state, look }));
        Ok(())
    }

    /// Plays this action; returns false if it is not listed.
    pub fn play_action(&mut self, action: &G::Action, probe: &Probe) -> Result<bool, Breach> {
        let pick = self.last().look.actions.iter().position(|listed| listed == action);
        pick.map_or(Ok(false), |pick| self.play(pick, probe).map(|()| true))
    }

    /// The index of the action that a planned step means in the last state: the action itself if it is
    /// listed, otherwise the one at its place. `None` if there are no actions.
    pub fn resolve(&self, step: &Step<G::Action>) -> Option<usize> {
        let actions = &self.last().look.actions;
        let listed = |planned| actions.iter().position(|action| action == planned);
        step.action.as_ref().and_then(listed).or_else(|| Some(step.pick.min(actions.len().checked_sub(1)?)))
    }

    /// The index of a random action, in a game that may take `longest` actions; `None` if there are no
    /// actions.
    pub fn choose(
        &self,
        style: Style,
        longest: usize,
        rng: &mut Rng,
        probe: &Probe,
    ) -> Result<Option<usize>, Breach> {
        let position = self.last();
        // Actions of a game that is over break a law, and are not played.
        let first = if position.look.is_over() { None } else { position.pick(rng) };
        let (Style::Peaceful, Some(first)) = (style, first) else { return Ok(first) };
        if position.look.turn == Turn::Chance || self.len() >= longest / PEACE_WITH_DICE && self.has_chance()
        {
            return Ok(Some(first));
        }
        // Starting at a random action, take the first that does not end the game.
        let count = position.look.actions.len();
        for pick in (first..count).chain(0..first).take(PEACEFUL_TRIES) {
            let next = probe.after(&position.state, &position.look.actions[pick])?;
            if probe.turn(&next)? != Turn::Over {
                return Ok(Some(pick));
            }
        }
        Ok(Some(first))
    }
}

impl<G: GameState> Position<G> {
    /// The action that led here.
    pub fn action(&self) -> Option<G::Action> {
        self.step.as_ref().and_then(|(step, _)| step.action.clone())
    }

    fn pick(&self, rng: &mut Rng) -> Option<usize> {
        let count = self.look.actions.len();
        let mut rest = rng.unit();
        let by_weight = self.look.probabilities.iter().position(|probability| {
            rest -= probability;
            rest < 0.0
        });
        by_weight.or_else(|| (count > 0).then(|| rng.below(count)))
    }
}

//! A line of play as far as it has been played, with every state on it and what was seen of it.

use super::look::Look;
use super::probe::{Breach, Probe};
use super::shrink::Step;
use crate::game::{GameState, Rng, Turn};
use std::rc::Rc;
use std::sync::Arc;

pub(super) struct Position<G: GameState> {
    /// What led here, from the position before: nothing leads to the first one.
    step: Option<(Step<G::Action>, Arc<str>)>,
    pub state: G,
    pub look: Look<G::Action>,
}

/// Never empty: the initial state is the first.
pub(super) struct Walk<G: GameState>(Vec<Rc<Position<G>>>);

impl<G: GameState> Clone for Walk<G> {
    fn clone(&self) -> Self {
        Walk(self.0.clone())
    }
}

/// How a random game is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Each action alike, outcomes of chance by weight.
    Random,
    /// Players act at random among the actions that do not end the game, as long as there are some: such games last, fill
    /// boards and end in draws. Outcomes of chance are drawn by weight.
    ///
    /// Where chance has had a turn, players avoid the end for a fifth of the longest game only. In many dice games a player
    /// can refuse to win for ever, and no law forbids that.
    Peaceful,
}

/// A game with chance is peaceful until it is as long as the longest one, divided by this.
const PEACE_WITH_DICE: usize = 5;

/// So many actions are tried for one that does not end the game.
const PEACEFUL_TRIES: usize = 32;

impl<G: GameState> Walk<G> {
    pub fn start(initial: &G, probe: &Probe) -> Result<Self, Breach> {
        probe.set_line(core::iter::empty());
        let state = probe.clone(initial)?;
        let look = Look::at(&state, probe)?;
        Ok(Walk(vec![Rc::new(Position { step: None, state, look })]))
    }

    /// How many actions have been played.
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    pub fn positions(&self) -> &[Rc<Position<G>>] {
        &self.0
    }

    pub fn last(&self) -> &Position<G> {
        &self.0[self.0.len() - 1]
    }

    /// Whether chance has had a turn.
    fn has_chance(&self) -> bool {
        self.0.iter().any(|position| position.look.turn == Turn::Chance)
    }

    /// Whether nothing can be played any more, or the game says so.
    pub fn is_at_its_end(&self) -> bool {
        self.last().look.is_over() || self.last().look.actions.is_empty()
    }

    /// The position before the last action, and that action.
    pub fn before(&self) -> Option<(&Position<G>, G::Action)> {
        let action = self.last().action()?;
        Some((&self.0[self.0.len() - 2], action))
    }

    pub fn steps(&self) -> impl Iterator<Item = Step<G::Action>> {
        self.0.iter().filter_map(|position| position.step.as_ref().map(|&(step, _)| step))
    }

    pub fn actions(&self) -> impl Iterator<Item = G::Action> {
        self.0.iter().filter_map(|position| position.action())
    }

    /// The first `length` actions.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length + 1);
    }

    /// Tells the watchdog that this is the line.
    pub fn announce(&self, probe: &Probe) {
        let texts = self.0.iter().filter_map(|position| position.step.as_ref().map(|(_, text)| text.clone()));
        probe.set_line(texts);
    }

    /// Plays the action with this number in the list; there must be one.
    pub fn play(&mut self, pick: usize, probe: &Probe) -> Result<(), Breach> {
        let action = self.last().look.actions[pick];
        let mut state = probe.clone(&self.last().state)?;
        let text = probe.apply(&mut state, action)?;
        probe.push(text.clone());
        let look = Look::at(&state, probe)?;
        let of = self.last().look.actions.len();
        let step = Some((Step { action: Some(action), pick, of }, text));
        self.0.push(Rc::new(Position { step, state, look }));
        Ok(())
    }

    /// Plays this action; not if it is not listed.
    pub fn play_action(&mut self, action: G::Action, probe: &Probe) -> Result<bool, Breach> {
        let pick = self.last().look.actions.iter().position(|&listed| listed == action);
        pick.map_or(Ok(false), |pick| self.play(pick, probe).map(|()| true))
    }

    /// Which action of the last state a planned step means: the action itself where it is listed, else the one at its
    /// place. Nothing if there are no actions.
    pub fn resolve(&self, step: Step<G::Action>) -> Option<usize> {
        let actions = &self.last().look.actions;
        let listed = |planned| actions.iter().position(|&action| action == planned);
        step.action.and_then(listed).or_else(|| Some(step.pick.min(actions.len().checked_sub(1)?)))
    }

    /// The number of a random action, in a game that may take `longest` actions; nothing if there are no actions.
    pub fn choose(
        &self,
        style: Style,
        longest: usize,
        rng: &mut Rng,
        probe: &Probe,
    ) -> Result<Option<usize>, Breach> {
        let position = self.last();
        // Actions of a game that is over break a law, and lead nowhere.
        let first = if position.look.is_over() { None } else { position.pick(rng) };
        let (Style::Peaceful, Some(first)) = (style, first) else { return Ok(first) };
        if position.look.turn == Turn::Chance || self.len() >= longest / PEACE_WITH_DICE && self.has_chance()
        {
            return Ok(Some(first));
        }
        // From a random place on, the first that does not end the game.
        let count = position.look.actions.len();
        for pick in (first..count).chain(0..first).take(PEACEFUL_TRIES) {
            let next = probe.after(&position.state, position.look.actions[pick])?;
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
        self.step.as_ref().and_then(|(step, _)| step.action)
    }

    fn pick(&self, rng: &mut Rng) -> Option<usize> {
        let count = self.look.actions.len();
        let mut rest = rng.unit();
        let by_weight = self.look.weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        by_weight.or_else(|| (count > 0).then(|| rng.below(count)))
    }
}

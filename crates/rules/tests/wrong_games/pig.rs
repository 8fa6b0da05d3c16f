//! Pig with a loaded die: a player rolls as often as desired, then holds. A one ends the turn and loses its
//! points. After eight turns, points are money.

use ramure::{GameState, Player, Rng, StaticEvaluation, Turn};
use std::cell::RefCell;

mistakes! {
    /// I gave each face a probability of 1/5, but there are six.
    WeightsOfAFifth,
    /// I list the faces from 0 on, and gave the 0 no probability.
    FaceOfWeightZero,
    /// I load the die in `probability`, but draw all faces with equal probability.
    RandomForgetsTheLoad,
    /// `apply` throws the die itself after a roll, with a generator outside the state.
    RollsWithoutChance,
    /// I say that it is the player's turn while the die is rolling, so the player chooses the face.
    PlayerChoosesTheFace,
    /// After a one, the pot is lost, but the turn stays.
    OneKeepsTheTurn,
    /// After a one, the turn ends, but the pot is banked.
    OneKeepsThePot,
    /// I forgot to count the turns: two players who always hold play without end.
    TurnsAreNotCounted,
    /// I divide the points of a player by those of both, which may be 0.
    SharesOfNothing,
    /// I estimate with a division by the points so far, which are 0 at the start.
    EvaluationOfNothing,
}

/// An action of a player or of chance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Event {
    /// The turn ends, and the pot is banked.
    Hold,
    /// The die is thrown.
    Roll,
    /// This face comes up.
    Face(u8),
}

/// A position.
#[derive(Clone, Copy, Debug)]
pub struct Pig {
    banked: [u32; 2],
    pot: u32,
    player: Player,
    turns: u32,
    rolling: bool,
    mistake: Mistake,
}

/// Of the faces 1 to 6.
const WEIGHTS: [f64; 6] = [0.25, 0.15, 0.15, 0.15, 0.15, 0.15];

const TURNS: u32 = 8;

const GOAL: u32 = 30;

thread_local! {
    static DIE: RefCell<Rng> = RefCell::new(Rng::seeded(1));
}

impl Pig {
    /// Returns the start of a game.
    pub fn new(mistake: Mistake) -> Self {
        Pig { banked: [0; 2], pot: 0, player: 0, turns: 0, rolling: false, mistake }
    }

    fn end_turn(&mut self) {
        (self.pot, self.player) = (0, 1 - self.player);
        if self.mistake != Mistake::TurnsAreNotCounted {
            self.turns += 1;
        }
    }

    fn bank(&mut self) {
        self.banked[usize::from(self.player)] += self.pot;
        self.end_turn();
    }

    fn one(&mut self) {
        match self.mistake {
            Mistake::OneKeepsTheTurn => self.pot = 0,
            Mistake::OneKeepsThePot => self.bank(),
            _ => self.end_turn(),
        }
    }

    fn show(&mut self, face: u8) {
        self.rolling = false;
        if face == 1 { self.one() } else { self.pot += u32::from(face) }
    }
}

impl GameState for Pig {
    type Action = Event;

    fn turn(&self) -> Turn {
        match self.rolling {
            true if self.mistake == Mistake::PlayerChoosesTheFace => Turn::Player(self.player),
            true => Turn::Chance,
            false if self.turns == TURNS || self.banked.iter().any(|&points| points >= GOAL) => Turn::Over,
            false => Turn::Player(self.player),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = Event> {
        let first = if self.mistake == Mistake::FaceOfWeightZero { 0 } else { 1 };
        match self.turn() {
            Turn::Over => vec![],
            _ if self.rolling => (first..=6).map(Event::Face).collect(),
            // A player who has reached the goal can only hold.
            _ if self.banked[usize::from(self.player)] + self.pot >= GOAL => vec![Event::Hold],
            _ => vec![Event::Hold, Event::Roll],
        }
    }
    fn apply(&mut self, event: Event) {
        match event {
            Event::Hold => self.bank(),
            Event::Roll if self.mistake == Mistake::RollsWithoutChance => {
                self.show(DIE.with_borrow_mut(|die| 1 + die.below(6) as u8));
            }
            Event::Roll => self.rolling = true,
            Event::Face(face) => self.show(face),
        }
    }
    fn reward(&self, player: Player) -> f64 {
        let all = self.banked[0] + self.banked[1];
        if all == 0 && self.mistake != Mistake::SharesOfNothing {
            return 0.5;
        }
        f64::from(self.banked[usize::from(player)]) / f64::from(all)
    }
    fn probability(&self, outcome: Event) -> f64 {
        match outcome {
            Event::Face(1..) if self.mistake == Mistake::WeightsOfAFifth => 0.2,
            Event::Face(face @ 1..=6) => WEIGHTS[usize::from(face) - 1],
            _ => 0.0,
        }
    }
    fn random_outcome(&self, rng: &mut Rng) -> Option<Event> {
        let actions = Vec::from_iter(self.actions());
        if self.mistake == Mistake::RandomForgetsTheLoad {
            return actions.get(rng.below(actions.len())).copied();
        }
        let mut rest = rng.unit();
        let drawn = actions.iter().find(|&&face| {
            rest -= self.probability(face);
            rest < 0.0
        });
        drawn.or(actions.last()).copied()
    }
}

impl StaticEvaluation for Pig {
    fn evaluate(&self, player: Player) -> f64 {
        let mut points = self.banked;
        points[usize::from(self.player)] += self.pot;
        let all = points[0] + points[1];
        if all == 0 && self.mistake != Mistake::EvaluationOfNothing {
            return 0.5;
        }
        f64::from(points[usize::from(player)]) / f64::from(all)
    }
}

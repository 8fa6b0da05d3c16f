//! One player packs a bag: each thing has a weight and a worth, and what fits in counts.

use ramure::{GameState, Player, StaticEvaluation, Turn};
use std::cell::Cell;
use std::hash::{Hash, Hasher};

mistakes! {
    /// The reward is what the things are worth, which may be above 1.
    RewardNotScaled,
    /// I hand the worth out with `take`, so that whoever asks again gets nothing.
    RewardIsHandedOut,
    /// I took the turn from another game of mine, where two play.
    TurnsAlternate,
    /// It is over when nothing is left; but what is left may not fit in.
    OverWhenNothingIsLeft,
    /// I list what is left whether it fits in or not, and the room gets negative; that ends the game, too.
    ListsWhatDoesNotFit,
    /// I take a thing out with `swap_remove`: how the others are listed depends on the way. My `Eq` sorts them.
    OrderDependsOnTheWay,
    /// I estimate by the worth of what is packed over its weight, which is 0 at the beginning.
    EvaluationOfNothing,
}

/// Weights, and worths in hundredths.
const THINGS: [(i32, i32); 8] = [(5, 30), (4, 25), (3, 18), (6, 40), (2, 10), (7, 45), (1, 4), (3, 20)];

const ROOM: i32 = 12;

/// The most that fits in is worth less.
const SCALE: f64 = 100.0;

/// A position.
#[derive(Clone, Debug)]
pub struct Knapsack {
    left: Vec<usize>,
    room: i32,
    worth: Cell<i32>,
    mistake: Mistake,
}

impl Knapsack {
    /// An empty bag.
    pub fn new(mistake: Mistake) -> Self {
        Knapsack { left: Vec::from_iter(0..THINGS.len()), room: ROOM, worth: Cell::new(0), mistake }
    }

    fn fits(&self, thing: usize) -> bool {
        THINGS[thing].0 <= self.room
    }

    /// What `Eq` and `Hash` look at.
    fn key(&self) -> Vec<usize> {
        let mut left = self.left.clone();
        left.sort_unstable();
        left
    }
}

impl GameState for Knapsack {
    type Action = usize;

    fn turn(&self) -> Turn {
        let mut left = self.left.iter();
        let over = match self.mistake {
            Mistake::OverWhenNothingIsLeft => self.left.is_empty(),
            _ => !left.any(|&thing| self.fits(thing)),
        };
        match self.mistake {
            _ if over => Turn::Over,
            Mistake::TurnsAlternate => Turn::Player((self.left.len() % 2) as Player),
            _ => Turn::Player(0),
        }
    }
    fn actions(&self) -> impl IntoIterator<Item = usize> {
        let all = self.mistake == Mistake::ListsWhatDoesNotFit && self.turn() != Turn::Over;
        self.left.iter().copied().filter(move |&thing| all || self.fits(thing))
    }
    fn apply(&mut self, thing: usize) {
        let place = self.left.iter().position(|&left| left == thing).expect("it is left");
        if self.mistake == Mistake::OrderDependsOnTheWay {
            self.left.swap_remove(place)
        } else {
            self.left.remove(place)
        };
        self.room -= THINGS[thing].0;
        self.worth.set(self.worth.get() + THINGS[thing].1);
    }
    fn reward(&self, _: Player) -> f64 {
        match self.mistake {
            Mistake::RewardNotScaled => f64::from(self.worth.get()),
            Mistake::RewardIsHandedOut => f64::from(self.worth.take()) / SCALE,
            _ => f64::from(self.worth.get()) / SCALE,
        }
    }
    fn players(&self) -> u8 {
        1
    }
}

impl StaticEvaluation for Knapsack {
    fn evaluate(&self, _: Player) -> f64 {
        let packed = ROOM - self.room;
        if packed == 0 && self.mistake != Mistake::EvaluationOfNothing {
            return 0.0;
        }
        // Of what the whole bag would be worth, if it went on like this.
        f64::from(self.worth.get()) / f64::from(packed) * f64::from(ROOM) / SCALE
    }
}

impl PartialEq for Knapsack {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Knapsack {}

impl Hash for Knapsack {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key().hash(state);
    }
}

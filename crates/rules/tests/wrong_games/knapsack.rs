//! One player packs a bag. Each thing has a weight and a worth, and the things that fit in count.

use ramure::{GameState, Player, StaticEvaluation, Turn};
use std::cell::Cell;
use std::hash::{Hash, Hasher};

mistakes! {
    /// The reward is the worth of the things, which may be above 1.
    RewardNotScaled,
    /// I return the worth with `take`, so a second call gets nothing.
    RewardIsHandedOut,
    /// I copied the turn from my other game, which has two players.
    TurnsAlternate,
    /// The game is over when nothing is left; but the things that are left may not fit in.
    OverWhenNothingIsLeft,
    /// I list everything that is left, even if it does not fit in, so the room can get negative; that ends
    /// the game, too.
    ListsWhatDoesNotFit,
    /// I remove a thing with `swap_remove`, so the order of the others depends on the line of play. My `Eq`
    /// sorts them.
    OrderDependsOnTheWay,
    /// I estimate by the worth of the packed things over their weight, which is 0 at the start.
    EvaluationOfNothing,
}

/// Weights, and worths in hundredths.
const THINGS: [(i32, i32); 8] = [(5, 30), (4, 25), (3, 18), (6, 40), (2, 10), (7, 45), (1, 4), (3, 20)];

const ROOM: i32 = 12;

/// The divisor of the worths: no bag is worth more.
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
    /// Returns an empty bag.
    pub fn new(mistake: Mistake) -> Self {
        Knapsack { left: Vec::from_iter(0..THINGS.len()), room: ROOM, worth: Cell::new(0), mistake }
    }

    fn fits(&self, thing: usize) -> bool {
        THINGS[thing].0 <= self.room
    }

    /// The part that `Eq` and `Hash` use.
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
        // The worth of a whole bag, if the rest were packed at the same worth per weight.
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

//! Problems of planning with exact answers: each simulator has a list of its outcomes beside it, from which
//! value iteration computes what the best policy is worth, and any other.

use ramure::{Player, Rng, Simulator};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

/// A simulator whose outcomes can be listed.
pub trait Plan: Simulator<Reward = f64, Action: Copy> + Hash + Eq {
    /// Returns each outcome of `action`: its probability, the state and the reward.
    fn outcomes(&self, action: Self::Action) -> Vec<(f64, Self, f64)>;
}

/// Any simulator of one player, so that few searches are compiled. An action is its place in the list.
pub struct AnyPlan<'a>(Box<dyn Hidden + 'a>);

trait Hidden {
    fn width(&self) -> usize;
    fn step(&mut self, place: u8, rng: &mut Rng) -> f64;
    fn is_over(&self) -> bool;
    fn player(&self) -> Player;
    fn estimate(&self) -> Option<f64>;
    fn hash(&self, hasher: &mut dyn Hasher);
    fn duplicate<'a>(&self) -> Box<dyn Hidden + 'a>
    where
        Self: 'a;
}

impl<M: Simulator<Reward = f64> + Hash> Hidden for M {
    fn width(&self) -> usize {
        self.actions().into_iter().count()
    }
    fn step(&mut self, place: u8, rng: &mut Rng) -> f64 {
        let action = self.actions().into_iter().nth(place.into()).expect("one of the list");
        Simulator::step(self, action, rng)
    }
    fn is_over(&self) -> bool {
        Simulator::is_over(self)
    }
    fn player(&self) -> Player {
        Simulator::player(self)
    }
    fn estimate(&self) -> Option<f64> {
        Simulator::estimate(self)
    }
    fn hash(&self, mut hasher: &mut dyn Hasher) {
        Hash::hash(self, &mut hasher);
    }
    fn duplicate<'a>(&self) -> Box<dyn Hidden + 'a>
    where
        Self: 'a,
    {
        Box::new(self.clone())
    }
}

impl<'a> AnyPlan<'a> {
    /// Hides the type of a simulator.
    pub fn new(state: impl Simulator<Reward = f64> + Hash + 'a) -> Self {
        AnyPlan(Box::new(state))
    }
}

impl Clone for AnyPlan<'_> {
    fn clone(&self) -> Self {
        AnyPlan(self.0.duplicate())
    }
}

impl Hash for AnyPlan<'_> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash(hasher);
    }
}

impl Simulator for AnyPlan<'_> {
    type Action = u8;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..u8::try_from(self.0.width()).expect("at most 255 actions")
    }
    fn step(&mut self, place: u8, rng: &mut Rng) -> f64 {
        self.0.step(place, rng)
    }
    fn is_over(&self) -> bool {
        self.0.is_over()
    }
    fn player(&self) -> Player {
        self.0.player()
    }
    fn estimate(&self) -> Option<f64> {
        self.0.estimate()
    }
}

/// The exact answers to a problem.
pub struct Answers<M> {
    states: Vec<M>,
    /// What each state is worth by the best policy.
    values: Vec<f64>,
    index: HashMap<M, usize>,
    discount: f64,
    /// What the start is worth by the best policy, and by random actions.
    pub best: f64,
    pub random: f64,
}

/// The outcomes of one action: probability, number of the state, and reward.
type Outcomes = Vec<(f64, usize, f64)>;

impl<M: Plan> Answers<M> {
    pub fn new(start: M, discount: f64) -> Self {
        let (mut states, mut index, mut model) = (vec![start.clone()], HashMap::from([(start, 0)]), vec![]);
        while model.len() < states.len() {
            let state = states[model.len()].clone();
            let actions = if state.is_over() { Vec::new() } else { Vec::from_iter(state.actions()) };
            let number = |(probability, next, reward): (f64, M, f64)| {
                let new = index.len();
                let number = *index.entry(next.clone()).or_insert(new);
                if number == new {
                    states.push(next);
                }
                (probability, number, reward)
            };
            let number = &mut { number };
            model.push(Vec::from_iter(
                actions
                    .into_iter()
                    .map(|action| Vec::from_iter(state.outcomes(action).into_iter().map(&mut *number))),
            ));
        }
        let value = |of: &dyn Fn(Vec<f64>) -> f64| evaluate(&model, discount, of);
        let values = value(&|values| values.into_iter().fold(f64::MIN, f64::max));
        let random = value(&|values| values.iter().sum::<f64>() / values.len() as f64)[0];
        Answers { states, index, discount, best: values[0], values, random }
    }

    /// Returns what each state that the start can lead to is worth by the best policy.
    pub fn values(&self) -> HashMap<M, f64> {
        self.states.iter().cloned().zip(self.values.iter().copied()).collect()
    }

    /// Returns what the start is worth by the actions of `choose`, which is asked once in each state that
    /// these actions can reach.
    pub fn value(&self, mut choose: impl FnMut(&M) -> M::Action) -> f64 {
        let mut model: Vec<Vec<Outcomes>> = vec![vec![]; self.states.len()];
        let (mut reached, mut todo) = (vec![false; self.states.len()], vec![0]);
        while let Some(number) = todo.pop() {
            let state = &self.states[number];
            if !std::mem::replace(&mut reached[number], true) && !state.is_over() {
                let outcomes = state.outcomes(choose(state)).into_iter();
                let outcomes =
                    Vec::from_iter(outcomes.map(|(p, next, reward)| (p, self.index[&next], reward)));
                todo.extend(outcomes.iter().map(|outcome| outcome.1));
                model[number] = vec![outcomes];
            }
        }
        evaluate(&model, self.discount, &|values| values[0])[0]
    }

    /// Returns how much less than the best the actions of `choose` are worth, in percent of the gap between
    /// the best and random actions.
    pub fn regret(&self, choose: impl FnMut(&M) -> M::Action) -> f64 {
        100.0 * (self.best - self.value(choose)) / (self.best - self.random)
    }
}

/// Value iteration: `of` says what a state is worth by the values of its actions. Returns what each is.
fn evaluate(model: &[Vec<Outcomes>], discount: f64, of: &dyn Fn(Vec<f64>) -> f64) -> Vec<f64> {
    let mut values = vec![0.0; model.len()];
    for _ in 0..1_000 {
        let worth = |outcomes: &Outcomes| {
            outcomes
                .iter()
                .map(|&(probability, next, reward)| probability * (reward + discount * values[next]))
                .sum()
        };
        let next: Vec<f64> = model
            .iter()
            .map(|actions| if actions.is_empty() { 0.0 } else { of(actions.iter().map(worth).collect()) })
            .collect();
        let change =
            next.iter().zip(&values).map(|(new, old): (&f64, &f64)| (new - old).abs()).fold(0.0, f64::max);
        values = next;
        if change < 1e-9 {
            break;
        }
    }
    values
}

/// A grid of 4 by 3 squares with a wall. A step goes astray to the left or to the right with probability 0.1
/// each. It costs 4; one square ends with 100, another with -100. (Russell and Norvig, *Artificial
/// Intelligence: A Modern Approach*, section 17.1, with rewards 100 times as great.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid(pub i8, pub i8);

impl Grid {
    pub const START: Grid = Grid(0, 0);

    fn go(self, way: u8) -> (Grid, f64) {
        let (right, up) = [(0, 1), (1, 0), (0, -1), (-1, 0)][usize::from(way % 4)];
        let Grid(x, y) = Grid(self.0 + right, self.1 + up);
        let is_wall = !(0..4).contains(&x) || !(0..3).contains(&y) || (x, y) == (1, 1);
        let next = if is_wall { self } else { Grid(x, y) };
        (next, next.prize() - 4.0)
    }
    fn prize(self) -> f64 {
        [(Grid(3, 2), 100.0), (Grid(3, 1), -100.0)]
            .into_iter()
            .find(|end| end.0 == self)
            .map_or(0.0, |end| end.1)
    }
}

impl Simulator for Grid {
    type Action = u8;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..4
    }
    fn step(&mut self, way: u8, rng: &mut Rng) -> f64 {
        let (next, reward) = self.go(way + [0, 0, 0, 0, 0, 0, 0, 0, 1, 3][rng.below(10)]);
        *self = next;
        reward
    }
    fn is_over(&self) -> bool {
        self.prize() != 0.0
    }
}

impl Plan for Grid {
    fn outcomes(&self, way: u8) -> Vec<(f64, Grid, f64)> {
        let to = |turn, probability| (probability, self.go(way + turn).0, self.go(way + turn).1);
        vec![to(0, 0.8), to(1, 0.1), to(3, 0.1)]
    }
}

/// A shop with room for `room` pieces. An order costs 4, and 2 for each piece; a piece is sold for 5, and one
/// that stays costs 0.2. Each day between 0 and `most` customers come, each number as likely as any other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Shop {
    pub stock: u32,
    pub room: u32,
    pub most: u32,
}

impl Shop {
    pub fn day(self, order: u32, customers: u32) -> (Shop, f64) {
        let sold = customers.min(self.stock + order);
        let stock = self.stock + order - sold;
        let cost = f64::from(2 * order) + if order > 0 { 4.0 } else { 0.0 };
        (Shop { stock, ..self }, f64::from(5 * sold) - cost - 0.2 * f64::from(stock))
    }
}

impl Simulator for Shop {
    type Action = u32;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u32> {
        0..=self.room - self.stock
    }
    fn step(&mut self, order: u32, rng: &mut Rng) -> f64 {
        let (next, reward) = self.day(order, rng.below(self.most as usize + 1) as u32);
        *self = next;
        reward
    }
}

impl Plan for Shop {
    fn outcomes(&self, order: u32) -> Vec<(f64, Shop, f64)> {
        let day = |customers| self.day(order, customers);
        let probability = 1.0 / f64::from(self.most + 1);
        (0..=self.most).map(|customers| (probability, day(customers).0, day(customers).1)).collect()
    }
}

/// A race on a slippery track: a car with a place and a speed. The driver changes each of the two components
/// of the speed by at most one; with probability 0.2 the wheels slip, and the speed stays. A step costs 1, and
/// one that ends at the wall 5 and all speed. (Barto, Bradtke and Singh, *Learning to Act Using Real-Time
/// Dynamic Programming*, 1995, section 3, where the car goes back to the start.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Race {
    at: (i8, i8),
    speed: (i8, i8),
    is_over: bool,
}

/// The track: `#` is wall, `F` the finish.
const TRACK: [&[u8]; 6] = [b"####FF", b"####..", b"###...", b"#.....", b"#...##", b"#...##"];

impl Race {
    pub const START: Race = Race { at: (2, 5), speed: (0, 0), is_over: false };

    fn drive(self, change: (i8, i8)) -> (Race, f64) {
        let speed = ((self.speed.0 + change.0).clamp(-2, 2), (self.speed.1 + change.1).clamp(-2, 2));
        let length = speed.0.abs().max(speed.1.abs());
        let mut at = self.at;
        for part in 1..=length {
            let next = (self.at.0 + speed.0 * part / length, self.at.1 + speed.1 * part / length);
            let square = |(x, y): (i8, i8)| TRACK.get(y as usize).and_then(|row| row.get(x as usize));
            match square(next) {
                Some(b'F') => return (Race { at: next, speed: (0, 0), is_over: true }, -1.0),
                Some(b'.') => at = next,
                _ => return (Race { at, speed: (0, 0), is_over: false }, -5.0),
            }
        }
        (Race { at, speed, is_over: false }, -1.0)
    }
}

impl Simulator for Race {
    type Action = (i8, i8);
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = (i8, i8)> {
        (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y)))
    }
    fn step(&mut self, change: (i8, i8), rng: &mut Rng) -> f64 {
        let (next, reward) = self.drive(if rng.below(5) == 0 { (0, 0) } else { change });
        *self = next;
        reward
    }
    fn is_over(&self) -> bool {
        self.is_over
    }
}

impl Plan for Race {
    fn outcomes(&self, change: (i8, i8)) -> Vec<(f64, Race, f64)> {
        let to = |change, probability| (probability, self.drive(change).0, self.drive(change).1);
        if change == (0, 0) { vec![to(change, 1.0)] } else { vec![to(change, 0.8), to((0, 0), 0.2)] }
    }
}

/// Sailing across a lake of `size` by `size` buoys, to the far corner, while the wind turns. A leg costs from 1
/// before the wind to 4 close to it; to change the side of the sail costs 3 more, and no boat sails into the
/// wind. (Vanderbei, *Optimal Sailing Strategies*, 1996; with Monte-Carlo tree search: Kocsis and Szepesvári,
/// *Bandit Based Monte-Carlo Planning*, 2006.)
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Boat {
    pub at: (i8, i8),
    /// The way that the wind blows, from 0 to 7.
    pub wind: u8,
    /// The side of the sail on the last leg: -1, 0 for none, or 1.
    pub side: i8,
    pub size: i8,
}

/// The eight ways.
const WAYS: [(i8, i8); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// How likely each wind follows on each, in tenths.
const WINDS: [[u8; 8]; 8] = [
    [4, 3, 0, 0, 0, 0, 0, 3],
    [4, 3, 3, 0, 0, 0, 0, 0],
    [0, 4, 3, 3, 0, 0, 0, 0],
    [0, 0, 4, 3, 3, 0, 0, 0],
    [0, 0, 0, 4, 2, 4, 0, 0],
    [0, 0, 0, 0, 3, 3, 4, 0],
    [0, 0, 0, 0, 0, 3, 3, 4],
    [4, 0, 0, 0, 0, 0, 3, 3],
];

impl Boat {
    /// A boat at the corner of a lake, with the wind from where it wants to go.
    pub fn start(size: i8) -> Boat {
        Boat { at: (0, 0), wind: 5, side: 0, size }
    }

    /// The angle between the wind and a way: 0 before the wind, 4 into it.
    fn angle(self, way: u8) -> i8 {
        (way as i8 - self.wind as i8).rem_euclid(8)
    }
    fn after(self, way: u8) -> (i8, i8) {
        (self.at.0 + WAYS[usize::from(way)].0, self.at.1 + WAYS[usize::from(way)].1)
    }
    fn leg(self, way: u8, wind: u8) -> (Boat, f64) {
        let angle = self.angle(way);
        let side = if angle == 0 {
            0
        } else if angle < 4 {
            1
        } else {
            -1
        };
        let delay = if side * self.side == -1 { 3.0 } else { 0.0 };
        (Boat { at: self.after(way), wind, side, ..self }, -f64::from(1 + angle.min(8 - angle)) - delay)
    }
}

impl Simulator for Boat {
    type Action = u8;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let (boat, lake) = (*self, 0..self.size);
        let is_water = move |at: (i8, i8)| lake.contains(&at.0) && lake.contains(&at.1);
        (0..8).filter(move |&way| boat.angle(way) != 4 && is_water(boat.after(way)))
    }
    fn step(&mut self, way: u8, rng: &mut Rng) -> f64 {
        let mut tenth = rng.below(10) as u8;
        let next = WINDS[usize::from(self.wind)].iter().position(|&tenths| {
            let is_this = tenth < tenths;
            tenth = tenth.wrapping_sub(tenths);
            is_this
        });
        let (next, reward) = self.leg(way, next.unwrap_or(0) as u8);
        *self = next;
        reward
    }
    fn is_over(&self) -> bool {
        self.at == (self.size - 1, self.size - 1)
    }
}

impl Plan for Boat {
    fn outcomes(&self, way: u8) -> Vec<(f64, Boat, f64)> {
        let winds = WINDS[usize::from(self.wind)].into_iter().zip(0..).filter(|&(tenths, _)| tenths > 0);
        winds
            .map(|(tenths, wind)| (f64::from(tenths) / 10.0, self.leg(way, wind).0, self.leg(way, wind).1))
            .collect()
    }
}

/// A walk on the places from 0 to 6. A step costs 1, and goes the other way with probability 0.1. It ends at 6, or
/// in the pit at 0, which costs 5 more.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pit(pub i8);

impl Pit {
    fn go(self, right: bool) -> (Pit, f64) {
        let at = self.0 + if right { 1 } else { -1 };
        (Pit(at), if at == 0 { -6.0 } else { -1.0 })
    }
}

impl Simulator for Pit {
    type Action = bool;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [false, true]
    }
    fn step(&mut self, right: bool, rng: &mut Rng) -> f64 {
        let (next, reward) = self.go(right != (rng.below(10) == 0));
        *self = next;
        reward
    }
    fn is_over(&self) -> bool {
        self.0 == 0 || self.0 == 6
    }
}

impl Plan for Pit {
    fn outcomes(&self, right: bool) -> Vec<(f64, Pit, f64)> {
        let to = |right, probability| (probability, self.go(right).0, self.go(right).1);
        vec![to(right, 0.9), to(!right, 0.1)]
    }
}

/// A race to 12 points for two players, with rewards on the way. A player rolls a die as often as she dares:
/// each roll pays its face at once to the player who rolls, and costs the other one as much; a one pays 6 to
/// the other player and ends the turn, and so does `false`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rolls {
    pub player: Player,
    pub left: u8,
}

impl Simulator for Rolls {
    type Action = bool;
    type Reward = [f64; 2];

    fn actions(&self) -> impl IntoIterator<Item = bool> {
        [true, false]
    }
    fn step(&mut self, rolls: bool, rng: &mut Rng) -> [f64; 2] {
        self.left -= 1;
        let face = if rolls { rng.below(6) + 1 } else { 0 };
        let gain = match face {
            1 => -6.0,
            face => face as f64,
        };
        let rewards = if self.player == 0 { [gain, -gain] } else { [-gain, gain] };
        if face <= 1 {
            self.player = 1 - self.player;
        }
        rewards
    }
    fn is_over(&self) -> bool {
        self.left == 0
    }
    fn player(&self) -> Player {
        self.player
    }
}

//! Small problems: the sum of digits, a maze of random numbers, a tour with time windows.

use crate::common::hashed::unit;
use ramure::{ActionCode, GameState, Player, Rng, Scored, Turn};
use std::cell::RefCell;
use std::rc::Rc;

/// The sum of digits: each of `length` actions adds a digit below `base`. The left move problem is that of
/// base 2. (Cazenave, Nested Monte-Carlo Search, 2009, section 4.1.)
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Digits {
    pub base: u8,
    pub left: u8,
    pub sum: u32,
}

impl Digits {
    pub fn new(base: u8, length: u8) -> Self {
        Digits { base, left: length, sum: 0 }
    }
}

impl GameState for Digits {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        0..if self.left == 0 { 0 } else { self.base }
    }
    fn apply(&mut self, digit: u8) {
        self.sum += u32::from(digit);
        self.left -= 1;
    }
    fn reward(&self, _: Player) -> f64 {
        f64::from(self.sum) / 1000.0
    }
}

impl Scored for Digits {
    fn score(&self) -> f64 {
        f64::from(self.sum)
    }
}

impl ActionCode for Digits {
    fn action_code(&self, digit: u8) -> u64 {
        u64::from(self.left) << 8 | u64::from(digit)
    }
}

/// A maze of hashed numbers: one to four actions in each state, lines of three to nine actions, scores below
/// and above 0. It notes the score of each line when it is asked for.
#[derive(Clone, Debug)]
pub struct Maze {
    seed: u64,
    path: u64,
    depth: u64,
    noted: Rc<RefCell<Vec<f64>>>,
}

impl Maze {
    pub fn new(seed: u64) -> Self {
        Maze { seed, path: 1, depth: 0, noted: Rc::default() }
    }

    /// Returns the scores so far, and forgets them.
    pub fn take(&self) -> Vec<f64> {
        self.noted.take()
    }

    fn number(&self, salt: u64) -> f64 {
        unit((self.seed * 1_000_003 + self.path) * 8 + salt)
    }
}

impl GameState for Maze {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        let is_over = self.depth == 9 || (self.depth > 2 && self.number(0) < 0.15);
        if is_over { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        let count = 1 + (self.number(1) * 4.0) as u8;
        0..if self.turn() == Turn::Over { 0 } else { count }
    }
    fn apply(&mut self, action: u8) {
        self.path = self.path * 5 + u64::from(action) + 1;
        self.depth += 1;
    }
    fn reward(&self, _: Player) -> f64 {
        self.number(2)
    }
}

impl Scored for Maze {
    fn score(&self) -> f64 {
        // Few different scores, so that some are equal.
        let score = (self.number(2) * 40.0).floor() - 13.5;
        self.noted.borrow_mut().push(score);
        score
    }
}

impl ActionCode for Maze {
    /// Two actions of a state may have the same code, and an action of other states too.
    fn action_code(&self, action: u8) -> u64 {
        self.depth << 32 | u64::from(action / 2)
    }
}

/// A tour through cities, each of which should be reached within its time window. Who is early waits. The
/// score is minus the length of the tour, and minus a million for each city that is reached late. (Cazenave
/// and Teytaud, Beam Nested Rollout Policy Adaptation, 2012, section 4.)
#[derive(Clone, Debug)]
pub struct Tour {
    map: Rc<Map>,
    city: usize,
    left: u32,
    time: u32,
    length: u32,
    late: u32,
}

#[derive(Debug)]
struct Map {
    distances: Vec<Vec<u32>>,
    windows: Vec<(u32, u32)>,
}

impl Tour {
    /// A tour from city 0 through `count` others and back. A random order is in time everywhere.
    pub fn random(count: usize, seed: u64) -> Self {
        let mut rng = Rng::seeded(seed);
        let places: Vec<(f64, f64)> = (0..=count).map(|_| (rng.unit() * 100.0, rng.unit() * 100.0)).collect();
        let distance = |&(x, y): &(f64, f64), &(u, v): &(f64, f64)| {
            ((x - u) * (x - u) + (y - v) * (y - v)).sqrt() as u32
        };
        let distances: Vec<Vec<u32>> =
            places.iter().map(|a| places.iter().map(|b| distance(a, b)).collect()).collect();
        let mut order: Vec<usize> = (1..=count).collect();
        rng.shuffle(&mut order);
        let (mut time, mut city, mut windows) = (0, 0, vec![(0, u32::MAX); count + 1]);
        for next in order {
            time += distances[city][next];
            windows[next] = (time.saturating_sub(rng.below(120) as u32), time + rng.below(120) as u32);
            city = next;
        }
        let left = ((1 << count) - 1) << 1;
        Tour { map: Rc::new(Map { distances, windows }), city: 0, left, time: 0, length: 0, late: 0 }
    }

    /// Returns the greatest score, by dynamic programming over the sets of cities that are left. Of each set
    /// and city it keeps all ways to get there that are not worse than another one in time, length and cities
    /// missed.
    pub fn best(&self) -> f64 {
        type Ways = Vec<(u32, u32, u32)>;
        let count = self.map.windows.len();
        let mut table: Vec<Vec<Ways>> = vec![vec![Vec::new(); count]; 1 << count];
        table[self.left as usize][0].push((0, 0, 0));
        // A set is less than each set that it comes from.
        for left in (1..=self.left as usize).rev() {
            for city in 0..count {
                for (time, length, late) in table[left][city].clone() {
                    for next in (1..count).filter(|next| left >> next & 1 == 1) {
                        let (opens, closes) = self.map.windows[next];
                        let step = self.map.distances[city][next];
                        let arrived = (time + step).max(opens);
                        let way = (arrived, length + step, late + u32::from(arrived > closes));
                        let ways = &mut table[left & !(1 << next)][next];
                        let beats =
                            |a: (u32, u32, u32), b: (u32, u32, u32)| a.0 <= b.0 && a.1 <= b.1 && a.2 <= b.2;
                        if !ways.iter().any(|&known| beats(known, way)) {
                            ways.retain(|&known| !beats(way, known));
                            ways.push(way);
                        }
                    }
                }
            }
        }
        let end = |city: usize, &(_, length, late): &(u32, u32, u32)| {
            -f64::from(length + self.map.distances[city][0]) - 1e6 * f64::from(late)
        };
        let ends = (0..count).flat_map(|city| table[0][city].iter().map(move |way| end(city, way)));
        ends.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl GameState for Tour {
    type Action = u8;

    fn players(&self) -> u8 {
        1
    }
    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn actions(&self) -> impl IntoIterator<Item = u8> {
        (0..32).filter(|city| self.left >> city & 1 == 1)
    }
    fn apply(&mut self, next: u8) {
        let next = usize::from(next);
        let step = self.map.distances[self.city][next];
        let (opens, closes) = self.map.windows[next];
        self.time = (self.time + step).max(opens);
        self.late += u32::from(self.time > closes);
        self.length += step;
        self.left &= !(1 << next);
        self.city = next;
        if self.left == 0 {
            self.length += self.map.distances[next][0];
        }
    }
    fn reward(&self, _: Player) -> f64 {
        1.0 / (1.0 + f64::from(self.length) / 500.0 + f64::from(self.late))
    }
}

impl Scored for Tour {
    fn score(&self) -> f64 {
        -f64::from(self.length) - 1e6 * f64::from(self.late)
    }
}

impl ActionCode for Tour {
    fn action_code(&self, next: u8) -> u64 {
        (self.city as u64) << 8 | u64::from(next)
    }
}

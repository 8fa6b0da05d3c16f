//! Problems of planning whose state the planner does not see, with known figures: Tiger, RockSample, a walk to a
//! light, and Battleship.

use libm::{cos, exp, exp2, hypot, log, pow, sqrt};
use ramure::search::{Believed, HistoryStep};
use ramure::simulation::{Leaf, RolloutPolicy, Trace};
use ramure::{GameFault, PartiallyObserved, Rewards, Rng, Simulator};
use std::sync::Arc;

/// The discount of all of them, except for [`Battleship`], which has none.
pub const DISCOUNT: f64 = 0.95;

/// A tiger is behind one of two doors.
///
/// **Source:** Kaelbling, Littman and Cassandra, *Planning and Acting in Partially Observable Stochastic
/// Domains*, 1998.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tiger {
    /// Whether it is on the left.
    pub is_left: bool,
    /// What [`Simulator::estimate`] returns.
    pub estimate: Option<f64>,
}

/// An action of [`Tiger`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Door {
    Listen,
    OpenLeft,
    OpenRight,
}

impl Tiger {
    /// Draws the door of the tiger.
    pub fn draw(rng: &mut Rng) -> Self {
        Tiger { is_left: rng.unit() < 0.5, estimate: None }
    }

    fn rightness(action: Door) -> f64 {
        if action == Door::Listen { 0.85 } else { 0.5 }
    }
}

impl Simulator for Tiger {
    type Action = Door;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = Door> {
        [Door::Listen, Door::OpenLeft, Door::OpenRight]
    }
    fn step(&mut self, action: Door, rng: &mut Rng) -> f64 {
        if action == Door::Listen {
            return -1.0;
        }
        let finds_it = self.is_left == (action == Door::OpenLeft);
        self.is_left = rng.unit() < 0.5;
        if finds_it { -100.0 } else { 10.0 }
    }
    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}

impl PartiallyObserved for Tiger {
    /// Whether it is heard on the left.
    type Observation = bool;

    fn observe(&self, action: &Door, rng: &mut Rng) -> bool {
        self.is_left == (rng.unit() < Tiger::rightness(*action))
    }
    fn likelihood(&self, action: &Door, is_heard_left: &bool) -> Option<f64> {
        let right = Tiger::rightness(*action);
        Some(if self.is_left == *is_heard_left { right } else { 1.0 - right })
    }
}

/// The rocks of [`RockSample`].
const ROCKS: usize = 8;

/// A rover looks for good rocks. The first column is 0, and the exit is behind the last.
///
/// The state keeps what was observed, so that a rollout policy can go by it. So `step` draws the observation, and its
/// likelihood is not asked for.
///
/// **Source:** Smith and Simmons, *Heuristic Search Value Iteration for POMDPs*, 2004.
#[derive(Clone, PartialEq, Debug)]
pub struct RockSample {
    rocks: Arc<[(i8, i8); ROCKS]>,
    size: i8,
    place: (i8, i8),
    /// A bit for each rock that is good, and for each that was taken.
    good: usize,
    taken: usize,
    /// How often each rock was checked, and how much more often it looked good than bad.
    checks: [u8; ROCKS],
    looks: [i8; ROCKS],
    seen: Option<bool>,
    is_over: bool,
    estimate: Option<f64>,
}

/// An action of [`RockSample`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// To move by so many columns and rows.
    Go(i8, i8),
    /// To take the rock of this place.
    Sample,
    /// To look at the rock with this number.
    Check(usize),
}

impl RockSample {
    /// Draws which of the eight rocks of the usual map of 7 by 7 are good.
    pub fn draw(rng: &mut Rng) -> Self {
        let rocks = Arc::new([(2, 0), (0, 1), (3, 1), (6, 3), (2, 4), (3, 4), (5, 5), (1, 6)]);
        let good = rng.below(1 << ROCKS);
        let (checks, looks) = ([0; ROCKS], [0; ROCKS]);
        RockSample {
            good,
            rocks,
            taken: 0,
            checks,
            looks,
            seen: None,
            size: 7,
            place: (0, 3),
            is_over: false,
            estimate: None,
        }
    }

    /// Returns this state with what [`Simulator::estimate`] returns.
    pub fn estimated(self, estimate: Option<f64>) -> Self {
        RockSample { estimate, ..self }
    }

    /// Returns the number of the rock here, if it was not taken.
    pub fn here(&self) -> Option<usize> {
        self.left().find(|&rock| self.rocks[rock] == self.place)
    }

    /// The rocks that were not taken.
    fn left(&self) -> impl Iterator<Item = usize> {
        (0..ROCKS).filter(|rock| self.taken >> rock & 1 == 0)
    }

    /// Returns whether the rock with this number is good.
    pub fn is_good(&self, rock: usize) -> bool {
        self.good >> rock & 1 == 1
    }

    /// Returns an action that makes sense by what was observed: to take a rock that looks good, to come nearer to
    /// one that may be, or to check it; and to leave if there is none. These are the preferred actions of Silver
    /// and Veness.
    pub fn preferred(&self, rng: &mut Rng) -> Move {
        if self.here().is_some_and(|rock| self.looks[rock] > 0) {
            return Move::Sample;
        }
        let mut moves = Vec::new();
        for rock in self.left().filter(|&rock| self.looks[rock] >= 0) {
            let (dx, dy) = (self.rocks[rock].0 - self.place.0, self.rocks[rock].1 - self.place.1);
            moves.extend((dx != 0).then_some(Move::Go(dx.signum(), 0)));
            moves.extend((dy != 0).then_some(Move::Go(0, dy.signum())));
            let is_unsure = self.looks[rock] < 2 && self.checks[rock] < 5;
            moves.extend(is_unsure.then_some(Move::Check(rock)));
        }
        if moves.is_empty() { Move::Go(1, 0) } else { moves[rng.below(moves.len())] }
    }

    fn rightness(&self, rock: usize) -> f64 {
        let (x, y) = self.rocks[rock];
        0.5 + 0.5 * exp2(-hypot((x - self.place.0).into(), (y - self.place.1).into()) / 20.0)
    }
}

impl Simulator for RockSample {
    type Action = Move;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = Move> {
        let (x, y) = self.place;
        let inside = move |&(dx, dy): &(i8, i8)| x + dx >= 0 && (0..self.size).contains(&(y + dy));
        let ways = [(1, 0), (-1, 0), (0, 1), (0, -1)].into_iter().filter(inside);
        let sample = self.here().map(|_| Move::Sample);
        ways.map(|(dx, dy)| Move::Go(dx, dy)).chain(sample).chain(self.left().map(Move::Check))
    }
    fn step(&mut self, action: Move, rng: &mut Rng) -> f64 {
        self.seen = None;
        match action {
            Move::Check(rock) => {
                let looks_good = self.is_good(rock) == (rng.unit() < self.rightness(rock));
                self.looks[rock] = self.looks[rock].saturating_add(if looks_good { 1 } else { -1 });
                self.checks[rock] = self.checks[rock].saturating_add(1);
                self.seen = Some(looks_good);
                0.0
            }
            Move::Go(dx, dy) => {
                self.place = (self.place.0 + dx, self.place.1 + dy);
                self.is_over = self.place.0 == self.size;
                if self.is_over { 10.0 } else { 0.0 }
            }
            Move::Sample => {
                let Some(rock) = self.here() else { return 0.0 };
                self.taken |= 1 << rock;
                if self.is_good(rock) { 10.0 } else { -10.0 }
            }
        }
    }
    fn is_over(&self) -> bool {
        self.is_over
    }
    fn estimate(&self) -> Option<f64> {
        self.estimate
    }
}

impl PartiallyObserved for RockSample {
    /// Whether the checked rock looks good.
    type Observation = Option<bool>;

    fn observe(&self, _: &Move, _: &mut Rng) -> Option<bool> {
        self.seen
    }
}

/// Rollouts of [`RockSample`] by [preferred actions](RockSample::preferred).
#[derive(Clone, Copy, Debug)]
pub struct Preferred;

impl RolloutPolicy<Believed<RockSample>> for Preferred {
    type Trace = ();

    fn simulate(
        &self,
        leaf: &mut Leaf<Believed<RockSample>, impl Trace<Believed<RockSample>>>,
        rng: &mut Rng,
    ) -> Result<Rewards, GameFault> {
        leaf.play_out(rng, |leaf, rng| Ok(Some(HistoryStep::new(leaf.state().simulator().preferred(rng)))))
    }
}

/// A walk along a line to 0, which sees well only near the light at 10. To say that 0 is reached pays 100 if it
/// is, and costs 100 if not. Other steps cost 1.
///
/// **Source:** Sunberg and Kochenderfer, *Online Algorithms for POMDPs with Continuous State, Action, and
/// Observation Spaces*, 2018.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LightDark {
    place: i32,
    is_over: bool,
}

/// A place that is seen, a real number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Seen(pub f64);

impl Eq for Seen {}

impl LightDark {
    /// The farthest place.
    const END: i32 = 60;

    /// Draws a place from -30 to 30.
    pub fn draw(rng: &mut Rng) -> Self {
        LightDark { place: rng.below(61) as i32 - 30, is_over: false }
    }

    /// Returns the deviation of what is seen.
    fn blur(&self) -> f64 {
        f64::from((self.place - 10).abs()) + 1e-4
    }
}

impl Simulator for LightDark {
    type Action = i32;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = i32> {
        [-10, -1, 0, 1, 10]
    }
    fn step(&mut self, by: i32, _: &mut Rng) -> f64 {
        if by == 0 {
            self.is_over = true;
            return if self.place == 0 { 100.0 } else { -100.0 };
        }
        self.place = (self.place + by).clamp(-Self::END, Self::END);
        -1.0
    }
    fn is_over(&self) -> bool {
        self.is_over
    }
    /// The return of a walk that sees where it is.
    fn estimate(&self) -> Option<f64> {
        let (tens, ones) = (self.place.abs() / 10, self.place.abs() % 10);
        let weight = pow(DISCOUNT, f64::from(tens + ones.min(11 - ones)));
        Some(100.0 * weight - (1.0 - weight) / (1.0 - DISCOUNT))
    }
}

impl PartiallyObserved for LightDark {
    type Observation = Seen;

    fn observe(&self, _: &i32, rng: &mut Rng) -> Seen {
        let (length, turn) = (sqrt(-2.0 * log(1.0 - rng.unit())), rng.unit());
        Seen(f64::from(self.place) + self.blur() * length * cos(core::f64::consts::TAU * turn))
    }
    fn likelihood(&self, _: &i32, &Seen(place): &Seen) -> Option<f64> {
        let off = (place - f64::from(self.place)) / self.blur();
        Some(exp(-0.5 * off * off) / self.blur())
    }
}

/// Ships on a board, which are sunk shot by shot. Ships do not touch each other. A shot costs 1, and to hit the
/// last cell of all ships pays as much as the board has cells.
///
/// **Source:** Silver and Veness, *Monte-Carlo Planning in Large POMDPs*, 2010.
#[derive(Clone, PartialEq, Debug)]
pub struct Battleship {
    size: u32,
    /// The length of each ship, its first cell, and whether it lies across.
    ships: Vec<(u32, u32, bool)>,
    /// A bit for each cell of a ship, and for each cell that was shot at.
    taken: u128,
    shot: u128,
}

impl Battleship {
    /// Draws the places of ships of these lengths on a board of so many rows and columns, at most 11.
    pub fn draw(size: u32, lengths: &[u32], rng: &mut Rng) -> Self {
        let ships = lengths.iter().map(|&length| (length, 0, false)).collect();
        let mut board = Battleship { size, ships, taken: 0, shot: 0 };
        while !board.place(&(0..lengths.len()).collect::<Vec<_>>(), rng) {}
        board
    }

    fn bit(&self, x: u32, y: u32) -> u128 {
        if x < self.size && y < self.size { 1 << (y * self.size + x) } else { 0 }
    }

    /// The cells of a ship, with those around it.
    fn cells(&self, (length, first, is_across): (u32, u32, bool), margin: u32) -> u128 {
        let (x, y) = (first % self.size, first / self.size);
        let (width, height) = if is_across { (length, 1) } else { (1, length) };
        let range = |start: u32, length: u32| start.saturating_sub(margin)..start + length + margin;
        range(y, height)
            .flat_map(|y| range(x, width).map(move |x| (x, y)))
            .fold(0, |cells, (x, y)| cells | self.bit(x, y))
    }

    /// Places these ships anew. Returns whether they fit.
    fn place(&mut self, moved: &[usize], rng: &mut Rng) -> bool {
        let others = (0..self.ships.len()).filter(|ship| !moved.contains(ship));
        let mut taken = others.fold(0, |taken, ship| taken | self.cells(self.ships[ship], 0));
        for &ship in moved {
            let (length, is_across) = (self.ships[ship].0, rng.unit() < 0.5);
            let (along, beside) =
                (rng.below((self.size - length + 1) as usize) as u32, rng.below(self.size as usize) as u32);
            let first = if is_across { beside * self.size + along } else { along * self.size + beside };
            self.ships[ship] = (length, first, is_across);
            if self.cells(self.ships[ship], 1) & taken != 0 {
                return false;
            }
            taken |= self.cells(self.ships[ship], 0);
        }
        self.taken = taken;
        true
    }
}

impl Simulator for Battleship {
    type Action = u32;
    type Reward = f64;

    fn actions(&self) -> impl IntoIterator<Item = u32> {
        (0..self.size * self.size).filter(|cell| self.shot >> cell & 1 == 0)
    }
    fn step(&mut self, cell: u32, _: &mut Rng) -> f64 {
        self.shot |= 1 << cell;
        if self.is_over() { f64::from(self.size * self.size) - 1.0 } else { -1.0 }
    }
    fn is_over(&self) -> bool {
        self.taken & !self.shot == 0
    }
}

impl PartiallyObserved for Battleship {
    /// Whether the shot has hit.
    type Observation = bool;

    fn observe(&self, cell: &u32, _: &mut Rng) -> bool {
        self.taken >> cell & 1 == 1
    }
    fn likelihood(&self, cell: &u32, hits: &bool) -> Option<f64> {
        Some(f64::from((self.taken >> cell & 1 == 1) == *hits))
    }
    /// Moves one ship or two, so that the shots so far would have hit and missed as they did.
    fn reinvigorate(&self, rng: &mut Rng) -> Option<Self> {
        let count = self.ships.len();
        (0..100).find_map(|_| {
            let (mut other, one) = (self.clone(), rng.below(count));
            let two = rng.below(count);
            let moved = if one == two { vec![one] } else { vec![one, two] };
            let fits = other.place(&moved, rng) && other.taken & other.shot == self.taken & self.shot;
            (fits && !other.is_over()).then_some(other)
        })
    }
}

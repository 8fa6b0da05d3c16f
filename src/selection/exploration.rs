//! How much a policy explores: by a constant, or in units of the spread of the rewards.

#[cfg(feature = "save")]
use crate::custom_error::BoxError;
use crate::game::{MAX_PLAYERS, Rewards};
use crate::parameter::ParameterError;
use core::fmt;

/// An exploration constant: a fixed number, or a multiple of the standard deviation of the rewards.
///
/// A bonus such as `c sqrt(ln N / n)` is added to a mean reward, so a good `c` is in proportion to how far
/// the rewards lie apart. With [`deviations`](Self::deviations) the search measures that and sets `c`:
/// rewards that are all halved give the same search, and a game whose rewards lie close together needs no
/// other constant than one of wins and losses. A fixed constant, an `f32`, is used as it is.
///
/// The deviation is that of the rewards with which iterations end: of each player about their own mean, and
/// the root of the mean of the players' variances. `c` is `k` times the greatest deviation met so far,
/// measured after 16, 32 and 64 iterations and then after every 64. (The deviation at the moment would fall
/// as the search settles on an action, and with it the exploration of the others.) Until the first of these,
/// and while all rewards are equal, `c` is 1000, so that all actions are tried alike, or in proportion to
/// their priors. Rewards count less the older they are: after every 2048 iterations, all before have half the
/// weight.
///
/// The more actions the root has, the fewer visits there are for each, and the less it pays to explore. With
/// `K` actions, two or more, `c` is (9 / K)^¼ of that: 1.5 with 2 actions, 1 with 9, 0.6 with 69. So `k = 1`
/// suits Connect 4 and Hex alike. A search counts the legal actions when a run begins, also those that
/// [`root_actions`](crate::Mcts::root_actions) leaves out. It does not count actions that are sampled, and
/// outcomes of chance.
/// ([`Puct`](crate::selection::Puct) and
/// [`AvailabilityUcb1`](crate::selection::AvailabilityUcb1) explore by `k` deviations whatever `K` is. The
/// priors of `Puct` sum to 1, so each is smaller where there are more actions.)
///
/// Two kinds of games may need another `k` than 1. If rewards that lie close together decide without noise,
/// explore more: of two actions, one to the rewards 0.508 and seven times 0.5, the other always to 0.503, the
/// search takes the better one within 3000 iterations for 47 of 50 seeds with one deviation, and for all with
/// two. And if the first rewards are far from all others, explore less, or set a fixed `c`: their deviation is
/// never forgotten, so the search explores too much.
///
/// Each tree has its own deviation. It is kept when the search [advances](crate::Mcts::advance) to a node of
/// its tree, and saved with it. It is forgotten when a new tree begins: when the search advances to an action
/// that the tree has no node for, and when it is [reset](crate::Mcts::reset). Measuring costs about 15
/// instructions per iteration and nothing per node.
///
/// ```
/// use ramure::prelude::*;
/// use ramure::selection::Exploration;
/// let search = Mcts::new(ramure::games::Connect4::new());
/// let mut search = search.tree_policy(Ucb1::new(Exploration::deviations(0.7)));
/// search.run(Budget::iterations(1_000))?;
/// let mut search = search.tree_policy(Ucb1::new(0.35)); // where rewards are 0 and 1, much the same
/// search.run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
///
/// # In a policy of your own
///
/// Pass on [`learn`](crate::selection::TreePolicy::learn), [`begin`](crate::selection::TreePolicy::begin)
/// and [`begin_tree`](crate::selection::TreePolicy::begin_tree), and read [`constant`](Self::constant) in
/// [`select`](crate::selection::TreePolicy::select):
///
/// ```
/// use ramure::prelude::*;
/// use ramure::Rewards;
/// use ramure::selection::Exploration;
///
/// struct Polynomial { c: Exploration }
///
/// impl<G: GameState> TreePolicy<G> for Polynomial {
///     type Stats = ();
///     fn select(&self, node: impl Node<G, ()>, _: &mut Rng) -> Choice {
///         let bonus = self.c.constant() * node.visits().powf(0.25);
///         node.argmax(|child| child.mean() + bonus / child.visits().sqrt())
///     }
///     fn learn(&mut self, _: &[(Player, G::Action)], rewards: &Rewards) {
///         self.c.learn(rewards);
///     }
///     fn begin(&mut self, _: Option<u64>, width: usize, _: &mut Rng) {
///         self.c.begin(width);
///     }
///     fn begin_tree(&mut self) {
///         self.c.forget();
///     }
/// }
///
/// let policy = Polynomial { c: Exploration::deviations(1.0) };
/// Mcts::new(ramure::games::Connect4::new()).tree_policy(policy).run(Budget::iterations(1_000))?;
/// # Ok::<(), SearchError>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
pub struct Exploration {
    /// The constant in use.
    c: f32,
    /// How many deviations `c` is. 0 if it is fixed.
    deviations: f32,
    /// The share of them by which the policy explores: the less, the more actions the root has.
    share: f32,
    spread: Spread,
}

/// The spread of the rewards so far.
#[derive(Clone, Copy, PartialEq)]
struct Spread {
    /// The iterations until the next refresh; 0 if nothing is measured.
    left: u32,
    /// The weight of the rewards before the latest refresh, and the sum of their squared distances from the
    /// means of their players.
    weight: f32,
    squares: f32,
    /// The greatest variance at a refresh.
    variance: f32,
    /// The mean rewards at the latest refresh.
    means: [f32; MAX_PLAYERS],
    /// The sums over the iterations since then: of the distances from these means, and of their squares. With
    /// lanes for all players, a few vector instructions count them.
    recent: [f32; MAX_PLAYERS],
    recent_squares: [f32; MAX_PLAYERS],
}

impl Spread {
    /// The spread of no rewards.
    const NONE: Spread = Spread {
        left: 1,
        weight: 0.0,
        squares: 0.0,
        variance: 0.0,
        means: [0.0; MAX_PLAYERS],
        recent: [0.0; MAX_PLAYERS],
        recent_squares: [0.0; MAX_PLAYERS],
    };

    /// The iterations before the first deviation.
    const FEWEST: u32 = 16;

    /// The most iterations from one refresh to the next.
    const MOST: u32 = 64;

    /// The weight at which all weights are halved.
    const MEMORY: f32 = 4096.0;

    /// The greatest sum of squared distances.
    const MOST_SQUARES: f32 = Spread::MEMORY * MAX_PLAYERS as f32;

    /// The number of iterations from the latest refresh to the next. The first reward becomes the mean at
    /// once, so that the distances from it are exact if the rewards lie close together.
    fn interval(&self) -> u32 {
        match self.weight as u32 {
            0 => 1,
            weight if weight < Spread::FEWEST => Spread::FEWEST - weight,
            weight => weight.min(Spread::MOST),
        }
    }

    /// Adds the recent rewards of `players` to the older ones.
    ///
    /// The means and squares of two samples are combined as in Chan, Golub and LeVeque, *Updating Formulae
    /// and a Pairwise Algorithm for Computing Sample Variances*, 1979.
    fn refresh(&mut self, players: u8) {
        let count = self.interval() as f32;
        let all = self.weight + count;
        for player in 0..usize::from(players) {
            let distance = self.recent[player] / count;
            let own = self.recent_squares[player] - self.recent[player] * distance;
            self.squares += own.max(0.0) + distance * distance * (self.weight * count / all);
            // The bounds matter only after a damaged file.
            self.means[player] = (self.means[player] + distance * (count / all)).clamp(-0.01, 1.01);
        }
        self.squares = self.squares.min(Spread::MOST_SQUARES);
        if all >= Spread::FEWEST as f32 {
            self.variance = self.variance.max(self.squares / (all * f32::from(players))).min(1.0);
        }
        (self.recent, self.recent_squares, self.weight) = (Default::default(), Default::default(), all);
        if all >= Spread::MEMORY {
            (self.weight, self.squares) = (0.5 * all, 0.5 * self.squares);
        }
        self.left = self.interval();
    }

    /// Returns whether rewards in [0, 1] can have this spread, up to rounding. If they can, the numbers stay
    /// in range however the search goes on.
    #[cfg(feature = "save")]
    fn is_possible(&self) -> bool {
        let done = 1.1 * self.interval().saturating_sub(self.left) as f32;
        let are_in = |lanes: &[f32], range: core::ops::RangeInclusive<f32>| {
            lanes.iter().all(|lane| range.contains(lane))
        };
        (0.0..=Spread::MEMORY).contains(&self.weight)
            && (1..=self.interval()).contains(&self.left)
            && (0.0..=Spread::MOST_SQUARES).contains(&self.squares)
            && (0.0..=1.0).contains(&self.variance)
            && are_in(&self.means, -0.01..=1.01)
            && are_in(&self.recent, -done..=done)
            && are_in(&self.recent_squares, 0.0..=done)
    }
}

impl Exploration {
    /// The constant while all rewards are equal, and the greatest that is allowed.
    const MOST: f32 = 1000.0;

    /// The number of actions at the root with which a search explores by whole deviations.
    const ACTIONS: f32 = 9.0;

    /// Returns the constant `c`.
    pub(super) const fn fixed(c: f32) -> Self {
        let spread = Spread { left: 0, ..Spread::NONE };
        Exploration { c, deviations: 0.0, share: 1.0, spread }
    }

    /// Returns `k` standard deviations of the rewards; `k` is from 0 to 1000. (Any other value is an error
    /// when the search runs.)
    pub const fn deviations(k: f32) -> Self {
        if k == 0.0 {
            return Exploration::fixed(0.0);
        }
        Exploration { c: Exploration::MOST, deviations: k, share: 1.0, spread: Spread::NONE }
    }

    /// Returns the exploration constant at this moment of the search.
    #[inline(always)]
    pub const fn constant(&self) -> f32 {
        self.c
    }

    /// Returns `c` in units of this exploration: unchanged, or `c` deviations.
    pub(super) fn scaled(&self, c: f32) -> f32 {
        if self.is_fixed() { c } else { (c * (self.c / self.deviations)).min(Exploration::MOST) }
    }

    /// Returns whether the constant is a fixed number.
    #[inline(always)]
    const fn is_fixed(&self) -> bool {
        self.deviations == 0.0
    }

    /// Counts the rewards of an iteration.
    #[inline(always)]
    pub fn learn(&mut self, rewards: &Rewards) {
        let spread = &mut self.spread;
        if spread.left == 0 {
            return; // fixed
        }
        let lanes = rewards.lanes();
        #[expect(clippy::needless_range_loop, reason = "four arrays in step, for vector instructions")]
        for player in 0..MAX_PLAYERS {
            let distance = lanes[player] - spread.means[player];
            spread.recent[player] += distance;
            spread.recent_squares[player] += distance * distance;
        }
        spread.left -= 1;
        if spread.left == 0 {
            self.refresh(rewards.players());
        }
    }

    /// Explores less from now on if `width`, the number of actions at the root, is large, and more if it is
    /// small. Without this call, and with fewer than two actions, the constant is `k` deviations.
    pub fn begin(&mut self, width: usize) {
        if !self.is_fixed() {
            let ratio = if width < 2 { 1.0 } else { Exploration::ACTIONS / width as f32 };
            self.share = ratio.sqrt().sqrt();
            self.set_constant();
        }
    }

    /// Forgets all rewards.
    pub fn forget(&mut self) {
        if !self.is_fixed() {
            *self = Exploration { share: self.share, ..Exploration::deviations(self.deviations) };
        }
    }

    /// Checks that the constant, or the number of deviations, is from 0 to 1000.
    ///
    /// # Errors
    ///
    /// Returns a [`ParameterError`] with this `name` if it is not.
    pub fn check(&self, name: &'static str) -> Result<(), ParameterError> {
        let value = if self.is_fixed() { self.c } else { self.deviations };
        ParameterError::unless_constant(name, value.into())
    }

    #[cold]
    #[inline(never)]
    fn refresh(&mut self, players: u8) {
        self.spread.refresh(players);
        self.set_constant();
    }

    /// Sets the constant in use to what follows from the spread.
    fn set_constant(&mut self) {
        let variance = self.spread.variance;
        let c =
            if variance > 0.0 { self.share * self.deviations * variance.sqrt() } else { Exploration::MOST };
        self.c = c.min(Exploration::MOST);
    }
}

/// The methods of a tree policy that tell its [`Exploration`], `c`, of rewards, runs and trees.
macro_rules! explores_by_c {
    ($($method:ident)+) => { $($crate::selection::exploration::explores_by_c! { @$method })+ };
    (@learn) => {
        #[inline(always)]
        fn learn(&mut self, _: &[($crate::game::Player, G::Action)], rewards: &$crate::game::Rewards) {
            self.c.learn(rewards);
        }
    };
    (@begin) => {
        fn begin(&mut self, _: Option<u64>, width: usize, _: &mut Rng) {
            self.c.begin(width);
        }
    };
    (@begin_tree) => {
        fn begin_tree(&mut self) {
            self.c.forget();
        }
    };
}
pub(super) use explores_by_c;

impl From<f32> for Exploration {
    /// Returns the constant `c`, from 0 to 1000. (Any other value is an error when the search runs.)
    fn from(c: f32) -> Self {
        Exploration::fixed(c)
    }
}

/// Shows the setting: `0.7`, or `0.7 deviations`.
impl fmt::Debug for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_fixed() {
            write!(f, "{:?}", self.c)
        } else {
            write!(f, "{:?} deviations", self.deviations)
        }
    }
}

/// The fields of a [`Spread`], in a file.
#[cfg(feature = "save")]
pub(super) type Measured = (u32, [f32; 3], [[f32; MAX_PLAYERS]; 3]);

#[cfg(feature = "save")]
impl From<Measured> for Spread {
    fn from((left, [weight, squares, variance], [means, recent, recent_squares]): Measured) -> Self {
        Spread { left, weight, squares, variance, means, recent, recent_squares }
    }
}

/// The measured spread of the rewards, unless the constant is fixed.
#[cfg(feature = "save")]
impl Exploration {
    pub(super) fn learned(&self) -> Option<Measured> {
        let Spread { left, weight, squares, variance, means, recent, recent_squares } = self.spread;
        (!self.is_fixed()).then_some((left, [weight, squares, variance], [means, recent, recent_squares]))
    }

    pub(super) fn check_learned(&self, learned: &Option<Measured>) -> Result<(), BoxError> {
        let fits = match learned {
            Some(measured) => !self.is_fixed() && Spread::from(*measured).is_possible(),
            None => self.is_fixed(),
        };
        if fits { Ok(()) } else { Err("the spread of the rewards is not one of rewards in [0, 1]".into()) }
    }

    pub(super) fn restore(&mut self, learned: Option<Measured>) {
        if let Some(measured) = learned {
            self.spread = measured.into();
            self.set_constant();
        }
    }
}

#[cfg(all(test, feature = "save"))]
mod tests {
    use super::*;
    use crate::game::Rng;

    /// Whatever a damaged file says and the search accepts, the search can save later, too.
    #[test]
    fn a_spread_that_is_accepted_stays_acceptable() {
        let mut rng = Rng::seeded(7);
        let mut accepted = 0;
        for case in 0..2_000 {
            let mut draw = |least: f32, most: f32| least + (most - least) * rng.unit() as f32;
            let weight = [draw(0.0, 40.0), draw(0.0, Spread::MEMORY)][case % 2].floor();
            let done = draw(0.0, 64.0);
            let measured: Measured = (
                draw(1.0, 65.0) as u32,
                [weight, draw(0.0, Spread::MOST_SQUARES), draw(0.0, 1.0)],
                [
                    core::array::from_fn(|_| draw(-0.01, 1.01)),
                    core::array::from_fn(|_| draw(-done, done)),
                    core::array::from_fn(|_| draw(0.0, done)),
                ],
            );
            let mut exploration = Exploration::deviations(1.0);
            if exploration.check_learned(&Some(measured)).is_err() {
                continue;
            }
            accepted += 1;
            exploration.restore(Some(measured));
            for _ in 0..300 {
                exploration.learn(&Rewards::new(2, |_| if rng.unit() < 0.5 { 0.0 } else { 1.0 }));
                assert!(
                    exploration.check_learned(&exploration.learned()).is_ok(),
                    "case {case}: {measured:?}"
                );
            }
        }
        assert!(accepted > 200, "{accepted}");
    }
}

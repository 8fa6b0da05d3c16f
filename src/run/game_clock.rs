//! [`GameClock`]: the time of one player for a whole game, and its division among the moves.

use crate::parameter::ParameterError;
use crate::run::budget::Budget;
use crate::run::error::SearchError;
use core::time::Duration;

/// The clock of one player in a game: the time that is left, and how to divide it among the moves.
///
/// [`budget`](Self::budget) returns the budget of the next move. After the move, tell the clock with
/// [`spent`](Self::spent) how long it took.
///
/// # The share of a move
///
/// With the remaining time `R`, the [`margin`](Self::margin) `M`, the [`increment`](Self::increment) `I` and
/// `m` moves to come, including this one, a move gets `(R - M + (m - 1) I) / m`, but at most `R - M`. The
/// moves to come are the [`moves_to_go`](Self::moves_to_go) if they are known. Otherwise the game is sudden
/// death, and they are an [estimate](Self::expected_moves).
///
/// With [`periods`](Self::periods), a move gets the greatest share that all expected moves can have, and all
/// moves up to the end of each period among them: `m` moves have what the clock shows and what comes before
/// the last of them. With [`byo_yomi`](Self::byo_yomi), a move gets its share of the main time, but at least
/// its share of a period.
///
/// The search may use less than its share: it ends when the action is decided on (see
/// [`stops_early`](Self::stops_early)). It may use more: it goes on while the action is unclear (see
/// [`percent_if_unclear`](Self::percent_if_unclear)), but never beyond `R - M`. Time that a move saves or
/// takes changes the shares of the moves after it.
///
/// **Source:** the division of the remaining time by a number of moves is the basic rule of Huang, Coulom and
/// Lin, *Time Management for Monte-Carlo Tree Search Applied to the Game of Go*, 2010. The early stop and the
/// extra time are members of families that Baier and Winands compare in *Time Management for Monte Carlo Tree
/// Search*, 2016.
///
/// **Strength:** matches of Connect 4 show no difference to equal shares, and a fifth less time used; see
/// `docs/evidence/policies.md`. Sudden death gives the first moves the most time; if you know how long a game
/// can last, set [`moves_to_go`](Self::moves_to_go).
///
/// A whole game, with ten seconds for each player and a tenth of a second more for each move:
///
/// ```
/// use ramure::prelude::*;
/// use ramure_games::Connect4;
/// use std::time::{Duration, Instant};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # const SECOND: Duration = Duration::from_millis(30);
/// # #[cfg(any())]
/// const SECOND: Duration = Duration::from_secs(1);
///
/// let clock = GameClock::new(10 * SECOND).increment(SECOND / 10);
/// let (mut clocks, mut game) = ([clock; 2], Connect4::new());
/// while let Turn::Player(player) = game.turn() {
///     let (clock, start) = (&mut clocks[usize::from(player)], Instant::now());
///     let report = Mcts::new(game.clone()).run(clock.budget()?)?;
///     game.apply(report.best_action());
///     if let Err(fell) = clock.spent(start.elapsed()) {
///         println!("player {player} has lost: {fell}");
///         break;
///     }
/// }
/// println!("{game}\n{:?} and {:?} are left", clocks[0].remaining(), clocks[1].remaining());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use = "a clock does nothing until you ask it for a budget"]
pub struct GameClock {
    pub(crate) remaining: Duration,
    pub(crate) increment: Duration,
    pub(crate) moves_to_go: Option<u32>,
    pub(crate) period: Option<Period>,
    pub(crate) byo_yomi: Option<ByoYomi>,
    pub(crate) expected_moves: u32,
    pub(crate) margin: Duration,
    pub(crate) stops_early: bool,
    pub(crate) percent_if_unclear: u32,
}

/// A period of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct Period {
    /// The moves of the period.
    pub moves: u32,
    /// The time added when the moves are made.
    #[cfg_attr(feature = "serde", serde(with = "crate::run::seconds"))]
    pub time: Duration,
}

/// The periods after the main time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub(crate) struct ByoYomi {
    /// The periods that are left, including the current one.
    pub periods: u32,
    /// The moves for which a period is.
    pub moves: u32,
    /// The length of a period.
    #[cfg_attr(feature = "serde", serde(with = "crate::run::seconds"))]
    pub time: Duration,
    /// Whether the main time is used up: the clock shows the rest of a period.
    #[cfg_attr(feature = "serde", serde(default))]
    pub has_begun: bool,
}

impl GameClock {
    /// The default of [`expected_moves`](Self::expected_moves).
    pub(crate) const EXPECTED_MOVES: u32 = 30;
    /// The default of [`margin`](Self::margin).
    pub(crate) const MARGIN: Duration = Duration::from_millis(10);
    /// The default of [`percent_if_unclear`](Self::percent_if_unclear).
    pub(crate) const PERCENT_IF_UNCLEAR: u32 = 50;

    /// Creates a clock that shows this much time, for sudden death: all moves that remain must be made in it.
    pub const fn new(remaining: Duration) -> Self {
        GameClock {
            remaining,
            increment: Duration::ZERO,
            moves_to_go: None,
            period: None,
            byo_yomi: None,
            expected_moves: GameClock::EXPECTED_MOVES,
            margin: GameClock::MARGIN,
            stops_early: true,
            percent_if_unclear: GameClock::PERCENT_IF_UNCLEAR,
        }
    }

    /// Sets the time that is added after each move (Fischer's clock). \[Default: none\]
    pub const fn increment(mut self, increment: Duration) -> Self {
        self.increment = increment;
        self
    }

    /// Sets how many moves the remaining time is for, at least 1. Each move counts it down. After the last of
    /// them the time is renewed if there are [`periods`](Self::periods); otherwise the rest of the game is
    /// sudden death. If you know how long the game can last, set that: a player makes at most 21 moves in
    /// Connect 4. \[Default: unknown, sudden death\]
    pub const fn moves_to_go(mut self, moves: u32) -> Self {
        self.moves_to_go = Some(moves);
        self
    }

    /// Adds `time` after each `moves` moves, both above 0. Time that is not used is kept. The first period
    /// ends after the [`moves_to_go`](Self::moves_to_go) if they are set, otherwise after `moves` moves. On a
    /// clock that shows no time it begins at once. Replaces [`byo_yomi`](Self::byo_yomi). \[Default: no
    /// periods\]
    ///
    /// ```
    /// use ramure::GameClock;
    /// use std::time::Duration;
    /// let hour = Duration::from_secs(3_600);
    /// // Forty moves in two hours, and an hour more for each twenty moves after that.
    /// let clock = GameClock::new(2 * hour).moves_to_go(40).periods(20, hour);
    /// ```
    pub const fn periods(mut self, moves: u32, time: Duration) -> Self {
        self.period = Some(Period { moves, time });
        self.byo_yomi = None;
        if self.remaining.is_zero() {
            self.remaining = time;
        }
        self
    }

    /// Adds `periods` periods of `time` after the main time, each for `moves` moves, all above 0. If the
    /// moves of a period are made in its time, it is renewed: the player keeps the period, and unused time is
    /// lost. If its time runs out, the next one begins, and with the last one the flag falls. On a clock that
    /// shows no time the first period begins at once. Replaces [`periods`](Self::periods). \[Default: none\]
    ///
    /// Japanese byo-yomi has several periods of one move, Canadian byo-yomi has one period of several moves:
    ///
    /// ```
    /// use ramure::GameClock;
    /// use std::time::Duration;
    /// const MINUTE: Duration = Duration::from_secs(60);
    /// // Half an hour, and then 30 seconds for each move, which may be exceeded four times.
    /// let japanese = GameClock::new(30 * MINUTE).byo_yomi(5, 1, MINUTE / 2);
    /// // Half an hour, and then five minutes for each 25 moves.
    /// let canadian = GameClock::new(30 * MINUTE).byo_yomi(1, 25, 5 * MINUTE);
    /// ```
    ///
    /// A search spends no period: it ends before the time of the current one runs out.
    pub const fn byo_yomi(mut self, periods: u32, moves: u32, time: Duration) -> Self {
        let has_begun = self.remaining.is_zero();
        self.byo_yomi = Some(ByoYomi { periods, moves, time, has_begun });
        self.period = None;
        if has_begun {
            (self.remaining, self.moves_to_go) = (time, Some(moves));
        }
        self
    }

    /// Sets how many moves the player is expected to make from now on, at any time of the game, at least 1.
    /// It is used in sudden death only. \[Default: 30\]
    ///
    /// **Source** of the default: the Chessprogramming wiki, *Time Management*: programs typically estimate
    /// that the game lasts another 25 to 40 moves. Set it for your game: half the usual number of a player's
    /// moves is a start.
    pub const fn expected_moves(mut self, moves: u32) -> Self {
        self.expected_moves = moves;
        self
    }

    /// Sets how much of the remaining time no search may use. It covers what passes between the end of a
    /// search and the stop of the clock: an iteration, the report, sending the action. Over a network, set it
    /// to the delay. \[Default: 10 ms, as the option "Move Overhead" of the chess program Stockfish\]
    pub const fn margin(mut self, margin: Duration) -> Self {
        self.margin = margin;
        self
    }

    /// Sets whether a search ends as soon as no other action can overtake the most visited one, as with
    /// [`Budget::or_decided`]. Switch it off for a search that cannot stop early, such as one whose root
    /// decision is not [`RootDecision::Robust`](crate::RootDecision::Robust). \[Default: yes\]
    pub const fn stops_early(mut self, stops_early: bool) -> Self {
        self.stops_early = stops_early;
        self
    }

    /// Sets by how many percent a search may exceed its share while another action than the most visited one
    /// has the greatest mean, as with [`Budget::and_percent_if_unclear`]. \[Default: 50\]
    pub const fn percent_if_unclear(mut self, percent: u32) -> Self {
        self.percent_if_unclear = percent;
        self
    }

    /// Returns the time that the clock shows: the main time, or in [byo-yomi](Self::byo_yomi) the rest of the
    /// period.
    pub const fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Returns the number of moves that the remaining time is for: the moves to go, or in sudden death the
    /// estimate.
    pub const fn moves_left(&self) -> u32 {
        match self.moves_to_go {
            Some(moves) => moves,
            None => match self.period {
                Some(period) => period.moves,
                None => self.expected_moves,
            },
        }
    }

    /// Checks the settings.
    pub(crate) fn check(&self) -> Result<(), SearchError> {
        let moves = |name, moves: u32| ParameterError::unless(moves > 0, name, moves.into(), "at least 1");
        let time =
            |name, time: Duration| ParameterError::unless(!time.is_zero(), name, 0.0, "more than zero");
        if let Some(period) = self.period {
            moves("GameClock::periods", period.moves)?;
            time("GameClock::periods", period.time)?;
        }
        if let Some(period) = self.byo_yomi {
            moves("GameClock::byo_yomi", period.periods.min(period.moves))?;
            time("GameClock::byo_yomi", period.time)?;
        }
        moves("GameClock::moves_to_go", self.moves_to_go.unwrap_or(1))?;
        moves("GameClock::expected_moves", self.expected_moves)?;
        if self.remaining.is_zero() { Err(SearchError::NoTime) } else { Ok(()) }
    }

    /// Returns the time that the next search may use without extra time. It is zero if no more than the
    /// margin is left.
    ///
    /// # Errors
    ///
    /// Returns a [`SearchError`] if no time is left, if a number of moves is zero, or if a period adds no
    /// time.
    ///
    /// ```
    /// use ramure::GameClock;
    /// use std::time::Duration;
    /// let clock = GameClock::new(Duration::from_millis(1_010)).increment(Duration::from_millis(50));
    /// assert_eq!(clock.moves_to_go(1).share()?, Duration::from_millis(1_000));
    /// assert_eq!(clock.moves_to_go(5).share()?, Duration::from_millis(240)); // (1000 + 4 * 50) / 5
    /// # Ok::<(), ramure::SearchError>(())
    /// ```
    pub fn share(&self) -> Result<Duration, SearchError> {
        self.check()?;
        let (most, moves) = (self.usable(), self.moves_left());
        let main = self.remaining.saturating_sub(self.margin);
        // What each of `moves` moves can have, if the periods add `added` before the last of them.
        let each = |moves: u32, added: Duration| {
            let to_come = main.saturating_add(added).saturating_add(self.increment.saturating_mul(moves - 1));
            to_come / moves
        };
        let mut share = each(moves, Duration::ZERO);
        if let Some(Period { moves: later, time }) = self.period
            && self.expected_moves > moves
        {
            // The least of these shares is at the end of the first period, of the last one, or of the moves.
            let whole = (self.expected_moves - moves) / later;
            let last = moves + whole * later;
            share = share.min(each(last, time.saturating_mul(whole)));
            if last < self.expected_moves {
                share = share.min(each(self.expected_moves, time.saturating_mul(whole + 1)));
            }
        }
        Ok(share.max(self.floor()).min(most))
    }

    /// The time that this move may take at most.
    fn usable(&self) -> Duration {
        self.remaining.saturating_add(self.floor()).saturating_sub(self.margin)
    }

    /// The time that a move can always take because a period of byo-yomi follows the main time.
    fn floor(&self) -> Duration {
        match self.byo_yomi {
            Some(ByoYomi { moves, time, has_begun: false, .. }) => time / moves,
            _ => Duration::ZERO,
        }
    }

    /// Returns the budget of the next move. If no more than the margin is left, the search makes a single
    /// iteration.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`share`](Self::share).
    pub fn budget(&self) -> Result<Budget, SearchError> {
        // An empty budget would be an error; the shortest one gives an iteration.
        let share = self.share()?.max(Duration::from_nanos(1));
        let extra = self.usable().saturating_sub(share).as_nanos();
        let most = extra.saturating_mul(100) / share.as_nanos();
        let percent = u128::from(self.percent_if_unclear).min(most) as u32;
        let budget = Budget::time(share).and_percent_if_unclear(percent);
        Ok(if self.stops_early { budget.or_decided() } else { budget })
    }

    /// Counts a move that took `elapsed`: subtracts it, and adds the increment and, at the end of a period,
    /// the time of the next one.
    ///
    /// # Errors
    ///
    /// Returns [`SearchError::FlagFell`] if the move took all of the remaining time or more, that of all
    /// periods of [byo-yomi](Self::byo_yomi) included. The clock then shows no time, and has no budget for
    /// another move.
    ///
    /// ```
    /// use ramure::{SearchError, GameClock};
    /// use std::time::Duration;
    /// const SECOND: Duration = Duration::from_secs(1);
    /// let mut clock = GameClock::new(10 * SECOND).increment(SECOND);
    /// clock.spent(4 * SECOND)?;
    /// assert_eq!(clock.remaining(), 7 * SECOND);
    /// assert_eq!(clock.spent(8 * SECOND), Err(SearchError::FlagFell { took: 8 * SECOND, left: 7 * SECOND }));
    /// assert_eq!(clock.budget(), Err(SearchError::NoTime));
    /// # Ok::<(), SearchError>(())
    /// ```
    pub fn spent(&mut self, elapsed: Duration) -> Result<(), SearchError> {
        let left = self.remaining;
        self.remaining = left.saturating_sub(elapsed);
        if self.remaining.is_zero() {
            self.begin_periods(elapsed, left)?;
        }
        if let Some(ByoYomi { moves, time, has_begun: true, .. }) = self.byo_yomi {
            // A period is renewed, not added to.
            self.moves_to_go =
                self.moves_to_go.map(|moves| moves.saturating_sub(1)).filter(|&moves| moves > 0);
            if self.moves_to_go.is_none() {
                (self.remaining, self.moves_to_go) = (time, Some(moves));
            }
            return Ok(());
        }
        self.remaining = self.remaining.saturating_add(self.increment);
        let counted = self.moves_to_go.or(self.period.map(|period| period.moves));
        self.moves_to_go = match (counted.map(|moves| moves.saturating_sub(1)), self.period) {
            (Some(0), Some(period)) => {
                self.remaining = self.remaining.saturating_add(period.time);
                Some(period.moves)
            }
            (Some(0), None) => None,
            (moves, _) => moves,
        };
        Ok(())
    }
}

impl GameClock {
    /// Goes on to the period of byo-yomi in which a move ended that used up what was `left`; an error if
    /// there is none.
    fn begin_periods(&mut self, elapsed: Duration, left: Duration) -> Result<(), SearchError> {
        // A clock whose flag has fallen shows no time, and no period follows.
        let follows = |byo_yomi: &&mut ByoYomi| !byo_yomi.time.is_zero() && !left.is_zero();
        let Some(byo_yomi) = self.byo_yomi.as_mut().filter(follows) else {
            return Err(SearchError::FlagFell { took: elapsed, left });
        };
        let following = byo_yomi.periods.saturating_sub(u32::from(byo_yomi.has_begun));
        let over = elapsed.saturating_sub(left).as_nanos();
        // The periods that this move used up, apart from the one that was going on.
        let used = over / byo_yomi.time.as_nanos();
        if used >= u128::from(following) {
            let left = left.saturating_add(byo_yomi.time.saturating_mul(following));
            return Err(SearchError::FlagFell { took: elapsed, left });
        }
        let used = used as u32;
        byo_yomi.periods = following - used;
        byo_yomi.has_begun = true;
        let in_period = elapsed.saturating_sub(left).saturating_sub(byo_yomi.time.saturating_mul(used));
        (self.remaining, self.moves_to_go) = (byo_yomi.time.saturating_sub(in_period), Some(byo_yomi.moves));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::game::Rng;
    use crate::run::error::SearchError;
    use crate::run::game_clock::{Budget, GameClock};
    use core::time::Duration;

    /// The most that a search within `budget` may take.
    fn most(budget: &Budget) -> Duration {
        let time = budget.time.expect("a clock gives a time");
        time + time * budget.percent_if_unclear.expect("a clock sets it") / 100
    }

    /// Whatever part of its budget each search takes, extra time included, the flag does not fall, and the
    /// moves together take no more than the time that they were given.
    #[test]
    fn searches_that_keep_to_their_budgets_never_exceed_the_time() {
        let mut rng = Rng::seeded(7);
        for game in 0..1_000 {
            let mut millis = |least: usize, n: usize| Duration::from_millis((least + rng.below(n)) as u64);
            let (time, increment, margin) = (millis(50, 5_000), millis(0, 300), millis(1, 40));
            let percent = [0, 50, 100, 1_000][game % 4];
            let clock = GameClock::new(time).increment(increment).margin(margin).percent_if_unclear(percent);
            let (mut clock, has_periods) = match game % 3 {
                0 => (clock, false),
                1 => (clock.moves_to_go(60), false),
                _ => (clock.periods(7, time), true),
            };
            let (mut total, mut given) = (Duration::ZERO, time);
            for number in 1..=60 {
                let most = most(&clock.budget().expect("time is left"));
                // With nothing but the margin left, a budget is the shortest that there is.
                let usable = clock.remaining().saturating_sub(margin).max(Duration::from_nanos(1));
                assert!(most <= usable, "{clock:?}");
                let took = if game % 5 == 0 { most } else { most * rng.below(1_001) as u32 / 1_000 };
                clock.spent(took).expect("the flag does not fall");
                total += took;
                assert!(total <= given, "game {game}, move {number}: {total:?} of {given:?}");
                given += increment + if has_periods && number % 7 == 0 { time } else { Duration::ZERO };
                assert_eq!(clock.remaining(), given - total);
            }
        }
    }

    /// If every search takes its share, moves to go without extra time get equal shares of the whole.
    #[test]
    fn equal_shares_are_equal_and_use_everything_but_the_margin() {
        let second = Duration::from_secs(1);
        let mut clock =
            GameClock::new(21 * second).margin(Duration::ZERO).moves_to_go(21).percent_if_unclear(0);
        for _ in 1..21 {
            assert_eq!(clock.share(), Ok(second));
            clock.spent(second).expect("the flag does not fall");
        }
        assert_eq!((clock.share(), clock.remaining()), (Ok(second), second));
        assert_eq!(clock.spent(second), Err(SearchError::FlagFell { took: second, left: second }));
    }

    /// The main time may end in a search, but no search spends a period.
    #[test]
    fn searches_that_keep_to_their_budgets_lose_no_period() {
        let mut rng = Rng::seeded(3);
        for game in 0..1_000 {
            let mut millis = |least: usize, n: usize| Duration::from_millis((least + rng.below(n)) as u64);
            let (time, period, margin) = (millis(0, 2_000), millis(100, 1_000), millis(1, 40));
            let (periods, moves) = (1 + game % 3, [1, 1, 4, 25][game as usize % 4]);
            let clock = GameClock::new(time).increment(millis(0, 50)).margin(margin);
            let mut clock = clock.percent_if_unclear([0, 50, 1_000][game as usize % 3]);
            clock = clock.byo_yomi(periods, moves, period);
            for number in 1..=100 {
                let most = most(&clock.budget().expect("time is left"));
                let took = if game % 5 == 0 { most } else { most * rng.below(1_001) as u32 / 1_000 };
                clock.spent(took).expect("the flag does not fall");
                let byo_yomi = clock.byo_yomi.expect("it is set");
                assert_eq!(byo_yomi.periods, periods, "game {game}, move {number}: {clock:?}");
                assert!(!byo_yomi.has_begun || clock.remaining() <= period);
            }
        }
    }
}

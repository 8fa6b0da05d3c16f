//! The summary of a check.

use super::law::Law;
use super::look::Look;
use core::fmt;

/// The extent of a check that found no broken law.
///
/// `Display` prints it in a few lines:
///
/// ```
/// use ramure_games::TicTacToe;
///
/// let summary = ramure_rules::check(TicTacToe::new()).hash().states(20_000).games(100).run()?;
/// assert_eq!(summary.distinct, Some(5478)); // all reachable states
/// println!("{summary}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Summary {
    /// The laws that were checked. If the check was [`stopped`](Self::stopped), those that judge all lines
    /// together and were not done are left out.
    pub laws: Vec<Law>,
    /// Whether the [time](crate::Check::time) was up before the check was done.
    pub stopped: bool,
    /// The number of games played to their ends, including those that avoid the end.
    pub games: u32,
    /// The number of states inspected, in short lines and in games.
    pub states: u64,
    /// The number of different states, if [`hash`](crate::Check::hash) was asked for.
    pub distinct: Option<usize>,
    /// Whether the check went through all lines of play. If states have hashes, lines that meet in the same
    /// state count as one.
    pub complete: bool,
    /// The number of actions in a random game.
    pub lengths: Spread,
    /// The number of actions in a running state.
    pub branching: Spread,
    /// The number of random games that each player has won, alone or with others: nobody got a greater
    /// reward, and not all got the same. A single player wins with more than 1/2.
    pub wins: Vec<u32>,
    /// The number of random games that no player has won: all got the same reward; a single player, at most
    /// 1/2.
    pub draws: u32,
}

/// The least, the mean and the greatest of some numbers of actions.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
#[non_exhaustive]
pub struct Spread {
    /// How many numbers there were. If none, the other fields are 0.
    pub count: u64,
    /// The least number.
    pub least: usize,
    /// The mean.
    pub mean: f64,
    /// The greatest number.
    pub most: usize,
}

impl Spread {
    pub(super) fn add(&mut self, number: usize) {
        self.least = if self.count == 0 { number } else { self.least.min(number) };
        self.most = self.most.max(number);
        self.count += 1;
        self.mean += (number as f64 - self.mean) / self.count as f64;
    }
}

impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {} actions, {:.1} on average", self.least, self.most, self.mean)
    }
}

impl Summary {
    pub(super) fn new(laws: Vec<Law>) -> Self {
        Summary {
            laws,
            stopped: false,
            games: 0,
            states: 0,
            distinct: None,
            complete: false,
            lengths: Spread::default(),
            branching: Spread::default(),
            wins: Vec::new(),
            draws: 0,
        }
    }

    pub(super) fn add_state<A>(&mut self, look: &Look<A>) {
        self.states += 1;
        if !look.actions.is_empty() {
            self.branching.add(look.actions.len());
        }
    }

    pub(super) fn add_random_game<A: Clone + Eq + core::fmt::Debug>(
        &mut self,
        length: usize,
        last: &Look<A>,
    ) {
        self.lengths.add(length);
        self.wins.resize(self.wins.len().max(last.rewards.len()), 0);
        if !last.is_over() {
            return; // cut off by `longest`
        }
        let winners = last.winners();
        self.draws += u32::from(winners.is_empty());
        winners.iter().for_each(|winner| self.wins[usize::from(winner)] += 1);
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (random, draws) = (self.lengths.count, self.draws);
        let share = |count: u32| 100.0 * f64::from(count) / random.max(1) as f64;
        let stopped = if self.stopped { " as far as they were checked; the time was up" } else { "" };
        writeln!(f, "{} laws hold{stopped}", self.laws.len())?;
        write!(f, "states      {} checked", self.states)?;
        if let Some(distinct) = self.distinct {
            write!(f, ", {distinct} different")?;
        }
        writeln!(f, "{}", if self.complete { ": all that can be reached" } else { "" })?;
        writeln!(f, "branching   {}", self.branching)?;
        writeln!(f, "games       {}, {random} of them at random:", self.games)?;
        writeln!(f, "  length    {}", self.lengths)?;
        write!(f, "  outcomes")?;
        for (player, &wins) in self.wins.iter().enumerate() {
            write!(f, "  player {player} wins {:.1} %,", share(wins))?;
        }
        write!(f, "  no winner {:.1} %", share(draws))
    }
}

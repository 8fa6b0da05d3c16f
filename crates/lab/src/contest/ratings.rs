//! Ratings of a field of agents, from a table of results.

use super::bradley_terry::maximise;
use super::elo::ELO_PER_LOGIT;
use super::estimate::Estimate;
use core::fmt;
use serde::{Deserialize, Serialize};

/// The games between two entrants: one line of a table of results.
///
/// ```
/// # use ramure_lab::contest::Meeting;
/// // Out of 10 games, entrant 0 won 3 and entrant 2 won 5; 2 were drawn.
/// let meeting = Meeting { entrants: [0, 2], points: [4.0, 6.0], games: 10 };
/// # let _ = meeting;
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The two entrants, as two different indices into the list of names.
    pub entrants: [usize; 2],
    /// The points of each entrant: the sum of its rewards, in [0, games]. A win is 1, a draw 1/2.
    pub points: [f64; 2],
    /// The number of games.
    pub games: u64,
}

/// The strengths of a field of agents in Elo points, with mean 0 over the field. They maximise the likelihood
/// of the results, if an agent with rating a beats one with rating b with probability `1 / (1 + 10^((b - a) /
/// 400))`.
///
/// - A draw counts as half a win for each, and any game with rewards r and r' as `(1 + r - r') / 2` of a win.
/// - Each pair that met is given one extra virtual draw, so that the ratings of entrants that won or lost
///   every game are finite. About twenty games between the two outweigh it.
/// - The intervals and [`superiority`](Self::superiority) come from the observed information: the inverse of
///   the negated second derivative of the log-likelihood on the space of ratings with mean 0. Games are
///   assumed to be independent. A draw is treated as a coin toss, though it varies less, so with draws the
///   intervals are slightly too wide. An interval shows how certain a rating is relative to the mean of the
///   field. Two intervals that overlap do not imply that the stronger entrant is unknown.
///
/// Costs about ten times `k³` for k entrants.
///
/// **Sources:** Zermelo, *Die Berechnung der Turnier-Ergebnisse als ein Maximumproblem der
/// Wahrscheinlichkeitsrechnung*, 1929; Bradley and Terry, *Rank Analysis of Incomplete Block Designs*, 1952;
/// Hunter, *MM algorithms for generalized Bradley–Terry models*, 2004 (when ratings exist); Elo, *The Rating
/// of Chessplayers, Past and Present*, 1978 (the scale).
///
/// ```
/// use ramure_lab::contest::{Meeting, Ratings};
///
/// let ratings = Ratings::new(&["random", "mcts"], &[Meeting { entrants: [0, 1], points: [10.0, 90.0], games: 100 }])?;
/// assert_eq!(ratings.entries[0].name, "mcts");
/// assert!(ratings.superiority(0, 1) > Some(0.999));
/// println!("{ratings}");
/// # Ok::<(), ramure_lab::contest::RatingsError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ratings {
    /// The entrants, the strongest first; equal ones in the order of the list of names.
    pub entries: Vec<Rating>,
    /// The covariance of the ratings, in the order of the entries.
    covariance: Vec<Vec<f64>>,
}

/// The rating of one entrant in [`Ratings`].
///
/// ```
/// # use ramure_lab::contest::{Meeting, Ratings};
/// let ratings = Ratings::new(&["a", "b"], &[Meeting { entrants: [0, 1], points: [5.0, 15.0], games: 20 }])?;
/// let best = &ratings.entries[0];
/// assert_eq!((best.name.as_str(), best.games, best.score), ("b", 20, 0.75));
/// assert_eq!(format!("{:.0}", best.elo), "90 [5, 174]");
/// # Ok::<(), ramure_lab::contest::RatingsError>(())
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Rating {
    /// The name of the entrant.
    pub name: String,
    /// The strength in Elo points relative to the mean of the field.
    pub elo: Estimate,
    /// The number of games it played.
    pub games: u64,
    /// Its points per game, in [0, 1].
    pub score: f64,
}

impl Ratings {
    /// Computes the ratings of all `names` from their meetings. A pair may have several meetings, which add
    /// up; meetings without games have no effect.
    ///
    /// # Errors
    ///
    /// Returns [`RatingsError`] if there are fewer than two entrants, if a meeting is not between two of them
    /// or has impossible points, or if the field splits into groups that never met, so that their ratings
    /// cannot be compared.
    pub fn new<S: AsRef<str>>(names: &[S], meetings: &[Meeting]) -> Result<Self, RatingsError> {
        let size = names.len();
        if size < 2 {
            return Err(RatingsError::TooFew { entrants: size });
        }
        let (mut points, mut scores, mut games) =
            (vec![vec![0.0; size]; size], vec![0.0; size], vec![0u64; size]);
        for (index, meeting) in meetings.iter().enumerate() {
            meeting.check(index, size)?;
            if meeting.games == 0 {
                continue;
            }
            let ([i, j], [of_i, of_j], n) = (meeting.entrants, meeting.points, meeting.games as f64);
            // The virtual draw is added when two entrants first meet.
            let virtual_draw = if points[i][j] == 0.0 { 0.5 } else { 0.0 };
            for (one, other, own, others) in [(i, j, of_i, of_j), (j, i, of_j, of_i)] {
                points[one][other] += virtual_draw + 0.5 * (n + own - others);
                scores[one] += own;
                games[one] = games[one].saturating_add(meeting.games);
            }
        }
        let connected = reached(&points);
        if connected.contains(&false) {
            let part = |side| {
                names
                    .iter()
                    .zip(&connected)
                    .filter(move |&(_, &reached)| reached == side)
                    .map(|(name, _)| name.as_ref().to_owned())
                    .collect()
            };
            return Err(RatingsError::Apart { parts: [part(true), part(false)] });
        }
        let (strengths, covariance) = maximise(&points).ok_or(RatingsError::TooLarge)?;
        let mut order: Vec<usize> = (0..size).collect();
        // Equal strengths may differ by rounding.
        let rounded = |i: usize| (1e9 * strengths[i]).round() + 0.0;
        order.sort_by(|&i, &j| rounded(j).total_cmp(&rounded(i)));
        let entry = |&i: &usize| Rating {
            name: names[i].as_ref().to_owned(),
            elo: Estimate::normal(ELO_PER_LOGIT * strengths[i], ELO_PER_LOGIT * covariance[i][i].sqrt()),
            games: games[i],
            score: scores[i] / games[i] as f64,
        };
        let scaled = |i: usize, j: usize| ELO_PER_LOGIT * ELO_PER_LOGIT * covariance[i][j];
        Ok(Ratings {
            entries: order.iter().map(entry).collect(),
            covariance: order.iter().map(|&i| order.iter().map(|&j| scaled(i, j)).collect()).collect(),
        })
    }

    /// Returns the probability that entry `i` is stronger than entry `j`, given the results: the probability
    /// that a normal variable with the mean and the variance of the difference of their ratings is above 0.
    /// `None` if `i` or `j` is not the index of an entry.
    ///
    /// ```
    /// # use ramure_lab::contest::{Meeting, Ratings};
    /// let ratings = Ratings::new(&["a", "b"], &[Meeting { entrants: [0, 1], points: [5.0, 5.0], games: 10 }])?;
    /// assert_eq!(ratings.superiority(0, 1), Some(0.5));
    /// assert_eq!(ratings.superiority(0, 2), None);
    /// # Ok::<(), ramure_lab::contest::RatingsError>(())
    /// ```
    pub fn superiority(&self, i: usize, j: usize) -> Option<f64> {
        let difference = self.entries.get(i)?.elo.value - self.entries.get(j)?.elo.value;
        let covariance = |i: usize, j: usize| self.covariance.get(i)?.get(j).copied();
        let variance = covariance(i, i)? + covariance(j, j)? - 2.0 * covariance(i, j)?;
        if i == j {
            return Some(0.5);
        }
        Some(0.5 * libm::erfc(-difference / (2.0 * variance.max(f64::MIN_POSITIVE)).sqrt()))
    }
}

/// Which entrants meetings connect with the first one.
fn reached(points: &[Vec<f64>]) -> Vec<bool> {
    let mut reached = vec![false; points.len()];
    let mut open = vec![0];
    while let Some(i) = open.pop() {
        if !reached[i] {
            reached[i] = true;
            open.extend((0..points.len()).filter(|&j| points[i][j] > 0.0));
        }
    }
    reached
}

impl Meeting {
    fn check(&self, meeting: usize, entrants: usize) -> Result<(), RatingsError> {
        let [i, j] = self.entrants;
        if i == j || i >= entrants || j >= entrants {
            return Err(RatingsError::Entrants { meeting, pair: [i, j], entrants });
        }
        let possible = 0.0..=self.games as f64;
        match self.points.iter().find(|points| !possible.contains(points)) {
            Some(&points) => Err(RatingsError::Points { meeting, points, games: self.games }),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Ratings {
    /// Formats a table: rank, name, rating, 95 % interval, games, score, and the probability that each
    /// entrant is stronger than the next.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.entries.iter().map(|entry| entry.name.chars().count()).max().unwrap_or(0).max(7);
        let rank = self.entries.len().to_string().len();
        writeln!(
            f,
            "{:rank$}  {:name$}  {:>6}  {:>16}  {:>8}  {:>5}  {:>8}",
            "", "entrant", "Elo", "95 % interval", "games", "score", "> next"
        )?;
        for (index, entry) in self.entries.iter().enumerate() {
            let Estimate { value, low, high } = entry.elo;
            let [value, low, high] = [value, low, high].map(|elo| elo.round() + 0.0); // no -0
            let interval = format!("[{low:+.0}, {high:+.0}]");
            write!(
                f,
                "{:rank$}  {:name$}  {value:>+6.0}  {interval:>16}  {:>8}  {:>5.3}",
                index + 1,
                entry.name,
                entry.games,
                entry.score
            )?;
            match self.superiority(index, index + 1) {
                Some(likelihood) => writeln!(f, "  {:>6.1} %", 100.0 * likelihood)?,
                None => writeln!(f)?,
            }
        }
        Ok(())
    }
}

/// Why a field cannot be rated.
///
/// ```
/// # use ramure_lab::contest::{Meeting, Ratings};
/// let only = Meeting { entrants: [0, 1], points: [1.0, 0.0], games: 1 };
/// let error = Ratings::new(&["a", "b", "c"], &[only]).map_err(|error| error.to_string());
/// assert_eq!(error, Err("no game connects a, b with c; let two of them play each other, or rate the groups separately".into()));
/// ```
#[derive(thiserror::Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum RatingsError {
    /// There are fewer than two entrants.
    #[error("the number of entrants is {entrants}; ratings need at least two")]
    TooFew {
        /// The number of entrants.
        entrants: usize,
    },
    /// A meeting is not between two different entrants.
    #[error(
        "meeting {meeting} is between entrants {} and {}; give two different ones below {entrants}, counted from 0",
        .pair[0], .pair[1]
    )]
    Entrants {
        /// The index of the meeting, from 0.
        meeting: usize,
        /// The entrants of the meeting.
        pair: [usize; 2],
        /// The number of entrants.
        entrants: usize,
    },
    /// The points of a meeting do not fit its number of games.
    #[error("meeting {meeting} has {points} points; with {games} games they must be from 0 to {games}")]
    Points {
        /// The index of the meeting, from 0.
        meeting: usize,
        /// The impossible points.
        points: f64,
        /// The number of games.
        games: u64,
    },
    /// The field splits into groups that never met.
    #[error(
        "no game connects {} with {}; let two of them play each other, or rate the groups separately",
        .parts[0].join(", "), .parts[1].join(", ")
    )]
    Apart {
        /// The names of the entrants that meetings connect with the first one, including it, and the names of
        /// the others.
        parts: [Vec<String>; 2],
    },
    /// There are more games than double precision can represent.
    #[error("there are too many games for double precision; rate fewer at a time")]
    TooLarge,
}

ramure::debug_as_sentence!(RatingsError);

//! Determinized search: many searches, each of one guess of what is hidden.

use crate::{Agent, mover};
use core::fmt;
use ramure::search::ActionOf;
use ramure::{
    Budget, GameFault, GameState, HiddenInformation, ParameterError, Player, Rng, Search, SearchError, Turn,
};

/// Determinized search, also called *perfect information Monte-Carlo* (PIMC): guesses what is hidden a number
/// of times, searches each guess as if nothing were hidden, and plays the action with the most votes.
///
/// `make` creates the search of each guess from the guess and a seed. It can be any search of the game
/// itself. A search votes with the [share of its visits](ramure::Report::visit_shares) that each action got,
/// so a proven win gets its whole vote. Ties go to the greater mean, and then by the seed.
///
/// **Use it** as a baseline, or where all that is hidden is soon seen and a strong search of the open game
/// exists. Otherwise prefer a search of an [`InformationSet`](ramure::search::InformationSet). Two errors
/// remain however many guesses there are:
///
/// - *Strategy fusion*: each search can choose another action in states that look the same to the player, and
///   so believes that it will know what is hidden. In the example, each search knows the colour of the ball
///   and bets on it. A bet is worth .5, and taking the .6 is better.
/// - *Non-locality*: a position may be unlikely because a player who knows more would not have let it happen.
///   The guesses ignore that. If an opponent who sees the ball offers the bet, the offer tells something
///   about the ball.
///
/// **Cost:** the number of guesses times the budget. The trees are not kept.
///
/// **Source:** Ginsberg, *GIB: imperfect information in a computationally challenging game*, 2001; Long,
/// Sturtevant, Buro and Furtak, *Understanding the success of perfect information Monte Carlo sampling*,
/// 2010; with sums of visits as votes, *determinized UCT* of Cowling, Powley and Whitehouse
/// 2012. The names of the two errors are those of Frank and Basin 1998.
///
/// ```
/// use ramure_agents::{Agent, Determinized};
/// use ramure::prelude::*;
/// use ramure::HiddenInformation;
/// use ramure::search::InformationSet;
///
/// /// The player takes .6, or bets on the colour of a hidden ball.
/// #[derive(Clone)]
/// struct Ball { is_red: bool, played: Vec<u8> }
///
/// impl GameState for Ball {
///     type Action = u8; // 0 takes .6 or bets on green; 1 wants to bet or bets on red
///     fn turn(&self) -> Turn {
///         if self.played.first() == Some(&0) || self.played.len() == 2 { Turn::Over } else { Turn::Player(0) }
///     }
///     fn actions(&self) -> impl IntoIterator<Item = u8> { 0..if self.turn() == Turn::Over { 0 } else { 2 } }
///     fn apply(&mut self, action: u8) { self.played.push(action); }
///     fn reward(&self, _: Player) -> f64 {
///         if let [_, bet] = self.played[..] { f64::from(u8::from((bet == 1) == self.is_red)) } else { 0.6 }
///     }
///     fn players(&self) -> u8 { 1 }
/// }
///
/// impl HiddenInformation for Ball {
///     fn determinize(&mut self, _: Player, rng: &mut Rng) { self.is_red = rng.below(2) == 1; }
/// }
///
/// let state = Ball { is_red: true, played: vec![] };
/// let mut agent = Determinized::new("pimc", 20, Budget::iterations(100), |guess: &Ball, seed| {
///     Mcts::new(guess.clone()).seed(seed)
/// });
/// assert_eq!(agent.choose(&state)?, 1); // the mistake: bets, because each search knows the colour
/// let report = Mcts::new(InformationSet::new(state)).run(Budget::iterations(2_000))?;
/// assert_eq!(report.best_action(), 0);
/// # Ok::<(), ramure::SearchError>(())
/// ```
pub struct Determinized<S: Search, F> {
    name: String,
    guesses: u32,
    budget: Budget,
    make: F,
    rng: Rng,
    votes: Vec<Vote<ActionOf<S::Space>>>,
}

/// The votes for an action in a determinized search.
#[derive(Clone, Copy, PartialEq, Debug)]
#[non_exhaustive]
pub struct Vote<A> {
    /// The action.
    pub action: A,
    /// The share of all votes, in [0, 1].
    pub share: f64,
    /// The visits in all searches.
    pub visits: u64,
    /// The mean over these visits, in [0, 1]; 0 if there were none.
    pub mean: f64,
}

impl<G: HiddenInformation, S: Search<Space = G>, F: FnMut(&G, u64) -> S> Determinized<S, F> {
    /// Creates an agent that searches this number of guesses, at least 1, within `budget` each.
    pub fn new(name: impl Into<String>, guesses: u32, budget: Budget, make: F) -> Self {
        let (name, rng) = (name.into(), Rng::seeded(0));
        Determinized { name, guesses, budget, make, rng, votes: Vec::new() }
    }

    /// Fixes all random choices. \[Default: 0\]
    #[must_use]
    pub fn seed(mut self, seed: u64) -> Self {
        self.rng = Rng::seeded(seed);
        self
    }

    /// Returns the votes of the last choice, in the order of the game's actions. A choice among one action
    /// has no votes.
    pub fn votes(&self) -> &[Vote<G::Action>] {
        &self.votes
    }

    /// Adds the votes of a search of the guess of this seed.
    fn vote(&mut self, state: &G, player: Player, guess: u64) -> Result<(), SearchError> {
        let mut rng = Rng::seeded(guess);
        let mut guess = state.clone();
        guess.determinize(player, &mut rng);
        if !agrees(&guess, state, player) {
            return Err(SearchError::game(GameFault::Determinization, 0));
        }
        SearchError::unless_failed(0)?;
        let seed = self.rng.bits();
        let report = (self.make)(&guess, seed).run(self.budget)?;
        let whole = 1.0 / f64::from(self.guesses);
        for (row, share) in report.actions.iter().zip(report.visit_shares()) {
            // A search may consider some of the actions only.
            let Some(vote) = self.votes.iter_mut().find(|vote| vote.action == row.action) else { continue };
            vote.share += whole * f64::from(share);
            let visits = vote.visits + u64::from(row.visits);
            let sum = vote.mean * vote.visits as f64 + f64::from(row.mean) * f64::from(row.visits);
            vote.mean = if visits == 0 { 0.0 } else { sum / visits as f64 };
            vote.visits = visits;
        }
        Ok(())
    }
}

/// Returns whether a guess of the observer may stand for `state`: whether it has the same turn and players and,
/// if it is the observer's turn, the same actions.
fn agrees<G: GameState>(guess: &G, state: &G, observer: Player) -> bool {
    let turn = state.turn();
    guess.turn() == turn
        && guess.players() == state.players()
        && (turn != Turn::Player(observer) || guess.actions().into_iter().eq(state.actions()))
}

impl<S: Search, F> fmt::Debug for Determinized<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Determinized")
            .field("name", &self.name)
            .field("guesses", &self.guesses)
            .field("budget", &self.budget)
            .field("votes", &self.votes)
            .finish_non_exhaustive()
    }
}

impl<G: HiddenInformation, S: Search<Space = G>, F: FnMut(&G, u64) -> S> Agent<G> for Determinized<S, F> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, state: &G) -> Result<G::Action, SearchError> {
        ParameterError::unless(self.guesses > 0, "Determinized, guesses", 0.0, "at least 1")?;
        let (player, _) = mover(state)?;
        let vote = |action| Vote { action, share: 0.0, visits: 0, mean: 0.0 };
        self.votes = state.actions().into_iter().map(vote).collect();
        SearchError::unless_failed(0)?;
        if self.votes.len() == 1
            && let Some(only) = self.votes.pop()
        {
            return Ok(only.action);
        }
        for number in 1..=self.guesses {
            // A guess has a seed of its own, so that it can be made again.
            let guess = self.rng.bits();
            self.vote(state, player, guess).map_err(|error| error.in_guess(guess, number))?;
        }
        // Shares are sums of rounded numbers, so equal votes may differ in the last bits.
        let most = self.votes.iter().map(|vote| vote.share).fold(0.0, f64::max) - 1e-9;
        let first = (0..self.votes.len()).filter(|&index| self.votes[index].share > most);
        let best = self.rng.greatest(first, |index| self.votes[index].mean);
        Ok(self.votes[best.ok_or_else(|| SearchError::game(GameFault::NoActions, 0))?].action.clone())
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = Rng::seeded(seed);
        self.votes.clear();
    }

    fn thoughts(&self, _: &G) -> Option<String> {
        let line = |vote: &Vote<_>| {
            let Vote { action, share, visits, mean } = vote;
            format!("{action:?}: {:.1} % of the votes, {visits} visits, mean {mean:.4}\n", 100.0 * share)
        };
        (!self.votes.is_empty()).then(|| self.votes.iter().map(line).collect())
    }
}

//! Matches between two agents named by texts, each as a finding or as a row of a table.

use crate::report::{Finding, Table, Verdict};
use crate::setting::Setting;
use ramure::GameState;
use ramure_lab::Failure;
use ramure_lab::commands::AnyGame;
use ramure_lab::contest::{Estimate, Match};
use ramure_lab::games::Breakthrough;
use ramure_lab::registry::without_proofs;
use ramure_lab::{ReadError, Recipe, Registry};

/// A match and the claim about it.
pub struct Claimed {
    /// The agent that should be stronger, and its opponent.
    pub agents: [String; 2],
    pub games: u32,
    pub claim: String,
    pub source: &'static str,
    /// The score that the lower end of the interval must exceed, or `None` to report the result without a
    /// claim.
    pub beats: Option<f64>,
}

impl Claimed {
    /// Claims that the first agent is stronger.
    pub fn stronger(agents: [&str; 2], games: u32, claim: impl Into<String>, source: &'static str) -> Self {
        Claimed { agents: agents.map(str::to_owned), games, claim: claim.into(), source, beats: Some(0.5) }
    }

    /// Makes no claim.
    pub fn open(agents: [&str; 2], games: u32, claim: impl Into<String>, source: &'static str) -> Self {
        Claimed { beats: None, ..Claimed::stronger(agents, games, claim, source) }
    }
}

/// Returns the text of an agent; the matches of searches are without proofs if the text does not say more.
fn averaging(text: &str) -> String {
    if text.starts_with("mcts:") { without_proofs(text) } else { text.to_owned() }
}

/// A game whose agents can be named by texts.
pub trait Named: GameState + Sync {
    /// Reads an agent.
    fn read(text: &str) -> Result<Recipe<Self>, ReadError>;
}

impl Named for AnyGame {
    fn read(text: &str) -> Result<Recipe<Self>, ReadError> {
        AnyGame::registry().read(&averaging(text))
    }
}

impl Named for Breakthrough {
    fn read(text: &str) -> Result<Recipe<Self>, ReadError> {
        Registry::new().with_evaluation().with_numbers().read(&averaging(text))
    }
}

/// Plays a match of two agents.
pub fn score<G: Named>(
    setting: &Setting,
    start: &G,
    agents: [&str; 2],
    games: u32,
) -> Result<Estimate, Failure> {
    score_of(setting, start, [G::read(agents[0])?, G::read(agents[1])?], games)
}

/// Plays a match of two agents built in code.
pub fn score_of<G: GameState + Sync>(
    setting: &Setting,
    start: &G,
    agents: [Recipe<G>; 2],
    games: u32,
) -> Result<Estimate, Failure> {
    crate::note(format_args!("  {} against {}", agents[0].name(), agents[1].name()));
    let conditions = setting.games(games, games.min(8)).openings(2);
    let result = Match::new(start.clone(), agents).run(&conditions)?;
    Ok(result.standings[0].score.ok_or("no games")?)
}

/// Plays the match, and returns the result on its claim.
fn finding(setting: &Setting, start: &AnyGame, claimed: &Claimed) -> Result<Finding, Failure> {
    let Claimed { agents, games, claim, source, beats } = claimed;
    let score = score(setting, start, agents.each_ref().map(String::as_str), *games)?;
    let verdict = beats.map_or(Verdict::Observed(seen(score)), |beats| Verdict::more(score, beats));
    let ours = format!("`{}` against `{}`: {score:.2}", agents[0], agents[1]);
    Ok(Finding::new(claim, source, ours, verdict))
}

/// Plays all matches.
pub fn findings(setting: &Setting, start: &AnyGame, claims: Vec<Claimed>) -> Result<Vec<Finding>, Failure> {
    claims.iter().map(|claimed| finding(setting, start, claimed)).collect()
}

/// Describes a score for which there was no claim.
fn seen(score: Estimate) -> &'static str {
    if score.low > 0.5 {
        "stronger"
    } else if score.high < 0.5 {
        "weaker"
    } else {
        "no difference seen"
    }
}

/// Plays the agent of each word, written after `before`, against the same opponent.
pub fn against(
    setting: &Setting,
    start: &AnyGame,
    (head, before, words): (&str, &str, &[&str]),
    other: &str,
    games: u32,
) -> Result<Table, Failure> {
    let mut table = Table::new([head, "score"]);
    for word in words {
        let score = score(setting, start, [&format!("{before}{word}"), other], games)?;
        table.row([format!("`{word}`"), format!("{score:.2}")]);
    }
    Ok(table)
}

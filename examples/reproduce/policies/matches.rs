//! Matches between two agents by text, each as a finding.

use crate::experiments::Failure;
use crate::experiments::games::Contestable;
use crate::report::{Finding, Verdict};
use crate::setting::Setting;
use ramure::contest::{Estimate, Match};

/// A match and what is claimed of it.
pub struct Claimed {
    /// What should be stronger, and the other.
    pub agents: [String; 2],
    pub games: u32,
    pub claim: String,
    pub source: &'static str,
    /// Which score is to be beaten by the lower end of the interval; nothing, if whatever comes out is to be told.
    pub beats: Option<f64>,
}

impl Claimed {
    /// That the first is stronger.
    pub fn stronger(agents: [&str; 2], games: u32, claim: &str, source: &'static str) -> Self {
        let [first, second] = agents.map(str::to_owned);
        Claimed { agents: [first, second], games, claim: claim.to_owned(), source, beats: Some(0.5) }
    }

    /// Nothing.
    pub fn open(agents: [&str; 2], games: u32, claim: &str, source: &'static str) -> Self {
        Claimed { beats: None, ..Claimed::stronger(agents, games, claim, source) }
    }
}

/// Plays a match of two agents.
pub fn score<G: Contestable>(
    setting: &Setting,
    start: &G,
    agents: [&str; 2],
    games: u32,
) -> Result<Estimate, Failure> {
    let known = G::registry();
    let recipes = [known.read(agents[0])?, known.read(agents[1])?];
    let conditions = setting.games(games, games.min(8)).openings(2);
    let result = Match::new(start.clone(), recipes).run(&conditions)?;
    Ok(result.standings[0].score.ok_or("no games")?)
}

/// Plays it, and says what came of the claim.
pub fn finding<G: Contestable>(setting: &Setting, start: &G, claimed: &Claimed) -> Result<Finding, Failure> {
    let Claimed { agents, games, claim, source, beats } = claimed;
    let score = score(setting, start, agents.each_ref().map(String::as_str), *games)?;
    let verdict = match beats {
        Some(beats) => Verdict::more(score, *beats),
        None if score.low > 0.5 => Verdict::Told("stronger"),
        None if score.high < 0.5 => Verdict::Told("weaker"),
        None => Verdict::Told("no difference seen"),
    };
    let ours = format!("`{}` against `{}`: {score:.2}", agents[0], agents[1]);
    Ok(Finding::new(claim, source, ours, verdict))
}

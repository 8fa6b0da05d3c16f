//! Section H: what distinguishes each policy, seen to work in matches.

use super::matches::{Claimed, finding};
use crate::experiments::Failure;
use crate::experiments::games::Contestable;
use crate::report::{Finding, Section};
use crate::setting::Setting;
use ramure::games::{Connect4, Hex};

/// Plays all of them.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "What distinguishes a policy, in matches".into(),
        about: "The first agent's score with its 95 % interval, a draw counting one half. Every pair of games begins with the same two \
                random actions, with the seats exchanged. A number behind `mcts:` is the iterations of an action."
            .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    section.findings.extend(all(setting, &Hex::new(11)?, hex_11())?);
    section.findings.extend(all(setting, &Hex::new(7)?, hex_7())?);
    section.findings.extend(all(setting, &Connect4::new(), connect4())?);
    Ok(section)
}

fn all<G: Contestable>(setting: &Setting, start: &G, claims: Vec<Claimed>) -> Result<Vec<Finding>, Failure> {
    let told = |claimed: &Claimed| {
        eprintln!("  {}", claimed.claim);
        finding(setting, start, claimed)
    };
    claims.iter().map(told).collect()
}

fn hex_11() -> Vec<Claimed> {
    Vec::new()
}

fn hex_7() -> Vec<Claimed> {
    Vec::new()
}

fn connect4() -> Vec<Claimed> {
    vec![Claimed::open(
        ["mcts:1000,policy=ucb1-tuned", "mcts:1000"],
        400,
        "UCB1-Tuned against UCB1",
        "Auer et al. 2002: better on bandits",
    )]
}

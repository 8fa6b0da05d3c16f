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

/// GRAVE against UCT with every constant, so with its own best one as well.
fn hex_11() -> Vec<Claimed> {
    let grave = "mcts:1000,policy=grave";
    let against = |c: &str| Claimed {
        agents: [grave.to_owned(), format!("mcts:1000,c={c}")],
        games: 200,
        claim: format!("Hex 11x11: GRAVE beats UCT with c = {c}, above .6"),
        source: "Cazenave 2015: ahead of RAVE and UCT in most games",
        beats: Some(0.6),
    };
    let mut claims: Vec<Claimed> = ["0", "0.05", "0.1", "0.2", "0.4"].map(against).into();
    claims.push(Claimed::open(
        ["mcts:1000,policy=rave", "mcts:1000,policy=ucb1,c=0.1"],
        100,
        "Hex 11x11: RAVE against UCT",
        "Gelly and Silver 2011: stronger in Go",
    ));
    claims
}

fn hex_7() -> Vec<Claimed> {
    vec![Claimed::open(
        ["mcts:500,c=0.2,rollout=mast", "mcts:500,c=0.2"],
        200,
        "Hex 7x7: MAST against uniform rollouts",
        "Finnsson and Björnsson 2008",
    )]
}

fn connect4() -> Vec<Claimed> {
    vec![
        Claimed::stronger(
            ["mcts:20ms,c=0.7,solver=yes", "mcts:20ms,c=0.7"],
            400,
            "Connect 4: the solver beats plain averages at equal time, 20 ms",
            "Winands, Björnsson and Saito 2008: in Lines of Action",
        ),
        Claimed::open(
            ["mcts:500,c=0.7,rollout=mast", "mcts:500,c=0.7"],
            200,
            "Connect 4: MAST against uniform rollouts",
            "Finnsson and Björnsson 2008",
        ),
        Claimed::open(
            ["mcts:1000,policy=ucb1-tuned", "mcts:1000,c=0.7"],
            400,
            "Connect 4: UCB1-Tuned against UCB1",
            "Auer et al. 2002: better on bandits",
        ),
    ]
}

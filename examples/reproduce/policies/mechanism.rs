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
    claims.push(Claimed::stronger(
        ["mcts:300,policy=ucb1,c=0.1,widen=2,exponent=0.4", "mcts:300,policy=ucb1,c=0.1"],
        200,
        "Hex 11x11: progressive widening beats none where actions are many and iterations few",
        "Coulom 2007",
    ));
    claims.push(Claimed::open(
        ["mcts:1000,policy=rave", "mcts:1000,policy=ucb1,c=0.1"],
        100,
        "Hex 11x11: RAVE against UCT",
        "Gelly and Silver 2011: stronger in Go",
    ));
    claims.push(Claimed::open(
        ["mcts:1000,policy=progressive-history,c=0.1", "mcts:1000,policy=ucb1,c=0.1"],
        100,
        "Hex 11x11: progressive history against UCT",
        "Nijssen and Winands 2010: stronger in Focus and Chinese Checkers",
    ));
    claims
}

/// Each learning rollout against uniform ones, with as many iterations.
fn rollouts(game: &str, uct: &str) -> Vec<Claimed> {
    const LEARNING: [(&str, &str); 6] = [
        ("mast", "Finnsson and Björnsson 2008"),
        ("nst", "Tak, Winands and Björnsson 2012"),
        ("lgrf", "Baier and Drake 2010, LGRF-1"),
        ("lgrf:actions=2", "Baier and Drake 2010, LGRF-2"),
        ("ppa", "Cazenave 2015"),
        ("decisive", "Teytaud and Teytaud 2010"),
    ];
    let against = |(rollout, source)| {
        let text = rollout_text(rollout);
        let agents = [format!("{uct},{text}"), uct.to_owned()];
        let claim = format!("{game}: `{text}` against uniform rollouts");
        Claimed { agents, games: 200, claim, source, beats: None }
    };
    LEARNING.map(against).into()
}

/// `lgrf:actions=2` as parameters of an agent.
fn rollout_text(rollout: &str) -> String {
    format!("rollout={}", rollout.replacen(':', ",", 1))
}

fn hex_7() -> Vec<Claimed> {
    rollouts("Hex 7x7", "mcts:500,c=0.2")
}

fn connect4() -> Vec<Claimed> {
    let mut claims = rollouts("Connect 4", "mcts:500,c=0.7");
    claims.push(Claimed::stronger(
        ["mcts:500,c=0.7,backprop=implicit-minimax", "mcts:500,c=0.7"],
        400,
        "Connect 4: implicit minimax with a decent evaluation beats plain averages",
        "Lanctot et al. 2014: in Kalah, Breakthrough, Lines of Action",
    ));
    claims.push(Claimed::stronger(
        ["mcts:20ms,c=0.7,solver=yes", "mcts:20ms,c=0.7"],
        400,
        "Connect 4: the solver beats plain averages at equal time, 20 ms",
        "Winands, Björnsson and Saito 2008: in Lines of Action",
    ));
    for iterations in [2, 4, 8, 16] {
        let agent = |policy: &str| format!("mcts:{iterations},policy={policy}");
        claims.push(Claimed::stronger(
            [&agent("gumbel"), &agent("puct")],
            400,
            &format!("Connect 4: Gumbel beats PUCT at {iterations} iterations, with priors from a static evaluation"),
            "Danihelka et al. 2022: with few simulations",
        ));
    }
    claims.push(Claimed::open(
        ["mcts:1000,policy=ucb1-tuned", "mcts:1000,c=0.7"],
        400,
        "Connect 4: UCB1-Tuned against UCB1",
        "Auer et al. 2002: better on bandits",
    ));
    for policy in ["ucb-v:zeta=0.2", "kl-ucb", "moss", "thompson", "bayes-uct", "shot", "halving"] {
        let text = policy.replacen(':', ",", 1);
        claims.push(Claimed::open(
            [&format!("mcts:1000,policy={text}"), "mcts:1000,c=0.7"],
            200,
            &format!("Connect 4: `{policy}` against UCB1"),
            "no claim",
        ));
    }
    for backprop in ["max", "power-mean", "softmax", "bayes", "recent", "quality", "score-bounds"] {
        claims.push(Claimed::open(
            [&format!("mcts:1000,c=0.7,backprop={backprop}"), "mcts:1000,c=0.7"],
            200,
            &format!("Connect 4: `backprop={backprop}` against averages"),
            "no claim",
        ));
    }
    claims
}

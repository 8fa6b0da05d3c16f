//! Section H: matches that show the effect of each policy's distinguishing feature.

use super::matches::{Claimed, against, findings};
use super::{few_iterations, learning, one_player};
use crate::report::{Part, Section};
use crate::setting::Setting;
use ramure_games::{Connect4, Hex};
use ramure_lab::Failure;

/// Plays all matches.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let mut section = Section {
        title: "What distinguishes a policy, in matches".into(),
        about:
            "The figures are the first agent's score with its 95 % interval; a draw counts one half. The two games of a pair begin with \
                the same two random actions and swap the seats. The number after `mcts:` is the iterations per action. Priors are the \
                softmax of a static evaluation, so they are informative but rough."
                .into(),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    let (hex, connect4) = (Hex::new(11)?.into(), Connect4::new().into());
    section.findings.extend(findings(setting, &hex, many_actions())?);
    learning::add(setting, &mut section)?;
    section.findings.extend(findings(setting, &connect4, evaluations())?);
    few_iterations::add(setting, &mut section)?;
    section.findings.extend(findings(setting, &connect4, others())?);
    one_player::add(setting, &mut section)?;
    section
        .parts
        .push(Part::Text(format!("Connect 4, other policies against `{PLAIN}`, {OPEN_GAMES} games each:")));
    for list in [SELECTIONS, BACKPROPS, ROLLOUTS] {
        section.parts.push(Part::Table(against(setting, &connect4, list, PLAIN, OPEN_GAMES)?));
    }
    section.parts.push(Part::Text(format!(
        "With an evaluation of the leaves, there is less luck. Connect 4 against `{EVALUATED}`, {OPEN_GAMES} games each:"
    )));
    section.parts.push(Part::Table(against(setting, &connect4, BACKUPS_OF_VALUES, EVALUATED, OPEN_GAMES)?));
    Ok(section)
}

/// Hex 11x11: GRAVE against UCT with several constants, including UCT's best; the relatives of GRAVE; and
/// widening.
fn many_actions() -> Vec<Claimed> {
    let grave = "mcts:1000,policy=grave";
    let against = |c: &str| Claimed {
        agents: [grave.to_owned(), format!("mcts:1000,c={c}")],
        games: 200,
        claim: format!("Hex 11x11: GRAVE beats UCT with c = {c}, with a score above 0.6"),
        source: "Cazenave 2015: ahead of RAVE and UCT in most games",
        beats: Some(0.6),
    };
    let mut claims: Vec<Claimed> = ["0", "0.05", "0.1", "0.2", "0.4"].map(against).into();
    let relatives = [
        ("rave", "RAVE", "Gelly and Silver 2011: stronger in Go"),
        ("progressive-history,c=0.1", "progressive history", "Nijssen and Winands 2010: stronger in Focus"),
        ("alpha-amaf,c=0.1", "α-AMAF", "Helmbold and Parker-Wood 2009: stronger in Go"),
    ];
    for (policy, name, source) in relatives {
        let agents = [&format!("mcts:1000,policy={policy}"), "mcts:1000,c=0.1"];
        claims.push(Claimed::open(agents, 100, format!("Hex 11x11: {name} against UCT"), source));
    }
    let widen = |plain: &str| format!("{plain},widen=2,exponent=0.4");
    let (plain, best_first) = ("mcts:300,c=0.1", "mcts:300,policy=progressive-bias,c=0.1,order=prior");
    for (search, name) in [(best_first, "progressive bias"), ("mcts:300,policy=puct,order=prior", "PUCT")] {
        claims.push(Claimed::stronger(
            [&widen(search), search],
            100,
            format!(
                "Hex 11x11: {name} with progressive widening, the greatest prior first, beats {name} without it"
            ),
            "Coulom 2007; Chaslot et al. 2008: in Go, which has many actions",
        ));
    }
    claims.push(Claimed::open(
        [&widen(plain), plain],
        200,
        "Hex 11x11: progressive widening in a random order, against none",
        "no claim: it needs good actions first",
    ));
    claims
}

/// Connect 4: the value of a static evaluation after the rollouts and in their place.
fn evaluations() -> Vec<Claimed> {
    let plain = "mcts:500,c=0.7";
    let lanctot = "Lanctot et al. 2014: in Kalah, Breakthrough, Lines of Action";
    let implicit = ["backprop=implicit-minimax,alpha=0.2", "backprop=implicit-minimax"].map(|backprop| {
        let claim = format!("Connect 4: implicit minimax, `{backprop}`, beats plain averages");
        Claimed::stronger([&format!("{plain},{backprop}"), plain], 400, claim, lanctot)
    });
    let rollouts = [
        ("cutoff", "Lorentz 2008: in Amazons"),
        ("evaluation", "Ramanujan and Selman 2011: in Mancala"),
        ("mixed", "Silver et al. 2016: in Go, with networks"),
    ];
    let rollouts = rollouts.map(|(rollout, source)| {
        let claim = format!("Connect 4: `rollout={rollout}` against rollouts to the end");
        Claimed::open([&format!("{plain},rollout={rollout}"), plain], 200, claim, source)
    });
    implicit.into_iter().chain(rollouts).collect()
}

fn others() -> Vec<Claimed> {
    vec![
        Claimed::stronger(
            ["mcts:10ms,c=0.7,solver=yes", "mcts:10ms,c=0.7"],
            400,
            "Connect 4: the solver beats plain averages at equal time, 10 ms",
            "Winands, Björnsson and Saito 2008: in Lines of Action",
        ),
        Claimed::open(
            ["mcts:1000,policy=ucb1-tuned", PLAIN],
            400,
            "Connect 4: UCB1-Tuned against UCB1",
            "Auer et al. 2002: better on bandits",
        ),
    ]
}

/// The opponent of the other policies.
const PLAIN: &str = "mcts:1000,c=0.7";

const OPEN_GAMES: u32 = 200;

const SELECTIONS: (&str, &str, &[&str]) = (
    "selection",
    "mcts:1000,policy=",
    &[
        "ucb-v,zeta=0.2",
        "kl-ucb",
        "moss",
        "single-player",
        "single-player,c=0.7,d=0.01",
        "bayes-uct,backprop=bayes",
        "thompson",
        "gaussian-thompson,sigma=0.5",
        "epsilon-greedy",
        "epsilon-n-greedy",
        "boltzmann",
        "exp3",
        "halving,c=0.7",
        "shot",
        "grave",
        "hrave",
        "rave",
        "alpha-amaf,c=0.7",
        "progressive-history,c=0.7",
        "puct",
        "puct-noise",
        "progressive-bias,c=0.7",
        "completed",
        "gumbel",
        "gumbel,noise=0",
    ],
);

const BACKPROPS: (&str, &str, &[&str]) = (
    "backpropagation",
    "mcts:1000,c=0.7,",
    &[
        "solver=yes",
        "backprop=discounted",
        "backprop=relative-bonus",
        "backprop=contempt",
        "backprop=recency-weighted",
        "backprop=max",
        "backprop=power-mean",
        "backprop=softmax",
        "backprop=bayes",
        "backprop=score-bounds",
    ],
);

/// The opponent of the backups of values.
const EVALUATED: &str = "mcts:1000,c=0.7,rollout=evaluation";

const BACKUPS_OF_VALUES: (&str, &str, &[&str]) = (
    "backpropagation of evaluations",
    "mcts:1000,c=0.7,rollout=evaluation,",
    &[
        "backprop=max",
        "backprop=power-mean",
        "backprop=softmax",
        "backprop=bayes",
        "backprop=implicit-minimax",
        "solver=yes",
    ],
);

const ROLLOUTS: (&str, &str, &[&str]) = (
    "simulation",
    "mcts:1000,c=0.7,rollout=",
    &["multiple", "cutoff-random", "cutoff-decided", "epsilon-greedy", "softmax"],
);

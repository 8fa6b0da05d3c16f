//! Section G: the share of wrong actions of each policy on P-games, over its iterations.

use crate::report::{Finding, Part, Section, Table, Verdict};
use crate::setting::Setting;
use ramure_lab::Failure;
use ramure_lab::commands::p_game::{self, Kind, Row, Settings};
use ramure_lab::registry::without_proofs;

/// The phases, each with the text before its words and with its words. The other phases keep their defaults.
/// A test of the laboratory checks that every policy is here.
const PHASES: [(&str, &str, &[&str]); 4] = [
    (
        "Selection",
        "",
        &[
            "ucb1:c=1.4142135",
            "ucb1:c=0.7",
            "ucb1-tuned",
            "ucb-v",
            "kl-ucb",
            "moss",
            "single-player",
            "single-player:c=0.7,d=0.01",
            "bayes-uct:backprop=bayes",
            "bayes-uct:formula=1,backprop=bayes",
            "thompson",
            "gaussian-thompson:sigma=0.5",
            "epsilon-greedy",
            "epsilon-n-greedy",
            "boltzmann",
            "exp3",
            "halving:c=0.7",
            "shot",
            "grave",
            "hrave",
            "rave",
            "rave-k",
            "alpha-amaf",
            "progressive-history",
            "puct",
            "puct:fpu-reduction=0.2",
            "puct-noise",
            "progressive-bias",
            "completed",
            "gumbel",
        ],
    ),
    (
        "Simulation",
        "ucb1:c=0.7,rollout=",
        &[
            "uniform",
            "multiple",
            "cutoff,actions=3",
            "cutoff-random",
            "cutoff-decided",
            "evaluation",
            "mixed",
            "epsilon-greedy",
            "softmax",
            "decisive",
            "decisive,anti=yes",
            "mast",
            "mast-gibbs",
            "nst",
            "lgr",
            "lgr,actions=1",
            "ppa",
        ],
    ),
    (
        "Backpropagation",
        "ucb1:c=0.7,backprop=",
        &[
            "average,solver=no",
            "average,solver=yes",
            "discounted",
            "relative-bonus",
            "contempt",
            "recency-weighted",
            "max",
            "power-mean",
            "softmax",
            "bayes",
            "implicit-minimax",
            "score-bounds",
        ],
    ),
    (
        "Expansion",
        "ucb1:c=0.7,",
        &["expand=1", "expand=5", "widen=1", "fpu=1", "fpu=mean-0.1", "final=max", "final=secure"],
    ),
];

/// Measures all policies.
pub fn section(setting: &Setting) -> Result<Section, Failure> {
    let iterations: &[u32] = setting.pick(&[100, 1_000, 10_000], &[100, 1_000]);
    let settings = Settings {
        trees: setting.pick(p_game::PUBLISHED_TREES, 20),
        iterations: iterations.to_vec(),
        seed: setting.seed,
        threads: setting.threads,
    };
    let mut section = Section {
        title: "Wrong actions on P-games".into(),
        about: about(settings.trees),
        findings: Vec::new(),
        parts: Vec::new(),
    };
    for (phase, before, words) in PHASES {
        let head = iterations.iter().map(u32::to_string);
        let mut table = Table::new(
            std::iter::once(format!("{phase}: `{before}`, iterations").replace(" ``,", "")).chain(head),
        );
        let mut rows = Vec::new();
        for word in words {
            crate::note(format_args!("  {before}{word}"));
            let row = anew(&Kind::new(8, 8, without_proofs(&format!("{before}{word}"))), &settings)?;
            let cells = row.cells.iter().map(|cell| format!("{:.3}", cell.share.value));
            table.row(std::iter::once(format!("`{word}`")).chain(cells));
            rows.push((*word, row));
        }
        section.findings.push(learns(phase, &rows));
        section.parts.push(Part::Table(table));
    }
    Ok(section)
}

/// Measures with a new search for each number of iterations, so that a policy that divides them in advance
/// knows their number. All have the same seed, so the figures of the other policies are those of one search
/// that continues.
fn anew(kind: &Kind, settings: &Settings) -> Result<Row, Failure> {
    let mut row = Row { kind: kind.clone(), cells: Vec::new() };
    for &iterations in &settings.iterations {
        let settings = Settings { iterations: vec![iterations], ..settings.clone() };
        row.cells.extend(p_game::measure(kind, &settings)?.cells);
    }
    Ok(row)
}

fn about(trees: u32) -> String {
    format!(
        "The share of {trees} trees in which a search by this text chose a bad action after this number of iterations. The trees \
         (Kocsis and Szepesvári 2006) have 8 actions in every state, 8 plies, and both good and bad actions at the root. With 200 \
         trees, 95 % intervals are ± 0.07 at one half and ± 0.03 at 0.05. A policy that converges reaches 0. Each number of \
         iterations is its own search. The static evaluation, and with it the priors, is the share of positive sums among those \
         that can still be reached. An action has a different number in every state, so policies that learn from the same action \
         elsewhere show their cost here, not their benefit."
    )
}

/// Counts the policies that are wrong less often with more iterations.
fn learns(phase: &str, rows: &[(&str, Row)]) -> Finding {
    let improves = |row: &Row| {
        let [first, last] = [row.cells.first(), row.cells.last()].map(|cell| cell.map(|cell| cell.share));
        first.zip(last).is_some_and(|(first, last)| last.high < first.low)
    };
    let others: Vec<String> =
        rows.iter().filter(|(_, row)| !improves(row)).map(|(word, _)| format!("`{word}`")).collect();
    let count = rows.len() - others.len();
    Finding::new(
        format!("{phase}: wrong less often with the most iterations than with the fewest"),
        "expected of any search",
        match others.is_empty() {
            true => format!("all {count}"),
            false => format!("{count} of {}; not {}", rows.len(), others.join(", ")),
        },
        Verdict::Observed(if others.is_empty() { "all do" } else { "not all do" }),
    )
}

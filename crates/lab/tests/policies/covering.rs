//! A pairwise covering array, which puts every two words of different lists together in one search, and the
//! searches that it names.

use crate::common::any::Any;
use ramure::{Budget, Report, SearchError};
use ramure_lab::{Registry, WithEvaluation, WithNumbers};
use std::collections::HashMap;

/// Returns rows with one item of each list, `sizes` long each, such that any two items of different lists are
/// together in some row. A row holds, for each list, the index of its item.
///
/// The algorithm is greedy, "in parameter order" (Lei and Tai 1998). The two longest lists make all their
/// pairs. Each further list first extends the existing rows, each with the item that adds most new pairs.
/// Pairs that are still missing get new rows.
pub fn covering(sizes: &[usize]) -> Vec<Vec<usize>> {
    assert!(sizes.len() > 1 && sizes.iter().all(|&size| size > 0), "two lists or more, none of them empty");
    let mut order = Vec::from_iter(0..sizes.len());
    order.sort_by_key(|&list| usize::MAX - sizes[list]);
    let (first, second) = (order[0], order[1]);
    // An undecided place in a row is open to any item.
    let mut rows: Vec<Vec<Option<usize>>> = Vec::new();
    for pair in 0..sizes[first] * sizes[second] {
        let mut row = vec![None; sizes.len()];
        (row[first], row[second]) = (Some(pair / sizes[second]), Some(pair % sizes[second]));
        rows.push(row);
    }
    for (placed, &list) in order.iter().enumerate().skip(2) {
        let earlier = &order[..placed];
        let mut missing = Vec::new();
        for &other in earlier {
            let pairs = (0..sizes[other]).flat_map(|theirs| (0..sizes[list]).map(move |ours| (theirs, ours)));
            missing.extend(pairs.map(|(theirs, ours)| (other, theirs, ours)));
        }
        for row in &mut rows {
            let brings = |ours: usize| {
                let new = |&&(other, theirs, item): &&(usize, usize, usize)| {
                    item == ours && row[other] == Some(theirs)
                };
                missing.iter().filter(new).count()
            };
            let best = (0..sizes[list]).rev().max_by_key(|&ours| brings(ours)).expect("an item");
            if brings(best) > 0 {
                row[list] = Some(best);
                missing.retain(|&(other, theirs, ours)| !(ours == best && row[other] == Some(theirs)));
            }
        }
        for (other, theirs, ours) in missing {
            let fits = |item: Option<usize>, wanted| item.is_none() || item == Some(wanted);
            let free = rows.iter().position(|row| fits(row[other], theirs) && fits(row[list], ours));
            let place = free.unwrap_or_else(|| {
                rows.push(vec![None; sizes.len()]);
                rows.len() - 1
            });
            (rows[place][other], rows[place][list]) = (Some(theirs), Some(ours));
        }
    }
    let closed = |(number, row): (usize, Vec<Option<usize>>)| {
        row.into_iter().zip(sizes).map(|(item, size)| item.unwrap_or(number % size)).collect()
    };
    rows.into_iter().enumerate().map(closed).collect()
}

/// A search of an array.
#[derive(Clone, Debug)]
pub struct Member {
    /// The item of each list: selection, simulation, backpropagation and whether there are proofs, then the
    /// settings if the array has them.
    pub name: Vec<String>,
    /// The text that a registry reads.
    pub text: String,
}

/// The parameters with which a policy does what its paper promises in a small game, where they differ from
/// the defaults.
const PARAMETERS: [(&str, &str); 16] = [
    // The bounds of these tests were measured with fixed constants, which explore more than a deviation of the
    // rewards does.
    ("ucb1", "c=1.4142135623730951"),
    ("halving", "c=1.4142135623730951"),
    ("progressive-bias", "c=1.4142135623730951"),
    // The bias is that of the all-moves-as-first value (Gelly and Silver 2011, section 4.4). It is large in
    // games where an action has a different value at every node.
    ("grave", "bias=0.1"),
    ("hrave", "bias=0.1"),
    // RAVE converges with the exploration term of UCT-RAVE (section 4.5 there), which is 0 by default.
    ("rave", "bias=0.1,c=0.5"),
    ("rave-k", "k=10,c=0.5"),
    // With a constant share, the all-moves-as-first value never fades (Helmbold and Parker-Wood 2009), so the
    // share is small.
    ("alpha-amaf", "alpha=0.1,c=1.4142135623730951"),
    ("progressive-history", "weight=1,c=1.4142135623730951"),
    // The defaults are for the best line of one player, and explore too little where the mean counts.
    ("single-player", "c=0.7,d=0.01"),
    // Rewards in [0, 1] have a standard deviation of at most 1/2.
    ("gaussian-thompson", "sigma=0.5"),
    // With the scale of the paper, chosen for 16 to 200 iterations, values outweigh everything after some
    // hundreds of iterations.
    ("completed", "c-scale=0.02"),
    // The evaluation knows the result of a terminal state, so with the default temperature it leaves almost
    // no prior to the others.
    ("puct", "prior-tau=1,c=1.25"),
    ("puct-noise", "prior-tau=1,c=1.25"),
    ("gumbel", "prior-tau=1"),
    // Rewards that do not sum to one need the general bounds.
    ("score-bounds", "general=yes"),
];

/// Returns a registry of all policies, rollouts and backpropagations that a text can name.
pub fn everything() -> Registry<Any, WithNumbers<WithEvaluation>> {
    Registry::new().with_evaluation().with_numbers()
}

/// Returns the policies that search games of any number of players. `single-player` is not among them: it
/// scales the rewards of all players as those of the first one.
pub fn policies() -> Vec<String> {
    let mut policies = everything().words().policies;
    policies.retain(|word| word != "single-player");
    policies
}

fn parts() -> Vec<Vec<String>> {
    let words = everything().words();
    vec![policies(), words.rollouts, words.backprops, vec!["no".into(), "yes".into()]]
}

fn rows_of(lists: &[Vec<String>]) -> impl Iterator<Item = Vec<String>> {
    let rows = covering(&Vec::from_iter(lists.iter().map(Vec::len)));
    rows.into_iter().map(move |row| row.iter().zip(lists).map(|(&item, list)| list[item].clone()).collect())
}

/// Returns the text of a policy, rollouts, a backpropagation, and `yes` or `no` for proofs.
pub fn text_of(name: &[String]) -> String {
    let own = PARAMETERS.iter().filter(|(word, _)| name[..3].iter().any(|part| part == word));
    let own = String::from_iter(own.map(|(_, parameters)| format!(",{parameters}")));
    format!("{}:rollout={},backprop={},solver={}{own}", name[0], name[1], name[2], name[3])
}

/// Returns searches such that any two policies, rollouts, backpropagations or settings of proofs are together
/// in one.
pub fn members() -> Vec<Member> {
    rows_of(&parts()).map(|name| Member { text: text_of(&name), name }).collect()
}

/// The settings of a search besides its parts, one list for each setting. Each item is a text, or "-" for no
/// setting.
pub const SETTINGS: [&[&str]; 5] = [
    // A node gets children on its first, second or fourth visit.
    &["-", "expand=1", "expand=4"],
    &["order=random", "order=listed"],
    // A width that grows, and a width that does not: see `Member::narrowed`.
    &["-", "widen=2,exponent=0.5", NARROW],
    &["-", "fpu=0.9", "fpu=mean-0.1"],
    &["-", "final=robust", "final=max", "final=max-robust", "final=secure", "final=temperature,t=0.05"],
];

/// As wide as any of the games; see [`Member::narrowed`].
const NARROW: &str = "widen=9,exponent=0";

/// Returns the lists of [`members`] and those of the [`SETTINGS`].
pub fn lists() -> Vec<Vec<String>> {
    let mut lists = parts();
    lists.extend(SETTINGS.iter().map(|items| items.iter().map(|&item| item.to_owned()).collect()));
    lists
}

/// Whether two items may be in one text and have an effect there.
pub fn go_together(one: &str, other: &str) -> bool {
    let is_pair = |policy: &str, setting: &str| {
        // This is an error, because the policy has its own rule for unvisited children.
        (setting.starts_with("fpu") && is_policy(policy) && !takes_urgency(policy))
            // `FirstPlay::BelowMean`: a formula without an exploration term may never try some children.
            || (setting == "fpu=mean-0.1" && matches!(policy, "grave" | "hrave"))
            // Halving ends with two children of equal visits, so a draw by visits is a coin toss.
            || (setting.starts_with("final=temperature") && is_policy(policy) && plans(policy))
    };
    !is_pair(one, other) && !is_pair(other, one)
}

/// Returns searches such that any two items of [`lists`] that [`go_together`] are together in one.
pub fn settled() -> Vec<Member> {
    let lists = lists();
    let together: HashMap<(&str, &str), bool> = lists[0]
        .iter()
        .flat_map(|policy| SETTINGS.iter().copied().flatten().map(move |item| (&**policy, *item)))
        .map(|(policy, item)| ((policy, item), go_together(policy, item)))
        .collect();
    let fits = |policy: &str, item: &str| together.get(&(policy, item)).copied().unwrap_or(true);
    let mut names = Vec::from_iter(rows_of(&lists));
    for name in &mut names {
        for list in 4..name.len() {
            if !fits(&name[0], &name[list]) {
                name[list] = lists[list].iter().find(|item| fits(&name[0], item)).expect("none").clone();
            }
        }
    }
    // A changed row may have lost pairs. Put each lost pair into a row that has one of the two items.
    for (one, other) in (4..lists.len()).flat_map(|other| (0..other).map(move |one| (one, other))) {
        for left in &lists[one] {
            for right in &lists[other] {
                let is_missing = !names.iter().any(|name| name[one] == *left && name[other] == *right);
                if is_missing && (one > 0 || fits(left, right)) {
                    let base = names.iter().find(|name| name[one] == *left && fits(&name[0], right));
                    let mut name = base.expect("it goes with some policy").clone();
                    name[other] = right.clone();
                    names.push(name);
                }
            }
        }
    }
    let member = |name: Vec<String>| {
        let settings = name[4..].iter().filter(|item| *item != "-").map(|item| format!(",{item}"));
        Member { text: text_of(&name) + &String::from_iter(settings), name }
    };
    names.into_iter().map(member).collect()
}

fn is_policy(word: &str) -> bool {
    everything().words().policies.iter().any(|policy| policy == word)
}

/// Whether a text with this policy may have a first-play urgency.
pub fn takes_urgency(policy: &str) -> bool {
    everything().read(&format!("mcts:9,policy={policy},fpu=0.5")).is_ok()
}

/// Whether this policy divides the iterations of a run in advance.
pub fn plans(policy: &str) -> bool {
    everything().read(&format!("mcts:9ms,policy={policy}")).is_err()
}

impl Member {
    /// Returns the search for a two-player game that a solver can prove. If its width never grows and it has
    /// proofs, the width becomes 1: proven children do not count, so all children become available
    /// eventually. Bounds need not be general, because they prune children.
    pub fn narrowed(&self) -> Self {
        let narrow = if self.name[3] == "yes" { "widen=1,exponent=0" } else { NARROW };
        let text = self.text.replace(NARROW, narrow).replace(",general=yes", "");
        Member { name: self.name.clone(), text }
    }

    /// Runs the search from an empty tree.
    pub fn run(
        &self,
        known: &Registry<Any, WithNumbers<WithEvaluation>>,
        state: &Any,
        seed: u64,
        iterations: u64,
    ) -> Result<Report<u8>, SearchError> {
        self.run_for(known, state, seed, Budget::iterations(iterations))
    }

    /// Runs the search from an empty tree with any budget.
    pub fn run_for(
        &self,
        known: &Registry<Any, WithNumbers<WithEvaluation>>,
        state: &Any,
        seed: u64,
        budget: Budget,
    ) -> Result<Report<u8>, SearchError> {
        let mut search = known.search(&self.text, state.clone(), seed).expect("it is well written");
        search.run(budget)
    }
}

//! Every two words of different lists together in one search: a pairwise covering array, and the searches it names.

use super::any::Any;
use ramure::agents::{Registry, WithEvaluation, WithNumbers};
use ramure::{Budget, Report, SearchError};

/// Rows of one item of each list, `sizes` long each, such that any two items of different lists are together in some row. A row
/// has, for each list, the place of its item.
///
/// Greedy, "in parameter order" (Lei and Tai 1998): the two longest lists make all their pairs; every further list is put to the
/// rows that there are, to each the item that brings most new pairs, and what is still missing makes rows of its own.
pub fn covering(sizes: &[usize]) -> Vec<Vec<usize>> {
    assert!(sizes.len() > 1 && sizes.iter().all(|&size| size > 0), "two lists or more, none of them empty");
    let mut order = Vec::from_iter(0..sizes.len());
    order.sort_by_key(|&list| usize::MAX - sizes[list]);
    let (first, second) = (order[0], order[1]);
    // What is not decided yet in a row is open to any item.
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

/// A search of the array.
#[derive(Clone, Debug)]
pub struct Member {
    /// Selection, simulation, backpropagation, and whether there are proofs.
    pub name: [String; 4],
    /// As a registry reads it.
    pub text: String,
}

/// What a word has for parameters, where the defaults are too much for small games.
const PARAMETERS: [(&str, &str); 4] = [
    ("grave", "bias=0.01"),
    ("hrave", "bias=0.01"),
    ("epsilon-n-greedy", "c=1"),
    ("score-bounds", "general=yes"),
];

/// All policies, rollouts and backpropagations that texts can name.
pub fn everything() -> Registry<Any, WithNumbers<WithEvaluation>> {
    Registry::new().with_evaluation().with_numbers()
}

/// Searches such that any two policies, rollouts, backpropagations or settings of proofs are together in one.
pub fn members() -> Vec<Member> {
    let words = everything().words();
    let lists = [words.policies, words.rollouts, words.backprops, vec!["no".into(), "yes".into()]];
    let member = |row: Vec<usize>| {
        let name: [String; 4] = core::array::from_fn(|list| lists[list][row[list]].clone());
        let own = PARAMETERS.iter().filter(|(word, _)| name.iter().any(|part| part == word));
        let own = String::from_iter(own.map(|(_, parameters)| format!(",{parameters}")));
        let [policy, rollout, backprop, solver] = &name;
        let text = format!("{policy}:rollout={rollout},backprop={backprop},solver={solver}{own}");
        Member { name, text }
    };
    covering(&lists.each_ref().map(Vec::len)).into_iter().map(member).collect()
}

impl Member {
    /// Runs the search, from nothing.
    pub fn run(
        &self,
        known: &Registry<Any, WithNumbers<WithEvaluation>>,
        state: &Any,
        seed: u64,
        iterations: u64,
    ) -> Result<Report<u8>, SearchError> {
        let mut search = known.search(&self.text, state.clone(), seed).expect("it is well written");
        search.run(Budget::iterations(iterations))
    }
}

//! Any tree policy with any rollouts and any backpropagation, and the program's own parts.

use crate::common::{self, any::Any, rows, sized};
use crate::covering::everything;
use ramure::prelude::*;
use ramure_games::TicTacToe;
use ramure_lab::{Abilities, ReadError, Registry};

/// This holds whatever abilities the game has.
#[test]
fn every_policy_works_with_all_rollouts_and_all_backpropagations() {
    fn all_run<G: GameState<Action: Send + Sync> + Send + Sync + 'static, A: Abilities<G>>(
        known: &Registry<G, A>,
        start: &G,
    ) {
        let (words, iterations, mut number) = (known.words(), sized(30, 60), 0);
        for policy in &words.policies {
            for (rollout, backprop) in words
                .rollouts
                .iter()
                .flat_map(|rollout| words.backprops.iter().map(move |back| (rollout, back)))
            {
                // In the small instance, with proofs and without them in turn.
                let solvers = sized(&["no", "yes"][number % 2..=number % 2], &["no", "yes"]);
                number += 1;
                for solver in solvers {
                    let text = format!("{policy}:rollout={rollout},backprop={backprop},solver={solver}");
                    let mut search = known.search(&text, start.clone(), 3).expect(&text);
                    let report = search.run(Budget::iterations(iterations.into())).expect(&text);
                    let visits = common::visits(&report).iter().sum::<u32>();
                    assert!(visits + 1 >= iterations || report.proof.is_some(), "{text}\n{report}");
                    search.advance(report.best_action()).expect(&text);
                    search.run(Budget::iterations(iterations.into())).expect(&text);
                    search.reset(start.clone());
                    assert_eq!(search.run(Budget::iterations(10)).expect(&text).root_visits, 10, "{text}");
                }
            }
        }
    }
    let start = TicTacToe::new();
    let plain = Registry::<TicTacToe>::new();
    all_run(&plain, &start);
    all_run(&everything(), &Any::new(rows::TicTacToe::default()));
    // The order of the abilities does not matter.
    assert_eq!(plain.with_numbers().with_evaluation().words().policies, super::everything().words().policies);
}

/// If two parts share a parameter name, the second has its part as a prefix.
#[test]
fn names_of_parameters_do_not_clash() {
    let known = super::everything();
    let names = |word: &str, key: &str| {
        let error = known
            .search(&format!("ucb1:{key}={word},none=1"), TicTacToe::new().into(), 0)
            .err()
            .expect("none");
        let ReadError::UnknownParameter { known, .. } = error else { panic!("{error}") };
        known
    };
    for (word, key) in [("mast", "rollout"), ("epsilon-greedy", "rollout"), ("discounted", "backprop")] {
        let mut all = names(word, key);
        let count = all.len();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), count, "{word}");
    }
}

#[test]
fn a_custom_part_works_with_the_built_in_parts() {
    let start = Any::new(rows::TicTacToe::default());
    let known = everything()
        .with_policy("mine", "my own policy", |p| {
            let c = p.number("c", "how much", 1.0, 0.0..)? as f32;
            Ok(move || Ucb1::new(c))
        })
        .with_rollout("ours", "my own rollouts", |_| Ok(|| Uniform))
        .with_backprop("theirs", "my own backpropagation", |_| Ok(|| Average));
    for text in ["mine:c=0.3", "mine:solver=no", "ucb1:rollout=ours,c=0.3", "ucb1:backprop=theirs"] {
        let mut search = known.search(text, start.clone(), 0).expect(text);
        assert_eq!(search.run(Budget::iterations(50)).expect(text).iterations, 50);
    }
    for (text, said) in [
        (
            "mine:rollout=mast",
            "policy=mine and rollout=mast are not compiled together, because this program added the policy;",
        ),
        (
            "grave:rollout=ours",
            "policy=grave and rollout=ours are not compiled together, because this program added the rollout;",
        ),
        (
            "mine:rollout=ours,backprop=theirs",
            "policy=mine and rollout=ours and backprop=theirs are not compiled together, because this program added the \
             backprop;",
        ),
    ] {
        let error = known.search(text, start.clone(), 0).err().expect(text).to_string();
        assert!(error.starts_with(said), "{error}");
    }
    // A part may have the first word of its list, and is still alone among the others' first words.
    let known = everything().with_rollout("uniform", "mine", |_| Ok(|| Uniform));
    known.search("ucb1", start.clone(), 0).expect("the first words");
    let error = known.search("grave", start.clone(), 0).err().expect("not compiled").to_string();
    assert!(error.starts_with("policy=grave and rollout=uniform are not compiled together"), "{error}");
    // They remain when the registry learns about more abilities of the game.
    let late = Registry::<TicTacToe>::new().with_rollout("ours", "my own", |_| Ok(|| Uniform)).with_numbers();
    assert_eq!(late.words().rollouts.last().map(String::as_str), Some("ours"));
}

#[test]
fn a_search_by_text_can_be_sent_to_another_thread_and_back() {
    use crate::common::four::SmallFour;
    for text in ["ucb1", "ucb1:solver=no", "grave:rollout=mast,backprop=score-bounds", "puct:backprop=bayes"]
    {
        let search = || {
            let state = Any::new(SmallFour::default());
            everything().search(text, state, 5).expect("it is well written")
        };
        let (mut here, mut there) = (search(), search());
        let expected = here.run(Budget::iterations(200)).expect("a sound game");
        let (report, mut back) = std::thread::spawn(move || {
            let report = there.run(Budget::iterations(200));
            (report, there)
        })
        .join()
        .expect("no panic");
        assert_eq!(common::visits(&report.expect("a sound game")), common::visits(&expected), "{text}");
        let (again, expected) = (back.run(Budget::iterations(100)), here.run(Budget::iterations(100)));
        assert_eq!(
            common::visits(&again.expect("a sound game")),
            common::visits(&expected.expect("a sound game")),
            "{text}"
        );
    }
}

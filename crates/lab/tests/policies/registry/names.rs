//! A name is the text in its canonical form, and an invalid text gets an error.

use super::{AGENTS, everything, position};
use proptest::prelude::*;
use ramure::SearchError;
use ramure_games::TicTacToe;
use ramure_lab::Recipe;
use ramure_lab::commands::AnyGame;

#[test]
fn a_name_is_the_canonical_text() {
    let known = everything();
    for (text, name) in [
        ("random", "random"),
        (" random : ", "random"),
        ("mc:1e3", "mc:1000"),
        ("mc-ucb1: 10k , c = 0.50", "mc-ucb1:10000,c=0.5"),
        ("mcts:1M,policy=ucb1,k=1.0", "mcts:1000000"),
        ("mcts:1M,policy=ucb1,c=1.0", "mcts:1000000,c=1"),
        ("mcts:9,k=0.50", "mcts:9,k=0.5"),
        ("mcts:c=1,384", "mcts:384,c=1"),
        ("mcts:384,c=0.5,policy=ucb1-tuned", "mcts:384,policy=ucb1-tuned,c=0.5"),
        ("mcts:1.5s", "mcts:1.5s"),
        ("mcts:1500ms+10k", "mcts:10000+1.5s"),
        ("mcts:9,reuse=yes,solver=yes", "mcts:9"),
        ("mcts:9,backprop=discounted,solver=no", "mcts:9,backprop=discounted"),
        ("mcts:9,reuse=no,expand=2,order=listed,memory=2048KiB", "mcts:9,order=listed,memory=2MiB,reuse=no"),
        ("mcts:9,policy=grave,ref=50.0,bias=0.00002", "mcts:9,policy=grave,bias=2e-5"),
        ("mcts:9,final=temperature,t=1", "mcts:9,final=temperature"),
        ("mcts:9,final=within,by=0.05", "mcts:9,final=within"),
        ("mcts:9,opening=8,reuse=no,final=within,by=.1", "mcts:9,final=within,by=0.1,reuse=no,opening=8"),
        ("mcts:9,final=policy", "mcts:9"),
        ("mcts:9,final=robust", "mcts:9,final=robust"),
        ("mcts:9,fpu=mean-0.10,widen=2.0,exponent=0.5", "mcts:9,widen=2,fpu=mean-0.1"),
        ("mcts:9,early=yes,fpu=1", "mcts:9,fpu=1,early=yes"),
        ("mcts:9,unclear=0,early=no", "mcts:9"),
        ("mcts:9,unclear=50", "mcts:9,unclear=50"),
        ("mcts:clock=10000ms", "mcts:clock=10s"),
        ("mcts:c=1,clock=10s + 0.1s", "mcts:clock=10s+100ms,c=1"),
        ("mcts:clock=40/10s+100ms,margin=50ms", "mcts:clock=40/10s+100ms,margin=50ms"),
        ("mcts:clock=1s,moves=21,early=no,unclear=0", "mcts:clock=1s,moves=21,early=no,unclear=0"),
        ("mcts:clock=1s,expected=30,early=yes,unclear=50", "mcts:clock=1s"),
        ("mcts:clock=1s,final=max,early=no", "mcts:clock=1s,final=max"),
        ("mcts:8k,reuse=no,threads=4", "mcts:8000,threads=4,reuse=no"),
        ("mcts:9,window=65536,threads=4.096k,memory=1GiB", "mcts:9,memory=1GiB,threads=4096,window=65536"),
        ("mcts:9,threads=1,policy=grave", "mcts:9,policy=grave,threads=1"),
        ("mcts:9,policy=puct,expand=1,prior-tau=0.2", "mcts:9,policy=puct,prior-tau=0.2"),
        ("alphabeta:0.1s", "alphabeta:100ms"),
        ("alphabeta:3,nodes=1k,order=evaluation", "alphabeta:3,order=evaluation,nodes=1000"),
    ] {
        let recipe = known.read(text).expect(text);
        assert_eq!(recipe.name(), name, "{text}");
        assert_eq!(known.read(name).expect(name).name(), name);
    }
    // An agent's name reads as the same recipe.
    for text in AGENTS {
        let recipe = known.read(text).expect(text);
        assert_eq!(known.read(&recipe.make().name()).expect(text).name(), recipe.name());
    }
}

/// Draws any search that a text can name, at random.
fn any_search() -> impl Strategy<Value = String> {
    let number = |name: &'static str, low: f64, high: f64| {
        prop_oneof![
            Just(String::new()),
            (low..high).prop_map(move |value| format!(",{name}={value}")),
            (low..high).prop_map(move |value| format!(",{name}={value:.2e}")),
        ]
    };
    let c = || number("c", 0.0, 3.0);
    let policies = prop_oneof![
        c(),
        c().prop_map(|c| format!(",policy=ucb1-tuned{c}")),
        Just(",policy=thompson".to_owned()),
        (number("ref", 0.0, 99.0), number("bias", 1e-6, 1.0))
            .prop_map(|(reference, bias)| format!(",policy=grave{bias}{reference}")),
        (c(), number("prior-tau", 0.01, 2.0)).prop_map(|(c, tau)| format!(",policy=puct{c}{tau}")),
    ];
    let rollouts = prop_oneof![
        Just(String::new()),
        number("epsilon", 0.0, 1.0).prop_map(|epsilon| format!(",rollout=mast{epsilon}")),
        (0..20u8).prop_map(|actions| format!(",rollout=cutoff,actions={actions}")),
    ];
    let backprops = prop_oneof![
        Just(String::new()),
        number("gamma", 0.1, 1.0).prop_map(|gamma| format!(",backprop=discounted{gamma}")),
    ];
    let parts = (policies, rollouts, backprops)
        .prop_map(|(policy, rollout, backprop)| format!("{backprop}{policy}{rollout}"));
    let settings = proptest::sample::subsequence(
        vec!["solver=yes", "order=listed", "expand=4", "memory=64KiB", "final=max", "reuse=no", "solver=no"],
        0..=6,
    );
    (1..300u32, parts, settings).prop_filter_map("solver twice", |(budget, parts, settings)| {
        let solver = settings.iter().filter(|setting| setting.starts_with("solver")).count();
        let settings = String::from_iter(settings.iter().map(|setting| format!(",{setting}")));
        (solver < 2).then(|| format!("mcts:{budget}{parts}{settings}"))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_name_parses_to_the_same_agent(text in any_search()) {
        let known = everything();
        let recipe = known.read(&text).expect("it is well written");
        let again = known.read(recipe.name()).expect("a name reads");
        prop_assert_eq!(again.name(), recipe.name());
        let think = |recipe: &Recipe<AnyGame>| {
            let mut agent = recipe.make();
            let action = agent.choose(&position().into()).expect("an action");
            let thoughts = agent.thoughts(&position().into()).unwrap_or_default();
            (action, Vec::from_iter(thoughts.lines().filter(|line| !line.contains(" s (")).map(str::to_owned)))
        };
        prop_assert_eq!(think(&again), think(&recipe));
    }
}

#[test]
fn errors_in_a_text_name_the_fault_and_the_alternatives() {
    let known = everything();
    let policies = known.words().policies.join(", ");
    const WORDS: &str = "first, random, mc, mc-total, mc-ucb1, mcts, minimax, alphabeta";
    const OF_MCTS: &str = "clock, policy, rollout, backprop, c, k, solver, final, order, expand, depth, widen, fpu, memory, threads, window, transpositions, reuse, opening, early, unclear";
    let of_clock = OF_MCTS.replace("clock,", "clock, moves, expected, margin,");
    const CLOCK: &str = "a time as 10s, with an increment as 10s+100ms, for each 40 moves as 40/10s";
    const DRAWS: &str =
        "`opening` needs a final decision that draws, such as `final=temperature` or `final=within`";
    const PATIENT: &str = "`final=max-robust` would have no effect, because `clock` and `unclear` set how far the budget \
                           is exceeded; choose another `final`";
    let of_thompson = OF_MCTS.replace(" c, k,", "").replace(" fpu,", "");
    const BUDGET: &str =
        "iterations from 1 as 384, a time up to 86400s as 100ms, or one of each as 10000+100ms";
    for (text, said) in [
        ("", format!("the text does not start with a word; choose one of {WORDS}")),
        (" :3", format!("the text does not start with a word; choose one of {WORDS}")),
        ("elephant", format!("`elephant` is not a known agent; choose one of {WORDS}")),
        ("alpha-beta:3", format!("`alpha-beta` is not a known agent; choose one of {WORDS}; did you mean `alphabeta`?")),
        ("MCTS:9", format!("`MCTS` is not a known agent; choose one of {WORDS}; did you mean `mcts`?")),
        ("mc", "`mc` needs N; write `mc:N`, where N is a whole number, at least 1".into()),
        ("mcts:", format!("`mcts` needs BUDGET; write `mcts:BUDGET`, where BUDGET is {BUDGET}")),
        ("mcts:c=1", format!("`mcts` needs BUDGET; write `mcts:BUDGET`, where BUDGET is {BUDGET}")),
        ("mc:0", "N is `0`; it must be a whole number, at least 1".into()),
        ("mc:-3", "N is `-3`; it must be a whole number, at least 1".into()),
        ("mc:1.5", "N is `1.5`; it must be a whole number, at least 1".into()),
        ("mc:many", "N is `many`; it must be a whole number, at least 1".into()),
        ("mcts:0", format!("BUDGET is `0`; it must be {BUDGET}")),
        ("mcts:0ms", format!("BUDGET is `0ms`; it must be {BUDGET}")),
        ("mcts:100+200", format!("BUDGET is `100+200`; it must be {BUDGET}")),
        ("mcts:100,200ms", "`100` and `200ms` contradict each other; leave one out".into()),
        ("mcts:9,c=1,c=2", "`c=1` and `c=2` contradict each other; leave one out".into()),
        (
            "mcts:9,",
            "a name or a value is missing in `9,`; write `name=value`, separated by commas".into(),
        ),
        (
            "mcts:9,c=",
            "a name or a value is missing in `c=`; write `name=value`, separated by commas".into(),
        ),
        (
            "mcts:9,=1",
            "a name or a value is missing in `=1`; write `name=value`, separated by commas".into(),
        ),
        ("mcts:9,c=-1", "c is `-1`; it must be a number from 0 to 1000".into()),
        ("mcts:9,c=nan", "c is `nan`; it must be a number from 0 to 1000".into()),
        ("mcts:9,c=inf", "c is `inf`; it must be a number from 0 to 1000".into()),
        ("mcts:9,c=1e39", "c is `1e39`; it must be a number from 0 to 1000".into()),
        ("mcts:9,final=temperature,t=1e39", "t is `1e39`; it must be a number above 0".into()),
        ("mcts:9,final=temperature,t=0", "t is `0`; it must be a number above 0".into()),
        ("mcts:9,final=within,by=2", "by is `2`; it must be a number from 0 to 1".into()),
        ("mcts:9,opening=4", DRAWS.into()),
        ("mcts:9,opening=4,final=max", DRAWS.into()),
        ("mcts:9,final=best", "`best` is not a known value for final; choose one of policy, robust, max, max-robust, secure, temperature, within".into()),
        ("mcts:9,solver=maybe", "`maybe` is not a known value for solver; choose one of yes, no".into()),
        ("mcts:9,fpu=2", "fpu is `2`; it must be a number from 0 to 1, or below the mean of its siblings as mean-0.1".into()),
        ("mcts:9,fpu=mean", "fpu is `mean`; it must be a number from 0 to 1, or below the mean of its siblings as mean-0.1".into()),
        ("mcts:9,policy=epsilon-n-greedy,d=1", "d is `1`; it must be a number above 0 and below 1".into()),
        ("mcts:9,widen=0", "widen is `0`; it must be a number above 0".into()),
        ("mcts:9,exponent=0.3", format!("`mcts:9` has no parameter `exponent`; the parameters are {OF_MCTS}")),
        ("mcts:9,order=prior", "`prior` is not a known value for order; choose one of random, listed".into()),
        ("mcts:9,early=yes,final=max", SearchError::CannotStopEarly.to_string()),
        ("mcts:9,early=yes,policy=shot", SearchError::CannotStopEarly.to_string()),
        ("mcts:clock=1s,early=yes,final=max", SearchError::CannotStopEarly.to_string()),
        ("mcts:9,clock=1s", format!("`9` has no name, and `mcts:clock=1s` takes no value without one; the parameters are {of_clock}")),
        ("mcts:clock=10", format!("clock is `10`; it must be {CLOCK}")),
        ("mcts:clock=40/10s+0s", format!("clock is `40/10s+0s`; it must be {CLOCK}")),
        ("mcts:clock=1s,moves=0", "moves is `0`; it must be a whole number from 1 to 4294967295".into()),
        ("mcts:clock=1s,margin=0s", "margin is `0s`; it must be a time as 50ms".into()),
        ("mcts:9,moves=5", format!("`mcts:9` has no parameter `moves`; the parameters are {OF_MCTS}")),
        ("mcts:9,unclear=1001", "unclear is `1001`; it must be a whole number from 0 to 1000".into()),
        ("mcts:9,unclear=5,policy=shot", "`shot` plans ahead for its budget; leave `unclear` out".into()),
        ("mcts:9,unclear=5,final=max-robust", PATIENT.into()),
        ("mcts:clock=1s,final=max-robust", PATIENT.into()),
        (
            "mcts:clock=1s,policy=shot",
            "`shot` plans ahead for a number of iterations, but the budget has none; add one, as in 1000+100ms".into(),
        ),
        ("mcts:9,memory=9", "memory is `9`; it must be bytes above 0 as 64MiB, with KiB, MiB or GiB".into()),
        ("mcts:9,memory=0KiB", "memory is `0KiB`; it must be bytes above 0 as 64MiB, with KiB, MiB or GiB".into()),
        ("mcts:9,threads=0", "threads is `0`; it must be a whole number from 1 to 4096".into()),
        ("mcts:9,threads=4097", "threads is `4097`; it must be a whole number from 1 to 4096".into()),
        ("mcts:9,threads=all", "threads is `all`; it must be a whole number from 1 to 4096".into()),
        ("mcts:9,threads=1.5", "threads is `1.5`; it must be a whole number from 1 to 4096".into()),
        ("mcts:9,expand=0", "expand is `0`; it must be a whole number, at least 1".into()),
        ("mcts:9,depth=0", "depth is `0`; it must be a whole number, at least 1".into()),
        (
            "mcts:9,backprop=discounted,gamma=0",
            "gamma is `0`; it must be a number above 0 and at most 1".into(),
        ),
        (
            "mcts:9,rollout=mast,epsilon=1.5",
            "epsilon is `1.5`; it must be a number from 0 to 1".into(),
        ),
        (
            "mcts:9,policy=ucb2",
            format!("`ucb2` is not a known policy; choose one of {policies}; did you mean `ucb1`?"),
        ),
        (
            "mcts:9,policy=thompson,c=1",
            format!("`mcts:9,policy=thompson` has no parameter `c`; the parameters are {of_thompson}"),
        ),
        ("mcts:9,a=1", format!("`mcts:9` has no parameter `a`; the parameters are {OF_MCTS}")),
        (
            "mcts:9,polcy=ucb1",
            format!("`mcts:9` has no parameter `polcy`; the parameters are {OF_MCTS}; did you mean `policy`?"),
        ),
        ("random:5", "`5` has no name, and `random` takes no value without one; there are no parameters".into()),
        ("minimax:3,order=listed", "`minimax:3` has no parameter `order`; there are no parameters".into()),
        ("minimax:0", "DEPTH is `0`; it must be a whole number from 1 to 256".into()),
        (
            "alphabeta:257",
            "DEPTH is `257`; it must be a depth from 1 to 256, a time up to 86400s as 100ms, or one of each as 8+100ms"
                .into(),
        ),
        ("alphabeta:3,nodes=0", "nodes is `0`; it must be a whole number, at least 1".into()),
    ] {
        let error = known.read(text).expect_err(text);
        assert_eq!(error.to_string(), said, "{text}");
    }
    for (text, said) in [
        ("", &*format!("the text does not start with a word; choose one of {policies}")),
        (
            "mcts",
            &*format!(
                "`mcts` is not a known policy, but an agent; choose one of {policies}; did you mean `moss`?"
            ),
        ),
        (
            "thompson:384",
            "`384` has no name, and `thompson` takes no value without one; the parameters are rollout, backprop, solver, \
             final, order, expand, depth, widen, memory, threads, window, transpositions",
        ),
        (
            "rave:reuse=no",
            "`rave` has no parameter `reuse`; the parameters are rollout, backprop, bias, c, solver, final, order, expand, depth, \
             widen, fpu, memory, threads, window, transpositions",
        ),
    ] {
        let error = known.search(text, TicTacToe::new().into(), 0).err().expect(text);
        assert_eq!(error.to_string(), said, "{text}");
    }
}

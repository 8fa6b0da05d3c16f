//! Saved optimizations: load and run equals the uninterrupted run, for every optimizer; what does not fit is
//! refused by name.

use crate::problems::Digits;
use ramure::optimization::{
    Attempts, Ended, FlatSampling, NestedSearch, Nrpa, Optimization, Optimizer, SinglePlayerMcts,
};
use ramure::saved::FileError;
use ramure::selection::SinglePlayer;
use ramure::{BoxError, Budget, Bytes, GameState, Mcts, Persist, Scored};
use ramure_games::{Morpion, SameGame, same_game::Group};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs;

fn saved<G, O>(search: &Optimization<G, O>) -> Vec<u8>
where
    G: Scored + Serialize + DeserializeOwned,
    G::Action: Serialize + DeserializeOwned,
    O: Optimizer<G> + Persist<G>,
{
    let mut file = Vec::new();
    search.save_to(&mut file).expect("it can be written");
    file
}

fn board() -> SameGame {
    "1 2 1 2 3\n2 1 2 1 3\n2 1 1 2 1\n1 1 2 2 2".parse().expect("a board")
}

#[test]
fn every_optimizer_goes_on_as_if_it_had_not_been_interrupted() {
    fn check<O>(optimizer: O)
    where
        O: Optimizer<SameGame> + Persist<SameGame> + Copy + Sync,
    {
        for (searches, threads) in [(1, 1), (3, 1), (3, 2)] {
            let new = || Optimization::new(board(), optimizer).searches(searches).seed(8);
            let (mut whole, mut interrupted) = (new(), new());
            // Most runs end within a pass.
            for rollouts in [1, 7, 30, 2, 41] {
                let budget = Budget::iterations(rollouts);
                let found = interrupted.run_on(threads, budget).expect("a sound problem");
                let expected = whole.run(budget).expect("a sound problem");
                let results = [found, expected].map(|all| (all.score, all.actions, all.rollouts, all.passes));
                assert_eq!(results[0], results[1]);
                let file = saved(&interrupted);
                assert_eq!(file, saved(&whole));
                interrupted = new().seed(99);
                interrupted.load_from(&file[..]).expect("it was saved by the same search");
                assert_eq!(interrupted.best(), whole.best());
                assert_eq!(saved(&interrupted), file);
            }
            // The seed is that of the file, too.
            assert_eq!(saved(&interrupted.searches(2)), saved(&whole.searches(2)));
        }
    }
    check(FlatSampling);
    check(NestedSearch::new(1));
    check(NestedSearch::new(2).beam(2, 3));
    check(Nrpa::new(2).iterations(5));
    check(Nrpa::new(2).iterations(5).rollouts(2).beam(1, 2));
    let bias = |_: &SameGame, group: Group| f64::from((group.column() % 3) as u8);
    check(Nrpa::new(1).iterations(9).bias(bias));
    check(SinglePlayerMcts::new(17));
    check(SinglePlayerMcts::new(30).memory_limit(Bytes(3_000)));
}

/// An optimizer of the user, with settings of its own.
#[derive(Clone, Copy)]
struct First {
    share: u32,
}

impl<G: Scored> Optimizer<G> for First {
    fn pass(&self, attempts: &mut Attempts<'_, G>) -> Result<(), Ended> {
        let (mut state, mut line, mut actions) = (attempts.root().clone(), vec![], vec![]);
        loop {
            attempts.list(&state, &line, &mut actions)?;
            if actions.is_empty() {
                return attempts.finish(&state, &line).map(drop);
            }
            let rng = attempts.rng();
            let number = if rng.below(100) < self.share as usize { 0 } else { rng.below(actions.len()) };
            state.apply(actions[number].clone());
            line.push(actions[number].clone());
        }
    }
}

impl<G: GameState> Persist<G> for First {
    type Learned = ();
    fn settings(&self) -> String {
        format!("First {{ share: {} }}", self.share)
    }
    fn learned(&self, _: &G) {}
    fn check_learned(&self, _: &G, (): &()) -> Result<(), BoxError> {
        Ok(())
    }
    fn restore(&mut self, (): ()) {}
}

#[test]
fn an_optimizer_of_the_user_is_compared_by_its_settings() {
    let new = |share| Optimization::new(Digits::new(4, 6), First { share });
    let mut search = new(30);
    search.run(Budget::iterations(20)).expect("a sound problem");
    let mut later = new(30);
    later.load_from(&saved(&search)[..]).expect("it was saved by the same search");
    assert_eq!(later.best(), search.best());
    let error = new(31).load_from(&saved(&search)[..]).expect_err("the share is another one");
    assert_eq!(
        error.to_string(),
        "the file is of a search with another optimizer: `First { share: 30 }`; this search has `First { share: 31 }`"
    );
}

#[test]
fn a_file_of_another_search_is_refused_by_name() {
    let setting = |result: Result<(), FileError>| match result {
        Err(FileError::Different { setting, saved, search }) => {
            assert_ne!(saved, search);
            setting
        }
        other => panic!("{other:?}"),
    };
    let nrpa = || Nrpa::new(2).iterations(5);
    let mut search = Optimization::new(board(), nrpa()).searches(2);
    search.run(Budget::iterations(20)).expect("a sound problem");
    let file = saved(&search);

    let other = |nrpa| setting(Optimization::new(board(), nrpa).searches(2).load_from(&file[..]));
    let others = [
        Nrpa::new(1).iterations(5),
        Nrpa::new(2),
        nrpa().alpha(1.000_000_1),
        nrpa().rollouts(2),
        nrpa().beam(2, 4),
        nrpa().beam(1, 4),
    ];
    assert_eq!(others.map(other), ["optimizer"; 6]);
    let bias = nrpa().bias(|_: &SameGame, _: Group| 0.0);
    assert_eq!(setting(Optimization::new(board(), bias).searches(2).load_from(&file[..])), "optimizer");
    let mut flat = Optimization::new(board(), FlatSampling).searches(2);
    assert_eq!(setting(flat.load_from(&file[..])), "optimizer");
    for count in [0, 1, 3] {
        let mut search = Optimization::new(board(), nrpa()).searches(count);
        assert_eq!(setting(search.load_from(&file[..])), "number of searches");
    }
    let mut morpion = Optimization::new(Morpion::disjoint(), nrpa()).searches(2);
    assert_eq!(setting(morpion.load_from(&file[..])), "game");
    let nested = saved(&Optimization::new(board(), NestedSearch::new(2)));
    for other in [NestedSearch::new(3), NestedSearch::new(2).beam(1, 2)] {
        assert_eq!(setting(Optimization::new(board(), other).load_from(&nested[..])), "optimizer");
    }
    let tree = saved(&Optimization::new(board(), SinglePlayerMcts::new(20)));
    for other in [
        SinglePlayerMcts::new(21),
        SinglePlayerMcts::new(20).tree_policy(SinglePlayer::new(0.02, 0.1)),
        SinglePlayerMcts::new(20).tree_policy(SinglePlayer::new(0.2, 0.001)),
    ] {
        assert_eq!(setting(Optimization::new(board(), other).load_from(&tree[..])), "optimizer");
    }

    // A tree search of the same game is another kind of search, and the other way round.
    let mut tree = Vec::new();
    Mcts::new(board()).save_to(&mut tree).expect("it can be written");
    let text = |error: Result<(), FileError>| error.expect_err("it is another search").to_string();
    let of_tree = text(Optimization::new(board(), FlatSampling).load_from(&tree[..]));
    let expected = "the file is of a search with another optimizer: `none`; this search has `FlatSampling`";
    assert_eq!(of_tree, expected);
    let of_lines = text(Mcts::new(board()).load_from(&file[..]));
    assert!(of_lines.starts_with("the file is of a search with another tree policy: `none`"), "{of_lines}");
    assert_eq!(flat.load_from(&b"GIF89a, or any other file"[..]), Err(FileError::Foreign));
    let mut older = file.clone();
    older[8..12].copy_from_slice(&0u32.to_le_bytes());
    assert_eq!(search.load_from(&older[..]), Err(FileError::Version { found: 0, supported: 3 }));

    // `passes`, the seed and a limit of memory are no other search.
    let mut later = Optimization::new(board(), nrpa()).searches(2).seed(4).passes(9);
    later.load_from(&file[..]).expect("it was saved by the same search");
    let mut limited = Optimization::new(board(), SinglePlayerMcts::new(20).memory_limit(Bytes::mib(1)));
    let unlimited = saved(&Optimization::new(board(), SinglePlayerMcts::new(20)));
    limited.load_from(&unlimited[..]).expect("it was saved by the same search");
}

#[test]
fn a_file_of_another_root_state_is_refused_and_can_be_resumed() {
    let mut search = Optimization::new(SameGame::random(1), NestedSearch::new(1));
    search.run(Budget::iterations(30)).expect("a sound problem");
    let mut other = Optimization::new(SameGame::random(2), NestedSearch::new(1));
    other.run(Budget::iterations(5)).expect("a sound problem");
    let before = saved(&other);
    assert_eq!(other.load_from(&saved(&search)[..]), Err(FileError::OtherState));
    assert_eq!(saved(&other), before);
    other.resume_from(&saved(&search)[..]).expect("it was saved by such a search");
    assert_eq!((other.state(), other.best()), (search.state(), search.best()));
    let [found, expected] =
        [other, search].map(|mut all| all.run(Budget::iterations(30)).expect("a sound problem").actions);
    assert_eq!(found, expected);
}

#[test]
fn every_byte_counts() {
    let new = |seed| Optimization::new(board(), FlatSampling).searches(2).seed(seed);
    let (mut search, mut other) = (new(1), new(2));
    search.run(Budget::iterations(20)).expect("a sound problem");
    other.run(Budget::iterations(5)).expect("a sound problem");
    let (file, before) = (saved(&search), saved(&other));
    for length in 0..file.len() {
        let error = other.load_from(&file[..length]).expect_err("it is incomplete");
        assert!(matches!(error, FileError::Incomplete { .. }), "{length} bytes: {error}");
    }
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            assert!(other.load_from(&damaged[..]).is_err(), "byte {at}, bit {bit}");
        }
    }
    assert_eq!(saved(&other), before, "a search that loads nothing stays as it was");
    // A reader may hold more than the file.
    let two = [&file[..], &file[..]].concat();
    let mut rest = &two[..];
    other.load_from(&mut rest).expect("it is complete");
    assert_eq!((rest, saved(&other)), (&file[..], file.clone()));
}

#[test]
fn a_file_is_replaced_completely_or_not_at_all() {
    let folder = std::env::temp_dir().join(format!("ramure-optimization-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is a folder for temporary files");
    let path = folder.join("best.search");
    let new = || Optimization::new(board(), FlatSampling);
    let mut search = new();
    assert!(matches!(search.load(&path), Err(FileError::Read { .. })));
    for _ in 0..2 {
        search.run(Budget::iterations(10)).expect("a sound problem");
        search.save(&path).expect("the folder can be written");
        assert_eq!(fs::read(&path).expect("it was written"), saved(&search));
        assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1);
    }
    let mut later = new();
    later.load(&path).expect("it was saved by the same search");
    assert_eq!(later.best(), search.best());
    later = new();
    later.resume(&path).expect("it was saved by the same search");
    assert_eq!(saved(&later), saved(&search));
    assert!(matches!(search.save(folder.join("none").join("a")), Err(FileError::Write { .. })));
    let length = saved(&search).len();
    for room in [0, 8, 40, length - 1] {
        let full: &mut [u8] = &mut vec![0; room];
        assert!(matches!(search.save_to(full), Err(FileError::Write { .. })), "{room} bytes");
    }
    fs::write(&path, [&saved(&search)[..], b"x"].concat()).expect("the folder can be written");
    assert!(matches!(later.load(&path), Err(FileError::Invalid { part: "the end", .. })));
    fs::remove_dir_all(&folder).expect("it is there");
}

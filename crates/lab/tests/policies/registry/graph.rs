//! Searches that share positions, by text: `transpositions`.

use super::{plays_a_game, position};
use crate::common;
use ramure::Report;
use ramure::prelude::*;
use ramure::search::{ActionOf, MirrorImages, Space, Transpositions, Unobserved};
use ramure::{Expansion, RootDecision};
use ramure_games::{Bandit, Connect4, Hex, PGame, TicTacToe};
use ramure_lab::commands::{AnyAction, AnyGame};
use ramure_lab::games::SmallConnect4;
use ramure_lab::{Ability, ReadError, Registry, WithEvaluation, WithNumbers};
use ramure_rules::Law;

type Found = (Vec<(u32, f32, Option<f32>)>, Option<usize>, usize, u32);

/// Runs a search, plays its action, and runs it again; then does the same from another position.
fn found<S: Search + ?Sized>(search: &mut S, elsewhere: S::Space) -> [Found; 3] {
    fn of<S: Space>(report: &Report<ActionOf<S>>) -> Found {
        let actions =
            report.actions.iter().map(|action| (action.visits, action.mean, action.proof)).collect();
        (actions, report.chosen, report.nodes, report.depth)
    }
    let budget = Budget::iterations(1_500);
    let report = search.run(budget).expect("a sound game");
    let first = of::<S::Space>(&report);
    search.advance(report.best_action()).expect("a legal action");
    let second = of::<S::Space>(&search.run(budget).expect("a sound game"));
    search.reset(elsewhere);
    [first, second, of::<S::Space>(&search.run(budget).expect("a sound game"))]
}

/// The library has compiled the registry of any game; another one would compile its loops here.
#[test]
fn a_graph_by_text_is_the_same_search_as_in_code() {
    let known = AnyGame::registry();
    let by_text = |text: &str| {
        let mut search = known.search(text, position().into(), 5).expect(text);
        assert!(matches!(search.state(), AnyGame::Connect4(state) if *state == position()));
        found(&mut *search, Connect4::new().into())
    };
    let graph = || Mcts::new(Transpositions::new(position())).seed(5);
    let images = || Mcts::new(MirrorImages::new(position())).seed(5);
    let (view, mirror) = (Transpositions::new(Connect4::new()), MirrorImages::new(Connect4::new()));
    assert_eq!(by_text("ucb1:transpositions=yes"), found(&mut graph(), view));
    let mut in_code = graph()
        .tree_policy(Ucb1::new(0.7))
        .backprop(Solver::new(Average))
        .expansion(Expansion::default().on_visit(1))
        .root_decision(RootDecision::Secure(1.0));
    let text = "ucb1:c=0.7,transpositions=yes,solver=yes,expand=1,final=secure";
    assert_eq!(by_text(text), found(&mut in_code, view));
    let by_mirror = by_text("ucb1:c=0.7,transpositions=mirror");
    assert_eq!(by_mirror, found(&mut images().tree_policy(Ucb1::new(0.7)), mirror));
    assert_ne!(by_mirror, by_text("ucb1:c=0.7,transpositions=yes"));
    assert_ne!(by_mirror, by_text("ucb1:c=0.7"));
    assert_eq!(by_text("ucb1:transpositions=no"), by_text("ucb1"));
    assert_eq!(by_text("ucb1:transpositions=yes,threads=3"), found(&mut graph().threads(3), view));
    let mut window = images().window(7).threads(1).unobserved(Unobserved::Mean);
    assert_eq!(by_text("ucb1:transpositions=mirror,window=7,unobserved=mean"), found(&mut window, mirror));
}

#[test]
fn agents_that_share_positions_play_legal_games() {
    let known = AnyGame::registry();
    for text in [
        "mcts:60,transpositions=yes",
        "mcts:60,solver=no,transpositions=mirror",
        "mcts:4ms,transpositions=yes",
        "mcts:60,threads=2,window=3,transpositions=yes",
    ] {
        let recipe = known.read(text).expect(text);
        assert_eq!(recipe.name(), text);
        plays_a_game(&recipe, &TicTacToe::new().into());
    }
}

#[test]
fn what_cannot_share_positions_is_refused_by_name() {
    let plain = Registry::<TicTacToe>::new();
    let word = || "transpositions".to_owned();
    let error = plain.read("mcts:9,transpositions=yes").expect_err("no keys");
    assert_eq!(error, ReadError::Lacks { word: word(), ability: Ability::Keys });
    assert_eq!(
        error.to_string(),
        "`transpositions` needs keys of positions, which this game lacks: implement `Keyed` for it, and call `with_keys` on the \
         registry"
    );
    let known = AnyGame::registry();
    for (text, expected) in [
        (
            "policy=grave",
            "policy=grave is not compiled with `transpositions`; write policy=ucb1, leave out `transpositions`, or build the search \
             in code, of `Transpositions::new(state)`",
        ),
        ("rollout=mast", "rollout=mast is not compiled with `transpositions`; write rollout=uniform"),
        (
            "backprop=score-bounds",
            "backprop=score-bounds is not compiled with `transpositions`; write backprop=average",
        ),
    ] {
        for way in ["yes", "mirror"] {
            let text = format!("mcts:9,transpositions={way},{text}");
            let error = known.read(&text).expect_err(&text).to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
    let error = known.read("mcts:9,transpositions=maybe").expect_err("no choice").to_string();
    assert!(error.contains("maybe") && error.contains("mirror"), "{error}");
}

#[test]
fn keys_without_symmetries_share_positions_but_no_mirror_images() {
    let keyed = Registry::<TicTacToe>::new().with_keys();
    let mut search = keyed.search("ucb1:transpositions=yes", TicTacToe::new(), 5).expect("it is there");
    let mut in_code = Mcts::new(Transpositions::new(TicTacToe::new())).seed(5);
    let elsewhere = Transpositions::new(TicTacToe::new());
    assert_eq!(found(&mut *search, TicTacToe::new()), found(&mut in_code, elsewhere));
    assert_eq!(
        keyed.read("mcts:9,transpositions=mirror").expect_err("no symmetries"),
        ReadError::Lacks { word: "transpositions".into(), ability: Ability::MirrorImages }
    );
    // A policy of the program that has the name of one of ours is not ours.
    let own = keyed.with_policy("ucb1", "my own", |_| Ok(|| Ucb1::new(1.0)));
    assert!(own.read("mcts:9").is_ok());
    let error = own.read("mcts:9,transpositions=yes").expect_err("not compiled");
    assert_eq!(error, ReadError::OwnInGraph { what: "policy".into(), word: "ucb1".into() });
}

#[test]
fn keys_and_symmetries_stay_whatever_is_declared_after_them() {
    let known = Registry::<AnyGame>::new().with_mirror_images().with_keys();
    let known: Registry<_, WithNumbers<WithEvaluation>> = known.with_evaluation().with_numbers();
    for known in [known.clone(), known] {
        assert!(known.read("mcts:9,transpositions=yes").is_ok());
        assert!(known.read("mcts:9,transpositions=mirror").is_ok());
    }
}

#[test]
fn every_game_of_the_programs_has_sound_keys_and_symmetries() {
    let games: [AnyGame; 5] = [
        TicTacToe::new().into(),
        SmallConnect4::new("5x4").expect("a size").into(),
        Hex::new(3).expect("a size").with_swap().into(),
        PGame::new(3, 4, 1).expect("a tree").into(),
        Bandit::new(&[0.25, 0.5, 0.25]).expect("a bandit").into(),
    ];
    for game in games {
        let check = ramure_rules::check(game)
            .keys()
            .symmetry()
            .only([Law::Keys, Law::Symmetry])
            .states(200)
            .games(30);
        check.run().unwrap_or_else(|violation| panic!("{violation}"));
    }
}

#[test]
fn connect4_has_sizes_by_name() {
    let read = |text: &str| AnyGame::read(text).map_err(|error| error.to_string());
    assert!(matches!(read("connect4"), Ok(AnyGame::Connect4(_))));
    assert!(matches!(read("connect4:7x6"), Ok(AnyGame::Connect4(_))));
    for size in SmallConnect4::SIZES.replace(" and", ",").split(", ") {
        let game = read(&format!("connect4:{size}")).expect(size);
        let (columns, rows) = size.split_once('x').expect("two numbers");
        let (columns, rows): (usize, usize) =
            (columns.parse().expect("columns"), rows.parse().expect("rows"));
        let text = game.to_string();
        assert_eq!((text.find('\n'), text.lines().count()), (Some(columns), rows + 3), "{text}");
        assert_eq!(game.actions().into_iter().count(), columns);
        // The last column, which only a board of this width has.
        let action = game.read_action(&(columns - 1).to_string()).expect("a column");
        assert!(matches!(action, AnyAction::SmallConnect4(_)) && game.is_legal(action));
        assert!(!game.is_legal(game.read_action(&columns.to_string()).unwrap_or(AnyAction::PGame(0))));
        let error = game.read_action("z9").expect_err("no column");
        assert!(error.contains(&format!("one of the {columns} columns")), "{error}");
        let report =
            AnyGame::registry().search("ucb1", game, 1).expect("a search").run(Budget::iterations(200));
        assert_eq!(common::visits(&report.expect("a sound game")).len(), columns);
    }
    assert_eq!(
        read("connect4:9x9").expect_err("no size"),
        "\"9x9\" is not a size of a Connect 4 board, columns by rows; there are 7x6, 4x4, 5x4, 6x4, 4x5, 5x5, 6x5, 5x6 and 6x6"
    );
}

#[test]
fn a_text_that_is_no_cell_is_told_the_cells_of_this_board() {
    let hex = AnyGame::read("hex:11").expect("a board");
    assert_eq!(
        hex.read_action("z9").expect_err("no cell"),
        "\"z9\" is not a cell of this board; write a1 to k11, or swap"
    );
    // It is a cell of a greater board.
    assert!(!hex.is_legal(hex.read_action("s19").expect("a cell")));
}

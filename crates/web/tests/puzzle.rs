//! The puzzle against the rules of the board, and the library's own search.

use ramure::backpropagation::Average;
use ramure::selection::SinglePlayer;
use ramure::{Budget, GameState, Mcts, Scored, Turn};
use ramure_games::SameGame;
use ramure_web::puzzle::{Puzzle, points_of};

#[test]
fn a_puzzle_is_played_to_its_end_by_the_search_that_it_shows() {
    let mut board = SameGame::random(3);
    let mut search = Mcts::new(board).tree_policy(SinglePlayer::default()).backprop(Average).seed(7);
    let mut puzzle = Puzzle::new(3, 7);
    puzzle.play().expect("nothing to play yet");
    assert_eq!(puzzle.view().moves, 0);
    while board.turn() != Turn::Over {
        puzzle.think(1).expect("a search");
        puzzle.think(1).expect("a search");
        let view = puzzle.view();
        search.run(Budget::iterations(1)).expect("a search");
        let report = search.run(Budget::iterations(1)).expect("a search");
        let best = report.best_action();
        assert_eq!((view.iterations, view.is_over), (2, false));
        assert_eq!((&view.groups[0].group, view.groups.len()), (&best.to_string(), report.actions.len()));
        for group in &view.groups {
            let entry = report.actions.iter().find(|entry| entry.action.to_string() == group.group);
            assert_eq!(entry.map(|entry| entry.visits), Some(group.visits));
            // A group's blocks have its colour, and are two or more.
            assert!(group.blocks.len() > 1);
            assert!(group.blocks.iter().all(|&(column, row)| view.columns[column][row] == group.colour));
        }
        puzzle.play().expect("a move");
        search.advance(best).expect("a move");
        board.apply(best);
        assert_eq!(f64::from(puzzle.view().points), board.score());
    }
    let moves = puzzle.view().moves;
    puzzle.think(5).expect("nothing to search");
    puzzle.play().expect("nothing to play");
    let end = puzzle.view();
    assert_eq!((end.is_over, end.moves, end.groups.len()), (true, moves, 0));
}

#[test]
fn the_points_of_a_mean_are_those_of_the_reward() {
    let mut board = SameGame::random(1);
    loop {
        let first = board.actions().into_iter().next();
        let Some(group) = first else { break };
        board.apply(group);
    }
    assert!((points_of(board.reward(0)) - board.score()).abs() < 1e-6);
}

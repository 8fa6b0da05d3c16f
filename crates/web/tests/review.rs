//! The analyst: values and losses of the positions of a game, and lines to draw.

use core::time::Duration;
use ramure_web::link::open;
use ramure_web::settings::Settings;
use ramure_web::table::AnyTable;
use ramure_web::view::{Judged, View};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_micros(300);

fn table(link: &str) -> Box<dyn AnyTable> {
    open(link, [Settings::default(), Settings::default()]).expect("a position")
}

fn reviewed(link: &str, slice: Duration) -> View {
    let mut table = table(link);
    while !table.review(slice).expect("a search") {}
    table.view(usize::MAX)
}

fn judged(view: &View) -> Vec<&Judged> {
    view.judged.iter().map(|judged| judged.as_ref().expect("judged")).collect()
}

#[test]
fn the_review_of_tic_tac_toe_names_the_move_that_lost() {
    // A corner, answered by an edge, loses; the fork wins.
    let view = reviewed("tic-tac-toe/1,2,5,9,7,3,4", LONG);
    assert_eq!(view.result.as_deref(), Some("Cross wins"));
    let judged = judged(&view);
    assert_eq!(judged.len(), 8);
    // Values are those of the first player, and proven: a draw, and from the edge on a win.
    assert!((judged[0].value - 0.5).abs() < 0.2);
    assert!(judged[2..].iter().all(|judged| judged.value == 1.0), "{judged:?}");
    let worst = judged.iter().enumerate().max_by(|a, b| a.1.loss.partial_cmp(&b.1.loss).expect("numbers"));
    assert_eq!(worst.map(|(ply, _)| ply), Some(1), "{judged:?}");
    // Moves that keep a proven win lose nothing, and the end has no move.
    assert!(judged[2..7].iter().all(|judged| judged.loss == Some(0.0)));
    assert_eq!((judged[7].player, judged[7].loss, &judged[7].best), (None, None, &None));
}

#[test]
fn a_win_that_was_missed_is_a_loss_and_its_action_is_named() {
    // Cross has two in the upper row and plays elsewhere; then Circle plays there.
    let view = reviewed("tic-tac-toe/1,4,2,9,7,3", LONG);
    let judged = judged(&view);
    let missed = judged[4];
    assert_eq!((missed.value, missed.best.as_deref(), missed.player), (1.0, Some("3"), Some(0)));
    assert!(missed.loss.expect("a loss") > 0.1, "{missed:?}");
}

#[test]
fn slices_of_a_review_change_nothing() {
    let whole = reviewed("tic-tac-toe/1", LONG);
    let sliced = reviewed("tic-tac-toe/1", SHORT);
    assert_eq!(whole.judged, sliced.judged);
    // The report on an earlier position counts the iterations of all slices.
    let iterations = |slice| {
        let mut table = table("connect4/3,3");
        while !table.review(slice).expect("a search") {}
        table.view(0).report.expect("a report").iterations
    };
    assert_eq!(iterations(Duration::from_millis(2)), iterations(LONG));
}

#[test]
fn an_earlier_position_is_shown_with_its_own_report() {
    let mut table = table("tic-tac-toe/1,5,9");
    assert_eq!((table.view(1).report, table.view(1).judged.len()), (None, 4));
    while !table.review(LONG).expect("a search") {}
    let earlier = table.view(1);
    assert_eq!((earlier.ply, earlier.player, earlier.moves.len()), (1, Some(1), 3));
    assert_eq!(earlier.legal.len(), 8);
    let report = earlier.report.expect("a report");
    assert_eq!(report.actions.len(), 8);
    assert_eq!(report.best, earlier.judged[1].as_ref().and_then(|judged| judged.best.clone()));
    assert!(
        report.actions.iter().all(|entry| entry.line[0] == entry.action),
        "lines start with their action"
    );
    // What is taken back is forgotten.
    table.undo(2);
    assert_eq!(table.view(usize::MAX).judged.len(), 2);
    assert_eq!(table.view(9), table.view(1));
}

#[test]
fn the_pictures_of_a_line_show_a_stone_more_each_as_far_as_the_line_is_legal() {
    let table = table("connect4/3");
    let stones = |picture: &String| picture.matches("class=\"p").count();
    let pictures = table.pictures(1, &["3", "3", "0"]);
    assert_eq!(pictures.iter().map(stones).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(table.pictures(0, &["3"]).iter().map(stones).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(table.pictures(1, &["3", "9", "0"]).len(), 2);
    assert_eq!(table.pictures(1, &[""]).len(), 1);
}

//! The comparison of searches for the best line of a puzzle, at a small size.

use ramure_lab::commands::puzzle::{self, Puzzle, Recipe, Row, Settings};

fn settings(puzzle: Puzzle, searches: &[&str]) -> Settings {
    let searches = searches.iter().map(|text| text.parse().expect(text)).collect();
    Settings { puzzle, searches, instances: 3, rollouts: Some(60), seed: 4, threads: 1 }
}

#[test]
fn the_threads_do_not_change_the_scores() {
    let searches = [
        "flat",
        "nested:1",
        "nested:2,beam=2",
        "nrpa:2,n=6,alpha=0.5,rollouts=2,beam=2",
        "sp-mcts:20,c=0.1,d=0",
    ];
    for puzzle in ["same-game", "morpion-5d", "morpion-5t"] {
        let puzzle: Puzzle = puzzle.parse().expect("a puzzle");
        let one = settings(puzzle, &searches);
        let scores = |threads| -> Vec<(String, Vec<f64>, f64)> {
            let rows = puzzle::measure(&Settings { threads, ..one.clone() }).expect("a sound puzzle");
            rows.into_iter().map(|row| (row.search, row.scores, row.rollouts)).collect()
        };
        let found = scores(1);
        assert_eq!(found, scores(3));
        assert!(found.iter().all(|(_, scores, rollouts)| scores.len() == 3 && *rollouts == 60.0));
        assert_eq!(found.iter().map(|(name, ..)| &name[..]).collect::<Vec<_>>(), searches);
    }
}

#[test]
fn one_pass_takes_as_many_rollouts_as_the_algorithm() {
    let one = Settings {
        rollouts: None,
        instances: 2,
        ..settings(Puzzle::Disjoint, &["nrpa:2,n=5,rollouts=3", "flat"])
    };
    let rows = puzzle::measure(&one).expect("a sound puzzle");
    assert_eq!((rows[0].rollouts, rows[1].rollouts), (75.0, 1.0));
}

#[test]
fn the_difference_is_that_on_the_same_instances() {
    let row =
        |scores: &[f64]| Row { search: "a".into(), scores: scores.to_vec(), rollouts: 1.0, seconds: 1.0 };
    let (first, second) = (row(&[100.0, 200.0, 300.0]), row(&[120.0, 220.0, 320.0]));
    let above = second.above(&first).expect("the mean is not 0");
    // Each instance is 20 better, so there is no doubt.
    assert_eq!((above.value, above.low, above.high), (0.1, 0.1, 0.1));
    assert_eq!(second.mean().value, 220.0);
    // Above is better, also where scores are negative.
    let (first, second) = (row(&[-400.0, -500.0]), row(&[50.0, 0.0]));
    let above = second.above(&first).expect("the mean is not 0");
    assert!(above.low <= above.value && (above.value - 475.0 / 450.0).abs() < 1e-12, "{above:?}");
    assert!(first.above(&row(&[1.0, -1.0])).is_none());
    let rows = [first.clone(), second.clone()];
    assert_eq!(puzzle::ranked(&rows), [&second, &first]);
}

#[test]
fn a_text_that_is_no_search_is_refused_with_the_words() {
    for text in [
        "",
        "flat:1",
        "nested",
        "nested:x",
        "nrpa:2,m=3",
        "nrpa:2,n",
        "nrpa:2,n=x",
        "sp-mcts:9,c=0.1",
        "sp-mcts",
        "tree:1",
    ] {
        let error = text.parse::<Recipe>().expect_err(text);
        assert!(
            error.contains(
                text.split(',').next_back().unwrap_or_default().split('=').next().unwrap_or_default()
            ),
            "{error}"
        );
    }
    assert!("chess".parse::<Puzzle>().is_err_and(|error| error.contains("same-game")));
    // What a search refuses is an error of the measurement.
    assert!(puzzle::measure(&settings(Puzzle::SameGame, &["nested:0"])).is_err());
}

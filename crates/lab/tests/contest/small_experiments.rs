//! The experiments of the commands (`src/commands`), at a small size: their figures, statistics and errors.

#![allow(clippy::disallowed_methods, reason = "tests may use the platform's own powers")]

use ramure::selection::Ucb1;
use ramure::{Budget, Expansion, Mcts, Rng};
use ramure_games::Bandit;
use ramure_lab::commands::bandit::{self, POLICIES};
use ramure_lab::commands::files::{Files, TableFile};
use ramure_lab::commands::output::mean_in_words;
use ramure_lab::commands::p_game::{self, Kind, Verdict, fisher};
use ramure_lab::commands::{Claim, puzzle};
use std::fs;

const SMALL: bandit::Settings = bandit::Settings { plays: 10_000, runs: 20, seed: 1, threads: 2 };

fn few_trees(trees: u32, iterations: &[u32]) -> p_game::Settings {
    p_game::Settings { trees, iterations: iterations.to_vec(), seed: 1, threads: 2 }
}

#[test]
fn the_bound_of_the_theorem_matches_the_published_table() {
    let bounds = bandit::PUBLISHED.map(|(arms, ..)| bandit::bound(arms, bandit::PUBLISHED_PLAYS).round());
    assert_eq!(bounds, [308.0, 921.0, 921.0, 2775.0, 5073.0, 8293.0]);
    assert_eq!(bandit::bound(&[0.5, 0.5], 1_000), 0.0, "equal arms cost nothing");
}

#[test]
fn without_checkpoints_a_planning_policy_gets_the_whole_budget() {
    let settings = bandit::Settings { plays: 1_000, runs: 8, ..SMALL };
    let end = |policy| bandit::measure_at(&[0.9, 0.6], policy, settings, &[1_000]).expect("a bandit");
    let ucb1 = bandit::measure(&[0.9, 0.6], "ucb1:c=1.4142135", settings).expect("a bandit");
    assert_eq!((end("ucb1:c=1.4142135").curve.len(), end("ucb1:c=1.4142135").last()), (1, ucb1.last()));
    // With two arms, sequential halving has one round: half of the plays go to each.
    assert_eq!(end("halving").last().best.value, 0.5);
    assert!(bandit::measure_at(&[0.9, 0.6], "ucb1:c=1.4142135", settings, &[]).is_err());
}

#[test]
fn the_regret_of_ucb1_is_below_the_bound_and_that_of_ucb1_tuned_and_thompson_below_it() {
    let rows = POLICIES.map(|policy| bandit::measure(&[0.9, 0.6], policy, SMALL).expect("a bandit"));
    let [ucb1, tuned, thompson] = rows.each_ref().map(|row| row.last());
    // A run of UCB1 loses 55 with a standard deviation of 12, and a run of the others 8 with 6. A mean over
    // 20 runs would have to be off by ten standard deviations to be on the wrong side.
    assert!(ucb1.regret.value < ucb1.bound, "{ucb1:?}");
    assert!(tuned.regret.value < ucb1.regret.value && thompson.regret.value < ucb1.regret.value);
    for row in &rows {
        assert!(row.curve.is_sorted_by(|a, b| a.plays < b.plays && a.regret.value <= b.regret.value));
        // With two arms, the regret determines the share of the best arm.
        let last = row.last();
        let share = 1.0 - last.regret.value / 0.3 / f64::from(last.plays);
        assert!((last.best.value - share).abs() < 1e-9);
        assert!(last.regret.low < last.regret.value && last.regret.value < last.regret.high);
        assert_eq!(row.published, None, "those figures are for more plays");
    }
    let claims = bandit::claims(&rows);
    assert_eq!(claims.iter().map(|claim| (claim.held, claim.cases)).collect::<Vec<_>>(), [(1, 1), (1, 1)]);
}

#[test]
fn checkpoints_do_not_change_the_regret() {
    let arms = [0.8, 0.5, 0.3];
    let settings = bandit::Settings { plays: 2_000, runs: 4, ..SMALL };
    let mut rng = Rng::seeded(settings.seed);
    let mut plays = [0.0; 3];
    for _ in 0..settings.runs {
        let game = Bandit::new(&arms).expect("a bandit");
        let search = Mcts::new(game).tree_policy(Ucb1::new(2_f32.sqrt()));
        let mut search = search.expansion(Expansion::default().on_visit(u32::MAX)).seed(rng.bits());
        let report = search.run(Budget::iterations(2_000)).expect("a sound game");
        for (plays, arm) in plays.iter_mut().zip(&report.actions) {
            *plays += f64::from(arm.visits) / f64::from(settings.runs);
        }
    }
    let row = bandit::measure(&arms, "ucb1:c=1.4142135", settings).expect("a bandit");
    let regret = 0.3 * plays[1] + 0.5 * plays[2];
    assert!((row.last().regret.value - regret).abs() < 1e-9 * regret);
    assert!((row.last().best.value - plays[0] / 2_000.0).abs() < 1e-12);
}

#[test]
fn the_number_of_threads_does_not_change_the_results() {
    let settings = bandit::Settings { plays: 500, runs: 9, ..SMALL };
    let kind = &Kind::new(3, 6, "ucb1:c=0.7");
    let measure = |threads| {
        let trees = p_game::Settings { threads, ..few_trees(15, &[50, 200]) };
        (
            bandit::measure(&[0.7, 0.4], "ucb1:c=1.4142135", bandit::Settings { threads, ..settings })
                .expect("a bandit"),
            p_game::measure(kind, &trees).expect("trees"),
        )
    };
    let one = measure(1);
    for threads in [0, 2, 5, 40] {
        assert_eq!(measure(threads), one, "{threads} threads");
    }
}

#[test]
fn small_trees_are_searched_without_errors_and_proven_by_a_solver() {
    let kind = &Kind::new(2, 10, "ucb1:c=1.4142135,solver=no");
    let plain = p_game::measure(kind, &few_trees(40, &[100, 3_000])).expect("trees");
    // None of 400 trees was wrong, so the probability is below .0075 with 95 % confidence, and more than
    // three wrong of 40 have a probability of 3e-4.
    assert!(plain.cells[1].wrong <= 3, "{plain:?}");
    assert_eq!((plain.cells[0].proven, plain.cells[1].proven), (0, 0));
    assert!(plain.cells.iter().all(|cell| matches!(cell.published, Some((_, Verdict::Same)))));
    // A proof does not depend on chance, and a proven choice is never wrong.
    let solver = Kind::new(2, 10, "ucb1:solver=yes");
    let solved = p_game::measure(&solver, &few_trees(40, &[1_000])).expect("trees");
    assert_eq!((solved.cells[0].proven, solved.cells[0].wrong), (40, 0), "{solved:?}");
    let claims = p_game::claims(&[plain, solved]);
    assert_eq!(claims.iter().map(|claim| (claim.held, claim.cases)).collect::<Vec<_>>(), [(2, 2), (1, 1)]);
}

#[test]
fn new_searches_give_the_figures_of_a_continued_one_unless_they_plan_ahead() {
    let settings = few_trees(20, &[30, 100, 300]);
    for search in ["ucb1:c=0.7", "grave", "puct:rollout=cutoff"] {
        let kind = Kind::new(4, 6, search);
        let cells = |iterations: &[u32]| {
            let settings = p_game::Settings { iterations: iterations.to_vec(), ..settings.clone() };
            p_game::measure(&kind, &settings).expect("trees").cells
        };
        let anew = settings.iterations.chunks(1).flat_map(cells);
        assert_eq!(anew.collect::<Vec<_>>(), cells(&settings.iterations), "{search}");
    }
}

#[test]
fn a_published_share_of_zero_allows_nine_of_two_hundred() {
    let verdict = |wrong, published| p_game::compare((wrong, 200), published).expect("a table");
    assert_eq!((verdict(0, 0.0), verdict(9, 0.0)), (Verdict::Same, Verdict::Same));
    assert!(matches!(verdict(10, 0.0), Verdict::Worse(_)));
    assert!(matches!(verdict(0, 0.05), Verdict::Better(_)));
    assert_eq!(verdict(200, 1.0), Verdict::Same);
}

#[test]
fn fishers_test_solves_the_lady_tasting_tea() {
    // Fisher's own example: of eight cups of tea, all four named correctly has a probability of 1 in 70, and
    // three or more 17 in 70.
    let tea = |right| fisher((right, 4), (4 - right, 4)).expect("a table");
    assert!((tea(4).more - 1.0 / 70.0).abs() < 1e-9 && (tea(3).more - 17.0 / 70.0).abs() < 1e-9);
    assert!((tea(0).fewer - 1.0 / 70.0).abs() < 1e-9);
    assert!(fisher((3, 2), (0, 2)).is_err());
}

#[test]
fn a_single_sample_has_no_interval_of_zero_width() {
    let mean = |samples: &[f64]| {
        puzzle::Row { search: "flat".into(), scores: samples.into(), rollouts: 1.0, seconds: 1.0 }.mean()
    };
    let in_words = |samples: &[f64]| mean_in_words(mean(samples), samples.len(), 1);
    assert_eq!((in_words(&[9.0]), in_words(&[9.0, 10.0, 11.0])), ("9.0".into(), "10.0 [7.5, 12.5]".into()));
}

#[test]
fn impossible_measurements_are_errors_with_a_reason() {
    let of_arms = |arms: &[f64], settings| match bandit::measure(arms, "ucb1:c=1.4142135", settings) {
        Ok(row) => panic!("{row:?}"),
        Err(error) => error.to_string(),
    };
    assert!(of_arms(&[0.5, 1.5], SMALL).contains("is 1.5"));
    assert!(of_arms(&[0.9, 0.6], bandit::Settings { runs: 1, ..SMALL }).contains("two runs"));
    assert!(of_arms(&[0.9, 0.6], bandit::Settings { plays: 0, ..SMALL }).contains("no plays"));
    // Whatever a policy does, its regret is 0.
    for arms in [&[0.0][..], &[0.5, 0.5], &[1.0, 1.0, 1.0]] {
        let error = of_arms(arms, SMALL);
        assert!(error.contains("equally good") && error.contains("0.9,0.6"), "{error}");
    }
    let trees = |branching, depth, search: &str, settings: &p_game::Settings| match p_game::measure(
        &Kind::new(branching, depth, search),
        settings,
    ) {
        Ok(row) => panic!("{row:?}"),
        Err(error) => error.to_string(),
    };
    let settings = few_trees(2, &[10]);
    assert!(trees(1, 5, "ucb1:c=1.4142135", &settings).contains("only 0 have"), "one action is not a choice");
    assert!(trees(2, 33, "ucb1:c=1.4142135", &settings).contains("2^32"));
    assert!(trees(2, 0, "ucb1:c=1.4142135", &settings).contains("depth"));
    assert!(trees(2, 4, "ucb1:c=-1", &settings).contains("-1"));
    assert!(trees(2, 4, "ucb3", &settings).contains("ucb3"));
    for wrong in [few_trees(0, &[10]), few_trees(2, &[]), few_trees(2, &[0])] {
        assert!(trees(2, 4, "ucb1:c=1.4142135", &wrong).contains("above 0"));
    }
    assert!(trees(2, 4, "ucb1:c=1.4142135", &few_trees(2, &[20, 10])).contains("ascend"));
}

#[test]
fn a_table_is_overwritten_only_on_request() {
    let path = std::env::temp_dir().join(format!("ramure-experiments-{}.csv", std::process::id()));
    let create = || TableFile::create(&path, "arms regret").expect("it can be written");
    let mut table = create();
    table.write(["0.9, 0.6", "69"]).expect("it can be written");
    // The row is on the disk before the file is closed.
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "arms,regret\n\"0.9, 0.6\",69\n");
    let files = |force| Files { csv: Some(path.clone()), plot: None, force };
    let refused = files(false).check(0, []).expect_err("it is there").to_string();
    assert!(refused.contains("--force") && refused.contains("ramure-experiments"), "{refused}");
    files(true).check(0, []).expect("it may be replaced");
    drop(create());
    assert_eq!(fs::read_to_string(&path).expect("it is there"), "arms,regret\n");
    fs::remove_file(&path).expect("it is ours");
    let nowhere = TableFile::create(&path.join("below.csv"), "arms");
    assert!(nowhere.err().expect("no such folder").to_string().contains("cannot be written"));
}

#[test]
fn a_claim_reports_in_how_many_cases_it_held() {
    let claim = Claim::of("all are even", [2, 3, 4].map(|n| n % 2 == 0));
    assert_eq!((claim.holds(), claim.to_string()), (false, "NO  all are even: 2 of 3".into()));
    assert_eq!(Claim::of("all are odd", [3, 5].map(|n| n % 2 == 1)).to_string(), "yes all are odd: 2 of 2");
}
